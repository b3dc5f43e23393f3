//! Drawings of a start as data: the symbols that a cell may hold, the parts that a symbol is made of, and the cells of
//! the text that draw it.
//!
//! A symbol is a set of parts: in a Sokoban level of PuzzleScript, `*` is a crate and a target. So a piece is taken from
//! a cell, or put into one, by finding the symbol with a part less or more. A domain lists symbols and parts
//! ([`Drawn`]); what may be done with them is the same for all.

use crate::document::{DeValue, Document, Findings, Spanned, Value};
use crate::drawing::Drawing;
use std::ops::Range;

/// A drawing of a puzzle file that may be varied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The path to the drawing: `["start"]`, `["start", "drawing"]`.
    pub key: &'static [&'static str],
    /// The line of the value that holds row 0, from 1, and the number of rows, if the drawing is a part of the value: a
    /// level of a game.
    pub lines: Option<(usize, usize)>,
    /// True if the cells of the drawing are words between spaces.
    pub has_words: bool,
    /// The parts.
    pub parts: Vec<Part>,
    /// The symbols. The one without parts is an empty cell.
    pub symbols: Vec<Symbol>,
}

/// A part of symbols: a wall, a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name for people, such as `#`.
    pub name: String,
    /// What the cells that have it hold.
    pub kind: PartKind,
}

/// What the cells that have a part hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Ground: it is no piece.
    Ground,
    /// Ground that only takes moves away: with it in place of an empty cell, there is no move, and no goal, that is not
    /// there without it.
    Obstacle,
    /// Each cell holds a piece.
    Piece,
    /// All these cells together are a piece.
    Block,
}

impl PartKind {
    /// Returns whether it is no piece.
    #[must_use]
    pub fn is_ground(self) -> bool {
        matches!(self, PartKind::Ground | PartKind::Obstacle)
    }
}

/// A symbol of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The text of a cell that holds it.
    pub text: String,
    /// The numbers of its parts, ascending.
    pub parts: Vec<usize>,
}

/// The starts of a puzzle that differ by the symbols of its drawings, solved without reading a file for each.
pub trait Starts: Send + Sync {
    /// Searches for the least cost from the start with these symbols, by their numbers, drawing by drawing and row by row.
    /// Returns `None` if it takes more than `most` expanded states, and if only reading the file shows whether the start is
    /// valid.
    fn least_cost(&self, drawings: &[Vec<u16>], most: u64) -> Option<LeastCost>;

    /// Returns a solution that costs less than this, as numbers for [`allows`](Self::allows); the inner `None` if there is
    /// none, and the outer one as [`least_cost`](Self::least_cost).
    fn cheaper(&self, drawings: &[Vec<u16>], cost: f64, most: u64) -> Option<Option<Vec<u32>>>;

    /// Returns whether the start with these symbols has this solution, which was found from another start.
    fn allows(&self, drawings: &[Vec<u16>], solution: &[u32]) -> bool;

    /// Returns the first drawing with its pieces in other cells, where the least cost is the greatest that is wanted, and
    /// that cost. All starts of the room are explored at once, backwards from its goals. The outer `None` says that the
    /// rules do not allow this, the inner one that there is no such start.
    fn farthest(&self, drawings: &[Vec<u16>], wanted: &WantedStart) -> Option<Option<(Vec<u16>, LeastCost)>>;

    /// Returns the number of solutions of the least cost, which is known, apart from moves that cost nothing; `most` if
    /// there are as many or more. `None` if the rules do not allow this, or if it takes more than `most_states`.
    fn solutions(&self, drawings: &[Vec<u16>], cost: f64, most_states: u64, most: u64) -> Option<u64>;
}

/// The start that is wanted of a room.
pub struct WantedStart<'a> {
    /// The greatest cost.
    pub most_cost: Option<f64>,
    /// The most states to expand: starts farther away are not seen.
    pub most_states: u64,
    /// A random number, which chooses among equally costly starts.
    pub pick: u64,
    /// Whether a cell may hold a symbol.
    pub may_hold: &'a dyn Fn(usize, u16) -> bool,
}

/// The least cost from a start, and the effort of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastCost {
    /// The least cost; `None` if there is no solution.
    pub cost: Option<f64>,
    /// The number of shortest solutions, if it is known.
    pub solutions: Option<u64>,
    /// The number of states whose successors were made.
    pub expanded: u64,
    /// The number of successors.
    pub generated: u64,
}

