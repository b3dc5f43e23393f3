//! The delete relaxation: facts stay true once they hold, so operators only add facts.
//!
//! A condition with several values is a fact of its own, which each of these values adds at no cost. Each goal is an
//! operator of cost 0 that adds the single goal fact. Counts of goals and `never` are dropped. Every plan of the task
//! is a plan of the relaxation, at the same cost.

use crate::heuristic::facts::Facts;
use crate::task::sorted::sorted;
use crate::task::{Condition, Effect, Operator, Task, Value, Values, Var};
use std::collections::BTreeMap;

/// The number of a fact, or of a set of facts.
pub(super) type Prop = u32;

/// The fact that always holds.
pub(super) const TRUE: Prop = 0;

/// The fact that some goal is reached.
pub(super) const GOAL: Prop = 1;

/// The first fact of the task.
const FIRST: Prop = 2;

/// The most contexts that an operator is split into.
const MOST_CONTEXTS: usize = 64;

/// With more parts, each evaluation takes too long.
const MOST_PARTS: usize = 1 << 17;

/// Lists of numbers, indexed by number and stored in one array.
#[derive(Default)]
struct Lists {
    first: Vec<u32>,
    all: Vec<u32>,
}

/// The relaxed task.
pub(super) struct Relaxation {
    /// The number of facts of all kinds.
    pub props: usize,
    /// The cost of each operator.
    pub costs: Vec<u32>,
    /// The operator of the task that each operator is made from; none for goals and sets.
    pub origin: Vec<Option<u32>>,
    /// The operator of each part.
    pub operator: Vec<u32>,
    /// The number of preconditions of each part, at least one.
    pub preconditions: Vec<u32>,
    /// The first part of each operator; its last is before the next operator's first.
    first_part: Vec<u32>,
    /// The first fact of each variable.
    first: Vec<Prop>,
    needs: Lists,
    adds: Lists,
    needed_by: Lists,
    achievers: Lists,
}

/// A relaxed task under construction.
struct Builder<'a> {
    task: &'a Task,
    facts: Facts,
    /// The facts of conditions with several values.
    sets: BTreeMap<Condition, Prop>,
    costs: Vec<u32>,
    origin: Vec<Option<u32>>,
    first_part: Vec<u32>,
    /// The operator, preconditions and effects of each part.
    parts: Vec<(u32, Vec<Prop>, Vec<Prop>)>,
}

impl Relaxation {
    pub fn new(task: &Task) -> Result<Relaxation, String> {
        let facts = Facts::new(task);
        let (sets, costs, origin, first_part) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
        let mut builder = Builder { task, facts, sets, costs, origin, first_part, parts: Vec::new() };
        for (number, operator) in (0..).zip(&task.operators) {
            builder.add_operator(operator);
            builder.origin.resize(builder.costs.len(), Some(number));
            if builder.parts.len() > MOST_PARTS {
                return Err("it has too many rules for landmarks".to_owned());
            }
        }
        for goal in &task.goals {
            builder.begin_operator(0);
            let needs = goal.conditions.iter().map(|condition| builder.fact_of(condition)).collect();
            builder.add_part(needs, vec![GOAL]);
        }
        for ((var, values), set) in builder.sets.clone() {
            builder.begin_operator(0);
            for value in values.iter() {
                builder.add_part(vec![builder.fact(var, value)], vec![set]);
            }
        }
        Ok(builder.build())
    }

    pub fn parts(&self) -> usize {
        self.operator.len()
    }

    /// Returns the facts of a state.
    pub fn facts<'a>(&'a self, state: &'a [Value]) -> impl Iterator<Item = Prop> + 'a {
        self.first.iter().zip(state).map(|(&first, &value)| first + Prop::from(value))
    }

    pub fn needs(&self, part: u32) -> &[Prop] {
        self.needs.of(part)
    }

    pub fn adds(&self, part: u32) -> &[Prop] {
        self.adds.of(part)
    }

    pub fn needed_by(&self, fact: Prop) -> &[u32] {
        self.needed_by.of(fact)
    }

    pub fn achievers(&self, fact: Prop) -> &[u32] {
        self.achievers.of(fact)
    }

    pub fn parts_of(&self, operator: u32) -> std::ops::Range<u32> {
        let end = self.first_part.get(operator as usize + 1).copied().unwrap_or(self.operator.len() as u32);
        self.first_part[operator as usize]..end
    }

    pub fn bytes(&self) -> u64 {
        let lists = [&self.needs, &self.adds, &self.needed_by, &self.achievers];
        let lists: usize = lists.map(|lists| lists.first.len() + lists.all.len()).iter().sum();
        4 * (lists + 3 * self.costs.len() + 5 * self.operator.len() + 3 * self.props) as u64
    }
}

