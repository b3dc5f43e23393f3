//! Rules by layers: for each cell, what a layer must hold, and what becomes of it.
//!
//! A layer of a cell holds one *thing*: an object, or nothing. Nothing has a number too, one for each layer, since a
//! layer that holds no object can still have a movement. If a game can put two objects of one layer into a cell (an
//! error that its compiler has reported), there is no model.

use crate::game::Direction;
use crate::mask::bits_of as bits_of_word;
use crate::mask::{LAYERS_A_WORD, MOVEMENT_BITS, movement_place};
use crate::program::{Group, Pattern, Phase, Program, Replacement, Rule, Words};
use crate::turn::places::each_object;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A set of things as the words that are not empty, with their indices.
pub(super) type Things = Words;

/// Pairs of cells of different rows that are compared, for each row.
const MOST_PAIRS: usize = 10_000;

/// A program by layers.
pub(super) struct Model {
    /// The number of things: objects first, then the nothing of each layer.
    pub things: usize,
    /// The layer of each thing; unused numbers of objects have none.
    pub layer_of: Vec<Option<u32>>,
    /// All things of each layer.
    pub layers: Vec<Things>,
    pub early: Vec<Vec<Lowered>>,
    pub late: Vec<Vec<Lowered>>,
    objects: usize,
}

/// A rule by layers.
pub(super) struct Lowered {
    pub direction: Direction,
    pub rows: Vec<LoweredRow>,
}

/// A row of a rule by layers.
pub(super) struct LoweredRow {
    pub cells: Vec<Cell>,
    /// Before which cells there is an ellipsis.
    pub gaps: Vec<usize>,
}

/// A cell of a row.
#[derive(Default)]
pub(super) struct Cell {
    /// At most one for each layer.
    pub asks: Vec<Ask>,
    /// Sets of several layers: the cell holds at least one thing of each.
    pub any: Vec<Things>,
    pub effects: Vec<Effect>,
    /// The layers that earlier rows of the rule may change in the same cell: rows may overlap, and then a cell no
    /// longer holds there what its pattern asks for when it is replaced.
    pub changed_before: Arc<[u32]>,
    /// All layers that these are about, as bits, see [`layer_bit`].
    pub layers: u64,
}

impl Cell {
    /// Returns what a layer certainly holds when a match is replaced, if the pattern asks for something there.
    pub fn certain(&self, layer: u32) -> Option<&Ask> {
        let ask = self.asks.iter().find(|ask| ask.layer == layer)?;
        (!self.changed_before.contains(&layer)).then_some(ask)
    }

    /// Returns whether two patterns may match the same cell.
    fn may_be(&self, other: &Cell) -> bool {
        let agree = |ask: &Ask, other: &Ask| {
            let common = ask.allowed.iter().any(|&(word, bits)| bits & bits_of(&other.allowed, word) != 0);
            common && ask.moving & other.still == 0 && ask.still & other.moving == 0
        };
        let pairs = self.asks.iter().flat_map(|ask| other.asks.iter().map(move |other| (ask, other)));
        pairs.filter(|(ask, other)| ask.layer == other.layer).all(|(ask, other)| agree(ask, other))
    }
}

/// The demand on a layer of a cell.
pub(super) struct Ask {
    pub layer: u32,
    /// The layer holds one of these.
    pub allowed: Things,
    /// Movements that it must have.
    pub moving: u8,
    /// Movements that it must not have.
    pub still: u8,
}

/// The effect on a layer of a cell.
pub(super) struct Effect {
    pub layer: u32,
    /// The layer holds this afterwards.
    pub set: Option<u32>,
    /// The things taken out, if nothing is set.
    pub cleared: Things,
    pub stop: u8,
    pub go: u8,
}

impl Model {
    /// Returns the model of a program, none if a cell may hold two objects of a layer, or a rule draws at random.
    pub fn new(program: &Program) -> Option<Model> {
        if program.is_random() {
            return None;
        }
        let objects = program.object_words * 64;
        let things = objects + program.layers.len();
        let mut layer_of = vec![None; things];
        let mut layers = Vec::with_capacity(program.layers.len());
        for (layer, words) in program.layers.iter().enumerate() {
            let nothing = objects + layer;
            for thing in each_object(words).chain([nothing as u32]) {
                if layer_of[thing as usize].replace(layer as u32).is_some() {
                    return None;
                }
            }
            layers.push(sparse(each_object(words).chain([nothing as u32])));
        }
        let mut model = Model { things, layer_of, layers, early: Vec::new(), late: Vec::new(), objects };
        let players = each_object(&program.player.objects)
            .all(|object| model.layer_of[object as usize] == Some(program.object_layers[object as usize] as u32));
        model.early = model.phase(&program.early)?;
        model.late = model.phase(&program.late)?;
        players.then_some(model)
    }

    /// Returns the rules of both phases, in the order of the program.
    pub fn rules(&self) -> impl Iterator<Item = &Lowered> {
        self.early.iter().chain(&self.late).flatten()
    }

