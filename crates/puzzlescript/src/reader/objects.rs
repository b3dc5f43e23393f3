//! The section of objects: names, colours, sprites.

use super::cursor::Cursor;
use super::words::is_keyword;
use super::{ObjectPart, Reader, quoted};
use crate::colours::COLOURS;
use crate::game::{Entry, Meaning, Object};

/// Objects of a game.
const MAX_OBJECTS: usize = 20_000;

/// Characters of a name: messages repeat names.
const MAX_NAME: usize = 1000;

/// Entries of the legend, and further names of objects.
const MAX_ENTRIES: usize = 100_000;

/// Rows and columns of a sprite.
pub(super) const SPRITE: usize = 5;

/// Rows of a sprite that are read. More than [`SPRITE`] have a warning.
const MAX_ROWS: usize = 100;

/// Colours of an object that are read. More than ten are an error.
const MAX_COLOURS: usize = 100;

impl Reader {
    /// Reads a token of the objects: a name, then lines of colours and of the sprite.
    pub(super) fn object(&mut self, cursor: &mut Cursor, first: bool) {
        if first {
            self.object_part = match self.object_part {
                ObjectPart::Colours => ObjectPart::Sprite,
                ObjectPart::Name => ObjectPart::Colours,
                same => same,
            };
        }
        match self.object_part {
            ObjectPart::Nothing | ObjectPart::Name => {
                self.sprite.clear();
                self.object_name(cursor, first);
            }
            ObjectPart::Colours => self.colour(cursor),
            ObjectPart::Sprite => self.sprite(cursor, first),
        }
    }

    /// Reads the name of an object, or after it another name of the same object.
    fn object_name(&mut self, cursor: &mut Cursor, first: bool) {
        let Some(name) = (if first { cursor.name() } else { cursor.word() }) else {
            cursor.skip_before_comment();
            self.diagnostics.warning(self.at, "invalid name of an object: expected letters, digits or `_`");
            return;
        };
        self.check_length(&name);
        if self.objects.contains_key(&name) {
            self.diagnostics.error(self.at, format!("the object {} is declared twice", quoted(&name)));
            return;
        }
        if self.synonyms.contains_key(&name) {
            self.diagnostics.error(self.at, format!("the name {} is already in use", quoted(&name)));
        }
        if is_keyword(&name) {
            self.diagnostics
                .warning(self.at, format!("{} is a word of the language: choose another name", quoted(&name)));
        }
        if first {
            self.objects.insert(name.clone(), self.game.objects.len());
            self.game.objects.push(Object { at: self.at, name, colours: Vec::new(), sprite: Vec::new() });
            if self.game.objects.len() > MAX_OBJECTS {
                self.diagnostics.refuse(self.at, format!("the game has more than {MAX_OBJECTS} objects"));
            }
        } else if let Some(object) = self.game.objects.last() {
            let meaning = Meaning::Synonym(object.name.clone());
            self.add_entry(Entry { at: self.at, name, meaning });
        }
        self.object_part = ObjectPart::Name;
    }

    /// Refuses a name that is too long.
    pub(super) fn check_length(&mut self, name: &str) {
        if name.chars().nth(MAX_NAME).is_some() {
            self.diagnostics.refuse(self.at, format!("a name has more than {MAX_NAME} characters"));
        }
    }

    /// Adds an entry of the legend. The first entry of a name decides what the name stands for.
    pub(super) fn add_entry(&mut self, entry: Entry) {
        let index = self.game.legend.len();
        if index >= MAX_ENTRIES {
            return self.diagnostics.refuse(self.at, format!("the legend has more than {MAX_ENTRIES} names"));
        }
        let list = match entry.meaning {
            Meaning::Synonym(_) => &mut self.synonyms,
            Meaning::All(_) => &mut self.aggregates,
            Meaning::Any(_) => &mut self.properties,
        };
        list.entry(entry.name.clone()).or_insert(index);
        self.game.legend.push(entry);
    }

