//! The compiled puzzle: a position is reduced to what distinguishes it from others.
//!
//! The labels that are kept are *members*; a position is the list of their places. Members with the same refined label
//! form an *item*: they are interchangeable, so their places are a set. Redundant labels are dropped: followers, labels
//! that others determine together, and one item of each orbit that fills the remaining places. The places of an orbit
//! are numbered in blocks of consecutive places: a member in a block occupies all of it.

use super::images::{Place, compose};
use super::setup::{Metric, Setup};
use super::solvability::{Analysis, Verdict};
use std::collections::{HashMap, HashSet};

/// The greatest number of steps for finding commuting generators.
const MOST_COMPARED: usize = 1 << 30;

/// A compiled puzzle. Places are renumbered, orbit by orbit and block by block.
pub(super) struct Model {
    pub places: usize,
    pub orbits: Vec<Orbit>,
    pub items: Vec<Item>,
    /// The start place and the goal place of each member; the members of an item are consecutive.
    pub start: Vec<Place>,
    /// `None` if the start is unsolvable.
    pub solved: Option<Vec<Place>>,
    /// The places of the members in the other solved arrangements.
    pub others: Vec<Vec<Place>>,
    pub moves: Vec<Move>,
    /// For each pair of generators, whether the second must not follow the first: they commute, and the second comes
    /// first in the canonical order.
    pub after: Vec<bool>,
    pub generators: usize,
    /// The number of reachable positions, if it is known.
    pub states: Option<u64>,
    /// True if every item has exactly one member.
    pub is_labelled: bool,
    /// True if no two places have the same refined label when solved, so that a position is a permutation of the
    /// places.
    pub is_distinct: bool,
    /// For each place of the puzzle, its number in the model.
    pub numbers: Vec<Option<Place>>,
}

/// An orbit of places, in blocks of equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Orbit {
    pub first: usize,
    pub blocks: usize,
    pub size: usize,
}

/// A set of interchangeable members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub first: usize,
    pub count: usize,
    pub orbit: usize,
    /// True if no two of its members are ever in the same block.
    pub apart: bool,
}

/// A move.
pub(super) struct Move {
    /// For each place, the place that its label moves to.
    pub image: Vec<Place>,
    pub generator: u16,
    /// The inverse move.
    pub inverse: u16,
    /// The greatest number of times in a row that the move is useful. Beyond it, an inverse sequence is shorter, or as
    /// short and earlier in the order. Moves by other powers of the same generator never follow it.
    pub run: u16,
}

impl Model {
    pub fn new(setup: &Setup, analysis: &Analysis) -> Model {
        let structure = &analysis.structure;
        let unsolvable = matches!(analysis.verdict, Verdict::Unsolvable(_));
        let shown = if unsolvable { &analysis.start } else { &analysis.solved };
        let base = analysis.base.as_ref().filter(|_| analysis.verdict == Verdict::Solvable);
        let mut numbers = vec![None; setup.places()];
        let mut orbits = Vec::new();
        let mut members: Vec<(Item, u32)> = Vec::new();
        let mut places = 0;
        let mut copies = vec![0_usize; shown.iter().map(|&label| label as usize + 1).max().unwrap_or(0)];
        shown.iter().for_each(|&label| copies[label as usize] += 1);
        for (which, orbit) in structure.orbits.iter().enumerate().filter(|(_, orbit)| orbit.is_kept) {
            let own = |follower: &&Vec<Place>| structure.orbit_of[usize::from(follower[0])] as usize == which;
            let followers: Vec<&Vec<Place>> = orbit.followers.iter().filter(own).collect();
            let size = 1 + followers.len();
            let first = places;
            for (at, &place) in orbit.places.iter().enumerate() {
                if numbers[usize::from(place)].is_none() {
                    for place in std::iter::once(place).chain(followers.iter().map(|follower| follower[at])) {
                        numbers[usize::from(place)] = Some(places as Place);
                        places += 1;
                    }
                }
            }
            orbits.push(Orbit { first, blocks: (places - first) / size, size });
            let label = |place: Place| shown[usize::from(place)];
            let along = |at: usize| followers.iter().map(move |follower| label(follower[at]));
            let mut met: HashSet<u32> = HashSet::new();
            let mut kept: Vec<(Place, bool)> = Vec::new();
            for (at, &place) in orbit.places.iter().enumerate() {
                if met.insert(label(place)) {
                    met.extend(along(at));
                    kept.push((place, along(at).all(|follower| follower == label(place))));
                }
            }
            let count = |place: Place| copies[label(place) as usize];
            if let Some(base) = base {
                kept.retain(|&(place, _)| count(place) > 1 || base.contains(&place));
            }
            // The label with the most copies fills the remaining places, so it is dropped.
            let fills = |&(_, &(place, alone)): &(usize, &(Place, bool))| alone && (count(place) > 1 || base.is_none());
            let most = kept.iter().enumerate().filter(fills).max_by_key(|(_, (place, _))| count(*place));
            if let Some((most, _)) = most {
                kept.remove(most);
            }
            for (place, _) in kept {
                let apart = along(structure.number[usize::from(place)] as usize).all(|other| other != label(place));
                let item = Item { first: 0, count: count(place), orbit: orbits.len() - 1, apart };
                members.push((item, label(place)));
            }
        }
        let mut first = 0;
        for (item, _) in &mut members {
            item.first = first;
            first += item.count;
        }
        let placed = |position: &[u32]| {
            let mut places: HashMap<u32, Vec<Place>> = HashMap::new();
            for (&label, &number) in position.iter().zip(&numbers) {
                places.entry(label).or_default().extend(number);
            }
            let of = |(_, label): &(Item, u32)| {
                let mut places = places.get(label).cloned().unwrap_or_default();
                places.sort_unstable();
                places
            };
            members.iter().flat_map(of).collect::<Vec<Place>>()
        };
        let kept = analysis.solved.iter().zip(&numbers).filter(|(_, number)| number.is_some());
        let mut met = HashSet::new();
        Model {
            places,
            orbits,
            is_distinct: kept.map(|(label, _)| label).all(|label| met.insert(label)),
            is_labelled: members.iter().all(|(item, _)| item.count == 1),
            start: placed(&analysis.start),
            solved: (!unsolvable).then(|| placed(&analysis.solved)),
            others: analysis.others.iter().map(|other| placed(other)).collect(),
            items: members.iter().map(|(item, _)| *item).collect(),
            moves: moves(setup, &numbers, places),
            after: commuting(setup),
            generators: setup.generators.len(),
            states: analysis.states.as_ref().filter(|_| !unsolvable).and_then(|states| states.as_u64()),
            numbers,
        }
    }

