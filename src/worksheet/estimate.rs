//! Compute h: the values of heuristics at the start are asked for.

use super::{Kind, Material, Task};
use crate::argument::listed;
use crate::transcript::Number;

/// The kind `h`.
pub(super) const H: Kind = Kind { name: "h", summary: "compute heuristic values of the start", make };

fn make(material: &Material) -> Result<Task, String> {
    let mut values = Vec::new();
    for name in material.heuristics()? {
        let h = material.puzzle.h_after(&[], name, material.limits).map_err(|error| error.to_string())?;
        let h = h.map_err(|limit| format!("stopped by the limit on {}", limit.name()))?;
        let value = if h.is_finite() { Number(h).to_string() } else { "infinite".to_owned() };
        values.push((name, value));
    }
    let names: Vec<String> = values.iter().map(|(name, _)| (*name).to_owned()).collect();
    let (boards, conditions) = material.boards()?;
    Ok(Task {
        question: format!("Compute h at the start by {}.", listed(&names, names.len())),
        boards,
        conditions,
        room: values.len(),
        answer: values.iter().map(|(name, value)| format!("h ({name}) = {value}")).collect(),
    })
}
