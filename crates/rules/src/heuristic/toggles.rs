//! Puzzles of toggles: each move turns some variables on by a fixed number of steps, whatever the state.
//!
//! Where each variable has p values, p prime, and each operator turns it to the value so many steps on in one cycle, the
//! order of moves does not matter, and p times the same is nothing. What is asked for is a solution of a system of linear
//! equations over the field of p elements: A x = goal − state, x the number of times that each move is made (Anderson and
//! Feil, Turning lights out with linear algebra, Mathematics Magazine 1998). The matrix is brought to reduced echelon form
//! once; then a state is answered by a sum of columns, and the cheapest solution is found by looking at all of them: one,
//! with each element of the null space added. So h is the distance itself, which is admissible and consistent; where the
//! equations have no solution, the state is dead.
//!
//! Moves whose effects are multiples of each other (turns to the left and to the right) are one column, with the least
//! cost of each multiple.

use super::DEAD;
use crate::domain::BuildContext;
use crate::task::{Operator, Source, Task, Value, Var};
use std::collections::BTreeMap;

/// The most numbers that are looked at for one state: elements of the null space times columns.
const MOST_LOOKS: usize = 1 << 20;

/// The most entries of the matrices.
const MOST_ENTRIES: usize = 1 << 24;

/// The equations, solved.
pub(in super::super) struct Toggles {
    /// The number of values of the variables that moves turn.
    field: u16,
    /// For each such variable, how many steps from each value to that of the goal.
    vars: Vec<(Var, Box<[u8]>)>,
    /// The values that others must have.
    fixed: Vec<(Var, Value)>,
    /// How many columns there are, and how many equations must hold of a state.
    columns: usize,
    checks: usize,
    /// By variable: what a step adds to a solution, then to the checks.
    per_step: Vec<u8>,
    /// All of the null space.
    null: Vec<u8>,
    /// By column: the least cost of each multiple.
    costs: Vec<u32>,
    moves: usize,
}

impl Toggles {
    pub fn new(task: &Task, context: &BuildContext) -> Result<Toggles, String> {
        let other = || "not every move turns variables by a fixed number of steps, whatever the state".to_owned();
        let cycles = Cycles::new(task).ok_or_else(other)?;
        let [goal] = &task.goals[..] else { return Err("there is more than one goal, or none".to_owned()) };
        let wanted: Option<Vec<Value>> =
            (0..task.variables.len()).map(|var| goal.conditions.iter().find(|of| of.0 == var)?.1.only()).collect();
        let wanted = wanted.filter(|_| goal.counts.is_empty() && task.never.is_empty());
        let wanted = wanted.ok_or_else(|| "the goal is not one state".to_owned())?;
        let field = cycles.field;
        let vars: Vec<(Var, Box<[u8]>)> = cycles
            .places
            .iter()
            .map(|(&var, places)| {
                let goal = places[usize::from(wanted[var])];
                let steps = places.iter().map(|&place| ((goal + field - place) % field) as u8);
                (var, steps.collect())
            })
            .collect();
        let fixed = (0..wanted.len()).filter(|var| !cycles.places.contains_key(var)).map(|var| (var, wanted[var]));
        let fixed = fixed.collect();
        let (columns, costs) = cycles.columns(task).ok_or_else(other)?;
        let size = columns.len() + vars.len();
        if size * vars.len() > MOST_ENTRIES || !context.fits((2 * size * size) as u64) {
            return Err("there are too many variables for its equations".to_owned());
        }
        let solved = Solved::new(field, vars.len(), &columns, context).ok_or_else(super::ended)?;
        let null = solved.null_space(columns.len())?;
        Ok(Toggles {
            field,
            fixed,
            columns: columns.len(),
            checks: solved.checks(),
            per_step: solved.per_step(columns.len()),
            null,
            costs,
            moves: task.operators.len(),
            vars,
        })
    }

