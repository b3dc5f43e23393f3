//! Mazes: grids of cells and walls, with shortest paths from start to goal in four or eight directions.
//!
//! - `description`: the keys of a puzzle file, and their validation;
//! - `map_file`: map files of the Moving AI Lab; `import`: imports of these and their scenarios;
//! - `map`: the validated map;
//! - `length`: exact path costs, with diagonal steps;
//! - `space`: the state space; `jumps`: its jump points;
//! - `scramble`: random starts;
//! - `rules`: the reference rules, which check solutions;
//! - `view`: drawings and notation;
//! - `instance`: the puzzle as the engine sees it.

mod description;
mod import;
mod instance;
mod jumps;
mod length;
mod map;
mod map_file;
mod rules;
mod scramble;
mod space;
#[cfg(test)]
mod tests;
mod view;

use super::{HeuristicFacts, Named};
use crate::search::Algorithm;

engine_domain::domain! {
    name: "maze",
    summary: "mazes and grid maps: the shortest way, in four directions or in eight",
    read: description::read,
    keys: &[
        Named { name: "map", summary: "the map, drawn: `#` wall, `.` floor, `S` start, `G` goal, 1 to 9 what it costs to enter a cell (the others: 1)" },
        Named { name: "map_file", summary: "or a map of the Moving AI format, by its path from the folder of the puzzle file: `.`, `G` and `S` can be entered" },
        Named { name: "start", summary: "beside `map_file`: the start, `[row, column]` from 0" },
        Named { name: "goal", summary: "beside `map_file`: the goal, `[row, column]` from 0" },
        Named { name: "moves", summary: "the directions of the moves, the metric: `orthogonal` (default) or `diagonal`" },
    ],
    metrics: &[
        Named { name: "orthogonal", summary: "up, down, left, right; a step costs what the cell entered costs" },
        Named { name: "diagonal", summary: "aslant too, for the square root of two times that, where both cells beside the step are open" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "manhattan",
            admissible: true,
            consistent: true,
            summary: "the rows and columns to the goal, added up; for `orthogonal`",
            because: "a step changes the row or the column by one, and costs at least 1",
        },
        HeuristicFacts {
            name: "octile",
            admissible: true,
            consistent: true,
            summary: "what the way to the goal would cost in eight directions if there were no walls",
            because: "walls and dear cells can only make the way longer",
        },
    ],
    decides_solvability: true,
    default_algorithm: Algorithm::AStar,
    default_heuristic: "octile",
    schema: include_str!("maze/schema.json"),
    template: include_str!("maze/template.toml"),
}
