//! The cheapest element of a coset of a null space: in terms of codes, the weight of a coset leader.
//!
//! A Gray code visits all elements of a coset with one addition each. That is done for one state in many: neighbouring
//! states have vectors that differ by few moves, so what is cheap for one is nearly as cheap for the other. Let c be
//! the cost, which is subadditive, x a vector with its coset and d a difference. If e is in the coset of x + d, then e
//! − d is in that of x, and c(e) ≥ c(e − d) − c(−d). So the cheapest element for x + d comes from a cheap one for x,
//! and a list of these is short. Along a shortest path the inequality is tight: each move lowers the least cost by what
//! it adds to c(−d). So one list serves as long as a cheap d is found.

use super::digits::{Prices, Vector};
use std::sync::{Arc, Mutex, PoisonError};

/// Cosets of this many elements get no list.
const FEW: u64 = 16;

/// The most elements of a list.
const MOST_NEAR: usize = 1 << 12;

/// The elements of a list cost up to this many times as much as the dearest digit more than the cheapest element: the
/// children of the vector need `LEAST_SLACK`, the rest is for more distant ones.
const MOST_SLACK: u64 = 8;
const LEAST_SLACK: u64 = 4;

/// A list that misses this many vectors more than it serves is not asked again: the vectors are unlike each other, as
/// images under symmetries are.
const MOST_MISSES: i32 = 8;

/// The null space, with the prices of its vectors.
pub(super) struct Cosets<V> {
    field: u16,
    basis: Vec<V>,
    elements: u64,
    prices: Prices,
    /// The list that was made last.
    near: Mutex<Option<Arc<Near<V>>>>,
}

/// The cheap elements of one coset.
struct Near<V> {
    vector: V,
    /// All elements that cost at most `within`, in ascending order of their costs.
    elements: Vec<(u64, V)>,
    within: u64,
}

/// Computes the costs of coset leaders one after the other.
pub(super) struct Leaders<'a, V> {
    cosets: &'a Cosets<V>,
    near: Option<Arc<Near<V>>>,
    /// True if a list may be made.
    lists: bool,
    /// The vectors that were too far from the list, minus those that were not.
    misses: i32,
}

impl<V: Vector> Cosets<V> {
    /// Creates the cosets of a null space with this basis; `None` if they have more than `most` elements.
    pub fn new(field: u16, basis: Vec<V>, prices: Prices, most: u64) -> Option<Cosets<V>> {
        let elements = u64::from(field).checked_pow(basis.len() as u32).filter(|&elements| elements <= most)?;
        Some(Cosets { field, basis, elements, prices, near: Mutex::new(None) })
    }

    /// Returns the number of elements of a coset.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// Returns the bytes of the tables, with the longest list that there may be.
    pub fn bytes(&self) -> u64 {
        let listed = if self.elements > FEW { self.elements.min(MOST_NEAR as u64) } else { 0 };
        (self.basis.len() as u64 + listed) * V::bytes(self.prices.places()) + self.prices.bytes()
    }

    /// Returns whether the vector that was last without a list got one.
    pub fn has_list(&self) -> bool {
        self.cached().is_some()
    }

