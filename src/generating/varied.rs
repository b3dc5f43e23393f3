//! Random drawings of a template: its marked cells hold random symbols, its bag of pieces is put anywhere, and the best
//! so far are changed.

use super::alike::Images;
use super::archive::Archive;
use super::farthest::farthest;
use super::judge;
use super::level::Level;
use super::rounds::{Candidates, Tried};
use crate::diagnostic::{Diagnostic, Report};
use crate::document::Spanned;
use crate::domain::{LeastCost, SplitMix64, WantedStart};
use crate::editing::{Canvas, CellSymbol, Piece, Place};
use crate::puzzle::{Band, Puzzle, Symmetry, Template, Way};
use crate::search::{Limit, Limits};
use std::cell::OnceCell;
use std::collections::HashSet;

/// The most rounds of attempts to meet the bounds on numbers.
const MOST_ATTEMPTS: usize = 200;

/// The symbols of the sheets, row by row.
pub(super) type Sheets = Vec<Vec<u16>>;

/// Returns the image of a cell, of its row and column, on a board of this height and width.
type Image = fn(usize, usize, usize, usize) -> (usize, usize);

/// A cell that varies, with its symbols and their weights.
pub(super) struct Varied {
    pub place: Place,
    pub symbols: Vec<(u16, f64)>,
}

/// A piece of the bag.
pub(super) struct Bagged {
    pub piece: Piece,
    /// The cells of a piece as an offset from its first, in rows and columns.
    shape: Vec<(isize, isize)>,
    pub symbol: u16,
    pub may_be_out: bool,
    may_be_in: bool,
}

/// The drawings of a template.
pub(super) struct Drawings<'a> {
    pub wants: &'a Template,
    pub canvas: Canvas<'a>,
    pub cells: Vec<Varied>,
    pub bag: Vec<Bagged>,
    pub numbers: Vec<(CellSymbol, Band)>,
    pub empty: u16,
    is_farthest: bool,
    /// The numbers in `cells` of the cells of the first drawing that vary.
    varied: Vec<Option<usize>>,
}

impl<'a> Drawings<'a> {
    /// Reads what varies in a template.
    pub fn of(template: &'a Puzzle, wants: &'a Template) -> Result<Drawings<'a>, Report> {
        let canvas = Canvas::of(template)?;
        let mut errors = Vec::new();
        let empty = canvas.drawings().next().and_then(|drawn| drawn.empty()).unwrap_or(0) as u16;
        let is_farthest = wants.way.as_ref().is_some_and(|way| *way.get_ref() == Way::Farthest);
        let varied = vec![None; canvas.cells()[0].len()];
        let (cells, bag, numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut drawings = Drawings { wants, canvas, cells, bag, numbers, empty, is_farthest, varied };
        drawings.read_cells(&mut errors);
        for (number, cell) in drawings.cells.iter().enumerate().filter(|(_, cell)| cell.place.sheet == 0) {
            drawings.varied[cell.place.cell] = Some(number);
        }
        drawings.read_bag(&mut errors);
        drawings.read_numbers(&mut errors);
        if errors.is_empty() { Ok(drawings) } else { Err(template.report(errors)) }
    }

    /// Returns the symbol with this text, or the error that there is none.
    fn symbol(&self, name: &Spanned<String>) -> Result<CellSymbol, Diagnostic> {
        let sheets = self.canvas.drawings().len();
        (0..sheets).find_map(|sheet| self.canvas.symbol_of(sheet, name.get_ref())).ok_or_else(|| {
            let known = self.canvas.symbols().map(|symbol| format!("`{}`", self.canvas.symbol(symbol).text));
            let help = format!("the symbols of the drawing are {}", known.collect::<Vec<_>>().join(", "));
            Diagnostic::at(name.span(), format!("unknown symbol `{}`", name.get_ref())).help(help)
        })
    }

