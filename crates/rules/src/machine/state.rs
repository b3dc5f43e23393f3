//! States, and their keys.
//!
//! A key holds a field of bits for each variable that can change, then the items of all piles, bottom first, with an
//! end after each pile, and last one bit for states that are goals. Moves only carry items from pile to pile, so their
//! number is the same in all states, and all keys are equally long.

use crate::expression::Item;
use crate::task::Value;
use engine_search::bit_field::{bits, set_bits};

/// A packed state.
pub(super) type Key = Box<[u64]>;

/// The values of all variables, and the items of all piles, bottom first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub values: Vec<Value>,
    pub piles: Vec<Vec<Item>>,
}

/// The layout of keys.
#[derive(Debug)]
pub(super) struct Packing {
    /// For each variable, its first bit and the number of its bits: none if it cannot change.
    fields: Vec<(u32, u32)>,
    /// The first bit of the piles, the bits of an item, and the number of items and ends of piles.
    piles: (usize, usize, usize),
}

/// Returns the number of bits of a field with this number of values.
fn width(values: usize) -> usize {
    values.next_power_of_two().trailing_zeros() as usize
}

impl Packing {
    /// Lays out keys for variables with these numbers of values. `changes` has the variables that can change.
    pub fn new(start: &State, values: impl Iterator<Item = usize>, changes: &[bool], items: usize) -> Packing {
        let mut bits = 0;
        let fields = values
            .zip(changes)
            .map(|(values, &changes)| {
                let width = if changes { width(values) } else { 0 };
                bits += width;
                ((bits - width) as u32, width as u32)
            })
            .collect();
        let entries = start.piles.iter().map(|pile| pile.len() + 1).sum();
        Packing { fields, piles: (bits, width(items + 1), entries) }
    }

    /// Returns the number of bits of a state.
    pub fn bits(&self) -> usize {
        let (first, width, entries) = self.piles;
        first + width * entries
    }

    /// Returns the number of words of a key: there is room for the bit of goals.
    pub fn words(&self) -> usize {
        self.bits() / 64 + 1
    }

    /// Returns the key of a state.
    pub fn pack(&self, state: &State, is_goal: bool) -> Key {
        let mut key = vec![0; self.words()].into_boxed_slice();
        for (&(from, width), &value) in self.fields.iter().zip(&state.values) {
            set_bits(&mut key, from as usize, width as usize, value.into());
        }
        self.set_piles(&mut key, state.piles.iter());
        self.set_goal(&mut key, is_goal);
        key
    }

    /// Sets the value of a variable in a key.
    pub fn set(&self, key: &mut [u64], var: usize, value: Value) {
        let (from, width) = self.fields[var];
        set_bits(key, from as usize, width as usize, value.into());
    }

    /// Sets the piles in a key.
    pub fn set_piles<'a>(&self, key: &mut [u64], piles: impl Iterator<Item = &'a Vec<Item>>) {
        let (mut from, width, _) = self.piles;
        for pile in piles {
            for item in pile.iter().map(|item| u64::from(*item) + 1).chain([0]) {
                set_bits(key, from, width, item);
                from += width;
            }
        }
    }

    /// Sets whether the state is a goal.
    pub fn set_goal(&self, key: &mut [u64], is_goal: bool) {
        set_bits(key, self.bits(), 1, is_goal.into());
    }

    /// Returns whether the state of a key is a goal.
    pub fn is_goal(&self, key: &[u64]) -> bool {
        bits(key, self.bits(), 1) == 1
    }

    /// Unpacks a key. `state` holds the values of variables that cannot change.
    pub fn unpack(&self, key: &[u64], state: &mut State) {
        for (&(from, width), value) in self.fields.iter().zip(&mut state.values) {
            if width > 0 {
                *value = bits(key, from as usize, width as usize) as Value;
            }
        }
        let (mut from, width, _) = self.piles;
        for pile in &mut state.piles {
            pile.clear();
            loop {
                let item = bits(key, from, width);
                from += width;
                if item == 0 {
                    break;
                }
                pile.push((item - 1) as Item);
            }
        }
    }
}
