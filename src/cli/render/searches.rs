//! `engine render --search`: searches step by step, as a page, pictures or frames.

use super::{Render, facts};
use crate::cli::failure::{Ended, Failure};
use crate::cli::limits::interrupt;
use crate::cli::output::write_new;
use crate::cli::progress::Display;
use crate::cli::solve::status;
use crate::cli::{Status, wall};
use crate::puzzle::{Options, Puzzle};
use crate::render::{GIF, HTML, PNG, PictureFormat, SearchRecord, Slides, recorded, search_page};
use crate::search::{Algorithm, Limit, Limits, Stats, Stop};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The greatest number of pictures in a folder of frames.
const MOST_FRAMES: usize = 1_000;

impl Render {
    /// Returns the bytes of the page or the picture, and the exit status.
    pub(super) fn searches(
        &self,
        puzzle: &Puzzle,
        format: &PictureFormat,
        limits: &Limits,
        stop: &Stop,
        quiet: bool,
    ) -> Result<(Vec<u8>, Status), Failure> {
        if !self.at.is_empty() && (format.name == HTML.name || format.name == GIF.name) {
            let help = "draw an SVG or a PNG, or leave out `--at`";
            return Err(Failure::refused(
                format!("`--at` is for pictures, and {} shows all", format.name.to_uppercase()),
                help,
            ));
        }
        let (searches, status) = self.recorded(puzzle, limits, quiet)?;
        let start = puzzle.space("zero")?.picture();
        let mut style = self.style(puzzle, "zero", Vec::new());
        let line = super::Line { moves: Vec::new(), heuristic: "zero", solution: None };
        style.facts = facts(puzzle, &line, None);
        let slides = Slides::new(start.as_ref(), &searches, &style);
        let at = self.moments(&slides)?;
        let bytes = match format.name {
            name if name == HTML.name => search_page(start.as_ref(), &searches, &style).map(String::into_bytes),
            name if name == PNG.name => slides.png(&at),
            name if name == GIF.name => slides.gif(&|_, _| {}, stop),
            _ => Ok(slides.svg(&at).into_bytes()),
        };
        let bytes = bytes.map_err(|error| match error.limit() {
            Some(limit) => Failure::at_limit(&self.puzzle.name(), limit),
            None => Failure::refused(error.to_string(), ""),
        })?;
        Ok((bytes, status))
    }

    /// Returns the numbers of expansions to draw: those of `--at`, otherwise the end.
    fn moments(&self, slides: &Slides) -> Result<Vec<usize>, Failure> {
        let last = slides.last();
        if let Some(beyond) = self.at.iter().find(|at| **at > last) {
            let help = format!("expected numbers from 0 to {last}, the most expansions of a search");
            return Err(Failure::refused(format!("invalid value `{beyond}` for `--at`"), help));
        }
        Ok(if self.at.is_empty() { vec![last] } else { self.at.clone() })
    }

    /// Runs the searches, one after the other, and records them.
    fn recorded(&self, puzzle: &Puzzle, limits: &Limits, quiet: bool) -> Result<(Vec<SearchRecord>, Status), Failure> {
        let started = Instant::now();
        let display = Display::new(quiet);
        let (mut records, mut worst) = (Vec::new(), Status::Good);
        for (algorithm, heuristic) in self.contenders(puzzle)? {
            let title = format!("{}: ", algorithm.name());
            let limits = limits.remaining(&Stats::default(), started.elapsed());
            let options = Options {
                algorithm: Some(algorithm),
                heuristic,
                limits: Limits { gauge: display.begin(&title), ..limits },
                cache: self.cache.folder(),
                observer: Some(display.observer()),
                ..Options::default()
            };
            let (mut found, solution) = recorded(puzzle, &options, self.trace_limit)?;
            records.append(&mut found);
            let ended = status(&solution);
            if ended == Status::Interrupted {
                return Err(Failure::at_limit(&self.puzzle.name(), Limit::Interrupt));
            }
            if worst == Status::Good {
                worst = ended;
            }
        }
        Ok((records, worst))
    }

    /// Returns the searches: each algorithm, and if it uses a heuristic, once with each of the given ones.
    fn contenders(&self, puzzle: &Puzzle) -> Result<Vec<(Algorithm, Option<String>)>, Failure> {
        let mut heuristics: Vec<Option<String>> = Vec::new();
        for name in self.heuristic.iter().flat_map(|names| names.split(',')) {
            heuristics.push(Some(puzzle.guide(Some(name))?.to_owned()));
        }
        let mut contenders = Vec::new();
        for &algorithm in &self.search {
            match heuristics.is_empty() || !algorithm.facts().informed {
                true => contenders.push((algorithm, None)),
                false => contenders.extend(heuristics.iter().map(|name| (algorithm, name.clone()))),
            }
        }
        Ok(contenders)
    }

    /// Draws each expansion, or some at regular intervals, into a new folder.
    pub(super) fn frames(&self, folder: &Path, quiet: bool) -> Ended {
        if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
            let message = format!("{}: the folder is not empty", folder.display());
            return Err(Failure::refused(message, "name a folder that does not exist yet"));
        }
        let (name, interrupt) = (self.puzzle.name(), interrupt());
        let limits = self.limits.limits(&interrupt);
        let reading = Limits { interrupt: limits.interrupt.clone(), ..self.limits.reading() };
        let puzzle = wall::behind("reading", &name, &self.limits.reading(), || self.puzzle.load(&reading))?;
        let stop = limits.stop();
        let drawn =
            wall::behind("drawing", &name, &limits, || self.draw_frames(&puzzle, folder, &limits, &stop, quiet));
        drawn.map_err(|failure| failure.about(&self.puzzle.path()))
    }

    fn draw_frames(
        &self,
        puzzle: &Puzzle,
        folder: &Path,
        limits: &Limits,
        stop: &Stop,
        quiet: bool,
    ) -> Result<Status, Failure> {
        let (searches, status) = self.recorded(puzzle, limits, quiet)?;
        let start = puzzle.space("zero")?.picture();
        let slides = Slides::new(start.as_ref(), &searches, &self.style(puzzle, "zero", Vec::new()));
        let last = slides.last();
        let every = (last + 1).div_ceil(MOST_FRAMES).max(1);
        let mut steps: Vec<usize> = (0..last).step_by(every).collect();
        steps.push(last);
        let digits = last.to_string().len();
        for step in steps {
            if let Some(limit) = stop.now() {
                return Err(Failure::at_limit(&self.puzzle.name(), limit));
            }
            let png = slides.png(&[step]).map_err(|error| Failure::refused(error.to_string(), ""))?;
            write_new(&folder.join(format!("{step:0digits$}.png")), &png)?;
        }
        Ok(status)
    }
}
