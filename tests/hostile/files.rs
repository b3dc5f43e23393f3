//! Tests hostile puzzle files. They must read only files in their folder, write only the requested output, send no
//! control sequences to a terminal, and use bounded memory and time.

use crate::support::program::{EIGHT, command, folder, run};
use engine::Puzzle;
use engine::domain::BuildContext;
use engine::search::{Limit, Limits};
use rayon::prelude::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns a puzzle of each domain that can name a file, with this path.
fn puzzles_naming(path: &str) -> [(&'static str, String); 3] {
    let path = toml::Value::String(path.to_owned());
    [
        (
            "words.toml",
            format!("title = \"w\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"cot\"\nwords = {path}\n"),
        ),
        ("map.toml", format!("title = \"m\"\ndomain = \"maze\"\nstart = [0, 0]\ngoal = [0, 1]\nmap_file = {path}\n")),
        ("board.toml", format!("title = \"b\"\ndomain = \"sliding-tile\"\nstart_file = {path}\n")),
    ]
}

/// A valid file for each of these puzzles.
const GOOD: [(&str, &str); 3] = [
    ("words.toml", "cat\ncot\n"),
    ("map.toml", "type octile\nheight 1\nwidth 2\nmap\n..\n"),
    ("board.toml", "2\n1 2 3 0\n"),
];

#[test]
fn a_puzzle_reads_nothing_outside_its_folder() {
    let here = folder("hostile-paths", &[]);
    fs::create_dir_all(here.join("puzzles/sub")).unwrap();
    fs::create_dir_all(here.join("outside")).unwrap();
    let puzzles = here.join("puzzles");
    symlink("../outside", puzzles.join("linked-folder")).unwrap();
    symlink("../outside/file", puzzles.join("linked-file")).unwrap();
    symlink("linked-file", puzzles.join("linked-twice")).unwrap();
    symlink("sub/file", puzzles.join("linked-inside")).unwrap();
    let absolute = here.join("outside/file").display().to_string();
    let inside = here.join("puzzles/sub/file").display().to_string();
    let refused = [
        "../outside/file",
        "sub/../../outside/file",
        "linked-folder/file",
        "linked-file",
        "linked-twice",
        &*absolute,
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "/dev/zero",
        "/proc/self/environ",
        "../outside/not-there",
        "linked-folder/../outside/file",
    ];
    for (number, (name, _)) in GOOD.iter().enumerate() {
        fs::write(here.join("outside/file"), GOOD[number].1).unwrap();
        fs::write(here.join("puzzles/sub/file"), GOOD[number].1).unwrap();
        for path in refused {
            fs::write(puzzles.join(name), &puzzles_naming(path)[number].1).unwrap();
            for from in [&here, &puzzles] {
                let file = if from == &here { format!("puzzles/{name}") } else { (*name).to_owned() };
                let (status, out, stderr) = run(from, &["show", &file]);
                assert_eq!((status, &*out), (2, ""), "{name} read {path}");
                assert!(
                    stderr.contains("is outside the folder") || path == "linked-folder/../outside/file",
                    "{stderr}"
                );
                assert!(!stderr.contains("root:"), "{stderr}");
            }
        }
        for path in ["sub/file", "./sub/../sub/file", "linked-inside"] {
            fs::write(puzzles.join(name), &puzzles_naming(path)[number].1).unwrap();
            let (status, _, stderr) = run(&here, &["show", &format!("puzzles/{name}")]);
            assert_eq!((status, &*stderr), (0, ""), "{name} may read {path}");
        }
        for path in ["../outside/file", "linked-folder/file", "linked-file", &*absolute, &*inside] {
            let text = &puzzles_naming(path)[number].1;
            fs::write(puzzles.join(name), text).unwrap();
            let file = format!("puzzles/{name}");
            assert_eq!(run(&here, &["show", &file]).0, 2, "{name} read {path}");
            let (status, _, stderr) = run(&here, &["show", "--allow-paths", &file]);
            assert_eq!((status, &*stderr), (0, ""), "{name} may read {path} with `--allow-paths`");
        }
    }
}

#[test]
fn the_error_points_at_the_key_and_suggests_a_fix() {
    let here = folder("hostile-error", &[]);
    for (name, text) in puzzles_naming("../secret") {
        fs::write(here.join(name), &text).unwrap();
        let line = text.lines().count();
        let (status, _, stderr) = run(&here, &["check", name]);
        assert_eq!(status, 2);
        assert!(stderr.contains(&format!("{name}:{line}:")) && stderr.contains("--allow-paths"), "{stderr}");
    }
}

#[test]
fn every_command_that_reads_puzzles_needs_allow_paths_to_leave_their_folder() {
    let here = folder("hostile-commands", &[("words", "cat\ncot\n"), ("moves", "cot\n")]);
    fs::create_dir_all(here.join("puzzles")).unwrap();
    fs::write(here.join("puzzles/w.toml"), &puzzles_naming("../words")[0].1).unwrap();
    let commands: [&[&str]; 10] = [
        &["solve", "puzzles/w.toml"],
        &["check", "puzzles"],
        &["test", "puzzles", "--accept"],
        &["show", "puzzles/w.toml"],
        &["explore", "puzzles/w.toml"],
        &["compare", "puzzles/w.toml", "--no-times"],
        &["render", "puzzles/w.toml", "-o", "w.svg"],
        &["verify", "puzzles/w.toml", "moves"],
        &["scramble", "puzzles/w.toml"],
        &["play", "puzzles/w.toml"],
    ];
    for arguments in commands {
        let (status, _, stderr) = run(&here, arguments);
        assert!(status == 2 && stderr.contains("is outside the folder"), "{arguments:?}: {stderr}");
        let (_, _, stderr) = run(&here, &[arguments, &["--allow-paths"]].concat());
        assert!(!stderr.contains("is outside the folder"), "{arguments:?}: {stderr}");
    }
    assert!(run(&here, &["list", "puzzles"]).1.contains("not valid"));
    assert!(!run(&here, &["list", "puzzles", "--allow-paths"]).1.contains("not valid"));
    // A scenario file names a map file.
    fs::create_dir_all(here.join("maps")).unwrap();
    fs::write(here.join("m.map"), GOOD[1].1).unwrap();
    fs::write(here.join("maps/m.scen"), "0\t../m.map\t2\t1\t0\t0\t1\t0\t1\n").unwrap();
    let (status, _, stderr) = run(&here, &["import", "maps/m.scen"]);
    assert!(status == 2 && stderr.contains("is outside the folder"), "{stderr}");
    assert_eq!(run(&here, &["import", "maps/m.scen", "--allow-paths"]).0, 0);
}

/// Runs a command that must exit within this time.
pub(super) fn end_within(seconds: u64, command: &mut Command) -> (i32, String) {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_secs(seconds);
    while child.try_wait().expect("the child's status can be read").is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            panic!("{command:?} has not ended in {seconds} s");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("the child has ended");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn pipes_sockets_folders_and_devices_are_refused_in_bounded_time() {
    let here = folder("hostile-kinds", &[("five.toml", EIGHT), ("moves", "1l\n")]);
    assert!(Command::new("mkfifo").arg(here.join("pipe")).status().expect("mkfifo runs").success());
    let _socket = std::os::unix::net::UnixListener::bind(here.join("socket")).expect("a socket");
    fs::create_dir_all(here.join("directory")).unwrap();
    symlink("/dev/zero", here.join("zero")).unwrap();
    for kind in ["pipe", "socket", "directory", "zero"] {
        for arguments in [["solve", kind], ["import", kind], ["scramble", kind], ["check", kind], ["compare", kind]] {
            if arguments == ["check", "directory"] {
                continue;
            }
            let (status, stderr) = end_within(20, &mut command(&here, &arguments));
            assert!(status == 2 && stderr.contains("is a "), "{arguments:?}: {status} {stderr}");
        }
        let (status, stderr) = end_within(20, &mut command(&here, &["verify", "five.toml", kind]));
        assert!(status == 2 && stderr.contains("is a "), "{kind}: {status} {stderr}");
        for (name, text) in puzzles_naming(kind) {
            fs::write(here.join(name), text).unwrap();
            for allowed in [&[][..], &["--allow-paths"]] {
                let (status, stderr) = end_within(20, &mut command(&here, &[&["check", name], allowed].concat()));
                let refused =
                    stderr.contains("is a ") || stderr.contains("is outside the folder") && allowed.is_empty();
                assert!(status == 2 && refused, "{name} {kind}: {status} {stderr}");
            }
        }
    }
    for device in ["/dev/zero", "/dev/full"] {
        let (status, stderr) = end_within(20, &mut command(&here, &["check", device]));
        assert!(status == 2 && stderr.contains("is larger than 16 MiB"), "{stderr}");
    }
    // A folder of puzzles whose snapshots include a pipe and a device.
    for kind in ["pipe", "zero"] {
        fs::create_dir_all(here.join("all/puzzles")).unwrap();
        fs::create_dir_all(here.join("all/snapshots")).unwrap();
        fs::write(here.join("all/puzzles/five.toml"), EIGHT).unwrap();
        let _ = fs::rename(here.join(kind), here.join("all/snapshots/five.snap"));
        for arguments in [["list", "all/puzzles"], ["test", "all/puzzles"]] {
            end_within(20, &mut command(&here, &arguments));
        }
    }
}

#[test]
fn streams_that_the_user_names_are_read_and_bounded() {
    let here = folder("hostile-streams", &[("five.toml", EIGHT)]);
    let shell = |script: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).current_dir(&here).env("ENGINE", env!("CARGO_BIN_EXE_engine"));
        end_within(60, &mut bash)
    };
    let moves = "--format moves > /dev/null";
    for script in [
        format!("\"$ENGINE\" solve <(cat five.toml) {moves}"),
        format!("\"$ENGINE\" solve /dev/stdin {moves} < five.toml"),
        format!("cat five.toml | \"$ENGINE\" solve /dev/stdin {moves}"),
        "printf '3\n1 2 3 4 5 6 7 0 8' | \"$ENGINE\" import - --quiet > /dev/null".to_owned(),
        "\"$ENGINE\" verify five.toml <(\"$ENGINE\" solve five.toml) > /dev/null".to_owned(),
    ] {
        assert_eq!(shell(&script), (0, String::new()), "{script}");
    }
    for script in ["yes | \"$ENGINE\" import -", "\"$ENGINE\" check <(yes)", "\"$ENGINE\" check /dev/stdin < /dev/zero"]
    {
        let (status, stderr) = shell(script);
        assert!(status == 2 && stderr.contains("is larger than 16 MiB"), "{script}: {stderr}");
    }
}

