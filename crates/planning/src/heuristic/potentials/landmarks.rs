//! The rows of landmarks: operators whose losses leave a part of their costs to the landmarks that they are in.

use crate::heuristic::facts::{Loss, cheapest};

/// Some landmarks, as constraints on their shares of the costs.
#[derive(Default)]
pub struct Landmarks<'a> {
    pub number: usize,
    /// For each loss and the landmarks of its operators, the least cost.
    least: Vec<((&'a Loss, Vec<usize>), u32)>,
}

impl<'a> Landmarks<'a> {
    /// Returns the constraints of landmarks: sets of operators, whose losses and costs are given.
    pub fn new(landmarks: &[Vec<u32>], losses: &'a [(Loss, u32)]) -> Landmarks<'a> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); losses.len()];
        for (number, operators) in landmarks.iter().enumerate() {
            operators.iter().for_each(|&operator| members[operator as usize].push(number));
        }
        let within = losses.iter().zip(members).filter(|(_, within)| !within.is_empty());
        let costs = within.map(|((loss, cost), within)| ((loss, within), *cost)).collect();
        Landmarks { number: landmarks.len(), least: cheapest(costs) }
    }

    /// Returns the losses, each with its cost and the landmarks that take shares of it.
    pub fn rows(&self) -> impl Iterator<Item = (&'a Loss, u32, &[usize])> {
        self.least.iter().map(|((loss, within), cost)| (*loss, *cost, &within[..]))
    }
}
