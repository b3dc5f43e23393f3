//! Reduces a task to its reachable values, to variables that can change, and to place variables for unique symbols.
//!
//! - Values are reachable under the delete relaxation (Bonet and Geffner 2001). Operators that need other values are
//!   dropped, and so are variables with a single value.
//! - A symbol on exactly one cell, which every operator preserves as such, becomes a variable for its place (a mutex
//!   group with one fact true, as in Helmert 2009). Its cells then hold what would be there without it. So states take
//!   fewer bits, and the moves of a walker are indexed by its place.

use super::inverse::{inverses, undone_by_mutexes};
use super::mutex::Mutexes;
use crate::search::BuildContext;
use crate::task::lifting::{Lifting, Origin, PlaceVariable};
use crate::task::{Condition, Count, CountRange, Counter, Disjunction, Effect, Goal, Never, Operator, Source, Task};
use crate::task::{Value, Values, Var, Variable};
use std::collections::VecDeque;
use std::sync::Arc;

/// A smaller equivalent task: its reachable states correspond one to one to those of the whole task.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub task: Arc<Task>,
    /// For each operator, its number in the whole task.
    pub origin: Vec<u32>,
    /// The number of reachable values of each variable of the whole task.
    pub reached: Vec<usize>,
    /// For each operator, the first that undoes it in every state, if there is one.
    pub inverse: Vec<Option<u32>>,
    /// True if an operator of equal cost undoes each, at least in all consistent states of `mutexes`, if there are any.
    pub is_reversible: bool,
    pub mutexes: Option<Arc<Mutexes>>,
    /// The task with all variables, but without unreachable values and operators.
    pub narrowed: Arc<Task>,
    /// The translation back to the facts of the whole task.
    pub lifting: Arc<Lifting>,
}

/// A task whose unique symbols are lifted to variables for their places, with all that can be reached.
#[derive(Clone, Debug)]
pub struct Lifted {
    task: Arc<Task>,
    /// For each operator, its number in the whole task.
    pub origin: Vec<u32>,
    narrowed: Arc<Task>,
    /// For each operator of `narrowed`, its number in the whole task.
    narrowed_origin: Vec<u32>,
    lifting: Lifting,
}

impl Lifted {
    /// Returns the values of each variable of the whole task that can be reached.
    pub fn reached(&self) -> &[Values] {
        &self.lifting.reached
    }
}

/// Lifts the unique symbols of a task whose first variables are the cells of a grid, and in which these values are
/// [`reached`]. Some symbols stay in their cells, even if each occurs once. If a limit ends the work, the result is
/// invalid.
pub fn lift(task: &Task, reached: &[Values], cells: usize, in_cells: &[Value], context: &BuildContext) -> Lifted {
    let all: Vec<u32> = (0..task.operators.len() as u32).collect();
    let (narrowed, narrowed_origin) = without_unreachable(task, &all, reached);
    let mut lifting = Lifting {
        variables: task.variables.clone(),
        reached: reached.to_vec(),
        start: task.start.clone(),
        cells,
        ..Lifting::default()
    };
    let narrowed = Arc::new(narrowed);
    let (mut lifted, mut origin) = (Arc::clone(&narrowed), narrowed_origin.clone());
    let mut reached = reached.to_vec();
    let symbols = (0..if cells > 0 { task.size(0) } else { 0 }).map(|symbol| symbol as Value);
    for symbol in symbols.filter(|symbol| !in_cells.contains(symbol)) {
        if let Some((task, kept, placed)) = with_place_variable(&lifted, &reached, cells, symbol, context) {
            reached = self::reached(&task, context);
            lifted = Arc::new(task);
            origin = kept.iter().map(|&number| origin[number]).collect();
            lifting.place_variables.push(placed);
        }
    }
    let (task, origin, renumbered) = renumbered(&lifted, &origin, &reached);
    lifting.origin = renumbered;
    Lifted { task: Arc::new(task), origin, narrowed, narrowed_origin, lifting }
}

/// Reduces a task whose first variables are the cells of a grid. If a limit ends the work, the result is invalid.
pub fn reduce(task: &Task, cells: usize, context: &BuildContext) -> Reduced {
    Reduced::new(lift(task, &reached(task, context), cells, &[], context), context)
}

/// The operators that are tried between two looks at the limits.
const POLL_EVERY: u32 = 64;

