//! Heuristics that the caller of the library gives: functions of positions.
//!
//! A puzzle with such a heuristic is searched as a [graph of discovered states](super::discovered), whose successors are
//! those of the puzzle's own space. Nothing is known of the function, as of a [heuristic of a file](OwnHeuristic).

use super::discovered::{Discovered, Step, discovered};
use super::goal_view::GoalView;
use super::own_heuristic::{GREATEST_H, OwnHeuristic};
use super::{HeuristicFacts, Notation, Searchable, Style};
use crate::picture::Picture;
use crate::search::Stored;
use crate::space::{Cost, Facts, Length};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// A function from positions to their values.
type Evaluate = dyn Fn(&[&dyn Searchable]) -> Vec<f64> + Send + Sync;

/// A heuristic that the caller gives.
pub struct GivenHeuristic {
    own: OwnHeuristic,
    batch: usize,
    evaluate: Box<Evaluate>,
}

impl GivenHeuristic {
    /// Creates a heuristic. `evaluate` returns the value of each position; it gets at most `batch` of them in one call, if
    /// it is 1 or more than are new otherwise.
    pub fn new(
        name: &str,
        batch: usize,
        evaluate: impl Fn(&[&dyn Searchable]) -> Vec<f64> + Send + Sync + 'static,
    ) -> GivenHeuristic {
        GivenHeuristic { own: OwnHeuristic::new(name), batch: batch.max(1), evaluate: Box::new(evaluate) }
    }

    /// Returns its facts.
    #[must_use]
    pub fn facts(&self) -> &'static HeuristicFacts {
        self.own.facts
    }

    /// Returns the number of values so far that were undefined, negative, or above [`GREATEST_H`].
    #[must_use]
    pub fn changed(&self) -> [u64; 3] {
        self.own.changed()
    }

    /// Returns a puzzle with this heuristic instead of its own.
    #[must_use]
    pub fn guide(self: &Arc<Self>, start: Box<dyn Searchable>) -> Box<dyn Searchable> {
        match start.has_whole_costs() {
            true => guided::<u32>(self, start),
            false => guided::<Length>(self, start),
        }
    }

    /// Returns h for a value, as that of a heuristic of a file: 0 if it is undefined or negative.
    fn h_of(&self, value: f64) -> f64 {
        if (0.0..=f64::from(GREATEST_H)).contains(&value) {
            return value;
        }
        let changed = match value {
            _ if value.is_nan() => None,
            ..0.0 => Some(-1),
            _ => Some(i64::MAX),
        };
        f64::from(self.own.h_of(changed))
    }
}

fn guided<C: Cost>(heuristic: &Arc<GivenHeuristic>, start: Box<dyn Searchable>) -> Box<dyn Searchable>
where
    u32: Stored<C>,
{
    let facts = Facts {
        unit_cost: start.has_unit_costs(),
        free_moves: start.has_free_moves(),
        free_cycles: start.has_free_moves(),
        // A state, its bytes, and the answers about it.
        key_heap_bytes: 400,
        ..Facts::default()
    };
    let numbers = FxHashMap::from_iter([(start.state_bytes(), 0)]);
    let states = Mutex::new(States { all: vec![start], numbers });
    let (heuristic, cost) = (Arc::clone(heuristic), PhantomData::<C>);
    discovered(Box::new(Positions { heuristic, facts, states, cost }))
}

/// The positions of a puzzle, numbered in the order of discovery.
struct Positions<C> {
    heuristic: Arc<GivenHeuristic>,
    facts: Facts,
    states: Mutex<States>,
    cost: PhantomData<C>,
}

struct States {
    all: Vec<Box<dyn Searchable>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl<C> Positions<C> {
    fn state(&self, number: u32) -> Box<dyn Searchable> {
        self.states.lock().all[number as usize].here()
    }
}

impl<C: Cost> Discovered<C> for Positions<C> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn batch(&self) -> usize {
        self.heuristic.batch
    }

    fn states(&self) -> u32 {
        self.states.lock().all.len() as u32
    }

    fn expand(&self, numbers: &[u32], step: &mut dyn FnMut(usize, Step<C>)) {
        let states = &mut *self.states.lock();
        for (place, &number) in numbers.iter().enumerate() {
            for (action, (_, cost, after)) in (0..).zip(states.all[number as usize].successors()) {
                let fresh = states.all.len() as u32;
                let next = *states.numbers.entry(after.state_bytes()).or_insert(fresh);
                if next == fresh {
                    states.all.push(after);
                }
                step(place, (action, C::at_least(cost), next));
            }
        }
    }

    fn goals(&self, numbers: &[u32]) -> Vec<bool> {
        let states = self.states.lock();
        numbers.iter().map(|&number| states.all[number as usize].is_goal()).collect()
    }

    fn h(&self, numbers: &[u32]) -> Vec<C> {
        let known = self.states.lock();
        let states: Vec<&dyn Searchable> = numbers.iter().map(|&number| &*known.all[number as usize]).collect();
        let mut values = (self.heuristic.evaluate)(&states);
        values.resize(numbers.len(), 0.0);
        values.into_iter().map(|value| C::at_least(self.heuristic.h_of(value))).collect()
    }

    fn notation(&self, number: u32, action: u32) -> String {
        self.state(number).after_move(action as usize, Notation::STANDARD).map_or_else(String::new, |(name, _)| name)
    }

    fn draw(&self, number: u32, style: Style) -> String {
        self.state(number).draw(style)
    }

    fn picture(&self, number: u32) -> Option<Picture> {
        self.state(number).picture()
    }

    fn goal(&self) -> GoalView {
        self.state(0).goal()
    }
}
