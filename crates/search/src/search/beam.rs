//! Beam search: breadth-first search that keeps only the best states of each layer (Lowerre 1976; Bisiani 1987).
//!
//! The states that are kept are those with the least f = g + h. Among equal f, a fixed hash of the key decides: on a
//! plateau, an order such as that of arrival would keep the children of a few parents. A state that was kept before is
//! not kept again, unless it is reached more cheaply.
//!
//! *What it proves.* On a cheapest path, either all states are kept, each at its least cost or less, or the first that
//! is not kept was dropped with an f that is at most the cost of the path, if h is admissible. So the least f that was
//! dropped is a lower bound on the cost of every solution that was not found. If nothing was dropped, the search is
//! complete, and with moves of cost 1 its solution is shortest.

use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::proof_log::Counts;
use super::random::mixed;
use super::{Found, MOST_COST, Stats, Verdict};
use crate::space::{Cost, Facts, Key, Ordinal, Weighted};
use std::hash::{Hash, Hasher};
use std::num::NonZero;
use std::slice::from_ref;

/// The number of states of a layer that beam search keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWidth(NonZero<u32>);

impl BeamWidth {
    /// The default width.
    pub const DEFAULT: BeamWidth = BeamWidth(NonZero::new(1000).expect("the width is not 0"));

    /// Returns a width; none if it is 0.
    #[must_use]
    pub fn new(width: u32) -> Option<BeamWidth> {
        NonZero::new(width).map(BeamWidth)
    }

    /// Returns the number of states.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

/// A state that the current layer has generated, as a node of the table of candidates, in the order of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<C> {
    f: C,
    tie: u64,
    node: Node,
}

/// The states that were dropped.
struct Dropped<C> {
    /// True if some were dropped because of the width.
    by_width: bool,
    /// The least f of all that were dropped.
    least: Option<C>,
}

impl<C: Cost> Dropped<C> {
    fn add(&mut self, f: C) {
        self.least = Some(self.least.map_or(f, |least| least.min(f)));
    }

