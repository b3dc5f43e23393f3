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

use crate::search::limits::{Limits, Stop};
use crate::search::thread_pool::{LazyPool, run_tasks};
use crate::space::{Cost, Key, Weighted};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::slice::from_ref;
use std::time::{Duration, Instant};

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

/// The maximum number of expansions that wait for the search. It never takes those of states that it reaches more cheaply
/// later on, or of states beyond its end.
const MOST_WAITING: usize = 1 << 14;

/// After this many expansions, threads stop for good if the search has taken less than half of them: then
/// computing the others costs more than sharing saves.
const JUDGED_AFTER: usize = 1 << 10;

/// What was computed ahead for a graph search.
pub(super) struct Ahead<'a, K, C> {
    graph: &'a dyn Weighted<K, C>,
    pool: LazyPool,
    stop: Stop,
    phase: Phase,
    waiting: FxHashMap<K, Expansion<K, C>>,
    /// The numbers of expansions that were computed ahead, and that the search has taken.
    computed: usize,
    taken: usize,
}

enum Phase {
    Never,
    /// With the time of the expansions that were timed.
    Timing(Duration),
    Always,
}

/// The expansion of a state.
pub(super) struct Expansion<K, C> {
    /// The parent of the state, on which successors may depend.
    back: K,
    pub successors: Vec<(C, K)>,
    /// The h of each successor; zero for those that were in the table already.
    pub values: Vec<C>,
}

impl<'a, K: Key, C: Cost> Ahead<'a, K, C> {
    /// Creates an empty store for a search, informed or not.
    pub fn new(graph: &'a dyn Weighted<K, C>, is_informed: bool, limits: &Limits) -> Self {
        let pool = LazyPool::new(limits.threads);
        let may = is_informed && graph.is_pure() && pool.threads() > 1;
        let phase = if may { Phase::Timing(Duration::ZERO) } else { Phase::Never };
        Ahead { graph, pool, stop: limits.stop(), phase, waiting: FxHashMap::default(), computed: 0, taken: 0 }
    }

    /// Returns the time at which an expansion begins, if it is to be timed. `expanded` is the number of those before it.
    #[inline]
    pub fn begin(&mut self, expanded: u64) -> Option<Instant> {
        if !matches!(self.phase, Phase::Timing(_)) || !expanded.is_multiple_of(TIMED_EVERY) {
            return None;
        }
        if expanded >= FIRST {
            self.phase = Phase::Never;
            return None;
        }
        Some(Instant::now())
    }

    /// Ends the timing of an expansion.
    pub fn end(&mut self, begun: Instant) {
        if let Phase::Timing(time) = &mut self.phase {
            *time += begun.elapsed();
            if *time * TIMED_EVERY as u32 >= WORTH_SHARING {
                self.phase = Phase::Always;
            }
        }
    }

    /// Returns whether the search should ask for expansions.
    #[inline]
    pub fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Always)
    }

    /// Returns whether the expansion of a state waits.
    pub fn has(&self, key: &K) -> bool {
        self.waiting.contains_key(key)
    }

    /// Returns the number of states from which the threads compute on at a time.
    pub fn roots(&self) -> usize {
        self.pool.threads() * ROOTS_PER_THREAD
    }

    /// Takes the expansion of a state that was reached from `back`.
    pub fn take(&mut self, key: &K, back: &K) -> Option<Expansion<K, C>> {
        let expansion = self.waiting.remove(key).filter(|expansion| expansion.back == *back)?;
        self.taken += 1;
        Some(expansion)
    }

    /// Computes expansions of some states, each with its parent, and of those below them that A* would expand right
    /// after. `is_known` returns whether a state is in the table: such states need no heuristic value.
    pub fn compute(&mut self, roots: &[(&K, &K)], is_known: &(dyn Fn(&K) -> bool + Sync)) {
        if self.computed >= JUDGED_AFTER && 2 * self.taken < self.computed {
            self.phase = Phase::Never;
            self.waiting = FxHashMap::default();
            return;
        }
        if self.waiting.len() > MOST_WAITING {
            self.waiting.clear();
        }
        let (graph, stop, begun) = (self.graph, &self.stop, Instant::now());
        let must_end = || begun.elapsed() > LONGEST || stop.check_cheap().is_some();
        let computed: Vec<Mutex<Vec<_>>> = roots.iter().map(|_| Mutex::default()).collect();
        let compute = |number: usize| {
            let (key, back) = roots[number];
            *computed[number].lock() = expansions(graph, key, back, is_known, &must_end);
        };
        self.pool.run(|| run_tasks(roots.len(), &compute));
        for expansions in computed.into_iter().map(Mutex::into_inner) {
            self.computed += expansions.len();
            self.waiting.extend(expansions);
        }
    }
}

