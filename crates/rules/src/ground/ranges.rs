//! The values that variables may come to have, as far as drawings and targets tell: a wall stays a wall.
//!
//! A set of symbols holds all that are ever on the grid: those of the start, those that drawings put on symbols of the
//! set, and all symbols if some `then` names a cell. A cell changes only where a `then` names it, or where a drawing puts
//! something else on the symbol that it holds; by induction over the moves, the first change of a cell that no `then` names
//! is on its first symbol, by a drawing. So such a cell never changes if no drawing replaces its first symbol, and else it
//! holds that symbol or one that some drawing puts. A variable that no `then` names never changes, either. Conditions are
//! not looked at, nor is where a drawing fits: that makes the ranges wider, never narrower.

use crate::expression::{Fail, Over, Term};
use crate::model::{From, Model, Rewriting, Rule, Target, To};
use crate::task::{Value, Values, Var};

/// With more choices of a rule's names than these, all elements of the arrays that it names count as changed.
const MOST_CHOICES: usize = 1 << 10;

/// So do they where indices were worked out so often, over all rules.
const MOST_STEPS: u64 = 1 << 18;

/// The values that each variable may have in any state that is reached.
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

/// The symbols that drawings may ever put somewhere, and those that they may replace by others.
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

/// The symbols on which a cell of a drawing fits.
fn asked(drawing: &Rewriting, from: From) -> Values {
    match from {
        From::Anything => Values::below(MOST_SYMBOLS),
        From::Symbol(value) => Values::one(value),
        From::Set(set) => drawing.sets[set].1.iter().copied().collect(),
    }
}

/// More than there are symbols.
const MOST_SYMBOLS: usize = crate::task::MOST_VALUES;

/// What a cell of a drawing may put on a symbol.
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

/// Whether the `then` of some rule names a variable.
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
                        // One that is not defined is none.
                        Some(elements) => elements.into_iter().flatten().for_each(|var| named[var] = true),
                        None => named[of.first..of.first + of.len()].fill(true),
                    }
                }
                Target::Parameter(number) => match rule.parameters.get(*number) {
                    Some((_, choices)) => {
                        let vars = choices.iter().filter_map(|name| model.world.variable(&name.to_string()));
                        vars.for_each(|var| named[var] = true);
                    }
                    // The name of a run: any variable may be meant.
                    None => named.fill(true),
                },
            }
        }
    }
    named
}

/// The choices of a rule's parameters, and of names that run; none where they are too many or not known before.
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
            // Where it runs over what is not defined, the rule does not apply.
            Err(Fail::Undefined) => Some(Vec::new()),
            Err(Fail::Unknown(_) | Fail::TooLong) => None,
        })?;
    }
    Some(all)
}
