//! The grid, the variables, and everything else that never changes: symbols, sets, maps and marks.
//!
//! The variables are the cells of the grid, row by row, then the elements of the named arrays in the order of the file.
//! A position holds a number for each variable: the index of its value among all values of the puzzle.

use super::Read;
use super::value::{Value, only, range, value_list};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use toml::{Table, Value as Toml};

/// A map from value to value.
pub(super) type Map = Arc<Entries>;

/// The entries of a map.
#[derive(Debug, Default)]
pub(super) struct Entries {
    by_value: HashMap<Value, Value>,
    /// The keys with `?`, which stands for any one character, in the order of the file.
    patterns: Vec<(Vec<char>, Value)>,
}

impl Entries {
    fn read(entries: &Table) -> Read<Entries> {
        let mut read = Entries::default();
        for (key, value) in entries {
            let value = Value::of(value)?;
            if key.contains('?') {
                read.patterns.push((key.chars().collect(), value.clone()));
            }
            read.by_value.insert(Value::read(key), value);
        }
        Ok(read)
    }

    /// Returns the entry of a value: that of an equal key, else that of the first key that fits.
    pub fn get(&self, value: &Value) -> Option<&Value> {
        let fits = |key: &[char]| {
            let text: Vec<char> = value.to_string().chars().collect();
            text.len() == key.len() && text.iter().zip(key).all(|(one, wanted)| *wanted == '?' || one == wanted)
        };
        let by_pattern = || self.patterns.iter().find(|(key, _)| fits(key)).map(|(_, entry)| entry);
        self.by_value.get(value).or_else(by_pattern)
    }
}

#[derive(Debug, Default)]
pub(super) struct World {
    /// 0 without a grid.
    pub rows: usize,
    pub columns: usize,
    /// The mark of each cell; empty if the file has no marks.
    pub marks: Vec<char>,
    /// The drawing of the fences, whose lines may lack spaces at their ends; empty if no fence stands.
    fences: Vec<Vec<char>>,
    /// The symbols of each set, by letter.
    pub sets: BTreeMap<char, Vec<char>>,
    pub maps: BTreeMap<String, Map>,
    /// The symbols that have their own meaning in drawings, even if a parameter has the same name.
    drawn: Vec<char>,
    /// The symbols that turn with drawings: after a clockwise quarter turn, and after mirroring left to right.
    quarter: HashMap<u32, u32>,
    mirror: HashMap<u32, u32>,
    pub arrays: Vec<Array>,
    /// The arrays of piles. A position holds the items of each pile behind the variables; see [`World::pile`].
    pub piles: Vec<Array>,
    /// The greatest number of items of each pile.
    pub most: Vec<usize>,
    /// The numbers of piles by their names without spaces.
    pile_numbers: HashMap<String, usize>,
    /// The symbols of each kind of body.
    pub bodies: Vec<Vec<u32>>,
    /// The scalar variables, by name.
    scalars: HashMap<String, usize>,
    /// All values of all variables, and their numbers.
    values: Vec<Value>,
    numbers: HashMap<Value, u32>,
}

/// Variables or piles with a common name. The grid is the array `cell`; a scalar variable is an array without indices.
#[derive(Debug)]
pub(super) struct Array {
    pub name: String,
    /// Its first variable, or the number of its first pile.
    pub first: usize,
    /// The least and the greatest index of each dimension.
    bounds: Vec<(i64, i64)>,
    /// The numbers of the values that its elements may have, in ascending order.
    values: Vec<u32>,
}

impl Array {
    pub fn dimensions(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.bounds.iter().map(width).product()
    }

    /// Returns the element at these indices; `None` if one is undefined or out of bounds.
    pub fn at(&self, indices: impl Iterator<Item = Option<i64>>) -> Option<usize> {
        let mut offset = 0;
        for (index, bounds) in indices.zip(&self.bounds) {
            let index = index?;
            if index < bounds.0 || index > bounds.1 {
                return None;
            }
            offset = offset * width(bounds) + (index - bounds.0) as usize;
        }
        Some(self.first + offset)
    }

