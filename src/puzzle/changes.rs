//! Single changes of a start that make an unsolvable puzzle solvable: a wall or a piece less, two tiles swapped.
//!
//! Each change is an edit of the file, and the puzzle that comes of it is solved. All bounds are counts, so that the
//! answer is the same on every machine; a limit on time or memory ends the work without an answer.

use super::warnings::Origin;
use super::{Loading, Options, Outcome, Puzzle};
use crate::diagnostic::{Diagnostic, Report};
use crate::domain::{BuildContext, Change, Drawn, Edit, SplitMix64, Starts};
use crate::search::{Limit, Limits};
use serde::Serialize;
use std::borrow::Cow;
use std::num::NonZero;
use std::path::Path;

/// The most states that are expanded for a change.
const MOST_STATES: u64 = 10_000;

/// The most expanded states for a change times the bytes of the file: a large board has large states.
const MOST_STATE_BYTES: u64 = 1 << 30;

/// The expanded states after which no further change is tried.
const MOST_STATES_IN_ALL: u64 = 400_000;

/// The most changes that are tried.
const MOST_CHANGES: usize = 200;

/// The most bytes of edited files that are read.
const MOST_BYTES: usize = 64 << 20;

/// The most changes that are reported.
const MOST_FOUND: usize = 3;

/// The single changes that make a puzzle solvable. They are tried in reading order, until three are found.
#[derive(Clone, Debug, Serialize)]
pub struct Changes {
    /// The number of changes that were tried: those after which the file is still valid.
    pub tried: u64,
    /// True if there are more changes, which were not tried.
    pub has_more: bool,
    /// The number of changes after which the search was given up.
    pub undecided: u64,
    /// The number of expanded states after which a search is given up.
    pub most_states: u64,
    /// The changes that make it solvable. Those after which the start is a goal are left out.
    pub found: Vec<Remedy>,
}

/// A change that makes a puzzle solvable.
#[derive(Clone, Debug, Serialize)]
pub struct Remedy {
    /// The change, in words that begin a sentence: `without the wall at row 3, column 4`.
    pub change: String,
    /// The edit of the file.
    pub edit: Edit,
    /// The number of moves of the solution; `None` if only its existence is proven.
    pub moves: Option<usize>,
    /// The cost of the solution.
    pub cost: Option<f64>,
}

/// Whether a puzzle has a solution after a change.
enum Verdict {
    Solvable(Remedy),
    /// It has no solution, or its start is a goal.
    Useless,
    Undecided,
}

impl Puzzle {
    /// Returns the puzzle whose file is that of this one after an edit. It is read by the same options, within these
    /// limits.
    ///
    /// # Errors
    /// The file has no such cells or place, or has mistakes after the edit: each of them, with its place.
    pub fn edited(&self, edit: &Edit, limits: &Limits) -> Result<Puzzle, Report> {
        let absent = || Diagnostic::whole("the puzzle file has no such cells or places to edit");
        let text = edit.applied(&self.file_text());
        self.reread(text.ok_or_else(|| Report::new(&self.text.origin.name, "", vec![absent()]))?, limits)
    }

