//! Dead pairs: two tokens that never both reach targets, found by exhaustive search of the task that forgets all other
//! tokens.
//!
//! A state of that task is two places and the mover's value. It is alive if operators lead from it to two targets of
//! one goal. Forgetting the other tokens only helps, so a state with a dead pair is a dead end.

use super::moves::{ProjectedStep, Stay, Targets};
use super::places::Places;
use crate::search::{BuildContext, Named};
use crate::task::Value;

/// The name of this reduction.
pub const DEAD_PAIRS: Named =
    Named { name: "dead-pairs", summary: "no positions with two pieces that never both reach targets" };

/// The most states of the task of two tokens.
const MOST_STATES: usize = 1 << 23;

/// For each value of the mover and each place, the places at which a second token makes a dead pair.
pub(super) struct DeadPairs<const N: usize> {
    places: usize,
    dead: Vec<Places<N>>,
}

impl<const N: usize> DeadPairs<N> {
    /// Finds the dead pairs of tokens, given the numbers of places and of values of the mover; none if there are too many
    /// states or a limit ends the work.
    pub fn new(
        places: usize,
        values: usize,
        goals: &[Targets],
        steps: &[ProjectedStep<N>],
        stays: &[Stay<N>],
        context: &BuildContext,
    ) -> Option<DeadPairs<N>> {
        if places * places / 2 * values > MOST_STATES {
            return None;
        }
        let number = |one: usize, other: usize| {
            let (less, more) = (one.min(other), one.max(other));
            more * (more - 1) / 2 + less
        };
        let pairs = places * (places - 1) / 2;
        // The steps into each pair of a place and a value of the mover, and the changes of the mover into each value.
        let mut steps_into: Vec<Vec<&ProjectedStep<N>>> = vec![Vec::new(); places * values];
        let mut stays_into: Vec<Vec<&Stay<N>>> = vec![Vec::new(); values];
        steps.iter().for_each(|step| steps_into[step.to * values + step.after].push(step));
        stays.iter().for_each(|stay| stays_into[usize::from(stay.after)].push(stay));
        let mut alive = vec![false; pairs * values];
        let mut stack: Vec<(usize, usize, Value)> = Vec::new();
        for goal in goals {
            for (at, &one) in goal.places.iter().enumerate() {
                for &other in &goal.places[at + 1..] {
                    let (one, other) = (usize::from(one), usize::from(other));
                    for value in 0..values {
                        let state = &mut alive[number(one, other) * values + value];
                        if !std::mem::replace(state, true) {
                            stack.push((one, other, value as Value));
                        }
                    }
                }
            }
        }
        let mut popped = 0_u32;
        while let Some((one, other, value)) = stack.pop() {
            popped += 1;
            if popped.is_multiple_of(1 << 16) && context.should_stop() {
                return None;
            }
            let mut reach = |one: usize, other: usize, value: Value| {
                let state = &mut alive[number(one, other) * values + usize::from(value)];
                if !std::mem::replace(state, true) {
                    stack.push((one, other, value));
                }
            };
            for stay in &stays_into[usize::from(value)] {
                if !stay.without.contains(one) && !stay.without.contains(other) {
                    reach(one, other, stay.before);
                }
            }
            for (moved, stayed) in [(one, other), (other, one)] {
                for step in &steps_into[moved * values + usize::from(value)] {
                    if step.from != stayed && !step.without.contains(stayed) {
                        reach(step.from, stayed, step.before as Value);
                    }
                }
            }
        }
        let mut dead = vec![Places::default(); values * places];
        for one in 0..places {
            for other in 0..one {
                for value in (0..values).filter(|&value| !alive[number(one, other) * values + value]) {
                    dead[value * places + one].insert(other);
                    dead[value * places + other].insert(one);
                }
            }
        }
        Some(DeadPairs { places, dead })
    }

    /// Returns whether some two of these tokens are a dead pair.
    #[inline]
    pub fn are_in(&self, tokens: &Places<N>, mover: Value) -> bool {
        let row = &self.dead[usize::from(mover) * self.places..][..self.places];
        tokens.iter().any(|place| row[place].meets(tokens))
    }

    /// Returns the pairs that are dead with some value of the mover, without those that have one of `except`, each with
    /// these values.
    pub fn list(&self, except: &Places<N>) -> Vec<([usize; 2], Places<N>)> {
        let used: Vec<usize> = (0..self.places).filter(|&place| !except.contains(place)).collect();
        let values = self.dead.len() / self.places;
        let mut all = Vec::new();
        for (at, &one) in used.iter().enumerate() {
            for &other in &used[..at] {
                let is_dead = |&value: &usize| self.dead[value * self.places + one].contains(other);
                let values: Places<N> = (0..values).filter(is_dead).collect();
                if !values.is_empty() {
                    all.push(([other, one], values));
                }
            }
        }
        all
    }

    /// Returns the number of pairs that are dead wherever the mover is, without those that have one of `except`.
    pub fn count(&self, except: &Places<N>) -> usize {
        let always = |place: usize| {
            let rows = self.dead.iter().skip(place).step_by(self.places);
            rows.copied().reduce(|one, other| one.and(&other)).unwrap_or_default()
        };
        let counted = (0..self.places).filter(|&place| !except.contains(place));
        counted
            .map(|place| always(place).iter().filter(|&other| other < place && !except.contains(other)).count())
            .sum()
    }

    pub fn bytes(&self) -> u64 {
        (self.dead.len() * size_of::<Places<N>>()) as u64
    }
}
