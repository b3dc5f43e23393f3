//! Drawings of positions, with labels in the layout of the places, and the notation of moves.

use super::images::{Place, identity};
use super::layout::DrawingLayout;
use super::patterns::Guide;
use super::representation::Representation;
use super::setup::{Label, Power, Setup};
use super::space::{Action, PermutationSpace};
use crate::domain::mechanics::{Mechanics, Moves, NamePart, Operator, Operators, Source, Target};
use crate::domain::{Alternative, GoalView, Notation, Style, View};
use crate::picture::{Cell, Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The most places in a line of a picture without a layout.
const MOST_IN_LINE: usize = 16;

/// The view of a permutation puzzle.
pub(super) struct PermutationView {
    setup: Arc<Setup>,
    /// All solved arrangements.
    arrangements: Arc<Vec<Vec<Label>>>,
    moves: Vec<Power>,
}

impl PermutationView {
    pub fn new(setup: &Arc<Setup>, arrangements: &Arc<Vec<Vec<Label>>>) -> PermutationView {
        let (setup, arrangements) = (Arc::clone(setup), Arc::clone(arrangements));
        PermutationView { moves: setup.moves().collect(), setup, arrangements }
    }
}

impl<R: Representation, G: Guide> View<PermutationSpace<R, G>> for PermutationView {
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
        let start = &self.setup.start;
        self.picture_of(|place| {
            let from = position[usize::from(place)];
            (from, start[usize::from(from)])
        })
    }

    fn goal(&self) -> GoalView {
        GoalView::of(&self.arrangements, |solved| {
            let drawing = Some(draw(&self.setup, solved, Style::Drawn));
            let picture = self.picture_of(|place| (place, solved[usize::from(place)]));
            Alternative { drawing, picture, words: Vec::new() }
        })
    }

    /// Returns the rules as data: a variable for each place, whose value is the label there.
    fn mechanics(&self, _space: &PermutationSpace<R, G>) -> Option<Mechanics> {
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
        let target = |arrangement: &Vec<Label>| {
            let conditions = arrangement.iter().enumerate().map(|(place, &label)| (place, vec![label.into()]));
            Target { conditions: conditions.collect(), ..Target::default() }
        };
        Some(Mechanics {
            start: setup.start.iter().map(|&label| label.into()).collect(),
            domains: vec![(0..setup.labels.len() as u32).collect(); setup.places()],
            goals: self.arrangements.iter().map(target).collect(),
            moves: Moves::Operators(Operators {
                operators: self.moves.iter().map(operator).collect(),
                ..Operators::default()
            }),
        })
    }

    fn figures(&self, labels: &[u32]) -> Vec<Figure> {
        let figure = |(row, column, place)| self.figure(labels[usize::from(place)] as Label, (row, column));
        let layout = self.layout();
        layout.places().map(figure).chain(self.centre_figures(&layout)).collect()
    }
}

impl PermutationView {
    /// Returns a picture of the labels, each with a key: the identity of the figure at a place.
    fn picture_of(&self, at: impl Fn(Place) -> (Place, Label)) -> Option<Picture> {
        if self.setup.places() > MOST_FIGURES {
            return None;
        }
        let layout = &*self.layout();
        let rows = layout.places().map(|(row, _, _)| row + 1).max().unwrap_or(0);
        let columns = layout.places().map(|(_, column, _)| column + 1).max().unwrap_or(0);
        let mut picture = Picture::new(rows, columns, Ground::Void);
        for (row, column, place) in layout.places() {
            let (key, label) = at(place);
            picture.ground_mut()[row * columns + column] = Ground::Floor;
            picture.figures.push(Figure { key: key.into(), ..self.figure(label, (row, column)) });
        }
        picture.figures.sort_unstable_by_key(|figure| figure.key);
        for centre in self.centre_figures(layout) {
            picture.ground_mut()[centre.at.0 * columns + centre.at.1] = Ground::Floor;
            picture.figures.push(centre);
        }
        Some(picture)
    }

    /// Returns the layout of the file, or else all places in lines.
    fn layout(&self) -> Cow<'_, DrawingLayout> {
        let lines = || Cow::Owned(DrawingLayout::lines(self.setup.places(), MOST_IN_LINE));
        self.setup.layout.as_ref().map_or_else(lines, Cow::Borrowed)
    }

    /// Returns the figures of the [`centres`] of faces. Their keys are above those of the places, so that figures stay
    /// in order.
    fn centre_figures(&self, layout: &DrawingLayout) -> Vec<Figure> {
        let rows = layout.places().map(|(row, _, _)| row + 1).max().unwrap_or(0);
        let columns = layout.places().map(|(_, column, _)| column + 1).max().unwrap_or(0);
        let figure = |(number, (at, label)): (usize, (Cell, Label))| {
            let paint = self.setup.colors[usize::from(label)].map_or(Paint::Hue(label.into()), Paint::Rgb);
            Figure::single((self.setup.places() + number) as u64, "", paint, Form::Block, at)
        };
        centres(layout, &self.setup.solved, (rows, columns)).into_iter().enumerate().map(figure).collect()
    }

    /// Returns the figure of a label.
    fn figure(&self, label: Label, at: (usize, usize)) -> Figure {
        let number = usize::from(label);
        let paint = self.setup.colors[number].map_or(Paint::Hue(number), Paint::Rgb);
        Figure::single(label.into(), self.setup.labels[number].clone(), paint, Form::Block, at)
    }
}

/// Returns the gaps of a layout whose eight neighbours all have one label when solved, with this label: the centres of
/// the faces of a cube, which no move moves.
fn centres(layout: &DrawingLayout, solved: &[Label], (rows, columns): (usize, usize)) -> Vec<(Cell, Label)> {
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
        _ if style == Style::Drawn => DrawingLayout::line(setup.places()).draw(label),
        _ => (0..setup.places()).map(|place| label(place as Place)).collect::<Vec<_>>().join(" ") + "\n",
    }
}
