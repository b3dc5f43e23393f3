//! Several processes that work together: started, waited for, and ended even if the test fails.

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

/// A board with half a million positions in two components, one of them reachable.
pub const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n8 6 7\n2 5 4\n3 0 1\n\"\"\"\n";

/// The longest time that a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Returns this many unused addresses.
fn addresses(many: usize) -> Vec<String> {
    static USED_PORTS: Mutex<Option<HashSet<u16>>> = Mutex::new(None);
    let mut given = USED_PORTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let given = given.get_or_insert_default();
    // Connections come from 127.0.0.1, so none of them uses a port of another address.
    let id = std::process::id();
    let host = format!("127.{}.{}.2", id / 250 % 250 + 1, id % 250 + 1);
    let host = if cfg!(target_os = "linux") { &*host } else { "127.0.0.1" };
    let mut free = Vec::new();
    while free.len() < many {
        let listener = TcpListener::bind((host, 0)).expect("there is a port");
        let port = listener.local_addr().expect("it listens").port();
        if given.insert(port) {
            free.push(format!("{host}:{port}"));
        }
    }
    free
}

/// A group of processes with a common file of hosts.
pub struct Team {
    pub here: PathBuf,
    pub hosts: Vec<String>,
    /// The temporary folder; `None` if it belongs to another team.
    _folder: Option<TempDir>,
}

/// The result of a process.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub out: String,
    pub said: String,
    /// The time when its end was noticed.
    pub at: Instant,
}

impl Ended {
    /// Checks that it was refused or failed with all of these words and no output.
    #[track_caller]
    pub fn is_wrong(&self, words: &[&str]) {
        assert_eq!((self.status, &*self.out), (Some(2), ""), "{}", self.said);
        self.reports(words);
    }

    #[track_caller]
    pub fn reports(&self, words: &[&str]) {
        for word in words {
            assert!(self.said.contains(word), "`{word}` is not in: {}", self.said);
        }
        assert!(!self.said.contains("panicked"), "{}", self.said);
    }
}

impl Team {
    /// Creates a team in its own folder, with a file of hosts.
    pub fn new(test: &str, many: usize) -> Team {
        let folder = scratch(&format!("engine-cluster-{test}-"));
        let team = Team { here: folder.path().to_owned(), hosts: addresses(many), _folder: Some(folder) };
        team.write("tiles.toml", TILES);
        team.write("hosts.txt", &(team.hosts.join("\n") + "\n"));
        team
    }

    /// Creates another team in the same folder, whose file of hosts replaces this one's.
    pub fn instead(&self, many: usize) -> Team {
        let team = Team { here: self.here.clone(), hosts: addresses(many), _folder: None };
        team.write("hosts.txt", &team.hosts.join("\n"));
        team
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.here.join(name), text).expect("the folder can be written to");
    }

    /// Starts one process; its output goes to files of its own.
    pub fn start(&self, process: usize, options: &[&str]) -> Process {
        let number = process.to_string();
        self.spawn(&number, &[options, &["--hosts", "hosts.txt", "--process", &number]].concat())
    }

    /// Starts the program with these options alone.
    pub fn spawn(&self, name: &str, options: &[&str]) -> Process {
        self.run(name, command(&self.here, options))
    }

    pub fn run(&self, name: &str, mut command: Command) -> Process {
        let file = |what: &str| self.here.join(format!("printed-{name}.{what}"));
        let (out, said) = (file("out"), file("err"));
        let create = |path: &Path| File::create(path).expect("the folder can be written to");
        let asked = format!("{command:?}");
        let child = command.stdout(create(&out)).stderr(create(&said)).spawn().expect("the program starts");
        Process { child, asked, out, said }
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

/// A process that is killed on drop.
pub struct Process {
    child: Child,
    asked: String,
    out: PathBuf,
    said: PathBuf,
}

impl Process {
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("the program `kill` exists").success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the program can be polled").is_some()
    }

    /// Waits for its end, which must come in time.
    #[track_caller]
    pub fn end(mut self, patience: Duration) -> Ended {
        let until = Instant::now() + patience;
        while !self.has_ended() {
            assert!(Instant::now() < until, "{} goes on after {patience:?}: {}", self.asked, self.messages_so_far());
            sleep(Duration::from_millis(2));
        }
        let read = |path: &Path| fs::read_to_string(path).expect("the text is UTF-8");
        let status = self.child.wait().expect("the program has ended").code();
        Ended { status, out: read(&self.out), said: read(&self.said), at: Instant::now() }
    }

    /// Returns its messages so far.
    pub fn messages_so_far(&self) -> String {
        fs::read_to_string(&self.said).unwrap_or_default()
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
pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "{what} takes too long");
        sleep(Duration::from_millis(2));
    }
}

/// Reads a file of the project.
pub fn puzzle(name: &str) -> String {
    crate::support::root().join(format!("puzzles/{name}.toml")).display().to_string()
}

/// Parses output and removes times, memory and the details of the search.
pub fn without_measurements(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    let fields = row.as_object_mut().expect("an object");
    for field in ["seconds", "peak_memory_bytes", "expanded", "generated", "stored"] {
        fields.remove(field);
    }
    row
}
