//! A compiled game: what the engine plays.
//!
//! A board holds two words or more for each cell, in storage order (column by column, `x * height + y`): the objects,
//! one bit each, and the movements, five bits a layer (up, down, left, right, action), twelve layers to a word.
//!
//! Patterns and replacements list only the words that they test or change: a game with 400 objects and 188 layers tests
//! as few words for a rule as a small one.

use crate::game::{Command, Direction, Quantifier};
use crate::input::Input;
use std::sync::Arc;

/// A game with its rules as masks.
#[derive(Clone, Debug)]
pub struct Program {
    /// Words of objects in a cell, of 64 bits.
    pub object_words: usize,
    /// Words of movements in a cell.
    pub movement_words: usize,
    /// Names by number. An object that is in several layers has several numbers, of which only the last is used.
    pub object_names: Vec<String>,
    /// The layer of each object's number.
    pub object_layers: Vec<usize>,
    /// The objects of each layer.
    pub layers: Vec<Words>,
    pub early: Phase,
    pub late: Phase,
    /// Groups of `early` that are rigid, in order.
    pub rigid_groups: Vec<usize>,
    pub player: Player,
    pub conditions: Vec<Condition>,
    /// Shared by the programs that are made of this one for single levels.
    pub levels: Arc<[Level]>,
    pub settings: Settings,
    pub(crate) traits: Traits,
}

/// Words that are not empty, with their indices in the cell, ascending.
pub type Words = Box<[(u32, u64)]>;

/// Settings of the prelude that change what a game does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// A turn with an input in which no player moves is taken back.
    pub require_player_movement: bool,
    /// A turn without input precedes each level.
    pub run_rules_on_level_start: bool,
    pub no_undo: bool,
    pub no_restart: bool,
    /// The action key does nothing.
    pub no_action: bool,
    /// Turns happen by themselves, as time passes.
    pub realtime: bool,
}

/// The objects that make a player.
#[derive(Clone, Debug)]
pub struct Player {
    pub objects: Words,
    /// All of the objects, not any of them, make a player.
    pub all: bool,
}

/// The rules before movement, or the late ones.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    pub groups: Vec<Group>,
    /// For each group: the group to go back to after it while anything changes, if a loop ends there.
    pub loops: Vec<Option<usize>>,
}

/// Rules that are repeated together until none changes anything.
#[derive(Clone, Debug)]
pub struct Group {
    pub rules: Vec<Rule>,
    /// For each rule, what the board must hold for it to match.
    pub(crate) gates: Box<[Gate]>,
    /// One match of all is drawn and applied once.
    pub random: bool,
    /// The line of the first rule.
    pub line: u32,
}

/// Objects and movements without which a rule matches nowhere: those of one word each. Few rules of a large game match
/// in a turn, and a list of gates is read faster than the rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gate {
    pub objects: (u32, u64),
    pub movements: (u32, u64),
}

impl Group {
    pub(crate) fn new(rules: Vec<Rule>, random: bool, line: u32) -> Self {
        let gates = rules.iter().map(Gate::new).collect();
        Self { rules, gates, random, line }
    }
}

impl Gate {
    fn new(rule: &Rule) -> Self {
        // The word with the most bits asks for most.
        let gate = |of: fn(&Row) -> &Words| {
            let mut words: Vec<(u32, u64)> = Vec::new();
            for &(word, bits) in rule.rows.iter().flat_map(of) {
                match words.iter_mut().find(|known| known.0 == word) {
                    Some(known) => known.1 |= bits,
                    None => words.push((word, bits)),
                }
            }
            words.into_iter().max_by_key(|(_, bits)| bits.count_ones()).unwrap_or_default()
        };
        Self { objects: gate(|row| &row.objects), movements: gate(|row| &row.movements) }
    }
}

/// A rule in one direction.
#[derive(Clone, Debug)]
pub struct Rule {
    pub line: u32,
    pub direction: Direction,
    pub rows: Vec<Row>,
    /// It has a right side. Without one, it only gives commands.
    pub replaces: bool,
    /// The number of its rigid group, from 1, if the rule is rigid.
    pub rigid: Option<u8>,
    pub commands: Box<[Command]>,
}

/// Cells in a line.
#[derive(Clone, Debug)]
pub struct Row {
    pub cells: Vec<Pattern>,
    /// Before which cells there is an ellipsis: none, one or two of them, ascending.
    pub gaps: Vec<usize>,
    /// Objects that some cell asks for.
    pub objects: Words,
    /// Movements that some cell asks for.
    pub movements: Words,
    /// The demands of the cells before the first ellipsis, one of each. A match satisfies all of them.
    pub(crate) seeds: Vec<Seed>,
}

/// Something that a cell of a row asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seed {
    /// The index of the cell in the row.
    pub cell: usize,
    pub what: Sought,
}

/// An object or movement by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Five a layer: up, down, left, right, action.
    Movement(u32),
    Object(u32),
    /// Any of these objects.
    Any(Words),
}

