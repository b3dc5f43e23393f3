//! Proofs of unsolvability without a search, in words and as data.
//!
//! In this order: required facts that are unreachable under the delete relaxation (Bonet and Geffner 2001); counts of
//! symbols that moves never raise or never lower; linear invariants, also with facts that exclude each other; weighted
//! sums that moves never lower (potentials). Proofs that a heuristic finds for the start are also put into words here.
//! Weights and variables are those of the puzzle, not of the reduced task, so that a checker needs only the rules.

use crate::analysis::mutex::Mutexes;
use crate::analysis::reduce::Reduced;
use crate::argument::{Argument, Missing, Refutation, Sum, listed};
use crate::heuristic::{
    Bound, Invariant, Proof, Refuting, UnreachableCount, gcd, refuting_invariants, refuting_potentials,
    remaining_values, unreachable_counts,
};
use crate::search::BuildContext;
use crate::task::lifting::{FactWeights, Lifting};
use crate::task::sorted::sorted;
use crate::task::{Condition, Goal, Task, Value, Values, Var};
use std::fmt::Display;

/// The most names that a sentence lists; it counts the rest.
const MOST_NAMES: usize = 6;

/// The most tables of weights.
const MOST_TABLES: usize = 4;

/// The most arguments that a sentence lists; it counts the rest.
const MOST_PARTS: usize = 5;

/// Values that usually mean an empty place or a default. Sentences prefer other values.
pub const BACKGROUND: [&str; 7] = [".", "_", "-", "0", "false", "off", "empty"];

/// Returns why no goal can be reached from the start of a task, if that can be proven without a search; `None` if a
/// limit ends the work.
pub fn refute(task: &Task, reduced: &Reduced, context: &BuildContext) -> Option<Refutation> {
    let found = find_refutation(task, reduced, context);
    // After a limit, the analysis may have skipped operators.
    found.filter(|_| context.ended().is_none())
}

fn find_refutation(task: &Task, reduced: &Reduced, context: &BuildContext) -> Option<Refutation> {
    if task.is_goal(&task.start) || context.ended().is_some() {
        return None;
    }
    let lifting = &reduced.lifting;
    let mut parts = Vec::new();
    let requirements: Vec<Option<UnreachableRequirement>> =
        task.goals.iter().map(|goal| unreachable_requirement(lifting, goal)).collect();
    let open: Vec<&Goal> = task
        .goals
        .iter()
        .zip(&requirements)
        .filter(|(_, requirement)| requirement.is_none())
        .map(|(goal, _)| goal)
        .collect();
    let unreachable: Vec<UnreachableRequirement> = requirements.into_iter().flatten().collect();
    if !unreachable.is_empty() || task.goals.is_empty() {
        parts.push(unreachable_goals(unreachable));
    }
    if open.is_empty() {
        return combine(parts);
    }
    if let Some(counts) = unreachable_counts(&reduced.narrowed, &open, &lifting.reached, context) {
        parts.extend(sorted(counts).iter().map(|count| count_refutation(lifting, count)));
        return combine(parts);
    }
    if reduced.task.goals.is_empty() {
        return Some("every goal asks for something that the rules can never bring about".to_owned().into());
    }
    let plain = refuting_invariants(&reduced.task, context).map(|invariants| invariant(lifting, invariants));
    let (found, left) = match plain.or_else(|| refute_by_exclusion(reduced, context)) {
        Some(found) => (vec![found], reduced.task.goals.len()),
        // Moves that are undone by others keep every sum that no move lowers. Where there are such moves, sums that
        // decide are too rare for the time of the linear program.
        None if reduced.inverse.iter().any(Option::is_some) => return None,
        None => {
            let (task, lifting) = reduced.without_place_variables();
            (potentials(&lifting, &refuting_potentials(&task, context)?), task.goals.len())
        }
    };
    parts.extend(found);
    let refutation = combine(parts)?;
    // Goals that the reduction dropped as unreachable give no data to check.
    Some(if left < open.len() { Refutation { argument: None, ..refutation } } else { refutation })
}

