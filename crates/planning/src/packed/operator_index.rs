//! An index of operators: finds those that may be applicable in a state without testing all.
//!
//! The values of a few key variables, such as the position of a walker, select a row of a table. The row lists the
//! operators whose conditions on the key variables hold, in their order. Key variables are chosen greedily: each step
//! takes the one that shortens the lists most.

use crate::packed::{Field, StateLayout, Word};
use crate::search::BuildContext;
use crate::task::{Task, Values, Var};

/// The most rows and the most entries of the table.
const MOST_ROWS: usize = 1 << 12;
const MOST_ENTRIES: usize = 1 << 18;

/// Lists of this average length or less are not split further.
const SHORT: usize = 4;

/// A table of operators, indexed by the values of the key variables.
pub(crate) struct OperatorIndex {
    /// The key variables, with the stride of each in the row index.
    keys: Vec<(Field, usize)>,
    /// The start of each row's list, and the end of the last list.
    offsets: Vec<u32>,
    operators: Vec<u32>,
}

impl OperatorIndex {
    /// Builds the index. If a limit ends the work, the lists are longer than necessary.
    pub fn new(task: &Task, layout: &StateLayout, context: &BuildContext) -> OperatorIndex {
        let mut keys: Vec<Var> = Vec::new();
        let mut rows: Vec<Vec<u32>> = vec![(0..task.operators.len() as u32).collect()];
        loop {
            let entries: usize = rows.iter().map(Vec::len).sum();
            if entries <= SHORT * rows.len() || context.should_stop() {
                break;
            }
            // The number of entries that this variable would remove. Entries divided by rows is the average length of a
            // list.
            let mut excluded = vec![0; task.variables.len()];
            for &number in rows.iter().flatten() {
                for (var, values) in &task.operators[number as usize].conditions {
                    excluded[*var] += task.size(*var) - values.len();
                }
            }
            let entries_with = |var: Var| (entries * task.size(var) - excluded[var], task.size(var));
            let fits = |&(entries, size): &(usize, usize)| rows.len() * size <= MOST_ROWS && entries <= MOST_ENTRIES;
            let open = (0..task.variables.len()).filter(|var| !keys.contains(var));
            let sizes = open.map(|var| (var, entries_with(var))).filter(|(_, size)| fits(size));
            let best = sizes.min_by(|(_, (a, of_a)), (_, (b, of_b))| (a * of_b).cmp(&(b * of_a)));
            // A key variable must pay for its look-up: lists at least a quarter shorter.
            let Some((var, _)) = best.filter(|(_, (new, size))| 4 * new <= 3 * entries * size) else { break };
            let all = Values::below(task.size(var));
            let split = |row: &Vec<u32>| {
                let mut rows = vec![Vec::new(); task.size(var)];
                for &number in row {
                    let values = task.operators[number as usize].condition(var).unwrap_or(&all);
                    values.iter().for_each(|value| rows[usize::from(value)].push(number));
                }
                rows
            };
            rows = rows.iter().flat_map(split).collect();
            keys.push(var);
        }
        let mut weight = rows.len();
        let key = |&var: &Var| {
            weight /= task.size(var);
            (layout.fields[var], weight)
        };
        let keys = keys.iter().map(key).collect();
        let mut offsets = vec![0];
        rows.iter().for_each(|row| offsets.push(offsets[offsets.len() - 1] + row.len() as u32));
        OperatorIndex { keys, offsets, operators: rows.concat() }
    }

    /// Returns the operators that may be applicable in a state, in order; a superset of those that are.
    #[inline]
    pub fn candidates<W: Word>(&self, word: &W) -> &[u32] {
        let row: usize = self.keys.iter().map(|&(field, weight)| usize::from(word.get(field)) * weight).sum();
        &self.operators[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Returns the average length of a list.
    pub fn average(&self) -> f64 {
        let (rows, entries) = self.size();
        entries as f64 / rows as f64
    }

    /// Returns the number of lists and of entries.
    pub fn size(&self) -> (usize, usize) {
        (self.offsets.len() - 1, self.operators.len())
    }
}
