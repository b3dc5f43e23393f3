//! States that have much in common, as the children of one state have: the first one, and the changes from each to the
//! next.

use crate::packed::{StateLayout, Word};
use crate::task::{Value, Var};

/// Some states, at least one.
pub struct SimilarStates {
    pub first: Vec<Value>,
    /// The variables that change from each state to the next, with their new values.
    changes: Vec<(Var, Value)>,
    /// For each further state, the end of its changes.
    ends: Vec<usize>,
}

impl SimilarStates {
    /// Unpacks states; none if the list is empty.
    pub fn new<W: Word>(layout: &StateLayout, keys: &[W]) -> Option<SimilarStates> {
        let mut first = vec![0; layout.fields.len()];
        layout.unpack(keys.first()?, &mut first);
        let all: W = layout.mask(0..first.len());
        let mut changes = Vec::with_capacity(8 * keys.len());
        let mut ends = Vec::with_capacity(keys.len());
        for pair in keys.windows(2) {
            pair[1].for_each_difference(&pair[0], &all, |bit| {
                let var = layout.var_of_bit(bit);
                changes.push((var, pair[1].get(layout.fields[var])));
            });
            ends.push(changes.len());
        }
        Some(SimilarStates { first, changes, ends })
    }

    /// Returns the changes that lead to each further state.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = &[(Var, Value)]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| &self.changes[std::mem::replace(&mut from, end)..end])
    }
}
