//! A move with its consequences, made in place.
//!
//! Every change is recorded, so that a move can be undone, and so that only the consequences are tried which a change
//! concerns. A chain of consequences is deterministic: it is endless exactly if a state comes again. It is compared with
//! states after powers of two of its steps (Brent 1980), so an endless chain is found some steps after the first state
//! that comes again.

use super::bodies::{Bodies, Region};
use super::formula::{Formula, Scene};
use super::state::State;
use super::watch::set;
use super::{Act, Binding, Check, Machine, Pattern, Put, Unit, has};
use crate::ground::MOST_COST;
use crate::model::{Image, Shift};
use crate::search::{Limit, Stop};
use crate::task::{Value, Var};
use std::cell::Cell;

/// The most steps of a move.
const MOST_STEPS: u32 = 100_000;
/// The first step after which states are compared. Most moves end before.
const FIRST_COMPARED: u32 = 16;
/// The clock is read once in this number of steps.
const STEPS_PER_LOOK: u32 = 1 << 10;

/// The outcome of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is not legal.
    Illegal,
    /// A limit ended it.
    GivenUp(Limit),
    /// It is legal, unless the state is the same as before, at this cost.
    Done(u32),
}

/// The outcome of a unit.
enum Applied {
    No,
    /// The passes never end.
    Endless,
    GivenUp(Limit),
    Yes(u32),
}

/// A step of a move, for drawing it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub values: Vec<Value>,
    /// The cells from which and to which symbols are known to move.
    pub moved: Vec<(usize, usize)>,
    /// The cells that change in place.
    pub in_place: Vec<usize>,
    /// The items that are carried: from pile, to pile, their number, and whether they are turned.
    pub carried: Option<(usize, usize, usize, bool)>,
}

/// A state, and buffers to make moves in it.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub state: State,
    /// The changed variables with their values before, in the order of the changes.
    changes: Vec<(u32, Value)>,
    /// The carried items: from pile, to pile, their number, whether they were turned.
    carried: Vec<(usize, usize, usize, bool)>,
    /// The values that the unit gives.
    new: Vec<(u32, Value)>,
    assigned: Vec<(Var, Value)>,
    /// For each cell, the pass that gave it a symbol, and that symbol.
    given: Vec<(u64, Value)>,
    pass: u64,
    /// For each variable, the last time that it was looked at.
    seen: Vec<u64>,
    time: u64,
    body: Region,
    moving: Region,
    /// The consequences to be tried.
    open: Vec<u64>,
    /// The steps of the move so far.
    steps: u32,
    too_long: Cell<bool>,
    compared: State,
    compared_cells: Vec<Value>,
    /// The steps of the move, if they are wanted.
    pub trace: Option<Vec<Step>>,
    pub stop: Stop,
}

impl Workspace {
    pub fn new(machine: &Machine, stop: Stop) -> Workspace {
        Workspace {
            state: machine.start.clone(),
            given: vec![(0, 0); machine.cells()],
            seen: vec![0; machine.terms.values.len()],
            open: vec![0; machine.after.len().div_ceil(64)],
            stop,
            ..Workspace::default()
        }
    }

    /// Returns the variables that the move changed, some more than once.
    pub fn changed(&self) -> impl Iterator<Item = Var> {
        self.changes.iter().map(|&(var, _)| var as Var)
    }

    /// Returns whether the move carried items.
    pub fn has_carried(&self) -> bool {
        !self.carried.is_empty()
    }

    /// Makes a move with its consequences. [`undo`](Self::undo) it before the next one.
    pub fn make(&mut self, machine: &Machine, unit: &Unit) -> Outcome {
        self.steps = 0;
        let outcome = match self.apply(machine, unit) {
            Applied::No | Applied::Endless => Outcome::Illegal,
            Applied::GivenUp(limit) => Outcome::GivenUp(limit),
            Applied::Yes(cost) if machine.after.is_empty() => Outcome::Done(cost),
            Applied::Yes(cost) => {
                if let Some(image) = unit.image {
                    machine.after_watch.add_image(&image, &mut self.open);
                }
                self.open_changed(machine, (0, 0));
                self.settle(machine, unit.image, cost)
            }
        };
        let is_forbidden = |never| self.scene(machine, &[], None).holds(never);
        match outcome {
            Outcome::Done(_) if machine.never.iter().any(is_forbidden) => Outcome::Illegal,
            outcome => outcome,
        }
    }

