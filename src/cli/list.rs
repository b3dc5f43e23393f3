//! `engine list`: the puzzles below a folder, in a table that fits the terminal, or as JSON.

use super::failure::Ended;
use super::groups::OUTPUT;
use super::limits::ReadingLimits;
use super::loading::{LevelsOptions, Reading};
use super::output::print_json;
use super::snapshots::{Snapshots, header_field};
use super::streams::stdout;
use super::{Status, complain, files, wall};
use crate::diagnostic::{Report, did_you_mean, printable};
use crate::plot::text::{Keep, counted, fit};
use crate::puzzle::{Outcome, Puzzle, Source, Style};
use crate::transcript::Number;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// List the puzzles below a folder: size, optimal cost, state of the snapshot
#[derive(Args)]
#[command(
    after_help = "OPTIMUM is the cost that [expect] claims, or else the proven cost in a current snapshot. Nothing is \
                  solved. A snapshot is `current` if its title, domain, metric and start are those of the file, and \
                  [expect] does not contradict its outcome; otherwise it is `stale`. `engine test` compares the rest."
)]
pub(super) struct List {
    /// Folder of puzzles and collections, with those in its subfolders; or a collection of levels
    #[arg(default_value = "puzzles", value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    levels: LevelsOptions,
    #[command(flatten)]
    limits: ReadingLimits,
    /// List only puzzles with this tag, in upper or lower case; repeat it to require several tags
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Print JSON: one object a puzzle, one line each
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    // For the studio: also lists text files whose content is a collection.
    #[arg(long, hide = true)]
    recognize: bool,
}

impl List {
    pub fn run(&self, quiet: bool) -> Ended {
        let sources = self.sources()?;
        let snapshots = Snapshots::beside(&self.directory);
        let mut known_tags = BTreeSet::new();
        let mut rows = vec![["FILE", "DOMAIN", "SIZE", "OPTIMUM", "SNAPSHOT", "TITLE"].map(str::to_owned)];
        let mut found = 0;
        // Rows of JSON are printed at once, those of the table at the end: behind the wall, the table is made anew.
        let printed = wall::results::<usize>();
        let before = *printed.lock();
        for (number, source) in sources.enumerate() {
            let listed = source.map_or_else(|refused| refused, |source| self.read_facts(&source, &snapshots));
            let is_wanted = self.tag.iter().all(|wanted| listed.tags.iter().any(|tag| is_same(tag, wanted)));
            if is_wanted {
                found += 1;
            }
            match (is_wanted, self.json) {
                (true, true) if number < before => {}
                (true, true) => print_json(&listed)?,
                (true, false) => rows.push(listed.cells()),
                (false, _) => {}
            }
            known_tags.extend(listed.tags);
            *printed.lock() = before.max(number + 1);
        }
        if !self.json {
            let terminal = io::stdout().is_terminal().then(|| terminal_size::terminal_size_of(io::stdout())).flatten();
            if let Some((terminal_size::Width(columns), _)) = terminal {
                narrow(&mut rows, columns.into());
            }
            write!(stdout(), "{}", table(&rows))?;
        }
        if found == 0 && !self.tag.is_empty() && !quiet {
            complain(&format!("note: {}", without_puzzles(&self.tag, &known_tags)));
        }
        Ok(Status::Good)
    }

    /// Returns the puzzles below the folder, or in the collection; for a file there that cannot be read, its row.
    /// The files are opened one after the other.
    fn sources(&self) -> Result<impl Iterator<Item = Result<Source, Listed>>, Report> {
        let mut levels = Vec::new();
        if self.directory.is_file() {
            levels = self.levels.sources(&self.directory, &self.limits.limits())?;
            levels.retain(|source| source.number().is_some());
        }
        let below = if self.recognize { files::recognized_below } else { files::puzzles_below };
        let files = if levels.is_empty() { below(&self.directory)? } else { Vec::new() };
        let sources = |file: &Path| {
            self.levels.reading.check_below(&self.directory, file)?;
            self.levels.sources_found(file, &self.limits.limits())
        };
        let in_file = move |file: PathBuf| {
            let (sources, refused) = match sources(&file) {
                Ok(sources) => (sources, None),
                Err(report) => (Vec::new(), Some(Listed::refused(file.display().to_string(), &report))),
            };
            sources.into_iter().map(Ok).chain(refused.map(Err))
        };
        Ok(levels.into_iter().map(Ok).chain(files.into_iter().flat_map(in_file)))
    }

