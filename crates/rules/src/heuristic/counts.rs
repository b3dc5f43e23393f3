//! Numbers of symbols that moves only lower, or only raise: the plainest reason why there is no solution.
//!
//! The number of cells with a symbol (of variables of an array with a value) is a sum of facts, and what an operator takes
//! away from it is bounded as for all sums (see [`facts`](super::facts)). Where no operator adds to it, no more than at
//! the start can ever be there. The numbers of several symbols together are looked at where a goal counts them so.

use super::facts::{Facts, Form, Loss, losses};
use crate::domain::BuildContext;
use crate::task::{Condition, Goal, Task, Value, Values, Var};
use std::collections::{BTreeMap, BTreeSet};

/// More facts than this are not counted.
const MOST_FACTS: usize = 20_000;

/// A number that a goal asks for and that is never there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Lacking {
    /// The values that are counted.
    pub names: Vec<String>,
    /// The variables with their values of these names.
    pub of: Vec<(Var, Values)>,
    /// How many there are at the start.
    pub there: u32,
    pub bound: Bound,
}

/// What keeps the number from being what the goal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Bound {
    /// Moves never raise it, and the goal needs this many.
    Needs(u32),
    /// Moves never lower it, and the goal allows this many.
    Allows(u32),
}

/// For each goal a number that it asks for and that is never there; none where a goal has none. `reached` are the values
/// that each variable can have.
pub(in super::super) fn counted(
    task: &Task,
    goals: &[&Goal],
    reached: &[Values],
    context: &BuildContext,
) -> Option<Vec<Lacking>> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS || goals.is_empty() {
        return None;
    }
    let groups = groups(task, goals);
    let differ = |goal: &&Goal| {
        let lacking = groups.iter().flat_map(|group| group.lacking(task, goal, reached)).collect::<Vec<_>>();
        (!lacking.is_empty()).then_some(lacking)
    };
    // Most goals ask for no other numbers: then no operator need be looked at.
    let candidates: Vec<Vec<Lacking>> = goals.iter().map(differ).collect::<Option<_>>()?;
    let losses: Vec<Loss> = losses(task, &facts, context).into_iter().map(|(loss, _)| loss).collect();
    let mut holds: BTreeMap<Lacking, bool> = BTreeMap::new();
    let mut all = Vec::new();
    for candidates in candidates {
        let is_kept =
            |lacking: &Lacking| *holds.entry(lacking.clone()).or_insert_with(|| lacking.is_kept(&facts, &losses));
        all.push(candidates.into_iter().find(is_kept)?);
    }
    Some(all)
}

/// Values by name, of the variables that belong together.
struct Group {
    names: Vec<String>,
    of: Vec<(Var, Values)>,
}

/// The groups that may be counted: each value of the grid or an array, and what goals count.
fn groups(task: &Task, goals: &[&Goal]) -> Vec<Group> {
    let mut arrays: BTreeMap<&str, Vec<Var>> = BTreeMap::new();
    for (var, variable) in task.variables.iter().enumerate() {
        if let Some((array, _)) = variable.name.split_once('[') {
            arrays.entry(array).or_default().push(var);
        }
    }
    let mut groups = Vec::new();
    for vars in arrays.into_values() {
        let values = |var: Var| task.variables[var].values.iter();
        let mut sets: BTreeSet<Vec<String>> =
            vars.iter().flat_map(|&var| values(var)).map(|name| vec![name.clone()]).collect();
        for (var, counted) in goals.iter().flat_map(|goal| &goal.counts).filter_map(|count| count.of.first()) {
            if vars.contains(var) {
                sets.insert(
                    counted.iter().map(|value| task.variables[*var].values[usize::from(value)].clone()).collect(),
                );
            }
        }
        for names in sets {
            let counted = |&var: &Var| {
                let own: Values = (0..task.size(var))
                    .filter(|&at| names.contains(&task.variables[var].values[at]))
                    .map(|at| at as Value)
                    .collect();
                (var, own)
            };
            let of = vars.iter().map(counted).filter(|(_, values)| !values.is_empty()).collect();
            groups.push(Group { names, of });
        }
    }
    groups
}

impl Group {
    /// Where a goal asks for more than there are at the start, or for fewer.
    fn lacking(&self, task: &Task, goal: &Goal, reached: &[Values]) -> Option<Lacking> {
        let there = self.of.iter().filter(|(var, values)| values.contains(task.start[*var])).count() as u32;
        let (mut least, mut most) = (0, 0);
        for (var, values) in &self.of {
            let allowed = of(&goal.conditions, *var).map_or(reached[*var], |of| of.and(&reached[*var]));
            least += u32::from(allowed.is_within(values));
            most += u32::from(!allowed.and(values).is_empty());
        }
        for count in &goal.counts {
            let same = |(var, values): &(Var, Values)| {
                let counted = of(&count.of, *var).copied().unwrap_or(Values::NONE);
                counted.and(&reached[*var]) == values.and(&reached[*var])
            };
            if self.of.iter().all(same) && count.of.iter().all(|(var, _)| of(&self.of, *var).is_some()) {
                least = least.max(count.least);
                most = most.min(count.most);
            }
        }
        let bound = match there {
            _ if there < least => Bound::Needs(least),
            _ if there > most => Bound::Allows(most),
            _ => return None,
        };
        Some(Lacking { names: self.names.clone(), of: self.of.clone(), there, bound })
    }
}

/// The values of a variable in a list in the order of the variables.
fn of(list: &[Condition], var: Var) -> Option<&Values> {
    list.binary_search_by_key(&var, |(of, _)| *of).ok().map(|at| &list[at].1)
}

impl Lacking {
    /// Whether no operator moves the number towards what the goal asks for.
    fn is_kept(&self, facts: &Facts, losses: &[Loss]) -> bool {
        let mut weights = vec![0_i64; facts.count];
        for (var, values) in &self.of {
            // The first value of a variable has no weight: the others have the difference.
            let first = i64::from(values.contains(0));
            let last = (facts.number(*var, 0)..facts.count).take_while(|&number| facts.fact(number).0 == *var).count();
            for value in 0..last {
                weights[facts.number(*var, value as Value)] = i64::from(values.contains(value as Value)) - first;
            }
        }
        let sum = |form: &Form| form.iter().map(|&(fact, count)| weights[fact] * i64::from(count)).sum::<i64>();
        losses.iter().all(|loss| {
            let parts = loss.parts.iter().map(|part| part.iter().map(sum));
            match self.bound {
                Bound::Needs(_) => sum(&loss.constant) + parts.filter_map(Iterator::min).sum::<i64>() >= 0,
                Bound::Allows(_) => sum(&loss.constant) + parts.filter_map(Iterator::max).sum::<i64>() <= 0,
            }
        })
    }
}
