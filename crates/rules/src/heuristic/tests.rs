//! Every heuristic against true distances, over all states of small tasks.

mod puzzles;
mod random;

use super::abstraction::Abstraction;
use super::database::{Budget, Database};
use super::{DEAD, Heuristic, Kind, refuted};
use crate::argument::{Argument, Missing, Refutation, Sum, Weights, fact};
use crate::domain::{BuildContext, SplitMix64};
use crate::reduce::reduce;
use crate::refutation::{proven, refute};
use crate::task::{Count, Goal, Source, Task, Value, Values, Variable};
use puzzles::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// All states that may be, with their distance to a goal.
pub(super) fn distances(task: &Task) -> BTreeMap<Vec<Value>, Option<u32>> {
    let mut all = BTreeMap::new();
    let mut state = vec![0; task.variables.len()];
    'states: loop {
        if task.may_be(&state) {
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
    let number = |state: &Vec<Value>| states.binary_search(state).expect("a state that may be");
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
                let known = all.get_mut(&states[from]).expect("known");
                if known.is_none_or(|known| distance + cost < known) {
                    *known = Some(distance + cost);
                    open.entry(distance + cost).or_default().push(from);
                }
            }
        }
    }
    all
}

/// Builds a heuristic, holds it to the distances of all states, and gives it back.
pub(super) fn checked(kind: Kind, task: &Task) -> Result<Heuristic, String> {
    let heuristic = Heuristic::new(kind, &Arc::new(task.clone()), &BuildContext::default())?;
    for (state, distance) in distances(task) {
        let h = heuristic.h(&state);
        let at = || format!("{kind:?} at {state:?} of {task:?}\n{}", heuristic.describe());
        match distance {
            Some(distance) => assert!(h <= distance, "{h} is more than {distance}: {}", at()),
            None => assert!(h <= DEAD, "{}", at()),
        }
        if kind.is_consistent() {
            for (operator, after) in task.successors(&state) {
                let cost = task.operators[operator].cost;
                let next = heuristic.h(&after);
                assert!(h <= cost + next, "{h} falls to {next} by operator {operator}, {cost}: {}", at());
            }
        }
    }
    Ok(heuristic)
}

/// The sum of h over all states from which a goal can be reached, and the sum of their distances; then how many of the
/// others are told dead, and how many there are.
pub(super) fn told(heuristic: &Heuristic, task: &Task) -> [u64; 4] {
    let mut told = [0; 4];
    for (state, distance) in distances(task) {
        let h = heuristic.h(&state);
        if let Some(distance) = distance {
            told[0] += u64::from(h);
            told[1] += u64::from(distance);
        } else {
            told[2] += u64::from(h == DEAD);
            told[3] += 1;
        }
    }
    told
}

const KINDS: [Kind; 5] = [Kind::Potentials, Kind::PatternDatabase, Kind::MergedSymbols, Kind::LmCut, Kind::Toggles];

#[test]
fn no_heuristic_says_too_much_of_a_random_task() {
    let mut built = [0; KINDS.len()];
    for seed in 0..400 {
        let task = random::task(seed);
        for (at, kind) in KINDS.into_iter().enumerate() {
            built[at] += u32::from(checked(kind, &task).is_ok());
        }
    }
    // Toggles are of another shape.
    assert!(built[..4].iter().all(|&built| built > 40), "{built:?}: too few to mean anything");
}

#[test]
fn no_invariant_refutes_a_random_task_that_can_be_solved() {
    let mut refutations = 0;
    for seed in 0..1500 {
        let task = random::task(seed);
        if let Some(kept) = refuted(&task, &BuildContext::default()) {
            refutations += 1;
            assert_eq!(distances(&task)[&task.start], None, "{kept:?}: {task:?}");
        }
    }
    assert!(refutations > 20, "{refutations}: too few to mean anything");
}

