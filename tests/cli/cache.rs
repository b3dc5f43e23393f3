//! Tests the cache of tables: the engine writes, reads, lists and deletes tables, and uses no damaged one.

use crate::support::program::{command, folder};
use std::fs;
use std::path::{Path, PathBuf};

/// A puzzle with one pattern of seven tiles: the cache stores only tables with a few million entries.
const TWELVE: &str = "title = \"Twelve cells\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 4\nscramble = { seed = 7 }\n\
    pattern_database = \"\"\"\naaa.\naaa.\na...\n\"\"\"\n[search]\nheuristic = \"pattern-database\"\n";

/// Runs the program with its cache in `folder`; returns the exit status, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        command(folder, arguments).env("XDG_CACHE_HOME", folder.join("cache")).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("cache/engine"));
    entries.map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
}

#[cfg(target_os = "linux")]
#[test]
fn tables_are_cached_listed_and_deleted_and_damage_is_reported() {
    let folder = folder("cache-of-tables", &[("twelve.toml", TWELVE)]);
    let solve = |option: &[&str]| run(&folder, &[&["solve", "twelve.toml"], option].concat());
    let (status, solved, notes) = solve(&["--no-cache"]);
    assert_eq!((status, &*notes), (Some(0), ""));
    assert!(tables(&folder).is_empty(), "no table is cached");
    assert!(run(&folder, &["cache", "list"]).1.contains("0 tables"));

    assert_eq!(solve(&[]), (Some(0), solved.clone(), String::new()));
    let [table] = &tables(&folder)[..] else { panic!("the cache has exactly one table") };
    let whole = fs::read(table).unwrap();
    let listed = run(&folder, &["cache", "list"]).1;
    let name = table.file_name().unwrap().to_str().unwrap();
    assert!(listed.contains(": 1 table, ") && listed.contains(name), "{listed}");
    assert_eq!(solve(&[]), (Some(0), solved.clone(), String::new()), "the cached table is read");
    assert_eq!(fs::read(table).unwrap(), whole);

    for list in ["[[1, 2, 3, 5, 6, 7, 9]]", "[[9, 7, 6, 5, 3, 2, 1], []]"] {
        let listed = TWELVE.replace("\"\"\"\naaa.\naaa.\na...\n\"\"\"", list);
        assert_ne!(listed, TWELVE, "the drawing is not replaced");
        fs::write(folder.join("listed.toml"), listed).unwrap();
        let (status, moves, _) = run(&folder, &["solve", "listed.toml"]);
        assert_eq!((status, &moves), (Some(0), &solved), "the same groups, listed: {list}");
        assert_eq!(tables(&folder).len(), 1, "the same table is read: {list}");
    }

    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let mut other_puzzle = whole.clone();
    other_puzzle[0] ^= 1;
    let damaged = [
        (&flipped[..], "is damaged"),
        (&other_puzzle, "is not a table of this puzzle"),
        (&whole[..whole.len() - 1], "is truncated"),
        (&whole[..100], "cannot be read"),
        (&[], "cannot be read"),
    ];
    for (bytes, why) in damaged {
        fs::write(table, bytes).unwrap();
        let (status, output, notes) = solve(&[]);
        assert_eq!((status, &output), (Some(0), &solved), "{why}");
        assert!(notes.starts_with("note: ") && notes.contains(why) && notes.contains(name), "not {why} but: {notes}");
        assert!(fs::read(table).unwrap() == whole, "the table is not rebuilt: {why}");
        fs::write(table, bytes).unwrap();
        assert_eq!(solve(&["--quiet"]), (Some(0), solved.clone(), String::new()), "`--quiet` prints no note: {why}");
    }

    let leftover = folder.join("cache/engine/.building-x");
    fs::File::create(&leftover).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    fs::remove_file(table).unwrap();
    assert_eq!(solve(&[]).0, Some(0));
    assert!(!leftover.exists(), "a killed program's temporary file is kept");

    fs::write(&leftover, "").unwrap();
    fs::write(folder.join("cache/engine/notes.txt"), "mine").unwrap();
    assert!(run(&folder, &["cache", "clear"]).1.contains("1 table deleted"));
    assert_eq!(tables(&folder), [folder.join("cache/engine/notes.txt")], "files that are no tables stay");
}

#[cfg(target_os = "linux")]
#[test]
fn tables_of_permutations_are_cached_for_each_set_of_moves() {
    // Five edges of Rubik's cube, in the half-turn and in the quarter-turn metric.
    let cube = fs::read_to_string(crate::support::root().join("puzzles/permutation/rubiks-cube.toml")).unwrap();
    let keys = "pattern_database = [[2, 4, 5, 7, 21]]\nscramble = \"R U F\"\n";
    let by_half_turns = cube.replace("scramble = ", &format!("{keys}description = ")).replace("cost = 9", "cost = 3")
        + "\n[search]\nheuristic = \"pattern-database\"\n";
    let by_quarter_turns = by_half_turns.replace("[moves]", "[moves]\n# by quarter turns").replacen(
        keys,
        &format!("{keys}metric = \"generator\"\n"),
        1,
    );
    let folder = folder("cache-of-permutations", &[("half.toml", &by_half_turns), ("quarter.toml", &by_quarter_turns)]);
    let solve = |file: &str| run(&folder, &["solve", file]);
    let (status, solved, notes) = solve("half.toml");
    assert_eq!((status, &*notes), (Some(0), ""));
    let [table] = &tables(&folder)[..] else { panic!("the cache has exactly one table") };
    let written = fs::metadata(table).unwrap().modified().unwrap();
    assert_eq!(solve("half.toml"), (Some(0), solved, String::new()));
    assert_eq!(fs::metadata(table).unwrap().modified().unwrap(), written, "the table is read, not rebuilt");
    assert_eq!(solve("quarter.toml").0, Some(0));
    assert_eq!(tables(&folder).len(), 2, "each set of moves has its own table");
}

#[cfg(target_os = "linux")]
#[test]
fn puzzles_are_solved_without_a_cache_folder() {
    let folder = folder("cache-in-the-way", &[("twelve.toml", TWELVE), ("cache", "a file where a folder would go")]);
    let (status, solved, notes) = run(&folder, &["solve", "twelve.toml"]);
    assert_eq!(status, Some(0));
    assert!(notes.contains("cannot be stored") || notes.contains("cannot be opened"), "{notes}");
    assert_eq!(run(&folder, &["solve", "twelve.toml", "--no-cache"]), (Some(0), solved, String::new()));
}
