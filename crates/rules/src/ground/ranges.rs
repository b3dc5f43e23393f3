//! The values that each variable may take, as far as patterns and assignment targets show: a wall stays a wall.
//!
//! A fixpoint collects the symbols that may ever be on the grid: those of the start, those that patterns write on
//! collected symbols, and all symbols if some `then` names a cell. A cell changes only if a `then` names it or a
//! pattern replaces its symbol. By induction over the moves, the first change of a cell that no `then` names replaces
//! its start symbol. So such a cell never changes if no pattern replaces that symbol; otherwise it holds that symbol or
//! one that some pattern writes. A variable that no `then` names never changes either. Conditions and places are
//! ignored, so the ranges are too wide at worst.

use crate::expression::{Fail, Over, Term};
use crate::model::{From, Model, Rewriting, Rule, Target, To};
use crate::task::{Value, Values, Var};

/// With more bindings of a rule, all elements of the arrays that its targets name count as assigned.
const MOST_CHOICES: usize = 1 << 10;

/// The same applies once this many indices were evaluated, over all rules.
const MOST_STEPS: u64 = 1 << 18;

/// Returns a superset of the values that each variable has in reachable states.
pub(in super::super) fn ranges(model: &Model) -> Vec<Values> {
    let named = named(model);
    let cells = model.world.cells();
    let all = |var: Var| Values::below(model.world.values[var].len());
    let (put, replaced) = symbols(model, named[..cells].contains(&true));
    let range = |(var, &start): (Var, &Value)| match (named[var], var < cells) {
        (true, _) => all(var),
        (false, true) if replaced.contains(start) => put.or(&Values::one(start)),
        (false, _) => Values::one(start),
    };
    model.start.iter().enumerate().map(range).collect()
}

/// Returns the symbols that patterns may write, and those that they may replace by others.
fn symbols(model: &Model, is_named: bool) -> (Values, Values) {
    let start: Values = model.start[..model.world.cells()].iter().copied().collect();
    let first = if is_named { Values::below(model.symbols.len()) } else { start };
    let (mut puts, mut replaced) = (Values::NONE, Values::NONE);
    loop {
        let before = (puts, replaced);
        for drawing in model.rules.iter().filter_map(|rule| rule.drawing.as_ref()) {
            for (&from, &to) in drawing.from.iter().zip(&drawing.to) {
                let there = first.or(&puts);
                for value in asked(drawing, from).and(&there).iter() {
                    let put = put(model, drawing, &there, value, (from, to)).without(&Values::one(value));
                    if !put.is_empty() {
                        replaced.insert(value);
                        puts = puts.or(&put);
                    }
                }
            }
        }
        if (puts, replaced) == before {
            return before;
        }
    }
}

/// Returns the symbols that a cell of a pattern matches.
fn asked(drawing: &Rewriting, from: From) -> Values {
    match from {
        From::Anything => Values::below(MOST_SYMBOLS),
        From::Symbol(value) => Values::one(value),
        From::Set(set) => drawing.sets[set].1.iter().copied().collect(),
    }
}

/// An upper bound on the number of symbols.
const MOST_SYMBOLS: usize = crate::task::MOST_VALUES;

/// Returns the symbols that a cell of a pattern may write over a symbol.
fn put(model: &Model, drawing: &Rewriting, there: &Values, on: Value, (from, to): (From, To)) -> Values {
    match to {
        To::Same => Values::NONE,
        To::Symbol(value) => Values::one(value),
        To::Set(set) if from == From::Set(set) => Values::one(on),
        To::Set(set) => asked(drawing, From::Set(set)).and(there),
        To::Map(map) => {
            // All cells have the same values.
            let entry = model.world.maps[map].1.get(&model.world.values[0][usize::from(on)]);
            entry.and_then(|entry| model.world.value(0, entry)).map_or(Values::NONE, Values::one)
        }
    }
}

/// Returns, for each variable, whether the `then` of some rule may assign it.
fn named(model: &Model) -> Vec<bool> {
    let mut named = vec![false; model.world.values.len()];
    let mut left = MOST_STEPS;
    for rule in &model.rules {
        for assignment in &rule.then {
            match &assignment.target {
                Target::Variable(var) => named[*var] = true,
                Target::Element(array, indices) => {
                    let of = &model.world.arrays[*array];
                    let elements = choices(model, rule, &assignment.runs).map(|choices| {
                        let scene = model.scene_within(&|_| None, left.saturating_sub(choices.len() as u64));
                        let element = |mut choice: Vec<Term>| scene.element(*array, indices, &mut choice);
                        let elements: Vec<Result<Var, Fail>> = choices.into_iter().map(element).collect();
                        left = scene.left.get();
                        elements
                    });
                    let is_known = |element: &Result<Var, Fail>| matches!(element, Ok(_) | Err(Fail::Undefined));
                    match elements.filter(|elements| left > 0 && elements.iter().all(is_known)) {
                        // An undefined element is no target.
                        Some(elements) => elements.into_iter().flatten().for_each(|var| named[var] = true),
                        None => named[of.first..of.first + of.len()].fill(true),
                    }
                }
                Target::Parameter(number) => match rule.parameters.get(*number) {
                    Some((_, choices)) => {
                        let vars = choices.iter().filter_map(|name| model.world.variable(&name.to_string()));
                        vars.for_each(|var| named[var] = true);
                    }
                    // A name bound in the target: it may be any variable.
                    None => named.fill(true),
                },
            }
        }
    }
    named
}

/// Returns the bindings of a rule's parameters and of the names bound in a target; `None` if they are too many or
/// unknown.
fn choices(model: &Model, rule: &Rule, runs: &[Over]) -> Option<Vec<Vec<Term>>> {
    let mut all = vec![Vec::new()];
    let longer = |all: Vec<Vec<Term>>, terms: &dyn Fn(&Vec<Term>) -> Option<Vec<Term>>| {
        let mut longer = Vec::new();
        for choice in all {
            for term in terms(&choice)? {
                longer.push([&choice[..], &[term]].concat());
            }
            if longer.len() > MOST_CHOICES {
                return None;
            }
        }
        Some(longer)
    };
    for (_, terms) in &rule.parameters {
        all = longer(all, &|_| Some(terms.clone()))?;
    }
    for run in runs {
        let scene = model.scene_within(&|_| None, MOST_CHOICES as u64);
        all = longer(all, &|choice| match scene.over(run, &mut choice.clone()) {
            Ok(terms) => Some(terms),
            // If the collection is undefined, the rule does not apply.
            Err(Fail::Undefined) => Some(Vec::new()),
            Err(Fail::Unknown(_) | Fail::TooLong) => None,
        })?;
    }
    Some(all)
}
