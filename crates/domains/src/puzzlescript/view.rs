//! Boards as text, a character for each cell, as the levels of the game are written; and as pictures of the game's
//! sprites.

use super::compiled::Compiled;
use super::mechanics::{Beginning, mechanics};
use super::packing::objects_of;
use super::palette::Palette;
use super::space::{GameSpace, Key, Play};
use crate::domain::mechanics::Mechanics;
use crate::domain::{Alternative, Drawn, GoalView, Notation, PartKind, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_CELLS, MOST_FIGURES, Paint, Picture, Sprite};
use engine_puzzlescript::game::{Condition, Entry, Game, Meaning, Object, Quantifier};
use engine_puzzlescript::input::Input;
use engine_puzzlescript::program::Program;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The characters of a game's legend, by what they stand for.
pub(super) struct Glyphs {
    /// By objects, ascending, without those in the layer of the background.
    of_set: BTreeMap<Vec<usize>, char>,
    /// For each object: its character, or the first letter of its name.
    of_object: Vec<char>,
    /// The objects that pictures show, from back to front.
    looks: Vec<ObjectAppearance>,
    /// The sprites of the objects in the same order.
    sprites: Arc<[Sprite]>,
    /// The layer of the background.
    background: usize,
    layers: Vec<usize>,
    object_words: usize,
}

/// The appearance of an object in pictures.
struct ObjectAppearance {
    /// The object; `None` for the colour of the screen, which is behind all objects.
    object: Option<usize>,
    paint: Paint,
}

impl Glyphs {
    pub fn new(game: &Game, program: &Program) -> Glyphs {
        let layers = program.object_layers.clone();
        // The last number of a name is in use, and the first entry of the legend.
        let ids: FxHashMap<&str, usize> = program.object_names.iter().map(String::as_str).zip(0..).collect();
        let entries: FxHashMap<&str, &Entry> =
            game.legend.iter().rev().map(|entry| (entry.name.as_str(), entry)).collect();
        let id = |name: &str| ids.get(name).copied();
        let entry = |name: &str| entries.get(name).copied();
        let objects = |name: &str| -> Option<Vec<usize>> {
            let mut name = name;
            // Synonyms of synonyms are few; a cycle ends.
            for _ in 0..game.legend.len() + 1 {
                if let Some(object) = id(name) {
                    return Some(vec![object]);
                }
                match &entry(name)?.meaning {
                    Meaning::Synonym(other) => name = other,
                    Meaning::All(names) => return names.iter().map(|name| id(name)).collect(),
                    Meaning::Any(_) => return None,
                }
            }
            None
        };
        let background = match (id("background"), entry("background").map(|entry| &entry.meaning)) {
            (Some(object), _) => layers[object],
            (None, Some(Meaning::Any(names) | Meaning::All(names))) => {
                names.first().and_then(|name| id(name)).map_or(0, |object| layers[object])
            }
            _ => objects("background").and_then(|all| all.first().copied()).map_or(0, |object| layers[object]),
        };
        let first = |name: &String| name.chars().next().unwrap_or('?');
        let mut of_object: Vec<char> = program.object_names.iter().map(first).collect();
        let mut of_set = BTreeMap::new();
        let one_character = |name: &String| name.chars().count() == 1;
        for entry in game.legend.iter().filter(|entry| one_character(&entry.name)) {
            let Some(mut set) = objects(&entry.name) else { continue };
            set.retain(|&object| layers[object] != background);
            set.sort_unstable();
            set.dedup();
            if let [object] = set[..] {
                of_object[object] = first(&entry.name);
            }
            of_set.entry(set).or_insert(first(&entry.name));
        }
        let (looks, sprites) = looks(game, program, background);
        Glyphs { of_set, of_object, looks, sprites, background, layers, object_words: program.object_words }
    }

    /// Returns the character of a cell that has nothing but the background.
    pub fn empty(&self) -> Option<char> {
        self.of_set.get(&Vec::new()).copied()
    }

    /// Adds the characters to a drawing, whose parts are objects; those that may change are pieces.
    pub fn draw_on(&self, drawn: &mut Drawn, names: &[String], may_change: impl Fn(usize) -> bool) {
        let kind = |object: usize| if may_change(object) { PartKind::Piece } else { PartKind::Ground };
        for (set, character) in &self.of_set {
            let parts: Vec<_> = set.iter().map(|&object| (names[object].as_str(), kind(object))).collect();
            drawn.add(character.to_string(), &parts);
        }
    }

