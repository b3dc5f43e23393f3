//! Drawings of positions, with labels in the layout of the places, and the notation of moves.

use super::layout::Layout;
use super::representation::Representation;
use super::setup::{Label, Place, Power, Setup, identity};
use super::space::{Action, PermutationSpace};
use crate::domain::mechanics::{Mechanics, Moves, NamePart, Operator, Operators, Source, Target};
use crate::domain::{Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use std::borrow::Cow;
use std::sync::Arc;

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
        let layout = &*self.layout();
        let rows = layout.places().map(|(row, _, _)| row + 1).max().unwrap_or(0);
        let columns = layout.places().map(|(_, column, _)| column + 1).max().unwrap_or(0);
        let mut picture = Picture::new(rows, columns, Ground::Void);
        for (row, column, place) in layout.places() {
            let from = position[usize::from(place)];
            let figure = self.figure(setup.start[usize::from(from)], (row, column));
            picture.ground[row * columns + column] = Ground::Floor;
            picture.figures.push(Figure { key: from.into(), ..figure });
        }
        picture.figures.sort_unstable_by_key(|figure| figure.key);
        Some(picture)
    }

    /// Returns the rules as data: a variable for each place, whose value is the label there.
    fn mechanics(&self, _space: &PermutationSpace<R>) -> Option<Mechanics> {
        let setup = &self.setup;
        let operator = |&power: &Power| {
            let image = setup.image(power);
            let moved = image.iter().enumerate().filter(|&(from, &to)| from != usize::from(to));
            Operator {
                name: vec![NamePart::Text(setup.written(power))],
                cost: 1.0,
                conditions: Vec::new(),
                disjunctions: Vec::new(),
                counts: Vec::new(),
                effects: moved.map(|(from, &to)| (to.into(), Source::Copy(from))).collect(),
            }
        };
        let goal = setup.solved.iter().enumerate().map(|(place, &label)| (place, vec![label.into()]));
        Some(Mechanics {
            start: setup.start.iter().map(|&label| label.into()).collect(),
            domains: vec![(0..setup.labels.len() as u32).collect(); setup.places()],
            goals: vec![Target { conditions: goal.collect(), ..Target::default() }],
            moves: Moves::Operators(Operators {
                operators: self.moves.iter().map(operator).collect(),
                ..Operators::default()
            }),
        })
    }

    fn figures(&self, labels: &[u32]) -> Vec<Figure> {
        let figure = |(row, column, place)| self.figure(labels[usize::from(place)] as Label, (row, column));
        self.layout().places().map(figure).collect()
    }
}

impl PermutationView {
    /// Returns the layout of the file, or else all places in a line.
    fn layout(&self) -> Cow<'_, Layout> {
        self.setup.layout.as_ref().map_or_else(|| Cow::Owned(Layout::line(self.setup.places())), Cow::Borrowed)
    }

    /// Returns the figure of a label.
    fn figure(&self, label: Label, at: (usize, usize)) -> Figure {
        let number = usize::from(label);
        let paint = self.setup.colors[number].map_or(Paint::Hue(number), Paint::Rgb);
        Figure::single(label.into(), self.setup.labels[number].clone(), paint, Form::Block, at)
    }
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
