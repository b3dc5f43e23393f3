//! The boards of both implementations as names, to compare them.

use engine_puzzlescript::plain::{Objects, PlainBoard, Rules};
use engine_puzzlescript::program::Program;

/// Returns the names of the objects in each cell of a compiled board.
pub fn compiled_cells<'p>(program: &'p Program, cells: &[u64]) -> Vec<Vec<&'p str>> {
    let names = &program.object_names;
    let in_cell = |cell: &[u64]| {
        let numbers = (0..names.len()).filter(|id| cell[id / 64] >> (id % 64) & 1 == 1);
        numbers.map(|id| names[id].as_str()).collect()
    };
    cells.chunks_exact(program.object_words).map(in_cell).collect()
}

/// Returns the names of the objects in each cell of a plain board.
pub fn plain_cells<'r>(rules: &'r Rules, board: &PlainBoard) -> Vec<Vec<&'r str>> {
    let in_cell = |cell: &Objects| cell.iter().map(|object| rules.name(object)).collect();
    board.cells.iter().map(in_cell).collect()
}
