//! Moves of tokens, and the targets to which they lead, with their distances.

use super::places::Places;
use crate::task::Value;

/// The distance of what cannot be reached.
pub(super) const FAR: u16 = u16::MAX;

/// The node of what never happens.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The places at which tokens may be when a goal holds.
pub struct Targets {
    pub places: Vec<u16>,
    /// True for targets on which the goal needs a token.
    pub is_required: Vec<bool>,
    /// For each node the distances to each target.
    pub(super) distance: Vec<u16>,
}

impl Targets {
    /// Returns the distances from a node to all targets.
    #[inline]
    pub fn distances(&self, node: u32) -> &[u16] {
        let count = self.places.len();
        &self.distance[node as usize * count..][..count]
    }

    pub fn bytes(&self) -> u64 {
        (self.distance.len() * size_of::<u16>()) as u64
    }
}

/// The effect of an operator on one token and on the mover, with the mover at one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move<const N: usize> {
    /// The token's step; none if it stays where it is.
    pub step: Option<(usize, usize)>,
    /// The cost of the step.
    pub cost: u64,
    /// The mover's value before and after.
    pub before: Value,
    pub after: Value,
    /// The places that hold no token before, or whose token moves.
    pub without: Places<N>,
    /// The operator of a step.
    pub operator: u32,
}