    /// Returns whether a late rule gives something a movement, which it may keep in a turn without a key.
    pub fn late_moves(&self) -> bool {
        let cells = self.late.iter().flatten().flat_map(|rule| &rule.rows).flat_map(|row| &row.cells);
        cells.flat_map(|cell| &cell.effects).any(|effect| effect.go != 0)
    }

    /// Returns the thing of a layer without an object.
    pub fn nothing(&self, layer: u32) -> u32 {
        self.objects as u32 + layer
    }

    /// Returns the nothing of the layer of a thing on some board.
    pub fn nothing_beside(&self, thing: u32) -> u32 {
        self.nothing(self.layer_of[thing as usize].expect("what is on a board has a layer"))
    }

    /// Returns whether a thing is an object.
    pub fn is_object(&self, thing: u32) -> bool {
        (thing as usize) < self.objects
    }

    /// Returns what each layer of a cell holds; none if one of them holds two objects, or an object is in no layer.
    pub fn contents(&self, cell: &[u64]) -> Option<Vec<u32>> {
        let mut contents: Vec<u32> = (0..self.layers.len() as u32).map(|layer| self.nothing(layer)).collect();
        for (word, &bits) in (0..).zip(cell) {
            for object in each_object(&Words::from([(word, bits)])) {
                let layer = self.layer_of[object as usize]?;
                if std::mem::replace(&mut contents[layer as usize], object) != self.nothing(layer) {
                    return None;
                }
            }
        }
        Some(contents)
    }

    fn phase(&self, phase: &Phase) -> Option<Vec<Vec<Lowered>>> {
        let group = |group: &Group| group.rules.iter().map(|rule| self.rule(rule)).collect();
        phase.groups.iter().map(group).collect()
    }

    fn rule(&self, rule: &Rule) -> Option<Lowered> {
        let mut rows = Vec::with_capacity(rule.rows.len());
        for row in &rule.rows {
            let cells =
                row.cells.iter().map(|pattern| self.cell(pattern, rule.replaces)).collect::<Option<Vec<_>>>()?;
            rows.push(LoweredRow { cells, gaps: row.gaps.clone() });
        }
        let (mut count, mut all, mut shared) = (0_usize, BTreeSet::new(), Arc::from([]));
        for index in 1..rows.len() {
            let (before, rest) = rows.split_at_mut(index);
            let last = &before[index - 1].cells;
            count += last.len();
            let known = all.len();
            all.extend(changed_layers(last.iter()));
            if all.len() > known {
                shared = all.iter().copied().collect();
            }
            let compares = count.saturating_mul(rest[0].cells.len()) <= MOST_PAIRS;
            for cell in &mut rest[0].cells {
                let overlapping = || before.iter().flat_map(|row| &row.cells).filter(|before| before.may_be(cell));
                cell.changed_before =
                    if compares { changed_layers(overlapping()).into_iter().collect() } else { Arc::clone(&shared) };
            }
        }
        Some(Lowered { direction: rule.direction, rows })
    }

    fn cell(&self, pattern: &Pattern, replaces: bool) -> Option<Cell> {
        let mut cell = Cell::default();
        let several = |any: &&Words| self.single_layer(any).is_none();
        cell.any = pattern.any.iter().filter(several).cloned().collect();
        let tests = pattern.objects.iter().map(|test| (test.word, test.mask));
        let objects = tests.chain(pattern.any.iter().flat_map(|any| any.iter().copied()));
        let movements = pattern.movements.iter().map(|test| (test.word, test.mask | test.wanted));
        for layer in self.layers_in(objects, movements) {
            let things = &self.layers[layer as usize];
            let mut allowed = things.to_vec();
            for test in &pattern.objects {
                let own = bits_of(things, test.word);
                match test.wanted & own {
                    0 => restrict(&mut allowed, test.word, !test.mask),
                    // Two objects of a layer are never there.
                    wanted if wanted.count_ones() > 1 => allowed.clear(),
                    wanted => {
                        allowed.retain(|&(word, _)| word == test.word);
                        restrict(&mut allowed, test.word, wanted);
                    }
                }
            }
            for any in pattern.any.iter().filter(|any| self.single_layer(any) == Some(layer)) {
                allowed.iter_mut().for_each(|(word, bits)| *bits &= bits_of(any, *word));
            }
            let (mut moving, mut still) = (0, 0);
            let (word, shift) = movement_place(layer as usize);
            for test in pattern.movements.iter().filter(|test| test.word as usize == word) {
                moving = (test.wanted >> shift & MOVEMENT_BITS) as u8;
                still = ((test.mask & !test.wanted) >> shift & MOVEMENT_BITS) as u8;
                // A movement that must be there and must not: the pattern never matches.
                if (test.wanted & !test.mask) >> shift & MOVEMENT_BITS != 0 {
                    allowed.clear();
                }
            }
            allowed.retain(|&(_, bits)| bits != 0);
            cell.asks.push(Ask { layer, allowed: allowed.into(), moving, still });
        }
        if let Some(new) = pattern.replacement.as_ref().filter(|_| replaces) {
            cell.effects = self.effects(new)?;
        }
        let any = cell.any.iter().flat_map(|any| each_object(any).filter_map(|object| self.layer_of[object as usize]));
        let layers = cell.asks.iter().map(|ask| ask.layer).chain(cell.effects.iter().map(|effect| effect.layer));
        // An empty cell matches everywhere, once it is looked at.
        cell.layers = layers.chain(any).fold(layer_bit(0), |bits, layer| bits | layer_bit(layer));
        Some(cell)
    }

