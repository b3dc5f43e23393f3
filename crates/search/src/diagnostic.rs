//! Errors and warnings for people: the place in the file, the error, a fix.
//!
//! A [`Diagnostic`] knows only a range of bytes. A [`Report`] combines it with the file's name and text, and prints
//! `FILE:LINE:COLUMN`, the line, and a caret under the place.

mod source_text;

pub use source_text::SourceText;

use crate::limit::Limit;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file is not a valid puzzle.
    #[default]
    Error,
    /// The file is a valid puzzle, but probably not the one that its author intended.
    Warning,
}

/// One error or warning about a puzzle file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The message itself.
    pub message: String,
    /// The range of bytes that is wrong; none if the whole file is.
    pub span: Option<Range<usize>>,
    /// The text under the caret.
    pub label: String,
    /// A fix.
    pub help: Option<String>,
    /// The limit that ended reading, if nothing is wrong.
    pub limit: Option<Limit>,
    /// True for a warning about a certain mistake: `solve` prints it whatever the solution is.
    pub is_certain: bool,
}

impl Diagnostic {
    /// Returns an error at a place.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: Some(span), ..Diagnostic::whole(message) }
    }

    /// Returns an error about the file as a whole.
    pub fn whole(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: brief(message),
            span: None,
            label: String::new(),
            help: None,
            limit: None,
            is_certain: false,
        }
    }

    /// Returns the notice that a limit ended reading; nothing is wrong.
    #[must_use]
    pub fn at_limit(limit: Limit) -> Diagnostic {
        let message = match limit {
            Limit::Interrupt => "reading was interrupted".to_owned(),
            limit => format!("reading stopped at the {} limit", limit.name()),
        };
        Diagnostic { limit: Some(limit), ..Diagnostic::whole(message) }
    }

    /// Turns it into a warning.
    #[must_use]
    pub fn warning(self) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..self }
    }

    /// Adds a few words under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = brief(label);
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(brief(help));
        self
    }
}

/// The maximum number of errors of a file that are printed; the others are only counted.
pub const MOST_SHOWN: usize = 100;

/// The maximum number of errors of one value that are kept and counted, since a file may consist of errors only.
pub const MOST_KEPT: usize = 10_000;

/// The maximum length of a diagnostic's text, in bytes, since a name in it may be as long as a file.
const LONGEST: usize = 2000;

/// Truncates a very long text.
fn brief(text: impl Into<String>) -> String {
    let mut text = text.into();
    if text.len() > LONGEST {
        text.truncate(floor_char_boundary(&text, LONGEST));
        text.push('…');
    }
    text
}

/// Adds an error unless there are too many already.
pub fn keep(errors: &mut Vec<Diagnostic>, error: impl FnOnce() -> Diagnostic) {
    if errors.len() < MOST_KEPT {
        errors.push(error());
    }
}

/// A place in a text, as editors count it: lines and columns from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
}

