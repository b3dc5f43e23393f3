//! One turn: the player's movement, the rules, movement, the late rules.
//!
//! A [`Workspace`] holds the board that is being played and everything a turn needs, so that a turn allocates nothing
//! once its buffers have grown. What commands do with the result (win, cancel, again …) is decided outside, see
//! `press`.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe (`processInput` and what it calls).

mod apply;
mod matching;
mod movement;
pub(crate) mod places;
mod queue;
mod rules;
mod stop;
mod win;

pub use queue::Commands;
pub use stop::StopSignal;

use crate::input::Input;
use crate::mask::bits_of;
use crate::program::{LevelBoard, Program};
use crate::random::Random;
use matching::Match;
use places::Places;

/// The most times that a turn starts again because rigid objects could not move.
const MAX_RIGID_ROUNDS: usize = 50;

/// The outcome of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Rules and movement are done; the commands are in [`Workspace::commands`].
    Done,
    /// The game asks for a player's movement and no player has moved: the board is as it was, commands are forgotten.
    NoMovement,
}

/// A board in play, with its movements and all buffers.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) width: usize,
    pub(crate) height: usize,
    object_words: usize,
    movement_words: usize,
    /// Objects, cell by cell.
    pub(crate) objects: Vec<u64>,
    movements: Vec<u64>,
    /// The cells that may have movements, as bits. All others have none.
    moving: Vec<u64>,
    /// In each cell and layer, where movements are: the number of the rigid group that marked it (from 1), and all five
    /// bits if any did. Empty if no group is rigid.
    rigid_groups: Vec<u64>,
    rigid_layers: Vec<u64>,
    places: Places,
    pub(crate) commands: Commands,
    /// The messages of the last press.
    pub(crate) messages: Vec<String>,
    /// The cells with a player at the start of the turn.
    players: Vec<u32>,
    matches: Vec<Vec<Match>>,
    /// Some row has had more matches than memory is kept for.
    has_many_matches: bool,
    banned: Vec<bool>,
    /// The work of the present turn so far, in cells looked at.
    work: usize,
    stop: stop::StopSignal,
    /// The board before the turn.
    pub(crate) before: Vec<u64>,
    /// The movements at the start of the turn, to which a failed rigid movement goes back.
    start: Vec<u64>,
}

impl Workspace {
    /// Puts a board into the workspace, without movements.
    pub fn load(&mut self, program: &Program, board: &LevelBoard) {
        self.resize(program, board.width, board.height);
        self.set_objects(&board.cells);
    }

    /// Prepares for boards of a size, and empties the board.
    pub fn resize(&mut self, program: &Program, width: usize, height: usize) {
        let cells = width * height;
        (self.width, self.height) = (width, height);
        (self.object_words, self.movement_words) = (program.object_words, program.movement_words);
        self.objects.clear();
        self.objects.resize(cells * program.object_words, 0);
        self.movements.clear();
        self.movements.resize(cells * program.movement_words, 0);
        self.moving.clear();
        self.moving.resize(cells.div_ceil(64), 0);
        let rigid = if program.rigid_groups.is_empty() { 0 } else { cells * program.movement_words };
        for marks in [&mut self.rigid_groups, &mut self.rigid_layers] {
            marks.clear();
            marks.resize(rigid, 0);
        }
        self.places.resize(program, cells);
    }

    /// Returns the objects of the board in play, as a board's cells are stored.
    #[must_use]
    pub fn objects(&self) -> &[u64] {
        &self.objects
    }

    /// Replaces the objects by those of another board of the same size, and forgets movements. Takes time for each cell
    /// that differs: boards of a search have most cells in common.
    pub fn set_objects(&mut self, objects: &[u64]) {
        self.stop_all();
        let words = self.object_words;
        for (index, (old, &new)) in self.objects.iter_mut().zip(objects).enumerate() {
            if *old != new {
                self.places.change_objects(index / words, index % words, *old, new);
                *old = new;
            }
        }
    }

    /// Returns the board in play.
    #[must_use]
    pub fn board(&self) -> LevelBoard {
        LevelBoard { width: self.width, height: self.height, cells: self.objects.clone() }
    }

    /// Returns the commands of the last turn.
    #[must_use]
    pub fn commands(&self) -> &Commands {
        &self.commands
    }

