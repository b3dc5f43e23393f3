//! The one place that looks at what is requested: of a space, and of its graph.
//!
//! Searches that store states are compiled once for each pair of key and cost types. The built-in pairs are compiled
//! here, and not again in each crate with state spaces.

use super::all_shortest::all_shortest;
use super::depth_first::depth_first_search;
use super::disk::exploration::Aim;
use super::disk::{DiskError, nearest_goal};
use super::estimate::estimate;
use super::explore::explore;
use super::layer_store::explore_layers;
use super::place::Place;
use super::request::{Answer, Request, Response, Work};
use super::stored::{Searched, Searches, Stored};
use super::survey::survey;
use super::{actions, search, search_graph};
use crate::space::{Cost, Key, Length, Ordinal, Weighted, Whole};

/// Does the work of a request on a space.
///
/// # Errors
/// Outside memory, and for estimates: the space is unsuitable, a file cannot be used or is damaged, or another process
/// is missing or fails. Then a later run in the same folder continues from the last complete layer.
pub fn run<S: Searched>(
    space: &S,
    start: &dyn Fn() -> S::State,
    request: &Request,
) -> Result<Response<Vec<S::Action>>, DiskError> {
    if let (Work::Search(algorithm), Place::Memory) = (request.work, request.place) {
        return Ok(Response { answer: Answer::Found(search(space, start, algorithm, request.limits)), note: None });
    }
    run_stored(space, start, request)
}

/// Does the work of a request on a space by the searches that store states, and converts the ordinals on the path to
/// actions.
pub(super) fn run_stored<S: Searched>(
    space: &S,
    start: &dyn Fn() -> S::State,
    request: &Request,
) -> Result<Response<Vec<S::Action>>, DiskError> {
    let Response { answer, note } = (S::Key::searches().run)(&Whole(space), &space.pack(&start()), request)?;
    Ok(Response { answer: answer.map(&mut |ordinals| actions(space, start(), &ordinals)), note })
}

/// Does the work of a request on a graph.
fn run_graph<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    request: &Request,
) -> Result<Response<Vec<Ordinal>>, DiskError> {
    let Request { work, limits, place } = *request;
    let (answer, note) = match (work, place) {
        (Work::Search(algorithm), Place::Memory) => {
            (Answer::Found(search_graph(graph, start, algorithm, limits)), None)
        }
        (Work::Explore, Place::Memory) => (Answer::Explored(explore(graph, start, limits)), None),
        (Work::Estimate(question), _) => (Answer::Estimated(Box::new(estimate(graph, start, limits, question)?)), None),
        (Work::Survey(known), _) => (Answer::Surveyed(Box::new(survey(graph, start, known, limits))), None),
        (Work::Search(_), _) => {
            let (explored, note) = explore_layers(graph, start, Aim::Goal, limits, place)?;
            (Answer::Found(nearest_goal(explored)), note)
        }
        (Work::Explore, _) => {
            let (explored, note) = explore_layers(graph, start, Aim::Whole, limits, place)?;
            (Answer::Explored(explored), note)
        }
    };
    Ok(Response { answer, note })
}

impl<K: Key, C: Cost> Searches<K, C> {
    /// The searches of this pair of types.
    pub const COMPILED: Searches<K, C> = Searches { run: run_graph, depth_first: depth_first_search, all_shortest };
}

/// Compiles searches that store states for a key type and a cost type.
#[macro_export]
macro_rules! stored {
    ($key:ty, $cost:ty) => {
        impl $crate::search::Stored<$cost> for $key {
            fn searches() -> &'static $crate::search::Searches<$key, $cost> {
                static SEARCHES: $crate::search::Searches<$key, $cost> = $crate::search::Searches::COMPILED;
                &SEARCHES
            }
        }
    };
}

stored!(u32, u32);
stored!(u32, Length);
stored!(u64, u32);
stored!(u128, u32);
stored!([u64; 4], u32);
stored!([u64; 8], u32);
stored!(Box<[u64]>, u32);