/// All errors and warnings of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    file: String,
    source: SourceText,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Returns a report on a file of this name and text, in the order of the places.
    #[must_use]
    pub fn new(file: &str, source: impl Into<SourceText>, mut diagnostics: Vec<Diagnostic>) -> Report {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.as_ref().map_or(0, |span| span.start));
        Report { file: file.to_owned(), source: source.into(), diagnostics }
    }

    /// Returns a report on a file that cannot be read as text; if it does not exist, the help suggests a similar name.
    #[must_use]
    pub fn unreadable(file: &str, message: impl Into<String>) -> Report {
        let mut wrong = Diagnostic::whole(message);
        if let Some(near) = near_path(Path::new(file)) {
            wrong = wrong.help(format!("did you mean `{}`?", near.display()));
        }
        Report::new(file, "", vec![wrong])
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the errors, in the order of their places.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the messages alone, on one line.
    #[must_use]
    pub fn messages(&self) -> String {
        self.diagnostics.iter().map(|one| one.message.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// Turns all warnings into errors.
    #[must_use]
    pub fn strict(mut self) -> Report {
        self.diagnostics.iter_mut().for_each(|one| one.severity = Severity::Error);
        self
    }

    /// Returns the start and the end of a diagnostic's range, the end exclusive; none if it concerns the whole file.
    #[must_use]
    pub fn places(&self, diagnostic: &Diagnostic) -> Option<(Position, Position)> {
        let span = diagnostic.span.as_ref()?;
        Some((self.source.position(span.start), self.source.position(span.end.max(span.start))))
    }

    /// Returns the limit that ended reading, if nothing is wrong with the file.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        let limits: Option<Vec<Limit>> = self.diagnostics.iter().map(|diagnostic| diagnostic.limit).collect();
        limits?.first().copied()
    }

    /// Renders the report as text, with terminal colours if `colour` is set.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let shown = self.diagnostics.iter().take(MOST_SHOWN);
        let mut blocks: Vec<String> = shown.map(|one| self.render_one(&renderer, one)).collect();
        if let Some(more) = self.diagnostics.get(MOST_SHOWN..).filter(|more| !more.is_empty()) {
            let is_error = more.iter().any(|one| one.severity == Severity::Error);
            let severity = if is_error { "error" } else { "warning" };
            blocks.push(format!("{severity}: and {} more in {}", more.len(), printable(&self.file)));
        }
        blocks.join("\n\n")
    }

    /// Renders one error or warning.
    fn render_one(&self, renderer: &Renderer, diagnostic: &Diagnostic) -> String {
        let file = printable(&self.file);
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let Some(span) = &diagnostic.span else {
            return renderer.render(&[level
                .primary_title(format!("{file}: {}", printable(&diagnostic.message)))
                .elements(diagnostic.help.iter().map(|help| Level::HELP.message(printable(help))))]);
        };
        let (line, text, within) = self.line_of(span);
        let mut annotation = AnnotationKind::Primary.span(within);
        if !diagnostic.label.is_empty() {
            annotation = annotation.label(printable(&diagnostic.label));
        }
        let snippet = Snippet::source(text).line_start(line).path(file).annotation(annotation);
        let group = level.primary_title(printable(&diagnostic.message)).element(snippet);
        let help = diagnostic.help.iter().map(|help| Level::HELP.message(printable(help)));
        renderer.render(&[group.elements(help)])
    }

    /// Returns the line on which a span starts: its number, its text, and the part of the span that is on it.
    fn line_of(&self, span: &Range<usize>) -> (usize, String, Range<usize>) {
        let start = floor_char_boundary(&self.source, span.start);
        let end = floor_char_boundary(&self.source, span.end).max(start);
        let number = self.source.position(start).line;
        let line_start = self.source.line(number).map_or(0, |line| line.start);
        let line_end = self.source[start..].find('\n').map_or(self.source.len(), |newline| start + newline);
        // Cut a very long line around the place, so that the caret stays visible.
        let shown_start =
            if start - line_start > 200 { floor_char_boundary(&self.source, start - 60) } else { line_start };
        let shown_end = if line_end - start > 200 { floor_char_boundary(&self.source, start + 120) } else { line_end };
        let text = in_columns(self.source[shown_start..shown_end].trim_end_matches('\r'));
        let shown = |at: usize| in_columns(&self.source[shown_start..at]).len().min(text.len());
        let from = shown(start.min(shown_end));
        let to = shown(end.min(shown_end)).max(from);
        (number, text, from..to)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Report {}

/// Replaces hidden characters by escapes, as TOML has them: `\u009B`.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|letter| if is_hidden(letter) { push_escape(&mut out, letter) } else { out.push(letter) });
    out
}

/// Replaces hidden characters by `?`, so that the columns of a line stay.
fn in_columns(line: &str) -> String {
    line.chars().map(|letter| if is_hidden(letter) { '?' } else { letter }).collect()
}

/// Writes a character as an escape of TOML.
pub fn push_escape(out: &mut String, letter: char) {
    let code = u32::from(letter);
    *out += &if code <= 0xffff { format!("\\u{code:04X}") } else { format!("\\U{code:08X}") };
}

/// Returns whether a character is never printed as it is: it [controls a terminal](steers), or cannot be seen, such as a
/// zero-width space, a joiner or a tag. Line ends and tabs are printed.
///
/// The invisible ones are the default-ignorable characters of Unicode and the marks of annotations, without the two
/// selectors that show a character as an emoji or as text (U+FE0E, U+FE0F).
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    let is_invisible = matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    is_invisible || steers(letter) && !matches!(letter, '\n' | '\t')
}

/// Returns whether a character controls a terminal instead of being displayed: a control character, a line separator,
/// or a bidirectional override. Names, titles and labels must not contain any.
#[must_use]
pub fn steers(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Serializes to JSON on one line; hidden characters are escaped, those above ASCII too.
///
/// # Errors
/// JSON cannot express the value.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(is_hidden) {
        return Ok(text);
    }
    // They occur only in strings, whose escapes are units of UTF-16.
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_hidden(letter) {
            true => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}")),
            false => out.push(letter),
        }
    }
    Ok(out)
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the known name nearest to the written one, if one is near.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = written.chars().count();
    // A name of a very different length cannot be near, nor one that means the opposite.
    let may_be = |name: &&str| {
        length.abs_diff(name.chars().count()) <= 2 + name.chars().count() / 4
            && (written.starts_with(['u', 'n']) || !name.starts_with("un"))
    };
    if length > LONGEST {
        return None;
    }
    let written = written.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&written, &name.to_lowercase());
    let near = known.into_iter().filter(may_be).map(|name| (distance(name), name));
    let (distance, name) = near.min_by_key(|&(distance, _)| distance)?;
    // Names that have no letter in common are not near, however short they are.
    let letters = length.max(name.chars().count());
    (distance <= 1 + name.chars().count() / 4 && (distance == 0 || distance < letters)).then_some(name)
}

