//! The files below a folder.

use crate::diagnostic::{Diagnostic, Report};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of commands that take one, unless another is named.
const DEFAULT_FOLDER: &str = "puzzles";

/// Returns the files below a folder whose names have this ending, in the order of their paths.
///
/// Folders within it that cannot be read, and links that lead nowhere, are among them: opening them gives the error.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn below(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, Report> {
    let mut found = Vec::new();
    if directory.is_file() {
        let error = Diagnostic::whole("is a file, not a folder")
            .help("name its folder: this command takes all puzzles below it");
        return Err(Report::new(&directory.display().to_string(), "", vec![error]));
    }
    collect(directory, extension, &mut found).map_err(|error| unreadable(directory, &error))?;
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

fn collect(directory: &Path, wanted: &str, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        // Links to folders are not followed: they might form a cycle.
        if entry.file_type()?.is_dir() {
            if collect(&path, wanted, found).is_err() {
                found.push(path);
            }
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
            && (path.is_file() || !path.exists())
        {
            found.push(path);
        }
    }
    Ok(())
}
