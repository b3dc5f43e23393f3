//! The wall behind the limits: it ends work that does not end by itself.
//!
//! All work polls its limits, and ends well at them, with what it knows. Code that forgets to poll is a hole, so the
//! program has a wall that needs nobody's care: a thread that looks at the clock and at the resident memory, and the
//! [`Allocator`], which looks at the memory before each large allocation. The wall stands at 1.1 times the memory limit
//! and a second beyond the time limit.
//!
//! At the wall nothing in the process can be trusted to end: threads cannot be stopped, and may hold any lock. So the
//! process replaces itself by a new one with the same arguments, and hands over which work hit the wall, and the results
//! so far. The new process takes the limit as the result of that work, and goes on behind it. One mechanism thus serves
//! all commands: one with a single file prints the limit and ends, one with several solves the others.

use super::failure::Failure;
use super::handover::{Handover, go_on, hand_over, handover};
use super::stopped::Stopped;
use super::{Status, complain, output, progress, terminal};
use crate::diagnostic::{Diagnostic, Report};
use crate::domain::remove_unfinished;
use crate::search::{Gauge, Limit, Limits, resident};
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::{BTreeMap, BTreeSet};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// The time between a time limit and the wall.
const GRACE: Duration = Duration::from_secs(1);

/// The least memory limit with a wall of its own: the program itself takes nearly as much.
const PROGRAM: u64 = 32 << 20;

/// Allocations below this size do not look at the memory: the thread catches them.
const BURST: usize = 1 << 20;

/// The longest and the shortest time between two looks.
const EVERY: Duration = Duration::from_millis(20);
const AT_LEAST: Duration = Duration::from_millis(1);

/// Bytes that a program can make resident in a second, at most: they decide how soon to look again.
const BYTES_PER_SECOND: u64 = 4 << 30;

/// The time for writing down the results so far. A stuck thread may hold their lock.
const HANDOVER: Duration = Duration::from_millis(100);

/// The allocator of the program, with the wall in it. A program that links further domains sets it as its global
/// allocator, as `engine` does; without it, only the thread looks at the memory.
pub struct Allocator;

/// The bytes at which the wall stands, without declared ones; 0 where there is no limit.
static WALL: AtomicU64 = AtomicU64::new(0);

/// The bytes that the file that is read declares: the wall stands so much farther away.
static DECLARED: LazyLock<Arc<AtomicU64>> = LazyLock::new(Arc::default);

/// Returns the counter of the bytes that a file declares, for [`Limits::declared`].
pub(super) fn declared() -> Arc<AtomicU64> {
    Arc::clone(&DECLARED)
}

/// Returns the bytes at which the wall stands; 0 where there is no limit.
fn wall() -> u64 {
    match WALL.load(Ordering::Relaxed) {
        0 => 0,
        wall => wall.saturating_add(DECLARED.load(Ordering::Relaxed)),
    }
}

/// True once an allocation has hit the wall.
static IS_HIT: AtomicBool = AtomicBool::new(false);

