//! Explanations of searches as text.

use super::Number;
use crate::plot::text::counted;
use crate::plot::thousands;
use crate::puzzle::{Changes, Explanation, Nearest, Remedy, Solution, StageTaken};
use std::fmt::Write as _;

/// Returns why a search was chosen and what its parts saved, over several lines; empty if no explanation was asked for.
#[must_use]
pub fn explanation(solution: &Solution) -> String {
    let Some(Explanation { algorithm, heuristics, stages, refused, savings, nearest, changes }) =
        solution.explanation()
    else {
        return String::new();
    };
    let mut out = "Why this search\n".to_owned();
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "  {name}: {text}");
    };
    line(solution.algorithm().name(), algorithm);
    if let Some(reason) = heuristics {
        line("heuristics", reason);
    }
    let is_alone = stages.len() == 1;
    for (number, stage) in (1..).zip(stages) {
        let name = stage.heuristic.unwrap_or("search");
        line(&if is_alone { name.to_owned() } else { format!("{number}. {name}") }, &of_stage(stage));
    }
    for one in refused {
        line(one.heuristic, &format!("does not suit: {}", one.reason));
    }
    if !savings.is_empty() {
        out += "What each part saved\n";
    }
    let counts: Vec<String> = savings.iter().map(|saving| thousands(saving.count)).collect();
    let width = counts.iter().map(String::len).max().unwrap_or(0);
    let names = savings.iter().map(|saving| saving.name.len()).max().unwrap_or(0);
    for (saving, count) in savings.iter().zip(counts) {
        let _ = writeln!(out, "  {:<names$}  {count:>width$} {}", saving.name, saving.text);
    }
    if let Some(Nearest { heuristic, h, moves, position }) = nearest {
        let h = Number(*h);
        let moves = counted(*moves as u64, "move");
        let _ = writeln!(out, "How near it comes to a goal\n  h {h} by {heuristic}, after {moves}, and never less:");
        for row in position.lines() {
            let _ = writeln!(out, "  {row}");
        }
    }
    if let Some(changes) = changes {
        out += "Changes that make it solvable\n";
        sentences(changes).iter().for_each(|sentence| out += &format!("  {sentence}\n"));
    }
    out
}

/// Returns the sentences on single changes: those that make the puzzle solvable, and how many were tried.
fn sentences(Changes { tried, has_more, undecided, most_states, found }: &Changes) -> Vec<String> {
    let of_remedy = |Remedy { change, moves, cost, .. }: &Remedy| {
        let (first, rest) = change.split_at(change.chars().next().map_or(0, char::len_utf8));
        let cost = cost.filter(|&cost| Some(cost) != moves.map(|moves| moves as f64));
        let cost = cost.map_or(String::new(), |cost| format!(", at cost {}", Number(cost)));
        let moves = moves.map_or(String::new(), |moves| format!(" in {}", counted(moves as u64, "move")));
        format!("{}{rest} it can be solved{moves}{cost}.", first.to_uppercase())
    };
    let mut sentences: Vec<String> = found.iter().map(of_remedy).collect();
    if found.is_empty() {
        sentences.push("No single change that was tried makes it solvable.".to_owned());
    }
    let changes = match (*tried, *has_more) {
        (1, false) => "the only single change".to_owned(),
        (_, false) => format!("all {} single changes", thousands(*tried)),
        (1, true) => "the first single change".to_owned(),
        (_, true) => format!("the first {} single changes", thousands(*tried)),
    };
    let undecided = match undecided {
        0 => String::new(),
        number => format!("; {} had no answer after {} states", thousands(*number), thousands(*most_states)),
    };
    sentences.push(format!("Tried {changes}{undecided}."));
    sentences
}

fn of_stage(stage: &StageTaken) -> String {
    let limit = stage.node_limit.map_or(String::new(), |limit| format!(" of at most {}", thousands(limit)));
    let guidance = stage.guidance.as_ref().map_or(String::new(), |guidance| format!("; {guidance}"));
    format!("{} states expanded{limit}{guidance}", thousands(stage.expanded))
}
