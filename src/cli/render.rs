//! `engine render`: pictures and films of a puzzle.

use super::cache::CacheOption;
use super::failure::{Ended, Failure};
use super::limits::{LimitOptions, end_at_once, interrupt};
use super::loading::PuzzleFile;
use super::output::Output;
use super::progress::Display;
use super::solve::{algorithms, status};
use super::{Status, complain};
use crate::diagnostic::unknown_name;
use crate::picture::{MOST_CELLS, MOST_FIGURES};
use crate::puzzle::{Options, Outcome, Puzzle, Solution, read_text};
use crate::render::{Film, FilmError, Format, Look, Show, Theme, render};
use crate::search::{Algorithm, Limits, Stats};
use crate::transcript::{Number, outcome};
use crate::verify::moves_of;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Draw a position, or a whole solution: SVG, PNG, GIF, or a page to step through
#[derive(Args)]
#[command(
    after_help = "SVG and PNG show the start, or with --step the position after so many moves; an SVG moves with \
                  --solution. GIF and HTML show the whole solution. Where there is none, the start is drawn.\n\n\
                  Exit status: 0 drawn, 1 proven unsolvable, 2 wrong usage or a bad file, 3 stopped by a limit, 130 \
                  interrupted."
)]
pub(super) struct Render {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Where to draw: a file that ends in .svg, .png, .gif or .html, written whole or not at all; `-` for standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// What to draw [default: as the name of the output ends]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// An SVG in which the solution moves
    #[arg(long, conflicts_with = "step")]
    solution: bool,
    /// The position after N moves of the solution, or `last`
    #[arg(long, value_name = "N", value_parser = step)]
    step: Option<Step>,
    /// Show these moves instead of searching: a transcript as `engine solve` writes it, or the moves themselves
    #[arg(long, value_name = "MOVES|FILE")]
    moves: Option<String>,
    /// How to search [default: what the file says, or else one that proves the shortest solution]
    #[arg(long, value_parser = algorithms(), ignore_case = true)]
    algorithm: Option<Algorithm>,
    /// What guides A*, and what a page shows as h [default: what the file says, or else the domain's]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    cache: CacheOption,
    /// On what ground; `auto` is as the reader prefers in SVG and HTML, and light in PNG and GIF
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// The edge of a cell in pixels [default: as large as is of use]
    #[arg(long, value_name = "PIXELS", value_parser = cell)]
    cell: Option<f64>,
    /// How many times as fast as usual solutions move
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: f64,
}

/// Which position of a solution.
#[derive(Clone, Copy)]
enum Step {
    After(usize),
    Last,
}

/// The line of play that is drawn, and the facts about it.
struct Line {
    moves: Vec<String>,
    heuristic: &'static str,
    /// None where nothing was searched.
    solution: Option<Solution>,
}

impl Render {
    pub fn run(&self, quiet: bool) -> Ended {
        let Some(format) = self.format.or_else(|| format_of(&self.output)) else {
            let valid = Format::value_variants().iter().map(|format| name(*format));
            let ending = self.output.extension().unwrap_or_default().to_string_lossy().into_owned();
            let help = unknown_name(&ending, valid);
            let out = self.output.display();
            let message = format!("{out}: its name does not tell what to draw");
            return Err(Failure::refused(message, format!("{help}, or say --format")));
        };
        let path = Some(self.output.as_path()).filter(|path| *path != Path::new("-"));
        let mut inputs = self.puzzle.as_input().to_vec();
        inputs.extend(self.moves.as_ref().map(PathBuf::from));
        let mut output = Output::open(path, &inputs)?;
        let started = Instant::now();
        let limits = self.limits.limits(&interrupt());
        let puzzle = self.puzzle.load(&limits)?;
        let limits = limits.remaining(&Stats::default(), started.elapsed());
        let drawn = self.draw(&puzzle, format, limits, quiet);
        let (bytes, status) = drawn.map_err(|failure| failure.about(self.puzzle.path()))?;
        output.write_all(&bytes)?;
        output.finish()?;
        Ok(status)
    }

    /// The bytes of the picture, and how solving ended.
    fn draw(&self, puzzle: &Puzzle, format: Format, limits: Limits, quiet: bool) -> Result<(Vec<u8>, Status), Failure> {
        if self.solution && format == Format::Png {
            let help = "ask for an SVG, a GIF or a page, or for one position with --step";
            return Err(Failure::refused("a PNG does not move", help));
        }
        if self.step.is_some() && matches!(format, Format::Gif | Format::Html) {
            let help = "ask for an SVG or a PNG";
            return Err(Failure::refused("--step is for pictures of one position", help));
        }
        let still = matches!(format, Format::Svg | Format::Png) && !self.solution;
        // What cannot be seen need not be searched.
        if puzzle.space("zero")?.picture().is_none() {
            return Err(too_large());
        }
        let line = self.line(puzzle, still && self.step.is_none() && self.moves.is_none(), limits, quiet)?;
        // Drawing looks at no limits.
        end_at_once();
        let film = Film::new(puzzle.space(line.heuristic)?, &line.moves, puzzle.domain().notations);
        let film = film.map_err(|error| match error {
            FilmError::TooLarge => too_large(),
            error => Failure::refused(error.to_string(), "name moves that follow each other from the start".to_owned()),
        })?;
        let show = match (self.step, still) {
            (Some(Step::After(moves)), _) if moves <= film.moves() => Show::After(moves),
            (Some(Step::After(moves)), _) if line.is_one() => {
                let help = format!("a number from 0 to {}, or `last`, would be right", film.moves());
                return Err(Failure::refused(format!("there is no move {moves}: there are {}", film.moves()), help));
            }
            (Some(Step::Last), _) => Show::After(film.moves()),
            (_, true) => Show::After(0),
            (_, false) => Show::All,
        };
        let look = Look {
            title: puzzle.title().to_owned(),
            facts: facts(puzzle, &line, &film),
            heuristic: line.heuristic.to_owned(),
            theme: self.theme,
            cell: self.cell,
            speed: self.speed,
        };
        let bytes = render(&film, format, show, &look).map_err(|error| Failure::refused(error.to_string(), ""))?;
        let status = line.solution.as_ref().map_or(Status::Good, status);
        if let Some(solution) = line.solution.as_ref().filter(|_| status != Status::Good) {
            complain(&format!("{}: {}; the start is drawn", self.puzzle.name(), outcome(solution)));
        }
        Ok((bytes, status))
    }

