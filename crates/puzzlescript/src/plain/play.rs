//! A game in play: turn by turn, with undo, restart and the levels that follow, or press by press, as a solution.

use super::Rules;
use super::level::PlainBoard;
use super::turn::{Field, MAX_WORK, Turned};
use crate::game::Command;
use crate::input::Input;
use crate::press::{MAX_AGAIN, Outcome};
use crate::random::Random;

/// A game in play.
#[derive(Clone, Debug)]
pub struct Play<'r> {
    rules: &'r Rules,
    field: Field,
    random: Random,
    level: usize,
    /// The next level begins where one is won. If not, play ends there.
    goes_on: bool,
    won: bool,
    /// A message or the title is on the screen. Turns still run on the board before it, but nothing wins.
    text: bool,
    /// The title is on the screen: the first level comes next.
    title: bool,
    /// The board that `restart` puts back: the level as loaded, or the last checkpoint.
    target: PlainBoard,
    /// Boards that `undo` puts back, the last one first.
    past: Vec<PlainBoard>,
    again: bool,
    restarting: bool,
    /// The work of the present press, or of the present turn if it is none of a press.
    work: u64,
}

/// The purpose of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// A turn that may win.
    Play,
    /// A turn that begins a level. It does not win.
    Begin,
    /// A turn on trial: whether it changes anything. The board is put back.
    Trial,
}

impl<'r> Play<'r> {
    /// Begins a game at a level, counted with messages from 0, to be played by [`turn`](Self::turn) with the levels
    /// after it. The seed of the random generator holds for that level alone. Returns none if the level is a message or
    /// does not exist.
    #[must_use]
    pub fn new(rules: &'r Rules, level: usize, seed: &str) -> Option<Self> {
        let board = rules.board(level)?;
        let mut play = Self {
            rules,
            field: Field::new(board.clone(), rules.names.layers.len()),
            random: Random::new(seed),
            level,
            goes_on: true,
            won: false,
            text: false,
            title: false,
            target: board.clone(),
            past: Vec::new(),
            again: false,
            restarting: false,
            work: 0,
        };
        play.begin(board);
        Some(play)
    }

    /// Begins one level, to be played by [`press`](Self::press): takes the turns that begin it, with those that `again`
    /// adds. `seed` is that of the random generator. Returns how they ended, or none if the level is a message or does
    /// not exist.
    #[must_use]
    pub fn one_level(rules: &'r Rules, level: usize, seed: &str) -> Option<(Self, Outcome)> {
        let mut play = Self::new(rules, level, seed)?;
        play.goes_on = false;
        let outcome = play.rest(rules.board(level)?, play.target.clone());
        Some((play, outcome))
    }

    /// Returns the game that is played.
    #[must_use]
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Returns the board as it is.
    #[must_use]
    pub fn board(&self) -> &PlainBoard {
        &self.field.board
    }

    /// Returns the board that the command `restart` puts back.
    #[must_use]
    pub fn target(&self) -> &PlainBoard {
        &self.target
    }

    /// Returns the level that is played, counted with messages from 0.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns whether a message or the title is on the screen.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// Returns whether a turn without input is due, because of `again`.
    #[must_use]
    pub fn again(&self) -> bool {
        self.again
    }

    /// Returns how many random numbers are drawn.
    #[must_use]
    pub fn drawn(&self) -> usize {
        self.random.drawn()
    }

    /// Continues as if this many random numbers were drawn.
    pub fn set_drawn(&mut self, drawn: usize) {
        self.random.set_drawn(drawn);
    }

    /// Replaces the board and the target of restarts.
    pub fn set(&mut self, board: PlainBoard, target: PlainBoard) {
        self.put(board);
        self.target = target;
    }

    /// Presses a key, and takes the turns that `again` adds: one move of a solution. Returns how the last turn ended.
    /// After [`Outcome::Endless`] and [`Outcome::Limit`], the board is unspecified.
    pub fn press(&mut self, input: Input) -> Outcome {
        let (board, target) = (self.field.board.clone(), self.target.clone());
        self.set(board.clone(), target.clone());
        self.past.clear();
        self.won = false;
        self.work = 0;
        self.take_turn(Some(input), Purpose::Play);
        self.rest(&board, target)
    }

