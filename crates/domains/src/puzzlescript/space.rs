//! The state space of a level: boards, and the presses that change them.
//!
//! A key holds the board, one bit for a level that is won, as a command may win whatever the board, the target of
//! restarts if a rule sets checkpoints, and how many numbers are drawn if a rule draws at random.

use super::packing::Packing;
use crate::argument::Refutation;
use crate::search::{Limit, Stop};
use crate::space::{Cost, Facts, Guided, InPlace, StateSpace};
use engine_puzzlescript::analysis::{Bounds, Buffers as TokenBuffers};
use engine_puzzlescript::input::Input;
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{LevelBoard, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::turn::{self, Workspace};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// A packed state.
pub(super) type Key = Box<[u64]>;

/// A level in play.
pub(super) struct Play {
    /// The rules that may match on this level.
    pub program: Program,
    pub written: LevelBoard,
    packing: Packing,
    /// None: 0 for every board.
    bounds: Option<Arc<Bounds>>,
    /// The random generator, if the game draws at random.
    random: Option<Random>,
    /// Buffers that no thread uses at present.
    buffers: Mutex<Vec<Buffers>>,
    /// The reason why the effect of some press is unknown: it was given up, or its key is not exact.
    gave_up: OnceLock<Limit>,
    /// True if the key of the start is that of another position.
    starts_elsewhere: bool,
    /// Ends the search.
    stop: Stop,
    /// The same, within a press.
    stop_of_press: turn::StopSignal,
}

/// The buffers for presses in one state.
struct Buffers {
    workspace: Workspace,
    /// The state, of which both boards below are unpacked.
    key: Vec<u64>,
    board: Vec<u64>,
    target: Vec<u64>,
    /// The target after the press.
    target_after: Vec<u64>,
    tokens: TokenBuffers,
    /// Never drawn from if the game does not draw.
    random: Random,
}

impl Play {
    pub fn new(
        program: Program,
        written: LevelBoard,
        packing: Packing,
        bounds: Option<Arc<Bounds>>,
        random: Option<Random>,
        stop: Stop,
    ) -> Play {
        let is_due = stop.clone();
        let stop_of_press = turn::StopSignal::when(move || is_due.check_cheap().is_some());
        let (buffers, gave_up) = (Mutex::default(), OnceLock::new());
        let starts_elsewhere = false;
        Play { program, written, packing, bounds, random, buffers, gave_up, starts_elsewhere, stop, stop_of_press }
    }

    /// Returns whether the target of restarts is part of the state.
    fn has_targets(&self) -> bool {
        self.program.has_checkpoints()
    }

    /// Returns the number of words of a key.
    fn words(&self) -> usize {
        self.board_words() + usize::from(self.random.is_some())
    }

    /// Returns the number of words of the boards in a key.
    fn board_words(&self) -> usize {
        self.packing.words() * if self.has_targets() { 2 } else { 1 }
    }

    /// Returns the key of the start: a board with a target of restarts, after `drawn` random numbers, of a level that
    /// is won or not.
    pub fn start(&mut self, board: &[u64], target: &[u64], drawn: usize, won: bool) -> Key {
        let (mut key, mut is_exact) = self.packing.pack(board);
        if self.has_targets() {
            let (target, is_target_exact) = self.packing.pack(target);
            key.extend(target);
            is_exact &= is_target_exact;
        }
        if self.random.is_some() {
            key.push(drawn as u64);
        }
        self.set_won(&mut key, won);
        self.check(is_exact);
        self.starts_elsewhere = !is_exact;
        key.into()
    }

    /// Records that a key is not exact, if so.
    fn check(&self, is_exact: bool) {
        if !is_exact {
            let _ = self.gave_up.set(Limit::Work);
        }
    }

    /// Returns whether a key is of a won level.
    pub fn is_won(&self, key: &[u64]) -> bool {
        let bit = self.packing.bits();
        key[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets whether the level is won, in the first bit after those of the board.
    fn set_won(&self, key: &mut [u64], won: bool) {
        let bit = self.packing.bits();
        key[bit / 64] = key[bit / 64] & !(1 << (bit % 64)) | u64::from(won) << (bit % 64);
    }

    /// Returns the board of a key.
    pub fn board(&self, key: &Key) -> Vec<u64> {
        self.packing.unpacked(&key[..self.packing.words()])
    }

    /// Returns the target of restarts of a key, if rules may change it.
    pub fn target(&self, key: &Key) -> Option<Vec<u64>> {
        self.has_targets().then(|| self.packing.unpacked(&key[self.packing.words()..self.board_words()]))
    }

    /// Returns how many random numbers are drawn before a key.
    pub fn drawn(&self, key: &Key) -> usize {
        if self.random.is_some() { key[self.board_words()] as usize } else { 0 }
    }

    /// Returns whether an object may come into some cell or leave it.
    pub fn may_change(&self, object: usize) -> bool {
        self.packing.may_change(object)
    }

    /// Presses all keys in a state for a search. Calls `child` with each press that changes it, and the state after it.
    /// Returns early once the search must stop.
    fn for_each_press(&self, key: &Key, mut child: impl FnMut(Input, Key)) {
        if self.gave_up.get().is_some_and(|&limit| limit != Limit::Work) {
            return;
        }
        self.press(key, self.program.inputs(), self.stop_of_press.clone(), |input, next, _| child(input, next));
    }

    /// Presses some keys in a state, as [`for_each_press`](Self::for_each_press), with the messages of each press.
    /// Breaks a press off once `stop` is due.
    fn press(&self, key: &Key, inputs: &[Input], stop: turn::StopSignal, mut child: impl FnMut(Input, Key, &[String])) {
        if self.is_won(key) || self.starts_elsewhere {
            return;
        }
        let mut buffers = self.take_buffers();
        buffers.workspace.set_stop(stop);
        let Buffers { workspace, key: before, board, target, target_after, random, .. } = &mut buffers;
        let words = self.packing.words();
        self.packing.unpack(&before[..words], &key[..words], board);
        if self.has_targets() {
            self.packing.unpack(&before[words..], &key[words..2 * words], target);
        }
        before.copy_from_slice(key);
        let drawn = self.drawn(key);
        for &input in inputs {
            random.set_drawn(drawn);
            workspace.set_objects(board);
            if self.has_targets() {
                target_after.clone_from(target);
            }
            match workspace.press(&self.program, input, target_after, random, &mut 0) {
                // After an endless chain, no key can be pressed any more.
                Outcome::Endless => {}
                Outcome::Limit => _ = self.gave_up.set(self.stop.check_cheap().unwrap_or(Limit::Work)),
                Outcome::Same if random.drawn() == drawn => {}
                outcome => {
                    let mut next = key.clone();
                    let mut is_exact = self.packing.repack(board, workspace.objects(), &mut next[..words]);
                    if self.has_targets() {
                        is_exact &= self.packing.repack(target, target_after, &mut next[words..]);
                    }
                    if self.random.is_some() {
                        next[self.board_words()] = random.drawn() as u64;
                    }
                    let is_won = outcome == Outcome::Won;
                    self.set_won(&mut next, is_won);
                    self.check(is_exact);
                    // From a key that is not exact, presses would go on in another position. A chain of turns may end
                    // where it began.
                    if (is_exact || is_won) && next != *key {
                        child(input, next, workspace.messages());
                    }
                }
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
        let key = vec![0; self.words()];
        let board = self.packing.unpacked(&key);
        let (target, target_after) = (board.clone(), self.written.cells.clone());
        let random = self.random.clone().unwrap_or_else(|| Random::new(""));
        let tokens = TokenBuffers::default();
        Buffers { workspace, key, board, target, target_after, tokens, random }
    }

    /// Appends lower bounds on the presses that states need.
    fn bounds_of(&self, keys: &[Key], values: &mut Vec<u32>) {
        let Some(bounds) = &self.bounds else {
            values.resize(values.len() + keys.len(), 0);
            return;
        };
        let mut buffers = self.take_buffers();
        let Buffers { key: before, board, tokens, .. } = &mut buffers;
        let words = self.packing.words();
        for key in keys {
            self.packing.unpack(&before[..words], &key[..words], board);
            before[..words].copy_from_slice(&key[..words]);
            let bound = if self.is_won(key) { Some(0) } else { bounds.of(board, tokens) };
            values.push(bound.unwrap_or(u32::INFINITY));
        }
        self.buffers.lock().push(buffers);
    }

    /// Returns the state after a press.
    pub fn pressed(&self, key: &Key, input: Input) -> Key {
        let mut after = key.clone();
        // A move that is known to be one is never broken off, not even after the end of a search.
        self.press(key, &[input], turn::StopSignal::default(), |_, next, _| after = next);
        after
    }

    /// Returns the messages of a press, and whether it wins.
    pub fn messages(&self, key: &Key, input: Input) -> (Vec<String>, bool) {
        let mut found = (Vec::new(), false);
        self.press(key, &[input], turn::StopSignal::default(), |_, next, messages| {
            found = (messages.to_vec(), self.is_won(&next));
        });
        found
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
        Facts {
            unit_cost: true,
            key_heap_bytes,
            table_bytes,
            transient_keys: true,
            has_features: true,
            ..Facts::default()
        }
    }

    fn is_goal(&self, key: &Key) -> bool {
        self.play.is_won(key)
    }

    fn expand(&self, key: &Key, mut child: impl FnMut(Input, u32, Key)) {
        self.play.for_each_press(key, |input, next| child(input, 1, next));
    }

    fn expand_on_path(&self, key: &Key, mut child: impl FnMut(Input, u32, Key)) {
        self.play.press(key, self.play.program.inputs(), turn::StopSignal::default(), |input, next, _| {
            child(input, 1, next)
        });
    }

    /// Each object in a cell is a feature.
    fn features(&self, key: &Key, features: &mut Vec<u64>) {
        for (number, mut word) in (0..).zip(self.play.board(key)) {
            while word != 0 {
                features.push(number * 64 + u64::from(word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }

    fn unknown_moves(&self) -> Option<Limit> {
        self.play.gave_up.get().copied()
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

    fn refutation(&self, key: &Key) -> Option<Refutation> {
        let height = self.play.written.height;
        Some(self.play.bounds.as_ref()?.why_never(&self.play.board(key), height)?.into())
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
        self.play.for_each_press(state, |input, _| actions.push(input));
        actions.into_iter()
    }

    fn nth_action(&self, state: &Key, number: usize) -> Option<Input> {
        let mut inputs = Vec::new();
        self.expand_on_path(state, |input, _, _| inputs.push(input));
        inputs.get(number).copied()
    }

    fn apply(&self, state: &mut Key, input: Input) -> (u32, Key) {
        let next = self.play.pressed(state, input);
        (1, std::mem::replace(state, next))
    }

    fn undo(&self, state: &mut Key, _input: Input, before: Key) {
        *state = before;
    }

    fn trail(&self, _state: &Self::State) {}

    fn follow(&self, (): &(), _state: &Key, _input: Input) -> Option<()> {
        Some(())
    }
}
