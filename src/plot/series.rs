//! Charts of several series of numbers: lines or points on two axes, and boxes along one. Each series has a colour, a
//! mark and a dash pattern of its own, so no information depends on colour alone.

use super::axis::{LogAxis, linear_ticks};
use super::svg::Attribute;
use super::{Anchor, Chart, MARGIN, text_width, thousands};
use std::fmt::Write as _;

/// A chart of points on two axes.
pub struct XyChart<'a> {
    /// The title.
    pub title: &'a str,
    /// The line below the title.
    pub subtitle: &'a str,
    /// The horizontal axis.
    pub across: Axis<'a>,
    /// The vertical axis.
    pub up: Axis<'a>,
    /// The series, in the order of the key.
    pub series: Vec<Series>,
    /// True to connect the points of a series.
    pub is_connected: bool,
    /// True to draw the line on which both numbers are equal.
    pub has_diagonal: bool,
}

/// An axis.
pub struct Axis<'a> {
    /// The numbers along it.
    pub name: &'a str,
    /// Formats a power of ten on a logarithmic axis; `None` if the axis is linear, from 0 and of whole numbers.
    pub power: Option<fn(i32) -> String>,
}

/// A series of points.
pub struct Series {
    /// The name; empty if the key has no line for it.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// A chart of boxes: for each row the least, the quartiles and the greatest of some numbers, on a logarithmic axis.
pub struct BoxChart<'a> {
    /// The title.
    pub title: &'a str,
    /// The line below the title.
    pub subtitle: &'a str,
    /// The numbers along the axis.
    pub across: &'a str,
    /// Formats a power of ten on the axis.
    pub power: fn(i32) -> String,
    /// The rows: a name, and the numbers.
    pub rows: Vec<(String, Vec<f64>)>,
}

/// The colours of series, light and dark, distinguishable with colour blindness (Okabe and Ito 2008).
const STYLE: &str = "\
.s0{stroke:#0072b2;fill:#0072b2}.s1{stroke:#d55e00;fill:#d55e00}.s2{stroke:#009e73;fill:#009e73}\
.s3{stroke:#cc79a7;fill:#cc79a7}.s4{stroke:#b07d00;fill:#b07d00}.s5{stroke:#3a9bd1;fill:#3a9bd1}\
.s6{stroke:#57606a;fill:#57606a}.curve{fill:none;stroke-width:2}.hollow{fill:none;stroke-width:1.5}\
@media(prefers-color-scheme:dark){.s0{stroke:#58a6ff;fill:#58a6ff}.s6{stroke:#9da7b3;fill:#9da7b3}.curve,.hollow{fill:none}}";
const COLOURS: usize = 7;
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "9 3 2 3"];

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 560.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = HEIGHT - 64.0;
/// The height of a line of the key.
const KEY_LINE: f64 = 22.0;
/// The radius of a mark.
const MARK: f64 = 4.0;
/// The height of a row of boxes, and of a box.
const ROW: f64 = 34.0;
const BOX: f64 = 18.0;

/// An axis with its place on the chart.
struct Scale {
    ticks: Vec<(f64, String)>,
    log: Option<LogAxis>,
    greatest: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Creates the scale of an axis from the pixel `from` to the pixel `to`, with at most `most` ticks.
    fn new(axis: &Axis, numbers: impl Iterator<Item = f64> + Clone, from: f64, to: f64, most: usize) -> Scale {
        if let Some(power) = axis.power {
            let log = LogAxis::over(numbers);
            let ticks = log.ticks(most).into_iter().map(|tick| (10_f64.powi(tick), power(tick))).collect();
            return Scale { ticks, log: Some(log), greatest: 0.0, from, to };
        }
        let ticks = linear_ticks(numbers.fold(0.0, f64::max).ceil() as u64, most);
        let greatest = ticks.last().map_or(1.0, |&last| last as f64);
        let ticks = ticks.into_iter().map(|tick| (tick as f64, thousands(tick))).collect();
        Scale { ticks, log: None, greatest, from, to }
    }

