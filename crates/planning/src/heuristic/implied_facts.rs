//! Facts that hold together: while a variable has one value, another has a certain one.
//!
//! A place variable's value is a cell, and while the symbol stands there, the cell holds one certain value. This is an
//! invariant that conditions do not show, since [`reduce`](crate::analysis::reduce) drops them. It is found again here by
//! induction: it holds at the start, and no operator breaks it.

use crate::task::{Operator, Source, Task, Value, Values, Var};

/// For each value of each variable, the facts that hold with it.
pub(in crate::heuristic) struct ImpliedFacts(Vec<Vec<Vec<(Var, Value)>>>);

impl ImpliedFacts {
    /// Finds the facts implied by one variable's values, among the variables that have the names of these values.
    pub fn of_places(task: &Task, var: Option<Var>) -> ImpliedFacts {
        let mut all: Vec<Vec<Vec<(Var, Value)>>> =
            task.variables.iter().map(|variable| vec![Vec::new(); variable.values.len()]).collect();
        let Some(var) = var else { return ImpliedFacts(all) };
        let by_name: std::collections::HashMap<&str, Var> =
            (0..).zip(&task.variables).map(|(number, variable)| (variable.name.as_str(), number)).collect();
        let changing = Changing::new(task, var);
        for (value, name) in (0..).zip(&*task.variables[var].values) {
            let Some(&cell) = by_name.get(name.as_str()).filter(|&&cell| cell != var) else { continue };
            let held = (0..task.size(cell)).map(|held| held as Value);
            let invariant = held.into_iter().find(|&held| changing.hold_together(task, (var, value), (cell, held)));
            all[var][usize::from(value)].extend(invariant.map(|held| (cell, held)));
        }
        ImpliedFacts(all)
    }

    /// Returns the facts that hold while a variable has a value.
    pub fn of(&self, var: Var, value: Value) -> &[(Var, Value)] {
        &self.0[var][usize::from(value)]
    }
}

/// The operators that may break an invariant of a variable, so that each value is compared with few of them.
struct Changing {
    /// Those that give the variable a value, by the value, and those that look its new value up.
    giving: Vec<Vec<u32>>,
    looking_up: Vec<u32>,
    /// Those that change another variable and not this.
    changing: Vec<Vec<u32>>,
}

impl Changing {
    fn new(task: &Task, var: Var) -> Changing {
        let mut all = Changing {
            giving: vec![Vec::new(); task.size(var)],
            looking_up: Vec::new(),
            changing: vec![Vec::new(); task.variables.len()],
        };
        for (number, operator) in (0..).zip(&task.operators) {
            match operator.effect(var) {
                Some(Source::Value(value)) => all.giving[usize::from(*value)].push(number),
                Some(Source::Table(..)) => all.looking_up.push(number),
                None => operator.changed().for_each(|target| all.changing[target].push(number)),
            }
        }
        all
    }

    /// Returns whether in all reachable states the second fact holds if the first does.
    fn hold_together(&self, task: &Task, first: (Var, Value), second: (Var, Value)) -> bool {
        let (giving, changing) = (&self.giving[usize::from(first.1)], &self.changing[second.0]);
        let numbers = giving.iter().chain(&self.looking_up).chain(changing);
        let operators: Vec<&Operator> = numbers.map(|&number| &task.operators[number as usize]).collect();
        hold_together(task, &operators, first, second)
    }
}

/// Returns whether the second fact holds whenever the first does, given the operators that may change that.
fn hold_together(task: &Task, operators: &[&Operator], (var, value): (Var, Value), (cell, held): (Var, Value)) -> bool {
    let others = Values::below(task.size(cell)).without(&Values::one(held));
    let keeps = |operator: &&Operator| {
        let first_after = task.may_have_after(operator, var, &Values::one(value));
        if !first_after || !task.may_have_after(operator, cell, &others) {
            return true;
        }
        // Neither is changed, and the invariant held before.
        let was = operator.effect(var).is_none();
        was && operator.effect(cell).is_none()
    };
    let at_start = task.start[var] != value || task.start[cell] == held;
    at_start && operators.iter().all(keeps)
}
