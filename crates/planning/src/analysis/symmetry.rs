//! Symmetries of the rules and the goals: a state and its images are equally far from a goal.
//!
//! A symmetry is a permutation of the variables and of their values. It maps the set of operators with their costs, the
//! set of goals, and the set of `never` conditions to themselves (Pochter, Zohar, Rosenschein 2011 on symmetries of
//! planning tasks). It maps counters to counters. Candidates are reflections of the grid, swaps of lines of the grid or
//! of an array, and whatever colour refinement finds; each is checked exactly.
//!
//! The group of symmetries is N·H. N permutes interchangeable blocks of variables in each of some disjoint
//! [classes](Class), for example the balls of a gripper. Its order may be huge, but sorting the blocks yields the least
//! image. H is a small group of other symmetries that normalise N: they map classes to classes and blocks to blocks. So
//! the images of a state s under N·H are those of h(s) under N for all h in H, and the least of the sorted h(s) is the
//! canonical representative (on sorting as an exact normal form for symmetric groups: Emerson and Sistla 1996).

mod detection;
mod images;

use crate::packed::width;
use crate::search::{BuildContext, Named};
use crate::task::sorted::sorted;
use crate::task::{
    Condition, CountRange, Disjunction, Effect, Goal, Never, Operator, Source, Task, Value, Values, Var,
};
use crate::task::{images, with};
use detection::Detection;
pub use images::{Images, swap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::mem::{replace, take};

/// The name of this reduction.
pub const SYMMETRIES: Named = Named { name: "symmetries", summary: "one of all images of a position" };

/// The largest order of the small group H.
const MOST_SYMMETRIES: usize = 24;

/// The most bits of a block, which is sorted as a number.
const BLOCK_BITS: usize = 64;

/// The most variables of a block in a class of two blocks. Two larger ones are an ordinary symmetry.
const SMALL_BLOCK: usize = 4;

/// The symmetries of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetries {
    /// Disjoint classes of interchangeable blocks.
    pub classes: Vec<Class>,
    /// The group of other symmetries, without the identity. Each preserves the order of the blocks.
    pub others: Vec<Permutation>,
}

impl Symmetries {
    /// Returns symmetries that form a group with the identity: none if there are interchangeable blocks.
    pub fn group(&self) -> &[Permutation] {
        if self.classes.is_empty() { &self.others } else { &[] }
    }

    /// Returns symmetries that generate all.
    pub fn generators(&self, task: &Task) -> Vec<Permutation> {
        let pairs = self.classes.iter().flat_map(|class| class.blocks.windows(2));
        let swaps = pairs.map(|pair| swap(task, &pair[0], &pair[1]));
        swaps.chain(self.others.iter().cloned()).collect()
    }

    /// Returns the symmetries of a group, without the identity.
    pub fn of_group(others: Vec<Permutation>) -> Symmetries {
        Symmetries { classes: Vec::new(), others }
    }
}

/// Blocks of variables such that each permutation of the blocks is a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The variables of each block; those at the same index correspond.
    pub blocks: Vec<Vec<Var>>,
}

impl Symmetries {
    /// Returns whether the group is trivial.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.others.is_empty()
    }
}

/// A permutation of the variables. If the values of a variable are places, they are permuted, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    pub to: Vec<Var>,
    /// The permutation of each variable's values; empty for the identity.
    pub values: Vec<Box<[Value]>>,
}

impl Permutation {
    fn identity(variables: usize) -> Permutation {
        Permutation { to: (0..variables).collect(), values: vec![Box::default(); variables] }
    }

    /// Returns whether this exchanges pairs of variables and keeps all values.
    fn is_swap(&self) -> bool {
        self.values.iter().all(|values| values.is_empty())
            && (0..).zip(&self.to).all(|(var, &to)| self.to[to] == var)
            && (0..).zip(&self.to).any(|(var, &to)| var != to)
    }

    /// Returns the variables that this moves or of which it permutes the values, in ascending order.
    fn moved(&self) -> Vec<Var> {
        (0..self.to.len()).filter(|&var| self.to[var] != var || !self.values[var].is_empty()).collect()
    }

    /// Returns the image of a value of a variable.
    pub fn value(&self, var: Var, value: Value) -> Value {
        self.values[var].get(usize::from(value)).copied().unwrap_or(value)
    }

    /// Returns the images of some values of a variable.
    fn image(&self, var: Var, values: &Values) -> Values {
        match self.values[var].len() {
            0 => values.clone(),
            all => images(values, &Values::below(all), |value| self.value(var, value)),
        }
    }

