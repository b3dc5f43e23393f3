//! Compares the cheapest solutions of equations with brute force.

use super::{Cursor, Solved, Toggles};
use crate::heuristic::tests::distances;
use crate::heuristic::tests::puzzles::lights;
use crate::heuristic::{DEAD, Heuristic, Incremental, SimilarStates};
use crate::packed::StateLayout;
use crate::search::{BuildContext, SplitMix64};
use crate::task::{Effect, Goal, Operator, Source, Task, Value, Values, Variable};
use engine_search::space::CostUnit;
use std::sync::Arc;

fn build(task: &Task) -> Toggles {
    Toggles::new(task, &BuildContext::default()).unwrap_or_else(|why| panic!("{why}: {task:?}"))
}

/// Returns h of some states, computed together.
fn together(toggles: &Toggles, task: &Task, states: &[Vec<Value>]) -> Vec<u32> {
    let layout = StateLayout::new(task);
    let keys: Vec<Box<[u64]>> = states.iter().map(|state| layout.pack(state)).collect();
    let mut values = Vec::new();
    if let Some(states) = SimilarStates::new(&layout, &keys) {
        toggles.h_of(&states, &mut values);
    }
    values
}

/// Checks h of all states, one by one and for the children of each together.
fn check(task: &Task) {
    let toggles = build(task);
    let distances = distances(task);
    let h = |state: &Vec<Value>| distances[state].unwrap_or(DEAD);
    for state in distances.keys() {
        assert_eq!(toggles.h(state), h(state), "{state:?}: {task:?}");
        let children: Vec<Vec<Value>> = task.successors(state).map(|(_, after)| after).collect();
        let all: Vec<u32> = children.iter().map(h).collect();
        assert_eq!(together(&toggles, task, &children), all, "{state:?}: {task:?}");
    }
    let all: Vec<Vec<Value>> = distances.keys().cloned().collect();
    assert_eq!(together(&toggles, task, &all), all.iter().map(h).collect::<Vec<_>>(), "{task:?}");
}

/// Returns a task in which each operator turns some random dials, all of a prime number of values.
fn random_task(seed: u64) -> Task {
    let mut random = SplitMix64::new(seed);
    let (field, dials) = [(2, 7), (2, 5), (3, 4), (5, 3), (7, 2)][random.below(5) as usize];
    let names: Arc<[String]> = (0..field).map(|value| value.to_string()).collect();
    let variable = |dial| Variable { name: format!("dial{dial}"), values: names.clone() };
    // The cost of each operator is 1, or a random one.
    let most = [1, 9][random.below(2) as usize];
    let mut operators = Vec::new();
    for action in 0..1 + random.below(9) as u32 {
        let mut effects = Vec::new();
        for target in 0..dials {
            let steps = random.below(field.into()) as Value;
            if steps > 0 && random.below(2) > 0 {
                let table = (0..field).map(|value| (value + steps) % field).collect();
                effects.push(Effect { target, source: Source::Table(target, table) });
            }
        }
        let cost = 1 + random.below(most) as u32;
        if !effects.is_empty() {
            operators.push(Operator { cost, effects, action, ..Operator::default() });
        }
    }
    let mut state = || -> Vec<Value> { (0..dials).map(|_| random.below(field.into()) as Value).collect() };
    let start = state();
    let mut goal = || {
        let conditions = state().iter().enumerate().map(|(dial, &value)| (dial, Values::one(value))).collect();
        Goal { conditions, ..Goal::default() }
    };
    let goals = (0..=seed % 3).map(|_| goal()).collect();
    Task {
        counters: Vec::new(),
        variables: (0..dials).map(variable).collect(),
        operators,
        start,
        goals,
        never: Vec::new(),
        cost_unit: CostUnit::of([]),
    }
}

#[test]
fn h_is_exact_on_random_dials() {
    let mut solutions = 0;
    for seed in 0..300 {
        let task = random_task(seed);
        if !task.operators.is_empty() {
            check(&task);
            solutions += u32::from(!build(&task).describe().contains(", 1 solutions"));
        }
    }
    assert!(solutions > 50, "{solutions}: too few tasks with several solutions");
}

#[test]
fn h_is_exact_on_boards_with_quiet_patterns() {
    let mut solutions = 0;
    for (width, height, colors) in [(3, 2, 2), (5, 1, 2), (5, 2, 2), (4, 3, 2), (5, 3, 2), (2, 2, 3), (3, 2, 3)] {
        let task = lights(width, height, colors, &"0".repeat(width * height));
        solutions += u32::from(!build(&task).describe().contains(", 1 solutions"));
        check(&task);
    }
    assert!(solutions > 3, "{solutions}: too few boards with several solutions");
}

/// A square board of up to 32 lamps each way: by row, the lamps that are lit.
type Lamps = Vec<u32>;