/// Returns the values of each variable that are reachable under the delete relaxation.
pub fn reached(task: &Task, context: &BuildContext) -> Vec<Values> {
    let mut reached: Vec<Values> = task.start.iter().map(|&value| Values::one(value)).collect();
    let readers = Readers::new(task);
    let mut bounds: Vec<(u32, u32)> =
        (0..task.counters.len()).map(|counter| task.bounds(counter, |var| reached[var].clone())).collect();
    // The operators that may reach a further value.
    let mut open: VecDeque<u32> = (0..task.operators.len() as u32).collect();
    let mut state = vec![State::Open; task.operators.len()];
    for step in 0_u32.. {
        let is_stopped = || step.is_multiple_of(POLL_EVERY) && context.should_stop();
        let Some(number) = open.pop_front().filter(|_| !is_stopped()) else { break };
        let operator = &task.operators[number as usize];
        state[number as usize] = State::Waiting;
        let can_hold = |all: &Vec<Condition>| all.iter().all(|(var, values)| values.meets(&reached[*var]));
        let can_count = |range: &CountRange| {
            let (least, most) = bounds[range.counter];
            range.least <= most && range.most >= least
        };
        if !can_hold(&operator.conditions)
            || !operator.disjunctions.iter().all(|any| any.iter().any(can_hold))
            || !operator.counts.iter().all(can_count)
        {
            continue;
        }
        // An operator that applies reaches all its constants at once, but more of a table with more old values.
        let has_tables = operator.effects.iter().any(|effect| effect.source.reads().is_some());
        if !has_tables {
            state[number as usize] = State::Done;
        }
        for effect in &operator.effects {
            let before = reached[effect.target].clone();
            match &effect.source {
                Source::Value(value) => reached[effect.target].insert(*value),
                Source::Table(var, table) => {
                    let from = task.allowed(operator, *var).and(&reached[*var]);
                    from.iter().for_each(|value| reached[effect.target].insert(table[usize::from(value)]));
                }
            }
            let after = &reached[effect.target];
            if *after == before {
                continue;
            }
            let mut wake = |readers: &[u32]| {
                for &reader in readers {
                    if state[reader as usize] == State::Waiting {
                        state[reader as usize] = State::Open;
                        open.push_back(reader);
                    }
                }
            };
            wake(&readers.of_variable[effect.target]);
            for &(counter, fact) in &readers.counters[effect.target] {
                let counted = &task.counters[counter][fact].1;
                let share = |values: &Values| (u32::from(values.is_within(counted)), u32::from(values.meets(counted)));
                let ((least, most), (old_least, old_most)) = (share(after), share(&before));
                if (least, most) != (old_least, old_most) {
                    let bound = &mut bounds[counter];
                    *bound = (bound.0 + least - old_least, bound.1 + most - old_most);
                    wake(&readers.of_counter[counter]);
                }
            }
        }
    }
    reached
}

/// What an operator can still reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Perhaps something: it is in the queue.
    Open,
    /// Nothing, unless a variable that it reads gets a further value.
    Waiting,
    /// Nothing.
    Done,
}

/// What reads each variable and each counter.
struct Readers {
    /// For each variable, the operators whose conditions or tables read it.
    of_variable: Vec<Vec<u32>>,
    /// For each variable, the counters that read it, with the number of the fact.
    counters: Vec<Vec<(usize, usize)>>,
    /// For each counter, the operators that read it.
    of_counter: Vec<Vec<u32>>,
}

impl Readers {
    fn new(task: &Task) -> Readers {
        let mut readers = Readers {
            of_variable: vec![Vec::new(); task.variables.len()],
            counters: vec![Vec::new(); task.variables.len()],
            of_counter: vec![Vec::new(); task.counters.len()],
        };
        for (number, counter) in task.counters.iter().enumerate() {
            counter.iter().enumerate().for_each(|(fact, (var, _))| readers.counters[*var].push((number, fact)));
        }
        for (number, operator) in (0..).zip(&task.operators) {
            let any = operator.disjunctions.iter().flatten().flatten();
            let conditions = operator.conditions.iter().chain(any).map(|(var, _)| *var);
            for var in conditions.chain(operator.effects.iter().filter_map(|effect| effect.source.reads())) {
                if readers.of_variable[var].last() != Some(&number) {
                    readers.of_variable[var].push(number);
                }
            }
            operator.counts.iter().for_each(|range| readers.of_counter[range.counter].push(number));
        }
        readers
    }
}

