//! The laws of state spaces, checked exhaustively on small spaces: every reachable state, every edge.
//!
//! Checks of states in place are compiled for each space; all others for each kind of key and cost.

mod bounded;
pub(super) mod explorations;
mod rounds;
mod solutions;

pub use explorations::{explorations_agree, index_agrees_with_layers};
pub use rounds::rounds_agree;

use super::path_in_place::Measure;
use super::{
    Algorithm, AlgorithmFacts, BeamWidth, Found, Limit, Limits, Searched, SplitMix64, Verdict, Weight, objection,
    search,
};
use crate::space::{Cost, InPlace, Key, Ordinal, Shift, Weighted, Whole};
use solutions::check_all_shortest;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const WEIGHTED: Algorithm = Algorithm::WeightedAStar(Weight::DEFAULT);

/// Runs any algorithm on a space; a path to a goal is the list of the ordinals of its moves.
type Run<'a> = dyn Fn(Algorithm, &Limits) -> Found<Vec<Ordinal>> + 'a;

/// Every reachable state, in breadth-first order, with its edges in the order of the moves.
pub(in crate::search) struct Enumeration<K, C> {
    keys: Vec<K>,
    depths: Vec<u32>,
    pub edges: Vec<Vec<(C, usize)>>,
}

/// Enumerates a space by the simplest method: through `actions`, `apply`, `pack` and `undo` only.
fn enumerate<S: InPlace>(space: &S) -> Enumeration<S::Key, S::Cost> {
    let start = space.pack(&space.initial());
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut enumeration = Enumeration { keys: vec![start], depths: vec![0], edges: Vec::new() };
    while let Some(key) = enumeration.keys.get(enumeration.edges.len()).cloned() {
        let depth = enumeration.depths[enumeration.edges.len()];
        let mut state = space.unpack(&key);
        let mut edges = Vec::new();
        for action in space.actions(&state.clone()) {
            let (cost, undo) = space.apply(&mut state, action);
            let child = space.pack(&state);
            space.undo(&mut state, action, undo);
            assert!(space.pack(&state) == key, "undo does not restore the state before {action:?}");
            let child = *numbers.entry(child.clone()).or_insert_with(|| {
                enumeration.keys.push(child);
                enumeration.depths.push(depth + 1);
                enumeration.keys.len() - 1
            });
            edges.push((cost, child));
        }
        enumeration.edges.push(edges);
    }
    enumeration
}

impl<K: Key, C: Cost> Enumeration<K, C> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns the key of the start.
    pub fn start(&self) -> &K {
        &self.keys[0]
    }

    /// Iterates over all edges: from, cost, to.
    fn arcs(&self) -> impl Iterator<Item = (usize, C, usize)> {
        (0..).zip(&self.edges).flat_map(|(from, out)| out.iter().map(move |&(cost, to)| (from, cost, to)))
    }

    /// Returns the state that the moves with these ordinals reach from the start, and their total cost.
    fn follow(&self, ordinals: &[Ordinal]) -> (usize, C) {
        ordinals.iter().fold((0, C::ZERO), |(at, sum), &ordinal| {
            let Some(&(cost, to)) = self.edges[at].get(ordinal as usize) else {
                panic!("the ordinal exceeds the number of legal moves")
            };
            (to, sum + cost)
        })
    }
}

/// Returns the number of states at each distance from the start, in moves.
pub fn levels<S: InPlace>(space: &S) -> Vec<usize> {
    let mut levels = Vec::new();
    for depth in enumerate(space).depths {
        levels.resize(levels.len().max(depth as usize + 1), 0);
        levels[depth as usize] += 1;
    }
    levels
}

/// Checks every law of a space and its admissible heuristic, on all reachable states.
pub fn hold<S: Searched>(space: &S, consistent: bool) {
    let facts = space.facts();
    let owns = std::mem::needs_drop::<S::Key>();
    assert_eq!(owns, facts.key_heap_bytes > 0, "`key_heap_bytes` contradicts the key type");
    let enumeration = enumerate(space);
    enumeration.keys.iter().for_each(|key| check_packed_and_in_place(space, key));
    check_trails(space);
    enumeration.keys.iter().take(FROM_ELSEWHERE).for_each(|key| check_from_elsewhere(space, key));
    rounds_agree(space, ROUND, ROUNDS);
    let run = |algorithm: Algorithm, limits: &Limits| {
        let found = search(space, &|| space.initial(), algorithm, limits);
        found.map(|actions| ordinals(space, &actions))
    };
    let graph = &Whole(space);
    if facts.unit_cost {
        check_unit_costs(graph, &enumeration, consistent, &run)
    } else {
        check_costs(graph, &enumeration, consistent, &run)
    }
}

