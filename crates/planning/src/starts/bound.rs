//! A lower bound on the cost from the states of one drawing: like pieces go to cells where the goal allows them, each
//! alone on the board, and each to a cell of its own.
//!
//! For boxes this is the matching with the marks. A state in which a piece cannot reach such a cell is a dead end.

use super::masked;
use crate::task::{Source, Task};

/// The most cells for which pieces are matched; of more, each piece goes to its nearest.
const MOST_MATCHED: usize = 6;

/// A cost that is never reached.
const NEVER: u64 = u64::MAX / 2;

/// The ways in which pieces move, on any drawing.
pub(super) struct Pieces {
    /// For each value, the moves of one such piece; `None` if an operator makes, takes or moves several.
    moves: Vec<Option<Vec<PieceMove>>>,
    /// The values that operators take from a cell: all others stay where they are drawn.
    moving: u64,
}

/// An operator as the move of one piece.
struct PieceMove {
    from: usize,
    to: usize,
    cost: u64,
    conditions: Vec<(u16, u64)>,
}

/// What an operator does to pieces.
pub(super) struct Moved {
    /// The cells whose piece goes, and the values that come.
    pub changes: Vec<(usize, u8, u8)>,
}

impl Moved {
    /// Returns it if the operator knows the old and the new value of each cell that it changes.
    pub fn of(task: &Task, number: usize) -> Option<Moved> {
        let operator = &task.operators[number];
        let change = |target: usize, source: &Source| match source {
            Source::Value(new) => Some((target, operator.condition(target)?.only()? as u8, *new as u8)),
            Source::Table(..) => None,
        };
        let changes = operator.effects.iter().map(|effect| change(effect.target, &effect.source));
        Some(Moved { changes: changes.collect::<Option<_>>()? })
    }

    /// Returns the values that it takes or puts.
    pub fn values(&self) -> u64 {
        self.changes.iter().fold(0, |all, (_, old, new)| all | 1 << old | 1 << new)
    }
}

impl Pieces {
    /// Returns the moves of pieces; `None` if variables have different values, or an operator changes cells whose values
    /// it does not know.
    pub fn of(task: &Task) -> Option<Pieces> {
        let values = &task.variables.first()?.values;
        if task.variables.iter().any(|other| !std::sync::Arc::ptr_eq(&other.values, values)) {
            return None;
        }
        let mut pieces = Pieces { moves: values.iter().map(|_| Some(Vec::new())).collect(), moving: 0 };
        for (number, operator) in task.operators.iter().enumerate() {
            let Moved { changes } = Moved::of(task, number)?;
            pieces.moving |= changes.iter().fold(0, |all, (_, old, _)| all | 1 << old);
            for (value, moves) in pieces.moves.iter_mut().enumerate() {
                let goes = changes.iter().filter(|(_, old, new)| usize::from(*old) == value && old != new);
                let comes = changes.iter().filter(|(_, old, new)| usize::from(*new) == value && old != new);
                let (goes, comes): (Vec<_>, Vec<_>) = (goes.collect(), comes.collect());
                match (&goes[..], &comes[..]) {
                    ([], []) => {}
                    ([from], [to]) => {
                        let conditions = operator.conditions.iter().map(masked).collect();
                        let one = PieceMove { from: from.0, to: to.0, cost: operator.cost.into(), conditions };
                        if let Some(moves) = moves {
                            moves.push(one);
                        }
                    }
                    _ => *moves = None,
                }
            }
        }
        Some(pieces)
    }

    /// Returns the values that a cell may ever hold, as a set.
    pub fn possible(&self, start: u8) -> u64 {
        if self.moving >> start & 1 == 1 { self.moving } else { 1 << start }
    }

    /// Returns the values that move.
    pub fn moving(&self) -> u64 {
        self.moving
    }

    /// Returns the bound for the drawing of a start, for one of these goals: each has the values that it allows in cells.
    pub fn bound(&self, start: &[u8], goals: &[&[(u16, u64)]]) -> Bound {
        let goals = goals.iter().map(|goal| {
            let mut allowed = vec![u64::MAX; start.len()];
            goal.iter().for_each(|(cell, mask)| allowed[usize::from(*cell)] &= mask);
            (0..self.moves.len()).filter_map(|value| self.part(value as u8, start, &allowed)).collect()
        });
        let goals: Vec<Vec<Part>> = goals.collect();
        let values = goals.iter().flatten().fold(0, |all, part| all | 1 << part.value);
        Bound { goals, values }
    }

