//! Lists of words as bytes of a file: the length of each list comes before it.

/// Lists that are written.
#[derive(Default)]
pub(super) struct Words(pub Vec<u8>);

/// Lists that are read.
pub(super) struct Reading<'a>(pub &'a [u8]);

impl Words {
    pub fn list(&mut self, words: impl Iterator<Item = u32>) {
        let start = self.0.len();
        self.0.extend([0; 4]);
        words.for_each(|word| self.0.extend(word.to_le_bytes()));
        let length = ((self.0.len() - start) / 4 - 1) as u32;
        self.0[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }
}

impl Reading<'_> {
    /// Returns the next list, or `None` if the bytes end before.
    pub fn list(&mut self) -> Option<Vec<u32>> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (list, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize * 4)?;
        self.0 = rest;
        let (words, _) = list.as_chunks();
        Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
    }
}
