//! Compares every heuristic with true distances over all states of small tasks.

mod perimeter;
pub(super) mod puzzles;
mod random;
mod refuting;

use super::abstraction::Abstraction;
use super::cartesian::CARTESIAN;
use super::database::{Budget, Database};
use super::operator_counting::OPERATOR_COUNTING;
use super::{ALL, BREAKPOINTS, COST_PARTITIONING, DISJOINT_PATTERNS, LM_CUT, MATCHING, MAXIMUM, PATTERN_DATABASE};
use super::{
    Built, DEAD, Heuristic, PERIMETER, POTENTIALS, Registration, TOGGLES, moves_are_undone, refuting_invariants,
};
use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::reduce::{Reduced, reduce};
use crate::argument::{Argument, Missing, Refutation, Sum, Weights, fact};
use crate::refutation::{explain, refute};
use crate::search::{BuildContext, SplitMix64};
use crate::task::{Count, Effect, Goal, Operator, Source, Task, Value, Values, Variable};
use puzzles::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// Returns all allowed states, with their distance to a goal.
pub(super) fn distances(task: &Task) -> BTreeMap<Vec<Value>, Option<u32>> {
    let mut all = BTreeMap::new();
    let mut state = vec![0; task.variables.len()];
    'states: loop {
        if task.is_allowed(&state) {
            all.insert(state.clone(), task.is_goal(&state).then_some(0));
        }
        for (var, value) in state.iter_mut().enumerate() {
            *value += 1;
            if usize::from(*value) < task.size(var) {
                continue 'states;
            }
            *value = 0;
        }
        break;
    }
    let states: Vec<Vec<Value>> = all.keys().cloned().collect();
    let number = |state: &Vec<Value>| states.binary_search(state).expect("an allowed state");
    let mut into: Vec<Vec<(usize, u32)>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for (operator, after) in task.successors(state) {
            into[number(&after)].push((from, task.operators[operator].cost));
        }
    }
    let mut open: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    open.insert(0, (0..states.len()).filter(|&at| task.is_goal(&states[at])).collect());
    while let Some((distance, now)) = open.pop_first() {
        for at in now.into_iter().filter(|&at| all[&states[at]] == Some(distance)).collect::<Vec<_>>() {
            for &(from, cost) in &into[at] {
                let known = all.get_mut(&states[from]).expect("a known state");
                if known.is_none_or(|known| distance + cost < known) {
                    *known = Some(distance + cost);
                    open.entry(distance + cost).or_default().push(from);
                }
            }
        }
    }
    all
}

/// Returns a task as it is, without a reduction.
pub(super) fn unreduced(task: &Task) -> AnalysedTask {
    let (shared, operators) = (Arc::new(task.clone()), task.operators.len());
    let reduced = Reduced {
        task: Arc::clone(&shared),
        origin: (0..operators as u32).collect(),
        reached: (0..task.variables.len()).map(|var| task.size(var)).collect(),
        inverse: vec![None; operators],
        is_reversible: false,
        mutexes: None,
        narrowed: shared,
        lifting: Arc::default(),
    };
    AnalysedTask::new(task, reduced, 0, Box::new(|_| Vec::new()))
}

fn build(kind: &Registration, task: &Task) -> Built {
    kind.build(&unreduced(task), &BuildContext::default())
}

/// Builds a heuristic and checks it against the distances of all states.
pub(super) fn build_checked(kind: &Registration, task: &Task) -> Built {
    let name = kind.facts.name;
    let heuristic = build(kind, task)?;
    // A linear program for each state takes long.
    let step = if name == OPERATOR_COUNTING.facts.name { 16 } else { 1 };
    let is_consistent = kind.facts.consistent || is_in(kind, &CONSISTENT);
    for (state, distance) in distances(task).into_iter().step_by(step) {
        let h = heuristic.h(&state);
        let at = || format!("{name} at {state:?} of {task:?}\n{}", heuristic.describe());
        match distance {
            Some(distance) => assert!(h <= distance, "{h} is more than {distance}: {}", at()),
            None => assert!(h <= DEAD, "{}", at()),
        }
        if is_consistent {
            for (operator, after) in task.successors(&state) {
                let cost = task.operators[operator].cost;
                let next = heuristic.h(&after);
                assert!(h <= cost + next, "{h} falls to {next} by operator {operator}, {cost}: {}", at());
            }
        }
    }
    Ok(heuristic)
}

