//! Drawings laid on the grid: what they ask of the cells there, and do to them.

use crate::cases::{Case, TooMany};
use crate::expression::Term;
use crate::ground::MOST_OPERATORS;
use crate::model::{Edge, From, Image, Model, Rewriting, To};
use crate::task::{Source, Value, Values, Var};
use std::collections::BTreeMap;

/// A drawing laid on the grid: each of its cells that lies there, with what it asks and does.
pub(crate) type Laid = Vec<(Var, From, To)>;

/// What a cell asks and does, in numbers that can be compared.
type Deed = (Var, u8, Value, u8, Value);

/// What a drawing that is laid on the grid asks and does, cell by cell of the grid: drawings for which this is the same are
/// one.
pub(super) fn plain(laid: &Laid) -> Vec<Deed> {
    let deed = |&(var, from, to): &(Var, From, To)| {
        let (asks, asked) = match from {
            From::Anything => (0, 0),
            From::Symbol(value) => (1, value),
            From::Set(set) => (2, set as Value),
        };
        let (does, done) = match to {
            To::Same => (0, 0),
            To::Symbol(value) => (1, value),
            To::Set(set) => (2, set as Value),
            To::Map(map) => (3, map as Value),
        };
        (var, asks, asked, does, done)
    };
    let says = laid.iter().filter(|(_, from, to)| (*from, *to) != (From::Anything, To::Same));
    let mut deeds: Vec<Deed> = says.map(deed).collect();
    deeds.sort_unstable();
    deeds
}

/// How many steps lead around the grid in the direction of an image.
pub(super) fn around(model: &Model, image: &Image) -> usize {
    if image.forward().0 == 0 { model.world.columns } else { model.world.rows }
}

/// The cell some steps further in the direction of an image; none beyond an edge that is one.
pub(super) fn further(model: &Model, drawing: &Rewriting, image: &Image, cell: usize, times: usize) -> Option<usize> {
    let (down, right) = image.forward();
    model.beside(cell, (down * times as i64, right * times as i64), drawing.edge)
}

/// A drawing laid with the cell that names the place on a cell of the grid; none where it does not fit there.
pub(crate) fn lay(model: &Model, drawing: &Rewriting, image: &Image, cell: usize) -> Option<Laid> {
    let (rows, columns) = (model.world.rows, model.world.columns);
    let (height, width) = if image.quarters.is_multiple_of(2) {
        (drawing.height, drawing.width)
    } else {
        (drawing.width, drawing.height)
    };
    // Around a small grid a drawing would meet itself.
    if drawing.edge != Edge::Clip && (height > rows || width > columns) {
        return None;
    }
    let mut laid: Laid = Vec::with_capacity(drawing.from.len());
    for (number, (&from, &to)) in drawing.from.iter().zip(&drawing.to).enumerate() {
        let place = (number / drawing.width, number % drawing.width);
        match model.beside(cell, image.offset(drawing.at, place), drawing.edge) {
            None if drawing.edge == Edge::Clip => {}
            None => return None,
            Some(var) => {
                if drawing.on[number].is_some_and(|mark| model.world.marks[var] != mark) {
                    return None;
                }
                laid.push((var, from, to));
            }
        }
    }
    Some(laid)
}

/// What a drawing that is laid on the grid asks and does: a case for each symbol of a letter that stands there twice.
pub(super) fn rewritten(model: &Model, drawing: &Rewriting, laid: &Laid) -> Vec<Case> {
    let mut cases = vec![Case::default()];
    for (set, (_, symbols)) in drawing.sets.iter().enumerate() {
        let cells: Vec<Var> =
            laid.iter().filter(|(_, from, _)| *from == From::Set(set)).map(|&(var, ..)| var).collect();
        let narrow = |case: &Case, values: Values| {
            let mut case = case.clone();
            cells.iter().all(|&var| case.narrow(model, var, &values)).then_some(case)
        };
        let all: Values = symbols.iter().copied().collect();
        let choices: Vec<Values> = if cells.len() > 1 { all.iter().map(Values::one).collect() } else { vec![all] };
        cases = cases.iter().flat_map(|case| choices.iter().filter_map(move |&values| narrow(case, values))).collect();
    }
    cases.retain_mut(|case| {
        laid.iter().all(|&(var, from, to)| {
            if let From::Symbol(value) = from
                && !case.narrow(model, var, &Values::one(value))
            {
                return false;
            }
            let source = match to {
                To::Same => return true,
                To::Symbol(value) => Source::Value(value),
                To::Set(set) => {
                    let Some(&(of, ..)) = laid.iter().find(|(_, from, _)| *from == From::Set(set)) else {
                        return false;
                    };
                    let same = (0..model.symbols.len()).map(|value| value as Value).collect();
                    Source::Of(of, same)
                }
                To::Map(map) => {
                    let entries = &model.world.maps[map].1;
                    let symbols = &model.world.values[var];
                    let mapped = |term: &Term| entries.get(term).and_then(|to| model.world.value(var, to));
                    let known = (0..).zip(symbols.iter()).filter(|(_, term)| mapped(term).is_some());
                    if !case.narrow(model, var, &known.map(|(value, _)| value).collect()) {
                        return false;
                    }
                    Source::Of(var, symbols.iter().map(|term| mapped(term).unwrap_or(0)).collect())
                }
            };
            case.effects.insert(var, source);
            true
        })
    });
    cases
}

