//! The sounds. Nothing is played: a line is only checked.

use super::cursor::{Cursor, boundary, name_ends};
use super::{Known, Reader, quoted};
use crate::game::{Sound, SoundWord, SoundWordKind};
use rustc_hash::FxHashSet;

const EVENTS: [&str; 21] = [
    "undo",
    "restart",
    "titlescreen",
    "startgame",
    "cancel",
    "endgame",
    "startlevel",
    "endlevel",
    "showmessage",
    "closemessage",
    "sfx0",
    "sfx1",
    "sfx2",
    "sfx3",
    "sfx4",
    "sfx5",
    "sfx6",
    "sfx7",
    "sfx8",
    "sfx9",
    "sfx10",
];

const VERBS: [&str; 5] = ["move", "action", "create", "destroy", "cantmove"];

const DIRECTIONS: [&str; 7] = ["up", "down", "left", "right", "horizontal", "vertical", "orthogonal"];

impl Reader {
    /// Reads a word of a sound: event and seed, or object, verb, directions (for moves only) and seed. The rest of a
    /// line with an error is skipped.
    pub(super) fn sound(&mut self, cursor: &mut Cursor) {
        if self.broken {
            skip_word(cursor);
        } else if let Some(word) = self.sound_word(cursor) {
            self.sound.push(word);
        } else {
            self.broken = true;
        }
        if cursor.at_end() {
            self.end_sound_line();
        }
    }

    fn sound_word(&mut self, cursor: &mut Cursor) -> Option<SoundWord> {
        let word = |word: &str, kind| Some(SoundWord { word: word.to_owned(), kind });
        let last = self.sound.last().map(|last| (last.word.clone(), last.kind));
        let Some((last, kind)) = last else {
            if let Some(event) = cursor.one_of(&EVENTS, boundary) {
                return word(event, SoundWordKind::Event);
            }
            let Some(name) = cursor.name() else {
                skip_word(cursor);
                self.diagnostics.warning(self.at, "expected an event (like `sfx3` or `endlevel`) or an object");
                return None;
            };
            if !self.is_declared(&name) {
                self.diagnostics.error(self.at, format!("the name {} is not declared", quoted(&name)));
                return None;
            }
            return word(&name, SoundWordKind::Name);
        };
        if self.sound.len() == 1 {
            let found = match kind {
                SoundWordKind::Event => seed(cursor).map(|seed| (seed, SoundWordKind::Seed)),
                _ => cursor.one_of(&VERBS, boundary).map(|verb| (verb.to_owned(), SoundWordKind::Verb)),
            };
            if let Some((found, kind)) = found {
                return word(&found, kind);
            }
            skip_word(cursor);
            let expected = if kind == SoundWordKind::Event { "a seed (a number)" } else { "a verb (like `move`)" };
            self.diagnostics.error(self.at, format!("expected {expected} after {}", quoted(&last)));
            return None;
        }
        if kind == SoundWordKind::Seed {
            let found = skip_word(cursor);
            self.diagnostics.error(self.at, format!("the sound has ended before {}", quoted(&found)));
            return None;
        }
        let directed = matches!(self.sound[1].word.as_str(), "move" | "cantmove");
        if directed && let Some(direction) = cursor.one_of(&DIRECTIONS, name_ends) {
            return word(direction, SoundWordKind::Direction);
        }
        if let Some(seed) = seed(cursor) {
            return word(&seed, SoundWordKind::Seed);
        }
        let found = skip_word(cursor);
        let expected = if directed { "a direction or a seed" } else { "a seed" };
        let message = format!("expected {expected} after {}, found {}", quoted(&last), quoted(&found));
        self.diagnostics.error(self.at, message);
        None
    }

    pub(super) fn end_sound_line(&mut self) {
        let words = std::mem::take(&mut self.sound);
        if let Some(first) = words.first().filter(|_| !self.broken) {
            if first.kind == SoundWordKind::Event {
                self.sound_events.insert(first.word.clone());
            }
            self.game.sounds.push(Sound { at: self.at, words });
        }
    }

    /// Checks what only whole lines show.
    pub(super) fn check_sounds(&mut self) {
        let mut events = FxHashSet::default();
        for sound in &self.game.sounds {
            let first = &sound.words[0];
            let Some(last) = sound.words.last().filter(|_| sound.words.len() > 1) else {
                self.diagnostics.warning(sound.at, "incomplete sound");
                continue;
            };
            if last.kind != SoundWordKind::Seed {
                let message = format!("a sound ends in a seed (a number), not in {}", quoted(&last.word));
                self.diagnostics.error(sound.at, message);
            }
            if first.kind == SoundWordKind::Event {
                if !events.insert(first.word.clone()) {
                    self.diagnostics.warning(sound.at, format!("{} is declared twice", quoted(&first.word)));
                }
            } else if let Known::All(_) = self.look_up(&first.word) {
                let message = format!("the aggregate {} (`and`) cannot have a sound", quoted(&first.word));
                self.diagnostics.error(sound.at, message);
            }
        }
    }
}

/// Takes the digits of a seed.
fn seed(cursor: &mut Cursor) -> Option<String> {
    let start = cursor.position;
    let digits = cursor.take_while(|character| character.is_ascii_digit());
    if digits.is_empty() || !boundary(cursor.peek()) {
        cursor.position = start;
        return None;
    }
    Some(digits)
}

/// Takes a word that means nothing here.
fn skip_word(cursor: &mut Cursor) -> String {
    cursor.word().or_else(|| cursor.advance().map(String::from)).unwrap_or_default()
}
