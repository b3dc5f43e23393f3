//! Places that move together: the orbits of the places, and their followers.
//!
//! A place *follows* another if its image under every permutation of the group is determined by the image of the other:
//! the stickers of a piece follow each other. So the label of one place implies those of its followers. A label is
//! therefore refined to the labels of a place and its followers: if all pieces differ, each refined label occurs once,
//! however few colours there are.

use super::chain::orbits;
use super::images::Place;
use super::setup::Label;
use std::collections::HashMap;

/// The greatest number of places of a puzzle that is searched for followers.
const MOST_PLACES: usize = 1024;

/// The orbits of the places.
pub(super) struct Structure {
    pub orbits: Vec<Orbit>,
    /// The orbit of each place.
    pub orbit_of: Vec<u32>,
    /// The number of each place within its orbit.
    pub number: Vec<u32>,
}

/// An orbit of places.
pub(super) struct Orbit {
    pub places: Vec<Place>,
    /// The followers of the orbit: for each place of it, by number, the place that follows.
    pub followers: Vec<Vec<Place>>,
    /// True if the orbit is kept: no other kept orbit determines the labels in this one.
    pub is_kept: bool,
}

/// Refined labels, by the orbit, the label, and the labels of the followers.
pub(super) type Refined = HashMap<Vec<Label>, u32>;

impl Structure {
    pub fn new(places: usize, generators: &[Vec<Place>]) -> Structure {
        let orbits = orbits(places, generators);
        let (mut orbit_of, mut number) = (vec![0; places], vec![0; places]);
        for (which, orbit) in (0..).zip(&orbits) {
            for (at, &place) in (0..).zip(orbit) {
                orbit_of[usize::from(place)] = which;
                number[usize::from(place)] = at;
            }
        }
        let mut structure = Structure { orbits: Vec::new(), orbit_of, number };
        let sizes: Vec<usize> = structure.orbit_of.iter().map(|&orbit| orbits[orbit as usize].len()).collect();
        for orbit in orbits {
            let fits =
                |&other: &usize| other != usize::from(orbit[0]) && sizes[other] > 1 && orbit.len() % sizes[other] == 0;
            let searched = if orbit.len() > 1 && places <= MOST_PLACES { places } else { 0 };
            let others = (0..searched).filter(fits);
            let followers = others.filter_map(|other| structure.follower(&orbit, other as Place, generators)).collect();
            structure.orbits.push(Orbit { places: orbit, followers, is_kept: false });
        }
        structure.select_kept_orbits();
        structure
    }

    /// Selects orbits that determine all others, the largest first.
    fn select_kept_orbits(&mut self) {
        let mut largest: Vec<usize> =
            (0..self.orbits.len()).filter(|&orbit| self.orbits[orbit].places.len() > 1).collect();
        largest.sort_by_key(|&orbit| std::cmp::Reverse(self.orbits[orbit].places.len()));
        let any = self.orbits.iter().any(|orbit| !orbit.followers.is_empty());
        for orbit in largest {
            if !any {
                self.orbits[orbit].is_kept = true;
                continue;
            }
            let follows = |other: &Orbit| {
                let mut firsts = other.followers.iter().map(|follower| self.orbit_of[usize::from(follower[0])]);
                other.is_kept && firsts.any(|followed| followed as usize == orbit)
            };
            self.orbits[orbit].is_kept = !self.orbits.iter().any(follows);
        }
    }

    /// Returns the images of a place as the first place of an orbit moves through the orbit, if they are determined.
    fn follower(&self, orbit: &[Place], other: Place, generators: &[Vec<Place>]) -> Option<Vec<Place>> {
        let mut follower = vec![None; orbit.len()];
        follower[0] = Some(other);
        let mut frontier = vec![0];
        while let Some(at) = frontier.pop() {
            let with = follower[at]?;
            for generator in generators {
                let to = self.number[usize::from(generator[usize::from(orbit[at])])] as usize;
                let image = generator[usize::from(with)];
                match follower[to] {
                    None => {
                        follower[to] = Some(image);
                        frontier.push(to);
                    }
                    Some(known) if known != image => return None,
                    Some(_) => {}
                }
            }
        }
        follower.into_iter().collect()
    }

    /// Returns the refined label of each place in a position. Numbers are shared between positions.
    pub fn refine(&self, position: &[Label], refined: &mut Refined) -> Vec<u32> {
        let show = |place: usize| {
            let orbit = self.orbit_of[place];
            let number = self.number[place] as usize;
            let followers = self.orbits[orbit as usize].followers.iter().map(|follower| follower[number]);
            let shown = std::iter::once(place as Place).chain(followers).map(|place| position[usize::from(place)]);
            let mut shown: Vec<Label> = shown.collect();
            shown.push(orbit as Label);
            shown
        };
        let next = |shown: Vec<Label>| {
            let number = refined.len() as u32;
            *refined.entry(shown).or_insert(number)
        };
        (0..position.len()).map(show).map(next).collect()
    }
}
