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
//! | `bytes` | measures the size of a state in files and in messages |
//! | `rate` | measures how fast this machine explores |
//!
//! As in exploration on disk, states are represented by codes, and only [`CodeGraph`] knows the space.

mod bytes;
mod count;
mod random_walk;
mod rate;
#[cfg(test)]
mod tests;

pub use bytes::Sizes;

use super::Stats;
use super::disk::exploration::Aim;
use super::disk::graph::CodeGraph;
use super::disk::record::Code;
use super::disk::{DiskError, Visitor, coded};
use super::limits::{Limit, Limits};
use crate::space::{Cost, Key, Weighted};
use bytes::sizes;
use count::count;
use random_walk::random_walks;
use std::f64::consts::PI;
use std::time::Instant;

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
    /// States to count at most; a number, not a time, so that the estimate is the same on every machine.
    pub most: usize,
    /// Steps of all random walks together.
    pub steps: usize,
}

impl Question {
    /// Returns a question whose answer takes some seconds.
    #[must_use]
    pub fn of(machines: Machines) -> Question {
        Question { machines, formula: None, most: 1_000_000, steps: 1 << 22 }
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

/// The resources of an exploration by several machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Seconds spent expanding.
    pub compute: f64,
    /// Seconds spent sending.
    pub network: f64,
    /// Bytes that each machine sends.
    pub sent: f64,
    /// Bytes of the files of each machine.
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
    /// The measured sizes of states.
    pub sizes: Sizes,
    /// The states that a worker on this machine expands per second, and the resources; none if there is nothing to
    /// expand, or a limit came first.
    pub measured: Option<(f64, Needs)>,
    /// The limit that ended the estimation early, if one did.
    pub limit: Option<Limit>,
}

impl Estimate {
    /// Returns the result of an estimation that a limit ended before anything was known.
    pub fn unfinished(limit: Limit) -> Estimate {
        let (states, limit) = (StateCount::at_least(0.0), Some(limit));
        Estimate { states, layers: Vec::new(), walks: 1, sizes: Sizes::default(), measured: None, limit }
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
    let (mut estimate, is_whole) = coded(graph, start, Aim::Whole)?.0.run(States { limits, question, started })?;
    let is_only_goal = || graph.is_goal(start) && graph.goals(2).is_some_and(|goals| goals.len() == 1);
    if is_whole && !(graph.facts().reversible && is_only_goal()) {
        estimate.walks = 2;
    }
    if estimate.limit != Some(Limit::Interrupt) {
        let limits = limits.remaining(&Stats::default(), started.elapsed());
        let (speed, limit) = rate::measure(graph, start, &limits, &estimate.layers)?;
        estimate.limit = limit.or(estimate.limit);
        estimate.measured = speed.map(|speed| (speed, needs(&estimate, speed, is_whole, &question.machines)));
    }
    Ok(estimate)
}

/// Returns the resources of each machine. Beside all states, files hold the children of the largest layer while it is
/// expanded.
fn needs(estimate: &Estimate, speed: f64, is_whole: bool, machines: &Machines) -> Needs {
    let &Machines { hosts, workers, bandwidth } = machines;
    let (sizes, states, hosts) = (&estimate.sizes, estimate.states.states, f64::from(hosts));
    let passed = states * f64::from(estimate.walks) / hosts;
    let sent = passed * sizes.sent * (hosts - 1.0) / hosts;
    let peak = largest_share(&estimate.layers, states, is_whole);
    Needs {
        compute: passed / (speed * f64::from(workers)),
        network: sent * 8.0 / bandwidth,
        sent,
        disk: states / hosts * (sizes.stored + peak * sizes.sent),
    }
}

/// Returns the share of the largest layer: that of the counted ones if these are all, else what the last one would have
/// if layers went on to grow as they did. In a whole space growth ends: the logarithms of the sizes are taken to lie on a
/// parabola that begins with this growth.
fn largest_share(layers: &[u64], states: f64, is_whole: bool) -> f64 {
    let known = layers.iter().sum::<u64>() as f64;
    let largest = layers.iter().max().map_or(1.0, |&most| most as f64) / states.max(1.0);
    let ratio = growth(layers);
    if known >= states || ratio <= 1.0 {
        return largest.min(1.0);
    }
    let mut most = 1.0 - 1.0 / ratio;
    if is_whole {
        // A layer x after the last one has exp(x ln(ratio) - pi share^2 x^2) times its states. These are the values of a
        // normal distribution whose sum is `rest`, and whose greatest value is `share * rest`: bisection finds the share.
        let (rest, mut least) = ((states - known) / layers[layers.len() - 1] as f64, 0.0);
        for _ in 0..60 {
            let share = (least + most) / 2.0;
            let sum = (ratio.ln() / share).powi(2) / (4.0 * PI) - share.ln();
            *(if sum > rest.ln() { &mut least } else { &mut most }) = share;
        }
    }
    most.max(largest).min(1.0)
}

/// Returns the ratio of the last layer to the one before.
fn growth(layers: &[u64]) -> f64 {
    match layers {
        [.., before, last] => *last as f64 / *before as f64,
        _ => 1.0,
    }
}

/// Estimates all that does not depend on measured time.
struct States<'a> {
    limits: &'a Limits,
    question: &'a Question,
    started: Instant,
}

impl Visitor for States<'_> {
    /// The estimate, and whether the whole space is explored.
    type Output = (Estimate, bool);

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<(Estimate, bool), DiskError> {
        Ok(estimate_states(graph, start, &self))
    }
}

fn estimate_states<C: Code>(graph: &dyn CodeGraph<C>, start: C, input: &States) -> (Estimate, bool) {
    let &States { limits, question, started } = input;
    let depth = limits.depth;
    let remaining = || limits.remaining(&Stats::default(), started.elapsed());
    let counted = count(graph, start, depth, question.most, &remaining());
    let mut limit = counted.limit;
    let known = counted.layers.iter().sum::<u64>() as f64;
    let is_done = counted.ended || depth.is_some_and(|depth| counted.layers.len() > depth as usize);
    let states = match (depth, question.formula) {
        _ if is_done => StateCount::exact(known, Basis::Counted),
        (Some(depth), formula) if graph.is_reversible() => extrapolated(&counted.layers, depth as usize, formula),
        (None, Some(states)) => StateCount::exact(states, Basis::Formula),
        (None, None) if graph.is_reversible() => {
            let walked = random_walks(graph, start, &counted.last, question.steps, &remaining());
            limit = limit.or(walked.err());
            match walked {
                // Walks that report fewer states have not mixed.
                Ok(walked) if walked.states > known => StateCount { low: walked.low.max(known), ..walked },
                _ => StateCount::at_least(known),
            }
        }
        _ => StateCount::at_least(known),
    };
    let sizes = sizes(graph, &counted.widest, question.machines.hosts as usize);
    let estimate = Estimate { states, layers: counted.layers, walks: 1, sizes, measured: None, limit };
    (estimate, depth.is_none() || counted.ended)
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