/// Restricts conditions to reachable values; `None` if they cannot hold.
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

/// Restricts disjunctions to reachable values and drops those that always hold; `None` if one cannot hold.
fn narrowed_disjunctions(disjunctions: &[Disjunction], reached: &[Values]) -> Option<Vec<Disjunction>> {
    let mut narrow = Vec::new();
    for any in disjunctions {
        let any: Disjunction = any.iter().filter_map(|all| narrowed(all, reached)).collect();
        match any.iter().any(Vec::is_empty) {
            true => {}
            false if any.is_empty() => return None,
            false => narrow.push(any),
        }
    }
    Some(narrow)
}

/// Restricts the facts that are counted to reachable values, without those that always hold, of which it returns the
/// number, and those that never do.
fn narrowed_counter(counter: &Counter, reached: &[Values]) -> (Counter, u32) {
    let (mut narrow, mut always) = (Counter::new(), 0);
    for (var, values) in counter {
        let values = values.and(&reached[*var]);
        match values == reached[*var] {
            true => always += 1,
            false if values.is_empty() => {}
            false => narrow.push((*var, values)),
        }
    }
    (narrow, always)
}

/// Adapts ranges to counters that have become less by some numbers, and drops those that exclude nothing; `None` if one
/// cannot hold.
fn shifted(counts: &[CountRange], counters: &[Counter], less: &[i64]) -> Option<Vec<CountRange>> {
    let mut all = Vec::new();
    for range in counts {
        let (shift, facts) = (less[range.counter], counters[range.counter].len() as i64);
        let (least, most) = ((i64::from(range.least) - shift).max(0), (i64::from(range.most) - shift).min(facts));
        if least > most {
            return None;
        }
        if least > 0 || most < facts {
            all.push(CountRange { counter: range.counter, least: least as u32, most: most as u32 });
        }
    }
    Some(all)
}

/// Replaces an effect that reads a variable with a single possible value by its constant.
fn simplified_effect(effect: &Effect, conditions: &[Condition], reached: &[Values]) -> Effect {
    let source = match &effect.source {
        Source::Table(var, table) => {
            let narrow = conditions.iter().find(|(narrow, _)| narrow == var);
            let only = narrow.map_or(&reached[*var], |(_, values)| values).only();
            only.map_or_else(|| effect.source.clone(), |value| Source::Value(table[usize::from(value)]))
        }
        Source::Value(value) => Source::Value(*value),
    };
    Effect { target: effect.target, source }
}

/// Returns a task with all conditions restricted to reachable values, without operators that never apply or change
/// nothing, and the numbers of those that are left. `numbers` are those of all operators.
fn without_unreachable(task: &Task, numbers: &[u32], reached: &[Values]) -> (Task, Vec<u32>) {
    let narrow: Vec<(Counter, u32)> = task.counters.iter().map(|counter| narrowed_counter(counter, reached)).collect();
    let less: Vec<i64> = narrow.iter().map(|(_, always)| i64::from(*always)).collect();
    let counters: Vec<Counter> = narrow.into_iter().map(|(counter, _)| counter).collect();
    let mut origin = Vec::new();
    let mut operators = Vec::new();
    for (operator, &from) in task.operators.iter().zip(numbers) {
        let Some(conditions) = narrowed(&operator.conditions, reached) else { continue };
        let Some(disjunctions) = narrowed_disjunctions(&operator.disjunctions, reached) else { continue };
        let Some(counts) = shifted(&operator.counts, &counters, &less) else { continue };
        let changes = operator.effects.iter().filter(|effect| reached[effect.target].len() > 1);
        let effects: Vec<Effect> = changes.map(|effect| simplified_effect(effect, &conditions, reached)).collect();
        if !effects.is_empty() {
            operators.push(Operator { conditions, disjunctions, counts, effects, ..*operator });
            origin.push(from);
        }
    }
    let never = |never: &Never| {
        let counts = shifted(&never.counts, &counters, &less)?;
        Some(Never { conditions: narrowed(&never.conditions, reached)?, counts })
    };
    let never = task.never.iter().filter_map(never).collect();
    let goal = |goal: &Goal| {
        let count = |count: &Count| {
            let of = count.of.iter().map(|(var, values)| (*var, values.and(&reached[*var]), &reached[*var]));
            let of: Vec<(Var, Values, &Values)> = of.filter(|(_, values, _)| !values.is_empty()).collect();
            // Facts that always hold are subtracted from the bounds.
            let fixed = of.iter().filter(|(_, values, all)| values == *all).count() as u32;
            let of = of.into_iter().filter(|(_, values, all)| values != *all).map(|(var, values, _)| (var, values));
            Some(Count {
                of: of.collect(),
                least: count.least.saturating_sub(fixed),
                most: count.most.checked_sub(fixed)?,
            })
        };
        let counts = goal.counts.iter().map(count).collect::<Option<Vec<_>>>()?;
        let counts =
            counts.into_iter().filter(|count| count.least > 0 || (count.most as usize) < count.of.len()).collect();
        let disjunctions = narrowed_disjunctions(&goal.disjunctions, reached)?;
        Some(Goal { conditions: narrowed(&goal.conditions, reached)?, counts, disjunctions })
    };
    let mut goals: Vec<Goal> = task.goals.iter().filter_map(goal).collect();
    goals.retain(|goal| goal.counts.iter().all(|count| count.least as usize <= count.of.len()));
    let (variables, start) = (task.variables.clone(), task.start.clone());
    let mut task = Task { variables, counters, operators, start, goals, never, cost_unit: task.cost_unit };
    task.tidy_counters();
    (task, origin)
}

