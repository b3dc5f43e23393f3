//! Strong stubborn sets of operators (Valmari 1989; for optimal planning: Alkhazraji, Wehrle, Mattmüller and Helmert,
//! ECAI 2012; Wehrle and Helmert, ICAPS 2014): some cheapest solution begins with an operator of the set, so a search
//! expands these alone. They save the orders of moves that do not touch each other, such as those of several lorries.
//!
//! Two operators *interfere* if one writes a variable that the other reads or writes, unless their conditions exclude
//! each other. An operator reads what its conditions, disjunctions, counters and tables read, and the variables of each
//! `never` that it may make true. So if two that do not interfere are both legal, each is legal after the other, and
//! both orders have one result. A set of operators is stubborn in a state if
//!
//! 1. every solution contains one of them: for each goal, it has all operators that may bring about one of its unmet
//!    conditions;
//! 2. with an operator that is illegal now, it has all that may bring about one of its unmet conditions, so that one of
//!    these comes before it in every solution;
//! 3. with an operator that is legal now, it has all that interfere with it.
//!
//! Take a cheapest solution, of these one with the fewest moves, and the first operator in it of the set. It is legal
//! now, by the second rule. By the third one, it interferes with none of those before it. So it is legal before each of
//! them in turn, and made first, it leaves the result and the cost as they are. The rest is a solution with less cost
//! or fewer moves from the state that it leads to: by induction, a search that expands stubborn sets alone finds a
//! cheapest solution.

use crate::heuristic::few_states;
use crate::packed::can_become_true;
use crate::search::{BuildContext, Named};
use crate::task::{Condition, Disjunction, Operator, Task, Value, Values, Var};
use engine_search::bit_set::BitSet;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The name of this reduction.
pub const STUBBORN_SETS: Named =
    Named { name: "stubborn-sets", summary: "only moves of pieces with which some cheapest solution begins" };

/// With more operators, or more pairs that interfere, the sets take too long.
const MOST_OPERATORS: usize = 1024;
const MOST_PAIRS: usize = 1 << 18;

/// The most goals, and the most unmet conditions of the first goal from which a set is grown.
const MOST_GOALS: usize = 4;
const MOST_SEEDS: usize = 4;

/// The sets must leave out at least one in this many of the legal moves in sampled states.
const WORTH: usize = 4;

/// A builder of stubborn sets.
pub struct StubbornMoves {
    /// For each operator, those that interfere with it.
    interfering: Vec<OperatorSet>,
    /// For each operator, and for each goal, its conditions, with the index in `sets` of the operators that may bring
    /// each about.
    conditions: Vec<Box<[(Var, Values, u32)]>>,
    goals: Vec<Box<[(Var, Values, u32)]>>,
    sets: Vec<OperatorSet>,
    /// For each operator, those that write a variable on which it depends whether it is legal.
    enabling: Vec<OperatorSet>,
    /// For each variable, the operators that write it.
    writers: Vec<OperatorSet>,
}

/// A set of operators.
type OperatorSet = BitSet<u32>;

/// A stubborn set that grows.
struct Growing<'a> {
    set: OperatorSet,
    legal: &'a OperatorSet,
    /// The number of legal operators in the set, and what it must stay below.
    moves: u32,
    most: u32,
    /// The operators for which the set still needs others.
    open: Vec<u32>,
}

impl Growing<'_> {
    /// Adds operators; returns whether the set is still small enough.
    #[inline]
    fn add(&mut self, others: &OperatorSet) -> bool {
        let new = others.without(&self.set);
        if !new.is_empty() {
            self.moves += new.and(self.legal).len() as u32;
            self.open.extend(new.iter());
            self.set = self.set.or(&new);
        }
        self.moves < self.most
    }
}

/// The variables that an operator reads and writes.
struct Touched {
    reads: BitSet<Var>,
    writes: BitSet<Var>,
}

impl StubbornMoves {
    /// Returns them if they leave out enough moves of sampled states.
    pub fn worthwhile(task: &Task, context: &BuildContext) -> Option<StubbornMoves> {
        let stubborn = StubbornMoves::new(task)?;
        let (mut all, mut kept) = (0, 0);
        for state in few_states(task, context) {
            let legal: Vec<u32> =
                (0..).zip(&task.operators).filter(|(_, one)| is_legal(task, one, &state)).map(|(at, _)| at).collect();
            let set = stubborn.of(task, &state, &legal);
            all += legal.len();
            kept += legal.iter().filter(|&&operator| set.as_ref().is_none_or(|set| set.contains(operator))).count();
        }
        (WORTH * kept <= (WORTH - 1) * all && all > 0).then_some(stubborn)
    }

