//! Why a puzzle has no solution: looked for before any search, and put into words and into data.
//!
//! What is tried, in this order: facts that goals ask for and that are never reached, even if nothing were ever lost
//! (delete relaxation: Bonet and Geffner 2001); numbers of symbols that moves only lower or only raise; sums that no move
//! changes. What a heuristic proves of the start is put into words here, too. Weights and variables are those of the
//! puzzle, not of the reduced task, so that a checker needs the rules alone.

use super::heuristic::{Bound, Kept, Lacking, Proof, counted, refuted};
use super::lifting::{Lifting, Weighing};
use super::reduce::Reduced;
use super::task::{Condition, Goal, Task, Value, Values, Var};
use crate::argument::{Argument, Missing, Refutation, Sum, listed};
use crate::domain::BuildContext;
use std::collections::BTreeSet;

/// How many names a sentence lists before it counts the rest.
const NAMES: usize = 6;

/// The most tables of weights.
const TABLES: usize = 4;

/// Values that stand for nothing as a rule: sentences are about the others.
const FLOORS: [&str; 7] = [".", "_", "-", "0", "false", "off", "empty"];

/// Why no goal can be reached from the start of a task, where that is seen without a search; none where `context` end it.
pub(super) fn refute(task: &Task, reduced: &Reduced, context: &BuildContext) -> Option<Refutation> {
    let found = look(task, reduced, context);
    // What was found out on the way may rest on operators that were not looked at.
    found.filter(|_| context.ended().is_none())
}

fn look(task: &Task, reduced: &Reduced, context: &BuildContext) -> Option<Refutation> {
    if task.is_goal(&task.start) || context.ended().is_some() {
        return None;
    }
    let lifting = &reduced.lifting;
    let mut parts = Vec::new();
    let lacks: Vec<Option<Lack>> = task.goals.iter().map(|goal| lack(lifting, goal)).collect();
    let open: Vec<&Goal> =
        task.goals.iter().zip(&lacks).filter(|(_, lack)| lack.is_none()).map(|(goal, _)| goal).collect();
    let unreached: Vec<Lack> = lacks.into_iter().flatten().collect();
    if !unreached.is_empty() || task.goals.is_empty() {
        parts.push(unreachable(unreached));
    }
    if open.is_empty() {
        return together(parts);
    }
    if let Some(lacking) = counted(&reduced.narrowed, &open, &lifting.reached, context) {
        let distinct: BTreeSet<Lacking> = lacking.into_iter().collect();
        parts.extend(distinct.iter().map(|lacking| numbered(lifting, lacking)));
        return together(parts);
    }
    if reduced.task.goals.is_empty() {
        return Some("no goal can be reached, even if nothing that was there were ever lost".to_owned().into());
    }
    let mut kept = invariant(lifting, refuted(&reduced.task, context)?);
    if reduced.task.goals.len() < open.len() {
        // Some goals were seen to be impossible on the way, for a reason that is not told.
        kept.argument = None;
    }
    parts.push(kept);
    together(parts)
}

/// What a heuristic proves of a state of the reduced task from which no goal can be reached.
pub(super) fn proven(lifting: &Lifting, name: &str, proof: &Proof, state: &[Value]) -> Refutation {
    match proof {
        Proof::Potential(weights, goal) => {
            let start = state.iter().zip(weights).map(|(&value, weights)| weights[usize::from(value)]).sum();
            potential(lifting, &lifting.weights(weights), start, *goal)
        }
        Proof::Abstraction(classes) => abstraction(lifting, classes),
        Proof::Untold(reason) => format!("{reason} (`{name}`)").into(),
    }
}

/// Several refutations, each of some goals, as one.
fn together(mut parts: Vec<Refutation>) -> Option<Refutation> {
    if parts.len() <= 1 {
        return parts.pop();
    }
    let reasons: Vec<&str> = parts.iter().map(|part| part.reason.as_str()).collect();
    let reason = format!("each goal is ruled out by one of these: {}", reasons.join("; "));
    let tables: String = parts.iter().filter_map(|part| part.table.as_deref()).collect();
    let argument: Option<Vec<Argument>> = parts.iter().map(|part| part.argument.clone()).collect();
    let table = (!tables.is_empty()).then_some(tables);
    Some(Refutation { reason, table, argument: argument.map(|parts| Argument::Together { parts }) })
}

