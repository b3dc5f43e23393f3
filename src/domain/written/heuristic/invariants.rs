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
use crate::domain::Means;
use crate::domain::written::task::{Count, Goal, Task, Values, Var};
use field::{Span, Weights};
use std::collections::BTreeSet;

/// The fields that are tried: parities, thirds, and one that is as good as whole numbers.
const FIELDS: [u64; 3] = [2, 3, (1 << 31) - 1];

/// The most ways to satisfy the count of a goal that are looked at one by one.
const MOST_WAYS: usize = 4096;

/// More facts than this take too much memory.
const MOST_FACTS: usize = 2000;

/// How many names are told before the rest is counted.
const NAMES: usize = 6;

/// Why the start of a task cannot lead to a goal, for people, if an invariant says so; none where `means` end it.
pub(in super::super) fn refuted(task: &Task, means: &Means) -> Option<String> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS {
        return None;
    }
    let mut lost: BTreeSet<Form> = BTreeSet::new();
    for (loss, _) in losses(task, &facts, means) {
        let mut least = loss.constant;
        for part in &loss.parts {
            least = plus(&least, 1, &part[0]);
            lost.extend(part[1..].iter().map(|form| plus(form, -1, &part[0])));
        }
        lost.insert(least);
    }
    FIELDS.into_iter().find_map(|field| {
        let mut span = Span::new(field, facts.count);
        lost.iter().try_for_each(|form| if means.is_over() { None } else { span.insert(form) })?;
        let reasons: Option<Vec<String>> =
            task.goals.iter().map(|goal| refuted_goal(task, &facts, &span, goal)).collect();
        let reasons: BTreeSet<String> = reasons?.into_iter().collect();
        let mut reasons = reasons.into_iter();
        let first = reasons.next()?;
        Some(if reasons.next().is_some() { format!("{first}; for the other goals alike") } else { first })
    })
}

/// Why the start cannot lead to one of the goals.
fn refuted_goal(task: &Task, facts: &Facts, lost: &Span, goal: &Goal) -> Option<String> {
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
    Some(reason(task, facts, &weights, &differences))
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

/// Says which invariants tell the start from the goals.
fn reason(task: &Task, facts: &Facts, weights: &Weights, differences: &[Vec<u32>]) -> String {
    // Those that tell it from the most goals that are left come first.
    let mut open: Vec<&Vec<u32>> = differences.iter().collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let tells = |at: usize| open.iter().filter(|difference| difference[at] != 0).count();
        let best = (0..weights.count()).max_by_key(|&at| (tells(at), usize::MAX - at)).unwrap_or(0);
        open.retain(|difference| difference[best] == 0);
        chosen.push(best);
    }
    let start = facts.state(&task.start);
    let sums = weights.of(&start);
    let said: Vec<String> = chosen
        .iter()
        .map(|&at| format!("{} {}", what(task, facts, weights, at), is(weights.field, sums[at])))
        .collect();
    match &said[..] {
        [] => "no state is a goal".to_owned(),
        [one] => format!("{one} at the start; no move changes that, and it is otherwise in every goal"),
        _ => format!("no move changes what is so at the start, and in no goal all of it is so: {}", said.join("; ")),
    }
}

/// What an invariant is of.
fn what(task: &Task, facts: &Facts, weights: &Weights, at: usize) -> String {
    let counted = weights.form(at).map(|(number, weight)| (facts.fact(number), weight)).collect::<Vec<_>>();
    let name = |var: Var, value: u8| &task.variables[var].values[usize::from(value)];
    let ((var, value), weight) = counted[0];
    let alike = counted.iter().all(|&((v, x), w)| name(v, x) == name(var, value) && w == weight);
    let of = |&((v, x), _): &((Var, u8), u32)| {
        if alike { task.variables[v].name.clone() } else { format!("`{}` on {}", name(v, x), task.variables[v].name) }
    };
    let mut names: Vec<String> = counted.iter().take(NAMES).map(of).collect();
    if counted.len() > NAMES {
        names.push(format!("{} more", counted.len() - NAMES));
    }
    let last = names.pop().unwrap_or_default();
    let names = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    match (alike, weights.field) {
        (true, _) => format!("the number of `{}` on {names}", name(var, value)),
        (false, 2) => format!("the number of those that hold of {names}"),
        (false, _) => format!("a weighted sum over {names}"),
    }
}

fn is(field: u64, sum: u32) -> String {
    match (field, sum) {
        (2, 0) => "is even".to_owned(),
        (2, _) => "is odd".to_owned(),
        (3, 0) => "can be divided by 3".to_owned(),
        (3, left) => format!("leaves {left} when it is divided by 3"),
        _ => "has some value".to_owned(),
    }
}
