//! A stabiliser chain (Schreier–Sims): the order of a permutation group and membership in it (Sims 1970).
//!
//! Each level has a base point, the orbit of this point under the group of the level, and for each place of the orbit a
//! permutation that maps the point to it. The next level is the stabiliser of the point. So each permutation of the
//! group is a unique product of one permutation of every level, and the order of the group is the product of the
//! orbits' lengths. Every place is the point of a level, in a given order, so that the orbits depend only on the group.
//!
//! The chain is filled with random products of the generators until many in a row are members already (Leon 1980). Then
//! it is proven complete: either its order is the greatest that a group with these orbits and parities can have, or all
//! Schreier generators are members (Schreier's lemma). If this takes too much work, there is no chain.

use super::images::{Place, compose, identity, inverse};
use super::number::Number;
use crate::domain::{BuildContext, SplitMix64};

/// The number of random products in a row that must be members before the proof begins.
const TRIALS: u32 = 24;

/// The greatest number of places of a group that gets a chain.
const MOST_PLACES: usize = 1024;

/// The greatest total number of places in all stored permutations.
const MOST_STORED: usize = 1 << 25;

/// The number of stored places between two checks of the remaining memory.
const CHECK_EVERY: usize = 1 << 20;

/// The greatest number of places that may be mapped to build and prove a chain.
const MOST_WORK: u64 = 1_000_000_000;

/// A group as a stabiliser chain.
pub(super) struct Chain {
    places: usize,
    pub levels: Vec<Level>,
    /// A strong generating set: it generates the group and the groups of all levels.
    strong: Vec<Vec<Place>>,
    stored: usize,
    work: u64,
}

/// The pointwise stabiliser of the points of all earlier levels.
pub(super) struct Level {
    /// The base point.
    pub point: Place,
    /// The orbit of the point, which comes first.
    pub orbit: Vec<Place>,
    /// For each place, its number in the orbit.
    number: Vec<u16>,
    /// For each place of the orbit, the permutation that maps it back to the point.
    inverse_representatives: Vec<Vec<Place>>,
    /// The strong generators of this level, as numbers.
    generators: Vec<usize>,
}

/// The number of a place outside the orbit.
const NOT_IN_ORBIT: u16 = u16::MAX;

impl Chain {
    /// Returns the chain of the group that the permutations generate. `points` is a permutation of all places. Returns
    /// `None` if it takes too much work or is stopped.
    pub fn new(places: usize, generators: &[Vec<Place>], points: &[Place], context: &BuildContext) -> Option<Chain> {
        if places > MOST_PLACES {
            return None;
        }
        let levels = points.iter().map(|&point| Level::new(point, places)).collect();
        let mut chain = Chain { places, levels, strong: Vec::new(), stored: 0, work: 0 };
        for generator in generators {
            chain.include(generator.clone(), context)?;
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
            slots[one] = compose(&slots[one], &factor);
            product = compose(&product, &slots[one]);
            chain.work += 4 * places as u64;
            product.clone()
        };
        for _ in 0..50 {
            step(&mut chain);
        }
        let mut found = 0;
        while found < TRIALS {
            let element = step(&mut chain);
            found = if chain.include(element, context)? { 0 } else { found + 1 };
        }
        let has_greatest_order = chain.has_greatest_order(generators);
        while !has_greatest_order && !chain.check_schreier_generators(context)? {}
        Some(chain)
    }

    /// Returns the order of the group.
    pub fn order(&self) -> Number {
        Number::product(self.levels.iter().map(|level| level.orbit.len() as u64))
    }

    /// Sifts a permutation through the levels: returns the residue, and the first level that does not contain it.
    fn sift(&mut self, mut element: Vec<Place>) -> (Vec<Place>, usize) {
        for (number, level) in self.levels.iter().enumerate() {
            let at = level.number[usize::from(element[usize::from(level.point)])];
            if at == NOT_IN_ORBIT {
                return (element, number);
            }
            if at != 0 {
                self.work += self.places as u64;
                element = compose(&element, &level.inverse_representatives[usize::from(at)]);
            }
        }
        (element, self.levels.len())
    }

    /// Adds a permutation to the group, and returns whether it is new. Returns `None` if it takes too much work or is
    /// stopped.
    fn include(&mut self, element: Vec<Place>, context: &BuildContext) -> Option<bool> {
        let (rest, level) = self.sift(element);
        if level == self.levels.len() {
            return Some(false);
        }
        self.strong.push(rest);
        for level in 0..=level {
            self.levels[level].generators.push(self.strong.len() - 1);
            self.extend_orbit(level, context)?;
        }
        Some(true)
    }

