//! Films as GIF: each frame holds the part that changed; all frames share one palette.
//!
//! Ground and title are rasterised once. A frame redraws only the parts that a move touches: the usual drawing, cut to
//! a rectangle. Unchanged pixels are transparent, which compresses best.

use super::RenderError;
use super::change::{Change, Spot};
use super::format::{PictureFormat, PictureWriter, Scene};
use super::palette::{Palette, Rgb};
use super::paths::along;
use super::raster::{Raster, canvas};
use super::svg::{LINE, Stage};
use super::timeline::Timeline;
use crate::picture::Cell;
use crate::plot::svg::{Attribute, Svg};
use crate::search::Stop;
use gif::{DisposalMethod, Encoder, Repeat};
use resvg::tiny_skia::{BlendMode, IntRect, Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use std::collections::HashMap;

/// The default length of the longer side, in pixels.
const SIDE: f64 = 560.0;
/// The greatest number of positions shown of a longer solution.
const MAX_SHOWN: usize = 300;
/// Hundredths of a second between two pictures while figures move.
const TICK: f64 = 4.0;
/// The number of whole pictures that determine the palette.
const SAMPLES: usize = 8;

/// An actor at one moment: its place, its opacity, its colour.
type Appearance = ((f64, f64), f64, Spot);

/// A rectangle in units: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// The format GIF: an animation of all positions.
pub const GIF: PictureFormat = PictureFormat {
    name: "gif",
    summary: "an animated image",
    writer: PictureWriter {
        draw: animated,
        other_extension: None,
        is_raster: true,
        is_still: false,
        is_animated: true,
    },
};

/// Returns the bytes of a GIF that plays the whole film.
fn animated(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    let Scene { stage, progress, stop, .. } = scene;
    let timeline = Timeline::new(stage.film.moves(), MAX_SHOWN, scene.style.speed);
    let mut renderer = FrameRenderer::new(stage, scene.pixels(Some(SIDE)))?;
    let palette = renderer.palette(&timeline, stop)?;
    let mut writer = GifWriter::new(palette, &renderer.canvas)?;
    renderer.show_start()?;
    writer.add(&renderer.canvas, hundredths(timeline.first))?;
    let ticks = (timeline.moving() * 100.0 / TICK).round().clamp(1.0, 8.0) as usize;
    for (number, pair) in (1..).zip(timeline.shown.windows(2)) {
        progress(number, timeline.shown.len());
        let changes = stage.film.changes(pair[0], pair[1]);
        let areas = renderer.areas(&changes, pair[0], pair[1]);
        let all = hundredths(timeline.each);
        let tick = (TICK as u16).min(all / ticks as u16).max(2);
        for at in 1..=ticks {
            check(stop)?;
            let share = at as f64 / ticks as f64;
            if at == ticks {
                renderer.leave_trails(pair[0], pair[1])?;
            }
            for change in &changes {
                renderer.seen[change.actor] = appearance(stage, change, share, timeline.is_smooth);
            }
            renderer.draw(&areas, &stage.caption_of(pair[1]))?;
            let rest = all.saturating_sub(tick * (ticks as u16 - 1)).max(2);
            let is_last = number + 1 == timeline.shown.len() && at == ticks;
            let pause = if is_last { hundredths(timeline.last) } else { 0 };
            writer.add(&renderer.canvas, if at == ticks { rest + pause } else { tick })?;
        }
    }
    writer.finish()
}

/// Ends drawing at a limit.
pub(super) fn check(stop: &Stop) -> Result<(), RenderError> {
    stop.now().map_or(Ok(()), |limit| Err(limit.into()))
}

pub(super) fn hundredths(seconds: f64) -> u16 {
    (seconds * 100.0).round().clamp(2.0, 6000.0) as u16
}

/// Returns the appearance of an actor after a fraction `share` of a move's time.
fn appearance(stage: &Stage, change: &Change, share: f64, is_smooth: bool) -> Option<Appearance> {
    let still = |spot: Spot| (stage.exact(spot.at), spot);
    let whole = |spot: Spot, opacity: f64| Some((still(spot).0, opacity, spot));
    if !is_smooth || share >= 1.0 {
        return change.to.and_then(|to| whole(to, 1.0));
    }
    // Smoothstep: slow at both ends.
    let eased = share * share * (3.0 - 2.0 * share);
    match (change.from, change.to, &change.path) {
        (Some(from), Some(to), Some(path)) => {
            let path: Vec<(f64, f64)> = path.iter().map(|&corner| stage.exact(corner)).collect();
            let at = if from.at == to.at { still(to).0 } else { along(&path, eased) };
            Some((at, 1.0, if share < 0.5 { from } else { to }))
        }
        (Some(from), Some(to), None) if share < 0.5 => whole(from, 1.0 - 2.0 * share).filter(|_| from != to),
        (Some(_), Some(to), None) => whole(to, 2.0 * share - 1.0),
        (Some(from), None, _) => whole(from, 1.0 - share),
        (None, Some(to), _) => whole(to, share),
        (None, None, _) => None,
    }
}

/// A renderer that draws the frames one after the other.
struct FrameRenderer<'a> {
    stage: &'a Stage<'a>,
    raster: Raster,
    pixels: (f64, f64),
    /// Everything that never moves, and the trails so far.
    ground: Pixmap,
    canvas: Pixmap,
    seen: Vec<Option<Appearance>>,
}

