//! Dead pairs: two pieces that never both reach what a goal allows.
//!
//! All pairs are proven together: no goal allows one, and each change from one leads to another, or to what is proven
//! to be dead already. Pairs for which that is not so are dropped, until it holds for all that are left.

use super::{Known, Mover};
use crate::search::Stop;
use crate::verify::checker::{Checker, Fact};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The greatest number of pairs, each with one place of the mover, and the greatest number of changes to try.
const MAX_PAIRS: usize = 1 << 20;
const MAX_CHANGES: usize = 1 << 24;

/// Two facts of pieces, the lesser one first.
type Pair = (Fact, Fact);

/// For each pair, the facts of the mover with which it is dead.
#[derive(Default)]
pub(super) struct Pairs {
    dead: FxHashMap<Pair, BTreeSet<Fact>>,
    /// The facts of pairs.
    facts: FxHashSet<Fact>,
}

impl Pairs {
    /// Returns those of the claimed pairs that can be proven; none if there are too many to try. A claim names the
    /// facts of the mover; none of them if it may be anywhere.
    pub fn new(
        checker: &Checker,
        mover: &Mover,
        claimed: &[([Fact; 2], Vec<Fact>)],
        is_dead: &dyn Fn(&Known) -> bool,
        stop: &Stop,
    ) -> Pairs {
        let mut pairs = Pairs::default();
        let mut count = 0;
        for (pieces, places) in claimed {
            // With the mover where a piece is, there is nothing to prove.
            let is_possible = |place: &&Fact| pieces.iter().all(|piece| piece.0 != place.0);
            let is_claimed = |place: &&Fact| places.is_empty() || places.contains(place);
            let places: Vec<Fact> = mover.facts.iter().filter(is_possible).filter(is_claimed).copied().collect();
            count += places.len();
            if count > MAX_PAIRS {
                return Pairs::default();
            }
            pairs.dead.entry((pieces[0].min(pieces[1]), pieces[0].max(pieces[1]))).or_default().extend(places);
        }
        let mut tried = 0;
        loop {
            let mut dropped: Vec<(Pair, Fact)> = Vec::new();
            for (&pair, places) in &pairs.dead {
                for &place in places {
                    match pairs.is_kept(checker, mover, pair, place, is_dead, &mut tried) {
                        Some(true) => {}
                        Some(false) => dropped.push((pair, place)),
                        None => return Pairs::default(),
                    }
                }
                if stop.now().is_some() {
                    return Pairs::default();
                }
            }
            if dropped.is_empty() {
                break;
            }
            for (pair, place) in dropped {
                if let Some(places) = pairs.dead.get_mut(&pair) {
                    places.remove(&place);
                }
            }
        }
        pairs.dead.retain(|_, places| !places.is_empty());
        pairs.facts = pairs.dead.keys().flat_map(|&(one, other)| [one, other]).collect();
        pairs
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.dead.len()
    }

    /// Returns whether no goal allows a pair, and all changes from it lead to what is dead; `None` if that is too much
    /// to try.
    fn is_kept(
        &self,
        checker: &Checker,
        mover: &Mover,
        (one, other): Pair,
        place: Fact,
        is_dead: &dyn Fn(&Known) -> bool,
        tried: &mut usize,
    ) -> Option<bool> {
        let all = [one, other, place];
        let allows = |(var, value): &Fact, values: &[Vec<u32>]| values[*var].contains(value);
        if checker.alternatives.iter().any(|alternative| all.iter().all(|fact| allows(fact, &alternative.values))) {
            return Some(false);
        }
        let known: Known = ([one, other].into(), Some(place));
        for change in mover.changes(checker, Some(place)) {
            *tried += 1;
            if *tried > MAX_CHANGES {
                return None;
            }
            let Some(after) = mover.after(change, &known) else { continue };
            if !self.have_known(&after) && !is_dead(&after) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether what is known has a dead pair.
    pub fn have_known(&self, (pieces, mover): &Known) -> bool {
        let pieces: Vec<Fact> = pieces.iter().copied().collect();
        mover.is_some_and(|mover| self.are_in(&pieces, mover))
    }

    /// Returns whether a position has a dead pair, with the mover at one of these facts.
    pub fn have(&self, position: &[u32], mover: &Mover) -> bool {
        if self.dead.is_empty() {
            return false;
        }
        let facts = position.iter().copied().enumerate();
        let pieces: Vec<Fact> = facts.clone().filter(|fact| self.facts.contains(fact)).collect();
        let mut mover = facts.filter(|fact| mover.facts.contains(fact));
        mover.next().is_some_and(|mover| self.are_in(&pieces, mover))
    }

    /// Returns whether some of these facts, in ascending order, are a dead pair.
    fn are_in(&self, pieces: &[Fact], mover: Fact) -> bool {
        let is_dead = |pair: &Pair| self.dead.get(pair).is_some_and(|places| places.contains(&mover));
        let others = |at: usize| pieces[at + 1..].iter().map(move |&other| (pieces[at], other));
        (0..pieces.len()).any(|at| others(at).any(|pair| is_dead(&pair)))
    }
}
