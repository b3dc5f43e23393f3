//! The option `--plot`: a chart in a file of its own, as SVG or as PNG by the file's name.

use super::failure::Failure;
use super::output::Output;
use crate::diagnostic::unknown_name;
use crate::puzzle::Puzzle;
use crate::render::rasterize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A chart to draw, and its file.
pub(super) struct Plot {
    output: Output,
    is_png: bool,
}

impl Plot {
    /// Opens the file of the option, if it is given. A name without an extension means SVG.
    ///
    /// # Errors
    /// The name has another extension, or the file cannot be written, is one of the inputs, or is that of the result.
    pub fn open(path: Option<&Path>, inputs: &[PathBuf], result: &Output) -> Result<Option<Plot>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let output = Output::open(Some(path), inputs)?;
        output.differs_from(result)?;
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let is_png = match extension.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("svg") => false,
            Some("png") => true,
            Some(other) => {
                let message = format!("{}: unknown file name extension `{other}` for a chart", path.display());
                return Err(Failure::refused(message, unknown_name(other, ["svg", "png"])));
            }
        };
        Ok(Some(Plot { output, is_png }))
    }

    /// Returns whether the chart is written to this file.
    pub fn is_at(&self, path: &Path) -> bool {
        self.output.is_at(path)
    }

    /// Refuses to replace a file that the puzzle names.
    ///
    /// # Errors
    /// The target is such a file.
    pub fn spare(&self, puzzle: &Puzzle) -> io::Result<()> {
        self.output.spare(puzzle)
    }

    /// Draws the chart, which `write` writes as SVG.
    ///
    /// # Errors
    /// The chart is too large for PNG, or the file cannot be written.
    pub fn draw(mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        if self.is_png {
            let mut svg = Vec::new();
            write(&mut svg)?;
            let refused = |error: crate::render::RenderError| Failure::refused(error.to_string(), "draw it as SVG");
            self.output.write_all(&rasterize(&String::from_utf8_lossy(&svg)).map_err(refused)?)?;
        } else {
            write(&mut self.output)?;
        }
        Ok(self.output.finish()?)
    }
}
