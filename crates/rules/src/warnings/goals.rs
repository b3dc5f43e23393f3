//! Goals that require nothing, require something unreachable, or hold at the start.

use super::Review;
use super::trial::{Holds, Trial};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::drawing::Drawing;
use crate::keys::{GoalKeys, Scalar, Table, Value as Given};
use crate::model::{ModelGoal, Written};
use crate::parse::parse_range;
use crate::task::{Value, Var};
use std::ops::Range;

/// Warns of goals.
pub(super) fn wrong_goals(review: &Review) {
    let mut trial = Trial::new(review);
    let mut first = 0;
    for (number, (keys, goal)) in review.goals().enumerate() {
        let mut goal_review = GoalReview { review, found: Vec::new(), requires: false, trial: &mut trial };
        goal_review.goal(keys, goal);
        let goals = &review.task.goals[first..review.compiled.goal_ends[number]];
        first = review.compiled.goal_ends[number];
        if goals.is_empty() && goal.anywhere.is_some() && goal_review.found.is_empty() {
            let message = "the drawing `anywhere` can lie nowhere on the grid".to_owned();
            goal_review.nothing(keys.span(), message, OUT_OF_REACH);
        }
        let (requires, warnings) = (goal_review.requires, goal_review.found);
        let is_met = goals.iter().any(|goal| goal.holds(&review.task.start));
        // A goal that requires nothing has a warning of its own.
        if is_met && (requires || warnings.is_empty()) {
            review.context.met_at_the_start(Some(keys.span())).into_iter().for_each(|warning| review.warn(warning));
        }
        warnings.into_iter().for_each(|warning| review.warn(warning));
    }
}

/// Collects the warnings about one goal.
struct GoalReview<'a, 'b> {
    review: &'a Review<'a>,
    found: Vec<Diagnostic>,
    /// True if a part requires something.
    requires: bool,
    trial: &'b mut Trial<'a>,
}

