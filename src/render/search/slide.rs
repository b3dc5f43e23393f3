//! Searches as pictures: each search is a panel, with the map or the tree of positions after some expansions.

use super::moment::{Moment, State};
use super::record::{Queue, SearchRecord};
use super::{Drawings, MOST_DRAWN, layout};
use crate::picture::Picture;
use crate::plot::svg::{Attribute, Svg};
use crate::plot::thousands;
use crate::render::gif::{GifWriter, check, hundredths};
use crate::render::outline::number;
use crate::render::palette::{Palette, Rgb};
use crate::render::raster::{Raster, canvas, png};
use crate::render::svg::Stage;
use crate::render::text;
use crate::render::theme::hex;
use crate::render::timeline::Timeline;
use crate::render::{RenderError, RenderStyle};
use crate::search::Stop;
use crate::transcript::Number;
use resvg::tiny_skia::Pixmap;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// The edges of the view in a panel, and of what is around it, in units.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 400.0;
const HEAD: f64 = 62.0;
const GAP: f64 = 24.0;
const MARGIN: f64 = 20.0;
const TITLE: f64 = 36.0;
/// The longer side of a position in a tree, and the room below it, in units of the tree.
const POSITION: f64 = 48.0;
const BELOW: f64 = 18.0;
/// The smallest scales at which positions are drawn in a tree, and at which its final layout is kept while it grows.
const DRAWN: f64 = 0.3;
const LEGIBLE: f64 = 0.62;
/// The colours of the current node, of the frontier and of a goal.
const CURRENT: &str = "#d6453d";
const OPEN: &str = "#3f7fcf";
const GOAL: &str = "#2f8a57";
/// The colours of the order of expansion: viridis (Smith and van der Walt 2015), and a scale for the side of the goal.
const FORWARD: [Rgb; 6] =
    [[72, 40, 120], [62, 74, 137], [38, 130, 142], [53, 183, 121], [110, 206, 88], [181, 222, 43]];
const BACKWARD: [Rgb; 6] =
    [[87, 16, 110], [137, 34, 106], [188, 55, 84], [227, 89, 51], [249, 140, 10], [249, 201, 50]];
/// The default greatest number of pixels of the longer side of a GIF, and of pictures in it.
const SIDE: f64 = 1000.0;
const MOST_SHOWN: usize = 300;
/// The number of pictures that determine the palette of a GIF.
const SAMPLES: usize = 6;

/// Searches as pictures.
#[derive(Clone)]
pub struct Slides<'a> {
    searches: &'a [SearchRecord],
    style: RenderStyle,
    drawings: Rc<Drawings>,
    places: Rc<Vec<Vec<Option<i64>>>>,
}

