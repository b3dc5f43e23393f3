//! The external sorter: generates records, sorts them, and merges sorted files, within a memory budget.
//!
//! Records are generated into a buffer. A full buffer is sorted, deduplicated and written as a *part* (a run). Each
//! part stores how many source records it was made of, so that an interrupted layer continues after it. Merging works
//! in rounds: the least of the last records of all current blocks is a bound, and all records up to it are sorted once
//! more, in the cache, while another thread reads ahead. Records of earlier layers are removed by reading those files
//! in the same order.
//!
//! Five eighths of the budget are for the buffer, two for file readers. The output does not depend on the budget or on
//! threads: it is a sorted set.

use super::filters::Filters;
use super::layer_file::{BLOCK, Reader, Writer, reader_bytes};
use super::others::Others;
use super::record::Record;
use super::store::Store;
use super::{Step, Stop};
use crate::search::crew::map_parts;
use crate::search::limits::{Limit, Limits, Watch};
use std::time::Duration;

/// The minimum budget, in bytes.
pub(super) const LEAST_BYTES: u64 = 1 << 19;
/// The maximum budget used: sorting more would delay time limits, and larger parts save little.
const MOST_BYTES: u64 = 48 << 20;
/// Records processed between two limit checks, and the unit of work of a thread.
const SLICE: usize = 2048;
const PART: usize = 256;
/// Records merged in one round: few enough for the cache, enough for a thread.
const ROUND: usize = 8 * BLOCK;
/// The minimum number of records for sorting in parallel.
const MANY: usize = 1 << 14;
/// The maximum number of files open at once: systems allow about a thousand.
const MOST_FILES: usize = 400;
/// The minimum time between two checkpoints of parts.
const PAUSE: Duration = Duration::from_secs(2);
/// Records sent in one batch, approximately.
const SENT_AT_ONCE: usize = 1 << 16;

/// Generates records from others, and appends them.
pub(super) type Make<'m, R, T> = &'m mut (dyn FnMut(&[R], &mut Vec<T>) -> Step<()> + Send);

/// The files that determine which records are removed.
#[derive(Clone, Copy, Default)]
pub(super) struct But<'f> {
    /// Removes the records that are in one of these files.
    pub minus: &'f [String],
    /// Removes the records that are not in this file.
    pub only: Option<&'f str>,
}

/// A memory budget, a folder, and the limits of work with them.
pub(super) struct Desk<'a> {
    pub store: Store,
    /// The other shares, if the exploration is distributed.
    pub others: Option<Box<dyn Others + 'a>>,
    pub limits: &'a Limits,
    watch: Watch,
    budget: u64,
    /// States expanded in this run.
    expanded: u64,
    /// The maximum number of bytes held.
    pub memory: u64,
}

