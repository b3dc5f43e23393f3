//! Markdown: the exercises, then the answers.

use super::{Board, SheetFormat, Worksheet};
use crate::output_format::OutputFormat;
use std::fmt::Write as _;

/// The format Markdown.
pub(super) const MARKDOWN: SheetFormat =
    OutputFormat { name: "md", summary: "Markdown, with the boards as text", writer: write };

/// The characters that mean something to Markdown within a line.
const SPECIAL: &str = "\\`*_{}[]<>#|~&";

fn write(sheet: &Worksheet) -> String {
    let mut out = format!("# {}\n", escaped(&sheet.title));
    for (number, exercise) in (1..).zip(&sheet.exercises) {
        let task = &exercise.task;
        let _ = writeln!(out, "\n## {number}. {}\n\n{}", escaped(&exercise.title), escaped(&task.question));
        for Board { caption, text, .. } in &task.boards {
            let _ = writeln!(out, "\n{}:\n", escaped(caption));
            text.lines().for_each(|line| out += &format!("    {line}\n"));
        }
        for condition in &task.conditions {
            let _ = writeln!(out, "\nGoal: {}", escaped(condition));
        }
    }
    out += "\n## Answers\n";
    for (number, exercise) in (1..).zip(&sheet.exercises) {
        for (paragraph, answer) in exercise.task.answer.iter().enumerate() {
            let mark = if paragraph == 0 { format!("\n{number}. ") } else { "\n   ".to_owned() };
            let _ = writeln!(out, "{mark}{}", escaped(answer));
        }
    }
    out
}

/// Returns text in which no character means anything to Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if SPECIAL.contains(letter) {
            out.push('\\');
        }
        out.push(if letter == '\n' { ' ' } else { letter });
    }
    out
}
