//! What of a task can matter: values that can be reached, variables that can change, and symbols that are one of a kind.
//!
//! - Values are reached from the start as if nothing were ever lost (the relaxation of Bonet and Geffner 2001); operators
//!   that need others can never be made, and variables of one value say nothing.
//! - A symbol that stands on exactly one cell, which every operator keeps so, becomes a variable of its own: the place
//!   where it stands (a mutex group of one, as in Helmert 2009). Its cells then hold what would be there without it. So
//!   positions take fewer bits, and the moves of a walker are found by where he is.

use super::inverse::inverses;
use super::lifting::{Lifting, Placed};
use super::task::{Condition, Count, Effect, Either, Goal, Operator, Source, Task, Value, Values, Var, Variable};
use crate::domain::BuildContext;
use std::sync::Arc;

/// A smaller task that is as hard as the one it was made of: states correspond one to one, as far as they can be reached.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    pub task: Arc<Task>,
    /// The operator of the whole task that each operator is.
    pub origin: Vec<u32>,
    /// How many values each variable of the whole task can have.
    pub reached: Vec<usize>,
    /// For each operator the first that takes it back; none where no operator does so in every state.
    pub inverse: Vec<Option<u32>>,
    /// The task with all variables, but without what can never be reached.
    pub narrowed: Arc<Task>,
    /// The way back to the facts of the whole task.
    pub lifting: Arc<Lifting>,
}

/// Reduces a task whose first variables are the cells of a grid. Where `context` end it, the result means nothing.
pub(super) fn reduce(task: &Task, cells: usize, context: &BuildContext) -> Reduced {
    let reached = reached(task, context);
    let mut reduced = Reduced {
        task: Arc::new(task.clone()),
        origin: (0..task.operators.len() as u32).collect(),
        reached: reached.iter().map(Values::len).collect(),
        inverse: Vec::new(),
        narrowed: Arc::default(),
        lifting: Arc::default(),
    };
    reduced.drop_unreachable(&reached);
    reduced.narrowed = Arc::clone(&reduced.task);
    let mut lifting = Lifting {
        variables: task.variables.clone(),
        reached: reached.clone(),
        start: task.start.clone(),
        cells,
        ..Lifting::default()
    };
    // Before a symbol becomes a place: then conditions say what was on its cells.
    let actions = reduced.origin.clone();
    let taken_back: Vec<Option<u32>> =
        inverses(&reduced.task, context).into_iter().map(|other| other.map(|other| actions[other as usize])).collect();
    let mut reached = reached;
    for symbol in 0..if cells > 0 { task.size(0) } else { 0 } {
        if let Some((task, placed)) = place(&reduced.task, &reached, cells, symbol as Value, context) {
            reached = self::reached(&task, context);
            reduced.task = Arc::new(task);
            lifting.placings.push(placed);
        }
    }
    lifting.origin = reduced.renumber(context);
    reduced.lifting = Arc::new(lifting);
    let number = |action: u32| reduced.origin.binary_search(&action).ok().map(|number| number as u32);
    let inverse = |action: &u32| number(taken_back[actions.binary_search(action).ok()?]?);
    reduced.inverse = reduced.origin.iter().map(inverse).collect();
    reduced
}

/// The values of each variable that can be reached if nothing is ever lost.
pub(super) fn reached(task: &Task, context: &BuildContext) -> Vec<Values> {
    let mut reached: Vec<Values> = task.start.iter().map(|&value| Values::one(value)).collect();
    loop {
        let before = reached.clone();
        for operator in &task.operators {
            let can_hold =
                |all: &Vec<Condition>| all.iter().all(|(var, values)| !values.and(&reached[*var]).is_empty());
            if !can_hold(&operator.conditions) || !operator.either.iter().all(|any| any.iter().any(can_hold)) {
                continue;
            }
            for effect in &operator.effects {
                match &effect.source {
                    Source::Value(value) => reached[effect.target].insert(*value),
                    Source::Of(var, table) => {
                        let from = task.allowed(operator, *var).and(&reached[*var]);
                        from.iter().for_each(|value| reached[effect.target].insert(table[usize::from(value)]));
                    }
                }
            }
        }
        if reached == before || context.should_stop() {
            return reached;
        }
    }
}

/// Narrows conditions to what can be reached; none if they cannot hold.
fn narrowed(conditions: &[Condition], reached: &[Values]) -> Option<Vec<Condition>> {
    let mut narrow = Vec::new();
    for (var, values) in conditions {
        let values = values.and(&reached[*var]);
        if values.is_empty() {
            return None;
        }
        if values != reached[*var] {
            narrow.push((*var, values));
        }
    }
    Some(narrow)
}

