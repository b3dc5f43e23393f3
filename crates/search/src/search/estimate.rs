//! Estimates the resources that exploring a space will take: the number of states, and the cost of each.
//!
//! Layers are counted one by one within a budget of states. Beyond that, if moves are reversible, they are sampled
//! within a budget of work; single layers beyond those are unknown. The total number of states comes from a formula,
//! from a complete count, or from random walks. Budgets are numbers of states and steps, and random numbers have fixed
//! seeds: a space has the same estimate everywhere, unless a limit ends the estimation early. Rates are measured, and
//! depend on the machine.
//!
//! | file | contents |
//! |---|---|
//! | `count` | counts the first layers |
//! | `sampling` | samples the following layers |
//! | `random_walk` | estimates the whole space by random walks |
//! | `shared_watch` | checks the limits of all of that |
//! | `bytes` | measures the size of a state in files and in messages |
//! | `rate` | measures how fast this machine explores |
//! | `model` | computes time, network and disk use for other machines |
//!
//! As in exploration on disk, states are represented by codes, and only [`CodeGraph`] knows the space.

mod bytes;
mod count;
pub mod model;
mod random_walk;
mod rate;
mod sampling;
mod shared_watch;
#[cfg(test)]
mod tests;

pub use rate::Measured;

use super::Stats;
use super::disk::exploration::Aim;
use super::disk::graph::CodeGraph;
use super::disk::record::Code;
use super::disk::{DiskError, Visitor, coded};
use super::limits::{Limit, Limits};
use super::thread_pool::LazyPool;
use crate::space::{Cost, Key, Weighted};
use bytes::{Sizes, sizes};
use count::count;
use model::{Machines, Needs, Rates, Walk, needs, shape};
use random_walk::{WalkEstimate, random_walks};
use sampling::{Sampled, sample};
use shared_watch::SharedWatch;
use std::time::{Duration, Instant};

/// The input of an estimation.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The machines.
    pub machines: Machines,
    /// The number of states of the whole space, if a formula gives it.
    pub formula: Option<f64>,
    /// The time for measuring.
    pub time: Duration,
    /// The budget for estimating.
    pub budget: Budget,
}

/// The budget of an estimation, in units that are equal on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// States held in memory.
    pub states: usize,
    /// The initial number of chains that sample a layer.
    pub chains: usize,
    /// States expanded to sample one layer.
    pub expanded_by_probes: u64,
    /// Steps of all random walks together.
    pub steps: usize,
}

impl Default for Budget {
    /// A budget of some seconds.
    fn default() -> Budget {
        Budget { states: 1_000_000, chains: 4096, expanded_by_probes: 1 << 20, steps: 1 << 22 }
    }
}

/// The method by which a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// An exact count.
    Counted,
    /// A formula of the domain.
    Formula,
    /// Sampling, layer by layer: an interval of two standard errors.
    Sampled,
    /// Collisions of random walks: an interval of two standard errors.
    Collisions,
    /// Extrapolation with the growth of the last known layers: an upper bound, as long as growth does not increase.
    Extrapolated,
    /// An assumption, for single layers of which only the sum is known.
    Assumed,
    /// A lower bound only.
    AtLeast,
}

impl Basis {
    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Basis::Counted => "counted",
            Basis::Formula => "formula",
            Basis::Sampled => "sampled",
            Basis::Collisions => "collisions",
            Basis::Extrapolated => "extrapolated",
            Basis::Assumed => "assumed",
            Basis::AtLeast => "at-least",
        }
    }
}

/// A number of states, with an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateCount {
    /// The best estimate.
    pub states: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval; infinite if unknown.
    pub high: f64,
    /// The method by which it is known.
    pub basis: Basis,
}

impl StateCount {
    fn exact(states: f64, basis: Basis) -> StateCount {
        StateCount { states, low: states, high: states, basis }
    }
}

/// The number of states of one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// The number of states.
    pub states: f64,
    /// The standard error if the layer was sampled; otherwise 0.
    pub error: f64,
    /// The method by which it is known.
    pub basis: Basis,
}

