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

use super::back::distance;
use super::desk::{But, Desk, LEAST_BYTES, share_out};
use super::graph::CodeGraph;
use super::layer_file::Writer;
use super::manifest::{Answer, Farthest, Identity};
use super::others::Others;
use super::record::Code;
use super::store::Store;
use super::{Step, Stop};
use crate::search::crew::Crew;
use crate::search::explore::{Explored, FROM_START, Hardest};
use crate::search::limits::{Limit, Limits};
use std::collections::HashMap;
use std::time::Duration;

/// The minimum time between two checkpoints of layers.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn depth(number: usize) -> String {
    format!("depth-{number:05}")
}

pub(super) fn goals(number: usize) -> String {
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
pub(in crate::search) struct Place<'a> {
    pub store: Store,
    pub others: Option<Box<dyn Others + 'a>>,
}

/// Returns the identity of this exploration.
pub(in crate::search) fn identity<C: Code>(graph: &dyn CodeGraph<C>, start: C, puzzle: &str, aim: Aim) -> Identity {
    let upto = if aim == Aim::Goal { ", up to a goal" } else { "" };
    Identity {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        puzzle: puzzle.to_owned(),
        codes: graph.codes() + upto,
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
    place: Place<'a>,
) -> Step<Explored<Vec<u128>>> {
    let desk = Desk::new(place.store, place.others, limits);
    let buffer = desk.buffer();
    let mut walk = Walk { desk, graph, start, aim, buffer, dead_ends: None, totals: HashMap::new(), resumes: true };
    if limits.memory.is_some_and(|memory| memory < LEAST_BYTES) {
        return walk.ended(Stop::Limit(Limit::Memory));
    }
    let ended = Crew::new(limits.threads).together(|| {
        let ended = walk.walk_to_the_end();
        // Keep the completed files in any case; on a full disk the commit itself may fail.
        ended.map_err(|stop| match (walk.desk.store.commit(), stop) {
            (Err(unsaved), Stop::Limit(_)) => unsaved,
            (_, stop) => stop,
        })
    });
    match ended {
        Ok(hardest) => Ok(Explored { hardest, ..walk.told(None) }),
        Err(stop) => walk.ended(stop),
    }
}

/// An exploration up to its current step.
pub(super) struct Walk<'a, C> {
    pub desk: Desk<'a>,
    pub graph: &'a dyn CodeGraph<C>,
    pub start: C,
    pub aim: Aim,
    pub buffer: Vec<C>,
    pub dead_ends: Option<u64>,
    /// The number of records of a file in all shares, if the exploration is distributed.
    totals: HashMap<String, u64>,
    /// True while the next step may already be done by an earlier run.
    resumes: bool,
}