/// Narrows alternatives to what can be reached, without those that always hold; none if they cannot hold.
fn narrowed_either(either: &[Either], reached: &[Values]) -> Option<Vec<Either>> {
    let mut narrow = Vec::new();
    for any in either {
        let any: Either = any.iter().filter_map(|all| narrowed(all, reached)).collect();
        match any.iter().any(Vec::is_empty) {
            true => {}
            false if any.is_empty() => return None,
            false => narrow.push(any),
        }
    }
    Some(narrow)
}

/// An effect, by its value where conditions that became narrower leave one alone to be read.
fn settled(effect: &Effect, conditions: &[Condition], reached: &[Values]) -> Effect {
    let source = match &effect.source {
        Source::Of(var, table) => {
            let narrow = conditions.iter().find(|(narrow, _)| narrow == var);
            let only = narrow.map_or(reached[*var], |&(_, values)| values).only();
            only.map_or_else(|| effect.source.clone(), |value| Source::Value(table[usize::from(value)]))
        }
        Source::Value(value) => Source::Value(*value),
    };
    Effect { target: effect.target, source }
}

impl Reduced {
    /// Narrows all conditions to values that can be reached, and drops operators that can never be made or do nothing.
    fn drop_unreachable(&mut self, reached: &[Values]) {
        let task = Arc::make_mut(&mut self.task);
        let mut origin = Vec::new();
        let mut operators = Vec::new();
        for (operator, &from) in task.operators.iter().zip(&self.origin) {
            let Some(conditions) = narrowed(&operator.conditions, reached) else { continue };
            let Some(either) = narrowed_either(&operator.either, reached) else { continue };
            let changes = operator.effects.iter().filter(|effect| reached[effect.target].len() > 1);
            let effects: Vec<Effect> = changes.map(|effect| settled(effect, &conditions, reached)).collect();
            if !effects.is_empty() {
                operators.push(Operator { conditions, either, effects, ..*operator });
                origin.push(from);
            }
        }
        task.operators = operators;
        self.origin = origin;
        task.never = task.never.iter().filter_map(|never| narrowed(never, reached)).collect();
        let goal = |goal: &Goal| {
            let count = |count: &Count| {
                let of = count.of.iter().map(|(var, values)| (*var, values.and(&reached[*var]), reached[*var]));
                let of: Vec<(Var, Values, Values)> = of.filter(|(_, values, _)| !values.is_empty()).collect();
                // Facts that always hold are taken off the numbers.
                let fixed = of.iter().filter(|(_, values, all)| values == all).count() as u32;
                let of = of.into_iter().filter(|(_, values, all)| values != all).map(|(var, values, _)| (var, values));
                Some(Count {
                    of: of.collect(),
                    least: count.least.saturating_sub(fixed),
                    most: count.most.checked_sub(fixed)?,
                })
            };
            let counts = goal.counts.iter().map(count).collect::<Option<Vec<_>>>()?;
            let counts =
                counts.into_iter().filter(|count| count.least > 0 || (count.most as usize) < count.of.len()).collect();
            let either = narrowed_either(&goal.either, reached)?;
            Some(Goal { conditions: narrowed(&goal.conditions, reached)?, counts, either })
        };
        task.goals = task.goals.iter().filter_map(goal).collect();
        task.goals.retain(|goal| goal.counts.iter().all(|count| count.least as usize <= count.of.len()));
    }

