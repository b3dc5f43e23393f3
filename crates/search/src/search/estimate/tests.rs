//! Estimates of graphs of known sizes: boxes of cells, some with holes, which vary the degrees and the numbers of
//! paths.

use super::count::{Counted, count};
use super::random_walk::random_walks;
use super::{Basis, Estimate, Machines, Question, Sizes, StateCount, States};
use super::{estimate_states, largest_share, needs};
use crate::search::disk::graph::CodeGraph;
use crate::search::limits::{Limit, Limits};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The cells of a box; cells with a common side are one move apart, and one in `hole_of` is a hole.
struct Cells {
    sides: &'static [u64],
    hole_of: u64,
    reversible: bool,
}

impl Cells {
    fn new(sides: &'static [u64], hole_of: u64) -> Cells {
        Cells { sides, hole_of, reversible: true }
    }

    fn is_hole(&self, cell: u64) -> bool {
        cell > 0 && self.hole_of > 0 && (cell.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).is_multiple_of(self.hole_of)
    }
}

impl CodeGraph<u64> for Cells {
    fn codes(&self) -> String {
        "cells".to_owned()
    }

    fn is_reversible(&self) -> bool {
        self.reversible
    }

    fn children(&self, of: &[u64], children: &mut Vec<u64>) {
        for &cell in of {
            let mut step = 1;
            for side in self.sides {
                let at = cell / step % side;
                let steps = [(at > 0).then(|| cell - step), (at + 1 < *side).then(|| cell + step)];
                children.extend(steps.into_iter().flatten().filter(|&cell| !self.is_hole(cell)));
                step *= side;
            }
        }
    }

    fn in_order(&self, of: u64) -> Vec<u64> {
        let mut children = Vec::new();
        self.children(&[of], &mut children);
        children
    }

    fn goals(&self, _of: &[u64], _goals: &mut Vec<u64>) {}
}

/// Steps of random walks.
const STEPS: usize = 1 << 17;

fn counted(graph: &Cells, states: usize, depth: Option<u32>) -> Counted<u64> {
    count(graph, 0, depth, states, &Limits::default())
}

/// Returns the estimate of random walks by some threads.
fn walked(graph: &Cells, far: &[u64], threads: usize) -> StateCount {
    let limits = Limits { threads: NonZero::new(threads), ..Limits::default() };
    random_walks(graph, 0, far, STEPS, &limits).expect("there is no limit")
}

const PLAIN: &[u64] = &[12, 9, 15, 11];

#[test]
fn layers_are_counted_completely_or_not_at_all() {
    let graph = Cells::new(&[2; 16], 0);
    let all = counted(&graph, 1 << 16, None);
    assert!(all.ended && all.limit.is_none());
    assert_eq!(all.layers[..4], [1, 16, 120, 560], "binomial coefficients");
    assert_eq!((all.layers.iter().sum::<u64>(), all.layers.len()), (1 << 16, 17));
    assert_eq!((all.widest.len(), all.last.len()), (12870, 1));
    let some = counted(&graph, 700, None);
    assert_eq!((&some.layers[..], some.ended), (&[1, 16, 120, 560][..], false));
    assert_eq!(counted(&graph, 1 << 16, Some(2)).layers, [1, 16, 120], "no deeper than requested");
    assert!(some.last.is_sorted());
}

#[test]
fn random_walks_do_not_depend_on_threads() {
    let graph = Cells::new(PLAIN, 4);
    assert_eq!(walked(&graph, &[], 1), walked(&graph, &[], 3));
}

#[test]
fn random_walks_estimate_the_number_of_states() {
    // The first graph is bipartite; in the others, degrees differ.
    for graph in [Cells::new(&[2; 14], 0), Cells::new(PLAIN, 0), Cells::new(PLAIN, 3), Cells::new(&[3; 9], 6)] {
        let truth = counted(&graph, usize::MAX, None).layers.iter().sum::<u64>() as f64;
        let StateCount { states, low, high, basis } = walked(&graph, &[], 1);
        assert_eq!(basis, Basis::Collisions, "{truth} states are few enough for collisions");
        let error = (high / states).ln() / 2.0;
        assert!(error < 0.1 && low < states && states < high, "{low} {states} {high}");
        assert!((states / truth).ln().abs() < 4.0 * error, "{states} ± {error}, not {truth}");
    }
}

#[test]
fn walks_with_few_collisions_or_without_mixing_give_a_lower_bound() {
    let sparse = Cells::new(&[2; 40], 0);
    let StateCount { states, basis, .. } = walked(&sparse, &[], 1);
    assert_eq!(basis, Basis::AtLeast, "2^40 states are too many for so few steps");
    assert!((1e6..2_f64.powi(40)).contains(&states), "{states}");
    // In so few steps a walk does not get far along a corridor.
    let long = Cells::new(&[100_000], 0);
    let estimate = walked(&long, &[3000, 4000, 5000], 1);
    assert!(estimate.basis == Basis::AtLeast && estimate.states < 100_000.0, "{estimate:?}");
}

fn question() -> Question {
    let machines = Machines { hosts: 4, workers: 2, bandwidth: 1e9 };
    Question { machines, formula: None, most: 300, steps: STEPS }
}

fn estimated(graph: &Cells, limits: &Limits, question: &Question) -> Estimate {
    estimate_states(graph, 0, &States { limits, question, started: Instant::now() }).0
}

