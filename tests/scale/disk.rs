//! Exploration on disk with the real program: the answer of exploration in memory, whatever happens on the way.

use crate::support::dice::{Dice, scaled};
use crate::support::program::{command, run, scratch, without_seconds};
use crate::support::root;
use engine::search::OnDisk;
use engine::{Limits, Puzzle};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// Half a million positions in two halves, of which one is reached.
const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n8 6 7\n2 5 4\n3 0 1\n\"\"\"\n";
/// A piece that stands in a gate, may leave it, and never comes back; keys of 64 bits.
const ONE_WAY: &str = "title = \"Out\"\ndomain = \"klotski\"\nstart = \"\"\"\nab...\ndd...\nee..g\n.....\n.....\n\"\"\"\n\
    gates = [[0, 0], [0, 1], [2, 0], [2, 1]]\ngoal = \"\"\"\n.....\n.....\n.....\n.....\n....g\n\"\"\"\n";
const WORDS: &str = "title = \"Words\"\ndomain = \"word-ladder\"\nwords = \"list.txt\"\nstart = \"cat\"\ngoal = \"chat\"\n\
    edits = [\"change\", \"insert\"]\n";

/// What is printed of an exploration, without what a clock or a memory says.
fn told(json: &str) -> serde_json::Value {
    let mut row = without_seconds(json);
    row.as_object_mut().expect("an object").remove("peak_memory_bytes");
    row
}

type Answer = (serde_json::Value, String, String);

/// The whole answer: JSON, text, chart.
fn answer(here: &Path, file: &str, options: &[&str]) -> Answer {
    let (status, json, said) = run(here, &[&["explore", file, "--format", "json"], options].concat());
    assert_eq!((status, &*said), (0, ""), "{file}");
    let (status, text, said) = run(here, &[&["explore", file, "--plot", "chart.svg"], options].concat());
    assert_eq!((status, &*said), (0, ""), "{file}");
    (told(&json), text, fs::read_to_string(here.join("chart.svg")).expect("it was drawn"))
}

/// Whole puzzles of every way of coding positions: with and without an index, of 32, 64 and 128 bits, with moves that
/// cannot be taken back; many goals, one that is the start, none.
fn puzzles(here: &Path) -> Vec<String> {
    for name in ["tiles.toml", "one-way.toml", "words.toml"] {
        let text = match name {
            "tiles.toml" => TILES,
            "one-way.toml" => ONE_WAY,
            _ => WORDS,
        };
        fs::write(here.join(name), text).expect("there is room");
    }
    let list = fs::read_to_string(root().join("puzzles/words/sgb-words.txt")).expect("the list is there");
    let short: Vec<String> = list.lines().flat_map(|word| [word[..3].to_owned(), word[..4].to_owned()]).collect();
    fs::write(here.join("list.txt"), format!("{list}cat\nchat\n{}\n", short.join("\n"))).expect("there is room");
    let known = ["klotski1", "klotski7", "boards/wide-3x2", "boards/one-cell", "permutation/topspin-8-4"];
    let known = known.into_iter().chain(["blocks/gate", "blocks/gate-unsolvable", "eight-puzzle/unsolvable"]);
    let known = known.map(|name| root().join(format!("puzzles/{name}.toml")).display().to_string());
    known.chain(["tiles.toml", "one-way.toml", "words.toml"].map(str::to_owned)).collect()
}

/// A folder of a test's own, with a puzzle.
fn here(test: &str) -> TempDir {
    let scratch = scratch(&format!("engine-disk-{test}-"));
    fs::write(scratch.path().join("tiles.toml"), TILES).expect("there is room");
    scratch
}

fn pocket_cube() -> String {
    root().join("puzzles/permutation/pocket-cube.toml").display().to_string()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is text")).collect();
    names.sort();
    names
}

/// Explores until a limit on nodes, so that a checkpoint lies in the folder.
fn begin(here: &Path, file: &str) {
    let (status, _, said) = run(here, &["explore", file, "--disk", "on", "--node-limit", "20000"]);
    assert_eq!(status, 3, "{said}");
}

