//! Expressions in a form that is quick to evaluate: values are copied, names are numbers, and parameters are replaced by
//! their values. What then reads nothing of a state is evaluated once.
//!
//! The results are those of [`Evaluator`](crate::expression::Evaluator) on a complete state; `None` is undefined.

mod compile;

use super::bodies::Bodies;
use super::state::State;
use crate::expression::{Array, Expr, Item, Operation, PileExpr, Quantifier, Term, World};
use crate::model::{Image, Model};
use crate::task::{Value, Var};
use compile::Compiler;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The most values of a range that a state determines.
const MOST_CHOICES: i64 = 1 << 16;

/// A value of an expression. Names are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Datum {
    Number(i64),
    Name(u32),
    Truth(bool),
    Pile(u32),
}

/// A pile in a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PileFormula {
    Known(usize),
    /// An element of the array of piles with this index.
    Element(usize, Box<[Formula]>),
    Undefined,
}

/// The values that a bound name takes, or that a value is tested against.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choices {
    Range(Formula, Formula),
    List(Box<[Formula]>),
}

/// A compiled expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    Known(Datum),
    Undefined,
    /// The name bound by the quantifier at this depth.
    Bound(usize),
    /// The symbol that a letter of the rule matched.
    Letter(usize),
    Variable(Var),
    /// Whether a variable has a value.
    Has(Var, Value),
    /// An element of the array with this index.
    Element(usize, Box<[Formula]>),
    Mark(Box<[Formula]>),
    Minimum(Box<[Formula]>),
    Maximum(Box<[Formula]>),
    Absolute(Box<Formula>),
    /// The number of cells with these symbols, or with a symbol to be evaluated.
    Count(Box<[bool]>),
    CountOf(Box<Formula>),
    Ahead(Box<[bool]>),
    Bodies(Box<[bool]>),
    Size(PileFormula),
    Top(PileFormula, Box<Formula>),
    Same(PileFormula),
    Map(usize, Box<Formula>),
    /// A quantifier with a part for each value.
    Each(Quantifier, Box<[Formula]>),
    Quantified(Quantifier, Box<Choices>, Box<Formula>),
    Not(Box<Formula>),
    Negative(Box<Formula>),
    Binary(Operation, Box<(Formula, Formula)>),
    Within(Box<Formula>, Box<Choices>),
    Conditional(Box<(Formula, Formula, Formula)>),
}

/// What evaluation reads of a state, apart from the rest of the machine.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub terms: &'a Terms,
    pub bodies: &'a Bodies,
    pub state: &'a State,
    /// For each letter of the rule, the cell that it matched.
    pub letters: &'a [Option<u32>],
    /// The place and the image of the rule, if it has them.
    pub at: Option<(usize, Image)>,
    /// Set if a range is too long to be evaluated.
    pub too_long: &'a Cell<bool>,
}

/// The value of a parameter while an expression is compiled.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    Known(Datum),
    Letter(usize),
    /// Bound by the quantifier at this depth.
    Bound(usize),
}

/// The values of variables, items and maps, with numbered names.
#[derive(Debug)]
pub(super) struct Terms {
    names: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    /// For each name, the scalar variable that it names.
    variables: Vec<Option<Var>>,
    pub world: World,
    /// The values of each variable.
    pub values: Vec<Arc<[Datum]>>,
    pub items: Vec<Datum>,
    marks: Vec<Datum>,
    /// For each map, the images of names, as far as they were known when it was built.
    images: Vec<Vec<Option<Datum>>>,
}

impl Terms {
    pub fn new(model: &Model) -> Terms {
        let mut terms = Terms {
            names: FxHashMap::default(),
            texts: Vec::new(),
            variables: Vec::new(),
            world: model.world.clone(),
            values: Vec::new(),
            items: Vec::new(),
            marks: Vec::new(),
            images: Vec::new(),
        };
        // All cells have the same values.
        let mut last: Option<&Arc<[Term]>> = None;
        for values in &model.world.values {
            let known = terms.values.last().filter(|_| last.is_some_and(|last| Arc::ptr_eq(last, values)));
            let found =
                known.map(Arc::clone).unwrap_or_else(|| values.iter().map(|value| terms.datum(value)).collect());
            terms.values.push(found);
            last = Some(values);
        }
        terms.items = model.world.items.iter().map(|item| terms.datum(item)).collect();
        terms.marks = model.world.marks.iter().map(|mark| terms.datum(&Term::read(&mark.to_string()))).collect();
        for (_, entries) in &model.world.maps {
            for (from, to) in entries.iter() {
                terms.datum(from);
                terms.datum(to);
            }
        }
        terms
    }

