//! Finds where a row of a rule matches.

use super::Workspace;
use super::places::each_object;
use crate::game::Direction;
use crate::mask::bits_of;
use crate::program::{Pattern, Row, Sought};

/// Matches of the rows of one rule that are held at a time: some 50 MB. A row with ellipses matches at up to half the
/// square of a line's length for each of its first cells.
const MOST_MATCHES: usize = 1 << 22;

/// Demands of a row that are compared in one step of work.
const SEEDS_A_STEP: usize = 8;

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

    /// Returns how many cells of a line match before the first that does not, beginning at `cell`.
    #[inline]
    fn matching_cells(&self, patterns: &[Pattern], cell: isize, step: isize) -> usize {
        let mut cell = cell;
        for (index, pattern) in patterns.iter().enumerate() {
            if !self.matches_cell(pattern, cell as usize) {
                return index;
            }
            cell += step;
        }
        patterns.len()
    }

    /// Returns whether cells in a line match, the first of them at `cell`.
    #[inline]
    fn matches_cells(&self, patterns: &[Pattern], cell: isize, step: isize) -> bool {
        self.matching_cells(patterns, cell, step) == patterns.len()
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

    /// Finds all matches of a row: line by line, for an ellipsis the nearest first. Counts the cells that it looks at as
    /// work of this turn, which gives up above [`MOST_MATCHES`] less the `held` ones of other rows.
    pub(super) fn find_row(&mut self, row: &Row, direction: Direction, held: usize, found: &mut Vec<Match>) {
        found.clear();
        let (width, height) = (self.width, self.height);
        let horizontal = matches!(direction, Direction::Left | Direction::Right);
        let extent = if horizontal { width } else { height };
        if row.cells.is_empty() || row.cells.len() > extent || !self.places.hold(&row.objects, &row.movements) {
            return self.spend(1);
        }
        self.spend(row.seeds.len() / SEEDS_A_STEP);
        let step = self.step(direction);
        let seed = row.seeds.iter().min_by_key(|seed| self.count(&seed.what));
        let offset = seed.map_or(0, |seed| seed.cell as isize * step);
        let cells = (width * height) as isize;
        let most = MOST_MATCHES.saturating_sub(held);
        // The sets of cells that one word of candidates is made of.
        let sets = match seed.map(|seed| &seed.what) {
            Some(Sought::Any(objects)) => objects.iter().map(|(_, bits)| bits.count_ones() as usize).sum(),
            _ => 1,
        };
        for word in 0..self.places.words() {
            let candidates = match seed.map(|seed| &seed.what) {
                Some(Sought::Object(object)) => self.places.object(*object)[word],
                Some(Sought::Movement(movement)) => self.places.movement(*movement)[word],
                Some(Sought::Any(objects)) => self.places.any(objects, word),
                None => u64::MAX,
            };
            self.spend(sets);
            for bit in bits_of(candidates) {
                let cell = (word * 64) as isize + bit as isize - offset;
                if !(0..cells).contains(&cell) {
                    continue;
                }
                self.find_at(row, cell as usize, direction, step, found);
                if found.len() > most {
                    self.give_up();
                }
                if self.gave_up() {
                    return;
                }
            }
        }
        // The cells were looked at column by column.
        if horizontal && found.len() > 1 {
            found.sort_by_key(|at| (at.cell as usize % height, at.cell as usize / height));
        }
    }

    /// Returns how many cells a seed gives.
    fn count(&self, seed: &Sought) -> u32 {
        match seed {
            Sought::Object(object) => self.places.object_count(*object),
            Sought::Movement(movement) => self.places.movement_count(*movement),
            Sought::Any(objects) => each_object(objects).map(|object| self.places.object_count(object)).sum(),
        }
    }

    /// Adds the matches of a row that begin at a cell.
    #[inline]
    fn find_at(&mut self, row: &Row, cell: usize, direction: Direction, step: isize, found: &mut Vec<Match>) {
        let (x, y) = (cell / self.height, cell % self.height);
        // The cells from this one on to the edge, without itself.
        let room = match direction {
            Direction::Up => y,
            Direction::Down => self.height - 1 - y,
            Direction::Left => x,
            Direction::Right => self.width - 1 - x,
        };
        let length = row.cells.len() - 1;
        if length > room {
            return self.spend(1);
        }
        if !row.gaps.is_empty() {
            return self.find_with_gaps(row, cell, step, room - length, found);
        }
        let matching = self.matching_cells(&row.cells, cell as isize, step);
        self.spend(1 + matching);
        if matching == row.cells.len() {
            found.push(Match { cell: cell as u32, gaps: [0; 2] });
        }
    }

    fn find_with_gaps(&mut self, row: &Row, cell: usize, step: isize, longest: usize, found: &mut Vec<Match>) {
        let first = row.gaps[0];
        let cell = cell as isize;
        if !self.matches_part(&row.cells[..first], cell, step) {
            return;
        }
        for length in 0..=longest {
            if self.gave_up() {
                return;
            }
            let after = cell + step * (first + length) as isize;
            let Some(&second) = row.gaps.get(1) else {
                if self.matches_part(&row.cells[first..], after, step) {
                    found.push(Match { cell: cell as u32, gaps: [length as u32, 0] });
                }
                continue;
            };
            if !self.matches_part(&row.cells[first..second], after, step) {
                continue;
            }
            for other in 0..=longest - length {
                let last = after + step * (second - first + other) as isize;
                if self.matches_part(&row.cells[second..], last, step) {
                    found.push(Match { cell: cell as u32, gaps: [length as u32, other as u32] });
                }
            }
        }
    }

    /// Returns whether a part of a row between ellipses matches at `cell`. Counts the cells that it looks at.
    fn matches_part(&mut self, patterns: &[Pattern], cell: isize, step: isize) -> bool {
        let matching = self.matching_cells(patterns, cell, step);
        self.spend(1 + matching);
        matching == patterns.len()
    }
}
