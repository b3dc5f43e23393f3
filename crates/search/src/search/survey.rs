//! A survey of a heuristic: its value in every state that can be reached, against the exact cost to the nearest goal.
//!
//! States are numbered in breadth-first order, by the order of the legal moves. So surveys of two heuristics of one
//! puzzle number the same states alike. The exact costs are those of Dijkstra's algorithm from all goals over the
//! reversed edges.

use super::limits::{Limit, Limits, Watch};
use crate::space::{Cost, CostUnit, Key, Ordinal, Weighted};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The values of a heuristic over all states that can be reached, by their numbers in breadth-first order.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The limit that ended the survey: then it has no values.
    pub limit: Option<Limit>,
    /// The value of the heuristic.
    pub h: Vec<f64>,
    /// The cost to the nearest goal; infinite if none can be reached.
    pub costs: Vec<f64>,
    /// The number of states whose value exceeds the cost, and the first of those that are nearest to a goal.
    pub over: (u64, Option<usize>),
    /// The number of moves that lower the value by more than they cost, among states that can reach a goal, and the
    /// first of those from a state that is nearest to one.
    pub drops: (u64, Option<Drop>),
    /// The state that each state was first reached from, and the number of the move among its legal moves.
    parents: Vec<(u32, Ordinal)>,
}

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

impl Survey {
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

    /// Converts the costs to those that people see.
    #[must_use]
    pub fn in_unit(mut self, unit: CostUnit) -> Survey {
        self.h.iter_mut().chain(&mut self.costs).for_each(|cost| *cost = unit.cost(*cost));
        if let Some(drop) = &mut self.drops.1 {
            drop.cost = unit.cost(drop.cost);
        }
        self
    }
}

/// The edges of a graph, by the state that they lead from.
struct Edges<C> {
    /// The place of the first edge of each state.
    first: Vec<usize>,
    ends: Vec<(u32, C)>,
}

/// Surveys the heuristic of a graph. The limit on nodes is one on states.
pub(super) fn survey<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> Survey {
    surveyed(graph, start, limits).unwrap_or_else(|limit| Survey { limit: Some(limit), ..Survey::default() })
}

fn surveyed<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> Result<Survey, Limit> {
    let mut watch = Watch::new(&Limits { nodes: None, ..limits.clone() }, graph.facts().key_heap_bytes);
    let most = limits.nodes.unwrap_or(u64::MAX).min(u32::MAX.into());
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let (mut keys, mut parents) = (vec![start.clone()], vec![(0, 0)]);
    numbers.insert(start.clone(), 0);
    let mut edges = Edges { first: vec![0], ends: Vec::new() };
    let mut children = Vec::new();
    let state_bytes = 2 * size_of::<K>() + 2 * graph.facts().key_heap_bytes + 3 * size_of::<C>() + 40;
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
        let bytes = keys.len() * state_bytes + edges.ends.len() * 2 * size_of::<(u32, C)>();
        if let Some(limit) = watch.exceeded(next as u64, || bytes as u64) {
            return Err(limit);
        }
    }
    drop(numbers);
    let goals = (0..keys.len() as u32).filter(|&number| graph.is_goal(&keys[number as usize]));
    let costs = edges.costs_to(goals);
    let mut h = Vec::with_capacity(keys.len());
    for some in keys.chunks(64) {
        graph.h(some, &mut h);
        watch.check_at(h.len() as u32)?;
    }
    let can_reach = |state: usize| costs[state] < C::INFINITY;
    let over = (0..keys.len()).filter(|&state| can_reach(state) && h[state] > costs[state]);
    let first_over = over.clone().min_by_key(|&state| costs[state]);
    let (mut count, mut first_drop) = (0, None);
    for from in (0..keys.len()).filter(|&state| can_reach(state)) {
        for (ordinal, &(to, cost)) in (0..).zip(edges.of(from)) {
            let to = to as usize;
            if can_reach(to) && h[from] > h[to] + cost {
                count += 1;
                if first_drop.is_none_or(|(first, _): (C, _)| costs[from] < first) {
                    first_drop = Some((costs[from], Drop { from, to, ordinal, cost: cost.as_f64() }));
                }
            }
        }
    }
    let shown = |cost: &C| if *cost >= C::INFINITY { f64::INFINITY } else { cost.as_f64() };
    Ok(Survey {
        limit: None,
        over: (over.count() as u64, first_over),
        drops: (count, first_drop.map(|(_, drop)| drop)),
        h: h.iter().map(shown).collect(),
        costs: costs.iter().map(shown).collect(),
        parents,
    })
}

impl<C: Cost> Edges<C> {
    fn of(&self, state: usize) -> &[(u32, C)] {
        &self.ends[self.first[state]..self.first[state + 1]]
    }

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
