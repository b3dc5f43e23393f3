//! The laws of depth-first searches with a transposition table that is too small.

use super::{Enumeration, Run};
use crate::search::beyond_memory::deepen;
use crate::search::limits::Limit;
use crate::search::{Algorithm, Limits, Verdict};
use crate::space::{Cost, Key, Weighted};
use std::num::NonZero;

/// Checks that depth-first searches with a transposition table too small for the space are as correct as others. They
/// may only take longer, within the node limits here.
pub(super) fn check_bounded_closed_lists<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    least: Option<f64>,
    run: &Run,
) {
    let (states, facts) = (enumeration.len(), graph.facts());
    // Moves that cost nothing could lead these searches around a cycle for ever.
    let algorithms: &[Algorithm] = match facts.free_cycles {
        true => &[Algorithm::Dfs],
        false => &[Algorithm::Dfs, Algorithm::Iddfs, Algorithm::IdaStar],
    };
    let enough = states * 8;
    for length in [1, 9, states / 7 + 1, enough] {
        for (algorithm, depth) in algorithms
            .iter()
            .flat_map(|&algorithm| [(algorithm, None), (algorithm, Some(7)), (algorithm, Some(u32::MAX))])
        {
            let (closed, nodes) = (NonZero::new(length), Some(20_000 + 4 * (length == enough) as u64 * 1_000_000));
            let limits = Limits { depth, closed, nodes, ..Limits::default() };
            let found = run(algorithm, &limits);
            let what = format!("{algorithm:?} within {depth:?} that remembers {length} of {states} states");
            match found.verdict {
                Verdict::Solved { path, cost, lower_bound } => {
                    let least = least.unwrap_or_else(|| panic!("{what} solves an unsolvable puzzle"));
                    let (last, sum) = enumeration.follow(&path);
                    assert!(graph.is_goal(&enumeration.keys[last]) && sum.as_f64() == cost, "{what} has another cost");
                    let proves = algorithm != Algorithm::Dfs || depth.is_some() && facts.has_equal_costs();
                    assert!(lower_bound <= least && (cost == least || !proves), "{what} claims {lower_bound}");
                    assert!(
                        lower_bound == if proves { cost } else { 0.0 },
                        "{what} does not report the bound that it proves"
                    );
                }
                Verdict::Unsolvable => assert!(least.is_none(), "{what} finds no solution"),
                Verdict::Limit { limit, lower_bound, best } => {
                    assert!(least.is_none_or(|least| lower_bound <= least), "{what} proves too much: {lower_bound}");
                    assert!(best.is_none_or(|(_, cost)| least.is_some_and(|least| cost >= least)), "{what}");
                    let is_cut = limit == Limit::Depth
                        && depth == Some(7)
                        && least.is_none_or(|least| least > 7.0 || !facts.unit_cost);
                    assert!(is_cut || limit == Limit::Nodes && length < enough, "{what} ends at the limit {limit:?}");
                }
            }
        }
    }
}

/// Checks that iterative deepening on a graph, and on its graphs of fewer states, finds a cheapest solution however
/// small the transposition table is, from every lower bound.
pub(super) fn check_deepening<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    enumeration: &Enumeration<K, C>,
    least: Option<f64>,
) {
    let (whole, quotient, jumps) = (graph, graph.quotient(), graph.jump_graph());
    for graph in [Some(whole), quotient.as_deref(), jumps.as_deref()].into_iter().flatten() {
        let states = enumeration.len();
        for length in [1, states / 7 + 1, states * 8] {
            for bound in [0.0, least.unwrap_or(9.0)] {
                let enough = states * 8;
                let nodes = Some(20_000 + 4 * u64::from(length == enough) * 1_000_000);
                let limits = Limits { nodes, ..Limits::default() };
                let found = deepen(graph, enumeration.start(), C::whole(bound as u32), length, 0, &limits);
                let what = format!("deepening from {bound} with a table for {length} of {states} states");
                match found.verdict {
                    Verdict::Solved { path, cost, lower_bound } => {
                        let (last, sum) = enumeration.follow(&path);
                        assert!(whole.is_goal(&enumeration.keys[last]) && sum.as_f64() == cost, "{what}: another cost");
                        assert!(Some(cost) == least && lower_bound == cost, "{what}: {cost} is not the least cost");
                    }
                    Verdict::Unsolvable => assert!(least.is_none(), "{what} finds no solution"),
                    Verdict::Limit { limit, lower_bound, best } => {
                        assert!(
                            least.is_none_or(|least| lower_bound <= least),
                            "{what} proves too much: {lower_bound}"
                        );
                        let is_short = length < enough || least.is_none();
                        assert!(best.is_none() && limit == Limit::Nodes && is_short, "{what} ends at {limit:?}");
                    }
                }
            }
        }
    }
}
