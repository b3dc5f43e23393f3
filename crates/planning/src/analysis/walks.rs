//! Macro moves of a mover: what it can reach between two other moves is one edge of the search.
//!
//! A *mover* is a variable that some operators, its *walks*, change alone, while every other operator needs it at one
//! value: the place of the man in Sokoban, or that of a ferry. A solution is a sequence of walks and other moves, so a
//! search may go from one other move to the next at the least cost of the walk between them ("macro moves": Korf 1985;
//! for Sokoban: Junghanns and Schaeffer 2001).
//!
//! If walks cost nothing and each is undone by another, the values that the mover can reach are one *region*, and all
//! states of a region are equally far from a goal. The search then stores one of them, the state with the least value.

use super::flood::{Flood, Gates, Region, RegionOf, RegionView, written};
use super::mover::{Mover, walks_to};
use super::symmetry::Images;
use super::triggers::Triggers;
use crate::packed::{Field, StateLayout, Test, Word};
use crate::task::{MOST_VALUES, Task, Value};
use engine_search::bit_set::BitView;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The walks and the other operators of a packed task, by the mover's value.
pub struct Walks<W> {
    field: Field,
    edges: Vec<Vec<Edge<W>>>,
    /// For each value, those from which a walk leads to it.
    before: Vec<Vec<Value>>,
    /// The other operators, which need the mover at this value, in order.
    others: Vec<Vec<u32>>,
    /// The operators by their triggers, if that pays, and the mover's value that each operator needs.
    triggers: Option<Triggers<W>>,
    needs: Vec<Value>,
    pub has_regions: bool,
    pub is_in_goals: bool,
    /// The cost of every walk, if all cost the same.
    same_cost: Option<u32>,
    /// The walks as sets, if all into a value have the same conditions.
    gates: Option<Gates<W>>,
    /// For each image of a state, the values and what they become, in the order of the latter.
    by_image: Vec<Vec<(Value, Value)>>,
}

/// A region that is found anew after each move.
struct Anew<'a, W, const N: usize> {
    walks: &'a Walks<W>,
    region: Region<N>,
}

impl<W: Word, const N: usize> RegionOf<W> for Anew<'_, W, N> {
    fn region(&self) -> RegionView<'_> {
        BitView::of(self.region.words().as_slice())
    }

    fn write_after<'b>(&self, successor: &W, words: &'b mut [u64]) -> RegionView<'b> {
        written(&self.walks.region::<N>(successor), words)
    }
}

/// A walk from one value of the mover.
struct Edge<W> {
    to: Value,
    cost: u32,
    operator: u32,
    /// The conditions.
    test: Test<W>,
}

/// The values that the mover reaches from a state, and how.
pub struct Reach {
    /// The values in the order in which they were reached: by cost, then by number of walks.
    pub order: Vec<ReachedValue>,
    /// For each value, its number in this order, if it is reached.
    number: Vec<u32>,
}

/// A value that the mover reaches.
#[derive(Clone, Copy)]
pub struct ReachedValue {
    pub value: Value,
    /// The least cost of the walks to it, and their least number at this cost.
    pub distance: (u32, u32),
}

impl Reach {
    /// Begins with none of `size` values.
    fn nowhere(size: usize) -> Reach {
        Reach { order: Vec::with_capacity(64), number: vec![UNREACHED; size] }
    }

    /// Adds what the mover reaches from a value, if each walk costs the same. `next` returns the ends of those that
    /// begin at a value, with the test whether they are open.
    #[inline]
    fn breadth_first<T, I: Iterator<Item = (Value, T)>>(
        &mut self,
        from: Value,
        cost: u32,
        next: impl Fn(Value) -> I,
        is_open: impl Fn(T) -> bool,
    ) {
        self.add(from, (0, 0));
        let mut at = 0;
        while let Some(&ReachedValue { value, distance: (so_far, steps) }) = self.order.get(at) {
            for (to, test) in next(value) {
                if self.is_new(to) && is_open(test) {
                    self.add(to, (so_far + cost, steps + 1));
                }
            }
            at += 1;
        }
    }

    #[inline]
    fn add(&mut self, value: Value, distance: (u32, u32)) {
        self.number[usize::from(value)] = self.order.len() as u32;
        self.order.push(ReachedValue { value, distance });
    }

    /// Returns whether a value is open and not reached yet.
    #[inline]
    fn is_new(&self, value: Value) -> bool {
        self.number[usize::from(value)] == UNREACHED
    }

    /// Returns the values as a set.
    pub fn region(&self) -> Region<{ MOST_VALUES / 64 }> {
        self.order.iter().map(|stop| stop.value).collect()
    }