    /// Returns whether a range was too long to be evaluated since it was last asked.
    pub fn was_too_long(&self) -> bool {
        self.too_long.take()
    }

    /// Applies the consequences that the present state has. Returns whether any applied, or the limit that ended them.
    /// No move has been made, so those in its image do not count.
    pub fn rest(&mut self, machine: &Machine) -> Outcome {
        self.steps = 0;
        (0..machine.after.len()).for_each(|number| set(&mut self.open, number));
        self.settle(machine, None, 0)
    }

    /// Returns whether anything changed since the last move was undone.
    pub fn is_changed(&self) -> bool {
        !self.changes.is_empty() || self.has_carried()
    }

    /// Applies consequences until none changes anything.
    fn settle(&mut self, machine: &Machine, image: Option<Image>, cost: u32) -> Outcome {
        let mut compare_at = FIRST_COMPARED;
        let mut word = 0;
        while word < self.open.len() {
            if self.open[word] == 0 {
                word += 1;
                continue;
            }
            let number = word * 64 + self.open[word].trailing_zeros() as usize;
            let unit = &machine.after[number];
            self.open[word] &= self.open[word] - 1;
            if machine.is_in_image(unit) && !is_same(unit.image, image) {
                continue;
            }
            let before = (self.changes.len(), self.carried.len());
            let ending = match self.apply(machine, unit) {
                Applied::No => {
                    self.undo_to(before);
                    continue;
                }
                Applied::Endless => Some(Outcome::Illegal),
                Applied::GivenUp(limit) => Some(Outcome::GivenUp(limit)),
                Applied::Yes(_) if !self.is_changed_since(before) => continue,
                Applied::Yes(_) => {
                    set(&mut self.open, number);
                    self.open_changed(machine, before);
                    word = 0;
                    match self.step() {
                        Some(limit) => Some(Outcome::GivenUp(limit)),
                        None if compare_at > FIRST_COMPARED && self.compared == self.state => Some(Outcome::Illegal),
                        None => None,
                    }
                }
            };
            if let Some(ending) = ending {
                self.open.fill(0);
                return ending;
            }
            if self.steps >= compare_at {
                compare_at = self.steps.saturating_mul(2);
                self.compared.clone_from(&self.state);
            }
        }
        Outcome::Done(cost)
    }

