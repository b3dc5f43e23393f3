//! The tables of a batch for people: that of Russell and Norvig, with a row for each depth and columns for each search,
//! and one with all statistics, with a row for each search and depth.

use super::{Batch, Depth, Search, Statistics, Summary, searches, summaries};
use crate::plot::thousands;
use crate::transcript::compare::duration;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The space between two columns.
const GAP: &str = "  ";

pub(super) fn write_text(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let summaries = summaries(batch.rows);
    let all = searches(batch.rows);
    writeln!(out, "{}", batch.title)?;
    let by_depth = by_depth(&summaries, &all);
    let is_narrow = |lines: &[String]| {
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        batch.style.width.is_some_and(|width| widest > width)
    };
    let is_left_out = is_narrow(&by_depth);
    if !is_left_out {
        writeln!(
            out,
            "\nMeans of the states generated and of the effective branching factor, by the depth of the solution:\n"
        )?;
        by_depth.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    writeln!(out, "\nAll searches:\n")?;
    statistics(&summaries, batch.style.counts).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    let time = if batch.style.counts { "" } else { ", GENERATED and TIME" };
    let means = if time.is_empty() { "EXPANDED and GENERATED" } else { "EXPANDED" };
    writeln!(out, "{means}{time} are means; each MEDIAN and TOTAL is of the column before it.")?;
    writeln!(out, "Means and medians are of the solved puzzles, totals of all. DEPTH: the least cost of a solution.")?;
    if !batch.style.counts {
        writeln!(out, "BUILD: the time to build tables, in all; searches share them. TIME: the search alone.")?;
    }
    writeln!(out, "Limits of each search: {}.", batch.given)?;
    if is_left_out {
        writeln!(out, "For the table by depth, widen the terminal or use -o FILE.")?;
    }
    Ok(())
}

/// Returns the name of a search.
pub(super) fn name((algorithm, heuristic): Search) -> String {
    heuristic.map_or_else(|| algorithm.to_owned(), |heuristic| format!("{algorithm} {heuristic}"))
}

/// Returns the lines of the table with a row for each depth.
fn by_depth(summaries: &[Summary], searches: &[Search]) -> Vec<String> {
    let mut rows: BTreeMap<Depth, BTreeMap<usize, &Summary>> = BTreeMap::new();
    for summary in summaries {
        let search = (summary.algorithm, summary.heuristic);
        let at = searches.iter().position(|known| *known == search);
        if let (Some(depth), Some(at)) = (summary.depth, at) {
            rows.entry(depth).or_default().insert(at, summary);
        }
    }
    let cell = |summary: Option<&&Summary>| {
        let generated = summary.and_then(|summary| summary.generated.mean).map(number).unwrap_or_default();
        // A mean of the easier puzzles alone says less.
        let mark = summary.filter(|summary| summary.solved < summary.puzzles).map_or("", |_| "*");
        let factor = summary.and_then(|summary| summary.branching_factor).map(|factor| format!("{factor:.2}"));
        (format!("{generated}{mark}"), factor.unwrap_or_default())
    };
    let cells: Vec<Vec<(String, String)>> =
        rows.values().map(|row| (0..searches.len()).map(|at| cell(row.get(&at))).collect()).collect();
    let width = |at: usize| {
        let widest = |part: fn(&(String, String)) -> &String, head: &str| {
            cells.iter().map(|row| part(&row[at]).chars().count()).fold(head.len(), usize::max)
        };
        let (generated, factor) = (widest(|cell| &cell.0, "GENERATED"), widest(|cell| &cell.1, "B*"));
        // The name of the search stands above both.
        (generated.max(name(searches[at]).chars().count().saturating_sub(GAP.len() + factor)), factor)
    };
    let widths: Vec<(usize, usize)> = (0..searches.len()).map(width).collect();
    let puzzles = |row: &BTreeMap<usize, &Summary>| row.values().map(|summary| summary.puzzles).max().unwrap_or(0);
    let mut names = " ".repeat(14);
    let mut heads = "DEPTH  PUZZLES".to_owned();
    for (search, &(generated, factor)) in searches.iter().zip(&widths) {
        names += &format!("{GAP}{:>1$}", name(*search), generated + GAP.len() + factor);
        heads += &format!("{GAP}{:>generated$}{GAP}{:>factor$}", "GENERATED", "B*");
    }
    let mut lines = vec![names, heads];
    for ((depth, row), cells) in rows.iter().zip(&cells) {
        let mut line = format!("{depth:>5}{GAP}{:>7}", thousands(puzzles(row)));
        for ((generated, factor), widths) in cells.iter().zip(&widths) {
            line += &format!("{GAP}{generated:>0$}{GAP}{factor:>1$}", widths.0, widths.1);
        }
        lines.push(line.trim_end().to_owned());
    }
    if cells.iter().flatten().any(|(generated, _)| generated.ends_with('*')) {
        lines.push(String::new());
        lines.push("* of the puzzles that the search solved".to_owned());
    }
    lines
}

/// Returns the lines of the table with a row for each search and depth, and one for all depths of a search.
fn statistics(summaries: &[Summary], counts: bool) -> Vec<String> {
    let mut heads =
        vec!["ALGORITHM", "HEURISTIC", "DEPTH", "PUZZLES", "SOLVED", "EXPANDED", "GENERATED", "MEDIAN", "TOTAL", "B*"];
    if !counts {
        heads.extend(["BUILD", "TIME", "MEDIAN", "TOTAL"]);
    }
    let mut table: Vec<Vec<String>> = vec![heads.iter().map(|head| (*head).to_owned()).collect()];
    let mut last = None;
    for summary in summaries {
        let search = (summary.algorithm, summary.heuristic);
        // The name stands at the first of its rows.
        let (algorithm, heuristic) = if last == Some(search) { ("", None) } else { search };
        last = Some(search);
        let mean = |numbers: &Statistics| numbers.mean.map(number).unwrap_or_default();
        let mut row = vec![
            algorithm.to_owned(),
            heuristic.unwrap_or_default().to_owned(),
            summary.depth.map_or_else(|| "all".to_owned(), |depth| depth.to_string()),
            thousands(summary.puzzles),
            thousands(summary.solved),
            mean(&summary.expanded),
            mean(&summary.generated),
            summary.generated.median.map(number).unwrap_or_default(),
            number(summary.generated.total),
            summary.branching_factor.map(|factor| format!("{factor:.2}")).unwrap_or_default(),
        ];
        if !counts {
            let time = |seconds: Option<f64>| seconds.map(duration).unwrap_or_default();
            let Statistics { mean, median, total } = summary.search_seconds;
            row.extend([time(Some(summary.build_seconds.total)), time(mean), time(median), time(Some(total))]);
        }
        table.push(row);
    }
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    table.iter().map(line).collect()
}

/// Formats a count, or a mean of counts: below 100 with one digit after the point.
fn number(number: f64) -> String {
    if number < 100.0 && number.fract() != 0.0 { format!("{number:.1}") } else { thousands(number.round() as u64) }
}
