//! The state space of a level: boards, and the presses that change them.
//!
//! A key holds the board, the target of restarts if a rule sets checkpoints, how many numbers are drawn if a rule draws
//! at random, and one bit for a level that is won: a command may win whatever the board.

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
    /// The random generator, if the game draws at random.
    random: Option<Random>,
    /// Buffers that no thread uses at present.
    buffers: Mutex<Vec<Buffers>>,
    /// True if a press was given up, or a key is not exact: the effect of some press is unknown.
    gave_up: AtomicBool,
}

/// The buffers for presses in one state.
struct Buffers {
    workspace: Workspace,
    board: Vec<u64>,
    target: Vec<u64>,
    /// The target after the press.
    target_after: Vec<u64>,
    /// Never drawn from if the game does not draw.
    random: Random,
}

impl Play {
    pub fn new(program: Arc<Program>, written: Board, packing: Packing, random: Option<Random>) -> Play {
        Play { program, written, packing, random, buffers: Mutex::default(), gave_up: AtomicBool::new(false) }
    }

    /// Returns whether the target of restarts is part of the state.
    fn has_targets(&self) -> bool {
        self.program.has_checkpoints()
    }

    /// Returns the number of words of a key.
    fn words(&self) -> usize {
        self.board_words() + usize::from(self.random.is_some()) + 1
    }

    /// Returns the number of words of the boards in a key.
    fn board_words(&self) -> usize {
        self.packing.words() * if self.has_targets() { 2 } else { 1 }
    }

    /// Returns the key of a board with a target of restarts, after so many random numbers, of a level that is won or not.
    pub fn key(&self, board: &[u64], target: &[u64], drawn: usize, won: bool) -> Key {
        let (mut key, mut is_exact) = self.packing.pack(board);
        if self.has_targets() {
            let (target, is_target_exact) = self.packing.pack(target);
            key.extend(target);
            is_exact &= is_target_exact;
        }
        if self.random.is_some() {
            key.push(drawn as u64);
        }
        key.push(won.into());
        self.check(is_exact);
        key.into()
    }

    /// Records that a key is not exact, if so.
    fn check(&self, is_exact: bool) {
        if !is_exact {
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

    /// Returns the keys of the keyboard that may be moves, in their order: up, left, down, right, action.
    pub fn inputs(&self) -> &'static [Input] {
        if self.program.settings.no_action { &Input::ALL[..4] } else { &Input::ALL }
    }

    /// Presses some keys in a state. Calls `child` with each press that changes it, and the state after it.
    fn for_each_press(&self, key: &Key, inputs: &[Input], mut child: impl FnMut(Input, Key)) {
        if Play::is_won(key) {
            return;
        }
        let free = self.buffers.lock().pop();
        let mut buffers = free.unwrap_or_else(|| self.new_buffers());
        let Buffers { workspace, board, target, target_after, random } = &mut buffers;
        let words = self.packing.words();
        self.packing.unpack(&key[..words], board);
        if self.has_targets() {
            self.packing.unpack(&key[words..2 * words], target);
        }
        let drawn = if self.random.is_some() { key[self.board_words()] as usize } else { 0 };
        for &input in inputs {
            random.set_drawn(drawn);
            workspace.set_objects(board);
            if self.has_targets() {
                target_after.clone_from(target);
            }
            match workspace.press(&self.program, input, target_after, random, &mut 0) {
                // After an endless chain, no key can be pressed any more.
                Outcome::Endless => {}
                Outcome::Limit => self.gave_up.store(true, Ordering::Relaxed),
                Outcome::Same if random.drawn() == drawn => {}
                outcome => {
                    let mut next = key.clone();
                    self.check(self.packing.repack(board, workspace.objects(), &mut next[..words]));
                    if self.has_targets() {
                        self.check(self.packing.repack(target, target_after, &mut next[words..2 * words]));
                    }
                    if self.random.is_some() {
                        next[self.board_words()] = random.drawn() as u64;
                    }
                    *next.last_mut().expect("a key has a word for the win") = (outcome == Outcome::Won).into();
                    // A chain of turns may end where it began.
                    if next != *key {
                        child(input, next);
                    }
                }
            }
        }
        self.buffers.lock().push(buffers);
    }

    fn new_buffers(&self) -> Buffers {
        let mut workspace = Workspace::default();
        workspace.load(&self.program, &self.written);
        let [target, target_after] = [(); 2].map(|()| self.written.cells.clone());
        let random = self.random.clone().unwrap_or_else(|| Random::new(""));
        Buffers { workspace, board: Vec::new(), target, target_after, random }
    }

    /// Returns the state after a press.
    pub fn pressed(&self, key: &Key, input: Input) -> Key {
        let mut after = key.clone();
        self.for_each_press(key, &[input], |_, next| after = next);
        after
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
        let key_heap_bytes = self.play.words() * size_of::<u64>();
        // Only the process that gives a press up knows of it: `unknown_moves`.
        Facts { unit_cost: true, key_heap_bytes, transient_keys: true, ..Facts::default() }
    }

    fn is_goal(&self, key: &Key) -> bool {
        Play::is_won(key)
    }

    fn expand(&self, key: &Key, mut child: impl FnMut(Input, u32, Key)) {
        self.play.for_each_press(key, self.play.inputs(), |input, next| child(input, 1, next));
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
        self.play.for_each_press(state, self.play.inputs(), |input, _| actions.push(input));
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
