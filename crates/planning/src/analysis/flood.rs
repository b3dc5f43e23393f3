//! The values that a mover reaches by free walks, as a flood fill: from scratch, or from the region before a move.
//!
//! A move changes few values: it closes some for the mover and opens others. If the rest of the region is still joined
//! around each value that it closes, only what it opens is left to be filled.

use super::mover::{Mover, walks_to};
use crate::packed::{Field, StateLayout, Word};
use crate::task::{Condition, Task, Value, Values, Var};
use engine_search::bit_set::{BitView, FixedSet};
use rustc_hash::FxHashMap;

/// A set of values of the mover, all below 64 `N`.
pub(crate) type Region<const N: usize> = FixedSet<Value, N>;

/// A region of any length.
pub(crate) type RegionView<'a> = BitView<'a, Value>;

/// A flood fill of the values that the mover reaches.
pub(crate) struct Flood<const N: usize> {
    pub reached: Region<N>,
    /// Those of them from which the walks are still to be followed; none is in a word before `at`.
    open: Region<N>,
    at: usize,
}

impl<const N: usize> Flood<N> {
    /// Begins with values from which all walks are known to end in them.
    #[inline]
    fn of(reached: Region<N>) -> Flood<N> {
        Flood { reached, open: Region::NONE, at: N }
    }

    #[inline]
    pub fn from(value: Value) -> Flood<N> {
        let mut flood = Flood::of(Region::NONE);
        flood.reach(value);
        flood
    }

    #[inline]
    pub fn reach(&mut self, value: Value) {
        if self.reached.insert(value) {
            self.open.insert(value);
            self.at = self.at.min(usize::from(value) / 64);
        }
    }

    #[inline]
    pub fn next(&mut self) -> Option<usize> {
        let words = self.open.words_mut();
        while words.get(self.at) == Some(&0) {
            self.at += 1;
        }
        let open = words.get_mut(self.at)?;
        let value = self.at * 64 + open.trailing_zeros() as usize;
        *open &= *open - 1;
        Some(value)
    }
}

/// The most values that one value of a variable may close.
const MOST_CLOSED: usize = 8;

/// For walks whose conditions depend on the new value alone: what decides whether the mover may have a value.
pub(crate) struct Gates<W> {
    /// The bits of which each decides on one value, and their values that let the mover pass.
    mask: W,
    open: W,
    /// The mover's value of each bit.
    value_of: Vec<Value>,
    /// For each value of larger variables, such as the place of the only box, the values that it closes.
    by_value: Vec<(Field, Vec<Vec<Value>>)>,
    /// For each value, those that one walk reaches.
    next: Vec<Vec<Value>>,
    /// For each value, how those next to it are joined without it.
    links: Vec<Vec<Link>>,
}

/// Two values next to another one that are joined through a third one, or with each other.
struct Link {
    /// Their numbers in the list of values next to it, as bits.
    ends: u64,
    /// The third value, or one of the two.
    through: Value,
}

