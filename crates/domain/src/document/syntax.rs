//! The errors of a text that is not TOML: those of the parser, with the remedies of the usual mistakes.

use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// The message of the parser for a string of one line that does not end on it.
const UNCLOSED: &str = "invalid basic string, expected `\"`";

/// Quotation marks of word processors.
const CURLY: [char; 7] = ['“', '”', '„', '‟', '‘', '’', '‚'];

/// Returns the errors of a text for those of the parser, in the order of their places. Of the errors on one line only
/// the first counts: the others follow from it.
pub(super) fn errors(found: &[toml::de::Error], text: &str) -> Vec<Diagnostic> {
    // A single quotation mark before a drawing: each of its lines is misread.
    let opens_drawing = |error: &&toml::de::Error| {
        let before = text.get(..start(error)).unwrap_or_default();
        error.message() == UNCLOSED && before.trim_end().ends_with("= \"")
    };
    let last = found.iter().filter(opens_drawing).map(start).min().unwrap_or(usize::MAX);
    let mut kept: Vec<&toml::de::Error> = found.iter().filter(|error| start(error) <= last).collect();
    kept.sort_by_key(|error| start(error));
    let mut line_end = 0;
    kept.retain(|error| {
        let is_first = start(error) >= line_end;
        if is_first {
            let rest = text.get(start(error)..).unwrap_or_default();
            line_end = start(error) + rest.find('\n').unwrap_or(rest.len()) + 1;
        }
        is_first
    });
    kept.into_iter().map(|error| not_toml(error, text)).collect()
}

fn start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// Returns the error at a place that is not TOML.
fn not_toml(error: &toml::de::Error, text: &str) -> Diagnostic {
    let Some(span) = error.span() else { return Diagnostic::whole(error.message()) };
    let (before, after) = (text.get(..span.start).unwrap_or_default(), text.get(span.start..).unwrap_or_default());
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let message = error.message();
    if after.starts_with(CURLY) {
        let curly = Diagnostic::at(span, "typographic quotation marks");
        return curly.help("write straight ones: \"");
    }
    let unclosed = match message {
        "invalid multi-line basic string, expected `\"`" => Some("\"\"\""),
        "invalid multi-line literal string, expected `'`" => Some("'''"),
        _ => None,
    };
    if let Some(marks) = unclosed {
        let opening = before.rfind(marks).map_or(span, |at| at..at + marks.len());
        return Diagnostic::at(opening, format!("the string that begins here has no end: expected `{marks}`"))
            .help("close the string with three quotation marks");
    }
    if message == UNCLOSED {
        return Diagnostic::at(span, message)
            .help("close the string with a quotation mark; a string of several lines has three at both ends");
    }
    if message.starts_with("invalid unquoted key") && after.starts_with(':') {
        return Diagnostic::at(span, "expected `=` between a key and its value, found `:`");
    }
    if let Some(value) = unquoted(message, value) {
        let equals = line.find('=').map_or(0, |at| at + 1);
        let at = line_start + equals + line[equals..].find(value).unwrap_or(0);
        return Diagnostic::at(at..at + value.len(), format!("`{value}` is no value"))
            .help(format!("put text in quotation marks: \"{value}\""));
    }
    match message {
        "duplicate key" => duplicate_key(span, text),
        message
            if message.contains("expected newline") && value.starts_with('\'') && value.matches('\'').count() > 2 =>
        {
            Diagnostic::at(span, message).help("put text that contains an apostrophe in quotation marks: \"")
        }
        message => Diagnostic::at(span, message),
    }
}

/// Returns the value of a line without its comment, if by this message of the parser it is a text without quotation
/// marks.
fn unquoted<'a>(message: &str, value: &'a str) -> Option<&'a str> {
    let misread =
        ["string values must be quoted", "invalid boolean", "invalid fraction", "invalid float", "invalid integer"];
    let value = value.split('#').next().unwrap_or_default().trim();
    let is_whole = !value.is_empty() && !value.contains(['"', '\'', '[', '{', ',', '=']);
    (is_whole && misread.iter().any(|start| message.starts_with(start))).then_some(value)
}

fn duplicate_key(span: Range<usize>, text: &str) -> Diagnostic {
    let is_element = text[..span.start].trim_end().ends_with("[[");
    let message = match text.get(span.clone()) {
        Some(key) => format!("duplicate key `{key}`"),
        None => "duplicate key".to_owned(),
    };
    Diagnostic::at(span, message).help(if is_element {
        "an earlier header of this name has one bracket at each end: write two there, too"
    } else {
        "remove or rename one of the two"
    })
}