/// Calls the system's allocator with the same arguments, after a look at the memory, so what holds for the one holds for
/// the other.
#[expect(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        admit(layout.size());
        check(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        admit(layout.size());
        check(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        admit(size.saturating_sub(layout.size()));
        check(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

/// Waits for the end of the process if this many more bytes lie beyond the wall.
#[inline]
fn admit(bytes: usize) {
    if bytes >= BURST {
        admit_burst(bytes as u64);
    }
}

#[cold]
fn admit_burst(bytes: u64) {
    let wall = wall();
    if wall > 0 && resident().saturating_add(bytes) > wall {
        hit();
    }
}

/// Waits for the end of the process if the system has refused an allocation and there is a wall.
#[inline]
fn check(block: *mut u8) -> *mut u8 {
    if ptr::eq(block, ptr::null_mut()) && WALL.load(Ordering::Relaxed) > 0 {
        hit();
    }
    block
}

/// Ends the work of this thread. It must not go on without its memory, nor unwind, so it waits for the end of the process.
#[cold]
fn hit() -> ! {
    IS_HIT.store(true, Ordering::Relaxed);
    loop {
        thread::sleep(EVERY);
    }
}

/// Work that the wall watches.
struct Watched {
    file: String,
    started: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    gauge: Option<Arc<Gauge>>,
}

/// The work in progress, by its key.
static WATCHED: Mutex<BTreeMap<String, Watched>> = Mutex::new(BTreeMap::new());

/// The thread that watches, once there is any work, and whether it waits for some.
static WATCHMAN: OnceLock<Thread> = OnceLock::new();
static IS_IDLE: AtomicBool = AtomicBool::new(false);

/// Returns the results so far, if no thread holds them.
type Results = Box<dyn Fn() -> Option<serde_json::Value> + Send>;

static RESULTS: Mutex<Option<Results>> = Mutex::new(None);

/// Returns whether pieces of work must not run at once.
pub(super) fn is_one_by_one() -> bool {
    handover().one_by_one
}

/// Returns the results that the process before handed over, otherwise none. What the command adds to them is handed over
/// at the wall.
pub(super) fn results<R: Default + Serialize + DeserializeOwned + Send + 'static>() -> Arc<Mutex<R>> {
    let before = handover().results.clone().and_then(|results| serde_json::from_value(results).ok());
    let results: Arc<Mutex<R>> = Arc::new(Mutex::new(before.unwrap_or_default()));
    let kept = Arc::clone(&results);
    *RESULTS.lock() = Some(Box::new(move || serde_json::to_value(&*kept.try_lock_for(HANDOVER)?).ok()));
    results
}

/// Returns what the process before handed over of work that hit the wall.
pub(super) fn stopped(key: &str) -> Option<&'static Stopped> {
    handover().stopped.get(key)
}

/// Does work within limits, and with the wall behind them.
///
/// `key` distinguishes it from all other work of the command; it is the same on each run. `file` names what the work is
/// about.
///
/// # Errors
/// Those of the work, or the limit, if it hit the wall.
pub(super) fn behind<T, E>(
    key: &str,
    file: &str,
    limits: &Limits,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    if let Some(stopped) = stopped(key) {
        return Err(Failure::Stopped(stopped));
    }
    if limits.time.is_none() && limits.resident.is_none() {
        return Ok(work()?);
    }
    let started = Instant::now();
    // What an earlier file declared is no memory for this one.
    DECLARED.store(0, Ordering::Relaxed);
    let watched = Watched {
        file: file.to_owned(),
        started,
        deadline: limits.time.and_then(|time| started.checked_add(time + GRACE)),
        memory: limits.resident.map(|limit| limit.max(PROGRAM)).map(|limit| limit.saturating_add(limit / 10)),
        gauge: limits.gauge.clone(),
    };
    begin(key, watched);
    let leave = Leave(key);
    let done = work();
    drop(leave);
    Ok(done?)
}

/// Reads a file, or a part of it, as [`behind`] does other work. Hitting the wall becomes a report like that of a limit.
///
/// # Errors
/// Those of the work, or the limit, if it hit the wall.
pub(super) fn reading<T>(
    key: &str,
    file: &str,
    limits: &Limits,
    work: impl FnOnce() -> Result<T, Report>,
) -> Result<T, Report> {
    behind(key, file, limits, work).map_err(|failure| match failure {
        Failure::File(report) => report,
        Failure::Stopped(stopped) => Report::new(file, "", vec![Diagnostic::at_limit(stopped.limit)]),
        failure => Report::new(file, "", vec![Diagnostic::whole(failure.messages())]),
    })
}

/// Ends the watch over work with this key, also if the work panics.
struct Leave<'a>(&'a str);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        watch(|watched| _ = watched.remove(self.0));
    }
}

/// Watches work.
fn begin(key: &str, work: Watched) {
    watch(|watched| _ = watched.insert(key.to_owned(), work));
    let watchman = WATCHMAN.get_or_init(|| thread::spawn(stand_guard).thread().clone());
    if IS_IDLE.swap(false, Ordering::AcqRel) {
        watchman.unpark();
    }
}

/// Does what takes as long as a reader is slow, such as printing, without the wall behind the work with this key.
pub(super) fn aside<T>(key: &str, act: impl FnOnce() -> T) -> T {
    let mut work = None;
    watch(|watched| work = watched.remove(key));
    let done = act();
    if let Some(work) = work {
        begin(key, work);
    }
    done
}

/// Changes what is watched, and moves the wall.
fn watch(change: impl FnOnce(&mut BTreeMap<String, Watched>)) {
    let mut watched = WATCHED.lock();
    change(&mut watched);
    WALL.store(watched.values().filter_map(|one| one.memory).min().unwrap_or(0), Ordering::Relaxed);
}

/// Lifts the time limit of all work in progress: the results are there, and their reader may be slow.
pub(super) fn lift_time() {
    watch(|watched| watched.values_mut().for_each(|one| one.deadline = None));
}

