//! Tests what the engine reports of the rules of a puzzle: `show` and `check --properties` in words, `render --overlay`
//! as a picture, `solve --explain` with counts. An author must be able to rely on each of these statements.

use crate::support::program::{EIGHT, engine, folder, run};
use crate::support::root;
use engine::{Options, Outcome, Puzzle};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The rows of a board of Sokoban, and the cells with marks.
const START: [&str; 6] = ["########", "#@.....#", "#.$.##.#", "#...$..#", "##.....#", "########"];
const MARKS: [(usize, usize); 2] = [(3, 2), (4, 4)];

/// Returns the file of a board, with rules by which pushes are counted and walks cost `walk`.
fn sokoban(rows: &[String], walk: u32) -> String {
    let mut text = format!("title = \"Boxes\"\ndomain = \"rules\"\nstart = \"\"\"\n{}\n\"\"\"\n", rows.join("\n"));
    let mut marks: Vec<Vec<char>> = rows.iter().map(|row| vec!['.'; row.len()]).collect();
    MARKS.iter().for_each(|&(row, column)| marks[row][column] = 'x');
    let marks: Vec<String> = marks.into_iter().map(|row| row.into_iter().collect()).collect();
    let _ = write!(
        text,
        "marks = \"\"\"\n{}\n\"\"\"\ngoal = {{ every = {{ \"$\" = \"x\" }} }}\n\n[[rules]]\nname = \"walk \
         {{direction}}\"\nfrom = \"@.\"\nto = \".@\"\nturns = true\ncost = {walk}\n\n[[rules]]\nname = \"push \
         {{direction}}\"\nfrom = \"@$.\"\nto = \".@$\"\nturns = true\n",
        marks.join("\n")
    );
    text
}

fn boxes(walk: u32) -> String {
    sokoban(&START.map(str::to_owned), walk)
}

/// Returns the board with one box at a cell and the man at another.
fn one_box(at: (usize, usize), man: (usize, usize)) -> Vec<String> {
    let symbol = |row: usize, column: usize, symbol: char| match symbol {
        '#' => '#',
        _ if (row, column) == at => '$',
        _ if (row, column) == man => '@',
        _ => '.',
    };
    let row = |(row, text): (usize, &&str)| text.chars().enumerate().map(|(at, held)| symbol(row, at, held)).collect();
    START.iter().enumerate().map(row).collect()
}

/// Returns the cells of the board that are no walls.
fn floor() -> Vec<(usize, usize)> {
    let cells = START.iter().enumerate().flat_map(|(row, text)| {
        text.char_indices().filter(|(_, symbol)| *symbol != '#').map(move |(column, _)| (row, column))
    });
    cells.collect()
}

#[test]
fn dead_places_are_those_from_which_a_box_alone_never_reaches_a_mark() {
    let puzzle = Puzzle::parse(&boxes(0), "boxes.toml").unwrap_or_else(|report| panic!("{report}"));
    let dead =
        puzzle.properties().into_iter().find(|property| property.name == "dead").expect("corners are dead").cells;
    let options = Options { heuristic: Some("zero".to_owned()), ..Options::default() };
    for at in floor() {
        let is_solved = |man: (usize, usize)| {
            let text = sokoban(&one_box(at, man), 0);
            let puzzle = Puzzle::parse(&text, "one.toml").unwrap_or_else(|report| panic!("{report}"));
            puzzle.solve(&options).unwrap_or_else(|error| panic!("{error}")).outcome() == Outcome::Solved
        };
        let is_alive = floor().into_iter().any(|man| man != at && is_solved(man));
        assert_eq!(dead.contains(&at), !is_alive, "{at:?}");
    }
}

