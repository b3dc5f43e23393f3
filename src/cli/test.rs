//! `engine test`: solves every puzzle of a folder, or every level of a collection, and compares the result with the
//! author's claims and with the snapshot.
//!
//! Puzzles are solved in parallel, each by one thread. Results are printed in the order of the files, each as soon as
//! all before it are finished.

mod json;
mod judge;
mod junit;
mod reports;

use super::cache::CacheOption;
use super::failure::Ended;
use super::groups::OUTPUT;
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::loading::{PathsOption, Reading};
use super::output::{JsonFlag, OutputOption, formats};
use super::snapshots::Snapshots;
use super::{Status, complain, files, wall};
use crate::diagnostic::{Diagnostic, Report};
use crate::output_format::{Formats, OutputFormat};
use crate::puzzle::{Source, file_of};
use crate::search::Limits;
use crate::transcript::shell_word;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use json::JSON;
use judge::{Job, Judge, Tested, Verdict};
use junit::JUNIT;
use parking_lot::RwLock;
use reports::Reports;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

/// The default time limit of a puzzle.
const TIME: Duration = Duration::from_secs(60);

/// The time between two notes on progress, if standard error is no terminal.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// The greatest number of orphans noted by name: a wrong folder may have thousands.
const MAX_ORPHANS: usize = 10;

/// Solve all puzzles below a folder, or all levels of a collection, and compare with their claims and snapshots
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    mut_arg("time_limit", |argument| argument.help(TIME_HELP).long_help(TIME_LONG_HELP)),
    after_help = "The claims of a puzzle are in its table [expect]. Its snapshot is the transcript that `engine solve` \
                  printed when `--accept` stored it, in the folder `snapshots` beside DIR, under the same name; those \
                  of the levels of `game.txt` are `snapshots/game/1.snap` and so on. Puzzles with the tag `long` have no \
                  snapshot.\n\n\
                  A puzzle that is stopped by a limit does not stop the others.\n\n\
                  Exit status: 0 all puzzles passed, 1 a result differs or a snapshot is missing, 2 wrong usage or an \
                  invalid file, 3 stopped by a limit, 130 interrupted."
)]
pub(super) struct Test {
    /// Solve the puzzles below this folder, or the levels of this collection
    #[arg(default_value = "puzzles", value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    loading: PathsOption,
    /// Store the new and changed transcripts as snapshots
    #[arg(long, help_heading = TESTS)]
    accept: bool,
    /// Solve only puzzles with this text in their paths below DIR
    #[arg(long, value_name = "TEXT", help_heading = TESTS)]
    filter: Option<String>,
    /// Solve the puzzles with the tag `long`, too
    #[arg(long, help_heading = TESTS)]
    long: bool,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    cache: CacheOption,
    /// Print the results in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = TEXT.name, help_heading = OUTPUT)]
    format: &'static TestFormat,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
}

/// The group of options that select what to test and to store.
const TESTS: &str = "Tests";

const TIME_HELP: &str = "Stop each puzzle after this time, such as 500ms or 2m; `none` sets no limit [default: 60s]";
const TIME_LONG_HELP: &str = "Stop each puzzle after this time, such as 500ms or 2m; `none` sets no limit [default: 60s]\n\n\
    The time includes reading the file. Puzzles with the tag `long` have no time limit by default.";

/// A format of results of tests.
type TestFormat = OutputFormat<TestWriter>;

/// Writes the result of a puzzle.
type WriteResult = fn(&mut dyn Write, &Tested) -> io::Result<()>;

/// Writes all results at the end, with the time that they took.
type WriteResults = fn(&mut dyn Write, &[Tested], Duration) -> io::Result<()>;

/// Writes results of tests for programs.
struct TestWriter {
    each: Option<WriteResult>,
    all: Option<WriteResults>,
}

impl TestWriter {
    /// Returns whether the text for people is all there is.
    fn is_text(&self) -> bool {
        self.each.is_none() && self.all.is_none()
    }
}

/// All formats of results.
const FORMATS: Formats<TestWriter> = &[&TEXT, &JSON, &JUNIT];

/// Text for people, which [`reports`] writes.
const TEXT: TestFormat = TestFormat {
    name: "text",
    summary: "the puzzles that did not pass, with differences, then a summary",
    writer: TestWriter { each: None, all: None },
};

impl Test {
    pub fn run(&self, quiet: bool) -> Ended {
        let interrupt = interrupt();
        let snapshots = Snapshots::beside(&self.directory);
        let jobs = self.jobs()?;
        let orphans = snapshots.orphans(jobs.iter().map(|job| &*job.name))?;
        let shared = snapshots.shared(jobs.iter().map(|job| (&*job.name, &*job.file)));
        let jobs = self.chosen(jobs)?;
        if !quiet && !snapshots.folder().exists() && !self.accept && !jobs.is_empty() {
            let directory = shell_word(&self.directory.display().to_string());
            let folder = snapshots.folder().display();
            complain(&format!("note: no snapshots yet; `engine test {directory} --accept` would create `{folder}`"));
        }
        let inputs: Vec<PathBuf> = match self.directory.is_file() {
            true => vec![self.directory.clone()],
            false => jobs.iter().map(|job| file_of(&job.file)).collect(),
        };
        let mut reports = Reports::open(&self.json.choose(FORMATS, self.format).writer, &self.output, &inputs)?;
        let ran = self.solve_all(&jobs, &snapshots, &shared, &interrupt, quiet, &mut reports)?;
        if self.filter.is_none() && !quiet {
            note_orphans(&orphans);
        }
        let status = reports.finish(jobs.len() - ran)?;
        Ok(if interrupt.load(Ordering::Relaxed) { Status::Interrupted } else { status })
    }

