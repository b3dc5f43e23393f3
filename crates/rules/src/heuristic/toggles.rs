//! Toggle puzzles: each move adds a fixed amount to some variables, whatever the state.
//!
//! Suppose each variable has p values, p prime, in a cycle, and each operator advances some variables by fixed numbers
//! of steps. Then moves commute, and a move made p times has no effect. A plan is a solution of linear equations over
//! the field of p elements: A x = goal − state, where x counts each move (Anderson and Feil, Turning lights out with
//! linear algebra, Mathematics Magazine 1998). The matrix is brought to reduced row echelon form once. For a state, a
//! sum of columns gives one solution; adding each element of the null space gives all, and the cheapest is the answer.
//! So h is the exact distance, which is admissible and consistent. If the equations have no solution, the state is a
//! dead end.
//!
//! Moves whose effects are multiples of each other (left and right turns) share a column, with the least cost of each
//! multiple.

use super::DEAD;
use crate::domain::BuildContext;
use crate::task::{Operator, Source, Task, Value, Var};
use std::collections::BTreeMap;

/// The most entries evaluated for one state: elements of the null space times columns.
const MOST_EVALUATIONS: usize = 1 << 20;

/// The most entries of the matrices.
const MOST_ENTRIES: usize = 1 << 24;

/// The solved equations.
pub(in super::super) struct Toggles {
    /// The number of values of each toggled variable.
    field: u16,
    /// For each toggled variable, the steps from each value to the goal's value.
    vars: Vec<(Var, Box<[u8]>)>,
    /// The required values of all other variables.
    fixed: Vec<(Var, Value)>,
    /// The number of columns, and the number of equations without unknowns.
    columns: usize,
    checks: usize,
    /// For each variable: the contribution of one step to the solution, then to the checks.
    per_step: Vec<u8>,
    /// All elements of the null space.
    null: Vec<u8>,
    /// For each column: the least cost of each multiple.
    costs: Vec<u32>,
    moves: usize,
}