    /// Returns the character of a cell: of all of its objects, or else of the topmost one.
    fn of_cell(&self, objects: impl Iterator<Item = usize>) -> char {
        let is_seen = |object: &usize| self.layers[*object] != self.background;
        let set: Vec<usize> = objects.filter(is_seen).collect();
        let topmost = || set.iter().max_by_key(|&&object| self.layers[object]).map(|&object| self.of_object[object]);
        self.of_set.get(&set).copied().or_else(topmost).unwrap_or('.')
    }

    /// Returns the picture of a board, in which the objects of one kind are numbered row by row; `None` if it is too
    /// large. `changes` says which objects may change.
    pub fn picture(
        &self,
        board: &[u64],
        width: usize,
        height: usize,
        changes: impl Fn(usize) -> bool,
    ) -> Option<Picture> {
        if width * height > MOST_CELLS {
            return None;
        }
        let mut picture = Picture::new(height, width, Ground::Floor);
        picture.sprites = Arc::clone(&self.sprites);
        let is_still = self.still(changes);
        let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        // The cells of each object, row by row.
        let mut places: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        for (row, column) in cells() {
            let cell = &board[(column * height + row) * self.object_words..][..self.object_words];
            for object in objects_in(cell) {
                places.entry(object).or_default().push((row, column));
            }
        }
        for (sprite, look) in self.looks.iter().enumerate() {
            let of_object = look.object.map(|object| places.remove(&object).unwrap_or_default());
            let here = of_object.unwrap_or_else(|| cells().collect());
            let list = if is_still(look) { &mut picture.marks } else { &mut picture.figures };
            list.extend(here.into_iter().enumerate().map(|(number, at)| self.figure(sprite, number, at)));
            if picture.marks.len() > MOST_CELLS || picture.figures.len() > MOST_FIGURES {
                return None;
            }
        }
        Some(picture)
    }

    /// Returns the figure of each object in the first cell, unless it is still or not seen.
    pub fn figures(&self, changes: impl Fn(usize) -> bool) -> Vec<Option<Figure>> {
        let is_still = self.still(changes);
        let mut figures = vec![None; self.layers.len()];
        for (sprite, look) in self.looks.iter().enumerate() {
            if let Some(object) = look.object.filter(|_| !is_still(look)) {
                figures[object] = Some(self.figure(sprite, 0, (0, 0)));
            }
        }
        figures
    }

    /// Returns a figure with the sprite of a number.
    fn figure(&self, sprite: usize, number: usize, at: (usize, usize)) -> Figure {
        let look = &self.looks[sprite];
        // The background is what is there anyway.
        let letter = look.object.filter(|&object| self.layers[object] != self.background);
        let label = letter.map_or(String::new(), |object| self.of_object[object].to_string());
        Figure::single(Picture::sprite_key(sprite, number), label, look.paint, Form::Sprite(sprite), at)
    }

    /// Returns whether neither a look nor anything behind it ever changes.
    fn still(&self, changes: impl Fn(usize) -> bool) -> impl Fn(&ObjectAppearance) -> bool + '_ {
        let changing = (0..self.layers.len()).filter(|&object| changes(object)).map(|object| self.layers[object]).min();
        move |look| {
            let layer = look.object.map(|object| self.layers[object]);
            changing.is_none_or(|changing| layer.is_none_or(|layer| layer < changing))
        }
    }

    /// Returns a board as rows of text. `objects` lists the objects of a cell in ascending order; the cells are
    /// numbered column by column.
    pub fn draw<I: Iterator<Item = usize>>(&self, width: usize, height: usize, objects: impl Fn(usize) -> I) -> String {
        let cell = |row: usize, column: usize| self.of_cell(objects(column * height + row));
        let row = |row: usize| (0..width).map(|column| cell(row, column)).collect::<String>() + "\n";
        (0..height).map(row).collect()
    }
}

/// Returns the objects of a cell, ascending.
fn objects_in(cell: &[u64]) -> impl Iterator<Item = usize> {
    let words = (0..).zip(cell);
    words.flat_map(|(word, &bits)| objects_of(word, bits)).map(|object| object as usize)
}

