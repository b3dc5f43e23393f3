//! An index of operators by one condition of each: finds those that may be applicable from what is rare in a state,
//! such as its pieces, instead of testing all. A board has far fewer boxes than places.
//!
//! The *trigger* of an operator is the condition that is expected to hold least often. The expectation is only a guess
//! from the start; the operators that are found do not depend on it.

use crate::packed::{Field, StateLayout, Word};
use crate::task::{Condition, Task, Value, Values, Var};
use rustc_hash::FxHashMap;

/// With fewer variables that can have a value of this name, its frequency at the start is no guide.
const FEW: u32 = 4;

/// Operators by their triggers.
pub(crate) struct Triggers<W> {
    /// The bits that are triggers, and their more frequent values, which trigger nothing.
    mask: W,
    usual: W,
    /// The operators by the bit of a state.
    by_bit: Vec<Vec<u32>>,
    /// The operators by the value of a larger variable.
    by_value: Vec<(Field, Vec<Vec<u32>>)>,
    /// The expected number of operators that a state triggers.
    expected: f64,
}

/// The expected frequencies of the values of each variable.
struct Frequencies(Vec<Expected>);

/// The expected frequencies of a variable's values.
enum Expected {
    /// Each is this frequent, as are the places of a piece: there may be thousands.
    Alike(f64),
    Each(Vec<f64>),
}

impl Frequencies {
    /// Takes the frequencies of their names in the start.
    fn of(task: &Task) -> Frequencies {
        // The number of variables that have the name in the start, and of those that may have it.
        let mut by_name: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
        for (variable, &value) in task.variables.iter().zip(&task.start) {
            variable.values.iter().for_each(|name| by_name.entry(name).or_default().1 += 1);
            by_name.entry(&variable.values[usize::from(value)]).or_default().0 += 1;
        }
        let expected = task.variables.iter().map(|variable| {
            let alike = 1.0 / variable.values.len() as f64;
            // Pieces on a board share the names of its cells, but each of them is in one.
            if variable.place_of().is_some() {
                return Expected::Alike(alike);
            }
            let counts: Vec<(u32, u32)> = variable.values.iter().map(|name| by_name[name.as_str()]).collect();
            if counts.iter().all(|&(_, of)| of < FEW) {
                return Expected::Alike(alike);
            }
            let frequency = |&(times, of): &(u32, u32)| match of {
                0..FEW => alike,
                FEW.. => (f64::from(times) + 0.5) / (f64::from(of) + 1.0),
            };
            Expected::Each(counts.iter().map(frequency).collect())
        });
        Frequencies(expected.collect())
    }

    fn frequency(&self, var: Var, values: &Values) -> f64 {
        match &self.0[var] {
            Expected::Alike(frequency) => values.len() as f64 * frequency,
            Expected::Each(frequencies) => values.iter().map(|value| frequencies[usize::from(value)]).sum(),
        }
    }

    /// Returns the more frequent value of a bit.
    fn usual(&self, var: Var) -> Value {
        let of = |value| self.frequency(var, &Values::one(value));
        Value::from(of(1) > of(0))
    }
}

impl<W: Word> Triggers<W> {
    /// Indexes some operators by variables other than `except`. Returns `None` if one of them has no trigger.
    pub fn new(
        task: &Task,
        layout: &StateLayout,
        operators: impl Iterator<Item = u32>,
        except: Option<Var>,
    ) -> Option<Triggers<W>> {
        let frequencies = Frequencies::of(task);
        let is_trigger = |(var, values): &&Condition| match task.size(*var) {
            _ if except == Some(*var) => false,
            0 | 1 => false,
            2 => values.only().is_some_and(|value| value != frequencies.usual(*var)),
            _ => true,
        };
        let (mut mask, mut usual) = (W::zero(layout.bits), W::zero(layout.bits));
        let mut by_bit: Vec<Vec<u32>> = vec![Vec::new(); layout.bits];
        let mut by_value: Vec<Vec<Vec<u32>>> = vec![Vec::new(); layout.fields.len()];
        let mut expected = 0.0;
        for number in operators {
            let conditions = task.operators[number as usize].conditions.iter().filter(is_trigger);
            let rated = conditions.map(|(var, values)| (frequencies.frequency(*var, values), *var, values));
            let (frequency, var, values) = rated.min_by(|one, other| one.0.total_cmp(&other.0))?;
            let field = layout.fields[var];
            expected += frequency;
            let Some(bit) = field.bit() else {
                let lists = &mut by_value[var];
                lists.resize(task.size(var), Vec::new());
                values.iter().for_each(|value| lists[usize::from(value)].push(number));
                continue;
            };
            if by_bit[bit].is_empty() {
                mask.put(field, 1);
                usual.put(field, frequencies.usual(var));
            }
            by_bit[bit].push(number);
        }
        let by_value = layout.fields.iter().copied().zip(by_value).filter(|(_, values)| !values.is_empty()).collect();
        Some(Triggers { mask, usual, by_bit, by_value, expected })
    }

