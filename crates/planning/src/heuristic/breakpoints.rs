//! Breakpoints: pairs of variables whose values no goal has side by side.
//!
//! Where moves carry the values of many variables along together, as when a stack of pancakes is flipped, most pairs of
//! neighbours stay neighbours. The number of pairs that are wrong then bounds the cost: the breakpoints of genome
//! rearrangement (Kececioglu and Sankoff, Exact and approximation algorithms for sorting by reversals, 1995), and the
//! gap heuristic of pancakes (Helmert, Landmark heuristics for the pancake problem, 2010).
//!
//! An operator *carries* a pair of variables if it copies the values of both, perhaps through tables, to a pair that
//! counts. Operators that change both variables of a pair, or neither, join the pairs to components. In one component,
//! or a few, a pair of values is *good* if a goal has it, or if an operator may carry it to a good one. So an operator
//! carries no bad pair to a good one. It lowers the number of bad pairs at most by the number of pairs that it does not
//! carry. With r the greatest ratio of this number to the cost of an operator, h is the number of bad pairs divided by
//! r, rounded up. It is 0 in every goal, hence consistent. A single variable counts as a pair that every operator which
//! changes it breaks.

use super::patterns::Patterns;
use super::{Heuristic, Proof, Registration, limit_message, sample};
use crate::analysis::analysed_task::AnalysedTask;
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Effect, Operator, Source, Task, Value, Values, Var};
use std::sync::Arc;

/// The registration of breakpoints. With a size above 0, h is the greater of breakpoints and of patterns.
pub static BREAKPOINTS: Registration = Registration {
    facts: HeuristicFacts {
        name: "breakpoints",
        admissible: true,
        consistent: true,
        by_hand: true,
        summary: "neighbouring values that no goal has side by side (Kececioglu, Sankoff 1995; Helmert 2010), where \
                  moves carry most neighbours along together",
        because: "a move carries no wrong pair of neighbours to a right one, and separates at most a few",
    },
    build: |task, context| {
        let mut breakpoints = Breakpoints::new(&task.reduced.task, context)?;
        if context.size.unwrap_or(0) > 0 {
            breakpoints.patterns = Patterns::new(&task.reduced.task, context).ok();
        }
        Ok(Arc::new(breakpoints))
    },
    refuses: |task, context| (!carry_neighbours(task, context)).then(|| NONE_CARRIED.to_owned()),
};

/// The reason why the heuristic does not apply.
const NONE_CARRIED: &str = "no moves carry neighbouring values along together";

/// Returns whether moves carry neighbouring values along together.
pub fn carry_neighbours(task: &AnalysedTask, context: &BuildContext) -> bool {
    let find = || Breakpoints::new(&task.reduced.task, context).is_ok();
    task.memo.get(BREAKPOINTS.facts.name, context, find)
}

/// The most variables, pairs of values of one component, and operators times pairs.
const MOST_VARIABLES: usize = 200;
const MOST_VALUE_PAIRS: usize = 1 << 22;
const MOST_WORK: usize = 1 << 24;

/// The most components that are combined.
const MOST_PARTS: usize = 4;

/// The pairs that count, with their good values.
pub struct Breakpoints {
    pairs: Vec<Pair>,
    /// Another bound, of which the greater counts.
    patterns: Option<Patterns>,
    /// h is the number of bad pairs times `cost`, divided by `lost`, rounded up.
    lost: u64,
    cost: u64,
}

/// A pair of variables; both are the same for a single variable.
#[derive(Clone)]
struct Pair {
    vars: (Var, Var),
    /// The number of values of the second variable.
    columns: usize,
    good: Box<[bool]>,
}

/// Some pairs, and the number of them that each operator does not carry.
#[derive(Clone)]
struct Part {
    pairs: Vec<Pair>,
    lost: Vec<u32>,
}

/// The values that an operator copies to a variable.
struct Copied<'a> {
    from: Var,
    /// None for the identity.
    table: Option<&'a [Value]>,
}

