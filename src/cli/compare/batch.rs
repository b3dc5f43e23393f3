//! The comparison of searches on several puzzles: files, levels of collections, random boards.
//!
//! A puzzle is read once, and all its searches follow one another, so that an interrupt leaves whole puzzles. Tables
//! that several puzzles or searches have in common are built once; building them is timed apart.

use super::contest::Contender;
use super::resume::Resume;
use super::{Compare, given};
use crate::cli::failure::{Ended, Failure};
use crate::cli::output::Output;
use crate::cli::plot::Plot;
use crate::cli::progress::Display;
use crate::cli::streams::Content;
use crate::cli::{Status, complain, report, wall};
use crate::diagnostic::Report;
use crate::output_format;
use crate::plot::text::counted;
use crate::puzzle::{NoBoards, Options, Outcome, Puzzle, RandomBoard, Source};
use crate::search::Limits;
use crate::transcript::Unsolved;
use crate::transcript::batch::{BATCH_FORMATS, Batch, CHARTS, SearchRow, Times};
use crate::transcript::compare::FORMATS;
use std::collections::BTreeSet;
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

/// The most random boards of a comparison.
const MOST_BOARDS: u64 = 100_000;

/// Everything that a batch is written to.
pub(super) struct Targets {
    pub output: Output,
    pub plot: Option<Plot>,
}

/// A puzzle to search.
struct Subject {
    puzzle: Arc<Puzzle>,
    /// The number and the cost of a random board.
    board: Option<(usize, u32)>,
}

/// The comparison in progress.
struct Run<'a> {
    compare: &'a Compare,
    limits: &'a Limits,
    interrupt: &'a AtomicBool,
    quiet: bool,
    resume: Option<Resume>,
    /// The rows of the process before this one, which hit the wall.
    before: Peekable<IntoIter<SearchRow>>,
    rows: Vec<SearchRow>,
    /// The titles of the puzzles read.
    titles: Vec<String>,
    /// The number of puzzles searched.
    puzzles: u64,
}

impl Compare {
    /// Compares the searches on all puzzles in the sources, or on random boards of theirs.
    pub(super) fn run_batch(
        &self,
        sources: Vec<Result<Source, Report>>,
        limits: &Limits,
        interrupt: &AtomicBool,
        mut targets: Targets,
        quiet: bool,
    ) -> Ended {
        let format = self.json.choose(FORMATS, self.format);
        let Some(batch_format) = output_format::named(BATCH_FORMATS, format.name) else {
            let help = "add `--plot FILE.svg`, and choose a `--chart`";
            return Err(Failure::refused("several puzzles have no chart of the format `svg`", help));
        };
        self.check_boards(sources.len() as u64)?;
        let resume = self.resume.as_deref().map(|path| self.open_resume(path, limits)).transpose()?;
        let results = wall::results::<Vec<SearchRow>>();
        let before = std::mem::take(&mut *results.lock()).into_iter().peekable();
        let (rows, titles) = (Vec::new(), Vec::new());
        let mut run = Run { compare: self, limits, interrupt, quiet, resume, before, rows, titles, puzzles: 0 };
        let mut worst = Status::Good;
        for source in sources {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            let compared = source
                .map_err(Failure::from)
                .and_then(|source| run.source(&source, &mut targets, &mut |row| results.lock().push(row.clone())));
            match compared {
                Ok(()) => {}
                Err(failure @ Failure::Io(_)) => return Err(failure),
                Err(failure) => worst = worst.max(failure.print()),
            }
        }
        if interrupt.load(Ordering::Relaxed) {
            worst = Status::Interrupted;
            if let (Some(path), false) = (&self.resume, quiet) {
                let path = path.display();
                complain(&format!("note: the rows so far are in {path}; run the same command to resume"));
            }
        }
        let Run { rows, titles, puzzles, .. } = run;
        // Without a row, the files of an earlier run stay.
        if rows.is_empty() {
            return Ok(worst);
        }
        let (title, given) = (self.title(&titles, puzzles), given(limits));
        let Targets { mut output, plot } = targets;
        let style = self.style(format, &output);
        let batch = Batch { title: &title, rows: &rows, given: &given, style };
        // Before the answer: its reader may close the pipe.
        if let Some(plot) = plot {
            let chart = self.chart.unwrap_or(CHARTS[0]);
            plot.draw(|out| (chart.writer)(out, &batch))?;
        }
        output.set_content(Content::styled(style.colour));
        (batch_format.writer)(&mut output, &batch)?;
        output.finish()?;
        Ok(worst)
    }

