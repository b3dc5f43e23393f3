//! Measures turns: plays random presses on a level of a game, from its start again after 200 presses or a win.
//!
//! `cargo run --release -p engine-puzzlescript --example turns -- game.txt 9` plays level 9, counted without
//! messages from 1; `@9` counts with messages from 0.

use engine_puzzlescript::compile::compile;
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::Level;
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("usage: turns GAME [LEVEL]");
    let number = arguments.next().unwrap_or_else(|| "1".to_owned());
    let text = std::fs::read_to_string(&path).expect("a game");
    let reading = read(&text);
    let mut diagnostics = reading.diagnostics;
    let game = reading.game.expect("the game can be read");
    let started = Instant::now();
    let program = compile(&game, &mut diagnostics).expect("the game can be compiled");
    let compiled = started.elapsed();
    let boards = program.levels.iter().filter_map(|level| match level {
        Level::Board(board) => Some(board),
        Level::Message(_) => None,
    });
    let board = match number.strip_prefix('@') {
        Some(index) => match &program.levels[index.parse::<usize>().expect("a level's number")] {
            Level::Board(board) => board,
            Level::Message(_) => panic!("the level is a message"),
        },
        None => {
            let number: usize = number.parse().expect("a level's number");
            boards.clone().nth(number - 1).expect("a level of that number")
        }
    };
    let inputs = program.inputs();
    let mut random = Random::new("1");
    let mut workspace = Workspace::default();
    let mut target = board.cells.clone();
    workspace.load(&program, board);
    let (mut turns, mut presses, mut changes, mut wins) = (0, 0_u64, 0_u64, 0_u64);
    let mut seed = 1_u64;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(2) {
        for _ in 0..200 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let input = inputs[(seed >> 33) as usize % inputs.len()];
            presses += 1;
            match workspace.press(&program, input, &mut target, &mut random, &mut turns) {
                Outcome::Won => {
                    wins += 1;
                    break;
                }
                Outcome::Changed => changes += 1,
                Outcome::Same => {}
                Outcome::Endless | Outcome::Limit => break,
            }
        }
        target.clone_from(&board.cells);
        workspace.set_objects(&board.cells);
    }
    let rules: usize = program.early.groups.iter().chain(&program.late.groups).map(|group| group.rules.len()).sum();
    println!(
        "{path} level {number}: {}x{}, {rules} rules (compiled in {compiled:.1?}), {:.0} turns/s, {:.0} presses/s, \
         {}% change, {wins} wins",
        board.width,
        board.height,
        turns as f64 / started.elapsed().as_secs_f64(),
        presses as f64 / started.elapsed().as_secs_f64(),
        100 * changes / presses,
    );
}
