//! Views of positions: text, the names of moves, and pictures in which figures keep their identity.
//!
//! A position holds the values of all variables and a key for the figure on each cell. If a move takes a symbol from
//! one cell and puts it on another, the key moves along. Equal moves give equal keys in every replay.

use super::expression::Term;
use super::looks::Looks;
use super::lurd;
use super::mechanics::mechanics;
use super::model::{Compiled, MovePart};
use super::reduce::Reduced;
use super::task::{Operator, Task, Value, Values};
use super::text;
use crate::domain::mechanics::Mechanics;
use crate::domain::{Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use engine_search::space::StateSpace;
use std::sync::Arc;

/// Variables are drawn in lanes up to this many variables and different values.
const MOST_LANES: usize = 40;
const MOST_HEADINGS: usize = 20;

/// Draws the positions of a puzzle.
pub(super) struct RuleView {
    puzzle: Arc<Compiled>,
    looks: Looks,
    /// The symbol that every move moves by one cell, for the notation `lurd`.
    mover: Option<Value>,
    /// The task without unreachable operators, and the reachable values of each variable.
    narrowed: Arc<Task>,
    reached: Vec<Values>,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The value of each variable.
    pub values: Vec<Value>,
    /// The key of the figure on each cell.
    keys: Vec<u64>,
    /// The next unused key.
    next: u64,
}

impl RuleView {
    /// Creates a view.
    pub fn new(puzzle: Arc<Compiled>, reduced: &Reduced, mover: Option<Value>) -> RuleView {
        let looks = Looks::new(&puzzle.model, &reduced.reached);
        let (narrowed, reached) = (Arc::clone(&reduced.narrowed), reduced.lifting.reached.clone());
        RuleView { puzzle, looks, mover, narrowed, reached }
    }

    fn start(&self) -> Position {
        self.position(self.puzzle.task.start.clone())
    }

    /// Returns a position with new keys for all figures.
    fn position(&self, values: Vec<Value>) -> Position {
        let cells = self.puzzle.model.world.cells() as u64;
        Position { values, keys: (0..cells).collect(), next: cells }
    }

    fn operator(&self, action: u32) -> &Operator {
        &self.puzzle.task.operators[action as usize]
    }

    fn apply_action(&self, position: &mut Position, action: u32) {
        let after = self.operator(action).after(&position.values);
        let columns = self.puzzle.model.world.columns;
        let changed = |cell: &usize| position.values[*cell] != after[*cell];
        let changed: Vec<usize> = (0..position.keys.len()).filter(changed).collect();
        let mut left = changed.clone();
        let mut keys = position.keys.clone();
        for &cell in &changed {
            let distance =
                |other: usize| (cell / columns).abs_diff(other / columns) + (cell % columns).abs_diff(other % columns);
            let came_from = left.iter().copied().filter(|&other| position.values[other] == after[cell]);
            match came_from.min_by_key(|&other| (distance(other), other)) {
                Some(other) => {
                    left.retain(|&known| known != other);
                    keys[cell] = position.keys[other];
                }
                None => {
                    keys[cell] = position.next;
                    position.next += 1;
                }
            }
        }
        position.keys = keys;
        position.values = after;
    }

    /// Returns the name of a move.
    fn name(&self, values: &[Value], operator: &Operator) -> String {
        let part = |part: &MovePart| match part {
            MovePart::Text(text) => text.clone(),
            MovePart::Symbol(var) => self.puzzle.model.world.values[*var][usize::from(values[*var])].to_string(),
        };
        self.puzzle.moves[operator.action as usize].iter().map(part).collect()
    }

    /// Returns the name of a move, with a number if a legal move before it has the same name.
    fn numbered_name(&self, values: &[Value], action: u32) -> String {
        let task = &self.puzzle.task;
        let name = self.name(values, self.operator(action));
        let is_move = |other: &Operator| {
            let after = other.after(values);
            after != values && task.is_allowed(&after)
        };
        let before = task.operators[..action as usize].iter();
        match before
            .filter(|other| task.holds(other, values) && self.name(values, other) == name && is_move(other))
            .count()
        {
            0 => name,
            before => format!("{name} #{}", before + 1),
        }
    }

    /// Returns the name of a move in the notation `lurd`, if that fits the puzzle.
    fn letter(&self, values: &[Value], action: u32) -> Option<String> {
        let world = &self.puzzle.model.world;
        let after = self.operator(action).after(values);
        let cells = world.cells();
        lurd::letter(self.mover?, &values[..cells], &after[..cells], world.columns).map(String::from)
    }

    /// Draws a lane for each variable, with a column for each value; `None` if there are too many of either.
    fn lanes(&self, values: &[Value]) -> Option<Picture> {
        let world = &self.puzzle.model.world;
        let mut headings: Vec<&Term> = Vec::new();
        for term in world.values.iter().flat_map(|terms| terms.iter()) {
            if !headings.contains(&term) {
                headings.push(term);
            }
            if headings.len() > MOST_HEADINGS {
                return None;
            }
        }
        if values.len() > MOST_LANES {
            return None;
        }
        let mut picture = Picture::new(values.len() + 1, headings.len(), Ground::Floor);
        picture.ground[..headings.len()].fill(Ground::Void);
        let at = |term: &Term| headings.iter().position(|known| *known == term).unwrap_or(0);
        for (var, name) in self.puzzle.model.names.iter().enumerate() {
            let terms = &world.values[var];
            for (column, _) in headings.iter().enumerate().filter(|(_, term)| !terms.contains(term)) {
                picture.ground[(var + 1) * headings.len() + column] = Ground::Void;
            }
            let place = (var + 1, at(&terms[usize::from(values[var])]));
            picture.figures.push(Figure::single(var as u64, name.clone(), Paint::Hue(var), Form::Block, place));
        }
        let head = |(column, term): (usize, &&Term)| {
            Figure::single(1 << 60 | column as u64, term.to_string(), Paint::Plain, Form::Text, (0, column))
        };
        picture.figures.extend(headings.iter().enumerate().map(head));
        Some(picture)
    }

    fn drawn(&self, position: &Position) -> Picture {
        let model = &self.puzzle.model;
        let lines = text::named(model, &position.values);
        let (rows, columns) = (model.world.rows, model.world.columns);
        let below = Picture::of_text(&lines.join("\n"));
        if rows == 0 {
            return self.lanes(&position.values).unwrap_or(below);
        }
        // An empty row separates the grid from the variables.
        let from = rows + 1;
        let written = if lines.is_empty() { 0 } else { below.rows + 1 };
        let mut picture = Picture::new(rows + written, columns.max(below.columns), Ground::Void);
        let place = |cell: usize| (cell / columns, cell % columns);
        for (cell, &value) in position.values[..rows * columns].iter().enumerate() {
            let (row, column) = place(cell);
            picture.ground[row * picture.columns + column] = self.looks.ground(cell, value);
            if let Some((label, paint, form)) = self.looks.figure(cell, value) {
                picture.figures.push(Figure::single(position.keys[cell], label, paint, form, (row, column)));
            }
            if let Some(mark) = model.world.marks.get(cell).filter(|mark| **mark != '.' && **mark != '#') {
                let mark = Figure::single(cell as u64, *mark, Paint::Accent, Form::Block, (row, column));
                picture.marks.push(mark);
            }
        }
        picture.figures.sort_by_key(|figure| figure.key);
        let text = below.figures.into_iter().map(|figure| {
            let at = (figure.at.0 + from, figure.at.1);
            Figure { key: figure.key | 1 << 60, at, ..figure }
        });
        picture.figures.extend(text);
        picture
    }
}

impl<S: StateSpace<Action = u32>> View<S> for RuleView {
    type Position = Position;

    fn initial(&self) -> Position {
        self.start()
    }

    fn apply(&self, position: &mut Position, action: u32) {
        self.apply_action(position, action);
    }

    fn notation(&self, position: &Position, action: u32, notation: Notation) -> String {
        let letter = if notation == Notation::LURD { self.letter(&position.values, action) } else { None };
        letter.unwrap_or_else(|| self.numbered_name(&position.values, action))
    }

    fn draw(&self, position: &Position, _style: Style) -> String {
        text::drawn(&self.puzzle.model, &position.values)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.drawn(position)).filter(|picture| picture.figures.len() <= MOST_FIGURES)
    }

    fn mechanics(&self, _space: &S) -> Option<Mechanics> {
        Some(mechanics(&self.puzzle, &self.narrowed, &self.reached))
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        self.drawn(&self.position(values.iter().map(|&value| value as Value).collect())).figures
    }
}