impl<C: Code> Walk<'_, C> {
    /// Converts a limit to the result so far; passes other errors on.
    fn ended(&self, stop: Stop) -> Step<Explored<Vec<u128>>> {
        match stop {
            Stop::Limit(limit) => Ok(self.told(Some(limit))),
            trouble @ Stop::Trouble(_) => Err(trouble),
        }
    }

    /// Returns the number of records of a file in all shares, also after its removal; none if it was never made.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        if self.desk.others.is_some() { self.totals.get(name).copied() } else { self.desk.store.count(name) }
    }

    /// Returns the number of records of the first of some files that a step makes together, if the step was done
    /// before. If one share has not done it, none has: the others remove their files.
    pub(super) fn made_before(&mut self, names: &[&str]) -> Step<Option<u64>> {
        let Walk { desk: Desk { store, others, .. }, totals, resumes, .. } = self;
        let Some(others) = others else { return Ok(store.count(names[0])) };
        if !*resumes {
            return Ok(None);
        }
        let counts = names.iter().map(|name| store.count(name).unwrap_or(0));
        let mine: Vec<u64> = std::iter::once(store.count(names[0]).is_some().into()).chain(counts).collect();
        let all = others.sum(&mine)?;
        if all[0] == others.shares() as u64 {
            totals.extend(names.iter().map(|&name| name.to_owned()).zip(all[1..].iter().copied()));
            return Ok(Some(all[1]));
        }
        *resumes = false;
        names.iter().try_for_each(|name| store.forget(name))?;
        store.commit()?;
        Ok(None)
    }

    /// Records that a step made some files; returns the number of records of the first of them in all shares, after all
    /// shares have made it.
    pub(super) fn made(&mut self, names: &[&str]) -> Step<u64> {
        let Walk { desk: Desk { store, others, .. }, totals, .. } = self;
        let counts: Vec<u64> = names.iter().map(|name| store.count(name).unwrap_or(0)).collect();
        let Some(others) = others else { return Ok(counts[0]) };
        store.commit()?;
        let all = others.sum(&counts)?;
        totals.extend(names.iter().map(|&name| name.to_owned()).zip(all.iter().copied()));
        Ok(all[0])
    }

    /// Returns whether a condition holds in every share.
    fn everywhere(&mut self, here: bool) -> Step<bool> {
        let Some(others) = &mut self.desk.others else { return Ok(here) };
        Ok(others.sum(&[here.into()])?[0] == others.shares() as u64)
    }

    /// Returns the result so far, without the hardest states.
    fn told(&self, limit: Option<Limit>) -> Explored<Vec<u128>> {
        let most = self.desk.limits.depth.map_or(usize::MAX, |depth| depth as usize);
        let (mut by_depth, mut met) = (Vec::new(), 0);
        while by_depth.len() <= most
            && let Some(states) = self.count(&depth(by_depth.len())).filter(|&states| states > 0)
        {
            met += self.count(&goals(by_depth.len())).unwrap_or(0);
            by_depth.push(states);
        }
        let (dead_ends, memory) = (self.dead_ends, self.desk.memory);
        Explored { limit, in_moves: true, by_depth, goals: met, dead_ends, hardest: None, memory }
    }

    fn walk_to_the_end(&mut self) -> Step<Option<Hardest<Vec<u128>>>> {
        let layers = self.walk_from_start()?;
        let answer = self.desk.store.manifest.answer.clone();
        if self.everywhere(answer.is_some())?
            && let Some(Answer { dead_ends, hardest }) = answer
        {
            self.dead_ends = Some(dead_ends);
            if self.desk.others.is_some() {
                // A share that was killed while the others learnt the answer still has its files.
                self.desk.store.drop_all()?;
                self.desk.store.commit()?;
            }
            return hardest.map(|hardest| self.read(&hardest)).transpose();
        }
        let states: u64 = (0..layers).filter_map(|layer| self.count(&depth(layer))).sum();
        let with_goals: Vec<String> =
            (0..layers).map(goals).filter(|name| self.count(name).is_some_and(|goals| goals > 0)).collect();
        let goals_met: u64 = with_goals.iter().filter_map(|name| self.count(name)).sum();
        if goals_met == 0 {
            self.dead_ends = Some(states);
            self.conclude(Answer { dead_ends: states, hardest: None })?;
            return Ok(None);
        }
        // The graph is undirected, so a reachable goal is reachable from every state.
        self.dead_ends = self.graph.is_reversible().then_some(0);
        let (cost, hardest) = if self.aim == Aim::Goal {
            (layers - 1, goals(layers - 1))
        } else if self.graph.is_reversible() && goals_met == 1 && with_goals == [goals(0)] {
            (layers - 1, depth(layers - 1))
        } else {
            let cost = self.walk_from_goals(&with_goals, layers, states)?;
            (cost, distance(cost))
        };
        let count = self.count(&hardest).unwrap_or(0);
        let example: Vec<u128> = self.way_to_first(&hardest, layers)?.into_iter().map(C::to_wide).collect();
        let found = Hardest { cost: cost as f64, count, example };
        let codes = found.example.iter().map(|code| format!("{code:x}")).collect();
        let farthest = Some(Farthest { cost: cost as u32, count, way: codes });
        self.conclude(Answer { dead_ends: self.dead_ends.unwrap_or(0), hardest: farthest })?;
        Ok(Some(found))
    }

    /// Makes the layers from the start, within the depth limit; returns their number.
    fn walk_from_start(&mut self) -> Step<usize> {
        self.desk.limits.begin(FROM_START, Some("depth"), 0);
        for layer in 0.. {
            let states = match self.made_before(&[&depth(layer), &goals(layer)])? {
                Some(states) => states,
                None => self.make_layer(layer)?,
            };
            if states == 0 {
                return Ok(layer);
            }
            if self.desk.limits.depth.is_some_and(|most| layer > most as usize) {
                return Err(Stop::Limit(Limit::Depth));
            }
            self.desk.limits.reach(layer as f64, 0.0);
            if self.aim == Aim::Goal && self.count(&goals(layer)).is_some_and(|goals| goals > 0) {
                return Ok(layer + 1);
            }
        }
        unreachable!("layers are counted without an end")
    }

    fn make_layer(&mut self, layer: usize) -> Step<u64> {
        let target = depth(layer);
        if layer == 0 {
            let others = self.desk.others.as_ref();
            let mine = others.is_none_or(|all| self.start.share(all.shares()) == all.number());
            self.buffer.clear();
            self.buffer.extend(mine.then_some(self.start));
        } else {
            self.children_of(&depth(layer - 1), &target)?;
        }
        // If moves are reversible, children lie in the previous layer, in this one or in the next.
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(depth).collect();
        let goals = goals(layer);
        self.make(&target, But { minus: &known, only: None }, Some(&goals))?;
        self.made(&[&target, &goals])
    }

    /// Gathers the children of the states in a file.
    pub(super) fn children_of(&mut self, source: &str, target: &str) -> Step<()> {
        let graph = self.graph;
        let sources = [source.to_owned()];
        self.desk.gather(target, &sources, true, &mut self.buffer, &mut |states: &[C], children| {
            share_out(states, children, |states, children| graph.children(states, children));
            Ok(())
        })
    }

    /// Writes the gathered states to a file, and the goals among them to another if requested and there are any.
    pub(super) fn make(&mut self, target: &str, but: But, goals: Option<&str>) -> Step<()> {
        let Walk { desk, graph, buffer, .. } = self;
        let mut writer: Writer<C> = desk.store.create(target)?;
        let mut goal_writer: Option<Writer<C>> = goals.map(|name| desk.store.create(name)).transpose()?;
        let (mut met, mut all_met) = (Vec::new(), 0);
        desk.merge(target, buffer, but, &mut |states| {
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
        desk.store.list(target, seal, 0);
        goals.zip(met).into_iter().for_each(|(name, seal)| desk.store.list(name, seal, 0));
        desk.clear(target)?;
        desk.store.commit_after(PAUSE)
    }

    /// Stores the answer, and removes all files.
    fn conclude(&mut self, answer: Answer) -> Step<()> {
        self.desk.store.manifest.answer = Some(answer);
        if self.desk.others.is_some() {
            // The files are needed until every share has the answer.
            self.desk.store.commit()?;
            self.everywhere(true)?;
        }
        self.desk.store.drop_all()?;
        self.desk.store.commit()
    }

    /// Restores the hardest states that an earlier run found.
    fn read(&self, farthest: &Farthest) -> Step<Hardest<Vec<u128>>> {
        let mut at = self.start;
        let mut example = Vec::with_capacity(farthest.way.len());
        for code in &farthest.way {
            let next = u128::from_str_radix(code, 16).ok().and_then(C::from_wide);
            let next = next.filter(|next| self.graph.in_order(at).contains(next));
            at = next.ok_or_else(|| self.desk.store.contradiction("the way that it tells is none"))?;
            example.push(at.to_wide());
        }
        Ok(Hardest { cost: f64::from(farthest.cost), count: farthest.count, example })
    }
}
