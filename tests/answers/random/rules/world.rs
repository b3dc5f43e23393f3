//! The parts of a random puzzle without its rules: a small grid, variables, sets, maps and marks.

use super::write::{array, drawing, inline, key, one_or_many, string, table, value};
use crate::support::dice::Dice;
use std::fmt;

/// A value, whose type follows from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Truth(bool),
    Name(String),
}

impl Value {
    pub fn of(text: &str) -> Value {
        match (text, text.parse::<i64>()) {
            ("true", _) => Value::Truth(true),
            ("false", _) => Value::Truth(false),
            (_, Ok(number)) if number.to_string() == text => Value::Number(number),
            _ => Value::Name(text.to_owned()),
        }
    }

    pub fn symbol(symbol: char) -> Value {
        Value::of(&symbol.to_string())
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Value::Number(_))
    }

    pub fn is_truth(&self) -> bool {
        matches!(self, Value::Truth(_))
    }

    /// Returns whether both values have the same type.
    pub fn is_like(&self, other: &Value) -> bool {
        self.is_number() == other.is_number() && self.is_truth() == other.is_truth()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Truth(truth) => truth.fmt(f),
            Value::Name(name) => f.write_str(name),
        }
    }
}

pub struct Grid {
    pub rows: usize,
    pub columns: usize,
    pub start: Vec<char>,
    /// The symbols that every part of the file may use.
    pub symbols: Vec<char>,
    pub marks: Option<Vec<char>>,
}

impl Grid {
    /// Splits cells into the rows of a drawing.
    pub fn lines(&self, cells: &[char]) -> Vec<String> {
        cells.chunks(self.columns).map(|row| row.iter().collect()).collect()
    }
}

pub struct Variable {
    pub name: String,
    /// The first and the last index of each dimension; empty for a scalar variable.
    pub bounds: Vec<(i64, i64)>,
    pub values: Vec<Value>,
    /// True if the file gives the values as a range.
    pub is_range: bool,
    /// The start value of each element.
    pub start: Vec<Value>,
}

pub struct Map {
    pub name: String,
    pub entries: Vec<(Value, Value)>,
}

impl Map {
    /// Returns whether expressions can call the map.
    pub fn is_called(&self) -> bool {
        is_name(&self.name)
    }

    pub fn letter(&self) -> Option<char> {
        let mut letters = self.name.chars();
        letters.next().filter(|_| letters.next().is_none())
    }
}

pub struct World {
    pub grid: Option<Grid>,
    pub variables: Vec<Variable>,
    /// The letters of each key, and the symbols that each letter stands for.
    pub sets: Vec<(String, Vec<char>)>,
    pub maps: Vec<Map>,
    /// The rings of symbols that turn with drawings.
    pub arrows: Vec<String>,
}

pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

const SYMBOLS: [char; 38] = [
    '.', '#', 'a', 'b', 'c', 'o', 'x', '0', '1', '2', '3', '9', 'é', '語', 'λ', '$', '*', '@', '+', '-', '_', '\\',
    '/', '[', '{', '}', '|', '~', '^', '%', '&', '=', '<', '🙂', 'Ω', ',', ';', '!',
];
const COMMON: [char; 6] = ['.', 'a', 'b', '0', '1', '2'];
const LETTERS: [char; 9] = ['N', 'M', 'S', 'T', 'Ä', '5', '!', ':', '§'];
const NAMES: [&str; 14] = ["n", "m", "lamp", "torch", "ann", "ben", "größe", "x1", "_k", "a", "b", "sum", "left", "語"];
const ARRAYS: [&str; 6] = ["disk", "board", "t", "v_1", "o", "été"];
const TEXTS: [&str; 20] = [
    "left", "right", "a", "b", "c", "01", "+1", "-0", "1_0", "$", "a-b", "ann", "ben", "n", "TRUE", "0x1", "1.5", "é",
    "on", "-",
];
const MAPS: [&str; 9] = ["m", "t", "other", "worth", "w2", "%", "é", "inverse", "_"];

/// Returns a random selection in random order.
fn some<T: Clone>(dice: &mut Dice, of: &[T], number: usize) -> Vec<T> {
    let mut all = of.to_vec();
    dice.shuffle(&mut all);
    all.truncate(number);
    all
}

