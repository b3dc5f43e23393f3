//! A puzzle of permutations as its file means it: places, labels, generators, a start and a solved position.

use super::layout::Layout;

/// A place, counted from 0.
pub(super) type Place = u16;

/// A label, by its number: labels that are written alike are interchangeable.
pub(super) type Label = u16;

/// The most places that a scramble may look at, over all its moves.
pub(super) const MOST_WALKED: u64 = 1 << 30;

/// The most places.
pub(super) const MOST_PLACES: usize = 65_535;

/// The most generators: what is known of pairs of them is a table.
pub(super) const MOST_GENERATORS: usize = 1024;

/// The most moves, and the most places of all moves together, which are a table.
pub(super) const MOST_MOVES: u64 = 65_535;
pub(super) const MOST_IMAGES: u64 = 1 << 27;

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// A generator or any power of it.
    Power,
    /// A generator or its inverse.
    Generator,
}

impl Metric {
    pub fn name(self) -> &'static str {
        match self {
            Metric::Power => "power",
            Metric::Generator => "generator",
        }
    }
}

/// A permutation that moves are made of.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub name: String,
    /// By place, where what stands there goes.
    pub image: Vec<Place>,
    /// How often it is to be made until everything is back; at most `u64::MAX`.
    pub order: u64,
}

/// One move: a power of a generator, at least 1 and less than its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    pub generator: usize,
    pub power: u64,
}

/// A puzzle, validated; at least one place and one generator.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// The labels as they are written, by number.
    pub labels: Vec<String>,
    /// By number, the colours of those that the file gives one.
    pub colors: Vec<Option<[u8; 3]>>,
    /// Whether positions are written as a string, a letter for each place.
    pub textual: bool,
    /// By place, the label that belongs there.
    pub solved: Vec<Label>,
    /// By place, the label that starts there.
    pub start: Vec<Label>,
    pub generators: Vec<Generator>,
    pub metric: Metric,
    pub layout: Option<Layout>,
    /// The groups of places of the pattern databases, where the file gives them.
    pub groups: Option<Vec<Vec<Place>>>,
}

impl Setup {
    /// The number of places.
    pub fn places(&self) -> usize {
        self.solved.len()
    }

    /// The moves, generator by generator: `T`, `T2`, … and `T'` last.
    pub fn moves(&self) -> impl Iterator<Item = Power> {
        self.generators.iter().enumerate().flat_map(|(generator, Generator { order, .. })| {
            let inverse = order - 1;
            let (powers, last) = match self.metric {
                Metric::Power => (1..inverse, Some(inverse)),
                Metric::Generator => (1..inverse.min(2), Some(inverse)),
            };
            powers.chain(last).map(move |power| Power { generator, power })
        })
    }

    /// A move as it is written.
    pub fn written(&self, Power { generator, power }: Power) -> String {
        let Generator { name, order, .. } = &self.generators[generator];
        match power {
            1 => name.clone(),
            _ if power == order - 1 => format!("{name}'"),
            _ => format!("{name}{power}"),
        }
    }

    /// The permutation of a power.
    pub fn image(&self, Power { generator, power }: Power) -> Vec<Place> {
        power_of(&self.generators[generator].image, power)
    }

    /// A position after a permutation: what stands at a place goes to its image.
    pub fn moved(position: &[Label], image: &[Place]) -> Vec<Label> {
        let mut moved = vec![0; position.len()];
        for (label, &to) in position.iter().zip(image) {
            moved[usize::from(to)] = *label;
        }
        moved
    }
}

/// One permutation after another.
pub(super) fn then(first: &[Place], second: &[Place]) -> Vec<Place> {
    first.iter().map(|&place| second[usize::from(place)]).collect()
}

pub(super) fn inverse(image: &[Place]) -> Vec<Place> {
    let mut inverse = vec![0; image.len()];
    for (from, &to) in image.iter().enumerate() {
        inverse[usize::from(to)] = from as Place;
    }
    inverse
}

/// The permutation that leaves everything where it is.
pub(super) fn identity(places: usize) -> Vec<Place> {
    (0..places).map(|place| place as Place).collect()
}

/// A power of a permutation, cycle by cycle.
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

/// The order of a permutation; `u64::MAX` stands for itself and all beyond.
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

/// The cycles of a permutation, those of one place included, by their first places.
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