impl<'a> FrameRenderer<'a> {
    fn new(stage: &'a Stage, pixels: (f64, f64)) -> Result<FrameRenderer<'a>, RenderError> {
        let mut ground = canvas(pixels)?;
        let raster = Raster::new();
        let scenery = document(stage, pixels, |svg| {
            svg.empty("rect", &[("class", &"page"), ("width", &stage.width), ("height", &stage.height)]);
            stage.scenery(svg);
        });
        raster.draw(&scenery, &mut ground, (0.0, 0.0))?;
        let (canvas, seen) = (ground.clone(), Vec::new());
        let mut renderer = FrameRenderer { stage, raster, pixels, ground, canvas, seen };
        renderer.place_actors(0);
        Ok(renderer)
    }

    /// Places every actor where it is after a number of moves.
    fn place_actors(&mut self, moves: usize) {
        let stage = self.stage;
        let seen = |spot: Option<Spot>| spot.map(|spot| (stage.exact(spot.at), 1.0, spot));
        self.seen = self.stage.film.spots(moves).into_iter().map(seen).collect();
    }

    fn show_start(&mut self) -> Result<(), RenderError> {
        self.place_actors(0);
        self.draw(&[self.whole()], &self.stage.caption_of(0))
    }

    fn whole(&self) -> Area {
        (0.0, 0.0, self.stage.width, self.stage.height)
    }

    /// Chooses a palette from positions sampled throughout the film.
    fn palette(&mut self, timeline: &Timeline, stop: &Stop) -> Result<Palette, RenderError> {
        let mut counts: HashMap<Rgb, u64> = HashMap::new();
        let every = timeline.shown.len().div_ceil(SAMPLES);
        let ground = self.ground.clone();
        for &moves in timeline.shown.iter().rev().step_by(every) {
            if moves > 0 {
                check(stop)?;
            }
            self.place_actors(moves);
            self.leave_trails(0, moves)?;
            self.draw(&[self.whole()], &self.stage.caption_of(moves))?;
            self.ground.data_mut().copy_from_slice(ground.data());
            for pixel in self.canvas.pixels() {
                *counts.entry([pixel.red(), pixel.green(), pixel.blue()]).or_insert(0) += 1;
            }
        }
        Ok(Palette::new(&counts))
    }

    /// Draws the trails between two moves permanently on the ground.
    fn leave_trails(&mut self, after: usize, until: usize) -> Result<(), RenderError> {
        let mut lines = Svg::default();
        for (_, spots) in self.stage.film.trails(until) {
            let from = spots.partition_point(|(moves, _)| *moves <= after).saturating_sub(1);
            self.stage.trail(&mut lines, &spots[from..], &[]);
        }
        if lines.is_empty() {
            return Ok(());
        }
        let lines = document(self.stage, self.pixels, |svg| {
            board(self.stage, svg).raw(&lines.finish()).close("g");
        });
        self.raster.draw(&lines, &mut self.ground, (0.0, 0.0))
    }

    /// Returns the areas that a move touches: the places of all changes, and the caption.
    fn areas(&self, changes: &[Change], after: usize, until: usize) -> Vec<Area> {
        let stage = self.stage;
        let mut touched = (f64::INFINITY, f64::INFINITY, 0.0_f64, 0.0_f64);
        let mut touch = |cell: Cell, cells: &[Cell]| {
            let rows = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(1);
            let columns = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(1);
            let (row, column) = stage.exact(cell);
            let (top, left) = (row - 0.2, column - 0.2);
            let (bottom, right) = (row + rows as f64 + 0.2, column + columns as f64 + 0.2);
            touched = (touched.0.min(left), touched.1.min(top), touched.2.max(right), touched.3.max(bottom));
        };
        for change in changes {
            let cells = &stage.film.actors[change.actor].cells;
            change.from.iter().chain(&change.to).for_each(|spot| touch(spot.at, cells));
            change.path.iter().flatten().for_each(|&corner| touch(corner, cells));
        }
        for (_, spots) in stage.film.trails(until) {
            let from = spots.partition_point(|(moves, _)| *moves <= after).saturating_sub(1);
            spots[from..].iter().for_each(|(_, spot)| touch(spot.at, &[(0, 0)]));
        }
        let units = |(left, top, right, bottom): Area| {
            let (x, y) = stage.place((top, left));
            let (to_x, to_y) = stage.place((bottom, right));
            (x + stage.x, y + stage.y, to_x + stage.x, to_y + stage.y)
        };
        let caption = stage.caption_line().map(|y| (0.0, y, stage.width, y + LINE));
        let board = (touched.0 <= touched.2).then(|| units(touched));
        board.into_iter().chain(caption).collect()
    }

    /// Redraws some areas of the picture.
    fn draw(&mut self, areas: &[Area], caption: &str) -> Result<(), RenderError> {
        for &(left, top, right, bottom) in areas {
            let zoom = (self.pixels.0 / self.stage.width, self.pixels.1 / self.stage.height);
            let edge = |at: f64, most: u32| at.clamp(0.0, f64::from(most)) as i32;
            let (width, height) = (self.canvas.width(), self.canvas.height());
            let (x, y) = (edge((left * zoom.0).floor(), width), edge((top * zoom.1).floor(), height));
            let (to_x, to_y) = (edge((right * zoom.0).ceil(), width), edge((bottom * zoom.1).ceil(), height));
            let (Some(wide), Some(high)) = (u32::try_from(to_x - x).ok(), u32::try_from(to_y - y).ok()) else {
                continue;
            };
            let part = IntRect::from_xywh(x, y, wide, high).and_then(|area| self.ground.clone_rect(area));
            let Some(mut part) = part else { continue };
            let drawing =
                document(self.stage, self.pixels, |svg| self.moving(svg, (left, top, right, bottom), caption));
            self.raster.draw(&drawing, &mut part, (-f64::from(x), -f64::from(y)))?;
            let over = PixmapPaint { blend_mode: BlendMode::Source, ..PixmapPaint::default() };
            self.canvas.draw_pixmap(x, y, part.as_ref(), &over, Transform::identity(), None);
        }
        Ok(())
    }

    /// Draws the actors within an area, and the caption.
    fn moving(&self, svg: &mut Svg, (left, top, right, bottom): Area, caption: &str) {
        let stage = self.stage;
        board(stage, svg);
        stage.letters(svg);
        for (actor, seen) in self.seen.iter().enumerate() {
            let Some((at, opacity, spot)) = seen else { continue };
            let cells = &stage.film.actors[actor].cells;
            let rows = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(1) as f64;
            let columns = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(1) as f64;
            let (x, y) = stage.place(*at);
            let (x, y) = (x + stage.x, y + stage.y);
            let is_out = x > right || y > bottom || x + columns * stage.cell < left || y + rows * stage.cell < top;
            if !is_out {
                let faded: [Attribute; 1] = [("opacity", &format_args!("{opacity:.2}"))];
                let faded = if *opacity < 1.0 { &faded[..] } else { &[] };
                stage.actor(svg, actor, *spot, *at, faded, "");
            }
        }
        stage.outlines(svg);
        svg.close("g");
        if stage.caption_line().is_some_and(|y| bottom > y) {
            stage.caption(svg, caption);
        }
    }
}

/// Returns a separate drawing that contains only some parts.
fn document(stage: &Stage, pixels: (f64, f64), parts: impl FnOnce(&mut Svg)) -> String {
    let mut svg = stage.open(pixels);
    svg.open("style", &[]).raw(&stage.theme.sheet()).close("style");
    stage.definitions(&mut svg);
    parts(&mut svg);
    svg.close("svg");
    svg.finish()
}

/// Opens the group of the board at its exact place, because pixels are cut along it.
fn board<'s>(stage: &Stage, svg: &'s mut Svg) -> &'s mut Svg {
    svg.open("g", &[("transform", &format_args!("translate({} {})", stage.x, stage.y))])
}