    /// Finds out which operators interfere; none if they are too many.
    fn new(task: &Task) -> Option<StubbornMoves> {
        let operators = &task.operators;
        if operators.len() > MOST_OPERATORS || task.goals.is_empty() || task.goals.len() > MOST_GOALS {
            return None;
        }
        let touched: Vec<Touched> = (0..operators.len()).map(|number| Touched::new(task, number)).collect();
        let none = vec![OperatorSet::NONE; task.variables.len()];
        let (mut readers, mut writers) = (none.clone(), none);
        for (number, touched) in (0..).zip(&touched) {
            touched.reads.iter().for_each(|var| _ = readers[var].insert(number));
            touched.writes.iter().for_each(|var| _ = writers[var].insert(number));
        }
        let (mut interfering, mut enabling, mut pairs) = (Vec::new(), Vec::new(), 0);
        for (operator, touched) in operators.iter().zip(&touched) {
            let union = |vars: &BitSet<Var>, of: &[OperatorSet]| {
                vars.iter().fold(OperatorSet::NONE, |all, var| all.or(&of[var]))
            };
            let enabled_by = union(&touched.reads.or(&touched.writes), &writers);
            let set = union(&touched.writes, &readers).or(&enabled_by);
            let others = set.iter().filter(|&other| !operator.excludes(&operators[other as usize]));
            let others: OperatorSet = others.collect();
            pairs += others.len();
            if pairs > MOST_PAIRS {
                return None;
            }
            interfering.push(others);
            enabling.push(enabled_by);
        }
        let mut sets: Vec<OperatorSet> = Vec::new();
        let mut known: BTreeMap<Condition, u32> = BTreeMap::new();
        let mut set_of = |condition: &Condition| {
            let (var, values) = condition;
            let set = *known.entry(condition.clone()).or_insert_with(|| {
                sets.push(bringing(task, &writers[*var], *var, values));
                sets.len() as u32 - 1
            });
            (*var, values.clone(), set)
        };
        let conditions = operators.iter().map(|one| one.conditions.iter().map(&mut set_of).collect()).collect();
        let goals = task.goals.iter().map(|goal| goal.conditions.iter().map(&mut set_of).collect()).collect();
        Some(StubbornMoves { interfering, conditions, goals, sets, enabling, writers })
    }

    /// Returns a stubborn set of a state with these legal operators; none if none leaves out a legal one.
    pub fn of(&self, task: &Task, state: &[Value], legal: &[u32]) -> Option<BitSet<u32>> {
        let legal_set: OperatorSet = legal.iter().copied().collect();
        // Every solution reaches one of the goals, so the set needs what one unmet condition of each takes.
        let mut common = OperatorSet::NONE;
        for goal in 1..task.goals.len() {
            common = common.or(self.seeds(task, goal, state).next()?.as_ref());
        }
        let (mut best, mut least) = (None, legal.len() as u32);
        for seeds in self.seeds(task, 0, state).take(MOST_SEEDS) {
            if let Some((set, moves)) = self.grow([seeds.as_ref(), &common], state, &legal_set, least) {
                (best, least) = (Some(set), moves);
            }
            if least <= 1 {
                break;
            }
        }
        best
    }

    /// Returns, for each unmet part of a goal, the operators that may bring it about.
    fn seeds<'a>(
        &'a self,
        task: &'a Task,
        goal: usize,
        state: &'a [Value],
    ) -> impl Iterator<Item = Cow<'a, OperatorSet>> + 'a {
        let conditions = self.goals[goal].iter().filter(|(var, values, _)| !values.contains(state[*var]));
        let conditions = conditions.map(|(.., set)| Cow::Borrowed(&self.sets[*set as usize]));
        let goal = &task.goals[goal];
        let writers = |vars: &mut dyn Iterator<Item = Var>| {
            Cow::Owned(vars.fold(OperatorSet::NONE, |set, var| set.or(&self.writers[var])))
        };
        let counts = goal.counts.iter().filter(|count| !count.holds(state));
        let counts = counts.map(move |count| writers(&mut count.of.iter().map(|(var, _)| *var)));
        let unmet =
            |any: &&Disjunction| !any.iter().any(|all| all.iter().all(|(var, values)| values.contains(state[*var])));
        let any = goal.disjunctions.iter().filter(unmet);
        let any = any.map(move |any| writers(&mut any.iter().flatten().map(|(var, _)| *var)));
        conditions.chain(counts).chain(any)
    }

    /// Grows a set from operators of which every solution contains one; returns it with the number of its legal
    /// operators if these are fewer than `most`.
    fn grow(
        &self,
        seeds: [&OperatorSet; 2],
        state: &[Value],
        legal: &OperatorSet,
        most: u32,
    ) -> Option<(OperatorSet, u32)> {
        let mut growing = Growing { set: OperatorSet::NONE, legal, moves: 0, most, open: Vec::new() };
        if !seeds.into_iter().all(|seeds| growing.add(seeds)) {
            return None;
        }
        while let Some(operator) = growing.open.pop() {
            let at = operator as usize;
            let needed = if legal.contains(operator) {
                &self.interfering[at]
            } else {
                let unmet = self.conditions[at].iter().filter(|(var, values, _)| !values.contains(state[*var]));
                let sets = unmet.map(|(.., set)| &self.sets[*set as usize]);
                // Without an unmet condition, it takes another value of some variable on which it depends.
                sets.min_by_key(|set| set.without(&growing.set).len()).unwrap_or(&self.enabling[at])
            };
            if !growing.add(needed) {
                return None;
            }
        }
        Some((growing.set, growing.moves))
    }
}

