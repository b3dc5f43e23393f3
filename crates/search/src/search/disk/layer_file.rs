//! The file of a layer: sorted records, written and read as a stream.
//!
//! A header of sixteen bytes (magic number with version, kind of records, owner) precedes the blocks. A block is a head
//! of twelve bytes (the number of its records, the size of its content, a CRC-32 of both and of the content) and its
//! content. In the content, the first record is stored as it is, each other as the difference from the one before. The
//! last block has no records; its content is the total number of records, in eight bytes. All numbers are
//! little-endian.
//!
//! Records of a block are returned only after its checksum was verified. Size and checksum of the whole file are stored
//! elsewhere ([`Seal`]) and compared at its end. So a reader that reaches the end may trust all of the file, and must
//! discard results based on less.

use super::record::StoredCode;
use super::storage::Storage;
use super::usage::Usage;
use super::{Abort, StepResult};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The first bytes of every file; the number is the version of the format.
pub(in crate::search) const MAGIC: &[u8; 11] = b"layer 0001\n";
const HEADER: usize = 16;
const HEAD: usize = 12;
/// The maximum number of records in a block.
pub(in crate::search) const BLOCK: usize = 1024;
/// The maximum size of a content: a pair of 128-bit numbers takes at most 38 bytes.
const MAX_BYTES: usize = BLOCK * 38;
/// Bytes collected before a write.
const WRITE_BYTES: usize = 1 << 15;
/// Bytes per read.
const READ_BYTES: usize = 1 << 13;

/// Returns the memory of a reader of records, in bytes.
pub(in crate::search) const fn reader_bytes<R>() -> usize {
    READ_BYTES + 2 * BLOCK * size_of::<R>()
}

/// Identifies the complete contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Seal {
    /// The number of records.
    pub count: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// The CRC-32 of all bytes.
    pub crc32: u32,
}

/// Writes a file, record by record.
pub(in crate::search) struct Writer<R> {
    storage: Storage,
    name: String,
    file: Box<dyn Write + Send>,
    usage: Arc<Usage>,
    seal: Seal,
    checksum: Hasher,
    /// Bytes not yet written: complete blocks, then the current block, after twelve bytes for its head.
    bytes: Vec<u8>,
    block_start: usize,
    records: usize,
    last: R,
    is_complete: bool,
}

impl<R: StoredCode> Writer<R> {
    /// Creates a file, which must not exist; `owner` identifies the exploration.
    pub fn create(storage: &Storage, name: &str, owner: u32, usage: &Arc<Usage>) -> StepResult<Writer<R>> {
        let file = storage.create(name).map_err(|error| Abort::file(&storage.path(name), &error))?;
        let mut bytes = Vec::with_capacity(WRITE_BYTES + MAX_BYTES / 4);
        bytes.extend(MAGIC);
        bytes.push(R::KIND);
        bytes.extend(owner.to_le_bytes());
        assert_eq!(bytes.len(), HEADER);
        let seal = Seal { count: 0, bytes: 0, crc32: 0 };
        let (storage, name, usage) = (storage.clone(), name.to_owned(), Arc::clone(usage));
        let (checksum, last) = (Hasher::new(), R::LEAST);
        let (block_start, records, is_complete) = (0, 0, false);
        let mut writer =
            Writer { storage, name, file, usage, seal, checksum, bytes, block_start, records, last, is_complete };
        writer.begin();
        Ok(writer)
    }

    /// Appends records in strictly increasing order.
    pub fn extend(&mut self, records: &[R]) -> StepResult<()> {
        for &record in records {
            assert!(
                record > self.last || self.seal.count + self.records as u64 == 0,
                "records are strictly increasing"
            );
            if self.records == BLOCK {
                self.end_block()?;
            }
            let before = if self.records == 0 { R::LEAST } else { self.last };
            record.write(before, &mut self.bytes);
            self.last = record;
            self.records += 1;
        }
        Ok(())
    }

    /// Completes the file.
    pub fn finish(mut self) -> StepResult<Seal> {
        if self.records > 0 {
            self.end_block()?;
        }
        self.bytes.extend(self.seal.count.to_le_bytes());
        self.end_block()?;
        self.bytes.truncate(self.block_start);
        self.write()?;
        self.seal.crc32 = self.checksum.clone().finalize();
        self.is_complete = true;
        Ok(self.seal)
    }

    fn begin(&mut self) {
        (self.block_start, self.records) = (self.bytes.len(), 0);
        self.bytes.extend([0; HEAD]);
    }

    fn end_block(&mut self) -> StepResult<()> {
        let (head, content) = self.bytes[self.block_start..].split_at_mut(HEAD);
        head[..4].copy_from_slice(&(self.records as u32).to_le_bytes());
        head[4..8].copy_from_slice(&(content.len() as u32).to_le_bytes());
        let crc32 = checksum_of(&head[..8], content);
        head[8..].copy_from_slice(&crc32.to_le_bytes());
        self.seal.count += self.records as u64;
        if self.bytes.len() >= WRITE_BYTES {
            self.write()?;
        }
        self.begin();
        Ok(())
    }

