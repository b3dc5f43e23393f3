//! Searches that store states, as functions compiled once for each pair of key and cost types: the built-in pairs are
//! compiled here, and not again in each crate with state spaces.

use super::all_shortest::AllShortest;
use super::collaboration::{Cluster, Together};
use super::disk::{DiskError, OnDisk};
use super::estimate::{Estimate, Question};
use super::explore::Explored;
use super::limits::{Limit, Limits};
use super::path_in_place::{Measure, PathInPlace};
use super::{Algorithm, Found};
use crate::space::{Cost, InPlace, Key, Length, Ordinal, StateSpace, Weighted};

/// Key types for which searches that store states are compiled, for spaces whose moves cost `C`: `u32`, `u64`, `u128`,
/// four words, eight words, and words on the heap, with whole costs. [`stored!`](crate::stored!) adds another pair.
pub trait Stored<C: Cost>: Key {
    /// Searches by an algorithm that stores states; iterative deepening falls back to breadth-first search.
    fn search(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        algorithm: Algorithm,
        limits: &Limits,
    ) -> Found<Vec<Ordinal>>;

    /// Searches depth-first along a path, with a transposition table. The path keeps the solution.
    fn depth_first_search(
        path: &mut dyn PathInPlace<Self, C>,
        graph: &dyn Weighted<Self, C>,
        measure: Measure,
        bound: Option<C>,
        limits: &Limits,
    ) -> Found<()>;

    /// Explores the whole space reachable from a state.
    fn explore(graph: &dyn Weighted<Self, C>, start: &Self, limits: &Limits) -> Explored<Vec<Ordinal>>;

    /// Explores with layers on disk.
    ///
    /// # Errors
    /// The errors of [`explore_on_disk`](super::explore_on_disk).
    fn explore_on_disk(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        limits: &Limits,
        disk: &OnDisk,
    ) -> Result<Explored<Vec<Ordinal>>, DiskError>;

    /// Runs breadth-first search with layers on disk.
    ///
    /// # Errors
    /// The errors of [`search_on_disk`](super::search_on_disk).
    fn search_on_disk(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        limits: &Limits,
        disk: &OnDisk,
    ) -> Result<Found<Vec<Ordinal>>, DiskError>;

    /// Explores together with other processes.
    ///
    /// # Errors
    /// The errors of [`explore_together`](super::explore_together).
    fn explore_together(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        limits: &Limits,
        cluster: &Cluster,
    ) -> Result<Together<Explored<Vec<Ordinal>>>, DiskError>;

    /// Runs breadth-first search together with other processes.
    ///
    /// # Errors
    /// The errors of [`search_together`](super::search_together).
    fn search_together(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        limits: &Limits,
        cluster: &Cluster,
    ) -> Result<Together<Found<Vec<Ordinal>>>, DiskError>;

    /// Estimates the resources that exploring will take.
    ///
    /// # Errors
    /// The errors of [`estimate`](super::estimate()).
    fn estimate(
        graph: &dyn Weighted<Self, C>,
        start: &Self,
        limits: &Limits,
        question: &Question,
    ) -> Result<Estimate, DiskError>;

    /// Finds all paths of this cost, which must be the least; by the heuristic if it is admissible.
    ///
    /// # Errors
    /// The limit that ended it.
    fn all_shortest(
        graph: &dyn Weighted<Self, C>,
        start: Self,
        least: C,
        is_admissible: bool,
        limits: &Limits,
    ) -> Result<AllShortest<Self, C>, Limit>;
}

/// A space that all algorithms can search.
pub trait Searched: InPlace<Key: Stored<<Self as StateSpace>::Cost>> {}

impl<S: InPlace<Key: Stored<<S as StateSpace>::Cost>>> Searched for S {}

/// Compiles searches that store states for a key type and a cost type.
#[macro_export]
macro_rules! stored {
    ($key:ty, $cost:ty) => {
        const _: () = {
            use $crate::search as searches;
            use $crate::space::{Ordinal, Weighted};

            impl searches::Stored<$cost> for $key {
                fn search(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    algorithm: searches::Algorithm,
                    limits: &searches::Limits,
                ) -> searches::Found<Vec<Ordinal>> {
                    searches::search_graph(graph, start, algorithm, limits)
                }

                fn depth_first_search(
                    path: &mut dyn searches::PathInPlace<$key, $cost>,
                    graph: &dyn Weighted<$key, $cost>,
                    measure: searches::Measure,
                    bound: Option<$cost>,
                    limits: &searches::Limits,
                ) -> searches::Found<()> {
                    searches::depth_first_search(path, graph, measure, bound, limits)
                }

                fn explore(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                ) -> searches::Explored<Vec<Ordinal>> {
                    searches::explore(graph, start, limits)
                }

                fn explore_on_disk(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                    disk: &searches::OnDisk,
                ) -> Result<searches::Explored<Vec<Ordinal>>, searches::DiskError> {
                    searches::explore_on_disk(graph, start, limits, disk)
                }

                fn search_on_disk(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                    disk: &searches::OnDisk,
                ) -> Result<searches::Found<Vec<Ordinal>>, searches::DiskError> {
                    searches::search_on_disk(graph, start, limits, disk)
                }

                fn explore_together(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                    cluster: &searches::Cluster,
                ) -> Result<searches::Together<searches::Explored<Vec<Ordinal>>>, searches::DiskError> {
                    searches::explore_together(graph, start, limits, cluster)
                }

                fn search_together(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                    cluster: &searches::Cluster,
                ) -> Result<searches::Together<searches::Found<Vec<Ordinal>>>, searches::DiskError> {
                    searches::search_together(graph, start, limits, cluster)
                }

                fn estimate(
                    graph: &dyn Weighted<$key, $cost>,
                    start: &$key,
                    limits: &searches::Limits,
                    question: &searches::Question,
                ) -> Result<searches::Estimate, searches::DiskError> {
                    searches::estimate(graph, start, limits, question)
                }

                fn all_shortest(
                    graph: &dyn Weighted<$key, $cost>,
                    start: $key,
                    least: $cost,
                    is_admissible: bool,
                    limits: &searches::Limits,
                ) -> Result<searches::AllShortest<$key, $cost>, searches::Limit> {
                    searches::all_shortest(graph, start, least, is_admissible, limits)
                }
            }
        };
    };
}

stored!(u32, u32);
stored!(u32, Length);
stored!(u64, u32);
stored!(u128, u32);
stored!([u64; 4], u32);
stored!([u64; 8], u32);
stored!(Box<[u64]>, u32);
