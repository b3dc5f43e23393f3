//! What exploring a space will take, before it is done: how many states there are, and what each of them takes.
//!
//! Layers are counted one by one as far as a budget of states goes. Beyond that they are sampled, where moves can be taken
//! back, as far as a budget of work goes; then nothing is known of single layers. How many states there are in all is told
//! by whoever knows a formula, by the end of the counting, or by random walks. Budgets are numbers of states and
//! steps, and random numbers have fixed seeds: the same space has the same estimate everywhere, unless a limit cuts it short.
//! Rates are measured, and depend on the machine.
//!
//! | file | what it does |
//! |---|---|
//! | `count` | counts the first layers |
//! | `probe` | samples the layers after those |
//! | `roam` | estimates the whole by random walks |
//! | `lookout` | the limits of all of that |
//! | `bytes` | measures what a state takes, in files and on the way |
//! | `rate` | measures how fast this machine explores |
//! | `model` | what all of that comes to, on other machines |
//!
//! As in exploration on disk, a state is its code, and nothing but [`CodeGraph`] knows the space.

mod bytes;
mod count;
mod lookout;
pub mod model;
mod probe;
mod rate;
mod roam;
#[cfg(test)]
mod tests;

pub use rate::Measured;

use super::crew::Crew;
use super::disk::graph::CodeGraph;
use super::disk::record::Code;
use super::disk::walk::Aim;
use super::disk::{DiskError, Errand, coded};
use super::limits::{Limit, Limits};
use crate::space::{Cost, Key, Weighted};
use bytes::{Sizes, sizes};
use count::count;
use lookout::Lookout;
use model::{Machines, Needs, Rates, Walk, needs, shape};
use probe::{Sampled, sample};
use roam::{Roamed, roam};
use std::time::Duration;

/// What is to be estimated.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The machines.
    pub machines: Machines,
    /// The states of the whole space, where a formula tells.
    pub formula: Option<f64>,
    /// The time that measuring may take.
    pub time: Duration,
    /// What estimating may spend.
    pub budget: Budget,
}

/// What estimating may spend, in units that are the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// States that are held.
    pub states: usize,
    /// Chains that sample a layer, at first.
    pub chains: usize,
    /// States that are expanded to sample one layer.
    pub expanded_by_probes: u64,
    /// Steps of all random walks together.
    pub steps: usize,
}

impl Default for Budget {
    /// Some seconds.
    fn default() -> Budget {
        Budget { states: 1_000_000, chains: 4096, expanded_by_probes: 1 << 20, steps: 1 << 22 }
    }
}

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// All of them were counted.
    Counted,
    /// By a formula of the domain.
    Formula,
    /// By sampling, layer by layer: an interval of two standard errors.
    Sampled,
    /// By collisions of random walks: an interval of two standard errors.
    Collisions,
    /// The last layers known have been taken to grow on as they did: an upper bound, as long as growth does not rise.
    Extrapolated,
    /// Assumed, of single layers of which the sum alone is known.
    Assumed,
    /// No more than a lower bound is known.
    AtLeast,
}

impl Basis {
    /// The name that output uses.
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

/// A number of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// The best guess.
    pub states: f64,
    /// It is hardly less.
    pub low: f64,
    /// It is hardly more; infinite where nothing is known.
    pub high: f64,
    /// How it is known.
    pub basis: Basis,
}

impl Guess {
    fn exact(states: f64, basis: Basis) -> Guess {
        Guess { states, low: states, high: states, basis }
    }
}

/// The states of one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// How many there are.
    pub states: f64,
    /// The standard error, where it was sampled; else 0.
    pub error: f64,
    /// How that is known.
    pub basis: Basis,
}

/// What exploring will take.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The states, in the whole space or within the limit on depth.
    pub states: Guess,
    /// Those of each layer.
    pub layers: Vec<Layer>,
    /// Walks over all of them: a second one from the goals, where the whole space is explored and the start is not the only goal.
    pub walks: u32,
    /// Whether moves can be taken back.
    pub reversible: bool,
    /// How fast this machine explores; none where there is nothing to explore, or a limit came before.
    pub measured: Option<Measured>,
    /// Children that are made of a state.
    pub made: f64,
    /// What a state takes; none where nothing was measured.
    pub rates: Option<Rates>,
    /// What all of it takes; none where nothing was measured.
    pub needs: Option<Needs>,
    /// The limit that cut it short, if one did.
    pub limit: Option<Limit>,
}

impl Estimate {
    /// A limit was reached before anything was known.
    pub fn unfinished(limit: Limit) -> Estimate {
        let (layers, walks, reversible, measured, made, rates, needs) = Default::default();
        let limit = Some(limit);
        Estimate { states: at_least(0.0), layers, walks, reversible, measured, made, rates, needs, limit }
    }
}

