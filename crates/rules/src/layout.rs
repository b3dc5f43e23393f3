//! Layouts of arrays of variables in pictures, as the key `layout` chooses them: rows, columns and rings of values,
//! stacks on their places, and levels of numbers. A layout changes pictures alone, never the text of a position.

pub(super) mod piles;

use super::expression::{Array, Term};
use super::looks::Looks;
use super::model::{ArrayLayout, Model};
use super::task::Value;
use crate::picture::{Cell, Disc, Figure, Form, Ground, Paint};
use std::f64::consts::TAU;

/// The most elements, and the most values, of a stack.
pub(super) const MOST_STACKED: usize = 64;
/// The most elements of a ring.
pub(super) const MOST_IN_RING: usize = 512;
/// The height of the highest vessel, in cells.
const HIGHEST: i64 = 12;
/// The width of a vessel, and of a vessel with the space around it.
const VESSEL: usize = 2;
const VESSEL_ROOM: usize = 4;
/// The number of elements of a stack from which on two neighbours are equally wide.
const MANY: usize = 12;

/// The diameter of a disc, as a fraction of the distance to the next one.
const DISC: f64 = 0.94;

/// The colour of what fills a vessel.
const WATER: Paint = Paint::Hue(0);

/// A part of a picture: its size, and what it consists of, relative to its upper left corner.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub rows: usize,
    pub columns: usize,
    pub ground: Vec<(Cell, Ground)>,
    pub discs: Vec<(Cell, Disc)>,
    pub marks: Vec<Figure>,
    pub figures: Vec<Figure>,
    /// The groups of cells that are one place for clicks.
    pub areas: Vec<Vec<Cell>>,
}

/// Returns the places of the grid's cells, row by row, and the rows and columns that they need.
pub(super) fn grid(rows: usize, columns: usize, layout: Option<ArrayLayout>) -> (Vec<Cell>, usize, usize) {
    let spread = |down: usize, right: usize| {
        let places = (0..rows * columns).map(|cell| (cell / columns * down, cell % columns * right)).collect();
        (places, (rows - 1) * down + 1, (columns - 1) * right + 1)
    };
    match layout {
        _ if rows == 0 || columns == 0 => (Vec::new(), 0, 0),
        Some(ArrayLayout::Row) => spread(2, 1),
        Some(ArrayLayout::Column) => spread(1, 2),
        Some(ArrayLayout::Ring) => ring(rows * columns),
        _ => spread(1, 1),
    }
}

