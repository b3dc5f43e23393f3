//! Estimates what exploring a space by several machines takes: the number of states, and the cost of each.
//!
//! Layers are counted one by one within a budget of states. Beyond that, the number of states comes from a formula, from
//! random walks or, to a depth, from the growth of the last layers. Budgets are numbers of states and steps, and random
//! numbers have fixed seeds: a space has the same estimate everywhere, unless a limit ends the estimation early. Speed is
//! measured, and depends on the machine.
//!
//! | file | contents |
//! |---|---|
//! | `count` | counts the first layers |
//! | `random_walk` | estimates the whole space by random walks |
//! | `shared_watch` | checks the limits of both |
//! | `bytes` | measures the size of a state in files and in messages |
//! | `rate` | measures how fast this machine explores |
//!
//! As in exploration on disk, states are represented by codes, and only [`CodeGraph`] knows the space.

mod bytes;
mod count;
mod random_walk;
mod rate;
mod shared_watch;
#[cfg(test)]
mod tests;

pub use bytes::Sizes;
pub use rate::Measured;

use super::Stats;
use super::disk::exploration::Aim;
use super::disk::graph::CodeGraph;
use super::disk::record::Code;
use super::disk::{DiskError, Visitor, coded};
use super::limits::{Limit, Limits};
use super::thread_pool::LazyPool;
use crate::space::{Cost, Key, Weighted};
use bytes::sizes;
use count::count;
use random_walk::{WalkEstimate, random_walks};
use shared_watch::SharedWatch;
use std::f64::consts::PI;
use std::time::{Duration, Instant};

/// Machines, with one process each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machines {
    /// The number of machines; at least 1.
    pub hosts: u32,
    /// The worker threads on each; at least 1.
    pub workers: u32,
    /// The sending bandwidth of a machine, in bits per second.
    pub bandwidth: f64,
}

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
    /// Steps of all random walks together.
    pub steps: usize,
}

impl Default for Budget {
    /// A budget of some seconds.
    fn default() -> Budget {
        Budget { states: 1_000_000, steps: 1 << 22 }
    }
}

/// The method by which the number of states is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// An exact count.
    Counted,
    /// A formula of the domain.
    Formula,
    /// Collisions of random walks: an interval of two standard errors.
    Collisions,
    /// Extrapolation with the growth of the last counted layers: an upper bound, as long as growth does not increase.
    Extrapolated,
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
            Basis::Collisions => "collisions",
            Basis::Extrapolated => "extrapolated",
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

    fn at_least(states: f64) -> StateCount {
        StateCount { states, low: states, high: f64::INFINITY, basis: Basis::AtLeast }
    }
}

/// The resources of an exploration by all machines together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Seconds spent expanding.
    pub compute: f64,
    /// Seconds spent sending.
    pub network: f64,
    /// Bytes that all machines send.
    pub sent: f64,
    /// Bytes of all files.
    pub disk: f64,
}

impl Needs {
    /// Returns the total seconds: sending is not counted on while expanding.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.compute + self.network
    }
}

/// The resources that exploring will take.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The states of the whole space, or within the depth limit.
    pub states: StateCount,
    /// The number of states of each counted layer.
    pub layers: Vec<u64>,
    /// Passes over all states: a second one from the goals, if the whole space is explored and the start is not the
    /// only goal.
    pub walks: u32,
    /// True if moves are reversible.
    pub reversible: bool,
    /// The measured sizes of states.
    pub sizes: Sizes,
    /// The measured speed of this machine, and the total resources; none if there is nothing to explore, or a limit came
    /// first.
    pub measured: Option<(Measured, Needs)>,
    /// The limit that ended the estimation early, if one did.
    pub limit: Option<Limit>,
}

impl Estimate {
    /// Returns the result of an estimation that a limit ended before anything was known.
    pub fn unfinished(limit: Limit) -> Estimate {
        let (layers, walks, reversible, sizes, measured) = Default::default();
        let limit = Some(limit);
        Estimate { states: StateCount::at_least(0.0), layers, walks, reversible, sizes, measured, limit }
    }
}

/// Estimates the resources for exploring from a state, to the depth limit or to the end of the space. The time limit
/// applies to all phases together: counting, walking, measuring.
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
    let StateEstimate { states, layers, is_whole, sizes, mut limit } = estimate;
    let is_only_goal = || graph.is_goal(start) && graph.goals(2).is_some_and(|goals| goals.len() == 1);
    let walks = if is_whole && !(reversible && is_only_goal()) { 2 } else { 1 };
    let mut measured = None;
    if limit != Some(Limit::Interrupt) {
        let reached;
        let left = limits.time.map_or(question.time, |time| time.saturating_sub(started.elapsed()));
        (measured, reached) = rate::measure(graph, start, limits, &layers, question.time.min(left))?;
        limit = reached.or(limit);
    }
    let passed = states.states * f64::from(walks);
    let peak = states.states * largest_share(&layers, states.states, is_whole);
    let with_needs = |measured: Measured| (measured, needs(passed, states.states, peak, sizes, &measured, question));
    Ok(Estimate { states, layers, walks, reversible, sizes, measured: measured.map(with_needs), limit })
}

