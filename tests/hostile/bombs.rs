//! Tests limits on bombs: small files that ask for much, in every language that the program reads.
//!
//! Whatever the file, a command ends soon after its time limit and near its memory limit, with a status that people can
//! rely on, and leaves nothing behind. Where work forgets its limits, the wall behind them ends it.

use crate::support::program::{EIGHT, folder, measure};
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

/// The limits of each command. A file takes at most a tenth more memory, and a second more time.
const TIME: &str = "400ms";
const MEMORY: &str = "300MiB";
const MOST_BYTES: u64 = 330 << 20;

/// The time limit, a second for the wall, and what a loaded machine adds: starting, freeing the memory.
const MOST_TIME: Duration = Duration::from_millis(400 + 1000 + 4000);

/// Returns `count` lines.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Returns rows of one character.
fn rows(height: usize, width: usize, symbol: char) -> String {
    lines(height, |_| symbol.to_string().repeat(width) + "\n")
}

fn rules(keys: &str) -> String {
    format!("title = \"x\"\ndomain = \"rules\"\n{keys}")
}

/// Returns a game in PuzzleScript with these rules, and one level.
fn game(objects: &str, legend: &str, rules: &str, level: &str) -> String {
    format!(
        "title x\n\nOBJECTS\n\nBackground\nblack\n\nPlayer\nred\n\nCrate\ngreen\n\nTarget\nblue\n\n{objects}\nLEGEND\n\n\
         . = Background\nP = Player\n* = Crate\nO = Target\n{legend}\nSOUNDS\n\nCOLLISIONLAYERS\n\nBackground\nTarget\n\
         Player, Crate\n\nRULES\n\n{rules}\n\nWINCONDITIONS\n\nAll Target on Crate\n\nLEVELS\n\n{level}\n"
    )
}

