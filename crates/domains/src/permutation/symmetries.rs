//! Symmetries of a puzzle: permutations of its places that map moves to moves. A symmetry σ maps a move m to σ m σ⁻¹,
//! and a position p, as a permutation of the places, to σ p σ⁻¹, which is as far from the solved position as p.
//!
//! A symmetry is found from the images of the generators: these determine it, up to permutations that commute with
//! every move and so map each position to itself. One of them is enough.

use super::images::{Place, compose, cycles, identity, inverse, order};
use super::model::Model;
use std::collections::HashMap;

/// The greatest number of moves and of places of a puzzle whose symmetries are searched.
const MOST_MOVES: usize = 64;
const MOST_PLACES: usize = 255;

/// The greatest number of choices of images that are tried.
const MOST_CHOICES: usize = 1 << 16;

/// The greatest number of symmetries.
pub(super) const MOST_SYMMETRIES: usize = 255;

/// A symmetry.
pub(super) struct Symmetry {
    /// For each place, its image.
    pub image: Vec<Place>,
    /// For each move, its image.
    pub moves: Vec<u16>,
}

/// Returns the group of symmetries, the identity first. If the puzzle is too large, that is all.
pub(super) fn symmetries(model: &Model) -> Vec<Symmetry> {
    let same = || Symmetry {
        image: identity(model.places),
        moves: (0..model.moves.len()).map(|number| number as u16).collect(),
    };
    if model.moves.len() > MOST_MOVES || model.places > MOST_PLACES {
        return vec![same()];
    }
    let images: Vec<&Vec<Place>> = model.moves.iter().map(|each_move| &each_move.image).collect();
    let orders = images.iter().map(|one| images.iter().map(|other| order(&compose(one, other))).collect());
    let mut search = Search {
        model,
        numbers: (0..).zip(&images).map(|(number, &image)| (image.clone(), number)).collect(),
        cycles: images.iter().map(|image| cycle_type(image)).collect(),
        orders: orders.collect(),
        firsts: first_moves(model),
        choices: 0,
        found: vec![same()],
    };
    search.choose(&mut Vec::new());
    if search.choices > MOST_CHOICES || search.found.len() > MOST_SYMMETRIES {
        search.found.truncate(1);
    }
    search.found
}

/// Returns the first move of each generator: the generator itself.
pub(super) fn first_moves(model: &Model) -> Vec<usize> {
    let first = |generator| model.moves.iter().position(|each_move| usize::from(each_move.generator) == generator);
    (0..model.generators).filter_map(first).collect()
}

/// Returns the lengths of the cycles of a permutation, in ascending order.
fn cycle_type(image: &[Place]) -> Vec<usize> {
    let mut lengths: Vec<usize> = cycles(image).map(|cycle| cycle.len()).collect();
    lengths.sort_unstable();
    lengths
}

/// A search for the images of the generators.
struct Search<'a> {
    model: &'a Model,
    /// The number of each move, by the permutation.
    numbers: HashMap<Vec<Place>, u16>,
    /// The cycle type of each move.
    cycles: Vec<Vec<usize>>,
    /// The order of the product of each pair of moves.
    orders: Vec<Vec<u64>>,
    firsts: Vec<usize>,
    choices: usize,
    found: Vec<Symmetry>,
}

impl Search<'_> {
    /// Chooses the images of the generators after the first ones in all possible ways.
    fn choose(&mut self, chosen: &mut Vec<usize>) {
        let Some(&generator) = self.firsts.get(chosen.len()) else {
            let symmetry = self.conjugator(chosen).and_then(|image| self.symmetry(image));
            // The identity is there already.
            self.found.extend(symmetry.filter(|symmetry| symmetry.moves != self.found[0].moves));
            return;
        };
        for image in 0..self.model.moves.len() {
            let inverse = |number: usize| usize::from(self.model.moves[number].inverse);
            let suits = |(&other, &other_image): (&usize, &usize)| {
                self.model.moves[other_image].generator != self.model.moves[image].generator
                    && self.orders[other][generator] == self.orders[other_image][image]
                    && self.orders[other][inverse(generator)] == self.orders[other_image][inverse(image)]
            };
            if self.cycles[generator] != self.cycles[image] || !self.firsts.iter().zip(&*chosen).all(suits) {
                continue;
            }
            self.choices += 1;
            if self.choices > MOST_CHOICES || self.found.len() > MOST_SYMMETRIES {
                return;
            }
            chosen.push(image);
            self.choose(chosen);
            chosen.pop();
        }
    }

    /// Returns a permutation of the places that maps each generator to its chosen image.
    fn conjugator(&self, chosen: &[usize]) -> Option<Vec<Place>> {
        let mut conjugator = vec![None; self.model.places];
        let mut taken = vec![false; self.model.orbits.len()];
        for orbit in &self.model.orbits {
            let mut mapped = None;
            for (number, other) in self.model.orbits.iter().enumerate() {
                if taken[number] || (other.blocks, other.size) != (orbit.blocks, orbit.size) {
                    continue;
                }
                let mut images = other.first..other.first + other.blocks * other.size;
                mapped = images.find_map(|image| self.orbit_map(orbit.first, image, chosen));
                if mapped.is_some() {
                    taken[number] = true;
                    break;
                }
            }
            mapped?.into_iter().for_each(|(place, image)| conjugator[usize::from(place)] = Some(image));
        }
        conjugator.into_iter().collect()
    }

    /// Returns the map from the orbit of a place to that of its image which maps generators to their images.
    fn orbit_map(&self, first: usize, image: usize, chosen: &[usize]) -> Option<HashMap<Place, Place>> {
        let mut map = HashMap::from([(first as Place, image as Place)]);
        let mut frontier = vec![first as Place];
        while let Some(place) = frontier.pop() {
            for (&generator, &other) in self.firsts.iter().zip(chosen) {
                let to = self.model.moves[generator].image[usize::from(place)];
                let image = self.model.moves[other].image[usize::from(map[&place])];
                match map.insert(to, image) {
                    None => frontier.push(to),
                    Some(known) if known != image => return None,
                    Some(_) => {}
                }
            }
        }
        Some(map)
    }

    /// Returns the symmetry, if all images of moves are moves.
    fn symmetry(&self, image: Vec<Place>) -> Option<Symmetry> {
        let back = inverse(&image);
        let conjugate = |each_move: &super::model::Move| compose(&compose(&back, &each_move.image), &image);
        let moves = self.model.moves.iter().map(|each_move| self.numbers.get(&conjugate(each_move)).copied());
        Some(Symmetry { moves: moves.collect::<Option<_>>()?, image })
    }
}
