//! Tests hostile PuzzleScript games: endless turns, rules and names that stand for billions, huge boards. Each must end
//! soon, within bounded memory, and with a result or an error.

use crate::files::end_within;
use crate::support::program::{command, folder, wait_for_interrupt_handler};
use rayon::prelude::*;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The sections of a game. Each test replaces some of them.
#[derive(Clone)]
struct Game {
    objects: String,
    legend: String,
    layers: String,
    rules: String,
    levels: String,
}

fn game() -> Game {
    Game {
        objects: "Background\nGreen\n\nWall\nBrown\n\nPlayer\nBlue\n\nCrate\nOrange\n\nMark\nRed\n".to_owned(),
        legend: ". = Background\n# = Wall\nP = Player\n* = Crate\nO = Mark\n".to_owned(),
        layers: "Background\nMark\nPlayer, Wall, Crate\n".to_owned(),
        rules: "[ > Player | Crate ] -> [ > Player | > Crate ]\n".to_owned(),
        levels: "#######\n#P.*.O#\n#######\n".to_owned(),
    }
}

impl Game {
    fn text(&self) -> String {
        let Game { objects, legend, layers, rules, levels } = self;
        format!(
            "title t\n\nOBJECTS\n\n{objects}\nLEGEND\n\n{legend}\nSOUNDS\n\nCOLLISIONLAYERS\n\n{layers}\nRULES\n\n{rules}\n\
             WINCONDITIONS\n\nall Mark on Crate\n\nLEVELS\n\n{levels}"
        )
    }
}

/// A board of this many cells a side, with a crate on every second cell.
fn board(side: usize) -> String {
    let inner = |row: usize| (0..side - 2).map(move |at| if (at + row).is_multiple_of(2) { '.' } else { '*' });
    let rows = (0..side - 2).map(|row| format!("#{}#\n", inner(row).collect::<String>()));
    let rows: String = rows.collect::<String>().replacen("#.*", "#P.", 1).replacen(".*#", ".O#", 1);
    let wall = "#".repeat(side) + "\n";
    format!("{wall}{rows}{wall}")
}

