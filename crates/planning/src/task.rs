//! The planning task that rules are compiled to: finite-domain variables, and operators that read and write them.
//!
//! This is SAS+ (Bäckström and Nebel 1995) with two extensions. A condition may be a set of values. An effect may look
//! up its value in a table, indexed by the old value of a variable. So moving tiles and toggled lamps need one operator
//! and not one for each value. All analyses of a puzzle (reachability, invariants, heuristics) work on tasks, and read
//! operators by the methods of [`Operator`]; searches see only the packed state space.
//!
//! Operators may also depend on how many of many facts hold. Such a number is a [`Counter`] of the task, which all its
//! readers share: it is computed from the state, and is no variable. Each reader bounds it by a [`CountRange`]. This is
//! a numeric precondition of PDDL 2.1 (Fox and Long 2003) on a sum that no effect assigns.

pub mod lifting;
pub mod sorted;

use engine_search::bit_set::BitSet;
use engine_search::space::{CostUnit, Part};
use sorted::sorted;
use std::sync::Arc;

/// The index of a variable.
pub type Var = usize;

/// The index of a value of a variable.
pub type Value = u16;

/// The most values of a variable. The place of a symbol on a grid has as many as there are cells.
pub const MOST_VALUES: usize = 4096;

/// A set of values of one variable.
pub type Values = BitSet<Value>;

/// Returns the images of values under a map that numbers `all` of them from 0 in some order. A condition that excludes few
/// of a piece's thousands of places takes no longer than one that names few.
pub fn images(values: &Values, all: &Values, number: impl Fn(Value) -> Value) -> Values {
    let others = all.without(values);
    if others.len() < values.len() {
        return Values::below(all.len()).without(&others.iter().map(number).collect());
    }
    values.iter().map(number).collect()
}

/// A condition: a variable has one of some values.
pub type Condition = (Var, Values);

/// A disjunction of alternatives, each of them a conjunction of conditions.
pub type Disjunction = Vec<Vec<Condition>>;

/// Facts of distinct variables, sorted by variable: the counter's value in a state is the number of them that hold.
pub type Counter = Vec<Condition>;

/// A condition on the value of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CountRange {
    /// The index of the counter in its task.
    pub counter: usize,
    pub least: u32,
    pub most: u32,
}

/// A variable of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in reports: `cell[2, 3]`, `farmer`.
    pub name: String,
    /// The names of the values, which cells and copies of a task share.
    pub values: Arc<[String]>,
}

/// The source of an effect's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A constant.
    Value(Value),
    /// The table's entry for the old value of a variable, which need not be the target. Entries for values that the
    /// conditions exclude are arbitrary.
    Table(Var, Box<[Value]>),
}

/// An effect on one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    pub target: Var,
    pub source: Source,
}

/// A ground operator: a rule with fixed parameters at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operator {
    pub cost: u32,
    /// Sorted by variable, each at most once. No set is empty or contains all values of its variable.
    pub conditions: Vec<Condition>,
    /// One alternative of each disjunction must hold. Lower bounds may ignore these.
    pub disjunctions: Vec<Disjunction>,
    /// Sorted by counter, each at most once. Lower bounds may ignore these.
    pub counts: Vec<CountRange>,
    /// Sorted by target, each at most once; all are simultaneous. No effect writes the old value in every state.
    pub effects: Vec<Effect>,
    /// The move of the operator. Operators of one move exclude each other.
    pub action: u32,
}

/// A bound on the number of some facts that hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count {
    /// The facts, of distinct variables.
    pub of: Vec<Condition>,
    pub least: u32,
    pub most: u32,
}

/// A goal: a conjunction of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Goal {
    /// Sorted by variable, each at most once.
    pub conditions: Vec<Condition>,
    pub counts: Vec<Count>,
    /// One alternative of each disjunction must hold.
    pub disjunctions: Vec<Disjunction>,
}

/// A forbidden conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Never {
    /// Sorted by variable, each at most once.
    pub conditions: Vec<Condition>,
    /// Sorted by counter, each at most once.
    pub counts: Vec<CountRange>,
}

/// A planning task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    pub variables: Vec<Variable>,
    /// The counts of operators and of `never`. Goals have their own.
    pub counters: Vec<Counter>,
    /// In the order of the moves.
    pub operators: Vec<Operator>,
    pub start: Vec<Value>,
    /// A state needs to satisfy one goal. If there are none, the puzzle is unsolvable.
    pub goals: Vec<Goal>,
    /// Conjunctions of which none may hold in a state; the start satisfies this.
    pub never: Vec<Never>,
    /// The unit of the costs of operators.
    pub cost_unit: CostUnit,
}

