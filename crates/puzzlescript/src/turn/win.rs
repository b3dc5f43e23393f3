//! Checks the win conditions.

use super::Workspace;
use super::places::each_object;
use crate::game::Quantifier;
use crate::program::{Operand, Program};

impl Workspace {
    /// Returns whether all win conditions hold. A game without any is never won by them. This is work of the last turn,
    /// which may give up over it.
    #[must_use]
    pub fn is_won(&mut self, program: &Program) -> bool {
        let objects = |operand: &Operand| match operand {
            Operand::Any(objects) | Operand::All(objects) => each_object(objects).count(),
            Operand::Anything => 1,
        };
        for condition in &program.conditions {
            self.spend(self.places.words() * (objects(&condition.what) + objects(&condition.on)));
        }
        !self.gave_up()
            && !program.conditions.is_empty()
            && program.conditions.iter().all(|condition| {
                let mut words = 0..self.places.words();
                let what = |word: usize| self.cells_with(&condition.what, word);
                // Where there is nothing, the second side is not worth its time.
                let meets = |word: usize| match what(word) {
                    0 => 0,
                    cells => cells & self.cells_with(&condition.on, word),
                };
                match condition.quantifier {
                    Quantifier::All => words.all(|word| match what(word) {
                        0 => true,
                        cells => cells & !self.cells_with(&condition.on, word) == 0,
                    }),
                    Quantifier::Some => words.any(|word| meets(word) != 0),
                    Quantifier::No => words.all(|word| meets(word) == 0),
                }
            })
    }

    /// Returns a word of the cells that hold one side of a condition.
    fn cells_with(&self, operand: &Operand, word: usize) -> u64 {
        match operand {
            Operand::Any(objects) => self.places.any(objects, word),
            // An aggregate without any declared object (an error) holds everywhere.
            Operand::All(objects) => self.places.all(objects, word) & self.board_cells(word),
            // The other side is an object, so that the cell is not empty.
            Operand::Anything => u64::MAX,
        }
    }

    /// Returns the bits of a word that are cells of the board.
    fn board_cells(&self, word: usize) -> u64 {
        match (self.width * self.height).saturating_sub(word * 64) {
            0 => 0,
            cells @ 1..64 => (1 << cells) - 1,
            _ => u64::MAX,
        }
    }
}
