//! Candidates for symmetries: what a grid and arrays look like when they are turned, or their elements exchanged.

use super::expression::Array;
use super::model::Model;
use super::symmetry::Permutation;
use super::task::{Task, Value, Var};
use std::collections::HashMap;

/// Permutations of the variables of a task, made of a model, that may be symmetries.
pub(super) fn candidates(model: &Model, task: &Task) -> Vec<Permutation> {
    let number: HashMap<&str, Var> = model.names.iter().enumerate().map(|(var, name)| (name.as_str(), var)).collect();
    let numbered = task.variables.iter().map(|variable| number.get(variable.name.as_str()).copied());
    let of_model: Vec<Option<Var>> = numbered.collect();
    let mut known = vec![None; model.names.len()];
    (0..).zip(&of_model).for_each(|(var, of)| of.iter().for_each(|&of| known[of] = Some(var)));
    // The values of the other variables are the places of something.
    let places = |var: Var, to: &dyn Fn(Var) -> Var| {
        let values = &task.variables[var].values;
        let becomes = |value: &String| {
            let place = &model.names[to(*number.get(value.as_str())?)];
            values.iter().position(|other| other == place).map(|at| at as Value)
        };
        let all = values.iter().map(becomes).collect::<Option<Box<[Value]>>>()?;
        let same = all.iter().enumerate().all(|(value, &becomes)| value == usize::from(becomes));
        Some(if same { Box::default() } else { all })
    };
    // A permutation of the model's variables is one of the task's, if what the task left out goes to what it left out.
    let of_task = |to: &dyn Fn(Var) -> Var| {
        let mut moved = Permutation { to: (0..task.variables.len()).collect(), values: Vec::new() };
        for (var, of) in of_model.iter().enumerate() {
            match of {
                Some(of) => {
                    moved.to[var] = known[to(*of)]?;
                    moved.values.push(Box::default());
                }
                None => moved.values.push(places(var, to)?),
            }
        }
        Some(moved)
    };
    let (rows, columns) = (model.world.rows, model.world.columns);
    let cells = rows * columns;
    let mut found = Vec::new();
    let mut on_grid = |to: &dyn Fn(usize, usize) -> (usize, usize)| {
        let of = |var: Var| {
            if var >= cells {
                return var;
            }
            let (row, column) = to(var / columns, var % columns);
            row * columns + column
        };
        found.extend(of_task(&of));
    };
    if cells > 0 {
        on_grid(&|row, column| (row, columns - 1 - column));
        on_grid(&|row, column| (rows - 1 - row, column));
        if rows == columns {
            on_grid(&|row, column| (column, row));
        }
        for line in 1..rows {
            on_grid(&|row, column| (exchanged(row, line), column));
        }
        for line in 1..columns {
            on_grid(&|row, column| (row, exchanged(column, line)));
        }
    }
    for array in model.world.arrays.iter().filter(|array| array.first >= cells) {
        for (dimension, &(least, most)) in array.bounds.iter().enumerate() {
            for line in 1..(most - least + 1) as usize {
                let of = |var: Var| {
                    let place = var.checked_sub(array.first).filter(|&place| place < array.len());
                    place.map_or(var, |place| array.first + moved(array, place, dimension, line))
                };
                found.extend(of_task(&of));
            }
        }
    }
    found
}

/// A line and the one before it change places.
fn exchanged(at: usize, line: usize) -> usize {
    if at == line {
        line - 1
    } else if at + 1 == line {
        line
    } else {
        at
    }
}

/// The place of an element of an array, once an index and the one before it have changed places.
fn moved(array: &Array, place: usize, dimension: usize, line: usize) -> usize {
    let lengths: Vec<usize> = array.bounds.iter().map(|&(least, most)| (most - least + 1) as usize).collect();
    let weight: usize = lengths[dimension + 1..].iter().product();
    let index = place / weight % lengths[dimension];
    place + exchanged(index, line) * weight - index * weight
}
