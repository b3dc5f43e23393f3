//! A Sokoban board: reads its symbols, checks it, and draws the start and the marks of a puzzle.

use super::super::diagnostic::Diagnostic;
use std::ops::Range;

/// A cell as it is written: its symbol, and its bytes in the text.
pub(super) type Cell = (char, Range<usize>);

/// The greatest number of cells of a board, and of the characters of a level.
pub(super) const MAX_CELLS: usize = 10_000;

/// A checked board.
#[derive(Debug)]
pub(super) struct SokobanBoard {
    /// The rows of the start, each with a line end: walls and everything out of reach `#`, floor `.`, the man `@`,
    /// boxes `$`.
    pub start: String,
    /// The goals `x`.
    pub marks: String,
    /// The bytes of the man, of the first box that he can reach, and of the first such goal.
    pub man: Range<usize>,
    pub filled: Range<usize>,
    pub goal: Range<usize>,
    pub warnings: Vec<Diagnostic>,
}

/// The meaning of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Square {
    wall: bool,
    man: bool,
    filled: bool,
    goal: bool,
}

/// Returns the meaning of a symbol; `None` for symbols of no board.
fn square(symbol: char) -> Option<Square> {
    let (mut wall, mut man, mut filled, mut goal) = (false, false, false, false);
    match symbol {
        '#' => wall = true,
        // Levels that are copied from a page of the web have no-break spaces.
        ' ' | '-' | '_' | '\t' | '\u{a0}' => {}
        '@' | 'p' => man = true,
        '+' | 'P' => (man, goal) = (true, true),
        '$' | 'b' => filled = true,
        '*' | 'B' => (filled, goal) = (true, true),
        '.' | 'o' => goal = true,
        _ => return None,
    }
    Some(Square { wall, man, filled, goal })
}

/// Returns whether a symbol may stand on a board.
pub(super) fn is_symbol(symbol: char) -> bool {
    square(symbol).is_some()
}

/// A rectangle of squares, with the bytes of those that are written.
struct Grid {
    columns: usize,
    squares: Vec<Square>,
    spans: Vec<Option<Range<usize>>>,
}

impl Grid {
    /// Returns the rectangle around everything that is not empty floor.
    fn read(rows: &[Vec<Cell>], span: &Range<usize>) -> Result<Grid, Diagnostic> {
        let too_large = || {
            let message = format!("the board is too large: it has more than {MAX_CELLS} cells");
            Diagnostic::at(span.clone(), message).label("this level")
        };
        let rows: Vec<Vec<Cell>> = rows.iter().map(|row| without_tabs(row)).collect();
        let rows = content(&rows);
        let has_content = |cell: &Cell| !is_floor(cell);
        let left = rows.iter().filter_map(|row| row.iter().position(has_content)).min().unwrap_or(0);
        let right = rows.iter().filter_map(|row| row.iter().rposition(has_content)).max().map_or(0, |at| at + 1);
        let columns = right - left;
        if columns.saturating_mul(rows.len()) > MAX_CELLS {
            return Err(too_large());
        }
        let (mut squares, mut spans) = (Vec::new(), Vec::new());
        for row in rows {
            for column in left..right {
                let Some((symbol, span)) = row.get(column) else {
                    squares.push(Square::default());
                    spans.push(None);
                    continue;
                };
                let Some(square) = square(*symbol) else {
                    let error = Diagnostic::at(span.clone(), format!("`{symbol}` is not a symbol of a board"));
                    return Err(error.help("the symbols are `#@+$*.`, and space, `-` or `_` for floor"));
                };
                squares.push(square);
                spans.push(Some(span.clone()));
            }
        }
        Ok(Grid { columns, squares, spans })
    }

    /// Returns the bytes of a cell, or of the nearest cell before it that is written.
    fn span(&self, cell: usize) -> Range<usize> {
        let before = self.spans[..=cell].iter().rev().flatten().next();
        before.or_else(|| self.spans.iter().flatten().next()).cloned().unwrap_or(0..0)
    }

