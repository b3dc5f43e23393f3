//! From the words of a rule to masks.

use super::names::{Name, Names};
use super::rule::{Cell, Rule, Term};
use crate::diagnostic::Diagnostics;
use crate::mask::{MOVEMENT_BITS, Mask};
use crate::program::{self, Change, Pattern, Replacement, Test};

/// A rule as masks, with what its group needs to know.
pub(super) struct Masked {
    pub rule: program::Rule,
    pub at: crate::game::Place,
    pub group: u32,
    pub late: bool,
    pub rigid: bool,
    pub random: bool,
    /// Two objects of one layer that a cell on the left asks for: the rule never matches.
    pub overlap: Option<(String, String)>,
}

/// The demands of the left side of a cell.
struct Left {
    present: Mask,
    missing: Mask,
    any: Vec<Mask>,
    moving: Mask,
    still: Mask,
    /// The movement bits of layers with an object that is named.
    layers: Mask,
    /// The name in each layer.
    used: Vec<Option<Name>>,
}

/// The right side of a cell, before the left side is taken into account.
struct Right {
    clear: Mask,
    set: Mask,
    moves_cleared: Mask,
    moves_set: Mask,
    layers: Mask,
    random: Mask,
    decided: Mask,
    random_directions: Vec<usize>,
    used: Vec<Option<Name>>,
}

/// Turns a rule into masks. Returns none if the rule is dropped.
pub(super) fn masked(rule: &Rule, names: &Names, diagnostics: &mut Diagnostics) -> Option<Masked> {
    let mut overlap = None;
    let mut edge = false;
    let mut rows = Vec::with_capacity(rule.left.len());
    for (row, cells) in rule.left.iter().enumerate() {
        let mut patterns = Vec::with_capacity(cells.len());
        let mut gaps = Vec::new();
        let mut objects = Mask::new(names.object_words);
        let mut movements = Mask::new(names.movement_words);
        for (index, cell) in cells.iter().enumerate() {
            let right = rule.right.get(row).and_then(|row| row.get(index));
            let left = match read_left(cell, rule, names, &mut overlap, diagnostics) {
                Side::Cell(left) => left,
                Side::Ellipsis => {
                    if cell.len() != 1 {
                        diagnostics.error(rule.at, "an ellipsis must be alone in its cell");
                        return None;
                    }
                    if index == 0 || index == cells.len() - 1 {
                        diagnostics.error(rule.at, "an ellipsis must be between two cells");
                        edge = true;
                    }
                    if right.is_some_and(|right| right.len() != 1 || right[0].0 != Term::ELLIPSIS) {
                        diagnostics.error(rule.at, "an ellipsis on the left needs one in its place on the right");
                    }
                    if gaps.last() == Some(&patterns.len()) {
                        diagnostics.warning(rule.at, "two ellipses in a row are the same as one");
                    }
                    gaps.push(patterns.len());
                    continue;
                }
            };
            if left.present.meets(&left.missing) {
                let both = left.present.bits().filter(|&id| left.missing.has(id));
                let both: Vec<&str> = both.map(|id| names.text(names.object_of[id])).collect();
                let message = format!("the left side asks for {0} and no {0}: the rule never matches", both.join(", "));
                diagnostics.warning(rule.at, message);
                return None;
            }
            objects.add(&left.present);
            movements.add(&left.moving);
            let replacement = right.and_then(|right| {
                if right.first().is_some_and(|item| item.0 == Term::ELLIPSIS) {
                    diagnostics.error(rule.at, "an ellipsis on the right needs one in its place on the left");
                }
                if right.len() != 1 && right.iter().any(|item| item.0 == Term::ELLIPSIS) {
                    diagnostics.error(rule.at, "an ellipsis must be alone in its cell");
                }
                let right = read_right(right, rule, names, overlap.is_some(), diagnostics);
                replacement(&left, right, names)
            });
            patterns.push(pattern(&left, replacement));
        }
        rows.push(program::Row::new(patterns, gaps, objects.sparse(), movements.sparse()));
    }
    // A property may list a name that no line declares: without it, the rule would ask for less.
    let sides = rule.left.iter().chain(&rule.right).flatten().flatten();
    if edge || sides.filter(|(term, _)| *term != Term::ELLIPSIS).any(|(_, name)| names.is_undeclared(*name)) {
        return None;
    }
    if rows.iter().any(|row| row.gaps.len() > 2) {
        diagnostics.error(rule.at, "a row can have at most two ellipses");
        return None;
    }
    let program = program::Rule {
        line: rule.at.line,
        direction: rule.direction,
        rows,
        replaces: !rule.right.is_empty(),
        rigid: None,
        commands: rule.commands.iter().cloned().collect(),
    };
    Some(Masked {
        rule: program,
        at: rule.at,
        group: rule.group,
        late: rule.late,
        rigid: rule.rigid,
        random: rule.random,
        overlap,
    })
}

