//! Symbols that never occur or that nothing mentions; unused sets and maps.

use super::{Review, visit};
use crate::argument::listed;
use crate::description::drawing_of;
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::drawing::{Drawing, SourceMap};
use crate::expression::{Collection, Expr, GRID, Kind, Operation, Term};
use crate::keys::{GoalKeys, Scalar, ShapeKey, Start, Value as Given};
use crate::layout::names;
use crate::looks::is_void_by_default;
use crate::model::{Shape, Target, To};
use crate::picture::Ground;
use crate::task::Value;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// Symbols that usually are walls, floors or empty.
const PLAIN: [char; 6] = ['#', '.', '_', '~', '-', '·'];

/// Warns of symbols, sets and maps.
pub(super) fn never_used(review: &Review) {
    looks(review);
    sets(review);
    maps(review);
    start(review);
    hidden_parameters(review);
}

/// Warns of names of parameters in drawings that have another meaning there.
fn hidden_parameters(review: &Review) {
    for (keys, _) in review.rules() {
        let is_parameter = |name: &str| keys.family.iter().any(|(known, _)| known == name);
        for text in keys.drawings() {
            let Ok(drawing) = Drawing::of_characters(text, review.context.source) else { continue };
            let mut cells = drawing.cells().map(|(_, _, cell)| cell);
            let meaning = |name: &str| {
                let symbol = name.chars().next()?;
                let world = &review.model.world;
                if world.sets.iter().any(|set| set.letter == symbol) {
                    Some("the letter of a set")
                } else if world.map(name).is_some() {
                    Some("a map")
                } else {
                    let symbols = &review.model.symbols[..review.model.drawn_symbols];
                    symbols.contains(&symbol).then_some("a symbol of the puzzle")
                }
            };
            let hidden = cells.find_map(|cell| Some((meaning(cell.text).filter(|_| is_parameter(cell.text))?, cell)));
            if let Some((meaning, cell)) = hidden {
                let message = format!("`{}` is {meaning} here, not the parameter", cell.text);
                let label = "to draw the parameter, give it a name that has no other meaning in drawings";
                review.warn(Diagnostic::at(cell.span(), message).label(label));
                break;
            }
        }
    }
}

/// Returns all texts of the file that may mention symbols: drawings, names in goals, and targets.
fn texts<'a>(review: &Review<'a>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for (keys, _) in review.rules() {
        let on = keys.on.iter().flat_map(|on| &on.get_ref().0);
        all.extend(keys.drawings().chain(on).map(|text| text.get_ref().as_str()));
        all.extend(keys.then.iter().map(|(target, _)| target));
    }
    for (goal, _) in review.goals() {
        match goal.get_ref() {
            GoalKeys::Text(text) => all.push(text),
            GoalKeys::Table(table) => {
                for (_, value) in table.iter() {
                    match value.get_ref() {
                        Given::Table(pairs) => all.extend(pairs.iter().map(|(name, _)| name)),
                        Given::One(Scalar::Text(text)) => all.push(text),
                        _ => {}
                    }
                }
            }
        }
    }
    all
}

fn sets(review: &Review) {
    let mut used: FxHashSet<char> = texts(review).iter().flat_map(|text| text.chars()).collect();
    review.expressions().for_each(|written| used.extend(written.text.get_ref().chars()));
    for (letters, symbols) in review.keys.sets.iter() {
        if let Some(unused) = letters.chars().find(|letter| !used.contains(letter)) {
            let warning = Diagnostic::at(symbols.span(), format!("unused set `{unused}`"));
            let label = "no drawing, goal or expression has its letter";
            let all: Vec<String> = letters.chars().map(|letter| format!("`{letter}`")).collect();
            review.warn(match &all[..] {
                [_] => warning.label(label),
                _ => warning
                    .label(label)
                    .help(format!("the key `{letters}` is a list of letters: it defines {}", listed(&all, 9))),
            });
            continue;
        }
        let places = SourceMap::of(symbols, review.context.source);
        for (at, symbol) in symbols.get_ref().char_indices().filter(|(_, symbol)| !symbol.is_whitespace()) {
            if !review.is_on_grid(symbol) {
                let message = format!("`{symbol}` is never on the grid");
                let label = format!("it is in the set `{letters}`, but never on a cell");
                review.warn(Diagnostic::at(places.span(at..at + symbol.len_utf8()), message).label(label));
            }
        }
    }
}

