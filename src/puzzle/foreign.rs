//! Texts that are no puzzle files: what they look like, and what to do with them.
//!
//! A parser of TOML reports the first character that is not TOML, which is no help if the file is something else.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::domain::Folder;
use crate::domain::collection::{CollectionFormat, collection_formats};
use crate::domain::import::{ImportSource, Recognition, blocks, importers};

/// The keys that a puzzle file has at its top, whatever else is wrong with it.
const FIRST_KEYS: [&str; 2] = ["title", "domain"];

/// The advice for a text in a format that nothing converts.
const WRITE_ONE: &str = "a puzzle file is TOML with the keys `title` and `domain`: `engine new` writes a first one, and \
                         `engine import --help` lists the formats that can be converted";

/// Returns the error for a text that is not meant to be a puzzle file, or `None` if it is meant to be one.
pub(crate) fn instead_of_puzzle(text: &str) -> Option<Diagnostic> {
    if is_meant_as_puzzle(text) {
        return None;
    }
    let is_toml = Document::parse(text).is_ok();
    // Rows that begin with a wall `#` are comments of TOML.
    let has_keys = text.lines().map(str::trim).any(|line| key(line).is_some() || is_header(line));
    let look = match is_toml && has_keys {
        true => rows_in_code(text).filter(|_| !has_key(text, &["start", "map"])),
        false => look(text),
    };
    if let Some((what, help)) = look {
        return Some(Diagnostic::whole(format!("is not a puzzle file: it looks like {what}")).help(help));
    }
    let nothing = || Diagnostic::whole("is not a puzzle file: no line has the form `key = value`").help(WRITE_ONE);
    (!is_toml && !has_keys).then(nothing)
}

/// Returns whether a text is meant to be a puzzle file, right or wrong.
pub(crate) fn is_meant_as_puzzle(text: &str) -> bool {
    !text.trim_start().starts_with(['<', '{']) && !has_fence(text) && has_key(text, &FIRST_KEYS)
}

/// Returns the format of collections that a text has, unless it is a puzzle file.
pub(crate) fn collection_of(text: &str) -> Option<&'static CollectionFormat> {
    let mut formats = collection_formats().into_iter();
    formats.find(|format| !is_meant_as_puzzle(text) && (format.recognizes)(text))
}

/// The length of the beginning of a text that is looked at, in bytes.
const BEGINNING: usize = 1 << 20;

/// Returns what a text that is not TOML looks like, and what to do with it.
pub(crate) fn look(text: &str) -> Option<(String, String)> {
    let text = &text[..text.floor_char_boundary(BEGINNING)];
    let known = |what: &str, help: &str| Some((what.to_owned(), help.to_owned()));
    let source = ImportSource { text, goals: &[], rows: None, folder: Folder::of("".as_ref(), false) };
    if let Some(format) = collection_of(text) {
        let extension = format.extensions.first().copied().unwrap_or_default();
        let help = format!(
            "give the file a name that ends in `.{extension}`, give it to `engine solve -` on standard input, or convert \
             it with `engine import`"
        );
        return Some((format!("levels in the format `{}`", format.name), help));
    }
    for importer in importers() {
        if let Recognition::Yes(what) = (importer.recognize)(&source) {
            let help = "convert it: `engine import FILE -o puzzle.toml`".to_owned();
            return Some((format!("{what}, in the format `{}`", importer.name), help));
        }
    }
    let near = |format: &'static CollectionFormat| Some((format, (format.near)(text)?));
    if let Some((format, why)) = collection_formats().into_iter().find_map(near) {
        let extension = format.extensions.first().copied().unwrap_or_default();
        let help = format!("mend that, and give the file a name that ends in `.{extension}`");
        return Some((format!("levels in the format `{}`, but {why}", format.name), help));
    }
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let begins = |word: &str| start.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word));
    match () {
        () if begins("<!doctype html") || begins("<html") => known(
            "a web page (HTML)",
            "save the puzzle itself: some sites show it as plain text, or offer it as a download",
        ),
        () if begins("<?xml") || begins("<") => known("XML", WRITE_ONE),
        () if is_twisty_definition(text) => known(
            "a definition of a puzzle for twsearch or KSolve",
            "write it in the domain `permutation`: `solved` lists the pieces, and each move of `[moves]` is a product of \
             cycles of places; number the stickers of the pieces to have their orientations",
        ),
        () if has_fence(text) || is_markdown(text) => {
            known("Markdown", "copy the puzzle out of its block of code into a file of its own")
        }
        () if begins("(define") => known("PDDL", "describe the puzzle by rules, in the domain `rules`"),
        () if begins("{\"") || begins("{") && is_json(start) => known("JSON", WRITE_ONE),
        () if rows_in_code(text).is_some() => rows_in_code(text),
        () if is_json(start) => known("JSON", WRITE_ONE),
        () if is_drawn_level(text) => known(
            "a level drawn with other symbols",
            "the levels that can be read are Sokoban's: `#` a wall, `@` the man, `$` a box, `.` a goal, `*` a box and `+` \
             the man on a goal, without spaces between them; replace the symbols, or describe the puzzle in the domain \
             `rules`",
        ),
        () if is_yaml(text) => known("YAML", WRITE_ONE),
        () => None,
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// Returns the key of a line `key = value`.
fn key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim().trim_matches(['"', '\'']);
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    (is_key && !value.starts_with('=')).then_some(key)
}

