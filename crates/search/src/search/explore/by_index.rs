//! Exploration over a perfect index: every state has a number, which costs three bits and no key.
//!
//! Two bits store the distance of a state from the roots modulo 3, or that it was not reached. That suffices: distances
//! of neighbours differ by at most 1, so it shows which of them is nearer (Cooperman and Finkelstein 1992). The third
//! bit marks the states of the last layer among the reached ones, and those of the next layer among the others. A layer
//! is expanded by a scan over all bits in index order (Korf and Schultze 2005). A move that shifts the numbers of many
//! states alike is made for 64 states at once.
//!
//! The same search runs two or three times: from the start through the whole space; from all goals, unless the start is
//! the only one; and from the hardest states until it reaches the start. Following the first move that leads nearer
//! then gives the path to the hardest state that breadth-first search from the start reaches first: of two states of a
//! layer it reaches first the one whose first shortest path comes first in the order of the moves.
//!
//! Numbers that belong to no state are never reached: only neighbours of reached states are marked.
//!
//! Threads mark the states of a layer in any order, but the layer is a set, so no result depends on the order.

use super::{Explored, FROM_GOALS, FROM_START, Hardest, TO_HARDEST};
use crate::search::MAX_GOALS;
use crate::search::limits::{Limit, Limits, Stop, Watch};
use crate::search::thread_pool::{LazyPool, map_parts, map_shares};
use crate::space::{Graph, Key, PerfectIndex, Shift};
use std::slice::from_ref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Words of 64 states in a block, the unit of work of a thread.
const WORDS: usize = 128;
const STATES: u64 = WORDS as u64 * 64;
/// Blocks between two limit checks; a larger space uses several threads.
const SLICE: usize = 128;
/// States per call for neighbours: enough to amortize what the index computes for consecutive states, few enough for
/// the neighbours to stay in a cache.
const BATCH: usize = 1024;
/// The maximum size of the array: larger spaces are normally not explored completely.
const MAX_BYTES: u64 = 1 << 30;

/// Explores the whole space reachable from a state. Returns none if there is no index, if its array takes too much
/// memory, or if the node limit is so low that the order of expansion matters: layers define that order.
pub(in super::super) fn explore<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Option<Explored<Vec<K>>> {
    let facts = graph.facts();
    if !facts.unit_cost || !facts.reversible {
        return None;
    }
    let index = &*graph.index()?;
    let mut watch = Watch::new(limits, 0);
    let goals = graph.goals(MAX_GOALS)?;
    let goals: Vec<u64> = goals.iter().filter_map(|goal| index.rank(goal)).collect();
    // Goals are in two lists: reached and not reached.
    let memory = bytes_for(index.size()) + (2 * goals.len() * size_of::<u64>()) as u64;
    if memory > limits.memory.unwrap_or(u64::MAX).min(MAX_BYTES)
        || limits.nodes.is_some_and(|nodes| nodes / 2 <= index.size())
    {
        return None;
    }
    let pool = LazyPool::new(limits.threads);
    let explore = || Search::new(graph, index, limits).explore(start, goals, &mut watch);
    let explored = if index.size() > STATES * SLICE as u64 { pool.run(explore) } else { explore() };
    Some(Explored { memory, ..explored })
}

/// The data on a block of consecutive states.
struct Block {
    /// The number of its first state.
    first: u64,
    /// 0 for a state that was not reached, otherwise its distance modulo 3, plus 1: the low bits of 64 states, and the
    /// high bits.
    distances: [[u64; 2]; WORDS],
    marks: [AtomicU64; WORDS],
    /// False if no state is marked, as in most blocks while layers are small.
    marked: AtomicBool,
}

impl Block {
    fn new(first: u64) -> Block {
        Block {
            first,
            distances: [[0; 2]; WORDS],
            marks: [const { AtomicU64::new(0) }; WORDS],
            marked: AtomicBool::new(false),
        }
    }

    fn reached(&self, word: usize) -> u64 {
        self.distances[word][0] | self.distances[word][1]
    }

    /// Returns the states of the last layer, in order.
    fn last(&self) -> impl Iterator<Item = u64> {
        let words = if self.marked.load(Ordering::Relaxed) { &self.marks[..] } else { &[] };
        words.iter().enumerate().flat_map(|(word, marks)| {
            let first = self.first + word as u64 * 64;
            bits(marks.load(Ordering::Relaxed) & self.reached(word)).map(move |bit| first + u64::from(bit))
        })
    }

    /// Marks a state that is neither reached nor marked; returns whether it was one.
    #[inline]
    fn mark(&self, index: u64) -> bool {
        let (word, bit) = position(index);
        let new = (self.reached(word) | self.marks[word].load(Ordering::Relaxed)) & bit == 0;
        if new {
            self.marks[word].fetch_or(bit, Ordering::Relaxed);
            // Write only if needed: a shared cache line that is only read causes no contention.
            if !self.marked.load(Ordering::Relaxed) {
                self.marked.store(true, Ordering::Relaxed);
            }
        }
        new
    }

