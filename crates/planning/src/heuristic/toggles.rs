//! Toggle puzzles: each move adds a fixed amount to some variables, whatever the state.
//!
//! Suppose each variable has p values, p prime, in a cycle, and each operator advances some variables by fixed numbers
//! of steps. Then moves commute, and a move made p times has no effect. A plan is a solution of linear equations over
//! the field of p elements: A x = goal − state, where x counts each move (Anderson and Feil, Turning lights out with
//! linear algebra, Mathematics Magazine 1998). The equations are solved once, for all states. For a state, a sum of
//! vectors gives one solution; adding each element of the null space gives all, and the cheapest is the answer. So h is
//! the exact distance, which is admissible and consistent. If the equations have no solution, the state is a dead end.
//! Of several goals, the nearest counts.
//!
//! Moves whose effects are multiples of each other (left and right turns) share a column, with the least cost of each
//! multiple.

mod coset;
mod digits;
mod equations;
#[cfg(test)]
mod tests;

use super::{DEAD, Heuristic, Incremental, Proof, Registration, SimilarStates};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Goal, Operator, Source, Task, Value, Var};
use coset::{Cosets, Leaders};
use digits::{Bits, Digits, Prices, Vector};
use equations::{Solution, inverse};
use std::sync::Arc;

/// The registration of toggles.
pub static TOGGLES: Registration = Registration {
    facts: HeuristicFacts {
        name: "toggles",
        admissible: true,
        consistent: true,
        by_hand: false,
        summary: "if each move adds constants to some cells, whatever their values: the least cost of all \
                  solutions of the linear equations; exact",
        because: "the order of additions does not matter, so a solution of the puzzle is a solution of the \
                  equations",
    },
    build: |task, context| Ok(Arc::new(Toggles::new(&task.reduced.task, context)?)),
    refuses: |task, context| {
        task.memo.get(TOGGLES.facts.name, context, || Toggles::new(&task.reduced.task, context).err())
    },
};

/// The most bytes that are read for one state: elements of the null space times their length. Where a list of cheap
/// elements saves reading the bits of all for most states, these may be more.
const MOST_EVALUATED_BYTES: u64 = 1 << 20;
const MOST_LISTED_BYTES: u64 = 1 << 27;

/// The most entries of the matrices.
const MOST_ENTRIES: usize = 1 << 24;

/// The solved equations.
pub struct Toggles {
    /// The number of values of each toggled variable.
    field: u16,
    /// For each goal, the part of each variable.
    goals: Vec<Vec<Role>>,
    solved: Solved,
    moves: usize,
}

/// The part of a variable in the equations.
enum Role {
    /// It is toggled: the number of its equation, and the steps from each value to the goal's value.
    Toggled(usize, Box<[u8]>),
    /// No move changes it, and the goal requires this value.
    Fixed(Value),
}

/// The equations over the field of two elements, or over another one.
enum Solved {
    Binary(Equations<Bits>),
    Other(Equations<Digits>),
}

/// Solved equations, with the costs of their solutions.
struct Equations<V> {
    /// For each toggled variable, what one step to the goal adds to a solution and to the checks.
    per_step: Vec<V>,
    columns: usize,
    checks: usize,
    cosets: Cosets<V>,
}

impl Toggles {
    pub fn new(task: &Task, context: &BuildContext) -> Result<Toggles, String> {
        let other =
            || "not every move adds a fixed number modulo a prime to each variable, whatever the state".to_owned();
        let cycles = Cycles::new(task).ok_or_else(other)?;
        let field = cycles.field;
        let goals: Option<Vec<Vec<Role>>> = task.goals.iter().map(|goal| cycles.roles(goal, task)).collect();
        let goals = goals.filter(|_| task.never.is_empty()).ok_or_else(|| "a goal is not a single state".to_owned())?;
        let (columns, prices) = cycles.columns(task).ok_or_else(other)?;
        let prices = Prices::new(field, prices);
        let solved = if field == 2 {
            Solved::Binary(Equations::new(&cycles, &columns, prices, context)?)
        } else {
            Solved::Other(Equations::new(&cycles, &columns, prices, context)?)
        };
        let toggles = Toggles { field, goals, solved, moves: task.operators.len() };
        // If the start gets no list, neither do the states after it.
        if toggles.needs_lists() && toggles.h(&task.start) < DEAD && !toggles.has_list() {
            return Err(too_many_solutions());
        }
        Ok(toggles)
    }

    /// Returns whether there are so many solutions that not all can be read for each state.
    fn needs_lists(&self) -> bool {
        match &self.solved {
            Solved::Binary(equations) => equations.evaluated_bytes() > MOST_EVALUATED_BYTES,
            Solved::Other(equations) => equations.evaluated_bytes() > MOST_EVALUATED_BYTES,
        }
    }

    fn has_list(&self) -> bool {
        match &self.solved {
            Solved::Binary(equations) => equations.cosets.has_list(),
            Solved::Other(equations) => equations.cosets.has_list(),
        }
    }
}

