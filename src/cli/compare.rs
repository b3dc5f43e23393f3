//! `engine compare`: several searches of one puzzle, side by side.

use super::limits::{LimitOptions, interrupt};
use super::loading::LoadOptions;
use super::output::Output;
use super::progress::Display;
use super::solve::{algorithms, weight};
use super::{Status, colours, complain, report};
use crate::diagnostic::Report;
use crate::domain::forget_tables;
use crate::puzzle::{Options, Outcome, Puzzle, Solution, SolveError, read_text};
use crate::search::{Algorithm, Limits, Weight};
use crate::transcript::compare::{Compared, Look, write_csv, write_json, write_svg, write_text};
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use terminal_size::{Width, terminal_size_of};

/// What a search may take where nothing is said.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;

/// Search one puzzle in several ways, side by side: states, time, memory
#[derive(Args)]
#[command(
    after_help = "Every search has limits of its own: 10s and 2GiB, unless --time-limit and --memory-limit say otherwise. They \
                  are made one after the other, each from nothing: its time has in it all that was built for it, and no \
                  table is kept. Of time and memory the table marks the least among searches that proved their answer.\n\n\
                  Exit status: 0 when all searches ended, with an answer or at a limit, 2 wrong usage or a bad file, \
                  130 interrupted; then the searches that were made are told."
)]
pub(super) struct Compare {
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
    /// The algorithms, separated by commas [default: all that can search this puzzle]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = algorithms(), ignore_case = true)]
    algorithm: Vec<Algorithm>,
    /// The heuristics, for each algorithm that reads one [default: all that never overestimate here]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    heuristic: Vec<String>,
    /// How much more weighted A* looks at h than at g, 1 to 1000 [default: what the file says, or else 2]
    #[arg(long, value_name = "W", value_parser = weight)]
    weight: Option<Weight>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Make each search that ends with an answer so many times, and tell the median of the times
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZero<usize>,
    /// In tables and charts, only what is the same on every machine: neither times nor memory
    #[arg(long)]
    counts: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to a file instead of standard output: whole, or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, ValueEnum)]
enum Format {
    /// A table for people
    #[default]
    Text,
    /// One object a search, one line each
    Json,
    /// One line a search, below the names of the columns
    Csv,
    /// A chart of states and times
    Svg,
}

/// A search that is to be made.
struct Contender {
    algorithm: Algorithm,
    /// `zero` where the algorithm reads none: then nothing is built.
    heuristic: String,
}

impl Compare {
    pub fn run(&self, quiet: bool) -> io::Result<Status> {
        let interrupt = interrupt();
        let mut output = Output::open(self.output.as_deref(), std::slice::from_ref(&self.file))?;
        let file = self.file.display().to_string();
        let read = read_text(&self.file, "a puzzle file").map_err(|message| Report::unreadable(&file, message));
        let opened = read.and_then(|text| self.loading.parse(&text, &file).map(|puzzle| (text, puzzle)));
        let (text, puzzle) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                report(&error);
                return Ok(Status::Bad);
            }
        };
        let refused = |error: &SolveError| complain(&format!("error: {file}: {error}\n  help: {}", error.help()));
        let contenders = match self.contenders(&puzzle) {
            Ok(contenders) => contenders,
            Err(error) => {
                refused(&error);
                return Ok(Status::Bad);
            }
        };
        let mut limits = self.limits.limits(&interrupt);
        limits.time.get_or_insert(TIME);
        limits.memory.get_or_insert(MEMORY);
        let display = Display::new(quiet);
        let mut compared = Vec::new();
        for (number, contender) in (1..).zip(&contenders) {
            let title = format!("{number} of {}: ", contenders.len());
            match self.compete(&text, contender, &display, &title, &limits) {
                Ok((solution, times)) => compared.push(Compared::new(&file, &puzzle, &solution, times)),
                Err(error) => {
                    drop(display);
                    refused(&error);
                    return Ok(Status::Bad);
                }
            }
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(display);
        self.write(&mut output, &puzzle, &compared, &limits)?;
        output.flush()?;
        output.finish()?;
        Ok(if interrupt.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Good })
    }

    /// The searches that are to be made, in the order in which they are told.
    fn contenders(&self, puzzle: &Puzzle) -> Result<Vec<Contender>, SolveError> {
        let mut algorithms: Vec<Algorithm> = Vec::new();
        if self.algorithm.is_empty() {
            let all = Algorithm::ALL.iter().map(|facts| facts.algorithm);
            algorithms.extend(all.filter(|&algorithm| puzzle.suits(algorithm).is_ok()));
        }
        for &algorithm in &self.algorithm {
            puzzle.suits(algorithm)?;
            if !algorithms.contains(&algorithm) {
                algorithms.push(algorithm);
            }
        }
        let mut heuristics: Vec<&str> = Vec::new();
        if self.heuristic.is_empty() {
            heuristics.extend(puzzle.heuristics().filter(|facts| facts.admissible).map(|facts| facts.name));
        }
        for name in &self.heuristic {
            let name = puzzle.heuristic(name)?.name;
            if !heuristics.contains(&name) {
                heuristics.push(name);
            }
        }
        let mut contenders = Vec::new();
        for algorithm in algorithms {
            let reads = if algorithm.facts().informed { &heuristics[..] } else { &["zero"] };
            contenders.extend(reads.iter().map(|name| Contender { algorithm, heuristic: (*name).to_owned() }));
        }
        Ok(contenders)
    }

    /// Makes one search, from nothing, as often as it is to be; returns what it found and the times.
    fn compete(
        &self,
        text: &str,
        contender: &Contender,
        display: &Display,
        title: &str,
        limits: &Limits,
    ) -> Result<(Solution, Vec<Duration>), SolveError> {
        let mut times = Vec::new();
        loop {
            // What was built for another search does not count for this one.
            forget_tables();
            let puzzle = self.loading.parse(text, &self.file.display().to_string()).expect("it was good before");
            let solution = puzzle.solve(&Options {
                algorithm: Some(contender.algorithm),
                heuristic: Some(contender.heuristic.clone()),
                weight: self.weight,
                limits: Limits { gauge: display.begin(title), ..limits.clone() },
                observer: Some(display.observer()),
                ..Options::default()
            })?;
            times.push(solution.time());
            if times.len() >= self.repeat.get() || solution.outcome() == Outcome::Limit {
                return Ok((solution, times));
            }
        }
    }

    fn write(&self, out: &mut Output, puzzle: &Puzzle, compared: &[Compared], limits: &Limits) -> io::Result<()> {
        let time = humantime::format_duration(limits.time.unwrap_or(TIME));
        let memory = ByteSize(limits.memory.unwrap_or(MEMORY)).display().iec();
        let mut given = format!("{time} and {memory}");
        if let Some(nodes) = limits.nodes {
            given = format!("{given}, {nodes} expanded states");
        }
        match self.format {
            Format::Text => {
                let terminal = if matches!(out, Output::Standard(_)) { terminal_size_of(io::stdout()) } else { None };
                let width = terminal.map(|(Width(width), _)| width.into());
                let look = Look { width, colour: terminal.is_some() && colours(&io::stdout()), counts: self.counts };
                write_text(out, puzzle, compared, &given, look)
            }
            Format::Json => write_json(out, compared),
            Format::Csv => write_csv(out, compared),
            Format::Svg => write_svg(out, puzzle, compared, &given, self.counts),
        }
    }
}
