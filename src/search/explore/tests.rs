//! The ways of exploration against each other: whichever goes, the answer is the same.

use super::{Explored, by_index, by_layers, by_table};
use crate::search::breadth_first::is_layered;
use crate::search::{Limits, OnDisk, explore_on_disk};
use crate::space::StateSpace;
use std::fmt::Debug;
use tempfile::TempDir;

/// All that is told of an exploration but the memory it took.
fn told<A: PartialEq + Debug>(explored: Explored<Vec<A>>) -> impl PartialEq + Debug {
    let Explored { limit, in_moves: _, by_depth, goals, dead_ends, hardest, memory: _ } = explored;
    let hardest = hardest.map(|hardest| (hardest.cost, hardest.count, hardest.example));
    (limit, by_depth, goals, dead_ends, hardest)
}

/// A folder for a test: in memory, where there is one, since nobody waits for a disk there.
pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("there is room")
}

/// Every way that is open to a space finds the same, to the last move of the example, within every limit on depth.
pub(crate) fn explorations_agree<S: StateSpace>(space: &S) {
    let expected = by_table::explore(space, &|| space.initial(), &Limits::default());
    let folder = scratch();
    let disk = OnDisk { folder: folder.path().join("on"), limit: None, fingerprint: "of this space".to_owned() };
    let little = Limits { memory: Some((1 << 19) + space.table_bytes()), ..Limits::default() };
    if let Ok(explored) = explore_on_disk(space, &|| space.initial(), &little, &disk) {
        let expected = by_table::explore(space, &|| space.initial(), &Limits::default());
        assert_eq!(told(explored), told(expected), "the disk finds something else than the table");
    }
    if !is_layered(space) {
        if let Some(explored) = by_index::explore(space, &|| space.initial(), &Limits::default()) {
            assert_eq!(told(explored), told(expected), "the index finds something else than the table");
        }
        return;
    }
    for depth in 0..=expected.by_depth.len() as u32 {
        by_index_as_by_layers(space, &Limits { depth: Some(depth), ..Limits::default() });
    }
    let by_layers = by_layers(space, &|| space.initial(), &Limits::default());
    assert_eq!(told(by_layers), told(expected), "the layers find something else than the table");
}

/// Where a space has an index, and these limits leave it to that, the index finds the same as the layers; returns
/// whether it is so.
pub(crate) fn by_index_as_by_layers<S: StateSpace>(space: &S, limits: &Limits) -> bool {
    let Some(explored) = by_index::explore(space, &|| space.initial(), limits) else { return false };
    assert_eq!(
        told(explored),
        told(by_layers(space, &|| space.initial(), limits)),
        "the index finds something else than the layers"
    );
    true
}
