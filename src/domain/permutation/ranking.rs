//! Numbers for the places of some items: what a table is indexed by.
//!
//! A number has a digit for each item. A member that has its block for itself goes to one of the blocks that are left,
//! counted without those before (Lehmer 1960), and to a place in it. Interchangeable members go to a set of blocks, which
//! is numbered by binomial coefficients (Lehmer 1964). So a number has few values that no position has; where it has
//! none, it is a perfect index.
//!
//! Neighbouring numbers agree in all digits but the last. What a move makes of the digits before is therefore kept from
//! one number to the next.

use super::model::{Item, Model};
use super::setup::Place;

/// Blocks of an orbit are bits of a word.
const MOST_BLOCKS: usize = 64;

/// The most members.
pub(super) const MOST_MEMBERS: usize = 64;

/// The numbers of the places of some items.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    digits: Vec<Digit>,
    /// By place, its block and its place within the block.
    blocks: Vec<(u8, u8)>,
    /// The members, in the order of the digits.
    pub members: Vec<usize>,
    /// The digits before the last ones, and how many numbers agree in them.
    head_digits: usize,
    tail_size: u64,
    pub size: u64,
}

#[derive(Clone, Copy, Debug)]
struct Digit {
    /// Its first member, in the order of the digits.
    member: usize,
    count: usize,
    kind: Kind,
    /// Whether it is the first of its orbit.
    fresh: bool,
    /// The blocks of the orbit, and places in a block.
    blocks: usize,
    block: usize,
    first: usize,
    /// The blocks that are left.
    free: usize,
    radix: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One member, in a block of its own.
    Single,
    /// Several, each in a block of its own.
    Apart,
    /// Some places of the orbit.
    Places,
}

impl Ranking {
    /// The numbers for some items, by number; items of one orbit lie together. None where they do not fit.
    pub fn new(model: &Model, items: &[usize]) -> Option<Ranking> {
        let mut digits: Vec<Digit> = Vec::new();
        let mut members = Vec::new();
        let mut size = 1_u64;
        let mut free = 0;
        for (at, &item) in items.iter().enumerate() {
            let Item { first, count, orbit, apart } = model.items[item];
            let fresh = at == 0 || model.items[items[at - 1]].orbit != orbit;
            let orbit = model.orbits[orbit];
            if fresh {
                free = orbit.blocks;
            }
            let kind = if !apart { Kind::Places } else if count == 1 { Kind::Single } else { Kind::Apart };
            if orbit.blocks > MOST_BLOCKS || kind == Kind::Places && orbit.blocks * orbit.size > MOST_BLOCKS {
                return None;
            }
            let radix = match kind {
                Kind::Places => choose(orbit.blocks * orbit.size, count)?,
                _ => choose(free, count)?.checked_mul((orbit.size as u64).checked_pow(count as u32)?)?,
            };
            digits.push(Digit {
                member: members.len(),
                count,
                kind,
                fresh,
                blocks: orbit.blocks,
                block: orbit.size,
                first: orbit.first,
                free,
                radix,
            });
            if kind != Kind::Places {
                free -= count;
            }
            members.extend(first..first + count);
            size = size.checked_mul(radix)?;
        }
        if members.len() > MOST_MEMBERS {
            return None;
        }
        let mut blocks = vec![(0, 0); model.places];
        for orbit in model.orbits.iter().filter(|orbit| orbit.blocks <= MOST_BLOCKS) {
            for place in 0..orbit.blocks * orbit.size {
                blocks[orbit.first + place] = ((place / orbit.size) as u8, (place % orbit.size) as u8);
            }
        }
        let mut head_digits = digits.len();
        let mut tail_size = 1;
        while head_digits > 0 && tail_size * digits[head_digits - 1].radix <= 2048 {
            head_digits -= 1;
            tail_size *= digits[head_digits].radix;
        }
        Some(Ranking { digits, blocks, members, head_digits, tail_size, size })
    }

    /// How the numbers are made, in a line of text.
    pub fn described(&self) -> String {
        let digit = |digit: &Digit| format!("{}x{}x{}", digit.radix, digit.count, digit.block);
        let digits: Vec<String> = self.digits.iter().map(digit).collect();
        format!("digits {}\n", digits.join(" "))
    }

    /// The number of the places of the members, which are given in the order of the digits.
    #[inline]
    pub fn rank(&self, place: impl Fn(usize) -> usize) -> u64 {
        self.rank_on((0, 0), &self.digits, place).0
    }

    /// Goes on with some digits after a number and the blocks that are taken.
    #[inline]
    fn rank_on(&self, (mut number, mut taken): (u64, u64), digits: &[Digit], place: impl Fn(usize) -> usize) -> (u64, u64) {
        for digit in digits {
            if digit.fresh {
                taken = 0;
            }
            let value = if digit.kind == Kind::Single {
                let (block, within) = self.blocks[place(digit.member)];
                let bit = 1_u64 << (block & 63);
                let before = (taken & (bit - 1)).count_ones();
                taken |= bit;
                (u64::from(block) - u64::from(before)) * digit.block as u64 + u64::from(within)
            } else {
                self.rank_several(digit, &mut taken, &place)
            };
            number = number * digit.radix + value;
        }
        (number, taken)
    }