    /// Returns the values of a variable, each with its image, in the order of the images.
    pub fn by_image(&self, var: Var, size: usize) -> Vec<(Value, Value)> {
        let mut values = vec![(0, 0); size];
        for value in 0..size as Value {
            let image = self.value(var, value);
            values[usize::from(image)] = (value, image);
        }
        values
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

/// Returns the group generated by the `candidates` and by detected permutations that are symmetries. It is incomplete
/// if a budget or a limit ends the work.
pub fn symmetries(task: &Task, candidates: &[Permutation], context: &BuildContext) -> Symmetries {
    let check = Check::new(task, context);
    let mut found: Vec<Permutation> = Vec::new();
    for candidate in candidates {
        if !found.contains(candidate) && check.is_symmetry(candidate) {
            found.push(candidate.clone());
        }
    }
    let known = found.clone();
    Detection::new(task, &known).candidates(context, |candidate| {
        let holds = check.is_symmetry(candidate);
        if holds && !found.contains(candidate) {
            found.push(candidate.clone());
        }
        holds
    });
    let classes = classes(task, &found);
    let others = others(&found, &classes);
    Symmetries { classes, others }
}

/// Returns disjoint classes of interchangeable blocks, the largest first.
fn classes(task: &Task, found: &[Permutation]) -> Vec<Class> {
    let swaps = found.iter().filter(|to| to.is_swap()).map(|to| (to, to.moved()));
    // The blocks of longer swaps have too many bits.
    let swaps: Vec<Swap> = swaps.filter(|(_, moved)| moved.len() <= 2 * BLOCK_BITS).collect();
    let variables = found.first().map_or(0, |to| to.to.len());
    let mut all: Vec<Class> = (0..variables).filter_map(|var| class(var, &swaps)).collect();
    all.sort_by_key(|class| (Reverse(class.blocks.len()), class.blocks[0].len()));
    let mut taken = vec![false; variables];
    let mut chosen = Vec::new();
    for class in all {
        let is_large = class.blocks.len() > 2 || class.blocks[0].len() <= SMALL_BLOCK;
        let bits: usize = class.blocks[0].iter().map(|&var| width(task.size(var))).sum();
        if is_large && bits <= BLOCK_BITS && !class.blocks.iter().flatten().any(|&var| taken[var]) {
            class.blocks.iter().flatten().for_each(|&var| taken[var] = true);
            chosen.push(class);
        }
    }
    chosen
}

/// An exchange of blocks, with the variables that it moves.
type Swap<'a> = (&'a Permutation, Vec<Var>);

/// Returns the class whose first block contains a variable: that block, and all others that swaps connect it with. Two
/// swaps that move the same block have nothing else in common.
fn class(var: Var, swaps: &[Swap]) -> Option<Class> {
    let partners = swaps.iter().filter(|(to, _)| to.to[var] != var);
    let smallest = partners.clone().map(|(_, moved)| moved.len()).min()?;
    let partners: Vec<&Swap> = partners.filter(|(_, moved)| moved.len() == smallest).collect();
    let (first, all) = partners[0];
    let common = |(to, _): &&Swap| all.iter().copied().filter(|&var| to.to[var] != var).collect::<Vec<Var>>();
    let mut blocks: Vec<Vec<Var>> = partners[1..].iter().map(common).collect();
    // Two blocks alone may divide their pairs in any way.
    blocks.push(all.iter().copied().filter(|&var| first.to[var] > var).collect());
    blocks.retain(|block| 2 * block.len() == smallest && block.contains(&var));
    blocks.sort_unstable();
    blocks.dedup();
    let class = |block: Vec<Var>| {
        let mut taken: FxHashSet<Var> = block.iter().copied().collect();
        let mut blocks = vec![block];
        let mut at = 0;
        while at < blocks.len() {
            let block = blocks[at].clone();
            for (to, moved) in swaps.iter().filter(|(to, moved)| moved.len() == smallest && to.to[block[0]] != block[0])
            {
                let other: Vec<Var> = block.iter().map(|&var| to.to[var]).collect();
                let is_swap = moved.iter().all(|var| block.contains(var) || other.contains(var));
                if is_swap && !other.iter().any(|var| taken.contains(var)) {
                    taken.extend(&other);
                    blocks.push(other);
                }
            }
            at += 1;
        }
        Class { blocks }
    };
    blocks.into_iter().map(class).max_by_key(|class| class.blocks.len())
}

/// Returns the group of the symmetries that normalise the classes, modulo permutations of blocks, without the identity.
fn others(found: &[Permutation], classes: &[Class]) -> Vec<Permutation> {
    let Some(first) = found.first() else { return Vec::new() };
    let identity = Permutation::identity(first.to.len());
    let mut group = vec![identity.clone()];
    for generator in found.iter().filter_map(|to| in_order(to, classes)) {
        if group.contains(&generator) {
            continue;
        }
        // The closure of the group so far with the new generator.
        let mut closure = group.clone();
        let mut at = 0;
        while at < closure.len() && closure.len() <= MOST_SYMMETRIES {
            for with in group.iter().skip(1).chain([&generator]) {
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

/// Returns the symmetry that maps the blocks as this one does, but each to the block with its own number; `None` if it
/// does not map classes to classes and all blocks of a class alike.
fn in_order(to: &Permutation, classes: &[Class]) -> Option<Permutation> {
    let mut ordered = to.clone();
    for class in classes {
        let image = to.to[class.blocks[0][0]];
        let target = classes.iter().find(|class| class.blocks.iter().flatten().any(|&var| var == image))?;
        if target.blocks.len() != class.blocks.len() || target.blocks[0].len() != class.blocks[0].len() {
            return None;
        }
        // The index in the target's blocks of each variable's image.
        let mut first: Option<Vec<usize>> = None;
        for (block, own) in class.blocks.iter().zip(&target.blocks) {
            let start = to.to[block[0]];
            let onto = target.blocks.iter().find(|onto| onto.contains(&start))?;
            let at = |&var: &Var| onto.iter().position(|&other| other == to.to[var]);
            let indices = block.iter().map(at).collect::<Option<Vec<usize>>>()?;
            let alike = block.iter().zip(&class.blocks[0]).all(|(&var, &other)| to.values[var] == to.values[other]);
            if !alike || *first.get_or_insert_with(|| indices.clone()) != indices {
                return None;
            }
            block.iter().zip(&indices).for_each(|(&var, &index)| ordered.to[var] = own[index]);
        }
    }
    Some(ordered)
}

/// Checks whether permutations are symmetries.
struct Check<'a> {
    task: &'a Task,
    /// Made for the first permutation that keeps the goals: those of most boards are not symmetrical.
    operators: OnceCell<Operators<'a>>,
    goals: FxHashSet<Goal>,
    never: FxHashSet<&'a Never>,
    context: &'a BuildContext,
}

/// The operators of a task, and by what they are found.
struct Operators<'a> {
    all: FxHashSet<NormalForm<'a>>,
    /// The operators in which each variable occurs.
    mentions: Vec<Vec<u32>>,
    /// The operators that need each fact.
    needs: FxHashMap<(Var, Value), Vec<u32>>,
    /// The operators that read each counter.
    counted_by: Vec<Vec<u32>>,
}

impl<'a> Operators<'a> {
    fn new(task: &'a Task) -> Operators<'a> {
        let mut mentions = vec![Vec::new(); task.variables.len()];
        let mut counted_by = vec![Vec::new(); task.counters.len()];
        let mut needs: FxHashMap<(Var, Value), Vec<u32>> = FxHashMap::default();
        for (number, operator) in (0..).zip(&task.operators) {
            for (var, values) in &operator.conditions {
                values.only().into_iter().for_each(|value| needs.entry((*var, value)).or_default().push(number));
            }
            operator.counts.iter().for_each(|range| counted_by[range.counter].push(number));
            let mentioned = sorted(operator.read().chain(operator.changed()));
            mentioned.into_iter().for_each(|var| mentions[var].push(number));
        }
        let all = task.operators.iter().map(|one| NormalForm::of(Cow::Borrowed(one))).collect();
        Operators { all, mentions, needs, counted_by }
    }
}

impl<'a> Check<'a> {
    fn new(task: &'a Task, context: &'a BuildContext) -> Check<'a> {
        let identity = Permutation::identity(task.variables.len());
        Check {
            task,
            operators: OnceCell::new(),
            goals: task.goals.iter().map(|one| goal(one, &identity)).collect(),
            never: task.never.iter().collect(),
            context,
        }
    }

    fn is_symmetry(&self, to: &Permutation) -> bool {
        let task = self.task;
        let alike = |var: Var| task.size(var) == task.size(to.to[var]);
        if !(0..to.to.len()).all(alike) {
            return false;
        }
        let Some(counters) = counter_images(task, to) else { return false };
        // There are few goals, and most permutations of a board move one.
        if !task.goals.iter().all(|one| self.goals.contains(&goal(one, to))) {
            return false;
        }
        let operators = self.operators.get_or_init(|| Operators::new(task));
        let moved = to.moved();
        let exchanged = (0..counters.len()).filter(|&counter| counters[counter] != counter);
        let mut is_seen = vec![false; task.operators.len()];
        // Most permutations that are no symmetry fail at an operator that needs a fact which moves, or at one of the first.
        let moves = |&var: &Var| Some((var, (0..).zip(&*to.values[var]).find(|(value, to)| value != *to)?.0));
        let first = moved.iter().find_map(moves).and_then(|fact| operators.needs.get(&fact));
        let touched = first.into_iter().flatten().chain(moved.iter().flat_map(|&var| &operators.mentions[var]));
        let touched = touched.chain(exchanged.flat_map(|counter| &operators.counted_by[counter])).copied();
        let touched = touched.filter(|&number| !replace(&mut is_seen[number as usize], true));
        let mut changed = touched.map(|number| &task.operators[number as usize]);
        changed.all(|one| {
            !self.context.should_stop()
                && (!may_change(one, to, &moved, &counters)
                    || operators.all.contains(&NormalForm::of(Cow::Owned(operator(one, to, &counters)))))
        }) && task.never.iter().all(|one| self.never.contains(&never(one, to, &counters)))
    }
}

/// Returns the counter to which a permutation maps each counter; `None` if one has no image.
fn counter_images(task: &Task, to: &Permutation) -> Option<Vec<usize>> {
    let image = |counter: &Vec<Condition>| {
        let image = conditions(counter, to);
        task.counters.iter().position(|other| *other == image)
    };
    task.counters.iter().map(image).collect()
}

/// Returns whether a permutation that moves some variables, and maps counters so, may change an operator.
fn may_change(operator: &Operator, to: &Permutation, moved: &[Var], counters: &[usize]) -> bool {
    let is_moved = |var: Var| moved.binary_search(&var).is_ok();
    let reads = |source: &Source| matches!(source, Source::Table(var, _) if is_moved(*var));
    // If each condition has an equal image, the conditions are permuted: no other variable is mapped into them.
    operator
        .conditions
        .iter()
        .any(|(var, values)| operator.condition(to.to[*var]) != Some(values) || !to.values[*var].is_empty())
        || operator.effects.iter().any(|effect| is_moved(effect.target) || reads(&effect.source))
        || operator.disjunctions.iter().flatten().flatten().any(|&(var, _)| is_moved(var))
        || operator.counts.iter().any(|range| counters[range.counter] != range.counter)
}

/// Returns whether symmetries take each of some operators to another of them, or to its equal.
pub(crate) fn are_kept(task: &Task, symmetries: &[Permutation], numbers: &[u32]) -> bool {
    let chosen = || numbers.iter().map(|&number| &task.operators[number as usize]);
    let forms: FxHashSet<NormalForm> = chosen().map(|one| NormalForm::of(Cow::Borrowed(one))).collect();
    symmetries.iter().all(|to| {
        let counters = counter_images(task, to);
        let image = |one: &Operator, counters: &[usize]| NormalForm::of(Cow::Owned(operator(one, to, counters)));
        counters.is_some_and(|counters| chosen().all(|one| forms.contains(&image(one, &counters))))
    })
}

/// An operator in normal form, which its action is no part of. Operators are copied only if they are changed.
struct NormalForm<'a>(Cow<'a, Operator>);

impl<'a> NormalForm<'a> {
    fn of(mut operator: Cow<'a, Operator>) -> NormalForm<'a> {
        if !operator.disjunctions.is_empty() {
            let operator = operator.to_mut();
            operator.disjunctions = ordered(take(&mut operator.disjunctions));
        }
        NormalForm(operator)
    }

    fn parts(&self) -> (u32, &[Condition], &[Disjunction], &[CountRange], &[Effect]) {
        let Operator { cost, conditions, disjunctions, counts, effects, action: _ } = &*self.0;
        (*cost, conditions, disjunctions, counts, effects)
    }
}

impl PartialEq for NormalForm<'_> {
    fn eq(&self, other: &NormalForm) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for NormalForm<'_> {}

impl Hash for NormalForm<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

fn conditions(all: &[Condition], to: &Permutation) -> Vec<Condition> {
    let moved = |(var, values): &Condition| (to.to[*var], to.image(*var, values));
    let mut moved: Vec<Condition> = all.iter().map(moved).collect();
    moved.sort_unstable();
    moved
}

fn counts(all: &[CountRange], counters: &[usize]) -> Vec<CountRange> {
    let mut moved: Vec<CountRange> =
        all.iter().map(|range| CountRange { counter: counters[range.counter], ..*range }).collect();
    moved.sort_unstable();
    moved
}

fn operator(one: &Operator, to: &Permutation, counters: &[usize]) -> Operator {
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
        disjunctions: ordered(with(&one.disjunctions, |all| conditions(all, to))),
        counts: counts(&one.counts, counters),
        effects,
        ..*one
    }
}

fn never(one: &Never, to: &Permutation, counters: &[usize]) -> Never {
    Never { conditions: conditions(&one.conditions, to), counts: counts(&one.counts, counters) }
}

fn goal(one: &Goal, to: &Permutation) -> Goal {
    let mut moved = one.with(|all| conditions(all, to));
    moved.counts.sort_unstable();
    moved.disjunctions = ordered(moved.disjunctions);
    moved
}

/// Sorts disjunctions and their alternatives.
fn ordered(mut disjunctions: Vec<Disjunction>) -> Vec<Disjunction> {
    disjunctions.iter_mut().for_each(|any| any.sort_unstable());
    disjunctions.sort_unstable();
    disjunctions
}
