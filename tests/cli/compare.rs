//! Tests `engine compare` and `engine explore --plot`: fields, counts, costs, charts, exit statuses.

use crate::support::program::{EIGHT, UNSOLVABLE, command, folder, run};
use crate::support::root;
use engine::Algorithm;
use engine::search::AlgorithmFacts;
use resvg::tiny_skia::Pixmap;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Runs a comparison, which must succeed, and returns its rows.
fn compare(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let (status, out, errors) = run(folder, &[&["compare"], arguments, &["--format", "json"]].concat());
    assert_eq!((status, errors.as_str()), (0, ""), "{arguments:?}");
    out.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}

/// Returns the texts of a chart, which must be well-formed XML without external references.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("SVG is XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let outside = |node: &roxmltree::Node| node.attributes().any(|attribute| attribute.name().contains("href"));
    assert!(
        !document.descendants().any(|node| outside(&node)) && !svg.contains("@import"),
        "the chart refers to another file"
    );
    let text = document.descendants().filter(|node| node.has_tag_name("text"));
    text.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_algorithm_and_every_admissible_heuristic_agree_with_solve() {
    let folder = folder("compare-all", &[("five.toml", EIGHT)]);
    let rows = compare(&folder, &["five.toml"]);
    let solve = run(&folder, &["solve", "five.toml", "--format", "json"]).1;
    let solve: Value = serde_json::from_str(&solve).expect("JSON");
    let mut fields: Vec<&String> = solve.as_object().expect("an object").keys().collect();
    let more = ["expanded_per_second", "runs"].map(str::to_owned);
    fields.extend(&more);
    fields.sort();
    let pair =
        |row: &Value| (row["algorithm"].as_str().unwrap().to_owned(), row["heuristic"].as_str().map(str::to_owned));
    let uninformed: Vec<String> = rows.iter().map(pair).filter(|pair| pair.1.is_none()).map(|pair| pair.0).collect();
    let (reading, others): (Vec<&AlgorithmFacts>, Vec<_>) = Algorithm::ALL.iter().partition(|facts| facts.informed);
    let others: Vec<&str> = others.iter().map(|facts| facts.name).collect();
    assert_eq!(uninformed, others, "in the order of `engine domains`");
    let informed = rows.iter().map(pair).filter(|(algorithm, _)| algorithm == "ida-star");
    let heuristics: Vec<String> = informed.filter_map(|(_, heuristic)| heuristic).collect();
    for heuristic in ["zero", "hamming", "manhattan", "linear-conflict", "walking-distance", "pattern-database"] {
        assert!(heuristics.iter().any(|known| known == heuristic), "{heuristic} is not in {heuristics:?}");
    }
    assert_eq!(rows.len(), others.len() + reading.len() * heuristics.len());
    for row in &rows {
        let names: Vec<&String> = row.as_object().expect("an object").keys().collect();
        assert_eq!(names, fields);
        assert_eq!(row["outcome"], "solved", "{row}");
        assert!(row["optimal"] == false || row["cost"] == 5, "proven rows agree: {row}");
        let (algorithm, heuristic) = pair(row);
        let heuristic = heuristic.map(|heuristic| vec!["--heuristic".to_owned(), heuristic]).unwrap_or_default();
        let mut alone = vec!["solve", "five.toml", "--format", "json", "--algorithm", &algorithm];
        alone.extend(heuristic.iter().map(String::as_str));
        let alone: Value = serde_json::from_str(&run(&folder, &alone).1).expect("JSON");
        for field in
            ["moves", "cost", "optimal", "lower_bound", "expanded", "generated", "stored", "depth", "peak_memory_bytes"]
        {
            assert_eq!(row[field], alone[field], "{algorithm} {heuristic:?}: {field}");
        }
    }
    assert!(rows.iter().filter(|row| row["optimal"] == true).count() >= 12, "too few rows are proven optimal");
}

