//! `engine render`: pictures and animations of a puzzle.

mod game;
mod searches;

use super::cache::CacheOption;
use super::failure::{Ended, Failure};
use super::groups::{OUTPUT, SEARCH};
use super::limits::{DEPTH_OR_FILE, LimitOptions, end_at_once, interrupt};
use super::loading::PuzzleFile;
use super::moves::given;
use super::output::{Output, formats};
use super::progress::Display;
use super::solve::{algorithms, status};
use super::streams::Content;
use super::{Status, complain, wall};
use crate::argument::listed;
use crate::diagnostic::unknown_name;
use crate::domain::Progress;
use crate::picture::{MOST_CELLS, MOST_FIGURES, Paint};
use crate::puzzle::{OVERLAYS, Options, Outcome, Property, Puzzle, Solution};
use crate::render::{FORMATS, Film, FilmError, Overlay, PictureFormat, PictureWriter, RenderStyle, Show, Theme};
use crate::search::{Algorithm, Limits, Stats, Stop};
use crate::transcript::{Number, outcome};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Draw a position or a solution: SVG, PNG, GIF or an interactive HTML page
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    after_help = "SVG and PNG show the start; with --step N, the position after N moves. With --solution, an SVG is animated. \
                  GIF and HTML show the whole solution. If no solution is found, the start is drawn.\n\n\
                  Exit status: 0 drawn, 1 proven unsolvable, 2 wrong usage or an invalid file, 3 stopped by a limit, 130 \
                  interrupted."
)]
pub(super) struct Render {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Search with this algorithm [default: the file's, otherwise one that proves the shortest solution]
    #[arg(long, value_name = "NAME", value_parser = algorithms(), ignore_case = true, help_heading = SEARCH)]
    algorithm: Option<Algorithm>,
    /// Guide the search by this heuristic, and show its values in HTML [default: the file's, otherwise the domain's]
    #[arg(long, value_name = "NAME", help_heading = SEARCH)]
    heuristic: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Draw into this file, whose name ends in .svg, .png, .gif or .html; `-` is standard output
    ///
    /// The file is written completely or not at all.
    #[arg(long, short, value_name = "OUT", required_unless_present = "frames", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Draw in this format [default: by the ending of OUT]
    #[arg(long, value_parser = formats(FORMATS), help_heading = OUTPUT)]
    format: Option<&'static PictureFormat>,
    /// Make a page in HTML to play the puzzle, or all puzzles in a folder or a collection
    ///
    /// By default, the work on each of several puzzles ends after 10 s, and the search for its solution after 2,000,000
    /// expanded states or 256 MiB. The page has no solution then, and no optimum.
    #[arg(long, conflicts_with_all = ["solution", "step", "overlay"], help_heading = OUTPUT)]
    play: bool,
    /// With --play: rate the puzzles, order the menu by difficulty, easy ones first, and show it by stars
    ///
    /// The puzzles of a folder stay together, and so do those of a domain in it: only these can be compared. Of the puzzles
    /// of a domain, the easiest fifth has one star, the hardest five.
    #[arg(long, requires = "play", help_heading = OUTPUT)]
    stars: bool,
    /// Show these searches step by step, separated by commas
    ///
    /// A page in HTML plays them side by side: the map or the tree of positions, the frontier and the counters after each
    /// expansion. SVG and PNG show one moment or several, GIF all. Each algorithm that uses a heuristic runs once with
    /// each of those in `--heuristic`, separated by commas.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        value_parser = algorithms(),
        ignore_case = true,
        conflicts_with_all = ["play", "solution", "step", "overlay", "replay", "algorithm"],
        help_heading = OUTPUT
    )]
    search: Vec<Algorithm>,
    /// With --search, draw the searches after these numbers of expansions, separated by commas [default: at the end]
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "search", help_heading = OUTPUT)]
    at: Vec<usize>,
    /// With --search, draw each expansion as a PNG in this new folder
    ///
    /// At most 1,000 pictures, at regular intervals. Their names are the numbers of expansions.
    #[arg(long, value_name = "DIR", requires = "search", conflicts_with_all = ["output", "format", "at"], help_heading = OUTPUT)]
    frames: Option<PathBuf>,
    /// With --search, record each search until it has expanded N states; it goes on to its answer
    #[arg(long, value_name = "N", default_value = "20000", requires = "search", help_heading = OUTPUT)]
    trace_limit: u64,
    /// Animate the solution in an SVG
    #[arg(long, conflicts_with = "step", help_heading = OUTPUT)]
    solution: bool,
    /// Draw the position after N moves of the solution; `last` is the position at its end
    #[arg(long, value_name = "N", value_parser = step, help_heading = OUTPUT)]
    step: Option<ShownPosition>,
    /// Show these moves instead of searching for a solution
    ///
    /// Give the moves themselves, or a file with the output of `engine solve` in the format text, moves or json.
    #[arg(long, alias = "moves", value_name = "MOVES|FILE", help_heading = OUTPUT)]
    replay: Option<String>,
    /// Tint what the rules imply about places; several with commas
    ///
    /// Not every puzzle has them: `engine show` prints what was found.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = overlays(), help_heading = OUTPUT)]
    overlay: Vec<String>,
    /// Draw on a light or a dark background, or with strong contrasts
    ///
    /// `auto` follows the reader's settings in SVG and HTML, and is light in PNG and GIF. `contrast` is black on white
    /// with hues that colour-blind readers tell apart.
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    theme: Theme,
    /// Draw each cell with edges of this length in pixels [default: fits the size of the board]
    #[arg(long, value_name = "PIXELS", value_parser = cell, help_heading = OUTPUT)]
    cell: Option<f64>,
    /// Play the solution this many times as fast, from 0.1 to 20
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed, help_heading = OUTPUT)]
    speed: f64,
    #[command(flatten)]
    cache: CacheOption,
}

