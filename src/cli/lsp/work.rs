//! Work beside the loop of the language server. Texts are analysed in a thread, within limits. Everything that searches
//! runs in a child process of the program, with limits of its own, so that neither a wall nor a mistake there ends the
//! session.

use super::events::{Event, Order, Output, Question};
use crate::analysis::{Analysis, Analyzer};
use crate::cli::child::{self, Work};
use crate::search::{Limit, Limits};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// The time after which an analysis shows what it has found, and goes on.
const SLICE: Duration = Duration::from_secs(1);

/// The time for one puzzle that takes longer than a slice, as in `engine check`.
const LONGEST: Duration = Duration::from_secs(10);

/// The memory of the server, and that of a search beside.
const MEMORY: u64 = 1 << 30;

/// The time of a search for an optimum beside, and of a command.
const OPTIMUM: Duration = Duration::from_secs(1);
const COMMAND: Duration = Duration::from_secs(60);

/// The most bytes of a child's output that are kept.
const MOST_OUTPUT: usize = 4 << 20;

/// Analyses texts until the server is gone.
pub(super) fn analyse(orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut analyzers: BTreeMap<String, Analyzer> = BTreeMap::new();
    for Order { uri, path, text, stop } in orders {
        let Some(text) = text else {
            analyzers.remove(&uri);
            continue;
        };
        let analyzer = analyzers.entry(uri.clone()).or_default();
        let (mut time, mut levels) = (SLICE, 0);
        while !stop.load(Ordering::Relaxed) {
            let limits = Limits {
                time: Some(time),
                resident: Some(MEMORY),
                interrupt: Some(Arc::clone(&stop)),
                ..Limits::default()
            };
            let found = analyzer.analyse(&path, &text, &limits);
            if found.limit == Some(Limit::Interrupt) {
                break;
            }
            let goes_on = found.limit == Some(Limit::Time) && (found.levels.len() > levels || time < LONGEST);
            time = if found.levels.len() > levels { SLICE } else { LONGEST };
            levels = found.levels.len();
            if events.send(Event::Analysed(uri.clone(), found)).is_err() {
                return;
            }
            if !goes_on {
                break;
            }
        }
    }
}

/// Finds optima until the server is gone.
pub(super) fn solve(questions: &Receiver<Question>, events: &Sender<Event>) {
    for Question { key, analysis, level, stop } in questions {
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let memory = MEMORY.to_string();
        let arguments = ["solve", "-", "--json", "--no-cache", "--ignore-search", "--memory-limit", &memory];
        let Some(Output { text, .. }) = run(&analysis, level, &arguments, OPTIMUM, &stop) else { continue };
        if events.send(Event::Solved(key, label(&text))).is_err() {
            return;
        }
    }
}

/// Returns the result of a search in a few words.
fn label(json: &str) -> Option<String> {
    let row: Value = serde_json::from_str(json.lines().next()?).ok()?;
    let number = |key: &str| Some(row[key].to_string()).filter(|_| row[key].is_number());
    Some(match (row["outcome"].as_str()?, number("cost"), number("lower_bound")) {
        ("solved", Some(cost), _) if row["optimal"] == true => format!("optimum {cost}"),
        ("solved", Some(cost), Some(bound)) => format!("at least {bound}, at most {cost}"),
        ("solved", Some(cost), None) => format!("at most {cost}"),
        ("unsolvable", ..) => "no solution".to_owned(),
        ("limit", _, Some(bound)) => format!("at least {bound}"),
        ("limit", ..) => "no answer within a second".to_owned(),
        _ => return None,
    })
}

/// The commands of code lenses, with their titles.
pub(super) const COMMANDS: [(&str, &str); 3] =
    [("engine.solve", "Solve"), ("engine.play", "Play"), ("engine.explore", "Explore")];

/// Runs the command of a lens. Returns its output, and the page that it made; `None` if it was stopped.
pub(super) fn command(
    name: &str,
    analysis: &Analysis,
    level: Option<usize>,
    stop: &AtomicBool,
) -> Option<(Output, Option<PathBuf>)> {
    let run = |arguments: &[&str]| run(analysis, level, arguments, COMMAND, stop);
    if name != "engine.play" {
        let arguments = match name {
            "engine.solve" => ["solve", "-", "--format", "summary"],
            _ => ["explore", "-", "--format", "text"],
        };
        return run(&arguments).map(|output| (output, None));
    }
    let stem = analysis.path.file_stem().map_or_else(|| "puzzle".into(), |stem| stem.to_string_lossy());
    let level = level.map_or(String::new(), |level| format!("-{level}"));
    let folder = std::env::temp_dir().join(format!("engine-lsp-{}", std::process::id()));
    let made = std::fs::create_dir_all(&folder).is_ok();
    let page = folder.join(format!("{stem}{level}.html"));
    let output = run(&["render", "-", "--play", "-o", page.to_str().filter(|_| made)?])?;
    let is_there = output.status == 0;
    Some((output, is_there.then_some(page)))
}

