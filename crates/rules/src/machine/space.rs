//! The state space of a puzzle that the machine plays: states at rest, and the moves between them.

use super::formula::Formula;
use super::state::{Key, State};
use super::turn::{Outcome, Step, Workspace};
use super::{Machine, known_number};
use crate::search::{Limit, Stop};
use crate::task::Value;
use engine_search::space::{Facts, Guided, InPlace, StateSpace};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// The graph of the states of a puzzle. An action is the number of a unit among the moves.
pub(super) struct MachineSpace {
    pub machine: Arc<Machine>,
    /// Buffers that no thread uses at present.
    buffers: Mutex<Vec<Buffers>>,
    /// The limit that ended some move.
    gave_up: OnceLock<Limit>,
    stop: Stop,
}

/// The buffers for the moves of one state.
struct Buffers {
    workspace: Workspace,
    /// The moves to be tried.
    open: Vec<u64>,
}

impl MachineSpace {
    pub fn new(machine: Arc<Machine>, stop: Stop) -> MachineSpace {
        MachineSpace { machine, buffers: Mutex::default(), gave_up: OnceLock::new(), stop }
    }

    /// Runs `work` with buffers.
    fn with_buffers<T>(&self, work: impl FnOnce(&mut Buffers) -> T) -> T {
        let free = self.buffers.lock().pop();
        let mut buffers = free.unwrap_or_else(|| Buffers {
            workspace: Workspace::new(&self.machine, self.stop.clone()),
            open: vec![0; self.machine.moves.len().div_ceil(64)],
        });
        let result = work(&mut buffers);
        self.buffers.lock().push(buffers);
        result
    }

    /// Calls `child` with each legal move of a state, its cost and the state after it. With `limit`, a move may be
    /// given up when the search is to stop.
    fn for_each_move(&self, key: &Key, limit: bool, mut child: impl FnMut(u32, u32, Key)) {
        let machine = &*self.machine;
        self.with_buffers(|Buffers { workspace, open }| {
            workspace.stop = if limit { self.stop.clone() } else { Stop::default() };
            machine.packing.unpack(key, &mut workspace.state);
            machine.move_watch.add_all(open);
            for cell in 0..machine.cells() {
                machine.move_watch.add(cell, workspace.state.values[cell], open);
            }
            for (word, bits) in open.iter_mut().enumerate() {
                while *bits != 0 {
                    let number = word * 64 + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    match workspace.make(machine, &machine.moves[number]) {
                        Outcome::Illegal => {}
                        Outcome::GivenUp(limit) => _ = self.gave_up.set(limit),
                        Outcome::Done(cost) => {
                            let next = after(machine, workspace, key);
                            if next != *key {
                                child(number as u32, cost, next);
                            }
                        }
                    }
                    if workspace.was_too_long() {
                        _ = self.gave_up.set(Limit::Work);
                    }
                    workspace.undo();
                }
            }
        });
    }

    /// Returns the key of the start.
    pub fn start(&self) -> Key {
        key_of(&self.machine, &self.machine.start)
    }
}

/// Returns the key after the move that a workspace has made.
fn after(machine: &Machine, workspace: &Workspace, key: &Key) -> Key {
    let mut next = key.clone();
    for var in workspace.changed() {
        machine.packing.set(&mut next, var, workspace.state.values[var]);
    }
    if workspace.has_carried() {
        machine.packing.set_piles(&mut next, &workspace.state);
    }
    machine.packing.set_goal(&mut next, workspace.is_goal(machine));
    next
}

/// Returns the key of a state.
pub(super) fn key_of(machine: &Machine, state: &State) -> Key {
    let mut workspace = Workspace::new(machine, Stop::default());
    workspace.state.clone_from(state);
    machine.packing.pack(state, workspace.is_goal(machine))
}

impl Machine {
    /// Returns the steps of a legal move.
    pub fn trace(&self, state: &State, action: u32) -> (State, Vec<Step>) {
        let mut workspace = Workspace::new(self, Stop::default());
        workspace.state.clone_from(state);
        workspace.trace = Some(Vec::new());
        workspace.make(self, &self.moves[action as usize]);
        (workspace.state, workspace.trace.unwrap_or_default())
    }

    /// Returns the legal moves of a state, with the state after each.
    pub fn legal_moves(&self, state: &State) -> Vec<(u32, State)> {
        let mut workspace = Workspace::new(self, Stop::default());
        workspace.state.clone_from(state);
        let mut found = Vec::new();
        for (number, unit) in (0..).zip(&self.moves) {
            let is_legal = matches!(workspace.make(self, unit), Outcome::Done(_)) && workspace.state != *state;
            found.extend(is_legal.then(|| (number, workspace.state.clone())));
            workspace.undo();
        }
        found
    }
}

