//! The units that facts concern, so that a move tries few of them. A fact is a variable with a value.
//!
//! Of moves, a unit is registered at the symbols that one cell of it may have: a state makes it possible only by such a
//! symbol. Of consequences, a unit is registered at everything that it reads or changes: at rest none applies, so after
//! a change only those apply that it concerns.

use super::formula::Formula;
use super::{Act, Binding, Check, Machine, Unit, has};
use crate::model::Image;
use crate::task::{Value, Var};

/// The units that facts concern.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// For each variable, the number of its first fact.
    first: Vec<usize>,
    /// For each fact, where its units begin among all.
    starts: Vec<u32>,
    units: Vec<u32>,
    /// The units that every state, or every change of a cell, concerns; and those that every change of a pile concerns.
    all: Vec<u64>,
    piles: Vec<u64>,
    /// The units that every move in an image concerns.
    images: [Vec<u64>; 8],
}

impl Watch {
    fn new(machine: &Machine, units: usize) -> (Watch, Vec<Vec<u32>>) {
        let mut facts = 0;
        let mut first = Vec::new();
        for values in &machine.terms.values {
            first.push(facts);
            facts += values.len();
        }
        let none = vec![0; units.div_ceil(64)];
        let watch = Watch {
            first,
            starts: Vec::new(),
            units: Vec::new(),
            all: none.clone(),
            piles: none.clone(),
            images: std::array::from_fn(|_| none.clone()),
        };
        (watch, vec![Vec::new(); facts])
    }

    fn finish(mut self, facts: Vec<Vec<u32>>) -> Watch {
        for mut units in facts {
            units.sort_unstable();
            units.dedup();
            self.starts.push(self.units.len() as u32);
            self.units.extend(units);
        }
        self.starts.push(self.units.len() as u32);
        self
    }

    /// Registers moves at the symbols that are the rarest at the start.
    pub fn of_moves(machine: &Machine) -> Watch {
        let (mut watch, mut facts) = Watch::new(machine, machine.moves.len());
        let cells = machine.cells();
        let mut counts = vec![0; machine.model.symbols.len()];
        machine.start.values[..cells].iter().for_each(|value| counts[usize::from(*value)] += 1);
        for (number, unit) in machine.moves.iter().enumerate() {
            match &unit.act {
                Act::Pattern(_) | Act::Slide(..) => {
                    let pattern = machine.patterns(unit).next();
                    let checks = pattern.map_or(&[][..], |pattern| machine.checks(pattern));
                    let found = checks.iter().filter_map(|check| Some((*check, machine.allowed(*check)?)));
                    let count = |values: &[Value]| values.iter().map(|value| counts[usize::from(*value)]).sum::<u32>();
                    match found.min_by_key(|(_, values)| count(values)) {
                        None => set(&mut watch.all, number),
                        Some((check, values)) => {
                            for value in values {
                                facts[watch.first[check.cell()] + usize::from(value)].push(number as u32);
                            }
                        }
                    }
                }
                Act::Shift => {
                    let Some(shift) = &machine.rule(&machine.bindings[unit.binding as usize]).shift else { continue };
                    for &value in &shift.moved {
                        facts[watch.first[unit.places[0]] + usize::from(value)].push(number as u32);
                    }
                }
                Act::Nothing | Act::Pass(..) | Act::ShiftAll => set(&mut watch.all, number),
            }
        }
        watch.finish(facts)
    }

