//! The state space of a level: boards, and the presses that change them.
//!
//! A key holds the board, the target of restarts if a rule sets checkpoints, and one bit for a level that is won: a
//! command may win whatever the board.

use super::packing::Packing;
use crate::search::Limit;
use crate::space::{Cost, Facts, Guided, InPlace, StateSpace};
use engine_puzzlescript::analysis::{Bounds, Buffers as TokenBuffers};
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
    /// The rules that may match on this level.
    pub program: Program,
    pub written: Board,
    packing: Packing,
    /// None: 0 for every board.
    bounds: Option<Arc<Bounds>>,
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
    tokens: TokenBuffers,
    /// Never drawn from: games that draw are refused.
    random: Random,
}

impl Play {
    pub fn new(program: Program, written: Board, packing: Packing, bounds: Option<Arc<Bounds>>) -> Play {
        Play { program, written, packing, bounds, buffers: Mutex::default(), gave_up: AtomicBool::new(false) }
    }

    /// Returns whether the target of restarts is part of the state.
    fn has_targets(&self) -> bool {
        self.program.has_checkpoints()
    }

    /// Returns the number of words of a key.
    fn words(&self) -> usize {
        self.packing.words() * if self.has_targets() { 2 } else { 1 } + 1
    }

    /// Returns the key of a board with a target of restarts, of a level that is won or not.
    pub fn key(&self, board: &[u64], target: &[u64], won: bool) -> Key {
        let (mut key, mut is_exact) = self.packing.pack(board);
        if self.has_targets() {
            let (target, is_target_exact) = self.packing.pack(target);
            key.extend(target);
            is_exact &= is_target_exact;
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

    /// Presses some keys in a state. Calls `child` with each press that changes it, and the state after it.
    fn for_each_press(&self, key: &Key, inputs: &[Input], mut child: impl FnMut(Input, Key)) {
        if Play::is_won(key) {
            return;
        }
        let mut buffers = self.take_buffers();
        let Buffers { workspace, board, target, target_after, random, .. } = &mut buffers;
        let words = self.packing.words();
        self.packing.unpack(&key[..words], board);
        if self.has_targets() {
            self.packing.unpack(&key[words..2 * words], target);
        }
        for &input in inputs {
            workspace.set_objects(board);
            if self.has_targets() {
                target_after.clone_from(target);
            }
            match workspace.press(&self.program, input, target_after, random, &mut 0) {
                outcome @ (Outcome::Won | Outcome::Changed) => {
                    let mut next = key.clone();
                    self.check(self.packing.repack(board, workspace.objects(), &mut next[..words]));
                    if self.has_targets() {
                        self.check(self.packing.repack(target, target_after, &mut next[words..2 * words]));
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
        self.buffers.lock().push(buffers);
    }

    fn take_buffers(&self) -> Buffers {
        if let Some(free) = self.buffers.lock().pop() {
            return free;
        }
        let mut workspace = Workspace::default();
        workspace.load(&self.program, &self.written);
        let [target, target_after] = [(); 2].map(|()| self.written.cells.clone());
        let (board, tokens) = (Vec::new(), TokenBuffers::default());
        Buffers { workspace, board, target, target_after, tokens, random: Random::new("") }
    }

    /// Appends lower bounds on the presses that states need.
    fn bounds_of(&self, keys: &[Key], values: &mut Vec<u32>) {
        let Some(bounds) = &self.bounds else {
            values.resize(values.len() + keys.len(), 0);
            return;
        };
        let mut buffers = self.take_buffers();
        let Buffers { board, tokens, .. } = &mut buffers;
        for key in keys {
            self.packing.unpack(&key[..self.packing.words()], board);
            let bound = if Play::is_won(key) { Some(0) } else { bounds.of(board, tokens) };
            values.push(bound.unwrap_or(u32::INFINITY));
        }
        self.buffers.lock().push(buffers);
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
        let table_bytes = self.play.bounds.as_ref().map_or(0, |bounds| bounds.bytes());
        Facts { unit_cost: true, key_heap_bytes, table_bytes, transient_keys: true, ..Facts::default() }
    }

    fn is_goal(&self, key: &Key) -> bool {
        Play::is_won(key)
    }

    fn expand(&self, key: &Key, mut child: impl FnMut(Input, u32, Key)) {
        self.play.for_each_press(key, self.play.program.inputs(), |input, next| child(input, 1, next));
    }

    fn unknown_moves(&self) -> Option<Limit> {
        self.play.gave_up.load(Ordering::Relaxed).then_some(Limit::Work)
    }
}

impl Guided for GameSpace {
    fn h(&self, key: &Key) -> u32 {
        let mut values = Vec::with_capacity(1);
        self.h_of(std::slice::from_ref(key), &mut values);
        values[0]
    }

    fn h_of(&self, keys: &[Key], values: &mut Vec<u32>) {
        self.play.bounds_of(keys, values);
    }

    fn guidance(&self) -> Option<String> {
        self.play.bounds.as_ref().map(|bounds| bounds.describe())
    }
}

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
        self.play.for_each_press(state, self.play.program.inputs(), |input, _| actions.push(input));
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
