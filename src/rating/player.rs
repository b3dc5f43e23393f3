//! Seeded players: one who mostly follows the heuristic, one who moves at random, and one who only descends.

use super::explored::Explored;
use crate::domain::SplitMix64;
use crate::search::Limit;

/// The moves of a player that were averaged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walks {
    /// The mean of the decimal logarithm of the moves until a goal, of all attempts together.
    pub log_steps: f64,
    /// Its standard error.
    pub error: f64,
}

/// How a player plays.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// One move in this many is drawn at random; the others go to the least heuristic value.
    pub strays_in: u64,
    /// The moves after which an attempt is given up.
    pub patience: usize,
    /// The moves after which the player gives up altogether.
    pub most_steps: usize,
    /// The number of games.
    pub games: usize,
}

impl Player {
    /// Plays games and returns the moves that they took. `visited` counts the moves to each state.
    pub fn play(
        &self,
        explored: &mut Explored,
        seed: u64,
        mut visit: impl FnMut(u32),
    ) -> Result<Walks, Limit> {
        let random = &mut SplitMix64::new(seed);
        let mut logs = Vec::with_capacity(self.games);
        let mut seen: Vec<u32> = Vec::new();
        for _ in 0..self.games {
            let (mut steps, mut at, mut attempt, mut before) = (0, 0, 0, u32::MAX);
            while steps < self.most_steps && !explored.states.is_goal(at) {
                explored.check(steps)?;
                let next = self.next(explored, at, before, random, &mut seen);
                let Some(next) = next.filter(|_| attempt < self.patience) else {
                    // An attempt is given up: a lost one costs a move, too.
                    (steps, at, attempt, before) = (steps + 1, 0, 0, u32::MAX);
                    continue;
                };
                visit(next);
                (steps, attempt, before, at) = (steps + 1, attempt + 1, at, next);
            }
            logs.push((steps.max(1) as f64).log10());
        }
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Ok(Walks { log_steps: mean, error: (variance / count).sqrt() })
    }

    /// Returns the next state; `None` at a state without a way on that the heuristic allows.
    fn next(
        &self,
        explored: &mut Explored,
        at: u32,
        before: u32,
        random: &mut SplitMix64,
        best: &mut Vec<u32>,
    ) -> Option<u32> {
        let strays = random.below(self.strays_in) == 0;
        best.clear();
        best.extend(explored.states.successors(at).iter().map(|&(to, _)| to));
        let h = |state: u32| explored.states.h(state);
        best.retain(|&state| h(state).is_finite());
        if best.len() > 1 {
            best.retain(|&state| state != before);
        }
        if !strays {
            let least = best.iter().map(|&state| h(state)).fold(f64::INFINITY, f64::min);
            best.retain(|&state| h(state) <= least);
        }
        let count = best.len() as u64;
        (count > 0).then(|| best[random.below(count) as usize])
    }
}
