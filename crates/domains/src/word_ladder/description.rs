//! The keys of a word ladder, and their validation.

use super::words::{Word, Words};
use super::{Edit, Edits, Ladder, list, own};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::document::{DeValue, FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance};
use std::sync::Arc;

/// The value of `words`.
enum List {
    File(String),
    Words(Vec<Spanned<String>>),
}

impl FromToml for List {
    fn from_toml(node: Node) -> Option<List> {
        match node.value() {
            DeValue::String(_) => node.read().map(List::File),
            DeValue::Array(_) => node.read().map(List::Words),
            _ => node.wrong_type("a path (a string) or an array of words"),
        }
    }
}

impl FromToml for Edit {
    fn from_toml(node: Node) -> Option<Edit> {
        node.choice(&[("change", Edit::Change), ("insert", Edit::Insert), ("delete", Edit::Delete)])
    }
}

/// Reads a word ladder.
///
/// # Errors
/// Reports every mistake in the keys.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let start = file.required("start", "start = \"cold\"", keys.take("start"));
    let goal = file.required("goal", "goal = \"warm\"", keys.take("goal"));
    let words = file.required("words", "words = \"words.txt\"", keys.take("words"));
    let words = words.and_then(|list| read_list(&list, file));
    let edits = edits(keys.take("edits").as_ref());
    let (words, warning) = match words {
        Ok(read) => read,
        Err(wrong) => {
            let errors = [start.err(), goal.err(), edits.err()].into_iter().flatten().flatten();
            return Err(errors.chain(wrong).collect());
        }
    };
    let start = start.and_then(|start| known(&words, &start));
    let goal = goal.and_then(|goal| known(&words, &goal));
    match (start, goal, edits) {
        (Ok(start), Ok(goal), Ok(edits)) => {
            let own = own::read_all(keys, file, &words, start, goal)?;
            Ok(Box::new(Ladder { words: Arc::new(words), edits, start, goal, warning, own }))
        }
        (start, goal, edits) => Err([start.err(), goal.err(), edits.err()].into_iter().flatten().flatten().collect()),
    }
}

/// Reads the list, if every entry is a valid word, and the warning about it.
fn read_list(list: &Spanned<List>, file: &FileContext) -> Result<(Words, Option<Diagnostic>), Vec<Diagnostic>> {
    let wrong = |message| Diagnostic::at(list.span(), message);
    let listed = match list.get_ref() {
        List::File(path) => {
            let opened = file.open(path, list.span(), "a list of words").map_err(|error| {
                let is_list = path.contains([',', '\n']);
                let help =
                    "a string is the path of a file; write the words as an array: `words = [\"cold\", \"cord\"]`";
                vec![if is_list { error.help(help) } else { error }]
            })?;
            let at = |warning: Diagnostic| Diagnostic { span: Some(list.span()), ..warning };
            let read = list::read(opened).map(|(words, warning)| (words, warning.map(at)));
            return read.map_err(|errors| errors.into_iter().map(wrong).collect());
        }
        List::Words(listed) => listed,
    };
    if listed.is_empty() {
        return Err(vec![wrong("`words` is empty".to_owned()).label("expected at least the start and the goal")]);
    }
    let mut words = Words::new();
    let mut errors = Vec::new();
    for word in listed {
        match list::objection(word.get_ref()) {
            None => words.push(word.get_ref()),
            Some((_, why)) => errors.push(Diagnostic::at(word.span(), why)),
        }
    }
    if errors.is_empty() { Ok((words, None)) } else { Err(errors) }
}

/// Returns a word of the list.
fn known(words: &Words, text: &Spanned<String>) -> Result<Word, Vec<Diagnostic>> {
    let written = text.get_ref();
    words.find(written).ok_or_else(|| {
        let unknown = Diagnostic::at(text.span(), format!("`{}` is not in the list of words", shortened(written)));
        let length = written.chars().count();
        // A list may be long: only words of similar length are compared, and no very long ones.
        let near = |&word: &Word| words.letters(word).len().abs_diff(length) <= 2 && length <= 64;
        let near: Vec<String> = (0..words.len() as Word).filter(near).map(|word| words.text(word)).collect();
        let lower = |text: &str| text.to_lowercase();
        let help = if let Some(same) = near.iter().find(|word| lower(word) == lower(written)) {
            format!("did you mean `{same}`? upper and lower case differ")
        } else if let Some(word) = did_you_mean(written, near.iter().map(String::as_str)) {
            format!("did you mean `{word}`?")
        } else {
            "add it to the list, which must have the start and the goal".to_owned()
        };
        vec![unknown.help(help)]
    })
}

/// Returns a word, shortened for messages.
fn shortened(word: &str) -> String {
    let beginning: String = word.chars().take(40).collect();
    if beginning.len() < word.len() { beginning + "…" } else { beginning }
}

/// Returns the named edits, by default all.
fn edits(named: Option<&Spanned<Vec<Edit>>>) -> Result<Edits, Vec<Diagnostic>> {
    let Some(named) = named else { return Ok(Edits { change: true, insert: true, delete: true }) };
    let has = |edit: Edit| named.get_ref().contains(&edit);
    let edits = Edits { change: has(Edit::Change), insert: has(Edit::Insert), delete: has(Edit::Delete) };
    if named.get_ref().is_empty() {
        let empty = Diagnostic::at(named.span(), "`edits` is empty, so there are no moves");
        return Err(vec![empty.label("expected some of `change`, `insert` and `delete`")]);
    }
    Ok(edits)
}
