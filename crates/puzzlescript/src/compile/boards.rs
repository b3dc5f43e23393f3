//! The boards of the levels.

use super::names::{Name, Names};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Level, Meaning, Place};
use crate::mask::Mask;
use crate::program::{self, LevelBoard};
use rustc_hash::FxHashMap;

/// The object that fills cells without a background.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Background {
    object: Option<usize>,
    layer: Option<usize>,
}

/// Finds the background's layer and its first object.
pub(super) fn background(game: &Game, names: &Names, diagnostics: &mut Diagnostics) -> Background {
    let of = |name: Name| {
        let object = names.get(name).object?;
        Some(Background { object: object.id, layer: object.layer })
    };
    let first = || names.object_of.first().and_then(|&name| of(name)).unwrap_or_default();
    let at = game.legend.iter().rev().find(|entry| entry.name == "background").map(|entry| entry.at);
    let meanings = names.find("background").map(|name| (name, names.get(name)));
    if let Some((name, meanings)) = meanings {
        if meanings.object.is_some() {
            return of(name).unwrap_or_default();
        }
        if let Some(name) = meanings.synonym {
            return of(name).unwrap_or_default();
        }
        if let Some(values) = &meanings.property {
            let background = values.first().and_then(|&name| of(name)).unwrap_or_default();
            let layers = values.iter().filter_map(|&name| of(name)).map(|other| other.layer);
            if background.object.is_some() && layers.into_iter().any(|layer| layer != background.layer) {
                diagnostics.error(at, "the objects of `background` must share a layer");
            }
            return background;
        }
        if meanings.aggregate.is_some() {
            diagnostics.error(at, "`background` cannot be an aggregate (`and`)");
            return first();
        }
    }
    diagnostics.error(None, "nothing is declared as the background");
    first()
}

/// Cells of a level: a first row and many short ones could ask for far more than their text is long.
pub(super) const MAX_CELLS: usize = 1 << 20;

/// Words of the objects and movements of a level in play, and of all levels together: 128 MiB, several times of which a
/// search needs.
const MAX_WORDS: usize = 1 << 24;

/// The objects that a name puts into a cell: one, or several that share cells.
type Glyphs = FxHashMap<Name, Mask>;

/// Collects what names put into cells. Properties are ambiguous; what is not declared puts nothing there.
fn glyphs(game: &Game, names: &Names, diagnostics: &mut Diagnostics) -> Glyphs {
    let mut glyphs = Glyphs::default();
    for object in &game.objects {
        let Some(name) = names.find(&object.name) else { continue };
        let mut mask = Mask::new(names.object_words);
        if let Some(id) = names.get(name).object.and_then(|object| object.id) {
            mask.set(id);
        }
        glyphs.insert(name, mask);
    }
    loop {
        let before = glyphs.len();
        for entry in &game.legend {
            let Some(name) = names.find(&entry.name) else { continue };
            if glyphs.contains_key(&name) {
                continue;
            }
            let mask = match &entry.meaning {
                Meaning::Synonym(of) => names.find(of).and_then(|of| glyphs.get(&of).cloned()),
                Meaning::All(of) => {
                    let of: Option<Vec<Name>> = of.iter().map(|of| names.find(of)).collect();
                    of.filter(|of| of.iter().all(|of| glyphs.contains_key(of)))
                        .map(|of| together(&of, entry.at, names, diagnostics))
                }
                Meaning::Any(_) => None,
            };
            glyphs.extend(mask.map(|mask| (name, mask)));
        }
        if glyphs.len() == before {
            return glyphs;
        }
    }
}

/// Returns the objects of an aggregate. Of two in one layer, the first stays.
fn together(of: &[Name], at: Place, names: &Names, diagnostics: &mut Diagnostics) -> Mask {
    let mut mask = Mask::new(names.object_words);
    for &name in of {
        let Some(object) = names.get(name).object else { continue };
        let (Some(id), Some(layer)) = (object.id, object.layer) else {
            diagnostics.error(at, format!("the object `{}` is in no layer", names.text(name)));
            continue;
        };
        if let Some(other) = mask.first_common(&names.layers[layer]) {
            let (this, other) = (names.text(name), names.text(names.object_of[other]));
            let message = format!("an aggregate cannot have both `{this}` and `{other}`, which are in the same layer");
            diagnostics.error(at, message);
        } else {
            mask.set(id);
        }
    }
    mask
}