    fn read_cells(&mut self, errors: &mut Vec<Diagnostic>) {
        let Some(cells) = &self.wants.cells else { return };
        let has_words = self.canvas.drawings().next().is_some_and(|drawn| drawn.has_words);
        let rows = cells.get_ref().trim_matches('\n').lines();
        let rows: Vec<Vec<String>> = rows
            .map(|row| match has_words {
                true => row.split_whitespace().map(str::to_owned).collect(),
                false => row.chars().map(String::from).collect(),
            })
            .collect();
        let (height, width) = (self.canvas.rows(), self.canvas.columns());
        if rows.len() != height || rows.iter().any(|row| row.len() != width) {
            let message = format!("`cells` has another size than the start: expected {height} rows of {width} marks");
            errors.push(Diagnostic::at(cells.span(), message));
            return;
        }
        for mark in &self.wants.symbols {
            let symbols: Vec<Result<(CellSymbol, f64), Diagnostic>> =
                mark.symbols.iter().map(|(name, weight)| self.symbol(name).map(|symbol| (symbol, *weight))).collect();
            let mut known = Vec::new();
            for symbol in symbols {
                match symbol {
                    Ok(symbol) => known.push(symbol),
                    Err(error) => errors.push(error),
                }
            }
            let marked = rows.iter().flatten().enumerate().filter(|(_, name)| *name == mark.name.get_ref());
            let marked: Vec<usize> = marked.map(|(cell, _)| cell).collect();
            if marked.is_empty() {
                let message = format!("no cell is marked by `{}`", mark.name.get_ref());
                errors.push(Diagnostic::at(mark.name.span(), message).help("put the mark into `cells`"));
            }
            let of_first: f64 = known.iter().filter(|(symbol, _)| symbol.sheet == 0).map(|(_, weight)| weight).sum();
            for (sheet, drawn) in self.canvas.drawings().enumerate() {
                let mut own: Vec<(u16, f64)> = known
                    .iter()
                    .filter(|(symbol, _)| symbol.sheet == sheet)
                    .map(|(symbol, weight)| (symbol.symbol as u16, *weight))
                    .collect();
                if own.is_empty() {
                    continue;
                }
                // In a second drawing, such as that of marks, all other cells are empty.
                if let (true, Some(empty)) = (sheet > 0, drawn.empty()) {
                    own.push((empty as u16, of_first.max(1.0)));
                }
                self.cells
                    .extend(marked.iter().map(|&cell| Varied { place: Place { sheet, cell }, symbols: own.clone() }));
            }
        }
        if self.wants.symbols.is_empty() {
            let help = "name the symbols of each mark, as in `symbols = { \"?\" = { \"#\" = 1, \".\" = 3 } }`";
            errors.push(Diagnostic::at(cells.span(), "`cells` has marks without symbols").help(help));
        }
    }

    fn read_bag(&mut self, errors: &mut Vec<Diagnostic>) {
        let columns = self.canvas.columns() as isize;
        for name in &self.wants.bag {
            let Some(piece) = self.canvas.pieces().find(|piece| self.canvas.name(piece) == name.get_ref()) else {
                let message = format!("the drawing has no piece `{}`", name.get_ref());
                errors.push(Diagnostic::at(name.span(), message).help("draw every piece of the bag in the start"));
                continue;
            };
            let place = |cell: usize| (cell as isize / columns, cell as isize % columns);
            let (row, column) = place(piece.cells[0]);
            let shape = piece.cells.iter().map(|cell| (place(*cell).0 - row, place(*cell).1 - column)).collect();
            let symbol = self.canvas.at(Place { sheet: piece.sheet, cell: piece.cells[0] }).symbol as u16;
            let band =
                self.wants.number.iter().find(|(other, _)| other.get_ref() == name.get_ref()).map(|(_, band)| *band);
            let (may_be_out, may_be_in) = band.map_or((true, true), |band| (band.least < 1.0, band.most >= 1.0));
            self.bag.push(Bagged { piece, shape, symbol, may_be_out, may_be_in });
        }
    }

    fn read_numbers(&mut self, errors: &mut Vec<Diagnostic>) {
        for (name, band) in &self.wants.number {
            if self.wants.bag.iter().any(|other| other.get_ref() == name.get_ref()) {
                continue;
            }
            match self.symbol(name) {
                Err(error) => errors.push(error),
                Ok(symbol) => {
                    let has = |cell: &&Varied| {
                        cell.place.sheet == symbol.sheet
                            && cell.symbols.iter().any(|(other, _)| usize::from(*other) == symbol.symbol)
                    };
                    let room = self.cells.iter().filter(has).count();
                    if band.least > room as f64 {
                        let message = format!("`{}` cannot be in {} cells", name.get_ref(), band.least);
                        errors.push(Diagnostic::at(name.span(), message).help(format!("{room} cells may hold it")));
                    }
                    self.numbers.push((symbol, *band));
                }
            }
        }
    }

