//! The game as written: the sections of a PuzzleScript file, each thing with its place, before any rule is expanded.
//!
//! All names are in lower case, as PuzzleScript ignores case; titles and messages keep theirs. What an error made
//! unreadable is left out or half kept, the same half that the reference keeps: up to five errors, a game still plays.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe.

use std::fmt;

/// A place in the text: line and column, both from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A game, section by section, each in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Game {
    pub prelude: Vec<Setting>,
    pub objects: Vec<Object>,
    pub legend: Vec<Entry>,
    pub sounds: Vec<Sound>,
    pub layers: Vec<Layer>,
    pub rules: Vec<RuleLine>,
    pub conditions: Vec<Condition>,
    pub levels: Vec<Level>,
    /// The rows and columns of sprites, if a fork of the language sets them.
    pub sprite_side: Option<usize>,
}

/// A line of the prelude: `title Microban`, `noaction`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub at: Place,
    pub key: String,
    /// The rest of the line; empty for settings without a value.
    pub value: String,
}

impl Game {
    /// Returns whether the prelude has this setting.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.prelude.iter().any(|setting| setting.key == key)
    }

    /// Returns the value of a setting: of the last line, if there are several.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.prelude.iter().rev().find(|setting| setting.key == key).map(|setting| setting.value.as_str())
    }
}

impl Game {
    /// Returns the messages right before a level, counted with messages from 0.
    #[must_use]
    pub fn messages_before(&self, level: usize) -> Vec<&str> {
        let before = self.levels.get(..level).unwrap_or_default();
        let mut messages: Vec<&str> = before.iter().rev().map_while(Level::message).map(str::trim).collect();
        messages.reverse();
        messages
    }

    /// Returns the messages after a level, counted with messages from 0; none if another level follows.
    #[must_use]
    pub fn ending(&self, level: usize) -> Vec<&str> {
        let after = self.levels.get(level + 1..).unwrap_or_default();
        after.iter().map(|level| level.message().map(str::trim)).collect::<Option<_>>().unwrap_or_default()
    }
}

/// An object with its looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub at: Place,
    pub name: String,
    /// Colour names or `#` and hexadecimal digits, in lower case, as written: index 0 is the colour of digit 0.
    pub colours: Vec<String>,
    /// Rows of digits and points, top row first. Empty: a square of colour 0. Five of five, unless a warning says else
    /// or a fork of the language sets another size.
    pub sprite: Vec<String>,
}

/// A line of the legend, or a further name on the first line of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub at: Place,
    pub name: String,
    pub meaning: Meaning,
}

/// The right side of a line of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `a = b`: another name of whatever `b` is.
    Synonym(String),
    /// `a = b and c`, an aggregate: all of these objects. Aggregates and synonyms on the right are replaced by objects.
    All(Vec<String>),
    /// `a = b or c`, a property: any of these objects. Properties and synonyms on the right are replaced by objects, in
    /// the order written; an object may occur twice.
    Any(Vec<String>),
}

/// A line of the sounds. The engine plays none: they only decide whether the text is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    pub at: Place,
    /// Object or event (`sfx0`, `undo` …), verb, directions, seed.
    pub words: Vec<SoundWord>,
}

/// A word of a line of the sounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundWord {
    pub word: String,
    pub kind: SoundWordKind,
}

/// The meaning of a word in a line of the sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundWordKind {
    Event,
    Name,
    Verb,
    Direction,
    Seed,
}

/// A line of the collision layers: its objects, with properties replaced by their objects. A cell holds at most one
/// object of a layer. An object in several layers belongs to the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    pub at: Place,
    pub objects: Vec<String>,
}

/// A line of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleLine {
    StartLoop(Place),
    EndLoop(Place),
    Rule(Rule),
}

/// A direction on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All directions, in the order in which a rule without a direction is expanded.
    pub const ALL: [Direction; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Returns the vector to the cell this many cells further.
    pub(crate) fn vector(self, cells: isize) -> Vector {
        match self {
            Self::Up => (0, -cells),
            Self::Down => (0, cells),
            Self::Left => (-cells, 0),
            Self::Right => (cells, 0),
        }
    }
}

/// Columns and rows from one cell to another.
pub(crate) type Vector = (isize, isize);

