//! Random starts: by a random walk from the start, since nobody can draw a reachable board at random.
//!
//! The moves are those of the state space, but the reference rules play them. The result for a seed is part of the file
//! format, so it never changes.

use super::board::{BlockBoard, Place};
use super::rules::BlockRules;
use crate::domain::import::escaped;
use crate::domain::{BuildContext, Rules, Scrambled};

/// Returns the keys of the start after these moves; `None` if one of them is illegal, or a limit ends the work.
pub(super) fn after(board: &BlockBoard, moves: &[String], context: &BuildContext) -> Option<Scrambled> {
    let mut rules = BlockRules::new(board);
    if !moves.iter().all(|name| !context.should_stop() && rules.play(name).is_ok()) {
        return None;
    }
    let cells = rules.cells_of_all();
    if board.pieces.iter().any(|piece| piece.shape_name.is_some()) {
        return Some(Scrambled { replaced: &["pieces"], keys: listed(board, &cells) });
    }
    // The drawing shows the gates that no piece covers.
    let covered = cells.iter().flatten().filter(|&&cell| board.gates.has(cell));
    let mut gates: Vec<String> = covered.map(|(row, column)| format!("[{row}, {column}]")).collect();
    gates.sort_unstable();
    let drawing = escaped(&rules.draw());
    let mut keys = format!("start = \"\"\"\n{drawing}\"\"\"\n");
    if !gates.is_empty() {
        keys += &format!("gates = [{}]\n", gates.join(", "));
    }
    Some(Scrambled { replaced: &["start", "gates"], keys })
}

/// Returns the key `pieces` with the places of all pieces, as one value; `cells` are those of each piece.
fn listed(board: &BlockBoard, cells: &[Vec<Place>]) -> String {
    let piece = |number: usize| {
        let (piece, cells) = (&board.pieces[number], &cells[number]);
        let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let column = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let shape = piece.shape_name.as_deref().unwrap_or_default();
        let moves = piece.moves.name();
        format!("\"{}\" = {{ shape = \"{shape}\", at = [{row}, {column}], moves = \"{moves}\" }}", piece.name)
    };
    format!("pieces = {{ {} }}\n", (0..board.pieces.len()).map(piece).collect::<Vec<_>>().join(", "))
}
