//! Lower bounds on the presses that a level still needs: from its win conditions, and from rules that win.
//!
//! Each condition asks something of tokens, the objects of one of its sides: that every one is at certain cells or
//! gone, that certain cells each get one, or that some token is at certain cells. A rule with the command `win` asks
//! for some token at the cells where it may match. Distances of single tokens ([`Tokens`](super::tokens::Tokens)) bound
//! the presses from below, by their maximum; where few tokens can change in one press
//! ([`Movers`](super::movers::Movers)), by their sum.
//!
//! - `parts`: what is asked of the tokens of one set, and its bound on a board;
//! - `builder`: the parts of a condition, and of a rule.

mod builder;
mod parts;

pub use parts::Buffers;

use super::known::Known;
use super::model::Model;
use super::movers::keys_alone;
use super::tokens::{NEVER, Tokens, Turns};
use crate::game::Command;
use crate::program::Program;
use builder::Builder;
use parts::Part;

/// Lower bounds for a level.
pub struct Bounds {
    /// A board is won in one of these ways.
    ways: Vec<Way>,
    /// The presses of a solution that restarts the level on its way, if a rule does that.
    restarted: Option<u32>,
    guide: bool,
}

/// A way to win: by the conditions, or by a rule with the command `win`.
struct Way {
    /// All of this is needed.
    parts: Vec<Part>,
    /// No board wins with fewer presses: a rule needs one.
    least: u32,
}

impl Way {
    /// Returns a lower bound on the presses that a board needs to be won in this way, none if it never is.
    fn of(&self, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let mut most = self.least;
        for part in &self.parts {
            most = most.max(part.of(board, buffers)?);
        }
        Some(most)
    }
}

/// The beginning of a level.
pub(super) struct Beginning<'a> {
    /// The board before the first press.
    pub start: &'a [u64],
    /// The level as written, to which the command `restart` goes back.
    pub written: &'a [u64],
}

impl Bounds {
    /// Finds bounds for a level of a program, whose rules have a model, in the same order; `reduced` is the program
    /// without the rules that never match. None if there are none, or the work must stop.
    pub(super) fn new(
        (program, reduced): (&Program, &Program),
        model: &Model,
        known: &Known,
        beginning: &Beginning,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Bounds> {
        let has = |command: &Command| reduced.rules().any(|rule| rule.commands.contains(command));
        let restarts = has(&Command::Restart);
        if restarts && reduced.has_checkpoints() {
            return None;
        }
        let quiet = if has(&Command::Again) { Some(known.quiet(reduced, model, should_stop)?) } else { None };
        let players = &reduced.player.objects;
        let turns = Turns { model, pressed: known, quiet: quiet.as_ref(), players, keys_alone: false, should_stop };
        let tokens = Tokens::new(&turns, players);
        let turns = Turns { keys_alone: !tokens.is_incomplete && keys_alone(&turns, &tokens), ..turns };
        let builder = Builder::new(reduced, &turns, beginning.start);
        let conditions = || Way { parts: builder.conditions(), least: 0 };
        let mut ways: Vec<Way> = (!reduced.conditions.is_empty()).then(conditions).into_iter().collect();
        let rules = builder.winning_rules(program)?;
        ways.extend(rules.into_iter().map(|parts| Way { parts, least: 1 }));
        // A way that nothing is known of is a bound of its own.
        if ways.iter().any(|way| way.parts.is_empty()) || should_stop() {
            return None;
        }
        let mut bounds = Bounds { ways, restarted: None, guide: false };
        let mut buffers = Buffers::default();
        if restarts {
            // Turns without a key may follow in the same press: at most what a press can do.
            let is_free = reduced.settings.run_rules_on_level_start || has(&Command::Again);
            let from_there = bounds.of(beginning.written, &mut buffers).unwrap_or(NEVER);
            let restarted = if is_free { from_there.max(1) } else { from_there.saturating_add(1) };
            bounds.restarted = Some(restarted).filter(|&presses| presses != NEVER);
        }
        let at_start = bounds.of(beginning.start, &mut buffers);
        let has_dead_ends = |way: &Way| way.parts.iter().any(|part| part.has_dead_ends);
        let dead_ends = bounds.restarted.is_none() && bounds.ways.iter().all(has_dead_ends);
        bounds.guide = at_start.is_none_or(|bound| bound > 1) || dead_ends;
        Some(bounds)
    }

    /// Returns a lower bound on the presses that a board needs to be won, none if it never is.
    #[must_use]
    pub fn of(&self, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let ways = self.ways.iter().filter_map(|way| way.of(board, buffers));
        ways.chain(self.restarted).min()
    }

    /// Returns why a board is never won, if [`of`](Self::of) proves that. `height` is that of the board.
    #[must_use]
    pub fn why_never(&self, board: &[u64], height: usize) -> Option<String> {
        if self.restarted.is_some() {
            return None;
        }
        // Of a crate and its target, the one in front is what players move.
        let why = |way: &Way| {
            let parts = way.parts.iter().rev().filter_map(|part| Some((part.layer, part.why_never(board, height)?)));
            parts.max_by_key(|(layer, _)| *layer).map(|(_, reason)| reason)
        };
        let mut reasons: Vec<String> = self.ways.iter().map(why).collect::<Option<_>>()?;
        if reasons.is_empty() {
            return Some("no rule with the command `win` ever matches".to_owned());
        }
        // Rules of several directions ask for the same.
        reasons.dedup();
        Some(reasons.join("; "))
    }

    /// Returns whether the bounds differ among states: that of the board before the first press is more than a press, or
    /// an object may get where it can never do what is asked of it.
    #[must_use]
    pub fn guide(&self) -> bool {
        self.guide
    }

    /// Returns the bytes of the tables.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ways.iter().flat_map(|way| &way.parts).map(Part::bytes).sum()
    }

    /// Describes the bounds.
    #[must_use]
    pub fn describe(&self) -> String {
        let way = |way: &Way| way.parts.iter().map(Part::describe).collect::<Vec<_>>().join("; ");
        let ways = self.ways.iter().map(way).collect::<Vec<_>>().join(", or ");
        ways + if self.restarted.is_some() { ", or after a restart" } else { "" }
    }
}