#[test]
fn show_and_check_print_the_properties_and_mark_dead_places() {
    let folder = folder("properties", &[("free.toml", &*boxes(0)), ("steps.toml", &*boxes(1)), ("five.toml", EIGHT)]);
    let free = run(&folder, &["show", "free.toml"]).1;
    // The columns are as wide as the longest name.
    let words = free.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = [
        " mover `@` walks: ",
        " operators move it alone, at no cost; the search takes all positions that walks join as one ",
        " region from the start `@` walks to 19 of its 21 places ",
        " tokens 2 of `$` on ",
        " targets a goal allows `$` on 2 places ",
        " dead from ",
    ];
    for line in lines {
        assert!(words.contains(line), "{line} is not in: {free}");
    }
    let drawn = free.split("\nx: $ never reaches a target from here\n").nth(1).expect("a drawing of dead places");
    let row = row(&run(&folder, &["show", "free.toml", "--json"]).1);
    let properties = row["properties"].as_array().expect("an array");
    let dead = properties.iter().find(|one| one["name"] == "dead").expect("corners are dead");
    let marked: Vec<Value> = drawn
        .lines()
        .enumerate()
        .flat_map(|(row, line)| {
            line.match_indices('x').map(move |(column, _)| json!([row, column])).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(dead["cells"], json!(marked), "{free}");
    assert_eq!(dead["legend"], "$ never reaches a target from here");
    let steps = run(&folder, &["show", "steps.toml"]).1;
    assert!(steps.contains("at cost 1; the search takes a walk and the next other move as one step"), "{steps}");

    let checked = run(&folder, &["check", "free.toml", "five.toml", "--properties"]).1;
    for property in properties {
        let line =
            format!("free.toml: {}: {}\n", property["name"].as_str().unwrap(), property["text"].as_str().unwrap());
        assert!(checked.contains(&line), "{line} is not in: {checked}");
    }
    assert!(checked.ends_with("2 good, 0 bad\n") && !checked.contains("five.toml: dead"), "{checked}");
    let of = |arguments: &[&str]| self::row(&run(&folder, &[&["check", "free.toml", "--json"], arguments].concat()).1);
    assert_eq!(of(&["--properties"])["properties"], row["properties"]);
    assert!(of(&[])["properties"].is_null(), "finding them may take long, so check does so only on request");
}

/// Reads one line of JSON.
fn row(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|wrong| panic!("{wrong}: {line}"))
}

#[test]
fn overlays_are_drawn_in_every_format_and_refused_if_there_are_none() {
    let folder = folder("overlays", &[("free.toml", &*boxes(0)), ("five.toml", EIGHT)]);
    let draw = |arguments: &[&str]| {
        let drawn = engine(&folder, &[&["render", "free.toml", "-o", "-"], arguments].concat());
        assert_eq!(
            (drawn.status.code(), String::from_utf8_lossy(&drawn.stderr)),
            (Some(0), "".into()),
            "{arguments:?}"
        );
        drawn.stdout
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let plain = text(draw(&["--format", "svg"]));
    let dead = text(draw(&["--format", "svg", "--overlay", "dead"]));
    let legend = "$ never reaches a target from here";
    assert!(dead.contains(legend) && !plain.contains(legend), "{dead}");
    let cells = row(&run(&folder, &["show", "free.toml", "--json"]).1)["properties"]
        .as_array()
        .expect("an array")
        .iter()
        .find(|one| one["name"] == "dead")
        .and_then(|one| one["cells"].as_array().map(Vec::len))
        .expect("cells");
    let crosses = |svg: &str| svg.matches("m0-").count();
    assert_eq!(crosses(&dead) - crosses(&plain), cells + 1, "a cross on each dead cell and one in the legend");
    let all = text(draw(&["--format", "svg", "--solution", "--overlay", "region,targets,dead"]));
    for words in ["@ walks here from the start", "a goal allows $ here", legend] {
        assert!(all.contains(words), "{words} is not in: {all}");
    }
    assert!(text(draw(&["--format", "html", "--overlay", "dead"])).contains(legend));
    for format in ["png", "gif"] {
        assert_ne!(draw(&["--format", format]), draw(&["--format", format, "--overlay", "dead"]), "{format}");
    }

    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["render", "-o", "a.svg"], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?} {errors}");
        for word in words {
            assert!(errors.contains(word), "{word} is not in: {errors}");
        }
    };
    refused(&["five.toml", "--overlay", "dead"], &["five.toml", "no overlay `dead`", "leave out `--overlay`"]);
    refused(&["free.toml", "--overlay", "daed"], &["daed", "dead", "region", "targets"]);
    assert!(!folder.join("a.svg").exists(), "nothing is left behind");
}

