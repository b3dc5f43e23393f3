//! The reference rules: rows of numbers, and a blank that changes places with its neighbours.
//!
//! They share only the description of the board with the state spaces.

use super::board::{Metric, Tile, TileBoard, TileGoal};
use super::surface::Surface;
use crate::domain::{Permuting, Rules, Steps};

/// A row and a column.
type Place = (usize, usize);

/// The rows and columns of a step, down and to the right.
type DirectionStep = (i64, i64);

/// A board in play.
pub(super) struct TileRules<'a> {
    board: &'a TileBoard,
    metric: Metric,
    rows: Vec<Vec<Tile>>,
    blank: Place,
    moves: u32,
}

impl TileRules<'_> {
    pub fn new(board: &TileBoard, metric: Metric) -> TileRules<'_> {
        let rows: Vec<Vec<Tile>> = board.start.chunks(board.columns as usize).map(<[Tile]>::to_vec).collect();
        let stands = |row: &Vec<Tile>| row.iter().position(|&tile| tile == 0);
        let blank = rows.iter().enumerate().find_map(|(row, tiles)| Some((row, stands(tiles)?)));
        TileRules { board, metric, rows, blank: blank.expect("every board has a blank"), moves: 0 }
    }

    /// Returns the cell one step from another, or `None` beyond an open edge.
    fn neighbor(&self, (row, column): Place, (down, right): DirectionStep) -> Option<Place> {
        let (height, width) = (self.rows.len() as i64, self.rows[0].len() as i64);
        let (row, column) = (row as i64 + down, column as i64 + right);
        // For the sides, and for top and bottom: whether they are joined, and whether with a flip.
        let (sides, ends) = match self.board.surface {
            Surface::Plane => (None, None),
            Surface::Cylinder => (Some(false), None),
            Surface::Torus => (Some(false), Some(false)),
            Surface::Mobius => (Some(true), None),
            Surface::KleinBottle => (Some(true), Some(false)),
            Surface::ProjectivePlane => (Some(true), Some(true)),
        };
        let (row, column) = if !(0..width).contains(&column) {
            (if sides? { height - 1 - row } else { row }, column.rem_euclid(width))
        } else if !(0..height).contains(&row) {
            (row.rem_euclid(height), if ends? { width - 1 - column } else { column })
        } else {
            (row, column)
        };
        Some((row as usize, column as usize))
    }

    fn tile(&self, (row, column): Place) -> Tile {
        self.rows[row][column]
    }

    /// Returns the cells that the blank visits, from a notation in `U D L R`.
    fn path_of_blank(&self, written: &str) -> Result<Vec<Place>, String> {
        if written.chars().any(|letter| !written.starts_with(letter)) {
            return Err("a move goes in one direction".to_owned());
        }
        if self.metric == Metric::Single && written.len() > 1 {
            return Err("in the metric `single` a move is one cell".to_owned());
        }
        let (way, relation) = parse_direction(written[..1].to_ascii_lowercase().as_str()).ok_or("unknown direction")?;
        let mut cells = Vec::new();
        let mut at = self.blank;
        for _ in 0..written.len() {
            let next = self.neighbor(at, way).filter(|&next| next != at);
            at = next.ok_or_else(|| format!("there is no cell {relation} the blank"))?;
            cells.push(at);
        }
        Ok(cells)
    }

    /// Returns the cells that the blank visits, from a notation by tile and direction.
    fn path_of_tile(&self, written: &str) -> Result<Vec<Place>, String> {
        let letter = written.find(|c: char| !c.is_ascii_digit());
        let (number, direction) = written.split_at(letter.unwrap_or(written.len()));
        let form = "a move is a tile and `u`, `d`, `l` or `r`, or the blank's `U`, `D`, `L` or `R`";
        let (direction, relation) = parse_direction(direction).filter(|_| !number.is_empty()).ok_or(form)?;
        let last = self.board.rows * self.board.columns - 1;
        let tile = number.parse().ok().filter(|tile| (1..=last).contains(tile));
        let tile: Tile = tile.ok_or_else(|| format!("there is no tile {number}"))?;
        match self.metric {
            Metric::Single => {
                let around = DIRECTIONS.iter().filter_map(|&(_, way, _)| self.neighbor(self.blank, way));
                let mut from = around.filter(|&cell| self.tile(cell) == tile && cell != self.blank);
                let from = from.find(|&cell| self.neighbor(cell, direction) == Some(self.blank));
                from.map(|cell| vec![cell]).ok_or_else(|| format!("the blank is not {relation} tile {tile}"))
            }
            Metric::Multi => {
                let mut cells = Vec::new();
                let mut at = self.blank;
                // The blank moves the other way, past all pushed tiles to the farthest.
                while let Some(next) = self.neighbor(at, (-direction.0, -direction.1)) {
                    cells.push(next);
                    if self.tile(next) == tile {
                        return Ok(cells);
                    }
                    at = next;
                }
                Err(format!("the blank is not {relation} tile {tile}, in one line with it"))
            }
        }
    }
}

