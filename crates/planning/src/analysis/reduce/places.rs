//! Place variables: a symbol that occurs once becomes a variable for the cell that it is on.
//!
//! This is a mutex group with one fact true (as in Helmert 2009). Its cells then hold what would be there without it,
//! their *ground*. The rewriting is refused unless every operator keeps the symbol unique.

use super::narrowing::shifted;
use crate::search::BuildContext;
use crate::task::lifting::PlaceVariable;
use crate::task::{
    Condition, Count, CountRange, Counter, Disjunction, Effect, Goal, MOST_VALUES, Never, Operator, Source,
};
use crate::task::{Task, Value, Values, Var, Variable};

/// Represents a symbol that occurs exactly once by a variable for its place; `None` if that is impossible. Also returns
/// the numbers of the operators that are left: those that need the symbol in two cells are dropped.
pub(super) fn with_place_variable(
    task: &Task,
    reached: &[Values],
    cells: usize,
    symbol: Value,
    context: &BuildContext,
) -> Option<(Task, Vec<usize>, PlaceVariable)> {
    let place_cells: Vec<Var> = (0..cells).filter(|&cell| reached[cell].contains(symbol)).collect();
    let at = (0..cells).filter(|&cell| task.start[cell] == symbol).collect::<Vec<_>>();
    if at.len() != 1 || place_cells.len() < 2 || place_cells.len() > MOST_VALUES {
        return None;
    }
    let mut places: Vec<Option<Value>> = vec![None; task.variables.len()];
    (0..).zip(&place_cells).for_each(|(place, &cell)| places[cell] = Some(place));
    // The content of a cell while the symbol stands on it: any other value will do, but always the same.
    let ground = |cell: Var| reached[cell].iter().find(|&value| value != symbol).unwrap_or(symbol);
    let mut rewriter = PlaceRewriter {
        task,
        symbol,
        var: task.variables.len(),
        places,
        everywhere: Values::below(place_cells.len()),
        ground: (0..task.variables.len()).map(|var| if var < cells { ground(var) } else { 0 }).collect(),
        counters: Vec::new(),
        less: Vec::new(),
    };
    for counter in &task.counters {
        let (counter, less) = rewriter.counter(counter)?;
        rewriter.counters.push(counter);
        rewriter.less.push(less);
    }
    let rewritten = |(number, operator): (usize, &Operator)| {
        if context.should_stop() { Err(Obstacle::Inexpressible) } else { Ok((number, rewriter.operator(operator)?)) }
    };
    let (kept, operators) = possible(task.operators.iter().enumerate().map(rewritten)).ok()?.into_iter().unzip();
    let never = possible(task.never.iter().map(|never| rewriter.never(never))).ok()?;
    let mut goals = Vec::new();
    for goal in &task.goals {
        // The symbol occurs once: a goal that counts another number of it is unreachable.
        let is_symbol = |count: &&Count| {
            count.of.iter().any(|(var, values)| rewriter.places[*var].is_some() && values.contains(symbol))
        };
        let required: Vec<&Count> = goal.counts.iter().filter(is_symbol).collect();
        // Other counts, such as those that add a variable to some of the cells, depend on the place.
        let is_symbol_there =
            |(var, values): &Condition| rewriter.places[*var].is_some() && *values == Values::one(symbol);
        let is_number = |count: &&Count| count.of.len() == place_cells.len() && count.of.iter().all(is_symbol_there);
        if !required.iter().all(is_number) {
            return None;
        }
        if required.iter().all(|count| (count.least..=count.most).contains(&1)) {
            let counts = goal
                .counts
                .iter()
                .filter(|count| !is_symbol(count))
                .map(|count| rewriter.count(count))
                .collect::<Option<Vec<_>>>()?;
            let conditions =
                || Ok((rewriter.conditions(&goal.conditions)?, rewriter.disjunctions(&goal.disjunctions)?));
            match conditions() {
                Ok((conditions, disjunctions)) => goals.push(Goal { conditions, counts, disjunctions }),
                Err(Obstacle::Impossible) => {}
                Err(Obstacle::Inexpressible) => return None,
            }
        }
    }
    let mut variables = task.variables.clone();
    let name = &task.variables[at[0]].values[usize::from(symbol)];
    variables.push(Variable {
        name: Variable::name_of_place(name),
        values: place_cells.iter().map(|&cell| task.variables[cell].name.clone()).collect(),
    });
    let mut start = task.start.clone();
    start[at[0]] = rewriter.ground[at[0]];
    start.push(rewriter.places[at[0]]?);
    let placed = PlaceVariable { symbol, place_cells, ground: rewriter.ground };
    let (counters, cost_unit) = (rewriter.counters, task.cost_unit);
    Some((Task { variables, counters, operators, start, goals, never, cost_unit }, kept, placed))
}

