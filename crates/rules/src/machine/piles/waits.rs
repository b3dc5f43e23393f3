//! Circles of items that wait for each other.
//!
//! The least number of items of a graph that meet each of its circles (a minimum feedback vertex set) by the reductions
//! of Levy and Low (A contraction algorithm for finding small cycle cutsets, 1988) and, where these end, by branching.

/// A set of items of the graph.
pub(super) type Mask = u64;

/// The most items of a graph.
pub(super) const MOST_ITEMS: usize = Mask::BITS as usize;

/// The most branchings for one graph. After them the answer is a lower bound.
const MOST_BRANCHES: u32 = 1 << 12;

/// A directed graph of items.
#[derive(Clone)]
pub(super) struct Waits {
    items: Mask,
    /// For each item, those that wait for it, and those that it waits for.
    after: [Mask; MOST_ITEMS],
    before: [Mask; MOST_ITEMS],
}

/// Calls `each` with the items of a set.
fn for_each(mut set: Mask, mut each: impl FnMut(usize)) {
    while set != 0 {
        each(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

impl Waits {
    pub fn new() -> Waits {
        Waits { items: 0, after: [0; MOST_ITEMS], before: [0; MOST_ITEMS] }
    }

    /// Adds an item, with those that wait for it.
    pub fn add(&mut self, item: usize, after: Mask) {
        self.items |= 1 << item;
        self.after[item] = after;
    }

    /// Returns how many items at least meet all circles, once all items are added.
    pub fn least_cut(mut self) -> u32 {
        // An item that waits for none or for which none waits is in no circle.
        loop {
            let (mut awaited, mut waiting) = (0, 0);
            for_each(self.items, |item| {
                let after = self.after[item] & self.items;
                awaited |= Mask::from(after != 0) << item;
                waiting |= after;
            });
            if awaited & waiting == self.items {
                break;
            }
            self.items = awaited & waiting;
        }
        let items = self.items;
        for_each(items, |item| {
            self.after[item] &= items;
            for_each(self.after[item], |later| self.before[later] |= 1 << item);
        });
        let mut branches = MOST_BRANCHES;
        self.cut(u32::MAX, &mut branches)
    }

    /// Removes an item with its edges.
    fn remove(&mut self, item: usize) {
        let without = !(1 << item);
        self.items &= without;
        for_each(self.before[item], |earlier| self.after[earlier] &= without);
        for_each(self.after[item], |later| self.before[later] &= without);
    }

    /// Removes an item, and joins its neighbours: the circles through it stay circles.
    fn bypass(&mut self, item: usize) {
        self.remove(item);
        let (before, after) = (self.before[item], self.after[item]);
        for_each(before, |earlier| self.after[earlier] |= after);
        for_each(after, |later| self.before[later] |= before);
    }

    /// Removes what needs no choice; returns the number of items that any cut has.
    fn reduce(&mut self) -> u32 {
        let mut forced = 0;
        loop {
            let before = self.items;
            for_each(before, |item| {
                let is_few = |set: Mask| set & set.wrapping_sub(1) == 0;
                if self.after[item] >> item & 1 == 1 {
                    forced += 1;
                    self.remove(item);
                } else if is_few(self.before[item]) || is_few(self.after[item]) {
                    // Every circle through the item passes its only neighbour.
                    self.bypass(item);
                }
            });
            if self.items == before {
                return forced;
            }
        }
    }

    /// Returns a number of circles without common items: circles of two, or any one.
    fn disjoint(&self) -> u32 {
        let (mut left, mut count) = (self.items, 0);
        for_each(self.items, |item| {
            let other = self.after[item] & self.before[item] & left & !(1 << item);
            if left >> item & 1 == 1 && other != 0 {
                left &= !(1 << item | other & other.wrapping_neg());
                count += 1;
            }
        });
        count.max(u32::from(self.items != 0))
    }

    /// Returns the least cut, or `most` if that is less.
    fn cut(&mut self, most: u32, branches: &mut u32) -> u32 {
        let forced = self.reduce();
        if self.items == 0 || forced >= most {
            return forced.min(most);
        }
        let most = most - forced;
        let least = self.disjoint();
        if least >= most || *branches == 0 {
            return forced + least.min(most);
        }
        *branches -= 1;
        let (mut at, mut edges) = (0, 0);
        for_each(self.items, |item| {
            let here = self.before[item].count_ones() * self.after[item].count_ones();
            if here > edges {
                (at, edges) = (item, here);
            }
        });
        let mut without = self.clone();
        without.remove(at);
        let with_it = 1 + without.cut(most - 1, branches);
        self.bypass(at);
        forced + self.cut(with_it.min(most), branches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the least cut by trying all sets.
    fn plain(count: usize, after: &[Mask]) -> u32 {
        let is_cut = |cut: Mask| {
            let mut left = ((1 << count) - 1) & !cut;
            loop {
                let before = left;
                for_each(before, |item| {
                    if after[item] & left == 0 {
                        left &= !(1 << item);
                    }
                });
                if left == before {
                    return left == 0;
                }
            }
        };
        (0..1 << count).filter(|cut| is_cut(*cut)).map(Mask::count_ones).min().unwrap_or(0)
    }

    #[test]
    fn the_cut_is_the_least() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        for round in 0..400 {
            let count = 2 + (random() % 8) as usize;
            let density = 1 + round % 6;
            let mut after: Vec<Mask> = vec![0; count];
            for after in &mut after {
                for later in 0..count {
                    *after |= Mask::from(random() % 8 < density) << later;
                }
            }
            let mut waits = Waits::new();
            (0..count).for_each(|item| waits.add(item, after[item]));
            assert_eq!(waits.least_cut(), plain(count, &after), "{after:?}");
        }
    }
}
