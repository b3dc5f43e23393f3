//! The file of a layer: records in rising order, written and read as a stream.
//!
//! Sixteen bytes of header (what it is, its version, the kind of records, whose it is), then blocks. A block is twelve bytes
//! (the number of its records, the bytes of its content, a CRC-32 of both and of the content) and its content, in which the
//! first record stands for itself and each other by its distance from the one before. The last block has no records; its
//! content is the number of all, in eight bytes. All numbers are written with their lowest byte first.
//!
//! Nothing of a block is handed out before its checksum was found right. That it is this file, whole, is told by its size
//! and its own checksum, which stand elsewhere ([`Sealed`]) and are compared at its end: so whoever reads to the end may
//! trust all of it, and nothing is to be kept that was made of less.

use super::record::Record;
use super::usage::Usage;
use super::{Step, Stop};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How every file begins. The number is the version of the format.
pub(in crate::search) const MAGIC: &[u8; 11] = b"layer 0001\n";
const HEADER: usize = 16;
const HEAD: usize = 12;
/// The most records of a block.
pub(in crate::search) const BLOCK: usize = 1024;
/// No content is longer: a pair of numbers of 128 bits takes at most 38 bytes.
const MOST_BYTES: usize = BLOCK * 38;
/// Blocks are written when they have so many bytes together.
const AT_ONCE: usize = 1 << 15;
/// Bytes that are read at once.
const AHEAD: usize = 1 << 13;

/// What a reader of records takes, beside what they say.
pub(in crate::search) const fn reader_bytes<R>() -> usize {
    AHEAD + 2 * BLOCK * size_of::<R>()
}

/// What tells a whole file from any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Sealed {
    /// Its records.
    pub count: u64,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 of all its bytes.
    pub crc32: u32,
}

/// Writes a file, record by record.
pub(in crate::search) struct Writer<R> {
    path: PathBuf,
    file: File,
    usage: Arc<Usage>,
    seal: Sealed,
    checksum: Hasher,
    /// What is to be written next: whole blocks, and the one that is made, behind twelve bytes for its head.
    bytes: Vec<u8>,
    begun: usize,
    records: usize,
    last: R,
    done: bool,
}

impl<R: Record> Writer<R> {
    /// Begins a file that is not there yet; `owner` tells whose it is.
    pub fn create(path: PathBuf, owner: u32, usage: &Arc<Usage>) -> Step<Writer<R>> {
        let file =
            OpenOptions::new().write(true).create_new(true).open(&path).map_err(|error| Stop::file(&path, &error))?;
        let mut bytes = Vec::with_capacity(AT_ONCE + MOST_BYTES / 4);
        bytes.extend(MAGIC);
        bytes.push(R::KIND);
        bytes.extend(owner.to_le_bytes());
        debug_assert_eq!(bytes.len(), HEADER);
        let seal = Sealed { count: 0, bytes: 0, crc32: 0 };
        let (usage, checksum, last) = (Arc::clone(usage), Hasher::new(), R::LEAST);
        let mut writer = Writer { path, file, usage, seal, checksum, bytes, begun: 0, records: 0, last, done: false };
        writer.begin();
        Ok(writer)
    }

