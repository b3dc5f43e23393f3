//! Seeded players, who see the heuristic value of the positions that one move leads to.
//!
//! The first player learns while playing, as LRTA* does (Korf 1990): before each move, the value of the position rises to
//! the least sum of a move's cost and the value after it. So the player leaves a valley of the heuristic once it is
//! filled, and knows it in the next attempt.

use super::explored::Explored;
use crate::domain::SplitMix64;
use crate::search::Limit;
use rustc_hash::FxHashMap;

/// The moves that games took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walks {
    /// The mean of the decimal logarithm of the moves until a goal, of all attempts together.
    pub log_steps: f64,
    /// Its standard error.
    pub error: f64,
    /// True if time ended the games before all were played.
    pub is_cut: bool,
}

/// How a player chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Moves to the least sum of cost and value, and learns.
    Learning,
    /// Moves at random.
    Random,
}

/// The bounds of games.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// The number of games.
    pub count: usize,
    /// The moves after which an attempt is given up, for a new one from the start.
    pub patience: usize,
    /// The moves after which a game ends without a goal.
    pub most_steps: usize,
}

impl Games {
    /// Plays games and returns the moves that they took. Calls `visit` with the states before and
    /// after each move. If the time ends, those count that were played; the first one counts as it is.
    pub fn play(
        &self,
        player: Player,
        explored: &mut Explored,
        seed: u64,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<Walks, Limit> {
        let random = &mut SplitMix64::new(seed);
        let mut logs = Vec::with_capacity(self.count);
        let mut is_cut = false;
        while logs.len() < self.count && !is_cut {
            let mut learnt = FxHashMap::default();
            let (mut steps, mut at, mut attempt) = (0, 0, 0);
            while steps < self.most_steps && !explored.states.is_goal(at) {
                match explored.check(steps) {
                    Err(Limit::Time) => {
                        is_cut = true;
                        break;
                    }
                    checked => checked?,
                }
                steps += 1;
                let next = match player {
                    _ if attempt >= self.patience => None,
                    Player::Learning => learn(explored, at, &mut learnt, random),
                    Player::Random => {
                        let next = explored.states.successors(at);
                        (!next.is_empty()).then(|| next[random.below(next.len() as u64) as usize].0)
                    }
                };
                // To begin anew counts as a move.
                if let Some(next) = next {
                    visit(at, next);
                }
                (at, attempt) = next.map_or((0, 0), |next| (next, attempt + 1));
            }
            if !is_cut || logs.is_empty() {
                logs.push((steps.max(1) as f64).log10());
            }
        }
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Ok(Walks { log_steps: mean, error: (variance / count).sqrt(), is_cut })
    }
}

/// Raises the value of a state, and returns the next state; `None` if no goal can be reached by what is known.
fn learn(explored: &mut Explored, at: u32, learnt: &mut FxHashMap<u32, f64>, random: &mut SplitMix64) -> Option<u32> {
    let next = explored.states.successors(at).to_vec();
    let value = |state: u32| learnt.get(&state).copied().unwrap_or_else(|| explored.states.h(state));
    let sums: Vec<f64> = next.iter().map(|&(to, cost)| cost + value(to)).collect();
    let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
    let known = value(at);
    learnt.insert(at, known.max(least));
    let best = next.iter().zip(&sums).filter(|&(_, &sum)| sum <= least && sum.is_finite());
    let best: Vec<u32> = best.map(|((to, _), _)| *to).collect();
    (!best.is_empty()).then(|| best[random.below(best.len() as u64) as usize])
}

/// Returns the heuristic value at which a player ends who only descends, by the first best move.
pub fn descend(explored: &mut Explored, most_steps: usize) -> f64 {
    let mut at = 0;
    for _ in 0..most_steps {
        let next = explored.states.successors(at).to_vec();
        let best = next.iter().map(|&(to, _)| (explored.states.h(to), to));
        match best.min_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((h, to)) if h < explored.states.h(at) => at = to,
            _ => break,
        }
    }
    if explored.states.is_goal(at) { 0.0 } else { explored.states.h(at) }
}
