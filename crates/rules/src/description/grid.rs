//! Reads the grid, its marks, the sets and the maps, and collects the symbols.

use super::symbols::{invisible, is_invisible, only_character, refusal, refusal_but_for_maps, taken};
use super::variables::value_list;
use super::{Errors, MOST_CELLS, MOST_LISTED, term, with_drawing};
use crate::diagnostic::{Diagnostic, printable};
use crate::document::Spanned;
use crate::domain::FileContext;
use crate::drawing::{self, Drawing, SourceMap};
use crate::expression::{Array, Set, Term};
use crate::keys::{Keys, Listing, RuleKeys, Scalar, Start};
use crate::model::{Arrows, Model};
use crate::task::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Reads the grid, the sets and the maps.
pub(super) fn read(keys: &Keys, model: &mut Model, file: &FileContext, errors: &Errors) {
    let drawing = match keys.start.as_ref().map(|start| (start.get_ref(), start.span())) {
        Some((Start::Drawing(text), span)) => Some(Spanned::new(span, text.clone())),
        Some((Start::Table(table), _)) => with_drawing(table, errors).0,
        None => None,
    };
    model.world.sets = sets(keys, errors);
    maps(keys, model, errors);
    for (letters, symbols) in keys.sets.iter() {
        let places = SourceMap::of(symbols, file.source);
        let members = symbols.get_ref().char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
        for (at, symbol) in members.filter(|(_, symbol)| !letters.contains(*symbol)) {
            let span = places.span(at..at + symbol.len_utf8());
            errors.extend(refusal_but_for_maps(symbol, span, "it cannot also be a symbol of a set", model));
        }
    }
    let Some(drawing) = drawing else {
        let grid_keys = [
            ("marks", keys.marks.as_ref().map(Spanned::span)),
            ("fences", keys.fences.as_ref().map(Spanned::span)),
            ("sets", keys.sets.iter().next().map(|set| set.1.span())),
            ("arrows", keys.arrows.as_ref().map(Spanned::span)),
        ];
        if keys.start.is_some() {
            for (key, span) in grid_keys {
                errors.extend(span.map(|span| {
                    Diagnostic::at(span, format!("`{key}` needs a grid")).label("draw the grid in `start`")
                }));
            }
        }
        return;
    };
    let Some(drawing) = errors.valid(Drawing::of_characters(&drawing, file.source)) else { return };
    let (rows, columns) = (drawing.height(), drawing.width());
    if rows * columns > MOST_CELLS {
        let message = format!("the grid is too large: {rows}x{columns} cells");
        errors.report(Diagnostic::at(drawing.span(), message).label(format!("at most {MOST_CELLS} cells")));
        return;
    }
    let mut symbols: Vec<char> = Vec::new();
    let mut cells: Vec<char> = Vec::new();
    for (_, _, cell) in drawing.cells() {
        let symbol = cell.text.chars().next().unwrap_or('.');
        errors.extend(refusal_but_for_maps(symbol, cell.span(), "it cannot also be a symbol of the grid", model));
        add_symbol(&mut symbols, symbol);
        cells.push(symbol);
    }
    model.world.sets.iter().flat_map(|set| &set.symbols).for_each(|&symbol| add_symbol(&mut symbols, symbol));
    let drawn = model.world.maps.iter().filter(|(name, _)| only_character(name).is_some());
    for entry in drawn.flat_map(|(_, entries)| entries.iter()).flat_map(|(from, to)| [from, to]) {
        if let Some(symbol) = only_character(&entry.to_string()).filter(|&symbol| taken(symbol, model).is_none()) {
            add_symbol(&mut symbols, symbol);
        }
    }
    let rings = keys.arrows.iter().flat_map(|rings| &rings.get_ref().0);
    let rings = rings.flat_map(|ring| ring.get_ref().chars());
    rings.filter(|&symbol| taken(symbol, model).is_none()).for_each(|symbol| add_symbol(&mut symbols, symbol));
    for rule in keys.all_rules() {
        let characters = drawn_characters(rule).filter(|&symbol| taken(symbol, model).is_none());
        characters
            .filter(|&symbol| parameter(rule, symbol).is_none())
            .for_each(|symbol| add_symbol(&mut symbols, symbol));
    }
    // The values of parameters that stand in drawings are symbols, too.
    let drawn_symbols = symbols.len();
    for rule in keys.all_rules() {
        let is_parameter =
            |symbol: &char| !symbols[..drawn_symbols].contains(symbol) && taken(*symbol, model).is_none();
        let listings: Vec<_> =
            drawn_characters(rule).filter(is_parameter).filter_map(|symbol| parameter(rule, symbol)).collect();
        for value in listings.into_iter().filter_map(|listing| value_list(listing).ok()).flatten() {
            if let Some(symbol) = only_character(&value.to_string()).filter(|&symbol| taken(symbol, model).is_none()) {
                add_symbol(&mut symbols, symbol);
            }
        }
    }
    if symbols.len() > MOST_LISTED {
        let message = format!("too many symbols: {}", symbols.len());
        errors.report(Diagnostic::at(drawing.span(), message).label(format!("at most {MOST_LISTED}")));
        return;
    }
    let values: Arc<[Term]> = symbols.iter().map(|symbol| Term::read(&symbol.to_string())).collect();
    let world = &mut model.world;
    (world.rows, world.columns) = (rows, columns);
    world.values = vec![values; rows * columns];
    let bounds = vec![(0, rows as i64 - 1), (0, columns as i64 - 1)];
    world.arrays.push(Array { name: "cell".to_owned(), first: 0, bounds });
    let place = |cell: usize| format!("cell[{}, {}]", cell / columns, cell % columns);
    model.names = (0..rows * columns).map(place).collect();
    let number = |symbol: &char| symbols.iter().position(|known| known == symbol).unwrap_or(0) as Value;
    model.start = cells.iter().map(number).collect();
    model.symbols = symbols;
    model.drawn_symbols = drawn_symbols;
    model.arrows = arrows(keys, model, file, errors);
    marks(keys, model, file, errors);
    let fences = keys.fences.as_ref().map(|text| drawing::fences::read(text, file.source, (rows, columns)));
    let fences = fences.and_then(|read| errors.valid(read));
    model.fences = fences.filter(|fences| !fences.is_empty()).map(Arc::new);
}

