//! Tests that outputs are written completely or not at all, however the program ends, and never over an input.

use crate::support::program::{EIGHT, command, folder, run, wait_for_interrupt_handler};
use crate::support::root;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_program_leaves_no_file_beside_its_output() {
    let here = folder("killed-outputs", &[("old.txt", "old\n")]);
    let puzzle = root().join("puzzles/korf-15/012.toml").display().to_string();
    // A shell that starts the tests in the background has them ignore SIGQUIT.
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("it lists ignored signals");
    let ignores_quit = u64::from_str_radix(ignored.trim(), 16).expect("a mask in base 16") >> 2 & 1 == 1;
    for signal in ["KILL", "QUIT", "XFSZ"].into_iter().filter(|signal| *signal != "QUIT" || !ignores_quit) {
        for output in ["new.txt", "old.txt"] {
            let solve = ["solve", &puzzle, "--algorithm", "iddfs", "-o", output, "--certificate", "proof.json"];
            let mut child = command(&here, &solve).stderr(Stdio::null()).spawn().expect("the program runs");
            wait_for_interrupt_handler(&child);
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-s", signal, &id]).status().expect("kill runs").success());
            assert_eq!(child.wait().expect("the program ends").code(), None, "SIG{signal} does not end the program");
            assert_eq!(names(&here), ["old.txt"], "SIG{signal} leaves a file beside {output}");
            assert_eq!(fs::read_to_string(here.join("old.txt")).unwrap(), "old\n");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_leaves_no_partial_file() {
    let here = folder("limited-outputs", &[("five.toml", EIGHT)]);
    for arguments in
        ["render five.toml -o page.html", "render five.toml -o five.gif", "schema > /dev/null; \"$0\" man pages"]
    {
        let script = format!("ulimit -c 0; ulimit -f 1; \"$0\" {arguments}");
        let mut bash = Command::new("bash");
        bash.args(["-c", &script, env!("CARGO_BIN_EXE_engine")]).current_dir(&here);
        let ended = bash.stderr(Stdio::null()).status().expect("bash runs");
        assert!(!ended.success(), "{arguments} ends with {ended}");
        let _ = fs::remove_dir(here.join("pages"));
        assert_eq!(names(&here), ["five.toml"], "{arguments} leaves a partial file");
    }
}

#[test]
fn an_output_that_is_another_name_of_an_input_is_refused() {
    let puzzle = "title = \"f\"\ndomain = \"sliding-tile\"\nstart_file = \"board\"\n";
    let here = folder("linked-outputs", &[("five.toml", EIGHT), ("p.toml", puzzle), ("board", "2\n1 2 3 0\n")]);
    fs::hard_link(here.join("five.toml"), here.join("five.txt")).expect("the file system has hard links");
    for link in ["board.svg", "board.txt"] {
        fs::hard_link(here.join("board"), here.join(link)).expect("the file system has hard links");
    }
    let commands: [&[&str]; 5] = [
        &["solve", "five.toml", "-o", "five.txt"],
        &["explore", "five.toml", "-o", "five.txt"],
        &["render", "five.toml", "--format", "svg", "-o", "five.txt"],
        &["solve", "p.toml", "-o", "board.txt"],
        &["render", "p.toml", "-o", "board.svg"],
    ];
    for arguments in commands {
        let (status, _, errors) = run(&here, arguments);
        assert!(status == 2 && errors.contains("it is one of the input files"), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(here.join("five.txt")).unwrap(), EIGHT);
    assert_eq!(fs::read_to_string(here.join("board.svg")).unwrap(), "2\n1 2 3 0\n");
}
