//! Tests the JSON of the commands that print facts: every field in every case.

use crate::support::program::{EIGHT, NO_PARITY, UNSOLVABLE, command, folder, run};
use crate::support::root;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Runs the program, which must end with this status and standard error, and parses its lines as JSON objects.
fn rows(folder: &Path, arguments: &[&str], status: i32, note: &str) -> Vec<Value> {
    let (found_status, out, error) = run(folder, arguments);
    assert_eq!((found_status, error.as_str()), (status, note), "{arguments:?}: {out}");
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|wrong| panic!("{wrong}: {line}"))).collect()
}

/// Runs the program and returns the one object that it prints.
fn row(folder: &Path, arguments: &[&str], status: i32) -> Value {
    let rows = rows(folder, arguments, status, "");
    let [row] = &rows[..] else { panic!("one object: {rows:?}") };
    row.clone()
}

const TAGGED: &str = "title = \"Tagged\"\ndomain = \"maze\"\ntags = [\"Easy\", \"for children\"]\nmap = \"S5G\"\n";

#[test]
fn list_reports_claims_proofs_and_errors() {
    let claimed = format!("{EIGHT}[expect]\ncost = 5\n");
    let solvable = format!("{EIGHT}[expect]\noutcome = \"solved\"\n");
    let files =
        [("bad.toml", "x = 1\n"), ("claimed.toml", &*claimed), ("none.toml", UNSOLVABLE), ("tagged.toml", TAGGED)];
    let here = folder("json-list", &[]);
    fs::create_dir_all(here.join("puzzles")).expect("a folder");
    for (name, text) in files {
        fs::write(here.join("puzzles").join(name), text).expect("a file");
    }
    let list = || rows(&here, &["list", "--json"], 0, "");
    let errors = &list()[0]["errors"];
    assert!(errors.as_array().is_some_and(|errors| errors.len() == 2 && errors[0].is_string()), "{errors}");
    let bad = json!({"file": "puzzles/bad.toml", "title": null, "domain": null, "size": null, "tags": [], "outcome": null,
        "optimum": null, "basis": null, "snapshot": null, "errors": errors});
    let claimed = json!({"file": "puzzles/claimed.toml", "title": "Five", "domain": "sliding-tile", "size": "3x3",
        "tags": [], "outcome": "solved", "optimum": 5, "basis": "claimed", "snapshot": "none", "errors": []});
    let mut none = json!({"file": "puzzles/none.toml", "title": "None", "domain": "sliding-tile", "size": "2x2",
        "tags": [], "outcome": null, "optimum": null, "basis": null, "snapshot": "none", "errors": []});
    let tagged = json!({"file": "puzzles/tagged.toml", "title": "Tagged", "domain": "maze", "size": "1x3",
        "tags": ["Easy", "for children"], "outcome": null, "optimum": null, "basis": null, "snapshot": "none",
        "errors": []});
    assert_eq!(list(), [bad, claimed, none.clone(), tagged]);
    fs::remove_file(here.join("puzzles/bad.toml")).expect("the file can be removed");
    fs::write(here.join("puzzles/claimed.toml"), &solvable).expect("a file");
    assert_eq!(list()[0]["outcome"], "solved");
    assert!(list()[0]["basis"] == "claimed" && list()[0]["optimum"].is_null(), "{:?}", list()[0]);
    run(&here, &["test", "--accept"]);
    for (field, value) in [("outcome", "unsolvable"), ("basis", "proven"), ("snapshot", "current")] {
        none[field] = json!(value);
    }
    assert_eq!(list()[1], none);
    assert!(list()[0]["basis"] == "proven" && list()[0]["optimum"] == 5, "{:?}", list()[0]);
    assert!(list()[2]["basis"] == "proven" && list()[2]["optimum"] == 6, "{:?}", list()[2]);
}