    /// Refuses more random boards than a comparison can hold.
    fn check_boards(&self, sources: u64) -> Result<(), Failure> {
        let (Some(random), Some(cost)) = (self.random, self.cost) else { return Ok(()) };
        let boards = cost.count().saturating_mul(random.get() as u64).saturating_mul(sources.max(1));
        if boards > MOST_BOARDS {
            let message =
                format!("{} are too many: a comparison takes at most {MOST_BOARDS}", counted(boards, "board"));
            return Err(Failure::refused(message, "choose fewer costs or a smaller `--random`"));
        }
        Ok(())
    }

    fn open_resume(&self, path: &Path, limits: &Limits) -> Result<Resume, Failure> {
        let weight = self.weight.map(|weight| format!(", weight {}", weight.as_f64())).unwrap_or_default();
        let width = self.width.map(|width| format!(", width {}", width.get())).unwrap_or_default();
        let depth = limits.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        let without: BTreeSet<&str> = self.without.iter().map(String::as_str).collect();
        let without = without.into_iter().map(|name| format!(", without {name}")).collect::<String>();
        let runs = counted(self.repeat.get() as u64, "run");
        Resume::open(path, format!("{runs} within {}{depth}{weight}{width}{without}", given(limits)))
    }

    /// Returns the title of the results.
    fn title(&self, titles: &[String], puzzles: u64) -> String {
        let Some((random, cost)) = self.random.zip(self.cost) else { return counted(puzzles, "puzzle") };
        let like = match titles {
            [one] => format!(" like “{one}”"),
            _ => String::new(),
        };
        let boards = counted(puzzles, "random board");
        format!("{boards}{like}, {random} of each cost of {cost}, seed {}", self.board_seed().unwrap_or_default())
    }
}

