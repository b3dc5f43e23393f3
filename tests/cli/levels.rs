//! Tests collections of Sokoban levels: solved as they are, converted, and solutions as letters.

use crate::support::program::{EIGHT, engine, folder, run};
use crate::support::root;
use std::fs;
use std::path::Path;

/// Three levels with names below them, in the format of `.sok`.
const SOK: &str = "Collection: Three rooms\nAuthor: Ann Author\n\n\
    ######\n#@$ .#\n######\nTitle: The corridor\n\n\
    #######\n#  .  #\n# $#  #\n# @ $.#\n#######\nTitle: Around the pillar\nAuthor: Bob\nComment: one box waits\n\n\
    7#|#*@3-#|#-$3-#|#3-.-#|7#\nTitle: 3\n";

/// The same rows as two levels in XML, the first with a title.
const SLC: &str = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<SokobanLevels><Title>Two rooms</Title>\n\
    <LevelCollection Copyright=\"Ann Author\">\n<Level Id=\"The corridor\"><L>######</L><L>#@$ .#</L><L>######</L></Level>\n\
    <Level><L>####</L><L># .#</L><L>#  ###</L><L>#*@  #</L><L>#  $ #</L><L>#  ###</L><L>####</L></Level>\n\
    </LevelCollection></SokobanLevels>\n";

/// A level with a mistake between two good ones.
const MIXED: &str = "; 1\n\n######\n#@$ .#\n######\n\n; 2\n\n######\n#@$ .\n######\n\n; 3\n\n######\n#.$@ #\n######\n";

fn good(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, error) = run(folder, arguments);
    assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}: {out}");
    out
}

#[test]
fn a_collection_is_solved_level_by_level() {
    let folder = folder("levels-solve", &[("rooms.sok", SOK), ("two.slc", SLC), ("mixed.xsb", MIXED)]);
    let (status, out, _) = run(&folder, &["solve", "rooms.sok", "--level", "1,2"]);
    assert_eq!(
        (status, out.as_str()),
        (
            0,
            "rooms.sok#1  The corridor       2, proven shortest\n\
             rooms.sok#2  Around the pillar  3, proven shortest\n\
             2 puzzles: 2 proven shortest; total cost 5\n"
        )
    );
    let moves = good(&folder, &["solve", "two.slc", "--metric", "moves", "--format", "lines"]);
    assert!(moves.starts_with("two.slc#1  The corridor  2, proven shortest\ntwo.slc#2  Two rooms 2   "), "{moves}");
    // The good levels are solved, and the status is that of the bad one.
    let (status, out, error) = run(&folder, &["solve", "mixed.xsb"]);
    assert_eq!(status, 2, "{out}");
    assert!(out.contains("mixed.xsb#3  mixed 3  1, proven shortest\n"), "{out}");
    assert!(out.contains("mixed.xsb#2  mixed 2  the walls of the level are not closed\n"), "{out}");
    assert!(out.ends_with("3 puzzles: 2 proven shortest, 1 not valid; 3 moves in all\n"), "{out}");
    assert!(error.contains("mixed.xsb:10:5"), "{error}");
    let rows: Vec<serde_json::Value> = run(&folder, &["solve", "mixed.xsb", "--json"])
        .1
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["file"].as_str()).collect();
    assert_eq!(names, ["mixed.xsb#1", "mixed.xsb#2", "mixed.xsb#3"]);
    assert_eq!(rows[1]["outcome"], "error");
    // A limit ends a level, not the collection.
    let (status, out, _) =
        run(&folder, &["solve", "rooms.sok", "--level", "1-2", "--node-limit", "2", "--algorithm", "bfs"]);
    assert_eq!(status, 3);
    assert!(out.contains("stopped at the nodes limit") && out.contains("2 puzzles: "), "{out}");
}

