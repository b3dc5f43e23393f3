//! Counts how the expansions of A* would spread over more processors than there are, in the order of a real search:
//!
//! ```text
//! cargo run --release --example spread -- puzzles/rules/burnt-pancakes.toml lm-cut 2000
//! ```
//!
//! The arguments are a puzzle, a heuristic, and the number of states to expand. See docs/performance.md.

use engine::Puzzle;
use engine::search::{Algorithm, Limits, Request, Simulation, Work};
use std::error::Error;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, heuristic, nodes] = &arguments[..] else {
        return Err("expected a puzzle, a heuristic and a number of states to expand".into());
    };
    let puzzle = Puzzle::load(file)?;
    let space = puzzle.space(heuristic)?;
    println!("threads  expanded  batches  computed  taken  alone  longest  time serial  times as fast");
    for threads in [1, 2, 4, 16, 64, 256].into_iter().filter_map(NonZero::new) {
        let simulation = Arc::new(Simulation::new(threads));
        let limits = Limits {
            nodes: Some(nodes.parse()?),
            threads: NonZero::new(1),
            simulation: Some(Arc::clone(&simulation)),
            ..Limits::default()
        };
        let begun = Instant::now();
        let response = space.run(&Request::in_memory(Work::Search(Algorithm::AStar), &limits))?;
        let expanded = response.answer.found().stats.expanded;
        let whole = begun.elapsed().as_secs_f64();
        let spread = simulation.spread();
        // The time of one expansion is that of all on one thread; what remains of the whole is serial.
        let each = spread.time.as_secs_f64() / spread.computed as f64;
        let serial = (whole - each * (spread.computed + spread.alone) as f64).max(0.0) / expanded as f64;
        let elapsed = each * (spread.longest + spread.alone) as f64 + serial * expanded as f64;
        println!(
            "{threads:7}  {expanded:8}  {:7}  {:8}  {:5}  {:5}  {:7}  {:10.2}%  {:13.1}",
            spread.batches,
            spread.computed,
            spread.taken,
            spread.alone,
            spread.longest,
            100.0 * serial / (each + serial),
            (each + serial) * expanded as f64 / elapsed,
        );
    }
    Ok(())
}
