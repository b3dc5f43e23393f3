//! One iteration with a trace.
//!
//! The innermost loop of the program has no room for a trace. This loop visits the same states in the same order, with
//! the same counts, and reports them.

use super::{Frame, IterationEnd, Iterations, Node, no_excess};
use crate::search::trace::{Costs, PruneReason, TracedState, Visits};
use crate::space::{Cost, InPlace, Ordinal};

impl<S: InPlace> Iterations<'_, S> {
    /// Searches everything from a state within the threshold, like [`search`](Self::search).
    pub(super) fn search_traced(
        &mut self,
        mut state: S::State,
        Node { mut trail, mut budget }: Node<S>,
        trace: &mut Visits,
    ) -> (S::State, IterationEnd<S::Action>) {
        let (space, bound) = (self.space, budget);
        let h = |state: &S::State| self.informed.then(|| space.h_in_place(state));
        self.next_excess = no_excess();
        trace.iteration(Some(bound));
        if space.is_solved(&state) {
            trace.goal(None, Some(S::Cost::ZERO));
            return (state, IterationEnd::Goal(Vec::new()));
        }
        if let Some(limit) = self.watch.exceeded(self.expanded, || 0) {
            return (state, IterationEnd::Limit(limit));
        }
        self.expanded += 1;
        trace.expanded(None, Costs { g: Some(S::Cost::ZERO), h: h(&state) });
        let mut path: Vec<Frame<S>> = Vec::new();
        let mut rest = space.actions_after(&state, &trail);
        let end = loop {
            let g = bound - budget;
            let Some(action) = rest.next() else {
                let Some(frame) = path.pop() else { break IterationEnd::Exhausted };
                space.undo(&mut state, frame.action, frame.undo);
                (rest, trail, budget) = (frame.rest, frame.trail, frame.budget);
                trace.leave();
                continue;
            };
            let to = ordinal(space, &state, action);
            let Some(next_trail) = space.follow(&trail, &state, action) else {
                trace.pruned::<S::Cost>(PruneReason::Symmetry, to, Costs { g: None, h: None }, None);
                continue;
            };
            self.generated += 1;
            let (cost, undo) = match self.apply_within(&mut state, action, budget) {
                Ok(made) => made,
                Err(least) => {
                    self.next_excess = self.next_excess.min(least - budget);
                    let is_dead = least >= S::Cost::INFINITY;
                    let reason = if is_dead { PruneReason::DeadEnd } else { PruneReason::Threshold };
                    trace.pruned(reason, to, Costs { g: None, h: None }, (!is_dead).then(|| g + least));
                    continue;
                }
            };
            path.push(Frame { rest, trail, budget, action, undo });
            if space.is_solved(&state) {
                trace.goal(Some(to), Some(g + cost));
                break IterationEnd::Goal(path.iter().map(|frame| frame.action).collect());
            }
            let held = || (path.capacity() * size_of::<Frame<S>>()) as u64;
            if let Some(limit) = self.watch.exceeded(self.expanded, held) {
                break IterationEnd::Limit(limit);
            }
            self.expanded += 1;
            trace.expanded(Some(to), Costs { g: Some(g + cost), h: h(&state) });
            self.longest = self.longest.max(path.len());
            rest = space.actions_after(&state, &next_trail);
            trail = next_trail;
            budget = budget - cost;
        };
        self.longest = self.longest.max(path.len());
        (state, end)
    }
}

/// Returns a move by its number: [`actions_after`](InPlace::actions_after) leaves some out.
fn ordinal<S: InPlace>(space: &S, state: &S::State, action: S::Action) -> TracedState<'static> {
    let number = space.actions(state).position(|legal| legal == action).expect("the move is legal");
    TracedState::Ordinal(number as Ordinal)
}
