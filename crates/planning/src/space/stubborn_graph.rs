//! The graph of a space in which a state has only the successors by a stubborn set (see
//! [`stubborn_moves`](super::stubborn_moves)), as canonical representatives.

use super::RuleSpace;
use crate::packed::Word;
use crate::space::stubborn_moves::StubbornMoves;
use engine_search::space::{Facts, Graph, Ordinal, StateSpace, Symmetric, Weighted, Whole, moves_on_path};

pub struct StubbornGraph<'a, W> {
    pub space: &'a RuleSpace<W>,
    pub stubborn: &'a StubbornMoves,
}

impl<W: Word> Graph<W> for StubbornGraph<'_, W> {
    fn facts(&self) -> Facts {
        self.space.facts()
    }

    fn canonical(&self, key: W) -> W {
        self.space.canonical(key)
    }

    fn children(&self, of: &[W], children: &mut Vec<W>) {
        of.iter().for_each(|key| self.space.expand_canonical(key, |_, child| children.push(child)));
    }

    fn is_goal(&self, key: &W) -> bool {
        self.space.is_goal(key)
    }

    fn goals(&self, at_most: usize) -> Option<Vec<W>> {
        self.space.goals(at_most)
    }

    fn features(&self, key: &W, features: &mut Vec<u64>) {
        self.space.features(key, features);
    }
}

impl<W: Word> Weighted<W, u32> for StubbornGraph<'_, W> {
    fn moves(&self, key: &W, children: &mut Vec<(u32, W)>) {
        Whole(self.space).moves(key, children);
    }

    fn expand(&self, key: &W, _from: &W, successors: &mut Vec<(u32, W)>) {
        let (mut legal, mut all) = (Vec::new(), Vec::new());
        self.space.for_each_successor(key, |number, operator, after| {
            legal.push(number);
            all.push((operator.cost, after));
        });
        let set = self.space.with_values(key, |state| self.stubborn.of(&self.space.task, state, &legal));
        let mut left_out = 0;
        for (number, (cost, after)) in legal.into_iter().zip(all) {
            if set.as_ref().is_none_or(|set| set.contains(number)) {
                successors.push((cost, self.canonical(after)));
            } else {
                left_out += 1;
            }
        }
        if let Some(counters) = self.space.counters() {
            counters.not_stubborn(left_out);
        }
    }

    fn moves_on_path(&self, start: W, path: &[W]) -> (Vec<Ordinal>, u32) {
        moves_on_path(self, start, path)
    }

    fn h(&self, of: &[W], values: &mut Vec<u32>) {
        Whole(self.space).h(of, values);
    }
}
