//! All shortest solutions: how many there are, and each of them in the order of the moves.
//!
//! Once the least cost is known, a state can lie on a shortest way only if the cost of getting there and its h are
//! together no more. All such states are reached once more from the start, cheapest first: they are few where the space
//! is small, and few where the heuristic is good. Then they are gone through backwards. From a goal there is one way
//! on, that of no moves; from any other state there are as many as from all its children together, of those that it
//! leads to at their least cost. A state with a way on is marked with the number. Whoever keeps to marked states and
//! their least costs is on a shortest way, so the solutions are read off by walking them, move by move in order.
//!
//! No state on a shortest way is cut off, as long as the heuristic is admissible. It need not be consistent: only the
//! least costs of states on shortest ways matter. States are positions as they are, not what stands for them: images of
//! a way are ways of their own. Moves that cost nothing would make the ways endless: who asks sees to it
//! that there are none.

#[cfg(test)]
pub(super) mod tests;

use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use crate::space::{Cost, StateSpace};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::iter::from_fn;
use std::mem::take;

/// All shortest solutions of a space, as the states that they go through.
pub struct AllShortest<S: StateSpace> {
    start: S::Key,
    least: S::Cost,
    marks: Marks<S>,
    /// The most bytes that finding them took.
    pub memory: u64,
}

/// The states on shortest ways.
type Marks<S> = HashMap<<S as StateSpace>::Key, Mark<<S as StateSpace>::Cost>, FxBuildHasher>;

/// A state on a shortest way.
struct Mark<C> {
    /// The least cost of getting there.
    g: C,
    /// In how many ways it goes on from there.
    ways: u128,
}

/// Finds all solutions from a state of this cost, which must be the least; the heuristic must be admissible.
///
/// # Errors
/// The limit that ended it.
pub fn all_shortest<S: StateSpace>(
    space: &S,
    start: &dyn Fn() -> S::State,
    least: S::Cost,
    limits: &Limits,
) -> Result<AllShortest<S>, Limit> {
    limits.begin("all shortest", None, space.table_bytes());
    let limits = &limits.beside(space.table_bytes());
    let mut search = Search {
        space,
        least,
        reached: NodeTable::new(space, limits),
        by_g: BTreeMap::new(),
        marks: Marks::<S>::default(),
        watch: Watch::new(limits, space.key_heap_bytes()),
        budget: limits.memory.unwrap_or(u64::MAX),
        expanded: 0,
    };
    let start = space.pack(&start());
    search.reach_all(start.clone())?;
    search.mark_all()?;
    let memory = search.bytes();
    Ok(AllShortest { start, least, marks: search.marks, memory })
}

impl<S: StateSpace> AllShortest<S> {
    /// How many there are; `u128::MAX` stands for itself and all beyond.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.marks.get(&self.start).map_or(0, |mark| mark.ways)
    }

    /// Their moves, one solution after the other: of two the one comes first whose move is told first where they part.
    pub fn iter<'a>(&'a self, space: &'a S) -> impl Iterator<Item = Vec<S::Action>> + 'a {
        let is_solved = self.least == S::Cost::ZERO && self.count() > 0;
        let mut way = Vec::new();
        let mut open = vec![self.continuations(space, &self.start, S::Cost::ZERO)];
        let others = from_fn(move || {
            loop {
                let Some((action, g, key)) = open.last_mut()?.next() else {
                    open.pop();
                    way.pop();
                    continue;
                };
                way.push(action);
                if g == self.least {
                    let solution = way.clone();
                    way.pop();
                    return Some(solution);
                }
                open.push(self.continuations(space, &key, g));
            }
        });
        is_solved.then(Vec::new).into_iter().chain(others)
    }

    /// The moves that go on from a marked state, with what has been spent after them and the state that they lead to.
    fn continuations(
        &self,
        space: &S,
        key: &S::Key,
        g: S::Cost,
    ) -> impl Iterator<Item = (S::Action, S::Cost, S::Key)> + use<S> {
        let mut onward = Vec::new();
        space.expand(key, |action, cost, child| {
            if self.marks.get(&child).is_some_and(|mark| mark.g == g + cost) {
                onward.push((action, g + cost, child));
            }
        });
        onward.into_iter()
    }
}

