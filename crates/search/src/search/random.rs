//! Random numbers that are the same on every machine and in every version: a seed determines a scrambled position, and
//! an estimate.

/// `SplitMix64` (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns the generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns a uniformly distributed number below `end`, which is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        // Rejection sampling: reject the lowest numbers, since some remainders would have one of them too many.
        let excess = end.wrapping_neg() % end;
        loop {
            let number = self.next();
            if number >= excess {
                return number % end;
            }
        }
    }
}

/// Returns a number whose bits all depend on all bits of this one: the finalizer of `SplitMix64`.
#[inline]
pub(super) fn mixed(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_numbers_equal_those_of_the_reference_program() {
        // The first outputs of Vigna's reference program for the seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        // Two thirds of all numbers are below 2/3 of 2^64: without rejection, those would occur twice as often.
        let end = u64::MAX / 3 * 2 + 1;
        let mut random = SplitMix64::new(0);
        let low = (0..30_000).filter(|_| random.below(end) < end / 2).count();
        assert!((14_500..15_500).contains(&low), "{low} of 30000 are in the lower half");
    }
}
