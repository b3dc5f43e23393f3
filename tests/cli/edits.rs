//! Tests `engine edits`, `engine minimize` and `engine diff`: what they print, write and refuse.

use crate::support::program::{EIGHT, folder, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const LEVEL: &str = "# kept\ntitle = \"Level\"\ndomain = \"rules\"\nstart = '''\n#####\n#@..#\n#.$.#\n#...#\n#####\n'''\nmarks = '''\n.....\n....\
    .\n...x.\n.....\n.....\n'''\ngoal = { every = { \"$\" = \"x\" } }\n\n[[rules]]\nname = \"walk {direction}\"\nfrom = \"@.\"\nto = \".@\"\n\
    turns = true\n\n[[rules]]\nname = \"push {direction}\"\nfrom = \"@$.\"\nto = \".@$\"\nturns = true\n\n[expect]\ncost = 2\n";
const BLOCKS: &str = "title = \"Blocks\"\ndomain = \"klotski\"\nmetric = \"step\"\nstart = '''\naab\n.cb\n...\n'''\ngoal = '''\n...\n.aa\n...\n'''\n";

fn object(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

#[test]
fn edits_are_printed_as_maps_json_and_csv() {
    let here = folder("edits", &[("level.toml", LEVEL), ("blocks.toml", BLOCKS)]);
    let (status, text, error) = run(&here, &["edits", "level.toml"]);
    assert_eq!((status, error.as_str()), (0, ""));
    insta::assert_snapshot!("edits", text);
    insta::assert_snapshot!("edits_of_blocks", run(&here, &["edits", "blocks.toml"]).1);
    let (_, json, _) = run(&here, &["edits", "level.toml", "--json"]);
    assert_eq!(run(&here, &["edits", "level.toml", "--json", "--threads", "1"]).1, json);
    let found = object(&json);
    let edits = found["edits"].as_array().expect("a list");
    let summary = found["summary"].as_object().expect("an object");
    assert_eq!(summary.values().filter_map(Value::as_u64).sum::<u64>(), edits.len() as u64);
    let of = |name: &str, symbol: &str, row: u64, column: u64| {
        edits.iter().find(|edit| {
            edit["edit"] == name && edit["symbol"] == symbol && edit["row"] == row && edit["column"] == column
        })
    };
    let man = of("set", "@", 3, 3).expect("the man can be there");
    assert_eq!((&man["effect"], &man["cost"]), (&"longer".into(), &4.into()), "{man}");
    let wall = of("set", "#", 2, 3).expect("a wall can be there");
    assert_eq!(wall["effect"], "unsolvable", "{wall}");
    let (_, csv, _) = run(&here, &["edits", "level.toml", "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("edit,drawing,symbol,row,column,direction,outcome,cost,limit,effect"));
    assert_eq!(csv.lines().count(), edits.len() + 1);
    let (status, out, _) = run(&here, &["edits", "level.toml", "--json", "--time-limit", "0s"]);
    assert!(status == 3 && out.is_empty() || object(&out)["limit"] == "time", "{status} {out}");
    let (status, _, error) = run(&here, &["edits", "level.toml", "-o", "level.toml"]);
    assert!(status == 2 && error.contains("it is one of the input files"), "{error}");
}

#[test]
fn lines_of_several_threads_are_printed_whole() {
    let here = folder("edit_lines", &[("level.toml", LEVEL)]);
    for _ in 0..30 {
        let (_, lines, _) = run(&here, &["edits", "level.toml", "--json", "--events", "--threads", "4"]);
        let (events, found): (Vec<Value>, Vec<Value>) =
            lines.lines().map(object).partition(|line| line["edits"].is_null());
        assert_eq!(found.len(), 1, "one line has the result");
        assert_eq!(found[0]["edits"].as_array().map(Vec::len), Some(events.len()), "each edit has its line");
    }
}

#[test]
fn levels_of_collections_are_edited_as_puzzle_files() {
    let here = folder(
        "edits-levels",
        &[("two.xsb", "; one\n\n####\n#@ #\n#$ #\n#. #\n####\n\n; two\n\n#####\n#@$.#\n#####\n")],
    );
    let (status, json, error) = run(&here, &["edits", "two.xsb#2", "--json"]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert_eq!((&object(&json)["rows"], &object(&json)["cost"]), (&3.into(), &1.into()), "{json}");
    let (status, text, error) = run(&here, &["minimize", "two.xsb", "--level", "1", "--quiet"]);
    assert_eq!((status, error.as_str()), (0, ""));
    // In the form of the collection, with the other level as it is.
    assert!(text.starts_with("; one\n\n####\n#@ #\n") && text.ends_with("\n; two\n\n#####\n#@$.#\n#####\n"), "{text}");
    fs::write(here.join("small.xsb"), text).expect("it is written");
    assert_eq!(object(&run(&here, &["solve", "small.xsb#1", "--json"]).1)["cost"], 1);
}

#[test]
fn a_level_is_minimized_in_the_form_of_its_collection() {
    let level = "Title: Pillar\n\n  #########\n  #@      #\n### $ # $ #\n#     #   #\n#   . # . #\n###########\n";
    let here = folder("minimize-level", &[("levels.sok", &format!("{level}\n; encoded\n\n5#|#@$.#|5#\n"))]);
    let before = object(&run(&here, &["solve", "levels.sok#1", "--json"]).1);
    let (status, out, error) = run(&here, &["minimize", "levels.sok#1", "-o", "small.sok"]);
    assert_eq!((status, out.as_str()), (0, ""), "{error}");
    let small = fs::read_to_string(here.join("small.sok")).expect("it is written");
    assert!(
        small.ends_with("\n; encoded\n\n5#|#@$.#|5#\n") && small.contains("### $   $ #\n#         #\n#   .   . #\n"),
        "{small}"
    );
    assert!(small.contains("\n  #########\n  #@ ") && small.contains("\n###########\n"), "the frame stays: {small}");
    assert_eq!(object(&run(&here, &["solve", "small.sok#1", "--json"]).1)["cost"], before["cost"]);
    // Without the frame, it is no level of a collection any more, and nothing is written.
    let (status, out, error) = run(&here, &["minimize", "levels.sok#1", "--frame", "-o", "open.sok"]);
    assert_eq!((status, out.as_str(), here.join("open.sok").exists()), (2, "", false), "{error}");
    assert!(error.contains("levels.sok"), "{error}");
}

#[test]
fn encoded_levels_and_those_in_xml_are_minimized_where_they_are_written() {
    let rows = ["  #########", "  #@      #", "### $ # $ #", "#     #   #", "#   . # . #", "###########"];
    let lines: String = rows.map(|row| format!("      <L>{row}</L>\n")).concat();
    let xml = format!(
        "<?xml version=\"1.0\"?>\n<SokobanLevels>\n  <LevelCollection>\n    <Level Id=\"x\">\n{lines}    </Level>\n  \
         </LevelCollection>\n</SokobanLevels>\n"
    );
    let encoded = "; x\n\n2-9#|2-#@6-#|3#-$-#-$-#|#5-#3-#|#3-.-#-.-#|11#\n";
    let here = folder("minimize-encoded", &[("levels.slc", &xml), ("levels.sok", encoded)]);
    let smaller = |file: &str| {
        let (status, out, error) = run(&here, &["minimize", &format!("{file}#1"), "--quiet"]);
        assert_eq!((status, error.as_str()), (0, ""), "{file}");
        out
    };
    let rows = [("### $ # $ #", "### $   $ #"), ("#     #   #", "#         #"), ("#   . # . #", "#   .   . #")];
    assert_eq!(smaller("levels.slc"), rows.iter().fold(xml.clone(), |text, (old, new)| text.replace(old, new)));
    let other = "3#-$-#-$-#|#5-#3-#|#3-.-#-.-#";
    assert_eq!(smaller("levels.sok"), encoded.replace(other, "###-$---$-#|#---------#|#---.---.-#"), "the others stay");
}

#[test]
fn a_level_of_a_game_is_minimized_within_the_game() {
    let game = crate::support::root().join("puzzles/puzzlescript/crates.txt");
    let game = fs::read_to_string(game).expect("the game is there");
    let here = folder("minimize-game", &[("crates.txt", &game)]);
    let (status, out, error) = run(&here, &["minimize", "crates.txt#1", "-o", "small.txt"]);
    assert_eq!((status, out.as_str()), (0, ""), "{error}");
    let cost = |file: &str| object(&run(&here, &["solve", file, "--json"]).1)["cost"].clone();
    assert_eq!(cost("small.txt#1"), cost("crates.txt#1"));
    assert_eq!(cost("small.txt#2"), cost("crates.txt#2"));
    let small = fs::read_to_string(here.join("small.txt")).expect("it is written");
    assert_eq!(small.lines().count(), game.lines().count(), "only cells change");
}

#[test]
fn a_minimized_puzzle_is_written_whole_with_its_comments() {
    let here = folder("minimize", &[("level.toml", LEVEL), ("blocks.toml", BLOCKS)]);
    let (status, out, error) = run(&here, &["minimize", "level.toml"]);
    assert_eq!((status, out.as_str()), (0, LEVEL), "the frame stays");
    assert!(error.starts_with("note: optimum 2: 0 walls and pieces taken away\n"), "{error}");
    let (status, out, error) = run(&here, &["minimize", "level.toml", "--frame", "-o", "small.toml"]);
    assert_eq!((status, out.as_str()), (0, ""));
    insta::assert_snapshot!("minimize", error);
    let small = fs::read_to_string(here.join("small.toml")).expect("it is written");
    assert!(
        small.starts_with("# kept\n") && small.len() == LEVEL.len() && small.contains("[expect]\ncost = 2\n"),
        "{small}"
    );
    assert_eq!(object(&run(&here, &["solve", "small.toml", "--json"]).1)["cost"], 2);
    let (status, json, _) = run(&here, &["minimize", "blocks.toml", "--unique", "--json"]);
    let found = object(&json);
    assert_eq!(status, 0);
    let before = object(&run(&here, &["solve", "blocks.toml", "--json", "--count"]).1);
    fs::write(here.join("small.toml"), found["text"].as_str().expect("a text")).expect("it is written");
    let after = object(&run(&here, &["solve", "small.toml", "--json", "--count"]).1);
    assert_eq!((&before["cost"], &before["solutions"]), (&after["cost"], &after["solutions"]), "{json}");
    let (status, _, error) = run(&here, &["minimize", "level.toml", "--node-limit", "1"]);
    assert!(status == 2 || status == 0, "{error}");
}

#[test]
fn a_puzzle_without_a_drawing_is_refused() {
    let game = "title = \"g\"\ndomain = \"maze\"\nmap_file = \"m.map\"\nstart = [0, 0]\ngoal = [0, 1]\n";
    let map = "type octile\nheight 1\nwidth 2\nmap\n..\n";
    let here = folder("edits-refused", &[("maze.toml", game), ("m.map", map), ("bad.toml", "title = 1\n")]);
    for command in ["edits", "minimize"] {
        let (status, out, error) = run(&here, &[command, "maze.toml"]);
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        assert!(
            error.contains("maze.toml") && error.contains("has no drawing of its start that can be edited"),
            "{error}"
        );
        assert_eq!(run(&here, &[command, "bad.toml"]).0, 2);
    }
}

#[test]
fn two_versions_are_compared_in_text_and_answer() {
    let longer = LEVEL.replace("#@..#", "#..@#");
    let here = folder("diff", &[("a.toml", LEVEL), ("b.toml", &longer), ("eight.toml", EIGHT)]);
    let (status, text, error) = run(&here, &["diff", "a.toml", "b.toml"]);
    assert_eq!((status, error.as_str()), (1, ""));
    insta::assert_snapshot!("diff", text);
    let (status, json, _) = run(&here, &["diff", "a.toml", "b.toml", "--json"]);
    let found = object(&json);
    assert_eq!((status, &found["same_text"], &found["same_answer"]), (1, &false.into(), &false.into()));
    let solved = |file: &str| object(&run(&here, &["solve", file, "--json"]).1)["cost"].clone();
    assert_eq!((&found["before"]["cost"], &found["after"]["cost"]), (&solved("a.toml"), &solved("b.toml")));
    let explored = object(&run(&here, &["explore", "a.toml", "--json"]).1);
    for (field, of) in [("states", "states"), ("dead_ends", "dead_ends")] {
        assert_eq!(found["before"][field], explored[of], "{field}");
    }
    assert_eq!(found["before"]["hardest"], explored["hardest"]["cost"]);
    for (side, file) in [("before", "a.toml"), ("after", "b.toml")] {
        let rated = object(&run(&here, &["rate", file, "--json"]).1);
        assert_eq!(found[side]["rating"]["score"], rated["score"], "{side}");
        assert_eq!(found[side]["rating"]["walk"], rated["walk"], "{side}");
    }
    // What needs more states than the limit is left out.
    let (_, json, _) = run(&here, &["diff", "a.toml", "b.toml", "--json", "--node-limit", "1"]);
    assert_eq!((&object(&json)["before"]["rating"], &object(&json)["before"]["states"]), (&Value::Null, &Value::Null));
    let (status, text, _) = run(&here, &["diff", "a.toml", "a.toml"]);
    assert!(status == 0 && text.contains("the text is the same\n"), "{text}");
    assert_eq!(run(&here, &["diff", "a.toml"]).0, 2);
    assert_eq!(run(&here, &["diff", "a.toml", "missing.toml"]).0, 2);
}

#[test]
fn a_puzzle_is_compared_with_its_snapshot() {
    let here = folder("diff-snapshot", &[]);
    fs::create_dir(here.join("puzzles")).expect("the folder is new");
    fs::write(here.join("puzzles/a.toml"), LEVEL).expect("it is written");
    let (status, _, error) = run(&here, &["diff", "puzzles/a.toml", "--snapshot"]);
    assert!(status == 2 && error.contains("has no stored transcript"), "{error}");
    assert_eq!(run(&here, &["test", "--accept"]).0, 0);
    let (status, text, error) = run(&here, &["diff", "puzzles/a.toml", "--snapshot"]);
    assert_eq!((status, error.as_str()), (0, ""), "{text}");
    assert!(text.contains("--- snapshots/a.snap\n+++ puzzles/a.toml\n") && text.contains("optimum    2\n"), "{text}");
    fs::write(here.join("puzzles/a.toml"), LEVEL.replace("#@..#", "#..@#")).expect("it is written");
    let (status, text, _) = run(&here, &["diff", "puzzles/a.toml", "--snapshot"]);
    assert!(status == 1 && text.contains("optimum    2 -> 4\n"), "{text}");
}

#[test]
fn a_puzzle_is_compared_with_a_revision() {
    let here = folder("diff-git", &[("a.toml", LEVEL)]);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        Command::new("git").arg("-C").arg(Path::new(&*here)).args(identity).args(arguments).output()
    };
    // Without the program, there is no revision to compare with.
    if git(&["init", "-q"]).is_err() {
        return;
    }
    for arguments in [&["add", "a.toml"][..], &["commit", "-q", "-m", "one"]] {
        assert!(git(arguments).expect("git runs").status.success());
    }
    fs::write(here.join("a.toml"), LEVEL.replace("#@..#", "#..@#")).expect("it is written");
    let (status, text, error) = run(&here, &["diff", "a.toml", "--git", "HEAD"]);
    assert_eq!((status, error.as_str()), (1, ""));
    assert!(text.contains("--- a.toml at HEAD\n+++ a.toml\n") && text.contains("-#@..#\n+#..@#\n"), "{text}");
    for revision in ["nothing", "--output=x"] {
        let (status, _, error) = run(&here, &["diff", "a.toml", &format!("--git={revision}")]);
        assert!(status == 2 && error.contains("cannot be read at the revision"), "{error}");
    }
}
