//! Tables kept: in memory as long as the program runs, and, where they take long to build, in files from one run to the
//! next.
//!
//! A file is a header of text, padded to a page, and the bytes of the table. The header names all that the table
//! depends on and a checksum of the bytes, so that a file that is damaged, cut short or about something else is noticed;
//! it is built anew then. Files are written beside their place and moved there whole, so that programs that run at the
//! same time find all of a file or nothing.

use super::build::build;
use super::placements::Placements;
use super::table::{Bytes, Table};
use crate::domain::Means;
use crate::domain::sliding_tile::board::{Board, Tile};
use crate::search::Crew;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Smaller tables are built faster than they are read.
const LEAST_KEPT: u64 = 1 << 21;

/// The bytes of a header: a page, so that what follows can be mapped.
const HEADER: usize = 4096;

/// The tables of this run, by what they are of.
static HELD: Mutex<Option<HashMap<String, Arc<Table>>>> = Mutex::new(None);

/// The table of a group of tiles: held, read or built; none if building was stopped.
pub(in super::super::super) fn table(board: &Board, tiles: &[Tile], crew: &Crew, means: &Means) -> Option<Arc<Table>> {
    let subject = subject(board, tiles);
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let held = held.get_or_insert_default();
    if let Some(table) = held.get(&subject) {
        return Some(Arc::clone(table));
    }
    let placements = Placements::new(board.cells() as usize, tiles.len()).count()?;
    let folder = means.cache.as_deref().filter(|_| placements >= LEAST_KEPT);
    let path = folder.map(|folder| folder.join(file_name(board, tiles)));
    let kept = path.as_ref().and_then(|path| match read(path, &subject, placements) {
        Ok(table) => table,
        Err(reason) => {
            means.note(&format!("{}: {reason}; it is built anew", path.display()));
            None
        }
    });
    let table = match kept {
        Some(table) => table,
        None => {
            let table = build(board, tiles, crew, means)?;
            if let Some(path) = &path
                && let Err(error) = write(path, &subject, &table)
            {
                means.note(&format!("{}: the table cannot be kept: {error}", path.display()));
            }
            table
        }
    };
    let table = Arc::new(table);
    held.insert(subject, Arc::clone(&table));
    Some(table)
}

/// What a table is of: all that it depends on, in lines of text.
fn subject(board: &Board, tiles: &[Tile]) -> String {
    let cells: Vec<String> = tiles.iter().map(|&tile| board.goal_cell(tile).to_string()).collect();
    format!(
        "engine pattern database 1\nboard {}x{}\nsurface {}\nmetric single\ngoal blank on {}\ngoal tiles on {}\n",
        board.rows,
        board.columns,
        board.surface.name(),
        board.goal_cell(0),
        cells.join(" ")
    )
}

fn file_name(board: &Board, tiles: &[Tile]) -> String {
    let cells: Vec<String> = [0].iter().chain(tiles).map(|&tile| board.goal_cell(tile).to_string()).collect();
    format!("tiles-{}x{}-{}-{}.pdb", board.rows, board.columns, board.surface.name(), cells.join("."))
}

/// The lines of a header after the subject.
fn seal(table_bits: u32, bytes: &[u8]) -> String {
    format!("bits {table_bits}\nbytes {}\ncrc32 {:08x}\n", bytes.len(), crc32fast::hash(bytes))
}

/// Reads a table; none if there is no file.
fn read(path: &Path, subject: &str, placements: u64) -> Result<Option<Table>, String> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be opened: {error}")),
    };
    let bytes = Bytes::map(&file, HEADER).map_err(|error| format!("cannot be read: {error}"))?;
    let header = bytes.header().split(|&byte| byte == 0).next().and_then(|text| std::str::from_utf8(text).ok());
    let Some(seal_found) = header.and_then(|header| header.strip_prefix(subject)) else {
        return Err("is no table of this board and these tiles".to_owned());
    };
    let halves = seal_found.starts_with("bits 4\n");
    let expected = if halves { placements.div_ceil(2) } else { placements };
    if bytes.len() as u64 != expected {
        return Err(format!("is cut short: {} bytes instead of {expected}", bytes.len()));
    }
    if seal_found != seal(if halves { 4 } else { 8 }, &bytes) {
        return Err("is damaged: its checksum is another".to_owned());
    }
    Ok(Some(Table::new(bytes, halves)))
}

