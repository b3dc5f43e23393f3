//! A table of small numbers, packed: four bits each where they fit, else eight.

use std::fs::File;
use std::io;
use std::ops::Deref;

/// The entries of a table, by placement.
pub(in crate::domain) struct Table {
    bytes: Bytes,
    /// Whether an entry has four bits, two of them in a byte, the first in the lower half.
    halves: bool,
}

impl Table {
    pub fn new(bytes: Bytes, halves: bool) -> Table {
        Table { bytes, halves }
    }

    #[inline]
    pub fn entry(&self, placement: u64) -> u8 {
        if self.halves {
            self.bytes[(placement / 2) as usize] >> (placement % 2 * 4) & 15
        } else {
            self.bytes[placement as usize]
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn halves(&self) -> bool {
        self.halves
    }
}

/// Bytes in memory, or in a file that is mapped into it, after a header.
pub(in crate::domain) enum Bytes {
    Held(Vec<u8>),
    Mapped { map: memmap2::Mmap, header: usize },
}

impl Bytes {
    /// Maps a file with a header of this many bytes.
    ///
    /// # Errors
    /// It cannot be mapped, or is shorter than its header.
    pub fn map(file: &File, header: usize) -> io::Result<Bytes> {
        // Safe as long as nobody changes the file in place: ours are only ever replaced whole. Were it done all the
        // same, an entry would be wrong, and memory still sound, since every value of a byte is an entry.
        #[expect(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(file)? };
        if map.len() < header {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is shorter than a header"));
        }
        Ok(Bytes::Mapped { map, header })
    }

    /// The bytes of the header.
    pub fn header(&self) -> &[u8] {
        match self {
            Bytes::Held(_) => &[],
            Bytes::Mapped { map, header } => &map[..*header],
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Held(bytes) => bytes,
            Bytes::Mapped { map, header } => &map[*header..],
        }
    }
}