/// Converts actions to ordinals among the legal moves.
fn ordinals<S: InPlace>(space: &S, actions: &[S::Action]) -> Vec<Ordinal> {
    let mut state = space.initial();
    let ordinal = |&action: &S::Action| {
        let ordinal =
            space.actions(&state).position(|legal| legal == action).expect("every move of a solution is legal");
        space.apply(&mut state, action);
        ordinal as Ordinal
    };
    actions.iter().map(ordinal).collect()
}

/// Checks that the packed and the unpacked state agree, that `expand` has the moves of `actions` with the costs and
/// keys of `apply` in that order, and that `apply` updates `h` correctly.
fn check_packed_and_in_place<S: InPlace>(space: &S, key: &S::Key) {
    let mut state = space.unpack(key);
    assert!(space.pack(&state) == *key, "pack does not invert unpack");
    assert!(space.h(key) == space.h_in_place(&state), "h differs between key and state");
    assert_eq!(space.is_goal(key), space.is_solved(&state), "key and state disagree on the goal");
    let mut expanded = Vec::new();
    space.expand(key, |action, cost, child| expanded.push((action, cost, child)));
    let children: Vec<S::Key> = expanded.iter().map(|(_, _, child)| child.clone()).collect();
    let mut values = Vec::new();
    space.h_of(&children, &mut values);
    let one_by_one: Vec<S::Cost> = children.iter().map(|child| space.h(child)).collect();
    assert!(values == one_by_one, "h of several states differs from h of each");
    let actions: Vec<S::Action> = space.actions(&state).collect();
    assert_eq!(actions, expanded.iter().map(|(action, ..)| *action).collect::<Vec<_>>(), "expand has other moves");
    let mut on_path = Vec::new();
    space.expand_on_path(key, |action, cost, child| on_path.push((action, cost, child)));
    assert!(on_path == expanded, "the moves on a path are others");
    assert!((0..).map_while(|number| space.nth_action(&state, number)).eq(actions), "the moves by number are others");
    for (action, cost, child) in expanded {
        let (applied_cost, undo) = space.apply(&mut state, action);
        assert!(applied_cost == cost && space.pack(&state) == child, "expand and apply differ on {action:?}");
        assert!(space.h_in_place(&state) == space.h(&child), "apply updates h wrongly for {action:?}");
        space.undo(&mut state, action, undo);
    }
}

/// The number of states from which searches are checked, besides the start.
const FROM_ELSEWHERE: usize = 4;

/// The number of states in a round, and of rounds, that several threads share.
const ROUND: usize = 24;
const ROUNDS: usize = 6;

/// Checks that iterative deepening from a state other than the start finds a solution that costs no more than that of
/// A*.
fn check_from_elsewhere<S: Searched>(space: &S, key: &S::Key) {
    let cost = |algorithm: Algorithm| {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        match search(space, &|| space.unpack(key), algorithm, &limits).verdict {
            Verdict::Solved { cost, .. } => Some(cost),
            _ => None,
        }
    };
    let graph = &Whole(space);
    let is_suited = |algorithm| objection(graph, algorithm).is_none();
    if is_suited(Algorithm::IdaStar) && is_suited(Algorithm::AStar) {
        let (deepening, best_first) = (cost(Algorithm::IdaStar), cost(Algorithm::AStar));
        assert!(deepening.is_none() || deepening == best_first, "{deepening:?} instead of {best_first:?}");
    }
}

