//! The trace of a search in place: each visit is a node, and the path to it the line of its ancestors.

use super::{PruneReason, StepKind, Trace, TraceEvent, TraceStep, TracedState, shown};
use crate::space::Cost;

/// The trace of a search in place.
pub(in crate::search) struct Visits {
    trace: Trace,
    is_on: bool,
    /// The nodes on the path, the start first, each with the number of its moves that were tried.
    path: Vec<(u64, u32)>,
    next: u64,
    iterations: u64,
}

/// The costs of a visit. g is not known where the search counts moves and these cost other amounts.
#[derive(Clone, Copy)]
pub(in crate::search) struct Costs<C> {
    pub g: Option<C>,
    pub h: Option<C>,
}

impl Visits {
    /// Begins a trace, if there is one. The nodes after the start have numbers from `next` on.
    pub fn new(trace: Option<&Trace>, next: u64) -> Option<Visits> {
        let trace = trace?.clone();
        trace.0.follow_one_path();
        Some(Visits { trace, is_on: true, path: Vec::new(), next: next.max(1), iterations: 0 })
    }

    /// Reports that an iteration begins, at the start.
    pub fn iteration<C: Cost>(&mut self, threshold: Option<C>) {
        self.iterations += 1;
        self.path.clear();
        let threshold = threshold.map(shown);
        self.event(&TraceEvent::Iteration { number: self.iterations, threshold });
    }

    /// Reports that a state is expanded to which a move leads from the end of the path; at the start, none does.
    pub fn expanded<C: Cost>(&mut self, state: Option<TracedState>, costs: Costs<C>) {
        let parent = self.generated(state, costs);
        self.event(&TraceEvent::Step(TraceStep { node: self.last(), parent, ..of(StepKind::Expanded, costs) }));
    }

    /// Reports the goal of the solution, to which a move leads from the end of the path, unless it is the start.
    pub fn goal<C: Cost>(&mut self, state: Option<TracedState>, g: Option<C>) {
        self.generated(state, Costs { g, h: None });
        self.event(&TraceEvent::Step(TraceStep { node: self.last(), ..of(StepKind::Goal, Costs { g, h: None }) }));
    }

    /// Adds a node to the path; returns its parent.
    fn generated<C: Cost>(&mut self, state: Option<TracedState>, costs: Costs<C>) -> Option<u64> {
        let parent = self.last();
        if state.is_none() {
            self.path.push((0, 0));
            return None;
        }
        let node = self.next;
        self.next += 1;
        let step = of(StepKind::Generated, costs);
        self.event(&TraceEvent::Step(TraceStep { node: Some(node), parent, state, ..step }));
        self.path.push((node, 0));
        parent
    }

    /// Reports that the state is left out to which a move leads from the end of the path.
    pub fn pruned<C: Cost>(&mut self, reason: PruneReason, state: TracedState, costs: Costs<C>, f: Option<C>) {
        let step = TraceStep { f: f.map(shown), ..of(StepKind::Pruned(reason), costs) };
        self.event(&TraceEvent::Step(TraceStep { parent: self.last(), state: Some(state), ..step }));
    }

    /// Reports that a known state is reached from the end of the path.
    pub fn duplicate<C: Cost>(&mut self, state: TracedState, g: Option<C>) {
        let step = of(StepKind::Duplicate, Costs { g, h: None });
        self.event(&TraceEvent::Step(TraceStep { parent: self.last(), state: Some(state), ..step }));
    }

    /// Counts the next move from the end of the path, for searches that try all of them in order.
    pub fn next_move<'a>(&mut self) -> TracedState<'a> {
        let next = self.path.last_mut().map(|(_, next)| next);
        TracedState::Ordinal(next.map_or(0, |next| std::mem::replace(next, *next + 1)))
    }

    /// Leaves the end of the path.
    pub fn leave(&mut self) {
        self.path.pop();
    }

    fn last(&self) -> Option<u64> {
        self.path.last().map(|(node, _)| *node)
    }

    fn event(&mut self, event: &TraceEvent) {
        self.is_on = self.is_on && self.trace.0.event(event);
    }
}

fn of<'a, C: Cost>(kind: StepKind, Costs { g, h }: Costs<C>) -> TraceStep<'a> {
    let f = g.zip(h).map(|(g, h)| shown(g + h));
    let (g, h) = (g.map(shown), h.map(shown));
    TraceStep { kind, side: None, node: None, parent: None, state: None, g, h, f, novelty: None }
}
