//! The heuristic `obstruction`: how far the pieces of a goal have to go, and what is in their way.
//!
//! For each place of the goal, it is the least sum, over all ways of a piece that may have the place, of its steps and of
//! twice the cells of other pieces that it would cover on the way, counted at each step. It overestimates: one move may
//! take several steps, or clear several cells. So it proves nothing. It tells a search what to clear, where
//! `goal-distance` is the same for nearly all states.

use super::bits::{Bits, Packed};
use super::layout::Layout;
use super::pieces::{Class, Pieces};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The weight of a covered cell; a step counts 1.
const COVERED: u32 = 2;

/// More than any way of the largest board.
const NO_WAY: u32 = 1 << 24;

/// The places of each goal.
pub(super) struct Obstruction {
    goals: Vec<Vec<Place>>,
}

/// A place of a goal: the classes whose pieces it may have, and its anchor.
struct Place {
    classes: Vec<usize>,
    at: u32,
}

impl Obstruction {
    pub fn new(layout: &Layout) -> Obstruction {
        let place = |placement: &super::layout::Placement| Place {
            classes: placement.classes.clone(),
            at: placement.at.into(),
        };
        Obstruction { goals: layout.goals.iter().map(|goal| goal.iter().map(place).collect()).collect() }
    }

    /// Returns the least sum over the goals.
    pub fn h<B: Bits, K: Packed>(&self, pieces: &Pieces<B>, key: &K) -> u32 {
        let empty = pieces.empty(key);
        let of_place = |place: &Place| {
            let mut least = NO_WAY;
            for class in place.classes.iter().map(|&class| &pieces.classes[class]) {
                B::load(key, &class.field).for_each(|from| least = least.min(way(class, from, place.at, empty)));
            }
            least
        };
        let of_goal = |goal: &Vec<Place>| goal.iter().map(of_place).fold(0, u32::saturating_add);
        self.goals.iter().map(of_goal).min().unwrap_or(0).min(NO_WAY)
    }
}

/// Returns the least sum over the ways of a piece, by Dijkstra's algorithm.
fn way<B: Bits>(class: &Class<B>, from: u32, to: u32, empty: B) -> u32 {
    // The piece is not in its own way.
    let free = empty | class.shape.cover(B::single(from));
    let mut sums = vec![NO_WAY; B::CELLS];
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    sums[from as usize] = 0;
    while let Some(Reverse((sum, at))) = open.pop() {
        if at == to {
            return sum;
        }
        if sum > sums[at as usize] {
            continue;
        }
        class.for_each_step(at, |next| {
            let covered = (class.shape.cover(B::single(next)) & !free).count();
            let sum = sum + 1 + COVERED * covered;
            if sum < sums[next as usize] {
                sums[next as usize] = sum;
                open.push(Reverse((sum, next)));
            }
        });
    }
    NO_WAY
}