/// Refutes goals by invariants where facts exclude each other. A goal that counts leaves other cells free, but may ask
/// for a value that no reachable state has together with some of theirs.
fn refute_by_exclusion(reduced: &Reduced, context: &BuildContext) -> Option<Refutation> {
    if !reduced.task.goals.iter().any(|goal| !goal.conditions.is_empty() && !goal.counts.is_empty()) {
        return None;
    }
    let (task, lifting) = reduced.without_place_variables();
    let mutexes = Mutexes::new(&task, context)?;
    let mut narrowed = Task::clone(&task);
    let mut excluded: Vec<(Var, Value)> = Vec::new();
    for goal in &mut narrowed.goals {
        let asked = remaining_values(&task, &goal.conditions);
        let allowed = mutexes.allowed(&task, &goal.conditions);
        for (var, (asked, allowed)) in asked.iter().zip(&allowed).enumerate() {
            excluded.extend(asked.without(allowed).iter().map(|value| (var, value)));
        }
        goal.conditions = (0..).zip(allowed).filter(|(var, values)| values.len() < task.size(*var)).collect();
    }
    narrowed.goals.retain(|goal| !goal.conditions.iter().any(|(_, values)| values.is_empty()));
    if excluded.is_empty() {
        return None;
    }
    let facts = |facts: &[(Var, Value)]| -> Vec<String> {
        facts.iter().map(|&(var, value)| lifting.reduced_fact(var, value)).collect()
    };
    let (reason, table, argument) = if narrowed.goals.is_empty() {
        let reason = "every goal asks for facts that exclude each other".to_owned();
        (reason, None, Some(Argument::Together { parts: Vec::new() }))
    } else {
        let Refutation { reason, table, argument } = invariant(&lifting, refuting_invariants(&narrowed, context)?);
        let excluded = listed(&facts(&sorted(excluded)), MOST_NAMES);
        (format!("{reason} (no goal that can be reached has any of these: {excluded})"), table, argument)
    };
    let argument = mutexes.groups().zip(argument).map(|(groups, argument)| Argument::Exclusive {
        never: facts(&mutexes.impossible()),
        groups: groups.iter().map(|group| facts(group)).collect(),
        argument: Box::new(argument),
    });
    Some(Refutation { reason, table, argument })
}

/// Puts a heuristic's proof that a state of the reduced task is a dead end into words and data.
pub(crate) fn explain(lifting: &Lifting, name: &str, proof: &Proof, state: &[Value]) -> Refutation {
    match proof {
        Proof::Potential(weights, goal) => {
            let start = state.iter().zip(weights).map(|(&value, weights)| weights[usize::from(value)]).sum();
            potential(lifting, &lifting.weights(weights), start, *goal, None)
        }
        Proof::Abstraction(classes) => abstraction(lifting, classes),
        Proof::Words(reason) => format!("{reason} (`{name}`)").into(),
    }
}

/// Combines refutations that each exclude some of the goals.
fn combine(mut parts: Vec<Refutation>) -> Option<Refutation> {
    if parts.len() <= 1 {
        return parts.pop();
    }
    let mut reasons: Vec<String> = parts.iter().map(|part| part.reason.clone()).collect();
    if reasons.len() > MOST_PARTS {
        reasons.truncate(MOST_PARTS);
        reasons.push(format!("and {} more", parts.len() - MOST_PARTS));
    }
    let reason = format!("each goal is ruled out by one of these: {}", reasons.join("; "));
    let tables: String = parts.iter().filter_map(|part| part.table.as_deref()).collect();
    let argument: Option<Vec<Argument>> = parts.iter().map(|part| part.argument.clone()).collect();
    let table = (!tables.is_empty()).then_some(tables);
    Some(Refutation { reason, table, argument: argument.map(|parts| Argument::Together { parts }) })
}

/// A requirement of a goal that is unreachable.
struct UnreachableRequirement {
    words: String,
    /// `None` for a disjunction all of whose alternatives are unreachable.
    missing: Option<Missing>,
}

