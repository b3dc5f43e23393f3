//! Abstractions: a partition of each variable's values into classes, and the transitions that operators induce on
//! classes.
//!
//! A variable whose values form one class is projected away (Culberson and Schaeffer, Pattern databases, 1998;
//! Edelkamp, Planning with pattern databases, 2001). The code of an abstract state is a mixed-radix number: its digits are
//! the classes of the kept variables.
//!
//! A move from s to s' induces a transition from the class of s to that of s'. An operator gets one transition for each
//! combination of classes that it can read; its other conditions become the sets of classes that they intersect. An
//! abstract state is a goal if it may contain one. So a path of the task induces an abstract path of the same cost, and
//! abstract distances are admissible.

use crate::search::BuildContext;
use crate::task::sorted::sorted;
use crate::task::{Condition, Count, Operator, Source, Task, Value, Values, Var};
use std::collections::BTreeMap;

/// The number of an abstract state.
pub type Code = u64;

/// The most transitions that are stored.
const MOST_TRANSITIONS: usize = 1 << 16;

/// A partition of the values of each variable into classes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Abstraction {
    classes: Vec<Box<[Value]>>,
    /// The number of classes of each variable.
    counts: Vec<usize>,
    /// The variables with more than one class.
    pub kept: Vec<Var>,
    /// The weight of each kept variable's digit.
    radix: Vec<Code>,
    /// The number of codes.
    pub codes: Code,
}

/// The index of a kept variable, with its class before and after a transition.
pub type Touched = (usize, Value, Value);

/// An abstract transition.
pub struct Transition {
    pub cost: u32,
    /// The operators that induce it.
    pub operators: Vec<u32>,
    /// At least one class changes.
    pub touched: Vec<Touched>,
    /// Conditions on other kept variables, as sets of classes.
    pub others: Vec<(usize, Values)>,
    /// The change of the code, modulo 2^64.
    pub delta: Code,
}

/// A goal or a `never` condition, as classes.
struct Region {
    conditions: Vec<(usize, Values)>,
    counts: Vec<AbstractCount>,
}

/// A count: for each fact, the classes that may contain it and the classes that lie within it.
struct AbstractCount {
    facts: Vec<(usize, Values, Values)>,
    /// The number of facts of other variables that may hold, and that must hold.
    elsewhere: (u32, u32),
    least: u32,
    most: u32,
}

/// The abstract goals, and the abstract states that are forbidden.
pub struct Regions {
    goals: Vec<Region>,
    never: Vec<Region>,
}

impl Abstraction {
    /// Builds an abstraction from the class of each value, numbered from 0 without gaps. `None` if the number of codes
    /// overflows.
    pub fn new(classes: Vec<Box<[Value]>>) -> Option<Abstraction> {
        let counts: Vec<usize> =
            classes.iter().map(|classes| classes.iter().max().map_or(1, |&most| usize::from(most) + 1)).collect();
        let kept: Vec<Var> = (0..counts.len()).filter(|&var| counts[var] > 1).collect();
        let mut codes: Code = 1;
        let mut radix = Vec::new();
        for &var in &kept {
            radix.push(codes);
            codes = codes.checked_mul(counts[var] as Code)?;
        }
        Some(Abstraction { classes, counts, kept, radix, codes })
    }

    /// Builds the projection to some variables.
    pub fn projection(task: &Task, kept: &[Var]) -> Option<Abstraction> {
        let classes = (0..task.variables.len()).map(|var| {
            let values = 0..task.size(var) as Value;
            if kept.contains(&var) { values.collect() } else { values.map(|_| 0).collect() }
        });
        Abstraction::new(classes.collect())
    }

    fn class(&self, var: Var, value: Value) -> Value {
        self.classes[var][usize::from(value)]
    }

