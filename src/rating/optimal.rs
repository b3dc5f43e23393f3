//! The cheapest solutions, as a graph without circles: their number, how lucky one must be to find one by chance, and
//! the states that all of them pass.

use super::explored::{EQUAL, Explored};
use rustc_hash::FxHashMap;

/// The states on cheapest solutions, by decreasing cost to a goal: each after all that lead to it.
pub struct Optimal {
    pub states: Vec<OptimalState>,
    /// The number of cheapest solutions.
    pub solutions: f64,
    /// The probability that a player who chooses among all moves at random makes only moves of cheapest solutions.
    pub chance: f64,
    /// The states, apart from the start and the goals, that every cheapest solution passes.
    pub bottlenecks: usize,
}

/// A state on a cheapest solution.
pub struct OptimalState {
    pub state: u32,
    /// The places in the list of the states that cheapest moves lead to.
    pub next: Vec<usize>,
    /// The number of moves, and of those that lead to a dead end.
    pub moves: usize,
    pub fatal: usize,
    /// The number of the latter that the heuristic takes for alive.
    pub hidden: usize,
    /// The share of the cheapest solutions that pass it.
    pub share: f64,
}

impl Optimal {
    /// Returns the cheapest solutions of an explored space; `None` if there are none, or endlessly many.
    pub fn of(explored: &mut Explored) -> Option<Optimal> {
        let costs = explored.costs.take()?;
        let optimal = Optimal::with_costs(explored, &costs);
        explored.costs = Some(costs);
        optimal
    }

    fn with_costs(explored: &mut Explored, costs: &[f64]) -> Option<Optimal> {
        if !costs[0].is_finite() {
            return None;
        }
        let leads = |from: u32, to: u32, cost: f64| (cost + costs[to as usize] - costs[from as usize]).abs() < EQUAL;
        let mut found = vec![0_u32];
        let mut place: FxHashMap<u32, usize> = FxHashMap::from_iter([(0, 0)]);
        let mut at = 0;
        while at < found.len() {
            let from = found[at];
            at += 1;
            if costs[from as usize] == 0.0 {
                continue;
            }
            for &(to, cost) in explored.states.successors(from) {
                if leads(from, to, cost) {
                    // Free moves on the way could go round in circles.
                    if cost == 0.0 {
                        return None;
                    }
                    place.entry(to).or_insert_with(|| {
                        found.push(to);
                        0
                    });
                }
            }
        }
        found.sort_by(|one, other| costs[*other as usize].total_cmp(&costs[*one as usize]).then(one.cmp(other)));
        found.iter().enumerate().for_each(|(number, state)| {
            place.insert(*state, number);
        });
        let state = |&state: &u32| {
            let is_end = costs[state as usize] == 0.0;
            let edges = explored.states.successors(state);
            let next = edges.iter().filter(|(to, cost)| !is_end && leads(state, *to, *cost));
            let next = next.map(|(to, _)| place[to]).collect();
            let (moves, fatal) = (edges.len(), edges.iter().filter(|(to, _)| costs[*to as usize].is_infinite()));
            let fatal: Vec<u32> = fatal.map(|(to, _)| *to).collect();
            let hidden = fatal.iter().filter(|&&to| explored.states.h(to).is_finite()).count();
            OptimalState { state, next, moves, fatal: fatal.len(), hidden, share: 0.0 }
        };
        let mut states: Vec<OptimalState> = found.iter().map(state).collect();
        let (mut paths, mut chances) = (vec![0.0; states.len()], vec![0.0; states.len()]);
        for (number, state) in states.iter().enumerate().rev() {
            if state.next.is_empty() {
                (paths[number], chances[number]) = (1.0, 1.0);
            } else {
                paths[number] = state.next.iter().map(|&next| paths[next]).sum();
                let chance: f64 = state.next.iter().map(|&next| chances[next]).sum();
                chances[number] = chance / state.moves as f64;
            }
        }
        states[0].share = 1.0;
        for number in 0..states.len() {
            for at in 0..states[number].next.len() {
                let next = states[number].next[at];
                states[next].share += states[number].share * paths[next] / paths[number];
            }
        }
        let inner = |state: &&OptimalState| state.state != 0 && !state.next.is_empty();
        let bottlenecks = states.iter().filter(inner).filter(|state| state.share > 1.0 - EQUAL).count();
        Some(Optimal { solutions: paths[0], chance: chances[0], bottlenecks, states })
    }
}