/// Returns a requirement of a goal that is unreachable under the delete relaxation.
fn unreachable_requirement(lifting: &Lifting, goal: &Goal) -> Option<UnreachableRequirement> {
    let facts = |(var, values): &Condition| values.iter().map(|value| lifting.fact(*var, value)).collect::<Vec<_>>();
    let is_met = |(var, values): &Condition| values.meets(&lifting.reached[*var]);
    let is_sure = |(var, values): &Condition| lifting.reached[*var].is_within(values);
    if let Some(condition) = goal.conditions.iter().find(|condition| !is_met(condition)) {
        let missing = Missing { facts: facts(condition), needed: 1, possible: 0 };
        return Some(UnreachableRequirement { words: never(lifting, condition), missing: Some(missing) });
    }
    for count in &goal.counts {
        let counted = |which: &dyn Fn(&Condition) -> bool| count.of.iter().filter(|fact| which(fact)).count() as u32;
        let name = || any_of(symbols(lifting, &count.of));
        let possible = counted(&is_met);
        if possible < count.least {
            let facts = count.of.iter().flat_map(facts).collect();
            let words = number(&name(), possible.into(), CountBound::Needs(count.least.into()));
            return Some(UnreachableRequirement {
                words,
                missing: Some(Missing { facts, needed: count.least, possible }),
            });
        }
        let always = counted(&is_sure);
        if always > count.most {
            let others = count
                .of
                .iter()
                .map(|(var, values)| (*var, Values::below(lifting.variables[*var].values.len()).without(values)));
            let facts = others.flat_map(|other| facts(&other)).collect();
            let all = count.of.len() as u32;
            let words = number(&name(), always.into(), CountBound::Allows(count.most.into()));
            let missing = Missing { facts, needed: all.saturating_sub(count.most), possible: all - always };
            return Some(UnreachableRequirement { words, missing: Some(missing) });
        }
    }
    let hopeless = |any: &&Vec<Vec<Condition>>| any.iter().all(|all| !all.iter().all(is_met));
    let any = goal.disjunctions.iter().find(hopeless)?;
    let condition = any.iter().flatten().find(|condition| !is_met(condition));
    let words = condition.map_or("a condition of the goal can never hold".to_owned(), |of| never(lifting, of));
    Some(UnreachableRequirement { words, missing: None })
}

/// Returns the sentence that a variable never has one of some values.
fn never(lifting: &Lifting, (var, values): &Condition) -> String {
    let value = |value: Value| lifting.value(*var, value);
    let names: Vec<String> = values.iter().map(|of| format!("`{}`", value(of))).collect();
    let (place, is_cell) = (lifting.place(*var), *var < lifting.cells);
    let is_thing = values.only().is_some_and(|wanted| !BACKGROUND.contains(&value(wanted)));
    match (&names[..], lifting.reached[*var].only()) {
        ([one], _) if is_cell && is_thing => format!("no {one} can ever be brought to {place}"),
        (_, Some(there)) if is_cell => format!("the `{}` at {place} can never leave its cell", value(there)),
        ([one], _) => format!("{place} can never become {one}"),
        _ => format!("{place} can never become any of {}", listed(&names, MOST_NAMES)),
    }
}

/// Returns the names of the symbols of some facts.
fn symbols<'a>(lifting: &'a Lifting, of: &[Condition]) -> Vec<&'a str> {
    sorted(of.iter().flat_map(|(var, values)| values.iter().map(|value| lifting.value(*var, value))))
}

/// Joins names with "or".
fn any_of(names: impl IntoIterator<Item = impl Display>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(" or ")
}

/// Builds the refutation of goals with unreachable requirements.
fn unreachable_goals(requirements: Vec<UnreachableRequirement>) -> Refutation {
    let words = sorted(requirements.iter().map(|requirement| requirement.words.as_str()));
    let reason = match &words[..] {
        [] => "no position is a goal".to_owned(),
        [one] => (*one).to_owned(),
        [one, ..] => format!("{one}; the other goals lack something alike"),
    };
    let missing: Option<Vec<Missing>> = requirements.into_iter().map(|requirement| requirement.missing).collect();
    let argument = missing.map(|missing| Argument::Relaxation { missing: sorted(missing) });
    Refutation { reason, table: None, argument }
}

