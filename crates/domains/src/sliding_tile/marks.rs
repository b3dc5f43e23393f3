//! Marks: one bit for each cell or tile of a board, whatever its size.

/// Which of the numbers below some end are marked.
pub(super) struct Marks {
    words: Vec<u64>,
    end: u32,
}

impl Marks {
    pub fn new(end: u32) -> Marks {
        Marks { words: vec![0; end.div_ceil(64) as usize], end }
    }

    /// Marks a number below the end; whether it was not marked before.
    pub fn mark(&mut self, number: u32) -> bool {
        let (word, bit) = (&mut self.words[number as usize / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The numbers that are not marked.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        (0..self.end).filter(|number| self.words[*number as usize / 64] >> (number % 64) & 1 == 0)
    }
}
