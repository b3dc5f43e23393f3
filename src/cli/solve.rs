//! `engine solve`: searches, and prints the solutions.

use super::cache::CacheOption;
use super::cluster::ClusterOptions;
use super::failure::{Ended, Failure};
use super::groups::{OUTPUT, SEARCH};
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::loading::{LevelsOptions, Reading};
use super::notation::{self, NotationOption};
use super::output::{JsonFlag, Output, OutputOption, formats};
use super::progress::Display;
use super::streams::Content;
use super::{Status, colours, complain, report, wall};
use crate::diagnostic::{Report, printable};
use crate::domain::TraceReceiver;
use crate::puzzle::{Options, Outcome, Puzzle, Solution, Source};
use crate::search::{Algorithm, AlgorithmFacts, BeamWidth, Limits, Place, ProofLog, Stats, Weight};
use crate::transcript::{
    self, BlankLine, Columns, FORMATS, FileArgument, LINES, MAX_TITLE, Number, SUMMARY, Solved, TEXT, Terminal, Totals,
    TraceWriter, TranscriptFormat, Unsolved, shell_word,
};
use crate::verify::Certificate;
use bytesize::ByteSize;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use terminal_size::{Height, Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// Solve puzzles and print the solutions
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    after_help = "Exit status: 0 solved, 1 proven unsolvable, 2 wrong usage or an invalid file, 3 stopped by a limit, \
                  130 interrupted. With several files: the highest of theirs."
)]
pub(super) struct Solve {
    /// Solve the puzzles in these files: puzzle files, and collections of levels
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    levels: LevelsOptions,
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
    /// Keep the N best states of each layer in beam [default: the file's, otherwise 1000]
    ///
    /// The best are those with the least f = g + h. A wider beam finds shorter solutions, and takes time and memory in
    /// proportion to N.
    #[arg(long, value_name = "N", value_parser = width, help_heading = SEARCH)]
    width: Option<BeamWidth>,
    // An old option, which overrides the key of the file.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", hide = true)]
    automaton: Option<bool>,
    // For the language server, whose readers want the optimum, whatever the file's search proves.
    #[arg(long, hide = true)]
    ignore_search: bool,
    // For the studio, which shows bounds while it waits: progress as lines of JSON before the result.
    #[arg(long, hide = true)]
    events: bool,
    /// Store at most N visited states in dfs, iddfs and ida-star [default: the file's, otherwise automatic]
    ///
    /// The states are stored in a transposition table. When the search reaches a state that the table has dropped, it
    /// searches it again. Automatic means: dfs stores all states, iddfs and ida-star store none.
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    closed_limit: Option<NonZero<usize>>,
    /// Search without these reductions, separated by commas
    ///
    /// `engine domains NAME` lists those of a domain. The answer stays the same, and the search takes longer: for
    /// tests, and to measure what each reduction saves. The name of a heuristic leaves its stages out of the default
    /// search.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = SEARCH)]
    without: Vec<String>,
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
    /// Print solutions in this format [default: lines for collections, summary at a terminal, text elsewhere]
    #[arg(long, value_parser = formats(FORMATS), help_heading = OUTPUT)]
    format: Option<&'static TranscriptFormat>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    notation: NotationOption,
    #[command(flatten)]
    output: OutputOption,
    /// Print the effort of each search on standard error: states, memory, time
    #[arg(long, help_heading = OUTPUT)]
    stats: bool,
    /// Explain why the search was chosen, and what each of its parts saved
    ///
    /// For an unsolvable puzzle, it also shows the position nearest to a goal, and names single changes of the start that
    /// make it solvable. The explanation follows the summary; in JSON it is a field, and in the other formats it goes to
    /// standard error.
    #[arg(long, help_heading = OUTPUT)]
    explain: bool,
    /// Write a certificate of the answer to this file, for others to check
    ///
    /// The certificate of a shortest solution holds the solution and the evidence for its lower bound. `engine verify
    /// --certificate` checks it. The search may be another one than without it, and the solution another one of the
    /// same cost. Only for a single puzzle.
    #[arg(long, value_name = "FILE.json", help_heading = OUTPUT)]
    certificate: Option<PathBuf>,
    /// Write what the search does to this file, as one JSON object a line
    ///
    /// Each expanded state, generated state, duplicate and pruned state is an event, with its position, g, h and f. The
    /// search runs on one thread, with the same answer and the same counts. Only for a single puzzle.
    #[arg(long, value_name = "FILE.jsonl", help_heading = OUTPUT)]
    trace: Option<PathBuf>,
    /// End the trace after N expanded states; the search goes on
    #[arg(long, value_name = "N", requires = "trace", help_heading = OUTPUT)]
    trace_limit: Option<u64>,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    cache: CacheOption,
}

