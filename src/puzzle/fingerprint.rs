//! The identity of a puzzle as a SHA-256 digest, so that data stored for one puzzle is never used for another.
//!
//! It is the SHA-256 of the file's bytes (FIPS 180-4), which `sha256sum` prints, too. If the file names others (words,
//! a map, a board), these are part of the puzzle. The fingerprint is then the SHA-256 of lines, each the SHA-256 of one
//! file in hex, the puzzle file's first. Named files may have gigabytes, so they are read only when the fingerprint is
//! requested. A file that has changed since the puzzle was read is an error, not another fingerprint.
//! A seed that replaces the file's own is part of the puzzle, too: the second line is then the SHA-256 of its bytes.

use super::Puzzle;
use crate::document::PuzzleText;
use crate::domain::FileRead;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The inputs of the fingerprint.
pub(super) struct Parts {
    /// The file's own text.
    pub text: PuzzleText,
    /// The seed, if it is not the file's own.
    pub seed: Option<String>,
    /// The other files that it names, in the order in which they were read.
    pub named: Vec<FileRead>,
}

/// Returns the SHA-256 of some bytes, in hex.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

impl Puzzle {
    /// Returns the identity of this puzzle: a SHA-256 in hex, of the file, of a seed that replaces its own, and of each
    /// file that it names.
    ///
    /// # Errors
    /// One of those files cannot be read, or has changed since the puzzle was read.
    pub fn fingerprint(&self) -> io::Result<String> {
        let Parts { text, seed, named } = &self.parts;
        let paths: Vec<&Path> = named.iter().map(|file| &*file.path).collect();
        let fingerprint = fingerprint(&digest(text.text().as_bytes()), seed.as_deref(), &paths)?;
        if let Some(changed) = named.iter().find(|file| file.has_changed()) {
            let message = format!("{}: has changed since the puzzle was read", changed.path.display());
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        Ok(fingerprint)
    }

    /// Returns the paths of the other files that it names, relative to the folder of its own file.
    pub(crate) fn named_files(&self, folder: &Path) -> Vec<PathBuf> {
        let relative = |file: &FileRead| file.path.strip_prefix(folder).unwrap_or(&file.path).to_owned();
        self.parts.named.iter().map(relative).collect()
    }
}

/// Returns the identity of a puzzle: `text` is the digest of its file, `named` are the files that it names.
pub(super) fn fingerprint(text: &str, seed: Option<&str>, named: &[&Path]) -> io::Result<String> {
    if named.is_empty() && seed.is_none() {
        return Ok(text.to_owned());
    }
    let mut lines = format!("{text}\n");
    lines.extend(seed.iter().map(|seed| digest(seed.as_bytes()) + "\n"));
    for path in named {
        let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        lines += &(digest_of(path).map_err(explain)? + "\n");
    }
    Ok(digest(lines.as_bytes()))
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => break,
            read => digest.update(&bytes[..read]),
        }
    }
    Ok(hex(digest))
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const MAZE: &str = "title = \"t\"\ndomain = \"maze\"\nmap_file = \"m.map\"\nstart = [0, 0]\ngoal = [0, 1]\n";

    #[test]
    fn the_fingerprint_of_a_file_is_its_sha256() {
        let text = "title = \"t\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\n";
        let puzzle = Puzzle::parse(text, "t").unwrap_or_else(|report| panic!("{report}"));
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), known, "the example of FIPS 180-2");
        assert_eq!(puzzle.fingerprint().ok(), Some(digest(text.as_bytes())));
    }

    #[test]
    fn a_named_file_is_part_of_the_puzzle_and_may_not_change_after_it_is_read() {
        let folder = tempfile::tempdir().expect("a temporary file can be written");
        let (toml, map) = (folder.path().join("t.toml"), folder.path().join("m.map"));
        fs::write(&toml, MAZE).expect("a temporary file can be written");
        let mut prints = Vec::new();
        for rows in ["...", "..@"] {
            let text = format!("type octile\nheight 1\nwidth 3\nmap\n{rows}\n");
            fs::write(&map, &text).expect("a temporary file can be written");
            let puzzle = Puzzle::load(&toml).unwrap_or_else(|report| panic!("{report}"));
            let lines = format!("{}\n{}\n", digest(MAZE.as_bytes()), digest(text.as_bytes()));
            assert_eq!(puzzle.fingerprint().ok(), Some(digest(lines.as_bytes())));
            prints.extend(puzzle.fingerprint().ok());
            fs::write(&map, text + "\n").expect("a temporary file can be written");
            let error = puzzle.fingerprint().expect_err("the map has changed");
            assert!(error.to_string().ends_with("m.map: has changed since the puzzle was read"), "{error}");
            fs::remove_file(&map).expect("the map exists");
            assert!(puzzle.fingerprint().is_err(), "the map is missing");
        }
        assert_ne!(prints[0], prints[1]);
    }
}
