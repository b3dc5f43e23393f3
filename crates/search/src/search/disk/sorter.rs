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

use super::filters::{FilterNames, Filters};
use super::layer_file::{BLOCK, Reader, Writer, reader_bytes};
use super::peers::Peers;
use super::record::StoredCode;
use super::store::CheckpointStore;
use super::{Abort, StepResult};
use crate::search::limits::{Limit, Limits, Watch};
use crate::search::thread_pool::map_parts;
use std::time::Duration;

/// The minimum budget, in bytes.
pub(super) const MIN_BYTES: u64 = 1 << 19;
/// The maximum budget used: sorting more would delay time limits, and larger parts save little.
const MAX_BYTES: u64 = 48 << 20;
/// Records processed between two limit checks, and the unit of work of a thread.
const SLICE: usize = 2048;
const PART: usize = 256;
/// Records merged in one round: few enough for the cache, enough for a thread.
const ROUND: usize = 8 * BLOCK;
/// The minimum number of records for sorting in parallel.
const MIN_PARALLEL: usize = 1 << 14;
/// The maximum number of files open at once: systems allow about a thousand.
const MAX_FILES: usize = 400;
/// The minimum time between two checkpoints of parts.
const COMMIT_INTERVAL: Duration = Duration::from_secs(2);
/// Records sent in one batch, approximately.
const SEND_BATCH: usize = 1 << 16;

/// Generates records from others, and appends them.
pub(super) type Generate<'m, R, T> = &'m mut (dyn FnMut(&[R], &mut Vec<T>) -> StepResult<()> + Send);

/// A memory budget, a folder, and the limits of work with them.
pub(super) struct Sorter<'a> {
    pub store: CheckpointStore,
    /// The other shares, if the exploration is distributed.
    pub peers: Option<Box<dyn Peers + 'a>>,
    pub limits: &'a Limits,
    watch: Watch,
    budget: u64,
    /// States expanded in this run.
    expanded: u64,
    /// The maximum number of bytes held.
    pub memory: u64,
}

