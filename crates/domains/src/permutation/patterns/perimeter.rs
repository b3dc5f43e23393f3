//! A perimeter around the solved arrangements: all positions up to some distance, found by a breadth-first search. Inside
//! it the distance is exact, and outside it is greater (Dillenburg and Nelson 1994). A search that reads it ends where it
//! meets the perimeter, as a search from both ends does.
//!
//! The table holds a byte for each hash of a position, and no position: if several have the same hash, the least of their
//! distances counts. So the bound is admissible, but not consistent.

use crate::domain::{BuildContext, SplitMix64};
use crate::permutation::images::Place;
use crate::permutation::model::Model;
use rustc_hash::FxHashMap;

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

/// Positions in the order in which they are found.
#[derive(Default)]
struct Found {
    /// The places of the members of all positions, one position after the other.
    places: Vec<Place>,
    /// The move that has led to each position.
    last_moves: Vec<Option<u16>>,
    /// For each hash, the last position that has it; and for each position, the last one before it with the same hash.
    last: FxHashMap<u32, u32>,
    before: Vec<Option<u32>>,
}

impl Found {
    fn position(&self, number: usize) -> &[Place] {
        let members = self.places.len() / self.last_moves.len();
        &self.places[number * members..(number + 1) * members]
    }

    /// Adds a position, unless it has been found before.
    fn insert(&mut self, position: &[Place], hash: u32, last_move: Option<u16>) {
        let last = self.last.get(&hash).copied();
        let mut same = last;
        while let Some(number) = same {
            if self.position(number as usize) == position {
                return;
            }
            same = self.before[number as usize];
        }
        self.last.insert(hash, self.last_moves.len() as u32);
        self.before.push(last);
        self.last_moves.push(last_move);
        self.places.extend(position);
    }
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
        let mut found = Found::default();
        for goal in model.goals() {
            let hash = self.hash(|member| goal[member].into());
            self.visit(hash, 0);
            found.insert(goal, hash, None);
        }
        let (mut position, mut after) = (vec![0; model.members()], vec![0; model.members()]);
        let mut layer = 0..found.last_moves.len();
        // A layer is complete, or the radius does not reach it.
        while !layer.is_empty() && layer.len() as u64 * moves <= most && self.radius + 1 < u8::MAX {
            self.radius += 1;
            // The positions of the last layer are hashed only.
            let is_last = layer.len() as u64 * moves * moves > most;
            let end = found.last_moves.len();
            for number in layer {
                if context.should_stop() {
                    return None;
                }
                position.copy_from_slice(found.position(number));
                let last = found.last_moves[number];
                for (number, each_move) in (0..).zip(&model.moves) {
                    // As in searches, another power of the last generator would lead where one of its moves leads as fast.
                    let is_needless = |last: u16| {
                        let before = &model.moves[usize::from(last)];
                        before.generator == each_move.generator && (last != number || before.run == 1)
                    };
                    if last.is_some_and(is_needless) {
                        continue;
                    }
                    for (after, &place) in after.iter_mut().zip(&position) {
                        *after = each_move.image[usize::from(place)];
                    }
                    let hash = self.hash(|member| after[member].into());
                    self.visit(hash, self.radius);
                    if !is_last {
                        several.clone().for_each(|item| after[item.first..item.first + item.count].sort_unstable());
                        found.insert(&after, hash, Some(number));
                    }
                }
            }
            layer = end..found.last_moves.len();
        }
        Some(())
    }

    #[inline]
    fn hash(&self, place: impl Fn(usize) -> usize) -> u32 {
        let code = |(member, &row): (usize, &u32)| self.codes[row as usize + place(member)];
        self.rows.iter().enumerate().map(code).fold(0, u32::wrapping_add)
    }

    #[inline]
    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.depths.len() - 1)
    }

    fn visit(&mut self, hash: u32, depth: u8) {
        let slot = self.slot(hash);
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
        u32::from(self.depths[self.slot(self.hash(place))].min(self.radius + 1))
    }
}
