//! The commands in the README and in the book print the output below them.
//!
//! A page's commands run in a folder of their own, with copies of the puzzles and their snapshots:
//! - `console`: lines that begin with `$ ` run in a shell; the lines below are its output, on both streams. A line
//!   `…` stands for any lines. Times and sizes may differ. The exit status is 0 unless the fence has `status=1`.
//! - `console terminal`: as at a terminal, where `engine solve` prints a summary.
//! - `sh`: lines that begin with `engine ` run and succeed; `sh untested` does not run.
//! - A block marked `file=NAME` is written to that file first.
//!
//! `UPDATE_DOCS=1 cargo test --test house commands` writes the current output into the pages.

#![cfg(unix)]

use crate::book::with_puzzles;
use crate::page::{Block, Page};
use crate::support::root;
use rayon::prelude::*;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_commands_in_the_documents_print_the_documented_output() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let failures: Vec<String> = Page::all().into_par_iter().flat_map_iter(|page| run_page(page, update)).collect();
    assert!(failures.is_empty(), "{}\nUPDATE_DOCS=1 writes what is printed into the pages", failures.join("\n"));
}

/// Runs the commands of a page, and returns the differences.
fn run_page(mut page: Page, update: bool) -> Vec<String> {
    let folder = with_puzzles();
    let mut failures = Vec::new();
    // Pages change from the last line to the first; commands run from the first to the last.
    let mut changes = Vec::new();
    for block in &page.blocks {
        if let Some(file) = block.value("file") {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
            fs::write(path, page.text_of(block)).expect("a file can be written");
        }
        let body = &page.lines[block.body.clone()];
        match block.language.as_str() {
            "sh" if !block.is_marked("untested") => {
                for command in body.iter().filter(|line| line.starts_with("engine ")) {
                    let (status, printed) = run(command, folder.path());
                    if status != Some(0) {
                        failures.push(format!("{}: `{command}` ends with {status:?}: {printed:?}", page.name));
                    }
                }
            }
            "console" => {
                let mut lines = Vec::new();
                for (command, expected) in commands(body) {
                    let found = compare(block, &command, expected, folder.path());
                    lines.extend(command.lines().map(|line| line.to_owned()));
                    match found {
                        Ok(()) => lines.extend_from_slice(expected),
                        Err((why, printed)) => {
                            failures.push(format!("{}:{}: {why}", page.name, block.body.start));
                            lines.extend(printed);
                        }
                    }
                }
                changes.push((block.body.clone(), lines));
            }
            _ => {}
        }
    }
    if update && !failures.is_empty() {
        for (body, lines) in changes.into_iter().rev() {
            page.lines.splice(body, lines);
        }
        fs::write(root().join(&page.name), page.text() + "\n").expect("the page can be written");
    }
    failures
}

/// Returns the commands of a block, each with its prompt and its output. A line that ends with `\` continues.
fn commands(body: &[String]) -> Vec<(String, &[String])> {
    let is_command = |at: usize| body[at].starts_with("$ ");
    let mut found = Vec::new();
    let mut at = 0;
    while at < body.len() {
        assert!(is_command(at), "a block has commands behind `$ `: {}", body[at]);
        let mut end = at + 1;
        while body[end - 1].ends_with('\\') {
            end += 1;
        }
        let output = end..(end..body.len()).find(|&line| is_command(line)).unwrap_or(body.len());
        found.push((body[at..end].join("\n"), &body[output.clone()]));
        at = output.end;
    }
    found
}

