//! The ground of a board: floor, rough ground, gates and walls, the frame with its exits, and what the file gives
//! single cells: colours, holes and costs.

use super::{COST_CELL, FRAME, Stage, roughness};
use crate::picture::{Cell, Exit, Figure, Form, Ground, Paint, Picture, Side};
use crate::plot::svg::{Attribute, Svg};
use crate::render::outline::{self, Pen, number};
use crate::render::theme::hex;
use std::collections::HashSet;
use std::fmt::Write as _;

impl Stage<'_> {
    /// Draws the ground of all cells, kind by kind, and the overlays between floor and walls.
    pub(super) fn ground(&self, svg: &mut Svg) {
        let Picture { rows, columns, ground, .. } = &self.film.scenery;
        let mut kinds: Vec<Ground> = Vec::new();
        for kind in ground.iter() {
            if *kind != Ground::Void && !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        if kinds.is_empty() {
            self.overlays(svg);
            return;
        }
        let path = |is: &dyn Fn(Ground) -> bool, pen: Pen| {
            let is = |cell: Cell| is(ground[cell.0 * columns + cell.1]) && self.disc(cell).is_none();
            outline::of_grid(*rows, *columns, is, pen)
        };
        self.frame(svg);
        let whole = path(&|kind| kind != Ground::Void, self.pen(-0.03, 0.14));
        svg.empty("path", &[("class", &"floor edge"), ("stroke-width", &number(self.thin())), ("d", &whole)]).line();
        kinds.sort_unstable_by_key(|kind| match kind {
            Ground::Void | Ground::Floor | Ground::Hole => (0, 0),
            Ground::Rough(cost) => (1, *cost),
            Ground::Gate => (2, 0),
            Ground::Wall => (3, 0),
        });
        // Overlays are drawn before the walls, which are a little larger than their cells.
        let walls = kinds.iter().position(|kind| *kind == Ground::Wall).unwrap_or(kinds.len());
        for (number_of, kind) in kinds.iter().copied().enumerate() {
            if number_of == walls {
                self.overlays(svg);
            }
            let area = |pen: Pen| path(&|ground| ground == kind, pen);
            match kind {
                Ground::Void | Ground::Floor | Ground::Hole => {}
                Ground::Rough(cost) => {
                    let share = number(roughness(cost));
                    let path = area(self.pen(0.0, 0.0));
                    svg.empty("path", &[("class", &"rough"), ("opacity", &share), ("d", &path)]).line();
                }
                Ground::Gate => {
                    let path = area(self.pen(0.0, 0.0));
                    svg.empty("path", &[("class", &"gate"), ("d", &path)]).line();
                    svg.empty("path", &[("fill", &format_args!("url(#{}gates)", self.names)), ("d", &path)]).line();
                }
                Ground::Wall => {
                    svg.empty("path", &[("class", &"wall"), ("d", &area(self.pen(-0.03, 0.14)))]).line();
                }
            }
        }
        self.discs(svg);
        if walls == kinds.len() {
            self.overlays(svg);
        }
    }

    /// Draws the ground of cells off the grid.
    fn discs(&self, svg: &mut Svg) {
        for &cell in self.film.scenery.discs.keys() {
            let class = match self.film.scenery.ground(cell) {
                Ground::Void => continue,
                Ground::Wall => "wall",
                Ground::Gate => "gate edge",
                Ground::Floor | Ground::Hole | Ground::Rough(_) => "floor edge",
            };
            let path = self.circle(self.disc(cell).unwrap_or(1.0) * 1.06);
            self.group(svg, &[], self.place(self.exact(cell)));
            svg.empty("path", &[("class", &class), ("stroke-width", &number(self.thin())), ("d", &path)]);
            svg.close("g").line();
        }
    }

    /// Tints the areas of all overlays.
    fn overlays(&self, svg: &mut Svg) {
        for overlay in &self.film.overlays {
            self.overlay(svg, overlay, &overlay.cells, self.cell);
        }
    }

    /// Draws the frame around a board with exits, which are its gaps, with floor that leads out.
    fn frame(&self, svg: &mut Svg) {
        let exits = &self.film.scenery.exits;
        if exits.is_empty() {
            return;
        }
        let (rows, columns) = (self.film.rows, self.film.columns);
        let (wide, outer) = (FRAME * self.cell, FRAME * self.cell / 2.0 + self.cell * 0.03);
        let (right, bottom) = (columns as f64 * self.cell, rows as f64 * self.cell);
        let (mut path, mut ways) = (String::new(), String::new());
        for (side, length) in [(Side::Top, columns), (Side::Right, rows), (Side::Bottom, columns), (Side::Left, rows)] {
            let point = |along: f64| match side {
                Side::Top => (along, -outer),
                Side::Right => (right + outer, along),
                Side::Bottom => (along, bottom + outer),
                Side::Left => (-outer, along),
            };
            let is_gap = |at: usize| exits.contains(&Exit { side, at });
            let mut at = 0;
            while at < length {
                let end = (at..length).find(|&next| is_gap(next) != is_gap(at)).unwrap_or(length);
                // The corners belong to both sides.
                let reach = |cell: usize, corner: f64| if cell == 0 || cell == length { corner } else { 0.0 };
                let (from, to) = (at as f64 * self.cell, end as f64 * self.cell);
                if is_gap(at) {
                    let ((x1, y1), (x2, y2)) = (point(from), point(to));
                    let _ = write!(ways, "M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
                } else {
                    let ((x1, y1), (x2, y2)) = (point(from - reach(at, outer)), point(to + reach(end, outer)));
                    let _ = write!(path, "M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
                }
                at = end;
            }
        }
        let own: [Attribute; 5] = [
            ("class", &"frame"),
            ("fill", &"none"),
            ("stroke-width", &number(wide)),
            ("stroke-linecap", &"round"),
            ("d", &path),
        ];
        svg.empty("path", &own).line();
        let way: [Attribute; 4] = [("class", &"way"), ("fill", &"none"), ("stroke-width", &number(wide)), ("d", &ways)];
        svg.empty("path", &way).line();
    }

    /// Draws the parts of the ground that have colours of their own, those of one colour as one path, and their
    /// letters.
    pub(super) fn fills(&self, svg: &mut Svg) {
        let Picture { rows, columns, marks, .. } = &self.film.scenery;
        let fills: Vec<&Figure> = marks.iter().filter(|mark| mark.form == Form::Fill).collect();
        let mut paints: Vec<Paint> = Vec::new();
        for fill in &fills {
            if !paints.contains(&fill.paint) {
                paints.push(fill.paint);
            }
        }
        for paint in paints {
            let covered: HashSet<Cell> =
                fills.iter().filter(|fill| fill.paint == paint).flat_map(|fill| fill.covered()).collect();
            let pen = Pen { inset: 0.0, ..self.pen(0.0, 0.06) };
            let is_flat = |cell: Cell| covered.contains(&cell) && self.disc(cell).is_none();
            let path = outline::of_grid(*rows, *columns, is_flat, pen);
            svg.empty("path", &[("fill", &hex(self.theme.rgb(paint))), ("d", &path)]).line();
        }
        for fill in fills.into_iter().filter(|fill| !fill.label.is_empty() || self.disc(fill.at).is_some()) {
            self.group(svg, &[], self.place(self.exact(fill.at)));
            if let Some(diameter) = self.disc(fill.at) {
                let colour = hex(self.theme.rgb(fill.paint));
                svg.empty("path", &[("fill", &colour), ("d", &self.circle(diameter))]);
            }
            self.label(svg, &fill.label, &fill.cells, Some(("fill", &self.ink_on(fill.paint))), 0.5);
            svg.close("g").line();
        }
    }

    /// Draws the holes in the floor, as one path.
    pub(super) fn holes(&self, svg: &mut Svg) {
        let Picture { columns, ground, .. } = &self.film.scenery;
        let (radius, mut path) = (self.cell * 0.2, String::new());
        for cell in (0..ground.len()).filter(|&cell| ground[cell] == Ground::Hole) {
            let (x, y) = self.place(((cell / columns) as f64 + 0.5, (cell % columns) as f64 + 0.5));
            let (left, y, radius, width) = (number(x - radius), number(y), number(radius), number(2.0 * radius));
            let _ = write!(path, "M{left} {y}a{radius} {radius} 0 1 0 {width} 0a{radius} {radius} 0 1 0 -{width} 0z");
        }
        if !path.is_empty() {
            svg.empty("path", &[("class", &"hole"), ("d", &path)]).line();
        }
    }

    /// Draws the fences, as one path.
    pub(super) fn fences(&self, svg: &mut Svg) {
        let mut path = String::new();
        for (from, to) in self.film.scenery.fences.lines() {
            let point = |(row, column): Cell| self.place((row as f64, column as f64));
            let ((x1, y1), (x2, y2)) = (point(from), point(to));
            let _ = write!(path, "M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
        }
        if !path.is_empty() {
            let own: [Attribute; 5] = [
                ("class", &"frame"),
                ("fill", &"none"),
                ("stroke-width", &number(self.cell * 0.1)),
                ("stroke-linecap", &"round"),
                ("d", &path),
            ];
            svg.empty("path", &own).line();
        }
    }

    /// Writes the cost of entering on each rough cell, in a corner that no straight trail crosses.
    pub(super) fn costs(&self, svg: &mut Svg) {
        if self.cell < COST_CELL {
            return;
        }
        let rough = |(cell, ground): (usize, &Ground)| match ground {
            Ground::Rough(cost) => Some((cell, *cost)),
            _ => None,
        };
        let size = number(self.cell * 0.26);
        for (cell, cost) in self.film.scenery.ground.iter().enumerate().filter_map(rough) {
            let (row, column) = (cell / self.film.scenery.columns, cell % self.film.scenery.columns);
            let (x, y) = self.place((row as f64 + 0.93, column as f64 + 0.92));
            let (x, y) = (number(x), number(y));
            let own: [Attribute; 5] =
                [("class", &"ink"), ("text-anchor", &"end"), ("x", &x), ("y", &y), ("font-size", &size)];
            svg.open("text", &own).text(&cost.to_string()).close("text").line();
        }
    }
}
