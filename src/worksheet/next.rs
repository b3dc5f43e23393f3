//! Which node is expanded next? The open positions of A* are drawn at a moment when one of them alone has the least f.

use super::record::{Step, record};
use super::{Board, Kind, Material, Task};
use crate::search::{Algorithm, StepKind};
use crate::transcript::Number;
use std::collections::BTreeMap;

/// The kind `next`.
pub(super) const NEXT: Kind = Kind { name: "next", summary: "say which position A* expands next", make };

/// The expansions before the question, at least, and the open positions, at least and at most.
const EXPANSIONS: usize = 2;
const OPEN: std::ops::RangeInclusive<usize> = 3..=8;

fn make(material: &Material) -> Result<Task, String> {
    let heuristic = material.heuristics()?.pop().unwrap_or("zero");
    let mut iterations = record(material, Algorithm::AStar, heuristic)?;
    let steps = iterations.pop().map(|iteration| iteration.steps).unwrap_or_default();
    let Some((expansions, open, next)) = moment(&steps) else {
        return Err("A* has no moment at the beginning at which one open position alone is best".to_owned());
    };
    let (mut boards, conditions) = material.boards()?;
    let letters = ('a'..='z').map(String::from);
    let mut answer = Vec::new();
    for (letter, step) in letters.zip(&open) {
        let board = step.board.as_ref().ok_or("a position cannot be drawn")?;
        let caption = format!("{letter}: g = {}", Number(step.g));
        boards.push(Board { caption, text: board.text.clone(), picture: board.picture.clone() });
        let h = if step.h.is_finite() { Number(step.h).to_string() } else { "infinity".to_owned() };
        let is_next = if step.node == next { ", the least: it is expanded next" } else { "" };
        answer.push(format!("{letter}: f = g + h = {} + {h} = {}{is_next}", Number(step.g), Number(step.f)));
    }
    let positions = if expansions == 1 { "1 position".to_owned() } else { format!("{expansions} positions") };
    Ok(Task {
        question: format!(
            "A* with {heuristic} has expanded {positions}. The positions with letters are open, with the cost g of the way \
             to them. Which one is expanded next? Compute f = g + h for each."
        ),
        boards,
        conditions,
        room: 2,
        answer,
    })
}

/// Returns the first moment at which one open position alone has the least f: the number of expansions before, the open
/// positions in the order in which they were reached, and the number of the one that is expanded next.
fn moment(steps: &[Step]) -> Option<(usize, Vec<&Step>, Option<u64>)> {
    let mut open: BTreeMap<Option<u64>, &Step> = BTreeMap::new();
    let mut expansions = 0;
    for step in steps {
        match step.kind {
            StepKind::Generated | StepKind::Reopened => _ = open.insert(step.node, step),
            StepKind::Expanded => {
                let least = open.values().map(|step| step.f).fold(f64::INFINITY, f64::min);
                let is_alone = open.values().filter(|step| step.f <= least).count() == 1;
                if expansions >= EXPANSIONS && OPEN.contains(&open.len()) && is_alone && open.contains_key(&step.node) {
                    return Some((expansions, open.into_values().collect(), step.node));
                }
                open.remove(&step.node);
                expansions += 1;
            }
            StepKind::Goal => return None,
            StepKind::Duplicate | StepKind::Pruned(_) => {}
        }
    }
    None
}