/// The reason why a part of a task is not rewritten for the place variable of a symbol.
enum Obstacle {
    /// It never holds: the symbol would stand on two cells, or on none.
    Impossible,
    /// It cannot be expressed without the symbol in the cells.
    Inexpressible,
}

/// Leaves out the parts that never hold.
fn possible<T>(parts: impl Iterator<Item = Result<T, Obstacle>>) -> Result<Vec<T>, Obstacle> {
    parts.filter(|part| !matches!(part, Err(Obstacle::Impossible))).collect()
}

/// Rewrites parts of a task to use the place variable of a symbol.
struct PlaceRewriter<'a> {
    task: &'a Task,
    symbol: Value,
    /// The place variable.
    var: Var,
    /// For each variable, its value of the place variable if it is one of the cells.
    places: Vec<Option<Value>>,
    /// All values of the place variable.
    everywhere: Values,
    ground: Vec<Value>,
    /// The rewritten counters, and by how much each is less than before.
    counters: Vec<Counter>,
    less: Vec<i64>,
}

impl PlaceRewriter<'_> {
    /// Returns the cell on which conditions require the symbol.
    fn required(&self, conditions: &[Condition]) -> Option<Var> {
        let is_required =
            |(var, values): &&Condition| values.only() == Some(self.symbol) && self.places[*var].is_some();
        conditions.iter().find(is_required).map(|&(var, _)| var)
    }

    fn conditions(&self, conditions: &[Condition]) -> Result<Vec<Condition>, Obstacle> {
        self.conditions_with(conditions, self.required(conditions))
    }

    fn conditions_with(&self, conditions: &[Condition], required: Option<Var>) -> Result<Vec<Condition>, Obstacle> {
        let mut elsewhere = self.everywhere.clone();
        let mut out = Vec::with_capacity(conditions.len() + 1);
        for (cell, values) in conditions {
            let Some(place) = self.places[*cell] else {
                out.push((*cell, values.clone()));
                continue;
            };
            if !values.contains(self.symbol) {
                if required.is_none() {
                    elsewhere = elsewhere.without(&Values::one(place));
                }
                out.push((*cell, values.clone()));
                continue;
            }
            let others = values.without(&Values::one(self.symbol));
            if others.is_empty() {
                elsewhere = elsewhere.and(&Values::one(place));
                continue;
            }
            if required.is_none() && !others.contains(self.ground[*cell]) {
                return Err(Obstacle::Inexpressible);
            }
            out.push((*cell, others));
        }
        if elsewhere.is_empty() {
            return Err(Obstacle::Impossible);
        }
        if elsewhere != self.everywhere {
            out.push((self.var, elsewhere));
        }
        Ok(out)
    }

    fn disjunctions(&self, disjunctions: &[Disjunction]) -> Result<Vec<Disjunction>, Obstacle> {
        let rewritten = |any: &Disjunction| {
            let any: Disjunction = possible(any.iter().map(|all| self.conditions(all)))?;
            if any.is_empty() { Err(Obstacle::Impossible) } else { Ok(any) }
        };
        disjunctions.iter().map(rewritten).collect()
    }

    fn count(&self, count: &Count) -> Option<Count> {
        // A cell under the symbol holds its ground value, which must not be counted.
        let miscounts = |(var, values): &Condition| self.places[*var].is_some() && values.contains(self.ground[*var]);
        (!count.of.iter().any(miscounts)).then(|| count.clone())
    }

    /// Rewrites a counter; `None` if it cannot be expressed. Returns by how much it is less than before, in all states.
    ///
    /// A cell under the symbol holds its ground value. Where that is counted and the symbol is not, the cell counts
    /// once too often, and where the symbol alone is counted, not at all. The place of the symbol decides which of
    /// these it is, so it is one more fact.
    fn counter(&self, counter: &Counter) -> Option<(Counter, i64)> {
        let all = &self.everywhere;
        let (mut out, mut too_many, mut too_few) = (Counter::new(), Values::NONE, Values::NONE);
        for (cell, values) in counter {
            let others = match self.places[*cell] {
                None => values.clone(),
                Some(place) => {
                    let others = values.without(&Values::one(self.symbol));
                    match (values.contains(self.symbol), others.contains(self.ground[*cell])) {
                        (false, true) => _ = too_many.insert(place),
                        (true, false) => _ = too_few.insert(place),
                        (true, true) | (false, false) => {}
                    }
                    others
                }
            };
            if !others.is_empty() {
                out.push((*cell, others));
            }
        }
        let (place, less) = match (too_many.is_empty(), too_few.is_empty()) {
            (true, true) => (Values::NONE, 0),
            (true, false) if too_few == *all => (Values::NONE, 1),
            (true, false) => (too_few, 0),
            (false, true) => (all.without(&too_many), -1),
            (false, false) => return None,
        };
        if !place.is_empty() {
            out.push((self.var, place));
        }
        Some((out, less))
    }

    /// Adapts ranges to the rewritten counters.
    fn ranges(&self, counts: &[CountRange]) -> Result<Vec<CountRange>, Obstacle> {
        shifted(counts, &self.counters, &self.less).ok_or(Obstacle::Impossible)
    }

    fn never(&self, never: &Never) -> Result<Never, Obstacle> {
        Ok(Never { conditions: self.conditions(&never.conditions)?, counts: self.ranges(&never.counts)? })
    }

    /// Rewrites an operator. One that does not keep the symbol unique cannot be expressed.
    fn operator(&self, operator: &Operator) -> Result<Operator, Obstacle> {
        let required = self.required(&operator.conditions);
        let conditions = self.conditions_with(&operator.conditions, required)?;
        let disjunctions = self.disjunctions(&operator.disjunctions)?;
        let counts = self.ranges(&operator.counts)?;
        let mut effects = Vec::with_capacity(operator.effects.len());
        let (mut left, mut to) = (false, None);
        for effect in &operator.effects {
            let cell = effect.target;
            let Some(place) = self.places[cell] else {
                // Under the symbol, the cell would be read as its ground value.
                if let Source::Table(var, _) = effect.source
                    && self.places[var].is_some()
                    && required.is_none_or(|required| required == var)
                    && self.task.allowed(operator, var).contains(self.symbol)
                {
                    return Err(Obstacle::Inexpressible);
                }
                effects.push(effect.clone());
                continue;
            };
            let allows = |values: &Values| values.contains(self.symbol);
            let may_stand_here = required.is_none() && operator.condition(cell).is_none_or(allows);
            left |= required == Some(cell);
            if may_stand_here {
                return Err(Obstacle::Inexpressible);
            }
            match &effect.source {
                Source::Value(value) if *value == self.symbol => {
                    if to.replace(place).is_some() {
                        return Err(Obstacle::Inexpressible);
                    }
                    // Most symbols only move over the ground, and leave cells as they are.
                    if operator.condition(cell).and_then(Values::only) != Some(self.ground[cell]) {
                        effects.push(Effect { target: cell, source: Source::Value(self.ground[cell]) });
                    }
                }
                Source::Value(value) if required == Some(cell) && *value == self.ground[cell] => {}
                Source::Value(_) => effects.push(effect.clone()),
                Source::Table(var, table) => {
                    let from = self.task.allowed(operator, *var);
                    let with = |value: Value| table[usize::from(value)] == self.symbol;
                    let from = if required.is_some() && self.places[*var].is_some() {
                        from.without(&Values::one(self.symbol))
                    } else {
                        from
                    };
                    let copied = self.places[*var].is_some() && (from.contains(self.symbol) || required == Some(*var));
                    if copied || from.iter().any(with) {
                        return Err(Obstacle::Inexpressible);
                    }
                    effects.push(effect.clone());
                }
            }
        }
        if left != to.is_some() {
            return Err(Obstacle::Inexpressible);
        }
        if let Some(place) = to {
            effects.push(Effect { target: self.var, source: Source::Value(place) });
        }
        Ok(Operator { conditions, disjunctions, counts, effects, ..*operator })
    }
}