    fn cached(&self) -> Option<Arc<Near<V>>> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prepares for some vectors, which may have much in common with each other and with those before.
    pub fn leaders(&self) -> Leaders<'_, V> {
        let lists = self.elements > FEW;
        Leaders { cosets: self, near: if lists { self.cached() } else { None }, lists, misses: 0 }
    }

    /// Calls `visit` with each element of the coset of a vector, in the order of the modular Gray code: step s adds the
    /// basis vector whose number is that of the trailing zeros of s in base p.
    #[inline]
    fn for_each(&self, vector: &V, mut visit: impl FnMut(&V)) {
        let mut at = vector.clone();
        visit(&at);
        for step in 1..self.elements {
            at.add(&self.basis[self.trailing_zeros(step)], 1);
            visit(&at);
        }
    }

    #[inline]
    fn trailing_zeros(&self, step: u64) -> usize {
        if self.field == 2 {
            return step.trailing_zeros() as usize;
        }
        let (mut zeros, mut step) = (0, step);
        while step.is_multiple_of(self.field.into()) {
            (zeros, step) = (zeros + 1, step / u64::from(self.field));
        }
        zeros
    }

    /// Returns the cost of the cheapest element, of all.
    pub fn least(&self, vector: &V) -> u64 {
        let mut least = u64::MAX;
        self.for_each(vector, |element| least = least.min(element.cost(&self.prices)));
        least
    }

    /// Returns the cost of the cheapest element, and a list unless that would be too long.
    fn near(&self, vector: &V) -> (u64, Option<Near<V>>) {
        let dearest = self.prices.dearest;
        let (mut least, mut slack) = (u64::MAX - MOST_SLACK * dearest, MOST_SLACK * dearest);
        let mut elements: Vec<(u64, V)> = Vec::new();
        self.for_each(vector, |element| {
            let cost = element.cost(&self.prices);
            least = least.min(cost);
            // Without slack, the list was given up.
            if slack == 0 || cost > least + slack {
                return;
            }
            if elements.len() == MOST_NEAR {
                elements.retain(|&(cost, _)| cost <= least + slack);
            }
            while elements.len() == MOST_NEAR {
                slack = if slack > LEAST_SLACK * dearest { slack - dearest } else { 0 };
                elements.retain(|&(cost, _)| slack > 0 && cost <= least + slack);
            }
            if slack > 0 && cost <= least + slack {
                elements.push((cost, element.clone()));
            }
        });
        if slack == 0 {
            return (least, None);
        }
        let within = least + slack;
        elements.retain(|&(cost, _)| cost <= within);
        elements.sort_by_key(|&(cost, _)| cost);
        (least, Some(Near { vector: vector.clone(), elements, within }))
    }

    /// Lowers the cost of a vector by elements of the null space, as far as single steps do so.
    fn reduce(&self, vector: &mut V) {
        let mut cost = vector.cost(&self.prices);
        while cost > 2 * self.prices.dearest {
            let mut best = (cost, None);
            for basis in &self.basis {
                let mut multiple = basis.clone();
                for times in 1..self.field {
                    if times > 1 {
                        multiple.add(basis, 1);
                    }
                    let cost = vector.cost_of_sum(&multiple, &self.prices);
                    if cost < best.0 {
                        best = (cost, Some((basis, times)));
                    }
                }
            }
            let (lower, Some((basis, times))) = best else { break };
            vector.add(basis, times);
            cost = lower;
        }
    }

    /// Returns the cost of the cheapest element, if the list proves it.
    fn least_near(&self, near: &Near<V>, vector: &V) -> Option<u64> {
        let mut difference = vector.clone();
        difference.add(&near.vector, self.field - 1);
        self.reduce(&mut difference);
        let back = match self.field {
            2 => difference.cost(&self.prices),
            _ => {
                let mut back = difference.clone();
                back.add(&difference, self.field - 2);
                back.cost(&self.prices)
            }
        };
        let mut least = u64::MAX;
        for (cost, element) in &near.elements {
            // This element and all after it lead to ones that are no cheaper.
            if *cost >= least.saturating_add(back) {
                return Some(least);
            }
            least = least.min(element.cost_of_sum(&difference, &self.prices));
        }
        // An element that is not in the list costs more than `within`.
        (least.saturating_add(back) <= near.within + 1).then_some(least)
    }
}

impl<V: Vector> Leaders<'_, V> {
    /// Returns the cost of the cheapest element of a vector's coset.
    pub fn cost(&mut self, vector: &V) -> u64 {
        let cosets = self.cosets;
        if cosets.prices.dearest == 0 {
            return 0;
        }
        if let Some(near) = self.near.as_ref().filter(|_| self.misses < MOST_MISSES) {
            if let Some(least) = cosets.least_near(near, vector) {
                self.misses -= 1;
                return least;
            }
            self.misses += 1;
        }
        if !self.lists {
            return cosets.least(vector);
        }
        self.lists = false;
        let (least, near) = cosets.near(vector);
        self.near = near.map(Arc::new);
        cosets.near.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&self.near);
        least
    }
}
