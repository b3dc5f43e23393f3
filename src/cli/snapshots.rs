//! Stored transcripts: the place of each puzzle's snapshot, and how it is read, compared and stored.
//!
//! They are insta's files (<https://insta.rs>): a header between two lines `---`, then the text. White space at the end
//! does not count, and line ends may be CRLF. So insta accepts what this module stores, and vice versa.

use super::files;
use super::output::{Output, with_path};
use crate::diagnostic::Report;
use crate::domain::open_regular;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The header that insta writes in the engine's own tests; readers skip it.
const HEADER: &str = "---\nsource: tests/puzzles.rs\n---\n";

/// The file at the top of a snapshot folder with the counts of all puzzles together; it is not a transcript.
const EFFORT: &str = "effort.snap";

/// Returns a field in the header of a transcript, such as `cost`.
pub(super) fn header_field<'a>(transcript: &'a str, name: &str) -> Option<&'a str> {
    // The padding tells a field from a title.
    transcript.lines().take(10).find_map(|line| line.strip_prefix(&format!("{name:<10} ")))
}

/// The snapshots of a folder of puzzles, or of the levels of a collection.
pub(super) struct Snapshots {
    /// The folder that the folder `snapshots` is in.
    beside: PathBuf,
    folder: PathBuf,
}

impl Snapshots {
    /// Returns the snapshots in the folder `snapshots` beside a folder of puzzles. Those of a collection, which is a
    /// file, have a folder of its name there.
    pub fn beside(puzzles: &Path) -> Snapshots {
        // `.` and `..` have no name that could be replaced.
        let beside = match puzzles.file_name().and(puzzles.parent()) {
            Some(parent) => parent.to_owned(),
            None if puzzles == Path::new(".") => "..".into(),
            None => puzzles.join(".."),
        };
        let mut folder = beside.join("snapshots");
        if puzzles.is_file() {
            folder.extend(puzzles.file_stem());
        }
        Snapshots { beside, folder }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the file for a puzzle, which is given by its path below the folder of puzzles, or its number in the
    /// collection. The levels of a collection below the folder have a folder of its name.
    pub fn path(&self, puzzle: &Path) -> PathBuf {
        let level = puzzle.to_str().and_then(|name| name.rsplit_once('#'));
        match level.filter(|(_, number)| number.parse::<usize>().is_ok()) {
            Some((collection, number)) => {
                self.folder.join(collection).with_extension("").join(format!("{number}.snap"))
            }
            None => self.folder.join(puzzle).with_extension("snap"),
        }
    }

    /// Returns the names of puzzles whose snapshots would be those of puzzles before them, and the files of these: `b.ps`
    /// and `b/1.toml` have the snapshot `b/1.snap`, too, if `b.sok` has it. A puzzle is given by its name and its file.
    pub fn shared<'a>(&self, puzzles: impl Iterator<Item = (&'a Path, &'a Path)>) -> BTreeMap<PathBuf, PathBuf> {
        let mut owners = BTreeMap::new();
        let mut shared = BTreeMap::new();
        for (name, file) in puzzles {
            let (owner, owned) = *owners.entry(self.path(name)).or_insert((name, file));
            if owner != name {
                shared.insert(name.to_owned(), owned.to_owned());
            }
        }
        shared
    }

    /// Returns the stored transcript of a puzzle, if there is one.
    ///
    /// # Errors
    /// The file exists but cannot be read as text, or is a link that leads elsewhere.
    pub fn read(&self, puzzle: &Path) -> Result<Option<String>, Report> {
        let path = self.path(puzzle);
        self.refuse_links(&path)?;
        if fs::metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let read = open_regular(&path, "a snapshot").and_then(|mut file| {
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(|error| format!("cannot be read: {error}"))?;
            Ok(text)
        });
        match read {
            Ok(text) => Ok(Some(normalised(below_the_header(&text.replace("\r\n", "\n"))))),
            Err(message) => Err(Report::unreadable(&path.display().to_string(), message)),
        }
    }

    /// Stores a transcript completely or not at all.
    pub fn store(&self, puzzle: &Path, transcript: &str) -> io::Result<()> {
        let path = self.path(puzzle);
        let refused = |report: Report| with_path(&path, &io::Error::other(report.messages()), "");
        self.refuse_links(&path).map_err(refused)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| with_path(folder, &error, ""))?;
        }
        let mut output = Output::open(Some(&path), &[])?;
        output.write_all((HEADER.to_owned() + &normalised(transcript)).as_bytes())?;
        output.flush()?;
        output.finish()
    }

    /// Checks that neither the folder of snapshots nor anything in it is a link that leads elsewhere.
    fn refuse_links(&self, path: &Path) -> Result<(), Report> {
        files::refuse_link_out(&self.beside, path, "put the snapshots in its place")
    }

    /// Returns the snapshots without a puzzle, by their paths below the folder of snapshots.
    ///
    /// # Errors
    /// The folder of snapshots, or one within it, cannot be read.
    pub fn orphans<'a>(&self, puzzles: impl Iterator<Item = &'a Path>) -> Result<Vec<PathBuf>, Report> {
        if !self.folder.exists() {
            return Ok(Vec::new());
        }
        self.refuse_links(&self.folder)?;
        let known: BTreeSet<PathBuf> = puzzles.map(|puzzle| self.path(puzzle)).collect();
        let is_orphan = |path: &PathBuf| path.is_file() && !known.contains(path) && *path != self.folder.join(EFFORT);
        Ok(files::below(&self.folder, &BTreeSet::from(["snap"]))?.into_iter().filter(is_orphan).collect())
    }
}

/// Normalises a text for comparison and storage: it ends with one line end.
pub(super) fn normalised(text: &str) -> String {
    text.trim_end().to_owned() + "\n"
}

fn below_the_header(text: &str) -> &str {
    let header = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    header.map_or(text, |(_, below)| below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_beside_the_folder_of_puzzles() {
        let folder = |puzzles: &str| Snapshots::beside(Path::new(puzzles)).folder;
        assert_eq!(folder("puzzles"), Path::new("snapshots"));
        assert_eq!(folder("a/puzzles/"), Path::new("a/snapshots"));
        assert_eq!(folder("/a/puzzles"), Path::new("/a/snapshots"));
        assert_eq!(folder("."), Path::new("../snapshots"));
        assert_eq!(folder("a/.."), Path::new("a/../../snapshots"));
    }

    #[test]
    fn a_line_of_three_dashes_in_a_transcript_does_not_end_the_header() {
        assert_eq!(below_the_header("---\nsource: x\n---\nTitle\n---\n1 2\n"), "Title\n---\n1 2\n");
        assert_eq!(below_the_header("Title\n---\n"), "Title\n---\n");
    }
}
