//! Counts in expressions, as counters of the task.
//!
//! `count('o') > 2` ties all cells together: by case distinction on their values it is a case for each combination. So
//! a *counter* stands for a count over many variables: the number of some facts that hold, each of another variable. A
//! condition whose truth depends on that number alone restricts the counter to ranges of numbers, whatever operators it
//! is made of; other expressions are split by the number. Where a range leaves no choice, as in `count('o') == 0`, it
//! becomes conditions on the variables, from which heuristics learn more.
//!
//! A count is left to case distinction if its variables have few combinations of values, or if one of its facts depends
//! on two variables, or two on one.

use super::expression::{Counted, EvalError, Expr, Kind, Term, Unknown, visit};
use super::model::Model;
use super::task::{Condition, Counter, Disjunction, Value, Values, Var, number_holding};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Counts over variables with at most this many combinations of values are evaluated by case distinction.
const FEW_COMBINATIONS: usize = 16;

/// Ranges of numbers, each with its least and greatest, in ascending order and apart.
pub(super) type Ranges = Rc<[(u32, u32)]>;

/// A count as a counter: the count is the counter's value plus the base.
#[derive(Clone, Copy, Debug)]
struct Tally {
    counter: usize,
    base: u32,
}

/// The things that a count is of.
#[derive(PartialEq, Eq, Hash)]
enum Subject {
    Symbols(Vec<Term>),
    /// The address of a body in the model, with the values of the parameters that it and the collection read.
    Members(usize, Vec<Term>),
}

/// A formula that reads one counter: its address in the model, the parameters that it reads, and its truth value.
pub(super) type FormulaKey = (usize, Vec<Term>, bool);

/// The facts of distinct variables of which a formula demands any one.
#[derive(Clone)]
pub(super) enum AnyOf {
    Few(Rc<[Condition]>),
    /// A counter, which is to be at least 1, with the number of its facts.
    Counted(usize, u32),
}

/// The counters of a model, created as expressions need them.
pub(super) struct Counters<'a> {
    model: &'a Model,
    all: RefCell<Vec<Rc<Counter>>>,
    tallies: RefCell<FxHashMap<Subject, Option<Tally>>>,
    /// For formulas that depend on a counter alone, the numbers for which they hold.
    pub ranges: ByFormula<Ranges>,
    /// For formulas over several variables, the facts of which they demand any one, if that is what they demand.
    pub facts_of: ByFormula<Option<AnyOf>>,
    /// For formulas over several variables, the alternatives by which they hold.
    pub alternatives: ByFormula<Rc<Disjunction>>,
}

/// The knowledge of a state with which a count is evaluated.
pub(super) struct Known<'a> {
    /// The values that each variable may have.
    pub values: &'a dyn Fn(Var) -> Values,
    /// The least and the greatest value of a counter, as far as conditions restrict it.
    pub range: &'a dyn Fn(usize) -> (u32, u32),
    /// A counter with its value, which is tried.
    pub number: Option<(usize, u32)>,
}