#[test]
fn each_kind_tells_what_it_is_there_for() {
    let share = |kind, task: &Task| {
        let heuristic = checked(kind, task).expect("a heuristic");
        let [h, distance, dead, all] = told(&heuristic, task);
        (h * 100 / distance, (dead * 100).checked_div(all).unwrap_or(100))
    };
    assert_eq!(share(Kind::Potentials, &pegs(&["oooo", "o.oo", "oooo"], 1)).0, 100);
    assert_eq!(share(Kind::PatternDatabase, &hanoi(4)), (100, 100));
    assert!(share(Kind::PatternDatabase, &sokoban(&["@  $ .", " $   ."], 0)).0 > 80);
    for task in [lights(3, 3, 2, "101010101"), lights(4, 2, 2, "10000000"), lights(2, 2, 3, "1201"), turns()] {
        assert_eq!(share(Kind::Toggles, &task), (100, 100));
    }
    assert!(share(Kind::LmCut, &tiles(3, 2)).0 > 50);
    assert!(share(Kind::LmCut, &sokoban(&["@  $ .", " $   ."], 0)).0 > 90);
    let (h, dead) = share(Kind::MergedSymbols, &tiles(3, 2));
    assert!(h > 80 && dead > 90, "{h}, {dead}");
}

#[test]
fn no_heuristic_says_too_much_of_a_puzzle() {
    for task in [
        tiles(3, 2),
        pegs(&["oooo", "o.oo", "oooo"], 1),
        pegs(&["o.o", "ooo", "oo."], 2),
        lights(3, 3, 2, "101010101"),
        lights(2, 2, 3, "1201"),
        turns(),
        hanoi(4),
        jugs(&[5, 3], 4),
        sokoban(&["@  $ .", " $   ."], 0),
        sokoban(&["@ $  ", "   #.", "$#   "], 1),
        river(),
    ] {
        for kind in KINDS {
            let _ = checked(kind, &task);
        }
    }
}

