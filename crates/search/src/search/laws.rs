//! The laws of state spaces, checked on whole small spaces: every reachable state, every edge.
//!
//! What concerns states in place is compiled for each space; everything else for each kind of key and cost.

mod closed;
pub(super) mod explorations;
mod ways;

pub use explorations::{by_index_as_by_layers, explorations_agree};

use super::{Algorithm, Found, Limits, Searched, Verdict, Weight, objection, search};
use crate::space::{Cost, InPlace, Key, Ordinal, Weighted, Whole};
use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use ways::as_walked;

const WEIGHTED: Algorithm = Algorithm::WeightedAStar(Weight::DEFAULT);

/// A search of a space by any algorithm; the way to a goal is told by the numbers of its moves.
type Run<'a> = dyn Fn(Algorithm, &Limits) -> Found<Vec<Ordinal>> + 'a;

/// Every reachable state, in breadth-first order, with its edges in the order of the moves.
pub(in crate::search) struct Walked<K, C> {
    keys: Vec<K>,
    depths: Vec<u32>,
    pub edges: Vec<Vec<(C, usize)>>,
}

/// Walks a space in the plainest way: through `actions`, `apply`, `pack` and `undo` only.
fn walk<S: InPlace>(space: &S) -> Walked<S::Key, S::Cost> {
    let start = space.pack(&space.initial());
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut walked = Walked { keys: vec![start], depths: vec![0], edges: Vec::new() };
    while let Some(key) = walked.keys.get(walked.edges.len()).cloned() {
        let depth = walked.depths[walked.edges.len()];
        let mut state = space.unpack(&key);
        let mut edges = Vec::new();
        for action in space.actions(&state.clone()) {
            let (cost, undo) = space.apply(&mut state, action);
            let child = space.pack(&state);
            space.undo(&mut state, action, undo);
            assert!(space.pack(&state) == key, "undo does not restore the state before {action:?}");
            let child = *numbers.entry(child.clone()).or_insert_with(|| {
                walked.keys.push(child);
                walked.depths.push(depth + 1);
                walked.keys.len() - 1
            });
            edges.push((cost, child));
        }
        walked.edges.push(edges);
    }
    walked
}

impl<K: Key, C: Cost> Walked<K, C> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key of the start.
    pub fn start(&self) -> &K {
        &self.keys[0]
    }

    /// Every edge: from, cost, to.
    fn arcs(&self) -> impl Iterator<Item = (usize, C, usize)> {
        (0..).zip(&self.edges).flat_map(|(from, out)| out.iter().map(move |&(cost, to)| (from, cost, to)))
    }

    /// The state to which moves of these numbers lead from the start, and what they cost.
    fn follow(&self, ordinals: &[Ordinal]) -> (usize, C) {
        ordinals.iter().fold((0, C::ZERO), |(at, sum), &ordinal| {
            let Some(&(cost, to)) = self.edges[at].get(ordinal as usize) else { panic!("an illegal move") };
            (to, sum + cost)
        })
    }
}

/// How many states there are at each distance from the start, in moves.
pub fn levels<S: InPlace>(space: &S) -> Vec<usize> {
    let mut levels = Vec::new();
    for depth in walk(space).depths {
        levels.resize(levels.len().max(depth as usize + 1), 0);
        levels[depth as usize] += 1;
    }
    levels
}

/// Checks every law of a space and its admissible heuristic, on all reachable states.
pub fn hold<S: Searched>(space: &S, consistent: bool) {
    let facts = space.facts();
    let owns = std::mem::needs_drop::<S::Key>();
    assert_eq!(owns, facts.key_heap_bytes > 0, "what keys own on the heap is not what their type says");
    let walked = walk(space);
    walked.keys.iter().for_each(|key| packed_as_in_place(space, key));
    let run = |algorithm: Algorithm, limits: &Limits| {
        let found = search(space, &|| space.initial(), algorithm, limits);
        found.map(|actions| ordinals(space, &actions))
    };
    let graph = &Whole(space);
    if facts.unit_cost { in_moves(graph, &walked, consistent, &run) } else { by_cost(graph, &walked, consistent, &run) }
}

