//! Counts layers from the start, one by one, within a budget of states.

use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::{Limit, Limits};
use rustc_hash::FxHashSet;

/// States expanded between two limit checks.
const SLICE: usize = 1024;

/// The first layers.
pub(super) struct Counted<C> {
    /// The number of states of each layer.
    pub layers: Vec<u64>,
    /// The last layer, sorted.
    pub last: Vec<C>,
    /// The largest layer, sorted.
    pub widest: Vec<C>,
    /// True if no layer follows the last one.
    pub ended: bool,
    /// The limit that ended counting, if it was not the budget.
    pub limit: Option<Limit>,
}

/// Counts layers from a state, to the depth if one is given; drops a layer with which they exceed `most` states.
pub(super) fn count<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    depth: Option<u32>,
    most: usize,
    limits: &Limits,
) -> Counted<C> {
    limits.begin("counting layers", None, 0);
    let stop = limits.stop();
    let mut reached = FxHashSet::from_iter([start]);
    let mut counted = Counted { layers: vec![1], last: vec![start], widest: vec![start], ended: false, limit: None };
    let mut children = Vec::new();
    while depth.is_none_or(|depth| counted.layers.len() <= depth as usize) {
        let mut next = Vec::new();
        for slice in counted.last.chunks(SLICE) {
            counted.limit = stop.check_cheap();
            limits.spend(reached.len() as u64, 0);
            graph.children(slice, &mut children);
            next.extend(children.drain(..).filter(|&child| reached.insert(child)));
            if counted.limit.is_some() || reached.len() > most {
                return counted;
            }
        }
        if next.is_empty() {
            counted.ended = true;
            break;
        }
        next.sort_unstable();
        counted.layers.push(next.len() as u64);
        if next.len() > counted.widest.len() {
            counted.widest.clone_from(&next);
        }
        counted.last = next;
    }
    counted
}