    /// Returns the cells that a man on a cell could reach if there were no boxes, or the place where he leaves the
    /// board.
    fn reached(&self, man: usize) -> Result<Vec<bool>, usize> {
        let rows = self.squares.len() / self.columns;
        let mut reached = vec![false; self.squares.len()];
        let mut open = vec![man];
        reached[man] = true;
        while let Some(cell) = open.pop() {
            let (row, column) = (cell / self.columns, cell % self.columns);
            if row == 0 || column == 0 || row + 1 == rows || column + 1 == self.columns {
                return Err(cell);
            }
            for next in [cell - self.columns, cell - 1, cell + 1, cell + self.columns] {
                if !self.squares[next].wall && !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        Ok(reached)
    }
}

/// Replaces tabs by spaces up to the next multiple of 8 columns, as terminals show them.
fn without_tabs(row: &[Cell]) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    for (symbol, span) in row {
        match symbol {
            '\t' => {
                let column = (out.len() + 1).next_multiple_of(8);
                out.resize(column, (' ', span.clone()));
            }
            symbol => out.push((*symbol, span.clone())),
        }
    }
    out
}

impl SokobanBoard {
    /// Checks a board. `span` holds all of its bytes.
    ///
    /// # Errors
    /// There is not exactly one man, no box, no goal, or the walls are not closed around the man.
    pub fn read(rows: &[Vec<Cell>], span: Range<usize>) -> Result<SokobanBoard, Vec<Diagnostic>> {
        let grid = Grid::read(rows, &span).map_err(|error| vec![error])?;
        let cells = |is: fn(&Square) -> bool| -> Vec<usize> {
            (0..grid.squares.len()).filter(|&cell| is(&grid.squares[cell])).collect()
        };
        let mut errors = Vec::new();
        let missing = |message: &str, help: &str| Diagnostic::at(span.clone(), message).label("this level").help(help);
        let men = cells(|square| square.man);
        match men[..] {
            [] => errors.push(missing("the level has no man", "write `@` where he stands, or `+` if it is a goal")),
            [_] => {}
            [first, second, ..] => {
                let place =
                    |cell: usize| format!("row {}, column {}", cell / grid.columns + 1, cell % grid.columns + 1);
                let error = Diagnostic::at(grid.span(second), "the level has more than one man");
                errors.push(error.label(format!("the first stands at {} of the board", place(first))));
            }
        }
        if cells(|square| square.filled).is_empty() {
            errors.push(missing("the level has no box", "write `$`, or `*` for a box on a goal"));
        }
        if cells(|square| square.goal).is_empty() {
            errors.push(missing("the level has no goal", "write `.`, or `*` under a box and `+` under the man"));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let reached = grid.reached(men[0]).map_err(|cell| {
            let error = Diagnostic::at(grid.span(cell), "the walls of the level are not closed");
            vec![error.label("the man can leave the board here").help("close the gap with `#`")]
        })?;
        // A box out of reach is no more than a wall if it is on a goal. Otherwise it makes the level unsolvable.
        let start = |cell: usize| match grid.squares[cell] {
            Square { man: true, .. } => '@',
            Square { filled: true, goal, .. } if reached[cell] || !goal => '$',
            _ if reached[cell] => '.',
            _ => '#',
        };
        let mark = |cell: usize| if grid.squares[cell].goal && reached[cell] { 'x' } else { '.' };
        let draw = |symbol: &dyn Fn(usize) -> char| -> String {
            let all: Vec<char> = (0..grid.squares.len()).map(symbol).collect();
            all.chunks(grid.columns).flat_map(|row| row.iter().chain(&['\n'])).collect()
        };
        let first = |is: fn(&Square) -> bool| {
            let found = (0..grid.squares.len()).find(|&cell| is(&grid.squares[cell]) && reached[cell]);
            found.map_or(span.clone(), |cell| grid.span(cell))
        };
        let (filled, goal) = (first(|square| square.filled), first(|square| square.goal));
        let count = |is: fn(&Square) -> bool| {
            grid.squares.iter().zip(&reached).filter(|(square, reached)| is(square) && **reached).count()
        };
        let (boxes, goals) = (count(|square| square.filled), count(|square| square.goal));
        for (number, what) in [(boxes, "box"), (goals, "goal")] {
            if number == 0 {
                let message = format!("the man can reach no {what} of the level");
                return Err(vec![Diagnostic::at(span, message).label("this level")]);
            }
        }
        let mut warnings = Vec::new();
        let is_lost = |cell: &usize| grid.squares[*cell].filled && !grid.squares[*cell].goal && !reached[*cell];
        if let Some(lost) = (0..grid.squares.len()).find(is_lost) {
            let message = "this box is on no goal and out of reach: there is no solution";
            warnings.push(Diagnostic::at(grid.span(lost), message).warning());
        }
        if boxes > goals {
            let message = format!("the level has more boxes ({boxes}) than goals ({goals}): there is no solution");
            warnings.push(Diagnostic::at(span, message).label("this level").warning());
        }
        let man = grid.span(men[0]);
        Ok(SokobanBoard { start: draw(&start), marks: draw(&mark), man, filled, goal, warnings })
    }
}

/// Returns the bytes and the symbols of the rows from the first to the last that is not empty floor; none if a row between
/// them has no bytes.
pub(super) fn drawn_rows(rows: &[Vec<Cell>]) -> Vec<(Range<usize>, String)> {
    let drawn = |row: &Vec<Cell>| {
        let span = row.first()?.1.start..row.last()?.1.end;
        Some((span, without_tabs(row).iter().map(|(symbol, _)| symbol).collect()))
    };
    content(rows).iter().map(drawn).collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn is_floor((symbol, _): &Cell) -> bool {
    square(*symbol) == Some(Square::default())
}

/// Returns the rows from the first to the last that is not empty floor.
fn content(rows: &[Vec<Cell>]) -> &[Vec<Cell>] {
    let is_full = |row: &Vec<Cell>| !row.iter().all(is_floor);
    let first = rows.iter().position(is_full).unwrap_or(0);
    &rows[first..rows.iter().rposition(is_full).map_or(first, |row| row + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of a board, with the places of their characters in the text.
    fn rows(text: &str) -> Vec<Vec<Cell>> {
        let mut at = 0;
        let row = |line: &str| {
            let from = at;
            at += line.len() + 1;
            line.char_indices().map(|(column, c)| (c, from + column..from + column + c.len_utf8())).collect()
        };
        text.lines().map(row).collect()
    }

    fn board(text: &str) -> Result<SokobanBoard, Vec<Diagnostic>> {
        SokobanBoard::read(&rows(text), 0..text.len())
    }

    #[test]
    fn everything_out_of_reach_becomes_wall() {
        // A goal and floor behind walls, a box on a goal within walls, an uneven row, and an indented board.
        let text = "\n   #####\n   #+$ ####\n  ##  $.# #\n  #.*   # #\n  ########.\n    #*#\n    ###\n      -\n";
        let board = board(text).expect("the level is closed");
        let start = ["#########", "##@$.####", "##..$.###", "#.$...###", "#########", "#########", "#########"];
        assert_eq!(board.start, start.map(|row| format!("{row}\n")).concat());
        let marks = [".........", "..x......", ".....x...", ".xx......", ".........", ".........", "........."];
        assert_eq!(board.marks, marks.map(|row| format!("{row}\n")).concat());
        assert!(board.warnings.is_empty(), "{:?}", board.warnings);
    }

    #[test]
    fn mistakes_have_their_places() {
        let error = |text: &str| {
            let errors = board(text).map(|board| board.start).expect_err(text);
            errors.into_iter().map(|error| (error.message, error.span)).collect::<Vec<_>>()
        };
        let one = |message: &str, span: Range<usize>| vec![(message.to_owned(), Some(span))];
        let all = "####\n#  #\n####\n";
        let lacks: Vec<String> = error(all).into_iter().map(|(message, _)| message).collect();
        assert_eq!(lacks, ["man", "box", "goal"].map(|what| format!("the level has no {what}")));
        assert_eq!(error("#####\n#@$.#\n#@###\n###\n"), one("the level has more than one man", 13..14));
        assert_eq!(error("#####\n#@$.\n#####\n"), one("the walls of the level are not closed", 9..10));
        assert_eq!(error("#####\n#@$.#\n#   \n#####\n"), one("the walls of the level are not closed", 15..16));
        assert_eq!(error("####\n#?@#\n####\n"), one("`?` is not a symbol of a board", 6..7));
        let wide = format!("{0}\n#@$.{1}#\n{0}\n", "#".repeat(4000), " ".repeat(3995));
        assert_eq!(error(&wide)[0].0, "the board is too large: it has more than 10000 cells");
    }

    #[test]
    fn odd_levels_are_read_with_a_warning() {
        let warning =
            |text: &str| board(text).expect(text).warnings.into_iter().map(|one| one.message).collect::<String>();
        let boxes = "the level has more boxes (2) than goals (1): there is no solution";
        assert_eq!(warning("#######\n#@$$. #\n#######\n"), boxes);
        let lost = "this box is on no goal and out of reach: there is no solution";
        assert_eq!(warning("########\n#@$ .#$#\n########\n"), lost);
        assert_eq!(warning("######\n#@$..#\n######\n"), "", "more goals than boxes are fine");
        assert_eq!(warning("######\n#+*  #\n######\n"), "");
        let unreached = board("#####\n#@###\n###*#\n#####\n").expect_err("no box can be reached");
        assert_eq!(unreached[0].message, "the man can reach no box of the level");
        let unreached = board("######\n#@$ ##\n####.#\n######\n").expect_err("no goal can be reached");
        assert_eq!(unreached[0].message, "the man can reach no goal of the level");
    }

    #[test]
    fn the_rows_of_a_board_have_their_places() {
        let text = "\n  ####\n--#\t#\n\n";
        let drawn = |from: usize, to: usize, row: &str| (from..to, row.to_owned());
        assert_eq!(drawn_rows(&rows(text)), [drawn(1, 7, "  ####"), drawn(8, 13, "--#     #")]);
        assert_eq!(drawn_rows(&rows("###\n\n###")), [], "a row without bytes");
    }

    #[test]
    fn tabs_reach_to_the_next_multiple_of_eight() {
        let tabs = board("#########\n#@$.\t#\n#########\n").expect("closed");
        assert_eq!(tabs.start.lines().nth(1), Some("#@$.....#"));
        let spaced = board("#####\n#@$\u{a0}#\n#  .#\n#####\n").expect("closed");
        assert_eq!(spaced.start.lines().nth(1), Some("#@$.#"));
        assert_eq!(without_tabs(&rows("\t\t")[0]).len(), 16);
    }
}
