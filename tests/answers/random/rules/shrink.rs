//! Reduces files that fail: removes every part without which they still fail in the same place.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use toml::{Table, Value};

thread_local! {
    /// The place and message of this thread's last panic; `None` while panics are printed as usual.
    static CAUGHT: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// The beginning of the message for a refused file.
pub const REFUSED: &str = "a file by the format is refused";

/// The place and message of a panic of a check.
pub struct Failure {
    at: String,
    pub message: String,
}

/// Runs a check and catches its panic, without printing it.
pub fn caught<T>(check: impl FnOnce() -> T) -> Result<T, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_caught = CAUGHT.with_borrow_mut(|caught| {
                let Some(caught) = caught.as_mut() else { return false };
                let at = info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
                *caught = (at, info.payload_as_str().unwrap_or("").to_owned());
                true
            });
            if !is_caught {
                usual(info);
            }
        }));
    });
    CAUGHT.set(Some(Default::default()));
    let result = panic::catch_unwind(AssertUnwindSafe(check));
    let (at, message) = CAUGHT.take().unwrap_or_default();
    result.map_err(|_| Failure { at, message })
}

impl Failure {
    /// Returns whether both probably have the same cause; refusals do if their messages begin alike.
    fn is_like(&self, other: &Failure) -> bool {
        let refused =
            |failure: &Failure| failure.message.lines().next().filter(|line| line.contains(REFUSED)).map(str::to_owned);
        self.at == other.at && refused(self) == refused(other)
    }
}

/// Returns a smaller file that fails in the same place, or the file itself.
pub fn smaller(text: &str, failure: &Failure, fails: &dyn Fn(&str) -> Option<Failure>) -> String {
    let written = |table: &Table| toml::to_string(table).expect("a table can be written");
    let still_fails = |table: &Table| fails(&written(table)).is_some_and(|other| other.is_like(failure));
    let Ok(table) = text.parse::<Table>() else { return text.to_owned() };
    if !still_fails(&table) {
        return text.to_owned();
    }
    let mut best = Value::Table(table);
    'again: loop {
        let mut paths = Vec::new();
        list(&best, &mut Vec::new(), &mut paths);
        for path in paths {
            for changed in changes(&best, &path) {
                if still_fails(changed.as_table().expect("the whole is a table")) {
                    best = changed;
                    continue 'again;
                }
            }
        }
        return written(best.as_table().expect("the whole is a table"));
    }
}

/// The path to a part of a file.
type Path = Vec<Step>;

#[derive(Clone)]
enum Step {
    Key(String),
    Item(usize),
}

fn list(value: &Value, at: &mut Path, all: &mut Vec<Path>) {
    let mut within = |step: Step, value: &Value| {
        at.push(step);
        all.push(at.clone());
        list(value, at, all);
        at.pop();
    };
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| within(Step::Key(key.clone()), value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| within(Step::Item(at), value)),
        _ => {}
    }
}

/// Returns the file without a part of it, and with shorter expressions in its place.
fn changes(whole: &Value, path: &Path) -> Vec<Value> {
    let mut all = Vec::new();
    let mut without = whole.clone();
    let (last, before) = path.split_last().expect("a part is not the whole");
    match (inner(&mut without, before), last) {
        (Value::Table(table), Step::Key(key)) => drop(table.remove(key)),
        (Value::Array(items), Step::Item(at)) => drop(items.remove(*at)),
        _ => {}
    }
    all.push(without);
    let mut copy = whole.clone();
    if let Value::String(text) = inner(&mut copy, path).clone() {
        for shorter in parts(&text) {
            let mut changed = whole.clone();
            *inner(&mut changed, path) = Value::String(shorter);
            all.push(changed);
        }
    }
    all
}

fn inner<'a>(mut value: &'a mut Value, path: &[Step]) -> &'a mut Value {
    for step in path {
        value = match step {
            Step::Key(key) => &mut value[key.as_str()],
            Step::Item(at) => &mut value[*at],
        };
    }
    value
}

/// Returns the parts of an expression: between brackets, and on each side of an operator.
fn parts(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for sign in ["&&", "||", " and ", " or ", "?", ":", "+", "%", "!", "not "] {
        for (at, _) in text.match_indices(sign) {
            all.push(text[..at].trim().to_owned());
            all.push(text[at + sign.len()..].trim().to_owned());
        }
    }
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => {
                if let Some(from) = open.pop() {
                    all.push(text[from + 1..at].to_owned());
                }
            }
            _ => {}
        }
    }
    all.retain(|part| !part.is_empty() && part.len() < text.len());
    all.sort_by_key(String::len);
    all.dedup();
    all
}