    /// Extends the orbit of a level by its newest generator.
    fn extend_orbit(&mut self, level: usize, context: &BuildContext) -> Option<()> {
        let stored = self.stored;
        let Level { orbit, number, inverse_representatives, generators, .. } = &mut self.levels[level];
        let old = orbit.len();
        let mut next = 0;
        while next < orbit.len() {
            let place = orbit[next];
            // Earlier places of the orbit have been mapped by all generators but the newest.
            let new = if next < old { &generators[generators.len() - 1..] } else { &generators[..] };
            for &generator in new {
                let image = &self.strong[generator];
                let to = image[usize::from(place)];
                if number[usize::from(to)] == NOT_IN_ORBIT {
                    number[usize::from(to)] = orbit.len() as u16;
                    orbit.push(to);
                    let mut permuted = vec![0; self.places];
                    for (from, &to) in image.iter().enumerate() {
                        permuted[usize::from(to)] = inverse_representatives[next][from];
                    }
                    inverse_representatives.push(permuted);
                    self.stored += self.places;
                    self.work += self.places as u64;
                }
            }
            next += 1;
        }
        let fits = stored / CHECK_EVERY == self.stored / CHECK_EVERY || context.fits(0);
        (self.stored <= MOST_STORED && self.work <= MOST_WORK && fits && !context.should_stop()).then_some(())
    }

    /// Returns whether the group contains all permutations with its orbits and the parities of the generators.
    fn has_greatest_order(&self, generators: &[Vec<Place>]) -> bool {
        let orbits = orbits(self.places, generators);
        let sizes: Vec<u64> = orbits.iter().map(|orbit| orbit.len() as u64).filter(|&size| size > 1).collect();
        if sizes.len() > 64 {
            return false;
        }
        // The parities of a generator: one bit for each orbit, set if it is odd there. The group contains one half of
        // all permutations for each independent constraint.
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

    /// Returns whether all Schreier generators are members. If not, adds one of them. Returns `None` if it takes too
    /// much work or is stopped.
    fn check_schreier_generators(&mut self, context: &BuildContext) -> Option<bool> {
        // If a level moves nothing, its generators are those of the next level.
        for level in
            (0..self.levels.len()).rev().filter(|&level| self.levels[level].orbit.len() > 1).collect::<Vec<_>>()
        {
            for at in 0..self.levels[level].orbit.len() {
                for generator in 0..self.levels[level].generators.len() {
                    let Level { orbit, number, inverse_representatives, generators, .. } = &self.levels[level];
                    let image = &self.strong[generators[generator]];
                    let to = usize::from(number[usize::from(image[usize::from(orbit[at])])]);
                    // A Schreier generator: from the point to a place, by the generator to another place, and back to
                    // the point.
                    let mut element = vec![0; self.places];
                    for (from, &point) in inverse_representatives[at].iter().enumerate() {
                        element[usize::from(point)] = inverse_representatives[to][usize::from(image[from])];
                    }
                    self.work += 2 * self.places as u64;
                    if self.work > MOST_WORK || context.should_stop() {
                        return None;
                    }
                    if self.include(element, context)? {
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
        let mut number = vec![NOT_IN_ORBIT; places];
        number[usize::from(point)] = 0;
        Level {
            point,
            orbit: vec![point],
            number,
            inverse_representatives: vec![identity(places)],
            generators: Vec::new(),
        }
    }

    /// Returns the strong generators of this level.
    pub fn generators<'a>(&'a self, chain: &'a Chain) -> impl Iterator<Item = &'a Vec<Place>> {
        self.generators.iter().map(|&generator| &chain.strong[generator])
    }

    /// Returns the permutation that maps a place to the point, if the place is in the orbit.
    pub fn inverse_representative(&self, place: Place) -> Option<&[Place]> {
        self.inverse_representatives.get(usize::from(self.number[usize::from(place)])).map(|image| &image[..])
    }

    /// Returns the permutation that maps the point to a place of the orbit, by number.
    pub fn representative(&self, number: usize) -> Vec<Place> {
        inverse(&self.inverse_representatives[number])
    }
}

/// Returns the orbits of a group, ordered by their first places.
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
