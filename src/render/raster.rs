//! Vector graphics to pixels, with resvg and the letters of one embedded font, so that the pixels are the same on every
//! machine.

use super::RenderError;
use super::format::{PictureFormat, PictureWriter};
use super::letters::Letters;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The format PNG: one position.
pub const PNG: PictureFormat = PictureFormat {
    name: "png",
    summary: "an image",
    writer: PictureWriter {
        draw: |scene| {
            let pixels = scene.pixels(Some(SIDE));
            png(&scene.stage.still(scene.moves(), pixels), pixels)
        },
        other_extension: None,
        is_raster: true,
        is_still: true,
        is_animated: false,
    },
};

/// The default length of the longer side, in pixels.
const SIDE: f64 = 1600.0;

/// The greatest number of pixels of a picture.
const MAX_PIXELS: f64 = (1_u32 << 26) as f64;

/// A renderer of vector graphics.
pub(super) struct Raster {
    letters: Letters,
    options: Options<'static>,
}

impl Raster {
    pub fn new() -> Raster {
        Raster { letters: Letters::new(), options: Options::default() }
    }

    fn tree(&self, svg: &str) -> Result<Tree, RenderError> {
        Tree::from_str(&self.letters.outlined(svg), &self.options).map_err(|error| RenderError::new(error.to_string()))
    }

    /// Draws over the canvas, with the origin `x` pixels to the right of its left edge and `y` pixels below its upper
    /// edge.
    pub fn draw(&self, svg: &str, canvas: &mut Pixmap, (x, y): (f64, f64)) -> Result<(), RenderError> {
        resvg::render(&self.tree(svg)?, Transform::from_translate(x as f32, y as f32), &mut canvas.as_mut());
        Ok(())
    }
}

/// Creates an empty canvas.
///
/// # Errors
/// It would be too large.
pub(super) fn canvas((width, height): (f64, f64)) -> Result<Pixmap, RenderError> {
    let (width, height) = (width.ceil().max(1.0), height.ceil().max(1.0));
    let fits = width * height <= MAX_PIXELS && width.max(height) <= 65535.0;
    let canvas = if fits { Pixmap::new(width as u32, height as u32) } else { None };
    canvas.ok_or_else(|| {
        RenderError::new(format!("a picture of {width} times {height} pixels is too large: make cells smaller"))
    })
}

/// Renders a picture as the bytes of a PNG file.
pub(super) fn png(svg: &str, pixels: (f64, f64)) -> Result<Vec<u8>, RenderError> {
    let mut canvas = canvas(pixels)?;
    Raster::new().draw(svg, &mut canvas, (0.0, 0.0))?;
    canvas.encode_png().map_err(|error| RenderError::new(error.to_string()))
}

/// Renders a chart as the bytes of a PNG file.
pub(super) fn png_of_chart(svg: &str) -> Result<Vec<u8>, RenderError> {
    const ZOOM: f32 = 2.0;
    let raster = Raster::new();
    let tree = raster.tree(svg)?;
    let size = (f64::from(tree.size().width() * ZOOM), f64::from(tree.size().height() * ZOOM));
    let mut canvas = canvas(size)?;
    resvg::render(&tree, Transform::from_scale(ZOOM, ZOOM), &mut canvas.as_mut());
    canvas.encode_png().map_err(|error| RenderError::new(error.to_string()))
}
