//! The guide: searches in the background and stores the next move for every position of a solution.
//!
//! Results are stored by position, not by the moves made: a player who follows a solution, undoes moves or returns to
//! the solution needs no new search. One search runs at a time. It is interrupted when the game leaves its position.

use super::{Game, fingerprint};
use crate::puzzle::{Notation, Options, Outcome, Puzzle, Solution};
use crate::search::Limit;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A result about a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A path to a goal.
    Path {
        /// The first move; `None` at a goal.
        next: Option<String>,
        /// The number of its moves.
        moves: usize,
        /// Their cost.
        cost: f64,
        /// True if no path costs less.
        shortest: bool,
    },
    /// No path leads to a goal; the reason if it is known.
    NoPath(Option<String>),
    /// The search ended without an answer, for this reason.
    GaveUp(String),
}

/// Positions, by their fingerprints, with their results.
type Found = Vec<(u64, Known)>;

/// A background search beside a game, and its results.
pub struct Guide {
    /// The options of its searches.
    options: Options,
    known: FxHashMap<u64, Known>,
    pub(super) running: Option<Running>,
}

/// A search in its own thread.
pub(super) struct Running {
    pub(super) position: u64,
    interrupt: Arc<AtomicBool>,
    worker: JoinHandle<Found>,
}

impl Guide {
    /// Creates a guide that searches with these options.
    #[must_use]
    pub fn new(options: Options) -> Guide {
        Guide { options, known: FxHashMap::default(), running: None }
    }

    /// Returns the result for the current position; `None` until a search for it has ended.
    #[must_use]
    pub fn known(&self, game: &Game) -> Option<&Known> {
        self.known.get(&game.fingerprint())
    }

    /// Searches from the current position and waits for the result.
    pub fn find(&mut self, game: &Game) -> Option<&Known> {
        if self.known(game).is_none() {
            let found = search(game.puzzle(), game.notation(), game.made(), game.fingerprint(), self.options.clone());
            self.known.extend(found);
        }
        self.known(game)
    }

    /// Collects results and keeps a search for the current position running until there is a result. Never blocks;
    /// returns whether there is a new result.
    pub fn follow(&mut self, game: &Game) -> bool {
        let mut learned = false;
        if let Some(running) = self.running.take_if(|running| running.worker.is_finished()) {
            let failed = |_| vec![(running.position, Known::GaveUp("the search broke down".to_owned()))];
            let found = running.worker.join().unwrap_or_else(failed);
            learned = !found.is_empty();
            self.known.extend(found);
        }
        let is_known = self.known(game).is_some();
        match &self.running {
            Some(running) if is_known || running.position != game.fingerprint() => {
                running.interrupt.store(true, Ordering::Relaxed);
            }
            None if !is_known => self.start(game),
            _ => {}
        }
        learned
    }

    fn start(&mut self, game: &Game) {
        let interrupt = Arc::new(AtomicBool::new(false));
        let mut options = self.options.clone();
        options.limits.interrupt = Some(Arc::clone(&interrupt));
        let (puzzle, notation) = (Arc::clone(game.puzzle()), game.notation());
        let (made, position) = (game.made().to_vec(), game.fingerprint());
        let worker = thread::spawn(move || search(&puzzle, notation, &made, position, options));
        self.running = Some(Running { position, interrupt, worker });
    }
}

impl Drop for Guide {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.interrupt.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches from the position after some moves. Returns a result for every position of the solution, or none if
/// interrupted.
fn search(puzzle: &Puzzle, notation: Notation, made: &[String], position: u64, options: Options) -> Found {
    let solved = puzzle.solve(&Options { after: made.to_vec(), ..options });
    let known = match &solved {
        Ok(solution) => match (solution.outcome(), solution.limit()) {
            (Outcome::Solved, _) => return along(puzzle, notation, made, solution),
            (Outcome::Unsolvable, _) => Known::NoPath(solution.reason().map(str::to_owned)),
            (Outcome::Limit, Some(Limit::Interrupt)) => return Vec::new(),
            (Outcome::Limit, limit) => {
                Known::GaveUp(format!("the search was {}", limit.map_or_else(String::new, Limit::words)))
            }
        },
        Err(error) => Known::GaveUp(error.to_string()),
    };
    vec![(position, known)]
}

/// Returns a result for every position on the path of a solution.
fn along(puzzle: &Puzzle, notation: Notation, made: &[String], solution: &Solution) -> Found {
    let moves = solution.moves_in(notation);
    let shortest = solution.is_optimal();
    let mut at = puzzle.space("zero").expect("every domain has the heuristic zero");
    for written in made {
        let Some(next) = at.after(written, &[notation]) else { return Vec::new() };
        at = next;
    }
    let total = at.g() + solution.cost().unwrap_or(0.0);
    let mut found = Vec::new();
    for (number, next) in moves.iter().map(Some).chain([None]).enumerate() {
        let (left, cost) = (moves.len() - number, if next.is_some() { total - at.g() } else { 0.0 });
        found.push((fingerprint(&*at), Known::Path { next: next.cloned(), moves: left, cost, shortest }));
        let Some(after) = next.and_then(|written| at.after(written, &[notation])) else { break };
        at = after;
    }
    found
}
