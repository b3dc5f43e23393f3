//! The choice of the colours: places have the same colour if they are in an orbit of a subgroup. The subgroups are
//! those that powers of the generators generate, as in the first phase of Kociemba's algorithm (1992). The choice is
//! the one with the most arrangements whose table is small enough, given the symmetries that map its colours to each
//! other.

use super::arrangement::{Color, MOST_CLASSES};
use crate::domain::BuildContext;
use crate::permutation::chain::{Chain, orbits};
use crate::permutation::images::{Place, order, power_of};
use crate::permutation::model::Model;
use crate::permutation::number::Number;
use crate::permutation::solvability::stabiliser_factors;
use crate::permutation::symmetries::{Symmetry, first_moves};
use std::collections::{HashMap, HashSet};

/// The greatest number of subgroups.
const MOST_SUBGROUPS: usize = 1 << 12;

/// The greatest number of arrangements of all orbits but the one with the most.
pub(super) const MOST_REST: u64 = 1 << 16;

/// The greatest number of symmetries of the colours, and the greatest number of their images.
const MOST_KEEPING: usize = 64;
pub(super) const MOST_VIEWS: usize = 6;

/// The colours of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub colors: Vec<Color>,
    /// The symmetries that map colours to colours, by number, the identity first.
    pub keeping: Vec<usize>,
    /// One symmetry for each image of the colours, by number, the identity first.
    pub views: Vec<usize>,
    /// The number of the orbit with the most arrangements.
    pub lead: usize,
    /// The number of all arrangements.
    pub arrangements: u64,
}

/// Chooses the colours for a table of at most `most` entries.
pub(super) fn choose(
    model: &Model,
    chain: &Chain,
    symmetries: &[Symmetry],
    most: u64,
    context: &BuildContext,
) -> Option<Choice> {
    let mut sizes = Sizes { model, chain, context, known: HashMap::new() };
    let mut seen: HashSet<Vec<Color>> = HashSet::new();
    let mut best: Option<Choice> = None;
    for colors in subgroup_colors(model)? {
        if !seen.insert(colors.clone()) {
            continue;
        }
        let (mut keeping, mut views, mut images) = (Vec::new(), Vec::new(), HashSet::new());
        for (number, symmetry) in symmetries.iter().enumerate() {
            let image = renumbered(symmetry.image.iter().map(|&place| colors[usize::from(place)]));
            if image == colors {
                keeping.push(number);
            }
            if images.insert(image.clone()) {
                views.push(number);
                seen.insert(image);
            }
        }
        if context.should_stop() {
            return None;
        }
        if keeping.len() > MOST_KEEPING || views.len() > MOST_VIEWS {
            continue;
        }
        let Some(counts) = (0..model.orbits.len()).map(|orbit| sizes.arrangements(&colors, orbit)).collect() else {
            continue;
        };
        let counts: Vec<u64> = counts;
        let Some(arrangements) = counts.iter().try_fold(1_u64, |product, &count| product.checked_mul(count)) else {
            continue;
        };
        let Some(lead) = (0..counts.len()).max_by_key(|&orbit| counts[orbit]) else { continue };
        let kept = keeping.len() as u64;
        let lead_stays = keeping.iter().all(|&number| {
            let first = model.orbits[lead].first;
            let image = usize::from(symmetries[number].image[first]);
            (first..first + model.orbits[lead].blocks * model.orbits[lead].size).contains(&image)
        });
        let fits = lead_stays
            && arrangements / kept <= most
            && counts[lead] / kept <= MOST_CLASSES / 2
            && arrangements / counts[lead] <= MOST_REST;
        if fits && best.as_ref().is_none_or(|best| best.arrangements < arrangements) {
            best = Some(Choice { colors, keeping, views, lead, arrangements });
        }
    }
    best
}

/// Returns the colours by each subgroup, or `None` if there are too many.
fn subgroup_colors(model: &Model) -> Option<impl Iterator<Item = Vec<Color>> + '_> {
    let powers = |number: usize| {
        let image = &model.moves[number].image;
        let order = order(image);
        let divisors = (1..=order.min(1 << 10)).filter(move |divisor| order.is_multiple_of(*divisor));
        divisors.map(|divisor| power_of(image, divisor)).collect::<Vec<_>>()
    };
    let powers: Vec<Vec<Vec<Place>>> = first_moves(model).into_iter().map(powers).collect();
    let subgroups = powers.iter().try_fold(1_usize, |count, powers| count.checked_mul(powers.len()))?;
    let colors = move |mut subgroup: usize| {
        let mut chosen = Vec::new();
        for powers in &powers {
            chosen.push(powers[subgroup % powers.len()].clone());
            subgroup /= powers.len();
        }
        let mut colors = vec![0; model.places];
        for (color, orbit) in orbits(model.places, &chosen).into_iter().enumerate() {
            orbit.into_iter().for_each(|place| colors[usize::from(place)] = color);
        }
        renumbered(colors.into_iter())
    };
    (subgroups <= MOST_SUBGROUPS && model.places <= usize::from(Color::MAX)).then(|| (0..subgroups).map(colors))
}

/// Numbers colours in the order of their first places.
fn renumbered<C: Copy + Eq + std::hash::Hash>(colors: impl Iterator<Item = C>) -> Vec<Color> {
    let mut numbers: HashMap<C, Color> = HashMap::new();
    colors
        .map(|color| {
            let next = numbers.len() as Color;
            *numbers.entry(color).or_insert(next)
        })
        .collect()
}

/// The numbers of arrangements of orbits.
struct Sizes<'a> {
    model: &'a Model,
    chain: &'a Chain,
    context: &'a BuildContext,
    known: HashMap<Vec<u32>, Option<u64>>,
}

impl Sizes<'_> {
    /// Returns the number of reachable arrangements of colours on an orbit: the index of their stabiliser. Returns
    /// `None` if it is unknown.
    fn arrangements(&mut self, colors: &[Color], orbit: usize) -> Option<u64> {
        let orbit = self.model.orbits[orbit];
        let places = orbit.first..orbit.first + orbit.blocks * orbit.size;
        let local = renumbered(places.clone().map(|place| colors[place]));
        let mut shown = vec![u32::MAX; self.model.places];
        places.zip(local).for_each(|(place, color)| shown[place] = u32::from(color));
        let (chain, context) = (self.chain, self.context);
        let count = |shown: &Vec<u32>| {
            let factors = stabiliser_factors(chain, shown, context)?;
            factors.into_iter().fold(chain.order(), Number::over).as_u64()
        };
        *self.known.entry(shown).or_insert_with_key(count)
    }
}
