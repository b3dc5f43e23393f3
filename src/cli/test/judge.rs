//! Solves one puzzle, and compares the result with its claims and its snapshot.

use crate::cli::failure::Failure;
use crate::cli::loading::{PathsOption, Reading};
use crate::cli::snapshots::{Snapshots, header_field, normalised};
use crate::cli::wall;
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::{Options, Outcome, Puzzle, Solution, Source};
use crate::search::{Limit, Limits, Stats};
use crate::transcript::{Solved, TEXT};
use crate::verify;
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The settings by which puzzles are judged.
pub(super) struct Judge<'a> {
    pub loading: PathsOption,
    pub snapshots: &'a Snapshots,
    /// The puzzles whose snapshots would be those of others: of each, the other.
    pub shared: &'a BTreeMap<PathBuf, PathBuf>,
    pub limits: Limits,
    /// The time limit of puzzles with the tag `long`; `None` unless the command line sets one.
    pub long_time: Option<Duration>,
    pub cache: Option<PathBuf>,
    /// True to solve puzzles with the tag `long`.
    pub long: bool,
    /// True to store transcripts.
    pub accept: bool,
    /// True if the limit on depth is one of this run, not of the puzzle.
    pub bounded: bool,
    /// Locked for reading by each puzzle that is judged in parallel, and for writing by one that is judged alone.
    pub parallel: RwLock<()>,
}

/// A puzzle to judge.
pub(super) struct Job {
    /// The path of its file, or the name of the level.
    pub file: PathBuf,
    /// The path below the folder, or the number of the level.
    pub name: PathBuf,
    /// The puzzle, or why there is none.
    pub source: Result<Source, Report>,
}

/// The result of one puzzle.
#[derive(Serialize, Deserialize)]
pub(super) struct Tested {
    pub file: PathBuf,
    /// The path below the folder.
    pub name: PathBuf,
    pub title: Option<String>,
    pub domain: Option<String>,
    pub outcome: Option<Outcome>,
    pub cost: Option<f64>,
    pub optimal: bool,
    pub time: Duration,
    pub verdict: Verdict,
}

/// The verdict on a puzzle.
#[derive(Serialize, Deserialize)]
pub(super) enum Verdict {
    Passed,
    /// A claim of `[expect]` is wrong.
    Refuted(String),
    /// The transcript differs from the stored one; both are normalised for comparison.
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
    /// A limit ended it: the limit, and its time limit.
    Stopped(Limit, Option<Duration>),
    Bad(Report),
}

impl Tested {
    /// The result of a puzzle that is not solved.
    fn skipped(file: PathBuf, name: &Path) -> Tested {
        Tested {
            name: name.to_owned(),
            title: None,
            domain: None,
            outcome: None,
            cost: None,
            optimal: false,
            time: Duration::ZERO,
            verdict: Verdict::Skipped,
            file,
        }
    }
}

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Refuted(_) | Verdict::Differs { .. } => "differs",
            Verdict::New => "new",
            Verdict::Stored => "stored",
            Verdict::Skipped => "skipped",
            Verdict::Stopped(..) => "stopped",
            Verdict::Bad(_) => "bad",
        }
    }

    /// Returns a short explanation of the verdict, if it has one.
    pub fn message(&self) -> Option<String> {
        match self {
            Verdict::Passed | Verdict::Stored => None,
            Verdict::Refuted(message) => Some(message.clone()),
            Verdict::Differs { stored, now, .. } => {
                let change = changed_result(stored, now).map_or(String::new(), |change| format!(": {change}"));
                Some(format!("the transcript differs from the snapshot{change}"))
            }
            Verdict::New => Some("no snapshot yet".to_owned()),
            Verdict::Skipped => Some("it has the tag `long`".to_owned()),
            Verdict::Stopped(Limit::Interrupt, _) => Some("interrupted".to_owned()),
            Verdict::Stopped(Limit::Time, Some(time)) => {
                Some(format!("stopped at the time limit, {} a puzzle", humantime::format_duration(*time)))
            }
            Verdict::Stopped(limit, _) => Some(limit.words()),
            Verdict::Bad(report) => Some(report.messages()),
        }
    }
}

