//! An iteration of IDA* by hand: the threshold, the visits in their order, what is cut, the next threshold.

use super::record::{Step, is_cut, record};
use super::{Kind, Material, Task};
use crate::search::{Algorithm, StepKind};
use crate::transcript::Number;

/// The kind `iteration`.
pub(super) const ITERATION: Kind = Kind { name: "iteration", summary: "trace an iteration of IDA*", make };

/// The most visits and cuts that are asked for.
const MOST: usize = 24;

fn make(material: &Material) -> Result<Task, String> {
    let heuristic = material.heuristics()?.pop().unwrap_or("zero");
    let iterations = record(material, Algorithm::IdaStar, heuristic)?;
    let suits = |steps: &[Step]| {
        let visited = steps.iter().filter(|step| step.kind == StepKind::Expanded).count();
        let cut = steps.iter().filter(|step| is_cut(step)).count();
        visited >= 1 && cut >= 1 && visited + cut <= MOST
    };
    let found = iterations.iter().enumerate().filter(|(_, one)| one.is_whole && suits(&one.steps));
    // The longest that fits on paper.
    let Some((number, iteration)) = found.max_by_key(|(_, one)| one.steps.len()) else {
        // The last iteration has a goal, and nothing to continue with.
        let reason = match iterations.len() {
            1 => "the first iteration of IDA* finds the goal: h at the start is the cost",
            _ => "IDA* has no iteration short enough for paper",
        };
        return Err(reason.to_owned());
    };
    let mut path: Vec<(Option<u64>, &str)> = Vec::new();
    let mut visits = Vec::new();
    for step in &iteration.steps {
        let parent = path.iter().position(|(node, _)| *node == step.parent).map_or(0, |at| at + 1);
        let way = |path: &[(Option<u64>, &str)]| {
            let names = path.iter().map(|(_, written)| *written).chain([&*step.written]);
            names.filter(|written| !written.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let f = format!("f = {} + {} = {}", Number(step.g), Number(step.h), Number(step.f));
        match step.kind {
            StepKind::Expanded => {
                let way = way(&path[..parent]);
                visits.push(format!("{}: {f}", if way.is_empty() { "start" } else { &way }));
                path.truncate(parent);
                path.push((step.node, &step.written));
            }
            _ if is_cut(step) => visits.push(format!("{}: f = {}, cut", way(&path[..parent]), Number(step.f))),
            _ => {}
        }
    }
    let least = iteration.steps.iter().filter(|step| is_cut(step)).map(|step| step.f).fold(f64::INFINITY, f64::min);
    let mut answer = vec![format!("Threshold {}. Visits:", Number(iteration.threshold))];
    answer.extend(visits);
    answer.push(format!("The next threshold is {}.", Number(least)));
    let ordinal = match number {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        more => format!("{}th", more + 1),
    };
    let legal = material.start()?.legal_moves(material.puzzle.domain().notations[0]).join(", ");
    let (boards, conditions) = material.boards()?;
    Ok(Task {
        question: format!(
            "Trace the {ordinal} iteration of IDA* with {heuristic}: its threshold, the positions that it visits in their order \
             with f = g + h, the moves that are cut, and the next threshold. Moves are tried in the order of the engine; at \
             the start: {legal}."
        ),
        boards,
        conditions,
        room: 6,
        answer,
    })
}
