//! Rules that never apply, and the reasons.
//!
//! A rule certainly never applies if the reduced task has no operator of it. The reason is searched part by part: the
//! drawing, the conditions, the assignments, the cost; then all of them together. The first that can never hold is
//! reported.

use super::trial::{Query, Requirement, Trial, conjuncts};
use super::{Review, SourceExpr, text_of, visit};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::expression::{Evaluator, Expr, Kind, Operation, Term};
use crate::keys::RuleKeys;
use crate::model::{Assignment, Letter, Rule, Target};
use crate::task::{Values, Var};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most bindings of a rule for which a reason is searched.
const MOST_CHOICES: usize = 1 << 14;

/// The reason why a rule never applies.
pub(super) struct Reason {
    span: Range<usize>,
    text: String,
    label: String,
    help: Option<String>,
}

impl Reason {
    pub fn new(span: Range<usize>, text: impl Into<String>, label: impl Into<String>) -> Reason {
        Reason { span, text: text.into(), label: label.into(), help: None }
    }
}

/// Returns the warnings about rules that never apply.
pub(super) fn never_applied(review: &Review) -> Vec<Diagnostic> {
    let mut trial = Trial::new(review);
    let mut found = Vec::new();
    for ((keys, rule), _) in review.rules().zip(&review.applies).filter(|(_, applies)| !**applies) {
        let reason = RuleReview { review, keys, rule, trial: &mut trial }.reason().unwrap_or_else(|| {
            Reason::new(keys.named().1, "its conditions can never hold", "it has no moves in any position")
        });
        let message = format!("the rule `{}` never applies: {}", keys.named().0, reason.text);
        let warning = Diagnostic::at(reason.span, message).label(reason.label);
        found.push(match reason.help {
            Some(help) => warning.help(help),
            None => warning,
        });
    }
    found
}

/// Finds the reason why one rule never applies.
pub(super) struct RuleReview<'a, 'b> {
    pub review: &'a Review<'a>,
    pub keys: &'a RuleKeys,
    pub rule: &'a Rule,
    pub trial: &'b mut Trial<'a>,
}

