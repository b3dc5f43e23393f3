//! The number of cheapest solutions where some moves cost nothing, such as walks. States that free moves join are one
//! *class*, and solutions are paths of classes. A search backwards from all goals knows how far each state is from
//! one, so every path that is followed from the start ends at a goal: counting ends as soon as there are too many.

use super::{NO_PARENT, Run, Scratch, Starts, States, state_hash};
use crate::task::{Goal, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

impl Starts {
    /// Returns the number of cheapest solutions from a start whose least cost is known; `most` if there are as many or
    /// more. `None` if moves have no inverse, or if `most_states` are not enough.
    #[must_use]
    pub fn solutions(&self, start: &[Value], goals: &[Goal], cost: u64, most_states: u64, most: u64) -> Option<u64> {
        let ends = self.goals_of_room(start, goals)?;
        let Run { known, .. } = self.backwards()?.run(&ends, &[], None, Some(cost + 1), most_states);
        let start: Vec<u8> = start.iter().map(|value| *value as u8).collect();
        let hash = state_hash(&start);
        let number = known.find(&start, hash)? as usize;
        if !known.is_closed[number] || known.costs[number] != cost {
            return None;
        }
        let mut classes = Classes {
            starts: self,
            active: self.active(&start),
            to_goal: &known,
            states: States::new(start.len()),
            class: Vec::new(),
            onward: Vec::new(),
            scratch: Scratch::default(),
        };
        classes.count(&start, hash, cost, most)
    }
}

/// A state and its hash.
type Hashed = (Vec<u8>, u64);

/// The classes found so far.
struct Classes<'a> {
    starts: &'a Starts,
    active: Vec<usize>,
    /// The costs to a goal.
    to_goal: &'a States,
    /// The states of all classes, and the class of each.
    states: States,
    class: Vec<u32>,
    /// For each class the costs of moves to states nearer to a goal by just these, and the states.
    onward: Vec<Vec<(u64, Hashed)>>,
    scratch: Scratch,
}

impl Classes<'_> {
    /// Counts the paths from a state at this cost from a goal, but no more than `most`.
    fn count(&mut self, state: &[u8], hash: u64, cost: u64, most: u64) -> Option<u64> {
        // By the cost that is left: the paths to each class.
        let mut open: BTreeMap<u64, BTreeMap<u32, u64>> = BTreeMap::new();
        open.entry(cost).or_default().insert(self.class_of(state, hash, cost)?, 1);
        let mut all = 1_u64;
        while let Some((left, classes)) = open.pop_last().filter(|(left, _)| *left > 0) {
            for (class, paths) in classes {
                let mut next = BTreeSet::new();
                for (cost, (state, hash)) in take(&mut self.onward[class as usize]) {
                    next.insert((left - cost, self.class_of(&state, hash, left - cost)?));
                }
                all = (all - paths).saturating_add(paths.saturating_mul(next.len() as u64));
                if all >= most {
                    return Some(most);
                }
                for (left, class) in next {
                    *open.entry(left).or_default().entry(class).or_default() += paths;
                }
            }
        }
        Some(all)
    }

    /// Returns the class of a state at this cost from a goal; `None` if a free move has no inverse.
    fn class_of(&mut self, state: &[u8], hash: u64, left: u64) -> Option<u32> {
        if let Some(number) = self.states.find(state, hash) {
            return Some(self.class[number as usize]);
        }
        let (class, first) = (self.onward.len() as u32, self.class.len() as u32);
        let (mut onward, mut free) = (Vec::new(), BTreeSet::new());
        self.states.add(state, hash, 0, 1, NO_PARENT);
        self.class.push(class);
        let mut number = first;
        while (number as usize) < self.class.len() {
            let (state, hash) = (self.states.state(number).to_vec(), self.states.hashes[number as usize]);
            let (to_goal, states, of) = (self.to_goal, &mut self.states, &mut self.class);
            self.starts.each_successor(&self.active, &state, hash, &mut self.scratch, |by, next, hash| {
                let cost = self.starts.operators[by as usize].cost;
                if cost == 0 {
                    let known = states.find(next, hash);
                    let other = known.or_else(|| states.add(next, hash, 0, 1, NO_PARENT)).unwrap_or(number);
                    if known.is_none() {
                        of.push(class);
                    }
                    free.insert((number, other));
                } else if to_goal
                    .find(next, hash)
                    .is_some_and(|next| to_goal.is_closed[next as usize] && to_goal.costs[next as usize] + cost == left)
                {
                    onward.push((cost, (next.to_vec(), hash)));
                }
            });
            number += 1;
        }
        self.onward.push(onward);
        free.iter().all(|&(one, other)| other >= first && free.contains(&(other, one))).then_some(class)
    }
}
