//! Scrambled starts: a random walk from the solved position, or a uniformly random solvable position.
//!
//! The result for a seed is part of the file format, so it never changes. Therefore a permutation of the group is not
//! drawn as a product of the chain's own permutations, but by the images of the places in turn: each time one of the
//! possible images, numbered in ascending order.

use super::chain::Chain;
use super::images::{Place, compose, identity};
use super::setup::{Label, Metric, Power, Setup};
use crate::domain::{BuildContext, SplitMix64};

/// The moves of a walk between two looks at the limits: each moves every place.
const CHECK_EVERY: u32 = 1 << 10;

/// Returns a start after this many random moves, or, without a number, a uniformly random solvable one. Returns `None`
/// if the group is too large for that. A limit ends the work.
pub(super) fn scrambled(setup: &Setup, moves: Option<u32>, seed: u64, context: &BuildContext) -> Option<Vec<Label>> {
    let random = &mut SplitMix64::new(seed);
    match moves {
        Some(moves) => Some(walk(setup, moves, random, context)),
        None => uniform(setup, random, context),
    }
}

/// Returns the end of a random walk. In the metric `power`, the next move uses another generator; otherwise it is not
/// the inverse of the last one. If no such move exists, any move may follow.
fn walk(setup: &Setup, moves: u32, random: &mut SplitMix64, context: &BuildContext) -> Vec<Label> {
    let powers: Vec<Power> = setup.moves().collect();
    let images: Vec<Vec<Place>> = powers.iter().map(|&power| setup.image(power)).collect();
    let mut position = setup.solved.clone();
    let mut before: Option<Power> = None;
    for made in 0..moves {
        if made % CHECK_EVERY == CHECK_EVERY - 1 && context.should_stop() {
            break;
        }
        let goes_on = |power: &Power| match (before, setup.metric) {
            (None, _) => true,
            (Some(before), Metric::Power) => power.generator != before.generator,
            (Some(before), Metric::Generator) => {
                let order = setup.generators[power.generator].order;
                power.generator != before.generator || power.power != order - before.power
            }
        };
        let onward: Vec<usize> = (0..powers.len()).filter(|&number| goes_on(&powers[number])).collect();
        let number = match onward.len() {
            0 => random.below(powers.len() as u64) as usize,
            choices => onward[random.below(choices as u64) as usize],
        };
        position = Setup::moved(&position, &images[number]);
        before = Some(powers[number]);
    }
    position
}

fn uniform(setup: &Setup, random: &mut SplitMix64, context: &BuildContext) -> Option<Vec<Label>> {
    let generators: Vec<Vec<Place>> = setup.generators.iter().map(|generator| generator.image.clone()).collect();
    let chain = Chain::new(setup.places(), &generators, &identity(setup.places()), context)?;
    let mut drawn = identity(setup.places());
    for level in chain.levels.iter().filter(|level| level.orbit.len() > 1) {
        let mut numbers: Vec<usize> = (0..level.orbit.len()).collect();
        numbers.sort_by_key(|&number| drawn[usize::from(level.orbit[number])]);
        let number = numbers[random.below(numbers.len() as u64) as usize];
        drawn = compose(&level.representative(number), &drawn);
    }
    Some(Setup::moved(&setup.solved, &drawn))
}
