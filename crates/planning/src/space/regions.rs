//! The graph whose states are regions: all states that free moves lead to and back from, stored as the least of them.
//!
//! This is for free moves of several variables, such as two men who walk at no cost. Those of a single mover have a
//! quicker form ([`walks`](crate::analysis::walks)).

use crate::analysis::free_moves::FreeMoves;
use crate::packed::Word;
use crate::space::RuleSpace;
use engine_search::space::{Facts, Graph, Guided, Ordinal, StateSpace, Weighted, Whole};
use rustc_hash::FxHashSet;

/// The most states of a region. A greater one counts as no region: its free moves are moves like all others.
const MOST_STATES: usize = 1 << 12;

/// The regions of a space.
pub struct Regions<'a, W> {
    pub space: &'a RuleSpace<W>,
    pub free: &'a FreeMoves,
}

/// The predecessor of a state of a region, and the operator that leads from it; none at the first.
type From = Option<(usize, u32)>;

/// The states of a region in the order in which breadth-first search reaches them; only the first if they are too many.
struct Region<W> {
    states: Vec<(W, From)>,
    is_whole: bool,
}

impl<W: Word> Regions<'_, W> {
    /// Returns whether the region of the start is small enough.
    pub fn are_small(&self, start: &W) -> bool {
        self.region(start).is_whole
    }

    fn region(&self, first: &W) -> Region<W> {
        let mut states = vec![(first.clone(), None)];
        let mut known = FxHashSet::from_iter([first.clone()]);
        let mut next = 0;
        while next < states.len() {
            let at = states[next].0.clone();
            self.space.for_each_successor(&at, |number, _, after| {
                if self.free.is_free[number as usize] && known.insert(after.clone()) {
                    states.push((after, Some((next, number))));
                }
            });
            if states.len() > MOST_STATES {
                states.truncate(1);
                return Region { states, is_whole: false };
            }
            next += 1;
        }
        Region { states, is_whole: true }
    }

    /// Calls `child` with each move out of a region: the state it is made in, operator, cost, and the state after it.
    fn for_each_other(&self, region: &Region<W>, mut child: impl FnMut(usize, u32, u32, W)) {
        for (at, (state, _)) in region.states.iter().enumerate() {
            self.space.for_each_successor(state, |number, operator, after| {
                let is_inside = region.is_whole && self.free.is_free[number as usize];
                if !is_inside && !self.free.is_dead_end[number as usize] {
                    child(at, number, operator.cost, after);
                }
            });
        }
    }

    /// Returns the operators that lead to a state of a region.
    fn path_to(states: &[(W, From)], mut to: usize) -> Vec<u32> {
        let mut path = Vec::new();
        while let Some((before, number)) = states[to].1 {
            path.push(number);
            to = before;
        }
        path.reverse();
        path
    }

    /// Returns the operators of the cheapest path to a state that `is_next` accepts; the one with the fewest free moves
    /// if several cost the same.
    fn cheapest(&self, at: &W, is_next: impl Fn(W) -> bool) -> Vec<u32> {
        let region = self.region(at);
        let mut best: Option<(u32, usize, u32)> = None;
        self.for_each_other(&region, |from, number, cost, after| {
            if best.is_none_or(|(least, ..)| cost < least) && is_next(after) {
                best = Some((cost, from, number));
            }
        });
        let (_, from, number) = best.expect("consecutive regions on a path are joined by a move");
        Self::path_to(&region.states, from).into_iter().chain([number]).collect()
    }
}

impl<W: Word> Graph<W> for Regions<'_, W> {
    fn facts(&self) -> Facts {
        self.space.facts()
    }

    fn canonical(&self, key: W) -> W {
        let states = self.region(&key).states.into_iter();
        states.map(|(state, _)| self.space.images().canonical(state)).min().expect("a state is in its region")
    }

    fn children(&self, of: &[W], children: &mut Vec<W>) {
        for key in of {
            self.space.for_each_successor(key, |_, _, child| children.push(self.canonical(child)));
        }
    }

    fn is_goal(&self, key: &W) -> bool {
        self.region(key).states.iter().any(|(state, _)| self.space.is_goal(state))
    }

    fn goals(&self, at_most: usize) -> Option<Vec<W>> {
        self.space.goals(at_most)
    }

    fn features(&self, key: &W, features: &mut Vec<u64>) {
        self.space.features(key, features);
    }
}

impl<W: Word> Weighted<W, u32> for Regions<'_, W> {
    fn moves(&self, key: &W, children: &mut Vec<(u32, W)>) {
        self.space.for_each_successor(key, |_, operator, after| children.push((operator.cost, after)));
    }

    fn expand(&self, key: &W, _from: &W, successors: &mut Vec<(u32, W)>) {
        let region = self.region(key);
        if let Some(counters) = self.space.counters() {
            counters.expanded(region.states.len());
        }
        self.for_each_other(&region, |_, _, cost, after| successors.push((cost, self.canonical(after))));
    }

    fn moves_on_path(&self, start: W, path: &[W]) -> (Vec<Ordinal>, u32) {
        let (mut at, mut total, mut ordinals) = (start, 0, Vec::new());
        for key in path {
            let operators = self.cheapest(&at, |after| self.canonical(after) == *key);
            total += self.space.append_moves(&mut at, &operators, &mut ordinals);
        }
        // The last state stands for its region; the goal itself may be some free moves away.
        let states = self.region(&at).states;
        if let Some(goal) = states.iter().position(|(state, _)| self.space.is_goal(state)) {
            total += self.space.append_moves(&mut at, &Self::path_to(&states, goal), &mut ordinals);
        }
        (ordinals, total)
    }

    fn h(&self, of: &[W], values: &mut Vec<u32>) {
        self.space.h_of(of, values);
    }

    fn is_order_independent(&self) -> bool {
        Whole(self.space).is_order_independent()
    }
}