    /// The moves to draw: none for the start alone, those that were given, or those of a search.
    fn line(&self, puzzle: &Puzzle, is_start: bool, limits: Limits, quiet: bool) -> Result<Line, Failure> {
        let heuristic = puzzle.guide(self.heuristic.as_deref())?;
        if is_start {
            return Ok(Line { moves: Vec::new(), heuristic, solution: None });
        }
        if let Some(moves) = &self.moves {
            return Ok(Line { moves: self.given(puzzle, moves)?, heuristic, solution: None });
        }
        let display = Display::new(quiet);
        let options = Options {
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            limits: Limits { gauge: display.begin(""), ..limits },
            cache: self.cache.folder(),
            observer: Some(display.observer()),
            ..Options::default()
        };
        let solution = puzzle.solve(&options)?;
        let heuristic = solution.heuristic().unwrap_or(heuristic);
        Ok(Line { moves: solution.moves(), heuristic, solution: Some(solution) })
    }

    /// The moves of a transcript, or of the command line.
    fn given(&self, puzzle: &Puzzle, given: &str) -> Result<Vec<String>, Failure> {
        let text = if Path::new(given).is_file() {
            let unreadable = |message| Failure::refused(format!("{given}: {message}"), "");
            read_text(Path::new(given), "a transcript").map_err(unreadable)?
        } else {
            given.to_owned()
        };
        let read = moves_of(puzzle, &self.puzzle.name(), &text);
        read.map_err(|why| {
            Failure::refused(why, "name a transcript that has a solution, or the moves themselves".to_owned())
        })
    }
}

impl Line {
    /// Whether there is a line of play at all: given, or found.
    fn is_one(&self) -> bool {
        self.solution.as_ref().is_none_or(|solution| solution.outcome() == Outcome::Solved)
    }
}

/// The facts on a page, beside the title.
fn facts(puzzle: &Puzzle, line: &Line, film: &Film) -> Vec<(String, String)> {
    let about = puzzle.about();
    let mut facts = vec![("domain", puzzle.domain().name.to_owned()), ("size", puzzle.size())];
    let mut fact = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    fact("metric", puzzle.metric().map(str::to_owned));
    match &line.solution {
        Some(solution) => {
            fact("algorithm", Some(solution.algorithm().name().to_owned()));
            fact(if solution.cost().is_some() { "cost" } else { "outcome" }, Some(outcome(solution)));
        }
        None => fact("cost", Some(format!("{}, of moves that were given", Number(film.cost())))),
    }
    fact("author", about.author.clone());
    fact("source", about.source.clone());
    fact("description", about.description.as_ref().map(|text| text.trim().to_owned()));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn too_large() -> Failure {
    let message = format!(
        "it is too large to be drawn: a picture has at most {MOST_CELLS} cells, and at most {MOST_FIGURES} figures on \
         them"
    );
    Failure::refused(message, "`engine solve` solves it all the same".to_owned())
}

fn name(format: Format) -> &'static str {
    match format {
        Format::Svg => "svg",
        Format::Png => "png",
        Format::Gif => "gif",
        Format::Html => "html",
    }
}

fn format_of(path: &Path) -> Option<Format> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let ending = if ending == "htm" { "html".to_owned() } else { ending };
    Format::value_variants().iter().copied().find(|format| name(*format) == ending)
}

fn step(text: &str) -> Result<Step, String> {
    match (text, text.parse()) {
        ("last", _) => Ok(Step::Last),
        (_, Ok(number)) => Ok(Step::After(number)),
        _ => Err("a number of moves, or `last`, would be right".to_owned()),
    }
}

fn cell(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.01..=4096.0).contains(number));
    number.ok_or_else(|| "a cell has from 0.01 to 4096 pixels".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=20.0).contains(number));
    number.ok_or_else(|| "a speed is a number from 0.1 to 20".to_owned())
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &[Format::Svg, Format::Png, Format::Gif, Format::Html]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Format::Svg => "vector graphics, still or, with --solution, moving",
            Format::Png => "pixels",
            Format::Gif => "pixels that move",
            Format::Html => "a page to step through the solution",
        };
        Some(PossibleValue::new(name(*self)).help(help))
    }
}

impl ValueEnum for Theme {
    fn value_variants<'a>() -> &'a [Theme] {
        &[Theme::Auto, Theme::Light, Theme::Dark]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Theme::Auto => PossibleValue::new("auto"),
            Theme::Light => PossibleValue::new("light"),
            Theme::Dark => PossibleValue::new("dark"),
        })
    }
}
