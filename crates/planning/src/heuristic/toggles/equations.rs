//! Linear equations over a field of prime order, solved for all right-hand sides at once.

use super::digits::Vector;
use crate::search::BuildContext;

/// The solutions of A x = b for every b.
///
/// Gauss-Jordan elimination brings A to reduced row echelon form and applies the same operations to the identity. Then
/// a solution is a sum of vectors, one for each entry of b, and the null space of A has a basis of one vector for each
/// column without a pivot.
pub(super) struct Solution<V> {
    /// For each equation, what an entry of 1 in b adds to the solution that is zero in all columns without a pivot,
    /// then to the checks: these must be zero, or there is no solution.
    pub per_entry: Vec<V>,
    /// The number of unknowns, and of checks: equations that elimination leaves without unknowns.
    pub columns: usize,
    pub checks: usize,
    /// A basis of the null space. The vectors are as long as those above; their checks are zero.
    pub null: Vec<V>,
}

impl<V: Vector> Solution<V> {
    /// Solves the equations; `None` if a limit ended the work. A column is a list of equations with its entries there.
    pub fn new(
        field: u16,
        equations: usize,
        columns: &[Vec<(usize, u16)>],
        context: &BuildContext,
    ) -> Option<Solution<V>> {
        let unknowns = columns.len();
        // Each row: the entries of A, then those of the matrix that was the identity.
        let mut rows: Vec<V> = vec![V::zero(field, unknowns + equations); equations];
        rows.iter_mut().enumerate().for_each(|(at, row)| row.set(unknowns + at, 1));
        for (at, column) in columns.iter().enumerate() {
            column.iter().for_each(|&(row, entry)| rows[row].set(at, entry));
        }
        let mut pivots = Vec::new();
        for column in 0..unknowns {
            let done = pivots.len();
            let Some(at) = (done..equations).find(|&row| rows[row].digit(column) != 0) else { continue };
            rows.swap(done, at);
            let mut pivot = rows[done].clone();
            let times = inverse(pivot.digit(column), field);
            if times > 1 {
                pivot.add(&rows[done], times - 1);
                rows[done] = pivot.clone();
            }
            for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != done) {
                let entry = row.digit(column);
                if entry != 0 {
                    row.add(&pivot, field - entry);
                }
            }
            pivots.push(column);
            if context.should_stop() {
                return None;
            }
        }
        let checks = equations - pivots.len();
        let per_entry = |entry: usize| {
            let mut adds = V::zero(field, unknowns + checks);
            let places = pivots.iter().copied().chain(unknowns..);
            rows.iter().zip(places).for_each(|(row, place)| adds.set(place, row.digit(unknowns + entry)));
            adds
        };
        let mut is_pivot = vec![false; unknowns];
        pivots.iter().for_each(|&pivot| is_pivot[pivot] = true);
        let null = |free: usize| {
            let mut vector = V::zero(field, unknowns + checks);
            vector.set(free, 1);
            for (row, &pivot) in rows.iter().zip(&pivots) {
                vector.set(pivot, (field - row.digit(free)) % field);
            }
            vector
        };
        Some(Solution {
            per_entry: (0..equations).map(per_entry).collect(),
            null: (0..unknowns).filter(|&column| !is_pivot[column]).map(null).collect(),
            columns: unknowns,
            checks,
        })
    }
}

/// Returns the multiplicative inverse.
pub(super) fn inverse(number: u16, field: u16) -> u16 {
    (1..field).find(|&other| u32::from(number) * u32::from(other) % u32::from(field) == 1).unwrap_or(1)
}
