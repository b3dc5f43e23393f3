//! The player's records: for each level the best solution and where the game was left; for each collection the last
//! level.
//!
//! They are one small file in the user's folder for data. A level is known by its text and by the files that this
//! names, such as a map. So a file may be renamed or moved, and a level that has changed is another one. A list of
//! levels does not read the puzzles, so the records also keep which files a text names. The file is read again before
//! each change, and replaced as a whole. One that cannot be read is no error: the game goes on without records, and the
//! next change replaces it, after a copy.

use crate::domain::WholeFile;
use crate::puzzle::{Puzzle, Source};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// The version of the file.
const VERSION: u32 = 1;

/// The greatest size of the file that is read.
const MAX_BYTES: u64 = 1 << 26;

/// The record of a level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    /// The title, for readers of the file.
    pub title: String,
    /// True if it was solved, with or without hints.
    pub solved: bool,
    /// The best solution without hints.
    pub best: Option<Best>,
    /// The least cost, if it is known, and not claimed by the file.
    pub least: Option<f64>,
    /// The moves after which the game was left unsolved.
    pub moves: Vec<String>,
    /// True if hints made some of these moves.
    pub helped: bool,
    /// The time that they took.
    pub seconds: u64,
}

/// A solution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Best {
    pub moves: usize,
    pub cost: f64,
    pub seconds: u64,
}

impl Record {
    /// Keeps the better one of the best solution and this one: the cheaper, then the shorter, then the quicker one.
    pub fn improve(&mut self, new: Best) {
        let worth = |best: &Best| (best.cost, best.moves, best.seconds);
        if self.best.is_none_or(|best| worth(&new) < worth(&best)) {
            self.best = Some(new);
        }
    }

    /// Returns whether there is anything to keep.
    fn is_empty(&self) -> bool {
        !self.solved && self.best.is_none() && self.least.is_none() && self.moves.is_empty()
    }
}

/// Returns the number of stars for a cost: three for the least, two for at most a quarter more; none if the least cost
/// is not known.
pub(super) fn stars(cost: f64, least: Option<f64>) -> usize {
    match least {
        Some(least) if cost <= least + 1e-6 => 3,
        Some(least) if cost <= least * 1.25 => 2,
        Some(_) => 1,
        None => 0,
    }
}

/// The identity of a level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identity {
    /// The fingerprint of the puzzle.
    pub key: String,
    /// The digest of the text, and the paths of the files that it names, relative to its folder.
    text: String,
    named: Vec<PathBuf>,
}

impl Identity {
    /// Returns the identity of a puzzle that was read from a source; `None` if its files cannot be read again.
    pub fn of(puzzle: &Puzzle, source: &Source) -> Option<Identity> {
        let (key, text) = (puzzle.fingerprint().ok()?, source.identity().ok()?);
        Some(Identity { key, text, named: puzzle.named_files(source.folder()) })
    }
}

/// The contents of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Contents {
    version: u32,
    #[serde(default)]
    levels: BTreeMap<String, Record>,
    /// For each text that names files, their paths relative to its folder.
    #[serde(default)]
    named: BTreeMap<String, Vec<PathBuf>>,
    /// For each collection, by its path, the last level.
    #[serde(default)]
    last: BTreeMap<String, String>,
    /// The titles of the levels, on first use.
    #[serde(skip)]
    titles: OnceCell<HashSet<String>>,
}

impl Contents {
    /// Returns the key and the record of a level that is not read; no key if its files cannot be read, or if no record
    /// has its title.
    pub fn level(&self, source: &Source) -> (Option<String>, Record) {
        // The levels of a game contain the whole game, so the key takes long.
        if source.title().is_some_and(|title| !self.may_have(&title)) {
            return (None, Record::default());
        }
        let key = source.identity().ok().and_then(|text| match self.named.get(&text) {
            Some(named) => source.fingerprint(named).ok(),
            None => Some(text),
        });
        let record = key.as_ref().and_then(|key| self.levels.get(key)).cloned().unwrap_or_default();
        (key, record)
    }

    /// Returns whether there may be a record of a level of a collection with this title.
    fn may_have(&self, title: &str) -> bool {
        let titles = self.titles.get_or_init(|| self.levels.values().map(|record| record.title.clone()).collect());
        titles.contains(title)
    }

    /// Returns the key of the last level of a collection.
    pub fn last(&self, collection: &str) -> Option<&String> {
        self.last.get(collection)
    }
}

/// Access to the records.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    /// `None` if the user has no folder for data: then nothing is kept.
    path: Option<PathBuf>,
}

impl Records {
    /// Returns the records of the user.
    pub fn of_user() -> Records {
        Records { path: dirs::data_dir().map(|folder| folder.join("engine").join("play.json")) }
    }

    #[cfg(test)]
    pub fn at(path: PathBuf) -> Records {
        Records { path: Some(path) }
    }

    /// Returns the record of a level; an empty one if there is none.
    pub fn level(&self, key: &str) -> Record {
        self.contents().levels.remove(key).unwrap_or_default()
    }

    /// Returns all records.
    pub fn contents(&self) -> Contents {
        self.read().unwrap_or_default()
    }

