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
use domain::{FileContext, Instance, Named, Notation};
use engine_domain::{document, domain, drawing, fences, picture};
#[cfg(test)]
use engine_planning::analysis::inverse;
use engine_planning::analysis::{analysed_task, free_moves, mover, reduce, symmetry};
use engine_planning::space;
use engine_planning::task::sorted;
use engine_planning::{heuristic, memo, packed, reductions, refutation, strategy, task};
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
    heuristics: &heuristic::FACTS,
    reductions: &reductions::ALL,
    notations: &[Notation::STANDARD, Notation::LURD],
    default_algorithm: Algorithm::AStar,
    default_heuristic: strategy::USUAL,
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