impl Heuristic for Toggles {
    fn h(&self, state: &[Value]) -> u32 {
        let to_goal = |roles: &Vec<Role>| match &self.solved {
            Solved::Binary(equations) => Cursor::new(self.field, roles, equations, state).h(),
            Solved::Other(equations) => Cursor::new(self.field, roles, equations, state).h(),
        };
        self.goals.iter().map(to_goal).min().unwrap_or(DEAD)
    }

    fn incremental(&self) -> Option<&dyn Incremental> {
        Some(self)
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        Some(Proof::Words("the linear equations for how often each move is made have no solution"))
    }

    fn bytes(&self) -> u64 {
        match &self.solved {
            Solved::Binary(equations) => equations.bytes(),
            Solved::Other(equations) => equations.bytes(),
        }
    }

    fn describe(&self) -> String {
        let (equations, solutions) = match &self.solved {
            Solved::Binary(solved) => (solved.per_step.len(), solved.cosets.elements()),
            Solved::Other(solved) => (solved.per_step.len(), solved.cosets.elements()),
        };
        format!("{equations} equations in {} moves modulo {}, {solutions} solutions", self.moves, self.field)
    }
}

impl Incremental for Toggles {
    fn h_of(&self, states: &SimilarStates, values: &mut Vec<u32>) {
        match &self.solved {
            Solved::Binary(equations) => self.h_of_each(equations, states, values),
            Solved::Other(equations) => self.h_of_each(equations, states, values),
        }
    }
}

impl Toggles {
    fn h_of_each<V: Vector>(&self, equations: &Equations<V>, states: &SimilarStates, values: &mut Vec<u32>) {
        let before = values.len();
        values.resize(before + 1 + states.changes().len(), DEAD);
        for roles in &self.goals {
            let mut state = states.first.clone();
            let mut cursor = Cursor::new(self.field, roles, equations, &state);
            values[before] = values[before].min(cursor.h());
            for (changes, least) in states.changes().zip(&mut values[before + 1..]) {
                for &(var, value) in changes {
                    let before = std::mem::replace(&mut state[var], value);
                    cursor.change(var, before, value);
                }
                *least = cursor.h().min(*least);
            }
        }
    }
}

impl<V: Vector> Equations<V> {
    /// Solves the equations of some moves.
    fn new(cycles: &Cycles, columns: &[Column], prices: Prices, context: &BuildContext) -> Result<Self, String> {
        let vars = cycles.count;
        let size = columns.len() + vars;
        // The rows of the elimination, and the vectors that are read off them.
        if size * vars > MOST_ENTRIES || !context.fits(2 * size as u64 * V::bytes(size)) {
            return Err("its equations have too many variables".to_owned());
        }
        let solution = Solution::new(cycles.field, vars, columns, context).ok_or_else(super::limit_message)?;
        let Solution { per_entry, columns, checks, null } = solution;
        let most = if cycles.field == 2 { MOST_LISTED_BYTES } else { MOST_EVALUATED_BYTES };
        let cosets = Cosets::new(cycles.field, null, prices, most / V::bytes(columns + checks).max(1));
        let cosets = cosets.ok_or_else(too_many_solutions)?;
        Ok(Equations { per_step: per_entry, columns, checks, cosets })
    }

    /// Returns the bytes of all elements of the null space.
    fn evaluated_bytes(&self) -> u64 {
        self.cosets.elements() * V::bytes(self.columns + self.checks)
    }

    fn bytes(&self) -> u64 {
        self.per_step.len() as u64 * V::bytes(self.columns + self.checks) + self.cosets.bytes()
    }
}

/// A state: one solution of its equations for one goal, updated where a variable changes.
struct Cursor<'a, V> {
    field: u16,
    roles: &'a [Role],
    equations: &'a Equations<V>,
    /// The solution, then the checks.
    sum: V,
    /// The number of fixed variables with other values than the goal's.
    wrong: usize,
    leaders: Leaders<'a, V>,
}

impl<'a, V: Vector> Cursor<'a, V> {
    fn new(field: u16, roles: &'a [Role], equations: &'a Equations<V>, state: &[Value]) -> Cursor<'a, V> {
        let sum = V::zero(field, equations.columns + equations.checks);
        let leaders = equations.cosets.leaders();
        let mut cursor = Cursor { field, roles, equations, sum, wrong: 0, leaders };
        for (role, &value) in roles.iter().zip(state) {
            match role {
                Role::Toggled(equation, steps) => cursor.add(*equation, steps[usize::from(value)].into()),
                Role::Fixed(wanted) => cursor.wrong += usize::from(value != *wanted),
            }
        }
        cursor
    }

    #[inline]
    fn add(&mut self, equation: usize, steps: u16) {
        if steps > 0 {
            self.sum.add(&self.equations.per_step[equation], steps);
        }
    }

    /// Changes the value of a variable.
    #[inline]
    fn change(&mut self, var: Var, before: Value, value: Value) {
        match &self.roles[var] {
            Role::Toggled(equation, steps) => {
                let [before, after] = [before, value].map(|value| u16::from(steps[usize::from(value)]));
                self.add(*equation, (after + self.field - before) % self.field);
            }
            Role::Fixed(wanted) => {
                self.wrong = self.wrong + usize::from(value != *wanted) - usize::from(before != *wanted);
            }
        }
    }

    fn h(&mut self) -> u32 {
        if self.wrong > 0 || !self.sum.is_zero_from(self.equations.columns) {
            return DEAD;
        }
        // A state with a solution is no dead end, however much it costs.
        self.leaders.cost(&self.sum).min(u64::from(DEAD) - 1) as u32
    }
}

