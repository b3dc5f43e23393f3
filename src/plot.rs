//! Charts as SVG: states by depth, the effort of searches compared, and series of numbers.
//!
//! A chart is one file that needs no other: text stays text in the reader's font, colours follow the reader's choice of
//! light or dark, and equal numbers give equal bytes. Patterns repeat what colours express, so no information depends
//! on colour alone.

mod axis;
mod bars;
mod histogram;
mod series;
pub(crate) mod svg;
pub(crate) mod text;

pub use bars::{Bar, BarChart, Panel, Row, Tone};
pub use histogram::Histogram;
pub use series::{Axis, BoxChart, Series, XyChart};
pub use text::thousands;

use std::fmt::Display;
use svg::Svg;
use text::{Keep, fit};
use unicode_width::UnicodeWidthStr;

/// The width of a character of the small text, in pixels: an upper bound on the average in any of the fonts.
const CHARACTER: f64 = 8.0;
/// The width of a character of a title.
const TITLE_CHARACTER: f64 = 12.4;

/// The sizes of text and of titles, and the colour of text, as the style sheet has them.
pub(crate) const TEXT_SIZE: f32 = 13.0;
pub(crate) const TITLE_SIZE: f32 = 19.0;
pub(crate) const INK: &str = "#1f2328";

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

/// A chart under construction.
struct Chart {
    svg: Svg,
    width: f64,
    /// True if the chart is in a group, which lies lower because the lines above it need more room.
    is_lowered: bool,
}

/// The distances between the lines of a title, and of the text below it.
const TITLE_LINE: f64 = 26.0;
const SUBTITLE_LINE: f64 = 19.0;

impl Chart {
    /// Begins a chart with its title and the line below the title, which are broken where they are too long. A page
    /// that is narrower than the chart shows it smaller.
    fn new(width: f64, height: f64, title: &str, subtitle: &str) -> Chart {
        let columns = |character: f64| ((width - 2.0 * MARGIN) / character).max(1.0) as usize;
        let (titles, subtitles) = (broken(title, columns(TITLE_CHARACTER)), broken(subtitle, columns(CHARACTER)));
        let further = |lines: &[String]| lines.len().saturating_sub(1) as f64;
        let down = further(&titles) * TITLE_LINE;
        let lower = down + further(&subtitles) * SUBTITLE_LINE;
        let height = height + lower;
        let mut svg = Svg::default();
        let size = format!("0 0 {width:.0} {height:.0}");
        svg.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("role", &"img"),
                ("width", &format_args!("{width:.0}")),
                ("height", &format_args!("{height:.0}")),
                ("viewBox", &size),
                ("style", &"max-width:100%;height:auto"),
            ],
        );
        svg.line().open("title", &[]).text(title).close("title");
        svg.line().open("desc", &[]).text(subtitle).close("desc");
        svg.line().open("style", &[]).raw(STYLE).close("style");
        svg.line().empty("rect", &[("class", &"page"), ("width", &"100%"), ("height", &"100%")]).line();
        let mut chart = Chart { svg, width, is_lowered: lower > 0.0 };
        for (number, line) in titles.iter().enumerate() {
            chart.text("title", MARGIN, 34.0 + number as f64 * TITLE_LINE, Anchor::Start, line);
        }
        for (number, line) in subtitles.iter().enumerate() {
            chart.text("soft", MARGIN, 56.0 + down + number as f64 * SUBTITLE_LINE, Anchor::Start, line);
        }
        if chart.is_lowered {
            chart.svg.open("g", &[("transform", &format_args!("translate(0 {lower:.0})"))]).line();
        }
        chart
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let (x, y) = (tenths(x), tenths(y));
        let all: [svg::Attribute; 4] = [("class", &class), ("x", &x), ("y", &y), ("text-anchor", &anchor.name())];
        // No class and the anchor `start` are the defaults.
        let from = usize::from(class.is_empty());
        let until = if matches!(anchor, Anchor::Start) { 3 } else { 4 };
        self.svg.open("text", &all[from..until]).text(text).close("text").line();
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(tenths);
        self.svg.empty("line", &[("class", &class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]).line();
    }

    /// Draws a filled rectangle; `about` appears when the reader points at it.
    fn rectangle(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), about: &str) {
        let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(tenths);
        self.svg.open("rect", &[("class", &class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)]);
        self.svg.open("title", &[]).text(about).close("title").close("rect").line();
    }

    fn finish(mut self) -> String {
        if self.is_lowered {
            self.svg.close("g").line();
        }
        self.svg.close("svg").line();
        self.svg.finish()
    }
}

/// Breaks a text into lines of at most this many columns, between its words. Only a word that is too long is cut.
fn broken(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().map(|word| fit(word, columns, Keep::Start)) {
        match lines.last_mut().filter(|line| line.width() + 1 + word.width() <= columns) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word),
        }
    }
    lines
}

/// Formats a length with one digit after the point.
fn tenths(length: f64) -> impl Display {
    format!("{length:.1}")
}

/// The margin at each edge.
const MARGIN: f64 = 24.0;

/// The end of a text that lies at its place.
enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(&self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Returns the width of a text in pixels.
fn text_width(text: &str) -> f64 {
    text.width() as f64 * CHARACTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_broken_between_its_words() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("one", 7), ["one"]);
        assert_eq!(broken("extraordinary luck", 7), ["extrao…", "luck"]);
        assert_eq!(broken("", 7), Vec::<String>::new());
    }

    #[test]
    fn a_chart_grows_with_the_lines_above_it() {
        let chart = |title: &str| Chart::new(300.0, 100.0, title, "few words").finish();
        assert!(chart("short").contains("viewBox=\"0 0 300 100\"") && !chart("short").contains("<g "));
        let long = chart("a title of many words that needs two lines");
        assert!(
            long.contains("viewBox=\"0 0 300 152\"") && long.contains("<g transform=\"translate(0 52)\">"),
            "{long}"
        );
    }
}
