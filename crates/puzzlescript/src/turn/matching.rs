//! Finds where a row of a rule matches.

use super::Workspace;
use crate::game::Direction;
use crate::program::{Pattern, Row};

/// A match of a row: its first cell and the lengths of its ellipses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    pub cell: u32,
    pub gaps: [u32; 2],
}

impl Workspace {
    /// Returns the step from a cell to the next one in a direction, in storage order.
    #[inline]
    pub(super) fn step(&self, direction: Direction) -> isize {
        match direction {
            Direction::Up => -1,
            Direction::Down => 1,
            Direction::Left => -(self.height as isize),
            Direction::Right => self.height as isize,
        }
    }

    /// Returns whether a cell matches.
    #[inline]
    fn matches_cell(&self, pattern: &Pattern, cell: usize) -> bool {
        let objects = &self.objects[cell * self.object_words..][..self.object_words];
        if !pattern.objects.iter().all(|test| objects[test.word as usize] & test.mask == test.wanted) {
            return false;
        }
        let movements = &self.movements[cell * self.movement_words..][..self.movement_words];
        pattern.movements.iter().all(|test| movements[test.word as usize] & test.mask == test.wanted)
            && pattern.any.iter().all(|any| any.iter().any(|&(word, bits)| objects[word as usize] & bits != 0))
    }

    /// Returns whether cells in a line match, the first of them at `cell`.
    #[inline]
    fn matches_cells(&self, patterns: &[Pattern], cell: isize, step: isize) -> bool {
        let mut cell = cell;
        for pattern in patterns {
            if !self.matches_cell(pattern, cell as usize) {
                return false;
            }
            cell += step;
        }
        true
    }

    /// Returns whether a row still matches where it did.
    pub(super) fn matches_row(&self, row: &Row, direction: Direction, at: Match) -> bool {
        let step = self.step(direction);
        let mut cell = at.cell as isize;
        let mut from = 0;
        for (&gap, &length) in row.gaps.iter().zip(&at.gaps) {
            if !self.matches_cells(&row.cells[from..gap], cell, step) {
                return false;
            }
            cell += step * ((gap - from) as isize + length as isize);
            from = gap;
        }
        self.matches_cells(&row.cells[from..], cell, step)
    }

    /// Finds all matches of a row: line by line, for an ellipsis the nearest first.
    pub(super) fn find_row(&self, row: &Row, direction: Direction, found: &mut Vec<Match>) {
        found.clear();
        let contents = &self.contents;
        if row.cells.is_empty() || !contents.may_hold(contents.board(), &row.objects, &row.movements) {
            return;
        }
        let length = row.cells.len();
        let (width, height) = (self.width, self.height);
        let horizontal = matches!(direction, Direction::Left | Direction::Right);
        let (lines, extent) = if horizontal { (height, width) } else { (width, height) };
        if length > extent {
            return;
        }
        // The first cells along a line from which the row fits on the board.
        let places = match direction {
            Direction::Up | Direction::Left => length - 1..extent,
            Direction::Down | Direction::Right => 0..extent - (length - 1),
        };
        let step = self.step(direction);
        for line in 0..lines {
            let number = if horizontal { line } else { height + line };
            if !contents.may_hold(number, &row.objects, &row.movements) {
                continue;
            }
            for place in places.clone() {
                let cell = if horizontal { place * height + line } else { line * height + place };
                if row.gaps.is_empty() {
                    if self.matches_cells(&row.cells, cell as isize, step) {
                        found.push(Match { cell: cell as u32, gaps: [0; 2] });
                    }
                } else {
                    // The greatest length of all ellipses together.
                    let longest = match direction {
                        Direction::Up | Direction::Left => place + 1 - length,
                        Direction::Down | Direction::Right => extent - place - length,
                    };
                    self.find_with_gaps(row, cell, step, longest, found);
                }
            }
        }
    }

    fn find_with_gaps(&self, row: &Row, cell: usize, step: isize, longest: usize, found: &mut Vec<Match>) {
        let first = row.gaps[0];
        let cell = cell as isize;
        if !self.matches_cells(&row.cells[..first], cell, step) {
            return;
        }
        for length in 0..=longest {
            let after = cell + step * (first + length) as isize;
            let Some(&second) = row.gaps.get(1) else {
                if self.matches_cells(&row.cells[first..], after, step) {
                    found.push(Match { cell: cell as u32, gaps: [length as u32, 0] });
                }
                continue;
            };
            if !self.matches_cells(&row.cells[first..second], after, step) {
                continue;
            }
            for other in 0..=longest - length {
                let last = after + step * (second - first + other) as isize;
                if self.matches_cells(&row.cells[second..], last, step) {
                    found.push(Match { cell: cell as u32, gaps: [length as u32, other as u32] });
                }
            }
        }
    }
}
