//! Several processes that work together, started, waited for, and ended whatever becomes of the test.

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

/// Half a million positions in two halves, of which one is reached.
pub const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n8 6 7\n2 5 4\n3 0 1\n\"\"\"\n";

/// No test waits longer for anything.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// So many addresses on which nothing else listens.
fn addresses(many: usize) -> Vec<String> {
    static GIVEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);
    let mut given = GIVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let given = given.get_or_insert_default();
    // Connections go out from 127.0.0.1, so none of them takes a port of another address.
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

/// Processes that know of each other.
pub struct Team {
    pub here: PathBuf,
    pub hosts: Vec<String>,
    /// The folder, as long as this lives; none, where it is that of another team.
    _folder: Option<TempDir>,
}

/// What a process came to.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub out: String,
    pub said: String,
    /// When it was seen.
    pub at: Instant,
}

impl Ended {
    /// That it was refused or failed, saying all of this and printing nothing.
    #[track_caller]
    pub fn is_wrong(&self, words: &[&str]) {
        assert_eq!((self.status, &*self.out), (Some(2), ""), "{}", self.said);
        self.says(words);
    }

    #[track_caller]
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.said.contains(word), "`{word}` is not in: {}", self.said);
        }
        assert!(!self.said.contains("panicked"), "{}", self.said);
    }
}

impl Team {
    /// In a folder of its own, with a file of hosts.
    pub fn new(test: &str, many: usize) -> Team {
        let folder = scratch(&format!("engine-cluster-{test}-"));
        let team = Team { here: folder.path().to_owned(), hosts: addresses(many), _folder: Some(folder) };
        team.write("tiles.toml", TILES);
        team.write("hosts.txt", &(team.hosts.join("\n") + "\n"));
        team
    }

    /// Others, whose file of hosts is there in place of this one's.
    pub fn instead(&self, many: usize) -> Team {
        let team = Team { here: self.here.clone(), hosts: addresses(many), _folder: None };
        team.write("hosts.txt", &team.hosts.join("\n"));
        team
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.here.join(name), text).expect("there is room");
    }

    /// One of them; what it prints goes to files of its own.
    pub fn start(&self, process: usize, options: &[&str]) -> Process {
        let number = process.to_string();
        self.spawn(&number, &[options, &["--hosts", "hosts.txt", "--process", &number]].concat())
    }

    /// The program with these options alone.
    pub fn spawn(&self, name: &str, options: &[&str]) -> Process {
        self.run(name, command(&self.here, options))
    }

    pub fn run(&self, name: &str, mut command: Command) -> Process {
        let file = |what: &str| self.here.join(format!("printed-{name}.{what}"));
        let (out, said) = (file("out"), file("err"));
        let create = |path: &Path| File::create(path).expect("there is room");
        let asked = format!("{command:?}");
        let child = command.stdout(create(&out)).stderr(create(&said)).spawn().expect("the program starts");
        Process { child, asked, out, said }
    }

    /// All of them.
    pub fn start_all(&self, options: &[&str]) -> Vec<Process> {
        (0..self.hosts.len()).map(|process| self.start(process, options)).collect()
    }

    /// All of them to their end.
    pub fn all(&self, options: &[&str]) -> Vec<Ended> {
        self.start_all(options).into_iter().map(|process| process.end(PATIENCE)).collect()
    }

    /// Connects to a process, as soon as it is there, without a word.
    #[track_caller]
    pub fn connect(&self, process: usize) -> TcpStream {
        let mut stream = None;
        wait_for(&self.name(process), || {
            stream = TcpStream::connect(&self.hosts[process]).ok();
            stream.is_some()
        });
        stream.expect("it was waited for")
    }

    /// How a process is told to people.
    pub fn name(&self, process: usize) -> String {
        format!("process {process} at {}", self.hosts[process])
    }
}

/// A process that is killed when it is waited for no more.
pub struct Process {
    child: Child,
    asked: String,
    out: PathBuf,
    said: PathBuf,
}

impl Process {
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("there is a kill").success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Waits for its end, which must come in time.
    #[track_caller]
    pub fn end(mut self, patience: Duration) -> Ended {
        let until = Instant::now() + patience;
        while !self.has_ended() {
            assert!(Instant::now() < until, "{} goes on after {patience:?}: {}", self.asked, self.so_far());
            sleep(Duration::from_millis(2));
        }
        let read = |path: &Path| fs::read_to_string(path).expect("it is UTF-8");
        let status = self.child.wait().expect("it has ended").code();
        Ended { status, out: read(&self.out), said: read(&self.said), at: Instant::now() }
    }

    /// What it has said until now.
    pub fn so_far(&self) -> String {
        fs::read_to_string(&self.said).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something is so.
#[track_caller]
pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "{what} takes too long");
        sleep(Duration::from_millis(2));
    }
}

/// A file of the project.
pub fn puzzle(name: &str) -> String {
    crate::support::root().join(format!("puzzles/{name}.toml")).display().to_string()
}

/// What is printed, without what a clock, a memory or the way of searching says.
pub fn told(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    let fields = row.as_object_mut().expect("an object");
    for field in ["seconds", "peak_memory_bytes", "expanded", "generated", "stored"] {
        fields.remove(field);
    }
    row
}
