//! Pictures and films of any puzzle: SVG, still and animated, PNG, GIF, and a page to step through a solution.
//!
//! A [`Film`] consists of the pictures that a domain draws of its positions; this module names no domain. Only the
//! module `svg` decides how things style: PNG and GIF rasterise its drawings, and a page contains them. The same film
//! gives the same bytes on every machine.
//!
//! ```
//! use engine::render::{Film, RenderStyle, SVG, Show};
//! use engine::{Options, Puzzle};
//!
//! let puzzle = Puzzle::load("puzzles/klotski1.toml")?;
//! let solution = puzzle.solve(&Options::default())?;
//! let film = Film::new(puzzle.space("zero")?, &solution.moves(), puzzle.domain().notations)?;
//! let style = RenderStyle { title: puzzle.title().to_owned(), ..RenderStyle::default() };
//! let picture = SVG.picture(&film, Show::After(3), &style)?;
//! assert!(picture.starts_with(b"<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod chart;
mod film;
mod format;
mod gif;
mod goal;
mod html;
mod letters;
mod looks;
mod motion;
mod outline;
mod palette;
mod paths;
mod play;
mod raster;
mod search;
mod svg;
mod text;
mod theme;
mod timeline;
mod titled;
mod vector;

pub use film::{Film, FilmError, Overlay};
pub use format::{PictureFormat, PictureWriter, Scene};
pub use gif::GIF;
pub(crate) use goal::element;
pub use html::HTML;
pub(crate) use html::source;
pub use play::{Answer, Difficulty, Level, play_page};
pub use raster::PNG;
pub use search::{Queue, RecordedNode, SearchEvent, SearchRecord, Slides, recorded, search_page};
pub use theme::Theme;
pub use vector::SVG;

use crate::domain::GoalView;
use crate::output_format::Formats;
use crate::search::Limit;
use std::fmt;

/// All formats of pictures.
pub const FORMATS: Formats<PictureWriter> = &[&SVG, &PNG, &GIF, &HTML];

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
pub struct RenderStyle {
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

impl Default for RenderStyle {
    fn default() -> RenderStyle {
        RenderStyle {
            title: String::new(),
            facts: Vec::new(),
            goal: GoalView::default(),
            in_words: Vec::new(),
            heuristic: "zero".to_owned(),
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

/// Returns a chart as the bytes of a PNG file, twice as large in pixels as the chart is in its units.
///
/// # Errors
/// It would have too many pixels.
pub fn rasterize(chart: &str) -> Result<Vec<u8>, RenderError> {
    raster::png_of_chart(chart)
}