impl Toggles {
    pub fn new(task: &Task, context: &BuildContext) -> Result<Toggles, String> {
        let other = || "not every move adds a fixed number to each variable, whatever the state".to_owned();
        let cycles = Cycles::new(task).ok_or_else(other)?;
        let [goal] = &task.goals[..] else { return Err("it needs exactly one goal".to_owned()) };
        let wanted: Option<Vec<Value>> =
            (0..task.variables.len()).map(|var| goal.conditions.iter().find(|of| of.0 == var)?.1.only()).collect();
        let wanted = wanted.filter(|_| goal.counts.is_empty() && task.never.is_empty());
        let wanted = wanted.ok_or_else(|| "the goal is not a single state".to_owned())?;
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
            return Err("its equations have too many variables".to_owned());
        }
        let echelon = EchelonForm::new(field, vars.len(), &columns, context).ok_or_else(super::limit_message)?;
        let null = echelon.null_space(columns.len())?;
        Ok(Toggles {
            field,
            fixed,
            columns: columns.len(),
            checks: echelon.checks(),
            per_step: echelon.per_step(columns.len()),
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

/// The cycles of the toggled variables.
struct Cycles {
    field: u16,
    /// For each toggled variable, the position of each value in its cycle.
    places: BTreeMap<Var, Vec<u16>>,
}

/// A column of the matrix: the steps that it advances each variable. Its first non-zero entry is 1.
type Column = Vec<u8>;

impl Cycles {
    /// Returns the cycles; `None` if moves do anything else, or the cycles do not all have the same prime length.
    fn new(task: &Task) -> Option<Cycles> {
        let mut cycles = Cycles { field: 0, places: BTreeMap::new() };
        for operator in &task.operators {
            let is_bare = operator.conditions.is_empty() && operator.disjunctions.is_empty();
            if !is_bare || !operator.counts.is_empty() {
                return None;
            }
            for effect in &operator.effects {
                let Source::Table(var, table) = &effect.source else { return None };
                let values = table.len() as u16;
                if *var != effect.target || cycles.field != 0 && cycles.field != values || !is_prime(values) {
                    return None;
                }
                cycles.field = values;
                cycles.places.entry(*var).or_insert_with(|| places(table));
            }
        }
        // A value outside of the cycle has an invalid position.
        let whole = cycles.places.values().all(|places| places.iter().all(|&place| place < cycles.field));
        (whole && cycles.field > 0).then_some(cycles)
    }

    /// Returns the steps that an operator advances each variable; `None` if they differ between values.
    fn steps(&self, operator: &Operator) -> Option<Column> {
        let steps = |(&var, places): (&Var, &Vec<u16>)| {
            let Some(Source::Table(_, table)) = operator.effect(var) else { return Some(0) };
            let step = |from: usize| {
                let to = places[usize::from(table[from])];
                (to + self.field - places[from]) % self.field
            };
            (1..table.len()).all(|from| step(from) == step(0)).then(|| step(0) as u8)
        };
        self.places.iter().map(steps).collect()
    }

    /// Returns the columns, and the least cost of each multiple of each column.
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
            // Bellman-Ford over multiples: each pass settles the sums with one more move.
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

/// Returns the position of each value in the cycle of a table; the number of values if it is not in the cycle.
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

/// A matrix in reduced row echelon form, with the transformation that produced it.
struct EchelonForm {
    field: u16,
    /// Each row: the columns of the matrix, then those of the transformation.
    rows: Vec<Vec<u16>>,
    /// The pivot columns, one for each non-zero row.
    pivots: Vec<usize>,
}

impl EchelonForm {
    /// Brings the matrix to reduced row echelon form; `None` if a limit ended the work.
    fn new(field: u16, vars: usize, columns: &[Column], context: &BuildContext) -> Option<EchelonForm> {
        let row = |var: usize| {
            let matrix = columns.iter().map(|column| u16::from(column[var]));
            matrix.chain((0..vars).map(|other| u16::from(other == var))).collect()
        };
        let mut echelon = EchelonForm { field, rows: (0..vars).map(row).collect(), pivots: Vec::new() };
        for column in 0..columns.len() {
            if context.should_stop() {
                return None;
            }
            let done = echelon.pivots.len();
            let Some(at) = (done..vars).find(|&row| echelon.rows[row][column] != 0) else { continue };
            echelon.rows.swap(done, at);
            let times = inverse(echelon.rows[done][column], field);
            echelon.rows[done].iter_mut().for_each(|entry| *entry = *entry * times % field);
            let pivot = echelon.rows[done].clone();
            for (_, row) in echelon.rows.iter_mut().enumerate().filter(|(at, _)| *at != done) {
                let times = (field - row[column]) % field;
                if times == 0 {
                    continue;
                }
                row.iter_mut().zip(&pivot).for_each(|(entry, &pivot)| *entry = (*entry + times * pivot) % field);
            }
            echelon.pivots.push(column);
        }
        Some(echelon)
    }

    /// Returns the number of zero rows: their right-hand sides must be 0.
    fn checks(&self) -> usize {
        self.rows.len() - self.pivots.len()
    }

    /// Returns, for each variable, the contribution of one step to each column of the solution, then to each check.
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

    /// Returns all solutions of the homogeneous equations.
    fn null_space(&self, columns: usize) -> Result<Vec<u8>, String> {
        let free: Vec<usize> = (0..columns).filter(|column| !self.pivots.contains(column)).collect();
        let mut all = vec![0_u8; columns];
        for free in free {
            if all.len() * usize::from(self.field) > MOST_EVALUATIONS {
                return Err("its equations have too many solutions".to_owned());
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

/// Returns the multiplicative inverse.
fn inverse(number: u16, field: u16) -> u16 {
    (1..field).find(|&other| u32::from(number) * u32::from(other) % u32::from(field) == 1).unwrap_or(1)
}
