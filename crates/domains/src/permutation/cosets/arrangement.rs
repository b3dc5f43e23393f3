//! Arrangements of colours: how the colours of the labels are spread over some places.

use super::words::{Reading, Words};
use crate::permutation::images::Place;
use crate::permutation::model::Model;
use crate::permutation::symmetries::Symmetry;
use rustc_hash::FxHashMap;

/// The colour of each place, in whatever arrangement.
pub(super) type Color = u8;

/// The number of a class in an entry of [`Numbering::next`], and the frame above it.
const CLASS_BITS: u32 = 24;

/// The greatest number of classes.
pub(super) const MOST_CLASSES: u64 = 1 << 21;

/// Some places, whose arrangements are numbered, as words of a few bits a place.
pub(super) struct Part {
    pub places: Vec<usize>,
    bits: u32,
}

/// A permutation of the places of a part that also maps colours to colours.
pub(super) struct Transformation {
    /// For each place of the part, by number, the one that it takes its colour from.
    from: Vec<u8>,
    colors: Vec<Color>,
}

impl Part {
    /// Returns `None` if an arrangement does not fit into a word.
    pub fn new(places: Vec<usize>, colors: &[Color]) -> Option<Part> {
        let most = places.iter().map(|&place| colors[place]).max().unwrap_or(0);
        let bits = (u8::BITS - most.leading_zeros()).max(1);
        (places.len() * bits as usize <= u128::BITS as usize).then_some(Part { places, bits })
    }

    /// Returns the transformation by a permutation that maps the part to itself, and by a map of the colours.
    pub fn transformation(&self, image: &[Place], colors: Vec<Color>) -> Transformation {
        let mut from = vec![0; self.places.len()];
        for (number, &place) in self.places.iter().enumerate() {
            let to = usize::from(image[place]);
            let to = self.places.iter().position(|&place| place == to).expect("the part is mapped to itself");
            from[to] = number as u8;
        }
        Transformation { from, colors }
    }

    fn unpack(&self, mut word: u128, arrangement: &mut [Color]) {
        for color in arrangement.iter_mut().rev() {
            *color = (word & ((1 << self.bits) - 1)) as Color;
            word >>= self.bits;
        }
    }
}

impl Transformation {
    #[inline]
    fn color(&self, arrangement: &[Color], at: usize) -> Color {
        self.colors[usize::from(arrangement[usize::from(self.from[at])])]
    }

    fn apply(&self, arrangement: &[Color], to: &mut [Color]) {
        to.iter_mut().enumerate().for_each(|(at, color)| *color = self.color(arrangement, at));
    }
}

/// The reachable arrangements of a part up to some symmetries, numbered in breadth-first order from the solved one.
///
/// The representative of a class is the least of its arrangements.
pub(super) struct Numbering {
    part: Part,
    symmetries: Vec<Transformation>,
    /// The representative of each class.
    least: Vec<u128>,
    /// The classes in the order of their representatives.
    sorted: Vec<u32>,
    /// For each class and move: the class after the move, and above its bits the number of a symmetry that maps the
    /// arrangement after the move to the representative.
    next: Vec<u32>,
    /// For each class, the symmetries that map its representative to itself, as a set of bits.
    pub stabilisers: Vec<u64>,
    /// For each class but the first: an earlier one, and a move that leads from that to it.
    before: Vec<(u32, usize)>,
    moves: usize,
}

/// A symmetry of the colours, with its map of the colours.
pub(super) type Keeping<'a> = (&'a Symmetry, Vec<Color>);