    /// Puts a random symbol into a cell that varies.
    fn redraw(&self, sheets: &mut Sheets, cell: &Varied, random: &mut SplitMix64) {
        let total: f64 = cell.symbols.iter().map(|(_, weight)| weight).sum();
        let mut left = random.below(1 << 32) as f64 / (1_u64 << 32) as f64 * total;
        let chosen = cell.symbols.iter().find(|(_, weight)| {
            left -= weight;
            left < 0.0
        });
        let (symbol, _) = chosen.unwrap_or(&cell.symbols[0]);
        let at = &mut sheets[cell.place.sheet][cell.place.cell];
        // Pieces of the bag keep their cells.
        if !self.is_bagged(cell.place.sheet, *at) {
            *at = *symbol;
        }
    }

    pub(super) fn is_bagged(&self, sheet: usize, symbol: u16) -> bool {
        self.bag.iter().any(|bagged| bagged.piece.sheet == sheet && bagged.symbol == symbol)
    }

    /// Puts a piece of the bag at a random place, or takes it out.
    fn toss(&self, sheets: &mut Sheets, bagged: &Bagged, random: &mut SplitMix64) {
        let (rows, columns) = (self.canvas.rows() as isize, self.canvas.columns() as isize);
        let sheet = &mut sheets[bagged.piece.sheet];
        let before = sheet.clone();
        sheet.iter_mut().filter(|cell| **cell == bagged.symbol).for_each(|cell| *cell = self.empty);
        if !bagged.may_be_in || bagged.may_be_out && random.below(4) == 0 {
            return;
        }
        for _ in 0..20 {
            let (row, column) = (random.below(rows as u64) as isize, random.below(columns as u64) as isize);
            let cells = bagged.shape.iter().map(|(down, right)| (row + down, column + right));
            let is_on = |(row, column): (isize, isize)| {
                (0..rows).contains(&row)
                    && (0..columns).contains(&column)
                    && sheet[(row * columns + column) as usize] == self.empty
            };
            if cells.clone().all(is_on) {
                cells.for_each(|(row, column)| sheet[(row * columns + column) as usize] = bagged.symbol);
                return;
            }
        }
        *sheet = before;
    }

    /// Makes each number lie within its bounds; returns false if that fails.
    pub(super) fn bound(&self, sheets: &mut Sheets, random: &mut SplitMix64) -> bool {
        for _ in 0..MOST_ATTEMPTS {
            let wrong = self.numbers.iter().find_map(|(symbol, band)| {
                let has = |cell: &&Varied| {
                    cell.place.sheet == symbol.sheet
                        && usize::from(sheets[cell.place.sheet][cell.place.cell]) == symbol.symbol
                };
                let count = self.cells.iter().filter(has).count() as f64;
                (band.distance(count) > 0.0).then_some((*symbol, count < band.least))
            });
            let Some((symbol, is_few)) = wrong else { return true };
            let is_bounded = |sheet: usize, other: u16| {
                self.numbers.iter().any(|(known, _)| known.sheet == sheet && known.symbol == usize::from(other))
            };
            let fits = |cell: &&Varied| {
                let held = sheets[cell.place.sheet][cell.place.cell];
                let may = cell.symbols.iter().any(|(other, _)| usize::from(*other) == symbol.symbol);
                cell.place.sheet == symbol.sheet
                    && match is_few {
                        true => may && !is_bounded(symbol.sheet, held) && !self.is_bagged(symbol.sheet, held),
                        false => usize::from(held) == symbol.symbol,
                    }
            };
            let mut places: Vec<&Varied> = self.cells.iter().filter(fits).collect();
            // A mark on a wall is of no use.
            let free = |cell: &&Varied| cell.place.sheet == 0 || self.is_open(sheets[0][cell.place.cell]);
            if is_few && places.iter().any(free) {
                places.retain(free);
            }
            if places.is_empty() {
                return false;
            }
            let cell = places[random.below(places.len() as u64) as usize];
            match is_few {
                true => sheets[cell.place.sheet][cell.place.cell] = symbol.symbol as u16,
                false => self.redraw(sheets, cell, random),
            }
        }
        false
    }

    /// Returns whether a symbol of the first drawing is no ground but the empty one.
    pub(super) fn is_open(&self, symbol: u16) -> bool {
        let drawn = self.canvas.drawings().next();
        symbol == self.empty
            || drawn.is_some_and(|drawn| {
                drawn.symbols[usize::from(symbol)].parts.iter().any(|part| !drawn.parts[*part].kind.is_ground())
            })
    }