/// Returns the sum of h and the sum of distances over all states that can reach a goal, the number of detected dead
/// ends, and the number of all dead ends.
pub(super) fn quality(heuristic: &dyn Heuristic, task: &Task) -> [u64; 4] {
    let mut quality = [0; 4];
    for (state, distance) in distances(task) {
        let h = heuristic.h(&state);
        if let Some(distance) = distance {
            quality[0] += u64::from(h);
            quality[1] += u64::from(distance);
        } else {
            quality[2] += u64::from(h == DEAD);
            quality[3] += 1;
        }
    }
    quality
}

/// Those that are consistent although their facts do not claim it.
static CONSISTENT: [&Registration; 2] = [&POTENTIALS, &PATTERN_DATABASE];

/// Those that rely on what is true of the reachable states.
static OF_REACHABLE_STATES: [&Registration; 3] = [&MATCHING, &MAXIMUM, &PERIMETER];

/// Those that apply to few tasks.
static OF_FEW_TASKS: [&Registration; 3] = [&DISJOINT_PATTERNS, &BREAKPOINTS, &TOGGLES];

fn is_in(kind: &Registration, list: &[&Registration]) -> bool {
    list.iter().any(|other| other.facts.name == kind.facts.name)
}

/// Returns the heuristics that hold for all states.
fn kinds() -> impl Iterator<Item = &'static Registration> {
    ALL.into_iter().filter(|kind| !is_in(kind, &OF_REACHABLE_STATES))
}

#[test]
fn every_heuristic_is_admissible_on_random_tasks() {
    let mut built = BTreeMap::new();
    for seed in 0..400 {
        let task = random::task(seed);
        for kind in kinds() {
            *built.entry(kind.facts.name).or_insert(0) += u32::from(build_checked(kind, &task).is_ok());
        }
    }
    let few = kinds().find(|kind| !is_in(kind, &OF_FEW_TASKS) && built[kind.facts.name] <= 40);
    assert!(few.is_none(), "{built:?}: too few for a meaningful test");
}

#[test]
fn no_invariant_refutes_a_solvable_random_task() {
    let mut refutations = 0;
    for seed in 0..1500 {
        let task = random::task(seed);
        if let Some(invariants) = refuting_invariants(&task, &BuildContext::default()) {
            refutations += 1;
            assert_eq!(distances(&task)[&task.start], None, "{invariants:?}: {task:?}");
        }
    }
    assert!(refutations > 20, "{refutations}: too few for a meaningful test");
}

#[test]
fn breakpoints_of_pancakes_are_gaps() {
    // The gaps, the one above the plate included.
    let gaps = |stack: &[Value]| {
        let apart = stack.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) != 1).count();
        apart + usize::from(usize::from(stack[stack.len() - 1]) != stack.len() - 1)
    };
    for start in [[3, 1, 5, 4, 0, 2], [1, 3, 0, 2, 4, 5]] {
        let heuristic = build_checked(&BREAKPOINTS, &pancakes(&start, false)).expect("flips carry neighbours");
        assert_eq!(heuristic.h(&start), gaps(&start) as u32, "{start:?}");
    }
    let heuristic = build_checked(&BREAKPOINTS, &pancakes(&[1, 3, 5, 7], true)).expect("flips carry neighbours");
    assert_eq!(heuristic.h(&[1, 3, 5, 7]), 4, "four gaps");
    assert_eq!(heuristic.h(&[7, 5, 3, 1]), 1, "one flip of all of them");
    assert_eq!(heuristic.h(&[1, 2, 4, 6]), 1, "one flip of the first");
}

