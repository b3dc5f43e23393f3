//! `engine test` as an author of puzzles uses it: a separate folder, with snapshots beside it.

use crate::support::program::{EIGHT, STUCK, engine, folder, run};
use crate::support::{files_below, root};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Creates a folder with puzzles at the top and in a subfolder.
fn collection(test: &str) -> std::path::PathBuf {
    let here = folder(test, &[]);
    fs::create_dir_all(here.join("puzzles/deep")).unwrap();
    fs::write(here.join("puzzles/eight.toml"), EIGHT).unwrap();
    fs::write(here.join("puzzles/deep/stuck.toml"), STUCK).unwrap();
    here
}

#[test]
fn accepted_snapshots_pass_and_have_the_path_and_form_of_insta() {
    let here = collection("testing-accept");
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!((status, out.lines().last()), (1, Some("0 passed, 0 differ, 2 new, 0 skipped")), "{out}");
    assert!(out.contains("new: puzzles/deep/stuck.toml: there is no snapshot yet"), "{out}");
    assert!(!here.join("snapshots").exists(), "nothing is stored that is not accepted");
    let (status, out, err) = run(&here, &["test", "--accept"]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "0 passed, 0 differ, 0 new, 0 skipped, 2 stored\n", ""));
    assert_eq!(files_below(&here.join("snapshots"), "snap"), [Path::new("deep/stuck.snap"), Path::new("eight.snap")]);
    let transcript = run(&here, &["solve", "puzzles/eight.toml"]).1;
    let stored = fs::read_to_string(here.join("snapshots/eight.snap")).unwrap();
    assert_eq!(stored, format!("---\nsource: tests/puzzles.rs\n---\n{transcript}"));
    assert_eq!(run(&here, &["test"]), (0, "2 passed, 0 differ, 0 new, 0 skipped\n".into(), String::new()));
}

/// Insta wrote the engine's snapshots: storing them again changes no byte.
#[test]
fn the_snapshots_of_the_engine_are_stored_as_insta_stores_them() {
    let here = folder("testing-insta", &[]);
    for name in ["klotski1", "klotski2"] {
        fs::create_dir_all(here.join("puzzles")).unwrap();
        fs::copy(root().join(format!("puzzles/{name}.toml")), here.join(format!("puzzles/{name}.toml"))).unwrap();
    }
    assert_eq!(run(&here, &["test", "--accept"]).0, 0);
    for name in ["klotski1", "klotski2"] {
        let path = format!("snapshots/{name}.snap");
        assert_eq!(fs::read(here.join(&path)).unwrap(), fs::read(root().join(&path)).unwrap(), "{name}");
    }
    let engine = root();
    let (status, out, err) = run(&engine, &["test", "--filter", "eight-puzzle/"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.ends_with(" passed, 0 differ, 0 new, 0 skipped\n"), "{out}");
}

#[test]
fn a_changed_puzzle_shows_the_difference_until_it_is_accepted() {
    let here = collection("testing-change");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("Five", "Cinq")).unwrap();
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!(status, 1);
    let expected = "differs: puzzles/eight.toml: the transcript is not the stored one\n--- snapshots/eight.snap\n+++ puzzles/eight.toml\n@@ -1,4 +1,4 @@\n-Five\n+Cinq\n";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("1 passed, 1 differ, 0 new, 0 skipped\n"), "{out}");
    assert!(run(&here, &["test", "--accept"]).1.ends_with("1 passed, 0 differ, 0 new, 0 skipped, 1 stored\n"));
    assert_eq!(run(&here, &["test"]).0, 0);
}

#[test]
fn crlf_and_trailing_blanks_make_no_difference() {
    let here = collection("testing-crlf");
    run(&here, &["test", "--accept"]);
    let path = here.join("snapshots/eight.snap");
    let stored = fs::read_to_string(&path).unwrap();
    fs::write(&path, stored.replace('\n', "\r\n") + "\r\n\r\n").unwrap();
    assert_eq!(run(&here, &["test"]).0, 0);
}

#[test]
fn a_false_claim_is_reported_and_its_transcript_is_not_stored() {
    let here = collection("testing-claims");
    for (claim, told) in [
        ("cost = 4", "[expect] says the cost 4, found the cost 5, proven"),
        ("outcome = \"unsolvable\"", "[expect] says `unsolvable`, found the cost 5, proven"),
    ] {
        fs::write(here.join("puzzles/eight.toml"), format!("{EIGHT}[expect]\n{claim}\n")).unwrap();
        let (status, out, _) = run(&here, &["test", "--accept"]);
        assert_eq!(status, 1, "{out}");
        assert!(out.contains(&format!("differs: puzzles/eight.toml: {told}")), "{out}");
        assert!(!here.join("snapshots/eight.snap").exists());
    }
    let greedy = format!("{EIGHT}[search]\nalgorithm = \"greedy\"\n[expect]\ncost = 5\n");
    fs::write(here.join("puzzles/eight.toml"), greedy).unwrap();
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!(status, 1, "a cost that is not proven keeps no claim: {out}");
}