#[test]
fn an_explanation_names_the_stages_and_counts_what_was_saved_and_changes_nothing() {
    let folder = folder("explain", &[("free.toml", &*boxes(0)), ("none.toml", crate::support::program::UNSOLVABLE)]);
    let solve = |arguments: &[&str]| run(&folder, &[&["solve", "free.toml"], arguments].concat());
    let guided = ["--heuristic", "matching", "--json"];
    let plain = row(&solve(&guided).1);
    let explained = row(&solve(&[&guided[..], &["--explain"]].concat()).1);
    assert!(plain["explanation"].is_null());
    for field in ["outcome", "cost", "moves", "expanded", "generated", "stored"] {
        assert_eq!(plain[field], explained[field], "{field}");
    }
    let explanation = &explained["explanation"];
    assert_eq!(explanation["stages"][0]["heuristic"], "matching");
    assert_eq!(explanation["stages"][0]["expanded"], explained["expanded"]);
    let savings = explanation["savings"].as_array().expect("an array");
    let names: Vec<&str> = savings.iter().filter_map(|saving| saving["name"].as_str()).collect();
    assert!(names.contains(&"regions") && names.contains(&"dead-moves"), "{savings:?}");
    assert!(savings.iter().all(|saving| saving["count"].as_u64() > Some(0)), "{savings:?}");
    let refused = explanation["refused"].as_array().expect("an array");
    assert!(refused.iter().any(|one| one["heuristic"] == "toggles" && one["reason"].is_string()), "{refused:?}");

    let summary = solve(&["--format", "summary", "--explain"]).1;
    for words in ["\nWhy this search\n  a-star: ", "\n  zero: ", "\nWhat each part saved\n"] {
        assert!(summary.contains(words), "{words} is not in: {summary}");
    }
    let (_, moves, notes) = solve(&["--format", "moves", "--explain"]);
    assert_eq!(moves, solve(&["--format", "moves"]).1, "the moves alone go to standard output");
    assert!(notes.contains("free.toml: Why this search"), "{notes}");
    let (status, none, _) = run(&folder, &["solve", "none.toml", "--explain", "--json"]);
    assert_eq!((status, &row(&none)["explanation"]["stages"]), (1, &json!([])), "{none}");
    let nearest = &row(&none)["explanation"]["nearest"];
    assert!(nearest["h"].as_f64() > Some(0.0) && nearest["position"].is_string(), "{none}");
    let text = run(&folder, &["solve", "none.toml", "--explain", "--format", "summary"]).1;
    assert!(text.contains("How near it comes to a goal\n  h 2 by ") && !text.contains("saved"), "{text}");
}

#[test]
fn an_explanation_names_the_changes_that_make_a_puzzle_solvable_and_how_many_were_tried() {
    let maze = "title = \"Walls\"\ndomain = \"maze\"\nmap = \"\"\"\nS.#.G\n..#9.\n##..#\n\"\"\"\n";
    let wide = "title = \"Wide\"\ndomain = \"maze\"\nmap = \"\"\"\nS###G\n\"\"\"\n";
    let large = format!(
        "title = \"Large\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n{}\"\"\"\n",
        "10 9 8 7\n6 5 4 3\n2 1 15 14\n13 12 11 0\n"
    );
    let files = [("maze.toml", maze), ("wide.toml", wide), ("large.toml", &large), ("five.toml", EIGHT)];
    let folder = folder("changes", &files);
    let solve = |file: &str| run(&folder, &["solve", file, "--explain", "--format", "summary"]).1;
    let part = |file: &str| {
        let out = solve(file);
        let part = out.split("Changes that make it solvable\n").nth(1).and_then(|part| part.split("\n\n").next());
        part.unwrap_or_else(|| panic!("{out}")).to_owned()
    };
    assert_eq!(
        part("maze.toml"),
        "  Without the wall at row 1, column 3 it can be solved in 4 moves.\n  \
         Without the wall at row 2, column 3 it can be solved in 6 moves, at cost 14.\n  \
         Without the wall at row 3, column 2 it can be solved in 8 moves, at cost 16.\n  \
         Tried all 4 single changes."
    );
    assert_eq!(
        part("wide.toml"),
        "  No single change that was tried makes it solvable.\n  Tried the only single change."
    );
    let tiles = part("large.toml");
    assert!(tiles.starts_with("  With 10 and 9 swapped it can be solved"), "{tiles}");
    assert!(tiles.ends_with("Tried the first 3 single changes."), "{tiles}");
    assert!(!solve("five.toml").contains("Changes"));

    let json =
        |file: &str| row(&run(&folder, &["solve", file, "--explain", "--json"]).1)["explanation"]["changes"].clone();
    let changes = json("maze.toml");
    assert_eq!(
        (&changes["tried"], &changes["has_more"], &changes["undecided"], &changes["most_states"]),
        (&json!(4), &json!(false), &json!(0), &json!(10_000))
    );
    assert_eq!(
        changes["found"][2],
        json!({
            "change": "without the wall at row 3, column 2",
            "edit": { "key": ["map"], "cells": [[2, 1, "."]] },
            "moves": 8,
            "cost": 16.0
        })
    );
    assert!(json("five.toml").is_null());
    let plain = run(&folder, &["solve", "maze.toml"]).1;
    assert!(!plain.contains("Changes"), "{plain}");
}