#[test]
fn proven_costs_agree_with_weighted_moves_and_without_a_solution() {
    let maze = "title = \"m\"\ndomain = \"maze\"\nmoves = \"diagonal\"\nmap = \"\"\"\nS.2.\n.#3.\n...G\n\"\"\"\n";
    let folder = folder("compare-costs", &[("maze.toml", maze), ("none.toml", UNSOLVABLE)]);
    let rows = compare(&folder, &["maze.toml", "--time-limit", "1s"]);
    let costs: Vec<&Value> = rows.iter().filter(|row| row["optimal"] == true).map(|row| &row["cost"]).collect();
    assert!(costs.len() >= 4 && costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
    assert!(
        rows.iter().all(|row| row["algorithm"] != "bidirectional"),
        "an algorithm that cannot search the puzzle has a row"
    );
    let rows = compare(&folder, &["none.toml"]);
    assert!(!rows.is_empty() && rows.iter().all(|row| row["outcome"] == "unsolvable" && row["cost"].is_null()));
}

#[test]
fn endless_searches_stop_at_their_limit_and_report_their_depth() {
    // The blocks move around a ring and keep their order. Only a search proves this, and iterative deepening never
    // ends.
    let stuck = "title = \"Stuck\"\ndomain = \"klotski\"\nmetric = \"step\"\nstart = \"\"\"\nab\nc.\n\"\"\"\ngoal = \"\"\"\nba\nc.\n\"\"\"\n";
    let folder = folder("compare-limits", &[("stuck.toml", stuck)]);
    let rows = compare(&folder, &["stuck.toml", "--algorithm", "bfs,iddfs", "--time-limit", "200ms"]);
    assert_eq!((&rows[0]["outcome"], &rows[1]["outcome"]), (&"unsolvable".into(), &"limit".into()));
    assert_eq!(rows[1]["limit"], "time");
    assert!(rows[1]["depth"].as_f64() > Some(3.0) && rows[1]["expanded"].as_u64() > Some(0), "{}", rows[1]);
    let (status, out, _) = run(&folder, &["compare", "stuck.toml", "--algorithm", "iddfs", "--node-limit", "1000"]);
    assert!(
        status == 0 && out.contains("nodes limit") && out.contains("10s and 2.0 GiB"),
        "the default limits are missing: {out}"
    );
}

#[test]
fn names_are_chosen_in_order_once_and_wrong_ones_are_refused() {
    let one_way = "title = \"w\"\ndomain = \"word-ladder\"\nstart = \"a\"\ngoal = \"ab\"\nedits = [\"insert\"]\nwords = [\"a\", \"ab\"]\n";
    let folder =
        folder("compare-names", &[("five.toml", EIGHT), ("one-way.toml", one_way), ("bad.toml", "title = 1\n")]);
    let chosen = [
        "five.toml",
        "--algorithm",
        "a*,bfs",
        "--algorithm",
        "a-star",
        "--heuristic",
        "manhattan,zero",
        "--repeat",
        "3",
    ];
    let rows = compare(&folder, &chosen);
    let pairs: Vec<String> = rows.iter().map(|row| format!("{} {}", row["algorithm"], row["heuristic"])).collect();
    assert_eq!(pairs, ["\"a-star\" \"manhattan\"", "\"a-star\" \"zero\"", "\"bfs\" null"]);
    assert!(rows.iter().all(|row| row["runs"] == 3));
    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["compare"], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        words.iter().for_each(|word| assert!(errors.contains(word), "{word} is not in: {errors}"));
    };
    refused(&["five.toml", "--heuristic", "manhatan"], &["five.toml", "did you mean `manhattan`"]);
    refused(&["five.toml", "--algorithm", "bsf"], &["bfs"]);
    refused(&["one-way.toml", "--algorithm", "bidirectional"], &["one-way.toml", "cannot search this puzzle"]);
    refused(&["bad.toml"], &["bad.toml:1"]);
    refused(&["missing.toml"], &["cannot be opened"]);
    refused(&["five.toml", "--repeat", "0"], &["--repeat"]);
}

#[test]
fn csv_and_the_table_have_the_values_of_json() {
    let folder = folder("compare-formats", &[("five.toml", EIGHT)]);
    let chosen = ["five.toml", "--algorithm", "bfs,a-star,greedy", "--heuristic", "manhattan"];
    let rows = compare(&folder, &chosen);
    let (status, csv, _) = run(&folder, &[&["compare"], &chosen[..], &["--format", "csv"]].concat());
    assert_eq!(status, 0);
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("the names of the columns").split(',').collect();
    let table = run(&folder, &[&["compare"], &chosen[..]].concat()).1;
    assert!(!table.contains('\u{1b}'), "colours are for terminals");
    for (line, row) in lines.zip(&rows) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), names.len());
        for (name, cell) in names.iter().zip(&cells).filter(|(name, _)| !name.contains("second")) {
            let value = row[name].as_str().map_or_else(|| row[name].to_string(), str::to_owned);
            assert_eq!(*cell, if row[name].is_null() { "" } else { &value }, "{name}");
        }
        let algorithm = row["algorithm"].as_str().expect("a name");
        let row_text = table.lines().find(|line| line.starts_with(algorithm)).expect("a row of the table");
        let cells: Vec<&str> = row_text.split_whitespace().collect();
        assert!(
            cells.contains(&&*row["expanded"].to_string()) && cells.contains(&&*row["stored"].to_string()),
            "{row_text}"
        );
    }
    assert_eq!(csv.lines().count(), 1 + rows.len());
    let (status, counts, _) = run(&folder, &[&["compare"], &chosen[..], &["--format", "csv", "--no-times"]].concat());
    let measured = ["seconds", "peak_memory_bytes", "expanded_per_second"];
    let kept: Vec<usize> = (0..names.len()).filter(|&column| !measured.contains(&names[column])).collect();
    let without_times = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        kept.iter().map(|&column| cells[column]).collect::<Vec<_>>().join(",")
    };
    let expected: String = csv.lines().map(|line| without_times(line) + "\n").collect();
    assert_eq!((status, counts), (0, expected), "`--no-times` leaves the measured columns out");
}

