//! Exploration over a perfect index: where every state has a number, it costs three bits and no key.
//!
//! Two bits say how far a state is from where the search began, modulo 3, or that it was not met. That is enough: the
//! distances of neighbours differ by at most 1, so it tells which of them is nearer (Cooperman and Finkelstein 1992). The
//! third bit marks the states of the last layer, of those that were met, and the layer to come, of those that were not.
//! A layer is expanded by walking over all bits in the order of the index (Korf and Schultze 2005).
//!
//! There is one search, done two or three times: from the start to the end of the space; from all goals, unless the start
//! is the only one; and from the hardest states until it meets the start. From there the first move that leads nearer,
//! again and again, is a way to the hardest state that breadth-first search from the start meets first: of two states
//! of a layer it meets the one first whose first shortest way is first in the order of moves.
//!
//! Threads mark the states of a layer in any order, but the layer is a set, so nothing depends on it.

use super::{Explored, FROM_GOALS, FROM_START, Hardest, TO_HARDEST};
use crate::search::MOST_GOALS;
use crate::search::crew::{Crew, map_parts, map_shares};
use crate::search::limits::{Limit, Limits, Stop, Watch};
use crate::space::{Graph, Key, PerfectIndex};
use std::slice::from_ref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Words of 64 states in a block, which is what a thread takes.
const WORDS: usize = 128;
const STATES: u64 = WORDS as u64 * 64;
/// Blocks between two looks at the limits; more of them are worth a second thread.
const SLICE: usize = 128;
/// States whose neighbors are made by one call: so many that what an index works out for states side by side is worked out
/// seldom, and so few that the neighbors stay in a cache.
const AT_ONCE: usize = 1024;
/// A larger array is not made: who explores so large a space does not mean to see all of it.
const MOST_BYTES: u64 = 1 << 30;

/// Walks the whole space that can be reached from a state. None, where there is no index, its array takes too
/// much memory, or so few states may be expanded that it matters which: that is for layers, where they have an order.
pub(in super::super) fn explore<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Option<Explored<Vec<K>>> {
    let facts = graph.facts();
    if !facts.unit_cost || !facts.reversible {
        return None;
    }
    let index = &*graph.index()?;
    let mut watch = Watch::new(limits, 0);
    let goals = graph.goals(MOST_GOALS)?;
    let goals: Vec<u64> = goals.iter().filter_map(|goal| index.rank(goal)).collect();
    // Goals lie in two lists, of those that were met and those that were not.
    let memory = bytes_for(index.size()) + (2 * goals.len() * size_of::<u64>()) as u64;
    if memory > limits.memory.unwrap_or(u64::MAX).min(MOST_BYTES)
        || limits.nodes.is_some_and(|nodes| nodes / 2 <= index.size())
    {
        return None;
    }
    let crew = Crew::new(limits.threads);
    let explore = || Search::new(graph, index, limits).explore(start, goals, &mut watch);
    let explored = if index.size() > STATES * SLICE as u64 { crew.together(explore) } else { explore() };
    Some(Explored { memory, ..explored })
}

/// What is known of some states that follow each other in the index.
struct Block {
    /// The number of its first state.
    first: u64,
    /// 0 of a state that was not met; else its distance modulo 3, plus 1: the low bits of 64 states, and the high bits.
    distances: [[u64; 2]; WORDS],
    marks: [AtomicU64; WORDS],
    /// Whether there may be a mark: most blocks have none while layers are small.
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

    fn met(&self, word: usize) -> u64 {
        self.distances[word][0] | self.distances[word][1]
    }

    /// The states of the last layer, in order.
    fn last(&self) -> impl Iterator<Item = u64> {
        let words = if self.marked.load(Ordering::Relaxed) { &self.marks[..] } else { &[] };
        words.iter().enumerate().flat_map(|(word, marks)| {
            let first = self.first + word as u64 * 64;
            bits(marks.load(Ordering::Relaxed) & self.met(word)).map(move |bit| first + u64::from(bit))
        })
    }

