//! Best-first width search: greedy best-first search that prefers states with something new (Lipovetzky and Geffner,
//! Best-first width search: exploration and exploitation in classical planning, 2017).
//!
//! A state has *features*, which the domain names, such as each variable with its value. The *novelty* of a state is 1
//! if its last move has brought a feature that no state with the same h has had, 2 if it has brought a pair of features
//! that none has had together, and 3 otherwise. The search expands the state with the least novelty first, among these
//! one with the least h, then with the least cost so far, then the one that was reached first. So on a plateau of h it
//! tries each value of each variable instead of all combinations, which greedy search would.
//!
//! *What it proves.* No state is dropped: if nothing is left, there is no solution. Otherwise nothing but h of the
//! start.
//!
//! Which pairs have been seen is kept as bits, chosen by hashes (Singh, Lipovetzky, Ramírez and Segovia-Aguas,
//! Approximate novelty search, 2021). If two pairs share a bit, a state may pass for less novel than it is, and comes
//! later.

use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::proof_log::Counts;
use super::random::mixed;
use super::{Found, MOST_COST, Stats, Verdict};
use crate::space::{Cost, Key, Ordinal, Weighted};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::slice::from_ref;

/// The greatest number of pairs of features that are looked at for a state, which takes some 50 ms; if it has more,
/// only its single features count.
const MOST_PAIRS: usize = 1 << 22;

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn best_first_width_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let facts = graph.facts();
    let most = limits.depth.unwrap_or(MOST_COST);
    let mut table: NodeTable<K, C> = NodeTable::new(&facts, limits);
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let mut open: BinaryHeap<Reverse<Open<C>>> = BinaryHeap::new();
    let mut novelty = Novelty::default();
    let mut stats = Stats::default();
    // True if a state was beyond the depth limit when it was met.
    let mut is_cut = false;
    limits.begin_proof_log(name, Counts::Bounds);
    let (mut successors, mut values): (Vec<(C, K)>, Vec<C>) = (Vec::new(), Vec::new());
    // The nodes of the new states among the successors, and the features of a state and of its parent.
    let (mut new, mut features, mut before) = (Vec::new(), Vec::new(), Vec::new());
    let root = graph.canonical(start.clone());
    graph.h(from_ref(&root), &mut values);
    let root_h = values.pop().unwrap_or(C::ZERO);

    let ending = 'search: {
        let is_solved = graph.is_goal(&root);
        graph.features(&root, &mut features);
        let stored = table.reach(root, 0, C::ZERO);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            break 'search Ending::Goal(0);
        }
        if let Err(limit) = stored {
            break 'search Ending::Limit(limit);
        }
        stats.pruned = root_h >= C::INFINITY;
        if !stats.pruned {
            open.push(Reverse(Open { novelty: novelty.of(root_h, &features, &[]), h: root_h, g: C::ZERO, node: 0 }));
        }
        while let Some(Reverse(Open { node, g, .. })) = open.pop() {
            // A cheaper path to the state has been found, and is open.
            if *table.nodes.label(node) < g {
                continue;
            }
            let held = || {
                stats.memory = table.bytes() + (open.capacity() * size_of::<Open<C>>()) as u64 + novelty.bytes();
                stats.memory
            };
            if let Some(limit) = watch.exceeded(stats.expanded, held) {
                break 'search Ending::Limit(limit);
            }
            stats.expanded += 1;
            before.clear();
            graph.features(table.key(node), &mut before);
            let back = table.key(table.nodes.parent(node)).clone();
            graph.expand(table.key(node), &back, &mut successors);
            new.clear();
            for (cost, key) in successors.drain(..) {
                if key == back {
                    continue;
                }
                stats.generated += 1;
                let g = g + cost;
                // h may overestimate, so only g counts.
                if g.exceeds_whole(most) {
                    is_cut |= table.find(&key).is_none();
                    continue;
                }
                match table.reach(key, node, g) {
                    Ok(Reached::New(child)) => {
                        if graph.is_goal(table.key(child)) {
                            break 'search Ending::Goal(child);
                        }
                        new.push(child);
                    }
                    // Within a depth limit, what follows a state depends on its cost.
                    Ok(Reached::Known(known)) if limits.depth.is_some() && g < *table.nodes.label(known) => {
                        table.nodes.reparent(known, node, g);
                        new.push(known);
                    }
                    Ok(Reached::Known(_)) => {}
                    Err(limit) => break 'search Ending::Limit(limit),
                }
            }
            for &child in &new {
                values.clear();
                graph.h(from_ref(table.key(child)), &mut values);
                let h = values[0];
                let g = *table.nodes.label(child);
                if h >= C::INFINITY {
                    stats.pruned = true;
                    continue;
                }
                features.clear();
                graph.features(table.key(child), &mut features);
                open.push(Reverse(Open { novelty: novelty.of(h, &features, &before), h, g, node: child }));
            }
            if let Some(limit) = novelty.grow(limits, table.bytes()) {
                break 'search Ending::Limit(limit);
            }
        }
        if is_cut { Ending::Limit(Limit::Depth) } else { Ending::Exhausted }
    };

    stats.stored = table.len() as u64;
    stats.memory = stats.memory.max(table.bytes() + novelty.bytes());
    match ending {
        Ending::Goal(goal) => {
            let (path, cost) = graph.moves_on_path(start.clone(), &table.path_to(goal));
            let cost = cost.as_f64();
            stats.depth = cost;
            Found { verdict: Verdict::Solved { path, cost, lower_bound: cost.min(root_h.as_f64()) }, stats }
        }
        Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats },
        Ending::Limit(limit) => {
            let lower_bound = match (limit, limits.depth) {
                (Limit::Depth, Some(depth)) if facts.unit_cost => root_h.as_f64().max(f64::from(depth) + 1.0),
                _ => root_h.as_f64(),
            };
            Found { verdict: Verdict::Limit { limit, lower_bound, best: None }, stats }
        }
    }
}

