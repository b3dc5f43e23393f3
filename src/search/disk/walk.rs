//! The exploration, step by step. Each step makes one file, and is skipped where the list of files has it already: so going
//! on after the program was killed is the same as going.
//!
//! | files | what they hold |
//! |---|---|
//! | `depth-N` | the states N moves from the start; an empty one is the end of the space |
//! | `goals-N` | those of them that are goals |
//! | `edges` | each state with each that leads to it, where moves cannot be taken back |
//! | `distance-N` | the states N moves from the nearest goal |
//! | `way-N` | the states N moves from the start from which the nearest of the hardest are reached soonest |
//!
//! The layers from the start are kept, about a byte a state, since they lead to the example without another search of the
//! space: of the hardest states those nearest to the start, then what leads to these, layer by layer back to the start.
//! From there the first move that stays within is, again and again, the way to the state that breadth-first search meets
//! first: of two states of a layer it meets the one first whose first shortest way is first in the order of moves.

use super::back::distance;
use super::desk::{But, Desk, LEAST_BYTES, share_out};
use super::graph::Graph;
use super::layer_file::Writer;
use super::manifest::{Answer, Farthest, Identity};
use super::record::Code;
use super::store::Store;
use super::{DiskError, OnDisk, Step, Stop};
use crate::search::crew::Crew;
use crate::search::explore::{Explored, FROM_START, Hardest};
use crate::search::limits::{Limit, Limits};
use std::time::Duration;

/// Layers that take less time than this are made durable together.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn depth(number: usize) -> String {
    format!("depth-{number:05}")
}

fn goals(number: usize) -> String {
    format!("goals-{number:05}")
}

/// Walks the whole space; the way to the hardest is told by codes, after the start.
pub(super) fn explore<C: Code>(
    graph: &dyn Graph<C>,
    start: C,
    limits: &Limits,
    disk: &OnDisk,
) -> Result<Explored<Vec<C>>, DiskError> {
    let trouble = |stop| match stop {
        Stop::Trouble(error) => Ok(error),
        Stop::Limit(limit) => Err(limit),
    };
    let identity = Identity {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        puzzle: disk.fingerprint.clone(),
        codes: graph.codes(),
        start: format!("{:x}", start.to_wide()),
    };
    let mut walk = match Store::open(&disk.folder, identity, disk.limit).map_err(trouble) {
        Ok(store) => {
            let desk = Desk::new(store, limits);
            let buffer = desk.buffer();
            Walk { desk, graph, start, buffer, dead_ends: None }
        }
        Err(Ok(error)) => return Err(error),
        Err(Err(limit)) => return Ok(told_nothing(limit)),
    };
    if limits.memory.is_some_and(|memory| memory < LEAST_BYTES) {
        return Ok(walk.told(Some(Limit::Memory)));
    }
    let ended = Crew::new(limits.threads).together(|| {
        let ended = walk.walk_to_the_end();
        // What is whole stays, whatever comes next; on a full disk perhaps what is on the list already.
        ended.map_err(|stop| match (walk.desk.store.commit(), stop) {
            (Err(unsaved), Stop::Limit(_)) => unsaved,
            (_, stop) => stop,
        })
    });
    match ended.map_err(trouble) {
        Ok(hardest) => Ok(Explored { hardest, ..walk.told(None) }),
        Err(Err(limit)) => Ok(walk.told(Some(limit))),
        Err(Ok(error)) => Err(error),
    }
}

fn told_nothing<P>(limit: Limit) -> Explored<P> {
    let limit = Some(limit);
    Explored { limit, in_moves: true, by_depth: Vec::new(), goals: 0, dead_ends: None, hardest: None, memory: 0 }
}

/// An exploration, as far as it has come.
pub(super) struct Walk<'a, C> {
    pub desk: Desk<'a>,
    pub graph: &'a dyn Graph<C>,
    pub start: C,
    pub buffer: Vec<C>,
    pub dead_ends: Option<u64>,
}