    fn place(&self, number: f64) -> f64 {
        let along = self.log.map_or(number / self.greatest, |log| log.place(number));
        self.from + along * (self.to - self.from)
    }
}

impl XyChart<'_> {
    /// Returns the chart as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let keyed = || self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        let room = 34.0 + keyed().map(|(_, series)| text_width(&series.name)).fold(0.0, f64::max);
        // A key of many lines makes the chart higher.
        let bottom = BOTTOM.max(TOP + keyed().count() as f64 * KEY_LINE);
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let up = Scale::new(&self.up, points().map(|point| point.1), bottom, TOP, 9);
        let left = MARGIN + up.ticks.iter().map(|(_, text)| text_width(text)).fold(0.0, f64::max) + 12.0;
        let right = (WIDTH - MARGIN - room).max(left + 320.0);
        let mut chart = Chart::new(right + room + MARGIN, bottom + 64.0, self.title, self.subtitle);
        chart.svg.open("style", &[]).raw(STYLE).close("style").line();
        let across = Scale::new(&self.across, points().map(|point| point.0), left + 8.0, right, 11);
        for (number, text) in &up.ticks {
            let y = up.place(*number);
            chart.line("grid", (left, y), (right, y));
            chart.text("soft", left - 8.0, y + 4.5, Anchor::End, text);
        }
        for (number, text) in &across.ticks {
            let x = across.place(*number);
            chart.line("axis", (x, bottom), (x, bottom + 4.0));
            chart.text("soft", x, bottom + 19.0, Anchor::Middle, text);
        }
        chart.line("axis", (left, bottom), (right, bottom));
        chart.text("strong", MARGIN, TOP - 16.0, Anchor::Start, self.up.name);
        chart.text("strong", f64::midpoint(left, right), bottom + 44.0, Anchor::Middle, self.across.name);
        if self.has_diagonal {
            let ends =
                |scale: &Scale| scale.ticks.first().zip(scale.ticks.last()).map(|(first, last)| (first.0, last.0));
            if let (Some(one), Some(other)) = (ends(&across), ends(&up)) {
                let (least, greatest) = (one.0.max(other.0), one.1.min(other.1));
                let at = |number| (across.place(number), up.place(number));
                chart.line("axis", at(least), at(greatest));
            }
        }
        for (number, series) in self.series.iter().enumerate() {
            let points = series.points.iter().map(|&(x, y)| (across.place(x), up.place(y)));
            let points: Vec<(f64, f64)> = points.collect();
            if self.is_connected {
                chart.curve(number, &points);
            }
            for (at, (x, y)) in points.into_iter().zip(&series.points) {
                let about = format!("{}: {}, {}", series.name, plain(*x), plain(*y));
                chart.mark(number, at, &about);
            }
        }
        for (row, (number, series)) in keyed().enumerate() {
            let y = TOP + row as f64 * KEY_LINE;
            if self.is_connected {
                chart.curve(number, &[(right + 14.0, y), (right + 34.0, y)]);
            }
            chart.mark(number, (right + 24.0, y), &series.name);
            chart.text("", right + 42.0, y + 4.5, Anchor::Start, &series.name);
        }
        chart.finish()
    }
}

/// Formats a number for the label that appears under the pointer.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 { thousands(number) } else { format!("{number:.3}") }
}

