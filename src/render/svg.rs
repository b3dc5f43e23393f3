//! A position as vector graphics: the one place that knows how things look.
//!
//! A [`Stage`] is a film on its paper. It hands out the parts of a drawing from back to front: paper and ground, which
//! never change, then trails, actors, captions. Still and moving pictures, pages and pixels are put together from these.

use super::film::{Actor, Film, Spot};
use super::outline::{self, Pen, number};
use super::text::{self, FONTS};
use super::theme::{Theme, hex};
use crate::diagnostic::escape;
use crate::picture::{Cell, Form, Ground, Paint, Picture};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The longer side of a board, in units, where its cells are not as large as they may be.
const BOARD: f64 = 640.0;
/// The largest edge of a cell, in units.
const LARGEST_CELL: f64 = 64.0;
/// The least width of what is written above and below a board.
const LEAST_WIDTH: f64 = 256.0;
const MARGIN: f64 = 20.0;
const TITLE: f64 = 18.0;
const CAPTION: f64 = 15.0;
/// The height of a line of either.
pub(super) const LINE: f64 = 32.0;

/// A film on its paper.
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
    /// Where the caption's line begins, if there is one.
    caption: Option<f64>,
    /// The shapes, each once, and the number of each actor's.
    shapes: Vec<&'a [Cell]>,
    shape_of: Vec<usize>,
}

