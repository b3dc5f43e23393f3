//! Steps of tokens, and the targets to which they lead, with their distances.

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
    /// The indices of these.
    pub required: Vec<usize>,
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

/// What an operator does to one token and to the mover, with the mover at one value.
#[derive(Clone, Copy, Debug)]
pub struct ProjectedStep<const N: usize> {
    /// The token's place before and after.
    pub from: usize,
    pub to: usize,
    /// The mover's value before and after.
    pub before: usize,
    pub after: usize,
    /// A multiple of the operator's cost, or a part of it; capped.
    pub cost: u32,
    pub operator: u32,
    /// The places that must hold no other token, and those whose tokens move, too.
    pub without: Places<N>,
}

/// A change of the mover while a token stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stay<const N: usize> {
    /// The mover's value before and after.
    pub before: Value,
    pub after: Value,
    /// The places that hold no token that stays.
    pub without: Places<N>,
}