fn maps(review: &Review) {
    let (mut drawn, mut evaluated) = (BTreeSet::new(), BTreeSet::new());
    for (_, rule) in review.rules() {
        drawn.extend(rule.drawings().flat_map(|drawing| &drawing.to).filter_map(|to| match to {
            To::Map(map) => Some(*map),
            _ => None,
        }));
        for then in &rule.then {
            let target = match &then.target {
                Target::Element(_, indices) => &indices[..],
                _ => &[],
            };
            target.iter().for_each(|index| visit(index, &mut |part| evaluated.extend(map_of(&part.kind))));
        }
    }
    for written in review.expressions() {
        visit(&written.expr, &mut |part| evaluated.extend(map_of(&part.kind)));
    }
    for (number, (name, entries)) in review.keys.maps.iter().enumerate() {
        if !drawn.contains(&number) && !evaluated.contains(&number) {
            let warning = Diagnostic::at(entries.span(), format!("unused map `{name}`"));
            review.warn(warning.label("no drawing or expression has its name"));
        }
        if evaluated.contains(&number) || !drawn.contains(&number) {
            continue;
        }
        for (from, value) in entries.get_ref().iter() {
            let mut letters = from.chars();
            if let (Some(symbol), None) = (letters.next(), letters.next())
                && !review.is_on_grid(symbol)
            {
                let message = format!("`{symbol}` is never on the grid");
                let label = format!("this entry of `{name}` is never used");
                review.warn(Diagnostic::at(value.span(), message).label(label));
            }
        }
    }
}

fn map_of(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Map(map, _) => Some(*map),
        _ => None,
    }
}

/// Warns of start symbols that never move and that nothing mentions, unless they look like walls.
fn start(review: &Review) {
    let drawing = match review.keys.start.as_ref().map(|start| (start.get_ref(), start.span())) {
        Some((Start::Drawing(text), span)) => Spanned::new(span, text.clone()),
        Some((Start::Table(table), _)) => match drawing_of(table) {
            Some(drawing) => drawing,
            None => return,
        },
        None => return,
    };
    let Ok(drawing) = Drawing::of_characters(&drawing, review.context.source) else { return };
    let mut mentioned: FxHashSet<char> = texts(review).iter().flat_map(|text| text.chars()).collect();
    mentioned.extend(review.keys.sets.iter().flat_map(|(_, symbols)| symbols.get_ref().chars()));
    // A symbol that turns is drawn as any of its ring.
    for ring in review.keys.arrows.iter().flat_map(|rings| &rings.get_ref().0) {
        if ring.get_ref().chars().any(|symbol| mentioned.contains(&symbol)) {
            mentioned.extend(ring.get_ref().chars());
        }
    }
    let mut terms: FxHashSet<&Term> = FxHashSet::default();
    for (_, entries) in &review.model.world.maps {
        terms.extend(entries.iter().flat_map(|(from, to)| [from, to]));
    }
    for (_, rule) in review.rules() {
        terms.extend(rule.parameters.iter().flat_map(|(_, choices)| choices));
    }
    for written in review.expressions() {
        visit(&written.expr, &mut |part| {
            if let Kind::Term(term) = &part.kind {
                terms.insert(term);
            }
        });
    }
    if computes_with_cells(review) {
        return;
    }
    let mut seen = FxHashSet::default();
    for (_, _, cell) in drawing.cells() {
        let Some(symbol) = cell.text.chars().next().filter(|symbol| seen.insert(*symbol)) else { continue };
        let Some(value) = review.model.symbol(symbol) else { continue };
        let is_mentioned = mentioned.contains(&symbol) || review.term(value).is_some_and(|term| terms.contains(term));
        let is_plain = PLAIN.contains(&symbol) || review.model.looks.contains_key(&symbol.to_string());
        if is_mentioned || is_plain || moves(review, value) {
            continue;
        }
        let warning = Diagnostic::at(cell.span(), format!("no rule and no goal uses `{symbol}`"));
        let help = format!("if it is a wall, add: shapes = {{ {} = \"wall\" }}", key(symbol));
        review.warn(warning.label("it never changes, and nothing refers to it").help(help));
    }
}

