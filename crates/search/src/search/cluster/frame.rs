//! Control messages between processes: their length in four bytes, big-endian, and JSON.

use super::hello::Hello;
use crate::search::disk::DiskError;
use crate::search::limits::Limit;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind, Read, Write};

/// The maximum size of a message.
const MAX_BYTES: usize = 1 << 16;

/// A control message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Frame {
    /// The identity of the sender, and the exploration that it runs.
    Hello(Box<Hello>),
    /// A proof that the sender knows the secret.
    Proof(String),
    /// The sender refuses to work with the receiver.
    Refusal(DiskError),
    /// A heartbeat.
    Beat,
    /// The sender needs nothing more from the receiver.
    Done,
    /// The exploration ends at a limit of this process.
    Limit(usize, Limit),
    /// The exploration ends because of an error that this process reported.
    Trouble(usize, DiskError),
}

impl Frame {
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let json = serde_json::to_vec(self)?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        stream.write_all(&[&length.to_be_bytes()[..], &json].concat())
    }

    /// Reads a message.
    ///
    /// # Errors
    /// The errors of the stream; `InvalidData` if the bytes are not a message.
    pub fn read(stream: &mut impl Read) -> io::Result<Frame> {
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut json = vec![0; length];
        stream.read_exact(&mut json)?;
        serde_json::from_slice(&json).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back_and_other_bytes_are_rejected_without_allocating() {
        let error = DiskError { message: "no".to_owned(), help: "yes".to_owned() };
        for frame in
            [Frame::Beat, Frame::Limit(1, Limit::Memory), Frame::Trouble(2, error), Frame::Proof("ab".repeat(32))]
        {
            let mut bytes = Vec::new();
            frame.write(&mut bytes).expect("a buffer can be written");
            assert_eq!(Frame::read(&mut &bytes[..]).ok(), Some(frame));
            assert!(Frame::read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        for other in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &[0, 0, 0, 2, b'{', b'}'], &[0, 0, 0, 1, 0xff]] {
            assert!(Frame::read(&mut &other[..]).is_err());
        }
    }
}
