//! A rule of one direction: what its cells must hold, and what they hold afterwards.

use super::expand::{Cell, Expanded, Term};
use super::names::{Names, Object};
use crate::game::{Command, Direction, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Movements of the objects in one layer of a cell: a set of five bits, see [`bits`].
pub(super) type Movement = u8;

/// Returns the movement that a word asks for, or gives.
pub(super) fn bits(word: Word) -> Movement {
    match word {
        Word::Up => 0b00001,
        Word::Down => 0b00010,
        Word::Left => 0b00100,
        Word::Right => 0b01000,
        Word::Action => 0b10000,
        _ => 0,
    }
}

/// A rule of one direction.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub line: u32,
    pub direction: Direction,
    pub rows: Vec<Row>,
    /// It has a right side.
    pub replaces: bool,
    /// True if its effects are undone when an object that it moves cannot move.
    pub rigid: bool,
    pub commands: Vec<Command>,
}

/// Cells in a line.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub cells: Vec<Pattern>,
    /// The cells that an ellipsis precedes, at most two.
    pub gaps: Vec<usize>,
}

/// A cell of a row.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub tests: Vec<Test>,
    pub change: Change,
}

/// A condition on a cell.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// None of these objects.
    No(Vec<Object>),
    /// One of these objects, all of one layer, which does not move.
    Resting(Vec<Object>, usize),
    /// One of these objects, all of one layer, which has at least these movements.
    Moving(Vec<Object>, usize, Movement),
}

/// The effect of a rule on a cell. All of the first kind happens before all of the second.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// Objects that are taken out.
    pub removed: BTreeSet<Object>,
    /// Movements that end, by layer.
    pub stopped: BTreeMap<usize, Movement>,
    /// Layers in which all movements end. Rigid rules mark them.
    pub wiped: BTreeSet<usize>,
    /// Objects that are put in.
    pub created: BTreeSet<Object>,
    /// Movements that begin, by layer.
    pub moved: BTreeMap<usize, Movement>,
    /// Objects one of which is drawn and put in.
    pub random_objects: BTreeSet<Object>,
    /// Layers in which a movement is drawn.
    pub random_movements: BTreeSet<usize>,
}

/// A name in a cell with its objects.
struct Known {
    word: Word,
    objects: Vec<Object>,
    /// The one layer of the objects.
    layer: usize,
    is_property: bool,
}

impl Known {
    /// Looks up a name of a cell. Names whose objects do not share a layer have no meaning in a cell.
    fn new(term: &Term<'_>, names: &Names) -> Option<Self> {
        let objects = names.find(term.name)?.1;
        let layer = names.shared_layer(&objects)?;
        Some(Self { word: term.word, objects, layer, is_property: names.number(term.name).is_none() })
    }
}

/// Returns the rows of an expanded rule: none if the rule can never match, or is wrong.
pub(super) fn rows(rule: &Expanded<'_>, names: &Names) -> Option<Vec<Row>> {
    let rows = rule.left.iter().enumerate().map(|(index, left)| row(left, rule.right.get(index), names));
    rows.collect()
}

fn row(left: &[Cell<'_>], right: Option<&Vec<Cell<'_>>>, names: &Names) -> Option<Row> {
    let mut row = Row { cells: Vec::new(), gaps: Vec::new() };
    for (index, cell) in left.iter().enumerate() {
        if cell.iter().any(|term| term.word == Word::Ellipsis) {
            if cell.len() != 1 || index == 0 || index == left.len() - 1 || row.gaps.len() == 2 {
                return None;
            }
            row.gaps.push(row.cells.len());
            continue;
        }
        let asked: Vec<Known> = cell.iter().filter_map(|term| Known::new(term, names)).collect();
        let asked: Vec<Known> = asked.into_iter().filter(|known| known.word != Word::Random).collect();
        if !is_possible(&asked) {
            return None;
        }
        let change = right.and_then(|right| right.get(index)).map(|right| change(&asked, right, names));
        row.cells.push(Pattern { tests: asked.iter().map(test).collect(), change: change.unwrap_or_default() });
    }
    Some(row)
}

/// Returns whether some cell can hold this: at most one object of each layer, and none that must be missing.
fn is_possible(asked: &[Known]) -> bool {
    let (missing, present): (Vec<&Known>, Vec<&Known>) = asked.iter().partition(|known| known.word == Word::No);
    let mut layers = BTreeSet::new();
    present.iter().all(|known| {
        let is_missing = |object: &Object| missing.iter().any(|other| other.objects.contains(object));
        layers.insert(known.layer) && (known.is_property || !known.objects.iter().any(is_missing))
    })
}

fn test(known: &Known) -> Test {
    let objects = known.objects.clone();
    match known.word {
        Word::No => Test::No(objects),
        Word::Stationary => Test::Resting(objects, known.layer),
        // On the left, this word is a mistake, which never matches: nothing moves in two directions.
        Word::RandomDir => Test::Moving(objects, known.layer, bits(Word::Up) | bits(Word::Left)),
        word => Test::Moving(objects, known.layer, bits(word)),
    }
}

/// Returns what becomes of a cell.
fn change(asked: &[Known], right: &Cell<'_>, names: &Names) -> Change {
    let mut change = Change::default();
    let asked = || asked.iter().filter(|known| known.word != Word::No);
    // What the left asks for goes, and what the right asks for comes.
    for known in asked() {
        if !known.is_property {
            change.removed.extend(&known.objects);
        }
        *change.stopped.entry(known.layer).or_default() |= bits(known.word);
    }
    let (mut used, mut filled) = (BTreeSet::new(), BTreeSet::new());
    for term in right.iter().take_while(|term| term.word != Word::Ellipsis) {
        if term.word == Word::Random {
            change.random_objects.extend(names.find(term.name).into_iter().flat_map(|(_, objects)| objects));
            continue;
        }
        let Some(known) = Known::new(term, names) else { continue };
        if known.word == Word::No {
            change.removed.extend(&known.objects);
            continue;
        }
        used.insert(known.layer);
        if !known.is_property {
            filled.insert(known.layer);
            change.created.extend(&known.objects);
        }
        match known.word {
            Word::Plain => continue,
            Word::Stationary => {}
            Word::RandomDir => drop(change.random_movements.insert(known.layer)),
            word => *change.moved.entry(known.layer).or_default() |= bits(word),
        }
        change.wiped.insert(known.layer);
    }
    // A layer that only the left names is emptied, and so are layers that get a new object.
    for known in asked() {
        if !used.contains(&known.layer) {
            change.removed.extend(&names.layers[known.layer]);
            change.wiped.insert(known.layer);
        }
        if !known.is_property && !filled.contains(&known.layer) {
            change.wiped.insert(known.layer);
        }
    }
    for layer in filled {
        change.removed.extend(&names.layers[layer]);
    }
    change
}
