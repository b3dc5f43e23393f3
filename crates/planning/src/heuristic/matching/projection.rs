//! The task of some tokens and the mover, with all else removed.
//!
//! A state of it is a set of places that hold tokens, and a region: the values between which the mover changes while
//! these tokens stay. Every solution of the puzzle, read as steps of these tokens alone, is a solution of the projected
//! task: dropping the conditions on all else keeps operators applicable, and what other operators do to the mover is a
//! change between two values of a region. Where a change cannot be undone or is barred in several ways, the projection
//! lets the mover pass both ways, or as the most permissive allows: regions only grow, so what is dead in the projected
//! task is dead in the puzzle.

use super::moves::{ProjectedStep, Stay, Targets};
use super::places::{Places, grow};
use crate::task::Value;

/// The projected tasks of one kind of tokens.
pub struct Projection<const N: usize> {
    /// For each value of the mover, the values next to it.
    pub next: Vec<Vec<u16>>,
    /// For each value, the places at which a token bars it, and the reverse.
    pub barred_by: Vec<Places<N>>,
    pub bars: Vec<Places<N>>,
    /// The steps of a token at each place that do not lead to a dead end.
    pub steps: Vec<Vec<ProjectedStep<N>>>,
    /// For each goal, the places that allow a token.
    pub targets: Vec<Places<N>>,
}

impl<const N: usize> Projection<N> {
    /// Returns the projection to tokens and the mover, given the numbers of places and of values of the mover. `happens`
    /// returns whether a token can be at a place while the mover has a value.
    pub fn new(
        places: usize,
        values: usize,
        goals: &[Targets],
        moves: &[ProjectedStep<N>],
        stays: &[Stay<N>],
        happens: impl Fn(usize, Value) -> bool,
    ) -> Projection<N> {
        let mut next: Vec<Vec<u16>> = vec![Vec::new(); values];
        let mut barred_by: Vec<Option<Places<N>>> = vec![None; values];
        for stay in stays {
            let (before, after) = (usize::from(stay.before), usize::from(stay.after));
            next[before].push(stay.after);
            next[after].push(stay.before);
            let barred = barred_by[after].get_or_insert(stay.without);
            *barred = barred.and(&stay.without);
        }
        for values in &mut next {
            values.sort_unstable();
            values.dedup();
        }
        // A token never bars the value that the mover has.
        let is_excluded = |value: usize, place: usize| !happens(place, value as Value);
        let barred_by: Vec<Places<N>> = (0..values)
            .zip(barred_by)
            .map(|(value, barred)| {
                barred.unwrap_or_default().iter().filter(|&place| is_excluded(value, place)).collect()
            })
            .collect();
        let mut bars = vec![Places::default(); places];
        for (value, barred) in barred_by.iter().enumerate() {
            barred.iter().for_each(|place| _ = bars[place].insert(value));
        }
        let mut steps: Vec<Vec<ProjectedStep<N>>> = (0..places).map(|_| Vec::new()).collect();
        moves.iter().for_each(|step| steps[step.from].push(*step));
        let targets = goals.iter().map(|goal| goal.places.iter().map(|&place| place.into()).collect()).collect();
        Projection { next, barred_by, bars, steps, targets }
    }

    /// Returns the values that no token bars.
    pub fn open(&self, tokens: &Places<N>) -> Places<N> {
        let barred = tokens.iter().fold(Places::default(), |barred, place| barred.or(&self.bars[place]));
        Places::below(self.next.len()).without(&barred)
    }

    /// Returns the values that the mover reaches from one of them while these tokens stay.
    #[inline]
    pub fn region(&self, tokens: &Places<N>, from: usize) -> Places<N> {
        let mut region = Places::one(from);
        grow(region, &mut region, &self.next, &self.open(tokens));
        region
    }

    /// Returns the region that the mover has if only some of these tokens are there, from its region with all of them.
    #[inline]
    pub fn widened(&self, region: &Places<N>, tokens: &Places<N>, left: &Places<N>) -> Places<N> {
        let open = self.open(left);
        let is_next = |value: &usize| self.next[*value].iter().any(|&next| region.contains(next.into()));
        let gone = tokens.without(left).iter().fold(Places::default(), |gone, place| self.bars[place].or(&gone));
        let begun: Places<N> = gone.and(&open).iter().filter(is_next).collect();
        let mut wide = region.or(&begun);
        grow(begun, &mut wide, &self.next, &open);
        wide
    }

    /// Returns each corral, values that join each other while these tokens stay, but not the region of the mover; with
    /// the tokens around it.
    pub fn corrals(&self, tokens: &Places<N>, region: &Places<N>) -> Vec<(Places<N>, Places<N>)> {
        let mut corrals = Vec::new();
        let open = self.open(tokens);
        let mut left = open.without(region);
        while let Some(first) = left.first() {
            let mut corral = Places::one(first);
            grow(corral, &mut corral, &self.next, &open);
            left = left.without(&corral);
            let border: Places<N> =
                corral.iter().flat_map(|value| &self.next[value]).map(|&value| value.into()).collect();
            let border = border.without(&corral);
            let around = border.iter().fold(Places::default(), |around, value| around.or(&self.barred_by[value]));
            corrals.push((corral, around.and(tokens)));
        }
        corrals
    }

    /// Returns the number of regions of the mover, its own included.
    pub fn regions(&self, tokens: &Places<N>, mover: usize) -> u64 {
        let mut left = self.open(tokens);
        left.insert(mover);
        let mut regions = 0;
        while let Some(first) = left.first() {
            let mut region = Places::one(first);
            grow(region, &mut region, &self.next, &left);
            left = left.without(&region);
            regions += 1;
        }
        regions
    }

    /// Returns whether a walk joins the values of the mover before and after a step, whatever other tokens are there.
    pub fn returns(&self, step: &ProjectedStep<N>) -> bool {
        let mut barred = self.barred_by[step.after];
        barred.remove(step.from);
        step.before == step.after || self.next[step.before].contains(&(step.after as u16)) && barred.is_empty()
    }

    /// Returns the places at which a token bars one of these values.
    pub fn places_in(&self, values: &Places<N>) -> Places<N> {
        values.iter().fold(Places::default(), |places, value| places.or(&self.barred_by[value]))
    }

    /// Returns whether all these tokens are on targets of one goal.
    pub fn is_goal(&self, tokens: &Places<N>) -> bool {
        self.targets.iter().any(|targets| tokens.is_within(targets))
    }

    pub fn bytes(&self) -> u64 {
        let next: usize = self.next.iter().map(Vec::len).sum();
        let sets = self.barred_by.len() + self.bars.len() + self.targets.len();
        let steps: usize = self.steps.iter().map(|steps| steps.len() * size_of::<ProjectedStep<N>>()).sum();
        (next * size_of::<u16>() + sets * size_of::<Places<N>>() + steps) as u64
    }
}
