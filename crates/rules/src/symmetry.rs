//! Symmetries of the rules and the goals: a state and its images are equally far from a goal.
//!
//! Candidates are reflections of the grid, and swaps of lines of the grid or of an array; each is a permutation of the
//! variables. It is a symmetry if it maps the set of operators with their costs, the set of goals, and the set of
//! `never` conditions to themselves (Pochter, Zohar, Rosenschein 2011 on symmetries of planning tasks). A search then
//! stores the canonical representative of a state: the least of its packed images.

use super::packed::{BitSpan, Layout, Word};
use super::task::{Condition, Count, Disjunction, Effect, Goal, Operator, Source, Task, Value, Var};
use crate::domain::BuildContext;
use std::collections::HashSet;

/// The largest order of the symmetry group.
const MOST_SYMMETRIES: usize = 24;

/// The most bits of a state that are looked up at once.
const CHUNK_BITS: usize = 11;

/// A permutation of the variables. If the values of a variable are places, they are permuted, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permutation {
    pub to: Vec<Var>,
    /// The permutation of each variable's values; empty for the identity.
    pub values: Vec<Box<[Value]>>,
}

impl Permutation {
    fn identity(variables: usize) -> Permutation {
        Permutation { to: (0..variables).collect(), values: vec![Box::default(); variables] }
    }

    /// Returns the image of a value of a variable.
    fn value(&self, var: Var, value: Value) -> Value {
        self.values[var].get(usize::from(value)).copied().unwrap_or(value)
    }

    /// Returns this permutation followed by another.
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

/// Tables that compute all images of a state but the state itself.
pub(super) struct Images<W> {
    images: Vec<Vec<Chunk<W>>>,
    permutations: Vec<Permutation>,
}

/// Adjacent fields that are read at once, with the image of each combination of their bits.
struct Chunk<W> {
    bits: BitSpan,
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
        Images { images: permutations.iter().map(image).collect(), permutations: permutations.to_vec() }
    }

    /// Returns the permutations whose images these are.
    pub fn permutations(&self) -> &[Permutation] {
        &self.permutations
    }

    /// Returns whether the group is trivial.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Returns the canonical representative: the least image of a state.
    #[inline]
    pub fn canonical(&self, word: W) -> W {
        let mut least = word.clone();
        self.for_each(&word, |image| {
            if image < least {
                least = image;
            }
        });
        least
    }

    /// Calls `visit` with each image of a state but the state itself.
    #[inline]
    pub fn for_each(&self, word: &W, mut visit: impl FnMut(W)) {
        for chunks in &self.images {
            let mut image = chunks[0].image(word).clone();
            chunks[1..].iter().for_each(|chunk| image.merge(chunk.image(word)));
            visit(image);
        }
    }
}

impl<W: Word> Chunk<W> {
    fn new(task: &Task, layout: &Layout, vars: &[Var], to: &Permutation) -> Chunk<W> {
        let bits = layout.span(vars[0], vars[vars.len() - 1]).expect("fields of a chunk are adjacent");
        let entry = |number: usize| {
            let mut word = W::zero(layout.bits);
            for &var in vars {
                let value = bits.value(number, layout.fields[var]);
                // Bit patterns without a value occur in no state.
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

/// Returns the group generated by the candidates that are symmetries, without the identity. It is incomplete if a limit
/// Where `context` end it, not all are found.
pub(super) fn symmetries(task: &Task, candidates: &[Permutation], context: &BuildContext) -> Vec<Permutation> {
    let operators: HashSet<_> = task.operators.iter().map(normal_form).collect();
    let identity = Permutation::identity(task.variables.len());
    let goals: HashSet<Goal> = task.goals.iter().map(|one| goal(one, &identity)).collect();
    let never: HashSet<&Vec<Condition>> = task.never.iter().collect();
    let is_symmetry = |to: &&Permutation| {
        let alike = |var: Var| task.variables[var].values == task.variables[to.to[var]].values;
        (0..to.to.len()).all(|var| !to.values[var].is_empty() || alike(var))
            && task
                .operators
                .iter()
                .all(|one| !context.should_stop() && operators.contains(&normal_form(&operator(one, to))))
            && task.goals.iter().all(|one| goals.contains(&goal(one, to)))
            && task.never.iter().all(|one| never.contains(&conditions(one, to)))
    };
    let mut group = vec![identity.clone()];
    for generator in candidates.iter().filter(is_symmetry) {
        if group.contains(generator) {
            continue;
        }
        // The closure of the group so far with the new generator.
        let mut closure = group.clone();
        let mut at = 0;
        while at < closure.len() && closure.len() <= MOST_SYMMETRIES {
            for with in group.iter().skip(1).chain([generator]) {
                let composed = closure[at].then(with);
                if !closure.contains(&composed) {
                    closure.push(composed);
                }
            }
            at += 1;
        }
        if closure.len() <= MOST_SYMMETRIES {
            group = closure;
        }
    }
    group.retain(|to| *to != identity);
    group
}

/// Returns whether symmetries take each of some operators to another of them, or to its equal.
pub(super) fn are_kept(task: &Task, symmetries: &[Permutation], numbers: &[u32]) -> bool {
    let chosen = || numbers.iter().map(|&number| &task.operators[number as usize]);
    let forms: HashSet<NormalForm> = chosen().map(normal_form).collect();
    symmetries.iter().all(|to| chosen().all(|one| forms.contains(&normal_form(&operator(one, to)))))
}

type NormalForm = (u32, Vec<Condition>, Vec<Disjunction>, Vec<Effect>);

/// Returns an operator without its action, in normal form.
fn normal_form(operator: &Operator) -> NormalForm {
    let mut disjunctions = operator.disjunctions.clone();
    disjunctions.iter_mut().for_each(|any| any.sort_unstable());
    disjunctions.sort_unstable();
    (operator.cost, operator.conditions.clone(), disjunctions, operator.effects.clone())
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
            Source::Table(var, table) => {
                let mut moved = table.clone();
                for (value, &becomes) in (0..).zip(table.iter()) {
                    moved[usize::from(to.value(*var, value))] = to.value(effect.target, becomes);
                }
                Source::Table(to.to[*var], moved)
            }
            Source::Value(value) => Source::Value(to.value(effect.target, *value)),
        },
    };
    let mut effects: Vec<Effect> = one.effects.iter().map(effect).collect();
    effects.sort_unstable();
    Operator {
        conditions: conditions(&one.conditions, to),
        disjunctions: disjunctions(&one.disjunctions, to),
        effects,
        ..*one
    }
}

fn goal(one: &Goal, to: &Permutation) -> Goal {
    let mut counts: Vec<Count> =
        one.counts.iter().map(|count| Count { of: conditions(&count.of, to), ..*count }).collect();
    counts.sort_unstable();
    Goal { conditions: conditions(&one.conditions, to), counts, disjunctions: disjunctions(&one.disjunctions, to) }
}

fn disjunctions(all: &[Disjunction], to: &Permutation) -> Vec<Disjunction> {
    let alternatives = |any: &Disjunction| {
        let mut any: Disjunction = any.iter().map(|all| conditions(all, to)).collect();
        any.sort_unstable();
        any
    };
    let mut disjunctions: Vec<Disjunction> = all.iter().map(alternatives).collect();
    disjunctions.sort_unstable();
    disjunctions
}