#[test]
fn a_short_walk_shows_whether_moves_are_undone() {
    assert!([hanoi(4), tiles(3, 2), pancakes(&[3, 1, 2, 0], false)].iter().all(moves_are_undone));
    assert!(!moves_are_undone(&pegs(&ENGLISH, 1)));
}

#[test]
fn each_kind_is_informative_on_its_own_puzzles() {
    let share = |kind: &Registration, task: &Task| {
        let heuristic = build_checked(kind, task).expect("the heuristic applies");
        let [h, distance, dead, all] = quality(&*heuristic, task);
        (h * 100 / distance, (dead * 100).checked_div(all).unwrap_or(100))
    };
    assert_eq!(share(&POTENTIALS, &pegs(&["oooo", "o.oo", "oooo"], 1)).0, 100);
    assert_eq!(share(&PATTERN_DATABASE, &hanoi(4)), (100, 100));
    assert!(share(&PATTERN_DATABASE, &sokoban(&["@  $ .", " $   ."], 0)).0 > 80);
    for task in [lights(3, 3, 2, "101010101"), lights(4, 2, 2, "10000000"), lights(2, 2, 3, "1201"), dials()] {
        assert_eq!(share(&TOGGLES, &task), (100, 100));
    }
    // One pattern pays for the truck's way, the others for their own parcels alone.
    let task = freight(&[1, 2, 3, 1], &[2, 0, 1, 3], 4);
    let (shared, added) = (share(&COST_PARTITIONING, &task).0, share(&PATTERN_DATABASE, &task).0);
    assert!(shared >= 95 && shared > added, "{shared}, {added}");
    assert!(share(&LM_CUT, &tiles(3, 2)).0 > 50);
    assert!(share(&LM_CUT, &sokoban(&["@  $ .", " $   ."], 0)).0 > 90);
}

#[test]
fn refined_to_the_end_cartesian_sets_give_the_distance_of_the_start() {
    for task in [tiles(3, 2), freight(&[1, 2, 3], &[2, 0, 1], 4), hanoi(4), river(), jugs(&[5, 3], 4)] {
        let heuristic = build_checked(&CARTESIAN, &task).expect("the heuristic applies to every task");
        assert_eq!(Some(heuristic.h(&task.start)), distances(&task)[&task.start], "{}", heuristic.describe());
    }
}

#[test]
fn every_heuristic_is_admissible_on_small_puzzles() {
    for task in [
        tiles(3, 2),
        freight(&[1, 2, 3], &[2, 0, 1], 4),
        pegs(&["oooo", "o.oo", "oooo"], 1),
        pegs(&["o.o", "ooo", "oo."], 2),
        lights(3, 3, 2, "101010101"),
        lights(2, 2, 3, "1201"),
        dials(),
        hanoi(4),
        jugs(&[5, 3], 4),
        sokoban(&["@  $ .", " $   ."], 0),
        sokoban(&["@ $  ", "   #.", "$#   "], 1),
        river(),
    ] {
        for kind in kinds() {
            let _ = build_checked(kind, &task);
        }
    }
}

#[test]
fn a_table_of_reachable_states_holds_their_distances() {
    let mut built = 0;
    for seed in 0..300 {
        let mut task = random::task(seed);
        // The table ignores disjunctions and counts.
        task.operators.iter_mut().for_each(|operator| operator.disjunctions.clear());
        task.operators.iter_mut().for_each(|operator| operator.counts.clear());
        task.never.retain(|never| never.counts.is_empty());
        let classes = |var| (0..task.size(var)).map(|value| value as Value).collect();
        let abstraction = Abstraction::new((0..task.variables.len()).map(classes).collect()).expect("few codes");
        let mut budget = Budget { codes: 0, entries: u64::MAX, work: u64::MAX };
        let table = Database::new(&task, &abstraction, &mut budget, &BuildContext::default()).expect("a small table");
        let distances = distances(&task);
        assert_eq!(table.h(&task.start), distances[&task.start].unwrap_or(DEAD), "{task:?}");
        built += u32::from(table.entries() < abstraction.codes);
        for (state, distance) in distances {
            assert!(table.h(&state) <= distance.unwrap_or(DEAD), "{state:?}: {task:?}");
        }
    }
    assert!(built > 100, "{built}: too few for a meaningful test");
}

