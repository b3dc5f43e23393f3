//! Frozen tokens as walls: a greater lower bound, by what the other tokens can do while these stay.
//!
//! [Frozen](super::frozen) tokens never move again, so no solution contains an operator that moves one of them, needs
//! its place free or takes the mover through it. Without these operators the others have longer paths, or none: a token
//! frozen on a target can bar the way to the targets behind it. The steps that lead to a place without a path to a
//! target are in no solution either. Without them more tokens may be frozen, and so on, until no more are.
//!
//! So the matching with these distances is a lower bound, and so is its sum with the excess of
//! [conflicts](super::conflicts) by them. Along a path frozen tokens stay frozen and distances only grow. But what is
//! known of a set of frozen tokens grows during a search, and so may the bound: it is not consistent.
//!
//! The distances are used once states with the same frozen tokens have been met [`FEW`] times, and the conflicts when
//! the time that they take is small beside that of the states so far. These are the states of the rounds before, so
//! that bounds do not depend on the order in which threads evaluate the states of a round.

use super::conflicts::{Conflicts, Task};
use super::frozen::Blocks;
use super::moves::{FAR, NOWHERE, Targets};
use super::places::Places;
use super::projection::Projection;
use super::tokens::Tokens;
use super::{Assignment, DEAD};
use crate::task::Value;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of states with the same frozen tokens before the distances are computed.
const FEW: u64 = if cfg!(test) { 1 } else { 8 };

/// The places times values of the mover whose nodes take as long as a state, and the most of them.
const PLACES_OF_STATE: u64 = 1 << 10;
const MOST_PLACES: usize = 1 << 22;

/// The steps of searches for conflicts that take as long as a state.
const STEPS_OF_STATE: u64 = if cfg!(test) { 1 << 40 } else { 256 };

/// The steps of searches for conflicts without walls that are not waited for.
const AT_FIRST: u64 = 1 << 13;

/// Greater distances count as this.
const MOST_DISTANCE: usize = 60_000;

/// The most bytes of all distances and conflicts. When they are more, all are forgotten.
const MOST_BYTES: u64 = 1 << 26;

/// Distances and conflicts for each set of frozen tokens of one search.
pub(super) struct FrozenDistances<'a, const N: usize> {
    of: &'a Tokens<N>,
    projection: &'a Projection<N>,
    with_conflicts: bool,
    /// The places from which a token reaches a target if no token is frozen.
    alive: Vec<usize>,
    /// The sets of frozen tokens of the rounds before this one. Threads share the lock; only [`settle`](Self::settle)
    /// takes it alone.
    known: RwLock<FxHashMap<Places<N>, Known<N>>>,
    bytes: AtomicU64,
    /// Buffers that no thread uses at present.
    buffers: Mutex<Vec<Buffers<N>>>,
}

/// The buffers of one thread.
#[derive(Default)]
struct Buffers<const N: usize> {
    assignment: Assignment,
    /// The states of this round by their frozen tokens.
    states: FxHashMap<Places<N>, u64>,
}

/// Distances and conflicts for one set of frozen tokens. Whether they are used depends on the number of states alone;
/// they are computed when they are first used.
struct Known<const N: usize> {
    /// The number of states in the rounds before this one.
    states: u64,
    behind: OnceLock<Behind<N>>,
    conflicts: OnceLock<Option<Conflicts<N>>>,
}

impl<const N: usize> Default for Known<N> {
    fn default() -> Known<N> {
        Known { states: 0, behind: OnceLock::new(), conflicts: OnceLock::new() }
    }
}

/// The distances with some tokens as walls.
struct Behind<const N: usize> {
    /// For each place and value of the mover, the node.
    node_of: Vec<u32>,
    goals: Vec<Targets>,
    blocks: Blocks<N>,
    /// The places from which a token that is no wall reaches a target.
    alive: Vec<usize>,
}

impl<'a, const N: usize> FrozenDistances<'a, N> {
    pub fn new(of: &'a Tokens<N>, projection: &'a Projection<N>, with_conflicts: bool) -> FrozenDistances<'a, N> {
        let is_alive = |place: &usize| (0..of.mover_values).any(|value| of.is_alive(of.node(*place, value as Value)));
        FrozenDistances {
            of,
            alive: (0..of.places.len()).filter(is_alive).collect(),
            projection,
            with_conflicts,
            known: RwLock::new(without_walls()),
            bytes: AtomicU64::new(0),
            buffers: Mutex::default(),
        }
    }

    /// Runs `work` with the bounds as they are known in this round. It must end before the round is settled.
    pub fn with_bounds<T>(&self, work: impl FnOnce(&mut Bounds<'_, 'a, N>) -> T) -> T {
        let free = self.buffers.lock().pop();
        let mut buffers = free.unwrap_or_default();
        let result = work(&mut Bounds { of: self, known: &self.known.read(), buffers: &mut buffers });
        self.buffers.lock().push(buffers);
        result
    }

    /// Puts the states of a round into effect.
    pub fn settle(&self) {
        let known = &mut *self.known.write();
        for buffers in &mut *self.buffers.lock() {
            for (frozen, states) in buffers.states.drain() {
                let new = || {
                    self.bytes.fetch_add(size_of::<(Places<N>, Known<N>)>() as u64, Ordering::Relaxed);
                    Known::default()
                };
                known.entry(frozen).or_insert_with(new).states += states;
            }
        }
        if self.bytes.load(Ordering::Relaxed) > MOST_BYTES {
            *known = without_walls();
            self.bytes.store(0, Ordering::Relaxed);
        }
    }
}

