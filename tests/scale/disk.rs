//! Tests exploration on disk with the real program: it yields the answer of exploration in memory, despite faults.

use crate::support::dice::{Dice, scaled};
use crate::support::program::{command, run, scratch, without_seconds};
use crate::support::root;
use engine::search::{OnDisk, Place};
use engine::{Limits, Puzzle};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A puzzle of 9! positions in two components, of which one is reachable.
const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n8 6 7\n2 5 4\n3 0 1\n\"\"\"\n";
/// A puzzle of 8! positions, of which the other half has the goal.
const NO_GOAL: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n2 1 3 4\n5 6 7 0\n\"\"\"\n";
/// A piece that starts in a gate, may leave it, and never returns; keys of 64 bits.
const ONE_WAY: &str = "title = \"Out\"\ndomain = \"klotski\"\nstart = \"\"\"\nab...\ndd...\nee..g\n.....\n.....\n\"\"\"\n\
    gates = [[0, 0], [0, 1], [2, 0], [2, 1]]\ngoal = \"\"\"\n.....\n.....\n.....\n.....\n....g\n\"\"\"\n";
const WORDS: &str = "title = \"Words\"\ndomain = \"word-ladder\"\nwords = \"list.txt\"\nstart = \"cat\"\ngoal = \"chat\"\n\
    edits = [\"change\", \"insert\"]\n";

/// Parses the JSON of an exploration, without times and memory.
fn comparable_json(json: &str) -> serde_json::Value {
    let mut row = without_seconds(json);
    row.as_object_mut().expect("an object").remove("peak_memory_bytes");
    row
}

type Answer = (serde_json::Value, String, String);

/// Runs an exploration; returns its JSON, text and chart.
fn answer(here: &Path, file: &str, options: &[&str]) -> Answer {
    let (status, json, stderr) = run(here, &[&["explore", file, "--format", "json"], options].concat());
    assert_eq!((status, &*stderr), (0, ""), "{file}");
    let (status, text, stderr) = run(here, &[&["explore", file, "--plot", "chart.svg"], options].concat());
    assert_eq!((status, &*stderr), (0, ""), "{file}");
    (comparable_json(&json), text, fs::read_to_string(here.join("chart.svg")).expect("it was drawn"))
}

/// Returns puzzles of every encoding of positions: with and without an index, of 32, 64 and 128 bits, with irreversible
/// moves; with many goals, the start as the goal, and none.
fn puzzles(here: &Path) -> Vec<String> {
    let own = [("tiles.toml", TILES), ("no-goal.toml", NO_GOAL), ("one-way.toml", ONE_WAY), ("words.toml", WORDS)];
    for (name, text) in own {
        fs::write(here.join(name), text).expect("the file can be written");
    }
    let list = fs::read_to_string(root().join("puzzles/words/sgb-words.txt")).expect("the list is there");
    let short: Vec<String> = list.lines().flat_map(|word| [word[..3].to_owned(), word[..4].to_owned()]).collect();
    fs::write(here.join("list.txt"), format!("{list}cat\nchat\n{}\n", short.join("\n")))
        .expect("the file can be written");
    let blocks = ["klotski1", "klotski7", "blocks/gate", "blocks/gate-unsolvable"];
    let others = ["boards/wide-3x2", "boards/one-cell", "permutation/topspin-8-4"];
    let known =
        blocks.into_iter().chain(others).map(|name| root().join(format!("puzzles/{name}.toml")).display().to_string());
    known.chain(own.map(|(name, _)| name.to_owned())).collect()
}

/// Creates a folder for a test, with a puzzle.
fn here(test: &str) -> TempDir {
    let scratch = scratch(&format!("engine-disk-{test}-"));
    fs::write(scratch.path().join("tiles.toml"), TILES).expect("the file can be written");
    scratch
}

fn pocket_cube() -> String {
    root().join("puzzles/permutation/pocket-cube.toml").display().to_string()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the file exists");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is text")).collect();
    names.sort();
    names
}

