//! The connection on which states travel, as timely sees it: it ends well, or not at all.
//!
//! Timely takes a connection that breaks for a panic, which would be told in its own words and take everything with it.
//! Here the thread that reads waits instead until the workers have ended, of whatever cause, and then goes without a word;
//! what is written to a broken connection is let go.

use super::pulse::Pulse;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// How often a thread that is done looks whether it may go.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The connection to a process.
pub(super) struct Wire {
    pub stream: TcpStream,
    pub process: usize,
    pub pulse: Arc<Pulse>,
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(read) if read > 0 => return Ok(read),
                _ => break,
            }
        }
        if self.pulse.is_done(self.process) {
            return Ok(0);
        }
        self.pulse.lost(self.process, "has closed its connection");
        while !self.pulse.is_over() {
            std::thread::sleep(LOOK_EVERY);
        }
        std::panic::resume_unwind(Box::new("the connection ended"))
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(written) => Ok(written),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(_) => {
                // Who closes it says why, but on the other connection.
                self.pulse.is_done(self.process);
                self.pulse.lost(self.process, "has closed its connection");
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        Ok(Wire { stream: self.stream.try_clone()?, process: self.process, pulse: Arc::clone(&self.pulse) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    /// Called when all was sent.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        self.pulse.sent.fetch_add(1, Ordering::AcqRel);
        self.pulse.halt.ring();
        Ok(())
    }
}