impl<'a> Desk<'a> {
    pub fn new(store: Store, others: Option<Box<dyn Others + 'a>>, limits: &'a Limits) -> Desk<'a> {
        let budget = limits.memory.unwrap_or(MOST_BYTES).min(MOST_BYTES);
        Desk { store, others, limits, watch: Watch::new(limits, 0), budget, expanded: 0, memory: 0 }
    }

    /// Returns a record buffer; only the used part of it becomes resident.
    pub fn buffer<T: Record>(&self) -> Vec<T> {
        Vec::with_capacity((self.budget / 8 * 5) as usize / size_of::<T>())
    }

    /// Returns how many files may be open at once.
    fn files<T: Record>(&self) -> usize {
        ((self.budget / 4) as usize / reader_bytes::<T>()).clamp(8, MOST_FILES)
    }

    /// Generates records from all those in some files. They end up sorted and deduplicated in the buffer or, if they do
    /// not fit, in the parts of `target`. If `states` is set, the sources count as expanded. In a distributed
    /// exploration, the result is this share's part of the records that all shares generate.
    ///
    /// # Errors
    /// A limit, among others: a single process keeps the records generated until then.
    pub fn gather<R: Record, T: Record>(
        &mut self,
        target: &str,
        sources: &[String],
        states: bool,
        buffer: &mut Vec<T>,
        make: Make<R, T>,
    ) -> Step<()> {
        buffer.clear();
        let mut made = Vec::new();
        let mut at_once = SLICE;
        if self.others.is_some() && !self.parts(target).is_empty() {
            // Parts of an earlier run are generated again, under the same names.
            self.clear(target)?;
            self.store.commit()?;
        }
        let mut done = self.parts(target).iter().map(|part| part.1).max().unwrap_or(0);
        let mut skip = done;
        let mut slice: Vec<R> = Vec::with_capacity(SLICE);
        let mut most = 0;
        for source in sources {
            let mut reader = self.store.read::<R>(source)?;
            loop {
                let limit = self.poll(buffer, 1).or_else(|| self.polled(states));
                if let Some(limit) = limit {
                    if self.others.is_none() {
                        self.spill(target, buffer, done)?;
                        self.store.commit()?;
                    }
                    return Err(Stop::Limit(limit));
                }
                let left = if states { self.watch.nodes_left(self.expanded) } else { u64::MAX };
                fill(&mut slice, &mut reader, &mut skip, left.min(at_once as u64) as usize)?;
                if slice.is_empty() {
                    break;
                }
                if self.others.is_some() {
                    make(&slice, &mut made)?;
                    self.expanded += if states { slice.len() as u64 } else { 0 };
                    let most = SENT_AT_ONCE.min(self.budget as usize / 16 / size_of::<T>());
                    at_once = (most * slice.len() / made.len().max(1)).clamp(1, at_once * 2);
                    self.send(target, &mut made, buffer)?;
                    continue;
                }
                let before = buffer.len();
                make(&slice, buffer)?;
                most = most.max(buffer.len() - before);
                done += slice.len() as u64;
                self.expanded += if states { slice.len() as u64 } else { 0 };
                if buffer.len() + most + most / 2 > buffer.capacity() {
                    self.spill(target, buffer, done)?;
                    self.store.commit_after(PAUSE)?;
                }
            }
        }
        if let Some(others) = &mut self.others {
            others.finish()?;
        }
        while let Some(row) = self.others.as_mut().map_or(Ok(None), |others| others.rest())? {
            self.take(target, &row, buffer)?;
        }
        if self.parts(target).is_empty() {
            sort(buffer);
            return Ok(());
        }
        self.spill(target, buffer, done)
    }

    /// Sorts the buffer and writes it as a part.
    pub(super) fn spill<T: Record>(&mut self, target: &str, buffer: &mut Vec<T>, made_of: u64) -> Step<()> {
        if buffer.is_empty() {
            return Ok(());
        }
        self.hold(buffer, 1);
        sort(buffer);
        let name = self.next_part(target);
        let mut writer = self.store.create(&name)?;
        writer.extend(buffer)?;
        self.store.list(&name, writer.finish()?, made_of);
        buffer.clear();
        Ok(())
    }

    /// Passes the gathered records to `take` in sorted order, without the filtered ones.
    pub fn merge<T: Record>(
        &mut self,
        target: &str,
        buffer: &mut Vec<T>,
        but: But,
        take: &mut (dyn FnMut(&[T]) -> Step<()> + Send),
    ) -> Step<()> {
        let files = self.files::<T>() / 2;
        if self.parts(target).is_empty() {
            for minus in but.minus.chunks(files) {
                Filters::open(&self.store, But { minus, only: None })?.apply_to_all(buffer)?;
            }
            Filters::open(&self.store, But { minus: &[], ..but })?.apply_to_all(buffer)?;
            return buffer.chunks(BLOCK).try_for_each(take);
        }
        let mut groups = but.minus.chunks(files).peekable();
        loop {
            let parts = self.parts(target);
            let (minus, last) = if parts.len() > files {
                (&[][..], false)
            } else {
                let minus = groups.next().unwrap_or_default();
                (minus, groups.peek().is_none())
            };
            let parts = &parts[..parts.len().min(files)];
            let names: Vec<String> = parts.iter().map(|part| part.0.clone()).collect();
            if last {
                return self.merge_files(&names, buffer, But { minus, ..but }, take);
            }
            // Merge into fewer files, or apply some of the filters first.
            let name = self.next_part(target);
            let mut writer: Writer<T> = self.store.create(&name)?;
            self.merge_files(&names, buffer, But { minus, only: None }, &mut |records| writer.extend(records))?;
            let made_of = parts.iter().map(|part| part.1).max().unwrap_or(0);
            self.store.list(&name, writer.finish()?, made_of);
            names.iter().try_for_each(|name| self.store.forget(name))?;
            self.store.commit_after(PAUSE)?;
        }
    }

    /// Merges some sorted files likewise.
    pub fn merge_files<T: Record>(
        &mut self,
        names: &[String],
        round: &mut Vec<T>,
        but: But,
        take: &mut (dyn FnMut(&[T]) -> Step<()> + Send),
    ) -> Step<()> {
        let mut readers = names.iter().map(|name| self.store.read::<T>(name)).collect::<Step<Vec<_>>>()?;
        let mut filters = Filters::open(&self.store, but)?;
        let mut next = Vec::new();
        collect(&mut readers, round)?;
        while !round.is_empty() {
            if let Some(limit) = self.poll(round, readers.len() + but.minus.len()) {
                return Err(Stop::Limit(limit));
            }
            let finish = || {
                round.sort_unstable();
                round.dedup();
                filters.apply(round)?;
                take(round)
            };
            let (finished, collected) = rayon::join(finish, || collect(&mut readers, &mut next));
            finished.and(collected)?;
            std::mem::swap(round, &mut next);
        }
        // Leave the larger buffer to the caller.
        if next.capacity() > round.capacity() {
            std::mem::swap(round, &mut next);
        }
        filters.finish()
    }

    /// Returns the parts of `target`, each with the number of source records.
    fn parts(&self, target: &str) -> Vec<(String, u64)> {
        self.store.parts(&prefix(target))
    }

    fn next_part(&self, target: &str) -> String {
        let number = |part: &(String, u64)| part.0.rsplit('-').next().and_then(|number| number.parse::<u64>().ok());
        let next = self.parts(target).iter().filter_map(number).max().map_or(0, |last| last + 1);
        format!("{}{next:06}", prefix(target))
    }

    /// Removes the parts of `target`.
    pub fn clear(&mut self, target: &str) -> Step<()> {
        self.parts(target).iter().try_for_each(|part| self.store.forget(&part.0))
    }

    /// Checks the limits, except the node limit.
    fn poll<T>(&mut self, buffer: &[T], readers: usize) -> Option<Limit> {
        self.hold(buffer, readers);
        self.polled(false)
    }

    fn polled(&mut self, nodes: bool) -> Option<Limit> {
        self.watch.poll(self.expanded, self.memory.min(self.budget)).filter(|limit| nodes || *limit != Limit::Nodes)
    }

    fn hold<T>(&mut self, buffer: &[T], readers: usize) {
        self.memory = self.memory.max((size_of_val(buffer) + readers * reader_bytes::<T>()) as u64);
    }
}

