//! Better and better solutions, long before the best one is proven: by searches that prove nothing, and by weighted A* with
//! less and less weight (restarting weighted A*: Richter, Thayer and Ruml 2010).

use super::{Options, Outcome, Puzzle, Solution};
use crate::search::{Algorithm, BeamWidth, Limit, Limits, Stats, Weight};
use std::num::NonZero;
use std::time::Instant;

/// The most states that each search expands in the first round, and how many times as many in each further one.
const NODES: u64 = 10_000;
const GROWTH: u64 = 8;

/// The searches, the quickest first.
fn searches() -> Vec<Algorithm> {
    let weighted = |weight: f64| Weight::new(weight).map(Algorithm::WeightedAStar);
    let quick = [Algorithm::Greedy, Algorithm::BestFirstWidth, Algorithm::Beam(BeamWidth::DEFAULT)];
    quick.into_iter().chain([5.0, 3.0, 2.0, 1.5, 1.2].into_iter().filter_map(weighted)).collect()
}

impl Puzzle {
    /// Searches for one solution after the other, and calls `better` with each that costs less than all before it. Nothing is
    /// proven of their costs. It ends at a limit, or when no search is left.
    pub fn improve(&self, limits: &Limits, mut better: impl FnMut(&Solution)) {
        let started = Instant::now();
        let (mut least, mut nodes, mut left) = (f64::INFINITY, NODES, searches());
        while !left.is_empty() {
            let mut unfinished = Vec::new();
            for algorithm in left {
                let within = limits.remaining(&Stats::default(), started.elapsed());
                let limits = Limits { nodes: Some(nodes), threads: Some(NonZero::<usize>::MIN), ..within };
                let options = Options { algorithm: Some(algorithm), limits, ignores_file: true, ..Options::default() };
                // Not every algorithm can search every puzzle.
                let Ok(solution) = self.solve(&options) else { continue };
                match (solution.outcome(), solution.cost(), solution.limit()) {
                    (Outcome::Solved, Some(cost), _) if cost < least => {
                        least = cost;
                        better(&solution);
                    }
                    (Outcome::Unsolvable, ..) => return,
                    (_, _, Some(Limit::Nodes)) => unfinished.push(algorithm),
                    (_, _, Some(Limit::Time | Limit::Interrupt)) => return,
                    _ => {}
                }
            }
            left = unfinished;
            nodes = nodes.saturating_mul(GROWTH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_become_cheaper_and_solve_the_puzzle() {
        let text = "title = 't'\ndomain = 'sliding-tile'\nstart = '''\n8 6 7\n2 5 4\n3 . 1\n'''\n";
        let puzzle = Puzzle::parse(text, "t.toml").unwrap_or_else(|report| panic!("{report}"));
        let mut costs = Vec::new();
        puzzle.improve(&Limits::default(), |solution| {
            assert_eq!(solution.moves().len() as f64, solution.cost().expect("it is a solution"));
            costs.extend(solution.cost());
        });
        assert!(costs.len() > 1 && costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
        let least = costs[costs.len() - 1];
        assert!((31.0..=1.2 * 31.0).contains(&least), "the last weight bounds it: {costs:?}");
    }

    #[test]
    fn a_puzzle_without_a_solution_has_none() {
        let text = "title = 't'\ndomain = 'maze'\nmap = '''\nS#G\n'''\n";
        let puzzle = Puzzle::parse(text, "t.toml").unwrap_or_else(|report| panic!("{report}"));
        puzzle.improve(&Limits::default(), |solution| panic!("{:?}", solution.moves()));
    }
}