impl<'a> Slides<'a> {
    /// Prepares pictures of some searches of one puzzle; `start` is its picture, unless it is too large.
    #[must_use]
    pub fn new(start: Option<&Picture>, searches: &'a [SearchRecord], style: &RenderStyle) -> Slides<'a> {
        let drawings = Rc::new(Drawings::new(start, searches));
        let places = Rc::new(searches.iter().map(SearchRecord::places).collect());
        Slides { searches, style: style.clone(), drawings, places }
    }

    /// Returns the greatest number of expansions of a search.
    #[must_use]
    pub fn last(&self) -> usize {
        self.searches.iter().map(SearchRecord::expansions).max().unwrap_or(0)
    }

    /// Returns an SVG with the searches side by side, one row for each number of expansions.
    #[must_use]
    pub fn svg(&self, steps: &[usize]) -> String {
        self.drawn(steps, 1.0)
    }

    /// Returns a PNG of the same.
    ///
    /// # Errors
    /// It would have too many pixels.
    pub fn png(&self, steps: &[usize]) -> Result<Vec<u8>, RenderError> {
        let slides = self.in_pixels();
        let zoom = slides.style.cell.unwrap_or(2.0);
        let (width, height) = slides.size(steps.len());
        png(&slides.drawn(steps, zoom), (width * zoom, height * zoom))
    }

    /// Returns a GIF of all expansions, or of some at regular intervals.
    ///
    /// # Errors
    /// It would have too many pixels, or `stop` ends drawing.
    pub fn gif(&self, progress: &dyn Fn(usize, usize), stop: &Stop) -> Result<Vec<u8>, RenderError> {
        let slides = self.in_pixels();
        let timeline = Timeline::new(self.last(), MOST_SHOWN, self.style.speed);
        let (width, height) = slides.size(1);
        let zoom = (SIDE / width.max(height)).min(1.0);
        let raster = Raster::new();
        let page = |step: usize| -> Result<Pixmap, RenderError> {
            check(stop)?;
            let mut page = canvas((width * zoom, height * zoom))?;
            raster.draw(&slides.drawn(&[step], zoom), &mut page, (0.0, 0.0))?;
            Ok(page)
        };
        let mut counts: HashMap<Rgb, u64> = HashMap::new();
        let every = timeline.shown.len().div_ceil(SAMPLES);
        for &step in timeline.shown.iter().rev().step_by(every) {
            for pixel in page(step)?.pixels() {
                *counts.entry([pixel.red(), pixel.green(), pixel.blue()]).or_insert(0) += 1;
            }
        }
        let mut writer: Option<GifWriter> = None;
        let palette = Palette::new(&counts);
        let mut palette = Some(palette);
        for (number, &step) in timeline.shown.iter().enumerate() {
            progress(number, timeline.shown.len());
            let page = page(step)?;
            if let Some(palette) = palette.take() {
                writer = Some(GifWriter::new(palette, &page)?);
            }
            let is_last = number + 1 == timeline.shown.len();
            let delay = if is_last {
                timeline.last
            } else if number == 0 {
                timeline.first
            } else {
                timeline.each
            };
            if let Some(writer) = &mut writer {
                writer.add(&page, hundredths(delay))?;
            }
        }
        writer.map_or(Ok(Vec::new()), GifWriter::finish)
    }

    /// Returns the same pictures for formats in pixels, which have one theme for all readers.
    fn in_pixels(&self) -> Slides<'a> {
        let style = RenderStyle { theme: self.style.theme.resolved(), ..self.style.clone() };
        Slides { style, ..self.clone() }
    }

    /// Returns the size of a picture with this number of rows, in units.
    fn size(&self, rows: usize) -> (f64, f64) {
        let (columns, rows) = (self.searches.len() as f64, rows as f64);
        let width = 2.0 * MARGIN + columns * WIDTH + (columns - 1.0).max(0.0) * GAP;
        (width, TITLE + MARGIN + rows * (HEAD + self.view().1 + GAP))
    }

    /// Returns the size of a view: that of the map, or of a tree.
    fn view(&self) -> (f64, f64) {
        let Some(_) = &self.drawings.places else { return (WIDTH, HEIGHT) };
        let stage = Stage::bare(&self.drawings.film, self.style.theme);
        (WIDTH, (WIDTH * stage.height / stage.width).min(2.0 * HEIGHT))
    }

    fn drawn(&self, steps: &[usize], zoom: f64) -> String {
        let stage = Stage::bare(&self.drawings.film, self.style.theme);
        let (width, height) = self.size(steps.len());
        let frame =
            Stage { width, height, title: &self.style.title, ..Stage::bare(&self.drawings.film, self.style.theme) };
        let mut svg = frame.open((width * zoom, height * zoom));
        frame.head(&mut svg, "");
        stage.definitions(&mut svg);
        self.drawings.define(&stage, &mut svg);
        svg.empty("rect", &[("class", &"page"), ("width", &number(width)), ("height", &number(height))]).line();
        line(&mut svg, &self.style.title, "ink", 18.0, (MARGIN, TITLE - 8.0), width - 2.0 * MARGIN);
        for (row, &step) in steps.iter().enumerate() {
            for (column, search) in self.searches.iter().enumerate() {
                let moment = Moment::new(search, step);
                let x = MARGIN + column as f64 * (WIDTH + GAP);
                let y = TITLE + row as f64 * (HEAD + self.view().1 + GAP);
                self.panel(&mut svg, &stage, column, &moment, (x, y));
            }
        }
        svg.close("svg").line();
        svg.finish()
    }