    /// Returns the name of an element with its indices: `disk[2]`, `farmer`.
    fn name_of(&self, element: usize) -> String {
        match &self.bounds[..] {
            [] => self.name.clone(),
            bounds => format!("{}[{}]", self.name, indices(element, bounds).join(", ")),
        }
    }

    /// Returns the names of all elements.
    pub fn names(&self) -> impl Iterator<Item = String> {
        (0..self.len()).map(|element| self.name_of(element))
    }
}

/// Returns the number of indices of a dimension.
fn width(&(least, greatest): &(i64, i64)) -> usize {
    greatest.saturating_sub(least).saturating_add(1).max(0) as usize
}

impl World {
    /// Reads everything but the rules and the goals, and the start.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(file: &Table) -> Read<(World, Vec<u32>)> {
        let mut world = World::default();
        for (letters, symbols) in table(file, "sets")? {
            let symbols = symbols.as_str().ok_or_else(|| format!("the set `{letters}` is not a string"))?;
            let symbols: Vec<char> = symbols.chars().filter(|symbol| !symbol.is_whitespace()).collect();
            world.sets.extend(letters.chars().map(|letter| (letter, symbols.clone())));
        }
        for (name, entries) in table(file, "maps")? {
            let entries = entries.as_table().ok_or_else(|| format!("the map `{name}` is not a table"))?;
            world.maps.insert(name.clone(), Arc::new(Entries::read(entries)?));
        }
        let mut start = Vec::new();
        let none = Table::new();
        let (grid, given) = match file.get("start") {
            Some(Toml::String(text)) => (Some(text.as_str()), &none),
            Some(Toml::Table(given)) => (given.get("drawing").and_then(Toml::as_str), given),
            _ => return Err("`start` is neither a drawing nor a table".to_owned()),
        };
        if let Some(text) = grid {
            world.read_grid(text, file, &mut start).map_err(|why| format!("in `start`: {why}"))?;
        }
        if let Some(marks) = file.get("marks") {
            let marks = rows(marks.as_str().ok_or("`marks` is no drawing")?)?;
            if (marks.len(), marks[0].len()) != (world.rows, world.columns) {
                return Err("`marks` is of another size than the start".to_owned());
            }
            world.marks = marks.concat();
        }
        if let Some(fences) = file.get("fences") {
            world.read_fences(fences.as_str().ok_or("`fences` is no drawing")?)?;
        }
        for (name, values) in table(file, "variables")? {
            let (name, bounds) = name_and_bounds(name)?;
            world.add(name, bounds, value_list(values)?);
            let array = &world.arrays[world.arrays.len() - 1];
            let given = given.get(name).ok_or_else(|| format!("`{name}` has no start"))?;
            start.extend(world.given(array, given)?);
        }
        for kind in file.get("bodies").map_or(&[][..], super::as_list) {
            let kind = world.symbols(kind.as_str().ok_or("`bodies` is no string")?)?;
            world.bodies.push(kind);
        }
        for (name, keys) in table(file, "piles")? {
            world.read_piles(name, keys, given, &mut start).map_err(|why| format!("`{name}`: {why}"))?;
        }
        Ok((world, start))
    }

    /// Reads an array of piles and their items at the start.
    fn read_piles(&mut self, name: &str, keys: &Toml, given: &Table, start: &mut Vec<u32>) -> Read<()> {
        let (name, bounds) = name_and_bounds(name)?;
        let array = Array { name: name.to_owned(), first: self.most.len(), bounds, values: Vec::new() };
        let mut most = Vec::new();
        match keys.get("most") {
            None => most.resize(array.len(), Value::Number(i64::MAX)),
            Some(written) => flatten(&array.bounds, written, &mut most)?,
        }
        for most in most {
            let Value::Number(most) = most else { return Err("`most` is not a number".to_owned()) };
            self.most.push(usize::try_from(most).map_err(|_| "`most` is negative")?);
        }
        let mut items = Vec::new();
        flatten(&array.bounds, given.get(name).ok_or("it has no start")?, &mut items)?;
        for items in items {
            let items = words(&items).into_iter().map(|item| self.number_of(item)).collect::<Vec<u32>>();
            start.push(items.len() as u32);
            start.extend(items);
        }
        let names = array.names().map(|name| without_spaces(&name));
        self.pile_numbers.extend(names.zip(array.first..));
        self.piles.push(array);
        Ok(())
    }

    fn read_grid(&mut self, text: &str, file: &Table, start: &mut Vec<u32>) -> Read<()> {
        let rows = rows(text)?;
        (self.rows, self.columns) = (rows.len(), rows[0].len());
        let cells = rows.concat();
        if let Some(symbol) = cells.iter().find(|symbol| !self.may_be_symbol(**symbol)) {
            return Err(format!("`{symbol}` is not a symbol"));
        }
        let mut symbols = cells.clone();
        symbols.extend(self.sets.values().flatten());
        let drawn = self.maps.iter().filter(|(name, _)| only(name).is_some());
        let entries = drawn.flat_map(|(_, entries)| {
            let keys_and_values = entries.by_value.iter().flat_map(|(from, to)| [from, to]);
            keys_and_values.filter_map(Value::character)
        });
        symbols.extend(entries);
        let rings: &[Toml] = file.get("arrows").map_or(&[], super::as_list);
        let rings: Vec<Vec<char>> = rings.iter().filter_map(Toml::as_str).map(|ring| ring.chars().collect()).collect();
        symbols.extend(rings.iter().flatten());
        // In the drawings of a rule, the name of a parameter is no symbol, nor is the character that marks a run.
        let mut named = Vec::new();
        let tables = ["rules", "after"].into_iter().filter_map(|key| file.get(key)).flat_map(super::as_list);
        for rule in tables.filter_map(Toml::as_table) {
            symbols.extend(rule.get("into").and_then(Toml::as_str).into_iter().flat_map(str::chars));
            let texts = ["from", "to"].into_iter().filter_map(|key| rule.get(key)).flat_map(super::as_list);
            let texts = texts.filter_map(Toml::as_str);
            let mark = rule.get("run").and_then(Toml::as_str).and_then(only);
            let parameter = |c: char| rule.get("for")?.get(c.encode_utf8(&mut [0; 4]) as &str);
            for character in texts.flat_map(str::chars).filter(|c| Some(*c) != mark) {
                match parameter(character) {
                    Some(values) => named.push((character, value_list(values)?)),
                    None => symbols.push(character),
                }
            }
        }
        symbols.retain(|symbol| self.may_be_symbol(*symbol));
        self.drawn.clone_from(&symbols);
        named.retain(|(name, _)| self.may_be_symbol(*name) && !self.drawn.contains(name));
        let values = named.iter().flat_map(|(_, values)| values).filter_map(Value::character);
        symbols.extend(values.filter(|symbol| self.may_be_symbol(*symbol)));
        let bounds = vec![(0, self.rows as i64 - 1), (0, self.columns as i64 - 1)];
        self.add("cell", bounds, symbols.into_iter().map(Value::symbol).collect());
        start.extend(cells.iter().filter_map(|symbol| self.number(&Value::symbol(*symbol))));
        for ring in rings {
            // Clockwise from the symbol that points up.
            for (number, symbol) in ring.iter().enumerate().filter(|(_, symbol)| **symbol != '?') {
                let turned = ring[(number + ring.len() / 4) % ring.len()];
                let mirrored = ring[(ring.len() - number) % ring.len()];
                let number = |symbol: char| self.symbol(symbol).ok_or_else(|| format!("`{symbol}` is not a symbol"));
                let (symbol, turned, mirrored) = (number(*symbol)?, number(turned)?, number(mirrored)?);
                self.quarter.insert(symbol, turned);
                self.mirror.insert(symbol, mirrored);
            }
        }
        Ok(())
    }

    fn read_fences(&mut self, text: &str) -> Read<()> {
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        if lines.len() != 2 * self.rows + 1 {
            return Err("`fences` is of another size than the start".to_owned());
        }
        for (y, line) in lines.iter().enumerate() {
            if line.chars().count() < 2 * self.columns + 1 - y % 2 {
                return Err("a line of `fences` is too short".to_owned());
            }
            for (x, character) in line.chars().enumerate() {
                let allowed = ["+", "-", "|", "."][2 * (y % 2) + x % 2];
                if x > 2 * self.columns || !(allowed.contains(character) || character == ' ' && y % 2 != x % 2) {
                    return Err(format!("in `fences`: `{character}` cannot stand there"));
                }
            }
        }
        if text.contains(['-', '|']) {
            self.fences = lines.into_iter().map(|line| line.chars().collect()).collect();
        }
        Ok(())
    }

    /// Returns the symbols that the characters of a text denote.
    pub fn symbols(&self, text: &str) -> Read<Vec<u32>> {
        let denoted = |character: char| match self.denoted_symbols(character) {
            symbols if symbols.is_empty() => Err(format!("`{character}` is not a symbol")),
            symbols => Ok(symbols),
        };
        Ok(text.chars().map(denoted).collect::<Read<Vec<_>>>()?.concat())
    }

    /// Returns whether a fence stands between a cell and its neighbour some rows down and columns to the right, which
    /// may lie across the edge of the grid.
    pub fn is_fenced(&self, cell: usize, (down, right): (i64, i64)) -> bool {
        let (row, column) = ((cell / self.columns.max(1)) as i64, (cell % self.columns.max(1)) as i64);
        let stands = |y: i64, x: i64| {
            let line = self.fences.get(y as usize);
            line.and_then(|line| line.get(x as usize)).is_some_and(|character| "-|".contains(*character))
        };
        let next = ((row + down).rem_euclid(self.rows as i64), (column + right).rem_euclid(self.columns as i64));
        stands(2 * row + 1 + down, 2 * column + 1 + right) || stands(2 * next.0 + 1 - down, 2 * next.1 + 1 - right)
    }

    /// Returns whether a character is a symbol in every drawing.
    pub fn is_drawn(&self, character: char) -> bool {
        self.drawn.contains(&character)
    }

    /// Returns a symbol after a clockwise quarter turn of its drawing.
    pub fn quarter(&self, symbol: u32) -> u32 {
        self.quarter.get(&symbol).copied().unwrap_or(symbol)
    }

    /// Returns a symbol after mirroring its drawing left to right.
    pub fn mirror(&self, symbol: u32) -> u32 {
        self.mirror.get(&symbol).copied().unwrap_or(symbol)
    }

    /// Returns whether a character may be a symbol: it is visible and has no other meaning. A symbol of a set may have
    /// the name of a map, which only `to` means by it.
    fn may_be_symbol(&self, c: char) -> bool {
        let is_in_set = || self.sets.values().any(|symbols| symbols.contains(&c));
        let names_map = || self.maps.contains_key(c.encode_utf8(&mut [0; 4]) as &str) && !is_in_set();
        let is_seen = !c.is_whitespace() && !c.is_control();
        is_seen && !"?'\"".contains(c) && !self.sets.contains_key(&c) && !names_map()
    }

    /// Returns the number of a value; adds it to those of the puzzle.
    fn number_of(&mut self, value: Value) -> u32 {
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() as u32 - 1
        })
    }

    /// Adds an array, and its values to those of the puzzle.
    fn add(&mut self, name: &str, bounds: Vec<(i64, i64)>, values: Vec<Value>) {
        let first = self.variables();
        let mut values: Vec<u32> = values.into_iter().map(|value| self.number_of(value)).collect();
        values.sort_unstable();
        values.dedup();
        if bounds.is_empty() {
            self.scalars.insert(name.to_owned(), first);
        }
        self.arrays.push(Array { name: name.to_owned(), first, bounds, values });
    }

    /// Returns the numbers of the values given for an array: one value for all elements, or an array nested like its
    /// dimensions.
    pub fn given(&self, array: &Array, given: &Toml) -> Read<Vec<u32>> {
        let mut values = Vec::new();
        flatten(&array.bounds, given, &mut values).map_err(|why| format!("`{}`: {why}", array.name))?;
        let number = |value: Value| {
            self.allowed(array.first, &value).ok_or_else(|| format!("`{}` is never `{value}`", array.name))
        };
        values.into_iter().map(number).collect()
    }

    /// Returns the items that the file gives to the piles of an array: one text for all, or an array nested like its
    /// dimensions.
    pub fn given_items(&self, array: &Array, given: &Toml) -> Read<Vec<Vec<Option<u32>>>> {
        let mut piles = Vec::new();
        flatten(&array.bounds, given, &mut piles)?;
        Ok(piles.iter().map(|items| self.numbers_of_items(items)).collect())
    }

    /// Returns the numbers of the items in the text of a pile. An item that no pile has is `None`.
    pub fn numbers_of_items(&self, items: &Value) -> Vec<Option<u32>> {
        words(items).iter().map(|item| self.number(item)).collect()
    }

    /// Returns the number of the pile of this name, `tube[1]`; spaces do not count.
    pub fn pile_named(&self, name: &str) -> Option<usize> {
        self.pile_numbers.get(&without_spaces(name)).copied()
    }

    /// Returns the place of a pile's items in a position. Behind the variables, it holds for each pile the number of
    /// items, then the items, bottom first.
    fn items_of(&self, pile: usize, position: &[u32]) -> std::ops::Range<usize> {
        let mut at = self.variables();
        for _ in 0..pile {
            at += 1 + position[at] as usize;
        }
        at + 1..at + 1 + position[at] as usize
    }

    /// Returns the items of a pile, bottom first.
    pub fn pile<'a>(&self, pile: usize, position: &'a [u32]) -> &'a [u32] {
        &position[self.items_of(pile, position)]
    }

    /// Replaces the items of a pile.
    pub fn set_pile(&self, pile: usize, items: Vec<u32>, position: &mut Vec<u32>) {
        let place = self.items_of(pile, position);
        position[place.start - 1] = items.len() as u32;
        position.splice(place, items);
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the number of variables, including the cells.
    pub fn variables(&self) -> usize {
        self.arrays.last().map_or(0, |array| array.first + array.len())
    }

    /// Returns the scalar variable of this name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.scalars.get(name).copied()
    }

    /// Returns the numbers of the values that a variable may have.
    pub fn may_have(&self, variable: usize) -> &[u32] {
        let array = self.arrays.partition_point(|array| array.first <= variable).checked_sub(1);
        array.map_or(&[], |array| &self.arrays[array].values)
    }

    /// Returns the value with a number.
    pub fn value(&self, number: u32) -> &Value {
        &self.values[number as usize]
    }

    /// Returns the number of a value, if any variable may have it.
    pub fn number(&self, value: &Value) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// Returns the number of a value, if this variable may have it.
    pub fn allowed(&self, variable: usize, value: &Value) -> Option<u32> {
        let array = self.arrays.partition_point(|array| array.first <= variable).checked_sub(1)?;
        self.number(value).filter(|number| self.arrays[array].values.binary_search(number).is_ok())
    }

    /// Returns the number of a symbol of the grid.
    pub fn symbol(&self, symbol: char) -> Option<u32> {
        if self.cells() == 0 { None } else { self.allowed(0, &Value::symbol(symbol)) }
    }

    /// Returns the numbers of the symbols that a character denotes: the members of its set, or itself.
    pub fn denoted_symbols(&self, character: char) -> Vec<u32> {
        let itself = [character];
        let symbols = self.sets.get(&character).map_or(&itself[..], |symbols| symbols);
        symbols.iter().filter_map(|symbol| self.symbol(*symbol)).collect()
    }

    /// Returns the name of a variable, with its indices: `disk[2]`, `farmer`.
    pub fn name(&self, variable: usize) -> String {
        let array = self.arrays.partition_point(|array| array.first <= variable).saturating_sub(1);
        self.arrays[array].name_of(variable - self.arrays[array].first)
    }

    /// Draws a position: the grid, then the variables, one line for each row of an array, then a line for each pile.
    pub fn draw(&self, position: &[u32]) -> String {
        let mut text = String::new();
        for row in position[..self.cells()].chunks(self.columns.max(1)) {
            text.extend(row.iter().map(|number| self.value(*number).to_string()));
            text.push('\n');
        }
        if !self.fences.is_empty() {
            let mut cells = text.chars().filter(|symbol| *symbol != '\n');
            let drawn = |line: &Vec<char>| {
                let cell = |character: &char| if *character == '.' { cells.next() } else { Some(*character) };
                line.iter().filter_map(cell).chain(['\n']).collect::<String>()
            };
            text = self.fences.iter().map(drawn).collect();
        }
        for array in self.arrays.iter().filter(|array| array.first >= self.cells() && array.len() > 0) {
            let (last, outer) = match array.bounds.split_last() {
                Some((last, outer)) => (Some(last), outer),
                None => (None, &[][..]),
            };
            let in_a_line = last.map_or(1, width);
            let numbers = &position[array.first..array.first + array.len()];
            for (line, numbers) in numbers.chunks(in_a_line).enumerate() {
                text += &array.name;
                if let Some((least, greatest)) = last {
                    let mut names = indices(line, outer);
                    names.push(format!("{least}..{greatest}"));
                    text += &format!("[{}]", names.join(", "));
                }
                for number in numbers {
                    text += &format!(" {}", self.value(*number));
                }
                text.push('\n');
            }
        }
        for (number, name) in self.piles.iter().flat_map(Array::names).enumerate() {
            text += &name;
            for item in self.pile(number, position) {
                text += &format!(" {}", self.value(*item));
            }
            text.push('\n');
        }
        text
    }
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns the items in the text of a pile.
fn words(text: &Value) -> Vec<Value> {
    text.to_string().split_whitespace().map(Value::read).collect()
}

