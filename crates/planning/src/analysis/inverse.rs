//! Finds operators that undo each other: in every state, or in all that mutual exclusions allow.

use super::mutex::Mutexes;
use crate::search::BuildContext;
use crate::task::{Condition, CountRange, Effect, Operator, Source, Task, Value, Values, Var, condition_on};
use rustc_hash::FxHashMap;

/// Returns, for each operator, the first that undoes it in every state, if there is one. If a limit ends the work, the
/// list is incomplete.
pub fn inverses(task: &Task, context: &BuildContext) -> Vec<Option<u32>> {
    let mut same: FxHashMap<Vec<Var>, Vec<u32>> = FxHashMap::default();
    for (number, operator) in (0..).zip(&task.operators) {
        same.entry(operator.changed().collect()).or_default().push(number);
    }
    let mut inverses = vec![None; task.operators.len()];
    for numbers in same.values() {
        let candidates = Candidates::new(task, numbers);
        for &number in numbers.iter().take_while(|_| !context.should_stop()) {
            let first = &task.operators[number as usize];
            let candidates = candidates.after(task, first);
            let allowed = |var: Var| task.allowed(first, var);
            inverses[number as usize] =
                candidates.iter().copied().find(|&then| undoes(task, first, &task.operators[then as usize], &allowed));
        }
    }
    inverses
}

/// Returns the mutual exclusions by which every operator is undone by another in all consistent states; none if they do
/// not suffice. `inverse` lists the operators that others undo in every state.
pub(crate) fn undone_by_mutexes(task: &Task, inverse: &[Option<u32>], context: &BuildContext) -> Option<Mutexes> {
    let targets = |operator: &Operator| operator.changed().collect::<Vec<Var>>();
    let mut same: FxHashMap<Vec<Var>, Vec<&Operator>> = FxHashMap::default();
    task.operators.iter().for_each(|operator| same.entry(targets(operator)).or_default().push(operator));
    // First without mutual exclusions: where no operator could undo another, they need not be found.
    let may_undo = |first: &Operator, then: &Operator| {
        let allowed = |var: Var| task.allowed(first, var);
        let meets = |(var, values): &Condition| first.values_after(*var, allowed).meets(values);
        first.cost == then.cost && then.conditions.iter().all(meets)
    };
    let open = || task.operators.iter().zip(inverse).filter(|(_, inverse)| inverse.is_none());
    let mut tries = 0;
    for (first, _) in open() {
        let others = &same[&targets(first)];
        tries += others.len();
        if tries > MOST_TRIES || context.should_stop() || !others.iter().any(|then| may_undo(first, then)) {
            return None;
        }
    }
    let mutexes = Mutexes::new(task, context)?;
    let are_undone = open().all(|(first, _)| {
        let others = &same[&targets(first)];
        each_old_value(first, &mutexes.allowed(task, &first.conditions), &mutexes, &mut |before| {
            tries += others.len();
            let allowed = |var: Var| before[var].clone();
            tries <= MOST_TRIES
                && !context.should_stop()
                && others.iter().any(|then| undoes(task, first, then, &allowed))
        })
    });
    are_undone.then_some(mutexes)
}

/// Calls `each` with the values before an operator, for each choice of old values of what it changes; returns whether
/// all calls return true. Choices that are not possible or change nothing are left out.
fn each_old_value(
    operator: &Operator,
    before: &[Values],
    mutexes: &Mutexes,
    each: &mut dyn FnMut(&[Values]) -> bool,
) -> bool {
    let choices: usize = operator.effects.iter().map(|effect| before[effect.target].len()).product();
    let mut open = if choices <= MOST_CHOICES { vec![(0, before.to_vec())] } else { return false };
    while let Some((decided, before)) = open.pop() {
        if before.iter().any(Values::is_empty) {
            continue;
        }
        let Some(Effect { target, .. }) = operator.effects.get(decided) else {
            let is_known = |source: &Source| source.reads().is_none_or(|of| before[of].only().is_some());
            let stays = |Effect { target, source }: &Effect| {
                is_known(source) && source.values(|of| before[of].clone()) == before[*target]
            };
            if !operator.effects.iter().all(stays) && !each(&before) {
                return false;
            }
            continue;
        };
        for value in before[*target].iter() {
            let with = mutexes.with((*target, value));
            let both = |(var, values): (Var, &Values)| values.and(&with.values(var));
            let mut before: Vec<Values> = before.iter().enumerate().map(both).collect();
            before[*target] = before[*target].and(&Values::one(value));
            open.push((decided + 1, before));
        }
    }
    true
}