    /// Returns the layers of some objects and movements, given as words with their indices in a cell.
    fn layers_in(
        &self,
        objects: impl Iterator<Item = (u32, u64)>,
        movements: impl Iterator<Item = (u32, u64)>,
    ) -> BTreeSet<u32> {
        let objects = objects.flat_map(|(word, bits)| bits_of_word(bits).map(move |bit| word * 64 + bit));
        let a_word = LAYERS_A_WORD as u32;
        let movements = movements.flat_map(|(word, bits)| bits_of_word(bits).map(move |bit| word * a_word + bit / 5));
        objects.filter_map(|object| self.layer_of[object as usize]).chain(movements).collect()
    }

    /// Returns the layer of all objects of a set, if there is only one.
    fn single_layer(&self, objects: &Words) -> Option<u32> {
        let mut layers = each_object(objects).map(|object| self.layer_of[object as usize]);
        let first = layers.next()??;
        layers.all(|layer| layer == Some(first)).then_some(first)
    }

    /// Returns the effects of a replacement by layers; none if it can leave two objects in a layer.
    fn effects(&self, new: &Replacement) -> Option<Vec<Effect>> {
        let objects = new.objects.iter().map(|change| (change.word, change.clear | change.set));
        let movements = new.movements.iter().map(|change| (change.word, change.clear | change.set));
        let mut effects = Vec::new();
        for layer in self.layers_in(objects, movements) {
            let things = &self.layers[layer as usize];
            let changes = new.objects.iter().map(|change| (change, bits_of(things, change.word)));
            let set = sparse(
                changes
                    .clone()
                    .flat_map(|(change, own)| bits_of_word(change.set & own).map(|bit| change.word * 64 + bit)),
            );
            let cleared = changes.map(|(change, own)| (change.word, change.clear & own)).filter(|(_, bits)| *bits != 0);
            let cleared: Things = cleared.collect();
            // What is set takes the place of all other objects of the layer, or two of them meet.
            let others = each_object(things).filter(|&thing| self.is_object(thing) && !has(&set, thing));
            let mut set = each_object(&set);
            let first = set.next();
            if first.is_some() && (set.next().is_some() || !others.into_iter().all(|other| has(&cleared, other))) {
                return None;
            }
            let (word, shift) = movement_place(layer as usize);
            let change = new.movements.iter().find(|change| change.word as usize == word);
            let (stop, go) = change.map_or((0, 0), |change| (change.clear >> shift, change.set >> shift));
            let [stop, go] = [stop, go].map(|bits| (bits & MOVEMENT_BITS) as u8);
            effects.push(Effect { layer, set: first, cleared, stop, go });
        }
        // An object of no layer is nothing that the model knows.
        let mut set = new.objects.iter().flat_map(|change| bits_of_word(change.set).map(|bit| change.word * 64 + bit));
        set.all(|object| self.layer_of[object as usize].is_some()).then_some(effects)
    }
}

/// Returns the layers that the effects of some cells are about.
fn changed_layers<'a>(cells: impl Iterator<Item = &'a Cell>) -> BTreeSet<u32> {
    cells.flat_map(|cell| &cell.effects).map(|effect| effect.layer).collect()
}

/// Returns the bit of a layer in a set of layers; many layers share bits.
pub(super) fn layer_bit(layer: u32) -> u64 {
    1 << (layer % 64)
}

/// Returns one word of a set.
fn bits_of(things: &Things, word: u32) -> u64 {
    things.iter().find(|(other, _)| *other == word).map_or(0, |(_, bits)| *bits)
}

/// Keeps only some bits in one word of a set.
fn restrict(things: &mut [(u32, u64)], word: u32, keep: u64) {
    things.iter_mut().filter(|(other, _)| *other == word).for_each(|(_, bits)| *bits &= keep);
}

/// Returns things as a set.
pub(super) fn sparse(things: impl Iterator<Item = u32>) -> Things {
    let mut words: Vec<(u32, u64)> = Vec::new();
    for thing in things {
        let (word, bit) = (thing / 64, 1 << (thing % 64));
        match words.iter_mut().find(|(other, _)| *other == word) {
            Some((_, bits)) => *bits |= bit,
            None => words.push((word, bit)),
        }
    }
    words.sort_unstable();
    words.into()
}

/// Returns whether a set has a thing.
pub(super) fn has(things: &Things, thing: u32) -> bool {
    bits_of(things, thing / 64) >> (thing % 64) & 1 == 1
}
