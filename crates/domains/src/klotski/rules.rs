//! The reference rules: a table of the piece on each cell, and pieces that move cell by cell.
//!
//! They share only the description of the board with the state spaces.

use super::board::{BlockBoard, Metric, Moves, Place, Who};
use crate::domain::Rules;

/// A board in play.
pub(super) struct BlockRules<'a> {
    board: &'a BlockBoard,
    /// The piece on each cell, by row and column.
    cells: Vec<Vec<Option<usize>>>,
    moves: u32,
}

/// A direction as it is written, with the change of row and column.
type DirectionStep = (char, (i64, i64));

const DIRECTIONS: [DirectionStep; 4] = [('u', (-1, 0)), ('d', (1, 0)), ('l', (0, -1)), ('r', (0, 1))];

impl BlockRules<'_> {
    pub fn new(board: &BlockBoard) -> BlockRules<'_> {
        let mut cells = vec![vec![None; board.columns]; board.rows];
        for (number, piece) in board.pieces.iter().enumerate() {
            for &(row, column) in &piece.shape {
                cells[piece.at.0 + row][piece.at.1 + column] = Some(number);
            }
        }
        BlockRules { board, cells, moves: 0 }
    }

    /// Returns the cells of a piece, row by row.
    fn cells_of(&self, piece: usize) -> Vec<Place> {
        let rows = self.cells.iter().enumerate();
        let all = rows.flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, *cell)));
        all.filter(|&(_, _, cell)| cell == Some(piece)).map(|(r, c, _)| (r, c)).collect()
    }

    /// Returns the cells of each piece, row by row.
    pub fn cells_of_all(&self) -> Vec<Vec<Place>> {
        let mut cells = vec![Vec::new(); self.board.pieces.len()];
        for (r, row) in self.cells.iter().enumerate() {
            for (c, piece) in row.iter().enumerate().filter_map(|(c, cell)| Some((c, (*cell)?))) {
                cells[piece].push((r, c));
            }
        }
        cells
    }

    /// Returns whether a goal names the piece or its shape.
    fn may_enter_gates(&self, piece: usize) -> bool {
        self.board.goals.iter().flatten().any(|target| match &target.who {
            Who::Piece(named) => *named == piece,
            Who::Shape(shape) => *shape == self.board.pieces[piece].shape,
        })
    }

    /// Returns whether the piece may move in this direction at all.
    fn may_go(&self, piece: usize, sideways: bool) -> bool {
        let piece = &self.board.pieces[piece];
        let height = piece.shape.iter().map(|cell| cell.0).max();
        let width = piece.shape.iter().map(|cell| cell.1).max();
        match piece.moves {
            Moves::Any => true,
            Moves::Horizontal => sideways,
            Moves::Vertical => !sideways,
            Moves::Lengthwise => height == width || sideways == (width > height),
            Moves::None => false,
        }
    }

    /// Moves a piece by one cell, or returns what blocks it.
    fn step(&mut self, piece: usize, (down, right): (i64, i64)) -> Result<(), String> {
        if !self.may_go(piece, right != 0) {
            return Err("the piece does not move in this direction".to_owned());
        }
        let from = self.cells_of(piece);
        let mut to = Vec::new();
        for &(row, column) in &from {
            let next = (row as i64 + down, column as i64 + right);
            let place = (usize::try_from(next.0), usize::try_from(next.1));
            let (Ok(row), Ok(column)) = place else { return Err("the board ends there".to_owned()) };
            if row >= self.board.rows || column >= self.board.columns {
                return Err("the board ends there".to_owned());
            }
            if self.board.walls.has((row, column)) {
                return Err(format!("a wall is on [{row}, {column}]"));
            }
            if let Some(other) = self.cells[row][column].filter(|&other| other != piece) {
                return Err(format!("`{}` is on [{row}, {column}]", self.board.pieces[other].name));
            }
            let enters = self.board.gates.has((row, column)) && !from.contains(&(row, column));
            if enters && !self.may_enter_gates(piece) {
                return Err(format!("only pieces that a goal names enter the gate on [{row}, {column}]"));
            }
            to.push((row, column));
        }
        from.iter().for_each(|&(row, column)| self.cells[row][column] = None);
        to.iter().for_each(|&(row, column)| self.cells[row][column] = Some(piece));
        Ok(())
    }

    /// Parses a move as a piece and a path: the longest name whose rest is a path.
    fn read(&self, written: &str) -> Result<(usize, Vec<(DirectionStep, u32)>), String> {
        let pieces = self.board.pieces.iter().enumerate();
        let read = |(number, name): (usize, &str)| Some((name.len(), number, path(written.strip_prefix(name)?)?));
        let read = pieces.filter_map(|(number, piece)| read((number, &piece.name)));
        let (_, piece, path) = read.max_by_key(|&(length, ..)| length).ok_or_else(|| {
            "unknown piece: a move is a piece, a direction `u`, `d`, `l` or `r`, and a distance".to_owned()
        })?;
        Ok((piece, path))
    }

    /// Moves a piece on from its place, along lines or paths as the metric allows, to new places. Adds the moves to
    /// `moves`, as they are written.
    fn moves_of(&mut self, piece: usize, written: &str, visited: &mut Vec<Vec<Place>>, moves: &mut Vec<String>) {
        let before = self.cells.clone();
        for (letter, direction) in DIRECTIONS {
            let mut distance = 0;
            while self.step(piece, direction).is_ok() {
                distance += 1;
                let here = self.cells_of(piece);
                if visited.contains(&here) {
                    if self.board.metric == Metric::Turn { break } else { continue }
                }
                visited.push(here);
                let longer = format!("{written}{letter}{distance}");
                moves.push(longer.clone());
                match self.board.metric {
                    Metric::Step => break,
                    Metric::Slide => {}
                    Metric::Turn => self.moves_of(piece, &longer, visited, moves),
                }
            }
            self.cells.clone_from(&before);
        }
    }

    fn play_from(&mut self, written: &str) -> Result<(), String> {
        let (piece, path) = self.read(written)?;
        match self.board.metric {
            Metric::Step if path.len() != 1 || path[0].1 != 1 => {
                return Err("in the metric `step` a move is one cell".to_owned());
            }
            Metric::Slide if path.len() != 1 => return Err("in the metric `slide` a move is one line".to_owned()),
            _ => {}
        }
        let from = self.cells_of(piece);
        for ((_, direction), distance) in path {
            for _ in 0..distance {
                self.step(piece, direction)?;
            }
        }
        if self.cells_of(piece) == from { Err("the piece ends where it was".to_owned()) } else { Ok(()) }
    }
}