/// Returns the places of some elements in a circle, clockwise from the top, and the rows and columns that they need.
/// The radius is the smallest one that gives each a cell of its own.
fn ring(count: usize) -> (Vec<Cell>, usize, usize) {
    let places = |step: u32| -> Vec<(i64, i64)> {
        // The fractions keep the places away from the middle between two cells.
        let radius = count as f64 / 6.6 + 0.071 * f64::from(step) + 0.013;
        let place = |number: usize| {
            let (sine, cosine) = (TAU * number as f64 / count as f64).sin_cos();
            ((-radius * cosine).round() as i64, (radius * sine).round() as i64)
        };
        (0..count).map(place).collect()
    };
    let are_distinct = |places: &Vec<(i64, i64)>| {
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    // Elements at radius `count` are further apart than the diagonal of a cell.
    let places = (0..).map(places).find(are_distinct).unwrap_or_default();
    let top = places.iter().map(|place| place.0).min().unwrap_or(0);
    let left = places.iter().map(|place| place.1).min().unwrap_or(0);
    let places: Vec<Cell> =
        places.into_iter().map(|(row, column)| ((row - top) as usize, (column - left) as usize)).collect();
    let rows = places.iter().map(|place| place.0 + 1).max().unwrap_or(0);
    let columns = places.iter().map(|place| place.1 + 1).max().unwrap_or(0);
    (places, rows, columns)
}

/// Returns the discs of the cells of a ring: at equal distances on the largest circle within its rows and columns.
pub(super) fn discs(&(ref places, rows, columns): &(Vec<Cell>, usize, usize)) -> Vec<(Cell, Disc)> {
    let count = places.len();
    let angles: Vec<(f64, f64)> = (0..count).map(|number| (TAU * number as f64 / count as f64).sin_cos()).collect();
    // How far the points of a circle of radius 1 reach up and down, and to each side.
    let up = angles.iter().map(|(_, cosine)| *cosine).fold(0.0, f64::max);
    let down = angles.iter().map(|(_, cosine)| -cosine).fold(0.0, f64::max);
    let aside = angles.iter().map(|(sine, _)| *sine).fold(0.0, f64::max);
    let room = |cells: usize, reach: f64| if reach > 1e-9 { (cells.max(1) - 1) as f64 / reach } else { f64::MAX };
    let radius = if count < 2 { 0.0 } else { room(rows, up + down).min(room(columns, 2.0 * aside)) };
    let middle = ((rows.max(1) - 1) as f64 / 2.0 + radius * (up - down) / 2.0, (columns.max(1) - 1) as f64 / 2.0);
    let apart = if count < 2 { 1.0 } else { 2.0 * radius * (TAU / 2.0 / count as f64).sin() };
    let thousandths = |cells: f64| (cells * 1000.0).round() as i32;
    let disc = |(&(row, column), &(sine, cosine)): (&Cell, &(f64, f64))| {
        let (to_row, to_column) = (middle.0 - radius * cosine, middle.1 + radius * sine);
        let (down, right) = (thousandths(to_row - row as f64), thousandths(to_column - column as f64));
        let diameter = thousandths(DISC * apart.min(1.0)).unsigned_abs();
        ((row, column), Disc { down, right, diameter })
    };
    places.iter().zip(&angles).map(disc).collect()
}

/// Returns the names to which `colors` and `shapes` may refer because of layouts and piles: values that are drawn as
/// such, elements of stacks, vessels, and items.
pub(super) fn names(model: &Model) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (array, layout) in model.drawn_arrays() {
        match layout {
            ArrayLayout::Row | ArrayLayout::Column | ArrayLayout::Ring => {
                names.extend(model.world.values[array.first].iter().map(Term::to_string));
            }
            ArrayLayout::Stack => names.extend((0..array.len()).map(|element| element_label(model, array, element))),
            ArrayLayout::Level => names.extend(model.names[array.first..array.first + array.len()].iter().cloned()),
        }
    }
    names.extend(model.world.items.iter().map(Term::to_string));
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the label of an element of a stack: its index, or the name of a variable that is no array.
fn element_label(model: &Model, array: &Array, element: usize) -> String {
    match array.bounds[..] {
        [(least, _)] => (least + element as i64).to_string(),
        _ => model.names[array.first + element].clone(),
    }
}

/// Returns the parts of a picture for the arrays that have a layout, apart from the grid. `keys` holds the key of each
/// variable's figure.
pub(super) fn parts(model: &Model, looks: &Looks, values: &[Value], keys: &[u64]) -> Vec<Part> {
    let arrays: Vec<_> = model.drawn_arrays().collect();
    let is_alone = arrays.len() == 1 && model.world.rows == 0;
    let mut parts: Vec<Part> = Vec::new();
    for group in arrays.chunk_by(|one, other| one.1 == ArrayLayout::Level && other.1 == ArrayLayout::Level) {
        let [(array, layout), ..] = group else { continue };
        let mut part = match layout {
            ArrayLayout::Level => {
                let vessels: Vec<usize> =
                    group.iter().flat_map(|(array, _)| array.first..array.first + array.len()).collect();
                parts.push(levels(model, looks, values, &vessels));
                continue;
            }
            ArrayLayout::Stack => {
                parts.push(stacks(model, looks, values, array));
                continue;
            }
            ArrayLayout::Row | ArrayLayout::Column | ArrayLayout::Ring => {
                cells(model, looks, values, keys, array, *layout)
            }
        };
        if !is_alone {
            below_name(&mut part, &array.name);
        }
        parts.push(part);
    }
    parts
}

/// Returns variables as a table: a line for each, with its name and its values. `lines` holds these words.
pub(super) fn table(lines: &[Vec<String>]) -> Part {
    // Two characters are about as wide as a cell.
    let width = |word: &String| word.chars().count().div_ceil(2).max(1);
    let widest = |words: &mut dyn Iterator<Item = &String>| words.map(width).max().unwrap_or(1);
    let names = widest(&mut lines.iter().filter_map(|line| line.first()));
    let values = widest(&mut lines.iter().flat_map(|line| line.iter().skip(1)));
    let mut part = Part { rows: lines.len(), ..Part::default() };
    for (row, words) in lines.iter().enumerate() {
        for (number, word) in words.iter().enumerate() {
            let (left, columns) = if number == 0 { (0, names) } else { (names + (number - 1) * values, values) };
            let key = 1 << 60 | (row as u64) << 20 | number as u64;
            part.figures.push(written(key, word, (row, left), columns));
            part.columns = part.columns.max(left + columns);
        }
    }
    part
}

/// Puts a part below a line with a name.
fn below_name(part: &mut Part, name: &str) {
    part.ground.iter_mut().for_each(|(cell, _)| cell.0 += 1);
    part.discs.iter_mut().for_each(|(cell, _)| cell.0 += 1);
    part.marks.iter_mut().chain(&mut part.figures).for_each(|figure| figure.at.0 += 1);
    part.rows += 1;
    part.columns = part.columns.max(name.chars().count().div_ceil(2));
    part.marks.push(written(0, name, (0, 0), part.columns));
}

/// Returns a text across some cells of a row.
fn written(key: u64, text: &str, at: Cell, columns: usize) -> Figure {
    let cells = (0..columns).map(|column| (0, column)).collect();
    Figure { cells, ..Figure::single(key, text, Paint::Plain, Form::Text, at) }
}

/// Returns a cell with its value for each element.
fn cells(model: &Model, looks: &Looks, values: &[Value], keys: &[u64], array: &Array, layout: ArrayLayout) -> Part {
    let length = |dimension: usize| array.bounds.get(dimension).map(|&(least, most)| (most - least + 1) as usize);
    let (outer, inner) = match (length(0), length(1)) {
        (Some(outer), Some(inner)) => (outer, inner),
        (Some(inner), None) => (1, inner),
        _ => (1, 1),
    };
    let (places, rows, columns) = match layout {
        ArrayLayout::Ring => ring(array.len()),
        // Columns of two dimensions stand apart, such as tubes.
        ArrayLayout::Column => {
            let place = |at: usize| (at % inner, at / inner * 2);
            ((0..outer * inner).map(place).collect(), inner, outer * 2 - 1)
        }
        _ => ((0..outer * inner).map(|at| (at / inner, at % inner)).collect(), outer, inner),
    };
    let (places, discs) = match layout {
        ArrayLayout::Ring => {
            let ring = (places, rows, columns);
            let discs = discs(&ring);
            (ring.0, discs)
        }
        _ => (places, Vec::new()),
    };
    let mut part = Part { rows, columns, discs, ..Part::default() };
    for (var, at) in (array.first..).zip(places) {
        let value = values[var];
        let (ground, figure) = looks.of_value(&model.world.values[var], value);
        part.ground.push((at, ground));
        part.figures.extend(figure.map(|(label, paint, form)| Figure::single(keys[var], label, paint, form, at)));
    }
    part
}

/// Returns a place for each value, with the elements on it. Each element is wider than those before it.
fn stacks(model: &Model, looks: &Looks, values: &[Value], array: &Array) -> Part {
    let count = array.len();
    let width = |element: usize| if count > MANY { element / 2 * 2 + 1 } else { 2 * element + 1 };
    let widest = width(count - 1).max(3);
    let places = &model.world.values[array.first];
    // Names are as high as they are readable beside wide elements.
    let name_rows = (widest / 6).max(1);
    let (rows, columns) = (count + 2 + name_rows, places.len() * (widest + 1) - 1);
    let mut part = Part { rows, columns, ..Part::default() };
    for (number, place) in places.iter().enumerate() {
        let left = number * (widest + 1);
        let middle = left + widest / 2;
        part.ground.extend((0..=count).map(|row| ((row, middle), Ground::Floor)));
        part.ground.extend((left..left + widest).map(|column| ((count + 1, column), Ground::Wall)));
        let cells = (0..name_rows).flat_map(|row| (0..widest).map(move |column| (row, column))).collect();
        let name = written(number as u64, &place.to_string(), (count + 2, left), widest);
        part.marks.push(Figure { cells, ..name });
        let on_it = (0..count).rev().filter(|&element| usize::from(values[array.first + element]) == number);
        for (height, element) in on_it.enumerate() {
            let (var, width) = (array.first + element, width(element));
            let label = element_label(model, array, element);
            let paint = looks.paint_named(&label).unwrap_or(Paint::Hue(element));
            let cells = (0..width).map(|column| (0, column)).collect();
            let at = (count - height, middle - width / 2);
            part.figures.push(Figure { cells, ..Figure::single(var as u64, label, paint, Form::Block, at) });
        }
    }
    part
}

/// Returns vessels side by side, filled as high as the numbers of these variables. High ones are drawn to a scale.
fn levels(model: &Model, looks: &Looks, values: &[Value], vars: &[usize]) -> Part {
    let number = |term: &Term| term.as_number().unwrap_or(0);
    let most = |var: usize| model.world.values[var].iter().map(number).max().unwrap_or(1).max(1);
    let greatest = vars.iter().map(|&var| most(var)).max().unwrap_or(1);
    let height = |number: i64| match greatest {
        HIGHEST.. => (number * HIGHEST).div_euclid(greatest) as usize + usize::from(number * HIGHEST % greatest > 0),
        _ => number as usize,
    };
    let bottom = height(greatest);
    let mut part = Part { rows: bottom + 2, columns: vars.len() * VESSEL_ROOM, ..Part::default() };
    for (number_of, &var) in vars.iter().enumerate() {
        let left = number_of * VESSEL_ROOM + (VESSEL_ROOM - VESSEL) / 2;
        let value = number(&model.world.values[var][usize::from(values[var])]);
        for row in bottom - height(most(var))..bottom {
            part.ground.extend((left..left + VESSEL).map(|column| ((row, column), Ground::Floor)));
        }
        let name = &model.names[var];
        let paint = looks.paint_named(name).unwrap_or(WATER);
        for unit in 0..height(value) {
            let cells = (0..VESSEL).map(|column| (0, column)).collect();
            let key = 1 << 59 | (var as u64) << 8 | unit as u64;
            let at = (bottom - 1 - unit, left);
            part.figures.push(Figure { cells, ..Figure::single(key, "", paint, Form::Fill, at) });
        }
        let room = number_of * VESSEL_ROOM;
        let text = format!("{value} of {}", most(var));
        part.figures.push(written(1 << 58 | var as u64, &text, (bottom, room), VESSEL_ROOM));
        part.marks.push(written(var as u64, name, (bottom + 1, room), VESSEL_ROOM));
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_of_a_ring_have_cells_of_their_own_around_a_middle() {
        for count in 1..200 {
            let (places, rows, columns) = ring(count);
            let mut sorted = places.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), count, "{count}");
            assert!(places.iter().all(|place| place.0 < rows && place.1 < columns), "{count}");
            assert!(rows.max(columns) < count / 2 + 4, "{count}: {rows}x{columns}");
        }
        assert_eq!(ring(8).0, [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)]);
    }

    #[test]
    fn the_discs_of_a_ring_are_on_a_circle_within_its_cells() {
        for count in 1..200 {
            let ring = ring(count);
            let place = |((row, column), disc): (Cell, Disc)| {
                (row as f64 + f64::from(disc.down) / 1000.0, column as f64 + f64::from(disc.right) / 1000.0)
            };
            let places: Vec<(f64, f64)> = discs(&ring).into_iter().map(place).collect();
            let distance = |one: (f64, f64), other: (f64, f64)| (one.0 - other.0).hypot(one.1 - other.1);
            let sum = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
            let middle = (sum.0 / count as f64, sum.1 / count as f64);
            let radius = distance(places[0], middle);
            let diameter = f64::from(discs(&ring)[0].1.diameter) / 1000.0;
            for (number, &at) in places.iter().enumerate() {
                assert!((distance(at, middle) - radius).abs() < 0.01, "{count}: {at:?}");
                assert!(at.0 > -0.01 && at.0 < ring.1 as f64 - 0.99, "{count}: {at:?}");
                assert!(at.1 > -0.01 && at.1 < ring.2 as f64 - 0.99, "{count}: {at:?}");
                let next = distance(at, places[(number + 1) % count]);
                assert!(count == 1 || diameter < next, "{count}: discs overlap");
            }
        }
    }

    #[test]
    fn rows_and_columns_of_a_grid_stand_apart() {
        assert_eq!(grid(2, 2, None), (vec![(0, 0), (0, 1), (1, 0), (1, 1)], 2, 2));
        assert_eq!(grid(2, 2, Some(ArrayLayout::Column)), (vec![(0, 0), (0, 2), (1, 0), (1, 2)], 2, 3));
        assert_eq!(grid(2, 2, Some(ArrayLayout::Row)), (vec![(0, 0), (0, 1), (2, 0), (2, 1)], 3, 2));
        assert_eq!(grid(0, 0, Some(ArrayLayout::Ring)), (Vec::new(), 0, 0));
    }
}