#[test]
fn a_table_of_a_long_corridor_holds_exact_distances() {
    // A walker in a corridor of 100 places opens a door at its end, and goes back; a key lies at place 70.
    let variable = |name: &str, values: u32| Variable {
        name: name.to_owned(),
        values: (0..values).map(|value| value.to_string()).collect(),
    };
    let mut task = Task {
        variables: vec![variable("lamp", 3), variable("place", 100), variable("door", 2)],
        start: vec![0, 5, 0],
        ..Task::default()
    };
    let mut add = |conditions: Vec<(usize, Values)>, target: usize, value: Value| {
        let effects = vec![Effect { target, source: Source::Value(value) }];
        let (disjunctions, counts, action) = (Vec::new(), Vec::new(), task.operators.len() as u32);
        task.operators.push(Operator { cost: 1, conditions, disjunctions, counts, effects, action });
    };
    for place in 0..99 {
        add(vec![(1, Values::one(place))], 1, place + 1);
        add(vec![(1, Values::one(place + 1))], 1, place);
    }
    // The lamp is lit in the second half only, and the door is seen by its light.
    let half = Values::below(100).without(&Values::below(50));
    add(vec![(0, Values::below(2)), (1, half)], 0, 2);
    add(vec![(0, Values::one(2)), (1, Values::one(70))], 2, 1);
    task.goals.push(Goal { conditions: vec![(1, Values::one(5)), (2, Values::one(1))], ..Goal::default() });
    let classes = |var| (0..task.size(var)).map(|value| value as Value).collect();
    let abstraction = Abstraction::new((0..3).map(classes).collect()).expect("few codes");
    let distances = distances(&task);
    assert_eq!(distances[&task.start], Some(132));
    for codes in [u64::MAX, 0] {
        let mut budget = Budget { codes, entries: u64::MAX, work: u64::MAX };
        let table = Database::new(&task, &abstraction, &mut budget, &BuildContext::default()).expect("a small table");
        for (state, distance) in &distances {
            let h = table.h(state);
            assert!(codes == 0 || h == distance.unwrap_or(DEAD), "{h} at {state:?}");
        }
        assert_eq!(table.h(&task.start), 132);
    }
}

#[test]
fn the_equations_of_lights_out_give_exact_distances() {
    let task = lights(5, 5, 2, "1111111111111111111111111");
    let heuristic = build(&TOGGLES, &task).expect("the heuristic applies");
    // The least number of presses, and a position with one lamp lit that no presses solve.
    assert_eq!(heuristic.h(&task.start), 15, "{}", heuristic.describe());
    let mut one = vec![0; 25];
    one[0] = 1;
    assert_eq!(heuristic.h(&one), DEAD);
    let larger = lights(15, 15, 2, &"1".repeat(225));
    let heuristic = build(&TOGGLES, &larger).expect("the heuristic applies");
    assert_eq!(heuristic.h(&larger.start), 117, "{}", heuristic.describe());
}

#[test]
fn potentials_count_the_pegs_to_remove() {
    let task = pegs(&ENGLISH, 1);
    let heuristic = build(&POTENTIALS, &task).expect("the heuristic applies");
    assert_eq!(heuristic.h(&task.start), 31, "{}", heuristic.describe());
}

