//! The looks of figures: figures without their places, numbered.

use crate::picture::{Cell, Figure, Form, Paint};
use std::collections::HashMap;

/// A figure in a picture: the number of its look, and its place.
pub(super) type Placed = (usize, Cell);

/// Numbers the looks of figures.
#[derive(Default)]
pub(super) struct Wardrobe {
    /// The looks so far: figures in the upper left corner.
    pub looks: Vec<Figure>,
    numbers: HashMap<(String, Paint, Form, Vec<Cell>), usize>,
}

impl Wardrobe {
    /// Returns the figures of a picture, sorted.
    pub fn placed(&mut self, figures: Vec<Figure>) -> Vec<Placed> {
        let mut all: Vec<Placed> = figures.into_iter().map(|figure| (self.number(&figure), figure.at)).collect();
        all.sort_unstable();
        all
    }

    /// Returns the number of the look of a figure, which is added unless it is known.
    pub fn number(&mut self, figure: &Figure) -> usize {
        let Figure { label, paint, form, cells, .. } = figure;
        let look = (label.clone(), *paint, *form, cells.clone());
        *self.numbers.entry(look).or_insert_with(|| {
            self.looks.push(Figure { key: 0, at: (0, 0), ..figure.clone() });
            self.looks.len() - 1
        })
    }
}

/// The layer of figures without sprites.
const ABOVE: usize = 1 << 30;

/// Returns the layer of a look: figures of a lower one lie behind.
pub(super) fn rank(look: &Figure) -> usize {
    match look.form {
        Form::Fill => 0,
        Form::Sprite(sprite) => sprite + 1,
        _ => ABOVE,
    }
}