/// A position of a solution.
#[derive(Clone, Copy)]
enum ShownPosition {
    After(usize),
    Last,
}

/// The moves to draw, and the facts about them.
struct Line {
    moves: Vec<String>,
    heuristic: &'static str,
    /// None if the moves are not those of a search.
    solution: Option<Solution>,
}

impl Render {
    pub fn run(&self, quiet: bool) -> Ended {
        if let Some(folder) = &self.frames {
            return self.frames(folder, quiet);
        }
        let out = self.output.as_deref().unwrap_or(Path::new("-"));
        let Some(format) = self.format.or_else(|| format_of(out)) else {
            let valid = FORMATS.iter().map(|format| format.name);
            let ending = out.extension().unwrap_or_default().to_string_lossy().into_owned();
            let help = unknown_name(&ending, valid);
            let out = out.display();
            let message = match &*ending {
                "" => format!("{out}: missing file name extension"),
                ending => format!("{out}: unknown file name extension `{ending}`"),
            };
            return Err(Failure::refused(message, format!("{help}, or add `--format`")));
        };
        let mut inputs = self.puzzle.as_input();
        inputs.extend(self.replay.as_ref().map(PathBuf::from));
        let mut output = Output::open(Some(out), &inputs)?;
        if format.writer.is_raster {
            output.set_content(Content::Bytes);
        }
        let started = Instant::now();
        let interrupt = interrupt();
        let limits = self.limits.limits(&interrupt);
        let (bytes, status) = if self.play {
            self.game(format, &interrupt, quiet)?
        } else {
            let name = self.puzzle.name();
            let reading = self.limits.reading();
            let puzzle = wall::behind("reading", &name, &reading, || {
                self.puzzle.load(&Limits { interrupt: limits.interrupt.clone(), ..reading.clone() })
            })?;
            output.spare(&puzzle)?;
            let limits = limits.remaining(&Stats::default(), started.elapsed());
            // Drawing takes its time from the same limit.
            let stop = limits.stop();
            let drawn =
                wall::behind("drawing", &name, &limits, || self.draw(&puzzle, format, limits.clone(), &stop, quiet));
            drawn.map_err(|failure| failure.about(&self.puzzle.path()))?
        };
        output.write_all(&bytes)?;
        output.finish()?;
        Ok(status)
    }

