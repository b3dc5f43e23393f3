//! Reads the keys about pictures: the layouts of arrays, and the colours and shapes of symbols and values.

use super::Errors;
use super::symbols::only_character;
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;
use crate::domain::{FileContext, colors};
use crate::drawing::{Drawing, SourceMap};
use crate::expression::{Array, GRID};
use crate::keys::{Keys, ShapeKey};
use crate::layout::{MOST_IN_RING, MOST_STACKED, names};
use crate::model::{ArrayLayout, Model, Shape, SpriteText};
use crate::picture::path;

/// The most rows, and columns, of a sprite.
const MOST_PIXELS: usize = 32;
/// The length of the edge of a cell in the units of a path, unless the file gives it.
const PATH_SIZE: usize = 24;

/// Reads the layouts, the colours and the shapes.
pub(super) fn read(keys: &Keys, model: &mut Model, file: &FileContext, errors: &Errors) {
    layouts(keys, model, errors);
    let has_names = model.world.rows > 0 || !model.layouts.is_empty() || !model.world.piles.is_empty();
    let mut known: Vec<String> = model.symbols.iter().map(char::to_string).collect();
    known.extend(
        names(model).into_iter().filter(|name| !model.symbols.iter().any(|symbol| *name == symbol.to_string())),
    );
    let has_values = !model.layouts.is_empty() || !model.world.piles.is_empty();
    let what = if has_values { "symbol or value" } else { "symbol" };
    let is_known = |name: &str, span, errors: &Errors| {
        if known.iter().any(|known| known == name) {
            return true;
        }
        let help = unknown_name(name, known.iter().map(String::as_str).take(50));
        errors.report(Diagnostic::at(span, format!("unknown {what} `{name}`")).help(help));
        false
    };
    let mut of_patterns: Vec<(String, Vec<[u8; 3]>)> = Vec::new();
    // Without a grid, a layout and piles, colours have no effect: that is a warning.
    for (name, colours) in keys.colors.iter().filter(|_| has_names) {
        if colours.get_ref().0.is_empty() {
            errors.report(Diagnostic::at(colours.span(), "the array is empty").label("expected at least one colour"));
        }
        let read = colours.get_ref().0.iter().map(colors::read);
        let read: Vec<_> = read.filter_map(|colour| errors.valid(colour.map_err(Some))).collect();
        let mut items = model.world.items_like(name).peekable();
        if items.peek().is_some() {
            of_patterns.extend(items.map(|item| (item, read.clone())));
        } else if is_known(name, colours.span(), errors) {
            model.looks.entry(name.to_owned()).or_default().colours = read;
        }
    }
    // A key of an item itself comes before patterns, and these come in the order of the file.
    for (item, colours) in of_patterns {
        let look = model.looks.entry(item).or_default();
        if look.colours.is_empty() {
            look.colours = colours;
        }
    }
    for (name, shape) in keys.shapes.iter().filter(|_| has_names) {
        if !is_known(name, shape.span(), errors) {
            continue;
        }
        let read = match shape.get_ref() {
            ShapeKey::Named(shape) => Ok(*shape),
            ShapeKey::Sprite(text) => {
                let colours = model.looks.get(name).map_or(0, |look| look.colours.len());
                sprite(name, &Spanned::new(shape.span(), text.clone()), colours, file)
                    .map(|sprite| add_sprite(model, sprite))
            }
            ShapeKey::Path(written, size) => {
                let size = size.map_or(PATH_SIZE, |size| size.get().into());
                let places = SourceMap::of(written, file.source);
                let text = written.get_ref();
                path::checked(text).map(|path| add_sprite(model, SpriteText::Path(size, path))).map_err(
                    |(at, wrong)| {
                        let at = at.min(text.len());
                        let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
                        vec![Diagnostic::at(places.span(at..end), "invalid path").label(wrong)]
                    },
                )
            }
        };
        if let Some(shape) = errors.valid(read) {
            model.looks.entry(name.to_owned()).or_default().shape = Some(shape);
        }
    }
}

fn add_sprite(model: &mut Model, sprite: SpriteText) -> Shape {
    model.sprites.push(sprite);
    Shape::Sprite(model.sprites.len() - 1)
}

