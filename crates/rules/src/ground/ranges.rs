//! The values that each variable may take, as far as patterns and assignment targets show: a wall stays a wall.
//!
//! A fixpoint collects the symbols that may ever be on the grid. These are the symbols of the start and those that
//! patterns write on collected symbols. If some `then` names a cell, all symbols are collected. A cell changes only if
//! a `then` names it or a pattern replaces its symbol. By induction over the moves, the first change of a cell that no
//! `then` names replaces its start symbol. So such a cell never changes if no pattern replaces that symbol; otherwise
//! it holds that symbol or one that some pattern writes. A variable that no `then` names never changes either.
//! Conditions and places are ignored, so the ranges are too wide at worst.

use crate::domain::BuildContext;
use crate::expression::{Collection, EvalError, Term, extended};
use crate::model::{From, Model, RewritePattern, Rule, Target, To};
use crate::task::{Value, Values, Var};

/// With more bindings of a rule, all elements of the arrays that its targets name count as assigned.
const MOST_CHOICES: usize = 1 << 10;

/// A rule with more patterns has too many bindings to be compiled.
const MOST_PATTERNS: usize = 1 << 21;

/// After this many evaluated indices, over all rules, all elements also count as assigned.
const MOST_STEPS: u64 = 1 << 18;

/// Returns a superset of the values that each variable has in reachable states.
///
/// If a limit ends the work, the result is invalid.
pub(in super::super) fn ranges(model: &Model, context: &BuildContext) -> Vec<Values> {
    let assigned = assigned(model);
    let cells = model.world.cells();
    let all = |var: Var| Values::below(model.world.values[var].len());
    let (put, replaced) = symbols(model, assigned[..cells].contains(&true), context);
    let range = |(var, &start): (Var, &Value)| match (assigned[var], var < cells) {
        (true, _) => all(var),
        (false, true) if replaced.contains(start) => put.or(&Values::one(start)),
        (false, _) => Values::one(start),
    };
    model.start.iter().enumerate().map(range).collect()
}

/// Returns the same for all starts that differ by the symbols of the grid.
pub(in super::super) fn ranges_of_any_drawing(model: &Model) -> Vec<Values> {
    let (assigned, cells) = (assigned(model), model.world.cells());
    let range = |(var, &start): (Var, &Value)| match assigned[var] || var < cells {
        true => Values::below(model.world.values[var].len()),
        false => Values::one(start),
    };
    model.start.iter().enumerate().map(range).collect()
}

/// Returns the symbols that patterns may write, and those that they may replace by others.
fn symbols(model: &Model, is_cell_assigned: bool, context: &BuildContext) -> (Values, Values) {
    let start: Values = model.start[..model.world.cells()].iter().copied().collect();
    let first = if is_cell_assigned { Values::below(model.symbols.len()) } else { start };
    let (mut puts, mut replaced) = (Values::NONE, Values::NONE);
    let is_large = |rule: &Rule| rule.drawings().any(|drawing| drawing.patterns(&rule.parameters) > MOST_PATTERNS);
    if model.rules.iter().any(is_large) {
        return (Values::below(model.symbols.len()), Values::below(model.symbols.len()));
    }
    loop {
        let before = (puts.len(), replaced.len());
        let mut collect = |drawing: &RewritePattern| {
            for (&from, &to) in drawing.from.iter().zip(&drawing.to) {
                let present = first.or(&puts);
                for value in matching(drawing, from).and(&present).iter() {
                    let put = put(model, drawing, &present, value, (from, to)).without(&Values::one(value));
                    if !put.is_empty() {
                        replaced.insert(value);
                        puts = puts.or(&put);
                    }
                }
            }
        };
        for rule in &model.rules {
            for drawing in rule.drawings() {
                // Runs longer than the rest of the drawing have the same pairs of cells in `from` and `to` more often.
                drawing.each_pattern(model, &rule.parameters, &mut |pattern, _| {
                    if pattern.stretch.is_none_or(|(_, more)| 2 * more <= pattern.from.len()) {
                        collect(pattern);
                    }
                    !context.should_stop()
                });
            }
        }
        if (puts.len(), replaced.len()) == before || context.should_stop() {
            return (puts, replaced);
        }
    }
}

/// Returns the symbols that a cell of a pattern matches.
fn matching(drawing: &RewritePattern, from: From) -> Values {
    match from {
        From::Anything => Values::below(MOST_SYMBOLS),
        From::Symbol(value) => Values::one(value),
        From::Set(set) => drawing.sets[set].1.iter().copied().collect(),
    }
}

