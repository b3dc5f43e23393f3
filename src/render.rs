//! Pictures and films of any puzzle: SVG, still and animated, PNG, GIF, and a page to step through a solution.
//!
//! A [`Film`] consists of the pictures that a domain draws of its positions; this module names no domain. Only the
//! module `svg` decides how things look: PNG and GIF rasterise its drawings, and a page contains them. The same film
//! gives the same bytes on every machine.
//!
//! ```
//! use engine::render::{Film, Format, Look, Show, render};
//! use engine::{Options, Puzzle};
//!
//! let puzzle = Puzzle::load("puzzles/klotski1.toml")?;
//! let solution = puzzle.solve(&Options::default())?;
//! let film = Film::new(puzzle.space("zero")?, &solution.moves(), puzzle.domain().notations)?;
//! let look = Look { title: puzzle.title().to_owned(), ..Look::default() };
//! let picture = render(&film, Format::Svg, Show::After(3), &look)?;
//! assert!(picture.starts_with(b"<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod chart;
mod film;
mod gif;
mod goal;
mod html;
mod letters;
mod motion;
mod outline;
mod palette;
mod paths;
mod play;
mod raster;
mod svg;
mod text;
mod theme;
mod timeline;
mod titled;

pub use film::{Film, FilmError, Overlay};
pub use play::{Answer, Level, play_page};
pub use theme::Theme;

use crate::domain::GoalView;
use crate::search::{Limit, Stop};
use std::fmt;
use svg::Stage;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics.
    Svg,
    /// A still image in pixels.
    Png,
    /// An animation in pixels.
    Gif,
    /// A page to step through the film.
    Html,
}

/// The part of a film to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The position after a number of moves.
    After(usize),
    /// All positions, one move after the other.
    All,
}

/// The appearance of a film.
#[derive(Clone, Debug)]
pub struct Look {
    /// The title line above it.
    pub title: String,
    /// The facts beside it on a page: names and values.
    pub facts: Vec<(String, String)>,
    /// The goal, which a picture or a page shows beside the board.
    pub goal: GoalView,
    /// The marks and the goal in words, which a page adds to the position as text.
    pub in_words: Vec<String>,
    /// The name of the heuristic whose values a page shows.
    pub heuristic: String,
    /// The background theme.
    pub theme: Theme,
    /// The edge of a cell in pixels; by default, as large as is useful.
    pub cell: Option<f64>,
    /// The speed, as a multiple of the default speed.
    pub speed: f64,
}

impl Default for Look {
    fn default() -> Look {
        let (title, goal, heuristic) = (String::new(), GoalView::default(), "zero".to_owned());
        Look {
            title,
            facts: Vec::new(),
            goal,
            in_words: Vec::new(),
            heuristic,
            theme: Theme::Auto,
            cell: None,
            speed: 1.0,
        }
    }
}

/// The reason why a picture cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    message: String,
    limit: Option<Limit>,
}

impl RenderError {
    fn new(message: impl Into<String>) -> RenderError {
        RenderError { message: message.into(), limit: None }
    }

    /// Returns the limit that ended drawing, if one did.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }
}

impl From<Limit> for RenderError {
    fn from(limit: Limit) -> RenderError {
        RenderError { message: format!("stopped by the limit on {}", limit.name()), limit: Some(limit) }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderError {}

/// The default length of the longer side of a picture, in pixels.
const PNG_SIDE: f64 = 1600.0;
const GIF_SIDE: f64 = 560.0;
/// The largest default edge of a cell, in pixels.
const MAX_CELL: f64 = 128.0;

/// Returns the bytes of a picture. For PNG, [`Show::All`] shows the last position.
///
/// # Errors
/// It would have too many pixels.
///
/// # Panics
/// If `show` asks for a position after more moves than there are.
pub fn render(film: &Film, format: Format, show: Show, look: &Look) -> Result<Vec<u8>, RenderError> {
    render_with(film, format, show, look, &|_, _| {}, &Stop::default())
}

/// Returns the bytes of a picture as [`render`] does. While it draws an animation in pixels, it calls `progress` with
/// the number of positions drawn so far, and of all, and ends where `stop` says so.
///
/// # Errors
/// As [`render`], and the limit that ended drawing.
///
/// # Panics
/// As [`render`].
pub fn render_with(
    film: &Film,
    format: Format,
    show: Show,
    look: &Look,
    progress: &dyn Fn(usize, usize),
    stop: &Stop,
) -> Result<Vec<u8>, RenderError> {
    let theme = if matches!(format, Format::Png | Format::Gif) { look.theme.resolved() } else { look.theme };
    let look = &Look { theme, ..look.clone() };
    let moves = match show {
        Show::After(moves) => moves,
        Show::All => film.moves(),
    };
    let mut stage = Stage::titled(film, look, film.moves() > 0);
    stage.is_square = matches!(format, Format::Png | Format::Gif);
    Ok(match (format, show) {
        (Format::Svg, Show::All) => motion::animated(&stage, pixels(&stage, look, None), look.speed).into_bytes(),
        (Format::Svg, Show::After(_)) => stage.still(moves, pixels(&stage, look, None)).into_bytes(),
        (Format::Png, _) => {
            let pixels = pixels(&stage, look, Some(PNG_SIDE));
            raster::png(&stage.still(moves, pixels), pixels)?
        }
        (Format::Gif, _) => gif::animated(&stage, pixels(&stage, look, Some(GIF_SIDE)), look.speed, progress, stop)?,
        (Format::Html, _) => html::page(film, look).into_bytes(),
    })
}

/// Returns a chart as the bytes of a PNG file, twice as large in pixels as the chart is in its units.
///
/// # Errors
/// It would have too many pixels.
pub fn rasterize(chart: &str) -> Result<Vec<u8>, RenderError> {
    raster::png_of_chart(chart)
}

/// Returns the size of a drawing in pixels. A cell has the edge that `look` sets. Otherwise it has a whole number of
/// pixels such that the longer side is about `side`, or one pixel a unit if there is no `side`.
fn pixels(stage: &Stage, look: &Look, side: Option<f64>) -> (f64, f64) {
    let fitting = |side: f64| {
        let cell = (stage.cell * side / stage.width.max(stage.height)).min(MAX_CELL);
        if cell >= 1.0 { cell.floor() } else { cell }
    };
    let cell = look.cell.or_else(|| side.map(fitting)).unwrap_or(stage.cell);
    let zoom = cell / stage.cell;
    ((stage.width * zoom).round().max(1.0), (stage.height * zoom).round().max(1.0))
}