/// The beginning of the name of a variable for the place of a unique symbol.
const PLACE_OF: &str = "place of ";

impl Variable {
    /// Returns the name of a variable for the place of a unique symbol.
    pub fn name_of_place(symbol: &str) -> String {
        format!("{PLACE_OF}{symbol}")
    }

    /// Returns a part of a heuristic value that depends on some variables, with its name.
    pub fn part<'a>(name: String, value: f64, variables: impl IntoIterator<Item = &'a Variable>) -> Part {
        let mut part = Part::of(name, value, [""; 0]);
        for variable in variables {
            part.cells.extend(variable.cell());
            part.figures.extend(variable.place_of().map(str::to_owned));
        }
        part
    }

    /// Returns the row and column, from 0, if this is a variable for the content of a cell, such as `cell[2, 3]`.
    fn cell(&self) -> Option<(usize, usize)> {
        let (row, column) = self.name.strip_prefix("cell[")?.strip_suffix(']')?.split_once(", ")?;
        Some((row.parse().ok()?, column.parse().ok()?))
    }

    /// Returns the symbol if this is the variable for its place.
    pub fn place_of(&self) -> Option<&str> {
        self.name.strip_prefix(PLACE_OF)
    }
}

impl Source {
    /// Returns the variable whose old value decides the new one.
    pub fn reads(&self) -> Option<Var> {
        match self {
            Source::Value(_) => None,
            Source::Table(var, _) => Some(*var),
        }
    }

    /// Returns the new value, given the old ones.
    #[inline]
    pub fn value(&self, old: impl FnOnce(Var) -> Value) -> Value {
        match self {
            Source::Value(value) => *value,
            Source::Table(var, table) => table[usize::from(old(*var))],
        }
    }

    /// Returns the values that may be new, given those that may be old.
    pub fn values(&self, old: impl FnOnce(Var) -> Values) -> Values {
        match self {
            Source::Value(value) => Values::one(*value),
            Source::Table(var, table) => old(*var).iter().map(|value| table[usize::from(value)]).collect(),
        }
    }

    /// Returns a constant if the old value is known, and else the source as it is.
    #[must_use]
    pub fn simplified(&self, old: impl FnOnce(Var) -> Values) -> Source {
        let known = self.reads().and_then(|var| old(var).only());
        known.map_or_else(|| self.clone(), |value| Source::Value(self.value(|_| value)))
    }

    /// Returns the variable whose value it copies, given the old values of a variable.
    pub fn copied(&self, old: impl FnOnce(Var) -> Values) -> Option<Var> {
        match self {
            Source::Value(_) => None,
            Source::Table(var, table) => {
                old(*var).iter().all(|value| table[usize::from(value)] == value).then_some(*var)
            }
        }
    }
}

/// The view of an operator that all analyses share: what it reads, and what it makes of each variable.
impl Operator {
    /// Returns the targets of the effects and the variables that the effects read, in ascending order.
    pub fn touched(&self) -> Vec<Var> {
        sorted(self.effects.iter().flat_map(|effect| [effect.target].into_iter().chain(effect.source.reads())))
    }

    /// Returns the variables that conditions, disjunctions and effects read, some of them several times. Those of
    /// counters are not among them.
    pub fn read(&self) -> impl Iterator<Item = Var> {
        let conditions = self.conditions.iter().chain(self.disjunctions.iter().flatten().flatten());
        conditions.map(|(var, _)| *var).chain(self.effects.iter().filter_map(|effect| effect.source.reads()))
    }

    /// Returns the variables that it changes, in ascending order.
    pub fn changed(&self) -> impl Iterator<Item = Var> {
        self.effects.iter().map(|effect| effect.target)
    }

    /// Returns the facts that it makes true whatever the old values are.
    pub fn constants(&self) -> impl Iterator<Item = (Var, Value)> {
        self.effects.iter().filter_map(|effect| match effect.source {
            Source::Value(value) => Some((effect.target, value)),
            Source::Table(..) => None,
        })
    }

