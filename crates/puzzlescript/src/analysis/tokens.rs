//! The cells to which the objects of a condition can go in a press, whatever else is on the board.
//!
//! A *token* is an object of a set in a cell. The events of a turn change tokens: a rule may turn a token into another
//! object of the set, take it out, put one in, or take one out and put one into another cell; movement moves tokens to
//! neighbouring cells. Events follow from [`Known`]: what it rules out never happens. A turn is rules, movement, late
//! rules; a press is a turn, and further turns without a key if a rule asks for them.
//!
//! Whether a token has a movement is part of where it is: at the start of a turn only players have one, rules that ask
//! for a movement need it, and only a token with a movement moves. So games whose rules move objects by themselves, one
//! cell a press, have distances, too. Another part is whether a player has changed the token in this press: a rule did
//! that asks for the player's movement in the same row. Distances count presses, or such changes alone.
//!
//! The least number of presses until a token is where it should be is a distance in this graph: the relaxation of a
//! single object that moves while all others let it (as single-box distances in Sokoban: Junghanns and Schaeffer 2001).

use super::known::{Known, Place};
use super::model::{Ask, Cell, Effect, Lowered, LoweredRow, Model};
use crate::game::{Direction, Vector};
use crate::mask::MOVEMENT_BITS;
use crate::program::Words;
use crate::turn::places::each_object;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// More presses than any bound: never.
pub(super) const NEVER: u32 = u32::MAX;

/// The facts about a level: with the keys, and for turns without a key if `again` adds some.
pub(super) struct Turns<'a> {
    pub model: &'a Model,
    pub pressed: &'a Known,
    pub quiet: Option<&'a Known>,
    /// The objects that keys move.
    pub players: &'a Words,
    /// Before the movement of a turn, players have no movement but that of the key.
    pub keys_alone: bool,
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

/// Entries of a list before repeated ones are taken out for the first time: many rules may do the same.
const MANY: usize = 1 << 20;

/// Tokens of a set, and events of them, for which there is a graph: some hundred bytes are held for each token.
const MOST_NODES: usize = 1 << 20;
const MOST_EVENTS: usize = 1 << 22;

/// Pairs of places of one match between which tokens may go.
const MOST_PAIRS: usize = 1 << 18;

/// Stages in which tokens with and without a movement differ, the first one also by whether a player has changed them;
/// and [`Stage::Late`].
const BLOCKS: usize = 7;

impl Stage {
    /// Returns the block of nodes of this stage: of tokens that may have a movement or have none, and that a player has
    /// changed or not.
    fn block(self, moving: bool, changed: bool) -> usize {
        match self {
            Stage::Pressed => 2 * usize::from(changed) + usize::from(moving),
            Stage::Quiet => 4 + usize::from(moving),
            Stage::Late => BLOCKS - 1,
        }
    }
}

/// The contribution of a token's step to distances.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepCost {
    Free,
    /// The next press.
    Press,
    /// The first change by a player in this press.
    Change,
}

/// The unit of distances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Presses,
    /// The presses in which a player changes the token.
    Changes,
}

/// The point of a turn at which a token must be somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Before the movement of a turn.
    Early,
    /// After it, before or after the late rules.
    Late,
    Any,
}

/// A change of a token.
struct Event {
    from: u32,
    /// The token must have a movement.
    needs: bool,
    to: u32,
    /// The token afterwards may have a movement.
    gains: bool,
    /// The token afterwards may have a movement if it had one.
    keeps: bool,
    /// A player does it.
    by_player: bool,
}

/// A graph of the places to which tokens of a set of objects can go.
pub(super) struct Tokens {
    objects: Vec<u32>,
    /// For each object: keys move it.
    moved_by_keys: Vec<bool>,
    /// Players may change tokens, as keys alone move them.
    has_changes: bool,
    /// From which node to which other one a token may go within a press.
    edges: Vec<(u32, u32, StepCost)>,
    /// From which node to which other one a token may be put, while the one that it depends on stays.
    spread: Vec<(u32, u32)>,
    /// Nodes of tokens that may be taken out.
    ends: Vec<u32>,
    /// Nodes of tokens that may appear where none was before.
    sources: Vec<u32>,
    /// Each token comes from one of its own: there are never more of them.
    pub conserved: bool,
    /// Two tokens may become one.
    pub merges: bool,
    /// Rules before movement may take a token to another cell.
    pub change_cells_early: bool,
    /// Late rules may take a token to another cell.
    pub change_cells_late: bool,
    /// Rules of the first turn may take a token to another cell where no player does it.
    pub wander: bool,
    /// A token may get to another cell, or begin to move, although no player has changed it.
    pub drift: bool,
    /// The places of tokens that a player changes, relative to the player, with the movements that the rule asks for.
    pub by_players: BTreeSet<(Vector, u8)>,
    /// Late rules may leave movements to the next turn.
    late_movement: bool,
    nodes: usize,
    /// Nodes where tokens pass that a rule takes from one of its cells to another.
    hubs: usize,
    has_quiet: bool,
    /// There are too many tokens or events, or the work had to stop: the rest means nothing.
    pub is_incomplete: bool,
}

