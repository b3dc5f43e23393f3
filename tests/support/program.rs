//! The program itself, run in a folder of the test's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// The program in this folder; tables that it keeps stay among the tests.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
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