#[test]
fn snapshots_are_not_written_through_links() {
    let here = folder("hostile-links", &[("precious", "mine\n")]);
    let test = |links: &dyn Fn(&Path)| {
        let all = here.join("all");
        let _ = fs::remove_dir_all(&all);
        fs::create_dir_all(all.join("puzzles/sub")).unwrap();
        fs::write(all.join("puzzles/sub/five.toml"), EIGHT).unwrap();
        links(&all);
        let (status, _, stderr) = run(&here, &["test", "all/puzzles", "--accept"]);
        assert!(status == 2 && stderr.contains("is a link to outside the folder"), "{status} {stderr}");
        assert_eq!(fs::read_to_string(here.join("precious")).unwrap(), "mine\n");
        assert!(!here.join("sub").exists() && !here.join("five.snap").exists(), "nothing is written elsewhere");
    };
    test(&|all| symlink("..", all.join("snapshots")).unwrap());
    test(&|all| {
        fs::create_dir_all(all.join("snapshots")).unwrap();
        symlink("../..", all.join("snapshots/sub")).unwrap();
    });
    test(&|all| {
        fs::create_dir_all(all.join("snapshots/sub")).unwrap();
        symlink("../../../precious", all.join("snapshots/sub/five.snap")).unwrap();
    });
}