#[test]
fn an_invalid_file_is_reported_with_its_place_and_the_others_are_solved() {
    let here = collection("testing-bad");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/bad.toml"), "title = \"x\"\ndomain = \"klotsky\"\n").unwrap();
    let (status, out, err) = run(&here, &["test"]);
    assert_eq!(status, 2);
    assert!(err.contains("puzzles/bad.toml:2:10") && err.contains("did you mean `klotski`"), "{err}");
    assert_eq!(out, "2 passed, 0 differ, 0 new, 0 skipped, 1 bad\n");
}

#[test]
fn long_puzzles_are_skipped_by_default() {
    let here = collection("testing-long");
    fs::write(here.join("puzzles/eight.toml"), format!("tags = [\"long\"]\n{EIGHT}[expect]\ncost = 5\n")).unwrap();
    let (_, out, _) = run(&here, &["test", "--accept"]);
    assert_eq!(out, "0 passed, 0 differ, 0 new, 1 skipped, 1 stored\n");
    let (status, out, _) = run(&here, &["test", "--long", "--accept"]);
    assert_eq!((status, out.as_str()), (0, "2 passed, 0 differ, 0 new, 0 skipped\n"));
    assert!(!here.join("snapshots/eight.snap").exists(), "a long puzzle has no snapshot");
    let (status, out, _) = run(&here, &["test", "--long", "--node-limit", "1"]);
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("stopped: puzzles/eight.toml: stopped at the nodes limit"), "{out}");
}

#[test]
fn a_puzzle_that_ends_at_its_own_depth_limit_passes() {
    let here = folder("testing-depth", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    fs::write(here.join("puzzles/short.toml"), format!("{EIGHT}[search]\ndepth_limit = 3\n")).unwrap();
    assert_eq!(run(&here, &["test", "--accept"]).0, 0);
    assert_eq!(run(&here, &["test"]).1, "1 passed, 0 differ, 0 new, 0 skipped\n");
    assert_eq!(run(&here, &["test", "--depth-limit", "2"]).0, 3);
}

#[test]
fn snapshots_without_a_puzzle_are_reported() {
    let here = collection("testing-orphans");
    run(&here, &["test", "--accept"]);
    fs::remove_file(here.join("puzzles/deep/stuck.toml")).unwrap();
    fs::write(here.join("snapshots/effort.snap"), "").unwrap();
    let (status, _, err) = run(&here, &["test"]);
    assert_eq!((status, err.as_str()), (0, "note: snapshots/deep/stuck.snap: a snapshot without a puzzle\n"));
    assert_eq!(run(&here, &["test", "--quiet"]).2, "", "who asks for quiet has it");
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let engine = root();
    let outputs = ["1", "2", "5"].map(|threads| run(&engine, &["test", "--filter", "words", "--threads", threads]));
    assert_eq!(outputs[0].0, 0, "{outputs:?}");
    assert!(outputs.iter().all(|output| *output == outputs[0]), "{outputs:?}");
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let here = collection("testing-filter");
    let (status, _, err) = run(&here, &["test", "--filter", "deap"]);
    assert_eq!(status, 2);
    assert!(err.contains("no puzzle below it has `deap` in its path"), "{err}");
    let (status, out, _) = run(&here, &["test", "--filter", "deep/"]);
    assert_eq!((status, out.lines().last()), (1, Some("0 passed, 0 differ, 1 new, 0 skipped")));
    assert_eq!(run(&here, &["test", "nowhere"]).0, 2);
    let (status, _, error) = run(&here, &["test", "puzzles/eight.toml"]);
    assert!(status == 2 && error.contains("puzzles/eight.toml: is a file, not a folder"), "{error}");
}

#[test]
fn json_has_one_object_a_puzzle_with_every_field() {
    let here = collection("testing-json");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("Five", "Cinq")).unwrap();
    fs::write(here.join("puzzles/bad.toml"), "title = 1\n").unwrap();
    let (status, out, _) = run(&here, &["test", "--format", "json"]);
    assert_eq!(status, 2);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let verdicts: Vec<_> = rows.iter().map(|row| (row["file"].as_str(), row["verdict"].as_str())).collect();
    let pair = |file, verdict| (Some(file), Some(verdict));
    let (bad, deep, eight) = ("puzzles/bad.toml", "puzzles/deep/stuck.toml", "puzzles/eight.toml");
    assert_eq!(verdicts, [pair(bad, "bad"), pair(deep, "passed"), pair(eight, "differs")]);
    let keys = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(rows.iter().all(|row| keys(row) == keys(&rows[0])));
    assert_eq!((rows[1]["outcome"].as_str(), rows[2]["cost"].as_f64()), (Some("unsolvable"), Some(5.0)));
    assert!(rows[2]["diff"].as_str().unwrap().contains("-Five\n+Cinq\n"));
}

