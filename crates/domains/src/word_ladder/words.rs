//! A list of numbered words, with an index that finds the neighbours of a word without scanning the list.
//!
//! A word with one letter removed is a *pattern*. Words of the same length that share a pattern with its hole at the
//! same position differ in that letter alone: they form a ring. The neighbours by a change are the other words in the
//! rings of a word. A pattern that is itself in the list is a neighbour by a deletion; the neighbours by an insertion
//! are the words with this pattern. So the index needs one hash for each letter of each word, which follows from the
//! hash of the word in a few operations (a rolling hash).
//!
//! The index of one length is built when a word of that length is first queried: ladders of changes alone need only
//! one.

use super::Edits;
use hashbrown::HashTable;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A word, by its position in the list, in which each word occurs once.
pub(super) type Word = u32;

/// A list of words. A letter is a Unicode scalar value.
pub(super) struct Words {
    /// The letters of all words, concatenated.
    letters: Vec<char>,
    /// The end of each word in `letters`.
    ends: Vec<u32>,
    /// The position of each word among those of its length.
    places: Vec<u32>,
    by_text: HashTable<Word>,
    lengths: BTreeMap<usize, Length>,
}

/// The words of one length, in the order of the list.
#[derive(Default)]
struct Length {
    words: Vec<Word>,
    changes: OnceLock<Rings>,
    insertions: OnceLock<Insertions>,
}

/// For each word of a length and each letter, the next word with the same pattern, as a cyclic linked list.
struct Rings(Vec<u32>);

/// Pairs of a word and a word one letter longer that becomes it by a deletion; sorted and distinct.
struct Insertions(Vec<(Word, Word)>);

/// The base of the polynomial hashes: odd, so that it has an inverse modulo 2^64, which removing a letter needs.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const INVERSE: u64 = inverse(BASE);

/// The digit of the hole in a pattern.
const HOLE: u64 = 1 << 40;

/// Returns the inverse of an odd number modulo 2^64, by Newton's method: every step doubles the correct bits.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut bits) = (odd, 3);
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// Returns the digit of a letter in a hash.
fn digit(letter: char) -> u64 {
    u64::from(u32::from(letter)) + 1
}

fn polynomial(letters: &[char]) -> u64 {
    letters.iter().rev().fold(0, |hash: u64, &letter| hash.wrapping_mul(BASE).wrapping_add(digit(letter)))
}

/// Mixes a polynomial over all bits, as a hash table needs.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ hash >> 29
}

/// Returns for each letter of a word the polynomial with a hole at the letter, and without the letter.
fn patterns(letters: &[char]) -> impl Iterator<Item = (u64, u64)> {
    let whole = polynomial(letters);
    let (mut before, mut power) = (0u64, 1u64);
    letters.iter().map(move |&letter| {
        let own = digit(letter).wrapping_mul(power);
        let with_hole = whole.wrapping_sub(own).wrapping_add(HOLE.wrapping_mul(power));
        let after = whole.wrapping_sub(before).wrapping_sub(own);
        let without = before.wrapping_add(after.wrapping_mul(INVERSE));
        before = before.wrapping_add(own);
        power = power.wrapping_mul(BASE);
        (with_hole, without)
    })
}

impl Words {
    /// Returns an empty list.
    pub fn new() -> Words {
        Words {
            letters: Vec::new(),
            ends: Vec::new(),
            places: Vec::new(),
            by_text: HashTable::new(),
            lengths: BTreeMap::new(),
        }
    }