/// Returns the bombs: names of files, and their texts.
fn bombs() -> Vec<(&'static str, String)> {
    let peg = "goal = { count = { o = 1 } }\n";
    let hop = "[[rules]]\nname = \"j\"\nfrom = \"oo.\"\nto = \"..o\"\nturns = true\nmirror = true\n";
    let variables = |count: usize, most: usize| {
        let names = (0..count).map(|number| format!("v{number} = 0")).collect::<Vec<_>>().join(", ");
        let sum = (0..count).map(|number| format!("v{number}")).collect::<Vec<_>>().join(" + ");
        let ranges = lines(count, |number| format!("v{number} = \"0..{most}\"\n"));
        let add = "[[rules]]\nname = \"a\"\nthen = { v0 = \"v0 + 1\" }\n";
        format!("start = {{ {names} }}\ngoal = \"{sum} == {}\"\n[variables]\n{ranges}{add}", most * count / 2)
    };
    let family = "[[rules]]\nname = \"f {a} {b} {c} {d}\"\nfor = { a = \"0..99\", b = \"0..99\", c = \"0..99\", d = \"0..99\" }\n\
                  when = \"v != a + b * c - d\"\nthen = { v = \"(a + b + c + d) % 9\" }\n";
    let nested = (0..12).fold("v == 1".to_owned(), |inner, depth| format!("any({inner} for i{depth} in 0..99)"));
    let shapes = lines(1, |_| "[shapes]\ns = [\"#\"]\n".to_owned());
    let pieces = |side: usize| {
        let at =
            |number: usize| format!("p{number} = {{ shape = \"s\", at = [{}, {}] }}\n", number / side, number % side);
        lines(side * side - 1, at)
    };
    let goals = (0..32).map(|column| format!("[0, {column}]")).collect::<Vec<_>>().join(", ");
    let cycle = |length: usize| (1..=length).map(|place| place.to_string()).collect::<Vec<_>>().join(" ");
    let places = |length: usize| (1..=length).map(|place| place.to_string()).collect::<Vec<_>>().join(", ");
    let long = "ab".repeat(400_000);
    let many = lines(400, |number| format!("Thing{number}\nred\n\n"));
    let all = (0..400).map(|number| format!("Thing{number}")).collect::<Vec<_>>().join(" or ");
    let level = format!("P{}", "*".repeat(900));
    let sokoban = "#######\n#@ $ .#\n#  $ .#\n#######\n\n";
    let mut bombs = vec![
        ("family.toml", rules(&format!("start = {{ v = 0 }}\ngoal = \"v == 7\"\n[variables]\nv = \"0..9\"\n{family}"))),
        ("sums.toml", rules(&variables(40, 249))),
        ("many-values.toml", rules(&variables(6, 9999))),
        (
            "quantifiers.toml",
            rules(&format!(
                "start = {{ v = 0 }}\ngoal = \"{nested}\"\n[variables]\nv = \"0..9\"\n[[rules]]\nname = \"a\"\nthen = {{ v = \"v + 1\" }}\n"
            )),
        ),
        ("drawing.toml", rules(&format!("start = '''\n{}'''\n{peg}{hop}", rows(700, 700, 'o')))),
        (
            "patterns.toml",
            rules(&format!(
                "start = '''\n{}'''\n{peg}[sets]\nN = \"o.ab\"\n[[rules]]\nname = \"p\"\nfrom = ['''\n{}''', \"N\", \"N\", \"N\"]\n\
                 to = ['''\n{}''', \"N\", \"N\", \"N\"]\nturns = true\n",
                rows(30, 30, 'o'),
                rows(8, 8, 'N'),
                rows(8, 8, 'N')
            )),
        ),
        (
            "run.toml",
            rules(&format!(
                "start = \"{}\"\ngoal = {{ count = {{ a = 1 }} }}\n[sets]\nN = \".@ab\"\n[[rules]]\nname = \"x\"\nfrom = \"@N*.\"\n\
                 to = \".N*@\"\nrun = \"*\"\nturns = true\nmirror = true\n",
                ".".repeat(3000) + "@..."
            )),
        ),
        (
            "shapes.toml",
            format!(
                "title = \"x\"\ndomain = \"klotski\"\nrows = 32\ncolumns = 32\ngoal = {{ s = [{goals}] }}\n{shapes}[pieces]\n{}",
                pieces(32)
            ),
        ),
        (
            "turns.toml",
            format!(
                "title = \"x\"\ndomain = \"klotski\"\nmetric = \"turn\"\nstart = '''\n{}'''\ngoal = {{ a = [99, 99] }}\n",
                lines(100, |row| if row == 0 {
                    "ab".to_owned() + &".".repeat(98) + "\n"
                } else {
                    ".".repeat(100) + "\n"
                })
            ),
        ),
        (
            "tiles.toml",
            "title = \"x\"\ndomain = \"sliding-tile\"\nrows = 8000\ncolumns = 8000\nscramble = { seed = 1 }\n"
                .to_owned(),
        ),
        (
            "group.toml",
            format!(
                "title = \"x\"\ndomain = \"permutation\"\nsolved = [{}]\nscramble = {{ moves = 50, seed = 1 }}\n[moves]\n\
                 R = \"({})\"\nS = \"(1 2)\"\n",
                places(600),
                cycle(600)
            ),
        ),
        (
            "words.toml",
            format!(
                "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"{long}\"\ngoal = \"{}\"\nwords = [\"{long}\"]\n",
                "ba".repeat(400_000)
            ),
        ),
        (
            "maze.toml",
            format!(
                "title = \"x\"\ndomain = \"maze\"\nmap = '''\nS{}\n{}{}G\n'''\nmoves = \"diagonal\"\n",
                ".".repeat(1499),
                rows(1498, 1500, '7'),
                ".".repeat(1499)
            ),
        ),
        ("levels.sok", sokoban.repeat(4000)),
        (
            "ellipsis.ps",
            game("", "", "[ Crate | ... | Crate | ... | Crate ] -> [ Crate | ... | Crate | ... | Crate ]", &level),
        ),
        ("legend.ps", game(&many, &format!("X = {all}\n"), "[ X | X | X ] -> [ X | X | X ]", &level)),
        (
            "again.ps",
            game("", "", "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ Crate | ] -> [ | Crate ] again", &level),
        ),
    ];
    let mut loops = String::new();
    for _ in 0..300 {
        let _ = writeln!(
            loops,
            "[ Crate | Crate | Crate ] [ Crate ] [ Crate ] -> [ Crate | Crate | Crate ] [ Crate ] [ Crate ]"
        );
    }
    bombs.push(("rules.ps", game("", "", &loops, &level)));
    bombs
}