/// The numbers of moves among the legal ones.
fn ordinals<S: InPlace>(space: &S, actions: &[S::Action]) -> Vec<Ordinal> {
    let mut state = space.initial();
    let ordinal = |&action: &S::Action| {
        let ordinal = space.actions(&state).position(|legal| legal == action).expect("a move of a solution is legal");
        space.apply(&mut state, action);
        ordinal as Ordinal
    };
    actions.iter().map(ordinal).collect()
}

/// The packed state and the unpacked one agree; `expand` has the moves of `actions`, with the costs and keys of `apply`, in
/// that order; `h` is carried well.
fn packed_as_in_place<S: InPlace>(space: &S, key: &S::Key) {
    let mut state = space.unpack(key);
    assert!(space.pack(&state) == *key, "pack does not give back what was unpacked");
    assert!(space.h(key) == space.h_in_place(&state), "h differs between key and state");
    assert_eq!(space.is_goal(key), space.is_solved(&state), "key and state disagree on the goal");
    let mut expanded = Vec::new();
    space.expand(key, |action, cost, child| expanded.push((action, cost, child)));
    let actions: Vec<S::Action> = space.actions(&state).collect();
    assert_eq!(actions, expanded.iter().map(|(action, ..)| *action).collect::<Vec<_>>(), "expand has other moves");
    for (action, cost, child) in expanded {
        let (applied_cost, undo) = space.apply(&mut state, action);
        assert!(applied_cost == cost && space.pack(&state) == child, "expand and apply differ on {action:?}");
        assert!(space.h_in_place(&state) == space.h(&child), "apply carries h wrongly along {action:?}");
        space.undo(&mut state, action, undo);
    }
}

fn h<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, key: &K) -> C {
    let mut values = Vec::new();
    graph.h(std::slice::from_ref(key), &mut values);
    values[0]
}

fn children<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, of: &K) -> Vec<K> {
    let mut children = Vec::new();
    graph.children(std::slice::from_ref(of), &mut children);
    children
}

/// The laws of a graph in which every move costs 1.
fn in_moves<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, consistent: bool, run: &Run) {
    let distances = to_goal(graph, walked);
    for (key, distance) in walked.keys.iter().zip(&distances) {
        let h = h(graph, key);
        assert!(
            distance.is_none_or(|distance| h.as_f64() <= f64::from(distance)),
            "h = {h:?} overestimates {distance:?}"
        );
    }
    if consistent {
        falls_no_more_than_moves_cost(graph, walked);
    }
    is_a_graph(graph, walked, consistent);
    agree(graph, walked, distances[0], run);
    as_walked(graph, walked, &distances);
    explorations_agree(graph, &walked.keys[0]);
}

/// What holds for any costs.
fn is_a_graph<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, consistent: bool) {
    let facts = graph.facts();
    for (from, cost, to) in walked.arcs() {
        assert!(!facts.unit_cost || cost.as_f64() == 1.0, "a move costs {cost:?}");
        let leads_back = || walked.edges[to].iter().any(|&(_, back)| back == from);
        assert!(!facts.reversible || leads_back(), "a move cannot be taken back");
    }
    for key in &walked.keys {
        let mut moves = Vec::new();
        graph.moves(key, &mut moves);
        assert!(
            moves.into_iter().map(|(_, child)| child).eq(children(graph, key)),
            "children are not those of the moves"
        );
    }
    for key in walked.keys.iter().filter(|_| facts.key_limit > 0) {
        let number = (key as &dyn Any).downcast_ref::<u32>();
        assert!(number.is_some_and(|&number| (number as usize) < facts.key_limit), "a key is too large a number");
    }
    if let Some(quotient) = graph.quotient() {
        walked.keys.iter().for_each(|key| has_a_representative(graph, &*quotient, key, consistent));
    }
    numbers_without_a_gap(graph, walked);
}

