//! What the formats of pictures have in common.

use super::svg::Stage;
use super::{Film, RenderError, RenderStyle, Show};
use crate::output_format::OutputFormat;
use crate::search::Stop;

/// A format of pictures. Its name is the usual extension of its files.
pub type PictureFormat = OutputFormat<PictureWriter>;

/// The writer of a format of pictures, and what sets it apart.
pub struct PictureWriter {
    /// Returns the bytes of a picture.
    pub(super) draw: fn(&Scene) -> Result<Vec<u8>, RenderError>,
    /// Another extension of files in this format.
    pub other_extension: Option<&'static str>,
    /// True if it consists of pixels: a terminal cannot show its bytes, and one theme must do for all readers.
    pub is_raster: bool,
    /// True if it can show one position.
    pub is_still: bool,
    /// True if it can show all positions.
    pub is_animated: bool,
}

/// A film to draw, and how.
pub struct Scene<'a> {
    pub(super) film: &'a Film,
    pub(super) style: &'a RenderStyle,
    pub(super) stage: Stage<'a>,
    pub(super) show: Show,
    pub(super) progress: &'a dyn Fn(usize, usize),
    pub(super) stop: &'a Stop,
}

impl PictureFormat {
    /// Returns the format of files with this extension, in any case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<&'static PictureFormat> {
        let extension = extension.to_lowercase();
        let has_it =
            |format: &&&PictureFormat| format.name == extension || format.writer.other_extension == Some(&*extension);
        super::FORMATS.iter().find(has_it).copied()
    }

    /// Returns the bytes of a picture. A format that cannot be animated shows the last position for [`Show::All`].
    ///
    /// # Errors
    /// It would have too many pixels.
    ///
    /// # Panics
    /// If `show` asks for a position after more moves than there are.
    pub fn picture(&self, film: &Film, show: Show, style: &RenderStyle) -> Result<Vec<u8>, RenderError> {
        self.picture_within(film, show, style, &|_, _| {}, &Stop::default())
    }

    /// Returns the bytes of a picture as [`picture`](Self::picture) does. While it draws an animation in pixels, it
    /// calls `progress` with the number of positions drawn so far, and of all, and ends where `stop` says so.
    ///
    /// # Errors
    /// As [`picture`](Self::picture), and the limit that ended drawing.
    ///
    /// # Panics
    /// As [`picture`](Self::picture).
    pub fn picture_within(
        &self,
        film: &Film,
        show: Show,
        style: &RenderStyle,
        progress: &dyn Fn(usize, usize),
        stop: &Stop,
    ) -> Result<Vec<u8>, RenderError> {
        let theme = if self.writer.is_raster { style.theme.resolved() } else { style.theme };
        let style = &RenderStyle { theme, ..style.clone() };
        let mut stage = Stage::titled(film, style, film.moves() > 0);
        stage.is_square = self.writer.is_raster;
        (self.writer.draw)(&Scene { film, style, stage, show, progress, stop })
    }
}

/// The largest default edge of a cell, in pixels.
const MAX_CELL: f64 = 128.0;

impl Scene<'_> {
    /// Returns the number of moves before the position to draw, or before the last one of an animation.
    pub(super) fn moves(&self) -> usize {
        match self.show {
            Show::After(moves) => moves,
            Show::All => self.film.moves(),
        }
    }

    /// Returns the size of the drawing in pixels. A cell has the edge that the look sets. Otherwise it has a whole number
    /// of pixels such that the longer side is about `side`, or one pixel a unit if there is no `side`.
    pub(super) fn pixels(&self, side: Option<f64>) -> (f64, f64) {
        let stage = &self.stage;
        let fitting = |side: f64| {
            let cell = (stage.cell * side / stage.width.max(stage.height)).min(MAX_CELL);
            if cell >= 1.0 { cell.floor() } else { cell }
        };
        let cell = self.style.cell.or_else(|| side.map(fitting)).unwrap_or(stage.cell);
        let zoom = cell / stage.cell;
        ((stage.width * zoom).round().max(1.0), (stage.height * zoom).round().max(1.0))
    }
}