/// Returns a random ring of symbols that turn with drawings.
fn ring(dice: &mut Dice, symbols: &[char]) -> String {
    let mut of = symbols.to_vec();
    dice.shuffle(&mut of);
    // These are in no set, and no names of maps.
    of.extend(['←', '→', '↓', '↑'].into_iter().take(4_usize.saturating_sub(of.len())));
    let number = dice.pick(&[2, 4, 4]);
    let ring: Vec<char> = of[..number].iter().copied().cycle().take(4).collect();
    match dice.below(4) {
        0 => ring.iter().flat_map(|symbol| ['?', *symbol]).collect(),
        1 => ring.iter().flat_map(|symbol| [*symbol, '?']).collect(),
        _ => ring.iter().collect(),
    }
}

impl World {
    pub fn random(dice: &mut Dice) -> World {
        let mut world =
            World { grid: None, variables: Vec::new(), sets: Vec::new(), maps: Vec::new(), arrows: Vec::new() };
        let shape = dice.below(8);
        if shape > 1 {
            world.draw(dice);
        }
        let names = some(dice, &NAMES, 3);
        let arrays = some(dice, &ARRAYS, 2);
        let plain = if shape > 4 { 0 } else { dice.within(usize::from(shape < 2), 2) };
        for name in &names[..plain] {
            world.variables.push(Variable::random(dice, name, &names, false));
        }
        if shape < 5 && (world.variables.is_empty() || dice.one_in(3)) {
            world.variables.push(Variable::random(dice, arrays[0], &names, true));
        }
        let maps = dice.below(3);
        for name in some(dice, &MAPS, maps) {
            world.map(dice, name);
        }
        world
    }

