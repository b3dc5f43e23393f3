//! Random graphs, explored on disk and in memory: wide ones, with many parts per layer, and many small ones.

use crate::search::disk::exploration::Aim;
use crate::search::laws::explorations::{findings, scratch};
use crate::search::layer_store::explore_layers;
use crate::search::{Explored, Limit, Limits, OnDisk, Place, explore};
use crate::space::{Facts, Guided, InPlace, Ordinal, StateSpace, Whole};
use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZero;
use std::path::Path;

/// A random number generator that is the same on every machine: xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

/// A graph whose nodes have scattered numbers as keys.
pub(in crate::search) struct Scattered<K> {
    children: Vec<Vec<usize>>,
    pub goals: Vec<bool>,
    reversible: bool,
    keys: Vec<K>,
    nodes: HashMap<K, usize>,
}

impl<K: Copy + Eq + Hash> Scattered<K> {
    pub fn new(seed: u64, size: usize, degree: usize, reversible: bool, key: impl Fn(u64) -> K) -> Scattered<K> {
        let mut random = Random(seed * 2 + 1);
        let mut children = vec![Vec::new(); size];
        for _ in 0..size * degree {
            let (from, to) = (random.below(size), random.below(size));
            if from != to && !children[from].contains(&to) {
                children[from].push(to);
                if reversible {
                    children[to].push(from);
                }
            }
        }
        let rare = [1, 2, 20, size][random.below(4)];
        let goals = (0..size).map(|_| random.below(rare) == 0).collect();
        // The multiplier is odd, so different numbers stay different.
        let keys: Vec<K> = (0..size as u64).map(|node| key(node.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let nodes: HashMap<K, usize> = keys.iter().copied().zip(0..).collect();
        assert_eq!(nodes.len(), size);
        Scattered { children, goals, reversible, keys, nodes }
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Scattered<K> {
    pub fn start(&self) -> K {
        self.keys[0]
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> StateSpace for Scattered<K> {
    type Key = K;
    type Action = usize;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts { unit_cost: true, reversible: self.reversible, ..Facts::default() }
    }

    fn is_goal(&self, key: &K) -> bool {
        self.goals[self.nodes[key]]
    }

    fn expand(&self, key: &K, mut child: impl FnMut(usize, u32, K)) {
        self.children[self.nodes[key]].iter().for_each(|&to| child(to, 1, self.keys[to]));
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Guided for Scattered<K> {}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> InPlace for Scattered<K> {
    type State = usize;
    type Undo = usize;
    type Trail = ();
    type Actions<'a> = std::vec::IntoIter<usize>;

    fn initial(&self) -> usize {
        0
    }

    fn pack(&self, &node: &usize) -> K {
        self.keys[node]
    }

    fn unpack(&self, key: &K) -> usize {
        self.nodes[key]
    }

    fn actions(&self, &node: &usize) -> Self::Actions<'_> {
        self.children[node].clone().into_iter()
    }

    fn apply(&self, node: &mut usize, to: usize) -> (u32, usize) {
        (1, std::mem::replace(node, to))
    }

    fn undo(&self, node: &mut usize, _to: usize, before: usize) {
        *node = before;
    }

    fn trail(&self, _state: &Self::State) {}

    fn follow(&self, _trail: &(), _node: &usize, _to: usize) -> Option<()> {
        Some(())
    }
}

fn on_disk<K: Copy + Eq + Hash + Send + Sync + 'static>(
    space: &Scattered<K>,
    folder: &Path,
    limits: &Limits,
    space_limit: Option<u64>,
) -> Explored<Vec<Ordinal>> {
    let disk = OnDisk { folder: folder.join("on"), limit: space_limit, fingerprint: "this graph".to_owned() };
    let found = explore_layers(&Whole(space), &space.start(), Aim::Whole, limits, &Place::Disk(disk));
    found.unwrap_or_else(|error| panic!("{error}")).0
}

/// Checks one run without limits, and a sequence of limited runs.
fn check<K: Copy + Eq + Hash + Send + Sync + 'static>(space: &Scattered<K>, nodes: u64, what: &str) {
    let expected = || findings(explore(&Whole(space), &space.start(), &Limits::default()));
    let folder = scratch();
    let limits = Limits { memory: Some(1 << 19), threads: NonZero::new(2), ..Limits::default() };
    assert_eq!(findings(on_disk(space, folder.path(), &limits, None)), expected(), "{what}");
    assert_eq!(findings(on_disk(space, folder.path(), &limits, None)), expected(), "{what}, repeated");

    let folder = scratch();
    let limits = Limits { nodes: Some(nodes), threads: NonZero::new(1), ..limits };
    let mut space_limit = 1 << 12;
    let found = loop {
        let found = on_disk(space, folder.path(), &limits, Some(space_limit));
        match found.limit {
            Some(Limit::Disk) => space_limit += space_limit / 2,
            Some(_) => {}
            None => break found,
        }
    };
    assert_eq!(findings(found), expected(), "{what}, over several runs");
}

#[test]
fn small_graphs_are_explored_as_in_memory_with_and_without_reversible_moves() {
    for seed in 0..30 {
        let (size, degree) = (1 + seed as usize * 10, 1 + seed as usize % 3);
        for reversible in [true, false] {
            let what = format!("seed {seed}, reversible {reversible}");
            let space = Scattered::new(seed, size, degree, reversible, |number| (number >> 48) as u16);
            check(&space, 100, &what);
            let folder = scratch();
            for depth in [3, 0, 1, 4, 6, 5, 9, 7, 8, 12, 20, 10] {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let found = findings(on_disk(&space, folder.path(), &limits, None));
                let expected = findings(explore(&Whole(&space), &space.start(), &limits));
                assert_eq!(found, expected, "{what}, depth {depth}");
            }
        }
    }
}

#[test]
fn wide_graphs_with_many_parts_per_layer_are_explored_as_in_memory() {
    for reversible in [true, false] {
        let wide = |number: u64| u128::from(number) << 60 | u128::from(number >> 40);
        let space = Scattered::new(7, 40_000, 2, reversible, wide);
        check(&space, 30_000, &format!("128 bits, reversible {reversible}"));
        let space = Scattered::new(8, 60_000, 3, reversible, |number| number);
        check(&space, 100_000, &format!("64 bits, reversible {reversible}"));
    }
}