impl<'a> Counters<'a> {
    pub fn new(model: &'a Model) -> Counters<'a> {
        let (all, tallies) = (RefCell::default(), RefCell::default());
        let (ranges, facts_of, alternatives) = (ByFormula::default(), ByFormula::default(), ByFormula::default());
        Counters { model, all, tallies, ranges, facts_of, alternatives }
    }

    /// Returns the facts that a counter counts.
    pub fn facts(&self, counter: usize) -> Rc<Counter> {
        Rc::clone(&self.all.borrow()[counter])
    }

    /// Returns all counters.
    pub fn into_counters(self) -> Vec<Counter> {
        self.all.into_inner().into_iter().map(Rc::unwrap_or_clone).collect()
    }

    /// Returns the least and the greatest value of a counter in the states that satisfy conditions on distinct
    /// variables.
    pub fn bounds<'c>(&self, counter: usize, conditions: impl Iterator<Item = (Var, &'c Values)>) -> (u32, u32) {
        let facts = self.facts(counter);
        // No fact is decided by the range of its variable.
        let (mut least, mut most) = (0, facts.len() as u32);
        for (var, values) in conditions {
            if let Ok(at) = facts.binary_search_by_key(&var, |(of, _)| *of) {
                least += u32::from(values.is_within(&facts[at].1));
                most -= u32::from(!values.meets(&facts[at].1));
            }
        }
        (least, most)
    }

    /// Returns the value of a counter in a state.
    pub fn number(&self, counter: usize, state: &[Value]) -> u32 {
        number_holding(&self.facts(counter), state)
    }

    /// Returns the value of a count by its counter, or [`Unknown::Counter`]; `None` if it is to be evaluated by the
    /// values of variables.
    pub fn count(&self, count: Counted, known: &Known, steps_left: &Cell<u64>) -> Option<Result<i64, EvalError>> {
        let tally = match self.tally(count, steps_left) {
            Ok(tally) => tally?,
            Err(error) => return Some(Err(error)),
        };
        let is = |number: u32| Some(Ok(i64::from(tally.base) + i64::from(number)));
        if let Some((_, number)) = known.number.filter(|(counter, _)| *counter == tally.counter) {
            return is(number);
        }
        let (least, most) = (known.range)(tally.counter);
        if least == most {
            return is(least);
        }
        let (mut combinations, mut undecided) = (1_usize, None);
        for (var, counted) in self.facts(tally.counter).iter() {
            let values = (known.values)(*var);
            combinations *= values.len().max(1);
            if combinations > FEW_COMBINATIONS {
                return Some(Err(EvalError::Unknown(Unknown::Counter(tally.counter))));
            }
            let is_decided = values.is_within(counted) || values.and(counted).is_empty();
            undecided = undecided.or((!is_decided).then_some(*var));
        }
        // Other variables, such as cells that never have the symbol, make no difference.
        undecided.map(|var| Err(EvalError::Unknown(Unknown::Variable(var))))
    }

    /// Returns the counter of a count; `None` if there is none.
    fn tally(&self, count: Counted, steps_left: &Cell<u64>) -> Result<Option<Tally>, EvalError> {
        let subject = match count {
            Counted::Symbols(symbols) => Subject::Symbols(symbols.to_vec()),
            Counted::Members(collection, body, parameters) => {
                let parts = collection.parts().into_iter().chain([body]);
                Subject::Members(address(body), parameters_read(parts, parameters))
            }
        };
        if let Some(tally) = self.tallies.borrow().get(&subject) {
            return Ok(*tally);
        }
        let (facts, base) = match count {
            Counted::Symbols(symbols) => (Some(self.cells_with(symbols)), 0),
            Counted::Members(collection, body, parameters) => {
                let range = |var: Var| self.model.range(var).only();
                let evaluator = self.model.evaluator(&range, steps_left.get());
                let members = evaluator.members(collection, &mut parameters.to_vec());
                match members {
                    Ok(members) => self.members(members, body, parameters, steps_left)?,
                    Err(_) => (None, 0),
                }
            }
        };
        let tally = facts.map(|facts| self.of_facts(facts, base));
        self.tallies.borrow_mut().insert(subject, tally);
        Ok(tally)
    }

    /// Returns the facts that cells have one of some symbols.
    fn cells_with(&self, symbols: &[Term]) -> Counter {
        let world = &self.model.world;
        // All cells have the same values.
        let terms = world.values.first().map_or(&[][..], |terms| &terms[..]);
        let counted: Values = (0..).zip(terms).filter(|(_, term)| symbols.contains(term)).map(|(at, _)| at).collect();
        (0..world.cells()).map(|cell| (cell, counted.clone())).collect()
    }

    /// Returns the facts by which a body is true for some members, and for how many members it always is; no facts if
    /// they are not facts of distinct variables.
    fn members(
        &self,
        members: Vec<Term>,
        body: &Expr,
        parameters: &[Term],
        steps_left: &Cell<u64>,
    ) -> Result<(Option<Counter>, u32), EvalError> {
        let (mut facts, mut base) = (Counter::new(), 0);
        for member in members {
            let mut parameters = [parameters, &[member]].concat();
            let mut truth = |known: Option<(Var, Value)>| {
                let lookup = |var: Var| match known {
                    Some((of, value)) if of == var => Some(value),
                    _ => self.model.range(var).only(),
                };
                let left = steps_left.get().checked_sub(1).ok_or(EvalError::TooLong)?;
                let evaluator = self.model.evaluator(&lookup, left);
                let truth = evaluator.truth(body, &mut parameters);
                steps_left.set(evaluator.steps_left.get());
                truth
            };
            let var = match truth(None) {
                Ok(truth) => {
                    base += u32::from(truth);
                    continue;
                }
                Err(EvalError::Unknown(Unknown::Variable(var))) => var,
                Err(EvalError::TooLong) => return Err(EvalError::TooLong),
                Err(_) => return Ok((None, 0)),
            };
            let mut counted = Values::NONE;
            for value in self.model.range(var).iter() {
                match truth(Some((var, value))) {
                    Ok(true) => _ = counted.insert(value),
                    Ok(false) => {}
                    Err(EvalError::TooLong) => return Err(EvalError::TooLong),
                    Err(_) => return Ok((None, 0)),
                }
            }
            if facts.iter().any(|(other, _)| *other == var) {
                return Ok((None, 0));
            }
            facts.push((var, counted));
        }
        Ok((Some(facts), base))
    }

    /// Returns the counter of some facts of distinct variables, without those that always hold or never do.
    fn of_facts(&self, facts: Counter, mut base: u32) -> Tally {
        let mut open = Counter::new();
        for (var, counted) in facts {
            let range = self.model.range(var);
            let counted = counted.and(&range);
            match counted == range {
                true => base += 1,
                false if counted.is_empty() => {}
                false => open.push((var, counted)),
            }
        }
        open.sort_unstable();
        let mut all = self.all.borrow_mut();
        let counter = all.iter().position(|known| **known == open).unwrap_or_else(|| {
            all.push(Rc::new(open));
            all.len() - 1
        });
        Tally { counter, base }
    }

    /// Returns the counter of some facts of distinct variables, none of which holds in all states or in none.
    pub fn counter_of(&self, facts: Counter) -> usize {
        self.of_facts(facts, 0).counter
    }
}

