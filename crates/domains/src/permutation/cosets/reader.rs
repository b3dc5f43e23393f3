//! Numbers of arrangements read place by place, for positions whose number is not known from the one before: the inverse
//! position, after a move, has no number that a table of moves could give.
//!
//! An arrangement is read as two words, one for either half of its places. The first word determines which second words
//! are possible and how many arrangements come before; the second has a rank among the possible ones. The sum is the
//! rank of the arrangement among all.

use super::arrangement::{Color, Numbering};
use super::words::{Reading, Words};
use crate::permutation::images::Place;
use crate::permutation::model::Model;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The greatest number of bits of a half.
const MOST_BITS: usize = 20;

/// The number of an arrangement, for some of its places.
pub(super) struct Reader {
    /// The places that are read: their colours determine all others.
    pub places: Vec<usize>,
    /// For each colour, its code.
    codes: Vec<u8>,
    bits: u32,
    /// The number of places of the first half.
    half: usize,
    /// For each first word, the rank of the first arrangement that begins with it, and the set of second words.
    first: Vec<(u32, u32)>,
    /// For each second word, its column.
    column: Vec<u32>,
    columns: usize,
    /// For each set of second words and each column, the rank in the set.
    ranks: Vec<u32>,
    /// For each rank, an entry as of [`Numbering::row`].
    values: Vec<u32>,
}

