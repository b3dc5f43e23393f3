//! All shortest solutions of a whole small space against those that are read off its distances.

use super::all_shortest;
use crate::search::{Algorithm, Limits, Verdict, search};
use crate::space::{Cost, StateSpace};

/// More solutions than this are counted, but not compared one by one.
const COMPARED: usize = 500;

/// The count is that of the plain walk over the states' distances, and so are the solutions, in their order.
pub(crate) fn as_walked<S: StateSpace>(space: &S, distances: &[Option<u32>], children: &[Vec<usize>]) {
    let Some(cost) = distances[0] else { return };
    let Verdict::Solved { path, .. } = search(space, &|| space.initial(), Algorithm::AStar, &Limits::default()).verdict
    else {
        panic!("a goal can be reached, and is not found");
    };
    let mut state = space.initial();
    let least = path.iter().fold(S::Cost::ZERO, |sum, &action| sum + space.apply(&mut state, action).0);
    assert!(least.as_f64() == f64::from(cost), "the least cost is another");
    let Ok(all) = all_shortest(space, &|| space.initial(), least, &Limits::default()) else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), ways(0, distances, children), "the number of shortest solutions");
    let mut expected = Vec::new();
    walk(space, &mut Vec::new(), 0, distances, children, &mut expected);
    assert_eq!(all.iter(space).take(COMPARED).collect::<Vec<_>>(), expected, "the shortest solutions, in order");
    assert!(all.count() > COMPARED as u128 || all.iter(space).count() as u128 == all.count(), "told as counted");
}

/// In how many ways one can go from a state to a goal, each time one nearer.
fn ways(from: usize, distances: &[Option<u32>], children: &[Vec<usize>]) -> u128 {
    let mut nearest_first: Vec<usize> = (0..distances.len()).filter(|&state| distances[state].is_some()).collect();
    nearest_first.sort_by_key(|&state| distances[state]);
    let mut ways = vec![0; distances.len()];
    for state in nearest_first {
        let nearer = children[state].iter().filter(|&&child| is_nearer(child, state, distances));
        ways[state] = if distances[state] == Some(0) { 1 } else { nearer.map(|&child| ways[child]).sum() };
    }
    ways[from]
}

fn is_nearer(child: usize, state: usize, distances: &[Option<u32>]) -> bool {
    distances[child].is_some_and(|distance| distances[state] == Some(distance + 1))
}

/// Collects the first solutions after these moves, on a real state and in the order of its moves.
fn walk<S: StateSpace>(
    space: &S,
    way: &mut Vec<S::Action>,
    at: usize,
    distances: &[Option<u32>],
    children: &[Vec<usize>],
    found: &mut Vec<Vec<S::Action>>,
) {
    if found.len() == COMPARED {
        return;
    }
    if distances[at] == Some(0) {
        found.push(way.clone());
        return;
    }
    let mut state = space.initial();
    for &action in way.iter() {
        space.apply(&mut state, action);
    }
    for (action, &child) in space.actions(&state).zip(&children[at]) {
        if is_nearer(child, at, distances) {
            way.push(action);
            walk(space, way, child, distances, children, found);
            way.pop();
        }
    }
}
