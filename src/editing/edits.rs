//! Every single edit of a drawing and what it does to the least cost: each cell with each symbol, each piece taken away
//! or moved by one cell. The editor of Fling! levels by Sturtevant (2013) is the model: it shows a designer the effect of
//! every edit at once.
//!
//! Edits that lead to the same drawing are solved once. An edit that only obstructs leaves no solution that there was not
//! before: so if a known shortest solution still replays, the least cost is the same, and what is unsolvable stays so. All
//! others are solved anew, each on one thread, so that the answers are the same for any number of threads.

use super::answer::{Answer, Solved, solve};
use super::canvas::{Canvas, CellSymbol, Direction, Piece, Place};
use crate::puzzle::{Notation, Puzzle};
use crate::search::{Limit, Limits, Stats};
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

/// An edit of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SingleEdit {
    /// Another symbol in a cell.
    Set(Place, CellSymbol),
    /// A piece less.
    Remove(Piece),
    /// A piece one cell further.
    Shift(Piece, Direction),
}

impl SingleEdit {
    /// Returns the edit in words for people, whose rows and columns count from 1.
    #[must_use]
    pub fn words(&self, canvas: &Canvas) -> String {
        let place =
            |cell: usize| format!("row {}, column {}", cell / canvas.columns() + 1, cell % canvas.columns() + 1);
        let piece = |piece: &Piece| match piece.cells[..] {
            [cell] => format!("`{}` at {}", canvas.name(piece), place(cell)),
            _ => format!("`{}`", canvas.name(piece)),
        };
        match self {
            SingleEdit::Set(at, symbol) => format!("`{}` at {}", canvas.symbol(*symbol).text, place(at.cell)),
            SingleEdit::Remove(taken) => format!("without {}", piece(taken)),
            SingleEdit::Shift(moved, direction) => format!("{} moved {}", piece(moved), direction.name()),
        }
    }

    /// Makes the edit. Returns false, and changes nothing, if it cannot be made or changes nothing.
    pub fn make(&self, canvas: &mut Canvas) -> bool {
        match self {
            SingleEdit::Set(place, symbol) => canvas.set(*place, *symbol),
            SingleEdit::Remove(piece) => canvas.remove(piece),
            SingleEdit::Shift(piece, direction) => canvas.shift(piece, *direction),
        }
    }

    /// Returns the symbols that the cell has after the edit, drawing by drawing; for an edit of a piece, the piece alone.
    #[must_use]
    pub fn symbols<'a>(&self, canvas: &'a Canvas) -> Vec<&'a str> {
        let text = |sheet: usize| match self {
            SingleEdit::Set(place, symbol) if sheet == place.sheet => &*canvas.symbol(*symbol).text,
            SingleEdit::Set(place, _) => &*canvas.symbol(canvas.at(Place { sheet, cell: place.cell })).text,
            SingleEdit::Remove(piece) | SingleEdit::Shift(piece, _) if sheet == piece.sheet => canvas.name(piece),
            SingleEdit::Remove(_) | SingleEdit::Shift(..) => "",
        };
        (0..canvas.drawings().len()).map(text).collect()
    }

    /// Returns the number of the drawing that it changes.
    #[must_use]
    pub fn sheet(&self) -> usize {
        match self {
            SingleEdit::Set(place, _) => place.sheet,
            SingleEdit::Remove(piece) | SingleEdit::Shift(piece, _) => piece.sheet,
        }
    }
}

/// What an edit does to the least cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The least cost stays, or there is still no solution.
    Same,
    /// The least cost becomes greater.
    Longer,
    /// The least cost becomes less.
    Shorter,
    /// There is no solution any more.
    Unsolvable,
    /// There is a solution now.
    Solvable,
    /// The drawing is no valid puzzle.
    Invalid,
    /// It is not known, because of a limit.
    Unknown,
}

impl Effect {
    /// The effects.
    pub const ALL: [Effect; 7] = {
        use Effect::*;
        [Same, Longer, Shorter, Unsolvable, Solvable, Invalid, Unknown]
    };

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["same", "longer", "shorter", "unsolvable", "solvable", "invalid", "unknown"][self as usize]
    }

    /// Returns the effect of an edit that turns one answer into another.
    #[must_use]
    pub fn between(before: Answer, after: Answer) -> Effect {
        match (before, after) {
            (_, Answer::Invalid) => Effect::Invalid,
            (_, Answer::Limit { .. }) | (Answer::Limit { .. } | Answer::Invalid, _) => Effect::Unknown,
            (Answer::Unsolvable, Answer::Unsolvable) => Effect::Same,
            (Answer::Unsolvable, Answer::Solved { .. }) => Effect::Solvable,
            (Answer::Solved { .. }, Answer::Unsolvable) => Effect::Unsolvable,
            (Answer::Solved { cost: before }, Answer::Solved { cost: after }) => match after.total_cmp(&before) {
                std::cmp::Ordering::Equal => Effect::Same,
                std::cmp::Ordering::Greater => Effect::Longer,
                std::cmp::Ordering::Less => Effect::Shorter,
            },
        }
    }
}

/// All single edits of a puzzle, with their answers.
pub struct Edits<'a> {
    /// The drawing before.
    pub canvas: Canvas<'a>,
    /// The answer before.
    pub before: Answer,
    /// The edits in their order: symbols cell by cell, then pieces.
    pub edits: Vec<(SingleEdit, Answer)>,
    /// The limit that ended the work, if one did.
    pub limit: Option<Limit>,
}

