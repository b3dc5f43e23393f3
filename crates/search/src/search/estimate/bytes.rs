//! Measures the sizes of states in files and of children in messages, on a counted layer that is partitioned like the
//! layers of several machines.

use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;

/// Children sent in one batch, approximately.
const BATCH: usize = 1 << 16;
/// The number of children after which measuring ends.
const SAMPLE: usize = 1 << 18;
/// States expanded by one call.
const SLICE: usize = 256;

/// Bytes per state for its share of the block header.
const BLOCK_BYTES: f64 = 12.0 / 1024.0;

/// Averages per state of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Generated children.
    pub children: f64,
    /// Children sent, without duplicates within a batch.
    pub sent: f64,
    /// Bytes per child sent.
    pub sent_bytes: f64,
    /// Bytes of the state on disk.
    pub stored_bytes: f64,
}

/// Measures a sorted layer that is partitioned among `hosts` machines.
pub(super) fn sizes<C: Code>(graph: &dyn CodeGraph<C>, layer: &[C], hosts: usize) -> Sizes {
    let stored = layer.len() as f64 * BLOCK_BYTES + encoded_size(layer, hosts) as f64;
    let mut by_host: Vec<Vec<C>> = vec![Vec::new(); hosts.min(layer.len())];
    for &state in layer {
        let host = state.share(hosts);
        // With very many machines, a subset is enough.
        if let Some(own) = by_host.get_mut(host) {
            own.push(state);
        }
    }
    let (mut states, mut generated, mut sent, mut bytes) = (0, 0, 0, 0);
    let mut children = Vec::new();
    'enough: for own in by_host {
        let mut slices = own.chunks(SLICE).peekable();
        while let Some(slice) = slices.next() {
            graph.children(slice, &mut children);
            states += slice.len();
            if children.len() >= BATCH || slices.peek().is_none() {
                generated += children.len();
                children.sort_unstable();
                children.dedup();
                sent += children.len();
                bytes += encoded_size(&children, hosts);
                children.clear();
                if generated >= SAMPLE {
                    break 'enough;
                }
            }
        }
    }
    let each = |number: usize, of: usize| number as f64 / of.max(1) as f64;
    Sizes {
        children: each(generated, states),
        sent: each(sent, states),
        sent_bytes: each(bytes as usize, sent),
        stored_bytes: stored / layer.len().max(1) as f64,
    }
}

/// Returns the encoded size of some sorted states, with a separate delta code for each machine.
fn encoded_size<C: Code>(states: &[C], hosts: usize) -> u64 {
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
