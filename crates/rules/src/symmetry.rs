//! Symmetries that the rules and the goals of a puzzle share: images of a state are as far from a goal as the state.
//!
//! Turns and mirror images of the grid are tried, and exchanges of the elements of arrays and of lines of the grid; each is
//! a permutation of the variables. It is a symmetry if it takes the set of operators, with their costs, to itself, and the
//! set of goals, and what must never be (Pochter, Zohar, Rosenschein 2011 on symmetries of planning tasks). A search then
//! keeps the least of the packed images of a state.

use super::packed::{Layout, Span, Word};
use super::task::{Condition, Count, Effect, Either, Goal, Operator, Source, Task, Value, Var};
use crate::domain::BuildContext;
use std::collections::HashSet;

/// More images than these are not made of a state.
const MOST_IMAGES: usize = 24;

/// The bits of a state that are looked up at once.
const CHUNK_BITS: usize = 11;

/// A permutation of variables, and of the values of those whose values are places: what a variable holds goes, as it looks
/// there, to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permutation {
    pub to: Vec<Var>,
    /// By variable, what becomes of each of its values; empty where they stay what they are.
    pub values: Vec<Box<[Value]>>,
}

impl Permutation {
    fn identity(variables: usize) -> Permutation {
        Permutation { to: (0..variables).collect(), values: vec![Box::default(); variables] }
    }

    /// What a value of a variable becomes.
    fn value(&self, var: Var, value: Value) -> Value {
        self.values[var].get(usize::from(value)).copied().unwrap_or(value)
    }

    /// This one, then another.
    fn then(&self, other: &Permutation) -> Permutation {
        let values = |var: Var| {
            let (first, then) = (&self.values[var], &other.values[self.to[var]]);
            match (first.is_empty(), then.is_empty()) {
                (true, _) => then.clone(),
                (_, true) => first.clone(),
                _ => {
                    let both: Box<[Value]> = first.iter().map(|&value| then[usize::from(value)]).collect();
                    let same = both.iter().enumerate().all(|(value, &becomes)| value == usize::from(becomes));
                    if same { Box::default() } else { both }
                }
            }
        };
        Permutation {
            to: self.to.iter().map(|&var| other.to[var]).collect(),
            values: (0..self.to.len()).map(values).collect(),
        }
    }
}

/// All images of states but themselves, by tables.
pub(super) struct Images<W> {
    images: Vec<Vec<Chunk<W>>>,
}

/// Some fields that lie side by side, read as one, and what their bits make of the image.
struct Chunk<W> {
    bits: Span,
    table: Vec<W>,
}

impl<W: Word> Images<W> {
    pub fn new(task: &Task, permutations: &[Permutation]) -> Images<W> {
        let layout = Layout::new(task);
        let image = |to: &Permutation| {
            let mut chunks: Vec<Vec<Var>> = Vec::new();
            for var in 0..task.variables.len() {
                let joins = |chunk: &Vec<Var>| layout.span(chunk[0], var).is_some_and(|span| span.bits() <= CHUNK_BITS);
                match chunks.last_mut().filter(|chunk| joins(chunk)) {
                    Some(chunk) => chunk.push(var),
                    None => chunks.push(vec![var]),
                }
            }
            chunks.iter().map(|vars| Chunk::new(task, &layout, vars, to)).collect()
        };
        Images { images: permutations.iter().map(image).collect() }
    }

    /// Whether every state is its only image.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The least of the images of a state.
    #[inline]
    pub fn canonical(&self, word: W) -> W {
        let mut least = word.clone();
        for chunks in &self.images {
            let mut image = chunks[0].image(&word).clone();
            chunks[1..].iter().for_each(|chunk| image.add(chunk.image(&word)));
            if image < least {
                least = image;
            }
        }
        least
    }
}

impl<W: Word> Chunk<W> {
    fn new(task: &Task, layout: &Layout, vars: &[Var], to: &Permutation) -> Chunk<W> {
        let bits = layout.span(vars[0], vars[vars.len() - 1]).expect("fields of a chunk lie side by side");
        let entry = |number: usize| {
            let mut word = W::zero(layout.bits);
            for &var in vars {
                let value = bits.value(number, layout.fields[var]);
                // Bits that no value has are in no state.
                let known = usize::from(value) < task.size(var);
                word.put(layout.fields[to.to[var]], if known { to.value(var, value) } else { 0 });
            }
            word
        };
        Chunk { bits, table: (0..1 << bits.bits()).map(entry).collect() }
    }

