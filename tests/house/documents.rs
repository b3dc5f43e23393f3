//! The puzzles in the README and in the book are solved, and their keys are those that the program accepts.
//! `commands.rs` tests commands; `book.rs` tests links and pictures.

use crate::page::Page;
use crate::support::root;
use engine::{Options, Puzzle};
use std::fs;

#[test]
fn the_puzzles_in_the_documents_are_puzzles_and_cost_what_they_claim() {
    let mut claims = 0;
    for page in Page::all() {
        let registered = engine::domain::registered();
        let is_puzzle = |text: &str| registered.iter().any(|name| text.contains(&format!("domain = \"{name}\"")));
        for block in page.blocks.iter().filter(|block| block.language == "toml") {
            let text = page.text_of(block);
            if !is_puzzle(&text) {
                continue;
            }
            // Paths in puzzles are relative to the project's folder.
            let name = format!("{}, line {}", page.name.replace('/', "-"), block.body.start + 1);
            let puzzle = Puzzle::parse(&text, &name).unwrap_or_else(|report| panic!("{report}"));
            let solution = puzzle.solve(&Options::default()).expect("a file's own heuristic is known");
            if let Some(cost) = puzzle.expect().cost {
                claims += 1;
                assert_eq!(solution.cost(), Some(cost), "{}", puzzle.title());
            }
        }
    }
    assert!(claims >= 3, "the documents claim something");
}

#[test]
fn the_keys_in_the_documents_are_those_that_the_program_accepts() {
    for name in engine::domain::registered() {
        let facts = engine::domain::facts(name).expect("a registered domain has facts");
        let page = fs::read_to_string(root().join(format!("docs/format/{name}.md")))
            .unwrap_or_else(|error| panic!("docs/format/{name}.md: {error}"));
        assert!(page.starts_with(&format!("# `domain = \"{name}\"`\n")), "docs/format/{name}.md has another heading");
        let named = facts.keys.iter().chain(facts.metrics).map(|named| named.name);
        for word in named.chain(facts.heuristics.iter().map(|heuristic| heuristic.name)) {
            let forms = [format!("`{word}`"), format!("`\"{word}\"`"), format!("`[{word}]`")];
            assert!(forms.iter().any(|form| page.contains(form)), "{name}: {word} is not described");
        }
        // The error for an unknown key lists the known ones.
        let text = format!("title = \"x\"\ndomain = \"{name}\"\nno-such-key = 1\n");
        let report = Puzzle::parse(&text, "probe").err().expect("an unknown key is refused").to_string();
        let valid = report.lines().find(|line| line.contains("valid: ")).expect("the error lists the valid keys");
        let known: Vec<&str> = valid.split('`').skip(1).step_by(2).take_while(|key| *key != "title").collect();
        assert_eq!(known, facts.keys.iter().map(|key| key.name).collect::<Vec<_>>(), "the keys of {name}");
    }
}
