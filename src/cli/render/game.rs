//! `engine render --play`: a page to play one puzzle, or all in a folder or a collection.

use super::{Render, facts, status};
use crate::cli::failure::Failure;
use crate::cli::moves::given;
use crate::cli::progress::Display;
use crate::cli::{Status, complain, wall};
use crate::play::{fences_in_words, goal_in_words, marks_in_words};
use crate::puzzle::{Options, Outcome, Source};
use crate::rating::RatingOptions;
use crate::render::{Answer, Difficulty, HTML, Level, PictureFormat, RenderStyle, play_page};
use crate::search::{Limit, Limits, Stats};
use crate::transcript::outcome;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The default limits for each of several puzzles: the states that the search for its solution expands, the bytes of
/// the tables, and the time, which ends only what the other two do not.
const MOST_NODES: u64 = 2_000_000;
const MOST_MEMORY: u64 = 256 << 20;
const MOST_TIME: Duration = Duration::from_secs(10);

impl Render {
    /// Returns the page, and the exit status: that of the search, if there is one puzzle.
    pub(super) fn game(
        &self,
        format: &PictureFormat,
        interrupt: &Arc<AtomicBool>,
        quiet: bool,
    ) -> Result<(Vec<u8>, Status), Failure> {
        if format.name != HTML.name {
            let help = "name an output that ends in .html";
            return Err(Failure::refused("`--play` makes a page in HTML", help));
        }
        let path = self.puzzle.path();
        let sources = self.puzzle.sources(|report| leave_out(&report.into()))?;
        let are_several = sources.len() > 1;
        let limits = match are_several {
            true => self.limits.limits_or(MOST_TIME, interrupt),
            false => self.limits.limits(interrupt),
        };
        let bounded = Limits {
            nodes: limits.nodes.or(Some(MOST_NODES)),
            memory: limits.memory.or(Some(MOST_MEMORY)),
            ..limits.clone()
        };
        let limits = if are_several { bounded } else { limits };
        let (mut levels, mut last) = (Vec::new(), Status::Good);
        for (number, source) in (1..).zip(&sources) {
            let title =
                if are_several { format!("{number} of {}, {}: ", sources.len(), source.name()) } else { String::new() };
            let key = format!("level {number}");
            let level = wall::behind(&key, source.name(), &limits, || {
                self.level(source, &title, limits.clone(), are_several, quiet)
            });
            match level {
                Ok((level, status)) => {
                    let folder = source.path().parent().and_then(|folder| folder.strip_prefix(&path).ok());
                    let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
                    levels.push(level.in_folder(folder));
                    last = status;
                }
                Err(failure) if are_several && failure.limit() != Some(Limit::Interrupt) => leave_out(&failure),
                Err(failure) => return Err(failure),
            }
        }
        if levels.is_empty() {
            let help = "play them with `engine play`";
            return Err(Failure::refused("none of these puzzles fits a page", help).about(&path));
        }
        let title = path.canonicalize().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        let page = play_page(
            levels,
            &title.unwrap_or_default(),
            &RenderStyle { theme: self.theme, cell: self.cell, ..RenderStyle::default() },
        );
        Ok((page.into_bytes(), if are_several { Status::Good } else { last }))
    }

    /// Reads a puzzle, describes it for the page and solves it, all within the limits. One of several that is too large
    /// to be played in the page is only shown.
    fn level(
        &self,
        source: &Source,
        title: &str,
        limits: Limits,
        is_one_of_several: bool,
        quiet: bool,
    ) -> Result<(Level, Status), Failure> {
        let (name, started) = (source.name(), Instant::now());
        let display = Display::new(quiet);
        let gauge = display.begin(title);
        let puzzle = self.puzzle.load_source(source, &limits)?;
        let left = || limits.remaining(&Stats::default(), started.elapsed());
        let about = |failure: Failure| failure.about(Path::new(name));
        let heuristic = puzzle.guide(self.heuristic.as_deref())?;
        let start = puzzle.space("zero")?;
        let mut style = self.style(&puzzle, heuristic, Vec::new());
        style.in_words = start.picture().as_ref().map_or_else(Vec::new, marks_in_words);
        style.in_words.extend(start.picture().iter().flat_map(fences_in_words));
        style.in_words.extend(goal_in_words(&style.goal).into_iter().map(|line| format!("goal: {line}")));
        let note = puzzle.about().description.as_deref().map_or("", str::trim);
        let level = match Level::new(&*start, puzzle.has_spaced_moves(), note, &style, &left().stop()) {
            Ok(level) => level,
            // There is nothing to play, so nothing to solve.
            Err(error) if is_one_of_several && error.limit() != Some(Limit::Interrupt) => {
                display.observer().note(&format!("{name}: {error}; the page only shows it"));
                let facts = facts(&puzzle, &super::Line { moves: Vec::new(), heuristic, solution: None }, None);
                let still = Level::still(&*start, &error, note, &style);
                let still = still.and_then(|level| level.answered(Answer::default(), &facts));
                return Ok((still.map_err(|error| about(Failure::refused(error.to_string(), "")))?, Status::Good));
            }
            Err(error) => {
                let help = "play it with `engine play`, or draw its solution without `--play`";
                return Err(match error.limit() {
                    Some(limit) => Failure::at_limit(name, limit),
                    None => about(Failure::refused(error.to_string(), help)),
                });
            }
        };
        let mut answer = Answer::default();
        let mut ended = Status::Good;
        let mut found = None;
        if let Some(moves) = &self.replay {
            answer.moves = given(&puzzle, name, moves).map_err(about)?;
        } else {
            let options = Options {
                algorithm: self.algorithm,
                heuristic: self.heuristic.clone(),
                limits: Limits { gauge, ..left() },
                cache: self.cache.folder(),
                observer: Some(display.observer()),
                ..Options::default()
            };
            let solution = puzzle.solve(&options).map_err(|error| about(error.into()))?;
            drop((options, display));
            ended = status(&solution);
            if ended == Status::Interrupted {
                return Err(Failure::at_limit(name, Limit::Interrupt));
            }
            answer = Answer {
                moves: solution.moves(),
                cost: solution.cost(),
                is_optimal: solution.is_optimal(),
                is_unsolvable: solution.outcome() == Outcome::Unsolvable,
            };
            if ended != Status::Good {
                complain(&format!("{name}: {}; the page has no solution", outcome(&solution)));
            }
            found = Some(solution);
        }
        let line = super::Line { moves: Vec::new(), heuristic, solution: found };
        let mut facts = facts(&puzzle, &line, None);
        // The page has the description above the board.
        facts.retain(|(name, _)| name != "description");
        let level = level.answered(answer, &facts).map_err(|error| about(Failure::refused(error.to_string(), "")))?;
        if !(self.stars && is_one_of_several) {
            return Ok((level, ended));
        }
        let rating = puzzle.rate(&RatingOptions { limits: left(), ..RatingOptions::default() });
        if rating.limit == Some(Limit::Interrupt) {
            return Err(Failure::at_limit(name, Limit::Interrupt));
        }
        let difficulty = Difficulty { domain: puzzle.domain().name, score: rating.score };
        Ok((level.of_difficulty(difficulty), ended))
    }
}

/// Reports why one of several puzzles is left out.
fn leave_out(failure: &Failure) {
    failure.print();
    complain("note: this file is left out");
}
