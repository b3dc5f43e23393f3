//! Puzzles whose rules are written in the file: grid rewriting, named variables, or both.
//!
//! - `keys`, `description`: the keys of a puzzle file; `parse`, `resolve`, `expression`, `term`, `mapping`: its expressions;
//! - `model`: the validated puzzle;
//! - `variant`: the patterns that one drawing stands for;
//! - `cases`, `counting`, `definedness`, `ground`: compile rules to a task of the crate `engine-planning`;
//! - `board`: symmetries that a grid or an array may have;
//! - `looks`, `layout`, `text`, `words`, `view`: pictures and texts of positions; `mechanics`: the rules as data for pages;
//! - `machine`: executes rules whose moves are more than one operator: a puzzle as a domain, too;
//! - `lurd`: the notation of moves by letters;
//! - `instance`: a puzzle as a domain;
//! - `starts`: solves starts that differ by the symbols of the grid, without compiling the rules for each;
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
mod machine;
mod mapping;
mod mechanics;
mod model;
mod own;
mod parse;
mod properties;
mod resolve;
mod scramble;
mod sokoban;
mod starts;
mod term;
#[cfg(test)]
mod tests;
mod text;
mod variant;
mod view;
mod warnings;
mod words;

use diagnostic::Diagnostic;
use domain::{FileContext, HeuristicFacts, Instance, Notation};
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
use machine::{MachinePuzzle, PILES, RELAXED};
use search::Algorithm;

engine_domain::domain! {
    #[cfg(not(test))]
    name: "rules",
    summary: "puzzles whose file defines the rules: grid rewriting, named variables, or both",
    read: read,
    keys: Keys::NAMED,
    heuristics: &HEURISTICS,
    reductions: &reductions::ALL,
    retired: &["merged-symbols"],
    notations: &[Notation::STANDARD, Notation::LURD],
    default_algorithm: Algorithm::AStar,
    default_heuristic: strategy::USUAL,
    schema: keys::SCHEMA,
    template: include_str!("template.toml"),
}

/// The heuristics: those of tasks, and those of the machine.
const HEURISTICS: [HeuristicFacts; heuristic::FACTS.len() + 2] = {
    let mut facts = [PILES; heuristic::FACTS.len() + 2];
    facts[heuristic::FACTS.len()] = RELAXED;
    let mut at = 0;
    while at < heuristic::FACTS.len() {
        facts[at] = heuristic::FACTS[at];
        at += 1;
    }
    facts
};

fn read(keys: &document::Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let expressions = domain::own_expressions(keys, file);
    let keys = Keys::take(keys);
    let (mut model, expressions) = match (description::read(&keys, file), expressions) {
        (Ok(model), Ok(expressions)) => (model, expressions),
        (model, expressions) => {
            return Err([model.err(), expressions.err()].into_iter().flatten().flatten().collect());
        }
    };
    model.own = description::own_expressions(&keys, &model, file, expressions)?;
    if model.needs_machine() {
        let puzzle = MachinePuzzle::new(keys, model, file);
        file.check_limits()?;
        return Ok(Box::new(puzzle?));
    }
    let compiled = ground::compile(model, file.context);
    let puzzle = compiled.map(|compiled| RulesPuzzle::new(keys, compiled, file.text, file.context));
    file.check_limits()?;
    Ok(Box::new(puzzle?))
}
