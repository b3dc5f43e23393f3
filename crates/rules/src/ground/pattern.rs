//! Ground patterns: a rule's drawing placed on the grid.

use crate::cases::{Case, TooMany};
use crate::expression::Term;
use crate::fences::towards;
use crate::ground::MOST_OPERATORS;
use crate::model::{Edge, From, Image, Model, RewritePattern, To};
use crate::task::{Source, Value, Values, Var};
use std::collections::BTreeMap;

/// A pattern placed on the grid: for each cell that it covers, the precondition and the effect.
pub(crate) type GroundedPattern = Vec<(Var, From, To)>;

/// The cells of a ground pattern in order, and the symbols of each set in it: they may turn with the pattern.
type NormalForm = (GroundedPattern, Vec<(usize, Values)>);

/// Returns the normal form of a ground pattern. Equal normal forms have the same preconditions and effects.
pub(crate) fn normal_form(drawing: &RewritePattern, grounded: &GroundedPattern) -> NormalForm {
    let rewritten_cells = grounded.iter().filter(|(_, from, to)| (*from, *to) != (From::Anything, To::Same));
    let mut cells: GroundedPattern = rewritten_cells.copied().collect();
    cells.sort_unstable();
    let sets = (0..drawing.sets.len()).filter(|&set| grounded.iter().any(|(_, from, _)| *from == From::Set(set)));
    let sets = sets.map(|set| (set, drawing.sets[set].1.iter().copied().collect())).collect();
    (cells, sets)
}

/// Returns the number of steps around the grid in the direction of an image.
pub(crate) fn cycle_length(model: &Model, image: &Image) -> usize {
    if image.forward().0 == 0 { model.world.columns } else { model.world.rows }
}

/// Returns the cell some steps ahead in the direction of an image; `None` beyond an edge.
pub(crate) fn cell_ahead(
    model: &Model,
    drawing: &RewritePattern,
    image: &Image,
    cell: usize,
    times: usize,
) -> Option<usize> {
    let ((row, column), (down, right)) = (model.place(cell), image.forward());
    model.cell_at((row + down * times as i64, column + right * times as i64), drawing.edge)
}

/// Places an image of a pattern with its anchor on a cell; `None` if it cannot lie there.
pub(crate) fn ground_pattern(
    model: &Model,
    drawing: &RewritePattern,
    image: &Image,
    cell: usize,
) -> Option<GroundedPattern> {
    let (rows, columns) = (model.world.rows, model.world.columns);
    let (height, width) = if image.quarters.is_multiple_of(2) {
        (drawing.height, drawing.width)
    } else {
        (drawing.width, drawing.height)
    };
    // On a smaller grid the pattern would overlap itself.
    if drawing.edge != Edge::Clip && (height > rows || width > columns) {
        return None;
    }
    let mut grounded: GroundedPattern = Vec::with_capacity(drawing.from.len());
    let (row, column) = model.place(cell);
    let places = (0..drawing.height).flat_map(|row| (0..drawing.width).map(move |column| (row, column)));
    for (place, ((&from, &to), &on)) in places.zip(drawing.from.iter().zip(&drawing.to).zip(&drawing.on)) {
        let (down, right) = image.offset(drawing.at, place);
        match model.cell_at((row + down, column + right), drawing.edge) {
            None if drawing.edge == Edge::Clip => {}
            Some(var) if on.is_none_or(|mark| model.world.marks[var] == mark) => grounded.push((var, from, to)),
            _ => return None,
        }
    }
    (!is_fenced(model, drawing, image, cell)).then_some(grounded)
}