    fn draw(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[
            (1, 2),
            (1, 3),
            (1, 4),
            (1, 5),
            (2, 2),
            (2, 2),
            (2, 3),
            (3, 2),
            (2, 4),
            (3, 3),
            (3, 3),
            (4, 1),
            (1, 8),
            (2, 5),
            (3, 4),
        ]);
        let number = dice.within(2, if rows * columns > 4 { 3 } else { 4 });
        let known: &[char] = if dice.one_in(2) { &COMMON } else { &SYMBOLS };
        let mut symbols = some(dice, known, number);
        let mut start: Vec<char> = (0..rows * columns).map(|_| dice.pick(&symbols)).collect();
        if dice.one_in(4) {
            // All symbols but one are equal, so that the grid may be symmetric.
            let cell = dice.below(start.len());
            start.fill(symbols[0]);
            start[cell] = symbols[1];
        }
        let mut letters: Vec<char> = LETTERS.iter().copied().filter(|letter| !symbols.contains(letter)).collect();
        dice.shuffle(&mut letters);
        for _ in 0..dice.below(3) {
            let several = if dice.one_in(4) { 2 } else { 1 };
            let key: String = letters.drain(..several).collect();
            let of = dice.within(1, 3);
            let members = some(dice, &symbols, of);
            self.sets.push((key, members));
        }
        symbols.retain(|symbol| start.contains(symbol) || self.sets.iter().any(|(_, of)| of.contains(symbol)));
        let marks = dice.one_in(3).then(|| {
            let letters = some(dice, &['x', 'y', 'a', '1', 'N', '語'], 2);
            let of = ['.', letters[0], letters[0], letters[1]];
            (0..rows * columns).map(|_| dice.pick(&of)).collect()
        });
        if dice.one_in(4) {
            let ring = ring(dice, &symbols);
            for symbol in ring.chars().filter(|symbol| *symbol != '?') {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            }
            self.arrows.push(ring);
        }
        self.grid = Some(Grid { rows, columns, start, symbols, marks });
    }

    /// Adds a map between values that cells or variables may have.
    fn map(&mut self, dice: &mut Dice, name: &str) {
        let is_letter = name.chars().count() == 1;
        let taken = |symbol: char| {
            self.grid.as_ref().is_some_and(|grid| grid.symbols.contains(&symbol) || grid.start.contains(&symbol))
        };
        if is_letter && name.chars().any(taken) {
            return;
        }
        let domains = self.domains();
        let from = match &self.grid {
            Some(_) if is_letter => domains[0].clone(),
            _ => dice.pick(&domains),
        };
        let to = match dice.below(6) {
            0 => (0..4).map(Value::Number).collect(),
            1 => vec![Value::Truth(true), Value::Truth(false)],
            2 if !is_letter => dice.pick(&domains),
            _ => from.clone(),
        };
        let mut keys = from;
        dice.shuffle(&mut keys);
        if dice.one_in(4) && keys.len() > 1 {
            keys.pop();
        }
        if dice.one_in(4) {
            let odd = Value::of(dice.pick(&TEXTS));
            if !keys.contains(&odd) {
                keys.push(odd);
            }
        }
        // A map with a one-letter name can occur in patterns: its one-character entries become symbols.
        let drawn = |value: &Value| value.to_string().chars().count() == 1;
        let banned = |value: &Value| {
            let text = value.to_string();
            let mut letters = self.sets.iter().flat_map(|(letters, _)| letters.chars());
            letters.any(|letter| text == letter.to_string()) || text == name
        };
        let mut entries: Vec<(Value, Value)> = keys.into_iter().map(|key| (key, dice.pick(&to))).collect();
        if is_letter {
            entries.retain(|(from, to)| !(drawn(from) && banned(from) || drawn(to) && banned(to)));
        }
        self.maps.push(Map { name: name.to_owned(), entries });
    }

    /// Returns the values of cells, then those of each variable.
    pub fn domains(&self) -> Vec<Vec<Value>> {
        let of_cells = self.grid.iter().map(|grid| grid.symbols.iter().map(|&symbol| Value::symbol(symbol)).collect());
        of_cells.chain(self.variables.iter().map(|variable| variable.values.clone())).collect()
    }

    /// Returns the scalar variable of this name.
    pub fn plain(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.bounds.is_empty() && variable.name == name)
    }

    /// Returns the symbols of each set by letter.
    pub fn letters(&self) -> Vec<(char, Vec<char>)> {
        let of_key = |(letters, members): &(String, Vec<char>)| {
            letters.chars().map(|letter| (letter, members.clone())).collect::<Vec<_>>()
        };
        self.sets.iter().flat_map(of_key).collect()
    }

    /// Writes the start, the marks, the variables, the sets and the maps.
    pub fn write(&self, dice: &mut Dice, top_keys: &mut Vec<String>, tables: &mut Vec<String>) {
        let drawn = self.grid.as_ref().map(|grid| drawing(dice, &grid.lines(&grid.start)));
        if self.variables.is_empty() && dice.one_in(2) {
            top_keys.extend(drawn.map(|drawn| format!("start = {drawn}\n")));
        } else {
            let mut entries: Vec<(String, String)> =
                drawn.into_iter().map(|drawn| ("drawing".to_owned(), drawn)).collect();
            for variable in &self.variables {
                entries.push((key(dice, &variable.name), variable.spread(dice, &variable.start)));
            }
            table(dice, "start", &entries, top_keys, tables);
        }
        if let Some((grid, marks)) = self.grid.as_ref().and_then(|grid| Some((grid, grid.marks.as_ref()?))) {
            top_keys.push(format!("marks = {}\n", drawing(dice, &grid.lines(marks))));
        }
        if !self.variables.is_empty() {
            let entries: Vec<_> = self.variables.iter().map(|variable| variable.entry(dice)).collect();
            table(dice, "variables", &entries, top_keys, tables);
        }
        if !self.sets.is_empty() {
            let entry = |(letters, of): &(String, Vec<char>)| {
                let of: String = of.iter().collect();
                (key(dice, letters), string(dice, &of))
            };
            let entries: Vec<_> = self.sets.iter().map(entry).collect();
            table(dice, "sets", &entries, top_keys, tables);
        }
        if !self.arrows.is_empty() {
            let rings: Vec<String> = self.arrows.iter().map(|ring| string(dice, ring)).collect();
            top_keys.push(format!("arrows = {}\n", one_or_many(dice, &rings)));
        }
        if !self.maps.is_empty() {
            self.write_maps(dice, top_keys, tables);
        }
        if let Some(grid) = self.grid.as_ref().filter(|_| dice.one_in(12)) {
            let looked = key(dice, &grid.start[0].to_string());
            top_keys.push(format!("colors = {{ {looked} = \"#40a0ff\" }}\n"));
            top_keys
                .push(format!("shapes.{looked} = \"{}\"\n", dice.pick(&["block", "token", "text", "floor", "wall"])));
        }
    }

    fn write_maps(&self, dice: &mut Dice, top_keys: &mut Vec<String>, tables: &mut Vec<String>) {
        let written: Vec<(String, Vec<(String, String)>)> = self
            .maps
            .iter()
            .map(|map| {
                let entries = map.entries.iter().map(|(from, to)| (key(dice, &from.to_string()), value(dice, to)));
                let entries = entries.collect();
                (key(dice, &map.name), entries)
            })
            .collect();
        if dice.one_in(2) {
            let entries: Vec<_> = written.iter().map(|(name, entries)| (name.clone(), inline(entries))).collect();
            table(dice, "maps", &entries, top_keys, tables);
        } else {
            written.iter().for_each(|(name, entries)| table(dice, &format!("maps.{name}"), entries, top_keys, tables));
        }
    }
}

