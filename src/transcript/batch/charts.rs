//! The charts of a batch: curves by depth, cactus, scatter of two searches, boxes.

use super::table::name;
use super::{Batch, Depth, Search, SearchRow, searches, summaries};
use crate::plot::{Axis, BoxChart, Series, XyChart, thousands};
use crate::transcript::compare::power_of_time;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A kind of chart.
pub struct Chart {
    /// The name: the value of `--chart`.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// The number of searches that it compares, if that is fixed.
    pub searches: Option<usize>,
    /// Writes it as SVG.
    pub writer: fn(&mut dyn Write, &Batch) -> io::Result<()>,
}

/// All kinds of charts.
pub const CHARTS: &[&Chart] = &[
    &Chart {
        name: "depth",
        summary: "curves: the mean of the generated states by the depth of the solution",
        searches: None,
        writer: write_curves,
    },
    &Chart {
        name: "cactus",
        summary: "how many puzzles each search solves within a time, or with --no-times within a number of states",
        searches: None,
        writer: write_cactus,
    },
    &Chart {
        name: "scatter",
        summary: "a point per puzzle: the states that one search generates, and those of another",
        searches: Some(2),
        writer: write_scatter,
    },
    &Chart {
        name: "boxes",
        summary: "least, quartiles and greatest number of the generated states of each search",
        searches: None,
        writer: write_boxes,
    },
];

/// Formats a power of ten.
fn power_of_count(power: i32) -> String {
    thousands(10_u64.saturating_pow(power.max(0) as u32))
}

const GENERATED: Axis = Axis { name: "states generated (logarithmic)", power: Some(power_of_count) };

/// Returns the line below the title of a chart.
fn subtitle(batch: &Batch, what: &str) -> String {
    format!("{what}; limits of each search: {}", batch.given)
}

fn write_curves(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let summaries = summaries(batch.rows);
    let series = |search: Search| {
        let of_search = summaries.iter().filter(|summary| (summary.algorithm, summary.heuristic) == search);
        let point = |(depth, mean): (Option<Depth>, Option<f64>)| match (depth, mean) {
            (Some(Depth::Cost(cost)), Some(mean)) => Some((cost as f64, mean)),
            _ => None,
        };
        let points = of_search.map(|summary| (summary.depth, summary.generated.mean)).filter_map(point).collect();
        Series { name: name(search), points }
    };
    let chart = XyChart {
        title: batch.title,
        subtitle: &subtitle(batch, "means of the solved puzzles"),
        across: Axis { name: "depth: the least cost of a solution", power: None },
        up: GENERATED,
        series: searches(batch.rows).into_iter().map(series).collect(),
        is_connected: true,
        has_diagonal: false,
    };
    out.write_all(chart.svg().as_bytes())
}

fn write_cactus(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let counts = batch.style.counts;
    let effort = |row: &SearchRow| if counts { row.generated as f64 } else { row.search_seconds };
    let series = |search: Search| {
        let solved = batch.rows.iter().filter(|row| row.search() == search && row.is_answered());
        let mut efforts: Vec<f64> = solved.map(effort).collect();
        efforts.sort_unstable_by(f64::total_cmp);
        let points = efforts.into_iter().zip(1..).map(|(effort, number)| (f64::from(number), effort)).collect();
        Series { name: name(search), points }
    };
    let time = Axis { name: "time of the search, at most (logarithmic)", power: Some(power_of_time) };
    let states = Axis { name: "states generated, at most (logarithmic)", power: Some(power_of_count) };
    let chart = XyChart {
        title: batch.title,
        subtitle: &subtitle(batch, "a curve further to the right solves more puzzles"),
        across: Axis { name: "puzzles solved", power: None },
        up: if counts { states } else { time },
        series: searches(batch.rows).into_iter().map(series).collect(),
        is_connected: true,
        has_diagonal: false,
    };
    out.write_all(chart.svg().as_bytes())
}

fn write_scatter(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let all = searches(batch.rows);
    let (one, other) = match all[..] {
        [one, other, ..] => (one, other),
        [one] => (one, one),
        [] => return Ok(()),
    };
    let mut puzzles: BTreeMap<(&str, Option<usize>), [Option<&SearchRow>; 2]> = BTreeMap::new();
    for row in batch.rows {
        for (at, search) in [one, other].into_iter().enumerate() {
            if row.search() == search {
                puzzles.entry((&row.file, row.board)).or_default()[at] = Some(row);
            }
        }
    }
    // Two series: both searches answered, or one ended at a limit.
    let mut series = ["both solved", "stopped at a limit"].map(|name| Series { name: name.to_owned(), points: vec![] });
    for row in puzzles.values() {
        if let [Some(one), Some(other)] = row {
            let at = usize::from(!one.is_answered() || !other.is_answered());
            series[at].points.push((one.generated as f64, other.generated as f64));
        }
    }
    let [one, other] = [one, other].map(|search| format!("{}: states generated (logarithmic)", name(search)));
    let chart = XyChart {
        title: batch.title,
        subtitle: &subtitle(batch, "below the line, the search on the vertical axis generates fewer states"),
        across: Axis { name: &one, power: Some(power_of_count) },
        up: Axis { name: &other, power: Some(power_of_count) },
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
        is_connected: false,
        has_diagonal: true,
    };
    out.write_all(chart.svg().as_bytes())
}

fn write_boxes(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let row = |search: Search| {
        let solved = batch.rows.iter().filter(|row| row.search() == search && row.is_answered());
        (name(search), solved.map(|row| row.generated as f64).collect())
    };
    let chart = BoxChart {
        title: batch.title,
        subtitle: &subtitle(batch, "least, quartiles and greatest of the solved puzzles"),
        across: GENERATED.name,
        power: power_of_count,
        rows: searches(batch.rows).into_iter().map(row).collect(),
    };
    out.write_all(chart.svg().as_bytes())
}
