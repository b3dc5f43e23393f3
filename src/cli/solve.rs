//! `engine solve`: searches, and prints what was found.

use super::cache::CacheOption;
use super::cluster::ClusterOptions;
use super::failure::{Ended, Failure};
use super::limits::{LimitOptions, interrupt};
use super::loading::LoadOptions;
use super::notation::NotationOption;
use super::output::{Output, OutputOption};
use super::progress::Display;
use super::{Status, complain, report};
use crate::puzzle::{Options, Outcome, Puzzle, Solution};
use crate::search::{Algorithm, Gauge, Limits, ProofLog, Stats, Weight};
use crate::transcript::{self, Format};
use crate::verify::Certificate;
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Solve puzzles and print their transcripts
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 solved, 1 proven unsolvable, 2 wrong usage or a bad file, 3 stopped by a limit, \
                        130 interrupted; with several files the highest of theirs."
)]
pub(super) struct Solve {
    /// Puzzle files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
    /// How to search [default: what the file says, or else one that proves the shortest solution]
    #[arg(long, value_parser = algorithms(), ignore_case = true)]
    algorithm: Option<Algorithm>,
    /// What guides A* [default: what the file says, or else the domain's; `engine domains NAME` lists them]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    /// How much more weighted A* looks at h than at g, 1 to 1000 [default: what the file says, or else 2]
    #[arg(long, value_name = "W", value_parser = weight)]
    weight: Option<Weight>,
    /// Whether searches in depth leave out duplicate sequences of moves (Taylor and Korf 1993), where the domain knows
    /// them [default: what the file says, or else only with heuristics that the engine chooses itself]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    automaton: Option<bool>,
    /// Remember at most N states and search again what was forgotten: for dfs, iddfs and ida-star
    #[arg(long, value_name = "N")]
    closed_limit: Option<NonZero<usize>>,
    /// Count the shortest solutions: all sequences of moves of the least cost
    #[arg(long)]
    count: bool,
    /// Print the first N of all shortest solutions, in the order of the legal moves, and count them all
    #[arg(long, value_name = "N")]
    all: Option<NonZero<usize>>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    cache: CacheOption,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    notation: NotationOption,
    #[command(flatten)]
    output: OutputOption,
    /// Print what each search took to standard error
    #[arg(long)]
    stats: bool,
    /// Write what others need to check the answer into this file, too: of one puzzle; `engine verify --certificate` checks it
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
}

impl Solve {
    pub fn run(&self, quiet: bool) -> Ended {
        let interrupt = interrupt();
        self.check_options()?;
        let mut output = self.output.open(&self.files)?;
        let certificate = self.certificate.as_deref().map(|path| Output::open(Some(path), &self.files)).transpose()?;
        let record: Option<Arc<ProofLog>> = certificate.as_ref().map(|_| Arc::default());
        let mut worst = Status::Good;
        let mut text = None;
        let mut before = None;
        for (number, file) in self.files.iter().enumerate() {
            if interrupt.load(Ordering::Relaxed) {
                worst = Status::Interrupted;
                break;
            }
            let solved = self.solve(file, &interrupt, record.as_ref(), quiet);
            worst = worst.max(match &solved {
                Ok((_, solution)) => status(solution),
                Err(failure) => failure.print(),
            });
            if let (Ok((puzzle, solution)), Some(record)) = (&solved, &record) {
                let file = file.display().to_string();
                text = Some(Certificate::new(&file, puzzle, solution, &record.read())?.text());
            }
            self.write(&mut output, number > 0, &mut before, &file.display().to_string(), &solved, quiet)?;
            output.flush()?;
        }
        output.finish()?;
        // After the answer: without one there is nothing to certify.
        if let (Some(mut out), Some(text)) = (certificate, text) {
            out.write_all(text.as_bytes())?;
            out.finish()?;
        }
        Ok(worst)
    }

    /// Checks options that exclude each other.
    fn check_options(&self) -> Result<(), Failure> {
        let one_by_one = "solve the files one by one";
        let is_shared = self.cluster.shares_out();
        let (message, help) = if self.certificate.is_some() && self.files.len() > 1 {
            ("a certificate is of one puzzle", one_by_one)
        } else if !is_shared && self.cluster.disk().is_some() {
            ("`--disk` goes with `--hosts` or `--workers` here", "`--workers 1 --algorithm bfs` keeps layers on disk")
        } else if is_shared && self.files.len() > 1 {
            ("processes search one puzzle together", one_by_one)
        } else if is_shared && (self.certificate.is_some() || self.count || self.all.is_some()) {
            let message = "neither certificates nor all shortest solutions are shared out";
            (message, "leave `--hosts` and `--workers` out")
        } else {
            return Ok(());
        };
        Err(Failure::refused(message, help))
    }

