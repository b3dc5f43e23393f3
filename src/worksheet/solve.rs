//! Solve by hand: a shortest solution is asked for.

use super::{Kind, Material, Task};
use crate::puzzle::{Options, Outcome};
use crate::transcript::Number;

/// The kind `solve`.
pub(super) const SOLVE: Kind = Kind { name: "solve", summary: "find a shortest solution", make };

/// The lines that moves are written on.
const ROOM: usize = 3;

fn make(material: &Material) -> Result<Task, String> {
    let puzzle = material.puzzle;
    let options = Options { limits: material.limits.clone(), ..Options::default() };
    let solution = puzzle.solve(&options).map_err(|error| error.to_string())?;
    let answer = match (solution.outcome(), solution.cost()) {
        (Outcome::Solved, Some(0.0)) => return Err("its start is a goal".to_owned()),
        (Outcome::Solved, Some(cost)) if solution.is_optimal() => {
            let moves = solution.moves();
            let separator = if puzzle.has_spaced_moves() { "; " } else { " " };
            format!("The least cost is {}, for instance by: {}", Number(cost), moves.join(separator))
        }
        (Outcome::Unsolvable, _) => return Err("it has no solution".to_owned()),
        _ => return Err("no shortest solution was proven within the limits".to_owned()),
    };
    let question = match puzzle.metric() {
        Some(metric) => format!("Find a solution of the least cost (metric {metric})."),
        None => "Find a solution of the least cost.".to_owned(),
    };
    let (boards, conditions) = material.boards()?;
    Ok(Task { question, boards, conditions, room: ROOM, answer: vec![answer] })
}
