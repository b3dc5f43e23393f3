//! The laws of state spaces, checked on whole small spaces: every reachable state, every edge.

mod closed;

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
    assert!(space.has_unit_cost(), "distances are counted in moves here");
    let owns = std::mem::needs_drop::<S::Key>();
    assert_eq!(owns, space.key_heap_bytes() > 0, "what keys own on the heap is not what their type says");
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
        let outcome = search(space, &|| space.initial(), algorithm, &Limits { depth, ..Limits::default() });
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
    if graph.keys.len() < 400 {
        closed::lists_hold(space, distance.map(f64::from), graph.keys.len());
    }
    for short in distance.and_then(|distance| distance.checked_sub(1)).into_iter().filter(|_| within) {
        let deepening = [Algorithm::IdaStar, Algorithm::Iddfs].into_iter().filter(|_| near);
        let others = [Algorithm::Bfs, Algorithm::Dfs, Algorithm::AStar, Algorithm::Greedy, WEIGHTED];
        for algorithm in others.into_iter().chain(deepening).chain(both_ends) {
            let outcome =
                search(space, &|| space.initial(), algorithm, &Limits { depth: Some(short), ..Limits::default() });
            let Verdict::Limit { lower_bound, .. } = outcome.verdict else {
                panic!("{algorithm:?} is not cut off one move short of the solution");
            };
            assert!(lower_bound == f64::from(short) + 1.0, "what {algorithm:?} proves at its limit");
        }
    }
}

/// Checks every law of a space whose moves have costs of their own, and of its consistent heuristic, on all reachable
/// states: what [`hold`] does where moves cost 1.
pub(crate) fn hold_by_cost<S: StateSpace>(space: &S) {
    let graph = walk(space);
    let numbers: HashMap<&S::Key, usize> = graph.keys.iter().zip(0..).collect();
    let mut edges: Edges<S> = Vec::new();
    for key in &graph.keys {
        let mut out = Vec::new();
        space.expand(key, |action, cost, child| out.push((action, cost, numbers[&child])));
        edges.push(out);
        let state = space.unpack(key);
        assert!(space.pack(&state) == *key && space.h_key(key) == space.h(&state), "key and state differ");
        assert_eq!(space.is_goal_key(key), space.is_goal(&state), "key and state disagree on the goal");
        expands_as_it_acts(space, key);
    }
    let goals: Vec<usize> = (0..edges.len()).filter(|&number| space.is_goal_key(&graph.keys[number])).collect();
    let backward: Vec<(usize, S::Cost, usize)> = arcs(&edges).map(|(from, cost, to)| (to, cost, from)).collect();
    let to_goal = cheapest(edges.len(), &goals, &backward);
    let from_start = cheapest(edges.len(), &[0], &arcs(&edges).collect::<Vec<_>>());
    for (from, cost, to) in arcs(&edges) {
        let (here, there) = (space.h_key(&graph.keys[from]), space.h_key(&graph.keys[to]));
        assert!(here <= cost + there, "h falls from {here:?} to {there:?} along a move that costs {cost:?}");
        assert!(!space.is_reversible() || graph.children[to].contains(&from), "a move cannot be taken back");
    }
    for (key, distance) in graph.keys.iter().zip(&to_goal) {
        assert!(distance.is_none_or(|distance| space.h_key(key) <= distance), "h overestimates");
    }
    if edges.len() < 60 {
        closed::lists_hold(space, to_goal[0].map(Cost::as_f64), edges.len());
    }
    for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm) {
        let deepens = matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar);
        if objection(space, algorithm).is_some() || (deepens && edges.len() > 9) || (deepens && to_goal[0].is_none()) {
            continue;
        }
        match (search(space, &|| space.initial(), algorithm, &Limits::default()).verdict, to_goal[0]) {
            (Verdict::Solved { path, cost, lower_bound }, Some(least)) => {
                let mut state = space.initial();
                let sum = path.iter().fold(S::Cost::ZERO, |sum, &action| sum + space.apply(&mut state, action).0);
                assert!(space.is_goal(&state) && sum.as_f64() == cost, "{algorithm:?} tells another cost");
                assert!(sum == least || !algorithm.proves_shortest() || algorithm == Algorithm::Bfs, "{algorithm:?}");
                assert!(lower_bound <= least.as_f64(), "{algorithm:?} claims too much");
                assert!(lower_bound < cost || sum == least, "{algorithm:?} claims an optimum that is none");
                assert!(cost <= 2.0 * least.as_f64() || algorithm != WEIGHTED, "{algorithm:?} exceeds its weight");
            }
            (Verdict::Unsolvable, None) => {}
            _ => panic!("{algorithm:?} is wrong about whether there is a solution"),
        }
    }
    if let Some(least) = to_goal[0] {
        counts_ways(space, &edges, &to_goal, least);
        cuts_off(space, least);
    }
    explores(space, &from_start, &to_goal);
}

