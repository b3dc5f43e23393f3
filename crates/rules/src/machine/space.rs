//! The state space of a puzzle that the machine plays: states at rest, and the moves between them.

use super::formula::{Formula, PileFormula};
use super::piles::{Alike, Hints, PileBounds};
use super::relaxed::{self, Relaxed};
use super::state::{Key, State};
use super::turn::{Outcome, Step, Workspace};
use super::{CarryFormula, Machine, known_number};
use crate::search::{Limit, Stop};
use crate::task::Value;
use engine_search::space::{Cost, Facts, Guided, InPlace, Quotient, StateSpace, Symmetric, Weighted};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// The graph of the states of a puzzle. An action is the number of a unit among the moves.
pub(super) struct MachineSpace {
    pub machine: Arc<Machine>,
    /// The lower bound; none: 0 for every state.
    relaxed: Option<Arc<Relaxed>>,
    /// Buffers that no thread uses at present.
    buffers: Mutex<Vec<Buffers>>,
    /// The limit that ended some move.
    gave_up: OnceLock<Limit>,
    stop: Stop,
    /// The lower bounds from piles; without them, bounds are 0.
    bounds: Option<Arc<PileBounds>>,
    /// The index of the heuristic of the file that takes the place of the bounds.
    own: Option<usize>,
    alike: Arc<Alike>,
    hints: Hints,
}

/// The buffers for the moves of one state.
struct Buffers {
    workspace: Workspace,
    /// The moves to be tried.
    open: Vec<u64>,
    /// For each pile, the first one that is alike and equal.
    twins: Vec<usize>,
    relaxed: relaxed::Buffers,
}

impl MachineSpace {
    pub fn new(machine: Arc<Machine>, is_guided: bool, stop: Stop) -> MachineSpace {
        let relaxed = machine.relaxed.clone().filter(|_| is_guided);
        let (buffers, gave_up, hints) = (Mutex::default(), OnceLock::new(), Hints::new(&machine));
        MachineSpace { machine, relaxed, buffers, gave_up, stop, bounds: None, own: None, alike: Arc::default(), hints }
    }

    /// Uses what is known of piles: bounds, and which of them are alike.
    pub fn with_piles(self, bounds: Option<Arc<PileBounds>>, alike: Arc<Alike>) -> MachineSpace {
        MachineSpace { bounds, alike, ..self }
    }

    /// Replaces the bounds by a heuristic of the file, given its index.
    pub fn with_own(self, own: Option<usize>) -> MachineSpace {
        MachineSpace { own, ..self }
    }

    /// Runs `work` with buffers.
    fn with_buffers<T>(&self, work: impl FnOnce(&mut Buffers) -> T) -> T {
        let free = self.buffers.lock().pop();
        let mut buffers = free.unwrap_or_else(|| Buffers {
            workspace: Workspace::new(&self.machine, self.stop.clone()),
            open: vec![0; self.machine.moves.len().div_ceil(64)],
            twins: Vec::new(),
            relaxed: relaxed::Buffers::default(),
        });
        let result = work(&mut buffers);
        self.buffers.lock().push(buffers);
        result
    }

    /// Calls `child` with each legal move of a state, its cost, and the state after it, packed and unpacked. With
    /// `limit`, a move may be given up when the search is to stop.
    fn for_each_move(&self, key: &Key, limit: bool, child: impl FnMut(u32, u32, Key, &State)) {
        self.for_each_move_except(key, limit, false, child);
    }