    /// Marks those of some states of a word that are neither reached nor marked; returns whether there are any.
    fn mark_all(&self, word: usize, states: u64) -> bool {
        let new = states & !(self.reached(word) | self.marks[word].load(Ordering::Relaxed));
        if new != 0 {
            self.marks[word].fetch_or(new, Ordering::Relaxed);
            self.marked.store(true, Ordering::Relaxed);
        }
        new != 0
    }

    /// Turns the next layer into the last one, at this distance; returns its number of states.
    fn complete_layer(&mut self, distance: u32) -> u64 {
        let fields = encode(distance).map(|set| if set { u64::MAX } else { 0 });
        let mut layer = 0;
        if !*self.marked.get_mut() {
            return layer;
        }
        for (marks, distances) in self.marks.iter_mut().zip(&mut self.distances) {
            let marks = marks.get_mut();
            *marks &= !(distances[0] | distances[1]);
            distances[0] |= *marks & fields[0];
            distances[1] |= *marks & fields[1];
            layer += u64::from(marks.count_ones());
        }
        *self.marked.get_mut() = layer > 0;
        layer
    }
}

/// Returns the two bits that encode a distance.
fn encode(distance: u32) -> [bool; 2] {
    let field = distance % 3 + 1;
    [field & 1 != 0, field & 2 != 0]
}

/// Returns the positions of the set bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

/// Returns the word and the bit of a state in its block.
fn position(index: u64) -> (usize, u64) {
    ((index / 64) as usize % WORDS, 1 << (index % 64))
}

/// Returns the bytes of an array for this many states.
fn bytes_for(states: u64) -> u64 {
    states.div_ceil(STATES).saturating_mul(size_of::<Block>() as u64)
}

/// A breadth-first search up to its last layer; initially no state is reached.
struct Search<'a, K> {
    graph: &'a dyn Graph<K>,
    index: &'a dyn PerfectIndex<K>,
    shifts: Vec<Shift>,
    limits: &'a Limits,
    /// Its deadline is not before that of the watch.
    stop: Stop,
    blocks: Vec<Block>,
    /// The distance of the last layer, and its number of states.
    depth: u32,
    layer: u64,
    /// The number of states in the layers before the last.
    expanded: u64,
}

impl<'a, K: Key> Search<'a, K> {
    fn new(graph: &'a dyn Graph<K>, index: &'a dyn PerfectIndex<K>, limits: &'a Limits) -> Self {
        let blocks = (0..index.size()).step_by(STATES as usize).map(Block::new).collect();
        Search {
            graph,
            index,
            shifts: index.shifts(),
            limits,
            stop: limits.stop(),
            blocks,
            depth: 0,
            layer: 0,
            expanded: 0,
        }
    }

    /// Explores from the start to the end of the space, or to a limit; the caller sets the memory in the result.
    fn explore(mut self, start: &K, goals: Vec<u64>, watch: &mut Watch) -> Explored<Vec<K>> {
        let root = self.index.rank(start).expect("the start is reachable");
        let (mut by_depth, mut reached, mut unreached) = (Vec::new(), Vec::new(), goals);
        self.limits.begin(FROM_START, Some("depth"), 0);
        self.start_from(&[root]);
        let limit = loop {
            by_depth.push(self.layer);
            reached.extend(unreached.extract_if(.., |goal| self.has_reached(*goal)));
            match self.advance(watch) {
                Ok(0) => break None,
                Ok(_) if self.limits.depth.is_some_and(|depth| self.depth > depth) => break Some(Limit::Depth),
                Ok(_) => {}
                Err(limit) => {
                    by_depth.extend(Some(self.layer).filter(|&states| states > 0));
                    reached.extend(unreached.extract_if(.., |goal| self.has_reached(*goal)));
                    break Some(limit);
                }
            }
        };
        let goals = reached.len() as u64;
        let mut explored = Explored { limit, by_depth, costs: None, goals, dead_ends: None, hardest: None, memory: 0 };
        if limit.is_some() || reached.is_empty() {
            explored.dead_ends = limit.is_none().then(|| explored.states());
            return explored;
        }
        // The graph is undirected, so a reachable goal is reachable from every state.
        explored.dead_ends = Some(0);
        match self.hardest(start, root, &reached, watch) {
            Ok(hardest) => explored.hardest = Some(hardest),
            Err(limit) => explored.limit = Some(limit),
        }
        explored
    }

    /// Finds the states farthest from the goals, after the search from the start has ended.
    fn hardest(&mut self, start: &K, root: u64, goals: &[u64], watch: &mut Watch) -> Result<Hardest<Vec<K>>, Limit> {
        if goals != [root] {
            self.limits.begin(FROM_GOALS, Some("distance"), 0);
            self.clear();
            self.start_from(goals);
            while self.advance(watch)? > 0 {}
        }
        let (cost, count) = (self.depth, self.layer);
        self.limits.begin(TO_HARDEST, Some("distance"), 0);
        self.start_from_last();
        while !self.has_reached(root) {
            let new = self.advance(watch)?;
            assert!(new > 0, "moves are reversible, so the start is reached again");
        }
        Ok(Hardest { cost: f64::from(cost), count, example: self.path_from(start) })
    }

