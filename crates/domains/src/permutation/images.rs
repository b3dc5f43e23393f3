//! Permutations of places as images: for each place, the place that its label moves to.

/// A place, counted from 0.
pub(super) type Place = u16;

/// Returns the composition of two permutations: `first`, then `second`.
pub(super) fn compose(first: &[Place], second: &[Place]) -> Vec<Place> {
    first.iter().map(|&place| second[usize::from(place)]).collect()
}

pub(super) fn inverse(image: &[Place]) -> Vec<Place> {
    let mut inverse = vec![0; image.len()];
    for (from, &to) in image.iter().enumerate() {
        inverse[usize::from(to)] = from as Place;
    }
    inverse
}

/// Returns the identity.
pub(super) fn identity(places: usize) -> Vec<Place> {
    (0..places).map(|place| place as Place).collect()
}

/// Returns a power of a permutation, computed cycle by cycle.
pub(super) fn power_of(image: &[Place], power: u64) -> Vec<Place> {
    let mut powered = vec![0; image.len()];
    for cycle in cycles(image) {
        let shift = (power % cycle.len() as u64) as usize;
        for (number, &place) in cycle.iter().enumerate() {
            powered[usize::from(place)] = cycle[(number + shift) % cycle.len()];
        }
    }
    powered
}

/// Returns the order of a permutation; `u64::MAX` also stands for all greater orders.
pub(super) fn order(image: &[Place]) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    cycles(image).fold(1, |order: u64, cycle| {
        let length = cycle.len() as u64;
        (order / gcd(order, length)).saturating_mul(length)
    })
}

/// Returns the cycles of a permutation, with those of length one, ordered by their first places.
pub(super) fn cycles(image: &[Place]) -> impl Iterator<Item = Vec<Place>> {
    let mut seen = vec![false; image.len()];
    (0..image.len()).filter_map(move |first| {
        let mut cycle = Vec::new();
        let mut place = first;
        while !std::mem::replace(&mut seen[place], true) {
            cycle.push(place as Place);
            place = usize::from(image[place]);
        }
        Some(cycle).filter(|cycle| !cycle.is_empty())
    })
}