/// Checks along a random walk that `actions_after` omits only moves that `follow` prunes.
fn check_trails<S: InPlace>(space: &S) {
    let mut random = SplitMix64::new(24);
    let mut state = space.initial();
    let mut trail = space.trail(&state);
    for _ in 0..200 {
        let allowed = |action: &S::Action| space.follow(&trail, &state, *action).is_some();
        let actions: Vec<S::Action> = space.actions(&state).filter(allowed).collect();
        let after: Vec<S::Action> = space.actions_after(&state, &trail).filter(allowed).collect();
        assert_eq!(actions, after, "`actions_after` has other moves");
        let Some(last) = actions.len().checked_sub(1) else { break };
        let action = actions[random.below(last as u64 + 1) as usize];
        trail = space.follow(&trail, &state, action).expect("the move is not pruned");
        space.apply(&mut state, action);
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

/// Checks the laws of a graph in which every move costs 1.
fn check_unit_costs<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    consistent: bool,
    run: &Run,
) {
    let distances = to_goal(graph, enumeration);
    for (key, distance) in enumeration.keys.iter().zip(&distances) {
        let h = h(graph, key);
        assert!(
            distance.is_none_or(|distance| h.as_f64() <= f64::from(distance)),
            "h = {h:?} overestimates {distance:?}"
        );
    }
    if consistent {
        check_consistency(graph, enumeration);
    }
    check_graph(graph, enumeration, consistent);
    check_algorithms(graph, enumeration, distances[0], run);
    check_all_shortest(graph, enumeration, &distances);
    explorations_agree(graph, &enumeration.keys[0]);
}

/// Checks the laws that hold for any costs.
fn check_graph<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, enumeration: &Enumeration<K, C>, consistent: bool) {
    let facts = graph.facts();
    for (from, cost, to) in enumeration.arcs() {
        assert!(!facts.unit_cost || cost.as_f64() == 1.0, "a move costs {cost:?}");
        let first = enumeration.arcs().next().map(|(_, first, _)| first.as_f64());
        let is_equal = first == Some(cost.as_f64()) && cost.as_f64() > 0.0;
        assert!(!facts.equal_cost || is_equal, "moves cost {first:?} and {cost:?}");
        let leads_back = || enumeration.edges[to].iter().any(|&(_, back)| back == from);
        assert!(!facts.reversible || leads_back(), "a move has no inverse");
        let costs_as_much = || enumeration.edges[to].iter().any(|&(of, back)| back == from && of == cost);
        let is_symmetric = facts.reversible && facts.has_symmetric_costs();
        assert!(!is_symmetric || costs_as_much(), "a move that costs {cost:?} has no inverse of that cost");
    }
    for key in &enumeration.keys {
        let mut moves = Vec::new();
        graph.moves(key, &mut moves);
        assert!(
            moves.into_iter().map(|(_, child)| child).eq(children(graph, key)),
            "children are not those of the moves"
        );
    }
    for key in enumeration.keys.iter().filter(|_| facts.key_limit > 0) {
        let number = (key as &dyn Any).downcast_ref::<u32>();
        assert!(number.is_some_and(|&number| (number as usize) < facts.key_limit), "a key is not below `key_limit`");
    }
    if let Some(quotient) = graph.quotient() {
        enumeration.keys.iter().for_each(|key| check_representative(graph, &*quotient, key, consistent));
    }
    check_index(graph, enumeration);
}

/// Checks that the heuristic is consistent.
fn check_consistency<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, enumeration: &Enumeration<K, C>) {
    for (from, cost, to) in enumeration.arcs() {
        let (here, there) = (h(graph, &enumeration.keys[from]), h(graph, &enumeration.keys[to]));
        assert!(here <= cost + there, "h falls from {here:?} to {there:?} along a move that costs {cost:?}");
    }
}