/// Builds the refutation of a goal that needs too many or allows too few of a symbol.
fn count_refutation(lifting: &Lifting, count: &UnreachableCount) -> Refutation {
    let (sign, goal) = match count.bound {
        Bound::Needs(number) => (-1, number),
        Bound::Allows(number) => (1, number),
    };
    let mut weights = lifting.no_weights();
    for (var, values) in &count.of {
        values.iter().for_each(|value| weights[*var][usize::from(value)] = sign);
    }
    let is_marked = |(symbol, _): &&(String, Vec<char>)| count.names == [symbol.clone()];
    let reason = match (count.bound, lifting.marked.iter().find(is_marked)) {
        (Bound::Allows(most), Some((symbol, marks))) => beside_marks(symbol, marks, count.at_start, most),
        _ => number(&any_of(&count.names), count.at_start.into(), count.bound.into()),
    };
    Refutation {
        reason,
        table: None,
        argument: Some(Argument::Potential {
            weights: lifting.by_name(&weights),
            start: sign * i64::from(count.at_start),
            goal: sign * i64::from(goal),
        }),
    }
}

/// The bound that a goal sets on a count.
enum CountBound {
    Needs(i64),
    Allows(i64),
}

impl From<Bound> for CountBound {
    fn from(bound: Bound) -> CountBound {
        match bound {
            Bound::Needs(number) => CountBound::Needs(number.into()),
            Bound::Allows(number) => CountBound::Allows(number.into()),
        }
    }
}

/// Returns the sentence that compares a count with the bound of the goals.
fn number(symbols: &str, there: i64, bound: CountBound) -> String {
    match bound {
        CountBound::Needs(needed) => {
            format!("the goal needs {needed} {symbols}, and there can never be more than {there}")
        }
        CountBound::Allows(0) => format!("the goal allows no {symbols}, and there can never be fewer than {there}"),
        CountBound::Allows(allowed) => {
            format!("the goal allows at most {allowed} {symbols}, and there can never be fewer than {there}")
        }
    }
}

/// Returns the sentence that no more than `most` of the symbols that the goals demand on marks can get there.
fn beside_marks(symbol: &str, marks: &[char], there: u32, most: u32) -> String {
    let marks = any_of(marks);
    match most {
        0 => format!(
            "no `{symbol}` can ever be brought to a cell marked {marks}; `engine show FILE` draws the cells that are dead"
        ),
        _ => {
            format!("only {most} of the {there} `{symbol}` can ever be on cells marked {marks}, and the goal wants all")
        }
    }
}

/// Builds the refutation by invariants that differ between the start and every goal.
fn invariant(lifting: &Lifting, invariants: Vec<Invariant>) -> Refutation {
    let several = invariants.len() > 1;
    let mut sums = Vec::new();
    let mut quantities = Vec::new();
    let mut tables = String::new();
    for (number, Invariant { modulus, weights }) in (1..).zip(invariants) {
        let mut weights = lifting.weights(&weights);
        lifting.simplify(&mut weights, modulus);
        if modulus.is_none() && lifting.weighed(&weights).all(|(.., weight)| weight < 0) {
            weights.iter_mut().flatten().for_each(|weight| *weight = -*weight);
        }
        let start = lifting.at_start(&weights);
        let start = modulus.map_or(start, |modulus| start.rem_euclid(modulus.into()));
        let quantity = Quantity::new(lifting, &weights);
        quantities.push((quantity.words, modulus, start));
        if quantity.is_pattern && number <= MOST_TABLES {
            tables += &lifting.tables(&weights, if several { Some(number) } else { None });
        }
        sums.push(Sum { modulus, weights: lifting.by_name(&weights), start });
    }
    let is = |modulus: Option<u32>, start: i64| match modulus {
        Some(2) if start == 0 => "even".to_owned(),
        Some(2) => "odd".to_owned(),
        Some(modulus) => format!("{start} modulo {modulus}"),
        None => start.to_string(),
    };
    let reason = match &quantities[..] {
        [(words, Some(2), start)] => {
            let (here, there) = if *start == 0 { ("even", "odd") } else { ("odd", "even") };
            format!(
                "no move changes whether {words} is even or odd: it is {here} at the start and {there} in every goal"
            )
        }
        [(words, modulus, start)] => {
            let modulo = modulus.map_or(String::new(), |modulus| format!(", modulo {modulus}"));
            format!("no move changes {words}{modulo}: it is {start} at the start, and never that in a goal")
        }
        _ => {
            let all: Vec<String> = (1..)
                .zip(&quantities)
                .map(|(number, (words, modulus, start))| format!("({number}) {words} is {}", is(*modulus, *start)))
                .collect();
            format!(
                "no move changes any of these, and no goal agrees with the start in all of them: {}",
                all.join("; ")
            )
        }
    };
    let table = (!tables.is_empty()).then_some(tables);
    Refutation { reason, table, argument: Some(Argument::Invariant { sums }) }
}