    /// Returns a value with its name numbered.
    pub fn datum(&mut self, term: &Term) -> Datum {
        match term {
            Term::Number(number) => Datum::Number(*number),
            Term::Truth(truth) => Datum::Truth(*truth),
            Term::Pile(number) => Datum::Pile(*number as u32),
            Term::Name(name) => Datum::Name(*self.names.entry(Arc::clone(name)).or_insert_with(|| {
                self.texts.push(Arc::clone(name));
                self.variables.push(self.world.variable(name));
                self.texts.len() as u32 - 1
            })),
            // Letters are bound as such.
            Term::Matched(_) => Datum::Truth(false),
        }
    }

    /// Returns a value with its name written.
    pub fn term(&self, datum: Datum) -> Term {
        match datum {
            Datum::Number(number) => Term::Number(number),
            Datum::Truth(truth) => Term::Truth(truth),
            Datum::Pile(number) => Term::Pile(number as usize),
            Datum::Name(name) => Term::Name(Arc::clone(&self.texts[name as usize])),
        }
    }

    /// Makes maps quick, once all names are numbered.
    pub fn finish(&mut self) {
        let world = std::mem::take(&mut self.world);
        self.images = world
            .maps
            .iter()
            .map(|(_, entries)| {
                let texts = self.texts.clone();
                texts.into_iter().map(|text| entries.get(&Term::Name(text)).map(|image| self.datum(image))).collect()
            })
            .collect();
        self.world = world;
    }

    /// Returns the image of a value under a map.
    pub fn image(&self, map: usize, datum: Datum) -> Option<Datum> {
        if let Datum::Name(name) = datum
            && let Some(known) = self.images.get(map).and_then(|images| images.get(name as usize))
        {
            return *known;
        }
        let image = self.world.maps[map].1.get(&self.term(datum))?;
        Some(match image {
            Term::Name(name) => Datum::Name(self.names[name]),
            Term::Number(number) => Datum::Number(*number),
            Term::Truth(truth) => Datum::Truth(*truth),
            Term::Pile(_) | Term::Matched(_) => return None,
        })
    }

    /// Returns the index of a value among those of a variable.
    pub fn value(&self, var: Var, datum: Datum) -> Option<Value> {
        self.values[var].iter().position(|value| *value == datum).map(|at| at as Value)
    }

    /// Returns which values of a cell are among some.
    pub fn symbols(&mut self, wanted: &[Term]) -> Box<[bool]> {
        let wanted: Vec<Datum> = wanted.iter().map(|term| self.datum(term)).collect();
        let cells = if self.world.cells() > 0 { &self.values[0][..] } else { &[] };
        cells.iter().map(|symbol| wanted.contains(symbol)).collect()
    }

    /// Compiles an expression with the values of its parameters.
    pub fn compile(&mut self, expr: &Expr, parameters: &[Parameter]) -> Formula {
        Compiler::new(self, parameters).formula(expr)
    }

    /// Compiles a pile with the values of its parameters.
    pub fn compile_pile(&mut self, pile: &PileExpr, parameters: &[Parameter]) -> PileFormula {
        Compiler::new(self, parameters).pile(pile)
    }
}

