//! The other files that a puzzle file names: a list of words, a map, a board. They are part of the puzzle, so whoever asks
//! which puzzle it is has to know them, and whether they are still what they were.

use super::FileContext;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

/// A file that a puzzle file names, as it was when the puzzle was read.
#[derive(Debug)]
pub struct NamedFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its size and when it was written; none where it is no regular file.
    was: Option<(u64, Option<SystemTime>)>,
}

impl NamedFile {
    fn new(path: PathBuf) -> NamedFile {
        let was = is_now(&path);
        NamedFile { path, was }
    }

    /// Whether it was a regular file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.was.is_some()
    }

    /// Whether it was written since, or is no more.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.was != is_now(&self.path)
    }
}

fn is_now(path: &PathBuf) -> Option<(u64, Option<SystemTime>)> {
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((data.len(), data.modified().ok()))
}

impl FileContext<'_> {
    /// Where a file lies that the puzzle names: to be asked for each that is read, since it is part of the puzzle then.
    #[must_use]
    pub fn named(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        self.names.borrow_mut().push(NamedFile::new(path.clone()));
        path
    }
}