#[test]
fn reductions_are_turned_off_by_name_without_changing_the_answer() {
    let folder = folder("without", &[("free.toml", &*boxes(0)), ("five.toml", EIGHT)]);
    let solve = |arguments: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["solve", "free.toml", "--json", "--explain"], arguments].concat());
        assert_eq!(status, 0, "{arguments:?} {errors}");
        row(&out)
    };
    let saved = |answer: &Value, name: &str| {
        let savings = answer["explanation"]["savings"].as_array().expect("an array");
        savings.iter().any(|saving| saving["name"] == name)
    };
    let all = solve(&["--heuristic", "matching"]);
    let domain = row(&run(&folder, &["domains", "rules", "--json"]).1);
    let names: Vec<&str> =
        domain["reductions"].as_array().expect("an array").iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"stubborn-sets") && names.contains(&"dead-patterns"), "{names:?}");
    for name in &names {
        let without = solve(&["--heuristic", "matching", "--without", name]);
        assert_eq!((&without["cost"], &without["optimal"]), (&all["cost"], &all["optimal"]), "without {name}");
        assert!(!saved(&without, name), "{name} is turned off, and saves something");
    }
    let none = solve(&["--heuristic", "matching", "--without", &names.join(",")]);
    assert_eq!(none["cost"], all["cost"]);
    assert!(none["expanded"].as_u64() > all["expanded"].as_u64(), "{none} {all}");

    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, _, errors) = run(&folder, arguments);
        assert_eq!(status, 2, "{arguments:?} {errors}");
        for word in words {
            assert!(errors.contains(word), "{word} is not in: {errors}");
        }
    };
    for command in ["solve", "compare"] {
        refused(
            &[command, "free.toml", "--without", "stubborn-set"],
            &["unknown reduction", "did you mean `stubborn-sets`"],
        );
        refused(
            &[command, "five.toml", "--without", "frozen"],
            &["unknown reduction `frozen` for the domain", "leave it out"],
        );
    }
}

#[test]
fn toggles_guide_a_search_by_default_unless_moves_are_free() {
    let lamps = |cost: u8| {
        format!(
            "title = 'Lamps'\ndomain = 'rules'\nstart = 'o..o'\ngoal = 'oooo'\n\
             maps = {{ t = {{ o = '.', '.' = 'o' }} }}\n\
             [[rules]]\nname = 'press {{at}}'\nfrom = '?'\nto = 't'\n\
             [[rules]]\nname = 'flick {{at}}'\nfrom = '??'\nto = 'tt'\ncost = {cost}\n"
        )
    };
    let folder = folder("toggles", &[("paid.toml", &lamps(1)), ("free.toml", &lamps(0))]);
    let heuristic = |file| row(&run(&folder, &["solve", file, "--json"]).1)["heuristic"].clone();
    assert_eq!(heuristic("paid.toml"), "toggles");
    // With free moves, one of its values may take seconds.
    assert_ne!(heuristic("free.toml"), "toggles");
}

