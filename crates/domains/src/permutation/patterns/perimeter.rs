//! A perimeter around the solved arrangements: all positions up to some distance, found by a breadth-first search. Inside
//! it the distance is exact, and outside it is greater (Dillenburg and Nelson 1994). A search that reads it ends where it
//! meets the perimeter, as a search from both ends does.
//!
//! The table holds a byte for each hash of a position, and no position: if several have the same hash, the least of their
//! distances counts. So the bound is admissible, but not consistent.

use crate::domain::{BuildContext, SplitMix64};
use crate::permutation::images::Place;
use crate::permutation::model::Model;
use rustc_hash::FxHashSet;

/// The greatest number of members of a position, since hashing reads the places of all of them.
const MOST_MEMBERS: usize = 64;

/// The entries of the table for each position.
const ENTRIES_PER_POSITION: u64 = 4;

/// A perimeter.
pub(in super::super) struct Perimeter {
    /// For each member, the first code of its item.
    rows: Vec<u32>,
    /// A random number for each item and place. The hash of a position is the sum over its members: it does not depend on
    /// the order of members of an item, which are interchangeable (Zobrist 1970).
    codes: Vec<u32>,
    /// The least distance of the positions with each hash.
    depths: Vec<u8>,
    radius: u8,
}

impl Perimeter {
    /// Finds at most `most` positions around the solved arrangements. Returns `None` if there are too many members or
    /// too little memory, or if a limit or an interruption stopped it.
    pub fn new(model: &Model, most: u64, context: &BuildContext) -> Option<Perimeter> {
        let size = (most * ENTRIES_PER_POSITION).next_power_of_two();
        let is_large = context.table_memory().is_some_and(|memory| size > memory / 2);
        if model.members() > MOST_MEMBERS || is_large || !context.fits(size) {
            return None;
        }
        let mut rows = vec![0; model.members()];
        for (number, item) in (0..).zip(&model.items) {
            rows[item.first..item.first + item.count].fill(number * model.places as u32);
        }
        let mut random = SplitMix64::new(0);
        let codes = (0..model.items.len() * model.places).map(|_| random.below(1 << 32) as u32).collect();
        let mut perimeter = Perimeter { rows, codes, depths: vec![u8::MAX; size as usize], radius: 0 };
        perimeter.fill(model, most, context)?;
        Some(perimeter)
    }

    fn fill(&mut self, model: &Model, most: u64, context: &BuildContext) -> Option<()> {
        let moves = model.moves.len() as u64;
        let several = model.items.iter().filter(|item| item.count > 1);
        let mut layer: Vec<Vec<Place>> = model.goals().cloned().collect();
        let mut known: FxHashSet<Vec<Place>> = layer.iter().cloned().collect();
        let mut after = vec![0; model.members()];
        layer.iter().for_each(|goal| self.visit(0, |member| goal[member].into()));
        // A layer is complete, or the radius does not reach it.
        while !layer.is_empty() && layer.len() as u64 * moves <= most && self.radius + 1 < u8::MAX {
            self.radius += 1;
            // The positions of the last layer are hashed only.
            let is_last = layer.len() as u64 * moves * moves > most;
            let mut next = Vec::new();
            for position in &layer {
                if context.should_stop() {
                    return None;
                }
                for each_move in &model.moves {
                    let to = |member: usize| each_move.image[usize::from(position[member])];
                    self.visit(self.radius, |member| to(member).into());
                    if !is_last {
                        after.iter_mut().enumerate().for_each(|(member, place)| *place = to(member));
                        several.clone().for_each(|item| after[item.first..item.first + item.count].sort_unstable());
                        if !known.contains(&after) {
                            known.insert(after.clone());
                            next.push(after.clone());
                        }
                    }
                }
            }
            layer = next;
        }
        Some(())
    }

    #[inline]
    fn slot(&self, place: impl Fn(usize) -> usize) -> usize {
        let code = |(member, &row): (usize, &u32)| self.codes[row as usize + place(member)];
        let hash = self.rows.iter().enumerate().map(code).fold(0, u32::wrapping_add);
        hash as usize & (self.depths.len() - 1)
    }

    fn visit(&mut self, depth: u8, place: impl Fn(usize) -> usize) {
        let slot = self.slot(place);
        self.depths[slot] = self.depths[slot].min(depth);
    }

    /// Returns the greatest distance inside the perimeter.
    #[inline]
    pub fn radius(&self) -> u32 {
        self.radius.into()
    }

    /// Returns a lower bound on the moves to the solved position, given the places of members.
    #[inline]
    pub fn bound(&self, place: impl Fn(usize) -> usize) -> u32 {
        u32::from(self.depths[self.slot(place)].min(self.radius + 1))
    }
}
