//! Signs of life: on a connection of its own each process tells each other now and then that it is there, and at the end
//! why it ends. Who says nothing for too long is frozen, or the network between is gone.
//!
//! It goes on while the process works, in threads that do nothing else; so silence means that the process does not run.

use super::frame::Frame;
use super::halt::{Cause, Halt};
use crate::search::disk::{DiskError, Stop};
use crate::search::hosts::Host;
use crate::search::limits::Limit;
use parking_lot::Mutex;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A process that has this many times to say that it is there within the patience of the others is heard in time.
const BEATS: u32 = 5;
/// Nobody is spoken to more often than such patience asks for.
const LEAST_PATIENCE: Duration = Duration::from_millis(100);
/// What is written at the end is given so long to be taken.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The connections to all other processes, and what is known of these.
pub(super) struct Pulse {
    pub halt: Halt,
    pub hosts: Vec<Host>,
    pub patience: Duration,
    /// What becomes of the work when a process fails, for people.
    kept: &'static str,
    /// By process.
    peers: Vec<Peer>,
    /// Nothing more is to be said.
    is_over: AtomicBool,
    /// To how many all states were sent.
    pub sent: AtomicUsize,
}

#[derive(Default)]
struct Peer {
    control: Mutex<Option<TcpStream>>,
    states: Mutex<Option<TcpStream>>,
    /// It has all that it needs.
    is_done: AtomicBool,
}

impl Pulse {
    pub fn new(hosts: Vec<Host>, patience: Duration, kept: &'static str) -> Arc<Pulse> {
        let peers = hosts.iter().map(|_| Peer::default()).collect();
        let (halt, is_over, sent) = (Halt::default(), AtomicBool::new(false), AtomicUsize::new(0));
        Arc::new(Pulse { halt, hosts, patience, kept, peers, is_over, sent })
    }

    /// Listens to a process from now on, and speaks to it, as often as it expects.
    pub fn join(self: &Arc<Self>, process: usize, stream: TcpStream, expects: Duration) -> io::Result<()> {
        stream.set_read_timeout(Some(self.patience))?;
        stream.set_write_timeout(Some(self.patience))?;
        let every = expects.clamp(LEAST_PATIENCE, self.patience.max(LEAST_PATIENCE)) / BEATS;
        let (listening, beating) = (stream.try_clone()?, stream.try_clone()?);
        *self.peers[process].control.lock() = Some(stream);
        let pulse = Arc::clone(self);
        thread::Builder::new().name(format!("hear-{process}")).spawn(move || pulse.listen(process, listening))?;
        let pulse = Arc::clone(self);
        thread::Builder::new().name(format!("beat-{process}")).spawn(move || pulse.beat(process, beating, every))?;
        Ok(())
    }

    /// Takes note of the connection on which states travel, to end that, too.
    pub fn carry(&self, process: usize, stream: TcpStream) {
        *self.peers[process].states.lock() = Some(stream);
    }

    fn listen(&self, process: usize, mut stream: TcpStream) {
        let is_done = || self.peers[process].is_done.load(Ordering::Acquire);
        while !self.is_over() {
            match Frame::read(&mut stream) {
                Ok(Frame::Done) => {
                    self.peers[process].is_done.store(true, Ordering::Release);
                    self.halt.ring();
                }
                Ok(Frame::Limit(by, limit)) => self.halt.set(Stop::Limit(limit), Some(self.known(by, process))),
                Ok(Frame::Trouble(by, error)) => self.halt.set(Stop::Trouble(error), Some(self.known(by, process))),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) if is_done() || self.is_over() => return,
                Err(error) => {
                    let how = match error.kind() {
                        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                            format!("has not been heard of for {}", humantime::format_duration(self.patience))
                        }
                        ErrorKind::InvalidData => "sent invalid data".to_owned(),
                        _ => "is gone".to_owned(),
                    };
                    return self.lost(process, &how);
                }
            }
        }
    }

    /// Ends all of it, since a process cannot be reached any more.
    pub fn lost(&self, process: usize, how: &str) {
        let message = format!("{} {how}", self.name(process));
        let help = format!("{}: see what became of it, then start the same command everywhere", self.kept);
        self.halt.set(Stop::Trouble(DiskError { message, help }), None);
    }

    /// A process that was named by another, or that one, where there is none of this number.
    fn known(&self, process: usize, by: usize) -> usize {
        if process < self.hosts.len() { process } else { by }
    }

    /// Tells all others why all of it ends, and who said so first.
    pub fn say_why(&self, me: usize, cause: &Cause) {
        let by = cause.said_by.unwrap_or(me);
        self.tell(&match &cause.stop {
            Stop::Limit(limit) => Frame::Limit(by, *limit),
            Stop::Trouble(error) if cause.said_by.is_some() => Frame::Trouble(by, error.clone()),
            Stop::Trouble(DiskError { message, help }) => {
                let message = format!("{} stopped: {message}", self.name(me));
                Frame::Trouble(by, DiskError { message, help: help.clone() })
            }
        });
    }

    /// What is told beside the answer, where the limit of another process ended it.
    pub fn note(&self, cause: &Cause) -> Option<String> {
        let name = self.name(cause.said_by?);
        match cause.stop {
            // All reach it at the same layer; and trouble is told by itself.
            Stop::Limit(Limit::Depth) | Stop::Trouble(_) => None,
            Stop::Limit(Limit::Interrupt) => Some(format!("{name} was interrupted")),
            Stop::Limit(limit) => Some(format!("{name} reached its limit: {}", limit.name())),
        }
    }

    fn beat(&self, process: usize, mut stream: TcpStream, every: Duration) {
        while !self.is_over() {
            // Whoever cannot be written to is not heard of, either.
            let guard = self.peers[process].control.lock();
            if Frame::Beat.write(&mut stream).is_err() {
                return;
            }
            drop(guard);
            thread::sleep(every);
        }
    }

    /// Says something to all processes that are there.
    pub fn tell(&self, frame: &Frame) {
        for peer in &self.peers {
            if let Some(stream) = &mut *peer.control.lock() {
                let _ = stream.set_write_timeout(Some(LAST_WORDS));
                // Who does not hear it will miss us.
                let _ = frame.write(stream);
            }
        }
    }

    /// Whether a process has all that it needs; waits for that, or for the end of all.
    pub fn is_done(&self, process: usize) -> bool {
        self.halt.wait_until(self.patience, || self.peers[process].is_done.load(Ordering::Acquire))
    }

    /// Says that this process has all that it needs, and waits until all others have.
    pub fn part(&self, process: usize) {
        let others = self.hosts.len().saturating_sub(1);
        self.halt.wait_until(self.patience, || self.sent.load(Ordering::Acquire) == others);
        self.tell(&Frame::Done);
        (0..self.hosts.len()).filter(|&other| other != process).for_each(|other| {
            self.is_done(other);
        });
    }

    /// Closes all connections: nothing more is heard or said.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Release);
        for peer in &self.peers {
            for stream in [&peer.control, &peer.states] {
                if let Some(stream) = stream.lock().take() {
                    let _ = stream.shutdown(Shutdown::Both);
                }
            }
        }
        self.halt.ring();
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub fn name(&self, process: usize) -> String {
        match self.hosts.get(process) {
            Some(host) => format!("process {process} at {host}"),
            // It is alone, and has no file of hosts.
            None => format!("process {process}"),
        }
    }
}