impl Judge<'_> {
    /// Judges a puzzle.
    ///
    /// The memory limit holds for all puzzles that are judged in parallel. So a puzzle that it stops is judged again
    /// alone: the others may have used the memory that it needs.
    ///
    /// # Errors
    /// Its transcript cannot be stored.
    pub fn judge(&self, job: &Job) -> io::Result<Tested> {
        let parallel = self.parallel.read();
        let tested = self.judge_behind_the_wall(job)?;
        drop(parallel);
        if !matches!(tested.verdict, Verdict::Stopped(Limit::Memory, _)) {
            return Ok(tested);
        }
        let _alone = self.parallel.write();
        self.judge_behind_the_wall(job)
    }

    fn judge_behind_the_wall(&self, job: &Job) -> io::Result<Tested> {
        let time = if self.long { self.long_time } else { self.limits.time };
        let Job { file, name, .. } = job;
        let limits = Limits { time, ..self.limits.clone() };
        let judged =
            wall::behind(&name.to_string_lossy(), &file.display().to_string(), &limits, || self.judge_once(job));
        match judged {
            Ok(tested) => Ok(tested),
            Err(Failure::Io(error)) => Err(error),
            Err(failure) => Ok(Tested {
                verdict: Verdict::Stopped(failure.limit().unwrap_or(Limit::Memory), time),
                ..Tested::skipped(file.clone(), name)
            }),
        }
    }

    fn judge_once(&self, job: &Job) -> io::Result<Tested> {
        let started = Instant::now();
        let mut tested = Tested::skipped(job.file.clone(), &job.name);
        let source = job.source.as_ref().map_err(Report::clone);
        match source.and_then(|source| self.loading.loading(&self.limits).load_source(source)) {
            Err(error) => {
                tested.verdict = match error.limit() {
                    None => Verdict::Bad(error),
                    Some(limit) => Verdict::Stopped(limit, self.limits.time),
                }
            }
            Ok(puzzle) => {
                tested.title = Some(puzzle.title().to_owned());
                tested.domain = Some(puzzle.domain().name.to_owned());
                if self.long || !puzzle.about().is_long() {
                    let time = if puzzle.about().is_long() { self.long_time } else { self.limits.time };
                    let limits = Limits { time, ..self.limits.clone() }.remaining(&Stats::default(), started.elapsed());
                    self.solve(&puzzle, limits, time, &mut tested)?;
                }
            }
        }
        tested.time = started.elapsed();
        Ok(tested)
    }

    /// Solves it within the rest of its limits; `time` is its whole time limit.
    fn solve(&self, puzzle: &Puzzle, limits: Limits, time: Option<Duration>, tested: &mut Tested) -> io::Result<()> {
        let options = Options { limits, cache: self.cache.clone(), ..Options::default() };
        let (solution, wrong) = match verify::tested(puzzle, options) {
            Ok(tested) => tested,
            Err(error) => {
                let wrong = Diagnostic::whole(error.to_string()).help(error.help());
                tested.verdict = Verdict::Bad(Report::new(&tested.file.display().to_string(), "", vec![wrong]));
                return Ok(());
            }
        };
        tested.outcome = Some(solution.outcome());
        tested.cost = solution.cost();
        tested.optimal = solution.is_optimal();
        tested.verdict = match (solution.limit(), wrong) {
            // A puzzle may have its own limit on depth: then reaching the limit is its answer.
            (Some(limit), _) if limit != Limit::Depth || self.bounded => Verdict::Stopped(limit, time),
            (_, Some(why)) if self.accept => Verdict::Refuted(format!("{why}; not stored, correct `[expect]` first")),
            (_, Some(why)) => Verdict::Refuted(why),
            _ if puzzle.about().is_long() => Verdict::Passed,
            _ => match self.shared.get(&tested.name) {
                Some(other) => Verdict::Bad(self.clash(tested, other)),
                None => self.compare(puzzle, &solution, &tested.name)?,
            },
        };
        Ok(())
    }

    /// Returns the error for a puzzle whose snapshot would be that of another.
    fn clash(&self, tested: &Tested, other: &Path) -> Report {
        let path = self.snapshots.path(&tested.name);
        let message = format!("its snapshot would be `{}`, which is that of `{}`", path.display(), other.display());
        let wrong = Diagnostic::whole(message).help("rename one of the two files");
        Report::new(&tested.file.display().to_string(), "", vec![wrong])
    }

    /// Compares with the snapshot, and stores the transcript with `--accept`.
    fn compare(&self, puzzle: &Puzzle, solution: &Solution, name: &Path) -> io::Result<Verdict> {
        let now = normalised(&TEXT.text(&Solved::new("", puzzle, solution)));
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

/// Returns how the result in the header of a transcript changed, or that the cost did not.
fn changed_result(stored: &str, now: &str) -> Option<String> {
    let result = |text| ["cost", "outcome"].into_iter().find_map(|name| Some((name, header_field(text, name)?)));
    let (old, new) = (result(stored)?, result(now)?);
    Some(if old == new {
        format!("the {} is still {}", old.0, old.1)
    } else {
        format!("the {} was {}; now the {} is {}", old.0, old.1, new.0, new.1)
    })
}