impl<W: Word> Gates<W> {
    pub fn new(task: &Task, layout: &StateLayout, mover: &Mover) -> Option<Gates<W>> {
        let size = task.size(mover.var);
        let mut conditions: Vec<Option<Vec<Condition>>> = vec![None; size];
        let mut next: Vec<Vec<Value>> = vec![Vec::new(); size];
        let in_cells = InCells::of(task, mover.var);
        for operator in mover.walks.iter().map(|&number| &task.operators[number as usize]) {
            let from = operator.condition(mover.var)?.only()?;
            let to = walks_to(operator, mover.var)?;
            next[usize::from(from)].push(to);
            let others = operator.conditions.iter().filter(|(var, _)| *var != mover.var);
            let others = others.filter_map(|condition| in_cells.without_mover(from, condition));
            let others: Vec<Condition> = others.collect();
            if *conditions[usize::from(to)].get_or_insert_with(|| others.clone()) != others {
                return None;
            }
        }
        let (mut mask, mut open) = (W::zero(layout.bits), W::zero(layout.bits));
        let mut value_of = vec![0; layout.bits];
        let mut by_value: Vec<Vec<Vec<Value>>> = vec![Vec::new(); layout.fields.len()];
        for (value, conditions) in (0..).zip(&conditions) {
            let mut has_bit = false;
            for (var, values) in conditions.iter().flatten() {
                let field = layout.fields[*var];
                let Some(bit) = field.bit() else {
                    let closed_by = &mut by_value[*var];
                    closed_by.resize(task.size(*var), Vec::new());
                    let closing = Values::below(task.size(*var)).without(values);
                    closing.iter().for_each(|of| closed_by[usize::from(of)].push(value));
                    continue;
                };
                // Two values with the same gate, or two gates of one value.
                if mask.get(field) != 0 || std::mem::replace(&mut has_bit, true) {
                    return None;
                }
                mask.put(field, 1);
                open.put(field, values.only()?);
                value_of[bit] = value;
            }
        }
        if by_value.iter().flatten().any(|closed| closed.len() > MOST_CLOSED) {
            return None;
        }
        let by_value = layout.fields.iter().copied().zip(by_value).filter(|(_, closed)| !closed.is_empty()).collect();
        Some(Gates { mask, open, value_of, by_value, links: links(&next), next })
    }

    /// Returns the region of a state from which those of its successors follow. Each walk must be undone by another.
    pub fn known<const N: usize>(&self, word: &W, mover: Field) -> Known<'_, W, N> {
        let mut closed_by_bits = Region::NONE;
        word.for_each_difference(&self.open, &self.mask, |bit| closed_by_bits.toggle(self.value_of[bit]));
        let closed = self.closed_with(closed_by_bits, word);
        let region = self.fill(&closed, Flood::from(word.get(mover)));
        Known { gates: self, mover, word: word.clone(), closed_by_bits, closed, region }
    }

    /// Calls `visit` with each value that a state closes to the mover, some of them several times.
    #[inline]
    pub fn for_each_closed(&self, word: &W, mut visit: impl FnMut(Value)) {
        word.for_each_difference(&self.open, &self.mask, |bit| visit(self.value_of[bit]));
        self.for_each_closed_by_value(word, visit);
    }

    /// Calls `visit` with each value that larger variables close.
    #[inline]
    fn for_each_closed_by_value(&self, word: &W, mut visit: impl FnMut(Value)) {
        for (field, closed) in &self.by_value {
            closed[usize::from(word.get(*field))].iter().for_each(|&value| visit(value));
        }
    }

    /// Returns the values that one walk from a value reaches if they are not closed.
    #[inline]
    pub fn next(&self, value: Value) -> &[Value] {
        &self.next[usize::from(value)]
    }

    /// Returns the values that bits close, and those that larger variables close.
    #[inline]
    fn closed_with<const N: usize>(&self, closed_by_bits: Region<N>, word: &W) -> Region<N> {
        let mut all = closed_by_bits;
        self.for_each_closed_by_value(word, |value| _ = all.insert(value));
        all
    }

    #[inline]
    fn fill<const N: usize>(&self, closed: &Region<N>, mut flood: Flood<N>) -> Region<N> {
        while let Some(value) = flood.next() {
            for &to in &self.next[value] {
                if !closed.contains(to) {
                    flood.reach(to);
                }
            }
        }
        flood.reached
    }

    /// Returns whether values stay joined without one that joined them.
    #[inline]
    fn stay_joined<const N: usize>(&self, values: &Region<N>, without: Value) -> bool {
        let next = &self.next[usize::from(without)];
        if next.len() > 64 {
            return false;
        }
        let here =
            (0..).zip(next).fold(0_u64, |here, (number, &value)| here | u64::from(values.contains(value)) << number);
        let mut joined = here & here.wrapping_neg();
        while joined != here {
            let before = joined;
            for &Link { ends, through } in &self.links[usize::from(without)] {
                if ends & joined != 0 && ends & !here == 0 && values.contains(through) {
                    joined |= ends;
                }
            }
            if joined == before {
                return false;
            }
        }
        true
    }
}

