//! Where results go: standard output, or a file that is written whole or not at all.

use clap::{Args, ValueEnum};
use parking_lot::Mutex;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The option `--output`.
#[derive(Args)]
pub(super) struct OutputOption {
    /// Write to a file instead of standard output: whole, or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputOption {
    /// Opens the file, or standard output; a file that is read is not written over.
    pub fn open(&self, inputs: &[PathBuf]) -> io::Result<Output> {
        Output::open(self.path(), inputs)
    }

    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

/// The formats of commands that print one result.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// One object on one line
    Json,
}

/// Takes results as they come.
pub(super) enum Output {
    Standard(BufWriter<io::StdoutLock<'static>>),
    /// A device or a pipe: nothing that could be replaced.
    Stream(PathBuf, BufWriter<fs::File>),
    /// Written beside its target, and moved there at the end.
    File(PathBuf, BufWriter<NamedTempFile>),
}

impl Output {
    /// Opens a file, or standard output; a file that is read is not written over.
    pub fn open(path: Option<&Path>, inputs: &[PathBuf]) -> io::Result<Output> {
        let Some(path) = path else { return Ok(Output::Standard(BufWriter::new(io::stdout().lock()))) };
        let explain = |error: io::Error| named(path, &error);
        // Where a link leads to a file, that file is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(data) if data.is_dir() => Err(named(path, &io::Error::from(io::ErrorKind::IsADirectory))),
            Ok(data) if !data.is_file() => {
                let stream = fs::OpenOptions::new().write(true).open(&target).map_err(explain)?;
                Ok(Output::Stream(target, BufWriter::new(stream)))
            }
            Ok(_) if inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == target)) => {
                let puzzle = io::Error::new(io::ErrorKind::InvalidInput, "it is a puzzle that is to be solved");
                Err(named(path, &puzzle))
            }
            _ => {
                let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
                let beside = temporary_in(directory.unwrap_or(Path::new("."))).map_err(explain)?;
                Ok(Output::File(target, BufWriter::new(beside)))
            }
        }
    }

    /// Writes what is left, and puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Output::File(path, out) = self else { return Ok(()) };
        let file = out.into_inner().map_err(|error| named(&path, error.error()))?;
        if let Ok(old) = fs::metadata(&path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.persist(&path).map_err(|error| named(&path, &error.error))?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::Stream(path, out) => out.write(bytes).map_err(|error| named(path, &error)),
            Output::File(path, out) => out.write(bytes).map_err(|error| named(path, &error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::Stream(path, out) => out.flush().map_err(|error| named(path, &error)),
            Output::File(path, out) => out.flush().map_err(|error| named(path, &error)),
        }
    }
}

/// Writes a file that is not there yet, whole or not at all, and its folders.
///
/// # Errors
/// That it is there, or cannot be written.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let explain = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(error.kind(), format!("{}: is there already, and is not written over", path.display()))
        }
        _ => named(path, &error),
    };
    if path.symlink_metadata().is_ok() {
        return Err(explain(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let mut beside = temporary_in(folder).map_err(explain)?;
    beside.write_all(text.as_bytes()).map_err(explain)?;
    beside.persist_noclobber(path).map_err(|error| explain(error.error))?;
    Ok(())
}

/// A temporary file with the permissions that a new file of the user's has.
fn temporary_in(directory: &Path) -> io::Result<NamedTempFile> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let beside = builder.tempfile_in(directory)?;
    UNFINISHED.lock().push(beside.path().to_owned());
    Ok(beside)
}

/// Files that are not in their place yet; some may be by now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what was begun, for who ends the program in the middle of it.
pub(super) fn forget_unfinished() {
    for path in UNFINISHED.lock().drain(..) {
        // One that is in its place is not here any more.
        let _ = fs::remove_file(path);
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    with_path(path, error, "cannot be written: ")
}

/// An error that begins with the path it is about.
pub(super) fn with_path(path: &Path, error: &io::Error, what: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {what}{error}", path.display()))
}
