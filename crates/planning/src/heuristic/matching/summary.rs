//! The knowledge of a matching about its tokens, for people.

use super::moves::NOWHERE;
use super::places::Places;
use super::tokens::Tokens;
use super::{DEAD, Kinds};
use crate::heuristic::DeadEnd;
use crate::task::{Task, Value};

/// A kind of tokens.
#[derive(Clone, Debug)]
pub struct TokenKind {
    pub symbol: String,
    /// The number of tokens.
    pub count: usize,
    /// The names of the variables that can hold a token.
    pub places: Vec<String>,
    /// The places where some goal allows a token.
    pub targets: Vec<String>,
    /// The least number of targets that a goal needs filled.
    pub needed: usize,
    /// The places from which a token reaches no target of any goal, whatever else moves.
    pub dead: Vec<String>,
    /// The number of pairs of other places from which two tokens never both reach targets.
    pub dead_pairs: usize,
}

impl<const N: usize> Kinds<N> {
    /// Returns why a state with h = [`DEAD`] is a dead end.
    pub fn dead_end(&self, state: &[Value]) -> DeadEnd {
        let is_dead = |tokens: &&Tokens<N>| {
            let mut assignment = Default::default();
            tokens.goals.iter().all(|goal| tokens.h(goal, state, &mut assignment) == DEAD)
        };
        self.kinds.iter().find(is_dead).map_or(DeadEnd::Matching, |tokens| tokens.dead_end(state))
    }

    /// Returns the kinds of tokens.
    pub fn token_kinds(&self, task: &Task) -> Vec<TokenKind> {
        self.kinds.iter().map(|tokens| tokens.kind(task)).collect()
    }
}

impl<const N: usize> Tokens<N> {
    fn kind(&self, task: &Task) -> TokenKind {
        let name = |place: usize| task.variables[self.places[place].0].name.clone();
        let variables = |places: &mut dyn Iterator<Item = usize>| places.map(name).collect();
        let all = 0..self.places.len();
        let dead: Vec<usize> = self.dead_places().collect();
        let is_target = |place: &usize| self.goals.iter().any(|goal| goal.places.contains(&(*place as u16)));
        let needed = |goal: &super::Targets| goal.required.len();
        let pairs = self.dead_pairs.as_ref();
        TokenKind {
            symbol: self.symbol.clone(),
            count: self.count(&task.start),
            places: variables(&mut all.clone()),
            targets: variables(&mut all.filter(is_target)),
            needed: self.goals.iter().map(needed).min().unwrap_or(0),
            dead: variables(&mut dead.iter().copied()),
            dead_pairs: pairs.map_or(0, |pairs| pairs.count(&dead.iter().copied().collect::<Places<N>>())),
        }
    }

    fn dead_end(&self, state: &[Value]) -> DeadEnd {
        let (tokens, mover) = self.read(state);
        let mover = mover as Value;
        let is_stuck = |place: usize| !self.is_alive(self.node(place, mover));
        let is_target = |place: usize| self.goals.iter().any(|goal| goal.places.contains(&(place as u16)));
        let frozen = self.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(&tokens));
        if tokens.iter().any(is_stuck) {
            DeadEnd::Distance
        } else if self.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(&tokens, mover)) {
            DeadEnd::Pair
        } else if frozen.iter().any(|place| !is_target(place)) {
            DeadEnd::Frozen
        } else {
            DeadEnd::Matching
        }
    }

    /// Returns the places from which a token reaches no target of any goal.
    pub fn dead_places(&self) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(|&place| self.is_dead(place))
    }

    /// Returns whether a token can be at a place, and reaches no target of any goal from there.
    fn is_dead(&self, place: usize) -> bool {
        let nodes = (0..self.mover_values).map(|value| self.node(place, value as Value));
        let mut happening = nodes.filter(|&node| node != NOWHERE).peekable();
        happening.peek().is_some() && happening.all(|node| !self.is_alive(node))
    }
}
