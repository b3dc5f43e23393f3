//! One puzzle, solved and held to its claims and its snapshot.

use crate::cli::loading::LoadOptions;
use crate::cli::snapshots::{Snapshots, normal};
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::{Expect, Notation, Options, Outcome, Puzzle, Solution};
use crate::search::{Limit, Limits};
use crate::transcript::{self, Format, Number};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How puzzles are judged.
pub(super) struct Judge<'a> {
    pub directory: &'a Path,
    pub loading: LoadOptions,
    pub snapshots: &'a Snapshots,
    pub limits: Limits,
    pub cache: Option<PathBuf>,
    /// Whether long ones are solved.
    pub long: bool,
    /// Whether transcripts are stored.
    pub accept: bool,
    /// Whether a limit on depth is one of this run, not of the puzzle.
    pub bounded: bool,
}

/// What came of one puzzle.
pub(super) struct Tested {
    pub file: PathBuf,
    /// Its path below the folder.
    pub name: PathBuf,
    pub title: Option<String>,
    pub domain: Option<&'static str>,
    pub outcome: Option<Outcome>,
    pub cost: Option<f64>,
    pub optimal: bool,
    pub time: Duration,
    pub verdict: Verdict,
}

/// How a puzzle did.
pub(super) enum Verdict {
    Passed,
    /// What `[expect]` claims is not so.
    Refuted(String),
    /// The transcript is another than the stored one: both, as they are compared.
    Differs {
        path: PathBuf,
        stored: String,
        now: String,
    },
    /// There is no snapshot.
    New,
    /// The transcript was stored.
    Stored,
    Skipped,
    Stopped(Limit),
    Bad(Report),
}

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Refuted(_) | Verdict::Differs { .. } => "differs",
            Verdict::New => "new",
            Verdict::Stored => "stored",
            Verdict::Skipped => "skipped",
            Verdict::Stopped(_) => "stopped",
            Verdict::Bad(_) => "bad",
        }
    }

    /// In a few words, what there is to say beside the name.
    pub fn message(&self) -> Option<String> {
        match self {
            Verdict::Passed | Verdict::Stored => None,
            Verdict::Refuted(message) => Some(message.clone()),
            Verdict::Differs { .. } => Some("the transcript is not the stored one".to_owned()),
            Verdict::New => Some("there is no snapshot yet".to_owned()),
            Verdict::Skipped => Some("it has the tag `long`".to_owned()),
            Verdict::Stopped(Limit::Interrupt) => Some("interrupted".to_owned()),
            Verdict::Stopped(limit) => Some(format!("stopped at the {} limit", limit.name())),
            Verdict::Bad(report) => {
                Some(report.diagnostics().iter().map(|one| one.message.as_str()).collect::<Vec<_>>().join("; "))
            }
        }
    }
}

impl Judge<'_> {
    /// Judges the puzzle at this path below the folder.
    ///
    /// # Errors
    /// That its transcript is to be stored and cannot be.
    pub fn judge(&self, name: &Path) -> io::Result<Tested> {
        let started = Instant::now();
        let file = self.directory.join(name);
        let mut tested = Tested {
            name: name.to_owned(),
            title: None,
            domain: None,
            outcome: None,
            cost: None,
            optimal: false,
            time: Duration::ZERO,
            verdict: Verdict::Skipped,
            file,
        };
        match self.loading.load(&tested.file) {
            Err(error) => tested.verdict = Verdict::Bad(error),
            Ok(puzzle) => {
                tested.title = Some(puzzle.title().to_owned());
                tested.domain = Some(puzzle.domain().name);
                if self.long || !puzzle.about().is_long() {
                    self.solve(&puzzle, &mut tested)?;
                }
            }
        }
        tested.time = started.elapsed();
        Ok(tested)
    }

    fn solve(&self, puzzle: &Puzzle, tested: &mut Tested) -> io::Result<()> {
        let options = Options { limits: self.limits.clone(), cache: self.cache.clone(), ..Options::default() };
        let solution = match puzzle.solve(&options) {
            Ok(solution) => solution,
            Err(error) => {
                let wrong = Diagnostic::whole(error.to_string()).help(error.help());
                tested.verdict = Verdict::Bad(Report::new(&tested.file.display().to_string(), "", vec![wrong]));
                return Ok(());
            }
        };
        tested.outcome = Some(solution.outcome());
        tested.cost = solution.cost();
        tested.optimal = solution.is_optimal();
        tested.verdict = match (solution.limit(), refuted(puzzle.expect(), &solution)) {
            // A puzzle may have a limit on depth of its own: then the limit is its answer.
            (Some(limit), _) if limit != Limit::Depth || self.bounded => Verdict::Stopped(limit),
            (_, Some(why)) => Verdict::Refuted(why),
            _ if puzzle.about().is_long() => Verdict::Passed,
            _ => self.compare(puzzle, &solution, &tested.name)?,
        };
        Ok(())
    }

    /// Compares with the snapshot, and stores the transcript if that is asked for.
    fn compare(&self, puzzle: &Puzzle, solution: &Solution, name: &Path) -> io::Result<Verdict> {
        let mut written = Vec::new();
        transcript::write(&mut written, Format::Text, "", puzzle, solution, Notation::STANDARD)?;
        let now = normal(&String::from_utf8_lossy(&written));
        let stored = match self.snapshots.read(name) {
            Ok(stored) => stored,
            Err(error) => return Ok(Verdict::Bad(error)),
        };
        if stored.as_ref() == Some(&now) {
            return Ok(Verdict::Passed);
        }
        if self.accept {
            self.snapshots.store(name, &now)?;
            return Ok(Verdict::Stored);
        }
        Ok(match stored {
            None => Verdict::New,
            Some(stored) => Verdict::Differs { path: self.snapshots.path(name), stored, now },
        })
    }
}

/// What of the author's claims is not so.
fn refuted(expect: &Expect, solution: &Solution) -> Option<String> {
    let found = match (solution.outcome(), solution.cost(), solution.reason()) {
        (Outcome::Solved, Some(cost), _) if solution.is_optimal() => format!("the cost {}, proven", Number(cost)),
        (Outcome::Solved, Some(cost), _) => format!("the cost {}, not proven shortest", Number(cost)),
        (outcome, _, Some(reason)) => format!("`{}`: {reason}", outcome.name()),
        (outcome, ..) => format!("`{}`", outcome.name()),
    };
    if let Some(outcome) = expect.outcome.filter(|outcome| *outcome != solution.outcome()) {
        return Some(format!("[expect] says `{}`, found {found}", outcome.name()));
    }
    let cost = expect.cost?;
    let kept = solution.is_optimal() && solution.cost().is_some_and(|found| (found - cost).abs() < 1e-6);
    (!kept).then(|| format!("[expect] says the cost {}, found {found}", Number(cost)))
}
