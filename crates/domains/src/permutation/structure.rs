//! What moves together: the orbits of the places, and their followers.
//!
//! A place follows another if wherever the one goes the other goes along: the stickers of one piece follow each other.
//! Of labels that follow each other one tells where all are. So a label is refined to what a place and its followers
//! show: where pieces are labelled differently, each refined label stands once, however few colours there are.

use super::chain::orbits;
use super::setup::{Label, Place};
use std::collections::HashMap;

/// Puzzles with more places are not looked at for followers.
const MOST_PLACES: usize = 1024;

/// The orbits of the places.
pub(super) struct Structure {
    pub orbits: Vec<Orbit>,
    /// By place, its orbit.
    pub orbit_of: Vec<u32>,
    /// By place, its number in its orbit.
    pub number: Vec<u32>,
}

/// Places that moves take to each other.
pub(super) struct Orbit {
    pub places: Vec<Place>,
    /// The followers: by number in the orbit, the place that follows.
    pub followers: Vec<Vec<Place>>,
    /// Whether no other orbit that is kept tells where everything is in this one.
    pub is_kept: bool,
}

/// Refined labels, by what they show: the orbit, the label, and those of the followers.
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
            let looked_at = if orbit.len() > 1 && places <= MOST_PLACES { places } else { 0 };
            let others = (0..looked_at).filter(fits);
            let followers = others.filter_map(|other| structure.follower(&orbit, other as Place, generators)).collect();
            structure.orbits.push(Orbit { places: orbit, followers, is_kept: false });
        }
        structure.keep();
        structure
    }

    /// Keeps the orbits that tell all others, the largest first.
    fn keep(&mut self) {
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

    /// Where a place goes when the first of an orbit goes to each of the others, if that tells.
    fn follower(&self, orbit: &[Place], other: Place, generators: &[Vec<Place>]) -> Option<Vec<Place>> {
        let mut follower = vec![None; orbit.len()];
        follower[0] = Some(other);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let with = follower[at]?;
            for generator in generators {
                let to = self.number[usize::from(generator[usize::from(orbit[at])])] as usize;
                let along = generator[usize::from(with)];
                match follower[to] {
                    None => {
                        follower[to] = Some(along);
                        open.push(to);
                    }
                    Some(known) if known != along => return None,
                    Some(_) => {}
                }
            }
        }
        follower.into_iter().collect()
    }

    /// By place, the refined label of a position; equal ones are of equal number, across positions too.
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
