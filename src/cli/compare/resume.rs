//! The file of `--resume`: the rows of a long batch, each written as soon as its search has ended.
//!
//! It has one JSON object a line: first the settings of the searches, then a row a line. A row that an earlier run wrote
//! stands for its search if the puzzle is the same, by its fingerprint. An interrupt or a crash loses at most the row
//! that was being written: a last line without an end is dropped. Two programs never write to one file: it is locked.

use crate::cli::failure::Failure;
use crate::cli::output::with_path;
use crate::diagnostic::json;
use crate::transcript::batch::SearchRow;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u32 = 1;

/// The first line: what the rows depend on beside the puzzles.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    engine_compare_rows: u32,
    settings: String,
}

/// A line with a row.
#[derive(Serialize, Deserialize)]
struct Line {
    /// The fingerprint of the puzzle.
    puzzle: String,
    row: SearchRow,
}

/// What distinguishes a row: the puzzle, its file and number, algorithm and heuristic.
type Key = (String, String, Option<usize>, String, Option<String>);

fn key(puzzle: &str, row: &SearchRow) -> Key {
    (puzzle.to_owned(), row.file.clone(), row.board, row.algorithm.clone(), row.heuristic.clone())
}

/// The open file, and the rows that an earlier run wrote.
pub(super) struct Resume {
    path: PathBuf,
    file: File,
    rows: HashMap<Key, SearchRow>,
}

impl Resume {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// It cannot be read or written, is of another kind or of other settings, is damaged, or another program uses it.
    pub fn open(path: &Path, settings: String) -> Result<Resume, Failure> {
        let explain = |error: io::Error| with_path(path, &error, "cannot be opened: ");
        let refused = |message: &str, help: &str| Failure::refused(message, help).about(path);
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return Err(refused("is not a file", "name a new file for `--resume`"));
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(explain)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused("another comparison writes its rows to this file", "wait until it has ended"));
            }
            Err(TryLockError::Error(error)) => return Err(explain(error).into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(explain)?;
        let header = Header { engine_compare_rows: VERSION, settings };
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes[..end].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let is_new = match lines.next() {
            None if bytes.is_empty() => true,
            // The first line was being written when a run ended.
            None if bytes.starts_with(b"{\"engine_compare_rows\"") => true,
            first => match first.map(serde_json::from_slice::<Header>) {
                Some(Ok(before)) if before == header => false,
                Some(Ok(before)) => {
                    let message = format!("has rows of other searches: {}", before.settings);
                    let help = format!("name another file: these are {}", header.settings);
                    return Err(refused(&message, &help));
                }
                _ => return Err(refused("is not a file that `--resume` wrote", "name a new file")),
            },
        };
        let mut rows = HashMap::new();
        for (number, line) in (2..).zip(lines) {
            let Ok(Line { puzzle, row }) = serde_json::from_slice(line) else {
                return Err(refused(&format!("line {number} is damaged"), "delete the line"));
            };
            rows.insert(key(&puzzle, &row), row);
        }
        let end = if is_new { 0 } else { end as u64 };
        file.set_len(end).map_err(explain)?;
        file.seek(io::SeekFrom::End(0)).map_err(explain)?;
        let mut resume = Resume { path: path.to_owned(), file, rows };
        if is_new {
            resume.append(&header)?;
        }
        Ok(resume)
    }

    /// Returns the row of an earlier run for the same search of the same puzzle as `empty`.
    pub fn known(&self, puzzle: &str, empty: &SearchRow) -> Option<SearchRow> {
        self.rows.get(&key(puzzle, empty)).cloned()
    }

    /// Adds the row of a search, unless an interrupt ended it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, puzzle: &str, row: &SearchRow) -> io::Result<()> {
        if row.limit.as_deref() == Some("interrupt") {
            return Ok(());
        }
        self.append(&Line { puzzle: puzzle.to_owned(), row: row.clone() })
    }

    fn append(&mut self, line: &impl Serialize) -> io::Result<()> {
        let line = json(line)? + "\n";
        self.file.write_all(line.as_bytes()).map_err(|error| with_path(&self.path, &error, "cannot be written: "))
    }
}
