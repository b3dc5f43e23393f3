//! Arguments: why a puzzle has no solution, in words and as data that a checker can work out again.
//!
//! Data speaks of *facts*: a variable with one of its values, written `cell[0, 3] = o`. In each position exactly one fact
//! of each variable holds. A weighted sum over facts has a value in each position. An argument never mentions how the
//! engine encodes positions, so a checker needs nothing but the rules of the puzzle.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The weight of each fact, by its name; a fact that is not listed has the weight 0.
pub type Weights = BTreeMap<String, i64>;

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// In one line, for people.
    pub reason: String,
    /// Weights drawn on the grid, in lines, where that shows more than the line does.
    pub table: Option<String>,
    /// As data, where a checker can work it out again.
    pub argument: Option<Argument>,
}

impl From<String> for Refutation {
    fn from(reason: String) -> Refutation {
        Refutation { reason, table: None, argument: None }
    }
}

/// A proof, as data, that no goal can be reached from the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Argument {
    /// Delete relaxation: even if every fact that ever held went on to hold, each goal would lack something.
    Relaxation {
        /// For each goal, one thing that it lacks.
        missing: Vec<Missing>,
    },
    /// Sums that no move changes; in each goal at least one of them differs from the start.
    Invariant {
        /// The sums.
        sums: Vec<Sum>,
    },
    /// A sum that no move lowers, and that is larger at the start than in any goal (a pagoda function).
    Potential {
        /// The weights.
        weights: Weights,
        /// The sum at the start.
        start: i64,
        /// The largest sum in any goal, or more.
        goal: i64,
    },
    /// A smaller puzzle, in which values are merged or variables forgotten: a search of all its states finds no goal.
    Abstraction {
        /// The variables of the smaller puzzle: the value that each fact gives to it. Of the facts of one variable exactly
        /// one holds in each position.
        variables: Vec<BTreeMap<String, u32>>,
    },
    /// Several arguments: each goal is ruled out by one of them.
    Together {
        /// The arguments.
        parts: Vec<Argument>,
    },
}

/// A number of variables with certain facts that goals ask for, and that is never there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The facts.
    pub facts: Vec<String>,
    /// How many variables must have one of these facts.
    pub needed: u32,
    /// How many variables can ever have one.
    pub possible: u32,
}

/// A weighted sum that every move keeps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The sum is taken modulo this number; null for the sum itself.
    pub modulus: Option<u32>,
    /// The weights.
    pub weights: Weights,
    /// The sum at the start.
    pub start: i64,
}

/// The name of a fact.
#[must_use]
pub fn fact(variable: &str, value: &str) -> String {
    format!("{variable} = {value}")
}

/// Some names in a sentence; those after the first few are counted.
#[must_use]
pub fn listed(names: &[String], most: usize) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        _ if names.len() > most => format!("{} and {} more", names[..most].join(", "), names.len() - most),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
