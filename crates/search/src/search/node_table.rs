//! The states reached by a graph search: packed keys in an arena, a hash index into it, and the parents.
//!
//! A node is an index into the arena, so node numbers are in the order in which states were first reached. The hash
//! table stores node numbers only (4 bytes and a control byte) and compares keys through the arena, so each key is
//! stored once. With an 8-byte key, a parent and no label, a state costs 12 bytes plus its share of the index.
//!
//! If keys are small numbers, an array from keys to nodes replaces the hash table, unless it would take more than half
//! of the budget.

use super::limits::{Limit, Limits, Stop};
use crate::space::{Facts, Key};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use std::any::{Any, TypeId};
use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

/// The position of a state in the table.
pub(super) type Node = u32;

/// The initial capacity of a table.
const INITIAL_CAPACITY: usize = 1 << 13;

/// States processed between two limit checks.
const CHECK_EVERY: Node = 1 << 16;

/// The result of [`NodeTable::reach`].
pub(super) enum Reached {
    New(Node),
    Known(Node),
}

/// Keys in the order in which they were reached, and a hash index of them. It depends on no space or label, so the hash
/// table is compiled once for each key type.
struct Arena<K> {
    keys: Vec<K>,
    index: HashTable<Node>,
}

impl<K: Eq + Hash> Arena<K> {
    /// Returns the node of a key, if the key is present.
    #[inline]
    fn find(&self, key: &K) -> Option<Node> {
        self.index.find(hash(key), |&node| &self.keys[node as usize] == key).copied()
    }

    /// Adds a key if it is new; there must be capacity.
    #[inline]
    fn reach(&mut self, key: K) -> Reached {
        let keys = &self.keys;
        match self.index.entry(hash(&key), |&node| keys[node as usize] == key, |&node| hash(&keys[node as usize])) {
            Entry::Occupied(entry) => Reached::Known(*entry.get()),
            Entry::Vacant(entry) => {
                let node = self.keys.len() as Node;
                entry.insert(node);
                self.keys.push(key);
                Reached::New(node)
            }
        }
    }

    /// Doubles the index and rebuilds it in arena order, which reads the keys sequentially.
    #[cold]
    fn rehash(&mut self, stop: &Stop) -> Result<(), Limit> {
        let mut index = HashTable::with_capacity((self.index.len() * 2).max(INITIAL_CAPACITY));
        for (node, key) in (0..).zip(&self.keys) {
            if node % CHECK_EVERY == 0
                && let Some(limit) = stop.now()
            {
                return Err(limit);
            }
            index.insert_unique(hash(key), node, |_| unreachable!("the capacity suffices for all keys"));
        }
        self.index = index;
        Ok(())
    }
}

/// The parent pointers and labels of all nodes. `L` is the label that the frontier needs, such as g.
pub(super) struct Nodes<L> {
    parents: Vec<Node>,
    labels: Vec<L>,
}

impl<L> Nodes<L> {
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns the parent of a node; the root is its own parent.
    pub(super) fn parent(&self, node: Node) -> Node {
        self.parents[node as usize]
    }

    pub(super) fn label(&self, node: Node) -> &L {
        &self.labels[node as usize]
    }

    pub(super) fn label_mut(&mut self, node: Node) -> &mut L {
        &mut self.labels[node as usize]
    }

    /// Replaces the parent and the label of a node.
    pub(super) fn reparent(&mut self, node: Node, parent: Node, label: L) {
        self.parents[node as usize] = parent;
        self.labels[node as usize] = label;
    }
}

/// The states reached so far.
pub(super) struct NodeTable<K, L> {
    arena: Arena<K>,
    pub nodes: Nodes<L>,
    /// Maps a key, which is a number, to its node plus 1; 0 if it was not reached. Empty if the hash table is used.
    direct: Vec<Node>,
    /// Bytes that a key owns on the heap, including the allocator's overhead.
    heap: usize,
    /// The maximum number of bytes for the table.
    budget: u64,
    /// Checked while the table grows, which may take long.
    stop: Stop,
}

