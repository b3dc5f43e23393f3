//! Text in pictures: what of it fits.

use unicode_width::UnicodeWidthStr;

/// What text is written in: the reader's own, where there is one; the embedded one, where pixels are made.
pub(super) const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

/// How wide a character is in parts of its height, no less than in any of the fonts.
const WIDTH: f64 = 0.64;

/// How wide a text is, in characters of usual width.
pub(super) fn columns(text: &str) -> f64 {
    (text.width() as f64).max(1.0)
}

/// The size, at most the one that is wished for, in which a text is no wider than this.
pub(super) fn size(text: &str, wished: f64, width: f64) -> f64 {
    wished.min(width / (columns(text) * WIDTH))
}

/// As much of a text as fits, with dots where it is cut.
pub(super) fn fit(text: &str, size: f64, width: f64) -> String {
    let most = (width / (size * WIDTH)).max(1.0) as usize;
    if text.width() <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    for letter in text.chars() {
        if out.width() + 1 >= most {
            break;
        }
        out.push(letter);
    }
    out.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_made_smaller_or_cut() {
        assert!(size("twenty characters xx", 16.0, 100.0) < 16.0);
        let cut = fit("twenty characters xx", 16.0, 100.0);
        assert!(cut.ends_with('…') && cut.width() <= 10, "{cut}");
        assert_eq!(fit("", 16.0, 0.0), "");
    }
}
