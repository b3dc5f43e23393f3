//! Checks of heuristics, as text and as JSON.

use super::Number;
use crate::puzzle::{CounterExample, HeuristicCheck, Measured, Relation, Sample};
use serde::Serialize;
use std::fmt::Write;

/// A check in JSON.
#[derive(Serialize)]
pub struct HeuristicsRow<'a> {
    whole: bool,
    sample: Option<SampleRow>,
    positions: usize,
    solvable: usize,
    heuristics: Vec<MeasuredRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unbuilt: Vec<UnbuiltRow<'a>>,
}

#[derive(Serialize)]
struct SampleRow {
    seed: u64,
    solved: usize,
    unsolved: usize,
}

#[derive(Serialize)]
struct UnbuiltRow<'a> {
    name: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct MeasuredRow<'a> {
    name: &'a str,
    of_file: bool,
    admissible: Option<bool>,
    consistent: Option<bool>,
    overestimates: u64,
    drops: u64,
    mean_h: Number,
    mean_error: Number,
    undefined: u64,
    negative: u64,
    too_large: u64,
    equal: Vec<&'a str>,
    dominates: Vec<&'a str>,
    dominated_by: Vec<&'a str>,
    counter_example: Option<CounterExampleRow<'a>>,
}

#[derive(Serialize)]
struct CounterExampleRow<'a> {
    moves: &'a [String],
    position: &'a str,
    h: Number,
    cost: Number,
    #[serde(rename = "move")]
    action: Option<&'a str>,
    move_cost: Option<Number>,
    h_after: Option<Number>,
}

/// Returns a check as a JSON object.
#[must_use]
pub fn heuristics_row(check: &HeuristicCheck) -> HeuristicsRow<'_> {
    HeuristicsRow {
        whole: check.sample.is_none(),
        sample: check.sample.map(|Sample { seed, solved, unsolved }| SampleRow { seed, solved, unsolved }),
        positions: check.positions,
        solvable: check.solvable,
        heuristics: check.heuristics.iter().map(|one| measured_row(one, check.sample.is_none())).collect(),
        unbuilt: check.unbuilt.iter().map(|(name, reason)| UnbuiltRow { name, reason }).collect(),
    }
}

fn measured_row(one: &Measured, is_whole: bool) -> MeasuredRow<'_> {
    // A sample without exceptions decides nothing.
    let decided = |exceptions: u64| (is_whole || exceptions > 0).then_some(exceptions == 0);
    let [undefined, negative, too_large] = one.changed;
    MeasuredRow {
        name: one.heuristic.name,
        of_file: one.heuristic.is_of_file(),
        admissible: decided(one.overestimates),
        consistent: decided(one.drops),
        overestimates: one.overestimates,
        drops: one.drops,
        mean_h: Number(one.mean).rounded(),
        mean_error: Number(one.mean_error).rounded(),
        undefined,
        negative,
        too_large,
        equal: related(one, Relation::Equal),
        dominates: related(one, Relation::Dominates),
        dominated_by: related(one, Relation::Dominated),
        counter_example: one.counter_example.as_ref().map(|CounterExample { moves, position, h, cost, drop }| {
            CounterExampleRow {
                moves,
                position,
                h: Number(*h),
                cost: Number(*cost),
                action: drop.as_ref().map(|(name, ..)| name.as_str()),
                move_cost: drop.as_ref().map(|(_, cost, _)| Number(*cost)),
                h_after: drop.as_ref().map(|(.., after)| Number(*after)),
            }
        }),
    }
}

fn related(one: &Measured, wanted: Relation) -> Vec<&'static str> {
    one.relations.iter().filter(|(_, relation)| *relation == wanted).map(|(name, _)| *name).collect()
}

