//! Counts layers from the start, one by one, within a budget of states.

use super::Budget;
use super::shared_watch::SharedWatch;
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;
use crate::search::limits::Limit;
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
    /// The states of all these layers.
    pub reached: FxHashSet<C>,
    /// True if no layer follows the last one.
    pub ended: bool,
    /// The limit that ended counting, if it was not the budget.
    pub limit: Option<Limit>,
}

impl<C: Code> Counted<C> {
    /// Returns the depth of the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Counts layers from a state, to the depth if one is given; drops a layer that exceeds the budget.
pub(super) fn count<C: Code>(
    graph: &dyn CodeGraph<C>,
    start: C,
    depth: Option<u32>,
    budget: &Budget,
    watch: &SharedWatch,
) -> Counted<C> {
    let reached = FxHashSet::from_iter([start]);
    let mut counted =
        Counted { layers: vec![1], last: vec![start], widest: vec![start], reached, ended: false, limit: None };
    while depth.is_none_or(|depth| counted.depth() < depth as usize) {
        let Some(next) = next_layer(graph, &mut counted, budget, watch) else { break };
        if next.is_empty() {
            counted.ended = true;
            break;
        }
        counted.layers.push(next.len() as u64);
        if next.len() > counted.widest.len() {
            counted.widest.clone_from(&next);
        }
        counted.last = next;
    }
    counted
}

/// Returns the next layer, sorted. Returns none if it exceeds the budget or a limit; then its states are not kept.
fn next_layer<C: Code>(
    graph: &dyn CodeGraph<C>,
    counted: &mut Counted<C>,
    budget: &Budget,
    watch: &SharedWatch,
) -> Option<Vec<C>> {
    let (mut next, mut children) = (Vec::new(), Vec::new());
    for slice in counted.last.chunks(SLICE) {
        counted.limit = watch.check(slice.len() as u64);
        children.clear();
        graph.children(slice, &mut children);
        next.extend(children.iter().copied().filter(|&child| counted.reached.insert(child)));
        if counted.limit.is_some() || counted.reached.len() > budget.states {
            next.iter().for_each(|state| _ = counted.reached.remove(state));
            return None;
        }
    }
    next.sort_unstable();
    Some(next)
}
