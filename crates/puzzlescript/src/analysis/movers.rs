//! The tokens that may change in one press: those at fixed places beside a player.
//!
//! If each rule that changes tokens or lets them move asks for a player in the same row, then tokens that change are at
//! fixed vectors from a player. So a token does not change before a player is at such a place. And if players keep
//! their cells until the movement of a turn, or cannot move any more in it, no press changes more tokens than there are
//! such places for one key: distances of different tokens may be added, and divided by that number.

use super::known::Place;
use super::model::{Ask, Cell, Lowered, LoweredRow};
use super::tokens::{Tokens, Turns};
use crate::game::Vector;
use crate::input::Input;
use crate::turn::places::each_object;
use std::collections::BTreeSet;

/// The places, relative to a player, of tokens that may change in a press.
pub(super) struct Movers {
    /// The most tokens that may change in one press, for each player; none if it is not known.
    pub most: Option<u32>,
    pub vectors: Vec<Vector>,
    /// A token that moves may let others move: only the first of them is beside a player.
    pub chains: bool,
    /// Tokens change only in presses before which a player is at such a place. Otherwise a player is there at some time
    /// of the press.
    pub before_press: bool,
}

/// A place where a rule may change a token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    vector: Vector,
    late: bool,
    /// The movements of the player that the rule asks for.
    moving: u8,
}

/// A survey of the effects of rules on tokens and players.
struct Survey<'a> {
    turns: &'a Turns<'a>,
    players: &'a Tokens,
    tokens: &'a Tokens,
    changes: BTreeSet<Change>,
    chains: bool,
    /// Movements that rules give to players, or that they take over in a cell into which a rule puts them.
    made: u8,
    /// A rule moves players to other cells.
    late_moves: bool,
}

impl Movers {
    /// Proves where tokens may change in a press; none if there is no proof.
    pub fn new(turns: &Turns, inputs: &[Input], players: &Tokens, tokens: &Tokens) -> Option<Movers> {
        if tokens.nodes().any(|(_, object, _)| players.contains(object)) {
            return None;
        }
        let (changes, late_moves) = (BTreeSet::new(), players.change_cells_late);
        let mut survey = Survey { turns, players, tokens, changes, chains: false, made: 0, late_moves };
        for (late, phase) in [(false, &turns.model.early), (true, &turns.model.late)] {
            phase.iter().flatten().try_for_each(|rule| survey.add_rule(rule, late))?;
        }
        Some(survey.movers(inputs))
    }
}

/// Returns whether players have no movement but that of the key before the movement of a turn.
pub(super) fn keys_alone(turns: &Turns, players: &Tokens) -> bool {
    let changes = BTreeSet::new();
    let mut survey = Survey { turns, players, tokens: players, changes, chains: false, made: 0, late_moves: false };
    for rule in turns.model.early.iter().flatten() {
        if (turns.should_stop)() {
            return false;
        }
        survey.add_made(rule);
    }
    survey.made == 0 && !turns.model.late_moves()
}

