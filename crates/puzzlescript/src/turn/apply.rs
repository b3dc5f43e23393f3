//! Replaces the cells of a match.

use super::Workspace;
use super::matching::Match;
use crate::mask::movement_mask;
use crate::program::{Program, Replacement, Rule};
use crate::random::Random;

impl Workspace {
    /// Replaces the cells of all rows of a rule, each row at its match. Returns whether anything changes.
    pub(super) fn replace_all(
        &mut self,
        program: &Program,
        rule: &Rule,
        at: impl Iterator<Item = Match>,
        random: &mut Random,
    ) -> bool {
        let step = self.step(rule.direction);
        let mut changed = false;
        for (row, at) in rule.rows.iter().zip(at) {
            let mut cell = at.cell as isize;
            let mut gaps = row.gaps.iter().zip(at.gaps).peekable();
            for (index, pattern) in row.cells.iter().enumerate() {
                while let Some((_, length)) = gaps.next_if(|&(&gap, _)| gap == index) {
                    cell += step * length as isize;
                }
                if let Some(replacement) = &pattern.replacement {
                    changed |= self.replace(program, rule.rigid, replacement, cell as usize, random);
                }
                cell += step;
            }
        }
        changed
    }

    /// Replaces one cell. Returns whether its objects, movements or rigid marks change.
    fn replace(
        &mut self,
        program: &Program,
        rigid: Option<u8>,
        new: &Replacement,
        cell: usize,
        random: &mut Random,
    ) -> bool {
        // What is drawn is drawn before it is known whether the cell changes.
        let draws = !new.random_objects.is_empty() || !new.random_directions.is_empty();
        let drawn = draws.then(|| self.draw(program, new, cell, random));
        let mut changed = rigid.is_some_and(|number| self.mark(new, number, cell));
        if let Some(drawn) = drawn {
            return drawn || changed;
        }
        for change in &new.objects {
            let word = change.word as usize;
            let old = self.objects[cell * self.object_words + word];
            let now = old & !change.clear | change.set;
            if old != now {
                changed = true;
                self.change_objects(cell, word, now);
            }
        }
        for change in &new.movements {
            let word = change.word as usize;
            let old = self.movements[cell * self.movement_words + word];
            let now = old & !change.clear | change.set;
            if old != now {
                changed = true;
                self.set_movements(cell, word, now);
            }
        }
        changed
    }

    /// Replaces a cell with what is drawn: an object, then a direction for each layer that asks for one. Returns
    /// whether the cell changes.
    fn draw(&mut self, program: &Program, new: &Replacement, cell: usize, random: &mut Random) -> bool {
        let old_objects = self.objects[cell * self.object_words..][..self.object_words].to_vec();
        let old_movements = self.movements[cell * self.movement_words..][..self.movement_words].to_vec();
        let mut clear = vec![0; self.object_words];
        let mut set = vec![0; self.object_words];
        let mut stop = vec![0; self.movement_words];
        let mut go = vec![0; self.movement_words];
        for change in &new.objects {
            (clear[change.word as usize], set[change.word as usize]) = (change.clear, change.set);
        }
        for change in &new.movements {
            (stop[change.word as usize], go[change.word as usize]) = (change.clear, change.set);
        }
        if !new.random_objects.is_empty() {
            let id = new.random_objects[random.below(new.random_objects.len())];
            let layer = program.object_layers[id];
            set[id / 64] |= 1 << (id % 64);
            for &(word, bits) in &program.layers[layer] {
                clear[word as usize] |= bits;
            }
            let (word, bits) = movement_mask(layer);
            stop[word] |= bits;
        }
        for &layer in &new.random_directions {
            let (word, shift) = crate::mask::movement_place(layer);
            go[word] |= 1 << (shift as usize + random.below(4));
        }
        for word in 0..self.object_words {
            let now = old_objects[word] & !clear[word] | set[word];
            self.change_objects(cell, word, now);
        }
        for word in 0..self.movement_words {
            let now = old_movements[word] & !stop[word] | go[word];
            self.set_movements(cell, word, now);
        }
        self.objects[cell * self.object_words..][..self.object_words] != old_objects
            || self.movements[cell * self.movement_words..][..self.movement_words] != old_movements
    }

    /// Marks the layers whose movement a rigid rule decides with the number of its group, unless they are marked
    /// already. Returns whether that changes anything.
    fn mark(&mut self, new: &Replacement, number: u8, cell: usize) -> bool {
        if self.rigid_groups.is_empty() {
            return false;
        }
        // The number in the five bits of each layer.
        let everywhere = (0..12).fold(0, |bits, layer| bits | u64::from(number) << (5 * layer));
        let base = cell * self.movement_words;
        let mut groups_known = true;
        let mut layers_known = true;
        for &(word, decided) in &new.decided {
            groups_known &= everywhere & decided & !self.rigid_groups[base + word as usize] == 0;
            layers_known &= decided & !self.rigid_layers[base + word as usize] == 0;
        }
        if groups_known || layers_known {
            return false;
        }
        for &(word, decided) in &new.decided {
            self.rigid_groups[base + word as usize] |= everywhere & decided;
            self.rigid_layers[base + word as usize] |= decided;
        }
        true
    }
}