/// Checks that a representative represents itself, is as near to a goal, and has children with the same
/// representatives.
fn check_representative<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    quotient: &dyn Weighted<K, C>,
    key: &K,
    consistent: bool,
) {
    let canonical = quotient.canonical(key.clone());
    assert!(quotient.canonical(canonical.clone()) == canonical, "a representative does not represent itself");
    assert_eq!(graph.is_goal(&canonical), graph.is_goal(key), "a goal and its representative disagree on the goal");
    // With an inconsistent heuristic h may differ: the search reopens states where it has to.
    let is_same = !consistent || h(graph, &canonical) == h(graph, key);
    assert!(is_same, "h differs between a state and its representative");
    let represented = |of: &K| {
        let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
        graph.moves(of, &mut one_by_one);
        one_by_one.iter_mut().for_each(|(_, child)| *child = quotient.canonical(child.clone()));
        quotient.expand(of, of, &mut at_once);
        // A child may be left out if another move of the same cost leads to it.
        let mut rest = one_by_one.iter();
        assert!(at_once.iter().all(|child| rest.any(|other| other == child)), "the quotient has other children");
        assert!(one_by_one.iter().all(|child| at_once.contains(child)), "the quotient lacks a child");
        let without_costs: Vec<K> = at_once.into_iter().map(|(_, child)| child).collect();
        assert!(without_costs == children(quotient, of), "the quotient has other children without costs");
        one_by_one.into_iter().map(|(_, child)| child).collect::<Vec<_>>()
    };
    let (own, its) = (represented(key), represented(&canonical));
    let as_often = |child: &K| {
        let count = |children: &[K]| children.iter().filter(|other| *other == child).count();
        count(&own) == count(&its)
    };
    assert!(own.len() == its.len() && own.iter().all(as_often), "symmetric states have other children");
}

/// Checks the laws of a perfect index, if the space has one.
pub fn perfect_index<S: InPlace>(space: &S) {
    check_index(&Whole(space), &enumerate(space));
}

/// Checks that the index maps the states to distinct numbers below its size and back, with the right neighbours.
fn check_index<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, enumeration: &Enumeration<K, C>) {
    let Some(index) = graph.index() else { return };
    let number = |key: &K| index.rank(key).expect("a reachable state has no number");
    let numbers: Vec<u64> = enumeration.keys.iter().map(number).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), enumeration.len(), "two states have the same number");
    assert!(numbers.iter().all(|&number| number < index.size()), "a number is too large");
    let mut ascending: Vec<usize> = (0..numbers.len()).collect();
    ascending.sort_by_key(|&state| numbers[state]);
    let shifts = index.shifts();
    let aligned =
        |shift: &Shift| [shift.states.start, shift.states.end, shift.by.unsigned_abs()].map(|by| by % 64) == [0; 3];
    assert!(shifts.iter().all(aligned), "a shift cannot be made for 64 states at once");
    let shifted = |number: u64| {
        let of_it = shifts.iter().filter(move |shift| shift.states.contains(&number));
        of_it.map(move |shift| number.wrapping_add_signed(shift.by))
    };
    // The neighbours must not depend on the order of the states, although the index may cache work between them.
    for order in [ascending, (0..numbers.len()).collect()] {
        let (mut neighbors, mut unshifted) = (Vec::new(), Vec::new());
        let (mut expanded, mut expanded_unshifted) = (Vec::<u64>::new(), Vec::<u64>::new());
        let ordered: Vec<u64> = order.iter().map(|&state| numbers[state]).collect();
        index.neighbors(&ordered, &mut neighbors);
        index.neighbors_except_shifts(&ordered, &mut unshifted);
        for &state in &order {
            assert!(index.unrank(numbers[state]) == enumeration.keys[state], "unrank does not invert rank");
            let mut children: Vec<u64> = enumeration.edges[state].iter().map(|&(_, child)| numbers[child]).collect();
            expanded.extend(&children);
            for child in shifted(numbers[state]) {
                let at = children.iter().position(|&other| other == child);
                children.remove(at.expect("a shift leads to a neighbour"));
            }
            expanded_unshifted.extend(children);
        }
        assert!(neighbors == expanded, "the index has other neighbors");
        assert!(unshifted == expanded_unshifted, "the index has other neighbors beside the shifts");
    }
}

/// Returns for each state the moves to the nearest goal, if one is reachable: backward search over the enumerated
/// edges.
fn to_goal<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, enumeration: &Enumeration<K, C>) -> Vec<Option<u32>> {
    let mut parents = vec![Vec::new(); enumeration.len()];
    enumeration.arcs().for_each(|(parent, _, child)| parents[child].push(parent));
    let goals = (0..enumeration.len()).filter(|&number| graph.is_goal(&enumeration.keys[number]));
    let mut level: Vec<usize> = goals.collect();
    let mut distances = vec![None; enumeration.len()];
    let mut distance = 0;
    while !level.is_empty() {
        level.retain(|&number| distances[number].is_none());
        level.iter().for_each(|&number| distances[number] = Some(distance));
        level = level.iter().flat_map(|&number| parents[number].iter().copied()).collect();
        distance += 1;
    }
    distances
}

