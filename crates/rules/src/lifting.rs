//! From a reduced task back to the facts of the puzzle.
//!
//! Weights and abstractions are found for the [reduced](super::reduce) task, where variables are dropped and a symbol
//! that is one of a kind may have become the variable of its place. Both steps map positions one by one, so a function
//! of reduced positions is one of positions: each fact of a dropped variable weighs 0, and a cell on which the symbol
//! stands counts as what the reduced task has there, plus the place itself.

use super::task::{Value, Values, Var, Variable};
use crate::argument::{Weights, fact};
use std::collections::BTreeMap;

/// A weight for each value of each variable.
pub(super) type Weighing = Vec<Vec<i64>>;

/// How the variables of a reduced task came from those of the puzzle.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifting {
    /// Those of the puzzle, with the values that can be reached, and the value at the start.
    pub variables: Vec<Variable>,
    pub reached: Vec<Values>,
    pub start: Vec<Value>,
    /// The columns of the grid that the first variables are, and how many of them there are.
    pub columns: usize,
    pub cells: usize,
    /// In the order in which symbols became places. The variables of places follow those of the puzzle.
    pub placings: Vec<Placed>,
    /// By variable of the reduced task, the variable that it was, with the values.
    pub origin: Vec<(Var, Vec<Value>)>,
}

/// A symbol that became a place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub symbol: Value,
    /// The cells, in the order of the values of the place.
    pub here: Vec<Var>,
    /// By cell, what it holds in the new task where the symbol stands on it.
    pub ground: Vec<Value>,
}

impl Lifting {
    /// The weights of the puzzle's facts that have the same sum in each position.
    pub fn weights(&self, reduced: &Weighing) -> Weighing {
        let own = self.variables.iter().map(|variable| vec![0; variable.values.len()]);
        let mut all: Weighing = own.chain(self.placings.iter().map(|placed| vec![0; placed.here.len()])).collect();
        for ((var, values), weights) in self.origin.iter().zip(reduced) {
            values.iter().zip(weights).for_each(|(&value, &weight)| all[*var][usize::from(value)] = weight);
        }
        for placed in self.placings.iter().rev() {
            let places = all.pop().unwrap_or_default();
            for (&cell, place) in placed.here.iter().zip(places) {
                let ground = all[cell][usize::from(placed.ground[cell])];
                all[cell][usize::from(placed.symbol)] = ground + place;
            }
        }
        all
    }

    /// The variables of an abstraction, by the facts of the puzzle.
    pub fn abstraction(&self, classes: &[(Var, Vec<u32>)]) -> Vec<BTreeMap<String, u32>> {
        let mut variables: Vec<BTreeMap<(Var, Value), u32>> = Vec::new();
        for (var, classes) in classes {
            let (old, values) = &self.origin[*var];
            variables.push(values.iter().zip(classes).map(|(&value, &class)| ((*old, value), class)).collect());
        }
        for (number, placed) in self.placings.iter().enumerate().rev() {
            let place = self.variables.len() + number;
            for variable in &mut variables {
                *variable = std::mem::take(variable)
                    .into_iter()
                    .map(|((var, value), class)| match var == place {
                        true => ((placed.here[usize::from(value)], placed.symbol), class),
                        false => ((var, value), class),
                    })
                    .collect();
                for &cell in &placed.here {
                    let ground = variable.get(&(cell, placed.ground[cell])).copied();
                    if let Some(class) = ground {
                        variable.entry((cell, placed.symbol)).or_insert(class);
                    }
                }
            }
        }
        let named = |variable: BTreeMap<(Var, Value), u32>| {
            variable.into_iter().map(|((var, value), class)| (self.fact(var, value), class)).collect()
        };
        variables.into_iter().map(named).collect()
    }

    /// The name of a fact of the puzzle.
    pub fn fact(&self, var: Var, value: Value) -> String {
        let variable = &self.variables[var];
        fact(&variable.name, &variable.values[usize::from(value)])
    }

    /// Weights by the names of facts.
    pub fn named(&self, weights: &Weighing) -> Weights {
        let all = weights.iter().enumerate().flat_map(|(var, weights)| {
            let facts = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
            facts.map(move |(value, &weight)| (self.fact(var, value as Value), weight))
        });
        all.collect()
    }

    /// The sum of weights at the start.
    pub fn at_start(&self, weights: &Weighing) -> i64 {
        self.start.iter().zip(weights).map(|(&value, weights)| weights[usize::from(value)]).sum()
    }
}