/// The end of a search.
enum Ending {
    Goal(Node),
    Exhausted,
    Limit(Limit),
}

/// An open state, in the order of expansion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open<C> {
    novelty: u8,
    h: C,
    g: C,
    node: Node,
}

/// The features, and pairs of features, that states have had, for each h.
struct Novelty {
    /// Sets of bits; new features are added to the last. When it is a quarter full, a larger one follows.
    sets: Vec<Vec<u64>>,
    /// The bits that are set in the last of them.
    filled: usize,
}

/// Words of the first set of bits, and how many times larger each further one is.
const FIRST: usize = 1 << 14;
const GROWTH: usize = 16;

impl Default for Novelty {
    fn default() -> Novelty {
        Novelty { sets: vec![vec![0; FIRST]], filled: 0 }
    }
}

impl Novelty {
    /// Returns the novelty of a state by its features and those of the state before it, each in ascending order.
    fn of<C: Cost>(&mut self, h: C, features: &[u64], before: &[u64]) -> u8 {
        let h = mixed(h.narrow_bucket() as u64 + 1);
        let mut old = before.iter().peekable();
        let is_new = |feature: &&u64| {
            while old.next_if(|old| *old < feature).is_some() {}
            old.peek() != Some(feature)
        };
        let new: Vec<u64> = features.iter().filter(is_new).copied().collect();
        let others = if new.len().saturating_mul(features.len()) <= MOST_PAIRS { features } else { &[] };
        let mut novelty = 3;
        for feature in new {
            if self.insert(mixed(h ^ feature)) {
                novelty = 1;
            }
            for &other in others.iter().filter(|&&other| other != feature) {
                let pair = feature.min(other).rotate_left(32) ^ feature.max(other);
                if self.insert(mixed(h.wrapping_add(mixed(pair)))) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }

    /// Adds a hash; returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        let place = |set: &Vec<u64>| ((hash >> 6) as usize & (set.len() - 1), 1 << (hash & 63));
        let is_known = |set: &Vec<u64>| {
            let (word, bit) = place(set);
            set[word] & bit != 0
        };
        if self.sets.iter().any(is_known) {
            return false;
        }
        let last = self.sets.last_mut().expect("there is a set");
        let (word, bit) = place(last);
        last[word] |= bit;
        self.filled += 1;
        true
    }

    /// Adds a larger set if the last is a quarter full; returns [`Limit::Memory`] if there is no memory for it.
    fn grow(&mut self, limits: &Limits, others: u64) -> Option<Limit> {
        let words = self.sets.last().expect("there is a set").len();
        if self.filled < words * 16 {
            return None;
        }
        let more = (words * GROWTH * size_of::<u64>()) as u64;
        let held = self.bytes() + others;
        if limits.memory.is_some_and(|memory| held + more > memory) || !limits.stop().allows(more) {
            return Some(Limit::Memory);
        }
        self.sets.push(vec![0; words * GROWTH]);
        self.filled = 0;
        None
    }

    fn bytes(&self) -> u64 {
        self.sets.iter().map(|set| (set.len() * size_of::<u64>()) as u64).sum()
    }
}