/// Reads the pixels of a sprite: digits for its colours, `.` for none.
fn sprite(
    name: &str,
    text: &Spanned<String>,
    colours: usize,
    file: &FileContext,
) -> Result<SpriteText, Vec<Diagnostic>> {
    let drawing = Drawing::of_characters(text, file.source)?;
    if drawing.height().max(drawing.width()) > MOST_PIXELS {
        let message = format!("the sprite is too large: {}x{} pixels", drawing.height(), drawing.width());
        return Err(vec![
            Diagnostic::at(drawing.span(), message).label(format!("at most {MOST_PIXELS} rows and columns")),
        ]);
    }
    let mut rows = vec![Vec::new(); drawing.height()];
    let mut errors = Vec::new();
    // A symbol without colours in the file has one by default.
    let count = colours.max(1);
    for (row, _, cell) in drawing.cells() {
        let digit = only_character(cell.text).and_then(|digit| digit.to_digit(10)).map(|digit| digit as usize);
        match (cell.text, digit) {
            (".", _) => rows[row].push(None),
            (_, Some(digit)) if digit < count => rows[row].push(Some(digit)),
            (_, Some(digit)) => {
                let message = format!("`{name}` has no colour {digit}");
                let has =
                    if colours < 2 { "one colour, 0".to_owned() } else { format!("colours 0 to {}", colours - 1) };
                let help = format!("give it more: colors = {{ \"{name}\" = [\"red\", \"blue\"] }}");
                errors.push(Diagnostic::at(cell.span(), message).label(format!("it has {has}")).help(help));
            }
            _ => {
                let message = format!("invalid pixel `{}`", cell.text);
                errors
                    .push(Diagnostic::at(cell.span(), message).label("expected a digit for a colour, or `.` for none"));
            }
        }
    }
    if errors.is_empty() { Ok(SpriteText::Pixels(rows)) } else { Err(errors) }
}

/// Reads the layouts of arrays.
fn layouts(keys: &Keys, model: &mut Model, errors: &Errors) {
    for (key, layout) in keys.layout.entries() {
        let (name, layout_of) = (key.get_ref().as_str(), *layout.get_ref());
        let Some(number) = model.world.arrays.iter().position(|array| array.name == name) else {
            let known = model.world.arrays.iter().map(|array| array.name.as_str());
            let what =
                if name == GRID { "the puzzle has no grid".to_owned() } else { format!("unknown variable `{name}`") };
            errors.report(Diagnostic::at(key.span(), what).help(unknown_name(name, known.take(50))));
            continue;
        };
        match refused(model, &model.world.arrays[number], layout_of) {
            None => model.layouts.push((number, layout_of)),
            Some((message, label)) => errors.report(Diagnostic::at(layout.span(), message).label(label)),
        }
    }
}

/// Returns why an array cannot have a layout, and what it needs.
fn refused(model: &Model, array: &Array, layout: ArrayLayout) -> Option<(String, String)> {
    let (is_grid, name) = (array.name == GRID, &array.name);
    let values = &model.world.values[array.first];
    let wrong = |message: &str, label: &str| Some((format!("`{name}` {message}"), label.to_owned()));
    match layout {
        ArrayLayout::Stack | ArrayLayout::Level if is_grid => {
            wrong("is the grid, which has no such layout", "expected `row`, `column` or `ring`")
        }
        ArrayLayout::Row | ArrayLayout::Column if array.bounds.len() > 2 => {
            wrong("has three dimensions", "`row` and `column` need one or two")
        }
        ArrayLayout::Ring if is_grid && model.world.rows.min(model.world.columns) > 1 => {
            wrong("has several rows and columns", "a ring needs a grid of one row or one column")
        }
        ArrayLayout::Ring if !is_grid && array.bounds.len() > 1 => {
            wrong("has several dimensions", "a ring needs an array of one dimension")
        }
        ArrayLayout::Ring if array.len() > MOST_IN_RING => {
            wrong("has too many elements for a ring", &format!("at most {MOST_IN_RING}"))
        }
        ArrayLayout::Stack if array.len().max(values.len()) > MOST_STACKED => {
            wrong("has too many elements or values for a stack", &format!("at most {MOST_STACKED} of each"))
        }
        ArrayLayout::Level if values.iter().any(|value| value.as_number().is_none_or(|number| number < 0)) => {
            wrong("has other values than whole numbers from 0", "a level needs a range such as \"0..8\"")
        }
        _ => None,
    }
}
