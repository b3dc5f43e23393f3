//! A packed table of small numbers: four bits for each entry if they fit, else eight.

use std::fs::File;
use std::io;
use std::ops::Deref;

/// The entries of a table, by placement.
pub struct Table {
    bytes: Bytes,
    /// True if an entry has four bits: two entries in a byte, the first in the lower half.
    nibbles: bool,
}

impl Table {
    pub fn new(bytes: Bytes, nibbles: bool) -> Table {
        Table { bytes, nibbles }
    }

    #[inline]
    pub fn entry(&self, placement: u64) -> u8 {
        if self.nibbles {
            self.bytes[(placement / 2) as usize] >> (placement % 2 * 4) & 15
        } else {
            self.bytes[placement as usize]
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn nibbles(&self) -> bool {
        self.nibbles
    }
}

/// Bytes in memory, or in a memory-mapped file after a header.
pub enum Bytes {
    Owned(Vec<u8>),
    Mapped { map: memmap2::Mmap, header: usize },
}

impl Bytes {
    /// Maps a file with a header of this many bytes into memory.
    ///
    /// # Errors
    /// Returns an error if the file cannot be mapped, or is shorter than its header.
    pub fn map(file: &File, header: usize) -> io::Result<Bytes> {
        // This is safe as long as nobody changes the file in place: the engine only replaces whole files. After such a
        // change, entries would be wrong, but memory stays sound, since every byte is a valid entry.
        #[expect(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(file)? };
        // Entries are read in any order, so few large pages of memory are found faster than many small ones. Where the system
        // has none, the small ones do.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        if map.len() < header {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is shorter than a header"));
        }
        Ok(Bytes::Mapped { map, header })
    }

    /// Returns the bytes of the header.
    pub fn header(&self) -> &[u8] {
        match self {
            Bytes::Owned(_) => &[],
            Bytes::Mapped { map, header } => &map[..*header],
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped { map, header } => &map[*header..],
        }
    }
}