    /// Marks a state that was neither met nor marked; returns whether it is such a one.
    #[inline]
    fn mark(&self, index: u64) -> bool {
        let (word, bit) = place(index);
        let new = (self.met(word) | self.marks[word].load(Ordering::Relaxed)) & bit == 0;
        if new {
            self.marks[word].fetch_or(bit, Ordering::Relaxed);
            // What is only read is not fought over.
            if !self.marked.load(Ordering::Relaxed) {
                self.marked.store(true, Ordering::Relaxed);
            }
        }
        new
    }

    /// Makes the layer to come the last, at this distance; returns how many states are in it.
    fn settle(&mut self, distance: u32) -> u64 {
        let fields = field(distance).map(|set| if set { u64::MAX } else { 0 });
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

/// The two bits that say a distance.
fn field(distance: u32) -> [bool; 2] {
    let field = distance % 3 + 1;
    [field & 1 != 0, field & 2 != 0]
}

/// The places of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The word and the bit of a state in its block.
fn place(index: u64) -> (usize, u64) {
    ((index / 64) as usize % WORDS, 1 << (index % 64))
}

/// The bytes of an array for so many states.
fn bytes_for(states: u64) -> u64 {
    states.div_ceil(STATES).saturating_mul(size_of::<Block>() as u64)
}

/// A breadth-first search, as far as it has come; no state was met where it begins.
struct Search<'a, K> {
    graph: &'a dyn Graph<K>,
    index: &'a dyn PerfectIndex<K>,
    limits: &'a Limits,
    /// Reached no earlier than by who watches the limits.
    stop: Stop,
    blocks: Vec<Block>,
    /// The distance of the last layer, and its states.
    depth: u32,
    layer: u64,
    /// The states of the layers before the last.
    expanded: u64,
}

impl<'a, K: Key> Search<'a, K> {
    fn new(graph: &'a dyn Graph<K>, index: &'a dyn PerfectIndex<K>, limits: &'a Limits) -> Self {
        let blocks = (0..index.size()).step_by(STATES as usize).map(Block::new).collect();
        Search { graph, index, limits, stop: limits.stop(), blocks, depth: 0, layer: 0, expanded: 0 }
    }

    /// Walks from the start to the end of the space, or to a limit; what memory it takes is for the caller to say.
    fn explore(mut self, start: &K, goals: Vec<u64>, watch: &mut Watch) -> Explored<Vec<K>> {
        let root = self.index.rank(start).expect("the start can be reached");
        let (mut by_depth, mut met, mut unmet) = (Vec::new(), Vec::new(), goals);
        self.limits.begin(FROM_START, Some("depth"), 0);
        self.start_from(&[root]);
        let limit = loop {
            by_depth.push(self.layer);
            met.extend(unmet.extract_if(.., |goal| self.has_met(*goal)));
            match self.advance(watch) {
                Ok(0) => break None,
                Ok(_) if self.limits.depth.is_some_and(|depth| self.depth > depth) => break Some(Limit::Depth),
                Ok(_) => {}
                Err(limit) => {
                    by_depth.extend(Some(self.layer).filter(|&states| states > 0));
                    met.extend(unmet.extract_if(.., |goal| self.has_met(*goal)));
                    break Some(limit);
                }
            }
        };
        let goals = met.len() as u64;
        let mut explored =
            Explored { limit, in_moves: true, by_depth, goals, dead_ends: None, hardest: None, memory: 0 };
        if limit.is_some() || met.is_empty() {
            explored.dead_ends = limit.is_none().then(|| explored.states());
            return explored;
        }
        // A goal's component is that of the start, so all states can reach one.
        explored.dead_ends = Some(0);
        match self.hardest(start, root, &met, watch) {
            Ok(hardest) => explored.hardest = Some(hardest),
            Err(limit) => explored.limit = Some(limit),
        }
        explored
    }

    /// The states farthest from the goals; the search from the start has come to its end.
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
        while !self.has_met(root) {
            let new = self.advance(watch)?;
            assert!(new > 0, "moves can be taken back, so the start is reached again");
        }
        Ok(Hardest { cost: f64::from(cost), count, example: self.way_from(start) })
    }

