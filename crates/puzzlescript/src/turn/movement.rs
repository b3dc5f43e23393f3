//! Moves objects, and finds rigid movements that failed.

use super::Workspace;
use crate::input::ACTION;
use crate::mask::{LAYERS_A_WORD, MOVEMENT_BITS};
use crate::program::Program;

impl Workspace {
    /// Moves all objects that can move, pass after pass in storage order until none moves, and then takes all movement
    /// away. Returns whether a rigid movement failed whose group was not banned yet; it is now.
    pub(super) fn resolve(&mut self, program: &Program) -> bool {
        loop {
            let mut moved = false;
            for word in 0..self.moving.len() {
                let mut bits = self.moving[word];
                self.spend(1 + bits.count_ones() as usize);
                while bits != 0 {
                    let cell = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    moved |= self.move_cell(program, cell);
                }
            }
            if !moved || self.gave_up() {
                break;
            }
        }
        let failed = !self.rigid_groups.is_empty() && self.ban_failed(program);
        self.stop_all();
        self.rigid_groups.fill(0);
        self.rigid_layers.fill(0);
        failed
    }

    /// Moves the objects of one cell, layer by layer. What moved loses its movement.
    fn move_cell(&mut self, program: &Program, cell: usize) -> bool {
        let mut moved = false;
        for word in 0..self.movement_words {
            let at = cell * self.movement_words + word;
            let mut rest = self.movements[at];
            while rest != 0 {
                let shift = rest.trailing_zeros() / 5 * 5;
                let bits = rest >> shift & MOVEMENT_BITS;
                rest &= !(MOVEMENT_BITS << shift);
                let layer = word * LAYERS_A_WORD + shift as usize / 5;
                if self.move_layer(program, cell, layer, bits) {
                    self.set_movements(cell, word, self.movements[at] & !(MOVEMENT_BITS << shift));
                    moved = true;
                }
            }
        }
        moved
    }

    /// Moves the object of one layer of a cell, if the next cell is on the board and has nothing in that layer.
    fn move_layer(&mut self, program: &Program, cell: usize, layer: usize, bits: u64) -> bool {
        let (x, y) = (cell / self.height, cell % self.height);
        let target = match bits {
            0b00001 if y > 0 => cell - 1,
            0b00010 if y + 1 < self.height => cell + 1,
            0b00100 if x > 0 => cell - self.height,
            0b01000 if x + 1 < self.width => cell + self.height,
            ACTION => return true,
            _ => return false,
        };
        let words = self.object_words;
        let objects = &program.layers[layer];
        if objects.iter().any(|&(word, bits)| self.objects[target * words + word as usize] & bits != 0) {
            return false;
        }
        for &(word, bits) in objects {
            let word = word as usize;
            let from = self.objects[cell * words + word];
            if from & bits != 0 {
                self.change_objects(cell, word, from & !bits);
                self.change_objects(target, word, self.objects[target * words + word] | from & bits);
            }
        }
        true
    }

    /// Bans the groups of rigid movements that are left: of each cell, that of its lowest marked layer that still
    /// moves.
    fn ban_failed(&mut self, program: &Program) -> bool {
        let words = self.movement_words;
        let mut failed = false;
        for cell in 0..self.width * self.height {
            let left = (0..words).map(|word| {
                let at = cell * words + word;
                (at, self.movements[at] & self.rigid_layers[at])
            });
            let Some((at, left)) = left.into_iter().find(|&(_, left)| left != 0) else { continue };
            let shift = left.trailing_zeros() / 5 * 5;
            let number = (self.rigid_groups[at] >> shift & MOVEMENT_BITS) as usize;
            let none = self.banned.len() - 1;
            let group =
                number.checked_sub(1).and_then(|index| program.rigid_groups.get(index)).copied().unwrap_or(none);
            failed |= !std::mem::replace(&mut self.banned[group], true);
        }
        failed
    }
}