/// The heuristic is consistent.
fn falls_no_more_than_moves_cost<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>) {
    for (from, cost, to) in walked.arcs() {
        let (here, there) = (h(graph, &walked.keys[from]), h(graph, &walked.keys[to]));
        assert!(here <= cost + there, "h falls from {here:?} to {there:?} along a move that costs {cost:?}");
    }
}

/// A representative is its own, is as near to a goal, and its children have the same representatives.
fn has_a_representative<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    quotient: &dyn Weighted<K, C>,
    key: &K,
    consistent: bool,
) {
    let canonical = quotient.canonical(key.clone());
    assert!(quotient.canonical(canonical.clone()) == canonical, "a representative is not its own");
    assert_eq!(graph.is_goal(&canonical), graph.is_goal(key), "the representative of a goal is none");
    // Else the search opens a state once more where it has to.
    let is_same = !consistent || h(graph, &canonical) == h(graph, key);
    assert!(is_same, "h differs between a state and its representative");
    let represented = |of: &K| {
        let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
        graph.moves(of, &mut one_by_one);
        one_by_one.iter_mut().for_each(|(_, child)| *child = quotient.canonical(child.clone()));
        quotient.expand(of, of, &mut at_once);
        assert!(one_by_one == at_once, "the quotient has other children");
        at_once.into_iter().map(|(_, child)| child).collect::<Vec<_>>()
    };
    let (own, its) = (represented(key), represented(&canonical));
    assert!(own == children(quotient, key), "the quotient has other children without costs");
    let as_often = |child: &K| {
        let count = |children: &[K]| children.iter().filter(|other| *other == child).count();
        count(&own) == count(&its)
    };
    assert!(own.len() == its.len() && own.iter().all(as_often), "symmetric states have other children");
}

/// Checks the laws of a perfect index, where a space has one.
pub fn numbers<S: InPlace>(space: &S) {
    numbers_without_a_gap(&Whole(space), &walk(space));
}

/// Every state has a number of its own below the size, which leads back to it and to its neighbors.
fn numbers_without_a_gap<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>) {
    let Some(index) = graph.index() else { return };
    let number = |key: &K| index.rank(key).expect("a state that can be reached has no number");
    let numbers: Vec<u64> = walked.keys.iter().map(number).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), walked.len(), "two states have the same number");
    assert!(numbers.iter().all(|&number| number < index.size()), "a number is too large");
    assert_eq!(index.size(), walked.len() as u64, "a number has no state");
    let mut ascending: Vec<usize> = (0..numbers.len()).collect();
    ascending.sort_by_key(|&state| numbers[state]);
    // What is kept from one state to the next must not depend on their order.
    for order in [ascending, (0..numbers.len()).collect()] {
        let (mut neighbors, mut expanded) = (Vec::new(), Vec::new());
        index.neighbors(&order.iter().map(|&state| numbers[state]).collect::<Vec<_>>(), &mut neighbors);
        for &state in &order {
            assert!(index.unrank(numbers[state]) == walked.keys[state], "a number leads to another state");
            expanded.extend(walked.edges[state].iter().map(|&(_, child)| numbers[child]));
        }
        assert!(neighbors == expanded, "the index has other neighbors");
    }
}

