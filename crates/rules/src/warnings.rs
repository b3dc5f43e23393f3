//! Warnings about likely mistakes in a file of rules.
//!
//! They rest on the delete relaxation in [`reduce`](super::reduce), which reaches a superset of all reachable values:
//! what is reported as unreachable is certainly unreachable. The keys of the file provide the places, the model and the
//! task the meaning.

mod drawings;
mod goals;
mod marks;
mod rules;
mod symbols;
mod trial;
mod values;

use super::expression::{Expr, Term, visit};
use super::keys::{Keys, OneOrMany, RuleKeys, Scalar, to_list};
use super::model::{Compiled, Goal, Model, Rule};
use super::reduce::Lifted;
use super::task::{Task, Value, Values, Var};
use crate::diagnostic::{Diagnostic, MOST_KEPT};
use crate::document::Spanned;
use crate::domain::WarningContext;
use crate::drawing::SourceMap;
use std::ops::Range;

/// The most values of a variable that a warning lists.
const MOST_LISTED_VALUES: usize = 12;

/// Returns the warnings about a file, in the order of their places.
pub(super) fn warnings(keys: &Keys, compiled: &Compiled, lifted: &Lifted, context: &WarningContext) -> Vec<Diagnostic> {
    let review = Review::new(keys, compiled, lifted, context);
    let mut found = rules::never_applied(&review);
    found.extend(values::never_fitting(&review));
    found.extend(symbols::never_used(&review));
    found.extend(marks::never_marked(&review));
    found.extend(goals::goal_warnings(&review));
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
    operators: &'a [u32],
    /// A superset of each variable's reachable values.
    reached: &'a [Values],
    /// The symbols that some cell can hold.
    on_grid: Values,
    /// For each rule, whether it can ever apply.
    applies: Vec<bool>,
}

/// An expression, with its text in the file.
struct SourceExpr<'a> {
    text: Spanned<String>,
    expr: &'a Expr,
}

impl<'a> Review<'a> {
    fn new(keys: &'a Keys, compiled: &'a Compiled, lifted: &'a Lifted, context: &'a WarningContext) -> Review<'a> {
        let (model, task, operators) = (&compiled.model, &compiled.task, &lifted.origin);
        let reached = lifted.reached();
        let on_grid = reached[..model.world.cells()].iter().fold(Values::NONE, |all, values| all.or(values));
        let mut applies = vec![false; model.rules.len()];
        for &operator in operators {
            let action = task.operators[operator as usize].action;
            applies[compiled.rule_ends.partition_point(|&end| end <= action as usize)] = true;
        }
        Review { keys, context, compiled, model, task, operators, reached, on_grid, applies }
    }

    /// Returns the rules with their keys.
    fn rules(&self) -> impl Iterator<Item = (&'a RuleKeys, &'a Rule)> {
        let keys = self.keys.rules.iter().flat_map(|rules| rules.get_ref());
        keys.map(Spanned::get_ref).zip(&self.model.rules)
    }

    /// Returns the goals with their keys and places.
    fn goals(&self) -> Vec<(&'a super::keys::Goal, Range<usize>, &'a Goal)> {
        let Some(goals) = &self.keys.goal else { return Vec::new() };
        let keys = match goals.get_ref() {
            OneOrMany::One(goal) => vec![(goal, goals.span())],
            OneOrMany::Many(all) => all.iter().map(|goal| (goal.get_ref(), goal.span())).collect(),
        };
        keys.into_iter().zip(&self.model.goals).map(|((keys, span), goal)| (keys, span, goal)).collect()
    }

    /// Returns the conditions of a rule.
    fn conditions(&self, keys: &RuleKeys, rule: &'a Rule) -> Vec<SourceExpr<'a>> {
        let texts = keys.when.iter().flat_map(to_list);
        texts.zip(&rule.when).map(|(text, expr)| SourceExpr { text, expr }).collect()
    }

    /// Returns the values in `then`.
    fn results(&self, keys: &RuleKeys, rule: &'a Rule) -> Vec<SourceExpr<'a>> {
        let scalars = keys.then.iter().map(|(_, value)| value);
        scalars.zip(&rule.then).map(|(value, then)| SourceExpr { text: text_of(value), expr: &then.value }).collect()
    }

    /// Returns all expressions of the file.
    fn expressions(&self) -> Vec<SourceExpr<'a>> {
        let mut all = Vec::new();
        for (keys, rule) in self.rules() {
            all.extend(self.conditions(keys, rule));
            all.extend(self.results(keys, rule));
            all.extend(keys.cost.iter().map(|cost| SourceExpr { text: text_of(cost), expr: &rule.cost }));
        }
        for (keys, span, goal) in self.goals() {
            all.extend(goals::conditions(keys, span, goal));
        }
        let never = self.keys.never.iter().flat_map(to_list).zip(&self.model.never);
        all.extend(never.map(|(text, expr)| SourceExpr { text, expr: expr.get_ref() }));
        all
    }

    /// Returns the bytes of the file that hold a part of an expression.
    fn place(&self, text: &Spanned<String>, part: &Expr) -> Range<usize> {
        SourceMap::of(text, self.context.source).span(part.span.clone())
    }

    /// Returns the number of a symbol.
    fn symbol(&self, symbol: char) -> Option<Value> {
        self.model.symbols.iter().position(|known| *known == symbol).map(|at| at as Value)
    }

    /// Returns whether some cell can hold a symbol; true for characters that are no symbols.
    fn is_on_grid(&self, symbol: char) -> bool {
        self.symbol(symbol).is_none_or(|value| self.on_grid.contains(value))
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

/// Returns the text of a value that may be an expression.
fn text_of(value: &Spanned<Scalar>) -> Spanned<String> {
    let text = match value.get_ref() {
        Scalar::Number(number) => number.to_string(),
        Scalar::Truth(truth) => truth.to_string(),
        Scalar::Text(text) => text.clone(),
    };
    Spanned::new(value.span(), text)
}
