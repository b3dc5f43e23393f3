//! Symmetries that the rules and the goals of a puzzle share: images of a state are as far from a goal as the state.
//!
//! Turns and mirror images of the grid are tried, and exchanges of the elements of arrays and of lines of the grid; each is
//! a permutation of the variables. It is a symmetry if it takes the set of operators, with their costs, to itself, and the
//! set of goals, and what must never be (Pochter, Zohar, Rosenschein 2011 on symmetries of planning tasks). A search then
//! keeps the least of the packed images of a state.

use super::packed::{Layout, Span, Word};
use super::task::{Condition, Count, Effect, Goal, Operator, Source, Task, Var};
use std::collections::HashSet;

/// More images than these are not made of a state.
const MOST_IMAGES: usize = 24;

/// The bits of a state that are looked up at once.
const CHUNK_BITS: usize = 11;

/// A permutation of variables: what a variable holds goes to another.
type Permutation = Vec<Var>;

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
                word.put(layout.fields[to[var]], if usize::from(value) < task.size(var) { value } else { 0 });
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
pub(super) fn symmetries(task: &Task, candidates: &[Permutation]) -> Vec<Permutation> {
    let operators: HashSet<_> = task.operators.iter().map(plain).collect();
    let identity: Permutation = (0..task.variables.len()).collect();
    let goals: HashSet<Goal> = task.goals.iter().map(|one| goal(one, &identity)).collect();
    let never: HashSet<&Vec<Condition>> = task.never.iter().collect();
    let is_symmetry = |to: &&Permutation| {
        (0..to.len()).all(|var| task.variables[var].values == task.variables[to[var]].values)
            && task.operators.iter().all(|one| operators.contains(&plain(&operator(one, to))))
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
                let composed: Permutation = wider[at].iter().map(|&var| with[var]).collect();
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

type Plain = (u32, Vec<Condition>, Vec<Effect>);

/// What an operator is, whatever move it is called.
fn plain(operator: &Operator) -> Plain {
    (operator.cost, operator.conditions.clone(), operator.effects.clone())
}

fn conditions(all: &[Condition], to: &Permutation) -> Vec<Condition> {
    let mut moved: Vec<Condition> = all.iter().map(|&(var, values)| (to[var], values)).collect();
    moved.sort_unstable();
    moved
}

fn operator(one: &Operator, to: &Permutation) -> Operator {
    let effect = |effect: &Effect| Effect {
        target: to[effect.target],
        source: match &effect.source {
            Source::Of(var, table) => Source::Of(to[*var], table.clone()),
            value @ Source::Value(_) => value.clone(),
        },
    };
    let mut effects: Vec<Effect> = one.effects.iter().map(effect).collect();
    effects.sort_unstable();
    Operator { conditions: conditions(&one.conditions, to), effects, ..*one }
}

fn goal(one: &Goal, to: &Permutation) -> Goal {
    let mut counts: Vec<Count> =
        one.counts.iter().map(|count| Count { of: conditions(&count.of, to), ..*count }).collect();
    counts.sort_unstable();
    let alternatives = |any: &Vec<Vec<Condition>>| {
        let mut any: Vec<Vec<Condition>> = any.iter().map(|all| conditions(all, to)).collect();
        any.sort_unstable();
        any
    };
    let mut either: Vec<_> = one.either.iter().map(alternatives).collect();
    either.sort_unstable();
    Goal { conditions: conditions(&one.conditions, to), counts, either }
}