impl Numbering {
    /// Numbers the arrangements, up to at most 64 symmetries with their maps of the colours, the identity first.
    /// Returns `None` if there are too many, or if `goes_on` returns false for the number of classes found so far.
    pub fn new(
        model: &Model,
        part: Part,
        colors: &[Color],
        symmetries: &[Keeping],
        goes_on: impl Fn(u64) -> bool,
    ) -> Option<Numbering> {
        let same: Vec<Color> = (0..=Color::MAX).collect();
        let moves: Vec<Transformation> =
            model.moves.iter().map(|each_move| part.transformation(&each_move.image, same.clone())).collect();
        let solved: Vec<Color> = part.places.iter().map(|&place| colors[place]).collect();
        let mut numbering = Numbering::without_classes(model, part, symmetries);
        let (_, first) = numbering.canonical(&solved);
        numbering.least.push(first);
        let mut numbers = FxHashMap::from_iter([(first, 0)]);
        let (mut arrangement, mut after) = (solved.clone(), solved);
        while let Some(&word) = numbering.least.get(numbering.stabilisers.len()) {
            let found = numbering.least.len() as u64;
            if numbering.stabilisers.len().is_multiple_of(1 << 12) && !goes_on(found) {
                return None;
            }
            numbering.part.unpack(word, &mut arrangement);
            let keeps = |symmetry: &Transformation| {
                (0..arrangement.len()).all(|at| symmetry.color(&arrangement, at) == arrangement[at])
            };
            let keeping = numbering.symmetries.iter().map(keeps);
            numbering.stabilisers.push(keeping.rev().fold(0, |set, keeps| set << 1 | u64::from(keeps)));
            for each_move in &moves {
                each_move.apply(&arrangement, &mut after);
                let (symmetry, word) = numbering.canonical(&after);
                let new = numbering.least.len() as u32;
                let class = *numbers.entry(word).or_insert(new);
                if class == new {
                    numbering.least.push(word);
                }
                numbering.next.push(class | (symmetry as u32) << CLASS_BITS);
            }
            if numbering.least.len() as u64 > MOST_CLASSES {
                return None;
            }
        }
        numbering.sorted = (0..numbering.least.len() as u32).collect();
        numbering.sorted.sort_unstable_by_key(|&class| numbering.least[class as usize]);
        Some(numbering.with_steps())
    }

    fn without_classes(model: &Model, part: Part, symmetries: &[Keeping]) -> Numbering {
        Numbering {
            symmetries: symmetries.iter().map(|(s, colors)| part.transformation(&s.image, colors.clone())).collect(),
            least: Vec::new(),
            sorted: Vec::new(),
            next: Vec::new(),
            stabilisers: Vec::new(),
            before: Vec::new(),
            moves: model.moves.len(),
            part,
        }
    }

    /// Finds the class before each one: they are in breadth-first order.
    fn with_steps(mut self) -> Numbering {
        for class in 0..self.classes() as u32 {
            for each_move in 0..self.moves {
                if Self::split(self.row(class)[each_move]).0 as usize == self.before.len() + 1 {
                    self.before.push((class, each_move));
                }
            }
        }
        self
    }

    /// Appends the classes to a file.
    pub fn write(&self, words: &mut Words) {
        words.list(self.least.iter().flat_map(|&word| (0..4).map(move |part| (word >> (32 * part)) as u32)));
        words.list(self.sorted.iter().copied());
        words.list(self.next.iter().copied());
        words.list(self.stabilisers.iter().flat_map(|&set| [set as u32, (set >> 32) as u32]));
    }

    /// Reads the numbering that [`write`](Self::write) has written, of the same part.
    pub fn read(words: &mut Reading, model: &Model, part: Part, symmetries: &[Keeping]) -> Option<Numbering> {
        let mut numbering = Numbering::without_classes(model, part, symmetries);
        let least = words.list()?;
        let word = |parts: &[u32]| parts.iter().rev().fold(0, |word, &part| word << 32 | u128::from(part));
        numbering.least = least.chunks(4).map(word).collect();
        numbering.sorted = words.list()?;
        numbering.next = words.list()?;
        let set = |parts: &[u32]| parts.iter().rev().fold(0, |set, &part| set << 32 | u64::from(part));
        numbering.stabilisers = words.list()?.chunks(2).map(set).collect();
        let classes = numbering.stabilisers.len();
        let fits = numbering.least.len() == classes
            && numbering.sorted.len() == classes
            && numbering.next.len() == classes * numbering.moves;
        let numbering = fits.then(|| numbering.with_steps())?;
        (numbering.before.len() + 1 == classes).then_some(numbering)
    }