/// Builds the refutations by weighted sums of which each refutes some goals.
fn potentials(lifting: &Lifting, sums: &[Refuting]) -> Vec<Refutation> {
    let refutation = |(number, Refuting { weights, start, goal }): (usize, &Refuting)| {
        potential(lifting, &lifting.weights(weights), *start, *goal, (sums.len() > 1).then_some(number))
    };
    (1..).zip(sums).map(refutation).collect()
}

/// Builds the refutation by a weighted sum that no move lowers and that is larger at the start than in the goals that
/// it refutes: all, unless it is one of several and has a number.
fn potential(
    lifting: &Lifting,
    weights: &FactWeights,
    start: i64,
    goal: i64,
    number_of_sum: Option<usize>,
) -> Refutation {
    let mut weights = weights.clone();
    let shift = lifting.simplify(&mut weights, None);
    let (mut start, mut goal) = (start - shift, goal - shift);
    let divisor = weights.iter().flatten().fold(0, |divisor, &weight| gcd(divisor, weight.abs())).max(1);
    weights.iter_mut().flatten().for_each(|weight| *weight /= divisor);
    (start, goal) = (start / divisor, goal.div_euclid(divisor));
    let argument = Argument::Potential { weights: lifting.by_name(&weights), start, goal };
    let falls = weights.iter().flatten().all(|&weight| weight <= 0);
    let mut shown = weights;
    if falls {
        shown.iter_mut().flatten().for_each(|weight| *weight = -*weight);
    }
    let quantity = Quantity::new(lifting, &shown);
    let reason = match (&quantity.whole, falls) {
        (Some((symbol, more)), true) => number(symbol, more - start, CountBound::Needs(more - goal)),
        (Some((symbol, more)), false) => number(symbol, more + start, CountBound::Allows(more + goal)),
        (None, true) => {
            let goals = if number_of_sum.is_some() { "some goals need" } else { "every goal needs" };
            format!("no move raises {}: it is {} at the start, and {goals} {} or more", quantity.words, -start, -goal)
        }
        (None, false) => {
            let goals = if number_of_sum.is_some() { "some goals" } else { "every goal" };
            format!("no move lowers {}: it is {start} at the start and at most {goal} in {goals}", quantity.words)
        }
    };
    let reason = number_of_sum.map_or(reason.clone(), |number| format!("({number}) {reason}"));
    let is_drawn = quantity.is_pattern && number_of_sum.is_none_or(|number| number <= MOST_TABLES);
    let table = if is_drawn { lifting.tables(&shown, number_of_sum) } else { String::new() };
    Refutation { reason, table: (!table.is_empty()).then_some(table), argument: Some(argument) }
}

/// Builds the refutation by an unsolvable abstraction.
fn abstraction(lifting: &Lifting, classes: &[(Var, Vec<u32>)]) -> Refutation {
    let merges = |(_, classes): &(Var, Vec<u32>)| sorted(classes.iter().copied()).len() < classes.len();
    let reason = if classes.iter().any(merges) {
        let distinct = classes.iter().flat_map(|(var, classes)| {
            let (old, values) = &lifting.origin[*var];
            let alone =
                values.iter().zip(classes).filter(|(_, class)| classes.iter().filter(|c| c == class).count() == 1);
            alone.map(|(&value, _)| format!("`{}`", lifting.value(*old, value)))
        });
        let distinct = listed(&sorted(distinct), MOST_NAMES);
        format!("no goal can be reached even if all symbols but {distinct} were the same")
    } else {
        let names: Vec<String> = classes.iter().map(|(var, _)| lifting.name(lifting.origin[*var].0)).collect();
        format!("no goal can be reached even if everything but {} could change at will", listed(&names, MOST_NAMES))
    };
    let variables = lifting.abstraction(classes);
    Refutation { reason, table: None, argument: Some(Argument::Abstraction { variables }) }
}