    /// Draws a search after some expansions.
    fn panel(&self, svg: &mut Svg, stage: &Stage, search: usize, moment: &Moment, (x, y): (f64, f64)) {
        let (width, height) = self.view();
        line(svg, &moment.record.name, "ink", 15.0, (x, y + 16.0), width);
        let (first, second) = counters(moment);
        line(svg, &first, "faint", 12.0, (x, y + 34.0), width);
        line(svg, &second, "faint", 12.0, (x, y + 50.0), width);
        let board = self.drawings.places.as_ref().map_or((width, height), |_| (stage.width, stage.height));
        let size = format!("0 0 {} {}", number(board.0), number(board.1));
        let place: [Attribute; 5] = [
            ("x", &number(x)),
            ("y", &number(y + HEAD - 6.0)),
            ("width", &number(width)),
            ("height", &number(height)),
            ("viewBox", &size),
        ];
        svg.open("svg", &place).line();
        match &self.drawings.places {
            Some(places) => {
                svg.empty("use", &[("href", &"#ground")]);
                self.map(svg, stage, search, moment, places);
                svg.empty("use", &[("href", &"#over")]);
            }
            None => {
                let nodes: Vec<usize> = (0..moment.state.len()).filter(|&node| moment.is_shown(node)).collect();
                match nodes.len() {
                    1..=MOST_DRAWN => self.tree(svg, stage, search, moment, &nodes),
                    _ => layers(svg, moment, &nodes),
                }
            }
        }
        svg.close("svg").line();
    }

    /// Colours the map by the order of expansion.
    fn map(&self, svg: &mut Svg, stage: &Stage, search: usize, moment: &Moment, places: &[usize]) {
        let columns = self.drawings.film.columns;
        let corner = |node: usize| {
            let cell = places[self.drawings.of[search][node].unwrap_or(0)];
            stage.place(((cell / columns) as f64, (cell % columns) as f64))
        };
        stage.board(svg, &[]);
        let mut here: BTreeMap<usize, usize> = BTreeMap::new();
        for node in (0..moment.state.len()).filter(|&node| moment.is_shown(node)) {
            here.insert(places[self.drawings.of[search][node].unwrap_or(0)], node);
        }
        let total = moment.record.expansions().max(1) as f64;
        let begun = if moment.record.queue == Queue::Path {
            moment.iterations.iter().rev().skip(1).map(|iteration| iteration.0).sum()
        } else {
            0
        };
        let whole = moment.iterations.last().filter(|_| begun > 0).map_or(total, |iteration| iteration.0.max(1) as f64);
        let side = stage.cell;
        for &node in here.values() {
            let (x, y) = corner(node);
            if moment.is_open(node) {
                let (x, y, edge) = (number(x + side * 0.12), number(y + side * 0.12), number(side * 0.76));
                let own: [Attribute; 7] = [
                    ("class", &"page"),
                    ("stroke", &OPEN),
                    ("stroke-width", &number(side * 0.09)),
                    ("x", &x),
                    ("y", &y),
                    ("width", &edge),
                    ("height", &edge),
                ];
                svg.empty("rect", &own);
            } else {
                let share = moment.closed_at[node].saturating_sub(begun) as f64 / whole;
                let fill = hex(shade(moment.record.nodes[node].is_backward, share));
                let (x, y, edge) = (number(x + side * 0.02), number(y + side * 0.02), number(side * 0.96));
                svg.empty("rect", &[("fill", &fill), ("x", &x), ("y", &y), ("width", &edge), ("height", &edge)]);
            }
        }
        svg.line();
        let middle = |node: usize| {
            let (x, y) = corner(node);
            format!("{} {}", number(x + side / 2.0), number(y + side / 2.0))
        };
        let path: Vec<String> = moment.way().into_iter().map(middle).collect();
        if path.len() > 1 {
            let route = format!("M{}", path.join("L"));
            stroke(svg, &route, CURRENT, side * 0.14);
        }
        if moment.record.nodes.is_empty() {
            svg.close("g");
            return;
        }
        let (x, y) = corner(moment.current);
        let (x, y) = (number(x + side / 2.0), number(y + side / 2.0));
        svg.empty("circle", &[("fill", &CURRENT), ("cx", &x), ("cy", &y), ("r", &number(side * 0.42))]);
        // Numbers in cells that are large enough in the picture.
        if side * WIDTH / stage.width >= 18.0 {
            for &node in here.values() {
                let (x, y) = corner(node);
                let text = label(moment.f(node).unwrap_or(moment.record.nodes[node].g));
                let size = text::size(&text, side * 0.4, side * 0.8);
                let ink = if moment.is_open(node) && node != moment.current { OPEN } else { "#ffffff" };
                centred(svg, &text, ("fill", &ink), size, (x + side / 2.0, y + side / 2.0 + size * 0.36));
            }
        }
        svg.close("g").line();
    }

