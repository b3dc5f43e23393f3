//! The exploration, in steps. Each step makes one file, and is skipped if the manifest already names that file. So
//! resuming after the program was killed is the same as running.
//!
//! | files | contents |
//! |---|---|
//! | `depth-N` | the states N moves from the start; an empty file marks the end of the space |
//! | `goals-N` | the goals among them |
//! | `edges`, `edges-N` | if moves are irreversible, each state with its predecessors: of all layers, or of one |
//! | `distance-N` | the states N moves from the nearest goal |
//! | `nearest-N` | the hardest states N moves from the start: a file for each N, up to the first non-empty one |
//! | `way-N` | the states N moves from the start on shortest paths to those |
//!
//! The layers from the start are kept, at about a byte per state, since they lead to the example without another search
//! of the space. The backward pass starts from the hardest states nearest to the start, and collects their predecessors
//! layer by layer. Following from the start the first move that stays in these sets gives the path to the state that
//! breadth-first search reaches first. Of two states of a layer it reaches first the one whose first shortest path
//! comes first in the order of the moves.

use super::filters::FilterNames;
use super::graph::CodeGraph;
use super::layer_file::Writer;
use super::manifest::{Farthest, Identity, StoredAnswer};
use super::peers::Peers;
use super::record::Code;
use super::sorter::{MIN_BYTES, Sorter, map_parallel};
use super::store::CheckpointStore;
use super::{Abort, StepResult};
use crate::search::Algorithm;
use crate::search::explore::{Explored, FROM_START, Hardest};
use crate::search::limits::{Limit, Limits};
use crate::search::thread_pool::LazyPool;
use std::collections::HashMap;
use std::time::Duration;

/// The minimum time between two checkpoints of layers.
const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

pub(super) fn depth_file(number: usize) -> String {
    format!("depth-{number:05}")
}

pub(super) fn distance_file(number: usize) -> String {
    format!("distance-{number:05}")
}

pub(super) fn goals_file(number: usize) -> String {
    format!("goals-{number:05}")
}

/// The goal of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Aim {
    /// The whole space, and the states farthest from a goal in it.
    Whole,
    /// The goals nearest to the start: the last layer is theirs, and they are reported as the hardest states.
    Goal,
}

/// The location of the files, and the other shares.
pub(in crate::search) struct Environment<'a> {
    pub store: CheckpointStore,
    pub peers: Option<Box<dyn Peers + 'a>>,
}

/// Returns the identity of this exploration.
pub(in crate::search) fn identity<C: Code>(graph: &dyn CodeGraph<C>, start: C, puzzle: &str, aim: Aim) -> Identity {
    let up_to = if aim == Aim::Goal { ", up to a goal" } else { "" };
    Identity {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        puzzle: puzzle.to_owned(),
        codes: graph.codes() + up_to,
        start: format!("{:x}", start.to_wide()),
        share: None,
    }
}

/// Explores the space; the path to the hardest states is returned as wide codes, without the start.
pub(in crate::search) fn explore<'a, C: Code>(
    graph: &'a dyn CodeGraph<C>,
    start: C,
    aim: Aim,
    limits: &'a Limits,
    environment: Environment<'a>,
) -> StepResult<Explored<Vec<u128>>> {
    let sorter = Sorter::new(environment.store, environment.peers, limits);
    let buffer = sorter.buffer();
    let mut exploration =
        Exploration { sorter, graph, start, aim, buffer, dead_ends: None, totals: HashMap::new(), is_resuming: true };
    if limits.memory.is_some_and(|memory| memory < MIN_BYTES) {
        return exploration.abort_result(Abort::Limit(Limit::Memory));
    }
    let ended = LazyPool::new(limits.threads).run(|| {
        let ended = exploration.run();
        // Keep the completed files in any case; on a full disk the commit itself may fail.
        ended.map_err(|stop| match (exploration.sorter.store.commit(), stop) {
            (Err(unsaved), Abort::Limit(_)) => unsaved,
            (_, stop) => stop,
        })
    });
    match ended {
        Ok(hardest) => Ok(Explored { hardest, ..exploration.partial_result(None) }),
        Err(stop) => exploration.abort_result(stop),
    }
}

/// An exploration up to its current step.
pub(super) struct Exploration<'a, C> {
    pub sorter: Sorter<'a>,
    pub graph: &'a dyn CodeGraph<C>,
    pub start: C,
    pub aim: Aim,
    pub buffer: Vec<C>,
    pub dead_ends: Option<u64>,
    /// The number of records of a file in all shares, if the exploration is distributed.
    totals: HashMap<String, u64>,
    /// True while the next step may already be done by an earlier run.
    is_resuming: bool,
}

