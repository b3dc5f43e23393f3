//! The arrangements of all orbits but the leading one, as pairs of numbers.
//!
//! The arrangements of a pattern that refines another one often are the pairs of two coarser kinds of arrangement: the one of
//! the coarse pattern, and the one that shows only which kind of piece is where, without how it is turned. Moves and
//! symmetries map either number alone, so two small tables that stay in the caches take the place of a large one. Where
//! the arrangements are not all pairs, the second number is always 0.

use super::PER_BYTE;
use super::arrangement::{Color, Keeping, Numbering, Part};
use crate::permutation::model::Model;
use std::collections::BTreeMap;

/// The two numbers of an arrangement in a word: the second one in the lowest bits.
pub(super) type Pair = u32;
const INNER_BITS: u32 = 6;

/// The greatest number of second numbers: as many as a word has bits.
const MOST_INNER: u64 = 1 << INNER_BITS;

/// The numbers of the arrangements, and their maps.
pub(super) struct Rest {
    numbering: Numbering,
    /// For each class of the numbering, its pair.
    pairs: Vec<Pair>,
    outer: Factor,
    inner: Factor,
    /// For each symmetry and move, and each second number: the image of the number after the move.
    inner_after: Vec<u8>,
    /// How many entries of a table each first number has: one for each second number, in whole bytes if there are several.
    group: u64,
    moves: usize,
}

/// The maps of one of the two numbers.
#[derive(Clone)]
struct Factor {
    count: usize,
    /// For each number and each move, the number after it.
    next: Vec<u32>,
    /// For each symmetry that keeps the colours and each number, its image.
    mapped: Vec<u32>,
}

impl Factor {
    /// Returns the maps of a numbering, given the image of each move under each symmetry.
    fn new(numbering: &Numbering, keeping: &[&[u16]]) -> Factor {
        let count = numbering.classes() as usize;
        let moves = keeping[0].len();
        let rows = (0..count as u32).flat_map(|class| numbering.row(class));
        let next: Vec<u32> = rows.map(|&next| Numbering::split(next).0).collect();
        let mapped = |images: &&[u16]| {
            numbering.images(|image, each_move| next[image as usize * moves + usize::from(images[each_move])])
        };
        let mapped = keeping.iter().flat_map(mapped).collect();
        Factor { count, next, mapped }
    }

    fn one(keeping: &[&[u16]]) -> Factor {
        Factor { count: 1, next: vec![0; keeping[0].len()], mapped: vec![0; keeping.len()] }
    }

    /// Returns whether the images under symmetries go with the moves.
    fn is_symmetric(&self, keeping: &[&[u16]]) -> bool {
        let moves = keeping[0].len();
        let mut pairs = keeping.iter().zip(self.mapped.chunks(self.count));
        pairs.all(|(images, mapped)| {
            (0..self.count).all(|at| {
                (0..moves).all(|each_move| {
                    let after = self.next[at * moves + each_move];
                    mapped[after as usize] == self.next[mapped[at] as usize * moves + usize::from(images[each_move])]
                })
            })
        })
    }

    fn bytes(&self) -> usize {
        (self.next.len() + self.mapped.len()) * size_of::<u32>()
    }
}

impl Rest {
    /// Returns the arrangements of a numbering up to exchanges of colours, given the image of each move under each symmetry
    /// that keeps the colours. With those that it refines, they may be pairs.
    pub fn new(
        model: &Model,
        numbering: Numbering,
        (colors, recolorings): (&[Color], &[Keeping]),
        keeping: &[&[u16]],
        coarse: Option<&Rest>,
    ) -> Rest {
        let in_pairs = coarse.and_then(|coarse| {
            let kinds = kinds(model, numbering.places(), colors, recolorings)?;
            pairs(&numbering, coarse, Factor::new(&kinds, keeping), keeping)
        });
        let (pairs, outer, inner) = in_pairs.unwrap_or_else(|| {
            let pairs = (0..numbering.classes() as u32).map(|class| Self::pair_from(class, 0)).collect();
            (pairs, Factor::new(&numbering, keeping), Factor::one(keeping))
        });
        let moves = model.moves.len();
        let mut inner_after = Vec::new();
        for mapped in inner.mapped.chunks(inner.count) {
            for each_move in 0..moves {
                let after = |at: usize| mapped[inner.next[at * moves + each_move] as usize] as u8;
                inner_after.extend((0..inner.count).map(after));
            }
        }
        let group = inner.count as u64;
        let group = if group > 1 { group.next_multiple_of(PER_BYTE) } else { group };
        Rest { numbering, pairs, outer, inner, inner_after, group, moves }
    }

