//! Estimates the size of a space with reversible moves from collisions of random walks (Katzir, Liberty and Somekh,
//! Estimating sizes of social networks via biased sampling, 2011).
//!
//! A long random walk is at a state with probability proportional to its degree. For two independent such states x and
//! y, the mean of deg x / deg y is n times the probability that they are equal, n being the number of states. So that
//! mean over many pairs, divided by the fraction of equal pairs, is an estimate of n.
//!
//! Only pairs of different walks count: a walk may return to a state because it has not moved far. The first half of
//! each walk is burn-in. Two tests check that it was long enough. First, every second walk begins at the start, the
//! others far from it, each at a different state. Walks that have forgotten their starting points collide with their
//! own kind as often as with the other. Second, the first halves, without their beginnings, must not imply fewer states
//! than the second halves. If a test fails, the estimate is only a lower bound.

use super::{Basis, StateCount};
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::{Limit, Limits, Stop};
use crate::search::random::SplitMix64;
use crate::search::thread_pool::{LazyPool, map_parts};

/// The number of walks.
const WALKS: usize = 32;
/// The sampling interval in steps: walks that have just collided are likely to collide again. It is odd, since an even
/// interval would see only one half of a bipartite space.
const SAMPLE_EVERY: usize = 3;
/// The minimum number of pairs of walks with a collision.
const MIN_MET_PAIRS: usize = 30;
/// Beyond this standard error of the logarithm, the walks differ too much to have covered the same space.
const MAX_ERROR: f64 = 0.2;
/// Collisions assumed for a pair of walks with any, if no pair has one: twice what is typically seen.
const PER_PAIR: f64 = 8.0;
/// Steps between two limit checks.
const CHECK_EVERY: usize = 512;

/// Estimates the number of reachable states by this many steps: an interval with a probability of 95 %, or a lower bound
/// if the walks collided too rarely, or have not mixed. `far` are states far from the start.
///
/// # Errors
/// The limit that ended the walks.
pub(super) fn random_walks<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    far: &[C],
    steps: usize,
    limits: &Limits,
) -> Result<StateCount, Limit> {
    limits.begin("walking at random", None, 0);
    let (pool, stop) = (LazyPool::new(limits.threads), &limits.stop());
    let begins = |number: u64| match far {
        [_, ..] if number % 2 == 1 => far[number as usize % far.len()],
        _ => start,
    };
    let numbers: Vec<u64> = (0..WALKS as u64).collect();
    let walks =
        pool.run(|| map_parts(&numbers, 1, |number| walk(graph, begins(number[0]), number[0], steps / WALKS, stop)));
    let walks = walks.into_iter().collect::<Result<Vec<_>, Limit>>()?;
    let half = walks[0].len() / 2;
    let earlier = collisions(walks.iter().map(|walk| &walk[half / 4..half]));
    Ok(estimate(&earlier, &collisions(walks.iter().map(|walk| &walk[half..]))))
}

/// A sampled state, with its degree.
type Seen<C> = (C, u32);

/// Returns the sampled states of a walk.
fn walk<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    number: u64,
    steps: usize,
    stop: &Stop,
) -> Result<Vec<Seen<C>>, Limit> {
    let mut random = SplitMix64::new(number);
    let (mut at, mut seen) = (start, Vec::with_capacity(steps / SAMPLE_EVERY + 1));
    for step in 0..steps {
        if step % CHECK_EVERY == 0
            && let Some(limit) = stop.check_cheap()
        {
            return Err(limit);
        }
        let next = neighbors(graph, at);
        if step % SAMPLE_EVERY == 0 {
            seen.push((at, next.len().max(1) as u32));
        }
        if !next.is_empty() {
            at = next[random.below(next.len() as u64) as usize];
        }
    }
    Ok(seen)
}

/// The collisions of two walks.
struct Pair {
    walks: [usize; 2],
    /// The sum of deg x / deg y over the pairs of their states.
    ratio: f64,
    /// The number of equal pairs of their states.
    same: f64,
}

/// The number of states that some pairs imply, and the standard error of its logarithm.
type Implied = (f64, f64);

