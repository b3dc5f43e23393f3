//! Dead patterns: some tokens and a region of the mover from which no goal can be reached, whatever else is there; a
//! table of them that grows during a search.
//!
//! The task of the tokens around a [corral](super::corrals) alone ([`Projection`]) is searched exhaustively (for
//! Sokoban: Junghanns and Schaeffer, Sokoban: enhancing general single-agent search methods using domain knowledge,
//! 2001). A token that leaves the corral and its border is removed, which only helps the others. If no state with all
//! tokens left on targets of one goal is found, the state is dead. Tokens are then dropped one by one as long as the
//! rest is dead. What remains is stored, and each state that contains it is dead.
//!
//! Searches are limited in states, not in seconds, and they must pay: see [`Reader::begin`]. Threads may look at the
//! states of a round at once: each finds what it would find alone, by the patterns of the rounds before.

use super::places::Places;
use super::projection::Projection;
use super::proofs::Proofs;
use super::rounds::{RoundCount, StateCount};
use super::tokens::Tokens;
use super::view::View;
use crate::search::Named;
use crate::task::Value;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

/// The name of this reduction.
pub const DEAD_PATTERNS: Named =
    Named { name: "dead-patterns", summary: "no positions with pieces around a corral that never all reach targets" };

/// The most tokens around a corral.
const MOST_TOKENS: usize = 12;

/// The most states of one search.
const MOST_STATES: usize = 300;

/// The most corrals that are searched.
const MOST_SEARCHES: usize = 1 << 16;

/// The budget of states for searches of corrals: at first, for each dead state found, and one for every
/// `STATES_FOR_ONE` states of the puzzle. A state of a corral takes as long as one or two states of the puzzle.
/// Unit tests search all corrals.
const AT_FIRST: u64 = if cfg!(test) { 1 << 20 } else { 100 };
const FOR_EACH_DEAD: u64 = 2;
const STATES_FOR_ONE: u64 = 32;

/// Tokens, and the values of the mover with which they are dead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern<const N: usize> {
    tokens: Places<N>,
    region: Places<N>,
}

/// The dead patterns of one kind of tokens.
pub(super) struct DeadPatterns<'a, const N: usize> {
    of: &'a Tokens<N>,
    projection: &'a Projection<N>,
    /// The receiver of patterns, if a certificate is to prove them.
    proofs: Option<Proofs<'a>>,
    /// What the rounds before this one found. Threads share the lock; only [`settle`](Self::settle) takes it alone.
    known: RwLock<Known<N>>,
    /// The states of the puzzle so far, and the dead ones of them.
    seen: StateCount,
    dead: RoundCount,
    /// The searches of this round. Each is made once, whichever states ask for it.
    searches: Mutex<FxHashMap<Corral<N>, Arc<OnceLock<Search<N>>>>>,
}

/// The patterns of the rounds before this one, and the searches that found them.
struct Known<const N: usize> {
    patterns: Vec<Pattern<N>>,
    /// For each place, some patterns with a token there; each pattern is listed once.
    at: Vec<Vec<u32>>,
    /// The tokens around corrals that were searched, each with the first value of the mover's region.
    searched: FxHashSet<(Places<N>, u16)>,
    /// The states that these searches visited.
    visited: u64,
}

/// The tokens around a corral, the first value of the mover's region, and the places to which the tokens are followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Corral<const N: usize> {
    around: Places<N>,
    first: usize,
    zone: Places<N>,
}

/// The outcome of searching a corral.
struct Search<const N: usize> {
    visited: u64,
    pattern: Option<Pattern<N>>,
}

impl<'a, const N: usize> DeadPatterns<'a, N> {
    pub fn new(of: &'a Tokens<N>, projection: &'a Projection<N>, proofs: Option<Proofs<'a>>) -> DeadPatterns<'a, N> {
        DeadPatterns {
            of,
            projection,
            proofs,
            known: RwLock::new(Known {
                patterns: Vec::new(),
                at: vec![Vec::new(); of.places.len()],
                searched: FxHashSet::default(),
                visited: 0,
            }),
            seen: StateCount::default(),
            dead: RoundCount::default(),
            searches: Mutex::default(),
        }
    }

    /// Returns what is known in this round. The reader must be dropped before the round is settled.
    pub fn reader(&self) -> Reader<'_, 'a, N> {
        Reader { of: self, known: self.known.read() }
    }

    /// Puts what a round found into effect.
    pub fn settle(&self) {
        self.seen.settle();
        self.dead.settle();
        let mut searches = self.searches.lock();
        if searches.is_empty() {
            return;
        }
        let known = &mut *self.known.write();
        let mut found = Vec::new();
        for (corral, search) in searches.drain() {
            let Some(search) = search.get() else { continue };
            known.searched.insert((corral.around, corral.first as u16));
            known.visited += search.visited;
            found.extend(search.pattern.map(|pattern| (pattern, corral.zone)));
        }
        found.sort_unstable();
        for (pattern, zone) in found {
            if known.has(&pattern) {
                continue;
            }
            known.insert(pattern);
            if let Some(proofs) = &self.proofs {
                proofs.add_pattern(self.of, &pattern.tokens, &pattern.region, &zone);
            }
        }
    }
}

impl<const N: usize> Known<N> {
    /// Returns whether these tokens have a dead pattern.
    fn contain(&self, tokens: &Places<N>, mover: usize) -> bool {
        let has = |&number: &u32| {
            let pattern = &self.patterns[number as usize];
            pattern.tokens.is_within(tokens) && pattern.region.contains(mover)
        };
        tokens.iter().any(|place| self.at[place].iter().any(has))
    }

