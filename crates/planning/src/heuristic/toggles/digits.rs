//! Vectors over the field of p elements, p prime, and the price of each digit.

use crate::heuristic::DEAD;

/// The number of bits of a word.
const WORD: usize = u64::BITS as usize;

/// A vector of digits below p. Both arguments of a method belong to the same field and have the same length.
pub(super) trait Vector: Clone + Send + Sync {
    /// Returns the zero vector.
    fn zero(field: u16, digits: usize) -> Self;

    /// Returns the bytes that a vector occupies on the heap.
    fn bytes(digits: usize) -> u64;

    fn digit(&self, at: usize) -> u16;

    /// Replaces a digit that is zero.
    fn set(&mut self, at: usize, digit: u16);

    /// Adds a multiple of another vector; `times` is below p and not zero.
    fn add(&mut self, other: &Self, times: u16);

    /// Returns whether all digits from a place on are zero.
    fn is_zero_from(&self, at: usize) -> bool;

    /// Returns the sum of the prices of the digits.
    fn cost(&self, prices: &Prices) -> u64;

    /// Returns the cost of the sum of two vectors.
    fn cost_of_sum(&self, other: &Self, prices: &Prices) -> u64;
}

/// The price of each digit at each place. A digit is no dearer than two digits of which it is the sum.
pub(super) struct Prices {
    field: u16,
    /// By place, the price of each digit: of 0 it is 0.
    by_digit: Vec<u32>,
    /// The price of a 1 at any place, if p is 2 and all places have the same.
    uniform: Option<u32>,
    /// The price of the dearest digit.
    pub dearest: u64,
}

impl Prices {
    pub fn new(field: u16, by_digit: Vec<u32>) -> Prices {
        let first = by_digit.get(1).copied().filter(|_| field == 2);
        let uniform = first.filter(|&first| by_digit.chunks_exact(2).all(|prices| prices[1] == first));
        let dearest = by_digit.iter().copied().max().unwrap_or(0).into();
        Prices { field, by_digit, uniform, dearest }
    }

    /// Returns the prices of the multiples of a column: the least cost of turns that add up to each.
    pub fn of_turns(field: u16, turns: &[(u16, u32)]) -> Vec<u32> {
        let mut least = vec![DEAD; field.into()];
        least[0] = 0;
        // Bellman-Ford over multiples: each pass settles the sums with one more turn.
        for _ in 0..field {
            for from in 0..field {
                for &(turn, cost) in turns {
                    let to = usize::from((from + turn) % field);
                    least[to] = least[to].min(least[usize::from(from)].saturating_add(cost));
                }
            }
        }
        least
    }

    /// Returns the number of places.
    pub fn places(&self) -> usize {
        self.by_digit.len() / usize::from(self.field)
    }

    pub fn bytes(&self) -> u64 {
        size_of_val(&self.by_digit[..]) as u64
    }

    fn of_bits(&self, words: impl Iterator<Item = u64>) -> u64 {
        if let Some(price) = self.uniform {
            return words.map(|word| u64::from(word.count_ones())).sum::<u64>() * u64::from(price);
        }
        let mut sum = 0;
        for (at, mut word) in words.enumerate() {
            while word != 0 {
                sum += u64::from(self.by_digit[2 * (at * WORD + word.trailing_zeros() as usize) + 1]);
                word &= word - 1;
            }
        }
        sum
    }

    fn of_digits(&self, digits: impl Iterator<Item = u8>) -> u64 {
        let prices = self.by_digit.chunks_exact(self.field.into());
        digits.zip(prices).map(|(digit, prices)| u64::from(prices[usize::from(digit)])).sum()
    }
}

/// A vector over the field of two elements: a bit for each digit. It is no set: a state is compared with thousands of
/// vectors, each added and priced in exactly the words that it needs.
#[derive(Clone)]
pub(super) struct Bits(Box<[u64]>);

impl Vector for Bits {
    fn zero(_field: u16, digits: usize) -> Bits {
        Bits(vec![0; digits.div_ceil(WORD)].into())
    }

    fn bytes(digits: usize) -> u64 {
        (digits.div_ceil(WORD) * size_of::<u64>()) as u64
    }

    fn digit(&self, at: usize) -> u16 {
        (self.0[at / WORD] >> (at % WORD)) as u16 & 1
    }

    fn set(&mut self, at: usize, digit: u16) {
        self.0[at / WORD] |= u64::from(digit) << (at % WORD);
    }

    #[inline]
    fn add(&mut self, other: &Bits, _times: u16) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word ^= other);
    }

    fn is_zero_from(&self, at: usize) -> bool {
        let Some((first, others)) = self.0.get(at / WORD..).and_then(<[u64]>::split_first) else { return true };
        first >> (at % WORD) == 0 && others.iter().all(|&word| word == 0)
    }

    #[inline]
    fn cost(&self, prices: &Prices) -> u64 {
        prices.of_bits(self.0.iter().copied())
    }

    #[inline]
    fn cost_of_sum(&self, other: &Bits, prices: &Prices) -> u64 {
        prices.of_bits(self.0.iter().zip(&other.0).map(|(word, other)| word ^ other))
    }
}

/// A vector over any other field: a byte for each digit.
#[derive(Clone)]
pub(super) struct Digits {
    field: u16,
    digits: Box<[u8]>,
}

impl Digits {
    fn sum(&self, digit: u8, other: u8) -> u8 {
        ((u16::from(digit) + u16::from(other)) % self.field) as u8
    }
}

impl Vector for Digits {
    fn zero(field: u16, digits: usize) -> Digits {
        Digits { field, digits: vec![0; digits].into() }
    }

    fn bytes(digits: usize) -> u64 {
        digits as u64
    }

    fn digit(&self, at: usize) -> u16 {
        self.digits[at].into()
    }

    fn set(&mut self, at: usize, digit: u16) {
        self.digits[at] = digit as u8;
    }

    fn add(&mut self, other: &Digits, times: u16) {
        let field = self.field;
        let add = |digit: &mut u8, other: u8| *digit = ((u16::from(*digit) + times * u16::from(other)) % field) as u8;
        self.digits.iter_mut().zip(&other.digits).for_each(|(digit, &other)| add(digit, other));
    }

    fn is_zero_from(&self, at: usize) -> bool {
        self.digits[at..].iter().all(|&digit| digit == 0)
    }

    fn cost(&self, prices: &Prices) -> u64 {
        prices.of_digits(self.digits.iter().copied())
    }

    fn cost_of_sum(&self, other: &Digits, prices: &Prices) -> u64 {
        let digits = self.digits.iter().zip(&other.digits);
        prices.of_digits(digits.map(|(&digit, &other)| self.sum(digit, other)))
    }
}
