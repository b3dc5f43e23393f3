//! Abstractions: the values of each variable in classes, and what operators do to the classes.
//!
//! Where all values of a variable are one class, it is projected away (Culberson and Schaeffer, Pattern databases, 1998;
//! Edelkamp, Planning with pattern databases, 2001); where some are, symbols are merged (Holte and Hernádvölgyi, A
//! space-time tradeoff for memory-based heuristics, AAAI 1999). An abstract state has a number, its code: the classes of
//! the variables that are kept, as digits of a mixed radix.
//!
//! A move of the task from s to s' is a transition from the class of s to that of s': for each old value that an
//! operator can read there is a transition with the class of that value, and conditions become the sets of classes that
//! they meet. Goals are the abstract states that some goal may belong to. So a way in the task is a way of the same cost
//! among the abstract states, and their distances never say too much.

use crate::domain::BuildContext;
use crate::task::{Condition, Count, Operator, Source, Task, Value, Values, Var};
use std::collections::BTreeMap;

/// The number of an abstract state.
pub(super) type Code = u64;

/// More transitions than this are not written down.
const MOST_TRANSITIONS: usize = 1 << 16;

/// The class of each value of each variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Abstraction {
    classes: Vec<Box<[u8]>>,
    /// How many classes a variable has.
    counts: Vec<usize>,
    /// The variables with more than one class.
    pub kept: Vec<Var>,
    /// What a class of each of them counts in a code.
    radix: Vec<Code>,
    /// How many codes there are.
    pub codes: Code,
}

/// A change of classes that some move makes.
pub(super) struct Transition {
    pub cost: u32,
    /// The places among the kept variables, with the class before and after; one differs at least.
    pub touched: Vec<(usize, u8, u8)>,
    /// Classes that others must be of.
    pub others: Vec<(usize, Values)>,
    /// What it adds to a code, wrapping.
    pub delta: Code,
}

/// The goals, or what must never be, in classes.
struct Region {
    conditions: Vec<(usize, Values)>,
    counts: Vec<AbstractCount>,
}

/// A count: of each fact, by class, whether it may hold and whether it must.
struct AbstractCount {
    facts: Vec<(usize, Values, Values)>,
    /// How many facts of variables that are not kept may hold, and must.
    elsewhere: (u32, u32),
    least: u32,
    most: u32,
}

/// Which abstract states are goals, and which can never be.
pub(super) struct Regions {
    goals: Vec<Region>,
    never: Vec<Region>,
}

