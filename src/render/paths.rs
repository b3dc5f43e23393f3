//! The paths along which figures move, so that a figure that turns a corner does not cut it.
//!
//! A picture contains the positions of figures, not their paths. Where several figures move at once, each moves in a
//! straight line. A figure that moves alone takes the shortest path over free ground. If there is none, it left the
//! board over an edge, and fades.

use super::change::Change;
use crate::picture::{Cell, Form, Ground, Picture};
use std::collections::{HashMap, HashSet, VecDeque};

/// The greatest number of places to search for the path of one move.
const MAX_PLACES: usize = 1 << 14;

/// Sets the path of each change of place; `before` is the picture before the move.
pub(super) fn choose(changes: &mut [Change], before: &Picture) {
    let moves = |change: &Change| change.from.zip(change.to).filter(|(from, to)| from.at != to.at);
    let alone = changes.iter().filter(|change| moves(change).is_some()).count() == 1;
    for change in changes {
        let Some((from, to)) = change.from.zip(change.to) else { continue };
        let far = from.at.0.abs_diff(to.at.0) + from.at.1.abs_diff(to.at.1) > 1;
        let block = |figure: &&crate::picture::Figure| figure.form == Form::Block && figure.at == from.at;
        change.path = match before.figures.iter().find(block) {
            Some(mover) if alone && far => shortest(before, mover.key, to.at),
            _ => Some(vec![from.at, to.at]),
        };
    }
}

/// Returns the corners of the shortest path of a figure over free ground, by steps in four directions.
fn shortest(picture: &Picture, key: u64, goal: Cell) -> Option<Vec<Cell>> {
    let mover = picture.figures.iter().find(|figure| figure.key == key)?;
    let others = picture.figures.iter().filter(|figure| figure.key != key);
    let taken: HashSet<Cell> = others.flat_map(|figure| figure.covered().collect::<Vec<_>>()).collect();
    let is_free = |at: Cell| {
        mover.cells.iter().all(|&(row, column)| {
            let cell = (at.0 + row, at.1 + column);
            let on_board = cell.0 < picture.rows && cell.1 < picture.columns;
            on_board && !matches!(picture.ground(cell), Ground::Wall | Ground::Void) && !taken.contains(&cell)
        })
    };
    let mut came_from = HashMap::from([(mover.at, mover.at)]);
    let mut open = VecDeque::from([mover.at]);
    while let Some(at) = open.pop_front().filter(|_| came_from.len() < MAX_PLACES) {
        if at == goal {
            return Some(corners(&came_from, goal));
        }
        let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        for (row, column) in steps {
            let Some(next) = at.0.checked_add_signed(row).zip(at.1.checked_add_signed(column)) else { continue };
            if is_free(next) && !came_from.contains_key(&next) {
                came_from.insert(next, at);
                open.push_back(next);
            }
        }
    }
    None
}

/// Returns both ends of a path, and the places between them where it turns.
fn corners(came_from: &HashMap<Cell, Cell>, goal: Cell) -> Vec<Cell> {
    let mut path = vec![goal];
    let mut at = goal;
    while came_from[&at] != at {
        at = came_from[&at];
        path.push(at);
    }
    path.reverse();
    let on_line = |a: Cell, b: Cell, c: Cell| (a.0 == b.0 && b.0 == c.0) || (a.1 == b.1 && b.1 == c.1);
    let turns = |at: &usize| *at == 0 || *at + 1 == path.len() || !on_line(path[at - 1], path[*at], path[at + 1]);
    (0..path.len()).filter(turns).map(|at| path[at]).collect()
}

/// Returns the lengths of the segments of a path, from each corner to the next.
pub(super) fn lengths(path: &[(f64, f64)]) -> Vec<f64> {
    path.windows(2).map(|pair| (pair[0].0 - pair[1].0).hypot(pair[0].1 - pair[1].1)).collect()
}

/// Returns the row and column on a path after a fraction `share` of its length, from 0 to 1.
pub(super) fn along(path: &[(f64, f64)], share: f64) -> (f64, f64) {
    let lengths = lengths(path);
    let mut left = lengths.iter().sum::<f64>() * share;
    for (pair, length) in path.windows(2).zip(lengths) {
        if left <= length && length > 0.0 {
            let between = |from: f64, to: f64| from + (to - from) * left / length;
            return (between(pair[0].0, pair[1].0), between(pair[0].1, pair[1].1));
        }
        left -= length;
    }
    path.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Figure, Paint};

    #[test]
    fn a_block_goes_around_the_corner_and_not_through_other_blocks() {
        let mut picture = Picture::new(2, 2, Ground::Floor);
        let block = |key, at| Figure::single(key, "", Paint::Plain, Form::Block, at);
        picture.figures = vec![block(1, (0, 0)), block(2, (0, 1))];
        assert_eq!(shortest(&picture, 1, (1, 1)), Some(vec![(0, 0), (1, 0), (1, 1)]));
        picture.ground_mut()[2] = Ground::Wall;
        assert_eq!(shortest(&picture, 1, (1, 1)), None, "the only path leads over an edge");
    }

    #[test]
    fn half_of_a_path_with_a_corner_ends_at_the_corner() {
        assert_eq!(along(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)], 0.5), (2.0, 0.0));
        assert_eq!(along(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)], 0.75), (2.0, 1.0));
        assert_eq!(along(&[(3.0, 4.0), (3.0, 4.0)], 0.5), (3.0, 4.0), "it stays where it is");
    }
}
