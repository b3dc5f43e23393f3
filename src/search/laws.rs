//! The laws of state spaces, checked on whole small spaces: every reachable state, every edge.

pub(crate) use super::explore::tests::{by_index_as_by_layers, explorations_agree};

use super::all_shortest::tests::as_walked;
use super::{Algorithm, Limits, Verdict, Weight, objection, search};
use crate::space::{Cost, PerfectIndex, StateSpace};
use std::collections::{BTreeSet, HashMap};

const WEIGHTED: Algorithm = Algorithm::WeightedAStar(Weight::DEFAULT);

/// Every reachable state, in breadth-first order, with its edges.
struct Graph<K> {
    keys: Vec<K>,
    depths: Vec<u32>,
    children: Vec<Vec<usize>>,
}

/// Walks a space in the plainest way: through `actions`, `apply`, `pack` and `undo` only.
fn walk<S: StateSpace>(space: &S) -> Graph<S::Key> {
    let start = space.pack(&space.initial());
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut graph = Graph { keys: vec![start], depths: vec![0], children: Vec::new() };
    while let Some(key) = graph.keys.get(graph.children.len()).cloned() {
        let depth = graph.depths[graph.children.len()];
        let mut state = space.unpack(&key);
        let mut children = Vec::new();
        for action in space.actions(&state.clone()) {
            let (_, undo) = space.apply(&mut state, action);
            let child = space.pack(&state);
            space.undo(&mut state, action, undo);
            assert!(space.pack(&state) == key, "undo does not give back the state before {action:?}");
            children.push(*numbers.entry(child.clone()).or_insert_with(|| {
                graph.keys.push(child);
                graph.depths.push(depth + 1);
                graph.keys.len() - 1
            }));
        }
        graph.children.push(children);
    }
    graph
}

/// How many states there are at each distance from the start, in moves.
pub(crate) fn levels<S: StateSpace>(space: &S) -> Vec<usize> {
    let mut levels = Vec::new();
    for depth in walk(space).depths {
        levels.resize(levels.len().max(depth as usize + 1), 0);
        levels[depth as usize] += 1;
    }
    levels
}

/// Checks every law of a space of unit costs and its admissible heuristic, on all reachable states.
pub(crate) fn hold<S: StateSpace>(space: &S, consistent: bool) {
    const { assert!(S::UNIT_COST, "distances are counted in moves here") };
    let graph = walk(space);
    let distances = to_goal(space, &graph);
    for (number, key) in graph.keys.iter().enumerate() {
        let state = space.unpack(key);
        let h = space.h(&state);
        assert!(space.pack(&state) == *key, "pack does not give back what was unpacked");
        assert!(space.h_key(key) == h, "h differs between key and state");
        assert_eq!(space.is_goal_key(key), space.is_goal(&state), "key and state disagree on the goal");
        if let Some(distance) = distances[number] {
            assert!(h.as_f64() <= f64::from(distance), "h = {h:?} overestimates the distance {distance}");
        }
        if consistent {
            for &child in &graph.children[number] {
                let child_h = space.h_key(&graph.keys[child]).as_f64();
                assert!(h.as_f64() <= 1.0 + child_h, "h falls by more than a move costs");
            }
        }
        expands_as_it_acts(space, key);
        has_one_that_stands_for_it(space, key);
    }
    if space.is_reversible() {
        let edges = graph.children.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |&to| (from, to)));
        assert!(edges.into_iter().all(|(from, to)| graph.children[to].contains(&from)), "a move cannot be taken back");
    }
    agree(space, distances[0], &graph);
    as_walked(space, &distances, &graph.children);
    numbers_without_a_gap(space, &graph);
    explorations_agree(space);
}

/// Checks the laws of a perfect index, where a space has one.
pub(crate) fn numbers<S: StateSpace>(space: &S) {
    numbers_without_a_gap(space, &walk(space));
}

/// Every state has a number of its own below the size, which leads back to it and to its neighbours.
fn numbers_without_a_gap<S: StateSpace>(space: &S, graph: &Graph<S::Key>) {
    let Some(index) = space.index() else { return };
    let number = |key: &S::Key| index.rank(key).expect("a state that can be reached has no number");
    let numbers: Vec<u64> = graph.keys.iter().map(number).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), graph.keys.len(), "two states have the same number");
    assert!(numbers.iter().all(|&number| number < index.size()), "a number is too large");
    assert_eq!(index.size(), graph.keys.len() as u64, "a number has no state");
    let mut ascending: Vec<usize> = (0..numbers.len()).collect();
    ascending.sort_by_key(|&state| numbers[state]);
    // What is kept from one state to the next must not depend on their order.
    for order in [ascending, (0..numbers.len()).collect()] {
        let (mut told, mut expanded) = (Vec::new(), Vec::new());
        index.neighbors(order.iter().map(|&state| numbers[state]), |neighbor| told.push(neighbor));
        for &state in &order {
            assert!(index.unrank(numbers[state]) == graph.keys[state], "a number leads to another state");
            space.expand(&graph.keys[state], |_, _, child| expanded.push(number(&child)));
        }
        assert!(told == expanded, "the index tells other neighbours");
    }
}

/// `expand` tells the moves of `actions`, with the costs and keys of `apply`, in that order; `h` is carried well.
fn expands_as_it_acts<S: StateSpace>(space: &S, key: &S::Key) {
    let mut told = Vec::new();
    space.expand(key, |action, cost, child| told.push((action, cost, child)));
    let mut state = space.unpack(key);
    let actions: Vec<S::Action> = space.actions(&state).collect();
    assert_eq!(actions, told.iter().map(|(action, ..)| *action).collect::<Vec<_>>(), "expand tells other moves");
    for (action, cost, child) in told {
        let (applied_cost, undo) = space.apply(&mut state, action);
        assert!(applied_cost == cost && space.pack(&state) == child, "expand and apply differ on {action:?}");
        assert!(space.h(&state) == space.h_key(&child), "apply carries h wrongly along {action:?}");
        space.undo(&mut state, action, undo);
    }
}

