//! Shared by several test programs: the puzzle files, seeded random numbers, and the program itself.

#![allow(dead_code, reason = "each test program uses a part of this module")]

pub mod dice;
pub mod outside;
pub mod program;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the project's folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Lists the files below `folder` that have this extension: sorted paths, relative to `folder`.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a folder's entry can be read").path();
            if path.is_dir() { collect(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    collect(folder, &mut found);
    let mut found: Vec<PathBuf> = found
        .into_iter()
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.strip_prefix(folder).expect("the path is below the folder").to_owned())
        .collect();
    found.sort();
    found
}
