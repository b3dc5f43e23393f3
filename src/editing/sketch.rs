//! The drawings of a text as they are written, valid or not: to be painted, and changed as a whole.
//!
//! A [`Canvas`](super::Canvas) is the start of a valid puzzle. A sketch needs the text alone: so what is drawn stays there
//! while a puzzle is invalid on the way, and levels of collections are changed in their own text. If the puzzle is valid,
//! its domain lists the symbols; otherwise they are those that were known before, and those in the text.
//!
//! All drawings of the grid are of one size, and change together: the start, its marks, the goals, the fences.

use super::canvas::Direction;
use super::cells::{carry, set, singles};
use super::grid::Grid;
use super::written::Written;
use crate::document::{DeValue, Document, Findings};
use crate::domain::{Drawn, PartKind, Symbol};
use crate::puzzle::{Puzzle, Source, collection_of};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::ops::Range;

/// The most cells of a drawing that is sketched.
const MOST_CELLS: usize = 1 << 14;

/// The keys of drawings of the grid, at the top of a puzzle file; the first that is there draws the start.
const KEYS: [&str; 5] = ["map", "start", "marks", "goal", "goals"];

/// The keys whose values never name cells by their numbers.
const NO_PLACES: [&str; 5] = ["expect", "search", "generate", "rules", "tags"];

/// Other spellings of the symbols of a Sokoban board.
const SPELLINGS: [(&str, &str); 9] =
    [("-", " "), ("_", " "), ("\t", " "), ("\u{a0}", " "), ("p", "@"), ("P", "+"), ("b", "$"), ("B", "*"), ("o", ".")];

/// The drawings of a text.
#[derive(Clone, Debug)]
pub struct Sketch {
    text: String,
    sheets: Vec<Sheet>,
    fences: Option<(Grid, Written)>,
    /// Why cells cannot get other rows and columns, and why the drawing cannot get another size or be turned.
    fixed: [Option<String>; 2],
}

/// A drawing.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The key of the drawing, such as `start`; for a level, `level`.
    pub key: String,
    /// Its symbols.
    pub drawn: Drawn,
    grid: Grid,
    written: Written,
    is_single: Vec<bool>,
}

/// A change of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// What a cell of a drawing holds lies in another cell: the number of the drawing, and both cells.
    Move(usize, usize, usize),
    /// There is a row or column more at this side.
    Grow(Direction),
    /// There is a row or column less at this side.
    Shrink(Direction),
    /// Left and right change places.
    Mirror,
    /// Above and below change places.
    Flip,
    /// All is turned clockwise by a right angle.
    Turn,
}

impl Change {
    /// Returns whether the change is of the view alone: a valid puzzle should stay valid.
    #[must_use]
    pub fn keeps_all(self) -> bool {
        matches!(self, Change::Mirror | Change::Flip | Change::Turn)
    }
}

impl Sketch {
    /// Finds the drawings of a text. `level` is the number of a level of a collection, with its source if the collection
    /// can be read, and `known` the symbols of drawings by their keys, from before the text became invalid.
    ///
    /// # Errors
    /// There is no drawing that can be changed: why.
    pub fn of(
        text: &str,
        puzzle: Option<&Puzzle>,
        level: Option<(usize, Option<&Source>)>,
        known: &[(String, Drawn)],
    ) -> Result<Sketch, String> {
        let of_puzzle = puzzle.map_or(Vec::new(), Puzzle::drawn);
        let is_board = level.is_some() && !is_game(text);
        let symbols = |key: &str| {
            let own = of_puzzle.iter().find(|drawn| level.is_some() || drawn.key.join(".") == key);
            let known = || known.iter().find(|(name, _)| name == key).map(|(_, drawn)| drawn);
            let mut drawn = if is_board { Some(board()) } else { own.or_else(known).cloned() };
            // A block that was removed, or is new, has its letter.
            if let (Some(drawn), Some(known), false) = (&mut drawn, known(), is_board) {
                known.symbols.iter().for_each(|symbol| add_block(drawn, known, symbol));
            }
            // Games do not distinguish capitals, which the lines of a drawing show.
            drawn.iter_mut().filter(|_| level.is_some()).for_each(|drawn| _ = drawn.lines.get_or_insert((0, 0)));
            drawn
        };
        let words = |key: &str| symbols(key).map(|drawn| drawn.has_words);
        let written = match level {
            Some((number, source)) => vec![("level".to_owned(), of_level(text, &of_puzzle, number, source)?)],
            None => of_file(text, words)?,
        };
        let size = written[0].1.size();
        if size.0 * size.1 > MOST_CELLS {
            return Err(format!("the drawing has {}x{} cells, too many to change here", size.0, size.1));
        }
        let start = symbols(&written[0].0);
        let (written, others): (Vec<_>, Vec<_>) = written.into_iter().partition(|(_, written)| written.size() == size);
        let read = |(key, written): (String, Written)| {
            // Goals have the symbols of the start, marks their own.
            let drawn = symbols(&key).or_else(|| start.clone().filter(|_| key != "marks"));
            Sheet::read(key, drawn.unwrap_or_default(), written)
        };
        let sheets = written.into_iter().map(read).collect();
        let (mut fences, mut fixed) = (None, [None, None]);
        if level.is_none() {
            let named = named_by(text);
            fixed[0] = named.map(|key| format!("`{key}` names cells by row and column: change it in the text first"));
            let other = others.first();
            fixed[1] = other.map(|(key, _)| format!("`{key}` has another size than the start"));
            match fences_of(text, size) {
                Some(Ok(found)) => fences = Some(found),
                Some(Err(())) => fixed[1] = Some("`fences` do not fit the size of the grid".to_owned()),
                None => {}
            }
        }
        Ok(Sketch { text: text.to_owned(), sheets, fences, fixed })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.sheets[0].grid.rows()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.sheets[0].grid.columns
    }