/// Removes the pages that were made.
pub(super) fn clean_up() {
    let _ = std::fs::remove_dir_all(std::env::temp_dir().join(format!("engine-lsp-{}", std::process::id())));
}

/// Runs the program on a text, in the folder of its file. `None` if it was stopped, or cannot be started.
fn run(
    analysis: &Analysis,
    level: Option<usize>,
    arguments: &[&str],
    time: Duration,
    stop: &AtomicBool,
) -> Option<Output> {
    let limit = format!("{}s", time.as_secs());
    let level = level.map(|level| level.to_string());
    let level = level.iter().flat_map(|level| ["--level", level]);
    let all = arguments.iter().copied().chain(["--color", "never", "--time-limit", &limit]).chain(level);
    let all: Vec<String> = all.map(str::to_owned).collect();
    let folder = analysis.path.parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let work = Work { arguments: &all, folder, time, input: analysis.text.as_bytes().to_vec() };
    let mut kept = Vec::new();
    let take = |part: &[u8]| {
        kept.extend_from_slice(&part[..part.len().min(MOST_OUTPUT - kept.len())]);
        Ok(())
    };
    let ended = child::run(work, take, |_| !stop.load(Ordering::Relaxed)).ok()?;
    let text = String::from_utf8_lossy(&kept).into_owned();
    Some(Output { status: ended.status.unwrap_or(-1), text, errors: ended.messages })
}

/// Returns the path of the file of a URI; its last part for other schemes, such as a text without a file.
pub(super) fn path_of(uri: &str, language: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let rest = uri.strip_prefix("file://").unwrap_or_else(|| uri.rsplit(['/', ':']).next().unwrap_or(uri));
    let mut letters = rest.as_bytes().iter();
    while let Some(&byte) = letters.next() {
        let digits = letters.as_slice().get(..2).filter(|_| byte == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                letters.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    // On Windows, `/c:/folder` is `c:/folder`.
    let has_drive = text.as_bytes().get(2) == Some(&b':') && text.starts_with('/');
    let path = PathBuf::from(if has_drive { &text[1..] } else { &text });
    match language {
        _ if path.extension().is_some() => path,
        "toml" => path.with_extension("toml"),
        "puzzlescript" => path.with_extension("ps"),
        _ => path,
    }
}

/// Returns the URI of a file.
pub(super) fn uri_of(path: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
    let text = path.to_string_lossy().replace('\\', "/");
    let encoded =
        text.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    let path: String = encoded.collect();
    if path.starts_with('/') { format!("file://{path}") } else { format!("file:///{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        assert_eq!(path_of("file:///a%20b/%C3%A4.toml", "toml"), Path::new("/a b/ä.toml"));
        assert_eq!(path_of("file:///c%3A/x.sok", ""), Path::new("c:/x.sok"));
        assert_eq!(path_of("untitled:Untitled-1", "toml"), Path::new("Untitled-1.toml"));
        assert_eq!(path_of("file:///%zz%", ""), Path::new("/%zz%"));
        assert_eq!(uri_of(Path::new("/a b/ä.toml")), "file:///a%20b/%C3%A4.toml");
    }

    #[test]
    fn results_are_a_few_words() {
        let of = |json: &str| label(json).unwrap_or_default();
        assert_eq!(of(r#"{"outcome":"solved","optimal":true,"cost":9,"lower_bound":9}"#), "optimum 9");
        assert_eq!(of(r#"{"outcome":"solved","optimal":false,"cost":9,"lower_bound":3.5}"#), "at least 3.5, at most 9");
        assert_eq!(of(r#"{"outcome":"unsolvable","cost":null}"#), "no solution");
        assert_eq!(of(r#"{"outcome":"limit","cost":null,"lower_bound":12}"#), "at least 12");
        assert_eq!(of(r#"{"outcome":"error"}"#), "");
    }
}