    #[inline]
    fn image(&self, word: &W) -> &W {
        &self.table[word.read(self.bits)]
    }
}

/// The symmetries of a task among some candidates and what they make together, without the one that changes nothing.
/// Where `context` end it, not all are found.
pub(super) fn symmetries(task: &Task, candidates: &[Permutation], context: &BuildContext) -> Vec<Permutation> {
    let operators: HashSet<_> = task.operators.iter().map(plain).collect();
    let identity = Permutation::identity(task.variables.len());
    let goals: HashSet<Goal> = task.goals.iter().map(|one| goal(one, &identity)).collect();
    let never: HashSet<&Vec<Condition>> = task.never.iter().collect();
    let is_symmetry = |to: &&Permutation| {
        let alike = |var: Var| task.variables[var].values == task.variables[to.to[var]].values;
        (0..to.to.len()).all(|var| !to.values[var].is_empty() || alike(var))
            && task.operators.iter().all(|one| !context.should_stop() && operators.contains(&plain(&operator(one, to))))
            && task.goals.iter().all(|one| goals.contains(&goal(one, to)))
            && task.never.iter().all(|one| never.contains(&conditions(one, to)))
    };
    let mut group = vec![identity.clone()];
    for generator in candidates.iter().filter(is_symmetry) {
        if group.contains(generator) {
            continue;
        }
        // What the generators so far make, with this one: closed again by composing until nothing new comes.
        let mut wider = group.clone();
        let mut at = 0;
        while at < wider.len() && wider.len() <= MOST_IMAGES {
            for with in group.iter().skip(1).chain([generator]) {
                let composed = wider[at].then(with);
                if !wider.contains(&composed) {
                    wider.push(composed);
                }
            }
            at += 1;
        }
        if wider.len() <= MOST_IMAGES {
            group = wider;
        }
    }
    group.retain(|to| *to != identity);
    group
}

type Plain = (u32, Vec<Condition>, Vec<Either>, Vec<Effect>);

/// What an operator is, whatever move it is called.
fn plain(operator: &Operator) -> Plain {
    let mut either = operator.either.clone();
    either.iter_mut().for_each(|any| any.sort_unstable());
    either.sort_unstable();
    (operator.cost, operator.conditions.clone(), either, operator.effects.clone())
}

fn conditions(all: &[Condition], to: &Permutation) -> Vec<Condition> {
    let moved = |&(var, values): &Condition| (to.to[var], values.iter().map(|value| to.value(var, value)).collect());
    let mut moved: Vec<Condition> = all.iter().map(moved).collect();
    moved.sort_unstable();
    moved
}

fn operator(one: &Operator, to: &Permutation) -> Operator {
    let effect = |effect: &Effect| Effect {
        target: to.to[effect.target],
        source: match &effect.source {
            Source::Of(var, table) => {
                let mut moved = table.clone();
                for (value, &becomes) in (0..).zip(table.iter()) {
                    moved[usize::from(to.value(*var, value))] = to.value(effect.target, becomes);
                }
                Source::Of(to.to[*var], moved)
            }
            Source::Value(value) => Source::Value(to.value(effect.target, *value)),
        },
    };
    let mut effects: Vec<Effect> = one.effects.iter().map(effect).collect();
    effects.sort_unstable();
    Operator { conditions: conditions(&one.conditions, to), either: either(&one.either, to), effects, ..*one }
}

fn goal(one: &Goal, to: &Permutation) -> Goal {
    let mut counts: Vec<Count> =
        one.counts.iter().map(|count| Count { of: conditions(&count.of, to), ..*count }).collect();
    counts.sort_unstable();
    Goal { conditions: conditions(&one.conditions, to), counts, either: either(&one.either, to) }
}

fn either(all: &[Either], to: &Permutation) -> Vec<Either> {
    let alternatives = |any: &Either| {
        let mut any: Either = any.iter().map(|all| conditions(all, to)).collect();
        any.sort_unstable();
        any
    };
    let mut either: Vec<Either> = all.iter().map(alternatives).collect();
    either.sort_unstable();
    either
}
