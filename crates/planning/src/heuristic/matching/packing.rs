//! The progress of packing tokens on the places that a goal needs filled: a feature of states for searches without
//! proof (Shoham and Schaeffer, The FESS algorithm: a feature based approach to single-agent search, 2020).
//!
//! The order of packing counts: a token on a near place can keep all others from the places behind it. So a state's
//! progress is the number of filled places, less the number of empty ones to which no token can be brought any more
//! while those stay filled, if there were no other tokens. What this needs is play of a single token with the filled
//! places as obstacles, once for each set of filled places.

use super::places::Places;
use super::projection::Projection;
use super::tokens::Tokens;
use crate::task::Task;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// The most sets of filled places whose blocked places are kept.
const MOST_KEPT: usize = 1 << 16;

/// The progress of packing one kind of tokens.
pub(super) struct Packing<'a, const N: usize> {
    projection: &'a Projection<N>,
    /// The places to fill.
    required: Places<N>,
    /// The places of the tokens at the start.
    sources: Places<N>,
    /// The number of empty places that cannot be filled any more, for each set of filled places.
    blocked: Mutex<FxHashMap<Places<N>, u32>>,
}

impl<'a, const N: usize> Packing<'a, N> {
    /// Returns none if there are several goals, or the goal does not need several places filled.
    pub fn new(tokens: &Tokens<N>, projection: &'a Projection<N>, task: &Task) -> Option<Packing<'a, N>> {
        let [goal] = tokens.goals.as_slice() else { return None };
        let (sources, _) = tokens.read(&task.start);
        // If there are no more targets than tokens, all of them are to be filled.
        let are_all_needed = goal.places.len() == sources.len();
        let needed = goal.places.iter().zip(&goal.is_required).filter(|&(_, &needed)| needed || are_all_needed);
        let required: Places<N> = needed.map(|(&place, _)| usize::from(place)).collect();
        (required.len() > 1).then(|| Packing { projection, required, sources, blocked: Mutex::default() })
    }

    /// Returns the number of filled places, less the number of places that they block.
    pub fn packed(&self, tokens: &Places<N>) -> u64 {
        let filled = tokens.and(&self.required);
        let known = self.blocked.lock().get(&filled).copied();
        let blocked = known.unwrap_or_else(|| {
            let found = self.blocked_by(&filled);
            let mut blocked = self.blocked.lock();
            if blocked.len() >= MOST_KEPT {
                blocked.clear();
            }
            blocked.insert(filled, found);
            found
        });
        (filled.len() as u64).saturating_sub(blocked.into())
    }

    /// Returns the number of empty places to which no single token can be brought from a place of the start, wherever
    /// the mover is there.
    fn blocked_by(&self, filled: &Places<N>) -> u32 {
        let (mut empty, open) = (self.required.without(filled), self.projection.open(filled));
        // The regions from which the steps of a token at each place were made.
        let mut regions: Vec<Places<N>> = vec![Places::default(); self.projection.steps.len()];
        let mut next = Vec::new();
        let make = |place: usize, region: &Places<N>, next: &mut Vec<(usize, usize)>| {
            let steps = self.projection.steps[place].iter();
            let applies = steps.filter(|step| region.contains(step.before) && !step.without.meets(filled));
            next.extend(applies.map(|step| (step.to, step.after)));
        };
        for place in self.sources.without(filled).iter() {
            empty.remove(place);
            make(place, &open, &mut next);
        }
        while let Some((place, mover)) = next.pop() {
            if regions[place].contains(mover) {
                continue;
            }
            empty.remove(place);
            if empty.is_empty() {
                break;
            }
            let mut tokens = *filled;
            tokens.insert(place);
            let region = self.projection.region(&tokens, mover);
            regions[place] = regions[place].or(&region);
            make(place, &region, &mut next);
        }
        empty.len() as u32
    }
}