/// Returns whether a line is the header of a table.
fn is_header(line: &str) -> bool {
    let name = line.trim_start_matches('[').trim_end_matches(']');
    line.starts_with('[')
        && line.ends_with(']')
        && name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || "-_.\"".contains(c))
}

/// Returns whether a line gives a value to one of these keys, by `=` or, by mistake, by `:`.
fn has_key(text: &str, keys: &[&str]) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches('\u{feff}').trim();
        let mistaken = || line.split_once(':').filter(|(key, _)| *key == "domain").map(|(key, _)| key);
        key(line).or_else(mistaken).is_some_and(|key| keys.contains(&key))
    })
}

/// Returns whether a text has a block of code as Markdown marks it.
fn has_fence(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("```"))
}

/// Returns whether a text has a heading of Markdown and other marks of it.
fn is_markdown(text: &str) -> bool {
    let begins = |marks: &[&str]| text.lines().any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)));
    begins(&["# ", "## ", "### "]) && (begins(&["- ", "* ", "1. ", "> "]) || text.contains("](") || text.contains("**"))
}

/// Returns whether a text has the lines of a definition for twsearch or KSolve.
fn is_twisty_definition(text: &str) -> bool {
    let has = |word: &str| text.lines().any(|line| line.split_whitespace().next() == Some(word));
    has("Set") && has("End") && (has("Move") || has("Solved"))
}

/// Returns the look of rows of values in brackets, as programs have them.
fn rows_in_code(text: &str) -> Option<(String, String)> {
    let opens = |c: char| matches!(c, '[' | '{' | '(');
    let last = text.rfind(opens).unwrap_or(0);
    let (mut depth, mut nested) = (0, false);
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        // Of several rows, the first begins behind two brackets.
        nested |= depth > 1 && at < last && (c.is_ascii_digit() || "\"'-.".contains(c));
        depth = if opens(c) { depth + 1 } else { 0 };
    }
    let help = "write each row on a line of its own, without brackets and commas: `engine import` reads rows of numbers, \
                and boards of letters";
    nested.then(|| ("rows of an array in code".to_owned(), help.to_owned()))
}

/// Returns whether a text has a board of symbols that stand for themselves: three rows or more of one width, in a frame
/// or mostly of signs.
fn is_drawn_level(text: &str) -> bool {
    const MOST_SYMBOLS: usize = 16;
    let cells = |line: &&str| -> Vec<char> {
        let is_spaced = line.split_whitespace().all(|word| word.chars().count() == 1);
        line.chars().filter(|&c| !(c == '\u{fe0f}' || is_spaced && c.is_whitespace())).collect()
    };
    blocks(text).iter().any(|block| {
        let rows: Vec<Vec<char>> = block.iter().map(cells).collect();
        let (width, all) = (rows[0].len(), rows.concat());
        let symbols: std::collections::BTreeSet<char> = all.iter().copied().collect();
        let is_wall = |row: &Vec<char>| row.iter().all(|&c| c == row[0]);
        let is_framed = is_wall(&rows[0]) && rows.last().is_some_and(is_wall);
        let signs = all.iter().filter(|c| !c.is_alphanumeric()).count();
        rows.len() > 2
            && width > 2
            && rows.iter().all(|row| row.len() == width)
            && (2..=MOST_SYMBOLS).contains(&symbols.len())
            && (is_framed || 2 * signs > all.len())
    })
}

/// Returns whether most lines of a text have the form `key: value`.
fn is_yaml(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_entry = |line: &&str| {
        let line = line.trim_start_matches("- ");
        let key = line.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
        key.is_some_and(|(key, _)| key.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)))
    };
    lines().count() > 1 && 2 * lines().filter(is_entry).count() > lines().count()
}
