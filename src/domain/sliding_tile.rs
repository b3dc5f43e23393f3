//! Sliding tiles: the 8-puzzle, the 15-puzzle and their kin of any size.
//!
//! - `description`: the keys of a puzzle file, and the board that they mean;
//! - `board`: that board, validated, and whether it can be solved at all;
//! - `representation`: how boards are packed;
//! - `distance`: the heuristics, as a distance of each tile from its goal cell;
//! - `space`: the state space;
//! - `surface`: how the edges are joined, and the graph of cells that comes of it;
//! - `view`: drawings and notation.

mod board;
mod description;
mod distance;
mod import;
mod representation;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod view;

use super::{DomainFacts, HeuristicFacts, Instance, Named, Notation, Searchable, searchable};
use crate::search::Algorithm;
use board::Board;
use distance::Kind;
use representation::{Array, Packed16, Packed25, Representation};
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
            Named { name: "goal", summary: "`blank-last` (default), `blank-first`, or a drawing of the same size" },
            Named { name: "surface", summary: "what the edges are joined to: `plane`, nothing" },
            Named { name: "metric", summary: "what counts as one move; default `single`" },
            Named { name: "representation", summary: "how boards are held: `auto` (default), `packed` (up to 25 cells) or `array`" },
        ],
        metrics: &[Named { name: "single", summary: "one tile, one cell" }],
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
                summary: "the rows and columns between each tile and its place, added up (Doran and Michie 1966)",
            },
        ],
        notations: &[Notation::STANDARD, BLANK],
        decides_solvability: true,
        default_algorithm: Algorithm::AStar,
        default_heuristic: "manhattan",
    }
}

/// A validated board and how it is to be held.
struct Tiles {
    board: Arc<Board>,
    packed: bool,
}

impl Instance for Tiles {
    fn metric(&self) -> Option<&'static str> {
        Some("single")
    }

    fn size(&self) -> String {
        format!("{}x{}", self.board.rows, self.board.columns)
    }

    fn unsolvable(&self) -> Option<String> {
        self.board.unsolvable().map(str::to_owned)
    }

    fn states(&self) -> Option<String> {
        Some(self.board.states())
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
        searchable(TileSpace::<R>::new(&self.board, kind), TileView { board: Arc::clone(&self.board) })
    }
}
