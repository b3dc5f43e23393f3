//! Messages between processes beside the stream of states: their length in four bytes, highest first, and JSON.

use super::greeting::Hello;
use crate::search::disk::DiskError;
use crate::search::limits::Limit;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind, Read, Write};

/// No message is longer.
const MOST_BYTES: usize = 1 << 16;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Frame {
    /// Who it is, and what it is about to do.
    Hello(Box<Hello>),
    /// That it knows the secret.
    Proof(String),
    /// It will not do this together.
    Refusal(DiskError),
    /// It is still there.
    Beat,
    /// It has all that it needs of the other.
    Done,
    /// All of it ends: at a limit of this process.
    Limit(usize, Limit),
    /// All of it ends: something is wrong, as this process says.
    Trouble(usize, DiskError),
}

impl Frame {
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let json = serde_json::to_vec(self)?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        stream.write_all(&[&length.to_be_bytes()[..], &json].concat())
    }

    /// # Errors
    /// What the stream says; `InvalidData`, where it holds something else.
    pub fn read(stream: &mut impl Read) -> io::Result<Frame> {
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > MOST_BYTES {
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
    fn messages_come_back_and_others_are_refused_before_they_take_memory() {
        let error = DiskError { message: "no".to_owned(), help: "yes".to_owned() };
        for frame in
            [Frame::Beat, Frame::Limit(1, Limit::Memory), Frame::Trouble(2, error), Frame::Proof("ab".repeat(32))]
        {
            let mut bytes = Vec::new();
            frame.write(&mut bytes).expect("there is room");
            assert_eq!(Frame::read(&mut &bytes[..]).ok(), Some(frame));
            assert!(Frame::read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        for other in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &[0, 0, 0, 2, b'{', b'}'], &[0, 0, 0, 1, 0xff]] {
            assert!(Frame::read(&mut &other[..]).is_err());
        }
    }
}
