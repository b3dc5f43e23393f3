//! The files below a folder.

use crate::diagnostic::{Diagnostic, Report};
use crate::domain::collection::collection_formats;
use crate::domain::lies_below;
use crate::puzzle::{Source, format_in, read_text};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of commands that take one, unless another is named.
const DEFAULT_FOLDER: &str = "puzzles";

/// Returns the files of puzzles below a folder, in the order of their paths: puzzle files, and collections whose names
/// say so. A file whose name ends in `.txt` may be anything.
///
/// # Errors
/// The folder cannot be read, or has no such file.
pub(super) fn puzzles_below(directory: &Path) -> Result<Vec<PathBuf>, Report> {
    let formats = collection_formats();
    let extensions = formats.iter().flat_map(|format| format.extensions).filter(|extension| **extension != "txt");
    let found = below(directory, &extensions.copied().chain(["toml"]).collect())?;
    if found.is_empty() {
        let error = Diagnostic::whole("has no puzzles").help(
            "name a folder with puzzle files, whose names end in `.toml`, or with collections, such as `levels.sok`",
        );
        return Err(Report::new(&directory.display().to_string(), "", vec![error]));
    }
    Ok(found)
}

/// Returns the same files, and the text files below the folder that are recognized as collections by their content.
///
/// # Errors
/// As [`puzzles_below`].
pub(super) fn recognized_below(directory: &Path) -> Result<Vec<PathBuf>, Report> {
    let is_recognized = |file: &PathBuf| {
        let text = || read_text(file, "a text").is_ok_and(|text| format_in(file, Some(&text)).is_some());
        lies_below(directory, file).unwrap_or(false) && text()
    };
    let texts: Vec<PathBuf> = below(directory, &BTreeSet::from(["txt"]))?.into_iter().filter(is_recognized).collect();
    match puzzles_below(directory) {
        Err(_) if !texts.is_empty() => Ok(texts),
        found => {
            let mut found = found?;
            found.extend(texts);
            found.sort();
            Ok(found)
        }
    }
}

/// Returns whether a file that was found below a folder is a collection of levels rather than a puzzle file.
pub(super) fn is_collection(file: &Path) -> bool {
    !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Returns the files below a folder whose names have one of these extensions, in the order of their paths.
///
/// Folders within it that cannot be read, and links that lead nowhere, are among them: opening them gives the error.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn below(directory: &Path, extensions: &BTreeSet<&str>) -> Result<Vec<PathBuf>, Report> {
    let mut found = Vec::new();
    if directory.is_file() {
        let error = Diagnostic::whole("is a file, not a folder")
            .help("name its folder: this command takes all puzzles below it");
        return Err(Report::new(&directory.display().to_string(), "", vec![error]));
    }
    collect(directory, extensions, &mut found).map_err(|error| unreadable(directory, &error))?;
    found.sort();
    Ok(found)
}

/// Returns the report that a folder cannot be read.
pub(super) fn unreadable(folder: &Path, error: &io::Error) -> Report {
    let message = format!("cannot be read: {error}");
    if folder == Path::new(DEFAULT_FOLDER) {
        let error = Diagnostic::whole(message).help("name the folder of your puzzles after the command");
        return Report::new(DEFAULT_FOLDER, "", vec![error]);
    }
    Report::unreadable(&folder.display().to_string(), message)
}

/// Refuses a path below a folder if links lead from there to outside: the folder may come from a stranger, and a command
/// reads and writes only what lies in it. A path that does not exist is not refused, nor is a link to nothing, which
/// leads nowhere.
///
/// # Errors
/// The path leads out of the folder; `help` is the fix.
pub(super) fn refuse_link_out(directory: &Path, path: &Path, help: &str) -> Result<(), Report> {
    let there = path.ancestors().find(|path| path.symlink_metadata().is_ok());
    match there.map(|there| lies_below(directory, there)) {
        Some(Ok(false)) => {
            let message = format!("is a link to outside the folder {}", directory.display());
            let error = Diagnostic::whole(message).help(help);
            Err(Report::new(&path.display().to_string(), "", vec![error]))
        }
        _ => Ok(()),
    }
}

/// Returns the name of a puzzle within a folder or a collection: its path below the folder, or the number of the level.
pub(super) fn name_within(directory: &Path, source: &Source) -> PathBuf {
    let file = match source.number() {
        None => source.path(),
        Some(_) if !directory.is_file() => Path::new(source.name()),
        Some(number) => return number.to_string().into(),
    };
    name_below(directory, file)
}

/// Returns a path relative to a folder.
pub(super) fn name_below(directory: &Path, file: &Path) -> PathBuf {
    file.strip_prefix(directory).unwrap_or(file).to_owned()
}

fn collect(directory: &Path, wanted: &BTreeSet<&str>, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        // Links to folders are not followed: they might form a cycle.
        if entry.file_type()?.is_dir() {
            if collect(&path, wanted, found).is_err() {
                found.push(path);
            }
        } else if path
            .extension()
            .is_some_and(|extension| wanted.contains(&*extension.to_string_lossy().to_lowercase()))
            && (path.is_file() || !path.exists())
        {
            found.push(path);
        }
    }
    Ok(())
}
