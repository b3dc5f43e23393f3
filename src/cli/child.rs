//! Work in a child process: a command of the program itself, with its own limits. So a puzzle that takes all memory or
//! time ends its child, never the server that asks for it.

use parking_lot::{Condvar, Mutex};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

/// The most children at once; others wait.
const MOST_CHILDREN: usize = 8;
/// The time between two looks at whether the work is still wanted.
const TICK: Duration = Duration::from_millis(10);
/// The time that a child may take beyond its own limit: its wall stands before.
const BEYOND: Duration = Duration::from_secs(5);
/// The most bytes of a child's messages that are kept.
const MOST_MESSAGES: u64 = 256 << 10;

/// The children that run, to be ended with the program, and the news that one of them has ended.
static RUNNING: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());
static ENDED: Condvar = Condvar::new();

/// A command to run.
pub(super) struct Work<'a> {
    pub arguments: &'a [String],
    /// The folder that names in the puzzle file are relative to.
    pub folder: &'a Path,
    /// The limit on time that the arguments set.
    pub time: Duration,
    pub input: Vec<u8>,
}

/// The end of a command.
pub(super) struct End {
    /// The exit status; `None` if it was ended.
    pub status: Option<i32>,
    /// Its standard error.
    pub messages: String,
}

/// Returns the program itself.
fn program() -> io::Result<PathBuf> {
    static PROGRAM: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::current_exe().ok());
    PROGRAM.clone().ok_or_else(|| io::Error::other("the program does not find itself"))
}

/// Ends all children, for the end of the program.
pub(super) fn end_all() {
    RUNNING.lock().iter().for_each(|child| _ = child.lock().kill());
}

/// Ends a child when nobody waits for it any more.
struct Running(Arc<Mutex<Child>>);

impl Running {
    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.0.lock().try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.lock().kill();
        let _ = self.wait();
        RUNNING.lock().retain(|other| !Arc::ptr_eq(other, &self.0));
        ENDED.notify_one();
    }
}

/// Runs a command. `take` gets its output as it comes; `is_wanted` returns whether anybody waits for it still, after a
/// moment. If not, or if `take` fails, the child is ended.
///
/// # Errors
/// The child cannot be started, or its output not be passed on.
pub(super) fn run(
    work: Work,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
    mut is_wanted: impl FnMut(Duration) -> bool,
) -> io::Result<End> {
    let program = program()?;
    let mut running = RUNNING.lock();
    while running.len() >= MOST_CHILDREN {
        ENDED.wait_for(&mut running, Duration::from_millis(100));
        if !is_wanted(Duration::from_millis(1)) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
    let mut child = Command::new(program)
        .args(work.arguments)
        .current_dir(work.folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let child = Running(Arc::new(Mutex::new(child)));
    running.push(Arc::clone(&child.0));
    drop(running);
    let input = work.input;
    // A child that ends early does not read its input.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let messages = thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = (&mut stderr).take(MOST_MESSAGES).read_to_end(&mut bytes);
            let _ = io::copy(&mut stderr, &mut io::sink());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let (sender, receiver) = sync_channel::<Vec<u8>>(4);
    thread::spawn(move || {
        let mut part = vec![0; 64 << 10];
        let mut stdout = stdout?;
        while let Ok(length @ 1..) = stdout.read(&mut part) {
            sender.send(part[..length].to_vec()).ok()?;
        }
        Some(())
    });
    let deadline = Instant::now() + work.time + BEYOND;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(part) => take(&part)?,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => child.0.lock().kill()?,
            Err(RecvTimeoutError::Timeout) if is_wanted(Duration::from_millis(1)) => {}
            Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
    let status = child.wait()?.code();
    Ok(End { status, messages: messages.join().unwrap_or_default() })
}
