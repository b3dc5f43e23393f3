//! Successors and heuristic values that threads compute ahead of a graph search.
//!
//! Which state is expanded next depends on all expansions before it. But in a [pure](Weighted::is_pure) graph the
//! successors of a state and their heuristic values depend on the state alone, and they take most of the time where the
//! heuristic is expensive. So threads compute them for states that are likely to be next (speculative computation:
//! Burton 1985), and the search takes them when it expands the state. It does so in the same order and with the same
//! counts, whatever was computed ahead: so this may depend on the clock.
//!
//! Where an expansion takes less than ten microseconds, handing it over would take a good part of that, and nothing is
//! computed ahead.

pub mod simulation;
mod values;

use crate::search::limits::{Limits, Stop};
use crate::search::thread_pool::{LazyPool, run_tasks};
use crate::space::{Cost, Key, Weighted};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use simulation::Simulation;
use std::sync::Arc;
use std::time::{Duration, Instant};
use values::Values;

/// The first expansions, of which one in `TIMED_EVERY` is timed. Threads begin as soon as these take `WORTH_SHARING`
/// altogether: if each takes ten microseconds, after the last of them.
const FIRST: u64 = 2048;
const TIMED_EVERY: u64 = 8;
const WORTH_SHARING: Duration = Duration::from_millis(20);

/// States for each thread from which it computes on, so that no thread waits long for the last.
const ROOTS_PER_THREAD: usize = 8;

/// The maximum number of expansions computed from one state, and the time after which threads begin no further ones
/// before the search goes on.
const MOST_EXPANSIONS: usize = 16;
const LONGEST: Duration = Duration::from_millis(16);

/// The maximum number of expansions that wait for the search. It never takes those of states that it does not come to.
const MOST_WAITING: usize = 1 << 14;

/// After this many expansions, threads stop for good as soon as they take longer than the search alone would have
/// taken for the expansions that it could use. As many of those that still wait count as used.
const JUDGED_AFTER: usize = 1 << 7;

/// One in this many times the search computes an expansion itself, to measure how long one takes it now.
const ALONE_EVERY: u64 = 16;

/// The expansions and values that were computed ahead for a graph search.
pub(super) struct Ahead<'a, K, C> {
    graph: &'a dyn Weighted<K, C>,
    pool: LazyPool,
    stop: Stop,
    phase: Phase,
    waiting: FxHashMap<K, Expansion<K, C>>,
    values: Values<K, C>,
    /// The numbers of expansions that were computed ahead, and that the search has taken.
    computed: usize,
    taken: usize,
    /// The time for which the search waited for them.
    waited: Duration,
    /// The number of times that the search asked for an expansion that was not there.
    missed: u64,
    simulation: Option<Arc<Simulation>>,
}

enum Phase {
    Never,
    /// With the number and the time of the expansions that were timed.
    Timing(u32, Duration),
    /// With the time that an expansion takes the search alone: an average in which the last ones have the most weight.
    Always(Duration),
}

/// The expansion of a state.
pub(super) struct Expansion<K, C> {
    pub successors: Vec<(C, K)>,
    /// The h of each successor; zero for those that were in the table already.
    pub values: Vec<C>,
}

impl<'a, K: Key, C: Cost> Ahead<'a, K, C> {
    /// Creates an empty store for a search, informed or not.
    pub fn new(graph: &'a dyn Weighted<K, C>, is_informed: bool, limits: &Limits) -> Self {
        let pool = LazyPool::new(limits.threads);
        let simulation = limits.simulation.clone();
        let phase = match &simulation {
            _ if !is_informed || !graph.is_pure() => Phase::Never,
            Some(_) => Phase::Always(Duration::ZERO),
            None if pool.threads() > 1 => Phase::Timing(0, Duration::ZERO),
            None => Phase::Never,
        };
        Ahead {
            graph,
            pool,
            stop: limits.stop(),
            phase,
            waiting: FxHashMap::default(),
            values: Values::default(),
            computed: 0,
            taken: 0,
            waited: Duration::ZERO,
            missed: 0,
            simulation,
        }
    }

    /// Returns the time at which the search begins to expand a state itself, if it is to be timed. `expanded` is the
    /// number of expansions before it.
    #[inline]
    pub fn begin(&mut self, expanded: u64) -> Option<Instant> {
        match self.phase {
            Phase::Never => None,
            Phase::Timing(..) if expanded >= FIRST => {
                self.phase = Phase::Never;
                None
            }
            Phase::Timing(..) => expanded.is_multiple_of(TIMED_EVERY).then(Instant::now),
            Phase::Always(_) => {
                self.simulation.iter().for_each(|simulation| simulation.expand_alone());
                Some(Instant::now())
            }
        }
    }

    /// Ends the timing of an expansion.
    pub fn end(&mut self, begun: Instant) {
        match &mut self.phase {
            Phase::Never => {}
            Phase::Timing(number, time) => {
                *number += 1;
                *time += begun.elapsed();
                if *time * TIMED_EVERY as u32 >= WORTH_SHARING {
                    self.phase = Phase::Always(*time / *number);
                }
            }
            Phase::Always(each) => *each = (*each * 7 + begun.elapsed()) / 8,
        }
    }