#[test]
fn a_table_of_what_can_be_reached_tells_the_distances_there() {
    let mut built = 0;
    for seed in 0..300 {
        let mut task = random::task(seed);
        // These are left out of the table.
        task.operators.iter_mut().for_each(|operator| operator.either.clear());
        let classes = |var| (0..task.size(var)).map(|value| value as u8).collect();
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
    assert!(built > 100, "{built}: too few to mean anything");
}

#[test]
fn lights_out_is_solved_by_its_equations() {
    let task = Arc::new(lights(5, 5, 2, "1111111111111111111111111"));
    let heuristic = Heuristic::new(Kind::Toggles, &task, &BuildContext::default()).expect("equations");
    // The least number of presses, and the start of one lamp that no presses put out.
    assert_eq!(heuristic.h(&task.start), 15, "{}", heuristic.describe());
    let mut one = vec![0; 25];
    one[0] = 1;
    assert_eq!(heuristic.h(&one), DEAD);
    let larger = Arc::new(lights(15, 15, 2, &"1".repeat(225)));
    let heuristic = Heuristic::new(Kind::Toggles, &larger, &BuildContext::default()).expect("equations");
    assert_eq!(heuristic.h(&larger.start), 117, "{}", heuristic.describe());
}

#[test]
fn potentials_count_the_pegs_that_have_to_go() {
    let task = pegs(&ENGLISH, 1);
    let heuristic =
        Heuristic::new(Kind::Potentials, &Arc::new(task.clone()), &BuildContext::default()).expect("weights");
    assert_eq!(heuristic.h(&task.start), 31, "{}", heuristic.describe());
}

#[test]
fn weights_that_never_fall_tell_dead_ends_of_peg_solitaire() {
    let mut task = pegs(&ENGLISH, 1);
    task.goals[0].conditions = vec![(16, Values::one(1))];
    let heuristic =
        Heuristic::new(Kind::Potentials, &Arc::new(task.clone()), &BuildContext::default()).expect("weights");
    assert!(heuristic.describe().contains("for dead ends"), "{}", heuristic.describe());
    // Positions that lead to the goal are never told dead: some on the way back from it.
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
    let kept = refuted(&pegs(&EUROPEAN, 1), &BuildContext::default()).expect("no solution");
    assert!(kept.iter().all(|kept| kept.modulus == Some(2)), "{kept:?}");
    assert_eq!(refuted(&pegs(&ENGLISH, 1), &BuildContext::default()), None);
}

#[test]
fn quiet_patterns_refute_lights_out() {
    let unsolvable = lights(5, 5, 2, "1000000000000000000000000");
    let kept = refuted(&unsolvable, &BuildContext::default()).expect("no solution");
    assert_eq!(kept.len(), 1, "one quiet pattern is enough");
    assert_eq!(refuted(&lights(5, 5, 2, "1100010000000000000000000"), &BuildContext::default()), None);
}

#[test]
fn a_goal_that_counts_is_taken_for_all_its_states() {
    // Moves turn two lamps at a time, so that one alone cannot be lit; with free choice of the goal it can.
    let mut task = lights(3, 1, 2, "000");
    task.operators.remove(1);
    let lit = |var| (var, Values::one(1));
    let count = Count { of: vec![lit(0), lit(1), lit(2)], least: 1, most: 1 };
    task.goals = vec![Goal { counts: vec![count.clone()], ..Goal::default() }];
    assert!(refuted(&task, &BuildContext::default()).is_some());
    task.goals[0].counts[0].most = 2;
    assert_eq!(refuted(&task, &BuildContext::default()), None);
    task.goals[0].counts = vec![Count { least: 3, most: 3, ..count }];
    assert!(refuted(&task, &BuildContext::default()).is_some());
}

/// The sum of weights in a state, by the names of facts.
fn weighed(task: &Task, weights: &Weights, state: &[Value]) -> i64 {
    let named = task.variables.iter().zip(state);
    let weight = |(variable, &value): (&Variable, &Value)| {
        weights.get(&fact(&variable.name, &variable.values[usize::from(value)])).copied().unwrap_or(0)
    };
    named.map(weight).sum()
}

/// Holds an argument to all states that can be reached, and to all goals.
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
                let told = |state: &Vec<Value>| {
                    sums.iter().any(|sum| {
                        let differs = weighed(task, &sum.weights, state) - sum.start;
                        differs.rem_euclid(sum.modulus.map_or(i64::MAX, i64::from)) != 0
                    })
                };
                let in_reach = |state: &&Vec<Value>| reachable.contains_key(*state);
                assert!(goals.iter().filter(in_reach).all(told), "{argument:?} of {task:?}");
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
        Argument::Together { parts } => parts.iter().for_each(|part| holds(task, reachable, part)),
    }
}

#[test]
fn what_is_refuted_has_no_solution_and_its_argument_holds_for_every_move() {
    let mut kinds = BTreeMap::new();
    for seed in 0..3000 {
        let mut task = random::task(seed);
        for (at, variable) in task.variables.iter_mut().enumerate() {
            variable.name = format!("cell[0, {at}]");
        }
        let cells = if seed % 2 == 0 { task.variables.len() } else { 0 };
        let reduced = reduce(&task, cells, &BuildContext::default());
        let mut found: Vec<Refutation> = refute(&task, &reduced, &BuildContext::default()).into_iter().collect();
        if !task.is_goal(&task.start) {
            for kind in [Kind::Potentials, Kind::PatternDatabase, Kind::MergedSymbols] {
                let Ok(heuristic) = Heuristic::new(kind, &reduced.task, &BuildContext::default()) else { continue };
                let start = &reduced.task.start;
                let proof = if heuristic.h(start) == DEAD { heuristic.refutation(start) } else { None };
                found.extend(proof.map(|proof| proven(&reduced.lifting, "it", &proof, start)));
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
    assert!(kinds.len() >= 4 && kinds.values().all(|&count| count >= 3), "{kinds:?}: too few to mean anything");
}