/// Expands a state, and then its new successors whose f is no greater, depth first, as A* would without a table.
fn expansions<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    root: &K,
    back: &K,
    is_known: &dyn Fn(&K) -> bool,
    must_end: &dyn Fn() -> bool,
) -> Vec<(K, Expansion<K, C>)> {
    if must_end() {
        return Vec::new();
    }
    let mut values = Vec::new();
    graph.h(from_ref(root), &mut values);
    let mut open = vec![(root.clone(), back.clone(), values[0])];
    let (mut seen, mut new) = (FxHashSet::from_iter([root.clone()]), Vec::new());
    let mut computed = Vec::new();
    while let Some((key, back, h)) = open.pop() {
        let mut successors = Vec::new();
        graph.expand(&key, &back, &mut successors);
        new.clear();
        new.extend(
            successors.iter().map(|(_, child)| child).filter(|child| **child != back && !is_known(child)).cloned(),
        );
        values.clear();
        graph.h(&new, &mut values);
        let mut evaluated = new.iter().zip(&values).peekable();
        let mut of_all = Vec::with_capacity(successors.len());
        for (cost, child) in &successors {
            let value = evaluated.next_if(|(new, _)| *new == child).map_or(C::ZERO, |(_, &value)| value);
            of_all.push(value);
            let is_next = *child != back && !is_known(child) && value < C::INFINITY && *cost + value <= h;
            if is_next && seen.insert(child.clone()) {
                open.push((child.clone(), key.clone(), value));
            }
        }
        computed.push((key, Expansion { back, successors, values: of_all }));
        if computed.len() == MOST_EXPANSIONS || must_end() {
            break;
        }
    }
    computed
}

#[cfg(test)]
mod tests {
    use super::super::graph_search;
    use super::*;
    use crate::search::frontier::{Buckets, Order};
    use crate::search::{Stats, Verdict, Weight};
    use crate::space::{Facts, Graph, Ordinal, PerfectIndex, moves_on_path};
    use std::num::NonZero;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{ThreadId, current};

    const SIDE: u32 = 60;

    /// A grid whose steps cost 1 to 3, with a slow heuristic that is admissible but not consistent.
    struct Slow {
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

        fn index(&self) -> Option<Box<dyn PerfectIndex<u32> + '_>> {
            None
        }
    }

    impl Weighted<u32, u32> for Slow {
        fn moves(&self, key: &u32, children: &mut Vec<(u32, u32)>) {
            let (row, column) = (key / SIDE, key % SIDE);
            let mut push = |is_legal: bool, to: u32| {
                if is_legal {
                    children.push((1 + key.wrapping_mul(to.wrapping_mul(2_654_435_761)) % 7 / 3, to));
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
                values.push(if key.wrapping_mul(40_503) % 5 < 3 { rest } else { rest / 2 });
            }
        }

        fn is_pure(&self) -> bool {
            true
        }
    }

    /// Searches with this number of threads; returns the path, the cost, and the counts, and whether threads shared it.
    fn found(order: Order, threads: usize) -> ((Vec<Ordinal>, String), bool) {
        let graph = Slow { searcher: current().id(), is_shared: AtomicBool::new(false) };
        let limits = Limits { threads: NonZero::new(threads), ..Limits::default() };
        let found = graph_search(&graph, &0, "test", Buckets::new(order, None), &limits);
        let Verdict::Solved { path, cost, .. } = found.verdict else { panic!("the goal can be reached") };
        // The peak of memory is that of the checks of the limits, which come at times that depend on the clock.
        let stats = Stats { memory: 0, ..found.stats };
        ((path, format!("{cost} {stats:?}")), graph.is_shared.into_inner())
    }

    #[test]
    fn threads_change_neither_the_answer_nor_the_counts() {
        for order in [Order::AStar, Order::Weighted(Weight::DEFAULT)] {
            let (alone, is_shared) = found(order, 1);
            assert!(!is_shared, "one thread computes nothing ahead");
            for threads in [2, 3, 8] {
                let (together, is_shared) = found(order, threads);
                assert_eq!(together, alone, "{order:?} differs with {threads} threads");
                assert!(is_shared || !matches!(order, Order::AStar), "A* with {threads} threads was not shared");
            }
        }
    }
}
