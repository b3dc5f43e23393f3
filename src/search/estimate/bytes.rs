//! What states and children take in files and on the way to other machines: measured on a layer that was counted, shared
//! out as the layers of several machines are.

use super::model::BLOCK_BYTES;
use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;

/// Children that are sent together, about.
const TOGETHER: usize = 1 << 16;
/// So many children are looked at.
const ENOUGH: usize = 1 << 18;
/// States whose children are made at a time.
const SLICE: usize = 256;

/// What one state of a layer takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    /// Children that are made of it.
    pub made: f64,
    /// Those that are sent, without duplicates among those that are sent together.
    pub sent: f64,
    /// Bytes of one that is sent.
    pub sent_bytes: f64,
    /// Bytes of the state on disk.
    pub stored_bytes: f64,
}

/// What a state of this layer takes, which is in rising order, where it is shared out among so many machines.
pub(super) fn sizes<C: Code>(graph: &dyn CodeGraph<C>, layer: &[C], hosts: usize) -> Sizes {
    let stored = layer.len() as f64 * BLOCK_BYTES + written(layer, hosts) as f64;
    let mut by_host: Vec<Vec<C>> = vec![Vec::new(); hosts.min(layer.len())];
    for &state in layer {
        let host = state.share(hosts);
        // Of very many machines some are enough.
        if let Some(own) = by_host.get_mut(host) {
            own.push(state);
        }
    }
    let (mut states, mut made, mut sent, mut bytes) = (0, 0, 0, 0);
    let mut children = Vec::new();
    'enough: for own in by_host {
        let mut slices = own.chunks(SLICE).peekable();
        while let Some(slice) = slices.next() {
            graph.children(slice, &mut children);
            states += slice.len();
            if children.len() >= TOGETHER || slices.peek().is_none() {
                made += children.len();
                children.sort_unstable();
                children.dedup();
                sent += children.len();
                bytes += written(&children, hosts);
                children.clear();
                if made >= ENOUGH {
                    break 'enough;
                }
            }
        }
    }
    let each = |number: usize, of: usize| number as f64 / of.max(1) as f64;
    Sizes {
        made: each(made, states),
        sent: each(sent, states),
        sent_bytes: each(bytes as usize, sent),
        stored_bytes: stored / layer.len().max(1) as f64,
    }
}

/// The bytes of some states in rising order, as they are written for each machine.
fn written<C: Code>(states: &[C], hosts: usize) -> u64 {
    let mut rows = vec![C::LEAST; hosts];
    let (mut bytes, mut buffer) = (0, Vec::new());
    for &state in states {
        let before = &mut rows[state.share(hosts)];
        buffer.clear();
        state.write(*before, &mut buffer);
        bytes += buffer.len() as u64;
        *before = state;
    }
    bytes
}