/// Returns a check as text.
#[must_use]
pub fn heuristics_text(file: &str, check: &HeuristicCheck) -> String {
    let mut out = String::new();
    let solvable = match check.solvable == check.positions {
        true => String::new(),
        false => format!(", {} of them can reach a goal", check.solvable),
    };
    let positions = check.positions;
    let _ = match check.sample {
        None => writeln!(out, "{file}: heuristics in all {positions} positions that can be reached{solvable}"),
        Some(Sample { seed, solved, unsolved }) => writeln!(
            out,
            "{file}: heuristics in a sample of {positions} positions, on {solved} shortest solutions (seed {seed}; \
             {unsolved} left out): no proof, only a search for counter-examples"
        ),
    };
    let good = if check.sample.is_none() { "yes" } else { "not refuted" };
    let word = |exceptions: u64| if exceptions == 0 { good.to_owned() } else { format!("no, {exceptions}") };
    let heads = ["HEURISTIC", "ADMISSIBLE", "CONSISTENT", "MEAN H", "MEAN ERROR"].map(str::to_owned);
    let row = |one: &Measured| {
        [
            one.heuristic.name.to_owned(),
            word(one.overestimates),
            word(one.drops),
            format!("{:.3}", one.mean),
            format!("{:.3}", one.mean_error),
        ]
    };
    let rows: Vec<[String; 5]> = std::iter::once(heads).chain(check.heuristics.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    for [name, admissible, consistent, mean, error] in &rows {
        let [a, b, c, d, e] = widths;
        let _ = writeln!(out, "{name:<a$}  {admissible:<b$}  {consistent:<c$}  {mean:>d$}  {error:>e$}");
    }
    for (name, reason) in &check.unbuilt {
        let _ = writeln!(out, "{name}: cannot be built: {reason}");
    }
    for one in check.heuristics.iter().filter(|one| one.heuristic.is_of_file()) {
        out += &of_file(one, check.sample.is_none());
    }
    out
}

/// Returns the lines about a heuristic of the file.
fn of_file(one: &Measured, is_whole: bool) -> String {
    let name = one.heuristic.name;
    let within = if is_whole { "" } else { " in the sample" };
    let groups = [
        (Relation::Equal, "equals"),
        (Relation::Dominates, "dominates"),
        (Relation::Dominated, "is dominated by"),
        (Relation::Neither, "is sometimes above and sometimes below"),
    ];
    let groups = groups.iter().map(|(relation, words)| (words, related(one, *relation)));
    let groups = groups.filter(|(_, names)| !names.is_empty());
    let groups: Vec<String> = groups.map(|(words, names)| format!("{words} {}", names.join(", "))).collect();
    let mut out = String::new();
    if !groups.is_empty() {
        let _ = writeln!(out, "{name}{within}: {}", groups.join("; "));
    }
    let changes = ["undefined, so h is 0", "negative, so h is 0", "above 1,000,000, so h is that"];
    for (number, words) in one.changed.iter().zip(changes).filter(|(number, _)| **number > 0) {
        let _ = writeln!(out, "{name}: the value is {words}, in {}", counted(*number as usize, "position"));
    }
    let Some(CounterExample { moves, position, h, cost, drop }) = &one.counter_example else { return out };
    let after = match moves.len() {
        0 => "at the start".to_owned(),
        1..=20 if moves.iter().any(|name| name.contains(' ')) => format!("after {}", moves.join(", ")),
        1..=20 => format!("after {}", moves.join(" ")),
        more => format!("after {more} moves"),
    };
    let (h, cost) = (Number(*h).rounded(), Number(*cost).rounded());
    let smallest = if is_whole { "the smallest counter-example" } else { "the smallest counter-example found" };
    let _ = match drop {
        None => {
            let truth = if cost.0 == 0.0 { "it is a goal".to_owned() } else { format!("a goal is only {cost} away") };
            writeln!(out, "{name} is not admissible; {smallest}, {after}: h is {h}, but {truth}")
        }
        Some((action, step, to)) => {
            let (step, to) = (Number(*step).rounded(), Number(*to).rounded());
            let lower = format!("the move {action} of cost {step} lowers h from {h} to {to}");
            writeln!(out, "{name} is not consistent; {smallest}, {after}: {lower}")
        }
    };
    out += position;
    out
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
