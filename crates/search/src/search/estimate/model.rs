//! A model of exploration by several machines: a pure calculation, without measuring or lookups.
//!
//! Every state is expanded once, by the machine that owns it. Each child owned by another machine is sent there before
//! anyone knows whether it is new. Machines synchronize after every layer, so the slowest one determines the time.

/// States with this many consecutive codes belong to the same machine.
pub(super) const RUN: f64 = 64.0;

/// Machines, with one process each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machines {
    /// The number of machines; at least 1.
    pub hosts: u32,
    /// The worker threads on each; at least 1.
    pub workers: u32,
    /// The sending bandwidth of a machine, in bits per second.
    pub bandwidth: f64,
    /// The synchronization time at the end of a layer, in seconds.
    pub pause: f64,
}

/// Resources per state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// States that a worker expands per second, including all work for their children.
    pub per_second: f64,
    /// Children sent per state, to this machine and others, without duplicates within a batch.
    pub sent: f64,
    /// Bytes per child sent.
    pub sent_bytes: f64,
    /// Bytes per state in a layer of `reference` states on disk, if the layer is partitioned.
    pub stored_bytes: f64,
    /// The size of the layer in which that was measured.
    pub reference: f64,
}

/// The layers of an exploration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk<'a> {
    /// The number of states of each layer.
    pub layers: &'a [f64],
    /// The number of states of the layer beyond the last requested one, which is generated to detect that there is
    /// more: 0 at the end of the space.
    pub beyond: f64,
    /// Passes over all layers: one from the start, and one from the goals if the whole space is explored.
    pub walks: u32,
}

/// The resources of an exploration. Figures for one machine are those of the machine with the largest share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Seconds spent expanding.
    pub compute: f64,
    /// Seconds spent sending.
    pub network: f64,
    /// Seconds spent synchronizing at the ends of layers.
    pub pauses: f64,
    /// Bytes that a machine sends.
    pub sent_by_host: f64,
    /// Bytes that all machines send.
    pub sent: f64,
    /// The maximum size of files on one machine, in bytes.
    pub disk_of_host: f64,
    /// The maximum size of files on all machines, in bytes.
    pub disk: f64,
}

impl Needs {
    /// Returns the total seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.compute + self.network + self.pauses
    }
}

/// Returns the resources of an exploration on some machines.
#[must_use]
pub fn needs(walk: Walk, rates: Rates, machines: Machines) -> Needs {
    let hosts = f64::from(machines.hosts);
    let walks = f64::from(walk.walks);
    let expanded: f64 = walk.layers.iter().map(|&layer| share(layer, hosts)).sum();
    let states: f64 = walk.layers.iter().sum();
    let away = rates.sent * (hosts - 1.0) / hosts * rates.sent_bytes;
    let sent_by_host = walks * expanded * away;
    let disk = disk(walk, rates);
    // A machine's share of the states is also its share of the bytes.
    let uneven = if states > 0.0 { expanded / states } else { 1.0 / hosts };
    Needs {
        compute: walks * expanded / (f64::from(machines.workers) * rates.per_second),
        network: sent_by_host * 8.0 / machines.bandwidth,
        pauses: walks * walk.layers.len() as f64 * machines.pause,
        sent_by_host,
        sent: walks * states * away,
        disk_of_host: disk * uneven,
        disk,
    }
}

/// Returns the expected maximum number of states of a layer on one of `hosts` machines. States of a run stay together,
/// and the maximum of sums of independent runs exceeds their mean by about this much (tail of a normal distribution).
#[must_use]
pub fn share(layer: f64, hosts: f64) -> f64 {
    let mean = layer / hosts;
    (mean + (2.0 * hosts.ln() * RUN * mean).sqrt()).min(layer)
}

/// Returns the maximum size of the files. Layers from the start are kept; while one is generated, so are the children
/// of the last, and the pass from the goals needs two layers of its own.
fn disk(walk: Walk, rates: Rates) -> f64 {
    let stored = |layer: f64| layer * layer_bytes(layer, rates);
    let children = |layer: f64| layer * rates.sent * rates.sent_bytes;
    let after = |depth: usize| walk.layers.get(depth + 1).copied().unwrap_or(walk.beyond);
    let (mut kept, mut most, mut most_back) = (0.0, 0.0_f64, 0.0_f64);
    let mut before = 0.0;
    for (depth, &layer) in walk.layers.iter().enumerate() {
        kept += stored(layer);
        let generated = children(layer) + stored(after(depth));
        most = most.max(kept + generated);
        most_back = most_back.max(before + stored(layer) + generated);
        before = stored(layer);
    }
    if walk.walks > 1 { most.max(kept + most_back) } else { most }
}

/// Returns the bytes per state in a layer on disk. Codes are stored as differences, seven bits per byte: more states in
/// the same range have smaller differences; but no state takes less than a byte.
#[must_use]
pub fn layer_bytes(layer: f64, rates: Rates) -> f64 {
    let denser = (layer.max(1.0) / rates.reference.max(1.0)).log2().max(0.0);
    (rates.stored_bytes - denser / 7.0).max(1.0 + BLOCK_BYTES).min(rates.stored_bytes.max(1.0 + BLOCK_BYTES))
}

/// Bytes per state for its share of the block header.
pub(super) const BLOCK_BYTES: f64 = 12.0 / 1024.0;

/// The maximum number of assumed layers.
const MAX_LAYERS: usize = 100_000;

