//! Pictures: positions in a form that every renderer can draw.
//!
//! A picture is a grid: the ground of each cell, marks on the ground, and figures on top. A figure keeps its key from
//! one position to the next, so that a renderer can animate its motion. Domains build pictures. The renderers
//! (terminal, SVG and animations) know no domain.

mod colours;
mod following;
pub mod path;
mod sprite;

pub use colours::{Colours, Paint, is_light};
pub use following::movers;
pub use sprite::Sprite;

use crate::fences::Fences;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row and a column, counted from 0.
pub type Cell = (usize, usize);

/// The greatest number of cells in a picture.
pub const MOST_CELLS: usize = 1 << 20;

/// The greatest number of figures in a picture.
pub const MOST_FIGURES: usize = 1 << 14;

/// A position, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The ground of each cell, row by row; shared, as it rarely differs from one position to the next.
    pub ground: Arc<Vec<Ground>>,
    /// Marks on the ground, for example at the goal of a figure.
    pub marks: Vec<Figure>,
    /// The thin walls between cells; the same in every position.
    pub fences: Arc<Fences>,
    /// The gaps in the frame around the board, through which a figure leaves. Without any, the board has no frame.
    pub exits: Vec<Exit>,
    /// The figures, in the same order in every position. Their keys are distinct.
    pub figures: Vec<Figure>,
    /// The sprites of marks and figures, from back to front; the same in every position.
    pub sprites: Arc<[Sprite]>,
    /// The cells that are drawn as discs off the grid, where that is possible; elsewhere they are cells as all others.
    pub discs: Arc<BTreeMap<Cell, Disc>>,
    /// Groups of cells that are one place for clicks, such as a pile; the same in every position.
    pub areas: Arc<Vec<Vec<Cell>>>,
    /// The position in words, for screen readers.
    pub words: Option<Words>,
}

/// A cell off the grid, measured in thousandths of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disc {
    /// The distance below its own place at which it is drawn.
    pub down: i32,
    /// The distance to the right of its own place at which it is drawn.
    pub right: i32,
    /// The diameter of the figure on it.
    pub diameter: u32,
}

/// A description of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The rows and columns at the top that are a board, described cell by cell; 0 without one.
    pub board: (usize, usize),
    /// The lines about everything else.
    pub lines: Vec<String>,
}

/// A gap in the frame, beside a cell at the edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exit {
    /// The edge of the board.
    pub side: Side,
    /// The row or the column of the cell.
    pub at: usize,
}

/// An edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Above the first row.
    Top,
    /// Behind the last column.
    Right,
    /// Below the last row.
    Bottom,
    /// Before the first column.
    Left,
}

/// The ground of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// No cell: the board has a hole here.
    Void,
    /// A cell that figures may enter.
    Floor,
    /// Floor with a hole in which a figure stands, such as a peg.
    Hole,
    /// A cell that no figure may enter.
    Wall,
    /// A cell that only some figures may enter.
    Gate,
    /// Floor with this cost of entering, above 1.
    Rough(u32),
}

/// A figure or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The identity of the figure: the same in all positions.
    pub key: u64,
    /// The text on the figure.
    pub label: String,
    /// Its colour.
    pub paint: Paint,
    /// The shape to draw.
    pub form: Form,
    /// The upper left corner of the rectangle around its cells.
    pub at: Cell,
    /// The cells, as offsets from `at`, row by row; at least one.
    pub cells: Vec<Cell>,
}

/// The shape of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A solid block that fills its cells, with its label on it.
    Block,
    /// A round token in its cell; it leaves a trail.
    Token,
    /// The label alone.
    Text,
    /// A part of the ground with a colour and a label of its own: a door, a coloured wall, water. It fills its cells to
    /// their edges, behind all other figures.
    Fill,
    /// The sprite with this number, which fills its cell. The label stands for it where there are no colours. A key
    /// made by [`Picture::sprite_key`] is exchanged with others so that the nearest figures move.
    Sprite(usize),
}

impl Figure {
    /// Builds a figure on one cell.
    #[must_use]
    pub fn single(key: u64, label: impl Into<String>, paint: Paint, form: Form, at: Cell) -> Figure {
        Figure { key, label: label.into(), paint, form, at, cells: vec![(0, 0)] }
    }

    /// Returns the cells that the figure covers.
    pub fn covered(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.iter().map(|&(row, column)| (self.at.0 + row, self.at.1 + column))
    }
}

