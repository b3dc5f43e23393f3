//! The numbers of solved and unsolved puzzles.

use super::Number;
use crate::plot::text::counted;
use crate::puzzle::{Outcome, Solution};
use crate::search::Limit;
use serde::{Deserialize, Serialize};

/// The numbers of results.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    proven: u64,
    solved: u64,
    unsolvable: u64,
    stopped: u64,
    wrong: u64,
    cost: f64,
    moves: u64,
}

impl Totals {
    /// Counts a result: a solution, or else the limit that ended the work, or else an error.
    pub fn add(&mut self, result: Result<&Solution, Option<Limit>>) {
        *match result {
            Ok(solution) => {
                self.cost += solution.cost().unwrap_or(0.0);
                self.moves += solution.moves().len() as u64;
                match solution.outcome() {
                    _ if solution.is_optimal() => &mut self.proven,
                    _ if solution.cost().is_some() => &mut self.solved,
                    Outcome::Unsolvable => &mut self.unsolvable,
                    _ => &mut self.stopped,
                }
            }
            Err(Some(_)) => &mut self.stopped,
            Err(None) => &mut self.wrong,
        } += 1;
    }

    /// Returns the last line, about this number of puzzles.
    pub(super) fn line(&self, puzzles: usize) -> String {
        let puzzles = puzzles as u64;
        let done = self.proven + self.solved + self.unsolvable + self.stopped + self.wrong;
        let parts = [
            (self.proven, "proven shortest"),
            (self.solved, "solved, not proven shortest"),
            (self.unsolvable, "unsolvable"),
            (self.stopped, "stopped by a limit"),
            (self.wrong, "not valid"),
            (puzzles.saturating_sub(done), "not tried"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
        let cost = match self.cost {
            0.0 => String::new(),
            cost if cost == self.moves as f64 => format!("; {} in all", counted(self.moves, "move")),
            cost => format!("; total cost {}", Number(cost)),
        };
        format!("{}: {}{cost}", counted(puzzles, "puzzle"), parts.join(", "))
    }
}
