//! Puzzles whose rules are written in the file: grid rewriting, named variables, or both.
//!
//! - `keys`, `description`: the keys of a puzzle file; `parse`, `resolve`, `expression`: its expressions;
//! - `model`: the validated puzzle;
//! - `variant`: the patterns that one drawing stands for;
//! - `cases`, `counting`, `definedness`, `ground`: compile rules to a task of the crate `engine-planning`;
//! - `board`: symmetries that a grid or an array may have;
//! - `looks`, `layout`, `text`, `words`, `view`: pictures and texts of positions; `mechanics`: the rules as data for pages;
//! - `lurd`: the notation of moves by letters;
//! - `instance`: a puzzle as a domain;
//! - `warnings`: finds likely mistakes in a file; `properties`: what the analyses found, in words;
//! - `scramble`: random starts;
//! - `sokoban`: reads collections of Sokoban levels as puzzle files.
//!
//! The analyses of a task, the heuristics and the state space are in the crate `engine-planning`, which does not depend on
//! this language. Checks replay moves by the crate `engine-rules-reference`, which reads the file again, by itself.

mod board;
mod cases;
mod counting;
mod definedness;
mod description;
mod expression;
mod ground;
mod instance;
mod keys;
mod layout;
mod looks;
mod lurd;
mod mechanics;
mod model;
mod parse;
mod properties;
mod resolve;
mod scramble;
mod sokoban;
#[cfg(test)]
mod tests;
mod text;
mod variant;
mod view;
mod warnings;
mod words;

use diagnostic::Diagnostic;
use domain::{FileContext, HeuristicFacts, Instance, Named, Notation};
use engine_domain::{document, domain, drawing, fences, picture};
use engine_planning::analysis::{free_moves, mover, reduce, symmetry};
#[cfg(test)]
use engine_planning::analysis::{inverse, vanishing};
#[cfg(test)]
use engine_planning::space;
use engine_planning::task::sorted;
use engine_planning::{heuristic, packed, planner, reductions, refutation, strategy, task};
use engine_search::{argument, diagnostic, search};
use instance::RulesPuzzle;
use keys::Keys;
use search::Algorithm;

