//! The characters that may be symbols.

use crate::diagnostic::{Diagnostic, printable, steers};
use crate::model::Model;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Returns the character of a text that has exactly one.
pub(super) fn only_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns whether a character cannot be seen in a cell of its own: white space, what steers a terminal, and all
/// without width, such as U+200B and combining marks.
pub(super) fn is_invisible(character: char) -> bool {
    // The fillers of Hangul and the empty pattern of Braille have a width, but no ink.
    let is_blank = matches!(character, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{ad}');
    steers(character) || character.is_whitespace() || is_blank || character.width().unwrap_or(0) == 0
}

/// Returns the error about an invisible character. It names the code point, since there is nothing to show.
pub(super) fn invisible(character: char, span: Range<usize>) -> Diagnostic {
    let is_combining = matches!(character,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}');
    let label = if is_combining {
        "each character is a cell: this one and the letter before it are not one symbol"
    } else {
        "expected a character that can be seen"
    };
    Diagnostic::at(span, format!("U+{:04X} is an invisible character", u32::from(character))).label(label)
}

/// Returns what a character is reserved for, if it cannot be a symbol.
pub(super) fn taken(symbol: char, model: &Model) -> Option<&'static str> {
    if symbol == '?' {
        Some("the wildcard for any symbol")
    } else if model.world.sets.iter().any(|set| set.letter == symbol) {
        Some("the letter of a set")
    } else if model.world.maps.iter().any(|(name, _)| only_character(name) == Some(symbol)) {
        Some("the name of a map")
    } else if symbol == '\'' || symbol == '"' {
        Some("a quotation mark")
    } else if is_invisible(symbol) {
        Some("an invisible character")
    } else {
        None
    }
}

/// Returns the error about a character that cannot be a symbol of the grid or of a set; `label` says what it cannot be.
/// It may be the name of a map: then it is the map in `to`, and the symbol elsewhere.
pub(super) fn refusal_but_for_maps(symbol: char, span: Range<usize>, label: &str, model: &Model) -> Option<Diagnostic> {
    let is_map = model.world.maps.iter().any(|(name, _)| only_character(name) == Some(symbol));
    let is_set = model.world.sets.iter().any(|set| set.letter == symbol);
    refusal(symbol, span, label, model).filter(|_| !is_map || is_set)
}

/// Returns the error about a character that cannot be a symbol; `label` says what it cannot be.
pub(super) fn refusal(symbol: char, span: Range<usize>, label: &str, model: &Model) -> Option<Diagnostic> {
    if is_invisible(symbol) {
        return Some(invisible(symbol, span));
    }
    let taken = taken(symbol, model)?;
    let message = format!("`{}` is {taken}", printable(symbol.encode_utf8(&mut [0; 4])));
    Some(Diagnostic::at(span, message).label(label))
}
