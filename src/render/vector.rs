//! Vector graphics: one position, or an animation of all.

use super::format::{PictureFormat, PictureWriter};
use super::{Show, motion};

/// The format SVG.
pub const SVG: PictureFormat = PictureFormat {
    name: "svg",
    summary: "vector graphics; animated with --solution",
    writer: PictureWriter {
        draw: |scene| {
            let pixels = scene.pixels(None);
            let svg = match scene.show {
                Show::All => motion::animated(&scene.stage, pixels, scene.style.speed),
                Show::After(moves) => scene.stage.still(moves, pixels),
            };
            Ok(svg.into_bytes())
        },
        other_extension: None,
        is_raster: false,
        is_still: true,
        is_animated: true,
    },
};