    /// Returns whether every state with this pattern has one that is known.
    fn has(&self, pattern: &Pattern<N>) -> bool {
        let has = |&number: &u32| {
            let known = &self.patterns[number as usize];
            known.tokens.is_within(&pattern.tokens) && pattern.region.is_within(&known.region)
        };
        pattern.tokens.iter().any(|place| self.at[place].iter().any(has))
    }

    fn insert(&mut self, pattern: Pattern<N>) {
        let place = pattern.tokens.iter().min_by_key(|&place| self.at[place].len()).expect("a pattern has tokens");
        self.at[place].push(self.patterns.len() as u32);
        self.patterns.push(pattern);
    }
}

/// The dead patterns as they are known in a round.
pub(super) struct Reader<'r, 'a, const N: usize> {
    of: &'r DeadPatterns<'a, N>,
    known: RwLockReadGuard<'r, Known<N>>,
}

impl<const N: usize> Reader<'_, '_, N> {
    pub fn is_empty(&self) -> bool {
        self.known.patterns.is_empty()
    }

    /// Counts a state of the puzzle; returns whether its corrals are to be searched: whether those so far paid. If
    /// another round like the last one would spend more than they earned, only some of its states are searched.
    pub fn begin(&self, state: &impl Hash) -> bool {
        let DeadPatterns { seen, dead, .. } = self.of;
        seen.add();
        let earned = AT_FIRST + FOR_EACH_DEAD * dead.get() + (seen.before() + 1) / STATES_FOR_ONE;
        let Some(left) = earned.checked_sub(self.known.visited) else { return false };
        let searched = self.known.searched.len();
        let for_each = self.known.visited / searched.max(1) as u64;
        searched < MOST_SEARCHES && seen.number_in_round(state) <= left / for_each.max(1)
    }

    /// Returns whether a state has a dead pattern that is known.
    pub fn are_known_in(&self, tokens: &Places<N>, mover: usize) -> bool {
        let is_dead = self.known.contain(tokens, mover);
        self.of.dead.add(is_dead.into());
        is_dead
    }

    /// Searches the corrals of a state; returns whether one is dead.
    pub fn find(&self, view: &View<N>) -> bool {
        let projection = self.of.projection;
        let mut searched = Vec::new();
        for (corral, around) in &view.corrals {
            if around.len() > MOST_TOKENS || projection.is_goal(around) {
                continue;
            }
            let first = projection.region(around, view.mover).first().expect("the mover is in its region");
            if self.known.searched.contains(&(*around, first as u16)) || searched.contains(around) {
                continue;
            }
            searched.push(*around);
            let zone = around.or(&projection.places_in(corral));
            let corral = Corral { around: *around, first, zone };
            let search = Arc::clone(self.of.searches.lock().entry(corral).or_default());
            if search.get_or_init(|| self.search(&corral)).pattern.is_some() {
                self.of.dead.add(1);
                return true;
            }
        }
        false
    }

    /// Searches a corral; if it is dead, drops tokens as long as the rest is.
    fn search(&self, corral: &Corral<N>) -> Search<N> {
        let &Corral { around, first, zone } = corral;
        let mut visited = 0;
        if !self.is_dead(&around, first, &zone, &mut visited) {
            return Search { visited, pattern: None };
        }
        let mut least = around;
        for place in around.iter() {
            let mut fewer = least;
            fewer.remove(place);
            if self.is_dead(&fewer, first, &zone, &mut visited) {
                least = fewer;
            }
        }
        let region = self.of.projection.region(&least, first);
        Search { visited, pattern: Some(Pattern { tokens: least, region }) }
    }

    /// Returns whether an exhaustive search proves that these tokens never all reach targets or leave the zone. Counts
    /// the states that it visits.
    fn is_dead(&self, tokens: &Places<N>, mover: usize, zone: &Places<N>, visited: &mut u64) -> bool {
        let projection = self.of.projection;
        if projection.is_goal(tokens) {
            return false;
        }
        let region = projection.region(tokens, mover);
        let mut known = FxHashSet::from_iter([(*tokens, region.first())]);
        let mut stack = vec![(*tokens, region)];
        while let Some((tokens, region)) = stack.pop() {
            *visited += 1;
            for place in tokens.iter() {
                let mut others = tokens;
                others.remove(place);
                for step in &projection.steps[place] {
                    if !region.contains(step.before) || step.without.meets(&others) {
                        continue;
                    }
                    let mut after = others;
                    if zone.contains(step.to) {
                        after.insert(step.to);
                    }
                    if projection.is_goal(&after) {
                        return false;
                    }
                    // Pairs may be dead with one value of the region and not with another: a dead end is not stored.
                    if self.is_known_dead(&after, step.after) {
                        continue;
                    }
                    let reached = projection.region(&after, step.after);
                    let key = (after, reached.first());
                    if known.contains(&key) {
                        continue;
                    }
                    if known.len() == MOST_STATES {
                        return false;
                    }
                    known.insert(key);
                    stack.push((after, reached));
                }
            }
        }
        true
    }

    fn is_known_dead(&self, tokens: &Places<N>, mover: usize) -> bool {
        let of = self.of.of;
        let frozen = of.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(tokens));
        !self.of.projection.is_goal(&frozen)
            || of.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(tokens, mover as Value))
            || self.known.contain(tokens, mover)
    }
}