/// Checks that every optimal algorithm finds the enumerated distance, and the others a solution where they can.
fn check_algorithms<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    distance: Option<u32>,
    run: &Run,
) {
    let deep = enumeration.depths.iter().max().copied();
    // Iterative deepening never ends without a solution, and expands a state once for each path to it.
    let near = distance.is_some_and(|distance| distance <= 5);
    let suited = |algorithm: &Algorithm| objection(graph, *algorithm).is_none() && (near || !deepens(*algorithm));
    let algorithms = Algorithm::ALL.iter().map(|facts| if is_beam(facts) { wide_beam() } else { facts.algorithm });
    let algorithms: Vec<Algorithm> = algorithms.filter(suited).collect();
    let within = enumeration.len() < 2000;
    let runs = algorithms.iter().map(|&algorithm| (algorithm, None)).chain([(Algorithm::Bfs, deep)]);
    for (algorithm, depth) in runs.chain(within.then_some((Algorithm::Dfs, deep))) {
        let outcome = run(algorithm, &Limits { depth, ..Limits::default() });
        let is_known = outcome.stats.expanded <= enumeration.len() as u64;
        let expands_once = matches!(algorithm, Algorithm::Greedy | Algorithm::BestFirstWidth);
        assert!(is_known || !expands_once, "{algorithm:?} expands a state again");
        match (outcome.verdict, distance) {
            (Verdict::Solved { path, cost, lower_bound }, Some(distance)) => {
                assert_eq!(path.len() as f64, cost, "{algorithm:?} reports another cost than the length of its path");
                let distance = f64::from(distance);
                let claims = algorithm.proves_shortest() || depth.is_some() || algorithm == wide_beam();
                assert!(!claims || cost == lower_bound, "{algorithm:?} does not prove its cost optimal");
                assert!(lower_bound <= distance, "{algorithm:?} is not optimal");
                assert!(
                    cost <= distance * 2.0 || algorithm != WEIGHTED,
                    "{algorithm:?} exceeds its suboptimality bound"
                );
                let (last, _) = enumeration.follow(&path);
                assert!(graph.is_goal(&enumeration.keys[last]), "{algorithm:?} does not end at a goal");
            }
            (Verdict::Unsolvable, None) => {}
            (Verdict::Limit { .. }, _) => panic!("{algorithm:?} within {depth:?} reports a limit in error"),
            _ => panic!("{algorithm:?} within {depth:?} is wrong about whether there is a solution"),
        }
    }
    if enumeration.len() < 400 {
        bounded::check_bounded_closed_lists(graph, enumeration, distance.map(f64::from), run);
    }
    if enumeration.len() < 100 {
        bounded::check_deepening(graph, enumeration, distance.map(f64::from));
    }
    check_narrow_beams(graph, enumeration, distance.map(f64::from), run);
    for short in distance.and_then(|distance| distance.checked_sub(1)).into_iter().filter(|_| within) {
        for &algorithm in &algorithms {
            let outcome = run(algorithm, &Limits { depth: Some(short), ..Limits::default() });
            let Verdict::Limit { lower_bound, .. } = outcome.verdict else {
                panic!("{algorithm:?} is not cut off one move short of the solution");
            };
            assert!(lower_bound == f64::from(short) + 1.0, "{algorithm:?} proves another bound at its limit");
        }
    }
}

/// Returns whether an algorithm is iterative deepening.
fn deepens(algorithm: Algorithm) -> bool {
    algorithm.facts().in_place.is_some_and(Measure::deepens)
}

fn is_beam(facts: &AlgorithmFacts) -> bool {
    matches!(facts.algorithm, Algorithm::Beam(_))
}

/// Returns beam search that drops nothing.
fn wide_beam() -> Algorithm {
    Algorithm::Beam(BeamWidth::new(u32::MAX).expect("the width is not 0"))
}