/// Returns plausible sizes for the layers after the last known one, which is `ratio` times as large as the one before
/// it, if `rest` states are left. The logarithms of the sizes lie on a parabola that continues the growth, and the
/// sizes add up to the rest.
#[must_use]
pub fn shape(last: f64, ratio: f64, rest: f64) -> Vec<f64> {
    let layer = |bend: f64, number: usize| {
        let number = number as f64;
        (last.ln() + number * ratio.ln() - bend * number * number).exp()
    };
    // Until the layers vanish, or exceed the maximum.
    let layers = |bend: f64, most: f64| {
        let mut sum = 0.0;
        let fits = |&states: &f64| {
            sum += states;
            states >= 0.5 && sum <= most
        };
        (1..MAX_LAYERS).map(|number| layer(bend, number)).take_while(fits).collect::<Vec<f64>>()
    };
    let is_room = last >= 1.0 && rest >= 1.0 && ratio > 1.0;
    // If layers already shrink there is no such parabola; then they keep the size of the last.
    if !is_room {
        let count = (rest / last.max(1.0)).ceil().clamp(0.0, MAX_LAYERS as f64);
        return vec![rest / count.max(1.0); count as usize];
    }
    // A smaller curvature gives more states: 2^-40 is practically none, 2^6 leaves none.
    let (mut least, mut greatest) = (-40.0_f64, 6.0_f64);
    for _ in 0..100 {
        let middle = f64::midpoint(least, greatest);
        if layers(middle.exp2(), f64::MAX.min(rest * 2.0)).iter().sum::<f64>() > rest {
            least = middle;
        } else {
            greatest = middle;
        }
    }
    let mut shape = layers(greatest.exp2(), f64::MAX);
    let sum: f64 = shape.iter().sum();
    if sum < 0.5 {
        return vec![rest];
    }
    shape.iter_mut().for_each(|states| *states *= rest / sum);
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates { per_second: 1e6, sent: 3.0, sent_bytes: 2.0, stored_bytes: 2.0, reference: 1e6 };

    fn machines(hosts: u32) -> Machines {
        Machines { hosts, workers: 4, bandwidth: 1e9, pause: 0.01 }
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= expected.abs() * 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn one_machine_sends_nothing() {
        let walk = Walk { layers: &[1.0, 3.0, 4e6], beyond: 0.0, walks: 1 };
        let needs = needs(walk, RATES, machines(1));
        close(needs.compute, 4_000_004.0 / 4e6);
        close(needs.pauses, 0.03);
        assert_eq!((needs.network, needs.sent, needs.sent_by_host), (0.0, 0.0, 0.0));
        assert_eq!(needs.disk, needs.disk_of_host);
        close(needs.seconds(), needs.compute + needs.pauses);
    }

    #[test]
    fn machines_share_the_work_and_send_the_children_of_others() {
        let layers = [1e12];
        let walk = Walk { layers: &layers, beyond: 0.0, walks: 1 };
        let ten = needs(walk, RATES, machines(10));
        assert!((1e11 / 4e6..1.001e11 / 4e6).contains(&ten.compute), "{ten:?}");
        close(ten.sent, 1e12 * 3.0 * 0.9 * 2.0);
        close(ten.network, ten.sent_by_host * 8.0 / 1e9);
        assert!(
            (ten.sent / 10.0..ten.sent / 9.9).contains(&ten.sent_by_host),
            "the machine with the largest share sends a little more"
        );
        let back = needs(Walk { walks: 2, ..walk }, RATES, machines(10));
        close(back.compute, 2.0 * ten.compute);
        close(back.sent, 2.0 * ten.sent);
        assert!(back.disk > ten.disk, "the pass from the goals has layers of its own");
    }

    #[test]
    fn small_layers_are_uneven_and_no_machine_has_more_than_there_is() {
        close(share(100.0, 1.0), 100.0);
        assert_eq!(share(1.0, 100.0), 1.0);
        assert!(share(1e4, 10.0) > 1.3e3, "157 runs do not share out evenly");
        assert!(share(1e12, 10.0) < 1.001e11);
    }

    #[test]
    fn disk_use_includes_the_children_of_the_current_layer() {
        // Each state takes 2 bytes in layers of up to 10^6 of them; a sent child takes 2 bytes, three children per
        // state.
        let all = needs(Walk { layers: &[10.0, 100.0, 20.0], beyond: 0.0, walks: 1 }, RATES, machines(1));
        close(all.disk, (10.0 + 100.0) * 2.0 + 100.0 * 6.0 + 20.0 * 2.0);
        let cut = needs(Walk { layers: &[10.0, 100.0], beyond: 500.0, walks: 1 }, RATES, machines(1));
        close(cut.disk, 110.0 * 2.0 + 100.0 * 6.0 + 500.0 * 2.0);
    }

    #[test]
    fn denser_layers_take_less_and_never_less_than_a_byte() {
        close(layer_bytes(1e3, RATES), 2.0);
        close(layer_bytes(1.28e8, RATES), 1.0 + BLOCK_BYTES);
        assert!((1.55..1.65).contains(&layer_bytes(1.6e7, Rates { stored_bytes: 2.175, ..RATES })));
        close(layer_bytes(1e20, RATES), 1.0 + BLOCK_BYTES);
    }

    #[test]
    fn assumed_layers_add_up_to_the_rest_and_continue_from_the_last_one() {
        for (last, ratio, rest) in
            [(1e6, 2.1, 1e13), (8e8, 9.34, 4.3e19), (1e6, 1.01, 1e7), (5.0, 3.0, 4.0), (1e6, 0.5, 3e6)]
        {
            let shape = shape(last, ratio, rest);
            close(shape.iter().sum(), rest);
            assert!(shape.len() < 1000 && shape.iter().all(|&states| states > 0.0), "{last} {ratio} {rest}: {shape:?}");
        }
        assert!(shape(1e6, 2.1, 1e13)[0] > 1.9e6, "the growth continues");
        assert!(shape(1e6, 2.0, 0.0).is_empty());
    }
}