/// Writes a table, whole or not at all.
fn write(path: &Path, subject: &str, table: &Table) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".building-").tempfile_in(folder)?;
    let mut header = subject.as_bytes().to_vec();
    header.extend(seal(if table.halves() { 4 } else { 8 }, table.bytes()).bytes());
    header.resize(HEADER, 0);
    file.write_all(&header)?;
    file.write_all(table.bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::sliding_tile::board::Goal;
    use crate::domain::sliding_tile::surface::Surface;
    use std::path::PathBuf;

    fn board() -> Board {
        Board {
            rows: 3,
            columns: 3,
            surface: Surface::Plane,
            start: vec![1, 2, 3, 4, 5, 6, 7, 8, 0],
            goal: Goal::BlankLast,
        }
    }

    /// A table that was written, what it is of, and the number of its placements.
    fn written(folder: &Path) -> (PathBuf, String, Table, u64) {
        let (board, tiles) = (board(), [1, 2, 4]);
        let table = build(&board, &tiles, &Crew::new(None), &Means::default()).expect("nothing stops it");
        let (path, subject) = (folder.join(file_name(&board, &tiles)), subject(&board, &tiles));
        write(&path, &subject, &table).expect("there is room");
        (path, subject, table, 9 * 8 * 7)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("there is room");
        let (path, subject, table, placements) = written(folder.path());
        let read = read(&path, &subject, placements).expect("it is whole").expect("it is there");
        assert_eq!((read.bytes(), read.halves()), (table.bytes(), table.halves()));
        let files = fs::read_dir(folder.path()).expect("it is there").count();
        assert_eq!(files, 1, "nothing is left beside the table");
    }

    #[test]
    fn what_is_no_whole_table_of_this_board_is_noticed() {
        let folder = tempfile::tempdir().expect("there is room");
        let (path, subject, _, placements) = written(folder.path());
        let whole = fs::read(&path).expect("it is there");
        let reason = |bytes: &[u8], subject: &str| {
            fs::write(&path, bytes).expect("there is room");
            read(&path, subject, placements).map(|table| table.is_some()).expect_err("it is noticed")
        };
        for at in [HEADER, HEADER + 17, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(reason(&damaged, &subject).contains("checksum"), "byte {at}");
        }
        assert!(reason(&whole[..whole.len() - 1], &subject).contains("cut short"));
        assert!(reason(&whole[..100], &subject).contains("shorter than a header"));
        assert!(reason(&[], &subject).contains("shorter than a header"));
        assert!(reason(&vec![7; whole.len()], &subject).contains("no table of this board"));
        let other = super::subject(&board(), &[1, 2, 3]);
        assert!(reason(&whole, &other).contains("no table of this board"));
        assert!(read(&folder.path().join("none"), &subject, placements).is_ok_and(|table| table.is_none()));
    }

    #[test]
    fn a_damaged_table_is_built_anew_and_said() {
        struct Notes(Mutex<Vec<String>>);
        impl crate::domain::Observer for Notes {
            fn note(&self, message: &str) {
                self.0.lock().expect("nobody panics").push(message.to_owned());
            }
            fn progress(&self, _: &crate::domain::Progress) {}
        }
        // Of a size that is kept, and a board that no other test holds in memory.
        let board = Board { rows: 2, columns: 7, start: (1..14).chain([0]).collect(), ..board() };
        let tiles = [1, 2, 3, 4, 8, 9];
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join(file_name(&board, &tiles));
        fs::write(&path, "something else").expect("there is room");
        let notes = Arc::new(Notes(Mutex::default()));
        let means = Means { cache: Some(folder.path().to_owned()), observer: Some(notes.clone()), ..Means::default() };
        let table = table(&board, &tiles, &Crew::new(None), &means).expect("nothing stops it");
        assert!(notes.0.lock().expect("nobody panics").iter().any(|note| note.contains("built anew")));
        let placements = Placements::new(14, 6).count().expect("they are few");
        let read = read(&path, &subject(&board, &tiles), placements).expect("it is whole").expect("it is there");
        assert_eq!(read.bytes(), table.bytes());
    }
}