    /// Returns the facts that it makes true by looking up the old value of a variable.
    pub fn looked_up(&self, var: Var, old: Value) -> impl Iterator<Item = (Var, Value)> {
        self.effects.iter().filter_map(move |effect| match &effect.source {
            Source::Table(of, table) if *of == var => Some((effect.target, table[usize::from(old)])),
            _ => None,
        })
    }

    /// Returns the new value of a variable, if it follows from the old value of this variable alone.
    pub fn follows(&self, var: Var, old: Value) -> Option<Value> {
        match self.effect(var) {
            None => Some(old),
            Some(Source::Table(of, _)) if *of != var => None,
            Some(source) => Some(source.value(|_| old)),
        }
    }

    /// Returns the values that a variable may have afterwards, given those that each may have before.
    pub fn values_after(&self, var: Var, old: impl FnOnce(Var) -> Values) -> Values {
        match self.effect(var) {
            None => old(var),
            Some(source) => source.values(old),
        }
    }

    /// Returns whether its conditions alone decide whether it is applicable.
    pub fn is_plain(&self) -> bool {
        self.disjunctions.is_empty() && self.counts.is_empty()
    }

    /// Returns the values of a variable for which the operator is applicable, if restricted.
    pub fn condition(&self, var: Var) -> Option<&Values> {
        condition_on(&self.conditions, var)
    }

    /// Returns whether no state satisfies the conditions of both operators.
    pub fn excludes(&self, other: &Operator) -> bool {
        self.conditions.iter().any(|(var, values)| other.condition(*var).is_some_and(|others| !values.meets(others)))
    }

    /// Returns the source of the effect on a variable.
    pub fn effect(&self, var: Var) -> Option<&Source> {
        let at = self.effects.binary_search_by_key(&var, |effect| effect.target).ok()?;
        Some(&self.effects[at].source)
    }

    /// Returns the successor.
    pub fn after(&self, state: &[Value]) -> Vec<Value> {
        let mut after = state.to_vec();
        for effect in &self.effects {
            after[effect.target] = effect.source.value(|var| state[var]);
        }
        after
    }
}

impl Goal {
    /// Returns the values of a variable that the goal allows, if restricted.
    pub fn condition(&self, var: Var) -> Option<&Values> {
        condition_on(&self.conditions, var)
    }

    /// Returns the goal with other conjunctions.
    pub fn with(&self, conjunction: impl Fn(&[Condition]) -> Vec<Condition>) -> Goal {
        Goal {
            conditions: conjunction(&self.conditions),
            counts: self.counts.iter().map(|count| Count { of: conjunction(&count.of), ..*count }).collect(),
            disjunctions: with(&self.disjunctions, &conjunction),
        }
    }

    /// Returns whether a state satisfies the goal.
    pub fn holds(&self, state: &[Value]) -> bool {
        all_hold(&self.conditions, state)
            && self.counts.iter().all(|count| count.holds(state))
            && self.disjunctions.iter().all(|any| one_holds(any, state))
    }
}

impl Count {
    /// Returns whether the count is within its bounds.
    pub fn holds(&self, state: &[Value]) -> bool {
        (self.least..=self.most).contains(&number_holding(&self.of, state))
    }
}

impl CountRange {
    /// Returns whether a number is within the range.
    pub fn contains(&self, number: u32) -> bool {
        (self.least..=self.most).contains(&number)
    }
}

impl Task {
    /// Returns the number of values of a variable.
    pub fn size(&self, var: Var) -> usize {
        self.variables[var].values.len()
    }

    /// Returns the values of a variable for which an operator is applicable.
    pub fn allowed(&self, operator: &Operator, var: Var) -> Values {
        operator.condition(var).cloned().unwrap_or_else(|| Values::below(self.size(var)))
    }

    /// Returns whether a variable may have one of some values after an operator.
    pub fn may_have_after(&self, operator: &Operator, var: Var, values: &Values) -> bool {
        match operator.effect(var) {
            None => operator.condition(var).map_or(!values.is_empty(), |allowed| allowed.meets(values)),
            Some(source) => source.values(|old| self.allowed(operator, old)).meets(values),
        }
    }

    /// Returns whether a state is a goal.
    pub fn is_goal(&self, state: &[Value]) -> bool {
        self.goals.iter().any(|goal| goal.holds(state))
    }

    /// Returns whether an operator's preconditions hold in a state. `never` is not checked.
    pub fn holds(&self, operator: &Operator, state: &[Value]) -> bool {
        all_hold(&operator.conditions, state)
            && operator.disjunctions.iter().all(|any| one_holds(any, state))
            && self.counts_hold(&operator.counts, state)
    }

