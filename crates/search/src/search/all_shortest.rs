//! All shortest solutions: their number, and each of them in the order of the moves.
//!
//! Once the least cost is known, a state can be on a shortest path only if its g + h is at most that cost. A forward
//! pass reaches all such states from the start, cheapest first: there are few of them if the space is small or the
//! heuristic is good. A backward pass then counts paths. A goal has one continuation, the empty path; any other state
//! has as many as all children together that it reaches at their least cost. A state with a continuation is marked with
//! the count. Any path along marked states at their least costs is shortest, so the solutions are listed by following
//! marked states, in the order of the moves.
//!
//! With an admissible heuristic, no state on a shortest path is cut off; one that may overestimate is left out. The
//! heuristic need not be consistent: only the least costs of states on shortest paths matter. There is no symmetry
//! reduction: mirror images of a path are separate paths. Moves that cost nothing would make paths infinite; the caller
//! ensures that there are none.

use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use crate::space::{Cost, Key, Ordinal, Weighted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::mem::take;

/// All shortest solutions of a space, as the states on their paths.
pub struct AllShortest<K, C> {
    start: K,
    least: C,
    marks: Marks<K, C>,
    /// The maximum number of bytes that finding them took.
    pub memory: u64,
}

/// The states on shortest paths.
type Marks<K, C> = HashMap<K, Mark<C>, FxBuildHasher>;

/// A state on a shortest path.
struct Mark<C> {
    /// The least cost of reaching it.
    g: C,
    /// The number of shortest paths from it to a goal.
    paths: u128,
}

/// Finds all solutions of this cost from a state. The cost must be the least. `is_admissible` is whether the heuristic
/// never overestimates.
///
/// # Errors
/// The limit that ended it.
pub fn all_shortest<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: K,
    least: C,
    is_admissible: bool,
    limits: &Limits,
) -> Result<AllShortest<K, C>, Limit> {
    let facts = graph.facts();
    limits.begin("all shortest", None, facts.table_bytes);
    let limits = &limits.after_reserving(facts.table_bytes);
    let mut search = Search {
        graph,
        key_heap_bytes: facts.key_heap_bytes,
        least,
        is_admissible,
        reached: NodeTable::new(&facts, limits),
        by_g: BTreeMap::new(),
        marks: Marks::default(),
        watch: Watch::new(limits, facts.key_heap_bytes),
        budget: limits.memory.unwrap_or(u64::MAX),
        expanded: 0,
        values: Vec::new(),
    };
    search.reach_all(start.clone())?;
    search.mark_all()?;
    let memory = search.bytes();
    Ok(AllShortest { start, least, marks: search.marks, memory })
}

impl<K: Key, C: Cost> AllShortest<K, C> {
    /// Returns the number of shortest solutions; `u128::MAX` stands for that number or more.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.marks.get(&self.start).map_or(0, |mark| mark.paths)
    }

    /// Returns a cursor before the first solution. Solutions are in lexicographic order of the ordinals of their moves.
    pub fn begin(&self, graph: &dyn Weighted<K, C>) -> Cursor<K, C> {
        let is_solved = self.least == C::ZERO && self.count() > 0;
        Cursor { is_solved, path: Vec::new(), open: vec![self.continuations(graph, &self.start, C::ZERO)] }
    }

    /// Returns the next solution, as ordinals of moves, and advances the cursor.
    pub fn next(&self, at: &mut Cursor<K, C>, graph: &dyn Weighted<K, C>) -> Option<Vec<Ordinal>> {
        if std::mem::take(&mut at.is_solved) {
            return Some(Vec::new());
        }
        loop {
            let Some((ordinal, g, key)) = at.open.last_mut()?.next() else {
                at.open.pop();
                at.path.pop();
                continue;
            };
            at.path.push(ordinal);
            if g == self.least {
                let solution = at.path.clone();
                at.path.pop();
                return Some(solution);
            }
            at.open.push(self.continuations(graph, &key, g));
        }
    }

    /// Returns the moves that continue from a marked state on shortest paths, each with the cost so far and the state
    /// it reaches.
    fn continuations(&self, graph: &dyn Weighted<K, C>, key: &K, g: C) -> Continuations<K, C> {
        let mut children = Vec::new();
        graph.moves(key, &mut children);
        let mut onward = Vec::new();
        for (ordinal, (cost, child)) in (0..).zip(children) {
            if self.marks.get(&child).is_some_and(|mark| mark.g == g + cost) {
                onward.push((ordinal, g + cost, child));
            }
        }
        onward.into_iter()
    }
}

