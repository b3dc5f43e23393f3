//! The table `[generate]`: what may vary in a puzzle, and which puzzles are wanted.
//!
//! It makes a puzzle file a template. The puzzle itself is solved as any other; `engine generate` reads the table. What
//! depends on the drawing, such as the size of `cells`, is checked there.

use crate::diagnostic::Diagnostic;
use crate::document::{FromToml, Keys, Node, Spanned};
use serde::Serialize;

/// The ways to make puzzles, by their names in files.
const WAYS: [(&str, Way); 4] = [
    ("farthest", Way::Farthest),
    ("reverse", Way::Reverse),
    ("enumeration", Way::Enumeration),
    ("mutation", Way::Mutation),
];

/// The symmetries of a drawing, by their names in files.
const SYMMETRIES: [(&str, Symmetry); 4] = [
    ("left-right", Symmetry::LeftRight),
    ("up-down", Symmetry::UpDown),
    ("half-turn", Symmetry::HalfTurn),
    ("both", Symmetry::Both),
];

/// A way to make puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The start of the space that is farthest from a goal.
    Farthest,
    /// Random walks backwards from the goal.
    Reverse,
    /// All boards of a set of pieces.
    Enumeration,
    /// Random changes of the best puzzles so far.
    Mutation,
}

impl Way {
    /// Returns the name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        WAYS.iter().find(|(_, way)| *way == self).map_or("", |(name, _)| name)
    }
}

/// A symmetry that the varied cells of a drawing keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right are mirror images.
    LeftRight,
    /// Top and bottom are mirror images.
    UpDown,
    /// The drawing looks the same upside down.
    HalfTurn,
    /// Left and right, and top and bottom.
    Both,
}

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub most: f64,
}

impl Band {
    /// Returns how far a number is outside, zero if it is inside.
    #[must_use]
    pub fn distance(&self, number: f64) -> f64 {
        (self.least - number).max(number - self.most).max(0.0)
    }
}

/// `[least, most]`, or one number for both.
impl FromToml for Band {
    fn from_toml(node: Node) -> Option<Band> {
        let [least, most]: [f64; 2] = if node.value().is_array() { node.read()? } else { [node.read()?; 2] };
        if least >= 0.0 && least <= most && most.is_finite() {
            return Some(Band { least, most });
        }
        let error = Diagnostic::at(node.span(), format!("invalid value for `{}`", node.key()));
        node.refuse(error.label("expected the least number and the greatest, as in `[10, 20]`"))
    }
}

/// The symbols that a marked cell may take, each with its weight.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The mark in the drawing `cells`.
    pub name: Spanned<String>,
    /// The symbols and their weights.
    pub symbols: Vec<(Spanned<String>, f64)>,
}

struct Weights(Vec<(Spanned<String>, f64)>);

impl FromToml for Weights {
    fn from_toml(node: Node) -> Option<Weights> {
        let weights: Vec<(Spanned<String>, f64)> = node.entries()?;
        if weights.is_empty() || weights.iter().any(|(_, weight)| !(0.0..=1e6).contains(weight) || *weight == 0.0) {
            let error = Diagnostic::at(node.span(), format!("invalid value for `{}`", node.key()));
            return node.refuse(error.label("expected symbols with weights above 0, as in `{ \"#\" = 1, \".\" = 3 }`"));
        }
        Some(Weights(weights))
    }
}

/// The table `[generate]`.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The way to make puzzles; by default it is chosen by what varies.
    pub way: Option<Spanned<Way>>,
    /// A drawing of the size of the start, with marks on the cells that vary.
    pub cells: Option<Spanned<String>>,
    /// What the marked cells may hold.
    pub symbols: Vec<Mark>,
    /// How many cells hold a symbol, or whether a piece of the bag is on the board.
    pub number: Vec<(Spanned<String>, Band)>,
    /// The pieces of the drawing that may be anywhere, or be left out.
    pub bag: Vec<Spanned<String>>,
    /// The lengths of cars, if all boards of cars in lanes may be made.
    pub lengths: Option<Spanned<Vec<usize>>>,
    /// The number of walls among the cars.
    pub walls: Option<Spanned<Band>>,
    /// True if puzzles without a solution are wanted.
    pub unsolvable: bool,
    /// The least cost of a solution.
    pub cost: Option<Band>,
    /// The difficulty.
    pub rating: Option<Spanned<Band>>,
    /// True if the cheapest solution must be the only one of its cost.
    pub unique: bool,
    /// The number of solutions of the least cost.
    pub solutions: Option<Band>,
    /// True if the cost must change when a varied symbol or piece is taken away.
    pub needed: bool,
    /// The symmetry that the varied cells keep.
    pub symmetry: Option<Symmetry>,
    /// The most states that the search of a puzzle may expand.
    pub states: Option<u64>,
}

impl FromToml for Way {
    fn from_toml(node: Node) -> Option<Way> {
        node.choice(&WAYS)
    }
}

impl FromToml for Symmetry {
    fn from_toml(node: Node) -> Option<Symmetry> {
        node.choice(&SYMMETRIES)
    }
}

impl FromToml for Template {
    const IS_TABLE: bool = true;

    fn from_toml(node: Node) -> Option<Template> {
        let keys = node.keys(&[
            "way",
            "cells",
            "symbols",
            "number",
            "bag",
            "lengths",
            "walls",
            "outcome",
            "cost",
            "rating",
            "unique",
            "solutions",
            "needed",
            "symmetry",
            "states",
        ])?;
        let entries = |keys: &Keys| keys.node("symbols").and_then(Node::entries::<Weights>).unwrap_or_default();
        let outcome = keys.node("outcome").and_then(|node| node.choice(&[("solved", false), ("unsolvable", true)]));
        Some(Template {
            way: keys.take("way"),
            cells: keys.take("cells"),
            symbols: entries(&keys).into_iter().map(|(name, Weights(symbols))| Mark { name, symbols }).collect(),
            number: keys.node("number").and_then(Node::entries).unwrap_or_default(),
            bag: keys.take("bag").unwrap_or_default(),
            lengths: keys.take("lengths"),
            walls: keys.take("walls"),
            unsolvable: outcome.unwrap_or_default(),
            cost: keys.take("cost"),
            rating: keys.take("rating"),
            unique: keys.take("unique").unwrap_or_default(),
            solutions: keys.take("solutions"),
            needed: keys.take("needed").unwrap_or_default(),
            symmetry: keys.take("symmetry"),
            states: keys.take("states"),
        })
    }
}
