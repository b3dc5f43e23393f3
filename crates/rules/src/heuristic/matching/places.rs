//! Sets of places.

/// The most places of a set.
pub(super) const MOST: usize = crate::task::MOST_VALUES;

/// A set of numbers of places, all below [`MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Places([u64; MOST / 64]);

impl Places {
    #[inline]
    pub fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    #[inline]
    pub fn remove(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    #[inline]
    pub fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    #[inline]
    pub fn meets(&self, other: &Places) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    #[inline]
    pub fn is_within(&self, other: &Places) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }

    pub fn and(&self, other: &Places) -> Places {
        Places(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        })
    }
}

impl FromIterator<usize> for Places {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Places {
        let mut all = Places::default();
        places.into_iter().for_each(|place| all.insert(place));
        all
    }
}