impl Reader {
    /// Returns a reader of arrangements of these places, before its tables are known, or `None` if the words would be too
    /// long.
    pub fn new(model: &Model, part: &[usize], colors: &[Color]) -> Option<Reader> {
        let places: Vec<usize> = telling(model, colors).into_iter().filter(|place| part.contains(place)).collect();
        let mut codes = vec![0; usize::from(Color::MAX) + 1];
        let used: BTreeSet<Color> = part.iter().map(|&place| colors[place]).collect();
        (0..).zip(&used).for_each(|(code, &color)| codes[usize::from(color)] = code);
        let bits = (used.len().max(2) - 1).ilog2() + 1;
        let half = places.len().div_ceil(2);
        (half * bits as usize <= MOST_BITS).then_some(Reader {
            places,
            codes,
            bits,
            half,
            first: Vec::new(),
            column: Vec::new(),
            columns: 0,
            ranks: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Appends the tables to a file.
    pub fn write(&self, words: &mut Words) {
        words.list(self.first.iter().flat_map(|&(before, set)| [before, set]));
        [&self.column, &self.ranks, &self.values].into_iter().for_each(|list| words.list(list.iter().copied()));
    }

    /// Reads the tables that [`write`](Self::write) has written, of the same arrangements.
    pub fn read_tables(mut self, words: &mut Reading) -> Option<Reader> {
        let first = words.list()?;
        self.first = first.chunks(2).map(|pair| (pair[0], pair[pair.len() - 1])).collect();
        self.column = words.list()?;
        self.columns = self.column.iter().filter(|&&column| column != u32::MAX).count();
        self.ranks = words.list()?;
        self.values = words.list()?;
        let bits = |places: usize| places * self.bits as usize;
        let fits =
            self.first.len() == 1 << bits(self.half) && self.column.len() == 1 << bits(self.places.len() - self.half);
        fits.then_some(self)
    }

    /// Fills the tables with the arrangements of a numbering.
    pub fn filled(self, numbering: &Numbering) -> Reader {
        let Reader { places, codes, bits, half, .. } = &self;
        let (part, bits, half) = (numbering.places(), *bits, *half);
        let rest_bits = bits * (places.len() - half) as u32;
        let kept: Vec<usize> = places.iter().filter_map(|place| part.iter().position(|other| other == place)).collect();
        let mut words: Vec<(u64, u32)> = Vec::new();
        numbering.each(|arrangement, value| {
            let word = kept.iter().fold(0, |word, &at| word << bits | u64::from(codes[usize::from(arrangement[at])]));
            words.push((word, value));
        });
        // Several symmetries may map an arrangement to the representative: any of them will do.
        words.sort_unstable();
        words.dedup_by_key(|(word, _)| *word);
        let second = |word: u64| (word & ((1 << rest_bits) - 1)) as usize;
        let mut column = vec![u32::MAX; 1 << rest_bits];
        let mut columns = 0;
        for &(word, _) in &words {
            let column = &mut column[second(word)];
            if *column == u32::MAX {
                *column = columns;
                columns += 1;
            }
        }
        let mut first = vec![(0, 0); 1 << (bits as usize * half)];
        let mut sets: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut ranks = Vec::new();
        let mut before = 0;
        for group in words.chunk_by(|one, other| one.0 >> rest_bits == other.0 >> rest_bits) {
            let set: Vec<u32> = group.iter().map(|&(word, _)| column[second(word)]).collect();
            let next = sets.len() as u32;
            let number = *sets.entry(set).or_insert_with_key(|set| {
                let start = ranks.len();
                ranks.resize(start + columns as usize, 0);
                (0..).zip(set).for_each(|(rank, &column)| ranks[start + column as usize] = rank);
                next
            });
            first[(group[0].0 >> rest_bits) as usize] = (before, number);
            before += group.len() as u32;
        }
        let values = words.into_iter().map(|(_, value)| value).collect();
        Reader { first, column, columns: columns as usize, ranks, values, ..self }
    }

    /// Returns a reader of what a map makes of each entry.
    pub fn map(mut self, map: impl Fn(u32) -> u32) -> Reader {
        self.values.iter_mut().for_each(|value| *value = map(*value));
        self
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> u64 {
        let words = 2 * self.first.len() + self.column.len() + self.ranks.len() + self.values.len();
        (words * size_of::<u32>()) as u64
    }

    /// Returns the code of a colour.
    pub fn code(&self, color: Color) -> u8 {
        self.codes[usize::from(color)]
    }

    /// Returns the entry of an arrangement, given the code of the colour at each place that is read, by its number.
    #[inline]
    pub fn read(&self, code: impl Fn(usize) -> u8) -> u32 {
        let word =
            |from: usize, to: usize| (from..to).fold(0, |word, number| word << self.bits | usize::from(code(number)));
        let (before, set) = self.first[word(0, self.half)];
        let column = self.column[word(self.half, self.places.len())] as usize;
        self.values[(before + self.ranks[set as usize * self.columns + column]) as usize]
    }
}

/// Returns places whose colours determine those of all places: of each block, the first one that determines the others,
/// or else all but those that others determine.
fn telling(model: &Model, colors: &[Color]) -> Vec<usize> {
    let block_of = |place: usize| {
        let orbit = model.orbits.iter().rfind(|orbit| orbit.first <= place).expect("the first orbit begins at 0");
        let first = place - (place - orbit.first) % orbit.size;
        first..first + orbit.size
    };
    // For each block, by its first place: the homes of the labels that may lie on its places together.
    let mut contents: BTreeMap<usize, HashSet<Vec<Place>>> = BTreeMap::new();
    let mut open: Vec<(usize, Vec<Place>)> = Vec::new();
    for place in 0..model.places {
        let block = block_of(place);
        if block.start == place {
            let homes: Vec<Place> = block.map(|place| place as Place).collect();
            contents.entry(place).or_default().insert(homes.clone());
            open.push((place, homes));
        }
    }
    while let Some((first, homes)) = open.pop() {
        for each_move in &model.moves {
            let to = block_of(usize::from(each_move.image[first]));
            let mut after = homes.clone();
            for (at, &home) in homes.iter().enumerate() {
                after[usize::from(each_move.image[first + at]) - to.start] = home;
            }
            if contents.entry(to.start).or_default().insert(after.clone()) {
                open.push((to.start, after));
            }
        }
    }
    let mut telling = Vec::new();
    for (first, contents) in contents {
        let shown: HashSet<Vec<Color>> =
            contents.iter().map(|homes| homes.iter().map(|&home| colors[usize::from(home)]).collect()).collect();
        let size = shown.iter().next().map_or(0, Vec::len);
        let determine = |places: &[usize]| {
            let seen: HashSet<Vec<Color>> =
                shown.iter().map(|colors| places.iter().map(|&place| colors[place]).collect()).collect();
            seen.len() == shown.len()
        };
        let mut kept: Vec<usize> = (0..size).collect();
        if let Some(alone) = (0..size).find(|&place| determine(&[place])) {
            kept = vec![alone];
        }
        for place in (0..size).rev() {
            let without: Vec<usize> = kept.iter().copied().filter(|&other| other != place).collect();
            if determine(&without) {
                kept = without;
            }
        }
        telling.extend(kept.into_iter().map(|place| first + place));
    }
    telling
}
