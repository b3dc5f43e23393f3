//! Repairs rounded weights that violate the bound on a loss by little.
//!
//! Weights of Conway's soldiers shrink by the golden ratio from row to row. On a deep board, their common denominator
//! is too large, and rounding breaks the bounds on jumps far from the goal. There, a small change of one weight
//! suffices. All changes go the same way, so repairs do not undo each other. They may still fail to end, which the
//! number of rounds bounds. Callers check the result.

use crate::heuristic::facts::{Form, Loss, add_multiple, sum};

/// The most rounds over all losses.
const MOST_ROUNDS: usize = 64;

/// A way to satisfy a violated bound.
#[derive(Clone, Copy)]
pub(super) enum Repair {
    /// Lower a weight that the loss adds.
    Lower,
    /// Raise a weight that the loss subtracts.
    Raise,
}

impl Repair {
    pub const ALL: [Repair; 2] = [Repair::Lower, Repair::Raise];

    /// Changes weights until no loss exceeds its bound; `None` if that does not succeed.
    pub fn apply<'a>(self, losses: impl Iterator<Item = (&'a Loss, i64)> + Clone, weights: &mut [i32]) -> Option<()> {
        for _ in 0..MOST_ROUNDS {
            let mut is_changed = false;
            for (loss, most) in losses.clone() {
                let form = greatest_form(weights, loss);
                let excess = sum(weights, &form) - most;
                if excess > 0 {
                    is_changed = true;
                    self.reduce(&form, excess, weights)?;
                }
            }
            if !is_changed {
                return Some(());
            }
        }
        None
    }

    /// Changes one weight so that the value of a form falls by at least `excess`; `None` if the form has no such
    /// weight.
    fn reduce(self, form: &Form, excess: i64, weights: &mut [i32]) -> Option<()> {
        let fits = |&&(_, count): &&(usize, i32)| match self {
            Repair::Lower => count > 0,
            Repair::Raise => count < 0,
        };
        let &(fact, count) = form.iter().find(fits)?;
        let count = i64::from(count);
        let change = -(excess + count.abs() - 1) / count.abs() * count.signum();
        weights[fact] = i32::try_from(i64::from(weights[fact]) + change).ok()?;
        Some(())
    }
}

/// Returns the linear form whose value is the greatest value of a loss.
fn greatest_form(weights: &[i32], loss: &Loss) -> Form {
    let parts = loss.parts.iter().filter_map(|part| part.iter().max_by_key(|form| sum(weights, form)));
    parts.fold(loss.constant.clone(), |all, form| add_multiple(&all, 1, form))
}
