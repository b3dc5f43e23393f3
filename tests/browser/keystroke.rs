//! How long a keystroke takes until the proven optimum is on the screen, over all puzzles of the project.
//!
//! `cargo test --test browser -- --ignored keystroke` prints the share within 150 ms, and the slowest. A part of a path in
//! `ENGINE_KEYSTROKES` measures the puzzles there alone, and `ENGINE_PROGRAM` names another build of the program.
//!
//! The time is from the event of the keystroke to the frame after the answer is in the page: it includes the pause of typing,
//! the processes and the search. Keystrokes follow each other after a rest of 200 ms, as when a person types slowly.

use crate::driver::Desk;
use crate::support::root;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The time to reach, and the longest wait, in milliseconds.
const WANTED: f64 = 150.0;
const PATIENCE: f64 = 3000.0;
/// The keystrokes in each puzzle; the median counts. The rest before each, in milliseconds.
const STROKES: usize = 3;
const REST: u32 = 200;

/// Notes the time from each change of the text to the first bound and to the answer, as they are painted.
const PROBE: &str = "window.probe = {};\
    const outcome = document.getElementById('outcome');\
    document.getElementById('text').addEventListener('input', () => { probe.from = performance.now(); \
      probe.bound = probe.answer = null; }, true);\
    new MutationObserver(() => { const says = outcome.textContent, from = probe.from; requestAnimationFrame(() => { \
      if (from !== probe.from) return; \
      const time = performance.now() - from; \
      if (/^(Optimum|Unsolvable|A solution|Not solved|\\d+ error)/.test(says)) probe.answer ??= [time, says]; \
      else if (/at least|Best so far/.test(says)) probe.bound ??= time; }); \
    }).observe(outcome, { childList: true, characterData: true, subtree: true });";

/// A puzzle, and how long it took.
struct Measured {
    name: String,
    /// The time to the answer, and to the first bound or solution if the answer did not come.
    answer: Option<f64>,
    bound: Option<f64>,
    says: String,
}

/// Copies the files below a folder. Returns the names of those that are puzzles, by their endings.
fn copy(from: &Path, to: &Path, within: &str, names: &mut Vec<String>) -> Result<(), Failed> {
    fs::create_dir_all(to)?;
    let mut entries: Vec<_> = fs::read_dir(from)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{within}{name}");
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to.join(&name), &format!("{path}/"), names)?;
        } else {
            fs::copy(entry.path(), to.join(&name))?;
            let is_level = within == "puzzlescript/" && name.ends_with(".txt");
            if name.ends_with(".toml") || is_level {
                names.push(path);
            }
        }
    }
    Ok(())
}

/// Waits for an answer, or for as long as patience lasts.
fn answer(desk: &mut Desk) -> Result<Value, Failed> {
    desk.value(&format!(
        "new Promise(done => {{ const until = performance.now() + {PATIENCE}; const look = () => \
         probe.answer || performance.now() > until ? done(probe) : setTimeout(look, 5); look(); }})"
    ))
}

pub fn keystrokes_are_measured(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::apart(program, "keystrokes")?;
    let mut names = Vec::new();
    copy(&root().join("puzzles"), &desk.folder, "", &mut names)?;
    if let Ok(part) = std::env::var("ENGINE_KEYSTROKES") {
        names.retain(|name| name.contains(&part));
    }
    desk.value(PROBE)?;
    let mut all = Vec::new();
    for name in names {
        desk.value("document.getElementById('filter').focus()")?;
        desk.value(&format!(
            "document.getElementById('filter').value = {}; probe.from = performance.now(); probe.answer = null",
            json!(name)
        ))?;
        desk.key("Enter", 0)?;
        desk.wait(&format!("document.getElementById('name').textContent === {}", json!(name)))?;
        answer(&mut desk)?;
        let mut found = Vec::new();
        for _ in 0..STROKES {
            // A comment or an empty line at the end: the same puzzle, which nothing but its text shows.
            desk.value(
                "(() => { const text = document.getElementById('text'); text.focus(); \
                        text.setSelectionRange(text.value.length, text.value.length); })()",
            )?;
            desk.value(&format!("new Promise(done => setTimeout(done, {REST}))"))?;
            desk.write("\n")?;
            found.push(answer(&mut desk)?);
            if found.last().is_some_and(|last| last["answer"].is_null()) {
                break;
            }
        }
        let time = |one: &Value| one["answer"][0].as_f64();
        found.sort_by(|one, other| time(one).unwrap_or(PATIENCE).total_cmp(&time(other).unwrap_or(PATIENCE)));
        let middle = &found[found.len() / 2];
        let says = middle["answer"][1].as_str().unwrap_or_default().to_owned();
        all.push(Measured { name, answer: time(middle), bound: middle["bound"].as_f64(), says });
        // Unsaved changes are discarded without a question.
        desk.value("document.getElementById('text').focus()")?;
        for _ in 0..found.len() {
            desk.value("document.execCommand('undo')")?;
        }
    }
    report(&mut all);
    Ok(())
}

fn report(all: &mut [Measured]) {
    all.sort_by(|one, other| other.answer.unwrap_or(f64::MAX).total_cmp(&one.answer.unwrap_or(f64::MAX)));
    let count = |least: f64| all.iter().filter(|one| one.answer.is_some_and(|time| time <= least)).count();
    let share = |count: usize| 100.0 * count as f64 / all.len() as f64;
    for one in all.iter().filter(|one| one.answer.is_none_or(|time| time > WANTED)) {
        let time = one.answer.map_or("none yet".to_owned(), |time| format!("{time:.0} ms"));
        let bound = one.bound.map_or(String::new(), |time| format!(", a first bound after {time:.0} ms"));
        println!("{}: {time}{bound} {}", one.name, one.says);
    }
    for least in [100.0, WANTED, 200.0, 300.0, 500.0, 1000.0, PATIENCE] {
        println!("within {least} ms: {} of {} puzzles, {:.1} %", count(least), all.len(), share(count(least)));
    }
    let late: Vec<&Measured> = all.iter().filter(|one| one.answer.is_none_or(|time| time > WANTED)).collect();
    for most in [WANTED, 200.0, 300.0, 1000.0, PATIENCE] {
        let is_shown = |one: &&&Measured| [one.bound, one.answer].into_iter().flatten().any(|time| time <= most);
        let shown = late.iter().filter(is_shown).count();
        println!("of the {} others, {shown} have a bound, a solution or the answer within {most} ms", late.len());
    }
}
