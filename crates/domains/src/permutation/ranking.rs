//! Ranking and unranking of the places of some items: the index into a table.
//!
//! A rank is a number in a mixed radix, with a digit for each item. The digit of a member with a block of its own is
//! the number of the block among the free ones (Lehmer 1960), combined with its place in the block. Interchangeable
//! members occupy a set of blocks, ranked by binomial coefficients (combinatorial number system: Lehmer 1964). So few
//! ranks belong to no position; if none does, the ranking is a perfect index.
//!
//! Most puzzles have only distinct labels, and searches rank all the time, so these have a fast path.

use super::images::Place;
use super::model::{Item, Model};

/// The greatest number of places of an orbit that is a bit set in a word. In larger orbits, only single members can be
/// ranked.
const MOST_PLACES: usize = 64;

/// The greatest product of the radices of the tail's digits.
const MOST_TAIL: u64 = 512;

/// The greatest number of members.
pub(super) const MOST_MEMBERS: usize = 64;

/// For each of 16 blocks, the number of free ones before it, while all are free, and its number of bits.
const FREE: u64 = 0xFEDC_BA98_7654_3210;
const BITS_OF_FREE: u32 = 4;

/// A ranking of the places of some items.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    digits: Vec<Digit>,
    /// The fast path, for rankings whose digits all belong to single members; otherwise empty.
    singles: Vec<Single>,
    /// True if no orbit of these has more than 16 blocks, so that the numbers of free blocks before each fit into a word.
    is_small: bool,
    /// For each place, its block and its offset in the block.
    blocks: Vec<(u8, u8)>,
    /// For each four places, number of elements in those before, and set of some of the four: the part of these in the rank
    /// of the whole set. Empty if every digit belongs to a single member.
    sets: Vec<u64>,
    /// The greatest number of elements of a set, and one for none.
    set_sizes: usize,
    /// The members, in the order of the digits.
    pub members: Vec<usize>,
    /// The number of digits of the head, and the number of values of the tail.
    pub head: usize,
    pub tail_size: u64,
    pub size: u64,
}

/// The digit of a single member, for the fast path.
#[derive(Clone, Copy, Debug)]
struct Single {
    /// The weight of the digit in the rank.
    weight: u64,
    /// The member, as its number among all members.
    member: u16,
    /// The first place of its orbit.
    first: u16,
    /// The number of places in a block.
    block: u16,
    /// True if it is the first digit of its orbit.
    is_first_of_orbit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digit {
    /// The first member, as an index into the order of the digits.
    member: usize,
    count: usize,
    kind: Kind,
    /// True if it is the first digit of its orbit.
    is_first_of_orbit: bool,
    /// The number of blocks of the orbit, and of places in a block.
    blocks: usize,
    block: usize,
    first: usize,
    /// The number of free blocks.
    free: usize,
    radix: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One member, which occupies a block.
    Single,
    /// Several members, each of which occupies a block.
    Apart,
    /// Several members on any places of the orbit.
    Places,
}

impl Ranking {
    /// Returns the ranking of some items, given by number; items of an orbit are consecutive. Returns `None` if the
    /// ranks do not fit.
    pub fn new(model: &Model, items: &[usize]) -> Option<Ranking> {
        let mut digits: Vec<Digit> = Vec::new();
        let mut members = Vec::new();
        let mut size = 1_u64;
        let mut free = 0;
        for (at, &item) in items.iter().enumerate() {
            let Item { first, count, orbit, apart } = model.items[item];
            let is_first_of_orbit = at == 0 || model.items[items[at - 1]].orbit != orbit;
            let orbit = model.orbits[orbit];
            if is_first_of_orbit {
                free = orbit.blocks;
            }
            let large = orbit.blocks * orbit.size > MOST_PLACES;
            let kind = if !apart || large {
                Kind::Places
            } else if count == 1 {
                Kind::Single
            } else {
                Kind::Apart
            };
            if large && count > 1 {
                return None;
            }
            let radix = match kind {
                Kind::Places => choose(orbit.blocks * orbit.size, count),
                _ => choose(free, count).checked_mul((orbit.size as u64).checked_pow(count as u32)?)?,
            };
            digits.push(Digit {
                member: members.len(),
                count,
                kind,
                is_first_of_orbit,
                blocks: orbit.blocks,
                block: orbit.size,
                first: orbit.first,
                free,
                radix,
            });
            if kind != Kind::Places {
                free = free.checked_sub(count)?;
            }
            members.extend(first..first + count);
            size = size.checked_mul(radix)?;
        }
        if members.len() > MOST_MEMBERS {
            return None;
        }
        let mut blocks = vec![(0, 0); model.places];
        for orbit in model.orbits.iter().filter(|orbit| orbit.blocks * orbit.size <= MOST_PLACES) {
            for place in 0..orbit.blocks * orbit.size {
                blocks[orbit.first + place] = ((place / orbit.size) as u8, (place % orbit.size) as u8);
            }
        }
        let mut head = digits.len();
        let mut tail_size = 1;
        while head > 0 && tail_size * digits[head - 1].radix <= MOST_TAIL {
            head -= 1;
            tail_size *= digits[head].radix;
        }
        let mut singles = Vec::new();
        if digits.iter().all(|digit| digit.kind == Kind::Single) {
            let mut weight = 1;
            for digit in digits.iter().rev() {
                let (first, block) = (digit.first as u16, digit.block as u16);
                let member = members[digit.member] as u16;
                singles.push(Single { weight, member, first, block, is_first_of_orbit: digit.is_first_of_orbit });
                weight *= digit.radix;
            }
            singles.reverse();
        }
        let is_small = digits.iter().all(|digit| digit.blocks <= 16);
        let several = || digits.iter().filter(|digit| digit.count > 1);
        let set_sizes = 1 + several().map(|digit| digit.count).max().unwrap_or(0);
        let fours = several().map(|digit| (digit.blocks * digit.block).div_ceil(FOUR)).max().unwrap_or(0);
        let sets = parts_of_sets(fours, set_sizes);
        Some(Ranking { digits, singles, is_small, blocks, sets, set_sizes, members, head, tail_size, size })
    }

