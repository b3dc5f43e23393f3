//! What a domain in Python names, numbered in the order in which it was first seen: objects by the equality of Python, and
//! rows of bytes.

use hashbrown::hash_table::{Entry, HashTable};
use pyo3::prelude::*;

/// An odd number without a pattern: the fraction of the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns a hash of words all of whose bits depend on all of them.
fn mixed(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(GOLDEN, |hash, word| {
        let wide = u128::from(hash ^ word) * u128::from(GOLDEN);
        (wide >> 64) as u64 ^ wide as u64
    })
}

/// Objects of Python.
#[derive(Default)]
pub struct NumberedObjects {
    all: Vec<Py<PyAny>>,
    /// The numbers, and the hashes that Python computed: it does not keep that of a tuple.
    table: HashTable<(isize, u32)>,
}

impl NumberedObjects {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns an object by its number.
    pub fn get<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.all[number as usize].bind(py).clone()
    }

    /// Returns the number of an object, a new one if none is equal to it.
    pub fn number(&mut self, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        let mix = |hash: isize| mixed(std::iter::once(hash as u64));
        let hash = object.hash()?;
        let mut failed = None;
        let is_equal = |&(other, number): &(isize, u32)| {
            let known = || self.all[number as usize].bind(object.py());
            other == hash && (known().is(object) || known().eq(object).unwrap_or_else(|error| {
                failed = Some(error);
                true
            }))
        };
        let known = self.table.find(mix(hash), is_equal).map(|&(_, number)| number);
        if let Some(error) = failed {
            return Err(error);
        }
        Ok(known.unwrap_or_else(|| {
            let number = self.all.len() as u32;
            self.all.push(object.clone().unbind());
            self.table.insert_unique(mix(hash), (hash, number), |&(hash, _)| mix(hash));
            number
        }))
    }
}

/// Rows of bytes, all of the same width.
pub struct NumberedRows {
    width: usize,
    /// The rows, one after the other.
    bytes: Vec<u8>,
    count: u32,
    table: HashTable<u32>,
}

impl NumberedRows {
    /// Creates an empty table of rows of this many bytes.
    pub fn new(width: usize) -> NumberedRows {
        NumberedRows { width, bytes: Vec::new(), count: 0, table: HashTable::new() }
    }

    /// Returns how many there are.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Returns a row by its number.
    pub fn get(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.width]
    }

    /// Returns the number of a row, a new one if none is equal to it.
    pub fn number(&mut self, row: &[u8]) -> u32 {
        let NumberedRows { width, bytes, count, table } = self;
        let of = |number: u32| &bytes[number as usize * *width..][..*width];
        match table.entry(hash(row), |&number| of(number) == row, |&number| hash(of(number))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert(*count);
                bytes.extend_from_slice(row);
                *count += 1;
                *count - 1
            }
        }
    }
}

fn hash(row: &[u8]) -> u64 {
    let (words, rest) = row.as_chunks::<8>();
    let rest = rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    mixed(words.iter().map(|&word| u64::from_ne_bytes(word)).chain(std::iter::once(rest)))
}
