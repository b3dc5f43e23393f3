//! Where the objects of a condition can go in a press, whatever else is on the board.
//!
//! A *token* is an object of a set in a cell. The events of a turn change tokens: a rule may turn a token into another
//! object of the set, take it out, put one in, or take one out and put one into another cell of the same row; movement
//! moves tokens to neighbouring cells. Events follow from [`Known`]: what it rules out never happens. A turn is rules,
//! movement, late rules; a press is a turn, and further turns without a key if a rule asks for them.
//!
//! The least number of presses until a token is where it should be is a distance in this graph: the relaxation of a
//! single object that moves while all others let it (as single-box distances in Sokoban: Junghanns and Schaeffer 2001).

use super::facts::{Known, Place};
use super::model::{Effect, Lowered, LoweredRow, Model};
use crate::program::Words;
use crate::turn::places::each_object;
use std::collections::VecDeque;

/// More presses than any bound: never.
pub(super) const NEVER: u32 = u32::MAX;

/// What the facts say of a level: with the keys, and for turns without a key if `again` adds some.
pub(super) struct Turns<'a> {
    pub model: &'a Model,
    pub pressed: &'a Known,
    pub quiet: Option<&'a Known>,
    /// Ends the work, whose result then means nothing.
    pub should_stop: &'a dyn Fn() -> bool,
}

/// Parts of a press. A token is in one of them before the events of that part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The rules of the first turn.
    Pressed,
    /// The rules of a turn without a key.
    Quiet,
    /// The late rules of any turn.
    Late,
}

/// An event that changes a token.
struct Event {
    stage: Stage,
    from: u32,
    /// The token afterwards; none if it may be gone.
    to: Option<u32>,
    /// The token is in the next stage: it has moved.
    moves: bool,
}

/// Where tokens of a set of objects can go.
pub(super) struct Tokens {
    objects: Vec<u32>,
    /// The events of tokens: what is where after a token was somewhere.
    events: Vec<Event>,
    /// What may put a token into a cell while another one, on which this depends, stays.
    spread: Vec<Event>,
    /// Tokens that may appear where none was before.
    sources: Vec<(Stage, u32)>,
    /// Each token comes from one of its own: there are never more of them.
    pub conserved: bool,
    /// Two tokens may become one.
    pub merges: bool,
    nodes: usize,
    has_quiet: bool,
}

/// What a rule does to tokens in one match.
#[derive(Default)]
struct Changes {
    /// Tokens that may be taken out.
    removed: Vec<u32>,
    /// The number of places from which one may be taken, and of those from which one certainly is.
    places: usize,
    certain: usize,
    /// Tokens that are put in.
    put: Vec<u32>,
    /// A token may be there already.
    overlaps: bool,
    /// Tokens that are certainly there, by what they are.
    supports: Vec<u32>,
}

/// The events of a press, backwards: nodes are tokens in each stage.
pub(super) struct Graph {
    nodes: usize,
    /// For each node, its first edge.
    first: Vec<u32>,
    /// Where a token comes from, and the presses that this takes.
    edges: Vec<(u32, u8)>,
    /// Tokens that may be taken out.
    ends: Vec<u32>,
    /// Tokens that may appear.
    sources: Vec<u32>,
}

impl Graph {
    /// Returns for each token the least number of presses until it is in one of the goals, given as nodes: after a turn,
    /// or at any time.
    pub fn distances(&self, goals: impl Fn(u32) -> bool, any_time: bool) -> Distances {
        let mut distance = vec![NEVER; 3 * self.nodes];
        let stages = if any_time { 0..3 } else { Stage::Late as usize..3 };
        let goal_nodes = stages.flat_map(|stage| {
            let goals = (0..self.nodes as u32).filter(|&node| goals(node));
            goals.map(move |node| (stage * self.nodes) as u32 + node)
        });
        let mut queue: VecDeque<(u32, u32)> =
            goal_nodes.chain(self.ends.iter().copied()).map(|node| (node, 0)).collect();
        queue.iter().for_each(|&(node, _)| distance[node as usize] = 0);
        while let Some((node, here)) = queue.pop_front() {
            if here > distance[node as usize] {
                continue;
            }
            let [from, to] = [0, 1].map(|next| self.first[node as usize + next] as usize);
            for &(before, cost) in &self.edges[from..to] {
                let through = here + u32::from(cost);
                if through < distance[before as usize] {
                    distance[before as usize] = through;
                    match cost {
                        0 => queue.push_front((before, through)),
                        _ => queue.push_back((before, through)),
                    }
                }
            }
        }
        let appear = self.sources.iter().map(|&node| distance[node as usize].saturating_add(1)).min();
        // The first stage of a press is the first part of the nodes.
        let pressed = (0..).zip(&distance[..self.nodes]);
        let of = pressed.map(|(node, presses)| if goals(node) { 0 } else { presses.saturating_add(1) });
        Distances { of: of.collect(), appear: appear.unwrap_or(NEVER) }
    }
}