    /// Returns a description of the digits, in a line of text.
    pub fn description(&self) -> String {
        let digit = |digit: &Digit| format!("{}x{}x{}", digit.radix, digit.count, digit.block);
        let digits: Vec<String> = self.digits.iter().map(digit).collect();
        format!("digits {}\n", digits.join(" "))
    }

    /// Returns the rank of a placement; `place` maps a member, by its number among all members, to its place.
    #[inline]
    pub fn rank(&self, place: impl Fn(usize) -> usize) -> u64 {
        if self.singles.is_empty() {
            return self.rank_from((0, 0), &self.digits, |member| place(self.members[member])).0;
        }
        let mut number = 0;
        if self.is_small {
            let mut free = FREE;
            for single in &self.singles {
                let (block, within) = self.blocks[place(usize::from(single.member))];
                free = if single.is_first_of_orbit { FREE } else { free };
                let shift = u32::from(block) * BITS_OF_FREE;
                let value = free >> shift & 15;
                // Of the blocks after this one, there is one less free before each.
                free = free.wrapping_sub((u64::MAX / 15 - 1) << shift);
                number += (value * u64::from(single.block) + u64::from(within)) * single.weight;
            }
            return number;
        }
        // Members never share a block, so their places are ordered as their blocks are.
        let mut taken = 0_u64;
        for single in &self.singles {
            let place = place(usize::from(single.member)) as u32 - u32::from(single.first);
            let bit = 1_u64 << (place & 63);
            taken = if single.is_first_of_orbit { 0 } else { taken };
            let value = place - (taken & (bit - 1)).count_ones() * u32::from(single.block);
            taken |= bit;
            number += u64::from(value) * single.weight;
        }
        number
    }

    /// Returns the digits of the head and of the tail.
    pub fn head_and_tail(&self) -> (&[Digit], &[Digit]) {
        self.digits.split_at(self.head)
    }

    /// Returns the number of blocks of the orbit that the head shares with the tail, and the number of them that the
    /// head occupies. Both are 0 if the tail begins with a new orbit.
    pub fn head_blocks(&self) -> (usize, usize) {
        let (_, tail) = self.head_and_tail();
        match tail.first() {
            Some(digit) if !digit.is_first_of_orbit => (digit.blocks, digit.blocks - digit.free),
            _ => (0, 0),
        }
    }

    /// Continues a rank with some digits, given the rank so far and the occupied blocks; `place` takes members by their
    /// index in the order of the digits.
    #[inline]
    pub fn rank_from(
        &self,
        (mut number, mut taken): (u64, u64),
        digits: &[Digit],
        place: impl Fn(usize) -> usize,
    ) -> (u64, u64) {
        for digit in digits {
            if digit.is_first_of_orbit {
                taken = 0;
            }
            let value = if digit.kind == Kind::Single {
                let (block, within) = self.blocks[place(digit.member)];
                let bit = 1_u64 << (block & 63);
                let before = (taken & (bit - 1)).count_ones();
                taken |= bit;
                (u64::from(block) - u64::from(before)) * digit.block as u64 + u64::from(within)
            } else {
                self.rank_set(digit, &mut taken, &place)
            };
            number = number * digit.radix + value;
        }
        (number, taken)
    }