    /// Returns the text of the puzzle file; that of a level of a collection is written as one.
    #[must_use]
    pub fn file_text(&self) -> Cow<'_, str> {
        self.text.origin.text.text()
    }

    /// Returns the name in errors: the path of the file, and for a level `#` and its number.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text.origin.name
    }

    /// Returns the drawings of the start that may be varied.
    #[must_use]
    pub fn drawn(&self) -> Vec<Drawn> {
        self.instance.drawn()
    }

    /// Returns the starts that differ by the symbols of these drawings, if the domain can solve them without reading a file
    /// for each.
    pub(crate) fn starts(&self, limits: &Limits) -> Option<Box<dyn Starts>> {
        self.instance.starts(&BuildContext::within(limits))
    }

    /// Returns the puzzle whose file has another text in place of this one's. It is read by the same options, within
    /// these limits.
    ///
    /// # Errors
    /// The text has mistakes: each of them, with its place.
    pub fn reread(&self, text: String, limits: &Limits) -> Result<Puzzle, Report> {
        let origin = &self.text.origin;
        let loading = Loading { limits: limits.clone(), options: self.options.clone() };
        let edited = Origin::file(&origin.name, text.into());
        loading.read(&edited, Path::new(&origin.file), None, &BuildContext::within(limits))
    }

    /// Returns the single changes that make the puzzle solvable after these moves; `None` if the domain knows no change,
    /// or if a limit on time or memory ends the work.
    pub(super) fn changes(&self, after: &[String], context: &BuildContext) -> Option<Changes> {
        let bytes = self.text.origin.text.text().len();
        let most = MOST_CHANGES.min(MOST_BYTES / bytes.max(1)).max(1);
        let most_states = MOST_STATES.min(MOST_STATE_BYTES / bytes.max(1) as u64).max(1);
        let mut changes = Changes { tried: 0, has_more: false, undecided: 0, most_states, found: Vec::new() };
        let mut expanded = 0;
        let mut proposed = self.instance.changes().peekable();
        for change in proposed.by_ref().take(most) {
            let limits = Limits {
                time: context.stop.left(),
                memory: context.limits.memory,
                resident: context.limits.resident,
                declared: context.limits.declared.clone(),
                interrupt: context.limits.interrupt.clone(),
                nodes: Some(most_states),
                // The states that several threads expand before they stop depend on the machine.
                threads: Some(NonZero::<usize>::MIN),
                ..Limits::default()
            };
            let edited = match self.edited(&change.edit, &limits) {
                Ok(edited) => edited,
                Err(report) if report.limit().is_some() => return None,
                Err(_) => continue,
            };
            let options = Options { after: after.to_vec(), limits, ..Options::default() };
            let (verdict, states) = edited.verdict_on(change, &options)?;
            match verdict {
                Verdict::Solvable(remedy) => changes.found.push(remedy),
                Verdict::Undecided => changes.undecided += 1,
                Verdict::Useless => {}
            }
            changes.tried += 1;
            expanded += states;
            if changes.found.len() == MOST_FOUND || expanded >= MOST_STATES_IN_ALL {
                break;
            }
        }
        changes.has_more = proposed.peek().is_some();
        (changes.tried > 0).then_some(changes)
    }

    /// Returns the puzzle after a single change, drawn at random, that leaves no solution, where that is known without a
    /// search; `None` if none of the first changes does.
    pub fn unsolvable_change(&self, random: &mut SplitMix64, limits: &Limits) -> Option<Puzzle> {
        if !self.is_decided() {
            return None;
        }
        let mut changes: Vec<Change> = self.instance.changes().take(MOST_CHANGES).collect();
        while !changes.is_empty() {
            let change = changes.swap_remove(random.below(changes.len() as u64) as usize);
            match self.edited(&change.edit, limits) {
                Ok(edited) if edited.unsolvable().is_some() => return Some(edited),
                Ok(_) => {}
                Err(report) if report.limit().is_some() => return None,
                Err(_) => {}
            }
        }
        None
    }

    /// Returns what is known of this puzzle, which comes of a change, and the number of states that were expanded; `None`
    /// if a limit on time or memory ends the work.
    fn verdict_on(&self, Change { words, edit }: Change, options: &Options) -> Option<(Verdict, u64)> {
        let Ok(solution) = self.solve(options) else { return Some((Verdict::Undecided, 0)) };
        let moves = solution.route().map(|_| solution.moves().len());
        let remedy = |moves, cost| Verdict::Solvable(Remedy { change: words, edit, moves, cost });
        let verdict = match (solution.outcome(), solution.limit()) {
            (_, Some(Limit::Time | Limit::Memory | Limit::Interrupt)) => return None,
            (Outcome::Solved, _) if moves == Some(0) => Verdict::Useless,
            (Outcome::Solved, _) => remedy(moves, solution.cost()),
            (Outcome::Unsolvable, _) => Verdict::Useless,
            (Outcome::Limit, _) if self.is_decided() && self.unsolvable().is_none() => remedy(None, None),
            (Outcome::Limit, _) => Verdict::Undecided,
        };
        Some((verdict, solution.stats().expanded))
    }
}
