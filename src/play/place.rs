//! Places: the cell that stands for a move, such as the lamp that it presses or the last pancake that it turns over.
//!
//! It is found from the cells that each move changes. All moves must follow one pattern, and get distinct cells;
//! otherwise none has a place, so that no click surprises.

use super::Effect;
use crate::picture::Cell;
use std::collections::HashSet;

/// The greatest number of comparisons of cells.
const MAX_WORK: usize = 1 << 24;

/// Returns a cell for each move, if the cells that the moves change follow the pattern on a board of this size.
type Pattern = fn(&[&[Cell]], (usize, usize)) -> Option<Vec<Cell>>;

/// A cell relative to another.
type Offset = (isize, isize);

/// Returns for each move the cell that stands for it; `None` if some move has no such cell.
pub(super) fn places(effects: &[Effect], (rows, columns): (usize, usize)) -> Option<Vec<Cell>> {
    let changed: Vec<&[Cell]> = effects.iter().map(|effect| &*effect.changed).collect();
    if changed.iter().any(|cells| cells.is_empty()) {
        return None;
    }
    // One move alone has two ends.
    let patterns: [Pattern; 4] =
        if changed.len() == 1 { [stencil, middle, last, first] } else { [last, first, stencil, middle] };
    patterns.into_iter().find_map(|pattern| {
        let cells = pattern(&changed, (rows, columns))?;
        let distinct: HashSet<Cell> = cells.iter().copied().collect();
        (distinct.len() == cells.len()).then_some(cells)
    })
}

/// Every move changes the same pattern of cells, cut off at the edges: its middle is the place.
fn stencil(changed: &[&[Cell]], (rows, columns): (usize, usize)) -> Option<Vec<Cell>> {
    let widest = changed.iter().max_by_key(|cells| cells.len())?;
    if changed.len() * rows * columns * widest.len() > MAX_WORK {
        return None;
    }
    let side = |of: fn(&Cell) -> usize| {
        let (least, most) = (widest.iter().map(of).min()?, widest.iter().map(of).max()?);
        // A pattern with an even side has no middle.
        ((most - least) % 2 == 0).then_some(((least + most) / 2) as isize)
    };
    let middle: Offset = (side(|cell| cell.0)?, side(|cell| cell.1)?);
    let pattern: Vec<Offset> =
        widest.iter().map(|cell| (cell.0 as isize - middle.0, cell.1 as isize - middle.1)).collect();
    let at = |cell: Cell, offset: &Offset| {
        let place = (cell.0.checked_add_signed(offset.0)?, cell.1.checked_add_signed(offset.1)?);
        (place.0 < rows && place.1 < columns).then_some(place)
    };
    let is_middle = |cell: Cell, cells: &[Cell]| {
        let mut count = 0;
        let all = pattern.iter().filter_map(|offset| at(cell, offset)).all(|cell| {
            count += 1;
            cells.binary_search(&cell).is_ok()
        });
        all && count == cells.len()
    };
    let board = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    changed.iter().map(|cells| board().find(|&cell| is_middle(cell, cells))).collect()
}

/// Every move changes cells close around one, which is the place.
fn middle(changed: &[&[Cell]], _size: (usize, usize)) -> Option<Vec<Cell>> {
    let nearest = |cells: &&[Cell]| {
        let count = cells.len();
        let (row, column) = cells.iter().fold((0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
        // Squared distances from the centre of gravity, scaled by the square of the count.
        let off = |cell: &Cell| (cell.0 * count).abs_diff(row).pow(2) + (cell.1 * count).abs_diff(column).pow(2);
        let nearest = cells.iter().min_by_key(|cell| off(cell))?;
        (2 * off(nearest) < count * count).then_some(*nearest)
    };
    changed.iter().map(nearest).collect()
}

/// Every move changes cells of one line, from one end on: the last that it changes is the place.
fn last(changed: &[&[Cell]], _size: (usize, usize)) -> Option<Vec<Cell>> {
    let start = changed.first()?.first()?;
    let same = is_line(changed) && changed.iter().all(|cells| cells.first() == Some(start));
    same.then(|| changed.iter().filter_map(|cells| cells.last().copied()).collect())
}

/// Every move changes cells of one line, up to one end: the first that it changes is the place.
fn first(changed: &[&[Cell]], _size: (usize, usize)) -> Option<Vec<Cell>> {
    let end = changed.first()?.last()?;
    let same = is_line(changed) && changed.iter().all(|cells| cells.last() == Some(end));
    same.then(|| changed.iter().filter_map(|cells| cells.first().copied()).collect())
}

/// Returns whether all cells are in one row, or in one column.
fn is_line(changed: &[&[Cell]]) -> bool {
    let mut cells = changed.iter().copied().flatten();
    let Some(&(row, column)) = cells.next() else { return true };
    let rest: Vec<&Cell> = cells.collect();
    rest.iter().all(|cell| cell.0 == row) || rest.iter().all(|cell| cell.1 == column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(changed: &[&[Cell]], size: (usize, usize)) -> Option<Vec<Cell>> {
        let effect = |cells: &&[Cell]| Effect { changed: cells.to_vec(), ..Effect::default() };
        places(&changed.iter().map(effect).collect::<Vec<_>>(), size)
    }

    #[test]
    fn a_lamp_is_the_middle_of_what_it_changes_even_at_the_edge() {
        let board = || (0..3).flat_map(|row| (0..4).map(move |column| (row, column)));
        let lamps = |near: fn(Cell, Cell) -> bool| {
            let cells: Vec<Vec<Cell>> =
                board().map(|lamp| board().filter(|&cell| near(lamp, cell)).collect()).collect();
            placed(&cells.iter().map(|cells| &**cells).collect::<Vec<_>>(), (3, 4))
        };
        let all: Option<Vec<Cell>> = Some(board().collect());
        assert_eq!(lamps(|one, other| one.0.abs_diff(other.0) + one.1.abs_diff(other.1) <= 1), all, "a cross");
        assert_eq!(lamps(|one, other| one.0.abs_diff(other.0).max(one.1.abs_diff(other.1)) <= 1), all, "a square");
        assert_eq!(lamps(|one, other| one == other), all);
        assert_eq!(lamps(|one, other| one.0 == other.0), None, "each row has four moves");
        let small = [&[(0, 0), (0, 1), (1, 0)][..], &[(0, 0), (0, 1), (1, 1)], &[(0, 0), (1, 0), (1, 1)]];
        assert_eq!(placed(&small, (2, 2)), Some(vec![(0, 0), (0, 1), (1, 0)]));
    }

    #[test]
    fn the_last_pancake_that_is_turned_over_is_the_place() {
        let flips = [&[(0, 0), (0, 1)][..], &[(0, 0), (0, 2)], &[(0, 0), (0, 1), (0, 2), (0, 3)]];
        assert_eq!(placed(&flips, (1, 4)), Some(vec![(0, 1), (0, 2), (0, 3)]));
        let upright = [&[(3, 0), (2, 0)][..], &[(3, 0), (2, 0), (1, 0)]].map(|cells| {
            let mut cells = cells.to_vec();
            cells.sort_unstable();
            cells
        });
        assert_eq!(placed(&[&upright[0], &upright[1]], (4, 1)), Some(vec![(2, 0), (1, 0)]), "from the other end");
        let dials = [&[(0, 0), (0, 1)][..], &[(0, 0), (0, 1)]];
        assert_eq!(placed(&dials, (1, 2)), None, "both ways round");
        assert_eq!(placed(&[&[(0, 0), (0, 4)], &[(1, 0), (1, 3)]], (2, 5)), None, "jugs have no places");
    }
}
