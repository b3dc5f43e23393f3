//! Positions in words: what each row, column, ring, place of a stack or vessel holds, by the names of the file. Cells
//! of a picture with layouts mean nothing to readers who hear it.

use super::expression::{Array, GRID, Item};
use super::looks::Looks;
use super::model::{ArrayLayout, Model};
use super::task::{Value, Var};
use crate::picture::{Ground, Words};

/// Describes a position in which arrays or the grid have layouts; `table` holds the lines of all other variables, and
/// `goals` the values that the goal wants.
pub(super) fn of_layouts(
    model: &Model,
    looks: &Looks,
    values: &[Value],
    table: &[Vec<String>],
    goals: &[(Var, &[Value])],
) -> Words {
    let grid = model.grid_layout();
    let (rows, columns) = (model.world.rows, model.world.columns);
    let mut lines = grid.map_or_else(Vec::new, |layout| grid_lines(model, looks, values, layout));
    for (array, layout) in model.drawn_arrays() {
        lines.extend(array_lines(model, values, array, layout));
    }
    lines.extend(table.iter().map(|words| words.join(" ")));
    lines.extend(goal_line(model, goals));
    Words { board: if grid.is_none() { (rows, columns) } else { (0, 0) }, lines }
}

/// Describes a pile that holds some items, bottom first.
pub(super) fn of_pile(model: &Model, number: usize, items: &[Item]) -> String {
    let name = model.world.pile_name(number).replace('[', " ").replace(']', "");
    let item = |item: &Item| model.world.items[usize::from(*item)].to_string();
    match items {
        [] => format!("{name}: empty"),
        _ => format!("{name} from the bottom: {}", listed(items.iter().map(item))),
    }
}

/// Returns the values of a list in words.
fn listed(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

fn grid_lines(model: &Model, looks: &Looks, values: &[Value], layout: ArrayLayout) -> Vec<String> {
    let (rows, columns) = (model.world.rows, model.world.columns);
    let content = |cell: usize| match (looks.figure(cell, values[cell]), looks.ground(cell, values[cell])) {
        (Some(_), _) => model.symbols[usize::from(values[cell])].to_string(),
        (None, Ground::Void) => "nothing".to_owned(),
        (None, Ground::Wall) => "wall".to_owned(),
        (None, Ground::Gate) => "gate".to_owned(),
        (None, _) => "free".to_owned(),
    };
    let row = |row: usize| listed((0..columns).map(|column| content(row * columns + column)));
    let column = |column: usize| listed((0..rows).map(|row| content(row * columns + column)));
    match layout {
        ArrayLayout::Column => (0..columns).map(|at| format!("column {at} from the top: {}", column(at))).collect(),
        ArrayLayout::Ring => vec![format!("clockwise from the top: {}", listed((0..rows * columns).map(content)))],
        _ => (0..rows).map(|at| format!("row {at}: {}", row(at))).collect(),
    }
}

fn array_lines(model: &Model, values: &[Value], array: &Array, layout: ArrayLayout) -> Vec<String> {
    let term = |var: Var| model.world.values[var][usize::from(values[var])].to_string();
    let vars = array.first..array.first + array.len();
    match layout {
        ArrayLayout::Row | ArrayLayout::Column | ArrayLayout::Ring => {
            let direction = match layout {
                ArrayLayout::Column => " from the top",
                ArrayLayout::Ring => " clockwise from the top",
                _ => "",
            };
            let (outer, inner) = match array.bounds[..] {
                [_, (least, most)] => (Some(array.bounds[0].0), (most - least + 1) as usize),
                _ => (None, array.len().max(1)),
            };
            let part = |number: usize| {
                let name = match outer.filter(|_| layout != ArrayLayout::Ring) {
                    Some(least) => format!("{} {}", array.name, least + number as i64),
                    None => array.name.clone(),
                };
                let first = array.first + number * inner;
                format!("{name}{direction}: {}", listed((first..first + inner).map(term)))
            };
            if layout == ArrayLayout::Ring {
                return vec![format!("{}{direction}: {}", array.name, listed(vars.map(term)))];
            }
            (0..array.len() / inner).map(part).collect()
        }
        ArrayLayout::Stack => {
            let places = model.world.values[array.first].iter().enumerate();
            let on_it = |(number, place): (usize, &super::expression::Term)| {
                let here = vars.clone().filter(|&var| usize::from(values[var]) == number);
                let names = listed(here.map(|var| spoken(model, array, var)));
                if names.is_empty() { format!("{place}: empty") } else { format!("{place} from the top: {names}") }
            };
            places.map(on_it).collect()
        }
        ArrayLayout::Level => {
            let most = |var: Var| model.world.values[var].iter().filter_map(|term| term.as_number()).max().unwrap_or(0);
            vars.map(|var| format!("{}: {} of {}", spoken(model, array, var), term(var), most(var))).collect()
        }
    }
}

/// Returns the name of an element without brackets: `disk 3`.
fn spoken(model: &Model, array: &Array, var: Var) -> String {
    match array.bounds[..] {
        [(least, _)] => format!("{} {}", array.name, least + (var - array.first) as i64),
        _ => model.names[var].clone(),
    }
}

/// Returns the line about the values that the goal wants of named variables.
fn goal_line(model: &Model, goals: &[(Var, &[Value])]) -> Option<String> {
    let parts = wanted(model, goals);
    (!parts.is_empty()).then(|| format!("goal: {}", parts.join(", ")))
}

/// Returns the values that a goal wants of named variables; those of an array in short, if it wants the same of all.
pub(super) fn wanted(model: &Model, goals: &[(Var, &[Value])]) -> Vec<String> {
    let cells = model.world.cells();
    let mut parts: Vec<String> = Vec::new();
    for array in model.world.arrays.iter().filter(|array| array.name != GRID && array.first >= cells) {
        let wanted = |var: Var| {
            let (_, values) = goals.iter().find(|(wanted, _)| *wanted == var)?;
            let terms = values.iter().map(|value| model.world.values[var][usize::from(*value)].to_string());
            Some(terms.collect::<Vec<_>>().join(" or "))
        };
        let all: Vec<Option<String>> = (array.first..array.first + array.len()).map(wanted).collect();
        match &all[..] {
            [Some(first), rest @ ..] if !rest.is_empty() && all.iter().all(|one| one.as_ref() == Some(first)) => {
                parts.push(format!("every {} {first}", array.name));
            }
            _ => {
                let each = (array.first..).zip(&all);
                parts.extend(
                    each.filter_map(|(var, one)| Some(format!("{} {}", spoken(model, array, var), one.as_ref()?))),
                );
            }
        }
    }
    parts
}