/// The effects of a rule on tokens in one match of some of its cells.
#[derive(Default)]
struct Changes {
    /// Tokens that may be taken out, and whether they need a movement for that.
    removed: Vec<(u32, bool)>,
    /// One of these may be a token that an earlier row of the rule has put in.
    undoes: bool,
    /// The number of places from which one may be taken, and of those from which one certainly is.
    places: usize,
    certain: usize,
    /// Tokens that are put in, and whether they may have a movement.
    put: Vec<(u32, bool)>,
    /// A token may be there already.
    overlaps: bool,
    /// Tokens that are certainly there, by what they are.
    supports: Vec<u32>,
    /// A player does it.
    by_player: bool,
}

/// The events of a press, backwards: nodes are tokens in each stage, and hubs.
pub(super) struct Graph {
    nodes: usize,
    /// For each token, the node where it begins a press.
    begins: Vec<u32>,
    /// For each node, its first edge.
    first: Vec<u32>,
    /// The nodes that a token comes from, with the steps.
    edges: Vec<(u32, StepCost)>,
    /// Tokens that may be taken out.
    ends: Vec<u32>,
    /// Tokens that may appear.
    sources: Vec<u32>,
}

impl Graph {
    /// Returns for each token the least count until it is in one of the goals, given as nodes.
    pub fn distances(&self, goals: impl Fn(u32) -> bool, when: When, count: Count) -> Distances {
        let mut distance = vec![NEVER; self.first.len() - 1];
        let late = Stage::Late.block(false, false);
        let (counted, first_press) = match count {
            Count::Presses => (StepCost::Press, 1),
            Count::Changes => (StepCost::Change, 0),
        };
        let blocks = match when {
            When::Early => 0..late,
            When::Late => late..BLOCKS,
            When::Any => 0..BLOCKS,
        };
        let goal_nodes = blocks.flat_map(|block| {
            let goals = (0..self.nodes as u32).filter(|&node| goals(node));
            goals.map(move |node| (block * self.nodes) as u32 + node)
        });
        let mut queue: VecDeque<(u32, u32)> =
            goal_nodes.chain(self.ends.iter().copied()).map(|node| (node, 0)).collect();
        queue.iter().for_each(|&(node, _)| distance[node as usize] = 0);
        while let Some((node, here)) = queue.pop_front() {
            if here > distance[node as usize] {
                continue;
            }
            let [from, to] = [0, 1].map(|next| self.first[node as usize + next] as usize);
            for &(before, step) in &self.edges[from..to] {
                let counts = step == counted;
                let through = here + u32::from(counts);
                if through < distance[before as usize] {
                    distance[before as usize] = through;
                    match counts {
                        false => queue.push_front((before, through)),
                        true => queue.push_back((before, through)),
                    }
                }
            }
        }
        let appear = self.sources.iter().map(|&node| distance[node as usize].saturating_add(first_press)).min();
        let pressed = (0..).zip(&self.begins);
        let presses = |(token, &node): (u32, &u32)| match goals(token) {
            true => 0,
            false => distance[node as usize].saturating_add(first_press),
        };
        Distances { of: pressed.map(presses).collect(), appear: appear.unwrap_or(NEVER) }
    }
}

/// Presses, or changes by players, until tokens are where they should be.
pub(super) struct Distances {
    /// For each token.
    pub of: Vec<u32>,
    /// For a token that is not on the board yet.
    pub appear: u32,
}

/// The places of a part of a row, which has no ellipsis within it.
struct Part<'a> {
    row: &'a LoweredRow,
    cells: Range<usize>,
    places: Vec<&'a Place>,
}

