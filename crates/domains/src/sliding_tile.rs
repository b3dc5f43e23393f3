//! Sliding tiles: the 8-puzzle, the 15-puzzle, and boards of any other size.
//!
//! - `description`: the keys of a puzzle file, and their validation;
//! - `listing`, `board_file`: boards as text, in a puzzle file and in a file of their own;
//! - `board`: the validated board; `marks`: a bit set of its cells;
//! - `grouping`: the groups of a pattern database, as text;
//! - `surface`: the joined edges, and the resulting graph of cells;
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
mod marks;
mod multi;
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
use instance::{Metric, Tiles};

/// The notation by moves of the blank: `U D L R`.
const BLANK: Notation = Notation::new("blank");

engine_domain::domain! {
    name: "sliding-tile",
    summary: "sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle",
    read: description::read,
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
        Named { name: "pattern_database", summary: "the groups of tiles of its tables, `[[1, 2, 5], [3, 4, 7]]` or a drawing with a letter for each; default: chosen" },
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
            because: "a move moves one tile, and each tile that is not where it belongs has to move",
        },
        HeuristicFacts {
            name: "manhattan",
            admissible: true,
            consistent: true,
            summary: "the steps between each tile and its place on an empty board, added up (Doran and Michie 1966)",
            because: "a move moves one tile by one step",
        },
        HeuristicFacts {
            name: "linear-conflict",
            admissible: true,
            consistent: true,
            summary: "manhattan, and two moves more for every tile that has to leave its line to let others pass \
                      (Hansson, Mayer and Yung 1992); on the plane",
            because: "a move moves one tile by one step, and tiles that pass each other in a line \
                      where both belong take two steps more off it, which manhattan does not count",
        },
        HeuristicFacts {
            name: "walking-distance",
            admissible: true,
            consistent: true,
            summary: "the moves up and down that the rows of the tiles take at least, and the moves sideways that \
                      their columns take (Takahashi 2001); on the plane, up to about 4x4",
            because: "a move goes either up or down or sideways, and is then a move of the table of \
                      rows or of columns",
        },
        HeuristicFacts {
            name: "pattern-database",
            admissible: true,
            consistent: false,
            summary: "the moves that groups of tiles take at least, added up, or in a mirror if that is more \
                      (Korf and Felner 2002); up to 64 cells",
            because: "each move moves one tile, which is in one group, and is a move of that group \
                      with all others left out; a mirror image of a board is as far from the goal",
        },
        HeuristicFacts {
            name: "maximum",
            admissible: true,
            consistent: false,
            summary: "the greatest of linear-conflict, walking-distance and pattern-database, of those that the board \
                      has",
            because: "each of them never overestimates",
        },
    ],
    notations: &[Notation::STANDARD, BLANK],
    decides_solvability: true,
    default_algorithm: Algorithm::IdaStar,
    default_heuristic: "manhattan",
    schema: include_str!("sliding_tile/schema.json"),
    template: include_str!("sliding_tile/template.toml"),
}
