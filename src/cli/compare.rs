//! `engine compare`: several searches of one puzzle, side by side.

use super::failure::{Ended, Failure};
use super::limits::{LimitOptions, interrupt};
use super::loading::PuzzleFile;
use super::output::{Output, OutputOption};
use super::progress::Display;
use super::solve::{algorithms, weight};
use super::{Status, colours, complain};
use crate::domain::clear_tables;
use crate::puzzle::{Options, Outcome, Puzzle, Solution, SolveError, Suiting};
use crate::search::{Algorithm, Limits, Stats, Weight};
use crate::transcript::compare::{Compared, Look, write_csv, write_json, write_svg, write_text};
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::io;
use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use terminal_size::{Width, terminal_size_of};

/// The default limits of a search.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;

/// Search one puzzle in several ways, side by side: states, time, memory
#[derive(Args)]
#[command(
    after_help = "Every search has limits of its own: 10s and 2GiB, unless --time-limit and --memory-limit say otherwise. They \
                  are made one after the other, each from nothing: its time has in it reading the puzzle and all that \
                  was built for it, and no table is kept. Reading the puzzle at first has these limits, too.\n\n\
                  Of time and memory the table marks the least among searches that proved their answer.\n\n\
                  Exit status: 0 when all searches ended, with an answer or at a limit, 2 wrong usage or a bad file, \
                  3 stopped by a limit before the first search, 130 interrupted; then the searches made so far are reported."
)]
pub(super) struct Compare {
    #[command(flatten)]
    puzzle: PuzzleFile,
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
    /// Repeat each search that ends with an answer this many times, and report the median time
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZero<usize>,
    /// In tables and charts, only what is the same on every machine: neither times nor memory
    #[arg(long)]
    counts: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    output: OutputOption,
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
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let interrupt = interrupt();
        let mut limits = self.limits.limits_or(TIME, &interrupt);
        limits.memory.get_or_insert(MEMORY);
        let mut output = self.output.open(self.puzzle.as_input())?;
        let file = self.puzzle.name();
        let text = self.puzzle.text()?;
        let puzzle = self.puzzle.parse(&text, &limits)?;
        let suiting = match puzzle.suiting(&limits.less(&Stats::default(), started.elapsed())) {
            Ok(suiting) => suiting,
            Err(limit) => {
                complain(&format!("error: {file}: stopped at the {} limit before the first search", limit.name()));
                return Ok(Status::of_limit(limit));
            }
        };
        let refused = |error: SolveError| Failure::from(error).about(self.puzzle.path());
        let contenders = self.contenders(&suiting).map_err(refused)?;
        drop(suiting);
        let display = Display::new(quiet);
        let mut compared = Vec::new();
        for (number, contender) in (1..).zip(&contenders) {
            let title = format!("{number} of {}: ", contenders.len());
            match self.compete(&puzzle, &text, contender, &display, &title, &limits) {
                Ok((solution, times)) => compared.push(Compared::new(&file, &puzzle, &solution, times)),
                // What the puzzle refuses may not have been found out within the limits before.
                Err(_) if self.heuristic.is_empty() => {}
                Err(error) => return Err(refused(error)),
            }
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(display);
        self.write(&mut output, &puzzle, &compared, &limits)?;
        output.finish()?;
        Ok(if interrupt.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Good })
    }

    /// The searches to make, in the order of the report.
    fn contenders(&self, suiting: &Suiting) -> Result<Vec<Contender>, SolveError> {
        let mut algorithms: Vec<Algorithm> = Vec::new();
        if self.algorithm.is_empty() {
            let all = Algorithm::ALL.iter().map(|facts| facts.algorithm);
            algorithms.extend(all.filter(|&algorithm| suiting.algorithm(algorithm).is_ok()));
        }
        for &algorithm in &self.algorithm {
            suiting.algorithm(algorithm)?;
            if !algorithms.contains(&algorithm) {
                algorithms.push(algorithm);
            }
        }
        let mut heuristics: Vec<&str> = Vec::new();
        if self.heuristic.is_empty() {
            heuristics.extend(suiting.heuristics().filter(|facts| facts.admissible).map(|facts| facts.name));
        }
        for name in &self.heuristic {
            let name = suiting.heuristic(name)?.name;
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

    /// Makes one search, from nothing, as often as it is to be; returns what it found and the times. The limits are for all
    /// of it, from reading the text on.
    fn compete(
        &self,
        puzzle: &Puzzle,
        text: &str,
        contender: &Contender,
        display: &Display,
        title: &str,
        limits: &Limits,
    ) -> Result<(Solution, Vec<Duration>), SolveError> {
        let mut times = Vec::new();
        loop {
            // What was built for another search does not count for this one.
            clear_tables();
            let started = Instant::now();
            let anew = self.puzzle.parse(text, limits);
            // The text is good. Where a limit ended reading it, the search ends at once, whatever it is of.
            let solution = anew.as_ref().unwrap_or(puzzle).solve(&Options {
                algorithm: Some(contender.algorithm),
                heuristic: Some(contender.heuristic.clone()),
                weight: self.weight,
                limits: Limits { gauge: display.begin(title), ..limits.less(&Stats::default(), started.elapsed()) },
                observer: Some(display.observer()),
                ..Options::default()
            })?;
            times.push(started.elapsed());
            if times.len() >= self.repeat.get() || solution.outcome() == Outcome::Limit {
                return Ok((solution, times));
            }
        }
    }

    fn write(&self, out: &mut Output, puzzle: &Puzzle, compared: &[Compared], limits: &Limits) -> io::Result<()> {
        let time = limits.time.map_or("any time".to_owned(), |time| humantime::format_duration(time).to_string());
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
