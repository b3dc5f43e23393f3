//! From text to the game as written.
//!
//! A file is read line by line, a line token by token. Comments, lines of `=` and the headings of sections are read
//! here, everything else by the section's own module. Mistakes are reported and reading goes on, so that one run
//! shows several mistakes; more than five errors end it.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe, with its test material.

mod conditions;
mod cursor;
mod dialect;
mod layers;
mod legend;
mod levels;
mod objects;
mod prelude;
mod rule;
mod rules;
mod sounds;
mod words;

#[cfg(test)]
mod tests;

use crate::diagnostic::Diagnostics;
use crate::game::{Game, Place};
use cursor::{Cursor, is_space, name_ends, trim};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The result of reading a text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, unless the text is too broken to play any of it.
    pub game: Option<Game>,
    pub diagnostics: Diagnostics,
}

/// Reads the text of a game. Sections that a later stage checks (rules, masks) may add more diagnostics there.
#[must_use]
pub fn read(text: &str) -> Reading {
    let mut reader = Reader::default();
    let composed = reader.composed(text);
    let is_game = reader.read(&composed) & reader.settle_dialect(&composed);
    let game = &reader.game;
    let objects = game.objects.iter().map(|object| object.name.clone());
    let legend = game.legend.iter().map(|entry| entry.name.clone());
    let names = objects.chain(legend).chain(prelude::settings().map(str::to_owned));
    reader.diagnostics.add_names(names);
    let game = is_game.then(|| std::mem::take(&mut reader.game));
    Reading { game, diagnostics: reader.diagnostics }
}

/// A section after the prelude, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Objects,
    Legend,
    Sounds,
    Layers,
    Rules,
    Conditions,
    Levels,
}

const SECTIONS: [(&str, Section); 7] = [
    ("objects", Section::Objects),
    ("legend", Section::Legend),
    ("sounds", Section::Sounds),
    ("collisionlayers", Section::Layers),
    ("rules", Section::Rules),
    ("winconditions", Section::Conditions),
    ("levels", Section::Levels),
];

/// Returns the headings of the sections of a game, in lower case.
pub fn headings() -> impl Iterator<Item = &'static str> {
    SECTIONS.into_iter().map(|(heading, _)| heading)
}

/// The most edits by which a heading may be misspelt.
const MOST_EDITS: usize = 2;

/// Returns whether a line is a line of `=`, as they stand above and below headings.
fn is_rule_off(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.chars().all(|character| character == '=')
}

/// Returns the heading that a line is meant to be, if it is none itself.
fn misspelt_heading(line: &str) -> Option<&'static str> {
    let written = line.trim().to_lowercase();
    let word = written.replace(' ', "");
    // A line of a level may have millions of characters: only lines as long as a heading are compared.
    let length = word.chars().count();
    let candidates = headings().filter(|heading| length.abs_diff(heading.len()) <= MOST_EDITS);
    let edits = candidates.map(|heading| (strsim::osa_distance(&word, heading), heading));
    let (edits, heading) = edits.min_by_key(|&(edits, _)| edits)?;
    (written != heading && edits <= MOST_EDITS).then_some(heading)
}

/// The last part that has been read of the description of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ObjectPart {
    #[default]
    Nothing,
    Name,
    Colours,
    Sprite,
}

/// A rule line before it is taken apart: rules are read when the whole legend is known.
struct RuleText {
    line: u32,
    /// The line from this character (counted from 0) up to a comment, in lower case.
    start: usize,
    text: String,
    /// The whole line in its own case.
    written: Vec<char>,
}

/// The meaning of a name, synonyms followed to their end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Object(String),
    /// The index of an entry of the legend.
    All(usize),
    Any(usize),
    Nothing(String),
}

/// The state of reading.
#[derive(Default)]
struct Reader {
    game: Game,
    diagnostics: Diagnostics,
    line: u32,
    /// The place of the token being read.
    at: Place,
    /// Comments open at this position: they nest and go on over lines.
    comments: u32,
    /// The place of the outermost of them, or of the last one.
    comment_at: Option<Place>,
    section: Option<Section>,
    visited: Vec<Section>,
    /// The line holds something after which only a comment may follow.
    ends_after: Option<String>,
    /// The next token counts as the first of its line, as only a comment is before it.
    first_after_comment: bool,
    /// Tokens read of the present line; what they mean depends on the section.
    step: i32,
    /// The line is a message: brackets in it are text.
    message: bool,
    /// The words of a line of the legend.
    words: Vec<String>,
    /// The names of a collision layer that have been read, or the unknown keys of a row of a level.
    seen: FxHashSet<String>,
    /// The present line is wrong: the rest of it is skipped without more messages.
    broken: bool,
    sound: Vec<crate::game::SoundWord>,
    object_part: ObjectPart,
    sprite: Vec<String>,
    /// Words of a fork of the language that change only what is shown, which are left out.
    shown: Vec<(Place, String)>,
    /// The lines of settings of the prelude.
    settings: FxHashMap<String, u32>,
    objects: FxHashMap<String, usize>,
    /// The layers in which each object is listed so far.
    layers_of: FxHashMap<String, Vec<usize>>,
    /// The events that have a sound.
    sound_events: FxHashSet<String>,
    /// Cells of all rules.
    rule_cells: usize,
    /// The first entry of each name, by kind.
    synonyms: FxHashMap<String, usize>,
    aggregates: FxHashMap<String, usize>,
    properties: FxHashMap<String, usize>,
    /// The steps of replacing names of the legend and of the layers by objects.
    nested: usize,
    /// The names known when the legend ends: the only ones that rules and win conditions know.
    names: FxHashSet<String>,
    /// The one-character names that levels know.
    keys: FxHashSet<char>,
    rules: Vec<RuleText>,
    /// Levels with the blank ones, one of which is always there to be filled.
    levels: Vec<levels::Draft>,
}

