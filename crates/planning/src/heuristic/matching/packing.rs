//! The progress of packing tokens on the places that a goal needs filled: a feature of states for searches without
//! proof (Shoham and Schaeffer, The FESS algorithm: a feature based approach to single-agent search, 2020).
//!
//! The order of packing counts: a token on a near place can keep all others from the places behind it. So a state's
//! progress is the number of filled places, less the number of empty ones to which no token can be brought any more
//! while those stay filled, if there were no other tokens. What this needs is play of a single token with the filled
//! places as obstacles, once for each set of filled places.

use super::moves::NOWHERE;
use super::places::Places;
use super::projection::Projection;
use super::tokens::Tokens;
use crate::task::{Task, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The progress of packing one kind of tokens.
pub(super) struct Packing<'a, const N: usize> {
    tokens: &'a Tokens<N>,
    projection: &'a Projection<N>,
    /// The places to fill, as numbers of targets and as places.
    targets: Vec<usize>,
    required: Places<N>,
    /// The places of the tokens at the start.
    sources: Places<N>,
    /// The number of empty places that cannot be filled any more, for each set of filled places.
    blocked: FxHashMap<Places<N>, u32>,
    /// The empty places that may be filled next, for each set of filled places, as numbers of targets.
    next: FxHashMap<Places<N>, Vec<usize>>,
}

/// The most sets of filled places that are kept.
const MOST_KEPT: usize = 1 << 16;

impl<'a, const N: usize> Packing<'a, N> {
    /// Returns none if there are several goals, or the goal does not name places to fill.
    pub fn new(tokens: &'a Tokens<N>, projection: &'a Projection<N>, task: &Task) -> Option<Packing<'a, N>> {
        let [goal] = tokens.goals.as_slice() else { return None };
        // If there are as many tokens as targets, each is to be filled.
        let are_all_needed = goal.places.len() == tokens.count(&task.start);
        let targets: Vec<usize> = if are_all_needed { (0..goal.places.len()).collect() } else { goal.required.clone() };
        let required: Places<N> = targets.iter().map(|&at| usize::from(goal.places[at])).collect();
        let (sources, _) = tokens.read(&task.start);
        (required.len() > 1).then(|| Packing {
            tokens,
            projection,
            targets,
            required,
            sources,
            blocked: FxHashMap::default(),
            next: FxHashMap::default(),
        })
    }

    /// Returns the number of filled places, less the number of places that they block; and the least distance of
    /// another token to a place that may be filled next.
    pub fn progress(&mut self, tokens: &Places<N>, mover: usize) -> (u64, u32) {
        let filled = tokens.and(&self.required);
        let blocked = self.blocked(&filled);
        if self.next.len() >= MOST_KEPT {
            self.next.clear();
        }
        if !self.next.contains_key(&filled) {
            let next = self.next_to_fill(&filled, blocked);
            self.next.insert(filled, next);
        }
        let goal = &self.tokens.goals[0];
        let next = &self.next[&filled];
        let nearest = |place: usize| {
            let node = self.tokens.node(place, mover as Value);
            if node == NOWHERE {
                return None;
            }
            let distances = goal.distances(node);
            next.iter().map(|&target| distances[target].into()).min()
        };
        let distance = tokens.without(&filled).iter().filter_map(nearest).min().unwrap_or(u32::MAX);
        ((filled.len() as u64).saturating_sub(blocked.into()), distance)
    }

    /// Returns the number of empty places that cannot be filled while these are.
    fn blocked(&mut self, filled: &Places<N>) -> u32 {
        if let Some(&blocked) = self.blocked.get(filled) {
            return blocked;
        }
        if self.blocked.len() >= MOST_KEPT {
            self.blocked.clear();
        }
        let blocked = self.blocked_by(filled);
        self.blocked.insert(*filled, blocked);
        blocked
    }

    /// Returns the targets that block no others when they are filled next.
    fn next_to_fill(&mut self, filled: &Places<N>, blocked: u32) -> Vec<usize> {
        let goal = &self.tokens.goals[0];
        let targets = self.targets.clone();
        let is_next = |&target: &usize| {
            let mut more = *filled;
            more.insert(goal.places[target].into()) && self.blocked(&more) == blocked
        };
        targets.into_iter().filter(is_next).collect()
    }

    /// Returns the number of empty places to which no single token can be brought from a place of the start.
    fn blocked_by(&self, filled: &Places<N>) -> u32 {
        let (mut empty, open) = (self.required.without(filled), self.projection.open(filled));
        let mut known = FxHashSet::default();
        let mut next = Vec::new();
        for place in self.sources.without(filled).iter() {
            empty.remove(place);
            for step in &self.projection.steps[place] {
                if open.contains(step.before) && !step.without.meets(filled) {
                    next.push((step.to, step.after));
                }
            }
        }
        while let Some((place, mover)) = next.pop() {
            empty.remove(place);
            if empty.is_empty() {
                break;
            }
            let mut tokens = *filled;
            tokens.insert(place);
            let region = self.projection.region(&tokens, mover);
            if known.insert((place, region.first())) {
                let steps = self.projection.steps[place].iter();
                let applies = steps.filter(|step| region.contains(step.before) && !step.without.meets(filled));
                next.extend(applies.map(|step| (step.to, step.after)));
            }
        }
        empty.len() as u32
    }
}