/// The findings about formulas, each of which is looked for once.
pub(super) struct ByFormula<T>(RefCell<FxHashMap<FormulaKey, T>>);

impl<T: Clone> ByFormula<T> {
    /// Returns what is known of a formula.
    pub fn get(&self, key: &FormulaKey) -> Option<T> {
        self.0.borrow().get(key).cloned()
    }

    /// Keeps what is found out about a formula.
    pub fn insert(&self, key: FormulaKey, found: T) {
        self.0.borrow_mut().insert(key, found);
    }
}

impl<T> Default for ByFormula<T> {
    fn default() -> ByFormula<T> {
        ByFormula(RefCell::default())
    }
}

/// Returns the address of an expression, by which it is known: models are not moved while they are compiled.
fn address(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}

/// Returns the values of the parameters that expressions read.
fn parameters_read<'e>(exprs: impl Iterator<Item = &'e Expr>, parameters: &[Term]) -> Vec<Term> {
    let mut read = Vec::new();
    for expr in exprs {
        visit(expr, &mut |part| match part.kind {
            // Those with greater numbers are bound in the expression itself.
            Kind::Parameter(number) | Kind::Letter(number) if number < parameters.len() => read.push(number),
            _ => {}
        });
    }
    read.sort_unstable();
    read.dedup();
    read.into_iter().map(|number| parameters[number].clone()).collect()
}

/// Returns the key of a formula.
pub(super) fn formula_key(expr: &Expr, parameters: &[Term], truth: bool) -> FormulaKey {
    (address(expr), parameters_read([expr].into_iter(), parameters), truth)
}

/// Returns ranges of the numbers from `least` for which a condition holds.
pub(super) fn ranges_of(least: u32, holds: &[bool]) -> Ranges {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (number, _) in (least..).zip(holds).filter(|(_, holds)| **holds) {
        match ranges.last_mut().filter(|(_, last)| last + 1 == number) {
            Some((_, last)) => *last = number,
            None => ranges.push((number, number)),
        }
    }
    ranges.into()
}