impl Reader {
    /// Returns the text with letters and the marks on them as one character each, where there are such characters
    /// (NFC): names are the same in both forms.
    fn composed<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if is_nfc(text) {
            return Cow::Borrowed(text);
        }
        let changed = text.split('\n').zip(1..).find(|(line, _)| !is_nfc(line));
        if let Some((_, line)) = changed {
            let message = "letters with separate marks are read as single characters, here and below (NFC)";
            self.diagnostics.warning(Place { line, column: 1 }, message);
        }
        Cow::Owned(text.nfc().collect())
    }

    /// Reads all lines, then takes the rules apart. Returns whether there is a game.
    fn read(&mut self, text: &str) -> bool {
        self.levels.push(levels::Draft::Blank);
        let mut lines = text.split('\n').zip(1..).peekable();
        let mut before = "";
        while let Some((line, number)) = lines.next() {
            let is_framed = is_rule_off(before) && lines.peek().is_some_and(|(next, _)| is_rule_off(next));
            before = line;
            let in_levels = self.section == Some(Section::Levels);
            let meant = if is_framed && !in_levels { misspelt_heading(line) } else { None };
            if let Some(meant) = meant {
                let at = Place { line: number, column: 1 };
                let message = format!("unknown heading `{}`: did you mean `{}`?", line.trim(), meant.to_uppercase());
                self.diagnostics.error_of_reference(at, message);
            }
            let mut cursor = Cursor::new(meant.unwrap_or(line));
            loop {
                self.token(&mut cursor);
                if self.diagnostics.too_many() {
                    return false;
                }
                if cursor.at_end() {
                    break;
                }
            }
        }
        if self.comments > 0 && !self.visited.contains(&Section::Levels) {
            self.diagnostics.error(self.comment_at, "the comment that begins here is never closed");
        }
        if !self.is_declared("player") {
            self.diagnostics.error(None, "no object is called `player`, nor is a name of the legend");
        }
        if !self.is_declared("background") {
            self.diagnostics.error(None, "no object is called `background`, nor is a name of the legend");
        }
        if self.game.layers.is_empty() {
            self.diagnostics.error(None, "no collision layers: every object must be in one");
            return false;
        }
        self.finish_levels();
        if !self.finish_rules() {
            return false;
        }
        self.check_sounds();
        if self.game.levels.is_empty() {
            self.diagnostics.error(None, "no levels");
        }
        !self.diagnostics.found_too_many()
    }

    /// Reads one token.
    fn token(&mut self, cursor: &mut Cursor) {
        let mut first = cursor.position == 0;
        if first {
            self.line += 1;
            self.words.clear();
            self.seen.clear();
            self.sound.clear();
            self.broken = false;
            self.step = 0;
            self.message = false;
            self.ends_after = None;
        }
        first |= std::mem::take(&mut self.first_after_comment);
        cursor.spaces();
        self.at = self.place(cursor);
        let start = cursor.peek();
        if self.comment(cursor, first) {
            return;
        }
        if first && cursor.at_end() {
            self.end_line(cursor);
            if self.section == Some(Section::Levels) {
                self.end_level();
            }
            if self.section == Some(Section::Objects) {
                self.object_part = ObjectPart::Nothing;
            }
            return;
        }
        if let Some(before) = &self.ends_after
            && !cursor.at_end()
        {
            self.diagnostics.error(self.at, format!("only a comment may follow {before} on its line"));
            cursor.skip_rest();
            return;
        }
        if first && self.rule_off(cursor) {
            return;
        }
        if self.heading(cursor, first) {
            return;
        }
        if cursor.at_end() {
            self.end_line(cursor);
            return;
        }
        match self.section {
            None => self.prelude(cursor, first),
            Some(Section::Objects) => self.object(cursor, first),
            Some(Section::Legend) => self.legend(cursor),
            Some(Section::Sounds) => self.sound(cursor),
            Some(Section::Layers) => self.layer(cursor, first),
            Some(Section::Rules) => self.rule(cursor, first, start),
            Some(Section::Conditions) => self.condition(cursor, first),
            Some(Section::Levels) => self.level(cursor, first),
        }
    }

    /// Reads a comment, or the rest of one that an earlier line opened. Returns whether there was one.
    fn comment(&mut self, cursor: &mut Cursor, first: bool) -> bool {
        match cursor.peek() {
            Some('(') if !self.message => {
                if self.comments == 0 {
                    self.comment_at = Some(self.at);
                }
                cursor.advance();
                self.comments += 1;
            }
            Some(')') => {
                cursor.advance();
                if self.comments == 0 {
                    self.diagnostics.warning(self.at, "unmatched `)`: no comment is open");
                    return true;
                }
                self.comments -= 1;
                if self.comments == 0 {
                    self.first_after_comment = true;
                    return true;
                }
            }
            _ => {}
        }
        if self.comments == 0 {
            return false;
        }
        self.first_after_comment |= first;
        while self.comments > 0 {
            cursor.take_while(|character| character != '(' && character != ')');
            match cursor.advance() {
                Some('(') => self.comments += 1,
                Some(_) => self.comments -= 1,
                None => break,
            }
        }
        if cursor.at_end() {
            self.end_line(cursor);
        }
        true
    }

    /// Reads a line of `=`. In levels, `=` may be a key: there the line must hold nothing else.
    fn rule_off(&mut self, cursor: &mut Cursor) -> bool {
        let decoration = || cursor.rest().chars().all(|character| is_space(character) || character == '=');
        if cursor.peek() != Some('=') || (self.section == Some(Section::Levels) && !decoration()) {
            return false;
        }
        cursor.take_while(|character| character == '=');
        self.ends_after = Some("a line of `=`".into());
        true
    }

    /// Reads the heading of a section. Elsewhere than at the start of a line, the words of headings are skipped.
    fn heading(&mut self, cursor: &mut Cursor, first: bool) -> bool {
        if self.section == Some(Section::Levels) {
            return false;
        }
        let words = SECTIONS.map(|(word, _)| word);
        let Some(word) = cursor.one_of(&words, name_ends) else {
            return false;
        };
        if !first {
            return false;
        }
        let index = SECTIONS.iter().position(|&(other, _)| other == word).unwrap_or_default();
        let section = SECTIONS[index].1;
        self.section = Some(section);
        if self.visited.contains(&section) {
            self.diagnostics.error(self.at, format!("the section `{word}` occurs twice"));
        }
        self.ends_after = Some(format!("the heading `{word}`"));
        self.visited.push(section);
        if index == 0 {
            self.object_part = ObjectPart::Nothing;
            if self.visited.len() > 1 {
                self.diagnostics.error(self.at, "the section `objects` must be the first one");
            }
        } else if !self.visited.contains(&SECTIONS[index - 1].1) {
            let before = SECTIONS[index - 1].0;
            let message = format!("the section `{word}` must follow `{before}`: every section needs its heading");
            match before {
                // Without it, the reference knows no names in rules.
                "sounds" => self.diagnostics.error_of_reference(self.at, message),
                _ => self.diagnostics.error(self.at, message),
            }
        }
        // If the heading of the sounds is missing, that is the only error: the rules still know their names.
        let declares = matches!(section, Section::Objects | Section::Legend);
        if section == Section::Sounds || !(declares || self.visited.contains(&Section::Sounds)) {
            let legend = self.game.legend.iter().map(|entry| entry.name.clone());
            self.names.extend(self.game.objects.iter().map(|object| object.name.clone()).chain(legend));
        }
        if section == Section::Levels {
            self.collect_keys();
        }
        true
    }

    /// Ends a line whose words mean something only together.
    fn end_line(&mut self, _: &Cursor) {
        match self.section {
            Some(Section::Legend) => self.end_legend_line(),
            Some(Section::Sounds) => self.end_sound_line(),
            _ => {}
        }
    }

    fn place(&self, cursor: &Cursor) -> Place {
        Place { line: self.line, column: u32::try_from(cursor.position + 1).unwrap_or(u32::MAX) }
    }

    fn is_declared(&self, name: &str) -> bool {
        self.declared_at(name).is_some()
    }

    /// Returns where a name was declared first.
    fn declared_at(&self, name: &str) -> Option<Place> {
        if let Some(&object) = self.objects.get(name) {
            return Some(self.game.objects[object].at);
        }
        let lists = [&self.aggregates, &self.properties, &self.synonyms];
        let entry = lists.into_iter().find_map(|list| list.get(name))?;
        Some(self.game.legend[*entry].at)
    }

    /// Returns what a name stands for.
    fn look_up(&self, name: &str) -> Known {
        let mut name = name;
        // Names that are declared in terms of each other (an error) would be followed for ever.
        for _ in 0..=self.game.legend.len() {
            if self.objects.contains_key(name) {
                return Known::Object(name.to_owned());
            }
            if let Some(&entry) = self.synonyms.get(name) {
                if let crate::game::Meaning::Synonym(of) = &self.game.legend[entry].meaning {
                    name = of;
                }
            } else if let Some(&entry) = self.aggregates.get(name) {
                return Known::All(entry);
            } else if let Some(&entry) = self.properties.get(name) {
                return Known::Any(entry);
            } else {
                break;
            }
        }
        Known::Nothing(name.to_owned())
    }
}

/// Writes a name for a message.
fn quoted(name: &str) -> String {
    format!("`{}`", trim(name))
}