impl Solve {
    pub fn run(&self, quiet: bool) -> Ended {
        let interrupt = interrupt();
        self.output.refuse_pictures(|path| {
            let animated = if path.to_lowercase().ends_with(".svg") { " --solution" } else { "" };
            let [file, path] = [&*self.files[0].display().to_string(), path].map(shell_word);
            format!("draw the solution: `engine render {file} -o {path}{animated}`")
        })?;
        let jobs = Jobs::of(self)?;
        self.check_options(&jobs)?;
        let mut output = self.output.open(&jobs.inputs())?;
        output.set_content(Content::styled(self.terminal().colour));
        let certificate =
            self.certificate.as_deref().map(|path| Output::open(Some(path), &jobs.inputs())).transpose()?;
        certificate.iter().try_for_each(|certificate| certificate.differs_from(&output))?;
        let traced = self.trace.as_deref().map(|path| Output::open(Some(path), &jobs.inputs())).transpose()?;
        for other in traced.iter() {
            other.differs_from(&output)?;
            certificate.iter().try_for_each(|certificate| certificate.differs_from(other))?;
        }
        let tracer = traced.map(|output| Arc::new(TraceWriter::new(output, self.trace_limit)));
        let record: Option<Arc<ProofLog>> = certificate.as_ref().map(|_| Arc::default());
        let mut text = None;
        let mut hints = Hints::default();
        let format = self.format(&jobs);
        // Free memory is measured once, when the program starts.
        let limits = self.limits(&interrupt);
        let writing = Limits { time: None, ..limits.clone() };
        let results = wall::results::<Results>();
        let Results { mut worst, mut before, mut totals, mut has_answer, done } = results.lock().clone();
        has_answer |= format.writer.write_unsolved.is_some();
        let options = self.levels.reading.arguments();
        for (number, job) in jobs.all.iter().enumerate().skip(done) {
            if interrupt.load(Ordering::Relaxed) {
                worst = Status::Interrupted;
                break;
            }
            let name = job.name();
            let solved = self.solve(number, &jobs, &limits, record.as_ref(), tracer.as_ref(), quiet);
            worst = worst.max(match &solved {
                Ok((_, solution)) => status(solution),
                Err(failure) => failure.print(),
            });
            if let Ok((puzzle, _)) = &solved {
                output.spare(puzzle)?;
                certificate.iter().try_for_each(|certificate| certificate.spare(puzzle))?;
                tracer.iter().try_for_each(|tracer| tracer.with_output(|output| output.spare(puzzle)))?;
            }
            if let (Ok((puzzle, solution)), Some(record)) = (&solved, &record) {
                let certificate =
                    Certificate::new(name, puzzle, solution, &record.read())?.without_refused_argument(puzzle, &limits);
                text = Some(certificate.with_pruned(record.pruned().clone()).text());
            }
            has_answer |= solved.is_ok();
            totals.add(solved.as_ref().map(|(_, solution)| solution).map_err(Failure::limit));
            let written = wall::behind(&format!("writing {number}"), name, &writing, || {
                self.write(&mut output, number, &jobs, &mut before, &options, &solved, quiet)
            });
            match written {
                Err(failure @ Failure::Stopped(_)) => worst = worst.max(failure.print()),
                written => written?,
            }
            output.flush()?;
            *results.lock() = Results { worst, before, totals, has_answer, done: number + 1 };
            // A stream that has been read cannot be named again, nor a metric.
            let is_named_again = job.is_file() && !self.levels.reading.has_metric();
            if let (Ok((puzzle, solution)), Some(show), true) = (&solved, format.writer.hints, is_named_again) {
                hints.replace(show, &self.to_write(job, puzzle, solution, &options, Columns::default()));
            }
        }
        if let Some(last_line) = format.writer.last_line {
            writeln!(output, "{}", last_line(&totals, jobs.all.len()))?;
        }
        output.write_all(hints.text().as_bytes())?;
        // Without an answer, that of an earlier run stays.
        if has_answer {
            output.finish()?;
        }
        // After the answer: without one there is nothing to certify.
        if let (Some(mut out), Some(text)) = (certificate, text) {
            out.write_all(text.as_bytes())?;
            out.finish()?;
        }
        if let Some(tracer) = tracer.filter(|_| has_answer).and_then(Arc::into_inner) {
            tracer.finish()?.finish()?;
        }
        Ok(worst)
    }

