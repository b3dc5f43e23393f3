//! A round of a graph search: some states are expanded, on all threads where that is worth it.

use super::sharing::Work;
use super::{Frontier, Search};
use crate::search::ending::Ending;
use crate::search::limits::Limit;
use crate::search::node_table::{Node, NodeTable, Reached};
use crate::search::thread_pool::{map_parts, part_for_threads};
use crate::space::{Cost, Key, Weighted};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// If more children than this are new, the limits are looked at between their evaluations, after more of them each time
/// while all take less than `SHORT`.
const MANY_CHILDREN: usize = 64;
const SHORT: Duration = Duration::from_millis(2);

/// The states of a round, and what becomes of them.
pub(super) struct Round<K, C, L> {
    /// The states to be expanded, with their labels.
    pub states: Vec<(Node, L)>,
    /// Their children, part by part.
    pub children: Vec<Children<K, C>>,
    /// The nodes to open, in the order of the children.
    pub opened: Vec<Opened<C, L>>,
    /// For each state the number of those that are children of it or of a state before it.
    ends: Vec<usize>,
    /// The keys of the known nodes to open again, in the order of `opened`.
    again: Vec<K>,
    /// The h values of the new nodes, then of those to open again.
    pub values: Vec<C>,
}

/// A node to open.
pub(super) struct Opened<C, L> {
    pub node: Node,
    label: L,
    h: C,
}