/// A cell on the left.
enum Side {
    Cell(Left),
    Ellipsis,
}

/// Returns the layer of a name in a rule, none for a property of several layers. An object in no layer (an error)
/// counts as in the first one.
fn layer_of(name: Name, names: &Names) -> Option<usize> {
    match names.get(name).object {
        Some(object) => Some(object.layer.unwrap_or(0)),
        None => names.get(name).single_layer.flatten(),
    }
}

fn read_left(
    cell: &Cell,
    rule: &Rule,
    names: &Names,
    overlap: &mut Option<(String, String)>,
    diagnostics: &mut Diagnostics,
) -> Side {
    let objects = || Mask::new(names.object_words);
    let movements = || Mask::new(names.movement_words);
    let mut left = Left {
        present: objects(),
        missing: objects(),
        any: Vec::new(),
        moving: movements(),
        still: movements(),
        layers: movements(),
        used: vec![None; names.layers.len()],
    };
    for &(term, name) in cell {
        if term == Term::ELLIPSIS {
            return Side::Ellipsis;
        }
        if term == Term::RANDOM {
            diagnostics.error(rule.at, "`random` can only stand on the right side");
            continue;
        }
        let (Some(layer), Some(mask)) = (layer_of(name, names), &names.get(name).mask) else {
            diagnostics.error(rule.at, format!("`{}` is in no layer", names.text(name)));
            continue;
        };
        if term == Term::NO {
            left.missing.add(mask);
            continue;
        }
        if let Some(other) = left.used[layer].replace(name) {
            *overlap = Some((names.text(name).to_owned(), names.text(other).to_owned()));
        }
        if names.get(name).object.is_some() {
            left.present.add(mask);
            left.layers.set_movement(layer, MOVEMENT_BITS);
        } else {
            left.any.push(mask.clone());
        }
        if term == Term::STATIONARY {
            left.still.set_movement(layer, MOVEMENT_BITS);
        } else {
            left.moving.set_movement(layer, term.bits());
        }
    }
    Side::Cell(left)
}

