//! Iterative deepening on several threads has the answer and the counts of one thread, wherever a limit ends it.

use super::*;
use crate::search::{Algorithm, Found, Limits, Searched, Stats, Verdict, search};
use std::num::NonZero;

/// The outcome of a search and its statistics, in a form that can be compared.
fn run<S: Searched>(space: &S, algorithm: Algorithm, threads: usize, nodes: Option<u64>) -> (String, Stats) {
    let limits = Limits { threads: NonZero::new(threads), nodes, ..Limits::default() };
    let Found { verdict, stats } = search(space, &|| space.initial(), algorithm, &limits);
    let verdict = match verdict {
        Verdict::Solved { path, cost, lower_bound } => format!("{cost} {lower_bound} {path:?}"),
        Verdict::Unsolvable => "unsolvable".to_owned(),
        Verdict::Limit { limit, lower_bound, .. } => format!("{limit:?} {lower_bound}"),
    };
    (verdict, stats)
}

#[test]
fn several_threads_have_the_counts_of_one() {
    // The twelfth of Korf's instances: 269,708 states, the last iterations of more than 2^15.
    let start = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15];
    let board = Arc::new(TileBoard { goal: TileGoal::BlankFirst, ..board(4, 4, &start) });
    let space = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Manhattan));
    let pruned = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Manhattan))
        .pruned(crate::sliding_tile::automaton::of(&board));
    let (whole, stats) = run(&space, Algorithm::IdaStar, 1, None);
    assert_eq!((stats.expanded, stats.generated), (269_708, 546_343));
    let last = stats.expanded;
    let limits = [60_000, 61_234, 100_000, 150_001, 200_000, 250_001, last - 1, last, last + 1];
    for nodes in limits.map(Some).into_iter().chain([None]) {
        let single = run(&space, Algorithm::IdaStar, 1, nodes);
        assert_eq!(nodes.is_none_or(|nodes| nodes >= last), single.0 == whole, "with {nodes:?} nodes");
        let single_pruned = run(&pruned, Algorithm::IdaStar, 1, nodes);
        for threads in [2, 3, 7] {
            assert_eq!(run(&space, Algorithm::IdaStar, threads, nodes), single, "{threads} threads, {nodes:?} nodes");
            let shared = run(&pruned, Algorithm::IdaStar, threads, nodes);
            assert_eq!(shared, single_pruned, "{threads} threads, {nodes:?} nodes, with the automaton");
        }
    }
    let deepening = run(&space, Algorithm::Iddfs, 1, Some(500_000));
    assert_eq!(run(&space, Algorithm::Iddfs, 4, Some(500_000)), deepening);
    assert_eq!(deepening.1.expanded, 500_000);
}
