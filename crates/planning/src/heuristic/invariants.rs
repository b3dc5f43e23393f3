//! Linear invariants, and starts that they prove unsolvable.
//!
//! A weighted sum of facts over a field is an invariant if no operator changes it, whatever the old values are (see
//! [`facts`](super::facts)). Gaussian elimination finds all of them: the weights that are orthogonal to all losses.
//! Over the field of two elements they are parities. Examples are the position classes of peg solitaire (Reiss,
//! Beiträge zur Theorie des Solitär-Spiels, 1857; de Bruijn, A solitaire game and its relation to a finite field,
//! 1972), and the quiet patterns of Lights Out (Anderson and Feil, Turning lights out with linear algebra, 1998). If
//! the start and every goal differ in an invariant, no goal is reachable. The arithmetic is exact. The proof does not
//! need the invariants to be complete.

mod field;

use super::facts::{Facts, Form, add_multiple, losses, remaining_values};
use crate::search::BuildContext;
use crate::task::lifting::FactWeights;
use crate::task::sorted::sorted;
use crate::task::{Count, Goal, Task, Value, Values, Var};
use field::{RowSpace, Weights};

/// The fields to try: parities, residues modulo 3, and a large prime that serves for whole numbers.
const FIELDS: [u64; 3] = [2, 3, (1 << 31) - 1];

/// The greatest number of choices of facts for a goal's count that the search enumerates.
const MOST_CHOICES: usize = 4096;

/// More facts take too much memory.
const MOST_FACTS: usize = 2000;

/// A sum that no move changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Invariant {
    /// The modulus of the sum; `None` for a sum of whole numbers.
    pub modulus: Option<u32>,
    /// The weight of each value of each variable.
    pub weights: FactWeights,
}

/// Returns sums that every move keeps, such that the start and each goal differ in at least one of them; `None` if
/// there are none, or a limit ends the work.
pub(crate) fn refuting_invariants(task: &Task, context: &BuildContext) -> Option<Vec<Invariant>> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS || task.goals.is_empty() {
        return None;
    }
    let mut lost: Vec<Form> = Vec::new();
    for (loss, _) in losses(task, &facts, context) {
        let mut least = loss.constant;
        for part in &loss.parts {
            least = add_multiple(&least, 1, &part[0]);
            lost.extend(part[1..].iter().map(|form| add_multiple(form, -1, &part[0])));
        }
        lost.push(least);
    }
    let lost = sorted(lost);
    FIELDS.into_iter().find_map(|field| {
        let mut row_space = RowSpace::new(field, facts.count);
        lost.iter().try_for_each(|form| if context.should_stop() { None } else { row_space.insert(form) })?;
        let mut forms = Vec::new();
        for goal in &task.goals {
            forms.extend(separating_forms(task, &facts, &row_space, goal)?);
        }
        Some(sorted(forms).into_iter().map(|form| to_invariant(task, &facts, field, &form, &lost)).collect())
    })
}

/// Converts a linear form to an invariant: over the whole numbers if no move changes that sum either.
fn to_invariant(task: &Task, facts: &Facts, field: u64, form: &[(usize, u32)], lost: &[Form]) -> Invariant {
    let mut weights: FactWeights = (0..task.variables.len()).map(|var| vec![0; task.size(var)]).collect();
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
    Invariant { modulus: (!is_whole).then_some(field as u32), weights }
}

/// Returns forms of which at least one differs between the start and each state of a goal.
fn separating_forms(task: &Task, facts: &Facts, lost: &RowSpace, goal: &Goal) -> Option<Vec<Vec<(usize, u32)>>> {
    let values = remaining_values(task, &goal.conditions);
    let count = goal.counts.iter().min_by_key(|count| count_choices(count));
    let count = count.filter(|count| count_choices(count) <= MOST_CHOICES);
    let states = GoalStates::new(facts, &values, count);
    let mut row_space = lost.clone();
    states.free.iter().try_for_each(|form| row_space.insert(form))?;
    let weights = row_space.weights()?;
    let start = facts.state(&task.start);
    let mut differences: Vec<Vec<u32>> = Vec::new();
    for state in &states.states {
        let difference = weights.evaluate(&add_multiple(&start, -1, state));
        if difference.iter().all(|&sum| sum == 0) {
            return None;
        }
        differences.push(difference);
    }
    Some(separating_weights(&weights, &differences).into_iter().map(|at| weights.form(at).collect()).collect())
}