    /// Draws the tree of positions, as a whole.
    fn tree(&self, svg: &mut Svg, stage: &Stage, search: usize, moment: &Moment, nodes: &[usize]) {
        let unit = POSITION / stage.width.max(stage.height);
        let (wide, high) = (stage.width * unit, stage.height * unit);
        let has_h = moment.record.nodes.iter().any(|node| node.h.is_some());
        let (slot, row) = (wide.max(if has_h { 60.0 } else { 34.0 }) + 10.0, high + BELOW + 22.0);
        let mut depth = vec![0_usize; moment.record.nodes.len()];
        for (node, recorded) in moment.record.nodes.iter().enumerate() {
            depth[node] = recorded.parent.map_or(0, |parent| depth[parent] + 1);
        }
        let deepest = nodes.iter().map(|&node| depth[node]).max().unwrap_or(0);
        let fitted = |places: &[i64]| {
            let (least, most) = (places.iter().min().copied().unwrap_or(0), places.iter().max().copied().unwrap_or(0));
            let whole = ((most - least) as f64 / 2.0 * slot + slot, deepest as f64 * row + row);
            (least, whole, (WIDTH / whole.0).min(HEIGHT / whole.1).min(1.4))
        };
        // A tree that is legible at its end stays in its place while it grows.
        let last = nodes.iter().map(|&node| self.places[search][node]).collect::<Option<Vec<i64>>>();
        let places = last.filter(|places| fitted(places).2 >= LEGIBLE).unwrap_or_else(|| {
            let number: HashMap<usize, usize> = nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
            let parent = |&node: &usize| number.get(&moment.parent(node)?).copied();
            layout::places(&nodes.iter().map(parent).collect::<Vec<_>>())
        });
        let (least, whole, scale) = fitted(&places);
        // Positions that are too small to be drawn are dots, which take all of the height.
        let row = if scale < DRAWN { row.max(HEIGHT / scale / (deepest + 1) as f64) } else { row };
        let place: HashMap<usize, (f64, f64)> = nodes
            .iter()
            .zip(places)
            .map(|(&node, x)| (node, ((x - least) as f64 / 2.0 * slot + slot / 2.0, depth[node] as f64 * row + 6.0)))
            .collect();
        let left = (WIDTH - whole.0 * scale) / 2.0;
        svg.open("g", &[("transform", &format_args!("translate({} 0) scale({})", number(left), scale))]).line();
        let path: HashSet<usize> = moment.way().into_iter().collect();
        let label = |node: usize| {
            let (g, h) = (moment.record.nodes[node].g, moment.record.nodes[node].h);
            let f = moment.f(node).unwrap_or(g);
            h.map_or(label(g), |h| format!("{}+{}={}", label(g), label(h), label(f)))
        };
        let longest = nodes.iter().map(|&node| text::width(&label(node), 1.0)).fold(0.0, f64::max);
        let font = (7.0 / scale).max(11.0);
        let is_lettered = font <= 20.0 && font * longest + 2.0 <= slot;
        for &node in nodes {
            let Some((parent, (x1, y1))) = moment.parent(node).and_then(|parent| Some((parent, place.get(&parent)?)))
            else {
                continue;
            };
            let (x2, y2) = place[&node];
            let y1 = y1 + high + if is_lettered { font + 4.0 } else { 0.0 };
            let bend = number((y1 + y2) / 2.0);
            let [x1, y1, x2, y2] = [*x1, y1, x2, y2].map(number);
            let edge = format!("M{x1} {y1}C{x1} {bend} {x2} {bend} {x2} {y2}");
            if path.contains(&node) && path.contains(&parent) {
                stroke(svg, &edge, CURRENT, (1.0 / scale).max(3.0));
            } else {
                let width = number((0.5 / scale).max(1.0));
                svg.empty("path", &[("class", &"plain"), ("fill", &"none"), ("stroke-width", &width), ("d", &edge)]);
            }
        }
        for &node in nodes {
            let (x, y) = place[&node];
            let (x, y) = (x - wide / 2.0, y);
            let (class, fill, pen): (Option<&str>, Option<&str>, f64) = match node {
                _ if node == moment.current => (None, Some(CURRENT), 4.0),
                _ if moment.is_goal(node) => (None, Some(GOAL), 3.0),
                _ if path.contains(&node) => (Some("page"), Some(CURRENT), 2.0),
                _ if moment.is_open(node) => (Some("page"), Some(OPEN), 2.5),
                _ => (Some("page plain"), None, 1.5),
            };
            let pen = pen.max(0.5 / scale);
            let [left, top, width, height] = [x - 3.0, y - 3.0, wide + 6.0, high + 6.0].map(number);
            let own: [Attribute; 6] =
                [("x", &left), ("y", &top), ("width", &width), ("height", &height), ("rx", &5), ("stroke-width", &pen)];
            let ink: Option<Attribute> = fill.as_ref().map(|fill| ("stroke", fill as _));
            let face: Attribute = match (&class, &fill) {
                (Some(class), _) => ("class", class as _),
                (None, Some(fill)) => ("fill", fill as _),
                (None, None) => ("class", &"page"),
            };
            svg.empty("rect", &[&[face], ink.as_slice(), &own].concat());
            if let Some(position) = self.drawings.of[search][node].filter(|_| scale >= DRAWN) {
                let at = format!("translate({} {}) scale({unit})", number(x), number(y));
                svg.open("g", &[("transform", &at)]);
                svg.empty("use", &[("href", &"#ground")]);
                stage.board(svg, &[]);
                for &(look, at) in &self.drawings.positions[position] {
                    let (x, y) = stage.place(stage.exact(at));
                    let [x, y] = [x, y].map(number);
                    svg.empty("use", &[("href", &format_args!("#k{look}")), ("x", &x), ("y", &y)]);
                }
                svg.close("g").empty("use", &[("href", &"#over")]).close("g").line();
            }
            if is_lettered {
                centred(svg, &label(node), ("class", &"ink"), font, (x + wide / 2.0, y + high + font + 2.0));
            }
        }
        svg.close("g").line();
    }
}

