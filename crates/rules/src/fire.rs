//! Which operators can fire in a state, found without trying all.
//!
//! Some variables are looked at first, such as where a walker is; their values together are a row of a table, and the row
//! lists the operators that may then be made, in their order. Which variables these are is chosen by how much shorter each
//! makes the lists.

use super::packed::{Field, Layout, Word};
use super::task::{Task, Var};
use crate::domain::BuildContext;

/// The table has no more rows than this, and no more entries.
const MOST_ROWS: usize = 1 << 12;
const MOST_ENTRIES: usize = 1 << 18;

/// A list that is shorter is not cut.
const SHORT: usize = 4;

/// The table of operators by the values of some variables.
pub(super) struct Firing {
    /// The variables that are looked at, with the weight of each in the number of a row.
    keys: Vec<(Field, usize)>,
    /// Where the list of each row begins; one more for the end of the last.
    begins: Vec<u32>,
    operators: Vec<u32>,
}

impl Firing {
    /// Where `context` end it, the lists are longer than they might be.
    pub fn new(task: &Task, layout: &Layout, context: &BuildContext) -> Firing {
        let mut keys: Vec<Var> = Vec::new();
        let mut rows: Vec<Vec<u32>> = vec![(0..task.operators.len() as u32).collect()];
        loop {
            let entries: usize = rows.iter().map(Vec::len).sum();
            if entries <= SHORT * rows.len() || context.should_stop() {
                break;
            }
            // How many entries there would be, were this variable looked at, too: divided by the rows, how long a list is.
            let mut left_out = vec![0; task.variables.len()];
            for &number in rows.iter().flatten() {
                for (var, values) in &task.operators[number as usize].conditions {
                    left_out[*var] += task.size(*var) - values.len();
                }
            }
            let cut = |var: Var| (entries * task.size(var) - left_out[var], task.size(var));
            let fits = |&(entries, size): &(usize, usize)| rows.len() * size <= MOST_ROWS && entries <= MOST_ENTRIES;
            let open = (0..task.variables.len()).filter(|var| !keys.contains(var));
            let cuts = open.map(|var| (var, cut(var))).filter(|(_, cut)| fits(cut));
            let best = cuts.min_by(|(_, (a, of_a)), (_, (b, of_b))| (a * of_b).cmp(&(b * of_a)));
            // It has to be worth the look: lists at least a quarter shorter.
            let Some((var, _)) = best.filter(|(_, (new, size))| 4 * new <= 3 * entries * size) else { break };
            let holds = |number: &u32, value: usize| {
                task.operators[*number as usize].condition(var).is_none_or(|values| values.contains(value as u8))
            };
            let row = |row: &Vec<u32>, value| row.iter().copied().filter(|number| holds(number, value)).collect();
            rows = rows.iter().flat_map(|all| (0..task.size(var)).map(move |value| row(all, value))).collect();
            keys.push(var);
        }
        let mut weight = rows.len();
        let key = |&var: &Var| {
            weight /= task.size(var);
            (layout.fields[var], weight)
        };
        let keys = keys.iter().map(key).collect();
        let mut begins = vec![0];
        rows.iter().for_each(|row| begins.push(begins[begins.len() - 1] + row.len() as u32));
        Firing { keys, begins, operators: rows.concat() }
    }

    /// The operators that may be made in a state, in their order, and perhaps others.
    #[inline]
    pub fn candidates<W: Word>(&self, word: &W) -> &[u32] {
        let row: usize = self.keys.iter().map(|&(field, weight)| usize::from(word.get(field)) * weight).sum();
        &self.operators[self.begins[row] as usize..self.begins[row + 1] as usize]
    }

    /// How many lists there are, and how long they are in all.
    pub fn size(&self) -> (usize, usize) {
        (self.begins.len() - 1, self.operators.len())
    }
}
