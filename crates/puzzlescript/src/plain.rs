//! A second implementation of the game, for checking solutions: slower, and simple enough to compare with the
//! language's description.
//!
//! It begins at the game as written ([`crate::game`]) and shares no code with `compile`, `program`, `turn` and `press`,
//! which play for the search. Cells are sets of objects; rules are lists of what a cell must hold and what it holds
//! afterwards.
//!
//! - `names`: objects, their layers, and what other names stand for;
//! - `expand`: from a rule as written to rules of one direction without ambiguous words;
//! - `rule`: what a rule asks for and changes; `groups`: groups and loops of rules;
//! - `level`: the boards of the levels; `goal`: win conditions;
//! - `turn`: one turn; `play`: a game in play, turn by turn or press by press.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe.

mod expand;
mod goal;
mod groups;
mod level;
mod names;
mod play;
mod rule;
#[cfg(test)]
mod tests;
mod turn;

pub use level::PlainBoard;
pub use names::Objects;
pub use play::Play;

use crate::game::{Command, Game};
use crate::input::Input;
use goal::WinCondition;
use groups::Phase;
use level::Level;
use names::{Kind, Names, Object};
use rule::Rule;

/// The objects that make a player.
#[derive(Clone, Debug)]
struct Player {
    objects: Vec<Object>,
    /// All of the objects, not any of them, make a player.
    all: bool,
}

/// A game, ready to be played.
#[derive(Clone, Debug)]
pub struct Rules {
    names: Names,
    player: Player,
    early: Phase,
    late: Phase,
    goals: Vec<WinCondition>,
    levels: Vec<Level>,
    require_player_movement: bool,
    run_rules_on_level_start: bool,
    no_undo: bool,
    no_restart: bool,
    no_action: bool,
}

impl Rules {
    /// Prepares a game that [`crate::compile::compile`] accepts. What its errors leave out is the same, unless a name
    /// has two meanings.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let names = Names::new(game);
        let (kind, objects) = names.find("player").unwrap_or((Kind::Any, Vec::new()));
        let (early, late) = groups::phases(game, &names);
        Self {
            player: Player { objects, all: kind == Kind::All },
            early,
            late,
            goals: goal::goals(game, &names),
            levels: level::levels(game),
            require_player_movement: game.has("require_player_movement"),
            run_rules_on_level_start: game.has("run_rules_on_level_start"),
            no_undo: game.has("noundo"),
            no_restart: game.has("norestart"),
            no_action: game.has("noaction"),
            names,
        }
    }

    /// Returns the board of a level as written, levels counted with messages from 0: none for a message.
    #[must_use]
    pub fn board(&self, level: usize) -> Option<&PlainBoard> {
        match self.levels.get(level)? {
            Level::Board(rows, board) => Some(board.get_or_init(|| level::board(rows, &self.names))),
            Level::Message => None,
        }
    }

    /// Returns the keys that may move the player.
    #[must_use]
    pub fn keys(&self) -> &'static [Input] {
        if self.no_action { &Input::ALL[..4] } else { &Input::ALL }
    }

    /// Returns whether some rule has the command `checkpoint`.
    #[must_use]
    pub fn has_checkpoints(&self) -> bool {
        self.all().any(|rule| rule.commands.contains(&Command::Checkpoint))
    }

    /// Returns all rules.
    fn all(&self) -> impl Iterator<Item = &Rule> {
        self.early.groups.iter().chain(&self.late.groups).flat_map(|group| &group.rules)
    }

    /// Returns the name of an object. Objects are numbered in the order of the collision layers; one in several layers
    /// has several numbers, of which the last is in use.
    #[must_use]
    pub fn name(&self, object: usize) -> &str {
        &self.names.objects[object]
    }
}