/// By state, the moves that lead from it, what they cost, and where they lead.
type Edges<S> = Vec<Vec<(<S as StateSpace>::Action, <S as StateSpace>::Cost, usize)>>;

/// Every edge of a graph.
fn arcs<A, C: Cost>(edges: &[Vec<(A, C, usize)>]) -> impl Iterator<Item = (usize, C, usize)> {
    (0..).zip(edges).flat_map(|(from, out)| out.iter().map(move |&(_, cost, to)| (from, cost, to)))
}

/// By state, the cheapest way from any of some states (Bellman and Ford: as often as anything changes).
fn cheapest<C: Cost>(states: usize, from: &[usize], arcs: &[(usize, C, usize)]) -> Vec<Option<C>> {
    let mut least = vec![None; states];
    from.iter().for_each(|&state| least[state] = Some(C::ZERO));
    loop {
        let before = least.clone();
        for &(from, cost, to) in arcs {
            let by_here = least[from].map(|here| here + cost);
            if by_here.is_some_and(|by_here| least[to].is_none_or(|known| by_here < known)) {
                least[to] = by_here;
            }
        }
        if before == least {
            return least;
        }
    }
}

/// All ways of the least cost, walked one by one, are what is counted, and told in that order.
fn counts_ways<S: StateSpace>(space: &S, edges: &Edges<S>, to_goal: &[Option<S::Cost>], least: S::Cost) {
    let mut ways: Vec<Vec<S::Action>> = Vec::new();
    let mut open = vec![(0, least, Vec::new())];
    while let Some((at, left, way)) = open.pop() {
        if left == S::Cost::ZERO {
            ways.push(way);
            continue;
        }
        for &(action, cost, to) in edges[at].iter().rev() {
            if to_goal[to].is_some_and(|onward| onward + cost == left) {
                open.push((to, left - cost, [&way[..], &[action]].concat()));
            }
        }
    }
    let Ok(all) = super::all_shortest(space, &|| space.initial(), least, &Limits::default()) else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), ways.len() as u128, "the number of cheapest ways");
    assert_eq!(all.iter(space).collect::<Vec<_>>(), ways, "the cheapest ways, in order");
}

/// A limit on the cost is kept, to the last digit.
fn cuts_off<S: StateSpace>(space: &S, least: S::Cost) {
    let whole = least.bucket() as u32;
    let runs = [(whole, !least.exceeds(whole)), (whole + 1, true), (whole.saturating_sub(1), whole == 0)];
    for (depth, reaches) in runs {
        let found =
            search(space, &|| space.initial(), Algorithm::AStar, &Limits { depth: Some(depth), ..Limits::default() });
        match found.verdict {
            Verdict::Solved { cost, .. } => assert!(reaches && cost == least.as_f64(), "within {depth}"),
            Verdict::Limit { lower_bound, .. } => {
                assert!(!reaches && lower_bound > f64::from(depth) && lower_bound <= least.as_f64(), "within {depth}");
            }
            Verdict::Unsolvable => panic!("what is cut off is not unsolvable"),
        }
    }
}

/// Exploration counts what the plain walk does.
fn explores<S: StateSpace>(space: &S, from_start: &[Option<S::Cost>], to_goal: &[Option<S::Cost>]) {
    let explored = super::explore(space, &|| space.initial(), &Limits::default());
    let mut by_depth = Vec::new();
    for cost in from_start.iter().flatten() {
        by_depth.resize(by_depth.len().max(cost.bucket() + 1), 0_u64);
        by_depth[cost.bucket()] += 1;
    }
    assert_eq!((explored.by_depth, explored.limit), (by_depth, None), "states by their distance");
    assert_eq!(explored.dead_ends, Some(to_goal.iter().filter(|cost| cost.is_none()).count() as u64));
    let hardest = to_goal.iter().flatten().max();
    let count = to_goal.iter().filter(|cost| cost.as_ref() == hardest).count() as u64;
    let told = explored.hardest.map(|told| {
        let mut state = space.initial();
        let way = told.example.iter().fold(S::Cost::ZERO, |sum, &action| sum + space.apply(&mut state, action).0);
        let key = space.pack(&state);
        (told.cost, told.count, way, key)
    });
    assert_eq!(told.as_ref().map(|told| (told.0, told.1)), hardest.map(|hardest| (hardest.as_f64(), count)));
    if let Some((_, _, way, key)) = told {
        let graph = walk(space);
        let number = graph.keys.iter().position(|known| *known == key).expect("a state that was walked");
        assert!(to_goal[number].as_ref() == hardest && from_start[number] == Some(way), "the example");
    }
}
