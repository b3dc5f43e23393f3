//! A survey of a heuristic: its value in every state that can be reached, against the exact cost to the nearest goal.
//!
//! States are numbered in breadth-first order, by the order of the legal moves. So surveys of two heuristics of one
//! puzzle number the same states alike, and the second needs only its values: it takes the states of the first. The exact costs are those of Dijkstra's algorithm from all goals over the
//! reversed edges.

use super::limits::{Limit, Limits, Watch};
use crate::space::{Cost, Key, Ordinal, Weighted};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The values of a heuristic over all states that can be reached, by their numbers in breadth-first order.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The limit that ended the survey: then it has no values.
    pub limit: Option<Limit>,
    /// The value of the heuristic.
    pub h: Vec<f64>,
    /// The states.
    pub states: Arc<States>,
    /// The number of states whose value exceeds the cost, and the first of those that are nearest to a goal.
    pub over: (u64, Option<usize>),
    /// The number of moves that lower the value by more than they cost, among states that can reach a goal, and the
    /// first of those from a state that is nearest to one.
    pub drops: (u64, Option<Drop>),
}

/// All states that can be reached, by their numbers.
#[derive(Debug, Default)]
pub struct States {
    /// The cost to the nearest goal; infinite if none can be reached.
    pub costs: Vec<f64>,
    /// The state that each state was first reached from, and the number of the move among its legal moves.
    parents: Vec<(u32, Ordinal)>,
    edges: Edges<f64>,
}

/// Values that differ by less are equal: some costs are sums of square roots.
pub const EQUAL: f64 = 1e-9;

/// A move that lowers a heuristic by more than it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drop {
    /// The state that it leads from.
    pub from: usize,
    /// The state that it leads to.
    pub to: usize,
    /// The number of the move among the legal moves.
    pub ordinal: Ordinal,
    /// Its cost.
    pub cost: f64,
}

impl States {
    /// Returns the numbers of the moves from the start to a state, each among the legal moves.
    #[must_use]
    pub fn path_to(&self, state: usize) -> Vec<Ordinal> {
        let mut path = Vec::new();
        let mut at = state;
        while at > 0 {
            let (parent, ordinal) = self.parents[at];
            path.push(ordinal);
            at = parent as usize;
        }
        path.reverse();
        path
    }
}

/// The edges of a graph, by the state that they lead from.
#[derive(Debug, Default)]
struct Edges<C> {
    /// The place of the first edge of each state.
    first: Vec<usize>,
    ends: Vec<(u32, C)>,
}

/// Surveys the heuristic of a graph, over states that are known from a survey of another heuristic, if they are given. The
/// limit on nodes is one on states. All costs are those that people see.
pub(super) fn survey<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    known: Option<&Arc<States>>,
    limits: &Limits,
) -> Survey {
    surveyed(graph, start, known, limits).unwrap_or_else(|limit| Survey { limit: Some(limit), ..Survey::default() })
}

fn surveyed<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    known: Option<&Arc<States>>,
    limits: &Limits,
) -> Result<Survey, Limit> {
    let unit = graph.facts().cost_unit;
    let mut watch = Watch::new(&Limits { nodes: None, ..limits.clone() }, graph.facts().key_heap_bytes);
    let (keys, states) = match known {
        Some(states) => (keys(graph, start, states, &mut watch)?, Arc::clone(states)),
        None => {
            let most = limits.nodes.unwrap_or(u64::MAX).min(u32::MAX.into());
            let (keys, states) = explored(graph, start, most, &mut watch)?;
            (keys, Arc::new(states))
        }
    };
    let mut values = Vec::with_capacity(keys.len());
    for some in keys.chunks(64) {
        graph.h(some, &mut values);
        watch.check_at(values.len() as u32)?;
    }
    let shown = |cost: &C| if *cost >= C::INFINITY { f64::INFINITY } else { unit.cost(cost.as_f64()) };
    let (h, costs): (Vec<f64>, _) = (values.iter().map(shown).collect(), &states.costs);
    let solvable = || (0..keys.len()).filter(|&state| costs[state].is_finite());
    let (mut count, mut first_drop): (u64, Option<Drop>) = (0, None);
    for from in solvable() {
        for (ordinal, &(to, cost)) in (0..).zip(states.edges.of(from)) {
            let to = to as usize;
            if costs[to].is_finite() && h[from] > h[to] + cost + EQUAL {
                count += 1;
                if first_drop.is_none_or(|first| costs[from] < costs[first.from]) {
                    first_drop = Some(Drop { from, to, ordinal, cost });
                }
            }
        }
    }
    Ok(Survey { limit: None, over: overestimates(&h, costs), drops: (count, first_drop), h, states })
}

