//! The meaning of each name: objects with their numbers and layers, properties, aggregates, synonyms, and masks of all.

use crate::diagnostic::Diagnostics;
use crate::game::{Game, Meaning};
use crate::mask::Mask;
use rustc_hash::FxHashMap;

/// Words of the sets of objects that all names and layers stand for: 32 MiB.
const MAX_WORDS: usize = 1 << 22;

/// Steps of replacing names in lists. Only names in terms of each other (an error) need many.
const MAX_STEPS: usize = 50_000_000;

/// The index of a name.
pub(super) type Name = u32;

/// A declared object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ObjectAt {
    /// The number of its bit; none if it is in no layer.
    pub id: Option<usize>,
    pub layer: Option<usize>,
}

/// The meanings of one name. With errors in the legend a name can have several.
#[derive(Clone, Debug, Default)]
pub(super) struct Meanings {
    pub text: String,
    pub object: Option<ObjectAt>,
    pub property: Option<Vec<Name>>,
    pub aggregate: Option<Vec<Name>>,
    pub synonym: Option<Name>,
    /// A property whose objects are all in one layer: that layer (none: all are in no layer).
    pub single_layer: Option<Option<usize>>,
    /// The objects of an object or property.
    pub mask: Option<Mask>,
    /// The objects of an aggregate.
    pub all_mask: Option<Mask>,
}

/// All names of a game.
pub(super) struct Names {
    index: FxHashMap<String, Name>,
    pub names: Vec<Meanings>,
    /// The object of each number. Numbers of an object's earlier layers stay, unused.
    pub object_of: Vec<Name>,
    pub object_words: usize,
    pub movement_words: usize,
    /// The objects of each layer.
    pub layers: Vec<Mask>,
}

impl Names {
    /// Finds the names of a game. Returns none after an error if there are more than this implementation holds.
    pub(super) fn new(game: &Game, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut names = Self {
            index: FxHashMap::default(),
            names: Vec::new(),
            object_of: Vec::new(),
            object_words: 0,
            movement_words: game.layers.len().div_ceil(crate::mask::LAYERS_A_WORD).max(1),
            layers: Vec::new(),
        };
        for object in &game.objects {
            let name = names.intern(&object.name);
            names.names[name as usize].object = Some(ObjectAt::default());
        }
        names.number_objects(game);
        names.object_words = names.object_of.len().div_ceil(64).max(1);
        names.read_legend(game);
        if (names.names.len() + game.layers.len()).saturating_mul(names.object_words) > MAX_WORDS {
            diagnostics.refuse(None, "the game has too many objects, names and layers");
            return None;
        }
        names.settle_legend(diagnostics);
        if diagnostics.found_too_many() {
            return None;
        }
        names.find_single_layers();
        names.make_masks(game);
        if names.object_of.is_empty() {
            diagnostics.error(None, "no object is in a collision layer");
        }
        Some(names)
    }