    /// Returns the facts about one puzzle.
    fn read_facts(&self, source: &Source, snapshots: &Snapshots) -> Listed {
        let name = source.name().to_owned();
        let limits = self.limits.limits();
        let listed = wall::reading(&name, &name, &limits, || {
            let puzzle = self.levels.reading.loading(&limits).load_source(source)?;
            let stored = snapshots.read(&files::name_within(&self.directory, source));
            Ok(Listed::of(name.clone(), &puzzle, &Snapshot::of(&puzzle, stored.ok().flatten().as_deref())))
        });
        listed.unwrap_or_else(|report| Listed::refused(name, &report))
    }
}

/// Returns whether two tags are the same but for the case of their letters.
fn is_same(tag: &str, wanted: &str) -> bool {
    tag.to_lowercase() == wanted.to_lowercase()
}

/// Returns the note where no puzzle has all of these tags.
fn without_puzzles(wanted: &[String], known: &BTreeSet<String>) -> String {
    let Some(unknown) = wanted.iter().find(|wanted| !known.iter().any(|tag| is_same(tag, wanted))) else {
        return "no puzzle has all of these tags".to_owned();
    };
    let near = did_you_mean(unknown, known.iter().map(String::as_str));
    let fix = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
    format!("no puzzle has the tag `{unknown}`{fix}")
}

/// One file of the list; in JSON, the fields of its object.
#[derive(Default, Serialize)]
struct Listed {
    file: String,
    title: Option<String>,
    domain: Option<&'static str>,
    size: Option<String>,
    tags: Vec<String>,
    outcome: Option<&'static str>,
    /// The least cost.
    optimum: Option<Number>,
    /// The evidence for the outcome and the optimum: `claimed` by [expect], or `proven`, as a current snapshot reports.
    basis: Option<&'static str>,
    snapshot: Option<&'static str>,
    errors: Vec<String>,
}

impl Listed {
    fn refused(file: String, report: &Report) -> Listed {
        let errors = report.diagnostics().iter().map(|one| one.message.clone()).collect();
        Listed { file, errors, ..Listed::default() }
    }

    fn of(file: String, puzzle: &Puzzle, snapshot: &Snapshot) -> Listed {
        let expect = puzzle.expect();
        let claimed = match expect.cost {
            Some(cost) => Some((Outcome::Solved, Some(cost))),
            None => expect.outcome.map(|outcome| (outcome, None)),
        };
        let proven = snapshot.optimum.as_deref().map(|optimum| match optimum.parse() {
            Ok(cost) => (Outcome::Solved, Some(cost)),
            Err(_) => (Outcome::Unsolvable, None),
        });
        // The claim that a puzzle is solvable leaves its optimum open.
        let (known, basis) = match (claimed, proven) {
            (Some((Outcome::Solved, None)), Some(proven)) => (Some(proven), Some("proven")),
            (Some(claimed), _) => (Some(claimed), Some("claimed")),
            (None, Some(proven)) => (Some(proven), Some("proven")),
            (None, None) => (None, None),
        };
        let (outcome, optimum) = known.unzip();
        Listed {
            file,
            title: Some(puzzle.title().to_owned()),
            domain: Some(puzzle.domain().name),
            size: Some(puzzle.size()),
            tags: puzzle.about().tags.clone(),
            outcome: outcome.map(Outcome::name),
            optimum: optimum.flatten().map(Number),
            basis,
            snapshot: Some(snapshot.state),
            errors: Vec::new(),
        }
    }

