//! A group of permutations by a chain of stabilisers: how large it is, and what is in it (Sims 1970).
//!
//! Each level has a point, the places to which the group of the level takes it, and for each of them one permutation
//! that does. The next level is the group that leaves the point where it is. So each permutation of the group is one
//! product of a permutation of every level, and the group is as large as the product of the levels' orbits. Every place
//! is the point of a level, in an order that is given, so that the orbits depend on nothing but the group.
//!
//! The chain is filled with random products of the generators until many of them are products of what is there already
//! (Leon 1980). Then it is proven: either it is as large as a group with these orbits and parities can be, or all of
//! Schreier's generators are products (Schreier's lemma). A group too large for that has no chain.

use super::number::Number;
use super::setup::{Place, identity, inverse, then};
use crate::domain::{Means, SplitMix64};

/// Random products that must be found in the chain, one after the other, before it is to be proven.
const TRIALS: u32 = 24;

/// The most places of a group that has a chain.
const MOST_PLACES: usize = 1024;

/// The most places that all permutations of the levels may have together.
const MOST_HELD: usize = 1 << 25;

/// How many more of them pass between two looks at what memory is left.
const LOOK_EVERY: usize = 1 << 20;

/// The most places that may be followed while it is made and proven.
const MOST_WORK: u64 = 1_000_000_000;

/// A group by its stabilisers.
pub(super) struct Chain {
    places: usize,
    pub levels: Vec<Level>,
    /// Permutations that make the group, and all groups of the levels.
    strong: Vec<Vec<Place>>,
    held: usize,
    work: u64,
}

/// The permutations that leave the points of all levels before where they are.
pub(super) struct Level {
    /// The point.
    pub point: Place,
    /// The places that it is taken to, itself first.
    pub orbit: Vec<Place>,
    /// By place, the number of it in the orbit.
    number: Vec<u16>,
    /// By number in the orbit, the permutation that takes the place back to the point.
    back: Vec<Vec<Place>>,
    /// The strong generators of this level, by number.
    generators: Vec<usize>,
}

/// What is not in an orbit.
const NONE: u16 = u16::MAX;

impl Chain {
    /// The chain of the group that some permutations make, with points in this order, which has all places; none where
    /// it is too much work, or its building is stopped.
    pub fn new(places: usize, generators: &[Vec<Place>], points: &[Place], means: &Means) -> Option<Chain> {
        if places > MOST_PLACES {
            return None;
        }
        let levels = points.iter().map(|&point| Level::new(point, places)).collect();
        let mut chain = Chain { places, levels, strong: Vec::new(), held: 0, work: 0 };
        for generator in generators {
            chain.include(generator.clone(), means)?;
        }
        // Product replacement (Celler et al. 1995), with a running product.
        let mut random = SplitMix64::new(0);
        let mut slots: Vec<Vec<Place>> = generators.iter().cycle().take(generators.len().max(10)).cloned().collect();
        let mut product = identity(places);
        let mut step = |chain: &mut Chain| {
            let one = random.below(slots.len() as u64) as usize;
            let mut other = random.below(slots.len() as u64 - 1) as usize;
            other += usize::from(other >= one);
            let factor = if random.below(2) == 0 { slots[other].clone() } else { inverse(&slots[other]) };
            slots[one] = then(&slots[one], &factor);
            product = then(&product, &slots[one]);
            chain.work += 4 * places as u64;
            product.clone()
        };
        for _ in 0..50 {
            step(&mut chain);
        }
        let mut found = 0;
        while found < TRIALS {
            let element = step(&mut chain);
            found = if chain.include(element, means)? { 0 } else { found + 1 };
        }
        let as_large = chain.is_as_large_as_can_be(generators);
        while !as_large && !chain.is_proven(means)? {}
        Some(chain)
    }

    /// How many permutations are in the group.
    pub fn order(&self) -> Number {
        Number::product(self.levels.iter().map(|level| level.orbit.len() as u64))
    }

    /// Takes a permutation through the levels: what is left of it, and the first level that it is not in.
    fn sift(&mut self, mut element: Vec<Place>) -> (Vec<Place>, usize) {
        for (number, level) in self.levels.iter().enumerate() {
            let at = level.number[usize::from(element[usize::from(level.point)])];
            if at == NONE {
                return (element, number);
            }
            if at != 0 {
                self.work += self.places as u64;
                element = then(&element, &level.back[usize::from(at)]);
            }
        }
        (element, self.levels.len())
    }

    /// Makes a permutation part of the group; whether it was not. None where it is too much work, or
    /// stopped.
    fn include(&mut self, element: Vec<Place>, means: &Means) -> Option<bool> {
        let (rest, level) = self.sift(element);
        if level == self.levels.len() {
            return Some(false);
        }
        self.strong.push(rest);
        for level in 0..=level {
            self.levels[level].generators.push(self.strong.len() - 1);
            self.spread(level, means)?;
        }
        Some(true)
    }

