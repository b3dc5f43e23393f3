//! The files below a folder.

use crate::diagnostic::Report;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the files below a folder whose names have this ending, in the order of their paths.
///
/// # Errors
/// The folder, or one within it, cannot be read.
pub(super) fn below(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, Report> {
    let mut found = Vec::new();
    if directory.is_file() {
        return Err(Report::unreadable(&directory.display().to_string(), "is a file, not a folder"));
    }
    collect(directory, extension, &mut found)
        .map_err(|(path, error)| Report::unreadable(&path.display().to_string(), format!("cannot be read: {error}")))?;
    found.sort();
    Ok(found)
}

/// Returns a path relative to a folder.
pub(super) fn name_below<'a>(directory: &Path, file: &'a Path) -> &'a Path {
    file.strip_prefix(directory).unwrap_or(file)
}

fn collect(directory: &Path, wanted: &str, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let failed = |error| (directory.to_owned(), error);
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        // Links to folders are not followed: they might form a cycle.
        if entry.file_type().map_err(failed)?.is_dir() {
            collect(&path, wanted, found)?;
        } else if path.is_file() && path.extension().is_some_and(|extension| extension == wanted) {
            found.push(path);
        }
    }
    Ok(())
}
