//! The way back: from all goals to the states farthest from them, and from these to the start.
//!
//! Where moves can be taken back, what leads to a state is what it leads to. Elsewhere all moves are written down once,
//! sorted by where they lead, and read through for each layer, beside which they stand in the same order.

use super::Step;
use super::desk::{But, read_on, share_out};
use super::layer_file::{Reader, Writer};
use super::record::Code;
use super::walk::{Walk, depth};
use crate::search::explore::{FROM_GOALS, TO_HARDEST};

const EDGES: &str = "edges";

pub(super) fn distance(number: usize) -> String {
    format!("distance-{number:05}")
}

fn way(number: usize) -> String {
    format!("way-{number:05}")
}

impl<C: Code> Walk<'_, C> {
    /// Makes the layers from all goals; returns the number of the last that is not empty.
    pub(super) fn walk_from_goals(&mut self, goals: &[String], layers: usize, states: u64) -> Step<usize> {
        let reversible = self.graph.is_reversible();
        if !reversible {
            self.turn_around(layers)?;
        }
        self.desk.limits.begin(FROM_GOALS, Some("distance"), 0);
        let mut met = 0;
        for layer in 0.. {
            let known = match self.desk.store.count(&distance(layer)) {
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
            self.desk.gather(&target, goals, false, &mut self.buffer, &mut |goals: &[C], same| {
                same.extend(goals);
                Ok(())
            })?;
        } else {
            self.before(&distance(layer - 1), &target)?;
        }
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(distance).collect();
        self.make(&target, But { minus: &known, only: None }, None)
    }

    /// Gathers the states that a move takes to one of those in a file.
    fn before(&mut self, source: &str, target: &str) -> Step<()> {
        if self.graph.is_reversible() {
            return self.children_of(source, target);
        }
        let mut reader: Reader<C> = self.desk.store.read(source)?;
        let edges = [EDGES.to_owned()];
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

    /// Writes down all moves, by where they lead.
    fn turn_around(&mut self, layers: usize) -> Step<()> {
        if self.desk.store.count(EDGES).is_some() {
            return Ok(());
        }
        let graph = self.graph;
        let sources: Vec<String> = (0..layers).map(depth).collect();
        // Pairs take the place of states, as long as it lasts.
        self.buffer = Vec::new();
        let mut pairs: Vec<(C, C)> = self.desk.buffer();
        self.desk.gather(EDGES, &sources, false, &mut pairs, &mut |states: &[C], pairs| {
            share_out(states, pairs, |states, pairs| {
                let mut children = Vec::new();
                for &state in states {
                    graph.children(&[state], &mut children);
                    pairs.extend(children.drain(..).map(|child| (child, state)));
                }
            });
            Ok(())
        })?;
        let mut writer = self.desk.store.create(EDGES)?;
        self.desk.merge(EDGES, &mut pairs, But::default(), &mut |pairs| writer.extend(pairs))?;
        self.desk.store.list(EDGES, writer.finish()?, 0);
        self.desk.clear(EDGES)?;
        drop(pairs);
        self.buffer = self.desk.buffer();
        self.desk.store.commit()
    }

    /// The way to that of the hardest states that breadth-first search from the start meets first.
    pub(super) fn way_to_first(&mut self, hardest: &str, layers: usize) -> Step<Vec<C>> {
        self.desk.limits.begin(TO_HARDEST, None, 0);
        let end = self.nearest(hardest, layers)?;
        for layer in (1..end).rev() {
            if self.desk.store.count(&way(layer)).is_none() {
                self.before(&way(layer + 1), &way(layer))?;
                let there = depth(layer);
                self.make(&way(layer), But { minus: &[], only: Some(&there) }, None)?;
            }
        }
        let mut example = Vec::with_capacity(end);
        let mut at = self.start;
        for layer in 1..=end {
            let children = self.graph.in_order(at);
            let on_the_way = self.common(&way(layer), &children)?;
            let next = children.into_iter().find(|child| on_the_way.contains(child));
            at = next.ok_or_else(|| self.desk.store.contradiction("no way leads to the hardest states"))?;
            example.push(at);
        }
        Ok(example)
    }

    /// Makes the file of those of the hardest states that are nearest to the start; returns how many moves that is.
    fn nearest(&mut self, hardest: &str, layers: usize) -> Step<usize> {
        if let Some(layer) = (0..layers).rev().find(|&layer| self.desk.store.count(&way(layer)).is_some()) {
            return Ok(layer);
        }
        // A layer from the start may be the hardest itself.
        let first = (0..layers).find(|&layer| depth(layer) == hardest).unwrap_or(0);
        for layer in first..layers {
            let mut writer: Writer<C> = self.desk.store.create(&way(layer))?;
            let (hardest, there) = ([hardest.to_owned()], depth(layer));
            let but = But { minus: &[], only: Some(&there) };
            self.desk.merge_files(&hardest, &mut self.buffer, but, &mut |states| writer.extend(states))?;
            let seal = writer.finish()?;
            self.desk.store.list(&way(layer), seal, 0);
            if seal.count > 0 {
                return Ok(layer);
            }
            self.desk.store.forget(&way(layer))?;
        }
        Err(self.desk.store.contradiction("the hardest states are in no layer"))
    }

    /// Those of some states that a file has.
    fn common(&self, name: &str, states: &[C]) -> Step<Vec<C>> {
        let mut reader: Reader<C> = self.desk.store.read(name)?;
        let mut common = Vec::new();
        loop {
            let rest = reader.rest()?;
            if rest.is_empty() {
                return Ok(common);
            }
            common.extend(states.iter().filter(|state| rest.binary_search(state).is_ok()));
            let records = rest.len();
            reader.skip(records);
        }
    }
}

/// Whether a file has a state; states are asked for in rising order.
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
