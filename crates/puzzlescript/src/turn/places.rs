//! The cells of each object and of each movement: an index of the board, so that a rule looks only where it can match.
//!
//! For each object, and for each movement of a layer, a set of cells as bits, with its size. A row of a rule is tried
//! only at the cells of the rarest object or movement that it asks for.

use crate::mask::bits_of;
use crate::program::{Gate, Program, Words};

/// Movements in one word of a cell: twelve layers of five.
const MOVEMENTS_A_WORD: usize = 60;

/// Sets of cells for things with numbers, whose bits a cell holds in words.
#[derive(Clone, Debug, Default)]
struct Sets {
    /// Bits of one word of a cell.
    bits_a_word: usize,
    /// Words of one set.
    words: usize,
    /// The sets, one after the other.
    cells: Vec<u64>,
    counts: Vec<u32>,
    /// The things whose sets are not empty, as in a cell.
    present: Vec<u64>,
}

impl Sets {
    fn resize(&mut self, bits_a_word: usize, cell_words: usize, cells: usize) {
        self.bits_a_word = bits_a_word;
        self.words = cells.div_ceil(64);
        let things = bits_a_word * cell_words;
        self.cells.clear();
        self.cells.resize(things * self.words, 0);
        self.counts.clear();
        self.counts.resize(things, 0);
        self.present.clear();
        self.present.resize(cell_words, 0);
    }

    #[inline]
    fn change(&mut self, cell: usize, word: usize, old: u64, new: u64) {
        let mut changed = old ^ new;
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let thing = word * self.bits_a_word + bit;
            self.cells[thing * self.words + cell / 64] ^= 1 << (cell % 64);
            let count = &mut self.counts[thing];
            if new >> bit & 1 == 1 {
                *count += 1;
                self.present[word] |= 1 << bit;
            } else {
                *count -= 1;
                if *count == 0 {
                    self.present[word] &= !(1 << bit);
                }
            }
        }
    }

    #[inline]
    fn of(&self, thing: usize) -> &[u64] {
        &self.cells[thing * self.words..][..self.words]
    }
}

/// The cells of all objects and movements.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    objects: Sets,
    movements: Sets,
}

impl Places {
    /// Prepares for an empty board.
    pub(super) fn resize(&mut self, program: &Program, cells: usize) {
        self.objects.resize(64, program.object_words, cells);
        self.movements.resize(MOVEMENTS_A_WORD, program.movement_words, cells);
    }

    /// Notes that a word of a cell's objects changes.
    #[inline]
    pub(super) fn change_objects(&mut self, cell: usize, word: usize, old: u64, new: u64) {
        self.objects.change(cell, word, old, new);
    }

    /// Notes that a word of a cell's movements changes.
    #[inline]
    pub(super) fn change_movements(&mut self, cell: usize, word: usize, old: u64, new: u64) {
        self.movements.change(cell, word, old, new);
    }

    /// Returns whether the board holds somewhere what a gate asks for.
    #[inline]
    pub(super) fn open(&self, gate: &Gate) -> bool {
        let Gate { objects: (object_word, objects), movements: (movement_word, movements) } = *gate;
        self.movements.present.get(movement_word as usize).is_none_or(|present| present & movements == movements)
            && self.objects.present.get(object_word as usize).is_none_or(|present| present & objects == objects)
    }

    /// Returns whether the board holds all of these somewhere.
    #[inline]
    pub(super) fn hold(&self, objects: &Words, movements: &Words) -> bool {
        movements.iter().all(|&(word, bits)| self.movements.present[word as usize] & bits == bits)
            && objects.iter().all(|&(word, bits)| self.objects.present[word as usize] & bits == bits)
    }

    #[inline]
    pub(super) fn object_count(&self, object: u32) -> u32 {
        self.objects.counts[object as usize]
    }

    #[inline]
    pub(super) fn movement_count(&self, movement: u32) -> u32 {
        self.movements.counts[movement as usize]
    }

    /// Returns the cells with an object.
    #[inline]
    pub(super) fn object(&self, object: u32) -> &[u64] {
        self.objects.of(object as usize)
    }

    /// Returns the cells with a movement, numbered by layers of five.
    #[inline]
    pub(super) fn movement(&self, movement: u32) -> &[u64] {
        self.movements.of(movement as usize)
    }

    /// Returns a word of the cells with any of these objects.
    #[inline]
    pub(super) fn any(&self, objects: &Words, word: usize) -> u64 {
        each_object(objects).fold(0, |cells, object| cells | self.object(object)[word])
    }

    /// Returns a word of the cells with all of these objects.
    #[inline]
    pub(super) fn all(&self, objects: &Words, word: usize) -> u64 {
        each_object(objects).fold(u64::MAX, |cells, object| cells & self.object(object)[word])
    }

    /// Returns the words of a set of cells.
    pub(super) fn words(&self) -> usize {
        self.objects.words
    }
}

/// Returns the numbers of the objects in a mask.
#[inline]
pub(crate) fn each_object(objects: &Words) -> impl Iterator<Item = u32> + '_ {
    objects.iter().flat_map(|&(word, bits)| bits_of(bits).map(move |bit| word * 64 + bit))
}
