//! A plain search over the reference rules finds the published optimum of each puzzle in `rules-next`, in the folder
//! that `ENGINE_TEST_DATA` names. The first line of a file has its optimum: `# Optimum by …: 11`. Where the files are
//! missing, they are listed as ignored.
//!
//! `ENGINE_TEST_DATA=FOLDER cargo test -p engine-rules-reference --test optima`

#[path = "../../../tests/support/outside.rs"]
mod outside;

use engine_domain::domain::Rules;
use engine_rules_reference::{Player, RuleBook};
use libtest_mimic::{Arguments, Trial};
use outside::outside;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Returns the least cost of a solution by Dijkstra's algorithm (1959).
fn least(player: &mut Player) -> Result<Option<u64>, String> {
    let start = player.position().ok_or("there is no position")?;
    let mut open = BTreeMap::from([(0, vec![start])]);
    let mut closed = HashSet::new();
    while let Some((cost, positions)) = open.pop_first() {
        // A move of cost 0 adds positions of the same cost.
        let mut positions = positions;
        while let Some(position) = positions.pop() {
            if !closed.insert(position.clone()) {
                continue;
            }
            player.set_position(&position);
            if player.is_solved() {
                return Ok(Some(cost));
            }
            for next in player.successors() {
                let after = cost + next.cost as u64;
                let same = if after == cost { &mut positions } else { open.entry(after).or_default() };
                if !closed.contains(&next.position) {
                    same.push(next.position);
                }
            }
            if player.gave_up() {
                return Err("a move was given up".to_owned());
            }
        }
    }
    Ok(None)
}

/// Returns the optimum in the first line of a file.
fn published(text: &str) -> Option<u64> {
    let (_, optimum) = text.lines().next()?.split_once(": ")?;
    optimum.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = published(&text).ok_or("the first line has no optimum")?;
    let book = RuleBook::read(&text)?;
    let found = least(&mut Player::new(&book))?;
    if found == Some(expected) { Ok(()) } else { Err(format!("expected the optimum {expected}, found {found:?}")) }
}

fn main() {
    let arguments = Arguments::from_args();
    let files = outside("rules-next").and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = files.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let trial = |path: std::path::PathBuf| Trial::test(name(&path), move || Ok(check(&path)?));
    let mut trials: Vec<Trial> = paths.into_iter().map(trial).collect();
    if trials.is_empty() {
        trials.push(Trial::test("all", || Ok(())).with_ignored_flag(true));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
