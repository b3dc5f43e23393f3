//! Conflicts: two tokens that need more steps together than each of them needs alone.
//!
//! In the task of two tokens and the mover, with all else removed, the *excess* of a state is the least cost of taking
//! both to two targets, less their distances to these targets, over all pairs of targets of one goal. Linear conflicts
//! of sliding tiles (Hansson, Mayer and Yung 1992) and of Sokoban (Junghanns and Schaeffer 2001) are cases of it.
//!
//! Let x(t) be what the steps of a token t cost in some solution beyond its distance to the target on which it ends.
//! These distances are those of a matching, and x(t) + x(u) is at least the excess of t and u. So the least cost of a
//! matching and the least sum of such x is a lower bound (with integers: a weighted vertex cover, Felner, Korf and
//! Hanan 2004). The least sum of real numbers is half the greatest sum of excesses in an assignment of tokens to
//! tokens, by duality.
//!
//! A search backwards from each pair of targets finds the excess of all states. A step costs there what it adds to the
//! cost and the distances together: never less than 0, since distances are consistent. A state is a region of the
//! mover, and both tokens must be equally far from their targets with the mover anywhere in it. Where some changes of
//! the mover cannot be undone, that may not be so, and there are no conflicts.

use super::moves::{FAR, NOWHERE, Targets};
use super::places::Places;
use super::projection::Projection;
use super::{Assignment, DEAD};
use crate::search::Named;

/// The name of this reduction.
pub const CONFLICTS: Named = Named {
    name: "conflicts",
    summary: "bounds with the moves that two pieces need together beyond those of each alone",
};

/// The most pairs of places times values of the mover, and the most steps of the searches.
const MOST_STATES: usize = 1 << 23;
const MOST_STEPS: u64 = 1 << 27;

/// The excess of a state from which the searches reach no two targets.
const NONE: u8 = u8::MAX;

/// The task of the tokens that are no walls, and their distances to targets.
pub struct Task<'a, const N: usize> {
    pub projection: &'a Projection<N>,
    pub walls: &'a Places<N>,
    /// The number of places, and of values of the mover.
    pub places: usize,
    pub values: usize,
    /// The places from which a token reaches a target, in ascending order.
    pub used: &'a [usize],
    /// For each place and value of the mover, the node of a token.
    pub node_of: &'a [u32],
    pub goals: &'a [Targets],
}

/// The excess of each pair of places and value of the mover.
pub(super) struct Conflicts<const N: usize> {
    places: usize,
    values: usize,
    /// For each value of the mover and each place, the places of second tokens with an excess.
    with: Vec<Places<N>>,
    /// For each pair of places and value of the mover.
    excess: Vec<u8>,
    /// True if pairs without an excess reach no two targets, and not just at a cost too great to be stored.
    are_dead: bool,
}

/// A state of two tokens.
struct State {
    /// The places, the lesser one first.
    places: [usize; 2],
    /// A value of the mover's region.
    mover: usize,
    /// The steps to it.
    into: Vec<Back>,
}

/// A step backwards.
struct Back {
    before: u32,
    cost: u32,
    /// True if the token at the lesser place before is at the greater one after.
    crosses: bool,
}

/// Returns the number of a pair of places.
fn number(one: usize, other: usize) -> usize {
    let (less, more) = (one.min(other), one.max(other));
    more * (more - 1) / 2 + less
}

impl<const N: usize> Task<'_, N> {
    /// Returns about how many steps the searches take.
    pub fn steps(&self) -> u64 {
        let targets: usize = self.goals.iter().map(|goal| goal.places.len() * goal.places.len()).sum();
        (2 * targets * self.used.len() * self.used.len()) as u64
    }

    fn for_each_pair(&self, mut each: impl FnMut(usize, usize)) {
        for (at, &more) in self.used.iter().enumerate() {
            self.used[..at].iter().for_each(|&less| each(less, more));
        }
    }

    /// Returns the states, and the number of each pair of places and value of the mover; none if the distances of a
    /// token differ within a region.
    fn states(&self) -> Option<(Vec<State>, Vec<u32>)> {
        let values = self.values;
        let mut state_of = vec![NOWHERE; self.places * (self.places - 1) / 2 * values];
        let mut states: Vec<State> = Vec::new();
        let mut are_whole = true;
        self.for_each_pair(|less, more| {
            let mut tokens = *self.walls;
            tokens.insert(less);
            tokens.insert(more);
            let numbers = &mut state_of[number(less, more) * values..][..values];
            for mover in self.projection.open(&tokens).iter() {
                let is_possible = [less, more].iter().all(|&place| self.node_of[place * values + mover] != NOWHERE);
                if is_possible && numbers[mover] == NOWHERE {
                    let region = self.projection.region(&tokens, mover);
                    let node = |place: usize, value: usize| self.node_of[place * values + value];
                    let is_like = |value: usize| {
                        [less, more].iter().all(|&place| [node(place, mover), NOWHERE].contains(&node(place, value)))
                    };
                    are_whole &= region.iter().all(is_like);
                    region.iter().for_each(|value| numbers[value] = states.len() as u32);
                    states.push(State { places: [less, more], mover, into: Vec::new() });
                }
            }
        });
        self.for_each_pair(|less, more| {
            for (from, stays) in [(less, more), (more, less)] {
                for step in &self.projection.steps[from] {
                    if step.to == stays || step.without.contains(stays) || step.without.meets(self.walls) {
                        continue;
                    }
                    let before = state_of[number(less, more) * values + step.before];
                    let after = state_of[number(step.to, stays) * values + step.after];
                    if before != NOWHERE && after != NOWHERE {
                        let crosses = (from < stays) != (step.to < stays);
                        states[after as usize].into.push(Back { before, cost: step.cost, crosses });
                    }
                }
            }
        });
        are_whole.then_some((states, state_of))
    }
}

