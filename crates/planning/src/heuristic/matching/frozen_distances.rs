//! Frozen tokens as walls: a greater lower bound, by what the other tokens can do while these stay.
//!
//! [Frozen](super::frozen) tokens never move again, so no solution contains an operator that moves one of them, needs
//! its place free or takes the mover through it. Without these operators the others have longer paths, or none: a token
//! frozen on a target can bar the way to the targets behind it. The steps that lead to a place without a path to a
//! target are in no solution either. Without them more tokens may be frozen, and so on, until no more are.
//!
//! So the matching with these distances is a lower bound. Along a path frozen tokens stay frozen and distances only
//! grow. But what is known of a set of frozen tokens grows during a search, and so may the bound: it is not consistent.
//!
//! The distances are computed once states with the same frozen tokens have been met [`FEW`] times.

use super::frozen::Blocks;
use super::moves::{FAR, NOWHERE, Targets};
use super::places::Places;
use super::projection::Projection;
use super::tokens::Tokens;
use super::{Assignment, DEAD};
use crate::task::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of states with the same frozen tokens before the distances are computed.
const FEW: u64 = if cfg!(test) { 1 } else { 8 };

/// The places times values of the mover whose nodes take as long as a state, and the most of them.
const PLACES_OF_STATE: u64 = 1 << 10;
const MOST_PLACES: usize = 1 << 22;

/// Greater distances count as this.
const MOST_DISTANCE: usize = 60_000;

/// The most bytes of all distances. When they are more, all are forgotten.
const MOST_BYTES: u64 = 1 << 26;

/// Distances for each set of frozen tokens of one search.
pub(super) struct FrozenDistances<'a, const N: usize> {
    of: &'a Tokens<N>,
    projection: &'a Projection<N>,
    known: FxHashMap<Places<N>, Known<N>>,
    bytes: u64,
    assignment: Assignment,
}

/// The number of states with one set of frozen tokens, and the distances behind these.
struct Known<const N: usize> {
    /// The number of states so far.
    states: u64,
    behind: Option<Arc<Behind<N>>>,
}

/// The distances with some tokens as walls.
struct Behind<const N: usize> {
    /// For each place and value of the mover, the node.
    node_of: Vec<u32>,
    goals: Vec<Targets>,
    blocks: Blocks<N>,
}

impl<'a, const N: usize> FrozenDistances<'a, N> {
    pub fn new(of: &'a Tokens<N>, projection: &'a Projection<N>) -> FrozenDistances<'a, N> {
        FrozenDistances { of, projection, known: FxHashMap::default(), bytes: 0, assignment: Assignment::default() }
    }

    /// Adds a lower bound on the cost of the tokens' steps to each goal's sum.
    pub fn add(&mut self, tokens: &Places<N>, mover: usize, sums: &mut [u32]) {
        let of = self.of;
        if of.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(tokens, mover as Value)) {
            sums.fill(DEAD);
            return;
        }
        let mut frozen = of.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(tokens));
        if self.bytes > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let mut behind = None;
        while let Some(found) = self.behind(&frozen) {
            let more = found.blocks.frozen(tokens);
            behind = Some(found);
            if more == frozen {
                break;
            }
            frozen = more;
        }
        for (at, sum) in sums.iter_mut().enumerate() {
            let (goal, node_of) = match &behind {
                Some(behind) => (&behind.goals[at], &behind.node_of),
                None => (&of.goals[at], &of.node_of),
            };
            let node = |place| node_of[place * of.mover_values + mover];
            let total = of.least(goal, node, tokens, &frozen, &mut self.assignment);
            *sum = (*sum).saturating_add(total).min(DEAD);
        }
    }

    /// Counts a state with some frozen tokens, and returns the distances with these as walls once they are due.
    fn behind(&mut self, frozen: &Places<N>) -> Option<Arc<Behind<N>>> {
        if frozen.is_empty() {
            return None;
        }
        let of = self.of;
        let known = self.known.entry(*frozen).or_insert_with(|| {
            self.bytes += size_of::<(Places<N>, Known<N>)>() as u64;
            Known { states: 0, behind: None }
        });
        known.states += 1;
        let (places, values) = (of.places.len(), of.mover_values);
        let is_due = known.states >= FEW.max((places * values) as u64 / PLACES_OF_STATE);
        if known.behind.is_none() && is_due && places * values <= MOST_PLACES {
            let behind = Behind::new(of, self.projection, frozen);
            self.bytes += behind.bytes();
            known.behind = Some(Arc::new(behind));
        }
        known.behind.clone()
    }
}

