//! Sliding tiles: the 8-puzzle, the 15-puzzle and their kin of any size.
//!
//! - `description`: the keys of a puzzle file, and the board that they mean;
//! - `listing`, `board_file`: boards as they are written, in a puzzle file and in one of their own;
//! - `board`: that board, validated; `marks`: a bit for each of its cells;
//! - `surface`: how the edges are joined, and the graph of cells that comes of it;
//! - `solvability`: whether it can be solved at all;
//! - `scramble`: random starts;
//! - `representation`: how boards are packed;
//! - `distance`: the heuristics, as a distance of each tile from its goal cell;
//! - `space`: the state space of single tiles;
//! - `multi`: the state space where a row of tiles is pushed at once;
//! - `ranking`: a number for every board, where all are to be walked;
//! - `view`: drawings and notation.

mod board;
mod board_file;
mod description;
mod distance;
mod import;
mod listing;
mod marks;
mod multi;
mod ranking;
mod representation;
mod scramble;
mod solvability;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod view;

use super::{DomainFacts, HeuristicFacts, Instance, Named, Notation, Scrambled, Searchable, Style, searchable};
use crate::search::Algorithm;
use board::Board;
use distance::Kind;
use multi::MultiSpace;
use representation::{Array, Packed16, Packed25, Representation};
use scramble::scramble;
use serde::Deserialize;
use space::TileSpace;
use std::sync::Arc;
use view::TileView;

/// The notation that tells the way of the blank: `U D L R`.
const BLANK: Notation = Notation::new("blank");

inventory::submit! {
    DomainFacts {
        name: "sliding-tile",
        summary: "sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle",
        keys: &[
            Named { name: "start", summary: "the board, drawn: tiles as numbers between spaces, the blank as `0` or `.`" },
            Named { name: "start_file", summary: "or a file of its own, relative to this one: the size, N or `rows columns`, then the tiles" },
            Named { name: "rows", summary: "of a board that is scrambled" },
            Named { name: "columns", summary: "of a board that is scrambled" },
            Named { name: "scramble", summary: "a random start: `{ moves = 100, seed = 7 }` walks from the goal, `{ seed = 7 }` draws from all that can be solved" },
            Named { name: "goal", summary: "`blank-last` (default), `blank-first`, or a drawing of the same size" },
            Named { name: "surface", summary: "how the edges are joined: `plane` (default), `cylinder`, `torus`, `mobius`, `klein-bottle` or `projective-plane`" },
            Named { name: "metric", summary: "what counts as one move; default `single`" },
            Named { name: "representation", summary: "how boards are held: `auto` (default), `packed` (up to 25 cells) or `array`" },
        ],
        metrics: &[
            Named { name: "single", summary: "one tile, one cell" },
            Named { name: "multi", summary: "a row or column of tiles, pushed together by one cell; on the plane" },
        ],
        heuristics: &[
            HeuristicFacts::ZERO,
            HeuristicFacts {
                name: "hamming",
                admissible: true,
                consistent: true,
                summary: "the number of tiles that are not where they belong (Hamming 1950)",
            },
            HeuristicFacts {
                name: "manhattan",
                admissible: true,
                consistent: true,
                summary: "the steps between each tile and its place on an empty board, added up (Doran and Michie 1966)",
            },
        ],
        notations: &[Notation::STANDARD, BLANK],
        decides_solvability: true,
        default_algorithm: Algorithm::AStar,
        default_heuristic: "manhattan",
    }
}

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Metric {
    Single,
    Multi,
}

/// The most rows, and the most columns, of a board that is drawn for people.
const MAX_DRAWN: u32 = 100;

/// The most cells of a board that is written as a drawing: the file stays below what is read.
const MAX_WRITTEN: u32 = 1 << 20;

/// A validated board, its metric, and how it is to be held.
struct Tiles {
    board: Arc<Board>,
    metric: Metric,
    packed: bool,
    /// Whether the start was made from the goal: then it can be solved.
    scrambled: bool,
}

impl Instance for Tiles {
    fn metric(&self) -> Option<&'static str> {
        Some(match self.metric {
            Metric::Single => "single",
            Metric::Multi => "multi",
        })
    }

    fn size(&self) -> String {
        format!("{}x{}", self.board.rows, self.board.columns)
    }

    fn unsolvable(&self) -> Option<String> {
        if self.scrambled { None } else { self.board.unsolvable().map(str::to_owned) }
    }

    fn states(&self) -> Option<String> {
        Some(self.board.states())
    }

    fn is_drawn(&self) -> bool {
        self.board.rows.max(self.board.columns) <= MAX_DRAWN
    }

    fn refuses(&self, heuristic: &HeuristicFacts) -> Option<String> {
        let refused = self.metric == Metric::Multi && heuristic.name != "zero";
        refused
            .then(|| "in the metric `multi` one move brings several tiles nearer, so that it overestimates".to_owned())
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64) -> Option<Scrambled> {
        let Board { rows, columns, surface, ref goal, .. } = *self.board;
        let keys = if self.board.cells() <= MAX_WRITTEN {
            let mut board = Board { rows, columns, surface, start: Vec::new(), goal: goal.clone() };
            scramble(&mut board, moves, seed);
            format!("start = \"\"\"\n{}\"\"\"\n", view::draw(&board, &board.start, Style::Drawn))
        } else {
            let moves = moves.map_or(String::new(), |moves| format!("moves = {moves}, "));
            format!("rows = {rows}\ncolumns = {columns}\nscramble = {{ {moves}seed = {seed} }}\n")
        };
        Some(Scrambled { replaced: &["start", "start_file", "rows", "columns", "scramble"], keys })
    }

    fn space(&self, heuristic: &HeuristicFacts) -> Box<dyn Searchable> {
        let kind = match heuristic.name {
            "manhattan" => Kind::Manhattan,
            "hamming" => Kind::Hamming,
            _ => Kind::Zero,
        };
        match self.board.start.len() {
            ..=16 if self.packed => self.held_as::<Packed16>(kind),
            ..=25 if self.packed => self.held_as::<Packed25>(kind),
            _ => self.held_as::<Array>(kind),
        }
    }
}

impl Tiles {
    fn held_as<R: Representation>(&self, kind: Kind) -> Box<dyn Searchable> {
        let view = TileView { board: Arc::clone(&self.board) };
        match self.metric {
            Metric::Single => searchable(TileSpace::<R>::new(&self.board, kind), view),
            Metric::Multi => searchable(MultiSpace::<R>::new(&self.board), view),
        }
    }
}
