//! `engine solve`: searches, and prints the solutions.

use super::cache::CacheOption;
use super::cluster::ClusterOptions;
use super::failure::{Ended, Failure};
use super::groups::{OUTPUT, SEARCH};
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::loading::LoadOptions;
use super::notation::NotationOption;
use super::output::{JsonFlag, Output, OutputOption};
use super::progress::Display;
use super::{Status, colours, complain, report};
use crate::puzzle::{Options, Outcome, Puzzle, Solution};
use crate::search::{Algorithm, Gauge, Limits, ProofLog, Stats, Weight};
use crate::transcript::summary::{self, FileArgument, Terminal};
use crate::transcript::{self, Format};
use crate::verify::Certificate;
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use terminal_size::{Height, Width, terminal_size_of};

/// Solve puzzles and print the solutions
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    after_help = "Exit status: 0 solved, 1 proven unsolvable, 2 wrong usage or an invalid file, 3 stopped by a limit, \
                  130 interrupted. With several files: the highest of theirs."
)]
pub(super) struct Solve {
    /// Solve the puzzles in these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
    /// Search with this algorithm [default: the file's, otherwise one that proves the shortest solution]
    #[arg(long, value_name = "NAME", value_parser = algorithms(), ignore_case = true, help_heading = SEARCH)]
    algorithm: Option<Algorithm>,
    /// Guide the search by this heuristic [default: the file's, otherwise the domain's]
    ///
    /// A heuristic estimates the cost from a state to a goal. `engine domains NAME` lists the heuristics of a domain.
    #[arg(long, value_name = "NAME", help_heading = SEARCH)]
    heuristic: Option<String>,
    /// Multiply the heuristic by W in weighted-a-star, from 1 to 1000 [default: the file's, otherwise 2]
    ///
    /// The search expands states in the order of f = g + W h: g is the cost from the start, h the heuristic. With an
    /// admissible heuristic, the solution costs at most W times the least.
    #[arg(long, value_name = "W", value_parser = weight, help_heading = SEARCH)]
    weight: Option<Weight>,
    /// Skip duplicate sequences of moves in iddfs and ida-star [default: the file's, otherwise automatic]
    ///
    /// A finite automaton recognises sequences that lead to the same state as another (Taylor and Korf 1993), in the
    /// domains that have such an automaton. Automatic means: only with heuristics that the engine chooses itself.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", help_heading = SEARCH)]
    automaton: Option<bool>,
    /// Store at most N visited states in dfs, iddfs and ida-star [default: the file's, otherwise automatic]
    ///
    /// The states are stored in a transposition table. When the search reaches a state that the table has dropped, it
    /// searches it again. Automatic means: dfs stores all states, iddfs and ida-star store none.
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    closed_limit: Option<NonZero<usize>>,
    /// Count all shortest solutions
    #[arg(long, help_heading = SEARCH)]
    count: bool,
    /// Print the first N of all shortest solutions, and count them all
    ///
    /// The order of solutions is that of the legal moves, move by move.
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    all: Option<NonZero<usize>>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print solutions in this format [default: summary at a terminal, text elsewhere]
    #[arg(long, value_enum, help_heading = OUTPUT)]
    format: Option<Format>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    notation: NotationOption,
    #[command(flatten)]
    output: OutputOption,
    /// Print the effort of each search on standard error: states, memory, time
    #[arg(long, help_heading = OUTPUT)]
    stats: bool,
    /// Write a certificate of the answer to this file, for others to check
    ///
    /// The certificate of a shortest solution holds the solution and the evidence for its lower bound. `engine verify
    /// --certificate` checks it. Only for a single puzzle.
    #[arg(long, value_name = "FILE.json", help_heading = OUTPUT)]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    cache: CacheOption,
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
        let mut hints = Hints::default();
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
            // A stream that has been read cannot be named again.
            if let (Ok((puzzle, solution)), Format::Summary, true) = (&solved, self.format(), file.is_file()) {
                hints.replace(self.file_argument(&file.display().to_string()), puzzle, solution, self.terminal());
            }
        }
        output.write_all(hints.text().as_bytes())?;
        output.finish()?;
        // After the answer: without one there is nothing to certify.
        if let (Some(mut out), Some(text)) = (certificate, text) {
            out.write_all(text.as_bytes())?;
            out.finish()?;
        }
        Ok(worst)
    }

    /// Returns the format: by default, a summary for a person at a terminal, and the transcript for everything else.
    fn format(&self) -> Format {
        let is_read_by_a_person = self.output.path().is_none() && io::stdout().is_terminal();
        let default = if is_read_by_a_person { Format::Summary } else { Format::Text };
        self.json.choose(Format::Json, self.format.unwrap_or(default))
    }

    /// Returns the terminal that summaries are made for, if standard output is one.
    fn terminal(&self) -> Terminal {
        if self.output.path().is_some() {
            return Terminal::default();
        }
        let terminal = Terminal { colour: colours(&io::stdout()), ..Terminal::default() };
        match terminal_size_of(io::stdout()) {
            Some((Width(columns), Height(lines))) if columns > 0 && lines > 0 => {
                Terminal { columns: columns.into(), lines: Some(lines.into()), ..terminal }
            }
            _ => terminal,
        }
    }

    /// Returns a file as an argument of the commands in a summary.
    fn file_argument<'a>(&self, file: &'a str) -> FileArgument<'a> {
        FileArgument { file, allow_paths: self.loading.allow_paths }
    }

    /// Refuses options that exclude each other.
    fn check_options(&self) -> Result<(), Failure> {
        let one_by_one = "solve the files one by one";
        let is_shared = self.cluster.is_shared();
        let (message, help) = if self.certificate.is_some() && self.files.len() > 1 {
            ("`--certificate` takes one puzzle", one_by_one)
        } else if !is_shared && self.cluster.disk().is_some() {
            ("`--disk` needs `--hosts` or `--workers`", "add `--workers 1 --algorithm bfs` to keep layers on disk")
        } else if is_shared && self.files.len() > 1 {
            ("`--hosts` and `--workers` take one puzzle", one_by_one)
        } else if is_shared && (self.certificate.is_some() || self.count || self.all.is_some()) {
            let message = "several processes find neither certificates nor all shortest solutions";
            (message, "leave out `--hosts` and `--workers`")
        } else {
            return Ok(());
        };
        Err(Failure::refused(message, help))
    }

    /// Writes the result for one file. `before` is true if the moves written last have one move per line, none if no moves
    /// were written.
    fn write(
        &self,
        out: &mut Output,
        follows_another: bool,
        before: &mut Option<bool>,
        file: &str,
        solved: &Result<(Puzzle, Solution), Failure>,
        quiet: bool,
    ) -> io::Result<()> {
        let format = self.format();
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
                for line in transcript::facts_for_stderr(format, solution) {
                    complain(&format!("{file}: {line}"));
                }
                let notation = self.notation.of(puzzle).unwrap_or_default();
                let is_apart = match format {
                    Format::Text | Format::Boards | Format::Summary => follows_another,
                    Format::Moves if self.files.len() > 1 && solution.route().is_some() => {
                        let one_move_a_line = transcript::has_one_move_a_line(puzzle, solution, notation);
                        before.replace(one_move_a_line).is_some_and(|before| before || one_move_a_line)
                    }
                    _ => false,
                };
                if is_apart {
                    writeln!(out)?;
                }
                if format == Format::Summary {
                    return summary::write(out, self.file_argument(file), puzzle, solution, notation, self.terminal());
                }
                transcript::write(out, format, file, puzzle, solution, notation)
            }
            Err(failure) if format == Format::Json => {
                transcript::write_json_error(out, file, &failure.messages(), failure.limit())
            }
            Err(_) => Ok(()),
        }
    }

    /// Returns the limits on reading and solving a file.
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

