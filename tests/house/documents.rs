//! Loads and solves the puzzles in the README and in the book, and compares the documented keys with the program's.
//! `commands.rs` tests commands; `book.rs` tests links and pictures.

use crate::page::Page;
use crate::support::root;
use engine::{Algorithm, Options, Puzzle, render, transcript};
use std::fs;

#[test]
fn the_puzzles_in_the_documents_load_and_have_their_claimed_costs() {
    let mut claims = 0;
    for page in Page::all() {
        let registered = engine::domain::registered();
        let is_puzzle = |text: &str| registered.iter().any(|name| text.contains(&format!("domain = \"{name}\"")));
        for block in page.blocks.iter().filter(|block| block.language == "toml") {
            let text = page.text_of(block);
            if !is_puzzle(&text) {
                continue;
            }
            // A path in a puzzle is relative to the project's folder.
            let name = format!("{}, line {}", page.name.replace('/', "-"), block.body.start + 1);
            let puzzle = Puzzle::parse(&text, &name).unwrap_or_else(|report| panic!("{report}"));
            let solution = puzzle.solve(&Options::default()).expect("the search starts");
            if let Some(cost) = puzzle.expect().cost {
                claims += 1;
                assert_eq!(solution.cost(), Some(cost), "{}", puzzle.title());
            }
        }
    }
    assert!(claims >= 3, "too few claims in the documents");
}

#[test]
fn the_documents_list_the_algorithms_with_their_facts() {
    let page = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (format, sections) = (page("docs/format.md"), page("docs/algorithms.md"));
    let (_, section) = format.split_once("### Algorithms\n").expect("the page has the section");
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), Algorithm::ALL.len(), "a row for each algorithm: {rows:?}");
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    for (row, facts) in rows.iter().zip(Algorithm::ALL) {
        let start = format!("| {} | {} | ", quoted(&[facts.name]), quoted(facts.aliases));
        let end = if facts.informed { " | yes |" } else { " | no |" };
        assert!(row.starts_with(&start) && row.ends_with(end), "{row}: expected {start}…{end}");
        let heading = format!("`{}`", facts.name);
        let is_heading = |line: &str| line.starts_with("## ") && line.contains(&heading);
        assert!(sections.lines().any(is_heading), "docs/algorithms.md has no section on {heading}");
    }
    let by_moves = Algorithm::ALL.iter().filter(|facts| facts.counts_moves).map(|facts| facts.name);
    let row = format!("| {} | the most moves of a solution |\n| all others |", quoted(&by_moves.collect::<Vec<_>>()));
    assert!(format.contains(&row), "docs/format.md has no row {row}");
}

#[test]
fn the_documents_describe_the_keys_of_the_program() {
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
        // The error about an unknown key lists the known keys.
        let text = format!("title = \"x\"\ndomain = \"{name}\"\nno-such-key = 1\n");
        let report = Puzzle::parse(&text, "probe").err().expect("an unknown key is an error").to_string();
        let valid =
            report.lines().find(|line| line.contains("expected one of ")).expect("the report lists the valid keys");
        let known: Vec<&str> = valid.split('`').skip(1).step_by(2).take_while(|key| *key != "title").collect();
        assert_eq!(known, facts.keys.iter().map(|key| key.name).collect::<Vec<_>>(), "the keys of {name}");
    }
}

#[test]
fn the_documents_describe_every_output_format() {
    let page = fs::read_to_string(root().join("docs/command-line.md")).expect("the page can be read");
    let transcripts = transcript::FORMATS.iter().map(|format| (format.name, format.summary));
    let pictures = render::FORMATS.iter().map(|format| (format.name, format.summary));
    for (name, summary) in transcripts.chain(pictures) {
        let is_named = page.contains(&format!("| `{name}` |")) || page.contains(&name.to_uppercase());
        assert!(is_named, "docs/command-line.md does not name the format `{name}`");
        assert!(!summary.is_empty() && !summary.contains('\n'), "`{name}` has no description in one line");
    }
}