/// Returns the indices of the element with a number; the last index changes fastest.
fn indices(element: usize, bounds: &[(i64, i64)]) -> Vec<String> {
    let mut rest = element;
    let mut indices = Vec::new();
    for bounds in bounds.iter().rev() {
        indices.push((bounds.0 + (rest % width(bounds)) as i64).to_string());
        rest /= width(bounds);
    }
    indices.reverse();
    indices
}

/// Appends a value for each element of an array.
fn flatten(bounds: &[(i64, i64)], given: &Toml, values: &mut Vec<Value>) -> Read<()> {
    match (given, bounds) {
        (Toml::Array(list), [first, inner @ ..]) if list.len() == width(first) => {
            list.iter().try_for_each(|given| flatten(inner, given, values))
        }
        (Toml::Array(list), _) => Err(format!("found {} values: expected one for each element", list.len())),
        (one, _) => {
            let value = Value::of(one)?;
            values.extend(std::iter::repeat_n(value, bounds.iter().map(width).product()));
            Ok(())
        }
    }
}

/// Parses the name of a variable with its index ranges: `disk[1..3]`.
fn name_and_bounds(text: &str) -> Read<(&str, Vec<(i64, i64)>)> {
    let Some((name, ranges)) = text.split_once('[') else { return Ok((text.trim(), Vec::new())) };
    let ranges = ranges.trim_end().strip_suffix(']').ok_or_else(|| format!("expected `]` at the end of `{text}`"))?;
    let bounds = ranges.split(',').map(range).collect::<Read<_>>()?;
    Ok((name.trim(), bounds))
}

