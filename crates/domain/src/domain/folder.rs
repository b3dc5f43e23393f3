//! Files that a file names: the one door through which all of them are opened.
//!
//! A puzzle may come from a stranger. What it names is looked for below its own folder alone, whatever links say,
//! unless its user allows more; and only regular files are opened, so that nothing hangs or flows without end.

use crate::diagnostic::{Diagnostic, near_path};
use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// The folder of a file, and whether files that it names may lie elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    path: &'a Path,
    anywhere: bool,
}

/// A file that another file names, opened.
#[derive(Debug)]
pub struct NamedFile {
    /// The file.
    pub file: File,
    /// What messages call it: its path.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A file that was read, as it was then.
#[derive(Debug)]
pub struct FileRead {
    /// Where it lies.
    pub path: PathBuf,
    was: Option<State>,
}

/// Its size, and when it was written.
type State = (u64, Option<SystemTime>);

impl NamedFile {
    pub(super) fn as_read(&self) -> FileRead {
        FileRead { path: PathBuf::from(&self.name), was: state(self.file.metadata()) }
    }
}

impl FileRead {
    /// Whether it was written since, or is no more.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.was.is_none() || self.was != state(fs::metadata(&self.path))
    }
}

fn state(data: io::Result<fs::Metadata>) -> Option<State> {
    let data = data.ok()?;
    Some((data.len(), data.modified().ok()))
}

impl<'a> Folder<'a> {
    /// The folder of a file; `anywhere` if those that it names may lie outside.
    #[must_use]
    pub fn of(file: &'a Path, anywhere: bool) -> Folder<'a> {
        Folder { path: file.parent().unwrap_or(Path::new("")), anywhere }
    }

    /// Opens a file by its path from the folder; `what` says what it should be, as in `a map file`.
    ///
    /// # Errors
    /// That it lies outside, is no regular file, or cannot be opened; without a place.
    pub fn open(&self, written: &str, what: &str) -> Result<NamedFile, Diagnostic> {
        let path = self.path.join(written);
        let name = path.display().to_string();
        let failed = |message: String| Diagnostic::whole(format!("{name} {message}"));
        let outside = || {
            Diagnostic::whole(format!("`{written}` is outside the folder of the file that names it"))
                .help("`--allow-paths` lets a file name files anywhere")
        };
        // What leads out by its text is not even looked for: a stranger is not told what there is.
        if !self.anywhere && climbs_out(Path::new(written)) {
            return Err(outside());
        }
        let cannot = |error: io::Error| failed(format!("cannot be opened: {error}"));
        if !self.anywhere && !lies_below(self.path, &path).map_err(cannot)? {
            return Err(outside());
        }
        let file = open_regular(&path, what).map_err(failed)?;
        let bytes = file.metadata().map_err(cannot)?.len();
        Ok(NamedFile { file, name, bytes })
    }

    /// Returns the path from the folder to the file whose name is nearest to that of a missing one. Nothing outside is
    /// named, whatever links say.
    pub(super) fn near(&self, written: &str) -> Option<String> {
        let near = near_path(&self.path.join(written))?;
        let is_below = lies_below(self.path, &near).unwrap_or(false);
        is_below.then(|| near.strip_prefix(self.path).ok().map(|near| near.display().to_string()))?
    }
}

/// Whether a path starts elsewhere than where it stands, or has more `..` than folders before them.
fn climbs_out(path: &Path) -> bool {
    let mut depth = 0_i64;
    path.components().any(|component| {
        match component {
            Component::Prefix(_) | Component::RootDir => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
        }
        depth < 0
    })
}

/// Whether a file or folder that is there lies below a folder, when all links are followed.
///
/// # Errors
/// That one of them cannot be found.
pub fn lies_below(folder: &Path, path: &Path) -> io::Result<bool> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?))
}

/// Opens a regular file, or one that a link leads to; `what` says what it should be.
///
/// # Errors
/// What it is instead, or that it cannot be opened, to be put behind its name.
pub fn open_regular(path: &Path, what: &str) -> Result<File, String> {
    let cannot = |error: io::Error| format!("cannot be opened: {error}");
    let kind = |data: fs::Metadata| match kind(data.file_type()) {
        None => Ok(()),
        Some(kind) => Err(format!("is {kind}, not {what}")),
    };
    kind(fs::metadata(path).map_err(cannot)?)?;
    let mut options = OpenOptions::new();
    // Should a pipe have taken its place meanwhile, opening it does not wait for somebody to write.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let file = options.read(true).open(path).map_err(cannot)?;
    kind(file.metadata().map_err(cannot)?)?;
    Ok(file)
}

/// Opens what a user named: beside regular files, what stands for a stream, such as `/dev/stdin` and the pipe of
/// `<(…)`. A pipe elsewhere, which may lie among the files of a stranger, is none.
///
/// # Errors
/// What it is instead, or that it cannot be opened, to be put behind its name.
pub fn open_given(path: &Path, what: &str) -> Result<File, String> {
    let is_stream = cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) && !path.is_dir();
    if is_stream {
        return File::open(path).map_err(|error| format!("cannot be opened: {error}"));
    }
    open_regular(path, what)
}

/// What it is that is no regular file.
fn kind(found: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return Some("a pipe");
        }
        if found.is_socket() {
            return Some("a socket");
        }
    }
    match (found.is_file(), found.is_dir()) {
        (true, _) => None,
        (_, true) => Some("a directory"),
        _ => Some("a device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_are_known_by_their_text() {
        for path in ["/etc/passwd", "..", "../x", "a/../../x", "./../x", "a/b/../../../x/y"] {
            assert!(climbs_out(Path::new(path)), "{path}");
        }
        for path in ["x", "./x", "a/../x", "a/b/../../x", "...", "a..b/x", ""] {
            assert!(!climbs_out(Path::new(path)), "{path}");
        }
    }
}
