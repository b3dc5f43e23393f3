//! A rule on its way from words to masks.

use super::names::{Name, Names};
use crate::game::{self, Command, Direction, Place, Word};
use std::rc::Rc;

/// A word before a name in a cell, with those that expansion adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// As written.
    Word(Word),
    /// `parallel` and `perpendicular` made absolute. They are distinct from `horizontal` and `vertical` as written
    /// when words of both sides are matched.
    Parallel(Axis),
    Perpendicular(Axis),
}

/// Two opposite directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Axis {
    Horizontal,
    Vertical,
}

impl Axis {
    fn directions(self) -> &'static [Word] {
        match self {
            Self::Horizontal => &[Word::Left, Word::Right],
            Self::Vertical => &[Word::Up, Word::Down],
        }
    }
}

impl Term {
    pub(super) const PLAIN: Self = Self::Word(Word::Plain);
    pub(super) const NO: Self = Self::Word(Word::No);
    pub(super) const RANDOM: Self = Self::Word(Word::Random);
    pub(super) const STATIONARY: Self = Self::Word(Word::Stationary);
    pub(super) const ELLIPSIS: Self = Self::Word(Word::Ellipsis);

    /// Returns the movements that an ambiguous word stands for, in the order of expansion; none for a clear word.
    pub(super) fn movements(self) -> &'static [Word] {
        match self {
            Self::Word(Word::Moving) => &[Word::Up, Word::Down, Word::Left, Word::Right, Word::Action],
            Self::Word(Word::Orthogonal) => &[Word::Up, Word::Down, Word::Left, Word::Right],
            Self::Word(Word::Horizontal) => Axis::Horizontal.directions(),
            Self::Word(Word::Vertical) => Axis::Vertical.directions(),
            Self::Parallel(axis) | Self::Perpendicular(axis) => axis.directions(),
            Self::Word(_) => &[],
        }
    }

    /// Returns an ambiguous word as a message names it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Word(Word::Moving) => "`moving`",
            Self::Word(Word::Orthogonal) => "`orthogonal`",
            Self::Word(Word::Horizontal) => "`horizontal`",
            Self::Word(Word::Vertical) => "`vertical`",
            Self::Parallel(Axis::Horizontal) => "`parallel` (horizontal)",
            Self::Parallel(Axis::Vertical) => "`parallel` (vertical)",
            Self::Perpendicular(Axis::Horizontal) => "`perpendicular` (horizontal)",
            Self::Perpendicular(Axis::Vertical) => "`perpendicular` (vertical)",
            Self::Word(_) => "a movement",
        }
    }

    /// Returns the movement bits of a word, as they are matched and set.
    pub(super) fn bits(self) -> u64 {
        match self {
            Self::Word(Word::Up) => 0b00001,
            Self::Word(Word::Down) => 0b00010,
            Self::Word(Word::Left) => 0b00100,
            Self::Word(Word::Right) => 0b01000,
            Self::Word(Word::Action) => 0b10000,
            // On the left side, where it makes no sense, the reference matches these two directions at once.
            Self::Word(Word::RandomDir) => 0b00101,
            _ => 0,
        }
    }
}

pub(super) type Cell = Vec<(Term, Name)>;
pub(super) type Row = Vec<Cell>;

/// A rule in one direction.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub at: Place,
    pub group: u32,
    pub direction: Direction,
    pub late: bool,
    pub rigid: bool,
    pub random: bool,
    pub left: Vec<Row>,
    pub right: Vec<Row>,
    pub commands: Rc<[Command]>,
}

impl Rule {
    /// Takes over a rule as written. Its direction is still to be chosen.
    pub(super) fn new(rule: &game::Rule, names: &mut Names) -> Self {
        let mut side = |rows: &[Vec<game::Cell>]| -> Vec<Row> {
            rows.iter()
                .map(|row| {
                    row.iter()
                        .map(|cell| cell.iter().map(|item| (Term::Word(item.word), names.intern(&item.name))).collect())
                        .collect()
                })
                .collect()
        };
        Self {
            at: rule.at,
            group: rule.group,
            direction: Direction::Up,
            late: rule.late,
            rigid: rule.rigid,
            random: rule.random,
            left: side(&rule.left),
            right: side(&rule.right),
            commands: rule.commands.clone().into(),
        }
    }

    /// Returns whether a row on the left has an ellipsis.
    pub(super) fn has_ellipsis(&self, names: &Names) -> bool {
        self.left.iter().flatten().any(|cell| cell.first().is_some_and(|&(_, name)| names.text(name) == "..."))
    }
}