    /// Returns whether the search should ask for expansions.
    #[inline]
    pub fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Always(_))
    }

    /// Returns whether the expansion of a state waits.
    pub fn has(&self, key: &K) -> bool {
        self.waiting.contains_key(key)
    }

    /// Returns the number of states from which the threads compute on now, as the search asks for an expansion that is
    /// not there; 0 if the search should compute it itself.
    pub fn roots(&mut self) -> usize {
        self.missed += 1;
        if self.missed.is_multiple_of(ALONE_EVERY) {
            return 0;
        }
        ROOTS_PER_THREAD * self.simulation.as_ref().map_or_else(|| self.pool.threads(), |simulated| simulated.threads())
    }

    /// Takes the expansion of a state.
    pub fn take(&mut self, key: &K) -> Option<Expansion<K, C>> {
        let expansion = self.waiting.remove(key)?;
        self.taken += 1;
        self.simulation.iter().for_each(|simulation| simulation.take());
        Some(expansion)
    }

    /// Returns the h of a state if it was computed ahead.
    pub fn value(&self, key: &K) -> Option<C> {
        self.values.get(key)
    }

    /// Returns whether threads have taken longer so far than the search alone would have taken.
    fn loses(&self) -> bool {
        let Phase::Always(each) = self.phase else { return false };
        let useful = self.taken + self.waiting.len().min(JUDGED_AFTER);
        self.computed >= JUDGED_AFTER && self.waited > each * useful as u32
    }

    /// Computes expansions of some states, and of those below them that A* would expand right after. `is_known` returns
    /// whether a state is in the table: such states need no heuristic value.
    pub fn compute(&mut self, roots: &[&K], is_known: &(dyn Fn(&K) -> bool + Sync)) {
        if self.loses() && self.simulation.is_none() {
            self.phase = Phase::Never;
            (self.waiting, self.values) = Default::default();
            return;
        }
        if self.waiting.len() > MOST_WAITING {
            self.waiting.clear();
        }
        self.values.limit();
        let (graph, values, stop, begun) = (self.graph, &self.values, &self.stop, Instant::now());
        let computed: Vec<Mutex<Vec<_>>> = roots.iter().map(|_| Mutex::default()).collect();
        if let Some(simulation) = &self.simulation {
            simulation.run(roots.len(), LONGEST, |number, most| {
                let must_end = || stop.check_cheap().is_some();
                let expansions = expansions(graph, values, roots[number], is_known, most, &must_end);
                let done = expansions.len();
                *computed[number].lock() = expansions;
                done
            });
        } else {
            let must_end = || begun.elapsed() > LONGEST || stop.check_cheap().is_some();
            let compute = |number: usize| {
                *computed[number].lock() = expansions(graph, values, roots[number], is_known, usize::MAX, &must_end);
            };
            self.pool.run(|| run_tasks(roots.len(), &compute));
        }
        for expansions in computed.into_iter().map(Mutex::into_inner) {
            self.computed += expansions.len();
            self.waiting.extend(expansions);
        }
        self.waited += begun.elapsed();
    }
}

/// Expands a state, and then its new successors whose f is no greater, depth first, as A* would without a table; `most`
/// states at most.
fn expansions<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    values: &Values<K, C>,
    root: &K,
    is_known: &dyn Fn(&K) -> bool,
    most: usize,
    must_end: &dyn Fn() -> bool,
) -> Vec<(K, Expansion<K, C>)> {
    if must_end() {
        return Vec::new();
    }
    let mut open = vec![(root.clone(), values.of(graph, std::slice::from_ref(root))[0])];
    let mut seen = FxHashSet::from_iter([root.clone()]);
    let mut computed = Vec::new();
    while let Some((key, h)) = open.pop() {
        let mut successors = Vec::new();
        // Of a pure graph, the successors do not depend on the state that this one was reached from.
        graph.expand(&key, &key, &mut successors);
        let new: Vec<K> = successors.iter().map(|(_, child)| child).filter(|child| !is_known(child)).cloned().collect();
        let mut evaluated = new.iter().zip(values.of(graph, &new)).peekable();
        let mut of_all = Vec::with_capacity(successors.len());
        for (cost, child) in &successors {
            let value = evaluated.next_if(|(new, _)| *new == child).map(|(_, value)| value);
            of_all.push(value.unwrap_or(C::ZERO));
            if let Some(value) = value.filter(|&value| value < C::INFINITY && *cost + value <= h)
                && seen.insert(child.clone())
            {
                open.push((child.clone(), value));
            }
        }
        computed.push((key, Expansion { successors, values: of_all }));
        if computed.len() == most.min(MOST_EXPANSIONS) || must_end() {
            break;
        }
    }
    computed
}

#[cfg(test)]
mod tests {
    use super::super::graph_search;
    use super::*;
    use crate::search::frontier::{Buckets, Frontier, NoveltyFrontier, Order};
    use crate::search::{MOST_COST, Stats, Verdict, Weight};
    use crate::space::{Facts, Graph, Ordinal, moves_on_path};
    use std::num::NonZero;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{ThreadId, current};

