//! The folder of the studio: files below it are read and written, and nothing else.

use super::http::{MOST_BODY, Refused};
use crate::cli::output::replace_whole;
use crate::domain::lies_below;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A folder with puzzles.
pub(super) struct Folder {
    pub root: PathBuf,
}

/// A file as it was read: its version is the hash of its bytes.
#[derive(Serialize)]
pub(super) struct Text {
    pub text: String,
    pub version: String,
}

/// What a file must be for it to be written.
pub(super) enum Base<'a> {
    /// There is none of this name.
    New,
    /// It has this version.
    Version(&'a str),
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let root = fs::canonicalize(path)?;
        if root.is_dir() { Ok(Folder { root }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Returns the path of a file below the folder, which need not exist.
    ///
    /// # Errors
    /// The name leads out of the folder, or to what is no file.
    pub fn path(&self, name: &str) -> Result<PathBuf, Refused> {
        let refused = |why| Err(Refused::new(403, format!("{name}: {why}")));
        let relative = Path::new(name);
        let is_below = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if name.is_empty() || !is_below || name.contains(['\\', '\0', '\n']) || name.ends_with('/') {
            return refused("names of files are relative to the folder of the studio, without `..`");
        }
        let path = self.root.join(relative);
        let there = path.ancestors().find(|path| path.symlink_metadata().is_ok()).unwrap_or(&self.root);
        match lies_below(&self.root, there) {
            Ok(true) => {}
            Ok(false) => return refused("is a link to outside the folder of the studio"),
            Err(_) => return refused("leads nowhere"),
        }
        if there == path && !path.is_file() {
            return refused("is no file");
        }
        Ok(path)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// There is no such file below the folder, or it is too large or no text.
    pub fn read(&self, name: &str) -> Result<Text, Refused> {
        let path = self.path(name)?;
        let unreadable = |error: io::Error| Refused::new(404, format!("{name}: cannot be read: {error}"));
        let mut bytes = Vec::new();
        let file = fs::File::open(&path).map_err(unreadable)?;
        file.take(MOST_BODY as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > MOST_BODY {
            return Err(Refused::new(413, format!("{name}: has more than {} MiB", MOST_BODY >> 20)));
        }
        let version = version(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| Refused::new(422, format!("{name}: is not text in UTF-8")))?;
        Ok(Text { text, version })
    }

    /// Returns the version of a file; `None` if there is none.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn version(&self, name: &str) -> Result<Option<String>, Refused> {
        if self.path(name)?.exists() { self.read(name).map(|file| Some(file.version)) } else { Ok(None) }
    }

    /// Writes a file whole, if it is what the writer takes it to be. Returns its new version; `None` if another has
    /// changed it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8], base: &Base) -> Result<Option<String>, Refused> {
        let path = self.path(name)?;
        if Path::new(name).components().any(|part| part.as_os_str().to_string_lossy().starts_with('.')) {
            return Err(Refused::new(403, format!("{name}: names that begin with a dot are not written")));
        }
        let is_as_known = match (base, self.version(name)?) {
            (Base::New, None) => true,
            (Base::Version(known), Some(now)) => *known == now,
            _ => false,
        };
        if !is_as_known {
            return Ok(None);
        }
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| replace_whole(&path, bytes));
        written.map_err(|error| Refused::new(500, format!("{name}: cannot be written: {error}")))?;
        Ok(Some(version(bytes)))
    }
}

/// Returns the version of a file: the SHA-256 of its bytes in hex.
fn version(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
