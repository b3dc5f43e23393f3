//! `engine solve`: searches, and prints what was found.

use super::cache::cache_folder;
use super::cluster::ClusterOptions;
use super::limits::{LimitOptions, interrupt};
use super::loading::LoadOptions;
use super::output::Output;
use super::progress::Display;
use super::{Status, complain, report, stopped};
use crate::diagnostic::unknown_name;
use crate::puzzle::{Notation, Options, Outcome, Puzzle, Solution};
use crate::search::{Algorithm, Gauge, Limit, Limits, Record, Stats, Weight};
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
    /// Count the shortest solutions: all sequences of moves that cost as little as the one that is told
    #[arg(long)]
    count: bool,
    /// Tell the first N of all shortest solutions, in the order of the legal moves, and count them all
    #[arg(long, value_name = "N")]
    all: Option<NonZero<usize>>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Neither read nor write the tables that are kept from one run to the next
    #[arg(long)]
    no_cache: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// How moves are written: the domain's own way, or another that `engine domains NAME` lists
    #[arg(long, value_name = "NAME", default_value = Notation::STANDARD.name())]
    notation: String,
    /// Write to a file instead of standard output: whole, or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print what each search took to standard error
    #[arg(long)]
    stats: bool,
    /// Write what others need to check the answer into this file, too: of one puzzle; `engine verify --certificate` checks it
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
}

/// Why there is neither a solution nor a proof.
struct Unsolved {
    /// The error in short.
    error: String,
    /// The limit that ended reading, where nothing is wrong.
    limit: Option<Limit>,
}

impl Solve {
    pub fn run(&self, quiet: bool) -> io::Result<Status> {
        let interrupt = interrupt();
        if self.certificate.is_some() && self.files.len() > 1 {
            complain("error: a certificate is of one puzzle\n  help: solve the files one by one");
            return Ok(Status::Bad);
        }
        if let Some(message) = self.cannot_share() {
            complain(message);
            return Ok(Status::Bad);
        }
        let mut output = Output::open(self.output.as_deref(), &self.files)?;
        let certificate = self.certificate.as_deref().map(|path| Output::open(Some(path), &self.files)).transpose()?;
        let record: Option<Arc<Record>> = certificate.as_ref().map(|_| Arc::default());
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
                Err(Unsolved { limit, .. }) => stopped(*limit),
            });
            if let (Ok((puzzle, solution)), Some(record)) = (&solved, &record) {
                let file = file.display().to_string();
                text = Some(Certificate::new(&file, puzzle, solution, &record.read())?.text());
            }
            self.write(&mut output, number > 0, &mut before, &file.display().to_string(), &solved, quiet)?;
            output.flush()?;
        }
        output.finish()?;
        // It follows the answer: who solves nothing has nothing to certify.
        if let (Some(mut out), Some(text)) = (certificate, text) {
            out.write_all(text.as_bytes())?;
            out.flush()?;
            out.finish()?;
        }
        Ok(worst)
    }

    /// What cannot be done together with others, or in a folder, if that is asked for.
    fn cannot_share(&self) -> Option<&'static str> {
        let is_shared = self.cluster.shares_out();
        if !is_shared && self.cluster.disk().is_some() {
            Some(
                "error: `--disk` goes with `--hosts` or `--workers` here\n  help: `--workers 1 --algorithm bfs` keeps layers on disk",
            )
        } else if is_shared && self.files.len() > 1 {
            Some("error: processes search one puzzle together\n  help: solve the files one by one")
        } else if is_shared && (self.certificate.is_some() || self.count || self.all.is_some()) {
            Some(
                "error: neither certificates nor all shortest solutions are shared out\n  help: leave `--hosts` and `--workers` out",
            )
        } else {
            None
        }
    }

    /// Writes what is to be written of one file; `before` is whether the moves written last have one move a line, none
    /// where no moves were written.
    fn write(
        &self,
        out: &mut Output,
        follows_another: bool,
        before: &mut Option<bool>,
        file: &str,
        solved: &Result<(Puzzle, Solution), Unsolved>,
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
                let notation = puzzle.domain().notation(&self.notation).unwrap_or_default();
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
            Err(Unsolved { error, limit }) if self.format == Format::Json => {
                transcript::write_json_error(out, file, error, *limit)
            }
            Err(_) => Ok(()),
        }
    }

    /// What may be spent on a file, from reading it on.
    fn limits(&self, gauge: Option<Arc<Gauge>>, interrupt: &Arc<AtomicBool>) -> Limits {
        Limits { gauge, closed: self.closed_limit, ..self.limits.limits(interrupt) }
    }

    /// Solves one file, or says on standard error why not; the error in short is returned too.
    fn solve(
        &self,
        file: &Path,
        interrupt: &Arc<AtomicBool>,
        record: Option<&Arc<Record>>,
        quiet: bool,
    ) -> Result<(Puzzle, Solution), Unsolved> {
        let started = Instant::now();
        let display = Display::new(quiet);
        let one_of_many = if self.files.len() > 1 { format!("{}: ", file.display()) } else { String::new() };
        let gauge = display.begin(&one_of_many);
        let limits = Limits { record: record.cloned(), ..self.limits(gauge, interrupt) };
        let puzzle = self.loading.load_within(file, &self.cluster.on_reading(&limits)).map_err(|error| {
            report(&error);
            let error_in_short =
                error.diagnostics().iter().map(|one| one.message.as_str()).collect::<Vec<_>>().join("; ");
            Unsolved { error: error_in_short, limit: error.limit() }
        })?;
        let refuse = |error: String, help: &str| {
            complain(&format!("error: {}: {error}\n  help: {help}", file.display()));
            Unsolved { error, limit: None }
        };
        let domain = puzzle.domain();
        if domain.notation(&self.notation).is_none() {
            let message = format!("the domain `{}` has no notation `{}`", domain.name, self.notation);
            let valid = domain.notations.iter().map(|notation| notation.name());
            return Err(refuse(message, &unknown_name(&self.notation, valid)));
        }
        let cluster = self.cluster.cluster(&puzzle, &self.limits).map_err(|refused| {
            refused.tell();
            Unsolved { error: "it cannot be searched together".to_owned(), limit: None }
        })?;
        let options = Options {
            cluster,
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            automaton: self.automaton,
            all_shortest: self.all.map(NonZero::get).or(self.count.then_some(0)),
            after: Vec::new(),
            limits: limits.less(&Stats::default(), started.elapsed()),
            cache: (!self.no_cache).then(cache_folder).flatten(),
            observer: Some(display.observer()),
        };
        let solved = puzzle.solve(&options);
        drop(display);
        match solved {
            Ok(solution) => Ok((puzzle, solution)),
            Err(error) => Err(refuse(error.to_string(), error.help())),
        }
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
        (Outcome::Limit, Some(Limit::Interrupt)) => Status::Interrupted,
        (Outcome::Limit, _) => Status::Stopped,
    }
}

/// What a search took, for people.
fn stats(file: &str, solution: &Solution) -> String {
    let stats = solution.stats();
    let seconds = solution.time().as_secs_f64();
    let rate = stats.expanded as f64 / seconds / 1e6;
    let guidance = solution.guidance().map_or(String::new(), |told| format!("\n{file}: {told}"));
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