    /// Returns the index of a text, a new one if it is unknown.
    pub(super) fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.index.get(text) {
            return name;
        }
        let name = self.names.len() as Name;
        self.index.insert(text.to_owned(), name);
        self.names.push(Meanings { text: text.to_owned(), ..Meanings::default() });
        name
    }

    pub(super) fn find(&self, text: &str) -> Option<Name> {
        self.index.get(text).copied()
    }

    pub(super) fn get(&self, name: Name) -> &Meanings {
        &self.names[name as usize]
    }

    pub(super) fn text(&self, name: Name) -> &str {
        &self.names[name as usize].text
    }

    /// Returns whether a name is no object and has no entry in the legend.
    pub(super) fn is_undeclared(&self, name: Name) -> bool {
        let Meanings { object, property, aggregate, synonym, .. } = self.get(name);
        object.is_none() && property.is_none() && aggregate.is_none() && synonym.is_none()
    }

    /// Returns the layer of an object, none if the name is no object or the object is in no layer.
    pub(super) fn layer(&self, name: Name) -> Option<usize> {
        self.get(name).object.and_then(|object| object.layer)
    }

    /// Returns the layer of the object with a number that is in use.
    pub(super) fn layer_of_number(&self, id: usize) -> Option<usize> {
        let object = self.get(*self.object_of.get(id)?).object?;
        object.layer.filter(|_| object.id == Some(id))
    }

    /// Numbers the objects layer by layer. An object that occurs again gets a new number and layer.
    fn number_objects(&mut self, game: &Game) {
        for (layer, line) in game.layers.iter().enumerate() {
            for text in &line.objects {
                let Some(name) = self.find(text) else { continue };
                let id = self.object_of.len();
                let Some(object) = &mut self.names[name as usize].object else { continue };
                *object = ObjectAt { id: Some(id), layer: Some(layer) };
                self.object_of.push(name);
            }
        }
    }

    fn read_legend(&mut self, game: &Game) {
        for entry in &game.legend {
            let name = self.intern(&entry.name);
            match &entry.meaning {
                Meaning::Synonym(_) => {}
                Meaning::All(of) => {
                    let of = of.iter().map(|of| self.intern(of)).collect();
                    self.names[name as usize].aggregate = Some(of);
                }
                Meaning::Any(of) => {
                    let of = of.iter().map(|of| self.intern(of)).collect();
                    self.names[name as usize].property = Some(of);
                }
            }
        }
        for entry in &game.legend {
            let Meaning::Synonym(of) = &entry.meaning else { continue };
            let (name, of) = (self.intern(&entry.name), self.intern(of));
            self.become_synonym(name, of);
        }
    }

    /// Makes a name another one of `of`, as a copy if that is a property or an aggregate.
    fn become_synonym(&mut self, name: Name, of: Name) {
        let source = self.get(of);
        if let Some(all) = source.aggregate.clone() {
            self.names[name as usize].aggregate = Some(all);
        } else if let Some(any) = source.property.clone() {
            self.names[name as usize].property = Some(any);
        } else if name != of {
            self.names[name as usize].synonym = Some(of);
        }
    }

    /// Replaces synonyms, and properties in properties, until nothing changes. A correct legend needs it only for
    /// synonyms of synonyms: the rest was replaced while reading.
    fn settle_legend(&mut self, diagnostics: &mut Diagnostics) {
        let mut steps = 0;
        for _ in 0..=self.names.len() {
            let mut changed = false;
            for name in 0..self.names.len() as Name {
                let Some(of) = self.get(name).synonym else { continue };
                let source = self.get(of);
                if let Some(any) = source.property.clone() {
                    let meanings = &mut self.names[name as usize];
                    meanings.synonym = None;
                    meanings.property = Some(any);
                    changed = true;
                } else if let Some(all) = source.aggregate.clone() {
                    let meanings = &mut self.names[name as usize];
                    meanings.synonym = None;
                    meanings.aggregate = Some(all);
                    changed = true;
                } else if let Some(next) = source.synonym.filter(|&next| next != of) {
                    self.names[name as usize].synonym = Some(next);
                }
            }
            changed |= self.settle_lists(diagnostics, false, &mut steps);
            changed |= self.settle_lists(diagnostics, true, &mut steps);
            if steps > MAX_STEPS {
                return diagnostics.refuse(None, "the names of the legend stand for each other");
            }
            if !changed {
                return;
            }
        }
    }

    /// Replaces names in the lists of properties, or of aggregates.
    fn settle_lists(&mut self, diagnostics: &mut Diagnostics, aggregates: bool, steps: &mut usize) -> bool {
        let mut changed = false;
        for name in 0..self.names.len() {
            let list = |meanings: &Meanings| {
                if aggregates { meanings.aggregate.clone() } else { meanings.property.clone() }
            };
            let Some(mut values) = list(&self.names[name]) else { continue };
            let mut index = 0;
            *steps += values.len();
            while index < values.len() && *steps <= MAX_STEPS {
                let value = values[index];
                if let Some(of) = self.get(value).synonym {
                    values[index] = of;
                    changed = true;
                } else if let Some(more) = list(self.get(value)) {
                    values.remove(index);
                    // A list in itself (an error) adds nothing to itself.
                    let more = if value as usize == name { Vec::new() } else { more };
                    *steps += (1 + more.len()) * values.len() / 8;
                    for new in more {
                        if !values.contains(&new) {
                            values.push(new);
                        }
                    }
                    changed = true;
                }
                let other = self.get(value);
                let conflict = if aggregates { other.property.is_some() } else { other.aggregate.is_some() };
                if conflict {
                    let (this, that) = if aggregates { ("aggregate", "property") } else { ("property", "aggregate") };
                    let message =
                        format!("the {this} `{}` cannot contain the {that} `{}`", self.names[name].text, other.text);
                    diagnostics.error(None, message);
                }
                index += 1;
            }
            let meanings = &mut self.names[name];
            *(if aggregates { &mut meanings.aggregate } else { &mut meanings.property }) = Some(values);
        }
        changed
    }

    fn find_single_layers(&mut self) {
        for name in 0..self.names.len() {
            let Some(values) = &self.names[name].property else { continue };
            let layers: Option<Vec<Option<usize>>> =
                values.iter().map(|&value| self.get(value).object.map(|object| object.layer)).collect();
            self.names[name].single_layer = layers
                .filter(|layers| layers.windows(2).all(|pair| pair[0] == pair[1]))
                .and_then(|layers| layers.first().copied());
        }
    }

    fn make_masks(&mut self, game: &Game) {
        let words = self.object_words;
        self.layers = vec![Mask::new(words); game.layers.len()];
        for &name in &self.object_of {
            if let Some(ObjectAt { id: Some(id), layer: Some(layer) }) = self.get(name).object {
                self.layers[layer].set(id);
            }
        }
        for meanings in &mut self.names {
            if let Some(object) = meanings.object {
                // An object in no layer (an error) is taken for the first one, as in the reference.
                let mut mask = Mask::new(words);
                mask.set(object.id.unwrap_or(0));
                meanings.mask = Some(mask);
            }
        }
        // Synonyms before properties of the same line.
        let mut entries: Vec<_> =
            game.legend.iter().filter(|entry| !matches!(entry.meaning, Meaning::All(_))).collect();
        entries.sort_by_key(|entry| (entry.at.line, matches!(entry.meaning, Meaning::Any(_))));
        for entry in entries {
            let mask = match &entry.meaning {
                Meaning::Synonym(of) => self.mask_of(of),
                Meaning::Any(of) if of.len() == 1 => self.mask_of(&of[0]),
                Meaning::Any(of) => {
                    let mut any = Mask::new(words);
                    for mask in of.iter().filter_map(|of| self.mask_of(of)) {
                        any.add(&mask);
                    }
                    Some(any)
                }
                Meaning::All(_) => None,
            };
            if let (Some(mask), Some(name)) = (mask, self.find(&entry.name)) {
                self.names[name as usize].mask = Some(mask);
            }
        }
        for name in 0..self.names.len() {
            let Some(values) = &self.names[name].aggregate else { continue };
            let mut all = Mask::new(words);
            for &value in values {
                if let Some(mask) = &self.get(value).mask {
                    all.add(mask);
                }
            }
            self.names[name].all_mask = Some(all);
        }
    }

    fn mask_of(&self, text: &str) -> Option<Mask> {
        self.find(text).and_then(|name| self.get(name).mask.clone())
    }
}