#[test]
fn a_link_that_leads_out_of_a_folder_is_neither_read_nor_written() {
    let secret = "root:x:0:0:secret\n";
    let here = folder("hostile-outside", &[("secret", secret), ("five.toml", EIGHT), ("precious.toml", "mine\n")]);
    let puzzles = here.join("leak/puzzles");
    fs::create_dir_all(&puzzles).unwrap();
    fs::create_dir_all(here.join("leak/snapshots")).unwrap();
    fs::write(puzzles.join("own.toml"), EIGHT).unwrap();
    symlink("own.toml", puzzles.join("again.toml")).unwrap();
    let [toml, sok] = [puzzles.join("leak.toml"), puzzles.join("leak.sok")];
    for link in [&toml, &sok] {
        symlink("../../secret", link).unwrap();
        let commands: [&[&str]; 8] = [
            &["check", "leak/puzzles"],
            &["check", "leak/puzzles", "--json"],
            &["list", "leak/puzzles"],
            &["list", "leak/puzzles", "--json"],
            &["test", "leak/puzzles"],
            &["test", "leak/puzzles", "--format", "junit"],
            &["render", "leak/puzzles", "--play", "-o", "-", "--format", "html"],
            &["play", "leak/puzzles"],
        ];
        for arguments in commands {
            let (status, out, stderr) = run(&here, arguments);
            let printed = out + &stderr;
            assert!(!printed.contains("root:") && !printed.contains("secret"), "{arguments:?}: {printed}");
            let is_table = arguments == ["list", "leak/puzzles"];
            assert!(is_table || printed.contains("is a link to outside the folder"), "{arguments:?}: {printed}");
            // These leave the file out with a note.
            let goes_on = ["list", "render", "play"].contains(&arguments[0]);
            assert_eq!(status, if goes_on { 0 } else { 2 }, "{arguments:?}: {printed}");
        }
        fs::remove_file(link).unwrap();
        symlink("../../five.toml", &toml).unwrap();
        for command in ["check", "test"] {
            let (_, out, stderr) = run(&here, &[command, "leak/puzzles", "--allow-paths"]);
            assert!(!(out + &stderr).contains("outside"), "{command} does not follow the link it may follow");
        }
        assert_eq!(run(&here, &["check", "leak/puzzles/leak.toml"]).0, 0, "a link that the user names is followed");
        fs::remove_file(&toml).unwrap();
    }
    // A snapshot is printed where it differs.
    symlink("../../secret", here.join("leak/snapshots/own.snap")).unwrap();
    let (status, out, stderr) = run(&here, &["test", "leak/puzzles"]);
    assert!(
        status == 2 && stderr.contains("is a link to outside the folder") && !out.contains("root:"),
        "{out}{stderr}"
    );
    // Levels are written to files of names that are known before.
    fs::write(here.join("two.sok"), "Title: one\n\n#####\n#@$.#\n#####\n\nTitle: two\n\n#####\n#.$@#\n#####\n")
        .unwrap();
    fs::create_dir_all(here.join("levels")).unwrap();
    symlink("../precious.toml", here.join("levels/002-two.toml")).unwrap();
    for force in [&["--force"][..], &[]] {
        let (status, _, stderr) = run(&here, &[&["import", "two.sok", "--folder", "levels"], force].concat());
        assert!(status == 2 && stderr.contains("002-two.toml"), "{stderr}");
        assert_eq!(fs::read_to_string(here.join("precious.toml")).unwrap(), "mine\n");
        assert!(!here.join("levels/001-one.toml").exists(), "a level is written before the link is found");
    }
    fs::remove_file(here.join("levels/002-two.toml")).unwrap();
    assert_eq!(run(&here, &["import", "two.sok", "--folder", "levels", "--force"]).0, 0);
}

/// Control characters, characters that change the text direction or cannot be seen, and text that closes a string, a tag
/// or a script.
const EVIL: &str = "\u{1b}[31m\u{7}\u{9b}1m\u{202e}\u{2066}\u{200f}\u{2028}\u{7f}\u{200b}\u{2060}\u{feff}\u{e0041}</script>]]>'\"<b onclick='x'>";

/// Returns [`EVIL`] as the inside of a TOML string: fully escaped, and raw where TOML allows it.
fn evil_strings() -> [String; 2] {
    let quoted = |raw: fn(char) -> bool| {
        let escaped = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_ascii_control() || !raw(c) => format!("\\U{:08x}", u32::from(c)),
            c => c.to_string(),
        };
        EVIL.chars().map(escaped).collect::<String>()
    };
    [quoted(|c| c.is_ascii()), quoted(|_| true)]
}

/// Templates of puzzles of every domain. [`EVIL`] replaces each `@`.
const TEMPLATES: &[&str] = &[
    "title = \"a@\"\nauthor = \"b@\"\nsource = \"c@\"\ndescription = \"d@\"\ntags = [\"e@\", \"@\"]\ndomain = \"sliding-tile@\"\n\
     start = \"1 @0\"\n\"k@\" = 1\n[search]\nalgorithm = \"bfs@\"\nheuristic = \"zero@\"\n\"l@\" = 1\n[expect]\noutcome = \"solved@\"\n\"m@\" = 2\n",
    "title = \"t\"\ndomain = \"sliding-tile\"\nstart_file = \"@\"\ngoal = \"@\"\nsurface = \"@\"\nmetric = \"@\"\nrepresentation = \"@\"\n\
     pattern_database = \"@\"\n",
    "title = \"t\"\ndomain = \"klotski\"\nstart = \"a@.\"\ngoal = \".a@\"\nmoves = \"@\"\nmetric = \"@\"\n[shapes]\n\"s@\" = [\"#@\"]\n\
     [pieces]\n\"p@\" = { shape = \"s@\", at = [0, 0], moves = \"@\" }\n",
    "title = \"t\"\ndomain = \"klotski\"\nrows = 1\ncolumns = 2\ngoal = { \"p@\" = [0, 1] }\n[shapes]\n\"s@\" = [\"#\"]\n\
     [pieces]\n\"p@\" = { shape = \"s@\", at = [0, 0] }\n",
    "title = \"t\"\ndomain = \"word-ladder\"\nstart = \"cat@\"\ngoal = \"cot@\"\nwords = [\"cat@\", \"cot@\"]\nedits = [\"change@\"]\n",
    "title = \"t\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"cot\"\nwords = \"@\"\n",
    "title = \"t\"\ndomain = \"maze\"\nmap = \"S@G\"\nmoves = \"@\"\n",
    "title = \"t\"\ndomain = \"maze\"\nmap_file = \"@\"\nstart = [0, 0]\ngoal = [0, 1]\n",
    "title = \"t\"\ndomain = \"permutation\"\nsolved = [\"a@\", \"b\"]\nstart = [\"b\", \"a@\"]\nmetric = \"@\"\nlayout = \"1@ 2\"\n\
     [moves]\n\"T@\" = \"(1 2)@\"\n[colors]\n\"a@\" = \"red@\"\n",
    "title = \"t\"\ndomain = \"permutation\"\nsolved = \"ab@\"\nscramble = \"T@\"\n[moves]\nT = \"(1 2)\"\n",
    "title = \"t\"\ndomain = \"@\"\n",
    "\"@",
    "title = @\n",
    "@ = 1\n[@]\n",
];

