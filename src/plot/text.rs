//! Text for people in charts, pictures and tables: its width, shortening to fit, numbers in groups of digits.

use std::fmt::Display;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The end of a text to keep when the text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Start,
    End,
}

/// Returns a text, cut with `…` if it is wider than a number of columns.
pub(crate) fn fit(text: &str, columns: usize, keep: Keep) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |(_, letter): &(usize, char)| {
        let rest = left.checked_sub(letter.width().unwrap_or(0));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let letters = text.char_indices();
    match keep {
        Keep::Start => {
            let end = letters.take_while(fits).last().map_or(0, |(at, letter)| at + letter.len_utf8());
            text[..end].trim_end().to_owned() + "…"
        }
        Keep::End => {
            let start = letters.rev().take_while(fits).last().map_or(text.len(), |(at, _)| at);
            "…".to_owned() + text[start..].trim_start()
        }
    }
}

/// A line of words.
pub(crate) struct Row {
    pub text: String,
    pub words: usize,
}

/// Breaks words into lines of at most `columns` columns; a longer word is cut.
pub(crate) fn wrap<'a>(
    words: impl Iterator<Item = &'a str>,
    separator: &str,
    columns: usize,
) -> impl Iterator<Item = Row> {
    let mut words = words.peekable();
    std::iter::from_fn(move || {
        let mut text = fit(words.next()?, columns, Keep::Start);
        let mut number = 1;
        let mut room = columns.saturating_sub(text.width());
        while let Some(word) = words.next_if(|word| separator.width() + word.width() <= room) {
            room -= separator.width() + word.width();
            text = text + separator + word;
            number += 1;
        }
        Some(Row { text, words: number })
    })
}

/// Formats a whole number with a comma between groups of three digits: `1,234,567`.
#[must_use]
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Formats a number of things: `1 state`, `1,234 states`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_counted() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!([0, 999, 1000].map(thousands), ["0", "999", "1,000"]);
        assert_eq!([0, 1, 1000].map(|number| counted(number, "move")), ["0 moves", "1 move", "1,000 moves"]);
    }

    #[test]
    fn a_text_that_is_too_wide_is_cut_at_one_end() {
        let start = |text, columns| fit(text, columns, Keep::Start);
        assert_eq!(start("a longer title", 8), "a longe…");
        assert_eq!(start("a longer title", 9), "a longer…");
        assert_eq!(start("a longer title", 3), "a…", "no space before the mark");
        assert_eq!(start("漢字漢字", 6), "漢字…", "wide characters take two columns");
        assert_eq!((start("fits", 4), start("", 0)), ("fits".to_owned(), String::new()));
        assert_eq!(fit("a/longer/path", 6, Keep::End), "…/path");
        assert_eq!(fit("漢字漢字", 6, Keep::End), "…漢字");
        assert_eq!(fit("path", 0, Keep::End), "…");
    }
}