/// By state, the moves to the nearest goal, where there is one: backwards over the edges of the walk.
fn to_goal<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>) -> Vec<Option<u32>> {
    let mut parents = vec![Vec::new(); walked.len()];
    walked.arcs().for_each(|(parent, _, child)| parents[child].push(parent));
    let goals = (0..walked.len()).filter(|&number| graph.is_goal(&walked.keys[number]));
    let mut level: Vec<usize> = goals.collect();
    let mut distances = vec![None; walked.len()];
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
fn agree<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, distance: Option<u32>, run: &Run) {
    let deep = walked.depths.iter().max().copied();
    let both_ends = objection(graph, Algorithm::Bidirectional).is_none().then_some(Algorithm::Bidirectional);
    let runs = [(Algorithm::Bfs, None), (Algorithm::AStar, None), (Algorithm::Dfs, None), (Algorithm::Bfs, deep)];
    let runs = runs.into_iter().chain(both_ends.map(|both_ends| (both_ends, None)));
    let runs = runs.chain([(Algorithm::Greedy, None), (WEIGHTED, None)]);
    // Deepening has no end where there is no solution, and meets states as often as there are ways to them.
    let deepening = [(Algorithm::IdaStar, None), (Algorithm::Iddfs, None)];
    let near = distance.is_some_and(|distance| distance <= 5);
    let runs = runs.chain(deepening.into_iter().filter(|_| near));
    let within = walked.len() < 2000;
    for (algorithm, depth) in runs.chain(within.then_some((Algorithm::Dfs, deep))) {
        let outcome = run(algorithm, &Limits { depth, ..Limits::default() });
        match (outcome.verdict, distance) {
            (Verdict::Solved { path, cost, lower_bound }, Some(distance)) => {
                assert_eq!(path.len() as f64, cost, "{algorithm:?} miscounts");
                let distance = f64::from(distance);
                let claims = algorithm.proves_shortest() || depth.is_some();
                assert!(!claims || cost == lower_bound, "what {algorithm:?} claims");
                assert!(lower_bound <= distance, "{algorithm:?} is not optimal");
                assert!(cost <= distance * 2.0 || algorithm != WEIGHTED, "{algorithm:?} exceeds its weight");
                let (last, _) = walked.follow(&path);
                assert!(graph.is_goal(&walked.keys[last]), "{algorithm:?} does not end at a goal");
            }
            (Verdict::Unsolvable, None) => {}
            (Verdict::Limit { .. }, _) => panic!("{algorithm:?} within {depth:?} says that it was cut off"),
            _ => panic!("{algorithm:?} within {depth:?} is wrong about whether there is a solution"),
        }
    }
    if walked.len() < 400 {
        closed::lists_hold(graph, walked, distance.map(f64::from), run);
    }
    for short in distance.and_then(|distance| distance.checked_sub(1)).into_iter().filter(|_| within) {
        let deepening = [Algorithm::IdaStar, Algorithm::Iddfs].into_iter().filter(|_| near);
        let others = [Algorithm::Bfs, Algorithm::Dfs, Algorithm::AStar, Algorithm::Greedy, WEIGHTED];
        for algorithm in others.into_iter().chain(deepening).chain(both_ends) {
            let outcome = run(algorithm, &Limits { depth: Some(short), ..Limits::default() });
            let Verdict::Limit { lower_bound, .. } = outcome.verdict else {
                panic!("{algorithm:?} is not cut off one move short of the solution");
            };
            assert!(lower_bound == f64::from(short) + 1.0, "what {algorithm:?} proves at its limit");
        }
    }
}

