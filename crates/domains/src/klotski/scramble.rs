//! Random starts: by a random walk from the start, since nobody can draw a reachable board at random.
//!
//! The moves are those of the state space, but the reference rules play them. The result for a seed is part of the file
//! format, so it never changes.

use super::board::{Board, Place};
use super::rules::BlockRules;
use crate::domain::import::escaped;
use crate::domain::{Rules, Scrambled};

/// Returns the keys of the start after these moves; `None` if one of them is illegal.
pub(super) fn after(board: &Board, moves: &[String]) -> Option<Scrambled> {
    let mut rules = BlockRules::new(board);
    moves.iter().try_for_each(|name| rules.play(name)).ok()?;
    if board.pieces.iter().any(|piece| piece.shape_name.is_some()) {
        return Some(Scrambled { replaced: &["pieces"], keys: listed(board, &rules) });
    }
    // The drawing shows the gates that no piece covers.
    let covered: Vec<Place> = (0..board.pieces.len()).flat_map(|piece| rules.cells_of(piece)).collect();
    let covered = covered.iter().filter(|&&cell| board.gates.has(cell));
    let mut gates: Vec<String> = covered.map(|(row, column)| format!("[{row}, {column}]")).collect();
    gates.sort_unstable();
    let drawing = escaped(&rules.draw());
    let mut keys = format!("start = \"\"\"\n{drawing}\"\"\"\n");
    if !gates.is_empty() {
        keys += &format!("gates = [{}]\n", gates.join(", "));
    }
    Some(Scrambled { replaced: &["start", "gates"], keys })
}

/// Returns the key `pieces` with the places of all pieces, as one value.
fn listed(board: &Board, rules: &BlockRules) -> String {
    let piece = |number: usize| {
        let piece = &board.pieces[number];
        let cells = rules.cells_of(number);
        let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let column = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let shape = piece.shape_name.as_deref().unwrap_or_default();
        let moves = piece.moves.name();
        format!("\"{}\" = {{ shape = \"{shape}\", at = [{row}, {column}], moves = \"{moves}\" }}", piece.name)
    };
    format!("pieces = {{ {} }}\n", (0..board.pieces.len()).map(piece).collect::<Vec<_>>().join(", "))
}