impl Picture {
    /// Builds a picture without figures and with the same ground everywhere.
    #[must_use]
    pub fn new(rows: usize, columns: usize, ground: Ground) -> Picture {
        let ground = Arc::new(vec![ground; rows * columns]);
        let (marks, fences, exits, figures, sprites, discs, areas, words) = Default::default();
        Picture { rows, columns, ground, marks, fences, exits, figures, sprites, discs, areas, words }
    }

    /// Builds a picture of text, character by character, for positions that have only a text form.
    #[must_use]
    pub fn of_text(text: &str) -> Picture {
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let mut picture = Picture::new(lines.len(), columns, Ground::Void);
        for (row, line) in lines.iter().enumerate() {
            for (column, &letter) in line.iter().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
                let key = ((row * columns + column) as u64) << 21 | u64::from(u32::from(letter));
                picture.figures.push(Figure::single(key, letter, Paint::Plain, Form::Text, (row, column)));
            }
        }
        picture
    }

    /// Returns the ground to change it, row by row.
    pub fn ground_mut(&mut self) -> &mut Vec<Ground> {
        Arc::make_mut(&mut self.ground)
    }

    /// Returns the ground of a cell.
    #[must_use]
    pub fn ground(&self, (row, column): Cell) -> Ground {
        self.ground[row * self.columns + column]
    }

    /// Turns the floor outside of the walls into void: the areas at the edge of the board that walls separate from
    /// every cell in use.
    pub fn clear_outside(&mut self, is_used: impl Fn(Cell) -> bool) {
        let (rows, columns) = (self.rows, self.columns);
        let is_open = |ground: Ground| matches!(ground, Ground::Floor | Ground::Hole | Ground::Gate | Ground::Rough(_));
        let mut seen = vec![false; rows * columns];
        let edge = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let edge = edge.filter(|&(row, column)| row == 0 || column == 0 || row + 1 == rows || column + 1 == columns);
        for first in edge {
            let mut area = Vec::new();
            let (mut open, mut is_outside) = (vec![first], true);
            while let Some((row, column)) = open.pop() {
                let cell = row * columns + column;
                if seen[cell] || !is_open(self.ground[cell]) {
                    continue;
                }
                seen[cell] = true;
                is_outside &= !is_used((row, column));
                area.push(cell);
                let steps = [
                    (row.wrapping_sub(1), column),
                    (row + 1, column),
                    (row, column.wrapping_sub(1)),
                    (row, column + 1),
                ];
                open.extend(steps.into_iter().filter(|&(row, column)| row < rows && column < columns));
            }
            if is_outside && !area.is_empty() {
                let ground = self.ground_mut();
                area.into_iter().for_each(|cell| ground[cell] = Ground::Void);
            }
        }
    }

    /// Returns the figure that covers a cell, the last of several.
    #[must_use]
    pub fn figure_on(&self, cell: Cell) -> Option<&Figure> {
        self.figures.iter().rfind(|figure| figure.covered().any(|covered| covered == cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_of_a_text_is_a_figure_that_keeps_its_key_while_it_stays() {
        let (one, two) = (Picture::of_text("a b\n|\n"), Picture::of_text("a c\n|\n"));
        assert_eq!((one.rows, one.columns), (2, 3));
        let keys = |picture: &Picture| picture.figures.iter().map(|figure| figure.key).collect::<Vec<_>>();
        assert_eq!(keys(&one).len(), 3);
        assert_eq!((keys(&one)[0], keys(&one)[2]), (keys(&two)[0], keys(&two)[2]));
        assert_ne!(keys(&one)[1], keys(&two)[1]);
    }

    #[test]
    fn a_figure_is_found_by_each_of_its_cells() {
        let mut picture = Picture::new(2, 2, Ground::Floor);
        let corner =
            Figure { cells: vec![(0, 0), (1, 0)], ..Figure::single(7, "a", Paint::Accent, Form::Block, (0, 1)) };
        picture.figures.push(corner);
        let found = |cell| picture.figure_on(cell).map(|figure| figure.key);
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(found), [None, Some(7), None, Some(7)]);
    }

    #[test]
    fn floor_outside_of_the_walls_is_no_floor() {
        let mut picture = Picture::new(3, 5, Ground::Floor);
        for cell in [1, 3, 6, 8, 11, 12, 13] {
            picture.ground_mut()[cell] = Ground::Wall;
        }
        picture.clear_outside(|cell| cell == (1, 2) || cell == (2, 4));
        let void: Vec<usize> = (0..15).filter(|&cell| picture.ground[cell] == Ground::Void).collect();
        assert_eq!(void, [0, 5, 10], "the inside and the area on the right are in use");
    }
}