    /// Does the same. With `without_twins`, moves are left out that do with one of several equal piles what an earlier
    /// move does with another.
    fn for_each_move_except(
        &self,
        key: &Key,
        limit: bool,
        without_twins: bool,
        mut child: impl FnMut(u32, u32, Key, &State),
    ) {
        let machine = &*self.machine;
        self.with_buffers(|Buffers { workspace, open, twins, .. }| {
            workspace.stop = if limit { self.stop.clone() } else { Stop::default() };
            machine.packing.unpack(key, &mut workspace.state);
            if without_twins {
                self.alike.find_twins(&workspace.state.piles, twins);
            }
            machine.open_moves(&workspace.state, open);
            for (word, bits) in open.iter_mut().enumerate() {
                while *bits != 0 {
                    let number = word * 64 + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    if self.hints.rule_out(machine, number, &workspace.state.piles)
                        || without_twins && machine.has_twin(number, twins)
                    {
                        continue;
                    }
                    match workspace.make(machine, &machine.moves[number]) {
                        Outcome::Illegal => {}
                        Outcome::GivenUp(limit) => _ = self.gave_up.set(limit),
                        Outcome::Done(cost) => {
                            let next = after(machine, workspace, key);
                            if next != *key {
                                child(number as u32, cost, next, &workspace.state);
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

    /// Returns whether no limit but that of one move's work ended a move: then a search may go on.
    fn may_go_on(&self) -> bool {
        self.gave_up.get().is_none_or(|&limit| limit == Limit::Work)
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
        machine.packing.set_piles(&mut next, workspace.state.piles.iter());
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
    /// Returns whether another move does the same with piles that are equal to those of a move and come before them.
    fn has_twin(&self, action: usize, twins: &[usize]) -> bool {
        let binding = &self.bindings[self.moves[action].binding as usize];
        let Some(CarryFormula { from: PileFormula::Known(from), to: PileFormula::Known(to), .. }) = &binding.carry
        else {
            return false;
        };
        // If both are equal, the move is the other's image, too: it stays.
        let is_later = |pile: usize, other: usize| twins[pile] != pile && twins[pile] != other;
        is_later(*from, *to) || is_later(*to, *from)
    }

    /// Adds the moves that may be legal in a state.
    fn open_moves(&self, state: &State, open: &mut [u64]) {
        self.move_watch.add_all(open);
        for (cell, &value) in state.values[..self.cells()].iter().enumerate() {
            self.move_watch.add(cell, value, open);
        }
    }

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
        let mut open = vec![0; self.moves.len().div_ceil(64)];
        self.open_moves(state, &mut open);
        let is_open = |number: &u32| open[*number as usize / 64] >> (number % 64) & 1 == 1;
        for number in (0..self.moves.len() as u32).filter(is_open) {
            let made = workspace.make(self, &self.moves[number as usize]);
            let is_legal = matches!(made, Outcome::Done(_)) && workspace.state != *state;
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
            table_bytes: self.relaxed.as_ref().map_or(0, |relaxed| relaxed.bytes()),
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

    fn expand(&self, key: &Key, mut child: impl FnMut(u32, u32, Key)) {
        if self.may_go_on() {
            self.for_each_move(key, true, |action, cost, next, _| child(action, cost, next));
        }
    }

    fn expand_on_path(&self, key: &Key, mut child: impl FnMut(u32, u32, Key)) {
        self.for_each_move(key, false, |action, cost, next, _| child(action, cost, next));
    }

    fn quotient(&self) -> Option<Box<dyn Weighted<Key, u32> + '_>> {
        // A heuristic of the file may differ where piles are swapped.
        (!self.alike.is_empty() && self.own.is_none()).then(|| Box::new(Quotient(self)) as Box<dyn Weighted<Key, u32>>)
    }

    fn unknown_moves(&self) -> Option<Limit> {
        self.gave_up.get().copied()
    }

    /// Each variable with its value is a feature, and each item with what it lies on, or its place in a pile.
    fn features(&self, key: &Key, features: &mut Vec<u64>) {
        self.with_buffers(|Buffers { workspace, .. }| {
            self.machine.packing.unpack(key, &mut workspace.state);
            let State { values, piles } = &workspace.state;
            let feature = |(var, value): (u64, &Value)| var << 16 | u64::from(*value);
            features.extend((0..).zip(values).map(feature));
            self.alike.features(piles, features);
            features.sort_unstable();
            features.dedup();
        });
    }
}

impl Guided for MachineSpace {
    fn h(&self, key: &Key) -> u32 {
        let mut values = Vec::with_capacity(1);
        self.h_of(std::slice::from_ref(key), &mut values);
        values[0]
    }

    fn h_of(&self, keys: &[Key], values: &mut Vec<u32>) {
        if let Some(own) = self.own {
            let (formula, heuristic) = (&self.machine.own[own], &self.machine.model.own[own].heuristic);
            return self.with_buffers(|Buffers { workspace, .. }| {
                for key in keys {
                    self.machine.packing.unpack(key, &mut workspace.state);
                    values.push(heuristic.h_of(workspace.number(&self.machine, formula)));
                }
            });
        }
        if self.bounds.is_none() && self.relaxed.is_none() {
            return values.resize(values.len() + keys.len(), 0);
        }
        self.with_buffers(|Buffers { workspace, relaxed, .. }| {
            for key in keys {
                self.machine.packing.unpack(key, &mut workspace.state);
                values.push(match (&self.bounds, &self.relaxed) {
                    (Some(bounds), _) => bounds.of(&workspace.state.piles),
                    (None, Some(bound)) => bound.bound(&workspace.state, relaxed).unwrap_or(u32::INFINITY),
                    (None, None) => 0,
                });
            }
        });
    }

    fn guidance(&self) -> Option<String> {
        let of_relaxed = || self.relaxed.as_ref().map(|relaxed| format!("{} relaxed operators", relaxed.operators()));
        self.bounds.as_ref().map(|bounds| bounds.describe()).or_else(of_relaxed)
    }
}

/// Piles that are alike are sorted.
impl Symmetric for MachineSpace {
    fn canonical(&self, mut key: Key) -> Key {
        self.with_buffers(|Buffers { workspace, .. }| {
            let packing = &self.machine.packing;
            packing.unpack(&key, &mut workspace.state);
            packing.set_piles(&mut key, self.alike.sorted(&workspace.state.piles).into_iter());
        });
        key
    }

    fn expand_canonical(&self, key: &Key, mut child: impl FnMut(u32, Key)) {
        if self.may_go_on() {
            self.for_each_move_except(key, true, true, |_, cost, mut next, state| {
                self.machine.packing.set_piles(&mut next, self.alike.sorted(&state.piles).into_iter());
                child(cost, next);
            });
        }
    }
}

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
