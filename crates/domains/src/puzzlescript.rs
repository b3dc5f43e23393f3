//! PuzzleScript games (Lavelle 2013): rewriting rules on a grid, played by five keys.
//!
//! - `description`: the keys of a puzzle file, and the game that they name, compiled;
//! - `space`: the state space: boards, and what a press of a key makes of them; `packing`: boards as keys;
//! - `view`: boards as text and pictures; `palette`: colours; `collection`: the levels of a game as puzzles.
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
use crate::search::Algorithm;
use engine_puzzlescript::analysis::{Bounds, Facts};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Board, Program};
use packing::Packing;
use space::{GameSpace, Play};
use std::sync::{Arc, OnceLock};
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
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "goal-distance",
            admissible: true,
            consistent: false,
            summary: "the presses that single objects of the win conditions need while all others let them move; their \
                      sum where few can change in a press, otherwise the greatest (a relaxation, after Pearl 1984)",
            because: "an object changes its cell only where a rule or its movement may do so on some board, and only as \
                      many are added as a press may change",
        },
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
    facts: OnceLock<Facts>,
    bounds: OnceLock<Option<Arc<Bounds>>>,
}

impl Level {
    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| self.find_facts(&|| false).expect("nothing stops it"))
    }

    fn find_facts(&self, should_stop: &dyn Fn() -> bool) -> Option<Facts> {
        Facts::new(&self.program, &self.written, &self.start, should_stop)
    }

    fn packing(&self) -> Packing {
        Packing::new(&self.start, &self.facts().changing())
    }

    /// Returns the bounds of the level, if there are any.
    fn bounds(&self) -> Option<&Arc<Bounds>> {
        self.bounds.get_or_init(|| self.find_bounds(&|| false)).as_ref()
    }

    fn find_bounds(&self, should_stop: &dyn Fn() -> bool) -> Option<Arc<Bounds>> {
        self.facts().bounds(&self.program, &self.start, should_stop).map(Arc::new)
    }
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
        let reduced = self.facts().reduced(&self.program);
        let [rules, all] = [&reduced, &*self.program].map(|program| program.rules().count());
        let bits = self.packing().bits();
        Some(format!("{rules} of {all} rules of one direction may match; {bits} bits in a state"))
    }

    fn warnings(&self, _context: &WarningContext) -> Vec<Diagnostic> {
        self.warnings.clone()
    }

    fn prepare(&self, context: &BuildContext) {
        if self.facts.get().is_none()
            && let Some(facts) = self.find_facts(&|| context.should_stop())
        {
            let _ = self.facts.set(facts);
        }
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        if self.facts.get().is_some() && self.bounds.get().is_none() {
            let bounds = self.find_bounds(&|| context.should_stop());
            if !context.should_stop() {
                let _ = self.bounds.set(bounds);
            }
        }
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        self.bounds().filter(|bounds| bounds.guide()).map(|_| Algorithm::AStar)
    }

    fn default_heuristic(&self) -> Option<&'static str> {
        self.bounds().map(|_| "goal-distance")
    }

    fn space(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Box<dyn Searchable> {
        let bounds = if heuristic.name == "zero" { None } else { self.bounds().cloned() };
        let game = Play::new(self.facts().reduced(&self.program), self.written.clone(), self.packing(), bounds);
        let game = Arc::new(game);
        let start = game.key(&self.start, &self.target, self.beginning == Outcome::Won);
        let view = GameView { play: Arc::clone(&game), start: start.clone(), glyphs: Arc::clone(&self.glyphs) };
        searchable(GameSpace { play: game, start }, view)
    }
}
