//! PuzzleScript games (Lavelle 2013): rewriting rules on a grid, played by five keys.
//!
//! - `description`: the keys of a puzzle file, and the game that they name, compiled;
//! - `space`: the state space: boards, and what a press of a key makes of them; `packing`: boards as keys;
//! - `view`: boards as text and pictures; `palette`: colours and sprites; `collection`: the levels of a game as puzzles.
//!
//! The language itself is in the crate `puzzlescript`. A move is a press of a key with all turns that `again` adds.

mod collection;
mod description;
mod packing;
mod palette;
mod space;
#[cfg(test)]
mod tests;
mod view;

use super::{BuildContext, HeuristicFacts, Instance, Named, Notation, Searchable, WarningContext, searchable};
use crate::diagnostic::Diagnostic;
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Board, Program};
use packing::Packing;
use space::{GameSpace, Play};
use std::sync::Arc;
use view::{GameView, Glyphs};

engine_domain::domain! {
    name: "puzzlescript",
    summary: "PuzzleScript games: the fewest presses of keys that win a level",
    read: description::read,
    keys: &[
        Named { name: "game", summary: "the path of the game, a PuzzleScript file, relative to this file" },
        Named { name: "source", summary: "the game itself, instead of `game`" },
        Named { name: "level", summary: "the number of the level, from 1; messages do not count [default: 1]" },
    ],
    notations: &[Notation::STANDARD, Notation::LURD],
    schema: include_str!("puzzlescript/schema.json"),
    template: include_str!("puzzlescript/template.toml"),
}

/// A validated level of a game.
struct Level {
    program: Arc<Program>,
    glyphs: Arc<Glyphs>,
    /// The level as written: the target of restarts.
    written: Board,
    /// The board before the first press, after the turns that begin the level.
    start: Vec<u64>,
    /// The target of restarts before the first press.
    target: Vec<u64>,
    /// How the turns that begin the level ended.
    beginning: Outcome,
    warnings: Vec<Diagnostic>,
}

impl Instance for Level {
    fn size(&self) -> String {
        format!("{}x{}", self.written.height, self.written.width)
    }

    fn unsolvable(&self) -> Option<String> {
        if self.beginning == Outcome::Endless {
            return Some("the turns that begin the level repeat without end".to_owned());
        }
        if !self.program.can_be_won() {
            return Some("the game has no win condition, and no rule with the command `win`".to_owned());
        }
        None
    }

    fn summary(&self) -> Option<String> {
        let rules = self.program.rules().count();
        let bits = Packing::new(&self.program, &self.start).bits();
        Some(format!("{rules} rules of one direction; {bits} bits in a state"))
    }

    fn warnings(&self, _context: &WarningContext) -> Vec<Diagnostic> {
        self.warnings.clone()
    }

    fn space(&self, _heuristic: &HeuristicFacts, _context: &BuildContext) -> Box<dyn Searchable> {
        let packing = Packing::new(&self.program, &self.start);
        let game = Arc::new(Play::new(Arc::clone(&self.program), self.written.clone(), packing));
        let start = game.key(&self.start, &self.target, self.beginning == Outcome::Won);
        let view = GameView { play: Arc::clone(&game), start: start.clone(), glyphs: Arc::clone(&self.glyphs) };
        searchable(GameSpace { play: game, start }, view)
    }
}