    /// Returns the number of a value in the order, if it is reached.
    #[inline]
    pub fn number(&self, value: Value) -> Option<u32> {
        Some(self.number[usize::from(value)]).filter(|&number| number < CLOSED)
    }

    /// Returns the least cost of the walks to a value, and their least number at this cost.
    pub fn distance(&self, to: Value) -> Option<(u32, u32)> {
        self.number(to).map(|number| self.order[number as usize].distance)
    }
}

/// In place of a number: no walk leads to the value.
const UNREACHED: u32 = u32::MAX;

/// The state closes the value to the mover.
const CLOSED: u32 = u32::MAX - 1;

impl<W: Word> Walks<W> {
    /// Indexes the walks and the other operators. `dead_ends` holds, for each operator, whether no goal can be reached
    /// after it; it may be empty.
    pub fn new(task: &Task, layout: &StateLayout, images: &Images<W>, mover: &Mover, dead_ends: &[bool]) -> Walks<W> {
        let mut edges: Vec<Vec<Edge<W>>> = (0..task.size(mover.var)).map(|_| Vec::new()).collect();
        let mut others: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
        let mut needs = Vec::with_capacity(task.operators.len());
        for (number, operator) in (0..).zip(&task.operators) {
            let from = operator.condition(mover.var).and_then(|values| values.only()).expect("a mover's one value");
            needs.push(from);
            let is_walk = mover.walks.binary_search(&number).is_ok();
            match walks_to(operator, mover.var).filter(|_| is_walk) {
                Some(to) => {
                    let conditions = operator.conditions.iter().filter(|(var, _)| *var != mover.var);
                    let test = Test::new(layout, conditions);
                    edges[usize::from(from)].push(Edge { to, cost: operator.cost, operator: number, test });
                }
                None if dead_ends.get(number as usize) == Some(&true) => {}
                None => others[usize::from(from)].push(number),
            }
        }
        let mut before: Vec<Vec<Value>> = vec![Vec::new(); edges.len()];
        for (from, edges) in (0..).zip(&edges) {
            edges.iter().for_each(|edge| before[usize::from(edge.to)].push(from));
        }
        before.iter_mut().for_each(Vec::dedup);
        let mut costs = edges.iter().flatten().map(|edge| edge.cost);
        let first = costs.next();
        Walks {
            field: layout.fields[mover.var],
            has_regions: mover.has_regions,
            is_in_goals: mover.is_in_goals(task),
            same_cost: first.filter(|first| costs.all(|cost| cost == *first)),
            gates: Gates::new(task, layout, mover),
            // The mover reaches most places, as a rule.
            triggers: Triggers::new(task, layout, others.iter().flatten().copied(), Some(mover.var))
                .filter(|triggers| triggers.pay(0.75 * others.iter().map(Vec::len).sum::<usize>() as f64)),
            needs,
            by_image: images.permutations().map(|to| to.by_image(mover.var, task.size(mover.var))).collect(),
            edges,
            before,
            others,
        }
    }

    /// Returns the state with the mover at another value.
    #[inline]
    pub fn with_mover_at(&self, word: &W, value: Value) -> W {
        let mut moved = word.clone();
        self.put_mover(&mut moved, value);
        moved
    }

    /// Changes the mover's value.
    #[inline]
    pub fn put_mover(&self, word: &mut W, value: Value) {
        word.clear(self.field);
        word.put(self.field, value);
    }

    #[inline]
    pub fn mover(&self, word: &W) -> Value {
        word.get(self.field)
    }

    /// Calls `visit` with the operators other than walks that may be applicable with the mover at one of these places,
    /// in the order of the places, and of the operators at each. `number_of` is the number of a place in this order.
    #[inline]
    pub fn for_each_other(
        &self,
        word: &W,
        places: impl Iterator<Item = Value>,
        number_of: impl Fn(Value) -> Option<u32>,
        mut visit: impl FnMut(Value, u32),
    ) {
        let Some(triggers) = &self.triggers else {
            return places
                .for_each(|place| self.others[usize::from(place)].iter().for_each(|&number| visit(place, number)));
        };
        let mut found: Vec<(u32, u32, Value)> = Vec::with_capacity(64);
        triggers.for_each(word, |operator| {
            let place = self.needs[operator as usize];
            if let Some(number) = number_of(place) {
                found.push((number, operator, place));
            }
        });
        found.sort_unstable();
        found.iter().for_each(|&(_, operator, place)| visit(place, operator));
    }

    /// Returns the values that walks reach, whatever they cost, by the test of each walk.
    #[inline]
    fn region<const N: usize>(&self, word: &W) -> Region<N> {
        let mut flood = Flood::<N>::from(self.mover(word));
        while let Some(value) = flood.next() {
            for edge in &self.edges[value] {
                if edge.test.holds(word) {
                    flood.reach(edge.to);
                }
            }
        }
        flood.reached
    }

