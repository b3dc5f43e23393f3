//! The connection for states, as timely uses it: it ends cleanly or not at all, and delivers no damaged bytes.
//!
//! Timely panics when a connection breaks, with its own message, and takes the process down. Here the reading thread
//! instead waits until the workers have ended, for whatever reason, and then unwinds silently. Data written to a broken
//! connection is discarded.
//!
//! Timely also panics at bytes that are not its own, or waits for more of them. So they travel in records: the length and
//! the CRC-32 of the content, four bytes each, little-endian, then the content. Bytes of another
//! form, and records without a [message](super::message), end the exploration with the name of the process that sent them.

use super::heartbeat::Heartbeat;
use super::message::Messages;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// The interval at which a finished reader checks whether it may end.
const CHECK_EVERY: Duration = Duration::from_millis(10);
/// The size of the beginning of a record: its length and its checksum.
const HEADER: usize = 8;
/// The greatest length of a record.
const MAX_RECORD: usize = 1 << 20;

/// The connection to a process.
pub(super) struct Wire {
    stream: BufReader<TcpStream>,
    process: usize,
    heartbeat: Arc<Heartbeat>,
    /// The messages that arrive.
    messages: Messages,
    /// The content of the last records; how many of its bytes are complete messages, and how many of those are read.
    content: Vec<u8>,
    complete: usize,
    read: usize,
}

impl Wire {
    pub fn new(stream: TcpStream, process: usize, messages: Messages, heartbeat: Arc<Heartbeat>) -> Wire {
        let stream = BufReader::new(stream);
        Wire { stream, process, heartbeat, messages, content: Vec::new(), complete: 0, read: 0 }
    }

    /// Reads records until a message is complete. Returns false at the end of the stream.
    ///
    /// # Errors
    /// Those of [`read_record`]; `InvalidData` at what is no message.
    fn read_message(&mut self) -> io::Result<bool> {
        self.content.drain(..self.complete);
        (self.complete, self.read) = (0, 0);
        while self.complete == 0 {
            if !read_record(&mut self.stream, &mut self.content)? {
                return Ok(false);
            }
            loop {
                match self.messages.first(&self.content[self.complete..]) {
                    None => return Err(ErrorKind::InvalidData.into()),
                    Some(0) => break,
                    Some(length) => self.complete += length,
                }
            }
        }
        Ok(true)
    }
}

/// Appends the content of the next record. Returns false at the end of the stream.
///
/// # Errors
/// The errors of the stream; `InvalidData` if the bytes are no record.
fn read_record(stream: &mut impl BufRead, content: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        match stream.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok([]) => return Ok(false),
            Ok(_) => break,
            Err(error) => return Err(error),
        }
    }
    let mut number = [0; HEADER / 2];
    stream.read_exact(&mut number)?;
    let length = u32::from_le_bytes(number) as usize;
    stream.read_exact(&mut number)?;
    if length == 0 || length > MAX_RECORD {
        return Err(ErrorKind::InvalidData.into());
    }
    let before = content.len();
    content.resize(before + length, 0);
    stream.read_exact(&mut content[before..])?;
    if crc32fast::hash(&content[before..]) != u32::from_le_bytes(number) {
        return Err(ErrorKind::InvalidData.into());
    }
    Ok(true)
}

/// Writes the beginning of some bytes as a record. Returns its length.
fn write_record(stream: &mut impl Write, bytes: &[u8]) -> io::Result<usize> {
    let content = &bytes[..bytes.len().min(MAX_RECORD)];
    let length = u32::try_from(content.len()).map_err(io::Error::other)?;
    let checksum = crc32fast::hash(content);
    stream.write_all(&[&length.to_le_bytes(), &checksum.to_le_bytes(), content].concat())?;
    Ok(content.len())
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.read == self.complete {
            let how = match self.read_message() {
                Ok(true) => None,
                Err(error) if error.kind() == ErrorKind::InvalidData => Some("sent invalid data"),
                _ if self.heartbeat.is_done(self.process) => return Ok(0),
                _ => Some("has closed its connection"),
            };
            if let Some(how) = how {
                self.heartbeat.report_lost(self.process, how);
                while !self.heartbeat.is_over() {
                    thread::sleep(CHECK_EVERY);
                }
                std::panic::resume_unwind(Box::new("the connection ended"))
            }
        }
        let content = &self.content[self.read..self.complete];
        let length = content.len().min(bytes.len());
        bytes[..length].copy_from_slice(&content[..length]);
        self.read += length;
        Ok(length)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        write_record(self.stream.get_mut(), bytes).or_else(|_| {
            // The peer sends its reason on the control connection.
            self.heartbeat.is_done(self.process);
            self.heartbeat.report_lost(self.process, "has closed its connection");
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Timely has refused what it read. If the exploration is over, this is the silent end of the thread.
        if thread::panicking() {
            self.heartbeat.report_lost(self.process, "sent invalid data");
        }
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        let stream = self.stream.get_ref().try_clone()?;
        Ok(Wire::new(stream, self.process, self.messages.clone(), Arc::clone(&self.heartbeat)))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.get_ref().set_nonblocking(nonblocking)
    }

    /// Called when everything was sent.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.get_ref().shutdown(how);
        self.heartbeat.sent.fetch_add(1, Ordering::AcqRel);
        self.heartbeat.halt.notify();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back_and_other_bytes_are_rejected() {
        let long = vec![7; MAX_RECORD + 3];
        let mut bytes = Vec::new();
        assert_eq!(write_record(&mut bytes, b"states").ok(), Some(6));
        assert_eq!(write_record(&mut bytes, &long).ok(), Some(MAX_RECORD));
        let (mut stream, mut content) = (&bytes[..], Vec::new());
        assert!(read_record(&mut stream, &mut content).is_ok_and(|is_there| is_there && content == b"states"));
        content.clear();
        assert!(read_record(&mut stream, &mut content).is_ok_and(|is_there| is_there && content == long[3..]));
        assert_eq!(read_record(&mut stream, &mut content).ok(), Some(false));
        let kind = |mut bytes: &[u8]| read_record(&mut bytes, &mut Vec::new()).expect_err("no record").kind();
        for at in 0..HEADER + 6 {
            let mut damaged = bytes[..HEADER + 6].to_vec();
            damaged[at] ^= 1;
            assert!(matches!(kind(&damaged), ErrorKind::InvalidData | ErrorKind::UnexpectedEof), "byte {at}");
        }
        for other in [&[0; 64], &[0xff; 64], &[0xa5; 64]] {
            assert_eq!(kind(other), ErrorKind::InvalidData);
        }
    }
}
