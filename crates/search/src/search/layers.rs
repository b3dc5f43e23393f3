//! Breadth-first search by layers, for spaces in which every move costs 1 and is reversible.
//!
//! The neighbours of a state in layer d lie in the layers d - 1, d and d + 1. So only those layers have to be in the
//! table that detects duplicates (frontier search: Korf 1999; Korf, Zhang, Thayer and Hohwald 2005). No parents are
//! stored: the path back from a goal goes through any neighbour in the previous layer. A state costs its key. If even
//! that is too much, all layers before the last three are dropped, and the path through them is found by another
//! search.
//!
//! A layer is expanded slice by slice. All threads generate the children of a slice and drop the known ones. Then the
//! remaining children are added in the order in which one thread would have generated them. So the order of the states,
//! the first goal, its path and the counts are equal for any number of threads, and equal to those of breadth-first
//! search with a queue.

mod memory;
mod path;
mod traced;

use super::key_set::KeySet;
use super::limits::{Limit, Limits, Stop, Watch};
use super::thread_pool::{LazyPool, map_parts};
use crate::space::{Graph, Key};
use traced::Traced;

/// Bytes of keys in a slice, which all threads share.
const SLICE_BYTES: usize = 1 << 17;
/// Parts into which a slice is divided for the threads.
const PARTS: usize = 32;

/// States expanded by one call: few enough that their children stay in the L1 cache.
const BATCH: usize = 32;

/// The initial capacity of a table.
const INITIAL_CAPACITY: usize = 1 << 11;

/// A breadth-first search from some states, up to its last layer.
pub(super) struct Layers<'a, K> {
    graph: &'a dyn Graph<K>,
    pool: &'a LazyPool,
    /// By depth. Dropped layers are empty: those between the roots and `kept_from`.
    layers: Vec<Vec<K>>,
    kept_from: usize,
    /// The states of the last layers, at least of those that may contain a child of the last one.
    recent: KeySet<K>,
    budget: u64,
    stop: Stop,
    /// Resources spent by other parts of the same search.
    pub elsewhere: Spent,
    pub expanded: u64,
    /// Edges followed: generated children, including those that undo the last move.
    pub edges: u64,
    /// The maximum number of states held at once, and of bytes.
    pub stored: u64,
    pub memory: u64,
    trace: Option<Traced<K>>,
}

/// Resources that count towards the limits.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    pub expanded: u64,
    pub bytes: u64,
}

/// The children that one thread generated from a part of a slice.
struct Part<K> {
    edges: u64,
    /// The children that were unknown before the slice, in order, possibly with duplicates.
    unknown: Vec<K>,
    /// The position of the first of these that the search looks for. No earlier part has that child.
    found: Option<usize>,
}

/// Returns the position of the first of some states that a search looks for. All threads call it, with many states at
/// once.
pub(super) type FindFirst<'a, K> = dyn Fn(&[K]) -> Option<usize> + Sync + 'a;

impl<'a, K: Key> Layers<'a, K> {
    /// Starts from some states, all different, at least one.
    pub fn new(graph: &'a dyn Graph<K>, roots: Vec<K>, pool: &'a LazyPool, limits: &Limits) -> Self {
        let capacity = roots.len() + INITIAL_CAPACITY;
        let mut recent = KeySet::new(roots[0].clone(), 1, capacity);
        recent.insert(roots.iter());
        let mut layers = Layers {
            graph,
            pool,
            layers: vec![roots],
            kept_from: 0,
            recent,
            budget: limits.memory.unwrap_or(u64::MAX),
            stop: limits.stop(),
            elsewhere: Spent::default(),
            expanded: 0,
            edges: 0,
            stored: 0,
            memory: 0,
            trace: None,
        };
        layers.update_peaks();
        layers
    }

    /// Returns the depth of the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// Returns the states of this depth; none if the layer was dropped.
    pub fn layer(&self, depth: usize) -> &[K] {
        &self.layers[depth]
    }

    /// Returns the states of the last layer.
    pub fn last(&self) -> &[K] {
        &self.layers[self.depth()]
    }

    /// Returns the position of the first of some states that is in one of the last two layers, or in an earlier one
    /// that is still in the table.
    pub fn first_recent(&self, keys: &[K]) -> Option<usize> {
        self.recent.first_known(keys)
    }

    /// Returns the number of children generated so far, without those that undo the last move: every state but a root
    /// has one such child.
    pub fn generated(&self) -> u64 {
        self.edges - self.expanded.saturating_sub(self.layers[0].len() as u64)
    }

    /// Generates the next layer, which may be empty. Stops at the first new state that `find_first` finds.
    ///
    /// # Errors
    /// The limit that ended it; the last layer is then incomplete.
    pub fn advance(&mut self, watch: &mut Watch, find_first: &FindFirst<K>) -> Result<Option<K>, Limit> {
        if self.last().len() > self.slice() {
            self.pool.run(|| self.generate_layer(watch, find_first))
        } else {
            self.generate_layer(watch, find_first)
        }
    }

