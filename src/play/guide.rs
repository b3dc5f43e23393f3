//! The guide: searches beside the game, and remembers what is to be done at every position that a solution leads over.
//!
//! What it knows is kept by position, not by the moves that led there: who follows a solution, goes back, or comes round
//! to it again needs no new search. One search runs at a time; it is interrupted where the game has gone elsewhere.

use super::{Game, fingerprint};
use crate::puzzle::{Notation, Options, Outcome, Puzzle, Solution};
use crate::search::Limit;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A way to a goal.
    Way {
        /// Its first move; none at a goal.
        next: Option<String>,
        /// How many moves it has.
        moves: usize,
        /// What they cost.
        cost: f64,
        /// Whether no way costs less.
        shortest: bool,
    },
    /// No way leads to a goal, and why, where that can be told.
    NoWay(Option<String>),
    /// Nothing: what ended the search.
    GaveUp(String),
}

/// Positions by their fingerprints.
type Found = Vec<(u64, Known)>;

/// Knows what to do, sooner or later.
pub struct Guide {
    /// How it searches.
    options: Options,
    known: FxHashMap<u64, Known>,
    pub(super) running: Option<Running>,
}

/// A search in a thread of its own.
pub(super) struct Running {
    pub(super) position: u64,
    interrupt: Arc<AtomicBool>,
    worker: JoinHandle<Found>,
}

impl Guide {
    /// A guide that searches like this.
    #[must_use]
    pub fn new(options: Options) -> Guide {
        Guide { options, known: FxHashMap::default(), running: None }
    }

    /// What is known of the position that the game is at; nothing before a search for it has ended.
    #[must_use]
    pub fn known(&self, game: &Game) -> Option<&Known> {
        self.known.get(&game.fingerprint())
    }

    /// Searches here and now, however long it takes.
    pub fn find(&mut self, game: &Game) -> Option<&Known> {
        if self.known(game).is_none() {
            let found = search(game.puzzle(), game.notation(), game.made(), game.fingerprint(), self.options.clone());
            self.known.extend(found);
        }
        self.known(game)
    }

    /// Keeps a search going for the position that the game is at, where nothing is known of it, and collects what one
    /// has found. Never waits; tells whether anything new is known.
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

/// Searches from where some moves led, and tells of every position on the way; nothing, if it was interrupted.
fn search(puzzle: &Puzzle, notation: Notation, made: &[String], position: u64, options: Options) -> Found {
    let solved = puzzle.solve(&Options { after: made.to_vec(), ..options });
    let known = match &solved {
        Ok(solution) => match (solution.outcome(), solution.limit()) {
            (Outcome::Solved, _) => return along(puzzle, notation, made, solution),
            (Outcome::Unsolvable, _) => Known::NoWay(solution.reason().map(str::to_owned)),
            (Outcome::Limit, Some(Limit::Interrupt)) => return Vec::new(),
            (Outcome::Limit, limit) => {
                let limit = limit.map_or("", Limit::name);
                Known::GaveUp(format!("the search stopped at the {limit} limit"))
            }
        },
        Err(error) => Known::GaveUp(error.to_string()),
    };
    vec![(position, known)]
}

/// What a solution says of the positions that it leads over.
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
        found.push((fingerprint(&*at), Known::Way { next: next.cloned(), moves: left, cost, shortest }));
        let Some(after) = next.and_then(|written| at.after(written, &[notation])) else { break };
        at = after;
    }
    found
}
