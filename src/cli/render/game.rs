//! `engine render --play`: a page to play one puzzle, or all in a folder or a collection.

use super::{Render, facts, status};
use crate::cli::failure::Failure;
use crate::cli::limits::interrupt;
use crate::cli::moves::given;
use crate::cli::progress::Display;
use crate::cli::{Status, complain};
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::{Options, Outcome, Puzzle};
use crate::render::{Answer, Format, Level, Look, RenderError, play_page};
use crate::search::{Limit, Limits};
use crate::transcript::outcome;
use std::path::Path;

/// The greatest number of states that the search for the solution of one of several puzzles expands by default.
const MOST_NODES: u64 = 2_000_000;

impl Render {
    /// Returns the page, and the exit status: that of the search, if there is one puzzle.
    pub(super) fn game(&self, format: Format, quiet: bool) -> Result<(Vec<u8>, Status), Failure> {
        if format != Format::Html {
            let help = "name an output that ends in .html";
            return Err(Failure::refused("`--play` makes a page in HTML", help));
        }
        let path = self.puzzle.path();
        let limits = self.limits.limits(&interrupt());
        let loading = self.puzzle.loading(&limits);
        let sources = self.puzzle.sources()?;
        let mut limits = limits;
        if sources.len() > 1 {
            limits.nodes.get_or_insert(MOST_NODES);
        }
        let (mut levels, mut last) = (Vec::new(), Status::Good);
        for source in &sources {
            let puzzle = loading.load_source(source)?;
            let level = self.level(&puzzle, source.name(), limits.clone(), quiet);
            let (level, status) = level.map_err(|failure| failure.about(Path::new(source.name())))?;
            match level {
                Ok(level) => levels.push(level),
                Err(error) if sources.len() > 1 => complain(&format!("{}: {error}; it is left out", source.name())),
                Err(error) => {
                    let help = "play it with `engine play`, or draw its solution without `--play`";
                    return Err(Failure::refused(error.to_string(), help).about(&path));
                }
            }
            last = status;
        }
        if levels.is_empty() {
            let help = "play them with `engine play`";
            return Err(Failure::refused("none of these puzzles fits a page", help).about(&path));
        }
        let title = path.canonicalize().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        let page = play_page(
            levels,
            &title.unwrap_or_default(),
            &Look { theme: self.theme, cell: self.cell, ..Look::default() },
        );
        Ok((page.into_bytes(), if sources.len() > 1 { Status::Good } else { last }))
    }

    /// Solves a puzzle and describes it for the page.
    fn level(
        &self,
        puzzle: &Puzzle,
        name: &str,
        limits: Limits,
        quiet: bool,
    ) -> Result<(Result<Level, RenderError>, Status), Failure> {
        let heuristic = puzzle.guide(self.heuristic.as_deref())?;
        let (mut answer, mut ended) = (Answer::default(), Status::Good);
        let mut found = None;
        if let Some(moves) = &self.replay {
            answer.moves = given(puzzle, name, moves)?;
        } else {
            let display = Display::new(quiet);
            let options = Options {
                algorithm: self.algorithm,
                heuristic: self.heuristic.clone(),
                limits: Limits { gauge: display.begin(name), ..limits },
                cache: self.cache.folder(),
                observer: Some(display.observer()),
                ..Options::default()
            };
            let solution = puzzle.solve(&options)?;
            drop(display);
            ended = status(&solution);
            if ended == Status::Interrupted {
                return Err(Report::new(name, "", vec![Diagnostic::at_limit(Limit::Interrupt)]).into());
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
        let start = puzzle.space("zero")?;
        let line = super::Line { moves: Vec::new(), heuristic, solution: found };
        let mut facts = facts(puzzle, &line, None);
        // The page has the description above the board.
        facts.retain(|(name, _)| name != "description");
        let look = self.look(puzzle, heuristic, facts);
        let note = puzzle.about().description.as_deref().map_or("", str::trim);
        Ok((Level::new(&*start, answer, puzzle.has_spaced_moves(), note, &look), ended))
    }
}