#[test]
fn the_answer_is_that_of_memory_in_every_domain() {
    let scratch = here("same");
    let here = scratch.path();
    for file in puzzles(here) {
        let expected = answer(here, &file, &[]);
        // The first writes it, the second reads what is kept.
        assert!(answer(here, &file, &["--disk", "on"]) == expected, "{file}");
        assert_eq!(
            names(&here.join("on")),
            ["exploration.json", "exploration.lock"],
            "{file}: only the answer is kept"
        );
        fs::remove_dir_all(here.join("on")).expect("it is there");
    }
}

#[test]
fn limits_on_depth_tell_what_they_tell_in_memory_and_leave_the_rest_for_later() {
    let scratch = here("depth");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    for depth in ["0", "3", "30", "12", "31"] {
        let options = ["explore", "tiles.toml", "--format", "json", "--depth-limit", depth];
        let (status, json, _) = run(here, &options);
        let (again, same, said) = run(here, &[&options[..], &["--disk", "on"]].concat());
        assert_eq!((status, told(&json)), (again, told(&same)), "{depth}");
        assert_eq!(status == 3, said.contains("goes on"), "{said}");
    }
    assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected);
}

/// What the library tells, as far as it can be compared.
fn explored(puzzle: &Puzzle, limits: &Limits, disk: Option<&Path>) -> impl PartialEq + std::fmt::Debug + use<> {
    let fingerprint = puzzle.fingerprint().expect("its files can be read");
    let disk = disk.map(|folder| OnDisk { folder: folder.to_owned(), limit: None, fingerprint });
    let exploration = match &disk {
        None => puzzle.explore(limits),
        Some(disk) => puzzle.explore_on_disk(limits, disk).unwrap_or_else(|error| panic!("{error}")),
    };
    let found = exploration.found;
    // What is read from files has buffers of a least size.
    let allowed = limits.memory.map(|memory| memory.max(1 << 20));
    assert!(disk.is_none() || allowed.is_none_or(|memory| found.memory <= memory), "{} bytes", found.memory);
    let hardest = found.hardest.map(|hardest| (hardest.cost, hardest.count, hardest.example.moves(Default::default())));
    (found.limit, found.by_depth, found.goals, found.dead_ends, hardest)
}

#[test]
fn with_half_a_mebibyte_and_any_number_of_threads_the_answer_is_the_same() {
    let scratch = here("tiny");
    let here = scratch.path();
    for file in puzzles(here) {
        let puzzle = Puzzle::load(here.join(&file)).unwrap_or_else(|report| panic!("{report}"));
        let expected = explored(&puzzle, &Limits::default(), None);
        for threads in [1, 3] {
            let limits =
                Limits { memory: Some(1 << 19), threads: std::num::NonZero::new(threads), ..Limits::default() };
            let folder = here.join(format!("{threads}"));
            assert_eq!(explored(&puzzle, &limits, Some(&folder)), expected, "{file}, {threads} threads");
            fs::remove_dir_all(folder).expect("it is there");
        }
    }
}

#[test]
fn as_many_runs_as_it_takes_come_to_the_same_end() {
    let scratch = here("runs");
    let here = scratch.path();
    for file in ["tiles.toml".to_owned(), root().join("puzzles/klotski7.toml").display().to_string()] {
        let puzzle = Puzzle::load(here.join(&file)).unwrap_or_else(|report| panic!("{report}"));
        let expected = explored(&puzzle, &Limits::default(), None);
        for nodes in [2000, 50_000] {
            let folder = here.join("on");
            let limits = Limits { nodes: Some(nodes), memory: Some(1 << 19), ..Limits::default() };
            let mut runs = 1;
            while explored(&puzzle, &limits, Some(&folder)) != expected {
                runs += 1;
                assert!(runs < 1000, "every run goes on");
            }
            assert!(runs > 2, "one run is not enough");
            fs::remove_dir_all(folder).expect("it is there");
        }
    }
}

