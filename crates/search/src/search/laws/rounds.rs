//! The law of rounds: threads that share a round get the answers of one thread, whatever their order.

use crate::search::Searched;
use crate::space::{Cost, Key, Weighted, Whole};
use std::collections::{BTreeMap, HashSet};
use std::thread;

/// The answers about a state: its successors, with their values.
type Answer<K, C> = Vec<(C, K, C)>;

/// The states of a round, and the answers about them.
type Round<K, C> = (Vec<K>, Vec<Answer<K, C>>);

/// Checks that a space, its quotient and its jump graph answer alike in rounds of some states, by one thread and by
/// several, and count and learn alike. The states are the first ones of a breadth-first search, over and over.
pub fn rounds_agree<S: Searched>(space: &S, size: usize, rounds: usize) {
    let counts =
        || -> BTreeMap<&str, u64> { space.savings().into_iter().map(|saving| (saving.name, saving.count)).collect() };
    let start = space.pack(&space.initial());
    check("space", &|| Some(Box::new(Whole(space))), &start, (size, rounds), &counts);
    check("quotient", &|| space.quotient(), &start, (size, rounds), &counts);
    check("jump graph", &|| space.jump_graph(), &start, (size, rounds), &counts);
}

fn check<'a, K: Key, C: Cost>(
    name: &str,
    graph: &dyn Fn() -> Option<Box<dyn Weighted<K, C> + 'a>>,
    start: &K,
    (size, rounds): (usize, usize),
    counts: &dyn Fn() -> BTreeMap<&'static str, u64>,
) {
    let Some(alone) = graph().filter(|graph| graph.is_order_independent()) else { return };
    let mut states = vec![alone.canonical(start.clone())];
    let before = counts();
    let mut known: HashSet<K> = states.iter().cloned().collect();
    let mut next = 0;
    let mut all: Vec<Round<K, C>> = Vec::new();
    for _ in 0..rounds {
        next = if next < states.len() { next } else { 0 };
        let round: Vec<K> = states[next..].iter().take(size).cloned().collect();
        next += round.len();
        let answers: Vec<_> = round.iter().map(|key| answer(&*alone, key)).collect();
        for (_, child, _) in answers.iter().flatten() {
            if known.insert(child.clone()) {
                states.push(child.clone());
            }
        }
        alone.settle();
        all.push((round, answers));
    }
    let counted = increase(&before, &counts());
    for threads in [2, 3] {
        let before = counts();
        let together = graph().expect("the graph was there before");
        for (number, (round, answers)) in all.iter().enumerate() {
            let found = shared(&*together, round, threads);
            for ((key, answer), found) in round.iter().zip(answers).zip(found) {
                let differs = || format!("{name}: {threads} threads answer otherwise in round {number}");
                assert!(found == *answer, "{}", differs());
                assert_eq!(together.is_goal(key), alone.is_goal(key), "{}", differs());
            }
            together.settle();
        }
        assert_eq!(together.has_pruned(), alone.has_pruned(), "{name}: {threads} threads prune otherwise");
        assert_eq!(increase(&before, &counts()), counted, "{name}: {threads} threads count otherwise");
    }
}

fn answer<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, key: &K) -> Answer<K, C> {
    let (mut successors, mut values) = (Vec::new(), Vec::new());
    graph.expand(key, key, &mut successors);
    let children: Vec<K> = successors.iter().map(|(_, child)| child.clone()).collect();
    graph.h(&children, &mut values);
    successors.into_iter().zip(values).map(|((cost, child), value)| (cost, child, value)).collect()
}

/// Returns the answers about the states of a round, in their order. Threads take them in turn, from the last one on.
fn shared<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, round: &[K], threads: usize) -> Vec<Answer<K, C>> {
    let mut answers: Vec<Answer<K, C>> = vec![Vec::new(); round.len()];
    thread::scope(|scope| {
        let part = |thread: usize| {
            let numbers = (0..round.len()).rev().filter(move |number| number % threads == thread);
            scope.spawn(move || numbers.map(|number| (number, answer(graph, &round[number]))).collect::<Vec<_>>())
        };
        let parts: Vec<_> = (0..threads).map(part).collect();
        for (number, answer) in parts.into_iter().flat_map(|part| part.join().expect("no thread panics")) {
            answers[number] = answer;
        }
    });
    answers
}

/// Returns by how much counts have grown, without those that have not.
fn increase<'a>(before: &BTreeMap<&'a str, u64>, after: &BTreeMap<&'a str, u64>) -> BTreeMap<&'a str, u64> {
    let grown = |(name, count): (&&'a str, &u64)| (*name, count - before.get(name).unwrap_or(&0));
    after.iter().map(grown).filter(|(_, more)| *more > 0).collect()
}