impl Variable {
    fn random(dice: &mut Dice, name: &str, others: &[&str], is_array: bool) -> Variable {
        let (mut values, mut is_range) = (Vec::new(), false);
        let most = if is_array { 3 } else { 4 };
        match dice.below(7) {
            0 | 1 => {
                let first = dice.pick(&[0, 0, 0, 1, -1, -2, 3]);
                values.extend((first..first + dice.within(2, most) as i64).map(Value::Number));
                is_range = dice.one_in(2);
            }
            2 | 3 => values = some(dice, &[Value::Truth(true), Value::Truth(false)], 2),
            4 => {
                let of = dice.within(2, most);
                values = some(dice, &["1", "2", "0", "-1", "10", "01", "true", "a"], of)
                    .iter()
                    .map(|text| Value::of(text))
                    .collect();
            }
            _ => {
                let texts: Vec<&str> = TEXTS.iter().chain(others).copied().collect();
                let of = dice.within(2, most);
                for text in some(dice, &texts, of) {
                    if !values.contains(&Value::of(text)) {
                        values.push(Value::of(text));
                    }
                }
            }
        }
        let mut bounds = Vec::new();
        if is_array {
            bounds = dice.pick(&[
                vec![(0, 1)],
                vec![(1, 3)],
                vec![(-1, 0)],
                vec![(5, 5)],
                vec![(0, 1), (0, 1)],
                vec![(-1, 0), (3, 3)],
                vec![(0, 0), (1, 3)],
                vec![(0, 1), (-1, 0), (2, 2)],
                vec![(1, 1), (0, 0), (0, 2)],
            ]);
        }
        let mut variable = Variable { name: name.to_owned(), bounds, values, is_range, start: Vec::new() };
        let all_alike = dice.one_in(3);
        let first = dice.pick(&variable.values);
        for _ in 0..variable.len() {
            let value = if all_alike { first.clone() } else { dice.pick(&variable.values) };
            variable.start.push(value);
        }
        variable
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.bounds.iter().map(|(first, last)| (last - first + 1) as usize).product()
    }

    /// Writes the values of all elements: one for all, or nested arrays.
    pub fn spread(&self, dice: &mut Dice, values: &[Value]) -> String {
        if values.iter().all(|value| *value == values[0]) && (self.bounds.is_empty() || dice.one_in(2)) {
            return value(dice, &values[0]);
        }
        let mut level: Vec<String> = values.iter().map(|one| value(dice, one)).collect();
        for (first, last) in self.bounds.iter().rev() {
            level = level.chunks((last - first + 1) as usize).map(|some| array(dice, some)).collect();
        }
        level.concat()
    }

    /// Returns the variable's entry in `[variables]`.
    fn entry(&self, dice: &mut Dice) -> (String, String) {
        let ranges: Vec<String> = self.bounds.iter().map(|(first, last)| format!("{first}..{last}")).collect();
        let name = match &ranges[..] {
            [] => self.name.clone(),
            _ => format!("{}[{}]", self.name, ranges.join(dice.pick(&[",", ", "]))),
        };
        (key(dice, &name), listing(dice, &self.values, self.is_range))
    }
}

/// Writes values as a list or a range.
pub fn listing(dice: &mut Dice, values: &[Value], is_range: bool) -> String {
    if is_range {
        return string(dice, &format!("{}..{}", values[0], values[values.len() - 1]));
    }
    let values: Vec<String> = values.iter().map(|one| value(dice, one)).collect();
    array(dice, &values)
}
