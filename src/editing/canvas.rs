//! The drawing of a start with a symbol in each cell, and its changes.

use super::cells;
use crate::diagnostic::{Diagnostic, Report};
use crate::domain::{Drawn, DrawnText, LeastCost, PartKind, Starts, Symbol, WantedStart};
use crate::puzzle::Puzzle;
use crate::search::Limits;
use std::sync::{Arc, OnceLock};

/// The most states that a search without an analysis of the drawing expands: an analysis takes about as long.
const MOST_UNREAD: u64 = 6_000;

/// The drawings of a puzzle's start, with a symbol in each cell. A puzzle may have several of the same size, such as a
/// grid and its marks.
#[derive(Clone)]
pub struct Canvas<'a> {
    puzzle: &'a Puzzle,
    sheets: Arc<[Sheet]>,
    /// The starts with other drawings, made when they are first asked for.
    starts: Arc<OnceLock<Option<Box<dyn Starts>>>>,
    /// Whether the puzzle itself is solved that way.
    is_quick: Arc<OnceLock<bool>>,
    /// The symbol of each cell of each drawing, by number, row by row.
    cells: Vec<Vec<u16>>,
}

/// A drawing, and where it is written.
struct Sheet {
    drawn: Drawn,
    text: DrawnText,
    /// The symbols as they are written.
    written: Vec<u16>,
    /// For each part: true if one cell has it, and an edit keeps it at one.
    is_single: Vec<bool>,
}

/// A cell of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the drawing.
    pub sheet: usize,
    /// The number of the cell, row by row.
    pub cell: usize,
}

/// A symbol of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSymbol {
    /// The number of the drawing.
    pub sheet: usize,
    /// The number of the symbol.
    pub symbol: usize,
}

/// A piece: a part in one cell, or in several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The number of the drawing.
    pub sheet: usize,
    /// The number of the part.
    pub part: usize,
    /// Its cells, ascending.
    pub cells: Vec<usize>,
}

/// A direction in which a piece moves by one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
}

impl Direction {
    /// The directions.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["up", "down", "left", "right"][self as usize]
    }
}

impl<'a> Canvas<'a> {
    /// Returns the canvas of a puzzle.
    ///
    /// # Errors
    /// The file does not draw its start.
    pub fn of(puzzle: &'a Puzzle) -> Result<Canvas<'a>, Report> {
        let text = puzzle.file_text();
        let sheets: Option<Vec<Sheet>> = puzzle.drawn().into_iter().map(|drawn| Sheet::read(drawn, &text)).collect();
        let sheets = sheets.unwrap_or_default();
        let size = |sheet: &Sheet| (sheet.written.len(), sheet.text.columns());
        if sheets.is_empty() || sheets.iter().any(|sheet| size(sheet) != size(&sheets[0])) {
            let message = "has no drawing of its start that can be edited";
            let help = match puzzle.domain().name {
                "puzzlescript" => "name a level of the game itself, such as `game.txt#2`",
                _ => "draw the start in the file, instead of naming another file, a scramble or a list",
            };
            return Err(Report::new(puzzle.name(), "", vec![Diagnostic::whole(message).help(help)]));
        }
        let cells = sheets.iter().map(|sheet| sheet.written.clone()).collect();
        Ok(Canvas { puzzle, sheets: sheets.into(), starts: Arc::default(), is_quick: Arc::default(), cells })
    }

    /// Returns the puzzle whose drawing was the first.
    #[must_use]
    pub fn puzzle(&self) -> &'a Puzzle {
        self.puzzle
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells[0].len() / self.columns()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.sheets[0].text.columns()
    }

    /// Returns the drawings as the domain describes them.
    pub fn drawings(&self) -> impl ExactSizeIterator<Item = &Drawn> {
        self.sheets.iter().map(|sheet| &sheet.drawn)
    }