/// Returns the characters of `from` and `to` of a rule that may be symbols: all but those that mark a run.
fn drawn_characters(rule: &RuleKeys) -> impl Iterator<Item = char> {
    let is_run = |symbol: char| rule.run.as_ref().is_some_and(|run| only_character(run.get_ref()) == Some(symbol));
    rule.drawings()
        .flat_map(|text| text.get_ref().chars())
        .filter(move |&symbol| !symbol.is_whitespace() && !is_run(symbol))
}

/// Returns the values of the parameter of a rule whose name is this character.
fn parameter(rule: &RuleKeys, name: char) -> Option<&Spanned<Listing>> {
    rule.family.iter().find(|(known, _)| only_character(known) == Some(name)).map(|(_, listing)| listing)
}

/// Reads the symbols that turn with drawings: rings of four or eight, clockwise from the one that points up.
fn arrows(keys: &Keys, model: &Model, file: &FileContext, errors: &Errors) -> Option<Arrows> {
    let rings = keys.arrows.as_ref()?;
    let mut arrows = Arrows { quarter: Vec::new(), mirror: Vec::new() };
    let mut known: [FxHashMap<char, char>; 2] = Default::default();
    for ring in &rings.get_ref().0 {
        let symbols: Vec<char> = ring.get_ref().chars().collect();
        let size = symbols.len();
        if ![4, 8].contains(&size) {
            let message = format!("`arrows` has {size} symbols in a ring");
            let label = "expected 4 symbols, that point up, right, down and left, or 8, clockwise from up";
            errors.report(Diagnostic::at(ring.span(), message).label(label));
            continue;
        }
        let places = SourceMap::of(ring, file.source);
        for (number, (at, symbol)) in ring.get_ref().char_indices().enumerate() {
            let span = places.span(at..at + symbol.len_utf8());
            let refused = refusal(symbol, span, "it cannot be in `arrows`", model).filter(|_| symbol != '?');
            if let Some(refused) = refused {
                errors.report(refused);
                continue;
            }
            let images = [symbols[(number + size / 4) % size], symbols[(size - number) % size]];
            for (image, known) in images.into_iter().zip(&mut known) {
                if (symbol == '?') != (image == '?') {
                    let message = "`?` is in `arrows`, but not for all symbols that turn into each other";
                    let label = "of 8, every second may be `?`: the first, third …, or the second, fourth …";
                    errors.report(Diagnostic::at(ring.span(), message).label(label));
                    return None;
                }
                if symbol != '?' && *known.entry(symbol).or_insert(image) != image {
                    let message = format!("`{symbol}` turns into two symbols");
                    let label = "a symbol may occur again only if it turns into the same symbols, as in \"|-|-\"";
                    errors.report(Diagnostic::at(ring.span(), message).label(label));
                    return None;
                }
            }
        }
    }
    let value = |symbol: char| model.symbols.iter().position(|known| *known == symbol).unwrap_or(0) as Value;
    let table = |known: &FxHashMap<char, char>| {
        model.symbols.iter().map(|symbol| value(*known.get(symbol).unwrap_or(symbol))).collect()
    };
    (arrows.quarter, arrows.mirror) = (table(&known[0]), table(&known[1]));
    Some(arrows)
}

