//! Both implementations of the rules, for tests that drive them in the same way.

use crate::cells::{compiled_cells, plain_cells};
use crate::session::Session;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::Play;

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