/// An upper bound on the number of symbols.
const MOST_SYMBOLS: usize = crate::task::MOST_VALUES;

/// Returns the symbols that a cell of a pattern may write over a symbol.
fn put(model: &Model, drawing: &RewritePattern, present: &Values, on: Value, (from, to): (From, To)) -> Values {
    match to {
        To::Same => Values::NONE,
        To::Symbol(value) => Values::one(value),
        To::Set(set) if from == From::Set(set) => Values::one(on),
        To::Set(set) => matching(drawing, From::Set(set)).and(present),
        To::Map(map) => {
            // All cells have the same values.
            let entry = model.world.maps[map].1.get(&model.world.values[0][usize::from(on)]);
            entry.and_then(|entry| model.world.value(0, entry)).map_or(Values::NONE, Values::one)
        }
    }
}

/// Returns, for each variable, whether the `then` of some rule may assign it.
fn assigned(model: &Model) -> Vec<bool> {
    let mut assigned = vec![false; model.world.values.len()];
    let mut left = MOST_STEPS;
    for rule in &model.rules {
        for assignment in &rule.then {
            match &assignment.target {
                Target::Variable(var) => assigned[*var] = true,
                Target::Element(array, indices) => {
                    let of = &model.world.arrays[*array];
                    let elements = bindings(model, rule, &assignment.collections).map(|bindings| {
                        let evaluator = model.evaluator(&|_| None, left.saturating_sub(bindings.len() as u64));
                        let element = |mut binding: Vec<Term>| evaluator.element(*array, indices, &mut binding);
                        let elements: Vec<Result<Var, EvalError>> = bindings.into_iter().map(element).collect();
                        left = evaluator.steps_left.get();
                        elements
                    });
                    let is_known =
                        |element: &Result<Var, EvalError>| matches!(element, Ok(_) | Err(EvalError::Undefined));
                    match elements.filter(|elements| left > 0 && elements.iter().all(is_known)) {
                        // An undefined element is no target.
                        Some(elements) => elements.into_iter().flatten().for_each(|var| assigned[var] = true),
                        None => assigned[of.first..of.first + of.len()].fill(true),
                    }
                }
                Target::Parameter(number) => match rule.parameters.get(*number) {
                    Some((_, bindings)) => {
                        let vars = bindings.iter().filter_map(|name| model.world.variable(&name.to_string()));
                        vars.for_each(|var| assigned[var] = true);
                    }
                    // A name bound in the target: it may be any variable.
                    None => assigned.fill(true),
                },
            }
        }
    }
    assigned
}

/// Returns the bindings of a rule's parameters and of the names bound in a target; `None` if they are too many or
/// unknown.
fn bindings(model: &Model, rule: &Rule, collections: &[Collection]) -> Option<Vec<Vec<Term>>> {
    let mut all = vec![Vec::new()];
    let longer = |all: Vec<Vec<Term>>, terms: &dyn Fn(&Vec<Term>) -> Option<Vec<Term>>| {
        let mut longer = Vec::new();
        for binding in all {
            longer.extend(extended(&binding, &terms(&binding)?));
            if longer.len() > MOST_CHOICES {
                return None;
            }
        }
        Some(longer)
    };
    for (_, terms) in &rule.parameters {
        all = longer(all, &|_| Some(terms.clone()))?;
    }
    for letter in &rule.letters {
        let drawing = rule.drawing.iter().filter(|_| letter.is_in_target);
        let symbols: Vec<Values> = drawing.map(|drawing| drawing.letter_symbols(model, letter.set)).collect();
        let symbols = symbols.iter().flat_map(Values::iter);
        let symbols: Vec<Term> = symbols.map(|value| model.world.values[0][usize::from(value)].clone()).collect();
        let symbols = if letter.is_in_target { symbols } else { vec![Term::Matched(None)] };
        all = longer(all, &|_| Some(symbols.clone()))?;
    }
    for collection in collections {
        let evaluator = model.evaluator(&|_| None, MOST_CHOICES as u64);
        all = longer(all, &|binding| match evaluator.members(collection, &mut binding.clone()) {
            Ok(terms) => Some(terms),
            // If the collection is undefined, the rule does not apply.
            Err(EvalError::Undefined) => Some(Vec::new()),
            Err(EvalError::Unknown(_) | EvalError::TooLong) => None,
        })?;
    }
    Some(all)
}