    /// Takes the turns that `again` adds until the board rests. Compares with the board and the target of before.
    fn rest(&mut self, board: &PlainBoard, target: PlainBoard) -> Outcome {
        let mut seen: Option<(PlainBoard, PlainBoard, usize)> = None;
        for count in 0..=MAX_AGAIN {
            if self.work > MAX_WORK {
                return Outcome::Limit;
            }
            if self.won {
                return Outcome::Won;
            }
            if !self.again {
                let is_same = count == 0 && self.field.board == *board && self.target == target;
                return if is_same { Outcome::Same } else { Outcome::Changed };
            }
            let position = (&self.field.board, &self.target, self.drawn());
            if seen.as_ref().is_some_and(|(board, target, drawn)| (board, target, *drawn) == position) {
                return Outcome::Endless;
            }
            // A cycle is found by comparison with the positions after 1, 2, 4, 8 … turns (Brent 1980).
            if count.is_power_of_two() {
                seen = Some((self.field.board.clone(), self.target.clone(), self.drawn()));
            }
            if count < MAX_AGAIN {
                self.take_turn(None, Purpose::Play);
            }
        }
        Outcome::Limit
    }

    /// Takes a turn: with a key, or without one as time passes or `again` asks for it. Turns that `again` asks for next
    /// are not part of it.
    pub fn turn(&mut self, input: Option<Input>) {
        self.work = 0;
        self.take_turn(input, Purpose::Play);
    }

    /// Puts the last board back that differs from the present one.
    pub fn undo(&mut self) {
        if self.rules.no_undo {
            return;
        }
        while let Some(last) = self.past.pop() {
            if last != self.field.board {
                return self.put(last);
            }
        }
    }

    /// Puts the level back, or its last checkpoint.
    pub fn restart(&mut self) {
        if self.rules.no_restart {
            return;
        }
        if self.again {
            self.undo();
        }
        self.past.push(self.field.board.clone());
        self.put_target();
    }

    fn put_target(&mut self) {
        self.restarting = true;
        self.put(self.target.clone());
        if self.rules.run_rules_on_level_start {
            self.take_turn(None, Purpose::Begin);
        }
        self.restarting = false;
    }

    /// Puts a board down, without movements.
    fn put(&mut self, board: PlainBoard) {
        self.field = Field::new(board, self.rules.names.layers.len());
        self.again = false;
    }

    fn begin(&mut self, board: &PlainBoard) {
        self.put(board.clone());
        self.text = false;
        self.past.clear();
        self.target = board.clone();
        if self.rules.run_rules_on_level_start {
            self.take_turn(None, Purpose::Begin);
        }
    }

    /// Goes to the next level, or from the last one to the title. The board changes unless a text comes.
    fn next_level(&mut self) {
        self.again = false;
        if self.title {
            self.title = false;
        } else if self.level + 1 < self.rules.levels.len() {
            self.level += 1;
        } else {
            self.level = 0;
            self.text = true;
            self.title = true;
            return;
        }
        self.random = Random::new(&self.level.to_string());
        match self.rules.board(self.level) {
            None => self.text = true,
            Some(board) => self.begin(board),
        }
    }

    /// Takes a turn and does what its commands ask for. Returns whether it changed anything, or on trial: would.
    fn take_turn(&mut self, input: Option<Input>, purpose: Purpose) -> bool {
        self.again = false;
        let is_trial = purpose == Purpose::Trial;
        let before = self.field.board.clone();
        let turned = self.rules.turn(&mut self.field, input, &mut self.random, &mut self.work);
        let Turned { mut commands, player_stayed } = turned;
        if self.work > MAX_WORK {
            return false;
        }
        if player_stayed && self.rules.require_player_movement {
            self.put(before);
            self.text = false;
            return false;
        }
        if commands.contains(&Command::Cancel) {
            self.put(before);
            return commands.len() > 1;
        }
        if commands.contains(&Command::Restart) {
            self.past.push(before.clone());
            if !is_trial && !self.restarting {
                self.put_target();
                commands.clear();
            }
        }
        let changed = self.field.board != before;
        if is_trial && changed {
            self.put(before);
            return true;
        }
        if is_trial && (commands.contains(&Command::Win) || commands.contains(&Command::Restart)) {
            return true;
        }
        if changed && input.is_some() {
            self.past.push(before);
        }
        let wins = || commands.contains(&Command::Win) || self.rules.is_won(&self.field.board);
        if purpose == Purpose::Play && !self.text && wins() {
            self.won = true;
            self.again = false;
            if !self.goes_on {
                return changed;
            }
            self.next_level();
            if !self.text {
                return changed;
            }
        }
        if commands.contains(&Command::Checkpoint) {
            self.target = self.field.board.clone();
        }
        if changed && commands.contains(&Command::Again) {
            self.again = self.take_turn(None, Purpose::Trial);
        }
        changed
    }
}

impl Rules {
    /// Returns whether all win conditions hold. Without any, only the command `win` wins.
    fn is_won(&self, board: &PlainBoard) -> bool {
        !self.goals.is_empty() && self.goals.iter().all(|goal| goal.holds(board))
    }
}
