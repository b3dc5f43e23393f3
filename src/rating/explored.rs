//! The state space that a rating measures: explored as a whole, or, if it has too many states, as much of it as players see.

use crate::domain::{NumberedStates, Searchable};
use crate::search::{Limit, Limits, Stop};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs that differ by less are equal: some are sums of square roots.
pub const EQUAL: f64 = 1e-9;

/// The expansions between two looks at the clock.
const CHECK_EVERY: usize = 256;

/// The states of a puzzle.
pub struct Explored {
    pub states: Box<dyn NumberedStates>,
    /// The least cost from each state to a goal, infinite at dead ends; `None` if not all states were expanded.
    pub costs: Option<Vec<f64>>,
    /// True if time ended the exploration.
    pub is_cut: bool,
    /// When to end; later work may have another time.
    pub stop: Stop,
    memory: usize,
}

/// Returns the limits of work that may take two thirds of the time, so that something is left for what follows.
pub fn most(limits: &Limits) -> Limits {
    Limits { time: limits.time.map(|time| time / 3 * 2), ..limits.clone() }
}

impl Explored {
    /// Expands all states if there are at most `most_states`, and if that takes at most two thirds of the time. Otherwise
    /// only some have been expanded.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(space: &dyn Searchable, most_states: usize, limits: &Limits) -> Result<Explored, Limit> {
        let memory = limits.memory.map_or(usize::MAX, |memory| usize::try_from(memory).unwrap_or(usize::MAX));
        let (stop, all) = (most(limits).stop(), limits.stop());
        let mut explored = Explored { states: space.numbered(), costs: None, is_cut: false, stop, memory };
        match explored.expand(most_states) {
            Ok(true) => explored.costs = Some(explored.costs_to_goals()),
            Ok(false) => {}
            Err(Limit::Time) => explored.is_cut = true,
            Err(limit) => return Err(limit),
        }
        explored.stop = all;
        Ok(explored)
    }

    /// Expands states until none is left, or until there are more than `most`; returns whether none is left.
    fn expand(&mut self, most: usize) -> Result<bool, Limit> {
        let mut next = 0;
        while next < self.states.count() {
            if self.states.count() > most {
                return Ok(false);
            }
            self.check(next)?;
            self.states.successors(next as u32);
            next += 1;
        }
        Ok(true)
    }

    /// Returns an error if a limit is reached; looks now and then, by the number of a step.
    pub fn check(&self, step: usize) -> Result<(), Limit> {
        if !step.is_multiple_of(CHECK_EVERY) {
            return Ok(());
        }
        if self.states.bytes() > self.memory {
            return Err(Limit::Memory);
        }
        self.stop.now().map_or(Ok(()), Err)
    }

    /// Adds the dead ends that a move from a state leads to, if the heuristic does not see them and they are new.
    pub fn hidden(&mut self, from: u32, costs: &[f64], seen: &mut [bool], to: &mut Vec<u32>) {
        let next = self.states.successors(from).to_vec();
        for (state, _) in next {
            let is_hidden = costs[state as usize].is_infinite() && self.states.h(state).is_finite();
            if is_hidden && !std::mem::replace(&mut seen[state as usize], true) {
                to.push(state);
            }
        }
    }

    /// Returns the cost from each state to the nearest goal, by Dijkstra's algorithm against the moves.
    fn costs_to_goals(&mut self) -> Vec<f64> {
        let count = self.states.count();
        // The edges by their ends, in the order of counting sort.
        let mut first = vec![0_u32; count + 1];
        for state in 0..count {
            for &(to, _) in self.states.successors(state as u32) {
                first[to as usize + 1] += 1;
            }
        }
        for state in 0..count {
            first[state + 1] += first[state];
        }
        let mut place = first.clone();
        let mut back = vec![(0_u32, 0.0); first[count] as usize];
        for state in 0..count {
            for &(to, cost) in self.states.successors(state as u32) {
                back[place[to as usize] as usize] = (state as u32, cost);
                place[to as usize] += 1;
            }
        }
        let mut costs = vec![f64::INFINITY; count];
        // The bits of numbers that are not negative are in the order of the numbers.
        let mut open = BinaryHeap::new();
        for goal in (0..count as u32).filter(|&state| self.states.is_goal(state)) {
            costs[goal as usize] = 0.0;
            open.push(Reverse((0_u64, goal)));
        }
        while let Some(Reverse((bits, state))) = open.pop() {
            let cost = f64::from_bits(bits);
            if cost > costs[state as usize] {
                continue;
            }
            for &(before, more) in &back[first[state as usize] as usize..first[state as usize + 1] as usize] {
                let sum = cost + more;
                if sum < costs[before as usize] {
                    costs[before as usize] = sum;
                    open.push(Reverse((sum.to_bits(), before)));
                }
            }
        }
        costs
    }
}