/// The most combinations of old values that are examined one by one.
const MOST_CHOICES: usize = 256;

/// The most pairs of operators that are compared.
const MOST_TRIES: usize = 1 << 20;

/// Operators indexed by the values that they require, so that each is compared with few of thousands.
struct Candidates {
    /// The variables for which every operator requires a single value.
    fixed: Vec<Var>,
    by_values: FxHashMap<Vec<Value>, Vec<u32>>,
}

impl Candidates {
    fn new(task: &Task, numbers: &[u32]) -> Candidates {
        let only = |number: &u32, var: Var| task.operators[*number as usize].condition(var)?.only();
        let of_first = numbers.first().map_or(&[][..], |&first| &task.operators[first as usize].conditions[..]);
        let fixed: Vec<Var> = of_first
            .iter()
            .map(|&(var, _)| var)
            .filter(|&var| numbers.iter().all(|number| only(number, var).is_some()))
            .collect();
        let mut by_values: FxHashMap<Vec<Value>, Vec<u32>> = FxHashMap::default();
        for number in numbers {
            let values = fixed.iter().filter_map(|&var| only(number, var)).collect();
            by_values.entry(values).or_default().push(*number);
        }
        Candidates { fixed, by_values }
    }

    /// Returns a superset of the operators that are always applicable after another.
    fn after(&self, task: &Task, first: &Operator) -> &[u32] {
        let only = |&var: &Var| first.values_after(var, |of| task.allowed(first, of)).only();
        let values: Option<Vec<Value>> = self.fixed.iter().map(only).collect();
        values.and_then(|values| self.by_values.get(&values)).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether an operator undoes another, given the values before that one.
fn undoes(task: &Task, first: &Operator, then: &Operator, allowed: &dyn Fn(Var) -> Values) -> bool {
    let after = |var: Var| first.values_after(var, allowed);
    let may = |(var, values): &Condition| after(*var).is_within(values);
    let restores = |target: Var, source: &Source| {
        let before = allowed(target);
        match source {
            Source::Value(value) => before == Values::one(*value),
            Source::Table(var, table) => match first.effect(*var) {
                Some(Source::Table(of, moved)) if *of == target => {
                    before.iter().all(|value| table[usize::from(moved[usize::from(value)])] == value)
                }
                _ => {
                    // A source that does not depend on the old value restores it only if that value is known.
                    before.len() == 1 && source.values(after) == before
                }
            },
        }
    };
    first.cost == then.cost
        && then.conditions.iter().all(may)
        && then.disjunctions.iter().all(|any| any.iter().any(|all| all.iter().all(may)))
        && then.counts.iter().all(|range| counts_after(task, first, range))
        && then.effects.iter().all(|effect| restores(effect.target, &effect.source))
}

/// Returns whether a counter is always within a range after an operator.
fn counts_after(task: &Task, operator: &Operator, range: &CountRange) -> bool {
    let (mut least, mut most) = task.bounds(range.counter, |var| task.allowed(operator, var));
    if let Some(before) = operator.counts.iter().find(|before| before.counter == range.counter) {
        (least, most) = (least.max(before.least), most.min(before.most));
    }
    let (mut least, mut most) = (i64::from(least), i64::from(most));
    let counted = |var: Var, value: Value| {
        i64::from(condition_on(&task.counters[range.counter], var).is_some_and(|values| values.contains(value)))
    };
    // The change is a sum of constants and of functions of one old value each.
    let constant: i64 = operator.constants().map(|(target, value)| counted(target, value)).sum();
    (least, most) = (least + constant, most + constant);
    for var in operator.touched() {
        let change = |old: Value| {
            let made = operator.looked_up(var, old).map(|(target, value)| counted(target, value));
            made.sum::<i64>() - if operator.effect(var).is_some() { counted(var, old) } else { 0 }
        };
        let changes: Vec<i64> = task.allowed(operator, var).iter().map(change).collect();
        least += changes.iter().min().copied().unwrap_or(0);
        most += changes.iter().max().copied().unwrap_or(0);
    }
    i64::from(range.least) <= least && most <= i64::from(range.most)
}
