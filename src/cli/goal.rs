//! The goal beside a position, as text.

use crate::puzzle::GoalView;
use std::iter::once;
use unicode_width::UnicodeWidthStr;

/// The columns of text from which on drawings are below each other.
const WIDEST: usize = 80;

/// The columns between two drawings.
const GAP: usize = 3;

/// Returns a position with the drawings of the goal beside it, each below a heading; below it if they are too wide.
/// Without a drawing of the goal, returns the position alone.
pub(super) fn beside_goal(heading: &str, position: &str, goal: &GoalView) -> String {
    let headings = once("goal").chain(std::iter::repeat("or"));
    let drawings: Vec<(&str, &str)> = once((heading, position)).chain(headings.zip(goal.drawings())).collect();
    if drawings.len() == 1 {
        return position.to_owned();
    }
    let width = |&(heading, drawing): &(&str, &str)| drawing.lines().chain([heading]).map(UnicodeWidthStr::width).max();
    let widths: Vec<usize> = drawings.iter().map(|drawing| width(drawing).unwrap_or(0)).collect();
    if widths.iter().sum::<usize>() + GAP * (widths.len() - 1) > WIDEST {
        let all: Vec<String> = drawings.iter().map(|(heading, drawing)| format!("{heading}\n{drawing}")).collect();
        return all.join("\n");
    }
    let columns: Vec<Vec<&str>> =
        drawings.iter().map(|(heading, text)| once(*heading).chain(text.lines()).collect()).collect();
    let mut out = String::new();
    for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        let mut line = String::new();
        for (column, width) in columns.iter().zip(&widths) {
            let cell = column.get(row).copied().unwrap_or_default();
            line += cell;
            line.extend(std::iter::repeat_n(' ', width - cell.width() + GAP));
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// Returns the conditions of the goal that no drawing shows, a line for each alternative.
pub(super) fn conditions(goal: &GoalView) -> Vec<String> {
    goal.lines(|_| Vec::new())
}
