//! The ways of exploration against each other: whichever goes, the answer is the same.

use crate::search::breadth_first::is_layered;
use crate::search::explore::{by_index, by_layers, by_table};
use crate::search::{Explored, Limit, Limits, OnDisk, explore_on_disk};
use crate::space::{Cost, Graph, InPlace, Key, Ordinal, Weighted, Whole, moves_along};
use tempfile::TempDir;

/// All that is found by an exploration but the memory it took.
type Findings = (Option<Limit>, Vec<u64>, u64, Option<u64>, Option<(f64, u64, Vec<Ordinal>)>);

pub fn findings(explored: Explored<Vec<Ordinal>>) -> Findings {
    let Explored { limit, in_moves: _, by_depth, goals, dead_ends, hardest, memory: _ } = explored;
    let hardest = hardest.map(|hardest| (hardest.cost, hardest.count, hardest.example));
    (limit, by_depth, goals, dead_ends, hardest)
}

/// A folder for a test: in memory, where there is one, since nobody waits for a disk there.
pub fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("there is room")
}

/// One way of exploration.
type Explore<K> = fn(&dyn Graph<K>, &K, &Limits) -> Option<Explored<Vec<K>>>;

fn explored<K: Key, C: Cost>(
    by: Explore<K>,
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Option<Findings> {
    let explored = by(graph, start, limits)?;
    Some(findings(explored.map(|way| moves_along(graph, start.clone(), &way).0)))
}

/// Every way that is open to a space finds the same, to the last move of the example, within every limit on depth.
pub fn explorations_agree<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K) {
    let all = Limits::default();
    let expected = explored(|graph, start, limits| Some(by_table::explore(graph, start, limits)), graph, start, &all);
    let folder = scratch();
    let disk = OnDisk { folder: folder.path().join("on"), limit: None, fingerprint: "of this space".to_owned() };
    let little = Limits { memory: Some((1 << 19) + graph.facts().table_bytes), ..Limits::default() };
    if let Ok(explored) = explore_on_disk(graph, start, &little, &disk) {
        assert_eq!(Some(findings(explored)), expected, "the disk finds something else than the table");
    }
    if !is_layered(graph) {
        if let Some(found) = explored(by_index::explore, graph, start, &all) {
            assert_eq!(Some(found), expected, "the index finds something else than the table");
        }
        return;
    }
    let layers = expected.as_ref().map_or(0, |expected| expected.1.len() as u32);
    for depth in 0..=layers {
        index_as_layers(graph, start, &Limits { depth: Some(depth), ..Limits::default() });
    }
    let found = explored(|graph, start, limits| Some(by_layers(graph, start, limits)), graph, start, &all);
    assert_eq!(found, expected, "the layers find something else than the table");
}

/// Where a space has an index, and these limits leave it to that, the index finds the same as the layers; returns
/// whether it is so.
pub fn by_index_as_by_layers<S: InPlace>(space: &S, limits: &Limits) -> bool {
    index_as_layers(&Whole(space), &space.pack(&space.initial()), limits)
}

fn index_as_layers<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> bool {
    let Some(found) = explored(by_index::explore, graph, start, limits) else { return false };
    let layers = explored(|graph, start, limits| Some(by_layers(graph, start, limits)), graph, start, limits);
    assert_eq!(Some(found), layers, "the index finds something else than the layers");
    true
}