    /// Returns the row of the table.
    fn cells(&self) -> [String; 6] {
        let optimum = match (self.outcome, self.optimum) {
            (_, Some(cost)) => cost.to_string(),
            (Some("unsolvable"), None) => "unsolvable".to_owned(),
            _ => String::new(),
        };
        let title = if self.errors.is_empty() {
            printable(self.title.as_deref().unwrap_or_default())
        } else {
            format!("(not valid: {}, see `engine check`)", counted(self.errors.len() as u64, "error"))
        };
        let word = |word: Option<&str>| word.unwrap_or_default().to_owned();
        let size = self.size.clone().unwrap_or_default();
        [printable(&self.file), word(self.domain), size, optimum, word(self.snapshot), title]
    }
}

/// Returns the size of a puzzle and its optimum, or `unsolvable`, as far as the file or its stored transcript has it.
pub(super) fn size_and_optimum(puzzle: &Puzzle, stored: Option<&str>) -> [String; 2] {
    let [_, _, size, optimum, ..] = Listed::of(String::new(), puzzle, &Snapshot::of(puzzle, stored)).cells();
    [size, optimum]
}

/// The facts that a stored transcript reports about a puzzle.
struct Snapshot {
    /// `none`, `current` or `stale`.
    state: &'static str,
    /// The cost or `unsolvable`, if it was proven and the snapshot is current.
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

/// Returns whether the author claims another outcome than this one.
fn denies(puzzle: &Puzzle, optimum: &str) -> bool {
    let expect = puzzle.expect();
    match optimum.parse::<f64>() {
        Ok(found) => {
            expect.outcome == Some(Outcome::Unsolvable) || expect.cost.is_some_and(|cost| (cost - found).abs() > 1e-6)
        }
        Err(_) => expect.outcome == Some(Outcome::Solved) || expect.cost.is_some(),
    }
}

/// Returns the outcome in the header of a transcript, if it is proven.
fn optimum(transcript: &str) -> Option<String> {
    match (header_field(transcript, "cost"), header_field(transcript, "outcome")) {
        (Some(cost), _) => cost.strip_suffix(", proven shortest").map(str::to_owned),
        (None, outcome) => outcome?.starts_with("unsolvable").then(|| "unsolvable".to_owned()),
    }
}

/// Returns whether the header and the start of a transcript are those of a puzzle.
fn is_of(puzzle: &Puzzle, transcript: &str) -> bool {
    let metric = puzzle.metric().map_or(String::new(), |metric| format!("metric     {metric}\n"));
    let seed = puzzle.seed().map_or(String::new(), |seed| format!("seed       {seed}\n"));
    let head = format!("{}\n\ndomain     {}\n{metric}{seed}algorithm  ", puzzle.title(), puzzle.domain().name);
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
        // The end of a path matters more than its beginning.
        let keep = if column == 0 { Keep::End } else { Keep::Start };
        rows.iter_mut().for_each(|row| row[column] = fit(&row[column], width, keep));
    }
}

/// Returns the width of each column on a terminal.
fn widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    std::array::from_fn(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0))
}

/// Returns rows in columns as wide as their widest cells.
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
    fn tags_without_puzzles_are_reported() {
        let known = BTreeSet::from(["Sokoban".to_owned(), "long".to_owned()]);
        let note =
            |wanted: &[&str]| without_puzzles(&wanted.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>(), &known);
        assert_eq!(note(&["long", "sokobam"]), "no puzzle has the tag `sokobam`: did you mean `Sokoban`?");
        assert_eq!(note(&["easy"]), "no puzzle has the tag `easy`");
        assert_eq!(note(&["LONG", "sokoban"]), "no puzzle has all of these tags");
    }

    #[test]
    fn a_table_fits_the_terminal_and_its_columns_are_aligned() {
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
