//! Permutation puzzles: Rubik's cubes, TopSpin, pancakes, and every other puzzle whose moves permute places.
//!
//! - `description`: the keys of a puzzle file; `listing`, `cycles`, `word`, `layout`, `colors`: their values;
//! - `setup`: the validated puzzle; `images`: its permutations;
//! - `chain`: the group that the moves generate, as a stabiliser chain; `number`: big integers for its order;
//! - `structure`: orbits, and places that always move together;
//! - `solvability`: deciding whether the start can be solved;
//! - `scramble`: random starts;
//! - `model`: the compiled puzzle, reduced to what distinguishes positions;
//! - `representation`: in-memory forms of positions;
//! - `ranking`: ranking and unranking the places of some labels; `neighbors`: the ranks after each move;
//! - `patterns`: pattern databases over these ranks; `cosets`: pattern databases of colours, up to the `symmetries` of
//!   the moves;
//! - `space`: the state space;
//! - `view`: drawings and notation; `rules`: the reference rules, which check solutions;
//! - `instance`: the puzzle as the engine sees it, and its schedule of heuristics.

mod chain;
mod colors;
mod cosets;
mod cycles;
mod description;
mod identity;
mod images;
mod instance;
mod layout;
mod listing;
mod model;
mod neighbors;
mod number;
mod patterns;
mod ranking;
mod representation;
mod rules;
mod scramble;
mod setup;
mod solvability;
mod space;
mod structure;
mod symmetries;
#[cfg(test)]
mod tests;
mod view;
mod word;

use super::{HeuristicFacts, Named};
use crate::search::Algorithm;

engine_domain::domain! {
    #[cfg(not(test))]
    name: "permutation",
    summary: "permutations of places: Rubik's cubes, TopSpin, pancakes and similar puzzles",
    read: description::read,
    keys: &[
        Named { name: "solved", summary: "the labels of the places when solved: an array, or a string with a letter for each place; an array of arrays lists several solved arrangements" },
        Named { name: "rotations", summary: "turns of the whole puzzle, after which it is solved, too: each as cycles of places or as moves, such as `\"R L'\"`" },
        Named { name: "start", summary: "the labels at the start, in the same form" },
        Named { name: "scramble", summary: "in place of `start`: the moves that lead to it, such as `\"R U2 R'\"`; `{ moves = 30, seed = 7 }` makes random moves, `{ seed = 7 }` draws from all solvable positions" },
        Named { name: "moves", summary: "a table of generators: names of letters, with disjoint cycles of places such as `\"(1 2 3)(4 5)\"`" },
        Named { name: "metric", summary: "the definition of one move; default `power`" },
        Named { name: "layout", summary: "a drawing of the places by their numbers; `.` or more white space is a gap" },
        Named { name: "colors", summary: "a table of colours by label: a name or `#rrggbb`" },
        Named { name: "pattern_database", summary: "the patterns of the heuristic `pattern-database`, as groups of places such as `[[1, 2], [3, 4]]`; default: chosen by the engine" },
    ],
    metrics: &[
        Named { name: "power", summary: "a generator or any power of it" },
        Named { name: "generator", summary: "a generator or its inverse" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "pattern-database",
            admissible: true,
            consistent: false,
            by_hand: false,
            summary: "the least number of moves that bring the labels of a pattern to their places in a solved arrangement, ignoring the \
                      others (Culberson and Schaeffer 1998): the maximum of several patterns, or their sum if no \
                      generator moves labels of two",
            because: "every move of the puzzle is a move of the labels of the pattern; only patterns without a common \
                      generator are added",
        },
    ],
    decides_solvability: true,
    default_algorithm: Algorithm::IdaStar,
    default_heuristic: "pattern-database",
    schema: include_str!("permutation/schema.json"),
    template: include_str!("permutation/template.toml"),
}
