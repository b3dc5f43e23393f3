//! Rules that never apply, and the reasons.
//!
//! A rule certainly never applies if the reduced task has no operator of it. The reason is searched part by part: the
//! drawing, the conditions, the assignments, the cost; then all of them together. The first that can never hold is
//! reported.

use super::trial::{Query, Requirement, Trial, conjuncts};
use super::{Review, visit};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::expression::{Evaluator, Expr, Kind, Operation, Term, extended};
use crate::keys::RuleKeys;
use crate::model::{Assignment, Letter, Rule, Written};
use crate::task::{Values, Var};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most bindings of a rule for which a reason is searched.
const MOST_CHOICES: usize = 1 << 14;

/// Returns a reason why a rule never applies, as the end of a message.
pub(super) fn reason(span: Range<usize>, text: impl Into<String>, label: impl Into<String>) -> Diagnostic {
    Diagnostic::at(span, text).label(label)
}

/// Warns of rules that never apply.
pub(super) fn never_applied(review: &Review) {
    let mut trial = Trial::new(review);
    for ((keys, rule), _) in review.rules().zip(&review.applies).filter(|(_, applies)| !**applies) {
        let reason = RuleReview { review, keys, rule, trial: &mut trial }.reason().unwrap_or_else(|| {
            reason(keys.named().1, "its conditions can never hold", "it has no moves in any position")
        });
        let message = format!("the rule `{}` never applies: {}", keys.named().0, reason.message);
        review.warn(Diagnostic { message, ..reason });
    }
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
    fn reason(&mut self) -> Option<Diagnostic> {
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
        for (count, condition) in self.rule.when.iter().enumerate() {
            if let Some(reason) = self.condition_reason(count, condition, &bindings)? {
                return Some(reason);
            }
        }
        for then in &self.rule.then {
            if let Some(reason) = self.assignment_reason(then, &bindings)? {
                return Some(reason);
            }
        }
        let cost = &self.rule.cost;
        if self.keys.cost.is_some() && !self.any_binding(&bindings, &cost.expr, Requirement::IsNumber)? {
            let span = self.review.place(cost, &cost.expr);
            return Some(reason(span, "its `cost` is never defined", "this is not a number in any position"));
        }
        self.combined_reason(&bindings, &places)
    }

    /// Returns all bindings of the parameters.
    fn bindings(&mut self) -> Option<Vec<Vec<Term>>> {
        let of_letters = self.rule.letters.iter().map(|letter| self.letter_values(letter));
        let of_parameters = self.rule.parameters.iter().map(|(_, values)| values.clone());
        let choices: Vec<Vec<Term>> = of_parameters.chain(of_letters).collect();
        let mut all: Vec<Vec<Term>> = vec![Vec::new()];
        for values in choices {
            let count = all.len() * values.len();
            self.trial.spend(count)?;
            if count > MOST_CHOICES {
                return None;
            }
            all = all.iter().flat_map(|binding| extended(binding, &values)).collect();
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

    /// Returns whether an expression can meet a requirement with some binding.
    fn any_binding(&mut self, bindings: &[Vec<Term>], expr: &Expr, requirement: Requirement) -> Option<bool> {
        for binding in bindings {
            let query = Query { expr, parameters: binding.clone(), requirement };
            if self.trial.can_hold(&[query], &BTreeMap::new())? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the reason if a condition never holds.
    fn condition_reason(
        &mut self,
        count: usize,
        condition: &'a Written,
        bindings: &[Vec<Term>],
    ) -> Option<Option<Diagnostic>> {
        let parts = conjuncts(&condition.expr);
        let whole = parts.len();
        for (at, part) in parts.into_iter().chain([&condition.expr]).enumerate() {
            if self.any_binding(bindings, part, Requirement::IsTrue)? {
                continue;
            }
            let span = self.review.place(condition, part);
            let text = match never_equal_text(self.review, part) {
                Some(text) => text,
                None if self.rule.when.len() > 1 => format!("condition {} of `when` never holds", count + 1),
                None => "its condition `when` never holds".to_owned(),
            };
            let label = if at == whole { "these never hold together" } else { "this never holds" };
            return Some(Some(reason(span, text, label)));
        }
        Some(None)
    }

    /// Returns the reason if an assignment is never possible.
    fn assignment_reason(&mut self, then: &'a Assignment, bindings: &[Vec<Term>]) -> Option<Option<Diagnostic>> {
        let mut target = None;
        for binding in bindings {
            let Some(queries) = self.assignment_queries(then, binding)? else { continue };
            if self.trial.can_hold(&queries, &BTreeMap::new())? {
                return Some(None);
            }
            target = target.or_else(|| queries.first().map(|queries| queries.requirement));
        }
        let span = self.review.place(&then.value, &then.value.expr);
        let Some(Requirement::Fits(target)) = target else {
            let text = "the element that it assigns never exists";
            return Some(Some(reason(span, text, "the index is outside the array for every choice")));
        };
        let name = self.review.declared_name(target);
        let values = self.review.values_of(target);
        let reason = match &then.value.expr.kind {
            Kind::Term(term) => {
                let text = format!("`{name}` never becomes `{term}`");
                reason(span, text, "this is not one of its values").help(values)
            }
            _ => {
                let text = format!("`{name}` never takes the value in `then`");
                reason(span, text, "this is never one of its values").help(values)
            }
        };
        Some(Some(reason))
    }

    /// Returns the requirements of an assignment with a binding. The inner option is `None` if the target is undefined.
    fn assignment_queries(&mut self, then: &'a Assignment, binding: &[Term]) -> Option<Option<Vec<Query<'a>>>> {
        let world = &self.review.model.world;
        let bindings = then.bindings(binding, |collection, parameters| {
            let evaluator = Evaluator::new(world, &|_| None, self.trial.steps_left);
            let terms = evaluator.members(collection, parameters).unwrap_or_default();
            self.trial.spend(1 + terms.len()).map(|()| terms).ok_or(())
        });
        let mut queries = Vec::new();
        for parameters in bindings.ok()? {
            self.trial.spend(1)?;
            let evaluator = Evaluator::new(world, &|_| None, self.trial.steps_left);
            let target = then.var(&evaluator, &parameters).ok();
            let Some(target) = target else { return Some(None) };
            queries.push(Query { expr: &then.value.expr, parameters, requirement: Requirement::Fits(target) });
        }
        Some(Some(queries))
    }

    /// Returns the reason if each part can hold by itself.
    fn combined_reason(&mut self, bindings: &[Vec<Term>], places: &[BTreeMap<Var, Values>]) -> Option<Diagnostic> {
        let (mut together, mut at_a_place) = (false, false);
        for binding in bindings {
            let condition = |when: &'a Written| Query {
                expr: &when.expr,
                parameters: binding.clone(),
                requirement: Requirement::IsTrue,
            };
            let mut queries: Vec<Query> = self.rule.when.iter().map(condition).collect();
            let mut is_defined = true;
            for then in &self.rule.then {
                match self.assignment_queries(then, binding)? {
                    Some(assignment_queries) => queries.extend(assignment_queries),
                    None => is_defined = false,
                }
            }
            queries.push(Query {
                expr: &self.rule.cost.expr,
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
                reason(conditions, "its conditions never hold together", "each one can hold, but not all at once")
            }
            (false, _) => {
                let label = "each one can hold, but not all at once";
                reason(conditions, "its conditions hold together for no choice of `for`", label)
            }
            (true, false) => {
                let label = "where the drawing fits, this never holds";
                reason(conditions, "its drawing and its conditions never hold together", label)
            }
            // Letters were tried with symbols that they may not match where the drawing fits.
            (true, true) if self.rule.letters.iter().any(|letter| letter.is_read) => return None,
            (true, true) if !self.rule.further.is_empty() => {
                let label = "each one fits somewhere, but not all at once, or nothing changes";
                reason(name, "its drawings never fit together", label)
            }
            (true, true) if self.rule.drawing.as_ref().is_some_and(|drawing| drawing.repeat) => {
                reason(name, "`repeat` never ends, or changes nothing", "it has no moves in any position")
            }
            // Places are those of the drawing with any choice.
            (true, true) if !self.rule.parameters.is_empty() && !self.rule.when.is_empty() => {
                let label = "each can hold, but not both at once, or nothing changes";
                let text = "its drawing and its conditions hold together for no choice of `for`";
                reason(conditions, text, label)
            }
            (true, true) => {
                let label = "the position after it is the position before it";
                reason(name, "it never changes anything", label)
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
