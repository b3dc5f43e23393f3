//! The laws of searches in depth that remember too little.

use crate::search::limits::Limit;
use crate::search::{Algorithm, Limits, Verdict, search};
use crate::space::{Cost, StateSpace};
use std::num::NonZero;

/// Searches in depth whose closed list is too short for the space are as right as others, and only take longer: as long
/// as they may, here.
pub(super) fn lists_hold<S: StateSpace>(space: &S, least: Option<f64>, states: usize) {
    let enough = states * 8;
    for length in [1, 9, states / 7 + 1, enough] {
        for (algorithm, depth) in [Algorithm::Dfs, Algorithm::Iddfs, Algorithm::IdaStar]
            .into_iter()
            .flat_map(|algorithm| [(algorithm, None), (algorithm, Some(7)), (algorithm, Some(u32::MAX))])
        {
            let (closed, nodes) = (NonZero::new(length), Some(20_000 + 4 * (length == enough) as u64 * 1_000_000));
            let limits = Limits { depth, closed, nodes, ..Limits::default() };
            let found = search(space, &|| space.initial(), algorithm, &limits);
            let what = format!("{algorithm:?} within {depth:?} that remembers {length} of {states} states");
            match found.verdict {
                Verdict::Solved { path, cost, lower_bound } => {
                    let least = least.unwrap_or_else(|| panic!("{what} solves what cannot be solved"));
                    let mut state = space.initial();
                    let sum = path.iter().fold(S::Cost::ZERO, |sum, &action| sum + space.apply(&mut state, action).0);
                    assert!(space.is_goal(&state) && sum.as_f64() == cost, "{what} tells another cost");
                    let proves = algorithm != Algorithm::Dfs || depth.is_some() && space.has_unit_cost();
                    assert!(lower_bound <= least && (cost == least || !proves), "{what} claims {lower_bound}");
                    assert!(lower_bound == if proves { cost } else { 0.0 }, "{what} does not claim what it proves");
                }
                Verdict::Unsolvable => assert!(least.is_none(), "{what} finds no solution"),
                Verdict::Limit { limit, lower_bound, best } => {
                    assert!(least.is_none_or(|least| lower_bound <= least), "{what} proves too much: {lower_bound}");
                    assert!(best.is_none_or(|(_, cost)| least.is_some_and(|least| cost >= least)), "{what}");
                    let is_cut = limit == Limit::Depth
                        && depth == Some(7)
                        && least.is_none_or(|least| least > 7.0 || !space.has_unit_cost());
                    assert!(is_cut || limit == Limit::Nodes && length < enough, "{what} ends at the limit {limit:?}");
                }
            }
        }
    }
}
