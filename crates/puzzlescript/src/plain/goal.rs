//! Win conditions.

use super::level::PlainBoard;
use super::names::{Kind, Names, Object, Objects};
use crate::game::{Game, Quantifier};

/// A condition on a cell.
#[derive(Clone, Debug)]
enum Holds {
    All(Vec<Object>),
    Any(Vec<Object>),
    /// Whatever there is.
    Anything,
}

impl Holds {
    fn new(name: &str, names: &Names) -> Option<Self> {
        let (kind, objects) = names.find(name)?;
        Some(if kind == Kind::All { Self::All(objects) } else { Self::Any(objects) })
    }

    fn is_in(&self, cell: &Objects) -> bool {
        match self {
            Self::All(objects) => cell.has_all(objects),
            Self::Any(objects) => cell.has_any(objects),
            Self::Anything => true,
        }
    }
}

/// A win condition.
#[derive(Clone, Debug)]
pub(super) struct WinCondition {
    quantifier: Quantifier,
    what: Holds,
    on: Holds,
}

impl WinCondition {
    pub fn holds(&self, board: &PlainBoard) -> bool {
        let mut cells = board.cells.iter().filter(|cell| self.what.is_in(cell));
        match self.quantifier {
            Quantifier::All => cells.all(|cell| self.on.is_in(cell)),
            Quantifier::Some => cells.any(|cell| self.on.is_in(cell)),
            Quantifier::No => !cells.any(|cell| self.on.is_in(cell)),
        }
    }
}

/// Returns the win conditions of a game.
pub(super) fn goals(game: &Game, names: &Names) -> Vec<WinCondition> {
    let conditions = game.conditions.iter().filter_map(|condition| {
        let on = condition.on.as_ref().map_or(Some(Holds::Anything), |on| Holds::new(on, names))?;
        Some(WinCondition { quantifier: condition.quantifier, what: Holds::new(&condition.name, names)?, on })
    });
    conditions.collect()
}
