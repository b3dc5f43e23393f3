//! Word lists: a file with one word a line, or an array in the puzzle file.
//!
//! Words are compared in the form NFC of Unicode, in which `é` is one letter however it is written; `A` differs from
//! `a`. White space around words, blank lines and repeated words are ignored.

use super::words::Words;
use crate::diagnostic::{Diagnostic, steers};
use crate::document::{COMPOSED, composed};
use crate::domain::NamedFile;
use crate::domain::text::unread;
use std::io::Read;

/// The greatest size of a file in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The greatest number of wrong lines that are reported; the others are counted.
const MOST_LISTED: usize = 10;

/// Reads a file of words. The second value is the warning that words were normalised, without a place.
///
/// # Errors
/// Reports that it cannot be read, or its wrong lines with their numbers.
pub(super) fn read(opened: NamedFile) -> Result<(Words, Option<Diagnostic>), Vec<String>> {
    let NamedFile { file, name, .. } = opened;
    let one = |message: String| vec![format!("{name} {message}")];
    let mut bytes = Vec::new();
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| one(unread(&error)))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(one(format!("is larger than {} MiB, the limit for a list of words", MAX_FILE_BYTES >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        one(format!("is not UTF-8 text: line {line} has invalid bytes"))
    })?;
    let mut words = Words::new();
    let mut errors = Vec::new();
    let mut warning = None;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').split('\n')) {
        let word = line.trim();
        if word.is_empty() {
            continue;
        }
        match (objection(word), composed(word)) {
            (None, None) => words.push(word),
            (None, Some(composed)) => {
                words.push(composed.text());
                warning.get_or_insert_with(|| was_composed(&name, number));
            }
            (Some((at, why)), _) => {
                let column = line[..word.as_ptr() as usize - line.as_ptr() as usize].chars().count() + at + 1;
                errors.push(format!("{name}:{number}:{column}: {why}"));
            }
        }
    }
    if errors.len() > MOST_LISTED {
        let more = errors.len() - MOST_LISTED;
        errors.truncate(MOST_LISTED);
        errors.push(format!("{name}: {more} more lines are not words"));
    }
    if errors.is_empty() && words.len() == 0 {
        errors = one("has no words".to_owned());
    }
    if errors.is_empty() { Ok((words, warning)) } else { Err(errors) }
}

/// Returns the warning that a word and perhaps more were normalised.
fn was_composed(file: &str, line: usize) -> Diagnostic {
    let message = format!("{file}:{line}: {COMPOSED}");
    let help = "save the list in the form NFC; this is the first such word";
    Diagnostic { is_certain: true, ..Diagnostic::whole(message).help(help).warning() }
}

/// Returns why a text is not a valid word, and the index of the offending character.
pub(super) fn objection(word: &str) -> Option<(usize, &'static str)> {
    if word.is_empty() {
        return Some((0, "a word needs at least one letter"));
    }
    if let Some(at) = word.chars().position(char::is_whitespace) {
        return Some((at, "white space inside a word"));
    }
    // A fast path: nearly all words consist of ASCII letters.
    if word.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    word.chars().position(steers).map(|at| (at, "control character inside a word"))
}