/// The program, exploring on disk.
fn start(here: &Path, file: &str) -> Child {
    let options = ["explore", file, "--format", "json", "--disk", "on", "--memory-limit", "24MiB"];
    command(here, &options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("there is a kill");
    assert!(sent.success());
}

#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_answer() {
    let scratch = here("kill");
    let here = scratch.path();
    let many = scaled(4);
    let mut dice = Dice::new(0);
    let klotski = root().join("puzzles/klotski7.toml").display().to_string();
    for (file, most) in [(pocket_cube(), 500), (klotski, 150), ("tiles.toml".to_owned(), 150)] {
        let (status, json, _) = run(here, &["explore", &file, "--format", "json"]);
        assert_eq!(status, 0);
        let (mut kills, mut whole) = (0, 0);
        while kills < many {
            let mut child = start(here, &file);
            sleep(Duration::from_millis(dice.below(most) as u64));
            let ended = child.try_wait().expect("it can be asked").is_some();
            if !ended {
                child.kill().expect("it runs");
                kills += 1;
            }
            let output = child.wait_with_output().expect("it ended");
            if ended || output.status.success() {
                assert_eq!(told(std::str::from_utf8(&output.stdout).expect("text")), told(&json));
                fs::remove_dir_all(here.join("on")).expect("it is there");
                whole += 1;
            }
        }
        let output = start(here, &file).wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert_eq!(told(std::str::from_utf8(&output.stdout).expect("text")), told(&json), "{file}");
        assert_eq!(names(&here.join("on")), ["exploration.json", "exploration.lock"]);
        fs::remove_dir_all(here.join("on")).expect("it is there");
        println!("{file}: {kills} kills, {whole} ends before one");
    }
}

