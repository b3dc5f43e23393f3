//! Drawings of mazes: the map with the walker; and moves as directions.

use super::map::{Cell, Direction, Map};
use super::space::Grid;
use super::steps::Steps;
use crate::domain::mechanics::{Mechanics, Moves, NamePart, Operator, Operators, Source, Target};
use crate::domain::{GoalView, Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_CELLS, Paint, Picture};
use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::sync::{Arc, OnceLock};

/// The greatest number of rows, and of columns, of a map that is drawn for users.
pub(super) const MOST_DRAWN: u32 = 100;

/// The view of a maze.
pub(super) struct MazeView {
    pub map: Arc<Map>,
    pub start: Cell,
    pub goal: Cell,
    /// The ground of all pictures, made when the first one is: films of long paths have many pictures.
    ground: OnceLock<Arc<Vec<Ground>>>,
}

impl MazeView {
    pub fn new(map: Arc<Map>, start: Cell, goal: Cell) -> MazeView {
        MazeView { map, start, goal, ground: OnceLock::new() }
    }

    /// Returns the row and column of a cell in a picture.
    fn place(&self, cell: Cell) -> (usize, usize) {
        let (row, column) = self.map.place(cell);
        (row as usize, column as usize)
    }

    /// Returns the ground of all pictures.
    fn ground(&self) -> Arc<Vec<Ground>> {
        let (rows, columns) = (self.map.rows as usize, self.map.columns as usize);
        let mut picture = Picture::new(rows, columns, Ground::Floor);
        for (cell, ground) in picture.ground_mut().iter_mut().enumerate() {
            let cell = self.map.cell((cell / columns) as u32, (cell % columns) as u32);
            *ground = match self.map.costs[cell as usize] {
                0 => Ground::Wall,
                1 => Ground::Floor,
                cost => Ground::Rough(cost),
            };
        }
        let used = [self.place(self.start), self.place(self.goal)];
        picture.clear_outside(|cell| used.contains(&cell));
        picture.ground
    }
}

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> View<Grid<C, UNIT, DIAGONAL>> for MazeView {
    /// The cell of the walker.
    type Position = Cell;

    fn initial(&self) -> Cell {
        self.start
    }

    fn apply(&self, walker: &mut Cell, direction: Direction) {
        *walker = self.map.neighbor(*walker, direction);
    }

    fn notation(&self, _walker: &Cell, direction: Direction, _notation: Notation) -> String {
        direction.name().to_owned()
    }

    /// For users, `@` is the walker once it has left the start `S`, which nothing covers; a map that is too large is
    /// replaced by the walker's row and column. In the plain format, `S` is the walker, as in a puzzle file.
    fn draw(&self, &walker: &Cell, style: Style) -> String {
        let map = &self.map;
        if style == Style::Plain {
            return drawing(map, walker, self.goal, None);
        }
        if map.rows.max(map.columns) > MOST_DRAWN {
            let (row, column) = map.place(walker);
            return format!("[{row}, {column}] of a map of {}x{}\n", map.rows, map.columns);
        }
        drawing(map, self.start, self.goal, Some(walker).filter(|&walker| walker != self.start))
    }

    fn picture(&self, &walker: &Cell) -> Option<Picture> {
        let (rows, columns) = (self.map.rows as usize, self.map.columns as usize);
        if rows * columns > MOST_CELLS {
            return None;
        }
        let mut picture = Picture::new(0, 0, Ground::Floor);
        (picture.rows, picture.columns) = (rows, columns);
        picture.ground = Arc::clone(self.ground.get_or_init(|| self.ground()));
        picture.marks = vec![
            Figure::single(0, "S", Paint::Plain, Form::Block, self.place(self.start)),
            Figure::single(1, "G", Paint::Accent, Form::Block, self.place(self.goal)),
        ];
        picture.figures = vec![figure(self.place(walker))];
        Some(picture)
    }

    fn goal(&self) -> GoalView {
        let (row, column) = self.map.place(self.goal);
        GoalView::in_words(format!("reach `G` at [{row}, {column}]"))
    }

    fn moving(&self, &walker: &Cell) -> Option<Vec<Figure>> {
        let (row, column) = self.map.place(walker);
        Some(vec![figure((row as usize, column as usize))])
    }

    /// Returns the rules as data. The only variable is the walker's cell, row by row; an operator is a direction with
    /// one cost.
    fn mechanics(&self, _space: &Grid<C, UNIT, DIAGONAL>) -> Option<Mechanics> {
        let map = &self.map;
        let places = || (0..map.rows).flat_map(|row| (0..map.columns).map(move |column| (row, column)));
        let number = |(row, column): (u32, u32)| row * map.columns + column;
        let open = || places().filter(|&(row, column)| map.is_open(map.cell(row, column)));
        let mut operators = Vec::new();
        for (bit, direction) in Direction::ALL.into_iter().enumerate() {
            let mut from: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
            for place in open() {
                let cell = map.cell(place.0, place.1);
                if map.moves(cell, DIAGONAL) >> bit & 1 == 1 {
                    let cost = map.costs[map.neighbor(cell, direction) as usize];
                    from.entry(cost).or_default().push(number(place));
                }
            }
            let (down, right) = direction.steps();
            let by = i64::from(down) * i64::from(map.columns) + i64::from(right);
            let length = if direction.is_diagonal() { SQRT_2 } else { 1.0 };
            operators.extend(from.into_iter().map(|(cost, cells)| Operator {
                name: vec![NamePart::Text(direction.name().to_owned())],
                cost: f64::from(cost) * length,
                conditions: vec![(0, cells)],
                disjunctions: Vec::new(),
                counts: Vec::new(),
                effects: vec![(0, Source::Shift(by))],
            }));
        }
        let goal = vec![(0, vec![number(map.place(self.goal))])];
        Some(Mechanics {
            start: vec![number(map.place(self.start))],
            domains: vec![open().map(number).collect()],
            goals: vec![Target { conditions: goal, ..Target::default() }],
            moves: Moves::Operators(Operators { operators, ..Operators::default() }),
        })
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        let columns = self.map.columns as usize;
        values.iter().map(|&cell| figure((cell as usize / columns, cell as usize % columns))).collect()
    }
}

/// Returns the figure of the walker.
fn figure(at: (usize, usize)) -> Figure {
    Figure::single(0, "", Paint::Accent, Form::Token, at)
}

/// Returns a map as rows of text.
pub(super) fn drawing(map: &Map, start: Cell, goal: Cell, walker: Option<Cell>) -> String {
    let mut out = String::with_capacity(map.costs.len());
    for row in 0..map.rows {
        for cell in (0..map.columns).map(|column| map.cell(row, column)) {
            out.push(match map.costs[cell as usize] {
                _ if Some(cell) == walker => '@',
                _ if cell == start => 'S',
                _ if cell == goal => 'G',
                0 => '#',
                1 => '.',
                cost => char::from(b'0' + cost),
            });
        }
        out.push('\n');
    }
    out
}