    /// Drops variables that never change, and numbers the values that can be reached anew. Returns the variable that each
    /// one was, with its values.
    fn renumber(&mut self, context: &BuildContext) -> Vec<(Var, Vec<Value>)> {
        let reached = reached(&self.task, context);
        self.drop_unreachable(&reached);
        let task = &self.task;
        let kept: Vec<Var> = (0..reached.len()).filter(|&var| reached[var].len() > 1).collect();
        let mut new_var = vec![usize::MAX; reached.len()];
        kept.iter().enumerate().for_each(|(new, &old)| new_var[old] = new);
        let rank = |var: Var, value: Value| reached[var].iter().position(|known| known == value).unwrap_or(0) as Value;
        let condition =
            |(var, values): &Condition| (new_var[*var], values.iter().map(|value| rank(*var, value)).collect());
        let effect = |effect: &Effect| {
            let source = match &effect.source {
                Source::Value(value) => Source::Value(rank(effect.target, *value)),
                Source::Of(var, table) => {
                    let known = reached[*var].iter().map(|value| rank(effect.target, table[usize::from(value)]));
                    Source::Of(new_var[*var], known.collect())
                }
            };
            Effect { target: new_var[effect.target], source }
        };
        let either = |any: &Either| any.iter().map(|all| all.iter().map(condition).collect()).collect();
        let operator = |operator: &Operator| Operator {
            cost: operator.cost,
            conditions: operator.conditions.iter().map(condition).collect(),
            either: operator.either.iter().map(either).collect(),
            effects: operator.effects.iter().map(effect).collect(),
            action: operator.action,
        };
        let count = |count: &Count| Count { of: count.of.iter().map(condition).collect(), ..*count };
        let goal = |goal: &Goal| Goal {
            conditions: goal.conditions.iter().map(condition).collect(),
            counts: goal.counts.iter().map(count).collect(),
            either: goal.either.iter().map(either).collect(),
        };
        let variable = |&var: &Var| Variable {
            name: task.variables[var].name.clone(),
            values: reached[var].iter().map(|value| task.variables[var].values[usize::from(value)].clone()).collect(),
        };
        self.task = Arc::new(Task {
            variables: kept.iter().map(variable).collect(),
            operators: task.operators.iter().map(operator).collect(),
            start: kept.iter().map(|&var| rank(var, task.start[var])).collect(),
            goals: task.goals.iter().map(goal).collect(),
            never: task.never.iter().map(|never| never.iter().map(condition).collect()).collect(),
        });
        kept.into_iter().map(|var| (var, reached[var].iter().collect())).collect()
    }
}

/// The task with a variable for the place of a symbol, if the symbol is one of a kind.
fn place(
    task: &Task,
    reached: &[Values],
    cells: usize,
    symbol: Value,
    context: &BuildContext,
) -> Option<(Task, Placed)> {
    let here: Vec<Var> = (0..cells).filter(|&cell| reached[cell].contains(symbol)).collect();
    let at = (0..cells).filter(|&cell| task.start[cell] == symbol).collect::<Vec<_>>();
    if at.len() != 1 || here.len() < 2 || here.len() > super::task::MOST_VALUES {
        return None;
    }
    let places: Vec<Option<Value>> =
        (0..task.variables.len()).map(|cell| here.iter().position(|&var| var == cell).map(|at| at as Value)).collect();
    // What a cell holds while the symbol stands there: any other value will do, but always the same.
    let ground = |cell: Var| reached[cell].iter().find(|&value| value != symbol).unwrap_or(symbol);
    let put = Placing {
        task,
        symbol,
        var: task.variables.len(),
        places,
        ground: (0..task.variables.len()).map(|var| if var < cells { ground(var) } else { 0 }).collect(),
    };
    let put_into = |operator: &Operator| if context.should_stop() { None } else { put.operator(operator) };
    let operators = task.operators.iter().map(put_into).collect::<Option<Vec<_>>>()?;
    let never = task.never.iter().map(|never| put.conditions(never)).collect::<Option<Vec<_>>>()?;
    let mut goals = Vec::new();
    for goal in &task.goals {
        // There is one of it: where another number is asked for, nothing is a goal.
        let is_symbol =
            |count: &&Count| count.of.iter().any(|(var, values)| put.places[*var].is_some() && values.contains(symbol));
        let asked: Vec<&Count> = goal.counts.iter().filter(is_symbol).collect();
        if asked.iter().any(|count| count.of.iter().any(|(_, values)| *values != Values::one(symbol))) {
            return None;
        }
        if asked.iter().any(|count| count.of.len() < here.len()) {
            return None;
        }
        if asked.iter().all(|count| (count.least..=count.most).contains(&1)) {
            let counts = goal
                .counts
                .iter()
                .filter(|count| !is_symbol(count))
                .map(|count| put.count(count))
                .collect::<Option<Vec<_>>>()?;
            let either = put.either(&goal.either)?;
            goals.push(Goal { conditions: put.conditions(&goal.conditions)?, counts, either });
        }
    }
    let mut variables = task.variables.clone();
    let name = &task.variables[at[0]].values[usize::from(symbol)];
    variables.push(Variable {
        name: format!("place of {name}"),
        values: here.iter().map(|&cell| task.variables[cell].name.clone()).collect(),
    });
    let mut start = task.start.clone();
    start[at[0]] = put.ground[at[0]];
    start.push(put.places[at[0]]?);
    let placed = Placed { symbol, here, ground: put.ground };
    Some((Task { variables, operators, start, goals, never }, placed))
}

