//! The program itself, run in a folder of the test's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A board of 5 moves.
pub const EIGHT: &str = "title = \"Five\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\"\n";
/// A board without a solution.
pub const STUCK: &str =
    "title = \"None\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2\n. 3\n\"\"\"\ngoal = \"blank-first\"\n";

/// A folder of this test's own, with these files.
pub fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file for the test");
    }
    folder
}

/// A folder in memory, where there is one: layers that are synced to a disk by the thousand would take minutes.
pub fn scratch(prefix: &str) -> TempDir {
    let builder = |within: &Path| tempfile::Builder::new().prefix(prefix).tempdir_in(within);
    builder(Path::new("/dev/shm")).or_else(|_| builder(&std::env::temp_dir())).expect("there is room")
}

/// The program in this folder; tables that it keeps stay among the tests.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

/// Waits until a program catches interrupts, and a moment more, in which it sets to work.
pub fn is_at_work(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let caught = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        u64::from_str_radix(&mask, 16).ok()
    };
    const INTERRUPT: u64 = 1 << 1;
    for _ in 0..1000 {
        // Where the system does not show it, a second has to do.
        let shown = fs::read_to_string(&status).ok().and_then(caught);
        sleep(Duration::from_millis(if shown.is_some() { 10 } else { 1000 }));
        if shown.is_none_or(|caught| caught & INTERRUPT != 0) {
            sleep(Duration::from_millis(200));
            return;
        }
    }
    panic!("it has no handler of interrupts after ten seconds");
}

/// What the program answered.
pub fn engine(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program runs")
}

/// The exit status, standard output and standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = engine(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("it exits by itself"), text(stdout), text(stderr))
}

/// Everything in this JSON but what a clock says.
pub fn timeless(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).expect("JSON");
    row.as_object_mut().expect("an object").remove("seconds");
    row
}