#[test]
fn a_level_is_named_wherever_a_puzzle_file_is() {
    let folder = folder("levels-names", &[("rooms.sok", SOK), ("single.xsb", "####\n#@###\n#$ .#\n#####\n")]);
    let by_name = good(&folder, &["show", "rooms.sok#2"]);
    assert_eq!(by_name, good(&folder, &["show", "rooms.sok", "--level", "2"]));
    assert!(
        by_name.starts_with(
            "Around the pillar\n\nstart     goal\n#######   #######\n#.....#   #..x..#\n#.$#..#   #..#..#\n"
        ),
        "{by_name}"
    );
    assert!(by_name.contains("author") && by_name.contains("Bob") && by_name.contains("one box waits"), "{by_name}");
    let listed = good(&folder, &["list", "rooms.sok"]);
    assert!(listed.contains("rooms.sok#3") && listed.contains("Three rooms 3"), "{listed}");
    assert!(good(&folder, &["check", "rooms.sok"]).ends_with("3 good, 0 bad\n"));
    let solution = good(&folder, &["solve", "rooms.sok#1", "--format", "json"]);
    fs::write(folder.join("one.json"), &solution).expect("written");
    assert_eq!(good(&folder, &["verify", "rooms.sok#1", "one.json"]), "verified: 2 moves, cost 2\n");
    good(&folder, &["solve", "rooms.sok#1", "--certificate", "proof.json", "--quiet"]);
    assert!(good(&folder, &["verify", "--certificate", "proof.json"]).starts_with("puzzle       the same"));

    let refused = |arguments: &[&str], why: &str| {
        let (status, out, error) = run(&folder, arguments);
        assert_eq!((status, &*out), (2, ""), "{arguments:?}");
        assert!(error.contains(why), "{arguments:?} does not say `{why}` but: {error}");
    };
    refused(&["show", "rooms.sok"], "choose one with `--level`, or name it, such as `rooms.sok#1`");
    refused(&["show", "rooms.sok", "--level", "4"], "has 3 levels, no level 4");
    refused(&["show", "rooms.sok#4"], "has 3 levels, no level 4");
    refused(&["show", "rooms.sok#2", "--metric", "step"], "did you mean `steps`?");
    refused(&["solve", "rooms.sok", "--level", "2-1"], "such as 3, 2-5 or 1,4-6,9-");
    refused(&["solve", "rooms.sok", "-o", "rooms.sok"], "it is one of the input files");
    refused(&["render", "rooms.sok#1", "-o", "rooms.sok"], "");
    assert_eq!(fs::read_to_string(folder.join("rooms.sok")).expect("still there"), SOK);
}

