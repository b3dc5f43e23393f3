//! The identities of what is kept in the cache.

use super::model::Model;
use crate::domain::BuildContext;
use crate::domain::table_store::TableIdentity;
use sha2::{Digest, Sha256};
use std::fs;

/// Returns the identity of a table of a puzzle, with a description of what it depends on beside the moves, in lines of text,
/// and the number of its entries, if that is known.
pub(super) fn identity(model: &Model, description: &str, entries: Option<u64>) -> TableIdentity {
    let moves = digest(model);
    let text = format!(
        "engine pattern database 1\npermutation of {} places\nmoves {} {moves}\n{description}",
        model.places,
        model.moves.len(),
    );
    let file = format!("{}{:08x}.pdb", prefix(&moves), crc32fast::hash(text.as_bytes()));
    TableIdentity { text, file, entries }
}

/// Returns whether the cache has any table of the puzzle.
pub(super) fn has_tables(model: &Model, context: &BuildContext) -> bool {
    let prefix = prefix(&digest(model));
    let files = context.cache.as_deref().and_then(|folder| fs::read_dir(folder).ok());
    files.into_iter().flatten().flatten().any(|file| file.file_name().to_string_lossy().starts_with(&prefix))
}

/// Returns the beginning of the names of all files of the puzzle.
fn prefix(digest: &str) -> String {
    format!("permutation-{}-", &digest[..8])
}

/// Returns the digest of the moves, which do not fit into a header. SHA-256 is collision-resistant, so nobody can
/// construct another puzzle with the same digest, for which the table would be wrong.
fn digest(model: &Model) -> String {
    let mut moves = Sha256::new();
    for each_move in &model.moves {
        each_move.image.iter().for_each(|place| moves.update(place.to_le_bytes()));
    }
    moves.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
