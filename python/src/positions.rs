//! The positions that games have reached, each looked at once: what it shows, which moves are legal, where they lead.
//!
//! Agents come to the same positions again and again. Then a move is a look into a table.

use engine::domain::{Notation, Searchable, Style};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The most positions that are kept. Beyond them, all but those of the games are forgotten.
const MOST: usize = 100_000;

/// A position that was reached from a start, by its number.
type Number = u32;

/// The positions of some puzzles, and the moves between them.
pub struct Positions {
    starts: Vec<Box<dyn Searchable>>,
    /// The moves, by the numbers of their names.
    names: Vec<String>,
    numbers: HashMap<String, usize, FxBuildHasher>,
    /// The rows and columns of what positions show.
    shape: (usize, usize),
    known: Vec<Position>,
    /// The numbers by the puzzle, the state and the drawing.
    table: HashMap<(usize, Vec<u8>, String), Number, FxBuildHasher>,
}

/// A position.
pub struct Position {
    puzzle: usize,
    state: Box<dyn Searchable>,
    /// The letters of the drawing.
    pub cells: Vec<u8>,
    /// By the numbers of the moves: 1 if the move is legal.
    pub mask: Vec<i8>,
    /// True if it is a goal.
    pub is_goal: bool,
    /// By the numbers of the moves.
    moves: Vec<Move>,
}

/// A move of a position, if it is legal there.
#[derive(Clone, Copy)]
enum Move {
    Illegal,
    /// The place among the legal moves of a move that nobody has made yet.
    Unmade(u32),
    /// Where the move leads.
    Made(Number),
}

impl Positions {
    /// Creates the positions of some puzzles, of which none was reached yet.
    pub fn new(starts: Vec<Box<dyn Searchable>>, names: Vec<String>, shape: (usize, usize)) -> Positions {
        let numbers = names.iter().cloned().zip(0..).collect();
        Positions { starts, names, numbers, shape, known: Vec::new(), table: HashMap::default() }
    }

    /// Returns the names of the moves.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// Returns the start of a puzzle, if there is one of this number.
    pub fn start(&mut self, puzzle: usize) -> Option<Number> {
        let start = self.starts.get(puzzle)?.here();
        Some(self.number(puzzle, start))
    }

    /// Returns a position.
    pub fn of(&self, number: Number) -> &Position {
        &self.known[number as usize]
    }

    /// Returns a position as text.
    pub fn draw(&self, number: Number) -> String {
        self.of(number).state.draw(Style::Drawn)
    }

    /// Returns the position after a move, by its number; `None` if it is not legal.
    pub fn after(&mut self, number: Number, action: usize) -> Option<Number> {
        let here = self.of(number);
        let place = match *here.moves.get(action)? {
            Move::Illegal => return None,
            Move::Unmade(place) => place as usize,
            Move::Made(next) => return Some(next),
        };
        let (_, after) = here.state.after_move(place, Notation::STANDARD)?;
        let next = self.number(here.puzzle, after);
        self.known[number as usize].moves[action] = Move::Made(next);
        Some(next)
    }

    /// Forgets all positions but these if there are too many; they get new numbers.
    pub fn forget<'a>(&mut self, kept: impl Iterator<Item = &'a mut Number>) {
        if self.known.len() < MOST {
            return;
        }
        let old = std::mem::take(&mut self.known);
        self.table.clear();
        for number in kept {
            let Position { puzzle, state, .. } = &old[*number as usize];
            *number = self.number(*puzzle, state.here());
        }
    }

    fn number(&mut self, puzzle: usize, state: Box<dyn Searchable>) -> Number {
        let drawing = state.draw(Style::Drawn);
        let fresh = self.known.len() as Number;
        let key = (puzzle, state.state_bytes(), drawing);
        if let Some(&known) = self.table.get(&key) {
            return known;
        }
        let (rows, columns) = self.shape;
        let mut cells = vec![0; rows * columns];
        for (row, line) in key.2.lines().take(rows).enumerate() {
            for (column, letter) in line.chars().take(columns).enumerate() {
                cells[row * columns + column] = u8::try_from(letter).unwrap_or(u8::MAX);
            }
        }
        let (mut mask, mut moves) = (vec![0; self.names.len()], vec![Move::Illegal; self.names.len()]);
        for (place, written) in (0..).zip(state.legal_moves(Notation::STANDARD)) {
            if let Some(&action) = self.numbers.get(&written)
                && mask[action] == 0
            {
                (mask[action], moves[action]) = (1, Move::Unmade(place));
            }
        }
        let is_goal = state.is_goal();
        self.known.push(Position { puzzle, state, cells, mask, is_goal, moves });
        self.table.insert(key, fresh);
        fresh
    }
}