/// Returns the collisions of all pairs of walks.
fn collisions<'a, C: Code>(walks: impl Iterator<Item = &'a [Seen<C>]> + Clone) -> Vec<Pair> {
    let mut met: Vec<(C, usize)> = Vec::new();
    for (number, walk) in walks.clone().enumerate() {
        met.extend(walk.iter().map(|&(state, _)| (state, number)));
    }
    met.sort_unstable();
    let mut same = [[0.0; WALKS]; WALKS];
    let visits = met.chunk_by(|one, other| one.0 == other.0);
    for visits in visits.filter(|visits| visits[0].1 != visits[visits.len() - 1].1) {
        let mut times = [0.0; WALKS];
        visits.iter().for_each(|&(_, walk)| times[walk] += 1.0);
        for one in (0..WALKS).filter(|&walk| times[walk] > 0.0) {
            (0..one).for_each(|other| same[one][other] += times[one] * times[other]);
        }
    }
    let degrees: Vec<f64> = walks.clone().map(|walk| walk.iter().map(|seen| f64::from(seen.1)).sum()).collect();
    let inverses: Vec<f64> = walks.map(|walk| walk.iter().map(|seen| 1.0 / f64::from(seen.1)).sum()).collect();
    let ratio = |one: usize, other: usize| (degrees[one] * inverses[other] + degrees[other] * inverses[one]) / 2.0;
    let pairs = (0..WALKS).flat_map(|one| (0..one).map(move |other| (one, other)));
    pairs.map(|(one, other)| Pair { walks: [one, other], ratio: ratio(one, other), same: same[one][other] }).collect()
}

/// Returns what the pairs of some kind imply. The error is that of the jackknife (Tukey 1958), which leaves out each
/// walk in turn; it is infinite if there are hardly any collisions.
fn implied(pairs: &[Pair], kind: impl Fn(&Pair) -> bool) -> Implied {
    let without = |walk: usize| {
        let pairs = pairs.iter().filter(|pair| !pair.walks.contains(&walk) && kind(pair));
        let (ratio, same) = pairs.fold((0.0, 0.0), |(ratio, same), pair| (ratio + pair.ratio, same + pair.same));
        ratio / same
    };
    let logarithms: Vec<f64> = (0..WALKS).map(|walk| without(walk).ln()).collect();
    let mean = logarithms.iter().sum::<f64>() / WALKS as f64;
    let squares: f64 = logarithms.iter().map(|logarithm| (logarithm - mean).powi(2)).sum();
    let error = (squares * (WALKS as f64 - 1.0) / WALKS as f64).sqrt();
    (without(WALKS), if error.is_finite() { error } else { f64::INFINITY })
}

/// Returns the estimate of the later halves of the walks, tested against that of the earlier ones.
fn estimate(earlier: &[Pair], later: &[Pair]) -> StateCount {
    let met = later.iter().filter(|pair| pair.same > 0.0).count();
    let (states, error) = implied(later, |_| true);
    if met < MIN_MET_PAIRS || error.is_infinite() {
        // The upper end of the interval for the expected number of collisions (roughly the 97.5 % quantile of a Poisson
        // distribution).
        let expected = met as f64 + 2.0 * (met as f64 + 1.0).sqrt() + 2.0;
        let same: f64 = later.iter().map(|pair| pair.same).sum();
        let each = if met == 0 { PER_PAIR } else { same / met as f64 };
        return StateCount::at_least(later.iter().map(|pair| pair.ratio).sum::<f64>() / (expected * each));
    }
    let low = states * (-2.0 * error).exp();
    let near = implied(later, |pair| pair.walks.iter().all(|walk| walk % 2 == 0));
    let mixed = implied(later, |pair| pair.walks[0] % 2 != pair.walks[1] % 2);
    let before = implied(earlier, |_| true);
    if error > MAX_ERROR || differ(near, mixed) || states > before.0 && differ(before, (states, error)) {
        return StateCount::at_least(low.min(near.0 * (-2.0 * near.1).exp()));
    }
    StateCount { states, low, high: states * (2.0 * error).exp(), basis: Basis::Collisions }
}

/// Returns whether two estimates differ significantly.
fn differ(one: Implied, other: Implied) -> bool {
    one.0.is_infinite() != other.0.is_infinite() || (one.0 / other.0).ln().abs() > 2.0 * one.1.hypot(other.1)
}

/// Returns the distinct states one move away, sorted.
fn neighbors<C: Code>(graph: &dyn CodeGraph<C>, of: C) -> Vec<C> {
    let mut neighbors = Vec::new();
    graph.children(&[of], &mut neighbors);
    neighbors.sort_unstable();
    neighbors.dedup();
    neighbors.retain(|&neighbor| neighbor != of);
    neighbors
}
