//! `engine compare`: several searches of one puzzle side by side, or of several puzzles with their statistics.

mod batch;
mod contest;
mod resume;

use super::cache::CacheOption;
use super::costs::Costs;
use super::failure::{Ended, Failure};
use super::groups::{OUTPUT, SEARCH};
use super::limits::{DEPTH_OR_FILE, LimitOptions, at_least_one, interrupt};
use super::loading::{INPUT, LevelsOptions, Reading};
use super::output::{JsonFlag, Output, OutputOption, formats};
use super::plot::Plot;
use super::progress::Display;
use super::solve::{algorithms, weight, width};
use super::streams::Content;
use super::{Status, colours, complain, wall};
use crate::diagnostic::Report;
use crate::domain::clear_tables;
use crate::puzzle::{Loading, Options, Outcome, Puzzle, Solution, SolveError, Source, file_of};
use crate::search::{Algorithm, BeamWidth, Limits, Stats, Weight};
use crate::transcript::Unsolved;
use crate::transcript::batch::{CHARTS, Chart};
use crate::transcript::compare::{Compared, Comparison, ComparisonFormat, FORMATS, SVG, TEXT, TableStyle};
use batch::Targets;
use bytesize::ByteSize;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use contest::Contender;
use serde::Deserialize;
use serde_json::Value;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terminal_size::{Width, terminal_size_of};

/// The default limits of a search.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;

/// Compare algorithms and heuristics: states, time, memory
///
/// Of one puzzle, each search has a row. Of several, of a collection and of random boards, there are tables with the
/// means, medians and totals of each search by the depth of the solution.
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    mut_arg("time_limit", |argument| argument.help(TIME_HELP).long_help(TIME_LONG_HELP)),
    mut_arg("seed", |argument| argument.help(SEED_HELP).long_help(SEED_LONG_HELP)),
    mut_arg("memory_limit", |argument| argument.help(MEMORY_HELP).long_help(MEMORY_HELP)),
    after_help = "The searches run one after the other. Those of one puzzle share nothing: each reads the puzzle and \
                  builds its tables again. Its time includes both. Those of several puzzles share tables, and the times \
                  of building them are listed apart. The limits hold for each search, and for reading each puzzle \
                  before its first one: in all, N searches of one puzzle take at most N + 1 times as long.\n\n\
                  The table marks the least time and the least memory among the searches that proved their answers.\n\n\
                  Exit status: 0 all searches ended, with an answer or at a limit, 2 wrong usage or an invalid file, \
                  3 stopped by a limit before the first search, 130 interrupted, with the finished searches printed. With \
                  several files: the highest of theirs."
)]
pub(super) struct Compare {
    /// Compare the searches on the puzzles in these files: puzzle files, and collections of levels
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    levels: LevelsOptions,
    /// Compare on N random boards of each cost, not on the start of the file; needs --cost
    ///
    /// The boards have the same goal. The least cost of each is proven. If a puzzle has fewer boards of a cost, they
    /// repeat.
    #[arg(long, value_name = "N", requires = "cost", value_parser = at_least_one, help_heading = INPUT)]
    random: Option<NonZero<usize>>,
    /// Draw random boards of these costs: from A to B, every S-th one as A..B/S, or one cost
    #[arg(long, value_name = "A..B", requires = "random", value_parser = clap::value_parser!(Costs), help_heading = INPUT)]
    cost: Option<Costs>,
    /// Compare these algorithms, separated by commas [default: all that can search the puzzle]
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        value_parser = algorithms(),
        ignore_case = true,
        help_heading = SEARCH
    )]
    algorithm: Vec<Algorithm>,
    /// Compare these heuristics, separated by commas [default: all that are admissible for the puzzle]
    ///
    /// Each algorithm that uses a heuristic runs once with each of them. An admissible heuristic never overestimates
    /// the cost to a goal.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = SEARCH)]
    heuristic: Vec<String>,
    /// Multiply the heuristic by W in weighted-a-star, from 1 to 1000 [default: the file's, otherwise 2]
    #[arg(long, value_name = "W", value_parser = weight, help_heading = SEARCH)]
    weight: Option<Weight>,
    /// Keep the N best states of each layer in beam [default: the file's, otherwise 1000]
    #[arg(long, value_name = "N", value_parser = width, help_heading = SEARCH)]
    width: Option<BeamWidth>,
    /// Search without these reductions, separated by commas
    ///
    /// `engine domains NAME` lists those of a domain. The name of a heuristic leaves its stages out of the default search.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = SEARCH)]
    without: Vec<String>,
    /// Run each search N times, and print the median time
    ///
    /// A search that is stopped by a limit runs only once.
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, help_heading = SEARCH)]
    repeat: NonZero<usize>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print the results in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = TEXT.name, help_heading = OUTPUT)]
    format: &'static ComparisonFormat,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
    /// Also draw a chart of states and times into this file, an SVG or a PNG by its extension
    #[arg(long, value_name = "FILE.svg|png", help_heading = OUTPUT)]
    plot: Option<PathBuf>,
    /// Draw this kind of chart with --plot [default: bars for one puzzle, depth for several]
    #[arg(long, value_name = "KIND", requires = "plot", value_parser = charts(), help_heading = OUTPUT)]
    chart: Option<&'static Chart>,
    /// Keep the results of a long comparison in this file, and do not run again what it has
    ///
    /// Each search adds a line when it ends. After an interrupt, the same command goes on.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    resume: Option<PathBuf>,
    /// Leave times and memory out of the table, the chart and CSV
    ///
    /// The rest is the same on every machine. JSON always has times and memory.
    #[arg(long, alias = "counts", help_heading = OUTPUT)]
    no_times: bool,
    // Accepted for uniformity: a comparison reads no stored tables.
    #[command(flatten)]
    _cache: CacheOption,
}