/// Presses until tokens are where they should be.
pub(super) struct Distances {
    /// For each token.
    pub of: Vec<u32>,
    /// For a token that is on the board only after presses.
    pub appear: u32,
}

impl Tokens {
    /// Finds the events of the tokens of a set.
    pub fn new(turns: &Turns, objects: &Words) -> Tokens {
        let objects: Vec<u32> = each_object(objects).collect();
        let nodes = turns.pressed.width * turns.pressed.height * objects.len();
        let mut tokens = Tokens {
            objects,
            events: Vec::new(),
            spread: Vec::new(),
            sources: Vec::new(),
            conserved: true,
            merges: false,
            nodes,
            has_quiet: turns.quiet.is_some(),
        };
        for (stage, known) in [(Stage::Pressed, Some(turns.pressed)), (Stage::Quiet, turns.quiet)] {
            let Some(known) = known else { continue };
            for rule in turns.model.early.iter().flatten().take_while(|_| !(turns.should_stop)()) {
                tokens.add_rule(turns.model, known, rule, stage);
            }
            tokens.add_movement(turns.model, known, stage);
        }
        for rule in turns.model.late.iter().flatten().take_while(|_| !(turns.should_stop)()) {
            tokens.add_rule(turns.model, turns.pressed, rule, Stage::Late);
        }
        tokens
    }

    /// Returns the node of an object in a cell.
    pub fn node(&self, cell: usize, object: u32) -> Option<u32> {
        let index = self.objects.iter().position(|&other| other == object)?;
        Some((cell * self.objects.len() + index) as u32)
    }

