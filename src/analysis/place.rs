//! Places in units of UTF-16: those of scripts in a text, and those of the language server protocol, which are lines from 0
//! and columns from 0.

use crate::diagnostic::SourceText;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Utf16 {
    /// The line, from 0.
    pub line: usize,
    /// The units of UTF-16 before it on its line.
    pub column: usize,
}

/// Returns the units of UTF-16 in a text.
#[must_use]
pub fn units_of(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Returns the byte of a text after this many units of UTF-16. Within a character it is that of the character, beyond
/// the end that end.
#[must_use]
pub fn byte_of(text: &str, units: usize) -> usize {
    let mut left = units;
    let is_beyond = |letter: char| match left.checked_sub(letter.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    text.find(is_beyond).unwrap_or(text.len())
}

/// Returns the place of a byte. Within a character it is that of the character.
#[must_use]
pub fn place_of(text: &SourceText, at: usize) -> Utf16 {
    let at = text.floor_char_boundary(at.min(text.len()));
    let line = text.position(at).line;
    let start = text.line(line).map_or(0, |line| line.start);
    Utf16 { line: line - 1, column: units_of(&text[start..at]) }
}

/// Returns the byte of a place. Beyond the end of its line it is that end, beyond the last line the end of the text.
#[must_use]
pub fn offset_of(text: &SourceText, place: Utf16) -> usize {
    let Some(line) = text.line(place.line.saturating_add(1)) else { return text.len() };
    let content = text[line.clone()].trim_end_matches('\n').trim_end_matches('\r');
    line.start + byte_of(content, place.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16_and_lines_end_before_their_line_end() {
        let text = SourceText::from("aä😀b\r\n\nc");
        let at = |byte| {
            let Utf16 { line, column } = place_of(&text, byte);
            (line, column)
        };
        assert_eq!(
            [0, 1, 3, 7, 8, 10, 11, 99].map(at),
            [(0, 0), (0, 1), (0, 2), (0, 4), (0, 5), (1, 0), (2, 0), (2, 1)]
        );
        let of = |line, column| offset_of(&text, Utf16 { line, column });
        // Column 3 is the second half of the emoji.
        assert_eq!([of(0, 2), of(0, 3), of(0, 4), of(0, 99), of(1, 5), of(2, 0), of(9, 0)], [3, 3, 7, 8, 10, 11, 12]);
        for byte in (0..=text.len()).filter(|byte| text.is_char_boundary(*byte) && *byte != 9) {
            assert_eq!(offset_of(&text, place_of(&text, byte)), byte);
            assert_eq!(byte_of(&text, units_of(&text[..byte])), byte);
        }
    }
}
