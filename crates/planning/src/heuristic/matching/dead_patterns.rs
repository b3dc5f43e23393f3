//! Dead patterns: some tokens and a region of the mover from which no goal can be reached, whatever else is there; a
//! table of them that grows during a search.
//!
//! The task of the tokens around a [corral](super::corrals) alone ([`Projection`]) is searched exhaustively (for
//! Sokoban: Junghanns and Schaeffer, Sokoban: enhancing general single-agent search methods using domain knowledge,
//! 2001). A token that leaves the corral and its border is removed, which only helps the others. If no state with all
//! tokens left on targets of one goal is found, the state is dead. Tokens are then dropped one by one as long as the
//! rest is dead. What remains is stored, and each state that contains it is dead.
//!
//! Searches are limited in states, not in seconds, and they must pay: see [`DeadPatterns::begin`].

use super::places::Places;
use super::projection::Projection;
use super::proofs::Proofs;
use super::tokens::Tokens;
use super::view::View;
use crate::search::Named;
use crate::task::Value;
use rustc_hash::FxHashSet;

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
    patterns: Vec<Pattern<N>>,
    /// For each place, some patterns with a token there; each pattern is listed once.
    at: Vec<Vec<u32>>,
    /// The tokens around corrals that were searched, each with the first value of the mover's region.
    searched: FxHashSet<(Places<N>, u16)>,
    /// The states of the puzzle so far, the dead ones of them, and the states that searches of corrals visited.
    seen: u64,
    dead: u64,
    visited: u64,
}

impl<'a, const N: usize> DeadPatterns<'a, N> {
    pub fn new(of: &'a Tokens<N>, projection: &'a Projection<N>, proofs: Option<Proofs<'a>>) -> DeadPatterns<'a, N> {
        DeadPatterns {
            of,
            projection,
            proofs,
            patterns: Vec::new(),
            at: vec![Vec::new(); of.places.len()],
            searched: FxHashSet::default(),
            seen: 0,
            dead: 0,
            visited: 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Counts a state of the puzzle; returns whether its corrals are to be searched: whether those so far paid.
    pub fn begin(&mut self) -> bool {
        self.seen += 1;
        let affords = self.visited <= AT_FIRST + FOR_EACH_DEAD * self.dead + self.seen / STATES_FOR_ONE;
        affords && self.searched.len() < MOST_SEARCHES
    }

    /// Returns whether a state has a dead pattern that is known.
    pub fn are_known_in(&mut self, tokens: &Places<N>, mover: usize) -> bool {
        let is_dead = self.contain(tokens, mover);
        self.dead += u64::from(is_dead);
        is_dead
    }

    /// Searches the corrals of a state; returns whether one is dead, after storing a pattern.
    pub fn find(&mut self, view: &View<N>) -> bool {
        for (corral, around) in &view.corrals {
            let projection = self.projection;
            if around.len() > MOST_TOKENS || projection.is_goal(around) {
                continue;
            }
            let first = projection.region(around, view.mover).first().expect("the mover is in its region");
            if !self.searched.insert((*around, first as u16)) {
                continue;
            }
            let zone = around.or(&projection.places_in(corral));
            if !self.is_dead(around, first, &zone) {
                continue;
            }
            let mut least = *around;
            for place in around.iter() {
                let mut fewer = least;
                fewer.remove(place);
                if self.is_dead(&fewer, first, &zone) {
                    least = fewer;
                }
            }
            let region = projection.region(&least, first);
            if let Some(proofs) = &self.proofs {
                proofs.add_pattern(self.of, &least, &region, &zone);
            }
            self.insert(Pattern { tokens: least, region });
            self.dead += 1;
            return true;
        }
        false
    }

    fn contain(&self, tokens: &Places<N>, mover: usize) -> bool {
        let has = |&number: &u32| {
            let pattern = &self.patterns[number as usize];
            pattern.tokens.is_within(tokens) && pattern.region.contains(mover)
        };
        tokens.iter().any(|place| self.at[place].iter().any(has))
    }

    fn insert(&mut self, pattern: Pattern<N>) {
        let place = pattern.tokens.iter().min_by_key(|&place| self.at[place].len()).expect("a pattern has tokens");
        self.at[place].push(self.patterns.len() as u32);
        self.patterns.push(pattern);
    }

    /// Returns whether an exhaustive search proves that these tokens never all reach targets or leave the zone.
    fn is_dead(&mut self, tokens: &Places<N>, mover: usize, zone: &Places<N>) -> bool {
        let projection = self.projection;
        if projection.is_goal(tokens) {
            return false;
        }
        let region = projection.region(tokens, mover);
        let mut known = FxHashSet::from_iter([(*tokens, region.first())]);
        let mut stack = vec![(*tokens, region)];
        while let Some((tokens, region)) = stack.pop() {
            self.visited += 1;
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
        let frozen = self.of.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(tokens));
        !self.projection.is_goal(&frozen)
            || self.of.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(tokens, mover as Value))
            || self.contain(tokens, mover)
    }
}
