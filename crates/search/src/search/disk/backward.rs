//! The backward passes: from all goals to the states farthest from them, and from those to the start.
//!
//! If moves are reversible, the predecessors of a state are its children. Otherwise all moves are written once, sorted
//! by target, and read in parallel with each layer, which has the same order.

use super::StepResult;
use super::exploration::{Aim, Exploration, depth_file, distance_file, goals_file};
use super::filters::FilterNames;
use super::filters::read_to_end;
use super::layer_file::{Reader, Writer};
use super::record::Code;
use super::sorter::map_parallel;
use crate::search::explore::{FROM_GOALS, TO_HARDEST};

const EDGES: &str = "edges";

/// The file of the moves from the states of one layer.
fn edges_file(number: usize) -> String {
    format!("edges-{number:05}")
}

fn nearest_file(number: usize) -> String {
    format!("nearest-{number:05}")
}

fn path_file(number: usize) -> String {
    format!("way-{number:05}")
}

impl<C: Code> Exploration<'_, C> {
    /// Generates the layers from all goals; returns the number of the last non-empty one.
    pub(super) fn explore_from_goals(&mut self, goals: &[String], layers: usize, states: u64) -> StepResult<usize> {
        let reversible = self.graph.is_reversible();
        if !reversible && self.already_made(&[EDGES])?.is_none() {
            let sources: Vec<String> = (0..layers).map(depth_file).collect();
            self.reverse_edges(EDGES, &sources)?;
        }
        self.sorter.limits.begin(FROM_GOALS, Some("distance"), 0);
        let mut met = 0;
        for layer in 0.. {
            let known = match self.already_made(&[&distance_file(layer)])? {
                Some(states) => states,
                None => self.generate_distance_layer(layer, goals)?,
            };
            if known == 0 {
                self.dead_ends = Some(states - met);
                return Ok(layer - 1);
            }
            met += known;
            if reversible && layer >= 2 {
                self.sorter.store.drop(&distance_file(layer - 2))?;
            }
            self.sorter.limits.reach(layer as f64, 0.0);
        }
        unreachable!("layers are counted without an end")
    }

    fn generate_distance_layer(&mut self, layer: usize, goals: &[String]) -> StepResult<u64> {
        let target = distance_file(layer);
        if layer == 0 {
            let here = |name: &&String| self.sorter.store.count(name).is_some();
            let goals: Vec<String> = goals.iter().filter(here).cloned().collect();
            self.sorter.gather(&target, &goals, false, &mut self.buffer, &mut |goals: &[C], same| {
                same.extend(goals);
                Ok(())
            })?;
        } else {
            self.gather_predecessors(&distance_file(layer - 1), EDGES, &target)?;
        }
        let known = if self.graph.is_reversible() { layer.saturating_sub(2) } else { 0 };
        let known: Vec<String> = (known..layer).map(distance_file).collect();
        self.write_gathered(&target, FilterNames { exclude: &known, only: None }, None)?;
        self.finish_step(&[&target])
    }

    /// Gathers the predecessors of the states in a file; `edges` contains the moves, if they are irreversible.
    fn gather_predecessors(&mut self, source: &str, edges: &str, target: &str) -> StepResult<()> {
        if self.graph.is_reversible() {
            return self.gather_children(source, target);
        }
        let mut reader: Reader<C> = self.sorter.store.read(source)?;
        let edges = [edges.to_owned()];
        self.sorter.gather(target, &edges, false, &mut self.buffer, &mut |edges: &[(C, C)], before| {
            for &(to, from) in edges {
                if contains(&mut reader, to)? {
                    before.push(from);
                }
            }
            Ok(())
        })?;
        read_to_end(&mut reader)
    }

    /// Writes all moves from the states of some files, sorted by target.
    fn reverse_edges(&mut self, target: &str, sources: &[String]) -> StepResult<()> {
        let graph = self.graph;
        // Pairs use the memory of the state buffer meanwhile.
        self.buffer = Vec::new();
        let mut pairs: Vec<(C, C)> = self.sorter.buffer();
        self.sorter.gather(target, sources, false, &mut pairs, &mut |states: &[C], pairs| {
            map_parallel(states, pairs, |states, pairs| {
                let mut children = Vec::new();
                for &state in states {
                    graph.children(&[state], &mut children);
                    pairs.extend(children.drain(..).map(|child| (child, state)));
                }
            });
            Ok(())
        })?;
        let mut writer = self.sorter.store.create(target)?;
        self.sorter.merge(target, &mut pairs, FilterNames::default(), &mut |pairs| writer.extend(pairs))?;
        self.sorter.store.add(target, writer.finish()?, 0);
        self.sorter.clear(target)?;
        drop(pairs);
        self.buffer = self.sorter.buffer();
        self.sorter.store.commit()?;
        self.finish_step(&[target]).map(drop)
    }

    /// Returns the path to the hardest state that breadth-first search from the start reaches first.
    pub(super) fn path_to_first(&mut self, hardest: &str, layers: usize) -> StepResult<Vec<C>> {
        self.sorter.limits.begin(TO_HARDEST, None, 0);
        let end = self.nearest(hardest, layers)?;
        let name = |layer| if layer == end { nearest_file(layer) } else { path_file(layer) };
        for layer in (1..end).rev() {
            let own_edges = self.aim == Aim::Goal && !self.graph.is_reversible();
            let edges = if own_edges { edges_file(layer) } else { EDGES.to_owned() };
            let made_together = if own_edges { vec![path_file(layer), edges.clone()] } else { vec![path_file(layer)] };
            let made_together: Vec<&str> = made_together.iter().map(String::as_str).collect();
            if self.already_made(&made_together)?.is_none() {
                // An earlier run may have ended between the two.
                if own_edges && self.already_made(&[&edges])?.is_none() {
                    self.reverse_edges(&edges, &[depth_file(layer)])?;
                }
                self.gather_predecessors(&name(layer + 1), &edges, &path_file(layer))?;
                let there = depth_file(layer);
                self.write_gathered(&path_file(layer), FilterNames { exclude: &[], only: Some(&there) }, None)?;
                self.finish_step(&[&path_file(layer)])?;
                if own_edges {
                    self.sorter.store.drop(&edges)?;
                }
            }
        }
        let mut example = Vec::with_capacity(end);
        let mut at = self.start;
        for layer in 1..=end {
            let children = self.graph.in_order(at);
            let on_path = self.contained(&name(layer), &children)?;
            let next = children.into_iter().zip(on_path).find_map(|(child, contained)| contained.then_some(child));
            at = next.ok_or_else(|| self.sorter.store.contradiction("no path leads to the hardest states"))?;
            example.push(at);
        }
        Ok(example)
    }

    /// Writes the file of the hardest states nearest to the start; returns their distance in moves.
    fn nearest(&mut self, hardest: &str, layers: usize) -> StepResult<usize> {
        // A layer from the start may be the file of the hardest states itself, or contain them all.
        let first =
            (0..layers).find(|&layer| [depth_file(layer), goals_file(layer)].iter().any(|name| name == hardest));
        for layer in first.unwrap_or(0)..layers {
            let known = self.already_made(&[&nearest_file(layer)])?;
            if known.is_some_and(|known| known > 0) {
                return Ok(layer);
            }
            if known.is_some() {
                continue;
            }
            let mut writer: Writer<C> = self.sorter.store.create(&nearest_file(layer))?;
            // A share may own none of the goals, and have no file of them.
            let hardest: Vec<String> =
                self.sorter.store.count(hardest).map(|_| hardest.to_owned()).into_iter().collect();
            let there = depth_file(layer);
            let filter = FilterNames { exclude: &[], only: Some(&there) };
            self.sorter.merge_files(&hardest, &mut self.buffer, filter, &mut |states| writer.extend(states))?;
            let seal = writer.finish()?;
            self.sorter.store.add(&nearest_file(layer), seal, 0);
            if self.finish_step(&[&nearest_file(layer)])? > 0 {
                return Ok(layer);
            }
        }
        Err(self.sorter.store.contradiction("the hardest states are in no layer"))
    }

    /// Returns which of some states a file contains, in any share.
    fn contained(&mut self, name: &str, states: &[C]) -> StepResult<Vec<bool>> {
        let mut reader: Reader<C> = self.sorter.store.read(name)?;
        let mut contained = vec![false; states.len()];
        loop {
            let rest = reader.rest()?;
            let records = rest.len();
            if records == 0 {
                break;
            }
            contained
                .iter_mut()
                .zip(states)
                .for_each(|(contained, state)| *contained |= rest.binary_search(state).is_ok());
            reader.skip(records);
        }
        let Some(peers) = &mut self.sorter.peers else { return Ok(contained) };
        let mine: Vec<u64> = contained.into_iter().map(u64::from).collect();
        Ok(peers.sum(&mine)?.into_iter().map(|shares| shares > 0).collect())
    }
}

/// Returns whether a file contains a state; states must be queried in increasing order.
fn contains<C: Code>(reader: &mut Reader<C>, state: C) -> StepResult<bool> {
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