    pub fn h(&self, state: &[Value]) -> u32 {
        if self.fixed.iter().any(|&(var, value)| state[var] != value) {
            return DEAD;
        }
        let width = self.columns + self.checks;
        let mut small = [0_u16; 256];
        let mut large = Vec::new();
        let sums = if width <= small.len() {
            &mut small[..width]
        } else {
            large.resize(width, 0);
            &mut large[..]
        };
        for ((var, steps), adds) in self.vars.iter().zip(self.per_step.chunks_exact(width.max(1))) {
            let steps = u16::from(steps[usize::from(state[*var])]);
            if steps > 0 {
                sums.iter_mut().zip(adds).for_each(|(sum, &add)| *sum = (*sum + steps * u16::from(add)) % self.field);
            }
        }
        if sums[self.columns..].iter().any(|&sum| sum != 0) {
            return DEAD;
        }
        if self.columns == 0 {
            return 0;
        }
        let cost = |null: &[u8]| {
            let times = sums.iter().zip(null).map(|(&times, &more)| (times + u16::from(more)) % self.field);
            let costs = times.zip(self.costs.chunks_exact(self.field.into()));
            costs.fold(0, |sum: u32, (times, costs)| sum.saturating_add(costs[usize::from(times)]))
        };
        self.null.chunks_exact(self.columns).map(cost).min().unwrap_or(DEAD).min(DEAD)
    }

    pub fn bytes(&self) -> u64 {
        (self.per_step.len() + self.null.len() + 4 * self.costs.len()) as u64
    }

    pub fn describe(&self) -> String {
        let solutions = self.null.len().checked_div(self.columns).unwrap_or(1);
        format!("{} equations in {} moves modulo {}, {solutions} solutions", self.vars.len(), self.moves, self.field)
    }
}

/// The cycles that the variables are turned in.
struct Cycles {
    field: u16,
    /// For each variable that is turned, the place of each value in its cycle.
    places: BTreeMap<Var, Vec<u16>>,
}

/// What a column stands for: how many steps it turns each variable, and how many of these a move is.
type Column = Vec<u8>;

impl Cycles {
    /// None where moves do other things than to turn variables, or the cycles are not all of one prime length.
    fn new(task: &Task) -> Option<Cycles> {
        let mut cycles = Cycles { field: 0, places: BTreeMap::new() };
        for operator in &task.operators {
            if !operator.conditions.is_empty() || !operator.either.is_empty() {
                return None;
            }
            for effect in &operator.effects {
                let Source::Of(var, table) = &effect.source else { return None };
                let values = table.len() as u16;
                if *var != effect.target || cycles.field != 0 && cycles.field != values || !is_prime(values) {
                    return None;
                }
                cycles.field = values;
                cycles.places.entry(*var).or_insert_with(|| places(table));
            }
        }
        // Each value was met once, or its place is not a place.
        let whole = cycles.places.values().all(|places| places.iter().all(|&place| place < cycles.field));
        (whole && cycles.field > 0).then_some(cycles)
    }

    /// How many steps an operator turns each variable; none where it does not turn all values alike.
    fn steps(&self, operator: &Operator) -> Option<Column> {
        let steps = |(&var, places): (&Var, &Vec<u16>)| {
            let Some(Source::Of(_, table)) = operator.effect(var) else { return Some(0) };
            let step = |from: usize| {
                let to = places[usize::from(table[from])];
                (to + self.field - places[from]) % self.field
            };
            (1..table.len()).all(|from| step(from) == step(0)).then(|| step(0) as u8)
        };
        self.places.iter().map(steps).collect()
    }

    /// The columns of the equations, and the least cost of each multiple of each.
    fn columns(&self, task: &Task) -> Option<(Vec<Column>, Vec<u32>)> {
        let field = usize::from(self.field);
        let mut moves: BTreeMap<Column, Vec<(usize, u32)>> = BTreeMap::new();
        for operator in &task.operators {
            let mut column = self.steps(operator)?;
            let Some(&first) = column.iter().find(|&&steps| steps > 0) else { continue };
            let inverse = inverse(first.into(), self.field);
            column.iter_mut().for_each(|steps| *steps = (u16::from(*steps) * inverse % self.field) as u8);
            moves.entry(column).or_default().push((first.into(), operator.cost));
        }
        let mut costs = Vec::new();
        for turns in moves.values() {
            // The least costs of a walk round the cycle: each pass settles those of one move more.
            let mut least = vec![DEAD; field];
            least[0] = 0;
            for _ in 0..field {
                for from in 0..field {
                    for &(turn, cost) in turns {
                        let to = (from + turn) % field;
                        least[to] = least[to].min(least[from].saturating_add(cost));
                    }
                }
            }
            costs.extend(least);
        }
        Some((moves.into_keys().collect(), costs))
    }
}

