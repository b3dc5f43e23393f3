//! Warnings about likely mistakes in a file of rules.
//!
//! They rest on the delete relaxation in [`reduce`](super::reduce), which reaches a superset of all reachable values:
//! what is reported as unreachable is certainly unreachable. The keys of the file provide the places, the model and the
//! task the meaning.

mod drawings;
mod goals;
mod machine;
mod marks;
mod rules;
mod symbols;
mod trial;
mod values;

pub(super) use machine::warnings_of_machine;

use super::expression::{Expr, Term, visit};
use super::keys::{self, Keys, RuleKeys};
use super::model::{Compiled, Model, ModelGoal, Rule, Written};
use super::reduce::Lifted;
use super::task::{Task, Value, Values, Var};
use crate::diagnostic::{Diagnostic, MOST_KEPT};
use crate::document::Spanned;
use crate::domain::WarningContext;
use crate::drawing::SourceMap;
use std::cell::RefCell;
use std::ops::Range;

/// The most values of a variable that a warning lists.
const MOST_LISTED_VALUES: usize = 12;

/// Returns the warnings about a file, in the order of their places.
pub(super) fn warnings(keys: &Keys, compiled: &Compiled, lifted: &Lifted, context: &WarningContext) -> Vec<Diagnostic> {
    let review = Review::new(keys, compiled, lifted, context);
    rules::never_applied(&review);
    values::never_fitting(&review);
    symbols::never_used(&review);
    marks::never_marked(&review);
    goals::wrong_goals(&review);
    let mut found = review.found.into_inner();
    found.extend(machine::shadowed_patterns(keys));
    found.retain(|warning| !context.expects_no_solution || warning.label != goals::OUT_OF_REACH);
    let place = |warning: &Diagnostic| warning.span.as_ref().map(|span| (span.start, span.end));
    found.sort_by(|warning, other| place(warning).cmp(&place(other)).then_with(|| warning.message.cmp(&other.message)));
    // Of several warnings at one place, only the most specific is kept: that of a rule.
    let mut kept: Vec<Diagnostic> = Vec::new();
    for warning in found {
        match kept.last_mut().filter(|last| last.span == warning.span) {
            Some(last) if warning.message.starts_with("the rule") => *last = warning,
            Some(_) => {}
            None => kept.push(warning),
        }
    }
    kept.into_iter().take(MOST_KEPT).map(Diagnostic::warning).collect()
}

/// A compiled puzzle, with the analyses that warnings need.
struct Review<'a> {
    keys: &'a Keys,
    context: &'a WarningContext<'a>,
    compiled: &'a Compiled,
    model: &'a Model,
    task: &'a Task,
    /// The operators that can ever apply, by their number in the task.
    operators: Vec<u32>,
    /// A superset of each variable's reachable values.
    reached: &'a [Values],
    /// The symbols that some cell can hold.
    on_grid: Values,
    /// For each rule, whether it can ever apply.
    applies: Vec<bool>,
    /// The warnings so far.
    found: RefCell<Vec<Diagnostic>>,
}

impl<'a> Review<'a> {
    fn new(keys: &'a Keys, compiled: &'a Compiled, lifted: &'a Lifted, context: &'a WarningContext) -> Review<'a> {
        let (model, task, operators) = (&compiled.model, &compiled.task, lifted.applicable());
        let reached = lifted.reached();
        let on_grid = reached[..model.world.cells()].iter().fold(Values::NONE, |all, values| all.or(values));
        let mut applies = vec![false; model.rules.len()];
        for &operator in &operators {
            let action = task.operators[operator as usize].action;
            applies[compiled.rule_ends.partition_point(|&end| end <= action as usize)] = true;
        }
        let found = RefCell::default();
        Review { keys, context, compiled, model, task, operators, reached, on_grid, applies, found }
    }

    fn warn(&self, warning: Diagnostic) {
        self.found.borrow_mut().push(warning);
    }

    /// Returns the rules with their keys.
    fn rules(&self) -> impl Iterator<Item = (&'a RuleKeys, &'a Rule)> {
        let keys = self.keys.rules.iter().flat_map(|rules| rules.get_ref());
        keys.map(Spanned::get_ref).zip(&self.model.rules)
    }

    /// Returns the goals with their keys.
    fn goals(&self) -> impl Iterator<Item = (&'a Spanned<keys::GoalKeys>, &'a ModelGoal)> {
        self.keys.goal.iter().flat_map(|goals| &goals.get_ref().0).zip(&self.model.goals)
    }

    /// Returns all expressions of the file, those of its heuristics included.
    fn expressions(&self) -> impl Iterator<Item = &'a Written> {
        let of_rule = |(keys, rule): (&RuleKeys, &'a Rule)| {
            let cost = keys.cost.is_some().then_some(&rule.cost);
            rule.when.iter().chain(rule.then.iter().map(|then| &then.value)).chain(cost)
        };
        let of_goals = self.model.goals.iter().flat_map(|goal| &goal.when);
        let of_heuristics = self.model.own.iter().map(|own| &own.written);
        self.rules().flat_map(of_rule).chain(of_goals).chain(&self.model.never).chain(of_heuristics)
    }

    /// Returns the bytes of the file that hold a part of an expression.
    fn place(&self, written: &Written, part: &Expr) -> Range<usize> {
        SourceMap::of(&written.text, self.context.source).span(part.span.clone())
    }

    /// Returns whether some cell can hold a symbol; true for characters that are no symbols.
    fn is_on_grid(&self, symbol: char) -> bool {
        self.model.symbol(symbol).is_none_or(|value| self.on_grid.contains(value))
    }

    /// Returns the symbols of the set with this letter.
    fn set(&self, letter: char) -> Option<Vec<char>> {
        let set = self.keys.sets.iter().find(|(letters, _)| letters.contains(letter))?;
        Some(set.1.get_ref().chars().filter(|symbol| !symbol.is_whitespace()).collect())
    }

    /// Returns the name of a variable in the file; for an element, that of its array.
    fn declared_name(&self, var: Var) -> &'a str {
        let array =
            self.model.world.arrays.iter().find(|array| (array.first..array.first + array.len()).contains(&var));
        array.map_or("", |array| array.name.as_str())
    }

    /// Returns a help text that lists the values of a variable.
    fn values_of(&self, var: Var) -> String {
        let values = &self.model.world.values[var];
        let listed: Vec<String> = values.iter().take(MOST_LISTED_VALUES).map(|value| format!("`{value}`")).collect();
        let more = if values.len() > MOST_LISTED_VALUES { " …" } else { "" };
        format!("the values of `{}` are {}{more}", self.declared_name(var), listed.join(", "))
    }

    /// Returns a symbol as the value of a cell in expressions.
    fn term(&self, symbol: Value) -> Option<&Term> {
        self.model.world.values.first().filter(|_| self.model.world.rows > 0)?.get(usize::from(symbol))
    }
}