#[test]
fn every_basis_of_an_estimate_is_reported() {
    let graph = Cells::new(PLAIN, 0);
    let all = f64::from(12 * 9 * 15 * 11);
    let to = |depth| Limits { depth, ..Limits::default() };
    let large = Question { most: 100_000, ..question() };
    let whole = estimated(&graph, &to(None), &large);
    assert_eq!((whole.states.states, whole.states.basis), (all, Basis::Counted));
    let by_formula = estimated(&graph, &to(None), &Question { formula: Some(all), ..question() });
    assert_eq!((by_formula.states.low, by_formula.states.high, by_formula.states.basis), (all, all, Basis::Formula));
    let walk_estimate = estimated(&graph, &to(None), &question());
    assert_eq!(walk_estimate.states.basis, Basis::Collisions);
    let near = estimated(&graph, &to(Some(3)), &question());
    assert_eq!((near.states.states, near.states.basis, near.layers.len()), (35.0, Basis::Counted, 4));
    let truth = counted(&graph, usize::MAX, Some(9)).layers.iter().sum::<u64>() as f64;
    let farther = estimated(&graph, &to(Some(9)), &question()).states;
    assert_eq!(farther.basis, Basis::Extrapolated);
    assert!(farther.low < truth && truth < farther.high, "{farther:?}, not {truth}");
    let beyond = estimated(&graph, &to(Some(40)), &question()).states;
    assert!(beyond.low < all && beyond.states > all, "growth slows down: {beyond:?}");
    let capped = estimated(&graph, &to(Some(40)), &Question { formula: Some(all), ..question() });
    assert!(capped.states.states <= all && capped.states.high <= all, "{:?}", capped.states);
    let endless = estimated(&graph, &to(Some(u32::MAX)), &question());
    assert!(endless.states.low.is_finite() && endless.states.basis == Basis::AtLeast, "{:?}", endless.states);
}

#[test]
fn with_irreversible_moves_only_counted_layers_are_known() {
    let graph = Cells { reversible: false, ..Cells::new(PLAIN, 0) };
    for depth in [None, Some(30)] {
        let estimated = estimated(&graph, &Limits { depth, ..Limits::default() }, &question());
        assert_eq!(estimated.states.basis, Basis::AtLeast);
        assert!(estimated.states.states <= 300.0 && estimated.states.high.is_infinite());
    }
}

#[test]
fn an_estimate_at_a_limit_keeps_what_is_known() {
    let graph = Cells::new(PLAIN, 0);
    let interrupt = Some(Arc::new(AtomicBool::new(true)));
    let cut = estimated(&graph, &Limits { interrupt, ..Limits::default() }, &question());
    assert_eq!((cut.limit, cut.states.basis, cut.states.states), (Some(Limit::Interrupt), Basis::AtLeast, 1.0));
    let late = estimated(&graph, &Limits { time: Some(Duration::ZERO), ..Limits::default() }, &question());
    assert_eq!(late.limit, Some(Limit::Time));
}

#[test]
fn states_take_more_bytes_when_partitioned_and_runs_stay_together() {
    let graph = Cells::new(&[2; 16], 0);
    let widest = counted(&graph, 1 << 16, None).widest;
    let [alone, four, many] = [1, 4, 1000].map(|hosts| super::sizes(&graph, &widest, hosts));
    assert!(alone.sent < 16.0, "many of the sixteen neighbours are duplicates: {alone:?}");
    assert!(alone.stored >= 1.0 && alone.stored < four.stored + 1e-9, "{alone:?} {four:?}");
    assert!(four.stored <= many.stored && many.stored < 2.5, "{many:?}");
    assert!(four.sent < many.sent, "{four:?} {many:?}");
}

#[test]
fn machines_share_the_work_and_send_the_children_of_others() {
    let states = StateCount::exact(1e9, Basis::Counted);
    let sizes = Sizes { stored: 2.5, sent: 6.0 };
    let estimate =
        Estimate { states, layers: vec![9e8 as u64, 1e8 as u64], walks: 2, sizes, measured: None, limit: None };
    let of = |hosts| needs(&estimate, 1e6, true, &Machines { hosts, workers: 4, bandwidth: 1e9 });
    let alone = of(1);
    assert_eq!((alone.compute, alone.network, alone.sent), (2e9 / 4e6, 0.0, 0.0), "one machine sends nothing");
    assert_eq!(alone.disk, 2.5e9 + 5.4e9, "all states, and the children of the largest layer");
    let ten = of(10);
    assert_eq!((ten.compute, ten.disk), (alone.compute / 10.0, alone.disk / 10.0));
    assert_eq!((ten.sent, ten.network), (1.08e9, 1.08e9 * 8.0 / 1e9), "a tenth of the children stays");
}

#[test]
fn the_largest_layer_is_a_counted_one_or_follows_from_the_growth() {
    assert_eq!(largest_share(&[1, 6, 3], 10.0, true), 0.6);
    assert_eq!(largest_share(&[1, 10, 100], 1e9, false), 0.9);
    assert_eq!(largest_share(&[1], 1.0, true), 1.0);
    // The 15-puzzle: the largest of its layers has a few hundredths of the states.
    let share = largest_share(&[231_844, 447_342], 1.046e13, true);
    assert!((0.02..0.06).contains(&share), "{share}");
}
