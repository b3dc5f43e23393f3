//! The implementations of exploration against each other: all return the same result.

use crate::search::breadth_first::is_layered;
use crate::search::disk::exploration::Aim;
use crate::search::explore::{by_index, by_layers, by_table};
use crate::search::layer_store::explore_layers;
use crate::search::{Explored, Limit, Limits, OnDisk, Place};
use crate::space::{Cost, Graph, InPlace, Key, Ordinal, Weighted, Whole, moves_on_path};
use tempfile::TempDir;

/// The result of an exploration, without its memory.
type Findings = (Option<Limit>, Vec<u64>, u64, Option<u64>, Option<(f64, u64, Vec<Ordinal>)>);

pub fn findings(explored: Explored<Vec<Ordinal>>) -> Findings {
    let Explored { limit, by_depth, costs: _, goals, dead_ends, hardest, memory: _ } = explored;
    let hardest = hardest.map(|hardest| (hardest.cost, hardest.count, hardest.example));
    (limit, by_depth, goals, dead_ends, hardest)
}

/// Creates a temporary folder for a test: in memory if there is such a file system, to save waiting for a disk.
pub fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a temporary folder can be created")
}

/// An implementation of exploration.
type Explore<K> = fn(&dyn Graph<K>, &K, &Limits) -> Option<Explored<Vec<K>>>;

fn explored<K: Key, C: Cost>(
    by: Explore<K>,
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Option<Findings> {
    let explored = by(graph, start, limits)?;
    Some(findings(explored.map(|path| moves_on_path(graph, start.clone(), &path).0)))
}

/// Checks that every implementation that applies to a space returns the same result, including the example's path,
/// within every depth limit.
pub fn explorations_agree<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K) {
    let all = Limits::default();
    let expected = explored(|graph, start, limits| Some(by_table::explore(graph, start, limits)), graph, start, &all);
    let folder = scratch();
    let disk = OnDisk { folder: folder.path().join("on"), limit: None, fingerprint: "of this space".to_owned() };
    let little = Limits { memory: Some((1 << 19) + graph.facts().table_bytes), ..Limits::default() };
    if let Ok((explored, _)) = explore_layers(graph, start, Aim::Whole, &little, &Place::Disk(disk)) {
        assert_eq!(Some(findings(explored)), expected, "exploration on disk and by table differ");
    }
    if !is_layered(graph) {
        if let Some(found) = explored(by_index::explore, graph, start, &all) {
            assert_eq!(Some(found), expected, "exploration by index and by table differ");
        }
        return;
    }
    let layers = expected.as_ref().map_or(0, |expected| expected.1.len() as u32);
    for depth in 0..=layers {
        check_index_against_layers(graph, start, &Limits { depth: Some(depth), ..Limits::default() });
    }
    let found = explored(|graph, start, limits| Some(by_layers(graph, start, limits)), graph, start, &all);
    assert_eq!(found, expected, "exploration by layers and by table differ");
}

/// Checks that exploration by index and by layers agree; returns whether exploration by index applies to this space and
/// these limits.
pub fn index_agrees_with_layers<S: InPlace>(space: &S, limits: &Limits) -> bool {
    check_index_against_layers(&Whole(space), &space.pack(&space.initial()), limits)
}

fn check_index_against_layers<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> bool {
    let Some(found) = explored(by_index::explore, graph, start, limits) else { return false };
    let layers = explored(|graph, start, limits| Some(by_layers(graph, start, limits)), graph, start, limits);
    assert_eq!(Some(found), layers, "exploration by index and by layers differ");
    true
}
