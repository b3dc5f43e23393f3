//! The numbered states of a state space.

use super::super::{Notation, NumberedStates, Searchable};
use crate::space::{Cost, CostUnit, Key, Weighted};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The place of a state that was not expanded.
const UNEXPANDED: (u32, u32) = (0, u32::MAX);

/// A state space as a graph, whatever its type.
pub(super) trait AsGraph<K, C>: Send + Sync {
    /// Shows the graph: with `joins`, the one whose states are those that free moves join.
    fn look(&self, joins: bool, look: &mut dyn FnMut(&dyn Weighted<K, C>));
}

/// The states of a space that were reached, with the successors of those that were expanded.
pub(super) struct Numbered<K, C> {
    space: Arc<dyn AsGraph<K, C>>,
    /// True if states that free moves join are one state.
    joins: bool,
    unit: CostUnit,
    /// The bytes of a key.
    key_bytes: usize,
    keys: Vec<K>,
    numbers: FxHashMap<K, u32>,
    /// The first edge of each state, and the number of its edges.
    places: Vec<(u32, u32)>,
    edges: Vec<(u32, f64)>,
    /// The heuristic value of each state, and whether it is a goal.
    values: Vec<(f64, bool)>,
    /// The positions to which [`step`](NumberedStates::step) has led.
    visited: FxHashMap<u32, Arc<dyn Searchable>>,
}

impl<K: Key, C: Cost> Numbered<K, C> {
    /// The states from `start` on, whose key is given. `heap_bytes`: those of a key on the heap.
    pub fn new(
        space: Arc<dyn AsGraph<K, C>>,
        joins: bool,
        unit: CostUnit,
        heap_bytes: usize,
        start: (K, Arc<dyn Searchable>),
    ) -> Numbered<K, C> {
        let (key, start) = start;
        let mut numbered = Numbered {
            space: Arc::clone(&space),
            joins,
            unit,
            key_bytes: size_of::<K>() + heap_bytes,
            keys: Vec::new(),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            visited: FxHashMap::from_iter([(0, start)]),
        };
        space.look(joins, &mut |graph| {
            numbered.number(graph.canonical(key.clone()));
            numbered.values = numbered.values_from(graph, 0);
        });
        numbered
    }

    /// Returns a cost as people see it.
    fn shown(&self, cost: C) -> f64 {
        self.unit.cost(cost.as_f64())
    }

    /// Returns the heuristic value of each state from one on, and whether it is a goal.
    fn values_from(&self, graph: &dyn Weighted<K, C>, first: usize) -> Vec<(f64, bool)> {
        let mut values = Vec::new();
        if first < self.keys.len() {
            graph.h(&self.keys[first..], &mut values);
        }
        let shown = |h: C| if h >= C::INFINITY { f64::INFINITY } else { self.shown(h) };
        values.into_iter().zip(&self.keys[first..]).map(|(h, key)| (shown(h), graph.is_goal(key))).collect()
    }

    /// Returns the number of a state, which may be new.
    fn number(&mut self, key: K) -> u32 {
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

    /// Appends the edges of a state, and the values of the states that are new.
    fn expand(&mut self, at: usize, graph: &dyn Weighted<K, C>) {
        let (key, known) = (self.keys[at].clone(), self.keys.len());
        let mut children = Vec::new();
        match self.joins {
            true => graph.expand(&key, &key, &mut children),
            false => graph.moves(&key, &mut children),
        }
        let first = self.edges.len();
        for (cost, child) in children {
            let (number, cost) = (self.number(child), self.shown(cost));
            match self.edges[first..].iter_mut().find(|(known, _)| *known == number) {
                Some((_, known)) => *known = known.min(cost),
                None => self.edges.push((number, cost)),
            }
        }
        let values = self.values_from(graph, known);
        self.values.extend(values);
        self.places[at] = (first as u32, (self.edges.len() - first) as u32);
    }
}

impl<K: Key, C: Cost> NumberedStates for Numbered<K, C> {
    fn count(&self) -> usize {
        self.keys.len()
    }

    fn bytes(&self) -> usize {
        self.keys.len() * (2 * self.key_bytes + 24) + self.edges.len() * size_of::<(u32, f64)>()
    }

    fn successors(&mut self, state: u32) -> &[(u32, f64)] {
        let at = state as usize;
        if self.places[at] == UNEXPANDED {
            let space = Arc::clone(&self.space);
            space.look(self.joins, &mut |graph| self.expand(at, graph));
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
        let mut at = Arc::clone(self.visited.get(&from)?);
        let mut moves = Vec::new();
        for ordinal in at.moves_to(&self.keys[to as usize])? {
            let (name, after) = at.after_move(ordinal as usize, Notation::STANDARD)?;
            at = after.here().into();
            moves.push((name, after));
        }
        self.visited.entry(to).or_insert(at);
        Some(moves)
    }
}