/// The commands that a summary ends with: those of the last puzzle with a solution, or else of the last one.
#[derive(Default)]
struct Hints {
    text: String,
    is_solved: bool,
}

impl Hints {
    fn replace(&mut self, file: FileArgument, puzzle: &Puzzle, solution: &Solution, terminal: Terminal) {
        let is_solved = solution.route().is_some();
        if is_solved || !self.is_solved {
            *self = Hints { text: summary::hints(file, puzzle, solution, terminal), is_solved };
        }
    }

    /// Returns the commands below a blank line, if there are any.
    fn text(self) -> String {
        if self.text.is_empty() { self.text } else { format!("\n{}", self.text) }
    }
}

/// Reads a value of `--weight`.
pub(super) fn weight(text: &str) -> Result<Weight, String> {
    let weight = text.parse().ok().and_then(Weight::new);
    weight.ok_or_else(|| "expected a number from 1 to 1000".to_owned())
}

/// Returns the exit status for a solution.
pub(super) fn status(solution: &Solution) -> Status {
    match (solution.outcome(), solution.limit()) {
        (Outcome::Solved, _) => Status::Good,
        (Outcome::Unsolvable, _) => Status::No,
        (Outcome::Limit, limit) => limit.map_or(Status::Stopped, Status::of_limit),
    }
}

/// Returns the effort of a search, as text for people.
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

/// Returns the parser of a value of `--algorithm`.
pub(super) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let value = |facts: &crate::search::AlgorithmFacts| {
        PossibleValue::new(facts.name).aliases(facts.aliases.iter().copied()).help(in_short(facts.algorithm))
    };
    PossibleValuesParser::new(Algorithm::ALL.iter().map(value))
        .map(|name| Algorithm::named(&name).expect("only known names are possible"))
}

/// Returns the full name of an algorithm, and what it guarantees.
fn in_short(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Bfs => "breadth-first search; shortest if all moves cost the same",
        Algorithm::Dfs => "depth-first search; no guarantee on the length",
        Algorithm::AStar => "A*; shortest with an admissible heuristic",
        Algorithm::Bidirectional => "breadth-first search from both ends; shortest",
        Algorithm::Iddfs => "iterative deepening depth-first search; shortest, little memory",
        Algorithm::IdaStar => "iterative deepening A*; shortest with an admissible heuristic, little memory",
        Algorithm::Greedy => "greedy best-first search; no guarantee on the length",
        Algorithm::WeightedAStar(_) => "weighted A*; at most W times the least cost",
        other => other.facts().summary,
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &[Format::Summary, Format::Text, Format::Moves, Format::Boards, Format::Json]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Format::Summary => PossibleValue::new("summary").help("the outcome, the start and the moves"),
            Format::Text => PossibleValue::new("text").help("every position, drawn, with the move that led to it"),
            Format::Moves => {
                PossibleValue::new("moves").help("the moves on one line; one move per line if moves have spaces")
            }
            Format::Boards => PossibleValue::new("boards").help("every position in the plain format of the domain"),
            Format::Json => PossibleValue::new("json").help("one JSON object per puzzle, one per line"),
        })
    }
}
