//! The graph of the stable states of a space: vanishing states are passed through, not stored (see
//! [`vanishing`](crate::analysis::vanishing)).

use super::RuleSpace;
use crate::analysis::vanishing::{Recoding, Stable};
use crate::packed::Word;
use engine_search::space::{Facts, Graph, Ordinal, StateSpace, Weighted, Whole, moves_on_path};
use rustc_hash::FxHashSet;

/// The graph of the stable states, one for each class of symmetric ones.
pub struct StableGraph<'a, W> {
    pub space: &'a RuleSpace<W>,
    pub stable: &'a Stable,
    pub recoding: &'a Recoding<W>,
}

impl<W: Word> StableGraph<'_, W> {
    /// Appends the vanishing states on the way from a stable state to one that `to` represents, and that one.
    fn between(&self, from: &W, to: &W, path: &mut Vec<W>) {
        // The vanishing states after `from`, each with the number of the one before it and its cost.
        let mut states: Vec<(W, usize, u32)> = vec![(from.clone(), 0, 0)];
        let mut seen = FxHashSet::default();
        let mut best: Option<(u32, usize, W)> = None;
        let mut at = 0;
        while at < states.len() {
            let (state, _, before) = states[at].clone();
            self.space.for_each_successor(&state, |_, operator, after| {
                let cost = before + operator.cost;
                if self.canonical(after.clone()) == *to {
                    if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                        best = Some((cost, at, after));
                    }
                } else if self.stable.code(&self.space.values(&after)).is_none() && seen.insert((after.clone(), cost)) {
                    states.push((after, at, cost));
                }
            });
            at += 1;
        }
        let (_, mut at, last) = best.expect("an edge joins consecutive states on a path");
        let first = path.len();
        path.push(last);
        while at > 0 {
            path.push(states[at].0.clone());
            at = states[at].1;
        }
        path[first..].reverse();
    }
}

impl<W: Word> Graph<W> for StableGraph<'_, W> {
    fn facts(&self) -> Facts {
        self.space.facts()
    }

    fn canonical(&self, key: W) -> W {
        match self.stable.code(&self.space.values(&key)) {
            Some(code) => self.recoding.unpack(self.stable.canonical(code)),
            // Its images need not lead to images of the same stable states: those have fewer symmetries.
            None => key,
        }
    }

    fn children(&self, of: &[W], children: &mut Vec<W>) {
        let mut successors = Vec::new();
        of.iter().for_each(|key| self.expand(key, key, &mut successors));
        children.extend(successors.into_iter().map(|(_, child)| child));
    }

    fn is_goal(&self, key: &W) -> bool {
        self.space.is_goal(key)
    }

    fn goals(&self, _at_most: usize) -> Option<Vec<W>> {
        None
    }

    fn features(&self, key: &W, features: &mut Vec<u64>) {
        self.space.features(key, features);
    }
}

impl<W: Word> Weighted<W, u32> for StableGraph<'_, W> {
    fn moves(&self, key: &W, children: &mut Vec<(u32, W)>) {
        Whole(self.space).moves(key, children);
    }

    fn expand(&self, key: &W, _from: &W, successors: &mut Vec<(u32, W)>) {
        // A search may begin at a vanishing state; its children are as they are.
        if self.stable.code(&self.space.values(key)).is_none() {
            self.space.for_each_successor(key, |_, operator, after| {
                successors.push((operator.cost, self.canonical(after)));
            });
            return;
        }
        self.stable.successors(self.recoding.pack(key), |cost, code| {
            successors.push((cost, self.recoding.unpack(self.stable.canonical(code))));
        });
    }

    fn moves_on_path(&self, start: W, path: &[W]) -> (Vec<Ordinal>, u32) {
        let mut all = Vec::new();
        for to in path {
            let from = all.last().unwrap_or(&start).clone();
            self.between(&from, to, &mut all);
        }
        moves_on_path(&Whole(self.space), start, &all)
    }

    fn h(&self, of: &[W], values: &mut Vec<u32>) {
        Whole(self.space).h(of, values);
    }

    fn is_order_independent(&self) -> bool {
        Whole(self.space).is_order_independent()
    }
}
