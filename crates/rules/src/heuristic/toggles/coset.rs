//! The cheapest element of a coset of a null space: in terms of codes, the weight of a coset leader.
//!
//! A Gray code visits all elements of a coset with one addition each. For the children of one state there is a shorter
//! way. Their vectors differ from each other by two moves, so what is cheap for one is nearly as cheap for all: let c be
//! the cost, which is subadditive, x a vector with its coset and d a difference. If e is in the coset of x + d, then
//! e − d is in that of x, and c(e) ≥ c(e − d) − c(−d). So the cheapest element for x + d is among the cheap elements
//! for x, which are few and are found once.

use super::digits::{Prices, Vector};

/// The elements that are visited in any case: no list of cheap ones is shorter.
const FEW: u64 = 16;

/// The most elements in a list of cheap ones.
const MOST_NEAR: usize = 1 << 12;

/// A list that misses this many vectors more than it serves is not asked again: the vectors are unlike each other, as
/// images under symmetries are.
const MOST_MISSES: i32 = 8;

/// The null space, with the prices of its vectors.
pub(super) struct Cosets<V> {
    field: u16,
    basis: Vec<V>,
    elements: u64,
    prices: Prices,
}

/// The cheap elements of one coset.
struct Near<V> {
    vector: V,
    elements: Vec<V>,
    /// All elements of at most this cost are in the list.
    within: u64,
}

/// Computes the costs of coset leaders one after the other.
pub(super) struct Leaders<'a, V> {
    cosets: &'a Cosets<V>,
    near: Option<Near<V>>,
    /// Whether the next vector gets a list.
    lists: bool,
    /// The vectors that were too far from the list, minus those that were not.
    misses: i32,
}

impl<V: Vector> Cosets<V> {
    /// Creates the cosets of a null space with this basis; `None` if they have more than `most` elements.
    pub fn new(field: u16, basis: Vec<V>, prices: Prices, most: u64) -> Option<Cosets<V>> {
        let elements = u64::from(field).checked_pow(basis.len() as u32).filter(|&elements| elements <= most)?;
        Some(Cosets { field, basis, elements, prices })
    }

    /// Returns the number of elements of a coset.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    pub fn bytes(&self) -> u64 {
        self.basis.len() as u64 * V::bytes(self.prices.places()) + self.prices.bytes()
    }

    /// Prepares for some vectors, which may have much in common.
    pub fn leaders(&self, vectors: usize) -> Leaders<'_, V> {
        Leaders { cosets: self, near: None, lists: vectors > 1 && self.elements > FEW, misses: 0 }
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

    /// Returns the cost of the cheapest element.
    fn least(&self, vector: &V) -> u64 {
        let mut least = u64::MAX;
        self.for_each(vector, |element| least = least.min(element.cost(&self.prices)));
        least
    }

    /// Lists the elements that the cheapest one may come from for vectors that differ by up to two digits; `None` if
    /// they are too many.
    fn near(&self, vector: &V) -> (u64, Option<Near<V>>) {
        let slack = 4 * self.prices.dearest;
        let (mut least, mut elements, mut fits) = (u64::MAX, Vec::new(), true);
        self.for_each(vector, |element| {
            let cost = element.cost(&self.prices);
            least = least.min(cost);
            if fits && cost <= least + slack {
                if elements.len() == MOST_NEAR {
                    elements.retain(|&(cost, _)| cost <= least + slack);
                    fits = elements.len() < MOST_NEAR;
                }
                elements.push((cost, element.clone()));
            }
        });
        let within = least + slack;
        let elements = elements.into_iter().filter(|&(cost, _)| cost <= within).map(|(_, element)| element);
        let near = fits.then(|| Near { vector: vector.clone(), elements: elements.collect(), within });
        (least, near)
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

    /// Returns the cost of the cheapest element, if it must be in the list or come from one in it.
    fn least_near(&self, near: &Near<V>, vector: &V) -> Option<u64> {
        let mut difference = vector.clone();
        difference.add(&near.vector, self.field - 1);
        self.reduce(&mut difference);
        let mut back = difference.clone();
        if self.field > 2 {
            back.add(&difference, self.field - 2);
        }
        let back = back.cost(&self.prices);
        // The list is for nearer vectors.
        if back > 2 * self.prices.dearest {
            return None;
        }
        let costs = near.elements.iter().map(|element| element.cost_of_sum(&difference, &self.prices));
        // An element that is not in the list costs more than `within`.
        costs.min().filter(|&least| least + back <= near.within + 1)
    }
}

impl<V: Vector> Leaders<'_, V> {
    /// Returns the cost of the cheapest element of a vector's coset.
    pub fn cost(&mut self, vector: &V) -> u64 {
        let cosets = self.cosets;
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
        self.near = near;
        least
    }
}
