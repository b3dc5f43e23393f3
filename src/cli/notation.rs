//! The option `--notation`.

use super::failure::Failure;
use super::groups::OUTPUT;
use crate::diagnostic::unknown_name;
use crate::puzzle::{Notation, Puzzle};
use clap::Args;

/// The option `--notation`.
#[derive(Args)]
pub(super) struct NotationOption {
    /// Write moves in this notation; `engine domains NAME` lists those of a domain
    ///
    /// Sliding tiles have a second notation, `blank`: the direction in which the blank moves. The domain `rules` has
    /// `lurd`, letters for the directions of the one symbol that moves.
    #[arg(long, value_name = "NAME", default_value = Notation::STANDARD.name(), help_heading = OUTPUT)]
    notation: String,
}

impl NotationOption {
    /// Returns the notation, if the domain of the puzzle has it.
    ///
    /// # Errors
    /// The domain has no such notation.
    pub fn of(&self, puzzle: &Puzzle) -> Result<Notation, Failure> {
        let domain = puzzle.domain();
        let notation = domain.notation(&self.notation).ok_or_else(|| {
            let message = format!("unknown notation `{}` for the domain `{}`", self.notation, domain.name);
            Failure::refused(message, unknown_name(&self.notation, domain.notations.iter().map(|known| known.name())))
        })?;
        check(puzzle, notation).map(|()| notation)
    }
}

/// Checks that the moves of a puzzle can be written in a notation.
///
/// # Errors
/// The domain has no such notation, or the puzzle has other moves.
pub(super) fn check(puzzle: &Puzzle, notation: Notation) -> Result<(), Failure> {
    let (name, domain) = (notation.name(), puzzle.domain());
    let why = match domain.notations.contains(&notation) {
        true => puzzle.refuses_notation(notation),
        false => Some(format!("the domain `{}` does not have this notation", domain.name)),
    };
    let help = "use `--format moves`, or the standard notation";
    why.map_or(Ok(()), |why| Err(Failure::refused(format!("the moves cannot be written in `{name}`: {why}"), help)))
}
