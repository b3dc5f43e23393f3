//! Charts as SVG: states by depth, and what searches took beside each other.
//!
//! A chart is one file that needs no other: text is text in whatever font its reader has, colours follow the reader's
//! choice of light or dark, and the same numbers give the same bytes. What cannot be told from a colour alone is told
//! by a pattern, too.

mod axis;
mod bars;
mod histogram;

pub use bars::{Bar, BarChart, Panel, Row, Tone};
pub use histogram::Histogram;

use crate::diagnostic::escape;
use std::fmt::{Display, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a character of the small text takes at most, on average, in pixels.
const CHARACTER: f64 = 7.2;
/// The same of a title.
const TITLE_CHARACTER: f64 = 12.4;

const STYLE: &str = "\
text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}\
.title{font-size:19px;font-weight:600}\
.strong{font-weight:600}\
.soft{fill:#57606a}\
.page{fill:#ffffff}\
.grid{stroke:#d8dee4;stroke-width:1}\
.axis{stroke:#8c959f;stroke-width:1}\
.full{fill:#2467b3}\
.half{fill:#94bbe6}\
.stripe{stroke:#b35c12;stroke-width:3}\
.stripes{fill:url(#stripes);stroke:#b35c12;stroke-width:1}\
@media(prefers-color-scheme:dark){\
text{fill:#e6edf3}\
.soft{fill:#9da7b3}\
.page{fill:#0d1117}\
.grid{stroke:#2a313a}\
.axis{stroke:#6e7681}\
.full{fill:#58a6ff}\
.half{fill:#28568f}\
.stripe{stroke:#e09a4f}\
.stripes{stroke:#e09a4f}\
}";

/// An SVG file on its way.
struct Svg {
    out: String,
    width: f64,
}

impl Svg {
    /// Begins a chart with its title and what stands below that.
    fn new(width: f64, height: f64, title: &str, subtitle: &str) -> Svg {
        let mut svg = Svg { out: String::new(), width };
        let name = escaped(title);
        let about = escaped(subtitle);
        let _ = write!(
            svg.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{name}</title>\n<desc>{about}</desc>\n<style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
        );
        svg.text("title", MARGIN, 34.0, Anchor::Start, &cut(title, (width - 2.0 * MARGIN) / TITLE_CHARACTER));
        svg.text("soft", MARGIN, 56.0, Anchor::Start, &cut(subtitle, (width - 2.0 * MARGIN) / CHARACTER));
        svg
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.out, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{}</text>", escaped(text));
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ =
            writeln!(self.out, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    /// A filled rectangle, which tells what it stands for when it is pointed at.
    fn rectangle(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), about: &str) {
        let ((x, y), (width, height)) = (corner, size);
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{}</title></rect>",
            escaped(about)
        );
    }

    fn finish(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }
}

/// What is left free at the edges.
const MARGIN: f64 = 24.0;

/// Which end of a text is at its place.
enum Anchor {
    Start,
    Middle,
    End,
}

/// A text as it is written in a chart, with nothing that cannot be seen.
fn escaped(text: &str) -> String {
    escape(&text.replace(char::is_control, " "))
}

/// As much of a text as fits into so many columns.
fn cut(text: &str, columns: f64) -> String {
    let columns = columns.max(1.0) as usize;
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= columns
    };
    text.chars().take_while(fits).collect::<String>() + "…"
}

/// The room that a text takes, in pixels.
fn room(text: &str) -> f64 {
    text.width() as f64 * CHARACTER
}

/// A whole number with its thousands apart: `1,234,567`.
#[must_use]
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_escaped() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!([0, 999, 1000].map(thousands), ["0", "999", "1,000"]);
        assert_eq!(escaped("a<b & \"c\"\u{1b}[2J\u{0}"), "a&lt;b &amp; &quot;c&quot; [2J ");
        assert_eq!(cut("a longer title", 8.0), "a longe…");
        assert_eq!(cut("漢字漢字", 6.0), "漢字…", "wide characters take two columns");
        assert_eq!(cut("fits", 4.0), "fits");
    }
}
