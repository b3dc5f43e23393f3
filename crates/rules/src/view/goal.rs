//! Goals as people see them: a drawing of the cells that must hold something, and the other conditions in words.

use super::{Scenery, is_drawn_mark, stacked};
use crate::domain::{Alternative, GoalView};
use crate::layout::{self, Part};
use crate::model::{AnywhereDrawing, Model, ModelGoal};
use crate::picture::{Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use crate::task::{Value, Var};
use crate::{text, words};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The symbol of cells that may hold anything, as in files.
const ANYTHING: char = '?';

impl Scenery {
    /// Returns all goals.
    pub(crate) fn goal_view(&self) -> GoalView {
        GoalView::of(&self.model.goals, |goal| self.alternative(goal))
    }

    fn alternative(&self, goal: &ModelGoal) -> Alternative {
        let model = &self.model;
        let wanted: BTreeMap<Var, &[Value]> = goal.places.iter().map(|(var, values)| (*var, &values[..])).collect();
        let exact =
            |var: &Var| wanted.get(var).and_then(|values| if let [value] = values { Some(*value) } else { None });
        let named = model.world.cells()..model.names.len();
        // Named variables are drawn if the goal has one value for each.
        let all_named: Option<Vec<Value>> = named.clone().map(|var| exact(&var)).collect();
        let is_complete = all_named.is_some();
        let mut values = model.start.clone();
        all_named.into_iter().flatten().zip(named).for_each(|(value, var)| values[var] = value);
        let has_grid = wanted.keys().any(|var| *var < model.world.cells()) || !goal.every.is_empty();
        let mut conditions = Vec::new();
        if !is_complete {
            let named: Vec<(Var, &[Value])> = wanted.iter().map(|(var, values)| (*var, *values)).collect();
            conditions.extend(words::wanted(model, &named));
        }
        conditions.extend(goal.every.iter().map(|(value, marks)| {
            let marks = marks.iter().map(|mark| format!("`{mark}`")).collect::<Vec<_>>().join(" or ");
            format!("every `{}` is on {marks}", model.symbols[usize::from(*value)])
        }));
        conditions.extend(goal.counts.iter().map(|(values, least, most)| match (least, most) {
            (0, 0) => format!("no {}", symbols(model, values)),
            (least, most) if least == most => format!("exactly {least} of {}", symbols(model, values)),
            (least, most) => format!("{least} to {most} of {}", symbols(model, values)),
        }));
        conditions.extend(goal.piles.iter().map(|(pile, items)| words::of_pile(model, *pile, items)));
        conditions.extend(goal.when.iter().map(|when| format!("`{}`", when.text.get_ref().trim())));
        let is_drawn = has_grid || (is_complete && model.world.rows == 0 && !model.names.is_empty());
        if let Some(anywhere) = &goal.anywhere {
            let drawing = anywhere_text(model, anywhere);
            let allowed = anywhere.cells.iter().flatten().map(|values| &values[..]);
            conditions.extend(set_letters(model, &drawing, allowed));
            if !is_drawn {
                conditions.insert(0, "this drawing lies anywhere on the grid".to_owned());
                let picture = Some(self.anywhere_picture(anywhere));
                return Alternative { drawing: Some(drawing), picture, words: conditions };
            }
            let rows = drawing.lines().map(|row| format!("`{row}`")).collect::<Vec<_>>().join(" above ");
            conditions.insert(0, format!("{rows} lies anywhere on the grid"));
        }
        if !is_drawn {
            return Alternative { words: conditions, ..Alternative::default() };
        }
        let mut drawing = self.grid_text(goal, &wanted);
        let on_grid = wanted.range(..model.world.cells()).map(|(_, values)| *values);
        conditions.extend(set_letters(model, &drawing, on_grid));
        let lines = if is_complete { text::named(model, &values, |_| true) } else { Vec::new() };
        drawing.extend(lines.iter().map(|words| words.join(" ") + "\n"));
        let picture = self.goal_picture(goal, &wanted, &values, is_complete);
        let picture = picture.filter(|picture| picture.figures.len() <= MOST_FIGURES);
        Alternative { drawing: Some(drawing), picture, words: conditions }
    }

    /// Returns a picture of a drawing that may lie anywhere.
    fn anywhere_picture(&self, drawing: &AnywhereDrawing) -> Picture {
        let mut part = Part { rows: drawing.height, columns: drawing.width, ..Part::default() };
        for (cell, values) in drawing.cells.iter().enumerate() {
            let place = (cell / drawing.width, cell % drawing.width);
            let value = match values.as_deref() {
                Some([value]) => Some(*value),
                Some(values) => {
                    let label = letter(&self.model, values).unwrap_or(ANYTHING);
                    part.figures.push(Figure::single(cell as u64, label, Paint::Plain, Form::Text, place));
                    None
                }
                None => None,
            };
            part.ground.push((place, value.map_or(Ground::Floor, |value| self.looks.ground(cell, value))));
            if let Some((label, paint, form)) = value.and_then(|value| self.looks.figure(cell, value)) {
                part.figures.push(Figure::single(cell as u64, label, paint, form, place));
            }
        }
        let mut picture = stacked(vec![part]);
        picture.sprites = Arc::clone(&self.looks.sprites);
        picture
    }

    /// Returns the symbol of a cell that never changes and is part of the ground, such as a wall.
    fn fixed(&self, cell: usize) -> Option<Value> {
        let start = self.model.start[cell];
        self.looks.is_bare(cell, start).then_some(start)
    }

    /// Returns the grid as text: the symbols that the goal wants, the marks for `every`, and the ground.
    fn grid_text(&self, goal: &ModelGoal, wanted: &BTreeMap<Var, &[Value]>) -> String {
        let model = &self.model;
        let symbol = |value: Value| model.symbols[usize::from(value)];
        // Marks are drawn in the way of the file: a point is no mark.
        let filler = if wanted.keys().any(|var| *var < model.world.cells()) { ANYTHING } else { '.' };
        let cell = |cell: usize| match (wanted.get(&cell), target_mark(model, goal, cell), self.fixed(cell)) {
            (Some([value]), ..) => symbol(*value),
            (Some(values), ..) => letter(model, values).unwrap_or(ANYTHING),
            (None, Some(mark), _) => mark,
            (None, None, Some(ground)) => symbol(ground),
            (None, None, None) => filler,
        };
        let (rows, columns) = (model.world.rows, model.world.columns);
        let row = |row: usize| (0..columns).map(|column| cell(row * columns + column)).collect::<String>() + "\n";
        (0..rows).map(row).collect()
    }

    fn goal_picture(
        &self,
        goal: &ModelGoal,
        wanted: &BTreeMap<Var, &[Value]>,
        values: &[Value],
        is_complete: bool,
    ) -> Option<Picture> {
        let model = &self.model;
        if model.world.rows == 0 && model.layouts.is_empty() {
            return self.lanes(values).map(|picture| Picture { marks: Vec::new(), ..picture });
        }
        let mut parts = Vec::new();
        if model.world.rows > 0 {
            parts.push(self.goal_grid(goal, wanted));
        }
        if is_complete {
            let has_layout = |array: usize| model.layouts.iter().any(|(known, _)| *known == array);
            let keys: Vec<u64> = (0..values.len() as u64).collect();
            parts.extend(layout::parts(model, &self.looks, values, &keys));
            let lines = text::named(model, values, |array| !has_layout(array));
            if !lines.is_empty() {
                parts.push(layout::table(&lines));
            }
        }
        Some(self.assembled(parts, values))
    }

    /// Returns the grid with the figures that the goal wants, and the marks for `every`.
    fn goal_grid(&self, goal: &ModelGoal, wanted: &BTreeMap<Var, &[Value]>) -> Part {
        let model = &self.model;
        let (places, rows, columns) = &self.grid;
        let mut part = Part { rows: *rows, columns: *columns, discs: self.discs(), ..Part::default() };
        for (cell, &place) in places.iter().enumerate() {
            let start = model.start[cell];
            let value = match wanted.get(&cell) {
                Some([value]) => Some(*value),
                Some(values) => {
                    let label = letter(model, values).unwrap_or(ANYTHING);
                    part.figures.push(Figure::single(cell as u64, label, Paint::Plain, Form::Text, place));
                    None
                }
                None => self.fixed(cell),
            };
            part.ground.push((place, self.looks.ground(cell, value.unwrap_or(start))));
            if let Some((label, paint, form)) = value.and_then(|value| self.looks.figure(cell, value)) {
                part.figures.push(Figure::single(cell as u64, label, paint, form, place));
            }
            if let Some((label, paint, form)) = self.looks.fill_of_ground(cell, start) {
                part.marks.push(Figure::single(cell as u64, label, paint, form, place));
            }
            if let Some(mark) = target_mark(model, goal, cell).filter(|mark| is_drawn_mark(*mark)) {
                part.marks.push(Figure::single(cell as u64, mark, Paint::Accent, Form::Block, place));
            }
        }
        part
    }
}

/// Returns the mark of a cell, if the goal wants every cell with some symbol to have it.
fn target_mark(model: &Model, goal: &ModelGoal, cell: usize) -> Option<char> {
    let mark = model.world.marks.get(cell).copied()?;
    goal.every.iter().any(|(_, marks)| marks.contains(&mark)).then_some(mark)
}

/// Returns the letter of the set of these symbols, if the file has one.
fn letter(model: &Model, values: &[Value]) -> Option<char> {
    let is_same = |symbols: &[char]| {
        symbols.len() == values.len()
            && values.iter().all(|value| symbols.contains(&model.symbols[usize::from(*value)]))
    };
    model.world.sets.iter().find(|set| is_same(&set.symbols)).map(|set| set.letter)
}

/// Returns a drawing that may lie anywhere, as text.
fn anywhere_text(model: &Model, drawing: &AnywhereDrawing) -> String {
    let symbol = |values: &Option<Vec<Value>>| match values.as_deref() {
        None => ANYTHING,
        Some([value]) => model.symbols[usize::from(*value)],
        Some(values) => letter(model, values).unwrap_or(ANYTHING),
    };
    let row = |row: &[Option<Vec<Value>>]| row.iter().map(symbol).collect::<String>() + "\n";
    drawing.cells.chunks(drawing.width).map(row).collect()
}

/// Returns symbols in words.
fn symbols(model: &Model, values: &[Value]) -> String {
    let all = values.iter().map(|value| format!("`{}`", model.symbols[usize::from(*value)]));
    all.collect::<Vec<_>>().join(" or ")
}

/// Returns the meaning of each letter of a set that a drawing has, given the values that its cells allow.
fn set_letters<'a>(model: &Model, drawing: &str, wanted: impl Iterator<Item = &'a [Value]>) -> Vec<String> {
    let mut meanings = BTreeMap::new();
    for values in wanted.filter(|values| values.len() > 1) {
        if let Some(letter) = letter(model, values).filter(|letter| drawing.contains(*letter)) {
            meanings.insert(letter, symbols(model, values));
        }
    }
    meanings.into_iter().map(|(letter, symbols)| format!("`{letter}` is {symbols}")).collect()
}
