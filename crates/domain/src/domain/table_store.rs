//! The store of tables: in memory as long as the program runs, and, where they take long to build, in files from one run
//! to the next.
//!
//! A file is a header of text, padded to a page, and the bytes of the table. The header names all that the table
//! depends on and a checksum of the bytes, so that a file that is damaged, truncated or about something else is noticed,
//! and the table built anew. Files are written beside their place and moved there whole, so that programs that run at the
//! same time find all of a file or nothing.
//!
//! A checksum notices damage, not malice: whoever can write a table can write its checksum. So tables are read from, and
//! kept in, nothing but a folder that belongs to the user and that nobody else may write into.

use crate::domain::Means;
use crate::domain::folder::open_regular;
use crate::domain::table::{Bytes, Table};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Smaller tables are built faster than they are read.
const LEAST_KEPT: u64 = 1 << 21;

/// The bytes of a header: a page, so that what follows can be mapped.
pub const HEADER: usize = 4096;

/// The tables of this run, by the text of their subject.
static HELD: Mutex<Option<HashMap<String, Arc<Table>>>> = Mutex::new(None);

/// Forgets the tables of this run: the next state space builds its own, or reads them from their files. For measuring
/// how long that takes.
pub fn forget_tables() {
    *HELD.lock() = None;
}

/// The identity of a table.
pub struct Subject {
    /// All that the table depends on, in lines of text that fit a header.
    pub text: String,
    /// The name of its file.
    pub file: String,
    /// The number of entries.
    pub entries: u64,
}

/// Returns a table: held, read or built; none if building was stopped.
pub fn table(subject: Subject, means: &Means, build: impl FnOnce() -> Option<Table>) -> Option<Arc<Table>> {
    let mut held = HELD.lock();
    let held = held.get_or_insert_default();
    if let Some(table) = held.get(&subject.text) {
        return Some(Arc::clone(table));
    }
    let folder = means.cache.as_deref().filter(|_| subject.entries >= LEAST_KEPT);
    let folder = folder.filter(|folder| match distrusted(folder) {
        None => true,
        Some(why) => {
            means.note(&format!("{}: {why}: no table is read from there or stored there", folder.display()));
            false
        }
    });
    let path = folder.map(|folder| folder.join(&subject.file));
    let kept = path.as_ref().and_then(|path| match read(path, &subject) {
        Ok(table) => table,
        Err(reason) => {
            means.note(&format!("{}: {reason}; it is built anew", path.display()));
            None
        }
    });
    let table = match kept {
        Some(table) => table,
        None => {
            let table = build()?;
            if let Some(path) = &path
                && let Err(error) = write(path, &subject, &table)
            {
                means.note(&format!("{}: the table cannot be kept: {error}", path.display()));
            }
            table
        }
    };
    let table = Arc::new(table);
    held.insert(subject.text, Arc::clone(&table));
    Some(table)
}

/// Returns why tables in a folder cannot be trusted; none where they can, or where there is no folder.
pub fn distrusted(folder: &Path) -> Option<&'static str> {
    let itself = fs::symlink_metadata(folder).ok()?;
    if itself.is_symlink() && belongs_to_another(&itself) {
        return Some(ANOTHER);
    }
    belongs_to_others(&fs::metadata(folder).ok()?)
}

const ANOTHER: &str = "belongs to another user";

/// Returns why others can change a file or folder.
fn belongs_to_others(data: &Metadata) -> Option<&'static str> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(data) & 0o022 != 0 {
        return Some("others can write here (`chmod go-w` forbids it)");
    }
    belongs_to_another(data).then_some(ANOTHER)
}

/// Whether it belongs to another user.
fn belongs_to_another(data: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(data) != rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    return data.len() == u64::MAX;
}

/// The lines of a header after the subject.
fn seal(table_bits: u32, bytes: &[u8]) -> String {
    format!("bits {table_bits}\nbytes {}\ncrc32 {:08x}\n", bytes.len(), crc32fast::hash(bytes))
}

/// Reads a table; none if there is no file.
pub fn read(path: &Path, subject: &Subject) -> Result<Option<Table>, String> {
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
    let Some(seal_found) = header.and_then(|header| header.strip_prefix(&*subject.text)) else {
        return Err("is not a table of this puzzle".to_owned());
    };
    let halves = seal_found.starts_with("bits 4\n");
    let expected = if halves { subject.entries.div_ceil(2) } else { subject.entries };
    if bytes.len() as u64 != expected {
        return Err(format!("is cut short: {} bytes instead of {expected}", bytes.len()));
    }
    if seal_found != seal(if halves { 4 } else { 8 }, &bytes) {
        return Err("is damaged: wrong checksum".to_owned());
    }
    Ok(Some(Table::new(bytes, halves)))
}

/// Writes a table, whole or not at all.
pub fn write(path: &Path, subject: &Subject, table: &Table) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut header = subject.text.as_bytes().to_vec();
    header.extend(seal(if table.halves() { 4 } else { 8 }, table.bytes()).bytes());
    if header.len() > HEADER {
        return Err(io::Error::other("what it is of takes more than a page to say"));
    }
    let mut folders = fs::DirBuilder::new();
    // Whatever the user's mask says.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.recursive(true).create(folder)?;
    let mut file = tempfile::Builder::new().prefix(".building-").tempfile_in(folder)?;
    header.resize(HEADER, 0);
    file.write_all(&header)?;
    file.write_all(table.bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
