//! Facts that hold together: while a variable has one value, another has a certain one.
//!
//! A place variable's value is a cell, and while the symbol stands there, the cell holds one certain value. This is an
//! invariant that conditions do not show, since [`reduce`](crate::reduce) drops them. It is found again here by induction:
//! it holds at the start, and no operator breaks it.

use crate::task::{Operator, Source, Task, Value, Values, Var};

/// For each value of each variable, the facts that hold with it.
pub(in crate::heuristic) struct Companions(Vec<Vec<Vec<(Var, Value)>>>);

impl Companions {
    /// Finds the companions of one variable's values, among the variables that have the names of these values.
    pub fn of_places(task: &Task, var: Option<Var>) -> Companions {
        let mut all: Vec<Vec<Vec<(Var, Value)>>> =
            task.variables.iter().map(|variable| vec![Vec::new(); variable.values.len()]).collect();
        let Some(var) = var else { return Companions(all) };
        let by_name: std::collections::HashMap<&str, Var> =
            (0..).zip(&task.variables).map(|(number, variable)| (variable.name.as_str(), number)).collect();
        for (value, name) in (0..).zip(&task.variables[var].values) {
            let Some(&cell) = by_name.get(name.as_str()).filter(|&&cell| cell != var) else { continue };
            let held = (0..task.size(cell)).map(|held| held as Value);
            let invariant = held.into_iter().find(|&held| holds_together(task, (var, value), (cell, held)));
            all[var][usize::from(value)].extend(invariant.map(|held| (cell, held)));
        }
        Companions(all)
    }

    /// Returns the facts that hold while a variable has a value.
    pub fn of(&self, var: Var, value: Value) -> &[(Var, Value)] {
        &self.0[var][usize::from(value)]
    }
}

/// Returns whether in all reachable states the second fact holds if the first does.
fn holds_together(task: &Task, (var, value): (Var, Value), (cell, held): (Var, Value)) -> bool {
    let may_give = |operator: &Operator, of: Var, wanted: &Values| match operator.effect(of) {
        None => !task.allowed(operator, of).and(wanted).is_empty(),
        Some(Source::Value(given)) => wanted.contains(*given),
        Some(Source::Table(from, table)) => {
            task.allowed(operator, *from).iter().any(|old| wanted.contains(table[usize::from(old)]))
        }
    };
    let others = Values::below(task.size(cell)).without(&Values::one(held));
    let keeps = |operator: &Operator| {
        let first_after = may_give(operator, var, &Values::one(value));
        if !first_after || !may_give(operator, cell, &others) {
            return true;
        }
        // Neither is changed, and the invariant held before.
        let was = operator.effect(var).is_none();
        was && operator.effect(cell).is_none()
    };
    let at_start = task.start[var] != value || task.start[cell] == held;
    at_start && task.operators.iter().all(keeps)
}
