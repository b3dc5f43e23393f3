//! `engine verify`: replays a solution by the rules of its puzzle, marks those in a folder, or checks a certificate.

mod submissions;

use super::failure::{self, Ended};
use super::groups::OUTPUT;
use super::limits::{LimitOptions, end_at_once, interrupt};
use super::loading::{LevelOptions, Reading, ReadingOptions};
use super::moves::names_a_file;
use super::output::{JsonFlag, formats, print_json};
use super::progress::Display;
use super::streams::stdout;
use super::{Status, wall};
use crate::argument::counted;
use crate::diagnostic::Report;
use crate::document::into_composed;
use crate::domain::open_user_file;
use crate::domain::text::{TextReader, unread};
use crate::puzzle::Puzzle;
use crate::search::Stats;
use crate::transcript::Number;
use crate::verify::{Certificate, Failure, Replayed, Verified, moves_of, verify};
use clap::Args;
use serde::Serialize;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use submissions::{FORMATS, MarksFormat};

/// The greatest size of a transcript; larger ones are refused.
const MAX_BYTES: u64 = 1 << 30;

/// Verify a solution by replaying it, mark a folder of them, or check a certificate
#[derive(Args)]
#[command(
    mut_arg("node_limit", |argument| argument.help(NODE_HELP).long_help(NODE_LONG_HELP)),
    after_help = "The replay uses a second implementation of the rules, which shares no code with the searches. It refuses \
                  illegal moves, a last position that is no goal, a cost other than claimed, and positions other than \
                  drawn. Only a certificate shows that a solution is a shortest one. The claim in [expect] is not \
                  verified.\n\n\
                  Exit status: 0 verified, 1 refused, also if one of several submissions is, 2 wrong usage or an unreadable file, 3 stopped by a limit before \
                  the lower bound of a certificate was checked, 130 interrupted."
)]
pub(super) struct Verify {
    /// Puzzle file [default with --certificate: the file that the certificate names]
    #[arg(value_name = "FILE", required_unless_present = "certificate")]
    file: Option<PathBuf>,
    #[command(flatten)]
    level: LevelOptions<ReadingOptions>,
    /// Verify this solution: the moves themselves, or a file that `engine solve` printed; `-` reads standard input
    ///
    /// The file may have the format text, moves, lurd or json.
    #[arg(
        value_name = "TRANSCRIPT",
        required_unless_present_any = ["certificate", "submissions"],
        conflicts_with_all = ["certificate", "submissions"]
    )]
    transcript: Option<PathBuf>,
    /// Check a certificate that `engine solve --certificate` wrote, instead of a solution
    ///
    /// Its moves are replayed. Its lower bound is checked by a plain search for a cheaper solution, which expands at
    /// most a million states unless --node-limit is given.
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
    /// Mark the solutions in all files of this folder and its folders: valid, cost, optimal or by how much longer
    ///
    /// Each is replayed; the first illegal move is reported. The least cost is searched for once, for 10 s unless
    /// --time-limit is given. Hidden files are left out.
    #[arg(long, value_name = "DIR", requires = "file", conflicts_with = "certificate")]
    submissions: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print the result in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static MarksFormat,
    #[command(flatten)]
    json: JsonFlag,
}

/// The result in JSON.
#[derive(Default, Serialize)]
struct Row<'a> {
    file: &'a str,
    transcript: Option<&'a str>,
    certificate: Option<&'a str>,
    /// `None` if a limit ended the check.
    ok: Option<bool>,
    /// The reason why it is refused.
    reason: Option<&'a str>,
    /// The number of moves, and the cost, of the first solution.
    moves: Option<usize>,
    cost: Option<Number>,
    solutions: Vec<SolutionRow>,
    independent: bool,
    /// The report on a certificate.
    lines: Vec<String>,
}

#[derive(Serialize)]
struct SolutionRow {
    moves: usize,
    cost: Number,
}

impl Row<'_> {
    /// Adds the solutions that were replayed.
    fn with(self, solutions: &[Replayed]) -> Self {
        let row = |one: &Replayed| SolutionRow { moves: one.moves, cost: Number(one.cost) };
        let (moves, cost) = solutions.first().map(|first| (first.moves, Number(first.cost))).unzip();
        Row { moves, cost, solutions: solutions.iter().map(row).collect(), ..self }
    }
}

const NODE_HELP: &str = "Stop after expanding N states [default with --certificate: 1000000]";
const NODE_LONG_HELP: &str = "Stop after expanding N states [default with --certificate: 1000000]\n\n\
                              To expand a state is to generate all states that one move leads to from it.";

/// The default limit of the plain search, in expanded states.
const STATES: u64 = 1_000_000;

impl Verify {
    pub fn run(&self, quiet: bool) -> Ended {
        let file = self.file.as_deref().or(self.certificate.as_deref()).unwrap_or(Path::new("-"));
        if self.submissions.is_none() && self.format.name == "csv" {
            let message = "the format `csv` is for a folder of solutions";
            return Err(failure::Failure::refused(message, "add `--submissions DIR`, or use `--json`"));
        }
        wall::behind("verify", &file.display().to_string(), &self.limits.limits(&Arc::default()), || {
            if let (Some(folder), Some(file)) = (&self.submissions, &self.file) {
                return self.mark(file, folder, self.json.choose(FORMATS, self.format), quiet);
            }
            match (&self.certificate, &self.file, &self.transcript) {
                (Some(certificate), file, _) => self.check(certificate, file.as_deref(), quiet),
                (None, Some(file), Some(transcript)) => self.compare(file, transcript),
                _ => Ok(Status::Bad),
            }
        })
    }