impl Formula {
    /// Visits the formula and its parts.
    pub fn visit(&self, visitor: &mut dyn FnMut(&Formula)) {
        visitor(self);
        let mut each = |parts: &[Formula]| parts.iter().for_each(|part| part.visit(visitor));
        match self {
            Formula::Known(_)
            | Formula::Undefined
            | Formula::Bound(_)
            | Formula::Letter(_)
            | Formula::Variable(_)
            | Formula::Has(..)
            | Formula::Count(_)
            | Formula::Ahead(_)
            | Formula::Bodies(_) => {}
            Formula::Element(_, parts)
            | Formula::Mark(parts)
            | Formula::Minimum(parts)
            | Formula::Maximum(parts)
            | Formula::Each(_, parts) => each(parts),
            Formula::Absolute(part)
            | Formula::CountOf(part)
            | Formula::Map(_, part)
            | Formula::Not(part)
            | Formula::Negative(part) => part.visit(visitor),
            Formula::Size(pile) | Formula::Same(pile) => pile.visit(visitor),
            Formula::Top(pile, place) => {
                pile.visit(visitor);
                place.visit(visitor);
            }
            Formula::Quantified(_, choices, body) | Formula::Within(body, choices) => {
                match &**choices {
                    Choices::Range(least, most) => [least, most].into_iter().for_each(|part| part.visit(visitor)),
                    Choices::List(list) => list.iter().for_each(|part| part.visit(visitor)),
                }
                body.visit(visitor);
            }
            Formula::Binary(_, parts) => [&parts.0, &parts.1].into_iter().for_each(|part| part.visit(visitor)),
            Formula::Conditional(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(|part| part.visit(visitor));
            }
        }
    }

    /// Returns whether the formula or a part of it is as wanted.
    pub fn any(&self, is_wanted: impl Fn(&Formula) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= is_wanted(part));
        found
    }

    /// Returns whether it depends on the match: on letters or on the place.
    pub fn is_local(&self) -> bool {
        self.any(|part| matches!(part, Formula::Letter(_) | Formula::Ahead(_)))
    }
}

impl PileFormula {
    /// Visits the formulas in it.
    pub fn visit(&self, visitor: &mut dyn FnMut(&Formula)) {
        if let PileFormula::Element(_, indices) = self {
            indices.iter().for_each(|index| index.visit(visitor));
        }
    }
}

