//! The starts of one room: the drawings with the same pieces in other cells. One search
//! backwards from all goals of the room reaches them, so each has a proven least cost as soon as it is expanded.

use super::bound::Moved;
use super::{Found, IndexedGoal, Run, Starts};
use crate::task::{Condition, Effect, Goal, Operator, Source, Task, Value, Values};

/// The most goals of a room.
const MOST_GOALS: usize = 2_000;

/// The starts that are asked for.
pub struct Wanted<'a> {
    /// The greatest cost.
    pub most_cost: Option<u64>,
    /// The most states to expand.
    pub most_states: u64,
    /// A random number, which chooses among the starts of the greatest cost.
    pub pick: u64,
    /// Whether a cell of the start may hold a value.
    pub may_hold: &'a dyn Fn(usize, Value) -> bool,
}

impl Starts {
    /// Returns the costliest start with the pieces of this one, within what is wanted. The outer `None` means
    /// that moves have no inverse, or that there are too many goals; the inner one, that there is no such start.
    #[must_use]
    pub fn farthest(&self, start: &[Value], goals: &[Goal], wanted: &Wanted) -> Option<Option<(Vec<Value>, Found)>> {
        let backwards = self.backwards()?;
        let ends = self.goals_of_room(start, goals)?;
        let below = wanted.most_cost.map(|cost| cost + 1);
        let Run { found, known, .. } = backwards.run(&ends, &[], None, below, wanted.most_states);
        let closed = (0..known.costs.len()).filter(|&number| known.is_closed[number]);
        let mut best: Vec<usize> = Vec::new();
        let mut most = 1;
        for number in closed {
            let cost = known.costs[number];
            let mut state = known.state(number as u32).iter().enumerate();
            if cost < most || !state.all(|(cell, value)| (wanted.may_hold)(cell, Value::from(*value))) {
                continue;
            }
            if cost > most {
                best.clear();
                most = cost;
            }
            best.push(number);
        }
        if best.is_empty() {
            return Some(None);
        }
        let number = best[(wanted.pick % best.len() as u64) as usize];
        let state = known.state(number as u32).iter().map(|value| Value::from(*value)).collect();
        let solutions = (!self.has_free_moves).then_some(known.paths[number]);
        Some(Some((state, Found { cost: Some(most), solutions, ..found })))
    }

    /// Returns the inverse moves, if all moves have one.
    pub(super) fn backwards(&self) -> Option<&Starts> {
        let backwards = self.backwards.get_or_init(|| reversed(&self.task).and_then(Starts::new).map(Box::new));
        backwards.as_deref()
    }

    /// Returns the states with the pieces of a start that satisfy a goal.
    pub(super) fn goals_of_room(&self, start: &[Value], goals: &[Goal]) -> Option<Vec<Vec<u8>>> {
        let pieces = self.pieces.as_ref()?;
        let start: Vec<u8> = start.iter().map(|value| *value as u8).collect();
        let room: Vec<usize> = (0..start.len()).filter(|cell| pieces.moving() >> start[*cell] & 1 == 1).collect();
        let mut counts = [0; super::MOST_VALUES];
        room.iter().for_each(|cell| counts[usize::from(start[*cell])] += 1);
        // All others are put between the most frequent ones, such as empty cells.
        let filler = (0..counts.len()).max_by_key(|value| counts[*value])?;
        let mut found: Vec<Vec<u8>> = Vec::new();
        for goal in goals {
            let indexed = IndexedGoal::of(goal);
            let may_be = |cell: usize, value: usize| {
                indexed.conditions.iter().all(|(var, mask)| usize::from(*var) != cell || mask >> value & 1 == 1)
            };
            let mut values: Vec<(usize, usize, Vec<usize>)> = (0..counts.len())
                .filter(|value| *value != filler && counts[*value] > 0)
                .map(|value| (value, counts[value], room.iter().copied().filter(|cell| may_be(*cell, value)).collect()))
                .collect();
            values.sort_by_key(|(_, _, cells)| cells.len());
            let mut filled = start.clone();
            room.iter().for_each(|cell| filled[*cell] = filler as u8);
            let mut boards = vec![filled];
            for (value, count, cells) in values {
                boards = boards.iter().map(|board| placed(board, value as u8, filler as u8, count, &cells)).try_fold(
                    Vec::new(),
                    |mut all, boards| {
                        all.extend(boards?);
                        (all.len() <= MOST_GOALS).then_some(all)
                    },
                )?;
            }
            let mut wide = Vec::new();
            found.extend(boards.into_iter().filter(|board| indexed.holds(board, &mut wide)));
        }
        found.retain(|board| !self.is_forbidden(board));
        Some(found)
    }
}

/// Returns a board with some pieces in all choices of these cells that are empty; `None` if they are too many.
fn placed(board: &[u8], value: u8, empty: u8, count: usize, cells: &[usize]) -> Option<Vec<Vec<u8>>> {
    let mut open = vec![(board.to_vec(), 0, count)];
    let mut found = Vec::new();
    while let Some((board, next, left)) = open.pop() {
        if left == 0 {
            found.push(board);
            if found.len() > MOST_GOALS {
                return None;
            }
            continue;
        }
        for at in next..cells.len() {
            if board[cells[at]] == empty {
                let mut more = board.clone();
                more[cells[at]] = value;
                open.push((more, at + 1, left - 1));
            }
        }
    }
    Some(found)
}

/// Returns the task of the inverse moves; `None` if an operator has no single inverse, or changes the number of pieces.
fn reversed(task: &Task) -> Option<Task> {
    let operator = |(number, operator): (usize, &Operator)| {
        let Moved { changes } = Moved::of(task, number)?;
        let (mut old, mut new): (Vec<u8>, Vec<u8>) = changes.iter().map(|(_, old, new)| (*old, *new)).unzip();
        old.sort_unstable();
        new.sort_unstable();
        if !operator.is_plain() || old != new {
            return None;
        }
        let after = |(cell, values): &Condition| {
            let change = changes.iter().find(|(target, ..)| target == cell);
            (*cell, change.map_or_else(|| values.clone(), |(_, _, new)| Values::one(Value::from(*new))))
        };
        let back =
            |(target, old, _): &(usize, u8, u8)| Effect { target: *target, source: Source::Value(Value::from(*old)) };
        Some(Operator {
            conditions: operator.conditions.iter().map(after).collect(),
            effects: changes.iter().map(back).collect(),
            ..operator.clone()
        })
    };
    let operators = task.operators.iter().enumerate().map(operator).collect::<Option<_>>()?;
    Some(Task { operators, ..task.clone() })
}
