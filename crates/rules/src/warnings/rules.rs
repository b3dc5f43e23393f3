//! Rules that never apply, and the reasons.
//!
//! A rule certainly never applies if the reduced task has no operator of it. The reason is searched part by part: the
//! drawing, the conditions, the assignments, the cost; then all of them together. The first that can never hold is
//! reported.

use super::trial::{Asked, Trial, Wish, conjuncts};
use super::{Review, Written, text_of, visit};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::expression::{Expr, Kind, Operation, Scene, Term};
use crate::keys::RuleKeys;
use crate::model::{Assignment, Rule, Target};
use crate::task::{Values, Var};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most bindings of a rule for which a reason is searched.
const MOST_CHOICES: usize = 1 << 14;

/// Why a rule never applies.
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
        let reason = Inquiry { review, keys, rule, trial: &mut trial }.reason().unwrap_or_else(|| {
            Reason::new(keys.named().1, "what it asks for can never be", "it has no moves in any position")
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
pub(super) struct Inquiry<'a, 'b> {
    pub review: &'a Review<'a>,
    pub keys: &'a RuleKeys,
    pub rule: &'a Rule,
    pub trial: &'b mut Trial<'a>,
}

impl<'a> Inquiry<'a, '_> {
    /// Returns the reason; `None` if finding it takes too much work.
    fn reason(&mut self) -> Option<Reason> {
        let mut places = vec![BTreeMap::new()];
        if let Some(drawing) = &self.rule.drawing {
            let laid = self.laid(drawing)?;
            if let Some(reason) = self.of_drawing(drawing, &laid) {
                return Some(reason);
            }
            places = laid.iter().filter_map(|laid| self.narrowed(drawing, laid)).collect();
            if places.is_empty() {
                return Some(self.of_arrangement(drawing, &laid));
            }
        }
        let choices = self.choices()?;
        for (number, condition) in self.review.conditions(self.keys, self.rule).iter().enumerate() {
            if let Some(reason) = self.of_condition(number, condition, &choices)? {
                return Some(reason);
            }
        }
        for (number, result) in self.review.results(self.keys, self.rule).iter().enumerate() {
            if let Some(reason) = self.of_result(&self.rule.then[number], result, &choices)? {
                return Some(reason);
            }
        }
        if let Some(cost) = &self.keys.cost {
            let text = text_of(cost);
            let asked = |parameters: &[Term]| {
                vec![Asked { expr: &self.rule.cost, parameters: parameters.to_vec(), wish: Wish::Number }]
            };
            if !self.any_choice(&choices, asked)? {
                let span = self.review.place(&text, &self.rule.cost);
                return Some(Reason::new(span, "its `cost` is never defined", "this is no number in any position"));
            }
        }
        self.of_all(&choices, &places)
    }

    /// Returns all bindings of the parameters.
    fn choices(&mut self) -> Option<Vec<Vec<Term>>> {
        let mut all = vec![Vec::new()];
        for (_, choices) in &self.rule.parameters {
            let number = all.len() * choices.len();
            self.trial.take(number)?;
            if number > MOST_CHOICES {
                return None;
            }
            let longer =
                |before: Vec<Term>| choices.iter().map(move |one| [&before[..], std::slice::from_ref(one)].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        Some(all)
    }

    /// Returns whether the requirements can be met with some binding.
    fn any_choice<'c>(&mut self, choices: &[Vec<Term>], asked: impl Fn(&[Term]) -> Vec<Asked<'c>>) -> Option<bool> {
        for choice in choices {
            if self.trial.can(&asked(choice), &BTreeMap::new())? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the reason if a condition never holds.
    fn of_condition(
        &mut self,
        number: usize,
        condition: &Written<'a>,
        choices: &[Vec<Term>],
    ) -> Option<Option<Reason>> {
        let mut parts = Vec::new();
        conjuncts(condition.expr, &mut parts);
        let is_one_of = parts.len();
        parts.push(condition.expr);
        for (at, part) in parts.into_iter().enumerate() {
            let asked =
                |parameters: &[Term]| vec![Asked { expr: part, parameters: parameters.to_vec(), wish: Wish::Holds }];
            if self.any_choice(choices, asked)? {
                continue;
            }
            let span = self.review.place(&condition.text, part);
            let text = match never_equal(self.review, part) {
                Some(text) => text,
                None if self.rule.when.len() > 1 => format!("condition {} of `when` never holds", number + 1),
                None => "its condition `when` never holds".to_owned(),
            };
            let label = if at == is_one_of { "these never hold together" } else { "this never holds" };
            return Some(Some(Reason::new(span, text, label)));
        }
        Some(None)
    }

    /// Returns the reason if an assignment is never possible.
    fn of_result(
        &mut self,
        then: &'a Assignment,
        result: &Written<'a>,
        choices: &[Vec<Term>],
    ) -> Option<Option<Reason>> {
        let mut target = None;
        for choice in choices {
            let Some(asked) = self.assigned(then, choice)? else { continue };
            if self.trial.can(&asked, &BTreeMap::new())? {
                return Some(None);
            }
            target = target.or_else(|| asked.first().map(|asked| asked.wish));
        }
        let span = self.review.place(&result.text, result.expr);
        let Some(Wish::Fits(target)) = target else {
            let text = "what it changes is never there";
            return Some(Some(Reason::new(span, text, "this is put outside of the array with every choice")));
        };
        let name = self.review.called(target);
        let values = self.review.values_of(target);
        let reason = match &result.expr.kind {
            Kind::Term(term) => {
                let text = format!("`{name}` never becomes `{term}`");
                Reason { help: Some(values), ..Reason::new(span, text, "this is none of its values") }
            }
            _ => {
                let text = format!("`{name}` never becomes what `then` says");
                Reason { help: Some(values), ..Reason::new(span, text, "this is never one of its values") }
            }
        };
        Some(Some(reason))
    }

    /// Returns the requirements of an assignment with a binding. The inner option is `None` if the target is undefined.
    fn assigned(&mut self, then: &'a Assignment, choice: &[Term]) -> Option<Option<Vec<Asked<'a>>>> {
        let world = &self.review.model.world;
        let mut all = vec![choice.to_vec()];
        for run in &then.runs {
            let mut longer = Vec::new();
            for mut parameters in all {
                let scene = Scene { world, look: &|_| None, left: self.trial.left.into() };
                let terms = scene.over(run, &mut parameters).unwrap_or_default();
                self.trial.take(1 + terms.len())?;
                longer.extend(terms.into_iter().map(|term| [&parameters[..], &[term]].concat()));
            }
            all = longer;
        }
        let mut asked = Vec::new();
        for parameters in all {
            self.trial.take(1)?;
            let scene = Scene { world, look: &|_| None, left: self.trial.left.into() };
            let target = match &then.target {
                Target::Variable(var) => Some(*var),
                Target::Element(array, indices) => scene.element(*array, indices, &mut parameters.clone()).ok(),
                Target::Parameter(number) => match &parameters[*number] {
                    Term::Name(name) => world.variable(name),
                    _ => None,
                },
            };
            let Some(target) = target else { return Some(None) };
            asked.push(Asked { expr: &then.value, parameters, wish: Wish::Fits(target) });
        }
        Some(Some(asked))
    }

    /// Returns the reason if each part can hold by itself.
    fn of_all(&mut self, choices: &[Vec<Term>], places: &[BTreeMap<Var, Values>]) -> Option<Reason> {
        let (mut together, mut at_a_place) = (false, false);
        for choice in choices {
            let condition = |expr| Asked { expr, parameters: choice.clone(), wish: Wish::Holds };
            let mut asked: Vec<Asked> = self.rule.when.iter().map(condition).collect();
            let mut is_defined = true;
            for then in &self.rule.then {
                match self.assigned(then, choice)? {
                    Some(assigned) => asked.extend(assigned),
                    None => is_defined = false,
                }
            }
            asked.push(Asked { expr: &self.rule.cost, parameters: choice.clone(), wish: Wish::Number });
            if !is_defined || !self.trial.can(&asked, &BTreeMap::new())? {
                continue;
            }
            together = true;
            for place in places {
                if self.trial.can(&asked, place)? {
                    at_a_place = true;
                    break;
                }
            }
        }
        let name = self.keys.named().1;
        let conditions = self.keys.when.as_ref().map_or(name.clone(), Spanned::span);
        Some(match (together, at_a_place) {
            (false, _) if self.rule.parameters.is_empty() => {
                Reason::new(conditions, "what it asks for never holds together", "each part can be, but not at once")
            }
            (false, _) => {
                let label = "each part can be, but not at once";
                Reason::new(conditions, "with no choice of `for` all that it asks for holds together", label)
            }
            (true, false) => {
                let label = "where it fits, this never holds";
                Reason::new(conditions, "its drawing and its conditions never go together", label)
            }
            (true, true) if self.rule.drawing.as_ref().is_some_and(|drawing| drawing.repeat) => Reason::new(
                name,
                "made again and again it never ends, or changes nothing",
                "it has no moves in any position",
            ),
            (true, true) => {
                let label = "what is there afterwards is what was there before";
                Reason::new(name, "it never changes anything", label)
            }
        })
    }
}

/// Returns the text for a comparison of a variable with a value that it never has.
fn never_equal(review: &Review, part: &Expr) -> Option<String> {
    let Kind::Binary(Operation::Equal, left, right) = &part.kind else { return None };
    let world = &review.model.world;
    let (variable, term) = match (&left.kind, &right.kind) {
        (variable, Kind::Term(term)) | (Kind::Term(term), variable) => (variable, term),
        _ => return None,
    };
    let var = match variable {
        Kind::Variable(var) => *var,
        Kind::ElementOf(array, indices) => {
            // The element may depend on a parameter.
            let mut is_fixed = true;
            let mut look = |part: &Expr| is_fixed &= !matches!(part.kind, Kind::Parameter(_));
            indices.iter().for_each(|index| visit(index, &mut look));
            if !is_fixed {
                return None;
            }
            let scene = Scene { world, look: &|_| None, left: 1000.into() };
            scene.element(*array, indices, &mut Vec::new()).ok()?
        }
        _ => return None,
    };
    let is_reached = world.value(var, term).is_some_and(|value| review.reached[var].contains(value));
    (!is_reached).then(|| format!("`{}` is never `{term}`", review.model.names[var]))
}