/// The resources that exploring will take.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The states of the whole space, or within the depth limit.
    pub states: StateCount,
    /// The states of each layer.
    pub layers: Vec<Layer>,
    /// Passes over all states: a second one from the goals, if the whole space is explored and the start is not the
    /// only goal.
    pub walks: u32,
    /// True if moves are reversible.
    pub reversible: bool,
    /// The measured speed of this machine; none if there is nothing to explore, or a limit came first.
    pub measured: Option<Measured>,
    /// Generated children per state.
    pub children: f64,
    /// The resources per state; none if nothing was measured.
    pub rates: Option<Rates>,
    /// The total resources; none if nothing was measured.
    pub needs: Option<Needs>,
    /// The limit that ended the estimation early, if one did.
    pub limit: Option<Limit>,
}

impl Estimate {
    /// Returns the result of an estimation that a limit ended before anything was known.
    pub fn unfinished(limit: Limit) -> Estimate {
        let (layers, walks, reversible, measured, children, rates, needs) = Default::default();
        let limit = Some(limit);
        Estimate { states: at_least(0.0), layers, walks, reversible, measured, children, rates, needs, limit }
    }
}

/// Estimates the resources for exploring from a state, to the depth limit or to the end of the space. The time limit
/// applies to all phases together: counting, sampling, walking, measuring.
///
/// # Errors
/// The space does not support exploration on several machines, or files for measuring cannot be written.
pub fn estimate<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    question: &Question,
) -> Result<Estimate, DiskError> {
    let started = Instant::now();
    let reversible = graph.facts().reversible;
    let estimate = coded(graph, start, Aim::Whole)?.0.run(EstimateStates { limits, question, started })?;
    let StateEstimate { states, layers, beyond, is_whole, sizes, reference, mut limit } = estimate;
    let is_only_goal = || graph.is_goal(start) && graph.goals(2).is_some_and(|goals| goals.len() == 1);
    let walks = if is_whole && !(reversible && is_only_goal()) { 2 } else { 1 };
    let mut measured = None;
    if limit != Some(Limit::Interrupt) {
        let known = layers.iter().filter(|layer| matches!(layer.basis, Basis::Counted | Basis::Sampled));
        let known: Vec<f64> = known.map(|layer| layer.states).collect();
        let reached;
        let left = limits.time.map_or(question.time, |time| time.saturating_sub(started.elapsed()));
        (measured, reached) = rate::measure(graph, start, limits, &known, question.time.min(left))?;
        limit = reached.or(limit);
    }
    let rates = measured.map(|measured| Rates {
        per_second: measured.per_second() / measured.threads as f64,
        sent: sizes.sent,
        sent_bytes: sizes.sent_bytes,
        stored_bytes: sizes.stored_bytes,
        reference,
    });
    let of_layers: Vec<f64> = layers.iter().map(|layer| layer.states).collect();
    let walk = Walk { layers: &of_layers, beyond, walks };
    let needs = rates.map(|rates| needs(walk, rates, question.machines));
    Ok(Estimate { states, layers, walks, reversible, measured, children: sizes.children, rates, needs, limit })
}

/// The part of an estimate that does not depend on measured time.
struct StateEstimate {
    states: StateCount,
    layers: Vec<Layer>,
    /// The number of states of the layer after those.
    beyond: f64,
    /// True if the layers extend to the end of the space.
    is_whole: bool,
    sizes: Sizes,
    /// The number of states of the layer that was measured for the sizes.
    reference: f64,
    limit: Option<Limit>,
}

struct EstimateStates<'a> {
    limits: &'a Limits,
    question: &'a Question,
    started: Instant,
}

impl Visitor for EstimateStates<'_> {
    type Output = StateEstimate;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<StateEstimate, DiskError> {
        Ok(estimate_states(graph, start, &self))
    }
}

