//! Finds candidates for symmetries by colour refinement, in any task and without hints from the file.
//!
//! Variables and facts get colours. A round of refinement gives new colours to those that occur differently in the
//! operators, the goals or the `never` conditions (Weisfeiler and Leman 1968; McKay 1981). A symmetry can only map an
//! element to one of the same colour. To find one that maps x to y, two copies of the colours are refined in lockstep,
//! with x set apart in the first and y in the second. What has the same colour in both copies then is mapped to
//! itself, so that interchangeable elements give transpositions. Colours are 64-bit hashes: an accidental collision
//! only yields a candidate that the exact check rejects.

use super::Permutation;
use crate::search::BuildContext;
use crate::task::{Condition, CountRange, Disjunction, Effect, Goal, Operator, Source, Task, Value, Var};

/// The most occurrences of facts that all rounds together visit.
const MOST_VISITS: usize = 1 << 20;

/// The most other elements of its colour that an element is tried with in vain.
const MOST_FAILURES: usize = 4;

/// The most choices among elements of equal colour that complete one candidate.
const MOST_CHOICES: usize = 8;

/// Seeds that keep the roles of an element apart.
const CONDITION: u64 = 1;
const EFFECT: u64 = 2;
const TABLE: u64 = 3;
const ALTERNATIVES: u64 = 4;
const COUNT: u64 = 5;
const GOAL: u64 = 6;
const NEVER: u64 = 7;
const APART: u64 = 8;
const FIXED: u64 = 9;
const COUNTER: u64 = 10;

/// Combines two hashes.
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b;
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

/// The colours of all elements: the variables, then the facts.
type Colors = Vec<u64>;

/// A task as a coloured structure.
pub(super) struct Detection<'a> {
    task: &'a Task,
    /// The number of each variable's first fact as an element.
    first: Vec<usize>,
    elements: usize,
    /// The number of occurrences of facts, which is the cost of a round.
    visits: usize,
    left: usize,
    /// The elements that known symmetries map to each other: a link to another one, or to itself.
    orbits: Vec<usize>,
}

