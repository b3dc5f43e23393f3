//! Tests the analysis of texts: what is found, where, and what is computed again.

use super::*;
use std::fs;

fn analysed(path: &str, text: &str) -> Arc<Analysis> {
    Analyzer::default().analyse(path.as_ref(), &text.into(), &Limits::default())
}

fn puzzle(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(path)).expect("a puzzle")
}

const MAZE: &str = "title = \"T\"\ndomain = \"mase\"\nmap = \"\"\"\nS.G\n\"\"\"\nmoev = 1\n";

#[test]
fn all_errors_have_places_and_fixes() {
    let found = analysed("x.toml", MAZE);
    let (at, meant) = fix(MAZE, &found.diagnostics[0]).expect("a fix");
    assert_eq!((&MAZE[at], &*meant), ("mase", "maze"));
    let right = MAZE.replace("mase", "maze").replace("moev = 1", "move = \"diagonl\"\nportls = \"\"");
    let found = analysed("x.toml", &right);
    let fixes: Vec<(&str, String)> =
        found.diagnostics.iter().filter_map(|one| fix(&right, one)).map(|(at, meant)| (&right[at], meant)).collect();
    assert_eq!(fixes, [("move", "moves".to_owned()), ("portls", "portals".to_owned())]);
}

#[test]
fn other_files_have_no_errors() {
    for text in ["[package]\nname = \"x\"\ntitle = 1\n", "", "x = ["] {
        assert_eq!(analysed("Cargo.toml", text).diagnostics, [], "{text}");
    }
    assert_eq!(analysed("notes.txt", "Some words.\n").kind, TextKind::Other);
}

#[test]
fn of_a_collection_only_changed_levels_are_read_again() {
    let level = |number: usize| format!("; {number}\n\n#######\n#@ $ .#\n#{}#\n#######\n\n", " ".repeat(5));
    let text: String = (0..50).map(level).collect();
    let mut analyzer = Analyzer::default();
    let limits = Limits::default();
    let first = analyzer.analyse("x.sok".as_ref(), &text.as_str().into(), &limits);
    assert_eq!((first.levels.len(), &first.diagnostics[..]), (50, &[][..]));
    assert_eq!(analyzer.levels.len(), 1, "equal levels are read once");
    let changed = text.replacen("#@ $ .#", "#@@$ .#", 2).replacen("#@@$ .#", "#@ $ .#", 1);
    let second = analyzer.analyse("x.sok".as_ref(), &changed.as_str().into(), &limits);
    let mut fresh = Analyzer::default();
    assert_eq!(second.diagnostics, fresh.analyse("x.sok".as_ref(), &changed.as_str().into(), &limits).diagnostics);
    assert!(second.diagnostics.iter().any(is_error), "two men");
    assert_eq!(second.levels.iter().filter(|level| !level.is_valid).count(), 1);
    let third = analyzer.analyse("x.sok".as_ref(), &changed.as_str().into(), &limits);
    assert!(Arc::ptr_eq(&second, &third), "the same text is not analysed again");
}

#[test]
fn after_any_edit_the_analysis_is_that_of_the_whole_text() {
    let level = |number: usize| format!("; {number}\n\n#######\n#@ {} .#\n#######\n", ["$", " ", "*"][number % 3]);
    let mut text: String = (0..12).map(level).collect();
    let mut analyzer = Analyzer::default();
    let limits = Limits::default();
    let (mut seed, pieces) = (7_usize, ["#", "@", "$", "\n", "\n\n", "; x\n", "\n#####\n#@$.#\n#####\n\n", ""]);
    for _ in 0..300 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, removed) = ((seed >> 20) % (text.len() + 1), (seed >> 8) % 30 / 7);
        text.replace_range(at..(at + removed).min(text.len()), pieces[(seed >> 40) % pieces.len()]);
        let found = analyzer.analyse("x.sok".as_ref(), &text.as_str().into(), &limits);
        let fresh = analysed("x.sok", &text);
        assert_eq!((&found.levels, &found.diagnostics), (&fresh.levels, &fresh.diagnostics), "{text}");
    }
}

#[test]
fn a_limit_ends_the_analysis_and_the_next_one_goes_on() {
    let text: SourceText = puzzle("puzzlescript/crates.txt").into();
    let mut analyzer = Analyzer::default();
    let none = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(analyzer.analyse("x.txt".as_ref(), &text, &none).limit, Some(Limit::Time));
    let all = analyzer.analyse("x.txt".as_ref(), &text, &Limits::default());
    assert_eq!((all.limit, all.kind), (None, TextKind::Game));
    assert!(all.levels.len() > 1 && all.levels.iter().all(|level| level.is_valid));
}

fn labels(text: &str, behind: &str) -> Vec<String> {
    let at = text.find(behind).expect("it is there") + behind.len();
    completions(text, TextKind::Puzzle, at).into_iter().map(|one| one.label).collect()
}