/// A cell of a rule, this many times.
fn row(cell: &str, times: usize) -> String {
    format!("[ {} ]", vec![cell; times].join(" | "))
}

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Rules that take a turn for ever, or nearly.
fn endless_rules() -> [(&'static str, String); 3] {
    let spread = "[ Crate | no Crate no Wall no Player ] -> [ | Crate ]\n";
    [
        ("a loop in which crates wander", format!("startloop\n{spread}[ Mark ] -> [ ]\n[ Player ] -> [ Player Mark ]\nendloop\n")),
        ("a thousand rules in a loop", format!("startloop\n{}endloop\n", spread.repeat(1000))),
        (
            "a loop whose rules undo each other",
            "startloop\nright [ Crate | no Crate ] -> [ | Crate ]\nright [ no Crate | Crate ] -> [ Crate | ]\nendloop\n".into(),
        ),
    ]
}

/// Games that ask for more than their text is long, or for much of one kind.
fn large_games() -> Vec<(&'static str, String)> {
    let usual = game();
    let legend = |lines: String| Game { legend: usual.legend.clone() + &lines, ..usual.clone() };
    let rules = |rules: String| Game { rules, ..usual.clone() };
    let levels = |levels: String| Game { levels, ..usual.clone() };
    let objects = |count: usize| Game {
        objects: usual.objects.clone() + &numbered(count, |index| format!("\nobject{index}\nRed\n")),
        layers: usual.layers.clone() + &numbered(count, |index| format!("object{index}\n")),
        ..usual.clone()
    };
    let any = "A = Wall or Mark\n".to_owned();
    let doubled = |word: &str| {
        let first = format!("q0 = Crate {word} Mark\n");
        first + &numbered(60, |index| format!("q{} = q{index} {word} q{index}\n", index + 1))
    };
    let name = "n".repeat(1 << 20);
    let games = [
        ("a comment without end", rules("(\n".repeat(100_000))),
        ("nested comments", rules("(".repeat(500_000) + &")".repeat(500_000) + "\n")),
        (
            "names in terms of each other",
            legend("a = b\nb = a\nc = d or e\nd = e or c\ne = c or d\nf = f or f\n".into()),
        ),
        ("properties that double", legend(doubled("or"))),
        ("aggregates that double", legend(doubled("and"))),
        (
            "a long chain of synonyms",
            legend(numbered(50_000, |index| match index {
                0 => "s0 = Wall\n".to_owned(),
                _ => format!("s{index} = s{}\n", index - 1),
            })),
        ),
        ("a name in terms of itself, often", legend(format!("q = {}\n", vec!["q"; 100_000].join(" or ")))),
        (
            "a long name",
            Game {
                objects: format!("{}\n{name}\nRed\n", usual.objects),
                layers: format!("{}{name}\n", usual.layers),
                ..usual.clone()
            },
        ),
        ("ten thousand objects", objects(10_000)),
        ("too many objects", objects(30_000)),
        ("too many cells for the objects", Game { levels: board(400), ..objects(10_000) }),
        (
            "rules of ten thousand objects",
            Game {
                rules: numbered(9999, |index| format!("[ > object{index} | object{} ] -> [ | ]\n", index + 1)),
                ..objects(10_000)
            },
        ),
        (
            "properties in many cells",
            Game { rules: format!("{} -> {}\n", row("A", 30), row("> A", 30)), ..legend(any) },
        ),
        ("movements in many cells", rules(format!("{} -> {}\n", row("moving Crate", 20), row("moving Wall", 20)))),
        ("a rule of many cells", rules(format!("{} -> {}\n", row("Crate", 50_000), row("Crate", 50_000)))),
        ("a cell of many names", rules(format!("[ {}] -> [ ]\n", "no Crate ".repeat(100_000)))),
        ("many commands", rules(format!("[ Player ] -> {}\n", "again ".repeat(200_000)))),
        (
            "a chain of `+`",
            rules(
                "[ > Player | Crate ] -> [ > Player | > Crate ]\n".to_owned()
                    + &"+ [ > Player | Crate ] -> [ > Player | > Crate ]\n".repeat(50_000),
            ),
        ),
        ("many loops", rules("startloop\n[ Crate ] -> [ Crate ]\nendloop\n".repeat(30_000))),
        ("loops that begin and never end", rules("startloop\n".repeat(100_000))),
        ("one long line", rules(format!("[ {}\n", "x".repeat(8 << 20)))),
        ("a row of 100,000 cells", levels(format!("P*O{}\n", ".".repeat(100_000)))),
        ("a level of 8 MiB", levels(("#".repeat(4095) + "\n").repeat(2048))),
        ("one long row and many short ones", levels(format!("{}\n{}", ".".repeat(100_000), ".\n".repeat(100_000)))),
        (
            "a row of crates that moves at once",
            Game {
                rules: "[ moving Player ] [ Crate ] -> [ moving Player ] [ > Crate ]\n".into(),
                levels: format!("P{}.\n", "*".repeat(300_000)),
                ..usual.clone()
            },
        ),
        ("many levels", levels("#######\n#P.*.O#\n#######\n\n".repeat(300))),
        ("many messages", levels("message x\n".repeat(300_000) + "\nP*O\n")),
        (
            "a thin sprite",
            Game {
                objects: format!("{}\nThin\nRed\n{}", usual.objects, "0\n".repeat(300_000)),
                layers: format!("{}Thin\n", usual.layers),
                ..usual.clone()
            },
        ),
    ];
    games.into_iter().map(|(what, game)| (what, game.text())).collect()
}

/// Games whose turns, facts or names take far more than their text is long.
fn bombs() -> Vec<(&'static str, String)> {
    let usual = game();
    let rules = |rules: &str, levels: String| Game { rules: rules.to_owned(), levels, ..usual.clone() };
    let crates = |count: usize| format!("P{}\n", "*".repeat(count));
    let floor = |width: usize, height: usize| {
        format!("P{}\n", ".".repeat(width - 1)) + &(".".repeat(width) + "\n").repeat(height - 1)
    };
    let objects = |count: usize, parted: &str| Game {
        objects: usual.objects.clone() + &numbered(count, |index| format!("\nobject{index}\nRed\n")),
        layers: usual.layers.clone() + &numbered(count, |index| format!("object{index}{parted}")) + "\n",
        ..usual.clone()
    };
    let any_of = |count: usize| (0..count).map(|index| format!("object{index}")).collect::<Vec<_>>().join(" or ");
    let two_ellipses = "[ Crate | ... | Crate | ... | Crate ] -> [ Crate | ... | Crate | ... | > Crate ]\n";
    let message = "m".repeat(90_000);
    let undeclared = |name: &str, of: &str| format!("{name} = {}\n", vec![of; 400].join(" or "));
    let games = [
        ("two ellipses", rules(two_ellipses, crates(1500))),
        ("two ellipses in a random rule", rules(&format!("random {two_ellipses}"), crates(1500))),
        ("an ellipsis in a long row", rules("[ Crate | ... | Crate ] -> [ Crate | ... | Mark ]\n", crates(100_000))),
        (
            "fifty rows",
            rules(&format!("{}-> {}\n", "[ Background ] ".repeat(50), "[ > Background ] ".repeat(50)), floor(300, 300)),
        ),
        (
            "four thousand rows",
            rules(&format!("{}-> {}\n", "[ Player ] ".repeat(4000), "[ > Player ] ".repeat(4000)), floor(9, 9)),
        ),
        (
            "a row of thousands of cells",
            rules(&format!("{} -> {}\n", row("Background", 3500), row("Background", 3500)), floor(7000, 20)),
        ),
        ("a long corridor", rules("[ > Player | Crate ] -> [ > Player | > Crate ]\n", floor(30_000, 1))),
        (
            "long messages again and again",
            rules(
                &format!(
                    "[ Player no Mark ] -> [ Player Mark ] again message {message}\n[ Player Mark ] -> [ Player ] again message {message}\n"
                ),
                floor(5, 1),
            ),
        ),
        (
            "a long message for each of many rules",
            Game {
                legend: usual.legend.clone() + "Any = Wall or Mark or Crate\n",
                ..rules(&format!("{} -> {} message {message}\n", row("Any", 6), row("> Any", 6)), floor(5, 5))
            },
        ),
        (
            "properties of thousands of objects",
            Game {
                legend: usual.legend.clone()
                    + &numbered(20, |index| format!("Any{index} = {}\n", any_of(5000 - index))),
                rules: numbered(20, |index| format!("[ > Player | Any{index} ] -> [ > Player | > Any{index} ]\n")),
                levels: floor(60, 60),
                ..objects(5000, ", ")
            },
        ),
        (
            "names in terms of names that come later",
            Game {
                legend: usual.legend.clone()
                    + &[("aa", "bb"), ("bb", "cc"), ("cc", "dd"), ("dd", "ee"), ("ee", "dd")]
                        .map(|(name, of)| undeclared(name, of))
                        .concat()
                    + "x = aa or aa\n",
                ..usual.clone()
            },
        ),
        (
            "a long name that doubles",
            Game {
                objects: format!("{}\n{}\nRed\n", usual.objects, "n".repeat(900)),
                layers: format!("{}{}\n", usual.layers, "n".repeat(900)),
                legend: format!("{}q0 = {} or Wall\n", usual.legend, "n".repeat(900))
                    + &numbered(40, |index| format!("q{} = q{index} or q{index}\n", index + 1)),
                ..usual.clone()
            },
        ),
        ("brackets", rules(&("[".repeat(1_000_000) + "\n"), floor(5, 1))),
        ("bars", rules(&format!("[ {} ] -> [ ]\n", "| ".repeat(45_000)).repeat(20), floor(5, 1))),
        ("colours", Game { objects: usual.objects.replace("Orange", &"#fff ".repeat(200_000)), ..usual.clone() }),
        (
            "further names of an object",
            Game {
                objects: usual.objects.replace("Crate\n", &format!("Crate {}\n", "c ".repeat(500_000))),
                ..usual.clone()
            },
        ),
        (
            "one object in many layers",
            Game { layers: usual.layers.clone() + &"Mark\n".repeat(300_000), ..usual.clone() },
        ),
    ];
    games.into_iter().map(|(what, game)| (what, game.text())).collect()
}

/// Runs a command to its end. Returns the status, the errors, and the peak of its resident memory in MiB if the system
/// reports it.
fn run_with_peak(command: &mut Command) -> (i32, String, u64) {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program runs");
    let (path, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().expect("the child's status can be read").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        // The first one may be that of this process, whose memory the child shares until it runs the program.
        peak = most.and_then(|most| most.parse::<u64>().ok()).map_or(peak, |kib| kib >> 10);
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("the child has ended");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned(), peak)
}

#[test]
fn every_command_ends_within_its_limits_on_games_that_explode() {
    let limits = ["--time-limit", "1s", "--memory-limit", "300MiB"];
    bombs().into_par_iter().for_each(|(what, text)| {
        let here = folder(&format!("hostile-bombs/{what}"), &[("game.txt", &text)]);
        let commands: [&[&str]; 5] = [
            &["solve", "game.txt", "--format", "moves"],
            &["explore", "game.txt", "--level", "1"],
            &["check", "game.txt"],
            &["show", "game.txt", "--level", "1"],
            &["list", "game.txt"],
        ];
        for arguments in commands {
            let all = [arguments, &limits[..]].concat();
            let started = Instant::now();
            let (status, stderr, peak) = run_with_peak(&mut command(&here, &all));
            let (seconds, name) = (started.elapsed().as_secs_f64(), arguments[0]);
            check_end(what, (status, stderr));
            println!("{what}, {name}: {seconds:.1} s, {peak} MiB, status {status}");
            assert!(seconds < 6.0, "{what}, {name}: {seconds:.1} s");
            assert!(peak <= 360, "{what}, {name}: {peak} MiB");
        }
    });
}

/// Checks that a command ends without a crash.
fn check_end(what: &str, (status, stderr): (i32, String)) {
    assert!((0..=3).contains(&status), "{what}: status {status}, {}", stderr.chars().take(500).collect::<String>());
}

#[test]
fn games_that_ask_for_much_end_soon_in_bounded_memory() {
    for (what, text) in large_games() {
        let here = folder("hostile-games", &[("game.txt", &text)]);
        // 2 GiB of addresses: as memory in use, about half of that.
        let limited = format!("ulimit -v {}; exec \"$@\"", 2 << 20);
        let engine =
            command(&here, &["solve", "game.txt", "--format", "moves", "--time-limit", "1s", "--threads", "1"]);
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, "sh"]).arg(engine.get_program()).args(engine.get_args()).current_dir(&here);
        let started = Instant::now();
        check_end(what, end_within(30, &mut shell));
        println!("{what}: {:?}", started.elapsed());
    }
}

