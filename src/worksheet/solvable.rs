//! Is it solvable? Half of the boards are changed so that they are not, where a count decides that without a search.

use super::{Board, Kind, Material, Task};
use crate::domain::SplitMix64;

/// The kind `solvable`.
pub(super) const SOLVABLE: Kind = Kind { name: "solvable", summary: "decide whether there is a solution", make };

fn make(material: &Material) -> Result<Task, String> {
    let Material { puzzle, limits, seed, .. } = *material;
    let random = &mut SplitMix64::new(seed);
    let changed = if puzzle.unsolvable().is_none() && random.below(2) == 1 {
        puzzle.unsolvable_change(random, limits)
    } else {
        None
    };
    let asked = changed.as_ref().unwrap_or(puzzle);
    let answer = match (asked.unsolvable(), asked.solvable()) {
        (Some(reason), _) => format!("No: {reason}."),
        (None, Some(reason)) => format!("Yes: {reason}."),
        (None, None) => return Err("no count decides whether it has a solution".to_owned()),
    };
    let (mut boards, conditions) = material.boards()?;
    let start = asked.space("zero").map_err(|error| error.to_string())?;
    boards[0] = Board::of("start", &*start);
    Ok(Task {
        question: "Can the goal be reached from the start? Give the reason.".to_owned(),
        boards,
        conditions,
        room: 2,
        answer: vec![answer],
    })
}