    /// Counts a step. Returns the limit that it reaches.
    fn step(&mut self) -> Option<Limit> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Some(Limit::Work);
        }
        if self.steps.is_multiple_of(STEPS_PER_LOOK) { self.stop.check_cheap() } else { None }
    }

    /// Opens the consequences that changes concern.
    fn open_changed(&mut self, machine: &Machine, (changes, carried): (usize, usize)) {
        let mut is_on_grid = false;
        for &(var, _) in &self.changes[changes..] {
            let var = var as Var;
            machine.after_watch.add(var, self.state.values[var], &mut self.open);
            is_on_grid |= var < machine.cells();
        }
        if is_on_grid {
            machine.after_watch.add_all(&mut self.open);
        }
        if self.carried.len() > carried {
            machine.after_watch.add_piles(&mut self.open);
        }
    }

    /// Returns whether the state differs from that before some changes.
    fn is_changed_since(&mut self, (changes, carried): (usize, usize)) -> bool {
        if self.carried.len() > carried {
            return true;
        }
        self.time += 1;
        self.changes[changes..].iter().any(|&(var, before)| {
            let is_first = std::mem::replace(&mut self.seen[var as usize], self.time) != self.time;
            is_first && self.state.values[var as usize] != before
        })
    }

    /// Undoes the move.
    pub fn undo(&mut self) {
        self.undo_to((0, 0));
    }

    fn undo_to(&mut self, (changes, carried): (usize, usize)) {
        for (var, value) in self.changes.drain(changes..).rev() {
            self.state.values[var as usize] = value;
        }
        for (from, to, count, turned) in self.carried.drain(carried..).rev() {
            carry(&mut self.state, to, from, count, turned);
        }
    }

    fn scene<'a>(&'a self, machine: &'a Machine, letters: &'a [Option<u32>], at: Option<(usize, Image)>) -> Scene<'a> {
        let Machine { terms, bodies, .. } = machine;
        Scene { terms, bodies, state: &self.state, letters, at, too_long: &self.too_long }
    }

    /// Returns whether a condition holds.
    pub fn holds(&self, machine: &Machine, condition: &Formula) -> bool {
        self.scene(machine, &[], None).holds(condition)
    }

    /// Returns the value of an expression; none if it is undefined.
    pub fn number(&self, machine: &Machine, formula: &Formula) -> Option<i64> {
        let value = self.scene(machine, &[], None).number(formula, &mut Vec::new());
        // No move depends on it.
        if self.was_too_long() { None } else { value }
    }

    /// Returns whether a goal holds.
    pub fn is_goal(&self, machine: &Machine) -> bool {
        let scene = self.scene(machine, &[], None);
        machine.goals.iter().any(|goal| goal.holds(&scene, machine.cells()))
    }

    /// Applies a unit.
    fn apply(&mut self, machine: &Machine, unit: &Unit) -> Applied {
        let binding = &machine.bindings[unit.binding as usize];
        let pattern = match &unit.act {
            Act::Pattern(pattern) => Some(&machine.patterns[*pattern as usize]),
            Act::Slide(steps, _) => steps[0].map(|pattern| &machine.patterns[pattern as usize]),
            Act::Nothing | Act::Pass(..) | Act::Shift | Act::ShiftAll => None,
        };
        if pattern.is_some_and(|pattern| !self.matches(machine, pattern)) {
            return Applied::No;
        }
        let letters = pattern.map_or(&[][..], |pattern| machine.letters(pattern));
        let at = unit.places.first().copied().zip(unit.image);
        let scene = self.scene(machine, letters, at);
        let is_everywhere = matches!(unit.act, Act::Pass(..) | Act::ShiftAll);
        if !binding.conditions.iter().all(|condition| scene.holds(condition))
            || !is_everywhere && !binding.local_conditions.iter().all(|condition| scene.holds(condition))
        {
            return Applied::No;
        }
        let cost = scene.number(&binding.cost, &mut Vec::new()).and_then(|cost| u32::try_from(cost).ok());
        let Some(cost) = cost.filter(|cost| *cost <= MOST_COST) else { return Applied::No };
        let mut assigned = std::mem::take(&mut self.assigned);
        assigned.clear();
        let scene = self.scene(machine, letters, at);
        let is_defined = binding.then.iter().all(|(var, value)| {
            let value = scene.value(value, &mut Vec::new()).and_then(|datum| machine.terms.value(*var, datum));
            assigned.extend(value.map(|value| (*var, value)));
            value.is_some()
        });
        let carried = binding.carry.as_ref().map(|carry| {
            let (from, to) =
                (scene.pile_number(&carry.from, &mut Vec::new())?, scene.pile_number(&carry.to, &mut Vec::new())?);
            let count = usize::try_from(scene.number(&carry.count, &mut Vec::new())?).ok()?;
            let fits = from != to
                && count <= self.state.piles[from].len()
                && self.state.piles[to].len() + count <= machine.most[to];
            fits.then_some((from, to, count, carry.turned))
        });
        self.assigned = assigned;
        if !is_defined || carried == Some(None) {
            return Applied::No;
        }
        let changed = match &unit.act {
            Act::Nothing => Applied::Yes(cost),
            Act::Pattern(number) => {
                self.rewrite(machine, &machine.patterns[*number as usize]);
                Applied::Yes(cost)
            }
            Act::Slide(steps, wraps) => self.slide(machine, steps, *wraps),
            Act::Pass(patterns, repeats) => self.passes(machine, binding, patterns, *repeats),
            Act::Shift => self.shift(machine, binding, unit),
            Act::ShiftAll => self.shift_all(machine, binding, unit),
        };
        match changed {
            Applied::Yes(_) => {}
            other => return other,
        }
        for at in 0..self.assigned.len() {
            let (var, value) = self.assigned[at];
            self.write(var, value);
        }
        let carried = carried.flatten().filter(|(.., count, _)| *count > 0);
        if let Some((from, to, count, turned)) = carried {
            carry(&mut self.state, from, to, count, turned);
            self.carried.push((from, to, count, turned));
        }
        let is_recorded = matches!(unit.act, Act::Pass(..) | Act::Shift | Act::ShiftAll);
        if !is_recorded || !self.assigned.is_empty() || carried.is_some() {
            let pattern = pattern.filter(|_| matches!(unit.act, Act::Pattern(_)));
            self.record(machine, pattern, carried.is_some());
        }
        Applied::Yes(cost)
    }

    /// Records a step of the move, if steps are wanted.
    fn record(&mut self, machine: &Machine, pattern: Option<&Pattern>, carries: bool) {
        let carried = self.carried.last().copied().filter(|_| carries);
        if let Some(trace) = &mut self.trace {
            let puts = pattern.map_or(&[][..], |pattern| machine.puts(pattern));
            let in_place =
                puts.iter().filter(|put| matches!(put, Put::Map(..))).map(|put| put.cell() as usize).collect();
            trace.push(Step { values: self.state.values.clone(), in_place, carried, ..Step::default() });
        }
    }

    fn write(&mut self, var: Var, value: Value) {
        let before = std::mem::replace(&mut self.state.values[var], value);
        if before != value {
            self.changes.push((var as u32, before));
        }
    }

    /// Returns whether a pattern matches.
    fn matches(&self, machine: &Machine, pattern: &Pattern) -> bool {
        let cells = &self.state.values;
        machine.checks(pattern).iter().all(|check| match *check {
            Check::Is(cell, value) => cells[cell as usize] == value,
            Check::In(cell, set) => has(&machine.symbols[set as usize], cells[cell as usize]),
            Check::Same(cell, other) => cells[cell as usize] == cells[other as usize],
        })
    }

    /// Returns the new symbol of a cell.
    fn put(&self, machine: &Machine, put: Put) -> (u32, Value) {
        let cells = &self.state.values;
        match put {
            Put::Symbol(cell, value) => (cell, value),
            Put::Copy(cell, from) => (cell, cells[from as usize]),
            Put::Map(cell, table) => (cell, machine.tables[table as usize][usize::from(cells[cell as usize])]),
        }
    }

    /// Rewrites by a pattern that matches. All new symbols are those of the state before.
    fn rewrite(&mut self, machine: &Machine, pattern: &Pattern) {
        let mut new = std::mem::take(&mut self.new);
        new.clear();
        new.extend(machine.puts(pattern).iter().map(|put| self.put(machine, *put)));
        new.iter().for_each(|&(cell, value)| self.write(cell as usize, value));
        self.new = new;
    }

    /// Returns whether `then` changes a cell that a pattern changes, too: then the rule does not apply.
    fn is_assigned(&self, machine: &Machine, pattern: &Pattern) -> bool {
        let cells = machine.cells();
        let mut assigned = self.assigned.iter().filter(|(var, _)| *var < cells);
        assigned.any(|(var, _)| machine.puts(pattern).iter().any(|put| put.cell() as usize == *var))
    }

    /// Rewrites by one pattern after the other.
    fn slide(&mut self, machine: &Machine, steps: &[Option<u32>], wraps: bool) -> Applied {
        let (mut compare_at, mut is_compared) = (steps.len() * 2, false);
        for count in 0.. {
            if count == steps.len() && !wraps {
                break;
            }
            let Some(number) = steps[count % steps.len()] else { break };
            let pattern = &machine.patterns[number as usize];
            if !self.matches(machine, pattern) {
                break;
            }
            if self.is_assigned(machine, pattern) {
                return Applied::No;
            }
            self.rewrite(machine, pattern);
            if count > 0 && count % steps.len() == 0 {
                // Once around the grid.
                if is_compared && self.state.values[..machine.cells()] == self.compared_cells[..] {
                    return Applied::No;
                }
                if count >= compare_at {
                    (compare_at, is_compared) = (count * 2, true);
                    self.compared_cells.clear();
                    self.compared_cells.extend_from_slice(&self.state.values[..machine.cells()]);
                }
                if count / steps.len() > MOST_STEPS as usize {
                    return Applied::GivenUp(Limit::Work);
                }
            }
        }
        Applied::Yes(0)
    }

    /// Rewrites by all patterns at once, once or until nothing changes.
    fn passes(&mut self, machine: &Machine, binding: &Binding, patterns: &[u32], repeats: bool) -> Applied {
        let mut compare_at = FIRST_COMPARED;
        self.compared_cells.clear();
        for count in 1.. {
            let mut new = std::mem::take(&mut self.new);
            new.clear();
            self.pass += 1;
            let mut is_assigned = false;
            for &number in patterns {
                let pattern = &machine.patterns[number as usize];
                if !self.matches(machine, pattern) {
                    continue;
                }
                if !binding.local_conditions.is_empty() {
                    let scene = self.scene(machine, machine.letters(pattern), Some((pattern.place, pattern.image)));
                    if !binding.local_conditions.iter().all(|condition| scene.holds(condition)) {
                        continue;
                    }
                }
                // A match that would give a cell another symbol than an earlier one is left out.
                let puts = machine.puts(pattern);
                let is_free = puts.iter().all(|put| {
                    let (cell, value) = self.put(machine, *put);
                    let (pass, known) = self.given[cell as usize];
                    pass != self.pass || known == value
                });
                if !is_free {
                    continue;
                }
                is_assigned |= self.is_assigned(machine, pattern);
                for put in puts {
                    let (cell, value) = self.put(machine, *put);
                    self.given[cell as usize] = (self.pass, value);
                    new.push((cell, value));
                }
            }
            let before = self.changes.len();
            new.iter().for_each(|&(cell, value)| self.write(cell as usize, value));
            self.new = new;
            if is_assigned {
                return Applied::No;
            }
            if self.changes.len() == before {
                break;
            }
            self.record_pass(machine, patterns, before);
            if !repeats {
                break;
            }
            if let Some(limit) = self.step() {
                return Applied::GivenUp(limit);
            }
            let cells = &self.state.values[..machine.cells()];
            if self.compared_cells == cells {
                return Applied::Endless;
            }
            if count >= compare_at {
                compare_at = count * 2;
                self.compared_cells.clear();
                self.compared_cells.extend_from_slice(cells);
            }
        }
        Applied::Yes(0)
    }

    /// Records a pass, if steps are wanted.
    fn record_pass(&mut self, machine: &Machine, patterns: &[u32], before: usize) {
        if let Some(trace) = &mut self.trace {
            let puts = patterns.iter().flat_map(|&number| machine.puts(&machine.patterns[number as usize]));
            let mapped: Vec<u32> = puts.filter(|put| matches!(put, Put::Map(..))).map(|put| put.cell()).collect();
            let changed = self.changes[before..].iter().map(|(var, _)| *var);
            let in_place = changed.filter(|var| mapped.contains(var)).map(|var| var as usize).collect();
            trace.push(Step { values: self.state.values.clone(), in_place, ..Step::default() });
        }
    }

    /// Shifts the body of a cell, and the bodies that it pushes.
    fn shift(&mut self, machine: &Machine, binding: &Binding, unit: &Unit) -> Applied {
        let (Some(shift), Some(image), [place]) = (&machine.rule(binding).shift, unit.image, &unit.places[..]) else {
            return Applied::No;
        };
        let place = *place as u32;
        if !self.is_first(machine, shift, place) {
            return Applied::No;
        }
        self.moving.clear(machine.cells());
        let direction = Bodies::direction(&image);
        let mut moving = std::mem::take(&mut self.moving);
        let is_possible = self.push(machine, shift, place, direction, &mut moving);
        let is_possible = is_possible && self.move_cells(machine, shift, direction, &moving);
        self.moving = moving;
        if is_possible { Applied::Yes(0) } else { Applied::No }
    }

    /// Returns whether a cell is the first of its body with a symbol that is shifted.
    fn is_first(&mut self, machine: &Machine, shift: &Shift, place: u32) -> bool {
        let cells = &self.state.values[..machine.cells()];
        let is_moved = |cell: u32| shift.moved.contains(&cells[cell as usize]);
        if !is_moved(place) {
            return false;
        }
        self.body.clear(cells.len());
        machine.bodies.add(cells, place, &mut self.body);
        self.body.cells.iter().all(|&cell| cell >= place || !is_moved(cell))
    }

    /// Adds the body of a cell to those that move, with the bodies that it pushes. Returns whether they can move.
    fn push(&self, machine: &Machine, shift: &Shift, place: u32, direction: usize, moving: &mut Region) -> bool {
        let cells = &self.state.values[..machine.cells()];
        let from = moving.cells.len();
        machine.bodies.add(cells, place, moving);
        let mut at = from;
        while let Some(&cell) = moving.cells.get(at) {
            at += 1;
            let Some(next) = machine.bodies.ahead(cell, direction) else { return false };
            if !moving.contains(next) && shift.push.contains(&cells[next as usize]) {
                machine.bodies.add(cells, next, moving);
            }
        }
        moving.cells[from..].iter().all(|&cell| {
            let next = machine.bodies.ahead(cell, direction);
            next.is_some_and(|next| moving.contains(next) || shift.into.contains(&cells[next as usize]))
        })
    }

    /// Moves cells by one. Returns false if `then` changes one of them, too.
    fn move_cells(&mut self, machine: &Machine, shift: &Shift, direction: usize, moving: &Region) -> bool {
        let mut new = std::mem::take(&mut self.new);
        new.clear();
        let empty = shift.into.first().copied().unwrap_or(0);
        // Vacated cells first: a cell that is entered, too, gets its symbol afterwards.
        for &cell in &moving.cells {
            new.push((cell, empty));
        }
        for &cell in &moving.cells {
            if let Some(next) = machine.bodies.ahead(cell, direction) {
                new.push((next, self.state.values[cell as usize]));
            }
        }
        let is_assigned = self.assigned.iter().any(|(var, _)| new.iter().any(|&(cell, _)| cell as usize == *var));
        if !is_assigned {
            // Each cell is written once, with its last symbol.
            self.pass += 1;
            for &(cell, value) in new.iter().rev() {
                if self.given[cell as usize].0 != self.pass {
                    self.given[cell as usize] = (self.pass, value);
                    self.write(cell as usize, value);
                }
            }
            if let Some(trace) = &mut self.trace {
                let next = |cell: &u32| Some((*cell as usize, machine.bodies.ahead(*cell, direction)? as usize));
                let moved = moving.cells.iter().filter_map(next).collect();
                trace.push(Step { values: self.state.values.clone(), moved, ..Step::default() });
            }
        }
        self.new = new;
        !is_assigned
    }

    /// Shifts all bodies that could move alone, with those that they push.
    fn shift_all(&mut self, machine: &Machine, binding: &Binding, unit: &Unit) -> Applied {
        let (Some(shift), Some(image)) = (&machine.rule(binding).shift, unit.image) else { return Applied::No };
        let direction = Bodies::direction(&image);
        let mut together = Region::default();
        together.clear(machine.cells());
        let mut moving = std::mem::take(&mut self.moving);
        for place in 0..machine.cells() as u32 {
            if together.contains(place) || !self.is_first(machine, shift, place) {
                continue;
            }
            let scene = self.scene(machine, &[], Some((place as usize, image)));
            if !binding.local_conditions.iter().all(|condition| scene.holds(condition)) {
                continue;
            }
            moving.clear(machine.cells());
            if self.push(machine, shift, place, direction, &mut moving) {
                for &cell in &moving.cells {
                    machine.bodies.add(&self.state.values[..machine.cells()], cell, &mut together);
                }
            }
        }
        self.moving = moving;
        if self.move_cells(machine, shift, direction, &together) { Applied::Yes(0) } else { Applied::No }
    }
}

/// Returns whether two images are turned and mirrored alike.
fn is_same(one: Option<Image>, other: Option<Image>) -> bool {
    one.zip(other).is_some_and(|(one, other)| (one.quarters, one.mirrored) == (other.quarters, other.mirrored))
}

/// Carries the top items of a pile onto another.
fn carry(state: &mut State, from: usize, to: usize, count: usize, turned: bool) {
    let [from, to] = state.piles.get_disjoint_mut([from, to]).unwrap_or_else(|_| unreachable!("two other piles"));
    let items = from.drain(from.len() - count..);
    if turned { to.extend(items.rev()) } else { to.extend(items) }
}
