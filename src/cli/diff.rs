//! `engine diff`: what differs between two versions of a puzzle, in the text and in the answer.

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{LimitOptions, interrupt};
use super::loading::{Reading, ReadingOptions};
use super::output::{JsonFlag, OutputOption, formats};
use super::snapshots::{Snapshots, header_field};
use super::{Status, wall};
use crate::editing::{Answer, NODES, Side};
use crate::output_format::OutputFormat;
use crate::puzzle::{Loading, Puzzle};
use crate::search::{Limit, Limits, Stats};
use crate::transcript::difference::{DifferenceWriter, FORMATS};
use crate::verify::moves_of;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Compare two versions of a puzzle: the text, the optimum, the states, the rating, the solutions
///
/// What needs more states than the limit on nodes, such as the whole space of a large puzzle, is left out.
#[derive(Args)]
#[command(
    mut_arg("node_limit", |argument| {
        argument.help("Leave out what needs more than N expanded states, except the optimum [default: 200000]")
    }),
    mut_arg("depth_limit", |argument| argument.hide(true)),
    after_help = "Exit status: 0 no difference, 1 text or answer differ, 2 wrong usage or an invalid file, 3 stopped by a \
                  limit, 130 interrupted."
)]
pub(super) struct DiffCommand {
    /// Compare this puzzle, a file or a level such as `levels.sok#3`, with OTHER
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Compare with this puzzle
    #[arg(value_name = "OTHER", required_unless_present_any = ["git", "snapshot"], conflicts_with_all = ["git", "snapshot"])]
    other: Option<PathBuf>,
    /// Compare the file at this revision with the file as it is, by the program `git`
    #[arg(long, value_name = "REV", conflicts_with = "snapshot")]
    git: Option<String>,
    /// Compare the stored transcript in `snapshots` with the answer now
    #[arg(long)]
    snapshot: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print the result in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static OutputFormat<DifferenceWriter>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
}

impl DiffCommand {
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let limits = self.limits.limits(&interrupt());
        let inputs: Vec<PathBuf> = [&self.file].into_iter().chain(&self.other).cloned().collect();
        let mut output = self.output.open(&inputs)?;
        let status = wall::behind("diff", &self.file.display().to_string(), &limits, || {
            let left = || Limits { nodes: None, ..limits.remaining(&Stats::default(), started.elapsed()) };
            let nodes = limits.nodes.unwrap_or(NODES);
            let side = |name: String, puzzle: &Puzzle| Side::of(name, puzzle, nodes, &left());
            let loading = self.reading.loading(&limits);
            let file = loading.load(&self.file)?;
            output.spare(&file)?;
            let name = self.file.display().to_string();
            let (before, after) = match (&self.other, &self.git) {
                (Some(other), _) => {
                    let puzzle = loading.load(other)?;
                    (side(name, &file), side(other.display().to_string(), &puzzle))
                }
                (None, Some(revision)) => {
                    let old = at_revision(&loading, &self.file, revision)?;
                    (side(format!("{name} at {revision}"), &old), side(name, &file))
                }
                (None, None) => (stored(&self.file, &file)?, side(name, &file)),
            };
            wall::lift_time();
            let format = self.json.choose(FORMATS, self.format);
            (format.writer)(&mut output, &before, &after)?;
            let limit = before.limit.or(after.limit);
            let is_same = before.has_answer_of(&after)
                && before.text.as_ref().zip(after.text.as_ref()).is_none_or(|(before, after)| before == after);
            Ok::<_, Failure>(match (limit, is_same) {
                (Some(limit), _) => Status::of_limit(limit),
                (None, true) => Status::Good,
                (None, false) => Status::No,
            })
        })?;
        output.finish()?;
        Ok(status)
    }
}

/// Reads the puzzle in a file as it was at a revision. Files that it names are read as they are now.
fn at_revision(loading: &Loading, file: &Path, revision: &str) -> Result<Puzzle, Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = file.file_name().filter(|_| file.is_file()) else {
        return Err(Failure::refused("`--git` takes a puzzle file", "name the file of one puzzle").about(file));
    };
    let what = format!("{revision}:./{}", name.to_string_lossy());
    // A revision is data: one that looks like an option is refused.
    let shown = match revision.starts_with('-') {
        true => Err("a revision does not begin with `-`".to_owned()),
        false => {
            Command::new("git").arg("-C").arg(folder).args(["show", &what]).output().map_err(|error| error.to_string())
        }
    };
    let refused = |why: &str| {
        let message = format!("cannot be read at the revision `{revision}`: {}", why.trim());
        Failure::refused(message, "name a commit, a tag or a branch that has the file, such as HEAD").about(file)
    };
    let shown = shown.map_err(|error| refused(&error))?;
    if !shown.status.success() {
        return Err(refused(&String::from_utf8_lossy(&shown.stderr)));
    }
    let text = String::from_utf8(shown.stdout).map_err(|_| refused("it is not UTF-8"))?;
    Ok(loading.parse(&text, &file.display().to_string())?)
}

/// Returns what the stored transcript of a puzzle has.
fn stored(file: &Path, puzzle: &Puzzle) -> Result<Side, Failure> {
    let whole = std::path::absolute(file)?;
    let found = whole.ancestors().skip(1).find_map(|folder| {
        let below = whole.strip_prefix(folder).ok()?;
        let snapshots = Snapshots::beside(folder);
        snapshots.read(below).transpose().map(|read| (snapshots.path(below), read))
    });
    let Some((path, read)) = found else {
        let help = "`engine test --accept` stores the transcripts of the puzzles below a folder";
        return Err(Failure::refused("has no stored transcript", help).about(file));
    };
    let transcript = read?;
    let cost = header_field(&transcript, "cost").and_then(|cost| cost.split([',', ';']).next()?.parse().ok());
    let is_unsolvable = header_field(&transcript, "outcome").is_some_and(|outcome| outcome.starts_with("unsolvable"));
    let answer = match cost {
        Some(cost) => Answer::Solved { cost },
        None if is_unsolvable => Answer::Unsolvable,
        None => Answer::Limit { limit: Limit::Nodes },
    };
    // Moves that are not legal any more are still those of the transcript, but no list can be made of them.
    let moves = moves_of(puzzle, puzzle.name(), &transcript).unwrap_or_default();
    let shown = std::env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    Ok(Side {
        name: shown.unwrap_or(path).display().to_string(),
        text: None,
        drawing: None,
        answer,
        moves,
        solutions: None,
        states: None,
        dead_ends: None,
        hardest: None,
        rating: None,
        limit: None,
    })
}
