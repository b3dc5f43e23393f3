//! Moves that the top items of two piles rule out: most moves of most states. Their conditions are not evaluated again.

use super::super::Machine;
use super::super::formula::PileFormula;
use super::partial::{Glimpse, Partial};
use crate::expression::Item;
use std::sync::atomic::{AtomicU8, Ordering};

/// The most bytes of the tables of a puzzle.
const MOST_BYTES: usize = 1 << 24;

/// For each move, which pairs of top items rule it out.
#[derive(Debug, Default)]
pub(in super::super) struct Hints {
    /// For each move, the piles from which and to which it carries, if they are known.
    piles: Vec<Option<(usize, usize)>>,
    /// For each move, the first byte of its table.
    tables: Vec<usize>,
    /// For each pair of an item, or none, on the first pile, and one on the second: whether the move is possible. It
    /// is found out when it is first asked.
    pairs: Vec<AtomicU8>,
    /// The number of items, and 1 for none.
    width: usize,
}

const UNKNOWN: u8 = 0;
const POSSIBLE: u8 = 1;
const RULED_OUT: u8 = 2;

impl Hints {
    pub fn new(machine: &Machine) -> Hints {
        let width = machine.terms.items.len() + 1;
        let piles = machine.moves.iter().map(|unit| {
            let binding = &machine.bindings[unit.binding as usize];
            match binding.carry.as_ref().map(|carry| (&carry.from, &carry.to)) {
                Some((PileFormula::Known(from), PileFormula::Known(to))) if !binding.conditions.is_empty() => {
                    Some((*from, *to))
                }
                _ => None,
            }
        });
        let piles: Vec<Option<(usize, usize)>> = piles.collect();
        let mut bytes = 0;
        let tables = piles.iter().map(|piles| {
            let first = bytes;
            bytes += if piles.is_some() { width * width } else { 0 };
            first
        });
        let tables = tables.collect();
        if bytes > MOST_BYTES {
            return Hints::default();
        }
        Hints { piles, tables, pairs: (0..bytes).map(|_| AtomicU8::new(UNKNOWN)).collect(), width }
    }

    /// Returns whether a move is not legal in any state with these items on top of its piles.
    pub fn rule_out(&self, machine: &Machine, action: usize, piles: &[Vec<Item>]) -> bool {
        let Some(&Some((from, to))) = self.piles.get(action) else { return false };
        let tops = [from, to].map(|pile| piles[pile].last().copied());
        let [at_from, at_to] = tops.map(|item| item.map_or(0, |item| usize::from(item) + 1));
        let pair = &self.pairs[self.tables[action] + at_from * self.width + at_to];
        // Threads that find it out at the same time find the same.
        let known = match pair.load(Ordering::Relaxed) {
            UNKNOWN => {
                let known = if is_possible(machine, action, [from, to], tops) { POSSIBLE } else { RULED_OUT };
                pair.store(known, Ordering::Relaxed);
                known
            }
            known => known,
        };
        known == RULED_OUT
    }
}

fn is_possible(machine: &Machine, action: usize, piles: [usize; 2], tops: [Option<Item>; 2]) -> bool {
    let glimpse = |at: usize| Glimpse {
        pile: piles[at],
        size: tops[at].is_none().then_some(0),
        same: None,
        items: tops[at].into_iter().map(|item| (1, item)).collect(),
    };
    let partial = Partial { terms: &machine.terms, most: &machine.most, known: &[glimpse(0), glimpse(1)] };
    let binding = &machine.bindings[machine.moves[action].binding as usize];
    binding.conditions.iter().all(|condition| partial.may_hold(condition))
}
