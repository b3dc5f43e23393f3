//! Checks the win conditions.

use super::Workspace;
use crate::game::Quantifier;
use crate::program::{Operand, Program};

impl Workspace {
    /// Returns whether all win conditions hold. A game without any is never won by them.
    #[must_use]
    pub fn is_won(&self, program: &Program) -> bool {
        !program.conditions.is_empty()
            && program.conditions.iter().all(|condition| {
                let mut cells = self.objects.chunks_exact(self.object_words);
                match condition.quantifier {
                    Quantifier::All => cells.all(|cell| !holds(&condition.what, cell) || holds(&condition.on, cell)),
                    Quantifier::Some => cells.any(|cell| holds(&condition.what, cell) && holds(&condition.on, cell)),
                    Quantifier::No => !cells.any(|cell| holds(&condition.what, cell) && holds(&condition.on, cell)),
                }
            })
    }
}

/// Returns whether a cell holds one side of a condition.
fn holds(operand: &Operand, cell: &[u64]) -> bool {
    match operand {
        Operand::Any(words) => words.iter().any(|&(word, bits)| cell[word as usize] & bits != 0),
        Operand::All(words) => words.iter().all(|&(word, bits)| cell[word as usize] & bits == bits),
        Operand::Anything => cell.iter().any(|&word| word != 0),
    }
}
