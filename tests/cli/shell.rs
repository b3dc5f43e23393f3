//! Tests the program in a shell: working examples in the help, completions, manual pages, colours, and suggestions.

use crate::support::program::{EIGHT, command, folder, run};
use crate::support::{files_below, root};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the names of all commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = run(&root(), &["--help"]).1;
    let (_, listed) = help.split_once("Commands:\n").expect("the commands are listed");
    let listed = listed.split("\n\n").next().expect("a list ends");
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Copies the puzzles that are solved quickly.
fn copy(from: &Path, to: &Path) {
    let quick = |file: &Path| {
        let folder = file.parent().expect("a file has a parent folder");
        ["", "blocks", "eight-puzzle", "mazes", "mazes/maps", "rules", "templates", "tutorial", "words"]
            .iter()
            .any(|name| folder == Path::new(name))
    };
    for extension in ["toml", "moves", "txt", "map"] {
        for file in files_below(from, extension).into_iter().filter(|file| quick(file)) {
            fs::create_dir_all(to.join(&file).parent().expect("a file has a parent folder")).expect("a folder");
            fs::copy(from.join(&file), to.join(&file)).expect("a copy");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_examples_of_every_command_work() {
    let here = folder("examples", &[]);
    copy(&root().join("puzzles"), &here.join("puzzles"));
    let program = Path::new(env!("CARGO_BIN_EXE_engine")).parent().expect("the program has a parent folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let commands = commands();
    assert!(commands.len() >= 14, "{commands:?}");
    for name in commands {
        let help = run(&root(), &[&name, "--help"]).1;
        assert_eq!(help.matches("Examples:\n").count(), 1, "{name}: {help}");
        let (_, examples) = help.split_once("Examples:\n").expect("it was just found");
        let examples: Vec<&str> = examples.lines().take_while(|line| line.starts_with("  ")).collect();
        assert!(!examples.is_empty(), "{name} has examples");
        for example in examples {
            assert!(example.contains(&format!("engine {name}")), "{example}");
            assert!(example.len() <= 100, "it does not fit on a line of a terminal: {example}");
            let output = Command::new("sh").arg("-c").arg(example).current_dir(&here).env("PATH", &path).output();
            let output = output.expect("the shell runs");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !stderr.contains("error"), "{example}: {stderr}");
        }
    }
}

#[test]
fn completions_know_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (status, script, error) = run(&root(), &["completions", shell]);
        assert_eq!((status, error.as_str()), (0, ""));
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not know {name}");
        }
        assert!(script.contains("time-limit"), "{shell}");
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        assert!(!has_values || script.contains("junit"), "{shell}");
        // If the shell is installed, it must accept its script.
        if has_values && let Ok(mut reader) = Command::new(shell).arg("-n").stdin(Stdio::piped()).spawn() {
            use std::io::Write;
            reader.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it reads");
            assert!(reader.wait().expect("it ends").success(), "{shell} refuses its script");
        }
    }
    assert_eq!(run(&root(), &["completions", "bahs"]).0, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let here = folder("man", &[]);
    let (status, page, _) = run(&here, &["man"]);
    assert_eq!(status, 0);
    assert!(page.contains(".TH engine 1") && page.contains("engine\\-solve(1)"), "{page}");
    let (status, out, _) = run(&here, &["man", "deep/man1"]);
    let pages = files_below(&here.join("deep/man1"), "1");
    assert_eq!((status, out), (0, format!("{} pages in deep/man1\n", pages.len())));
    for name in commands() {
        let page = fs::read_to_string(here.join(format!("deep/man1/engine-{name}.1"))).expect("it has a page");
        assert!(page.contains("Examples:") && !page.contains('\u{1b}'), "{page}");
    }
    assert!(pages.contains(&"engine-cache-clear.1".into()), "a subcommand has no page");
}

/// Returns whether the standard output and the standard error of a command have colours.
fn coloured(arguments: &[&str], environment: &[(&str, &str)]) -> [bool; 2] {
    let here = folder("colours", &[("bad.toml", "title = 1\n")]);
    fs::create_dir_all(here.join("puzzles")).unwrap();
    fs::write(here.join("puzzles/eight.toml"), EIGHT).unwrap();
    run(&here, &["test", "--accept"]);
    fs::write(here.join("puzzles/eight.toml"), EIGHT.replace("Five", "Cinq")).unwrap();
    let mut command = command(&here, arguments);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let output = command.envs(environment.iter().copied()).output().expect("the program runs");
    [output.stdout, output.stderr].map(|bytes| bytes.contains(&0x1b))
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let (output, errors) = (0, 1);
    let coloring: [(&[&str], usize); 6] = [
        (&["test"], output),
        (&["--help"], output),
        (&["solve", "--help"], output),
        (&["check", "bad.toml"], errors),
        (&["solv"], errors),
        (&["test", "--format", "json"], errors),
    ];
    for (arguments, stream) in coloring {
        let with = |option: &[&str], environment: &[(&str, &str)]| {
            let arguments: Vec<&str> = arguments.iter().chain(option).copied().collect();
            coloured(&arguments, environment)[stream]
        };
        assert!(!with(&[], &[]), "{arguments:?}: no terminal, no colours");
        assert!(with(&["--color", "always"], &[]), "{arguments:?}");
        assert!(with(&["--color=always"], &[("NO_COLOR", "1")]), "{arguments:?}: the option overrides the environment");
        assert!(with(&[], &[("CLICOLOR_FORCE", "1")]), "{arguments:?}");
        assert!(!with(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "{arguments:?}");
        assert!(!with(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]), "{arguments:?}");
    }
    assert_eq!(run(&root(), &["list", "--color", "sometimes"]).0, 2);
}

#[test]
fn every_kind_of_misspelt_name_gets_a_suggestion() {
    let here = folder("meant", &[("five.toml", EIGHT), ("other.toml", "")]);
    fs::create_dir_all(here.join("puzzles/deep")).unwrap();
    fs::write(here.join("puzzles/deep/eight.toml"), EIGHT).unwrap();
    let misspelt: [(&[&str], &str); 17] = [
        (&["solv", "five.toml"], "solve"),
        (&["solve", "five.toml", "--heuristc", "zero"], "--heuristic"),
        (&["solve", "fiv.toml"], "did you mean `five.toml`?"),
        (&["solve", "five"], "did you mean `five.toml`?"),
        (&["check", "puzles/deep/eight.toml"], "did you mean `puzzles/deep/eight.toml`?"),
        (&["show", "puzzles/dep/eigth.toml"], "did you mean `puzzles/deep/eight.toml`?"),
        (&["list", "puzzels"], "did you mean `puzzles`?"),
        (&["test", "puzzels"], "did you mean `puzzles`?"),
        (&["verify", "five.toml", "fife.toml"], "did you mean `five.toml`?"),
        (&["scramble", "Five.toml"], "did you mean `five.toml`?"),
        (&["import", "five.tom"], "did you mean `five.toml`?"),
        (&["domains", "maz"], "did you mean `maze`?"),
        (&["schema", "klotsky"], "did you mean `klotski`?"),
        (&["new", "word-lader", "-"], "did you mean `word-ladder`?"),
        (&["solve", "five.toml", "--algorithm", "a-satr"], "a-star"),
        (&["solve", "five.toml", "--heuristic", "manhatan"], "did you mean `manhattan`?"),
        (&["solve", "five.toml", "--notation", "blnk"], "did you mean `blank`?"),
    ];
    for (arguments, expected) in misspelt {
        let (status, _, error) = run(&here, arguments);
        assert!(status == 2 && error.contains(expected), "{arguments:?}: not {expected:?} but {error}");
    }
    let (status, _, error) = run(&here, &["solve", "five.toml", "--algorithm", "Dijkstra"]);
    assert!(status == 2 && error.contains("--algorithm a-star --heuristic zero"), "{error}");
    assert!(!error.contains("similar"), "no algorithm has a similar name: {error}");
    let (_, _, error) = run(&here, &["two words.toml"]);
    assert!(error.contains("`engine solve 'two words.toml'`"), "{error}");
    let (_, _, error) = run(&here, &["solve", "xyzzy.toml"]);
    assert!(!error.contains("did you mean"), "no name is similar: {error}");
}

#[test]
fn list_reports_the_results_in_snapshots_without_a_search() {
    let here = folder("listing", &[]);
    fs::create_dir_all(here.join("puzzles")).unwrap();
    let file = here.join("puzzles/eight.toml");
    fs::write(&file, EIGHT).unwrap();
    let row = || {
        let listed = run(&here, &["list"]).1;
        let (head, row) = (listed.lines().next().unwrap().to_owned(), listed.lines().nth(1).unwrap().to_owned());
        ["OPTIMUM", "SNAPSHOT"].map(|column| {
            let at = head.find(column).unwrap();
            row[at..].split_whitespace().next().unwrap_or_default().to_owned()
        })
    };
    assert_eq!(row()[1], "none");
    run(&here, &["test", "--accept"]);
    assert_eq!(row(), ["5", "current"]);
    let stale = [
        EIGHT.replace("Five", "Cinq"),
        EIGHT.replace("4 1 3", "4 3 1"),
        format!("metric = \"multi\"\n{EIGHT}"),
        format!("{EIGHT}[expect]\ncost = 4\n"),
        format!("{EIGHT}[expect]\noutcome = \"unsolvable\"\n"),
    ];
    for text in stale {
        fs::write(&file, &text).unwrap();
        assert_eq!(row()[1], "stale", "{text}");
    }
    fs::write(&file, format!("{EIGHT}[search]\nheuristic = \"zero\"\n")).unwrap();
    run(&here, &["test", "--accept"]);
    assert_eq!(row(), ["5", "current"], "the values of h hide the optimum");
    let listed = run(&root(), &["list"]).1;
    assert!(!listed.contains("stale"), "{listed}");
    let long = listed.lines().filter(|line| line.contains("  none  ")).count();
    assert!((10..25).contains(&long), "puzzles with the tag `long` alone have none: {listed}");
}
