//! Where results go: standard output, or a file that is written whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Takes results as they come.
pub(super) enum Output {
    Standard(io::StdoutLock<'static>),
    /// A device or a pipe: nothing that could be replaced.
    Stream(PathBuf, fs::File),
    /// Written beside its target, and moved there at the end.
    File(PathBuf, BufWriter<NamedTempFile>),
}

impl Output {
    /// Opens a file, or standard output.
    pub fn open(path: Option<&Path>) -> io::Result<Output> {
        let Some(path) = path else { return Ok(Output::Standard(io::stdout().lock())) };
        let explain = |error: io::Error| named(path, &error);
        // A link is followed: what it leads to is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(data) if data.is_dir() => Err(named(path, &io::Error::from(io::ErrorKind::IsADirectory))),
            Ok(data) if !data.is_file() => {
                let stream = fs::OpenOptions::new().write(true).open(&target).map_err(explain)?;
                Ok(Output::Stream(target, stream))
            }
            _ => {
                let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
                let beside = temporary_in(directory.unwrap_or(Path::new("."))).map_err(explain)?;
                Ok(Output::File(target, BufWriter::new(beside)))
            }
        }
    }

    /// Writes some results; those for standard output are there at once.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.write_all(text.as_bytes()).and_then(|()| out.flush()),
            Output::Stream(path, out) => out.write_all(text.as_bytes()).map_err(|error| named(path, &error)),
            Output::File(path, out) => out.write_all(text.as_bytes()).map_err(|error| named(path, &error)),
        }
    }

    /// Puts the file in its place.
    pub fn finish(self) -> io::Result<()> {
        let Output::File(path, out) = self else { return Ok(()) };
        let file = out.into_inner().map_err(|error| named(&path, error.error()))?;
        if let Ok(old) = fs::metadata(&path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.persist(&path).map_err(|error| named(&path, &error.error))?;
        Ok(())
    }
}

/// A temporary file with the permissions that a new file of the user's has.
fn temporary_in(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: cannot be written: {error}", path.display()))
}
