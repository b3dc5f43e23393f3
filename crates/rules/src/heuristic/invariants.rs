//! Sums that no move changes, and starts that they prove unsolvable.
//!
//! A sum of weights of facts over a field is an invariant if each operator takes nothing away from it, whatever the old
//! values are (see [`facts`](super::facts)). All of them are found by Gauss's elimination: they are the weights that are 0
//! on what operators take away. Over the field of two elements they are parities: the position classes of peg solitaire
//! (Reiss, Beiträge zur Theorie des Solitär-Spiels, 1857; de Bruijn, A solitaire game and its relation to a finite field,
//! 1972), and the quiet patterns of lights out (Anderson and Feil, Turning lights out with linear algebra, 1998). Where
//! the start differs from every goal in one of them, no goal can be reached. The arithmetic is exact, and the proof does
//! not need the invariants to be all there are.

mod field;

use super::facts::{Facts, Form, left, losses, plus};
use crate::domain::BuildContext;
use crate::lifting::Weighing;
use crate::task::{Count, Goal, Task, Value, Values, Var};
use field::{Span, Weights};
use std::collections::BTreeSet;

/// The fields that are tried: parities, thirds, and one that is as good as whole numbers.
const FIELDS: [u64; 3] = [2, 3, (1 << 31) - 1];

/// The most ways to satisfy the count of a goal that are looked at one by one.
const MOST_WAYS: usize = 4096;

/// More facts than this take too much memory.
const MOST_FACTS: usize = 2000;

/// A sum that every move keeps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Kept {
    /// What it is taken modulo; none for the sum itself.
    pub modulus: Option<u32>,
    /// By variable and value.
    pub weights: Weighing,
}

/// Sums that every move keeps, and of which one at least differs between the start and each goal, if there are such; none where `context` end it.
pub(in super::super) fn refuted(task: &Task, context: &BuildContext) -> Option<Vec<Kept>> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS || task.goals.is_empty() {
        return None;
    }
    let mut lost: BTreeSet<Form> = BTreeSet::new();
    for (loss, _) in losses(task, &facts, context) {
        let mut least = loss.constant;
        for part in &loss.parts {
            least = plus(&least, 1, &part[0]);
            lost.extend(part[1..].iter().map(|form| plus(form, -1, &part[0])));
        }
        lost.insert(least);
    }
    FIELDS.into_iter().find_map(|field| {
        let mut span = Span::new(field, facts.count);
        lost.iter().try_for_each(|form| if context.should_stop() { None } else { span.insert(form) })?;
        let mut kept = BTreeSet::new();
        for goal in &task.goals {
            kept.extend(refuted_goal(task, &facts, &span, goal)?);
        }
        Some(kept.into_iter().map(|form| named(task, &facts, field, &form, &lost)).collect())
    })
}

/// The weights of a form, as whole numbers where moves keep their sum so, too.
fn named(task: &Task, facts: &Facts, field: u64, form: &[(usize, u32)], lost: &BTreeSet<Form>) -> Kept {
    let mut weights: Weighing = (0..task.variables.len()).map(|var| vec![0; task.size(var)]).collect();
    let half = field / 2;
    for &(number, weight) in form {
        let (var, value) = facts.fact(number);
        let weight = u64::from(weight);
        weights[var][usize::from(value)] = if weight > half { weight as i64 - field as i64 } else { weight as i64 };
    }
    let sum = |form: &Form| -> i64 {
        let weight = |(var, value): (Var, Value)| weights[var][usize::from(value)];
        form.iter().map(|&(number, count)| weight(facts.fact(number)) * i64::from(count)).sum()
    };
    let is_whole = field > 3 && lost.iter().all(|form| sum(form) == 0);
    Kept { modulus: (!is_whole).then_some(field as u32), weights }
}