/// Draws the numbers of nodes of each depth as bars, where a tree would be too large.
fn layers(svg: &mut Svg, moment: &Moment, nodes: &[usize]) {
    let mut depth = vec![0_usize; moment.record.nodes.len()];
    for (node, recorded) in moment.record.nodes.iter().enumerate() {
        depth[node] = recorded.parent.map_or(0, |parent| depth[parent] + 1);
    }
    let mut bars: Vec<(usize, usize)> = Vec::new();
    for &node in nodes {
        bars.resize(bars.len().max(depth[node] + 1), (0, 0));
        let bar = &mut bars[depth[node]];
        *(if moment.is_open(node) { &mut bar.1 } else { &mut bar.0 }) += 1;
    }
    let most = bars.iter().map(|bar| bar.0 + bar.1).max().unwrap_or(1).max(1) as f64;
    let (step, floor) = (WIDTH / bars.len().max(1) as f64, HEIGHT - 24.0);
    let every = (bars.len() * 26).div_ceil(WIDTH as usize).max(1);
    for (depth, (closed, open)) in bars.iter().enumerate() {
        let mut y = floor;
        for (count, ink) in [(*closed, ("class", &"faint" as _)), (*open, ("fill", &OPEN as _))] {
            let high = count as f64 / most * (floor - 24.0);
            y -= high;
            let [x, y, width, high] = [depth as f64 * step + step * 0.07, y, step * 0.86, high].map(number);
            svg.empty("rect", &[ink, ("x", &x), ("y", &y), ("width", &width), ("height", &high)]);
        }
        if depth % every == 0 {
            centred(svg, &depth.to_string(), ("class", &"faint"), 10.0, ((depth as f64 + 0.5) * step, HEIGHT - 10.0));
        }
    }
    let words = format!("positions by depth, at most {}; blue: in the frontier", thousands(most as u64));
    line(svg, &words, "faint", 12.0, (0.0, 12.0), WIDTH);
    svg.line();
}