    /// Finds where a move leads each place of the tail's orbits, if each digit of the tail belongs to a single member, given
    /// the blocks that the head occupies after the move: the value of a digit there, if it is the first of the tail, and
    /// the block.
    pub fn land(&self, taken: u64, image: &[Place], landing: &mut [(u64, u8)]) {
        let tail = &self.digits[self.head..];
        for (_, digit) in (0..).zip(tail).filter(|(at, digit)| *at == 0 || digit.is_first_of_orbit) {
            let taken = if digit.is_first_of_orbit { 0 } else { taken };
            for place in digit.first..digit.first + digit.blocks * digit.block {
                let (block, within) = self.blocks[usize::from(image[place])];
                let free = u64::from(block) - u64::from((taken & ((1 << (block & 63)) - 1)).count_ones());
                landing[place] = (free * digit.block as u64 + u64::from(within), block);
            }
        }
    }

    /// Returns the rank of the tail after a move, given where it [leads](Self::land) and the places before it.
    #[inline]
    pub fn rank_tail(&self, landing: &[(u64, u8)], places: &[Place]) -> u64 {
        let (mut number, mut of_orbit) = (0, 0);
        let mut blocks = [0; MOST_MEMBERS];
        for (at, digit) in self.digits[self.head..].iter().enumerate() {
            of_orbit = if digit.is_first_of_orbit { at } else { of_orbit };
            let (value, block) = landing[usize::from(places[digit.member])];
            let before: u64 = blocks[of_orbit..at].iter().map(|&other| u64::from(other < block)).sum();
            blocks[at] = block;
            number = number * digit.radix + value - before * digit.block as u64;
        }
        number
    }

    /// Returns whether each digit of the tail belongs to a single member.
    pub fn has_single_tail(&self) -> bool {
        self.digits[self.head..].iter().all(|digit| digit.kind == Kind::Single)
    }

    fn rank_set(&self, digit: &Digit, taken: &mut u64, place: &impl Fn(usize) -> usize) -> u64 {
        if digit.kind == Kind::Places && digit.count == 1 {
            return (place(digit.member) - digit.first) as u64;
        }
        // Without blocks, and without places that others occupy, nothing but the set matters.
        if digit.kind == Kind::Places || digit.block == 1 && *taken == 0 {
            let places = (digit.member..digit.member + digit.count).map(place);
            let set = places.fold(0_u64, |set, place| set | 1 << (place - digit.first));
            if digit.kind == Kind::Apart {
                *taken = set;
            }
            return self.rank_of(set);
        }
        let (mut set, mut within) = (0_u64, [0_u8; MOST_PLACES]);
        for member in digit.member..digit.member + digit.count {
            let (block, at) = self.blocks[place(member)];
            set |= 1 << block;
            within[usize::from(block & 63)] = at;
        }
        let (mut value, mut offsets, mut rest, mut number) = (0, 0, set, 0);
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            number += 1;
            let before = (*taken & (bit - 1)).count_ones();
            value += binomial((bit.trailing_zeros() - before) as usize, number);
            offsets = offsets * digit.block as u64 + u64::from(within[bit.trailing_zeros() as usize]);
        }
        *taken |= set;
        value * (digit.block as u64).pow(digit.count as u32) + offsets
    }

    /// Returns the rank of a set of places of an orbit.
    #[inline]
    fn rank_of(&self, mut set: u64) -> u64 {
        let (mut rank, mut row, mut four) = (0, 0, 0);
        while set != 0 {
            let some = (set & 15) as usize;
            rank += self.sets[(four + row) * 16 + some];
            row += SIZE_OF_FOUR[some];
            four += self.set_sizes;
            set >>= FOUR;
        }
        rank
    }

    /// Unranks: writes the place of each member, in the order of the digits.
    pub fn unrank(&self, number: u64, places: &mut [Place]) {
        self.unrank_from(0, &self.digits, number, places);
    }

