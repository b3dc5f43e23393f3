//! Compares the elimination of vanishing states, and perimeters, with true distances over all states of small tasks.

use super::puzzles::sweeps;
use super::{DEAD, distances, random};
use crate::analysis::vanishing::Stable;
use crate::heuristic::Heuristic;
use crate::heuristic::perimeter::Perimeter;
use crate::search::BuildContext;
use crate::task::{Effect, Goal, Operator, Source, Task, Value, Values, Var, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the least cost of a path from a state to a goal through stable states alone.
fn distance(stable: &Stable, from: u64) -> Option<u32> {
    let mut costs = BTreeMap::from([(from, 0)]);
    let mut open = BTreeMap::from([(0, vec![from])]);
    while let Some((cost, mut now)) = open.pop_first() {
        while let Some(code) = now.pop() {
            if costs[&code] < cost {
                continue;
            }
            if stable.is_goal(code) {
                return Some(cost);
            }
            stable.successors(code, |more, after| {
                let known = costs.entry(after).or_insert(u32::MAX);
                if cost + more < *known {
                    *known = cost + more;
                    let list = if more == 0 { &mut now } else { open.entry(cost + more).or_default() };
                    list.push(after);
                }
            });
        }
    }
    None
}

/// Checks the stable states of a task and perimeters of several sizes; returns whether states vanish.
fn check(task: &Task) -> Option<bool> {
    let context = BuildContext::default();
    let all = || Stable::of_all_states(task, &[], &context);
    let stable = Arc::new(Stable::new(task, &[], &context).or_else(all)?);
    let distances = distances(task);
    let start = stable.code(&task.start).expect("the start is stable");
    assert_eq!(distance(&stable, start), distances[&task.start], "{task:?}");
    for begun in [1, 5, 50, usize::MAX] {
        let perimeter = Perimeter::with_states(begun, &stable, None, &context).expect("the goals are few");
        for (state, distance) in &distances {
            let h = perimeter.h(state);
            match distance {
                // States that the start cannot reach may have controls that are not explored.
                Some(distance) if stable.code(state).is_some() => assert!(h <= *distance, "{h} at {state:?}: {task:?}"),
                _ => assert!(h <= DEAD),
            }
        }
    }
    Some(stable.has_vanishing_states())
}

#[test]
fn stable_states_and_perimeters_of_random_tasks_keep_their_distances() {
    let mut checked = [0; 2];
    for seed in 0..1500 {
        if let Some(vanish) = check(&random::task(seed)) {
            checked[usize::from(vanish)] += 1;
        }
    }
    assert!(checked[0] > 200, "{checked:?}: too few for a meaningful test");
}

#[test]
fn sweeps_over_stable_boards_cost_what_they_cost_jump_by_jump() {
    let boards: [(&[&str], u32); 4] =
        [(&["ooo.oo"], 1), (&["o.o", "ooo"], 2), (&[".oo", "oo."], 1), (&["oo.o.", "  oo "], 1)];
    for (board, left) in boards {
        assert_eq!(check(&sweeps(board, left)), Some(true), "{board:?}");
    }
}

#[test]
fn a_perimeter_that_ends_knows_every_dead_end() {
    let task = sweeps(&["oo.oo"], 1);
    let stable = Arc::new(Stable::new(&task, &[], &BuildContext::default()).expect("sweeps have stable states"));
    let perimeter =
        Perimeter::with_states(usize::MAX, &stable, None, &BuildContext::default()).expect("the goals are few");
    let still = |state: &Vec<Value>| stable.code(state).is_some();
    for (state, distance) in distances(&task).into_iter().filter(|(state, _)| still(state)) {
        assert_eq!(perimeter.h(&state), distance.unwrap_or(DEAD), "{state:?}");
    }
}

#[test]
fn free_moves_in_any_order_pass_through_few_states() {
    // Ten pegs of a row, each taken by a move of its own that costs nothing while `moving` is 1.
    const PEGS: usize = 10;
    let two = |name: String| Variable { name, values: ["0", "1"].map(str::to_owned).into() };
    let set = |target: Var, value: Value| Effect { target, source: Source::Value(value) };
    let moving = (PEGS, Values::one(1));
    let operator = |cost, conditions, effects| Operator { cost, conditions, effects, ..Operator::default() };
    let mut operators = vec![operator(1, vec![(PEGS, Values::one(0))], vec![set(PEGS, 1)])];
    operators.extend((0..PEGS).map(|peg| operator(0, vec![(peg, Values::one(1)), moving.clone()], vec![set(peg, 0)])));
    operators.push(operator(0, vec![moving.clone()], vec![set(PEGS, 0)]));
    let task = Task {
        variables: (0..=PEGS).map(|var| two(format!("v{var}"))).collect(),
        start: (0..=PEGS).map(|var| Value::from(var < PEGS)).collect(),
        goals: vec![Goal { conditions: (0..=PEGS).map(|var| (var, Values::one(0))).collect(), ..Goal::default() }],
        operators,
        ..Task::default()
    };
    let stable = Stable::new(&task, &[], &BuildContext::default()).expect("states vanish while `moving` is 1");
    let start = stable.code(&task.start).expect("the start is stable");
    let mut ends = 0;
    stable.successors(start, |_, _| ends += 1);
    // One for each set of pegs that are left, but for states that are passed again at first: far below 10! orders.
    assert!((1 << PEGS..1 << (PEGS + 3)).contains(&ends), "{ends}");
}