    /// Returns the code contributed by each value of each kept variable.
    pub fn parts(&self) -> impl Iterator<Item = (Var, Vec<Code>)> + '_ {
        let parts = |(&var, &radix): (&Var, &Code)| {
            (var, self.classes[var].iter().map(|&class| radix * Code::from(class)).collect())
        };
        self.kept.iter().zip(&self.radix).map(parts)
    }

    pub fn code(&self, state: &[Value]) -> Code {
        let digits = self.kept.iter().zip(&self.radix);
        digits.map(|(&var, radix)| radix * Code::from(self.class(var, state[var]))).sum()
    }

    /// Writes the classes of an abstract state.
    pub fn digits(&self, mut code: Code, digits: &mut [Value]) {
        for (digit, &var) in digits.iter_mut().zip(&self.kept) {
            *digit = (code % self.counts[var] as Code) as Value;
            code /= self.counts[var] as Code;
        }
    }

    /// Changes the classes of an abstract state to those of the next code.
    pub fn next_digits(&self, digits: &mut [Value]) {
        for (digit, &var) in digits.iter_mut().zip(&self.kept) {
            *digit += 1;
            if usize::from(*digit) < self.counts[var] {
                return;
            }
            *digit = 0;
        }
    }

    /// Returns the number of classes of the kept variable at an index.
    pub fn size(&self, place: usize) -> usize {
        self.counts[self.kept[place]]
    }

    fn place(&self, var: Var) -> Option<usize> {
        self.kept.binary_search(&var).ok()
    }

    /// Returns the classes that intersect a set of values.
    fn classes_of(&self, var: Var, values: &Values) -> Values {
        values.iter().map(|value| self.class(var, value)).collect()
    }

    /// Returns the classes that lie within a set of values.
    fn classes_within(&self, task: &Task, var: Var, values: &Values) -> Values {
        let rest = Values::below(task.size(var)).without(values);
        Values::below(self.counts[var]).without(&self.classes_of(var, &rest))
    }

    /// Returns the transitions of all operators, each once, with its least cost; `None` if they are too many or
    /// `context` ends the computation.
    pub fn transitions(&self, task: &Task, context: &BuildContext) -> Option<Vec<Transition>> {
        type Change = (Vec<Touched>, Vec<(usize, Values)>);
        let mut inducing: BTreeMap<Change, Vec<u32>> = BTreeMap::new();
        for (number, operator) in task.operators.iter().enumerate() {
            let others = self.others(operator);
            for touched in self.changes(task, operator)? {
                let operators = inducing.entry((touched, others.clone())).or_default();
                // An operator may change the same classes in several states.
                if operators.last() != Some(&(number as u32)) {
                    operators.push(number as u32);
                }
            }
            if inducing.len() > MOST_TRANSITIONS || context.should_stop() {
                return None;
            }
        }
        let transition = |((touched, others), operators): (Change, Vec<u32>)| {
            let cost = operators.iter().map(|&number| task.operators[number as usize].cost).min().unwrap_or(0);
            let delta = touched.iter().fold(0, |sum: Code, &(place, before, after)| {
                let change = Code::from(after).wrapping_sub(Code::from(before));
                sum.wrapping_add(change.wrapping_mul(self.radix[place]))
            });
            Transition { cost, operators, touched, others, delta }
        };
        Some(inducing.into_iter().map(transition).collect())
    }

    /// Returns the conditions on variables that an operator does not touch, as classes.
    fn others(&self, operator: &Operator) -> Vec<(usize, Values)> {
        let touched = self.touched(operator);
        let conditions = operator.conditions.iter().filter(|(var, _)| !touched.contains(var));
        let classes = conditions.filter_map(|(var, values)| Some((self.place(*var)?, self.classes_of(*var, values))));
        classes.filter(|(place, classes)| classes.len() < self.size(*place)).collect()
    }

    /// Returns the targets of an operator's effects on kept variables, and the variables that these effects read.
    fn touched(&self, operator: &Operator) -> Vec<Var> {
        let kept = operator.effects.iter().filter(|effect| self.counts[effect.target] > 1);
        sorted(kept.flat_map(|effect| [effect.target].into_iter().chain(effect.source.reads())))
    }

    /// Returns all changes of classes that an operator can make.
    fn changes(&self, task: &Task, operator: &Operator) -> Option<Vec<Vec<Touched>>> {
        let kept = |facts: &mut dyn Iterator<Item = (Var, Value)>| -> Vec<(Var, Value)> {
            let kept = facts.filter(|(target, _)| self.counts[*target] > 1);
            kept.map(|(target, value)| (target, self.class(target, value))).collect()
        };
        // The classes after the operator. At first only those of constant effects.
        let constant: BTreeMap<Var, Value> = kept(&mut operator.constants()).into_iter().collect();
        let mut choices: Vec<(BTreeMap<Var, Value>, BTreeMap<Var, Value>)> = vec![(BTreeMap::new(), constant)];
        for var in self.touched(operator) {
            // For each old value: its own class, and the classes of the effects that read it.
            let mut aspects: Vec<(Value, Vec<(Var, Value)>)> = Vec::new();
            for value in task.allowed(operator, var).iter() {
                aspects.push((self.class(var, value), kept(&mut operator.looked_up(var, value))));
            }
            aspects.sort_unstable();
            aspects.dedup();
            if choices.len() * aspects.len() > MOST_TRANSITIONS {
                return None;
            }
            let all = choices.iter().flat_map(|(before, after)| {
                aspects.iter().map(move |(class, made)| {
                    let (mut before, mut after) = (before.clone(), after.clone());
                    before.insert(var, *class);
                    after.extend(made.iter().copied());
                    (before, after)
                })
            });
            choices = all.collect();
        }
        let changes = choices.into_iter().map(|(before, after)| {
            let places = before.into_iter().filter_map(|(var, class)| Some((self.place(var)?, var, class)));
            places.map(|(place, var, class)| (place, class, after.get(&var).copied().unwrap_or(class))).collect()
        });
        let differ = |touched: &Vec<Touched>| touched.iter().any(|&(_, before, after)| before != after);
        Some(changes.filter(differ).collect())
    }

    /// Returns the events in which an operator may change a class: each event is a conjunction of sets of old values.
    pub fn changed_by(&self, task: &Task, operator: &Operator) -> Vec<Vec<(Var, Values)>> {
        let kept = operator.effects.iter().filter(|effect| self.counts[effect.target] > 1);
        let events = kept.map(|effect| {
            let target = effect.target;
            let allowed = task.allowed(operator, target);
            let differs = |old: Value, new: Value| self.class(target, old) != self.class(target, new);
            match &effect.source {
                Source::Value(new) => vec![(target, allowed.iter().filter(|&old| differs(old, *new)).collect())],
                Source::Table(of, table) if *of == target => {
                    let changed = |&old: &Value| differs(old, table[usize::from(old)]);
                    vec![(target, allowed.iter().filter(changed).collect::<Values>())]
                }
                Source::Table(of, table) => {
                    let sources = task.allowed(operator, *of);
                    let new = |value: Value| table[usize::from(value)];
                    let changed = |&old: &Value| sources.iter().any(|value| differs(old, new(value)));
                    let changes = |&value: &Value| allowed.iter().any(|old| differs(old, new(value)));
                    vec![
                        (target, allowed.iter().filter(changed).collect::<Values>()),
                        (*of, sources.iter().filter(changes).collect()),
                    ]
                }
            }
        });
        events.filter(|event| event.iter().all(|(_, values)| !values.is_empty())).collect()
    }

    /// Returns the abstract goals and the forbidden abstract states.
    pub fn regions(&self, task: &Task) -> Regions {
        let may_hold = |condition: &Condition| (condition.0, self.classes_of(condition.0, &condition.1));
        let must_hold = |condition: &Condition| (condition.0, self.classes_within(task, condition.0, &condition.1));
        let at = |(var, classes): (Var, Values)| Some((self.place(var)?, classes));
        let goals = task.goals.iter().map(|goal| Region {
            conditions: goal.conditions.iter().map(may_hold).filter_map(at).collect(),
            counts: goal.counts.iter().map(|count| self.count(task, count)).collect(),
        });
        // A `never` condition on a projected variable forbids no abstract state. One on a counter is ignored, as are
        // the counts of operators: more moves are allowed then, and distances are at most shorter.
        let is_kept = |(var, _): &Condition| self.place(*var).is_some();
        let never = task.never.iter().filter(|never| never.counts.is_empty() && never.conditions.iter().all(is_kept));
        let never = never.map(|never| Region {
            conditions: never.conditions.iter().map(must_hold).filter_map(at).collect(),
            counts: Vec::new(),
        });
        Regions { goals: goals.collect(), never: never.collect() }
    }

    fn count(&self, task: &Task, count: &Count) -> AbstractCount {
        let mut facts = Vec::new();
        let mut elsewhere = (0, 0);
        for (var, values) in &count.of {
            let (may, must) = (self.classes_of(*var, values), self.classes_within(task, *var, values));
            match self.place(*var) {
                Some(place) => facts.push((place, may, must)),
                None => {
                    elsewhere.0 += u32::from(!may.is_empty());
                    elsewhere.1 += u32::from(!must.is_empty());
                }
            }
        }
        AbstractCount { facts, elsewhere, least: count.least, most: count.most }
    }
}