    /// Makes the ground symmetric: a cell has the ground of its first image.
    pub(super) fn mirror(&self, sheets: &mut Sheets) {
        let Some(symmetry) = self.wants.symmetry else { return };
        let (rows, columns) = (self.canvas.rows(), self.canvas.columns());
        let images: &[Image] = match symmetry {
            Symmetry::LeftRight => &[|row, column, _, width| (row, width - 1 - column)],
            Symmetry::UpDown => &[|row, column, height, _| (height - 1 - row, column)],
            Symmetry::HalfTurn => &[|row, column, height, width| (height - 1 - row, width - 1 - column)],
            Symmetry::Both => &[
                |row, column, _, width| (row, width - 1 - column),
                |row, column, height, _| (height - 1 - row, column),
            ],
        };
        let varies = |cell: usize| self.cells.iter().any(|other| other.place == Place { sheet: 0, cell });
        let is_ground = |symbol: u16| symbol == self.empty || !self.is_open(symbol);
        for image in images {
            for cell in 0..rows * columns {
                let (row, column) = image(cell / columns, cell % columns, rows, columns);
                let other = row * columns + column;
                let (from, to) = (sheets[0][cell], sheets[0][other]);
                if other > cell && varies(other) && is_ground(to) {
                    // Under a piece, the ground is empty.
                    sheets[0][other] = if is_ground(from) { from } else { self.empty };
                } else if other > cell && varies(cell) && !is_ground(to) && is_ground(from) {
                    sheets[0][cell] = self.empty;
                }
            }
        }
    }

    /// Draws a new candidate, or changes one of the best.
    fn draw(&self, archive: &Archive, random: &mut SplitMix64) -> Option<Sheets> {
        let parent = if random.below(4) == 0 { None } else { archive.draw(random) };
        let parent = parent.map(|level| level.whole.as_ref().unwrap_or(&level.board));
        let parent = parent.and_then(|board| serde_json::from_str::<Sheets>(board).ok());
        let mut sheets = match parent {
            Some(mut sheets) => {
                for _ in 0..=random.below(3) {
                    self.change(&mut sheets, random);
                }
                sheets
            }
            None => {
                let mut sheets = self.canvas.cells().to_vec();
                self.cells.iter().for_each(|cell| self.redraw(&mut sheets, cell, random));
                // A piece in the way of another may have gone after the first pass.
                for bagged in self.bag.iter().chain(&self.bag) {
                    self.toss(&mut sheets, bagged, random);
                }
                sheets
            }
        };
        if !self.bound(&mut sheets, random) {
            return None;
        }
        self.mirror(&mut sheets);
        Some(sheets)
    }

    /// Makes one random change: a cell is drawn anew, two cells are exchanged, or a piece of the bag is moved.
    fn change(&self, sheets: &mut Sheets, random: &mut SplitMix64) {
        let choice = random.below((self.cells.len() + 4 * self.bag.len()).max(1) as u64) as usize;
        if choice >= self.cells.len() {
            if let Some(bagged) = self.bag.get((choice - self.cells.len()) / 4) {
                self.toss(sheets, bagged, random);
            }
            return;
        }
        let one = &self.cells[choice];
        let other = &self.cells[random.below(self.cells.len() as u64) as usize];
        let holds = |cell: &Varied, symbol: u16| cell.symbols.iter().any(|(known, _)| *known == symbol);
        let (first, second) = (sheets[one.place.sheet][one.place.cell], sheets[other.place.sheet][other.place.cell]);
        let may = one.place.sheet == other.place.sheet && holds(one, second) && holds(other, first);
        match may && random.below(2) == 0 {
            true => sheets[one.place.sheet].swap(one.place.cell, other.place.cell),
            false => self.redraw(sheets, one, random),
        }
    }

    /// Puts the pieces of a drawing where the least cost is a random one of those wanted, or the nearest below it. The
    /// outer `None` means that the domain cannot search so, the inner one that there is no solution.
    fn put(&self, sheets: &Sheets, random: &mut SplitMix64, limits: &Limits) -> Option<Option<(Sheets, LeastCost)>> {
        if self.wants.unsolvable || !self.bag.is_empty() || self.is_farthest {
            return None;
        }
        let most_cost = self.wants.cost.map(|band| {
            let costs = (band.most - band.least.ceil()).max(0.0) as u64;
            band.least.ceil() + random.below(costs.saturating_add(1)) as f64
        });
        let may_hold = |cell: usize, symbol: u16| {
            symbol == sheets[0][cell]
                || self.varied[cell].is_some_and(|cell| {
                    let may = |symbol: u16| self.cells[cell].symbols.iter().any(|(known, _)| *known == symbol);
                    may(symbol) && may(sheets[0][self.cells[cell].place.cell])
                })
        };
        let most_states = limits.nodes.unwrap_or(u64::MAX);
        let wanted = WantedStart { most_cost, most_states, pick: random.below(1 << 63), may_hold: &may_hold };
        let found = self.canvas.farthest(sheets, &wanted, limits)?;
        Some(found.map(|(cells, known)| {
            let mut sheets = sheets.clone();
            sheets[0] = cells;
            (sheets, known)
        }))
    }

