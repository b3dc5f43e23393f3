//! The graph whose edges are macro moves: a [walk](crate::analysis::walks) and one other move.
//!
//! Where walks cost nothing, a state stands for its region. Otherwise a state is one right after a move that is no
//! walk, or the start. If a goal asks for the mover's value, a walk to it is an edge of its own.
//!
//! The order of the successors is that of the mover's values, and of the operators at each.

use crate::analysis::flood::RegionView;
use crate::analysis::walks::{ReachedValue, Walks};
use crate::heuristic::{CorralVerdict, Corrals, DEAD, DeadEnd};
use crate::packed::{Numbers, Word};
use crate::search::Named;
use crate::space::RuleSpace;
use crate::task::{MOST_VALUES, Value};
use engine_search::space::{Facts, Graph, Guided, Ordinal, StateSpace, Symmetric, Weighted, Whole};

/// The name of this reduction.
pub const MACRO_MOVES: Named = Named {
    name: "macro-moves",
    summary: "walks and the next move as one step, and positions that free moves join as one",
};

/// The macro moves of a space.
pub struct MacroMoves<'a, W> {
    pub space: &'a RuleSpace<W>,
    pub walks: &'a Walks<W>,
    /// The knowledge that the search gathers: bounds, dead patterns and stubborn sets.
    pub corrals: Option<Box<dyn Corrals<W> + 'a>>,
}

impl<W: Word> MacroMoves<'_, W> {
    /// Calls `child` with each operator other than walks that is applicable with the mover at one of some places, with
    /// the place and the successor: in the order of the places, and of the operators at each. `number_of` is the number
    /// of a place in this order.
    #[inline]
    fn for_each_other(
        &self,
        key: &W,
        places: impl Iterator<Item = Value>,
        number_of: impl Fn(Value) -> Option<u32>,
        mut child: impl FnMut(Value, u32, u32, W),
    ) {
        let mut word = key.clone();
        let mut here = None;
        let mut numbers = Numbers::new();
        self.walks.for_each_other(key, places, number_of, |place, number| {
            if here.replace(place) != Some(place) {
                self.walks.put_mover(&mut word, place);
                numbers = Numbers::new();
            }
            self.apply(&word, number, &mut numbers, |number, cost, after| child(place, number, cost, after));
        });
    }

    /// Calls `child` with an operator, its cost and the successor, if it is applicable.
    #[inline]
    fn apply(&self, word: &W, number: u32, numbers: &mut Numbers, mut child: impl FnMut(u32, u32, W)) {
        let operator = self.space.packed(number);
        if operator.holds(word, numbers)
            && let Some(after) = operator.apply(word)
        {
            child(number, operator.cost, after);
        }
    }

    /// Returns the canonical representative of a state with this region.
    #[inline]
    fn canonical_in(&self, word: &W, region: RegionView) -> W {
        let canonical = self.walks.representative(self.space.images(), word.clone(), region);
        let Some(counters) = self.space.counters() else { return canonical };
        let least = region.first().expect("the mover is in its region");
        counters.image(self.walks.with_mover_at(word, least), canonical)
    }

    /// Moves a state along a path of successors; returns the ordinals of the moves with their cost.
    fn follow(&self, at: &mut W, path: &[W]) -> (Vec<Ordinal>, u32) {
        let (mut total, mut ordinals) = (0, Vec::new());
        let walks = self.walks.is_in_goals && !self.walks.has_regions;
        for key in path {
            let operators = self.cheapest(at, walks, |after| self.canonical(after) == *key);
            total += self.space.append_moves(at, &operators, &mut ordinals);
        }
        (ordinals, total)
    }

    /// Returns the operators of the cheapest macro move from a state to one that `is_next` accepts: of all cheapest the
    /// one with the fewest moves, then the first. A walk is one by itself if `walks` says so.
    fn cheapest(&self, at: &W, walks: bool, is_next: impl Fn(W) -> bool) -> Vec<u32> {
        let reach = self.walks.reach(at);
        // The path to a next state: its cost and number of moves, the place to which the mover walks, and the last
        // move.
        let mut best: Option<((u32, u32), Value, Option<u32>)> = None;
        let mut offer = |path| best = Some(best.map_or(path, |best| best.min(path)));
        if walks {
            for &ReachedValue { value, distance } in &reach.order[1..] {
                if is_next(self.walks.with_mover_at(at, value)) {
                    offer((distance, value, None));
                }
            }
        }
        let places = reach.order.iter().map(|stop| stop.value);
        self.for_each_other(
            at,
            places,
            |place| reach.number(place),
            |place, number, more, after| {
                let (cost, steps) = reach.distance(place).expect("the place is reached");
                if is_next(after) {
                    offer(((cost + more, steps + 1), place, Some(number)));
                }
            },
        );
        let (_, place, last) = best.expect("consecutive states on a path are joined by a macro move");
        self.walks.walk(at, place).into_iter().chain(last).collect()
    }
}

