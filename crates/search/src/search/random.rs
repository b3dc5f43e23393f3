//! Random numbers that are the same everywhere, for ever: what is scrambled with one seed is one position, and what is
//! estimated with one seed is one estimate.

/// `SplitMix64` (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The numbers of one seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is at least 1; each is as likely as any other.
    pub fn below(&mut self, end: u64) -> u64 {
        // The lowest numbers are one too many for some remainders: whoever draws one of them draws again.
        let excess = end.wrapping_neg() % end;
        loop {
            let number = self.next();
            if number >= excess {
                return number % end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_numbers_are_those_of_the_published_program() {
        // The first outputs of the reference program of Vigna for the seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_are_drawn_again_rather_than_bent() {
        // Two of three numbers are below 2/3 of 2^64: without drawing again, those would come twice as often.
        let end = u64::MAX / 3 * 2 + 1;
        let mut random = SplitMix64::new(0);
        let low = (0..30_000).filter(|_| random.below(end) < end / 2).count();
        assert!((14_500..15_500).contains(&low), "{low} of 30000 are in the lower half");
    }
}
