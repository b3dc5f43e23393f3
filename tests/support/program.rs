//! Runs the program in a folder of the test's own.

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

/// Creates a folder for this test with these files.
pub fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file for the test");
    }
    folder
}

/// Creates a folder in memory, if possible: syncing thousands of layers to a disk would take minutes.
pub fn scratch(prefix: &str) -> TempDir {
    let builder = |within: &Path| tempfile::Builder::new().prefix(prefix).tempdir_in(within);
    builder(Path::new("/dev/shm")).or_else(|_| builder(&std::env::temp_dir())).expect("the folder can be written to")
}

/// Returns the command that runs the program in this folder; its tables are stored in a folder for tests.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

/// Waits until a program handles interrupts, and a moment more until it has begun its work.
pub fn wait_until_working(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let caught = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        u64::from_str_radix(&mask, 16).ok()
    };
    const INTERRUPT: u64 = 1 << 1;
    for _ in 0..1000 {
        // If the system does not report it, wait a second.
        let shown = fs::read_to_string(&status).ok().and_then(caught);
        sleep(Duration::from_millis(if shown.is_some() { 10 } else { 1000 }));
        if shown.is_none_or(|caught| caught & INTERRUPT != 0) {
            sleep(Duration::from_millis(200));
            return;
        }
    }
    panic!("it has no handler of interrupts after ten seconds");
}

/// Runs the program and returns its output.
pub fn engine(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

/// Runs the program and returns its exit status, standard output and standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = engine(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("the program exits normally"), text(stdout), text(stderr))
}

/// Parses JSON and removes its times.
pub fn timeless(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).expect("the output is JSON");
    row.as_object_mut().expect("an object").remove("seconds");
    row
}
