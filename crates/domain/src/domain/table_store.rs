//! The cache of tables: in memory while the program runs, and, for tables that take long to build, in files between
//! runs.
//!
//! A file is a header of text, padded to a page, and the bytes of the table. The header has everything that the table
//! depends on, and a checksum of the bytes. So a file that is damaged, truncated or of another table is detected, and
//! the table is rebuilt. Other programs see either the whole file or none ([`WholeFile`]).
//!
//! A checksum detects damage, not malice: anyone who can write a table can write its checksum. So tables are read from
//! and written to only a folder that the user owns and nobody else may write to.

use crate::domain::BuildContext;
use crate::domain::folder::open_regular;
use crate::domain::table::{Bytes, Table};
use crate::domain::whole_file::{WholeFile, remove_leftovers};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The number of entries below which a table is built faster than it is read.
const LEAST_CACHED: u64 = 1 << 21;

/// The size of a header in bytes: a page, so that the table after it can be mapped.
pub const HEADER: usize = 4096;

/// The time after which a temporary file is a leftover: to write a table takes seconds.
const LEFTOVER: Duration = Duration::from_secs(3600);

/// The tables of this run, by the text of their identity.
static CACHED: Mutex<Option<HashMap<String, Arc<Table>>>> = Mutex::new(None);

/// Drops the tables of this run: the next state space builds its own, or reads them from their files. Benchmarks of
/// building need this.
pub fn clear_tables() {
    *CACHED.lock() = None;
}

/// The identity of a table.
pub struct TableIdentity {
    /// Everything that the table depends on, as lines of text that fit into a header.
    pub text: String,
    /// The name of its file.
    pub file: String,
    /// The number of entries, if it is known before there is a table.
    pub entries: Option<u64>,
}

/// Returns a table: from memory, from its file, or built. Returns `None` if building was stopped.
pub fn table(
    identity: TableIdentity,
    context: &BuildContext,
    build: impl FnOnce() -> Option<Table>,
) -> Option<Arc<Table>> {
    let mut cached = CACHED.lock();
    let cached = cached.get_or_insert_default();
    if let Some(table) = cached.get(&identity.text) {
        return Some(Arc::clone(table));
    }
    let table = Arc::new(stored(&identity, context, build)?);
    cached.insert(identity.text, Arc::clone(&table));
    Some(table)
}

/// Returns a table that is not held in memory: from its file, or built. Returns `None` if building was stopped.
pub fn stored(
    identity: &TableIdentity,
    context: &BuildContext,
    build: impl FnOnce() -> Option<Table>,
) -> Option<Table> {
    let is_small = |entries: u64| entries < LEAST_CACHED;
    let folder = context.cache.as_deref().filter(|_| !identity.entries.is_some_and(is_small));
    let folder = folder.filter(|folder| match untrusted_reason(folder) {
        None => true,
        Some(why) => {
            context.note(&format!("{}: {why}: tables are neither read nor stored there", folder.display()));
            false
        }
    });
    let path = folder.map(|folder| folder.join(&identity.file));
    let read = path.as_ref().and_then(|path| match read(path, identity) {
        Ok(table) => table,
        Err(reason) => {
            context.note(&format!("{}: {reason}; it is rebuilt", path.display()));
            None
        }
    });
    if read.is_some() {
        return read;
    }
    let table = build()?;
    if let Some(path) = path.filter(|_| !is_small(identity.entries.unwrap_or(table.bytes().len() as u64)))
        && let Err(error) = write(&path, identity, &table)
    {
        context.note(&format!("{}: the table cannot be stored: {error}", path.display()));
    }
    Some(table)
}

/// Returns whether a table is in memory, or has a file: it need not be built, unless the file turns out to be damaged.
#[must_use]
pub fn is_stored(identity: &TableIdentity, context: &BuildContext) -> bool {
    let in_memory = || CACHED.lock().as_ref().is_some_and(|cached| cached.contains_key(&identity.text));
    context.cache.as_deref().is_some_and(|folder| folder.join(&identity.file).exists()) || in_memory()
}

/// Returns why tables in a folder cannot be trusted, or `None` if they can or the folder does not exist.
pub fn untrusted_reason(folder: &Path) -> Option<&'static str> {
    let itself = fs::symlink_metadata(folder).ok()?;
    if itself.is_symlink() && belongs_to_another(&itself) {
        return Some(ANOTHER);
    }
    belongs_to_others(&fs::metadata(folder).ok()?)
}

const ANOTHER: &str = "belongs to another user";

/// Returns why others can change a file or folder, or `None` if they cannot.
fn belongs_to_others(data: &Metadata) -> Option<&'static str> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(data) & 0o022 != 0 {
        return Some("other users can write to it (`chmod go-w` prevents that)");
    }
    belongs_to_another(data).then_some(ANOTHER)
}

/// Returns whether a file or folder belongs to another user.
fn belongs_to_another(data: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(data) != rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    return data.len() == u64::MAX;
}

/// Returns the lines of a header after the identity.
fn checksum_lines(table_bits: u32, bytes: &[u8]) -> String {
    format!("bits {table_bits}\nbytes {}\ncrc32 {:08x}\n", bytes.len(), crc32fast::hash(bytes))
}

/// Reads a table. Returns `None` if the file does not exist.
pub fn read(path: &Path, identity: &TableIdentity) -> Result<Option<Table>, String> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(data) if data.is_symlink() => return Err("is a link, not a table".to_owned()),
        _ => {}
    }
    let file = open_regular(path, "a table")?;
    let data = file.metadata().map_err(|error| format!("cannot be read: {error}"))?;
    if let Some(why) = belongs_to_others(&data) {
        return Err(why.to_owned());
    }
    let bytes = Bytes::map(&file, HEADER).map_err(|error| format!("cannot be read: {error}"))?;
    let header = bytes.header().split(|&byte| byte == 0).next().and_then(|text| std::str::from_utf8(text).ok());
    let Some(checksum_found) = header.and_then(|header| header.strip_prefix(&*identity.text)) else {
        return Err("is not a table of this puzzle".to_owned());
    };
    let nibbles = checksum_found.starts_with("bits 4\n");
    let expected = |entries: u64| if nibbles { entries.div_ceil(2) } else { entries };
    if let Some(expected) = identity.entries.map(expected).filter(|&expected| bytes.len() as u64 != expected) {
        return Err(format!("is truncated: {} bytes instead of {expected}", bytes.len()));
    }
    if checksum_found != checksum_lines(if nibbles { 4 } else { 8 }, &bytes) {
        return Err("is damaged: wrong checksum".to_owned());
    }
    Ok(Some(Table::new(bytes, nibbles)))
}

/// Writes a table atomically.
pub fn write(path: &Path, identity: &TableIdentity, table: &Table) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut header = identity.text.as_bytes().to_vec();
    header.extend(checksum_lines(if table.nibbles() { 4 } else { 8 }, table.bytes()).bytes());
    if header.len() > HEADER {
        return Err(io::Error::other("its description is longer than a page"));
    }
    let mut folders = fs::DirBuilder::new();
    // Set explicitly, since the user's umask may allow more.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.recursive(true).create(folder)?;
    remove_leftovers(folder, LEFTOVER);
    let mut file = WholeFile::create_in(folder, 0o600)?;
    header.resize(HEADER, 0);
    file.write_all(&header)?;
    file.write_all(table.bytes())?;
    file.replace(path)
}