/// Makes the boards of all levels.
pub(super) fn boards(
    game: &Game,
    names: &Names,
    background: Background,
    diagnostics: &mut Diagnostics,
) -> Vec<program::Level> {
    let glyphs = glyphs(game, names, diagnostics);
    let mut levels = Vec::new();
    let mut words = 0;
    for level in &game.levels {
        levels.push(match level {
            Level::Message { text, .. } => program::Level::Message(text.clone()),
            Level::Board { at, rows } => {
                let (cells, row) = (rows[0].chars().count().saturating_mul(rows.len()), names.object_words);
                words = cells.saturating_mul(row).saturating_add(words);
                if cells > MAX_CELLS {
                    diagnostics.refuse(*at, format!("the level has more than {MAX_CELLS} cells"));
                    return levels;
                }
                if cells * (row + names.movement_words) > MAX_WORDS || words > MAX_WORDS {
                    let message = "the levels up to this one have too many cells for so many objects and layers";
                    diagnostics.refuse(*at, message);
                    return levels;
                }
                program::Level::Board(board(*at, rows, names, background, &glyphs, diagnostics))
            }
        });
    }
    levels
}

fn board(
    at: Place,
    rows: &[String],
    names: &Names,
    background: Background,
    glyphs: &Glyphs,
    diagnostics: &mut Diagnostics,
) -> LevelBoard {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let (width, height) = (rows[0].len(), rows.len());
    let words = names.object_words;
    let mut board = LevelBoard { width, height, cells: vec![0; width * height * words] };
    let keys: FxHashMap<char, Option<Name>> =
        rows.iter().flatten().map(|&key| (key, names.find(key.encode_utf8(&mut [0; 4])))).collect();
    for x in 0..width {
        for (y, row) in rows.iter().enumerate() {
            let Some(key) = row.get(x).or(row.last()) else { continue };
            let name = keys.get(key).copied().flatten();
            let Some(mask) = name.and_then(|name| glyphs.get(&name)) else {
                let line = at.line + y as u32;
                let place = Place { line, column: at.column + x as u32 };
                let ambiguous = name.is_some_and(|name| names.get(name).property.is_some());
                let of_level = format!("the key `{key}` of a level is");
                match ambiguous {
                    true => diagnostics.error(place, format!("{of_level} a property (`or`), which is ambiguous")),
                    false => diagnostics.unknown(place, &key.to_string(), format!("{of_level} not declared")),
                }
                return board;
            };
            let cell = (x * height + y) * words;
            board.cells[cell..cell + words].copy_from_slice(&mask.words);
        }
    }
    fill(&mut board, names, background, diagnostics);
    board
}

/// Fills cells without an object of the background's layer with the first such object on the board, else with the
/// background's own.
fn fill(board: &mut LevelBoard, names: &Names, background: Background, diagnostics: &mut Diagnostics) {
    let words = names.object_words;
    let layer = background.layer.and_then(|layer| names.layers.get(layer));
    let mut filling = Mask::new(words);
    if let Some(object) = background.object {
        filling.set(object);
    }
    if let Some(layer) = layer {
        let there =
            board.cells.chunks(words).find(|cell| cell.iter().zip(&layer.words).any(|(cell, layer)| cell & layer != 0));
        if let Some(cell) = there {
            filling.words = cell.iter().zip(&layer.words).map(|(cell, layer)| cell & layer).collect();
        }
    } else {
        diagnostics.error(None, "the background is in no layer");
    }
    for cell in board.cells.chunks_mut(words) {
        let filled = layer.is_some_and(|layer| cell.iter().zip(&layer.words).any(|(cell, layer)| cell & layer != 0));
        if !filled {
            cell.iter_mut().zip(&filling.words).for_each(|(cell, filling)| *cell |= filling);
        }
    }
}