#[test]
fn a_variable_whose_values_are_named_like_cells_is_no_symbol_that_moves() {
    let cell = |column: usize| format!("'cell[0, {column}]'");
    let at = |of: &str| {
        let [first, second, third, last] = [0, 1, 2, 3].map(cell);
        format!("{of} == 0 ? {first} : {of} == 1 ? {second} : {of} == 2 ? {third} : {last}")
    };
    let step = |name: &str, column: usize| {
        let when = format!("pos == {} && cell[0, {column}] == 'k'", cell(column));
        format!("[[rules]]\nname = \"{name}\"\nfrom = \"k.\"\nto = \".k\"\nwhen = \"{when}\"\n")
    };
    let text = format!(
        "title = \"Four cells\"\ndomain = \"rules\"\ngoal = \"..k.\"\n\
         start = {{ drawing = \"k...\", pos = \"cell[0, 1]\" }}\n\
         [variables]\npos = [\"cell[0, 0]\", \"cell[0, 1]\", \"cell[0, 2]\", \"cell[0, 3]\"]\n\
         [[rules]]\nname = \"walk {{a}} {{b}}\"\nfor = {{ a = \"0..3\", b = \"0..3\" }}\n\
         when = \"pos == ({}) && (b == a + 1 || b == a - 1)\"\nthen = {{ pos = \"{}\" }}\n{}{}",
        at("a"),
        at("b"),
        step("first", 0),
        step("second", 1)
    );
    let folder = folder("named-like-cells", &[("four.toml", &text)]);
    let (status, out, errors) = run(&folder, &["check", "four.toml", "--properties"]);
    assert!(status == 0 && out.contains("four.toml") && !out.contains("dead"), "it takes 4 moves: {out}{errors}");
}

/// What breaks: a reason why moves are no operators has no word.
#[test]
fn each_reason_why_moves_are_no_operators_is_named() {
    let file = |keys: &str, rule: &str| {
        format!(
            "title = \"T\"\ndomain = \"rules\"\nstart = \"ab.\"\ngoal = \".ab\"\n{keys}\n[[rules]]\nname = \"go\"\n\
             from = \"N.\"\nto = \".N\"\nturns = true\n{rule}\n[sets]\nN = \"ab\"\n"
        )
    };
    let folder = folder(
        "no-operators",
        &[
            ("bodies.toml", &file("bodies = [\"a\"]", "")),
            ("ahead.toml", &file("", "when = \"ahead('a') < 9\"")),
            ("both.toml", &file("bodies = [\"a\"]", "when = \"ahead('a') < bodies('b')\"\nall = true")),
        ],
    );
    for (name, reasons) in [
        ("bodies.toml", "bodies"),
        ("ahead.toml", "`ahead`"),
        ("both.toml", "rules that apply everywhere, bodies and `ahead`"),
    ] {
        let (status, out, error) = run(&folder, &["check", name, "--properties"]);
        assert!(status == 0 && out.contains(&format!("moves with {reasons} are no operators: ")), "{out}{error}");
    }
}

#[test]
fn names_of_heuristics_and_reductions_that_are_gone_are_still_read() {
    let line = "title = \"Line\"\ndomain = \"rules\"\nstart = \"a..\"\ngoal = \"..a\"\n[search]\nalgorithm = \"a-star\"\n\
                heuristic = \"merged-symbols\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n";
    let folder = folder("retired", &[("line.toml", line)]);
    let (status, out, error) = run(&folder, &["solve", "line.toml", "--json"]);
    assert!(status == 0 && out.contains("\"cost\":2") && error.contains("this heuristic is gone"), "{out}{error}");
    let (status, out, error) = run(&folder, &["solve", "line.toml", "--json", "--heuristic", "merged-symbols"]);
    assert!(status == 0 && out.contains("\"heuristic\":\"pattern-database\""), "{out}");
    assert!(error.contains("note: --heuristic merged-symbols is now --heuristic pattern-database"), "{error}");
    let (status, _, error) = run(&folder, &["solve", "line.toml", "--without", "merged-symbols"]);
    assert!(status == 0 && error.contains("note: --without merged-symbols is now without effect"), "{error}");
}

#[test]
fn without_a_heuristic_its_stages_are_left_out() {
    let arguments = ["solve", "puzzles/rules/eight-puzzle.toml", "--json", "--node-limit", "100"];
    let (_, out, _) = run(&root(), &[&arguments[..], &["--without", "disjoint-patterns"]].concat());
    assert!(out.contains("\"heuristic\":\"zero\"") && out.contains("\"limit\":\"nodes\""), "{out}");
}
