//! Files that are written completely or not at all.
//!
//! On Linux, such a file has no name until it is complete (`O_TMPFILE`). So nothing is left of an unfinished one, even if
//! the program is killed. Only a file that replaces another has a temporary name, for the moment before it is renamed.
//! On other systems, and on file systems without files that have no name, it has a temporary name from the start:
//! [`remove_unfinished`] removes the files of this run, [`remove_leftovers`] those of runs that were killed.

use parking_lot::Mutex;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, TempPath};

/// The beginning of all temporary names.
const PREFIX: &str = ".building-";

/// A new file, which gets its name when it is complete.
pub struct WholeFile {
    file: File,
    folder: PathBuf,
    /// None if the file has no name.
    temporary: Option<TempPath>,
}

impl WholeFile {
    /// Creates a file in a folder, with the permissions `mode` as far as the user's umask allows.
    ///
    /// # Errors
    /// No file can be created there.
    pub fn create_in(folder: &Path, mode: u32) -> io::Result<WholeFile> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if let Some(file) = without_name(folder, mode) {
            return Ok(WholeFile { file, folder: folder.to_owned(), temporary: None });
        }
        let mut builder = Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        let (file, temporary) = builder.prefix(PREFIX).tempfile_in(folder)?.into_parts();
        UNFINISHED.lock().push(temporary.to_path_buf());
        Ok(WholeFile { file, folder: folder.to_owned(), temporary: Some(temporary) })
    }

    /// Returns the file.
    #[must_use]
    pub fn as_file(&self) -> &File {
        &self.file
    }

    /// Gives the complete file a name in its folder, instead of the file of that name if there is one.
    ///
    /// # Errors
    /// The name cannot be given.
    pub fn replace(self, path: &Path) -> io::Result<()> {
        let WholeFile { file, folder, temporary } = self;
        let temporary = match temporary {
            Some(temporary) => temporary,
            None => match link(&file, path) {
                // Only a rename replaces a file.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Builder::new().prefix(PREFIX).make_in(folder, |path| link(&file, path))?.into_temp_path()
                }
                linked => return linked,
            },
        };
        temporary.persist(path).map_err(|error| error.error)
    }

    /// Gives the complete file a name in its folder that no other file has.
    ///
    /// # Errors
    /// There is a file of that name, or the name cannot be given.
    pub fn place_new(self, path: &Path) -> io::Result<()> {
        match self.temporary {
            Some(temporary) => temporary.persist_noclobber(path).map_err(|error| error.error),
            None => link(&self.file, path),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The names through which the kernel gives access to the open files of this program.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

/// Opens a file without a name, if the file system has such files and they can be named later.
#[cfg(target_os = "linux")]
fn without_name(folder: &Path, mode: u32) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let is_nameable = Path::new(OPEN_FILES).is_dir();
    rustix::fs::open(folder, flags, Mode::from_raw_mode(mode)).ok().filter(|_| is_nameable).map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn without_name(_: &Path, _: u32) -> Option<File> {
    None
}

/// Gives a file without a name its first name.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = Path::new(OPEN_FILES).join(file.as_raw_fd().to_string());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Temporary files of this run. Some may have their names by now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of unfinished files, before the program ends early.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().drain(..) {
        // A finished file is no longer at this path.
        let _ = fs::remove_file(path);
    }
}

/// Removes the temporary files in a folder that nobody has changed for this time: a run that was killed left them.
pub fn remove_leftovers(folder: &Path, unchanged: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let changed = entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|data| data.modified().ok());
        if is_temporary && changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age >= unchanged) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder can be read");
        let name =
            |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn an_unfinished_file_leaves_nothing_and_a_finished_one_has_its_name_alone() {
        let scratch = tempfile::tempdir().expect("a folder can be made");
        let (folder, path) = (scratch.path(), scratch.path().join("x"));
        let create = |text: &[u8]| {
            let mut file = WholeFile::create_in(folder, 0o666).expect("a file");
            file.write_all(text).expect("there is room");
            file
        };
        let first = create(b"first");
        #[cfg(target_os = "linux")]
        assert!(names(folder).is_empty(), "an unfinished file has a name");
        first.place_new(&path).expect("the name is free");
        assert_eq!(create(b"other").place_new(&path).expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("it is there"), b"first");
        create(b"second").replace(&path).expect("it is replaced");
        assert_eq!(fs::read(&path).expect("it is there"), b"second");
        create(b"third").replace(&folder.join("y")).expect("the name is free");
        drop(create(b"never"));
        assert_eq!(names(folder), ["x", "y"]);
    }

    #[test]
    fn only_old_temporary_files_are_leftovers() {
        let scratch = tempfile::tempdir().expect("a folder can be made");
        let old = std::time::SystemTime::now() - Duration::from_secs(7200);
        for (name, is_old) in [(".building-old", true), (".building-new", false), ("notes", true)] {
            let file = File::create(scratch.path().join(name)).expect("a file");
            if is_old {
                file.set_modified(old).expect("it is the owner's");
            }
        }
        remove_leftovers(scratch.path(), Duration::from_secs(3600));
        assert_eq!(names(scratch.path()), [".building-new", "notes"]);
        remove_leftovers(scratch.path(), Duration::ZERO);
        assert_eq!(names(scratch.path()), ["notes"]);
    }
}
