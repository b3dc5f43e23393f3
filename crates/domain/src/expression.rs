//! Expressions of puzzle files: the grammar that [written rules](https://docs.rs/engine-rules) and heuristics of a file
//! share, and the evaluation of the latter.
//!
//! - `parse`: the grammar, by precedence climbing;
//! - `vocabulary`: the names that a domain gives to its expressions;
//! - `compile`: resolves names and checks types;
//! - `formula`: evaluates.
//!
//! Written rules resolve and evaluate the same trees by themselves, since their states may be partially known.

mod compile;
mod formula;
mod parse;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use compile::compile;
pub use formula::{Formula, Reading, Undefined};
pub use parse::{is_name, parse, parse_target};
pub use vocabulary::{Function, Set, Type, Vocabulary};

use std::ops::Range;

/// An error in an expression, with its place.
#[derive(Debug, PartialEq, Eq)]
pub struct ExprError {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// The error in words.
    pub message: String,
    /// A suggested fix.
    pub help: Option<String>,
}

/// A parsed expression, and the bytes of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The expression.
    pub kind: Kind,
    /// The bytes of its text.
    pub span: Range<usize>,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name.
    Name(String),
    /// A number.
    Number(i64),
    /// `true`.
    True,
    /// A text in quotes.
    Quoted(String),
    /// A name with indices in brackets.
    Element(String, Vec<Expr>),
    /// A function with its arguments.
    Call(String, Vec<Expr>),
    /// A quantifier with the name that it binds, the members, and the body.
    Quantified(Quantifier, String, Box<Many>, Box<Expr>),
    /// The opposite of a condition.
    Not(Box<Expr>),
    /// The negative of a number.
    Negative(Box<Expr>),
    /// An operation on two values.
    Binary(Operation, Box<Expr>, Box<Expr>),
    /// Whether a value is among some.
    Within(Box<Expr>, Box<Many>),
    /// A condition, the value if it holds, and the value otherwise.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// The values that a bound name takes, or that a value is tested against.
#[derive(Clone, Debug, PartialEq)]
pub enum Many {
    /// All whole numbers from the first to the second.
    Range(Expr, Expr),
    /// A list.
    List(Vec<Expr>),
    /// The set of this name, and the bytes of the name.
    Set(String, Range<usize>),
}

/// An operation on the members of a range, a list or a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Whether a condition holds for each.
    All,
    /// Whether it holds for one.
    Any,
    /// The number for which it holds.
    Count,
    /// The sum of a value.
    Sum,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Whether one of two conditions holds.
    Or,
    /// Whether both hold.
    And,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down.
    Divide,
    /// `%`, the rest of this division.
    Modulo,
}

impl Operation {
    /// Returns the result of an arithmetic operation, if it is defined.
    ///
    /// # Panics
    /// The operation is not arithmetic.
    #[must_use]
    pub fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operation::Plus => left.checked_add(right),
            Operation::Minus => left.checked_sub(right),
            Operation::Times => left.checked_mul(right),
            Operation::Divide => left.checked_div(right).map(|quotient| quotient - i64::from(is_above(left, right))),
            // `i64::MIN % -1` is 0, although the quotient overflows.
            Operation::Modulo if right == -1 => Some(0),
            Operation::Modulo => left.checked_rem(right).map(|rest| rest + i64::from(is_above(left, right)) * right),
            _ => unreachable!("conditions are no numbers"),
        }
    }
}

/// Returns whether a quotient is negative and not whole: then truncating division rounds it up, by one.
fn is_above(left: i64, right: i64) -> bool {
    left % right != 0 && (left < 0) != (right < 0)
}
