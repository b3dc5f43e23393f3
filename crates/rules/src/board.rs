//! Candidate symmetries: reflections of the grid, and swaps of neighbouring lines of the grid or of an array.

use super::expression::Array;
use super::model::Model;
use super::symmetry::Permutation;
use super::task::{Task, Value, Var};
use std::collections::HashMap;

/// The cell of each value of a place variable, and the reverse.
type Placed = (Vec<Option<Var>>, Vec<Option<Value>>);

/// Returns the permutations of the task's variables that may be symmetries.
pub(super) fn candidates(model: &Model, task: &Task) -> Vec<Permutation> {
    let number: HashMap<&str, Var> = model.names.iter().enumerate().map(|(var, name)| (name.as_str(), var)).collect();
    let numbered = task.variables.iter().map(|variable| number.get(variable.name.as_str()).copied());
    let of_model: Vec<Option<Var>> = numbered.collect();
    let mut known = vec![None; model.names.len()];
    (0..).zip(&of_model).for_each(|(var, of)| of.iter().for_each(|&of| known[of] = Some(var)));
    // A variable that does not belong to the model is the place of a symbol: its values are names of cells.
    let placed = |var: Var| -> Placed {
        let values = &task.variables[var].values;
        let cells: Vec<Option<Var>> = values.iter().map(|name| number.get(name.as_str()).copied()).collect();
        let mut value_of = vec![None; model.names.len()];
        let known = (0..).zip(&cells).filter_map(|(value, cell)| Some((value, (*cell)?)));
        known.for_each(|(value, cell)| value_of[cell] = Some(value));
        (cells, value_of)
    };
    let unplaced = || (Vec::new(), Vec::new());
    let placed: Vec<Placed> =
        (0..).zip(&of_model).map(|(var, of)| if of.is_none() { placed(var) } else { unplaced() }).collect();
    let places = |var: Var, to: &dyn Fn(Var) -> Var| {
        let (cells, value_of) = &placed[var];
        let image = |cell: &Option<Var>| value_of[to((*cell)?)];
        let all = cells.iter().map(image).collect::<Option<Box<[Value]>>>()?;
        let same = all.iter().enumerate().all(|(value, &image)| value == usize::from(image));
        Some(if same { Box::default() } else { all })
    };
    // Turns a permutation of the model's variables into one of the task's variables. `None` if it maps a variable that
    // the task keeps to one that it dropped.
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
            on_grid(&|row, column| (swapped(row, line), column));
        }
        for line in 1..columns {
            on_grid(&|row, column| (row, swapped(column, line)));
        }
    }
    for array in model.world.arrays.iter().filter(|array| array.first >= cells) {
        for (dimension, &(least, most)) in array.bounds.iter().enumerate() {
            for line in 1..(most - least + 1) as usize {
                let of = |var: Var| {
                    let place = var.checked_sub(array.first).filter(|&place| place < array.len());
                    place.map_or(var, |place| array.first + swapped_element(array, place, dimension, line))
                };
                found.extend(of_task(&of));
            }
        }
    }
    found
}

/// Swaps a line with the one before it.
fn swapped(at: usize, line: usize) -> usize {
    if at == line {
        line - 1
    } else if at + 1 == line {
        line
    } else {
        at
    }
}

/// Returns where an array element goes when an index of one dimension is swapped with the one before it.
fn swapped_element(array: &Array, place: usize, dimension: usize, line: usize) -> usize {
    let lengths: Vec<usize> = array.bounds.iter().map(|&(least, most)| (most - least + 1) as usize).collect();
    let weight: usize = lengths[dimension + 1..].iter().product();
    let index = place / weight % lengths[dimension];
    place + swapped(index, line) * weight - index * weight
}