/// Templates of valid puzzles.
const VALID_TEMPLATES: &[&str] = &[
    "title = \"</script>]]>'<b onclick='x'>\"\nauthor = \"@\"\nsource = \"@\"\ndescription = \"@\"\ntags = [\"@\"]\n\
     domain = \"sliding-tile\"\nstart = \"1 2 0 3\"\ngoal = \"\\f1 2 3\\u000b0\\u0085\"\n",
    "title = \"</script>]]>'\"\nauthor = \"@\"\ndomain = \"klotski\"\nstart = \"<'&]>.\"\ngoal = \".<....\"\n",
    "title = \"<!-- ]]>\"\ndescription = \"@\"\ndomain = \"word-ladder\"\nstart = \"<b>\"\ngoal = \"<i>\"\nwords = [\"<b>\", \"<i>\"]\n",
    "title = \"&amp;\"\ntags = [\"@\"]\ndomain = \"permutation\"\nsolved = [\"</script>\", \"]]>\", \"'\"]\n\
     start = [\"'\", \"</script>\", \"]]>\"]\n[moves]\nT = \"(1 2 3)\"\n[colors]\n\"</script>\" = \"red\"\n",
    "title = \"-->\"\nsource = \"@\"\ndomain = \"maze\"\nmap = \"S.G\"\n",
];

/// Returns the first character of a text that controls a terminal, changes the text direction or cannot be seen.
fn first_control(text: &str) -> Option<char> {
    let is_unseen =
        |c| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}');
    let changes_direction =
        |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().find(|&c| c != '\n' && (c.is_control() || changes_direction(c) || is_unseen(c)))
}

/// Returns every command that reads a puzzle, with this file.
fn every_command(file: &str) -> Vec<Vec<&str>> {
    let commands: [&[&str]; 25] = [
        &["check", file],
        &["show", file],
        &["list", "."],
        &["solve", file],
        &["solve", file, "--format", "moves", "--stats"],
        &["solve", file, "--format", "json"],
        &["solve", file, "--format", "boards"],
        &["solve", file, file, "--all", "3", "--quiet"],
        &["solve", file, "--heuristic", EVIL],
        &["solve", file, "--notation", EVIL],
        &["explore", file],
        &["explore", file, "--format", "json"],
        &["plan", file, "--machines", "2", "--time-limit", "200ms"],
        &["compare", file, "--no-times"],
        &["compare", file, "--format", "json"],
        &["compare", file, "--format", "csv"],
        &["compare", file, "--format", "svg"],
        &["render", file, "-o", "-", "--format", "svg", "--solution"],
        &["render", file, "-o", "-", "--format", "html"],
        &["scramble", file, "--moves", "2"],
        &["import", file],
        &["verify", file, file],
        &["play", file],
        &["solve", file, EVIL, "--no-such-option"],
        &["show", file, EVIL],
    ];
    commands.iter().map(|arguments| arguments.to_vec()).collect()
}

#[test]
fn no_text_from_a_file_controls_a_terminal() {
    let name = "x\u{1b}[31m\u{202e}\u{9b}<b>.toml";
    let mut texts: Vec<String> = Vec::new();
    for evil in &evil_strings() {
        texts.extend(VALID_TEMPLATES.iter().map(|text| text.replace('@', evil)));
        texts.extend(TEMPLATES.iter().map(|text| text.replace('@', evil)));
    }
    // One `@` at a time, so that no other error hides it.
    for text in TEMPLATES.iter().filter(|text| text.starts_with("title = \"")) {
        let places = text.matches('@').count();
        for place in 0..places {
            let parts: Vec<&str> = text.split('@').collect();
            let one = &evil_strings()[place % 2];
            let with = |(number, part): (usize, &&str)| {
                if number == place { format!("{part}{one}") } else { (*part).to_owned() }
            };
            texts.push(parts.iter().enumerate().map(with).collect());
        }
    }
    let mut runs = 0;
    for (number, text) in texts.iter().enumerate() {
        let here = folder("hostile-names", &[(name, text)]);
        // All commands on the first files, every fifth command on the others.
        let all = every_command(name);
        let some = all
            .iter()
            .enumerate()
            .filter(|(command, _)| number < 2 * VALID_TEMPLATES.len() + TEMPLATES.len() || command % 5 == 0);
        for (_, arguments) in some {
            let mut child = command(&here, arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let words = format!("{EVIL}\nmoves\nhint\n{EVIL} quit\n");
            let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), words.as_bytes());
            let output = child.wait_with_output().unwrap();
            runs += 1;
            for printed in [&output.stdout, &output.stderr] {
                let printed = std::str::from_utf8(printed).expect("output is UTF-8");
                let found = first_control(printed);
                assert!(found.is_none(), "{found:?} is printed by {arguments:?} of\n{text}\n{printed:?}");
            }
        }
    }
    assert!(runs > 900, "{runs} runs");
}

#[test]
fn no_file_name_or_stored_file_controls_a_terminal() {
    let here = folder("hostile-left", &[]);
    fs::create_dir_all(here.join("puzzles")).unwrap();
    fs::create_dir_all(here.join("snapshots")).unwrap();
    fs::create_dir_all(here.join("cache/engine")).unwrap();
    let name = "\u{1b}[2J\u{202e}\u{9b}x";
    fs::write(here.join(format!("puzzles/{name}.toml")), EIGHT).unwrap();
    fs::write(here.join(format!("puzzles/{name}-bad.toml")), "").unwrap();
    fs::write(here.join(format!("snapshots/{name}.snap")), format!("{EVIL}\nold\n")).unwrap();
    fs::write(here.join(format!("snapshots/{name}-orphan.snap")), EVIL).unwrap();
    fs::write(here.join(format!("cache/engine/{name}.pdb")), EVIL).unwrap();
    let commands: [&[&str]; 7] = [
        &["list", "puzzles"],
        &["test", "puzzles"],
        &["test", "puzzles", "--format", "json"],
        &["test", "puzzles", "--format", "junit"],
        &["check", "puzzles"],
        &["cache", "list"],
        &["check", name],
    ];
    for arguments in commands {
        let output = command(&here, arguments).env("XDG_CACHE_HOME", here.join("cache")).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(first_control(&printed), None, "{arguments:?}: {printed:?}");
        assert!(
            printed.contains("\\u001B") || printed.contains("\\u001b"),
            "{arguments:?} does not name the file: {printed}"
        );
    }
}

