//! `engine verify`: replays a solution by the rules of its puzzle.

use super::loading::LoadOptions;
use super::{Status, complain, report};
use crate::diagnostic::{Report, printable};
use crate::domain::open_given;
use crate::transcript::Number;
use crate::verify::{Failure, Verified, verify};
use clap::Args;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Larger transcripts are refused.
const MAX_BYTES: u64 = 1 << 30;

/// Replay a solution by the rules, without a search
#[derive(Args)]
#[command(
    after_help = "The rules are written a second time, apart from what searches use. Refused are moves that are not legal, \
                  an end that is no goal, a cost other than claimed, and positions other than drawn. That a solution is \
                  a shortest one, and what [expect] claims, is not verified.\n\n\
                  Exit status: 0 when it is a solution, 1 when it is refused, 2 wrong usage or a file that cannot be read."
)]
pub(super) struct Verify {
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
    /// A solution as `engine solve` writes it, in the format text, moves or json, or `-` for standard input
    #[arg(value_name = "TRANSCRIPT")]
    transcript: PathBuf,
}

impl Verify {
    pub fn run(&self) -> io::Result<Status> {
        let puzzle = match self.loading.load(&self.file) {
            Ok(puzzle) => puzzle,
            Err(error) => {
                report(&error);
                return Ok(Status::Bad);
            }
        };
        let from = self.transcript.display();
        let transcript = match read(&self.transcript) {
            Ok(transcript) => transcript,
            Err(message) => {
                report(&Report::unreadable(&from.to_string(), message));
                return Ok(Status::Bad);
            }
        };
        let file = self.file.display().to_string();
        match verify(&puzzle, &file, &transcript) {
            Ok(verified) => {
                writeln!(io::stdout(), "{}", verdict(&verified))?;
                Ok(Status::Good)
            }
            Err(Failure::Refused(why)) => {
                writeln!(io::stdout(), "refused: {}", printable(why.trim_end()))?;
                Ok(Status::No)
            }
            Err(Failure::Unreadable(why)) => {
                complain(&format!("error: {from}: {why}"));
                Ok(Status::Bad)
            }
        }
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
    let input: Box<dyn Read> =
        if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(open_given(path, "a transcript")?) };
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MiB, the most that a transcript may have", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}
