//! One line per puzzle, solved or not: the name of the file, the title, the outcome.

use super::{Columns, Content, Solved, Totals, TranscriptFormat, TranscriptWriter, outcome};
use crate::diagnostic::printable;
use crate::plot::text::{Keep, fit};
use unicode_width::UnicodeWidthStr;

/// The format `lines`.
pub const LINES: TranscriptFormat = TranscriptFormat {
    name: "lines",
    summary: "one line per puzzle, then their numbers",
    writer: TranscriptWriter {
        write_unsolved: Some(|out, unsolved| {
            let head = head(unsolved.file, unsolved.title, unsolved.columns);
            writeln!(out, "{head}{}", printable(unsolved.error.unwrap_or_default()))
        }),
        last_line: Some(Totals::line),
        has_moves: false,
        content: Content::Outcome,
        ..TranscriptWriter::new(|out, solved| writeln!(out, "{}", line(solved)))
    },
};

/// The greatest width of titles.
pub const MAX_TITLE: usize = 40;

fn line(&Solved { file, puzzle, solution, columns, .. }: &Solved) -> String {
    let time = if columns.time { format!("  {:.2} s", solution.time().as_secs_f64()) } else { String::new() };
    format!("{}{}{time}", head(file.file, puzzle.title(), columns), printable(&outcome(solution)))
}

/// Returns the name and the title in columns.
fn head(name: &str, title: &str, columns: Columns) -> String {
    let padded = |text: &str, width: usize| text.to_owned() + &" ".repeat(width.saturating_sub(text.width()));
    let name = padded(&printable(name), columns.name);
    let title = padded(&fit(&printable(title), MAX_TITLE, Keep::Start), columns.title);
    format!("{name}  {title}  ")
}
