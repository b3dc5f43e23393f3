//! Horizontal bar charts: one row for each search compared, one panel for each number. Numbers of searches differ by
//! powers of ten, so the axis is logarithmic.

use super::axis::LogAxis;
use super::svg::Attribute;
use super::{Anchor, Chart, MARGIN, text_width};

/// A bar chart of several panels side by side.
pub struct BarChart<'a> {
    /// The title.
    pub title: &'a str,
    /// The line below the title.
    pub subtitle: &'a str,
    /// The things compared, from top to bottom.
    pub rows: Vec<Row>,
    /// The numbers, side by side.
    pub panels: Vec<Panel>,
    /// The meanings of the tones.
    pub key: Vec<(Tone, &'static str)>,
}

/// A row of the chart; consecutive rows of one group are kept together.
pub struct Row {
    /// The name of a group of rows.
    pub group: String,
    /// The name within the group.
    pub name: String,
}

/// One number of every row.
pub struct Panel {
    /// The name of the number.
    pub heading: &'static str,
    /// The bars, one a row.
    pub bars: Vec<Bar>,
    /// Formats a power of ten on the axis.
    pub tick: fn(i32) -> String,
}

/// A bar for one number.
pub struct Bar {
    /// The number, at least 0.
    pub value: f64,
    /// The number as text.
    pub label: String,
    /// Its look.
    pub tone: Tone,
    /// True if it is the best in its panel.
    pub is_best: bool,
}

/// The look of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// In the full colour.
    Full,
    /// In a lighter colour.
    Half,
    /// Striped.
    Striped,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Full => "full",
            Tone::Half => "half",
            Tone::Striped => "stripes",
        }
    }
}

const ROW: f64 = 24.0;
const BAR: f64 = 16.0;
const GROUP_GAP: f64 = 10.0;
const TOP: f64 = 104.0;
const BELOW: f64 = 72.0;
/// The width of bold text in proportion to plain text.
const STRONG: f64 = 1.15;
/// The length of an axis, in pixels.
const AXIS: f64 = 300.0;
/// The width of the sample and of the gaps beside a text of the key.
const KEY_ROOM: f64 = 54.0;
/// The minimum length of a bar whose number is positive.
const LEAST: f64 = 2.0;

impl BarChart<'_> {
    /// Returns the chart as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let widest = |text: fn(&Row) -> &str| self.rows.iter().map(|row| text_width(text(row))).fold(0.0, f64::max);
        let names = MARGIN + widest(|row| &row.group) * STRONG + 16.0;
        let left = names + widest(|row| &row.name) + 14.0;
        let after = |panel: &Panel| panel.bars.iter().map(|bar| text_width(&bar.label)).fold(40.0, f64::max) + 24.0;
        let width = left + self.panels.iter().map(|panel| AXIS + after(panel)).sum::<f64>() + MARGIN;
        let key: f64 = self.key.iter().map(|(_, meaning)| text_width(meaning) + KEY_ROOM).sum();
        let width = width.max(2.0 * MARGIN + key).max(640.0);
        let tops = self.tops();
        let bottom = tops.last().map_or(TOP, |top| top + ROW);
        let mut chart = Chart::new(width, bottom + BELOW, self.title, self.subtitle);
        chart.stripes();
        let mut group = None;
        for (row, top) in self.rows.iter().zip(&tops) {
            let baseline = top + BAR - 3.0;
            if group != Some(&row.group) {
                chart.text("strong", MARGIN, baseline, Anchor::Start, &row.group);
                group = Some(&row.group);
            }
            chart.text("", names, baseline, Anchor::Start, &row.name);
        }
        let mut x = left;
        for panel in &self.panels {
            self.panel(&mut chart, panel, x, &tops, bottom);
            x += AXIS + after(panel);
        }
        self.key(&mut chart, bottom + BELOW - 18.0);
        chart.finish()
    }

    /// Returns the top of each row.
    fn tops(&self) -> Vec<f64> {
        let mut next = TOP;
        let mut tops: Vec<f64> = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 && self.rows[number - 1].group != row.group {
                next += GROUP_GAP;
            }
            tops.push(next);
            next += ROW;
        }
        tops
    }

    fn panel(&self, chart: &mut Chart, panel: &Panel, left: f64, tops: &[f64], bottom: f64) {
        let axis = LogAxis::over(panel.bars.iter().map(|bar| bar.value));
        chart.text("strong", left, TOP - 18.0, Anchor::Start, panel.heading);
        let widest = text_width(&(panel.tick)(axis.greatest)).max(text_width(&(panel.tick)(axis.least)));
        for power in axis.ticks((AXIS / (widest + 16.0)) as usize + 1) {
            let x = left + axis.place(10_f64.powi(power)) * AXIS;
            chart.line("grid", (x, TOP - 8.0), (x, bottom));
            chart.text("soft", x, bottom + 16.0, Anchor::Middle, &(panel.tick)(power));
        }
        chart.line("axis", (left, TOP - 8.0), (left, bottom));
        for ((bar, top), row) in panel.bars.iter().zip(tops).zip(&self.rows) {
            let length = if bar.value > 0.0 { (axis.place(bar.value) * AXIS).max(LEAST) } else { 0.0 };
            let about = format!("{} {}: {}", row.group, row.name, bar.label);
            chart.rectangle(bar.tone.class(), (left, *top), (length, BAR), &about);
            let class = if bar.is_best { "strong" } else { "" };
            chart.text(class, left + length + 6.0, top + BAR - 3.0, Anchor::Start, &bar.label);
        }
    }

    fn key(&self, chart: &mut Chart, y: f64) {
        let mut x = MARGIN;
        for (tone, meaning) in &self.key {
            chart.rectangle(tone.class(), (x, y - 11.0), (22.0, 13.0), meaning);
            chart.text("soft", x + 30.0, y, Anchor::Start, meaning);
            x += text_width(meaning) + KEY_ROOM;
        }
    }
}

impl Chart {
    /// Defines the pattern of the tone [`Tone::Striped`].
    fn stripes(&mut self) {
        let pattern: [Attribute; 5] = [
            ("id", &"stripes"),
            ("width", &6),
            ("height", &6),
            ("patternUnits", &"userSpaceOnUse"),
            ("patternTransform", &"rotate(45)"),
        ];
        let stripe: [Attribute; 5] = [("class", &"stripe"), ("x1", &0), ("y1", &0), ("x2", &0), ("y2", &6)];
        self.svg.open("defs", &[]).open("pattern", &pattern).empty("line", &stripe);
        self.svg.close("pattern").close("defs").line();
    }
}
