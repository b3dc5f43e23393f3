//! Checks what a search left out: facts, pairs and patterns of facts from which no goal can be reached, and sums.
//!
//! Each claim is proven by itself, from the [changes](super::argument) that single rules can make:
//!
//! - *Dead facts*: no goal allows one of them, and each change that ends one of them makes another.
//! - *Sums*: no change lowers one, and no goal has more than it claims.
//! - [*Dead pairs*](pairs) and [*frozen pieces*](frozen).
//! - A *pattern* is facts of pieces that all hold, with the mover at one of some places. Nothing is known of the rest
//!   of the position, so every change is possible that these facts allow. A search follows the pieces and the mover; it
//!   stops at what is proven to be dead, and forgets a piece that leaves the facts to follow. No goal may allow what it
//!   finds. If one does, another search forgets none.
//!
//! So the proof covers every position with the pattern, and shares no code with the search that found it. What cannot
//! be proven is not used.

mod frozen;
mod pairs;

use super::checker::{ByValue, Change, Checker, Fact};
use crate::argument::{DeadPair, DeadPattern, DeadSum, Pruned, Sum, counted};
use crate::search::Stop;
use frozen::Frozen;
use pairs::Pairs;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The greatest number of states of the searches of all patterns, and of one search.
const MAX_STATES: usize = 500_000;
const MAX_STATES_OF_ONE: usize = 30_000;

/// The dead ends that are proven. Searches visit states in order, so every run proves the same ones, unless a limit on
/// time or an interrupt ends it.
pub(super) struct DeadEnds<'a> {
    checker: &'a Checker<'a>,
    /// None if the facts of the mover may hold together.
    mover: Option<Mover>,
    facts: FxHashSet<Fact>,
    pairs: Pairs,
    frozen: Frozen,
    patterns: Vec<Pattern>,
    sums: Vec<BoundedSum>,
    /// The number of facts, pairs, patterns and sums that could not be proven.
    open: usize,
}

struct Pattern {
    pieces: BTreeSet<Fact>,
    /// The facts of the mover, one of which holds; empty if it may be anywhere.
    mover: BTreeSet<Fact>,
    followed: FxHashSet<Fact>,
}

/// A sum that no change lowers. It is computed for every state of the plain search.
struct BoundedSum {
    /// The weight of each value of each variable; those at the end that weigh nothing are left out.
    weights: Vec<Vec<i128>>,
    /// The most that a goal has.
    goal: i128,
}

impl BoundedSum {
    fn new(weights: &ByValue, goal: i128) -> BoundedSum {
        let of = |weights: &HashMap<u32, i64>| {
            let values = weights.keys().max().map_or(0, |most| most + 1);
            (0..values).map(|value| weights.get(&value).map_or(0, |&weight| weight.into())).collect()
        };
        BoundedSum { weights: weights.iter().map(of).collect(), goal }
    }

    fn is_too_large(&self, position: &[u32]) -> bool {
        let facts = self.weights.iter().zip(position).filter_map(|(own, &value)| own.get(value as usize));
        facts.sum::<i128>() > self.goal
    }
}

/// The known part of a position: facts of pieces, and the fact of the mover.
type Known = (BTreeSet<Fact>, Option<Fact>);

