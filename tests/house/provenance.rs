//! Origins and versions: the README files of the collections, the version that is cited.

use crate::support::{files_below, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that hold puzzles, and those between them and `puzzles/`.
fn folders() -> BTreeSet<PathBuf> {
    let puzzles = files_below(&root().join("puzzles"), "toml");
    puzzles.iter().flat_map(|file| file.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_folder_of_puzzles_says_where_they_come_from() {
    let folders = folders();
    assert!(folders.len() > 20, "{} folders", folders.len());
    for folder in folders {
        let here = root().join("puzzles").join(&folder);
        let readme = fs::read_to_string(here.join("README.md"));
        let readme = readme.unwrap_or_else(|error| panic!("puzzles/{}/README.md: {error}", folder.display()));
        // In a folder without own work, every file names its source.
        if !readme.to_lowercase().contains("own work") {
            for file in files_below(&here, "toml") {
                let text = fs::read_to_string(here.join(&file)).expect("a puzzle can be read");
                let named = text.lines().any(|line| line.starts_with("source = "));
                assert!(named, "puzzles/{}: no `source`", folder.join(file).display());
            }
        }
    }
}

#[test]
fn the_version_is_the_same_wherever_it_is_written() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("it is there");
    assert!(read("CITATION.cff").lines().any(|line| line == format!("version: {version}")), "CITATION.cff");
    // `release.yml` takes the notes of a release from this section.
    assert!(read("CHANGELOG.md").contains(&format!("\n## [{version}]")), "CHANGELOG.md");
}
