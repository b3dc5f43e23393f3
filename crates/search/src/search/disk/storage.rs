//! Storage for the files of an exploration: a folder or, if none was named, memory with the same bytes.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The chunks of a file in memory, as they were written.
type Chunks = Arc<Mutex<Vec<Box<[u8]>>>>;

/// Files by name.
#[derive(Clone)]
pub(in crate::search) enum Storage {
    Folder(PathBuf),
    Memory(Arc<Mutex<HashMap<String, Chunks>>>),
}

impl Storage {
    pub fn memory() -> Storage {
        Storage::Memory(Arc::default())
    }

    /// Returns the path of a file for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        match self {
            Storage::Folder(folder) => folder.join(name),
            Storage::Memory(_) => PathBuf::from(name),
        }
    }

    /// Creates a file, which must not exist.
    pub fn create(&self, name: &str) -> io::Result<Box<dyn Write + Send>> {
        match self {
            Storage::Folder(_) => {
                let file = OpenOptions::new().write(true).create_new(true).open(self.path(name))?;
                Ok(Box::new(file))
            }
            Storage::Memory(files) => {
                let chunks = Chunks::default();
                let before = files.lock().insert(name.to_owned(), Arc::clone(&chunks));
                assert!(before.is_none(), "{name} exists already");
                Ok(Box::new(MemoryFile { chunks, chunk: 0, at: 0 }))
            }
        }
    }

    pub fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Storage::Folder(_) => Ok(Box::new(File::open(self.path(name))?)),
            Storage::Memory(files) => {
                let chunks = files.lock().get(name).map(Arc::clone).ok_or(ErrorKind::NotFound)?;
                Ok(Box::new(MemoryFile { chunks, chunk: 0, at: 0 }))
            }
        }
    }

    /// Fsyncs a file, so that its contents survive a power failure; does nothing in memory.
    pub fn sync(&self, name: &str) -> io::Result<()> {
        match self {
            Storage::Folder(_) => OpenOptions::new().write(true).open(self.path(name))?.sync_all(),
            Storage::Memory(_) => Ok(()),
        }
    }

    pub fn remove(&self, name: &str) -> io::Result<()> {
        match self {
            Storage::Folder(_) => fs::remove_file(self.path(name)),
            Storage::Memory(files) => files.lock().remove(name).map(drop).ok_or(ErrorKind::NotFound.into()),
        }
    }
}

/// A file in memory, with a read position.
struct MemoryFile {
    chunks: Chunks,
    chunk: usize,
    at: usize,
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunks.lock().push(bytes.into());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for MemoryFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let chunks = self.chunks.lock();
        while let Some(chunk) = chunks.get(self.chunk) {
            let rest = &chunk[self.at..];
            if !rest.is_empty() {
                let count = rest.len().min(bytes.len());
                bytes[..count].copy_from_slice(&rest[..count]);
                self.at += count;
                return Ok(count);
            }
            (self.chunk, self.at) = (self.chunk + 1, 0);
        }
        Ok(0)
    }
}
