//! Linear functions of a state: a weight for each fact, and the largest decrease that an operator can cause.
//!
//! A fact is a variable with a value, and has a number. The first value of each variable has weight 0, without loss of
//! generality, since each variable has exactly one value. The loss of an operator (how much it lowers the sum) is a sum
//! over the variables that it reads. Each part is a function of one variable's old value. So its maximum, and whether
//! it is always 0, can be found part by part (Pommerening, Helmert, Röger and Seipp, From non-negative to general
//! operator cost partitioning, AAAI 2015). This ignores which old values occur together, so it may overestimate a loss
//! but never underestimates it.

use crate::search::BuildContext;
use crate::task::{Operator, Task, Value, Values, Var};

/// A linear form: facts in ascending order, each with its coefficient, which is not 0.
pub type Form = Vec<(usize, i32)>;

/// The numbering of the facts of a task.
pub(super) struct Facts {
    first: Vec<usize>,
    pub count: usize,
}

impl Facts {
    pub fn new(task: &Task) -> Facts {
        let mut count = 0;
        let first = (0..task.variables.len())
            .map(|var| {
                count += task.size(var);
                count - task.size(var)
            })
            .collect();
        Facts { first, count }
    }

    /// Returns the number of a fact.
    pub fn number(&self, var: Var, value: Value) -> usize {
        self.first[var] + usize::from(value)
    }

    /// Returns the fact with a number.
    pub fn fact(&self, number: usize) -> (Var, Value) {
        let var = self.first.partition_point(|&first| first <= number) - 1;
        (var, (number - self.first[var]) as Value)
    }

    /// Returns a fact as a linear form, empty for the first value of a variable.
    pub fn form(&self, var: Var, value: Value) -> Form {
        if value == 0 { Form::new() } else { vec![(self.number(var, value), 1)] }
    }

    /// Returns the linear form of a state.
    pub fn state(&self, state: &[Value]) -> Form {
        state.iter().enumerate().flat_map(|(var, &value)| self.form(var, value)).collect()
    }
}

/// Returns `first + times · second`.
pub(super) fn add_multiple(first: &Form, times: i32, second: &Form) -> Form {
    let mut sum = Form::new();
    let mut rest = first.iter().copied().peekable();
    for &(fact, count) in second {
        sum.extend(std::iter::from_fn(|| rest.next_if(|&(before, _)| before < fact)));
        let known = rest.next_if(|&(same, _)| same == fact).map_or(0, |(_, known)| known);
        sum.push((fact, known + times * count));
    }
    sum.extend(rest);
    sum.retain(|&(_, count)| count != 0);
    sum
}

/// The loss of an operator for any weights: at most the constant plus the maximum of each part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    pub constant: Form,
    /// Each part has at least two forms.
    pub parts: Vec<Vec<Form>>,
}

/// Returns the facts that the operators of a task delete, each loss once, with its least cost. The list is incomplete
/// if `context` ends the computation.
pub(super) fn losses(task: &Task, facts: &Facts, context: &BuildContext) -> Vec<(Loss, u32)> {
    let operators = task.operators.iter().take_while(|_| !context.should_stop());
    let losses = operators.map(|operator| (loss(task, facts, operator), operator.cost));
    cheapest(losses.filter(|(loss, _)| !loss.constant.is_empty() || !loss.parts.is_empty()).collect())
}

/// Returns each key once, in ascending order, with its least cost.
pub(super) fn cheapest<T: Ord>(mut costs: Vec<(T, u32)>) -> Vec<(T, u32)> {
    costs.sort_unstable();
    costs.dedup_by(|next, kept| next.0 == kept.0);
    costs
}

pub(super) fn loss(task: &Task, facts: &Facts, operator: &Operator) -> Loss {
    let mut loss = Loss { constant: Form::new(), parts: Vec::new() };
    for (target, value) in operator.constants() {
        loss.constant = add_multiple(&loss.constant, -1, &facts.form(target, value));
    }
    for var in operator.touched() {
        let allowed = task.allowed(operator, var);
        loss.add(allowed.iter().map(|value| lost_by(facts, operator, var, value)).collect());
    }
    loss.parts.sort_unstable();
    loss
}

/// Returns the part of the loss that depends on one variable, for one old value.
fn lost_by(facts: &Facts, operator: &Operator, var: Var, value: Value) -> Form {
    let own = if operator.effect(var).is_some() { facts.form(var, value) } else { Form::new() };
    operator.looked_up(var, value).fold(own, |lost, (target, new)| add_multiple(&lost, -1, &facts.form(target, new)))
}

impl Loss {
    fn add(&mut self, mut part: Vec<Form>) {
        part.sort_unstable();
        part.dedup();
        match &part[..] {
            [always] => self.constant = add_multiple(&self.constant, 1, always),
            _ => self.parts.push(part),
        }
    }
}

/// Returns the values that conditions leave to each variable.
pub(crate) fn remaining_values(task: &Task, conditions: &[(Var, Values)]) -> Vec<Values> {
    let mut left: Vec<Values> = (0..task.variables.len()).map(|var| Values::below(task.size(var))).collect();
    for (var, values) in conditions {
        left[*var] = left[*var].and(values);
    }
    left
}

/// Returns the value of a linear form.
pub(super) fn sum(weights: &[i32], form: &Form) -> i64 {
    form.iter().map(|&(fact, count)| i64::from(weights[fact]) * i64::from(count)).sum()
}