    /// Returns the cells, drawing by drawing and row by row.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let sizes: Vec<usize> = self.cells.iter().map(Vec::len).collect();
        sizes.into_iter().enumerate().flat_map(|(sheet, size)| (0..size).map(move |cell| Place { sheet, cell }))
    }

    /// Returns the symbols that a cell may hold, drawing by drawing.
    pub fn symbols(&self) -> impl Iterator<Item = CellSymbol> + use<> {
        let sizes: Vec<usize> = self.drawings().map(|drawn| drawn.symbols.len()).collect();
        sizes
            .into_iter()
            .enumerate()
            .flat_map(|(sheet, size)| (0..size).map(move |symbol| CellSymbol { sheet, symbol }))
    }

    /// Returns a symbol with its text and its parts.
    #[must_use]
    pub fn symbol(&self, symbol: CellSymbol) -> &Symbol {
        &self.sheets[symbol.sheet].drawn.symbols[symbol.symbol]
    }

    /// Returns the symbol of a cell.
    #[must_use]
    pub fn at(&self, place: Place) -> CellSymbol {
        CellSymbol { sheet: place.sheet, symbol: usize::from(self.cells[place.sheet][place.cell]) }
    }

    /// Returns the symbols of all cells, drawing by drawing and row by row: equal drawings have equal ones.
    #[must_use]
    pub fn cells(&self) -> &[Vec<u16>] {
        &self.cells
    }

    /// Returns the symbol of a drawing with this text.
    #[must_use]
    pub fn symbol_of(&self, sheet: usize, text: &str) -> Option<CellSymbol> {
        Some(CellSymbol { sheet, symbol: self.sheets.get(sheet)?.drawn.symbol_of(text)? })
    }

    /// Returns the symbol of an empty cell of a drawing, if it has one.
    #[must_use]
    pub fn empty(&self, sheet: usize) -> Option<CellSymbol> {
        Some(CellSymbol { sheet, symbol: self.sheets[sheet].drawn.empty()? })
    }

    /// Returns whether a cell holds a part of a piece of several cells.
    #[must_use]
    pub fn holds_block(&self, place: Place) -> bool {
        self.is_block(self.at(place))
    }

    /// Returns whether a symbol is a part of a piece of several cells.
    #[must_use]
    pub fn is_block(&self, symbol: CellSymbol) -> bool {
        let drawn = &self.sheets[symbol.sheet].drawn;
        self.symbol(symbol).parts.iter().any(|part| drawn.parts[*part].kind == PartKind::Block)
    }

    /// Puts a symbol into a cell. A piece of which there is one alone, such as the man, is then no longer where it was:
    /// that cell is empty, or holds the other such piece that the new symbol replaces. Returns whether anything changed.
    pub fn set(&mut self, place: Place, symbol: CellSymbol) -> bool {
        let Sheet { drawn, is_single, .. } = &self.sheets[place.sheet];
        symbol.sheet == place.sheet
            && cells::set(drawn, is_single, &mut self.cells[place.sheet], place.cell, symbol.symbol)
    }

    /// Returns the pieces, in the order of their first cells.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (sheet, Sheet { drawn, .. }) in self.sheets.iter().enumerate() {
            for (cell, symbol) in self.cells[sheet].iter().enumerate() {
                for &part in &drawn.symbols[usize::from(*symbol)].parts {
                    let block = |piece: &&mut Piece| piece.sheet == sheet && piece.part == part;
                    match drawn.parts[part].kind {
                        PartKind::Ground | PartKind::Obstacle => {}
                        PartKind::Piece => pieces.push(Piece { sheet, part, cells: vec![cell] }),
                        PartKind::Block => match pieces.iter_mut().find(block) {
                            Some(piece) => piece.cells.push(cell),
                            None => pieces.push(Piece { sheet, part, cells: vec![cell] }),
                        },
                    }
                }
            }
        }
        pieces.into_iter()
    }

    /// Returns the name of a piece.
    #[must_use]
    pub fn name(&self, piece: &Piece) -> &str {
        &self.sheets[piece.sheet].drawn.parts[piece.part].name
    }

    /// Takes a piece away. Returns false, and changes nothing, if no symbol is there without it.
    pub fn remove(&mut self, piece: &Piece) -> bool {
        self.replace(piece, &[])
    }

    /// Moves a piece by one cell. Returns false, and changes nothing, if that leads over an edge or into something.
    pub fn shift(&mut self, piece: &Piece, direction: Direction) -> bool {
        let (rows, columns) = (self.rows(), self.columns());
        let next = |cell: usize| match direction {
            Direction::Up => cell.checked_sub(columns),
            Direction::Down => Some(cell + columns).filter(|cell| *cell < rows * columns),
            Direction::Left => (!cell.is_multiple_of(columns)).then(|| cell - 1),
            Direction::Right => (cell % columns + 1 < columns).then(|| cell + 1),
        };
        let after: Option<Vec<usize>> = piece.cells.iter().map(|cell| next(*cell)).collect();
        after.is_some_and(|after| self.replace(piece, &after))
    }

    /// Takes a piece from its cells, and puts it into others.
    fn replace(&mut self, piece: &Piece, after: &[usize]) -> bool {
        let drawn = &self.sheets[piece.sheet].drawn;
        cells::replace(drawn, &mut self.cells[piece.sheet], piece.part, &piece.cells, after)
    }

    /// Returns whether this drawing differs from another only by obstacles in place of empty cells: then each of its
    /// solutions is one of the other.
    #[must_use]
    pub fn only_obstructs(&self, other: &Canvas) -> bool {
        let pairs = |sheet: usize| self.cells[sheet].iter().zip(&other.cells[sheet]);
        (0..self.sheets.len()).all(|sheet| {
            let drawn = &self.sheets[sheet].drawn;
            let obstructs =
                |new: &u16, old: &u16| Some(usize::from(*old)) == drawn.empty() && drawn.is_obstacle(usize::from(*new));
            pairs(sheet).all(|(new, old)| new == old || obstructs(new, old))
        })
    }

    /// Returns the text of the puzzle file with this drawing; all else stays as it is, claims about the answer included.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.puzzle.file_text().into_owned();
        let mut values = Vec::new();
        for (sheet, cells) in self.sheets.iter().zip(&self.cells) {
            let changed = cells.iter().zip(&sheet.written).enumerate().filter(|(_, (new, old))| new != old);
            let changed = changed.map(|(cell, (new, _))| (cell, sheet.drawn.symbols[usize::from(*new)].text.clone()));
            let mut changed = changed.peekable();
            if changed.peek().is_some() {
                values.push((sheet.text.span(), sheet.text.with(&text, changed)));
            }
        }
        // From the end, so that the bytes before stay where they are.
        values.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, value) in values {
            text.replace_range(span, &value);
        }
        text
    }

    /// Returns this canvas with other symbols in all cells, by number, drawing by drawing and row by row.
    #[must_use]
    pub fn with(&self, cells: &[Vec<u16>]) -> Canvas<'a> {
        Canvas { cells: cells.to_vec(), ..self.clone() }
    }

    /// Returns the least cost with these symbols in the cells, if the domain finds it without reading the puzzle and
    /// within a few states.
    #[must_use]
    pub fn least_cost(&self, cells: &[Vec<u16>], limits: &Limits) -> Option<LeastCost> {
        let most = limits.nodes.map_or(MOST_UNREAD, |nodes| nodes.min(MOST_UNREAD));
        self.starts.get_or_init(|| self.puzzle.starts(limits)).as_ref()?.least_cost(cells, most)
    }

    /// Returns a solution with these symbols in the cells that costs less than this; the inner `None` if there is none. The
    /// outer one means that the domain cannot search so, or not within the limit on nodes.
    #[must_use]
    pub fn cheaper(&self, cells: &[Vec<u16>], cost: f64, limits: &Limits) -> Option<Option<Vec<u32>>> {
        let most = limits.nodes.unwrap_or(MOST_UNREAD);
        self.starts.get_or_init(|| self.puzzle.starts(limits)).as_ref()?.cheaper(cells, cost, most)
    }

    /// Returns whether a solution that [`cheaper`](Self::cheaper) has found is one with these symbols in the cells, too.
    #[must_use]
    pub fn allows(&self, cells: &[Vec<u16>], solution: &[u32]) -> bool {
        self.starts.get().and_then(Option::as_ref).is_some_and(|starts| starts.allows(cells, solution))
    }

    /// Returns the symbols of the first drawing with its pieces in other cells, where the least cost is the greatest that
    /// is wanted, and that cost. The outer `None` means that the domain cannot search so, the inner one that there is no
    /// such start.
    #[must_use]
    pub fn farthest(
        &self,
        cells: &[Vec<u16>],
        wanted: &WantedStart,
        limits: &Limits,
    ) -> Option<Option<(Vec<u16>, LeastCost)>> {
        self.starts.get_or_init(|| self.puzzle.starts(limits)).as_ref()?.farthest(cells, wanted)
    }

    /// Returns the number of solutions of the least cost, which is known, apart from moves that cost nothing, with these
    /// symbols in the cells; `most` if there are as many or more. `None` if the domain cannot count so, or not within
    /// the limit on nodes.
    #[must_use]
    pub fn solutions(&self, cells: &[Vec<u16>], cost: f64, most: u64, limits: &Limits) -> Option<u64> {
        let most_states = limits.nodes.unwrap_or(MOST_UNREAD);
        self.starts.get_or_init(|| self.puzzle.starts(limits)).as_ref()?.solutions(cells, cost, most_states, most)
    }

    /// Returns the least cost for this drawing, unless the puzzle itself takes more states: then most of its changes do, too, and
    /// these states would be searched in vain.
    #[must_use]
    pub fn quick_cost(&self, limits: &Limits) -> Option<LeastCost> {
        let written = || self.sheets.iter().map(|sheet| sheet.written.clone()).collect::<Vec<_>>();
        let is_quick = *self.is_quick.get_or_init(|| self.least_cost(&written(), limits).is_some());
        if is_quick { self.least_cost(&self.cells, limits) } else { None }
    }

    /// Reads the puzzle with this drawing, within these limits, by the options of the first one.
    ///
    /// # Errors
    /// The drawing is not valid, such as a maze without a goal: each mistake, with its place in the new text.
    pub fn open(&self, limits: &Limits) -> Result<Puzzle, Report> {
        self.puzzle.reread(self.text(), limits)
    }

    /// Returns the drawing in rows of text, one drawing after the other.
    #[must_use]
    pub fn drawn(&self) -> String {
        let columns = self.columns();
        let mut out = String::new();
        for (Sheet { drawn, .. }, cells) in self.sheets.iter().zip(&self.cells) {
            for row in cells.chunks(columns) {
                let texts: Vec<&str> = row.iter().map(|cell| &*drawn.symbols[usize::from(*cell)].text).collect();
                out += &(texts.join(if drawn.has_words { " " } else { "" }) + "\n");
            }
        }
        out
    }
}

impl Sheet {
    /// Finds a drawing in the text of its file; `None` if it has other symbols than the domain lists.
    fn read(drawn: Drawn, text: &str) -> Option<Sheet> {
        let place = DrawnText::find(&drawn, text)?;
        let written: Option<Vec<u16>> = place.cells().map(|cell| Some(drawn.symbol_of(cell)? as u16)).collect();
        let written = written?;
        let is_single = cells::singles(&drawn, &written);
        Some(Sheet { drawn, text: place, written, is_single })
    }
}