    /// Stores the record of a level, and that it is the last one of its collection.
    ///
    /// # Errors
    /// The file cannot be written; it is then unchanged.
    pub fn store(&self, identity: &Identity, record: &Record, collection: Option<&str>) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut contents = match self.read() {
            Some(contents) if contents.version > VERSION => return Ok(()),
            Some(contents) => contents,
            None => {
                if path.exists() {
                    let _ = fs::copy(path, path.with_extension("damaged"));
                }
                Contents::default()
            }
        };
        contents.version = VERSION;
        if record.is_empty() {
            contents.levels.remove(&identity.key);
        } else {
            contents.levels.insert(identity.key.clone(), record.clone());
        }
        if !identity.named.is_empty() {
            contents.named.insert(identity.text.clone(), identity.named.clone());
        }
        if let Some(collection) = collection {
            contents.last.insert(collection.to_owned(), identity.key.clone());
        } else if record.is_empty() && !path.exists() {
            return Ok(());
        }
        let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
        fs::create_dir_all(folder)?;
        let mut file = WholeFile::create_in(folder, 0o600)?;
        serde_json::to_writer_pretty(&mut file, &contents)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.replace(path)
    }

    /// Reads the file; `None` if there is none, or none that can be read.
    fn read(&self) -> Option<Contents> {
        let mut text = String::new();
        File::open(self.path.as_ref()?).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(moves: usize, cost: f64, seconds: u64) -> Best {
        Best { moves, cost, seconds }
    }

    fn identity(key: &str) -> Identity {
        Identity { key: key.to_owned(), text: key.to_owned(), named: Vec::new() }
    }

    #[test]
    fn a_level_whose_map_has_changed_has_no_records_of_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let records = Records::at(folder.path().join("play.json"));
        let source = Source::file(&folder.path().join("maze.toml"));
        let text = "title = \"t\"\ndomain = \"maze\"\nmap_file = \"m.map\"\nstart = [0, 0]\ngoal = [0, 1]\n";
        fs::write(source.path(), text).expect("the file is written");
        let with_map = |row: &str| {
            let map = format!("type octile\nheight 1\nwidth 3\nmap\n{row}\n");
            fs::write(folder.path().join("m.map"), map).expect("the file is written");
            let puzzle = Puzzle::load(source.path()).unwrap_or_else(|report| panic!("{report}"));
            Identity::of(&puzzle, &source).expect("its files can be read")
        };
        let listed = || records.contents().level(&source);
        let (first, record) = (with_map("..."), Record { solved: true, ..Record::default() });
        records.store(&first, &record, None).expect("the record is stored");
        assert_eq!(listed(), (Some(first.key.clone()), record.clone()));
        let second = with_map("..@");
        assert_eq!((records.level(&second.key), listed().1), (Record::default(), Record::default()));
        with_map("...");
        assert_eq!((records.level(&first.key), listed().1), (record.clone(), record));
        fs::remove_file(folder.path().join("m.map")).expect("the map exists");
        assert_eq!(listed(), (None, Record::default()));
    }

    #[test]
    fn the_best_solution_is_the_cheapest_then_the_shortest_then_the_quickest() {
        let mut record = Record::default();
        for (new, kept) in [
            (best(9, 5.0, 60), best(9, 5.0, 60)),
            (best(7, 6.0, 10), best(9, 5.0, 60)),
            (best(8, 5.0, 90), best(8, 5.0, 90)),
            (best(8, 5.0, 30), best(8, 5.0, 30)),
        ] {
            record.improve(new);
            assert_eq!(record.best, Some(kept));
        }
        assert_eq!([4.0, 5.0, 5.1].map(|cost| stars(cost, Some(4.0))), [3, 2, 1]);
        assert_eq!(stars(4.0, None), 0);
    }

    #[test]
    fn records_are_stored_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let records = Records::at(folder.path().join("data/engine/play.json"));
        assert_eq!((records.level("a"), records.contents().last("all")), (Record::default(), None));
        records.store(&identity("a"), &Record::default(), None).expect("nothing to store");
        assert!(!folder.path().join("data").exists());
        let record = Record { moves: vec!["u".to_owned()], seconds: 3, ..Record::default() };
        records.store(&identity("a"), &record, Some("all")).expect("the folder is made");
        let solved = Record { solved: true, best: Some(best(1, 1.0, 9)), ..Record::default() };
        records.store(&identity("b"), &solved, None).expect("the file is replaced");
        assert_eq!((records.level("a"), records.level("b")), (record, solved));
        assert_eq!(records.contents().last("all").map(String::as_str), Some("a"));
        let names = fs::read_dir(folder.path().join("data/engine")).expect("the folder exists").count();
        assert_eq!(names, 1, "no other file is left");
    }

    #[test]
    fn a_damaged_file_is_no_error_and_a_newer_one_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("play.json");
        let records = Records::at(path.clone());
        let record = Record { solved: true, ..Record::default() };
        for damaged in [&b"{\"version\": 1, \"lev"[..], b"", b"\xff\xfe", b"[1, 2]"] {
            fs::write(&path, damaged).expect("the file is written");
            assert_eq!(records.level("a"), Record::default());
            records.store(&identity("a"), &record, None).expect("it is replaced");
            assert_eq!(records.level("a"), record);
            assert_eq!(fs::read(folder.path().join("play.damaged")).expect("a copy"), damaged);
        }
        let newer = "{\"version\": 2, \"levels\": {}, \"skies\": 3}";
        fs::write(&path, newer).expect("the file is written");
        records.store(&identity("a"), &record, None).expect("nothing happens");
        assert_eq!(fs::read_to_string(&path).expect("the file"), newer);
        let nowhere = Records::default();
        nowhere.store(&identity("a"), &record, Some("all")).expect("nothing happens");
        assert_eq!(nowhere.level("a"), Record::default());
        let blocked = Records::at(path.join("below/play.json"));
        assert!(blocked.store(&identity("a"), &record, None).is_err());
    }
}