impl Breakpoints {
    /// Finds the pairs that count most on sampled states.
    ///
    /// # Errors
    /// Why there are none, or that a limit ended the work.
    fn new(task: &Task, context: &BuildContext) -> Result<Breakpoints, String> {
        let variables = task.variables.len();
        let none = || NONE_CARRIED.to_owned();
        if variables > MOST_VARIABLES || variables * variables * task.operators.len() > MOST_WORK {
            return Err(none());
        }
        let mut parts: Vec<Part> = Vec::new();
        for pairs in components(task) {
            parts.extend(Part::component(task, &pairs));
            if context.should_stop() {
                return Err(limit_message());
            }
        }
        if parts.is_empty() {
            return Err(none());
        }
        let mut samples = sample::states(task, context);
        samples.push(task.start.clone());
        let mut chosen: Option<(u64, Breakpoints, Part)> = None;
        for _ in 0..MOST_PARTS {
            let mut better = None;
            for part in &parts {
                let part = match &chosen {
                    Some((_, _, before)) => before.with(part),
                    None => part.clone(),
                };
                let Some(bound) = part.bound(task) else { continue };
                let sum: u64 = samples.iter().map(|state| u64::from(bound.h(state))).sum();
                let best = better.as_ref().or(chosen.as_ref()).map_or(0, |(sum, ..)| *sum);
                if sum > best {
                    better = Some((sum, bound, part));
                }
                if context.should_stop() {
                    return Err(limit_message());
                }
            }
            match better {
                // Single variables may come after pairs, not before: alone, other heuristics see more in them.
                Some(better) if chosen.is_none() => {
                    parts.extend((0..variables).map(|var| Part::single(task, var)));
                    chosen = Some(better);
                }
                Some(better) => chosen = Some(better),
                None => break,
            }
        }
        chosen.map(|(_, bound, _)| bound).ok_or_else(none)
    }
}

impl Heuristic for Breakpoints {
    fn h(&self, state: &[Value]) -> u32 {
        let other = self.patterns.as_ref().map_or(0, |patterns| patterns.h(state));
        let bad = self.pairs.iter().filter(|pair| !pair.is_good(state)).count();
        other.max((bad as u64 * self.cost).div_ceil(self.lost) as u32)
    }

    /// The bound by breakpoints is always finite.
    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        self.patterns.as_ref()?.refutation(state)
    }

    fn bytes(&self) -> u64 {
        let pairs: u64 = self.pairs.iter().map(|pair| pair.good.len() as u64).sum();
        pairs + self.patterns.as_ref().map_or(0, Heuristic::bytes)
    }

    fn describe(&self) -> String {
        let most = match (self.lost, self.cost) {
            (1, 1) => "1 of which a move may mend".to_owned(),
            (lost, 1) => format!("{lost} of which a move may mend"),
            (lost, cost) => format!("{lost} of which a move of cost {cost} may mend"),
        };
        let pairs = format!("{} pairs of neighbours, {most}", self.pairs.len());
        [pairs].into_iter().chain(self.patterns.as_ref().map(Heuristic::describe)).collect::<Vec<_>>().join("; ")
    }
}

impl Pair {
    #[inline]
    fn is_good(&self, state: &[Value]) -> bool {
        let (first, second) = self.vars;
        self.good[usize::from(state[first]) * self.columns + usize::from(state[second])]
    }
}

impl Part {
    /// Returns a part with a single variable.
    fn single(task: &Task, var: Var) -> Part {
        let columns = task.size(var);
        let mut good = vec![false; columns * columns];
        for goal in &task.goals {
            let values = goal.condition(var).cloned().unwrap_or_else(|| Values::below(columns));
            values.iter().for_each(|value| good[usize::from(value) * (columns + 1)] = true);
        }
        let lost = task.operators.iter().map(|operator| u32::from(operator.effect(var).is_some()));
        Part { lost: lost.collect(), pairs: vec![Pair { vars: (var, var), columns, good: good.into() }] }
    }