impl<'a> GoalReview<'a, '_> {
    fn goal(&mut self, keys: &Spanned<GoalKeys>, goal: &'a ModelGoal) {
        match keys.get_ref() {
            GoalKeys::Text(text) if self.review.model.world.rows > 0 => {
                self.drawing(&Spanned::new(keys.span(), text.clone()));
            }
            GoalKeys::Text(_) => {}
            GoalKeys::Table(table) => table.iter().for_each(|(key, value)| self.part(key, value, goal)),
        }
        goal.when.iter().for_each(|condition| self.condition(condition));
    }

    fn nothing(&mut self, span: Range<usize>, message: String, label: &str) {
        self.found.push(Diagnostic::at(span, message).label(label));
    }

    fn part(&mut self, key: &str, value: &Spanned<Given>, goal: &ModelGoal) {
        match (key, value.get_ref()) {
            ("drawing", Given::One(Scalar::Text(text))) => self.drawing(&Spanned::new(value.span(), text.clone())),
            ("anywhere", Given::One(Scalar::Text(text))) => self.anywhere(&Spanned::new(value.span(), text.clone())),
            ("count" | "every", Given::Table(pairs)) if pairs.is_empty() => {
                self.nothing(value.span(), format!("`{key}` is empty"), "expected at least one symbol");
            }
            ("when", Given::Many(all)) if all.is_empty() => {
                self.nothing(value.span(), "`when` is empty".to_owned(), "expected at least one expression");
            }
            ("count", Given::Table(counts)) => self.counts(counts),
            ("every", Given::Table(pairs)) => self.every(pairs),
            ("when", _) => {}
            (name, _) => {
                self.requires = true;
                let Some(array) = self.review.model.world.arrays.iter().find(|array| array.name == name) else {
                    return;
                };
                let all = array.first..array.first + array.len();
                let never = |(var, values): &&(Var, Vec<Value>)| {
                    all.contains(var) && !values.iter().any(|&value| self.review.reached[*var].contains(value))
                };
                if let Some((var, values)) = goal.places.iter().find(never) {
                    let wanted = &self.review.model.world.values[*var][usize::from(values[0])];
                    let message = format!("`{}` is never `{wanted}`", self.review.model.names[*var]);
                    self.found.push(Diagnostic::at(value.span(), message).label(OUT_OF_REACH));
                }
            }
        }
    }

    fn anywhere(&mut self, text: &Spanned<String>) {
        let Ok(drawing) = Drawing::of_characters(text, self.review.context.source) else { return };
        let wanted = drawing
            .cells()
            .filter_map(|(_, _, cell)| Some((cell.text.chars().next().filter(|symbol| *symbol != '?')?, cell.span())));
        let wanted: Vec<_> = wanted.collect();
        let never = wanted.iter().find(|(symbol, _)| {
            let symbols = self.review.set(*symbol).unwrap_or_else(|| vec![*symbol]);
            !symbols.iter().any(|&symbol| self.review.is_on_grid(symbol))
        });
        if let Some((symbol, span)) = never {
            self.nothing(span.clone(), format!("`{symbol}` is never on the grid"), OUT_OF_REACH);
        }
        self.requires |= !wanted.is_empty();
        if wanted.is_empty() {
            let label = "expected at least one symbol: `?` matches anything";
            self.nothing(text.span(), "the drawing has no condition".to_owned(), label);
        }
    }

    fn drawing(&mut self, text: &Spanned<String>) {
        let Ok(drawing) = Drawing::of_characters(text, self.review.context.source) else { return };
        let columns = self.review.model.world.columns;
        let mut requires = false;
        let mut never = None;
        for (row, column, cell) in drawing.cells() {
            let Some(symbol) = cell.text.chars().next().filter(|symbol| *symbol != '?') else { continue };
            requires = true;
            let symbols = self.review.set(symbol).unwrap_or_else(|| vec![symbol]);
            let there = &self.review.reached[row * columns + column];
            let can_be = |&symbol: &char| self.review.model.symbol(symbol).is_none_or(|value| there.contains(value));
            if never.is_none() && !symbols.iter().any(can_be) {
                let message = if symbols.iter().any(|&symbol| self.review.is_on_grid(symbol)) {
                    format!("`{symbol}` is never on the cell [{row}, {column}]")
                } else {
                    format!("`{symbol}` is never on the grid")
                };
                never = Some(Diagnostic::at(cell.span(), message).label(OUT_OF_REACH));
            }
        }
        self.found.extend(never);
        self.requires |= requires;
        if !requires {
            let label = "expected at least one symbol: `?` matches anything";
            self.nothing(text.span(), "the drawing has no condition".to_owned(), label);
        }
    }

    fn counts(&mut self, counts: &Table<Scalar>) {
        let review = self.review;
        for (name, number) in counts.iter() {
            let (least, most) = match number.get_ref() {
                Scalar::Number(number) => (*number, *number),
                Scalar::Text(text) => parse_range(text).unwrap_or((0, 0)),
                Scalar::Truth(_) => continue,
            };
            let Some(symbol) = name.chars().next() else { continue };
            let symbols = review.set(symbol).unwrap_or_else(|| vec![symbol]);
            let values: Vec<Value> = symbols.into_iter().filter_map(|symbol| review.model.symbol(symbol)).collect();
            let cells = &review.reached[..review.model.world.cells()];
            let can_be = cells.iter().filter(|there| values.iter().any(|&value| there.contains(value))).count() as i64;
            if least <= 0 && most >= cells.len() as i64 {
                let message = format!("the count of `{name}` is always met");
                self.nothing(number.span(), message, "this allows every number of cells");
                continue;
            }
            self.requires = true;
            if least > can_be {
                let message = match can_be {
                    0 => format!("`{name}` is never on the grid"),
                    _ => format!("`{name}` can be on at most {can_be} cells, not on {least}"),
                };
                self.found.push(Diagnostic::at(number.span(), message).label(OUT_OF_REACH));
            }
        }
    }

    fn every(&mut self, pairs: &Table<Scalar>) {
        let review = self.review;
        for (name, mark) in pairs.iter() {
            let symbol = name.chars().next().and_then(|symbol| review.model.symbol(symbol));
            let (Some(symbol), Scalar::Text(letters)) = (symbol, mark.get_ref()) else {
                self.requires = true;
                continue;
            };
            if !review.on_grid.contains(symbol) {
                let message = format!("`{name}` is never on the grid");
                self.nothing(mark.span(), message, "so this has no effect");
                continue;
            }
            self.requires = true;
            let marked = review.model.world.marks.iter().filter(|mark| letters.contains(**mark)).count();
            let start = &review.task.start[..review.model.world.cells()];
            let there = start.iter().filter(|&&value| value == symbol).count();
            let is_kept = there > marked
                && self.trial.spend(review.operators.len()).is_some()
                && !review.operators.iter().any(|&operator| takes_away(review, operator, symbol));
            if is_kept {
                let marks: Vec<String> = letters.chars().map(|letter| format!("`{letter}`")).collect();
                let one_of = if marks.len() > 1 { "one of the marks" } else { "the mark" };
                let message = format!("there are more `{name}` than cells with {one_of} {}", marks.join(", "));
                let label = format!("{there} `{name}` for {marked} cells");
                let help = format!("add marks, or remove `{name}` from the start: no rule removes one");
                self.found.push(Diagnostic::at(mark.span(), message).label(label).help(help));
            }
        }
    }

    fn condition(&mut self, condition: &'a Written) {
        let span = self.review.place(condition, &condition.expr);
        match self.trial.holds(&condition.expr) {
            Holds::Always => {
                self.nothing(span, "the goal has a condition that always holds".to_owned(), "this is always true")
            }
            Holds::Never => {
                self.requires = true;
                let message = "the goal has a condition that never holds";
                self.found.push(Diagnostic::at(span, message).label(OUT_OF_REACH));
            }
            Holds::Perhaps => self.requires = true,
        }
    }
}

/// The label at an unreachable requirement of a goal.
pub(super) const OUT_OF_REACH: &str = "no moves lead there";

/// Returns whether an operator can lower the number of cells with a symbol. The decrease is a sum over the variables
/// that it reads or writes, so its maximum is the sum of their maxima.
fn takes_away(review: &Review, operator: u32, symbol: Value) -> bool {
    let cells = review.model.world.cells();
    let operator = &review.task.operators[operator as usize];
    let is_brought = |(target, value): &(Var, Value)| *target < cells && *value == symbol;
    // The decrease caused by a value of a variable.
    let taken = |var: Var, value: Value| {
        let is_here = value == symbol && var < cells && operator.effect(var).is_some();
        i64::from(is_here) - operator.looked_up(var, value).filter(is_brought).count() as i64
    };
    let most = |var: Var| {
        let values = review.task.allowed(operator, var).and(&review.reached[var]);
        values.iter().map(|value| taken(var, value)).max().unwrap_or(0)
    };
    let brought = operator.constants().filter(is_brought).count() as i64;
    operator.touched().into_iter().map(most).sum::<i64>() > brought
}
