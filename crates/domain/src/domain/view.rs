//! The presentation of positions and moves, with the styles and notations to choose from.

use super::goal_view::GoalView;
use super::mechanics::Mechanics;
use crate::picture::{Figure, Picture};
use crate::space::StateSpace;

/// The presentation of positions and moves: separate from the state space, which does not draw.
pub trait View<S: StateSpace>: Send + Sync + 'static {
    /// A position with its labels.
    type Position: Clone + Send + Sync;

    /// Returns the start position.
    fn initial(&self) -> Self::Position;

    /// Returns a position with this state that need not be reached from the start, if the state determines one up to
    /// labels.
    fn position(&self, _space: &S, _key: &S::Key) -> Option<Self::Position> {
        None
    }

    /// Makes a move.
    fn apply(&self, position: &mut Self::Position, action: S::Action);

    /// Returns the name of a move in the position before it.
    fn notation(&self, position: &Self::Position, action: S::Action, notation: Notation) -> String;

    /// Returns the position as rows of text, each ended by a line end.
    fn draw(&self, position: &Self::Position, style: Style) -> String;

    /// Returns a picture of the position, or `None` if it is too large. By default, a picture of its text.
    fn picture(&self, position: &Self::Position) -> Option<Picture> {
        Some(Picture::of_text(&self.draw(position, Style::Drawn)))
    }

    /// Returns the figures of the picture alone, if its grid, ground and marks are the same in every position and no
    /// figure is a sprite: pictures of large maps share their ground then.
    fn moving(&self, _position: &Self::Position) -> Option<Vec<Figure>> {
        None
    }

    /// Returns the goal for people. By default, nothing is shown.
    fn goal(&self) -> GoalView {
        GoalView::default()
    }

    /// Returns what the puzzle says to the player during a move; with none, before the first move.
    fn messages(&self, _position: &Self::Position, _action: Option<S::Action>) -> Vec<String> {
        Vec::new()
    }

    /// Returns the rules as data, if the view can describe them so.
    fn mechanics(&self, _space: &S) -> Option<Mechanics> {
        None
    }

    /// Returns the figures of the position in which the variables of the [`mechanics`](Self::mechanics) have these
    /// values. It need not be reachable, nor possible.
    fn figures(&self, _values: &[u32]) -> Vec<Figure> {
        Vec::new()
    }
}

/// A named notation for moves; the domain's facts list its notations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation(&'static str);

impl Notation {
    /// The domain's default notation; every domain has it.
    pub const STANDARD: Notation = Notation("standard");

    /// The notation of Sokoban solutions, a letter for each move: `u`, `d`, `l`, `r` for a step of the one figure that
    /// moves, and a capital if the step moves something else, too. The moves of a solution are written as one word.
    pub const LURD: Notation = Notation("lurd");

    /// Defines a further notation.
    #[must_use]
    pub const fn new(name: &'static str) -> Notation {
        Notation(name)
    }

    /// Returns the name that command lines use.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Returns whether each move is one letter, so that lists of moves need no spaces.
    #[must_use]
    pub fn is_of_letters(self) -> bool {
        self == Notation::LURD
    }
}

impl Default for Notation {
    fn default() -> Notation {
        Notation::STANDARD
    }
}

/// The style of a drawn position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For people.
    Drawn,
    /// The domain's plain format, for programs.
    Plain,
}