    /// Returns the states after `start` on the first shortest path from it to a root of the search.
    fn path_from(&self, start: &K) -> Vec<K> {
        let (mut path, mut children) = (Vec::new(), Vec::new());
        for distance in (0..self.depth).rev() {
            self.graph.children(from_ref(path.last().unwrap_or(start)), &mut children);
            let is_nearer = |child: &K| self.index.rank(child).is_some_and(|child| self.is_at(child, distance));
            let nearer = children.drain(..).find(is_nearer);
            path.push(nearer.expect("a reached state was reached from a nearer neighbour"));
        }
        path
    }

    /// Begins a search from some states.
    fn start_from(&mut self, roots: &[u64]) {
        (self.depth, self.expanded) = (0, 0);
        roots.iter().for_each(|&root| {
            self.block(root).mark(root);
        });
        self.complete_layer();
    }

    /// Marks all states as not reached.
    fn clear(&mut self) {
        self.blocks.iter_mut().for_each(|block| *block = Block::new(block.first));
    }

    /// Begins a search from the states of the last layer.
    fn start_from_last(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.distances = [[0; 2]; WORDS]);
        (self.depth, self.expanded) = (0, 0);
        self.complete_layer();
    }

    /// Generates the next layer, and returns its number of states. If it is empty, the last layer stays.
    ///
    /// # Errors
    /// The limit that ended it; the last layer is then incomplete.
    fn advance(&mut self, watch: &mut Watch) -> Result<u64, Limit> {
        let bytes = bytes_for(self.index.size());
        let mut new = false;
        let mut slices = self.blocks.chunks(SLICE);
        let limit = loop {
            let Some(slice) = slices.next() else { break None };
            if let Some(limit) = watch.poll(self.expanded, bytes) {
                break Some(limit);
            }
            // A slice may take long: skip the rest of it once a limit is reached.
            let expand = |new, block: &Block| (self.stop.check_cheap().is_none() && self.expand(block)) | new;
            let parts = map_parts(slice, 1, |blocks| blocks.iter().fold(false, expand));
            new |= parts.contains(&true);
            if let Some(limit) = watch.check() {
                break Some(limit);
            }
        };
        self.expanded += self.layer;
        if new || limit.is_some() {
            self.limits.reach(f64::from(self.depth), 0.0);
            self.depth += 1;
            self.complete_layer();
        }
        match limit {
            Some(limit) => Err(limit),
            None => Ok(if new { self.layer } else { 0 }),
        }
    }

    /// Marks the unreached neighbours of a block's states of the last layer; returns whether there are any.
    fn expand(&self, block: &Block) -> bool {
        if !block.marked.load(Ordering::Relaxed) {
            return false;
        }
        let mut new = self.shifts.iter().fold(false, |new, shift| self.expand_by(block, shift) | new);
        let mut last = block.last();
        let (mut states, mut neighbors) = (Vec::with_capacity(BATCH), Vec::new());
        loop {
            states.clear();
            states.extend(last.by_ref().take(BATCH));
            if states.is_empty() {
                return new;
            }
            neighbors.clear();
            self.index.neighbors_except_shifts(&states, &mut neighbors);
            for &neighbor in &neighbors {
                new |= self.block(neighbor).mark(neighbor);
            }
        }
    }

    /// Marks the unreached neighbours of a block's states of the last layer by one shift; returns whether there are
    /// any.
    fn expand_by(&self, block: &Block, shift: &Shift) -> bool {
        let word = |state: u64| (state.saturating_sub(block.first) / 64).min(WORDS as u64) as usize;
        (word(shift.states.start)..word(shift.states.end)).fold(false, |new, word| {
            let last = block.marks[word].load(Ordering::Relaxed) & block.reached(word);
            if last == 0 {
                return new;
            }
            let moved = (block.first + 64 * word as u64).wrapping_add_signed(shift.by);
            self.block(moved).mark_all(position(moved).0, last) | new
        })
    }

    fn complete_layer(&mut self) {
        let depth = self.depth;
        let complete_layer =
            |blocks: &mut [Block]| blocks.iter_mut().map(|block| block.complete_layer(depth)).sum::<u64>();
        self.layer = map_shares(&mut self.blocks, |_, blocks| complete_layer(blocks)).iter().sum();
    }

    fn block(&self, index: u64) -> &Block {
        &self.blocks[(index / STATES) as usize]
    }

    fn has_reached(&self, index: u64) -> bool {
        let (word, bit) = position(index);
        self.block(index).reached(word) & bit != 0
    }

    /// Returns whether a neighbour of a state at `distance` + 1 is at `distance`.
    fn is_at(&self, index: u64, distance: u32) -> bool {
        let (word, bit) = position(index);
        let distances = self.block(index).distances[word];
        distances.map(|bits| bits & bit != 0) == encode(distance)
    }
}