#[test]
fn a_time_limit_ends_a_turn_that_never_ends() {
    for (what, rules) in endless_rules() {
        let here = folder("hostile-turns", &[("game.txt", &Game { rules, levels: board(150), ..game() }.text())]);
        let started = Instant::now();
        let (status, stderr) = end_within(30, &mut command(&here, &["solve", "game.txt", "--time-limit", "500ms"]));
        assert_eq!(status, 3, "{what}: {stderr}");
        assert!(started.elapsed() < Duration::from_secs(5), "{what} took {:?}", started.elapsed());
    }
}

#[test]
fn an_interrupt_ends_a_turn_that_never_ends() {
    let [(_, rules), ..] = endless_rules();
    let start = "run_rules_on_level_start\n";
    let text = Game { rules, levels: board(500), ..game() }.text();
    // Before the first press, and within one.
    for text in [text.clone(), start.to_owned() + &text] {
        let here = folder("hostile-interrupt", &[("game.txt", &text)]);
        let mut solve = command(&here, &["solve", "game.txt"]);
        let mut child = solve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
        wait_for_interrupt_handler(&child);
        std::thread::sleep(Duration::from_millis(300));
        let sent = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
        let status = child.wait().expect("the child's status can be read");
        assert_eq!(status.code(), Some(130));
        assert!(sent.elapsed() < Duration::from_secs(3), "it ended {:?} after the interrupt", sent.elapsed());
    }
}

