//! The planning task that rules are compiled to: finite-domain variables, and operators that read and write them.
//!
//! This is SAS+ (Bäckström and Nebel 1995) with two extensions. A condition may be a set of values. An effect may look
//! up its value in a table, indexed by the old value of a variable. So moving tiles and toggled lamps need one operator
//! and not one for each value. All analyses of a puzzle (reachability, invariants, heuristics) work on tasks; searches
//! see only the packed state space.

/// The index of a variable.
pub(super) type Var = usize;

/// The index of a value of a variable.
pub(super) type Value = u16;

/// The most values of a variable.
pub(super) const MOST_VALUES: usize = 512;

/// A set of values of one variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Values([u64; MOST_VALUES / 64]);

impl Values {
    /// The empty set.
    pub const NONE: Values = Values([0; MOST_VALUES / 64]);

    /// Returns the set of one value.
    pub fn one(value: Value) -> Values {
        let mut values = Values::NONE;
        values.insert(value);
        values
    }

    /// Returns the set of the values below a number.
    pub fn below(count: usize) -> Values {
        (0..count).map(|value| value as Value).collect()
    }

    pub fn insert(&mut self, value: Value) {
        self.0[usize::from(value) / 64] |= 1 << (value % 64);
    }

    pub fn contains(&self, value: Value) -> bool {
        self.0[usize::from(value) / 64] >> (value % 64) & 1 == 1
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == Values::NONE
    }

    /// Returns the only value of a set with one value.
    pub fn only(&self) -> Option<Value> {
        let at = self.0.iter().position(|word| *word != 0)?;
        let is_only = self.0[at].is_power_of_two() && self.0[at + 1..].iter().all(|word| *word == 0);
        is_only.then(|| (at * 64) as Value + self.0[at].trailing_zeros() as Value)
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + use<> {
        let (mut words, mut at) = (self.0, 0);
        std::iter::from_fn(move || {
            while *words.get(at)? == 0 {
                at += 1;
            }
            let bit = words[at].trailing_zeros() as usize;
            words[at] &= words[at] - 1;
            Some((at * 64 + bit) as Value)
        })
    }

    pub fn and(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub fn or(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Returns the set difference.
    pub fn without(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// Returns whether this is a subset of another set.
    pub fn is_within(&self, others: &Values) -> bool {
        self.without(others).is_empty()
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        let mut all = Values::NONE;
        values.into_iter().for_each(|value| all.insert(value));
        all
    }
}

/// A condition: a variable has one of some values.
pub(super) type Condition = (Var, Values);

/// A disjunction of alternatives, each of them a conjunction of conditions.
pub(super) type Disjunction = Vec<Vec<Condition>>;

/// A variable of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// The name in reports: `cell[2, 3]`, `farmer`.
    pub name: String,
    /// The names of the values.
    pub values: Vec<String>,
}

/// The source of an effect's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Source {
    /// A constant.
    Value(Value),
    /// The table's entry for the old value of a variable, which need not be the target. Entries for values that the
    /// conditions exclude are arbitrary.
    Table(Var, Box<[Value]>),
}

/// An effect on one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Effect {
    pub target: Var,
    pub source: Source,
}

/// A ground operator: a rule with fixed parameters at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    pub cost: u32,
    /// Sorted by variable, each at most once. No set is empty or contains all values of its variable.
    pub conditions: Vec<Condition>,
    /// One alternative of each disjunction must hold. Lower bounds may ignore these.
    pub disjunctions: Vec<Disjunction>,
    /// Sorted by target, each at most once; all are simultaneous. No effect writes the old value in every state.
    pub effects: Vec<Effect>,
    /// The move of the operator. Operators of one move exclude each other.
    pub action: u32,
}

/// A bound on the number of some facts that hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Count {
    /// The facts, of distinct variables.
    pub of: Vec<Condition>,
    pub least: u32,
    pub most: u32,
}

/// A goal: a conjunction of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Goal {
    /// Sorted by variable, each at most once.
    pub conditions: Vec<Condition>,
    pub counts: Vec<Count>,
    /// One alternative of each disjunction must hold.
    pub disjunctions: Vec<Disjunction>,
}

/// A planning task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Task {
    pub variables: Vec<Variable>,
    /// In the order of the moves.
    pub operators: Vec<Operator>,
    pub start: Vec<Value>,
    /// A state needs to satisfy one goal. If there are none, the puzzle is unsolvable.
    pub goals: Vec<Goal>,
    /// Conjunctions of which none may hold in a state; the start satisfies this.
    pub never: Vec<Vec<Condition>>,
}

/// The beginning of the name of a variable for the place of a unique symbol.
const PLACE_OF: &str = "place of ";

impl Variable {
    /// Returns the name of a variable for the place of a unique symbol.
    pub fn name_of_place(symbol: &str) -> String {
        format!("{PLACE_OF}{symbol}")
    }

    /// Returns the symbol if this is the variable for its place.
    pub fn place_of(&self) -> Option<&str> {
        self.name.strip_prefix(PLACE_OF)
    }
}

impl Operator {
    /// Returns the values of a variable for which the operator is applicable, if restricted.
    pub fn condition(&self, var: Var) -> Option<&Values> {
        let at = self.conditions.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        Some(&self.conditions[at].1)
    }

    /// Returns the source of the effect on a variable.
    pub fn effect(&self, var: Var) -> Option<&Source> {
        let at = self.effects.binary_search_by_key(&var, |effect| effect.target).ok()?;
        Some(&self.effects[at].source)
    }

    /// Returns whether the preconditions hold. `never` is not checked.
    pub fn holds(&self, state: &[Value]) -> bool {
        all_hold(&self.conditions, state) && self.disjunctions.iter().all(|any| one_holds(any, state))
    }

    /// Returns the successor.
    pub fn after(&self, state: &[Value]) -> Vec<Value> {
        let mut after = state.to_vec();
        for effect in &self.effects {
            after[effect.target] = match &effect.source {
                Source::Value(value) => *value,
                Source::Table(var, table) => table[usize::from(state[*var])],
            };
        }
        after
    }
}

impl Goal {
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
        let number = self.of.iter().filter(|(var, values)| values.contains(state[*var])).count() as u32;
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
        operator.condition(var).copied().unwrap_or_else(|| Values::below(self.size(var)))
    }

    /// Returns whether a state is a goal.
    pub fn is_goal(&self, state: &[Value]) -> bool {
        self.goals.iter().any(|goal| goal.holds(state))
    }

    /// Returns whether no `never` condition holds in a state.
    pub fn is_allowed(&self, state: &[Value]) -> bool {
        !self.never.iter().any(|never| all_hold(never, state))
    }

    /// Returns the applicable operators with their successors. An operator that does not change the state is no move.
    #[cfg(test)]
    pub fn successors<'a>(&'a self, state: &'a [Value]) -> impl Iterator<Item = (usize, Vec<Value>)> + 'a {
        let legal = self.operators.iter().enumerate().filter(|(_, operator)| operator.holds(state));
        let made = legal.map(|(number, operator)| (number, operator.after(state)));
        made.filter(move |(_, after)| after != state && self.is_allowed(after))
    }
}

/// Returns whether all conditions hold in a state.
pub(super) fn all_hold(conditions: &[Condition], state: &[Value]) -> bool {
    conditions.iter().all(|(var, values)| values.contains(state[*var]))
}

/// Returns whether an alternative holds in a state.
fn one_holds(any: &Disjunction, state: &[Value]) -> bool {
    any.iter().any(|conditions| all_hold(conditions, state))
}
