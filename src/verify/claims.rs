//! The claims of a puzzle's author in `[expect]`, compared with the answer.

use crate::puzzle::{Options, Outcome, Puzzle, Solution, SolveError};
use crate::transcript::Number;

/// Solves a puzzle, and returns with the solution the first of its author's claims that is wrong. Solutions are counted if
/// there is a claim about their number.
///
/// # Errors
/// Those of [`Puzzle::solve`].
pub fn tested(puzzle: &Puzzle, options: Options) -> Result<(Solution, Option<String>), SolveError> {
    let all_shortest = options.all_shortest.or_else(|| puzzle.expect().unique.map(|_| 0));
    let solution = puzzle.solve(&Options { all_shortest, ..options })?;
    let wrong = refuted(puzzle, &solution);
    Ok((solution, wrong))
}

/// Returns the first of the author's claims that is wrong.
fn refuted(puzzle: &Puzzle, solution: &Solution) -> Option<String> {
    let expect = puzzle.expect();
    let found = match (solution.outcome(), solution.cost(), solution.reason()) {
        (Outcome::Solved, Some(cost), _) if solution.is_optimal() => format!("the cost {}, proven", Number(cost)),
        (Outcome::Solved, Some(cost), _) => format!("the cost {}, not proven shortest", Number(cost)),
        (outcome, _, Some(reason)) => format!("`{}`: {reason}", outcome.name()),
        (outcome, ..) => format!("`{}`", outcome.name()),
    };
    if let Some(outcome) = expect.outcome.filter(|outcome| *outcome != solution.outcome()) {
        return Some(format!("`[expect]` claims `{}`, found {found}", outcome.name()));
    }
    if let (Some(unique), Some(count)) = (expect.unique, solution.solutions())
        && unique != (count == 1)
    {
        let claim = if unique { "one shortest solution" } else { "several shortest solutions" };
        return Some(format!("`[expect]` claims {claim}, found {count}"));
    }
    let cost = expect.cost?;
    let kept = solution.is_optimal() && solution.cost().is_some_and(|found| (found - cost).abs() < 1e-6);
    (!kept).then(|| format!("`[expect]` claims the cost {}, found {found}", Number(cost)))
}
