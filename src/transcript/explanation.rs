//! Explanations of searches as text.

use crate::plot::thousands;
use crate::puzzle::{Explanation, Solution, StageTaken};
use std::fmt::Write as _;

/// Returns why a search was chosen and what its parts saved, over several lines; empty if no explanation was asked for.
#[must_use]
pub fn explanation(solution: &Solution) -> String {
    let Some(Explanation { algorithm, heuristics, stages, refused, savings }) = solution.explanation() else {
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
    if stages.is_empty() {
        return out;
    }
    out += "What each part saved\n";
    if savings.is_empty() {
        out += "  nothing that is counted\n";
    }
    let counts: Vec<String> = savings.iter().map(|saving| thousands(saving.count)).collect();
    let width = counts.iter().map(String::len).max().unwrap_or(0);
    let names = savings.iter().map(|saving| saving.name.len()).max().unwrap_or(0);
    for (saving, count) in savings.iter().zip(counts) {
        let _ = writeln!(out, "  {:<names$}  {count:>width$} {}", saving.name, saving.text);
    }
    out
}

fn of_stage(stage: &StageTaken) -> String {
    let limit = stage.node_limit.map_or(String::new(), |limit| format!(" of at most {}", thousands(limit)));
    let guidance = stage.guidance.as_ref().map_or(String::new(), |guidance| format!("; {guidance}"));
    format!("{} states expanded{limit}{guidance}", thousands(stage.expanded))
}
