//! The names and the sections of a PuzzleScript game with their places, found line by line, so that a game that is being
//! written has them, too.

use super::parts::{Completion, CompletionKind, Hover, Name, NameKind, OutlineEntry};
use engine_puzzlescript::reader::headings;
use std::collections::BTreeMap;
use std::ops::Range;

/// A line of a game.
struct Line {
    /// The heading of its section, in lower case; empty in the prelude.
    section: &'static str,
    /// The bytes of the line, without its end.
    span: Range<usize>,
    /// The line with blanks in place of comments, as long as it is.
    bare: String,
    is_heading: bool,
    /// The first line of an object, which has its names.
    is_name: bool,
}

/// The words of rules and conditions that are no names.
const WORDS: [&str; 34] = [
    "up",
    "down",
    "left",
    "right",
    "horizontal",
    "vertical",
    "orthogonal",
    "perpendicular",
    "parallel",
    "moving",
    "stationary",
    "action",
    "randomdir",
    "random",
    "no",
    "late",
    "rigid",
    "again",
    "cancel",
    "checkpoint",
    "restart",
    "win",
    "message",
    "startloop",
    "endloop",
    "all",
    "any",
    "some",
    "on",
    "and",
    "or",
    "option",
    "sfx0",
    "relative",
];

fn lines(text: &str) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let (mut at, mut depth, mut section, mut is_block) = (0, 0_usize, "", false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let is_message = content.trim_start().to_lowercase().starts_with("message");
        let mut bare = String::with_capacity(content.len());
        for letter in content.chars() {
            depth += usize::from(letter == '(' && !is_message);
            let is_kept = depth == 0;
            depth -= usize::from(letter == ')' && depth > 0);
            // Blanks of the same length keep the places.
            if is_kept { bare.push(letter) } else { bare.extend(std::iter::repeat_n(' ', letter.len_utf8())) }
        }
        let word = bare.trim();
        let heading = headings().find(|heading| word.eq_ignore_ascii_case(heading));
        let is_rule_off = !word.is_empty() && word.chars().all(|letter| letter == '=');
        section = heading.unwrap_or(section);
        let is_name = section == "objects" && heading.is_none() && !is_rule_off && !word.is_empty() && !is_block;
        is_block = heading.is_none() && !is_rule_off && !word.is_empty();
        let span = at..at + content.len();
        found.push(Line { section, span, bare, is_heading: heading.is_some(), is_name });
        at += line.len();
    }
    found
}

impl Line {
    /// Returns the words of the line with their places; a message is none.
    fn words(&self) -> Vec<(&str, Range<usize>)> {
        let is_break = |letter: char| letter.is_whitespace() || "[]|,=".contains(letter);
        let mut found = Vec::new();
        let mut start = None;
        for (at, letter) in self.bare.char_indices().chain([(self.bare.len(), ' ')]) {
            match (is_break(letter), start) {
                (false, None) => start = Some(at),
                (true, Some(from)) => {
                    found.push((&self.bare[from..at], self.span.start + from..self.span.start + at));
                    start = None;
                }
                _ => {}
            }
        }
        let message = found.iter().position(|(word, _)| word.eq_ignore_ascii_case("message"));
        found.truncate(message.unwrap_or(found.len()));
        found
    }