/// What a goal asks for and is never reached.
struct Lack {
    words: String,
    /// None where it is one of several alternatives that lack something.
    missing: Option<Missing>,
}

/// What a goal asks for that can never be, even if nothing were ever lost.
fn lack(lifting: &Lifting, goal: &Goal) -> Option<Lack> {
    let facts = |(var, values): &Condition| values.iter().map(|value| lifting.fact(*var, value)).collect::<Vec<_>>();
    let is_met = |(var, values): &Condition| !values.and(&lifting.reached[*var]).is_empty();
    let is_sure = |(var, values): &Condition| lifting.reached[*var].is_within(values);
    if let Some(condition) = goal.conditions.iter().find(|condition| !is_met(condition)) {
        let missing = Missing { facts: facts(condition), needed: 1, possible: 0 };
        return Some(Lack { words: never(lifting, condition), missing: Some(missing) });
    }
    for count in &goal.counts {
        let number = |which: &dyn Fn(&Condition) -> bool| count.of.iter().filter(|fact| which(fact)).count() as u32;
        let symbols = symbols(lifting, &count.of);
        let possible = number(&is_met);
        if possible < count.least {
            let facts = count.of.iter().flat_map(facts).collect();
            let words = format!("{symbols}: {} needed, {possible} can ever be there", count.least);
            return Some(Lack { words, missing: Some(Missing { facts, needed: count.least, possible }) });
        }
        let always = number(&is_sure);
        if always > count.most {
            let others = count
                .of
                .iter()
                .map(|(var, values)| (*var, Values::below(lifting.variables[*var].values.len()).without(values)));
            let facts = others.flat_map(|other| facts(&other)).collect();
            let all = count.of.len() as u32;
            let words = format!("{symbols}: {} allowed, {always} are always there", count.most);
            let missing = Missing { facts, needed: all.saturating_sub(count.most), possible: all - always };
            return Some(Lack { words, missing: Some(missing) });
        }
    }
    let hopeless = |any: &&Vec<Vec<Condition>>| any.iter().all(|all| !all.iter().all(is_met));
    let any = goal.either.iter().find(hopeless)?;
    let condition = any.iter().flatten().find(|condition| !is_met(condition));
    let words = condition.map_or("a condition of the goal never holds".to_owned(), |of| never(lifting, of));
    Some(Lack { words, missing: None })
}

/// That a variable never has one of some values.
fn never(lifting: &Lifting, (var, values): &Condition) -> String {
    let variable = &lifting.variables[*var];
    let names: Vec<String> = values.iter().map(|value| format!("`{}`", variable.values[usize::from(value)])).collect();
    match (&names[..], *var < lifting.cells) {
        ([one], true) => format!("{one} never gets to {}", variable.name),
        (_, true) => format!("{} never holds any of {}", variable.name, listed(&names, NAMES)),
        ([one], false) => format!("{} never is {one}", variable.name),
        (_, false) => format!("{} never is any of {}", variable.name, listed(&names, NAMES)),
    }
}

/// The symbols of some facts.
fn symbols(lifting: &Lifting, of: &[Condition]) -> String {
    let name = |var: Var, value: Value| &lifting.variables[var].values[usize::from(value)];
    let names: BTreeSet<&String> =
        of.iter().flat_map(|(var, values)| values.iter().map(|value| name(*var, value))).collect();
    or(&names.into_iter().cloned().collect::<Vec<_>>())
}

/// Some names, any of which is meant.
fn or(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" or ")
}

