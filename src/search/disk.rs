//! Exploration beyond memory: layers lie on disk, and with them what it takes to go on after the program was killed.
//!
//! Breadth-first search with delayed duplicate detection (Munagala and Ranade, I/O-complexity of graph algorithms, 1999;
//! Korf, Best-first frontier search with delayed duplicate detection, 2004): the children of a layer are made without a
//! look at what is known; sorted and without duplicates, in parts that fit memory; the parts are merged; and what lies in
//! earlier layers is left out by reading those along. All of it is sequential. Where moves can be taken back, only the last
//! two layers have to be read along.
//!
//! A state is a number, its *code*: that of a perfect index, where the space has one, else its key, if keys are whole
//! numbers. Nothing below here knows the space but for [`graph`], so all of it is compiled for two sizes of numbers, and
//! not for each space.
//!
//! | file | what it is |
//! |---|---|
//! | `record` | codes, and how a rising row of them is written |
//! | `layer_file` | a file of them: blocks, checksums, a stream |
//! | `usage` | the room that files take, and may take |
//! | `manifest` | the list of the files that count: a checkpoint |
//! | `store` | the folder: lock, list, files |
//! | `graph` | a space as the children of codes |
//! | `desk` | what memory is spent on: making, sorting and merging records |
//! | `walk`, `back` | the exploration, step by step, each of which is skipped where a checkpoint has it |

mod back;
mod desk;
mod graph;
mod layer_file;
mod manifest;
mod record;
mod store;
#[cfg(test)]
mod tests;
mod usage;
mod walk;

use super::explore::Explored;
use super::limits::{Limit, Limits};
use super::path::actions_along;
use crate::space::StateSpace;
use graph::{Indexed, Keyed};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Where an exploration lies on disk.
#[derive(Clone, Debug)]
pub struct OnDisk {
    /// The folder. It is made where it is not there; one that holds other things is refused.
    pub folder: PathBuf,
    /// The bytes that files may take.
    pub limit: Option<u64>,
    /// What tells the puzzle from any other.
    pub fingerprint: String,
}

/// What keeps an exploration from going on, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskError {
    message: String,
    help: String,
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}", self.message, self.help)
    }
}

impl std::error::Error for DiskError {}

/// Why a step was not done.
#[derive(Debug)]
enum Stop {
    Limit(Limit),
    Trouble(DiskError),
}

type Step<T> = Result<T, Stop>;

impl Stop {
    /// The system refuses something.
    fn file(path: &Path, error: &io::Error) -> Stop {
        let path = path.display();
        Stop::Trouble(match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => DiskError {
                message: format!("{path}: there is no room left: {error}"),
                help: "nothing is lost: once there is room, the same command goes on".to_owned(),
            },
            _ => DiskError {
                message: format!("{path}: {error}"),
                help: "an exploration on disk needs a folder that it may write to; where one was begun, it goes on \
                       once it can"
                    .to_owned(),
            },
        })
    }

    /// A file is not what it was.
    fn damaged(path: &Path, how: &str) -> Stop {
        Stop::Trouble(DiskError {
            message: format!("{} is damaged: {how}", path.display()),
            help: "nothing that it says can be trusted: name another folder, or remove this one to explore from the \
                   start"
                .to_owned(),
        })
    }
}

/// What threads take, and code that has not run yet, where the whole process has a limit.
const RESERVE: u64 = 1 << 20;

/// Walks the whole space that can be reached from a state, with the layers on disk, from wherever an earlier run left it.
///
/// Layers that were made whole are what is told where a limit ends it. The budget for memory is for what this takes, at
/// least half a MiB.
///
/// # Errors
/// That the folder cannot be used, a file of it is damaged or of another puzzle, or that this space is not for the disk.
pub fn explore_on_disk<S: StateSpace>(
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
    disk: &OnDisk,
) -> Result<Explored<Vec<S::Action>>, DiskError> {
    let mut limits = limits.beside(space.table_bytes());
    if limits.resident.is_some() {
        limits.memory = limits.memory.map(|memory| memory.saturating_sub(RESERVE));
    }
    let limits = &limits;
    let root = space.pack(&start());
    let refused = |message: &str| DiskError {
        message: message.to_owned(),
        help: "without `--disk` it is explored in memory".to_owned(),
    };
    if !space.has_unit_cost() {
        return Err(refused("exploration on disk goes move by move, and here moves cost more or less than 1"));
    }
    let explored = if let Some(index) = space.is_reversible().then(|| space.index()).flatten() {
        let graph = Indexed::new(space, index);
        let explored = walk::explore(&graph, graph.code(&root), limits, disk)?;
        explored.map(|way| way.iter().map(|&code| graph.key(code)).collect::<Vec<_>>())
    } else if let Some(graph) = Keyed::<S, u64>::new(space) {
        let explored = walk::explore(&graph, graph.code(&root), limits, disk)?;
        explored.map(|way| way.iter().map(|&code| graph.key(code)).collect())
    } else if let Some(graph) = Keyed::<S, u128>::new(space) {
        let explored = walk::explore(&graph, graph.code(&root), limits, disk)?;
        explored.map(|way| way.iter().map(|&code| graph.key(code)).collect())
    } else {
        return Err(refused("exploration on disk needs positions that fit 128 bits, and here they are larger"));
    };
    Ok(explored.map(|way| actions_along(space, start, &way).0))
}
