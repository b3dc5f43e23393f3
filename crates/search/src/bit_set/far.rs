//! The words of a set behind those that are stored in place.
//!
//! A condition on the place of a piece names one of thousands of places, or all but a few. Both are a few *runs* of
//! numbers one after another: they take no memory of their own, and no longer to compare than sets of small numbers. A set
//! is stored as runs exactly if there are at most [`MOST`] of them, so that equal sets have equal bytes.

/// The most runs.
const MOST: usize = 3;

/// A run: its first number, and the number behind its last.
type Run = (u32, u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Far {
    /// Runs in ascending order, with a gap between each two; behind the last, pairs of zeros.
    Runs([Run; MOST]),
    /// The last word is not 0.
    Words(Vec<u64>),
}

/// Returns a word of which the bits below a number are set.
#[inline]
pub(super) fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { !(u64::MAX << count) }
}

/// Returns the runs of a list that zeros end.
#[inline]
fn listed(runs: &[Run; MOST]) -> &[Run] {
    &runs[..runs.iter().position(|run| run.1 == 0).unwrap_or(MOST)]
}

/// Returns the bits of a word that are in a run.
#[inline]
fn bits_of((from, to): Run, at: usize) -> u64 {
    let below = |number: u32| ones((number as usize).saturating_sub(64 * at));
    below(to) & !below(from)
}

/// Collects numbers in ascending order, by runs.
#[derive(Default)]
struct Collected {
    runs: [Run; MOST],
    len: usize,
}

impl Collected {
    /// Adds a run behind all others; returns false if there are too many.
    #[inline]
    fn add(&mut self, (from, to): Run) -> bool {
        match self.len.checked_sub(1) {
            Some(last) if self.runs[last].1 == from => self.runs[last].1 = to,
            _ if self.len == MOST => return false,
            _ => {
                self.runs[self.len] = (from, to);
                self.len += 1;
            }
        }
        true
    }
}

impl Far {
    pub const EMPTY: Far = Far::Runs([(0, 0); MOST]);

    pub fn below(count: usize) -> Far {
        let mut runs = [(0, 0); MOST];
        runs[0] = (0, count as u32);
        Far::Runs(runs)
    }