/// Returns the sets of frozen tokens before any state: the empty one, whose conflicts the first state may need.
fn without_walls<const N: usize>() -> FxHashMap<Places<N>, Known<N>> {
    FxHashMap::from_iter([(Places::default(), Known::default())])
}

/// The bounds as they are known in a round, with the buffers of one thread.
pub(super) struct Bounds<'r, 'a, const N: usize> {
    of: &'r FrozenDistances<'a, N>,
    known: &'r FxHashMap<Places<N>, Known<N>>,
    buffers: &'r mut Buffers<N>,
}

impl<'r, const N: usize> Bounds<'r, '_, N> {
    /// Adds a lower bound on the cost of the tokens' steps to each goal's sum; returns the part of it that is excess.
    pub fn add(&mut self, tokens: &Places<N>, mover: usize, sums: &mut [u32]) -> u32 {
        let of = self.of.of;
        if of.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(tokens, mover as Value)) {
            sums.fill(DEAD);
            return 0;
        }
        let mut frozen = of.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(tokens));
        let (mut behind, mut conflicts) = (None, None);
        loop {
            match self.meet(&frozen) {
                (Some(found), excesses) => {
                    (behind, conflicts) = (Some(found), excesses);
                    let more = found.blocks.frozen(tokens);
                    if more == frozen {
                        break;
                    }
                    frozen = more;
                }
                (None, excesses) => {
                    conflicts = conflicts.or(excesses);
                    break;
                }
            }
        }
        // Until the conflicts behind these walls are known, those without walls are another bound.
        let others = if conflicts.is_none() && behind.is_some() { self.meet(&Places::default()).1 } else { None };
        let assignment = &mut self.buffers.assignment;
        let excess = conflicts.map_or(0, |conflicts| conflicts.excess(tokens, mover, assignment));
        let other = others.map_or(0, |conflicts| conflicts.excess(tokens, mover, assignment));
        if excess == DEAD || other == DEAD {
            sums.fill(DEAD);
            return 0;
        }
        let mut h = |goal: &Targets, node_of: &[u32]| {
            of.least(goal, |place| node_of[place * of.mover_values + mover], tokens, &frozen, assignment)
        };
        for (at, sum) in sums.iter_mut().enumerate() {
            let mut total = match behind {
                Some(behind) => h(&behind.goals[at], &behind.node_of),
                None => h(&of.goals[at], &of.node_of),
            };
            if total < DEAD {
                total += excess;
                if other > 0 {
                    total = total.max(h(&of.goals[at], &of.node_of) + other);
                }
            }
            *sum = (*sum).saturating_add(total).min(DEAD);
        }
        excess.max(other)
    }

    /// Counts a state with some frozen tokens; returns the distances and the conflicts that are due for them.
    fn meet(&mut self, frozen: &Places<N>) -> (Option<&'r Behind<N>>, Option<&'r Conflicts<N>>) {
        *self.buffers.states.entry(*frozen).or_default() += 1;
        let Some(known) = self.known.get(frozen) else { return (None, None) };
        let FrozenDistances { of, projection, with_conflicts, bytes, .. } = self.of;
        let states = known.states + 1;
        let (places, values) = (of.places.len(), of.mover_values);
        let is_due = states >= FEW.max((places * values) as u64 / PLACES_OF_STATE);
        let behind = (!frozen.is_empty() && is_due && places * values <= MOST_PLACES).then(|| {
            known.behind.get_or_init(|| {
                let behind = Behind::new(of, projection, frozen);
                bytes.fetch_add(behind.bytes(), Ordering::Relaxed);
                behind
            })
        });
        let task = match behind {
            _ if !with_conflicts => return (behind, None),
            Some(Behind { node_of, goals, alive, .. }) => {
                Task { projection, walls: frozen, places, values, used: alive, node_of, goals }
            }
            None if frozen.is_empty() => Task {
                projection,
                walls: frozen,
                places,
                values,
                used: &self.of.alive,
                node_of: &of.node_of,
                goals: &of.goals,
            },
            None => return (None, None),
        };
        let at_first = if frozen.is_empty() { AT_FIRST } else { 0 };
        if task.steps() > at_first.saturating_add(states.saturating_mul(STEPS_OF_STATE)) {
            return (behind, None);
        }
        let conflicts = known.conflicts.get_or_init(|| {
            let conflicts = Conflicts::new(&task);
            bytes.fetch_add(conflicts.as_ref().map_or(0, Conflicts::bytes), Ordering::Relaxed);
            conflicts
        });
        (behind, conflicts.as_ref())
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
        let alive = moving().filter(|place| node_of[place * values..][..values].iter().any(|&node| is_alive(node)));
        let alive = alive.collect();
        let steps = moving().flat_map(|from| {
            let alive = possible(from).filter(|step| is_alive(node_of[step.to * values + step.after]));
            alive.map(move |step| (from, step.without))
        });
        let blocks = Blocks::new(places, steps);
        Behind { node_of, goals, blocks, alive }
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