impl<C: Code> Exploration<'_, C> {
    /// Converts a limit to the result so far; passes other errors on.
    fn abort_result(&self, stop: Abort) -> StepResult<Explored<Vec<u128>>> {
        match stop {
            Abort::Limit(limit) => Ok(self.partial_result(Some(limit))),
            error @ Abort::Error(_) => Err(error),
        }
    }

    /// Returns the number of records of a file in all shares, also after its removal; none if it was never made.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        if self.sorter.peers.is_some() { self.totals.get(name).copied() } else { self.sorter.store.count(name) }
    }

    /// Returns the number of records of the first of some files that a step makes together, if the step was done
    /// before. If one share has not done it, none has: the others remove their files.
    pub(super) fn already_made(&mut self, names: &[&str]) -> StepResult<Option<u64>> {
        let Exploration { sorter: Sorter { store, peers, .. }, totals, is_resuming, .. } = self;
        let Some(peers) = peers else { return Ok(store.count(names[0])) };
        if !*is_resuming {
            return Ok(None);
        }
        let counts = names.iter().map(|name| store.count(name).unwrap_or(0));
        let mine: Vec<u64> = std::iter::once(store.count(names[0]).is_some().into()).chain(counts).collect();
        let all = peers.sum(&mine)?;
        if all[0] == peers.shares() as u64 {
            totals.extend(names.iter().map(|&name| name.to_owned()).zip(all[1..].iter().copied()));
            return Ok(Some(all[1]));
        }
        *is_resuming = false;
        names.iter().try_for_each(|name| store.remove_entry(name))?;
        store.commit()?;
        Ok(None)
    }

    /// Records that a step made some files; returns the number of records of the first of them in all shares, after all
    /// shares have made it.
    pub(super) fn finish_step(&mut self, names: &[&str]) -> StepResult<u64> {
        let Exploration { sorter: Sorter { store, peers, .. }, totals, .. } = self;
        let counts: Vec<u64> = names.iter().map(|name| store.count(name).unwrap_or(0)).collect();
        let Some(peers) = peers else { return Ok(counts[0]) };
        store.commit()?;
        let all = peers.sum(&counts)?;
        totals.extend(names.iter().map(|&name| name.to_owned()).zip(all.iter().copied()));
        Ok(all[0])
    }

    /// Returns whether a condition holds in every share.
    fn holds_everywhere(&mut self, here: bool) -> StepResult<bool> {
        let Some(peers) = &mut self.sorter.peers else { return Ok(here) };
        Ok(peers.sum(&[here.into()])?[0] == peers.shares() as u64)
    }

    /// Returns the result so far, without the hardest states.
    fn partial_result(&self, limit: Option<Limit>) -> Explored<Vec<u128>> {
        let most = self.sorter.limits.depth.map_or(usize::MAX, |depth| depth as usize);
        let (mut by_depth, mut met) = (Vec::new(), 0);
        while by_depth.len() <= most
            && let Some(states) = self.count(&depth_file(by_depth.len())).filter(|&states| states > 0)
        {
            met += self.count(&goals_file(by_depth.len())).unwrap_or(0);
            by_depth.push(states);
        }
        let (dead_ends, memory) = (self.dead_ends, self.sorter.memory);
        Explored { limit, by_depth, costs: None, goals: met, dead_ends, hardest: None, memory }
    }

    fn run(&mut self) -> StepResult<Option<Hardest<Vec<u128>>>> {
        let layers = self.explore_from_start()?;
        let answer = self.sorter.store.manifest.answer.clone();
        if self.holds_everywhere(answer.is_some())?
            && let Some(StoredAnswer { dead_ends, hardest }) = answer
        {
            self.dead_ends = Some(dead_ends);
            if self.sorter.peers.is_some() {
                // A share that was killed while the others learnt the answer still has its files.
                self.sorter.store.drop_all()?;
                self.sorter.store.commit()?;
            }
            return hardest.map(|hardest| self.restore(&hardest)).transpose();
        }
        let states: u64 = (0..layers).filter_map(|layer| self.count(&depth_file(layer))).sum();
        let with_goals: Vec<String> =
            (0..layers).map(goals_file).filter(|name| self.count(name).is_some_and(|goals| goals > 0)).collect();
        let goals_met: u64 = with_goals.iter().filter_map(|name| self.count(name)).sum();
        if goals_met == 0 {
            self.dead_ends = Some(states);
            self.store_answer(StoredAnswer { dead_ends: states, hardest: None })?;
            return Ok(None);
        }
        // The graph is undirected, so a reachable goal is reachable from every state.
        self.dead_ends = self.graph.is_reversible().then_some(0);
        let (cost, hardest) = if self.aim == Aim::Goal {
            (layers - 1, goals_file(layers - 1))
        } else if self.graph.is_reversible() && goals_met == 1 && with_goals == [goals_file(0)] {
            (layers - 1, depth_file(layers - 1))
        } else {
            let cost = self.explore_from_goals(&with_goals, layers, states)?;
            (cost, distance_file(cost))
        };
        let count = self.count(&hardest).unwrap_or(0);
        let example: Vec<u128> = self.path_to_first(&hardest, layers)?.into_iter().map(C::to_wide).collect();
        let found = Hardest { cost: cost as f64, count, example };
        let codes = found.example.iter().map(|code| format!("{code:x}")).collect();
        let farthest = Some(Farthest { cost: cost as u32, count, way: codes });
        self.store_answer(StoredAnswer { dead_ends: self.dead_ends.unwrap_or(0), hardest: farthest })?;
        Ok(Some(found))
    }

    /// Makes the layers from the start, within the depth limit; returns their number.
    fn explore_from_start(&mut self) -> StepResult<usize> {
        let doing = if self.aim == Aim::Goal { Algorithm::Bfs.name() } else { FROM_START };
        self.sorter.limits.begin(doing, Some("depth"), 0);
        for layer in 0.. {
            let states = match self.already_made(&[&depth_file(layer), &goals_file(layer)])? {
                Some(states) => states,
                None => self.generate_layer(layer)?,
            };
            if states == 0 {
                return Ok(layer);
            }
            if self.sorter.limits.depth.is_some_and(|most| layer > most as usize) {
                return Err(Abort::Limit(Limit::Depth));
            }
            let bound = if self.aim == Aim::Goal { layer as f64 + 1.0 } else { 0.0 };
            self.sorter.limits.reach(layer as f64, bound);
            if self.aim == Aim::Goal && self.count(&goals_file(layer)).is_some_and(|goals| goals > 0) {
                return Ok(layer + 1);
            }
        }
        unreachable!("layers are counted without an end")
    }

    fn generate_layer(&mut self, layer: usize) -> StepResult<u64> {
        let target = depth_file(layer);
        if layer == 0 {
            let peers = self.sorter.peers.as_ref();
            let mine = peers.is_none_or(|all| self.start.share(all.shares()) == all.number());
            self.buffer.clear();
            self.buffer.extend(mine.then_some(self.start));
        } else {
            self.gather_children(&depth_file(layer - 1), &target)?;
        }
        // If moves are reversible, children lie in the previous layer, in this one or in the next.
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(depth_file).collect();
        let goals = goals_file(layer);
        self.write_gathered(&target, FilterNames { exclude: &known, only: None }, Some(&goals))?;
        self.finish_step(&[&target, &goals])
    }

    /// Gathers the children of the states in a file.
    pub(super) fn gather_children(&mut self, source: &str, target: &str) -> StepResult<()> {
        let graph = self.graph;
        let sources = [source.to_owned()];
        self.sorter.gather(target, &sources, true, &mut self.buffer, &mut |states: &[C], children| {
            map_parallel(states, children, |states, children| graph.children(states, children));
            Ok(())
        })
    }

    /// Writes the gathered states to a file, and the goals among them to another if requested and there are any.
    pub(super) fn write_gathered(&mut self, target: &str, filter: FilterNames, goals: Option<&str>) -> StepResult<()> {
        let Exploration { sorter, graph, buffer, .. } = self;
        let mut writer: Writer<C> = sorter.store.create(target)?;
        let mut goal_writer: Option<Writer<C>> = goals.map(|name| sorter.store.create(name)).transpose()?;
        let (mut met, mut all_met) = (Vec::new(), 0);
        sorter.merge(target, buffer, filter, &mut |states| {
            if let Some(writer) = &mut goal_writer {
                met.clear();
                graph.goals(states, &mut met);
                all_met += met.len();
                writer.extend(&met)?;
            }
            writer.extend(states)
        })?;
        // Complete both files before listing either: a layer without its goals is invalid.
        let seal = writer.finish()?;
        let met = goal_writer.filter(|_| all_met > 0).map(Writer::finish).transpose()?;
        sorter.store.add(target, seal, 0);
        goals.zip(met).into_iter().for_each(|(name, seal)| sorter.store.add(name, seal, 0));
        sorter.clear(target)?;
        sorter.store.commit_after(COMMIT_INTERVAL)
    }

    /// Stores the answer, and removes all files.
    fn store_answer(&mut self, answer: StoredAnswer) -> StepResult<()> {
        self.sorter.store.manifest.answer = Some(answer);
        if self.sorter.peers.is_some() {
            // The files are needed until every share has the answer.
            self.sorter.store.commit()?;
            self.holds_everywhere(true)?;
        }
        self.sorter.store.drop_all()?;
        self.sorter.store.commit()
    }

    /// Restores the hardest states that an earlier run found.
    fn restore(&self, farthest: &Farthest) -> StepResult<Hardest<Vec<u128>>> {
        let mut at = self.start;
        let mut example = Vec::with_capacity(farthest.way.len());
        for code in &farthest.way {
            let next = u128::from_str_radix(code, 16).ok().and_then(C::from_wide);
            let next = next.filter(|next| self.graph.in_order(at).contains(next));
            at = next.ok_or_else(|| self.sorter.store.contradiction("its path is broken"))?;
            example.push(at.to_wide());
        }
        Ok(Hardest { cost: f64::from(farthest.cost), count: farthest.count, example })
    }
}
