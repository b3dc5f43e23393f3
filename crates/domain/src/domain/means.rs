//! What reading a file may spend, what a state space may be built with, and what ends either: the limits of the search
//! that it is for.

use crate::search::{Limit, Limits, Stop, resident};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// What the program itself takes, at most, beside its tables. How tables are chosen does not depend on what it takes here.
const PROGRAM_BYTES: u64 = 16 << 20;

/// Every 64th call of [`Means::is_over`] reads the resident memory, which takes microseconds.
const LOOK_EVERY: u32 = 64;

/// What a state space may be built with.
#[derive(Clone, Default)]
pub struct Means {
    /// How large what is built may be, in the domain's own measure, where a [`Rung`](super::Rung) says so.
    pub size: Option<u8>,
    /// Whether searches in depth leave out what an automaton of duplicate sequences of moves says, where the domain has
    /// one.
    pub automaton: bool,
    /// What building may spend.
    pub limits: Limits,
    /// What ends it, with less than was asked for.
    pub stop: Stop,
    /// What ended it, if something did.
    pub ended: OnceLock<Limit>,
    /// How often that was asked.
    pub asked: Arc<AtomicU32>,
    /// The folder in which large tables are kept from one run to the next.
    pub cache: Option<PathBuf>,
    /// Who is told how building goes on.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Means {
    /// What a space for a search within these limits may be built with.
    #[must_use]
    pub fn within(limits: &Limits) -> Means {
        Means { limits: limits.clone(), stop: limits.stop(), ..Means::default() }
    }

    /// The same, for another building within the same limits.
    #[must_use]
    pub fn anew(&self) -> Means {
        Means { ended: OnceLock::new(), ..self.clone() }
    }

    /// Whether building has to end now: then the search that it is for does not begin. It takes well below a microsecond,
    /// so work may ask at each step that takes some.
    pub fn is_over(&self) -> bool {
        if self.ended.get().is_none() {
            let looks = self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOK_EVERY);
            if let Some(limit) = if looks { self.stop.now() } else { self.stop.check_cheap() } {
                let _ = self.ended.set(limit);
            }
        }
        self.ended.get().is_some()
    }

    /// What is left for tables of the memory that was given, where some was: the program takes its share, too.
    pub fn room(&self) -> Option<u64> {
        self.limits.memory.map(|memory| memory.saturating_sub(PROGRAM_BYTES))
    }

    /// Whether so many bytes more may be taken; if not, building has to end now.
    pub fn fits(&self, bytes: u64) -> bool {
        let limit = [self.limits.memory, self.limits.resident].into_iter().flatten().min();
        if limit.is_some_and(|limit| bytes > limit.saturating_sub(self.limits.resident.map_or(0, |_| resident()))) {
            let _ = self.ended.set(Limit::Memory);
        }
        !self.is_over()
    }

    /// The limit that ended building, if one did.
    #[must_use]
    pub fn ended(&self) -> Option<Limit> {
        self.ended.get().copied()
    }

    /// Says what its user should know.
    pub fn note(&self, message: &str) {
        if let Some(observer) = &self.observer {
            observer.note(message);
        }
    }

    /// Tells how far something is.
    pub fn progress(&self, progress: &Progress) {
        if let Some(observer) = &self.observer {
            observer.progress(progress);
        }
    }
}

/// Somebody who wants to know what goes on while a state space is built.
pub trait Observer: Send + Sync {
    /// Something that its user should know.
    fn note(&self, message: &str);

    /// How far something is.
    fn progress(&self, progress: &Progress);
}

/// How far something is that takes a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub what: String,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do; more may turn out than was thought.
    pub total: u64,
}
