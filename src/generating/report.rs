//! What a run found, as JSON.

use super::{Generator, Level};
use crate::search::Limit;
use crate::transcript::Number;
use serde::Serialize;

/// The fields of the JSON of a run.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    seed: u64,
    candidates: u64,
    hopeless: u64,
    /// The share of the work that is done, if there is an end.
    share: Option<f64>,
    /// The numbers of candidates as wanted, with their costs.
    found: Vec<(u64, u64)>,
    limit: Option<&'static str>,
    levels: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    file: Option<String>,
    cost: Option<Number>,
    rating: Option<f64>,
}

impl Generator<'_> {
    /// Returns what the run found as a value to be written as JSON: its levels, with the names of their files if they were
    /// written, and the limit that ended it.
    pub fn report(&self, levels: &[Level], files: &[String], limit: Option<Limit>) -> impl Serialize {
        let (candidates, hopeless) = self.tried();
        let row = |(number, level): (usize, &Level)| Row {
            file: files.get(number).cloned(),
            cost: level.cost.map(Number),
            rating: level.rating,
        };
        Report {
            file: self.template.name(),
            seed: self.task.seed,
            candidates,
            hopeless,
            share: self.share(),
            found: self.found().collect(),
            limit: limit.map(Limit::name),
            levels: levels.iter().enumerate().map(row).collect(),
        }
    }
}
