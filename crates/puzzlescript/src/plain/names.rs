//! Objects, their layers, and what the other names of a game stand for.

use crate::game::{Game, Meaning};
use std::collections::BTreeMap;

/// The number of an object.
pub(super) type Object = usize;

/// A set of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Objects(Vec<u64>);

impl Objects {
    /// Returns an empty set with room for objects below a number. Sets of the same game have the same room.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Returns whether an object is in the set.
    #[must_use]
    pub fn has(&self, object: usize) -> bool {
        self.0[object / 64] >> (object % 64) & 1 == 1
    }

    /// Adds an object.
    pub fn insert(&mut self, object: usize) {
        self.0[object / 64] |= 1 << (object % 64);
    }

    /// Removes an object.
    pub fn remove(&mut self, object: usize) {
        self.0[object / 64] &= !(1 << (object % 64));
    }

    /// Removes all objects.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds the objects of another set.
    pub fn extend(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Returns whether any of these objects is in the set.
    #[must_use]
    pub fn has_any(&self, objects: &[usize]) -> bool {
        objects.iter().any(|&object| self.has(object))
    }

    /// Returns whether all of these objects are in the set.
    #[must_use]
    pub fn has_all(&self, objects: &[usize]) -> bool {
        objects.iter().all(|&object| self.has(object))
    }

    /// Returns the objects in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&object| self.has(object))
    }
}

/// The relation of a name to its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object, or another name of one.
    One,
    /// An aggregate: all of them, or another name of one.
    All,
    /// A property: any of them, or another name of one.
    Any,
}

/// The names of a game.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The name of each object. An object in several layers has several numbers, of which the last is in use.
    pub objects: Vec<String>,
    /// The layer of each object.
    pub layer_of: Vec<usize>,
    /// The objects of each layer.
    pub layers: Vec<Vec<Object>>,
    /// The number of each object: none for an object without a layer.
    numbers: BTreeMap<String, Option<Object>>,
    /// The lines of the legend by name: several only by mistake. The last one counts, except on boards.
    legend: BTreeMap<String, Vec<Meaning>>,
}

impl Names {
    pub fn new(game: &Game) -> Self {
        let mut numbers: BTreeMap<String, Option<Object>> =
            game.objects.iter().map(|object| (object.name.clone(), None)).collect();
        let (mut objects, mut layer_of) = (Vec::new(), Vec::new());
        for (layer, line) in game.layers.iter().enumerate() {
            for name in &line.objects {
                if let Some(number) = numbers.get_mut(name) {
                    *number = Some(objects.len());
                    objects.push(name.clone());
                    layer_of.push(layer);
                }
            }
        }
        if objects.is_empty() {
            numbers.clear();
        }
        let mut layers = vec![Vec::new(); game.layers.len()];
        for (number, &layer) in
            layer_of.iter().enumerate().filter(|&(number, _)| numbers[&objects[number]] == Some(number))
        {
            layers[layer].push(number);
        }
        let mut legend: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        for entry in &game.legend {
            legend.entry(entry.name.clone()).or_default().push(entry.meaning.clone());
        }
        Self { objects, layer_of, layers, numbers, legend }
    }

    /// Returns the number of an object. As in the reference, a rule takes an object without a layer for the first of
    /// all.
    pub fn number(&self, name: &str) -> Option<Object> {
        self.numbers.get(name).map(|number| number.unwrap_or(0))
    }

    /// Returns what a name stands for: the kind, and the names of objects in the order written.
    pub fn listed<'n>(&'n self, name: &'n str) -> Option<(Kind, Vec<&'n str>)> {
        let mut name = name;
        // A chain of synonyms is at most as long as the legend.
        for _ in 0..=self.legend.len() {
            if self.numbers.contains_key(name) {
                return Some((Kind::One, vec![name]));
            }
            let of = |names: &'n [String]| names.iter().map(String::as_str).collect();
            match self.legend.get(name)?.last()? {
                Meaning::Synonym(of) => name = of,
                Meaning::All(names) => return Some((Kind::All, of(names))),
                Meaning::Any(names) => return Some((Kind::Any, of(names))),
            }
        }
        None
    }

    /// Returns what a name stands for: the kind, and the objects in the order written.
    pub fn find(&self, name: &str) -> Option<(Kind, Vec<Object>)> {
        let (kind, names) = self.listed(name)?;
        Some((kind, names.into_iter().filter_map(|name| self.number(name)).collect()))
    }

    /// Returns what a symbol puts into a cell of a board, by the first line of the legend that is no property. An
    /// object without a layer is not put there.
    pub fn symbol(&self, name: &str) -> Option<Vec<Object>> {
        self.symbol_within(name, self.legend.len())
    }

    /// Looks a symbol up through this many synonyms at most.
    fn symbol_within(&self, name: &str, synonyms: usize) -> Option<Vec<Object>> {
        let placed = |name: &str| self.numbers.get(name).copied();
        if let Some(object) = placed(name) {
            return Some(object.into_iter().collect());
        }
        self.legend.get(name)?.iter().find_map(|meaning| match meaning {
            Meaning::Synonym(of) => self.symbol_within(of, synonyms.checked_sub(1)?),
            Meaning::All(names) => {
                let objects: Option<Vec<Option<Object>>> = names.iter().map(|name| placed(name)).collect();
                Some(objects?.into_iter().flatten().collect())
            }
            Meaning::Any(_) => None,
        })
    }

    /// Returns the first background: none if it has no layer.
    pub fn background(&self) -> Option<Object> {
        match self.listed("background") {
            Some((Kind::One | Kind::Any, names)) => *self.numbers.get(*names.first()?)?,
            _ => (!self.objects.is_empty()).then_some(0),
        }
    }

    /// Returns the layer that all of these objects share.
    pub fn shared_layer(&self, objects: &[Object]) -> Option<usize> {
        let layer = self.layer_of[*objects.first()?];
        objects.iter().all(|&object| self.layer_of[object] == layer).then_some(layer)
    }
}