impl<'a> DeadEnds<'a> {
    /// Proves what can be proven.
    ///
    /// # Errors
    /// A name that is no fact of the puzzle.
    pub fn check(checker: &'a Checker<'a>, pruned: &Pruned, stop: &Stop) -> Result<DeadEnds<'a>, String> {
        let read =
            |names: &[String]| names.iter().map(|name| checker.fact(name)).collect::<Result<Vec<Fact>, String>>();
        let mut dead = DeadEnds {
            checker,
            mover: Mover::new(checker, pruned)?,
            facts: read(&pruned.facts)?.into_iter().collect(),
            pairs: Pairs::default(),
            frozen: Frozen::new(checker, &read(&pruned.frozen)?),
            patterns: Vec::new(),
            sums: Vec::new(),
            open: 0,
        };
        for DeadSum { weights, goal } in &pruned.sums {
            let (weights, goal) = (checker.weights(weights)?, i128::from(*goal));
            let is_bounded =
                |most: Result<Option<i128>, _>| most.is_ok_and(|most| most.is_none_or(|most| most <= goal));
            let mut alternatives = checker.alternatives.iter();
            match alternatives.all(|alternative| is_bounded(checker.extreme(alternative, &weights))) {
                true if checker.is_never_lowered(&weights).is_ok() => dead.sums.push(BoundedSum::new(&weights, goal)),
                _ => dead.open += 1,
            }
        }
        let claimed = dead.facts.len();
        dead.keep_proven_facts();
        dead.open += claimed - dead.facts.len();
        let pair = |DeadPair { pieces: [one, other], mover }: &DeadPair| {
            Ok(([checker.fact(one)?, checker.fact(other)?], read(mover)?))
        };
        let claimed = pruned.pairs.iter().map(pair).collect::<Result<Vec<_>, String>>()?;
        if let Some(mover) = &dead.mover {
            dead.pairs = Pairs::new(checker, mover, &claimed, &|known| dead.has_known(known), stop);
        }
        dead.open += claimed.len() - dead.pairs.len();
        let mut states = 0;
        for DeadPattern { pieces, mover: places, followed } in &pruned.patterns {
            let pattern = Pattern {
                pieces: read(pieces)?.into_iter().collect(),
                mover: read(places)?.into_iter().collect(),
                followed: read(followed)?.into_iter().collect(),
            };
            let is_proven = dead.mover.as_ref().is_some_and(|mover| {
                let mut proves = |followed| dead.proves(mover, &pattern, followed, &mut states, stop);
                pattern.mover.is_subset(&mover.facts) && (proves(&pattern.followed) || proves(&mover.pieces))
            });
            if is_proven {
                dead.patterns.push(pattern);
            } else {
                dead.open += 1;
            }
        }
        Ok(dead)
    }

    /// Describes for people what was checked.
    pub fn describe(&self) -> Vec<String> {
        let (facts, pairs, patterns) = (self.facts.len(), self.pairs.len(), self.patterns.len());
        let mut lines = Vec::new();
        if !self.sums.is_empty() {
            lines.push(format!(
                "left out     positions in which any of {} is larger than in a goal: no single rule lowers it",
                counted(self.sums.len(), "weighted sum")
            ));
        }
        if facts + pairs + patterns > 0 || !self.frozen.is_empty() {
            let [facts, patterns] = [counted(facts, "fact"), counted(patterns, "pattern")];
            let pairs = counted(pairs, "pair");
            let frozen = if self.frozen.is_empty() { "" } else { ", or with pieces frozen off their goals" };
            lines.push(format!(
                "left out     positions with any of {facts}, {pairs} and {patterns}{frozen}: no goal can be reached from \
                 them, as single rules show"
            ));
        }
        if self.open > 0 {
            lines.push(format!(
                "not checked  {} that the search left out, not used here",
                counted(self.open, "dead end")
            ));
        }
        lines
    }

    /// Returns whether a position is one of those from which no goal can be reached.
    pub fn has(&self, position: &[u32]) -> bool {
        let holds = |&(var, value): &Fact| position[var] == value;
        let is_here = |pattern: &Pattern| {
            pattern.pieces.iter().all(holds) && (pattern.mover.is_empty() || pattern.mover.iter().any(holds))
        };
        self.facts.iter().any(holds)
            || self.mover.as_ref().is_some_and(|mover| self.pairs.have(position, mover))
            || self.patterns.iter().any(is_here)
            || self.sums.iter().any(|sum| sum.is_too_large(position))
            || self.frozen.is_dead(self.checker, position.iter().copied().enumerate())
    }

    /// Drops facts until no goal allows one, and each change that ends one makes another.
    fn keep_proven_facts(&mut self) {
        let checker = self.checker;
        let is_allowed = |&(var, value): &Fact| {
            checker.alternatives.iter().any(|alternative| alternative.values[var].contains(&value))
        };
        self.facts.retain(|fact| !is_allowed(fact));
        loop {
            let escapes = |fact: &Fact| {
                let ends = |change: &Change| {
                    change.writes.iter().any(|(var, value)| *var == fact.0 && *value != fact.1)
                        && change.reads.iter().all(|(var, value)| *var != fact.0 || *value == fact.1)
                };
                let makes = |change: &Change| change.writes.iter().any(|written| self.facts.contains(written));
                checker.changes.iter().any(|change| ends(change) && !makes(change))
            };
            let kept: FxHashSet<Fact> = self.facts.iter().filter(|fact| !escapes(fact)).copied().collect();
            if kept.len() == self.facts.len() {
                return;
            }
            self.facts = kept;
        }
    }

    /// Returns whether all that is known is dead.
    fn has_known(&self, known: &Known) -> bool {
        let (pieces, mover) = known;
        let is_here = |pattern: &Pattern| {
            pattern.pieces.is_subset(pieces)
                && (pattern.mover.is_empty() || mover.is_some_and(|mover| pattern.mover.contains(&mover)))
        };
        pieces.iter().any(|piece| self.facts.contains(piece))
            || self.pairs.have_known(known)
            || self.patterns.iter().any(is_here)
            || self.frozen.is_dead(self.checker, pieces.iter().copied())
    }

    /// Returns whether a search proves that no goal can be reached from a pattern.
    fn proves(
        &self,
        mover: &Mover,
        pattern: &Pattern,
        followed: &FxHashSet<Fact>,
        states: &mut usize,
        stop: &Stop,
    ) -> bool {
        let checker = self.checker;
        let may_be_goal = |(pieces, mover): &Known| {
            checker.alternatives.iter().any(|alternative| {
                pieces.iter().chain(mover).all(|(var, value)| alternative.values[*var].contains(value))
            })
        };
        let places: Vec<Option<Fact>> = match pattern.mover.is_empty() {
            true => vec![None],
            false => pattern.mover.iter().copied().map(Some).collect(),
        };
        let mut stack: Vec<Known> = places.into_iter().map(|place| (pattern.pieces.clone(), place)).collect();
        let mut visited: FxHashSet<Known> = stack.iter().cloned().collect();
        while let Some(known) = stack.pop() {
            *states += 1;
            let is_too_much = *states > MAX_STATES || visited.len() > MAX_STATES_OF_ONE;
            if is_too_much || may_be_goal(&known) || states.is_multiple_of(1024) && stop.now().is_some() {
                return false;
            }
            for change in mover.changes(checker, known.1) {
                let Some((mut pieces, place)) = mover.after(change, &known) else { continue };
                if self.has_known(&(pieces.clone(), place)) {
                    continue;
                }
                pieces.retain(|piece| followed.contains(piece));
                if visited.insert((pieces.clone(), place)) {
                    stack.push((pieces, place));
                }
            }
        }
        true
    }
}