#[test]
fn list_filters_by_tags() {
    let files = [("five.toml", EIGHT), ("bad.toml", "x = 1\n"), ("tagged.toml", TAGGED)];
    let folder = folder("list-tags", &files);
    let tagged = |tags: &[&str], note: &str| {
        let tags: Vec<&str> = tags.iter().flat_map(|tag| ["--tag", tag]).collect();
        let rows = rows(&folder, &[&["list", ".", "--json"], &tags[..]].concat(), 0, note);
        let table = run(&folder, &[&["list", "."], &tags[..]].concat());
        assert_eq!(table.1.lines().count(), rows.len() + 1, "the table has the same rows: {}", table.1);
        assert_eq!((table.0, table.2.as_str()), (0, note));
        rows.iter().map(|row| row["file"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tagged(&[], "").len(), 3);
    assert_eq!(tagged(&["easy"], ""), ["./tagged.toml"]);
    assert_eq!(tagged(&["EASY", "For Children"], ""), ["./tagged.toml"]);
    let nothing: [&str; 0] = [];
    assert_eq!(tagged(&["esay"], "note: no puzzle has the tag `esay`: did you mean `Easy`?\n"), nothing);
    let near = "note: no puzzle has the tag `children`: did you mean `for children`?\n";
    assert_eq!(tagged(&["children"], near), nothing, "the whole tag");
    assert_eq!(tagged(&["unheard of"], "note: no puzzle has the tag `unheard of`\n"), nothing);
    assert_eq!(run(&folder, &["list", ".", "--tag", "esay", "--quiet"]).2, "");
}

#[test]
fn the_json_of_show_has_the_facts_of_its_text() {
    let text = format!("author = \"A\"\nsource = \"S\"\ndescription = \"\"\"\nD\n\"\"\"\ntags = [\"t\"]\n{EIGHT}");
    let folder = folder("json-show", &[("five.toml", &*text), ("none.toml", UNSOLVABLE), ("tagged.toml", TAGGED)]);
    let five = row(&folder, &["show", "five.toml", "--json"], 0);
    let algorithms: Vec<&str> = engine::Algorithm::ALL.iter().map(|facts| facts.name).collect();
    assert_eq!(five["algorithms"], json!(algorithms), "boards of tiles suit every algorithm");
    let expected = json!({"file": "five.toml", "title": "Five", "domain": "sliding-tile", "metric": "single",
        "seed": null, "author": "A", "source": "S", "description": "D", "tags": ["t"], "size": "3x3", "compiled": null, "properties": [],
        "start": "4 1 3\n. 2 6\n7 5 8\n", "goal": {"any_of": [{"drawing": "1 2 3\n4 5 6\n7 8 .\n", "words": []}], "more": 0}, "after": [], "position": "4 1 3\n. 2 6\n7 5 8\n", "is_goal": false, "solvable": true, "reason": null, "states": "181440",
        "legal_moves": ["4d", "2l", "7u"], "heuristics": five["heuristics"], "default_algorithm": "ida-star",
        "default_heuristic": five["default_heuristic"], "algorithms": five["algorithms"]});
    assert_eq!(five, expected);
    assert!(five["heuristics"]["manhattan"] == 5 && five["heuristics"]["zero"] == 0, "{five}");
    let shown = run(&folder, &["show", "five.toml"]).1;
    for (name, h) in five["heuristics"].as_object().expect("an object") {
        let h = if h.is_null() { "none for this puzzle".to_owned() } else { h.to_string() };
        let line = shown.lines().find(|line| line.starts_with(&format!("h {name} "))).expect("a line");
        assert!(line.ends_with(&format!(" {h}")), "{line}: {h}");
    }
    let none = row(&folder, &["show", "none.toml", "--json"], 0);
    assert_eq!((&none["solvable"], &none["reason"]), (&json!(false), &json!(NO_PARITY)));
    let maze = row(&folder, &["show", "tagged.toml", "--json"], 0);
    assert!(maze["states"] == "3" && maze["author"].is_null() && maze["compiled"].is_null(), "{maze}");
    let reach = json!({"any_of": [{"drawing": null, "words": ["reach `G` at [0, 2]"]}], "more": 0});
    assert_eq!(maze["goal"], reach);
    assert!(maze["start"] == "S5G\n" && maze["legal_moves"] == json!(["r"]), "{maze}");
    let rules = row(&root(), &["show", "puzzles/rules/water-jugs.toml", "--json"], 0);
    assert!(rules["compiled"].is_string() && rules["solvable"].is_null() && rules["reason"].is_null(), "{rules}");
    let (status, out, error) = run(&folder, &["show", "nowhere.toml", "--json"]);
    assert!(status == 2 && out.is_empty() && error.contains("nowhere.toml"), "{error}");
}

#[test]
fn verify_reports_solutions_and_reasons() {
    let files =
        [("five.toml", EIGHT), ("good.txt", "4d 1l 2u 5u 8l\n"), ("wrong.txt", "4d 5l\n"), ("mud.toml", TAGGED)];
    let folder = folder("json-verify", &files);
    let good = json!({"file": "five.toml", "transcript": "good.txt", "certificate": null, "ok": true, "reason": null,
        "moves": 5, "cost": 5, "solutions": [{"moves": 5, "cost": 5}], "independent": true, "lines": []});
    assert_eq!(row(&folder, &["verify", "five.toml", "good.txt", "--json"], 0), good);
    let wrong = json!({"file": "five.toml", "transcript": "wrong.txt", "certificate": null, "ok": false,
        "reason": "move 2, `5l`: the blank is not left of tile 5", "moves": null, "cost": null, "solutions": [],
        "independent": true, "lines": []});
    assert_eq!(row(&folder, &["verify", "five.toml", "wrong.txt", "--json"], 1), wrong);
    assert_eq!(run(&folder, &["verify", "five.toml", "nowhere.txt", "--json"]).1, "", "errors are no results");

    assert_eq!(run(&folder, &["solve", "mud.toml", "--certificate", "proof.json"]).0, 0);
    let checked = row(&folder, &["verify", "--certificate", "proof.json", "--json"], 0);
    let lines = run(&folder, &["verify", "--certificate", "proof.json"]).1;
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.len() >= 3, "{lines:?}");
    let expected = json!({"file": "mud.toml", "transcript": null, "certificate": "proof.json", "ok": true,
        "reason": null, "moves": 2, "cost": 6, "solutions": [{"moves": 2, "cost": 6}], "independent": true,
        "lines": lines});
    assert_eq!(checked, expected);
    let stopped = row(&folder, &["verify", "--certificate", "proof.json", "--node-limit", "0", "--json"], 3);
    assert!(stopped["ok"].is_null() && stopped["moves"] == 2, "{stopped}");
    let other = ["verify", "five.toml", "--certificate", "proof.json", "--json"];
    let refused = row(&folder, &other, 1);
    assert!(
        refused["ok"] == false && refused["reason"].as_str().is_some_and(|why| why.contains("sha256")),
        "{refused}"
    );
    assert_eq!((&refused["file"], &refused["lines"]), (&json!("five.toml"), &json!([])));
}

#[test]
fn domains_have_the_same_object_alone_and_in_the_list() {
    let folder = folder("json-domains", &[]);
    let all = rows(&folder, &["domains", "--json"], 0, "");
    let names: Vec<&str> = all.iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, engine::domain::registered());
    for (name, listed) in names.into_iter().zip(&all) {
        assert_eq!(&row(&folder, &["domains", name, "--json"], 0), listed);
        let facts = engine::domain::facts(name).expect("it is registered");
        let mut fields: Vec<&str> = listed.as_object().expect("an object").keys().map(String::as_str).collect();
        fields.sort_unstable();
        let expected = "algorithms decides_solvability default_algorithm default_heuristic heuristics keys metrics name notations reductions summary";
        assert_eq!(fields, expected.split(' ').collect::<Vec<_>>());
        assert_eq!(
            (&listed["summary"], &listed["default_heuristic"]),
            (&json!(facts.summary), &json!(facts.default_heuristic))
        );
        let has = |field: &str, names: Vec<&str>| {
            let rows = listed[field].as_array().expect("an array");
            let named: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
            assert_eq!(named, names, "{name}: {field}");
            assert!(rows.iter().all(|row| row["summary"].is_string()), "{name}: {field}");
        };
        has("keys", facts.keys.iter().map(|key| key.name).collect());
        has("metrics", facts.metrics.iter().map(|metric| metric.name).collect());
        has("heuristics", facts.heuristics.iter().map(|heuristic| heuristic.name).collect());
        has("algorithms", engine::Algorithm::ALL.iter().map(|facts| facts.name).collect());
        assert!(
            listed["heuristics"][0]["admissible"].is_boolean() && listed["heuristics"][0]["consistent"].is_boolean()
        );
        assert!(listed["algorithms"][0]["informed"].is_boolean() && listed["notations"][0] == "standard");
    }
    assert_eq!(run(&folder, &["domains", "klotsky", "--json"]).0, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn cached_tables_are_listed_with_their_sizes_in_bytes() {
    let folder = folder("json-cache", &[]);
    let list = || {
        let output =
            command(&folder, &["cache", "list", "--json"]).env("XDG_CACHE_HOME", folder.join("cache")).output();
        let output = output.expect("it runs");
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let cache = folder.join("cache/engine");
    let empty = json!({"folder": cache, "trusted": true, "tables": [], "bytes": 0});
    assert_eq!(list(), empty);
    fs::create_dir_all(&cache).expect("a folder");
    for (name, size) in [("b.pdb", 5), ("a.pdb", 7), ("notes.txt", 9)] {
        fs::write(cache.join(name), vec![0; size]).expect("a file");
    }
    let tables = json!([{"name": "a.pdb", "bytes": 7}, {"name": "b.pdb", "bytes": 5}]);
    assert_eq!(list(), json!({"folder": cache, "trusted": true, "tables": tables, "bytes": 12}));
}

/// A path of 62,499 moves; each 250th, of the rule `y`, has a cost of its own.
fn chain(x: u32, y: u32) -> String {
    format!(
        "title = 'chain'\ndomain = 'rules'\nstart = {{ x = 0, y = 0 }}\ngoal = {{ x = 249, y = 249 }}\n\
         [variables]\nx = '0..249'\ny = '0..249'\n\
         [[rules]]\nname = 'x'\nwhen = 'x < 249'\nthen = {{ x = 'x + 1' }}\ncost = {x}\n\
         [[rules]]\nname = 'y'\nwhen = 'x == 249 && y < 249'\nthen = {{ x = 0, y = 'y + 1' }}\ncost = {y}\n"
    )
}

/// What breaks: costs are counted one by one, so that great ones exceed a bound that is called a limit on depth, and the
/// states by cost fill megabytes.
#[test]
fn great_costs_are_counted_in_units_and_listed_where_they_occur() {
    let folder = folder("json-costs", &[("equal.toml", &chain(10_000, 10_000)), ("odd.toml", &chain(10_000, 9_999))]);
    let solved = row(&folder, &["solve", "equal.toml", "--json"], 0);
    assert_eq!(
        (&solved["cost"], &solved["optimal"], &solved["depth"]),
        (&json!(624_990_000), &json!(true), &json!(624_990_000))
    );
    let stopped = row(&folder, &["solve", "odd.toml", "--json"], 3);
    assert_eq!((&stopped["outcome"], &stopped["limit"]), (&json!("limit"), &json!("cost")));
    let stopped = row(&folder, &["solve", "equal.toml", "--depth-limit", "50000", "--algorithm", "bfs", "--json"], 3);
    assert_eq!((&stopped["limit"], &stopped["lower_bound"]), (&json!("depth"), &json!(500_010_000)));
    let short = chain(10_000, 10_000).replace("249", "9");
    fs::write(folder.join("short.toml"), short).expect("the file can be written");
    let explored = row(&folder, &["explore", "short.toml", "--json"], 0);
    let costs = explored["by_depth"].as_array().expect("an array");
    assert_eq!((costs.len(), &costs[0], &costs[99]), (100, &json!([0, 1]), &json!([990_000, 1])));
    assert_eq!(explored["hardest"]["cost"], 990_000);
}