impl<'a> Detection<'a> {
    /// Begins with known symmetries.
    pub fn new(task: &'a Task, known: &[Permutation]) -> Detection<'a> {
        let mut elements = task.variables.len();
        let first = (0..task.variables.len()).map(|var| {
            elements += task.size(var);
            elements - task.size(var)
        });
        let first = first.collect();
        let of = |all: &[Condition]| all.iter().map(|(_, values)| values.len() + 1).sum::<usize>();
        let any = |all: &[Disjunction]| all.iter().flatten().map(|all| of(all)).sum::<usize>();
        let effects = |operator: &Operator| {
            let each = operator.effects.iter().map(|effect| match &effect.source {
                Source::Value(_) => 1,
                Source::Table(_, table) => table.len(),
            });
            each.sum::<usize>()
        };
        let operators = task.operators.iter().map(|one| of(&one.conditions) + any(&one.disjunctions) + effects(one));
        let never = task.never.iter().map(|never| of(&never.conditions));
        let counters = task.counters.iter().map(|counter| 2 * of(counter));
        let visits = elements + operators.sum::<usize>() + never.sum::<usize>() + counters.sum::<usize>();
        let orbits = (0..elements).collect();
        let mut detection = Detection { task, first, elements, visits, left: MOST_VISITS, orbits };
        known.iter().for_each(|to| detection.join(to));
        detection
    }

    /// Calls `accept` with candidates; it returns whether one is a symmetry. Each candidate maps an element to another
    /// that the symmetries known so far do not map it to.
    pub fn candidates(&mut self, context: &BuildContext, mut accept: impl FnMut(&Permutation) -> bool) {
        let mut base: Colors = (0..self.task.variables.len()).map(|var| self.task.size(var) as u64 + 1).collect();
        base.resize(self.elements, 0);
        if !self.refine(&mut [&mut base]) {
            return;
        }
        // Elements of the same colour: variables, and values of one variable of each colour.
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let variables: Vec<usize> = (0..self.task.variables.len()).collect();
        let by_color = by_color(&variables, &base);
        for same in &by_color {
            let facts: Vec<usize> = (0..self.task.size(same[0])).map(|value| self.first[same[0]] + value).collect();
            classes.extend(self::by_color(&facts, &base).into_iter().filter(|class| class.len() > 1));
        }
        classes.splice(0..0, by_color.into_iter().filter(|class| class.len() > 1));
        for class in classes {
            // The first elements of the orbits found so far.
            let mut firsts: Vec<usize> = Vec::new();
            for &element in &class {
                let mut joined = false;
                for &first in firsts.iter().take(MOST_FAILURES) {
                    joined = self.orbit(first) == self.orbit(element);
                    if joined {
                        break;
                    }
                    if self.left < self.visits || context.should_stop() {
                        return;
                    }
                    if let Some(found) = self.mapping(&base, first, element).filter(|found| accept(found)) {
                        self.join(&found);
                        joined = true;
                        break;
                    }
                }
                if !joined {
                    firsts.push(element);
                }
            }
        }
    }

    /// Returns the first element of an element's orbit.
    fn orbit(&self, mut element: usize) -> usize {
        while self.orbits[element] != element {
            element = self.orbits[element];
        }
        element
    }

    /// Joins the orbits that a symmetry connects.
    fn join(&mut self, to: &Permutation) {
        for element in 0..self.elements {
            let (one, other) = (self.orbit(element), self.orbit(self.image(to, element)));
            self.orbits[one.max(other)] = one.min(other);
        }
    }

    /// Returns the image of an element.
    fn image(&self, to: &Permutation, element: usize) -> usize {
        if element < self.task.variables.len() {
            return to.to[element];
        }
        let var = self.first.partition_point(|&first| first <= element) - 1;
        self.first[to.to[var]] + usize::from(to.value(var, (element - self.first[var]) as Value))
    }

    /// Returns a candidate that maps one element to another, and as many others as possible to themselves.
    fn mapping(&mut self, base: &Colors, from: usize, to: usize) -> Option<Permutation> {
        let (mut one, mut other) = (base.clone(), base.clone());
        one[from] = mix(APART, one[from]);
        other[to] = mix(APART, other[to]);
        if !self.refine(&mut [&mut one, &mut other]) {
            return None;
        }
        for element in 0..self.elements {
            if one[element] == other[element] {
                let fixed = mix(FIXED, element as u64);
                (one[element], other[element]) = (fixed, fixed);
            }
        }
        for _ in 0..MOST_CHOICES {
            if !self.refine(&mut [&mut one, &mut other]) {
                return None;
            }
            let (sorted, images) = (sorted(&one), sorted(&other));
            let Some(at) = (1..sorted.len()).find(|&at| one[sorted[at - 1]] == one[sorted[at]]) else {
                return self.permutation(&sorted, &images);
            };
            let (from, to) = (sorted[at - 1], images[at - 1]);
            one[from] = mix(APART, one[from]);
            other[to] = mix(APART, other[to]);
        }
        None
    }

    /// Returns the permutation that maps the elements of one list to those of another.
    fn permutation(&self, from: &[usize], to: &[usize]) -> Option<Permutation> {
        let variables = self.task.variables.len();
        let mut image = vec![0; self.elements];
        from.iter().zip(to).for_each(|(&from, &to)| image[from] = to);
        let mut found = Permutation::identity(variables);
        for var in 0..variables {
            let target = image[var];
            if target >= variables || self.task.size(target) != self.task.size(var) {
                return None;
            }
            let value = |value: usize| {
                let value = image[self.first[var] + value].checked_sub(self.first[target])?;
                (value < self.task.size(target)).then_some(value as Value)
            };
            let values: Box<[Value]> = (0..self.task.size(var)).map(value).collect::<Option<_>>()?;
            found.to[var] = target;
            if values.iter().enumerate().any(|(value, &becomes)| value != usize::from(becomes)) {
                found.values[var] = values;
            }
        }
        Some(found)
    }

    /// Refines the colours of one or more copies until none has more colours. Returns false if the copies differ or
    /// the visits are used up.
    fn refine(&mut self, copies: &mut [&mut Colors]) -> bool {
        let mut colors = distinct(copies[0]);
        loop {
            let cost = self.visits * copies.len();
            if self.left < cost {
                self.left = 0;
                return false;
            }
            self.left -= cost;
            copies.iter_mut().for_each(|copy| **copy = self.round(copy));
            let now = distinct(copies[0]);
            if copies[1..].iter().any(|copy| distinct(copy) != now) {
                return false;
            }
            if now.len() == colors.len() || now.len() == self.elements {
                return true;
            }
            colors = now;
        }
    }

    /// Returns the colours after one round.
    fn round(&self, colors: &Colors) -> Colors {
        let mut sums = Sums {
            detection: self,
            colors,
            sums: vec![0; self.elements],
            counters: Vec::new(),
            read: vec![0; self.task.counters.len()],
        };
        sums.counters = self.task.counters.iter().map(|counter| sums.conjunction(counter)).collect();
        for operator in &self.task.operators {
            sums.operator(operator);
        }
        self.task.goals.iter().for_each(|goal| sums.goal(goal));
        for never in &self.task.never {
            let hash = mix(mix(NEVER, sums.conjunction(&never.conditions)), sums.counts(&never.counts));
            sums.add_conjunction(&never.conditions, hash);
            sums.add_counts(&never.counts, hash);
        }
        for (counter, read) in self.task.counters.iter().zip(std::mem::take(&mut sums.read)) {
            sums.add_conjunction(counter, mix(COUNTER, read));
        }
        let sums = sums.sums;
        let mut next: Colors = colors.iter().zip(&sums).map(|(&color, &sum)| mix(color, sum)).collect();
        for var in 0..self.task.variables.len() {
            let facts = self.first[var]..self.first[var] + self.task.size(var);
            let own = next[var];
            next[var] = facts.clone().fold(0, |sum: u64, fact| sum.wrapping_add(mix(own, next[fact])));
            facts.for_each(|fact| next[fact] = mix(next[fact], own));
        }
        next
    }

    fn fact(&self, var: Var, value: Value) -> usize {
        self.first[var] + usize::from(value)
    }
}

/// The sums of hashes of all occurrences of each element. Sums do not depend on any order.
struct Sums<'a> {
    detection: &'a Detection<'a>,
    colors: &'a Colors,
    sums: Vec<u64>,
    /// For each counter, the hash of its facts, and the sum of the hashes of its readers.
    counters: Vec<u64>,
    read: Vec<u64>,
}

