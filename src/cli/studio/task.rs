//! The work that the page asks for: each task is a command of the program, with the text of the editor on its standard
//! input.

use super::http::{Refused, Request};
use std::path::Path;
use std::time::Duration;

/// The limits of reading a puzzle, of solving it at each pause of typing, and of work that was asked for.
const SHORT: u64 = 5;
const USUAL: u64 = 60;
const MOST_TIME: u64 = 3600;
/// The limit on the memory of a child.
const MEMORY: &str = "1GiB";

/// A kind of work.
struct Task {
    name: &'static str,
    /// The command and its options. `INPUT` is the puzzle, `SAVED` the same as it is saved, `THEME` the theme of pictures,
    /// `OUT` a new folder.
    arguments: &'static [&'static str],
    /// The limit on time in seconds, unless the request sets another.
    time: u64,
    /// The type of its output; JSON lines are passed on as they come.
    kind: &'static str,
}

/// JSON, one value a line.
pub(super) const LINES: &str = "application/x-ndjson";
const HTML: &str = "text/html; charset=utf-8";

const fn task(name: &'static str, time: u64, kind: &'static str, arguments: &'static [&'static str]) -> Task {
    Task { name, arguments, time, kind }
}

/// All tasks.
const TASKS: &[Task] = &[
    task("list", USUAL, LINES, &["list", ".", "--json", "--recognize"]),
    task("check", SHORT, LINES, &["check", "INPUT", "--json"]),
    task("show", SHORT, LINES, &["show", "INPUT", "--json"]),
    task("canvas", SHORT, LINES, &["studio", "--work", "canvas"]),
    task("complete", SHORT, LINES, &["studio", "--work", "complete"]),
    task("fixes", SHORT, LINES, &["studio", "--work", "fixes"]),
    task("hover", SHORT, LINES, &["studio", "--work", "hover"]),
    task("solve", USUAL, LINES, &["solve", "INPUT", "--json", "--events"]),
    task("improve", MOST_TIME, LINES, &["studio", "--work", "improve"]),
    task("all", USUAL, LINES, &["solve", "INPUT", "--json", "--all", "5"]),
    task("explore", USUAL, LINES, &["explore", "INPUT", "--json", "--events"]),
    task("edits", USUAL, LINES, &["edits", "INPUT", "--json", "--events"]),
    task("minimize", USUAL, LINES, &["minimize", "INPUT", "--json"]),
    task("rate", USUAL, LINES, &["rate", "INPUT", "--json"]),
    task("generate", USUAL, LINES, &["generate", "INPUT", "--json", "--out", "OUT"]),
    task("diff", USUAL, "text/plain; charset=utf-8", &["diff", "SAVED", "INPUT"]),
    task("draw", SHORT, HTML, &["render", "INPUT", "--play", "--replay", "", "--format", "html", "THEME"]),
    task("game", USUAL, HTML, &["render", "INPUT", "--play", "--format", "html"]),
    task("collection", USUAL, HTML, &["render", "INPUT", "--play", "--format", "html"]),
    task("folder", USUAL, HTML, &["render", ".", "--play", "--format", "html"]),
    task("page", USUAL, HTML, &["render", "INPUT", "--format", "html"]),
    task("search", USUAL, HTML, &["render", "INPUT", "--search", "SEARCH", "--format", "html", "THEME"]),
    task("picture", SHORT, "image/svg+xml", &["render", "INPUT", "--format", "svg", "THEME"]),
    task("svg", SHORT, "image/svg+xml", &["render", "INPUT", "--format", "svg"]),
    task("png", SHORT, "image/png", &["render", "INPUT", "--format", "png"]),
    task("gif", USUAL, "image/gif", &["render", "INPUT", "--format", "gif"]),
];

/// The command for a request.
pub(super) struct Asked {
    pub arguments: Vec<String>,
    pub time: Duration,
    pub kind: &'static str,
}

impl Asked {
    /// Returns the command that a request asks for. `file` is the name of the saved file within its folder,
    /// `out` a folder that is not there yet.
    ///
    /// # Errors
    /// There is no such task, or a value of it is invalid.
    pub fn of(name: &str, request: &Request, file: Option<&str>, out: Option<&Path>) -> Result<Asked, Refused> {
        let unknown = || Refused::new(404, format!("no task `{name}`"));
        let task = TASKS.iter().find(|task| task.name == name).ok_or_else(unknown)?;
        let invalid = |name: &str| Refused::new(400, format!("invalid value for `{name}`"));
        let word = |name: &str, text: &str| {
            let is_word =
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || b"-,".contains(&byte));
            if is_word && !text.starts_with('-') { Ok(text.to_owned()) } else { Err(invalid(name)) }
        };
        let number = |name: &str, most: u64| {
            let read = |text: &str| text.parse().ok().filter(|number| (1..=most).contains(number));
            request.value(name).map(|text| read(text).ok_or_else(|| invalid(name))).transpose()
        };
        let seconds = number("time", MOST_TIME)?.unwrap_or(task.time);
        let level = number("level", 1 << 32)?.map_or(String::new(), |level| format!("#{level}"));
        let (mut arguments, mut inputs) = (Vec::new(), Vec::new());
        for argument in task.arguments {
            match *argument {
                "INPUT" => inputs.push(format!("-{level}")),
                "SAVED" => {
                    let file = file.ok_or_else(|| Refused::new(400, "the puzzle is not saved yet"))?;
                    inputs.push(format!("./{file}{level}"));
                }
                "OUT" => {
                    let out = out.ok_or_else(|| Refused::new(400, "missing value `out`"))?;
                    arguments.push(out.display().to_string());
                }
                "SEARCH" => arguments.push(word("search", request.value("search").unwrap_or("a-star"))?),
                "THEME" => {
                    let theme = word("theme", request.value("theme").unwrap_or("auto"))?;
                    arguments.extend(["--theme".to_owned(), theme]);
                }
                argument => arguments.push(argument.to_owned()),
            }
        }
        if task.arguments[0] == "render" {
            arguments.extend(["--output", "-"].map(str::to_owned));
        }
        if !matches!(task.arguments[0], "list" | "studio") {
            arguments.extend(["--time-limit", &format!("{seconds}s"), "--memory-limit", MEMORY].map(str::to_owned));
        }
        arguments.push("--quiet".to_owned());
        if !inputs.is_empty() {
            // A level of standard input, `-#2`, looks like an option.
            arguments.push("--".to_owned());
            arguments.append(&mut inputs);
        }
        Ok(Asked { arguments, time: Duration::from_secs(seconds), kind: task.kind })
    }
}
