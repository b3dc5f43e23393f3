//! Goals, as conditions on whole states.

use super::Machine;
use super::formula::{Formula, Scene, Terms};
use super::state::State;
use crate::expression::Item;
use crate::model::{Model, ModelGoal};
use crate::task::{Value, Var};
use serde_json::json;

/// A variable with the values that it may have.
pub(super) type Fact = (Var, Vec<Value>);

/// A goal; all of its parts must hold.
#[derive(Debug)]
pub(super) struct StateGoal {
    pub places: Vec<Fact>,
    /// Cells with the symbols that each may have.
    every: Vec<(usize, Box<[bool]>)>,
    /// Symbols, with the least and the greatest number of cells that have them.
    pub counts: Vec<(Box<[bool]>, u32, u32)>,
    /// Piles, with their items.
    piles: Vec<(usize, Vec<Item>)>,
    /// The places of a drawing, of which one must fit.
    pub anywhere: Option<Vec<Vec<Fact>>>,
    pub when: Vec<Formula>,
}

impl StateGoal {
    pub fn new(model: &Model, goal: &ModelGoal, terms: &mut Terms) -> StateGoal {
        let flags = |values: &[Value]| -> Box<[bool]> {
            (0..model.symbols.len()).map(|symbol| values.contains(&(symbol as Value))).collect()
        };
        let mut every: Vec<(usize, Box<[bool]>)> = Vec::new();
        for cell in 0..model.world.cells() {
            let is_wrong = |(_, marks): &&(Value, Vec<char>)| !marks.contains(&model.world.marks[cell]);
            let wrong: Vec<Value> = goal.every.iter().filter(is_wrong).map(|(symbol, _)| *symbol).collect();
            if !wrong.is_empty() {
                every.push((cell, flags(&wrong).iter().map(|wrong| !wrong).collect()));
            }
        }
        StateGoal {
            places: goal.places.clone(),
            every,
            counts: goal.counts.iter().map(|(values, least, most)| (flags(values), *least, *most)).collect(),
            piles: goal.piles.clone(),
            anywhere: goal.anywhere.as_ref().map(|drawing| {
                let facts = |place| drawing.wanted_at(model, place).map(|(var, values)| (var, values.to_vec()));
                drawing.places(model).map(|place| facts(place).collect()).collect()
            }),
            when: goal.when.iter().map(|when| terms.compile(&when.expr, &[])).collect(),
        }
    }

    /// Returns whether it holds in a state.
    pub fn holds(&self, scene: &Scene, cells: usize) -> bool {
        let State { values, piles } = scene.state;
        let fits = |(var, allowed): &Fact| allowed.contains(&values[*var]);
        let counted = |(symbols, least, most): &(Box<[bool]>, u32, u32)| {
            let found = values[..cells].iter().filter(|symbol| symbols[usize::from(**symbol)]).count();
            (*least as usize..=*most as usize).contains(&found)
        };
        self.places.iter().all(fits)
            && self.every.iter().all(|(cell, allowed)| allowed[usize::from(values[*cell])])
            && self.counts.iter().all(counted)
            && self.piles.iter().all(|(pile, items)| piles[*pile] == *items)
            && self.anywhere.as_ref().is_none_or(|places| places.iter().any(|place| place.iter().all(fits)))
            && self.when.iter().all(|when| scene.holds(when))
    }

    /// Returns the values that a variable may have, if the goal restricts it alone.
    pub fn allowed(&self) -> impl Iterator<Item = Fact> {
        let marked = self.every.iter().map(|(cell, allowed)| {
            let values = (0..).zip(allowed).filter(|(_, is_allowed)| **is_allowed).map(|(value, _)| value);
            (*cell, values.collect())
        });
        self.places.iter().cloned().chain(marked)
    }

    /// Returns the goal as data.
    pub fn data(&self, machine: &Machine) -> serde_json::Value {
        let symbols = |symbols: &[bool]| -> Vec<usize> {
            symbols.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(symbol, _)| symbol).collect()
        };
        let counts = self.counts.iter().map(|(of, least, most)| (symbols(of), least, most));
        let places = self.places.iter().map(|(var, values)| json!([var, values]));
        let every = self.every.iter().map(|(cell, allowed)| json!([cell, symbols(allowed)]));
        json!({
            "places": places.chain(every).collect::<Vec<_>>(),
            "counts": counts.collect::<Vec<_>>(),
            "piles": self.piles,
            "anywhere": self.anywhere,
            "when": machine.formulas(&self.when),
        })
    }
}