/// Returns the commands that read a puzzle, with the options that limit them.
fn commands(file: &str) -> Vec<Vec<&str>> {
    let limited = ["--time-limit", TIME, "--memory-limit", MEMORY];
    let commands: [&[&str]; 12] = [
        &["check", file],
        &["show", file],
        &["list", "."],
        &["solve", file, "eight.toml", "--json"],
        &["solve", file, "--format", "text"],
        &["explore", file, "--json"],
        &["compare", file, "--algorithm", "bfs,a-star"],
        &["render", file, "-o", "out.svg"],
        &["render", file, "-o", "out.gif"],
        &["render", file, "-o", "out.html", "--play"],
        &["scramble", file],
        &["play", file],
    ];
    commands.iter().map(|arguments| [arguments, &limited[..]].concat()).collect()
}

#[test]
fn every_command_ends_near_its_limits_on_every_bomb() {
    let every = std::env::var_os("ENGINE_RANDOM_TIMES").is_some();
    let bombs = bombs();
    let mut wrong = Vec::new();
    for (number, (name, text)) in bombs.iter().enumerate() {
        let here = folder(&format!("bomb-{name}"), &[(name, text), ("eight.toml", EIGHT)]);
        let level = format!("{name}#1");
        let is_collection = !name.ends_with(".toml");
        let commands = commands(if is_collection { &level } else { name });
        // By default, each bomb meets a quarter of the commands, and all of them are met.
        for arguments in
            commands.iter().enumerate().filter(|(at, _)| every || (at + number) % 4 == 0).map(|(_, one)| one)
        {
            let ran = measure(&here, arguments);
            let mut report = |what: String| wrong.push(format!("{name}: {}: {what}", arguments.join(" ")));
            if !ran.status.is_some_and(|status| (0..=3).contains(&status)) {
                report(format!("status {:?}: {}", ran.status, ran.errors));
            }
            if ran.errors.contains("panicked") || ran.errors.contains("memory allocation") {
                report(ran.errors.chars().take(300).collect());
            }
            if ran.time > MOST_TIME {
                report(format!("{:.1} s", ran.time.as_secs_f64()));
            }
            if ran.peak.is_some_and(|peak| peak > MOST_BYTES) {
                report(format!("{} MiB", ran.peak.unwrap_or(0) >> 20));
            }
            let is_left = |entry: &fs::DirEntry| {
                let left = entry.file_name();
                ![*name, "eight.toml", "out.svg", "out.gif", "out.html"].iter().any(|known| left == **known)
            };
            let left: Vec<_> = fs::read_dir(&here)
                .expect("the folder can be read")
                .flatten()
                .filter(is_left)
                .map(|one| one.path())
                .collect();
            if !left.is_empty() {
                report(format!("left behind: {left:?}"));
            }
            let is_solved_after = !arguments.contains(&"eight.toml")
                || ran
                    .out
                    .lines()
                    .any(|line| line.contains("\"file\":\"eight.toml\"") && line.contains("\"outcome\":\"solved\""));
            if !is_solved_after {
                report(format!("the file behind it is not solved: {}", ran.errors));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the commands passed their limits:\n{}", wrong.len(), wrong.join("\n"));
}