#[test]
fn levels_become_puzzle_files() {
    let folder = folder("levels-import", &[("rooms.sok", SOK), ("two.slc", SLC), ("mixed.txt", MIXED)]);
    assert_eq!(good(&folder, &["import", "--quiet", "rooms.sok", "--folder", "rooms"]), "3 puzzles in rooms\n");
    let first = fs::read_to_string(folder.join("rooms/001-the-corridor.toml")).expect("written");
    assert_eq!(
        first,
        "title = \"The corridor\"\nauthor = \"Ann Author\"\n\
         description = \"Pushes are counted, and walks are free.\"\ntags = [\"sokoban\"]\ndomain = \"rules\"\n\
         start = \"\"\"\n######\n#@$..#\n######\n\"\"\"\nmarks = \"\"\"\n......\n....x.\n......\n\"\"\"\n\
         goal = { every = { \"$\" = \"x\" } }\n\n\
         [[rules]]\nname = \"walk {direction}\"\nfrom = \"@.\"\nto = \".@\"\nturns = true\ncost = 0\n\n\
         [[rules]]\nname = \"push {direction}\"\nfrom = \"@$.\"\nto = \".@$\"\nturns = true\n"
    );
    let names: Vec<String> = fs::read_dir(folder.join("rooms"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains(&"003-three-rooms-3.toml".to_owned()), "{names:?}");

    // Files of the user are not overwritten, unless asked for.
    fs::write(folder.join("rooms/001-the-corridor.toml"), "mine").expect("written");
    fs::remove_file(folder.join("rooms/002-around-the-pillar.toml")).expect("removed");
    let (status, _, error) = run(&folder, &["import", "rooms.sok", "--folder", "rooms"]);
    assert!(status == 2 && error.contains("already exists and is not overwritten (and 1 other file)"), "{error}");
    assert!(!folder.join("rooms/002-around-the-pillar.toml").exists(), "nothing was written");
    good(&folder, &["import", "--quiet", "rooms.sok", "--folder", "rooms", "--force", "--metric", "moves"]);
    let second = fs::read_to_string(folder.join("rooms/001-the-corridor.toml")).expect("written");
    assert!(second.contains("Every step is counted.") && !second.contains("cost = 0"), "{second}");

    let one = good(&folder, &["import", "--quiet", "two.slc", "--level", "2", "--title", "Other rooms"]);
    assert!(one.starts_with("title = \"Other rooms 2\"\nauthor = \"Ann Author\"\n"), "{one}");
    assert!(
        good(&folder, &["import", "--quiet", "rooms.sok#2"])
            .starts_with("title = \"Around the pillar\"\nauthor = \"Bob\"\n")
    );
    // Good levels are written even if another is not valid.
    let (status, out, error) = run(&folder, &["import", "mixed.txt", "--folder", "mixed"]);
    assert_eq!((status, out.as_str()), (2, "2 puzzles in mixed, 1 not valid\n"));
    assert!(error.contains("mixed.txt:10:5"), "{error}");
    let refused = |arguments: &[&str], why: &str| {
        let (status, out, error) = run(&folder, &[&["import"], arguments].concat());
        assert_eq!((status, &*out), (2, ""), "{arguments:?}");
        assert!(error.contains(why), "{arguments:?} does not say `{why}` but: {error}");
    };
    refused(&["rooms.sok"], "write them all with `--folder DIR`, or choose one with `--level N`");
    refused(&["rooms.sok", "--line", "3"], "choose levels with `--level`");
    refused(&["rooms.sok", "--from", "sokobam"], "did you mean `sokoban`?");
}

#[test]
fn encodings_and_line_ends_of_old_files_are_read() {
    let folder = folder("levels-bytes", &[]);
    let text = SOK.replace("Ann", "Ärzte").replace('\n', "\r\n");
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect();
    fs::write(folder.join("latin.sok"), latin).expect("written");
    fs::write(folder.join("marked.sok"), format!("\u{feff}{text}")).expect("written");
    let shown = good(&folder, &["show", "latin.sok#1"]);
    assert!(shown.contains("Ärzte Author"), "{shown}");
    assert_eq!(shown, good(&folder, &["show", "marked.sok#1"]));
}

#[test]
fn odd_files_are_refused_with_their_lines() {
    let cases = [
        ("no-man.xsb", "\n#####\n# $.#\n#####\n", "no-man.xsb:2:1", "the level has no man"),
        ("two-men.xsb", "######\n#@$.@#\n######\n", "two-men.xsb:2:5", "more than one man"),
        ("no-box.xsb", "#####\n#@ .#\n#####\n", "no-box.xsb:1:1", "the level has no box"),
        ("no-goal.xsb", "#####\n#@$ #\n#####\n", "no-goal.xsb:1:1", "the level has no goal"),
        ("open.xsb", "#####\n#@$.#\n#    \n#####\n", "open.xsb:3", "the walls of the level are not closed"),
        ("group.sok", "5#|#@$.#|2(5#\n", "group.sok:1:10", "unmatched `(`"),
        ("prose.sok", "Once upon a time\n", "prose.sok", "has no Sokoban level"),
        ("broken.slc", "<SokobanLevels>\n<Level></SokobanLevels>\n", "broken.slc:2", "the XML cannot be read"),
        ("empty.slc", "<SokobanLevels/>", "empty.slc", "has no Sokoban level"),
        ("nothing.xsb", "", "nothing.xsb", "has no Sokoban level"),
    ];
    let folder = folder("levels-odd", &cases.map(|(name, text, ..)| (name, text)));
    for (name, _, place, message) in cases {
        let (status, out, error) = run(&folder, &["check", name]);
        assert_eq!((status, out.as_str()), (2, "0 good, 1 bad\n"), "{name}: {error}");
        assert!(error.contains(place) && error.contains(message), "{name}: {error}");
    }
    fs::write(folder.join("many.xsb"), "######\n#@$$.#\n######\n").expect("written");
    let (status, _, error) = run(&folder, &["solve", "many.xsb"]);
    assert!(status == 1 && error.contains("more boxes (2) than goals (1)"), "{status} {error}");
}

#[test]
fn solutions_are_written_and_read_as_letters() {
    let rules = "title = \"Mice\"\ndomain = \"rules\"\nstart = \"m.c.x\"\ngoal = \"??.mc\"\n[[rules]]\nname = \"step {direction}\"\n\
        from = \"m.\"\nto = \".m\"\nturns = true\n[[rules]]\nname = \"shove {direction}\"\nfrom = \"mc.\"\nto = \".mc\"\nturns = true\n";
    let folder = folder("levels-letters", &[("rooms.sok", SOK), ("mice.toml", &rules.replace(".x\"", "..\""))]);
    let letters = good(&folder, &["solve", "rooms.sok", "--level", "1-2", "--format", "lurd"]);
    let lines: Vec<&str> = letters.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "RR"));
    assert!(lines[1].chars().all(|c| "udlrUDLR".contains(c)) && lines[1].matches(char::is_uppercase).count() == 3);
    // Names do not matter, only what the rules do.
    assert_eq!(good(&folder, &["solve", "mice.toml", "--format", "lurd"]), "rRR\n");
    let verify = |puzzle: &str, text: &str| {
        fs::write(folder.join("solution.txt"), text).expect("written");
        let (status, out, error) = run(&folder, &["verify", puzzle, "solution.txt"]);
        (status, out + &error)
    };
    for same in ["rRR\n", "r\nR\n R", "r2R", "1(r2(R))\n", "step right\nshove right\nshove right\n"] {
        assert_eq!(verify("mice.toml", same).0, 0, "{same}: {}", verify("mice.toml", same).1);
    }
    assert_eq!(verify("rooms.sok#2", lines[1]).1.lines().next().map(|line| line.ends_with("cost 3")), Some(true));
    let (status, out) = verify("mice.toml", "rrR");
    assert_eq!(status, 1);
    assert!(out.contains("move 2, `r`: it is not legal here") && out.contains("legal moves are l, R"), "{out}");
    assert!(verify("mice.toml", "rR").1.contains("the position after move 2, the last, is not a goal"));

    fs::write(folder.join("swap.toml"), rules.replace("to = \".m\"", "to = \"mm\"")).expect("written");
    let (status, _, error) = run(&folder, &["solve", "swap.toml", "--format", "lurd"]);
    assert!(status == 2 && error.contains("cannot be written in `lurd`: no symbol"), "{error}");
    let tiles = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2\n0 3\n\"\"\"\n";
    fs::write(folder.join("tiles.toml"), tiles).expect("written");
    let (status, _, error) = run(&folder, &["solve", "tiles.toml", "--format", "lurd"]);
    assert!(status == 2 && error.contains("the domain `sliding-tile` does not have this notation"), "{error}");
    assert!(engine(&folder, &["domains", "rules"]).status.success());
}

