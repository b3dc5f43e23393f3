//! The exploration, step by step. Each step makes one file, and is skipped where the list of files has it already: so going
//! on after the program was killed is the same as going.
//!
//! | files | what they hold |
//! |---|---|
//! | `depth-N` | the states N moves from the start; an empty one is the end of the space |
//! | `goals-N` | those of them that are goals |
//! | `edges`, `edges-N` | each state with each that leads to it, where moves cannot be taken back: of all layers, or of one |
//! | `distance-N` | the states N moves from the nearest goal |
//! | `nearest-N` | the hardest that are N moves from the start: a file for each N, up to the first that has any |
//! | `way-N` | the states N moves from the start from which these are reached soonest |
//!
//! The layers from the start are kept, about a byte a state, since they lead to the example without another search of the
//! space: of the hardest states those nearest to the start, then what leads to these, layer by layer back to the start.
//! From there the first move that stays within is, again and again, the way to the state that breadth-first search meets
//! first: of two states of a layer it meets the one first whose first shortest way is first in the order of moves.

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

/// Layers that take less time than this are made durable together.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn depth(number: usize) -> String {
    format!("depth-{number:05}")
}

pub(super) fn goals(number: usize) -> String {
    format!("goals-{number:05}")
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Aim {
    /// The whole space, and the states farthest from a goal in it.
    Whole,
    /// The goals nearest to the start: no layer after theirs is made, and they are told as the hardest.
    Goal,
}

/// Where files lie, and with whom the work is shared.
pub(in crate::search) struct Place<'a> {
    pub store: Store,
    pub others: Option<Box<dyn Others + 'a>>,
}

/// What tells this exploration from any other.
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

/// Walks the space; the way to the hardest is told by codes of any size, after the start.
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
        // What is whole stays, whatever comes next; on a full disk perhaps what is on the list already.
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

/// An exploration, as far as it has come.
pub(super) struct Walk<'a, C> {
    pub desk: Desk<'a>,
    pub graph: &'a dyn CodeGraph<C>,
    pub start: C,
    pub aim: Aim,
    pub buffer: Vec<C>,
    pub dead_ends: Option<u64>,
    /// How many records all shares have of a file, where it is shared out and they were added up.
    totals: HashMap<String, u64>,
    /// Whether the next step may be one that was done before.
    resumes: bool,
}

impl<C: Code> Walk<'_, C> {
    /// A limit ends it with what is known; anything else with nothing.
    fn ended(&self, stop: Stop) -> Step<Explored<Vec<u128>>> {
        match stop {
            Stop::Limit(limit) => Ok(self.told(Some(limit))),
            trouble @ Stop::Trouble(_) => Err(trouble),
        }
    }

    /// How many records a file has or had, in all shares; none if it was never made.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        if self.desk.others.is_some() { self.totals.get(name).copied() } else { self.desk.store.count(name) }
    }

    /// The number of records of the first of some files that are made together, if that was done before. Where one share
    /// has not done it, none has: what others made of it is taken away.
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

    /// Some files were made here: returns the records of the first of them in all shares, all of which have it by then.
    pub(super) fn made(&mut self, names: &[&str]) -> Step<u64> {
        let Walk { desk: Desk { store, others, .. }, totals, .. } = self;
        let counts: Vec<u64> = names.iter().map(|name| store.count(name).unwrap_or(0)).collect();
        let Some(others) = others else { return Ok(counts[0]) };
        store.commit()?;
        let all = others.sum(&counts)?;
        totals.extend(names.iter().map(|&name| name.to_owned()).zip(all.iter().copied()));
        Ok(all[0])
    }

    /// Whether this is so in every share.
    fn everywhere(&mut self, here: bool) -> Step<bool> {
        let Some(others) = &mut self.desk.others else { return Ok(here) };
        Ok(others.sum(&[here.into()])?[0] == others.shares() as u64)
    }

    /// What is known where a limit ended it, or of all but the hardest.
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
                // A share that was ended while all came to know the answer has its files still.
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
        // A goal's component is that of the start, so all states can reach one.
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

    /// Makes the layers from the start, as far as the limit on depth allows; returns how many there are.
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
        // Where moves can be taken back, children lie in the layer before, in this one or in the next.
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

    /// Makes a file of what was gathered; and one of the goals in it, where these are asked for and it has any.
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
        // Both files are whole before one is listed: without its goals a layer is not to count.
        let seal = writer.finish()?;
        let met = goal_writer.filter(|_| all_met > 0).map(Writer::finish).transpose()?;
        desk.store.list(target, seal, 0);
        goals.zip(met).into_iter().for_each(|(name, seal)| desk.store.list(name, seal, 0));
        desk.clear(target)?;
        desk.store.commit_after(PAUSE)
    }

    /// The end: only what it was is kept.
    fn conclude(&mut self, answer: Answer) -> Step<()> {
        self.desk.store.manifest.answer = Some(answer);
        if self.desk.others.is_some() {
            // Files are needed until every share has the answer.
            self.desk.store.commit()?;
            self.everywhere(true)?;
        }
        self.desk.store.drop_all()?;
        self.desk.store.commit()
    }

    /// The hardest, as an earlier run found them.
    fn read(&self, farthest: &Farthest) -> Step<Hardest<Vec<u128>>> {
        let mut at = self.start;
        let mut example = Vec::with_capacity(farthest.way.len());
        for code in &farthest.way {
            let next = u128::from_str_radix(code, 16).ok().and_then(C::from_wide);
            let next = next.filter(|next| self.graph.in_order(at).contains(next));
            at = next.ok_or_else(|| self.desk.store.contradiction("its path is broken"))?;
            example.push(at.to_wide());
        }
        Ok(Hardest { cost: f64::from(farthest.cost), count: farthest.count, example })
    }
}
