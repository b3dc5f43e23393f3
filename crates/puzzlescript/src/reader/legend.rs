//! The legend: synonyms, aggregates (`and`), properties (`or`).

use super::cursor::{Cursor, is_space};
use super::words::is_keyword;
use super::{Known, Reader, quoted};
use crate::game::{Entry, Meaning};
use rustc_hash::FxHashSet;

/// Nested names are followed this deep: names declared in terms of each other (an error) have no end.
const MAX_DEPTH: usize = 50;

/// Words of one line.
const MAX_WORDS: usize = 20_000;

/// Objects that all lines of the legend and the collision layers together may list, nested names spread out: names in
/// terms of names can double with each line. Long names count several times.
const MAX_NESTED: usize = 1_000_000;

/// Characters of a name that count as one object more.
const LONG_NAME: usize = 32;

/// Synonyms of synonyms that are followed from one name on.
const MAX_CHAIN: usize = 1000;

/// The advice for a wrong line of the legend.
const FORMS: &str = "expected `a = b`, `a = b and c` or `a = b or c`";

impl Reader {
    /// Reads a token of the legend: name, `=`, name, then `and` or `or` and names in turn.
    pub(super) fn legend(&mut self, cursor: &mut Cursor) {
        let mut word = None;
        if self.step == 0 {
            word = Some(cursor.take_while(|character| character != '=' && character != '(' && !is_space(character)));
            cursor.spaces();
            self.step += 1;
        } else if self.step == 1 {
            if cursor.peek() == Some('=') {
                cursor.advance();
                word = Some("=".to_owned());
            } else {
                self.diagnostics.error(self.at, format!("a line of the legend needs `=`: {FORMS}"));
                cursor.skip_before_comment();
                word = Some("error".to_owned());
            }
            cursor.spaces();
            self.step += 1;
        } else if let Some(name) = cursor.name() {
            if self.step % 2 == 1 {
                self.logic_word(&name);
            }
            self.step += 1;
            word = Some(name);
        } else {
            self.diagnostics.error(self.at, "unknown text in the legend");
            cursor.skip_before_comment();
            if self.step % 2 == 1 {
                self.step += 1;
            }
        }
        self.words.extend(word);
        if self.words.len() > MAX_WORDS {
            self.diagnostics.refuse(self.at, format!("a line of the legend has more than {MAX_WORDS} words"));
        }
        if cursor.at_end() {
            self.end_legend_line();
        }
    }

    fn logic_word(&mut self, word: &str) {
        if word != "and" && word != "or" {
            self.diagnostics.error(self.at, format!("expected `and` or `or`, found {}: {FORMS}", quoted(word)));
        } else if self.step >= 5 && self.words.get(3).is_none_or(|first| first != word) {
            self.diagnostics.error(self.at, "`and` and `or` cannot be mixed in one line of the legend");
        }
    }

    /// Declares what a whole line of the legend says. A line with an error is declared as far as it makes sense.
    pub(super) fn end_legend_line(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        let Some(name) = words.first().cloned() else { return };
        if words.len() == 1 {
            self.diagnostics.error(self.at, format!("incomplete line of the legend: {FORMS}"));
            return;
        }
        if words.len().is_multiple_of(2) {
            let last = words.last().map_or("", String::as_str);
            self.diagnostics.error(self.at, format!("a line of the legend cannot end in {}: {FORMS}", quoted(last)));
            return;
        }
        self.check_length(&name);
        let mut in_order = true;
        if let Some(other) = self.declared_at(&name) {
            self.diagnostics
                .error(self.at, format!("the name {} is already in use on line {}", quoted(&name), other.line));
            in_order = false;
        }
        if is_keyword(&name) {
            self.diagnostics
                .warning(self.at, format!("{} is a word of the language: choose another name", quoted(&name)));
        }
        in_order &= self.check_operands(&name, &mut words);
        for operand in words.iter().skip(2).step_by(2) {
            if *operand != name && !self.is_declared(operand) {
                let message = format!("the name {} is not declared", quoted(operand));
                self.diagnostics.unknown(self.at, operand, message);
            }
        }
        let at = self.at;
        if words.len() == 3 {
            self.check_chain(&words[2]);
            let meaning = Meaning::Synonym(words[2].clone());
            self.add_entry(Entry { at, name, meaning });
        } else if words.get(3).is_some_and(|word| word == "and") {
            let mut objects = Vec::new();
            for operand in words.iter().skip(2).step_by(2) {
                self.all_objects(operand, &mut objects, MAX_DEPTH);
            }
            self.add_entry(Entry { at, name, meaning: Meaning::All(objects) });
        } else if words.get(3).is_some_and(|word| word == "or") {
            if words.iter().skip(5).step_by(2).any(|word| word != "or") {
                return;
            }
            let mut objects = Vec::new();
            for operand in words.iter().skip(2).step_by(2) {
                self.any_objects(&name, operand, &mut objects, MAX_DEPTH);
            }
            if !objects.is_empty() {
                self.add_entry(Entry { at, name, meaning: Meaning::Any(objects) });
            }
        } else if in_order {
            self.diagnostics.error(self.at, format!("unknown form of a line of the legend: {FORMS}"));
        }
    }

