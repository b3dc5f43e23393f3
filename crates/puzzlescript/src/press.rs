//! One press of a key: a move of a solution. Its turn, and the turns without a key that `again` adds.
//!
//! The reference goes on after a won level. Here a press ends where a search looks at it: won, changed, or not.

use crate::input::Input;
use crate::program::Program;
use crate::random::Random;
use crate::turn::{End, Workspace};

/// Turns that `again` may add to one press. Endless chains are found by their repetition long before that, unless they
/// grow.
pub const MAX_AGAIN: usize = 100_000;

/// Work that the turns of one press may do together, as each of them does by its own limit: a few seconds.
const MAX_WORK: usize = 500_000_000;

/// Messages of one press that are kept: each turn that `again` adds may give a long one.
const MOST_MESSAGES: usize = 100;

/// The outcome of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The level is won: by its win conditions or by the command, in one of the turns.
    Won,
    /// The board, or the target of restarts, differs from before.
    Changed,
    /// Nothing has changed: this press is no move.
    Same,
    /// The turns that `again` adds repeat without end: the board after the press never comes to rest.
    Endless,
    /// `again` added more than [`MAX_AGAIN`] turns, or turns that take too long together, or a turn gave up
    /// ([`Workspace::gave_up`]). The board has no meaning then.
    Limit,
}

/// The outcome of one turn of a press.
#[derive(Clone, Copy, Debug, Default)]
struct After {
    won: bool,
    /// Another turn may follow.
    again: bool,
    /// The turn counts even if the board stays as it is: the target of restarts has changed.
    counts: bool,
}

impl Workspace {
    /// Presses a key on the loaded board. `target` is the board that the command `restart` puts back, which
    /// `checkpoint` replaces. Counts turns in `turns`.
    pub fn press(
        &mut self,
        program: &Program,
        input: Input,
        target: &mut Vec<u64>,
        random: &mut Random,
        turns: &mut u64,
    ) -> Outcome {
        self.messages.clear();
        let first = self.first_turn(program, Some(input), target, random);
        *turns += 1;
        if self.gave_up() {
            return Outcome::Limit;
        }
        if !first.again {
            return match (first.won, self.changed() || first.counts) {
                (true, _) => Outcome::Won,
                (false, true) => Outcome::Changed,
                (false, false) => Outcome::Same,
            };
        }
        // A chain of turns has begun, which the first turn alone has changed: only now is a copy worth its time.
        self.run_again(program, target, random, turns)
    }

    /// Returns the messages that the turns of the last press gave, in order: at most 100 of them.
    #[must_use]
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Begins a level: turns without a key before the first press, if the game asks for them. Nothing is won by them.
    pub fn begin(&mut self, program: &Program, target: &mut Vec<u64>, random: &mut Random) -> Outcome {
        if !program.settings.run_rules_on_level_start {
            return Outcome::Same;
        }
        let after = self.one_turn(program, None, target, random, true, false);
        if self.gave_up() {
            return Outcome::Limit;
        }
        if !after.again {
            return if self.changed() { Outcome::Changed } else { Outcome::Same };
        }
        self.run_again(program, target, random, &mut 0)
    }

    fn first_turn(
        &mut self,
        program: &Program,
        input: Option<Input>,
        target: &mut Vec<u64>,
        random: &mut Random,
    ) -> After {
        let checkpoints = program.has_checkpoints();
        let before = checkpoints.then(|| target.clone());
        let mut after = self.one_turn(program, input, target, random, false, false);
        after.counts |= before.is_some_and(|before| before != *target);
        after
    }

    /// Takes the turns that `again` asks for.
    fn run_again(&mut self, program: &Program, target: &mut Vec<u64>, random: &mut Random, turns: &mut u64) -> Outcome {
        let deterministic = !program.is_random();
        // Brent's way of finding a cycle: compare with a board that is replaced after 1, 2, 4, 8 … turns.
        let mut seen = (self.objects.clone(), target.clone(), random.drawn());
        let (mut next, mut work) = (1, self.work());
        for count in 1..=MAX_AGAIN {
            // With random rules, the trial turn of the reference draws, and the turn for real draws again: other
            // numbers, so that it takes place even if it changes nothing.
            if !deterministic {
                if !self.would_change(program, target, random) {
                    return if self.gave_up() { Outcome::Limit } else { Outcome::Changed };
                }
                work += self.work();
            }
            *turns += 1;
            let after = self.one_turn(program, None, target, random, false, deterministic);
            if self.gave_up() {
                return Outcome::Limit;
            }
            work += self.work();
            if work > MAX_WORK {
                return Outcome::Limit;
            }
            if after.won {
                return Outcome::Won;
            }
            if !after.again {
                return Outcome::Changed;
            }
            if seen.0 == self.objects && seen.1 == *target && seen.2 == random.drawn() {
                return Outcome::Endless;
            }
            if count == next {
                seen.0.clone_from(&self.objects);
                seen.1.clone_from(target);
                seen.2 = random.drawn();
                next *= 2;
            }
        }
        Outcome::Limit
    }

    /// Takes one turn and does what its commands say. If it is `chained`, and changes nothing, and neither wins by
    /// command nor restarts, it does not take place: nothing is won by it.
    fn one_turn(
        &mut self,
        program: &Program,
        input: Option<Input>,
        target: &mut Vec<u64>,
        random: &mut Random,
        no_win: bool,
        chained: bool,
    ) -> After {
        let mut after = After::default();
        if self.turn(program, input, random) == End::NoMovement {
            return after;
        }
        if self.messages.len() < MOST_MESSAGES {
            self.messages.extend(self.commands.message().map(str::to_owned));
        }
        if self.commands.cancel() {
            self.take_back();
            return after;
        }
        let by_command = self.commands.win() || self.commands.restart();
        if self.commands.restart() {
            after.again = self.restart(program, target, random);
        }
        let changed = self.changed();
        let takes_place = !chained || changed || by_command;
        after.won = !no_win && takes_place && (self.commands.win() || self.is_won(program));
        if after.won {
            after.again = false;
            return after;
        }
        if self.commands.checkpoint() {
            target.clone_from(&self.objects);
        }
        after.again |= self.commands.again() && changed;
        after
    }

    /// Puts the target back, and takes the turn that begins a level if the game asks for it. Returns whether another
    /// turn may follow.
    fn restart(&mut self, program: &Program, target: &mut Vec<u64>, random: &mut Random) -> bool {
        let before = self.before.clone();
        self.set_objects(target);
        let mut again = false;
        if program.settings.run_rules_on_level_start && self.turn(program, None, random) == End::Done {
            if self.commands.cancel() {
                self.take_back();
            } else {
                let changed = self.changed();
                if self.commands.checkpoint() {
                    target.clone_from(&self.objects);
                }
                again = self.commands.again() && changed;
            }
        }
        self.commands.clear();
        self.before = before;
        again
    }

    /// Tries a turn without a key. Returns whether it would change anything, false if it gave up.
    fn would_change(&mut self, program: &Program, target: &mut Vec<u64>, random: &mut Random) -> bool {
        self.turn(program, None, random);
        let counts = if self.commands.cancel() {
            self.commands.count() > 1
        } else {
            self.changed() || self.commands.win() || self.commands.restart()
        };
        if !counts && self.commands.checkpoint() && !self.commands.cancel() {
            target.clone_from(&self.objects);
        }
        self.take_back();
        counts && !self.gave_up()
    }
}
