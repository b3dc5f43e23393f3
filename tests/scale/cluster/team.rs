//! Starts several processes that work together, waits for them, and kills them if a test fails.

use crate::support::program::{command, scratch};
use std::collections::HashSet;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A puzzle of 9! positions in two components, of which one is reachable.
pub const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n8 6 7\n2 5 4\n3 0 1\n\"\"\"\n";

/// The longest time that a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Returns addresses with free ports.
fn addresses(many: usize) -> Vec<String> {
    static GIVEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);
    let mut given = GIVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let given = given.get_or_insert_default();
    // Outgoing connections use 127.0.0.1, so none of them takes a port of another address.
    let id = std::process::id();
    let host = format!("127.{}.{}.2", id / 250 % 250 + 1, id % 250 + 1);
    let host = if cfg!(target_os = "linux") { &*host } else { "127.0.0.1" };
    let mut free = Vec::new();
    while free.len() < many {
        let listener = TcpListener::bind((host, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        if given.insert(port) {
            free.push(format!("{host}:{port}"));
        }
    }
    free
}

/// Processes with a common hosts file.
pub struct Team {
    pub here: PathBuf,
    pub hosts: Vec<String>,
    /// Deletes the folder on drop; `None` if the folder belongs to another team.
    _folder: Option<TempDir>,
}

/// The result of a process.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub out: String,
    pub stderr: String,
    /// The time at which the test saw the end.
    pub at: Instant,
}

impl Ended {
    /// Checks that the process failed with status 2, reported all of this and printed nothing.
    #[track_caller]
    pub fn is_wrong(&self, words: &[&str]) {
        assert_eq!((self.status, &*self.out), (Some(2), ""), "{}", self.stderr);
        self.says(words);
    }

    #[track_caller]
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

impl Team {
    /// Creates a team in a new folder with a hosts file.
    pub fn new(test: &str, many: usize) -> Team {
        let folder = scratch(&format!("engine-cluster-{test}-"));
        let team = Team { here: folder.path().to_owned(), hosts: addresses(many), _folder: Some(folder) };
        team.write("tiles.toml", TILES);
        team.write("hosts.txt", &(team.hosts.join("\n") + "\n"));
        team
    }

    /// Creates a team whose hosts file replaces this one's.
    pub fn replaced(&self, many: usize) -> Team {
        let team = Team { here: self.here.clone(), hosts: addresses(many), _folder: None };
        team.write("hosts.txt", &team.hosts.join("\n"));
        team
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.here.join(name), text).expect("the file can be written");
    }

    /// Starts one process of the team. Its output goes to its own files.
    pub fn start(&self, process: usize, options: &[&str]) -> Process {
        let number = process.to_string();
        self.spawn(&number, &[options, &["--hosts", "hosts.txt", "--process", &number]].concat())
    }

    /// Starts the program with only these options.
    pub fn spawn(&self, name: &str, options: &[&str]) -> Process {
        self.run(name, command(&self.here, options))
    }

    pub fn run(&self, name: &str, mut command: Command) -> Process {
        let file = |what: &str| self.here.join(format!("printed-{name}.{what}"));
        let (out, stderr) = (file("out"), file("err"));
        let create = |path: &Path| File::create(path).expect("the file can be written");
        let asked = format!("{command:?}");
        let child = command.stdout(create(&out)).stderr(create(&stderr)).spawn().expect("the program starts");
        Process { child, asked, out, stderr }
    }

    /// Starts all processes.
    pub fn start_all(&self, options: &[&str]) -> Vec<Process> {
        (0..self.hosts.len()).map(|process| self.start(process, options)).collect()
    }

    /// Runs all processes to their end.
    pub fn all(&self, options: &[&str]) -> Vec<Ended> {
        self.start_all(options).into_iter().map(|process| process.end(PATIENCE)).collect()
    }

    /// Connects to a process as soon as it listens, and sends nothing.
    #[track_caller]
    pub fn connect(&self, process: usize) -> TcpStream {
        let mut stream = None;
        wait_for(&self.name(process), || {
            stream = TcpStream::connect(&self.hosts[process]).ok();
            stream.is_some()
        });
        stream.expect("it was waited for")
    }

    /// Returns the name of a process in messages.
    pub fn name(&self, process: usize) -> String {
        format!("process {process} at {}", self.hosts[process])
    }
}

/// A process, which is killed on drop.
pub struct Process {
    child: Child,
    asked: String,
    out: PathBuf,
    stderr: PathBuf,
}

impl Process {
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("`kill` runs").success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Returns the number of its threads.
    #[cfg(target_os = "linux")]
    pub fn threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).map_or(0, Iterator::count)
    }

    /// Waits for the end of the process, which must come within `patience`.
    #[track_caller]
    pub fn end(mut self, patience: Duration) -> Ended {
        let until = Instant::now() + patience;
        while !self.has_ended() {
            assert!(Instant::now() < until, "{} goes on after {patience:?}: {}", self.asked, self.so_far());
            sleep(Duration::from_millis(2));
        }
        let read = |path: &Path| fs::read_to_string(path).expect("it is UTF-8");
        let status = self.child.wait().expect("it has ended").code();
        Ended { status, out: read(&self.out), stderr: read(&self.stderr), at: Instant::now() }
    }

    /// Returns the standard error so far.
    pub fn so_far(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until a condition holds.
#[track_caller]
pub fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "{what} takes too long");
        sleep(Duration::from_millis(2));
    }
}

/// Returns the path of a puzzle of the project.
pub fn puzzle(name: &str) -> String {
    crate::support::root().join(format!("puzzles/{name}.toml")).display().to_string()
}

/// Parses JSON output, without times, memory and the counts of a search.
pub fn comparable_json(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    let fields = row.as_object_mut().expect("an object");
    for field in ["seconds", "peak_memory_bytes", "expanded", "generated", "stored"] {
        fields.remove(field);
    }
    row
}