fn add_symbol(symbols: &mut Vec<char>, symbol: char) {
    if !symbols.contains(&symbol) {
        symbols.push(symbol);
    }
}

fn sets(keys: &Keys, errors: &Errors) -> Vec<Set> {
    let mut sets: Vec<Set> = Vec::new();
    for (key, symbols) in keys.sets.entries() {
        let letters = key.get_ref();
        let members: Vec<char> = symbols.get_ref().chars().filter(|symbol| !symbol.is_whitespace()).collect();
        if members.is_empty() || letters.is_empty() || members.contains(&'?') {
            let (message, label) = if members.contains(&'?') {
                ("`?` cannot be in a set", "`?` is the wildcard for any symbol")
            } else if letters.is_empty() {
                ("a set needs a letter", "expected a key such as `N`")
            } else {
                ("the set is empty", "expected symbols, such as \"12345678\"")
            };
            errors.report(Diagnostic::at(symbols.span(), message).label(label));
        }
        for letter in letters.chars() {
            if is_invisible(letter) && !letter.is_whitespace() {
                errors.report(invisible(letter, key.span()));
            } else if letter == '?' || letter.is_whitespace() || sets.iter().any(|set| set.letter == letter) {
                errors.report(
                    Diagnostic::at(symbols.span(), format!("invalid letter `{letter}` for a set"))
                        .label("expected a letter that no other set has, not `?`"),
                );
            } else if members.contains(&letter) && members.len() > 1 {
                let message = format!("`{letter}` is both a set and one of its symbols");
                errors.report(Diagnostic::at(symbols.span(), message).label("choose another letter for the set"));
            }
            sets.push(Set { letter, symbols: members.clone() });
        }
    }
    sets
}

fn maps(keys: &Keys, model: &mut Model, errors: &Errors) {
    for (key, map) in keys.maps.entries() {
        let name = key.get_ref().as_str();
        if ["min", "max", "abs", "count", "sum", "all", "any"].contains(&name) {
            errors.report(
                Diagnostic::at(map.span(), format!("`{name}` is the name of a function"))
                    .label("choose another name for the map"),
            );
        }
        if only_character(name).is_some_and(|letter| letter == '?' || letter.is_whitespace()) {
            errors.report(Diagnostic::at(map.span(), format!("invalid name `{}` for a map", printable(name))));
        } else if let Some(letter) = only_character(name).filter(|letter| is_invisible(*letter)) {
            errors.report(invisible(letter, key.span()));
        }
        for (from, to) in map.get_ref().entries() {
            let to_text = if let Scalar::Text(text) = to.get_ref() { text.as_str() } else { "" };
            for (text, span) in [(from.get_ref().as_str(), from.span()), (to_text, to.span())] {
                let unseen = only_character(text).filter(|character| is_invisible(*character));
                errors.extend(unseen.map(|character| invisible(character, span)));
            }
        }
        let entries = map.get_ref().iter().map(|(from, to)| (from, term(to.get_ref())));
        model.world.maps.push((name.to_owned(), entries.collect()));
    }
}

fn marks(keys: &Keys, model: &mut Model, file: &FileContext, errors: &Errors) {
    let Some(text) = &keys.marks else { return };
    let Some(drawing) = errors.valid(Drawing::of_characters(text, file.source)) else { return };
    if (drawing.height(), drawing.width()) != (model.world.rows, model.world.columns) {
        let message = format!("the drawing of the marks is {}x{}", drawing.height(), drawing.width());
        let label = format!("expected {}x{}, as the start", model.world.rows, model.world.columns);
        return errors.report(Diagnostic::at(drawing.span(), message).label(label));
    }
    for (_, _, cell) in drawing.cells() {
        let mark = cell.text.chars().next().unwrap_or('.');
        errors.extend(Some(mark).filter(|mark| is_invisible(*mark)).map(|mark| invisible(mark, cell.span())));
        model.world.marks.push(mark);
    }
}
