//! One request for all work on a space, and one response.
//!
//! A [`Request`] passes from the program to the searches through one function in each layer, and a [`Response`] comes
//! back the same way. Only [`run`](super::run()) looks at what is requested.

use super::estimate::{Estimate, Question};
use super::explore::Explored;
use super::limits::Limits;
use super::place::Place;
use super::survey::{States, Survey};
use super::{Algorithm, Found};
use std::sync::Arc;

/// Work on a space, from one of its states.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The kind of work.
    pub work: Work<'a>,
    /// The limits.
    pub limits: &'a Limits,
    /// The place of the states. An estimate needs none.
    pub place: &'a Place,
}

/// A kind of work on a space.
#[derive(Clone, Copy)]
pub enum Work<'a> {
    /// Searches for a path to a goal. In other places than memory, the algorithm must be breadth-first search.
    Search(Algorithm),
    /// Explores the whole reachable space.
    Explore,
    /// Estimates the resources that exploring takes on several machines.
    Estimate(&'a Question),
    /// Measures the heuristic in all states that can be reached, at most as many as the limit on nodes; they may be known
    /// from the survey of another heuristic of the puzzle.
    Survey(Option<&'a Arc<States>>),
}

/// The result of a [`Request`]; `P` represents a path.
pub struct Response<P> {
    /// The answer.
    pub answer: Answer<P>,
    /// The process whose limit ended the work, if it was another one.
    pub note: Option<String>,
}

/// The answer to a [`Request`].
pub enum Answer<P> {
    /// The result of a search.
    Found(Found<P>),
    /// The result of an exploration.
    Explored(Explored<P>),
    /// The result of an estimation.
    Estimated(Box<Estimate>),
    /// The measurements of a heuristic.
    Surveyed(Box<Survey>),
}

impl<'a> Request<'a> {
    /// Creates a request for work in memory.
    #[must_use]
    pub fn in_memory(work: Work<'a>, limits: &'a Limits) -> Request<'a> {
        Request { work, limits, place: &Place::Memory }
    }
}

impl<P> Answer<P> {
    /// Converts the path.
    pub fn map<Q>(self, convert: &mut dyn FnMut(P) -> Q) -> Answer<Q> {
        match self {
            Answer::Found(found) => Answer::Found(found.map_once(convert)),
            Answer::Explored(explored) => Answer::Explored(explored.map_once(convert)),
            Answer::Estimated(estimate) => Answer::Estimated(estimate),
            Answer::Surveyed(survey) => Answer::Surveyed(survey),
        }
    }

    /// Returns the result of a search.
    ///
    /// # Panics
    /// Other work was requested.
    #[must_use]
    pub fn found(self) -> Found<P> {
        let Answer::Found(found) = self else { unreachable!("a search was requested") };
        found
    }

    /// Returns the result of an exploration.
    ///
    /// # Panics
    /// Other work was requested.
    #[must_use]
    pub fn explored(self) -> Explored<P> {
        let Answer::Explored(explored) = self else { unreachable!("an exploration was requested") };
        explored
    }

    /// Returns the result of an estimation.
    ///
    /// # Panics
    /// Other work was requested.
    #[must_use]
    pub fn estimated(self) -> Estimate {
        let Answer::Estimated(estimate) = self else { unreachable!("an estimate was requested") };
        *estimate
    }

    /// Returns the measurements of a heuristic.
    ///
    /// # Panics
    /// Other work was requested.
    #[must_use]
    pub fn surveyed(self) -> Survey {
        let Answer::Surveyed(survey) = self else { unreachable!("a survey was requested") };
        *survey
    }
}