/// Checks that beam searches that drop states claim no more than is true.
fn check_narrow_beams<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    least: Option<f64>,
    run: &Run,
) {
    for (width, depth) in [(1, None), (2, None), (3, Some(6)), (7, None)] {
        let algorithm = Algorithm::Beam(BeamWidth::new(width).expect("the width is not 0"));
        match run(algorithm, &Limits { depth, ..Limits::default() }).verdict {
            Verdict::Solved { path, cost, lower_bound } => {
                let (last, sum) = enumeration.follow(&path);
                assert!(
                    graph.is_goal(&enumeration.keys[last]) && sum.as_f64() == cost,
                    "{algorithm:?} has another cost"
                );
                assert!(
                    least.is_some_and(|least| lower_bound <= least),
                    "{algorithm:?} claims {lower_bound} of {least:?}"
                );
                assert!(depth.is_none_or(|depth| cost <= f64::from(depth)), "{algorithm:?} goes beyond its limit");
            }
            Verdict::Unsolvable => assert_eq!(least, None, "{algorithm:?} finds no solution"),
            Verdict::Limit { limit, lower_bound, .. } => {
                assert!(limit == Limit::Width || limit == Limit::Depth && depth.is_some(), "{algorithm:?}: {limit:?}");
                assert!(
                    least.is_none_or(|least| lower_bound <= least),
                    "{algorithm:?} claims {lower_bound} of {least:?}"
                );
            }
        }
    }
}

/// Checks the laws of a graph whose moves have different costs.
fn check_costs<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    consistent: bool,
    run: &Run,
) {
    check_graph(graph, enumeration, consistent);
    if consistent {
        check_consistency(graph, enumeration);
    }
    let goals: Vec<usize> = (0..enumeration.len()).filter(|&number| graph.is_goal(&enumeration.keys[number])).collect();
    let backward: Vec<(usize, C, usize)> = enumeration.arcs().map(|(from, cost, to)| (to, cost, from)).collect();
    let to_goal = cheapest(enumeration.len(), &goals, &backward);
    let from_start = cheapest(enumeration.len(), &[0], &enumeration.arcs().collect::<Vec<_>>());
    for (key, distance) in enumeration.keys.iter().zip(&to_goal) {
        assert!(distance.is_none_or(|distance| h(graph, key) <= distance), "h overestimates");
    }
    if enumeration.len() < 60 {
        bounded::check_bounded_closed_lists(graph, enumeration, to_goal[0].map(Cost::as_f64), run);
        bounded::check_deepening(graph, enumeration, to_goal[0].map(Cost::as_f64));
    }
    check_narrow_beams(graph, enumeration, to_goal[0].map(Cost::as_f64), run);
    for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm) {
        let deepens = deepens(algorithm);
        if objection(graph, algorithm).is_some()
            || (deepens && enumeration.len() > 9)
            || (deepens && to_goal[0].is_none())
        {
            continue;
        }
        let outcome = run(algorithm, &Limits::default());
        let expands_once = outcome.stats.expanded <= enumeration.len() as u64;
        assert!(expands_once || algorithm != Algorithm::Greedy, "{algorithm:?} expands a state again");
        match (outcome.verdict, to_goal[0]) {
            (Verdict::Solved { path, cost, lower_bound }, Some(least)) => {
                let (last, sum) = enumeration.follow(&path);
                let is_goal = graph.is_goal(&enumeration.keys[last]);
                assert!(is_goal && sum.as_f64() == cost, "{algorithm:?} has another cost");
                assert!(
                    sum == least || !algorithm.proves_shortest() || algorithm.facts().counts_moves,
                    "{algorithm:?} is not optimal"
                );
                assert!(lower_bound <= least.as_f64(), "{algorithm:?} reports a lower bound above the optimum");
                let proves = algorithm == Algorithm::Bfs && graph.facts().equal_cost;
                assert!(!proves || lower_bound == cost, "{algorithm:?} proves {lower_bound} of {cost}");
                assert!(lower_bound < cost || sum == least, "{algorithm:?} claims that a suboptimal cost is optimal");
                assert!(
                    cost <= 2.0 * least.as_f64() || algorithm != WEIGHTED,
                    "{algorithm:?} exceeds its suboptimality bound"
                );
            }
            (Verdict::Unsolvable, None) => {}
            _ => panic!("{algorithm:?} is wrong about whether there is a solution"),
        }
    }
    if let Some(least) = to_goal[0] {
        if !graph.facts().free_moves {
            check_cheapest_paths(graph, enumeration, &to_goal, least);
        }
        if graph.facts().equal_cost && enumeration.len() < 60 {
            let limits = Limits { depth: Some(enumeration.len() as u32), ..Limits::default() };
            let Verdict::Solved { cost, lower_bound, .. } = run(Algorithm::Dfs, &limits).verdict else {
                panic!("depth-first search finds no solution within the limit")
            };
            assert!(cost == least.as_f64() && lower_bound == cost, "depth-first search proves {lower_bound} of {cost}");
        }
        check_cost_limit(least, run);
    }
    check_exploration(graph, enumeration, &from_start, &to_goal);
}