    /// Returns all objects that a token may be, with their nodes, cell by cell.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, u32, u32)> {
        (0..self.nodes).map(|node| {
            let (cell, index) = (node / self.objects.len(), node % self.objects.len());
            (cell, self.objects[index], node as u32)
        })
    }

    fn add_movement(&mut self, model: &Model, known: &Known, stage: Stage) {
        let events: Vec<Event> = self
            .nodes()
            .filter(|&(cell, object, _)| known.has(cell, object))
            .flat_map(|(cell, object, from)| {
                let nothing = model.nothing_beside(object);
                known
                    .targets(cell, known.movements(cell, object))
                    .into_iter()
                    .filter(move |&target| known.has(target, nothing))
                    .flat_map(move |target| {
                        // A movement that is left in the target takes the token further.
                        let again = (known.movements(target, nothing) != 0).then_some(false);
                        [Some(true), again].into_iter().flatten().map(move |moves| (target, object, from, moves))
                    })
            })
            .map(|(target, object, from, moves)| Event { stage, from, to: self.node(target, object), moves })
            .collect();
        self.events.extend(events);
    }

    fn add_rule(&mut self, model: &Model, known: &Known, rule: &Lowered, stage: Stage) {
        let is_effect = |effect: &Effect| self.is_in_layer(model, effect.layer);
        if !rule.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.effects).any(is_effect) {
            return;
        }
        let Some(places) = known.places(rule) else { return };
        for (row, places) in rule.rows.iter().zip(places) {
            for place in places {
                self.add_match(model, known, rule, row, &place, stage);
            }
        }
    }

    fn add_match(
        &mut self,
        model: &Model,
        known: &Known,
        rule: &Lowered,
        row: &LoweredRow,
        place: &Place,
        stage: Stage,
    ) {
        let mut changes = Changes::default();
        for (index, cell) in place.indexed(known.step(rule.direction)) {
            let pattern = &row.cells[index];
            for layer in self.layers(model) {
                let before = known.before(model, row, pattern, cell, layer);
                let is_token = |&(thing, _): &(u32, u8)| self.objects.contains(&thing);
                let is_certain = !before.is_empty() && before.iter().all(is_token);
                if is_certain {
                    changes.supports.extend(before.iter().filter_map(|&(thing, _)| self.node(cell, thing)));
                }
                let Some(effect) = pattern.effects.iter().find(|effect| effect.layer == layer) else { continue };
                let mut is_removed = false;
                for &(object, _) in &before {
                    let Some(from) = self.node(cell, object) else { continue };
                    match effect.after(model, object) {
                        after if after == object => {}
                        after => match self.node(cell, after) {
                            Some(to) => self.events.push(Event { stage, from, to: Some(to), moves: false }),
                            None => {
                                is_removed = true;
                                changes.removed.push(from);
                            }
                        },
                    }
                }
                changes.places += usize::from(is_removed);
                changes.certain += usize::from(is_removed && is_certain);
                if let Some(to) = effect.set.and_then(|object| self.node(cell, object))
                    && !is_certain
                {
                    changes.overlaps |= before.iter().any(is_token);
                    changes.put.push(to);
                }
            }
        }
        self.add_changes(&changes, stage);
    }

    fn add_changes(&mut self, changes: &Changes, stage: Stage) {
        let Changes { removed, places, certain, put, overlaps, supports } = changes;
        let pairs = |all: &[u32]| -> Vec<Event> {
            let pairs = all.iter().flat_map(|&from| put.iter().map(move |&to| (from, to)));
            pairs.map(|(from, to)| Event { stage, from, to: Some(to), moves: false }).collect()
        };
        self.events.extend(pairs(removed));
        // A token is gone unless one is certainly put in for it.
        if put.len() < *places {
            self.events.extend(removed.iter().map(|&from| Event { stage, from, to: None, moves: false }));
        }
        self.merges |= *overlaps && !removed.is_empty();
        if put.len() > *certain {
            self.conserved = false;
            self.spread.extend(pairs(supports));
            if supports.is_empty() {
                self.sources.extend(put.iter().map(|&to| (stage, to)));
            }
        }
    }

    /// Returns the events as a graph. If `gone` is true, a token that is taken out is where it should be. If it is false,
    /// it never is, and tokens may also come from others that stay.
    pub fn graph(&self, gone: bool) -> Graph {
        let mut edges = Vec::with_capacity(self.events.len() + 4 * self.nodes);
        for node in 0..self.nodes as u32 {
            let [pressed, quiet, late] = [Stage::Pressed, Stage::Quiet, Stage::Late].map(|stage| self.at(stage, node));
            edges.extend([(late, pressed, 0), (pressed, late, 1)]);
            if self.has_quiet {
                edges.extend([(late, quiet, 0), (quiet, late, 0)]);
            }
        }
        let mut ends = Vec::new();
        for event in self.events.iter().chain(self.spread.iter().filter(|_| !gone)) {
            let from = self.at(event.stage, event.from);
            match event.to {
                Some(to) => edges.push((self.at(if event.moves { Stage::Late } else { event.stage }, to), from, 0)),
                None if gone => ends.push(from),
                None => {}
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; 3 * self.nodes + 1];
        edges.iter().for_each(|&(to, ..)| first[to as usize + 1] += 1);
        (1..first.len()).for_each(|index| first[index] += first[index - 1]);
        let sources = if gone { Vec::new() } else { self.sources.clone() };
        let sources = sources.into_iter().map(|(stage, node)| self.at(stage, node)).collect();
        Graph {
            nodes: self.nodes,
            first,
            edges: edges.into_iter().map(|(_, from, cost)| (from, cost)).collect(),
            ends,
            sources,
        }
    }

    fn at(&self, stage: Stage, node: u32) -> u32 {
        (stage as usize * self.nodes) as u32 + node
    }

    /// Returns whether rules before movement may take a token to another cell.
    pub fn change_cells_early(&self) -> bool {
        self.change_cells(|stage| stage != Stage::Late)
    }

    /// Returns whether late rules may take a token to another cell.
    pub fn change_cells_late(&self) -> bool {
        self.change_cells(|stage| stage == Stage::Late)
    }

    fn change_cells(&self, is_meant: impl Fn(Stage) -> bool) -> bool {
        let cell = |node: u32| node as usize / self.objects.len();
        let stays = |event: &Event| event.to.is_some_and(|to| cell(to) == cell(event.from));
        self.events.iter().any(|event| is_meant(event.stage) && !event.moves && !stays(event))
    }

    /// Returns whether some token may be in a layer.
    pub fn is_in_layer(&self, model: &Model, layer: u32) -> bool {
        self.objects.iter().any(|&object| model.layer_of[object as usize] == Some(layer))
    }

    /// Returns whether an object is one of the set.
    pub fn contains(&self, object: u32) -> bool {
        self.objects.contains(&object)
    }

    /// Returns the layers of the objects.
    pub fn layers(&self, model: &Model) -> Vec<u32> {
        let mut layers: Vec<u32> = self.objects.iter().filter_map(|&object| model.layer_of[object as usize]).collect();
        layers.sort_unstable();
        layers.dedup();
        layers
    }
}