impl Scene<'_> {
    /// Evaluates a formula. `bound` holds the values of bound names.
    pub fn value(&self, formula: &Formula, bound: &mut Vec<Datum>) -> Option<Datum> {
        Some(match formula {
            Formula::Known(datum) => *datum,
            Formula::Undefined => return None,
            Formula::Bound(depth) => match bound[*depth] {
                Datum::Name(name) => match self.terms.variables[name as usize] {
                    Some(var) => self.variable(var),
                    None => bound[*depth],
                },
                datum => datum,
            },
            Formula::Letter(letter) => self.variable(self.letters[*letter]? as usize),
            Formula::Variable(var) => self.variable(*var),
            Formula::Has(var, value) => Datum::Truth(self.state.values[*var] == *value),
            Formula::Element(array, indices) => {
                self.variable(self.element(&self.terms.world.arrays[*array], indices, bound)?)
            }
            Formula::Mark(indices) => {
                let cell = self.element(&self.terms.world.arrays[0], indices, bound)?;
                self.terms.marks[cell]
            }
            Formula::Minimum(parts) => Datum::Number(self.folded(parts, bound, i64::min)?),
            Formula::Maximum(parts) => Datum::Number(self.folded(parts, bound, i64::max)?),
            Formula::Absolute(part) => Datum::Number(self.number(part, bound)?.checked_abs()?),
            Formula::Count(symbols) => {
                let cells = &self.state.values[..self.terms.world.cells()];
                Datum::Number(cells.iter().filter(|symbol| symbols[usize::from(**symbol)]).count() as i64)
            }
            Formula::CountOf(part) => {
                let datum = self.value(part, bound)?;
                let is_counted = |cell: &usize| self.variable(*cell) == datum;
                Datum::Number((0..self.terms.world.cells()).filter(is_counted).count() as i64)
            }
            Formula::Ahead(symbols) => Datum::Number(self.ahead(symbols)?),
            Formula::Bodies(symbols) => {
                let cells = &self.state.values[..self.terms.world.cells()];
                Datum::Number(self.bodies.count(cells, symbols))
            }
            Formula::Size(pile) => Datum::Number(self.pile(pile, bound)?.len() as i64),
            Formula::Top(pile, place) => {
                let place = self.number(place, bound)?;
                let items = self.pile(pile, bound)?;
                let above = usize::try_from(place).ok()?.checked_sub(1)?;
                self.terms.items[usize::from(*items.iter().nth_back(above)?)]
            }
            Formula::Same(pile) => {
                let items = self.pile(pile, bound)?;
                Datum::Number(items.iter().rev().take_while(|item| Some(*item) == items.last()).count() as i64)
            }
            Formula::Map(map, argument) => {
                // As for parameters, a bound name that is a key denotes that key.
                if let Formula::Bound(depth) = **argument
                    && let Some(image) = self.terms.image(*map, bound[depth])
                {
                    return Some(image);
                }
                self.terms.image(*map, self.value(argument, bound)?)?
            }
            Formula::Each(quantifier, parts) => {
                let mut sum = Sum::new(*quantifier);
                for part in parts {
                    if let Some(early) = sum.add(self, part, bound)? {
                        return Some(early);
                    }
                }
                sum.result()
            }
            Formula::Quantified(quantifier, choices, body) => self.quantified(*quantifier, choices, body, bound)?,
            Formula::Not(part) => Datum::Truth(!self.truth(part, bound)?),
            Formula::Negative(part) => Datum::Number(self.number(part, bound)?.checked_neg()?),
            Formula::Binary(operation, parts) => self.binary(*operation, &parts.0, &parts.1, bound)?,
            Formula::Within(part, choices) => {
                let datum = self.value(part, bound)?;
                Datum::Truth(match &**choices {
                    Choices::Range(least, most) => {
                        let (least, most) = (self.number(least, bound)?, self.number(most, bound)?);
                        if let Datum::Number(number) = datum { (least..=most).contains(&number) } else { false }
                    }
                    Choices::List(list) => {
                        let mut found = false;
                        for part in list {
                            found |= self.value(part, bound)? == datum;
                        }
                        found
                    }
                })
            }
            Formula::Conditional(parts) => {
                let part = if self.truth(&parts.0, bound)? { &parts.1 } else { &parts.2 };
                return self.value(part, bound);
            }
        })
    }

    /// Returns whether a condition is defined and true.
    pub fn holds(&self, formula: &Formula) -> bool {
        self.value(formula, &mut Vec::new()) == Some(Datum::Truth(true))
    }

    /// Returns the items of a pile.
    pub fn pile(&self, pile: &PileFormula, bound: &mut Vec<Datum>) -> Option<&[Item]> {
        Some(&self.state.piles[self.pile_number(pile, bound)?])
    }

    /// Returns the number of a pile.
    pub fn pile_number(&self, pile: &PileFormula, bound: &mut Vec<Datum>) -> Option<usize> {
        match pile {
            PileFormula::Known(number) => Some(*number),
            PileFormula::Element(array, indices) => self.element(&self.terms.world.piles[*array].array, indices, bound),
            PileFormula::Undefined => None,
        }
    }

    fn variable(&self, var: Var) -> Datum {
        self.terms.values[var][usize::from(self.state.values[var])]
    }

    fn element(&self, array: &Array, indices: &[Formula], bound: &mut Vec<Datum>) -> Option<usize> {
        let mut place = 0;
        for (index, &(least, most)) in indices.iter().zip(&array.bounds) {
            let index = self.number(index, bound)?;
            if !(least..=most).contains(&index) {
                return None;
            }
            place = place * (most - least + 1) as usize + (index - least) as usize;
        }
        (indices.len() == array.bounds.len()).then_some(array.first + place)
    }

    pub fn number(&self, formula: &Formula, bound: &mut Vec<Datum>) -> Option<i64> {
        if let Datum::Number(number) = self.value(formula, bound)? { Some(number) } else { None }
    }

    fn truth(&self, formula: &Formula, bound: &mut Vec<Datum>) -> Option<bool> {
        if let Datum::Truth(truth) = self.value(formula, bound)? { Some(truth) } else { None }
    }

    fn folded(&self, parts: &[Formula], bound: &mut Vec<Datum>, fold: impl Fn(i64, i64) -> i64) -> Option<i64> {
        let mut result = None;
        for part in parts {
            let number = self.number(part, bound)?;
            result = Some(result.map_or(number, |known| fold(known, number)));
        }
        result
    }

    /// Returns how many cells further in the direction of the image the only cell with one of these symbols lies.
    fn ahead(&self, symbols: &[bool]) -> Option<i64> {
        let (place, image) = self.at?;
        let mut cells = (0..self.terms.world.cells()).filter(|&cell| symbols[usize::from(self.state.values[cell])]);
        let (cell, None) = (cells.next()?, cells.next()) else { return None };
        let (down, right) = image.forward();
        let columns = self.terms.world.columns;
        let at = |cell: usize| ((cell / columns) as i64, (cell % columns) as i64);
        let ((row, column), (to_row, to_column)) = (at(place), at(cell));
        Some((to_row - row) * down + (to_column - column) * right)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        choices: &Choices,
        body: &Formula,
        bound: &mut Vec<Datum>,
    ) -> Option<Datum> {
        let mut sum = Sum::new(quantifier);
        let mut add = |datum: Datum, bound: &mut Vec<Datum>| {
            bound.push(datum);
            let early = sum.add(self, body, bound);
            bound.pop();
            early
        };
        match choices {
            Choices::Range(least, most) => {
                let (least, most) = (self.number(least, bound)?, self.number(most, bound)?);
                if most.saturating_sub(least) >= MOST_CHOICES {
                    self.too_long.set(true);
                    return None;
                }
                for number in least..=most {
                    if let Some(early) = add(Datum::Number(number), bound)? {
                        return Some(early);
                    }
                }
            }
            Choices::List(list) => {
                let members: Vec<Datum> = list.iter().map(|part| self.value(part, bound)).collect::<Option<_>>()?;
                for datum in members {
                    if let Some(early) = add(datum, bound)? {
                        return Some(early);
                    }
                }
            }
        }
        Some(sum.result())
    }

    fn binary(&self, by: Operation, left: &Formula, right: &Formula, bound: &mut Vec<Datum>) -> Option<Datum> {
        match by {
            Operation::Or => return Some(Datum::Truth(self.truth(left, bound)? || self.truth(right, bound)?)),
            Operation::And => return Some(Datum::Truth(self.truth(left, bound)? && self.truth(right, bound)?)),
            Operation::Equal => return Some(Datum::Truth(self.value(left, bound)? == self.value(right, bound)?)),
            Operation::Unequal => return Some(Datum::Truth(self.value(left, bound)? != self.value(right, bound)?)),
            _ => {}
        }
        let (left, right) = (self.number(left, bound)?, self.number(right, bound)?);
        Some(match by {
            Operation::Less => Datum::Truth(left < right),
            Operation::AtMost => Datum::Truth(left <= right),
            Operation::Greater => Datum::Truth(left > right),
            Operation::AtLeast => Datum::Truth(left >= right),
            _ => Datum::Number(by.of(left, right)?),
        })
    }
}

/// The value of a quantifier so far.
struct Sum {
    quantifier: Quantifier,
    sum: i64,
}

impl Sum {
    fn new(quantifier: Quantifier) -> Sum {
        Sum { quantifier, sum: 0 }
    }

    /// Adds a part. Returns the value of the whole if it is decided; `None` if the part is undefined.
    fn add(&mut self, scene: &Scene, part: &Formula, bound: &mut Vec<Datum>) -> Option<Option<Datum>> {
        let one = match self.quantifier {
            Quantifier::Sum => scene.number(part, bound)?,
            _ => i64::from(scene.truth(part, bound)?),
        };
        match (self.quantifier, one) {
            (Quantifier::All, 0) => return Some(Some(Datum::Truth(false))),
            (Quantifier::Any, 1) => return Some(Some(Datum::Truth(true))),
            _ => self.sum = self.sum.checked_add(one)?,
        }
        Some(None)
    }

    fn result(&self) -> Datum {
        match self.quantifier {
            Quantifier::All => Datum::Truth(true),
            Quantifier::Any => Datum::Truth(false),
            Quantifier::Count | Quantifier::Sum => Datum::Number(self.sum),
        }
    }
}
