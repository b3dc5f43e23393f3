//! A generated level, and how far it is from what is wanted.

use crate::domain::Scrambled;
use crate::puzzle::{Puzzle, edited};
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::Value;

/// A candidate whose cost is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Level {
    /// The board, in the form of the way that made it.
    pub board: String,
    /// The board before what was superfluous was taken away, if that was done: its changes are more often as wanted.
    pub whole: Option<String>,
    /// The least cost of a solution; `None` if it is proven that there is none.
    pub cost: Option<f64>,
    /// The difficulty, if it was asked for.
    pub rating: Option<f64>,
    /// The successors of a state, on average.
    pub branching: f64,
    /// The share of states that are dead ends, if it was measured.
    pub dead: f64,
    /// Zero if the level is as wanted, otherwise the distance from it.
    pub gap: f64,
    /// What it lacks, in words; empty if it is as wanted.
    pub lacks: String,
}

impl Level {
    /// Returns the level's place in the order by difficulty.
    pub fn difficulty(&self) -> f64 {
        self.rating.or(self.cost).unwrap_or(0.0)
    }
}

/// Returns the text of a level's file: without the template's table, with its origin and with claims.
pub(super) fn file(template: &Puzzle, text: &str, number: usize, seed: u64, level: &Level) -> String {
    let name = Path::new(template.name()).file_name().unwrap_or_default().to_string_lossy();
    let rating = level.rating.map_or(String::new(), |rating| format!(", rating {rating:.2}"));
    let origin = format!("generated from {name} with seed {seed}{rating}");
    // A domain may give `source` another meaning; then the origin is a comment.
    let has_own_source = template.domain().keys.iter().any(|key| key.name == "source");
    let (replaced, keys): (&'static [_], _) = match has_own_source {
        true => (&["generate"], format!("# {}", origin.escape_debug())),
        false => (&["source", "generate"], format!("source = {}", Value::String(origin))),
    };
    let title = format!("{} {number}", template.title());
    let text = edited(text, &Scrambled { replaced, keys }, &title);
    let is_unique = template.template().is_some_and(|wants| wants.unique);
    let unique = if is_unique { "unique = true\n" } else { "" };
    let claims = match level.cost {
        Some(cost) => format!("outcome = \"solved\"\ncost = {cost}\n{unique}"),
        None => "outcome = \"unsolvable\"\n".to_owned(),
    };
    format!("{text}\n[expect]\n{claims}")
}