/// Returns the counters of a search as two lines.
fn counters(moment: &Moment) -> (String, String) {
    let count = |number: usize| thousands(number as u64);
    let first = format!("expanded {}, generated {}", count(moment.step), count(moment.generated));
    let depth = moment.path().len().saturating_sub(1);
    let mut second = match moment.record.queue {
        Queue::Path => format!("depth {depth}, cut {}", count(moment.pruned)),
        _ => {
            let (open, closed) = (moment.count(State::Open), moment.count(State::Closed));
            format!("frontier {}, closed {}, depth {depth}", count(open), count(closed))
        }
    };
    if let Some(threshold) = moment.threshold {
        second += &format!(", threshold {}", label(threshold));
    }
    if moment.step == moment.record.expansions() {
        second = format!("{}; {second}", moment.record.cut.as_ref().unwrap_or(&moment.record.outcome));
    }
    (first, second)
}

fn label(value: f64) -> String {
    Number((value * 100.0).round() / 100.0).to_string()
}

/// Returns the colour of a share of the expansions.
fn shade(is_backward: bool, share: f64) -> Rgb {
    let scale = if is_backward { BACKWARD } else { FORWARD };
    let at = share.clamp(0.0, 1.0) * (scale.len() - 1) as f64;
    let low = (at.floor() as usize).min(scale.len() - 2);
    let mix = |part: usize| {
        let (from, to) = (f64::from(scale[low][part]), f64::from(scale[low + 1][part]));
        (from + (to - from) * (at - low as f64)).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

fn stroke(svg: &mut Svg, path: &str, colour: &str, width: f64) {
    let own: [Attribute; 6] = [
        ("fill", &"none"),
        ("stroke", &colour),
        ("stroke-width", &number(width)),
        ("stroke-linejoin", &"round"),
        ("stroke-linecap", &"round"),
        ("d", &path),
    ];
    svg.empty("path", &own);
}

/// Writes a centred text.
fn centred(svg: &mut Svg, text: &str, ink: Attribute, size: f64, (x, y): (f64, f64)) {
    svg.open("text", &[ink, ("x", &number(x)), ("y", &number(y)), ("font-size", &number(size))]);
    svg.text(text).close("text");
}

/// Writes a line of text from its left end, as small as it must be.
fn line(svg: &mut Svg, text: &str, class: &str, size: f64, (x, y): (f64, f64), room: f64) {
    let size = text::size(text, size, room).max(8.0);
    let own: [Attribute; 5] = [
        ("class", &class),
        ("text-anchor", &"start"),
        ("x", &number(x)),
        ("y", &number(y)),
        ("font-size", &number(size)),
    ];
    svg.open("text", &own).text(&text::fitting(text, size, room)).close("text").line();
}