impl Regions {
    /// Returns whether an abstract state may contain a goal.
    pub fn is_goal(&self, digits: &[Value]) -> bool {
        self.goals.iter().any(|goal| goal.holds(digits)) && !self.is_never(digits)
    }

    /// Returns whether any abstract state may be forbidden.
    pub fn has_never(&self) -> bool {
        !self.never.is_empty()
    }

    /// Returns whether all states of an abstract state are forbidden.
    pub fn is_never(&self, digits: &[Value]) -> bool {
        self.never.iter().any(|never| never.holds(digits))
    }
}

impl Region {
    fn holds(&self, digits: &[Value]) -> bool {
        let is = |(place, classes): &(usize, Values)| classes.contains(digits[*place]);
        self.conditions.iter().all(is) && self.counts.iter().all(|count| count.may_hold(digits))
    }
}

impl AbstractCount {
    fn may_hold(&self, digits: &[Value]) -> bool {
        let count = |which: fn(&(usize, Values, Values)) -> (usize, &Values)| {
            let hold = self.facts.iter().map(which).filter(|(place, classes)| classes.contains(digits[*place]));
            hold.count() as u32
        };
        let may = self.elsewhere.0 + count(|(place, may, _)| (*place, may));
        let must = self.elsewhere.1 + count(|(place, _, must)| (*place, must));
        may >= self.least && must <= self.most
    }
}
