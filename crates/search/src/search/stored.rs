//! Searches that store states, as a table of functions for each pair of key and cost types.

use super::Found;
use super::all_shortest::AllShortest;
use super::disk::DiskError;
use super::limits::{Limit, Limits};
use super::path_in_place::{Measure, PathInPlace};
use super::request::{Request, Response};
use crate::space::{Cost, InPlace, Key, Ordinal, StateSpace, Weighted};

/// Key types for which searches that store states are compiled, for spaces whose moves cost `C`: `u32`, `u64`, `u128`,
/// four words, eight words, and words on the heap, with whole costs. [`stored!`](crate::stored!) adds another pair.
pub trait Stored<C: Cost>: Key {
    /// Returns the compiled searches.
    fn searches() -> &'static Searches<Self, C>;
}

/// The searches of graphs with one key type and one cost type.
pub struct Searches<K, C> {
    /// Does the work of a request.
    pub(super) run: Run<K, C>,
    /// Searches depth-first along a path, with a transposition table.
    pub(super) depth_first: DepthFirst<K, C>,
    /// Finds all paths of a cost, which must be the least; by the heuristic if it is admissible. Returns the limit that
    /// ended it otherwise.
    pub all_shortest: FindAll<K, C>,
}

type Run<K, C> = fn(&dyn Weighted<K, C>, &K, &Request) -> Result<Response<Vec<Ordinal>>, DiskError>;
type DepthFirst<K, C> = fn(&mut dyn PathInPlace<K, C>, &dyn Weighted<K, C>, Measure, Option<C>, &Limits) -> Found<()>;
type FindAll<K, C> = fn(&dyn Weighted<K, C>, K, C, bool, &Limits) -> Result<AllShortest<K, C>, Limit>;

/// A space that all algorithms can search.
pub trait Searched: InPlace<Key: Stored<<Self as StateSpace>::Cost>> {}

impl<S: InPlace<Key: Stored<<S as StateSpace>::Cost>>> Searched for S {}