impl StateSpace for MachineSpace {
    type Key = Key;
    type Action = u32;
    type Cost = u32;

    fn facts(&self) -> Facts {
        let machine = &*self.machine;
        let mut costs = machine.moves.iter().map(|unit| &machine.bindings[unit.binding as usize].cost);
        let first = machine.moves.first().map(|unit| &machine.bindings[unit.binding as usize].cost);
        let is_equal =
            first.and_then(known_number).is_some_and(|cost| cost > 0) && costs.clone().all(|cost| Some(cost) == first);
        let is_positive = |cost: &Formula| known_number(cost).is_some_and(|cost| cost > 0);
        let is_free = !costs.all(is_positive);
        Facts {
            unit_cost: is_equal && first.and_then(known_number) == Some(1),
            equal_cost: is_equal,
            free_moves: is_free,
            free_cycles: is_free,
            key_heap_bytes: machine.packing.words() * size_of::<u64>(),
            // Only the process that gives a move up knows of it: `unknown_moves`.
            transient_keys: true,
            has_features: true,
            ..Facts::default()
        }
    }

    fn is_goal(&self, key: &Key) -> bool {
        self.machine.packing.is_goal(key)
    }

    fn expand(&self, key: &Key, child: impl FnMut(u32, u32, Key)) {
        if self.gave_up.get().is_none_or(|&limit| limit == Limit::Work) {
            self.for_each_move(key, true, child);
        }
    }

    fn expand_on_path(&self, key: &Key, child: impl FnMut(u32, u32, Key)) {
        self.for_each_move(key, false, child);
    }

    fn unknown_moves(&self) -> Option<Limit> {
        self.gave_up.get().copied()
    }

    /// Each variable with its value is a feature, and each place in a pile with its item.
    fn features(&self, key: &Key, features: &mut Vec<u64>) {
        self.with_buffers(|Buffers { workspace, .. }| {
            self.machine.packing.unpack(key, &mut workspace.state);
            let State { values, piles } = &workspace.state;
            let feature = |(var, value): (u64, &Value)| var << 16 | u64::from(*value);
            features.extend((0..).zip(values).map(feature));
            for (number, pile) in (values.len() as u64..).zip(piles) {
                features.extend(
                    (0..).zip(pile).map(|(height, item): (u64, _)| number << 32 | height << 16 | u64::from(*item)),
                );
            }
            features.sort_unstable();
        });
    }
}

impl Guided for MachineSpace {}

impl InPlace for MachineSpace {
    type State = Key;
    /// The state before the move.
    type Undo = Key;
    type Trail = ();
    type Actions<'a> = std::vec::IntoIter<u32>;

    fn initial(&self) -> Key {
        self.start()
    }

    fn pack(&self, state: &Key) -> Key {
        state.clone()
    }

    fn unpack(&self, key: &Key) -> Key {
        key.clone()
    }

    fn actions(&self, state: &Key) -> Self::Actions<'_> {
        let mut actions = Vec::new();
        self.expand(state, |action, _, _| actions.push(action));
        actions.into_iter()
    }

    fn nth_action(&self, state: &Key, number: usize) -> Option<u32> {
        let mut actions = Vec::new();
        self.expand_on_path(state, |action, _, _| actions.push(action));
        actions.get(number).copied()
    }

    fn apply(&self, state: &mut Key, action: u32) -> (u32, Key) {
        self.with_buffers(|Buffers { workspace, .. }| {
            let machine = &*self.machine;
            // A move that is known to be one is never given up, not even after the end of a search.
            workspace.stop = Stop::default();
            machine.packing.unpack(state, &mut workspace.state);
            let cost = match workspace.make(machine, &machine.moves[action as usize]) {
                Outcome::Done(cost) => cost,
                Outcome::Illegal | Outcome::GivenUp(_) => 0,
            };
            let next = after(machine, workspace, state);
            workspace.undo();
            (cost, std::mem::replace(state, next))
        })
    }

    fn undo(&self, state: &mut Key, _action: u32, before: Key) {
        *state = before;
    }

    fn trail(&self, _state: &Key) {}

    fn follow(&self, (): &(), _state: &Key, _action: u32) -> Option<()> {
        Some(())
    }
}