    /// Returns the bytes of the picture, and the exit status.
    fn draw(
        &self,
        puzzle: &Puzzle,
        format: &PictureFormat,
        limits: Limits,
        stop: &Stop,
        quiet: bool,
    ) -> Result<(Vec<u8>, Status), Failure> {
        let PictureWriter { is_still, is_animated, .. } = format.writer;
        if self.solution && !is_animated {
            let help = format!("use {}, or draw one position with `--step`", names(" or ", |other| other.is_animated));
            return Err(Failure::refused(format!("a {} cannot be animated", format.name.to_uppercase()), help));
        }
        if self.step.is_some() && !is_still {
            let animated = names(" and ", |other| !other.is_still);
            let message = format!("`--step` draws one position, but {animated} show all");
            return Err(Failure::refused(message, format!("use {}", names(" or ", |other| other.is_still))));
        }
        if !self.search.is_empty() {
            return self.searches(puzzle, format, &limits, stop, quiet);
        }
        let still = is_still && !self.solution;
        // A puzzle that is too large to draw need not be searched.
        if puzzle.space("zero")?.picture().is_none() {
            return Err(too_large());
        }
        let overlays = self.overlays(puzzle)?;
        let line = self.line(puzzle, still && self.step.is_none() && self.replay.is_none(), limits, quiet)?;
        // Not all drawing polls the interrupt.
        end_at_once();
        let film = Film::within(puzzle.space(line.heuristic)?, &line.moves, puzzle.domain().notations, stop);
        let film = film.map_err(|error| match error {
            FilmError::Limit(limit) => Failure::at_limit(&self.puzzle.name(), limit),
            FilmError::TooLarge => too_large(),
            error => Failure::refused(error.to_string(), "give moves that follow each other from the start".to_owned()),
        })?;
        let film = film.with_overlays(overlays);
        let show = match (self.step, still) {
            (Some(ShownPosition::After(moves)), _) if moves <= film.moves() => Show::After(moves),
            (Some(ShownPosition::After(moves)), _) if line.is_one() => {
                let help = format!("expected a number from 0 to {}, or `last`", film.moves());
                return Err(Failure::refused(format!("invalid value `{moves}` for `--step`"), help));
            }
            (Some(ShownPosition::Last), _) => Show::After(film.moves()),
            (_, true) => Show::After(0),
            (_, false) => Show::All,
        };
        let style = self.style(puzzle, line.heuristic, facts(puzzle, &line, Some(&film)));
        let display = Display::new(quiet);
        display.begin("");
        let observer = display.observer();
        let progress = |done: usize, total: usize| {
            observer.progress(&Progress { what: "drawing".to_owned(), done: done as u64, total: total as u64 });
        };
        let bytes = format.picture_within(&film, show, &style, &progress, stop);
        drop(display);
        let bytes = bytes.map_err(|error| match error.limit() {
            Some(limit) => Failure::at_limit(&self.puzzle.name(), limit),
            None => Failure::refused(error.to_string(), ""),
        })?;
        let status = line.solution.as_ref().map_or(Status::Good, status);
        if let Some(solution) = line.solution.as_ref().filter(|_| status != Status::Good) {
            complain(&format!("{}: {}; the start is drawn", self.puzzle.name(), outcome(solution)));
        }
        Ok((bytes, status))
    }

    fn style(&self, puzzle: &Puzzle, heuristic: &str, facts: Vec<(String, String)>) -> RenderStyle {
        let (title, heuristic) = (puzzle.title().to_owned(), heuristic.to_owned());
        let (goal, in_words) = (puzzle.goal(), Vec::new());
        RenderStyle { title, facts, goal, in_words, heuristic, theme: self.theme, cell: self.cell, speed: self.speed }
    }

    /// Returns the overlays that were asked for.
    fn overlays(&self, puzzle: &Puzzle) -> Result<Vec<Overlay>, Failure> {
        let mut overlays: Vec<Overlay> = Vec::new();
        let properties = if self.overlay.is_empty() { Vec::new() } else { puzzle.properties() };
        for name in &self.overlay {
            let of_name = |property: &&Property| property.name == name && !property.cells.is_empty();
            let found: Vec<&Property> = properties.iter().filter(of_name).collect();
            if found.is_empty() {
                return Err(no_overlay(name, &properties));
            }
            for property in found {
                let legend = property.legend.clone().unwrap_or_default();
                let paint = if overlays.is_empty() { Paint::Accent } else { Paint::Hue(overlays.len() - 1) };
                overlays.push(Overlay { cells: property.cells.clone(), legend, paint, is_crossed: name == "dead" });
            }
        }
        Ok(overlays)
    }