impl Row {
    /// Puts a row together.
    pub(crate) fn new(cells: Vec<Pattern>, gaps: Vec<usize>, objects: Words, movements: Words) -> Self {
        let first = gaps.first().copied().unwrap_or(cells.len());
        let mut seeds = Vec::new();
        for (cell, pattern) in cells.iter().take(first).enumerate() {
            let bits = |tests: &[Test], size: u32| -> Vec<u32> {
                let each = tests.iter().flat_map(|test| (0..64).map(move |bit| (test, bit)));
                each.filter(|(test, bit)| test.wanted >> bit & 1 == 1)
                    .map(|(test, bit)| test.word * size + bit)
                    .collect()
            };
            let movements = bits(&pattern.movements, 60).into_iter().map(Sought::Movement);
            let objects = bits(&pattern.objects, 64).into_iter().map(Sought::Object);
            let any = pattern.any.iter().cloned().map(Sought::Any);
            seeds.extend(movements.chain(objects).chain(any).map(|what| Seed { cell, what }));
        }
        Self { cells, gaps, objects, movements, seeds }
    }
}

/// The condition on a cell, and its replacement.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    pub objects: Box<[Test]>,
    pub movements: Box<[Test]>,
    /// At least one object of each.
    pub any: Box<[Words]>,
    /// None: it stays as it is.
    pub replacement: Option<Box<Replacement>>,
}

/// One word of a pattern: the bits of `mask` must equal `wanted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    pub word: u32,
    pub mask: u64,
    pub wanted: u64,
}

/// One word of a replacement: `clear` is taken out, then `set` put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub word: u32,
    pub clear: u64,
    pub set: u64,
}

/// The effect of a rule on a cell.
#[derive(Clone, Debug, Default)]
pub struct Replacement {
    pub objects: Box<[Change]>,
    pub movements: Box<[Change]>,
    /// Layers whose movement the rule decides: those that a rigid rule marks.
    pub decided: Words,
    /// Numbers of objects one of which is drawn; empty: none.
    pub random_objects: Box<[usize]>,
    /// Layers for which a direction is drawn, ascending.
    pub random_directions: Box<[usize]>,
}

/// A win condition.
#[derive(Clone, Debug)]
pub struct Condition {
    pub quantifier: Quantifier,
    pub what: Operand,
    pub on: Operand,
}

/// A side of a win condition.
#[derive(Clone, Debug)]
pub enum Operand {
    /// Any of these objects.
    Any(Words),
    /// All of these objects.
    All(Words),
    /// Anything: any object at all.
    Anything,
}

/// A level.
#[derive(Clone, Debug)]
pub enum Level {
    Message(String),
    Board(LevelBoard),
}

/// The objects of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LevelBoard {
    pub width: usize,
    pub height: usize,
    /// Words of objects, cell by cell in storage order.
    pub cells: Vec<u64>,
}

impl Program {
    /// Returns the keys of the keyboard that may be moves, in their order: up, left, down, right, action.
    #[must_use]
    pub fn inputs(&self) -> &'static [Input] {
        if self.settings.no_action { &Input::ALL[..4] } else { &Input::ALL }
    }

    /// Returns the rules of both phases, in order.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        rules_of([&self.early, &self.late])
    }

    /// Returns the program with only some of its rules, which are asked for in order.
    #[must_use]
    pub fn filtered(&self, mut keep: impl FnMut(&Rule) -> bool) -> Program {
        let mut program = self.clone();
        for group in program.early.groups.iter_mut().chain(&mut program.late.groups) {
            let mut rules = std::mem::take(&mut group.rules);
            rules.retain(&mut keep);
            *group = Group::new(rules, group.random, group.line);
        }
        program.traits = Traits::new([&program.early, &program.late]);
        program
    }

    /// Returns the boards among the levels, in order.
    pub fn boards(&self) -> impl Iterator<Item = &LevelBoard> {
        self.levels.iter().filter_map(|level| match level {
            Level::Board(board) => Some(board),
            Level::Message(_) => None,
        })
    }

    /// Returns whether there is a way to win: a win condition, or a rule with the command `win`.
    #[must_use]
    pub fn can_be_won(&self) -> bool {
        !self.conditions.is_empty() || self.has_win_command()
    }

    /// Returns whether some rule has the command `win`.
    #[must_use]
    pub fn has_win_command(&self) -> bool {
        self.rules().any(|rule| rule.commands.contains(&Command::Win))
    }

    /// Returns whether some rule has the command `checkpoint`.
    #[must_use]
    pub fn has_checkpoints(&self) -> bool {
        self.traits.checkpoints
    }

    /// Returns whether some rule draws at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.traits.random
    }
}

fn rules_of(phases: [&Phase; 2]) -> impl Iterator<Item = &Rule> {
    phases.into_iter().flat_map(|phase| &phase.groups).flat_map(|group| &group.rules)
}

/// The abilities of all rules together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    random: bool,
    checkpoints: bool,
}

impl Traits {
    pub(crate) fn new(phases: [&Phase; 2]) -> Self {
        let mut groups = phases.into_iter().flat_map(|phase| &phase.groups);
        let cells = rules_of(phases).flat_map(|rule| &rule.rows).flat_map(|row| &row.cells);
        let mut replacements = cells.filter_map(|cell| cell.replacement.as_ref());
        Self {
            random: groups.any(|group| group.random)
                || replacements.any(|new| !new.random_objects.is_empty() || !new.random_directions.is_empty()),
            checkpoints: rules_of(phases).any(|rule| rule.commands.contains(&Command::Checkpoint)),
        }
    }
}