    /// Returns the drawings, that of the start first.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// Puts a symbol into a cell; a piece of which there is one alone is then no longer where it was.
    ///
    /// # Errors
    /// There is no such drawing, cell or symbol.
    pub fn set(&mut self, sheet: usize, cell: usize, symbol: usize) -> Result<(), String> {
        let there = self.sheets.get_mut(sheet);
        let there = there.filter(|sheet| cell < sheet.grid.texts.len() && symbol < sheet.drawn.symbols.len());
        let sheet = there.ok_or("the drawing has no such cell or symbol")?;
        sheet.change(|drawn, is_single, cells| {
            set(drawn, is_single, cells, cell, symbol);
            Ok(())
        })
    }

    /// Puts symbols into cells of the first drawing, by their texts. Returns false, and changes nothing, if it lacks one.
    pub(super) fn write(&mut self, cells: &[(usize, String)]) -> bool {
        let sheet = &mut self.sheets[0];
        let symbol = |(cell, text): &(usize, String)| Some((*cell, sheet.drawn.symbol_of(text)?));
        let symbols: Option<Vec<_>> = cells.iter().map(symbol).collect();
        let written = sheet.change(|_, _, cells| {
            for (cell, symbol) in symbols.ok_or("no such symbol")? {
                *cells.get_mut(cell).ok_or("no such cell")? = symbol as u16;
            }
            Ok(())
        });
        written.is_ok()
    }

    /// Makes a change.
    ///
    /// # Errors
    /// It cannot be made: why. Then nothing is changed.
    pub fn make(&mut self, change: Change) -> Result<(), String> {
        if let Change::Move(sheet, from, to) = change {
            let there = self.sheets.get_mut(sheet).filter(|sheet| from.max(to) < sheet.grid.texts.len());
            let sheet = there.ok_or("the drawing has no such cell")?;
            let columns = sheet.grid.columns;
            return sheet.change(|drawn, _, cells| carry(drawn, cells, columns, from, to));
        }
        let is_at_the_end = matches!(change, Change::Grow(side) | Change::Shrink(side) if is_at_the_end(side));
        let [places, size] = &self.fixed;
        if let Some(why) = size.as_ref().or(places.as_ref().filter(|_| !is_at_the_end)) {
            return Err(why.clone());
        }
        let length = |side| match side {
            Direction::Up | Direction::Down => self.rows(),
            Direction::Left | Direction::Right => self.columns(),
        };
        match change {
            Change::Shrink(side) if length(side) == 1 => return Err("it is the last row or column".to_owned()),
            Change::Grow(_) if self.sheets[0].grid.texts.len() + self.rows().max(self.columns()) > MOST_CELLS => {
                return Err(format!("a drawing has at most {MOST_CELLS} cells here"));
            }
            _ => {}
        }
        for sheet in &mut self.sheets {
            sheet.arrange(change);
        }
        if let Some((fences, _)) = &mut self.fences {
            match change {
                Change::Move(..) => {}
                Change::Grow(side) => fences.grow_fences(side),
                Change::Shrink(side) => fences.shrink(side, 1, 2),
                Change::Mirror => fences.mirror(),
                Change::Flip => fences.flip(),
                Change::Turn => fences.turn_fences(),
            }
        }
        Ok(())
    }