/// A game whose title has this text in it.
fn game_titled(text: &str) -> String {
    format!(
        "title {text}\n\nOBJECTS\n\nBackground\nblack\n\nPlayer\nred\n\nWall\nblue\n\nTarget\nyellow\n\nLEGEND\n\n. = \
         Background\n# = Wall\np = Player\nt = Target\n\nCOLLISIONLAYERS\n\nBackground\nTarget\nPlayer, \
         Wall\n\nRULES\n\nWINCONDITIONS\n\nAll Player on Target\n\nLEVELS\n\n####\n#pt#\n####\n"
    )
}

#[test]
fn imported_toml_has_the_same_text_and_hides_nothing() {
    let title = "x \u{9b}1m \u{9d} \u{202e} \u{200b} \u{e0041} 'q' \"q\" \\";
    let here = folder("hostile-import", &[("game.txt", &game_titled(title))]);
    let (status, out, stderr) = run(&here, &["import", "game.txt", "--title", "t\u{200d}"]);
    assert_eq!((status, first_control(&out)), (0, None), "{stderr}{out}");
    assert!(out.contains("\\u009B1m \\u009D \\u202E \\u200B \\U000E0041"), "{out}");
    let table: toml::Table = out.parse().expect("TOML");
    assert!(table["source"].as_str().expect("a text").starts_with(&format!("title {title}\n")), "{table:?}");
    assert_eq!(run(&here, &["import", "game.txt", "--title", "t\u{200d}", "-o", "game.toml"]).0, 0);
    assert_eq!(fs::read_to_string(here.join("game.toml")).unwrap(), out, "a file differs from standard output");
    let (status, out, stderr) = run(&here, &["scramble", "game.toml"]);
    assert_eq!(first_control(&(out + &stderr)), None, "{status}");
}

#[test]
fn a_title_with_joined_emojis_and_marks_of_direction_is_read() {
    let title = "\u{1f469}\u{200d}\u{1f680} Space \u{200f}\u{5d0}";
    let here =
        folder("hostile-titles", &[("game.txt", &game_titled(title)), ("five.toml", &EIGHT.replace("Five", title))]);
    for file in ["game.txt", "five.toml"] {
        for arguments in
            [&["solve", file][..], &["solve", file, "--json"], &["check", file], &["show", file], &["play", file]]
        {
            let (status, out, stderr) = run(&here, arguments);
            assert_eq!(
                (status, first_control(&out), first_control(&stderr)),
                (0, None, None),
                "{arguments:?}: {stderr}{out}"
            );
        }
        let (status, page, _) = run(&here, &["render", file, "-o", "-", "--format", "html"]);
        assert_eq!((status, first_control(&page)), (0, None));
        assert!(page.contains("\u{1f469}&#8205;\u{1f680} Space"), "the page does not join the emoji");
    }
    assert!(run(&here, &["solve", "five.toml"]).1.contains("\u{1f469}\\u200D\u{1f680} Space \\u200F\u{5d0}"));
}

#[test]
fn no_text_from_a_file_is_a_tag_or_ends_a_script() {
    for (number, text) in VALID_TEMPLATES.iter().enumerate() {
        let text = text.replace('@', &evil_strings()[0]);
        let here = folder("hostile-tags", &[("p.toml", &text)]);
        let output = |arguments: &[&str]| {
            let (status, out, stderr) = run(&here, arguments);
            assert!(status < 2, "puzzle {number}, {arguments:?}: {stderr}");
            out
        };
        let svgs = [
            output(&["render", "p.toml", "-o", "-", "--format", "svg"]),
            output(&["render", "p.toml", "-o", "-", "--format", "svg", "--solution"]),
            output(&["compare", "p.toml", "--format", "svg", "--no-times"]),
        ];
        for svg in &svgs {
            let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("puzzle {number}: {error}"));
            for node in document.descendants() {
                assert!(!matches!(node.tag_name().name(), "script" | "b" | "i"), "puzzle {number}: {svg}");
                assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on")), "puzzle {number}");
            }
        }
        let page = output(&["render", "p.toml", "-o", "-", "--format", "html"]);
        assert_eq!(page.matches("</script").count(), 2, "puzzle {number}: the page has more than its two scripts");
        assert_eq!(page.matches("<script").count(), 2, "puzzle {number}");
        assert!(!page.contains("<b onclick") && !page.contains("<!--"), "puzzle {number}");
        let data = page
            .split("id=\"film\">")
            .nth(1)
            .and_then(|rest| rest.split("</script>").next())
            .expect("the page has its data");
        assert!(serde_json::from_str::<serde_json::Value>(data).is_ok(), "puzzle {number}: {data}");
    }
}

/// A puzzle whose pattern database the cache stores.
const TWELVE: &str = "title = \"Twelve cells\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 4\nscramble = { seed = 7 }\n\
    pattern_database = \"\"\"\naaa.\naaa.\na...\n\"\"\"\n[search]\nheuristic = \"pattern-database\"\n";

