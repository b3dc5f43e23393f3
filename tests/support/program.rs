//! Runs the program, in a folder that belongs to one test.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An 8-puzzle whose shortest solution has 5 moves.
pub const EIGHT: &str = "title = \"Five\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\"\n";
/// A sliding-tile puzzle without a solution.
pub const UNSOLVABLE: &str =
    "title = \"None\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2\n. 3\n\"\"\"\ngoal = \"blank-first\"\n";

/// The reason why [`UNSOLVABLE`] has no solution.
pub const NO_PARITY: &str = "the board is an even permutation of the goal (2 inversions), and the blank is 1 step from \
    its place: each step of the blank changes both parities, and in the goal both are even";

/// Creates an empty folder for a test, and writes these files to it.
pub fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the test's folder can be created");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("the test's file can be written");
    }
    folder
}

/// Creates a temporary folder, in memory if the system has `/dev/shm`: to fsync thousands of layers to a disk takes
/// minutes.
pub fn scratch(prefix: &str) -> TempDir {
    let builder = |within: &Path| tempfile::Builder::new().prefix(prefix).tempdir_in(within);
    builder(Path::new("/dev/shm"))
        .or_else(|_| builder(&std::env::temp_dir()))
        .expect("a temporary folder can be created")
}

/// Returns a command that runs the program in `folder`, with a cache below the tests' target folder. `ENGINE_PROGRAM` may name
/// another build of it.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("ENGINE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_engine").into());
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

/// Waits until a program handles interrupts, and 200 ms more for its search to start.
pub fn wait_for_interrupt_handler(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let caught = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        u64::from_str_radix(&mask, 16).ok()
    };
    const INTERRUPT: u64 = 1 << 1;
    for _ in 0..1000 {
        // A system without `/proc` does not report the mask: wait one second.
        let shown = fs::read_to_string(&status).ok().and_then(caught);
        sleep(Duration::from_millis(if shown.is_some() { 10 } else { 1000 }));
        if shown.is_none_or(|caught| caught & INTERRUPT != 0) {
            sleep(Duration::from_millis(200));
            return;
        }
    }
    panic!("the program has no interrupt handler after ten seconds");
}

/// Runs the program to its end.
pub fn engine(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program runs")
}

/// Runs the program with standard output on a full disk; returns the exit status and standard error.
#[cfg(target_os = "linux")]
pub fn on_a_full_disk(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let full = File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    let ended = command(folder, arguments).stdout(full).output().expect("the program runs");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// Runs the program with standard output into a pipe whose reader is gone; returns standard error.
#[cfg(target_os = "linux")]
pub fn into_a_closed_pipe(folder: &Path, arguments: &[&str]) -> String {
    let mut command = command(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// Runs the program; returns the exit status, standard output and standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = engine(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("the program exits without a signal"), text(stdout), text(stderr))
}

/// A run of the program, measured from outside.
pub struct Measured {
    /// The exit status; none if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub errors: String,
    pub time: Duration,
    /// The peak of the resident memory in bytes, if `/proc` reports it.
    pub peak: Option<u64>,
}

/// Runs the program to its end, at most a minute, and watches its memory.
pub fn measure(folder: &Path, arguments: &[&str]) -> Measured {
    let mut command = command(folder, arguments);
    let [output, errors] = std::array::from_fn(|_| tempfile::tempfile().expect("a temporary file can be created"));
    let again = |file: &File| file.try_clone().expect("a file can be used twice");
    let started = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(again(&output)).stderr(again(&errors)).spawn().expect("the program runs");
    let of_child = PathBuf::from(format!("/proc/{}", child.id()));
    let program = fs::canonicalize(command.get_program()).ok();
    let mut peak = None;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child's status can be read") {
            break status;
        }
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().expect("the child can be killed");
        }
        // Before it runs the program, the child shares the memory of this process.
        if fs::read_link(of_child.join("exe")).ok() == program {
            let shown = fs::read_to_string(of_child.join("status")).unwrap_or_default();
            let most =
                shown.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
            peak = peak.max(most.map(|kib: u64| kib << 10));
        }
        sleep(Duration::from_millis(1));
    };
    let time = started.elapsed();
    let text = |mut file: File| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("the output can be read");
        String::from_utf8(bytes).expect("output is UTF-8")
    };
    Measured { status: status.code(), out: text(output), errors: text(errors), time, peak }
}

/// Parses a JSON object and removes the field `seconds`.
pub fn without_seconds(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).expect("JSON");
    row.as_object_mut().expect("an object").remove("seconds");
    row
}
