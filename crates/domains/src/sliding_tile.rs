//! Sliding tiles: the 8-puzzle, the 15-puzzle, and boards of any other size.
//!
//! - `description`: the keys of a puzzle file, and their validation;
//! - `listing`, `board_file`: boards as text, in a puzzle file and in a file of their own;
//! - `board`: the validated board;
//! - `grouping`: the groups of a pattern database, as text;
//! - `surface`: the joined edges; `neighbors`: the resulting graph of cells;
//! - `solvability`: deciding whether a board can be solved;
//! - `scramble`: random starts;
//! - `representation`: packed and unpacked boards;
//! - `heuristic`: the heuristics;
//! - `automaton`: a finite automaton that prunes duplicate move sequences;
//! - `space`: the state space whose moves slide single tiles;
//! - `multi`: the state space whose moves push several tiles of a line;
//! - `ranking`: a perfect index of the boards, for explorations;
//! - `view`: drawings and notation;
//! - `rules`: the reference rules, which check solutions;
//! - `instance`: the puzzle as the engine sees it, and its schedule of heuristics.

mod automaton;
mod board;
mod board_file;
mod description;
mod grouping;
mod heuristic;
mod import;
mod instance;
mod listing;
mod multi;
mod neighbors;
mod ranking;
mod representation;
mod rules;
mod scramble;
mod solvability;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod view;

use super::{HeuristicFacts, Named, Notation};
use crate::search::Algorithm;
use board::Metric;
use instance::Tiles;

/// The notation by moves of the blank: `U D L R`.
const BLANK: Notation = Notation::new("blank");

engine_domain::domain! {
    #[cfg(not(test))]
    name: "sliding-tile",
    summary: "sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle",
    read: description::read,
    keys: &[
        Named { name: "start", summary: "the board as a drawing: tiles as numbers separated by spaces, the blank as `0` or `.`" },
        Named { name: "start_file", summary: "in place of `start`: the path of a board file, relative to this file; it has the size, N or `rows columns`, then the tiles" },
        Named { name: "rows", summary: "with `scramble`: the number of rows" },
        Named { name: "columns", summary: "with `scramble`: the number of columns" },
        Named { name: "scramble", summary: "in place of `start`: a random board; `{ moves = 100, seed = 7 }` makes random moves from the goal, `{ seed = 7 }` draws from all solvable boards" },
        Named { name: "goal", summary: "the goal: `blank-last` (default), `blank-first`, or a drawing of the same size" },
        Named { name: "surface", summary: "the surface, which joins opposite edges: `plane` (default), `cylinder`, `torus`, `mobius`, `klein-bottle` or `projective-plane`" },
        Named { name: "metric", summary: "the definition of one move; default `single`" },
        Named { name: "representation", summary: "the representation of boards in memory: `auto` (default), `packed` (up to 25 cells) or `array`" },
        Named { name: "pattern_database", summary: "the groups of tiles of the heuristic `pattern-database`, such as `[[1, 2, 5], [3, 4, 7]]`, or a drawing with a letter for each group; default: chosen by the engine" },
        super::OWN_HEURISTICS,
    ],
    metrics: &[
        Named { name: "single", summary: "one tile, one cell" },
        Named { name: "multi", summary: "one or several tiles of a row or column, pushed together by one cell; only on the plane" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "hamming",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the number of misplaced tiles (Hamming 1950)",
            because: "each move moves one tile, and each misplaced tile has to move",
        },
        HeuristicFacts {
            name: "manhattan",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the sum of the distances of all tiles from their goal cells on an empty board (Doran and Michie \
                      1966)",
            because: "each move moves one tile by one step",
        },
        HeuristicFacts {
            name: "linear-conflict",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "manhattan, plus two moves for each tile that has to leave its goal row or column to let another \
                      pass (Hansson, Mayer and Yung 1992); only on the plane",
            because: "each move moves one tile by one step, and of two tiles that pass each other in their goal line, \
                      one takes two more steps, out of the line and back, which manhattan does not count",
        },
        HeuristicFacts {
            name: "walking-distance",
            admissible: true,
            consistent: true,
            by_hand: false,
            summary: "the least number of vertical moves that bring all tiles to their goal rows, plus that of \
                      horizontal moves for their columns (Takahashi 2001); only on the plane, up to about 4x4",
            because: "each move is either vertical or horizontal, and is then a move in the table of the rows or of \
                      the columns",
        },
        HeuristicFacts {
            name: "pattern-database",
            admissible: true,
            consistent: false,
            by_hand: false,
            summary: "the sum of the least numbers of moves of disjoint groups of tiles, of the board or of its mirror \
                      image, whichever is greater (Korf and Felner 2002); up to 64 cells",
            because: "each move moves one tile, which is in one group, and is a move of that group without the other \
                      tiles; the mirror image of a board has the same distance from the goal",
        },
        HeuristicFacts {
            name: "maximum",
            admissible: true,
            consistent: false,
            by_hand: false,
            summary: "the maximum of linear-conflict, walking-distance and pattern-database, as far as the board has \
                      them",
            because: "none of them overestimates",
        },
    ],
    notations: &[Notation::STANDARD, BLANK],
    decides_solvability: true,
    default_algorithm: Algorithm::IdaStar,
    default_heuristic: "manhattan",
    schema: include_str!("sliding_tile/schema.json"),
    template: include_str!("sliding_tile/template.toml"),
}