    /// Returns the moves to draw: none for the start alone, those of `--replay`, or those of a search.
    fn line(&self, puzzle: &Puzzle, is_start: bool, limits: Limits, quiet: bool) -> Result<Line, Failure> {
        let heuristic = puzzle.guide(self.heuristic.as_deref())?;
        if is_start {
            return Ok(Line { moves: Vec::new(), heuristic, solution: None });
        }
        if let Some(moves) = &self.replay {
            return Ok(Line { moves: given(puzzle, &self.puzzle.name(), moves)?, heuristic, solution: None });
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
}

impl Line {
    /// Returns whether there are moves: given, or found by the search.
    fn is_one(&self) -> bool {
        self.solution.as_ref().is_none_or(|solution| solution.outcome() == Outcome::Solved)
    }
}

/// Returns the facts that a page shows beside the title.
fn facts(puzzle: &Puzzle, line: &Line, film: Option<&Film>) -> Vec<(String, String)> {
    let about = puzzle.about();
    let mut facts = vec![("domain", puzzle.domain().name.to_owned()), ("size", puzzle.size())];
    let mut fact = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    fact("metric", puzzle.metric().map(str::to_owned));
    fact("seed", puzzle.seed().map(str::to_owned));
    match &line.solution {
        Some(solution) => {
            fact("algorithm", Some(solution.algorithm().name().to_owned()));
            fact(if solution.cost().is_some() { "cost" } else { "outcome" }, Some(outcome(solution)));
        }
        None => fact("cost", film.map(|film| format!("{}, of moves that were given", Number(film.cost())))),
    }
    film.into_iter().flat_map(Film::legends).for_each(|legend| fact("overlay", Some(legend.to_owned())));
    fact("author", about.author.clone());
    fact("source", about.source.clone());
    fact("description", about.description.as_ref().map(|text| text.trim().to_owned()));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn too_large() -> Failure {
    let message =
        format!("the puzzle is too large to draw: a picture has at most {MOST_CELLS} cells and {MOST_FIGURES} figures");
    Failure::refused(message, "solve it with `engine solve`".to_owned())
}

/// Returns the error for an overlay that the puzzle does not have.
fn no_overlay(name: &str, properties: &[Property]) -> Failure {
    let drawn: BTreeSet<&str> =
        properties.iter().filter(|property| !property.cells.is_empty()).map(|property| property.name).collect();
    let what = OVERLAYS.iter().find(|overlay| overlay.name == name).map_or("", |overlay| overlay.summary);
    let help = match drawn.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>() {
        none if none.is_empty() => "leave out `--overlay`: the engine found nothing to tint in this puzzle".to_owned(),
        names => format!("this puzzle has {}", listed(&names, usize::MAX)),
    };
    Failure::refused(format!("no overlay `{name}` for this puzzle: the engine found none of {what}"), help)
}

/// Returns the parser of a value of `--overlay`.
fn overlays() -> PossibleValuesParser {
    PossibleValuesParser::new(OVERLAYS.iter().map(|overlay| PossibleValue::new(overlay.name).help(overlay.summary)))
}

/// Returns the names of some formats as a phrase, joined by commas and before the last by `and`.
fn names(and: &str, is_one: impl Fn(&PictureWriter) -> bool) -> String {
    let names: Vec<String> =
        FORMATS.iter().filter(|format| is_one(&format.writer)).map(|format| format.name.to_uppercase()).collect();
    match &*names {
        [first @ .., last] if !first.is_empty() => first.join(", ") + and + last,
        few => few.concat(),
    }
}

fn format_of(path: &Path) -> Option<&'static PictureFormat> {
    PictureFormat::of_extension(path.extension()?.to_str()?)
}

fn step(text: &str) -> Result<ShownPosition, String> {
    match (text, text.parse()) {
        ("last", _) => Ok(ShownPosition::Last),
        (_, Ok(number)) => Ok(ShownPosition::After(number)),
        _ => Err("expected a number of moves, or `last`".to_owned()),
    }
}

fn cell(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.01..=4096.0).contains(number));
    number.ok_or_else(|| "expected a number of pixels from 0.01 to 4096".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=20.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 20".to_owned())
}

impl ValueEnum for Theme {
    fn value_variants<'a>() -> &'a [Theme] {
        &[Theme::Auto, Theme::Light, Theme::Dark, Theme::Contrast]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Theme::Auto => PossibleValue::new("auto"),
            Theme::Light => PossibleValue::new("light"),
            Theme::Dark => PossibleValue::new("dark"),
            Theme::Contrast => PossibleValue::new("contrast"),
        })
    }
}
