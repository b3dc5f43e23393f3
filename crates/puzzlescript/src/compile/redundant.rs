//! Redundant and contradictory `no`s, before rules are expanded. They matter beyond their warnings: what a `no` on the
//! right clears is part of what the rule does.

use super::names::Names;
use super::rule::{Cell, Rule, Term};
use crate::diagnostic::Diagnostics;
use crate::mask::Mask;

/// Checks a rule and removes what is redundant in it.
pub(super) fn remove(rule: &mut Rule, names: &Names, diagnostics: &mut Diagnostics) {
    for cell in rule.right.iter().flatten() {
        contradictions(cell, rule, names, diagnostics);
    }
    for (row, cells) in rule.right.iter_mut().enumerate() {
        for (index, cell) in cells.iter_mut().enumerate() {
            let Some(left) = rule.left.get(row).and_then(|row| row.get(index)) else { continue };
            let mut item = 0;
            while item < cell.len() {
                if cell[item].0 == Term::NO && left.contains(&cell[item]) {
                    cell.remove(item);
                }
                // After a removal, the reference skips the item that takes its place.
                item += 1;
            }
        }
    }
    let at = rule.at;
    for cell in rule.left.iter_mut().flatten() {
        covered(cell, at, names, diagnostics);
    }
}

/// Reports `X no X` on the right.
fn contradictions(cell: &Cell, rule: &Rule, names: &Names, diagnostics: &mut Diagnostics) {
    let mut present = Mask::new(names.object_words);
    let mut texts = Vec::new();
    for &(_, name) in cell.iter().filter(|(term, _)| *term != Term::NO) {
        if let Some(object) = names.get(name).object {
            present.set(object.id.unwrap_or(0));
            texts.push(names.text(name));
        }
    }
    for &(_, name) in cell.iter().filter(|(term, _)| *term == Term::NO) {
        if names.get(name).mask.as_ref().is_some_and(|mask| mask.meets(&present)) {
            let message =
                format!("the right side asks for no `{}`, but also for {}", names.text(name), texts.join(", "));
            diagnostics.error(rule.at, message);
        }
    }
}

/// Removes each `no` from a cell on the left that other objects of the same layers make sure of.
fn covered(cell: &mut Cell, at: crate::game::Place, names: &Names, diagnostics: &mut Diagnostics) {
    let mut objects = Mask::new(names.object_words);
    let mut occupiers = vec![None; names.layers.len()];
    for &(_, name) in cell.iter().filter(|(term, _)| *term != Term::NO) {
        let meanings = names.get(name);
        if let Some(layer) = meanings.single_layer {
            for &value in meanings.property.iter().flatten() {
                if let Some(object) = names.get(value).object {
                    objects.set(object.id.unwrap_or(0));
                }
            }
            occupy(&mut occupiers, layer, name);
        } else if let Some(object) = meanings.object {
            objects.set(object.id.unwrap_or(0));
            occupy(&mut occupiers, object.layer, name);
        } else if let Some(all) = &meanings.aggregate {
            for object in all.iter().filter_map(|&value| names.get(value).object) {
                objects.set(object.id.unwrap_or(0));
                occupy(&mut occupiers, object.layer, name);
            }
        }
    }
    cell.retain(|&(term, name)| {
        let Some(mask) = names.get(name).mask.as_ref().filter(|_| term == Term::NO) else { return true };
        let is_occupied = |layer: usize| occupiers.get(layer).is_some_and(Option::is_some);
        let in_layers = mask.bits().filter_map(|id| names.layer_of_number(id)).all(is_occupied);
        if !in_layers || mask.meets(&objects) {
            return true;
        }
        let by: Vec<&str> = occupiers.iter().flatten().map(|&name| names.text(name)).collect();
        let message = format!("`no {}` can be left out: {} fills its layers", names.text(name), by.join(", "));
        diagnostics.warning(at, message);
        false
    });
}

fn occupy(occupiers: &mut [Option<u32>], layer: Option<usize>, name: u32) {
    if let Some(occupier) = occupiers.get_mut(layer.unwrap_or(0)) {
        *occupier = Some(name);
    }
}
