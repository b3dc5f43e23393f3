//! All shortest solutions of a whole small space against those that are read off its distances.

use super::all_shortest;
use crate::search::Limits;
use crate::search::laws::Walked;
use crate::space::{Cost, Key, Ordinal, Weighted};

/// More solutions than this are counted, but not compared one by one.
const COMPARED: usize = 500;

/// The count is that of the plain walk over the states' distances, and so are the solutions, in their order.
pub(crate) fn as_walked<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, distances: &[Option<u32>]) {
    let Some(least) = distances[0] else { return };
    let edges = &walked.edges;
    let one = edges.iter().flatten().map(|&(cost, _)| cost).next().unwrap_or(C::ZERO);
    let least = (0..least).fold(C::ZERO, |sum, _| sum + one);
    let Ok(all) = all_shortest(graph, walked.start().clone(), least, &Limits::default()) else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), ways(0, distances, edges), "the number of shortest solutions");
    let mut at = all.begin(graph);
    let mut listed = std::iter::from_fn(|| all.next(&mut at, graph));
    let mut expected = Vec::new();
    walk(&mut Vec::new(), 0, distances, edges, &mut expected);
    assert_eq!(listed.by_ref().take(COMPARED).collect::<Vec<_>>(), expected, "the shortest solutions, in order");
    assert!(all.count() > COMPARED as u128 || listed.next().is_none(), "as many as counted");
}

/// In how many ways one can go from a state to a goal, each time one nearer.
fn ways<C>(from: usize, distances: &[Option<u32>], edges: &[Vec<(C, usize)>]) -> u128 {
    let mut nearest_first: Vec<usize> = (0..distances.len()).filter(|&state| distances[state].is_some()).collect();
    nearest_first.sort_by_key(|&state| distances[state]);
    let mut ways = vec![0; distances.len()];
    for state in nearest_first {
        let nearer = edges[state].iter().map(|&(_, child)| child).filter(|&child| is_nearer(child, state, distances));
        ways[state] = if distances[state] == Some(0) { 1 } else { nearer.map(|child| ways[child]).sum() };
    }
    ways[from]
}

fn is_nearer(child: usize, state: usize, distances: &[Option<u32>]) -> bool {
    distances[child].is_some_and(|distance| distances[state] == Some(distance + 1))
}

/// Collects the first solutions after these moves, in the order of the moves.
fn walk<C>(
    way: &mut Vec<Ordinal>,
    at: usize,
    distances: &[Option<u32>],
    edges: &[Vec<(C, usize)>],
    found: &mut Vec<Vec<Ordinal>>,
) {
    if found.len() == COMPARED {
        return;
    }
    if distances[at] == Some(0) {
        found.push(way.clone());
        return;
    }
    for (ordinal, &(_, child)) in (0..).zip(&edges[at]) {
        if is_nearer(child, at, distances) {
            way.push(ordinal);
            walk(way, child, distances, edges, found);
            way.pop();
        }
    }
}
