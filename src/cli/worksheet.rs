//! `engine worksheet`: exercises in search for paper and pencil, with their answers.

use super::costs::Costs;
use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::loading::{LevelsOptions, Reading as _, UnseededOptions};
use super::new::first_puzzle;
use super::output::{JsonFlag, OutputOption, formats};
use super::{Status, complain, wall};
use crate::domain;
use crate::output_format::named;
use crate::puzzle::{NoBoards, Puzzle, RandomBoard};
use crate::search::{Limits, Stats};
use crate::worksheet::{Exercise, FORMATS, KINDS, Kind, Material, SheetFormat, Worksheet};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The default limits of an exercise.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;

/// The default number of random boards.
const BOARDS: usize = 12;

/// Make a sheet of exercises in search, with the answers
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    after_help = "Each exercise is made within the limits. What cannot be asked about a puzzle is left out, with a note.\n\n\
                  Exit status: 0 made, 2 wrong usage, an invalid file or no exercise, 3 stopped by a limit, 130 interrupted."
)]
pub(super) struct WorksheetCommand {
    /// Make exercises about the puzzles in these files, or with --cost about random boards of a domain
    ///
    /// Files are puzzle files and collections of levels.
    #[arg(required = true, value_name = "FILE|DOMAIN")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    levels: LevelsOptions<UnseededOptions>,
    /// Make exercises of these kinds, separated by commas [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = kinds())]
    exercise: Vec<&'static Kind>,
    /// Make at most N exercises [default: one of each kind about each puzzle; with --cost, 12]
    #[arg(long, value_name = "N")]
    count: Option<NonZero<usize>>,
    /// Take random boards of these least costs, such as 8..20, one an exercise, with the goal of one FILE or of a DOMAIN
    #[arg(long, value_name = "A..B", value_parser = clap::value_parser!(Costs))]
    cost: Option<Costs>,
    /// Ask for the values of these heuristics, separated by commas [default: two of the domain without tables]
    ///
    /// The last of them guides A* and IDA*.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    heuristic: Vec<String>,
    /// Seed the random numbers with S; the same seed gives the same sheet
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print this title above the sheet
    #[arg(long, value_name = "TEXT", default_value = "Exercises in search")]
    title: String,
    #[command(flatten)]
    limits: LimitOptions,
    /// Write the sheet in this format [default: by the ending of the file, otherwise md]
    #[arg(long, value_parser = formats(FORMATS), help_heading = OUTPUT)]
    format: Option<&'static SheetFormat>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
}

/// Returns the parser of kinds of exercises.
fn kinds() -> impl TypedValueParser<Value = &'static Kind> {
    PossibleValuesParser::new(KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary)))
        .map(|name| KINDS.iter().copied().find(|kind| kind.name == name).expect("only known names are possible"))
}