/// That each of some goals lacks something that is never reached.
fn unreachable(lacks: Vec<Lack>) -> Refutation {
    let words: Vec<String> = lacks.iter().map(|lack| lack.words.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let reason = match &words[..] {
        [] => "no position is a goal".to_owned(),
        [one] => format!("{one}, even if nothing were ever lost"),
        [one, ..] => format!("{one}, even if nothing were ever lost; the other goals lack something alike"),
    };
    let missing: Option<BTreeSet<Missing>> = lacks.into_iter().map(|lack| lack.missing).collect();
    let argument = missing.map(|missing| Argument::Relaxation { missing: missing.into_iter().collect() });
    Refutation { reason, table: None, argument }
}

/// That there are too few or too many of a symbol.
fn numbered(lifting: &Lifting, lacking: &Lacking) -> Refutation {
    let (sign, goal) = match lacking.bound {
        Bound::Needs(number) => (-1, number),
        Bound::Allows(number) => (1, number),
    };
    let mut weights = lifting.no_weights();
    for (var, values) in &lacking.of {
        values.iter().for_each(|value| weights[*var][usize::from(value)] = sign);
    }
    Refutation {
        reason: number(&or(&lacking.names), lacking.there.into(), lacking.bound.into()),
        table: None,
        argument: Some(Argument::Potential {
            weights: lifting.named(&weights),
            start: sign * i64::from(lacking.there),
            goal: sign * i64::from(goal),
        }),
    }
}

/// A bound that a goal sets.
enum Asked {
    Needs(i64),
    Allows(i64),
}

impl From<Bound> for Asked {
    fn from(bound: Bound) -> Asked {
        match bound {
            Bound::Needs(number) => Asked::Needs(number.into()),
            Bound::Allows(number) => Asked::Allows(number.into()),
        }
    }
}

/// A number that goals ask for, and the one that is there.
fn number(symbols: &str, there: i64, asked: Asked) -> String {
    match asked {
        Asked::Needs(needed) => format!("{symbols}: {needed} needed, {there} can ever be there"),
        Asked::Allows(allowed) => format!("{symbols}: {allowed} allowed, {there} are always there"),
    }
}

/// That sums which no move changes are otherwise in every goal.
fn invariant(lifting: &Lifting, kept: Vec<Kept>) -> Refutation {
    let several = kept.len() > 1;
    let mut sums = Vec::new();
    let mut said = Vec::new();
    let mut tables = String::new();
    for (number, Kept { modulus, weights }) in (1..).zip(kept) {
        let mut weights = lifting.weights(&weights);
        lifting.simplify(&mut weights, modulus);
        if modulus.is_none() && lifting.weighed(&weights).all(|(.., weight)| weight < 0) {
            weights.iter_mut().flatten().for_each(|weight| *weight = -*weight);
        }
        let start = lifting.at_start(&weights);
        let start = modulus.map_or(start, |modulus| start.rem_euclid(modulus.into()));
        let quantity = Quantity::new(lifting, &weights);
        said.push((quantity.words, modulus, start));
        if quantity.is_pattern && number <= TABLES {
            tables += &lifting.tables(&weights, if several { Some(number) } else { None });
        }
        sums.push(Sum { modulus, weights: lifting.named(&weights), start });
    }
    let is = |modulus: Option<u32>, start: i64| match modulus {
        Some(2) if start == 0 => "even".to_owned(),
        Some(2) => "odd".to_owned(),
        Some(modulus) => format!("{start} modulo {modulus}"),
        None => start.to_string(),
    };
    let reason = match &said[..] {
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
                .zip(&said)
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

/// That a weighted sum, which no move lowers, is larger at the start than in any goal.
fn potential(lifting: &Lifting, weights: &Weighing, start: i64, goal: i64) -> Refutation {
    let mut weights = weights.clone();
    let shift = lifting.simplify(&mut weights, None);
    let (mut start, mut goal) = (start - shift, goal - shift);
    let divisor = weights.iter().flatten().fold(0, |divisor, &weight| gcd(divisor, weight.abs())).max(1);
    weights.iter_mut().flatten().for_each(|weight| *weight /= divisor);
    (start, goal) = (start / divisor, goal.div_euclid(divisor));
    let argument = Argument::Potential { weights: lifting.named(&weights), start, goal };
    let falls = weights.iter().flatten().all(|&weight| weight <= 0);
    let mut shown = weights;
    if falls {
        shown.iter_mut().flatten().for_each(|weight| *weight = -*weight);
    }
    let quantity = Quantity::new(lifting, &shown);
    let reason = match (&quantity.whole, falls) {
        (Some((symbol, more)), true) => number(symbol, more - start, Asked::Needs(more - goal)),
        (Some((symbol, more)), false) => number(symbol, more + start, Asked::Allows(more + goal)),
        (None, true) => {
            format!(
                "no move raises {}: it is {} at the start, and every goal needs {} or more",
                quantity.words, -start, -goal
            )
        }
        (None, false) => {
            format!("no move lowers {}: it is {start} at the start and at most {goal} in every goal", quantity.words)
        }
    };
    let table = if quantity.is_pattern { lifting.tables(&shown, None) } else { String::new() };
    Refutation { reason, table: (!table.is_empty()).then_some(table), argument: Some(argument) }
}

/// That a smaller puzzle has no solution.
fn abstraction(lifting: &Lifting, classes: &[(Var, Vec<u32>)]) -> Refutation {
    let merges = |(_, classes): &(Var, Vec<u32>)| classes.iter().collect::<BTreeSet<_>>().len() < classes.len();
    let reason = if classes.iter().any(merges) {
        let apart = classes.iter().flat_map(|(var, classes)| {
            let (old, values) = &lifting.origin[*var];
            let alone =
                values.iter().zip(classes).filter(|(_, class)| classes.iter().filter(|c| c == class).count() == 1);
            alone.map(|(&value, _)| format!("`{}`", lifting.value(*old, value)))
        });
        let apart: Vec<String> = apart.collect::<BTreeSet<_>>().into_iter().collect();
        format!("no goal can be reached even if all symbols but {} were the same", listed(&apart, NAMES))
    } else {
        let names: Vec<String> = classes.iter().map(|(var, _)| lifting.name(lifting.origin[*var].0)).collect();
        format!("no goal can be reached even if everything but {} could change at will", listed(&names, NAMES))
    };
    let variables = lifting.abstraction(classes);
    Refutation { reason, table: None, argument: Some(Argument::Abstraction { variables }) }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A weighted sum in words.
struct Quantity {
    words: String,
    /// Whether the words leave out some facts, or their weights need a drawing.
    is_pattern: bool,
    /// The symbol of which it is the number wherever it can come and go, and how many more there are in any case.
    whole: Option<(String, i64)>,
}

impl Quantity {
    fn new(lifting: &Lifting, weights: &Weighing) -> Quantity {
        let facts: Vec<(Var, Value, i64)> = lifting.weighed(weights).collect();
        let is_number = facts.iter().all(|&(.., weight)| weight == 1);
        let names: BTreeSet<&str> = facts.iter().map(|&(var, value, _)| lifting.value(var, value)).collect();
        let on = |var: Var| lifting.variables[var].name.clone();
        if let (true, 1, Some(&name)) = (is_number, names.len(), names.first()) {
            let symbol = format!("`{name}`");
            let weighed: BTreeSet<Var> = facts.iter().map(|&(var, ..)| var).collect();
            let array = |var: Var| lifting.variables[var].name.split('[').next();
            let own = facts.first().and_then(|&(var, ..)| array(var));
            let can = |var: &Var| {
                lifting.reached[*var].iter().any(|value| lifting.value(*var, value) == name) && array(*var) == own
            };
            let (fixed, free): (Vec<Var>, Vec<Var>) =
                (0..lifting.variables.len()).filter(can).partition(|&var| lifting.reached[var].len() == 1);
            if free.into_iter().collect::<BTreeSet<_>>() == weighed {
                let words = format!("the number of {symbol}");
                let words = if fixed.is_empty() { words } else { format!("{words} that can come and go") };
                return Quantity { words, is_pattern: false, whole: Some((symbol, fixed.len() as i64)) };
            }
            let names: Vec<String> = weighed.into_iter().map(on).collect();
            let words = format!("the number of {symbol} on {}", listed(&names, NAMES));
            return Quantity { words, is_pattern: facts.len() > NAMES, whole: None };
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
            true => format!("how many of these hold ({})", listed(&items, NAMES)),
            false => format!("a weighted sum ({})", listed(&items, NAMES)),
        };
        Quantity { words, is_pattern: !is_number || facts.len() > NAMES, whole: None }
    }
}

impl Lifting {
    fn no_weights(&self) -> Weighing {
        self.variables.iter().map(|variable| vec![0; variable.values.len()]).collect()
    }

    fn value(&self, var: Var, value: Value) -> &str {
        match self.variables.get(var) {
            Some(variable) => &variable.values[usize::from(value)],
            // A place: its values are cells.
            None => &self.variables[self.placings[var - self.variables.len()].here[usize::from(value)]].name,
        }
    }

    /// What a variable, or a place, is called.
    fn name(&self, var: Var) -> String {
        match self.variables.get(var) {
            Some(variable) => variable.name.clone(),
            None => {
                let placed = &self.placings[var - self.variables.len()];
                format!("the place of `{}`", self.variables[placed.here[0]].values[usize::from(placed.symbol)])
            }
        }
    }

    /// The facts that weigh something.
    fn weighed<'a>(&'a self, weights: &'a Weighing) -> impl Iterator<Item = (Var, Value, i64)> + 'a {
        weights.iter().enumerate().flat_map(|(var, weights)| {
            let facts = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
            facts.map(move |(value, &weight)| (var, value as Value, weight))
        })
    }

    /// Takes a constant off the weights of each variable, so that few facts weigh anything; returns the sum of these. Facts
    /// that are never reached weigh nothing.
    fn simplify(&self, weights: &mut Weighing, modulus: Option<u32>) -> i64 {
        let names: BTreeSet<&str> = self
            .reached
            .iter()
            .enumerate()
            .flat_map(|(var, values)| values.iter().map(move |value| self.value(var, value)))
            .collect();
        let without = |base: &str| {
            let mut shift = 0;
            let mut less = self.no_weights();
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
                    less[var][usize::from(value)] = match modulus {
                        Some(modulus) if modulus <= 3 => weight.rem_euclid(modulus.into()),
                        Some(modulus) => centred(weight, modulus.into()),
                        None => weight,
                    };
                }
            }
            (less, shift, !FLOORS.contains(&base))
        };
        let bases = names.into_iter().map(without);
        let simple = |(less, _, is_thing): &(Weighing, i64, bool)| {
            let facts: Vec<_> = self.weighed(less).collect();
            let symbols: BTreeSet<&str> = facts.iter().map(|&(var, value, _)| self.value(var, value)).collect();
            (facts.len(), symbols.len(), *is_thing, facts.iter().filter(|&&(.., weight)| weight < 0).count())
        };
        let Some((mut less, shift, _)) = bases.min_by_key(simple) else { return 0 };
        // A sum that is kept may as well be the other way round.
        if modulus.is_some() && self.weighed(&less).all(|(.., weight)| weight < 0) {
            less.iter_mut().flatten().for_each(|weight| *weight = -*weight);
        }
        *weights = less;
        shift
    }

    /// Weights on the grid, a drawing for each symbol; nothing where these are too many or not on cells.
    fn tables(&self, weights: &Weighing, number: Option<usize>) -> String {
        let facts: Vec<(Var, Value, i64)> = self.weighed(weights).collect();
        let symbols: BTreeSet<&str> = facts.iter().map(|&(var, value, _)| self.value(var, value)).collect();
        if self.columns == 0 || symbols.len() > TABLES || facts.iter().any(|&(var, ..)| var >= self.cells) {
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

/// The representative of a number modulo another that is nearest to 0.
fn centred(number: i64, modulus: i64) -> i64 {
    let rest = number.rem_euclid(modulus);
    if rest > modulus / 2 { rest - modulus } else { rest }
}
