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
//! | `shelf`, `store` | the folder, or memory instead: lock, list, files |
//! | `others`, `post` | with whom the work is shared out, where it is; what goes to them and comes from them |
//! | `graph` | a space as the children of codes |
//! | `desk` | what memory is spent on: making, sorting and merging records |
//! | `filters` | files that are read along, to leave out what they have |
//! | `walk`, `back` | the exploration, step by step, each of which is skipped where a checkpoint has it |

mod back;
mod desk;
mod filters;
pub(super) mod graph;
mod layer_file;
pub(super) mod manifest;
pub(super) mod others;
mod post;
pub(super) mod record;
pub(super) mod shelf;
pub(super) mod store;
#[cfg(test)]
pub(super) mod tests;
mod usage;
pub(super) mod walk;

use super::explore::Explored;
use super::limits::{Limit, Limits};
use crate::space::{Cost, Graph, Key, Ordinal, PerfectIndex, Weighted, moves_along};
use graph::{CodeGraph, Indexed, Keyed};
use record::Code;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use store::Store;
use walk::{Aim, Place, explore, identity};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}", self.message, self.help)
    }
}

impl std::error::Error for DiskError {}

/// Why a step was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Limit(Limit),
    Trouble(DiskError),
}

pub(super) type Step<T> = Result<T, Stop>;

impl Stop {
    /// The system refuses something.
    pub(super) fn file(path: &Path, error: &io::Error) -> Stop {
        let path = path.display();
        Stop::Trouble(match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => DiskError {
                message: format!("{path}: no space left: {error}"),
                help: "nothing is lost: free some space and run the same command again".to_owned(),
            },
            _ => DiskError {
                message: format!("{path}: {error}"),
                help: "an exploration on disk needs a folder that it can write to; an exploration that was begun \
                       continues once it can"
                    .to_owned(),
            },
        })
    }

    /// A file is not what it was.
    fn damaged(path: &Path, how: &str) -> Stop {
        Stop::Trouble(DiskError {
            message: format!("{} is damaged: {how}", path.display()),
            help: "its content cannot be trusted: choose another folder, or remove this one to explore from the start"
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
pub fn explore_on_disk<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    disk: &OnDisk,
) -> Result<Explored<Vec<Ordinal>>, DiskError> {
    let mut limits = limits.beside(graph.facts().table_bytes);
    if limits.resident.is_some() {
        limits.memory = limits.memory.map(|memory| memory.saturating_sub(RESERVE));
    }
    let (coded, keys) = coded(graph, start, Aim::Whole)?;
    let explored = coded.run(Alone { limits: &limits, disk })?;
    Ok(explored.map(|way| moves_along(graph, start.clone(), &keys(way)).0))
}

/// What is done with a space, whatever the codes of its states are.
pub(super) trait Errand {
    /// What comes of it; codes are told as wide ones.
    type Told;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Self::Told, DiskError>;
}

/// A space in codes of the size that it needs, and where to begin.
pub(super) enum Coded<'a> {
    Small(Rc<dyn CodeGraph<u64> + 'a>, u64),
    Large(Rc<dyn CodeGraph<u128> + 'a>, u128),
}

impl Coded<'_> {
    /// # Errors
    /// What comes of the errand.
    pub(super) fn run<E: Errand>(&self, errand: E) -> Result<E::Told, DiskError> {
        match self {
            Coded::Small(graph, start) => errand.run(&**graph, *start),
            Coded::Large(graph, start) => errand.run(&**graph, *start),
        }
    }
}

/// What makes keys of codes that were told.
pub(super) type Keys<'a, K> = Box<dyn Fn(Vec<u128>) -> Vec<K> + 'a>;

/// Chooses the codes of a graph.
///
/// # Errors
/// That this graph is not for layers.
pub(super) fn coded<'a, K: Key>(
    graph: &'a dyn Graph<K>,
    root: &K,
    aim: Aim,
) -> Result<(Coded<'a>, Keys<'a, K>), DiskError> {
    let refused = |message: &str| DiskError {
        message: message.to_owned(),
        help: "leave out `--disk` and `--hosts` to search in memory".to_owned(),
    };
    let facts = graph.facts();
    if !facts.unit_cost {
        return Err(refused("a search by layers needs moves of cost 1, but this puzzle has others"));
    }
    if facts.transient_keys {
        return Err(refused("layers in files need stable codes for positions, which this domain does not have"));
    }
    let index = (aim == Aim::Whole && facts.reversible).then(|| graph.index()).flatten();
    index
        .map(|index| by_index(graph, index, root))
        .or_else(|| by_key(graph, root, Coded::Small))
        .or_else(|| by_key(graph, root, Coded::Large))
        .ok_or_else(|| refused("layers in files need positions of at most 128 bits, but these are larger"))
}

/// The numbers of an index for codes.
fn by_index<'a, K: Key>(
    graph: &'a dyn Graph<K>,
    index: Box<dyn PerfectIndex<K> + 'a>,
    root: &K,
) -> (Coded<'a>, Keys<'a, K>) {
    let graph = Rc::new(Indexed::new(graph, index));
    let start = graph.code(root);
    let keys = Rc::clone(&graph);
    let keys = move |codes: Vec<u128>| codes.into_iter().map(|code| keys.key(code as u64)).collect();
    (Coded::Small(graph, start), Box::new(keys))
}

/// The keys themselves for codes, where they are of this size.
fn by_key<'a, K: Key, C: Code>(
    graph: &'a dyn Graph<K>,
    root: &K,
    coded: fn(Rc<dyn CodeGraph<C> + 'a>, C) -> Coded<'a>,
) -> Option<(Coded<'a>, Keys<'a, K>)> {
    if !Keyed::<K, C>::FITS {
        return None;
    }
    let graph = Keyed::new(graph)?;
    let start = graph.code(root);
    Some((coded(Rc::new(graph), start), Box::new(graph::keys)))
}

/// One machine explores, into a folder.
struct Alone<'a> {
    limits: &'a Limits,
    disk: &'a OnDisk,
}

impl Errand for Alone<'_> {
    type Told = Explored<Vec<u128>>;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Self::Told, DiskError> {
        let identity = identity(graph, start, &self.disk.fingerprint, Aim::Whole);
        let explored = Store::open(&self.disk.folder, identity, self.disk.limit)
            .and_then(|store| explore(graph, start, Aim::Whole, self.limits, Place { store, others: None }));
        explored.or_else(|stop| match stop {
            Stop::Trouble(error) => Err(error),
            Stop::Limit(limit) => Ok(Explored::unfinished(limit)),
        })
    }
}
