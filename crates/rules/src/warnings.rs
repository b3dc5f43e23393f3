//! Warnings: what in a file of rules is probably not what its author meant.
//!
//! They rest on the relaxation of [`reduce`](super::reduce): the values that each variable can come to have if nothing were
//! ever lost. Each value that a game can reach is among them, so what is said never to be is never. The keys of the file
//! give the places, the model and the task what they became.

mod drawings;
mod goals;
mod rules;
mod symbols;
mod trial;
mod values;

use super::expression::{Expr, Over, Term};
use super::keys::{Keys, OneOrMany, RuleKeys, Scalar, several};
use super::model::{Compiled, Goal, Model, Rule};
use super::reduce::{Reduced, reached};
use super::task::{Task, Value, Values, Var};
use crate::diagnostic::{Diagnostic, MOST_KEPT};
use crate::document::Spanned;
use crate::domain::{BuildContext, WarningContext};
use crate::drawing::SourceMap;
use std::ops::Range;

/// No more values of a variable are told.
const MOST_TOLD: usize = 12;

/// Returns the warnings about a file, in the order of their places.
pub(super) fn warnings(
    keys: &Keys,
    compiled: &Compiled,
    reduced: &Reduced,
    context: &WarningContext,
) -> Vec<Diagnostic> {
    let review = Review::new(keys, compiled, reduced, context);
    let mut found = rules::never_applied(&review);
    found.extend(values::never_fitting(&review));
    found.extend(symbols::never_used(&review));
    found.extend(goals::odd(&review));
    found.retain(|one| !context.expects_no_solution || one.label != goals::OUT_OF_REACH);
    let place = |one: &Diagnostic| one.span.as_ref().map(|span| (span.start, span.end));
    found.sort_by(|one, other| place(one).cmp(&place(other)).then_with(|| one.message.cmp(&other.message)));
    // One mistake is told once, by the warning that says most: a rule's.
    let mut told: Vec<Diagnostic> = Vec::new();
    for one in found {
        match told.last_mut().filter(|last| last.span == one.span) {
            Some(last) if one.message.starts_with("the rule") => *last = one,
            Some(_) => {}
            None => told.push(one),
        }
    }
    told.into_iter().take(MOST_KEPT).map(Diagnostic::warning).collect()
}

/// A puzzle under review.
struct Review<'a> {
    keys: &'a Keys,
    context: &'a WarningContext<'a>,
    compiled: &'a Compiled,
    model: &'a Model,
    task: &'a Task,
    /// The operators that can ever be made, by their number in the task.
    operators: &'a [u32],
    /// By variable, the values that it can come to have.
    reached: Vec<Values>,
    /// The symbols that some cell can come to hold.
    on_grid: Values,
    /// By rule, whether it can ever be made.
    applies: Vec<bool>,
}

/// An expression with the text that says it.
struct Written<'a> {
    text: Spanned<String>,
    expr: &'a Expr,
}