/// The search for them.
struct Search<'a, S: StateSpace> {
    space: &'a S,
    least: S::Cost,
    /// What may lie on a shortest way, but for the goals, with the least cost of getting there.
    reached: NodeTable<S, S::Cost>,
    /// The same by that cost; what turned out to cost less stands where it was before, too.
    by_g: BTreeMap<S::Cost, Vec<Node>>,
    marks: Marks<S>,
    watch: Watch,
    budget: u64,
    expanded: u64,
}

impl<S: StateSpace> Search<'_, S> {
    /// Reaches all that may lie on a shortest way, cheapest first, and marks the goals.
    fn reach_all(&mut self, start: S::Key) -> Result<(), Limit> {
        self.reach(start, S::Cost::ZERO)?;
        let mut next = self.by_g.first_key_value().map(|(&g, _)| g);
        while let Some(g) = next {
            let mut nodes = self.by_g.get_mut(&g).map(take).unwrap_or_default();
            nodes.retain(|&node| *self.reached.label(node) == g);
            for &node in &nodes {
                let key = self.expanded(node)?;
                let mut ended = Ok(());
                let space = self.space;
                space.expand(&key, |_, cost, child| {
                    if ended.is_ok() {
                        ended = self.reach(child, g + cost);
                    }
                });
                ended?;
            }
            self.by_g.insert(g, nodes);
            next = self.by_g.range(g..).nth(1).map(|(&g, _)| g);
        }
        Ok(())
    }

    /// Takes in a state that can be had at this cost, if it may lie on a shortest way.
    #[inline]
    fn reach(&mut self, key: S::Key, g: S::Cost) -> Result<(), Limit> {
        // No goal is nearer than the least cost, and who has spent that can use nothing but a goal.
        if g >= self.least {
            if g == self.least && self.space.is_goal_key(&key) {
                self.mark(key, Mark { g, ways: 1 })?;
            }
            return Ok(());
        }
        let node = match self.reached.find(&key) {
            Some(known) if *self.reached.label(known) <= g => return Ok(()),
            Some(known) => {
                *self.reached.label_mut(known) = g;
                known
            }
            None if g + self.space.h_key(&key) > self.least => return Ok(()),
            None => match self.reached.reach(key, 0, g)? {
                Reached::New(node) | Reached::Known(node) => node,
            },
        };
        self.by_g.entry(g).or_default().push(node);
        Ok(())
    }

    /// Marks all that lies on a shortest way, dearest first.
    fn mark_all(&mut self) -> Result<(), Limit> {
        for (g, nodes) in take(&mut self.by_g).into_iter().rev() {
            for node in nodes {
                let key = self.expanded(node)?;
                let mut ways = 0_u128;
                self.space.expand(&key, |_, cost, child| {
                    if let Some(mark) = self.marks.get(&child).filter(|mark| mark.g == g + cost) {
                        ways = ways.saturating_add(mark.ways);
                    }
                });
                if ways > 0 {
                    self.mark(key, Mark { g, ways })?;
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, key: S::Key, mark: Mark<S::Cost>) -> Result<(), Limit> {
        // While a table grows, old and new exist at once.
        let grown = 2 * self.marks.allocation_size() as u64;
        if self.marks.len() == self.marks.capacity() && self.bytes() + grown > self.budget {
            return Err(Limit::Memory);
        }
        self.marks.insert(key, mark);
        Ok(())
    }

    /// The key of a state that is now expanded, if the limits allow it.
    #[inline]
    fn expanded(&mut self, node: Node) -> Result<S::Key, Limit> {
        let bytes = self.bytes();
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes) {
            return Err(limit);
        }
        self.expanded += 1;
        Ok(self.reached.key(node).clone())
    }

    fn bytes(&self) -> u64 {
        let marks = self.marks.allocation_size() + self.marks.len() * self.space.key_heap_bytes();
        self.reached.bytes() + (self.reached.len() * size_of::<Node>() + marks) as u64
    }
}