    fn write(&mut self) -> StepResult<()> {
        self.usage.reserve(self.bytes.len() as u64)?;
        self.seal.bytes += self.bytes.len() as u64;
        self.file.write_all(&self.bytes).map_err(|error| Abort::file(&self.storage.path(&self.name), &error))?;
        self.checksum.update(&self.bytes);
        self.bytes.clear();
        Ok(())
    }
}

/// Removes a file that was not completed.
impl<R> Drop for Writer<R> {
    fn drop(&mut self) {
        if !self.is_complete && self.storage.remove(&self.name).is_ok() {
            self.usage.release(self.seal.bytes);
        }
    }
}

/// Reads a file, block by block.
pub(in crate::search) struct Reader<R> {
    path: PathBuf,
    file: BufReader<Box<dyn Read + Send>>,
    seal: Seal,
    checksum: Hasher,
    read: u64,
    count: u64,
    content: Vec<u8>,
    block: Vec<R>,
    /// The number of records of the block that were consumed.
    at: usize,
    ended: bool,
}

impl<R: StoredCode> Reader<R> {
    /// Opens the file with this owner and seal.
    pub fn open(storage: &Storage, name: &str, owner: u32, seal: Seal) -> StepResult<Reader<R>> {
        let path = storage.path(name);
        let file = storage.open(name).map_err(|error| Abort::file(&path, &error))?;
        let mut reader = Reader {
            path,
            file: BufReader::with_capacity(READ_BYTES, file),
            seal,
            checksum: Hasher::new(),
            read: 0,
            count: 0,
            content: Vec::new(),
            block: Vec::with_capacity(BLOCK),
            at: 0,
            ended: false,
        };
        let mut header = [0; HEADER];
        reader.fill(&mut header)?;
        let owned = header[12..] == owner.to_le_bytes();
        if !header.starts_with(MAGIC) || header[11] != R::KIND || !owned {
            return Err(reader.damaged("it belongs to another exploration"));
        }
        Ok(reader)
    }

    /// Returns the next records, at least one, at most a block; none at the end of the file, which is then verified.
    #[inline]
    pub fn rest(&mut self) -> StepResult<&[R]> {
        if self.at == self.block.len() && !self.ended {
            self.next_block()?;
        }
        Ok(&self.block[self.at..])
    }

    /// Consumes the next records, at most as many as [`rest`](Self::rest) returned.
    #[inline]
    pub fn skip(&mut self, records: usize) {
        self.at += records;
    }

    /// Consumes and returns the records up to `last`, inclusive, as far as they are in the current block.
    pub fn up_to(&mut self, last: R) -> StepResult<&[R]> {
        self.rest()?;
        let from = self.at;
        self.at += self.block[from..].partition_point(|&record| record <= last);
        Ok(&self.block[from..self.at])
    }

    fn next_block(&mut self) -> StepResult<()> {
        let mut head = [0; HEAD];
        self.fill(&mut head)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (records, bytes) = (number(0) as usize, number(4) as usize);
        if records > BLOCK || bytes > MAX_BYTES {
            return Err(self.damaged("a block has an impossible size"));
        }
        let mut content = std::mem::take(&mut self.content);
        content.resize(bytes, 0);
        self.fill(&mut content)?;
        if checksum_of(&head[..8], &content) != number(8) {
            return Err(self.damaged("a block has a wrong checksum"));
        }
        self.block.clear();
        self.at = 0;
        let (mut rest, mut last) = (&content[..], R::LEAST);
        if records == 0 {
            self.end(&content)?;
            rest = &[];
        }
        for _ in 0..records {
            let Some(record) = R::read(last, &mut rest) else {
                return Err(self.damaged("the records of a block differ from its header"));
            };
            self.block.push(record);
            last = record;
        }
        if !rest.is_empty() {
            return Err(self.damaged("the records of a block differ from its header"));
        }
        self.count += records as u64;
        self.content = content;
        Ok(())
    }

    /// Compares the contents with the seal.
    fn end(&mut self, content: &[u8]) -> StepResult<()> {
        self.ended = true;
        let more = self.file.read(&mut [0]).map_err(|error| Abort::file(&self.path, &error))?;
        let read = Seal { count: self.count, bytes: self.read, crc32: self.checksum.clone().finalize() };
        if more > 0 || content != self.count.to_le_bytes() || read != self.seal {
            return Err(self.damaged("wrong checksum"));
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> StepResult<()> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it is cut short"),
            _ => Abort::file(&self.path, &error),
        })?;
        self.checksum.update(bytes);
        self.read += bytes.len() as u64;
        Ok(())
    }

    fn damaged(&self, how: &str) -> Abort {
        Abort::damaged(&self.path, how)
    }
}

fn checksum_of(head: &[u8], content: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(head);
    hasher.update(content);
    hasher.finalize()
}

#[cfg(test)]
mod tests;
