//! Positions as text: the grid as in the file, then the named variables.

use super::expression::{Array, GRID, Item};
use super::model::Model;
use super::task::{Value, Var};

/// Returns a position as lines, each with a line end.
pub(super) fn drawn(model: &Model, state: &[Value]) -> String {
    let cells = &state[..model.world.cells()];
    let mut text = String::with_capacity(cells.len() + model.world.rows);
    for row in cells.chunks(model.world.columns.max(1)) {
        text.extend(row.iter().map(|value| model.symbols[usize::from(*value)]));
        text.push('\n');
    }
    if let Some(fences) = &model.fences {
        text = fences.drawn_around(&text);
    }
    for words in named(model, state, |_| true) {
        text += &words.join(" ");
        text.push('\n');
    }
    text
}

/// Returns piles as lines of words: the name of each, then its items, bottom first.
pub(super) fn piles(model: &Model, piles: &[Vec<Item>]) -> Vec<Vec<String>> {
    let item = |item: &Item| model.world.items[usize::from(*item)].to_string();
    let line = |(number, pile): (usize, &Vec<Item>)| {
        std::iter::once(model.world.pile_name(number)).chain(pile.iter().map(item)).collect()
    };
    piles.iter().enumerate().map(line).collect()
}

/// Returns the named variables of the arrays for which `is_wanted` is true, as lines of words, each with its values:
/// `farmer left`, `disk[1..3] a a b`; with more dimensions, a line for each row.
pub(super) fn named(model: &Model, state: &[Value], is_wanted: impl Fn(usize) -> bool) -> Vec<Vec<String>> {
    let cells = model.world.cells();
    let is_named = |(number, array): &(usize, &Array)| array.name != GRID && array.first >= cells && is_wanted(*number);
    let arrays = model.world.arrays.iter().enumerate().filter(is_named);
    arrays.flat_map(|(_, array)| lines(model, state, array)).collect()
}

fn lines(model: &Model, state: &[Value], array: &Array) -> Vec<Vec<String>> {
    let value = |var: Var| model.world.values[var][usize::from(state[var])].to_string();
    let Some((&(least, most), outer)) = array.bounds.split_last() else {
        return vec![vec![array.name.clone(), value(array.first)]];
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
        let name = format!("{}[{}]", array.name, indices.join(", "));
        std::iter::once(name).chain((first..first + width).map(value)).collect()
    };
    (0..rows).map(row).collect()
}