    /// Returns the number of classes.
    pub fn classes(&self) -> u64 {
        self.stabilisers.len() as u64
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> u64 {
        let classes = size_of::<u128>() + size_of::<u32>() + size_of::<u64>() + size_of::<(u32, usize)>();
        (self.next.len() * size_of::<u32>() + self.least.len() * classes) as u64
    }

    /// Returns the class after a move, and the number of a symmetry that maps the arrangement to its representative.
    #[inline]
    pub fn next(&self, class: u32, each_move: u16) -> (u32, u8) {
        Self::split(self.row(class)[usize::from(each_move)])
    }

    /// Returns what [`next`](Self::next) returns for each move, to be [split](Self::split).
    #[inline]
    pub fn row(&self, class: u32) -> &[u32] {
        &self.next[class as usize * self.moves..(class as usize + 1) * self.moves]
    }

    /// Fetches the rows of several classes into the caches, all at the same time.
    #[inline]
    pub fn fetch(&self, classes: impl Iterator<Item = u32>) {
        let ends = classes.map(|class| self.row(class)).map(|row| row[0] ^ row[row.len() - 1]);
        std::hint::black_box(ends.fold(0, |all, end| all ^ end));
    }

    /// Returns the class and the number of the symmetry in an entry of a row.
    #[inline]
    pub fn split(next: u32) -> (u32, u8) {
        (next & ((1 << CLASS_BITS) - 1), (next >> CLASS_BITS) as u8)
    }

    /// Returns the places of the part.
    pub fn places(&self) -> &[usize] {
        &self.part.places
    }

    /// Calls `arrangement` with all arrangements, and for each an entry as of [`row`](Self::row). Arrangements that
    /// several symmetries map to their representative come as many times.
    pub fn each(&self, mut arrangement: impl FnMut(&[Color], u32)) {
        let (mut least, mut other) = (vec![0; self.part.places.len()], vec![0; self.part.places.len()]);
        let mut used = vec![false; usize::from(Color::MAX) + 1];
        self.part.unpack(self.least[0], &mut least);
        least.iter().for_each(|&color| used[usize::from(color)] = true);
        let back = |symmetry: &Transformation| {
            let mut back = vec![0; usize::from(Color::MAX) + 1];
            let colors = (0..=Color::MAX).filter(|&color| used[usize::from(color)]);
            colors.for_each(|color| back[usize::from(symmetry.colors[usize::from(color)])] = color);
            back
        };
        let backs: Vec<Vec<Color>> = self.symmetries.iter().map(back).collect();
        for (class, &word) in (0_u32..).zip(&self.least) {
            self.part.unpack(word, &mut least);
            for ((number, symmetry), back) in (0_u32..).zip(&self.symmetries).zip(&backs) {
                for (at, &color) in least.iter().enumerate() {
                    other[usize::from(symmetry.from[at])] = back[usize::from(color)];
                }
                arrangement(&other, class | number << CLASS_BITS);
            }
        }
    }

    /// Returns the class of a reachable arrangement, given by the colour at each place of the puzzle, and the number of
    /// a symmetry that maps it to the representative.
    pub fn class(&self, colors: &[Color]) -> (u32, u8) {
        let arrangement: Vec<Color> = self.part.places.iter().map(|&place| colors[place]).collect();
        let (symmetry, word) = self.canonical(&arrangement);
        let at = self.sorted.binary_search_by_key(&word, |&class| self.least[class as usize]);
        (self.sorted[at.expect("the arrangement is reachable")], symmetry)
    }

    /// Returns the image of each class under a map that keeps the first one, where `after` is the image after a move, given
    /// the one before it.
    pub fn images(&self, after: impl Fn(u32, usize) -> u32) -> Vec<u32> {
        let mut images = vec![0];
        for &(class, each_move) in &self.before {
            images.push(after(images[class as usize], each_move));
        }
        images
    }

    /// Returns the least image of an arrangement under the symmetries, and the first symmetry that maps to it.
    fn canonical(&self, arrangement: &[Color]) -> (u8, u128) {
        let mut least = 0;
        for number in 1..self.symmetries.len() {
            let (one, other) = (&self.symmetries[number], &self.symmetries[least]);
            let mut colors =
                (0..arrangement.len()).map(|at| (one.color(arrangement, at), other.color(arrangement, at)));
            if colors.find(|(one, other)| one != other).is_some_and(|(one, other)| one < other) {
                least = number;
            }
        }
        let symmetry = &self.symmetries[least];
        let word = (0..arrangement.len())
            .fold(0, |word, at| word << self.part.bits | u128::from(symmetry.color(arrangement, at)));
        (least as u8, word)
    }
}
