//! Positions as vector graphics: the only module that decides how things look.
//!
//! A [`Stage`] is the layout of a film. It draws the parts of a picture from back to front: page and ground, which
//! never change, then trails, the letters of marks, actors, the outlines of goals and captions. Still and animated
//! pictures, pages and pixels are composed of these parts.

mod ground;

use super::change::Spot;
use super::film::{Actor, Film, Overlay};
use super::outline::{self, Pen, number};
use super::text::{self, FONTS};
use super::theme::{Theme, hex};
use crate::diagnostic::escape;
use crate::picture::{Cell, Form, Ground, Paint, is_light};
use crate::plot::svg::{Attribute, Svg};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The longer side of a board in units, unless its cells reach [`LARGEST_CELL`].
pub(super) const BOARD: f64 = 640.0;
/// The largest edge of a cell, in units.
const LARGEST_CELL: f64 = 64.0;
/// The smallest width of the text above and below a board.
pub(super) const MIN_WIDTH: f64 = 256.0;
pub(super) const MARGIN: f64 = 20.0;
const TITLE: f64 = 18.0;
/// The size at which a title widens the page.
pub(super) const TITLE_LEAST: f64 = 14.0;
const CAPTION: f64 = 15.0;
/// The size of the text of a legend, and the height of its lines.
const LEGEND: f64 = 13.0;
pub(super) const LEGEND_LINE: f64 = 22.0;
/// The width of the frame around a board with exits, as a fraction of a cell.
const FRAME: f64 = 0.16;
/// The edge of the smallest cell on which the cost of entering is written.
const COST_CELL: f64 = 16.0;
/// The edge of the smallest cell on which a block looks raised.
const SMALLEST_RAISED: f64 = 14.0;
/// The height of a title line or caption line.
pub(super) const LINE: f64 = 32.0;

/// The layout of a film.
pub(super) struct Stage<'a> {
    pub film: &'a Film,
    pub theme: Theme,
    /// The edge of a cell, in units.
    pub cell: f64,
    /// The upper left corner of the board.
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub title: &'a str,
    /// The top of the caption line, if there is one.
    pub caption: Option<f64>,
    /// The top of the legend, if there is room for one.
    pub legend: Option<f64>,
    /// The goal and its upper left corner, if it is shown.
    pub goal: Option<(Svg, f64, f64)>,
    /// True if the page has square corners, for formats in pixels.
    pub is_square: bool,
    /// The beginning of the names of its definitions, if another drawing in the same page has such, too.
    pub names: String,
    /// The shapes without duplicates, and the index of each actor's shape.
    pub shapes: Vec<&'a [Cell]>,
    pub shape_of: Vec<usize>,
}

