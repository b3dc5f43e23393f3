//! Reasons why a move is not legal, in words.

use std::fmt;

/// The reason why a rule does not apply at a place. `passed` is the number of drawing cells that fit before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// A cell of the drawing lies beyond the edge.
    OffGrid { passed: usize },
    /// A cell has another symbol.
    WrongSymbol { passed: usize, place: (i64, i64), there: String, wanted: String },
    /// A cell has another mark.
    WrongMark { passed: usize, place: (i64, i64), there: char, wanted: char },
    /// A fence stands between two cells of the drawing.
    Fence { passed: usize },
    /// Two cells of the drawing lie on one cell of the grid.
    Overlap,
    /// Two drawings of the rule lie on one cell of the grid.
    Together,
    /// A condition does not hold: its index, and the number of conditions.
    When(usize, usize),
    /// A target, a value, the cost, or the result of a map in `to` is undefined.
    Undefined,
    /// The new value is not among the values of its variable.
    NoValue { name: String, value: String },
    /// A variable is assigned twice.
    AssignedTwice { name: String },
    /// The cost is not a number from 0 to 10,000.
    Cost,
    /// A slide around the grid has no end.
    Endless,
    /// Something is in the way of a body.
    Stuck,
    /// The body is named by an earlier cell.
    NamedElsewhere,
    /// The items are not there, or do not fit.
    Items,
    /// Its passes or its consequences never come to rest.
    Restless,
    /// Its consequences were given up after too many steps.
    GivenUp,
    /// The position would not change.
    NoChange,
    /// A `never` condition would hold afterwards.
    Forbidden,
    /// Legal moves have this name, but fewer than the move's number.
    NumberTooHigh,
}

impl Obstacle {
    /// Returns the progress of the rule as a rank. The obstacle with the highest rank is reported.
    pub fn passed(&self) -> usize {
        match self {
            Obstacle::OffGrid { passed }
            | Obstacle::WrongSymbol { passed, .. }
            | Obstacle::Fence { passed }
            | Obstacle::WrongMark { passed, .. } => *passed,
            Obstacle::Overlap => 0,
            Obstacle::Together => usize::MAX / 4,
            Obstacle::When(number, _) => usize::MAX / 2 + number,
            Obstacle::NamedElsewhere => 1,
            Obstacle::Stuck => usize::MAX / 4,
            Obstacle::Endless
            | Obstacle::Items
            | Obstacle::Undefined
            | Obstacle::NoValue { .. }
            | Obstacle::AssignedTwice { .. }
            | Obstacle::Cost => usize::MAX - 3,
            Obstacle::NoChange | Obstacle::Restless | Obstacle::GivenUp => usize::MAX - 2,
            Obstacle::Forbidden => usize::MAX - 1,
            Obstacle::NumberTooHigh => usize::MAX,
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::OffGrid { .. } => f.write_str("the rule reaches beyond the edge there"),
            Obstacle::WrongSymbol { place: (row, column), there, wanted, .. } => {
                write!(f, "the rule does not fit: `{there}` is on {row},{column}, and not `{wanted}`")
            }
            Obstacle::WrongMark { place: (row, column), there, wanted, .. } => {
                write!(f, "the rule does not fit: the mark of {row},{column} is `{there}`, and not `{wanted}`")
            }
            Obstacle::Fence { .. } => f.write_str("a fence stands in the way"),
            Obstacle::Overlap => f.write_str("the rule's drawing is larger than the grid"),
            Obstacle::Together => f.write_str("two drawings of the rule would lie on one cell"),
            Obstacle::When(_, 1) => f.write_str("its condition, `when`, does not hold here"),
            Obstacle::When(number, of) => {
                write!(f, "number {} of its {of} conditions, `when`, does not hold here", number + 1)
            }
            Obstacle::Undefined => f.write_str("an expression of the rule is undefined here"),
            Obstacle::NoValue { name, value } => write!(f, "`{name}` cannot become `{value}`"),
            Obstacle::AssignedTwice { name } => write!(f, "`{name}` would be assigned two values"),
            Obstacle::Cost => f.write_str("its cost is not a number from 0 to 10,000"),
            Obstacle::Endless => f.write_str("it would wrap around the grid endlessly"),
            Obstacle::Stuck => f.write_str("something is in the way"),
            Obstacle::NamedElsewhere => f.write_str("another cell is the first of this body"),
            Obstacle::Items => f.write_str("the items are not there, or do not fit"),
            Obstacle::Restless => f.write_str("its consequences never come to rest"),
            Obstacle::GivenUp => f.write_str("its consequences were given up after 100,000 steps"),
            Obstacle::NoChange => f.write_str("it would change nothing"),
            Obstacle::Forbidden => f.write_str("it leads to a state that `never` forbids"),
            Obstacle::NumberTooHigh => f.write_str("fewer moves than that have this name"),
        }
    }
}
