//! Gaussian elimination over a field of prime order, with a column for each fact.

use crate::heuristic::facts::Form;

/// The most multiplications before elimination gives up.
const MOST_WORK: u64 = 1 << 27;

/// A row: the entries that are not 0, by column. Moves change few facts, so rows are short.
type Row = Vec<(u32, u32)>;

/// The row space of some rows, in echelon form with leading entries 1.
#[derive(Clone)]
pub(super) struct RowSpace {
    field: u64,
    columns: usize,
    /// By column, the row that has its leading entry there.
    by_pivot: Vec<Option<Row>>,
    work: u64,
}

/// A basis of the weights orthogonal to a row space: one for each column without a pivot.
pub struct Weights {
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
        let entry =
            |&(column, count): &(usize, i32)| (column as u32, i64::from(count).rem_euclid(self.field as i64) as u32);
        let mut row: Row = form.iter().map(entry).filter(|(_, entry)| *entry != 0).collect();
        while let Some(&(column, leading)) = row.first() {
            match &self.by_pivot[column as usize] {
                Some(pivot) => {
                    self.work += (row.len() + pivot.len()) as u64;
                    row = without_multiple(&row, pivot, leading, self.field);
                }
                None => {
                    let inverse = power(leading.into(), self.field - 2, self.field);
                    row.iter_mut().for_each(|(_, entry)| *entry = (u64::from(*entry) * inverse % self.field) as u32);
                    self.by_pivot[column as usize] = Some(row);
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
            // The later rows have no other pivots any more.
            let later: Row = row[1..].iter().copied().filter(|(at, _)| self.by_pivot[*at as usize].is_some()).collect();
            for (at, entry) in later {
                if let Some(pivot) = &self.by_pivot[at as usize] {
                    self.work += (row.len() + pivot.len()) as u64;
                    row = without_multiple(&row, pivot, entry, self.field);
                }
            }
            self.by_pivot[column] = Some(row);
        }
        if self.work > MOST_WORK {
            return None;
        }
        let free: Vec<usize> = (0..self.columns).filter(|&column| self.by_pivot[column].is_none()).collect();
        let mut number = vec![0; self.columns];
        free.iter().enumerate().for_each(|(at, &column)| number[column] = at);
        let by_column = self.by_pivot.iter().enumerate().map(|(column, row)| {
            let mut weights = vec![0; free.len()];
            match row {
                Some(row) => row[1..].iter().for_each(|&(at, entry)| {
                    weights[number[at as usize]] = (self.field - u64::from(entry)) as u32;
                }),
                None => weights[number[column]] = 1,
            }
            weights
        });
        Some(Weights { field: self.field, by_column: by_column.collect(), free })
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

/// Returns `row` minus `times` times `other`, modulo `field`.
fn without_multiple(row: &Row, other: &Row, times: u32, field: u64) -> Row {
    let times = field - u64::from(times);
    let mut sum = Row::with_capacity(row.len() + other.len());
    let (mut row, mut other) = (row.iter().copied().peekable(), other.iter().copied().peekable());
    loop {
        let (column, entry) = match (row.peek().copied(), other.peek().copied()) {
            (Some((own, entry)), Some((column, _))) if own < column => (own, u64::from(entry)),
            (Some((own, entry)), Some((column, more))) if own == column => {
                (own, (u64::from(entry) + times * u64::from(more)) % field)
            }
            (_, Some((column, more))) => (column, times * u64::from(more) % field),
            (Some((own, entry)), None) => (own, entry.into()),
            (None, None) => return sum,
        };
        row.next_if(|(own, _)| *own == column);
        other.next_if(|(own, _)| *own == column);
        if entry != 0 {
            sum.push((column, entry as u32));
        }
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