impl Run<'_> {
    /// Compares the searches on the puzzle of a source, or on random boards of it. `done` receives each row.
    fn source(
        &mut self,
        source: &Source,
        targets: &mut Targets,
        done: &mut dyn FnMut(&SearchRow),
    ) -> Result<(), Failure> {
        let (compare, name) = (self.compare, source.name());
        let display = Display::new(self.quiet);
        let reading = Limits { gauge: None, ..self.limits.clone() };
        let puzzle =
            wall::behind(&format!("reading {name}"), name, &reading, || compare.loading(&reading).load_source(source))?;
        targets.output.spare(&puzzle)?;
        targets.plot.iter().try_for_each(|plot| plot.spare(&puzzle))?;
        if let Some(warnings) = puzzle.level_warnings().filter(|_| !self.quiet) {
            report(warnings);
        }
        let about = |error| Failure::from(error).about(name.as_ref());
        puzzle.check_without(&compare.without).map_err(about)?;
        let contenders = wall::behind(&format!("compatibility {name}"), name, &reading, || {
            let compatibility = puzzle.compatibility(&reading).map_err(|limit| Failure::at_limit(name, limit))?;
            compare.contenders(&compatibility).map_err(about)
        })?;
        self.check_chart(&contenders)?;
        self.titles.push(puzzle.title().to_owned());
        let subjects = match compare.random.zip(compare.cost) {
            None => vec![Subject { puzzle: Arc::new(puzzle), board: None }],
            Some((random, costs)) => {
                let costs: Vec<u32> = costs.iter().flat_map(|cost| std::iter::repeat_n(cost, random.get())).collect();
                self.boards(name, &puzzle, &costs, &display)?
            }
        };
        for subject in &subjects {
            let fingerprint = match &self.resume {
                Some(_) => subject.puzzle.fingerprint()?,
                None => String::new(),
            };
            for contender in &contenders {
                if self.interrupt.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let Some(row) = self.row(name, subject, contender, &fingerprint, &display)? else { continue };
                done(&row);
                self.rows.push(row);
            }
            self.puzzles += 1;
        }
        Ok(())
    }

    /// Refuses a chart of another number of searches.
    fn check_chart(&self, contenders: &[Contender]) -> Result<(), Failure> {
        let chart = self.compare.chart.filter(|chart| chart.searches.is_some_and(|count| count != contenders.len()));
        let Some(chart) = chart else { return Ok(()) };
        let message = format!("the chart `{}` compares two searches, not {}", chart.name, contenders.len());
        Err(Failure::refused(message, "choose two with `--algorithm` and `--heuristic`"))
    }

    /// Draws random boards of these costs. Their number is bounded, so the time limit of the searches does not hold.
    fn boards(&self, name: &str, puzzle: &Puzzle, costs: &[u32], display: &Display) -> Result<Vec<Subject>, Failure> {
        let seed = self.compare.board_seed()?;
        let gauge = display.begin(&format!("random boards of {name}: "));
        let limits = Limits { time: None, nodes: None, depth: None, gauge, ..self.limits.clone() };
        let boards = wall::behind(&format!("boards {name}"), name, &limits, || {
            puzzle.random_boards(costs, seed, &limits).map_err(|none| match none {
                NoBoards::Limit(limit) => Failure::at_limit(name, limit),
                NoBoards::Refused(error) => Failure::from(error).about(name.as_ref()),
            })
        })?;
        let subject =
            |(number, board): (usize, RandomBoard)| Subject { puzzle: board.puzzle, board: Some((number, board.cost)) };
        Ok((1..).zip(boards).map(subject).collect())
    }

    /// Returns the row of a search: that of an earlier run, or else a new one; `None` if a limit ended the check of which
    /// heuristics the puzzle allows.
    fn row(
        &mut self,
        name: &str,
        subject: &Subject,
        contender: &Contender,
        fingerprint: &str,
        display: &Display,
    ) -> Result<Option<SearchRow>, Failure> {
        let (algorithm, heuristic) = (contender.algorithm.name(), contender.reported());
        let unsolved = Unsolved { algorithm: Some(algorithm), heuristic, ..Unsolved::default() };
        let empty = SearchRow::unsolved(&subject.puzzle, &unsolved).of(name, subject.board);
        let is_same =
            |row: &SearchRow| (&row.file, row.board, row.search()) == (&empty.file, empty.board, empty.search());
        if let Some(row) = self.before.next_if(is_same) {
            return Ok(Some(row));
        }
        if let Some(row) = self.resume.as_ref().and_then(|resume| resume.known(fingerprint, &empty)) {
            return Ok(Some(row));
        }
        let title = format!("search {}: ", self.rows.len() + 1);
        let runs = u32::try_from(self.compare.repeat.get()).unwrap_or(u32::MAX);
        let behind = Limits { time: self.limits.time.map(|time| time.saturating_mul(runs)), ..self.limits.clone() };
        let searched = wall::behind(&title, name, &behind, || {
            self.compare.search(&subject.puzzle, contender, display, &title, self.limits)
        });
        let row = match searched {
            Ok(row) => row,
            Err(Failure::Stopped(stopped)) => {
                let stopped = Unsolved { algorithm: Some(algorithm), heuristic, ..stopped.as_unsolved() };
                SearchRow::unsolved(&subject.puzzle, &stopped)
            }
            // A limit may have ended the check of which heuristics the puzzle allows.
            Err(Failure::Refused { .. }) if self.compare.heuristic.is_empty() => return Ok(None),
            Err(failure) => return Err(failure.about(name.as_ref())),
        };
        let row = row.of(name, subject.board);
        if let Some(resume) = &mut self.resume {
            resume.add(fingerprint, &row)?;
        }
        Ok(Some(row))
    }
}

impl Compare {
    /// Runs one search as often as `--repeat` asks. The limits hold for each run.
    fn search(
        &self,
        puzzle: &Puzzle,
        contender: &Contender,
        display: &Display,
        title: &str,
        limits: &Limits,
    ) -> Result<SearchRow, Failure> {
        let mut times = Vec::new();
        loop {
            let solution = puzzle.solve(&Options {
                algorithm: Some(contender.algorithm),
                heuristic: Some(contender.heuristic.clone()),
                weight: self.weight,
                width: self.width,
                limits: Limits { gauge: display.begin(title), ..limits.clone() },
                observer: Some(display.observer()),
                without: self.without.clone(),
                ..Options::default()
            })?;
            let build = solution.build_time();
            times.push(Times { search: solution.time().saturating_sub(build), build });
            if times.len() >= self.repeat.get() || solution.outcome() == Outcome::Limit {
                return Ok(SearchRow::new(puzzle, contender.reported(), &solution, &times));
            }
        }
    }
}
