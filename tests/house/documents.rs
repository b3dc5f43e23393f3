//! The documents stay true: the examples in the README and in the book are run, the puzzles in them are loaded and
//! solved. Links and pictures are for `book.rs`.

use crate::book::with_puzzles;
use crate::support::{files_below, root};
use engine::{Options, Puzzle};
use std::fs;

/// Every command in the README and in the book, and what it prints; the README's program is compiled and run among the
/// tests of the crate's docs. Commands write files: they run in a folder of their own.
#[cfg(unix)]
#[test]
fn the_commands_in_the_documents_print_what_they_say() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_puzzles();
    // The cases name no folder to run in.
    let engine = folder.path().join("engine");
    let script =
        format!("#!/bin/sh\ncd '{}' && exec '{}' \"$@\"\n", folder.path().display(), env!("CARGO_BIN_EXE_engine"));
    fs::write(&engine, script).expect("there is room");
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let cases = trycmd::TestCases::new();
    cases.register_bin("engine", engine);
    cases.case("README.md").case("docs/*.md").case("docs/tutorials/*.md");
}

/// The blocks of a document between fences of this language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"));
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split_once("\n```").map(|(block, _)| block.to_owned() + "\n"))
        .collect()
}

#[test]
fn the_puzzles_in_the_documents_are_puzzles_and_cost_what_they_claim() {
    let mut claims = 0;
    let pages = files_below(&root().join("docs"), "md").into_iter().map(|page| format!("docs/{}", page.display()));
    for document in pages.chain(Some("README.md".to_owned())) {
        let registered = engine::domain::registered();
        let is_puzzle = |text: &&String| registered.iter().any(|name| text.contains(&format!("domain = \"{name}\"")));
        for (number, text) in blocks(&document, "toml").iter().enumerate().filter(|(_, text)| is_puzzle(text)) {
            // Files that they name are looked for from the project's folder.
            let name = format!("{}, block {number}", document.replace('/', "-"));
            let puzzle = Puzzle::parse(text, &name).unwrap_or_else(|report| panic!("{report}"));
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
fn the_puzzle_in_the_readme_is_the_one_that_is_solved_there() {
    let gate = fs::read_to_string(root().join("puzzles/blocks/gate.toml")).unwrap();
    let shown = blocks("README.md", "toml").remove(0);
    assert!(gate.starts_with(&shown), "the README shows another puzzle than puzzles/blocks/gate.toml");
}

#[test]
fn the_keys_in_the_documents_are_those_that_the_program_knows() {
    let format = fs::read_to_string(root().join("docs/format.md")).unwrap();
    for name in engine::domain::registered() {
        let facts = engine::domain::facts(name).expect("a registered domain has facts");
        let section = format
            .split(&format!("## `domain = \"{name}\"`"))
            .nth(1)
            .unwrap_or_else(|| panic!("{name} has no section"));
        let section = section.split("\n## ").next().unwrap_or(section);
        let named = facts.keys.iter().chain(facts.metrics).map(|named| named.name);
        for word in named.chain(facts.heuristics.iter().map(|heuristic| heuristic.name)) {
            let forms = [format!("`{word}`"), format!("`\"{word}\"`"), format!("`[{word}]`")];
            assert!(forms.iter().any(|form| section.contains(form)), "{name}: {word} is not described");
        }
        // A file with an unknown key is told those that are known.
        let text = format!("title = \"x\"\ndomain = \"{name}\"\nno-such-key = 1\n");
        let report = Puzzle::parse(&text, "probe").err().expect("an unknown key is refused").to_string();
        let valid = report.lines().find(|line| line.contains("expected one of ")).expect("the valid keys are told");
        let known: Vec<&str> = valid.split('`').skip(1).step_by(2).take_while(|key| *key != "title").collect();
        assert_eq!(known, facts.keys.iter().map(|key| key.name).collect::<Vec<_>>(), "the keys of {name}");
    }
}