engine_domain::domain! {
    #[cfg(not(test))]
    name: "rules",
    summary: "puzzles whose file defines the rules: grid rewriting, named variables, or both",
    read: read,
    keys: &[
        Named { name: "start", summary: "the grid as a drawing, or a table with `drawing` and the value of each variable" },
        Named { name: "goal", summary: "the goal: a drawing (`?` matches anything), an expression, a table of conditions, or an array of alternatives" },
        Named { name: "marks", summary: "a drawing of fixed letters on the cells, of the same size as the grid; `.` is no mark" },
        Named { name: "fences", summary: "a drawing of thin walls between the cells: `|` and `-` beside the cells `.`, `+` at their corners" },
        Named { name: "variables", summary: "named variables, each with a list of values or a range such as \"0..8\"" },
        Named { name: "sets", summary: "letters that match any of several symbols" },
        Named { name: "maps", summary: "tables from values to values, for example the effect of a toggle, or costs" },
        Named { name: "arrows", summary: "symbols that turn with the drawings of rules: up, right, down and left" },
        Named { name: "rules", summary: "the moves: `name`, `from` and `to` as drawings, `when`, `then`, `for`, `cost`, `turns`, `mirror`, `edge`, `at`, `on`, `repeat`, `run`" },
        Named { name: "never", summary: "forbidden states: an expression or an array of expressions" },
        Named { name: "colors", summary: "the colour of a symbol or value in pictures, by name or as `#rrggbb`; or an array of the colours of its sprite" },
        Named { name: "shapes", summary: "the shape of a symbol or value in pictures: `block`, `token`, `text`, `floor`, `hole`, `wall`, `gate`, `void`, a sprite, or a path of SVG" },
        Named { name: "layout", summary: "the arrangement of a variable or an array in pictures, or of the grid as `cell`: `row`, `column`, `ring`, `stack`, `level`" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "potentials",
            admissible: true,
            consistent: false,
            summary: "a weight for each value of each variable, by linear programming (Pommerening, Helmert, Röger, \
                      Seipp 2015): the sum of the weights is a lower bound on the remaining cost",
            because: "no move lowers the sum by more than its cost, and at a goal the sum is at most 0; both are \
                      checked in integers",
        },
        HeuristicFacts {
            name: "pattern-database",
            admissible: true,
            consistent: false,
            summary: "exact distances in projections to groups of variables, added if no move changes two groups \
                      (Culberson, Schaeffer 1998; Edelkamp 2001; Haslum and others 2007)",
            because: "every solution is a solution of each projection, and a move that counts in one group changes no \
                      other",
        },
        HeuristicFacts {
            name: "cost-partitioning",
            admissible: true,
            consistent: true,
            summary: "exact distances in projections to groups of variables that share the costs of moves, divided in \
                      several orders (Seipp, Keller, Helmert 2020)",
            because: "every solution is a solution of each projection, and the groups of an order together pay no more \
                      for a move than it costs",
        },
        HeuristicFacts {
            name: "cartesian",
            admissible: true,
            consistent: true,
            summary: "exact distances between sets of positions that have given values of each variable, refined where the \
                      cheapest path through them is no solution (Seipp, Helmert 2018)",
            because: "every solution is a path of the same cost through the sets of its positions",
        },
        HeuristicFacts {
            name: "disjoint-patterns",
            admissible: true,
            consistent: true,
            summary: "exact distances of groups of symbols that occur once, such as tiles, to their places; added, since \
                      each move counts in one group (Korf, Felner 2002)",
            because: "every solution moves the symbols of each group to their places, and no move changes two groups",
        },
        HeuristicFacts {
            name: "merged-symbols",
            admissible: true,
            consistent: false,
            summary: "exact distances in an abstraction that merges some symbols (Holte, Hernádvölgyi 1999)",
            because: "every solution is a solution of the abstraction",
        },
        HeuristicFacts {
            name: "lm-cut",
            admissible: true,
            consistent: false,
            summary: "cuts of the delete relaxation, which are landmarks (Helmert, Domshlak 2009)",
            because: "each landmark is a set of moves of which every solution contains one, and the cost of a move is \
                      divided among its landmarks",
        },
        HeuristicFacts {
            name: "operator-counting",
            admissible: true,
            consistent: false,
            summary: "the least cost of numbers of moves that satisfy the state equation and contain the landmarks of \
                      `lm-cut`, by a linear program for each state (Pommerening and others 2014)",
            because: "the moves of every solution satisfy both",
        },
        HeuristicFacts {
            name: "matching",
            admissible: true,
            consistent: false,
            summary: "like symbols, such as boxes, each matched with a place where the goal needs or allows it, at the \
                      least sum of their own distances (for Sokoban: Junghanns and Schaeffer 2001)",
            because: "every solution takes each of them to a place of its own, and a move counts for those alone that \
                      it takes along; tokens that block each other for ever, and pairs or tokens around a corral that \
                      cannot all get there even if there were no others, are dead ends; searches with macro moves add what \
                      pairs need together beyond that, by pairs without a common token",
        },
        HeuristicFacts {
            name: "maximum",
            admissible: true,
            consistent: false,
            summary: "the greater of `matching` and `pattern-database`; the latter only if it pays on sampled positions",
            because: "the maximum of lower bounds is a lower bound",
        },
        HeuristicFacts {
            name: "perimeter",
            admissible: true,
            consistent: false,
            summary: "exact distances near the goals, by a search backwards (Dillenburg, Nelson 1994), and `potentials` \
                      outside this perimeter",
            because: "every state that is as near to a goal as the perimeter is wide is in its table",
        },
        HeuristicFacts {
            name: "breakpoints",
            admissible: true,
            consistent: true,
            summary: "neighbouring values that no goal has side by side (Kececioglu, Sankoff 1995; Helmert 2010), where \
                      moves carry most neighbours along together",
            because: "a move carries no wrong pair of neighbours to a right one, and separates at most a few",
        },
        HeuristicFacts {
            name: "toggles",
            admissible: true,
            consistent: true,
            summary: "if each move adds constants to some cells, whatever their values: the least cost of all \
                      solutions of the linear equations; exact",
            because: "the order of additions does not matter, so a solution of the puzzle is a solution of the \
                      equations",
        },
    ],
    reductions: &[
        Named { name: reductions::MACRO_MOVES, summary: "walks and the next move as one step, and positions that free moves join as one" },
        Named { name: reductions::SYMMETRIES, summary: "one of all images of a position" },
        Named { name: reductions::DEAD_MOVES, summary: "no moves after which a piece never reaches a target" },
        Named { name: reductions::DEAD_PAIRS, summary: "no positions with two pieces that never both reach targets" },
        Named { name: reductions::FROZEN, summary: "no positions with a piece off its target that can never move again" },
        Named { name: reductions::CONFLICTS, summary: "bounds with the moves that two pieces need together beyond those of each alone" },
        Named { name: reductions::DEAD_PATTERNS, summary: "no positions with pieces around a corral that never all reach targets" },
        Named { name: reductions::STUBBORN_SETS, summary: "only moves of pieces with which some cheapest solution begins" },
    ],
    notations: &[Notation::STANDARD, Notation::LURD],
    default_algorithm: Algorithm::AStar,
    default_heuristic: "pattern-database",
    schema: include_str!("schema.json"),
    template: include_str!("template.toml"),
}

fn read(keys: &document::Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let keys = Keys::take(keys);
    let model = description::read(&keys, file)?;
    let compiled = ground::compile(model, file.context);
    let puzzle = compiled.map(|compiled| RulesPuzzle::new(keys, compiled, file.text, file.context));
    file.check_limits()?;
    Ok(Box::new(puzzle?))
}