/// The values of other unique symbols that stand for the same cells as those of the mover.
struct InCells<'a> {
    task: &'a Task,
    /// For each value of the mover, the value of each variable for the same cell.
    values: Vec<FxHashMap<Var, Value>>,
}

impl InCells<'_> {
    fn of(task: &Task, mover: Var) -> InCells<'_> {
        let mover = &task.variables[mover];
        let mut values = vec![FxHashMap::default(); mover.values.len()];
        if mover.place_of().is_some() {
            let cells: FxHashMap<&String, usize> = mover.values.iter().zip(0..).collect();
            for (var, variable) in task.variables.iter().enumerate().filter(|(_, other)| other.place_of().is_some()) {
                for (value, cell) in (0..).zip(variable.values.iter()) {
                    cells.get(cell).into_iter().for_each(|&at| _ = values[at].insert(var, value));
                }
            }
        }
        InCells { task, values }
    }

    /// Returns the part of a condition that does not follow from this: no other unique symbol is in the mover's cell.
    /// Returns `None` if all of it follows.
    fn without_mover(&self, from: Value, (var, values): &Condition) -> Option<Condition> {
        let mut values = values.clone();
        values.extend(self.values[usize::from(from)].get(var).copied());
        (values.len() < self.task.size(*var)).then_some((*var, values))
    }
}

fn links(next: &[Vec<Value>]) -> Vec<Vec<Link>> {
    let are_joined = |one: Value, other: Value| next[usize::from(one)].contains(&other);
    let of = |value: Value| {
        let around = &next[usize::from(value)];
        let mut links = Vec::new();
        // Numbers of more values do not fit into the bits.
        for (number, &one) in around.iter().enumerate().take(64) {
            for (less, &other) in around[..number].iter().enumerate() {
                let ends = 1 << number | 1 << less;
                if are_joined(one, other) {
                    links.push(Link { ends, through: one });
                }
                let others = next[usize::from(one)].iter().filter(|&&third| third != value && are_joined(third, other));
                links.extend(others.map(|&through| Link { ends, through }));
            }
        }
        links
    };
    (0..next.len()).map(|value| of(value as Value)).collect()
}

/// The region of a state, from which those of its successors follow.
pub trait RegionOf<W> {
    /// Returns the region.
    fn region(&self) -> RegionView<'_>;

    /// Writes the region of a successor into the first of some words, and returns these.
    fn write_after<'b>(&self, successor: &W, words: &'b mut [u64]) -> RegionView<'b>;
}

/// Writes a region into the first of some words.
#[inline]
pub(crate) fn written<'b, const N: usize>(region: &Region<N>, words: &'b mut [u64]) -> RegionView<'b> {
    words[..N].copy_from_slice(region.words());
    BitView::of(&words[..N])
}

/// A region that gates determine.
pub(crate) struct Known<'a, W, const N: usize> {
    gates: &'a Gates<W>,
    mover: Field,
    word: W,
    closed_by_bits: Region<N>,
    closed: Region<N>,
    region: Region<N>,
}

impl<W: Word, const N: usize> RegionOf<W> for Known<'_, W, N> {
    fn region(&self) -> RegionView<'_> {
        BitView::of(self.region.words().as_slice())
    }

    fn write_after<'b>(&self, successor: &W, words: &'b mut [u64]) -> RegionView<'b> {
        written(&self.after(successor), words)
    }
}