impl WorksheetCommand {
    pub fn run(&self, quiet: bool) -> Ended {
        let interrupt = interrupt();
        let mut limits = self.limits.limits_or(TIME, &interrupt);
        limits.memory.get_or_insert(MEMORY);
        let format = self.json.choose(FORMATS, self.format.unwrap_or_else(|| self.format_of_output()));
        let mut output = self.output.open(&self.files)?;
        let all = KINDS.to_vec();
        let kinds = if self.exercise.is_empty() { &all } else { &self.exercise };
        let exercises = match &self.cost {
            Some(costs) => self.about_boards(&self.boards(*costs, &limits)?, kinds, &limits, quiet)?,
            None => self.about_files(kinds, &limits, quiet)?,
        };
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Status::Interrupted);
        }
        if exercises.is_empty() {
            return Err(Failure::refused(
                "no exercise can be made",
                "name other puzzles, or other kinds by `--exercise`",
            ));
        }
        let sheet = Worksheet { title: self.title.clone(), exercises };
        output.write_all((format.writer)(&sheet).as_bytes())?;
        output.finish()?;
        Ok(Status::Good)
    }

    /// Returns the format that the ending of the output's name says.
    fn format_of_output(&self) -> &'static SheetFormat {
        let ending = self.output.extension();
        let name = if ending == "htm" { "html" } else { &*ending };
        named(FORMATS, name).or_else(|| named(FORMATS, "md")).expect("Markdown is a format")
    }

    /// Makes exercises of all kinds about each puzzle in the files.
    fn about_files(&self, kinds: &[&'static Kind], limits: &Limits, quiet: bool) -> Result<Vec<Exercise>, Failure> {
        let mut sources = Vec::new();
        for file in &self.files {
            sources.extend(self.levels.sources(file, &self.limits.reading())?);
        }
        let most = self.count.map_or(usize::MAX, NonZero::get);
        let mut exercises = Vec::new();
        for (number, source) in (0..).zip(&sources) {
            let load = |limits: &Limits| Ok(Arc::new(self.levels.reading.loading(limits).load_source(source)?));
            for &kind in kinds {
                if exercises.len() < most {
                    let made = self.exercise(kind, source.name(), number, &load, limits)?;
                    exercises.extend(self.unless_left_out(made, source.name(), kind, quiet));
                }
            }
        }
        Ok(exercises)
    }

    /// Makes one exercise about each board. Its kind is the next one that suits the board.
    fn about_boards(
        &self,
        boards: &[RandomBoard],
        kinds: &[&'static Kind],
        limits: &Limits,
        quiet: bool,
    ) -> Result<Vec<Exercise>, Failure> {
        let name = self.files[0].display().to_string();
        let mut next = kinds.iter().copied().cycle();
        let mut exercises = Vec::new();
        for (number, board) in (0..).zip(boards) {
            let load = |_: &Limits| Ok(Arc::clone(&board.puzzle));
            for kind in next.by_ref().take(kinds.len()) {
                let made = self.exercise(kind, &name, number, &load, limits)?;
                if let Some(exercise) = self.unless_left_out(made, &name, kind, quiet) {
                    exercises.push(exercise);
                    break;
                }
            }
        }
        Ok(exercises)
    }

    /// Returns random boards of these costs, one an exercise, the least cost first.
    fn boards(&self, costs: Costs, limits: &Limits) -> Result<Vec<RandomBoard>, Failure> {
        let [file] = &self.files[..] else {
            return Err(Failure::refused("`--cost` takes one puzzle file or the name of one domain", ""));
        };
        let name = file.display().to_string();
        wall::behind("drawing boards", &name, limits, || {
            let loading = self.levels.reading.loading(limits);
            let puzzle = match domain::facts(&name).filter(|_| !file.exists()) {
                Some(facts) => loading.parse(&first_puzzle(facts, facts.name), &name)?,
                None => loading.load_source(&loading.source(file)?)?,
            };
            let count = self.count.map_or(BOARDS, NonZero::get);
            puzzle.random_boards(&costs.spread(count), self.seed, limits).map_err(|none| match none {
                NoBoards::Limit(limit) => Failure::at_limit(&name, limit),
                NoBoards::Refused(error) => Failure::from(error).about(file),
            })
        })
    }

    /// Returns an exercise that could be made. For one that is left out, prints the reason if its kind is named.
    fn unless_left_out(
        &self,
        made: Result<Exercise, String>,
        name: &str,
        kind: &Kind,
        quiet: bool,
    ) -> Option<Exercise> {
        // Of all kinds, few suit every puzzle.
        if let (Err(reason), false, false) = (&made, quiet, self.exercise.is_empty()) {
            complain(&format!("note: {name}: no exercise `{}`: {reason}", kind.name));
        }
        made.ok()
    }

    /// Makes an exercise about the puzzle that `load` returns, or says why there is none.
    fn exercise(
        &self,
        kind: &'static Kind,
        name: &str,
        number: u64,
        load: &dyn Fn(&Limits) -> Result<Arc<Puzzle>, Failure>,
        limits: &Limits,
    ) -> Result<Result<Exercise, String>, Failure> {
        let started = Instant::now();
        wall::behind(&format!("exercise {} {number}", kind.name), name, limits, || {
            let puzzle = load(limits)?;
            self.heuristic.iter().try_for_each(|name| puzzle.heuristic(name).map(drop))?;
            let limits = &limits.remaining(&Stats::default(), started.elapsed());
            let seed = self.seed.wrapping_add(number);
            let material = Material { puzzle: &puzzle, heuristics: &self.heuristic, seed, limits };
            let made = material.task(kind).map(|task| Exercise {
                kind: kind.name,
                file: name.to_owned(),
                title: puzzle.title().to_owned(),
                task,
            });
            Ok::<_, Failure>(made)
        })
    }
}
