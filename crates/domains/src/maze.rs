//! Mazes: grids of cells and walls, with shortest paths from start to goal in four or eight directions.
//!
//! - `description`: the keys of a puzzle file, and their validation;
//! - `legend`: the kinds of cells, and the characters that draw them;
//! - `map_file`: map files of the Moving AI Lab; `import`: imports of these and their scenarios;
//! - `cell`: its cells and their kinds; `map`: the validated map;
//! - `steps`: the types of path costs;
//! - `space`: the state space; `jumps`: its jump points; `distances`: its heuristic for several goals and portals;
//! - `own`: the heuristics of the file;
//! - `scramble`: random starts;
//! - `rules`: the reference rules, which check solutions;
//! - `view`: drawings and notation;
//! - `instance`: the puzzle as the engine sees it.

mod cell;
mod description;
mod distances;
mod import;
mod instance;
mod jumps;
mod legend;
mod map;
mod map_file;
mod own;
mod rules;
mod scramble;
mod space;
mod steps;
#[cfg(test)]
mod tests;
mod view;

use super::{HeuristicFacts, Named};
use crate::search::Algorithm;

engine_domain::domain! {
    #[cfg(not(test))]
    name: "maze",
    summary: "mazes and grid maps: shortest paths in four or eight directions",
    read: description::read,
    keys: &[
        Named { name: "map", summary: "the map as a drawing: `#` wall, `.` floor, `S` start, `G` goals, 1 to 9 the cost of entering a cell (1 for the others)" },
        Named { name: "map_file", summary: "in place of `map`: the path of a map in the Moving AI format, relative to this file; `.`, `G` and `S` are passable" },
        Named { name: "fences", summary: "a drawing of thin walls between the cells: `|` and `-` beside the cells `.`, `+` at their corners" },
        Named { name: "start", summary: "with `map_file`: the start, `[row, column]` from 0" },
        Named { name: "goal", summary: "with `map_file`: the goal, `[row, column]` from 0, or a list of goals, of which one must be reached" },
        Named { name: "costs", summary: "a table: other characters of the map, with the costs of entering their cells" },
        Named { name: "portals", summary: "characters that are each on two cells of the map: the move `t` leads from one to the other" },
        Named { name: "moves", summary: "the metric, by the directions of the moves: `orthogonal` (default) or `diagonal`" },
        Named { name: "corners", summary: "the cells beside a diagonal step that must be passable: both (`none`, the default: no corner is cut), at least one (`one`), or neither (`any`)" },
        super::OWN_HEURISTICS,
    ],
    metrics: &[
        Named { name: "orthogonal", summary: "up, down, left, right; a step costs as much as the cell it enters" },
        Named { name: "diagonal", summary: "diagonal steps, too, at √2 times the cost of the cell; `corners` sets which corners of walls they cut" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "manhattan",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the difference in rows plus the difference in columns to the nearest goal, through portals where that is less; only for `orthogonal`",
            because: "each step changes the row or the column by one or leads through a portal, and costs at least 1",
        },
        HeuristicFacts {
            name: "octile",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the cost of a path to the nearest goal in eight directions and through portals, if there were no walls and every cell cost 1",
            because: "walls and cells of higher cost can only make a path more expensive",
        },
    ],
    decides_solvability: true,
    default_algorithm: Algorithm::AStar,
    default_heuristic: "octile",
    schema: include_str!("maze/schema.json"),
    template: include_str!("maze/template.toml"),
}