impl Survey<'_> {
    /// Adds the movements that a rule before movement gives to players.
    fn add_made(&mut self, rule: &Lowered) {
        let Some(places) = self.turns.pressed.places(rule) else { return };
        for (row, places) in rule.rows.iter().zip(&places) {
            for (index, cell) in places.iter().flat_map(|place| place.indexed(self.turns.pressed.step(rule.direction)))
            {
                self.made |= self.effects(&row.cells[index], cell, self.players).0;
            }
        }
    }

    /// Adds what a rule changes; none if it may change a token away from players, or the work must stop.
    fn add_rule(&mut self, rule: &Lowered, late: bool) -> Option<()> {
        if (self.turns.should_stop)() {
            return None;
        }
        let Some(places) = self.turns.pressed.places(rule) else { return Some(()) };
        for (row, places) in rule.rows.iter().zip(&places) {
            for place in places {
                if (self.turns.should_stop)() {
                    return None;
                }
                for (index, cell) in place.indexed(self.turns.pressed.step(rule.direction)) {
                    let (gained, _) = self.effects(&row.cells[index], cell, self.players);
                    if !late {
                        self.made |= gained;
                    }
                    let (gained, altered) = self.effects(&row.cells[index], cell, self.tokens);
                    if gained != 0 || altered {
                        self.add_change(rule, row, place, index, late)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Adds a change of a token in a cell of a row.
    fn add_change(&mut self, rule: &Lowered, row: &LoweredRow, place: &Place, index: usize, late: bool) -> Option<()> {
        let asks = |at: usize, tokens: &Tokens| row.cells[at].asks.iter().find(|ask| is_of(ask, tokens));
        if let Some((at, ask)) = place.cells.clone().find_map(|at| Some((at, asks(at, self.players)?))) {
            let vector = rule.direction.vector(index as isize - at as isize);
            self.changes.insert(Change { vector, late, moving: ask.moving });
            return Some(());
        }
        self.chains = true;
        let is_moved = |at: usize| row.cells[at].asks.iter().any(|ask| ask.moving != 0 && is_of(ask, self.tokens));
        (!late && place.cells.clone().any(is_moved)).then_some(())
    }

    /// Returns the movements that some tokens gain when a cell is replaced, and whether one of them is put in, taken
    /// out or changed.
    fn effects(&self, pattern: &Cell, cell: usize, tokens: &Tokens) -> (u8, bool) {
        let (mut gained, mut altered) = (0, false);
        let Turns { model, pressed: known, .. } = self.turns;
        for effect in pattern.effects.iter().filter(|effect| tokens.is_in_layer(model, effect.layer)) {
            let ask = pattern.certain(effect.layer);
            for (thing, movements) in known.before(model, pattern, cell, effect.layer) {
                let after = effect.after(model, thing);
                let [was, is] = [thing, after].map(|thing| tokens.contains(thing));
                altered |= thing != after && (was || is);
                if is {
                    let had = if was { movements } else { 0 };
                    let certain = ask.map_or(0, |ask| ask.moving) & if was { u8::MAX } else { 0 };
                    gained |= effect.go & !certain | movements & !effect.stop & !had;
                }
            }
        }
        (gained, altered)
    }

    fn movers(self, inputs: &[Input]) -> Movers {
        let is_early = |change: &&Change| !change.late;
        // A player that a rule moves cannot move again in this turn, if rules ask for its movement and give it none.
        let is_inert = self.made == 0 && self.changes.iter().filter(is_early).all(|change| change.moving != 0);
        let stays = is_inert || !self.players.change_cells_early;
        let one_turn = self.turns.quiet.is_none();
        let early = |input: &Input| {
            let movements = self.made | input.bit() as u8;
            let possible = self.changes.iter().filter(is_early).filter(|change| change.moving & !movements == 0);
            possible.map(|change| change.vector).collect::<BTreeSet<_>>().len()
        };
        let vectors = |late: bool| -> BTreeSet<Vector> {
            self.changes.iter().filter(|change| change.late || !late).map(|change| change.vector).collect()
        };
        let late = vectors(true).len();
        let most = (inputs.iter().map(early).max().unwrap_or(0) + late) * self.tokens.layers(self.turns.model).len();
        let is_known = stays && one_turn && !self.chains && (late == 0 || !self.late_moves);
        Movers {
            most: is_known.then_some(most.max(1) as u32),
            vectors: vectors(false).into_iter().collect(),
            chains: self.chains,
            before_press: stays && one_turn && late == 0,
        }
    }
}

/// Returns whether a layer must hold a token.
fn is_of(ask: &Ask, tokens: &Tokens) -> bool {
    !ask.allowed.is_empty() && each_object(&ask.allowed).all(|thing| tokens.contains(thing))
}