/// A rule as written, with words in place of masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub at: Place,
    /// The line of the first rule of its group: `+` continues the group of the rule before.
    pub group: u32,
    /// The directions before the first bracket, `horizontal` and so on spread out; all four if there is none.
    /// Repetitions stay. A rule that does not depend on its direction still lists them all (see
    /// [`Rule::is_directional`]).
    pub directions: Vec<Direction>,
    pub late: bool,
    pub rigid: bool,
    /// Counts only on the first rule of a group.
    pub random: bool,
    /// The rows on the left: `[ > player | crate ]` is a row of two cells.
    pub left: Vec<Vec<Cell>>,
    /// The rows on the right: as many, of the same lengths, or none at all (a rule of commands only).
    pub right: Vec<Vec<Cell>>,
    /// The commands, in order; none twice.
    pub commands: Vec<Command>,
}

impl Rule {
    /// Returns whether the rule depends on its direction: some row on the left has several cells, or a word is relative
    /// to the direction. If not, only the first of its directions counts.
    #[must_use]
    pub fn is_directional(&self) -> bool {
        self.left.iter().any(|row| row.len() > 1)
            || self.left.iter().chain(&self.right).flatten().flatten().any(|item| item.word.is_relative())
    }
}

/// The words between two bars of a row. An ellipsis is a cell with the one item [`Word::Ellipsis`].
pub type Cell = Vec<Item>;

/// A name in a cell of a rule, with the word before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    pub at: Place,
    pub word: Word,
    /// The name as written: of an object, or from the legend. `...` for an ellipsis.
    pub name: String,
}

/// A word before a name in a cell of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Nothing: moving or not.
    Plain,
    /// `no`: not there.
    No,
    /// `random`: one of a property's objects, drawn when the rule is applied. Right side only.
    Random,
    /// `randomdir`: moves in a direction drawn when the rule is applied. Right side only.
    RandomDir,
    Stationary,
    Up,
    Down,
    Left,
    Right,
    Action,
    /// Any of up, down, left, right, action.
    Moving,
    /// Any of up, down, left, right.
    Orthogonal,
    /// Left or right.
    Horizontal,
    /// Up or down.
    Vertical,
    /// `>`: the rule's direction.
    Forward,
    /// `<`: against the rule's direction.
    Backward,
    /// `^`: forward turned left by 90°.
    LeftTurn,
    /// `v`: forward turned right by 90°.
    RightTurn,
    /// Forward or backward.
    Parallel,
    /// Left turn or right turn.
    Perpendicular,
    /// `...`: any number of cells, zero included.
    Ellipsis,
}

impl Word {
    /// Returns whether the meaning depends on the rule's direction.
    #[must_use]
    pub fn is_relative(self) -> bool {
        use Word::{Backward, Forward, LeftTurn, Parallel, Perpendicular, RightTurn};
        matches!(self, Forward | Backward | LeftTurn | RightTurn | Parallel | Perpendicular)
    }
}

/// A command after a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// Take another turn without input, if that changes something.
    Again,
    /// Take the turn back.
    Cancel,
    /// Make the board the target of restarts.
    Checkpoint,
    /// Put the level, or the last checkpoint, back.
    Restart,
    /// Win the level.
    Win,
    /// Show a text.
    Message(String),
    /// Play `sfx` and this number.
    Sound(u8),
}

/// A win condition; a level is won when all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub at: Place,
    pub quantifier: Quantifier,
    /// Object, property or aggregate (an aggregate means all of its objects in one cell).
    pub name: String,
    /// The name of the object that must be in the same cell; none: anything.
    pub on: Option<String>,
}

/// The first word of a win condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Every such cell holds `on`.
    All,
    /// Some such cell holds `on`.
    Some,
    /// No such cell holds `on`.
    No,
}

/// A level: a text between levels, or a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Level {
    Message {
        at: Place,
        text: String,
    },
    /// Rows of one-character names, trimmed, as written. The first row gives the width; a shorter row is filled with
    /// its own last character, of a longer one the rest is ignored.
    Board {
        at: Place,
        rows: Vec<String>,
    },
}

impl Level {
    /// Returns the text of a message.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Level::Message { text, .. } => Some(text),
            Level::Board { .. } => None,
        }
    }
}