impl<const N: usize> Behind<N> {
    fn new(of: &Tokens<N>, projection: &Projection<N>, walls: &Places<N>) -> Behind<N> {
        let (places, values) = (of.places.len(), of.mover_values);
        let mut node_of = vec![NOWHERE; places * values];
        let mut nodes = 0;
        for place in 0..places {
            let mut tokens = *walls;
            tokens.insert(place);
            // A token that never moves needs no more than one node.
            let is_apart = walls.contains(place) || projection.steps[place].is_empty();
            let open = projection.open(&tokens);
            for value in open.iter().filter(|&value| of.node(place, value as Value) != NOWHERE) {
                if node_of[place * values + value] == NOWHERE {
                    let region = if is_apart { open } else { projection.region(&tokens, value) };
                    region.iter().for_each(|value| node_of[place * values + value] = nodes);
                    nodes += 1;
                }
            }
        }
        let possible = |from: usize| projection.steps[from].iter().filter(|step| !step.without.meets(walls));
        let moving = || (0..places).filter(|&from| !walls.contains(from));
        let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); nodes as usize];
        for from in moving() {
            for step in possible(from) {
                let (before, after) = (node_of[from * values + step.before], node_of[step.to * values + step.after]);
                if before != NOWHERE && after != NOWHERE && before != after {
                    into[after as usize].push((before, step.cost));
                }
            }
        }
        let goals: Vec<Targets> = of
            .goals
            .iter()
            .map(|goal| {
                let ends = |place: usize| {
                    let mut ends = node_of[place * values..][..values].to_vec();
                    ends.retain(|&node| node != NOWHERE);
                    ends.sort_unstable();
                    ends.dedup();
                    ends
                };
                let count = goal.places.len();
                let mut distance = vec![FAR; nodes as usize * count];
                for (target, &place) in goal.places.iter().enumerate() {
                    let place = usize::from(place);
                    // No other token comes to the place of a wall.
                    let into = if walls.contains(place) { &[][..] } else { &into };
                    search(ends(place), into, &mut distance[target..], count);
                }
                let (places, is_required) = (goal.places.clone(), goal.is_required.clone());
                Targets { places, is_required, required: goal.required.clone(), distance }
            })
            .collect();
        let is_alive = |node: u32| {
            node != NOWHERE && goals.iter().any(|goal| goal.distances(node).iter().any(|&distance| distance != FAR))
        };
        let steps = moving().flat_map(|from| {
            let alive = possible(from).filter(|step| is_alive(node_of[step.to * values + step.after]));
            alive.map(move |step| (from, step.without))
        });
        let blocks = Blocks::new(places, steps);
        Behind { node_of, goals, blocks }
    }

    fn bytes(&self) -> u64 {
        let goals: u64 = self.goals.iter().map(Targets::bytes).sum();
        goals + (self.node_of.len() * size_of::<u32>()) as u64
    }
}

/// Finds the least costs from all nodes to some ends, in every `stride`th entry of `distance`.
fn search(ends: Vec<u32>, into: &[Vec<(u32, u32)>], distance: &mut [u16], stride: usize) {
    let mut open = vec![ends];
    let mut so_far = 0;
    while so_far < open.len() {
        while let Some(node) = open[so_far].pop() {
            let known = &mut distance[node as usize * stride];
            if usize::from(*known) <= so_far {
                continue;
            }
            *known = so_far as u16;
            for &(from, cost) in into.get(node as usize).map_or(&[][..], Vec::as_slice) {
                let through = (so_far + cost as usize).min(MOST_DISTANCE);
                if through < usize::from(distance[from as usize * stride]) {
                    if open.len() <= through {
                        open.resize(through + 1, Vec::new());
                    }
                    open[through].push(from);
                }
            }
        }
        so_far += 1;
    }
}
