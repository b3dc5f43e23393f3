//! Samples the layers after the counted ones by Knuth's method (Estimating the efficiency of backtrack programs, 1975),
//! extended from trees to layered graphs.
//!
//! A chain begins at a uniformly drawn state of the last counted layer, with a weight equal to the size of that layer.
//! From a state of layer d it moves to one of its m children in layer d + 1, drawn uniformly. Its weight is multiplied
//! by m / p, where p states of layer d lead to that child. By induction, the chain's weight at state v of layer d has
//! expectation 1: each of the p predecessors of v contributes 1/p of it. So the mean weight of the chains is an
//! unbiased estimate of the size of a layer; a chain without children has weight 0 from there on.
//!
//! The layer of a state is determined by meeting in the middle. Moves are reversible, so a state lies within depth d if
//! and only if some state of the first k layers is at most d - k moves from it. The cost grows with each layer, so the
//! number of chains decreases, until there are too few. Their number depends on all chains alike, so the estimate stays
//! unbiased.

use super::Budget;
use super::count::Counted;
use super::shared_watch::SharedWatch;
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::Limit;
use crate::search::random::SplitMix64;
use crate::search::thread_pool::{LazyPool, map_parts};
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

/// The minimum number of chains.
const MIN_CHAINS: usize = 64;
/// Beyond this relative standard error, a few heavy chains decide. Most of those are not in the sample, so that mean
/// and error are both usually too small.
const MAX_ERROR: f64 = 0.1;
/// Chains in a unit of work of a thread.
const PART: usize = 16;

/// The layers after the counted ones.
pub(super) struct Sampled<C> {
    /// The size of each, with its standard error.
    pub layers: Vec<(f64, f64)>,
    /// True if no chain continued from the last layer.
    pub died: bool,
    /// States of the last layer, if there is one.
    pub ends: Vec<C>,
    pub limit: Option<Limit>,
}

impl<C> Default for Sampled<C> {
    fn default() -> Sampled<C> {
        Sampled { layers: Vec::new(), died: false, ends: Vec::new(), limit: None }
    }
}

/// A random path away from the start, layer by layer.
#[derive(Clone)]
struct Chain<C> {
    at: C,
    weight: f64,
    random: SplitMix64,
}

/// Samples layers, to the depth if one is given; moves must be reversible.
pub(super) fn sample<C: Code>(
    graph: &dyn CodeGraph<C>,
    counted: &Counted<C>,
    depth: Option<u32>,
    budget: &Budget,
    pool: &LazyPool,
    watch: &SharedWatch,
) -> Sampled<C> {
    let mut chains: Vec<Chain<C>> = (0..budget.chains).map(|number| first_chain(counted, number)).collect();
    let mut sampled = Sampled::default();
    let (mut affordable, mut expanded_before) = (chains.len(), None);
    while depth.is_none_or(|depth| counted.depth() + sampled.layers.len() < depth as usize) {
        chains.truncate(affordable);
        if chains.len() < MIN_CHAINS {
            break;
        }
        let oracle = Oracle { graph, reached: &counted.reached, radius: sampled.layers.len() };
        let (stepped, expanded) = match step_all(&oracle, &chains, pool, watch) {
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
        if error > MAX_ERROR * mean {
            break;
        }
        sampled.layers.push((mean, error));
        sampled.ends = chains.iter().filter(|chain| chain.weight > 0.0).map(|chain| chain.at).collect();
        // The next layer needs a ball with a radius larger by one.
        let each = expanded as f64 / chains.len() as f64;
        let growth = expanded_before.map_or(FIRST_GROWTH, |before: f64| each / before).max(1.5);
        expanded_before = Some(each);
        affordable = (budget.expanded_by_probes as f64 / (each * growth)) as usize;
    }
    sampled
}

/// The cost of the first ball around a state, relative to the state itself.
const FIRST_GROWTH: f64 = 16.0;

fn first_chain<C: Code>(counted: &Counted<C>, number: usize) -> Chain<C> {
    let mut random = SplitMix64::new(number as u64);
    let at = counted.last[random.below(counted.last.len() as u64) as usize];
    Chain { at, weight: counted.last.len() as f64, random }
}

/// Moves all chains one layer further; returns them with the number of expanded states.
fn step_all<C: Code>(
    oracle: &Oracle<C>,
    chains: &[Chain<C>],
    pool: &LazyPool,
    watch: &SharedWatch,
) -> Result<(Vec<Chain<C>>, u64), Limit> {
    let limit = Mutex::new(None);
    let step_part = |part: &[Chain<C>]| {
        let mut all = 0;
        let step = |chain: &Chain<C>| {
            let mut expanded = 0;
            let stepped = oracle.step(chain.clone(), &mut expanded);
            all += expanded;
            if let Some(reached) = watch.check(expanded) {
                *limit.lock() = Some(reached);
            }
            stepped
        };
        // Results after a limit are discarded.
        let is_over = || limit.lock().is_some();
        let stepped: Vec<Chain<C>> = part.iter().take_while(|_| !is_over()).map(step).collect();
        (stepped, all)
    };
    let parts = pool.run(|| map_parts(chains, PART, step_part));
    if let Some(limit) = limit.into_inner() {
        return Err(limit);
    }
    let expanded = parts.iter().map(|part| part.1).sum();
    Ok((parts.into_iter().flat_map(|part| part.0).collect(), expanded))
}

/// Returns the mean of the weights, and its standard error.
fn mean_of<C>(chains: &[Chain<C>]) -> (f64, f64) {
    let count = chains.len() as f64;
    let mean = chains.iter().map(|chain| chain.weight).sum::<f64>() / count;
    let squares: f64 = chains.iter().map(|chain| (chain.weight - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Decides whether a state lies within the current layer of the chains.
struct Oracle<'a, C> {
    graph: &'a dyn CodeGraph<C>,
    reached: &'a FxHashSet<C>,
    /// The number of layers between the last counted one and the current one.
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
        // The count includes the state that the chain comes from.
        chain.weight *= children.len() as f64 / parents.count().max(1) as f64;
        chain.at = child;
        *expanded += 1;
        chain
    }

    fn is_within(&self, state: C, expanded: &mut u64) -> bool {
        if self.reached.contains(&state) {
            return true;
        }
        let (mut ball, mut rim, mut children) = (FxHashSet::from_iter([state]), vec![state], Vec::new());
        for distance in 1..=self.radius {
            children.clear();
            self.graph.children(&rim, &mut children);
            *expanded += rim.len() as u64;
            if children.iter().any(|child| self.reached.contains(child)) {
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

/// Returns the distinct states one move away, sorted.
pub(super) fn neighbors<C: Code>(graph: &dyn CodeGraph<C>, of: C) -> Vec<C> {
    let mut neighbors = Vec::new();
    graph.children(&[of], &mut neighbors);
    neighbors.sort_unstable();
    neighbors.dedup();
    neighbors.retain(|&neighbor| neighbor != of);
    neighbors
}