/// Returns whether a fence stands between two cells of an image that the rule reads or changes.
fn is_fenced(model: &Model, drawing: &RewritePattern, image: &Image, cell: usize) -> bool {
    let Some(fences) = &model.fences else { return false };
    let (row, column) = model.place(cell);
    let under = |number: usize| {
        let is_used = (drawing.from[number], drawing.to[number]) != (From::Anything, To::Same);
        let (down, right) = image.offset(drawing.at, (number / drawing.width, number % drawing.width));
        is_used.then(|| model.cell_at((row + down, column + right), drawing.edge))?
    };
    let is_between = |number: usize, next: usize, (down, right): (i64, i64)| {
        let (Some(one), Some(_)) = (under(number), under(next)) else { return false };
        let columns = model.world.columns;
        fences.bars((one / columns, one % columns), towards(down, right))
    };
    (0..drawing.from.len()).any(|number| {
        let (has_right, below) = ((number + 1) % drawing.width > 0, number + drawing.width);
        has_right && is_between(number, number + 1, image.forward())
            || below < drawing.from.len() && is_between(number, below, image.downward())
    })
}

/// Returns the cases of a ground pattern: one for each symbol of a set letter that occurs twice, else one.
pub(super) fn pattern_cases(model: &Model, drawing: &RewritePattern, grounded: &GroundedPattern) -> Vec<Case> {
    let mut cases = vec![Case { conditions: Vec::with_capacity(grounded.len()), ..Case::default() }];
    for (set, (_, symbols)) in drawing.sets.iter().enumerate() {
        let cells: Vec<Var> =
            grounded.iter().filter(|(_, from, _)| *from == From::Set(set)).map(|&(var, ..)| var).collect();
        let narrow = |case: &Case, values: &Values| {
            let mut case = case.clone();
            cells.iter().all(|&var| case.narrow(model, var, values)).then_some(case)
        };
        let all: Values = symbols.iter().copied().collect();
        let choices: Vec<Values> = if cells.len() > 1 { all.iter().map(Values::one).collect() } else { vec![all] };
        cases = cases.iter().flat_map(|case| choices.iter().filter_map(move |values| narrow(case, values))).collect();
    }
    cases.retain_mut(|case| {
        grounded.iter().all(|&(var, from, to)| {
            if let From::Symbol(value) = from
                && !case.narrow(model, var, &Values::one(value))
            {
                return false;
            }
            let source = match to {
                To::Same => return true,
                To::Symbol(value) => Source::Value(value),
                To::Set(set) => {
                    let Some(&(of, ..)) = grounded.iter().find(|(_, from, _)| *from == From::Set(set)) else {
                        return false;
                    };
                    let same = (0..model.symbols.len()).map(|value| value as Value).collect();
                    Source::Table(of, same)
                }
                To::Map(map) => {
                    let entries = &model.world.maps[map].1;
                    let symbols = &model.world.values[var];
                    let mapped = |term: &Term| entries.get(term).and_then(|to| model.world.value(var, to));
                    let known = (0..).zip(symbols.iter()).filter(|(_, term)| mapped(term).is_some());
                    if !case.narrow(model, var, &known.map(|(value, _)| value).collect()) {
                        return false;
                    }
                    Source::Table(var, symbols.iter().map(|term| mapped(term).unwrap_or(0)).collect())
                }
            };
            case.effects.insert(var, source);
            true
        })
    });
    cases
}

