//! The connection for states, as timely uses it: it ends cleanly or not at all.
//!
//! Timely panics when a connection breaks, with its own message, and takes the process down. Here the reading thread
//! instead waits until the workers have ended, for whatever reason, and then unwinds silently. Data written to a broken
//! connection is discarded.

use super::heartbeat::Heartbeat;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// The interval at which a finished reader checks whether it may end.
const CHECK_EVERY: Duration = Duration::from_millis(10);

/// The connection to a process.
pub(super) struct Wire {
    pub stream: TcpStream,
    pub process: usize,
    pub heartbeat: Arc<Heartbeat>,
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
        if self.heartbeat.is_done(self.process) {
            return Ok(0);
        }
        self.heartbeat.report_lost(self.process, "has closed its connection");
        while !self.heartbeat.is_over() {
            std::thread::sleep(CHECK_EVERY);
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
                // The peer sends its reason on the control connection.
                self.heartbeat.is_done(self.process);
                self.heartbeat.report_lost(self.process, "has closed its connection");
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
        Ok(Wire { stream: self.stream.try_clone()?, process: self.process, heartbeat: Arc::clone(&self.heartbeat) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    /// Called when everything was sent.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        self.heartbeat.sent.fetch_add(1, Ordering::AcqRel);
        self.heartbeat.halt.notify();
        Ok(())
    }
}