    /// Returns whether the last turn left other objects than it found.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.objects != self.before
    }

    /// Puts back the board that the last turn found.
    pub(crate) fn take_back(&mut self) {
        let before = std::mem::take(&mut self.before);
        self.set_objects(&before);
        self.before = before;
        self.commands.clear();
    }

    /// Takes all movement away.
    fn stop_all(&mut self) {
        let words = self.movement_words;
        for index in 0..self.moving.len() {
            for bit in bits_of(std::mem::take(&mut self.moving[index])) {
                let cell = index * 64 + bit as usize;
                for word in 0..words {
                    let old = std::mem::take(&mut self.movements[cell * words + word]);
                    self.places.change_movements(cell, word, old, 0);
                }
            }
        }
    }

    /// Changes a word of a cell's movements.
    #[inline]
    fn set_movements(&mut self, cell: usize, word: usize, new: u64) {
        let old = std::mem::replace(&mut self.movements[cell * self.movement_words + word], new);
        self.places.change_movements(cell, word, old, new);
        self.moving[cell / 64] |= 1 << (cell % 64);
    }

    /// Changes a word of a cell's objects.
    #[inline]
    fn change_objects(&mut self, cell: usize, word: usize, new: u64) {
        let old = std::mem::replace(&mut self.objects[cell * self.object_words + word], new);
        self.places.change_objects(cell, word, old, new);
    }

    /// Takes one turn, up to the commands. Without an input no player moves.
    pub fn turn(&mut self, program: &Program, input: Option<Input>, random: &mut Random) -> End {
        self.before.clone_from(&self.objects);
        self.work = 0;
        self.spend(self.objects.len());
        self.players.clear();
        if let Some(input) = input {
            self.move_players(program, input);
        }
        self.commands.clear();
        let rigid = !program.rigid_groups.is_empty();
        if rigid {
            self.start.clone_from(&self.movements);
            // One more than there are groups: marks of two groups that met may name none.
            self.banned.clear();
            self.banned.resize(program.early.groups.len() + 1, false);
        }
        for _ in 0..MAX_RIGID_ROUNDS {
            self.apply_phase(program, false, random);
            if !self.resolve(program) || self.gave_up() {
                self.apply_phase(program, true, random);
                break;
            }
            self.back_to_start();
            self.commands.clear();
        }
        if program.settings.require_player_movement && !self.players.is_empty() && !self.has_player_moved(program) {
            self.take_back();
            return End::NoMovement;
        }
        End::Done
    }

    /// Puts back the board and the movements of the start of the turn.
    fn back_to_start(&mut self) {
        let before = std::mem::take(&mut self.before);
        self.set_objects(&before);
        self.before = before;
        let start = std::mem::take(&mut self.start);
        for (index, &bits) in start.iter().enumerate().filter(|&(_, &bits)| bits != 0) {
            self.set_movements(index / self.movement_words, index % self.movement_words, bits);
        }
        self.start = start;
    }

    /// Gives every player the movement of a key, each of its objects in its own layer.
    fn move_players(&mut self, program: &Program, input: Input) {
        let player = &program.player;
        if player.objects.is_empty() {
            return;
        }
        for index in 0..self.places.words() {
            let cells = if player.all {
                self.places.all(&player.objects, index)
            } else {
                self.places.any(&player.objects, index)
            };
            for bit in bits_of(cells) {
                let cell = index * 64 + bit as usize;
                self.players.push(cell as u32);
                for &(word, bits) in &player.objects {
                    let here = self.objects[cell * self.object_words + word as usize] & bits;
                    for bit in bits_of(here) {
                        let layer = program.object_layers[(word * 64 + bit) as usize];
                        let (word, shift) = crate::mask::movement_place(layer);
                        let old = self.movements[cell * self.movement_words + word];
                        self.set_movements(cell, word, old | input.bit() << shift);
                    }
                }
            }
        }
    }

    /// Returns whether some cell that held a player before the turn holds none now.
    fn has_player_moved(&self, program: &Program) -> bool {
        let words = self.object_words;
        self.players.iter().any(|&cell| {
            let player = &program.player.objects;
            player.iter().all(|&(word, bits)| self.objects[cell as usize * words + word as usize] & bits == 0)
        })
    }
}