#[test]
fn messages_before_a_level_of_a_game_are_its_description() {
    let folder = folder("levels-messages", &[]);
    let game = root().join("puzzles/puzzlescript/crates.txt");
    let show = |level: u32| run(&folder, &["show", &format!("{}#{level}", game.display())]).1;
    assert!(show(1).contains("The first crate opens the gate."), "{}", show(1));
    assert!(show(2).contains("One crate is in a corner.") && !show(2).contains("opens"), "{}", show(2));
    // A puzzle file that names the game has the same description, unless it has its own.
    let text = fs::read_to_string(&game).expect("the game");
    let puzzle = "title = \"One\"\ndomain = \"puzzlescript\"\ngame = \"crates.txt\"\n";
    let own = format!("{puzzle}description = \"Mine.\"\n");
    let files = [("crates.txt", text.as_str()), ("one.toml", puzzle), ("own.toml", own.as_str())];
    let folder = self::folder("levels-described", &files);
    let show = |file: &str| run(&folder, &["show", file]).1;
    assert!(show("one.toml").contains("The first crate opens the gate."), "{}", show("one.toml"));
    assert!(show("own.toml").contains("Mine.") && !show("own.toml").contains("opens"), "{}", show("own.toml"));
}

#[test]
fn warnings_about_a_level_are_in_its_row_of_json() {
    let text = "########\n#@$. #$#\n#   .###\n########\n";
    let folder = folder("levels-warned", &[("w.xsb", text)]);
    let (status, out, error) = run(&folder, &["solve", "w.xsb", "--json"]);
    assert_eq!(status, 1, "{error}");
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(row["warnings"][0], "this box is on no goal and out of reach: there is no solution", "{row}");
}

#[test]
fn a_row_with_a_mistake_is_an_error_of_its_level() {
    let faulty = "A\n\n#####\n#@$.#\n#####\n\nB\n\n#######\n#@$ .x#\n#######\n\nC\n\n#####\n#@$.#\n#####\n";
    let marked = format!("\u{feff}{}", faulty.replace('x', " "));
    let far = "######\n##   #\n# #@$#\n#  # #\n##  ##\n#. # #\n######\n";
    let folder = folder("levels-faulty", &[("three.xsb", faulty), ("marked.xsb", &marked), ("far.xsb", far)]);
    let (status, out, errors) = run(&folder, &["solve", "three.xsb"]);
    assert_eq!(status, 2, "{out}");
    assert!(out.contains("three.xsb#2  B  `x` is not a symbol of a board\n"), "{out}");
    assert!(out.contains("three.xsb#3  C  1, proven shortest\n"), "{out}");
    assert!(errors.contains("three.xsb:10:6"), "{errors}");
    let out = good(&folder, &["solve", "marked.xsb"]);
    assert!(out.starts_with("marked.xsb#1  A  1, proven shortest\n") && out.contains("3 proven shortest"), "{out}");
    let (status, _, errors) = run(&folder, &["check", "far.xsb"]);
    assert!(status == 2 && errors.contains("the man can reach no goal of the level"), "{errors}");
    // A name has one level, so a number beside it would choose none.
    let (status, out, errors) = run(&folder, &["solve", "marked.xsb#2", "--level", "1"]);
    assert!(status == 2 && out.is_empty() && errors.contains("this name has the number of a level"), "{out}{errors}");
}

