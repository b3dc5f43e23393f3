//! Tests `engine test` as an author of puzzles uses it: on a folder of puzzles with snapshots next to it.

use crate::support::program::{EIGHT, UNSOLVABLE, engine, folder, run};
use crate::support::{files_below, root};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Creates a folder of puzzles, one of them in a subfolder.
fn collection(test: &str) -> std::path::PathBuf {
    let here = folder(test, &[]);
    fs::create_dir_all(here.join("puzzles/deep")).unwrap();
    fs::write(here.join("puzzles/eight.toml"), EIGHT).unwrap();
    fs::write(here.join("puzzles/deep/stuck.toml"), UNSOLVABLE).unwrap();
    here
}

#[test]
fn a_report_replaces_no_puzzle() {
    let here = collection("testing-output");
    let (status, _, errors) = run(&here, &["test", "-o", "puzzles/eight.toml"]);
    assert!(status == 2 && errors.contains("it is one of the input files"), "{errors}");
    assert_eq!(fs::read_to_string(here.join("puzzles/eight.toml")).unwrap(), EIGHT);
    fs::write(here.join("bad.toml"), "title = 'Bad'\n").unwrap();
    fs::write(here.join("answer.txt"), "of an earlier run").unwrap();
    assert_eq!(run(&here, &["solve", "bad.toml", "-o", "answer.txt"]).0, 2);
    assert_eq!(fs::read_to_string(here.join("answer.txt")).unwrap(), "of an earlier run", "without an answer it stays");
}

#[test]
fn accepted_snapshots_pass_and_have_the_path_and_form_of_the_engines_own() {
    let here = collection("testing-accept");
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!((status, out.lines().last()), (1, Some("0 passed, 0 differ, 2 new, 0 skipped")), "{out}");
    assert!(out.contains("new: puzzles/deep/stuck.toml: no snapshot yet"), "{out}");
    assert!(!here.join("snapshots").exists(), "a snapshot is stored without `--accept`");
    let (status, out, err) = run(&here, &["test", "--accept"]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "0 passed, 0 differ, 0 new, 0 skipped, 2 stored\n", ""));
    assert_eq!(files_below(&here.join("snapshots"), "snap"), [Path::new("deep/stuck.snap"), Path::new("eight.snap")]);
    let transcript = run(&here, &["solve", "puzzles/eight.toml"]).1;
    let stored = fs::read_to_string(here.join("snapshots/eight.snap")).unwrap();
    assert_eq!(stored, format!("---\nsource: tests/puzzles.rs\n---\n{transcript}"));
    assert_eq!(run(&here, &["test"]), (0, "2 passed, 0 differ, 0 new, 0 skipped\n".into(), String::new()));
}

/// Stores snapshots that insta wrote again: no byte changes.
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
fn a_changed_puzzle_shows_what_changed_until_it_is_accepted() {
    let here = collection("testing-change");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("Five", "Cinq")).unwrap();
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!(status, 1);
    let expected = "differs: puzzles/eight.toml: the transcript differs from the snapshot: the cost is still 5, proven shortest\n--- snapshots/eight.snap\n+++ transcript of puzzles/eight.toml\n@@ -1,4 +1,4 @@\n-Five\n+Cinq\n";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("1 passed, 1 differ, 0 new, 0 skipped\n"), "{out}");
    assert!(run(&here, &["test", "--accept"]).1.ends_with("1 passed, 0 differ, 0 new, 0 skipped, 1 stored\n"));
    assert_eq!(run(&here, &["test"]).0, 0);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("4 1 3\n0 2 6", "0 1 3\n4 2 6")).unwrap();
    let change = "the cost was 5, proven shortest; now the cost is 4, proven shortest\n";
    assert!(run(&here, &["test"]).1.contains(change), "a change of the cost is reported before the difference");
}

#[test]
fn crlf_and_trailing_blank_lines_make_no_difference() {
    let here = collection("testing-crlf");
    run(&here, &["test", "--accept"]);
    let path = here.join("snapshots/eight.snap");
    let stored = fs::read_to_string(&path).unwrap();
    fs::write(&path, stored.replace('\n', "\r\n") + "\r\n\r\n").unwrap();
    assert_eq!(run(&here, &["test"]).0, 0);
}

#[test]
fn a_wrong_claim_is_reported_and_its_transcript_is_not_stored() {
    let here = collection("testing-claims");
    for (claim, message) in [
        ("cost = 4", "`[expect]` claims the cost 4, found the cost 5, proven"),
        ("outcome = \"unsolvable\"", "`[expect]` claims `unsolvable`, found the cost 5, proven"),
    ] {
        fs::write(here.join("puzzles/eight.toml"), format!("{EIGHT}[expect]\n{claim}\n")).unwrap();
        let (status, out, _) = run(&here, &["test", "--accept"]);
        assert_eq!(status, 1, "{out}");
        assert!(out.contains(&format!("differs: puzzles/eight.toml: {message}")), "{out}");
        assert!(!here.join("snapshots/eight.snap").exists());
    }
    let greedy = format!("{EIGHT}[search]\nalgorithm = \"greedy\"\n[expect]\ncost = 5\n");
    fs::write(here.join("puzzles/eight.toml"), greedy).unwrap();
    let (status, out, _) = run(&here, &["test"]);
    assert_eq!(status, 1, "an unproven cost passes a claim: {out}");
}