/// The places of the values in the cycle that a table is: as many as there are, where a value is not in it.
fn places(table: &[Value]) -> Vec<u16> {
    let none = table.len() as u16;
    let mut places = vec![none; table.len()];
    let mut value = 0;
    for place in 0..none {
        if places[usize::from(value)] < none {
            break;
        }
        places[usize::from(value)] = place;
        value = table[usize::from(value)];
    }
    places
}

/// A matrix in reduced echelon form, beside what was done to it.
struct Solved {
    field: u16,
    /// By row: the columns of the matrix, then those of the variables.
    rows: Vec<Vec<u16>>,
    /// The column of the first entry of each row that has one.
    pivots: Vec<usize>,
}

impl Solved {
    /// Nothing where limits ended it.
    fn new(field: u16, vars: usize, columns: &[Column], context: &BuildContext) -> Option<Solved> {
        let row = |var: usize| {
            let matrix = columns.iter().map(|column| u16::from(column[var]));
            matrix.chain((0..vars).map(|other| u16::from(other == var))).collect()
        };
        let mut solved = Solved { field, rows: (0..vars).map(row).collect(), pivots: Vec::new() };
        for column in 0..columns.len() {
            if context.should_stop() {
                return None;
            }
            let done = solved.pivots.len();
            let Some(at) = (done..vars).find(|&row| solved.rows[row][column] != 0) else { continue };
            solved.rows.swap(done, at);
            let times = inverse(solved.rows[done][column], field);
            solved.rows[done].iter_mut().for_each(|entry| *entry = *entry * times % field);
            let pivot = solved.rows[done].clone();
            for (_, row) in solved.rows.iter_mut().enumerate().filter(|(at, _)| *at != done) {
                let times = (field - row[column]) % field;
                if times == 0 {
                    continue;
                }
                row.iter_mut().zip(&pivot).for_each(|(entry, &pivot)| *entry = (*entry + times * pivot) % field);
            }
            solved.pivots.push(column);
        }
        Some(solved)
    }

    /// The rows without a first entry: what they say of the variables must be 0.
    fn checks(&self) -> usize {
        self.rows.len() - self.pivots.len()
    }

    /// By variable: what a step adds to each column of a solution, then to each check.
    fn per_step(&self, columns: usize) -> Vec<u8> {
        let per_var = |var: usize| {
            let mut adds = vec![0; columns];
            for (row, &pivot) in self.rows.iter().zip(&self.pivots) {
                adds[pivot] = row[columns + var] as u8;
            }
            adds.extend(self.rows[self.pivots.len()..].iter().map(|row| row[columns + var] as u8));
            adds
        };
        (0..self.rows.len()).flat_map(per_var).collect()
    }

    /// All solutions of the equations with 0 on the right.
    fn null_space(&self, columns: usize) -> Result<Vec<u8>, String> {
        let free: Vec<usize> = (0..columns).filter(|column| !self.pivots.contains(column)).collect();
        let mut all = vec![0_u8; columns];
        for free in free {
            if all.len() * usize::from(self.field) > MOST_LOOKS {
                return Err("its equations have too many solutions to look at".to_owned());
            }
            let mut basis = vec![0; columns];
            basis[free] = 1;
            for (row, &pivot) in self.rows.iter().zip(&self.pivots) {
                basis[pivot] = (self.field - row[free]) % self.field;
            }
            let before = all.clone();
            for times in 1..self.field {
                let more = before.iter().zip(basis.iter().cycle());
                all.extend(more.map(|(&entry, &basis)| ((u16::from(entry) + times * basis) % self.field) as u8));
            }
        }
        Ok(all)
    }
}

fn is_prime(number: u16) -> bool {
    number > 1
        && (2..number).take_while(|divisor| divisor * divisor <= number).all(|divisor| !number.is_multiple_of(divisor))
}

/// What a number is to be multiplied with for 1.
fn inverse(number: u16, field: u16) -> u16 {
    (1..field).find(|&other| u32::from(number) * u32::from(other) % u32::from(field) == 1).unwrap_or(1)
}