    /// Returns whether all counters are within some ranges in a state.
    fn counts_hold(&self, counts: &[CountRange], state: &[Value]) -> bool {
        counts.iter().all(|range| range.contains(number_holding(&self.counters[range.counter], state)))
    }

    /// Returns whether no `never` condition holds in a state.
    pub fn is_allowed(&self, state: &[Value]) -> bool {
        !self.never.iter().any(|never| all_hold(&never.conditions, state) && self.counts_hold(&never.counts, state))
    }

    /// Returns the least and the greatest value of a counter, given a superset of the values that each variable may
    /// have.
    pub fn bounds(&self, counter: usize, values: impl Fn(Var) -> Values) -> (u32, u32) {
        let (mut least, mut most) = (0, 0);
        for (var, counted) in &self.counters[counter] {
            let values = values(*var);
            least += u32::from(values.is_within(counted));
            most += u32::from(!values.and(counted).is_empty());
        }
        (least, most)
    }

    /// Drops the counters that nothing reads, and joins equal ones.
    pub fn tidy_counters(&mut self) {
        let mut is_read = vec![false; self.counters.len()];
        let read =
            self.operators.iter().map(|operator| &operator.counts).chain(self.never.iter().map(|one| &one.counts));
        read.flatten().for_each(|range| is_read[range.counter] = true);
        let mut kept: Vec<Counter> = Vec::new();
        let mut number = vec![0; is_read.len()];
        for (at, counter) in std::mem::take(&mut self.counters).into_iter().enumerate().filter(|(at, _)| is_read[*at]) {
            number[at] = kept.iter().position(|known| *known == counter).unwrap_or_else(|| {
                kept.push(counter);
                kept.len() - 1
            });
        }
        self.counters = kept;
        let renumber = |counts: &mut Vec<CountRange>| {
            counts.iter_mut().for_each(|range| range.counter = number[range.counter]);
            *counts = joined(counts);
        };
        self.operators.iter_mut().for_each(|operator| renumber(&mut operator.counts));
        self.never.iter_mut().for_each(|never| renumber(&mut never.counts));
    }

    /// Returns the applicable operators with their successors. An operator that does not change the state is no move.
    pub fn successors<'a>(&'a self, state: &'a [Value]) -> impl Iterator<Item = (usize, Vec<Value>)> + 'a {
        let legal = self.operators.iter().enumerate().filter(|(_, operator)| self.holds(operator, state));
        let made = legal.map(|(number, operator)| (number, operator.after(state)));
        made.filter(move |(_, after)| after != state && self.is_allowed(after))
    }
}

/// Returns disjunctions with other conjunctions.
pub(crate) fn with(all: &[Disjunction], conjunction: impl Fn(&[Condition]) -> Vec<Condition>) -> Vec<Disjunction> {
    all.iter().map(|any| any.iter().map(|all| conjunction(all)).collect()).collect()
}

/// Returns the values that a conjunction, sorted by variable, allows a variable, if restricted.
pub fn condition_on(conditions: &[Condition], var: Var) -> Option<&Values> {
    let at = conditions.binary_search_by_key(&var, |&(var, _)| var).ok()?;
    Some(&conditions[at].1)
}

/// Returns whether all conditions hold in a state.
pub fn all_hold(conditions: &[Condition], state: &[Value]) -> bool {
    conditions.iter().all(|(var, values)| values.contains(state[*var]))
}

/// Returns the number of conditions that hold in a state.
pub fn number_holding(conditions: &[Condition], state: &[Value]) -> u32 {
    conditions.iter().filter(|(var, values)| values.contains(state[*var])).count() as u32
}

/// Sorts ranges by counter, and intersects those of the same counter. An empty intersection stays, as a range that no
/// number is in.
pub(crate) fn joined(counts: &[CountRange]) -> Vec<CountRange> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let mut all: Vec<CountRange> = Vec::new();
    for range in sorted {
        match all.last_mut().filter(|last| last.counter == range.counter) {
            Some(last) => (last.least, last.most) = (last.least.max(range.least), last.most.min(range.most)),
            None => all.push(range),
        }
    }
    all
}

/// Returns whether an alternative holds in a state.
fn one_holds(any: &Disjunction, state: &[Value]) -> bool {
    any.iter().any(|conditions| all_hold(conditions, state))
}