impl Drawn {
    /// Returns a drawing without symbols.
    #[must_use]
    pub fn new(key: &'static [&'static str]) -> Drawn {
        Drawn { key, ..Drawn::default() }
    }

    /// Adds a symbol of these parts, unless there is one of this text.
    pub fn add(&mut self, text: impl Into<String>, parts: &[(&str, PartKind)]) {
        let text = text.into();
        if self.symbols.iter().any(|known| known.text == text) {
            return;
        }
        let mut numbers: Vec<usize> = parts.iter().map(|&(name, kind)| self.part(name, kind)).collect();
        numbers.sort_unstable();
        self.symbols.push(Symbol { text, parts: numbers });
    }

    fn part(&mut self, name: &str, kind: PartKind) -> usize {
        self.parts.iter().position(|part| part.name == name).unwrap_or_else(|| {
            self.parts.push(Part { name: name.to_owned(), kind });
            self.parts.len() - 1
        })
    }

    /// Returns the number of the symbol that a cell with this text holds.
    #[must_use]
    pub fn symbol_of(&self, text: &str) -> Option<usize> {
        let find = |is_it: &dyn Fn(&str) -> bool| self.symbols.iter().position(|symbol| is_it(&symbol.text));
        let number = |text: &str| if text == "." { Some(0) } else { text.parse::<u64>().ok() };
        // Games do not distinguish capitals, and boards of tiles have several spellings of a number.
        find(&|known| known == text).or_else(|| match self.has_words {
            true => find(&|known| number(known).is_some() && number(known) == number(text)),
            false => find(&|known| known.to_lowercase() == text.to_lowercase()).filter(|_| self.lines.is_some()),
        })
    }

    /// Returns the number of the symbol that has exactly these parts, ascending.
    #[must_use]
    pub fn symbol_with(&self, parts: &[usize]) -> Option<usize> {
        self.symbols.iter().position(|symbol| symbol.parts == parts)
    }

    /// Returns whether a symbol is an obstacle and nothing else.
    #[must_use]
    pub fn is_obstacle(&self, symbol: usize) -> bool {
        let parts = &self.symbols[symbol].parts;
        !parts.is_empty() && parts.iter().all(|part| self.parts[*part].kind == PartKind::Obstacle)
    }

    /// Returns the number of the symbol of an empty cell.
    #[must_use]
    pub fn empty(&self) -> Option<usize> {
        self.symbol_with(&[])
    }
}

/// The place of a drawing in the text of a puzzle file.
#[derive(Clone, Debug)]
pub struct DrawnText {
    /// The bytes of the value in the file.
    span: Range<usize>,
    value: String,
    /// The lengths of the opening and the closing quotes, if the value stands between them as it is.
    quotes: Option<(usize, usize)>,
    /// The bytes of each cell in the value, row by row.
    cells: Vec<Range<usize>>,
    columns: usize,
    has_words: bool,
}

impl DrawnText {
    /// Finds a drawing in the text of a valid puzzle file; `None` if it has none there.
    #[must_use]
    pub fn find(drawn: &Drawn, text: &str) -> Option<DrawnText> {
        let document = Document::parse(text).ok()?;
        let findings = Findings::default();
        let keys = document.keys(&findings);
        let (span, value) = keys.value_at(drawn.key)?;
        let DeValue::String(value) = value else { return None };
        let value = value.to_string();
        let (cells, columns) = match drawn.lines {
            Some((line, rows)) => cells_of_lines(&value, line, rows)?,
            None => {
                let spanned = Spanned::new(span.clone(), value.clone());
                let read = if drawn.has_words { Drawing::of_words } else { Drawing::of_characters };
                let drawing = read(&spanned, text).ok()?;
                (drawing.places().collect(), drawing.width())
            }
        };
        let raw = &text[span.clone()];
        let opening = raw.find(value.as_str()).filter(|_| !value.is_empty());
        let quotes = opening.map(|opening| (opening, raw.len() - opening - value.len()));
        Some(DrawnText { span, value, quotes, cells, columns, has_words: drawn.has_words })
    }

    /// Returns the number of cells in a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the texts of the cells, row by row.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &str> {
        self.cells.iter().map(|cell| &self.value[cell.clone()])
    }

    /// Returns the bytes of the value in the file.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the TOML of the value with other texts in some cells, which are given in ascending order. `text` is that
    /// of the file.
    #[must_use]
    pub fn with(&self, text: &str, cells: impl IntoIterator<Item = (usize, String)>) -> String {
        let mut value = String::with_capacity(self.value.len());
        let mut done = 0;
        for (cell, new) in cells {
            let Range { start, end } = self.cells[cell].clone();
            value += &self.value[done..start];
            let (old, new_width) = (end - start, new.chars().count());
            if self.has_words {
                // Words stay in their columns where there is room.
                let room = value.len() - value.trim_end_matches(' ').len();
                let least = usize::from(!value[..value.len() - room].ends_with('\n'));
                value.truncate(value.len() - new_width.saturating_sub(old).min(room.saturating_sub(least)));
                value.extend(std::iter::repeat_n(' ', old.saturating_sub(new_width)));
            }
            value += &new;
            done = end;
        }
        value += &self.value[done..];
        let raw = &text[self.span.clone()];
        match self.quotes {
            // In literal and basic strings alike, such a value means itself.
            Some((opening, closing)) if !value.contains(['\'', '"', '\\']) => {
                format!("{}{value}{}", &raw[..opening], &raw[raw.len() - closing..])
            }
            _ if self.value.contains('\n') && !value.contains('\r') => Value::Drawing(value).to_toml(),
            _ => Value::Text(value).to_toml(),
        }
    }
}

/// Returns the bytes of the cells in some lines, and the number of cells in each; `None` if they are no rectangle.
fn cells_of_lines(value: &str, line: usize, rows: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let mut cells = Vec::new();
    let mut columns = None;
    for line in value.split('\n').skip(line.checked_sub(1)?).take(rows) {
        let row = line.trim();
        let at = row.as_ptr() as usize - value.as_ptr() as usize;
        let before = cells.len();
        cells.extend(row.char_indices().map(|(byte, c)| at + byte..at + byte + c.len_utf8()));
        let width = cells.len() - before;
        if *columns.get_or_insert(width) != width || width == 0 {
            return None;
        }
    }
    columns.filter(|columns| cells.len() == rows * columns).map(|columns| (cells, columns))
}