impl<const N: usize> Conflicts<N> {
    /// Finds the excesses; none if that takes too many states or steps.
    pub fn new(task: &Task<N>) -> Option<Conflicts<N>> {
        let (places, values) = (task.places, task.values);
        if places * places / 2 * values > MOST_STATES || task.steps() > MOST_STEPS {
            return None;
        }
        let (states, state_of) = task.states()?;
        let mut least = vec![NONE; states.len()];
        let mut is_complete = true;
        for goal in task.goals {
            is_complete &= find(task, goal, &states, &state_of, &mut least);
        }
        let mut with = vec![Places::default(); values * places];
        let mut excess = vec![0; state_of.len()];
        task.for_each_pair(|less, more| {
            for mover in 0..values {
                let at = number(less, more) * values + mover;
                if state_of[at] != NOWHERE && least[state_of[at] as usize] > 0 {
                    excess[at] = least[state_of[at] as usize];
                    with[mover * places + less].insert(more);
                    with[mover * places + more].insert(less);
                }
            }
        });
        Some(Conflicts { places, values, with, excess, are_dead: is_complete })
    }

    /// Returns the least sum of what tokens need beyond their distances; [`DEAD`] if two tokens never both reach
    /// targets.
    pub fn excess(&self, tokens: &Places<N>, mover: usize, assignment: &mut Assignment) -> u32 {
        let row = &self.with[mover * self.places..][..self.places];
        let has_conflict = |place: usize| row[place].meets(tokens);
        let some: Places<N> = tokens.iter().filter(|&place| has_conflict(place)).collect();
        if some.is_empty() {
            return 0;
        }
        assignment.begin(some.len());
        for one in some.iter() {
            let excess = |other: usize| match row[one].contains(other) {
                true => self.excess[number(one, other) * self.values + mover],
                false => 0,
            };
            if self.are_dead && some.iter().any(|other| excess(other) == NONE) {
                return DEAD;
            }
            let is_possible = assignment.add_row(some.iter().map(|other| -i32::from(excess(other))));
            assert!(is_possible, "every token may be alone");
        }
        (-assignment.total() as u32).div_ceil(2)
    }

    pub fn bytes(&self) -> u64 {
        (self.with.len() * size_of::<Places<N>>() + self.excess.len()) as u64
    }
}

/// Lowers the excess of all states by searches backwards from each pair of targets of a goal; returns false if an
/// excess was too great to be stored.
fn find<const N: usize>(task: &Task<N>, goal: &Targets, states: &[State], state_of: &[u32], least: &mut [u8]) -> bool {
    let rows: Vec<[&[u16]; 2]> = states
        .iter()
        .map(|state| state.places.map(|place| goal.distances(task.node_of[place * task.values + state.mover])))
        .collect();
    let mut is_complete = true;
    // Two entries for each state: the first target is that of the token at the lesser place, or of the other one.
    let mut excess: Vec<u8> = Vec::new();
    let mut open: Vec<Vec<u32>> = vec![Vec::new()];
    for (first, &place) in goal.places.iter().enumerate() {
        for (second, &other) in goal.places[..first].iter().enumerate() {
            let distances = |at: usize| {
                let [less, more] = rows[at / 2];
                let (one, other) = if at.is_multiple_of(2) { (first, second) } else { (second, first) };
                match (less[one], more[other]) {
                    (FAR, _) | (_, FAR) => None,
                    (one, other) => Some(u32::from(one) + u32::from(other)),
                }
            };
            excess.clear();
            excess.resize(2 * states.len(), NONE);
            let ends = &state_of[number(place.into(), other.into()) * task.values..][..task.values];
            let ends = ends.iter().filter(|&&state| state != NOWHERE);
            open[0].extend(ends.map(|state| 2 * state + u32::from(place > other)));
            let mut now = 0;
            while now < open.len() {
                while let Some(at) = open[now].pop() {
                    let at = at as usize;
                    if usize::from(excess[at]) <= now {
                        continue;
                    }
                    excess[at] = now as u8;
                    least[at / 2] = least[at / 2].min(now as u8);
                    let Some(after) = distances(at) else { continue };
                    for back in &states[at / 2].into {
                        let before = 2 * back.before as usize + ((at % 2) ^ usize::from(back.crosses));
                        let Some(distances) = distances(before) else { continue };
                        let through = now + (after + back.cost).saturating_sub(distances) as usize;
                        if through >= usize::from(NONE) {
                            is_complete = false;
                        } else if through < usize::from(excess[before]) {
                            if open.len() <= through {
                                open.resize(through + 1, Vec::new());
                            }
                            open[through].push(before as u32);
                        }
                    }
                }
                now += 1;
            }
        }
    }
    is_complete
}
