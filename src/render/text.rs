//! Text in pictures: the fonts, and the size at which a text fits.

use crate::plot::text::{Keep, Row, fit, wrap};
use unicode_width::UnicodeWidthStr;

/// The fonts: the reader's system font if there is one; the embedded font in pixel formats.
pub(super) const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

/// The width of a character as a fraction of its height; no less than in any of the fonts.
const WIDTH: f64 = 0.64;

/// Returns the width of a text of a size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.width() as f64 * WIDTH * size
}

/// Returns the greatest size, at most `wished`, at which a text is no wider than `width`.
pub(super) fn size(text: &str, wished: f64, width: f64) -> f64 {
    wished.min(width / ((text.width() as f64).max(1.0) * WIDTH))
}

/// Returns as much of a text as fits, with an ellipsis where it is cut.
pub(super) fn fitting(text: &str, size: f64, width: f64) -> String {
    // A size that `size` returns fits exactly, up to rounding.
    fit(text, (width / (size * WIDTH) + 1e-6).max(1.0) as usize, Keep::Start)
}

/// Breaks a text of a size into at most `most` lines no wider than `width`; the last one ends in an ellipsis if there is
/// more.
pub(super) fn lines(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let columns = (width / (size * WIDTH) + 1e-6).max(1.0) as usize;
    let mut rows = wrap(text.split_whitespace(), " ", columns);
    let mut lines: Vec<String> = rows.by_ref().take(most).map(|Row { text, .. }| text).collect();
    if let (Some(last), Some(next)) = (lines.last_mut(), rows.next()) {
        *last = fit(&format!("{last} {}", next.text), columns, Keep::Start);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_made_smaller_or_cut() {
        assert!(size("twenty characters xx", 16.0, 100.0) < 16.0);
        let cut = fitting("twenty characters xx", 16.0, 100.0);
        assert!(cut.ends_with('…') && cut.width() <= 10, "{cut}");
        assert_eq!(fitting("", 16.0, 0.0), "");
        for letters in 1..200 {
            let text = "x".repeat(letters);
            assert_eq!(fitting(&text, size(&text, 18.0, 123.4), 123.4), text, "what was made to fit is not cut");
        }
    }

    #[test]
    fn a_text_is_broken_into_lines_that_fit() {
        let text = "the other pieces may be anywhere";
        assert_eq!(lines(text, 10.0, 64.0, 9), ["the other", "pieces may", "be", "anywhere"]);
        assert_eq!(lines(text, 10.0, 64.0, 2), ["the other", "pieces ma…"]);
        assert_eq!(lines(text, 10.0, 64.0, 4).len(), 4, "nothing is left out");
        assert_eq!(lines("abcdefghijklm", 10.0, 64.0, 2), ["abcdefghi…"]);
        assert!(lines("", 10.0, 64.0, 2).is_empty());
    }
}