    const SIDE: u32 = 60;

    /// A grid whose steps cost 1 to 3, with a slow heuristic that is admissible but not consistent; or, as a plateau, one whose
    /// steps cost 1, so that no state has a greater f than the start.
    struct Slow {
        is_plateau: bool,
        searcher: ThreadId,
        /// True once another thread has evaluated a state.
        is_shared: AtomicBool,
    }

    impl Graph<u32> for Slow {
        fn facts(&self) -> Facts {
            Facts::default()
        }

        fn children(&self, of: &[u32], children: &mut Vec<u32>) {
            let mut moves = Vec::new();
            of.iter().for_each(|key| self.moves(key, &mut moves));
            children.extend(moves.into_iter().map(|(_, child)| child));
        }

        fn is_goal(&self, key: &u32) -> bool {
            *key == SIDE * SIDE - 1
        }

        fn goals(&self, _at_most: usize) -> Option<Vec<u32>> {
            None
        }

        fn features(&self, key: &u32, features: &mut Vec<u64>) {
            features.extend([u64::from(key / SIDE), u64::from(SIDE + key % SIDE)]);
        }

        fn cell(&self, key: &u32) -> Option<u64> {
            Some(u64::from(key / SIDE / 10))
        }
    }

    impl Weighted<u32, u32> for Slow {
        fn moves(&self, key: &u32, children: &mut Vec<(u32, u32)>) {
            let (row, column) = (key / SIDE, key % SIDE);
            let mut push = |is_legal: bool, to: u32| {
                if is_legal {
                    let more = key.wrapping_mul(to.wrapping_mul(2_654_435_761)) % 7 / 3;
                    children.push((if self.is_plateau { 1 } else { 1 + more }, to));
                }
            };
            push(row > 0, key.wrapping_sub(SIDE));
            push(column > 0, key.wrapping_sub(1));
            push(column + 1 < SIDE, key + 1);
            push(row + 1 < SIDE, key + SIDE);
        }

        fn moves_on_path(&self, start: u32, path: &[u32]) -> (Vec<Ordinal>, u32) {
            moves_on_path(self, start, path)
        }

        fn h(&self, of: &[u32], values: &mut Vec<u32>) {
            if current().id() != self.searcher {
                self.is_shared.store(true, Ordering::Relaxed);
            }
            for key in of {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_micros(20) {}
                let rest = 2 * (SIDE - 1) - key / SIDE - key % SIDE;
                let is_exact = self.is_plateau || key.wrapping_mul(40_503) % 5 < 3;
                values.push(if is_exact { rest } else { rest / 2 });
            }
        }

        fn is_pure(&self) -> bool {
            true
        }
    }

    /// The path, its cost, and the counts of a search.
    type Answer = (Vec<Ordinal>, f64, String);

    /// Searches with this number of threads; returns the answer, and whether threads shared the search.
    fn found<F: Frontier<u32>>(is_plateau: bool, frontier: F, threads: usize) -> (Answer, bool) {
        let graph = Slow { is_plateau, searcher: current().id(), is_shared: AtomicBool::new(false) };
        let limits = Limits { threads: NonZero::new(threads), ..Limits::default() };
        let found = graph_search(&graph, &0, "test", frontier, &limits);
        let Verdict::Solved { path, cost, .. } = found.verdict else { panic!("the goal can be reached") };
        // The peak of memory is that of the checks of the limits, which come at times that depend on the clock.
        let stats = Stats { memory: 0, ..found.stats };
        ((path, cost, format!("{stats:?}")), graph.is_shared.into_inner())
    }

    /// Searches with some numbers of threads; returns the answer.
    fn threads_change_nothing<F: Frontier<u32>>(name: &str, is_plateau: bool, frontier: impl Fn() -> F) -> Answer {
        let (alone, is_shared) = found(is_plateau, frontier(), 1);
        assert!(!is_shared, "one thread computes nothing ahead");
        for threads in [2, 3, 8] {
            let (together, is_shared) = found(is_plateau, frontier(), threads);
            assert_eq!(together, alone, "{name} differs with {threads} threads");
            assert!(is_shared || name != "A*", "A* with {threads} threads was not shared");
        }
        alone
    }

    #[test]
    fn threads_change_neither_the_answer_nor_the_counts() {
        let a_star = || Buckets::new(Order::AStar, None);
        threads_change_nothing("A*", false, a_star);
        threads_change_nothing("weighted A*", false, || Buckets::new(Order::Weighted(Weight::DEFAULT), None));
        threads_change_nothing("best-first width search", false, || NoveltyFrontier::new(MOST_COST));
        let (_, cost, counts) = threads_change_nothing("A* by ranks", true, || a_star().with_ranks_after(10));
        assert_eq!(cost, f64::from(2 * (SIDE - 1)), "A* finds a cheapest path in any order of equal f");
        let ((.., other), _) = found(true, a_star(), 1);
        assert_ne!(counts, other, "ranks lead through a plateau in another order");
    }
}
