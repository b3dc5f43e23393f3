//! The starts that differ from a puzzle's by the symbols of its grid and by its marks: the rules are compiled once, for
//! any symbol in any cell, and each start is only searched.
//!
//! What depends on the drawing besides the start: the goals with `every`, which follow from the marks of a start; the
//! rules with marks, so that starts with other marks are refused if there are any; and the names that the file may use,
//! so that starts without some symbol or mark of the drawing are refused.

use super::expression::{Kind, visit};
use super::ground;
use super::model::{Compiled, Model};
use super::task::{Goal, Task, Value, Values};
use crate::domain::{BuildContext, LeastCost, Starts, WantedStart};
use engine_planning::starts;

/// The demands of `every`: a symbol, and the marks where it may be.
type Every = Vec<(Value, Vec<char>)>;

/// A puzzle that is compiled for any drawing.
pub(super) struct AnyStart {
    starts: starts::Starts,
    /// The goals without `every`, and what it demands of each.
    goals: Vec<(Goal, Every)>,
    cells: usize,
    symbols: usize,
    /// The start of the template, whose symbols a start needs, too.
    start: Vec<Value>,
    /// The marks of the template, row by row.
    marks: Vec<char>,
    /// The marks as [`Instance::drawn`](crate::domain::Instance::drawn) numbers them.
    kinds_of_mark: Vec<char>,
    /// True if rules or goals depend on marks in another way than by `every`.
    needs_marks: bool,
}

impl AnyStart {
    /// Compiles a puzzle for any drawing; `None` if that becomes too large, or a limit ends it.
    pub fn of(model: &Model, kinds_of_mark: Vec<char>, context: &BuildContext) -> Option<AnyStart> {
        let mut model = model.clone();
        let every: Vec<_> = model.goals.iter_mut().map(|goal| std::mem::take(&mut goal.every)).collect();
        let Compiled { model, task, goal_ends, .. } = ground::compile_for_any_drawing(model, context).ok()?;
        if context.ended().is_some() {
            return None;
        }
        let goal_of = |number: usize| goal_ends.partition_point(|end| *end <= number);
        let goals = task.goals.iter().enumerate().map(|(number, goal)| (goal.clone(), every[goal_of(number)].clone()));
        let goals = goals.collect();
        let mut needs_marks =
            model.rules.iter().flat_map(|rule| rule.drawings()).any(|drawing| drawing.on.iter().any(Option::is_some));
        for expr in model.expressions() {
            visit(expr, &mut |expr| needs_marks |= matches!(expr.kind, Kind::Mark(_)));
        }
        Some(AnyStart {
            goals,
            cells: model.world.cells(),
            symbols: model.drawn_symbols,
            start: task.start.clone(),
            marks: model.world.marks.clone(),
            kinds_of_mark,
            needs_marks,
            starts: starts::Starts::new(task)?,
        })
    }

    fn task(&self) -> &Task {
        self.starts.task()
    }
}

impl AnyStart {
    /// Returns the start and the goals of a drawing; `None` if only reading the file shows whether it is valid.
    fn posed(&self, drawings: &[Vec<u16>]) -> Option<(Vec<Value>, Vec<Goal>)> {
        let (grid, marks) = drawings.split_first()?;
        let marks: Vec<char> = match marks.first() {
            Some(marks) => marks.iter().map(|mark| self.kinds_of_mark[usize::from(*mark)]).collect(),
            None => self.marks.clone(),
        };
        let has_all = |known: &[Value], all: &[Value]| -> bool {
            let known: Values = known.iter().copied().collect();
            all.iter().all(|value| known.contains(*value))
        };
        let fits = grid.len() == self.cells
            && grid.iter().all(|symbol| usize::from(*symbol) < self.symbols)
            && has_all(grid, &self.start[..self.cells])
            && self.marks.iter().all(|mark| *mark == '.' || marks.contains(mark))
            && (!self.needs_marks || marks == self.marks);
        if !fits {
            return None;
        }
        let start = [grid, &self.start[self.cells..]].concat();
        let symbols = Values::below(self.task().variables[0].values.len());
        let goals = self.goals.iter().map(|(goal, every)| {
            let mut goal = goal.clone();
            for (symbol, allowed) in every {
                let others = symbols.without(&Values::one(*symbol));
                let elsewhere = (0..self.cells).filter(|&cell| !allowed.contains(&marks[cell]));
                goal.conditions.extend(elsewhere.map(|cell| (cell, others.clone())));
            }
            goal
        });
        Some((start, goals.collect()))
    }

    fn least_cost_of(&self, found: starts::Found) -> LeastCost {
        let cost = found.cost.map(|units| self.task().cost_unit.cost(units as f64));
        let starts::Found { solutions, expanded, generated, .. } = found;
        LeastCost { cost, solutions, expanded, generated }
    }
}

impl Starts for AnyStart {
    fn least_cost(&self, drawings: &[Vec<u16>], most: u64) -> Option<LeastCost> {
        let (start, goals) = self.posed(drawings)?;
        self.starts.search(&start, &goals, most).map(|found| self.least_cost_of(found))
    }

    fn cheaper(&self, drawings: &[Vec<u16>], cost: f64, most: u64) -> Option<Option<Vec<u32>>> {
        let (start, goals) = self.posed(drawings)?;
        let below = (cost / self.task().cost_unit.cost(1.0)).ceil() as u64;
        self.starts.shortcut(&start, &goals, below, most)
    }

    fn allows(&self, drawings: &[Vec<u16>], solution: &[u32]) -> bool {
        self.posed(drawings).is_some_and(|(start, goals)| self.starts.is_solution(&start, &goals, solution))
    }

    fn farthest(&self, drawings: &[Vec<u16>], wanted: &WantedStart) -> Option<Option<(Vec<u16>, LeastCost)>> {
        let (start, goals) = self.posed(drawings)?;
        let may_hold = |cell: usize, value: Value| {
            if cell < self.cells { (wanted.may_hold)(cell, value) } else { value == self.start[cell] }
        };
        let unit = self.task().cost_unit.cost(1.0);
        let wanted = starts::Wanted {
            most_cost: wanted.most_cost.map(|cost| (cost / unit).floor() as u64),
            most_states: wanted.most_states,
            pick: wanted.pick,
            may_hold: &may_hold,
        };
        let found = self.starts.farthest(&start, &goals, &wanted)?;
        Some(found.map(|(mut state, found)| {
            state.truncate(self.cells);
            (state, self.least_cost_of(found))
        }))
    }

    fn solutions(&self, drawings: &[Vec<u16>], cost: f64, most_states: u64, most: u64) -> Option<u64> {
        let (start, goals) = self.posed(drawings)?;
        let cost = (cost / self.task().cost_unit.cost(1.0)).round() as u64;
        self.starts.solutions(&start, &goals, cost, most_states, most)
    }
}