fn estimate_states<C: Code>(graph: &dyn CodeGraph<C>, start: C, input: &EstimateStates) -> StateEstimate {
    let &EstimateStates { limits, question, started } = input;
    let (budget, depth) = (&question.budget, limits.depth);
    let pool = LazyPool::new(limits.threads);
    let begin = |phase| SharedWatch::new(&limits.remaining(&Stats::default(), started.elapsed()), phase);
    let watch = &begin("counting layers");
    let counted = count(graph, start, depth, budget, watch);
    let mut layers: Vec<Layer> =
        counted.layers.iter().map(|&states| Layer::new(states as f64, Basis::Counted)).collect();
    let mut limit = counted.limit;
    let is_done = counted.ended || depth.is_some_and(|depth| counted.depth() >= depth as usize);
    let mut sampled = Sampled::default();
    if !is_done && graph.is_reversible() {
        let watch = &begin("sampling layers");
        sampled = sample(graph, &counted, depth, budget, &pool, watch);
        limit = limit.or(sampled.limit);
    }
    layers.extend(sampled.layers.iter().map(|&(states, error)| Layer { states, error, basis: Basis::Sampled }));
    let states = if is_done {
        StateCount::exact(counted.states() as f64, Basis::Counted)
    } else if let Some(depth) = depth {
        estimate_to_depth(&mut layers, depth as usize, sampled.died, graph.is_reversible(), question.formula)
    } else {
        let states = match question.formula {
            Some(states) => StateCount::exact(states, Basis::Formula),
            None if graph.is_reversible() => {
                let watch = &begin("walking at random");
                let far = if sampled.ends.is_empty() { &counted.last } else { &sampled.ends };
                let walk_estimate = random_walks(graph, start, far, budget, &pool, watch);
                limit = limit.or(walk_estimate.err());
                estimate_whole(&layers, walk_estimate.ok())
            }
            None => at_least(sum(&layers)),
        };
        let (last, ratio) = last_of(&layers);
        // If layers shrink although most states are still to come, assume that they grow again at the average rate so
        // far.
        let ratio = if ratio > 1.0 { ratio } else { last.powf(1.0 / layers.len() as f64) };
        let rest = states.states - sum(&layers);
        layers.extend(shape(last, ratio, rest).into_iter().map(|states| Layer::new(states, Basis::Assumed)));
        states
    };
    let (last, ratio) = last_of(&layers);
    let is_whole = depth.is_none() || counted.ended;
    let beyond = if is_whole || sampled.died { 0.0 } else { last * ratio };
    let hosts = question.machines.hosts as usize;
    let (sizes, reference) = (sizes(graph, &counted.widest, hosts), counted.widest.len() as f64);
    StateEstimate { states, layers, beyond, is_whole, sizes, reference, limit }
}

impl Layer {
    fn new(states: f64, basis: Basis) -> Layer {
        Layer { states, error: 0.0, basis }
    }
}

fn sum(layers: &[Layer]) -> f64 {
    layers.iter().map(|layer| layer.states).sum()
}

/// Returns the last layer, and its ratio to the previous one.
fn last_of(layers: &[Layer]) -> (f64, f64) {
    match layers {
        [.., before, last] => (last.states, last.states / before.states),
        _ => (1.0, 1.0),
    }
}

fn at_least(states: f64) -> StateCount {
    StateCount { states, low: states, high: f64::INFINITY, basis: Basis::AtLeast }
}

/// Estimates the states to a depth beyond the counted layers; appends layers to the known ones.
fn estimate_to_depth(
    layers: &mut Vec<Layer>,
    depth: usize,
    has_died: bool,
    reversible: bool,
    formula: Option<f64>,
) -> StateCount {
    let known = sum(layers);
    // Chains pass from layer to layer, so the errors of layers are not independent: they add up.
    let error: f64 = layers.iter().map(|layer| 2.0 * layer.error).sum();
    let low = known - error;
    if has_died || layers.len() > depth {
        let high = formula.map_or(known + error, |formula| formula.min(known + error));
        return StateCount { states: known, low, high, basis: Basis::Sampled };
    }
    if !reversible {
        return at_least(known);
    }
    let (mut last, ratio) = last_of(layers);
    let (most, mut states) = (formula.unwrap_or(f64::MAX / 4.0), known);
    while layers.len() <= depth && states < most && layers.len() < MAX_LAYERS {
        last = (last * ratio).min(most - states);
        states += last;
        layers.push(Layer::new(last, Basis::Extrapolated));
    }
    if formula.is_none() && states >= most {
        return at_least(low);
    }
    let high = (states * (1.0 + error / known)).min(most);
    StateCount { states, low, high, basis: Basis::Extrapolated }
}

/// The maximum number of extrapolated layers.
const MAX_LAYERS: usize = 100_000;

/// Estimates the states of the whole space; the known layers give a lower bound.
fn estimate_whole(layers: &[Layer], walk_estimate: Option<WalkEstimate>) -> StateCount {
    let known: f64 = layers.iter().map(|layer| layer.states - 2.0 * layer.error).sum();
    match walk_estimate {
        Some(WalkEstimate::About { states, low, high }) if states > known => {
            StateCount { states, low: low.max(known), high, basis: Basis::Collisions }
        }
        // Walks that report fewer states have not mixed.
        Some(WalkEstimate::AtLeast { states }) => at_least(states.max(known)),
        _ => at_least(known),
    }
}
