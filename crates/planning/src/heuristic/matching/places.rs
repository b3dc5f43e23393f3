//! Sets of places.

/// A set of numbers of places, all below 64 `N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Places<const N: usize>([u64; N]);

impl<const N: usize> Default for Places<N> {
    fn default() -> Places<N> {
        Places([0; N])
    }
}

impl<const N: usize> Places<N> {
    /// Returns the set of as many words as it has, or fewer.
    #[inline]
    pub fn of_words(words: &[u64]) -> Places<N> {
        let mut places = Places::default();
        places.0.iter_mut().zip(words).for_each(|(own, &word)| *own = word);
        places
    }

    /// Returns all numbers below a count.
    pub fn below(count: usize) -> Places<N> {
        Places(std::array::from_fn(|at| match count.saturating_sub(at * 64) {
            0 => 0,
            rest => u64::MAX >> (64 - rest.min(64)),
        }))
    }

    /// Adds all numbers that are reached from some of these over `next`, through numbers in `open` alone.
    pub fn grow(&mut self, from: &Places<N>, next: &[Vec<u16>], open: &Places<N>) {
        let mut frontier = *from;
        let mut open = open.without(self);
        let mut at = 0;
        loop {
            while frontier.0[at] != 0 {
                let number = at * 64 + frontier.0[at].trailing_zeros() as usize;
                frontier.0[at] &= frontier.0[at] - 1;
                for &next in &next[number] {
                    let (word, bit) = (usize::from(next) / 64, 1 << (next % 64));
                    let new = open.0[word] & bit;
                    open.0[word] ^= new;
                    self.0[word] |= new;
                    frontier.0[word] |= new;
                }
            }
            match (0..N).find(|&word| frontier.0[word] != 0) {
                Some(word) => at = word,
                None => return,
            }
        }
    }

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
    pub fn meets(&self, other: &Places<N>) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    #[inline]
    pub fn is_within(&self, other: &Places<N>) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }

    pub fn and(&self, other: &Places<N>) -> Places<N> {
        Places(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    #[inline]
    pub fn or(&self, other: &Places<N>) -> Places<N> {
        Places(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    #[inline]
    pub fn without(&self, other: &Places<N>) -> Places<N> {
        Places(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
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

impl<const N: usize> FromIterator<usize> for Places<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Places<N> {
        let mut all = Places::default();
        places.into_iter().for_each(|place| all.insert(place));
        all
    }
}