impl Tokens {
    /// Finds the events of the tokens of a set.
    pub fn new(turns: &Turns, objects: &Words) -> Tokens {
        let objects: Vec<u32> = each_object(objects).collect();
        let nodes = turns.pressed.width * turns.pressed.height * objects.len();
        let moved_by_keys: Vec<bool> = objects.iter().map(|&object| super::model::has(turns.players, object)).collect();
        let mut tokens = Tokens {
            has_changes: turns.keys_alone && !moved_by_keys.contains(&true),
            moved_by_keys,
            objects,
            edges: Vec::new(),
            spread: Vec::new(),
            ends: Vec::new(),
            sources: Vec::new(),
            conserved: true,
            merges: false,
            change_cells_early: false,
            change_cells_late: false,
            wander: false,
            drift: false,
            by_players: BTreeSet::new(),
            late_movement: turns.model.late_moves(),
            nodes,
            hubs: 0,
            has_quiet: turns.quiet.is_some(),
            is_incomplete: nodes > MOST_NODES,
        };
        if tokens.is_incomplete {
            return tokens;
        }
        let mut most = MANY;
        for (stage, known) in [(Stage::Pressed, Some(turns.pressed)), (Stage::Quiet, turns.quiet)] {
            let Some(known) = known else { continue };
            for rule in turns.model.early.iter().flatten().take_while(|_| !(turns.should_stop)()) {
                tokens.add_rule(turns, known, rule, stage, &mut most);
            }
            tokens.add_movement(turns.model, known, stage);
        }
        for rule in turns.model.late.iter().flatten().take_while(|_| !(turns.should_stop)()) {
            tokens.add_rule(turns, turns.pressed, rule, Stage::Late, &mut most);
        }
        tokens
    }

