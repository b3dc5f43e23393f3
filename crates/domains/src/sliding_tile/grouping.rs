//! The groups of a pattern database in a puzzle file: listed or drawn.

use super::board::{Cell, Tile, TileBoard};
use super::heuristic::pattern_database::partition::Partition;
use super::heuristic::pattern_database::placements::{MOST_TILES, Placements};
use super::heuristic::pattern_database::{MOST_CELLS, MOST_GROUPS};
use crate::diagnostic::Diagnostic;
use crate::document::{DeValue, FromToml, Node, Spanned};
use crate::drawing::Drawing;

/// The greatest number of placements of a table; each takes two bytes while the table is built.
const MOST_PLACEMENTS: u64 = 3 << 30;

/// The value of `pattern_database`.
pub(super) enum Grouping {
    /// Groups of tiles.
    Listed(Vec<Vec<Spanned<Tile>>>),
    /// A letter for each tile, at its goal.
    Drawn(String),
}

impl FromToml for Grouping {
    fn from_toml(node: Node) -> Option<Grouping> {
        match node.value() {
            DeValue::String(_) => node.read().map(Grouping::Drawn),
            DeValue::Array(_) => node.read().map(Grouping::Listed),
            _ => node.wrong_type("an array of groups (each an array of tiles) or a drawing (a string)"),
        }
    }
}

/// Reads the groups for a board; tiles in no group contribute only their Manhattan distance.
pub(super) fn read(
    grouping: &Spanned<Grouping>,
    board: &TileBoard,
    source: &str,
) -> Result<Partition, Vec<Diagnostic>> {
    let span = grouping.span();
    if board.cells() as usize > MOST_CELLS {
        let message = format!("a board of {} cells is too large for pattern databases", board.cells());
        return Err(vec![Diagnostic::at(span, message).label(format!("at most {MOST_CELLS} cells"))]);
    }
    let groups = match grouping.get_ref() {
        Grouping::Listed(groups) => listed(groups, board)?,
        Grouping::Drawn(text) => drawn(&Spanned::new(span.clone(), text.clone()), board, source)?,
    };
    if groups.len() >= MOST_GROUPS {
        let message = format!("too many groups: {}", groups.len());
        return Err(vec![Diagnostic::at(span, message).label(format!("at most {}", MOST_GROUPS - 1))]);
    }
    let count = |tiles: &Vec<Tile>| Placements::new(board.cells() as usize, tiles.len()).count();
    let large = |tiles: &&Vec<Tile>| {
        tiles.len() > MOST_TILES || count(tiles).is_none_or(|placements| placements > MOST_PLACEMENTS)
    };
    if let Some(tiles) = groups.iter().find(large) {
        let message = format!("a group of {} tiles on {} cells is too large", tiles.len(), board.cells());
        let label = format!("at most {MOST_TILES} tiles and {MOST_PLACEMENTS} placements in a group");
        return Err(vec![Diagnostic::at(span, message).label(label)]);
    }
    Ok(Partition { groups })
}

fn listed(groups: &[Vec<Spanned<Tile>>], board: &TileBoard) -> Result<Vec<Vec<Tile>>, Vec<Diagnostic>> {
    let mut seen = vec![false; board.cells() as usize];
    let mut errors = Vec::new();
    for tile in groups.iter().flatten() {
        let number = *tile.get_ref();
        match seen.get_mut(number as usize).filter(|_| number > 0) {
            None => errors.push(
                Diagnostic::at(tile.span(), format!("unknown tile {number}"))
                    .label(format!("expected 1 to {}", board.cells() - 1)),
            ),
            Some(seen) => {
                if std::mem::replace(seen, true) {
                    errors.push(
                        Diagnostic::at(tile.span(), format!("tile {number} appears more than once"))
                            .label("a tile belongs to at most one group"),
                    );
                }
            }
        }
    }
    // Sorted, so that the same groups share their tables, in whatever order they are listed.
    let tiles = |group: &Vec<Spanned<Tile>>| {
        let mut tiles: Vec<Tile> = group.iter().map(|tile| *tile.get_ref()).collect();
        tiles.sort_unstable();
        tiles
    };
    let groups = groups.iter().map(tiles).filter(|group| !group.is_empty()).collect();
    if errors.is_empty() { Ok(groups) } else { Err(errors) }
}

fn drawn(text: &Spanned<String>, board: &TileBoard, source: &str) -> Result<Vec<Vec<Tile>>, Vec<Diagnostic>> {
    let drawing = Drawing::of_characters(text, source)?;
    if (drawing.height(), drawing.width()) != (board.rows as usize, board.columns as usize) {
        let message = format!("the drawing of the groups is {}x{}", drawing.height(), drawing.width());
        let label = format!("expected {}x{}, the size of the board", board.rows, board.columns);
        return Err(vec![Diagnostic::at(drawing.span(), message).label(label)]);
    }
    let mut groups: Vec<(&str, Vec<Tile>)> = Vec::new();
    for (row, column, cell) in drawing.cells() {
        let tile = board.goal_tile((row * drawing.width() + column) as Cell);
        if tile == 0 || cell.text == "." {
            continue;
        }
        match groups.iter_mut().find(|(letter, _)| *letter == cell.text) {
            Some((_, tiles)) => tiles.push(tile),
            None => groups.push((cell.text, vec![tile])),
        }
    }
    Ok(groups.into_iter().map(|(_, tiles)| tiles).collect())
}