/// Returns how objects are drawn, and their sprites, in the order of the collision layers. Transparent ones are left
/// out.
fn looks(game: &Game, program: &Program, background: usize) -> (Vec<ObjectAppearance>, Arc<[Sprite]>) {
    let palette = Palette::of(game);
    let layers = &program.object_layers;
    let mut objects: Vec<usize> = (0..layers.len()).collect();
    objects.sort_by_key(|&object| layers[object]);
    let (mut looks, mut sprites) = (Vec::new(), Vec::new());
    let mut add = |object: Option<usize>, sprite: Sprite| {
        let Some(paint) = sprite.paint() else { return };
        looks.push(ObjectAppearance { object, paint });
        sprites.push(sprite);
    };
    let written: FxHashMap<&str, &Object> =
        game.objects.iter().rev().map(|object| (object.name.as_str(), object)).collect();
    let sprite = |object: usize| {
        let written = written.get(program.object_names[object].as_str())?;
        Some((object, palette.sprite(written)))
    };
    let drawn: Vec<(usize, Sprite)> = objects.into_iter().filter_map(sprite).collect();
    if drawn.iter().any(|(object, sprite)| layers[*object] == background && !sprite.is_opaque()) {
        add(None, Sprite::new(1, &[vec![Some(palette.background(game))]]));
    }
    drawn.into_iter().for_each(|(object, sprite)| add(Some(object), sprite));
    (looks, sprites.into())
}

/// The view of a level.
pub(super) struct GameView {
    pub play: Arc<Play>,
    pub start: Key,
    pub glyphs: Arc<Glyphs>,
    /// The game, and the index of the level, counted with messages.
    pub compiled: Arc<Compiled>,
    pub index: usize,
    /// The seed of the random generator, if the game draws.
    pub seed: String,
}

impl View<GameSpace> for GameView {
    type Position = Key;

    fn initial(&self) -> Key {
        self.start.clone()
    }

    fn apply(&self, position: &mut Key, input: Input) {
        *position = self.play.pressed(position, input);
    }

    fn notation(&self, _position: &Key, input: Input, notation: Notation) -> String {
        let (name, letter) = match input {
            Input::Up => ("up", "u"),
            Input::Left => ("left", "l"),
            Input::Down => ("down", "d"),
            Input::Right => ("right", "r"),
            Input::Action => ("action", "x"),
        };
        if notation == Notation::LURD { letter.to_owned() } else { name.to_owned() }
    }

    fn draw(&self, position: &Key, _style: Style) -> String {
        let (board, written, words) = (self.play.board(position), &self.play.written, self.glyphs.object_words);
        let objects = |cell: usize| objects_in(&board[cell * words..][..words]);
        self.glyphs.draw(written.width, written.height, objects)
    }

    fn messages(&self, position: &Key, input: Option<Input>) -> Vec<String> {
        let game = &self.compiled.game;
        let Some(input) = input else {
            return game.messages_before(self.index).into_iter().map(str::to_owned).collect();
        };
        let (mut messages, wins) = self.play.messages(position, input);
        if wins {
            messages.extend(game.ending(self.index).into_iter().map(str::to_owned));
        }
        messages
    }

    fn goal(&self) -> GoalView {
        let Compiled { game, program, .. } = &*self.compiled;
        let mut words: Vec<String> = game.conditions.iter().map(in_words).collect();
        // A rule with the command `win` wins at once.
        if program.has_win_command() {
            let or = if words.is_empty() { "" } else { "or " };
            words.push(format!("{or}a rule with the command `win` applies"));
        }
        match words.is_empty() {
            true => GoalView::default(),
            false => GoalView::one(Alternative { words, ..Alternative::default() }),
        }
    }

    fn mechanics(&self, _space: &GameSpace) -> Option<Mechanics> {
        let (start, written) = (&self.start, &self.play.written);
        let (board, target) = (self.play.board(start), self.play.target(start));
        let beginning = Beginning {
            board: &board,
            target: target.as_ref().unwrap_or(&written.cells),
            size: (written.width, written.height),
            is_won: self.play.is_won(start),
            seed: (self.seed.clone(), self.play.drawn(start)),
        };
        let looks = self.glyphs.figures(|object| self.play.may_change(object));
        Some(mechanics(&self.compiled.game, &self.compiled.program, self.index, beginning, looks))
    }

    fn picture(&self, position: &Key) -> Option<Picture> {
        let written = &self.play.written;
        let changes = |object: usize| self.play.may_change(object);
        self.glyphs.picture(&self.play.board(position), written.width, written.height, changes)
    }
}

/// Returns a win condition in words.
fn in_words(Condition { quantifier, name, on, .. }: &Condition) -> String {
    match (quantifier, on) {
        (Quantifier::All, Some(on)) => format!("every `{name}` shares its cell with a `{on}`"),
        (Quantifier::All, None) => format!("every `{name}` is on the board"),
        (Quantifier::Some, Some(on)) => format!("some `{name}` shares its cell with a `{on}`"),
        (Quantifier::Some, None) => format!("there is a `{name}`"),
        (Quantifier::No, Some(on)) => format!("no `{name}` shares its cell with a `{on}`"),
        (Quantifier::No, None) => format!("there is no `{name}`"),
    }
}