    fn is_json(&self) -> bool {
        self.json.choose(FORMATS, self.format).name == "json"
    }

    /// Checks a certificate against the puzzle in a file; by default, in the file that it names.
    fn check(&self, path: &Path, file: Option<&Path>, quiet: bool) -> Ended {
        let from = path.display();
        let certificate = read(path).and_then(|text| Certificate::parse(&text));
        let certificate = certificate.map_err(|message| Report::unreadable(&from.to_string(), message))?;
        let started = Instant::now();
        let interrupt = interrupt();
        let limits = self.limits.limits(&interrupt);
        let file = self.level.of(file.unwrap_or(Path::new(certificate.file())));
        let puzzle = self.level.reading.loading(&limits).load(&file)?;
        let mut limits = limits.remaining(&Stats::default(), started.elapsed());
        limits.nodes.get_or_insert(STATES);
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let checked = certificate.check(&puzzle, &limits);
        drop(display);
        let (file, from) = (file.display().to_string(), from.to_string());
        let row = Row { file: &file, certificate: Some(&from), independent: puzzle.rules().1, ..Row::default() };
        match checked {
            Ok(checked) => {
                if self.is_json() {
                    let ok = if checked.stopped { None } else { Some(true) };
                    let claimed: Vec<Replayed> = certificate.upper_bound().into_iter().collect();
                    print_json(&Row { ok, lines: checked.lines, ..row }.with(&claimed))?;
                } else {
                    for line in &checked.lines {
                        writeln!(stdout(), "{line}")?;
                    }
                }
                Ok(match checked.stopped {
                    false => Status::Good,
                    true if interrupt.load(Ordering::Relaxed) => Status::Interrupted,
                    true => Status::Stopped,
                })
            }
            Err(failure) => self.refuse(failure, &from, row),
        }
    }

    /// Verifies a transcript.
    fn compare(&self, file: &Path, transcript: &Path) -> Ended {
        let file = self.level.of(file);
        let puzzle = self.level.reading.loading(&self.limits.limits(&interrupt())).load(&file)?;
        // A replay does not poll the limits.
        end_at_once();
        let from = transcript.display().to_string();
        let file = file.display().to_string();
        let given = transcript.to_str().map(|given| into_composed(given.to_owned()));
        let transcript = match given.filter(|given| are_moves(&puzzle, &file, given)) {
            Some(moves) => moves,
            None => read(transcript).map_err(|message| Report::unreadable(&from, message))?,
        };
        let row = Row { file: &file, transcript: Some(&from), independent: puzzle.rules().1, ..Row::default() };
        match verify(&puzzle, &file, &transcript) {
            Ok(verified) => {
                if self.is_json() {
                    print_json(&Row { ok: Some(true), ..row }.with(&verified.solutions))?;
                } else {
                    writeln!(stdout(), "{}", verdict(&verified))?;
                }
                Ok(Status::Good)
            }
            Err(failure) => self.refuse(failure, &from, row),
        }
    }

    /// Prints why a solution is refused, or fails if it could not be read.
    fn refuse(&self, failure: Failure, from: &str, row: Row) -> Ended {
        match failure {
            Failure::Refused(why) => {
                let why = why.trim_end();
                if self.is_json() {
                    print_json(&Row { ok: Some(false), reason: Some(why), ..row })?;
                } else {
                    writeln!(stdout(), "refused: {why}")?;
                }
                Ok(Status::No)
            }
            Failure::Unreadable(why) => Err(failure::Failure::refused(why, "").about(Path::new(from))),
        }
    }
}

/// Returns the verdict on solutions that lead to a goal.
fn verdict(verified: &Verified) -> String {
    let by =
        if verified.independent { "" } else { ", by the moves of the search: the domain has no independent rules" };
    match &verified.solutions[..] {
        [one] => {
            format!("verified: {}, cost {}{by}", counted(one.moves, "move"), Number(one.cost))
        }
        several => {
            let costs = several.iter().map(|one| one.cost);
            let (least, most) = (costs.clone().fold(f64::INFINITY, f64::min), costs.fold(0.0, f64::max));
            let range =
                if least < most { format!("{} to {}", Number(least), Number(most)) } else { Number(most).to_string() };
            format!("verified: {} solutions, cost {range}{by}", several.len())
        }
    }
}

/// Returns whether a text is one of moves, not the name of a file: of several words, or the first move is legal.
fn are_moves(puzzle: &Puzzle, file: &str, given: &str) -> bool {
    let begins = || {
        let first = moves_of(puzzle, file, given).ok()?.into_iter().next()?;
        puzzle.space("zero").ok()?.after(&first, puzzle.domain().notations)
    };
    given != "-" && !names_a_file(Path::new(given)) && (given.contains(char::is_whitespace) || begins().is_some())
}

/// Returns the text of a file, or of standard input.
fn read(path: &Path) -> Result<String, String> {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(open_user_file(path, "a transcript")?)
    };
    let mut bytes = Vec::new();
    TextReader::new(input).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unread(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MiB, the limit for a transcript", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes).map(into_composed).map_err(|_| "is not UTF-8 text".to_owned())
}
