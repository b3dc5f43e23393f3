//! Finds operators that undo each other: in every state, or in all that mutual exclusions allow.

use super::mutex::Mutexes;
use crate::search::BuildContext;
use crate::task::{Condition, CountRange, Effect, Operator, Source, Task, Value, Values, Var, condition_on};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Returns, for each operator, the first that undoes it in every state, if there is one. If a limit ends the work, the
/// list is incomplete.
pub fn inverses(task: &Task, context: &BuildContext) -> Vec<Option<u32>> {
    let writers = Writers::new(task);
    // Those with tables, by the variables that they change.
    let mut same: FxHashMap<Vec<Var>, Vec<u32>> = FxHashMap::default();
    for (number, operator) in (0..).zip(&task.operators).filter(|(_, operator)| writes(operator).is_none()) {
        same.entry(operator.changed().collect()).or_default().push(number);
    }
    let same: FxHashMap<Vec<Var>, Candidates> =
        same.into_iter().map(|(vars, numbers)| (vars, Candidates::new(task, &numbers))).collect();
    let inverse = |first: &Operator| {
        let allowed = |var: Var| task.allowed(first, var);
        let undoes = |&then: &u32| undoes(task, first, &task.operators[then as usize], &allowed);
        let writer = writers
            .restoring(first)
            .find(|then| first.changed().eq(task.operators[*then as usize].changed()) && undoes(then));
        let with_table = || {
            let candidates = same.get(&first.changed().collect::<Vec<Var>>())?;
            candidates.after(task, first).iter().copied().find(undoes)
        };
        let with_table = if same.is_empty() { None } else { with_table() };
        [writer, with_table].into_iter().flatten().min()
    };
    task.operators.iter().map(|first| if context.should_stop() { None } else { inverse(first) }).collect()
}

/// Returns a number for the constants that an operator writes; none if it has another effect.
fn writes(operator: &Operator) -> Option<u64> {
    let mut hasher = FxHasher::default();
    for Effect { target, source } in &operator.effects {
        let Source::Value(value) = source else { return None };
        (target, value).hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// The end of a list of operators.
const NONE: u32 = u32::MAX;

/// The operators that write constants alone, by what they write. Such an operator undoes only those that need these very
/// values: of thousands, few are compared.
struct Writers {
    /// The first operator of each list.
    first: FxHashMap<u64, u32>,
    /// For each operator, the next one of its list.
    next: Vec<u32>,
}

impl Writers {
    fn new(task: &Task) -> Writers {
        let mut all = Writers { first: FxHashMap::default(), next: vec![NONE; task.operators.len()] };
        for (number, operator) in task.operators.iter().enumerate().rev() {
            if let Some(next) = writes(operator).and_then(|key| all.first.insert(key, number as u32)) {
                all.next[number] = next;
            }
        }
        all
    }

    /// Returns the operators, in order, that may write what was there before another one.
    fn restoring(&self, operator: &Operator) -> impl Iterator<Item = u32> {
        let mut hasher = FxHasher::default();
        let needs_all = operator.changed().all(|var| {
            let only = operator.condition(var).and_then(Values::only);
            only.inspect(|value| (var, value).hash(&mut hasher)).is_some()
        });
        let first = if needs_all { self.first.get(&hasher.finish()).copied() } else { None };
        let next = |&number: &u32| Some(self.next[number as usize]).filter(|next| *next != NONE);
        std::iter::successors(first, next)
    }
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

/// Operators that change the same variables, indexed by the values that they require, so that each is compared with few of
/// thousands.
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
