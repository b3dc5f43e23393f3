//! The choice of the colours: places have the same colour if they are in an orbit of a subgroup. The subgroups are
//! those that powers of the generators generate, as in the first phase of Kociemba's algorithm (1992). The choice is
//! the one with the most arrangements whose table is small enough, given the symmetries that map its colours to each
//! other.
//!
//! A choice can be refined: all orbits but the leading one take the colours of a smaller subgroup. The symmetries stay
//! the same. Those that keep the coarse colours of these orbits exchange the finer ones, and arrangements are numbered up
//! to these exchanges: half as many in one table are worth more than a difference between the two.

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

/// The same for a choice that is refined, and the least factor by which it has more arrangements.
pub(super) const MOST_REFINED_REST: u64 = 1 << 17;
const LEAST_REFINED_FACTOR: u64 = 4;

/// The greatest number of entries of the maps with which the table of a refined choice is filled.
const MOST_MAPPED: u64 = 1 << 27;

/// The greatest number of symmetries of the colours, and the greatest number of their images.
const MOST_KEEPING: usize = 64;
pub(super) const MOST_VIEWS: usize = 6;

/// The colours of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Choice {
    pub colors: Vec<Color>,
    /// The symmetries that map colours to colours, by number, the identity first.
    pub keeping: Vec<usize>,
    /// One symmetry for each image of the colours, by number, the identity first.
    pub views: Vec<usize>,
    /// The number of the orbit with the most arrangements.
    pub lead: usize,
    /// The number of all arrangements.
    pub arrangements: u64,
    /// The number of the subgroup.
    subgroup: usize,
    /// Exchanges of the colours of all orbits but the leading one, as a group of maps of colours, the identity first.
    /// Arrangements that differ by one of these count once.
    pub recolorings: Vec<Vec<Color>>,
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
    let subgroups = Subgroups::new(model)?;
    for subgroup in 0..subgroups.count {
        let colors = subgroups.colors(subgroup);
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
            let recolorings = vec![(0..=Color::MAX).collect()];
            best = Some(Choice { colors, keeping, views, lead, arrangements, subgroup, recolorings });
        }
    }
    best
}

/// Refines a choice to the one with the most arrangements whose table has at most `most` entries.
pub(super) fn refine(
    model: &Model,
    chain: &Chain,
    symmetries: &[Symmetry],
    coarse: &Choice,
    most: u64,
    context: &BuildContext,
) -> Option<Choice> {
    let mut sizes = Sizes { model, chain, context, known: HashMap::new() };
    let subgroups = Subgroups::new(model)?;
    let lead = model.orbits[coarse.lead];
    let leads = |place: usize| (lead.first..lead.first + lead.blocks * lead.size).contains(&place);
    let kept = coarse.keeping.len() as u64;
    let leading = sizes.arrangements(&coarse.colors, coarse.lead)?;
    let mut best: Option<Choice> = None;
    let mut seen = HashSet::from([coarse.colors.clone()]);
    for subgroup in (0..subgroups.count).filter(|&subgroup| subgroups.contains(coarse.subgroup, subgroup)) {
        let finer = subgroups.colors(subgroup);
        let color = |place: usize| (leads(place), if leads(place) { coarse.colors[place] } else { finer[place] });
        let normal = renumbered((0..model.places).map(color));
        let stays = |&number: &usize| {
            normal == renumbered(symmetries[number].image.iter().map(|&place| normal[usize::from(place)]))
        };
        if !seen.insert(normal.clone()) || !coarse.keeping.iter().all(stays) || context.should_stop() {
            continue;
        }
        let colors = beside(&coarse.colors, &normal, leads);
        let keeping = coarse.keeping.iter().map(|&number| &symmetries[number].image[..]);
        let recolorings = recolorings(&colors, &coarse.colors, leads, keeping);
        let others = (0..model.orbits.len()).filter(|&orbit| orbit != coarse.lead);
        let rest = others
            .map(|orbit| sizes.arrangements(&colors, orbit))
            .try_fold(1_u64, |product, count| product.checked_mul(count?))
            .map(|rest| rest / recolorings.len() as u64);
        let Some(rest) = rest.filter(|&rest| rest <= MOST_REFINED_REST) else { continue };
        let arrangements = leading * rest;
        if arrangements / kept <= most
            && rest * kept * model.moves.len() as u64 <= MOST_MAPPED
            && arrangements / LEAST_REFINED_FACTOR >= coarse.arrangements
            && best.as_ref().is_none_or(|best| best.arrangements < arrangements)
        {
            best = Some(Choice { colors, arrangements, subgroup, recolorings, ..coarse.clone() });
        }
    }
    best
}