    /// Returns whether a state takes less time than testing this many operators on average.
    pub fn pay(&self, average: f64) -> bool {
        // In nanoseconds, roughly: a test by masks reads all words of a state, another one some fields.
        let test = if W::MASKS { size_of::<W>() as f64 / 8.0 } else { 16.0 };
        40.0 + 2.0 * self.by_value.len() as f64 + (test + 3.0) * self.expected < test * average
    }

    /// Calls `visit` with each operator whose trigger a state has, in no order.
    #[inline]
    pub fn for_each(&self, word: &W, mut visit: impl FnMut(u32)) {
        word.for_each_difference(&self.usual, &self.mask, |bit| {
            self.by_bit[bit].iter().for_each(|&number| visit(number));
        });
        for (field, values) in &self.by_value {
            values[usize::from(word.get(*field))].iter().for_each(|&number| visit(number));
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.by_bit.iter().chain(self.by_value.iter().flat_map(|(_, values)| values)).map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SplitMix64;
    use crate::task::{Operator, Variable};

    /// Returns a task with conditions of one value or several, on variables of two values or more.
    fn random_task(random: &mut SplitMix64) -> Task {
        let sizes: Vec<usize> = (0..3 + random.below(6)).map(|_| 2 + random.below(5) as usize).collect();
        let variable =
            |&size: &usize| Variable { name: String::new(), values: (0..size).map(|at| at.to_string()).collect() };
        let operator = |random: &mut SplitMix64| {
            let mut conditions: Vec<Condition> = Vec::new();
            for (var, &size) in sizes.iter().enumerate() {
                let values: Values = (0..size as Value).filter(|_| random.below(3) == 0).collect();
                if !values.is_empty() && random.below(3) > 0 {
                    conditions.push((var, values));
                }
            }
            let (disjunctions, counts, effects) = (Vec::new(), Vec::new(), Vec::new());
            Operator { cost: 1, conditions, disjunctions, counts, effects, action: 0 }
        };
        Task {
            variables: sizes.iter().map(variable).collect(),
            operators: (0..20).map(|_| operator(random)).collect(),
            start: sizes.iter().map(|&size| random.below(size as u64) as Value).collect(),
            ..Task::default()
        }
    }

    /// Checks that every operator that holds is found, and none twice.
    fn check<W: Word>(task: &Task, layout: &StateLayout, random: &mut SplitMix64) -> bool {
        let except = Some(0).filter(|_| random.below(2) == 0);
        let Some(triggers) = Triggers::<W>::new(task, layout, 0..task.operators.len() as u32, except) else {
            return false;
        };
        for _ in 0..50 {
            let state: Vec<Value> =
                (0..task.variables.len()).map(|var| random.below(task.size(var) as u64) as Value).collect();
            let mut found = Vec::new();
            triggers.for_each(&layout.pack(&state), |number| found.push(number));
            found.sort_unstable();
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?} in {state:?}: {task:?}");
            for (number, operator) in (0..).zip(&task.operators) {
                let holds = operator.conditions.iter().all(|(var, values)| values.contains(state[*var]));
                assert!(!holds || found.contains(&number), "{number} in {state:?}: {task:?}");
            }
        }
        true
    }

    #[test]
    fn every_operator_that_holds_is_triggered() {
        let random = &mut SplitMix64::new(1);
        let mut indexed = 0;
        for _ in 0..2000 {
            let mut task = random_task(random);
            // Some operators may have no condition that can trigger them; then there is no index.
            if random.below(2) == 0 {
                let has_rare = |operator: &Operator| operator.conditions.iter().any(|(var, _)| task.size(*var) > 2);
                let kept: Vec<Operator> = task.operators.iter().filter(|one| has_rare(one)).cloned().collect();
                task.operators = kept;
            }
            let layout = StateLayout::new(&task);
            let has_index = check::<u64>(&task, &layout, random) | check::<Box<[u64]>>(&task, &layout, random);
            indexed += u32::from(has_index && !task.operators.is_empty());
        }
        assert!(indexed > 200, "{indexed}: too few tasks have an index");
    }
}
