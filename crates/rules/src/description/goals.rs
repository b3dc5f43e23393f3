//! Reads goals: drawings, expressions, and tables of requirements.

use super::symbols::{invisible, is_invisible, only_character};
use super::variables::given_values;
use super::{Reader, kind, term, with_drawing};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;
use crate::drawing::{Cell, Drawing};
use crate::keys::{GoalKeys, Scalar, Table, Value as Given};
use crate::model::{AnywhereDrawing, ModelGoal};
use crate::parse::parse_range;
use crate::resolve::Type;
use crate::task::Value;
use std::ops::Range;

impl Reader<'_> {
    /// Reads one goal.
    pub fn goal(&self, written: &Spanned<GoalKeys>) -> Option<ModelGoal> {
        let mut goal = ModelGoal { span: written.span(), ..ModelGoal::default() };
        self.errors.without_errors(|| {
            match written.get_ref() {
                GoalKeys::Text(text) => {
                    let text = Spanned::new(written.span(), text.clone());
                    match self.model.world.rows {
                        0 => goal.when.extend(self.expression(text, Type::TRUTH, &mut Vec::new())),
                        _ => self.drawn(&text, &mut goal),
                    }
                }
                GoalKeys::Table(table) => self.listed(table, written.span(), &mut goal),
            }
            Some(goal)
        })
    }

    /// Reads the cells of a drawing: the values that each allows, row by row.
    fn allowed(&self, drawing: &Drawing) -> Vec<Option<Vec<Value>>> {
        let allowed = |(_, _, cell): (usize, usize, Cell)| {
            let symbol = cell.text.chars().next().unwrap_or('?');
            if symbol == '?' {
                return None;
            }
            let values = self.denoted(cell.text).filter(|_| !is_invisible(symbol));
            if values.is_none() {
                self.errors.report(match is_invisible(symbol) {
                    true => invisible(symbol, cell.span()),
                    false => self.unknown_symbol(cell.text, cell.span()),
                });
            }
            values
        };
        drawing.cells().map(allowed).collect()
    }

    /// Reads a drawing that may lie anywhere on the grid.
    fn anywhere(&self, text: &Spanned<String>) -> Option<AnywhereDrawing> {
        let drawing = self.errors.valid(Drawing::of_characters(text, self.file.source))?;
        let (rows, columns) = (self.model.world.rows, self.model.world.columns);
        let (height, width) = (drawing.height(), drawing.width());
        if height > rows || width > columns {
            let message = format!("the drawing `anywhere` is {height}x{width}");
            let label = format!("expected at most {rows}x{columns}, as the start");
            self.errors.report(Diagnostic::at(drawing.span(), message).label(label));
            return None;
        }
        Some(AnywhereDrawing { height, width, cells: self.allowed(&drawing) })
    }

    fn drawn(&self, text: &Spanned<String>, goal: &mut ModelGoal) {
        let world = &self.model.world;
        let drawing = Drawing::of_characters(text, self.file.source).map_err(|errors| {
            // With a grid, a string is a drawing.
            match text.get_ref().contains("==") || text.get_ref().contains('(') {
                true => vec![
                    Diagnostic::at(text.span(), "the goal is an expression, where a drawing is expected")
                        .help("write it as: goal = { when = \"…\" }"),
                ],
                false => errors,
            }
        });
        let Some(drawing) = self.errors.valid(drawing) else { return };
        if (drawing.height(), drawing.width()) != (world.rows, world.columns) {
            let message = format!("the goal is {}x{}", drawing.height(), drawing.width());
            let label = format!("expected {}x{}, as the start", world.rows, world.columns);
            return self.errors.report(Diagnostic::at(drawing.span(), message).label(label));
        }
        let allowed = self.allowed(&drawing).into_iter().enumerate();
        goal.places.extend(allowed.filter_map(|(cell, values)| Some((cell, values?))));
    }

    /// Returns the error about a symbol that the puzzle does not have.
    fn unknown_symbol(&self, name: &str, span: Range<usize>) -> Diagnostic {
        let known: Vec<String> = self.model.symbols.iter().map(char::to_string).collect();
        let first = name.chars().next().unwrap_or('?').to_string();
        let help = unknown_name(&first, known.iter().map(String::as_str).take(50)) + "; `?` matches any symbol";
        Diagnostic::at(span, format!("unknown symbol `{name}`")).help(help)
    }

    fn listed(&self, table: &Table<Given>, span: Range<usize>, goal: &mut ModelGoal) {
        let arrays = &self.model.world.arrays;
        let (drawing, others) = with_drawing(table, self.errors);
        match drawing {
            Some(drawing) if self.model.world.rows == 0 => {
                let error = Diagnostic::at(drawing.span(), "`drawing` needs a grid");
                self.errors.report(error.label("draw the grid in `start`"));
            }
            Some(drawing) => self.drawn(&drawing, goal),
            None => {}
        }
        for (key, value) in others {
            match (key.get_ref().as_str(), value.get_ref()) {
                ("count", Given::Table(counts)) => self.counts(counts, goal),
                ("every", Given::Table(pairs)) => self.every(pairs, goal),
                ("when", Given::One(_) | Given::Many(_)) => self.when(value, goal),
                ("anywhere", _) if self.model.world.rows == 0 => {
                    let error = Diagnostic::at(value.span(), "`anywhere` needs a grid");
                    self.errors.report(error.label("draw the grid in `start`"));
                }
                ("anywhere", Given::One(Scalar::Text(text))) => {
                    goal.anywhere = self.anywhere(&Spanned::new(value.span(), text.clone()));
                }
                (name @ ("count" | "every" | "when" | "anywhere"), other) => {
                    let expected = match name {
                        "count" => "a table such as `{ o = 1 }`",
                        "every" => "a table such as `{ \"$\" = \"x\" }`",
                        "anywhere" => "a drawing (a string)",
                        _ => "an expression, or an array of expressions",
                    };
                    let message = format!("invalid type for `{name}`: expected {expected}, found {}", kind(other));
                    self.errors.report(Diagnostic::at(value.span(), message));
                }
                (name, _) if self.goal_piles(name, value, goal) => {}
                (name, _) => match arrays.iter().find(|array| array.name == name && name != "cell") {
                    Some(array) => {
                        let values = self.errors.valid(given_values(array, value, self.model)).unwrap_or_default();
                        goal.places.extend(values.into_iter().map(|(var, value)| (var, vec![value])));
                    }
                    None => {
                        let known = arrays.iter().map(|array| array.name.as_str()).filter(|name| *name != "cell");
                        let piles = self.model.world.piles.iter().map(|piles| piles.array.name.as_str());
                        let known: Vec<&str> =
                            known.chain(piles).chain(["drawing", "anywhere", "count", "every", "when"]).collect();
                        let error = Diagnostic::at(key.span(), format!("unknown key `{name}`"));
                        self.errors.report(error.help(unknown_name(name, known)));
                    }
                },
            }
        }
        if table.is_empty() {
            self.errors.report(Diagnostic::at(span, "the goal is empty").label("expected at least one condition"));
        }
    }

    /// Reads the conditions of a goal: an expression, or an array of expressions.
    fn when(&self, value: &Spanned<Given>, goal: &mut ModelGoal) {
        let given: Vec<(&Given, Range<usize>)> = match value.get_ref() {
            Given::Many(list) => list.iter().map(|one| (one.get_ref(), one.span())).collect(),
            one => vec![(one, value.span())],
        };
        for (one, span) in given {
            if let Given::One(scalar) = one {
                goal.when.extend(self.scalar(&Spanned::new(span, scalar.clone()), Type::TRUTH, &mut Vec::new()));
            } else {
                let message = format!("invalid type for `when`: expected a string, found {}", kind(one));
                self.errors.report(Diagnostic::at(span, message));
            }
        }
    }

    /// Returns the symbols that a name denotes: the members of the set with this letter, else the symbol itself.
    pub(super) fn denoted(&self, name: &str) -> Option<Vec<Value>> {
        match self.model.world.sets.iter().find(|set| name.chars().eq([set.letter])) {
            Some(set) => Some(set.symbols.iter().filter_map(|symbol| self.model.symbol(*symbol)).collect()),
            None => self.symbol(name).map(|symbol| vec![symbol]),
        }
    }

    /// Returns the number of a symbol.
    fn symbol(&self, name: &str) -> Option<Value> {
        self.model.symbol(only_character(name)?)
    }

    fn counts(&self, counts: &Table<Scalar>, goal: &mut ModelGoal) {
        for (name, number) in counts.entries() {
            let range = match number.get_ref() {
                Scalar::Number(number) => Some((*number, *number)),
                Scalar::Text(text) => parse_range(text),
                Scalar::Truth(_) => None,
            };
            let range = range.and_then(|(least, most)| Some((u32::try_from(least).ok()?, u32::try_from(most).ok()?)));
            let Some((least, most)) = range else {
                let error = Diagnostic::at(number.span(), format!("invalid count for `{}`", name.get_ref()));
                self.errors.report(error.label("expected a number, or a range such as \"2..3\""));
                continue;
            };
            match self.denoted(name.get_ref()) {
                Some(symbols) => goal.counts.push((symbols, least, most)),
                None => self.errors.report(self.unknown_symbol(name.get_ref(), name.span())),
            }
        }
    }

    fn every(&self, pairs: &Table<Scalar>, goal: &mut ModelGoal) {
        let known = &self.model.world.marks;
        for (name, mark) in pairs.entries() {
            let marks: Vec<char> = term(mark.get_ref()).to_string().chars().collect();
            let unknown = marks.iter().find(|mark| !known.contains(mark));
            if marks.is_empty() || unknown.is_some() {
                let message = match unknown {
                    Some(_) if known.is_empty() => "the puzzle has no marks".to_owned(),
                    Some(mark) => format!("no cell has the mark `{mark}`"),
                    None => "missing mark".to_owned(),
                };
                let label = match known.is_empty() {
                    true => "add `marks`, a drawing with a letter on each cell of a target",
                    false => "expected letters of `marks`",
                };
                self.errors.report(Diagnostic::at(mark.span(), message).label(label));
            }
            match self.symbol(name.get_ref()) {
                Some(symbol) => goal.every.push((symbol, marks)),
                None => self.errors.report(self.unknown_symbol(name.get_ref(), name.span())),
            }
        }
    }
}
