//! The trace of a search: its expansions, generated states and prunings, as events.
//!
//! A search that is traced runs on one thread, and visits the same states in the same order as without a trace. It
//! reports each state as data of its own, a key or a move; the [`Tracer`] finds the position that people see.
//!
//! A state that is stored is a node with a number; the start has the number 0. In searches in place each visit is a node
//! of its own, so that the nodes are a tree.

mod visits;

pub(super) use visits::{Costs, Visits};

use crate::space::{Cost, Key, Ordinal};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Receives the events of a search.
pub trait Tracer: Send + Sync {
    /// Receives an event; returns false if no more are wanted.
    fn event(&self, event: &TraceEvent) -> bool;

    /// Learns that each node is a visit from now on: only the last one and its ancestors occur again.
    fn follow_one_path(&self) {}
}

/// A shared [`Tracer`].
#[derive(Clone)]
pub struct Trace(pub Arc<dyn Tracer>);

impl fmt::Debug for Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Trace")
    }
}

/// An event of a search.
#[derive(Clone, Copy)]
pub enum TraceEvent<'a> {
    /// A search within a threshold begins.
    Iteration {
        /// Its number, from 1.
        number: u64,
        /// The threshold; none if there is none.
        threshold: Option<f64>,
    },
    /// A search by layers begins to expand this one.
    Layer {
        /// The depth.
        depth: f64,
        /// The side of a bidirectional search.
        side: Option<Side>,
    },
    /// Something happens to one state.
    Step(TraceStep<'a>),
}

/// Something that happens to one state.
#[derive(Clone, Copy)]
pub struct TraceStep<'a> {
    /// The kind of event.
    pub kind: StepKind,
    /// The side of a bidirectional search.
    pub side: Option<Side>,
    /// The number of the node; none if the state is not stored.
    pub node: Option<u64>,
    /// The number of the node that it was reached from; none at a root.
    pub parent: Option<u64>,
    /// The state, where a node or its parent is new.
    pub state: Option<TracedState<'a>>,
    /// The cost of the path to it.
    pub g: Option<f64>,
    /// The heuristic value; infinite if no goal is reachable.
    pub h: Option<f64>,
    /// The value by which open states are ordered or pruned.
    pub f: Option<f64>,
    /// The novelty, by which best-first width search orders open states before h.
    pub novelty: Option<u8>,
}

/// The kind of a [`TraceStep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The search counts an expansion.
    Expanded,
    /// A state is reached for the first time.
    Generated,
    /// A state is reached that is known, no better than before.
    Duplicate,
    /// A state is reached that is known, and gets a new parent.
    Reopened,
    /// A state is left out.
    Pruned(PruneReason),
    /// The goal of the solution is found.
    Goal,
}

/// A reason for which a search leaves a state out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruneReason {
    /// f exceeds the threshold.
    Threshold,
    /// The heuristic proves that no goal is reachable.
    DeadEnd,
    /// Another sequence of moves leads to the same state.
    Symmetry,
    /// The beam is narrower.
    Width,
    /// It lies beyond the limit on depth or cost.
    Depth,
}

impl PruneReason {
    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PruneReason::Threshold => "threshold",
            PruneReason::DeadEnd => "dead-end",
            PruneReason::Symmetry => "symmetry",
            PruneReason::Width => "width",
            PruneReason::Depth => "depth",
        }
    }
}

/// A side of a bidirectional search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From the start.
    Forward,
    /// From the goals.
    Backward,
}

impl Side {
    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::Forward => "forward",
            Side::Backward => "backward",
        }
    }
}

/// A state, as the search has it.
#[derive(Clone, Copy)]
pub enum TracedState<'a> {
    /// The key of the state.
    Key(&'a dyn TracedKey),
    /// The number of the legal move that leads to it from its parent.
    Ordinal(Ordinal),
}

/// A key, whatever its type.
pub trait TracedKey {
    /// Returns a copy of the key that can be kept.
    fn shared(&self) -> Arc<dyn Any + Send + Sync>;
}

impl<K: Key> TracedKey for K {
    fn shared(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }
}

/// The trace of a search that stores its states, with g and h of each node.
pub(super) struct Nodes<C> {
    trace: Trace,
    side: Option<Side>,
    costs: Vec<(C, Option<C>)>,
    /// The novelty of the state that the next events are about.
    pub novelty: Option<u8>,
    /// False as soon as no more events are wanted.
    pub is_on: bool,
}

impl<C: Cost> Nodes<C> {
    /// Begins the trace of one side, if there is one.
    pub fn new(trace: Option<&Trace>, side: Option<Side>) -> Option<Nodes<C>> {
        let trace = trace?.clone();
        Some(Nodes { trace, side, costs: Vec::new(), novelty: None, is_on: true })
    }

    /// Adds the start, which is no event.
    pub fn begin(&mut self, h: Option<C>) {
        self.costs.push((C::ZERO, h));
    }

    /// Adds a root that is not the start.
    pub fn root<K: Key>(&mut self, key: &K) {
        let node = self.costs.len() as u32;
        self.costs.push((C::ZERO, None));
        let state = Some(TracedState::Key(key));
        self.step(TraceStep { state, g: Some(0.0), ..self.about(StepKind::Generated, node) });
    }

