//! What rows, columns and the whole board may hold, so that rules are not tried where they cannot match.
//!
//! During a turn, bits are only added: the sets are upper bounds.

use super::Workspace;
use crate::program::{Program, Words};

/// Objects and movements that may be in a line of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    object_words: usize,
    movement_words: usize,
    height: usize,
    /// Row by row (one y), then column by column (one x), then the whole board.
    objects: Vec<u64>,
    movements: Vec<u64>,
}

impl Contents {
    pub(super) fn resize(&mut self, program: &Program, width: usize, height: usize) {
        (self.object_words, self.movement_words) = (program.object_words, program.movement_words);
        self.height = height;
        let lines = width + height + 1;
        self.objects.clear();
        self.objects.resize(lines * self.object_words, 0);
        self.movements.clear();
        self.movements.resize(lines * self.movement_words, 0);
    }

    /// Collects the sets anew.
    pub(super) fn collect(&mut self, desk: &Workspace) {
        self.objects.fill(0);
        self.movements.fill(0);
        let words = self.object_words;
        let (height, width) = (desk.height, desk.width);
        for x in 0..width {
            for y in 0..height {
                let cell = x * height + y;
                for word in 0..words {
                    let bits = desk.objects[cell * words + word];
                    self.objects[y * words + word] |= bits;
                    self.objects[(height + x) * words + word] |= bits;
                }
            }
            for word in 0..words {
                self.objects[(height + width) * words + word] |= self.objects[(height + x) * words + word];
            }
        }
        let words = self.movement_words;
        for cell in desk.moving_cells() {
            for word in 0..words {
                self.add_movements(cell, word, desk.movements[cell * words + word]);
            }
        }
    }

    #[inline]
    pub(super) fn add_objects(&mut self, cell: usize, word: usize, bits: u64) {
        let (x, y) = (cell / self.height, cell % self.height);
        let words = self.object_words;
        let last = self.objects.len() - words;
        self.objects[y * words + word] |= bits;
        self.objects[(self.height + x) * words + word] |= bits;
        self.objects[last + word] |= bits;
    }

    #[inline]
    pub(super) fn add_movements(&mut self, cell: usize, word: usize, bits: u64) {
        let (x, y) = (cell / self.height, cell % self.height);
        let words = self.movement_words;
        let last = self.movements.len() - words;
        self.movements[y * words + word] |= bits;
        self.movements[(self.height + x) * words + word] |= bits;
        self.movements[last + word] |= bits;
    }

    /// Returns whether a line may hold all of these. Lines are numbered: rows, columns, the board.
    #[inline]
    pub(super) fn may_hold(&self, line: usize, objects: &Words, movements: &Words) -> bool {
        let (o, m) = (line * self.object_words, line * self.movement_words);
        objects.iter().all(|&(word, bits)| self.objects[o + word as usize] & bits == bits)
            && movements.iter().all(|&(word, bits)| self.movements[m + word as usize] & bits == bits)
    }

    /// Returns the number of the line that is the whole board.
    #[inline]
    pub(super) fn board(&self) -> usize {
        self.objects.len() / self.object_words - 1
    }
}
