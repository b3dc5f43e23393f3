//! The smallest puzzle with the same answer: walls and pieces are taken away one by one, as long as the least cost stays.
//!
//! What is taken away is decoration: the answer does not depend on it. The result has no wall and no piece left that could be
//! taken away by itself; which of several such results it is depends on the order: pieces first, then walls, each in
//! reading order. The frame of a level stays, unless it is asked for.

use super::answer::{Answer, solve};
use super::canvas::{Canvas, Place};
use super::edits::SingleEdit;
use super::frame::frame;
use crate::puzzle::{Options, Puzzle, SolveError};
use crate::search::{Limit, Limits, Stats};
use std::fmt::{self, Display, Formatter};
use std::time::Instant;

/// A puzzle from which nothing more can be taken.
pub struct Minimized<'a> {
    /// The drawing before.
    pub before: Canvas<'a>,
    /// The drawing that is left.
    pub after: Canvas<'a>,
    /// The answer of both.
    pub answer: Answer,
    /// The number of shortest solutions of both, if it had to stay.
    pub solutions: Option<u128>,
    /// What was taken away, in this order.
    pub removed: Vec<SingleEdit>,
    /// The number of edits that were tried and change the answer.
    pub needed: usize,
    /// The number of edits whose answer is not known because of the limit on nodes; these were not made.
    pub undecided: usize,
    /// The limit that ended the work before everything was tried, if one did.
    pub limit: Option<Limit>,
}

/// The reason why there is nothing to minimize.
pub enum NotMinimized {
    /// The answer of the puzzle is not known within the limits.
    Limit(Limit),
    /// Its shortest solutions cannot be counted.
    Uncountable(SolveError),
}

impl Display for NotMinimized {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            NotMinimized::Limit(limit) => {
                write!(out, "the optimum is not known: {}", limit.words())
            }
            NotMinimized::Uncountable(error) => error.fmt(out),
        }
    }
}

/// What must stay the same beside the least cost, and whether the frame may be removed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minimizing {
    /// The number of shortest solutions is kept, too.
    pub unique: bool,
    /// The walls that enclose the level may be taken away, too.
    pub frame: bool,
}

/// Takes walls and pieces away as long as the least cost stays. `nodes` is the most states that are expanded for one edit.
///
/// # Errors
/// The answer to keep is not known.
pub fn minimize<'a>(
    canvas: Canvas<'a>,
    options: Minimizing,
    nodes: u64,
    limits: &Limits,
) -> Result<Minimized<'a>, NotMinimized> {
    let (started, unique) = (Instant::now(), options.unique);
    let kept = if options.frame { Vec::new() } else { frame(&canvas) };
    let within = || Limits { nodes: Some(nodes), ..limits.remaining(&Stats::default(), started.elapsed()) };
    let answer = solve(canvas.puzzle(), &within()).answer;
    if let Answer::Limit { limit } = answer {
        return Err(NotMinimized::Limit(limit));
    }
    let count = |puzzle: &Puzzle| match unique && answer.cost().is_some() {
        true => solutions(puzzle, &within()).map(|count| count.map(Some)),
        false => Ok(Ok(None)),
    };
    let solutions = count(canvas.puzzle()).map_err(NotMinimized::Uncountable)?.map_err(NotMinimized::Limit)?;
    let mut after = canvas.clone();
    let mut found = Minimized {
        before: canvas.clone(),
        after: canvas,
        answer,
        solutions,
        removed: Vec::new(),
        needed: 0,
        undecided: 0,
        limit: None,
    };
    // What is needed may become decoration when something else is gone.
    loop {
        let before_round = found.removed.len();
        (found.needed, found.undecided) = (0, 0);
        for edit in removals(&after, &kept) {
            let mut smaller = after.clone();
            if !edit.make(&mut smaller) {
                continue;
            }
            let limits = within();
            let known = Answer::unread(&smaller, &limits);
            let (new, same_count) = match known.filter(|known| *known != answer || !unique) {
                Some(known) => (known, known == answer),
                None => match smaller.open(&limits) {
                    Ok(puzzle) => {
                        let new = known.unwrap_or_else(|| solve(&puzzle, &limits).answer);
                        (new, new == answer && count(&puzzle).is_ok_and(|count| count == Ok(solutions)))
                    }
                    Err(report) => (report.limit().map_or(Answer::Invalid, |limit| Answer::Limit { limit }), false),
                },
            };
            match new {
                Answer::Limit { limit } if limits_all(limit) => {
                    found.limit = Some(limit);
                    found.after = after;
                    return Ok(found);
                }
                Answer::Limit { .. } => found.undecided += 1,
                _ if same_count => {
                    after = smaller;
                    found.removed.push(edit);
                }
                _ => found.needed += 1,
            }
        }
        if found.removed.len() == before_round {
            found.after = after;
            return Ok(found);
        }
    }
}

/// Returns whether a limit ends all the work, not that of one edit.
fn limits_all(limit: Limit) -> bool {
    matches!(limit, Limit::Time | Limit::Memory | Limit::Interrupt)
}

/// Returns the edits that take something away: pieces, then ground other than the empty cell and the frame.
fn removals(canvas: &Canvas, frame: &[bool]) -> Vec<SingleEdit> {
    let mut all: Vec<SingleEdit> = canvas.pieces().map(SingleEdit::Remove).collect();
    let holds_piece =
        |place: &Place| canvas.pieces().any(|piece| piece.sheet == place.sheet && piece.cells.contains(&place.cell));
    let is_frame = |place: &Place| place.sheet == 0 && frame.get(place.cell) == Some(&true);
    let bare: Vec<Place> = canvas.places().filter(|place| !holds_piece(place) && !is_frame(place)).collect();
    for place in bare {
        all.extend(
            canvas
                .empty(place.sheet)
                .filter(|empty| canvas.at(place) != *empty)
                .map(|empty| SingleEdit::Set(place, empty)),
        );
    }
    all
}

/// Returns the number of shortest solutions, or the limit that ended the count.
fn solutions(puzzle: &Puzzle, limits: &Limits) -> Result<Result<u128, Limit>, SolveError> {
    let options = Options { limits: limits.clone(), ignores_file: true, all_shortest: Some(0), ..Options::default() };
    let solution = puzzle.solve(&options)?;
    Ok(solution.solutions().ok_or(solution.limit().unwrap_or(Limit::Work)))
}