/// Returns the entries of a table of the file, in order; empty if the key is missing.
fn table<'a>(file: &'a Table, key: &str) -> Read<Vec<(&'a String, &'a Toml)>> {
    match file.get(key) {
        None => Ok(Vec::new()),
        Some(Toml::Table(table)) => Ok(table.iter().collect()),
        Some(_) => Err(format!("`{key}` is no table")),
    }
}

/// Splits a drawing into rows of characters, all of the same width.
///
/// # Errors
/// It is empty, its rows differ in width, or it contains white space.
pub(super) fn rows(text: &str) -> Read<Vec<Vec<char>>> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let is_drawn = |line: &&str| !line.trim().is_empty();
    let (Some(first), Some(last)) = (lines.iter().position(is_drawn), lines.iter().rposition(is_drawn)) else {
        return Err("a drawing is empty".to_owned());
    };
    let rows: Vec<Vec<char>> = lines[first..=last].iter().map(|line| line.chars().collect()).collect();
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return Err("the rows of a drawing differ in width".to_owned());
    }
    if rows.iter().flatten().any(|c| c.is_whitespace()) {
        return Err("white space in a drawing".to_owned());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Read<(World, Vec<u32>)> {
        World::read(&file.parse().unwrap())
    }

    fn drawn(file: &str) -> String {
        let (world, start) = read(file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        world.draw(&start)
    }

    fn symbols(file: &str) -> String {
        let (world, _) = read(file).unwrap();
        let mut symbols: Vec<String> =
            world.arrays[0].values.iter().map(|number| world.value(*number).to_string()).collect();
        symbols.sort_unstable();
        symbols.concat()
    }

    #[test]
    fn a_position_is_the_grid_and_a_line_for_each_variable() {
        let file = "start = { drawing = '''\r\n\r\n.a\r\n1b\r\n\r\n''', lamp = 'true', n = '-1', disk = ['x', 1], t = [[3, 3], [4, 3]], \
            cube = [[[1, 2], 1], 2] }\n[variables]\nn = '-1..1'\nlamp = [true, false]\n'disk[ 1..2 ]' = ['x', '1']\n\
            't[0..1, -1..0]' = '3..4'\n'cube[0..1,0..1,5..6]' = [1, 2]\n";
        let lines = ["t[0, -1..0] 3 3", "t[1, -1..0] 4 3", "cube[0, 0, 5..6] 1 2", "cube[0, 1, 5..6] 1 1"];
        let rest = "cube[1, 0, 5..6] 2 2\ncube[1, 1, 5..6] 2 2\n";
        let expected = format!(".a\n1b\nn -1\nlamp true\ndisk[1..2] x 1\n{}\n{rest}", lines.join("\n"));
        assert_eq!(drawn(file), expected);
        let (world, _) = read(file).unwrap();
        let (first, last) = (world.arrays[1].first, world.variables() - 1);
        assert_eq!(
            (world.name(0), world.name(first), world.name(last)),
            ("cell[0, 0]".into(), "n".into(), "cube[1, 1, 6]".into())
        );
    }

    #[test]
    fn symbols_are_those_of_drawings_sets_and_maps_of_one_character() {
        let file = "start = '.a'\nsets = { NM = 'xy', O = ' z ' }\n\
            maps = { t = { 1 = '2', 3 = 45, u = 'ü', N = 'M', ok = '!' }, long = { p = 'q' } }\n\
            [[rules]]\nfrom = 'N?'\nto = 't8'\n[[rules]]\nto = '''\n9\n'''\n";
        assert_eq!(symbols(file), "!.12389auxyzü");
        let set_hides_map = "start = '.a'\nsets = { t = 'bc' }\nmaps = { t = { d = 'e' } }\nrules = [{ to = 't' }]";
        assert_eq!(symbols(set_hides_map), ".abcde");
    }

    #[test]
    fn inconsistent_files_are_rejected() {
        let wrong = [
            "start = '''\nab\na\n'''",
            "start = 'a b'",
            "start = ''",
            "start = 1",
            "start = 'aN'\nsets = { N = 'b' }",
            "start = 'a?'",
            "start = 'a'\nmarks = 'ab'",
            "start = {}\nvariables = { n = [1] }",
            "start = { n = 2 }\nvariables = { n = [1] }",
            "start = { n = [1] }\nvariables = { n = [1] }",
            "start = { n = [1, 1] }\nvariables = { 'n[0..2]' = [1] }",
            "start = { n = 1 }\nvariables = { 'n[0..2' = [1] }",
            "start = { n = 1 }\nvariables = { n = 'x' }",
            "start = 'a'\nmaps = { m = { a = 1.5 } }",
            "start = 'a'\nsets = 'a'",
        ];
        for file in wrong {
            assert!(read(file).is_err(), "{file}");
        }
    }
}