    /// Appends records, each greater than the one before.
    pub fn extend(&mut self, records: &[R]) -> Step<()> {
        for &record in records {
            debug_assert!(record > self.last || self.seal.count + self.records as u64 == 0, "records rise");
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

    /// Ends the file.
    pub fn finish(mut self) -> Step<Sealed> {
        if self.records > 0 {
            self.end_block()?;
        }
        self.bytes.extend(self.seal.count.to_le_bytes());
        self.end_block()?;
        self.bytes.truncate(self.begun);
        self.write()?;
        self.seal.crc32 = self.checksum.clone().finalize();
        self.done = true;
        Ok(self.seal)
    }

    fn begin(&mut self) {
        (self.begun, self.records) = (self.bytes.len(), 0);
        self.bytes.extend([0; HEAD]);
    }

    fn end_block(&mut self) -> Step<()> {
        let (head, content) = self.bytes[self.begun..].split_at_mut(HEAD);
        head[..4].copy_from_slice(&(self.records as u32).to_le_bytes());
        head[4..8].copy_from_slice(&(content.len() as u32).to_le_bytes());
        let crc32 = checksum_of(&head[..8], content);
        head[8..].copy_from_slice(&crc32.to_le_bytes());
        self.seal.count += self.records as u64;
        if self.bytes.len() >= AT_ONCE {
            self.write()?;
        }
        self.begin();
        Ok(())
    }

    fn write(&mut self) -> Step<()> {
        self.usage.take(self.bytes.len() as u64)?;
        self.seal.bytes += self.bytes.len() as u64;
        self.file.write_all(&self.bytes).map_err(|error| Stop::file(&self.path, &error))?;
        self.checksum.update(&self.bytes);
        self.bytes.clear();
        Ok(())
    }
}

/// A file that was not finished is nothing.
impl<R> Drop for Writer<R> {
    fn drop(&mut self) {
        if !self.done && std::fs::remove_file(&self.path).is_ok() {
            self.usage.give_back(self.seal.bytes);
        }
    }
}

/// Reads a file, block by block.
pub(in crate::search) struct Reader<R> {
    path: PathBuf,
    file: BufReader<File>,
    seal: Sealed,
    checksum: Hasher,
    read: u64,
    count: u64,
    content: Vec<u8>,
    block: Vec<R>,
    /// How many records of the block are done with.
    at: usize,
    ended: bool,
}

impl<R: Record> Reader<R> {
    /// Opens the file of this owner and seal.
    pub fn open(path: &Path, owner: u32, seal: Sealed) -> Step<Reader<R>> {
        let file = File::open(path).map_err(|error| Stop::file(path, &error))?;
        let mut reader = Reader {
            path: path.to_owned(),
            file: BufReader::with_capacity(AHEAD, file),
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
            return Err(reader.damaged("it belongs to another exploration, or is none of its files"));
        }
        Ok(reader)
    }

    /// The next records, at least one of them, at most a block; none at the end of the file, which is then known to be
    /// whole and right.
    #[inline]
    pub fn rest(&mut self) -> Step<&[R]> {
        if self.at == self.block.len() && !self.ended {
            self.next_block()?;
        }
        Ok(&self.block[self.at..])
    }

    /// The next records are done with, so many of those that [`rest`](Self::rest) told.
    #[inline]
    pub fn skip(&mut self, records: usize) {
        self.at += records;
    }

    /// The records up to this one, itself included, as far as they lie in the block at hand.
    pub fn upto(&mut self, last: R) -> Step<&[R]> {
        self.rest()?;
        let from = self.at;
        self.at += self.block[from..].partition_point(|&record| record <= last);
        Ok(&self.block[from..self.at])
    }

    fn next_block(&mut self) -> Step<()> {
        let mut head = [0; HEAD];
        self.fill(&mut head)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (records, bytes) = (number(0) as usize, number(4) as usize);
        if records > BLOCK || bytes > MOST_BYTES {
            return Err(self.damaged("a block of it has an impossible size"));
        }
        let mut content = std::mem::take(&mut self.content);
        content.resize(bytes, 0);
        self.fill(&mut content)?;
        if checksum_of(&head[..8], &content) != number(8) {
            return Err(self.damaged("the checksum of a block of it is another"));
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
                return Err(self.damaged("a block of it has other records than it says"));
            };
            self.block.push(record);
            last = record;
        }
        if !rest.is_empty() {
            return Err(self.damaged("a block of it has other records than it says"));
        }
        self.count += records as u64;
        self.content = content;
        Ok(())
    }

    /// Compares what was read with the seal.
    fn end(&mut self, content: &[u8]) -> Step<()> {
        self.ended = true;
        let more = self.file.read(&mut [0]).map_err(|error| Stop::file(&self.path, &error))?;
        let read = Sealed { count: self.count, bytes: self.read, crc32: self.checksum.clone().finalize() };
        if more > 0 || content != self.count.to_le_bytes() || read != self.seal {
            return Err(self.damaged("its checksum is another"));
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Step<()> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it is cut short"),
            _ => Stop::file(&self.path, &error),
        })?;
        self.checksum.update(bytes);
        self.read += bytes.len() as u64;
        Ok(())
    }

    fn damaged(&self, how: &str) -> Stop {
        Stop::damaged(&self.path, how)
    }
}