/// Returns whether an expression reads a cell for more than a comparison with one symbol or a list of them: any symbol
/// may be meant.
fn computes_with_cells(review: &Review) -> bool {
    let world = &review.model.world;
    let is_cell = |expr: &Expr| match &expr.kind {
        Kind::Variable(var) => *var < world.cells(),
        Kind::ElementOf(array, _) => world.arrays[*array].name == GRID,
        _ => false,
    };
    let is_named = |expr: &Expr| matches!(expr.kind, Kind::Term(_));
    let (mut read, mut compared) = (0, 0);
    for written in review.expressions() {
        visit(&written.expr, &mut |part| {
            read += usize::from(is_cell(part));
            compared += usize::from(match &part.kind {
                Kind::Binary(Operation::Equal | Operation::Unequal, one, other) => {
                    is_cell(one) && is_named(other) || is_named(one) && is_cell(other)
                }
                Kind::Within(one, list) => is_cell(one) && matches!(&**list, Collection::List(_)),
                _ => false,
            });
        });
    }
    read > compared
}

/// Returns whether a cell that changes can hold a symbol.
fn moves(review: &Review, value: Value) -> bool {
    review.reached[..review.model.world.cells()].iter().any(|values| values.contains(value) && values.len() > 1)
}

/// Returns a symbol as a TOML key.
fn key(symbol: char) -> String {
    if symbol.is_ascii_alphanumeric() { symbol.to_string() } else { format!("\"{symbol}\"") }
}

/// Warns of colours and shapes that are never visible.
fn looks(review: &Review) {
    let has_grid = review.model.world.rows > 0;
    let of_layouts = names(review.model);
    let warn_if_hidden = |name: &str, span: Range<usize>, what: &str| {
        let symbol = name.chars().next().unwrap_or('?');
        let is_of_items = review.model.world.items_like(name).next().is_some();
        let warning = if is_of_items || of_layouts.iter().any(|known| known == name) {
            return false;
        } else if !has_grid {
            Diagnostic::at(span, format!("the {what} of `{name}` has no effect")).label("the puzzle has no grid")
        } else if !review.is_on_grid(symbol) {
            let label = format!("this {what} has no effect");
            Diagnostic::at(span, format!("`{name}` is never on the grid")).label(label)
        } else {
            return false;
        };
        review.warn(warning);
        true
    };
    let mut colors = Vec::new();
    for (name, color) in review.keys.colors.iter() {
        if !warn_if_hidden(name, color.span(), "colour") {
            colors.push((name, color.span()));
        }
    }
    for (name, shape) in review.keys.shapes.iter() {
        warn_if_hidden(name, shape.span(), "shape");
    }
    for (name, span) in colors {
        let declared = review.keys.shapes.iter().find(|(known, _)| *known == name).map(|(_, shape)| shape.get_ref());
        let is_void = match declared {
            Some(shape) => matches!(shape, ShapeKey::Named(Shape::Ground(Ground::Void))),
            None => name.chars().next().is_some_and(is_void_by_default),
        };
        if is_void {
            let message = format!("the colour of `{name}` has no effect");
            let warning = Diagnostic::at(span, message).label("nothing is drawn there");
            let help = format!("give it another shape: shapes = {{ {} = \"floor\" }}", key_of(name));
            review.warn(warning.help(help));
        }
    }
}

fn key_of(name: &str) -> String {
    name.chars().next().map_or_else(String::new, key)
}
