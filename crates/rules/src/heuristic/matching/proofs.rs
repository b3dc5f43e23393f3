//! The dead ends that a matching finds, as data for certificates.

use super::places::Places;
use super::tokens::Tokens;
use crate::argument::DeadPattern;
use crate::lifting::Lifting;
use crate::search::ProofLog;
use crate::task::Value;
use std::sync::Arc;

/// The receiver of dead ends, and the names of facts.
#[derive(Clone)]
pub(in super::super::super) struct Proofs<'a> {
    pub log: Arc<ProofLog>,
    pub lifting: &'a Lifting,
}

impl Proofs<'_> {
    /// Adds the facts that a token is at a place from which it reaches no target, and those of the mover.
    pub(super) fn add_facts<const N: usize>(&self, tokens: &Tokens<N>) {
        let dead: Vec<String> = tokens.dead_places().map(|place| self.token(tokens, place)).collect();
        let mover = self.mover(tokens, &Places::below(if tokens.mover.is_some() { tokens.mover_values } else { 0 }));
        let mut pruned = self.log.pruned();
        for fact in dead {
            if !pruned.facts.contains(&fact) {
                pruned.facts.push(fact);
            }
        }
        pruned.mover = mover;
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