    /// Returns the format: by default, lines for collections, a summary for a person at a terminal, and the transcript
    /// for everything else.
    fn format(&self, jobs: &Jobs) -> &'static TranscriptFormat {
        let default = match () {
            () if jobs.has_collection => &LINES,
            () if self.is_read_by_a_person() => &SUMMARY,
            () => &TEXT,
        };
        self.json.choose(FORMATS, self.format.unwrap_or(default))
    }

    fn is_read_by_a_person(&self) -> bool {
        !self.output.is_file() && io::stdout().is_terminal()
    }

    /// Returns the terminal that summaries are made for, if standard output is one.
    fn terminal(&self) -> Terminal {
        if self.output.is_file() {
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

    /// Returns a solution as formats take it; `options` are those of reading the file.
    fn to_write<'a>(
        &self,
        job: &'a Job,
        puzzle: &'a Puzzle,
        solution: &'a Solution,
        options: &'a str,
        columns: Columns,
    ) -> Solved<'a> {
        Solved {
            file: FileArgument { file: job.name(), options },
            puzzle,
            solution,
            notation: self.notation.of(puzzle).unwrap_or_default(),
            terminal: self.terminal(),
            columns,
        }
    }

    /// Refuses options that exclude each other.
    fn check_options(&self, jobs: &Jobs) -> Result<(), Failure> {
        let one_by_one = "solve the puzzles one by one";
        let is_shared = self.cluster.is_shared();
        let format = self.format(jobs);
        let without_moves = format!("the format `{}` does not print the moves of `--all`", format.name);
        let (message, help) = if self.all.is_some() && !format.writer.has_moves {
            (&*without_moves, "add `--format text` or `--json`")
        } else if self.certificate.is_some() && jobs.all.len() > 1 {
            ("`--certificate` takes one puzzle", one_by_one)
        } else if self.trace.is_some() && jobs.all.len() > 1 {
            ("`--trace` takes one puzzle", one_by_one)
        } else if self.trace.is_some() && (self.count || self.all.is_some()) {
            ("`--trace` cannot be combined with `--count` or `--all`", "leave out `--count` and `--all`")
        } else if self.trace.is_some() && (is_shared || self.cluster.disk().is_some()) {
            ("`--trace` is for searches in memory", "leave out `--disk`, `--hosts` and `--workers`")
        } else if self.cluster.disk().is_some() && jobs.all.len() > 1 {
            ("`--disk` takes one puzzle", one_by_one)
        } else if !is_shared
            && self.cluster.disk().is_some()
            && (self.certificate.is_some() || self.count || self.all.is_some())
        {
            ("`--disk` cannot be combined with `--certificate`, `--count` or `--all`", "leave out `--disk`")
        } else if is_shared && jobs.all.len() > 1 {
            ("`--hosts` and `--workers` take one puzzle", one_by_one)
        } else if is_shared && (self.certificate.is_some() || self.count || self.all.is_some()) {
            let message = "`--hosts` and `--workers` cannot be combined with `--certificate`, `--count` or `--all`";
            (message, "leave out `--hosts` and `--workers`")
        } else {
            return Ok(());
        };
        Err(Failure::refused(message, help))
    }

    /// Prints the notes on a result to standard error.
    fn notes(&self, name: &str, solved: &Result<(Puzzle, Solution), Failure>, quiet: bool) {
        let Ok((puzzle, solution)) = solved else { return };
        if self.stats {
            complain(&stats(name, solution));
        }
        let alone = self.cluster.disk().filter(|_| !self.cluster.is_shared());
        if let (Some(folder), Some(_), false) = (alone, solution.limit(), quiet) {
            complain(&format!("note: the layers so far are in {}; run the same command to resume", folder.display()));
        }
        if let Some(note) = solution.note() {
            complain(&format!("note: {note}"));
        }
        if quiet {
            return;
        }
        // No solution, or one of no moves, may come from a mistake in the file.
        let surprises = solution.outcome() == Outcome::Unsolvable || solution.cost() == Some(0.0);
        if (surprises || puzzle.has_certain_warnings()) && !puzzle.warnings().diagnostics().is_empty() {
            report(puzzle.warnings());
        }
    }

    /// Writes the result for one puzzle. `before` is true if the moves written last have one move per line, none if no
    /// moves were written.
    #[expect(clippy::too_many_arguments)]
    fn write(
        &self,
        out: &mut Output,
        number: usize,
        jobs: &Jobs,
        before: &mut Option<bool>,
        options: &str,
        solved: &Result<(Puzzle, Solution), Failure>,
        quiet: bool,
    ) -> io::Result<()> {
        let (format, job) = (self.format(jobs), &jobs.all[number]);
        // A file of lines is the same on every run.
        let columns = Columns { time: self.is_read_by_a_person(), ..jobs.columns };
        match solved {
            Ok((puzzle, solution)) => {
                self.notes(job.name(), solved, quiet);
                print_beside(job.name(), format, solution);
                let to_write = self.to_write(job, puzzle, solution, options, columns);
                let is_apart = match format.writer.blank_line {
                    BlankLine::Always => number > 0,
                    BlankLine::AroundLists if jobs.all.len() > 1 && solution.route().is_some() => {
                        let is_list = transcript::has_one_move_a_line(puzzle, solution, to_write.notation);
                        before.replace(is_list).is_some_and(|before| before || is_list)
                    }
                    BlankLine::AroundLists | BlankLine::Never => false,
                };
                if is_apart {
                    writeln!(out)?;
                }
                format.write(out, &to_write)
            }
            Err(failure) => {
                let Some(write) = format.writer.write_unsolved else { return Ok(()) };
                let (title, messages) = (job.title().unwrap_or_default(), failure.messages());
                let unsolved = match failure {
                    Failure::Stopped(stopped) => stopped.as_unsolved(),
                    failure => Unsolved { limit: failure.limit(), ..Unsolved::default() },
                };
                write(out, &Unsolved { file: job.name(), title: &title, error: Some(&messages), columns, ..unsolved })
            }
        }
    }

    /// Returns the limits on reading and solving a file.
    fn limits(&self, interrupt: &Arc<AtomicBool>) -> Limits {
        Limits { closed: self.closed_limit, ..self.limits.limits(interrupt) }
    }

    /// Solves one puzzle, with the wall behind its limits.
    fn solve(
        &self,
        number: usize,
        jobs: &Jobs,
        limits: &Limits,
        record: Option<&Arc<ProofLog>>,
        tracer: Option<&Arc<TraceWriter<Output>>>,
        quiet: bool,
    ) -> Result<(Puzzle, Solution), Failure> {
        let started = Instant::now();
        let source = match &jobs.all[number] {
            Job::Puzzle(source) => source,
            Job::Unreadable(_, report) => return Err(report.clone().into()),
        };
        let display = if self.events { Display::of_lines() } else { Display::new(quiet) };
        let one_of_many = if jobs.all.len() > 1 { format!("{}: ", source.name()) } else { String::new() };
        // The wall needs the proven bound, whether progress is shown or not.
        let gauge = display.begin(&one_of_many).unwrap_or_default();
        let limits = Limits { gauge: Some(gauge), proof_log: record.cloned(), ..limits.clone() };
        // Processes that search together end together.
        let behind = if self.cluster.is_shared() { Limits::default() } else { limits.clone() };
        wall::behind(&number.to_string(), source.name(), &behind, || {
            self.solve_within(source, &limits, tracer, started, &display, quiet)
        })
    }

    fn solve_within(
        &self,
        source: &Source,
        limits: &Limits,
        tracer: Option<&Arc<TraceWriter<Output>>>,
        started: Instant,
        display: &Display,
        quiet: bool,
    ) -> Result<(Puzzle, Solution), Failure> {
        let file = source.name().as_ref();
        let puzzle = self.levels.reading.loading(&self.cluster.on_reading(limits)).load_source(source)?;
        if let Some(warnings) = puzzle.level_warnings().filter(|_| !quiet) {
            report(warnings);
        }
        self.notation.of(&puzzle).map_err(|failure| failure.about(file))?;
        if let Some(notation) = self.format.and_then(|format| format.writer.notation) {
            notation::check(&puzzle, notation).map_err(|failure| failure.about(file))?;
        }
        let place = self.cluster.place(&puzzle, &self.limits)?;
        // What the file claims about the number is shown, as in the snapshot of `engine test`, unless another search is asked
        // for.
        let is_usual = matches!(place, Place::Memory) && self.algorithm.is_none() && self.heuristic.is_none();
        let counts = self.count || is_usual && puzzle.expect().unique.is_some();
        let options = Options {
            place,
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            given: None,
            weight: self.weight,
            width: self.width,
            automaton: self.automaton,
            all_shortest: self.all.map(NonZero::get).or(counts.then_some(0)),
            after: Vec::new(),
            limits: limits.remaining(&Stats::default(), started.elapsed()),
            cache: self.cache.folder(),
            observer: Some(display.observer()),
            trace: tracer.map(|tracer| Arc::clone(tracer) as Arc<dyn TraceReceiver>),
            explain: self.explain,
            without: self.without.clone(),
            ignores_file: self.ignore_search,
        };
        let solution = puzzle.solve(&options).map_err(|error| Failure::from(error).about(file))?;
        Ok((puzzle, solution))
    }
}

