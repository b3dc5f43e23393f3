//! The files below a folder.

use crate::diagnostic::{Diagnostic, Report};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of commands that take one, unless another is named.
const DEFAULT_FOLDER: &str = "puzzles";

/// Returns the files below a folder whose names have this ending, in the order of their paths.
///
/// # Errors
/// The folder, or one within it, cannot be read.
pub(super) fn below(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, Report> {
    let mut found = Vec::new();
    if directory.is_file() {
        let error =
            Diagnostic::whole("is a file, not a folder").help("name its folder; `--filter` selects files in it");
        return Err(Report::new(&directory.display().to_string(), "", vec![error]));
    }
    collect(directory, extension, &mut found).map_err(|(path, error)| unreadable(&path, &error))?;
    found.sort();
    Ok(found)
}

fn unreadable(folder: &Path, error: &io::Error) -> Report {
    let message = format!("cannot be read: {error}");
    if folder == Path::new(DEFAULT_FOLDER) {
        let error = Diagnostic::whole(message).help("name the folder of your puzzles after the command");
        return Report::new(DEFAULT_FOLDER, "", vec![error]);
    }
    Report::unreadable(&folder.display().to_string(), message)
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