#[test]
fn bytes_that_are_no_text_of_a_game_are_read_or_refused() {
    let text = game().text();
    let here = folder("hostile-bytes", &[]);
    let solve = |name: &str, bytes: &[u8]| {
        fs::write(here.join(name), bytes).expect("the file can be written");
        let puzzle = format!("title = \"t\"\ndomain = \"puzzlescript\"\ngame = \"{name}\"\n");
        fs::write(here.join("game.toml"), puzzle).expect("the file can be written");
        [name, "game.toml"].map(|file| end_within(20, &mut command(&here, &["solve", file, "--format", "moves"])))
    };
    let same = [
        ("crlf.txt", text.replace('\n', "\r\n")),
        ("bom.txt", format!("\u{feff}{text}")),
        ("tabs.txt", text.replace(' ', "\t")),
        ("upper.txt", text.to_uppercase()),
    ];
    for (name, text) in same {
        for (status, stderr) in solve(name, text.as_bytes()) {
            assert_eq!(status, 0, "{name}: {stderr}");
        }
    }
    let [_, (status, stderr)] = solve("latin.txt", &[text.as_bytes(), b"\nmessage \xff\n"].concat());
    assert!(status == 2 && stderr.contains("is not UTF-8"), "{stderr}");
    for (name, text) in
        [("nul.txt", text.replace("title t", "title \0t")), ("control.txt", text.replace("Mark", "M\u{1b}[31m"))]
    {
        for ended in solve(name, text.as_bytes()) {
            assert!(!ended.1.contains(['\0', '\u{1b}']), "{name}: {}", ended.1);
            check_end(name, ended);
        }
    }
}