impl Reduced {
    /// Finds the operators that undo others. If a limit ends the work, the result is invalid.
    pub fn new(lifted: Lifted, context: &BuildContext) -> Reduced {
        let Lifted { task, origin, narrowed, narrowed_origin: actions, lifting } = lifted;
        // While conditions still show the content of the cells that symbols are on.
        let undone_by: Vec<Option<u32>> =
            inverses(&narrowed, context).into_iter().map(|other| other.map(|other| actions[other as usize])).collect();
        let number = |action: u32| origin.binary_search(&action).ok().map(|number| number as u32);
        let inverse = |action: &u32| number(undone_by[actions.binary_search(action).ok()?]?);
        let inverse: Vec<Option<u32>> = origin.iter().map(inverse).collect();
        let are_all_undone = inverse.iter().all(Option::is_some);
        let mutexes = if are_all_undone { None } else { undone_by_mutexes(&task, &inverse, context).map(Arc::new) };
        let reached = lifting.reached.iter().map(Values::len).collect();
        let is_reversible = are_all_undone || mutexes.is_some();
        Reduced { task, origin, reached, inverse, is_reversible, mutexes, narrowed, lifting: Arc::new(lifting) }
    }

    /// Returns the reduced task with no place variables, and its translation. A sum over its facts is one over the
    /// facts of the puzzle, and changes with each operator as the puzzle's own rules show.
    pub fn without_place_variables(&self) -> (Arc<Task>, Arc<Lifting>) {
        if self.lifting.place_variables.is_empty() {
            return (Arc::clone(&self.task), Arc::clone(&self.lifting));
        }
        let all: Vec<u32> = (0..self.narrowed.operators.len() as u32).collect();
        let (task, _, origin) = renumbered(&self.narrowed, &all, &self.lifting.reached);
        (Arc::new(task), Arc::new(Lifting { place_variables: Vec::new(), origin, ..(*self.lifting).clone() }))
    }
}

