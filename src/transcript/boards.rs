//! Every position in the domain's plain format.

use super::{BlankLine, Solved, TranscriptFormat, TranscriptWriter, each_route, each_step};
use crate::puzzle::Style;
use std::io::{self, Write};
use std::mem::replace;

/// The format `boards`.
pub const BOARDS: TranscriptFormat = TranscriptFormat {
    name: "boards",
    summary: "every position in the plain format of the domain",
    writer: TranscriptWriter { blank_line: BlankLine::Always, ..TranscriptWriter::new(write) },
};

fn write(out: &mut dyn Write, &Solved { solution, notation, .. }: &Solved) -> io::Result<()> {
    let mut follows_another = false;
    each_route(solution, |_, route| {
        each_step(route, notation, Style::Plain, |_, step| {
            let blank_line = if replace(&mut follows_another, true) { "\n" } else { "" };
            write!(out, "{blank_line}{}", step.position)
        })
    })
}