#[test]
fn collections_below_a_folder_are_checked_listed_and_tested() {
    let files = [
        ("all/eight.toml", EIGHT),
        ("all/sub/rooms.sok", SOK),
        ("all/sub/empty.SOK", "nothing"),
        ("all/notes.txt", "notes"),
        ("none/notes.txt", "notes"),
    ];
    let folder = folder("levels-below", &[]);
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be created");
        fs::write(file, text).expect("the file can be written");
    }
    let (status, out, error) = run(&folder, &["check", "--stats", "all"]);
    assert_eq!(status, 2, "{error}");
    assert!(error.contains("empty.SOK: has no Sokoban level") && !error.contains("notes.txt"), "{error}");
    let levels = out.lines().filter(|line| line.contains("rooms.sok#")).count();
    assert!(levels > 1, "{out}");
    fs::remove_file(folder.join("all/sub/empty.SOK")).expect("it exists");
    assert!(good(&folder, &["check", "all"]).ends_with(&format!("{} good, 0 bad\n", levels + 1)));
    assert_eq!(good(&folder, &["list", "all"]).matches("rooms.sok#").count(), levels);

    assert_eq!(run(&folder, &["test", "all"]).0, 1, "there are no snapshots yet");
    good(&folder, &["test", "all", "--accept"]);
    assert!(folder.join("snapshots/sub/rooms/1.snap").is_file() && folder.join("snapshots/eight.snap").is_file());
    let passed = format!("{} passed, 0 differ, 0 new, 0 skipped\n", levels + 1);
    assert_eq!(good(&folder, &["test", "all"]), passed);
    assert_eq!(good(&folder, &["list", "all"]).matches("current").count(), levels + 1);
    let (_, junit, _) = run(&folder, &["test", "all", "--format", "junit"]);
    assert!(junit.contains("classname=\"puzzles.sub\" name=\"rooms.sok#1\""), "{junit}");
    assert!(junit.contains("classname=\"puzzles\" name=\"eight\""), "{junit}");
    for command in ["check", "list", "test", "play"] {
        let (status, out, error) = run(&folder, &[command, "none"]);
        assert_eq!(
            (status, error.contains("has no puzzles")),
            (2, true),
            "{command}: a folder without puzzles: {out}{error}"
        );
    }
}

#[test]
fn a_level_means_the_same_in_every_command() {
    let folder = folder("level", &[("one.toml", EIGHT), ("rooms.sok", SOK)]);
    for command in ["solve", "check", "show", "explore", "compare", "scramble", "play"] {
        let (status, _, error) = run(&folder, &[command, "one.toml", "--level", "1"]);
        assert!(status == 2 && error.contains("this file holds one puzzle"), "{command}: {error}");
        assert!(error.contains("leave `--level` out"), "{command}: {error}");
        let (status, _, error) = run(&folder, &[command, "one.toml", "--metric", "moves"]);
        assert!(status == 2 && error.contains("leave `--metric` out"), "{command}: {error}");
    }
    let (status, _, error) = run(&folder, &["show", "rooms.sok", "--level", "1-2"]);
    assert!(status == 2 && error.contains("this command reads one level"), "{error}");
    let (status, _, error) = run(&folder, &["play", ".", "--level", "1"]);
    assert!(status == 2 && error.contains("this folder has no levels of its own"), "{error}");
    // In a folder, the options choose among the levels of collections, and puzzle files are read as they are.
    let options = ["--level", "2-3", "--metric", "moves"];
    assert_eq!(good(&folder, &[&["check", "."][..], &options].concat()).lines().last(), Some("3 good, 0 bad"));
    let listed = good(&folder, &[&["list", "."][..], &options].concat());
    assert!(
        listed.contains("one.toml") && listed.contains("rooms.sok#3") && !listed.contains("rooms.sok#1"),
        "{listed}"
    );
}