/// The facts of the mover, exactly one of which holds, and the changes that read each.
struct Mover {
    facts: BTreeSet<Fact>,
    reading: BTreeMap<Fact, Vec<usize>>,
    /// The changes that read none of the facts.
    others: Vec<usize>,
    /// The facts that have the values of pieces: those of all pieces like them.
    pieces: FxHashSet<Fact>,
}

impl Mover {
    /// Returns the mover; none if its facts may hold together.
    fn new(checker: &Checker, pruned: &Pruned) -> Result<Option<Mover>, String> {
        let facts = pruned.mover.iter().map(|name| checker.fact(name)).collect::<Result<BTreeSet<Fact>, String>>()?;
        let is_one_variable = facts.iter().map(|(var, _)| var).collect::<FxHashSet<_>>().len() == 1;
        let weights = pruned.mover.iter().map(|name| (name.clone(), 1)).collect();
        if !is_one_variable && checker.is_kept(&Sum { modulus: None, weights, start: 1 }).is_err() {
            return Ok(None);
        }
        let of_pairs = pruned.pairs.iter().flat_map(|pair| &pair.pieces);
        let of_pieces = pruned.patterns.iter().flat_map(|pattern| &pattern.pieces).chain(of_pairs);
        let mut mover = Mover {
            facts,
            reading: BTreeMap::new(),
            others: Vec::new(),
            pieces: checker.facts_with_values_of(of_pieces),
        };
        for (number, change) in checker.changes.iter().enumerate() {
            let mut read = change.reads.iter().filter(|fact| mover.facts.contains(fact));
            match (read.next(), read.next()) {
                (None, _) => mover.others.push(number),
                (Some(&fact), None) => mover.reading.entry(fact).or_default().push(number),
                // Two facts of which one holds: the change never happens.
                (Some(_), Some(_)) => {}
            }
        }
        Ok(Some(mover))
    }

    /// Returns the changes that are possible with the mover at a place, or with it anywhere.
    fn changes<'a>(&'a self, checker: &'a Checker, at: Option<Fact>) -> impl Iterator<Item = &'a Change> {
        let reading = self.reading.iter().filter(move |(fact, _)| at.is_none_or(|at| at == **fact));
        reading.flat_map(|(_, numbers)| numbers).chain(&self.others).map(|&number| &checker.changes[number])
    }

    /// Returns what is known after a change; `None` if it is not possible.
    fn after(&self, change: &Change, (pieces, mover): &Known) -> Option<Known> {
        let contradicts =
            |&(var, value): &Fact| change.reads.iter().any(|&(read, asked)| read == var && asked != value);
        if pieces.iter().chain(mover).any(contradicts) {
            return None;
        }
        let ends = |&(var, value): &Fact| change.writes.iter().any(|&(written, new)| written == var && new != value);
        let mut left: BTreeSet<Fact> = pieces.iter().filter(|piece| !ends(piece)).copied().collect();
        if left.len() < pieces.len() {
            // The pieces that leave their places may be those that come to others.
            left.extend(change.writes.iter().filter(|fact| self.pieces.contains(fact)));
        }
        let read = change.reads.iter().find(|fact| self.facts.contains(fact)).copied();
        let stays = mover.or(read).filter(|fact| !ends(fact));
        let comes = change.writes.iter().find(|fact| self.facts.contains(fact)).copied();
        Some((left, comes.or(stays)))
    }
}
