//! Arguments: why a puzzle has no solution, as text and as data that a checker can verify independently.
//!
//! The data consists of *facts*: a variable with one of its values, written `cell[0, 3] = o`. In each position exactly
//! one fact of each variable holds. A weighted sum over facts has a value in each position. An argument never mentions
//! how the engine encodes positions, so a checker needs nothing but the rules of the puzzle.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The weight of each fact, by its name; a fact that is not listed has weight 0.
pub type Weights = BTreeMap<String, i64>;

/// The reason why there is no solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// A one-line explanation for people.
    pub reason: String,
    /// Weights drawn on the grid, over several lines, where a drawing shows more than the one line.
    pub table: Option<String>,
    /// The argument as data, where a checker can verify it.
    pub argument: Option<Argument>,
}

impl From<String> for Refutation {
    fn from(reason: String) -> Refutation {
        Refutation { reason, table: None, argument: None }
    }
}

/// A proof, as data, that no goal is reachable from the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Argument {
    /// Delete relaxation: even if every fact that ever held stayed true, each goal would lack something.
    Relaxation {
        /// For each goal, one requirement that it lacks.
        missing: Vec<Missing>,
    },
    /// Sums that no move changes; each goal differs from the start in at least one of them.
    Invariant {
        /// The sums.
        sums: Vec<Sum>,
    },
    /// A sum that no move decreases, and that is larger at the start than in any goal, or in some if it is one of
    /// several (a pagoda function).
    Potential {
        /// The weights.
        weights: Weights,
        /// The sum at the start.
        start: i64,
        /// An upper bound on the sum in the goals that it rules out.
        goal: i64,
    },
    /// An abstraction, in which values are merged or variables dropped: a search of all its states finds no goal.
    Abstraction {
        /// The variables of the abstraction: the value that each fact maps to. Exactly one fact of each variable holds
        /// in each position.
        variables: Vec<BTreeMap<String, u32>>,
    },
    /// Facts that exclude each other: what goals ask for leaves fewer values than they say, and an argument rules out
    /// the rest.
    Exclusive {
        /// Facts that hold in no position that can be reached.
        never: Vec<String>,
        /// Groups of facts. At most one of each holds in any position that can be reached.
        groups: Vec<Vec<String>>,
        /// The argument about positions in which that is so.
        argument: Box<Argument>,
    },
    /// Parity, where moves permute the contents of places: a checker finds the permutations in the rules.
    Parity {},
    /// Several arguments: each goal is ruled out by one of them.
    Together {
        /// The arguments.
        parts: Vec<Argument>,
    },
}

/// A number of variables with certain facts that goals require and no reachable position has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The facts.
    pub facts: Vec<String>,
    /// The number of variables that must have one of these facts.
    pub needed: u32,
    /// The number of variables that can ever have one.
    pub possible: u32,
}

/// A weighted sum that every move preserves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The modulus of the sum; null for the plain integer sum.
    pub modulus: Option<u32>,
    /// The weights.
    pub weights: Weights,
    /// The sum at the start.
    pub start: i64,
}

/// Dead ends that a search left out, as data. A checker needs nothing but the rules to prove each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pruned {
    /// Facts from each of which no goal can be reached.
    pub facts: Vec<String>,
    /// The facts of the mover, exactly one of which holds in each position.
    pub mover: Vec<String>,
    /// Pairs of facts, proven together.
    #[serde(default)]
    pub pairs: Vec<DeadPair>,
    /// Patterns, each proven with the help of the facts, of the pairs and of the patterns before it.
    pub patterns: Vec<DeadPattern>,
    /// Sums that no move lowers. No goal can be reached from a position in which one of them is too large.
    #[serde(default)]
    pub sums: Vec<DeadSum>,
    /// Facts of pieces. No goal can be reached from a position in which some of them can never end again, and which no
    /// goal allows all together.
    #[serde(default)]
    pub frozen: Vec<String>,
}

/// A weighted sum that no move lowers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadSum {
    /// The weights.
    pub weights: Weights,
    /// An upper bound on the sum in goals.
    pub goal: i64,
}

/// Two facts of pieces from which no goal can be reached, whatever else holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadPair {
    /// The facts of the pieces.
    pub pieces: [String; 2],
    /// Facts of the mover, one of which holds; empty if it may be anywhere.
    pub mover: Vec<String>,
}

/// Facts from which no goal can be reached, whatever else holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadPattern {
    /// Facts of pieces, all of which hold.
    pub pieces: Vec<String>,
    /// Facts of the mover, one of which holds.
    pub mover: Vec<String>,
    /// Facts of pieces that a proof has to follow: pieces elsewhere can be forgotten.
    pub followed: Vec<String>,
}

impl Pruned {
    /// Returns whether nothing was left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
            && self.pairs.is_empty()
            && self.patterns.is_empty()
            && self.frozen.is_empty()
            && self.sums.is_empty()
    }
}

/// Returns the name of a fact.
#[must_use]
pub fn fact(variable: &str, value: &str) -> String {
    format!("{variable} = {value}")
}

/// Formats a number of things: `1 place`, `2 places`.
#[must_use]
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Joins names into a phrase; names after the first `most` are only counted.
#[must_use]
pub fn listed(names: &[String], most: usize) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        _ if names.len() > most => format!("{} and {} more", names[..most].join(", "), names.len() - most),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
