//! The rules of a machine as data for programs that play without the engine: units, patterns and formulas, as nested
//! lists. A formula is a value, nothing if it is undefined, or a list of its kind and its parts.

use super::bodies::Bodies;
use super::formula::{Choices, Datum, Formula, PileFormula};
use super::{Act, Binding, Check, Machine, Pattern, Put, Unit, has, known_number};
use crate::domain::mechanics::{Mechanics, Moves};
use crate::expression::{Operation, Quantifier, Term};
use crate::ground::MOST_COST;
use crate::model::{Image, MovePart};
use crate::task::Value as Symbol;
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl Machine {
    /// Returns the rules as data. Behind the variables come the slots of each pile, bottom first: 0 for none, else the
    /// number of an item plus 1.
    pub fn mechanics(&self) -> Mechanics {
        let slots = self.most.iter().zip(&self.start.piles).flat_map(|(&most, pile)| {
            let items = pile.iter().map(|item| u32::from(*item) + 1);
            items.chain(std::iter::repeat(0)).take(most)
        });
        let start: Vec<u32> = self.start.values.iter().map(|value| u32::from(*value)).chain(slots).collect();
        let of_variables = self.reached.iter().map(|reached| {
            let mut values: Vec<u32> = reached.iter().map(|value| u32::from(*value)).collect();
            values.sort_unstable();
            values
        });
        let of_slot: Vec<u32> = (0..=self.terms.items.len() as u32).collect();
        let slots = start.len() - self.start.values.len();
        let domains = of_variables.chain(std::iter::repeat_n(of_slot, slots)).collect();
        Mechanics { start, domains, goals: Vec::new(), moves: Moves::Machine(self.data()) }
    }

    fn data(&self) -> Value {
        let world = &self.model.world;
        // The lists of values, of which most variables have the same.
        let mut lists: Vec<&Arc<[Datum]>> = Vec::new();
        let mut number = |values| {
            lists.iter().position(|known| Arc::ptr_eq(known, values)).unwrap_or_else(|| {
                lists.push(values);
                lists.len() - 1
            })
        };
        let values: Vec<usize> = self.terms.values.iter().map(&mut number).collect();
        let datum = |datum: &Datum| self.datum(*datum);
        let lists: Vec<Vec<Value>> = lists.iter().map(|values| values.iter().map(datum).collect()).collect();
        let array = |array: &crate::expression::Array| json!([array.first, array.bounds]);
        let scalars = world.arrays.iter().filter(|array| array.bounds.is_empty());
        let scalars: Map<String, Value> = scalars.map(|array| (array.name.clone(), array.first.into())).collect();
        let maps = world.maps.iter().map(|(_, map)| {
            let entries: Vec<[Value; 2]> = map.iter().map(|(key, image)| [term(key), term(image)]).collect();
            let patterns: Vec<Value> = map.patterns().map(|(pattern, image)| json!([pattern, term(image)])).collect();
            json!([entries, patterns])
        });
        let beside = |cell: usize| [0, 1, 2, 3].map(|at| self.bodies.ahead(cell as u32, at).map_or(-1, i64::from));
        let body = |symbol: usize| {
            let of = self.model.bodies.iter().position(|symbols| symbols.contains(&(symbol as Symbol)));
            of.map_or(0, |number| number + 1)
        };
        let mut images = Vec::new();
        let [moves, after] = [(&self.moves, true), (&self.after, false)].map(|(units, is_named)| -> Vec<Value> {
            units.iter().map(|unit| self.unit(unit, is_named, &mut images)).collect()
        });
        let patterns: Vec<Value> = self.patterns.iter().map(|pattern| self.pattern(pattern, &mut images)).collect();
        let images: Vec<[i64; 2]> = images.iter().map(|image: &Image| image.forward().into()).collect();
        let symbols = |set: &super::Symbols| {
            (0..self.model.symbols.len() as Symbol).filter(|&symbol| has(set, symbol)).collect::<Vec<_>>()
        };
        json!({
            "columns": world.columns,
            "cells": self.cells(),
            "values": values,
            "lists": lists,
            "items": self.terms.items.iter().map(datum).collect::<Vec<_>>(),
            "most": self.most,
            "arrays": world.arrays.iter().map(array).collect::<Vec<_>>(),
            "piles": world.piles.iter().map(|piles| array(&piles.array)).collect::<Vec<_>>(),
            "scalars": scalars,
            "marks": world.marks.iter().map(|mark| term(&Term::read(&mark.to_string()))).collect::<Vec<_>>(),
            "maps": maps.collect::<Vec<_>>(),
            "beside": (0..self.cells()).map(beside).collect::<Vec<_>>(),
            "bodies": (0..self.model.symbols.len()).map(body).collect::<Vec<_>>(),
            "sets": self.symbols.iter().map(symbols).collect::<Vec<_>>(),
            "tables": self.tables,
            "patterns": patterns,
            "images": images,
            "bindings": self.bindings.iter().map(|binding| self.binding(binding)).collect::<Vec<_>>(),
            "moves": moves,
            "after": after,
            "never": self.formulas(&self.never),
            "goals": self.goals.iter().map(|goal| goal.data(self)).collect::<Vec<_>>(),
            "mostCost": MOST_COST,
            "unit": self.moves.iter().all(|unit| known_number(&self.bindings[unit.binding as usize].cost) == Some(1)),
        })
    }

    fn datum(&self, datum: Datum) -> Value {
        match datum {
            Datum::Pile(pile) => json!(["pile", pile]),
            datum => term(&self.terms.term(datum)),
        }
    }

    /// Writes a unit: its binding, image and place, what it does, and the parts of its name.
    fn unit(&self, unit: &Unit, is_named: bool, images: &mut Vec<Image>) -> Value {
        let direction = unit.image.as_ref().map_or(0, Bodies::direction);
        let (kind, act, flag) = match &unit.act {
            Act::Nothing => ("nothing", json!(0), json!(0)),
            Act::Pattern(pattern) => ("pattern", json!(pattern), json!(0)),
            Act::Slide(steps, wraps) => ("slide", json!(steps), json!(wraps)),
            Act::Pass(patterns, repeats) => ("pass", json!(patterns), json!(repeats)),
            Act::Shift => ("shift", json!(0), json!(direction)),
            Act::ShiftAll => ("shiftAll", json!(0), json!(direction)),
        };
        let part = |part: &MovePart| match part {
            MovePart::Text(text) => json!(text),
            MovePart::Symbol(var) => json!(var),
        };
        let name: Vec<Value> = if is_named { self.name_parts(unit).iter().map(part).collect() } else { Vec::new() };
        let image = unit.image.as_ref().map_or(-1, |image| number_of(image, images) as i64);
        let place = unit.places.first().map_or(-1, |place| *place as i64);
        json!([unit.binding, image, place, kind, act, flag, name])
    }

    fn pattern(&self, pattern: &Pattern, images: &mut Vec<Image>) -> Value {
        let check = |check: &Check| match *check {
            Check::Is(cell, value) => [0, cell, value.into()],
            Check::In(cell, set) => [1, cell, set],
            Check::Same(cell, other) => [2, cell, other],
        };
        let put = |put: &Put| match *put {
            Put::Symbol(cell, value) => [0, cell, value.into()],
            Put::Copy(cell, from) => [1, cell, from],
            Put::Map(cell, table) => [2, cell, table],
        };
        let checks: Vec<[u32; 3]> = self.checks(pattern).iter().map(check).collect();
        let puts: Vec<[u32; 3]> = self.puts(pattern).iter().map(put).collect();
        json!([pattern.place, number_of(&pattern.image, images), checks, puts, self.letters(pattern)])
    }

    fn binding(&self, binding: &Binding) -> Value {
        let rule = self.rule(binding);
        let then: Vec<Value> = binding.then.iter().map(|(var, value)| json!([var, self.formula(value)])).collect();
        let carry = binding.carry.as_ref().map(|carry| {
            json!([self.pile(&carry.from), self.pile(&carry.to), self.formula(&carry.count), carry.turned])
        });
        let shift = rule.shift.as_ref().map(|shift| json!([shift.moved, shift.push, shift.into]));
        let (when, local) = (self.formulas(&binding.conditions), self.formulas(&binding.local_conditions));
        json!([when, local, then, self.formula(&binding.cost), carry, shift, rule.in_image_of_move])
    }

    pub(super) fn formulas(&self, parts: &[Formula]) -> Vec<Value> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn pile(&self, pile: &PileFormula) -> Value {
        match pile {
            PileFormula::Known(number) => json!(number),
            PileFormula::Element(array, indices) => listed(json!(array), self.formulas(indices)),
            PileFormula::Undefined => Value::Null,
        }
    }

    fn choices(&self, choices: &Choices) -> Value {
        match choices {
            Choices::Range(least, most) => json!(["..", self.formula(least), self.formula(most)]),
            Choices::List(list) => listed(json!("list"), self.formulas(list)),
        }
    }

    fn formula(&self, formula: &Formula) -> Value {
        let one = |kind: &str, part: &Formula| json!([kind, self.formula(part)]);
        let all = |kind: &str, parts: &[Formula]| listed(json!(kind), self.formulas(parts));
        let set = |kind: &str, symbols: &[bool]| {
            let symbols = symbols.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(symbol, _)| symbol);
            json!([kind, symbols.collect::<Vec<_>>()])
        };
        match formula {
            Formula::Known(datum) => self.datum(*datum),
            Formula::Undefined => Value::Null,
            Formula::Bound(depth) => json!(["bound", depth]),
            Formula::Letter(letter) => json!(["letter", letter]),
            Formula::Variable(var) => json!(["var", var]),
            Formula::Has(var, value) => json!(["has", var, value]),
            Formula::Element(array, indices) => {
                listed(json!("at"), [vec![json!(array)], self.formulas(indices)].concat())
            }
            Formula::Mark(indices) => all("mark", indices),
            Formula::Minimum(parts) => all("min", parts),
            Formula::Maximum(parts) => all("max", parts),
            Formula::Absolute(part) => one("abs", part),
            Formula::Count(symbols) => set("count", symbols),
            Formula::CountOf(part) => one("countOf", part),
            Formula::Ahead(symbols) => set("ahead", symbols),
            Formula::Bodies(symbols) => set("bodies", symbols),
            Formula::Size(pile) => json!(["size", self.pile(pile)]),
            Formula::Top(pile, place) => json!(["top", self.pile(pile), self.formula(place)]),
            Formula::Same(pile) => json!(["same", self.pile(pile)]),
            Formula::Map(map, part) => json!(["map", map, self.formula(part)]),
            Formula::Each(quantifier, parts) => {
                listed(json!("each"), [vec![json!(name(*quantifier))], self.formulas(parts)].concat())
            }
            Formula::Quantified(quantifier, choices, body) => {
                json!(["for", name(*quantifier), self.choices(choices), self.formula(body)])
            }
            Formula::Not(part) => one("not", part),
            Formula::Negative(part) => one("negative", part),
            Formula::Binary(operation, parts) => {
                json!([sign(*operation), self.formula(&parts.0), self.formula(&parts.1)])
            }
            Formula::Within(part, choices) => json!(["in", self.formula(part), self.choices(choices)]),
            Formula::Conditional(parts) => {
                json!(["?", self.formula(&parts.0), self.formula(&parts.1), self.formula(&parts.2)])
            }
        }
    }
}

