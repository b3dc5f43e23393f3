//! Tests of the bounds by cycles, in all states of small tasks.

use super::*;
use crate::task::{Effect, Source};

/// Returns the task of rearranging carriages: each move is a permutation of the places, and may turn what it moves.
fn rearranging(start: &[Value], moves: &[(u32, Vec<(usize, bool)>)]) -> Task {
    let mut task = crate::heuristic::tests::puzzles::pancakes(start, true);
    let turned: Box<[Value]> = (0..2 * start.len() as Value).map(|value| value ^ 1).collect();
    let kept: Box<[Value]> = (0..2 * start.len() as Value).collect();
    task.operators.clear();
    for (action, (cost, from)) in moves.iter().enumerate() {
        let effects = from.iter().enumerate().filter(|&(to, &(from, turns))| to != from || turns);
        let table = |turns| if turns { turned.clone() } else { kept.clone() };
        let effects =
            effects.map(|(target, &(from, turns))| Effect { target, source: Source::Table(from, table(turns)) });
        let effects = effects.collect();
        task.operators.push(Operator { cost: *cost, effects, action: action as u32, ..Operator::default() });
    }
    task
}

/// Returns the pairs of neighbouring places.
fn neighbors(places: usize) -> Vec<(Var, Var)> {
    (1..places).map(|place| (place - 1, place)).collect()
}

/// Checks all bounds in all states that a breadth-first search reaches from the goal, by moves whose inverses cost
/// the same; returns the sum of the distances, and of each bound.
fn sums(task: &Task) -> (u64, Vec<(Measure, u64)>) {
    let bounds = Cycles::all(task, &neighbors(task.variables.len()));
    let goal: Vec<Value> = (0..task.variables.len() as Value).map(|place| 2 * place).collect();
    let distances = crate::heuristic::tests::distances(task);
    let mut sums: Vec<(Measure, u64)> = bounds.iter().map(|bound| (bound.measure, 0)).collect();
    let mut sum = 0;
    assert_eq!(distances[&goal], Some(0));
    for (state, distance) in &distances {
        for (bound, (_, sum)) in bounds.iter().zip(&mut sums) {
            let h = bound.h(state);
            if let Some(distance) = distance {
                assert!(h <= *distance, "{:?}: {h} at {state:?}, {distance} away", bound.measure);
            }
            let forecast = bound.has_forecast().then(|| bound.forecast(state));
            for (operator, after) in task.successors(state) {
                let (cost, next) = (task.operators[operator].cost, bound.h(&after));
                assert!(h <= cost + next, "{:?}: {state:?} to {after:?}", bound.measure);
                let forecast = forecast.map_or(next, |forecast| forecast[operator].into());
                assert_eq!(forecast, next, "{state:?} to {after:?}");
            }
            *sum += if distance.is_some() { u64::from(h) } else { 0 };
        }
        sum += distance.map_or(0, u64::from);
    }
    (sum, sums)
}

#[test]
fn flips_of_burnt_pancakes_have_a_hub() {
    let task = crate::heuristic::tests::puzzles::pancakes(&[1, 3, 5, 7], true);
    let (distance, sums) = sums(&task);
    let hub = sums.iter().find(|(measure, _)| *measure == Measure::Hub).expect("the top").1;
    assert!(hub * 10 > distance * 9, "{sums:?} of {distance}");
    assert!(Cycles::all(&task, &neighbors(4)).iter().any(|bound| bound.has_forecast() && bound.changes_always()));
    assert!(sums.iter().all(|&(_, sum)| sum <= hub), "{sums:?}");
    let unburnt = crate::heuristic::tests::puzzles::pancakes(&[3, 1, 2, 0], false);
    assert!(Cycles::all(&unburnt, &neighbors(4)).is_empty(), "both ends of a pancake are alike");
}

#[test]
fn reversals_of_segments_replace_two_joints() {
    let mut moves = Vec::new();
    for first in 0..4 {
        for last in first..4 {
            let from = |place: usize| {
                if (first..=last).contains(&place) { (first + last - place, true) } else { (place, false) }
            };
            moves.push((2, (0..4).map(from).collect()));
        }
    }
    let (distance, sums) = sums(&rearranging(&[5, 2, 7, 1], &moves));
    let of = |measure| sums.iter().find(|(of, _)| *of == measure).expect("the measure applies").1;
    assert!(of(Measure::All) * 10 > distance * 9, "{sums:?} of {distance}");
    assert!(!sums.iter().any(|(measure, _)| *measure == Measure::Hub), "{sums:?}");
}

#[test]
fn moved_blocks_replace_three_joints() {
    let mut moves = Vec::new();
    for first in 0..3 {
        for middle in first + 1..4 {
            for last in middle + 1..5 {
                let mut from: Vec<(usize, bool)> = (0..4).map(|place| (place, false)).collect();
                from[first..last].rotate_left(middle - first);
                moves.push((1, from));
            }
        }
    }
    let task = rearranging(&[6, 2, 4, 0], &moves);
    let (distance, sums) = sums(&task);
    let of = |measure| sums.iter().find(|(of, _)| *of == measure).expect("the measure applies").1;
    assert!(of(Measure::Odd) >= of(Measure::All), "{sums:?}");
    assert!(of(Measure::Odd) * 10 > distance * 9, "{sums:?} of {distance}");
}