#[test]
fn junit_is_well_formed_for_any_title_and_file() {
    let here = collection("testing-junit");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("Five", "<&\u{ffff}]]>")).unwrap();
    fs::write(here.join("puzzles/bad.toml"), "title = \"<\u{1b}\"\n&").unwrap();
    fs::write(here.join("puzzles/long.toml"), format!("tags = [\"long\"]\n{EIGHT}")).unwrap();
    let (status, out, err) = run(&here, &["test", "--format", "junit", "--output", "report.xml"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("1 passed, 1 differ, 0 new, 1 skipped, 1 bad"), "{err}");
    let xml = fs::read_to_string(here.join("report.xml")).unwrap();
    let mut reader = quick_xml::Reader::from_str(&xml);
    let mut elements = std::collections::BTreeMap::new();
    loop {
        use quick_xml::events::Event;
        match reader.read_event().expect("well-formed") {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => {
                element.attributes().for_each(|attribute| _ = attribute.expect("well-formed"));
                *elements.entry(element.name().as_ref().to_owned()).or_insert(0) += 1;
            }
            _ => {}
        }
    }
    let counts = ["testsuites", "testsuite", "testcase", "failure", "error", "skipped"].map(|name| elements[name]);
    assert_eq!(counts, [1, 1, 4, 1, 1, 1], "{xml}");
    assert!(xml.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""), "{xml}");
    let legal = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(legal), "a character that XML does not have");
}

#[cfg(unix)]
#[test]
fn an_interrupt_has_its_own_status_and_leaves_no_partial_report() {
    let here = folder("testing-interrupt", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    let korf = fs::read_to_string(root().join("puzzles/korf-24/44.toml")).unwrap();
    fs::write(here.join("puzzles/korf.toml"), korf).unwrap();
    let running = crate::support::program::command(&here, &["test", "--long", "--no-cache", "--format", "junit"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    crate::support::program::wait_until_working(&running);
    let sent = std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(sent.expect("the program `kill` exists").success());
    let ended = running.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(130));
    let xml = String::from_utf8(ended.stdout).expect("the output is UTF-8");
    assert!(xml.contains("interrupted") && xml.ends_with("</testsuites>\n"), "{xml}");
}

#[test]
fn a_report_is_written_completely_or_not_at_all() {
    let here = collection("testing-output");
    let answer = engine(&here, &["test", "--format", "junit", "--output", "no/such/folder.xml"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(!here.join("no").exists());
}

/// A lights-out puzzle with more equations than can be solved in a few seconds.
fn lamps(edge: usize) -> String {
    let grid = |symbol: &str| vec![symbol.repeat(edge); edge].join("\n");
    let drawing = |rows: String| format!("\"\"\"\n{rows}\n\"\"\"");
    let (start, goal) = (drawing(grid("*")), drawing(grid(".")));
    let (from, to) = (drawing("???\n???\n???".to_owned()), drawing("?t?\nttt\n?t?".to_owned()));
    format!(
        "title = \"Lamps\"\ndomain = \"rules\"\nstart = {start}\ngoal = {goal}\nmaps = {{ t = {{ \"*\" = \".\", \".\" = \"*\" }} }}\n\
         [[rules]]\nname = \"press\"\nfrom = {from}\nto = {to}\nat = [1, 1]\nedge = \"clip\"\n"
    )
}

#[test]
fn one_puzzle_that_is_too_hard_stops_no_other_and_is_reported_in_order() {
    let here = folder("testing-hard", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    for (name, edge) in [("a", 2), ("b", 56), ("c", 3)] {
        fs::write(here.join(format!("puzzles/{name}.toml")), lamps(edge)).unwrap();
    }
    let (status, out, _) = run(&here, &["test", "--time-limit", "1s"]);
    let lines: Vec<&str> = out.lines().collect();
    let told = [
        "new: puzzles/a.toml: there is no snapshot yet",
        "stopped: puzzles/b.toml: stopped at the time limit, 1s a puzzle",
        "new: puzzles/c.toml: there is no snapshot yet",
    ];
    assert_eq!((status, &lines[..3]), (3, &told[..]), "{out}");
    assert_eq!(lines.last(), Some(&"0 passed, 0 differ, 2 new, 0 skipped, 1 stopped"), "{out}");
    // A limit applies by default, and `none` removes it.
    let help = run(&here, &["test", "--help"]).1;
    assert!(help.contains("[default: 60s]"), "{help}");
    assert_eq!(run(&here, &["test", "--filter", "c.toml", "--time-limit", "none"]).0, 1);
    assert_eq!(run(&here, &["test", "--filter", "c.toml", "--time-limit", "some"]).0, 2);
}

/// The results of the first files arrive through a pipe while a later one is still being solved.
#[test]
fn each_result_is_printed_to_a_pipe_as_soon_as_it_is_known() {
    use std::io::{BufRead, BufReader};
    let here = folder("testing-pipe", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    for (name, edge) in [("a", 2), ("b", 56)] {
        fs::write(here.join(format!("puzzles/{name}.toml")), lamps(edge)).unwrap();
    }
    let mut running = crate::support::program::command(&here, &["test", "--time-limit", "600s", "--threads", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(running.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
    let runs = running.try_wait().expect("the program can be waited for").is_none();
    running.kill().expect("the program can be killed");
    running.wait().expect("the program has ended");
    assert!(runs && line.starts_with("new: puzzles/a.toml"), "{line}");
}