impl<'a> RuleReview<'a, '_> {
    /// Returns the reason; `None` if finding it takes too much work.
    fn reason(&mut self) -> Option<Reason> {
        let mut places = vec![BTreeMap::new()];
        for (number, drawing) in self.rule.drawings().enumerate() {
            let grounded = self.grounded(drawing)?;
            if let Some(reason) = self.drawing_reason(number, drawing, &grounded) {
                return Some(reason);
            }
            let rewritable: Vec<_> = grounded.iter().filter_map(|placed| self.rewritable_values(placed)).collect();
            if rewritable.is_empty() {
                return Some(self.arrangement_reason(number, drawing, &grounded));
            }
            // The places of the first drawing restrict the conditions; those of the others are not combined with them.
            if number == 0 {
                places = rewritable;
            }
        }
        let bindings = self.bindings()?;
        for (count, condition) in self.review.conditions(self.keys, self.rule).iter().enumerate() {
            if let Some(reason) = self.condition_reason(count, condition, &bindings)? {
                return Some(reason);
            }
        }
        for (count, result) in self.review.results(self.keys, self.rule).iter().enumerate() {
            if let Some(reason) = self.assignment_reason(&self.rule.then[count], result, &bindings)? {
                return Some(reason);
            }
        }
        if let Some(cost) = &self.keys.cost {
            let text = text_of(cost);
            let queries = |parameters: &[Term]| {
                vec![Query {
                    expr: &self.rule.cost,
                    parameters: parameters.to_vec(),
                    requirement: Requirement::IsNumber,
                }]
            };
            if !self.any_binding(&bindings, queries)? {
                let span = self.review.place(&text, &self.rule.cost);
                return Some(Reason::new(span, "its `cost` is never defined", "this is not a number in any position"));
            }
        }
        self.combined_reason(&bindings, &places)
    }

    /// Returns all bindings of the parameters.
    fn bindings(&mut self) -> Option<Vec<Vec<Term>>> {
        let mut all = vec![Vec::new()];
        for (_, bindings) in &self.rule.parameters {
            let count = all.len() * bindings.len();
            self.trial.spend(count)?;
            if count > MOST_CHOICES {
                return None;
            }
            let longer =
                |before: Vec<Term>| bindings.iter().map(move |one| [&before[..], std::slice::from_ref(one)].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        for letter in &self.rule.letters {
            let matched = self.letter_values(letter);
            self.trial.spend(all.len() * matched.len())?;
            let longer =
                |before: Vec<Term>| matched.iter().map(move |one| [&before[..], std::slice::from_ref(one)].concat());
            all = all.into_iter().flat_map(longer).collect();
            if all.len() > MOST_CHOICES {
                return None;
            }
        }
        Some(all)
    }

    /// Returns the symbols that a letter may match, wherever the drawing lies.
    fn letter_values(&self, letter: &Letter) -> Vec<Term> {
        let Some(drawing) = self.rule.drawing.as_ref().filter(|_| letter.is_read) else {
            return vec![Term::Matched(None)];
        };
        let symbols = drawing.letter_symbols(self.review.model, letter.set).and(&self.review.on_grid);
        symbols.iter().filter_map(|value| self.review.term(value).cloned()).collect()
    }

    /// Returns whether the requirements can be met with some binding.
    fn any_binding<'c>(&mut self, bindings: &[Vec<Term>], queries: impl Fn(&[Term]) -> Vec<Query<'c>>) -> Option<bool> {
        for binding in bindings {
            if self.trial.can_hold(&queries(binding), &BTreeMap::new())? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the reason if a condition never holds.
    fn condition_reason(
        &mut self,
        count: usize,
        condition: &SourceExpr<'a>,
        bindings: &[Vec<Term>],
    ) -> Option<Option<Reason>> {
        let mut parts = Vec::new();
        conjuncts(condition.expr, &mut parts);
        let whole = parts.len();
        parts.push(condition.expr);
        for (at, part) in parts.into_iter().enumerate() {
            let queries = |parameters: &[Term]| {
                vec![Query { expr: part, parameters: parameters.to_vec(), requirement: Requirement::IsTrue }]
            };
            if self.any_binding(bindings, queries)? {
                continue;
            }
            let span = self.review.place(&condition.text, part);
            let text = match never_equal_text(self.review, part) {
                Some(text) => text,
                None if self.rule.when.len() > 1 => format!("condition {} of `when` never holds", count + 1),
                None => "its condition `when` never holds".to_owned(),
            };
            let label = if at == whole { "these never hold together" } else { "this never holds" };
            return Some(Some(Reason::new(span, text, label)));
        }
        Some(None)
    }

    /// Returns the reason if an assignment is never possible.
    fn assignment_reason(
        &mut self,
        then: &'a Assignment,
        result: &SourceExpr<'a>,
        bindings: &[Vec<Term>],
    ) -> Option<Option<Reason>> {
        let mut target = None;
        for binding in bindings {
            let Some(queries) = self.assignment_queries(then, binding)? else { continue };
            if self.trial.can_hold(&queries, &BTreeMap::new())? {
                return Some(None);
            }
            target = target.or_else(|| queries.first().map(|queries| queries.requirement));
        }
        let span = self.review.place(&result.text, result.expr);
        let Some(Requirement::Fits(target)) = target else {
            let text = "the element that it assigns never exists";
            return Some(Some(Reason::new(span, text, "the index is outside the array for every choice")));
        };
        let name = self.review.declared_name(target);
        let values = self.review.values_of(target);
        let reason = match &result.expr.kind {
            Kind::Term(term) => {
                let text = format!("`{name}` never becomes `{term}`");
                Reason { help: Some(values), ..Reason::new(span, text, "this is not one of its values") }
            }
            _ => {
                let text = format!("`{name}` never takes the value in `then`");
                Reason { help: Some(values), ..Reason::new(span, text, "this is never one of its values") }
            }
        };
        Some(Some(reason))
    }

    /// Returns the requirements of an assignment with a binding. The inner option is `None` if the target is undefined.
    fn assignment_queries(&mut self, then: &'a Assignment, binding: &[Term]) -> Option<Option<Vec<Query<'a>>>> {
        let world = &self.review.model.world;
        let mut all = vec![binding.to_vec()];
        for collection in &then.collections {
            let mut longer = Vec::new();
            for mut parameters in all {
                let evaluator = Evaluator::new(world, &|_| None, self.trial.steps_left);
                let terms = evaluator.members(collection, &mut parameters).unwrap_or_default();
                self.trial.spend(1 + terms.len())?;
                longer.extend(terms.into_iter().map(|term| [&parameters[..], &[term]].concat()));
            }
            all = longer;
        }
        let mut queries = Vec::new();
        for parameters in all {
            self.trial.spend(1)?;
            let evaluator = Evaluator::new(world, &|_| None, self.trial.steps_left);
            let target = match &then.target {
                Target::Variable(var) => Some(*var),
                Target::Element(array, indices) => evaluator.element(*array, indices, &mut parameters.clone()).ok(),
                Target::Parameter(count) => match &parameters[*count] {
                    Term::Name(name) => world.variable(name),
                    _ => None,
                },
            };
            let Some(target) = target else { return Some(None) };
            queries.push(Query { expr: &then.value, parameters, requirement: Requirement::Fits(target) });
        }
        Some(Some(queries))
    }

    /// Returns the reason if each part can hold by itself.
    fn combined_reason(&mut self, bindings: &[Vec<Term>], places: &[BTreeMap<Var, Values>]) -> Option<Reason> {
        let (mut together, mut at_a_place) = (false, false);
        for binding in bindings {
            let condition = |expr| Query { expr, parameters: binding.clone(), requirement: Requirement::IsTrue };
            let mut queries: Vec<Query> = self.rule.when.iter().map(condition).collect();
            let mut is_defined = true;
            for then in &self.rule.then {
                match self.assignment_queries(then, binding)? {
                    Some(assignment_queries) => queries.extend(assignment_queries),
                    None => is_defined = false,
                }
            }
            queries.push(Query {
                expr: &self.rule.cost,
                parameters: binding.clone(),
                requirement: Requirement::IsNumber,
            });
            if !is_defined || !self.trial.can_hold(&queries, &BTreeMap::new())? {
                continue;
            }
            together = true;
            for place in places {
                if self.trial.can_hold(&queries, place)? {
                    at_a_place = true;
                    break;
                }
            }
        }
        let name = self.keys.named().1;
        let conditions = self.keys.when.as_ref().map_or(name.clone(), Spanned::span);
        Some(match (together, at_a_place) {
            (false, _) if self.rule.parameters.is_empty() => {
                Reason::new(conditions, "its conditions never hold together", "each one can hold, but not all at once")
            }
            (false, _) => {
                let label = "each one can hold, but not all at once";
                Reason::new(conditions, "its conditions hold together for no choice of `for`", label)
            }
            (true, false) => {
                let label = "where the drawing fits, this never holds";
                Reason::new(conditions, "its drawing and its conditions never hold together", label)
            }
            // Letters were tried with symbols that they may not match where the drawing fits.
            (true, true) if self.rule.letters.iter().any(|letter| letter.is_read) => return None,
            (true, true) if !self.rule.further.is_empty() => {
                let label = "each one fits somewhere, but not all at once, or nothing changes";
                Reason::new(name, "its drawings never fit together", label)
            }
            (true, true) if self.rule.drawing.as_ref().is_some_and(|drawing| drawing.repeat) => {
                Reason::new(name, "`repeat` never ends, or changes nothing", "it has no moves in any position")
            }
            // Places are those of the drawing with any choice.
            (true, true) if !self.rule.parameters.is_empty() && !self.rule.when.is_empty() => {
                let label = "each can hold, but not both at once, or nothing changes";
                let text = "its drawing and its conditions hold together for no choice of `for`";
                Reason::new(conditions, text, label)
            }
            (true, true) => {
                let label = "the position after it is the position before it";
                Reason::new(name, "it never changes anything", label)
            }
        })
    }
}

/// Returns the text for a comparison of a variable with a value that it never has.
fn never_equal_text(review: &Review, part: &Expr) -> Option<String> {
    let Kind::Binary(Operation::Equal, left, right) = &part.kind else { return None };
    let world = &review.model.world;
    let (variable, term) = match (&left.kind, &right.kind) {
        (variable, Kind::Term(term)) | (Kind::Term(term), variable) => (variable, term),
        _ => return None,
    };
    let var = match variable {
        Kind::Variable(var) => *var,
        Kind::ElementOf(array, indices) => {
            // The element may depend on a parameter or a letter.
            let mut is_fixed = true;
            let mut visitor = |part: &Expr| is_fixed &= !matches!(part.kind, Kind::Parameter(_) | Kind::Letter(_));
            indices.iter().for_each(|index| visit(index, &mut visitor));
            if !is_fixed {
                return None;
            }
            let evaluator = Evaluator::new(world, &|_| None, 1000);
            evaluator.element(*array, indices, &mut Vec::new()).ok()?
        }
        _ => return None,
    };
    let is_reached = world.value(var, term).is_some_and(|value| review.reached[var].contains(value));
    (!is_reached).then(|| format!("`{}` is never `{term}`", review.model.names[var]))
}
