//! Both implementations of the rules, for tests that drive them in the same way.

use engine_puzzlescript::plain::{Board, Objects, Play, Rules};
use engine_puzzlescript::program::Program;
use engine_puzzlescript::session::Session;
use engine_puzzlescript::turn::Input;

/// A game in play, by either implementation.
pub trait Player {
    fn press(&mut self, input: Input);
    fn tick(&mut self);
    fn undo(&mut self);
    fn restart(&mut self);
    fn again(&self) -> bool;
    /// Returns the width of the board, and the names of the objects in each cell, in storage order.
    fn cells(&self) -> (usize, Vec<Vec<&str>>);
}

impl Player for Session<'_> {
    fn press(&mut self, input: Input) {
        Session::press(self, input);
    }

    fn tick(&mut self) {
        Session::tick(self);
    }

    fn undo(&mut self) {
        Session::undo(self);
    }

    fn restart(&mut self) {
        Session::restart(self);
    }

    fn again(&self) -> bool {
        Session::again(self)
    }

    fn cells(&self) -> (usize, Vec<Vec<&str>>) {
        let board = self.board();
        (board.width, compiled_cells(self.program(), &board.cells))
    }
}

impl Player for Play<'_> {
    fn press(&mut self, input: Input) {
        self.turn(Some(input));
    }

    fn tick(&mut self) {
        self.turn(None);
    }

    fn undo(&mut self) {
        Play::undo(self);
    }

    fn restart(&mut self) {
        Play::restart(self);
    }

    fn again(&self) -> bool {
        Play::again(self)
    }

    fn cells(&self) -> (usize, Vec<Vec<&str>>) {
        (self.board().width, plain_cells(self.rules(), self.board()))
    }
}

/// Returns the names of the objects in each cell of a compiled board.
pub fn compiled_cells<'p>(program: &'p Program, cells: &[u64]) -> Vec<Vec<&'p str>> {
    let names = &program.object_names;
    let in_cell = |cell: &[u64]| {
        let numbers = (0..names.len()).filter(|id| cell[id / 64] >> (id % 64) & 1 == 1);
        numbers.map(|id| names[id].as_str()).collect()
    };
    cells.chunks_exact(program.object_words).map(in_cell).collect()
}

/// Returns the names of the objects in each cell of a plain board.
pub fn plain_cells<'r>(rules: &'r Rules, board: &Board) -> Vec<Vec<&'r str>> {
    let in_cell = |cell: &Objects| cell.iter().map(|object| rules.name(object)).collect();
    board.cells.iter().map(in_cell).collect()
}