    /// Returns the names that the line defines.
    fn defined(&self) -> Vec<(&str, Range<usize>)> {
        match self.section {
            _ if self.is_heading => Vec::new(),
            "objects" if self.is_name => self.words(),
            "legend" if self.bare.contains('=') && self.bare.trim().chars().any(|letter| letter != '=') => {
                let start = self.span.start + self.bare.len() - self.bare.trim_start().len();
                // `=` may be a name itself.
                let rest = &self.bare[start - self.span.start..];
                let length = rest.find(char::is_whitespace).or_else(|| rest.find('=')).unwrap_or(rest.len());
                let length = rest[..length].find('=').filter(|at| *at > 0).unwrap_or(length);
                vec![(&rest[..length], start..start + length)]
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the names of a game, with all their places.
pub(super) fn names(text: &str) -> Vec<Name> {
    let lines = lines(text);
    let mut found: Vec<Name> = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (name, _) in lines.iter().flat_map(Line::defined) {
        numbers.entry(name.to_lowercase()).or_insert_with(|| {
            found.push(Name { name: name.to_owned(), kind: NameKind::GameName, places: Vec::new() });
            found.len() - 1
        });
    }
    for line in lines.iter().filter(|line| !line.is_heading) {
        match line.section {
            "levels" if !line.bare.trim_start().to_lowercase().starts_with("message") => {
                for (at, symbol) in line.bare.char_indices().filter(|(_, symbol)| !symbol.is_whitespace()) {
                    if let Some(number) = numbers.get(&symbol.to_lowercase().to_string()) {
                        let start = line.span.start + at;
                        found[*number].places.push(start..start + symbol.len_utf8());
                    }
                }
            }
            "levels" | "" => {}
            "objects" if !line.is_name => {}
            _ => {
                for (word, span) in line.defined().into_iter().chain(line.words()) {
                    if let Some(number) = numbers.get(&word.to_lowercase()) {
                        found[*number].places.push(span);
                    }
                }
            }
        }
    }
    for name in &mut found {
        name.places.sort_by_key(|place| place.start);
        name.places.dedup();
    }
    found.retain(|name| !name.places.is_empty());
    found
}

/// Returns the line at a byte.
fn line_at(lines: Vec<Line>, byte: usize) -> Option<Line> {
    lines.into_iter().find(|line| line.span.start <= byte && byte <= line.span.end)
}

/// Returns what may be written at a byte of a game.
pub(super) fn completions(text: &str, byte: usize) -> Vec<Completion> {
    let Some(line) = line_at(lines(text), byte) else { return Vec::new() };
    let words = line.words();
    let written = words.iter().find(|(_, span)| span.start <= byte && byte <= span.end);
    let span = written.map_or(byte..byte, |(_, span)| span.start..byte);
    let completion = |label: String, kind, documentation: &str| Completion {
        text: label.clone(),
        label,
        kind,
        documentation: documentation.to_owned(),
        span: span.clone(),
    };
    let is_before =
        |word: &str| words.iter().any(|(known, place)| place.end < byte && known.eq_ignore_ascii_case(word));
    if !matches!(line.section, "legend" | "collisionlayers" | "rules" | "winconditions" | "sounds")
        || is_before("message")
    {
        return Vec::new();
    }
    let names = names(text).into_iter().filter(|name| name.places.first().is_none_or(|place| *place != span));
    let mut found: Vec<Completion> =
        names.map(|name| completion(name.name, CompletionKind::Name, "a name of the game")).collect();
    if matches!(line.section, "rules" | "winconditions") {
        found.extend(
            WORDS.iter().map(|word| completion((*word).to_owned(), CompletionKind::Value, "a word of the language")),
        );
    }
    found
}

/// Returns what a name of a game stands for.
pub(super) fn hover(text: &str, byte: usize) -> Option<Hover> {
    let name = names(text).into_iter().filter(|name| name.places.iter().any(|at| at.start <= byte && byte <= at.end));
    let place = |name: &Name| {
        name.places.iter().filter(|at| at.start <= byte && byte <= at.end).max_by_key(|at| at.start).cloned()
    };
    let (name, span) = name
        .filter_map(|name| Some((place(&name)?, name)))
        .map(|(at, name)| (name, at))
        .max_by_key(|(_, at)| at.start)?;
    let lines = lines(text);
    let of_name = |line: &&Line| line.defined().iter().any(|(word, _)| word.eq_ignore_ascii_case(&name.name));
    let line = lines.iter().find(of_name)?;
    let mut shown = line.span.clone();
    if line.section == "objects" {
        let block = lines
            .iter()
            .skip_while(|one| one.span.start < line.span.start)
            .take_while(|one| !one.bare.trim().is_empty());
        shown.end = block.last().map_or(shown.end, |last| last.span.end);
    }
    let kind = if line.section == "objects" { "object" } else { "name of the legend" };
    let count = name.places.len();
    Some(Hover { span, text: format!("{kind} `{}`, in {count} places\n\n```\n{}\n```", name.name, &text[shown]) })
}

/// Returns the sections of a game, with the names in them.
pub(super) fn outline(text: &str) -> Vec<OutlineEntry> {
    let mut found: Vec<OutlineEntry> = Vec::new();
    for line in lines(text) {
        if line.is_heading {
            let mut entry = OutlineEntry::new(line.section.to_uppercase(), true, line.span.clone());
            let start = line.span.start + line.bare.len() - line.bare.trim_start().len();
            entry.span = start..line.span.end.max(start);
            found.push(entry);
        } else if let Some(section) = found.last_mut() {
            let is_rule_off = line.bare.trim().chars().all(|letter| letter == '=');
            if !is_rule_off {
                section.whole.end = line.span.end;
            }
            let defined = line.defined().into_iter().map(|(name, span)| OutlineEntry::new(name, false, span));
            section.children.extend(defined.filter(|entry| !entry.span.is_empty()));
        }
    }
    found
}