impl Touched {
    fn new(task: &Task, number: usize) -> Touched {
        let operator = &task.operators[number];
        let never = || task.never.iter().filter(move |never| can_become_true(task, number, never));
        let counters = operator.counts.iter().chain(never().flat_map(|never| &never.counts));
        let counted = counters.flat_map(|range| &task.counters[range.counter]);
        let others = never().flat_map(|never| &never.conditions).chain(counted).map(|(var, _)| *var);
        Touched { reads: operator.read().chain(others).collect(), writes: operator.changed().collect() }
    }
}

/// Returns the operators among the writers of a variable that may give it one of some values.
fn bringing(task: &Task, writers: &OperatorSet, var: Var, values: &Values) -> OperatorSet {
    let brings = |number: &u32| task.may_have_after(&task.operators[*number as usize], var, values);
    writers.iter().filter(brings).collect()
}

/// Returns whether an operator is a move of a state.
fn is_legal(task: &Task, operator: &Operator, state: &[Value]) -> bool {
    task.holds(operator, state) && {
        let after = operator.after(state);
        after != state && task.is_allowed(&after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SplitMix64;
    use crate::task::{Count, CountRange, Effect, Goal, Never, Source, Variable};

    const VALUES: u64 = 3;

    /// Returns some conditions on distinct variables, sorted by variable.
    fn conditions(random: &mut SplitMix64, variables: usize, one_in: u64) -> Vec<Condition> {
        let mut all = Vec::new();
        for var in 0..variables {
            if random.below(one_in) == 0 {
                let value = random.below(VALUES) as Value;
                let others = Values::below(VALUES as usize).without(&Values::one(value));
                all.push((var, if random.below(3) == 0 { others } else { Values::one(value) }));
            }
        }
        all
    }

    /// Returns a random task of a few variables, with every kind of condition.
    fn random_task(seed: u64) -> Task {
        let mut random = SplitMix64::new(seed);
        let variables = 3 + random.below(3) as usize;
        let variable = |number: usize| Variable {
            name: format!("v{number}"),
            values: (0..VALUES).map(|value| value.to_string()).collect(),
        };
        let mut task = Task {
            variables: (0..variables).map(variable).collect(),
            start: (0..variables).map(|_| random.below(VALUES) as Value).collect(),
            counters: vec![(0..variables).map(|var| (var, Values::one(random.below(VALUES) as Value))).collect()],
            ..Task::default()
        };
        for action in 0..4 + random.below(8) as u32 {
            let mut effects = Vec::new();
            for target in 0..variables {
                if random.below(variables as u64) == 0 || target == variables - 1 && effects.is_empty() {
                    let table = (0..VALUES).map(|_| random.below(VALUES) as Value).collect();
                    let source = match random.below(3) {
                        0 => Source::Table(random.below(variables as u64) as Var, table),
                        _ => Source::Value(random.below(VALUES) as Value),
                    };
                    effects.push(Effect { target, source });
                }
            }
            let any =
                |random: &mut SplitMix64| vec![conditions(random, variables, 3), conditions(random, variables, 3)];
            let disjunctions = if random.below(6) == 0 { vec![any(&mut random)] } else { Vec::new() };
            let range = CountRange { counter: 0, least: 0, most: random.below(3) as u32 };
            task.operators.push(Operator {
                cost: random.below(3) as u32,
                conditions: conditions(&mut random, variables, 3),
                disjunctions,
                counts: if random.below(6) == 0 { vec![range] } else { Vec::new() },
                effects,
                action,
            });
        }
        for _ in 0..1 + random.below(2) {
            let of = conditions(&mut random, variables, 2);
            let counts =
                if random.below(3) == 0 { vec![Count { least: 1, most: of.len() as u32, of }] } else { Vec::new() };
            task.goals.push(Goal {
                conditions: conditions(&mut random, variables, 2),
                counts,
                disjunctions: Vec::new(),
            });
        }
        if random.below(2) == 0 {
            task.never.push(Never { conditions: conditions(&mut random, variables, 2), counts: Vec::new() });
            task.never.retain(|never| never.conditions.len() > 1);
        }
        task
    }

    /// Returns all states, by number.
    fn states(task: &Task) -> Vec<Vec<Value>> {
        let count = (VALUES as usize).pow(task.variables.len() as u32);
        let digits = |number: usize| {
            (0..task.variables.len() as u32)
                .map(|var| (number / (VALUES as usize).pow(var) % VALUES as usize) as Value)
                .collect()
        };
        (0..count).map(digits).collect()
    }

    /// Returns the least cost to a goal from every state, by moves that `keeps` accepts.
    fn distances(task: &Task, keeps: impl Fn(&[Value], u32) -> bool) -> Vec<Option<u32>> {
        let states = states(task);
        let number = |state: &[Value]| {
            state.iter().rev().fold(0, |number, &value| number * VALUES as usize + usize::from(value))
        };
        let mut distances: Vec<Option<u32>> = states.iter().map(|state| task.is_goal(state).then_some(0)).collect();
        let mut edges = Vec::new();
        for (from, state) in states.iter().enumerate().filter(|(_, state)| task.is_allowed(state)) {
            for (operator, after) in task.successors(state).filter(|(operator, _)| keeps(state, *operator as u32)) {
                edges.push((from, task.operators[operator].cost, number(&after)));
            }
        }
        for _ in 0..states.len() {
            for &(from, cost, to) in &edges {
                let through = distances[to].map(|rest| rest + cost);
                if through.is_some_and(|through| distances[from].is_none_or(|known| through < known)) {
                    distances[from] = through;
                }
            }
        }
        distances
    }

    #[test]
    fn every_state_keeps_a_cheapest_solution() {
        let (mut kept, mut all) = (0, 0);
        for seed in 0..1500 {
            let task = random_task(seed);
            let Some(stubborn) = StubbornMoves::new(&task) else { continue };
            let sets: BTreeMap<Vec<Value>, Option<OperatorSet>> = states(&task)
                .into_iter()
                .map(|state| {
                    let legal: Vec<u32> = task.successors(&state).map(|(operator, _)| operator as u32).collect();
                    let set = stubborn.of(&task, &state, &legal);
                    if task.is_allowed(&state) {
                        all += legal.len();
                        kept += legal.iter().filter(|&&one| set.as_ref().is_none_or(|set| set.contains(one))).count();
                    }
                    (state, set)
                })
                .collect();
            let within =
                distances(&task, |state, operator| sets[state].as_ref().is_none_or(|set| set.contains(operator)));
            let whole = distances(&task, |_, _| true);
            let allowed = states(&task).into_iter().zip(whole.into_iter().zip(within));
            for (state, (whole, within)) in allowed.filter(|(state, _)| task.is_allowed(state)) {
                assert_eq!(within, whole, "{state:?} of seed {seed}: {task:?}");
            }
        }
        assert!(kept * 10 < all * 9, "{kept} of {all} moves are left: the sets leave out too few");
    }

    #[test]
    fn lorries_that_do_not_meet_are_moved_one_after_the_other() {
        // Three lorries, each of which drives along four places of its own.
        let mut task = Task { start: vec![0; 3], ..Task::default() };
        for lorry in 0..3 {
            let values = (0..4).map(|place: u32| place.to_string()).collect();
            task.variables.push(Variable { name: format!("lorry {lorry}"), values });
            for place in 0..3 {
                task.operators.push(Operator {
                    cost: 1,
                    conditions: vec![(lorry, Values::one(place))],
                    effects: vec![Effect { target: lorry, source: Source::Value(place + 1) }],
                    action: task.operators.len() as u32,
                    ..Operator::default()
                });
            }
        }
        task.goals.push(Goal { conditions: (0..3).map(|lorry| (lorry, Values::one(3))).collect(), ..Goal::default() });
        let stubborn =
            StubbornMoves::worthwhile(&task, &BuildContext::default()).expect("two of three moves are left out");
        let set = stubborn.of(&task, &task.start, &[0, 3, 6]).expect("it leaves out moves");
        assert_eq!([0, 3, 6].map(|operator| set.contains(operator)), [true, false, false]);
    }
}
