//! The demands of an argument on each move, for a search that makes all of them.

use super::checker::{ByValue, Checker, modulo, sum};
use super::exclusion::Exclusion;
use crate::argument::Argument;

/// A property that moves must keep.
pub(super) enum Watched {
    /// Nothing that a single move could break.
    Nothing,
    /// A weighted sum that no move lowers.
    Potential(ByValue),
    /// Weighted sums that no move changes, each with its modulus.
    Sums(Vec<(ByValue, Option<u32>)>),
    Exclusion(Exclusion),
    All(Vec<Watched>),
}

impl Watched {
    /// Reads what an argument demands of moves.
    ///
    /// # Errors
    /// A name that is not a fact.
    pub fn new(checker: &Checker, argument: &Argument) -> Result<Watched, String> {
        Ok(match argument {
            Argument::Relaxation { .. } | Argument::Abstraction { .. } | Argument::Parity {} => Watched::Nothing,
            Argument::Potential { weights, .. } => Watched::Potential(checker.weights(weights)?),
            Argument::Invariant { sums } => {
                let read = sums.iter().map(|claimed| Ok((checker.weights(&claimed.weights)?, claimed.modulus)));
                Watched::Sums(read.collect::<Result<_, String>>()?)
            }
            Argument::Exclusive { never, groups, argument } => Watched::All(vec![
                Watched::Exclusion(Exclusion::new(checker, never, groups)?),
                Watched::new(checker, argument)?,
            ]),
            Argument::Together { parts } => {
                Watched::All(parts.iter().map(|part| Watched::new(checker, part)).collect::<Result<_, String>>()?)
            }
        })
    }

    /// Checks that a move keeps it.
    ///
    /// # Errors
    /// What the move does instead, for people.
    pub fn check(&self, before: &[u32], after: &[u32]) -> Result<(), String> {
        match self {
            Watched::Nothing => Ok(()),
            Watched::Potential(weights) => {
                let (before, after) = (sum(weights, before), sum(weights, after));
                if after < before {
                    return Err(format!("a move lowers its weighted sum from {before} to {after}"));
                }
                Ok(())
            }
            Watched::Sums(sums) => sums.iter().try_for_each(|(weights, modulus)| {
                let (before, after) = (sum(weights, before), sum(weights, after));
                if modulo(after - before, *modulus) != 0 {
                    return Err(format!("a move changes its sum from {before} to {after}"));
                }
                Ok(())
            }),
            Watched::Exclusion(exclusion) if exclusion.is_kept(after) => Ok(()),
            Watched::Exclusion(_) => Err("a move makes facts hold that never do, or exclude each other".to_owned()),
            Watched::All(parts) => parts.iter().try_for_each(|part| part.check(before, after)),
        }
    }
}