/// Drops the variables of a task that never change, and renumbers the [`reached`] values. `numbers` are those of all
/// operators; also returns those of the operators that are left, and the old variable and the old values of each
/// variable that is left.
fn renumbered(task: &Task, numbers: &[u32], reached: &[Values]) -> (Task, Vec<u32>, Origin) {
    let (task, origin) = without_unreachable(task, numbers, reached);
    let kept: Vec<Var> = (0..reached.len()).filter(|&var| reached[var].len() > 1).collect();
    let mut new_var = vec![usize::MAX; reached.len()];
    kept.iter().enumerate().for_each(|(new, &old)| new_var[old] = new);
    let ranks: Vec<Vec<Value>> = (0..reached.len()).map(|var| ranks(&reached[var], task.size(var))).collect();
    let rank = |var: Var, value: Value| ranks[var][usize::from(value)];
    let condition = |(var, values): &Condition| (new_var[*var], values.iter().map(|value| rank(*var, value)).collect());
    let effect = |effect: &Effect| {
        let source = match &effect.source {
            Source::Value(value) => Source::Value(rank(effect.target, *value)),
            Source::Table(var, table) => {
                let known = reached[*var].iter().map(|value| rank(effect.target, table[usize::from(value)]));
                Source::Table(new_var[*var], known.collect())
            }
        };
        Effect { target: new_var[effect.target], source }
    };
    let disjunctions = |any: &Disjunction| any.iter().map(|all| all.iter().map(condition).collect()).collect();
    let operator = |operator: &Operator| Operator {
        cost: operator.cost,
        conditions: operator.conditions.iter().map(condition).collect(),
        disjunctions: operator.disjunctions.iter().map(disjunctions).collect(),
        counts: operator.counts.clone(),
        effects: operator.effects.iter().map(effect).collect(),
        action: operator.action,
    };
    let count = |count: &Count| Count { of: count.of.iter().map(condition).collect(), ..*count };
    let goal = |goal: &Goal| Goal {
        conditions: goal.conditions.iter().map(condition).collect(),
        counts: goal.counts.iter().map(count).collect(),
        disjunctions: goal.disjunctions.iter().map(disjunctions).collect(),
    };
    let variable = |&var: &Var| Variable {
        name: task.variables[var].name.clone(),
        values: reached[var].iter().map(|value| task.variables[var].values[usize::from(value)].clone()).collect(),
    };
    let never = |never: &Never| Never {
        conditions: never.conditions.iter().map(condition).collect(),
        counts: never.counts.clone(),
    };
    let renumbered = Task {
        variables: kept.iter().map(variable).collect(),
        counters: task.counters.iter().map(|counter| counter.iter().map(condition).collect()).collect(),
        operators: task.operators.iter().map(operator).collect(),
        start: kept.iter().map(|&var| rank(var, task.start[var])).collect(),
        goals: task.goals.iter().map(goal).collect(),
        never: task.never.iter().map(never).collect(),
        cost_unit: task.cost_unit,
    };
    (renumbered, origin, kept.into_iter().map(|var| (var, reached[var].iter().collect())).collect())
}

/// Returns the number of each value among those of a set; 0 for others.
fn ranks(values: &Values, size: usize) -> Vec<Value> {
    let mut ranks = vec![0; size];
    (0..).zip(values.iter()).for_each(|(rank, value)| ranks[usize::from(value)] = rank);
    ranks
}

/// Represents a symbol that occurs exactly once by a variable for its place; `None` if that is impossible. Also returns
/// the numbers of the operators that are left: those that need the symbol in two cells are dropped.
fn with_place_variable(
    task: &Task,
    reached: &[Values],
    cells: usize,
    symbol: Value,
    context: &BuildContext,
) -> Option<(Task, Vec<usize>, PlaceVariable)> {
    let place_cells: Vec<Var> = (0..cells).filter(|&cell| reached[cell].contains(symbol)).collect();
    let at = (0..cells).filter(|&cell| task.start[cell] == symbol).collect::<Vec<_>>();
    if at.len() != 1 || place_cells.len() < 2 || place_cells.len() > crate::task::MOST_VALUES {
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
        let one = Values::one(self.symbol);
        conditions.iter().find(|(var, values)| self.places[*var].is_some() && *values == one).map(|&(var, _)| var)
    }

    fn conditions(&self, conditions: &[Condition]) -> Result<Vec<Condition>, Obstacle> {
        let required = self.required(conditions);
        let mut elsewhere = self.everywhere.clone();
        let mut out = Vec::new();
        for (cell, values) in conditions {
            let Some(place) = self.places[*cell] else {
                out.push((*cell, values.clone()));
                continue;
            };
            let others = values.without(&Values::one(self.symbol));
            if others.is_empty() {
                elsewhere = elsewhere.and(&Values::one(place));
                continue;
            }
            if !values.contains(self.symbol) && required.is_none() {
                elsewhere = elsewhere.without(&Values::one(place));
            } else if values.contains(self.symbol) && required.is_none() && !others.contains(self.ground[*cell]) {
                return Err(Obstacle::Inexpressible);
            }
            if required.is_some_and(|required| required == *cell) {
                continue;
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
                        (false, true) => too_many.insert(place),
                        (true, false) => too_few.insert(place),
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
        let conditions = self.conditions(&operator.conditions)?;
        let disjunctions = self.disjunctions(&operator.disjunctions)?;
        let counts = self.ranges(&operator.counts)?;
        let mut effects = Vec::new();
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
            let may_stand_here = required.is_none() && self.task.allowed(operator, cell).contains(self.symbol);
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
                    if self.task.allowed(operator, cell) != Values::one(self.ground[cell]) {
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
