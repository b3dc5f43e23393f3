//! Counts of symbols that moves never raise or never lower: the simplest proof that there is no solution.
//!
//! The number of cells with a symbol (of variables of an array with a value) is a linear function of the state. The
//! loss of an operator bounds its change (see [`facts`](super::facts)). If no operator raises the count, it never
//! exceeds its value at the start. Counts of several symbols together are considered if a goal counts them together.

use super::facts::{Facts, Form, Loss, losses};
use crate::search::BuildContext;
use crate::task::sorted::sorted;
use crate::task::{Goal, Task, Value, Values, Var, condition_on};
use rustc_hash::FxHashMap;

/// The most facts for which counts are analysed.
const MOST_FACTS: usize = 20_000;

/// A count that a goal requires and no reachable state has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UnreachableCount {
    /// The counted values.
    pub names: Vec<String>,
    /// The variables, with their counted values.
    pub of: Vec<(Var, Values)>,
    /// The count at the start.
    pub at_start: u32,
    pub bound: Bound,
}

/// The reason why the count cannot become what the goal requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Bound {
    /// Moves never raise the count, and the goal needs at least this many.
    Needs(u32),
    /// Moves never lower the count, and the goal allows at most this many.
    Allows(u32),
}

/// Returns an unreachable count for each goal; `None` if some goal has none. `reached` holds a superset of each
/// variable's reachable values.
pub(crate) fn unreachable_counts(
    task: &Task,
    goals: &[&Goal],
    reached: &[Values],
    context: &BuildContext,
) -> Option<Vec<UnreachableCount>> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS || goals.is_empty() {
        return None;
    }
    let groups = groups(task, goals);
    let candidates = |goal: &&Goal| {
        let counts = groups.iter().flat_map(|group| group.unreachable_count(task, goal, reached)).collect::<Vec<_>>();
        (!counts.is_empty()).then_some(counts)
    };
    // Most goals require no other counts: then the operators need not be analysed.
    let candidates: Vec<Vec<UnreachableCount>> = goals.iter().map(candidates).collect::<Option<_>>()?;
    let losses: Vec<Loss> = losses(task, &facts, context).into_iter().map(|(loss, _)| loss).collect();
    let mut holds: FxHashMap<UnreachableCount, bool> = FxHashMap::default();
    let mut all = Vec::new();
    for candidates in candidates {
        let is_monotone = |count: &UnreachableCount| {
            *holds.entry(count.clone()).or_insert_with(|| count.is_monotone(&facts, &losses))
        };
        all.push(candidates.into_iter().find(is_monotone)?);
    }
    Some(all)
}

/// Values with the same names, of variables that belong together.
struct Group {
    names: Vec<String>,
    of: Vec<(Var, Values)>,
}

/// Returns the groups to count: each value of the grid or an array, and the sets that goals count.
fn groups(task: &Task, goals: &[&Goal]) -> Vec<Group> {
    let element = |var: Var| Some((task.variables[var].name.split_once('[')?.0, var));
    let elements = sorted((0..task.variables.len()).filter_map(element));
    let mut groups = Vec::new();
    for elements in elements.chunk_by(|(array, _), (other, _)| array == other) {
        let vars: Vec<Var> = elements.iter().map(|&(_, var)| var).collect();
        let values = |var: Var| task.variables[var].values.iter();
        let mut sets: Vec<Vec<String>> =
            vars.iter().flat_map(|&var| values(var)).map(|name| vec![name.clone()]).collect();
        for (var, counted) in goals.iter().flat_map(|goal| &goal.counts).filter_map(|count| count.of.first()) {
            if vars.contains(var) {
                sets.push(
                    counted.iter().map(|value| task.variables[*var].values[usize::from(value)].clone()).collect(),
                );
            }
        }
        for names in sorted(sets) {
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
    /// Returns the count of this group if the goal requires more than at the start, or fewer.
    fn unreachable_count(&self, task: &Task, goal: &Goal, reached: &[Values]) -> Option<UnreachableCount> {
        let at_start = self.of.iter().filter(|(var, values)| values.contains(task.start[*var])).count() as u32;
        let (mut least, mut most) = (0, 0);
        for (var, values) in &self.of {
            let allowed = goal.condition(*var).map_or_else(|| reached[*var].clone(), |of| of.and(&reached[*var]));
            least += u32::from(allowed.is_within(values));
            most += u32::from(allowed.meets(values));
        }
        for count in &goal.counts {
            let same = |(var, values): &(Var, Values)| {
                let counted = condition_on(&count.of, *var).cloned().unwrap_or_default();
                counted.and(&reached[*var]) == values.and(&reached[*var])
            };
            if self.of.iter().all(same) && count.of.iter().all(|(var, _)| condition_on(&self.of, *var).is_some()) {
                least = least.max(count.least);
                most = most.min(count.most);
            }
        }
        let bound = match at_start {
            _ if at_start < least => Bound::Needs(least),
            _ if at_start > most => Bound::Allows(most),
            _ => return None,
        };
        Some(UnreachableCount { names: self.names.clone(), of: self.of.clone(), at_start, bound })
    }
}

impl UnreachableCount {
    /// Returns whether no operator moves the count towards the goal.
    fn is_monotone(&self, facts: &Facts, losses: &[Loss]) -> bool {
        let mut weights = vec![0_i64; facts.count];
        for (var, values) in &self.of {
            // The first value of a variable has weight 0, so the others get the difference.
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
