//! The size of a space in which moves can be taken back, by the collisions of random walks (Katzir, Liberty and Somekh,
//! Estimating sizes of social networks via biased sampling, 2011).
//!
//! A long random walk is at a state with a probability in proportion to its degree. For two such states x and y,
//! independent of each other, the mean of deg x / deg y is n times the probability that they are the same, n being the number of
//! states. So that mean over many pairs, divided by the share of pairs that are the same, is an estimate of n.
//!
//! Only pairs of different walks are taken: what one walk meets twice it may meet because it has not gone far. The first half
//! of each is left out. Whether that was enough is asked in two ways. Every second walk begins at the start, the others far
//! from there, each at another state: walks that have forgotten where they began meet those of their own kind as often as
//! the others. And the first halves of the walks, but for their beginnings, tell of no fewer states than the second halves. If
//! either is not so, the estimate is only a lower bound.

use super::Budget;
use super::lookout::Lookout;
use super::probe::neighbors;
use crate::search::crew::{Crew, map_parts};
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::Limit;
use crate::search::random::SplitMix64;

/// How many walks there are.
const WALKS: usize = 32;
/// One of so many steps counts: a walk that met another is likely to meet it again at once. An odd number, since where
/// every move leads from one half of the states to the other, an even one would see one half alone.
const EVERY: usize = 3;
/// Fewer pairs of walks that met say too little.
const LEAST_MET: usize = 30;
/// Beyond this standard error of the logarithm, walks differ too much from each other to have seen the same space.
const MOST_ERROR: f64 = 0.2;
/// Collisions of a pair that met, where none has: twice what is seen where some have.
const OF_A_PAIR: f64 = 8.0;
/// Steps between two looks at the limits.
const LOOK_EVERY: usize = 512;

/// What walks tell of the number of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Roamed {
    /// Between `low` and `high` with a probability of 95 %.
    About { states: f64, low: f64, high: f64 },
    /// Walks have met too seldom, or have not spread.
    AtLeast { states: f64 },
}

/// Estimates the number of states that can be reached; `far` are some that are far from the start.
///
/// # Errors
/// The limit that ended the walks.
pub(super) fn roam<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    far: &[C],
    budget: &Budget,
    crew: &Crew,
    lookout: &Lookout,
) -> Result<Roamed, Limit> {
    let begins = |number: u64| match far {
        [_, ..] if number % 2 == 1 => far[number as usize % far.len()],
        _ => start,
    };
    let numbers: Vec<u64> = (0..WALKS as u64).collect();
    let walks =
        crew.together(|| map_parts(&numbers, 1, |number| walk(graph, begins(number[0]), number[0], budget, lookout)));
    let walks = walks.into_iter().collect::<Result<Vec<_>, Limit>>()?;
    let half = walks[0].len() / 2;
    let earlier = Collisions::of(walks.iter().map(|walk| &walk[half / 4..half]));
    let later = Collisions::of(walks.iter().map(|walk| &walk[half..]));
    Ok(later.told(&earlier))
}

/// A state that counts, with its degree.
type Seen<C> = (C, u32);

/// The states of a walk that count.
fn walk<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    number: u64,
    budget: &Budget,
    lookout: &Lookout,
) -> Result<Vec<Seen<C>>, Limit> {
    let steps = budget.steps / WALKS;
    let mut random = SplitMix64::new(number);
    let (mut at, mut seen) = (start, Vec::with_capacity(steps / EVERY + 1));
    for step in 0..steps {
        if step % LOOK_EVERY == 0
            && let Some(limit) = lookout.look(LOOK_EVERY as u64)
        {
            return Err(limit);
        }
        let next = neighbors(graph, at);
        if step % EVERY == 0 {
            seen.push((at, next.len().max(1) as u32));
        }
        if !next.is_empty() {
            at = next[random.below(next.len() as u64) as usize];
        }
    }
    Ok(seen)
}

/// Pairs of walks, by their numbers.
struct Collisions {
    /// Sums of deg x / deg y over the pairs of their states.
    ratios: [[f64; WALKS]; WALKS],
    /// How many pairs of their states are the same.
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

    /// The sums over all pairs of different walks of these kinds, but for one walk.
    fn sums(&self, kinds: Kinds, but: Option<usize>) -> (f64, f64) {
        let pairs = kinds.pairs().filter(|&(one, other)| but != Some(one) && but != Some(other));
        pairs.fold((0.0, 0.0), |sums, (one, other)| (sums.0 + self.ratios[one][other], sums.1 + self.same[one][other]))
    }

    /// What pairs of these kinds tell of the number of states, and the standard error of its logarithm: each walk left out
    /// in turn (the jackknife: Tukey 1958). Infinite, where they have hardly met.
    fn told_by(&self, kinds: Kinds) -> (f64, f64) {
        let (ratios, same) = self.sums(kinds, None);
        let without = (0..WALKS).map(|walk| self.sums(kinds, Some(walk))).map(|(ratios, same)| (ratios / same).ln());
        let without: Vec<f64> = without.collect();
        let mean = without.iter().sum::<f64>() / WALKS as f64;
        let squares: f64 = without.iter().map(|estimate| (estimate - mean).powi(2)).sum();
        let error = (squares * (WALKS as f64 - 1.0) / WALKS as f64).sqrt();
        (ratios / same, if error.is_finite() { error } else { f64::INFINITY })
    }

    fn met(&self) -> usize {
        Kinds::All.pairs().filter(|&(one, other)| self.same[one][other] > 0.0).count()
    }

    fn told(&self, earlier: &Collisions) -> Roamed {
        let met = self.met();
        let (ratios, same) = self.sums(Kinds::All, None);
        let (states, error) = self.told_by(Kinds::All);
        if met < LEAST_MET || error.is_infinite() {
            // So many meetings might have been expected (a Poisson distribution's 97.5 %, roughly).
            let expected = met as f64 + 2.0 * (met as f64 + 1.0).sqrt() + 2.0;
            let each = if met == 0 { OF_A_PAIR } else { same / met as f64 };
            return Roamed::AtLeast { states: ratios / (expected * each) };
        }
        let low = states * (-2.0 * error).exp();
        let near = self.told_by(Kinds::Near);
        let before = earlier.told_by(Kinds::All);
        if error > MOST_ERROR
            || differ(near, self.told_by(Kinds::Mixed))
            || states > before.0 && differ(before, (states, error))
        {
            let least = near.0 * (-2.0 * near.1).exp();
            return Roamed::AtLeast { states: low.min(least) };
        }
        Roamed::About { states, low, high: states * (2.0 * error).exp() }
    }
}

/// Whether two estimates, each with the standard error of its logarithm, are no two of the same.
fn differ(one: (f64, f64), other: (f64, f64)) -> bool {
    one.0.is_infinite() != other.0.is_infinite() || (one.0 / other.0).ln().abs() > 2.0 * one.1.hypot(other.1)
}

/// Pairs of walks, by where these began.
#[derive(Clone, Copy)]
enum Kinds {
    All,
    /// Both at the start.
    Near,
    /// One of them at the start, one far from it.
    Mixed,
}

impl Kinds {
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = (0..WALKS).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.filter(move |(one, other)| match self {
            Kinds::All => true,
            Kinds::Near => one % 2 == 0 && other % 2 == 0,
            Kinds::Mixed => one % 2 != other % 2,
        })
    }
}
