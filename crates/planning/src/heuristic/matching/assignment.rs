//! The assignment problem: rows to different columns at the least total cost (Kuhn 1955; Munkres 1957), by shortest
//! augmenting paths, row by row (Jonker and Volgenant 1987).

use super::IMPOSSIBLE;

/// Rows that are assigned to columns so far; reusable, so that it allocates once.
#[derive(Default)]
pub(super) struct Assignment {
    columns: usize,
    /// Row by row.
    costs: Vec<i32>,
    of_row: Vec<i32>,
    of_column: Vec<i32>,
    /// The row of each column, plus 1; 0 if it is free.
    row: Vec<usize>,
    // For one augmentation: the least reduced cost to each column, the column before it on the path, and whether it
    // was scanned.
    least: Vec<i32>,
    before: Vec<usize>,
    is_scanned: Vec<bool>,
}

impl Assignment {
    /// Begins with no rows.
    pub fn begin(&mut self, columns: usize) {
        self.columns = columns;
        self.costs.clear();
        self.of_row.clear();
        self.of_column.clear();
        self.of_column.resize(columns, 0);
        self.row.clear();
        self.row.resize(columns, 0);
        self.before.resize(columns, 0);
    }

    /// Adds a row; returns whether all rows so far can be assigned at possible costs.
    pub fn add_row(&mut self, costs: impl Iterator<Item = i32>) -> bool {
        let start = self.costs.len();
        self.costs.extend(costs);
        self.of_row.push(0);
        let first = self.of_row.len();
        // The usual case: the cheapest column is free.
        let own = &self.costs[start..];
        let reduced = |column: usize| own[column] - self.of_column[column];
        let Some(nearest) = (0..self.columns).min_by_key(|&column| reduced(column)) else { return false };
        if own[nearest] >= IMPOSSIBLE {
            return false;
        }
        if self.row[nearest] == 0 {
            self.of_row[first - 1] = reduced(nearest);
            self.row[nearest] = first;
            return true;
        }
        self.augment(first)
    }

    /// Assigns a row along a path of least reduced cost to a free column.
    fn augment(&mut self, first: usize) -> bool {
        const NONE: usize = usize::MAX;
        self.least.clear();
        self.least.resize(self.columns, i32::MAX);
        self.is_scanned.clear();
        self.is_scanned.resize(self.columns, false);
        let (mut row, mut from, mut so_far) = (first, NONE, 0);
        let end = loop {
            let costs = &self.costs[(row - 1) * self.columns..][..self.columns];
            let base = so_far - self.of_row[row - 1];
            let (mut next, mut nearest) = (NONE, i32::MAX);
            for (column, &cost) in costs.iter().enumerate() {
                if self.is_scanned[column] {
                    continue;
                }
                if cost < IMPOSSIBLE {
                    let through = base + cost - self.of_column[column];
                    if through < self.least[column] {
                        self.least[column] = through;
                        self.before[column] = from;
                    }
                }
                if self.least[column] < nearest {
                    (next, nearest) = (column, self.least[column]);
                }
            }
            if next == NONE {
                return false;
            }
            so_far = nearest;
            self.is_scanned[next] = true;
            if self.row[next] == 0 {
                break next;
            }
            (row, from) = (self.row[next], next);
        };
        // The potentials: scanned columns fall, their rows rise.
        self.of_row[first - 1] += so_far;
        for column in (0..self.columns).filter(|&column| self.is_scanned[column] && column != end) {
            let change = so_far - self.least[column];
            self.of_column[column] -= change;
            self.of_row[self.row[column] - 1] += change;
        }
        let mut column = end;
        loop {
            let before = self.before[column];
            self.row[column] = if before == NONE { first } else { self.row[before] };
            if before == NONE {
                return true;
            }
            column = before;
        }
    }

    /// Returns the total cost of the rows.
    pub fn total(&self) -> i64 {
        self.pairs().map(|(row, column)| i64::from(self.costs[row * self.columns + column])).sum()
    }

    /// Returns the rows with their columns.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let assigned = self.row.iter().enumerate().filter(|(_, row)| **row > 0);
        assigned.map(|(column, row)| (row - 1, column))
    }
}

#[cfg(test)]
mod tests {
    use super::super::IMPOSSIBLE;
    use super::Assignment;
    use crate::search::SplitMix64;

    /// Tries all assignments.
    fn least(costs: &[Vec<i32>], used: u32) -> Option<i64> {
        let Some((first, rest)) = costs.split_first() else { return Some(0) };
        let open = first.iter().enumerate().filter(|(column, cost)| used >> column & 1 == 0 && **cost < IMPOSSIBLE);
        open.filter_map(|(column, cost)| Some(least(rest, used | 1 << column)? + i64::from(*cost))).min()
    }

    #[test]
    fn random_assignments_cost_the_least() {
        let mut random = SplitMix64::new(7);
        let mut assignment = Assignment::default();
        for _ in 0..2000 {
            let (rows, columns) = (1 + random.below(5) as usize, 1 + random.below(6) as usize);
            let mut cost = || if random.below(4) == 0 { IMPOSSIBLE } else { random.below(9) as i32 - 3 };
            let costs: Vec<Vec<i32>> = (0..rows).map(|_| (0..columns).map(|_| cost()).collect()).collect();
            assignment.begin(columns);
            let possible = costs.iter().all(|row| assignment.add_row(row.iter().copied()));
            assert_eq!(possible.then(|| assignment.total()), least(&costs, 0), "{costs:?}");
        }
    }
}