/// The laws of a graph whose moves have costs of their own.
fn by_cost<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, consistent: bool, run: &Run) {
    is_a_graph(graph, walked, consistent);
    if consistent {
        falls_no_more_than_moves_cost(graph, walked);
    }
    let goals: Vec<usize> = (0..walked.len()).filter(|&number| graph.is_goal(&walked.keys[number])).collect();
    let backward: Vec<(usize, C, usize)> = walked.arcs().map(|(from, cost, to)| (to, cost, from)).collect();
    let to_goal = cheapest(walked.len(), &goals, &backward);
    let from_start = cheapest(walked.len(), &[0], &walked.arcs().collect::<Vec<_>>());
    for (key, distance) in walked.keys.iter().zip(&to_goal) {
        assert!(distance.is_none_or(|distance| h(graph, key) <= distance), "h overestimates");
    }
    if walked.len() < 60 {
        closed::lists_hold(graph, walked, to_goal[0].map(Cost::as_f64), run);
    }
    for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm) {
        let deepens = matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar);
        if objection(graph, algorithm).is_some() || (deepens && walked.len() > 9) || (deepens && to_goal[0].is_none()) {
            continue;
        }
        match (run(algorithm, &Limits::default()).verdict, to_goal[0]) {
            (Verdict::Solved { path, cost, lower_bound }, Some(least)) => {
                let (last, sum) = walked.follow(&path);
                let is_goal = graph.is_goal(&walked.keys[last]);
                assert!(is_goal && sum.as_f64() == cost, "{algorithm:?} has another cost");
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
        if !graph.facts().free_moves {
            counts_ways(graph, walked, &to_goal, least);
        }
        cuts_off(least, run);
    }
    explores(graph, walked, &from_start, &to_goal);
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

/// All ways of the least cost, walked one by one, are what is counted, in that order.
fn counts_ways<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, walked: &Walked<K, C>, to_goal: &[Option<C>], least: C) {
    let mut ways: Vec<Vec<Ordinal>> = Vec::new();
    let mut open = vec![(0, least, Vec::new())];
    while let Some((at, left, way)) = open.pop() {
        if left == C::ZERO {
            ways.push(way);
            continue;
        }
        for (ordinal, &(cost, to)) in walked.edges[at].iter().enumerate().rev() {
            if to_goal[to].is_some_and(|onward| onward + cost == left) {
                open.push((to, left - cost, [&way[..], &[ordinal as Ordinal]].concat()));
            }
        }
    }
    let Ok(all) = super::all_shortest(graph, walked.keys[0].clone(), least, &Limits::default()) else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), ways.len() as u128, "the number of cheapest ways");
    let mut at = all.begin(graph);
    let listed: Vec<_> = std::iter::from_fn(|| all.next(&mut at, graph)).collect();
    assert_eq!(listed, ways, "the cheapest ways, in order");
}

/// A limit on the cost is kept, to the last digit.
fn cuts_off<C: Cost>(least: C, run: &Run) {
    let whole = least.bucket() as u32;
    let runs = [(whole, !least.exceeds(whole)), (whole + 1, true), (whole.saturating_sub(1), whole == 0)];
    for (depth, reaches) in runs {
        match run(Algorithm::AStar, &Limits { depth: Some(depth), ..Limits::default() }).verdict {
            Verdict::Solved { cost, .. } => assert!(reaches && cost == least.as_f64(), "within {depth}"),
            Verdict::Limit { lower_bound, .. } => {
                assert!(!reaches && lower_bound > f64::from(depth) && lower_bound <= least.as_f64(), "within {depth}");
            }
            Verdict::Unsolvable => panic!("what is cut off is not unsolvable"),
        }
    }
}

/// Exploration counts what the plain walk does.
fn explores<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    walked: &Walked<K, C>,
    from_start: &[Option<C>],
    to_goal: &[Option<C>],
) {
    let explored = super::explore(graph, &walked.keys[0], &Limits::default());
    let mut by_depth = Vec::new();
    for cost in from_start.iter().flatten() {
        by_depth.resize(by_depth.len().max(cost.bucket() + 1), 0_u64);
        by_depth[cost.bucket()] += 1;
    }
    assert_eq!((explored.by_depth, explored.limit), (by_depth, None), "states by their distance");
    assert_eq!(explored.dead_ends, Some(to_goal.iter().filter(|cost| cost.is_none()).count() as u64));
    let hardest = to_goal.iter().flatten().max();
    let count = to_goal.iter().filter(|cost| cost.as_ref() == hardest).count() as u64;
    let found = explored.hardest.as_ref().map(|found| (found.cost, found.count));
    assert_eq!(found, hardest.map(|hardest| (hardest.as_f64(), count)));
    if let Some(found) = explored.hardest {
        let (last, sum) = walked.follow(&found.example);
        assert!(to_goal[last].as_ref() == hardest && from_start[last] == Some(sum), "the example");
    }
}