    /// Returns the text with these drawings; all else stays as it is.
    #[must_use]
    pub fn text(&self) -> String {
        let of_sheet = |sheet: &Sheet| sheet.written.with(&self.text, &sheet.grid, &sheet.empty());
        let of_fences = |(grid, written): &(Grid, Written)| written.with(&self.text, grid, " ");
        let mut changed: Vec<(Range<usize>, String)> = self.sheets.iter().flat_map(of_sheet).collect();
        changed.extend(self.fences.iter().flat_map(of_fences));
        // From the end, so that the bytes before stay where they are.
        changed.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = self.text.clone();
        for (span, new) in changed {
            text.replace_range(span, &new);
        }
        text
    }
}

fn is_at_the_end(side: Direction) -> bool {
    matches!(side, Direction::Down | Direction::Right)
}

impl Sheet {
    fn read(key: String, drawn: Drawn, written: Written) -> Sheet {
        let mut sheet = Sheet { key, drawn, grid: written.grid(), written, is_single: Vec::new() };
        sheet.list_symbols();
        sheet.is_single = singles(&sheet.drawn, &sheet.cells());
        sheet
    }

    /// Lists the symbols of cells that the domain does not, or that are not known while the puzzle is invalid.
    fn list_symbols(&mut self) {
        let mut has_blank = self.drawn.symbols.iter().any(|symbol| symbol.parts.is_empty());
        for text in self.grid.texts.clone().into_iter().filter(|text| !text.is_empty()) {
            if self.symbol_of(&text).is_none() {
                let is_blank = !has_blank && matches!(&*text, "." | "-" | "_" | " ");
                has_blank |= is_blank;
                let kind = if text == "#" { PartKind::Obstacle } else { PartKind::Piece };
                let parts = [(text.as_str(), kind)];
                self.drawn.add(text.as_str(), if is_blank { &[] } else { &parts });
            }
        }
    }

    /// Returns the symbol of each cell, row by row.
    #[must_use]
    pub fn cells(&self) -> Vec<u16> {
        let mut known: FxHashMap<&str, u16> = FxHashMap::default();
        let empty = self.drawn.empty().unwrap_or(0);
        let symbol = |text: &String| self.symbol_of(text).unwrap_or(empty) as u16;
        self.grid.texts.iter().map(|text| *known.entry(text).or_insert_with(|| symbol(text))).collect()
    }

    fn symbol_of(&self, text: &str) -> Option<usize> {
        let is_board = self.written.has_spaces;
        let known = SPELLINGS.iter().find(|(other, _)| is_board && *other == text).map_or(text, |(_, symbol)| symbol);
        // On boards of the community, a small letter is not its capital.
        let found = self.drawn.symbols.iter().position(|symbol| symbol.text == known);
        if is_board { found } else { self.drawn.symbol_of(text) }
    }

    /// Returns the text of an empty cell.
    fn empty(&self) -> String {
        self.drawn.empty().map_or_else(|| ".".to_owned(), |symbol| self.drawn.symbols[symbol].text.clone())
    }

    fn change(&mut self, change: impl FnOnce(&Drawn, &[bool], &mut [u16]) -> Result<(), String>) -> Result<(), String> {
        let before = self.cells();
        let mut after = before.clone();
        change(&self.drawn, &self.is_single, &mut after)?;
        // A symbol that the drawing has is written as it is there, such as a capital in a game.
        let mut written: FxHashMap<u16, String> = FxHashMap::default();
        for (text, symbol) in self.grid.texts.iter().zip(&before).filter(|(text, _)| !text.is_empty()) {
            written.entry(*symbol).or_insert_with(|| text.clone());
        }
        for (text, (_, new)) in
            self.grid.texts.iter_mut().zip(before.iter().zip(&after)).filter(|(_, (old, new))| old != new)
        {
            let known = || self.drawn.symbols[usize::from(*new)].text.clone();
            *text = written.get(new).cloned().unwrap_or_else(known);
        }
        Ok(())
    }

