//! The rules of one puzzle as data, for programs that play it without the engine, such as a web page.
//!
//! A position is a list of numbers, the values of variables. There are three forms of rules, so that an interpreter of
//! each takes few lines: operators that read and write variables (after SAS+, Bäckström and Nebel 1995), blocks that
//! move step by step and never overlap, and, for everything else, the graph of all positions, where these are few.

use crate::picture::Figure;

/// A set of values, ascending.
pub type ValueSet = Vec<u32>;

/// The condition that a variable has one of some values.
pub type Condition = (usize, ValueSet);

/// The rules of a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanics {
    /// The values of the variables at the start.
    pub start: Vec<u32>,
    /// For each variable, the values that it may have.
    pub domains: Vec<ValueSet>,
    /// The goals; a position needs to satisfy one.
    pub goals: Vec<Target>,
    /// The moves.
    pub moves: Moves,
}

/// A goal; all of its parts must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// Facts that must hold.
    pub conditions: Vec<Condition>,
    /// One alternative of each disjunction must hold.
    pub disjunctions: Vec<Disjunction>,
    /// Facts, and bounds on the number of those that hold.
    pub counts: Vec<(Vec<Condition>, u32, u32)>,
}

/// Alternatives, each a conjunction.
pub type Disjunction = Vec<Vec<Condition>>;

/// The moves of a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub enum Moves {
    /// Operators on variables.
    Operators(Operators),
    /// Blocks. Each variable is the place of a block.
    Blocks(Blocks),
    /// All positions; the only variable is the number of the position, 0 at the start.
    Graph(Vec<Node>),
}

/// Operators on variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operators {
    /// The operators, in the order of the moves.
    pub operators: Vec<Operator>,
    /// Facts that operators and `never` count.
    pub counters: Vec<Vec<Condition>>,
    /// Conjunctions of which none may hold after a move.
    pub never: Vec<(Vec<Condition>, Vec<CountBounds>)>,
    /// The names of each variable's values, if names of moves contain them.
    pub value_names: Vec<Vec<String>>,
}

/// The condition that a counter is within bounds: its number, the least and the greatest value.
pub type CountBounds = (usize, u32, u32);

/// An operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The parts of the move's name.
    pub name: Vec<NamePart>,
    /// The cost of the move.
    pub cost: f64,
    /// Facts that must hold before the move.
    pub conditions: Vec<Condition>,
    /// One alternative of each disjunction must hold.
    pub disjunctions: Vec<Disjunction>,
    /// Bounds on counters before the move.
    pub counts: Vec<CountBounds>,
    /// The variables that change, each with its new value. All change at once.
    pub effects: Vec<(usize, Source)>,
}

/// A part of the name of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePart {
    /// A text.
    Text(String),
    /// The name of a variable's value before the move.
    Value(usize),
}

/// The source of a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A constant.
    Constant(u32),
    /// The old value of a variable.
    Copy(usize),
    /// The old value of the variable that changes, plus a number.
    Shift(i64),
    /// The old value of a variable, looked up in pairs of old and new values.
    Table(usize, Vec<(u32, u32)>),
}

/// Blocks on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// The blocks, one for each variable.
    pub blocks: Vec<Block>,
    /// What one move is.
    pub unit: BlockUnit,
}

/// What one move of a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockUnit {
    /// One step.
    Step,
    /// Steps in one direction, any number.
    Line,
    /// Any path to another place.
    Path,
}

/// A block. Its place is the number of a cell of the grid, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The name of the block in moves.
    pub name: String,
    /// The cells that it covers, as offsets from its place.
    pub cells: Vec<u32>,
    /// The number of its class: blocks of a class may change places without changing the position.
    pub class: usize,
    /// Its steps, by direction.
    pub steps: Vec<BlockStep>,
}

/// The steps of a block in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockStep {
    /// The letter of the direction in the names of moves.
    pub letter: char,
    /// The change of the place.
    pub by: i64,
    /// The places from which the step is possible on an empty board.
    pub from: ValueSet,
}

/// A position of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The figures of its picture.
    pub figures: Vec<Figure>,
    /// The moves from here: name, number of the position that it leads to, cost.
    pub edges: Vec<(String, u32, f64)>,
}