/// The extensions of files with puzzles, and of others that commands read.
const READ: [&str; 6] = ["toml", "sok", "xsb", "slc", "ps", "txt"];

/// Returns the existing file or folder most similar to a missing path: one with a similar name, or with an extension
/// added. Files of the same extension and files with puzzles come before others, such as pictures of them.
#[must_use]
pub fn near_path(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.exists() {
        return None;
    }
    let folder = match folder.filter(|folder| !folder.is_dir()) {
        None => folder.map(Path::to_owned),
        Some(missing) => Some(near_path(missing)?),
    };
    let entries = fs::read_dir(folder.as_deref().unwrap_or(Path::new("."))).ok()?;
    let whole = |name: &str| folder.clone().unwrap_or_default().join(name);
    // A link that leads nowhere has the same name.
    let exists = |name: &String| whole(name).exists();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.retain(exists);
    names.sort_unstable();
    let extension =
        |name: &str| Path::new(name).extension().and_then(|extension| extension.to_str()).map(str::to_owned);
    let written = extension(name);
    let rank = |known: &str| match extension(known) {
        None => 1,
        extension if extension == written => 0,
        Some(extension) => READ.iter().position(|read| *read == extension).map_or(READ.len() + 2, |at| at + 2),
    };
    let stem = |known: &&str| Path::new(known).file_stem().is_some_and(|stem| stem == name);
    let of_rank = |wanted: usize| names.iter().map(String::as_str).filter(move |name| rank(name) == wanted);
    let ranks = 0..READ.len() + 3;
    let near = ranks.clone().find_map(|rank| of_rank(rank).find(|known| *known == name));
    let near = near.or_else(|| ranks.clone().find_map(|rank| of_rank(rank).find(stem)));
    let near = near.or_else(|| ranks.clone().find_map(|rank| did_you_mean(name, of_rank(rank))))?;
    Some(whole(near))
}

/// Returns the help for an unknown name.
pub fn unknown_name<'a>(written: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match did_you_mean(written, known.clone()) {
        Some(name) if known.clone().into_iter().nth(1).is_none() => format!("did you mean `{name}`?"),
        Some(name) => format!("did you mean `{name}`? {}", expected_names(known)),
        None => expected_names(known),
    }
}

/// Lists the known names as help.
pub fn expected_names<'a>(known: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => "none is defined".to_owned(),
        [name] => format!("expected {name}"),
        names => format!("expected one of {}", names.join(", ")),
    }
}

/// Escapes text for XML content or quoted attributes: no character starts a tag, XML allows every character, and those
/// that cannot be seen are written as numbers.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter if steers(letter) => {}
            letter if is_hidden(letter) => out += &format!("&#{};", u32::from(letter)),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_suggestion_means_the_opposite() {
        let outcomes = ["solved", "unsolvable"];
        assert_eq!(did_you_mean("solveable", outcomes), None);
        assert_eq!(did_you_mean("solvable", outcomes), None);
        assert_eq!(did_you_mean("unsolveable", outcomes), Some("unsolvable"));
        assert_eq!(did_you_mean("nsolvable", outcomes), Some("unsolvable"));
    }

    #[test]
    fn no_output_has_a_hidden_character() {
        let text = "\u{9b}\u{202e}\u{200b}\u{200d}\u{2060}\u{feff}\u{fe00}\u{e0041}\u{1b}\r";
        let escapes = "\\u009B\\u202E\\u200B\\u200D\\u2060\\uFEFF\\uFE00\\U000E0041\\u001B\\u000D";
        assert_eq!(printable(&format!("a\t{text}\n❤\u{fe0f}")), format!("a\t{escapes}\n❤\u{fe0f}"));
        let json = json(&text).expect("text");
        assert!(!json.contains(is_hidden) && json.contains("\\u200d") && json.contains("\\udb40\\udc41"), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), text);
        assert_eq!(escape("a\u{200d}b\u{e0041}"), "a&#8205;b&#917569;");
    }

    #[test]
    fn a_puzzle_is_suggested_before_its_picture() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let near = |name: &str| near_path(&folder.path().join(name)).map(|near| near.file_name().unwrap().to_owned());
        for name in ["card.gif", "card.snap", "card.svg", "card.toml", "care.sok", "notes", "out.json", "x.moves"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        for (written, suggested) in [
            ("card", "card.toml"),
            ("card.tml", "card.toml"),
            ("crd.svg", "card.svg"),
            ("care", "care.sok"),
            ("nots", "notes"),
            ("ou.json", "out.json"),
            ("y.moves", "x.moves"),
        ] {
            assert_eq!(near(written), Some(suggested.into()), "{written}");
        }
        assert_eq!(near("something-else"), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", folder.path().join("link.toml")).expect("a link");
            assert_eq!(near("link.toml"), None, "a link that leads nowhere");
        }
    }

    #[test]
    fn escaped_text_contains_no_tags() {
        assert_eq!(
            escape("</script><b a='\"'>&\u{1}\u{202e}x"),
            "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}x"
        );
    }
}
