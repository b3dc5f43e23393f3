//! The random generator of the reference, so that games with random rules repeat its results from a seed.
//!
//! RC4 with the usual key schedule over the bytes of the seed, no bytes dropped. A number is seven bytes, most
//! significant first, divided by 2^56 - 1, in double precision with its rounding.
//!
//! Source: `src/js/rng.js` of increpare/PuzzleScript at commit 4db08ebe (public domain), read for its facts.

/// Bytes of a number.
const BYTES: i32 = 7;

/// The bytes of RC4.
#[derive(Clone, Debug)]
struct Rc4 {
    bytes: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(seed: &str) -> Rc4 {
        let mut bytes = [0; 256];
        for (byte, value) in bytes.iter_mut().zip(0..=u8::MAX) {
            *byte = value;
        }
        let key = key(seed);
        if !key.is_empty() {
            let mut j = 0_u8;
            for i in 0..bytes.len() {
                j = j.wrapping_add(bytes[i]).wrapping_add(key[i % key.len()]);
                bytes.swap(i, usize::from(j));
            }
        }
        Rc4 { bytes, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.bytes[usize::from(self.i)]);
        self.bytes.swap(usize::from(self.i), usize::from(self.j));
        let index = self.bytes[usize::from(self.i)].wrapping_add(self.bytes[usize::from(self.j)]);
        self.bytes[usize::from(index)]
    }

    /// Returns the next number from 0 to 1, both included.
    fn number(&mut self) -> f64 {
        let mut output = 0.0;
        for _ in 0..BYTES {
            output = output * 256.0 + f64::from(self.byte());
        }
        output / (2_f64.powi(8 * BYTES) - 1.0)
    }
}

/// A generator. The seed and the count of numbers drawn determine all numbers that follow: a search stores the count
/// alone, and continues from any count.
#[derive(Clone, Debug)]
pub struct Random {
    rc4: Rc4,
    /// The first numbers of the seed, as far as they were needed so far.
    numbers: Vec<f64>,
    /// The number of them that are drawn.
    drawn: usize,
}

impl Random {
    /// Returns the generator of a seed: any text, usually a decimal number. An empty seed leaves the key schedule out.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        Self { rc4: Rc4::new(seed), numbers: Vec::new(), drawn: 0 }
    }

    /// Returns how many numbers are drawn.
    #[must_use]
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// Continues as if this many numbers were drawn.
    pub fn set_drawn(&mut self, drawn: usize) {
        self.drawn = drawn;
    }

    /// Draws a number from 0 to 1, both included.
    pub fn uniform(&mut self) -> f64 {
        while self.numbers.len() <= self.drawn {
            self.numbers.push(self.rc4.number());
        }
        self.drawn += 1;
        self.numbers[self.drawn - 1]
    }

    /// Draws a whole number below `count`, which must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        // The largest number drawn is 1: one time in 2^53, the reference would take an element after the last.
        ((self.uniform() * count as f64).floor() as usize).min(count - 1)
    }
}

/// Returns the bytes of a seed: of each UTF-16 unit its bytes without leading zeros, most significant first.
fn key(seed: &str) -> Vec<u8> {
    let mut key = Vec::new();
    for unit in seed.encode_utf16() {
        let [high, low] = unit.to_be_bytes();
        if high != 0 {
            key.push(high);
        }
        key.push(low);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::{Random, Rc4};

    /// The key stream of RC4 for the key "Key" begins with these bytes (a published test vector).
    #[test]
    fn the_key_stream_is_that_of_rc4() {
        let mut rc4 = Rc4::new("Key");
        let bytes: Vec<u8> = (0..8).map(|_| rc4.byte()).collect();
        assert_eq!(bytes, [0xEB, 0x9F, 0x77, 0x81, 0xB7, 0x34, 0xCA, 0x72]);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut random = Random::new("1234.5");
        for _ in 0..1000 {
            let number = random.uniform();
            assert!((0.0..=1.0).contains(&number));
            assert!(random.below(3) < 3);
        }
    }

    #[test]
    fn the_count_of_numbers_drawn_determines_those_that_follow() {
        let mut random = Random::new("1");
        let numbers: Vec<f64> = (0..9).map(|_| random.uniform()).collect();
        let mut other = Random::new("1");
        for drawn in [7, 2, 0, 8] {
            other.set_drawn(drawn);
            assert_eq!((other.uniform(), other.drawn()), (numbers[drawn], drawn + 1));
        }
        assert_ne!(Random::new("2").uniform(), numbers[0]);
    }
}
