//! Heartbeats: on a separate connection each process regularly reports to each other that it is alive, and finally the
//! reason for its end. A process that is silent for too long is frozen, or the network between is down.
//!
//! Separate threads send and receive, so heartbeats continue during work; silence means that the process does not run.

use super::frame::Frame;
use super::halt::{Cause, Halt};
use crate::search::disk::{Abort, DiskError};
use crate::search::hosts::Host;
use crate::search::limits::Limit;
use parking_lot::Mutex;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Heartbeats per timeout of the receiver: a few may be late.
const BEATS_PER_TIMEOUT: u32 = 5;
/// The shortest timeout that heartbeats are sent for.
const MIN_TIMEOUT: Duration = Duration::from_millis(100);
/// The write timeout of final messages.
const FINAL_WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// The control connections to all other processes, and the state of those processes.
pub(super) struct Heartbeat {
    pub halt: Halt,
    pub hosts: Vec<Host>,
    pub patience: Duration,
    /// The state of the work after a failure, for messages.
    kept: &'static str,
    /// By process.
    peers: Vec<Peer>,
    /// Set when nothing more is sent or received.
    is_over: AtomicBool,
    /// The number of peers to which all states were sent.
    pub sent: AtomicUsize,
}

#[derive(Default)]
struct Peer {
    control: Mutex<Option<TcpStream>>,
    states: Mutex<Option<TcpStream>>,
    /// Set when the peer needs nothing more.
    is_done: AtomicBool,
}

impl Heartbeat {
    pub fn new(hosts: Vec<Host>, patience: Duration, kept: &'static str) -> Arc<Heartbeat> {
        let peers = hosts.iter().map(|_| Peer::default()).collect();
        let (halt, is_over, sent) = (Halt::default(), AtomicBool::new(false), AtomicUsize::new(0));
        Arc::new(Heartbeat { halt, hosts, patience, kept, peers, is_over, sent })
    }

    /// Starts the threads that receive from a process and send to it, as often as it expects.
    pub fn join(self: &Arc<Self>, process: usize, stream: TcpStream, expects: Duration) -> io::Result<()> {
        stream.set_read_timeout(Some(self.patience))?;
        stream.set_write_timeout(Some(self.patience))?;
        let every = expects.clamp(MIN_TIMEOUT, self.patience.max(MIN_TIMEOUT)) / BEATS_PER_TIMEOUT;
        let (listening, beating) = (stream.try_clone()?, stream.try_clone()?);
        *self.peers[process].control.lock() = Some(stream);
        let heartbeat = Arc::clone(self);
        thread::Builder::new().name(format!("hear-{process}")).spawn(move || heartbeat.listen(process, listening))?;
        let heartbeat = Arc::clone(self);
        thread::Builder::new()
            .name(format!("beat-{process}"))
            .spawn(move || heartbeat.beat(process, beating, every))?;
        Ok(())
    }

    /// Registers the connection for states, to close it at the end.
    pub fn register_states(&self, process: usize, stream: TcpStream) {
        *self.peers[process].states.lock() = Some(stream);
    }