/// Looks at the clock and the memory until the process ends.
fn stand_guard() {
    loop {
        match look() {
            Some(next) => thread::park_timeout(next),
            None => thread::park(),
        }
    }
}

/// Replaces the process if work has hit the wall. Returns the time until the next look; `None` if there is no work.
fn look() -> Option<Duration> {
    let watched = WATCHED.lock();
    if watched.is_empty() {
        IS_IDLE.store(true, Ordering::Release);
        return None;
    }
    let now = Instant::now();
    let late: BTreeSet<&String> =
        watched.iter().filter(|(_, one)| one.deadline.is_some_and(|end| now >= end)).map(|(key, _)| key).collect();
    if !late.is_empty() {
        replace(&watched, &late, Limit::Time);
    }
    let wall = wall();
    let left = if wall > 0 { wall.saturating_sub(resident()) } else { u64::MAX };
    if left == 0 || IS_HIT.load(Ordering::Relaxed) {
        replace(&watched, &watched.keys().collect(), Limit::Memory);
    }
    let soon = Duration::from_secs_f64(left as f64 / BYTES_PER_SECOND as f64);
    let end = watched.values().filter_map(|one| one.deadline).min();
    Some(soon.clamp(AT_LEAST, EVERY).min(end.map_or(EVERY, |end| (end - now).max(AT_LEAST))))
}

/// Replaces this process by one that goes on behind the work that hit the wall.
fn replace(watched: &BTreeMap<String, Watched>, guilty: &BTreeSet<&String>, limit: Limit) -> ! {
    // It may be the memory of all of them that is too much, or that of one.
    let is_doubtful = limit == Limit::Memory && guilty.len() > 1;
    let mut stopped = handover().stopped.clone();
    for key in guilty.iter().filter(|_| !is_doubtful) {
        stopped.insert((*key).clone(), watched[*key].stopped(limit));
    }
    let results = RESULTS.try_lock_for(HANDOVER).and_then(|results| results.as_ref().and_then(|results| results()));
    let handover =
        Handover { stopped, one_by_one: handover().one_by_one || is_doubtful, results, written: output::written() };
    remove_unfinished();
    progress::wipe();
    terminal::leave();
    let failed = match hand_over(&handover) {
        Ok(path) => go_on(&path),
        Err(error) => error,
    };
    for key in guilty {
        let one = &watched[*key];
        complain(&format!("error: {}: {}", one.file, one.stopped(limit)));
    }
    complain(&format!("error: the rest was not tried: {failed}"));
    std::process::exit(Status::Stopped as i32)
}

impl Watched {
    /// Returns the result of the work if it hit the wall now.
    fn stopped(&self, limit: Limit) -> Stopped {
        let reading = self.gauge.as_ref().map(|gauge| gauge.read()).unwrap_or_default();
        Stopped {
            file: self.file.clone(),
            limit,
            lower_bound: reading.lower_bound,
            algorithm: reading.doing.map(str::to_owned),
            heuristic: reading.heuristic.map(str::to_owned),
            expanded: reading.expanded,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn work_without_limits_is_not_watched_and_errors_pass() {
        let done: Result<i32, Failure> = behind("none", "a.toml", &Limits::default(), || {
            assert!(!WATCHED.lock().contains_key("none"));
            Ok::<i32, io::Error>(3)
        });
        assert!(matches!(done, Ok(3)));
        let limits = Limits { time: Some(Duration::from_secs(100)), resident: Some(1 << 50), ..Limits::default() };
        let failed: Result<(), Failure> = behind("some", "a.toml", &limits, || {
            let watched = WATCHED.lock();
            assert_eq!(watched["some"].memory, Some((1 << 50) + (1 << 50) / 10));
            Err(io::Error::other("wrong"))
        });
        assert!(matches!(failed, Err(Failure::Io(_))));
        assert!(!WATCHED.lock().contains_key("some"), "nobody watches work that has ended");
    }

    #[test]
    fn a_bound_is_named_only_if_something_is_proven() {
        let gauge = Arc::new(Gauge::default());
        let watched = Watched {
            file: "a.toml".to_owned(),
            started: Instant::now(),
            deadline: None,
            memory: None,
            gauge: Some(Arc::clone(&gauge)),
        };
        assert_eq!(watched.stopped(Limit::Time).to_string(), "stopped at the time limit");
        let limits = Limits { gauge: Some(gauge), ..Limits::default() };
        limits.reach(3.0, 7.0);
        let named = watched.stopped(Limit::Memory).to_string();
        assert_eq!(named, "stopped at the memory limit; no solution costs less than 7");
    }
}