    /// Returns the puzzles below the folder, or the levels of the collection.
    fn jobs(&self) -> Result<Vec<Job>, Report> {
        let loading = self.loading.loading(&Limits::default());
        let job = |source: Source| {
            let file = if source.number().is_some() { source.name().into() } else { source.path().to_owned() };
            Job { file, name: files::name_within(&self.directory, &source), source: Ok(source) }
        };
        if self.directory.is_file() {
            let sources = loading.sources(&self.directory)?;
            if sources.iter().all(|source| source.number().is_some()) {
                return Ok(sources.into_iter().map(job).collect());
            }
        }
        let sources = |file: &PathBuf| {
            self.loading.check_below(&self.directory, file)?;
            loading.sources(file)
        };
        let jobs_in = |file: PathBuf| match sources(&file) {
            Ok(sources) => sources.into_iter().map(job).collect(),
            Err(report) => {
                vec![Job { name: files::name_below(&self.directory, &file), file, source: Err(report) }]
            }
        };
        Ok(files::puzzles_below(&self.directory)?.into_iter().flat_map(jobs_in).collect())
    }

    /// Returns the puzzles to solve.
    fn chosen(&self, mut jobs: Vec<Job>) -> Result<Vec<Job>, Report> {
        if let Some(text) = &self.filter {
            jobs.retain(|job| job.name.to_string_lossy().replace('\\', "/").contains(text));
            if jobs.is_empty() {
                let message = format!("no puzzle in this folder has `{text}` in its path");
                let wrong = Diagnostic::whole(message).help("list the puzzles with `engine list`");
                return Err(Report::new(&self.directory.display().to_string(), "", vec![wrong]));
            }
        }
        Ok(jobs)
    }

    /// Solves the puzzles and reports the results in order. Returns the number of puzzles solved before an interrupt.
    fn solve_all(
        &self,
        jobs: &[Job],
        snapshots: &Snapshots,
        shared: &BTreeMap<PathBuf, PathBuf>,
        interrupt: &std::sync::Arc<AtomicBool>,
        quiet: bool,
        reports: &mut Reports,
    ) -> io::Result<usize> {
        let bar = &progress(jobs.len(), quiet);
        let is_noted = !quiet && !io::stderr().is_terminal();
        let mut limits = self.limits.limits_or(TIME, interrupt);
        let threads = limits.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
        let workers = if wall::is_one_by_one() { 1 } else { threads.min(jobs.len()) };
        if workers > 1 {
            limits.threads = NonZero::new(1);
        }
        let judge = Judge {
            loading: self.loading,
            snapshots,
            shared,
            limits,
            long_time: self.limits.limits(interrupt).time,
            cache: self.cache.folder(),
            long: self.long,
            accept: self.accept,
            bounded: self.limits.bounds_depth(),
            parallel: RwLock::new(()),
        };
        let next = AtomicUsize::new(reports.done());
        let (send, receive) = mpsc::channel();
        let (judge, next) = (&judge, &next);
        let work = move |send: mpsc::Sender<(usize, io::Result<Tested>)>| {
            while !interrupt.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { break };
                if send.send((number, judge.judge(job))).is_err() {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..workers {
                let send = send.clone();
                scope.spawn(move || work(send));
            }
            drop(send);
            let reported = report_in_order(&receive, jobs.len(), is_noted, bar, reports);
            if reported.is_err() {
                // The rest is not needed.
                interrupt.store(true, Ordering::Relaxed);
            }
            bar.finish_and_clear();
            reported
        })
    }
}

/// Prints notes on snapshots without a puzzle: the first ones by name, then the number of the others.
fn note_orphans(orphans: &[PathBuf]) {
    for orphan in orphans.iter().take(MAX_ORPHANS) {
        complain(&format!("note: {}: a snapshot without a puzzle", orphan.display()));
    }
    if orphans.len() > MAX_ORPHANS {
        complain(&format!("note: and {} more snapshots without a puzzle", orphans.len() - MAX_ORPHANS));
    }
}

/// Prints the result of each puzzle once all before it are printed. If `is_noted`, also prints the progress every ten
/// seconds.
fn report_in_order(
    receive: &mpsc::Receiver<(usize, io::Result<Tested>)>,
    all: usize,
    is_noted: bool,
    bar: &ProgressBar,
    reports: &mut Reports,
) -> io::Result<usize> {
    let mut waiting = BTreeMap::new();
    let mut reported = reports.done();
    let mut last = Instant::now();
    loop {
        let (number, tested) = match receive.recv_timeout(NOTE_EVERY.saturating_sub(last.elapsed())) {
            Ok(done) => done,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                last = Instant::now();
                if is_noted {
                    complain(&format!("note: {} of {all} puzzles are done", reported + waiting.len()));
                }
                continue;
            }
        };
        waiting.insert(number, tested?);
        bar.inc(1);
        while let Some(tested) = waiting.remove(&reported) {
            bar.suspend(|| reports.add(tested))?;
            reported += 1;
        }
    }
    reported += waiting.len();
    waiting.into_values().try_for_each(|tested| reports.add(tested))?;
    Ok(reported)
}

/// Returns the progress bar, which hides itself if standard error is no terminal.
fn progress(total: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}");
    ProgressBar::new(total as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
