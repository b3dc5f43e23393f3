//! `engine list`: the puzzles below a folder, in a table that fits the terminal.

use super::failure::Ended;
use super::loading::LoadOptions;
use super::snapshots::Snapshots;
use super::{Status, files};
use crate::diagnostic::printable;
use crate::plot::text::{Keep, counted, fit};
use crate::puzzle::{Outcome, Puzzle, Style};
use crate::transcript::Number;
use clap::Args;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// List the puzzles below a folder: sizes, least costs, and whether their snapshots are current
#[derive(Args)]
#[command(
    after_help = "OPTIMUM is what [expect] claims, or else what a current snapshot says, if it was proven. Nothing is solved: \
                  a snapshot is `current` if its title, domain, metric and first position are those of the file, and its \
                  outcome none that [expect] denies; else it is `stale`. `engine test` compares the rest."
)]
pub(super) struct List {
    /// The folder
    #[arg(default_value = "puzzles", value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
}

impl List {
    pub fn run(&self) -> Ended {
        let files = files::below(&self.directory, "toml")?;
        let snapshots = Snapshots::beside(&self.directory);
        let mut rows = vec![["FILE", "DOMAIN", "SIZE", "OPTIMUM", "SNAPSHOT", "TITLE"].map(str::to_owned)];
        rows.extend(files.iter().map(|file| {
            let name = printable(&file.display().to_string());
            match self.loading.load(file) {
                Ok(puzzle) => {
                    let stored = snapshots.read(files::name_below(&self.directory, file));
                    let snapshot = Snapshot::of(&puzzle, stored.ok().flatten().as_deref());
                    let optimum = claimed(&puzzle).or(snapshot.optimum).unwrap_or_default();
                    let domain = puzzle.domain().name.to_owned();
                    [name, domain, puzzle.size(), optimum, snapshot.state.to_owned(), printable(puzzle.title())]
                }
                Err(error) => {
                    let errors = counted(error.diagnostics().len() as u64, "error");
                    let why = format!("(not valid: {errors}, see `engine check`)");
                    [name, String::new(), String::new(), String::new(), String::new(), why]
                }
            }
        }));
        let terminal = io::stdout().is_terminal().then(|| terminal_size::terminal_size_of(io::stdout())).flatten();
        if let Some((terminal_size::Width(columns), _)) = terminal {
            narrow(&mut rows, columns.into());
        }
        write!(io::stdout(), "{}", table(&rows))?;
        Ok(Status::Good)
    }
}

/// The outcome that the author claims.
fn claimed(puzzle: &Puzzle) -> Option<String> {
    let expect = puzzle.expect();
    match (expect.cost, expect.outcome) {
        (Some(cost), _) => Some(Number(cost).to_string()),
        (None, Some(Outcome::Unsolvable)) => Some("unsolvable".to_owned()),
        _ => None,
    }
}

/// Facts about a puzzle from its stored transcript, without solving it.
struct Snapshot {
    state: &'static str,
    /// Its outcome, if it was proven and the snapshot is current.
    optimum: Option<String>,
}

impl Snapshot {
    fn of(puzzle: &Puzzle, stored: Option<&str>) -> Snapshot {
        let Some(stored) = stored else { return Snapshot { state: "none", optimum: None } };
        let optimum = optimum(stored);
        if is_of(puzzle, stored) && !optimum.as_ref().is_some_and(|optimum| denies(puzzle, optimum)) {
            Snapshot { state: "current", optimum }
        } else {
            Snapshot { state: "stale", optimum: None }
        }
    }
}

/// Whether the author claims another outcome than this one.
fn denies(puzzle: &Puzzle, optimum: &str) -> bool {
    let expect = puzzle.expect();
    match optimum.parse::<f64>() {
        Ok(found) => {
            expect.outcome == Some(Outcome::Unsolvable) || expect.cost.is_some_and(|cost| (cost - found).abs() > 1e-6)
        }
        Err(_) => expect.outcome == Some(Outcome::Solved) || expect.cost.is_some(),
    }
}

/// The outcome in the header of a transcript, if it is proven.
fn optimum(transcript: &str) -> Option<String> {
    let value = |name: &str| transcript.lines().take(10).find_map(|line| line.strip_prefix(&format!("{name:<10} ")));
    match (value("cost"), value("outcome")) {
        (Some(cost), _) => cost.strip_suffix(", proven shortest").map(str::to_owned),
        (None, outcome) => outcome?.starts_with("unsolvable").then(|| "unsolvable".to_owned()),
    }
}

/// Whether the header and the first position of a transcript are those of a puzzle.
fn is_of(puzzle: &Puzzle, transcript: &str) -> bool {
    let metric = puzzle.metric().map_or(String::new(), |metric| format!("metric     {metric}\n"));
    let head = format!("{}\n\ndomain     {}\n{metric}algorithm  ", puzzle.title(), puzzle.domain().name);
    let Some(rest) = transcript.strip_prefix(&head) else { return false };
    let start = rest.split_once("\nstart").and_then(|(_, rest)| rest.split_once('\n'));
    start.is_some_and(|(_, positions)| positions.starts_with(&puzzle.draw(Style::Drawn)))
}

/// Narrows the last column, and then the first, until a row fits into this many columns; `…` marks a cut.
fn narrow<const N: usize>(rows: &mut [[String; N]], columns: usize) {
    for (column, least) in [(N - 1, 12), (0, 16)] {
        let widths = widths(rows);
        let over = (widths.iter().sum::<usize>() + 2 * (N - 1)).saturating_sub(columns);
        let width = widths[column].saturating_sub(over).max(least);
        // The end of a path says more than its beginning.
        let keep = if column == 0 { Keep::End } else { Keep::Start };
        rows.iter_mut().for_each(|row| row[column] = fit(&row[column], width, keep));
    }
}

/// How wide each column is on a terminal.
fn widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    std::array::from_fn(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0))
}

/// Rows in columns as wide as they need to be.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let widths = widths(rows);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| cell.clone() + &" ".repeat(width - cell.width()));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_its_terminal_in_columns_that_stand_below_each_other() {
        let mut rows = [
            ["FILE", "TITLE"].map(str::to_owned),
            ["puzzles/a-very-long-folder/棋.toml", "華容道, the way out of the valley"].map(str::to_owned),
            ["puzzles/b.toml", "short"].map(str::to_owned),
        ];
        let whole = table(&rows);
        assert!(whole.contains("棋.toml  華容道, the way out of the valley\n"), "{whole}");
        for columns in [60, 50, 40, 30] {
            narrow(&mut rows, columns);
            let cut = table(&rows);
            assert!(cut.lines().all(|line| line.width() <= columns), "{columns}: {cut}");
            let starts = cut.lines().map(|line| line.find("  ").map(|_| line[..line.rfind("  ").unwrap()].width()));
            assert!(starts.clone().all(|start| start == starts.clone().next().unwrap()), "{cut}");
        }
        assert_eq!(table(&rows).lines().nth(1), Some("…-folder/棋.toml  華容道, the…"));
    }
}