impl<'a> Sorter<'a> {
    pub fn new(store: CheckpointStore, peers: Option<Box<dyn Peers + 'a>>, limits: &'a Limits) -> Sorter<'a> {
        let budget = limits.memory.unwrap_or(MAX_BYTES).min(MAX_BYTES);
        Sorter { store, peers, limits, watch: Watch::new(limits, 0), budget, expanded: 0, memory: 0 }
    }

    /// Returns a record buffer; only the used part of it becomes resident.
    pub fn buffer<T: StoredCode>(&self) -> Vec<T> {
        Vec::with_capacity((self.budget / 8 * 5) as usize / size_of::<T>())
    }

    /// Returns how many files may be open at once.
    fn max_open_files<T: StoredCode>(&self) -> usize {
        ((self.budget / 4) as usize / reader_bytes::<T>()).clamp(8, MAX_FILES)
    }

    /// Generates records from all those in some files. They end up sorted and deduplicated in the buffer or, if they do
    /// not fit, in the parts of `target`. If `states` is set, the sources count as expanded. In a distributed
    /// exploration, the result is this share's part of the records that all shares generate.
    ///
    /// # Errors
    /// A limit, among others: a single process keeps the records generated until then.
    pub fn gather<R: StoredCode, T: StoredCode>(
        &mut self,
        target: &str,
        sources: &[String],
        states: bool,
        buffer: &mut Vec<T>,
        generate: Generate<R, T>,
    ) -> StepResult<()> {
        buffer.clear();
        let mut generated = Vec::new();
        let mut slice_len = SLICE;
        if self.peers.is_some() && !self.parts(target).is_empty() {
            // Parts of an earlier run are generated again, under the same names.
            self.clear(target)?;
            self.store.commit()?;
        }
        let mut done = self.parts(target).iter().map(|part| part.1).max().unwrap_or(0);
        let mut skip = done;
        let mut slice: Vec<R> = Vec::with_capacity(SLICE);
        let mut largest_batch = 0;
        for source in sources {
            let mut reader = self.store.read::<R>(source)?;
            loop {
                let limit = self.check(buffer, 1).or_else(|| self.check_limits(states));
                if let Some(limit) = limit {
                    if self.peers.is_none() {
                        self.spill(target, buffer, done)?;
                        self.store.commit()?;
                    }
                    return Err(Abort::Limit(limit));
                }
                let left = if states { self.watch.nodes_left(self.expanded) } else { u64::MAX };
                read_slice(&mut slice, &mut reader, &mut skip, left.min(slice_len as u64) as usize)?;
                if slice.is_empty() {
                    break;
                }
                if self.peers.is_some() {
                    generate(&slice, &mut generated)?;
                    self.expanded += if states { slice.len() as u64 } else { 0 };
                    let most = SEND_BATCH.min(self.budget as usize / 16 / size_of::<T>());
                    slice_len = (most * slice.len() / generated.len().max(1)).clamp(1, slice_len * 2);
                    self.send(target, &mut generated, buffer)?;
                    continue;
                }
                let before = buffer.len();
                generate(&slice, buffer)?;
                largest_batch = largest_batch.max(buffer.len() - before);
                done += slice.len() as u64;
                self.expanded += if states { slice.len() as u64 } else { 0 };
                if buffer.len() + largest_batch + largest_batch / 2 > buffer.capacity() {
                    self.spill(target, buffer, done)?;
                    self.store.commit_after(COMMIT_INTERVAL)?;
                }
            }
        }
        if let Some(peers) = &mut self.peers {
            peers.finish()?;
        }
        while let Some(row) = self.peers.as_mut().map_or(Ok(None), |peers| peers.receive())? {
            self.take(target, &row, buffer)?;
        }
        if self.parts(target).is_empty() {
            sort(buffer);
            return Ok(());
        }
        self.spill(target, buffer, done)
    }

    /// Sorts the buffer and writes it as a part.
    pub(super) fn spill<T: StoredCode>(&mut self, target: &str, buffer: &mut Vec<T>, made_of: u64) -> StepResult<()> {
        if buffer.is_empty() {
            return Ok(());
        }
        self.update_peak(buffer, 1);
        sort(buffer);
        let name = self.next_part(target);
        let mut writer = self.store.create(&name)?;
        writer.extend(buffer)?;
        self.store.add(&name, writer.finish()?, made_of);
        buffer.clear();
        Ok(())
    }

    /// Passes the gathered records to `take` in sorted order, without the filtered ones.
    pub fn merge<T: StoredCode>(
        &mut self,
        target: &str,
        buffer: &mut Vec<T>,
        filter: FilterNames,
        take: &mut (dyn FnMut(&[T]) -> StepResult<()> + Send),
    ) -> StepResult<()> {
        let files = self.max_open_files::<T>() / 2;
        if self.parts(target).is_empty() {
            for exclude in filter.exclude.chunks(files) {
                Filters::open(&self.store, FilterNames { exclude, only: None })?.apply_to_all(buffer)?;
            }
            Filters::open(&self.store, FilterNames { exclude: &[], ..filter })?.apply_to_all(buffer)?;
            return buffer.chunks(BLOCK).try_for_each(take);
        }
        let mut groups = filter.exclude.chunks(files).peekable();
        loop {
            let parts = self.parts(target);
            let (exclude, last) = if parts.len() > files {
                (&[][..], false)
            } else {
                let exclude = groups.next().unwrap_or_default();
                (exclude, groups.peek().is_none())
            };
            let parts = &parts[..parts.len().min(files)];
            let names: Vec<String> = parts.iter().map(|part| part.0.clone()).collect();
            if last {
                return self.merge_files(&names, buffer, FilterNames { exclude, ..filter }, take);
            }
            // Merge into fewer files, or apply some of the filters first.
            let name = self.next_part(target);
            let mut writer: Writer<T> = self.store.create(&name)?;
            self.merge_files(&names, buffer, FilterNames { exclude, only: None }, &mut |records| {
                writer.extend(records)
            })?;
            let made_of = parts.iter().map(|part| part.1).max().unwrap_or(0);
            self.store.add(&name, writer.finish()?, made_of);
            names.iter().try_for_each(|name| self.store.remove_entry(name))?;
            self.store.commit_after(COMMIT_INTERVAL)?;
        }
    }

    /// Merges some sorted files likewise.
    pub fn merge_files<T: StoredCode>(
        &mut self,
        names: &[String],
        round: &mut Vec<T>,
        filter: FilterNames,
        take: &mut (dyn FnMut(&[T]) -> StepResult<()> + Send),
    ) -> StepResult<()> {
        let mut readers = names.iter().map(|name| self.store.read::<T>(name)).collect::<StepResult<Vec<_>>>()?;
        let mut filters = Filters::open(&self.store, filter)?;
        let mut next = Vec::new();
        collect(&mut readers, round)?;
        while !round.is_empty() {
            if let Some(limit) = self.check(round, readers.len() + filter.exclude.len()) {
                return Err(Abort::Limit(limit));
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
    pub fn clear(&mut self, target: &str) -> StepResult<()> {
        self.parts(target).iter().try_for_each(|part| self.store.remove_entry(&part.0))
    }

    /// Checks the limits, except the node limit.
    fn check<T>(&mut self, buffer: &[T], readers: usize) -> Option<Limit> {
        self.update_peak(buffer, readers);
        self.check_limits(false)
    }

    fn check_limits(&mut self, nodes: bool) -> Option<Limit> {
        self.watch.poll(self.expanded, self.memory.min(self.budget)).filter(|limit| nodes || *limit != Limit::Nodes)
    }

    fn update_peak<T>(&mut self, buffer: &[T], readers: usize) {
        self.memory = self.memory.max((size_of_val(buffer) + readers * reader_bytes::<T>()) as u64);
    }
}

fn prefix(target: &str) -> String {
    format!("{target}.part-")
}

/// Collects about one round of the least remaining records of some files, unordered; none at their end.
fn collect<T: StoredCode>(readers: &mut [Reader<T>], round: &mut Vec<T>) -> StepResult<()> {
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
            round.extend_from_slice(reader.up_to(bound)?);
        }
    }
    Ok(())
}

