//! How positions of permutations look: labels where the layout has their places; and moves in writing.

use super::layout::Layout;
use super::representation::Representation;
use super::setup::{Label, Place, Power, Setup};
use super::space::{Action, PermutationSpace};
use crate::domain::{Notation, Style, View};
use std::sync::Arc;

/// Draws the labels of a puzzle.
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
    /// By place, the label.
    type Position = Vec<Label>;

    fn initial(&self) -> Vec<Label> {
        self.setup.start.clone()
    }

    fn apply(&self, position: &mut Vec<Label>, Action(number): Action) {
        *position = Setup::moved(position, &self.setup.image(self.moves[usize::from(number)]));
    }

    fn notation(&self, _position: &Vec<Label>, Action(number): Action, _notation: Notation) -> String {
        self.setup.written(self.moves[usize::from(number)])
    }

    fn draw(&self, position: &Vec<Label>, style: Style) -> String {
        draw(&self.setup, position, style)
    }
}

/// A position: drawn by the layout, or plainly, all labels in one line; letters without spaces.
pub(super) fn draw(setup: &Setup, position: &[Label], style: Style) -> String {
    let label = |place: Place| setup.labels[usize::from(position[usize::from(place)])].clone();
    match &setup.layout {
        Some(layout) if style == Style::Drawn => layout.draw(label),
        _ if setup.textual => (0..setup.places()).map(|place| label(place as Place)).collect::<String>() + "\n",
        _ if style == Style::Drawn => Layout::line(setup.places()).draw(label),
        _ => (0..setup.places()).map(|place| label(place as Place)).collect::<Vec<_>>().join(" ") + "\n",
    }
}