const TIME_HELP: &str = "Stop each search after this time, such as 500ms or 2m; `none` sets no limit [default: 10s]";
const TIME_LONG_HELP: &str = "Stop each search after this time, such as 500ms or 2m; `none` sets no limit [default: 10s]\n\n\
    The time includes reading the file and building tables.";
const MEMORY_HELP: &str = "Stop each search before it uses more memory, such as 512MiB or 4GiB [default: 2GiB]";

const SEED_HELP: &str = "Seed the random boards of --random [default: 0], or the random draws of a game";
const SEED_LONG_HELP: &str = "Seed the random boards of --random [default: 0], or the random draws of a game\n\n\
    For --random: a whole number. The same seed gives the same boards. For PuzzleScript: any text; by default, the \
    file's.";

impl Compare {
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let interrupt = interrupt();
        let mut limits = self.limits.limits_or(TIME, &interrupt);
        limits.memory.get_or_insert(MEMORY);
        if self.format.name != SVG.name {
            self.output.refuse_pictures(|path| format!("draw the table as a chart: `--plot {path}`"))?;
        }
        let mut inputs: Vec<PathBuf> = self.files.iter().map(|file| file_of(file)).collect();
        self.board_seed()?;
        inputs.extend(self.resume.clone());
        let output = self.output.open(&inputs)?;
        let plot = Plot::open(self.plot.as_deref(), &inputs, &output)?;
        // They may not exist yet, and are no inputs then.
        if let Some(resume) = &self.resume
            && (output.is_at(resume) || plot.as_ref().is_some_and(|plot| plot.is_at(resume)))
        {
            let message = "`--resume` names the file that the results are written to";
            return Err(Failure::refused(message, "name another file for `--resume`").about(resume));
        }
        let mut sources = Vec::new();
        for file in &self.files {
            match self.levels.sources(file, &self.limits.reading()) {
                Ok(all) => sources.extend(all.into_iter().map(Ok)),
                Err(report) => sources.push(Err(report)),
            }
        }
        let is_batch = sources.len() > 1 || self.random.is_some() || self.chart.is_some() || self.resume.is_some();
        match sources.pop() {
            Some(source) if !is_batch => {
                self.run_one(&source?, &limits, &interrupt, Targets { output, plot }, started, quiet)
            }
            last => {
                sources.extend(last);
                self.run_batch(sources, &limits, &interrupt, Targets { output, plot }, quiet)
            }
        }
    }

    /// Returns the seed of random boards.
    ///
    /// # Errors
    /// There are random boards, and the seed is not a whole number.
    fn board_seed(&self) -> Result<u64, Failure> {
        let seed = self.levels.reading.options().seed.filter(|_| self.random.is_some());
        let Some(seed) = seed else { return Ok(0) };
        seed.parse().map_err(|_| {
            let message = format!("invalid seed `{seed}` for random boards");
            Failure::refused(message, "name a whole number, such as `--seed 1`")
        })
    }

    /// Returns the options of reading. The seed of random boards is not that of a game.
    fn loading(&self, limits: &Limits) -> Loading {
        let mut loading = self.levels.reading.loading(limits);
        loading.options.seed = loading.options.seed.filter(|_| self.random.is_none());
        loading
    }

    /// Compares the searches on one puzzle.
    fn run_one(
        &self,
        source: &Source,
        limits: &Limits,
        interrupt: &AtomicBool,
        targets: Targets,
        started: Instant,
        quiet: bool,
    ) -> Ended {
        let Targets { mut output, plot } = targets;
        let file = source.name().to_owned();
        let (text, puzzle) = wall::behind("reading", &file, limits, || {
            let text = source.text()?;
            let puzzle = self.loading(limits).parse(&text, &file)?;
            Ok::<_, Report>((text, puzzle))
        })?;
        output.spare(&puzzle)?;
        plot.iter().try_for_each(|plot| plot.spare(&puzzle))?;
        let rest = limits.remaining(&Stats::default(), started.elapsed());
        let compatibility =
            wall::behind("compatibility", &file, &rest, || Ok::<_, Failure>(puzzle.compatibility(&rest)));
        let compatibility = match compatibility? {
            Ok(compatibility) => compatibility,
            Err(limit) => {
                complain(&format!("error: {file}: {} before the first search", limit.words()));
                return Ok(Status::of_limit(limit));
            }
        };
        let refused = |error: SolveError| Failure::from(error).about(file.as_ref());
        puzzle.check_without(&self.without).map_err(refused)?;
        let contenders = self.contenders(&compatibility).map_err(refused)?;
        drop(compatibility);
        let display = Display::new(quiet);
        // A search without a row was refused. The process after the wall takes over the rows.
        let results = wall::results::<Vec<Option<Value>>>();
        let before = results.lock().clone();
        let mut compared: Vec<Compared> =
            before.iter().flatten().filter_map(|row| Compared::deserialize(row).ok()).collect();
        for (number, contender) in (1..).zip(&contenders).skip(before.len()) {
            let title = format!("{number} of {}: ", contenders.len());
            let runs = u32::try_from(self.repeat.get()).unwrap_or(u32::MAX);
            let behind = Limits { time: limits.time.map(|time| time.saturating_mul(runs)), ..limits.clone() };
            let searched = wall::behind(&title, &file, &behind, || {
                let text = Text { text: &text, name: &file };
                Ok::<_, Failure>(self.compete(&puzzle, text, contender, &display, &title, limits))
            });
            let row = match searched {
                Err(Failure::Stopped(stopped)) => {
                    let unsolved = Unsolved {
                        algorithm: Some(contender.algorithm.name()),
                        heuristic: contender.reported(),
                        ..stopped.as_unsolved()
                    };
                    Some(Compared::unsolved(&puzzle, &unsolved))
                }
                searched => match searched? {
                    Ok((solution, times)) => Some(Compared::new(&file, &puzzle, &solution, times)),
                    // A limit may have ended the check of which heuristics the puzzle allows.
                    Err(_) if self.heuristic.is_empty() => None,
                    Err(error) => return Err(refused(error)),
                },
            };
            results.lock().push(row.as_ref().map(serde_json::to_value).transpose().map_err(io::Error::from)?);
            compared.extend(row);
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(display);
        let given = given(limits);
        let format = self.json.choose(FORMATS, self.format);
        let style = self.style(format, &output);
        let comparison = Comparison { puzzle: &puzzle, compared: &compared, given: &given, style };
        // Before the answer: its reader may close the pipe.
        if let Some(plot) = plot {
            plot.draw(|out| (SVG.writer)(out, &comparison))?;
        }
        output.set_content(Content::styled(style.colour));
        (format.writer)(&mut output, &comparison)?;
        output.finish()?;
        Ok(if interrupt.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Good })
    }

    /// Runs one search as often as `--repeat` asks, each time from reading the text on. Returns the solution and the
    /// times. The limits hold for each run.
    fn compete(
        &self,
        puzzle: &Puzzle,
        text: Text,
        contender: &Contender,
        display: &Display,
        title: &str,
        limits: &Limits,
    ) -> Result<(Solution, Vec<Duration>), SolveError> {
        let mut times = Vec::new();
        loop {
            // Tables of another search would save this one time.
            clear_tables();
            let started = Instant::now();
            let anew = self.loading(limits).parse(text.text, text.name);
            // The text is valid. If a limit ended reading it, the search ends at once, of whichever puzzle it is.
            let solution = anew.as_ref().unwrap_or(puzzle).solve(&Options {
                algorithm: Some(contender.algorithm),
                heuristic: Some(contender.heuristic.clone()),
                weight: self.weight,
                width: self.width,
                limits: Limits {
                    gauge: display.begin(title),
                    ..limits.remaining(&Stats::default(), started.elapsed())
                },
                observer: Some(display.observer()),
                without: self.without.clone(),
                ..Options::default()
            })?;
            times.push(started.elapsed());
            if times.len() >= self.repeat.get() || solution.outcome() == Outcome::Limit {
                return Ok((solution, times));
            }
        }
    }

    /// Returns the style of the results. Only a table on a terminal has a width and colours.
    fn style(&self, format: &ComparisonFormat, out: &Output) -> TableStyle {
        let is_table = format.name == TEXT.name && matches!(out, Output::Standard(_));
        let terminal = if is_table { terminal_size_of(io::stdout()) } else { None };
        TableStyle {
            width: terminal.map(|(Width(width), _)| width.into()),
            colour: terminal.is_some() && colours(&io::stdout()),
            counts: self.no_times,
        }
    }
}

/// The text of a puzzle file, and the name of the file.
#[derive(Clone, Copy)]
struct Text<'a> {
    text: &'a str,
    name: &'a str,
}

/// Returns the parser of a value of `--chart`.
fn charts() -> impl TypedValueParser<Value = &'static Chart> {
    let value = |chart: &&Chart| PossibleValue::new(chart.name).help(chart.summary);
    PossibleValuesParser::new(CHARTS.iter().map(value))
        .map(|name| CHARTS.iter().copied().find(|chart| chart.name == name).expect("only known names are possible"))
}

/// Returns the limits of each search, as tables and charts name them.
fn given(limits: &Limits) -> String {
    let time = limits.time.map_or("no time limit".to_owned(), |time| humantime::format_duration(time).to_string());
    let memory = ByteSize(limits.memory.unwrap_or(MEMORY)).display().iec();
    let nodes = limits.nodes.map_or(String::new(), |nodes| format!(", {nodes} expanded states"));
    format!("{time} and {memory}{nodes}")
}