    /// Returns the set with these words.
    fn of(mut words: Vec<u64>) -> Far {
        let mut collected = Collected::default();
        for (at, &word) in words.iter().enumerate() {
            let mut begin = 0;
            while begin < 64 && word >> begin != 0 {
                let from = begin + (word >> begin).trailing_zeros();
                let to = from + (word >> from).trailing_ones();
                if !collected.add(((64 * at) as u32 + from, (64 * at) as u32 + to)) {
                    words.truncate(words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1));
                    return Far::Words(words);
                }
                begin = to;
            }
        }
        Far::Runs(collected.runs)
    }

    /// Returns the number of words up to the last that is not 0.
    #[inline]
    fn len(&self) -> usize {
        match self {
            Far::Runs(runs) => listed(runs).last().map_or(0, |run| (run.1 as usize).div_ceil(64)),
            Far::Words(words) => words.len(),
        }
    }

    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        match self {
            Far::Runs(runs) => listed(runs).iter().fold(0, |word, &run| word | bits_of(run, at)),
            Far::Words(words) => words.get(at).copied().unwrap_or(0),
        }
    }

    /// Returns the words in order, up to the last that is not 0.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|at| self.word(at))
    }

    /// Returns words with their numbers, in order: all that are not 0, each run by itself.
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = (usize, u64)> {
        let (runs, words) = match self {
            Far::Runs(runs) => (listed(runs), &[][..]),
            Far::Words(words) => (&[][..], &words[..]),
        };
        let parts =
            |&run: &Run| (run.0 as usize / 64..(run.1 as usize).div_ceil(64)).map(move |at| (at, bits_of(run, at)));
        runs.iter().flat_map(parts).chain(words.iter().copied().enumerate())
    }

    #[inline]
    pub fn count(&self) -> usize {
        match self {
            Far::Runs(runs) => runs.iter().map(|run| (run.1 - run.0) as usize).sum(),
            Far::Words(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Far::Runs(runs) if runs[0].1 == 0)
    }

    /// Returns the only number. One that is stored as words has several.
    #[inline]
    pub fn only(&self) -> Option<usize> {
        match self {
            Far::Runs([(from, to), (_, 0), _]) if from + 1 == *to => Some(*from as usize),
            _ => None,
        }
    }

    /// Sets a bit; returns whether it was not set.
    pub fn insert(&mut self, number: usize) -> bool {
        let has = |number: usize| self.word(number / 64) >> (number % 64) & 1 != 0;
        if has(number) {
            return false;
        }
        let joins = number > 0 && has(number - 1) && has(number + 1);
        match self {
            // Without two runs that become one, there are as many runs as before, or one more.
            Far::Words(words) if !joins => {
                words.resize(words.len().max(number / 64 + 1), 0);
                words[number / 64] |= 1 << (number % 64);
            }
            _ => {
                let number = number as u32;
                let one = Far::Runs([(number, number + 1), (0, 0), (0, 0)]);
                *self = self.combined(&one, |word, other| word | other);
            }
        }
        true
    }

    #[inline]
    pub fn combined(&self, other: &Far, combine: impl Fn(u64, u64) -> u64) -> Far {
        if let (Far::Runs(one), Far::Runs(other)) = (self, other) {
            let mut collected = Collected::default();
            if swept(listed(one), listed(other), &combine, |run| collected.add(run)) {
                return Far::Runs(collected.runs);
            }
        }
        let len = self.len().max(other.len());
        Far::of((0..len).map(|at| combine(self.word(at), other.word(at))).collect())
    }

    #[inline]
    pub fn meets(&self, other: &Far) -> bool {
        match (self, other) {
            (Far::Runs(one), Far::Runs(other)) => {
                let meet = |one: &Run, other: &Run| one.0 < other.1 && other.0 < one.1;
                listed(one).iter().any(|one| listed(other).iter().any(|other| meet(one, other)))
            }
            // The parts of runs are few words.
            (Far::Words(_), Far::Runs(_)) => other.meets(self),
            _ => self.parts().any(|(at, word)| word & other.word(at) != 0),
        }
    }

    #[inline]
    pub fn is_within(&self, other: &Far) -> bool {
        match (self, other) {
            (Far::Runs(one), Far::Runs(other)) => {
                let is_within = |one: &Run, other: &Run| other.0 <= one.0 && one.1 <= other.1;
                listed(one).iter().all(|one| listed(other).iter().any(|other| is_within(one, other)))
            }
            _ => self.parts().all(|(at, word)| word & !other.word(at) == 0),
        }
    }
}

/// Calls `visit` with the runs of a combination in ascending order, some of them in several parts, until it returns false;
/// returns whether it never did.
#[inline]
fn swept(
    mut one: &[Run],
    mut other: &[Run],
    combine: &impl Fn(u64, u64) -> u64,
    mut visit: impl FnMut(Run) -> bool,
) -> bool {
    let mut at = 0;
    while !one.is_empty() || !other.is_empty() {
        // Whether the number is in the first run, and where this changes.
        let look = |runs: &[Run]| match runs.first() {
            Some(&(from, to)) => (u64::from(from <= at), if from <= at { to } else { from }),
            None => (0, u32::MAX),
        };
        let ((in_one, end), (in_other, other_end)) = (look(one), look(other));
        let next = end.min(other_end);
        if combine(in_one, in_other) & 1 != 0 && !visit((at, next)) {
            return false;
        }
        at = next;
        let rest = |runs: &mut &[Run]| {
            if runs.first().is_some_and(|run| run.1 <= at) {
                *runs = &runs[1..];
            }
        };
        rest(&mut one);
        rest(&mut other);
    }
    true
}
