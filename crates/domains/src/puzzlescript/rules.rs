//! The reference rules: the game as written, played by the plain interpreter.
//!
//! They share the game as written with the state space, and nothing of its compiled rules and packed boards.

use super::view::Glyphs;
use crate::domain::Rules;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{self, PlainBoard};
use engine_puzzlescript::press::Outcome;

/// A level in play.
pub(super) struct GameRules<'a> {
    rules: &'a plain::Rules,
    play: plain::Play<'a>,
    glyphs: &'a Glyphs,
    /// True if the number of random numbers drawn is part of a position.
    is_random: bool,
    /// The outcome of the turns that led to the position.
    outcome: Outcome,
    /// The effect of some press is unknown.
    gave_up: bool,
    moves: u32,
}

/// The keys with their names and letters.
const KEYS: [(Input, &str, &str); 5] = [
    (Input::Up, "up", "u"),
    (Input::Left, "left", "l"),
    (Input::Down, "down", "d"),
    (Input::Right, "right", "r"),
    (Input::Action, "action", "x"),
];

impl<'a> GameRules<'a> {
    /// Begins a level, counted with messages, with a seed if it draws at random. Returns none for a message.
    pub fn new(rules: &'a plain::Rules, level: usize, seed: Option<&str>, glyphs: &'a Glyphs) -> Option<GameRules<'a>> {
        let (play, outcome) = plain::Play::one_level(rules, level, seed.unwrap_or_default())?;
        let gave_up = outcome == Outcome::Limit;
        Some(GameRules { rules, play, glyphs, is_random: seed.is_some(), outcome, gave_up, moves: 0 })
    }

    /// Returns the keys that may be moves.
    fn keys(&self) -> impl Iterator<Item = (Input, &'static str, &'static str)> + use<'a> {
        let keys = self.rules.keys();
        KEYS.into_iter().filter(|(key, ..)| keys.contains(key))
    }

    fn press(&mut self, key: Input) -> Result<(), String> {
        match self.outcome {
            Outcome::Won => return Err("the level is won".to_owned()),
            Outcome::Endless => return Err("the turns that begin the level repeat without end".to_owned()),
            Outcome::Limit => return Err("the turns that begin the level take too long".to_owned()),
            Outcome::Changed | Outcome::Same => {}
        }
        let (board, target, drawn) = (self.play.board().clone(), self.play.target().clone(), self.play.drawn());
        let outcome = self.play.press(key);
        let refused = match outcome {
            Outcome::Won => None,
            Outcome::Endless => Some("the turns after it repeat without end"),
            Outcome::Limit => {
                self.gave_up = true;
                Some("its turns take too long")
            }
            // A chain of turns may end where it began.
            Outcome::Changed | Outcome::Same => {
                let is_same = *self.play.board() == board && *self.play.target() == target;
                (is_same && self.play.drawn() == drawn).then_some("it changes nothing")
            }
        };
        if let Some(reason) = refused {
            self.play.set(board, target);
            self.play.set_drawn(drawn);
            return Err(reason.to_owned());
        }
        self.outcome = outcome;
        self.moves += 1;
        Ok(())
    }
}

impl Rules for GameRules<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let Some((key, ..)) = self.keys().find(|(_, name, letter)| written == *name || written == *letter) else {
            let names: Vec<&str> = self.keys().map(|(_, name, _)| name).collect();
            return Err(format!("unknown key: expected one of {}", names.join(", ")));
        };
        self.press(key)
    }

    fn is_solved(&self) -> bool {
        self.outcome == Outcome::Won
    }

    fn cost(&self) -> f64 {
        f64::from(self.moves)
    }

    fn draw(&self) -> String {
        let board = self.play.board();
        self.glyphs.draw(board.width, board.height, |cell| board.cells[cell].iter())
    }

    /// The level's outcome, the count of random numbers drawn if there are any, the objects of each cell after their
    /// number, and the target of restarts likewise.
    fn position(&self) -> Option<Vec<u32>> {
        let outcome = match self.outcome {
            Outcome::Won => 1,
            Outcome::Changed | Outcome::Same => 0,
            // No key can be pressed.
            Outcome::Endless | Outcome::Limit => 2,
        };
        let target = self.rules.has_checkpoints().then(|| self.play.target());
        let mut numbers = vec![outcome];
        numbers.extend(self.is_random.then(|| self.play.drawn() as u32));
        for cell in [self.play.board()].into_iter().chain(target).flat_map(|board| &board.cells) {
            numbers.push(cell.iter().count() as u32);
            numbers.extend(cell.iter().map(|object| object as u32));
        }
        Some(numbers)
    }

    fn set_position(&mut self, position: &[u32]) {
        let mut numbers = position.iter().map(|&number| number as usize);
        let mut next = || numbers.next().unwrap_or(0);
        self.outcome = match next() {
            0 => Outcome::Changed,
            1 => Outcome::Won,
            _ => self.outcome,
        };
        if self.is_random {
            self.play.set_drawn(next());
        }
        let mut read = |board: &PlainBoard| {
            let mut board = board.clone();
            for cell in &mut board.cells {
                cell.clear();
                for _ in 0..next() {
                    cell.insert(next());
                }
            }
            board
        };
        let board = read(self.play.board());
        let target = self.play.target();
        let target = if self.rules.has_checkpoints() { read(target) } else { target.clone() };
        self.play.set(board, target);
    }

    fn candidates(&self) -> Vec<String> {
        self.keys().map(|(_, name, _)| name.to_owned()).collect()
    }

    fn gave_up(&self) -> bool {
        self.gave_up
    }
}