/// Puts a variable for a symbol's place into what a task says.
struct Placing<'a> {
    task: &'a Task,
    symbol: Value,
    /// The variable for the place.
    var: Var,
    /// By cell, the place's number.
    places: Vec<Option<Value>>,
    ground: Vec<Value>,
}

impl Placing<'_> {
    /// The place that conditions ask for.
    fn asked(&self, conditions: &[Condition]) -> Option<Var> {
        let one = Values::one(self.symbol);
        conditions.iter().find(|(var, values)| self.places[*var].is_some() && *values == one).map(|&(var, _)| var)
    }

    /// Conditions without the symbol; none where it cannot be said so.
    fn conditions(&self, conditions: &[Condition]) -> Option<Vec<Condition>> {
        let asked = self.asked(conditions);
        let mut elsewhere = Values::below(self.places.iter().flatten().count());
        let mut out = Vec::new();
        for (cell, values) in conditions {
            let Some(place) = self.places[*cell] else {
                out.push((*cell, *values));
                continue;
            };
            let others = values.without(&Values::one(self.symbol));
            if others.is_empty() {
                elsewhere = elsewhere.and(&Values::one(place));
                continue;
            }
            if !values.contains(self.symbol) && asked.is_none() {
                elsewhere = elsewhere.without(&Values::one(place));
            } else if values.contains(self.symbol) && asked.is_none() && !others.contains(self.ground[*cell]) {
                return None;
            }
            if asked.is_some_and(|asked| asked == *cell) {
                continue;
            }
            out.push((*cell, others));
        }
        if elsewhere.is_empty() {
            return None;
        }
        if elsewhere.len() < self.places.iter().flatten().count() {
            out.push((self.var, elsewhere));
        }
        Some(out)
    }

    /// Alternatives without the symbol; none where they cannot be said so.
    fn either(&self, either: &[Either]) -> Option<Vec<Either>> {
        either.iter().map(|any| any.iter().map(|all| self.conditions(all)).collect()).collect()
    }

    fn count(&self, count: &Count) -> Option<Count> {
        // Cells hold their ground where the symbol stands, which then must not be counted.
        let miscounts = |(var, values): &Condition| self.places[*var].is_some() && values.contains(self.ground[*var]);
        (!count.of.iter().any(miscounts)).then(|| count.clone())
    }

    /// An operator without the symbol; none where it does not keep it one of a kind, or cannot be said so.
    fn operator(&self, operator: &Operator) -> Option<Operator> {
        let asked = self.asked(&operator.conditions);
        let conditions = self.conditions(&operator.conditions)?;
        let either = self.either(&operator.either)?;
        let mut effects = Vec::new();
        let (mut left, mut to) = (false, None);
        for effect in &operator.effects {
            let cell = effect.target;
            let Some(place) = self.places[cell] else {
                // Where the symbol stands, what is read is the ground.
                if let Source::Of(var, _) = effect.source
                    && self.places[var].is_some()
                    && asked.is_none_or(|asked| asked == var)
                    && self.task.allowed(operator, var).contains(self.symbol)
                {
                    return None;
                }
                effects.push(effect.clone());
                continue;
            };
            let may_stand_here = asked.is_none() && self.task.allowed(operator, cell).contains(self.symbol);
            left |= asked == Some(cell);
            if may_stand_here {
                return None;
            }
            match &effect.source {
                Source::Value(value) if *value == self.symbol => {
                    if to.replace(place).is_some() {
                        return None;
                    }
                    effects.push(Effect { target: cell, source: Source::Value(self.ground[cell]) });
                }
                Source::Value(_) => effects.push(effect.clone()),
                Source::Of(var, table) => {
                    let from = self.task.allowed(operator, *var);
                    let with = |value: Value| table[usize::from(value)] == self.symbol;
                    let from = if asked.is_some() && self.places[*var].is_some() {
                        from.without(&Values::one(self.symbol))
                    } else {
                        from
                    };
                    let copied = self.places[*var].is_some() && (from.contains(self.symbol) || asked == Some(*var));
                    if copied || from.iter().any(with) {
                        return None;
                    }
                    effects.push(effect.clone());
                }
            }
        }
        if left != to.is_some() {
            return None;
        }
        if let Some(place) = to {
            effects.push(Effect { target: self.var, source: Source::Value(place) });
        }
        Some(Operator { conditions, either, effects, ..*operator })
    }
}
