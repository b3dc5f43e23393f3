//! The machine: executes rules whose moves are more than one operator at one place. A move may have consequences, apply
//! everywhere at once, shift whole bodies, or carry items from pile to pile.
//!
//! Everything that no state decides is prepared once: rules become *units*, one for each choice of parameters, place and
//! image, in the order of moves, and expressions become [formulas](formula). `ground` prepares, `turn` makes moves.
//!
//! - `formula`: expressions; `bodies`: cells that move together;
//! - `ground`: rules as units; `watch`: the units that a change concerns;
//! - `piles`: lower bounds from piles, and piles that are alike;
//! - `state`: states and their keys; `goal`: the conditions on states;
//! - `turn`: a move with its consequences; `space`: the state space;
//! - `relaxed`: a lower bound; `sample`: whether it pays;
//! - `puzzle`: a puzzle that the machine plays; `view`: its positions; `mechanics`: its rules as data.

mod bodies;
mod formula;
mod goal;
mod ground;
mod mechanics;
mod piles;
mod puzzle;
mod relaxed;
mod sample;
mod space;
mod state;
mod turn;
mod view;
mod watch;

use super::expression::Term;
use super::model::{Image, Model, Rule};
use super::task::{Value, Var};
use bodies::Bodies;
use formula::{Datum, Formula, PileFormula, Terms};
use goal::StateGoal;
pub(super) use piles::PILES;
pub(super) use puzzle::{MachinePuzzle, RELAXED};
use relaxed::Relaxed;
use state::{Packing, State};
use std::ops::Range;
use std::sync::Arc;
use watch::Watch;

/// A set of symbols.
type Symbols = [u64; 4];

/// Returns whether a set has a symbol.
fn has(symbols: &Symbols, symbol: Value) -> bool {
    symbols[usize::from(symbol) / 64] >> (symbol % 64) & 1 == 1
}

/// A puzzle, prepared.
#[derive(Debug)]
struct Machine {
    model: Arc<Model>,
    terms: Terms,
    bodies: Bodies,
    bindings: Vec<Binding>,
    patterns: Vec<Pattern>,
    checks: Vec<Check>,
    puts: Vec<Put>,
    symbols: Vec<Symbols>,
    tables: Vec<Box<[Value]>>,
    /// The cells of the letters of all patterns.
    letters: Vec<Option<u32>>,
    /// The moves, in their order.
    moves: Vec<Unit>,
    /// The consequences, in the order in which they are tried.
    after: Vec<Unit>,
    /// The moves that a symbol on a cell makes possible, and the consequences that a change may make possible.
    move_watch: Watch,
    after_watch: Watch,
    goals: Vec<StateGoal>,
    never: Vec<Formula>,
    /// The expressions of the heuristics of the file.
    own: Vec<Formula>,
    /// The most items of each pile.
    most: Vec<usize>,
    start: State,
    packing: Packing,
    /// A superset of the values that each variable can have.
    reached: Vec<Vec<Value>>,
    relaxed: Option<Arc<Relaxed>>,
}

/// A rule with the values of its parameters.
#[derive(Debug)]
struct Binding {
    /// The rule: its number among the rules, or among the consequences.
    rule: usize,
    is_consequence: bool,
    parameters: Vec<Term>,
    /// The conditions that a state decides, and those that a match decides, too.
    conditions: Vec<Formula>,
    local_conditions: Vec<Formula>,
    then: Vec<(Var, Formula)>,
    cost: Formula,
    carry: Option<CarryFormula>,
}

/// The move of items from pile to pile.
#[derive(Debug)]
struct CarryFormula {
    from: PileFormula,
    to: PileFormula,
    count: Formula,
    turned: bool,
}

/// A rule with the values of its parameters, at one place in one image if it has them.
#[derive(Debug)]
struct Unit {
    binding: u32,
    image: Option<Image>,
    /// The places of the drawings, the first one's first.
    places: Box<[usize]>,
    act: Act,
}

/// What a unit does to the grid.
#[derive(Debug)]
enum Act {
    Nothing,
    /// Rewrites by one pattern.
    Pattern(u32),
    /// Rewrites by one pattern after the other, until one does not fit: further and further, and around the grid.
    Slide(Box<[Option<u32>]>, bool),
    /// Rewrites by all patterns at once, once or until nothing changes.
    Pass(Box<[u32]>, bool),
    /// Shifts the body of a cell.
    Shift,
    /// Shifts all bodies that can move.
    ShiftAll,
}

/// A drawing at one place in one image.
#[derive(Debug)]
struct Pattern {
    checks: Range<u32>,
    puts: Range<u32>,
    letters: Range<u32>,
    place: usize,
    image: Image,
}

/// A condition on a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Check {
    Is(u32, Value),
    /// It has one of the symbols of the set with this number.
    In(u32, u32),
    /// It has the symbol of another cell.
    Same(u32, u32),
}

/// The new symbol of a cell.
#[derive(Clone, Copy, Debug)]
enum Put {
    Symbol(u32, Value),
    /// The symbol of another cell.
    Copy(u32, u32),
    /// The image of its symbol in the table with this number.
    Map(u32, u32),
}

impl Put {
    /// Returns the cell that changes.
    fn cell(self) -> u32 {
        match self {
            Put::Symbol(cell, _) | Put::Copy(cell, _) | Put::Map(cell, _) => cell,
        }
    }
}

impl Machine {
    /// Returns the rule of a binding.
    fn rule(&self, binding: &Binding) -> &Rule {
        if binding.is_consequence { &self.model.after[binding.rule] } else { &self.model.rules[binding.rule] }
    }

    /// Returns the checks of a pattern.
    fn checks(&self, pattern: &Pattern) -> &[Check] {
        &self.checks[pattern.checks.start as usize..pattern.checks.end as usize]
    }

    /// Returns the effects of a pattern.
    fn puts(&self, pattern: &Pattern) -> &[Put] {
        &self.puts[pattern.puts.start as usize..pattern.puts.end as usize]
    }

    /// Returns the cells that the letters of the rule match.
    fn letters(&self, pattern: &Pattern) -> &[Option<u32>] {
        &self.letters[pattern.letters.start as usize..pattern.letters.end as usize]
    }

    /// Returns the number of cells.
    fn cells(&self) -> usize {
        self.model.world.cells()
    }

    /// Returns the patterns of a unit.
    fn patterns<'a>(&'a self, unit: &'a Unit) -> impl Iterator<Item = &'a Pattern> {
        let (one, some, all): (&[u32], &[Option<u32>], &[u32]) = match &unit.act {
            Act::Pattern(pattern) => (std::slice::from_ref(pattern), &[], &[]),
            Act::Slide(steps, _) => (&[], steps, &[]),
            Act::Pass(patterns, _) => (&[], &[], patterns),
            Act::Nothing | Act::Shift | Act::ShiftAll => (&[], &[], &[]),
        };
        let numbers = one.iter().chain(some.iter().flatten()).chain(all);
        numbers.map(|&number| &self.patterns[number as usize])
    }
}

/// Returns a number that a formula is, if that is known without a state.
fn known_number(formula: &Formula) -> Option<i64> {
    if let Formula::Known(Datum::Number(number)) = formula { Some(*number) } else { None }
}