/// Returns the cases of a pattern that slides: it is applied again, one cell further each time, until it no longer
/// fits. Each way to stop is a case.
///
/// With `edge = "wrap"` a slide may never end. It is deterministic, so it is endless if its effects after some laps
/// equal those after fewer laps (Brent 1980: the laps compared with are powers of two). States with endless slides are
/// in no case.
///
/// # Errors
/// The work exceeds the budget.
pub(super) fn slide_cases(
    model: &Model,
    drawing: &RewritePattern,
    image: &Image,
    cell: usize,
    work: &mut u64,
) -> Result<Vec<Case>, TooMany> {
    let fits = |at: usize| pattern_cases(model, drawing, &ground_pattern(model, drawing, image, at)?).pop();
    // The steps at which the pattern can lie: up to the edge, or once around the grid.
    let cycle_length = cycle_length(model, image);
    let place = |times: usize| cell_ahead(model, drawing, image, cell, times);
    let steps: Vec<Option<Case>> = (0..cycle_length).map_while(|times| Some(fits(place(times)?))).collect();
    let mut ends = Vec::new();
    let Some(Some(mut so_far)) = steps.first().cloned() else { return Ok(ends) };
    let (mut laps, mut compared, mut known) = (0_usize, 0, BTreeMap::new());
    for times in 1.. {
        let goes_around = drawing.edge == Edge::Wrap;
        let next =
            if goes_around { steps[times % cycle_length].as_ref() } else { steps.get(times).and_then(Option::as_ref) };
        let Some(next) = next else {
            ends.push(so_far);
            break;
        };
        *work = work.checked_sub((next.conditions.len() + next.effects.len()) as u64).ok_or(TooMany::Work)?;
        // The slide stops if one condition of the next step fails while those before it hold.
        let mut holds = Some(so_far.clone());
        for &(var, ref values) in &next.conditions {
            let Some(case) = &holds else { break };
            let failing = Values::below(model.world.values[var].len()).without(values);
            ends.extend(restrict_after(model, case.clone(), var, &failing));
            holds = restrict_after(model, case.clone(), var, values);
        }
        if ends.len() > MOST_OPERATORS {
            return Err(TooMany::Cases(ends.len()));
        }
        let Some(mut case) = holds else { break };
        let before = case.effects.clone();
        for (&target, source) in &next.effects {
            case.effects.insert(target, composed(&before, source));
        }
        so_far = case;
        if goes_around && (times + 1) % cycle_length == 0 {
            laps += 1;
            if laps > 1 && has_same_effects(model, &so_far, &known) {
                break;
            }
            if laps >= compared * 2 {
                (compared, known) = (laps, so_far.effects.clone());
            }
        }
    }
    Ok(ends)
}

/// Composes a source with the effects before it.
fn composed(before: &BTreeMap<Var, Source>, source: &Source) -> Source {
    let Source::Table(var, table) = source else { return source.clone() };
    match before.get(var) {
        None => source.clone(),
        Some(Source::Value(value)) => Source::Value(table[usize::from(*value)]),
        Some(Source::Table(of, first)) => {
            Source::Table(*of, first.iter().map(|&value| table[usize::from(value)]).collect())
        }
    }
}

/// Returns whether the effects of a case equal other effects in all states of the case.
fn has_same_effects(model: &Model, case: &Case, others: &BTreeMap<Var, Source>) -> bool {
    // The source of a variable's new value and the resulting values; no source if they are all equal.
    let result = |target: Var, source: Option<&Source>| -> (Option<Var>, Vec<Value>) {
        let (of, values): (Var, Vec<Value>) = match source {
            Some(Source::Value(value)) => return (None, vec![*value]),
            Some(Source::Table(of, table)) => {
                (*of, case.values(model, *of).iter().map(|value| table[usize::from(value)]).collect())
            }
            None => (target, case.values(model, target).iter().collect()),
        };
        if values.iter().all(|value| *value == values[0]) { (None, values[..1].to_vec()) } else { (Some(of), values) }
    };
    let mut targets = case.effects.keys().chain(others.keys());
    targets.all(|target| result(*target, case.effects.get(target)) == result(*target, others.get(target)))
}

/// Restricts a case to states in which a variable has one of these values after the effects so far; `None` if there are
/// none.
fn restrict_after(model: &Model, mut case: Case, var: Var, values: &Values) -> Option<Case> {
    let holds = match case.effects.get(&var) {
        None => case.narrow(model, var, values),
        Some(Source::Value(value)) => values.contains(*value),
        Some(Source::Table(of, table)) => {
            let of = *of;
            let before = (0..)
                .zip(table.iter())
                .filter(|(_, restrict_after)| values.contains(**restrict_after))
                .map(|(before, _)| before)
                .collect();
            case.narrow(model, of, &before)
        }
    };
    holds.then_some(case)
}