/// Runs a command and compares its output; otherwise returns the difference and the right output.
fn compare(block: &Block, command: &str, expected: &[String], folder: &Path) -> Result<(), (String, Vec<String>)> {
    let command = command.strip_prefix("$ ").expect("commands have a prompt");
    let solves = block.is_marked("terminal") && command.starts_with("engine solve") && !command.contains("--format");
    let as_at_a_terminal = if solves { " --format summary" } else { "" };
    let (status, printed) = run(&format!("{command}{as_at_a_terminal}"), folder);
    let wanted = block.value("status").map_or(0, |status| status.parse().expect("a status is a number"));
    // Commands may be separated by a blank line.
    let expected = &expected[..expected.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1)];
    if status == Some(wanted) && matches(expected, &printed) {
        return Ok(());
    }
    let why = format!("`{command}` ends with {status:?} and prints\n{}", printed.join("\n"));
    Err((why, if expected.iter().any(|line| is_cut(line)) { expected.to_vec() } else { printed }))
}

/// Runs a line of a shell; returns the status and the output lines, without blank ones at the end.
fn run(command: &str, folder: &Path) -> (Option<i32>, Vec<String>) {
    let programs = folder.join(".programs");
    if fs::create_dir(&programs).is_ok() {
        symlink(env!("CARGO_BIN_EXE_engine"), programs.join("engine")).expect("a link can be made");
    }
    let mut path = OsString::from(&programs);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("a shell exists");
    let text = String::from_utf8(output.stdout).expect("text is printed");
    let lines = text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    (output.status.code(), lines)
}

fn is_cut(line: &str) -> bool {
    line.trim() == "…"
}

/// Returns whether lines on a page equal the output.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, _) => printed.is_empty(),
        (Some((first, rest)), _) if is_cut(first) => (0..=printed.len()).any(|cut| matches(rest, &printed[cut..])),
        (Some((first, rest)), Some((line, more))) => {
            without_measurements(first) == without_measurements(line) && matches(rest, more)
        }
        (Some(_), None) => false,
    }
}

/// Replaces times, sizes and rates in a line by `§`, since they differ from run to run; columns may shift with them.
fn without_measurements(line: &str) -> String {
    const UNITS: [&str; 22] = [
        "ns",
        "µs",
        "ms",
        "s",
        "min",
        "h",
        "B",
        "kB",
        "MB",
        "GB",
        "TB",
        "KiB",
        "MiB",
        "GiB",
        "TiB",
        "KB",
        "expanded/s",
        "M expanded/s",
        "states/s",
        "M states/s",
        "states a second",
        "M states a second",
    ];
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        out += before;
        let is_number = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
        let end = from.find(|c| !is_number(c)).unwrap_or(from.len());
        let number = from[..end].trim_end_matches([',', '.']);
        let after = &from[number.len()..];
        let unit = after.strip_prefix(' ').unwrap_or(after);
        let is_apart = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/');
        let unit = UNITS.iter().find_map(|name| unit.strip_prefix(name).filter(|rest| is_apart(rest)));
        let is_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '.');
        let is_field = ["seconds\":", "bytes\":"].iter().any(|key| out.ends_with(key));
        match unit {
            _ if is_field => {
                out.push('§');
                let exponent = after.find(|c: char| !matches!(c, 'e' | '-' | '0'..='9')).unwrap_or(after.len());
                rest = &after[exponent..];
            }
            Some(behind) if !is_word => {
                out.push('§');
                rest = behind;
            }
            _ => {
                out += number;
                rest = after;
            }
        }
    }
    out += rest;
    if out.contains('§') { out.split_whitespace().collect::<Vec<_>>().join(" ") } else { out }
}

#[test]
fn measurements_may_differ_and_nothing_else() {
    let same = |one: &str, other: &str| without_measurements(one) == without_measurements(other);
    assert!(same("solved in 0.012 s,  3.4 MiB", "solved in 12 ms, 120 KiB"));
    assert!(same("{\"seconds\":1.5e-5,\"a\":1}", "{\"seconds\":0.25,\"a\":1}"));
    assert!(!same("{\"seconds\":1.5,\"a\":1}", "{\"seconds\":1.5,\"a\":2}"));
    assert!(!same("150 moves", "151 moves"));
    assert!(!same("3 solutions", "4 solutions"));
    assert!(!same("a  b", "a b"));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(!matches(&lines("a\n…\nd"), &lines("a\nb\nc")));
}