impl<W: Word> Graph<W> for MacroMoves<'_, W> {
    fn facts(&self) -> Facts {
        self.space.facts()
    }

    fn canonical(&self, key: W) -> W {
        if !self.walks.has_regions {
            return self.space.canonical(key);
        }
        let mut canonical = None;
        self.walks.with_region(&key, &mut |region| canonical = Some(self.canonical_in(&key, region.region())));
        canonical.expect("every state has a region")
    }

    fn children(&self, of: &[W], children: &mut Vec<W>) {
        for key in of {
            self.space.for_each_successor(key, |_, _, child| children.push(self.canonical(child)));
        }
    }

    fn is_goal(&self, key: &W) -> bool {
        if !(self.walks.is_in_goals && self.walks.has_regions) {
            return self.space.is_goal(key);
        }
        let mut is_goal = false;
        self.walks.with_region(key, &mut |region| {
            let region_view = region.region();
            let mut places = region_view.iter();
            is_goal = places.any(|place| self.space.is_goal(&self.walks.with_mover_at(key, place)));
        });
        is_goal
    }

    fn goals(&self, at_most: usize) -> Option<Vec<W>> {
        self.space.goals(at_most)
    }

    fn features(&self, key: &W, features: &mut Vec<u64>) {
        self.space.features(key, features);
    }

    fn cell(&self, key: &W) -> Option<u64> {
        self.corrals.as_ref()?.cell(key)
    }
}

impl<W: Word> Weighted<W, u32> for MacroMoves<'_, W> {
    fn moves(&self, key: &W, children: &mut Vec<(u32, W)>) {
        self.space.for_each_successor(key, |_, operator, after| children.push((operator.cost, after)));
    }

    fn expand(&self, key: &W, _from: &W, successors: &mut Vec<(u32, W)>) {
        let look = |region: RegionView| {
            let look =
                self.corrals.as_ref().map_or(CorralVerdict::Nothing, |corrals| corrals.look(key, Some(region.words())));
            if let (CorralVerdict::Dead, Some(counters)) = (&look, self.space.counters()) {
                counters.dead_end(DeadEnd::Pattern);
            }
            look
        };
        if self.walks.has_regions {
            let mut reached = 0;
            let mut left_out = 0;
            self.walks.with_region(key, &mut |region| {
                let look = look(region.region());
                if matches!(look, CorralVerdict::Dead) {
                    return;
                }
                let mut words = [0; MOST_VALUES / 64];
                let places = region.region();
                reached = places.len();
                let number_of = |place: Value| places.contains(place).then_some(u32::from(place));
                self.for_each_other(key, places.iter(), number_of, |_, number, cost, after| match &look {
                    CorralVerdict::Stubborn(set) if !set.moves(number) => left_out += 1,
                    _ => {
                        let region = region.write_after(&after, &mut words);
                        successors.push((cost, self.canonical_in(&after, region)));
                    }
                });
            });
            if let Some(counters) = self.space.counters().filter(|_| reached > 0) {
                counters.expanded(reached);
                counters.not_stubborn(left_out);
            }
            return;
        }
        let reach = self.walks.reach(key);
        if self.corrals.is_some()
            && matches!(look(RegionView::of(reach.region().words().as_slice())), CorralVerdict::Dead)
        {
            return;
        }
        if let Some(counters) = self.space.counters() {
            counters.expanded(reach.order.len());
        }
        let places = reach.order.iter().map(|stop| stop.value);
        self.for_each_other(
            key,
            places,
            |place| reach.number(place),
            |place, _, cost, after| {
                let (walk, _) = reach.distance(place).expect("the place is reached");
                successors.push((walk + cost, self.canonical(after)));
            },
        );
        if self.walks.is_in_goals {
            for &ReachedValue { value, distance: (walk, _) } in &reach.order[1..] {
                let there = self.walks.with_mover_at(key, value);
                if self.space.is_goal(&there) {
                    successors.push((walk, self.canonical(there)));
                }
            }
        }
    }

    fn moves_on_way(&self, mut start: W, path: &[W]) -> Vec<Ordinal> {
        self.follow(&mut start, path).0
    }

    fn moves_on_path(&self, start: W, path: &[W]) -> (Vec<Ordinal>, u32) {
        let mut at = start;
        let (mut ordinals, mut total) = self.follow(&mut at, path);
        // The last state stands for its region; the goal itself may be a walk away.
        if self.walks.has_regions && !self.space.is_goal(&at) {
            let operators = self.cheapest(&at, true, |after| self.space.is_goal(&after));
            total += self.space.append_moves(&mut at, &operators, &mut ordinals);
        }
        (ordinals, total)
    }

    fn h(&self, of: &[W], values: &mut Vec<u32>) {
        let Some(corrals) = &self.corrals else { return self.space.h_of(of, values) };
        // The matching need not be computed twice.
        let is_matching = self.space.is_matching() && corrals.are_all();
        let first = values.len();
        values.extend(of.iter().map(|key| if is_matching { 0 } else { self.space.h(key) }));
        let values = &mut values[first..];
        let alive: Vec<&W> =
            of.iter().zip(&*values).filter(|(_, before)| **before < DEAD).map(|(key, _)| key).collect();
        let mut learned = Vec::with_capacity(alive.len());
        corrals.h_of(&alive, &mut learned);
        let alive = of.iter().zip(values).filter(|(_, before)| **before < DEAD);
        for ((key, value), (h, excess)) in alive.zip(learned) {
            *value = h.max(*value);
            let Some(counters) = self.space.counters() else { continue };
            counters.conflicts(excess);
            // The heuristic counts its own dead ends.
            if h == DEAD && (!is_matching || self.space.h(key) < DEAD) {
                counters.dead_end(DeadEnd::Wall);
            }
        }
    }

    fn settle(&self) {
        self.corrals.iter().for_each(|corrals| corrals.settle());
    }

    fn is_order_independent(&self) -> bool {
        Whole(self.space).is_order_independent()
    }

    fn has_pruned(&self) -> bool {
        self.corrals.as_ref().is_some_and(|corrals| corrals.have_pruned())
    }
}
