//! The ranks of open states, for frontiers that order them by novelty.

use super::Search;
use super::sharing::Work;
use crate::search::ending::Ending;
use crate::search::frontier::Frontier;
use crate::search::node_table::{Node, NodeTable};
use crate::search::novelty::{Description, Novelty};
use crate::search::thread_pool::{map_parts, part_for_threads};
use crate::space::{Cost, Key, Weighted};
use std::ops::ControlFlow;

/// The most states that are described together, and the features and pairs after which a thread describes no further one:
/// their hashes take memory.
const MOST_TOGETHER: usize = 1 << 10;
const MOST_LOOKED_AT: usize = 1 << 16;

impl<K: Key, C: Cost, F: Frontier<C>> Search<'_, K, C, F> {
    /// Ranks the open states that the frontier wants to be ranked.
    #[inline]
    pub(super) fn rank_open(&mut self) -> ControlFlow<Ending> {
        self.frontier.unranked(MOST_TOGETHER, &mut self.unranked);
        if self.unranked.is_empty() { ControlFlow::Continue(()) } else { self.rank_all() }
    }

    /// Threads describe the states; their novelty depends on all that were ranked before.
    fn rank_all(&mut self) -> ControlFlow<Ending> {
        let novelty = self.novelty.get_or_insert_default();
        let (mut number, mut together) = (0, MOST_TOGETHER);
        while !self.unranked.is_empty() {
            let (graph, table, states, seen) = (self.graph, &self.table, &self.unranked, &*novelty);
            let mut part = states.len();
            let described = self.sharing.measure(Work::Describe, states.len(), |is_shared| {
                if is_shared {
                    part = part_for_threads(states.len());
                }
                map_parts(states, part, |states| describe(graph, table, seen, states))
            });
            let before = number;
            let mut is_cut = false;
            for (states, described) in states.chunks(part).zip(described) {
                for description in &described {
                    number += 1;
                    let rank = novelty.rank(description);
                    if let Some(trace) = &mut self.trace {
                        trace.novelties.push(rank.novelty);
                    }
                    self.frontier.rank(rank);
                    Ending::at(novelty.grow(self.limits, self.table.bytes()))?;
                    Ending::at(self.watch.check_at(number).err())?;
                }
                is_cut = described.len() < states.len();
                if is_cut {
                    Ending::at(self.watch.check())?;
                    break;
                }
            }
            // What the parts after one that was cut have described was in vain, so the next ones are smaller.
            together = if is_cut { (number - before) as usize } else { (2 * together).min(MOST_TOGETHER) };
            self.unranked.clear();
            self.frontier.unranked(together, &mut self.unranked);
        }
        ControlFlow::Continue(())
    }
}

/// Describes states, of which those with the same parent follow each other; fewer if they have many features.
fn describe<K: Key, C: Cost, L>(
    graph: &dyn Weighted<K, C>,
    table: &NodeTable<K, L>,
    seen: &Novelty,
    states: &[(Node, C)],
) -> Vec<Description> {
    let (mut before, mut features, mut followed, mut looked_at) = (Vec::new(), Vec::new(), None, 0);
    let mut described = Vec::with_capacity(states.len());
    for &(node, h) in states {
        let parent = table.nodes.parent(node);
        if followed.replace(parent) != Some(parent) {
            before.clear();
            if parent != node {
                graph.features(table.key(parent), &mut before);
            }
        }
        let key = table.key(node);
        features.clear();
        graph.features(key, &mut features);
        let description = Description::new(seen, h, &features, &before, graph.cell(key));
        looked_at += description.looked_at;
        described.push(description);
        if looked_at > MOST_LOOKED_AT {
            break;
        }
    }
    described
}
