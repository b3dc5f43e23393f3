//! Each puzzle below `puzzles/` is one test. The test solves the puzzle, checks its claims, verifies the solution in
//! every format and notation, and compares the transcript with the snapshot of the same name. Further tests check all
//! puzzles together: no snapshot without a puzzle, no domain without one, and the effort.
//!
//! Each puzzle is solved once: the test `effort` reuses the counts from the tests of the puzzles.
//!
//! A puzzle with the tag `long` takes minutes or has never been solved. Its test is listed as ignored and has no
//! snapshot. `cargo test --test puzzles -- --ignored` runs it, for at most ten minutes and in at most 8 GiB.

mod support;

use engine::puzzle::Notation;
use engine::transcript::{JSON, MOVES, Solved, TEXT, TranscriptFormat};
use engine::verify::{tested, verify};
use engine::{Limits, Options, Outcome, Puzzle, Solution, domain};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use support::{files_below, root};

/// The numbers of expanded and generated states of a search, or its error. Empty until the search ends.
type Counts = OnceLock<Result<(u64, u64), String>>;

/// A puzzle file, relative to `puzzles/`, and its counts.
type Case = (PathBuf, Counts);

/// A test of all puzzles together.
type CollectionTest = fn(&[Case]) -> Result<(), Failed>;

fn main() {
    let puzzles: Arc<[Case]> =
        files_below(&root().join("puzzles"), "toml").into_iter().map(|file| (file, Counts::new())).collect();
    let mut trials: Vec<Trial> = (0..puzzles.len())
        .map(|number| {
            let (name, long) = (name_of(&puzzles[number].0), is_long(&puzzles[number].0));
            let puzzles = Arc::clone(&puzzles);
            let solves = move || check(&puzzles[number].0, &puzzles[number].1);
            Trial::test(format!("puzzle::{name}"), solves).with_ignored_flag(long)
        })
        .collect();
    let collection: [(&str, CollectionTest); 3] = [
        ("no_snapshot_without_a_puzzle", orphans),
        ("every_domain_has_a_puzzle_and_facts", domains),
        ("effort", effort),
    ];
    for (name, test) in collection {
        let puzzles = Arc::clone(&puzzles);
        trials.push(Trial::test(name, move || test(&puzzles)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Returns a puzzle's name: `metrics/klotski6-turn` for `metrics/klotski6-turn.toml`.
fn name_of(puzzle: &Path) -> String {
    puzzle.with_extension("").to_string_lossy().replace('\\', "/")
}

fn is_long(puzzle: &Path) -> bool {
    load(puzzle).is_ok_and(|puzzle| puzzle.about().is_long())
}

fn load(puzzle: &Path) -> Result<Puzzle, Failed> {
    Puzzle::load(root().join("puzzles").join(puzzle)).map_err(|report| Failed::from(report.render(false)))
}

/// Solves a puzzle with the options in its file, and compares the answer with its claims.
fn solve(puzzle: &Puzzle) -> Result<(Solution, Option<String>), String> {
    let (time, memory) = (Some(Duration::from_secs(600)), Some(8 << 30));
    let limits =
        if puzzle.about().is_long() { Limits { time, memory, ..Limits::default() } } else { Limits::default() };
    tested(puzzle, Options { limits, ..Options::default() }).map_err(|error| error.to_string())
}

fn counts_of(solved: &Result<(Solution, Option<String>), String>) -> Result<(u64, u64), String> {
    solved.as_ref().map(|(solution, _)| (solution.stats().expanded, solution.stats().generated)).map_err(Clone::clone)
}

fn check(file: &Path, counts: &Counts) -> Result<(), Failed> {
    let puzzle = load(file)?;
    let mut solution = None;
    // The test `effort` waits here if it needs the counts before the search ends.
    counts.get_or_init(|| counts_of(solution.insert(solve(&puzzle))));
    let (solution, wrong) = solution.unwrap_or_else(|| solve(&puzzle))?;
    wrong.map_or(Ok(()), Err)?;
    let written =
        |format: &TranscriptFormat, notation| format.text(&Solved { notation, ..Solved::new("", &puzzle, &solution) });
    if solution.outcome() == Outcome::Solved {
        let forms = [&TEXT, &MOVES, &JSON].map(|format| (format, Notation::STANDARD));
        let notations = puzzle.domain().notations.iter().copied();
        let notations = notations.filter(|&notation| puzzle.refuses_notation(notation).is_none());
        let notations = notations.map(|notation| (&MOVES, notation));
        for (format, notation) in forms.into_iter().chain(notations) {
            let verified = verify(&puzzle, "", &written(format, notation))
                .map_err(|failure| format!("as {}, {}: {failure}", format.name, notation.name()))?;
            let costs: Vec<f64> = verified.solutions.iter().map(|solution| solution.cost).collect();
            if costs != [solution.cost().unwrap_or(f64::NAN)] {
                return Err(format!("the replayed moves cost {costs:?}").into());
            }
        }
    }
    if !is_long(file) {
        compare(&root().join("snapshots").join(file), &written(&TEXT, Notation::STANDARD));
    }
    Ok(())
}

/// Compares `text` with the snapshot at `path`, which lacks its extension.
fn compare(path: &Path, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a snapshot has a parent folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = path.file_stem().expect("a snapshot has a name").to_string_lossy().into_owned();
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn orphans(puzzles: &[Case]) -> Result<(), Failed> {
    let mut known: BTreeSet<PathBuf> = puzzles.iter().map(|(file, _)| file.with_extension("snap")).collect();
    known.insert(PathBuf::from("effort.snap"));
    let orphans: Vec<_> = files_below(&root().join("snapshots"), "snap")
        .into_iter()
        .filter(|snapshot| !known.contains(snapshot))
        .collect();
    if orphans.is_empty() { Ok(()) } else { Err(format!("snapshots without a puzzle: {orphans:?}").into()) }
}

fn domains(puzzles: &[Case]) -> Result<(), Failed> {
    let mut used = BTreeSet::new();
    for (file, _) in puzzles {
        used.insert(load(file)?.domain().name);
    }
    let registered: BTreeSet<_> = domain::registered().into_iter().collect();
    if used != registered {
        return Err(format!("registered: {registered:?}, with a puzzle: {used:?}").into());
    }
    for name in registered {
        let facts = domain::facts(name).ok_or(format!("{name} has no facts"))?;
        if facts.name != name || facts.notations.is_empty() || facts.summary.is_empty() {
            return Err(format!("{name} lacks facts about itself").into());
        }
        facts.heuristic("zero").ok_or(format!("{name} has no heuristic `zero`"))?;
        facts.heuristic(facts.default_heuristic).ok_or(format!("{name} lacks its default heuristic"))?;
    }
    Ok(())
}

/// Compares the counts of all puzzles with a snapshot. They change only if a move generator, a heuristic or a search
/// does.
fn effort(puzzles: &[Case]) -> Result<(), Failed> {
    let mut table = format!("{:<40} {:>10} {:>10}\n", "puzzle", "expanded", "generated");
    for (file, counts) in puzzles.iter().filter(|(file, _)| !is_long(file)) {
        let puzzle = load(file)?;
        let (expanded, generated) = counts.get_or_init(|| counts_of(&solve(&puzzle))).clone()?;
        writeln!(table, "{:<40} {expanded:>10} {generated:>10}", name_of(file))?;
    }
    compare(&root().join("snapshots/effort"), &table);
    Ok(())
}
