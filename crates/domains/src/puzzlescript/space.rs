//! The state space of a level: boards, and the presses that change them.
//!
//! A key holds the board, the target of restarts if a rule sets checkpoints, and one bit for a level that is won: a
//! command may win whatever the board.

use super::packing::Packing;
use crate::search::Limit;
use crate::space::{Facts, Guided, InPlace, StateSpace};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Board, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::turn::{Input, Workspace};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A packed state.
pub(super) type Key = Box<[u64]>;

/// A level in play.
pub(super) struct Play {
    pub program: Arc<Program>,
    pub written: Board,
    packing: Packing,
    /// Workspaces that no thread uses at present.
    desks: Mutex<Vec<Desk>>,
    /// True if a press was given up, so that its effect is unknown.
    gave_up: AtomicBool,
}

/// A place to press keys on.
struct Desk {
    workspace: Workspace,
    board: Vec<u64>,
    target: Vec<u64>,
    pressed_target: Vec<u64>,
}

impl Play {
    pub fn new(program: Arc<Program>, written: Board, packing: Packing) -> Play {
        Play { program, written, packing, desks: Mutex::default(), gave_up: AtomicBool::new(false) }
    }

    /// Returns whether the target of restarts is part of the state.
    fn has_targets(&self) -> bool {
        self.program.has_checkpoints()
    }

    /// Returns the number of words of a key.
    fn words(&self) -> usize {
        self.packing.words() * if self.has_targets() { 2 } else { 1 } + 1
    }

    /// Returns the key of a board with a target of restarts, before anything is won.
    pub fn key(&self, board: &[u64], target: &[u64]) -> Key {
        let (mut key, mut is_faithful) = self.packing.pack(board);
        if self.has_targets() {
            let (target, is_so) = self.packing.pack(target);
            key.extend(target);
            is_faithful &= is_so;
        }
        key.push(0);
        self.check(is_faithful);
        key.into()
    }

    /// Notes that a key cannot tell its board from others.
    fn check(&self, is_faithful: bool) {
        if !is_faithful {
            self.gave_up.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether a key is of a won level.
    pub fn is_won(key: &Key) -> bool {
        key.last() == Some(&1)
    }

    /// Returns the board of a key.
    pub fn board(&self, key: &Key) -> Vec<u64> {
        let mut board = Vec::new();
        self.packing.unpack(&key[..self.packing.words()], &mut board);
        board
    }

    /// Calls `child` with each key that changes a state, and the state after it. Keys are pressed in the order up, left,
    /// down, right, action.
    fn for_each_press(&self, key: &Key, mut child: impl FnMut(Input, Key)) {
        if Play::is_won(key) {
            return;
        }
        let taken = self.desks.lock().pop();
        let mut desk = taken.unwrap_or_else(|| {
            let mut workspace = Workspace::default();
            workspace.load(&self.program, &self.written);
            Desk { workspace, board: Vec::new(), target: Vec::new(), pressed_target: Vec::new() }
        });
        let words = self.packing.words();
        self.packing.unpack(&key[..words], &mut desk.board);
        match self.has_targets() {
            true => self.packing.unpack(&key[words..2 * words], &mut desk.target),
            false => desk.target.clone_from(&self.written.cells),
        }
        let inputs = if self.program.settings.no_action { &Input::ALL[..4] } else { &Input::ALL[..] };
        for &input in inputs {
            desk.workspace.set_objects(&desk.board);
            desk.pressed_target.clone_from(&desk.target);
            let (mut random, mut turns) = (Random::new(""), 0);
            let target = &mut desk.pressed_target;
            match desk.workspace.press(&self.program, input, target, &mut random, &mut turns) {
                outcome @ (Outcome::Won | Outcome::Changed) => {
                    let mut next = key.clone();
                    self.check(self.packing.repack(&desk.board, desk.workspace.objects(), &mut next[..words]));
                    if self.has_targets() {
                        let target = &mut next[words..2 * words];
                        self.check(self.packing.repack(&desk.target, &desk.pressed_target, target));
                    }
                    *next.last_mut().expect("a key has a word for the win") = (outcome == Outcome::Won).into();
                    // A chain of turns may end where it began.
                    if next != *key {
                        child(input, next);
                    }
                }
                // After an endless chain, no key can be pressed any more.
                Outcome::Same | Outcome::Endless => {}
                Outcome::Limit => self.gave_up.store(true, Ordering::Relaxed),
            }
        }
        self.desks.lock().push(desk);
    }

    /// Returns the state after a press.
    pub fn pressed(&self, key: &Key, input: Input) -> Key {
        let mut after = None;
        self.for_each_press(key, |other, next| {
            if other == input {
                after = Some(next);
            }
        });
        after.unwrap_or_else(|| key.clone())
    }
}

/// The graph of the states of a level.
pub(super) struct GameSpace {
    pub play: Arc<Play>,
    pub start: Key,
}

impl StateSpace for GameSpace {
    type Key = Key;
    type Action = Input;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts { unit_cost: true, key_heap_bytes: self.play.words() * size_of::<u64>(), ..Facts::default() }
    }

    fn is_goal(&self, key: &Key) -> bool {
        Play::is_won(key)
    }

    fn expand(&self, key: &Key, mut child: impl FnMut(Input, u32, Key)) {
        self.play.for_each_press(key, |input, next| child(input, 1, next));
    }

    fn unknown_moves(&self) -> Option<Limit> {
        self.play.gave_up.load(Ordering::Relaxed).then_some(Limit::Work)
    }
}

impl Guided for GameSpace {}

impl InPlace for GameSpace {
    type State = Key;
    /// The state before the press.
    type Undo = Key;
    type Trail = ();
    type Actions<'a> = std::vec::IntoIter<Input>;

    fn initial(&self) -> Key {
        self.start.clone()
    }

    fn pack(&self, state: &Key) -> Key {
        state.clone()
    }

    fn unpack(&self, key: &Key) -> Key {
        key.clone()
    }

    fn actions(&self, state: &Key) -> Self::Actions<'_> {
        let mut actions = Vec::new();
        self.play.for_each_press(state, |input, _| actions.push(input));
        actions.into_iter()
    }

    fn apply(&self, state: &mut Key, input: Input) -> (u32, Key) {
        let next = self.play.pressed(state, input);
        (1, std::mem::replace(state, next))
    }

    fn undo(&self, state: &mut Key, _input: Input, before: Key) {
        *state = before;
    }

    fn trail(&self) {}

    fn follow(&self, (): &(), _state: &Key, _input: Input) -> Option<()> {
        Some(())
    }
}
