//! Reduces a task to its reachable values, to variables that can change, and to place variables for unique symbols.
//!
//! - Values that cannot be [`reached`] are dropped, and so are operators that need them and variables with a single
//!   value (`narrowing`).
//! - A symbol on exactly one cell, which every operator preserves as such, becomes a variable for its place
//!   (`places`). So states take fewer bits, and the moves of a walker are indexed by its place.

mod narrowing;
mod places;
mod reached;

use super::inverse::{inverses, undone_by_mutexes};
use super::mutex::Mutexes;
use crate::search::BuildContext;
use crate::task::lifting::Lifting;
use crate::task::{Operator, Task, Value, Values};
use narrowing::{renumbered, without_unreachable};
use places::with_place_variable;
pub use reached::{Reached, reached};
use reached::{can_apply, counter_bounds};
use std::sync::Arc;

/// A smaller equivalent task: its reachable states correspond one to one to those of the whole task.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub task: Arc<Task>,
    /// For each operator, its number in the whole task.
    pub origin: Vec<u32>,
    /// The number of reachable values of each variable of the whole task.
    pub reached: Vec<usize>,
    /// For each operator, the first that undoes it in every state, if there is one.
    pub inverse: Vec<Option<u32>>,
    /// True if an operator of equal cost undoes each, at least in all consistent states of `mutexes`, if there are any.
    pub is_reversible: bool,
    pub mutexes: Option<Arc<Mutexes>>,
    /// The task with all variables, but without unreachable values and operators.
    pub narrowed: Arc<Task>,
    /// The translation back to the facts of the whole task.
    pub lifting: Arc<Lifting>,
}

/// A task whose unique symbols are lifted to variables for their places, with all that can be reached.
#[derive(Clone, Debug)]
pub struct Lifted {
    task: Arc<Task>,
    /// For each operator, its number in the whole task.
    numbers: Vec<u32>,
    /// The values of each variable that can be reached.
    reached: Vec<Values>,
    narrowed: Arc<Task>,
    /// For each operator of `narrowed`, its number in the whole task.
    narrowed_origin: Vec<u32>,
    lifting: Lifting,
}

impl Lifted {
    /// Returns the values of each variable of the whole task that can be reached.
    pub fn reached(&self) -> &[Values] {
        &self.lifting.reached
    }

    /// Returns the operators that can ever apply and change something, by their numbers in the whole task.
    pub fn applicable(&self) -> Vec<u32> {
        let Lifted { task, numbers, reached, .. } = self;
        let bounds = counter_bounds(task, reached);
        let can_apply = |operator: &Operator| {
            can_apply(operator, reached, &bounds)
                && operator.counts.iter().all(|range| range.least <= range.most)
                && operator.effects.iter().any(|effect| reached[effect.target].len() > 1)
        };
        let operators = task.operators.iter().zip(numbers);
        operators.filter(|(operator, _)| can_apply(operator)).map(|(_, &number)| number).collect()
    }
}

/// Lifts the unique symbols of a task whose first variables are the cells of a grid, and in which these values are
/// [`reached`]. Some symbols stay in their cells, even if each occurs once. If a limit ends the work, the result is
/// invalid.
pub fn lift(task: &Task, reached: &Reached, cells: usize, in_cells: &[Value], context: &BuildContext) -> Lifted {
    let all: Vec<u32> = (0..task.operators.len() as u32).collect();
    let (narrowed, narrowed_origin) = without_unreachable(task, &all, &reached.values);
    let mut lifting = Lifting {
        variables: task.variables.clone(),
        reached: Arc::clone(&reached.values),
        start: task.start.clone(),
        cells,
        ..Lifting::default()
    };
    let narrowed = Arc::new(narrowed);
    let (mut lifted, mut numbers) = (Arc::clone(&narrowed), narrowed_origin.clone());
    let mut values = reached.values.to_vec();
    let symbols = (0..if cells > 0 { task.size(0) } else { 0 }).map(|symbol| symbol as Value);
    for symbol in symbols.filter(|symbol| !in_cells.contains(symbol)) {
        if let Some((task, kept, placed)) = with_place_variable(&lifted, &values, cells, symbol, context) {
            numbers = kept.iter().map(|&number| numbers[number]).collect();
            values = reached.again(&task, &numbers, context);
            lifted = Arc::new(task);
            lifting.place_variables.push(placed);
        }
    }
    Lifted { task: lifted, numbers, reached: values, narrowed, narrowed_origin, lifting }
}

/// Reduces a task whose first variables are the cells of a grid. If a limit ends the work, the result is invalid.
pub fn reduce(task: &Task, cells: usize, context: &BuildContext) -> Reduced {
    Reduced::new(lift(task, &reached(task, context), cells, &[], context), context)
}

impl Reduced {
    /// Finds the operators that undo others. If a limit ends the work, the result is invalid.
    pub fn new(lifted: Lifted, context: &BuildContext) -> Reduced {
        let Lifted { task, numbers, reached, narrowed, narrowed_origin: actions, mut lifting } = lifted;
        let (task, origin, renumbered) = renumbered(&task, &numbers, &reached);
        lifting.origin = renumbered;
        let task = Arc::new(task);
        // While conditions still show the content of the cells that symbols are on.
        let undone_by: Vec<Option<u32>> =
            inverses(&narrowed, context).into_iter().map(|other| other.map(|other| actions[other as usize])).collect();
        let number = |action: u32| origin.binary_search(&action).ok().map(|number| number as u32);
        let inverse = |action: &u32| number(undone_by[actions.binary_search(action).ok()?]?);
        let inverse: Vec<Option<u32>> = origin.iter().map(inverse).collect();
        let are_all_undone = inverse.iter().all(Option::is_some);
        let mutexes = if are_all_undone { None } else { undone_by_mutexes(&task, &inverse, context).map(Arc::new) };
        let reached = lifting.reached.iter().map(Values::len).collect();
        let is_reversible = are_all_undone || mutexes.is_some();
        Reduced { task, origin, reached, inverse, is_reversible, mutexes, narrowed, lifting: Arc::new(lifting) }
    }

    /// Returns the reduced task with no place variables, and its translation. A sum over its facts is one over the
    /// facts of the puzzle, and changes with each operator as the puzzle's own rules show.
    pub fn without_place_variables(&self) -> (Arc<Task>, Arc<Lifting>) {
        if self.lifting.place_variables.is_empty() {
            return (Arc::clone(&self.task), Arc::clone(&self.lifting));
        }
        let all: Vec<u32> = (0..self.narrowed.operators.len() as u32).collect();
        let (task, _, origin) = renumbered(&self.narrowed, &all, &self.lifting.reached);
        (Arc::new(task), Arc::new(Lifting { place_variables: Vec::new(), origin, ..(*self.lifting).clone() }))
    }
}
