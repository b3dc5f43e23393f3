//! Drawings of mazes: the map with the walker; and moves as directions.

use super::cell::Cell;
use super::map::{Direction, Map};
use super::space::Grid;
use super::steps::Steps;
use crate::domain::mechanics::{Mechanics, Moves, NamePart, Operator, Operators, Source, Target};
use crate::domain::{Alternative, GoalView, Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_CELLS, MOST_FIGURES, Paint, Picture};
use std::collections::{BTreeMap, HashSet};
use std::f64::consts::SQRT_2;
use std::sync::{Arc, OnceLock};

/// The greatest number of rows, and of columns, of a map that is drawn for users.
pub(super) const MOST_DRAWN: u32 = 100;

/// The view of a maze.
pub(super) struct MazeView {
    pub map: Arc<Map>,
    pub start: Cell,
    /// The goals, in order.
    goals: Vec<Cell>,
    /// The ground of all pictures, made when the first one is: films of long paths have many pictures.
    ground: OnceLock<Arc<Vec<Ground>>>,
}

impl MazeView {
    pub fn new(map: Arc<Map>, start: Cell, goals: &[Cell]) -> MazeView {
        let mut goals = goals.to_vec();
        goals.sort_unstable();
        MazeView { map, start, goals, ground: OnceLock::new() }
    }

    /// Returns the cells of the portals, two by two, each with its character.
    fn portals(&self) -> impl Iterator<Item = (char, [Cell; 2])> {
        self.map.kinds.iter().filter_map(|kind| Some((char::from(kind.character), kind.portal?)))
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
            *ground = match self.map.cost(cell) {
                0 => Ground::Wall,
                1 => Ground::Floor,
                cost => Ground::Rough(cost),
            };
        }
        let portals = self.portals().flat_map(|(_, cells)| cells);
        let used: HashSet<_> = portals.chain(self.goals.iter().copied()).chain([self.start]).collect();
        picture.clear_outside(|(row, column)| used.contains(&self.map.cell(row as u32, column as u32)));
        picture.ground
    }
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> View<Grid<C, PLAIN, DIAGONAL>> for MazeView {
    /// The cell of the walker.
    type Position = Cell;

    fn initial(&self) -> Cell {
        self.start
    }

    fn position(&self, _space: &Grid<C, PLAIN, DIAGONAL>, &cell: &Cell) -> Option<Cell> {
        Some(cell)
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
            return drawing(map, walker, &self.goals, None);
        }
        if map.rows.max(map.columns) > MOST_DRAWN {
            let (row, column) = map.place(walker);
            return format!("[{row}, {column}] of a map of {}x{}\n", map.rows, map.columns);
        }
        let cells = drawing(map, self.start, &self.goals, Some(walker).filter(|&walker| walker != self.start));
        match &map.fences {
            Some(fences) => fences.drawn_around(&cells),
            None => cells,
        }
    }

    fn picture(&self, &walker: &Cell) -> Option<Picture> {
        let (rows, columns) = (self.map.rows as usize, self.map.columns as usize);
        if rows * columns > MOST_CELLS || self.goals.len() > MOST_FIGURES / 2 {
            return None;
        }
        let mut picture = Picture::new(0, 0, Ground::Floor);
        (picture.rows, picture.columns) = (rows, columns);
        picture.ground = Arc::clone(self.ground.get_or_init(|| self.ground()));
        picture.fences = self.map.fences.clone().unwrap_or_default();
        let goals = self.goals.iter().map(|&goal| ('G', Paint::Accent, goal));
        let portals = self.portals().enumerate();
        let portals = portals.flat_map(|(number, (name, cells))| cells.map(|cell| (name, Paint::Hue(number), cell)));
        // What marks a cell first hides other marks, as in a drawing.
        let is_covered = |cell: Cell| cell == self.start || self.goals.contains(&cell);
        let portals = portals.filter(|&(.., cell)| !is_covered(cell));
        let marks = [('S', Paint::Plain, self.start)].into_iter().chain(goals).chain(portals);
        let mark = |(key, (name, paint, cell)): (u64, (char, Paint, Cell))| {
            Figure::single(key, name, paint, Form::Block, self.place(cell))
        };
        picture.marks = (0..).zip(marks).map(mark).collect();
        picture.figures = vec![figure(self.place(walker))];
        Some(picture)
    }

    fn goal(&self) -> GoalView {
        GoalView::of(&self.goals, |&goal| {
            let (row, column) = self.map.place(goal);
            Alternative { words: vec![format!("reach `G` at [{row}, {column}]")], ..Alternative::default() }
        })
    }

    fn moving(&self, &walker: &Cell) -> Option<Vec<Figure>> {
        let (row, column) = self.map.place(walker);
        Some(vec![figure((row as usize, column as usize))])
    }

    /// Returns the rules as data. The only variable is the walker's cell, row by row; an operator is a direction with
    /// one cost.
    fn mechanics(&self, _space: &Grid<C, PLAIN, DIAGONAL>) -> Option<Mechanics> {
        let map = &self.map;
        let places = || (0..map.rows).flat_map(|row| (0..map.columns).map(move |column| (row, column)));
        let number = |(row, column): (u32, u32)| row * map.columns + column;
        let open = || places().filter(|&(row, column)| map.is_open(map.cell(row, column)));
        let mut operators = Vec::new();
        for (bit, direction) in Direction::ALL.into_iter().enumerate() {
            // The numbers of the cells before and after the move, by its cost.
            let mut from: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
            for place in open() {
                let cell = map.cell(place.0, place.1);
                if map.moves(cell, DIAGONAL) >> bit & 1 == 1 {
                    let to = map.neighbor(cell, direction);
                    from.entry(map.cost(to)).or_default().push((number(place), number(map.place(to))));
                }
            }
            let (down, right) = direction.steps();
            let by = i64::from(down) * i64::from(map.columns) + i64::from(right);
            let length = if direction.is_diagonal() { SQRT_2 } else { 1.0 };
            operators.extend(from.into_iter().map(|(cost, moves)| Operator {
                name: vec![NamePart::Text(direction.name().to_owned())],
                cost: f64::from(cost) * length,
                conditions: vec![(0, moves.iter().map(|&(from, _)| from).collect())],
                disjunctions: Vec::new(),
                counts: Vec::new(),
                effects: vec![(0, if by == 0 { Source::Table(0, moves) } else { Source::Shift(by) })],
            }));
        }
        let goal = vec![(0, self.goals.iter().map(|&goal| number(map.place(goal))).collect())];
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
pub(super) fn drawing(map: &Map, start: Cell, goals: &[Cell], walker: Option<Cell>) -> String {
    let mut goals = goals.to_vec();
    goals.sort_unstable();
    let mut goals = goals.into_iter().peekable();
    let mut out = String::with_capacity(map.cells.len());
    for row in 0..map.rows {
        for cell in (0..map.columns).map(|column| map.cell(row, column)) {
            let is_goal = goals.next_if_eq(&cell).is_some();
            out.push(match cell {
                _ if Some(cell) == walker => '@',
                _ if cell == start => 'S',
                _ if is_goal => 'G',
                _ => char::from(map.kinds[usize::from(map.cells[cell as usize])].character),
            });
        }
        out.push('\n');
    }
    out
}