    /// Adds a word at the end unless it is in the list.
    pub fn push(&mut self, text: &str) {
        let from = self.letters.len();
        self.letters.extend(text.chars());
        let word = self.ends.len() as Word;
        self.ends.push(self.letters.len() as u32);
        let Words { letters, ends, by_text, .. } = self;
        let own = &letters[from..];
        let hash = mix(polynomial(own));
        let same = |&other: &Word| letters_of(letters, ends, other) == own;
        let rehash = |&other: &Word| mix(polynomial(letters_of(letters, ends, other)));
        if by_text.find(hash, same).is_some() {
            self.letters.truncate(from);
            self.ends.pop();
            return;
        }
        by_text.insert_unique(hash, word, rehash);
        let length = self.lengths.entry(self.letters.len() - from).or_default();
        self.places.push(length.words.len() as u32);
        length.words.push(word);
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the letters of a word.
    pub fn letters(&self, word: Word) -> &[char] {
        letters_of(&self.letters, &self.ends, word)
    }

    /// Returns a word as text.
    pub fn text(&self, word: Word) -> String {
        self.letters(word).iter().collect()
    }

    /// Returns the number of a word, or `None` if it is not in the list.
    pub fn find(&self, text: &str) -> Option<Word> {
        let letters: Vec<char> = text.chars().collect();
        let hash = mix(polynomial(&letters));
        self.by_text.find(hash, |&word| self.letters(word) == letters).copied()
    }

    /// Returns the length of the longest word.
    pub fn longest(&self) -> usize {
        self.lengths.last_key_value().map_or(0, |(&length, _)| length)
    }

    /// Returns the words that are one edit away, each once, in the order of the list.
    pub fn neighbors(&self, word: Word, edits: Edits) -> Vec<Word> {
        let letters = self.letters(word);
        let mut found = Vec::new();
        let Some(length) = self.lengths.get(&letters.len()) else { return found };
        if edits.change {
            let Rings(next) = length.changes.get_or_init(|| self.rings(length, letters.len()));
            let own = self.places[word as usize] as usize * letters.len();
            for entry in own..own + letters.len() {
                let mut at = next[entry] as usize;
                while at != entry {
                    found.push(length.words[at / letters.len()]);
                    at = next[at] as usize;
                }
            }
        }
        if edits.delete {
            found.extend(self.shorter(word));
        }
        if edits.insert
            && let Some(longer) = self.lengths.get(&(letters.len() + 1))
        {
            let Insertions(pairs) = length.insertions.get_or_init(|| self.insertions(longer));
            let from = pairs.partition_point(|pair| pair.0 < word);
            found.extend(pairs[from..].iter().take_while(|pair| pair.0 == word).map(|pair| pair.1));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the words of the list that are one deletion away, possibly with repetitions.
    fn shorter(&self, word: Word) -> impl Iterator<Item = Word> {
        let letters = self.letters(word);
        // Without any letter of a run of equal letters, the word is the same.
        let begins_run = |hole: &usize| *hole == 0 || letters[*hole] != letters[*hole - 1];
        patterns(letters).enumerate().filter(move |(hole, _)| begins_run(hole)).filter_map(
            move |(hole, (_, without))| {
                let same = |&other: &Word| {
                    let other = self.letters(other);
                    other.len() + 1 == letters.len()
                        && other[..hole] == letters[..hole]
                        && other[hole..] == letters[hole + 1..]
                };
                self.by_text.find(mix(without), same).copied()
            },
        )
    }

    fn rings(&self, length: &Length, letters: usize) -> Rings {
        let entries = length.words.len() * letters;
        let mut next: Vec<u32> = Vec::with_capacity(entries);
        // The last entry of each pattern, with its hash.
        let mut last: HashTable<(u32, u64)> = HashTable::with_capacity(entries);
        for &word in &length.words {
            let own = self.letters(word);
            for (hole, (with_hole, _)) in patterns(own).enumerate() {
                let entry = next.len() as u32;
                let hash = mix(with_hole);
                let same = |&(other, _): &(u32, u64)| {
                    let other = other as usize;
                    let (word, place) = (self.letters(length.words[other / letters]), other % letters);
                    place == hole && word[..hole] == own[..hole] && word[hole + 1..] == own[hole + 1..]
                };
                match last.find_mut(hash, same) {
                    Some((before, _)) => {
                        let first = std::mem::replace(&mut next[*before as usize], entry);
                        next.push(first);
                        *before = entry;
                    }
                    None => {
                        next.push(entry);
                        last.insert_unique(hash, (entry, hash), |&(_, hash)| hash);
                    }
                }
            }
        }
        Rings(next)
    }

    /// Returns the pairs of all words of a length.
    fn insertions(&self, longer: &Length) -> Insertions {
        let of = |&word: &Word| self.shorter(word).map(move |shorter| (shorter, word));
        let mut pairs: Vec<(Word, Word)> = longer.words.iter().flat_map(of).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Insertions(pairs)
    }
}

/// The greatest number of letters of a word in a message.
const MOST_SHOWN: usize = 40;

/// Returns a word for a message: of a very long one, the first letters.
pub(super) fn shown(letters: &[char]) -> String {
    let shown = letters.iter().take(MOST_SHOWN).collect::<String>();
    if letters.len() > MOST_SHOWN { shown + "…" } else { shown }
}

fn letters_of<'a>(letters: &'a [char], ends: &[u32], word: Word) -> &'a [char] {
    let from = (word as usize).checked_sub(1).map_or(0, |before| ends[before]);
    &letters[from as usize..ends[word as usize] as usize]
}
