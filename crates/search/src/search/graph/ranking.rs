//! The ranks of open states, for frontiers that order them by novelty.

use super::Search;
use super::sharing::Work;
use crate::search::ending::Ending;
use crate::search::frontier::Frontier;
use crate::search::node_table::{Node, NodeTable};
use crate::search::novelty::Description;
use crate::search::thread_pool::{map_parts, part_for_threads};
use crate::space::{Cost, Key, Weighted};
use std::ops::ControlFlow;

/// The most states that are described together.
const MOST_TOGETHER: usize = 1 << 10;

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
        while !self.unranked.is_empty() {
            let (graph, table, states) = (self.graph, &self.table, &self.unranked);
            let described = self.sharing.measure(Work::Describe, states.len(), |is_shared| {
                let part = if is_shared { part_for_threads(states.len()) } else { states.len() };
                map_parts(states, part, |states| describe(graph, table, states))
            });
            for (number, (description, &(_, h))) in (1..).zip(described.iter().flatten().zip(&self.unranked)) {
                let rank = novelty.rank(description, h);
                if let Some(trace) = &mut self.trace {
                    trace.novelties.push(rank.novelty);
                }
                self.frontier.rank(rank);
                Ending::at(novelty.grow(self.limits, self.table.bytes()))?;
                Ending::at(self.watch.check_at(number).err())?;
            }
            self.unranked.clear();
            self.frontier.unranked(MOST_TOGETHER, &mut self.unranked);
        }
        ControlFlow::Continue(())
    }
}

/// Describes states, of which those with the same parent follow each other.
fn describe<K: Key, C: Cost, L>(
    graph: &dyn Weighted<K, C>,
    table: &NodeTable<K, L>,
    states: &[(Node, C)],
) -> Vec<Description> {
    let (mut before, mut followed) = (Vec::new(), None);
    let mut described = Vec::with_capacity(states.len());
    for &(node, _) in states {
        let parent = table.nodes.parent(node);
        if followed.replace(parent) != Some(parent) {
            before.clear();
            if parent != node {
                graph.features(table.key(parent), &mut before);
            }
        }
        described.push(Description::new(graph, table.key(node), &before));
    }
    described
}
