//! Changes of figures: where each was before a move, where it is after it, and its path.

use crate::picture::{Cell, Paint};

/// The place and the colour of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub at: Cell,
    pub paint: Paint,
}

/// The change of one actor by a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub actor: usize,
    pub from: Option<Spot>,
    pub to: Option<Spot>,
    /// The corners of its path, including both ends; `None` if it vanishes in one place and appears in another.
    pub path: Option<Vec<Cell>>,
}
