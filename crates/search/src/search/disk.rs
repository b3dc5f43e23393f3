//! Exploration and breadth-first search beyond memory: layers are files, and a checkpoint lets a later run continue
//! after the program was killed.
//!
//! Breadth-first search with delayed duplicate detection (Munagala and Ranade, I/O-complexity of graph algorithms,
//! 1999; Korf, Best-first frontier search with delayed duplicate detection, 2004) works in three stages. The children
//! of a layer are generated without looking up known states. They are sorted and deduplicated in runs that fit into
//! memory. The runs are merged, while states of earlier layers are removed by reading their files in parallel. All
//! access is sequential. If moves are reversible, only the last two layers have to be read.
//!
//! A state is represented by a number, its *code*: its rank in a perfect index if the space has one, otherwise its key
//! if keys are integers. Only [`graph`] knows the space, so everything else is compiled for two sizes of integers, and
//! not for each space.
//!
//! | file | contents |
//! |---|---|
//! | `record` | codes, and the encoding of a sorted sequence of them |
//! | `layer_file` | a file of records: blocks, checksums, a stream |
//! | `usage` | the disk space in use, and its limit |
//! | `manifest` | the list of valid files: a checkpoint |
//! | `storage`, `store` | files in a folder or in memory; the folder with its lock, manifest and files |
//! | `peers`, `exchange` | the other shares of a distributed exploration; sending records to them and receiving theirs |
//! | `graph` | a space as the children of codes |
//! | `sorter` | the external sorter: generating, sorting and merging records |
//! | `filters` | files read in parallel, whose records are excluded |
//! | `exploration`, `backward` | the exploration, in steps; a step that the checkpoint contains is skipped |

mod backward;
mod exchange;
pub(super) mod exploration;
mod filters;
pub(super) mod graph;
mod layer_file;
pub(super) mod manifest;
pub(super) mod peers;
pub(super) mod record;
mod sorter;
pub(super) mod storage;
pub(super) mod store;
#[cfg(test)]
pub(super) mod tests;
mod usage;

use super::explore::Explored;
use super::limits::{Limit, Limits};
use super::{Found, Stats, Verdict};
use crate::space::{Graph, Key, PerfectIndex};
use exploration::{Aim, Environment, explore, identity};
use graph::{CodeGraph, Indexed, Keyed};
use record::Code;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use store::CheckpointStore;

/// The location of an exploration on disk.
#[derive(Clone, Debug)]
pub struct OnDisk {
    /// The folder. It is created if it does not exist; one with other contents is refused.
    pub folder: PathBuf,
    /// The maximum size of the files, in bytes.
    pub limit: Option<u64>,
    /// The fingerprint that identifies the puzzle.
    pub fingerprint: String,
}

/// An error that ends an exploration, described for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskError {
    /// The message.
    pub message: String,
    /// A fix.
    pub help: String,
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}", self.message, self.help)
    }
}

impl std::error::Error for DiskError {}

/// The reason why a step did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Abort {
    Limit(Limit),
    Error(DiskError),
}

pub(super) type StepResult<T> = Result<T, Abort>;

impl Abort {
    /// Returns the error for an operation that the system refused.
    pub(super) fn file(path: &Path, error: &io::Error) -> Abort {
        let path = path.display();
        Abort::Error(match error.kind() {
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

    /// Returns the error for a file whose contents have changed.
    fn damaged(path: &Path, how: &str) -> Abort {
        Abort::Error(DiskError {
            message: format!("{} is damaged: {how}", path.display()),
            help: "its content cannot be trusted: choose another folder, or remove this one to explore from the start"
                .to_owned(),
        })
    }
}

/// Converts an exploration up to the nearest goals to the result of a search.
pub(super) fn nearest_goal<P>(explored: Explored<P>) -> Found<P> {
    let layers = explored.by_depth.len();
    let stored = explored.states();
    // The last layer was not expanded if it contains goals, nor if there was a limit.
    let expanded = stored - explored.by_depth.last().copied().unwrap_or(0);
    let depth = layers.saturating_sub(1) as f64;
    let stats =
        Stats { expanded, generated: 0, stored, depth, memory: explored.memory, pruned: false, deepened_after: None };
    let verdict = match (explored.hardest, explored.limit) {
        (Some(goal), _) => Verdict::Solved { path: goal.example, cost: goal.cost, lower_bound: goal.cost },
        // The limit may have ended the path back from the goals, which the last layer then contains.
        (None, Some(limit)) => {
            let lower_bound = if explored.goals > 0 { depth } else { layers as f64 };
            Verdict::Limit { limit, lower_bound, best: None }
        }
        (None, None) => Verdict::Unsolvable,
    };
    Found { verdict, stats }
}

/// An operation on a space, generic over the type of the codes.
pub(super) trait Visitor {
    /// The result; codes in it are widened to `u128`.
    type Output;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Self::Output, DiskError>;
}

/// A space with codes of the size that it needs, and its start.
pub(super) enum Coded<'a> {
    Small(Rc<dyn CodeGraph<u64> + 'a>, u64),
    Large(Rc<dyn CodeGraph<u128> + 'a>, u128),
}

impl Coded<'_> {
    /// Runs a visitor on the space.
    ///
    /// # Errors
    /// The errors of the visitor.
    pub(super) fn run<E: Visitor>(&self, visitor: E) -> Result<E::Output, DiskError> {
        match self {
            Coded::Small(graph, start) => visitor.run(&**graph, *start),
            Coded::Large(graph, start) => visitor.run(&**graph, *start),
        }
    }
}

/// Converts codes of a result to keys.
pub(super) type Keys<'a, K> = Box<dyn Fn(Vec<u128>) -> Vec<K> + 'a>;

/// Chooses the codes of a graph.
///
/// # Errors
/// The graph does not support layers.
pub(super) fn coded<'a, K: Key>(
    graph: &'a dyn Graph<K>,
    root: &K,
    aim: Aim,
) -> Result<(Coded<'a>, Keys<'a, K>), DiskError> {
    let refused = |message: &str| DiskError {
        message: message.to_owned(),
        help: "`engine solve` without `--disk` and `--hosts` searches in memory".to_owned(),
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

/// Uses the numbers of a perfect index as codes.
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

/// Uses the keys themselves as codes, if they have this size.
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

/// Exploration by a single process, in a folder.
pub(super) struct SingleProcess<'a> {
    pub limits: &'a Limits,
    pub disk: &'a OnDisk,
    pub aim: Aim,
}

impl Visitor for SingleProcess<'_> {
    type Output = Explored<Vec<u128>>;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Self::Output, DiskError> {
        let identity = identity(graph, start, &self.disk.fingerprint, self.aim);
        let explored = CheckpointStore::open(&self.disk.folder, identity, self.disk.limit)
            .and_then(|store| explore(graph, start, self.aim, self.limits, Environment { store, peers: None }));
        explored.or_else(|stop| match stop {
            Abort::Error(error) => Err(error),
            Abort::Limit(limit) => Ok(Explored::unfinished(limit)),
        })
    }
}
