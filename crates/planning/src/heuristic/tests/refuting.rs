//! Tests weights that prove the start a dead end: Conway's army.

use super::puzzles::pegs;
use crate::heuristic::{Refuting, refuting_potentials};
use crate::search::BuildContext;
use crate::task::{Condition, Count, Goal, Task, Value, Values};

/// Returns an army of pegs below empty rows.
fn army(columns: usize, empty: usize, full: usize) -> Task {
    let lines = [vec![".".repeat(columns); empty], vec!["o".repeat(columns); full]].concat();
    let mut task = pegs(&lines.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    task.goals = vec![on(columns / 2)];
    task
}

fn peg(cell: usize) -> Condition {
    (cell, Values::one(1))
}

/// Returns the goal of a peg on a cell.
fn on(cell: usize) -> Goal {
    Goal { conditions: vec![peg(cell)], ..Goal::default() }
}

fn refute(task: &Task) -> Option<Vec<Refuting>> {
    let found = refuting_potentials(task, &BuildContext::default())?;
    for Refuting { weights, start, goal } in &found {
        assert!(start > goal, "{start}, {goal}");
        let at = |cell: usize, value: Value| weights[cell][usize::from(value)];
        assert_eq!(task.start.iter().enumerate().map(|(cell, &value)| at(cell, value)).sum::<i64>(), *start);
        // The conditions of a jump are on the cells that it writes.
        for operator in &task.operators {
            let before = operator.conditions.iter().map(|(cell, values)| at(*cell, values.only().expect("one value")));
            let before: i64 = before.sum();
            let after = operator.after(&vec![0; task.variables.len()]);
            let after: i64 = operator.effects.iter().map(|effect| at(effect.target, after[effect.target])).sum();
            assert!(before <= after, "{before} to {after} by {operator:?}");
        }
    }
    // The most that a state with a peg on some cell can be worth is no more than claimed in one of the sums.
    let is_below = |cell: usize, Refuting { weights, goal, .. }: &Refuting| {
        let most = |other: usize| if other == cell { weights[cell][1] } else { *weights[other].iter().max().unwrap() };
        (0..weights.len()).map(most).sum::<i64>() <= *goal
    };
    for (cell, _) in task.goals.iter().flat_map(|goal| &goal.conditions) {
        assert!(found.iter().any(|sum| is_below(*cell, sum)), "{cell}");
    }
    Some(found)
}

#[test]
fn golden_weights_refute_the_fifth_row() {
    for (columns, rows) in [(7, 4), (9, 5), (11, 6)] {
        assert_eq!(refute(&army(columns, 5, rows)).map_or(0, |sums| sums.len()), 1, "{columns} columns");
    }
    assert!(refute(&army(9, 4, 4)).is_none(), "the fourth row can be reached");
}

#[test]
fn weights_without_a_small_common_denominator_are_repaired() {
    for (columns, rows) in [(5, 30), (3, 40)] {
        assert!(refute(&army(columns, 5, rows)).is_some(), "{columns} columns");
    }
}

#[test]
fn each_of_several_goals_is_refuted_by_its_own_weights() {
    let mut task = army(9, 5, 5);
    task.goals = vec![on(4), on(8), on(0)];
    assert_eq!(refute(&task).expect("a refutation").len(), 3);
    // Weights for the middle refute its neighbour.
    task.goals = vec![on(1), on(0)];
    assert!(refute(&task).is_some());
    task.goals.push(on(4 * 9 + 4));
    assert!(refute(&task).is_none(), "the first row can be reached");
}

#[test]
fn goals_that_count_are_refuted() {
    let mut task = army(7, 5, 4);
    let count = |least| Count { of: (2..5).map(peg).collect(), least, most: 3 };
    task.goals = vec![Goal { counts: vec![count(1)], ..Goal::default() }];
    assert!(refute(&task).is_some());
    task.goals[0].counts[0].least = 0;
    assert!(refute(&task).is_none());
}
