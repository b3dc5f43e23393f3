//! The rows of landmarks: operators whose losses leave a part of their costs to the landmarks that they are in.

use crate::heuristic::facts::Loss;
use std::collections::BTreeMap;

/// Some landmarks, as constraints on their shares of the costs.
#[derive(Default)]
pub(in super::super) struct Landmarks<'a> {
    pub number: usize,
    /// For each loss and the landmarks of its operators, the least cost.
    least: BTreeMap<(&'a Loss, Vec<usize>), u32>,
}

impl<'a> Landmarks<'a> {
    /// Returns the constraints of landmarks: sets of operators, whose losses and costs are given.
    pub fn new(landmarks: &[Vec<u32>], losses: &'a [(Loss, u32)]) -> Landmarks<'a> {
        let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, operators) in landmarks.iter().enumerate() {
            operators.iter().for_each(|&operator| members.entry(operator).or_default().push(number));
        }
        let mut least = BTreeMap::new();
        for (operator, within) in members {
            let (loss, cost) = &losses[operator as usize];
            let known: &mut u32 = least.entry((loss, within)).or_insert(*cost);
            *known = (*known).min(*cost);
        }
        Landmarks { number: landmarks.len(), least }
    }

    /// Returns the losses, each with its cost and the landmarks that take shares of it.
    pub fn rows(&self) -> impl Iterator<Item = (&'a Loss, u32, &[usize])> {
        self.least.iter().map(|((loss, within), cost)| (*loss, *cost, &within[..]))
    }
}