/// Returns a list with a kind before its parts.
fn listed(kind: Value, parts: Vec<Value>) -> Value {
    std::iter::once(kind).chain(parts).collect()
}

fn term(term: &Term) -> Value {
    match term {
        Term::Number(number) => json!(number),
        Term::Truth(truth) => json!(truth),
        term => json!(term.to_string()),
    }
}

/// Returns the number of an image among those that are turned and mirrored alike.
fn number_of(image: &Image, images: &mut Vec<Image>) -> usize {
    let is_same = |known: &Image| (known.quarters, known.mirrored) == (image.quarters, image.mirrored);
    images.iter().position(is_same).unwrap_or_else(|| {
        images.push(*image);
        images.len() - 1
    })
}

fn name(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "all",
        Quantifier::Any => "any",
        Quantifier::Count => "count",
        Quantifier::Sum => "sum",
    }
}

fn sign(operation: Operation) -> &'static str {
    match operation {
        Operation::Or => "||",
        Operation::And => "&&",
        Operation::Equal => "==",
        Operation::Unequal => "!=",
        Operation::Less => "<",
        Operation::AtMost => "<=",
        Operation::Greater => ">",
        Operation::AtLeast => ">=",
        Operation::Plus => "+",
        Operation::Minus => "-",
        Operation::Times => "*",
        Operation::Divide => "/",
        Operation::Modulo => "%",
    }
}
