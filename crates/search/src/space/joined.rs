//! A graph of macro moves, whose edges take the place of the moves.

use super::{Cost, Facts, Graph, Key, Ordinal, Weighted};
use std::sync::atomic::{AtomicBool, Ordering};

/// The graph whose moves are the successors of a state in another graph: in one whose states stand for all that free
/// moves lead to, sequences of these are solutions apart from free moves. Two moves to the same state are one.
pub struct Joined<'a, K, C> {
    graph: Box<dyn Weighted<K, C> + 'a>,
    has_free_moves: AtomicBool,
}

impl<'a, K, C> Joined<'a, K, C> {
    /// Takes the successors of a graph as its moves.
    pub fn new(graph: Box<dyn Weighted<K, C> + 'a>) -> Joined<'a, K, C> {
        Joined { graph, has_free_moves: AtomicBool::new(false) }
    }

    /// Returns whether a move cost nothing so far.
    pub fn has_free_moves(&self) -> bool {
        self.has_free_moves.load(Ordering::Relaxed)
    }
}

impl<K: Key, C: Cost> Graph<K> for Joined<'_, K, C> {
    fn facts(&self) -> Facts {
        self.graph.facts()
    }

    fn canonical(&self, key: K) -> K {
        self.graph.canonical(key)
    }

    fn children(&self, of: &[K], children: &mut Vec<K>) {
        for key in of {
            let mut moves = Vec::new();
            self.moves(key, &mut moves);
            children.extend(moves.into_iter().map(|(_, child)| child));
        }
    }

    fn is_goal(&self, key: &K) -> bool {
        self.graph.is_goal(key)
    }

    fn goals(&self, at_most: usize) -> Option<Vec<K>> {
        self.graph.goals(at_most)
    }

    fn features(&self, key: &K, features: &mut Vec<u64>) {
        self.graph.features(key, features);
    }

    fn cell(&self, key: &K) -> Option<u64> {
        self.graph.cell(key)
    }
}

impl<K: Key, C: Cost> Weighted<K, C> for Joined<'_, K, C> {
    fn moves(&self, key: &K, children: &mut Vec<(C, K)>) {
        let first = children.len();
        let mut all = Vec::new();
        self.graph.expand(key, key, &mut all);
        for (cost, child) in all {
            if cost == C::ZERO {
                self.has_free_moves.store(true, Ordering::Relaxed);
                continue;
            }
            match children[first..].iter_mut().find(|(_, known)| *known == child) {
                Some((least, _)) => *least = cost.min(*least),
                None => children.push((cost, child)),
            }
        }
    }

    fn moves_on_path(&self, start: K, path: &[K]) -> (Vec<Ordinal>, C) {
        self.graph.moves_on_path(start, path)
    }

    fn h(&self, of: &[K], values: &mut Vec<C>) {
        self.graph.h(of, values);
    }

    fn settle(&self) {
        self.graph.settle();
    }

    fn is_order_independent(&self) -> bool {
        self.graph.is_order_independent()
    }
}