    /// Calls `read` with the region of a state, of as few words as the values allow.
    #[inline]
    pub fn with_region(&self, word: &W, read: &mut dyn FnMut(&dyn RegionOf<W>)) {
        match self.edges.len() {
            ..=128 => self.read_region::<2>(word, read),
            129..=512 => self.read_region::<8>(word, read),
            _ => self.read_region::<{ MOST_VALUES / 64 }>(word, read),
        }
    }

    fn read_region<const N: usize>(&self, word: &W, read: &mut dyn FnMut(&dyn RegionOf<W>)) {
        match &self.gates {
            Some(gates) => read(&gates.known::<N>(word, self.field)),
            None => read(&Anew { walks: self, region: self.region::<N>(word) }),
        }
    }

    /// Returns the least representative of the images of a state with this region.
    #[inline]
    pub fn representative(&self, images: &Images<W>, word: W, region: RegionView) -> W {
        images.canonical_by(word, |image, word| {
            let least = match image.checked_sub(1) {
                None => region.first(),
                Some(image) => {
                    let is_here = |(value, _): &&(Value, Value)| region.contains(*value);
                    self.by_image[image].iter().find(is_here).map(|&(_, becomes)| becomes)
                }
            };
            self.with_mover_at(&word, least.expect("the mover is in its region"))
        })
    }

    /// Finds the cheapest walks (Dijkstra 1959; breadth-first if all walks cost the same).
    pub fn reach(&self, word: &W) -> Reach {
        let mover = self.mover(word);
        match (self.same_cost, &self.gates) {
            (Some(cost), Some(gates)) => {
                let mut reach = Reach::nowhere(self.edges.len());
                gates.for_each_closed(word, |value| reach.number[usize::from(value)] = CLOSED);
                reach.breadth_first(mover, cost, |at| gates.next(at).iter().map(|&to| (to, ())), |()| true);
                reach
            }
            (Some(cost), None) => {
                let next = |at: Value| self.edges[usize::from(at)].iter().map(|edge| (edge.to, &edge.test));
                let mut reach = Reach::nowhere(self.edges.len());
                reach.breadth_first(mover, cost, next, |test| test.holds(word));
                reach
            }
            (None, _) => self.cheapest_first(word),
        }
    }

    fn cheapest_first(&self, word: &W) -> Reach {
        let mover = self.mover(word);
        let mut reach = Reach::nowhere(self.edges.len());
        let mut least = vec![(u32::MAX, u32::MAX); self.edges.len()];
        least[usize::from(mover)] = (0, 0);
        let mut open = BinaryHeap::from([Reverse((0, 0, mover))]);
        while let Some(Reverse((so_far, steps, at))) = open.pop() {
            if !reach.is_new(at) {
                continue;
            }
            reach.add(at, (so_far, steps));
            for edge in &self.edges[usize::from(at)] {
                let through = (so_far + edge.cost, steps + 1);
                if through < least[usize::from(edge.to)] && edge.test.holds(word) {
                    least[usize::from(edge.to)] = through;
                    open.push(Reverse((through.0, through.1, edge.to)));
                }
            }
        }
        reach
    }

    /// Returns the operators of a cheapest walk to a value that can be reached: of all cheapest walks with the fewest
    /// moves, the first in the order of the moves.
    pub fn walk(&self, word: &W, to: Value) -> Vec<u32> {
        let reach = self.reach(word);
        let joins = |from: Value, edge: &Edge<W>| {
            let through = reach.distance(from).map(|(cost, steps)| (cost + edge.cost, steps + 1));
            through.is_some() && through == reach.distance(edge.to) && edge.test.holds(word)
        };
        // The values from which such a walk goes on to the end.
        let mut leads_there = vec![false; self.edges.len()];
        leads_there[usize::from(to)] = true;
        let mut open = vec![to];
        while let Some(at) = open.pop() {
            for &from in &self.before[usize::from(at)] {
                let mut edges = self.edges[usize::from(from)].iter().filter(|edge| edge.to == at);
                if !leads_there[usize::from(from)] && edges.any(|edge| joins(from, edge)) {
                    leads_there[usize::from(from)] = true;
                    open.push(from);
                }
            }
        }
        let (mut at, mut walk) = (self.mover(word), Vec::new());
        while at != to {
            let is_next = |edge: &&Edge<W>| leads_there[usize::from(edge.to)] && joins(at, edge);
            let next = self.edges[usize::from(at)].iter().find(is_next).expect("the walk goes on to its end");
            walk.push(next.operator);
            at = next.to;
        }
        walk
    }
}