    /// Returns the lower bound that follows, together with the h of the start.
    fn bound(&self, root_h: C) -> f64 {
        self.least.map_or(root_h, |least| least.max(root_h)).as_f64()
    }
}

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn beam_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    width: BeamWidth,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let facts = graph.facts();
    let most = limits.depth.unwrap_or(MOST_COST);
    // The states that were kept. Their number is the product of width and depth, far less than that of all keys.
    let few = Facts { key_limit: 0, ..facts };
    let mut table: NodeTable<K, C> = NodeTable::new(&few, limits);
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let mut stats = Stats::default();
    let mut dropped = Dropped { by_width: false, least: None };
    limits.begin_proof_log("beam", Counts::Bounds);
    let (mut successors, mut values): (Vec<(C, K)>, Vec<C>) = (Vec::new(), Vec::new());
    let root = graph.canonical(start.clone());
    graph.h(from_ref(&root), &mut values);
    let root_h = values.pop().unwrap_or(C::ZERO);
    stats.pruned = root_h >= C::INFINITY;
    let mut layer: Vec<Node> = if stats.pruned { Vec::new() } else { vec![0] };
    let mut layers = 0.0;

    let ending = 'search: {
        let is_solved = graph.is_goal(&root);
        let stored = table.reach(root, 0, C::ZERO);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            break 'search Ending::Goal(0);
        }
        if let Err(limit) = stored {
            break 'search Ending::Limit(limit);
        }
        if !stats.pruned && root_h.exceeds_whole(most) {
            dropped.add(root_h);
            layer.clear();
        }
        while !layer.is_empty() {
            let left =
                Limits { memory: limits.memory.map(|memory| memory.saturating_sub(table.bytes())), ..limits.clone() };
            let mut candidates: NodeTable<K, C> = NodeTable::new(&few, &left);
            let mut best: Option<(C, Node)> = None;
            for &node in &layer {
                let held = || {
                    let bytes = table.bytes() + candidates.bytes();
                    stats.memory = stats.memory.max(bytes);
                    bytes
                };
                if let Some(limit) = watch.exceeded(stats.expanded, held) {
                    break 'search Ending::Limit(limit);
                }
                stats.expanded += 1;
                let g = *table.nodes.label(node);
                let back = table.key(table.nodes.parent(node)).clone();
                graph.expand(table.key(node), &back, &mut successors);
                for (cost, key) in successors.drain(..) {
                    if key == back {
                        continue;
                    }
                    stats.generated += 1;
                    let g = g + cost;
                    if table.find(&key).is_some_and(|known| *table.nodes.label(known) <= g) {
                        continue;
                    }
                    let candidate = match candidates.reach(key, node, g) {
                        Ok(Reached::New(new)) => new,
                        Ok(Reached::Known(known)) if g < *candidates.nodes.label(known) => {
                            candidates.nodes.reparent(known, node, g);
                            known
                        }
                        Ok(Reached::Known(_)) => continue,
                        Err(limit) => break 'search Ending::Limit(limit),
                    };
                    let is_within = !g.exceeds_whole(most);
                    let is_better = is_within && best.is_none_or(|(least, _)| g < least);
                    if is_better && graph.is_goal(candidates.key(candidate)) {
                        best = Some((g, candidate));
                    }
                }
                if facts.unit_cost && best.is_some() {
                    break;
                }
            }
            stats.stored = stats.stored.max((table.len() + candidates.len()) as u64);
            if let Some((g, candidate)) = best {
                let parent = candidates.nodes.parent(candidate);
                match table.reach(candidates.key(candidate).clone(), parent, g) {
                    Ok(Reached::New(goal)) => break 'search Ending::Goal(goal),
                    Ok(Reached::Known(goal)) => {
                        table.nodes.reparent(goal, parent, g);
                        break 'search Ending::Goal(goal);
                    }
                    Err(limit) => break 'search Ending::Limit(limit),
                }
            }
            let ranks = candidates.len() * (size_of::<Candidate<C>>() + size_of::<C>());
            if let Err(limit) = watch.check_memory(table.bytes() + candidates.bytes() + ranks as u64) {
                break 'search Ending::Limit(limit);
            }
            // Some heuristics take long, so the limits are looked at in between.
            values.clear();
            for some in candidates.keys().chunks(CHUNK) {
                graph.h(some, &mut values);
                if let Some(limit) = watch.check() {
                    break 'search Ending::Limit(limit);
                }
            }
            let mut ranked: Vec<Candidate<C>> = Vec::with_capacity(candidates.len());
            for ((node, key), &h) in (0..).zip(candidates.keys()).zip(&values) {
                if h >= C::INFINITY {
                    stats.pruned = true;
                    continue;
                }
                let f = *candidates.nodes.label(node) + h;
                if f.exceeds_whole(most) {
                    dropped.add(f);
                    continue;
                }
                ranked.push(Candidate { f, tie: mix(key), node });
            }
            let ranked_bytes =
                (ranked.capacity() * size_of::<Candidate<C>>() + values.capacity() * size_of::<C>()) as u64;
            stats.memory = stats.memory.max(table.bytes() + candidates.bytes() + ranked_bytes);
            ranked.sort_unstable();
            let kept = ranked.len().min(width.get() as usize);
            if let Some(first) = ranked.get(kept) {
                dropped.by_width = true;
                dropped.add(first.f);
            }
            layer.clear();
            for candidate in &ranked[..kept] {
                let (parent, g) = (candidates.nodes.parent(candidate.node), *candidates.nodes.label(candidate.node));
                match table.reach(candidates.key(candidate.node).clone(), parent, g) {
                    Ok(Reached::New(node)) => layer.push(node),
                    Ok(Reached::Known(node)) => {
                        table.nodes.reparent(node, parent, g);
                        layer.push(node);
                    }
                    Err(limit) => break 'search Ending::Limit(limit),
                }
            }
            layers += 1.0;
            limits.reach(layers, root_h.as_f64());
        }
        match dropped.least {
            None => Ending::Exhausted,
            Some(_) => Ending::Limit(if dropped.by_width { Limit::Width } else { Limit::Depth }),
        }
    };

    stats.memory = stats.memory.max(table.bytes());
    stats.stored = stats.stored.max(table.len() as u64);
    stats.depth = layers;
    match ending {
        Ending::Goal(goal) => {
            let (path, cost) = graph.moves_on_path(start.clone(), &table.path_to(goal));
            let cost = cost.as_f64();
            // Unless every move costs 1, states that are still open may lead to cheaper goals.
            let lower_bound = match dropped.least {
                None if facts.unit_cost => cost,
                Some(_) if facts.unit_cost => cost.min(dropped.bound(root_h)),
                _ => cost.min(root_h.as_f64()),
            };
            stats.depth = cost;
            Found { verdict: Verdict::Solved { path, cost, lower_bound }, stats }
        }
        Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats },
        Ending::Limit(limit) => {
            let lower_bound = match (limit, limits.depth) {
                (Limit::Depth, Some(depth)) if facts.unit_cost => dropped.bound(root_h).max(f64::from(depth) + 1.0),
                // Everything that was dropped is known, and nothing else is open.
                (Limit::Depth | Limit::Width, _) => dropped.bound(root_h),
                _ => root_h.as_f64(),
            };
            Found { verdict: Verdict::Limit { limit, lower_bound, best: None }, stats }
        }
    }
}

/// States whose h is computed between two looks at the limits.
const CHUNK: usize = 64;

/// The end of a search.
enum Ending {
    Goal(Node),
    Exhausted,
    Limit(Limit),
}

/// Returns a hash of a key that is the same on all machines.
fn mix<K: Hash>(key: &K) -> u64 {
    let mut mixer = Mixer(0);
    key.hash(&mut mixer);
    mixer.finish()
}

/// A hasher of little-endian words.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mixed((self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