/// A weighted sum in words.
struct Quantity {
    words: String,
    /// True if the words omit some facts or weights, so that a table is needed.
    is_pattern: bool,
    /// If the sum counts a symbol wherever it can change: the symbol, and the number of cells that always hold it.
    whole: Option<(String, i64)>,
}

impl Quantity {
    fn new(lifting: &Lifting, weights: &FactWeights) -> Quantity {
        let facts: Vec<(Var, Value, i64)> = lifting.weighed(weights).collect();
        let is_number = facts.iter().all(|&(.., weight)| weight == 1);
        let names = sorted(facts.iter().map(|&(var, value, _)| lifting.value(var, value)));
        let on = |var: Var| lifting.variables[var].name.clone();
        if let (true, 1, Some(&name)) = (is_number, names.len(), names.first()) {
            let symbol = format!("`{name}`");
            let weighed = sorted(facts.iter().map(|&(var, ..)| var));
            let array = |var: Var| lifting.variables[var].name.split('[').next();
            let own = facts.first().and_then(|&(var, ..)| array(var));
            let can = |var: &Var| {
                lifting.reached[*var].iter().any(|value| lifting.value(*var, value) == name) && array(*var) == own
            };
            let (fixed, free): (Vec<Var>, Vec<Var>) =
                (0..lifting.variables.len()).filter(can).partition(|&var| lifting.reached[var].len() == 1);
            if free == weighed {
                let words = format!("the number of {symbol}");
                let words = if fixed.is_empty() { words } else { format!("{words} that can come and go") };
                return Quantity { words, is_pattern: false, whole: Some((symbol, fixed.len() as i64)) };
            }
            let names: Vec<String> = weighed.into_iter().map(on).collect();
            let words = format!("the number of {symbol} on {}", listed(&names, MOST_NAMES));
            return Quantity { words, is_pattern: facts.len() > MOST_NAMES, whole: None };
        }
        let item = |&(var, value, weight): &(Var, Value, i64)| {
            let symbol = format!("`{}`", lifting.value(var, value));
            let fact = if var < lifting.cells {
                format!("{symbol} on {}", on(var))
            } else {
                format!("{} = {symbol}", on(var))
            };
            if is_number { fact } else { format!("{weight} for {fact}") }
        };
        let items: Vec<String> = facts.iter().map(item).collect();
        let words = match is_number {
            true => format!("how many of these hold ({})", listed(&items, MOST_NAMES)),
            false => format!("a weighted sum ({})", listed(&items, MOST_NAMES)),
        };
        Quantity { words, is_pattern: !is_number || facts.len() > MOST_NAMES, whole: None }
    }
}

impl Lifting {
    /// Returns the place of a cell as people count it, or the name of another variable.
    fn place(&self, var: Var) -> String {
        match (var < self.cells, var.checked_div(self.columns)) {
            (true, Some(row)) => format!("row {}, column {}", row + 1, var % self.columns + 1),
            _ => format!("`{}`", self.variables[var].name),
        }
    }

    fn no_weights(&self) -> FactWeights {
        self.variables.iter().map(|variable| vec![0; variable.values.len()]).collect()
    }

    fn value(&self, var: Var, value: Value) -> &str {
        match self.variables.get(var) {
            Some(variable) => &variable.values[usize::from(value)],
            // The values of a place variable are cells.
            None => {
                &self.variables[self.place_variables[var - self.variables.len()].place_cells[usize::from(value)]].name
            }
        }
    }

    /// Returns the name of a variable or of a place variable.
    fn name(&self, var: Var) -> String {
        match self.variables.get(var) {
            Some(variable) => variable.name.clone(),
            None => {
                let place_variable = &self.place_variables[var - self.variables.len()];
                format!(
                    "the place of `{}`",
                    self.variables[place_variable.place_cells[0]].values[usize::from(place_variable.symbol)]
                )
            }
        }
    }