/// Returns the number of sets of facts that satisfy a count, `usize::MAX` if there are far too many.
fn count_choices(count: &Count) -> usize {
    let facts = count.of.len();
    let most = (count.most as usize).min(facts);
    let mut total = 0_usize;
    let mut choices = 1_usize;
    for chosen in 0..=most {
        if chosen >= count.least as usize {
            total = total.saturating_add(choices);
        }
        choices = choices.saturating_mul(facts - chosen) / (chosen + 1);
        if choices > MOST_CHOICES << 16 {
            return usize::MAX;
        }
    }
    total
}

/// The states of a goal: some states, and forms that may be added freely.
struct GoalStates {
    states: Vec<Form>,
    free: Vec<Form>,
}

impl GoalStates {
    fn new(facts: &Facts, values: &[Values], count: Option<&Count>) -> GoalStates {
        let mut goal_states = GoalStates { states: vec![Form::new()], free: Vec::new() };
        // For each variable that may or may not be counted, the change of the sum if it is; and the number always
        // counted.
        let mut adds: Vec<Form> = Vec::new();
        let mut always = 0;
        for (var, values) in values.iter().enumerate() {
            let counted = count.and_then(|count| count.of.iter().find(|(of, _)| *of == var));
            let inside = counted.map_or(Values::NONE, |(_, counted)| values.and(counted));
            let outside = values.without(&inside);
            let out = goal_states.any_of(facts, var, &outside);
            let within = goal_states.any_of(facts, var, &inside);
            let (first, add) = match (out, within) {
                (Some(out), Some(within)) => {
                    let add = add_multiple(&within, -1, &out);
                    (out, Some(add))
                }
                (Some(out), None) => (out, None),
                (None, Some(within)) => {
                    always += 1;
                    (within, None)
                }
                // No state is a goal.
                (None, None) => return GoalStates { states: Vec::new(), free: Vec::new() },
            };
            goal_states.states[0] = add_multiple(&goal_states.states[0], 1, &first);
            adds.extend(add);
        }
        if let Some(count) = count {
            let least = (count.least as usize).saturating_sub(always);
            let most = (count.most as usize).checked_sub(always);
            let first = goal_states.states.remove(0);
            if let Some(most) = most {
                choose(&adds, least, most, first, &mut goal_states.states);
            }
        }
        goal_states
    }

    /// Returns the form of a variable's first allowed value; differences to its other values are added to `free`.
    fn any_of(&mut self, facts: &Facts, var: Var, values: &Values) -> Option<Form> {
        let first = facts.form(var, values.iter().next()?);
        let others = values.iter().skip(1).map(|value| add_multiple(&facts.form(var, value), -1, &first));
        self.free.extend(others);
        Some(first)
    }
}

/// Collects all sums of a form and `least` to `most` others.
fn choose(others: &[Form], least: usize, most: usize, sum: Form, all: &mut Vec<Form>) {
    if others.len() < least {
        return;
    }
    match others {
        [first, rest @ ..] if most > 0 => {
            choose(rest, least.saturating_sub(1), most - 1, add_multiple(&sum, 1, first), all);
            choose(rest, least, most, sum, all);
        }
        _ if least == 0 => all.push(sum),
        _ => {}
    }
}

/// Returns indices of weights of which at least one is non-zero in each difference. A greedy set cover: the weight that
/// separates the start from most remaining states comes first.
fn separating_weights(weights: &Weights, differences: &[Vec<u32>]) -> Vec<usize> {
    let mut open: Vec<&Vec<u32>> = differences.iter().collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let separated = |at: usize| open.iter().filter(|difference| difference[at] != 0).count();
        let best = (0..weights.count()).max_by_key(|&at| (separated(at), usize::MAX - at)).unwrap_or(0);
        open.retain(|difference| difference[best] == 0);
        chosen.push(best);
    }
    chosen
}
