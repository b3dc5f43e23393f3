//! Every puzzle below `puzzles/` is a test of its own: it is solved, its claims are checked, its solution is verified
//! in every form and notation, and its transcript is compared with the snapshot of the same name. What must hold of all
//! puzzles together (no snapshot without a puzzle, no domain without one, the effort that they take) are tests beside
//! them.
//!
//! A puzzle with the tag `long` takes minutes, or more than is known: its test is listed as ignored, and
//! `cargo test --test puzzles -- --ignored` runs it, for ten minutes and in 8 GiB at the most. It has no snapshot.

mod support;

use engine::puzzle::Notation;
use engine::transcript::{self, Format};
use engine::verify::verify;
use engine::{Limits, Options, Outcome, Puzzle, domain};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{files_below, root};

fn main() {
    let puzzles = files_below(&root().join("puzzles"), "toml");
    let mut trials: Vec<Trial> = puzzles
        .iter()
        .map(|puzzle| {
            let puzzle = puzzle.clone();
            let long = is_long(&puzzle);
            Trial::test(format!("puzzle::{}", name_of(&puzzle)), move || solve(&puzzle)).with_ignored_flag(long)
        })
        .collect();
    let all = puzzles.clone();
    trials.push(Trial::test("no_snapshot_without_a_puzzle", move || orphans(&all)));
    let all = puzzles.clone();
    trials.push(Trial::test("every_domain_has_a_puzzle_and_facts", move || domains(&all)));
    trials.push(Trial::test("effort", move || effort(&puzzles)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// `metrics/klotski6-turn` for `metrics/klotski6-turn.toml`.
fn name_of(puzzle: &Path) -> String {
    puzzle.with_extension("").to_string_lossy().replace('\\', "/")
}

fn is_long(puzzle: &Path) -> bool {
    load(puzzle).is_ok_and(|puzzle| puzzle.about().is_long())
}

fn load(puzzle: &Path) -> Result<Puzzle, Failed> {
    Puzzle::load(root().join("puzzles").join(puzzle)).map_err(|report| Failed::from(report.render(false)))
}

fn solve(file: &Path) -> Result<(), Failed> {
    let puzzle = load(file)?;
    let (time, memory) = (Some(Duration::from_secs(600)), Some(8 << 30));
    let limits = if is_long(file) { Limits { time, memory, ..Limits::default() } } else { Limits::default() };
    let solution = puzzle.solve(&Options { limits, ..Options::default() })?;
    let expect = puzzle.expect();
    if expect.outcome.is_some_and(|outcome| outcome != solution.outcome()) {
        return Err(format!("expected {:?}, found {:?}", expect.outcome, solution.outcome()).into());
    }
    if let Some(cost) = expect.cost {
        let found = solution.cost().filter(|found| (found - cost).abs() < 1e-6 && solution.is_optimal());
        found.ok_or_else(|| format!("expected the cost {cost}, found {:?}", solution.cost()))?;
    }
    let written = |format, notation| -> Result<String, Failed> {
        let mut transcript = Vec::new();
        transcript::write(&mut transcript, format, "", &puzzle, &solution, notation)?;
        Ok(String::from_utf8(transcript)?)
    };
    if solution.outcome() == Outcome::Solved {
        let forms = [Format::Text, Format::Moves, Format::Json].map(|format| (format, Notation::STANDARD));
        let notations = puzzle.domain().notations.iter().map(|&notation| (Format::Moves, notation));
        for (format, notation) in forms.into_iter().chain(notations) {
            let verified = verify(&puzzle, "", &written(format, notation)?)
                .map_err(|failure| format!("as {format:?}, {}: {failure}", notation.name()))?;
            let costs: Vec<f64> = verified.solutions.iter().map(|solution| solution.cost).collect();
            if costs != [solution.cost().unwrap_or(f64::NAN)] {
                return Err(format!("replayed, its moves cost {costs:?}").into());
            }
        }
    }
    if !is_long(file) {
        compare(&root().join("snapshots").join(file), &written(Format::Text, Notation::STANDARD)?);
    }
    Ok(())
}

/// Compares with the snapshot at this path, but for its extension.
fn compare(path: &Path, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a snapshot lies in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = path.file_stem().expect("a snapshot has a name").to_string_lossy().into_owned();
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn orphans(puzzles: &[PathBuf]) -> Result<(), Failed> {
    let mut known: BTreeSet<PathBuf> = puzzles.iter().map(|puzzle| puzzle.with_extension("snap")).collect();
    known.insert(PathBuf::from("effort.snap"));
    let orphans: Vec<_> = files_below(&root().join("snapshots"), "snap")
        .into_iter()
        .filter(|snapshot| !known.contains(snapshot))
        .collect();
    if orphans.is_empty() { Ok(()) } else { Err(format!("snapshots without a puzzle: {orphans:?}").into()) }
}

fn domains(puzzles: &[PathBuf]) -> Result<(), Failed> {
    let mut used = BTreeSet::new();
    for puzzle in puzzles {
        used.insert(load(puzzle)?.domain().name);
    }
    let registered: BTreeSet<_> = domain::registered().into_iter().collect();
    if used != registered {
        return Err(format!("registered: {registered:?}, with a puzzle: {used:?}").into());
    }
    for name in registered {
        let facts = domain::facts(name).ok_or(format!("{name} has no facts"))?;
        facts.heuristic("zero").ok_or(format!("{name} has no heuristic `zero`"))?;
        facts.heuristic(facts.default_heuristic).ok_or(format!("{name} lacks its default heuristic"))?;
    }
    Ok(())
}

/// The counts of every puzzle: a commit that changes them changes a move generator, a heuristic or a search.
fn effort(puzzles: &[PathBuf]) -> Result<(), Failed> {
    let mut table = format!("{:<40} {:>10} {:>10}\n", "puzzle", "expanded", "generated");
    for file in puzzles.iter().filter(|file| !is_long(file)) {
        let solution = load(file)?.solve(&Options::default())?;
        let stats = solution.stats();
        writeln!(table, "{:<40} {:>10} {:>10}", name_of(file), stats.expanded, stats.generated)?;
    }
    compare(&root().join("snapshots/effort"), &table);
    Ok(())
}