    /// Returns whether this is the side of the start.
    pub fn is_forward(&self) -> bool {
        self.side != Some(Side::Backward)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Returns the g of a node.
    pub fn g(&self, node: u32) -> C {
        self.costs[node as usize].0
    }

    /// Returns the h of a node, if it is known.
    pub fn h(&self, node: u32) -> Option<C> {
        self.costs.get(node as usize).and_then(|(_, h)| *h)
    }

    /// Reports a layer.
    pub fn layer(&mut self, depth: f64) {
        let side = self.side;
        self.event(&TraceEvent::Layer { depth, side });
    }

    /// Reports an expansion; `f` returns the priority by g and h. The state is that of the node, unless it is given.
    pub fn expanded(&mut self, node: u32, parent: u32, state: Option<TracedState>, f: impl Fn(C, C) -> Option<C>) {
        let (g, h) = self.costs[node as usize];
        let step = TraceStep {
            parent: self.parent(node, parent),
            state,
            g: Some(g.as_f64()),
            h: h.map(shown),
            f: h.and_then(|h| f(g, h)).map(shown),
            ..self.about(StepKind::Expanded, node)
        };
        self.step(step);
    }

    /// Reports a new node, which must be the next one.
    pub fn add(&mut self, kind: StepKind, child: &Child<C>) {
        self.costs.push((child.g, child.h));
        self.step(self.of_child(kind, child));
    }

    /// Reports that a known node gets another parent.
    pub fn change(&mut self, kind: StepKind, child: &Child<C>) {
        self.costs[child.node as usize] = (child.g, child.h);
        self.step(self.of_child(kind, child));
    }

    /// Reports a state that is reached again before it has a node.
    pub fn repeated(&mut self, parent: u32, state: TracedState, g: C) {
        let (parent, g) = (Some(self.number(parent)), Some(g.as_f64()));
        let step = TraceStep { parent, g, state: Some(state), ..self.about(StepKind::Duplicate, 0) };
        self.step(TraceStep { node: None, ..step });
    }

    /// Reports a state that is reached for the first time, or that gets another parent.
    pub fn reached(&mut self, is_new: bool, child: &Child<C>) {
        if is_new { self.add(StepKind::Generated, child) } else { self.change(StepKind::Reopened, child) }
    }

    /// Reports a known node.
    pub fn duplicate(&mut self, node: u32, parent: u32, g: C) {
        let parent = Some(self.number(parent));
        self.step(TraceStep { parent, g: Some(g.as_f64()), ..self.about(StepKind::Duplicate, node) });
    }

    /// Reports a state that is left out and not stored, whatever its node.
    pub fn pruned(&mut self, reason: PruneReason, child: &Child<C>) {
        let step = self.of_child(StepKind::Pruned(reason), child);
        self.step(TraceStep { node: None, ..step });
    }

    /// Reports a node that is not expanded.
    pub fn cut(&mut self, reason: PruneReason, node: u32, parent: u32) {
        let g = self.g(node);
        let parent = self.parent(node, parent);
        self.step(TraceStep { parent, g: Some(g.as_f64()), ..self.about(StepKind::Pruned(reason), node) });
    }

    /// Reports the goal of the solution.
    pub fn goal(&mut self, node: u32) {
        let g = self.costs.get(node as usize).map(|(g, _)| g.as_f64());
        self.step(TraceStep { g, ..self.about(StepKind::Goal, node) });
    }

    fn of_child<'k>(&self, kind: StepKind, child: &Child<'k, C>) -> TraceStep<'k> {
        TraceStep {
            parent: Some(self.number(child.parent)),
            state: Some(child.state),
            g: Some(child.g.as_f64()),
            h: child.h.map(shown),
            f: child.f.map(shown),
            ..self.about(kind, child.node)
        }
    }

    fn about<'k>(&self, kind: StepKind, node: u32) -> TraceStep<'k> {
        let node = Some(self.number(node));
        TraceStep {
            kind,
            side: self.side,
            node,
            parent: None,
            state: None,
            g: None,
            h: None,
            f: None,
            novelty: self.novelty,
        }
    }

    /// Returns the parent of a node; none if it is a root, its own parent.
    fn parent(&self, node: u32, parent: u32) -> Option<u64> {
        (node != parent).then(|| self.number(parent))
    }

    /// Returns the number of a node among those of both sides.
    fn number(&self, node: u32) -> u64 {
        match self.side {
            None => u64::from(node),
            Some(Side::Forward) => 2 * u64::from(node),
            Some(Side::Backward) => 2 * u64::from(node) + 1,
        }
    }

    fn step(&mut self, step: TraceStep) {
        self.event(&TraceEvent::Step(step));
    }

    fn event(&mut self, event: &TraceEvent) {
        self.is_on = self.is_on && self.trace.0.event(event);
    }
}

/// A child of an expanded state.
pub(super) struct Child<'a, C> {
    pub node: u32,
    pub parent: u32,
    pub state: TracedState<'a>,
    pub g: C,
    pub h: Option<C>,
    pub f: Option<C>,
}

/// Returns a cost as a number, infinite if no path has it.
fn shown<C: Cost>(cost: C) -> f64 {
    if cost >= C::INFINITY { f64::INFINITY } else { cost.as_f64() }
}
