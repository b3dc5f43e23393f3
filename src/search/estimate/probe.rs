//! The layers after those that were counted, by sampling: Knuth's method (Estimating the efficiency of backtrack programs,
//! 1975), carried from trees to layered graphs.
//!
//! A chain begins at a state of the last counted layer, drawn uniformly, and weighs as much as that layer has states. From a
//! state of layer d it goes to one of its m children in layer d + 1, drawn uniformly, and its weight becomes m / p times
//! what it was, where p states of layer d lead to that child. By induction a chain is at state v of layer d with a weight
//! whose expectation is 1: each of the p states before v hands on 1/p of it. So the mean weight of chains is an estimate of
//! the size of a layer, and an unbiased one; a chain without children weighs nothing from there on.
//!
//! Which layer a state is in is told by meeting in the middle. Moves can be taken back, so a state lies within depth d if and
//! only if some state of the first k layers lies no more than d - k moves away from it. What that costs grows with each
//! layer, so there are fewer and fewer chains, and at last too few. How many depends on all of them alike, which leaves
//! the estimate unbiased.

use super::Budget;
use super::count::Counted;
use super::lookout::Lookout;
use crate::search::crew::{Crew, map_parts};
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::Limit;
use crate::search::random::SplitMix64;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

/// Fewer chains say too little.
const LEAST_CHAINS: usize = 64;
/// Beyond this standard error, in parts of the mean, a few heavy chains decide: most of them are not among those drawn, so that
/// mean and error are both mostly too small.
const MOST_ERROR: f64 = 0.1;
/// Chains that a thread takes at a time.
const PART: usize = 16;

/// Layers after the counted ones.
pub(super) struct Sampled<C> {
    /// The size of each, with its standard error.
    pub layers: Vec<(f64, f64)>,
    /// Whether no chain went on from the last.
    pub died: bool,
    /// States of the last of them, if there is one.
    pub ends: Vec<C>,
    pub limit: Option<Limit>,
}

impl<C> Default for Sampled<C> {
    fn default() -> Sampled<C> {
        Sampled { layers: Vec::new(), died: false, ends: Vec::new(), limit: None }
    }
}

/// A walk away from the start, layer by layer.
#[derive(Clone)]
struct Chain<C> {
    at: C,
    weight: f64,
    random: SplitMix64,
}

/// Samples layers, up to a depth where one is given; moves can be taken back here.
pub(super) fn sample<C: Code>(
    graph: &dyn CodeGraph<C>,
    counted: &Counted<C>,
    depth: Option<u32>,
    budget: &Budget,
    crew: &Crew,
    lookout: &Lookout,
) -> Sampled<C> {
    let mut chains: Vec<Chain<C>> = (0..budget.chains).map(|number| begin(counted, number)).collect();
    let mut sampled = Sampled::default();
    let (mut affordable, mut expanded_before) = (chains.len(), None);
    while depth.is_none_or(|depth| counted.depth() + sampled.layers.len() < depth as usize) {
        chains.truncate(affordable);
        if chains.len() < LEAST_CHAINS {
            break;
        }
        let oracle = Oracle { graph, met: &counted.met, radius: sampled.layers.len() };
        let (stepped, expanded) = match step_all(&oracle, &chains, crew, lookout) {
            Ok(stepped) => stepped,
            Err(limit) => {
                sampled.limit = Some(limit);
                break;
            }
        };
        chains = stepped;
        let (mean, error) = mean_of(&chains);
        if mean == 0.0 {
            sampled.died = true;
            break;
        }
        if error > MOST_ERROR * mean {
            break;
        }
        sampled.layers.push((mean, error));
        sampled.ends = chains.iter().filter(|chain| chain.weight > 0.0).map(|chain| chain.at).collect();
        // The next ball has a layer more around it.
        let each = expanded as f64 / chains.len() as f64;
        let growth = expanded_before.map_or(FIRST_GROWTH, |before: f64| each / before).max(1.5);
        expanded_before = Some(each);
        affordable = (budget.expanded_by_probes as f64 / (each * growth)) as usize;
    }
    sampled
}

