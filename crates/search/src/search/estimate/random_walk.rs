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

use super::Budget;
use super::shared_watch::SharedWatch;
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::Limit;
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

/// The estimate that the walks give for the number of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WalkEstimate {
    /// Between `low` and `high` with a probability of 95 %.
    About { states: f64, low: f64, high: f64 },
    /// The walks collided too rarely, or have not mixed.
    AtLeast { states: f64 },
}

/// Estimates the number of reachable states; `far` are states far from the start.
///
/// # Errors
/// The limit that ended the walks.
pub(super) fn random_walks<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    far: &[C],
    budget: &Budget,
    pool: &LazyPool,
    watch: &SharedWatch,
) -> Result<WalkEstimate, Limit> {
    let begins = |number: u64| match far {
        [_, ..] if number % 2 == 1 => far[number as usize % far.len()],
        _ => start,
    };
    let numbers: Vec<u64> = (0..WALKS as u64).collect();
    let walks = pool.run(|| map_parts(&numbers, 1, |number| walk(graph, begins(number[0]), number[0], budget, watch)));
    let walks = walks.into_iter().collect::<Result<Vec<_>, Limit>>()?;
    let half = walks[0].len() / 2;
    let earlier = Collisions::of(walks.iter().map(|walk| &walk[half / 4..half]));
    let later = Collisions::of(walks.iter().map(|walk| &walk[half..]));
    Ok(later.estimate(&earlier))
}

/// A sampled state, with its degree.
type Seen<C> = (C, u32);

/// Returns the sampled states of a walk.
fn walk<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    number: u64,
    budget: &Budget,
    watch: &SharedWatch,
) -> Result<Vec<Seen<C>>, Limit> {
    let steps = budget.steps / WALKS;
    let mut random = SplitMix64::new(number);
    let (mut at, mut seen) = (start, Vec::with_capacity(steps / SAMPLE_EVERY + 1));
    for step in 0..steps {
        if step % CHECK_EVERY == 0
            && let Some(limit) = watch.check(CHECK_EVERY as u64)
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

/// Statistics on pairs of walks, indexed by their numbers.
struct Collisions {
    /// Sums of deg x / deg y over the pairs of their states.
    ratios: [[f64; WALKS]; WALKS],
    /// The number of equal pairs of their states.
    same: [[f64; WALKS]; WALKS],
}

impl Collisions {
    fn of<'a, C: Code>(walks: impl Iterator<Item = &'a [Seen<C>]> + Clone) -> Collisions {
        let mut same = [[0.0; WALKS]; WALKS];
        let mut met: Vec<(C, usize)> = Vec::new();
        for (number, walk) in walks.clone().enumerate() {
            met.extend(walk.iter().map(|&(state, _)| (state, number)));
        }
        met.sort_unstable();
        for visits in
            met.chunk_by(|one, other| one.0 == other.0).filter(|visits| visits[0].1 != visits[visits.len() - 1].1)
        {
            let mut times = [0.0; WALKS];
            visits.iter().for_each(|&(_, walk)| times[walk] += 1.0);
            for one in (0..WALKS).filter(|&walk| times[walk] > 0.0) {
                (0..WALKS).for_each(|other| same[one][other] += times[one] * times[other]);
            }
        }
        let degrees: Vec<f64> = walks.clone().map(|walk| walk.iter().map(|seen| f64::from(seen.1)).sum()).collect();
        let inverses: Vec<f64> = walks.map(|walk| walk.iter().map(|seen| 1.0 / f64::from(seen.1)).sum()).collect();
        let mut ratios = [[0.0; WALKS]; WALKS];
        for one in 0..WALKS {
            for other in 0..WALKS {
                ratios[one][other] = (degrees[one] * inverses[other] + degrees[other] * inverses[one]) / 2.0;
            }
        }
        Collisions { ratios, same }
    }

    /// Returns the sums over all pairs of different walks of this kind, except those with walk `excluded`.
    fn sums(&self, kind: PairKind, excluded: Option<usize>) -> (f64, f64) {
        let pairs = kind.pairs().filter(|&(one, other)| excluded != Some(one) && excluded != Some(other));
        pairs.fold((0.0, 0.0), |sums, (one, other)| (sums.0 + self.ratios[one][other], sums.1 + self.same[one][other]))
    }

    /// Returns the number of states that pairs of this kind imply, and the standard error of its logarithm by the
    /// jackknife (Tukey 1958): each walk is left out in turn. The error is infinite if there are hardly any collisions.
    fn estimate_from(&self, kind: PairKind) -> (f64, f64) {
        let (ratios, same) = self.sums(kind, None);
        let without = (0..WALKS).map(|walk| self.sums(kind, Some(walk))).map(|(ratios, same)| (ratios / same).ln());
        let without: Vec<f64> = without.collect();
        let mean = without.iter().sum::<f64>() / WALKS as f64;
        let squares: f64 = without.iter().map(|estimate| (estimate - mean).powi(2)).sum();
        let error = (squares * (WALKS as f64 - 1.0) / WALKS as f64).sqrt();
        (ratios / same, if error.is_finite() { error } else { f64::INFINITY })
    }

    fn met(&self) -> usize {
        PairKind::All.pairs().filter(|&(one, other)| self.same[one][other] > 0.0).count()
    }

    fn estimate(&self, earlier: &Collisions) -> WalkEstimate {
        let met = self.met();
        let (ratios, same) = self.sums(PairKind::All, None);
        let (states, error) = self.estimate_from(PairKind::All);
        if met < MIN_MET_PAIRS || error.is_infinite() {
            // The upper end of the interval for the expected number of collisions (roughly the 97.5 % quantile of a
            // Poisson distribution).
            let expected = met as f64 + 2.0 * (met as f64 + 1.0).sqrt() + 2.0;
            let each = if met == 0 { PER_PAIR } else { same / met as f64 };
            return WalkEstimate::AtLeast { states: ratios / (expected * each) };
        }
        let low = states * (-2.0 * error).exp();
        let near = self.estimate_from(PairKind::Near);
        let before = earlier.estimate_from(PairKind::All);
        if error > MAX_ERROR
            || differ(near, self.estimate_from(PairKind::Mixed))
            || states > before.0 && differ(before, (states, error))
        {
            let least = near.0 * (-2.0 * near.1).exp();
            return WalkEstimate::AtLeast { states: low.min(least) };
        }
        WalkEstimate::About { states, low, high: states * (2.0 * error).exp() }
    }
}

/// Returns whether two estimates, each with the standard error of its logarithm, differ significantly.
fn differ(one: (f64, f64), other: (f64, f64)) -> bool {
    one.0.is_infinite() != other.0.is_infinite() || (one.0 / other.0).ln().abs() > 2.0 * one.1.hypot(other.1)
}

/// Pairs of walks, by their starting points.
#[derive(Clone, Copy)]
enum PairKind {
    All,
    /// Both at the start.
    Near,
    /// One at the start, one far from it.
    Mixed,
}

impl PairKind {
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = (0..WALKS).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.filter(move |(one, other)| match self {
            PairKind::All => true,
            PairKind::Near => one % 2 == 0 && other % 2 == 0,
            PairKind::Mixed => one % 2 != other % 2,
        })
    }
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