    fn rank_several(&self, digit: &Digit, taken: &mut u64, place: &impl Fn(usize) -> usize) -> u64 {
        let (mut set, mut within) = (0_u64, [0_u8; MOST_BLOCKS]);
        for member in digit.member..digit.member + digit.count {
            let place = place(member);
            if digit.kind == Kind::Places {
                set |= 1 << (place - digit.first);
            } else {
                let (block, at) = self.blocks[place];
                set |= 1 << block;
                within[usize::from(block & 63)] = at;
            }
        }
        let (mut value, mut turned, mut rest, mut number) = (0, 0, set, 0);
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            number += 1;
            let before = if digit.kind == Kind::Places { 0 } else { (*taken & (bit - 1)).count_ones() };
            value += binomial((bit.trailing_zeros() - before) as usize, number);
            turned = turned * digit.block as u64 + u64::from(within[bit.trailing_zeros() as usize]);
        }
        if digit.kind == Kind::Places {
            return value;
        }
        *taken |= set;
        value * (digit.block as u64).pow(digit.count as u32) + turned
    }

    /// Writes the places that have a number, in the order of the members here.
    pub fn places(&self, mut number: u64, places: &mut [Place]) {
        let mut values = [0; MOST_MEMBERS];
        for (value, digit) in values.iter_mut().zip(&self.digits).rev() {
            *value = number % digit.radix;
            number /= digit.radix;
        }
        let mut taken = 0_u64;
        for (&value, digit) in values.iter().zip(&self.digits) {
            if digit.fresh {
                taken = 0;
            }
            let places = &mut places[digit.member..digit.member + digit.count];
            match digit.kind {
                Kind::Single => {
                    let block = free_block(taken, value / digit.block as u64);
                    taken |= 1 << block;
                    places[0] = (digit.first as u64 + block * digit.block as u64 + value % digit.block as u64) as Place;
                }
                Kind::Places => {
                    let set = combination(value, digit.blocks * digit.block, digit.count);
                    places.iter_mut().zip(set).for_each(|(place, at)| *place = (digit.first + at) as Place);
                }
                Kind::Apart => {
                    let ways = (digit.block as u64).pow(digit.count as u32);
                    let set = combination(value / ways, digit.free, digit.count);
                    let mut turned = value % ways;
                    let before = taken;
                    for (place, at) in places.iter_mut().zip(set).rev() {
                        let block = free_block(before, at as u64);
                        taken |= 1 << block;
                        *place = (digit.first as u64 + block * digit.block as u64 + turned % digit.block as u64) as Place;
                        turned /= digit.block as u64;
                    }
                }
            }
        }
    }

    /// Tells the numbers that moves lead to.
    #[inline]
    pub fn neighbors(&self, at: &mut Cursor, images: &[Vec<Place>], number: u64, mut neighbor: impl FnMut(u64) -> bool) {
        if at.head != number / self.tail_size {
            self.places(number, &mut at.places);
            at.head = number / self.tail_size;
            at.partial.clear();
            let head = &self.digits[..self.head_digits];
            let taken = |image: &Vec<Place>| {
                self.rank_on((0, 0), head, |member| usize::from(image[usize::from(at.places[member])]))
            };
            at.partial.extend(images.iter().map(taken));
        } else {
            self.places(number, &mut at.places);
        }
        let tail = &self.digits[self.head_digits..];
        for (image, &partial) in images.iter().zip(&at.partial) {
            let places = &at.places;
            let place = |member: usize| usize::from(image[usize::from(places[member & (MOST_MEMBERS - 1)])]);
            if neighbor(self.rank_on(partial, tail, place).0) {
                break;
            }
        }
    }
}

/// What is kept from one number to the next.
pub(super) struct Cursor {
    head: u64,
    places: [Place; MOST_MEMBERS],
    /// By move, the number of the head after it, and the blocks that are taken.
    partial: Vec<(u64, u64)>,
}

impl Cursor {
    pub fn new() -> Cursor {
        Cursor { head: u64::MAX, places: [0; MOST_MEMBERS], partial: Vec::new() }
    }
}

/// The number of a block that is not taken, counted among these.
#[inline]
fn free_block(taken: u64, mut number: u64) -> u64 {
    let mut free = !taken;
    while number > 0 {
        free &= free - 1;
        number -= 1;
    }
    u64::from(free.trailing_zeros())
}

/// The binomial coefficient of numbers whose coefficients were found to fit.
fn binomial(from: usize, count: usize) -> u64 {
    choose(from, count).unwrap_or(0)
}

/// In how many ways some can be chosen.
fn choose(from: usize, count: usize) -> Option<u64> {
    if count > from {
        return Some(0);
    }
    let count = count.min(from - count);
    let ways = (0..count as u128).try_fold(1_u128, |ways, at| Some(ways.checked_mul(from as u128 - at)? / (at + 1)));
    ways.and_then(|ways| u64::try_from(ways).ok())
}

/// The set with a number, ascending.
fn combination(mut value: u64, from: usize, count: usize) -> Vec<usize> {
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
