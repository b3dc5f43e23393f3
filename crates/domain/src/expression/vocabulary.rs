//! The names that expressions of a domain may use.

/// The type of a value. All values are numbers in memory: truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Number,
    /// `true` or `false`.
    Truth,
    /// An element of the domain, such as a piece.
    Element,
}

/// A function of a position.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name. Functions may share a name if they take different numbers of arguments.
    pub name: &'static str,
    /// The types of its arguments, at most two.
    pub takes: &'static [Type],
    /// The type of its value.
    pub gives: Type,
}

/// A set over which quantifiers go.
#[derive(Clone, Debug)]
pub struct Set {
    /// Its name.
    pub name: &'static str,
    /// The type of its members.
    pub of: Type,
    /// Its members, in order.
    pub members: Vec<i64>,
}

/// A refusal of a name: what is wrong, and what would be right.
pub type Refusal = (String, String);

/// The names that a puzzle gives to its expressions.
pub struct Vocabulary<'a> {
    /// The sets. Short forms go over the first one.
    pub sets: Vec<Set>,
    /// Numbers that do not depend on the position.
    pub constants: Vec<(&'static str, i64)>,
    /// The functions of the domain. Evaluation names them by their index.
    pub functions: &'static [Function],
    /// The functions that this puzzle does not have, by index, with the refusal.
    pub missing: Vec<(usize, Refusal)>,
    /// An element in words, with its article.
    pub element: &'static str,
    /// Returns the element that a text in quotes names.
    pub quoted: &'a dyn Fn(&str) -> Result<i64, Refusal>,
}