    /// Follows a new generator of a level through its orbit.
    fn spread(&mut self, level: usize, means: &Means) -> Option<()> {
        let held = self.held;
        let Level { orbit, number, back, generators, .. } = &mut self.levels[level];
        let old = orbit.len();
        let mut next = 0;
        while next < orbit.len() {
            let place = orbit[next];
            // What was there before has met all generators but the last.
            let new = if next < old { &generators[generators.len() - 1..] } else { &generators[..] };
            for &generator in new {
                let image = &self.strong[generator];
                let to = image[usize::from(place)];
                if number[usize::from(to)] == NONE {
                    number[usize::from(to)] = orbit.len() as u16;
                    orbit.push(to);
                    let mut taken = vec![0; self.places];
                    for (from, &to) in image.iter().enumerate() {
                        taken[usize::from(to)] = back[next][from];
                    }
                    back.push(taken);
                    self.held += self.places;
                    self.work += self.places as u64;
                }
            }
            next += 1;
        }
        let fits = held / LOOK_EVERY == self.held / LOOK_EVERY || means.fits(0);
        (self.held <= MOST_HELD && self.work <= MOST_WORK && fits && !means.is_over()).then_some(())
    }

    /// Whether the group is as large as the permutations of its orbits that have the parities of the generators.
    fn is_as_large_as_can_be(&self, generators: &[Vec<Place>]) -> bool {
        let orbits = orbits(self.places, generators);
        let sizes: Vec<u64> = orbits.iter().map(|orbit| orbit.len() as u64).filter(|&size| size > 1).collect();
        if sizes.len() > 64 {
            return false;
        }
        // By generator, a bit for each orbit in which it is odd; as many of them are independent.
        let orbits: Vec<&Vec<Place>> = orbits.iter().filter(|orbit| orbit.len() > 1).collect();
        let mut independent: Vec<u64> = Vec::new();
        for generator in generators {
            let mut parity = 0_u64;
            for (bit, orbit) in orbits.iter().enumerate() {
                let mut seen = vec![false; self.places];
                let mut swaps = 0;
                for &first in *orbit {
                    let mut place = first;
                    while !std::mem::replace(&mut seen[usize::from(place)], true) {
                        swaps += usize::from(place != first);
                        place = generator[usize::from(place)];
                    }
                }
                parity |= (swaps as u64 & 1) << bit;
            }
            for known in &independent {
                parity = parity.min(parity ^ known);
            }
            if parity != 0 {
                independent.push(parity);
                independent.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        let halved = (0..sizes.len() - independent.len()).fold(self.order(), |order, _| order.times(2));
        halved == Number::product(sizes.iter().flat_map(|&size| 2..=size))
    }

    /// Whether all of Schreier's generators are in the chain; if not, one more is now. None where it is too much work, or
    /// stopped.
    fn is_proven(&mut self, means: &Means) -> Option<bool> {
        // The generators of a level that moves nothing are those of the next.
        for level in
            (0..self.levels.len()).rev().filter(|&level| self.levels[level].orbit.len() > 1).collect::<Vec<_>>()
        {
            for at in 0..self.levels[level].orbit.len() {
                for generator in 0..self.levels[level].generators.len() {
                    let Level { orbit, number, back, generators, .. } = &self.levels[level];
                    let image = &self.strong[generators[generator]];
                    let to = usize::from(number[usize::from(image[usize::from(orbit[at])])]);
                    // From the point to a place, by the generator to another, and back to the point.
                    let mut element = vec![0; self.places];
                    for (from, &point) in back[at].iter().enumerate() {
                        element[usize::from(point)] = back[to][usize::from(image[from])];
                    }
                    self.work += 2 * self.places as u64;
                    if self.work > MOST_WORK || means.is_over() {
                        return None;
                    }
                    if self.include(element, means)? {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }
}

impl Level {
    fn new(point: Place, places: usize) -> Level {
        let mut number = vec![NONE; places];
        number[usize::from(point)] = 0;
        Level { point, orbit: vec![point], number, back: vec![identity(places)], generators: Vec::new() }
    }

    /// The strong generators of this level.
    pub fn generators<'a>(&'a self, chain: &'a Chain) -> impl Iterator<Item = &'a Vec<Place>> {
        self.generators.iter().map(|&generator| &chain.strong[generator])
    }

    /// The permutation that takes the point to a place of the orbit, by number.
    pub fn forth(&self, number: usize) -> Vec<Place> {
        inverse(&self.back[number])
    }
}

/// The orbits of a group: the places that it takes to each other, by their first places.
pub(super) fn orbits(places: usize, generators: &[Vec<Place>]) -> Vec<Vec<Place>> {
    let mut seen = vec![false; places];
    let mut orbits = Vec::new();
    for first in 0..places {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut orbit = vec![first as Place];
        let mut next = 0;
        while let Some(&place) = orbit.get(next) {
            next += 1;
            for generator in generators {
                let to = generator[usize::from(place)];
                if !std::mem::replace(&mut seen[usize::from(to)], true) {
                    orbit.push(to);
                }
            }
        }
        orbit.sort_unstable();
        orbits.push(orbit);
    }
    orbits
}
