//! Sets of objects, and movements of layers, as bits in words.

/// Layers in one word of movements: five bits each, so that no layer crosses the end of a word.
pub(crate) const LAYERS_A_WORD: usize = 12;

/// Bits of movement of one layer.
pub(crate) const MOVEMENT_BITS: u64 = 0b11111;

/// Returns the word of a layer's movement and the shift of its bits in it.
pub(crate) fn movement_place(layer: usize) -> (usize, u32) {
    (layer / LAYERS_A_WORD, 5 * (layer % LAYERS_A_WORD) as u32)
}

/// Returns the word and the bits of all movements of a layer.
pub(crate) fn movement_mask(layer: usize) -> (usize, u64) {
    let (word, shift) = movement_place(layer);
    (word, MOVEMENT_BITS << shift)
}

/// Returns the numbers of the bits of a word, ascending.
#[inline]
pub(crate) fn bits_of(bits: u64) -> impl Iterator<Item = u32> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(bit)
    })
}

/// A set of bits, all of its words written out: masks while a rule is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mask {
    pub words: Vec<u64>,
}

impl Mask {
    pub(crate) fn new(words: usize) -> Self {
        Self { words: vec![0; words] }
    }

    pub(crate) fn set(&mut self, bit: usize) {
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }

    pub(crate) fn has(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    /// Adds movement bits of a layer.
    pub(crate) fn set_movement(&mut self, layer: usize, bits: u64) {
        let (word, shift) = movement_place(layer);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bits << shift;
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub(crate) fn remove(&mut self, other: &Self) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(word, other)| word & other != 0)
    }

    /// Returns whether all bits are in the other set.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }

    pub(crate) fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(index, &word): (usize, &u64)| bits_of(word).map(move |bit| index * 64 + bit as usize);
        self.words.iter().enumerate().flat_map(bits)
    }

    /// Returns the lowest bit that both sets have.
    pub(crate) fn first_common(&self, other: &Self) -> Option<usize> {
        let words = self.words.iter().zip(&other.words).map(|(word, other)| word & other).enumerate();
        let (index, word) = words.into_iter().find(|&(_, word)| word != 0)?;
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// Returns the words that are not empty, with their indices.
    pub(crate) fn sparse(&self) -> Box<[(u32, u64)]> {
        self.words
            .iter()
            .enumerate()
            .filter(|&(_, &word)| word != 0)
            .map(|(index, &word)| (index as u32, word))
            .collect()
    }
}