impl<K: Key, L> NodeTable<K, L> {
    /// Creates an empty table for the states of a space, within these limits.
    pub(super) fn new(facts: &Facts, limits: &Limits) -> Self {
        let budget = limits.memory;
        let fits = budget.is_none_or(|budget| (facts.key_limit * size_of::<Node>()) as u64 <= budget / 2);
        NodeTable {
            arena: Arena { keys: Vec::new(), index: HashTable::new() },
            nodes: Nodes { parents: Vec::new(), labels: Vec::new() },
            direct: vec![0; if fits { facts.key_limit } else { 0 }],
            heap: if facts.key_heap_bytes == 0 { 0 } else { facts.key_heap_bytes.next_multiple_of(16) + 16 },
            budget: budget.unwrap_or(u64::MAX),
            stop: limits.stop(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn key(&self, node: Node) -> &K {
        &self.arena.keys[node as usize]
    }

    /// Returns the keys in the order in which they were reached.
    pub(super) fn keys(&self) -> &[K] {
        &self.arena.keys
    }

    /// Returns the keys on the path to `node`: without the root, with `node`.
    pub(super) fn path_to(&self, mut node: Node) -> Vec<K> {
        let mut path = Vec::new();
        while node != 0 {
            path.push(self.key(node).clone());
            node = self.nodes.parent(node);
        }
        path.reverse();
        path
    }

    /// Returns the node of a state, if it was reached.
    #[inline]
    pub(super) fn find(&self, key: &K) -> Option<Node> {
        if self.is_direct() {
            return self.direct[number(key)].checked_sub(1);
        }
        self.arena.find(key)
    }

    /// Returns whether the array is used instead of the hash table.
    #[inline]
    fn is_direct(&self) -> bool {
        is_number::<K>() && !self.direct.is_empty()
    }

    /// Looks a state up, and adds it if it is new, with this parent and label.
    ///
    /// # Errors
    /// [`Limit::Memory`] if the table would grow beyond its budget, or the limit reached while it grows; the table is
    /// unchanged then.
    #[inline]
    pub(super) fn reach(&mut self, key: K, parent: Node, label: L) -> Result<Reached, Limit> {
        if self.is_full() {
            self.grow()?;
        }
        if self.heap > 0 && self.bytes() + self.heap as u64 > self.budget {
            return Err(Limit::Memory);
        }
        let reached = if self.is_direct() {
            let entry = &mut self.direct[number(&key)];
            match entry.checked_sub(1) {
                Some(node) => Reached::Known(node),
                None => {
                    let node = self.arena.keys.len() as Node;
                    *entry = node + 1;
                    self.arena.keys.push(key);
                    Reached::New(node)
                }
            }
        } else {
            self.arena.reach(key)
        };
        if let Reached::New(_) = reached {
            self.nodes.parents.push(parent);
            self.nodes.labels.push(label);
        }
        Ok(reached)
    }

    /// Returns whether there is no capacity for another state.
    #[inline]
    fn is_full(&self) -> bool {
        self.arena.keys.len() == self.arena.keys.capacity() || self.index_is_full()
    }

    #[inline]
    fn index_is_full(&self) -> bool {
        !self.is_direct() && self.arena.index.len() == self.arena.index.capacity()
    }

    /// Returns the bytes that the table occupies.
    pub(super) fn bytes(&self) -> u64 {
        let rows = self.arena.keys.capacity() * Self::ROW + self.len() * self.heap;
        (rows + self.arena.index.allocation_size() + self.direct.len() * size_of::<Node>()) as u64
    }

    /// Bytes of a row of the arena, without the heap memory of its key.
    const ROW: usize = size_of::<K>() + size_of::<Node>() + size_of::<L>();

    /// Returns whether `more` further bytes may be allocated.
    fn fits(&self, more: usize) -> bool {
        self.bytes() + more as u64 <= self.budget && self.stop.allows(more as u64)
    }

    /// Makes room for more states: a full arena grows by half, a full index doubles. During reallocation the old and
    /// the new memory exist at once; both count.
    #[cold]
    fn grow(&mut self) -> Result<(), Limit> {
        if self.len() == self.arena.keys.capacity() {
            let more = (self.len() / 2).max(INITIAL_CAPACITY);
            let wider = (self.len() + more) * Self::ROW;
            if !self.fits(wider) || self.len() + more > Node::MAX as usize {
                return Err(Limit::Memory);
            }
            self.arena.keys.reserve_exact(more);
            self.nodes.parents.reserve_exact(more);
            self.nodes.labels.reserve_exact(more);
        }
        if self.index_is_full() {
            if !self.fits(self.arena.index.allocation_size() * 2) {
                return Err(Limit::Memory);
            }
            self.arena.rehash(&self.stop)?;
        }
        Ok(())
    }
}

/// Returns whether keys are numbers that can index an array. The type is known at compile time, so this costs nothing
/// at run time.
#[inline]
fn is_number<K: 'static>() -> bool {
    TypeId::of::<K>() == TypeId::of::<u32>()
}

/// Returns a key as a number, for keys that are numbers.
#[inline]
fn number<K: 'static>(key: &K) -> usize {
    let key: &dyn Any = key;
    key.downcast_ref::<u32>().map_or(0, |&key| key as usize)
}

#[inline]
fn hash<K: Hash>(key: &K) -> u64 {
    FxBuildHasher.hash_one(key)
}
