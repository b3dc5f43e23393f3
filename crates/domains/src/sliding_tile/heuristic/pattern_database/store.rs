//! The tables of groups of tiles, and their identities in the cache of tables.

use super::build::build;
use super::placements::Placements;
use crate::domain::BuildContext;
use crate::domain::table::Table;
use crate::domain::table_store::{self, TableIdentity};
use crate::search::LazyPool;
use crate::sliding_tile::board::{Tile, TileBoard};
use std::sync::Arc;

/// Returns the table of a group of tiles: from memory, from its file, or built. Returns `None` if building was stopped.
pub(in super::super::super) fn table(
    board: &TileBoard,
    tiles: &[Tile],
    pool: &LazyPool,
    context: &BuildContext,
) -> Option<Arc<Table>> {
    let placements = Placements::new(board.cells() as usize, tiles.len()).count()?;
    table_store::table(identity(board, tiles, placements), context, || build(board, tiles, pool, context))
}

/// Returns whether the table of a group of tiles is in memory or, if it is large enough to be cached, has a file.
pub(in super::super::super) fn is_stored(board: &TileBoard, tiles: &[Tile], context: &BuildContext) -> bool {
    let placements = Placements::new(board.cells() as usize, tiles.len()).count();
    placements.is_some_and(|placements| table_store::is_stored(&identity(board, tiles, placements), context))
}

/// Returns the identity of a table.
fn identity(board: &TileBoard, tiles: &[Tile], entries: u64) -> TableIdentity {
    let join = |tiles: &[Tile], between: &str| {
        let cells: Vec<String> = tiles.iter().map(|&tile| board.goal_cell(tile).to_string()).collect();
        cells.join(between)
    };
    let (rows, columns, surface) = (board.rows, board.columns, board.surface.name());
    let text = format!(
        "engine pattern database 1\nboard {rows}x{columns}\nsurface {surface}\nmetric single\ngoal blank on {}\ngoal tiles on {}\n",
        board.goal_cell(0),
        join(tiles, " ")
    );
    let file = format!("tiles-{rows}x{columns}-{surface}-{}.pdb", join(&[&[0], tiles].concat(), "."));
    TableIdentity { text, file, entries: Some(entries) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::table_store::{HEADER, read, write};
    use crate::sliding_tile::board::TileGoal;
    use crate::sliding_tile::surface::Surface;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;

    fn board() -> TileBoard {
        TileBoard {
            rows: 3,
            columns: 3,
            surface: Surface::Plane,
            start: vec![1, 2, 3, 4, 5, 6, 7, 8, 0],
            goal: TileGoal::BlankLast,
        }
    }

    /// Writes a table, and returns its path and identity.
    fn written(folder: &Path) -> (PathBuf, TableIdentity, Table) {
        let (board, tiles) = (board(), [1, 2, 4]);
        let table = build(&board, &tiles, &LazyPool::new(None), &BuildContext::default()).expect("no limit applies");
        let identity = identity(&board, &tiles, 9 * 8 * 7);
        let path = folder.join(&identity.file);
        write(&path, &identity, &table).expect("the file can be written");
        (path, identity, table)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("the file can be written");
        let (path, identity, table) = written(folder.path());
        let read = read(&path, &identity).expect("the table is intact").expect("it is there");
        assert_eq!((read.bytes(), read.nibbles()), (table.bytes(), table.nibbles()));
        let files = fs::read_dir(folder.path()).expect("it is there").count();
        assert_eq!(files, 1, "no other file remains");
    }

    #[test]
    fn damaged_and_foreign_tables_are_detected() {
        let folder = tempfile::tempdir().expect("the file can be written");
        let (path, identity, _) = written(folder.path());
        let whole = fs::read(&path).expect("it is there");
        let reason = |bytes: &[u8], identity: &TableIdentity| {
            fs::write(&path, bytes).expect("the file can be written");
            read(&path, identity).map(|table| table.is_some()).expect_err("the error is detected")
        };
        for at in [HEADER, HEADER + 17, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(reason(&damaged, &identity).contains("checksum"), "byte {at}");
        }
        assert!(reason(&whole[..whole.len() - 1], &identity).contains("truncated"));
        assert!(reason(&whole[..100], &identity).contains("shorter than a header"));
        assert!(reason(&[], &identity).contains("shorter than a header"));
        assert!(reason(&vec![7; whole.len()], &identity).contains("not a table of this puzzle"));
        let other = super::identity(&board(), &[1, 2, 3], 9 * 8 * 7);
        assert!(reason(&whole, &other).contains("not a table of this puzzle"));
        assert!(read(&folder.path().join("none"), &identity).is_ok_and(|table| table.is_none()));
    }

    #[test]
    fn a_damaged_table_is_rebuilt_with_a_note() {
        struct Notes(Mutex<Vec<String>>);
        impl crate::domain::Observer for Notes {
            fn note(&self, message: &str) {
                self.0.lock().expect("no thread panics").push(message.to_owned());
            }
            fn progress(&self, _: &crate::domain::Progress) {}
        }
        // A size that is cached, and a board that no other test has in memory.
        let board = TileBoard { rows: 2, columns: 7, start: (1..14).chain([0]).collect(), ..board() };
        let tiles = [1, 2, 3, 4, 8, 9];
        let folder = tempfile::tempdir().expect("the file can be written");
        let placements = Placements::new(14, 6).count().expect("the number fits");
        let identity = identity(&board, &tiles, placements);
        let path = folder.path().join(&identity.file);
        fs::write(&path, "something else").expect("the file can be written");
        let notes = Arc::new(Notes(Mutex::default()));
        let context = BuildContext {
            cache: Some(folder.path().to_owned()),
            observer: Some(notes.clone()),
            ..BuildContext::default()
        };
        let table = table(&board, &tiles, &LazyPool::new(None), &context).expect("no limit applies");
        assert!(notes.0.lock().expect("no thread panics").iter().any(|note| note.contains("it is rebuilt")));
        let read = read(&path, &identity).expect("the table is intact").expect("it is there");
        assert_eq!(read.bytes(), table.bytes());
    }
}
