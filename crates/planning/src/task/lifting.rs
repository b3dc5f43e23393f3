//! Translates weights and abstractions of a reduced task back to the facts of the puzzle.
//!
//! Heuristics work on the [reduced](crate::analysis::reduce) task: variables are dropped, and a symbol that occurs once
//! may have become a variable for its place. Both steps map states one to one, so a function of reduced states is one
//! of states. Each fact of a dropped variable weighs 0. A cell with such a symbol weighs as much as its content in the
//! reduced task plus the place.

use crate::argument::{Weights, fact};
use crate::task::{Value, Values, Var, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A weight for each value of each variable.
pub type FactWeights = Vec<Vec<i64>>;

/// For each variable of a smaller task, its variable in the larger one and, for each of its values, the value there.
pub type Origin = Vec<(Var, Vec<Value>)>;

/// The origin of a reduced task's variables in the puzzle.
#[derive(Clone, Debug, Default)]
pub struct Lifting {
    /// The variables of the puzzle, with their reachable values and their values at the start.
    pub variables: Vec<Variable>,
    pub reached: Arc<[Values]>,
    pub start: Vec<Value>,
    /// The columns of the grid, and the number of cells; the cells are the first variables.
    pub columns: usize,
    pub cells: usize,
    /// The names of symbols that the goals demand on marks, and these marks.
    pub marked: Vec<(String, Vec<char>)>,
    /// The place variables, in the order of their creation. They follow the variables of the puzzle.
    pub place_variables: Vec<PlaceVariable>,
    /// For each variable of the reduced task, the variable that it comes from, with its remaining values.
    pub origin: Origin,
}

/// A symbol that is represented by a variable for its place.
#[derive(Clone, Debug)]
pub struct PlaceVariable {
    pub symbol: Value,
    /// The cells, in the order of the values of the place variable.
    pub place_cells: Vec<Var>,
    /// For each cell, its content in the new task while the symbol stands on it.
    pub ground: Vec<Value>,
}

impl Lifting {
    /// Returns the values of the variables of the puzzle in a state of the reduced task.
    pub fn state(&self, reduced: &[Value]) -> Vec<Value> {
        let mut all = self.start.clone();
        for place_variable in &self.place_variables {
            let is_there = |&&cell: &&Var| all[cell] == place_variable.symbol;
            let at = place_variable.place_cells.iter().position(|cell| is_there(&cell)).unwrap_or(0);
            if let Some(&cell) = place_variable.place_cells.get(at) {
                all[cell] = place_variable.ground[cell];
            }
            all.push(at as Value);
        }
        for ((var, values), &value) in self.origin.iter().zip(reduced) {
            all[*var] = values[usize::from(value)];
        }
        for place_variable in self.place_variables.iter().rev() {
            let at = all.pop().map_or(0, usize::from);
            all[place_variable.place_cells[at]] = place_variable.symbol;
        }
        all
    }

    /// Returns weights of the puzzle's facts with the same sum in each state.
    pub fn weights(&self, reduced: &FactWeights) -> FactWeights {
        let own = self.variables.iter().map(|variable| vec![0; variable.values.len()]);
        let mut all: FactWeights = own
            .chain(self.place_variables.iter().map(|place_variable| vec![0; place_variable.place_cells.len()]))
            .collect();
        for ((var, values), weights) in self.origin.iter().zip(reduced) {
            values.iter().zip(weights).for_each(|(&value, &weight)| all[*var][usize::from(value)] = weight);
        }
        for place_variable in self.place_variables.iter().rev() {
            let places = all.pop().unwrap_or_default();
            for (&cell, place) in place_variable.place_cells.iter().zip(places) {
                let ground = all[cell][usize::from(place_variable.ground[cell])];
                all[cell][usize::from(place_variable.symbol)] = ground + place;
            }
        }
        all
    }

    /// Returns the variables of an abstraction as classes of the puzzle's facts.
    pub fn abstraction(&self, classes: &[(Var, Vec<u32>)]) -> Vec<BTreeMap<String, u32>> {
        let mut variables: Vec<BTreeMap<(Var, Value), u32>> = Vec::new();
        for (var, classes) in classes {
            let (old, values) = &self.origin[*var];
            variables.push(values.iter().zip(classes).map(|(&value, &class)| ((*old, value), class)).collect());
        }
        for (number, place_variable) in self.place_variables.iter().enumerate().rev() {
            let place = self.variables.len() + number;
            for variable in &mut variables {
                *variable = std::mem::take(variable)
                    .into_iter()
                    .map(|((var, value), class)| match var == place {
                        true => ((place_variable.place_cells[usize::from(value)], place_variable.symbol), class),
                        false => ((var, value), class),
                    })
                    .collect();
                for &cell in &place_variable.place_cells {
                    let ground = variable.get(&(cell, place_variable.ground[cell])).copied();
                    if let Some(class) = ground {
                        variable.entry((cell, place_variable.symbol)).or_insert(class);
                    }
                }
            }
        }
        let named = |variable: BTreeMap<(Var, Value), u32>| {
            variable.into_iter().map(|((var, value), class)| (self.fact(var, value), class)).collect()
        };
        variables.into_iter().map(named).collect()
    }

    /// Returns the name of the fact of the puzzle that a fact of the reduced task stands for.
    pub fn reduced_fact(&self, var: Var, value: Value) -> String {
        let (old, values) = &self.origin[var];
        let value = values[usize::from(value)];
        match old.checked_sub(self.variables.len()) {
            None => self.fact(*old, value),
            Some(number) => {
                let place_variable = &self.place_variables[number];
                self.fact(place_variable.place_cells[usize::from(value)], place_variable.symbol)
            }
        }
    }

    /// Returns the name of a fact of the puzzle.
    pub fn fact(&self, var: Var, value: Value) -> String {
        let variable = &self.variables[var];
        fact(&variable.name, &variable.values[usize::from(value)])
    }

    /// Returns the non-zero weights by the names of facts.
    pub fn by_name(&self, weights: &FactWeights) -> Weights {
        let all = weights.iter().enumerate().flat_map(|(var, weights)| {
            let facts = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
            facts.map(move |(value, &weight)| (self.fact(var, value as Value), weight))
        });
        all.collect()
    }

    /// Returns the sum of weights at the start.
    pub fn at_start(&self, weights: &FactWeights) -> i64 {
        self.start.iter().zip(weights).map(|(&value, weights)| weights[usize::from(value)]).sum()
    }
}