impl Abstraction {
    /// From the class of each value of each variable, numbered from 0 without gaps; none where the codes are too many for
    /// their numbers.
    pub fn new(classes: Vec<Box<[u8]>>) -> Option<Abstraction> {
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

    fn class(&self, var: Var, value: Value) -> u8 {
        self.classes[var][usize::from(value)]
    }

    /// What a value of each kept variable adds to the code.
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

    /// The classes of an abstract state.
    pub fn digits(&self, mut code: Code, digits: &mut [u8]) {
        for (digit, &var) in digits.iter_mut().zip(&self.kept) {
            *digit = (code % self.counts[var] as Code) as u8;
            code /= self.counts[var] as Code;
        }
    }

    /// How many classes the variable at a place among the kept has.
    pub fn size(&self, place: usize) -> usize {
        self.counts[self.kept[place]]
    }

    fn place(&self, var: Var) -> Option<usize> {
        self.kept.binary_search(&var).ok()
    }

    /// The classes of some values.
    fn met(&self, var: Var, values: &Values) -> Values {
        values.iter().map(|value| self.class(var, value)).collect()
    }

    /// The classes of which all values are among these.
    fn within(&self, task: &Task, var: Var, values: &Values) -> Values {
        let rest = Values::below(task.size(var)).without(values);
        Values::below(self.counts[var]).without(&self.met(var, &rest))
    }

    /// What operators do, each thing once with the least cost; none where that is too much, or `context` end it.
    pub fn transitions(&self, task: &Task, context: &BuildContext) -> Option<Vec<Transition>> {
        type Change = (Vec<(usize, u8, u8)>, Vec<(usize, Values)>);
        let mut least: BTreeMap<Change, u32> = BTreeMap::new();
        for operator in &task.operators {
            let others = self.others(operator);
            for touched in self.changes(task, operator)? {
                let cost = least.entry((touched, others.clone())).or_insert(operator.cost);
                *cost = operator.cost.min(*cost);
            }
            if least.len() > MOST_TRANSITIONS || context.should_stop() {
                return None;
            }
        }
        let transition = |((touched, others), cost): (Change, u32)| {
            let delta = touched.iter().fold(0, |sum: Code, &(place, before, after)| {
                let change = Code::from(after).wrapping_sub(Code::from(before));
                sum.wrapping_add(change.wrapping_mul(self.radix[place]))
            });
            Transition { cost, touched, others, delta }
        };
        Some(least.into_iter().map(transition).collect())
    }

    /// The conditions on variables that an operator does not touch, as classes.
    fn others(&self, operator: &Operator) -> Vec<(usize, Values)> {
        let touched = self.touched(operator);
        let conditions = operator.conditions.iter().filter(|(var, _)| !touched.contains(var));
        let classes = conditions.filter_map(|(var, values)| Some((self.place(*var)?, self.met(*var, values))));
        classes.filter(|(place, classes)| classes.len() < self.size(*place)).collect()
    }

    /// The variables on which it depends what an operator makes of the kept ones.
    fn touched(&self, operator: &Operator) -> Vec<Var> {
        let mut touched = Vec::new();
        for effect in operator.effects.iter().filter(|effect| self.counts[effect.target] > 1) {
            touched.push(effect.target);
            if let Source::Of(var, _) = &effect.source {
                touched.push(*var);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// All changes of classes that an operator makes.
    fn changes(&self, task: &Task, operator: &Operator) -> Option<Vec<Vec<(usize, u8, u8)>>> {
        let kept = operator.effects.iter().filter(|effect| self.counts[effect.target] > 1);
        // The classes after: at first those that are always the same.
        let constant: BTreeMap<Var, u8> = kept
            .clone()
            .filter_map(|effect| match effect.source {
                Source::Value(value) => Some((effect.target, self.class(effect.target, value))),
                Source::Of(..) => None,
            })
            .collect();
        let mut choices: Vec<(BTreeMap<Var, u8>, BTreeMap<Var, u8>)> = vec![(BTreeMap::new(), constant)];
        for var in self.touched(operator) {
            // What an old value means: its own class, and the classes that are made of it.
            let mut aspects: Vec<(u8, Vec<(Var, u8)>)> = Vec::new();
            for value in task.allowed(operator, var).iter() {
                let made = kept.clone().filter_map(|effect| match &effect.source {
                    Source::Of(of, table) if *of == var => {
                        Some((effect.target, self.class(effect.target, table[usize::from(value)])))
                    }
                    _ => None,
                });
                aspects.push((self.class(var, value), made.collect()));
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
        let differ = |touched: &Vec<(usize, u8, u8)>| touched.iter().any(|&(_, before, after)| before != after);
        Some(changes.filter(differ).collect())
    }

    /// When an operator may change a class: for each target some old values of some variables, all of them at once.
    pub fn changed_by(&self, task: &Task, operator: &Operator) -> Vec<Vec<(Var, Values)>> {
        let kept = operator.effects.iter().filter(|effect| self.counts[effect.target] > 1);
        let events = kept.map(|effect| {
            let target = effect.target;
            let allowed = task.allowed(operator, target);
            let differs = |old: Value, new: Value| self.class(target, old) != self.class(target, new);
            match &effect.source {
                Source::Value(new) => vec![(target, allowed.iter().filter(|&old| differs(old, *new)).collect())],
                Source::Of(of, table) if *of == target => {
                    let changed = |&old: &Value| differs(old, table[usize::from(old)]);
                    vec![(target, allowed.iter().filter(changed).collect::<Values>())]
                }
                Source::Of(of, table) => {
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

    /// What is a goal, and what can never be.
    pub fn regions(&self, task: &Task) -> Regions {
        let met = |condition: &Condition| (condition.0, self.met(condition.0, &condition.1));
        let surely = |condition: &Condition| (condition.0, self.within(task, condition.0, &condition.1));
        let at = |(var, classes): (Var, Values)| Some((self.place(var)?, classes));
        let goals = task.goals.iter().map(|goal| Region {
            conditions: goal.conditions.iter().map(met).filter_map(at).collect(),
            counts: goal.counts.iter().map(|count| self.count(task, count)).collect(),
        });
        // A variable that is not kept may hold another value than what must never be asks for.
        let never = task.never.iter().filter(|never| never.iter().all(|(var, _)| self.place(*var).is_some()));
        let never = never
            .map(|never| Region { conditions: never.iter().map(surely).filter_map(at).collect(), counts: Vec::new() });
        Regions { goals: goals.collect(), never: never.collect() }
    }

    fn count(&self, task: &Task, count: &Count) -> AbstractCount {
        let mut facts = Vec::new();
        let mut elsewhere = (0, 0);
        for (var, values) in &count.of {
            let (may, must) = (self.met(*var, values), self.within(task, *var, values));
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
    /// Whether states of these classes may be goals.
    pub fn is_goal(&self, digits: &[u8]) -> bool {
        self.goals.iter().any(|goal| goal.holds(digits)) && !self.is_never(digits)
    }

    /// Whether anything must never be.
    pub fn has_never(&self) -> bool {
        !self.never.is_empty()
    }

    /// Whether no state of these classes may be.
    pub fn is_never(&self, digits: &[u8]) -> bool {
        self.never.iter().any(|never| never.holds(digits))
    }
}

impl Region {
    fn holds(&self, digits: &[u8]) -> bool {
        let is = |&(place, classes): &(usize, Values)| classes.contains(digits[place]);
        self.conditions.iter().all(is) && self.counts.iter().all(|count| count.may_hold(digits))
    }
}

impl AbstractCount {
    fn may_hold(&self, digits: &[u8]) -> bool {
        let count = |which: fn(&(usize, Values, Values)) -> (usize, Values)| {
            let hold = self.facts.iter().map(which).filter(|(place, classes)| classes.contains(digits[*place]));
            hold.count() as u32
        };
        let may = self.elsewhere.0 + count(|&(place, may, _)| (place, may));
        let must = self.elsewhere.1 + count(|&(place, _, must)| (place, must));
        may >= self.least && must <= self.most
    }
}
