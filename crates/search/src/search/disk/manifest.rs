//! The manifest: the list of valid files, with the results so far. It is the checkpoint.
//!
//! It is a text of three lines: title with version, a JSON object, the CRC-32 of both. It is written to a temporary
//! file, fsynced and renamed, so there is always a complete one. Files that it does not name are invalid.

use super::layer_file::Seal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FIRST: &str = "exploration on disk, version 1";

/// The contents of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::search) struct Manifest {
    pub identity: Identity,
    /// By name, existing files, and those that were removed after use.
    pub files: BTreeMap<String, Listed>,
    /// The result, once the exploration is complete.
    pub answer: Option<StoredAnswer>,
}

/// Identifies an exploration: another one does not continue from its checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Identity {
    /// The version of the engine: in another version a state may have another code.
    pub engine: String,
    /// The fingerprint of the puzzle.
    pub puzzle: String,
    /// The description of the codes.
    pub codes: String,
    /// The code of the start.
    pub start: String,
    /// The share in this folder, if the exploration is distributed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// One share of a distributed exploration; all shares together are a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Share {
    /// A random identifier of the run that began it.
    pub run: String,
    pub number: usize,
    pub processes: usize,
    /// The number of shares per process.
    pub workers: usize,
}

impl Share {
    pub fn of(&self) -> usize {
        self.processes * self.workers
    }
}

/// An entry for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Listed {
    #[serde(flatten)]
    pub seal: Seal,
    /// True if the file still exists.
    pub kept: bool,
    /// For a part: the number of source records that it and all parts before it were made of.
    pub made_of: u64,
}

/// The result, except the sizes of layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct StoredAnswer {
    pub dead_ends: u64,
    pub hardest: Option<Farthest>,
}

/// The states farthest from a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) struct Farthest {
    pub cost: u32,
    pub count: u64,
    /// The codes on the path to the first of them, after the start, in hexadecimal.
    pub way: Vec<String>,
}

/// The reason why a text is not a usable manifest.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::search) enum Unusable {
    /// Another version wrote it.
    Version,
    Damaged,
}

impl Manifest {
    pub fn text(&self) -> String {
        let json = serde_json::to_string(self).expect("names and numbers can be serialized");
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
        let listed = Listed { seal: Seal { count: 3, bytes: 70, crc32: 5 }, kept: true, made_of: 0 };
        let hardest = Some(Farthest { cost: 7, count: 2, way: vec!["1f".to_owned()] });
        let answer = Some(StoredAnswer { dead_ends: 0, hardest });
        Manifest { identity, files: BTreeMap::from([("depth-00000.layer".to_owned(), listed)]), answer }
    }

    #[test]
    fn a_manifest_is_read_back_and_any_damage_is_detected() {
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
    fn another_version_is_distinguished_from_damage() {
        let text = example().text().replace("version 1", "version 2");
        let sealed = &text[..text.rfind("crc32 ").expect("it is the last line")];
        let text = format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes()));
        assert_eq!(Manifest::read(text.as_bytes()), Err(Unusable::Version));
    }
}