    fn colour(&mut self, cursor: &mut Cursor) {
        self.step = 0;
        let Some(object) = self.game.objects.last_mut() else { return cursor.skip_before_comment() };
        if object.colours.len() >= MAX_COLOURS {
            let message = format!("the object {} has more than {MAX_COLOURS} colours", quoted(&object.name));
            return self.diagnostics.refuse(self.at, message);
        }
        if let Some(name) = cursor.one_of(&COLOURS, |_| true).or_else(|| cursor.one_of(&["transparent"], |_| true)) {
            object.colours.push(name.to_owned());
        } else if let Some((written, colour)) = hexadecimal(cursor) {
            let is_clear = written.len() > colour.len() && written[colour.len()..].chars().all(|digit| digit == '0');
            object.colours.push(if is_clear { "transparent".to_owned() } else { colour.clone() });
            if written != colour {
                self.ignore_opacity(&written);
            }
        } else {
            let found = cursor.name().or_else(|| {
                let text = cursor.before_comment();
                cursor.skip_before_comment();
                text
            });
            let found = found.unwrap_or_default();
            let message = format!("expected a colour of the object {}, found {}", quoted(&object.name), quoted(&found));
            self.diagnostics.error(self.at, message);
        }
    }

    /// Reads a point or digit of the sprite.
    fn sprite(&mut self, cursor: &mut Cursor, first: bool) {
        let Some(pixel) = cursor.peek().filter(|pixel| *pixel == '.' || pixel.is_ascii_digit()) else {
            if self.sprite.is_empty() {
                return self.object_name(cursor, first);
            }
            let name = self.game.objects.last().map_or("", |object| &object.name);
            self.diagnostics.error(self.at, format!("unknown text in the sprite of the object {}", quoted(name)));
            return cursor.skip_before_comment();
        };
        cursor.advance();
        if first || self.sprite.is_empty() {
            self.sprite.push(String::new());
        }
        let rows = self.sprite.len();
        if rows > MAX_ROWS {
            return self.diagnostics.refuse(self.at, format!("a sprite has more than {MAX_ROWS} rows"));
        }
        let width = self.sprite.last_mut().map_or(0, |row| {
            row.push(pixel);
            row.len()
        });
        let Some(object) = self.game.objects.last_mut() else { return };
        if rows == 1 && width == 1 {
            object.sprite.clear();
        }
        object.sprite.resize(rows, String::new());
        object.sprite[rows - 1].push(pixel);
        let side = self.game.sprite_side.unwrap_or(SPRITE);
        if width > side {
            self.diagnostics.warning(self.at, format!("a row of a sprite has {side} pixels"));
            return cursor.skip_before_comment();
        }
        if rows == side && width == side {
            self.object_part = ObjectPart::Nothing;
        }
        if let Some(index) = pixel.to_digit(10)
            && index as usize >= object.colours.len()
        {
            let message = format!(
                "the sprite of {} uses colour {index}, but has only {} colours",
                quoted(&object.name),
                object.colours.len()
            );
            self.diagnostics.error(self.at, message);
        }
    }
}

/// Takes `#` and six or three hexadecimal digits, and the spaces after them. Forks have two digits or one more, for the
/// opacity. Returns the colour as it is written, and without its opacity.
fn hexadecimal(cursor: &mut Cursor) -> Option<(String, String)> {
    let rest: Vec<char> = cursor.ahead().iter().copied().take(10).collect();
    if rest.first() != Some(&'#') {
        return None;
    }
    let found = rest[1..].iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
    let digits = found.min(8) / 3 * 3;
    if digits == 0 {
        return None;
    }
    let taken = if matches!(found, 4 | 8) { found } else { digits };
    cursor.position += taken + 1;
    cursor.spaces();
    Some((rest[..=taken].iter().collect(), rest[..=digits].iter().collect()))
}
