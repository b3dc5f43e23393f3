//! Drawings of positions, with labels in the layout of the places, and the notation of moves.

use super::layout::Layout;
use super::representation::Representation;
use super::setup::{Label, Place, Power, Setup, identity};
use super::space::{Action, PermutationSpace};
use crate::domain::{Notation, Style, View};
use crate::picture::{Cell, Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use std::collections::HashMap;
use std::sync::Arc;

/// The most places in a line of a picture without a layout.
const MOST_IN_LINE: usize = 16;

/// The view of a permutation puzzle.
pub(super) struct PermutationView {
    setup: Arc<Setup>,
    moves: Vec<Power>,
}

impl PermutationView {
    pub fn new(setup: &Arc<Setup>) -> PermutationView {
        PermutationView { setup: Arc::clone(setup), moves: setup.moves().collect() }
    }
}

impl<R: Representation> View<PermutationSpace<R>> for PermutationView {
    /// For each place, the start place of its label: equal labels stay distinguishable.
    type Position = Vec<Place>;

    fn initial(&self) -> Vec<Place> {
        identity(self.setup.places())
    }

    fn apply(&self, position: &mut Vec<Place>, Action(number): Action) {
        *position = Setup::moved(position, &self.setup.image(self.moves[usize::from(number)]));
    }

    fn notation(&self, _position: &Vec<Place>, Action(number): Action, _notation: Notation) -> String {
        self.setup.written(self.moves[usize::from(number)])
    }

    fn draw(&self, position: &Vec<Place>, style: Style) -> String {
        let labels: Vec<Label> = position.iter().map(|&from| self.setup.start[usize::from(from)]).collect();
        draw(&self.setup, &labels, style)
    }

    fn picture(&self, position: &Vec<Place>) -> Option<Picture> {
        let setup = &self.setup;
        if setup.places() > MOST_FIGURES {
            return None;
        }
        let line;
        let layout = match &setup.layout {
            Some(layout) => layout,
            None => {
                line = Layout::lines(setup.places(), MOST_IN_LINE);
                &line
            }
        };
        let rows = layout.places().map(|(row, _, _)| row + 1).max().unwrap_or(0);
        let columns = layout.places().map(|(_, column, _)| column + 1).max().unwrap_or(0);
        let mut picture = Picture::new(rows, columns, Ground::Void);
        for (row, column, place) in layout.places() {
            let from = position[usize::from(place)];
            let label = usize::from(setup.start[usize::from(from)]);
            let paint = setup.colors[label].map_or(Paint::Hue(label), Paint::Rgb);
            let name = setup.labels[label].clone();
            picture.ground_mut()[row * columns + column] = Ground::Floor;
            picture.figures.push(Figure::single(from.into(), name, paint, Form::Block, (row, column)));
        }
        picture.figures.sort_unstable_by_key(|figure| figure.key);
        // Keys above those of the places, so that they stay in order.
        for (number, (at, label)) in centres(layout, &setup.solved, (rows, columns)).into_iter().enumerate() {
            let paint = setup.colors[usize::from(label)].map_or(Paint::Hue(label.into()), Paint::Rgb);
            picture.ground_mut()[at.0 * columns + at.1] = Ground::Floor;
            let key = (setup.places() + number) as u64;
            picture.figures.push(Figure::single(key, "", paint, Form::Block, at));
        }
        Some(picture)
    }
}

/// Returns the gaps of a layout whose eight neighbours all have one label when solved, with this label: the centres of
/// the faces of a cube, which no move moves.
fn centres(layout: &Layout, solved: &[Label], (rows, columns): (usize, usize)) -> Vec<(Cell, Label)> {
    let drawn: HashMap<Cell, Label> =
        layout.places().map(|(row, column, place)| ((row, column), solved[usize::from(place)])).collect();
    let inner =
        (1..rows.saturating_sub(1)).flat_map(|row| (1..columns.saturating_sub(1)).map(move |column| (row, column)));
    let centre = |at: Cell| {
        let around = (at.0 - 1..=at.0 + 1).flat_map(|row| (at.1 - 1..=at.1 + 1).map(move |column| (row, column)));
        let mut labels = around.filter(|cell| *cell != at).map(|cell| drawn.get(&cell).copied());
        let first = labels.next()??;
        labels.all(|label| label == Some(first)).then_some((at, first))
    };
    inner.filter(|at| !drawn.contains_key(at)).filter_map(centre).collect()
}

/// Draws a position by the layout, or plainly with all labels in one line; labels of one letter have no spaces between.
pub(super) fn draw(setup: &Setup, position: &[Label], style: Style) -> String {
    let label = |place: Place| setup.labels[usize::from(position[usize::from(place)])].clone();
    match &setup.layout {
        Some(layout) if style == Style::Drawn => layout.draw(label),
        _ if setup.textual => (0..setup.places()).map(|place| label(place as Place)).collect::<String>() + "\n",
        _ if style == Style::Drawn => Layout::line(setup.places()).draw(label),
        _ => (0..setup.places()).map(|place| label(place as Place)).collect::<Vec<_>>().join(" ") + "\n",
    }
}