/// Explores to a node limit, which leaves a checkpoint in the folder.
fn make_checkpoint(here: &Path, file: &str) {
    let (status, _, stderr) = run(here, &["explore", file, "--disk", "on", "--node-limit", "20000"]);
    assert_eq!(status, 3, "{stderr}");
}

#[test]
fn exploration_on_disk_and_in_memory_agree_in_every_domain() {
    let scratch = here("same");
    let here = scratch.path();
    for file in puzzles(here) {
        let expected = answer(here, &file, &[]);
        // The first run writes the answer, the second reads it.
        assert!(answer(here, &file, &["--disk", "on"]) == expected, "{file}");
        assert_eq!(
            names(&here.join("on")),
            ["exploration.json", "exploration.lock"],
            "{file}: only the answer is kept"
        );
        fs::remove_dir_all(here.join("on")).expect("the file exists");
    }
}

#[test]
fn depth_limits_agree_with_memory_and_can_be_resumed() {
    let scratch = here("depth");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    for depth in ["0", "3", "30", "12", "31"] {
        let options = ["explore", "tiles.toml", "--format", "json", "--depth-limit", depth];
        let (status, json, _) = run(here, &options);
        let (again, same, stderr) = run(here, &[&options[..], &["--disk", "on"]].concat());
        assert_eq!((status, comparable_json(&json)), (again, comparable_json(&same)), "{depth}");
        assert_eq!(status == 3, stderr.contains("to resume"), "{stderr}");
    }
    assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected);
}

/// Explores with the library; returns the comparable part of the result.
fn explored(puzzle: &Puzzle, limits: &Limits, disk: Option<&Path>) -> impl PartialEq + std::fmt::Debug + use<> {
    let fingerprint = puzzle.fingerprint().expect("its files can be read");
    let on_disk = |folder: &Path| Place::Disk(OnDisk { folder: folder.to_owned(), limit: None, fingerprint });
    let place = disk.map_or(Place::Memory, on_disk);
    let found = puzzle.explore_at(limits, &place).unwrap_or_else(|error| panic!("{error}")).found;
    // Buffers for files have a minimum size.
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
            fs::remove_dir_all(folder).expect("the file exists");
        }
    }
}

#[test]
fn an_exploration_in_many_runs_gives_the_same_answer() {
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
                assert!(runs < 1000, "a run makes no progress");
            }
            assert!(runs > 2, "one run is not enough");
            fs::remove_dir_all(folder).expect("the file exists");
        }
    }
}

/// Starts the program, which explores on disk.
fn start(here: &Path, file: &str) -> Child {
    let options = ["explore", file, "--format", "json", "--disk", "on", "--memory-limit", "28MiB"];
    command(here, &options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("`kill` runs");
    assert!(sent.success());
}

#[test]
fn after_a_kill_at_any_moment_it_resumes_to_the_same_answer() {
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
                assert_eq!(comparable_json(std::str::from_utf8(&output.stdout).expect("text")), comparable_json(&json));
                fs::remove_dir_all(here.join("on")).expect("the file exists");
                whole += 1;
            }
        }
        let output = start(here, &file).wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        assert_eq!(
            comparable_json(std::str::from_utf8(&output.stdout).expect("text")),
            comparable_json(&json),
            "{file}"
        );
        assert_eq!(names(&here.join("on")), ["exploration.json", "exploration.lock"]);
        fs::remove_dir_all(here.join("on")).expect("the file exists");
        println!("{file}: {kills} kills, {whole} ends before one");
    }
}

#[test]
fn an_interrupted_exploration_reports_it_and_resumes() {
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
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("run the same command to resume"), "{stderr}");
    let met = comparable_json(std::str::from_utf8(&output.stdout).expect("text"));
    assert_eq!(met["limit"], "interrupt");
    let output = start(here, &file).wait_with_output().expect("it ends");
    assert_eq!(comparable_json(std::str::from_utf8(&output.stdout).expect("text")), comparable_json(&json));
}