impl<K, C, L> Default for Round<K, C, L> {
    fn default() -> Self {
        Round {
            states: Vec::new(),
            children: Vec::new(),
            opened: Vec::new(),
            ends: Vec::new(),
            again: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// The children of some states of a round.
pub(super) struct Children<K, C> {
    /// For each state the number of its listed children, and of those left out, since they need not be opened.
    pub counts: Vec<(usize, u64)>,
    pub listed: Vec<(C, K)>,
}

impl<K: Key, C: Cost> Children<K, C> {
    fn new() -> Self {
        Children { counts: Vec::new(), listed: Vec::new() }
    }

    /// Lists all children of some states, also those by a move back to the parent.
    fn list<L>(&mut self, graph: &dyn Weighted<K, C>, table: &NodeTable<K, L>, states: &[(Node, L)]) {
        for &(node, _) in states {
            let before = self.listed.len();
            graph.expand(table.key(node), table.key(table.nodes.parent(node)), &mut self.listed);
            self.counts.push((self.listed.len() - before, 0));
        }
    }

    /// Returns the children of some states that are not in the table, or to which the path is a better one.
    fn to_open<F: Frontier<C>>(
        graph: &dyn Weighted<K, C>,
        table: &NodeTable<K, F::Label>,
        frontier: &F,
        states: &[(Node, F::Label)],
    ) -> Self {
        let mut children = Children::new();
        let mut all = Vec::new();
        for &(node, label) in states {
            let (before, back) = (children.listed.len(), table.key(table.nodes.parent(node)));
            graph.expand(table.key(node), back, &mut all);
            let generated = all.iter().filter(|(_, key)| key != back).count();
            children.listed.extend(all.drain(..).filter(|(cost, key)| {
                let opens = |known| frontier.replaces(known, &frontier.child(label, *cost), table.nodes.label(known));
                key != back && table.find(key).is_none_or(opens)
            }));
            let listed = children.listed.len() - before;
            children.counts.push((listed, (generated - listed) as u64));
        }
        children
    }
}

impl<K: Key, C: Cost, F: Frontier<C>> Search<'_, K, C, F> {
    /// Expands the states of the round: stores their children and opens those that are new or cheaper than before.
    #[inline]
    pub(super) fn expand_round(&mut self) -> ControlFlow<Ending> {
        self.expanded += self.round.states.len() as u64;
        self.list_children();
        if let Some(trace) = &mut self.trace {
            trace.keep(&self.round.children[0].listed, self.generated);
        }
        let first_new = self.table.len();
        let reached = self.reach_children();
        let evaluated = if F::INFORMED { self.evaluate(first_new) } else { ControlFlow::Continue(()) };
        if evaluated.is_continue() {
            self.open_children();
        }
        if self.trace.is_some() {
            if self.frontier.novelty().is_some() {
                self.rank_open()?;
            }
            self.trace_round(first_new);
        }
        self.round.states.clear();
        self.round.opened.clear();
        self.round.ends.clear();
        self.round.again.clear();
        self.round.values.clear();
        self.graph.settle();
        evaluated?;
        reached?;
        self.frontier.expanded();
        ControlFlow::Continue(())
    }

    /// Lists the children of the round's states.
    #[inline]
    fn list_children(&mut self) {
        let (graph, table, frontier) = (self.graph, &self.table, &self.frontier);
        let Round { states, children, .. } = &mut self.round;
        self.sharing.measure(Work::Expand, states.len(), |is_shared| {
            if is_shared {
                let to_open = |states: &[_]| Children::to_open(graph, table, frontier, states);
                *children = map_parts(states, part_for_threads(states.len()), to_open);
                return;
            }
            children.truncate(1);
            if children.is_empty() {
                children.push(Children::new());
            }
            children[0].counts.clear();
            children[0].list(graph, table, states);
        });
    }

    /// Stores the children, and lists those to open.
    #[inline]
    fn reach_children(&mut self) -> ControlFlow<Ending> {
        let mut states = self.round.states.iter();
        for Children { counts, listed } in &mut self.round.children {
            let mut listed = listed.drain(..);
            for (&(number, left_out), &(node, label)) in counts.iter().zip(states.by_ref()) {
                self.generated += left_out;
                let back = self.table.key(self.table.nodes.parent(node)).clone();
                for (cost, key) in listed.by_ref().take(number) {
                    if key == back {
                        continue;
                    }
                    self.generated += 1;
                    let label = self.frontier.child(label, cost);
                    match self.table.reach(key, node, label) {
                        Ok(Reached::New(new)) => {
                            if self.frontier.ends_at(label) && self.graph.is_goal(self.table.key(new)) {
                                return ControlFlow::Break(Ending::Goal(new));
                            }
                            self.round.opened.push(Opened { node: new, label, h: C::ZERO });
                        }
                        Ok(Reached::Known(known)) => {
                            if self.frontier.replaces(known, &label, self.table.nodes.label(known)) {
                                self.table.nodes.reparent(known, node, label);
                                self.round.opened.push(Opened { node: known, label, h: C::ZERO });
                            }
                        }
                        Err(limit) => return ControlFlow::Break(Ending::Limit(limit)),
                    }
                }
                self.round.ends.push(self.round.opened.len());
            }
        }
        ControlFlow::Continue(())
    }

    /// Evaluates the nodes to open: those that are new, which are contiguous in the table, and those to open again.
    #[inline]
    fn evaluate(&mut self, first_new: usize) -> ControlFlow<Ending> {
        let (graph, table, stop) = (self.graph, &self.table, self.watch.stop());
        let Round { opened, again, values, .. } = &mut self.round;
        let new = &table.keys()[first_new..];
        let known = opened.iter().filter(|opened| (opened.node as usize) < first_new);
        again.extend(known.map(|opened| table.key(opened.node).clone()));
        let (again, states) = (&**again, new.len() + again.len());
        let stopped = || stop.check_cheap();
        self.sharing.measure(Work::Evaluate, states, |is_shared| {
            if !is_shared {
                return [new, again].into_iter().for_each(|keys| evaluate(graph, keys, &stopped, values));
            }
            let part = part_for_threads(states);
            let parts: Vec<&[K]> = new.chunks(part).chain(again.chunks(part)).collect();
            let parts = map_parts(&parts, 1, |keys| {
                let mut values = Vec::with_capacity(part);
                evaluate(graph, keys[0], &stopped, &mut values);
                values
            });
            parts.into_iter().for_each(|part| values.extend(part));
        });
        if values.len() < states {
            return ControlFlow::Break(Ending::Limit(stopped().unwrap_or(Limit::Interrupt)));
        }
        self.pruned |= values[..new.len()].iter().any(|&h| h >= C::INFINITY);
        let mut of_again = values[new.len()..].iter();
        for opened in opened {
            let h = match (opened.node as usize).checked_sub(first_new) {
                Some(number) => values.get(number),
                None => of_again.next(),
            };
            opened.h = *h.expect("each state has a value");
        }
        ControlFlow::Continue(())
    }

    /// Opens the nodes that are to be opened. The children of the state that was popped first are the last, as if it alone
    /// had been expanded: where the last in is the first out, they are next.
    #[inline]
    fn open_children(&mut self) {
        let mut end = self.round.opened.len();
        for &begin in self.round.ends.iter().rev().chain([&0]) {
            for &Opened { node, label, h } in &self.round.opened[begin..end] {
                self.frontier.push(node, label, h);
            }
            end = begin;
        }
    }
}

/// Appends the h of some states; fewer if the search must end.
#[inline]
fn evaluate<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    mut of: &[K],
    must_end: &dyn Fn() -> Option<Limit>,
    values: &mut Vec<C>,
) {
    // Some heuristics take long for each of many children.
    let mut together = 1;
    while of.len() > MANY_CHILDREN {
        let (some, rest) = of.split_at(together.min(of.len()));
        let begun = Instant::now();
        graph.h(some, values);
        of = rest;
        if must_end().is_some() {
            return;
        }
        together = if begun.elapsed() < SHORT { 2 * together } else { 1 };
    }
    if !of.is_empty() {
        graph.h(of, values);
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph_search;
    use super::*;
    use crate::search::frontier::{Buckets, Frontier, NoveltyFrontier, Order};
    use crate::search::{Limits, MOST_COST, Stats, Verdict, Weight};
    use crate::space::{Facts, Graph, Ordinal, moves_on_path};
    use parking_lot::Mutex;
    use rustc_hash::FxHashSet;
    use std::num::NonZero;
    use std::thread::{ThreadId, current};

    const SIDE: u32 = 60;

    /// A grid whose steps cost 1 to 3, with a slow heuristic that is admissible but not consistent; or, as a plateau, one whose
    /// steps cost 1, so that no state has a greater f than the start.
    struct Slow {
        is_plateau: bool,
        /// The threads that have evaluated states.
        threads: Mutex<FxHashSet<ThreadId>>,
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
            self.threads.lock().insert(current().id());
            for key in of {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_micros(20) {}
                let rest = 2 * (SIDE - 1) - key / SIDE - key % SIDE;
                let is_exact = self.is_plateau || key.wrapping_mul(40_503) % 5 < 3;
                values.push(if is_exact { rest } else { rest / 2 });
            }
        }

        fn is_order_independent(&self) -> bool {
            true
        }
    }

    /// The path, its cost, and the counts of a search.
    type Answer = (Vec<Ordinal>, f64, String);

    /// Searches with this number of threads; returns the answer, and how many threads evaluated states.
    fn found<F: Frontier<u32>>(is_plateau: bool, frontier: F, threads: usize) -> (Answer, usize) {
        let graph = Slow { is_plateau, threads: Mutex::default() };
        let limits = Limits { threads: NonZero::new(threads), ..Limits::default() };
        let found = graph_search(&graph, &0, "test", frontier, &limits);
        let Verdict::Solved { path, cost, .. } = found.verdict else { panic!("the goal can be reached") };
        // The peak of memory is that of the checks of the limits, which come at times that depend on the clock.
        let stats = Stats { memory: 0, ..found.stats };
        ((path, cost, format!("{stats:?}")), graph.threads.into_inner().len())
    }

    /// Searches with some numbers of threads; returns the answer.
    fn threads_change_nothing<F: Frontier<u32>>(name: &str, is_plateau: bool, frontier: impl Fn() -> F) -> Answer {
        let (alone, evaluated) = found(is_plateau, frontier(), 1);
        assert_eq!(evaluated, 1, "{name} with one thread");
        for threads in [2, 3, 8] {
            let (together, evaluated) = found(is_plateau, frontier(), threads);
            assert_eq!(together, alone, "{name} differs with {threads} threads");
            assert!(evaluated > 2 || name != "A*", "A* with {threads} threads was not shared");
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