/// Estimates what exploring will take from a state, to the limit on depth or to the end of the space. The limit on time is for
/// each part of the estimating: counting, sampling, walking.
///
/// # Errors
/// That this space is not explored on several machines, or that files to measure with cannot be written.
pub fn estimate<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    question: &Question,
) -> Result<Estimate, DiskError> {
    let reversible = graph.facts().reversible;
    let guess = coded(graph, start, Aim::Whole)?.0.run(Guessing { limits, question })?;
    let Guessed { states, layers, beyond, is_whole, sizes, reference, mut limit } = guess;
    let is_only_goal = || graph.is_goal(start) && graph.goals(2).is_some_and(|goals| goals.len() == 1);
    let walks = if is_whole && !(reversible && is_only_goal()) { 2 } else { 1 };
    let mut measured = None;
    if limit != Some(Limit::Interrupt) {
        let known = layers.iter().filter(|layer| matches!(layer.basis, Basis::Counted | Basis::Sampled));
        let known: Vec<f64> = known.map(|layer| layer.states).collect();
        let reached;
        (measured, reached) = rate::measure(graph, start, limits, &known, question.time)?;
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
    Ok(Estimate { states, layers, walks, reversible, measured, made: sizes.made, rates, needs, limit })
}

/// What is known without measuring time.
struct Guessed {
    states: Guess,
    layers: Vec<Layer>,
    /// The states of the layer after those.
    beyond: f64,
    /// Whether the layers go on to the end of the space.
    is_whole: bool,
    sizes: Sizes,
    /// The states of the layer that the sizes are of.
    reference: f64,
    limit: Option<Limit>,
}

struct Guessing<'a> {
    limits: &'a Limits,
    question: &'a Question,
}

impl Errand for Guessing<'_> {
    type Told = Guessed;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Guessed, DiskError> {
        Ok(guess(graph, start, self.limits, self.question))
    }
}

fn guess<C: Code>(graph: &dyn CodeGraph<C>, start: C, limits: &Limits, question: &Question) -> Guessed {
    let (budget, depth) = (&question.budget, limits.depth);
    let crew = Crew::new(limits.threads);
    let lookout = &Lookout::new(limits, "counting layers");
    let counted = count(graph, start, depth, budget, lookout);
    let mut layers: Vec<Layer> =
        counted.layers.iter().map(|&states| Layer::new(states as f64, Basis::Counted)).collect();
    let mut limit = counted.limit;
    let is_done = counted.ended || depth.is_some_and(|depth| counted.depth() >= depth as usize);
    let mut sampled = Sampled::default();
    if !is_done && graph.is_reversible() {
        let lookout = &Lookout::new(limits, "sampling layers");
        sampled = sample(graph, &counted, depth, budget, &crew, lookout);
        limit = limit.or(sampled.limit);
    }
    layers.extend(sampled.layers.iter().map(|&(states, error)| Layer { states, error, basis: Basis::Sampled }));
    let states = if is_done {
        Guess::exact(counted.states() as f64, Basis::Counted)
    } else if let Some(depth) = depth {
        within(&mut layers, depth as usize, sampled.died, graph.is_reversible(), question.formula)
    } else {
        let states = match question.formula {
            Some(states) => Guess::exact(states, Basis::Formula),
            None if graph.is_reversible() => {
                let lookout = &Lookout::new(limits, "walking at random");
                let far = if sampled.ends.is_empty() { &counted.last } else { &sampled.ends };
                let roamed = roam(graph, start, far, budget, &crew, lookout);
                limit = limit.or(roamed.err());
                whole(&layers, roamed.ok())
            }
            None => at_least(sum(&layers)),
        };
        let (last, ratio) = last_of(&layers);
        // Where layers shrink and yet most of the states are still to come, they grow again as they did on the whole.
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
    Guessed { states, layers, beyond, is_whole, sizes, reference, limit }
}

impl Layer {
    fn new(states: f64, basis: Basis) -> Layer {
        Layer { states, error: 0.0, basis }
    }
}

fn sum(layers: &[Layer]) -> f64 {
    layers.iter().map(|layer| layer.states).sum()
}

/// The last layer, and what it is to the one before.
fn last_of(layers: &[Layer]) -> (f64, f64) {
    match layers {
        [.., before, last] => (last.states, last.states / before.states),
        _ => (1.0, 1.0),
    }
}

fn at_least(states: f64) -> Guess {
    Guess { states, low: states, high: f64::INFINITY, basis: Basis::AtLeast }
}

/// The states to a depth beyond what was counted; adds layers to those known.
fn within(layers: &mut Vec<Layer>, depth: usize, has_died: bool, reversible: bool, formula: Option<f64>) -> Guess {
    let known = sum(layers);
    // Chains go from layer to layer, so the errors of layers are not independent: they add up.
    let error: f64 = layers.iter().map(|layer| 2.0 * layer.error).sum();
    let low = known - error;
    if has_died || layers.len() > depth {
        let high = formula.map_or(known + error, |formula| formula.min(known + error));
        return Guess { states: known, low, high, basis: Basis::Sampled };
    }
    if !reversible {
        return at_least(known);
    }
    let (mut last, ratio) = last_of(layers);
    let (most, mut states) = (formula.unwrap_or(f64::MAX / 4.0), known);
    while layers.len() <= depth && states < most && layers.len() < MOST_LAYERS {
        last = (last * ratio).min(most - states);
        states += last;
        layers.push(Layer::new(last, Basis::Extrapolated));
    }
    if formula.is_none() && states >= most {
        return at_least(low);
    }
    let high = (states * (1.0 + error / known)).min(most);
    Guess { states, low, high, basis: Basis::Extrapolated }
}

/// More are not extrapolated.
const MOST_LAYERS: usize = 100_000;

/// The states of the whole space, of which the first layers are known: so there are as many as these have.
fn whole(layers: &[Layer], roamed: Option<Roamed>) -> Guess {
    let known: f64 = layers.iter().map(|layer| layer.states - 2.0 * layer.error).sum();
    match roamed {
        Some(Roamed::About { states, low, high }) if states > known => {
            Guess { states, low: low.max(known), high, basis: Basis::Collisions }
        }
        // Walks that tell of less have not spread.
        Some(Roamed::AtLeast { states }) => at_least(states.max(known)),
        _ => at_least(known),
    }
}
