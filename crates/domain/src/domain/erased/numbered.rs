//! The numbered states of a state space.

use super::super::{Notation, NumberedStates, Searchable, View};
use super::{Current, Cursor};
use crate::search::Searched;
use crate::space::{Cost, Weighted, Whole};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The place of a state that was not expanded.
const UNEXPANDED: (u32, u32) = (0, u32::MAX);

/// The states of a space that were reached, with the successors of those that were expanded.
pub(super) struct Numbered<S: Searched, V: View<S>> {
    from: Cursor<S, V>,
    /// True if states that free moves join are one state.
    joins: bool,
    keys: Vec<S::Key>,
    numbers: FxHashMap<S::Key, u32>,
    /// The first edge of each state, and the number of its edges.
    places: Vec<(u32, u32)>,
    edges: Vec<(u32, f64)>,
    /// The heuristic value of each state, and whether it is a goal.
    values: Vec<(f64, bool)>,
    /// The positions to which [`step`](NumberedStates::step) has led.
    visited: FxHashMap<u32, Current<S, V>>,
}

impl<S: Searched, V: View<S>> Numbered<S, V> {
    pub fn new(from: Cursor<S, V>) -> Numbered<S, V> {
        let joins = from.shared.0.facts().free_moves && from.shared.0.jump_graph().is_some();
        let mut numbered = Numbered {
            joins,
            keys: Vec::new(),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            visited: FxHashMap::from_iter([(0, from.current())]),
            from,
        };
        let start = numbered.with_graph(|graph| graph.canonical(numbered.from.key()));
        numbered.number(start);
        numbered.values = numbered.with_graph(|graph| numbered.values_from(graph, 0));
        numbered
    }

    fn with_graph<T>(&self, look: impl FnOnce(&dyn Weighted<S::Key, S::Cost>) -> T) -> T {
        let space = &self.from.shared.0;
        match space.jump_graph().filter(|_| self.joins) {
            Some(graph) => look(&*graph),
            None => look(&Whole(space)),
        }
    }

    /// Returns the heuristic value of each state from one on, and whether it is a goal.
    fn values_from(&self, graph: &dyn Weighted<S::Key, S::Cost>, first: usize) -> Vec<(f64, bool)> {
        let mut values = Vec::new();
        if first < self.keys.len() {
            graph.h(&self.keys[first..], &mut values);
        }
        let shown = |h: S::Cost| if h >= S::Cost::INFINITY { f64::INFINITY } else { self.from.shown(h) };
        values.into_iter().zip(&self.keys[first..]).map(|(h, key)| (shown(h), graph.is_goal(key))).collect()
    }

    /// Returns the number of a state, which may be new.
    fn number(&mut self, key: S::Key) -> u32 {
        let next = self.keys.len() as u32;
        match self.numbers.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.keys.push(new.key().clone());
                self.places.push(UNEXPANDED);
                *new.insert(next)
            }
        }
    }
}

impl<S: Searched, V: View<S>> NumberedStates for Numbered<S, V> {
    fn count(&self) -> usize {
        self.keys.len()
    }

    fn bytes(&self) -> usize {
        let key = size_of::<S::Key>() + self.from.shared.0.facts().key_heap_bytes;
        self.keys.len() * (2 * key + 24) + self.edges.len() * size_of::<(u32, f64)>()
    }

    fn successors(&mut self, state: u32) -> &[(u32, f64)] {
        let at = state as usize;
        if self.places[at] == UNEXPANDED {
            let shared = Arc::clone(&self.from.shared);
            let (joined, whole) = (shared.0.jump_graph().filter(|_| self.joins), Whole(&shared.0));
            let graph: &dyn Weighted<S::Key, S::Cost> = joined.as_deref().unwrap_or(&whole);
            let (key, known) = (self.keys[at].clone(), self.keys.len());
            let mut children = Vec::new();
            match self.joins {
                true => graph.expand(&key, &key, &mut children),
                false => graph.moves(&key, &mut children),
            }
            let first = self.edges.len();
            for (cost, child) in children {
                let (number, cost) = (self.number(child), self.from.shown(cost));
                match self.edges[first..].iter_mut().find(|(known, _)| *known == number) {
                    Some((_, known)) => *known = known.min(cost),
                    None => self.edges.push((number, cost)),
                }
            }
            let values = self.values_from(graph, known);
            self.values.extend(values);
            self.places[at] = (first as u32, (self.edges.len() - first) as u32);
        }
        let (first, count) = self.places[at];
        &self.edges[first as usize..(first + count) as usize]
    }

    fn h(&self, state: u32) -> f64 {
        self.values[state as usize].0
    }

    fn is_goal(&self, state: u32) -> bool {
        self.values[state as usize].1
    }

    fn step(&mut self, from: u32, to: u32) -> Option<Vec<(String, Box<dyn Searchable>)>> {
        let mut current = self.visited.get(&from)?.clone();
        let (space, view) = &*self.from.shared;
        let (key, next) = (space.pack(&current.state), &self.keys[to as usize..=to as usize]);
        let mut moves: Vec<(String, Box<dyn Searchable>)> = Vec::new();
        for ordinal in self.with_graph(|graph| graph.moves_on_way(key, next)) {
            let action = space.nth_action(&current.state, ordinal as usize)?;
            let name = view.notation(&current.position, action, Notation::STANDARD);
            current = self.from.after_action(current, action);
            let after = Cursor { shared: Arc::clone(&self.from.shared), current: Some(current.clone()) };
            moves.push((name, Box::new(after)));
        }
        self.visited.entry(to).or_insert(current);
        Some(moves)
    }
}
