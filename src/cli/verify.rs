//! `engine verify`: replays a solution by the rules of its puzzle.

use super::Status;
use super::failure::{self, Ended};
use super::limits::{LimitOptions, end_at_once, interrupt};
use super::loading::LoadOptions;
use super::progress::Display;
use crate::diagnostic::{Report, printable};
use crate::domain::open_user_file;
use crate::search::Stats;
use crate::transcript::Number;
use crate::verify::{Certificate, Failure, Verified, verify};
use clap::Args;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Larger transcripts are refused.
const MAX_BYTES: u64 = 1 << 30;

/// Replay a solution by the rules, without a search
#[derive(Args)]
#[command(
    after_help = "The rules are written a second time, apart from what searches use. Refused are moves that are not legal, \
                  an end that is no goal, a cost other than claimed, and positions other than drawn. That a solution is \
                  a shortest one, only a certificate lets one check; what [expect] claims is not verified.\n\n\
                  Exit status: 0 when it is a solution, 1 when it is refused, 2 wrong usage or a file that cannot be \
                  read, 3 when a limit kept the lower bound of a certificate from being checked, 130 interrupted."
)]
pub(super) struct Verify {
    /// A puzzle file; with a certificate it may be left out, for the one that this names
    #[arg(value_name = "FILE", required_unless_present = "certificate")]
    file: Option<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
    /// A solution as `engine solve` writes it, in the format text, moves or json, or `-` for standard input
    #[arg(value_name = "TRANSCRIPT", required_unless_present = "certificate", conflicts_with = "certificate")]
    transcript: Option<PathBuf>,
    /// Check a certificate instead, as `engine solve --certificate` writes it: the moves by the rules, and the lower bound
    /// by a plain search for a cheaper solution, of a million states unless --node-limit says otherwise
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
}

/// How many states a plain search looks at where nothing is said.
const STATES: u64 = 1_000_000;

impl Verify {
    pub fn run(&self, quiet: bool) -> Ended {
        match (&self.certificate, &self.file, &self.transcript) {
            (Some(certificate), file, _) => self.check(certificate, file.as_deref(), quiet),
            (None, Some(file), Some(transcript)) => self.compare(file, transcript),
            _ => Ok(Status::Bad),
        }
    }

    /// Checks a certificate against the puzzle in a file, or in the one that it names.
    fn check(&self, path: &Path, file: Option<&Path>, quiet: bool) -> Ended {
        let from = path.display();
        let certificate = read(path).and_then(|text| Certificate::parse(&text));
        let certificate = certificate.map_err(|message| Report::unreadable(&from.to_string(), message))?;
        let started = Instant::now();
        let interrupt = interrupt();
        let limits = self.limits.limits(&interrupt);
        let puzzle = self.loading.load_within(file.unwrap_or(Path::new(certificate.file())), &limits)?;
        let mut limits = limits.less(&Stats::default(), started.elapsed());
        limits.nodes.get_or_insert(STATES);
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let checked = certificate.check(&puzzle, &limits);
        drop(display);
        match checked {
            Ok(checked) => {
                for line in &checked.lines {
                    writeln!(io::stdout(), "{}", printable(line))?;
                }
                Ok(match checked.stopped {
                    false => Status::Good,
                    true if interrupt.load(Ordering::Relaxed) => Status::Interrupted,
                    true => Status::Stopped,
                })
            }
            Err(failure) => refuse(failure, &from.to_string()),
        }
    }

    /// Verifies a transcript.
    fn compare(&self, file: &Path, transcript: &Path) -> Ended {
        let puzzle = self.loading.load_within(file, &self.limits.limits(&interrupt()))?;
        // A replay looks at no limits.
        end_at_once();
        let from = transcript.display().to_string();
        let transcript = read(transcript).map_err(|message| Report::unreadable(&from, message))?;
        match verify(&puzzle, &file.display().to_string(), &transcript) {
            Ok(verified) => {
                writeln!(io::stdout(), "{}", verdict(&verified))?;
                Ok(Status::Good)
            }
            Err(failure) => refuse(failure, &from),
        }
    }
}

/// Prints why a solution is refused, or fails where there is none to be read.
fn refuse(failure: Failure, from: &str) -> Ended {
    match failure {
        Failure::Refused(why) => {
            writeln!(io::stdout(), "refused: {}", printable(why.trim_end()))?;
            Ok(Status::No)
        }
        Failure::Unreadable(why) => Err(failure::Failure::refused(why, "").about(Path::new(from))),
    }
}

/// What is said of solutions that lead to a goal.
fn verdict(verified: &Verified) -> String {
    let by = if verified.independent { "" } else { ", by the moves that are searched: the domain has no rules apart" };
    match &verified.solutions[..] {
        [one] => {
            let ending = if one.moves == 1 { "" } else { "s" };
            format!("verified: {} move{ending}, cost {}{by}", one.moves, Number(one.cost))
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

/// The text of a file, or of standard input.
fn read(path: &Path) -> Result<String, String> {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(open_user_file(path, "a transcript")?)
    };
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MiB, the most that a transcript may have", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}
