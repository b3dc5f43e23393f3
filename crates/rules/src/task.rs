//! What rules become before they are packed: variables of finite domains, and operators that read and write them.
//!
//! This is the planning task of Bäckström and Nebel (1995) with two additions: a condition may be a set of values, and a
//! value may come from what a variable held before, by a table. So tiles that keep what they are, and lamps that turn
//! over, need one operator and not one for each value. Everything that is found out about a puzzle (what never changes,
//! invariants, heuristics) is found here; searches see the packed space alone.

/// The number of a variable.
pub(super) type Var = usize;

/// The number of a value of a variable.
pub(super) type Value = u8;

/// The most values of a variable.
pub(super) const MOST_VALUES: usize = 256;

/// A set of values of one variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Values([u64; MOST_VALUES / 64]);

impl Values {
    /// No value.
    pub const NONE: Values = Values([0; MOST_VALUES / 64]);

    /// One value.
    pub fn one(value: Value) -> Values {
        let mut values = Values::NONE;
        values.insert(value);
        values
    }

    /// The values below a number.
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

    /// The only value, if there is one alone.
    pub fn only(&self) -> Option<Value> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (at * 64 + bit) as u8)
        })
    }

    pub fn and(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub fn or(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Those of this set that are not in the other.
    pub fn without(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// Whether all of these are among the others.
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

/// What must hold of one variable.
pub(super) type Condition = (Var, Values);

/// Alternatives: all conditions of one of them must hold.
pub(super) type Either = Vec<Vec<Condition>>;

/// A variable of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// What it is called in reports: `cell[2, 3]`, `farmer`.
    pub name: String,
    /// What its values are called, by number.
    pub values: Vec<String>,
}

/// What an operator writes to one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Source {
    /// This value.
    Value(Value),
    /// What the table says of the value that a variable, this one or another, held before. Entries for values that the
    /// conditions rule out mean nothing.
    Of(Var, Box<[Value]>),
}

/// What an operator does to one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Effect {
    pub target: Var,
    pub source: Source,
}

/// A rule at one place, with everything settled but the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    /// What it costs.
    pub cost: u32,
    /// In the order of the variables, each once; no set is empty, or all values of its variable.
    pub conditions: Vec<Condition>,
    /// Of each of these, one alternative must hold, too. Bounds may leave them out.
    pub either: Vec<Either>,
    /// In the order of the targets, each once; all are made at once. None writes what is there anyway.
    pub effects: Vec<Effect>,
    /// The move that it is: operators of one move differ in their conditions, and no two of them can be made at once.
    pub action: u32,
}

/// How many of some facts must hold: from the first number to the second.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Count {
    /// The facts, each of another variable.
    pub of: Vec<Condition>,
    pub least: u32,
    pub most: u32,
}

/// What must hold in the end, all of it at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Goal {
    /// In the order of the variables, each once.
    pub conditions: Vec<Condition>,
    pub counts: Vec<Count>,
    /// Of each of these, all conditions of one alternative.
    pub either: Vec<Either>,
}

/// A puzzle in variables and operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Task {
    pub variables: Vec<Variable>,
    /// In the order of the moves.
    pub operators: Vec<Operator>,
    pub start: Vec<Value>,
    /// Any one of these; none is a puzzle without a goal that can be reached.
    pub goals: Vec<Goal>,
    /// States in which all conditions of one of these hold must never be; the start is none of them.
    pub never: Vec<Vec<Condition>>,
}

impl Operator {
    /// The values of a variable in which it can be made.
    pub fn condition(&self, var: Var) -> Option<&Values> {
        let at = self.conditions.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        Some(&self.conditions[at].1)
    }

    /// What it writes to a variable.
    pub fn effect(&self, var: Var) -> Option<&Source> {
        let at = self.effects.binary_search_by_key(&var, |effect| effect.target).ok()?;
        Some(&self.effects[at].source)
    }

    /// Whether its conditions hold; what must never be is not looked at.
    pub fn holds(&self, state: &[Value]) -> bool {
        hold(&self.conditions, state) && self.either.iter().all(|any| one_holds(any, state))
    }

    /// The state after it.
    pub fn after(&self, state: &[Value]) -> Vec<Value> {
        let mut after = state.to_vec();
        for effect in &self.effects {
            after[effect.target] = match &effect.source {
                Source::Value(value) => *value,
                Source::Of(var, table) => table[usize::from(state[*var])],
            };
        }
        after
    }
}

impl Goal {
    /// Whether a state is one of these.
    pub fn holds(&self, state: &[Value]) -> bool {
        hold(&self.conditions, state)
            && self.counts.iter().all(|count| count.holds(state))
            && self.either.iter().all(|any| one_holds(any, state))
    }
}

impl Count {
    /// Whether so many of the facts hold.
    pub fn holds(&self, state: &[Value]) -> bool {
        let number = self.of.iter().filter(|(var, values)| values.contains(state[*var])).count() as u32;
        (self.least..=self.most).contains(&number)
    }
}

impl Task {
    /// The number of values of a variable.
    pub fn size(&self, var: Var) -> usize {
        self.variables[var].values.len()
    }

    /// The values of a variable in which an operator can be made, all of them where it says nothing.
    pub fn allowed(&self, operator: &Operator, var: Var) -> Values {
        operator.condition(var).copied().unwrap_or_else(|| Values::below(self.size(var)))
    }

    /// Whether a state is a goal.
    pub fn is_goal(&self, state: &[Value]) -> bool {
        self.goals.iter().any(|goal| goal.holds(state))
    }

    /// Whether a state may be.
    pub fn may_be(&self, state: &[Value]) -> bool {
        !self.never.iter().any(|never| hold(never, state))
    }

    /// The moves of a state by the number of their operator, with the states that they lead to: what changes nothing is no
    /// move.
    #[cfg(test)]
    pub fn successors<'a>(&'a self, state: &'a [Value]) -> impl Iterator<Item = (usize, Vec<Value>)> + 'a {
        let legal = self.operators.iter().enumerate().filter(|(_, operator)| operator.holds(state));
        let made = legal.map(|(number, operator)| (number, operator.after(state)));
        made.filter(move |(_, after)| after != state && self.may_be(after))
    }
}

/// Whether all conditions hold in a state.
pub(super) fn hold(conditions: &[Condition], state: &[Value]) -> bool {
    conditions.iter().all(|(var, values)| values.contains(state[*var]))
}

/// Whether one of the alternatives holds in a state.
fn one_holds(any: &Either, state: &[Value]) -> bool {
    any.iter().any(|conditions| hold(conditions, state))
}