impl<W: Word, const N: usize> Known<'_, W, N> {
    /// Returns the region of another state, quickly if few gates of the mover differ.
    #[inline]
    fn after(&self, word: &W) -> Region<N> {
        let gates = self.gates;
        let (mut closed_by_bits, mut rest) = (self.closed_by_bits, self.region);
        word.for_each_difference(&self.word, &gates.mask, |bit| closed_by_bits.toggle(gates.value_of[bit]));
        let closed = gates.closed_with(closed_by_bits, word);
        // Where the mover is at a value that is closed to it, others may be joined through that one alone.
        let mut are_joined = !closed.contains(self.word.get(self.mover));
        let mut opened = Region::<N>::NONE;
        for value in closed.xor(&self.closed).iter() {
            if !closed.contains(value) {
                opened.insert(value);
            } else if rest.contains(value) {
                rest.remove(value);
                are_joined &= gates.stay_joined(&rest, value);
            }
        }
        let mover = word.get(self.mover);
        let is_next = |value: Value| gates.next[usize::from(value)].iter().any(|&next| rest.contains(next));
        if !(are_joined && (rest.contains(mover) || is_next(mover))) {
            return gates.fill(&closed, Flood::from(mover));
        }
        let mut flood = Flood::of(rest);
        flood.reach(mover);
        opened.iter().filter(|&value| is_next(value)).for_each(|value| flood.reach(value));
        gates.fill(&closed, flood)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SplitMix64;
    use crate::task::Variable;

    /// The values of the larger variable.
    const LARGER: usize = 5;

    /// Returns random walks between values that each have a gate of one bit. In addition, each value of a larger
    /// variable closes a few.
    fn random_gates(random: &mut SplitMix64, values: usize, larger: Field) -> Gates<u64> {
        let mut next: Vec<Vec<Value>> = vec![Vec::new(); values];
        let columns = 1 + random.below(values as u64) as usize;
        let mut join = |one: usize, other: usize| {
            if one != other && !next[one].contains(&(other as Value)) {
                next[one].push(other as Value);
                next[other].push(one as Value);
            }
        };
        for value in 0..values {
            if value + columns < values && random.below(8) > 0 {
                join(value, value + columns);
            }
            if (value + 1) % columns != 0 && value + 1 < values && random.below(8) > 0 {
                join(value, value + 1);
            }
        }
        for _ in 0..random.below(4) {
            join(random.below(values as u64) as usize, random.below(values as u64) as usize);
        }
        let mask = u64::MAX >> (64 - values);
        let mut closed = || (0..random.below(3)).map(|_| random.below(values as u64) as Value).collect();
        let by_value = vec![(larger, (0..LARGER).map(|_| closed()).collect())];
        Gates { mask, open: 0, value_of: (0..64).collect(), by_value, links: links(&next), next }
    }

    #[test]
    fn the_region_after_a_move_is_that_of_a_whole_flood_fill() {
        let random = &mut SplitMix64::new(1);
        let mut short = 0;
        for _ in 0..20_000 {
            let values = 2 + random.below(50) as usize;
            // The mover and the larger variable are in the bits above those of the gates.
            let variable = |size: usize| Variable { name: String::new(), values: vec![String::new(); size].into() };
            let variables = (0..values).map(|_| variable(2)).chain([variable(values), variable(LARGER)]).collect();
            let fields = StateLayout::new(&Task { variables, ..Task::default() }).fields;
            let (mover, larger) = (fields[values], fields[values + 1]);
            let gates = random_gates(random, values, larger);
            let state = |random: &mut SplitMix64, mut closed: u64| {
                let at = random.below(values as u64);
                closed &= !(u64::from(random.below(8) > 0) << at);
                closed.put(mover, at as Value);
                closed.put(larger, random.below(LARGER as u64) as Value);
                closed
            };
            let closed = random.below(1 << values) & random.below(1 << values);
            let word = state(random, closed);
            let known: Known<u64, 1> = gates.known(&word, mover);
            let mut changed = closed;
            for _ in 0..random.below(4) {
                changed ^= 1 << random.below(values as u64);
            }
            let after = state(random, changed);
            let mut closed = Region::NONE;
            gates.for_each_closed(&after, |value| _ = closed.insert(value));
            let whole: Region<1> = gates.fill(&closed, Flood::from(after.get(mover)));
            assert_eq!(known.after(&after), whole, "{:?}: {word:b}, then {after:b}", gates.next);
            short += usize::from(known.region != whole);
        }
        assert!(short > 1000, "{short}: few regions change");
    }
}
