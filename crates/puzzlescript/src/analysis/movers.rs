//! How many tokens may change in one press: only those at fixed places beside the player.
//!
//! If there is one player, which keeps its cell until movement, and each rule that changes tokens or lets them move asks
//! for the player in the same row, then the tokens that change are at fixed vectors from the player's cell. At most that
//! many tokens come nearer to their goals in one press: distances of different tokens may be added, and divided by that
//! number. And none does before the player is at one of these places.

use super::model::{Ask, Lowered, LoweredRow};
use super::tokens::{Tokens, Turns};
use crate::compile::mask::MOVEMENT_BITS;
use crate::turn::Input;
use crate::turn::places::each_object;
use std::collections::BTreeSet;

/// A vector from the player to a token: columns and rows.
pub(super) type Vector = (isize, isize);

/// The places, relative to the player, of tokens that may change in a press.
pub(super) struct Movers {
    /// The most tokens that may change in one press.
    pub most: u32,
    pub vectors: Vec<Vector>,
}

impl Movers {
    /// Proves where tokens may change in a press; none if there is no proof. `players` must be a single token.
    pub fn new(turns: &Turns, inputs: &[Input], players: &Tokens, tokens: &Tokens) -> Option<Movers> {
        let apart = tokens.nodes().all(|(_, object, _)| !players.contains(object));
        if turns.quiet.is_some() || !apart || !tokens.only_change_when_pressed() || !players.keep_their_cells() {
            return None;
        }
        let (layers, player_layers) = (tokens.layers(turns.model), players.layers(turns.model));
        // Movements of the player that rules make.
        let mut made = 0;
        // Movements of the player that a rule asks for, and where it may change a token.
        let mut changes: Vec<(u8, Vector)> = Vec::new();
        for rule in turns.model.early.iter().flatten() {
            let Some(places) = turns.pressed.places(rule) else { continue };
            for (row, places) in rule.rows.iter().zip(&places) {
                for place in places {
                    for (index, cell) in place.indexed(turns.pressed.step(rule.direction)) {
                        if gains(turns, row, index, cell, &player_layers, players) != 0 {
                            made |= gains(turns, row, index, cell, &player_layers, players);
                        }
                        if gains(turns, row, index, cell, &layers, tokens) == 0
                            && !alters(turns, row, index, cell, &layers, tokens)
                        {
                            continue;
                        }
                        let anchor = place.cells.clone().find_map(|at| Some((at, player_ask(row, at, players)?)));
                        let (at, ask) = anchor?;
                        changes.push((ask.moving, vector(rule, index as isize - at as isize)));
                    }
                }
            }
        }
        changes.sort_unstable();
        changes.dedup();
        let at_once = |input: &Input| {
            let movements = made | input.bit() as u8;
            let possible = changes.iter().filter(|(moving, _)| moving & !movements == 0);
            possible.map(|&(_, vector)| vector).collect::<BTreeSet<_>>().len()
        };
        let most = inputs.iter().map(at_once).max().unwrap_or(0) * layers.len();
        let vectors: BTreeSet<Vector> = changes.iter().map(|&(_, vector)| vector).collect();
        Some(Movers { most: most.max(1) as u32, vectors: vectors.into_iter().collect() })
    }
}

/// Returns what a cell of a row asks of the player's layer, if it asks for a player.
fn player_ask<'a>(row: &'a LoweredRow, index: usize, players: &Tokens) -> Option<&'a Ask> {
    row.cells[index]
        .asks
        .iter()
        .find(|ask| !ask.allowed.is_empty() && each_object(&ask.allowed).all(|thing| players.contains(thing)))
}

/// Returns the movements that a replaced cell gives to tokens that did not have them.
fn gains(turns: &Turns, row: &LoweredRow, index: usize, cell: usize, layers: &[u32], tokens: &Tokens) -> u8 {
    let pattern = &row.cells[index];
    let mut gained = 0;
    for effect in pattern.effects.iter().filter(|effect| effect.go != 0 && layers.contains(&effect.layer)) {
        let ask = pattern.asks.iter().find(|ask| ask.layer == effect.layer && !row.changed_before.contains(&ask.layer));
        let new = effect.go & !ask.map_or(0, |ask| ask.moving) & MOVEMENT_BITS as u8;
        let before = turns.pressed.before(turns.model, row, pattern, cell, effect.layer);
        if before.iter().any(|&(thing, _)| tokens.contains(effect.after(turns.model, thing))) {
            gained |= new;
        }
    }
    gained
}

/// Returns whether a replaced cell may take a token out or make another one of it.
fn alters(turns: &Turns, row: &LoweredRow, index: usize, cell: usize, layers: &[u32], tokens: &Tokens) -> bool {
    let pattern = &row.cells[index];
    pattern.effects.iter().filter(|effect| layers.contains(&effect.layer)).any(|effect| {
        let before = turns.pressed.before(turns.model, row, pattern, cell, effect.layer);
        before.iter().any(|&(thing, _)| tokens.contains(thing) && effect.after(turns.model, thing) != thing)
    })
}

fn vector(rule: &Lowered, distance: isize) -> Vector {
    use crate::game::Direction::{Down, Left, Right, Up};
    match rule.direction {
        Up => (0, -distance),
        Down => (0, distance),
        Left => (-distance, 0),
        Right => (distance, 0),
    }
}