impl<'a> Stage<'a> {
    /// Lays out the board alone.
    pub fn bare(film: &'a Film, theme: Theme) -> Stage<'a> {
        let longest = film.rows.max(film.columns).max(1) as f64;
        let exact = (BOARD / longest).min(LARGEST_CELL);
        let cell = if exact >= 4.0 { exact.floor() } else { exact };
        let mut shapes: Vec<&[Cell]> = Vec::new();
        let mut numbers: HashMap<&[Cell], usize> = HashMap::new();
        let mut shape_of = Vec::new();
        for actor in &film.actors {
            let next = shapes.len();
            let shape = *numbers.entry(&actor.cells).or_insert(next);
            if shape == next {
                shapes.push(&actor.cells);
            }
            shape_of.push(shape);
        }
        let edge = if film.scenery.exits.is_empty() { 4.0 } else { (4.0 + FRAME * cell).ceil() };
        let (width, height) = (film.columns as f64 * cell + 2.0 * edge, film.rows as f64 * cell + 2.0 * edge);
        Stage {
            film,
            theme,
            cell,
            x: edge,
            y: edge,
            width,
            height,
            title: "",
            caption: None,
            legend: None,
            goal: None,
            is_square: false,
            names: String::new(),
            shapes,
            shape_of,
        }
    }

    /// Opens the element of the board in a page or in a picture, with these attributes and its definitions.
    pub fn element(&self, own: &[Attribute]) -> Svg {
        let size = format!("0 0 {} {}", number(self.width), number(self.height));
        let common: [Attribute; 3] = [("viewBox", &size), ("font-family", &FONTS), ("text-anchor", &"middle")];
        let mut svg = Svg::default();
        svg.open("svg", &[own, &common].concat()).line();
        self.definitions(&mut svg);
        svg
    }

    /// Opens a drawing of this size in pixels; the title is its label for screen readers.
    pub fn open(&self, pixels: (f64, f64)) -> Svg {
        let size = format!("0 0 {} {}", number(self.width), number(self.height));
        let mut svg = Svg::default();
        svg.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &number(pixels.0)),
                ("height", &number(pixels.1)),
                ("viewBox", &size),
                ("font-family", &FONTS),
                ("text-anchor", &"middle"),
                ("role", &"img"),
                ("aria-label", &escape(self.title)),
            ],
        );
        svg.line();
        svg
    }

    /// Writes the title and the style sheet, followed by `rules`.
    pub fn head(&self, svg: &mut Svg, rules: &str) {
        svg.open("title", &[]).text(self.title).close("title").line();
        svg.open("style", &[]).raw(&self.theme.sheet()).raw(rules).close("style").line();
    }

    /// Defines the shapes of the actors, which are used by number, and the stripes of gates.
    pub fn definitions(&self, svg: &mut Svg) {
        svg.open("defs", &[]).line();
        if self.film.scenery.ground.contains(&Ground::Gate) {
            let side = number(self.cell / 4.0);
            let pattern: [Attribute; 5] = [
                ("id", &format_args!("{}gates", self.names)),
                ("width", &side),
                ("height", &side),
                ("patternUnits", &"userSpaceOnUse"),
                ("patternTransform", &"rotate(45)"),
            ];
            let (width, path) = (number(self.cell / 8.0), format!("M0 0V{side}"));
            svg.open("pattern", &pattern);
            svg.empty("path", &[("class", &"stripe"), ("stroke-width", &width), ("d", &path)]);
            svg.close("pattern").line();
        }
        for (shape, cells) in self.shapes.iter().enumerate() {
            let path = outline::of_cells(cells, self.pen(0.035, 0.14));
            let id: Attribute = ("id", &format_args!("{}s{shape}", self.names));
            if self.theme == Theme::Contrast {
                svg.empty("path", &[id, ("class", &"shape"), ("d", &path)]).line();
            } else if self.cell < SMALLEST_RAISED {
                svg.empty("path", &[id, ("d", &path)]).line();
            } else {
                self.raised(svg, id, &path, cells);
            }
        }
        self.sprites(svg);
        svg.close("defs").line();
    }

    /// Defines a shape that looks raised: its face, and a darker edge around it that is widest below. No shade is a
    /// gradient, which a GIF has not enough colours for.
    fn raised(&self, svg: &mut Svg, id: Attribute, path: &str, cells: &[Cell]) {
        let face = outline::of_cells(cells, self.pen(0.07, 0.115));
        let up = format!("translate(0 -{})", number(self.cell * 0.025));
        svg.open("g", &[id]);
        svg.empty("path", &[("d", &path)]);
        svg.empty("path", &[("fill", &"#000"), ("opacity", &0.3), ("d", &path)]);
        svg.empty("path", &[("transform", &up), ("d", &face)]);
        svg.close("g").line();
    }

    /// Defines the sprites that occur, each with one path a colour.
    fn sprites(&self, svg: &mut Svg) {
        let forms = self.film.scenery.marks.iter().map(|mark| mark.form);
        let used: HashSet<Form> = forms.chain(self.film.actors.iter().map(|actor| actor.form)).collect();
        let sprites = self.film.scenery.sprites.iter().enumerate();
        for (number, sprite) in sprites.filter(|(number, _)| used.contains(&Form::Sprite(*number))) {
            let pen = Pen { cell: self.cell / sprite.side() as f64, inset: 0.0, radius: 0.0 };
            if let Some((path, colour)) = sprite.path() {
                let scale = format!("scale({})", self.cell / sprite.side() as f64);
                svg.open("g", &[("id", &format_args!("{}p{number}", self.names))]);
                svg.empty("path", &[("fill", &hex(colour)), ("transform", &scale), ("d", &path)]);
                svg.close("g").line();
                continue;
            }
            // Without smoothing, since seams between pixels would shine through.
            svg.open("g", &[("id", &format_args!("{}p{number}", self.names)), ("shape-rendering", &"crispEdges")]);
            for (colour, pixels) in sprite.colours() {
                svg.empty("path", &[("fill", &hex(colour)), ("d", &outline::of_cells(&pixels, pen))]);
            }
            svg.close("g").line();
        }
    }

    /// Opens a group whose origin is at a place.
    pub fn group<'s>(&self, svg: &'s mut Svg, attributes: &[Attribute], (x, y): (f64, f64)) -> &'s mut Svg {
        let transform = format!("translate({} {})", number(x), number(y));
        svg.open("g", &[attributes, &[("transform", &transform)]].concat())
    }

    /// Opens the group of the board.
    pub fn board<'s>(&self, svg: &'s mut Svg, attributes: &[Attribute]) -> &'s mut Svg {
        self.group(svg, attributes, (self.x, self.y)).line()
    }

    /// Draws page, title, goal and ground, with the marks that are part of the ground.
    pub fn scenery(&self, svg: &mut Svg) {
        if self.caption.is_some() || !self.title.is_empty() {
            // In pixels it reaches beyond the edges, where rounding may leave a part of a pixel.
            let over = f64::from(u8::from(self.is_square));
            let corner = if self.is_square { 0 } else { 12 };
            let (width, height) = (number(self.width + 2.0 * over), number(self.height + 2.0 * over));
            let page: [Attribute; 4] = [("class", &"page"), ("width", &width), ("height", &height), ("rx", &corner)];
            let origin: [Attribute; 2] = [("x", &-1), ("y", &-1)];
            let origin = if self.is_square { &origin[..] } else { &[] };
            svg.empty("rect", &[&page, origin].concat()).line();
            self.line(svg, self.title, "ink", (TITLE, 12.0), MARGIN / 2.0);
        }
        if let Some((goal, x, y)) = &self.goal {
            self.group(svg, &[], (*x, *y)).line().raw(goal.as_str()).close("g").line();
        }
        self.board(svg, &[]);
        self.ground(svg);
        self.fills(svg);
        self.holes(svg);
        self.costs(svg);
        self.fences(svg);
        for mark in &self.film.scenery.marks {
            if let Form::Sprite(sprite) = mark.form {
                let place = self.place(self.exact(mark.at));
                let (x, y) = (number(place.0), number(place.1));
                svg.empty("use", &[("href", &format_args!("#{}p{sprite}", self.names)), ("x", &x), ("y", &y)]).line();
            }
        }
        svg.close("g").line();
        self.legend(svg);
    }

    /// Returns the colour of text on a colour.
    fn ink_on(&self, paint: Paint) -> &'static str {
        if is_light(self.theme.rgb(paint)) { "#1b1f27" } else { "#fff" }
    }

    /// Returns whether costs of entering cells are explained below the board, since cells are too small for numbers.
    pub fn has_cost_legend(&self) -> bool {
        let is_rough = |ground: &Ground| matches!(ground, Ground::Rough(_));
        self.cell < COST_CELL && self.film.scenery.ground.iter().any(is_rough)
    }

    /// Tints cells of this edge length, and crosses them out if the overlay does.
    fn overlay(&self, svg: &mut Svg, overlay: &Overlay, cells: &[Cell], cell: f64) {
        let colour = hex(self.theme.rgb(overlay.paint));
        let area = outline::of_cells(cells, Pen { cell, inset: 0.0, radius: 0.0 });
        svg.empty("path", &[("fill", &colour), ("opacity", &0.22), ("d", &area)]).line();
        if overlay.is_crossed {
            let (near, side) = (cell * 0.3, number(cell * 0.4));
            let mut crosses = String::new();
            for &(row, column) in cells {
                let (left, top) = (number(column as f64 * cell + near), number(row as f64 * cell + near));
                let _ = write!(crosses, "M{left} {top}l{side} {side}m0-{side}l-{side} {side}");
            }
            let width = number(cell * 0.05);
            let pen: [Attribute; 5] = [
                ("fill", &"none"),
                ("stroke", &colour),
                ("stroke-width", &width),
                ("stroke-linecap", &"round"),
                ("d", &crosses),
            ];
            svg.empty("path", &pen).line();
        }
    }

    /// Draws a line for each overlay: a cell of it and its meaning; and one for the costs of entering. A long text
    /// shrinks, then is cut.
    fn legend(&self, svg: &mut Svg) {
        let Some(top) = self.legend else { return };
        let cell = LEGEND + 1.0;
        let mut y = top;
        for overlay in &self.film.overlays {
            self.group(svg, &[], (MARGIN, y + (LEGEND_LINE - cell) / 2.0));
            self.overlay(svg, overlay, &[(0, 0)], cell);
            svg.close("g").line();
            self.legend_text(svg, &overlay.legend, cell, y);
            y += LEGEND_LINE;
        }
        if self.has_cost_legend() {
            let mut costs: Vec<u32> = Vec::new();
            for ground in self.film.scenery.ground.iter() {
                match ground {
                    Ground::Rough(cost) if !costs.contains(cost) => costs.push(*cost),
                    _ => {}
                }
            }
            costs.sort_unstable();
            for (number_of, cost) in costs.iter().enumerate() {
                let (x, side) = (number(MARGIN + number_of as f64 * cell), number(cell));
                let top = number(y + (LEGEND_LINE - cell) / 2.0);
                for (class, opacity) in [("floor", 1.0), ("rough", roughness(*cost))] {
                    let own: [Attribute; 6] = [
                        ("class", &class),
                        ("opacity", &number(opacity)),
                        ("x", &x),
                        ("y", &top),
                        ("width", &side),
                        ("height", &side),
                    ];
                    svg.empty("rect", &own);
                }
            }
            let listed: Vec<String> = costs.iter().map(u32::to_string).collect();
            let text = format!("cost of entering: {}", listed.join(", "));
            self.legend_text(svg, &text, cell * costs.len() as f64, y);
        }
    }

    /// Writes a line of the legend beside a sample of this width.
    fn legend_text(&self, svg: &mut Svg, legend: &str, sample: f64, y: f64) {
        let left = MARGIN + sample + 8.0;
        let room = self.width - left - MARGIN;
        let size = text::size(legend, LEGEND, room).max(9.0);
        let (x, y) = (number(left), number(y + LEGEND_LINE / 2.0 + size * 0.36));
        let own: [Attribute; 5] =
            [("class", &"faint"), ("text-anchor", &"start"), ("x", &x), ("y", &y), ("font-size", &number(size))];
        svg.open("text", &own).text(&text::fitting(legend, size, room)).close("text").line();
    }

    /// Draws a centred line of text whose upper edge is at `y`, at size `most`. A long text shrinks as far as `least`,
    /// then is cut.
    fn line(&self, svg: &mut Svg, text: &str, class: &str, (most, least): (f64, f64), y: f64) {
        let room = self.width - 2.0 * MARGIN;
        let size = text::size(text, most, room).max(least);
        let text = text::fitting(text, size, room);
        let (x, y) = (number(self.width / 2.0), number(y + LINE / 2.0 + size * 0.36));
        svg.open("text", &[("class", &class), ("x", &x), ("y", &y), ("font-size", &number(size))]);
        svg.text(&text).close("text").line();
    }

    /// Draws the caption below the board, if the layout has room for one.
    pub fn caption(&self, svg: &mut Svg, text: &str) {
        if let Some(y) = self.caption {
            self.caption_at(svg, text, y);
        }
    }

    /// Draws a caption on a line whose upper edge is at `y`.
    pub fn caption_at(&self, svg: &mut Svg, text: &str, y: f64) {
        self.line(svg, text, "faint", (CAPTION, 11.0), y);
    }

    /// Returns the top of the caption line, if there is one.
    pub fn caption_line(&self) -> Option<f64> {
        self.caption
    }

    fn pen(&self, inset: f64, radius: f64) -> Pen {
        // Details that are too small to be seen are left out.
        let of = |share: f64| if self.cell < 8.0 { 0.0 } else { self.cell * share };
        let inset = if self.cell >= 8.0 { self.cell * inset } else { 0.0 };
        Pen { cell: self.cell, inset, radius: of(radius) }
    }

    /// Returns the width of thin lines.
    fn thin(&self) -> f64 {
        (self.cell * 0.03).clamp(0.05, 1.5)
    }

    /// Writes the letters of marks, in the group of the board: over trails and below figures.
    pub fn letters(&self, svg: &mut Svg) {
        let marks = self.film.scenery.marks.iter();
        for mark in marks.filter(|mark| matches!(mark.form, Form::Block | Form::Token | Form::Text)) {
            // Half of a letter beside a block cannot be read.
            if mark.label.is_empty() || self.film.covers_at_first(mark) {
                continue;
            }
            let colour = hex(self.theme.rgb(mark.paint));
            let fill: Attribute = match mark.paint {
                Paint::Plain => ("class", &"faint casing"),
                _ => ("fill", &colour),
            };
            // A rim keeps them readable where a trail passes.
            let width = number(self.cell * 0.08);
            let rim: [Attribute; 3] =
                [("paint-order", &"stroke"), ("stroke-width", &width), ("stroke-linejoin", &"round")];
            let class: &[Attribute] = if mark.paint == Paint::Plain { &[] } else { &[("class", &"casing")] };
            self.group(svg, &[class, &rim].concat(), self.place(self.exact(mark.at)));
            // A text over several rows is as high as these.
            let rows = mark.cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(1) as f64;
            let share = if mark.form == Form::Text { 0.45 * rows } else { 0.4 };
            self.label(svg, &mark.label, &mark.cells, Some(fill), share);
            svg.close("g").line();
        }
    }

    /// Draws the outlines of goals, in the group of the board: over figures, which may stand there.
    pub fn outlines(&self, svg: &mut Svg) {
        for mark in self.film.scenery.marks.iter().filter(|mark| matches!(mark.form, Form::Block | Form::Token)) {
            let colour = hex(self.theme.rgb(mark.paint));
            let stroke: Attribute = match mark.paint {
                Paint::Plain => ("class", &"plain"),
                _ => ("stroke", &colour),
            };
            let path = match (self.disc(mark.at), mark.form) {
                (Some(diameter), _) => self.circle(diameter * 0.94),
                (None, Form::Token) => self.circle(0.86),
                (None, _) => outline::of_cells(&mark.cells, self.pen(0.07, 0.12)),
            };
            let (width, rim, dash) = (number(self.cell * 0.05), number(self.cell * 0.09), number(self.cell * 0.12));
            let (x, y) = self.place(self.exact(mark.at));
            let place = format!("translate({} {})", number(x), number(y));
            let own: [Attribute; 4] =
                [("transform", &place), ("fill", &"none"), ("pointer-events", &"none"), ("d", &path)];
            let casing: [Attribute; 3] = [("class", &"casing"), ("stroke-width", &rim), ("opacity", &0.6)];
            svg.empty("path", &[&casing, &own[..]].concat());
            let dashes: [Attribute; 3] = [stroke, ("stroke-width", &width), ("stroke-dasharray", &dash)];
            svg.empty("path", &[&dashes, &own[..]].concat()).line();
        }
    }

    /// Draws a label in the middle of the largest rectangle within some cells, unless it would be too small to read.
    fn label(&self, svg: &mut Svg, label: &str, cells: &[Cell], fill: Option<Attribute>, share: f64) {
        let ((row, column), rows, columns) = outline::largest_rectangle(cells);
        let size = text::size(label, self.cell * share, self.cell * columns as f64 * 0.86);
        if label.is_empty() || size < 0.5 {
            return;
        }
        let middle = |at: usize, long: usize| (at as f64 + long as f64 / 2.0) * self.cell;
        let (x, y) = (number(middle(column, columns)), number(middle(row, rows) + size * 0.36));
        let own: [Attribute; 3] = [("x", &x), ("y", &y), ("font-size", &number(size))];
        // The second space keeps existing pictures of letters the same, byte by byte.
        let name = if fill.is_some() { "text" } else { "text " };
        svg.open(name, &[fill.as_slice(), &own].concat()).text(label).close("text");
    }

    /// Returns the row and column where a cell is drawn: its own, unless it is off the grid.
    pub fn exact(&self, cell: Cell) -> (f64, f64) {
        let (row, column) = (cell.0 as f64, cell.1 as f64);
        self.film.scenery.discs.get(&cell).map_or((row, column), |disc| {
            (row + f64::from(disc.down) / 1000.0, column + f64::from(disc.right) / 1000.0)
        })
    }

    /// Returns the diameter of a cell that is drawn as a disc, in cells.
    fn disc(&self, cell: Cell) -> Option<f64> {
        self.film.scenery.discs.get(&cell).map(|disc| f64::from(disc.diameter) / 1000.0)
    }

    /// Returns the path of a circle of this diameter in cells, in the middle of a cell.
    fn circle(&self, diameter: f64) -> String {
        let (radius, middle) = (number(diameter * self.cell / 2.0), number(self.cell / 2.0));
        let (left, width) = (number(self.cell * (1.0 - diameter) / 2.0), number(diameter * self.cell));
        format!("M{left} {middle}a{radius} {radius} 0 1 1 {width} 0a{radius} {radius} 0 1 1 -{width} 0z")
    }

    /// Returns the upper left corner of a place, in units of the board; rows and columns may be fractions.
    pub fn place(&self, (row, column): (f64, f64)) -> (f64, f64) {
        (column * self.cell, row * self.cell)
    }

    /// Draws a block as a disc that looks raised.
    fn coin(&self, svg: &mut Svg, diameter: f64) {
        let path = self.circle(diameter);
        if self.theme == Theme::Contrast {
            svg.empty("path", &[("class", &"shape"), ("d", &path)]);
            return;
        }
        svg.empty("path", &[("d", &path)]);
        svg.empty("path", &[("fill", &"#000"), ("opacity", &0.3), ("d", &path)]);
        let up = format!("translate(0 -{})", number(self.cell * 0.02));
        svg.empty("path", &[("transform", &up), ("d", &self.circle(diameter * 0.92))]);
    }

    /// Draws an actor at a place, with attributes of its group and an element that animates the group.
    pub fn actor(
        &self,
        svg: &mut Svg,
        actor: usize,
        spot: Spot,
        at: (f64, f64),
        attributes: &[Attribute],
        motion: &str,
    ) {
        let Actor { label, form, cells, .. } = &self.film.actors[actor];
        let colour = hex(self.theme.rgb(spot.paint));
        let fill: Option<Attribute> = match (form, spot.paint) {
            (Form::Text, Paint::Plain) => Some(("class", &"ink")),
            (Form::Sprite(_), _) => None,
            _ => Some(("fill", &colour)),
        };
        self.group(svg, &[attributes, fill.as_slice()].concat(), self.place(at));
        match form {
            Form::Block => {
                match self.disc(spot.at) {
                    Some(diameter) => self.coin(svg, diameter),
                    None => {
                        svg.empty("use", &[("href", &format_args!("#{}s{}", self.names, self.shape_of[actor]))]);
                    }
                }
                let ink = self.ink_on(spot.paint);
                let share = if label.chars().count() > 2 { 0.36 } else { 0.42 };
                self.label(svg, label, cells, Some(("fill", &ink)), share);
            }
            Form::Token => {
                let (middle, radius) = (number(self.cell / 2.0), number(self.cell * 0.32));
                let rim = number(self.cell * 0.08);
                let own: [Attribute; 5] =
                    [("class", &"rim"), ("cx", &middle), ("cy", &middle), ("r", &radius), ("stroke-width", &rim)];
                svg.empty("circle", &own);
                self.label(svg, label, cells, Some(("fill", &"#fff")), 0.36);
            }
            Form::Text => self.label(svg, label, cells, None, if label.chars().count() > 1 { 0.5 } else { 0.7 }),
            Form::Fill => {
                let pen = Pen { inset: 0.0, ..self.pen(0.0, 0.06) };
                let path = self.disc(spot.at).map(|diameter| self.circle(diameter));
                svg.empty("path", &[("d", &path.unwrap_or_else(|| outline::of_cells(cells, pen)))]);
                self.label(svg, label, cells, Some(("fill", &self.ink_on(spot.paint))), 0.5);
            }
            Form::Sprite(sprite) => {
                svg.empty("use", &[("href", &format_args!("#{}p{sprite}", self.names))]);
            }
        }
        svg.raw(motion).close("g").line();
    }

    /// Draws the trail of an actor, if it visited more than one place.
    pub fn trail(&self, svg: &mut Svg, spots: &[(usize, Spot)], attributes: &[Attribute]) {
        if spots.len() > 1 {
            self.trail_of(svg, spots, attributes);
        }
    }

    /// Draws the trail of an actor, even if it visited only one place.
    pub fn trail_of(&self, svg: &mut Svg, spots: &[(usize, Spot)], attributes: &[Attribute]) {
        let Some((_, first)) = spots.first() else { return };
        let colour = hex(self.theme.rgb(first.paint).map(|part| part / 2 + part / 4 + 55));
        let (width, path) =
            (number(self.cell * 0.16), self.path_through(spots.iter().map(|(_, spot)| spot.at), (-0.5, -0.5)));
        let own: [Attribute; 6] = [
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &width),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
            ("d", &path),
        ];
        svg.empty("path", &[attributes, &own].concat()).line();
    }

    /// Returns the path from place to place, corner by corner, relative to an origin.
    pub fn path_through(&self, cells: impl Iterator<Item = Cell>, origin: (f64, f64)) -> String {
        let cells: Vec<Cell> = cells.collect();
        let step = |from: Cell, to: Cell| (to.0 as i64 - from.0 as i64, to.1 as i64 - from.1 as i64);
        let mut path = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let straight = at > 0 && at + 1 < cells.len() && step(cells[at - 1], *cell) == step(*cell, cells[at + 1]);
            if !straight {
                let exact = self.exact(*cell);
                let (x, y) = self.place((exact.0 - origin.0, exact.1 - origin.1));
                let _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, number(x), number(y));
            }
        }
        path
    }

    /// Draws the actors after a number of moves, above their trails.
    pub fn actors(&self, svg: &mut Svg, moves: usize) {
        self.board(svg, &[]);
        for (_, spots) in self.film.trails(moves) {
            self.trail(svg, &spots, &[]);
        }
        self.letters(svg);
        for (actor, spot) in self.film.spots(moves).into_iter().enumerate() {
            if let Some(spot) = spot {
                self.actor(svg, actor, spot, self.exact(spot.at), &[], "");
            }
        }
        self.outlines(svg);
        svg.close("g").line();
    }

    /// Returns the whole drawing after a number of moves, at this size in pixels.
    pub fn still(&self, moves: usize, pixels: (f64, f64)) -> String {
        let mut svg = self.open(pixels);
        self.head(&mut svg, "");
        self.definitions(&mut svg);
        self.scenery(&mut svg);
        self.actors(&mut svg, moves);
        self.caption(&mut svg, &self.caption_of(moves));
        svg.close("svg").line();
        svg.finish()
    }

    /// Returns the caption of a position: its move, or `start`.
    pub fn caption_of(&self, moves: usize) -> String {
        match &self.film.frames[moves].written {
            None => "start".to_owned(),
            Some(written) => format!("{moves}. {written}"),
        }
    }
}

/// Returns the opacity of rough ground of this cost of entering.
fn roughness(cost: u32) -> f64 {
    (0.12 + 0.08 * f64::from(cost)).min(0.9)
}
