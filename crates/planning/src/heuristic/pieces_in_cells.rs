//! The choice whether pieces of which each occurs once have variables for their places, or stay in their cells.

use super::matching::Matching;
use crate::analysis::mover::Mover;
use crate::analysis::reduce::{Lifted, Reduced};
use crate::search::BuildContext;
use crate::task::{Condition, Value, Var};
use std::sync::Arc;

/// Returns the reduced task in which pieces of which each occurs once, such as boxes with numbers, stay in their cells,
/// so that a matching sees how they bar each other's way, and this matching; none if there are no such pieces, or if it
/// sees no more then. `lift` lifts the whole task's unique symbols to places, except for some.
pub fn with_pieces_in_cells(
    reduced: &Reduced,
    lift: impl FnOnce(&[Value]) -> Lifted,
    context: &BuildContext,
) -> Option<(Reduced, Arc<Matching>)> {
    let mover = Mover::find(reduced, &[])?;
    let is_in_goals = |var: Var| reduced.task.goals.iter().any(|goal| goal.conditions.iter().any(|(of, _)| *of == var));
    let places = reduced.lifting.place_variables.iter().zip(reduced.lifting.variables.len()..);
    let variable_of = |number: usize| reduced.lifting.origin.iter().position(|(from, _)| *from == number);
    let pieces: Vec<Value> = places
        .filter(|(_, number)| variable_of(*number).is_some_and(|var| var != mover.var && is_in_goals(var)))
        .map(|(place, _)| place.symbol)
        .collect();
    // A single piece bars no other's way. Other pieces are in cells.
    let is_in_cell = |(var, _): &Condition| reduced.task.variables[*var].place_of().is_none();
    let has_others = || reduced.task.goals.iter().flat_map(|goal| &goal.conditions).any(is_in_cell);
    if pieces.is_empty() || pieces.len() == 1 && !has_others() {
        return None;
    }
    let other = Reduced::new(lift(&pieces), context);
    let matching = Matching::new(&other.task, context).ok().filter(Matching::sees_kinds_together)?;
    Some((other, Arc::new(matching)))
}