impl Sums<'_> {
    fn color(&self, var: Var, value: Value) -> u64 {
        self.colors[self.detection.fact(var, value)]
    }

    fn add(&mut self, element: usize, hash: u64) {
        self.sums[element] = self.sums[element].wrapping_add(hash);
    }

    fn condition(&self, (var, values): &Condition) -> u64 {
        let sum = values.iter().fold(0, |sum: u64, value| sum.wrapping_add(mix(CONDITION, self.color(*var, value))));
        mix(self.colors[*var], sum)
    }

    fn conjunction(&self, all: &[Condition]) -> u64 {
        all.iter().fold(CONDITION, |sum, condition| sum.wrapping_add(self.condition(condition)))
    }

    fn disjunction(&self, any: &Disjunction) -> u64 {
        any.iter().fold(ALTERNATIVES, |sum, all| sum.wrapping_add(mix(ALTERNATIVES, self.conjunction(all))))
    }

    fn range(&self, range: &CountRange) -> u64 {
        let bounds = u64::from(range.least) << 32 | u64::from(range.most);
        mix(mix(COUNTER, bounds), self.counters[range.counter])
    }

    fn counts(&self, all: &[CountRange]) -> u64 {
        all.iter().fold(0, |sum: u64, range| sum.wrapping_add(self.range(range)))
    }

    fn add_counts(&mut self, all: &[CountRange], hash: u64) {
        for range in all {
            let hash = mix(hash, self.range(range));
            self.read[range.counter] = self.read[range.counter].wrapping_add(hash);
        }
    }

    fn effect(&self, effect: &Effect) -> u64 {
        let target = self.colors[effect.target];
        match &effect.source {
            Source::Value(value) => mix(mix(EFFECT, target), self.color(effect.target, *value)),
            Source::Table(var, table) => {
                let entry = |(value, &to): (Value, &Value)| {
                    mix(mix(TABLE, self.color(*var, value)), self.color(effect.target, to))
                };
                let sum = (0..).zip(table.iter()).map(entry).fold(0, u64::wrapping_add);
                mix(mix(mix(TABLE, target), self.colors[*var]), sum)
            }
        }
    }

    fn operator(&mut self, operator: &Operator) {
        let disjunctions = &operator.disjunctions;
        let hash = mix(u64::from(operator.cost), self.conjunction(&operator.conditions));
        let any = disjunctions.iter().fold(0, |sum: u64, any| sum.wrapping_add(mix(hash, self.disjunction(any))));
        let any = any.wrapping_add(self.counts(&operator.counts));
        let effects = operator.effects.iter().fold(any, |sum, effect| sum.wrapping_add(self.effect(effect)));
        let hash = mix(hash, effects);
        self.add_counts(&operator.counts, hash);
        self.add_conjunction(&operator.conditions, hash);
        self.add_disjunctions(disjunctions, hash);
        for effect in &operator.effects {
            let hash = mix(hash, self.effect(effect));
            self.add(effect.target, hash);
            match &effect.source {
                Source::Value(value) => self.add(self.detection.fact(effect.target, *value), hash),
                Source::Table(var, table) => {
                    self.add(*var, mix(TABLE, hash));
                    for (value, &to) in (0..).zip(table.iter()) {
                        let (read, written) = (self.color(*var, value), self.color(effect.target, to));
                        self.add(self.detection.fact(*var, value), mix(mix(hash, TABLE), written));
                        self.add(self.detection.fact(effect.target, to), mix(mix(hash, EFFECT), read));
                    }
                }
            }
        }
    }

    fn goal(&mut self, goal: &Goal) {
        let count = |count: &crate::task::Count| {
            mix(mix(COUNT, u64::from(count.least) << 32 | u64::from(count.most)), self.conjunction(&count.of))
        };
        let counts: Vec<u64> = goal.counts.iter().map(count).collect();
        let any = goal.disjunctions.iter().fold(0, |sum: u64, any| sum.wrapping_add(self.disjunction(any)));
        let sum = counts.iter().fold(any, |sum, &count| sum.wrapping_add(count));
        let hash = mix(mix(GOAL, self.conjunction(&goal.conditions)), sum);
        self.add_conjunction(&goal.conditions, hash);
        goal.counts.iter().zip(counts).for_each(|(count, own)| self.add_conjunction(&count.of, mix(hash, own)));
        self.add_disjunctions(&goal.disjunctions, hash);
    }

    fn add_conjunction(&mut self, all: &[Condition], hash: u64) {
        for condition in all {
            let hash = mix(hash, self.condition(condition));
            self.add(condition.0, hash);
            condition.1.iter().for_each(|value| self.add(self.detection.fact(condition.0, value), hash));
        }
    }

    fn add_disjunctions(&mut self, disjunctions: &[Disjunction], hash: u64) {
        for any in disjunctions {
            let hash = mix(hash, self.disjunction(any));
            for all in any {
                let hash = mix(hash, self.conjunction(all));
                self.add_conjunction(all, hash);
            }
        }
    }
}

/// Returns the elements by their colours.
fn sorted(colors: &Colors) -> Vec<usize> {
    let mut elements: Vec<usize> = (0..colors.len()).collect();
    elements.sort_by_key(|&element| colors[element]);
    elements
}

/// Returns the sorted colours, each once with its number of elements.
fn distinct(colors: &Colors) -> Vec<(u64, usize)> {
    let mut sorted = colors.clone();
    sorted.sort_unstable();
    sorted.chunk_by(|one, other| one == other).map(|same| (same[0], same.len())).collect()
}

/// Groups elements by colour, in the order of their first elements.
fn by_color(elements: &[usize], colors: &Colors) -> Vec<Vec<usize>> {
    let mut sorted = elements.to_vec();
    sorted.sort_by_key(|&element| (colors[element], element));
    let mut classes: Vec<Vec<usize>> =
        sorted.chunk_by(|&one, &other| colors[one] == colors[other]).map(<[usize]>::to_vec).collect();
    classes.sort_unstable();
    classes
}