#[test]
fn a_bad_file_is_reported_with_its_location_and_the_others_are_solved() {
    let here = collection("testing-bad");
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/bad.toml"), "title = \"x\"\ndomain = \"klotsky\"\n").unwrap();
    let (status, out, err) = run(&here, &["test"]);
    assert_eq!(status, 2);
    assert!(err.contains("puzzles/bad.toml:2:10") && err.contains("did you mean `klotski`"), "{err}");
    assert_eq!(out, "2 passed, 0 differ, 0 new, 0 skipped, 1 bad\n");
}

#[test]
fn long_puzzles_are_skipped_without_the_option_long() {
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
fn a_depth_limit_in_the_file_ends_the_search_and_passes() {
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
    assert_eq!(run(&here, &["test", "--quiet"]).2, "", "`--quiet` prints no note");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let engine = root();
    let outputs = ["1", "2", "5"].map(|threads| run(&engine, &["test", "--filter", "words", "--threads", threads]));
    assert_eq!(outputs[0].0, 0, "{outputs:?}");
    assert!(outputs.iter().all(|output| *output == outputs[0]), "{outputs:?}");
}

#[test]
fn a_filter_that_leaves_nothing_is_an_error() {
    let here = collection("testing-filter");
    let (status, _, err) = run(&here, &["test", "--filter", "deap"]);
    assert_eq!(status, 2);
    assert!(err.contains("no puzzle in this folder has `deap` in its path"), "{err}");
    let (status, out, _) = run(&here, &["test", "--filter", "deep/"]);
    assert_eq!((status, out.lines().last()), (1, Some("0 passed, 0 differ, 1 new, 0 skipped")));
    assert_eq!(run(&here, &["test", "nowhere"]).0, 2);
    let (status, _, error) = run(&here, &["test", "puzzles/eight.toml"]);
    assert!(status == 2 && error.contains("puzzles/eight.toml: is a file, not a folder"), "{error}");
}

#[test]
fn json_has_one_object_for_each_puzzle_with_every_field() {
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
    assert_eq!((rows[1]["outcome"].as_str(), rows[2]["cost"].as_u64()), (Some("unsolvable"), Some(5)));
    assert!(rows[2]["diff"].as_str().unwrap().contains("-Five\n+Cinq\n"));
}

#[test]
fn junit_is_well_formed_whatever_is_in_a_title_or_a_file() {
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
fn an_interrupt_ends_the_test_with_status_130_and_a_complete_report() {
    let here = folder("testing-interrupt", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    let korf = fs::read_to_string(root().join("puzzles/korf-24/44.toml")).unwrap();
    fs::write(here.join("puzzles/korf.toml"), korf).unwrap();
    let running = crate::support::program::command(&here, &["test", "--long", "--no-cache", "--format", "junit"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    crate::support::program::wait_for_interrupt_handler(&running);
    let sent = std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(sent.expect("`kill` runs").success());
    let ended = running.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    let xml = String::from_utf8(ended.stdout).expect("UTF-8");
    assert!(xml.contains("interrupted") && xml.ends_with("</testsuites>\n"), "{xml}");
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let here = collection("testing-output");
    let answer = engine(&here, &["test", "--format", "junit", "--output", "no/such/folder.xml"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(!here.join("no").exists());
}

/// Returns a lights-out puzzle of `edge` × `edge` lamps. With a large edge, its linear equations take more than a few
/// seconds.
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
fn a_puzzle_that_is_too_hard_stops_no_other_and_is_reported_in_order() {
    let here = folder("testing-hard", &[]);
    fs::create_dir(here.join("puzzles")).unwrap();
    for (name, edge) in [("a", 2), ("b", 56), ("c", 3)] {
        fs::write(here.join(format!("puzzles/{name}.toml")), lamps(edge)).unwrap();
    }
    let (status, out, _) = run(&here, &["test", "--time-limit", "1s"]);
    let lines: Vec<&str> = out.lines().collect();
    let expected = [
        "new: puzzles/a.toml: no snapshot yet",
        "stopped: puzzles/b.toml: stopped at the time limit, 1s a puzzle",
        "new: puzzles/c.toml: no snapshot yet",
    ];
    assert_eq!((status, &lines[..3]), (3, &expected[..]), "{out}");
    assert_eq!(lines.last(), Some(&"0 passed, 0 differ, 2 new, 0 skipped, 1 stopped"), "{out}");
    // The default is a limit; `none` means no limit.
    let help = run(&here, &["test", "--help"]).1;
    assert!(help.contains("[default: 60s]"), "{help}");
    assert_eq!(run(&here, &["test", "--filter", "c.toml", "--time-limit", "none"]).0, 1);
    assert_eq!(run(&here, &["test", "--filter", "c.toml", "--time-limit", "some"]).0, 2);
}

/// Checks that the results of the first files arrive in a pipe while the program solves a later one.
#[test]
fn each_line_is_flushed_to_a_pipe_at_once() {
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
        .expect("the program runs");
    let mut line = String::new();
    BufReader::new(running.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
    let runs = running.try_wait().expect("the child's status can be read").is_none();
    running.kill().expect("the child can be killed");
    running.wait().expect("it ended");
    assert!(runs && line.starts_with("new: puzzles/a.toml"), "{line}");
}

/// Tests a game beside another one: a change of one level, and of no other.
#[test]
fn the_levels_of_a_game_have_snapshots_that_show_which_level_changed() {
    let here = folder("testing-game", &[]);
    fs::create_dir_all(here.join("games")).unwrap();
    let text = fs::read_to_string(root().join("puzzles/puzzlescript/crates.txt")).unwrap();
    for name in ["crates", "other"] {
        fs::write(here.join(format!("games/{name}.txt")), &text).unwrap();
        let (status, out, err) = run(&here, &["test", &format!("games/{name}.txt"), "--accept"]);
        assert_eq!((status, &*out, &*err), (0, "0 passed, 0 differ, 0 new, 0 skipped, 2 stored\n", ""));
    }
    let stored = ["crates/1.snap", "crates/2.snap", "other/1.snap", "other/2.snap"].map(Path::new);
    assert_eq!(files_below(&here.join("games/snapshots"), "snap"), stored);
    let passed = (0, "2 passed, 0 differ, 0 new, 0 skipped\n".into(), String::new());
    assert_eq!(run(&here, &["test", "games/crates.txt"]), passed);
    let listed = run(&here, &["list", "games/crates.txt"]).1;
    let optima: Vec<_> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().nth(3)).collect();
    assert_eq!(optima, ["8", "unsolvable"], "{listed}");
    // The gate is open from the start.
    fs::write(here.join("games/crates.txt"), text.replace("###G####", "###.####")).unwrap();
    let (status, out, err) = run(&here, &["test", "games/crates.txt"]);
    let changed =
        "differs: games/crates.txt#1: the transcript differs from the snapshot: the cost is still 8, proven shortest\n";
    assert!(status == 1 && out.starts_with(changed) && err.is_empty(), "{out}{err}");
    assert!(out.ends_with("1 passed, 1 differ, 0 new, 0 skipped\n"), "{out}");
    assert_eq!(run(&here, &["test", "games/crates.txt", "--accept", "--filter", "1"]).0, 0);
    assert_eq!(run(&here, &["test", "games/crates.txt"]), passed);
}

#[test]
fn a_run_without_snapshots_names_the_folder_for_them() {
    let here = collection("testing-first");
    let note = |arguments: &[&str]| run(&here, arguments).2;
    let of_all = "note: no snapshots yet; `engine test puzzles --accept` would create `snapshots`\n";
    assert_eq!(note(&["test"]), of_all);
    let of_some = "note: no snapshots yet; `engine test puzzles/deep --accept` would create `puzzles/snapshots`\n";
    assert_eq!(note(&["test", "puzzles/deep"]), of_some);
    let (_, _, within) = run(&here.join("puzzles"), &["test", "."]);
    assert_eq!(within, "note: no snapshots yet; `engine test . --accept` would create `../snapshots`\n");
    assert_eq!(run(&here.join("puzzles"), &["test", ".", "--accept"]).0, 0);
    assert!(here.join("snapshots/eight.snap").is_file());
    assert_eq!(note(&["test"]), "");
}

/// Two collections whose names differ only in their extensions, and a folder of the same name.
#[test]
fn a_snapshot_belongs_to_one_puzzle() {
    let here = folder("testing-shared", &[]);
    let room = "; Room\n#####\n#@$.#\n#####\n";
    fs::create_dir_all(here.join("puzzles/room")).unwrap();
    for (name, text) in [("room.sok", room), ("room.xsb", room), ("room/1.toml", EIGHT)] {
        fs::write(here.join("puzzles").join(name), text).unwrap();
    }
    for accept in [&["--accept"][..], &[]] {
        let (status, out, errors) = run(&here, &[&["test"], accept].concat());
        assert!(status == 2 && out.contains("2 bad\n"), "{out}{errors}");
        let owner = "which is that of `puzzles/room/1.toml`";
        for other in ["puzzles/room.sok#1", "puzzles/room.xsb#1"] {
            let clash = format!("error: {other}: its snapshot would be `snapshots/room/1.snap`, {owner}");
            assert!(errors.contains(&clash), "{errors}");
        }
        assert!(errors.contains("rename one of the two files"), "{errors}");
    }
    assert!(fs::read_to_string(here.join("snapshots/room/1.snap")).unwrap().contains("Five\n"));
    fs::rename(here.join("puzzles/room.xsb"), here.join("puzzles/chamber.xsb")).unwrap();
    fs::rename(here.join("puzzles/room"), here.join("puzzles/other")).unwrap();
    assert_eq!(run(&here, &["test", "--accept"]).0, 0);
}
