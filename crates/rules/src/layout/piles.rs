//! Piles in pictures: side by side, the piles of an array as a group below or above its name.
//!
//! Piles of which all have a limit stand on a floor, as tubes do, with a cell for each item that fits. If one has no limit,
//! all hang from the top, as columns of cards do, and the top item is the lowest.

use super::{Part, written};
use crate::expression::{Item, Term};
use crate::looks::Looks;
use crate::model::Model;
use crate::picture::{Figure, Form, Ground, Paint};
use crate::task::sorted::sorted;

/// The rows for items beyond the most that are on a pile at the start. Items above them are drawn in the last row.
const FURTHER_ROWS: usize = 12;
/// The cells between two groups.
const APART: usize = 2;

/// A slot of a pile: none, or an item and the key of its figure.
pub(crate) type Slot = Option<(Item, u64)>;

/// Returns the piles as a part of a picture. `most` holds the number of items that fit on each.
pub(crate) fn part(model: &Model, looks: &Looks, piles: &[Vec<Slot>], most: &[usize]) -> Option<Part> {
    let world = &model.world;
    let fit = most.iter().copied().max()?;
    let at_start = model.start_piles.iter().map(Vec::len).max().unwrap_or(0);
    let height = fit.min(at_start + FURTHER_ROWS).max(1);
    let hangs = (0..most.len()).any(|pile| world.most_items(pile).is_none());
    let texts: Vec<String> = world.items.iter().map(Term::to_string).collect();
    // Four letters fit a cell.
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1).div_ceil(4).max(1);
    let is_numbered = world.piles.iter().any(|piles| !piles.array.bounds.is_empty());
    let names = 1 + usize::from(is_numbered);
    // The rows of names, numbers and slots.
    let (name_row, number_row, first_row) = if hangs { (0, 1, names) } else { (height + names - 1, height, 0) };
    let row_of = |slot: usize| {
        let slot = slot.min(height - 1);
        if hangs { first_row + slot } else { height - 1 - slot }
    };
    let mut part = Part { rows: height + names, ..Part::default() };
    let mut left = 0;
    for array in world.piles.iter().map(|piles| &piles.array) {
        let count = array.len();
        let own = count * (width + 1) - 1;
        let room = own.max(array.name.chars().count().div_ceil(2));
        // A name stands beside the piles as their numbers do, if they have none.
        let at = if array.bounds.is_empty() && is_numbered { number_row } else { name_row };
        part.marks.push(written(array.first as u64, &array.name, (at, left), room));
        for number in array.first..array.first + count {
            let column = left + (room - own) / 2 + (number - array.first) * (width + 1);
            if let Some((_, index)) = array.element_name(number).split_once('[') {
                let text = index.trim_end_matches(']');
                part.marks.push(written(number as u64, text, (number_row, column), width));
            }
            let cells = |rows: std::ops::Range<usize>| {
                rows.flat_map(move |row| (column..column + width).map(move |column| (row, column)))
            };
            let slots = if world.most_items(number).is_some() { most[number].clamp(1, height) } else { 1 };
            part.ground.extend(
                (0..slots).flat_map(|slot| cells(row_of(slot)..row_of(slot) + 1)).map(|cell| (cell, Ground::Floor)),
            );
            part.areas.push(cells(0..part.rows).collect());
            for (slot, (item, key)) in
                piles[number].iter().enumerate().filter_map(|(slot, item)| Some((slot, (*item)?)))
            {
                let text = &texts[usize::from(item)];
                let paint = looks.paint_named(text).unwrap_or_else(|| Paint::Hue(hue(&texts, text)));
                let figure = Figure::single(key, text.clone(), paint, Form::Block, (row_of(slot), column));
                part.figures.push(Figure { cells: (0..width).map(|column| (0, column)).collect(), ..figure });
            }
        }
        left += room + APART;
    }
    part.columns = left - APART;
    Some(part)
}

/// Returns the number of an item's colour: items that end with the same character, such as cards of a suit, look alike.
fn hue(texts: &[String], text: &str) -> usize {
    let ends = sorted(texts.iter().filter_map(|text| text.chars().last()));
    text.chars().last().and_then(|end| ends.iter().position(|known| *known == end)).unwrap_or(0)
}