fn checksum_of(head: &[u8], content: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(head);
    hasher.update(content);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::explore::tests::scratch;

    const OWNER: u32 = 77;

    /// A file of so many records, some far from each other.
    fn written<R: Record>(path: &Path, records: &[R]) -> Sealed {
        let usage = Arc::new(Usage::new(0, None));
        let mut writer = Writer::create(path.to_owned(), OWNER, &usage).expect("there is room");
        records.chunks(700).for_each(|records| writer.extend(records).expect("there is room"));
        writer.finish().expect("there is room")
    }

    fn read<R: Record>(path: &Path, seal: Sealed) -> Step<Vec<R>> {
        let mut reader = Reader::open(path, OWNER, seal)?;
        let mut records = Vec::new();
        loop {
            let rest = reader.rest()?;
            records.extend(rest);
            let done = rest.len();
            if done == 0 {
                return Ok(records);
            }
            reader.skip(done);
        }
    }

    #[test]
    fn records_come_back_in_order_however_many() {
        let folder = scratch();
        for count in [0, 1, 2, 1023, 1024, 1025, 100_000_u64] {
            let path = folder.path().join(format!("{count}"));
            let records: Vec<u64> = (0..count).map(|number| number * number * 3).collect();
            let seal = written(&path, &records);
            assert_eq!((seal.count, seal.bytes), (count, std::fs::metadata(&path).expect("it is there").len()));
            assert!(read::<u64>(&path, seal).is_ok_and(|found| found == records));
            let path = path.with_extension("pairs");
            let pairs: Vec<(u128, u128)> = (0..count.into()).map(|number| (number / 3, number << 70)).collect();
            let seal = written(&path, &pairs);
            assert!(read::<(u128, u128)>(&path, seal).is_ok_and(|found| found == pairs));
            assert!(read::<u64>(&path, seal).is_err(), "it holds something else");
        }
    }

    #[test]
    fn records_are_told_up_to_a_bound_and_no_further() {
        let folder = scratch();
        let path = folder.path().join("layer");
        let records: Vec<u64> = (0..5000).map(|number| number * 2).collect();
        let seal = written(&path, &records);
        let mut reader: Reader<u64> = Reader::open(&path, OWNER, seal).expect("it is right");
        let mut found: Vec<u64> = Vec::new();
        for bound in [1, 2, 3, 4094, 4095, 4096, 9000, 20_000] {
            loop {
                let upto = reader.upto(bound).expect("it is right");
                if upto.is_empty() {
                    break;
                }
                found.extend(upto);
            }
            assert_eq!(found.len() as u64, (bound / 2 + 1).min(5000), "up to {bound}");
        }
        assert_eq!(found, records);
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed_before_the_end() {
        let folder = scratch();
        let path = folder.path().join("layer");
        let records: Vec<u64> = (0..1500).map(|number| number * number).collect();
        let seal = written(&path, &records);
        let whole = std::fs::read(&path).expect("it is there");
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).expect("there is room");
            assert!(matches!(read::<u64>(&path, seal), Err(Stop::Trouble(_))), "bit {bit}");
        }
        for end in 0..whole.len() {
            std::fs::write(&path, &whole[..end]).expect("there is room");
            assert!(matches!(read::<u64>(&path, seal), Err(Stop::Trouble(_))), "{end} bytes");
        }
        std::fs::write(&path, [&whole[..], b"x"].concat()).expect("there is room");
        assert!(read::<u64>(&path, seal).is_err(), "there is more");
        std::fs::write(&path, &whole).expect("there is room");
        let other = Reader::<u64>::open(&path, OWNER + 1, seal);
        assert!(other.is_err(), "it belongs to somebody else");
    }

    #[test]
    fn a_file_that_is_not_finished_goes_and_takes_no_room() {
        let folder = scratch();
        let path = folder.path().join("layer");
        let usage = Arc::new(Usage::new(0, Some(50_000)));
        let mut writer: Writer<u64> = Writer::create(path.clone(), OWNER, &usage).expect("there is room");
        let limit = (0..1_000_000).map(|number| number << 30).try_for_each(|number| writer.extend(&[number]));
        assert!(matches!(limit, Err(Stop::Limit(crate::search::Limit::Disk))));
        drop(writer);
        assert!(!path.exists());
        assert!(usage.take(50_000).is_ok(), "nothing is used");
    }
}