    /// Returns the facts with non-zero weights.
    fn weighed<'a>(&'a self, weights: &'a FactWeights) -> impl Iterator<Item = (Var, Value, i64)> + 'a {
        weights.iter().enumerate().flat_map(|(var, weights)| {
            let facts = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
            facts.map(move |(value, &weight)| (var, value as Value, weight))
        })
    }

    /// Subtracts a constant from the weights of each variable so that few facts have weights, and returns the sum of
    /// the constants. Unreachable facts get weight 0.
    fn simplify(&self, weights: &mut FactWeights, modulus: Option<u32>) -> i64 {
        let names = (0..).zip(self.reached.iter());
        let names = sorted(names.flat_map(|(var, values)| values.iter().map(move |value| self.value(var, value))));
        let without = |base: &str| {
            let mut shift = 0;
            let mut shifted = self.no_weights();
            for (var, values) in self.reached.iter().enumerate() {
                let of = |value: Value| weights[var][usize::from(value)];
                let found = values.iter().find(|&value| self.value(var, value) == base);
                let most = |value: &Value| {
                    let same = values.iter().filter(|&other| of(other) == of(*value)).count();
                    (same, std::cmp::Reverse(of(*value).abs()))
                };
                let Some(common) = found.or_else(|| values.iter().max_by_key(most)) else { continue };
                shift += of(common);
                for value in values.iter() {
                    let weight = of(value) - of(common);
                    shifted[var][usize::from(value)] = match modulus {
                        Some(modulus) if modulus <= 3 => weight.rem_euclid(modulus.into()),
                        Some(modulus) => centred(weight, modulus.into()),
                        None => weight,
                    };
                }
            }
            (shifted, shift, !BACKGROUND.contains(&base))
        };
        let bases = names.into_iter().map(without);
        let simple = |(shifted, _, is_thing): &(FactWeights, i64, bool)| {
            let facts: Vec<_> = self.weighed(shifted).collect();
            let symbols = sorted(facts.iter().map(|&(var, value, _)| self.value(var, value)));
            (facts.len(), symbols.len(), *is_thing, facts.iter().filter(|&&(.., weight)| weight < 0).count())
        };
        let Some((mut shifted, shift, _)) = bases.min_by_key(simple) else { return 0 };
        // An invariant may be negated.
        if modulus.is_some() && self.weighed(&shifted).all(|(.., weight)| weight < 0) {
            shifted.iter_mut().flatten().for_each(|weight| *weight = -*weight);
        }
        *weights = shifted;
        shift
    }

    /// Draws the weights on the grid, one table for each symbol; empty if they are too many or not on cells.
    fn tables(&self, weights: &FactWeights, number: Option<usize>) -> String {
        let facts: Vec<(Var, Value, i64)> = self.weighed(weights).collect();
        let symbols = sorted(facts.iter().map(|&(var, value, _)| self.value(var, value)));
        if self.columns == 0 || symbols.len() > MOST_TABLES || facts.iter().any(|&(var, ..)| var >= self.cells) {
            return String::new();
        }
        let mut text = String::new();
        for symbol in symbols {
            let number = number.map_or(String::new(), |number| format!("({number}) "));
            text += &format!("{number}weights of `{symbol}`\n");
            let weight = |var: Var| {
                let own = facts.iter().find(|&&(of, value, _)| of == var && self.value(var, value) == symbol);
                own.map_or(".".to_owned(), |(.., weight)| weight.to_string())
            };
            let cells: Vec<String> = (0..self.cells).map(weight).collect();
            let width = cells.iter().map(String::len).max().unwrap_or(1);
            for row in cells.chunks(self.columns) {
                let row: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
                text += &(row.join(" ") + "\n");
            }
        }
        text
    }
}

/// Returns the representative of a residue class that is nearest to 0.
fn centred(number: i64, modulus: i64) -> i64 {
    let rest = number.rem_euclid(modulus);
    if rest > modulus / 2 { rest - modulus } else { rest }
}
