//! The trace of a search by layers.
//!
//! Layers have no numbers for their states and no parents: the trace has both. While there is one, a part of a slice is
//! one state, so that its children are known.

use super::Layers;
use crate::search::limits::Limits;
use crate::search::node_table::Node;
use crate::search::trace::{Child, Nodes, Side, StepKind, TracedState};
use crate::space::Key;
use rustc_hash::FxHashMap;

/// The trace of a search by layers.
pub(super) struct Traced<K> {
    nodes: Nodes<u32>,
    /// The states so far, each with its number and that of its parent.
    numbers: FxHashMap<K, (Node, Node)>,
}

impl<K: Key> Layers<'_, K> {
    /// Traces the search from its roots on, if the limits ask for it.
    pub fn trace_from_roots(&mut self, limits: &Limits, side: Option<Side>) {
        let Some(mut nodes) = Nodes::new(limits.trace.as_ref(), side) else { return };
        let mut numbers = FxHashMap::default();
        for (node, root) in (0..).zip(&self.layers[0]) {
            numbers.insert(root.clone(), (node, node));
            match side {
                Some(Side::Backward) => nodes.root(root),
                _ => nodes.begin(None),
            }
        }
        self.trace = Some(Traced { nodes, numbers });
    }

    /// Reports that the last layer is expanded next.
    pub fn trace_layer(&mut self) {
        let depth = self.depth() as f64;
        if let Some(trace) = &mut self.trace {
            trace.nodes.layer(depth);
        }
    }

    /// Reports the goal of the solution, or the state at which the sides of a bidirectional search meet.
    pub fn trace_goal(&mut self, goal: &K) {
        if let Some(trace) = &mut self.trace
            && let Some(&(node, _)) = trace.numbers.get(goal)
        {
            trace.nodes.goal(node);
        }
    }

    /// Ends the trace if no more events are wanted.
    #[inline]
    pub(super) fn end_unwanted_trace(&mut self) {
        if self.trace.as_ref().is_some_and(|trace| !trace.nodes.is_on) {
            self.trace = None;
        }
    }

    /// Reports the expansion of the state with this number in the layer before the last, whose new children are in the
    /// last layer. If the search ends there, the last of them ends it.
    #[inline]
    pub(super) fn trace_part(&mut self, number: usize, ends: bool) {
        if self.trace.is_some() {
            self.trace_expansion(number, ends);
        }
    }

    #[cold]
    fn trace_expansion(&mut self, number: usize, ends: bool) {
        let state = self.layers[self.depth() - 1][number].clone();
        let children = self.children_of(&state);
        let end = self.layers[self.depth()].last().filter(|_| ends).cloned();
        let g = self.depth() as u32;
        let Some(Traced { nodes, numbers }) = &mut self.trace else { return };
        let (node, parent) = numbers[&state];
        nodes.expanded(node, parent, None, |_, _| None);
        for key in &children {
            match numbers.get(key) {
                Some(&(child, _)) if child == parent && child != node => {}
                Some(&(child, _)) => nodes.duplicate(child, node, g),
                None => {
                    let child = Child {
                        node: nodes.len() as Node,
                        parent: node,
                        state: TracedState::Key(key),
                        g,
                        h: None,
                        f: None,
                    };
                    nodes.add(StepKind::Generated, &child);
                    numbers.insert(key.clone(), (child.node, node));
                    if end.as_ref() == Some(key) {
                        break;
                    }
                }
            }
        }
    }
}
