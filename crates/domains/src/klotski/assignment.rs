//! The assignment problem: each row gets a column of its own, at the least total cost (Kuhn 1955).
//!
//! Rows are added one after the other, each by a cheapest augmenting path over reduced costs (Jonker and Volgenant
//! 1987): O(rows^2 columns).

/// A matrix of costs: rows are places, columns are pieces.
#[derive(Default)]
pub(super) struct Assignment {
    rows: Vec<Vec<u32>>,
}

impl Assignment {
    /// Adds a row, and returns it to be filled. All rows must get the same length, at least the number of rows.
    pub fn row(&mut self) -> &mut Vec<u32> {
        self.rows.push(Vec::new());
        self.rows.last_mut().expect("a row was added")
    }

    /// Returns the least cost.
    pub fn cost(&self) -> u32 {
        let columns = self.rows.first().map_or(0, Vec::len);
        // The dual variables, and the row of each column. The cost of an assigned pair is the sum of its variables.
        let (mut row_price, mut column_price) = (vec![0i64; self.rows.len()], vec![0i64; columns]);
        let mut row_of: Vec<Option<usize>> = vec![None; columns];
        for first in 0..self.rows.len() {
            // The cheapest path from the row to each column, and the column before it on this path.
            let (mut shortest, mut before) = (vec![i64::MAX; columns], vec![None; columns]);
            let mut is_final = vec![false; columns];
            let (mut row, mut at, mut length) = (first, None, 0);
            let free = loop {
                let mut next: Option<usize> = None;
                for column in (0..columns).filter(|&column| !is_final[column]) {
                    let cost = i64::from(self.rows[row][column]);
                    let path = length + cost - row_price[row] - column_price[column];
                    if path < shortest[column] {
                        (shortest[column], before[column]) = (path, at);
                    }
                    if next.is_none_or(|next| shortest[column] < shortest[next]) {
                        next = Some(column);
                    }
                }
                let column = next.expect("there are at least as many columns as rows");
                length = shortest[column];
                match row_of[column] {
                    None => break column,
                    Some(of) => {
                        is_final[column] = true;
                        (row, at) = (of, Some(column));
                    }
                }
            };
            row_price[first] += length;
            for column in (0..columns).filter(|&column| is_final[column]) {
                let reduced = length - shortest[column];
                column_price[column] -= reduced;
                row_price[row_of[column].expect("a final column has a row")] += reduced;
            }
            let mut column = free;
            while let Some(previous) = before[column] {
                row_of[column] = row_of[previous];
                column = previous;
            }
            row_of[column] = Some(first);
        }
        let assigned = row_of.iter().enumerate().filter_map(|(column, row)| Some((column, (*row)?)));
        assigned.map(|(column, row)| self.rows[row][column]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Assignment;
    use crate::domain::SplitMix64;

    /// Returns the least cost over all assignments of the rows from `row` on.
    fn plain(rows: &[Vec<u32>], row: usize, taken: &mut Vec<bool>) -> u32 {
        if row == rows.len() {
            return 0;
        }
        let mut least = u32::MAX;
        for column in 0..taken.len() {
            if !taken[column] {
                taken[column] = true;
                least = least.min(rows[row][column] + plain(rows, row + 1, taken));
                taken[column] = false;
            }
        }
        least
    }

    #[test]
    fn the_cost_is_the_least_over_all_assignments() {
        let random = &mut SplitMix64::new(1);
        for _ in 0..2000 {
            let columns = 1 + random.below(6) as usize;
            let mut assignment = Assignment::default();
            for _ in 0..1 + random.below(columns as u64) {
                let row = assignment.row();
                for _ in 0..columns {
                    row.push(if random.below(5) == 0 { 1 << 20 } else { random.below(9) as u32 });
                }
            }
            let expected = plain(&assignment.rows, 0, &mut vec![false; columns]);
            assert_eq!(assignment.cost(), expected, "{:?}", assignment.rows);
        }
    }
}