    /// Returns the places of the members in each solved arrangement; none if the start is unsolvable.
    pub fn goals(&self) -> impl Iterator<Item = &Vec<Place>> {
        self.solved.iter().chain(&self.others)
    }

    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.start.len()
    }

    /// Returns whether a generator may be applied right after another in the canonical order.
    #[inline]
    pub fn may_follow(&self, before: u16, then: u16) -> bool {
        !self.after[usize::from(before) * self.generators + usize::from(then)]
    }
}

fn moves(setup: &Setup, numbers: &[Option<Place>], places: usize) -> Vec<Move> {
    let powers: Vec<_> = setup.moves().collect();
    let mut last: Option<(usize, Vec<Place>, Vec<Place>)> = None;
    let mut moves = Vec::with_capacity(powers.len());
    let mut first = 0;
    for (at, power) in powers.iter().enumerate() {
        let order = setup.generators[power.generator].order;
        if at == 0 || powers[at - 1].generator != power.generator {
            first = at;
        }
        let count = powers[first..].iter().take_while(|other| other.generator == power.generator).count();
        let image = match &mut last {
            Some((generator, step, image))
                if *generator == power.generator && powers[at - 1].power + 1 == power.power =>
            {
                *image = compose(image, step);
                image.clone()
            }
            _ => {
                let image = setup.image(*power);
                last = Some((power.generator, setup.generators[power.generator].image.clone(), image.clone()));
                image
            }
        };
        let mut inner = vec![0; places];
        for (from, number) in numbers.iter().enumerate() {
            if let Some(number) = number {
                inner[usize::from(*number)] =
                    numbers[usize::from(image[from])].expect("generators map an orbit to itself");
            }
        }
        let forwards = at == first;
        let run = match setup.metric {
            Metric::Power => 1,
            // Halfway around the cycle, the generator is preferred to its inverse.
            Metric::Generator if forwards => order / 2,
            Metric::Generator => (order - 1) / 2,
        };
        moves.push(Move {
            image: inner,
            generator: power.generator as u16,
            inverse: (first + (count - 1) - (at - first)) as u16,
            run: run.clamp(1, u64::from(u16::MAX)) as u16,
        });
    }
    moves
}

/// Returns, for each pair of generators, whether they commute and the second comes before the first.
fn commuting(setup: &Setup) -> Vec<bool> {
    let moved: Vec<Vec<usize>> = setup
        .generators
        .iter()
        .map(|generator| {
            (0..generator.image.len()).filter(|&place| usize::from(generator.image[place]) != place).collect()
        })
        .collect();
    let image = |generator: usize, place: usize| usize::from(setup.generators[generator].image[place]);
    let commute = |one: usize, other: usize| {
        moved[one]
            .iter()
            .chain(&moved[other])
            .all(|&place| image(one, image(other, place)) == image(other, image(one, place)))
    };
    let count = setup.generators.len();
    if count * count * setup.places() > MOST_COMPARED {
        return vec![false; count * count];
    }
    (0..count * count).map(|pair| pair % count < pair / count && commute(pair / count, pair % count)).collect()
}