/// A position in the order of all solutions.
pub struct Cursor<K, C> {
    /// True if the empty solution is still to be returned.
    is_solved: bool,
    path: Vec<Ordinal>,
    open: Vec<Continuations<K, C>>,
}

type Continuations<K, C> = std::vec::IntoIter<(Ordinal, C, K)>;

/// The search for all shortest solutions.
struct Search<'a, K, C> {
    graph: &'a dyn Weighted<K, C>,
    key_heap_bytes: usize,
    least: C,
    is_admissible: bool,
    /// States that may be on a shortest path, except goals, with the least cost of reaching them.
    reached: NodeTable<K, C>,
    /// The reached states by that cost; a state whose cost was lowered also remains in its old entry.
    by_g: BTreeMap<C, Vec<Node>>,
    marks: Marks<K, C>,
    watch: Watch,
    budget: u64,
    expanded: u64,
    /// A buffer for heuristic values.
    values: Vec<C>,
}

impl<K: Key, C: Cost> Search<'_, K, C> {
    /// Reaches all states that may be on a shortest path, cheapest first, and marks the goals.
    fn reach_all(&mut self, start: K) -> Result<(), Limit> {
        self.reach(start, C::ZERO)?;
        let mut children = Vec::new();
        let mut next = self.by_g.first_key_value().map(|(&g, _)| g);
        while let Some(g) = next {
            let mut nodes = self.by_g.get_mut(&g).map(take).unwrap_or_default();
            nodes.retain(|&node| *self.reached.nodes.label(node) == g);
            for &node in &nodes {
                let key = self.expand(node)?;
                self.graph.moves(&key, &mut children);
                for (cost, child) in children.drain(..) {
                    self.reach(child, g + cost)?;
                }
            }
            self.by_g.insert(g, nodes);
            next = self.by_g.range(g..).nth(1).map(|(&g, _)| g);
        }
        Ok(())
    }

    /// Adds a state reached at cost `g`, if it may be on a shortest path.
    #[inline]
    fn reach(&mut self, key: K, g: C) -> Result<(), Limit> {
        // No goal is nearer than the least cost, so at that cost only goals matter.
        if g >= self.least {
            if g == self.least && self.graph.is_goal(&key) {
                self.mark(key, Mark { g, paths: 1 })?;
            }
            return Ok(());
        }
        let node = match self.reached.find(&key) {
            Some(known) if *self.reached.nodes.label(known) <= g => return Ok(()),
            Some(known) => {
                *self.reached.nodes.label_mut(known) = g;
                known
            }
            None if g + self.h(&key) > self.least => return Ok(()),
            None => match self.reached.reach(key, 0, g)? {
                Reached::New(node) | Reached::Known(node) => node,
            },
        };
        self.by_g.entry(g).or_default().push(node);
        Ok(())
    }

    /// Marks all states on shortest paths, in order of decreasing g.
    fn mark_all(&mut self) -> Result<(), Limit> {
        let mut children = Vec::new();
        for (g, nodes) in take(&mut self.by_g).into_iter().rev() {
            for node in nodes {
                let key = self.expand(node)?;
                let mut paths = 0_u128;
                self.graph.moves(&key, &mut children);
                for (cost, child) in children.drain(..) {
                    if let Some(mark) = self.marks.get(&child).filter(|mark| mark.g == g + cost) {
                        paths = paths.saturating_add(mark.paths);
                    }
                }
                if paths > 0 {
                    self.mark(key, Mark { g, paths })?;
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, key: K, mark: Mark<C>) -> Result<(), Limit> {
        // While a table grows, the old and the new one exist at once.
        let grown = 2 * self.marks.allocation_size() as u64;
        if self.marks.len() == self.marks.capacity() && self.bytes() + grown > self.budget {
            return Err(Limit::Memory);
        }
        self.marks.insert(key, mark);
        Ok(())
    }

    /// Counts a state as expanded and returns its key, if the limits allow it.
    #[inline]
    fn expand(&mut self, node: Node) -> Result<K, Limit> {
        let bytes = self.bytes();
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes) {
            return Err(limit);
        }
        self.expanded += 1;
        self.graph.settle();
        Ok(self.reached.key(node).clone())
    }

    /// Returns a lower bound on the cost from a state to a goal.
    fn h(&mut self, key: &K) -> C {
        if !self.is_admissible {
            return C::ZERO;
        }
        self.values.clear();
        self.graph.h(std::slice::from_ref(key), &mut self.values);
        self.values[0]
    }

    fn bytes(&self) -> u64 {
        let marks = self.marks.allocation_size() + self.marks.len() * self.key_heap_bytes;
        self.reached.bytes() + (self.reached.len() * size_of::<Node>() + marks) as u64
    }
}
