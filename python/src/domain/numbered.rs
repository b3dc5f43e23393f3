//! What a domain in Python names, numbered in the order in which it was first seen: objects by the equality of Python, and
//! rows of bytes.
//!
//! Most of the time goes into waiting for memory. So what is looked up is first named together with
//! [`touch`](Numbers::touch): then the accesses overlap.

use pyo3::prelude::*;
use std::hint::black_box;

/// An odd number without a pattern: the fraction of the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns a hash in which each bit depends on all bits of a word and of the hash of those before it.
#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ word) * u128::from(GOLDEN);
    (wide >> 64) as u64 ^ wide as u64
}

/// A slot of a table: a hash, and the number of what has it plus 1, or 0 if the slot is free.
type Slot = (u32, u32);

/// The numbers of things by their hashes: open addressing with linear probing.
struct Numbers {
    /// A power of 2 of them.
    slots: Vec<Slot>,
    len: u32,
}

impl Numbers {
    fn new() -> Numbers {
        Numbers { slots: vec![(0, 0); 1 << 10], len: 0 }
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        (hash >> (u32::BITS - self.slots.len().ilog2())) as usize
    }

    #[inline]
    fn find(&self, hash: u32, mut is_equal: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let mut at = self.home(hash);
        loop {
            match self.slots[at] {
                (_, 0) => return Err(at),
                (other, number) if other == hash && is_equal(number - 1) => return Ok(number - 1),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Gives the next number to what was not found.
    fn add(&mut self, hash: u32, free: usize) -> u32 {
        self.len += 1;
        self.slots[free] = (hash, self.len);
        if self.len as usize * 4 > self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(0, 0); old.len() * 2];
            for (hash, number) in old.into_iter().filter(|&(_, number)| number > 0) {
                if let Err(free) = self.find(hash, |_| false) {
                    self.slots[free] = (hash, number);
                }
            }
        }
        self.len - 1
    }

    /// Reads the home slots of hashes; returns the numbers there.
    fn touch(&self, hashes: impl Iterator<Item = u32>) -> impl Iterator<Item = usize> {
        hashes.map(|hash| self.slots[self.home(hash)].1 as usize).filter_map(|number| number.checked_sub(1))
    }
}

/// Objects of Python.
pub struct NumberedObjects {
    all: Vec<Py<PyAny>>,
    numbers: Numbers,
}

impl NumberedObjects {
    /// Creates an empty table.
    pub fn new() -> NumberedObjects {
        NumberedObjects { all: Vec::new(), numbers: Numbers::new() }
    }

    /// Returns how many there are.
    pub fn len(&self) -> u32 {
        self.numbers.len
    }

    /// Returns an object by its number.
    pub fn get<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.all[number as usize].bind(py).clone()
    }

    /// Returns the hash of an object.
    pub fn hash(object: &Bound<'_, PyAny>) -> PyResult<u32> {
        Ok(mixed(GOLDEN, object.hash()? as u64) as u32)
    }

    /// Reads what will be needed to find objects with these hashes.
    pub fn touch(&self, hashes: impl Iterator<Item = u32>) {
        black_box(self.numbers.touch(hashes).fold(0, |sum, number| sum ^ self.all[number].as_ptr() as usize));
    }

    /// Returns the number of an object with this hash, a new one if none is equal to it.
    pub fn number(&mut self, object: &Bound<'_, PyAny>, hash: u32) -> PyResult<u32> {
        let mut failed = None;
        let is_equal = |number: u32| {
            let known = self.all[number as usize].bind(object.py());
            known.is(object)
                || known.eq(object).unwrap_or_else(|error| {
                    failed = Some(error);
                    true
                })
        };
        let found = self.numbers.find(hash, is_equal);
        failed.map_or(Ok(()), Err)?;
        Ok(found.unwrap_or_else(|free| {
            self.all.push(object.clone().unbind());
            self.numbers.add(hash, free)
        }))
    }
}

/// Names of moves, which are mostly the same objects again and again.
pub struct Names {
    all: NumberedObjects,
    /// The numbers of the names that were last seen, by their addresses.
    recent: [u32; 64],
}

impl Names {
    /// Creates an empty table.
    pub fn new() -> Names {
        Names { all: NumberedObjects::new(), recent: [0; 64] }
    }

    /// Returns a name by its number.
    pub fn get<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.all.get(py, number)
    }

    /// Returns the number of a name, a new one if none is equal to it.
    pub fn number(&mut self, name: &Bound<'_, PyAny>) -> PyResult<u32> {
        let recent = &mut self.recent[name.as_ptr() as usize / 16 % 64];
        if self.all.all.get(*recent as usize).is_some_and(|known| known.is(name)) {
            return Ok(*recent);
        }
        *recent = self.all.number(name, NumberedObjects::hash(name)?)?;
        Ok(*recent)
    }
}

/// Rows of bytes, all of the same width.
pub struct NumberedRows {
    width: usize,
    /// The rows, one after the other.
    bytes: Vec<u8>,
    numbers: Numbers,
}

impl NumberedRows {
    /// Creates an empty table of rows of this many bytes.
    pub fn new(width: usize) -> NumberedRows {
        NumberedRows { width, bytes: Vec::new(), numbers: Numbers::new() }
    }

    /// Returns how many there are.
    pub fn len(&self) -> u32 {
        self.numbers.len
    }

    /// Returns a row by its number.
    #[inline]
    pub fn get(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.width]
    }

    /// Returns the hash of a row.
    #[inline]
    pub fn hash(row: &[u8]) -> u32 {
        let (words, rest) = row.as_chunks::<8>();
        let hash = words.iter().fold(GOLDEN, |hash, &word| mixed(hash, u64::from_ne_bytes(word)));
        mixed(hash, rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))) as u32
    }

    /// Reads what will be needed to find rows with these hashes.
    pub fn touch(&self, hashes: impl Iterator<Item = u32>) {
        black_box(self.numbers.touch(hashes).fold(0, |sum, number| sum ^ self.bytes[number * self.width]));
    }

    /// Returns the number of a row with this hash, a new one if none is equal to it.
    #[inline]
    pub fn number(&mut self, row: &[u8], hash: u32) -> u32 {
        let is_equal = |number| is_same(self.get(number), row);
        self.numbers.find(hash, is_equal).unwrap_or_else(|free| {
            self.bytes.extend_from_slice(row);
            self.numbers.add(hash, free)
        })
    }
}

/// Returns whether two rows are equal. They are short: so it is no call of the system's library.
#[inline]
fn is_same(row: &[u8], other: &[u8]) -> bool {
    let ((words, rest), (others, other_rest)) = (row.as_chunks::<8>(), other.as_chunks::<8>());
    words.iter().zip(others).all(|(word, other)| u64::from_ne_bytes(*word) == u64::from_ne_bytes(*other))
        && rest.iter().zip(other_rest).all(|(byte, other)| byte == other)
}