/// Returns the resources for expanding `passed` states and storing `states` of them. Beside these, files hold the
/// children of a layer of `peak` states while it is expanded.
fn needs(passed: f64, states: f64, peak: f64, sizes: Sizes, measured: &Measured, question: &Question) -> Needs {
    let Machines { hosts, workers, bandwidth } = question.machines;
    let hosts = f64::from(hosts);
    let per_second = measured.per_second() / measured.threads as f64 * f64::from(workers) * hosts;
    let sent = passed * sizes.sent * sizes.sent_bytes * (hosts - 1.0) / hosts;
    Needs {
        compute: passed / per_second,
        network: sent / hosts * 8.0 / bandwidth,
        sent,
        disk: states * sizes.stored_bytes + peak * sizes.sent * sizes.sent_bytes,
    }
}

/// Returns the share of the largest layer: that of the counted ones if these are all, else what the last one would have
/// if layers went on to grow as they did. In a whole space growth ends: the logarithms of the sizes are taken to lie on a
/// parabola that begins with this growth.
fn largest_share(layers: &[u64], states: f64, is_whole: bool) -> f64 {
    let largest = layers.iter().max().map_or(1.0, |&most| most as f64);
    let (known, last, ratio) = (layers.iter().sum::<u64>() as f64, layers[layers.len() - 1] as f64, growth(layers));
    let mut share = if known < states { 1.0 - 1.0 / ratio } else { 0.0 };
    if is_whole && known < states && ratio > 1.0 {
        let (log_ratio, log_rest) = (ratio.ln(), ((states - known) / last).max(1.0).ln());
        // The logarithm of the sum of all layers, as multiples of the last one: that of a normal distribution.
        let log_sum = |bend: f64| log_ratio * log_ratio / (4.0 * bend) + (PI / bend).ln() / 2.0;
        let (mut least, mut most) = (1e-9_f64, 1e3_f64);
        for _ in 0..100 {
            let middle = (least * most).sqrt();
            *(if log_sum(middle) > log_rest { &mut least } else { &mut most }) = middle;
        }
        share = share.min((most / PI).sqrt());
    }
    share.max(largest / states.max(1.0)).min(1.0)
}

/// Returns the ratio of the last layer to the one before.
fn growth(layers: &[u64]) -> f64 {
    match layers {
        [.., before, last] => *last as f64 / *before as f64,
        _ => 1.0,
    }
}

/// The part of an estimate that does not depend on measured time.
struct StateEstimate {
    states: StateCount,
    layers: Vec<u64>,
    /// True if the whole space is explored.
    is_whole: bool,
    sizes: Sizes,
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
    let begin = |phase| SharedWatch::new(&limits.remaining(&Stats::default(), started.elapsed()), phase);
    let counted = count(graph, start, depth, budget, &begin("counting layers"));
    let mut limit = counted.limit;
    let known = counted.states() as f64;
    let is_done = counted.ended || depth.is_some_and(|depth| counted.depth() >= depth as usize);
    let states = match (depth, question.formula) {
        _ if is_done => StateCount::exact(known, Basis::Counted),
        (Some(depth), formula) if graph.is_reversible() => extrapolated(&counted.layers, depth as usize, formula),
        (None, Some(states)) => StateCount::exact(states, Basis::Formula),
        (None, None) if graph.is_reversible() => {
            let (pool, watch) = (LazyPool::new(limits.threads), &begin("walking at random"));
            let walked = random_walks(graph, start, &counted.last, budget, &pool, watch);
            limit = limit.or(walked.err());
            match walked {
                Ok(WalkEstimate::About { states, low, high }) if states > known => {
                    StateCount { states, low: low.max(known), high, basis: Basis::Collisions }
                }
                // Walks that report fewer states have not mixed.
                Ok(WalkEstimate::AtLeast { states }) => StateCount::at_least(states.max(known)),
                _ => StateCount::at_least(known),
            }
        }
        _ => StateCount::at_least(known),
    };
    let sizes = sizes(graph, &counted.widest, question.machines.hosts as usize);
    StateEstimate { states, is_whole: depth.is_none() || counted.ended, layers: counted.layers, sizes, limit }
}

/// The maximum number of extrapolated layers.
const MAX_LAYERS: usize = 100_000;

/// Returns the states to a depth if layers went on to grow as the last ones did; no more than a formula says.
fn extrapolated(layers: &[u64], depth: usize, formula: Option<f64>) -> StateCount {
    let known = layers.iter().sum::<u64>() as f64;
    let most = formula.unwrap_or(f64::MAX / 4.0);
    let (mut last, ratio) = (layers.last().map_or(1.0, |&last| last as f64), growth(layers));
    let mut states = known;
    for _ in layers.len()..=depth.min(MAX_LAYERS) {
        last *= ratio;
        states = (states + last).min(most);
    }
    if formula.is_none() && states >= most {
        return StateCount::at_least(known);
    }
    StateCount { states, low: known, high: states, basis: Basis::Extrapolated }
}