#[test]
fn tables_that_other_users_may_have_written_are_not_trusted() {
    use std::os::unix::fs::PermissionsExt;
    let here = folder("hostile-cache", &[("twelve.toml", TWELVE)]);
    let cache = here.join("cache/engine");
    let solve = |arguments: &[&str]| {
        let mut command = command(&here, &[&["solve", "twelve.toml"], arguments].concat());
        let output = command.env("XDG_CACHE_HOME", here.join("cache")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let good = solve(&["--no-cache"]);
    assert_eq!((good.0, &*good.2), (Some(0), ""));
    assert_eq!(solve(&[]), good, "a cached table changes the output");
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!(
        fs::metadata(&cache).unwrap().permissions().mode() & 0o777,
        0o700,
        "other users have access to the folder"
    );
    let table = fs::read_dir(&cache).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&table).unwrap();

    // The checksum cannot reveal a forged table, so the engine uses no table that other users may write.
    let solves_with_note = |what: &str, why: &str| {
        let (status, out, err) = solve(&[]);
        assert_eq!((status, &out), (good.0, &good.1), "{what}: the answer differs");
        assert!(err.contains(why) && err.starts_with("note: ") && err.lines().count() == 1, "{what}: {err}");
    };
    for bits in [0o770, 0o702, 0o777] {
        mode(&cache, bits);
        solves_with_note("a folder for all", "other users can write to it");
        let listed = command(&here, &["cache", "list"]).env("XDG_CACHE_HOME", here.join("cache")).output().unwrap();
        assert!(String::from_utf8_lossy(&listed.stderr).contains("other users can write to it"));
    }
    mode(&cache, 0o700);
    for bits in [0o620, 0o602] {
        mode(&table, bits);
        solves_with_note("a table for all", "other users can write to it");
        assert!(fs::metadata(&table).unwrap().permissions().mode() & 0o022 == 0, "other users may write the new table");
    }
    assert_eq!(solve(&[]), good);
    // Links, pipes and folders in place of a table.
    fs::write(here.join("elsewhere"), &whole).unwrap();
    fs::remove_file(&table).unwrap();
    symlink(here.join("elsewhere"), &table).unwrap();
    solves_with_note("a link", "is a link");
    assert!(fs::symlink_metadata(&table).unwrap().is_file() && fs::read(here.join("elsewhere")).unwrap() == whole);
    fs::remove_file(&table).unwrap();
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    solves_with_note("a pipe", "is a pipe");
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    let (status, out, err) = solve(&[]);
    assert_eq!((status, &out), (good.0, &good.1));
    assert!(err.contains("is a directory") && err.contains("cannot be stored"), "{err}");
    fs::remove_dir(&table).unwrap();
    // Files of another user, if this user may create them.
    fs::write(&table, &whole).unwrap();
    if std::os::unix::fs::chown(&table, Some(12345), None).is_ok() {
        solves_with_note("another's table", "belongs to another user");
        std::os::unix::fs::chown(&cache, Some(12345), None).unwrap();
        solves_with_note("another's folder", "belongs to another user");
        std::os::unix::fs::chown(&cache, Some(0), None).unwrap();
    }
    // A link to the user's own folder is allowed; a broken link counts as a missing folder.
    fs::rename(&cache, here.join("kept")).unwrap();
    symlink(here.join("kept"), &cache).unwrap();
    assert_eq!(solve(&[]), good);
    fs::remove_file(&cache).unwrap();
    symlink("/nonexistent/folder", &cache).unwrap();
    solves_with_note("a link to nothing", "cannot be stored");
}

#[test]
fn without_a_cache_or_an_environment_the_answer_is_the_same() {
    let here = folder("hostile-nothing", &[("twelve.toml", TWELVE), ("file", "")]);
    let solve = |environment: &[(&str, &Path)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
        command.env_clear().envs(environment.iter().copied()).current_dir(&here).args(["solve", "twelve.toml"]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (good, _) = solve(&[("XDG_CACHE_HOME", &here.join("cache"))]);
    for (home, cache) in [("/nonexistent", ""), ("file", "file"), ("/dev/null", "/dev/null"), ("/proc", "/proc/self")] {
        let home = here.join(home);
        let cache = if cache.is_empty() { home.clone() } else { here.join(cache) };
        let (out, _) = solve(&[("HOME", &home), ("XDG_CACHE_HOME", &cache)]);
        assert_eq!(out, good, "with the home {}", home.display());
    }
    for arguments in [["cache", "list"], ["cache", "clear"]] {
        let mut command = command(&here, &arguments);
        let output = command.env("XDG_CACHE_HOME", here.join("file")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    fs::create_dir_all(here.join("taken")).unwrap();
    fs::write(here.join("taken/engine"), "").unwrap();
    let output = command(&here, &["cache", "list"]).env("XDG_CACHE_HOME", here.join("taken")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("taken/engine: "), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_reports_a_full_disk_without_a_panic() {
    let here = folder("hostile-full", &[("five.toml", EIGHT), ("moves", "1l\n"), ("board", "2\n1 2 3 0\n")]);
    fs::create_dir_all(here.join("puzzles")).unwrap();
    fs::write(here.join("puzzles/five.toml"), EIGHT).unwrap();
    let commands: [&[&str]; 23] = [
        &["solve", "five.toml"],
        &["solve", "five.toml", "--format", "json"],
        &["check", "five.toml"],
        &["test", "puzzles"],
        &["test", "puzzles", "--format", "junit"],
        &["list", "puzzles"],
        &["show", "five.toml"],
        &["play", "five.toml"],
        &["domains"],
        &["domains", "klotski"],
        &["schema"],
        &["explore", "five.toml"],
        &["plan", "five.toml", "--machines", "2"],
        &["compare", "five.toml", "--node-limit", "100"],
        &["import", "board"],
        &["render", "five.toml", "-o", "-", "--format", "svg"],
        &["cache", "list"],
        &["scramble", "five.toml"],
        &["verify", "five.toml", "moves"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ];
    for arguments in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&here, arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked") && output.status.code().is_some(), "{arguments:?}: {stderr}");
        let by_clap = arguments[0].starts_with("--");
        assert!(
            by_clap || output.status.code() == Some(2) && stderr.contains("No space left"),
            "{arguments:?}: {output:?}"
        );
    }
    let outputs: [&[&str]; 7] = [
        &["solve", "five.toml", "-o", "/dev/full"],
        &["explore", "five.toml", "-o", "/dev/full"],
        &["plan", "five.toml", "--machines", "2", "-o", "/dev/full"],
        &["explore", "five.toml", "--plot", "/dev/full"],
        &["compare", "five.toml", "-o", "/dev/full", "--node-limit", "100"],
        &["import", "board", "-o", "/dev/full"],
        &["render", "five.toml", "-o", "/dev/full", "--format", "png"],
    ];
    for arguments in outputs {
        let (status, _, stderr) = run(&here, arguments);
        assert!(status == 2 && stderr.contains("/dev/full: cannot be written"), "{arguments:?}: {status} {stderr}");
    }
    // Not even root can create files in this folder.
    for arguments in [["solve", "five.toml", "-o", "/proc/self/x"], ["import", "board", "-o", "/proc/self/x"]] {
        let (status, _, stderr) = run(&here, &arguments);
        assert!(status == 2 && stderr.contains("/proc/self/x: cannot be written"), "{stderr}");
    }
    // Standard error itself may be full.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&here, &["solve", "no.toml"]).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Returns files that are large, deeply nested or contain large numbers: name, whether the file is a valid puzzle,
/// text.
fn costly_files() -> Vec<(&'static str, bool, String)> {
    const MIB: usize = 1 << 20;
    let tiles = |rest: &str| format!("title = \"x\"\ndomain = \"sliding-tile\"\n{rest}");
    let blocks = |rest: &str| format!("title = \"x\"\ndomain = \"klotski\"\n{rest}");
    let ladder = |rest: &str| format!("title = \"x\"\ndomain = \"word-ladder\"\nstart = \"a1\"\ngoal = \"a2\"\n{rest}");
    let moves = |rest: &str| format!("title = \"x\"\ndomain = \"permutation\"\n{rest}");
    let many = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let long = "x".repeat(8 * MIB);
    let letters = |number: usize| number.to_string().bytes().map(|digit| char::from(digit + 49)).collect::<String>();
    vec![
        ("brackets", false, tiles(&format!("a = {}", "[".repeat(MIB)))),
        ("nested", false, tiles(&format!("a = {}{}", "[".repeat(MIB), "]".repeat(MIB)))),
        ("inline", false, tiles(&format!("a = {}1{}", "{a=".repeat(MIB), "}".repeat(MIB)))),
        ("dotted", false, tiles(&format!("a{} = 1", ".a".repeat(MIB)))),
        ("header", false, tiles(&format!("[a{}]", ".a".repeat(MIB)))),
        ("zeros", false, tiles(&format!("a = [{}]", "0,".repeat(7 * MIB)))),
        ("a-million", false, tiles(&format!("a = [{}]", "0,".repeat(MIB / 2 - 20)))),
        ("tables", false, tiles(&format!("a = [{}]", "{},".repeat(MIB / 3 - 20)))),
        ("arrays-of-tables", false, tiles(&"[[a]]\n".repeat(MIB / 6))),
        ("unknown", false, tiles(&many(200_000, &|number| format!("k{number} = 0\n")))),
        ("the-same", false, "a = 1\n".repeat(MIB)),
        ("garbage", false, "= = =\n".repeat(2 * MIB)),
        ("quotes", false, "\"\n".repeat(7 * MIB)),
        ("one-line", false, tiles(&format!("a = \"{long}\" b\n"))),
        ("long-tile", false, tiles(&format!("start = \"{long}\"\n"))),
        ("long-key", false, tiles(&format!("\"{long}\" = 1\n"))),
        ("long-domain", false, format!("title = \"x\"\ndomain = \"{long}\"\n")),
        ("long-names", false, tiles(&format!("start = \"1 0\"\nsurface = \"{long}\"\n[search]\nheuristic = \"z\"\n"))),
        ("long-algorithm", false, tiles(&format!("start = \"1 0\"\n[search]\nalgorithm = \"{long}\"\n"))),
        (
            "numbers",
            false,
            tiles(
                "rows = 1000000000000000000\ncolumns = -3\nscramble = { moves = 1e9, seed = 99999999999999999999 }\n",
            ),
        ),
        ("dates", false, tiles("start = 1979-05-27T07:32:00Z\nrows = 1.5\ncolumns = inf\nscramble = nan\n")),
        ("walk", false, tiles("rows = 4\ncolumns = 4\nscramble = { moves = 4294967295, seed = 1 }\n")),
        ("weight", false, tiles("start = \"1 0\"\n[search]\nweight = 1e308\ndepth_limit = 4294967296\n")),
        ("deepest", true, tiles("start = \"1 0\"\n[search]\nalgorithm = \"dfs\"\ndepth_limit = 4294967295\n")),
        ("board-file", false, tiles("start_file = \"board\"\n")),
        (
            "map-file",
            false,
            "title = \"x\"\ndomain = \"maze\"\nmap_file = \"map\"\nstart = [0, 0]\ngoal = [0, 1]\n".to_owned(),
        ),
        (
            "map",
            false,
            format!("title = \"x\"\ndomain = \"maze\"\nmap = '''\n{}'''\n", ("y".repeat(2000) + "\n").repeat(2000)),
        ),
        ("words", false, ladder(&format!("words = [{}]\n", many(1_000_000, &|number| format!("\"a{number}\","))))),
        (
            "half-the-words",
            true,
            ladder(&format!("words = [{}]\n", many(500_000, &|number| format!("\"a{number}\",")))),
        ),
        ("no-words", false, ladder(&format!("words = [{}]\n", "\"\",".repeat(MIB / 2 - 20)))),
        ("word-file", true, ladder("words = \"words\"\n")),
        (
            "pieces",
            false,
            blocks(&format!(
                "rows = 9\ncolumns = 9\ngoal = {{ p0 = [0, 0] }}\n[shapes]\ns = [\"#\"]\n[pieces]\n{}",
                many(50_000, &|number| format!("p{number} = {{ shape = \"s\", at = [0, {number}] }}\n"))
            )),
        ),
        (
            "wrong-pieces",
            false,
            blocks(&format!(
                "rows = 9\ncolumns = 9\ngoal = {{ p0 = [0, 0] }}\n[shapes]\ns = [\"#\"]\n[pieces]\n{}",
                many(50_000, &|number| format!("p{number} = {{ shape = {number}, at = [0, 0] }}\n"))
            )),
        ),
        ("goals", true, blocks(&format!("start = \"a.\"\ngoal = [{}]\n", "\".a\",".repeat(100_000)))),
        ("walls", false, blocks(&format!("start = \"a.\"\ngoal = \".a\"\nwalls = [{}]\n", "[0,0],".repeat(170_000)))),
        (
            "unseen",
            false,
            blocks(&format!("start = '''\n{}'''\ngoal = \"a\"\n", ("\u{200b}".repeat(1000) + "\n").repeat(2000))),
        ),
        (
            "places",
            false,
            moves(&format!(
                "solved = [{}]\nscramble.seed = 1\n[moves]\nT = \"(1 2)\"\n",
                many(500_000, &|number| format!("{number},"))
            )),
        ),
        (
            "generators",
            false,
            moves(&format!(
                "solved = \"abcdefgh\"\nscramble.seed = 1\n[moves]\n{}",
                many(100_000, &|number| format!("{} = \"(1 {})\"\n", letters(number), number % 7 + 2))
            )),
        ),
        (
            "cycles",
            false,
            moves(&format!("solved = \"abcd\"\nscramble.seed = 1\n[moves]\nT = \"{}\"\n", "(1 2)".repeat(MIB))),
        ),
        (
            "letters",
            false,
            moves(&format!("solved = \"abcd\"\nscramble = \"{}\"\n[moves]\nT = \"(1 2)\"\n", "x ".repeat(4 * MIB))),
        ),
        (
            "layout",
            false,
            moves(&format!(
                "solved = \"ab\"\nscramble.seed = 1\nlayout = \"1 2{}\"\n[moves]\nT = \"(1 2)\"\n",
                " .".repeat(6 * MIB)
            )),
        ),
        (
            "gap",
            false,
            moves(&format!(
                "solved = \"ab\"\nscramble.seed = 1\nlayout = \"1{}2\"\n[moves]\nT = \"(1 2)\"\n",
                " ".repeat(12 * MIB)
            )),
        ),
        ("label", false, moves(&format!("solved = [\"{long}\", 1]\nscramble.seed = 1\n[moves]\nT = \"(1 2)\"\n"))),
        ("far", false, moves("solved = \"ab\"\nscramble = { moves = 4294967295, seed = 1 }\n[moves]\nT = \"(1 2)\"\n")),
        (
            "colours",
            false,
            moves(&format!(
                "solved = \"ab\"\nscramble.seed = 1\n[moves]\nT = \"(1 2)\"\n[colors]\n{}",
                many(150_000, &|number| format!("c{number} = \"red\"\n"))
            )),
        ),
        (
            "large-group",
            true,
            moves(&format!(
                "metric = \"generator\"\nsolved = [{}]\nscramble = {{ moves = 30, seed = 1 }}\n[moves]\n{}",
                many(1000, &|number| format!("{number},")),
                (1..40)
                    .map(|step| {
                        let cycle: Vec<String> = (0..997).map(|at| (at * step % 997 + 1).to_string()).collect();
                        format!("{} = \"({})(998 {})\"\n", letters(step), cycle.join(" "), 999 + step % 2)
                    })
                    .collect::<String>()
            )),
        ),
    ]
}

#[test]
fn no_file_takes_more_than_a_minute_or_768_mib() {
    let here = folder(
        "hostile-costly",
        &[("board", "32768 32768\n1 2 3\n"), ("map", "type octile\nheight 32768\nwidth 3000\nmap\n...\n")],
    );
    fs::write(here.join("words"), (0..1_000_000).map(|number| format!("a{number}\n")).collect::<String>()).unwrap();
    let runs = costly_files().into_par_iter().map(|(name, good, text)| {
        let mut slow = Vec::new();
        let file = format!("{name}.toml");
        fs::write(here.join(&file), text).unwrap();
        for arguments in
            [&["check", &*file][..], &["show", &file], &["solve", "--node-limit", "1000", "--format", "moves", &file]]
        {
            let mut limited = Command::new("sh");
            let script = "ulimit -v 786432 2> /dev/null; exec \"$@\" > \"$0.out\" 2> \"$0.err\"";
            limited.args(["-c", script, name, env!("CARGO_BIN_EXE_engine")]).args(arguments).current_dir(&here);
            let started = Instant::now();
            let (status, _) = end_within(60, &mut limited);
            let seconds = started.elapsed().as_secs_f64();
            if seconds > 1.0 {
                slow.push(format!("{name} {}: {seconds:.1} s", arguments[0]));
            }
            let whole = fs::read_to_string(here.join(format!("{name}.err"))).unwrap();
            let shown: String = whole.chars().take(500).collect();
            assert!(
                if good { matches!(status, 0 | 1 | 3) } else { matches!(status, 2 | 3) },
                "{name}, {}: {status}: {shown}",
                arguments[0]
            );
            assert!(whole.len() < 100_000, "{name}: {} bytes of errors: {shown}", whole.len());
            assert!(good || whole.contains(&file), "{name}: {shown}");
            assert!(!whole.contains("panicked") && !whole.contains("memory allocation"), "{name}: {shown}");
            if !good {
                break;
            }
        }
        fs::remove_file(here.join(file)).unwrap();
        slow
    });
    let slow: Vec<String> = runs.flatten().collect();
    println!("slow: {slow:#?}");
}

/// Symbols that occur once and move by themselves become variables for their places, one after the other.
#[test]
fn looking_for_warnings_ends_at_a_limit() {
    let symbols: String = ('一'..).take(60).collect();
    let cells = ".".repeat(12 * 13 - 60) + &symbols;
    let cells: Vec<char> = cells.chars().collect();
    let rows: String = cells.chunks(13).map(|row| row.iter().collect::<String>() + "\n").collect();
    let names: Vec<String> = symbols.chars().map(|symbol| format!("\"{symbol}\"")).collect();
    let text = format!(
        "title = \"x\"\ndomain = \"rules\"\nstart = \"\"\"\n{rows}\"\"\"\ngoal = {{ count = {{ \".\" = 1 }} }}\n\
         [[rules]]\nname = \"go {{n}} {{at}}\"\nfor = {{ n = [{}] }}\nfrom = \"n.\"\nto = \".n\"\nturns = true\n",
        names.join(", ")
    );
    let puzzle = Puzzle::parse(&text, "symbols.toml").unwrap_or_else(|report| panic!("{report}"));
    let elapsed = |work: &dyn Fn()| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let limited = elapsed(&|| {
        let stopped = puzzle.warnings_within(&BuildContext::within(&limits)).err();
        assert_eq!(stopped.and_then(|report| report.limit()), Some(Limit::Time));
    });
    // What a limit ended is not kept.
    let unlimited = elapsed(&|| assert!(puzzle.warnings().diagnostics().is_empty()));
    assert!(4 * limited < unlimited, "{limited:?} of {unlimited:?}");
}