impl BoxChart<'_> {
    /// Returns the chart as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let names = self.rows.iter().map(|(name, _)| text_width(name)).fold(0.0, f64::max);
        let left = MARGIN + names + 16.0;
        let right = (WIDTH - MARGIN - 20.0).max(left + 320.0);
        let bottom = TOP + self.rows.len() as f64 * ROW;
        let mut chart = Chart::new(right + MARGIN + 20.0, bottom + 64.0, self.title, self.subtitle);
        let axis = Axis { name: self.across, power: Some(self.power) };
        let numbers = self.rows.iter().flat_map(|(_, numbers)| numbers.iter().copied());
        let scale = Scale::new(&axis, numbers, left, right, 9);
        for (number, text) in &scale.ticks {
            let x = scale.place(*number);
            chart.line("grid", (x, TOP - 8.0), (x, bottom));
            chart.text("soft", x, bottom + 16.0, Anchor::Middle, text);
        }
        chart.line("axis", (left, TOP - 8.0), (left, bottom));
        chart.text("strong", f64::midpoint(left, right), bottom + 44.0, Anchor::Middle, self.across);
        for (row, (name, numbers)) in self.rows.iter().enumerate() {
            let middle = (row as f64 + 0.5).mul_add(ROW, TOP);
            chart.text("", MARGIN, middle + 4.5, Anchor::Start, name);
            let Some(numbers) = five_numbers(numbers) else { continue };
            let [least, low, median, high, most] = numbers.map(|number| scale.place(number));
            chart.line("axis", (least, middle), (most, middle));
            for end in [least, most] {
                chart.line("axis", (end, middle - BOX / 4.0), (end, middle + BOX / 4.0));
            }
            let [one, two, three, four, five] = numbers.map(plain);
            let about = format!("{name}: least {one}, quartiles {two}, {three} and {four}, greatest {five}");
            chart.rectangle("half", (low, middle - BOX / 2.0), ((high - low).max(2.0), BOX), &about);
            chart.rectangle("full", (median - 1.5, middle - BOX / 2.0), (3.0, BOX), &about);
        }
        chart.finish()
    }
}

/// Returns the least, the quartiles and the greatest of some numbers; quartiles between two numbers are interpolated.
fn five_numbers(numbers: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(|part| {
        let at = part * last as f64;
        let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
        (above - below).mul_add(at.fract(), below)
    }))
}

impl Chart {
    /// Draws a line through some points in the style of a series.
    fn curve(&mut self, series: usize, points: &[(f64, f64)]) {
        let mut path = String::new();
        for (number, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { "M" } else { "L" });
        }
        let class = format!("s{} curve", series % COLOURS);
        let dash = DASHES[series / COLOURS % DASHES.len()];
        let all: [Attribute; 3] = [("class", &class), ("stroke-dasharray", &dash), ("d", &path)];
        // A single point has no line.
        if points.len() > 1 {
            self.svg.empty("path", &all).line();
        }
    }

    /// Draws the mark of a series; `about` appears when the reader points at it.
    fn mark(&mut self, series: usize, (x, y): (f64, f64), about: &str) {
        let (class, m) = (format!("s{}", series % COLOURS), MARK);
        let hollow = format!("{class} hollow");
        let path = |d: String| ("d", d);
        let (class, (name, shape)) = match series % 6 {
            0 => (
                &class,
                path(format!("M{:.1} {y:.1}a{m} {m} 0 1 0 {} 0a{m} {m} 0 1 0 {} 0Z", x - m, 2.0 * m, -2.0 * m)),
            ),
            1 => (&class, path(format!("M{:.1} {:.1}h{}v{}h{}Z", x - m, y - m, 2.0 * m, 2.0 * m, -2.0 * m))),
            2 => (&class, path(format!("M{x:.1} {:.1}l{m} {}h{}Z", y - m, 2.0 * m, -2.0 * m))),
            3 => (&class, path(format!("M{x:.1} {:.1}l{m} {m}l-{m} {m}l-{m} -{m}Z", y - m))),
            4 => (
                &hollow,
                path(format!(
                    "M{:.1} {:.1}l{} {}m0 {}l{} {}",
                    x - m,
                    y - m,
                    2.0 * m,
                    2.0 * m,
                    -2.0 * m,
                    -2.0 * m,
                    2.0 * m
                )),
            ),
            _ => (&hollow, path(format!("M{:.1} {:.1}h{}v{}h{}Z", x - m, y - m, 2.0 * m, 2.0 * m, -2.0 * m))),
        };
        self.svg.open("path", &[("class", class), (name, &shape)]);
        self.svg.open("title", &[]).text(about).close("title").close("path").line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_numbers() {
        assert_eq!(five_numbers(&[4.0, 1.0, 3.0, 2.0]), Some([1.0, 1.75, 2.5, 3.25, 4.0]));
        assert_eq!(five_numbers(&[7.0]), Some([7.0; 5]));
        assert_eq!(five_numbers(&[]), None);
    }
}