    fn listen(&self, process: usize, mut stream: TcpStream) {
        let is_done = || self.peers[process].is_done.load(Ordering::Acquire);
        while !self.is_over() {
            match Frame::read(&mut stream) {
                Ok(Frame::Done) => {
                    self.peers[process].is_done.store(true, Ordering::Release);
                    self.halt.notify();
                }
                Ok(Frame::Limit(by, limit)) => {
                    self.halt.set(Abort::Limit(limit), Some(self.valid_process(by, process)))
                }
                Ok(Frame::Trouble(by, error)) => {
                    self.halt.set(Abort::Error(error), Some(self.valid_process(by, process)))
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) if is_done() || self.is_over() => return,
                Err(error) => {
                    let how = match error.kind() {
                        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                            format!("has sent nothing for {}", humantime::format_duration(self.patience))
                        }
                        ErrorKind::InvalidData => "sent invalid data".to_owned(),
                        _ => "is gone".to_owned(),
                    };
                    return self.report_lost(process, &how);
                }
            }
        }
    }

    /// Ends the exploration because a process is unreachable.
    pub fn report_lost(&self, process: usize, how: &str) {
        let message = format!("{} {how}", self.name(process));
        let help = format!("{}: check that process, then start the same command everywhere", self.kept);
        self.halt.set(Abort::Error(DiskError { message, help }), None);
    }

    /// Ends the exploration because of data that no process of the engine sends: from the other one of two, or from one of
    /// several.
    pub fn report_invalid(&self, me: usize) {
        let mut others = (0..self.hosts.len()).filter(|&process| process != me);
        let message = match (others.next(), others.next()) {
            (Some(other), None) => format!("{} sent invalid data", self.name(other)),
            _ => "another process sent invalid data".to_owned(),
        };
        let help = format!("{}: start the same command everywhere", self.kept);
        self.halt.set(Abort::Error(DiskError { message, help }), None);
    }

    /// Returns the process number in a message if it is valid, otherwise the number of the sender.
    fn valid_process(&self, process: usize, by: usize) -> usize {
        if process < self.hosts.len() { process } else { by }
    }

    /// Sends the cause of the end, and the process that first reported it, to all others.
    pub fn broadcast_cause(&self, me: usize, cause: &Cause) {
        let by = cause.reported_by.unwrap_or(me);
        self.broadcast(&match &cause.abort {
            Abort::Limit(limit) => Frame::Limit(by, *limit),
            Abort::Error(error) if cause.reported_by.is_some() => Frame::Trouble(by, error.clone()),
            Abort::Error(DiskError { message, help }) => {
                let message = format!("{} stopped: {message}", self.name(me));
                Frame::Trouble(by, DiskError { message, help: help.clone() })
            }
        });
    }

    /// Returns the note for the result, if the limit of another process ended the exploration.
    pub fn note(&self, cause: &Cause) -> Option<String> {
        let name = self.name(cause.reported_by?);
        match cause.abort {
            // All processes reach the depth limit at the same layer; errors are reported separately.
            Abort::Limit(Limit::Depth) | Abort::Error(_) => None,
            Abort::Limit(Limit::Interrupt) => Some(format!("{name} was interrupted")),
            Abort::Limit(limit) => Some(format!("{name} reached its limit: {}", limit.name())),
        }
    }

    fn beat(&self, process: usize, mut stream: TcpStream, every: Duration) {
        while !self.is_over() {
            // If writing fails, reading reports the loss.
            let guard = self.peers[process].control.lock();
            if Frame::Beat.write(&mut stream).is_err() {
                return;
            }
            drop(guard);
            thread::sleep(every);
        }
    }

    /// Sends a message to all connected processes.
    pub fn broadcast(&self, frame: &Frame) {
        for peer in &self.peers {
            if let Some(stream) = &mut *peer.control.lock() {
                let _ = stream.set_write_timeout(Some(FINAL_WRITE_TIMEOUT));
                // A peer that does not receive it will time out.
                let _ = frame.write(stream);
            }
        }
    }

    /// Waits until a process needs nothing more, or the exploration ends; returns whether the former holds.
    pub fn is_done(&self, process: usize) -> bool {
        self.halt.wait_until(self.patience, || self.peers[process].is_done.load(Ordering::Acquire))
    }

    /// Announces that this process needs nothing more, and waits until that holds for all others.
    pub fn leave(&self, process: usize) {
        let peers = self.hosts.len().saturating_sub(1);
        self.halt.wait_until(self.patience, || self.sent.load(Ordering::Acquire) == peers);
        self.broadcast(&Frame::Done);
        (0..self.hosts.len()).filter(|&other| other != process).for_each(|other| {
            self.is_done(other);
        });
    }

    /// Closes all connections: nothing more is sent or received.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Release);
        for peer in &self.peers {
            for stream in [&peer.control, &peer.states] {
                if let Some(stream) = stream.lock().take() {
                    let _ = stream.shutdown(Shutdown::Both);
                }
            }
        }
        self.halt.notify();
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub fn name(&self, process: usize) -> String {
        match self.hosts.get(process) {
            Some(host) => format!("process {process} at {host}"),
            // A single process has no hosts file.
            None => format!("process {process}"),
        }
    }
}