fn read_right(cell: &Cell, rule: &Rule, names: &Names, overlaps: bool, diagnostics: &mut Diagnostics) -> Right {
    let objects = || Mask::new(names.object_words);
    let movements = || Mask::new(names.movement_words);
    let mut right = Right {
        clear: objects(),
        set: objects(),
        moves_cleared: movements(),
        moves_set: movements(),
        layers: movements(),
        random: objects(),
        decided: movements(),
        random_directions: Vec::new(),
        used: vec![None; names.layers.len()],
    };
    let mut drawn: Vec<Option<Name>> = vec![None; names.layers.len()];
    for &(term, name) in cell {
        if term == Term::ELLIPSIS {
            break;
        }
        let meanings = names.get(name);
        if term == Term::RANDOM {
            let Some(mask) = &meanings.mask else {
                let message = format!("`random` needs an object or a property, not `{}`", meanings.text);
                diagnostics.error(rule.at, message);
                continue;
            };
            right.random.add(mask);
            let values = meanings.property.clone().unwrap_or_else(|| vec![name]);
            if values.len() == 1 {
                let message = format!("`random {}` has only one object to draw", meanings.text);
                diagnostics.warning(rule.at, message);
            }
            for value in values {
                let Some(layer) = names.layer(value) else { continue };
                if let Some(other) = right.used[layer].filter(|&other| other != value) {
                    let (value, other) = (names.text(value), names.text(other));
                    let message = format!("`random` may draw `{value}`, which is in the layer of `{other}`");
                    diagnostics.warning(rule.at, message);
                }
                drawn[layer] = Some(value);
            }
            continue;
        }
        let (Some(layer), Some(mask)) = (layer_of(name, names), &meanings.mask) else {
            diagnostics.error(rule.at, format!("`{}` is in no layer", meanings.text));
            continue;
        };
        if term == Term::NO {
            right.clear.add(mask);
            continue;
        }
        if let Some(other) = right.used[layer].or(drawn[layer])
            && !overlaps
        {
            let message =
                format!("`{}` and `{}` on the right side are in the same layer", meanings.text, names.text(other));
            diagnostics.error(rule.at, message);
        }
        right.used[layer] = Some(name);
        if term != Term::PLAIN {
            right.decided.set_movement(layer, MOVEMENT_BITS);
        }
        if let Some(object) = meanings.object {
            right.set.set(object.id.unwrap_or(0));
            right.clear.add(&names.layers[layer]);
            right.layers.set_movement(layer, MOVEMENT_BITS);
        }
        if term == Term::STATIONARY {
            right.moves_cleared.set_movement(layer, MOVEMENT_BITS);
        } else if term == Term::Word(crate::game::Word::RandomDir) {
            right.random_directions.push(layer);
        } else {
            right.moves_set.set_movement(layer, term.bits());
        }
    }
    right.random_directions.sort_unstable();
    right.random_directions.dedup();
    right
}

/// Returns what becomes of a cell. None: nothing can change.
fn replacement(left: &Left, mut right: Right, names: &Names) -> Option<Box<Replacement>> {
    if !left.present.is_in(&right.set) {
        right.clear.add(&left.present);
    }
    if !left.moving.is_in(&right.moves_set) {
        right.moves_cleared.add(&left.moving);
    }
    for (layer, mask) in names.layers.iter().enumerate() {
        if left.used[layer].is_some() && right.used[layer].is_none() {
            right.clear.add(mask);
            right.decided.set_movement(layer, MOVEMENT_BITS);
        }
    }
    let mut left_only = left.layers.clone();
    left_only.remove(&right.layers);
    right.decided.add(&left_only);
    let masks = [&right.clear, &right.set, &right.moves_cleared, &right.moves_set, &right.decided, &right.random];
    if masks.into_iter().all(Mask::is_empty) && right.random_directions.is_empty() {
        return None;
    }
    right.moves_cleared.add(&right.decided);
    Some(Box::new(Replacement {
        objects: changes(&right.clear, &right.set),
        movements: changes(&right.moves_cleared, &right.moves_set),
        decided: right.decided.sparse(),
        random_objects: right.random.bits().collect(),
        random_directions: right.random_directions.into(),
    }))
}

fn changes(clear: &Mask, set: &Mask) -> Box<[Change]> {
    let words = clear.words.iter().zip(&set.words).enumerate();
    words
        .filter(|&(_, (&clear, &set))| clear | set != 0)
        .map(|(word, (&clear, &set))| Change { word: word as u32, clear, set })
        .collect()
}

fn tests(present: &Mask, missing: &Mask) -> Box<[Test]> {
    let words = present.words.iter().zip(&missing.words).enumerate();
    words
        .filter(|&(_, (&present, &missing))| present | missing != 0)
        .map(|(word, (&present, &missing))| Test { word: word as u32, mask: present | missing, wanted: present })
        .collect()
}

fn pattern(left: &Left, replacement: Option<Box<Replacement>>) -> Pattern {
    // A movement that must be there and must not (in a cell with two names of one layer) never matches: a bit outside
    // the mask can never be there.
    let mut movements = tests(&left.moving, &left.still);
    for test in &mut movements {
        let (present, missing) = (left.moving.words[test.word as usize], left.still.words[test.word as usize]);
        if present & missing != 0 {
            test.mask &= !(present & missing);
        }
    }
    Pattern {
        objects: tests(&left.present, &left.missing),
        movements,
        any: left.any.iter().map(Mask::sparse).collect(),
        replacement,
    }
}
