//! What a goal says about piles: how large they are, what they hold, and in how many runs.
//!
//! All of it is found by evaluating the goal's conditions with one pile known in part: what fails is excluded.

use super::super::Machine;
use super::super::formula::Formula;
use super::arrivals::{Arrivals, Items};
use super::partial::{Glimpse, Partial};
use crate::expression::Item;

/// The piles at a goal.
#[derive(Debug)]
pub(super) struct End {
    /// The least and the greatest size of each pile.
    pub sizes: Vec<(usize, usize)>,
    /// For each pile, the items that may be at each height, if that is known.
    pub items: Vec<Option<Vec<Items>>>,
    /// Bounds on the number of runs, equal items in a row, and of pairs of neighbours that are unequal, in all piles
    /// together.
    pub runs: usize,
    pub cuts: usize,
    /// True if each pile is one run or empty.
    pub is_sorted: bool,
}

/// The most evaluations of goals.
const MOST_TESTS: usize = 1 << 18;

impl End {
    /// Returns what the goal with this number says; `None` if no state satisfies it.
    pub fn new(machine: &Machine, number: usize, most: &[usize], arrivals: &Arrivals) -> Option<End> {
        let items = machine.start.piles.iter().map(Vec::len).sum();
        let finder = Finder { machine, number, most, arrivals };
        let possible: Vec<Vec<usize>> = (0..most.len()).map(|pile| finder.sizes(pile)).collect();
        let first = |sizes: &Vec<usize>| Some((*sizes.first()?, *sizes.last()?));
        let mut sizes = possible.iter().map(first).collect::<Option<Vec<_>>>()?;
        // All items are somewhere.
        for _ in 0..2 {
            let (least, greatest) = sizes.iter().fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
            if least > items || greatest < items {
                return None;
            }
            for size in &mut sizes {
                let (others_least, others_most) = (least - size.0, greatest - size.1);
                *size = (size.0.max(items.saturating_sub(others_most)), size.1.min(items - others_least));
            }
        }
        let tests: usize = most.iter().map(|most| most * most / 2).sum();
        let (mut runs, mut cuts) = (vec![Some(0)], 0);
        let mut is_sorted = tests <= MOST_TESTS;
        for (pile, possible) in possible.iter().enumerate() {
            let within = possible.iter().filter(|size| (sizes[pile].0..=sizes[pile].1).contains(size));
            let of_size = |&size: &usize| match size {
                0 => (0, 0),
                size if tests > MOST_TESTS => (size, size),
                // With this number of equal items on top, each of the others is a run at worst.
                size => {
                    let same = (1..=size).find(|same| finder.may_have(pile, size, *same));
                    (size, same.map_or(1, |same| size - same + 1))
                }
            };
            let each: Vec<(usize, usize)> = within.map(of_size).collect();
            is_sorted &= each.iter().all(|(_, runs)| *runs <= 1);
            cuts += each.iter().map(|(_, runs)| runs.saturating_sub(1)).max().unwrap_or(0);
            let mut sums = vec![None; items + 1];
            for (before, sum) in runs.iter().enumerate() {
                let Some(sum) = sum else { continue };
                for &(size, runs) in each.iter().filter(|(size, _)| before + size <= items) {
                    sums[before + size] = sums[before + size].max(Some(sum + runs));
                }
            }
            runs = sums;
        }
        let runs = runs.get(items).copied().flatten()?;
        let items = (0..most.len()).map(|pile| finder.items(pile, sizes[pile])).collect();
        Some(End { sizes, items, runs, cuts, is_sorted })
    }

    /// Returns whether an item may be in a pile.
    pub fn may_hold(&self, pile: usize, item: Item) -> bool {
        match &self.items[pile] {
            Some(heights) => heights.iter().any(|items| items.contains(item.into())),
            None => self.sizes[pile].1 > 0,
        }
    }

    /// Returns how many of the lowest items of a pile may stay where they are.
    pub fn kept(&self, pile: usize, items: &[Item]) -> usize {
        let most = self.sizes[pile].1;
        match &self.items[pile] {
            None => items.len().min(most),
            Some(heights) => {
                let fits = |(item, allowed): &(&Item, &Items)| allowed.contains(usize::from(**item));
                items.iter().zip(heights).take(most).take_while(fits).count()
            }
        }
    }
}

struct Finder<'a> {
    machine: &'a Machine,
    number: usize,
    most: &'a [usize],
    arrivals: &'a Arrivals,
}

impl Finder<'_> {
    fn may_hold(&self, glimpse: Glimpse) -> bool {
        let partial = Partial { terms: &self.machine.terms, most: self.most, known: &[glimpse] };
        self.machine.goals[self.number].when.iter().all(|when| partial.may_hold(when))
    }

    /// Returns the items that a pile must have exactly, if the goal gives them.
    fn exact(&self, pile: usize) -> impl Iterator<Item = &Vec<Item>> {
        let piles = &self.machine.model.goals[self.number].piles;
        piles.iter().filter(move |(number, _)| *number == pile).map(|(_, items)| items)
    }

    /// Returns whether the conditions read items of piles.
    fn reads_items(&self) -> bool {
        self.machine.goals[self.number].when.iter().any(|when| when.any(|part| matches!(part, Formula::Top(..))))
    }

    /// Returns the possible sizes of a pile.
    fn sizes(&self, pile: usize) -> Vec<usize> {
        let start = &self.machine.start.piles[pile];
        let is_sink = self.arrivals.sinks[pile];
        let tests = self.most.iter().sum::<usize>() * self.machine.terms.items.len();
        let reads_items = self.reads_items() && tests <= MOST_TESTS;
        let is_possible = |&size: &usize| {
            let glimpse = Glimpse { pile, size: Some(size), ..Glimpse::default() };
            if self.exact(pile).any(|items| items.len() != size) || !self.may_hold(glimpse.clone()) {
                return false;
            }
            let may_be_top = |item: &usize| {
                (!is_sink || self.arrivals.may_be_top(pile, size, *item))
                    && self.may_hold(Glimpse { items: vec![(1, *item as Item)], ..glimpse.clone() })
            };
            size == 0 || !reads_items || (0..self.machine.terms.items.len()).any(|item| may_be_top(&item))
        };
        let least = if is_sink { start.len() } else { 0 };
        (least..=self.most[pile]).filter(is_possible).collect()
    }

    /// Returns whether a pile of some size may have this number of equal items on top.
    fn may_have(&self, pile: usize, size: usize, same: usize) -> bool {
        self.may_hold(Glimpse { pile, size: Some(size), same: Some(same), items: Vec::new() })
    }

    /// Returns the items that may be at each height of a pile.
    fn items(&self, pile: usize, (least, most): (usize, usize)) -> Option<Vec<Items>> {
        if let Some(items) = self.exact(pile).next() {
            return Some(items.iter().map(|item| Items::one(usize::from(*item))).collect());
        }
        if least != most || !self.reads_items() || most * self.machine.terms.items.len() > MOST_TESTS {
            return None;
        }
        let at = |height: usize, item: usize| Glimpse {
            pile,
            size: Some(most),
            same: None,
            items: vec![(most - height, item as Item)],
        };
        let possible = |height: usize| {
            (0..self.machine.terms.items.len()).filter(|item| self.may_hold(at(height, *item))).collect()
        };
        Some((0..most).map(possible).collect())
    }
}