impl<C: Code> Walk<'_, C> {
    /// What is known where a limit ended it, or of all but the hardest.
    fn told(&self, limit: Option<Limit>) -> Explored<Vec<C>> {
        let most = self.desk.limits.depth.map_or(usize::MAX, |depth| depth as usize);
        let (mut by_depth, mut met) = (Vec::new(), 0);
        while by_depth.len() <= most
            && let Some(states) = self.desk.store.count(&depth(by_depth.len())).filter(|&states| states > 0)
        {
            met += self.desk.store.count(&goals(by_depth.len())).unwrap_or(0);
            by_depth.push(states);
        }
        let (dead_ends, memory) = (self.dead_ends, self.desk.memory);
        Explored { limit, in_moves: true, by_depth, goals: met, dead_ends, hardest: None, memory }
    }

    fn walk_to_the_end(&mut self) -> Step<Option<Hardest<Vec<C>>>> {
        let layers = self.walk_from_start()?;
        if let Some(Answer { dead_ends, hardest }) = self.desk.store.manifest.answer.clone() {
            self.dead_ends = Some(dead_ends);
            return hardest.map(|hardest| self.read(&hardest)).transpose();
        }
        let states: u64 = (0..layers).filter_map(|layer| self.desk.store.count(&depth(layer))).sum();
        let with_goals: Vec<String> =
            (0..layers).map(goals).filter(|name| self.desk.store.count(name).is_some()).collect();
        let goals_met: u64 = with_goals.iter().filter_map(|name| self.desk.store.count(name)).sum();
        if goals_met == 0 {
            self.dead_ends = Some(states);
            self.conclude(Answer { dead_ends: states, hardest: None })?;
            return Ok(None);
        }
        // A goal's component is that of the start, so all states can reach one.
        self.dead_ends = self.graph.is_reversible().then_some(0);
        let (cost, hardest) = if self.graph.is_reversible() && goals_met == 1 && with_goals == [goals(0)] {
            (layers - 1, depth(layers - 1))
        } else {
            let cost = self.walk_from_goals(&with_goals, layers, states)?;
            (cost, distance(cost))
        };
        let count = self.desk.store.count(&hardest).unwrap_or(0);
        let example = self.way_to_first(&hardest, layers)?;
        let found = Hardest { cost: cost as f64, count, example };
        let codes = found.example.iter().map(|code| format!("{:x}", code.to_wide())).collect();
        let farthest = Some(Farthest { cost: cost as u32, count, way: codes });
        self.conclude(Answer { dead_ends: self.dead_ends.unwrap_or(0), hardest: farthest })?;
        Ok(Some(found))
    }

    /// Makes the layers from the start, as far as the limit on depth allows; returns how many there are.
    fn walk_from_start(&mut self) -> Step<usize> {
        self.desk.limits.begin(FROM_START, Some("depth"), 0);
        for layer in 0.. {
            let states = match self.desk.store.count(&depth(layer)) {
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
        }
        unreachable!("layers are counted without an end")
    }

    fn make_layer(&mut self, layer: usize) -> Step<u64> {
        let target = depth(layer);
        if layer == 0 {
            self.buffer.clear();
            self.buffer.push(self.start);
        } else {
            self.children_of(&depth(layer - 1), &target)?;
        }
        // Where moves can be taken back, children lie in the layer before, in this one or in the next.
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(depth).collect();
        self.make(&target, But { minus: &known, only: None }, Some(&goals(layer)))
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

    /// Makes a file of what was gathered; and one of the goals in it, where these are asked for and it has any.
    pub(super) fn make(&mut self, target: &str, but: But, goals: Option<&str>) -> Step<u64> {
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
        // Both files are whole before one is listed: without its goals a layer is not to count.
        let seal = writer.finish()?;
        let met = goal_writer.filter(|_| all_met > 0).map(Writer::finish).transpose()?;
        desk.store.list(target, seal, 0);
        goals.zip(met).into_iter().for_each(|(name, seal)| desk.store.list(name, seal, 0));
        desk.clear(target)?;
        desk.store.commit_after(PAUSE)?;
        Ok(seal.count)
    }

    /// The end: only what it was is kept.
    fn conclude(&mut self, answer: Answer) -> Step<()> {
        let store = &mut self.desk.store;
        store.manifest.answer = Some(answer);
        store.drop_all()?;
        store.commit()
    }

    /// The hardest, as an earlier run found them.
    fn read(&self, farthest: &Farthest) -> Step<Hardest<Vec<C>>> {
        let mut at = self.start;
        let mut example = Vec::with_capacity(farthest.way.len());
        for code in &farthest.way {
            let next = u128::from_str_radix(code, 16).ok().and_then(C::from_wide);
            let next = next.filter(|next| self.graph.in_order(at).contains(next));
            at = next.ok_or_else(|| self.desk.store.contradiction("the way that it tells is none"))?;
            example.push(at);
        }
        Ok(Hardest { cost: f64::from(farthest.cost), count: farthest.count, example })
    }
}