#[test]
fn potentials_detect_dead_ends_of_peg_solitaire() {
    let mut task = pegs(&ENGLISH, 1);
    task.goals[0].conditions = vec![(16, Values::one(1))];
    let heuristic = build(&POTENTIALS, &task).expect("the heuristic applies");
    assert!(heuristic.describe().contains("for dead ends"), "{}", heuristic.describe());
    // Positions that lead to the goal, found by playing backwards, are never reported as dead ends.
    let mut random = SplitMix64::new(1);
    for _ in 0..200 {
        let mut state: Vec<Value> = (0..33).map(|cell| Value::from(cell == 16)).collect();
        for left in 0..20 {
            let back: Vec<_> = task
                .operators
                .iter()
                .filter(|jump| jump.effects.iter().all(|effect| effect.source == Source::Value(state[effect.target])))
                .collect();
            if back.is_empty() {
                break;
            }
            let jump = back[random.below(back.len() as u64) as usize];
            jump.conditions.iter().for_each(|(var, values)| state[*var] = values.only().expect("one value"));
            assert_eq!(heuristic.h(&state), left + 1, "{state:?}");
        }
    }
}

#[test]
fn the_position_classes_refute_the_european_board() {
    let invariants = refuting_invariants(&pegs(&EUROPEAN, 1), &BuildContext::default()).expect("a refutation");
    assert!(invariants.iter().all(|invariants| invariants.modulus == Some(2)), "{invariants:?}");
    assert_eq!(refuting_invariants(&pegs(&ENGLISH, 1), &BuildContext::default()), None);
}

#[test]
fn quiet_patterns_refute_lights_out() {
    let unsolvable = lights(5, 5, 2, "1000000000000000000000000");
    let invariants = refuting_invariants(&unsolvable, &BuildContext::default()).expect("a refutation");
    assert_eq!(invariants.len(), 1, "one quiet pattern is enough");
    assert_eq!(refuting_invariants(&lights(5, 5, 2, "1100010000000000000000000"), &BuildContext::default()), None);
}

#[test]
fn invariants_consider_all_states_of_a_counting_goal() {
    // Moves toggle two lamps at a time, so one lamp alone cannot be lit; one or two of the three can.
    let mut task = lights(3, 1, 2, "000");
    task.operators.remove(1);
    let lit = |var| (var, Values::one(1));
    let count = Count { of: vec![lit(0), lit(1), lit(2)], least: 1, most: 1 };
    task.goals = vec![Goal { counts: vec![count.clone()], ..Goal::default() }];
    assert!(refuting_invariants(&task, &BuildContext::default()).is_some());
    task.goals[0].counts[0].most = 2;
    assert_eq!(refuting_invariants(&task, &BuildContext::default()), None);
    task.goals[0].counts = vec![Count { least: 3, most: 3, ..count }];
    assert!(refuting_invariants(&task, &BuildContext::default()).is_some());
}

/// Returns the sum of weights in a state, by the names of facts.
fn weighed(task: &Task, weights: &Weights, state: &[Value]) -> i64 {
    let named = task.variables.iter().zip(state);
    let weight = |(variable, &value): (&Variable, &Value)| {
        weights.get(&fact(&variable.name, &variable.values[usize::from(value)])).copied().unwrap_or(0)
    };
    named.map(weight).sum()
}