/// What the first ball around a state takes more than the state itself.
const FIRST_GROWTH: f64 = 16.0;

fn begin<C: Code>(counted: &Counted<C>, number: usize) -> Chain<C> {
    let mut random = SplitMix64::new(number as u64);
    let at = counted.last[random.below(counted.last.len() as u64) as usize];
    Chain { at, weight: counted.last.len() as f64, random }
}

/// All chains, a layer further, and how many states were expanded for it.
fn step_all<C: Code>(
    oracle: &Oracle<C>,
    chains: &[Chain<C>],
    crew: &Crew,
    lookout: &Lookout,
) -> Result<(Vec<Chain<C>>, u64), Limit> {
    let limit = Mutex::new(None);
    let step_part = |part: &[Chain<C>]| {
        let mut all = 0;
        let step = |chain: &Chain<C>| {
            let mut expanded = 0;
            let stepped = oracle.step(chain.clone(), &mut expanded);
            all += expanded;
            if let Some(reached) = lookout.look(expanded) {
                *limit.lock() = Some(reached);
            }
            stepped
        };
        // What is made once a limit is reached is thrown away.
        let is_over = || limit.lock().is_some();
        let stepped: Vec<Chain<C>> = part.iter().take_while(|_| !is_over()).map(step).collect();
        (stepped, all)
    };
    let parts = crew.together(|| map_parts(chains, PART, step_part));
    if let Some(limit) = limit.into_inner() {
        return Err(limit);
    }
    let expanded = parts.iter().map(|part| part.1).sum();
    Ok((parts.into_iter().flat_map(|part| part.0).collect(), expanded))
}

/// The mean of the weights, and its standard error.
fn mean_of<C>(chains: &[Chain<C>]) -> (f64, f64) {
    let count = chains.len() as f64;
    let mean = chains.iter().map(|chain| chain.weight).sum::<f64>() / count;
    let squares: f64 = chains.iter().map(|chain| (chain.weight - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Tells whether a state lies within the layer that chains are in.
struct Oracle<'a, C> {
    graph: &'a dyn CodeGraph<C>,
    met: &'a FxHashSet<C>,
    /// How many layers that one is after the last counted.
    radius: usize,
}

impl<C: Code> Oracle<'_, C> {
    fn step(&self, mut chain: Chain<C>, expanded: &mut u64) -> Chain<C> {
        if chain.weight == 0.0 {
            return chain;
        }
        let mut children = neighbors(self.graph, chain.at);
        children.retain(|&child| !self.is_within(child, expanded));
        *expanded += 1;
        if children.is_empty() {
            chain.weight = 0.0;
            return chain;
        }
        let child = children[chain.random.below(children.len() as u64) as usize];
        let parents = neighbors(self.graph, child).into_iter().filter(|&state| self.is_within(state, expanded));
        // The one that it comes from is among them.
        chain.weight *= children.len() as f64 / parents.count().max(1) as f64;
        chain.at = child;
        *expanded += 1;
        chain
    }

    fn is_within(&self, state: C, expanded: &mut u64) -> bool {
        if self.met.contains(&state) {
            return true;
        }
        let (mut ball, mut rim, mut children) = (FxHashSet::from_iter([state]), vec![state], Vec::new());
        for distance in 1..=self.radius {
            children.clear();
            self.graph.children(&rim, &mut children);
            *expanded += rim.len() as u64;
            if children.iter().any(|child| self.met.contains(child)) {
                return true;
            }
            if distance < self.radius {
                rim.clear();
                rim.extend(children.iter().copied().filter(|&child| ball.insert(child)));
            }
        }
        false
    }
}

/// The states one move away, each once, in rising order.
pub(super) fn neighbors<C: Code>(graph: &dyn CodeGraph<C>, of: C) -> Vec<C> {
    let mut neighbors = Vec::new();
    graph.children(&[of], &mut neighbors);
    neighbors.sort_unstable();
    neighbors.dedup();
    neighbors.retain(|&neighbor| neighbor != of);
    neighbors
}
