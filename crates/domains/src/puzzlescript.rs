//! PuzzleScript games (Lavelle 2013): rewriting rules on a grid, played by five keys.
//!
//! - `description`: the keys of a puzzle file; `compiled`: the game that they name;
//! - `space`: the state space: boards, and what a press of a key makes of them; `packing`: boards as keys;
//! - `rules`: the game as written, for checking solutions; `mechanics`: the level as data, for pages to play in;
//! - `view`: boards as text and pictures; `palette`: colours and sprites; `collection`: the levels of a game as
//!   puzzles.
//!
//! The language itself is in the crate `puzzlescript`. A move is a press of a key with all turns that `again` adds.

mod collection;
mod compiled;
mod description;
mod mechanics;
mod packing;
mod palette;
mod rules;
mod space;
#[cfg(test)]
mod tests;
mod view;

use super::{
    BuildContext, Change, Drawn, Edit, HeuristicFacts, Instance, Named, Notation, Rules, Searchable, WarningContext,
    searchable,
};
use crate::diagnostic::Diagnostic;
use crate::search::{Algorithm, Stop};
use compiled::Compiled;
use engine_puzzlescript::analysis::{Bounds, Facts};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{LevelBoard, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::{game, plain};
use packing::Packing;
use rules::GameRules;
use space::{GameSpace, Play};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use view::{GameView, Glyphs};

engine_domain::domain! {
    #[cfg(not(test))]
    name: "puzzlescript",
    summary: "PuzzleScript games: the fewest presses of keys that win a level",
    read: description::read,
    keys: &[
        Named { name: "game", summary: "the path of the game, a PuzzleScript file, relative to this file" },
        Named { name: "source", summary: "the game itself, instead of `game`" },
        Named { name: "level", summary: "the number of the level, from 1; messages do not count [default: 1]" },
        Named { name: "seed", summary: "the seed of the random generator, as text; only games that draw at random need one" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "goal-distance",
            admissible: true,
            consistent: false,
            by_hand: true,
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

/// Lines of rules that a verdict lists.
const MOST_LINES: usize = 5;

/// A validated level of a game.
struct Level {
    compiled: Arc<Compiled>,
    /// The messages right before the level.
    description: Option<String>,
    /// True if the game is in the puzzle file.
    has_source: bool,
    /// The index of the level, counted with messages.
    index: usize,
    /// The plain rules, built where a solution is checked.
    plain: OnceLock<plain::Rules>,
    program: Arc<Program>,
    glyphs: Arc<Glyphs>,
    /// The level as written: the target of restarts.
    written: LevelBoard,
    /// The board before the first press, after the turns that begin the level.
    start: Vec<u64>,
    /// The target of restarts before the first press.
    target: Vec<u64>,
    /// The outcome of the turns that begin the level.
    beginning: Outcome,
    /// The random generator before the first press, and its seed, if the game draws at random.
    draws: Option<(String, Random)>,
    warnings: Vec<Diagnostic>,
    facts: OnceLock<Facts>,
    bounds: OnceLock<Option<Arc<Bounds>>>,
}

impl Level {
    fn facts(&self) -> &Facts {
        self.find_facts(&|| false)
    }

    /// Returns the facts, found unless they are known. If `should_stop` ends the work, nothing is known: the search
    /// ends, too.
    fn find_facts(&self, should_stop: &dyn Fn() -> bool) -> &Facts {
        let new = || Facts::new(&self.program, &self.written, &self.start, should_stop);
        self.facts.get_or_init(|| new().unwrap_or_else(|| Facts::unknown(&self.program, &self.written)))
    }

    fn packing(&self) -> Packing {
        Packing::new(&self.program, &self.start, &self.facts().changing())
    }

    /// Returns the bounds of the level, if there are any.
    fn bounds(&self) -> Option<&Arc<Bounds>> {
        self.find_bounds(&|| false)
    }

    /// Returns the bounds, found unless they are known; none if `should_stop` ends the work.
    fn find_bounds(&self, should_stop: &dyn Fn() -> bool) -> Option<&Arc<Bounds>> {
        let new = || self.facts().bounds(&self.program, &self.written, &self.start, should_stop).map(Arc::new);
        self.bounds.get_or_init(new).as_ref()
    }

    /// Returns the graph of the level's states.
    fn graph(&self, bounds: Option<Arc<Bounds>>, stop: &Stop) -> GameSpace {
        let random = self.draws.as_ref().map(|(_, random)| random.clone());
        let drawn = random.as_ref().map_or(0, Random::drawn);
        let program = self.facts().reduced(&self.program);
        let mut play = Play::new(program, self.written.clone(), self.packing(), bounds, random, stop.clone());
        let start = play.start(&self.start, &self.target, drawn, self.beginning == Outcome::Won);
        GameSpace { play: Arc::new(play), start }
    }
}

impl Instance for Level {
    fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    fn size(&self) -> String {
        format!("{}x{}", self.written.height, self.written.width)
    }

    fn seed(&self) -> Option<&str> {
        self.draws.as_ref().map(|(seed, _)| seed.as_str())
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

    fn verdict(&self) -> Option<String> {
        let lines = |program: &Program| program.rules().map(|rule| rule.line).collect::<BTreeSet<u32>>();
        let [possible, all] = [&self.facts().reduced(&self.program), &*self.program].map(lines);
        let never: Vec<String> = all.difference(&possible).map(u32::to_string).collect();
        Some(match &never[..] {
            [] if all.is_empty() => "the game has no rules".to_owned(),
            [] => "all rules can apply".to_owned(),
            [line] => format!("the rule in line {line} can never apply"),
            [.., last] if never.len() <= MOST_LINES => {
                let others = never[..never.len() - 1].join(", ");
                format!("the rules in lines {others} and {last} can never apply")
            }
            _ => format!("{} of {} rules can never apply, such as that in line {}", never.len(), all.len(), never[0]),
        })
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let is_met = self.beginning == Outcome::Won;
        let met = is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten();
        self.warnings.iter().cloned().chain(met).collect()
    }

    fn has_certain_warnings(&self) -> bool {
        self.warnings.iter().any(|warning| warning.is_certain)
    }

    fn drawn(&self) -> Vec<Drawn> {
        let level = self.compiled.game.levels.get(self.index).filter(|_| self.has_source);
        let Some(game::Level::Board { at, rows }) = level else { return Vec::new() };
        let line = (at.line as usize).max(1);
        let written = self.compiled.text.split('\n').skip(line - 1).map(str::trim);
        // A comment within a level moves the rows after it. The reader writes names in small letters.
        if !rows.iter().zip(written).all(|(row, written)| written.to_lowercase() == row.to_lowercase()) {
            return Vec::new();
        }
        let mut drawn = Drawn { lines: Some((line, rows.len())), ..Drawn::new(&["source"]) };
        let facts = self.facts();
        let changing = facts.changing();
        let words = self.program.object_words;
        let may_change = |object: usize| changing.chunks(words).any(|cell| cell[object / 64] >> (object % 64) & 1 == 1);
        self.glyphs.draw_on(&mut drawn, &self.program.object_names, may_change);
        vec![drawn]
    }

    /// Each cell of the level is emptied down to the background.
    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        let level = self.compiled.game.levels.get(self.index).filter(|_| self.has_source);
        let (Some(game::Level::Board { at, rows }), Some(empty)) = (level, self.glyphs.empty()) else {
            return Box::new(std::iter::empty());
        };
        let line = (at.line as usize).max(1);
        let lines = rows.iter().zip(self.compiled.text.split('\n').skip(line - 1).map(str::trim));
        // A comment within a level moves the rows after it. The reader writes names in small letters.
        let lines = lines.take_while(|(row, written)| written.to_lowercase() == row.to_lowercase());
        let cells = lines
            .enumerate()
            .flat_map(|(row, (_, written))| written.chars().enumerate().map(move |(column, cell)| (row, column, cell)));
        let filled = cells.filter(move |(.., cell)| !cell.to_lowercase().eq(empty.to_lowercase()));
        Box::new(filled.map(move |(row, column, cell)| {
            let words = format!("with `{empty}` in place of the `{cell}` at row {}, column {}", row + 1, column + 1);
            let cells = vec![(row, column, empty.to_string())];
            Change { words, edit: Edit::Cells { key: &["source"], line: Some(line), cells, has_words: false } }
        }))
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        let rules = self.plain.get_or_init(|| plain::Rules::new(&self.compiled.game));
        Some(Box::new(GameRules::new(rules, self.index, self.seed(), &self.glyphs)?))
    }

    fn prepare(&self, context: &BuildContext) {
        self.find_facts(&|| context.should_stop());
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        self.find_facts(&|| context.should_stop());
        self.find_bounds(&|| context.should_stop());
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        self.bounds().filter(|bounds| bounds.guide()).map(|_| Algorithm::AStar)
    }

    fn default_heuristic(&self) -> Option<&'static str> {
        self.bounds().map(|_| "goal-distance")
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let bounds = if heuristic.name == "zero" { None } else { self.bounds().cloned() };
        let space = self.graph(bounds, &context.stop);
        let (play, start) = (Arc::clone(&space.play), space.start.clone());
        let (glyphs, compiled) = (Arc::clone(&self.glyphs), Arc::clone(&self.compiled));
        let seed = self.seed().unwrap_or_default().to_owned();
        searchable(space, GameView { play, start, glyphs, compiled, index: self.index, seed })
    }
}