/// Sums that tell the start from all states of one of the goals: the facts with their weights.
fn refuted_goal(task: &Task, facts: &Facts, lost: &Span, goal: &Goal) -> Option<Vec<Vec<(usize, u32)>>> {
    let values = left(task, &goal.conditions);
    let count = goal.counts.iter().min_by_key(|count| ways(count));
    let count = count.filter(|count| ways(count) <= MOST_WAYS);
    let states = Ends::new(facts, &values, count);
    let mut span = lost.clone();
    states.free.iter().try_for_each(|form| span.insert(form))?;
    let weights = span.weights()?;
    let start = facts.state(&task.start);
    let mut differences: Vec<Vec<u32>> = Vec::new();
    for state in &states.states {
        let difference = weights.of(&plus(&start, -1, state));
        if difference.iter().all(|&sum| sum == 0) {
            return None;
        }
        differences.push(difference);
    }
    Some(telling(&weights, &differences).into_iter().map(|at| weights.form(at).collect()).collect())
}

/// The number of sets of facts with which a count holds, or more than are looked at.
fn ways(count: &Count) -> usize {
    let facts = count.of.len();
    let most = (count.most as usize).min(facts);
    let mut ways = 0_usize;
    let mut choices = 1_usize;
    for chosen in 0..=most {
        if chosen >= count.least as usize {
            ways = ways.saturating_add(choices);
        }
        choices = choices.saturating_mul(facts - chosen) / (chosen + 1);
        if choices > MOST_WAYS << 16 {
            return usize::MAX;
        }
    }
    ways
}

/// The states of a goal: some states, and what may be added to each.
struct Ends {
    states: Vec<Form>,
    free: Vec<Form>,
}

impl Ends {
    fn new(facts: &Facts, values: &[Values], count: Option<&Count>) -> Ends {
        let mut ends = Ends { states: vec![Form::new()], free: Vec::new() };
        // What holding a fact of the count adds, by the facts that may hold or not; and how many hold in any case.
        let mut adds: Vec<Form> = Vec::new();
        let mut always = 0;
        for (var, values) in values.iter().enumerate() {
            let counted = count.and_then(|count| count.of.iter().find(|(of, _)| *of == var));
            let inside = counted.map_or(Values::NONE, |(_, counted)| values.and(counted));
            let outside = values.without(&inside);
            let out = ends.any_of(facts, var, &outside);
            let within = ends.any_of(facts, var, &inside);
            let (first, add) = match (out, within) {
                (Some(out), Some(within)) => {
                    let add = plus(&within, -1, &out);
                    (out, Some(add))
                }
                (Some(out), None) => (out, None),
                (None, Some(within)) => {
                    always += 1;
                    (within, None)
                }
                // No state is a goal.
                (None, None) => return Ends { states: Vec::new(), free: Vec::new() },
            };
            ends.states[0] = plus(&ends.states[0], 1, &first);
            adds.extend(add);
        }
        if let Some(count) = count {
            let least = (count.least as usize).saturating_sub(always);
            let most = (count.most as usize).checked_sub(always);
            let first = ends.states.remove(0);
            if let Some(most) = most {
                choose(&adds, least, most, first, &mut ends.states);
            }
        }
        ends
    }

    /// The first of some values of a variable, any other of which may be in its place.
    fn any_of(&mut self, facts: &Facts, var: Var, values: &Values) -> Option<Form> {
        let first = facts.form(var, values.iter().next()?);
        let others = values.iter().skip(1).map(|value| plus(&facts.form(var, value), -1, &first));
        self.free.extend(others);
        Some(first)
    }
}

/// All sums of a form and from `least` to `most` others.
fn choose(others: &[Form], least: usize, most: usize, sum: Form, all: &mut Vec<Form>) {
    if others.len() < least {
        return;
    }
    match others {
        [first, rest @ ..] if most > 0 => {
            choose(rest, least.saturating_sub(1), most - 1, plus(&sum, 1, first), all);
            choose(rest, least, most, sum, all);
        }
        _ if least == 0 => all.push(sum),
        _ => {}
    }
}

/// Some of the weights of which one at least tells the start from each state: those that tell it from the most states that
/// are left come first.
fn telling(weights: &Weights, differences: &[Vec<u32>]) -> Vec<usize> {
    let mut open: Vec<&Vec<u32>> = differences.iter().collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let tells = |at: usize| open.iter().filter(|difference| difference[at] != 0).count();
        let best = (0..weights.count()).max_by_key(|&at| (tells(at), usize::MAX - at)).unwrap_or(0);
        open.retain(|difference| difference[best] == 0);
        chosen.push(best);
    }
    chosen
}