#[test]
fn charts_of_searches_show_the_counts() {
    let hard = fs::read_to_string(root().join("puzzles/eight-puzzle/31-moves.toml")).expect("the puzzle is there");
    let folder = folder("compare-chart", &[("hard.toml", &hard.replace("31 moves", "<31> & moves"))]);
    let chosen =
        ["hard.toml", "--algorithm", "bfs,greedy,iddfs,a-star", "--heuristic", "manhattan", "--node-limit", "200000"];
    let rows = compare(&folder, &chosen);
    let plain = run(&folder, &[&["compare"], &chosen[..], &["--no-times"]].concat());
    let arguments = [&["compare"], &chosen[..], &["--no-times", "--plot", "chart.svg"]].concat();
    assert_eq!(run(&folder, &arguments), plain, "the table is the same");
    let texts = texts(&fs::read_to_string(folder.join("chart.svg")).expect("the chart is written"));
    for row in &rows {
        let expanded = row["expanded"].as_u64().expect("a count").to_string();
        assert!(texts.iter().any(|text| text.replace(',', "") == expanded), "{expanded} is not in {texts:?}");
        assert!(texts.iter().any(|text| *text == row["algorithm"].as_str().unwrap()));
    }
    assert!(texts.iter().any(|text| text.contains("<31> &")), "the title, escaped: {texts:?}");
    assert!(texts.iter().any(|text| text == "stopped at a limit"), "the legend explains the stripes");
}

#[test]
fn charts_of_spaces_show_the_totals() {
    let solved = "title = \"One\"\ndomain = \"sliding-tile\"\nstart = \"0\"\n";
    let folder = folder("explore-plot", &[("five.toml", EIGHT), ("one.toml", solved), ("none.toml", UNSOLVABLE)]);
    let plain = run(&folder, &["explore", "five.toml"]);
    assert_eq!(run(&folder, &["explore", "five.toml", "--plot", "five.svg"]), plain, "`--plot` changes the output");
    let svg = fs::read_to_string(folder.join("five.svg")).expect("the chart is written");
    let all = texts(&svg).join("\n");
    assert!(all.contains("181,440 states, 1 goal, 0 dead ends") && all.contains("31 moves from a goal"), "{all}");
    run(&folder, &["explore", "five.toml", "--plot", "again.svg"]);
    assert_eq!(fs::read_to_string(folder.join("again.svg")).unwrap(), svg, "the same bytes again");
    for (file, totals) in [("one.toml", "1 state, 1 goal"), ("none.toml", "0 goals")] {
        assert_eq!(run(&folder, &["explore", file, "--plot", "small.svg"]).0, 0);
        let all = texts(&fs::read_to_string(folder.join("small.svg")).unwrap()).join("\n");
        assert!(all.contains(totals), "{file}: {all}");
    }
    assert_eq!(run(&folder, &["explore", "five.toml", "--plot", "five.png"]), plain, "the output is the same");
    let png = Pixmap::decode_png(&fs::read(folder.join("five.png")).unwrap()).expect("a PNG");
    assert_eq!((png.width(), png.height()), (2 * 960, 2 * 520));
    let errors = run(&folder, &["explore", "five.toml", "--plot", "five.pgn"]).2;
    assert!(errors.contains("unknown file name extension `pgn`") && errors.contains("did you mean `png`"), "{errors}");
    assert!(!folder.join("five.pgn").exists());
    assert_eq!(run(&folder, &["explore", "five.toml", "--plot", "five.toml"]).0, 2, "a chart overwrites a puzzle");
    assert_eq!(run(&folder, &["explore", "five.toml", "--plot", "nowhere/x.svg"]).0, 2);
}

/// What breaks: the process that goes on behind the wall runs the searches again that had ended.
#[test]
fn behind_the_wall_the_rows_before_it_are_kept() {
    let folder = folder("compare-wall", &[("five.toml", EIGHT)]);
    let arguments = ["five.toml", "--algorithm", "bfs,a-star,ida-star", "--heuristic", "manhattan"];
    let mut first = compare(&folder, &arguments).remove(0);
    first["expanded"] = 424_242.into();
    (first["seconds"], first["expanded_per_second"]) = (0.5.into(), 848_484.0.into());
    let stopped = json!({
        "file": "five.toml", "limit": "time", "lower_bound": 3.0, "algorithm": null, "heuristic": null, "expanded": 7,
        "seconds": 2.0
    });
    let handover =
        json!({"stopped": {"2 of 3: ": stopped}, "one_by_one": false, "results": [first.clone()], "written": []});
    fs::write(folder.join("handover.json"), handover.to_string()).expect("the file can be written");
    let again = command(&folder, &[&["compare", "--json"], &arguments[..]].concat())
        .env("ENGINE_BEHIND_THE_WALL", "handover.json")
        .output()
        .expect("the program runs");
    let out = String::from_utf8(again.stdout).expect("JSON is UTF-8");
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert_eq!(rows[0], first);
    assert_eq!((&rows[1]["algorithm"], &rows[1]["heuristic"]), (&"a-star".into(), &"manhattan".into()));
    assert_eq!((&rows[1]["limit"], &rows[1]["lower_bound"]), (&"time".into(), &3.into()));
    assert_eq!((&rows[2]["algorithm"], &rows[2]["outcome"]), (&"ida-star".into(), &"solved".into()));
}
