//! Access to the files that a puzzle file names: all of them are opened here.
//!
//! A puzzle file may come from an untrusted source. By default, the files that it names must lie below its own folder,
//! symbolic links resolved. Only regular files are opened, so that opening never blocks and reading always ends.

use super::text::TextReader;
use crate::diagnostic::{Diagnostic, near_path};
use crate::document::decomposed;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// The folder of a puzzle file, and whether the files that it names may lie elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    path: &'a Path,
    anywhere: bool,
}

/// A file that another file names, opened.
#[derive(Debug)]
pub struct NamedFile {
    /// The text of the file, as UTF-8 without a byte order mark.
    pub file: TextReader<File>,
    /// Its path, for messages.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    as_opened: Option<FileState>,
}

/// A file that was read, with its state at that time.
#[derive(Debug)]
pub struct FileRead {
    /// The path of the file.
    pub path: PathBuf,
    at_read: Option<FileState>,
}

/// The size and the time of the last change.
type FileState = (u64, Option<SystemTime>);

impl NamedFile {
    pub(super) fn as_read(&self) -> FileRead {
        FileRead { path: PathBuf::from(&self.name), at_read: self.as_opened }
    }
}

impl FileRead {
    /// Returns whether the file was changed or removed since.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.at_read.is_none() || self.at_read != file_state(fs::metadata(&self.path))
    }
}

fn file_state(data: io::Result<fs::Metadata>) -> Option<FileState> {
    let data = data.ok()?;
    Some((data.len(), data.modified().ok()))
}

impl<'a> Folder<'a> {
    /// Returns the folder of a file; `anywhere` allows the files that it names to lie outside.
    #[must_use]
    pub fn of(file: &'a Path, anywhere: bool) -> Folder<'a> {
        Folder { path: file.parent().unwrap_or(Path::new("")), anywhere }
    }

    /// Opens a file by its path relative to the folder. `what` is its expected kind, for example `a map file`.
    ///
    /// # Errors
    /// Reports, without a place, that the file lies outside, is not a regular file, or cannot be opened.
    pub fn open(&self, written: &str, what: &str) -> Result<NamedFile, Diagnostic> {
        let outside = || {
            Diagnostic::whole(format!("`{written}` is outside the folder of the file that names it"))
                .help("`--allow-paths` lets a file name files anywhere")
        };
        // A path that leads out by its text is not looked up: an untrusted file must not learn which files exist.
        if !self.anywhere && leads_outside(Path::new(written)) {
            return Err(outside());
        }
        // On the disk, the letters of the same name may be decomposed.
        let paths = [self.path.join(written), self.path.join(decomposed(written))];
        let path = paths.iter().find(|path| path.exists()).unwrap_or(&paths[0]);
        let name = path.display().to_string();
        let failed = |message: String| Diagnostic::whole(format!("{name} {message}"));
        let cannot = |error: io::Error| failed(format!("cannot be opened: {error}"));
        if !self.anywhere && !lies_below(self.path, path).map_err(cannot)? {
            return Err(outside());
        }
        let mut file = open_regular(path, what).map_err(failed)?;
        let data = file.metadata().map_err(cannot)?;
        let bytes = data.len();
        skip_byte_order_mark(&mut file).map_err(cannot)?;
        Ok(NamedFile { file: TextReader::new(file), name, bytes, as_opened: file_state(Ok(data)) })
    }

    /// Returns the path from the folder to the file whose name is nearest to that of a missing one. Nothing outside is
    /// named, whatever links say.
    pub(super) fn near(&self, written: &str) -> Option<String> {
        let near = near_path(&self.path.join(written))?;
        let is_below = lies_below(self.path, &near).unwrap_or(false);
        is_below.then(|| near.strip_prefix(self.path).ok().map(|near| near.display().to_string()))?
    }
}

/// Skips the mark with which some editors begin a text.
fn skip_byte_order_mark(file: &mut File) -> io::Result<()> {
    let mut start = Vec::new();
    file.by_ref().take(3).read_to_end(&mut start)?;
    if start == "\u{feff}".as_bytes() { Ok(()) } else { file.rewind() }
}

/// Returns whether a path is absolute, or leaves its folder by `..`.
fn leads_outside(path: &Path) -> bool {
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

/// Returns whether an existing file or folder lies below `folder`, symbolic links resolved.
///
/// # Errors
/// Returns an error if one of them does not exist.
pub fn lies_below(folder: &Path, path: &Path) -> io::Result<bool> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?))
}

/// Opens a regular file, or the one that a link leads to. `what` is its expected kind.
///
/// # Errors
/// Returns text that follows the file's name: its actual kind, or why it cannot be opened.
pub fn open_regular(path: &Path, what: &str) -> Result<File, String> {
    let cannot = |error: io::Error| format!("cannot be opened: {error}");
    let kind = |data: fs::Metadata| match kind(data.file_type()) {
        None => Ok(()),
        Some("a directory") => Err(match fs::read_dir(path) {
            Ok(_) => format!("is a directory, not {what}: name the files in it"),
            Err(error) => cannot(error),
        }),
        Some(kind) => Err(format!("is {kind}, not {what}")),
    };
    kind(fs::metadata(path).map_err(cannot)?)?;
    let mut options = OpenOptions::new();
    // If a pipe has replaced the file meanwhile, opening it must not wait for a writer.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let file = options.read(true).open(path).map_err(cannot)?;
    kind(file.metadata().map_err(cannot)?)?;
    Ok(file)
}

/// Opens a file that the user named: a regular file, or a stream such as `/dev/stdin` or the pipe of `<(…)`. Pipes in
/// other places are refused: they may lie among untrusted files.
///
/// # Errors
/// Returns text that follows the file's name: its actual kind, or why it cannot be opened.
pub fn open_user_file(path: &Path, what: &str) -> Result<File, String> {
    let is_stream = cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) && !path.is_dir();
    if is_stream {
        return File::open(path).map_err(|error| format!("cannot be opened: {error}"));
    }
    open_regular(path, what)
}

/// Returns the kind of anything but a regular file.
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
    fn paths_that_lead_outside_are_recognized_by_their_text() {
        for path in ["/etc/passwd", "..", "../x", "a/../../x", "./../x", "a/b/../../../x/y"] {
            assert!(leads_outside(Path::new(path)), "{path}");
        }
        for path in ["x", "./x", "a/../x", "a/b/../../x", "...", "a..b/x", ""] {
            assert!(!leads_outside(Path::new(path)), "{path}");
        }
    }
}
