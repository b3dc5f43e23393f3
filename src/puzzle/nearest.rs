//! The position nearest to a goal, where there is no solution: how near the search came.
//!
//! Nearest is what has the least h, by a heuristic that does not give it up. It is searched only where all positions
//! can be visited one by one, so that the answer is that of the whole space.

use super::Puzzle;
use crate::domain::{BuildContext, HeuristicFacts, Searchable, Style};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::VecDeque;

/// The most positions that are visited.
const MOST_POSITIONS: usize = 20_000;

/// The most heuristics that are tried.
const MOST_HEURISTICS: usize = 4;

/// A position that is as near to a goal as any that can be reached.
#[derive(Clone, Debug, Serialize)]
pub struct Nearest {
    /// The heuristic.
    pub heuristic: &'static str,
    /// Its value: no solution from there would cost less.
    pub h: f64,
    /// The fewest moves that lead there.
    pub moves: usize,
    /// The position, drawn.
    pub position: String,
}

impl Puzzle {
    /// Returns the position nearest to a goal after these moves; `None` if there are too many positions to visit, a
    /// limit ends the work, or no heuristic distinguishes them.
    pub(super) fn nearest(&self, after: &[String], context: &BuildContext) -> Option<Nearest> {
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        let mut heuristics: Vec<&'static HeuristicFacts> =
            self.facts.heuristics.iter().filter(|heuristic| heuristic.admissible && heuristic.name != "zero").collect();
        heuristics.sort_by_key(|heuristic| heuristic.name != usual);
        let suitable = heuristics.into_iter().filter(|heuristic| self.instance.refuses(heuristic, context).is_none());
        for heuristic in suitable.take(MOST_HEURISTICS) {
            let build = context.for_another_build();
            let mut space = self.instance.space(heuristic, &build);
            if build.ended().is_some() {
                return None;
            }
            for written in after {
                space = space.after(written, self.facts.notations)?;
            }
            let (h, moves, position) = least(space, context)?;
            if h.is_finite() && h > 0.0 {
                return Some(Nearest { heuristic: heuristic.name, h, moves, position });
            }
        }
        None
    }
}

/// Visits all positions, nearest to the start first. Returns the least h, the number of moves to the first position that
/// has it, and that position; `None` if there are too many positions, or a limit ends the work.
fn least(start: Box<dyn Searchable>, context: &BuildContext) -> Option<(f64, usize, String)> {
    let mut seen = FxHashSet::from_iter([start.state_bytes()]);
    let mut least = (start.h(), 0, start.draw(Style::Drawn));
    let mut open = VecDeque::from([(0, start)]);
    while let Some((moves, here)) = open.pop_front() {
        for (_, _, after) in here.successors() {
            if !seen.insert(after.state_bytes()) {
                continue;
            }
            if seen.len() > MOST_POSITIONS || context.should_stop() {
                return None;
            }
            let h = after.h();
            if h < least.0 {
                least = (h, moves + 1, after.draw(Style::Drawn));
            }
            open.push_back((moves + 1, after));
        }
    }
    Some(least)
}