/// Reads the next records, after those to be skipped; at most `max_records`.
fn read_slice<R: StoredCode>(
    slice: &mut Vec<R>,
    reader: &mut Reader<R>,
    skip: &mut u64,
    max_records: usize,
) -> StepResult<()> {
    slice.clear();
    while slice.len() < max_records {
        let rest = reader.rest()?;
        if rest.is_empty() {
            break;
        }
        let passed = rest.len().min(usize::try_from(*skip).unwrap_or(usize::MAX));
        let taken = (rest.len() - passed).min(max_records - slice.len());
        slice.extend_from_slice(&rest[passed..passed + taken]);
        *skip -= passed as u64;
        reader.skip(passed + taken);
    }
    Ok(())
}

pub(super) fn sort<T: StoredCode>(records: &mut Vec<T>) {
    let threads = rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
    sort_shared(records, threads);
    records.dedup();
}

/// Partitions the records at the median and sorts each half with half of the threads: two sequential sorts of the
/// standard library are faster than one parallel sort.
fn sort_shared<T: StoredCode>(records: &mut [T], threads: usize) {
    if threads <= 1 || records.len() < MIN_PARALLEL {
        records.sort_unstable();
        return;
    }
    let (lesser, _, greater) = records.select_nth_unstable(records.len() / threads * (threads / 2));
    rayon::join(|| sort_shared(lesser, threads / 2), || sort_shared(greater, threads - threads / 2));
}

/// Applies `work` to chunks of some records, on all threads, and appends the results.
pub(super) fn map_parallel<R: StoredCode, T: StoredCode>(
    records: &[R],
    generated: &mut Vec<T>,
    work: impl Fn(&[R], &mut Vec<T>) + Sync,
) {
    let parts = map_parts(records, PART, |records| {
        let mut generated = Vec::new();
        work(records, &mut generated);
        generated
    });
    // Reserve exactly: a buffer that doubles would exceed the budget.
    generated.reserve_exact(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| generated.extend(part));
}