impl Builder<'_> {
    fn fact(&self, var: Var, value: Value) -> Prop {
        FIRST + self.facts.number(var, value) as Prop
    }

    /// Returns the fact of a condition.
    fn fact_of(&mut self, (var, values): &Condition) -> Prop {
        match values.only() {
            Some(value) => self.fact(*var, value),
            None => {
                let next = FIRST + (self.facts.count + self.sets.len()) as Prop;
                *self.sets.entry((*var, values.clone())).or_insert(next)
            }
        }
    }

    /// Begins an operator; its parts follow.
    fn begin_operator(&mut self, cost: u32) {
        self.costs.push(cost);
        self.first_part.push(self.parts.len() as u32);
    }

    fn add_part(&mut self, mut needs: Vec<Prop>, mut adds: Vec<Prop>) {
        if needs.is_empty() {
            needs.push(TRUE);
        }
        needs.sort_unstable();
        needs.dedup();
        adds.sort_unstable();
        adds.dedup();
        adds.retain(|added| needs.binary_search(added).is_err());
        if !adds.is_empty() {
            self.parts.push((self.costs.len() as u32 - 1, needs, adds));
        }
    }

    fn add_operator(&mut self, operator: &Operator) {
        let read = sorted(operator.effects.iter().filter_map(|effect| effect.source.reads()));
        let allowed: Vec<Values> = read.iter().map(|&var| self.task.allowed(operator, var)).collect();
        let contexts = allowed.iter().try_fold(1_usize, |all, values| all.checked_mul(values.len()));
        let others = operator.conditions.iter().filter(|(var, _)| !read.contains(var));
        let others: Vec<Prop> = others.map(|condition| self.fact_of(condition)).collect();
        match contexts {
            Some(contexts) if contexts <= MOST_CONTEXTS => {
                for context in 0..contexts {
                    let values = combination(&allowed, context);
                    self.add_context(operator, &others, &read, &values);
                }
            }
            _ => self.add_shared(operator, &others, &read, &allowed),
        }
    }

    /// Adds an operator for one combination of old values.
    fn add_context(&mut self, operator: &Operator, others: &[Prop], read: &[Var], values: &[Value]) {
        self.begin_operator(operator.cost);
        let old = |var: Var| values[read.binary_search(&var).expect("the effect reads it")];
        let mut needs = others.to_vec();
        needs.extend(read.iter().zip(values).map(|(&var, &value)| self.fact(var, value)));
        let add = |effect: &Effect| self.fact(effect.target, effect.source.value(old));
        let adds = operator.effects.iter().map(add).collect();
        self.add_part(needs, adds);
    }

    /// Adds an operator with one part for each old value, all sharing one cost.
    fn add_shared(&mut self, operator: &Operator, others: &[Prop], read: &[Var], allowed: &[Values]) {
        self.begin_operator(operator.cost);
        let mut common = others.to_vec();
        for (&var, values) in read.iter().zip(allowed) {
            if values.len() < self.task.size(var) {
                common.push(self.fact_of(&(var, values.clone())));
            }
        }
        let constant = operator.constants().map(|(target, value)| self.fact(target, value)).collect();
        self.add_part(common.clone(), constant);
        for (&var, values) in read.iter().zip(allowed) {
            for value in values.iter() {
                let made = operator.looked_up(var, value).map(|(target, value)| self.fact(target, value));
                let (mut needs, adds) = (common.clone(), made.collect());
                needs.push(self.fact(var, value));
                self.add_part(needs, adds);
            }
        }
    }

    fn build(mut self) -> Relaxation {
        self.origin.resize(self.costs.len(), None);
        let props = FIRST as usize + self.facts.count + self.sets.len();
        let mut needed_by = vec![Vec::new(); props];
        let mut achievers = vec![Vec::new(); props];
        let (mut needs, mut adds) = (Lists::default(), Lists::default());
        for (at, (_, needed, added)) in self.parts.iter().enumerate() {
            needed.iter().for_each(|&fact| needed_by[fact as usize].push(at as u32));
            added.iter().for_each(|&fact| achievers[fact as usize].push(at as u32));
            needs.push(needed);
            adds.push(added);
        }
        Relaxation {
            props,
            costs: self.costs,
            origin: self.origin,
            operator: self.parts.iter().map(|(operator, ..)| *operator).collect(),
            preconditions: self.parts.iter().map(|(_, needs, _)| needs.len() as u32).collect(),
            first_part: self.first_part,
            first: (0..self.task.variables.len()).map(|var| FIRST + self.facts.number(var, 0) as Prop).collect(),
            needs,
            adds,
            needed_by: needed_by.iter().collect(),
            achievers: achievers.iter().collect(),
        }
    }
}

impl Lists {
    fn push(&mut self, list: &[u32]) {
        self.first.push(self.all.len() as u32);
        self.all.extend(list);
    }

    fn of(&self, at: u32) -> &[u32] {
        let end = self.first.get(at as usize + 1).map_or(self.all.len(), |&end| end as usize);
        &self.all[self.first[at as usize] as usize..end]
    }
}

impl<'a> FromIterator<&'a Vec<u32>> for Lists {
    fn from_iter<I: IntoIterator<Item = &'a Vec<u32>>>(all: I) -> Lists {
        let mut lists = Lists::default();
        all.into_iter().for_each(|list| lists.push(list));
        lists
    }
}

/// Returns the combination of values with an index.
fn combination(allowed: &[Values], mut number: usize) -> Vec<Value> {
    let mut values = Vec::new();
    for set in allowed {
        values.extend(set.iter().nth(number % set.len()));
        number /= set.len();
    }
    values
}
