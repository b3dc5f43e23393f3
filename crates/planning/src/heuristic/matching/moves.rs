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

impl<const N: usize> Stay<N> {
    /// Returns those of some changes that no other makes superfluous: the same change with fewer places, such as a step
    /// where a push leads, too. They are ordered by their values.
    pub fn least(all: impl IntoIterator<Item = (Value, Value, Vec<usize>)>) -> Vec<Stay<N>> {
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_unstable_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
        let group = |a: &(Value, Value, Vec<usize>), b: &(Value, Value, Vec<usize>)| (a.0, a.1) == (b.0, b.1);
        let mut least = Vec::new();
        for same in all.chunk_by(group) {
            for (number, (before, after, without)) in same.iter().enumerate() {
                let is_enough =
                    |(_, _, less): &(Value, Value, Vec<usize>)| less.iter().all(|place| without.contains(place));
                if !same[..number].iter().any(is_enough) {
                    least.push(Stay { before: *before, after: *after, without: without.iter().copied().collect() });
                }
            }
        }
        least
    }
}