fn prefix(target: &str) -> String {
    format!("{target}.part-")
}

/// Collects about one round of the least remaining records of some files, unordered; none at their end.
fn collect<T: Record>(readers: &mut [Reader<T>], round: &mut Vec<T>) -> Step<()> {
    round.clear();
    while round.len() < ROUND {
        let mut bound = None;
        for reader in &mut *readers {
            if let Some(&last) = reader.rest()?.last() {
                bound = Some(bound.map_or(last, |bound: T| bound.min(last)));
            }
        }
        let Some(bound) = bound else { break };
        for reader in &mut *readers {
            round.extend_from_slice(reader.upto(bound)?);
        }
    }
    Ok(())
}

/// Reads the next records, after those to be skipped; at most `room`.
fn fill<R: Record>(slice: &mut Vec<R>, reader: &mut Reader<R>, skip: &mut u64, room: usize) -> Step<()> {
    slice.clear();
    while slice.len() < room {
        let rest = reader.rest()?;
        if rest.is_empty() {
            break;
        }
        let passed = rest.len().min(usize::try_from(*skip).unwrap_or(usize::MAX));
        let taken = (rest.len() - passed).min(room - slice.len());
        slice.extend_from_slice(&rest[passed..passed + taken]);
        *skip -= passed as u64;
        reader.skip(passed + taken);
    }
    Ok(())
}

pub(super) fn sort<T: Record>(records: &mut Vec<T>) {
    let threads = rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
    sort_shared(records, threads);
    records.dedup();
}

/// Partitions the records at the median and sorts each half with half of the threads: two sequential sorts of the
/// standard library are faster than one parallel sort.
fn sort_shared<T: Record>(records: &mut [T], threads: usize) {
    if threads <= 1 || records.len() < MANY {
        records.sort_unstable();
        return;
    }
    let (lesser, _, greater) = records.select_nth_unstable(records.len() / threads * (threads / 2));
    rayon::join(|| sort_shared(lesser, threads / 2), || sort_shared(greater, threads - threads / 2));
}

/// Applies `work` to chunks of some records, on all threads, and appends the results.
pub(super) fn share_out<R: Record, T: Record>(
    records: &[R],
    made: &mut Vec<T>,
    work: impl Fn(&[R], &mut Vec<T>) + Sync,
) {
    let parts = map_parts(records, PART, |records| {
        let mut made = Vec::new();
        work(records, &mut made);
        made
    });
    // Reserve exactly: a buffer that doubles would exceed the budget.
    made.reserve_exact(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| made.extend(part));
}