/// A drawing that is made again and again, one cell further each time, until it no longer fits: a case for each way to end.
///
/// Around an edge it may have no end. A slide is deterministic, so it has none if, after some laps, all that it has changed is what
/// it was after fewer laps (Brent 1980: the laps compared with are powers of two); those states are in no case.
///
/// # Errors
/// That it takes more work than is left.
pub(super) fn repeated(
    model: &Model,
    drawing: &Rewriting,
    image: &Image,
    cell: usize,
    work: &mut u64,
) -> Result<Vec<Case>, TooMany> {
    let fits = |at: usize| rewritten(model, drawing, &lay(model, drawing, image, at)?).pop();
    // Where it fits along the way: as far as the edge, or once around.
    let around = around(model, image);
    let place = |times: usize| further(model, drawing, image, cell, times);
    let steps: Vec<Option<Case>> = (0..around).map_while(|times| Some(fits(place(times)?))).collect();
    let mut ends = Vec::new();
    let Some(Some(mut so_far)) = steps.first().cloned() else { return Ok(ends) };
    let (mut laps, mut compared, mut known) = (0_usize, 0, BTreeMap::new());
    for times in 1.. {
        let goes_around = drawing.edge == Edge::Wrap;
        let next = if goes_around { steps[times % around].as_ref() } else { steps.get(times).and_then(Option::as_ref) };
        let Some(next) = next else {
            ends.push(so_far);
            break;
        };
        *work = work.checked_sub((next.conditions.len() + next.effects.len()) as u64).ok_or(TooMany::Work)?;
        // It ends where one condition of the next step fails and those before hold.
        let mut holds = Some(so_far.clone());
        for (&var, values) in &next.conditions {
            let Some(case) = &holds else { break };
            let failing = Values::below(model.world.values[var].len()).without(values);
            ends.extend(after(model, case.clone(), var, &failing));
            holds = after(model, case.clone(), var, values);
        }
        if ends.len() > MOST_OPERATORS {
            return Err(TooMany::Cases(ends.len()));
        }
        let Some(mut case) = holds else { break };
        let before = case.effects.clone();
        for (&target, source) in &next.effects {
            case.effects.insert(target, followed(&before, source));
        }
        so_far = case;
        if goes_around && (times + 1) % around == 0 {
            laps += 1;
            if laps > 1 && is_same(model, &so_far, &known) {
                break;
            }
            if laps >= compared * 2 {
                (compared, known) = (laps, so_far.effects.clone());
            }
        }
    }
    Ok(ends)
}

/// What a variable becomes by a source that is read after some effects.
fn followed(before: &BTreeMap<Var, Source>, source: &Source) -> Source {
    let Source::Of(var, table) = source else { return source.clone() };
    match before.get(var) {
        None => source.clone(),
        Some(Source::Value(value)) => Source::Value(table[usize::from(*value)]),
        Some(Source::Of(of, first)) => Source::Of(*of, first.iter().map(|&value| table[usize::from(value)]).collect()),
    }
}

/// Whether the effects of a case and some others come to the same in all states of the case.
fn is_same(model: &Model, case: &Case, others: &BTreeMap<Var, Source>) -> bool {
    // By a source, what a variable becomes: one value, or one for each value that another may have.
    let becomes = |target: Var, source: Option<&Source>| -> (Option<Var>, Vec<Value>) {
        let (of, values): (Var, Vec<Value>) = match source {
            Some(Source::Value(value)) => return (None, vec![*value]),
            Some(Source::Of(of, table)) => {
                (*of, case.values(model, *of).iter().map(|value| table[usize::from(value)]).collect())
            }
            None => (target, case.values(model, target).iter().collect()),
        };
        if values.iter().all(|value| *value == values[0]) { (None, values[..1].to_vec()) } else { (Some(of), values) }
    };
    let mut targets = case.effects.keys().chain(others.keys());
    targets.all(|target| becomes(*target, case.effects.get(target)) == becomes(*target, others.get(target)))
}

/// The case in which a variable has one of these values after what is done so far.
fn after(model: &Model, mut case: Case, var: Var, values: &Values) -> Option<Case> {
    let holds = match case.effects.get(&var) {
        None => case.narrow(model, var, values),
        Some(Source::Value(value)) => values.contains(*value),
        Some(Source::Of(of, table)) => {
            let of = *of;
            let before = (0..)
                .zip(table.iter())
                .filter(|(_, after)| values.contains(**after))
                .map(|(before, _)| before)
                .collect();
            case.narrow(model, of, &before)
        }
    };
    holds.then_some(case)
}