    /// Returns a component of pairs, in ascending order, with their good values; none if they are too many.
    fn component(task: &Task, vars: &[(Var, Var)]) -> Option<Part> {
        let sizes = vars.iter().map(|&(first, second)| task.size(first) * task.size(second));
        if sizes.sum::<usize>() > MOST_VALUE_PAIRS {
            return None;
        }
        let empty = |&(first, second): &(Var, Var)| Pair {
            vars: (first, second),
            columns: task.size(second),
            good: vec![false; task.size(first) * task.size(second)].into(),
        };
        let mut pairs: Vec<Pair> = vars.iter().map(empty).collect();
        let mut open: Vec<(usize, Value, Value)> = Vec::new();
        for (at, pair) in pairs.iter_mut().enumerate() {
            for goal in &task.goals {
                let values = |var: Var| goal.condition(var).cloned().unwrap_or_else(|| Values::below(task.size(var)));
                for first in values(pair.vars.0).iter() {
                    for second in values(pair.vars.1).iter() {
                        pair.good[usize::from(first) * pair.columns + usize::from(second)] = true;
                        open.push((at, first, second));
                    }
                }
            }
        }
        // For each pair, the pairs that operators carry to it, with the operator.
        let mut lost = Vec::new();
        let mut carried: Vec<Vec<(usize, &Operator, Var, Var)>> = vec![Vec::new(); pairs.len()];
        for operator in &task.operators {
            let mut arrives = vec![false; pairs.len()];
            for (at, &(first, second)) in vars.iter().enumerate() {
                let Some(from) = sources(operator, first, second) else { continue };
                let Ok(before) = vars.binary_search(&(from.0.min(from.1), from.0.max(from.1))) else { continue };
                // Where one of the two is changed, it is another pair that arrives: the middle one of a flip stays.
                if before == at && !changes_alike(operator, first, second) {
                    continue;
                }
                arrives[before] = true;
                // Pairs that stay as they are keep what is good.
                if operator.effect(first).is_some() || operator.effect(second).is_some() {
                    carried[at].push((before, operator, from.0, from.1));
                }
            }
            lost.push(arrives.iter().filter(|arrives| !**arrives).count() as u32);
        }
        let mut work = 0;
        while let Some((at, first, second)) = open.pop() {
            for &(before, operator, from, and) in &carried[at] {
                let old = |to: Var, from: Var, new: Value| -> Vec<Value> {
                    let table = copied(operator, to).and_then(|copied| copied.table);
                    let becomes = |value: &Value| table.map_or(*value, |table| table[usize::from(*value)]) == new;
                    task.allowed(operator, from).iter().filter(becomes).collect()
                };
                let (to, other) = pairs[at].vars;
                for &x in &old(to, from, first) {
                    for &y in &old(other, and, second) {
                        let (x, y) = if from < and { (x, y) } else { (y, x) };
                        let pair = &mut pairs[before];
                        let good = &mut pair.good[usize::from(x) * pair.columns + usize::from(y)];
                        if !std::mem::replace(good, true) {
                            open.push((before, x, y));
                        }
                    }
                }
                work += 1;
                if work > MOST_WORK {
                    return None;
                }
            }
        }
        let is_useful = pairs.iter().any(|pair| pair.good.contains(&false));
        is_useful.then_some(Part { pairs, lost })
    }

    fn with(&self, other: &Part) -> Part {
        let pairs = self.pairs.iter().chain(&other.pairs).cloned().collect();
        Part { pairs, lost: self.lost.iter().zip(&other.lost).map(|(one, other)| one + other).collect() }
    }

    /// Returns the bound by these pairs; none if they break for nothing, or never.
    fn bound(&self, task: &Task) -> Option<Breakpoints> {
        let costs = task.operators.iter().map(|operator| u64::from(operator.cost));
        let ratios = self.lost.iter().map(|&lost| u64::from(lost)).zip(costs).filter(|&(lost, _)| lost > 0);
        let (lost, cost) = ratios.max_by(|(a, of), (b, per)| (a * per).cmp(&(b * of)))?;
        (cost > 0).then(|| Breakpoints { pairs: self.pairs.clone(), patterns: None, lost, cost })
    }
}

/// Returns the source of a variable's value after an operator; none if it is no copy.
fn copied(operator: &Operator, var: Var) -> Option<Copied<'_>> {
    match operator.effect(var) {
        None => Some(Copied { from: var, table: None }),
        Some(Source::Table(from, table)) => Some(Copied { from: *from, table: Some(table) }),
        Some(Source::Value(_)) => None,
    }
}

/// Returns the variables from which an operator copies the values of two variables, if it does.
fn sources(operator: &Operator, first: Var, second: Var) -> Option<(Var, Var)> {
    let (one, other) = (copied(operator, first)?, copied(operator, second)?);
    (one.from != other.from).then_some((one.from, other.from))
}

/// Returns whether an operator changes both variables or neither.
fn changes_alike(operator: &Operator, first: Var, second: Var) -> bool {
    operator.effect(first).is_some() == operator.effect(second).is_some()
}

/// Returns the components of pairs of variables that operators carry into each other. A pair that no operator carries
/// to another is left out.
fn components(task: &Task) -> Vec<Vec<(Var, Var)>> {
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let variables = task.variables.len();
    let number = |(first, second): (Var, Var)| first.min(second) * variables + first.max(second);
    let mut parent: Vec<usize> = (0..variables * variables).collect();
    let pairs = || (0..variables).flat_map(|first| (first + 1..variables).map(move |second| (first, second)));
    for operator in &task.operators {
        let is_copy = |effect: &&Effect| matches!(effect.source, Source::Table(..));
        let copies: Vec<Var> = operator.effects.iter().filter(is_copy).map(|effect| effect.target).collect();
        for (at, &first) in copies.iter().enumerate() {
            for &second in &copies[at + 1..] {
                if let Some(from) = sources(operator, first, second) {
                    let (one, other) = (root(&mut parent, number((first, second))), root(&mut parent, number(from)));
                    parent[one.max(other)] = one.min(other);
                }
            }
        }
    }
    let mut components = vec![Vec::new(); parent.len()];
    for pair in pairs() {
        components[root(&mut parent, number(pair))].push(pair);
    }
    components.into_iter().filter(|component| component.len() > 1).collect()
}
