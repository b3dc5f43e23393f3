//! Linear functions of a state: a weight for each fact, and what an operator changes of their sum.
//!
//! A fact is a variable with a value, and has a number. The weight of the first value of each variable is 0: that loses
//! nothing, since a variable has one value always. What an operator takes away from the sum is a sum over the variables
//! that it reads, each part a function of the old value of one variable; so its maximum, and whether it is always 0, can
//! be found for each part by itself (Pommerening, Helmert, Röger and Seipp, From non-negative to general operator cost
//! partitioning, AAAI 2015). That leaves out which old values go together: it may say more is lost than can be, never
//! less.

use crate::domain::BuildContext;
use crate::task::{Operator, Source, Task, Value, Values, Var};
use std::collections::BTreeMap;

/// A sum of facts, in their order, each with how often it is counted, which is not 0.
pub(super) type Form = Vec<(usize, i32)>;

/// The numbers of the facts of a task.
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

    /// The number of a fact.
    pub fn number(&self, var: Var, value: Value) -> usize {
        self.first[var] + usize::from(value)
    }

    /// The fact of a number.
    pub fn fact(&self, number: usize) -> (Var, Value) {
        let var = self.first.partition_point(|&first| first <= number) - 1;
        (var, (number - self.first[var]) as Value)
    }

    /// The fact as a sum: nothing for the first value of a variable.
    pub fn form(&self, var: Var, value: Value) -> Form {
        if value == 0 { Form::new() } else { vec![(self.number(var, value), 1)] }
    }

    /// A state as a sum.
    pub fn state(&self, state: &[Value]) -> Form {
        state.iter().enumerate().flat_map(|(var, &value)| self.form(var, value)).collect()
    }
}

/// The first sum, with the second added so many times.
pub(super) fn plus(first: &Form, times: i32, second: &Form) -> Form {
    let mut sum: BTreeMap<usize, i32> = first.iter().copied().collect();
    for &(fact, count) in second {
        *sum.entry(fact).or_default() += times * count;
    }
    sum.into_iter().filter(|&(_, count)| count != 0).collect()
}

/// What operators take away from any sum of weights, at most: the constant, and one of each part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Loss {
    pub constant: Form,
    /// Each has two forms at least.
    pub parts: Vec<Vec<Form>>,
}

/// What the operators of a task take away, each loss once, with the least cost; not of all operators where `context` end it.
pub(super) fn losses(task: &Task, facts: &Facts, context: &BuildContext) -> Vec<(Loss, u32)> {
    let mut least: BTreeMap<Loss, u32> = BTreeMap::new();
    for operator in task.operators.iter().take_while(|_| !context.should_stop()) {
        let cost = least.entry(loss(task, facts, operator)).or_insert(operator.cost);
        *cost = operator.cost.min(*cost);
    }
    least.into_iter().filter(|(loss, _)| !loss.constant.is_empty() || !loss.parts.is_empty()).collect()
}

fn loss(task: &Task, facts: &Facts, operator: &Operator) -> Loss {
    let mut read: Vec<Var> = operator.effects.iter().map(|effect| effect.target).collect();
    let mut loss = Loss { constant: Form::new(), parts: Vec::new() };
    for effect in &operator.effects {
        match &effect.source {
            Source::Value(value) => loss.constant = plus(&loss.constant, -1, &facts.form(effect.target, *value)),
            Source::Of(var, _) => read.push(*var),
        }
    }
    read.sort_unstable();
    read.dedup();
    for var in read {
        let allowed = task.allowed(operator, var);
        loss.add(allowed.iter().map(|value| lost_by(facts, operator, var, value)).collect());
    }
    loss.parts.sort_unstable();
    loss
}

/// What is lost for the old value of one variable.
fn lost_by(facts: &Facts, operator: &Operator, var: Var, value: Value) -> Form {
    let mut lost = if operator.effect(var).is_some() { facts.form(var, value) } else { Form::new() };
    for effect in &operator.effects {
        if let Source::Of(of, table) = &effect.source
            && *of == var
        {
            lost = plus(&lost, -1, &facts.form(effect.target, table[usize::from(value)]));
        }
    }
    lost
}

impl Loss {
    fn add(&mut self, mut part: Vec<Form>) {
        part.sort_unstable();
        part.dedup();
        match &part[..] {
            [always] => self.constant = plus(&self.constant, 1, always),
            _ => self.parts.push(part),
        }
    }
}

/// The values of each variable that a list of conditions leaves.
pub(super) fn left(task: &Task, conditions: &[(Var, Values)]) -> Vec<Values> {
    let mut left: Vec<Values> = (0..task.variables.len()).map(|var| Values::below(task.size(var))).collect();
    for (var, values) in conditions {
        left[*var] = left[*var].and(values);
    }
    left
}
