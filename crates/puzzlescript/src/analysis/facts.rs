//! The facts of a level: the objects that may ever be in each cell, the rules that may ever match, and what follows:
//! the program without the rest, and bounds on presses.

use super::bounds::{Beginning, Bounds};
use super::known::Known;
use super::model::Model;
use crate::game::Command;
use crate::input::Input;
use crate::mask::movement_place;
use crate::program::{LevelBoard, Program, Rule, Test};
use crate::turn::Workspace;
use crate::turn::places::each_object;

/// The most things of all cells together for which there are facts: a few bytes are stored for each.
const MOST_THINGS: usize = 1 << 24;

/// The events that may ever happen on a level.
pub struct Facts {
    /// None if the program has no model: then everything may happen.
    known: Option<(Model, Known)>,
    cells: usize,
    object_words: usize,
    /// For each rule of the program, in order, whether it may ever match.
    matches: Vec<bool>,
    /// The win conditions hold before the first press, so that one that changes nothing wins.
    is_won: bool,
}

impl Facts {
    /// Computes the facts of a level from the board before the first press. `written` is the level as written, to which
    /// the command `restart` goes back; with checkpoints, it is part of the state. None if `should_stop` ends the
    /// work.
    #[must_use]
    pub fn new(
        program: &Program,
        written: &LevelBoard,
        start: &[u64],
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Facts> {
        let has_restart = program.rules().any(|rule| rule.commands.contains(&Command::Restart));
        let restarts = has_restart || program.has_checkpoints();
        let boards: Vec<&[u64]> = [start].into_iter().chain(restarts.then_some(&written.cells[..])).collect();
        let (cells, object_words) = (written.width * written.height, program.object_words);
        let model = Model::new(program).filter(|model| model.things.saturating_mul(cells) <= MOST_THINGS);
        let mut workspace = Workspace::default();
        workspace.load(program, written);
        workspace.set_objects(start);
        let is_won = workspace.is_won(program);
        let known = model.and_then(|model| Some((Known::new(program, &model, written, &boards)?, model)));
        let unknown = Facts::unknown(program, written);
        let Some((mut known, model)) = known else { return Some(Facts { is_won, ..unknown }) };
        match known.close(program, &model, program.inputs(), should_stop) {
            Some(matches) => Some(Facts { known: Some((model, known)), cells, object_words, matches, is_won }),
            None if should_stop() => None,
            None => Some(Facts { is_won, ..unknown }),
        }
    }

    /// Returns the facts of a level of which nothing is known: everything may happen.
    #[must_use]
    pub fn unknown(program: &Program, written: &LevelBoard) -> Facts {
        Facts {
            known: None,
            cells: written.width * written.height,
            object_words: program.object_words,
            matches: vec![true; program.rules().count()],
            // A level that may be won needs all keys.
            is_won: true,
        }
    }

    /// Returns the objects that may come into a cell or leave it, as the words of a board.
    #[must_use]
    pub fn changing(&self) -> Vec<u64> {
        let Some((model, known)) = &self.known else { return vec![u64::MAX; self.cells * self.object_words] };
        let mut changing = vec![0; self.cells * self.object_words];
        for (cell, words) in changing.chunks_mut(self.object_words).enumerate() {
            for things in &model.layers {
                let here = || known.here(things, cell).map(|(thing, _)| thing);
                if here().nth(1).is_some() {
                    let objects = here().filter(|&thing| model.is_object(thing));
                    objects.for_each(|object| words[object as usize / 64] |= 1 << (object % 64));
                }
            }
        }
        changing
    }

    /// Returns lower bounds on the presses that boards of the level need, if its conditions and rules give any and
    /// `should_stop` does not end the work. `program` and `written` are those whose facts these are, `start` is the
    /// board before the first press.
    #[must_use]
    pub fn bounds(
        &self,
        program: &Program,
        written: &LevelBoard,
        start: &[u64],
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Bounds> {
        let (model, known) = self.known.as_ref()?;
        let beginning = Beginning { start, written: &written.cells };
        Bounds::new((program, &self.reduced(program)), model, known, &beginning, should_stop)
    }

    /// Returns the program without the rules that never match on this level, and without the action key if it never
    /// does anything.
    #[must_use]
    pub fn reduced(&self, program: &Program) -> Program {
        let mut matches = self.matches.iter();
        let mut reduced = program.filtered(|_| *matches.next().expect("one for each rule"));
        reduced.settings.no_action |= !self.is_won && ignores_action(&reduced);
        reduced
    }
}

/// Returns whether the action key never does anything, on boards that the conditions do not win: no rule sees its
/// movement, and without movement no rule matches.
fn ignores_action(program: &Program) -> bool {
    let is_seen = |test: &Test| {
        let layers = each_object(&program.player.objects).map(|object| program.object_layers[object as usize]);
        layers.map(movement_place).any(|(word, shift)| {
            word == test.word as usize && (test.mask | test.wanted) & Input::Action.bit() << shift != 0
        })
    };
    let tests = |rule: &Rule| -> Vec<Test> {
        rule.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| cell.movements.iter().copied()).collect()
    };
    // Late rules run without movement, and may have something left to do.
    let has_late = program.late.groups.iter().any(|group| !group.rules.is_empty());
    !has_late
        && program.rules().all(|rule| {
            let tests = tests(rule);
            !tests.iter().any(is_seen) && tests.iter().any(|test| test.wanted != 0)
        })
}