    /// Checks the names on the right. A name that is declared in terms of itself loses those terms. Returns whether
    /// none is.
    fn check_operands(&mut self, name: &str, words: &mut Vec<String>) -> bool {
        let mut in_order = true;
        let mut index = 2;
        let mut seen = FxHashSet::default();
        while index < words.len() {
            if words[index] == name {
                self.diagnostics.error(self.at, format!("circular definition of {}", quoted(name)));
                in_order = false;
                while let Some(found) = (2..words.len()).find(|&index| words[index] == name) {
                    let start = if found >= 4 { found - 1 } else { found };
                    words.drain(start..(start + 2).min(words.len()));
                }
            }
            if let Some(word) = words.get(index)
                && !seen.insert(word.clone())
            {
                self.diagnostics.warning(self.at, format!("{} is repeated on the right", quoted(word)));
            }
            index += 2;
        }
        in_order
    }

    /// Counts a step of replacing names by objects. Refuses names that together stand for too many.
    fn count_nested(&mut self, name: &str) {
        self.nested += 1 + name.len() / LONG_NAME;
        if self.nested > MAX_NESTED {
            self.diagnostics.refuse(self.at, "with this line, the names of the legend stand for too many objects");
        }
    }

    /// Refuses a synonym of a name that is itself the last of a long chain of synonyms.
    fn check_chain(&mut self, name: &str) {
        let mut next = name;
        for _ in 0..MAX_CHAIN {
            let Some(&entry) = self.synonyms.get(next) else { return };
            let Meaning::Synonym(of) = &self.game.legend[entry].meaning else { return };
            // Names in terms of each other (an error) are no chain.
            if of == name {
                return;
            }
            next = of;
        }
        let message = format!("{} stands for a name by more than {MAX_CHAIN} synonyms", quoted(name));
        self.diagnostics.refuse(self.at, message);
    }

    /// Appends the objects of an operand of `and`.
    fn all_objects(&mut self, name: &str, objects: &mut Vec<String>, depth: usize) {
        self.count_nested(name);
        match self.look_up(name) {
            Known::Object(object) | Known::Nothing(object) => objects.push(object),
            Known::All(entry) => {
                if let Meaning::All(names) = self.game.legend[entry].meaning.clone()
                    && depth > 0
                    && !self.diagnostics.too_many()
                {
                    for name in names {
                        self.all_objects(&name, objects, depth - 1);
                    }
                }
            }
            Known::Any(entry) => {
                let message = "an aggregate (`and`) cannot contain properties (`or`)";
                self.diagnostics.error(self.at, message);
                objects.push(self.game.legend[entry].name.clone());
            }
        }
    }

    /// Returns the names in a property, except its own; none beyond the allowed depth, or after too many errors.
    fn names_of_property(&self, entry: usize, depth: usize) -> Vec<String> {
        let Entry { name: own, meaning, .. } = &self.game.legend[entry];
        match meaning {
            Meaning::Any(names) if depth > 0 && !self.diagnostics.too_many() => {
                names.iter().filter(|name| *name != own).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Appends the objects of an operand of `or`.
    fn any_objects(&mut self, of: &str, name: &str, objects: &mut Vec<String>, depth: usize) {
        self.count_nested(name);
        match self.look_up(name) {
            Known::Object(object) | Known::Nothing(object) => objects.push(object),
            Known::All(entry) => {
                let name = &self.game.legend[entry].name;
                let message =
                    format!("the property {} (`or`) cannot contain the aggregate {} (`and`)", quoted(of), quoted(name));
                self.diagnostics.error(self.at, message);
            }
            Known::Any(entry) => {
                for name in self.names_of_property(entry, depth) {
                    self.any_objects(of, &name, objects, depth - 1);
                }
            }
        }
    }

    /// Appends the objects of a name in a collision layer.
    pub(super) fn layer_objects(&mut self, written: &str, name: &str, objects: &mut Vec<String>, depth: usize) {
        self.count_nested(name);
        match self.look_up(name) {
            Known::Object(object) => objects.push(object),
            Known::All(entry) => {
                let name = &self.game.legend[entry].name;
                let message =
                    format!("the aggregate {} (`and`) cannot be in one layer: its objects share cells", quoted(name));
                self.diagnostics.error(self.at, message);
            }
            Known::Any(entry) => {
                for name in self.names_of_property(entry, depth) {
                    self.layer_objects(written, &name, objects, depth - 1);
                }
            }
            Known::Nothing(_) => {
                let message = format!("the name {} is not declared", quoted(written));
                self.diagnostics.unknown(self.at, written, message);
            }
        }
    }
}
