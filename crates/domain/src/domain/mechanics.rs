//! The rules of one puzzle as data, for programs that play it without the engine, such as a web page.
//!
//! A position is a list of numbers, the values of variables. There are five forms of rules, so that an interpreter of
//! each takes few lines: operators that read and write variables (after SAS+, Bäckström and Nebel 1995), blocks that
//! move step by step and never overlap, rules that rewrite the cells of a grid (after PuzzleScript, Lavelle 2013), units
//! with consequences, and, for everything else, the graph of all positions, where these are few.

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
    /// Rules that rewrite the cells of a grid. The position is a board instead of variables.
    Rewriting(Box<Rewriting>),
    /// Written rules whose moves have consequences, as nested lists for an interpreter of them.
    Machine(serde_json::Value),
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
    /// The unit of a move.
    pub unit: BlockUnit,
}

/// The unit of a block's move.
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

/// A level of a game, and the rules that rewrite its board. Cells are numbered column by column, objects from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewriting {
    /// The rules of the game.
    pub rules: RewritingRules,
    /// The number of columns and rows.
    pub size: (usize, usize),
    /// The objects of each cell at the start.
    pub board: Vec<ValueSet>,
    /// The objects of each cell after a restart before the first move.
    pub target: Vec<ValueSet>,
    /// True if the level is won before the first move.
    pub is_won: bool,
    /// The seed of the random generator, and how many numbers are drawn before the first move.
    pub seed: (String, usize),
    /// For each object, its figure in the first cell, unless it is part of the ground or not seen.
    pub looks: Vec<Option<Figure>>,
    /// The part of the board that is seen, if not all of it is.
    pub window: Option<Window>,
    /// The messages after the level, if it is the last one.
    pub ending: Vec<String>,
}

/// The part of a board that is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The number of columns and rows.
    pub size: (usize, usize),
    /// True if the window moves with the player; otherwise it turns page by page.
    pub follows: bool,
}

/// The rules of a game. Movements are numbered by layers, five each: up, down, left, right, action.
#[derive(Clone, Debug, PartialEq)]
pub struct RewritingRules {
    /// The layer of each object.
    pub layer_of: Vec<usize>,
    /// The objects of each layer.
    pub layers: Vec<ValueSet>,
    /// The objects that make a player.
    pub player: ValueSet,
    /// True if all of them together make a player, not any of them.
    pub needs_all: bool,
    /// True if there is no action key.
    pub has_no_action: bool,
    /// True if a move in which no player moves is taken back.
    pub require_player_movement: bool,
    /// True if a turn without a key follows each restart.
    pub run_rules_on_level_start: bool,
    /// True if rules draw at random.
    pub is_random: bool,
    /// True if rules replace the board that a restart puts back.
    pub has_checkpoints: bool,
    /// The groups of rules before movement.
    pub early: Vec<RewritingGroup>,
    /// The groups of rules after movement.
    pub late: Vec<RewritingGroup>,
    /// The indices of the rigid groups before movement.
    pub rigid_groups: Vec<usize>,
    /// The win conditions: quantifier and both sides.
    pub conditions: Vec<(RewritingQuantifier, RewritingOperand, RewritingOperand)>,
}

/// The quantifier of a win condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewritingQuantifier {
    /// No cell with the first side has the second.
    No,
    /// Some cell has both sides.
    Some,
    /// All cells with the first side have the second.
    All,
}

/// A side of a win condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewritingOperand {
    /// Any of these objects.
    Any(ValueSet),
    /// All of these objects.
    All(ValueSet),
    /// Anything.
    Anything,
}

/// Rules that are repeated together until none changes anything.
#[derive(Clone, Debug, PartialEq)]
pub struct RewritingGroup {
    /// The rules.
    pub rules: Vec<RewritingRule>,
    /// True if one match of all is drawn and applied once.
    pub is_random: bool,
    /// The group to go back to after this one while anything changes.
    pub back: Option<usize>,
}

/// A rule in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct RewritingRule {
    /// The direction of the rows: 0 up, 1 down, 2 left, 3 right.
    pub direction: usize,
    /// Each row: its parts, with any number of cells between them.
    pub rows: Vec<Vec<Vec<RewritingCell>>>,
    /// True if the rule has a right side.
    pub replaces: bool,
    /// The number of the rigid group from 1; 0 if the rule is not rigid.
    pub rigid: usize,
    /// The commands as bits: again, cancel, checkpoint, restart, win, message, and from 64 on the sounds.
    pub commands: u32,
    /// The text of the message.
    pub message: Option<String>,
}

/// A cell of a rule: what it holds for the rule to match, and what becomes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RewritingCell {
    /// Objects that are there.
    pub present: ValueSet,
    /// Objects that are not there.
    pub absent: ValueSet,
    /// Movements that are there.
    pub moving: ValueSet,
    /// Movements that are not there.
    pub resting: ValueSet,
    /// Sets of objects, of each of which one is there.
    pub any: Vec<ValueSet>,
    /// The change; `None` if the cell stays as it is.
    pub change: Option<RewritingChange>,
}

/// The effect of a rewriting rule on a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RewritingChange {
    /// Objects that are taken out.
    pub clear: ValueSet,
    /// Objects that are put in.
    pub set: ValueSet,
    /// Movements that end.
    pub stop: ValueSet,
    /// Movements that begin.
    pub go: ValueSet,
    /// Movements that a rigid rule decides.
    pub decided: ValueSet,
    /// Objects of which one is drawn, if there are any.
    pub random_objects: ValueSet,
    /// Layers for which a direction is drawn.
    pub random_directions: ValueSet,
}
