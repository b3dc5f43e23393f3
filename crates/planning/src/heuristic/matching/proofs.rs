//! The dead ends that a matching finds, as data for certificates.

use super::moves::NOWHERE;
use super::places::Places;
use super::tokens::Tokens;
use crate::argument::{DeadPair, DeadPattern};
use crate::search::ProofLog;
use crate::task::Value;
use crate::task::lifting::Lifting;
use std::sync::Arc;

/// The most facts of the mover in the pairs of a certificate.
const MOST_PLACES_OF_MOVER: usize = 1 << 16;

/// The receiver of dead ends, and the names of facts.
#[derive(Clone)]
pub struct Proofs<'a> {
    pub log: Arc<ProofLog>,
    pub lifting: &'a Lifting,
}

impl Proofs<'_> {
    /// Adds what is known of tokens before a search: places from which they reach no target, dead pairs, those that can
    /// freeze, and the facts of the mover.
    pub(super) fn add_tokens<const N: usize>(&self, tokens: &Tokens<N>) {
        let dead: Vec<String> = tokens.dead_places().map(|place| self.token(tokens, place)).collect();
        let mover = self.mover(tokens, &Places::below(if tokens.mover.is_some() { tokens.mover_values } else { 0 }));
        let mut pruned = self.log.pruned();
        for fact in dead {
            if !pruned.facts.contains(&fact) {
                pruned.facts.push(fact);
            }
        }
        pruned.mover = mover;
        // Each search of a puzzle adds all pairs of a symbol anew.
        let pairs = self.pairs(tokens);
        if pairs.first().is_none_or(|first| !pruned.pairs.contains(first)) {
            pruned.pairs.extend(pairs);
        }
        if tokens.blocks.is_some() {
            for fact in (0..tokens.places.len()).map(|place| self.token(tokens, place)) {
                if !pruned.frozen.contains(&fact) {
                    pruned.frozen.push(fact);
                }
            }
        }
    }

    /// Returns the dead pairs: those that are dead only for some values of the mover as long as they are not too many.
    fn pairs<const N: usize>(&self, tokens: &Tokens<N>) -> Vec<DeadPair> {
        let Some(pairs) = &tokens.dead_pairs else { return Vec::new() };
        let mut left = MOST_PLACES_OF_MOVER;
        let mut all = Vec::new();
        for (pieces, dead) in pairs.list(&tokens.dead_places().collect()) {
            let is_possible =
                |value: &usize| pieces.iter().all(|&place| tokens.node(place, *value as Value) != NOWHERE);
            let possible: Places<N> = (0..tokens.mover_values).filter(is_possible).collect();
            let dead = dead.and(&possible);
            let mover = if dead == possible { Vec::new() } else { self.mover(tokens, &dead) };
            if !dead.is_empty() && mover.len() <= left {
                left -= mover.len();
                all.push(DeadPair { pieces: pieces.map(|place| self.token(tokens, place)), mover });
            }
        }
        all
    }

    /// Adds a pattern: tokens, and the mover in a region. The proof follows the tokens in a zone.
    pub(super) fn add_pattern<const N: usize>(
        &self,
        tokens: &Tokens<N>,
        pattern: &Places<N>,
        region: &Places<N>,
        zone: &Places<N>,
    ) {
        let facts = |places: &Places<N>| places.iter().map(|place| self.token(tokens, place)).collect();
        let dead = DeadPattern { pieces: facts(pattern), mover: self.mover(tokens, region), followed: facts(zone) };
        let mut pruned = self.log.pruned();
        if !pruned.patterns.contains(&dead) {
            pruned.patterns.push(dead);
        }
    }

    fn token<const N: usize>(&self, tokens: &Tokens<N>, place: usize) -> String {
        let (var, value) = tokens.places[place];
        self.lifting.reduced_fact(var, value)
    }

    fn mover<const N: usize>(&self, tokens: &Tokens<N>, values: &Places<N>) -> Vec<String> {
        let Some(var) = tokens.mover else { return Vec::new() };
        values.iter().map(|value| self.lifting.reduced_fact(var, value as Value)).collect()
    }
}