    /// Registers consequences at what they read and change.
    pub fn of_consequences(machine: &Machine) -> Watch {
        let (mut watch, mut facts) = Watch::new(machine, machine.after.len());
        for (number, unit) in machine.after.iter().enumerate() {
            let binding = &machine.bindings[unit.binding as usize];
            if let Some(image) = unit.image.filter(|_| machine.is_in_image(unit)) {
                set(&mut watch.images[number_of(&image)], number);
            }
            let mut register = |var: Var, values: &mut dyn Iterator<Item = Value>| {
                values.for_each(|value| facts[watch.first[var] + usize::from(value)].push(number as u32));
            };
            let size = |var: Var| 0..machine.terms.values[var].len() as Value;
            for pattern in machine.patterns(unit) {
                for check in machine.checks(pattern) {
                    match machine.allowed(*check) {
                        Some(values) if matches!(unit.act, Act::Pattern(_)) => {
                            register(check.cell(), &mut values.into_iter());
                        }
                        _ => register(check.cell(), &mut size(check.cell())),
                    }
                }
                let is_checked = |cell: usize| machine.checks(pattern).iter().any(|check| check.cell() == cell);
                for cell in machine.puts(pattern).iter().map(|put| put.cell() as usize) {
                    if !is_checked(cell) || matches!(unit.act, Act::Slide(..)) {
                        register(cell, &mut size(cell));
                    }
                }
            }
            for (var, _) in &binding.then {
                register(*var, &mut size(*var));
            }
            let (mut reads_grid, mut reads_piles) = (false, binding.carry.is_some());
            binding.visit(&mut |part| match part {
                Formula::Variable(var) | Formula::Has(var, _) => register(*var, &mut size(*var)),
                Formula::Count(_) | Formula::CountOf(_) | Formula::Ahead(_) | Formula::Bodies(_) => reads_grid = true,
                Formula::Element(array, _) => {
                    let array = &machine.model.world.arrays[*array];
                    (array.first..array.first + array.len()).for_each(|var| register(var, &mut size(var)));
                }
                // A name may be that of any variable.
                Formula::Bound(_) => (0..machine.terms.values.len()).for_each(|var| register(var, &mut size(var))),
                Formula::Size(_) | Formula::Top(..) | Formula::Same(_) => reads_piles = true,
                _ => {}
            });
            if reads_grid || matches!(unit.act, Act::Shift | Act::ShiftAll) {
                set(&mut watch.all, number);
            }
            if reads_piles {
                set(&mut watch.piles, number);
            }
        }
        watch.finish(facts)
    }

    /// Adds the units that all states concern, or all changes of cells.
    pub fn add_all(&self, units: &mut [u64]) {
        units.iter_mut().zip(&self.all).for_each(|(units, all)| *units |= all);
    }

    /// Adds the units that all changes of piles concern.
    pub fn add_piles(&self, units: &mut [u64]) {
        units.iter_mut().zip(&self.piles).for_each(|(units, piles)| *units |= piles);
    }

    /// Adds the units that all moves in an image concern.
    pub fn add_image(&self, image: &Image, units: &mut [u64]) {
        units.iter_mut().zip(&self.images[number_of(image)]).for_each(|(units, all)| *units |= all);
    }

    /// Adds the units that a fact concerns.
    pub fn add(&self, var: Var, value: Value, units: &mut [u64]) {
        let fact = self.first[var] + usize::from(value);
        for &unit in &self.units[self.starts[fact] as usize..self.starts[fact + 1] as usize] {
            set(units, unit as usize);
        }
    }
}

/// Returns a number for the quarter turns and the mirroring of an image.
fn number_of(image: &Image) -> usize {
    usize::from(image.quarters % 4) + if image.mirrored { 4 } else { 0 }
}

/// Adds a number to a set.
pub(super) fn set(numbers: &mut [u64], number: usize) {
    numbers[number / 64] |= 1 << (number % 64);
}

impl Check {
    /// Returns the cell that is checked.
    pub fn cell(self) -> usize {
        match self {
            Check::Is(cell, _) | Check::In(cell, _) | Check::Same(cell, _) => cell as usize,
        }
    }
}

impl Machine {
    /// Returns the symbols with which a check holds; `None` if another cell decides it.
    pub fn allowed(&self, check: Check) -> Option<Vec<Value>> {
        match check {
            Check::Is(_, value) => Some(vec![value]),
            Check::In(_, set) => {
                let symbols = 0..self.model.symbols.len() as Value;
                Some(symbols.filter(|&symbol| has(&self.symbols[set as usize], symbol)).collect())
            }
            Check::Same(..) => None,
        }
    }

    /// Returns whether a consequence applies only in the image of the move.
    pub fn is_in_image(&self, unit: &Unit) -> bool {
        self.rule(&self.bindings[unit.binding as usize]).in_image_of_move
    }
}

impl Binding {
    /// Visits the formulas that decide whether it applies, and what it does.
    pub fn visit(&self, visitor: &mut dyn FnMut(&Formula)) {
        self.conditions.iter().chain(&self.local_conditions).for_each(|condition| condition.visit(visitor));
        self.then.iter().for_each(|(_, value)| value.visit(visitor));
        if let Some(carry) = &self.carry {
            carry.from.visit(visitor);
            carry.to.visit(visitor);
            carry.count.visit(visitor);
        }
    }
}
