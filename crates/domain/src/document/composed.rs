//! Composed and decomposed letters: `é` as one character, and as an `e` with a combining accent, are the same letter.
//!
//! Texts are compared in the normalization form NFC of Unicode (UAX 15), in which letters are composed. What differs is
//! remembered, so that places in the normalised text are found in the text as it is written.

use std::ops::Range;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A text in the form NFC, which differs from the text as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Composed {
    text: String,
    /// The parts that differ, in their order.
    changes: Vec<Change>,
}

/// A part of a text that normalization changed: its bytes in the normalised and in the written text.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    composed: Range<usize>,
    written: Range<usize>,
}

/// The note that letters of a text were composed.
pub const COMPOSED: &str = "a letter with a combining mark is read as one letter (Unicode NFC)";

/// Returns a text in the form NFC, or `None` if it is in that form.
#[must_use]
pub fn composed(written: &str) -> Option<Composed> {
    if written.is_ascii() || is_nfc_quick(written.chars()) == IsNormalized::Yes {
        return None;
    }
    let mut composed = Composed { text: String::with_capacity(written.len()), changes: Vec::new() };
    let mut start = 0;
    let starts = written.char_indices().filter(|&(_, c)| stands_alone(c)).map(|(at, _)| at);
    for end in starts.chain([written.len()]).filter(|&end| end > 0) {
        let (part, from) = (&written[start..end], composed.text.len());
        composed.text.extend(part.nfc());
        if composed.text[from..] != *part {
            composed.changes.push(Change { composed: from..composed.text.len(), written: start..end });
        }
        start = end;
    }
    (!composed.changes.is_empty()).then_some(composed)
}

/// Returns whether a character never combines with those before it.
fn stands_alone(c: char) -> bool {
    c.is_ascii() || canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) != IsNormalized::Maybe
}

impl Composed {
    /// Returns the normalised text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bytes of the written text that a range of the normalised text stands for.
    #[must_use]
    pub fn written(&self, composed: Range<usize>) -> Range<usize> {
        // The last change that begins before a place, or at it.
        let before = |at: usize| {
            let count = self.changes.partition_point(|change| change.composed.start <= at);
            self.changes[..count].last()
        };
        let place = |at: usize, is_end: bool| match before(at) {
            None => at,
            Some(change) if at >= change.composed.end => change.written.end + (at - change.composed.end),
            Some(change) if is_end && at > change.composed.start => change.written.end,
            Some(change) => change.written.start,
        };
        let start = place(composed.start, false);
        start..place(composed.end, true).max(start)
    }

    /// Returns the bytes of the first part of the normalised text that differs.
    #[must_use]
    pub fn first(&self) -> Range<usize> {
        self.changes.first().map_or(0..0, |change| change.composed.clone())
    }

    /// Returns the number of parts that differ.
    #[must_use]
    pub fn count(&self) -> usize {
        self.changes.len()
    }
}

/// Returns a text in the form NFC.
#[must_use]
pub fn into_composed(written: String) -> String {
    composed(&written).map_or(written, |composed| composed.text)
}

/// Returns a text in the form NFD, in which letters are decomposed: some systems name files so.
#[must_use]
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_composed_and_their_places_are_kept() {
        let written = "a = \"e\u{301}\"\nb = \"\u{1100}\u{1161}\" # o\u{308}\u{304}x";
        let composed = composed(written).expect("three letters are decomposed");
        assert_eq!(composed.text(), "a = \"é\"\nb = \"가\" # \u{22b}x");
        assert_eq!((composed.count(), &composed.text()[composed.first()]), (3, "é"));
        for (part, place) in [("é", "e\u{301}"), ("\nb", "\nb"), ("가", "\u{1100}\u{1161}"), ("x", "x"), ("a =", "a =")]
        {
            let at = composed.text().find(part).expect(part);
            assert_eq!(&written[composed.written(at..at + part.len())], place);
        }
        assert_eq!(composed.written(0..composed.text().len()), 0..written.len());
    }

    #[test]
    fn a_text_without_decomposed_letters_stays() {
        for text in ["", "abc", "é가😀", "\u{301}", "x\u{33f}"] {
            assert_eq!(composed(text), None, "{text}");
        }
        assert_eq!(into_composed("e\u{301}".to_owned()), "é");
        assert_eq!(decomposed("é"), "e\u{301}");
    }
}