    /// The states after one of the last layer on the way to where the search began.
    fn way_from(&self, start: &K) -> Vec<K> {
        let (mut way, mut children) = (Vec::new(), Vec::new());
        for distance in (0..self.depth).rev() {
            self.graph.children(from_ref(way.last().unwrap_or(start)), &mut children);
            let is_nearer = |child: &K| self.index.rank(child).is_some_and(|child| self.is_at(child, distance));
            let nearer = children.drain(..).find(is_nearer);
            way.push(nearer.expect("what was met was met from a neighbor that is nearer"));
        }
        way
    }

    /// Begins a search from some states.
    fn start_from(&mut self, roots: &[u64]) {
        (self.depth, self.expanded) = (0, 0);
        roots.iter().for_each(|&root| {
            self.block(root).mark(root);
        });
        self.settle();
    }

    /// Forgets all states.
    fn clear(&mut self) {
        self.blocks.iter_mut().for_each(|block| *block = Block::new(block.first));
    }

    /// Begins a search from the states of the last layer.
    fn start_from_last(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.distances = [[0; 2]; WORDS]);
        (self.depth, self.expanded) = (0, 0);
        self.settle();
    }

    /// Makes the layer after the last, and returns how many states are in it. If there are none, the last stays.
    ///
    /// # Errors
    /// The limit that kept the layer from being made whole; the last layer is then what was made of it.
    fn advance(&mut self, watch: &mut Watch) -> Result<u64, Limit> {
        let bytes = bytes_for(self.index.size());
        let mut new = false;
        let mut slices = self.blocks.chunks(SLICE);
        let limit = loop {
            let Some(slice) = slices.next() else { break None };
            if let Some(limit) = watch.poll(self.expanded, bytes) {
                break Some(limit);
            }
            // A slice may take long: what is left of it when time is up is left out.
            let expand = |new, block: &Block| (self.stop.soon().is_none() && self.expand(block)) | new;
            let parts = map_parts(slice, 1, |blocks| blocks.iter().fold(false, expand));
            new |= parts.contains(&true);
            if let Some(limit) = watch.pause() {
                break Some(limit);
            }
        };
        self.expanded += self.layer;
        if new || limit.is_some() {
            self.limits.reach(f64::from(self.depth), 0.0);
            self.depth += 1;
            self.settle();
        }
        match limit {
            Some(limit) => Err(limit),
            None => Ok(if new { self.layer } else { 0 }),
        }
    }

    /// Marks the neighbours of a block's states of the last layer that were not met; returns whether there are any.
    fn expand(&self, block: &Block) -> bool {
        if !block.marked.load(Ordering::Relaxed) {
            return false;
        }
        let (mut new, mut last) = (false, block.last());
        let (mut states, mut neighbors) = (Vec::with_capacity(AT_ONCE), Vec::new());
        loop {
            states.clear();
            states.extend(last.by_ref().take(AT_ONCE));
            if states.is_empty() {
                return new;
            }
            neighbors.clear();
            self.index.neighbors(&states, &mut neighbors);
            for &neighbor in &neighbors {
                new |= self.block(neighbor).mark(neighbor);
            }
        }
    }

    fn settle(&mut self) {
        let depth = self.depth;
        let settle = |blocks: &mut [Block]| blocks.iter_mut().map(|block| block.settle(depth)).sum::<u64>();
        self.layer = map_shares(&mut self.blocks, |_, blocks| settle(blocks)).iter().sum();
    }

    fn block(&self, index: u64) -> &Block {
        &self.blocks[(index / STATES) as usize]
    }

    fn has_met(&self, index: u64) -> bool {
        let (word, bit) = place(index);
        self.block(index).met(word) & bit != 0
    }

    /// Whether a state that is a neighbour of one at the next distance is at this.
    fn is_at(&self, index: u64, distance: u32) -> bool {
        let (word, bit) = place(index);
        let distances = self.block(index).distances[word];
        distances.map(|bits| bits & bit != 0) == field(distance)
    }
}
