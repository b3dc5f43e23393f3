//! The validated puzzle: places, labels, generators, a start and a solved position.

use super::images::{Place, power_of};
use super::layout::DrawingLayout;
use std::collections::HashSet;

/// A label, by number: labels with the same name are interchangeable.
pub(super) type Label = u16;

/// The greatest number of places that a scramble may map, over all its moves.
pub(super) const MOST_SCRAMBLE_WORK: u64 = 1 << 30;

/// The greatest number of places.
pub(super) const MOST_PLACES: usize = 65_535;

/// The greatest number of solved arrangements, and of their labels together.
pub(super) const MOST_ARRANGEMENTS: usize = 4096;
pub(super) const MOST_ARRANGED: usize = 1 << 22;

/// The greatest number of generators: there is a table of all pairs.
pub(super) const MOST_GENERATORS: usize = 1024;

/// The greatest number of moves, and of places in the table of all moves' images.
pub(super) const MOST_MOVES: u64 = 65_535;
pub(super) const MOST_IMAGES: u64 = 1 << 27;

/// The metric: the permutations that count as one move.
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

/// A generator of the group.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub name: String,
    /// For each place, the place that its label moves to.
    pub image: Vec<Place>,
    /// The order of the permutation; at most `u64::MAX`.
    pub order: u64,
}

/// A move: a power of a generator, at least 1 and less than its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    pub generator: usize,
    pub power: u64,
}

/// A validated puzzle, with at least one place and one generator.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// The names of the labels, by number.
    pub labels: Vec<String>,
    /// The colours of the labels, if the file has any.
    pub colors: Vec<Option<[u8; 3]>>,
    /// True if positions are written as a string, with a letter for each place.
    pub textual: bool,
    /// The goal label of each place, in the first solved arrangement.
    pub solved: Vec<Label>,
    /// The further arrangements of the file that are solved, too.
    pub others: Vec<Vec<Label>>,
    /// Turns of the whole puzzle: an arrangement that products of them make from a solved one is solved.
    pub rotations: Vec<Vec<Place>>,
    /// The start label of each place.
    pub start: Vec<Label>,
    pub generators: Vec<Generator>,
    pub metric: Metric,
    pub layout: Option<DrawingLayout>,
    /// The groups of places of the pattern databases, if the file has any.
    pub groups: Option<Vec<Vec<Place>>>,
}

impl Setup {
    /// Returns the number of places.
    pub fn places(&self) -> usize {
        self.solved.len()
    }

    /// Returns all solved arrangements, each once, the first one first. Returns `None` if there are too many.
    pub fn arrangements(&self) -> Option<Vec<Vec<Label>>> {
        let mut all: Vec<Vec<Label>> = Vec::new();
        let mut known = HashSet::new();
        let mut add = |arrangement: Vec<Label>, all: &mut Vec<Vec<Label>>| {
            if known.insert(arrangement.clone()) {
                all.push(arrangement);
            }
            all.len() <= MOST_ARRANGEMENTS && all.len() * self.places() <= MOST_ARRANGED.max(self.places())
        };
        for arrangement in std::iter::once(&self.solved).chain(&self.others) {
            if !add(arrangement.clone(), &mut all) {
                return None;
            }
        }
        let mut next = 0;
        while next < all.len() {
            for rotation in &self.rotations {
                let turned = Setup::moved(&all[next], rotation);
                if !add(turned, &mut all) {
                    return None;
                }
            }
            next += 1;
        }
        Some(all)
    }

    /// Returns the moves, generator by generator: `T`, `T2`, … and `T'` last.
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

    /// Returns the notation of a move.
    pub fn written(&self, Power { generator, power }: Power) -> String {
        let Generator { name, order, .. } = &self.generators[generator];
        match power {
            1 => name.clone(),
            _ if power == order - 1 => format!("{name}'"),
            _ => format!("{name}{power}"),
        }
    }

    /// Returns the permutation of a move.
    pub fn image(&self, Power { generator, power }: Power) -> Vec<Place> {
        power_of(&self.generators[generator].image, power)
    }

    /// Returns a position after a permutation: the label of a place moves to its image.
    pub fn moved(position: &[Label], image: &[Place]) -> Vec<Label> {
        let mut moved = vec![0; position.len()];
        for (label, &to) in position.iter().zip(image) {
            moved[usize::from(to)] = *label;
        }
        moved
    }
}