impl<'a> Review<'a> {
    fn new(keys: &'a Keys, compiled: &'a Compiled, reduced: &'a Reduced, context: &'a WarningContext) -> Review<'a> {
        let (model, task) = (&compiled.model, &compiled.task);
        let reached = reached(task, &BuildContext::default());
        let on_grid = reached[..model.world.cells()].iter().fold(Values::NONE, |all, values| all.or(values));
        let mut applies = vec![false; model.rules.len()];
        for &operator in &reduced.origin {
            let action = task.operators[operator as usize].action;
            applies[compiled.rule_ends.partition_point(|&end| end <= action as usize)] = true;
        }
        Review { keys, context, compiled, model, task, operators: &reduced.origin, reached, on_grid, applies }
    }

    /// The rules, each with its keys.
    fn rules(&self) -> impl Iterator<Item = (&'a RuleKeys, &'a Rule)> {
        let keys = self.keys.rules.iter().flat_map(|rules| rules.get_ref());
        keys.map(Spanned::get_ref).zip(&self.model.rules)
    }

    /// The goals, each with its keys and its place.
    fn goals(&self) -> Vec<(&'a super::keys::Goal, Range<usize>, &'a Goal)> {
        let Some(goals) = &self.keys.goal else { return Vec::new() };
        let keys = match goals.get_ref() {
            OneOrMany::One(goal) => vec![(goal, goals.span())],
            OneOrMany::Many(all) => all.iter().map(|goal| (goal.get_ref(), goal.span())).collect(),
        };
        keys.into_iter().zip(&self.model.goals).map(|((keys, span), goal)| (keys, span, goal)).collect()
    }

    /// The conditions of a rule.
    fn conditions(&self, keys: &RuleKeys, rule: &'a Rule) -> Vec<Written<'a>> {
        let texts = keys.when.iter().flat_map(several);
        texts.zip(&rule.when).map(|(text, expr)| Written { text, expr }).collect()
    }

    /// The values in `then`, each with its place in the rule.
    fn results(&self, keys: &RuleKeys, rule: &'a Rule) -> Vec<Written<'a>> {
        let scalars = keys.then.iter().map(|(_, value)| value);
        scalars.zip(&rule.then).map(|(value, then)| Written { text: text_of(value), expr: &then.value }).collect()
    }

    /// All expressions of the file.
    fn expressions(&self) -> Vec<Written<'a>> {
        let mut all = Vec::new();
        for (keys, rule) in self.rules() {
            all.extend(self.conditions(keys, rule));
            all.extend(self.results(keys, rule));
            all.extend(keys.cost.iter().map(|cost| Written { text: text_of(cost), expr: &rule.cost }));
        }
        for (keys, span, goal) in self.goals() {
            all.extend(goals::conditions(keys, span, goal));
        }
        let never = self.keys.never.iter().flat_map(several).zip(&self.model.never);
        all.extend(never.map(|(text, expr)| Written { text, expr: expr.get_ref() }));
        all
    }

    /// The bytes of the file that hold a part of an expression.
    fn place(&self, text: &Spanned<String>, part: &Expr) -> Range<usize> {
        SourceMap::of(text, self.context.source).span(part.span.clone())
    }

    /// The number of a symbol.
    fn symbol(&self, symbol: char) -> Option<Value> {
        self.model.symbols.iter().position(|known| *known == symbol).map(|at| at as Value)
    }

    /// Whether some cell can come to hold a symbol; what is no symbol is none that is missing.
    fn is_on_grid(&self, symbol: char) -> bool {
        self.symbol(symbol).is_none_or(|value| self.on_grid.contains(value))
    }

    /// The symbols of a set, if a character is the letter of one.
    fn set(&self, letter: char) -> Option<Vec<char>> {
        let set = self.keys.sets.iter().find(|(letters, _)| letters.contains(letter))?;
        Some(set.1.get_ref().chars().filter(|symbol| !symbol.is_whitespace()).collect())
    }

    /// What the file calls a variable: an element by its array.
    fn called(&self, var: Var) -> &'a str {
        let array =
            self.model.world.arrays.iter().find(|array| (array.first..array.first + array.len()).contains(&var));
        array.map_or("", |array| array.name.as_str())
    }

    /// What to say of the values of a variable.
    fn values_of(&self, var: Var) -> String {
        let values = &self.model.world.values[var];
        let told: Vec<String> = values.iter().take(MOST_TOLD).map(|value| format!("`{value}`")).collect();
        let more = if values.len() > MOST_TOLD { " …" } else { "" };
        format!("the values of `{}` are {}{more}", self.called(var), told.join(", "))
    }

    /// The value of a cell as expressions see it.
    fn term(&self, symbol: Value) -> Option<&Term> {
        self.model.world.values.first().filter(|_| self.model.world.rows > 0)?.get(usize::from(symbol))
    }
}

/// The text of a value that may be an expression.
fn text_of(value: &Spanned<Scalar>) -> Spanned<String> {
    let text = match value.get_ref() {
        Scalar::Number(number) => number.to_string(),
        Scalar::Truth(truth) => truth.to_string(),
        Scalar::Text(text) => text.clone(),
    };
    Spanned::new(value.span(), text)
}

/// Visits an expression and all that it is made of.
fn visit<'a>(expr: &'a Expr, look: &mut dyn FnMut(&'a Expr)) {
    use super::expression::Kind;
    look(expr);
    let over = |over: &'a Over, look: &mut dyn FnMut(&'a Expr)| match over {
        Over::Range(least, most) => [least, most].into_iter().for_each(|part| visit(part, look)),
        Over::List(list) => list.iter().for_each(|part| visit(part, look)),
    };
    match &expr.kind {
        Kind::Raw(_) | Kind::Term(_) | Kind::Parameter(_) | Kind::Variable(_) => {}
        Kind::Element(_, parts)
        | Kind::ElementOf(_, parts)
        | Kind::Mark(parts)
        | Kind::Call(_, parts)
        | Kind::Builtin(_, parts) => parts.iter().for_each(|part| visit(part, look)),
        Kind::Map(_, inner) | Kind::Not(inner) | Kind::Negative(inner) => visit(inner, look),
        Kind::Quantified(_, _, runs, body) => {
            over(runs, look);
            visit(body, look);
        }
        Kind::Binary(_, left, right) => [left, right].into_iter().for_each(|part| visit(part, look)),
        Kind::Within(inner, list) => {
            visit(inner, look);
            over(list, look);
        }
        Kind::Choice(which, yes, no) => [which, yes, no].into_iter().for_each(|part| visit(part, look)),
    }
}