    /// Compares a drawing with what is wanted. It is read only if the answer depends on more than the least cost, which may
    /// be known.
    pub(super) fn judge(
        &self,
        wants: &Template,
        sheets: &Sheets,
        known: Option<LeastCost>,
        limits: &Limits,
    ) -> Result<Option<Level>, Limit> {
        let (mut known, read) = (known.or_else(|| self.canvas.least_cost(sheets, limits)), OnceCell::new());
        if let Some(LeastCost { cost: Some(cost), solutions: solutions @ None, .. }) = &mut known
            && let Some(most) = judge::most_solutions(wants, *cost)
        {
            *solutions = self.canvas.solutions(sheets, *cost, most, limits);
        }
        let puzzle = || read.get_or_init(|| self.canvas.with(sheets).open(limits).ok()).as_ref();
        judge::judge(wants, known, puzzle, || serde_json::to_string(sheets).unwrap_or_default(), limits)
    }
}

impl Candidates for Drawings<'_> {
    fn make(&self, _job: u64, archive: &Archive, random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit> {
        let mut tried = Tried { count: 1, levels: Vec::new() };
        let Some(mut sheets) = self.draw(archive, random) else { return Ok(tried) };
        let limits = judge::limits_of(self.wants, limits);
        if self.is_farthest {
            let Ok(puzzle) = self.canvas.with(&sheets).open(&limits) else { return Ok(tried) };
            let Some((cells, _)) = farthest(&puzzle, &limits)? else { return Ok(tried) };
            let symbol = |text: &String| self.canvas.symbol_of(0, text).map(|symbol| symbol.symbol as u16);
            let Some(cells) = cells.iter().map(symbol).collect() else { return Ok(tried) };
            sheets[0] = cells;
        }
        let mut known = None;
        match self.put(&sheets, random, &limits) {
            Some(Some((put, cost))) => (sheets, known) = (put, Some(cost)),
            Some(None) => return Ok(tried),
            None => {}
        }
        // A difficulty takes longest, and changes with what is taken away.
        let rating = self.wants.rating.clone().filter(|_| !self.wants.needed);
        let first = Template { rating, ..self.wants.clone() };
        let Some(mut level) = self.judge(&first, &sheets, known, &limits)? else { return Ok(tried) };
        if self.wants.needed && level.gap == 0.0 {
            let Some(less) = self.pruned(sheets.clone(), level.cost, &limits)? else { return Ok(tried) };
            if less != sheets || self.wants.rating.is_some() {
                sheets = less;
                let known = known.filter(|_| !self.wants.unique);
                let Some(again) = self.judge(self.wants, &sheets, known, &limits)? else { return Ok(tried) };
                level = Level { whole: Some(level.board), ..again };
            }
        }
        let key = Images::of_canvas(&self.canvas, &sheets).key();
        tried.levels.push((level, Some(key)));
        Ok(tried)
    }

    fn text(&self, board: &str) -> String {
        let sheets: Sheets = serde_json::from_str(board).unwrap_or_default();
        self.canvas.with(&sheets).text()
    }

    fn images(&self, board: &str) -> Option<Images> {
        let mut sheets: Sheets = serde_json::from_str(board).ok()?;
        // Two levels cannot differ in cells that never vary.
        if self.bag.is_empty() {
            let varied: HashSet<Place> = self.cells.iter().map(|cell| cell.place).collect();
            for (sheet, drawn) in self.canvas.drawings().enumerate() {
                let fixed = |cell: &usize| !varied.contains(&Place { sheet, cell: *cell });
                let empty = drawn.empty().unwrap_or(0) as u16;
                (0..sheets[sheet].len()).filter(fixed).for_each(|cell| sheets[sheet][cell] = empty);
            }
        }
        Some(Images::of_canvas(&self.canvas, &sheets))
    }
}