    /// Mirrors, turns or resizes the drawing.
    fn arrange(&mut self, change: Change) {
        match change {
            Change::Move(..) => {}
            Change::Mirror => self.grid.mirror(),
            Change::Flip => self.grid.flip(),
            Change::Turn => self.grid.turn(),
            Change::Shrink(side) => self.grid.shrink(side, 0, 1),
            Change::Grow(side) => {
                // On boards without an empty cell, new cells get the next numbers.
                let most = self.grid.texts.iter().filter_map(|text| text.parse::<u64>().ok()).max();
                let number = most.filter(|_| self.drawn.empty().is_none() && self.written.has_words);
                // Floor at the edge of a level is not written, and would be gone at once.
                let empty = if self.written.has_spaces { "#".to_owned() } else { self.empty() };
                self.grid.grow(side, 0, 1, |_, row, column| match (number, side) {
                    (None, _) => empty.clone(),
                    (Some(most), Direction::Up | Direction::Down) => (most + 1 + column as u64).to_string(),
                    (Some(most), Direction::Left | Direction::Right) => (most + 1 + row as u64).to_string(),
                });
                self.list_symbols();
            }
        }
    }
}

/// Adds a symbol of another drawing with its block, if it is new.
fn add_block(drawn: &mut Drawn, other: &Drawn, symbol: &Symbol) {
    let [part] = symbol.parts[..] else { return };
    let part = &other.parts[part];
    let is_new = drawn.symbols.iter().all(|known| known.text != symbol.text);
    if is_new && part.kind == PartKind::Block && drawn.parts.iter().any(|known| known.kind == PartKind::Block) {
        drawn.add(&*symbol.text, &[(&*part.name, PartKind::Block)]);
    }
}

/// Returns the symbols of a Sokoban board as the community writes it.
fn board() -> Drawn {
    let mut drawn = Drawn::new(&["level"]);
    let (goal, [filled, man]) = (("goal", PartKind::Ground), [("box", PartKind::Piece), ("man", PartKind::Piece)]);
    let symbols: [(&str, &[(&str, PartKind)]); 7] = [
        (" ", &[]),
        ("#", &[("wall", PartKind::Obstacle)]),
        (".", &[goal]),
        ("$", &[filled]),
        ("*", &[goal, filled]),
        ("@", &[man]),
        ("+", &[goal, man]),
    ];
    symbols.into_iter().for_each(|(text, parts)| drawn.add(text, parts));
    drawn
}

/// The parts of a board by the symbols of the puzzle file that is made of it.
const PARTS: [(&str, &str); 4] = [("#", "wall"), ("$", "box"), ("@", "man"), ("x", "goal")];

/// Returns how a level of a collection writes a cell for which the drawings of its puzzle's start have these symbols, in
/// the order of the drawings; `None` if it cannot.
#[must_use]
pub fn level_symbol(symbols: &[&str]) -> Option<String> {
    if let [of_game] = symbols {
        return Some((*of_game).to_owned());
    }
    // A wall hides a goal.
    if symbols.contains(&"#") {
        return Some("#".to_owned());
    }
    let drawn = board();
    let name = |symbol: &&str| PARTS.iter().find(|(known, _)| known == symbol).map(|(_, name)| *name);
    let part = |name: &str| drawn.parts.iter().position(|part| part.name == name);
    let mut parts: Vec<usize> = symbols.iter().filter_map(name).filter_map(part).collect();
    parts.sort_unstable();
    drawn.symbol_with(&parts).map(|symbol| drawn.symbols[symbol].text.clone())
}

/// Returns whether a text is a game of PuzzleScript.
fn is_game(text: &str) -> bool {
    collection_of(text).is_some_and(|format| format.name == "puzzlescript")
}

/// Finds the rows of a level.
fn of_level(text: &str, of_puzzle: &[Drawn], number: usize, source: Option<&Source>) -> Result<Written, String> {
    let missing = || "The level has no drawing that can be changed here: change it in the text".to_owned();
    if !is_game(text) {
        return source.and_then(|source| Written::of_rows(source.rows())).ok_or_else(missing);
    }
    let lines: Vec<Range<usize>> = lines(text).collect();
    let block = match of_puzzle.iter().find_map(|drawn| drawn.lines) {
        Some((line, rows)) => line.saturating_sub(1)..(line.saturating_sub(1) + rows).min(lines.len()),
        None => board_of_game(text, &lines, number).ok_or_else(missing)?,
    };
    let span = lines.get(block.start).zip(lines.get(block.end.wrapping_sub(1)));
    let span = span.map(|(first, last)| first.start..last.end.max(first.start));
    span.and_then(|span| Written::in_text(text, span)).ok_or_else(missing)
}