/// Returns the number of states that can reach a goal and whose value exceeds the cost, and the first of those that are
/// nearest to a goal.
#[must_use]
pub fn overestimates(h: &[f64], costs: &[f64]) -> (u64, Option<usize>) {
    let over = (0..h.len()).filter(|&state| costs[state].is_finite() && h[state] > costs[state] + EQUAL);
    (over.clone().count() as u64, over.min_by(|&one, &other| costs[one].total_cmp(&costs[other])))
}

/// Returns the keys of known states.
fn keys<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    states: &States,
    watch: &mut Watch,
) -> Result<Vec<K>, Limit> {
    let mut keys = Vec::with_capacity(states.parents.len());
    keys.push(start.clone());
    let (mut children, mut expanded) = (Vec::new(), None);
    let bytes = states.parents.len() * (2 * size_of::<K>() + graph.facts().key_heap_bytes);
    for &(parent, ordinal) in states.parents.iter().skip(1) {
        if expanded.replace(parent) != Some(parent) {
            children.clear();
            graph.moves(&keys[parent as usize], &mut children);
        }
        // A graph with other moves has other states.
        let (_, key) = children.get(ordinal as usize).ok_or(Limit::Nodes)?;
        keys.push(key.clone());
        if let Some(limit) = watch.exceeded(keys.len() as u64, || bytes as u64) {
            return Err(limit);
        }
    }
    Ok(keys)
}

/// Explores all states. More than `most` of them end it, as a limit does.
fn explored<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    most: u64,
    watch: &mut Watch,
) -> Result<(Vec<K>, States), Limit> {
    let facts = graph.facts();
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let (mut keys, mut parents) = (vec![start.clone()], vec![(0, 0)]);
    numbers.insert(start.clone(), 0);
    let mut edges = Edges { first: vec![0], ends: Vec::new() };
    let mut children = Vec::new();
    let state_bytes = 2 * size_of::<K>() + 2 * facts.key_heap_bytes + 3 * size_of::<C>() + 40;
    let edge_bytes = 2 * size_of::<(u32, C)>() + size_of::<(u32, f64)>();
    let mut next = 0;
    while next < keys.len() {
        children.clear();
        graph.moves(&keys[next], &mut children);
        for (ordinal, (cost, child)) in (0..).zip(children.drain(..)) {
            let fresh = keys.len() as u32;
            let number = *numbers.entry(child).or_insert_with_key(|child| {
                keys.push(child.clone());
                parents.push((next as u32, ordinal));
                fresh
            });
            edges.ends.push((number, cost));
        }
        if keys.len() as u64 > most {
            return Err(Limit::Nodes);
        }
        edges.first.push(edges.ends.len());
        next += 1;
        let bytes = keys.len() * state_bytes + edges.ends.len() * edge_bytes;
        if let Some(limit) = watch.exceeded(next as u64, || bytes as u64) {
            return Err(limit);
        }
    }
    drop(numbers);
    let goals = (0..keys.len() as u32).filter(|&number| graph.is_goal(&keys[number as usize]));
    let costs = edges.costs_to(goals);
    let shown = |cost: C| if cost >= C::INFINITY { f64::INFINITY } else { facts.cost_unit.cost(cost.as_f64()) };
    let ends = edges.ends.into_iter().map(|(to, cost)| (to, shown(cost))).collect();
    let costs = costs.into_iter().map(shown).collect();
    Ok((keys, States { costs, parents, edges: Edges { first: edges.first, ends } }))
}

impl<C> Edges<C> {
    fn of(&self, state: usize) -> &[(u32, C)] {
        &self.ends[self.first[state]..self.first[state + 1]]
    }
}

impl<C: Cost> Edges<C> {
    /// Returns the cost from each state to the nearest goal.
    fn costs_to(&self, goals: impl Iterator<Item = u32>) -> Vec<C> {
        let states = self.first.len() - 1;
        // The edges by their ends, in the order of counting sort.
        let mut first = vec![0; states + 1];
        self.ends.iter().for_each(|&(to, _)| first[to as usize + 1] += 1);
        (0..states).for_each(|state| first[state + 1] += first[state]);
        let mut reversed = vec![(0, C::ZERO); self.ends.len()];
        let mut place = first.clone();
        for from in 0..states {
            for &(to, cost) in self.of(from) {
                reversed[place[to as usize]] = (from as u32, cost);
                place[to as usize] += 1;
            }
        }
        let mut costs = vec![C::INFINITY; states];
        let mut open: BinaryHeap<Reverse<(C, u32)>> = BinaryHeap::new();
        for goal in goals {
            costs[goal as usize] = C::ZERO;
            open.push(Reverse((C::ZERO, goal)));
        }
        while let Some(Reverse((cost, state))) = open.pop() {
            if cost > costs[state as usize] {
                continue;
            }
            for &(from, step) in &reversed[first[state as usize]..first[state as usize + 1]] {
                let through = cost + step;
                if through < costs[from as usize] {
                    costs[from as usize] = through;
                    open.push(Reverse((through, from)));
                }
            }
        }
        costs
    }
}