impl Edits<'_> {
    /// Returns the edits with their effects.
    pub fn effects(&self) -> impl Iterator<Item = (&SingleEdit, Answer, Effect)> {
        self.edits.iter().map(|(edit, answer)| (edit, *answer, Effect::between(self.before, *answer)))
    }
}

/// Returns the edits of a drawing, without those that change nothing or cannot be made.
#[must_use]
pub fn single_edits(canvas: &Canvas) -> Vec<SingleEdit> {
    let mut all = Vec::new();
    for place in canvas.places().filter(|place| !canvas.holds_block(*place)) {
        let symbols = canvas.symbols().filter(|symbol| symbol.sheet == place.sheet && !canvas.is_block(*symbol));
        all.extend(symbols.map(|symbol| SingleEdit::Set(place, symbol)));
    }
    for piece in canvas.pieces() {
        all.push(SingleEdit::Remove(piece.clone()));
        all.extend(Direction::ALL.map(|direction| SingleEdit::Shift(piece.clone(), direction)));
    }
    all.retain(|edit| edit.make(&mut canvas.clone()));
    all
}

/// Solves the puzzle after each single edit. `nodes` is the most states that are expanded for one of them.
#[must_use]
pub fn edits<'a>(canvas: Canvas<'a>, nodes: u64, limits: &Limits) -> Edits<'a> {
    edits_each(canvas, nodes, limits, &|_, _, _, _| {})
}

/// Does the same, and calls `each` with each edit as soon as its answer is known: in any order, from several threads.
#[must_use]
pub fn edits_each<'a>(
    canvas: Canvas<'a>,
    nodes: u64,
    limits: &Limits,
    each: &(dyn Fn(&Canvas, &SingleEdit, Answer, Effect) + Sync),
) -> Edits<'a> {
    let started = Instant::now();
    let within =
        |threads| Limits { nodes: Some(nodes), threads, ..limits.remaining(&Stats::default(), started.elapsed()) };
    let before = solve(canvas.puzzle(), &within(limits.threads));
    let edits = single_edits(&canvas);
    let mut numbers: HashMap<Vec<Vec<u16>>, usize> = HashMap::new();
    let mut drawings: Vec<Canvas> = Vec::new();
    let of_edit: Vec<usize> = edits
        .iter()
        .map(|edit| {
            let mut drawing = canvas.clone();
            edit.make(&mut drawing);
            *numbers.entry(drawing.cells().to_vec()).or_insert_with(|| {
                drawings.push(drawing);
                drawings.len() - 1
            })
        })
        .collect();
    let mut of_drawing: Vec<Vec<&SingleEdit>> = vec![Vec::new(); drawings.len()];
    for (edit, number) in edits.iter().zip(&of_edit) {
        of_drawing[*number].push(edit);
    }
    let answers: Vec<OnceLock<Answer>> = drawings.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let threads = limits.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
    scope(|scope| {
        for _ in 0..threads.min(drawings.len()) {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < drawings.len()) {
                    let limits = within(Some(NonZero::<usize>::MIN));
                    let answer = answer(&drawings[number], &canvas, &before, &limits);
                    let effect = Effect::between(before.answer, answer);
                    of_drawing[number].iter().for_each(|edit| each(&canvas, edit, answer, effect));
                    let _ = answers[number].set(answer);
                }
            });
        }
    });
    drop(of_drawing);
    let answer = |number: &usize| answers[*number].get().copied().unwrap_or(Answer::Limit { limit: Limit::Time });
    let edits: Vec<(SingleEdit, Answer)> = edits.into_iter().zip(of_edit.iter().map(answer)).collect();
    let ends = |answer: &Answer| match *answer {
        Answer::Limit { limit } if matches!(limit, Limit::Time | Limit::Memory | Limit::Interrupt) => Some(limit),
        _ => None,
    };
    let limit = edits.iter().map(|(_, answer)| answer).chain([&before.answer]).find_map(ends);
    Edits { canvas, before: before.answer, edits, limit }
}

/// Returns the answer for a drawing; `before` is that for the one that it comes from.
fn answer(drawing: &Canvas, from: &Canvas, before: &Solved, limits: &Limits) -> Answer {
    if let Some(limit) = limits.time.filter(|time| time.is_zero()).map(|_| Limit::Time) {
        return Answer::Limit { limit };
    }
    if let Some(answer) = Answer::unread(drawing, limits) {
        return answer;
    }
    let edited = match drawing.open(limits) {
        Ok(edited) => edited,
        Err(report) => return report.limit().map_or(Answer::Invalid, |limit| Answer::Limit { limit }),
    };
    let keeps = match before.answer {
        Answer::Solved { .. } => drawing.only_obstructs(from) && replays(&edited, &before.moves),
        Answer::Unsolvable => drawing.only_obstructs(from),
        Answer::Invalid | Answer::Limit { .. } => false,
    };
    if keeps { before.answer } else { solve(&edited, limits).answer }
}

/// Returns whether these moves solve a puzzle.
fn replays(puzzle: &Puzzle, moves: &[String]) -> bool {
    let Ok(mut space) = puzzle.space("zero") else { return false };
    for written in moves {
        let Some(next) = space.after(written, &[Notation::STANDARD]) else { return false };
        space = next;
    }
    space.is_goal()
}