/// Returns the bytes of the lines of a text, without their ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(start..start + line.trim_end_matches(['\n', '\r']).len())
    })
}

/// Finds the lines of a board of a game that has mistakes.
fn board_of_game(text: &str, lines: &[Range<usize>], number: usize) -> Option<Range<usize>> {
    let content = |line: usize| text[lines[line].clone()].trim();
    let heading = (0..lines.len()).rposition(|line| content(line).eq_ignore_ascii_case("levels"))?;
    let is_row = |line: usize| {
        let content = content(line);
        let is_message = content.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("message"));
        !content.is_empty() && !is_message && !content.starts_with(['=', '('])
    };
    let starts = (heading + 1..lines.len()).filter(|line| is_row(*line) && !(line - 1 > heading && is_row(line - 1)));
    let start = starts.take(number).nth(number.checked_sub(1)?)?;
    Some(start..(start..lines.len()).find(|line| !is_row(*line)).unwrap_or(lines.len()))
}

/// Finds the drawings of a puzzle file, that of the start first. `words` returns whether the cells of a drawing are known
/// to be words.
fn of_file(text: &str, words: impl Fn(&str) -> Option<bool>) -> Result<Vec<(String, Written)>, String> {
    let unreadable = |_| "The text cannot be read: mend it first".to_owned();
    let document = Document::parse(text).map_err(unreadable)?;
    let findings = Findings::default();
    let keys = document.keys(&findings);
    let mut found: Vec<(String, Range<usize>, &DeValue)> = Vec::new();
    for key in KEYS {
        let Some((span, value)) = keys.value_at(&[key]) else { continue };
        drawings(key.to_owned(), span, value, &mut found);
    }
    let has_words = found.first().and_then(|(key, ..)| words(key));
    let read = |(key, span, value): (String, Range<usize>, &DeValue)| {
        let written = Written::in_value(text, span, value, words(&key).or(has_words), false)?;
        Some((key, written))
    };
    let mut found: Vec<(String, Written)> = found.into_iter().filter_map(read).collect();
    if found.first().is_none_or(|(key, _)| !(key == "map" || key.starts_with("start"))) {
        found.clear();
    }
    if found.is_empty() { Err("The file does not draw its start".to_owned()) } else { Ok(found) }
}

/// Lists the strings in a value with their keys.
fn drawings<'v>(
    key: String,
    span: Range<usize>,
    value: &'v DeValue,
    found: &mut Vec<(String, Range<usize>, &'v DeValue<'v>)>,
) {
    match value {
        DeValue::String(_) => found.push((key, span, value)),
        DeValue::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                drawings(format!("{key} {}", number + 1), value.span(), value.get_ref(), found);
            }
        }
        DeValue::Table(table) => {
            if let Some(value) = table.get("drawing") {
                drawings(format!("{key}.drawing"), value.span(), value.get_ref(), found);
            }
        }
        _ => {}
    }
}

/// Finds the fences of a grid of this size; an error if they have another.
fn fences_of(text: &str, (rows, columns): (usize, usize)) -> Option<Result<(Grid, Written), ()>> {
    let document = Document::parse(text).ok()?;
    let findings = Findings::default();
    let keys = document.keys(&findings);
    let (span, value) = keys.value_at(&["fences"])?;
    let written = Written::in_value(text, span, value, Some(false), true);
    let fits = |written: &Written| written.size() == (2 * rows + 1, 2 * columns + 1);
    Some(written.filter(fits).map(|written| (written.grid(), written)).ok_or(()))
}

/// Returns a key whose value has a pair of whole numbers: a row and a column.
fn named_by(text: &str) -> Option<String> {
    fn names(value: &toml::Value) -> bool {
        match value {
            toml::Value::Array(values) => {
                let is_pair = values.len() == 2 && values.iter().all(toml::Value::is_integer);
                is_pair || values.iter().any(names)
            }
            toml::Value::Table(table) => table.values().any(names),
            _ => false,
        }
    }
    let table: toml::Table = text.parse().ok()?;
    table.iter().find(|(key, value)| !NO_PLACES.contains(&key.as_str()) && names(value)).map(|(key, _)| key.clone())
}

#[cfg(test)]
mod tests;
