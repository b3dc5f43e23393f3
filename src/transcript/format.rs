//! What the formats of solutions have in common.

use super::file_argument::FileArgument;
use super::totals::Totals;
use crate::output_format::OutputFormat;
use crate::puzzle::{Notation, Puzzle, Solution};
use crate::search::Limit;
use std::io::{self, Write};

/// A format of solutions.
pub type TranscriptFormat = OutputFormat<TranscriptWriter>;

/// Writes why a puzzle has no solution.
pub type WriteUnsolved = fn(&mut dyn Write, &Unsolved) -> io::Result<()>;

/// The writer of a format of solutions, and what sets it apart.
pub struct TranscriptWriter {
    /// Writes a solution.
    pub write: fn(&mut dyn Write, &Solved) -> io::Result<()>,
    /// Writes why a puzzle has no solution, if the format has room for it.
    pub write_unsolved: Option<WriteUnsolved>,
    /// Returns the last line, about this number of puzzles, if the format has one.
    pub last_line: Option<fn(&Totals, usize) -> String>,
    /// Returns commands that show more of a solution, if the format ends with some.
    pub hints: Option<fn(&Solved) -> String>,
    /// The notation of its moves; `None` for the one that is chosen.
    pub notation: Option<Notation>,
    /// False if it omits the moves.
    pub has_moves: bool,
    /// What it contains beside the moves; standard error receives the rest.
    pub content: Content,
    /// Where a blank line separates two solutions.
    pub blank_line: BlankLine,
}

impl TranscriptWriter {
    /// A format of moves alone.
    pub(super) const fn new(write: fn(&mut dyn Write, &Solved) -> io::Result<()>) -> TranscriptWriter {
        TranscriptWriter {
            write,
            write_unsolved: None,
            last_line: None,
            hints: None,
            notation: None,
            has_moves: true,
            content: Content::Moves,
            blank_line: BlankLine::Never,
        }
    }
}

impl TranscriptFormat {
    /// Writes a solution.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write, solved: &Solved) -> io::Result<()> {
        (self.writer.write)(out, &Solved { notation: self.writer.notation.unwrap_or(solved.notation), ..*solved })
    }

    /// Returns a solution as text.
    #[must_use]
    pub fn text(&self, solved: &Solved) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.write(&mut text, solved);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The content of a format; each level includes those before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Moves or positions alone.
    Moves,
    /// How the search ended.
    Outcome,
    /// The number of shortest solutions.
    Count,
    /// The explanation of the search.
    Explanation,
}

/// The places of blank lines between solutions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BlankLine {
    /// Nowhere.
    Never,
    /// Between all.
    Always,
    /// Around each solution with one move a line.
    AroundLists,
}

/// A solution to write, and how.
#[derive(Clone, Copy)]
pub struct Solved<'a> {
    /// The name of the file, with the options of reading it.
    pub file: FileArgument<'a>,
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// Its solution.
    pub solution: &'a Solution,
    /// The notation of the moves.
    pub notation: Notation,
    /// The terminal that summaries are made for.
    pub terminal: Terminal,
    /// The layout of lines.
    pub columns: Columns,
}

impl<'a> Solved<'a> {
    /// A solution to write in the standard notation for no terminal.
    #[must_use]
    pub fn new(file: &'a str, puzzle: &'a Puzzle, solution: &'a Solution) -> Solved<'a> {
        Solved {
            file: FileArgument { file, options: "" },
            puzzle,
            solution,
            notation: Notation::STANDARD,
            terminal: Terminal::default(),
            columns: Columns::default(),
        }
    }
}

/// The terminal that a summary is made for.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The width of the terminal in columns.
    pub columns: usize,
    /// The height of the terminal in lines; `None` if there is no terminal.
    pub lines: Option<usize>,
    /// True to use colours.
    pub colour: bool,
}

impl Default for Terminal {
    /// Returns the settings for output that is not a terminal: 80 columns without colours.
    fn default() -> Terminal {
        Terminal { columns: 80, lines: None, colour: false }
    }
}

impl Terminal {
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The layout of lines about several puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns {
    /// The width of names.
    pub name: usize,
    /// The width of titles.
    pub title: usize,
    /// True if lines end with the time.
    pub time: bool,
}

/// The facts about a puzzle that was not solved because of an error, or whose search was ended from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsolved<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The title, if it is known before the puzzle is read.
    pub title: &'a str,
    /// The error; `None` if there was none.
    pub error: Option<&'a str>,
    /// The layout of lines.
    pub columns: Columns,
    /// The limit that ended it; `None` if there was an error.
    pub limit: Option<Limit>,
    /// A proven lower bound on the cost of every solution.
    pub lower_bound: f64,
    /// The algorithm in progress.
    pub algorithm: Option<&'a str>,
    /// Its heuristic.
    pub heuristic: Option<&'a str>,
    /// The states that it had expanded.
    pub expanded: u64,
    /// The time that it had taken.
    pub seconds: f64,
}