/// A puzzle to solve.
enum Job {
    Puzzle(Source),
    /// A collection that cannot be read, by its path.
    Unreadable(String, Report),
}

impl Job {
    /// Returns the name in results.
    fn name(&self) -> &str {
        match self {
            Job::Puzzle(source) => source.name(),
            Job::Unreadable(path, _) => path,
        }
    }

    /// Returns the title, if it is known before the puzzle is read.
    fn title(&self) -> Option<String> {
        match self {
            Job::Puzzle(source) => source.title(),
            Job::Unreadable(..) => None,
        }
    }

    fn is_file(&self) -> bool {
        match self {
            Job::Puzzle(source) => source.path().is_file(),
            Job::Unreadable(..) => false,
        }
    }
}

/// The puzzles to solve.
struct Jobs {
    all: Vec<Job>,
    /// True if a file has several of them.
    has_collection: bool,
    columns: Columns,
}

impl Jobs {
    /// Returns the puzzles in the files: the collections are read, the puzzle files are not.
    fn of(solve: &Solve) -> Result<Jobs, Failure> {
        let mut jobs = Jobs { all: Vec::new(), has_collection: false, columns: Columns::default() };
        for file in &solve.files {
            match solve.levels.sources(file, &solve.limits.reading()) {
                Ok(sources) => {
                    jobs.has_collection |= sources.len() > 1;
                    jobs.all.extend(sources.into_iter().map(Job::Puzzle));
                }
                Err(report) => jobs.all.push(Job::Unreadable(file.display().to_string(), report)),
            }
        }
        for job in &jobs.all {
            let title = job.title().map_or(0, |title| printable(&title).width());
            jobs.columns.name = jobs.columns.name.max(printable(job.name()).width());
            jobs.columns.title = jobs.columns.title.max(title.min(MAX_TITLE));
        }
        Ok(jobs)
    }

