//! Positions of a machine's puzzle: text, the names of moves, and pictures in which figures keep their identity through
//! all steps of a move.

use super::space::MachineSpace;
use super::state::State;
use super::turn::Step;
use super::{Machine, Unit};
use crate::domain::mechanics::Mechanics;
use crate::domain::{GoalView, Notation, Style, View};
use crate::expression::Item;
use crate::ground::names::move_name;
use crate::ground::pattern::ground_pattern;
use crate::layout;
use crate::layout::piles::Slot;
use crate::model::{MovePart, RewritePattern};
use crate::picture::{Figure, MOST_FIGURES, Picture};
use crate::task::Value;
use crate::view::{Position, Scenery};
use crate::{text, words};
use std::sync::Arc;

/// Draws the positions of a puzzle.
pub(super) struct MachineView {
    machine: Arc<Machine>,
    scenery: Scenery,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct MachinePosition {
    pub state: State,
    drawn: Position,
    /// The keys of the items of each pile.
    keys: Vec<Vec<u64>>,
}

impl MachineView {
    pub fn new(machine: Arc<Machine>) -> MachineView {
        let reached: Vec<usize> = machine.reached.iter().map(Vec::len).collect();
        MachineView { scenery: Scenery::new(Arc::clone(&machine.model), &reached), machine }
    }

    /// Returns the name of a move, with a number if a legal move before it has the same name.
    fn numbered_name(&self, state: &State, action: u32) -> String {
        let name = |action: u32| self.machine.name(state, &self.machine.moves[action as usize]);
        let own = name(action);
        let legal = self.machine.legal_moves(state);
        match legal.iter().filter(|(other, _)| *other < action && name(*other) == own).count() {
            0 => own,
            before => format!("{own} #{}", before + 1),
        }
    }

    /// Draws variables and the slots of piles.
    fn pictured(&self, drawn: &Position, piles: &[Vec<Slot>]) -> Picture {
        let Machine { model, most, .. } = &*self.machine;
        let part = layout::piles::part(model, &self.scenery.looks, piles, most);
        self.scenery.drawn(drawn, part.into_iter().collect())
    }

    /// Makes a step of a move.
    fn step(&self, position: &mut MachinePosition, step: Step) {
        if step.moved.is_empty() {
            self.scenery.follow(&mut position.drawn, step.values, |var| step.in_place.contains(&var));
        } else {
            Scenery::shift(&mut position.drawn, step.values, &step.moved);
        }
        if let Some((from, to, count, turned)) = step.carried {
            let first = position.keys[from].len() - count;
            let mut items = position.keys[from].split_off(first);
            if turned {
                items.reverse();
            }
            position.keys[to].extend(items);
        }
    }
}

impl Machine {
    /// Returns the name of a move.
    pub fn name(&self, state: &State, unit: &Unit) -> String {
        let part = |part: MovePart| match part {
            MovePart::Text(text) => text,
            MovePart::Symbol(var) => self.model.world.values[var][usize::from(state.values[var])].to_string(),
        };
        self.name_parts(unit).into_iter().map(part).collect()
    }

    /// Returns the parts of the name of a unit's moves.
    pub fn name_parts(&self, unit: &Unit) -> Vec<MovePart> {
        let (model, binding) = (&*self.model, &self.bindings[unit.binding as usize]);
        let rule = self.rule(binding);
        let mut grounded = Vec::new();
        let (first, further) = match &unit.places[..] {
            [first, further @ ..] => (*first, further),
            [] => (0, &[][..]),
        };
        let mut pattern = RewritePattern::cell();
        if let Some(image) = &unit.image {
            for (number, (drawing, &place)) in rule.drawings().zip(&unit.places).enumerate() {
                let bound = drawing.bound(model, &binding.parameters);
                let turned = bound.turned(model, image);
                grounded.extend(ground_pattern(model, &turned, image, place).unwrap_or_default());
                if number == 0 {
                    pattern = turned.into_owned();
                }
            }
        }
        let place = unit.image.as_ref().map(|image| (model, &pattern, image, first));
        move_name(&model.world, rule, &binding.parameters, &grounded, place, further)
    }
}

impl View<MachineSpace> for MachineView {
    type Position = MachinePosition;

    fn initial(&self) -> MachinePosition {
        let state = self.machine.start.clone();
        let mut next = 1 << 40;
        let keys = state.piles.iter().map(|pile| {
            next += pile.len() as u64;
            (next - pile.len() as u64..next).collect()
        });
        let keys = keys.collect();
        MachinePosition { drawn: self.scenery.position(state.values.clone()), keys, state }
    }

    fn apply(&self, position: &mut MachinePosition, action: u32) {
        let (after, steps) = self.machine.trace(&position.state, action);
        steps.into_iter().for_each(|step| self.step(position, step));
        position.state = after;
    }

    fn notation(&self, position: &MachinePosition, action: u32, _notation: Notation) -> String {
        self.numbered_name(&position.state, action)
    }

    fn draw(&self, position: &MachinePosition, _style: Style) -> String {
        self.machine.drawn(&position.state)
    }

    fn picture(&self, position: &MachinePosition) -> Option<Picture> {
        let slots =
            |(pile, keys): (&Vec<Item>, &Vec<u64>)| pile.iter().copied().zip(keys.iter().copied()).map(Some).collect();
        let piles: Vec<Vec<Slot>> = position.state.piles.iter().zip(&position.keys).map(slots).collect();
        let mut picture = self.pictured(&position.drawn, &piles);
        if let Some(words) = &mut picture.words {
            let piles = position.state.piles.iter().enumerate();
            words.lines.extend(piles.map(|(number, items)| words::of_pile(&self.machine.model, number, items)));
        }
        Some(picture).filter(|picture| picture.figures.len() <= MOST_FIGURES)
    }

    fn goal(&self) -> GoalView {
        self.scenery.goal_view()
    }

    fn mechanics(&self, _space: &MachineSpace) -> Option<Mechanics> {
        Some(self.machine.mechanics())
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        let (values, mut slots) = values.split_at(self.machine.start.values.len());
        let drawn = self.scenery.position(values.iter().map(|&value| value as Value).collect());
        let piles = self.machine.most.iter().map(|&most| {
            let (own, rest) = slots.split_at(most);
            slots = rest;
            let slot = |&item: &u32| item.checked_sub(1).map(|item| (item as Item, 0));
            own.iter().map(slot).collect()
        });
        let piles: Vec<Vec<Slot>> = piles.collect();
        self.pictured(&drawn, &piles).figures
    }
}

impl Machine {
    /// Draws a state as text.
    pub fn drawn(&self, state: &State) -> String {
        let mut text = text::drawn(&self.model, &state.values);
        for words in text::piles(&self.model, &state.piles) {
            text += &words.join(" ");
            text.push('\n');
        }
        text
    }
}
