//! Rounds of candidates. All candidates of a round are made from the same archive, on any number of threads, and are
//! added to it in their order. So the result depends on the seed alone. A limit drops the round that it ends: a later run
//! makes it again.

use super::alike::Images;
use super::archive::Archive;
use super::level::Level;
use crate::domain::SplitMix64;
use crate::search::{Limit, Limits};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The part of the temperature that remains after a round.
const COOLING: f64 = 0.98;

/// A candidate that was looked at.
pub(super) struct Tried {
    /// The candidates looked at.
    pub count: u64,
    /// The levels among them, each with a key that is equal for levels that are alike, if that matters.
    pub levels: Vec<(Level, Option<u64>)>,
}

/// A way to make candidates.
pub(super) trait Candidates: Sync {
    /// Returns the number of rounds, if there is an end.
    fn rounds(&self) -> Option<u64> {
        None
    }

    /// Returns the number of jobs in a round.
    fn batch(&self) -> u64 {
        32
    }

    /// Makes candidates and judges them. `job` counts from 0 through all rounds.
    fn make(&self, job: u64, archive: &Archive, random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit>;

    /// Returns the text of a puzzle file with this board.
    fn text(&self, board: &str) -> String;

    /// Returns the images of what varies in a board, if it is drawn.
    fn images(&self, board: &str) -> Option<Images>;
}

/// Returns the random numbers of a job.
fn numbers(seed: u64, job: u64) -> SplitMix64 {
    let mut mixed = SplitMix64::new(seed ^ job.wrapping_mul(0xd134_2543_de82_ef95));
    SplitMix64::new(mixed.below(1 << 63))
}

/// Makes the next round, on as many threads as the limits allow, and adds it to the archive.
pub(super) fn make(
    way: &dyn Candidates,
    archive: &mut Archive,
    seed: u64,
    count: usize,
    limits: &Limits,
) -> Result<(), Limit> {
    let (batch, round) = (way.batch(), archive.round);
    let next = AtomicU64::new(0);
    let made: Mutex<Vec<(u64, Result<Tried, Limit>)>> = Mutex::default();
    let threads = limits.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let stop = limits.stop();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= batch {
                return;
            }
            let job = round * batch + number;
            let threads = Some(NonZero::<usize>::MIN);
            let own = Limits { threads, time: stop.left(), ..limits.clone() };
            let tried = match stop.check_cheap() {
                None => way.make(job, archive, &mut numbers(seed, job), &own),
                Some(limit) => Err(limit),
            };
            let is_limit = tried.is_err();
            made.lock().expect("no thread panics").push((number, tried));
            if is_limit {
                next.store(batch, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(batch as usize) {
            scope.spawn(work);
        }
        work();
    });
    let mut made = made.into_inner().expect("no thread panics");
    made.sort_by_key(|(number, _)| *number);
    let made: Vec<Tried> = made.into_iter().map(|(_, tried)| tried).collect::<Result<_, _>>()?;
    let mut random = numbers(seed, u64::MAX - round);
    let temperature = COOLING.powi(round.min(1000) as i32).max(1e-6);
    for tried in made {
        archive.tried += tried.count;
        archive.hopeless += tried.count.saturating_sub(tried.levels.len() as u64);
        for (level, key) in tried.levels {
            archive.add(level, key, count, temperature, &mut random);
        }
    }
    archive.round += 1;
    Ok(())
}