/// Returns the exchanges of the colours of places that do not lead, by symmetries that keep the coarse colours of these
/// places: the identity first.
fn recolorings<'a>(
    colors: &[Color],
    coarse: &[Color],
    leads: impl Fn(usize) -> bool,
    symmetries: impl Iterator<Item = &'a [Place]>,
) -> Vec<Vec<Color>> {
    let others: Vec<usize> = (0..colors.len()).filter(|&place| !leads(place)).collect();
    let mut found = vec![(0..=Color::MAX).collect::<Vec<Color>>()];
    for image in symmetries {
        let to = |place: usize| usize::from(image[place]);
        if others.iter().any(|&place| coarse[to(place)] != coarse[place]) {
            continue;
        }
        let mut exchange = found[0].clone();
        others.iter().for_each(|&place| exchange[usize::from(colors[place])] = colors[to(place)]);
        if !found.contains(&exchange) {
            found.push(exchange);
        }
    }
    found
}

/// The subgroups that powers of the generators generate, by number: for each generator, one of its powers by a divisor
/// of its order.
struct Subgroups {
    places: usize,
    /// For each generator, the divisors of its order and its powers by them.
    powers: Vec<Vec<(u64, Vec<Place>)>>,
    count: usize,
}

impl Subgroups {
    /// Returns `None` if there are too many.
    fn new(model: &Model) -> Option<Subgroups> {
        let powers = |number: usize| {
            let image = &model.moves[number].image;
            let order = order(image);
            let divisors = (1..=order.min(1 << 10)).filter(move |divisor| order.is_multiple_of(*divisor));
            divisors.map(|divisor| (divisor, power_of(image, divisor))).collect::<Vec<_>>()
        };
        let powers: Vec<Vec<(u64, Vec<Place>)>> = first_moves(model).into_iter().map(powers).collect();
        let count = powers.iter().try_fold(1_usize, |count, powers| count.checked_mul(powers.len()))?;
        (count <= MOST_SUBGROUPS && model.places <= usize::from(Color::MAX)).then_some(Subgroups {
            places: model.places,
            powers,
            count,
        })
    }

    /// Returns the chosen power of each generator, with its divisor.
    fn powers(&self, mut subgroup: usize) -> impl Iterator<Item = &(u64, Vec<Place>)> {
        self.powers.iter().map(move |powers| {
            let chosen = &powers[subgroup % powers.len()];
            subgroup /= powers.len();
            chosen
        })
    }

    /// Returns whether each power of the second subgroup is one of the power in the first.
    fn contains(&self, larger: usize, smaller: usize) -> bool {
        self.powers(larger).zip(self.powers(smaller)).all(|((larger, _), (smaller, _))| smaller.is_multiple_of(*larger))
    }

    /// Returns the colours by a subgroup.
    fn colors(&self, subgroup: usize) -> Vec<Color> {
        let mut colors = vec![0; self.places];
        let generators: Vec<Vec<Place>> = self.powers(subgroup).map(|(_, image)| image.clone()).collect();
        for (color, orbit) in orbits(self.places, &generators).into_iter().enumerate() {
            orbit.into_iter().for_each(|place| colors[usize::from(place)] = color);
        }
        renumbered(colors.into_iter())
    }
}

/// Returns the colours of the leading orbit as they are in `coarse`, so that its arrangements have the same numbers, and
/// others as in `finer`, but without those of the leading orbit.
fn beside(coarse: &[Color], finer: &[Color], leads: impl Fn(usize) -> bool) -> Vec<Color> {
    let kept: HashSet<Color> = (0..coarse.len()).filter(|&place| leads(place)).map(|place| coarse[place]).collect();
    let mut free = (0..=Color::MAX).filter(|color| !kept.contains(color));
    let mut numbers: HashMap<Color, Color> = HashMap::new();
    let mut number = |place: usize| *numbers.entry(finer[place]).or_insert_with(|| free.next().unwrap_or(Color::MAX));
    (0..coarse.len()).map(|place| if leads(place) { coarse[place] } else { number(place) }).collect()
}

/// Numbers colours in the order of their first places.
pub(super) fn renumbered<C: Copy + Eq + std::hash::Hash>(colors: impl Iterator<Item = C>) -> Vec<Color> {
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