#[test]
fn interrupted_it_says_so_and_goes_on() {
    let scratch = here("interrupt");
    let here = scratch.path();
    let file = pocket_cube();
    let (_, json, _) = run(here, &["explore", &file, "--format", "json"]);
    let child = start(here, &file);
    while !here.join("on/exploration.json").exists() {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the same command goes on from there"), "{said}");
    let met = told(std::str::from_utf8(&output.stdout).expect("text"));
    assert_eq!(met["limit"], "interrupt");
    let output = start(here, &file).wait_with_output().expect("it ends");
    assert_eq!(told(std::str::from_utf8(&output.stdout).expect("text")), told(&json));
}

#[test]
fn one_folder_is_for_one_program_at_a_time() {
    let scratch = here("two");
    let here = scratch.path();
    let mut child = start(here, &pocket_cube());
    while !here.join("on/exploration.json").exists() {
        sleep(Duration::from_millis(5));
    }
    let (status, _, said) = run(here, &["explore", &pocket_cube(), "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(said.contains("another engine explores in this folder"), "{said}");
    child.kill().expect("it runs");
    child.wait().expect("it ended");
}

/// Damages a file in every way there is.
fn damages(whole: &[u8]) -> Vec<(&'static str, Option<Vec<u8>>)> {
    let flipped = |place: usize| {
        let mut bytes = whole.to_vec();
        bytes[place] ^= 4;
        Some(bytes)
    };
    let places = [0, 12, 17, whole.len() / 2, whole.len() - 1];
    let mut damages: Vec<_> = places.into_iter().map(|place| ("a bit", flipped(place))).collect();
    damages.push(("cut by one", Some(whole[..whole.len() - 1].to_vec())));
    damages.push(("cut to half", Some(whole[..whole.len() / 2].to_vec())));
    damages.push(("empty", Some(Vec::new())));
    damages.push(("longer", Some([whole, &b"more"[..]].concat())));
    damages.push(("garbage", Some(vec![0xa5; whole.len()])));
    damages.push(("zeros", Some(vec![0; whole.len()])));
    damages.push(("gone", None));
    damages
}

#[test]
fn damage_to_any_file_of_a_checkpoint_is_noticed() {
    let scratch = here("damage");
    let here = scratch.path();
    let (_, json, _) = run(here, &["explore", "tiles.toml", "--format", "json"]);
    begin(here, "tiles.toml");
    let kept: Vec<(String, Vec<u8>)> = names(&here.join("on"))
        .into_iter()
        .map(|name| (name.clone(), fs::read(here.join("on").join(name)).expect("it is there")))
        .collect();
    assert!(kept.len() > 10, "there are layers");
    let mut cases = 0;
    for (name, whole) in kept.iter().filter(|(name, _)| name != "exploration.lock") {
        for (how, bytes) in damages(whole) {
            fs::remove_dir_all(here.join("on")).expect("it is there");
            fs::create_dir(here.join("on")).expect("there is room");
            kept.iter().for_each(|(name, bytes)| fs::write(here.join("on").join(name), bytes).expect("there is room"));
            match bytes {
                Some(bytes) => fs::write(here.join("on").join(name), bytes).expect("there is room"),
                None => fs::remove_file(here.join("on").join(name)).expect("it is there"),
            }
            let (status, found, said) = run(here, &["explore", "tiles.toml", "--format", "json", "--disk", "on"]);
            cases += 1;
            // A layer that is not read again may be anything.
            if status == 0 {
                assert_eq!(told(&found), told(&json), "{name}: {how}");
            } else {
                assert_eq!((status, &*found), (2, ""), "{name}: {how}: {said}");
                assert!(said.contains("name another folder, or remove this one"), "{name}: {how}: {said}");
            }
            let must =
                name.ends_with(".json") || ["cut by one", "cut to half", "empty", "longer", "gone"].contains(&how);
            assert!(status == 2 || !must, "{name}: {how} goes unseen");
        }
    }
    println!("{cases} cases");
}

#[test]
fn a_layer_of_another_exploration_is_refused() {
    let scratch = here("swapped");
    let here = scratch.path();
    begin(here, "tiles.toml");
    let text = TILES.replace("8 6 7", "8 7 6").replace("0 1", "1 0");
    fs::write(here.join("other.toml"), text).expect("there is room");
    fs::rename(here.join("on"), here.join("first")).expect("it is there");
    begin(here, "other.toml");
    for name in names(&here.join("on")).iter().filter(|name| name.ends_with(".layer")) {
        let _ = fs::copy(here.join("first").join(name), here.join("on").join(name));
    }
    let (status, _, said) = run(here, &["explore", "other.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(said.contains("is damaged"), "{said}");
}

#[test]
fn another_puzzle_another_list_of_words_and_another_version_are_refused() {
    let scratch = here("other");
    let here = scratch.path();
    puzzles(here);
    begin(here, "tiles.toml");
    fs::write(here.join("tiles.toml"), TILES.replace("Tiles", "Tile")).expect("there is room");
    let (status, _, said) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(said.contains("is of another puzzle, or of this one before it was changed"), "{said}");

    fs::write(here.join("tiles.toml"), TILES).expect("there is room");
    let list = fs::read_to_string(here.join("on/exploration.json")).expect("it is there");
    for (from, to, expected) in [
        ("version 1", "version 9", "another version of the engine"),
        ("\"engine\":\"", "\"engine\":\"7", "by version 7"),
    ] {
        let changed = list.replacen(from, to, 1);
        let sealed = &changed[..changed.rfind("crc32 ").expect("it ends so")];
        let changed = format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes()));
        fs::write(here.join("on/exploration.json"), changed).expect("there is room");
        let (status, _, said) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
        assert_eq!(status, 2);
        assert!(said.contains(expected), "{said}");
    }
    fs::remove_dir_all(here.join("on")).expect("it is there");

    assert_eq!(run(here, &["explore", "words.toml", "--disk", "on", "--node-limit", "100"]).0, 3);
    let words = fs::read_to_string(here.join("list.txt")).expect("it is there");
    fs::write(here.join("list.txt"), words + "zzz\n").expect("there is room");
    let (status, _, said) = run(here, &["explore", "words.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(said.contains("is of another puzzle"), "{said}");
}

#[test]
fn the_files_take_no_more_than_is_allowed_and_more_goes_on() {
    let scratch = here("limit");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    for limit in ["1", "60kB", "120kB", "200kB"] {
        let (status, json, said) =
            run(here, &["explore", "tiles.toml", "--format", "json", "--disk", "on", "--disk-limit", limit]);
        assert_eq!((status, &told(&json)["limit"]), (3, &"disk".into()), "{limit}: {said}");
        assert!(said.contains("goes on from there"), "{said}");
        let size = |name: &String| fs::metadata(here.join("on").join(name)).expect("it is there").len();
        let layers: u64 = names(&here.join("on")).iter().filter(|name| name.ends_with(".layer")).map(size).sum();
        assert!(layers <= 200_000, "{layers} bytes");
    }
    assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected);
}

#[test]
fn what_is_not_ours_stays_and_is_told() {
    let scratch = here("foreign");
    let here = scratch.path();
    fs::create_dir(here.join("on")).expect("there is room");
    fs::write(here.join("on/depth-00003.layer"), "my notes").expect("there is room");
    let refused = |expected: &str| {
        let (status, _, said) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    refused("is gone");
    fs::rename(here.join("on/depth-00003.layer"), here.join("on/notes.txt")).expect("it is there");
    refused("there are other files in this folder, such as notes.txt");
    fs::remove_dir_all(here.join("on")).expect("it is there");

    begin(here, "tiles.toml");
    fs::write(here.join("on/notes.txt"), "my notes").expect("there is room");
    fs::write(here.join("on/distance-00001.layer"), "my notes").expect("there is room");
    // What a killed program left behind begins as ours does, and goes.
    let layer = fs::read(here.join("on/depth-00001.layer")).expect("it is there");
    fs::write(here.join("on/depth-00099.layer"), &layer[..20]).expect("there is room");
    fs::write(here.join("on/depth-00098.layer"), "").expect("there is room");
    refused("distance-00001.layer");
    fs::remove_file(here.join("on/distance-00001.layer")).expect("it is there");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk", "on"]).0, 0);
    assert_eq!(names(&here.join("on")), ["exploration.json", "exploration.lock", "notes.txt"]);
}

#[test]
fn folders_that_cannot_be_are_told() {
    let scratch = here("folders");
    let here = scratch.path();
    let refused = |folder: &str, expected: &str| {
        let (status, _, said) = run(here, &["explore", "tiles.toml", "--disk", folder]);
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    refused("tiles.toml", "tiles.toml: this is a file, not a folder");
    refused("tiles.toml/below", "tiles.toml/below: ");
    refused("/proc/nowhere", "/proc/nowhere: ");
    let deep = here.join("a/b/c");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk", deep.to_str().expect("text")]).0, 0, "it is made");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk-limit", "1MB"]).0, 2, "a limit of what?");
}

#[test]
fn mazes_by_cost_and_positions_without_a_number_are_refused() {
    let scratch = here("refused");
    let here = scratch.path();
    let large = "title = \"t\"\ndomain = \"sliding-tile\"\nrows = 7\ncolumns = 7\nscramble = { seed = 1 }\n";
    fs::write(here.join("large.toml"), large).expect("there is room");
    let maze = "title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\nS2\n3G\n\"\"\"\n";
    fs::write(here.join("maze.toml"), maze).expect("there is room");
    for (file, expected) in [("large.toml", "fit 128 bits"), ("maze.toml", "cost more or less than 1")] {
        let (status, out, said) = run(here, &["explore", file, "--disk", "on"]);
        assert_eq!((status, &*out), (2, ""), "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!here.join("on").exists(), "nothing is made");
    }
}

/// A disk of this many KiB; none without the right to make one.
fn small_disk(folder: &Path, kib: u32, mode: &str) -> bool {
    fs::create_dir_all(folder).expect("there is room");
    let options = format!("size={kib}k,{mode}");
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).output();
    mount.is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_is_told_and_with_room_it_goes_on() {
    let scratch = here("full");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    let disk = here.join("small");
    for kib in [20, 40, 80, 150, 250] {
        if !small_disk(&disk, kib, "rw") {
            println!("left out: no small disk can be made here");
            return;
        }
        fs::create_dir(disk.join("on")).ok();
        let (status, out, said) = run(here, &["explore", "tiles.toml", "--disk", "small/on"]);
        fs::create_dir_all(here.join("on")).expect("there is room");
        for name in names(&disk.join("on")) {
            fs::copy(disk.join("on").join(&name), here.join("on").join(&name)).expect("there is room");
        }
        let unmounted = Command::new("umount").arg(&disk).status().expect("there is an umount");
        assert!(unmounted.success());
        assert_eq!((status, &*out), (2, ""), "{kib} KiB: {said}");
        assert!(said.contains("there is no room left") && said.contains("the same command goes on"), "{said}");
        assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected, "{kib} KiB");
        fs::remove_dir_all(here.join("on")).expect("it is there");
    }
}

#[test]
fn a_folder_that_may_only_be_read_is_told() {
    let scratch = here("read-only");
    let here = scratch.path();
    let disk = here.join("small");
    if !small_disk(&disk, 100, "ro") {
        println!("left out: no disk can be made here");
        return;
    }
    let (status, _, said) = run(here, &["explore", "tiles.toml", "--disk", "small"]);
    let unmounted = Command::new("umount").arg(&disk).status().expect("there is an umount");
    assert!(unmounted.success());
    assert_eq!(status, 2);
    assert!(said.contains("small/exploration.lock: Read-only"), "{said}");
}