impl<'a> Stage<'a> {
    /// The board alone.
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
        let (width, height) = (film.columns as f64 * cell + 8.0, film.rows as f64 * cell + 8.0);
        Stage { film, theme, cell, x: 4.0, y: 4.0, width, height, title: "", caption: None, shapes, shape_of }
    }

    /// The board with a title above, and room for a caption below where moves are told.
    pub fn titled(film: &'a Film, theme: Theme, title: &'a str, with_caption: bool) -> Stage<'a> {
        let bare = Stage::bare(film, theme);
        let (board_width, board_height) = (bare.width - 8.0, bare.height - 8.0);
        let width = board_width.max(LEAST_WIDTH) + 2.0 * MARGIN;
        let y = MARGIN + LINE;
        let below = if with_caption { LINE + MARGIN / 2.0 } else { MARGIN };
        let caption = with_caption.then_some(y + board_height);
        Stage { x: (width - board_width) / 2.0, y, width, height: y + board_height + below, title, caption, ..bare }
    }

    /// The opening tag of a drawing of this many pixels; those who cannot see it are told what it is.
    pub fn open(&self, pixels: (f64, f64)) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"{FONTS}\" text-anchor=\"middle\" role=\"img\" aria-label=\"{}\">\n",
            number(pixels.0),
            number(pixels.1),
            escape(self.title),
        )
    }

    /// The shapes of the actors, to be used by number, and the stripes of gates.
    pub fn definitions(&self) -> String {
        let mut out = String::from("<defs>\n");
        if self.film.scenery.ground.contains(&Ground::Gate) {
            let side = number(self.cell / 4.0);
            let _ = writeln!(
                out,
                "<pattern id=\"gates\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><path class=\"stripe\" stroke-width=\"{}\" d=\"M0 0V{side}\"/></pattern>",
                number(self.cell / 8.0)
            );
        }
        for (shape, cells) in self.shapes.iter().enumerate() {
            let _ = writeln!(out, "<path id=\"s{shape}\" d=\"{}\"/>", outline::of_cells(cells, self.pen(0.035, 0.14)));
        }
        out + "</defs>\n"
    }

    /// Paper, title, ground and marks.
    pub fn scenery(&self) -> String {
        let mut out = String::new();
        if self.caption.is_some() || !self.title.is_empty() {
            let (width, height) = (number(self.width), number(self.height));
            let _ = writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"12\"/>");
            let room = self.width - 2.0 * MARGIN;
            let size = text::size(self.title, TITLE, room).max(12.0);
            let title = text::fit(self.title, size, room);
            out += &self.line(&title, "ink", size, MARGIN / 2.0);
        }
        let _ = writeln!(out, "<g transform=\"translate({} {})\">", number(self.x), number(self.y));
        out += &self.ground();
        for mark in &self.film.scenery.marks {
            out += &self.mark(mark);
        }
        out + "</g>\n"
    }

    /// A centred line of text, by the upper end of its line.
    pub fn line(&self, text: &str, class: &str, size: f64, y: f64) -> String {
        let (x, y) = (number(self.width / 2.0), number(y + LINE / 2.0 + size * 0.36));
        format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{}\">{}</text>\n", number(size), escape(text))
    }

    /// What is written below the board; nothing where there is no room for it.
    pub fn caption(&self, text: &str) -> String {
        self.caption.map_or_else(String::new, |y| self.caption_at(text, y))
    }

    /// The same on another line, by its upper end.
    pub fn caption_at(&self, text: &str, y: f64) -> String {
        let room = self.width - 2.0 * MARGIN;
        let size = text::size(text, CAPTION, room).max(11.0);
        self.line(&text::fit(text, size, room), "faint", size, y)
    }

    /// Where the caption's line begins, if there is one.
    pub fn caption_line(&self) -> Option<f64> {
        self.caption
    }

    fn pen(&self, inset: f64, radius: f64) -> Pen {
        // What is smaller than can be seen is left out.
        let of = |share: f64| if self.cell < 8.0 { 0.0 } else { self.cell * share };
        let inset = if self.cell >= 8.0 { self.cell * inset } else { 0.0 };
        Pen { cell: self.cell, inset, radius: of(radius) }
    }

    fn ground(&self) -> String {
        let Picture { rows, columns, ground, .. } = &self.film.scenery;
        let mut kinds: Vec<Ground> = Vec::new();
        for kind in ground {
            if *kind != Ground::Void && !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        let path = |is: &dyn Fn(Ground) -> bool, pen: Pen| {
            outline::of_grid(*rows, *columns, |(row, column)| is(ground[row * columns + column]), pen)
        };
        let mut out = String::new();
        if kinds.is_empty() {
            return out;
        }
        let whole = path(&|kind| kind != Ground::Void, self.pen(-0.03, 0.14));
        let _ = writeln!(out, "<path class=\"floor edge\" stroke-width=\"{}\" d=\"{whole}\"/>", number(self.thin()));
        kinds.sort_unstable_by_key(|kind| match kind {
            Ground::Void | Ground::Floor => (0, 0),
            Ground::Rough(cost) => (1, *cost),
            Ground::Gate => (2, 0),
            Ground::Wall => (3, 0),
        });
        for kind in kinds {
            let this = || path(&|ground| ground == kind, self.pen(0.0, 0.0));
            let _ = match kind {
                Ground::Void | Ground::Floor => Ok(()),
                Ground::Rough(cost) => {
                    let share = number((0.12 + 0.08 * f64::from(cost)).min(0.9));
                    writeln!(out, "<path class=\"rough\" opacity=\"{share}\" d=\"{}\"/>", this())
                }
                Ground::Gate => {
                    let path = this();
                    writeln!(out, "<path class=\"gate\" d=\"{path}\"/>\n<path fill=\"url(#gates)\" d=\"{path}\"/>")
                }
                Ground::Wall => {
                    let path = path(&|ground| ground == kind, self.pen(-0.03, 0.14));
                    writeln!(out, "<path class=\"wall\" d=\"{path}\"/>")
                }
            };
        }
        out
    }

    /// The width of thin lines.
    fn thin(&self) -> f64 {
        (self.cell * 0.03).clamp(0.05, 1.5)
    }

    /// A dashed outline on the ground, or nothing but text.
    fn mark(&self, mark: &crate::picture::Figure) -> String {
        let (x, y) = (mark.at.1 as f64 * self.cell, mark.at.0 as f64 * self.cell);
        let mut out = format!("<g transform=\"translate({} {})\">", number(x), number(y));
        let (stroke, fill) = match mark.paint {
            Paint::Plain => ("class=\"plain\"".to_owned(), "class=\"faint\"".to_owned()),
            paint => (format!("stroke=\"{0}\"", hex(paint.rgb())), format!("fill=\"{}\"", hex(paint.rgb()))),
        };
        if mark.form != Form::Text {
            let path = outline::of_cells(&mark.cells, self.pen(0.05, 0.12));
            let (width, dash) = (number(self.cell * 0.05), number(self.cell * 0.12));
            let _ = write!(
                out,
                "<path {stroke} fill=\"none\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\" d=\"{path}\"/>"
            );
        }
        if !self.film.covers_at_first(mark) {
            out += &self.label(&mark.label, &mark.cells, &fill, 0.4);
        }
        out + "</g>\n"
    }

    /// A label in the middle of the largest part of some cells; none where it would be too small to be read.
    fn label(&self, label: &str, cells: &[Cell], attributes: &str, share: f64) -> String {
        let ((row, column), rows, columns) = outline::largest_rectangle(cells);
        let size = text::size(label, self.cell * share, self.cell * columns as f64 * 0.86);
        if label.is_empty() || size < 0.5 {
            return String::new();
        }
        let middle = |at: usize, long: usize| (at as f64 + long as f64 / 2.0) * self.cell;
        let (x, y) = (middle(column, columns), middle(row, rows) + size * 0.36);
        format!(
            "<text {attributes} x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>",
            number(x),
            number(y),
            number(size),
            escape(label)
        )
    }

    /// The upper left corner of a place, in units of the board; rows and columns may be parts.
    pub fn place(&self, (row, column): (f64, f64)) -> (f64, f64) {
        (column * self.cell, row * self.cell)
    }

    /// An actor where it stands; `attributes` go into its tag.
    pub fn actor(&self, actor: usize, spot: Spot, at: (f64, f64), attributes: &str) -> String {
        let Actor { label, form, cells, .. } = &self.film.actors[actor];
        let (x, y) = self.place(at);
        let fill = if *form == Form::Text && spot.paint == Paint::Plain {
            "class=\"ink\"".to_owned()
        } else {
            format!("fill=\"{}\"", hex(spot.paint.rgb()))
        };
        let mut out = format!("<g {attributes}{fill} transform=\"translate({} {})\">", number(x), number(y));
        match form {
            Form::Block => {
                let _ = write!(out, "<use href=\"#s{}\"/>", self.shape_of[actor]);
                let ink = if spot.paint.is_light() { "#1b1f27" } else { "#fff" };
                out += &self.label(
                    label,
                    cells,
                    &format!("fill=\"{ink}\""),
                    if label.chars().count() > 2 { 0.36 } else { 0.42 },
                );
            }
            Form::Token => {
                let (middle, radius) = (number(self.cell / 2.0), number(self.cell * 0.32));
                let rim = number(self.cell * 0.08);
                let _ = write!(
                    out,
                    "<circle class=\"rim\" cx=\"{middle}\" cy=\"{middle}\" r=\"{radius}\" stroke-width=\"{rim}\"/>"
                );
                out += &self.label(label, cells, "fill=\"#fff\"", 0.36);
            }
            Form::Text => out += &self.label(label, cells, "", 0.7),
        }
        out + "</g>\n"
    }

    /// The line along which an actor has been.
    pub fn trail(&self, spots: &[(usize, Spot)], attributes: &str) -> String {
        if spots.len() > 1 { self.trail_of(spots, attributes) } else { String::new() }
    }

    /// The same, though there be one place alone, or none.
    pub fn trail_of(&self, spots: &[(usize, Spot)], attributes: &str) -> String {
        let Some((_, first)) = spots.first() else { return String::new() };
        let rgb = first.paint.rgb();
        format!(
            "<path {attributes}fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" d=\"{}\"/>\n",
            hex(rgb.map(|part| part / 2 + part / 4 + 55)),
            number(self.cell * 0.16),
            self.path_through(spots.iter().map(|(_, spot)| spot.at), (-0.5, -0.5))
        )
    }

    /// The path from place to place, corner by corner, as seen from an origin.
    pub fn path_through(&self, cells: impl Iterator<Item = Cell>, origin: (f64, f64)) -> String {
        let cells: Vec<Cell> = cells.collect();
        let step = |from: Cell, to: Cell| (to.0 as i64 - from.0 as i64, to.1 as i64 - from.1 as i64);
        let mut path = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let straight = at > 0 && at + 1 < cells.len() && step(cells[at - 1], *cell) == step(*cell, cells[at + 1]);
            if !straight {
                let (x, y) = self.place((cell.0 as f64 - origin.0, cell.1 as f64 - origin.1));
                let _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, number(x), number(y));
            }
        }
        path
    }

    /// All that stands after so many moves, trails below.
    pub fn actors(&self, moves: usize) -> String {
        let mut out = format!("<g transform=\"translate({} {})\">\n", number(self.x), number(self.y));
        for (_, spots) in self.film.trails(moves) {
            out += &self.trail(&spots, "");
        }
        for (actor, spot) in self.film.spots(moves).into_iter().enumerate() {
            if let Some(spot) = spot {
                out += &self.actor(actor, spot, (spot.at.0 as f64, spot.at.1 as f64), "");
            }
        }
        out + "</g>\n"
    }

    /// The whole drawing after so many moves, in this many pixels.
    pub fn still(&self, moves: usize, pixels: (f64, f64)) -> String {
        let mut out = self.open(pixels);
        let _ = writeln!(out, "<title>{}</title>\n<style>{}</style>", escape(self.title), self.theme.sheet());
        out += &self.definitions();
        out += &self.scenery();
        out += &self.actors(moves);
        out += &self.caption(&self.told(moves));
        out + "</svg>\n"
    }

    /// What is said of a move, or of the start.
    pub fn told(&self, moves: usize) -> String {
        match &self.film.frames[moves].written {
            None => "start".to_owned(),
            Some(written) => format!("{moves}. {written}"),
        }
    }
}
