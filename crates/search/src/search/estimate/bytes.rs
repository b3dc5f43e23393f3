//! Measures the bytes of a state in files and of its children in messages, on a counted layer that is distributed like
//! the layers of several machines.

use crate::search::disk::graph::CodeGraph;
use crate::search::disk::record::Code;

/// Children sent in one batch, approximately.
const BATCH: usize = 1 << 16;
/// The number of children after which measuring ends.
const SAMPLE: usize = 1 << 18;
/// States whose children show how many a state has.
const FEW: usize = 256;

/// Bytes per state for its share of the block header.
const BLOCK_BYTES: f64 = 12.0 / 1024.0;

/// Averages per state of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Bytes of the state on disk.
    pub stored: f64,
    /// Bytes of its children in messages, without duplicates within a batch.
    pub sent: f64,
}

/// Measures a sorted layer, which is not empty, distributed among `hosts` machines.
pub(super) fn sizes<C: Code>(graph: &dyn CodeGraph<C>, layer: &[C], hosts: usize) -> Sizes {
    let stored = BLOCK_BYTES + encoded_size(layer, hosts) as f64 / layer.len() as f64;
    let few = &layer[..layer.len().min(FEW)];
    let mut children = Vec::new();
    graph.children(few, &mut children);
    let of_children = |number: usize| (number * few.len() / children.len().max(1)).max(1);
    let (batch, most) = (of_children(BATCH), of_children(SAMPLE));
    let mut by_host = layer.to_vec();
    by_host.sort_by_cached_key(|state| state.share(hosts));
    let of_hosts = by_host.chunk_by(|one, other| one.share(hosts) == other.share(hosts));
    let (mut states, mut bytes) = (0, 0);
    for some in of_hosts.flat_map(|own| own.chunks(batch)) {
        let mut children = Vec::new();
        graph.children(some, &mut children);
        children.sort_unstable();
        children.dedup();
        states += some.len();
        bytes += encoded_size(&children, hosts);
        if states >= most {
            break;
        }
    }
    Sizes { stored, sent: bytes as f64 / states as f64 }
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
