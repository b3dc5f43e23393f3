//! The backward passes: from all goals to the states farthest from them, and from those to the start.
//!
//! If moves are reversible, the predecessors of a state are its children. Otherwise all moves are written once, sorted
//! by target, and read in parallel with each layer, which has the same order.

use super::Step;
use super::desk::{But, share_out};
use super::filters::read_on;
use super::layer_file::{Reader, Writer};
use super::record::Code;
use super::walk::{Aim, Walk, depth, goals};
use crate::search::explore::{FROM_GOALS, TO_HARDEST};

const EDGES: &str = "edges";

pub(super) fn distance(number: usize) -> String {
    format!("distance-{number:05}")
}

/// The file of the moves from the states of one layer.
fn edges(number: usize) -> String {
    format!("edges-{number:05}")
}

fn nearest(number: usize) -> String {
    format!("nearest-{number:05}")
}

fn way(number: usize) -> String {
    format!("way-{number:05}")
}

impl<C: Code> Walk<'_, C> {
    /// Generates the layers from all goals; returns the number of the last non-empty one.
    pub(super) fn walk_from_goals(&mut self, goals: &[String], layers: usize, states: u64) -> Step<usize> {
        let reversible = self.graph.is_reversible();
        if !reversible && self.made_before(&[EDGES])?.is_none() {
            let sources: Vec<String> = (0..layers).map(depth).collect();
            self.turn_around(EDGES, &sources)?;
        }
        self.desk.limits.begin(FROM_GOALS, Some("distance"), 0);
        let mut met = 0;
        for layer in 0.. {
            let known = match self.made_before(&[&distance(layer)])? {
                Some(states) => states,
                None => self.make_distance(layer, goals)?,
            };
            if known == 0 {
                self.dead_ends = Some(states - met);
                return Ok(layer - 1);
            }
            met += known;
            if reversible && layer >= 2 {
                self.desk.store.drop(&distance(layer - 2))?;
            }
            self.desk.limits.reach(layer as f64, 0.0);
        }
        unreachable!("layers are counted without an end")
    }

    fn make_distance(&mut self, layer: usize, goals: &[String]) -> Step<u64> {
        let target = distance(layer);
        if layer == 0 {
            let here = |name: &&String| self.desk.store.count(name).is_some();
            let goals: Vec<String> = goals.iter().filter(here).cloned().collect();
            self.desk.gather(&target, &goals, false, &mut self.buffer, &mut |goals: &[C], same| {
                same.extend(goals);
                Ok(())
            })?;
        } else {
            self.before(&distance(layer - 1), EDGES, &target)?;
        }
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(distance).collect();
        self.make(&target, But { minus: &known, only: None }, None)?;
        self.made(&[&target])
    }

    /// Gathers the predecessors of the states in a file; `edges` contains the moves, if they are irreversible.
    fn before(&mut self, source: &str, edges: &str, target: &str) -> Step<()> {
        if self.graph.is_reversible() {
            return self.children_of(source, target);
        }
        let mut reader: Reader<C> = self.desk.store.read(source)?;
        let edges = [edges.to_owned()];
        self.desk.gather(target, &edges, false, &mut self.buffer, &mut |edges: &[(C, C)], before| {
            for &(to, from) in edges {
                if leads_to(&mut reader, to)? {
                    before.push(from);
                }
            }
            Ok(())
        })?;
        read_on(&mut reader)
    }

    /// Writes all moves from the states of some files, sorted by target.
    fn turn_around(&mut self, target: &str, sources: &[String]) -> Step<()> {
        let graph = self.graph;
        // Pairs use the memory of the state buffer meanwhile.
        self.buffer = Vec::new();
        let mut pairs: Vec<(C, C)> = self.desk.buffer();
        self.desk.gather(target, sources, false, &mut pairs, &mut |states: &[C], pairs| {
            share_out(states, pairs, |states, pairs| {
                let mut children = Vec::new();
                for &state in states {
                    graph.children(&[state], &mut children);
                    pairs.extend(children.drain(..).map(|child| (child, state)));
                }
            });
            Ok(())
        })?;
        let mut writer = self.desk.store.create(target)?;
        self.desk.merge(target, &mut pairs, But::default(), &mut |pairs| writer.extend(pairs))?;
        self.desk.store.list(target, writer.finish()?, 0);
        self.desk.clear(target)?;
        drop(pairs);
        self.buffer = self.desk.buffer();
        self.desk.store.commit()?;
        self.made(&[target]).map(drop)
    }

    /// Returns the path to the hardest state that breadth-first search from the start reaches first.
    pub(super) fn way_to_first(&mut self, hardest: &str, layers: usize) -> Step<Vec<C>> {
        self.desk.limits.begin(TO_HARDEST, None, 0);
        let end = self.nearest(hardest, layers)?;
        let name = |layer| if layer == end { nearest(layer) } else { way(layer) };
        for layer in (1..end).rev() {
            let own_edges = self.aim == Aim::Goal && !self.graph.is_reversible();
            let edges = if own_edges { edges(layer) } else { EDGES.to_owned() };
            let made_together = if own_edges { vec![way(layer), edges.clone()] } else { vec![way(layer)] };
            let made_together: Vec<&str> = made_together.iter().map(String::as_str).collect();
            if self.made_before(&made_together)?.is_none() {
                if own_edges {
                    self.turn_around(&edges, &[depth(layer)])?;
                }
                self.before(&name(layer + 1), &edges, &way(layer))?;
                let there = depth(layer);
                self.make(&way(layer), But { minus: &[], only: Some(&there) }, None)?;
                self.made(&[&way(layer)])?;
                if own_edges {
                    self.desk.store.drop(&edges)?;
                }
            }
        }
        let mut example = Vec::with_capacity(end);
        let mut at = self.start;
        for layer in 1..=end {
            let children = self.graph.in_order(at);
            let on_the_way = self.common(&name(layer), &children)?;
            let next = children.into_iter().zip(on_the_way).find_map(|(child, common)| common.then_some(child));
            at = next.ok_or_else(|| self.desk.store.contradiction("no way leads to the hardest states"))?;
            example.push(at);
        }
        Ok(example)
    }

    /// Writes the file of the hardest states nearest to the start; returns their distance in moves.
    fn nearest(&mut self, hardest: &str, layers: usize) -> Step<usize> {
        // A layer from the start may be the file of the hardest states itself, or contain them all.
        let first = (0..layers).find(|&layer| [depth(layer), goals(layer)].iter().any(|name| name == hardest));
        for layer in first.unwrap_or(0)..layers {
            let known = self.made_before(&[&nearest(layer)])?;
            if known.is_some_and(|known| known > 0) {
                return Ok(layer);
            }
            if known.is_some() {
                continue;
            }
            let mut writer: Writer<C> = self.desk.store.create(&nearest(layer))?;
            // A share may own none of the goals, and have no file of them.
            let hardest: Vec<String> = self.desk.store.count(hardest).map(|_| hardest.to_owned()).into_iter().collect();
            let there = depth(layer);
            let but = But { minus: &[], only: Some(&there) };
            self.desk.merge_files(&hardest, &mut self.buffer, but, &mut |states| writer.extend(states))?;
            let seal = writer.finish()?;
            self.desk.store.list(&nearest(layer), seal, 0);
            if self.made(&[&nearest(layer)])? > 0 {
                return Ok(layer);
            }
        }
        Err(self.desk.store.contradiction("the hardest states are in no layer"))
    }

    /// Returns which of some states a file contains, in any share.
    fn common(&mut self, name: &str, states: &[C]) -> Step<Vec<bool>> {
        let mut reader: Reader<C> = self.desk.store.read(name)?;
        let mut common = vec![false; states.len()];
        loop {
            let rest = reader.rest()?;
            let records = rest.len();
            if records == 0 {
                break;
            }
            common.iter_mut().zip(states).for_each(|(common, state)| *common |= rest.binary_search(state).is_ok());
            reader.skip(records);
        }
        let Some(others) = &mut self.desk.others else { return Ok(common) };
        let mine: Vec<u64> = common.into_iter().map(u64::from).collect();
        Ok(others.sum(&mine)?.into_iter().map(|shares| shares > 0).collect())
    }
}

/// Returns whether a file contains a state; states must be queried in increasing order.
fn leads_to<C: Code>(reader: &mut Reader<C>, state: C) -> Step<bool> {
    loop {
        let rest = reader.rest()?;
        let before = rest.partition_point(|&known| known < state);
        match rest.get(before) {
            Some(&known) => {
                reader.skip(before);
                return Ok(known == state);
            }
            None if rest.is_empty() => return Ok(false),
            None => reader.skip(before),
        }
    }
}
