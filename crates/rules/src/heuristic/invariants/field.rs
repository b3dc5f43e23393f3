//! Gaussian elimination over a field of prime order, with a column for each fact.

use crate::heuristic::facts::Form;

/// The most multiplications before elimination gives up.
const MOST_WORK: u64 = 1 << 27;

/// The row space of some rows, in echelon form with leading entries 1.
#[derive(Clone)]
pub(super) struct RowSpace {
    field: u64,
    columns: usize,
    /// By column, the row that has its leading entry there.
    by_pivot: Vec<Option<Vec<u32>>>,
    work: u64,
}

/// A basis of the weights orthogonal to a row space: one for each column without a pivot.
pub(super) struct Weights {
    pub field: u64,
    /// The columns without a pivot.
    free: Vec<usize>,
    /// By column, its weight in each vector of the basis.
    by_column: Vec<Vec<u32>>,
}

impl RowSpace {
    /// Returns the empty row space. The field is a prime below 2^32.
    pub fn new(field: u64, columns: usize) -> RowSpace {
        RowSpace { field, columns, by_pivot: vec![None; columns], work: 0 }
    }

    /// Adds a row; `None` if that is too much work.
    pub fn insert(&mut self, form: &Form) -> Option<()> {
        let mut row = vec![0; self.columns];
        for &(column, count) in form {
            row[column] = i64::from(count).rem_euclid(self.field as i64) as u32;
        }
        for column in 0..self.columns {
            match &self.by_pivot[column] {
                _ if row[column] == 0 => {}
                Some(pivot) => {
                    self.work += (self.columns - column) as u64;
                    subtract_multiple(&mut row, pivot, column, self.field);
                }
                None => {
                    let inverse = power(u64::from(row[column]), self.field - 2, self.field);
                    row.iter_mut().for_each(|entry| *entry = (u64::from(*entry) * inverse % self.field) as u32);
                    self.by_pivot[column] = Some(row);
                    break;
                }
            }
        }
        (self.work <= MOST_WORK).then_some(())
    }

    /// Returns the weights orthogonal to all rows; `None` if that is too much work.
    pub fn weights(mut self) -> Option<Weights> {
        for column in (0..self.columns).rev() {
            let Some(mut row) = self.by_pivot[column].take() else { continue };
            for later in column + 1..self.columns {
                if let Some(pivot) = self.by_pivot[later].as_ref().filter(|_| row[later] != 0) {
                    self.work += (self.columns - later) as u64;
                    subtract_multiple(&mut row, pivot, later, self.field);
                }
            }
            self.by_pivot[column] = Some(row);
        }
        if self.work > MOST_WORK {
            return None;
        }
        let free: Vec<usize> = (0..self.columns).filter(|&column| self.by_pivot[column].is_none()).collect();
        let field = self.field;
        let by_column = self.by_pivot.iter().enumerate().map(|(column, row)| match row {
            Some(row) => free.iter().map(|&free| ((field - u64::from(row[free])) % field) as u32).collect(),
            None => free.iter().map(|&free| u32::from(free == column)).collect(),
        });
        Some(Weights { field, by_column: by_column.collect(), free })
    }
}

impl Weights {
    pub fn count(&self) -> usize {
        self.free.len()
    }

    /// Returns the value of each weight vector on a form.
    pub fn evaluate(&self, form: &Form) -> Vec<u32> {
        let mut sums = vec![0; self.free.len()];
        for &(column, count) in form {
            let count = i64::from(count).rem_euclid(self.field as i64) as u64;
            for (sum, &weight) in sums.iter_mut().zip(&self.by_column[column]) {
                *sum = ((u64::from(*sum) + count * u64::from(weight)) % self.field) as u32;
            }
        }
        sums
    }

    /// Returns one weight vector, as columns with non-zero weights.
    pub fn form(&self, at: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let columns = self.by_column.iter().enumerate();
        columns.map(move |(column, weights)| (column, weights[at])).filter(|&(_, weight)| weight != 0)
    }
}

/// Subtracts a multiple of another row to make the entry in `column` 0. The other row has its leading entry, 1, there.
fn subtract_multiple(row: &mut [u32], other: &[u32], column: usize, field: u64) {
    let times = field - u64::from(row[column]);
    for (entry, &other) in row[column..].iter_mut().zip(&other[column..]) {
        *entry = ((u64::from(*entry) + times * u64::from(other)) % field) as u32;
    }
}

/// Returns a power in a prime field.
fn power(base: u64, exponent: u64, field: u64) -> u64 {
    let mut power = 1;
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        power = power * power % field;
        if exponent >> bit & 1 == 1 {
            power = power * base % field;
        }
    }
    power
}
