//! The list of the files that count, with what is known so far: what a checkpoint is.
//!
//! It is a text of three lines: what it is and its version, a JSON object, the CRC-32 of both. It is written aside, made
//! durable and moved into its place, so there is always a whole one; a file that it does not name is none.

use super::layer_file::Sealed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FIRST: &str = "exploration on disk, version 1";

/// What a checkpoint says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::search) struct Manifest {
    pub identity: Identity,
    /// By name, files that lie there, and those that were needed no more.
    pub files: BTreeMap<String, Listed>,
    /// The end, once it was reached.
    pub answer: Option<Answer>,
}

/// What an exploration is of: it does not go on from the checkpoint of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Identity {
    /// The version of the engine: in another the same state may have another code.
    pub engine: String,
    /// The fingerprint of the puzzle.
    pub puzzle: String,
    /// What codes are.
    pub codes: String,
    /// The code of the state that it begins with.
    pub start: String,
    /// Which part of it lies here, where it is shared out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// One of the shares of an exploration, which together are a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Share {
    /// What tells the run that it was begun in from any other.
    pub run: String,
    pub number: usize,
    pub processes: usize,
    /// How many shares a process has.
    pub workers: usize,
}

impl Share {
    pub fn of(&self) -> usize {
        self.processes * self.workers
    }
}

/// A file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Listed {
    #[serde(flatten)]
    pub seal: Sealed,
    /// Whether it lies there still.
    pub kept: bool,
    /// Where it has a part of the records to come: how many of those that they are made from it was made of, with all
    /// parts before.
    pub made_of: u64,
}

/// What is known at the end, beside the sizes of layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Answer {
    pub dead_ends: u64,
    pub hardest: Option<Farthest>,
}

/// The states farthest from a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Farthest {
    pub cost: u32,
    pub count: u64,
    /// The codes on the way to the first of them, after the start, in hex.
    pub way: Vec<String>,
}

/// Why a text is no list that can be used.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::search) enum Unusable {
    /// Another version wrote it.
    Version,
    Damaged,
}

impl Manifest {
    pub fn text(&self) -> String {
        let json = serde_json::to_string(self).expect("names and numbers can be written");
        let sealed = format!("{FIRST}\n{json}\n");
        let crc32 = crc32fast::hash(sealed.as_bytes());
        format!("{sealed}crc32 {crc32:08x}\n")
    }

    pub fn read(bytes: &[u8]) -> Result<Manifest, Unusable> {
        let text = std::str::from_utf8(bytes).map_err(|_| Unusable::Damaged)?;
        let (first, rest) = text.split_once('\n').ok_or(Unusable::Damaged)?;
        let (json, crc32) = rest.split_once('\n').ok_or(Unusable::Damaged)?;
        let sealed = &text[..first.len() + json.len() + 2];
        if crc32 != format!("crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes())) {
            return Err(Unusable::Damaged);
        }
        if first != FIRST {
            return Err(Unusable::Version);
        }
        serde_json::from_str(json).map_err(|_| Unusable::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let identity = Identity {
            engine: "0.1.0".to_owned(),
            puzzle: "ab".repeat(32),
            codes: "keys".to_owned(),
            start: "ff".to_owned(),
            share: Some(Share { run: "1f".to_owned(), number: 3, processes: 2, workers: 2 }),
        };
        let listed = Listed { seal: Sealed { count: 3, bytes: 70, crc32: 5 }, kept: true, made_of: 0 };
        let hardest = Some(Farthest { cost: 7, count: 2, way: vec!["1f".to_owned()] });
        let answer = Some(Answer { dead_ends: 0, hardest });
        Manifest { identity, files: BTreeMap::from([("depth-00000.layer".to_owned(), listed)]), answer }
    }

    #[test]
    fn it_comes_back_and_no_changed_bit_or_missing_byte_goes_unseen() {
        let text = example().text();
        assert_eq!(Manifest::read(text.as_bytes()), Ok(example()));
        for bit in 0..text.len() * 8 {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::read(&bytes).is_err(), "bit {bit}");
        }
        for end in 0..text.len() {
            assert_eq!(Manifest::read(&text.as_bytes()[..end]), Err(Unusable::Damaged), "{end} bytes");
        }
    }

    #[test]
    fn another_version_is_told_from_damage() {
        let text = example().text().replace("version 1", "version 2");
        let sealed = &text[..text.rfind("crc32 ").expect("it is the last line")];
        let text = format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes()));
        assert_eq!(Manifest::read(text.as_bytes()), Err(Unusable::Version));
    }
}