/// What stands for a state stands for itself, is as near to a goal, and has children that stand for the same.
fn has_one_that_stands_for_it<S: StateSpace>(space: &S, key: &S::Key) {
    let canonical = space.canonical(key.clone());
    assert!(space.canonical(canonical.clone()) == canonical, "what stands for a state does not stand for itself");
    assert_eq!(space.is_goal_key(&canonical), space.is_goal_key(key), "a goal stands for a state that is none");
    assert!(space.h_key(&canonical) == space.h_key(key), "h differs between a state and what stands for it");
    let children = |of: &S::Key| {
        let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
        space.expand(of, |action, cost, child| one_by_one.push((action, cost, space.canonical(child))));
        space.expand_canonical(of, |action, cost, child| at_once.push((action, cost, child)));
        assert!(one_by_one == at_once, "expand and expand_canonical tell other children");
        at_once.into_iter().map(|(.., child)| child).collect::<Vec<_>>()
    };
    let (own, its) = (children(key), children(&canonical));
    let as_often = |child: &S::Key| {
        let count = |children: &[S::Key]| children.iter().filter(|other| *other == child).count();
        count(&own) == count(&its)
    };
    assert!(own.len() == its.len() && own.iter().all(as_often), "symmetric states have other children");
}

/// By state, the moves to the nearest goal, where there is one: backwards over the edges of the walk.
fn to_goal<S: StateSpace>(space: &S, graph: &Graph<S::Key>) -> Vec<Option<u32>> {
    let mut parents = vec![Vec::new(); graph.keys.len()];
    for (parent, children) in graph.children.iter().enumerate() {
        for &child in children {
            parents[child].push(parent);
        }
    }
    let goals = (0..graph.keys.len()).filter(|&number| space.is_goal_key(&graph.keys[number]));
    let mut level: Vec<usize> = goals.collect();
    let mut distances = vec![None; graph.keys.len()];
    let mut distance = 0;
    while !level.is_empty() {
        level.retain(|&number| distances[number].is_none());
        level.iter().for_each(|&number| distances[number] = Some(distance));
        level = level.iter().flat_map(|&number| parents[number].iter().copied()).collect();
        distance += 1;
    }
    distances
}

/// Every algorithm that claims the optimum finds the distance that the walk found, and so does the rest where it can.
fn agree<S: StateSpace>(space: &S, distance: Option<u32>, graph: &Graph<S::Key>) {
    let deep = graph.depths.iter().max().copied();
    let both_ends = objection(space, Algorithm::Bidirectional).is_none().then_some(Algorithm::Bidirectional);
    let runs = [(Algorithm::Bfs, None), (Algorithm::AStar, None), (Algorithm::Dfs, None), (Algorithm::Bfs, deep)];
    let runs = runs.into_iter().chain(both_ends.map(|both_ends| (both_ends, None)));
    let runs = runs.chain([(Algorithm::Greedy, None), (WEIGHTED, None)]);
    // Deepening has no end where there is no solution, and meets states as often as there are ways to them.
    let deepening = [(Algorithm::IdaStar, None), (Algorithm::Iddfs, None)];
    let near = distance.is_some_and(|distance| distance <= 5);
    let runs = runs.chain(deepening.into_iter().filter(|_| near));
    let within = graph.keys.len() < 2000;
    for (algorithm, depth) in runs.chain(within.then_some((Algorithm::Dfs, deep))) {
        let outcome = search(space, algorithm, &Limits { depth, ..Limits::default() });
        match (outcome.verdict, distance) {
            (Verdict::Solved { path: actions, cost, lower_bound }, Some(distance)) => {
                assert_eq!(actions.len() as f64, cost, "{algorithm:?} miscounts");
                let distance = f64::from(distance);
                let claims = algorithm.proves_shortest() || depth.is_some();
                assert!(!claims || cost == lower_bound, "what {algorithm:?} claims");
                assert!(lower_bound <= distance, "{algorithm:?} is not optimal");
                assert!(cost <= distance * 2.0 || algorithm != WEIGHTED, "{algorithm:?} exceeds its weight");
                let mut state = space.initial();
                for action in actions {
                    assert!(space.actions(&state).any(|legal| legal == action), "{algorithm:?} makes an illegal move");
                    space.apply(&mut state, action);
                }
                assert!(space.is_goal(&state), "{algorithm:?} does not end at a goal");
            }
            (Verdict::Unsolvable, None) => {}
            (Verdict::Limit { .. }, _) => panic!("{algorithm:?} within {depth:?} says that it was cut off"),
            _ => panic!("{algorithm:?} within {depth:?} is wrong about whether there is a solution"),
        }
    }
    for short in distance.and_then(|distance| distance.checked_sub(1)).into_iter().filter(|_| within) {
        let deepening = [Algorithm::IdaStar, Algorithm::Iddfs].into_iter().filter(|_| near);
        let others = [Algorithm::Bfs, Algorithm::Dfs, Algorithm::AStar, Algorithm::Greedy, WEIGHTED];
        for algorithm in others.into_iter().chain(deepening).chain(both_ends) {
            let outcome = search(space, algorithm, &Limits { depth: Some(short), ..Limits::default() });
            let Verdict::Limit { lower_bound, .. } = outcome.verdict else {
                panic!("{algorithm:?} is not cut off one move short of the solution");
            };
            assert!(lower_bound == f64::from(short) + 1.0, "what {algorithm:?} proves at its limit");
        }
    }
}
