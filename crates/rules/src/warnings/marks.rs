//! Comparisons with marks that no cell has: a mark that is missing, or a variable where a mark of its name was meant.

use super::Review;
use crate::diagnostic::Diagnostic;
use crate::expression::{Collection, Expr, Kind, Operation, Term, visit};
use crate::task::Var;
use std::collections::BTreeSet;

/// Warns of marks in expressions, once for each name.
pub(super) fn never_marked(review: &Review) {
    let world = &review.model.world;
    let is_mark = |name: &str| name != "." && world.marks.iter().any(|mark| name.chars().eq([*mark]));
    let mut seen = BTreeSet::new();
    for source in review.expressions() {
        let mut compared = Vec::new();
        visit(&source.expr, &mut |part| compared.extend(compared_with_mark(part)));
        for other in compared {
            let warning = match &other.kind {
                Kind::Term(Term::Name(name)) if **name != *"." && !is_mark(name) => {
                    (name.to_string(), format!("no cell has the mark `{name}`"), "this is never equal to a mark", None)
                }
                Kind::Variable(var) if is_mark(&review.model.names[*var]) && !may_be_mark(review, *var, &is_mark) => {
                    let name = review.model.names[*var].clone();
                    let message = format!("`{name}` is a variable here, and none of its values is a mark");
                    let help = format!("did you mean `'{name}'`?");
                    (name, message, "this is never equal to a mark", Some(help))
                }
                _ => continue,
            };
            let (name, message, label, help) = warning;
            if seen.insert(name) {
                let warning = Diagnostic::at(review.place(source, other), message).label(label);
                review.warn(help.into_iter().fold(warning, Diagnostic::help));
            }
        }
    }
}

/// Returns whether some value of a variable is a mark of the grid.
fn may_be_mark(review: &Review, var: Var, is_mark: &impl Fn(&str) -> bool) -> bool {
    review.model.world.values[var].iter().any(|value| is_mark(&value.to_string()))
}

/// Returns the expressions that an expression compares a mark with.
fn compared_with_mark(expr: &Expr) -> Vec<&Expr> {
    let is_mark = |expr: &Expr| matches!(expr.kind, Kind::Mark(_));
    match &expr.kind {
        Kind::Binary(Operation::Equal | Operation::Unequal, left, right) if is_mark(left) => vec![right],
        Kind::Binary(Operation::Equal | Operation::Unequal, left, right) if is_mark(right) => vec![left],
        Kind::Within(inner, collection) if is_mark(inner) => match &**collection {
            Collection::List(list) => list.iter().collect(),
            Collection::Range(..) => Vec::new(),
        },
        _ => Vec::new(),
    }
}