/// The cycles of the toggled variables.
struct Cycles {
    field: u16,
    /// For each toggled variable, the number of its equation, and the position of each value in its cycle.
    places: Vec<Option<(usize, Vec<u16>)>>,
    /// The number of toggled variables.
    count: usize,
}

/// A column of the matrix: the steps that it advances each variable, by equation. The first entry is 1.
type Column = Vec<(usize, u16)>;

impl Cycles {
    /// Returns the cycles; `None` if moves do anything else, or the cycles do not all have the same prime length.
    fn new(task: &Task) -> Option<Cycles> {
        let mut field = 0;
        let mut places: Vec<Option<(usize, Vec<u16>)>> = vec![None; task.variables.len()];
        for operator in &task.operators {
            if !operator.conditions.is_empty() || !operator.is_plain() {
                return None;
            }
            for effect in &operator.effects {
                let Source::Table(var, table) = &effect.source else { return None };
                let values = table.len() as u16;
                if *var != effect.target || field != 0 && field != values || !is_prime(values) {
                    return None;
                }
                field = values;
                places[*var].get_or_insert_with(|| (0, positions(table)));
            }
        }
        let mut count = 0;
        for (equation, places) in places.iter_mut().flatten() {
            // A value outside of the cycle has an invalid position.
            if places.iter().any(|&place| place >= field) {
                return None;
            }
            *equation = count;
            count += 1;
        }
        (field > 0).then_some(Cycles { field, places, count })
    }

    /// Returns the part of each variable for a goal; `None` if it is not a single state.
    fn roles(&self, goal: &Goal, task: &Task) -> Option<Vec<Role>> {
        let mut wanted: Vec<Option<Value>> = vec![None; task.variables.len()];
        goal.conditions.iter().for_each(|(var, values)| wanted[*var] = values.only());
        let wanted = wanted.into_iter().enumerate().filter(|_| goal.counts.is_empty() && goal.disjunctions.is_empty());
        let role = |(var, wanted): (Var, Option<Value>)| {
            let wanted = wanted?;
            let Some((equation, places)) = &self.places[var] else { return Some(Role::Fixed(wanted)) };
            let goal = places[usize::from(wanted)];
            let steps = places.iter().map(|&place| ((goal + self.field - place) % self.field) as u8);
            Some(Role::Toggled(*equation, steps.collect()))
        };
        let roles: Option<Vec<Role>> = wanted.map(role).collect();
        roles.filter(|roles| roles.len() == task.variables.len())
    }

    /// Returns the steps that an operator advances each variable; `None` if they differ between values.
    fn steps(&self, operator: &Operator) -> Option<Column> {
        let mut column = Column::new();
        for effect in &operator.effects {
            let (Source::Table(_, table), Some((equation, places))) = (&effect.source, &self.places[effect.target])
            else {
                return None;
            };
            let step = |from: usize| {
                let to = places[usize::from(table[from])];
                (to + self.field - places[from]) % self.field
            };
            if (1..table.len()).any(|from| step(from) != step(0)) {
                return None;
            }
            if step(0) > 0 {
                column.push((*equation, step(0)));
            }
        }
        column.sort_unstable();
        Some(column)
    }

    /// Returns the columns, and the least cost of each multiple of each column.
    fn columns(&self, task: &Task) -> Option<(Vec<Column>, Vec<u32>)> {
        let mut moves: Vec<(Column, (u16, u32))> = Vec::new();
        for operator in &task.operators {
            let mut column = self.steps(operator)?;
            let Some(&(_, first)) = column.first() else { continue };
            let inverse = inverse(first, self.field);
            column.iter_mut().for_each(|(_, steps)| *steps = *steps * inverse % self.field);
            moves.push((column, (first, operator.cost)));
        }
        moves.sort_unstable();
        let (mut columns, mut prices) = (Vec::new(), Vec::new());
        for same in moves.chunk_by(|(column, _), (other, _)| column == other) {
            let turns: Vec<(u16, u32)> = same.iter().map(|&(_, turn)| turn).collect();
            columns.push(same[0].0.clone());
            prices.extend(Prices::of_turns(self.field, &turns));
        }
        Some((columns, prices))
    }
}

/// Returns the position of each value in the cycle of a table; the number of values if it is not in the cycle.
fn positions(table: &[Value]) -> Vec<u16> {
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

fn too_many_solutions() -> String {
    "its equations have too many solutions".to_owned()
}

fn is_prime(number: u16) -> bool {
    number > 1
        && (2..number).take_while(|divisor| divisor * divisor <= number).all(|divisor| !number.is_multiple_of(divisor))
}
