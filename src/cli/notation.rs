//! The option `--notation`.

use super::failure::Failure;
use crate::diagnostic::unknown_name;
use crate::puzzle::{Notation, Puzzle};
use clap::Args;

#[derive(Args)]
pub(super) struct NotationOption {
    /// How moves are written: the domain's own way, or another that `engine domains NAME` lists
    #[arg(long, value_name = "NAME", default_value = Notation::STANDARD.name())]
    notation: String,
}

impl NotationOption {
    /// Returns the notation of a puzzle's domain.
    ///
    /// # Errors
    /// The domain has no such notation.
    pub fn of(&self, puzzle: &Puzzle) -> Result<Notation, Failure> {
        let domain = puzzle.domain();
        domain.notation(&self.notation).ok_or_else(|| {
            let message = format!("unknown notation `{}` for the domain `{}`", self.notation, domain.name);
            Failure::refused(message, unknown_name(&self.notation, domain.notations.iter().map(|known| known.name())))
        })
    }
}
