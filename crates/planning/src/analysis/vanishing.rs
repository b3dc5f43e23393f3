//! Elimination of vanishing states.
//!
//! Where a file counts several steps as one move, its rules pass through states in which only moves of cost 0 are
//! legal: in peg solitaire counted by sweeps, a peg in the middle of its jumps. Such a state *vanishes*: a search need
//! not store it. All paths through vanishing states from one *stable* state to the next become one edge (the
//! elimination of vanishing markings of Petri nets: Ajmone Marsan, Conte and Balbo, A class of generalized stochastic
//! Petri nets, 1984).
//!
//! A value is *transient* if the start does not have it, no move with a cost applies to it, and no goal allows it. The
//! transient values of a state, with their variables, are its *control*; a stable state has none. The controls
//! reachable from the empty one form a small automaton. Its transitions are operators, compiled to masks over the
//! *code* of the rest of the state, at most 64 bits. The elimination is exact: it is refused unless all operators of
//! other controls are free and no goal has a control.
//!
//! The transitions can be read backwards, too, so that [`predecessors`](Stable::predecessors) regresses stable states.
//! This also serves tasks without vanishing states: all their controls are empty.

use super::symmetry::{Images, Permutation, Symmetries};
use crate::packed::operator_index::OperatorIndex;
use crate::packed::{BitSpan, Numbers, Packed, PackedCounters, PackedGoal, StateLayout, Test, Word};
use crate::search::BuildContext;
use crate::task::{Condition, Effect, Goal, Never, Operator, Source, Task, Value, Values, Var, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The most controls, and the most transitions of all of them.
const MOST_CONTROLS: usize = 256;
const MOST_TRANSITIONS: usize = 1 << 16;

/// The most sets of transient values that are tried.
const MOST_TRIES: usize = 32;

/// The most combinations of old values for which an operator gets transitions.
const MOST_COMBINATIONS: usize = 64;

/// The number of stable states that are tried, and the number of vanishing states after one of them that are too many.
const PROBED: usize = 256;
const MOST_PASSED: usize = 1 << 12;

/// Without cycles, vanishing states are remembered only after this many of them: mostly there are fewer.
const FEW: usize = 64;

/// The most bits of a word that are translated at once.
const CHUNK_BITS: usize = 11;

/// The number of the empty control.
const STABLE: u32 = 0;

/// The number of a value that is not stable.
const TRANSIENT: Value = Value::MAX;

/// The stable states of a task, and the edges between them.
pub struct Stable {
    /// The number of each value among the stable ones of its variable.
    numbers: Vec<Box<[Value]>>,
    layout: StateLayout,
    forward: Vec<Transitions>,
    backward: Vec<Transitions>,
    /// True if all transitions between vanishing states remove, or all add, set bits: then none forms a cycle.
    acyclic: bool,
    images: Images<u64>,
    goals: Vec<Goal>,
    packed_goals: Vec<PackedGoal<u64>>,
    never: Vec<Test<u64>>,
    /// The numbers of the stable values of each variable.
    sizes: Vec<usize>,
}

/// The transitions of one control, forwards or backwards.
struct Transitions {
    index: OperatorIndex,
    /// Operators on codes, each with the control after it.
    all: Vec<(Packed<u64>, u32)>,
}

/// The transient values of a state.
type Control = BTreeMap<Var, Value>;

/// A transition between controls.
struct Transition {
    /// The controls that it leads from and to.
    ends: [u32; 2],
    /// The operator on the stable values, and the one that takes its results back.
    ways: [Operator; 2],
}

impl Stable {
    /// Compiles a task in which states vanish; none if there are none, or the transitions are not few enough.
    pub fn new(task: &Task, symmetries: &[Permutation], context: &BuildContext) -> Option<Stable> {
        let mut transient = transient_values(task);
        let concerned = concerned_by(&transient, task);
        for _ in 0..MOST_TRIES {
            if transient.iter().all(Values::is_empty) {
                return None;
            }
            // Most sets of values are refused for what few operators do, and this takes a fraction of the time.
            let trial = explore(task, &concerned, &transient, &[], true, context);
            match trial.and_then(|_| Stable::with_transient(&transient, task, symmetries, context)) {
                Ok(stable) => {
                    let is_of_use = stable.has_vanishing_states() && stable.has_few_near(&task.start);
                    return is_of_use.then_some(stable);
                }
                // The values of a control that is none are not transient, such as a hole that no peg can fill.
                Err(Some(not)) => {
                    for (var, value) in not {
                        transient[var] = transient[var].without(&Values::one(value));
                    }
                }
                Err(None) => return None,
            }
        }
        None
    }

    /// Compiles a task as if no state vanished; none if the transitions are not few enough.
    pub fn of_all_states(task: &Task, symmetries: &[Permutation], context: &BuildContext) -> Option<Stable> {
        Stable::with_transient(&vec![Values::NONE; task.variables.len()], task, symmetries, context).ok()
    }

    /// # Errors
    /// A control of which a state does not vanish, if that is the reason.
    fn with_transient(
        transient: &[Values],
        task: &Task,
        symmetries: &[Permutation],
        context: &BuildContext,
    ) -> Result<Stable, Option<Control>> {
        let stable: Vec<Vec<Value>> = (0..task.variables.len())
            .map(|var| (0..task.size(var) as Value).filter(|&value| !transient[var].contains(value)).collect())
            .collect();
        let numbers: Vec<Box<[Value]>> =
            stable.iter().zip(0..).map(|(stable, var)| number(stable, task.size(var))).collect();
        let restricted = restrict(task, &stable, &numbers).ok_or(None)?;
        let layout = StateLayout::new(&restricted);
        let has_transient = transient.iter().any(|values| !values.is_empty());
        // A forbidden state is recognised by its code alone, without the counters of the task.
        let counts = task.never.iter().any(|never| !never.counts.is_empty());
        if layout.bits > 64 || counts || has_transient && !task.never.is_empty() {
            return Err(None);
        }
        let all: Vec<u32> = (0..task.operators.len() as u32).collect();
        let (controls, transitions) = explore(task, &all, transient, &numbers, false, context)?;
        let steps = || transitions.iter().filter(|transition| !transition.ends.contains(&STABLE));
        let written_bits = |operator: &Operator| operator.constants().map(|(_, value)| value.count_ones()).sum::<u32>();
        let bits = |transition: &Transition| transition.ways.each_ref().map(written_bits);
        let acyclic = steps().map(bits).all(|[new, old]| new < old) || steps().map(bits).all(|[new, old]| new > old);
        let pack = |way: usize| {
            let of = |control: usize| {
                let mine = || transitions.iter().filter(move |transition| transition.ends[way] as usize == control);
                let operators = mine().map(|transition| transition.ways[way].clone()).collect();
                let task = Task { operators, ..restricted.clone() };
                let counters = PackedCounters::new(&task, &layout);
                let packed = (0..task.operators.len()).map(|number| Packed::new(&task, &layout, &counters, number));
                let all = packed.zip(mine().map(|transition| transition.ends[1 - way])).collect();
                Transitions { index: OperatorIndex::new(&task, &layout, context), all }
            };
            (0..controls.len()).map(of).collect::<Vec<Transitions>>()
        };
        let (forward, backward) = (pack(0), pack(1));
        let symmetries =
            symmetries.iter().map(|to| restrict_permutation(to, &stable, &numbers)).collect::<Option<Vec<_>>>();
        Ok(Stable {
            images: Images::new(&restricted, &Symmetries::of_group(symmetries.unwrap_or_default())),
            packed_goals: restricted.goals.iter().map(|goal| PackedGoal::new(&restricted, &layout, goal)).collect(),
            goals: restricted.goals.clone(),
            never: restricted.never.iter().map(|never| Test::new(&layout, &never.conditions)).collect(),
            sizes: stable.iter().map(Vec::len).collect(),
            numbers,
            layout,
            forward,
            backward,
            acyclic,
        })
    }

    /// Returns whether there are vanishing states.
    pub fn has_vanishing_states(&self) -> bool {
        self.forward.len() > 1
    }

    /// Returns whether few states vanish between the first [`PROBED`] stable states from a start and the next ones: no
    /// limit ends the passage from one stable state to the next.
    fn has_few_near(&self, start: &[Value]) -> bool {
        let mut known: Vec<u64> = self.code(start).into_iter().collect();
        let mut seen: FxHashSet<u64> = known.iter().copied().collect();
        let mut at = 0;
        while at < known.len().min(PROBED) {
            let code = known[at];
            let passed = self.follow(&self.forward, code, MOST_PASSED, |_, next| {
                if known.len() < PROBED && seen.insert(next) {
                    known.push(next);
                }
            });
            if passed == MOST_PASSED {
                return false;
            }
            at += 1;
        }
        true
    }

    /// Returns the code of a state; none if the state vanishes.
    #[inline]
    pub fn code(&self, state: &[Value]) -> Option<u64> {
        let mut code = 0;
        for ((&field, numbers), &value) in self.layout.fields.iter().zip(&self.numbers).zip(state) {
            let number = numbers[usize::from(value)];
            if number == TRANSIENT {
                return None;
            }
            code.put(field, number);
        }
        Some(code)
    }

    /// Returns the least image of a stable state.
    #[inline]
    pub fn canonical(&self, code: u64) -> u64 {
        self.images.canonical(code)
    }

    /// Calls `each` with the cost and the code of each stable state that follows, in the order of the moves.
    pub fn successors(&self, code: u64, each: impl FnMut(u32, u64)) {
        self.follow(&self.forward, code, usize::MAX, each);
    }

    /// Calls `each` with a superset of the stable states that lead to this one, with their costs. Returns the number of
    /// states passed through, itself included.
    pub fn predecessors(&self, code: u64, each: impl FnMut(u32, u64)) -> usize {
        self.follow(&self.backward, code, usize::MAX, each)
    }

    /// Passes through at most `most` states, and returns their number.
    fn follow(&self, graph: &[Transitions], code: u64, most: usize, mut each: impl FnMut(u32, u64)) -> usize {
        // Vanishing states with their costs: those still to visit, the first move last, and those seen. Moves that
        // commute lead to one state in many orders, and moves may form cycles.
        let mut open: Vec<(u64, u32, u32)> = Vec::new();
        let mut seen: FxHashSet<(u64, u32, u32)> = FxHashSet::default();
        let mut passed = 1;
        let (mut code, mut control, mut cost) = (code, STABLE, 0);
        let numbers = &mut Numbers::new();
        loop {
            let transitions = &graph[control as usize];
            let first = open.len();
            for &at in transitions.index.candidates(&code) {
                let (operator, to) = &transitions.all[at as usize];
                if !operator.holds(&code, numbers) {
                    continue;
                }
                let after = operator.after(&code);
                let cost = cost + operator.cost;
                if *to != STABLE {
                    let state = (after, *to, cost);
                    if self.acyclic && passed < FEW || seen.insert(state) {
                        open.push(state);
                    }
                } else if operator.allows(&after) {
                    each(cost, after);
                }
            }
            open[first..].reverse();
            match open.pop().filter(|_| passed < most) {
                Some(next) => (code, control, cost) = next,
                None => return passed,
            }
            passed += 1;
        }
    }

    /// Returns the least cost of an edge.
    pub fn least_cost(&self) -> u32 {
        self.forward[STABLE as usize].all.iter().map(|(operator, _)| operator.cost).min().unwrap_or(0)
    }

    /// Returns whether a stable state is a goal.
    pub fn is_goal(&self, code: u64) -> bool {
        self.packed_goals.iter().any(|goal| goal.holds(&code))
    }

    /// Returns all stable goals; none if they are more than `most`, or listing them takes more than `most` partial
    /// goals.
    pub fn list_goals(&self, most: usize) -> Option<Vec<u64>> {
        let mut all = Vec::new();
        for goal in &self.goals {
            let mut left: Vec<Values> = self.sizes.iter().map(|&size| Values::below(size)).collect();
            goal.conditions.iter().for_each(|(var, values)| left[*var] = left[*var].and(values));
            let mut partial: Vec<(u64, Vec<u32>)> = vec![(0, vec![0; goal.counts.len()])];
            for (var, values) in left.iter().enumerate() {
                let mut next = Vec::new();
                for (code, counts) in &partial {
                    for value in values.iter() {
                        let (mut code, mut counts) = (*code, counts.clone());
                        code.put(self.layout.fields[var], value);
                        let mut fits = true;
                        for (number, count) in counts.iter_mut().zip(&goal.counts) {
                            let is_counted = |(of, values): &(Var, Values)| *of == var && values.contains(value);
                            *number += u32::from(count.of.iter().any(is_counted));
                            let rest = count.of.iter().filter(|(of, _)| *of > var).count() as u32;
                            fits &= *number <= count.most && *number + rest >= count.least;
                        }
                        if fits {
                            next.push((code, counts));
                        }
                    }
                    if next.len() > most {
                        return None;
                    }
                }
                partial = next;
            }
            all.extend(partial.into_iter().map(|(code, _)| code));
        }
        all.retain(|&code| self.is_goal(code) && !self.never.iter().any(|never| never.holds(&code)));
        all.iter_mut().for_each(|code| *code = self.canonical(*code));
        all.sort_unstable();
        all.dedup();
        (all.len() <= most).then_some(all)
    }

    /// Returns the translations between packed states and codes.
    pub fn recoding<W: Word>(&self, layout: &StateLayout) -> Recoding<W> {
        let pack = |vars: &[Var], bits: BitSpan, number: usize| {
            let mut code = 0;
            for &var in vars {
                let value = usize::from(bits.value(number, layout.fields[var]));
                // Values that are not stable occur in no state that is translated.
                let stable = self.numbers[var].get(value).copied().unwrap_or(0);
                code.put(self.layout.fields[var], if stable == TRANSIENT { 0 } else { stable });
            }
            code
        };
        let unpack = |vars: &[Var], bits: BitSpan, number: usize| {
            let mut word = W::zero(layout.bits);
            for &var in vars {
                let stable = bits.value(number, self.layout.fields[var]);
                let value = self.numbers[var].iter().position(|&number| number == stable);
                word.put(layout.fields[var], value.unwrap_or(0) as Value);
            }
            word
        };
        Recoding { pack: tables(layout, pack), unpack: tables(&self.layout, unpack) }
    }
}

/// Tables that translate packed states to codes and back.
pub struct Recoding<W> {
    pack: Vec<(BitSpan, Vec<u64>)>,
    unpack: Vec<(BitSpan, Vec<W>)>,
}

impl<W: Word> Recoding<W> {
    /// Returns the code of a stable state.
    #[inline]
    pub fn pack(&self, word: &W) -> u64 {
        self.pack.iter().fold(0, |code, (bits, table)| code | table[word.read(*bits)])
    }

    /// Returns the stable state with a code.
    #[inline]
    pub fn unpack(&self, code: u64) -> W {
        let mut word = self.unpack[0].1[code.read(self.unpack[0].0)].clone();
        self.unpack[1..].iter().for_each(|(bits, table)| word.merge(&table[code.read(*bits)]));
        word
    }
}

/// Returns a table for each run of adjacent fields.
fn tables<T>(layout: &StateLayout, entry: impl Fn(&[Var], BitSpan, usize) -> T) -> Vec<(BitSpan, Vec<T>)> {
    let mut chunks: Vec<Vec<Var>> = Vec::new();
    for var in 0..layout.fields.len() {
        let joins = |chunk: &Vec<Var>| layout.span(chunk[0], var).is_some_and(|span| span.bits() <= CHUNK_BITS);
        match chunks.last_mut().filter(|chunk| joins(chunk)) {
            Some(chunk) => chunk.push(var),
            None => chunks.push(vec![var]),
        }
    }
    let table = |vars: &Vec<Var>| {
        let bits = layout.span(vars[0], vars[vars.len() - 1]).expect("fields of a chunk are adjacent");
        (bits, (0..1 << bits.bits()).map(|number| entry(vars, bits, number)).collect())
    };
    chunks.iter().map(table).collect()
}

/// Returns whether a task has values that may be transient.
pub fn may_vanish(task: &Task) -> bool {
    transient_values(task).iter().any(|values| !values.is_empty())
}

/// Returns the values of each variable that may be transient: not of the start, not borne by a move with a cost that
/// reads the variable, excluded by some such move or read by a free one.
fn transient_values(task: &Task) -> Vec<Values> {
    let mut allowed_by_costly: Vec<Values> = task.start.iter().map(|&value| Values::one(value)).collect();
    let conditions = |is_costly: bool| {
        let operators = task.operators.iter().filter(move |operator| (operator.cost > 0) == is_costly);
        operators.flat_map(|operator| &operator.conditions)
    };
    for (var, values) in conditions(true) {
        let allowed = &mut allowed_by_costly[*var];
        if !values.is_within(allowed) {
            *allowed = allowed.or(values);
        }
    }
    // Most values of most tasks are allowed.
    let all = task.variables.iter().map(|variable| Values::below(variable.values.len()));
    let others: Vec<Values> = all.zip(&allowed_by_costly).map(|(all, allowed)| all.without(allowed)).collect();
    let mut transient = vec![Values::NONE; others.len()];
    for is_costly in [false, true] {
        for (var, values) in conditions(is_costly).filter(|(var, _)| !others[*var].is_empty()) {
            let marked = if is_costly { others[*var].without(values) } else { others[*var].and(values) };
            transient[*var] = transient[*var].or(&marked);
        }
    }
    transient
}

/// Returns the number of each value among the stable ones.
fn number(stable: &[Value], size: usize) -> Box<[Value]> {
    let mut numbers = vec![TRANSIENT; size];
    (0..).zip(stable).for_each(|(number, &value)| numbers[usize::from(value)] = number);
    numbers.into()
}

/// Returns the numbers of the stable values of a set.
fn stable_numbers(values: &Values, numbers: &[Value]) -> Values {
    values.iter().map(|value| numbers[usize::from(value)]).filter(|&number| number != TRANSIENT).collect()
}

/// Returns the task with stable values alone, and without operators.
fn restrict(task: &Task, stable: &[Vec<Value>], numbers: &[Box<[Value]>]) -> Option<Task> {
    let variable = |(variable, stable): (&Variable, &Vec<Value>)| Variable {
        name: variable.name.clone(),
        values: stable.iter().map(|&value| variable.values[usize::from(value)].clone()).collect(),
    };
    let condition = |(var, values): &Condition| (*var, stable_numbers(values, &numbers[*var]));
    let conjunction = |all: &[Condition]| all.iter().map(condition).collect::<Vec<Condition>>();
    let never = |never: &Never| Never { conditions: conjunction(&never.conditions), ..Never::default() };
    if task.variables.is_empty() || task.variables.iter().any(|variable| variable.values.len() >= TRANSIENT.into()) {
        return None;
    }
    Some(Task {
        variables: task.variables.iter().zip(stable).map(variable).collect(),
        operators: Vec::new(),
        start: task.start.iter().zip(numbers).map(|(&value, numbers)| numbers[usize::from(value)]).collect(),
        goals: task.goals.iter().map(|goal| goal.with(conjunction)).collect(),
        never: task.never.iter().map(never).collect(),
        ..Task::default()
    })
}

/// Returns a symmetry of the stable states.
fn restrict_permutation(whole: &Permutation, stable: &[Vec<Value>], numbers: &[Box<[Value]>]) -> Option<Permutation> {
    let values = |var: Var| {
        let moved = |&value: &Value| numbers[whole.to[var]].get(usize::from(whole.value(var, value))).copied();
        let moved: Option<Box<[Value]>> = stable[var].iter().map(moved).collect();
        moved.filter(|moved| !moved.contains(&TRANSIENT))
    };
    let values = (0..whole.to.len()).map(values).collect::<Option<_>>()?;
    Some(Permutation { to: whole.to.clone(), values })
}

/// Returns whether a state with a control may be a goal.
fn may_hold(goal: &Goal, control: &Control) -> bool {
    let holds = |(var, values): &Condition| control.get(var).is_none_or(|&value| values.contains(value));
    goal.conditions.iter().all(holds)
}

/// Returns the operators without those that change no control, whatever it is, and make none an error: free ones on
/// variables without transient values. There may be thousands of them, such as walks.
fn concerned_by(transient: &[Values], task: &Task) -> Vec<u32> {
    let never_matters = |operator: &Operator| {
        let touched = || operator.touched().into_iter();
        let combinations = touched().map(|var| operator.condition(var).map_or(task.size(var), Values::len));
        operator.cost == 0
            && operator.is_plain()
            && touched().all(|var| transient[var].is_empty())
            && combinations.fold(1, usize::saturating_mul) <= MOST_COMBINATIONS
    };
    (0..).zip(&task.operators).filter(|(_, operator)| !never_matters(operator)).map(|(number, _)| number).collect()
}

/// Explores the controls from the empty one by some operators, and returns them with their transitions: without those
/// from the empty control to itself, and without their numbers, if only an error is wanted.
///
/// # Errors
/// A control with a move that has a cost, or that a goal may have; none if the transitions are too many.
fn explore(
    task: &Task,
    operators: &[u32],
    transient: &[Values],
    numbers: &[Box<[Value]>],
    is_trial: bool,
    context: &BuildContext,
) -> Result<(Vec<Control>, Vec<Transition>), Option<Control>> {
    let mut controls = vec![Control::new()];
    let mut found = FxHashMap::from_iter([(Control::new(), STABLE)]);
    let mut transitions = Vec::new();
    let may_lead_on = |Effect { target, source }: &Effect| match source {
        Source::Value(value) => transient[*target].contains(*value),
        Source::Table(..) => source.values(|var| Values::below(task.size(var))).meets(&transient[*target]),
    };
    let mut at = 0;
    while at < controls.len() {
        let control = controls[at].clone();
        for operator in operators.iter().map(|&number| &task.operators[number as usize]) {
            // A transition is tested by its conditions alone.
            if !operator.is_plain() || context.should_stop() {
                return Err(None);
            }
            if is_trial && at == 0 && !operator.effects.iter().any(may_lead_on) {
                continue;
            }
            let allowed = |(var, values): &Condition| match control.get(var) {
                Some(&value) => values.contains(value),
                None => !values.is_within(&transient[*var]),
            };
            if !operator.conditions.iter().all(allowed) {
                continue;
            }
            for (old, new) in combinations(task, operator, &control, transient).ok_or(None)? {
                if old == new {
                    continue;
                }
                if operator.cost > 0 && at > 0 {
                    return Err(Some(control));
                }
                let mut after = control.clone();
                for (&var, &value) in &new {
                    after.remove(&var);
                    if transient[var].contains(value) {
                        after.insert(var, value);
                    }
                }
                if !after.is_empty() && task.goals.iter().any(|goal| may_hold(goal, &after)) {
                    return Err(Some(after));
                }
                let to = *found.entry(after).or_insert_with_key(|after| {
                    controls.push(after.clone());
                    controls.len() as u32 - 1
                });
                if controls.len() > MOST_CONTROLS || transitions.len() == MOST_TRANSITIONS {
                    return Err(None);
                }
                if is_trial {
                    continue;
                }
                let others =
                    operator.conditions.iter().filter(|(var, _)| !old.contains_key(var) && !control.contains_key(var));
                let others = others.map(|(var, values)| (*var, stable_numbers(values, &numbers[*var])));
                let others: Vec<Condition> = others.collect();
                let way =
                    |from: &Assignment, to: &Assignment| restricted_operator(operator, &others, numbers, from, to);
                transitions.push(Transition { ends: [at as u32, to], ways: [way(&old, &new), way(&new, &old)] });
            }
        }
        at += 1;
    }
    Ok((controls, transitions))
}

/// The values of some variables.
type Assignment = BTreeMap<Var, Value>;

/// Returns the combinations of old values of the variables that an operator reads for its effects or changes, with the
/// values afterwards; none if they are too many.
fn combinations(
    task: &Task,
    operator: &Operator,
    control: &Control,
    transient: &[Values],
) -> Option<Vec<(Assignment, Assignment)>> {
    let mut all: Vec<Assignment> = vec![Assignment::new()];
    for var in operator.touched() {
        let allowed = task.allowed(operator, var);
        let values = match control.get(&var) {
            Some(&value) => allowed.and(&Values::one(value)),
            None => allowed.without(&transient[var]),
        };
        if all.len() * values.len() > MOST_COMBINATIONS {
            return None;
        }
        let with = |old: &Assignment, value: Value| {
            let mut old = old.clone();
            old.insert(var, value);
            old
        };
        all = all.iter().flat_map(|old| values.iter().map(move |value| with(old, value))).collect();
    }
    let with_new = |old: Assignment| {
        let mut new = old.clone();
        for effect in &operator.effects {
            new.insert(effect.target, effect.source.value(|var| old[&var]));
        }
        (old, new)
    };
    Some(all.into_iter().map(with_new).collect())
}

/// Returns an operator that takes stable values to others, with conditions on variables that keep theirs. A transient
/// value has no part in a code: no condition asks for it, and it is written as 0.
fn restricted_operator(
    operator: &Operator,
    others: &[Condition],
    numbers: &[Box<[Value]>],
    from: &Assignment,
    to: &Assignment,
) -> Operator {
    let stable =
        |(&var, &value): (&Var, &Value)| (var, Some(numbers[var][usize::from(value)]).filter(|&it| it != TRANSIENT));
    let mut conditions = others.to_vec();
    conditions.extend(from.iter().map(stable).filter_map(|(var, value)| Some((var, Values::one(value?)))));
    conditions.sort_unstable();
    let write = |(target, value): (Var, Option<Value>)| Effect { target, source: Source::Value(value.unwrap_or(0)) };
    let effects = to.iter().map(stable).map(write).collect();
    Operator { cost: operator.cost, conditions, effects, ..Operator::default() }
}
