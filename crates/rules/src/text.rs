//! Positions as text: the grid as in the file, then the named variables.

use super::expression::Array;
use super::model::Model;
use super::task::{Value, Var};

/// Returns a position as lines, each with a line end.
pub(super) fn drawn(model: &Model, state: &[Value]) -> String {
    let mut lines = grid(model, state);
    lines.extend(named(model, state));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Returns the rows of the grid.
fn grid(model: &Model, state: &[Value]) -> Vec<String> {
    let cells = &state[..model.world.cells()];
    let symbol = |value: &Value| model.symbols[usize::from(*value)];
    cells.chunks(model.world.columns.max(1)).map(|row| row.iter().map(symbol).collect()).collect()
}

/// Returns the named variables with their values: `farmer left`, `disk[1..3] a a b`; with more dimensions, a line for
/// each row.
pub(super) fn named(model: &Model, state: &[Value]) -> Vec<String> {
    let cells = model.world.cells();
    let arrays = model.world.arrays.iter().filter(|array| array.name != "cell" && array.first >= cells);
    arrays.flat_map(|array| lines(model, state, array)).collect()
}

fn lines(model: &Model, state: &[Value], array: &Array) -> Vec<String> {
    let value = |var: Var| model.world.values[var][usize::from(state[var])].to_string();
    let Some((&(least, most), outer)) = array.bounds.split_last() else {
        return vec![format!("{} {}", array.name, value(array.first))];
    };
    let width = (most - least + 1) as usize;
    let rows = array.len() / width;
    let row = |row: usize| {
        let mut rest = row;
        let mut indices = vec![format!("{least}..{most}")];
        for &(least, most) in outer.iter().rev() {
            let size = (most - least + 1) as usize;
            indices.insert(0, (least + (rest % size) as i64).to_string());
            rest /= size;
        }
        let first = array.first + row * width;
        let values: Vec<String> = (first..first + width).map(value).collect();
        format!("{}[{}] {}", array.name, indices.join(", "), values.join(" "))
    };
    (0..rows).map(row).collect()
}