    /// Returns the files, which no output may replace.
    fn inputs(&self) -> Vec<PathBuf> {
        let path = |job: &Job| match job {
            Job::Puzzle(source) => source.path().to_owned(),
            Job::Unreadable(path, _) => path.into(),
        };
        self.all.iter().map(path).collect()
    }
}

/// The results so far.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Results {
    worst: Status,
    /// True if the moves written last have one move per line; `None` if no moves were written.
    before: Option<bool>,
    totals: Totals,
    /// True if there is an answer to write.
    has_answer: bool,
    /// The number of puzzles whose results are written.
    done: usize,
}

/// The commands that a summary ends with: those of the last puzzle with a solution, or else of the last one.
#[derive(Default)]
struct Hints {
    text: String,
    is_solved: bool,
}

impl Hints {
    fn replace(&mut self, show: fn(&Solved) -> String, solved: &Solved) {
        let is_solved = solved.solution.route().is_some();
        if is_solved || !self.is_solved {
            *self = Hints { text: show(solved), is_solved };
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

/// Reads a value of `--width`.
pub(super) fn width(text: &str) -> Result<BeamWidth, String> {
    let width = text.parse().ok().and_then(BeamWidth::new);
    width.ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

/// Returns the exit status for a solution.
pub(super) fn status(solution: &Solution) -> Status {
    match (solution.outcome(), solution.limit()) {
        (Outcome::Solved, _) => Status::Good,
        (Outcome::Unsolvable, _) => Status::No,
        (Outcome::Limit, limit) => limit.map_or(Status::Stopped, Status::of_limit),
    }
}

/// Prints the facts and the explanation that a format has no room for to standard error.
fn print_beside(name: &str, format: &TranscriptFormat, solution: &Solution) {
    let facts = transcript::facts_for_stderr(format, solution);
    let has_room = format.writer.content >= transcript::Content::Explanation;
    let explanation = if has_room { String::new() } else { transcript::explanation(solution) };
    let lines = facts.iter().map(String::as_str).chain(explanation.lines());
    lines.for_each(|line| complain(&format!("{name}: {line}")));
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
        Number(stats.depth),
        ByteSize(stats.memory),
        seconds * 1e3,
    )
}

/// Returns the parser of a value of `--algorithm`.
pub(super) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let value = |facts: &&AlgorithmFacts| {
        PossibleValue::new(facts.name).aliases(facts.aliases.iter().copied()).help(facts.help)
    };
    let depth_limited = PossibleValue::new("depth-limited").alias("dls").hide(true);
    PossibleValuesParser::new(Algorithm::ALL.iter().map(value).chain([depth_limited]))
        .try_map(|name| Algorithm::named(&name).ok_or("depth-limited search is `dfs` with `--depth-limit N`"))
}
