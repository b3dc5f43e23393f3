//! Compares breadth-first search over presses with known optima.
//!
//! `cargo run --release -p engine-puzzlescript --example optima -- FOLDER` reads `optima.tsv` there and searches all
//! levels that it gives a length for or calls unsolvable. Arguments after the folder choose games by a part of their
//! names.

use engine_puzzlescript::compile::compile;
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Level, LevelBoard, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use rustc_hash::FxHashSet;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Solved(usize),
    Unsolvable,
    /// Some presses never come to rest; nothing is found without them.
    Endless,
    Limit,
}

const MAX_STATES: usize = 3_000_000;

fn search(program: &Program, board: &LevelBoard, turns: &mut u64) -> Found {
    let inputs = program.inputs();
    let mut random = Random::new("1");
    let mut workspace = Workspace::default();
    let mut target = board.cells.clone();
    workspace.load(program, board);
    if workspace.begin(program, &mut target, &mut random) == Outcome::Won {
        return Found::Solved(0);
    }
    // With checkpoints, the target of restarts is part of the state.
    let cells = board.cells.len();
    let key = |workspace: &Workspace, target: &[u64]| -> Box<[u64]> {
        if program.has_checkpoints() {
            [workspace.objects(), target].concat().into()
        } else {
            workspace.objects().into()
        }
    };
    let first = key(&workspace, &target);
    let mut seen = FxHashSet::from_iter([first.clone()]);
    let mut layer = vec![first];
    let mut endless = false;
    for depth in 1.. {
        let mut next = Vec::new();
        for state in &layer {
            for &input in inputs {
                workspace.set_objects(&state[..cells]);
                if state.len() > cells {
                    target.clear();
                    target.extend_from_slice(&state[cells..]);
                }
                match workspace.press(program, input, &mut target, &mut random, turns) {
                    Outcome::Won => return Found::Solved(depth),
                    Outcome::Same => {}
                    Outcome::Endless | Outcome::Limit => endless = true,
                    Outcome::Changed => {
                        let key = key(&workspace, &target);
                        if !seen.contains(&key) {
                            seen.insert(key.clone());
                            next.push(key);
                        }
                    }
                }
            }
        }
        if next.is_empty() {
            return if endless { Found::Endless } else { Found::Unsolvable };
        }
        if seen.len() > MAX_STATES {
            return Found::Limit;
        }
        layer = next;
    }
    Found::Limit
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("usage: optima FOLDER [GAME…]");
    let chosen: Vec<String> = arguments.collect();
    let folder = Path::new(&folder);
    let table = std::fs::read_to_string(folder.join("optima.tsv")).expect("optima.tsv");
    let mut programs: HashMap<String, Program> = HashMap::new();
    let (mut right, mut wrong, mut turns) = (0, 0, 0);
    let (mut total, mut reference) = (Duration::ZERO, 0.0);
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let expected = match columns[2] {
            "solved" => Found::Solved(columns[3].parse().expect("a length")),
            "unsolvable" => Found::Unsolvable,
            "exhausted-again" => Found::Endless,
            _ => continue,
        };
        if columns.iter().any(|column| column.contains("same level as"))
            || !(chosen.is_empty() || chosen.iter().any(|part| columns[0].contains(part)))
        {
            continue;
        }
        let program = programs.entry(columns[0].to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(folder.join("games").join(columns[0])).expect("a game");
            let reading = read(&text);
            let mut diagnostics = reading.diagnostics;
            compile(&reading.game.expect("a game that can be read"), &mut diagnostics).expect("a game that compiles")
        });
        let level: usize = columns[1].parse().expect("a level's number");
        let Level::Board(board) = &program.levels[level] else {
            println!("{} {level}: a message", columns[0]);
            continue;
        };
        let started = Instant::now();
        let found = search(program, board, &mut turns);
        let elapsed = started.elapsed();
        total += elapsed;
        reference += columns[5].parse::<f64>().unwrap_or_default();
        if found == expected {
            right += 1;
        } else {
            wrong += 1;
            println!("{} {level}: expected {expected:?}, found {found:?}", columns[0]);
        }
        if elapsed > Duration::from_millis(300) {
            println!("{} {level}: {:.2} s, reference {} s", columns[0], elapsed.as_secs_f64(), columns[5]);
        }
    }
    println!("{right} right, {wrong} wrong, {turns} turns, {:.2} s, reference {reference:.2} s", total.as_secs_f64());
}