/// Returns for each state the cost of the cheapest path from any of some states (Bellman and Ford: relaxes all edges
/// until nothing changes).
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

/// Checks that [`all_shortest`](super::all_shortest::all_shortest()) counts and lists the cheapest paths that an exhaustive search
/// lists, in that order.
fn check_cheapest_paths<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    to_goal: &[Option<C>],
    least: C,
) {
    let mut paths: Vec<Vec<Ordinal>> = Vec::new();
    let mut open = vec![(0, least, Vec::new())];
    while let Some((at, left, path)) = open.pop() {
        if left == C::ZERO {
            paths.push(path);
            continue;
        }
        for (ordinal, &(cost, to)) in enumeration.edges[at].iter().enumerate().rev() {
            if to_goal[to].is_some_and(|onward| onward + cost == left) {
                open.push((to, left - cost, [&path[..], &[ordinal as Ordinal]].concat()));
            }
        }
    }
    let Ok(all) =
        super::all_shortest::all_shortest(graph, enumeration.keys[0].clone(), least, true, &Limits::default())
    else {
        panic!("no limit was set")
    };
    assert_eq!(all.count(), paths.len() as u128, "the number of cheapest paths differs");
    let mut at = all.begin(graph);
    let listed: Vec<_> = std::iter::from_fn(|| all.next(&mut at, graph)).collect();
    assert_eq!(listed, paths, "the cheapest paths differ, or their order");
}

/// Checks that a cost limit is exact.
fn check_cost_limit<C: Cost>(least: C, run: &Run) {
    let whole = least.bucket() as u32;
    let runs = [(whole, !least.exceeds_whole(whole)), (whole + 1, true), (whole.saturating_sub(1), whole == 0)];
    for (depth, reaches) in runs {
        match run(Algorithm::AStar, &Limits { depth: Some(depth), ..Limits::default() }).verdict {
            Verdict::Solved { cost, .. } => assert!(reaches && cost == least.as_f64(), "within {depth}"),
            Verdict::Limit { lower_bound, .. } => {
                assert!(!reaches && lower_bound > f64::from(depth) && lower_bound <= least.as_f64(), "within {depth}");
            }
            Verdict::Unsolvable => panic!("a search that was cut off must not report unsolvable"),
        }
    }
}

/// Checks that exploration finds the counts of the enumeration.
fn check_exploration<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    from_start: &[Option<C>],
    to_goal: &[Option<C>],
) {
    let explored = super::explore(graph, &enumeration.keys[0], &Limits::default());
    let mut by_distance = BTreeMap::new();
    for cost in from_start.iter().flatten() {
        *by_distance.entry(cost.bucket() as u64).or_insert(0_u64) += 1;
    }
    let found: Vec<(u64, u64)> = explored.by_distance().collect();
    assert_eq!((found, explored.limit), (Vec::from_iter(by_distance), None), "the states by distance differ");
    assert_eq!(explored.dead_ends, Some(to_goal.iter().filter(|cost| cost.is_none()).count() as u64));
    let hardest = to_goal.iter().flatten().max();
    let count = to_goal.iter().filter(|cost| cost.as_ref() == hardest).count() as u64;
    let found = explored.hardest.as_ref().map(|found| (found.cost, found.count));
    assert_eq!(found, hardest.map(|hardest| (hardest.as_f64(), count)));
    if let Some(found) = explored.hardest {
        let (last, sum) = enumeration.follow(&found.example);
        assert!(
            to_goal[last].as_ref() == hardest && from_start[last] == Some(sum),
            "the example is not a hardest state, or its path is not cheapest"
        );
    }
}
