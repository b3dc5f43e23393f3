//! A bit set of cells or tiles, for boards of any size.

/// A set of numbers below some end.
pub(super) struct Marks {
    words: Vec<u64>,
    end: u32,
}

impl Marks {
    pub fn new(end: u32) -> Marks {
        Marks { words: vec![0; end.div_ceil(64) as usize], end }
    }

    /// Adds a number below the end, and returns whether it was new.
    pub fn mark(&mut self, number: u32) -> bool {
        let (word, bit) = (&mut self.words[number as usize / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Returns the numbers that are not in the set.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        (0..self.end).filter(|number| self.words[*number as usize / 64] >> (number % 64) & 1 == 0)
    }
}
