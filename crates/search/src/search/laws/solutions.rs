//! All shortest solutions of a small space against those that follow from its exact distances.

use super::Enumeration;
use crate::search::Limits;
use crate::search::all_shortest::all_shortest;
use crate::space::{Cost, Key, Ordinal, Weighted};

/// The maximum number of solutions that are compared one by one.
const COMPARED: usize = 500;

/// Checks the number of solutions, and the solutions in their order, against the distances of the enumerated states.
pub fn check_all_shortest<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    distances: &[Option<u32>],
) {
    let Some(least) = distances[0] else { return };
    let edges = &enumeration.edges;
    let one = edges.iter().flatten().map(|&(cost, _)| cost).next().unwrap_or(C::ZERO);
    let least = (0..least).fold(C::ZERO, |sum, _| sum + one);
    let Ok(all) = all_shortest(graph, enumeration.start().clone(), least, true, &Limits::default()) else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), paths(0, distances, edges), "the number of shortest solutions differs");
    let mut at = all.begin(graph);
    let mut listed = std::iter::from_fn(|| all.next(&mut at, graph));
    let mut expected = Vec::new();
    walk(&mut Vec::new(), 0, distances, edges, &mut expected);
    assert_eq!(
        listed.by_ref().take(COMPARED).collect::<Vec<_>>(),
        expected,
        "the shortest solutions differ, or their order"
    );
    assert!(all.count() > COMPARED as u128 || listed.next().is_none(), "more solutions are listed than counted");
}

/// Returns the number of paths from a state to a goal on which every move reduces the distance.
fn paths<C>(from: usize, distances: &[Option<u32>], edges: &[Vec<(C, usize)>]) -> u128 {
    let mut nearest_first: Vec<usize> = (0..distances.len()).filter(|&state| distances[state].is_some()).collect();
    nearest_first.sort_by_key(|&state| distances[state]);
    let mut paths = vec![0; distances.len()];
    for state in nearest_first {
        let nearer = edges[state].iter().map(|&(_, child)| child).filter(|&child| is_nearer(child, state, distances));
        paths[state] = if distances[state] == Some(0) { 1 } else { nearer.map(|child| paths[child]).sum() };
    }
    paths[from]
}

fn is_nearer(child: usize, state: usize, distances: &[Option<u32>]) -> bool {
    distances[child].is_some_and(|distance| distances[state] == Some(distance + 1))
}

/// Collects the first solutions that begin with these moves, in the order of the moves.
fn walk<C>(
    path: &mut Vec<Ordinal>,
    at: usize,
    distances: &[Option<u32>],
    edges: &[Vec<(C, usize)>],
    found: &mut Vec<Vec<Ordinal>>,
) {
    if found.len() == COMPARED {
        return;
    }
    if distances[at] == Some(0) {
        found.push(path.clone());
        return;
    }
    for (ordinal, &(_, child)) in (0..).zip(&edges[at]) {
        if is_nearer(child, at, distances) {
            path.push(ordinal);
            walk(path, child, distances, edges, found);
            path.pop();
        }
    }
}