impl Rules for TileRules<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let of_blank = !written.is_empty() && written.chars().all(|letter| "UDLR".contains(letter));
        let cells = if of_blank { self.path_of_blank(written) } else { self.path_of_tile(written) }?;
        for (row, column) in cells {
            self.rows[self.blank.0][self.blank.1] = self.rows[row][column];
            self.rows[row][column] = 0;
            self.blank = (row, column);
        }
        self.moves += 1;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        let last = self.board.rows * self.board.columns;
        let tiles = self.rows.iter().flatten().copied();
        match &self.board.goal {
            TileGoal::BlankLast => tiles.eq((1..last).chain([0])),
            TileGoal::BlankFirst => tiles.eq(0..last),
            TileGoal::Listed { tiles: listed, .. } => tiles.eq(listed.iter().copied()),
        }
    }

    fn cost(&self) -> f64 {
        self.moves.into()
    }

    fn draw(&self) -> String {
        let width = (self.board.rows * self.board.columns - 1).to_string().len();
        let entry = |&tile: &Tile| {
            let written = if tile == 0 { ".".to_owned() } else { tile.to_string() };
            " ".repeat(width - written.len()) + &written
        };
        self.rows.iter().map(|row| row.iter().map(entry).collect::<Vec<_>>().join(" ") + "\n").collect()
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(self.rows.iter().flatten().copied().collect())
    }

    fn set_position(&mut self, position: &[u32]) {
        let width = self.rows[0].len();
        self.rows = position.chunks(width).map(<[Tile]>::to_vec).collect();
        let blank = position.iter().position(|&tile| tile == 0).unwrap_or(0);
        self.blank = (blank / width, blank % width);
    }

    fn permuting(&self) -> Option<Permuting> {
        let (height, width) = (self.rows.len(), self.rows[0].len());
        let cell = |(row, column): Place| row * width + column;
        let last = self.board.rows * self.board.columns;
        let goal = match &self.board.goal {
            TileGoal::BlankLast => (1..last).chain([0]).collect(),
            TileGoal::BlankFirst => (0..last).collect(),
            TileGoal::Listed { tiles, .. } => tiles.to_vec(),
        };
        let places = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let from =
            |place: Place| DIRECTIONS.iter().filter_map(move |&(_, way, _)| Some((place, self.neighbor(place, way)?)));
        let steps = places.flat_map(from).map(|(from, to)| (cell(from), cell(to))).filter(|(from, to)| from < to);
        Some(Permuting { goal, steps: Steps::OfBlank(steps.collect()) })
    }

    fn candidates(&self) -> Vec<String> {
        let farthest = if self.metric == Metric::Multi { self.rows.len().max(self.rows[0].len()) } else { 1 };
        ["U", "D", "L", "R"].iter().flat_map(|way| (1..=farthest).map(|cells| way.repeat(cells))).collect()
    }
}

/// The directions: the letter, the step, and the relative place that it leads to.
const DIRECTIONS: [(&str, DirectionStep, &str); 4] =
    [("u", (-1, 0), "above"), ("d", (1, 0), "below"), ("l", (0, -1), "left of"), ("r", (0, 1), "right of")];

fn parse_direction(letter: &str) -> Option<(DirectionStep, &'static str)> {
    DIRECTIONS.iter().find(|(written, ..)| *written == letter).map(|&(_, way, relation)| (way, relation))
}