    /// Returns the bound by the pieces of one value; `None` if they may be anywhere, or there are none.
    fn part(&self, value: u8, start: &[u8], allowed: &[u64]) -> Option<Part> {
        let moves = self.moves[usize::from(value)].as_ref()?;
        let may_be = |cell: usize| self.possible(start[cell]) >> value & 1 == 1;
        let cells: Vec<usize> = (0..start.len()).filter(|cell| may_be(*cell)).collect();
        let ends: Vec<usize> = cells.iter().copied().filter(|cell| allowed[*cell] >> value & 1 == 1).collect();
        if !start.contains(&value) || ends.len() == cells.len() || moves.is_empty() {
            return None;
        }
        let is_open = |one: &&PieceMove| {
            one.conditions.iter().all(|(cell, mask)| self.possible(start[usize::from(*cell)]) & mask != 0)
        };
        let mut back: Vec<Vec<(usize, u64)>> = vec![Vec::new(); start.len()];
        moves.iter().filter(is_open).for_each(|one| back[one.to].push((one.from, one.cost)));
        let columns: Vec<Vec<u64>> = match ends.len() {
            ..=MOST_MATCHED => ends.iter().map(|end| costs_to(&[*end], &back)).collect(),
            _ => vec![costs_to(&ends, &back)],
        };
        Some(Part { value, is_matched: ends.len() <= MOST_MATCHED, columns })
    }
}

/// Returns the least cost from each cell to one of some cells, by the edges that lead to each cell.
fn costs_to(ends: &[usize], back: &[Vec<(usize, u64)>]) -> Vec<u64> {
    let mut costs = vec![NEVER; back.len()];
    let mut open: std::collections::BTreeSet<(u64, usize)> = ends.iter().map(|end| (0, *end)).collect();
    ends.iter().for_each(|end| costs[*end] = 0);
    while let Some((cost, cell)) = open.pop_first() {
        for &(from, more) in &back[cell] {
            if cost + more < costs[from] {
                costs[from] = cost + more;
                open.insert((cost + more, from));
            }
        }
    }
    costs
}

/// A lower bound on the cost from the states of one drawing.
pub(super) struct Bound {
    goals: Vec<Vec<Part>>,
    /// The values whose places it depends on.
    pub values: u64,
}

/// The pieces of one value.
struct Part {
    value: u8,
    /// True if each piece needs an end of its own; otherwise `columns` has the cost to the nearest end.
    is_matched: bool,
    /// For each end, the cost from each cell.
    columns: Vec<Vec<u64>>,
}

impl Bound {
    /// Returns the bound; `None` if no goal can be reached.
    pub fn of(&self, state: &[u8]) -> Option<u64> {
        let of_goal = |parts: &Vec<Part>| parts.iter().map(|part| part.of(state)).max().unwrap_or(0);
        self.goals.iter().map(of_goal).min().filter(|cost| *cost < NEVER)
    }
}

impl Part {
    fn of(&self, state: &[u8]) -> u64 {
        let cells = state.iter().enumerate().filter(|(_, value)| **value == self.value).map(|(cell, _)| cell);
        if !self.is_matched {
            return cells.map(|cell| self.columns[0][cell]).fold(0, u64::saturating_add);
        }
        // The least sum for each set of ends that the pieces so far have taken.
        let mut least = [NEVER; 1 << MOST_MATCHED];
        let (sets, mut count) = (1_usize << self.columns.len(), 0);
        least[0] = 0;
        for cell in cells {
            count += 1;
            for set in (0..sets).rev().filter(|set| set.count_ones() == count) {
                let with = |end: usize| least[set & !(1 << end)] + self.columns[end][cell];
                let ends = (0..self.columns.len()).filter(|end| set >> end & 1 == 1);
                least[set] = ends.map(with).min().unwrap_or(NEVER).min(NEVER);
            }
        }
        (0..sets).filter(|set| set.count_ones() == count).map(|set| least[set]).min().unwrap_or(NEVER)
    }
}