    /// Returns the number of arrangements.
    pub fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// Returns how many first and second numbers there are, and how many entries each first number has.
    pub fn counts(&self) -> (u32, u32, u64) {
        (self.outer.count as u32, self.inner.count as u32, self.group)
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> u64 {
        self.outer.count as u64 * self.group
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> u64 {
        let bytes =
            self.pairs.len() * size_of::<Pair>() + self.outer.bytes() + self.inner.bytes() + self.inner_after.len();
        self.numbering.bytes() + bytes as u64
    }

    /// Returns the pair of a class of the numbering.
    pub fn pair_of(&self, class: u32) -> Pair {
        self.pairs[class as usize]
    }

    /// Returns the pair of an arrangement, given by the colour at each place of the puzzle.
    pub fn pair(&self, colors: &[Color]) -> Pair {
        self.pair_of(self.numbering.class(colors).0)
    }

    /// Returns for each first number the one of the arrangement in the pattern that this one refines.
    pub fn coarse(&self, coarse: &Rest) -> Vec<u32> {
        if self.inner.count > 1 {
            return (0..self.outer.count as u32).collect();
        }
        self.numbering.images(|image, each_move| coarse.outer.next[image as usize * coarse.moves + each_move])
    }

    /// Returns the first number of a pair.
    #[inline]
    pub fn outer(pair: Pair) -> usize {
        (pair >> INNER_BITS) as usize
    }

    /// Returns the second number of a pair.
    #[inline]
    fn inner(pair: Pair) -> usize {
        (pair & (MOST_INNER as u32 - 1)) as usize
    }

    /// Returns the pair of two numbers.
    #[inline]
    pub fn pair_from(outer: u32, inner: u32) -> Pair {
        outer << INNER_BITS | inner
    }

    /// Returns the entry of a pair.
    #[inline]
    pub fn number(&self, pair: Pair) -> u64 {
        Self::outer(pair) as u64 * self.group + Self::inner(pair) as u64
    }

    /// Returns the pair that has an entry.
    #[inline]
    pub fn numbered(&self, number: u64) -> Pair {
        Self::pair_from((number / self.group) as u32, (number % self.group) as u32)
    }

    /// Returns the image of an arrangement under a symmetry that keeps the colours.
    #[inline]
    pub fn mapped(&self, pair: Pair, keeping: u8) -> Pair {
        let outer = self.outer.mapped[usize::from(keeping) * self.outer.count + Self::outer(pair)];
        Self::pair_from(outer, self.inner.mapped[usize::from(keeping) * self.inner.count + Self::inner(pair)])
    }

    /// Returns the image of the arrangement after a move under a symmetry that keeps the colours.
    #[inline]
    pub fn after(&self, pair: Pair, each_move: usize, keeping: u8) -> Pair {
        let next = self.outer.next[Self::outer(pair) * self.moves + each_move];
        let outer = self.outer.mapped[usize::from(keeping) * self.outer.count + next as usize];
        let map = usize::from(keeping) * self.moves + each_move;
        Self::pair_from(outer, self.inner_after[map * self.inner.count + Self::inner(pair)].into())
    }
}

/// Returns the pairs of all classes, of the coarse arrangement and of a kind, with the maps of both numbers. Returns `None` if
/// not all arrangements of both are pairs, or if a number after a symmetry does not depend on the number before it alone.
fn pairs(
    numbering: &Numbering,
    coarse: &Rest,
    inner: Factor,
    keeping: &[&[u16]],
) -> Option<(Vec<Pair>, Factor, Factor)> {
    let outer = &coarse.outer;
    let are_all = (outer.count * inner.count) as u64 == numbering.classes();
    if coarse.inner.count > 1 || inner.count == 1 || !are_all || !inner.is_symmetric(keeping) {
        return None;
    }
    let images = |of: &Factor| numbering.images(|at, each_move| of.next[at as usize * coarse.moves + each_move]);
    let numbers = images(outer).into_iter().zip(images(&inner));
    let pairs: Vec<Pair> = numbers.map(|(outer, inner)| Rest::pair_from(outer, inner)).collect();
    let mut seen = vec![false; outer.count << INNER_BITS];
    let are_distinct = pairs.iter().all(|&pair| !std::mem::replace(&mut seen[pair as usize], true));
    are_distinct.then(|| (pairs, outer.clone(), inner))
}

/// Numbers the arrangements of kinds of blocks: a kind is the colours of its places in any order. Returns `None` if there are
/// too many, or if an exchange of colours is none of kinds.
fn kinds(model: &Model, places: &[usize], colors: &[Color], recolorings: &[Keeping]) -> Option<Numbering> {
    let block_of = |place: usize| {
        let orbit = model.orbits.iter().rfind(|orbit| orbit.first <= place).expect("the first orbit begins at 0");
        let first = place - (place - orbit.first) % orbit.size;
        first..first + orbit.size
    };
    let kind = |place: usize, map: &[Color]| {
        let mut kind: Vec<Color> = block_of(place).map(|place| map[usize::from(colors[place])]).collect();
        kind.sort_unstable();
        kind
    };
    let mut numbers = BTreeMap::new();
    let mut kinds = vec![0; colors.len()];
    for &place in places {
        let next = numbers.len() as Color;
        kinds[place] = *numbers.entry(kind(place, &recolorings[0].1)).or_insert(next);
    }
    let mut exchanges: Vec<Keeping> = Vec::new();
    for (symmetry, map) in recolorings {
        let mut exchange: Vec<Color> = (0..=Color::MAX).collect();
        for &place in places {
            exchange[usize::from(kinds[place])] = *numbers.get(&kind(place, map))?;
        }
        exchanges.push((symmetry, exchange));
    }
    let part = Part::new(places.to_vec(), &kinds)?;
    Numbering::new(model, part, &kinds, &exchanges, |found| found <= MOST_INNER)
        .filter(|kinds| kinds.classes() <= MOST_INNER)
}