impl Rules for BlockRules<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let before = self.cells.clone();
        let played = self.play_from(written);
        match played {
            Ok(()) => self.moves += 1,
            Err(_) => self.cells = before,
        }
        played
    }

    fn is_solved(&self) -> bool {
        let cells = self.cells_of_all();
        let covers = |piece: usize, shape: &[Place], at: Place| {
            shape.len() == cells[piece].len()
                && shape.iter().zip(&cells[piece]).all(|(&(row, column), &cell)| (at.0 + row, at.1 + column) == cell)
        };
        // A piece that covers all cells of a shape covers the first of them.
        let on_first = |shape: &[Place], at: Place| self.cells[at.0 + shape[0].0][at.1 + shape[0].1];
        self.board.goals.iter().any(|goal| {
            goal.iter().all(|target| match &target.who {
                Who::Piece(piece) => covers(*piece, &self.board.pieces[*piece].shape, target.at),
                Who::Shape(shape) => on_first(shape, target.at).is_some_and(|piece| covers(piece, shape, target.at)),
            })
        })
    }

    fn cost(&self) -> f64 {
        self.moves.into()
    }

    fn draw(&self) -> String {
        let pieces = &self.board.pieces;
        let width = pieces.iter().map(|piece| piece.name.chars().count()).max().unwrap_or(1);
        let mut drawn = String::new();
        for (r, row) in self.cells.iter().enumerate() {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let name = match cell {
                    Some(piece) => pieces[*piece].name.as_str(),
                    None if self.board.walls.has((r, c)) => "#",
                    None if self.board.gates.has((r, c)) => "=",
                    None => ".",
                };
                line += name;
                if width > 1 {
                    line += &" ".repeat(width + 1 - name.chars().count());
                }
            }
            drawn += line.trim_end();
            drawn.push('\n');
        }
        drawn
    }

    fn position(&self) -> Option<Vec<u32>> {
        let number = |cell: &Option<usize>| cell.map_or(0, |piece| piece as u32 + 1);
        Some(self.cells.iter().flatten().map(number).collect())
    }

    fn set_position(&mut self, position: &[u32]) {
        let piece = |&number: &u32| number.checked_sub(1).map(|piece| piece as usize);
        self.cells = position.chunks(self.board.columns).map(|row| row.iter().map(piece).collect()).collect();
    }

    fn state(&self) -> Option<Vec<u32>> {
        let pieces = &self.board.pieces;
        let named: Vec<bool> = (0..pieces.len())
            .map(|piece| self.board.goals.iter().flatten().any(|target| target.who == Who::Piece(piece)))
            .collect();
        // The class of a piece is represented by its first member.
        let alike = |one: usize, other: usize| {
            let moves_alike = [true, false].iter().all(|&side| self.may_go(one, side) == self.may_go(other, side));
            let same = pieces[one].shape == pieces[other].shape && moves_alike;
            one == other || same && !named[one] && !named[other]
        };
        let first: Vec<usize> =
            (0..pieces.len()).map(|one| (0..=one).find(|&other| alike(one, other)).unwrap_or(one)).collect();
        // Pieces of several parts may interlock, so the first cell of each piece is marked.
        let mut started = vec![false; pieces.len()];
        let mut number = |cell: &Option<usize>| {
            cell.map_or(0, |piece| {
                let begins = !std::mem::replace(&mut started[piece], true);
                2 * (first[piece] as u32 + 1) + u32::from(begins)
            })
        };
        Some(self.cells.iter().flatten().map(&mut number).collect())
    }

    fn candidates(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (number, piece) in self.board.pieces.iter().enumerate() {
            let mut player = BlockRules { cells: self.cells.clone(), ..*self };
            player.moves_of(number, &piece.name, &mut vec![self.cells_of(number)], &mut moves);
        }
        moves
    }
}

/// Parses `l1d2` into directions with their distances, each at least 1.
fn path(written: &str) -> Option<Vec<(DirectionStep, u32)>> {
    let mut path = Vec::new();
    let mut rest = written;
    while let Some(letter) = rest.chars().next() {
        let direction = DIRECTIONS.into_iter().find(|(known, _)| *known == letter)?;
        let digits = &rest[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        path.push((direction, digits[..end].parse().ok().filter(|&distance| distance > 0)?));
        rest = &digits[end..];
    }
    (!path.is_empty()).then_some(path)
}