#[test]
fn a_folder_is_locked_for_one_program() {
    let scratch = here("two");
    let here = scratch.path();
    let mut child = start(here, &pocket_cube());
    while !here.join("on/exploration.json").exists() {
        sleep(Duration::from_millis(5));
    }
    let (status, _, stderr) = run(here, &["explore", &pocket_cube(), "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("another engine explores in this folder"), "{stderr}");
    child.kill().expect("it runs");
    child.wait().expect("it ended");
}

/// Returns damaged versions of a file; `None` deletes it.
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
fn damage_to_any_file_of_a_checkpoint_is_detected() {
    let scratch = here("damage");
    let here = scratch.path();
    let (_, json, _) = run(here, &["explore", "tiles.toml", "--format", "json"]);
    make_checkpoint(here, "tiles.toml");
    let kept: Vec<(String, Vec<u8>)> = names(&here.join("on"))
        .into_iter()
        .map(|name| (name.clone(), fs::read(here.join("on").join(name)).expect("the file exists")))
        .collect();
    assert!(kept.len() > 10, "there are layers");
    let mut cases = 0;
    for (name, whole) in kept.iter().filter(|(name, _)| name != "exploration.lock") {
        for (how, bytes) in damages(whole) {
            fs::remove_dir_all(here.join("on")).expect("the file exists");
            fs::create_dir(here.join("on")).expect("the file can be written");
            kept.iter().for_each(|(name, bytes)| {
                fs::write(here.join("on").join(name), bytes).expect("the file can be written")
            });
            match bytes {
                Some(bytes) => fs::write(here.join("on").join(name), bytes).expect("the file can be written"),
                None => fs::remove_file(here.join("on").join(name)).expect("the file exists"),
            }
            let (status, found, stderr) = run(here, &["explore", "tiles.toml", "--format", "json", "--disk", "on"]);
            cases += 1;
            // Damage to a layer that is not read again has no effect.
            if status == 0 {
                assert_eq!(comparable_json(&found), comparable_json(&json), "{name}: {how}");
            } else {
                assert_eq!((status, &*found), (2, ""), "{name}: {how}: {stderr}");
                assert!(stderr.contains("choose another folder, or remove this one"), "{name}: {how}: {stderr}");
            }
            let must =
                name.ends_with(".json") || ["cut by one", "cut to half", "empty", "longer", "gone"].contains(&how);
            assert!(status == 2 || !must, "{name}: {how} is not detected");
        }
    }
    println!("{cases} cases");
}

#[test]
fn a_layer_of_another_exploration_is_refused() {
    let scratch = here("swapped");
    let here = scratch.path();
    make_checkpoint(here, "tiles.toml");
    let text = TILES.replace("8 6 7", "8 7 6").replace("0 1", "1 0");
    fs::write(here.join("other.toml"), text).expect("the file can be written");
    fs::rename(here.join("on"), here.join("first")).expect("the file exists");
    make_checkpoint(here, "other.toml");
    for name in names(&here.join("on")).iter().filter(|name| name.ends_with(".layer")) {
        let _ = fs::copy(here.join("first").join(name), here.join("on").join(name));
    }
    let (status, _, stderr) = run(here, &["explore", "other.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("is damaged"), "{stderr}");
}

#[test]
fn checkpoints_of_another_puzzle_word_list_or_version_are_refused() {
    let scratch = here("other");
    let here = scratch.path();
    puzzles(here);
    make_checkpoint(here, "tiles.toml");
    fs::write(here.join("tiles.toml"), TILES.replace("Tiles", "Tile")).expect("the file can be written");
    let (status, _, stderr) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(
        stderr.contains("is for another puzzle, for this one before it was changed, or by another command"),
        "{stderr}"
    );

    fs::write(here.join("tiles.toml"), TILES).expect("the file can be written");
    let list = fs::read_to_string(here.join("on/exploration.json")).expect("the file exists");
    for (from, to, expected) in [
        ("version 1", "version 9", "another version of the engine"),
        ("\"engine\":\"", "\"engine\":\"7", "by version 7"),
    ] {
        let changed = list.replacen(from, to, 1);
        let sealed = &changed[..changed.rfind("crc32 ").expect("it ends so")];
        let changed = format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes()));
        fs::write(here.join("on/exploration.json"), changed).expect("the file can be written");
        let (status, _, stderr) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
        assert_eq!(status, 2);
        assert!(stderr.contains(expected), "{stderr}");
    }
    fs::remove_dir_all(here.join("on")).expect("the file exists");

    assert_eq!(run(here, &["explore", "words.toml", "--disk", "on", "--node-limit", "100"]).0, 3);
    let words = fs::read_to_string(here.join("list.txt")).expect("the file exists");
    fs::write(here.join("list.txt"), words + "zzz\n").expect("the file can be written");
    let (status, _, stderr) = run(here, &["explore", "words.toml", "--disk", "on"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("is for another puzzle"), "{stderr}");
}

#[test]
fn a_disk_limit_bounds_the_files_and_a_larger_one_resumes() {
    let scratch = here("limit");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    for limit in ["1", "60kB", "120kB", "200kB"] {
        let (status, json, stderr) =
            run(here, &["explore", "tiles.toml", "--format", "json", "--disk", "on", "--disk-limit", limit]);
        assert_eq!((status, &comparable_json(&json)["limit"]), (3, &"disk".into()), "{limit}: {stderr}");
        assert!(stderr.contains("run the same command to resume"), "{stderr}");
        let size = |name: &String| fs::metadata(here.join("on").join(name)).expect("the file exists").len();
        let layers: u64 = names(&here.join("on")).iter().filter(|name| name.ends_with(".layer")).map(size).sum();
        assert!(layers <= 200_000, "{layers} bytes");
    }
    assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected);
}

#[test]
fn foreign_files_stay_and_are_reported() {
    let scratch = here("foreign");
    let here = scratch.path();
    fs::create_dir(here.join("on")).expect("the file can be written");
    fs::write(here.join("on/depth-00003.layer"), "my notes").expect("the file can be written");
    let refused = |expected: &str| {
        let (status, _, stderr) = run(here, &["explore", "tiles.toml", "--disk", "on"]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    refused("exploration.json, which lists them, is missing");
    fs::rename(here.join("on/depth-00003.layer"), here.join("on/notes.txt")).expect("the file exists");
    refused("the folder has other files, such as notes.txt");
    fs::remove_dir_all(here.join("on")).expect("the file exists");

    make_checkpoint(here, "tiles.toml");
    fs::write(here.join("on/notes.txt"), "my notes").expect("the file can be written");
    fs::write(here.join("on/distance-00001.layer"), "my notes").expect("the file can be written");
    // Incomplete layers of a killed program begin as valid ones do, and are removed.
    let layer = fs::read(here.join("on/depth-00001.layer")).expect("the file exists");
    fs::write(here.join("on/depth-00099.layer"), &layer[..20]).expect("the file can be written");
    fs::write(here.join("on/depth-00098.layer"), "").expect("the file can be written");
    refused("distance-00001.layer");
    fs::remove_file(here.join("on/distance-00001.layer")).expect("the file exists");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk", "on"]).0, 0);
    assert_eq!(names(&here.join("on")), ["exploration.json", "exploration.lock", "notes.txt"]);
}

#[test]
fn unusable_folders_are_reported() {
    let scratch = here("folders");
    let here = scratch.path();
    let refused = |folder: &str, expected: &str| {
        let (status, _, stderr) = run(here, &["explore", "tiles.toml", "--disk", folder]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    refused("tiles.toml", "tiles.toml: is a file, not a folder");
    refused("tiles.toml/below", "tiles.toml/below: ");
    refused("/proc/nowhere", "/proc/nowhere: ");
    let deep = here.join("a/b/c");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk", deep.to_str().expect("text")]).0, 0, "it is made");
    assert_eq!(run(here, &["explore", "tiles.toml", "--disk-limit", "1MB"]).0, 2, "a disk limit without a folder");
}

#[test]
fn weighted_mazes_and_positions_without_packed_keys_are_refused() {
    let scratch = here("refused");
    let here = scratch.path();
    let large = "title = \"t\"\ndomain = \"sliding-tile\"\nrows = 7\ncolumns = 7\nscramble = { seed = 1 }\n";
    fs::write(here.join("large.toml"), large).expect("the file can be written");
    let maze = "title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\nS2\n3G\n\"\"\"\n";
    fs::write(here.join("maze.toml"), maze).expect("the file can be written");
    for (file, expected) in [("large.toml", "at most 128 bits"), ("maze.toml", "needs moves of cost 1")] {
        let (status, out, stderr) = run(here, &["explore", file, "--disk", "on"]);
        assert_eq!((status, &*out), (2, ""), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!here.join("on").exists(), "a folder was created");
    }
}

/// Mounts a tmpfs of this size. Returns false without the permission to do so.
fn mount_small_disk(folder: &Path, kib: u32, mode: &str) -> bool {
    fs::create_dir_all(folder).expect("the file can be written");
    let options = format!("size={kib}k,{mode}");
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).output();
    mount.is_ok_and(|output| output.status.success())
}

/// Detaches a mounted folder, even while a program that another test starts holds a file of it for a moment.
fn unmount(folder: &Path) {
    let unmounted = Command::new("umount").arg("-l").arg(folder).status().expect("`umount` runs");
    assert!(unmounted.success());
}

#[test]
fn a_full_disk_is_reported_and_with_space_the_exploration_resumes() {
    let scratch = here("full");
    let here = scratch.path();
    let expected = answer(here, "tiles.toml", &[]);
    let disk = here.join("small");
    for kib in [20, 40, 80, 150, 250] {
        if !mount_small_disk(&disk, kib, "rw") {
            println!("skipped: a tmpfs cannot be mounted here");
            return;
        }
        fs::create_dir(disk.join("on")).ok();
        let (status, out, stderr) = run(here, &["explore", "tiles.toml", "--disk", "small/on"]);
        fs::create_dir_all(here.join("on")).expect("the file can be written");
        for name in names(&disk.join("on")) {
            fs::copy(disk.join("on").join(&name), here.join("on").join(&name)).expect("the file can be written");
        }
        unmount(&disk);
        assert_eq!((status, &*out), (2, ""), "{kib} KiB: {stderr}");
        assert!(stderr.contains("no space left") && stderr.contains("run the same command again"), "{stderr}");
        assert!(answer(here, "tiles.toml", &["--disk", "on"]) == expected, "{kib} KiB");
        fs::remove_dir_all(here.join("on")).expect("the file exists");
    }
}

#[test]
fn a_read_only_folder_is_reported() {
    let scratch = here("read-only");
    let here = scratch.path();
    let disk = here.join("small");
    if !mount_small_disk(&disk, 100, "ro") {
        println!("skipped: a tmpfs cannot be mounted here");
        return;
    }
    let (status, _, stderr) = run(here, &["explore", "tiles.toml", "--disk", "small"]);
    unmount(&disk);
    assert_eq!(status, 2);
    assert!(stderr.contains("small/exploration.lock: Read-only"), "{stderr}");
}

#[test]
fn a_search_on_disk_finds_the_solution_of_a_search_in_memory() {
    let scratch = scratch("engine-solve-");
    let here = scratch.path();
    for (number, file) in puzzles(here).iter().enumerate() {
        let disk = format!("solve-{number}");
        let on_disk = ["solve", file, "--format", "json", "--disk", &disk];
        let answer = |arguments: &[&str]| {
            let (status, json, _) = run(here, arguments);
            let row = comparable_json(&json);
            let keys = ["outcome", "optimal", "cost", "lower_bound", "moves", "limit"];
            (status, keys.map(|key| row[key].clone()))
        };
        let expected = answer(&["solve", file, "--format", "json", "--algorithm", "bfs"]);
        // A run expands few states, and the next one continues: the lower bound never falls.
        let mut bound = 0.0;
        let found = loop {
            let (status, row) = answer(&[&on_disk[..], &["--node-limit", "9000"]].concat());
            if status != 3 {
                break (status, row);
            }
            let proven = row[3].as_f64().expect("a bound is proven");
            assert!(proven >= bound && expected.1[2].as_f64().is_none_or(|cost| proven <= cost), "{file}: {proven}");
            bound = proven;
        };
        assert_eq!(found, expected, "{file}");
        assert_eq!(answer(&on_disk), expected, "{file}: the answer of the finished search");
    }
}

#[test]
fn layers_of_classes_of_symmetric_states_are_not_continued_without_symmetries() {
    let scratch = scratch("engine-symmetries-");
    let here = scratch.path();
    let pegs = "title = 'Pegs'\ndomain = 'rules'\nstart = \"\"\"\n#ooo#\noo.oo\nooooo\nooooo\n#ooo#\n\"\"\"\n\
        goal = { count = { o = 15 } }\n[[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..o'\nturns = true\n";
    fs::write(here.join("pegs.toml"), pegs).expect("the file can be written");
    let solve = |folder: &str, options: &[&str]| {
        run(here, &[&["solve", "pegs.toml", "--format", "lines", "--disk", folder], options].concat())
    };
    let without: &[&str] = &["--without", "symmetries"];
    for (folder, first, then) in [("with", &[][..], without), ("without", without, &[])] {
        assert_eq!(solve(folder, &[first, &["--depth-limit", "1"]].concat()).0, 3);
        let (status, _, stderr) = solve(folder, then);
        assert!(status == 2 && stderr.contains("or by another command"), "{stderr}");
        let (status, out, stderr) = solve(folder, first);
        assert!(status == 0 && out.contains("  5, proven shortest"), "{out}{stderr}");
    }
}

/// Runs a search with its layers on disk and JSON; returns the exit status, the lower bound and the error text.
fn bound_on_disk(here: &Path, file: &str, options: &[&str]) -> (i32, f64, String) {
    let (status, json, stderr) = run(here, &[&["solve", file, "--format", "json"], options].concat());
    let row: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    (status, row["lower_bound"].as_f64().unwrap_or(f64::NAN), stderr)
}

#[test]
fn a_limit_on_the_path_back_from_the_goal_leaves_a_true_bound_and_files_to_resume_from() {
    let scratch = scratch("engine-path-back-");
    let here = scratch.path();
    let klotski = root().join("puzzles/klotski1.toml").display().to_string();
    let mut back = 0;
    for nodes in 40..80 {
        let disk = format!("klotski-{nodes}");
        let (status, bound, stderr) =
            bound_on_disk(here, &klotski, &["--disk", &disk, "--node-limit", &nodes.to_string()]);
        assert!(status != 2 && bound <= 9.0, "{nodes}: no solution costs less than {bound}, {stderr}");
        back += u32::from(status == 3 && bound == 9.0);
    }
    assert!(back > 0, "no limit falls after the last layer");
    // Moves have no inverse, so each layer of the path back has a file of moves.
    let down = "title = 'Down'\ndomain = 'word-ladder'\nstart = 'abcd'\ngoal = 'a'\nedits = ['delete']\n\
        words = ['abcd', 'abc', 'abd', 'acd', 'bcd', 'ab', 'ac', 'ad', 'bc', 'a', 'b']\n";
    fs::write(here.join("down.toml"), down).expect("the file can be written");
    for limit in (100..2000).step_by(50) {
        let disk = format!("down-{limit}");
        let (status, bound, stderr) =
            bound_on_disk(here, "down.toml", &["--disk", &disk, "--disk-limit", &limit.to_string()]);
        assert!(status != 2 && bound <= 3.0, "{limit}: no solution costs less than {bound}, {stderr}");
        let (status, bound, stderr) = bound_on_disk(here, "down.toml", &["--disk", &disk]);
        assert_eq!((status, bound), (0, 3.0), "{limit}: {stderr}");
    }
}