    /// Writes the result for one file; `before` is whether the moves written last have one move a line, none where no
    /// moves were written.
    fn write(
        &self,
        out: &mut Output,
        follows_another: bool,
        before: &mut Option<bool>,
        file: &str,
        solved: &Result<(Puzzle, Solution), Failure>,
        quiet: bool,
    ) -> io::Result<()> {
        match solved {
            Ok((puzzle, solution)) => {
                if self.stats {
                    complain(&stats(file, solution));
                }
                if let Some(note) = solution.note() {
                    complain(&format!("note: {note}"));
                }
                // No solution, or one of no moves, may come from a mistake in the file.
                let surprises = solution.outcome() == Outcome::Unsolvable || solution.cost() == Some(0.0);
                if surprises && !quiet && !puzzle.warnings().diagnostics().is_empty() {
                    report(puzzle.warnings());
                }
                for line in transcript::beside(self.format, solution) {
                    complain(&format!("{file}: {line}"));
                }
                let notation = self.notation.of(puzzle).unwrap_or_default();
                let is_apart = match self.format {
                    Format::Text | Format::Boards => follows_another,
                    Format::Moves if self.files.len() > 1 && solution.route().is_some() => {
                        let in_lines = transcript::is_in_lines(puzzle, solution, notation);
                        before.replace(in_lines).is_some_and(|before| before || in_lines)
                    }
                    _ => false,
                };
                if is_apart {
                    writeln!(out)?;
                }
                transcript::write(out, self.format, file, puzzle, solution, notation)
            }
            Err(failure) if self.format == Format::Json => {
                transcript::write_json_error(out, file, &failure.messages(), failure.limit())
            }
            Err(_) => Ok(()),
        }
    }

    /// The limits for a file, from reading it on.
    fn limits(&self, gauge: Option<Arc<Gauge>>, interrupt: &Arc<AtomicBool>) -> Limits {
        Limits { gauge, closed: self.closed_limit, ..self.limits.limits(interrupt) }
    }

    /// Solves one file.
    fn solve(
        &self,
        file: &Path,
        interrupt: &Arc<AtomicBool>,
        record: Option<&Arc<ProofLog>>,
        quiet: bool,
    ) -> Result<(Puzzle, Solution), Failure> {
        let started = Instant::now();
        let display = Display::new(quiet);
        let one_of_many = if self.files.len() > 1 { format!("{}: ", file.display()) } else { String::new() };
        let gauge = display.begin(&one_of_many);
        let limits = Limits { proof_log: record.cloned(), ..self.limits(gauge, interrupt) };
        let puzzle = self.loading.load_within(file, &self.cluster.on_reading(&limits))?;
        self.notation.of(&puzzle).map_err(|failure| failure.about(file))?;
        let cluster = self.cluster.cluster(&puzzle, &self.limits)?;
        let options = Options {
            cluster,
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            automaton: self.automaton,
            all_shortest: self.all.map(NonZero::get).or(self.count.then_some(0)),
            after: Vec::new(),
            limits: limits.remaining(&Stats::default(), started.elapsed()),
            cache: self.cache.folder(),
            observer: Some(display.observer()),
        };
        let solution = puzzle.solve(&options).map_err(|error| Failure::from(error).about(file))?;
        Ok((puzzle, solution))
    }
}

pub(super) fn weight(text: &str) -> Result<Weight, String> {
    let weight = text.parse().ok().and_then(Weight::new);
    weight.ok_or_else(|| "a weight is a number from 1 to 1000".to_owned())
}

pub(super) fn status(solution: &Solution) -> Status {
    match (solution.outcome(), solution.limit()) {
        (Outcome::Solved, _) => Status::Good,
        (Outcome::Unsolvable, _) => Status::No,
        (Outcome::Limit, limit) => limit.map_or(Status::Stopped, Status::of_limit),
    }
}

/// The effort of a search, for people.
fn stats(file: &str, solution: &Solution) -> String {
    let stats = solution.stats();
    let seconds = solution.time().as_secs_f64();
    let rate = stats.expanded as f64 / seconds / 1e6;
    let guidance = solution.guidance().map_or(String::new(), |guidance| format!("\n{file}: {guidance}"));
    format!(
        "{file}: {} expanded, {} generated, {} stored, depth {}, {} in tables, {:.3} ms, {rate:.2} M expanded/s{guidance}",
        stats.expanded,
        stats.generated,
        stats.stored,
        transcript::Number(stats.depth),
        ByteSize(stats.memory),
        seconds * 1e3,
    )
}

pub(super) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let value =
        |facts: &crate::search::AlgorithmFacts| PossibleValue::new(facts.name).aliases(facts.aliases.iter().copied());
    PossibleValuesParser::new(Algorithm::ALL.iter().map(value))
        .map(|name| Algorithm::named(&name).expect("only known names are possible"))
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &[Format::Text, Format::Moves, Format::Boards, Format::Json]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Format::Text => {
                PossibleValue::new("text").help("the transcript: every position, with the move that led to it")
            }
            Format::Moves => PossibleValue::new("moves")
                .help("the moves alone on one line, or one move a line where names have spaces"),
            Format::Boards => PossibleValue::new("boards").help("every position in the domain's plain format"),
            Format::Json => PossibleValue::new("json").help("one object a puzzle, one line each"),
        })
    }
}