/// Checks an argument against all reachable states and all goals.
fn holds(task: &Task, reachable: &BTreeMap<Vec<Value>, Vec<Vec<Value>>>, argument: &Argument) {
    let goals = distances(task).into_keys().filter(|state| task.is_goal(state)).collect::<Vec<_>>();
    match argument {
        Argument::Potential { weights, start, goal } => {
            assert_eq!(weighed(task, weights, &task.start), *start, "{argument:?} {task:?}");
            for (state, after) in reachable.iter().flat_map(|(state, all)| all.iter().map(move |after| (state, after)))
            {
                let (before, after) = (weighed(task, weights, state), weighed(task, weights, after));
                assert!(before <= after, "{argument:?} falls at {state:?} of {task:?}");
            }
            assert!(goal < start, "{argument:?}");
        }
        Argument::Invariant { sums } => {
            for Sum { modulus, weights, start } in sums {
                let modulus = i64::from(modulus.unwrap_or(u32::MAX));
                for state in reachable.keys() {
                    let sum = weighed(task, weights, state);
                    assert_eq!((sum - start).rem_euclid(modulus), 0, "{argument:?} at {state:?} of {task:?}");
                }
                let differs_somewhere = |state: &Vec<Value>| {
                    sums.iter().any(|sum| {
                        let differs = weighed(task, &sum.weights, state) - sum.start;
                        differs.rem_euclid(sum.modulus.map_or(i64::MAX, i64::from)) != 0
                    })
                };
                let in_reach = |state: &&Vec<Value>| reachable.contains_key(*state);
                assert!(goals.iter().filter(in_reach).all(differs_somewhere), "{argument:?} of {task:?}");
            }
        }
        Argument::Abstraction { variables } => {
            for state in reachable.keys() {
                let facts: Vec<String> = task
                    .variables
                    .iter()
                    .zip(state)
                    .map(|(variable, &value)| fact(&variable.name, &variable.values[usize::from(value)]))
                    .collect();
                for variable in variables {
                    let held = facts.iter().filter(|fact| variable.contains_key(*fact)).count();
                    assert_eq!(held, 1, "{variable:?} at {state:?} of {task:?}");
                }
            }
        }
        Argument::Relaxation { missing } => {
            for Missing { facts, needed, possible } in missing {
                assert!(possible < needed && !facts.is_empty(), "{argument:?}");
            }
        }
        Argument::Exclusive { never, groups, argument } => {
            for state in reachable.keys() {
                let holds = |name: &&String| {
                    let mut facts = task.variables.iter().zip(state);
                    facts.any(|(variable, &value)| fact(&variable.name, &variable.values[usize::from(value)]) == **name)
                };
                assert!(!never.iter().any(|name| holds(&name)), "{never:?} at {state:?} of {task:?}");
                for group in groups {
                    let held = group.iter().filter(holds).count();
                    assert!(held <= 1, "{group:?} at {state:?} of {task:?}");
                }
            }
            holds(task, reachable, argument);
        }
        Argument::Parity {} => panic!("it is not about tasks"),
        Argument::Together { parts } => parts.iter().for_each(|part| holds(task, reachable, part)),
    }
}

#[test]
fn refuted_tasks_are_unsolvable_and_their_arguments_hold_for_every_move() {
    let mut kinds = BTreeMap::new();
    for seed in 0..3000 {
        let mut task = random::task(seed);
        for (at, variable) in task.variables.iter_mut().enumerate() {
            variable.name = format!("cell[0, {at}]");
        }
        let cells = if seed % 2 == 0 { task.variables.len() } else { 0 };
        let reduced = reduce(&task, cells, &BuildContext::default());
        let mut found: Vec<Refutation> = refute(&task, &reduced, &BuildContext::default()).into_iter().collect();
        let analysed = AnalysedTask::new(&task, reduced.clone(), cells, Box::new(|_| Vec::new()));
        if !task.is_goal(&task.start) {
            for kind in [&POTENTIALS, &PATTERN_DATABASE] {
                let Ok(heuristic) = kind.build(&analysed, &BuildContext::default()) else { continue };
                let start = &reduced.task.start;
                let proof = if heuristic.h(start) == DEAD { heuristic.refutation(start) } else { None };
                found.extend(proof.map(|proof| explain(&reduced.lifting, "it", &proof, start)));
            }
        }
        if found.is_empty() {
            continue;
        }
        assert_eq!(distances(&task)[&task.start], None, "{found:?}: {task:?}");
        let mut reachable: BTreeMap<Vec<Value>, Vec<Vec<Value>>> = BTreeMap::new();
        let mut open = vec![task.start.clone()];
        while let Some(state) = open.pop() {
            let after: Vec<Vec<Value>> = task.successors(&state).map(|(_, after)| after).collect();
            if let Entry::Vacant(entry) = reachable.entry(state) {
                open.extend(after.clone());
                entry.insert(after);
            }
        }
        for argument in found.iter().filter_map(|refutation| refutation.argument.as_ref()) {
            holds(&task, &reachable, argument);
            let kind = format!("{argument:?}").split(' ').next().map(str::to_owned);
            *kinds.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(kinds.len() == 6 && kinds.values().all(|&count| count >= 3), "{kinds:?}: too few for a meaningful test");
}
