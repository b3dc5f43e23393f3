//! Values that a variable never has: in `then`, in maps, and in comparisons.

use super::{Review, visit};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::expression::{Collection, Expr, Kind, Operation, Term};
use crate::model::{Rule, Target, To};
use crate::sorted::sorted;
use crate::task::Var;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Warns of such values.
pub(super) fn never_fitting(review: &Review) {
    for (_, rule) in review.rules() {
        for then in &rule.then {
            let targets = targets(review, rule, &then.target);
            for branch in branches(&then.value.expr) {
                let Kind::Term(term) = &branch.kind else { continue };
                if let (Some(&first), false) = (targets.first(), fits(review, &targets, term)) {
                    let message = format!("`{}` is never `{term}`", review.declared_name(first));
                    let warning = Diagnostic::at(review.place(&then.value, branch), message);
                    review.warn(warning.label("this is not one of its values").help(review.values_of(first)));
                }
            }
        }
    }
    comparisons(review);
    entries(review);
}

/// Returns one variable of each array that an assignment may write to, since the elements of an array have equal
/// values.
fn targets(review: &Review, rule: &Rule, target: &Target) -> Vec<Var> {
    let world = &review.model.world;
    match target {
        Target::Variable(var) => vec![*var],
        Target::Element(array, _) => vec![world.arrays[*array].first],
        Target::Parameter(number) => {
            let choices = rule.parameters.get(*number).into_iter().flat_map(|(_, choices)| choices);
            choices.filter_map(|choice| world.variable(&choice.to_string())).collect()
        }
    }
}

fn fits(review: &Review, targets: &[Var], term: &Term) -> bool {
    targets.iter().any(|&target| review.model.world.value(target, term).is_some())
}

/// Returns the branches of an expression's conditionals.
fn branches(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        Kind::Conditional(_, yes, no) => [branches(yes), branches(no)].concat(),
        _ => vec![expr],
    }
}

/// Warns of comparisons of a variable with values that it never has.
fn comparisons(review: &Review) {
    let world = &review.model.world;
    let var_of = |expr: &Expr| match &expr.kind {
        Kind::Variable(var) => Some(*var),
        Kind::ElementOf(array, _) => Some(world.arrays[*array].first),
        _ => None,
    };
    for written in review.expressions() {
        let mut compared: Vec<(&Expr, &Expr, &str)> = Vec::new();
        visit(&written.expr, &mut |part| match &part.kind {
            Kind::Binary(by @ (Operation::Equal | Operation::Unequal), left, right) => {
                let outcome = if *by == Operation::Equal { "this is always false" } else { "this is always true" };
                compared.extend([(&**left, &**right, outcome), (&**right, &**left, outcome)]);
            }
            Kind::Within(inner, collection) => {
                if let Collection::List(list) = &**collection {
                    compared.extend(list.iter().map(|one| (&**inner, one, "this has no effect")));
                }
            }
            _ => {}
        });
        for (variable, value, outcome) in compared {
            let (Some(var), Some(term)) = (var_of(variable), constant(value)) else { continue };
            let is_cell = review.model.world.rows > 0 && var < world.cells();
            let is_had = match world.value(var, &term) {
                None => false,
                // A symbol that no cell can hold is a mistake even if it is a value of cells.
                Some(value) => !is_cell || review.on_grid.contains(value),
            };
            if !is_had {
                let message = format!("`{}` is never `{term}`", review.declared_name(var));
                let warning = Diagnostic::at(review.place(written, value), message).label(outcome);
                review.warn(if is_cell { warning } else { warning.help(review.values_of(var)) });
            }
        }
    }
}

/// Returns the value of a constant expression.
fn constant(expr: &Expr) -> Option<Term> {
    match &expr.kind {
        Kind::Term(term) => Some(term.clone()),
        Kind::Negative(inner) => match &inner.kind {
            Kind::Term(Term::Number(number)) => number.checked_neg().map(Term::Number),
            _ => None,
        },
        _ => None,
    }
}

/// Warns of map entries whose results do not fit the uses of the map in drawings and in `then`.
fn entries(review: &Review) {
    let world = &review.model.world;
    // For each map, one variable of each kind that takes its results. Maps that are also used elsewhere are skipped.
    let mut uses: Vec<Vec<Var>> = vec![Vec::new(); world.maps.len()];
    let mut other_uses = BTreeSet::new();
    let mut in_results = FxHashSet::default();
    for (_, rule) in review.rules() {
        for to in rule.drawings().flat_map(|drawing| &drawing.to) {
            if let To::Map(map) = to {
                uses[*map].push(0);
            }
        }
        for then in &rule.then {
            for branch in branches(&then.value.expr) {
                if let Kind::Map(map, _) = &branch.kind {
                    uses[*map].extend(targets(review, rule, &then.target));
                    in_results.insert(std::ptr::from_ref(branch));
                }
            }
        }
    }
    for written in review.expressions() {
        visit(&written.expr, &mut |part| match &part.kind {
            Kind::Map(map, _) if !in_results.contains(&std::ptr::from_ref(part)) => {
                other_uses.insert(*map);
            }
            _ => {}
        });
    }
    for (number, ((name, entries), uses)) in review.keys.maps.iter().zip(uses).enumerate() {
        let uses = sorted(uses);
        let Some(&first) = uses.first().filter(|_| !other_uses.contains(&number)) else { continue };
        for (from, value) in entries.get_ref().iter() {
            let result = world.maps[number].1.get(&Term::read(from));
            let Some(result) = result.filter(|result| !fits(review, &uses, result)) else { continue };
            let is_cell = world.rows > 0 && first < world.cells();
            let message = if is_cell {
                format!("unknown symbol `{result}`")
            } else {
                format!("`{}` is never `{result}`", review.declared_name(first))
            };
            let known: Vec<String> = world.values[first].iter().map(Term::to_string).collect();
            let help = match did_you_mean(&result.to_string(), known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => review.values_of(first),
            };
            let label = format!("no rule with the map `{name}` applies to `{from}`");
            review.warn(Diagnostic::at(value.span(), message).label(label).help(help));
        }
    }
}
