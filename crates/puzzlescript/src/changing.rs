//! The objects that a turn may put into a cell or take out of it, whatever the board.
//!
//! An object stays where it is if no rule creates or removes it, and nothing in its layer ever moves. The answer errs on
//! the side of change.

use crate::compile::mask::{MOVEMENT_BITS, movement_place};
use crate::program::{Program, Rule};

/// Returns the objects that some turn may create, remove or move, as the words of a cell.
#[must_use]
pub fn changing(program: &Program) -> Vec<u64> {
    let mut changing = vec![0; program.object_words];
    let mut moving = vec![false; program.layers.len()];
    for &(word, bits) in &program.player.objects {
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            moving[program.object_layers[word as usize * 64 + bit]] = true;
        }
    }
    program.rules().for_each(|rule| add(rule, program, &mut changing, &mut moving));
    for (layer, _) in moving.iter().enumerate().filter(|&(_, &moving)| moving) {
        for &(word, bits) in &program.layers[layer] {
            changing[word as usize] |= bits;
        }
    }
    changing
}

/// Adds what a rule may change, and the layers in which it lets something move.
fn add(rule: &Rule, program: &Program, changing: &mut [u64], moving: &mut [bool]) {
    // In one row, a cell still holds what its pattern asks for when it is replaced. Rows may overlap.
    let is_alone = rule.rows.len() == 1;
    for cell in rule.rows.iter().flat_map(|row| &row.cells) {
        let Some(new) = &cell.replacement else { continue };
        for change in &new.objects {
            let test = cell.objects.iter().find(|test| is_alone && test.word == change.word);
            let (absent, present) = test.map_or((0, 0), |test| (test.mask & !test.wanted, test.wanted));
            changing[change.word as usize] |= change.clear & !change.set & !absent | change.set & !present;
        }
        for &object in &new.random_objects {
            let layer = program.object_layers[object];
            program.layers[layer].iter().for_each(|&(word, bits)| changing[word as usize] |= bits);
        }
        for change in &new.movements {
            for (layer, moving) in moving.iter_mut().enumerate() {
                let (word, shift) = movement_place(layer);
                *moving |= word == change.word as usize && change.set >> shift & MOVEMENT_BITS != 0;
            }
        }
        new.random_directions.iter().for_each(|&layer| moving[layer] = true);
    }
}
