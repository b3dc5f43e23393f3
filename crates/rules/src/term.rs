//! The values of expressions.

use super::task::Var;
use std::sync::Arc;

/// A value of an expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Term {
    Number(i64),
    Name(Arc<str>),
    Truth(bool),
    /// The symbol of the cell that the letter of a set matched; undefined if it matched none. Occurs only as the value
    /// of a [`Kind::Letter`].
    Matched(Option<Var>),
    /// A pile, by its number among all piles of the world. Occurs only as the value of a parameter.
    Pile(usize),
}

impl Term {
    /// Parses a value: `1`, `"1"` and `'1'` are the same number. Every text that is not the canonical form of a number
    /// or a truth value is a name, `01` and `+1` included.
    pub fn read(text: &str) -> Term {
        match text {
            "true" => Term::Truth(true),
            "false" => Term::Truth(false),
            _ => match text.parse::<i64>() {
                Ok(number) if number.to_string() == text => Term::Number(number),
                _ => Term::Name(text.into()),
            },
        }
    }

    pub fn as_number(&self) -> Option<i64> {
        match self {
            Term::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Number(number) => number.fmt(f),
            Term::Name(name) => f.write_str(name),
            Term::Truth(truth) => truth.fmt(f),
            Term::Matched(_) => f.write_str("the matched symbol"),
            Term::Pile(number) => write!(f, "pile {number}"),
        }
    }
}