    /// Takes repeated entries out of the lists once they have more than `most`, which grows.
    fn compact(&mut self, most: &mut usize) {
        let size = |tokens: &Tokens| {
            tokens.edges.len().max(tokens.spread.len()).max(tokens.ends.len()).max(tokens.sources.len())
        };
        if size(self) <= *most {
            return;
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.spread.sort_unstable();
        self.spread.dedup();
        for nodes in [&mut self.ends, &mut self.sources] {
            nodes.sort_unstable();
            nodes.dedup();
        }
        *most = (2 * size(self)).max(MANY);
        self.is_incomplete |= size(self) > MOST_EVENTS;
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

    /// Returns whether a player has changed tokens that are apart from others in a stage: no, and yes if that may be.
    fn lanes(&self, stage: Stage) -> &'static [bool] {
        if stage == Stage::Pressed && self.has_changes { &[false, true] } else { &[false] }
    }

    /// Returns the cell of a token.
    fn cell(&self, node: u32) -> usize {
        node as usize / self.objects.len()
    }

    /// Returns a token as a node of a stage.
    fn at(&self, stage: Stage, moving: bool, changed: bool, node: u32) -> u32 {
        (stage.block(moving, changed) * self.nodes) as u32 + node
    }

    /// Returns the nodes of a lane where a token may be if an event needs a movement or not.
    fn before(&self, stage: Stage, needs: bool, changed: bool, node: u32) -> impl Iterator<Item = u32> + use<> {
        let nodes = [false, true].map(|moving| self.at(stage, moving, changed, node));
        nodes.into_iter().skip(usize::from(needs))
    }

    fn add_event(&mut self, stage: Stage, event: &Event) {
        let &Event { from, needs, to, gains, keeps, by_player } = event;
        self.drift |= !by_player && (gains || self.cell(from) != self.cell(to));
        for &changed in self.lanes(stage) {
            let step = if by_player && !changed { StepCost::Change } else { StepCost::Free };
            for moving in [false, true] {
                let before = self.at(stage, moving, changed, from);
                let after = self.at(stage, gains || moving && keeps, changed || by_player, to);
                if (moving || !needs) && before != after {
                    self.edges.push((before, after, step));
                }
            }
        }
    }

    fn add_movement(&mut self, model: &Model, known: &Known, stage: Stage) {
        let mut edges = Vec::new();
        for (cell, object, from) in self.nodes().filter(|&(cell, object, _)| known.has(cell, object)) {
            let nothing = model.nothing_beside(object);
            for target in known.targets(cell, known.movements(cell, object)) {
                let Some(to) = self.node(target, object).filter(|_| known.has(target, nothing)) else { continue };
                for &changed in self.lanes(stage) {
                    let from = self.at(stage, true, changed, from);
                    edges.push((from, self.at(Stage::Late, false, false, to), StepCost::Free));
                    // A movement that is left in the target takes the token further.
                    if known.movements(target, nothing) != 0 {
                        edges.push((from, self.at(stage, true, changed, to), StepCost::Free));
                    }
                }
            }
        }
        self.edges.extend(edges);
    }

    /// Adds what a rule does to tokens. Where several parts of it change tokens, one may go from any of them to any
    /// other.
    fn add_rule(&mut self, turns: &Turns, known: &Known, rule: &Lowered, stage: Stage, most: &mut usize) {
        let model = turns.model;
        let layers = self.layers(model);
        let is_effect = |effect: &Effect| layers.contains(&effect.layer);
        let row_changes = |row: &LoweredRow, index: usize| row.cells[index].effects.iter().any(is_effect);
        let changes = |row: &LoweredRow, mut cells: Range<usize>| cells.any(|index| row_changes(row, index));
        if self.is_incomplete || !rule.rows.iter().any(|row| changes(row, 0..row.cells.len())) {
            return;
        }
        let Some(rows) = known.places(rule) else { return };
        let mut parts: Vec<Part> = Vec::new();
        for (row, places) in rule.rows.iter().zip(&rows) {
            let of_row = parts.len();
            for place in places.iter().filter(|place| changes(row, place.cells.clone())) {
                match parts[of_row..].iter_mut().find(|part| part.cells == place.cells) {
                    Some(part) => part.places.push(place),
                    None => parts.push(Part { row, cells: place.cells.clone(), places: vec![place] }),
                }
            }
        }
        if let [part] = &parts[..] {
            let player = self.player_of(turns, part).filter(|_| stage == Stage::Pressed);
            if let Some((at, moving)) = player {
                let changed = part.cells.clone().filter(|&index| row_changes(part.row, index));
                let vectors = changed.map(|index| rule.direction.vector(index as isize - at as isize));
                let vectors: Vec<Vector> = vectors.collect();
                self.by_players.extend(vectors.into_iter().map(|vector| (vector, moving)));
            }
            for place in &part.places {
                let changes = self.changes(turns, known, rule, part, place, stage, player.is_some());
                let pairs = changes.removed.len().max(changes.supports.len()).saturating_mul(changes.put.len());
                self.is_incomplete |= pairs > MOST_PAIRS || (turns.should_stop)();
                if self.is_incomplete {
                    return;
                }
                self.add_changes(&changes, stage);
                self.compact(most);
            }
            return;
        }
        let is_one_row = parts.iter().all(|part| std::ptr::eq(part.row, parts[0].row));
        // The parts of a row are on one line.
        let line = |place: &Place| match rule.direction {
            _ if !is_one_row => 0,
            Direction::Up | Direction::Down => place.first / known.height,
            Direction::Left | Direction::Right => place.first % known.height,
        };
        let mut lines: BTreeMap<usize, Vec<Vec<Changes>>> = BTreeMap::new();
        for (index, part) in parts.iter().enumerate() {
            for place in &part.places {
                let changes = self.changes(turns, known, rule, part, place, stage, false);
                self.is_incomplete |= (turns.should_stop)();
                if self.is_incomplete {
                    return;
                }
                let of_parts = lines.entry(line(place)).or_default();
                of_parts.resize_with(parts.len(), Vec::new);
                of_parts[index].push(changes);
            }
        }
        for of_parts in lines.values().filter(|of_parts| of_parts.iter().all(|places| !places.is_empty())) {
            self.add_joint_changes(of_parts, stage);
            self.compact(most);
        }
    }

    /// Returns the cell of a player in a part of a row, if the rule asks for a movement that keys alone give it, and
    /// what it asks for.
    fn player_of(&self, turns: &Turns, part: &Part) -> Option<(usize, u8)> {
        let is_player = |thing: u32| super::model::has(turns.players, thing);
        let is_driven =
            |ask: &&Ask| ask.moving != 0 && !ask.allowed.is_empty() && each_object(&ask.allowed).all(is_player);
        if !self.has_changes {
            return None;
        }
        part.cells.clone().find_map(|at| Some((at, part.row.cells[at].asks.iter().find(is_driven)?.moving)))
    }

    /// Adds the events within the cells of a match, and returns what goes beyond them.
    #[expect(clippy::too_many_arguments)]
    fn changes(
        &mut self,
        turns: &Turns,
        known: &Known,
        rule: &Lowered,
        part: &Part,
        place: &Place,
        stage: Stage,
        by_player: bool,
    ) -> Changes {
        let mut changes = Changes { by_player, ..Changes::default() };
        for (index, cell) in place.indexed(known.step(rule.direction)) {
            for layer in self.layers(turns.model) {
                self.add_layer(turns.model, known, &part.row.cells[index], (cell, layer), stage, &mut changes);
            }
        }
        changes
    }

    /// Adds the events of a layer of a cell.
    fn add_layer(
        &mut self,
        model: &Model,
        known: &Known,
        pattern: &Cell,
        (cell, layer): (usize, u32),
        stage: Stage,
        changes: &mut Changes,
    ) {
        let before = known.before(model, pattern, cell, layer);
        let tokens = before.iter().filter(|&&(thing, _)| self.contains(thing)).count();
        let is_certain = tokens > 0 && tokens == before.len();
        if is_certain {
            changes.supports.extend(before.iter().filter_map(|&(thing, _)| self.node(cell, thing)));
        }
        let Some(effect) = pattern.effects.iter().find(|effect| effect.layer == layer) else { return };
        let needs = pattern.certain(layer).is_some_and(|ask| ask.moving != 0);
        let (gains, keeps) = (effect.go != 0, effect.stop & MOVEMENT_BITS as u8 != MOVEMENT_BITS as u8);
        let by_player = changes.by_player;
        let mut is_removed = false;
        for &(object, _) in &before {
            let Some(from) = self.node(cell, object) else { continue };
            match self.node(cell, effect.after(model, object)) {
                Some(to) => {
                    self.add_event(stage, &Event { from, needs, to, gains, keeps, by_player });
                }
                None => {
                    is_removed = true;
                    changes.removed.push((from, needs));
                }
            }
        }
        changes.undoes |= is_removed && pattern.changed_before.contains(&layer);
        changes.places += usize::from(is_removed);
        changes.certain += usize::from(is_removed && is_certain);
        if let Some(to) = effect.set.and_then(|object| self.node(cell, object))
            && !is_certain
        {
            changes.overlaps |= tokens > 0;
            let left = before.iter().fold(0, |left, &(_, movements)| left | movements & !effect.stop);
            changes.put.push((to, gains || left != 0));
        }
    }

    /// Adds the events between the cells of one match.
    fn add_changes(&mut self, changes: &Changes, stage: Stage) {
        let &Changes { ref removed, places, certain, ref put, overlaps, ref supports, by_player, .. } = changes;
        let crosses = removed.iter().any(|&(from, _)| put.iter().any(|&(to, _)| self.cell(from) != self.cell(to)));
        if crosses {
            self.note_cells(stage);
            self.wander |= stage == Stage::Pressed && !by_player;
        }
        for &(from, needs) in removed {
            for &(to, gains) in put {
                self.add_event(stage, &Event { from, needs, to, gains, keeps: false, by_player });
            }
        }
        // A token is gone unless one is certainly put in for it.
        if put.len() < places {
            self.add_ends(removed, stage, by_player);
        }
        self.merges |= overlaps && !removed.is_empty();
        if put.len() > certain {
            self.conserved = false;
            let lanes = self.lanes(stage);
            for (&(to, moving), &changed) in put.iter().flat_map(|put| lanes.iter().map(move |lane| (put, lane))) {
                let to = self.at(stage, moving, changed, to);
                let from = supports.iter().flat_map(|&from| self.before(stage, false, changed, from));
                let spread: Vec<(u32, u32)> = from.map(|from| (from, to)).collect();
                self.spread.extend(spread);
                if supports.is_empty() {
                    self.sources.push(to);
                }
            }
        }
    }

    /// Adds the events between several parts of a rule, each of which matches at one of its places.
    fn add_joint_changes(&mut self, parts: &[Vec<Changes>], stage: Stage) {
        let sum = |of_place: fn(&Changes) -> usize, best: fn(usize, usize) -> usize| -> usize {
            parts.iter().map(|places| places.iter().map(of_place).reduce(best).unwrap_or(0)).sum()
        };
        let removed: Vec<(u32, bool)> = parts.iter().flatten().flat_map(|changes| changes.removed.clone()).collect();
        let put: Vec<(u32, bool)> = parts.iter().flatten().flat_map(|changes| changes.put.clone()).collect();
        if !removed.is_empty() && !put.is_empty() {
            self.note_cells(stage);
            self.wander |= stage == Stage::Pressed;
            self.drift = true;
            for &changed in self.lanes(stage) {
                let hub = self.add_hub();
                for &(from, needs) in &removed {
                    let from = self.before(stage, needs, changed, from);
                    self.edges.extend(from.map(|from| (from, hub, StepCost::Free)));
                }
                let to: Vec<u32> = put.iter().map(|&(to, moving)| self.at(stage, moving, changed, to)).collect();
                self.edges.extend(to.into_iter().map(|to| (hub, to, StepCost::Free)));
            }
        }
        let is_undone = parts.iter().flatten().any(|changes| changes.undoes);
        if is_undone || sum(|changes| changes.put.len(), usize::min) < sum(|changes| changes.places, usize::max) {
            self.add_ends(&removed, stage, false);
        }
        self.merges |= !removed.is_empty() && parts.iter().flatten().any(|changes| changes.overlaps);
        if sum(|changes| changes.put.len(), usize::max) > sum(|changes| changes.certain, usize::min) {
            self.conserved = false;
            let is_supporting = |places: &&Vec<Changes>| places.iter().all(|changes| !changes.supports.is_empty());
            let supporting = parts.iter().find(is_supporting);
            for &changed in self.lanes(stage) {
                let to: Vec<u32> = put.iter().map(|&(to, moving)| self.at(stage, moving, changed, to)).collect();
                let Some(places) = supporting else {
                    self.sources.extend(to);
                    continue;
                };
                let hub = self.add_hub();
                for &from in places.iter().flat_map(|changes| &changes.supports) {
                    let from = self.before(stage, false, changed, from);
                    self.spread.extend(from.map(|from| (from, hub)));
                }
                self.spread.extend(to.into_iter().map(|to| (hub, to)));
            }
        }
    }

    fn add_hub(&mut self) -> u32 {
        self.hubs += 1;
        (BLOCKS * self.nodes + self.hubs - 1) as u32
    }

    /// Adds tokens that may be taken out.
    fn add_ends(&mut self, removed: &[(u32, bool)], stage: Stage, by_player: bool) {
        if !removed.is_empty() {
            self.note_cells(stage);
        }
        let lanes = self.lanes(stage);
        for (&(from, needs), &changed) in removed.iter().flat_map(|one| lanes.iter().map(move |lane| (one, lane))) {
            let changed_from = self.before(stage, needs, changed || by_player, from);
            for (before, after) in self.before(stage, needs, changed, from).zip(changed_from) {
                self.ends.push(after);
                if before != after {
                    self.edges.push((before, after, StepCost::Change));
                }
            }
        }
    }

    /// Notes that rules may take a token to another cell, or out.
    fn note_cells(&mut self, stage: Stage) {
        *(if stage == Stage::Late { &mut self.change_cells_late } else { &mut self.change_cells_early }) = true;
    }

    /// Returns the events as a graph. If `gone` is true, a token that is taken out is where it should be. If it is
    /// false, it never is, and tokens may also come from others that stay.
    pub fn graph(&self, gone: bool) -> Graph {
        let begins = self.nodes().map(|(_, _, node)| {
            let moving = self.late_movement || self.moved_by_keys[node as usize % self.objects.len()];
            self.at(Stage::Pressed, moving, false, node)
        });
        let begins: Vec<u32> = begins.collect();
        let spread = self.spread.iter().filter(|_| !gone).map(|&(from, to)| (to, from, StepCost::Free));
        let mut edges: Vec<(u32, u32, StepCost)> =
            self.edges.iter().map(|&(from, to, step)| (to, from, step)).chain(spread).collect();
        for (node, &begin) in (0..).zip(&begins) {
            let late = self.at(Stage::Late, false, false, node);
            edges.push((begin, late, StepCost::Press));
            for &changed in self.lanes(Stage::Pressed) {
                let pressed = self.before(Stage::Pressed, false, changed, node);
                edges.extend(pressed.map(|pressed| (late, pressed, StepCost::Free)));
            }
            if self.has_quiet {
                edges.push((self.at(Stage::Quiet, self.late_movement, false, node), late, StepCost::Free));
                edges.extend(self.before(Stage::Quiet, false, false, node).map(|quiet| (late, quiet, StepCost::Free)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; BLOCKS * self.nodes + self.hubs + 1];
        edges.iter().for_each(|&(to, ..)| first[to as usize + 1] += 1);
        (1..first.len()).for_each(|index| first[index] += first[index - 1]);
        Graph {
            nodes: self.nodes,
            begins,
            first,
            edges: edges.into_iter().map(|(_, from, step)| (from, step)).collect(),
            ends: if gone { self.ends.clone() } else { Vec::new() },
            sources: if gone { Vec::new() } else { self.sources.clone() },
        }
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
