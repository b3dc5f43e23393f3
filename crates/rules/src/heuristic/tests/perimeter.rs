//! Compares the elimination of vanishing states, and perimeters, with true distances over all states of small tasks.

use super::puzzles::sweeps;
use super::{DEAD, distances, random};
use crate::domain::BuildContext;
use crate::heuristic::perimeter::Perimeter;
use crate::task::{Task, Value};
use crate::vanishing::Stable;
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