fn press(board: &mut Lamps, row: usize, columns: u32) {
    let all = u32::MAX >> (32 - board.len());
    board[row] ^= (columns ^ columns << 1 ^ columns >> 1) & all;
    if row > 0 {
        board[row - 1] ^= columns;
    }
    if row + 1 < board.len() {
        board[row + 1] ^= columns;
    }
}

/// Returns the least number of presses by light chasing: the presses of the first row determine those of each further
/// row, which must darken the row above it.
fn chase(board: &Lamps) -> Option<u32> {
    let edge = board.len();
    let presses = |first: u32| {
        let mut board = board.clone();
        let (mut row_presses, mut count) = (first, 0);
        for row in 0..edge {
            press(&mut board, row, row_presses);
            count += row_presses.count_ones();
            row_presses = board[row];
        }
        (row_presses == 0).then_some(count)
    };
    (0..1 << edge).filter_map(presses).min()
}

fn state(board: &Lamps) -> Vec<Value> {
    let edge = board.len();
    board.iter().flat_map(|row| (0..edge).map(move |column| (row >> column & 1) as Value)).collect()
}

/// The edges of boards with many quiet patterns, with the dimension of these. (A159257 in the OEIS.)
const BOARDS: [(usize, u32); 6] = [(4, 4), (5, 2), (9, 8), (11, 6), (14, 4), (16, 8)];

#[test]
fn h_is_what_light_chasing_finds() {
    let mut random = SplitMix64::new(1);
    for (edge, dimension) in BOARDS {
        let task = lights(edge, edge, 2, &"0".repeat(edge * edge));
        let toggles = build(&task);
        assert!(toggles.describe().ends_with(&format!(", {} solutions", 1 << dimension)), "{}", toggles.describe());
        for _ in 0..if edge > 12 { 2 } else { 20 } {
            let mut board = vec![0; edge];
            (0..edge).for_each(|row| press(&mut board, row, random.below(1 << edge) as u32));
            assert_eq!(Some(toggles.h(&state(&board))), chase(&board), "{board:?}");
        }
        let mut lamp = vec![0; edge];
        lamp[0] = 1;
        assert_eq!(toggles.h(&state(&lamp)), chase(&lamp).unwrap_or(DEAD));
    }
}

/// Returns the least cost of all solutions for a state that has one, without a list of cheap ones.
fn least_of_all(toggles: &Toggles, state: &[Value]) -> u32 {
    let least = match &toggles.solved {
        Solved::Binary(equations) => {
            equations.cosets.least(&Cursor::new(toggles.field, &toggles.goals[0], equations, state).sum)
        }
        Solved::Other(equations) => {
            equations.cosets.least(&Cursor::new(toggles.field, &toggles.goals[0], equations, state).sum)
        }
    };
    least as u32
}

/// Follows a shortest path, and compares h of some children of each state, computed together, with the least cost of
/// all solutions. With other costs than 1, each lamp costs from 1 to 3.
fn follow(edge: usize, moves: usize, unit: bool) {
    let mut task = lights(edge, edge, 2, &"0".repeat(edge * edge));
    let mut random = SplitMix64::new(edge as u64);
    task.operators.iter_mut().for_each(|operator| operator.cost += if unit { 0 } else { random.below(3) as u32 });
    let toggles = build(&task);
    let mut board = vec![0; edge];
    (0..edge).for_each(|row| press(&mut board, row, random.below(1 << edge) as u32));
    let mut h = toggles.h(&state(&board));
    for step in 0..moves {
        let child = |place: usize| {
            let mut child = board.clone();
            press(&mut child, place / edge, 1 << (place % edge));
            child
        };
        let children: Vec<Lamps> = (0..edge * edge).map(child).collect();
        let states: Vec<Vec<Value>> = children.iter().map(state).collect();
        let values = together(&toggles, &task, &states);
        for at in (step % 101..children.len()).step_by(101) {
            assert_eq!(values[at], least_of_all(&toggles, &states[at]), "child {at} of {board:?}");
        }
        let mut costs = task.operators.iter().map(|operator| operator.cost);
        let next = values.iter().position(|&value| Some(value) == h.checked_sub(costs.next().expect("a press")));
        let next = next.expect("a press on a shortest path");
        board.clone_from(&children[next]);
        h = values[next];
    }
}

#[test]
fn h_of_children_is_the_least_cost_of_all_solutions() {
    for (edge, moves) in [(9, 20), (14, 50), (16, 60), (19, 60)] {
        follow(edge, moves, true);
        follow(edge, moves / 2, false);
    }
}

#[test]
fn h_is_the_same_whatever_was_computed_before() {
    for (edge, colors) in [(9, 2), (5, 3)] {
        let task = lights(edge, edge, colors, &"0".repeat(edge * edge));
        let mut random = SplitMix64::new(edge as u64);
        let toggles = build(&task);
        let mut at = task.start.clone();
        for _ in 0..400 {
            at = task.operators[random.below((edge * edge) as u64) as usize].after(&at);
            assert_eq!(toggles.h(&at), least_of_all(&toggles, &at), "{at:?}");
        }
    }
}
