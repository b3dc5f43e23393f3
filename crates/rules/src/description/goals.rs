//! Reads goals: drawings, expressions, and tables of requirements.

use super::symbols::{invisible, is_invisible};
use super::variables::given_values;
use super::{Reader, kind, term, with_drawing};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;
use crate::drawing::Drawing;
use crate::keys::{Goal as GoalKeys, Scalar, Table, Value as Given};
use crate::model::{Goal, Model};
use crate::parse::parse_range;
use crate::resolve::Type;
use crate::task::Value;
use std::ops::Range;

impl Reader<'_> {
    /// Reads one goal.
    pub fn goal(&self, goal: &GoalKeys, span: Range<usize>, model: &Model) -> Result<Goal, Vec<Diagnostic>> {
        let mut read = Goal { span: span.clone(), ..Goal::default() };
        match goal {
            GoalKeys::Text(text) => {
                let text = Spanned::new(span, text.clone());
                if model.world.rows > 0 {
                    self.drawn(&text, model, &mut read)?;
                } else {
                    let when = self.expression(&text, Type::TRUTH, &mut Vec::new());
                    read.when.push(when.map_err(|wrong| vec![wrong])?);
                    read.when_texts.push(text.get_ref().trim().to_owned());
                }
                Ok(read)
            }
            GoalKeys::Table(table) => self.listed(table, span, model, read),
        }
    }

    fn drawn(&self, text: &Spanned<String>, model: &Model, goal: &mut Goal) -> Result<(), Vec<Diagnostic>> {
        let drawing = Drawing::of_characters(text, self.file.source).map_err(|errors| {
            // With a grid, a string is a drawing.
            match text.get_ref().contains("==") || text.get_ref().contains('(') {
                true => vec![
                    Diagnostic::at(text.span(), "the goal is an expression, where a drawing is expected")
                        .help("write it as: goal = { when = \"…\" }"),
                ],
                false => errors,
            }
        })?;
        if (drawing.height(), drawing.width()) != (model.world.rows, model.world.columns) {
            let message = format!("the goal is {}x{}", drawing.height(), drawing.width());
            let label = format!("expected {}x{}, as the start", model.world.rows, model.world.columns);
            return Err(vec![Diagnostic::at(drawing.span(), message).label(label)]);
        }
        let mut errors = Vec::new();
        for (row, column, cell) in drawing.cells() {
            let symbol = cell.text.chars().next().unwrap_or('?');
            let number = |symbol: &char| model.symbols.iter().position(|known| known == symbol).map(|at| at as Value);
            let values: Vec<Value> = match model.world.sets.iter().find(|set| set.letter == symbol) {
                _ if symbol == '?' => continue,
                Some(set) => set.symbols.iter().filter_map(number).collect(),
                None => number(&symbol).into_iter().collect(),
            };
            if is_invisible(symbol) {
                errors.push(invisible(symbol, cell.span()));
            } else if values.is_empty() {
                errors.push(
                    Diagnostic::at(cell.span(), format!("unknown symbol `{symbol}`")).help(self.symbols(symbol, model)),
                );
            }
            goal.places.push((row * model.world.columns + column, values));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn symbols(&self, symbol: char, model: &Model) -> String {
        let known: Vec<String> = model.symbols.iter().map(char::to_string).collect();
        unknown_name(&symbol.to_string(), known.iter().map(String::as_str).take(50)) + "; `?` matches any symbol"
    }

    fn listed(
        &self,
        table: &Table<Given>,
        span: Range<usize>,
        model: &Model,
        mut goal: Goal,
    ) -> Result<Goal, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let (drawing, others) = with_drawing(table, &mut errors);
        if let Some(drawing) = drawing {
            if model.world.rows == 0 {
                errors.push(Diagnostic::at(drawing.span(), "`drawing` needs a grid").label("draw the grid in `start`"));
            } else {
                errors.extend(self.drawn(&drawing, model, &mut goal).err().into_iter().flatten());
            }
        }
        for (key, value) in others {
            let read = match (key.get_ref().as_str(), value.get_ref()) {
                ("count", Given::Table(counts)) => self.counts(counts, model, &mut goal),
                ("every", Given::Table(pairs)) => self.every(pairs, model, &mut goal),
                ("when", Given::One(_) | Given::Many(_)) => self.when(value, &mut goal),
                ("count" | "every" | "when", _) => {
                    let expected = match key.get_ref().as_str() {
                        "count" => "a table such as `{ o = 1 }`",
                        "every" => "a table such as `{ \"$\" = \"x\" }`",
                        _ => "an expression, or an array of expressions",
                    };
                    let found = kind(value.get_ref());
                    let message = format!("invalid type for `{}`: expected {expected}, found {found}", key.get_ref());
                    Err(vec![Diagnostic::at(value.span(), message)])
                }
                (name, _) => match model.world.arrays.iter().find(|array| array.name == name && name != "cell") {
                    Some(array) => given_values(array, value, model).map(|values| {
                        goal.places.extend(values.into_iter().map(|(var, value)| (var, vec![value])));
                    }),
                    None => {
                        let known =
                            model.world.arrays.iter().map(|array| array.name.as_str()).filter(|name| *name != "cell");
                        let help =
                            unknown_name(name, known.chain(["drawing", "count", "every", "when"]).collect::<Vec<_>>());
                        Err(vec![Diagnostic::at(key.span(), format!("unknown key `{name}`")).help(help)])
                    }
                },
            };
            errors.extend(read.err().into_iter().flatten());
        }
        if table.is_empty() {
            errors.push(Diagnostic::at(span, "the goal is empty").label("expected at least one condition"));
        }
        if errors.is_empty() { Ok(goal) } else { Err(errors) }
    }

    /// Reads the conditions of a goal: an expression, or an array of expressions.
    fn when(&self, value: &Spanned<Given>, goal: &mut Goal) -> Result<(), Vec<Diagnostic>> {
        let given: Vec<(&Given, Range<usize>)> = match value.get_ref() {
            Given::Many(list) => list.iter().map(|one| (one.get_ref(), one.span())).collect(),
            one => vec![(one, value.span())],
        };
        let mut errors = Vec::new();
        for (one, span) in given {
            let Given::One(scalar) = one else {
                let message = format!("invalid type for `when`: expected a string, found {}", kind(one));
                errors.push(Diagnostic::at(span, message));
                continue;
            };
            match self.scalar(&Spanned::new(span, scalar.clone()), Type::TRUTH, &mut Vec::new()) {
                Ok(when) => {
                    goal.when.push(when);
                    goal.when_texts.push(term(scalar).to_string());
                }
                Err(wrong) => errors.push(wrong),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Returns the symbols that a name denotes: the members of the set with this letter, else the symbol itself.
    fn counted(&self, name: &str, span: Range<usize>, model: &Model) -> Result<Vec<Value>, Diagnostic> {
        let number = |symbol: &char| model.symbols.iter().position(|known| known == symbol).map(|at| at as Value);
        match model.world.sets.iter().find(|set| name.chars().eq([set.letter])) {
            Some(set) => Ok(set.symbols.iter().filter_map(number).collect()),
            None => Ok(vec![self.symbol(name, span, model)?]),
        }
    }

    /// Returns the number of a symbol.
    fn symbol(&self, name: &str, span: Range<usize>, model: &Model) -> Result<Value, Diagnostic> {
        let known = model.symbols.iter().position(|symbol| symbol.to_string() == name);
        known.map(|at| at as Value).ok_or_else(|| {
            let first = name.chars().next().unwrap_or('?');
            Diagnostic::at(span, format!("unknown symbol `{name}`")).help(self.symbols(first, model))
        })
    }

    fn counts(&self, counts: &Table<Scalar>, model: &Model, goal: &mut Goal) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for (name, number) in counts.entries() {
            let range = match number.get_ref() {
                Scalar::Number(number) => Some((*number, *number)),
                Scalar::Text(text) => parse_range(text),
                Scalar::Truth(_) => None,
            };
            let range = range.and_then(|(least, most)| Some((u32::try_from(least).ok()?, u32::try_from(most).ok()?)));
            let Some((least, most)) = range else {
                let error = Diagnostic::at(number.span(), format!("invalid count for `{}`", name.get_ref()));
                errors.push(error.label("expected a number, or a range such as \"2..3\""));
                continue;
            };
            match self.counted(name.get_ref(), name.span(), model) {
                Ok(symbols) => goal.counts.push((symbols, least, most)),
                Err(wrong) => errors.push(wrong),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn every(&self, pairs: &Table<Scalar>, model: &Model, goal: &mut Goal) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for (name, mark) in pairs.entries() {
            let marks: Vec<char> = term(mark.get_ref()).to_string().chars().collect();
            let unknown = marks.iter().find(|mark| !model.world.marks.contains(mark));
            if marks.is_empty() || unknown.is_some() {
                let message = match unknown {
                    Some(_) if model.world.marks.is_empty() => "the puzzle has no marks".to_owned(),
                    Some(mark) => format!("no cell has the mark `{mark}`"),
                    None => "missing mark".to_owned(),
                };
                let label = if model.world.marks.is_empty() {
                    "add `marks`, a drawing with a letter on each cell of a target"
                } else {
                    "expected letters of `marks`"
                };
                errors.push(Diagnostic::at(mark.span(), message).label(label));
            }
            match self.symbol(name.get_ref(), name.span(), model) {
                Ok(symbol) => goal.every.push((symbol, marks)),
                Err(wrong) => errors.push(wrong),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
