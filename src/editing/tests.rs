//! Tests of the canvas on puzzles of every domain that draws its start.

use super::*;
use crate::search::Limits;
use crate::{Options, Puzzle};

const DRAWN: [&str; 8] = [
    "puzzles/klotski1.toml",
    "puzzles/rush-hour/first-gear.toml",
    "puzzles/eight-puzzle/wikipedia.toml",
    "puzzles/mazes/portals.toml",
    "puzzles/rules/sokoban-two-rooms.toml",
    "puzzles/rules/english-peg-solitaire.toml",
    "puzzles/rules/jelly-cubes.toml",
    "puzzles/puzzlescript/crates.toml",
];

#[test]
#[ignore]
fn bench() {
    let puzzle = Puzzle::load("puzzles/rules/sokoban-two-rooms.toml").unwrap();
    let canvas = Canvas::of(&puzzle).unwrap();
    let (mut n, mut open, mut solve) = (0, 0.0, 0.0);
    let mut text = 0.0;
    for _ in 0..3 {
    for place in canvas.places() {
        for symbol in canvas.symbols() {
            let mut other = canvas.clone();
            if !other.set(place, symbol) { continue }
            let t = std::time::Instant::now();
            other.text();
            text += t.elapsed().as_secs_f64();
            let t = std::time::Instant::now();
            let Ok(p) = other.open(&Limits::default()) else { continue };
            open += t.elapsed().as_secs_f64();
            let t = std::time::Instant::now();
            let limits = Limits { threads: std::num::NonZero::new(1), ..Limits::default() };
            let s = p.solve(&Options { limits, ..Options::default() }).unwrap();
            solve += t.elapsed().as_secs_f64();
            std::hint::black_box(s.cost());
            n += 1;
        }
    }
    }
    eprintln!("{n}: text {:.1} us, open {:.1} us, solve {:.1} us", text / n as f64 * 1e6, open / n as f64 * 1e6, solve / n as f64 * 1e6);
}