    /// Unranks some digits, after others that occupy some blocks.
    pub fn unrank_from(&self, mut taken: u64, digits: &[Digit], mut number: u64, places: &mut [Place]) {
        let mut values = [0; MOST_MEMBERS];
        for (value, digit) in values.iter_mut().zip(digits).rev() {
            *value = number % digit.radix;
            number /= digit.radix;
        }
        for (&value, digit) in values.iter().zip(digits) {
            if digit.is_first_of_orbit {
                taken = 0;
            }
            let places = &mut places[digit.member..digit.member + digit.count];
            match digit.kind {
                Kind::Single => {
                    let block = free_block(taken, value / digit.block as u64);
                    taken |= 1 << block;
                    places[0] = (digit.first as u64 + block * digit.block as u64 + value % digit.block as u64) as Place;
                }
                Kind::Places if digit.count == 1 => places[0] = (digit.first + value as usize) as Place,
                Kind::Places => {
                    let set = combination(value, digit.blocks * digit.block, digit.count);
                    places.iter_mut().zip(set).for_each(|(place, at)| *place = (digit.first + at) as Place);
                }
                Kind::Apart => {
                    let offset_count = (digit.block as u64).pow(digit.count as u32);
                    let set = combination(value / offset_count, digit.free, digit.count);
                    let mut offsets = value % offset_count;
                    let before = taken;
                    for (place, at) in places.iter_mut().zip(set).rev() {
                        let block = free_block(before, at as u64);
                        taken |= 1 << block;
                        *place =
                            (digit.first as u64 + block * digit.block as u64 + offsets % digit.block as u64) as Place;
                        offsets /= digit.block as u64;
                    }
                }
            }
        }
    }
}

/// The number of places that are ranked together, and the number of elements of each set of them.
const FOUR: usize = 4;
const SIZE_OF_FOUR: [usize; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// Returns the parts that sets of four places have in ranks, as [`Ranking`] stores them.
fn parts_of_sets(fours: usize, sizes: usize) -> Vec<u64> {
    let mut parts = Vec::with_capacity(fours * sizes * 16);
    for (four, before) in (0..fours).flat_map(|four| (0..sizes).map(move |before| (four, before))) {
        for set in 0..16 {
            let elements = (0..FOUR).filter(|at| set >> at & 1 == 1).map(|at| four * FOUR + at);
            // Sets with more elements than the greatest are never ranked.
            let known = elements.zip(before + 1..=MOST_PLACES).filter(|(place, _)| *place <= MOST_PLACES);
            parts.push(known.fold(0, |rank: u64, (place, number)| rank.wrapping_add(binomial(place, number))));
        }
    }
    parts
}

impl Digit {
    /// Returns the occupied blocks of the orbit after a move.
    pub fn moved(&self, taken: u64, image: &[Place]) -> u64 {
        let taken = (0..self.blocks.min(MOST_PLACES)).filter(|block| taken >> block & 1 == 1);
        let to = |block: usize| (usize::from(image[self.first + block * self.block]) - self.first) / self.block;
        taken.fold(0, |moved, block| moved | 1 << to(block))
    }
}

/// Returns the block with this number among the free ones.
#[inline]
fn free_block(taken: u64, mut number: u64) -> u64 {
    let mut free = !taken;
    while number > 0 {
        free &= free - 1;
        number -= 1;
    }
    u64::from(free.trailing_zeros())
}

/// Binomial coefficients by Pascal's triangle; those that overflow are not used.
static BINOMIALS: [[u64; MOST_PLACES + 1]; MOST_PLACES + 1] = {
    let mut rows = [[0; MOST_PLACES + 1]; MOST_PLACES + 1];
    let mut from = 0;
    while from <= MOST_PLACES {
        rows[from][0] = 1;
        let mut count = 1;
        while count <= from {
            rows[from][count] = rows[from - 1][count - 1] + rows[from - 1][count];
            count += 1;
        }
        from += 1;
    }
    rows
};

/// Returns the binomial coefficient of up to 64 elements.
#[inline]
pub(super) fn binomial(from: usize, count: usize) -> u64 {
    BINOMIALS[from][count]
}

/// Returns the number of ways to choose `count` elements: of up to 64, or at most one of any number.
pub(super) fn choose(from: usize, count: usize) -> u64 {
    match count {
        0 => 1,
        1 => from as u64,
        _ => binomial(from, count),
    }
}

/// Returns the set with this rank, ascending.
pub(super) fn combination(mut value: u64, from: usize, count: usize) -> Vec<usize> {
    let mut set = Vec::with_capacity(count);
    let mut below = from;
    for number in (1..=count).rev() {
        below = (0..below).rev().find(|&at| binomial(at, number) <= value).unwrap_or(0);
        value -= binomial(below, number);
        set.push(below);
    }
    set.reverse();
    set
}