    fn generate_layer(&mut self, watch: &mut Watch, find_first: &FindFirst<K>) -> Result<Option<K>, Limit> {
        let from = self.depth();
        self.layers.push(Vec::new());
        let mut done = 0;
        while done < self.layers[from].len() {
            self.end_unwanted_trace();
            let spent = self.spent();
            if let Some(limit) = watch.poll(spent.expanded, spent.bytes) {
                return Err(limit);
            }
            // A slice is at most as long as all before it: a search that soon meets what it looks for expands little
            // more.
            let most = self.slice().min(done + self.part());
            let allowed = watch.nodes_left(spent.expanded).min(most as u64) as usize;
            let end = self.layers[from].len().min(done + allowed);
            let parts = self.expand(&self.layers[from][done..end], find_first);
            self.reserve(parts.iter().map(|part| part.unknown.len()).sum(), watch)?;
            let new = self.recent.insert(parts.iter().flat_map(|part| &part.unknown));
            let mut new = new.into_iter();
            for part in parts {
                // A state that is found was not in the table, so its first occurrence is new.
                let wanted = part.found.map_or(part.unknown.len(), |found| found + 1);
                let wanted = part.unknown.into_iter().take(wanted).zip(new.by_ref());
                self.layers[from + 1].extend(wanted.filter_map(|(key, is_new)| is_new.then_some(key)));
                if part.found.is_some() {
                    self.trace_part(done, true);
                    return Ok(self.finish_at(done));
                }
                self.trace_part(done, false);
                let states = self.share().min(end - done);
                done += states;
                self.expanded += states as u64;
                self.edges += part.edges;
            }
        }
        self.layers[from + 1].shrink_to_fit();
        self.update_peaks();
        Ok(None)
    }

    /// Returns whether a state of the last layer has an unknown child; also true if a limit was reached before all were
    /// checked.
    pub fn has_new_children(&self, watch: &mut Watch) -> bool {
        let mut slices = self.last().chunks(self.slice());
        slices.any(|slice| {
            watch.check().is_some() || self.expand(slice, &|_| None).iter().any(|part| !part.unknown.is_empty())
        })
    }

    /// Ends the search at the state that was found: counts the states from `here` up to its parent, and that parent's
    /// children up to it.
    fn finish_at(&mut self, here: usize) -> Option<K> {
        let goal = self.last().last()?.clone();
        let from = self.depth() - 1;
        for key in &self.layers[from][here..] {
            let children = self.children_of(key);
            self.expanded += 1;
            self.edges += children.len() as u64;
            if let Some(last) = children.iter().position(|child| *child == goal) {
                let back = from.checked_sub(1).map(|before| self.parent(key, before));
                let unmade = children[last + 1..].iter().filter(|child| Some(*child) != back.as_ref()).count();
                self.edges -= unmade as u64;
                break;
            }
        }
        self.update_peaks();
        Some(goal)
    }

    /// Returns the unknown children of some states, part by part.
    fn expand(&self, states: &[K], find_first: &FindFirst<K>) -> Vec<Part<K>> {
        map_parts(states, self.share(), |states| {
            let mut part = Part { edges: 0, unknown: Vec::new(), found: None };
            let mut children = Vec::new();
            for some in states.chunks(BATCH) {
                children.clear();
                self.graph.children(some, &mut children);
                part.edges += children.len() as u64;
                self.recent.retain_unknown(&children, &mut part.unknown);
            }
            part.found = find_first(&part.unknown);
            part
        })
    }

    /// Returns the children of a state, in order.
    fn children_of(&self, state: &K) -> Vec<K> {
        let mut children = Vec::new();
        self.graph.children(std::slice::from_ref(state), &mut children);
        children
    }

    fn slice(&self) -> usize {
        self.part() * PARTS
    }

    fn part(&self) -> usize {
        (SLICE_BYTES / PARTS / size_of::<K>()).max(1)
    }

    /// Returns the number of states that a thread expands at once: those of a part, or one if they are traced.
    fn share(&self) -> usize {
        if self.trace.is_some() { 1 } else { self.part() }
    }

    /// Returns the bytes that the layers and the table occupy.
    pub fn bytes(&self) -> u64 {
        let keys: usize = self.layers.iter().map(Vec::capacity).sum();
        (keys * size_of::<K>()) as u64 + self.recent.bytes() + self.elsewhere.bytes
    }

    /// Returns the resources spent by this search and by other parts of it.
    pub fn spent(&self) -> Spent {
        Spent { expanded: self.expanded + self.elsewhere.expanded, bytes: self.bytes() }
    }

    fn update_peaks(&mut self) {
        self.memory = self.memory.max(self.bytes());
        self.stored = self.stored.max(self.layers.iter().map(Vec::len).sum::<usize>() as u64);
    }
}
