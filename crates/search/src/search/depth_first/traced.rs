//! The trace of a depth-first search with a transposition table.

use super::{Measure, Search};
use crate::search::trace::{Costs, PruneReason, TracedState};
use crate::space::{Cost, Key};
use std::slice::from_ref;

impl<K: Key, C: Cost> Search<'_, K, C> {
    /// Reports that a state is expanded.
    #[inline]
    pub(super) fn trace_expansion(&mut self, key: &K, g: C, to: Option<TracedState>) {
        let (mut values, costs) = (Vec::new(), self.shown(g));
        let Some(trace) = &mut self.trace else { return };
        if matches!(self.measure, Measure::Costs { informed: true }) {
            self.graph.h(from_ref(key), &mut values);
        }
        trace.expanded(to, Costs { g: costs, h: values.pop() });
    }

    /// Reports a move that was not made; `least` is a lower bound on its part of the measure.
    pub(super) fn trace_pruned(&mut self, to: Option<TracedState>, g: C, least: C) {
        let (Some(trace), Some(to)) = (&mut self.trace, to) else { return };
        let (reason, f) = match self.measure {
            _ if least >= C::INFINITY => (PruneReason::DeadEnd, None),
            Measure::Costs { .. } => (PruneReason::Threshold, Some(g + least)),
            Measure::Moves => (PruneReason::Depth, None),
        };
        trace.pruned(reason, to, Costs { g: None, h: None }, f);
    }

    /// Reports a solution.
    pub(super) fn trace_goal(&mut self, to: Option<TracedState>, g: C) {
        let shown = self.shown(g);
        let Some(trace) = &mut self.trace else { return };
        trace.goal(to, shown);
        trace.leave();
    }

    /// Reports a state that is known.
    pub(super) fn trace_duplicate(&mut self, to: Option<TracedState>, g: C) {
        let shown = self.shown(g);
        if let (Some(trace), Some(to)) = (&mut self.trace, to) {
            trace.duplicate(to, shown);
        }
    }

    /// Returns g as a cost, if it is one: where the search counts moves, these may cost other amounts.
    fn shown(&self, g: C) -> Option<C> {
        match self.measure {
            Measure::Costs { .. } => Some(g),
            Measure::Moves if self.facts.unit_cost && g > C::ZERO => Some(g),
            Measure::Moves => None,
        }
    }
}