#[test]
fn keys_values_and_names_are_completed() {
    let text = "title = \"T\"\ndomain = \"\"\n";
    assert!(labels(text, "domain = \"").contains(&"klotski".to_owned()));
    let text = "title = \"T\"\ndomain = \"klotski\"\nme\n[search]\nalgorithm = \nheur\n";
    assert!(labels(text, "\nme").contains(&"metric".to_owned()));
    assert!(!labels(text, "\nme").contains(&"title".to_owned()), "it is written");
    assert!(labels(text, "algorithm = ").contains(&"bfs".to_owned()));
    assert_eq!(labels(text, "heur").iter().filter(|key| *key == "heuristic" || *key == "algorithm").count(), 1);
    let text = puzzle("rules/wolf-goat-cabbage.toml") + "\n[[rules]]\nname = \"x\"\nwhen = \"";
    let names = labels(&text, "name = \"x\"\nwhen = \"");
    let items = Items::of(&text);
    let variables = ["variables".to_owned()];
    let variable = items.keys_below(&variables).next().expect("a variable").path[1].clone();
    assert!(names.contains(&variable.split('[').next().expect("a name").to_owned()), "{names:?}");
    let game = puzzle("puzzlescript/crates.txt");
    let at = game.find("[ > Player | Crate ]").map_or_else(|| game.find("RULES").expect("rules"), |at| at + 4);
    let _ = completions(&game, TextKind::Game, at);
}

#[test]
fn keys_names_and_values_are_explained() {
    let text = puzzle("rules/sokoban-two-rooms.toml");
    let at = |part: &str| hover(&text, TextKind::Puzzle, text.find(part).expect("it is there")).expect("words").text;
    assert!(at("marks =").contains("drawing"), "{}", at("marks ="));
    assert!(at("rules\"").starts_with("`rules`"), "{}", at("rules\""));
    assert!(at("$....#").starts_with("symbol `$`"), "{}", at("$....#"));
    assert!(at("turns =").contains("rotated"));
}

/// Renames what stands at a part of a text; returns the new text.
fn after(path: &str, text: &str, part: &str, new: &str) -> Result<String, String> {
    let kind = TextKind::of(path.as_ref(), text);
    let places = renamed(text, path.as_ref(), kind, text.find(part).expect("it is there"), new)?;
    let mut text = text.to_owned();
    places.into_iter().rev().for_each(|place| text.replace_range(place, new));
    Ok(text)
}

#[test]
fn symbols_pieces_and_variables_are_renamed_everywhere() {
    let level = puzzle("rules/sokoban-two-rooms.toml");
    let renamed = after("x.toml", &level, "$....#", "B").expect("no other name is B");
    assert!(!renamed.contains('$') && renamed.contains("{ B = ") | renamed.contains("\"B\" = \"x\""), "{renamed}");
    assert!(after("x.toml", &level, "$....#", "#").is_err(), "a wall is no box");
    assert!(after("x.toml", &level, "$....#", "ab").is_err());
    let blocks = puzzle("klotski1.toml");
    let piece = blocks.split_once("start").expect("a drawing").1.chars().find(char::is_ascii_lowercase).expect("a piece");
    let drawn = blocks.find("\"\"\"").expect("a drawing");
    let at = drawn + blocks[drawn..].find(piece).expect("it is drawn");
    let places = super::renamed(&blocks, "x.toml".as_ref(), TextKind::Puzzle, at, "Z").expect("no other piece is Z");
    assert!(!places.is_empty());
    let river = puzzle("rules/wolf-goat-cabbage.toml");
    let items = Items::of(&river);
    let variables = ["variables".to_owned()];
    let variable = items.keys_below(&variables).next().expect("a variable");
    let places = super::renamed(&river, "x.toml".as_ref(), TextKind::Puzzle, variable.span.start, "renamed_one");
    assert!(places.expect("the name is new").len() > 2);
    let game = puzzle("puzzlescript/crates.txt");
    let renamed = after("x.txt", &game, "Crate\nOrange", "Box").expect("no other object is a Box");
    assert!(!renamed.contains("| Crate") && renamed.contains("* = Box"), "{renamed}");
}

#[test]
fn drawings_are_laid_out_and_nothing_else() {
    let text = "title = \"T\"  \ndomain = \"sliding-tile\"\nstart = \"\"\"1 2   3\n  4 5 6\n7 8 0\"\"\"\n";
    let changes = formatted(text, "x.toml".as_ref(), TextKind::Puzzle);
    let [(span, new)] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!((&text[span.clone()], &**new), ("\"\"\"1 2   3\n  4 5 6\n7 8 0\"\"\"", "\"\"\"\n1 2 3\n4 5 6\n7 8 0\n\"\"\""));
    let mut after = text.to_owned();
    after.replace_range(span.clone(), new);
    assert_eq!(formatted(&after, "x.toml".as_ref(), TextKind::Puzzle), []);
    assert_eq!(formatted("title = 1\ndomain = \"maze\"\nmap = \"\"\" S\n\"\"\"", "x.toml".as_ref(), TextKind::Puzzle), []);
}

#[test]
fn every_puzzle_is_analysed_without_errors_and_stays_as_it_is() {
    for name in ["klotski1.toml", "mazes/orthogonal.toml", "rules/toll-gates.toml", "puzzlescript/crates.txt"] {
        let text = puzzle(name);
        let found = analysed(&format!("puzzles/{name}"), &text);
        assert_eq!(found.diagnostics, [], "{name}");
        assert!(!outline(&found).is_empty() && !folds(&found).is_empty(), "{name}");
        assert!(found.levels.iter().all(|level| level.is_valid && !level.span.is_empty()), "{name}");
        for byte in (0..text.len()).filter(|byte| text.is_char_boundary(*byte)) {
            let _ = (hover(&text, found.kind, byte), spot(&text, byte));
        }
        // Whatever is cut off, there is an answer.
        for byte in (0..text.len()).step_by(41).filter(|byte| text.is_char_boundary(*byte)) {
            let _ = (completions(&text[..byte], found.kind, byte), name_at(&text[..byte], found.kind, byte));
        }
    }
}
