//! The trace of a graph search.
//!
//! It is read off the search before and after the children of a state are reached, so that the loop over them is the
//! same with and without a trace.

use super::{Frontier, Node, Search};
use crate::search::limits::Limits;
use crate::search::most_cost;
use crate::search::trace::{Child, Nodes, PruneReason, StepKind, TracedState};
use crate::space::{Cost, Key};
use std::mem::take;

/// The trace of a graph search, if there is one.
pub(super) struct Traced<K, C> {
    pub nodes: Nodes<C>,
    /// The successors of the states being expanded, and the number of states generated before.
    successors: Vec<(C, K)>,
    generated: u64,
    /// The level of the states expanded last, in a search by levels.
    level: Option<f64>,
    /// The novelties of the opened children of the states being expanded, in a search by novelty.
    pub novelties: Vec<u8>,
}

impl<K: Key, C: Cost> Traced<K, C> {
    pub fn new(limits: &Limits) -> Option<Traced<K, C>> {
        Some(Traced {
            nodes: Nodes::new(limits.trace.as_ref(), None)?,
            successors: Vec::new(),
            generated: 0,
            level: None,
            novelties: Vec::new(),
        })
    }

    /// Keeps the successors of the states being expanded. `generated` is the number of states generated before.
    #[cold]
    pub fn keep(&mut self, successors: &[(C, K)], generated: u64) {
        self.successors.extend_from_slice(successors);
        self.generated = generated;
        self.novelties.clear();
    }
}

impl<K: Key, C: Cost, F: Frontier<C>> Search<'_, K, C, F> {
    /// Reports the states that were expanded, each with its children, which are in the table.
    #[cold]
    pub(super) fn trace_round(&mut self, first_new: usize) {
        let (level, _) = self.frontier.proven();
        let Some(trace) = self.trace.as_mut().filter(|trace| trace.nodes.is_on) else {
            self.trace = None;
            return;
        };
        let round = &self.round;
        let most = most_cost(self.limits);
        // In the order of the successors.
        let mut opened = round.opened.iter().peekable();
        let mut novelties = take(&mut trace.novelties).into_iter();
        let mut successors = take(&mut trace.successors).into_iter();
        // A search that ends does not come to all of them.
        let mut generated = self.generated - trace.generated;
        for (&(parent, _), &(number, _)) in round.states.iter().zip(&round.children[0].counts) {
            if F::FIRST_IS_SHORTEST && trace.level.replace(level) != Some(level) {
                trace.nodes.layer(level);
            }
            let back = self.table.nodes.parent(parent);
            trace.nodes.novelty = self.frontier.novelty();
            trace.nodes.expanded(parent, back, None, |g, h| self.frontier.priority(g, h));
            trace.nodes.novelty = None;
            let back = self.table.key(back);
            let from = trace.nodes.g(parent);
            for (cost, key) in successors.by_ref().take(number).filter(|(_, key)| key != back) {
                // There may have been no memory for this one.
                let Some(node) = self.table.find(&key).filter(|_| generated > 0) else { break };
                generated -= 1;
                let g = from + cost;
                let is_new = node as usize >= trace.nodes.len();
                let is_opened = opened.peek().is_some_and(|opened| opened.node == node);
                if !is_new && !(is_opened && (!F::INFORMED || g < trace.nodes.g(node))) {
                    trace.nodes.duplicate(node, parent, g);
                    continue;
                }
                if is_opened {
                    opened.next();
                }
                let known = trace.nodes.h(node);
                let h = if is_new { round.values.get(node as usize - first_new).copied() } else { known };
                let f = h.and_then(|h| self.frontier.priority(g, h));
                let child = Child { node, parent, state: TracedState::Key(&key), g, h, f };
                let kind = match h {
                    Some(h) if h >= C::INFINITY => StepKind::Pruned(PruneReason::DeadEnd),
                    Some(h) if (g + h).exceeds_whole(most) => StepKind::Pruned(PruneReason::Depth),
                    _ if is_new => StepKind::Generated,
                    _ => StepKind::Reopened,
                };
                if is_opened && matches!(kind, StepKind::Generated | StepKind::Reopened) {
                    trace.nodes.novelty = novelties.next();
                }
                if is_new {
                    trace.nodes.add(kind, &child);
                } else {
                    trace.nodes.change(kind, &child);
                }
                trace.nodes.novelty = None;
            }
        }
    }

    /// Reports that a state is not expanded, since it is at the limit on depth.
    #[cold]
    pub(super) fn trace_cut(&mut self, node: Node) {
        if let Some(trace) = &mut self.trace {
            trace.nodes.cut(PruneReason::Depth, node, self.table.nodes.parent(node));
        }
    }
}