/// A writer that encodes the pictures as a GIF.
pub(super) struct GifWriter {
    encoder: Encoder<Vec<u8>>,
    palette: Palette,
    /// The colour indices of the last picture, and its frame, which is written when the next one differs.
    shown: Vec<u8>,
    pixels: Vec<PremultipliedColorU8>,
    size: (u32, u32),
    last: Option<gif::Frame<'static>>,
}

impl GifWriter {
    pub fn new(palette: Palette, canvas: &Pixmap) -> Result<GifWriter, RenderError> {
        let size = (canvas.width(), canvas.height());
        let mut encoder = Encoder::new(Vec::new(), size.0 as u16, size.1 as u16, &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let shown = vec![Palette::UNCHANGED; (size.0 * size.1) as usize];
        Ok(GifWriter { encoder, palette, shown, pixels: Vec::new(), size, last: None })
    }

    /// Adds a picture that is shown for `delay` hundredths of a second.
    pub fn add(&mut self, canvas: &Pixmap, delay: u16) -> Result<(), RenderError> {
        let (columns, mut area) = (self.size.0 as usize, None::<(usize, usize, usize, usize)>);
        let mut now = self.shown.clone();
        for (at, pixel) in canvas.pixels().iter().enumerate().filter(|(at, pixel)| self.pixels.get(*at) != Some(*pixel))
        {
            now[at] = self.palette.number([pixel.red(), pixel.green(), pixel.blue()]);
            if now[at] != self.shown[at] {
                let (x, y) = (at % columns, at / columns);
                let (left, top, right, bottom) = area.unwrap_or((x, y, x, y));
                area = Some((left.min(x), top, right.max(x), bottom.max(y)));
            }
        }
        self.pixels = canvas.pixels().to_vec();
        let Some((left, top, right, bottom)) = area else {
            if let Some(last) = &mut self.last {
                last.delay = last.delay.saturating_add(delay);
            }
            return Ok(());
        };
        let changed = |at: usize| if now[at] == self.shown[at] { Palette::UNCHANGED } else { now[at] };
        let buffer: Vec<u8> =
            (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * columns + x)).map(changed).collect();
        let frame = gif::Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::UNCHANGED),
            left: left as u16,
            top: top as u16,
            width: (right + 1 - left) as u16,
            height: (bottom + 1 - top) as u16,
            buffer: buffer.into(),
            ..gif::Frame::default()
        };
        self.shown = now;
        self.write(Some(frame))
    }

    /// Writes the pending frame; `next` becomes pending.
    fn write(&mut self, next: Option<gif::Frame<'static>>) -> Result<(), RenderError> {
        match std::mem::replace(&mut self.last, next) {
            Some(frame) => self.encoder.write_frame(&frame).map_err(failed),
            None => Ok(()),
        }
    }

    pub fn finish(mut self) -> Result<Vec<u8>, RenderError> {
        self.write(None)?;
        self.encoder.into_inner().map_err(|error| RenderError::new(error.to_string()))
    }
}

fn failed(error: gif::EncodingError) -> RenderError {
    RenderError::new(error.to_string())
}
