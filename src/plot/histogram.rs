//! Histograms of counts by depth: bars while they are wide enough, an area if there are more depths than pixels.

use super::axis::linear_ticks;
use super::{Anchor, Chart, MARGIN, text_width, thousands};
use std::fmt::Write as _;

/// A histogram of counts by depth.
pub struct Histogram<'a> {
    /// The title.
    pub title: &'a str,
    /// The line below the title.
    pub subtitle: &'a str,
    /// The unit of depth.
    pub across: &'a str,
    /// The things counted.
    pub up: &'a str,
    /// The counts, indexed by depth.
    pub counts: &'a [u64],
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 520.0;
const TOP: f64 = 100.0;
const BOTTOM: f64 = HEIGHT - 64.0;
/// The least width of a bar, in pixels; narrower bars merge into an area.
const NARROW: f64 = 3.0;
/// The greatest width of a bar, in pixels.
const WIDE: f64 = 48.0;

impl Histogram<'_> {
    /// Returns the chart as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut chart = Chart::new(WIDTH, HEIGHT, self.title, self.subtitle);
        let ticks = linear_ticks(self.counts.iter().copied().max().unwrap_or(0), 8);
        let top_tick = *ticks.last().unwrap_or(&1);
        let left = MARGIN + text_width(&thousands(top_tick)) + 10.0;
        let y = |count: u64| BOTTOM - count as f64 / top_tick as f64 * (BOTTOM - TOP);
        for tick in ticks {
            chart.line("grid", (left, y(tick)), (chart.width - MARGIN, y(tick)));
            chart.text("soft", left - 8.0, y(tick) + 4.5, Anchor::End, &thousands(tick));
        }
        chart.text("strong", MARGIN, TOP - 16.0, Anchor::Start, self.up);
        let band = ((WIDTH - MARGIN - left) / self.counts.len().max(1) as f64).min(WIDE);
        let merged =
            if band >= NARROW { self.bars(&mut chart, left, band, y) } else { self.area(&mut chart, left, band, y) };
        chart.line("axis", (left, BOTTOM), (chart.width - MARGIN, BOTTOM));
        self.depths(&mut chart, left, band);
        let merged = if merged > 1 {
            format!("; {merged} depths share a column, which shows the fullest")
        } else {
            String::new()
        };
        chart.text(
            "strong",
            (left + chart.width - MARGIN) / 2.0,
            BOTTOM + 44.0,
            Anchor::Middle,
            &format!("{}{merged}", self.across),
        );
        chart.finish()
    }

    fn bars(&self, chart: &mut Chart, left: f64, band: f64, y: impl Fn(u64) -> f64) -> usize {
        let gap = if band >= 8.0 { 2.0 } else { 0.5 };
        for (depth, &count) in self.counts.iter().enumerate() {
            // Every positive count is visible.
            let height = if count > 0 { (BOTTOM - y(count)).max(1.0) } else { 0.0 };
            let about = format!("{depth}: {}", thousands(count));
            chart.rectangle("full", (left + depth as f64 * band, BOTTOM - height), (band - gap, height), &about);
        }
        1
    }

    /// Returns the number of depths that share a column.
    fn area(&self, chart: &mut Chart, left: f64, band: f64, y: impl Fn(u64) -> f64) -> usize {
        let merged = (1.0 / band).ceil().max(1.0) as usize;
        let mut path = format!("M{left:.1} {BOTTOM:.1}");
        for (column, counts) in self.counts.chunks(merged).enumerate() {
            let height = counts.iter().copied().max().map_or(BOTTOM, &y);
            let end = left + ((column + 1) * merged).min(self.counts.len()) as f64 * band;
            let _ = write!(path, "V{height:.1}H{end:.1}");
        }
        chart.svg.empty("path", &[("class", &"full"), ("d", &format_args!("{path}V{BOTTOM:.1}Z"))]).line();
        merged
    }

    /// Draws the ticks of the depth axis.
    fn depths(&self, chart: &mut Chart, left: f64, band: f64) {
        let deepest = self.counts.len().saturating_sub(1) as u64;
        let most = (band * self.counts.len() as f64 / (text_width(&thousands(deepest)) + 18.0)) as usize + 1;
        for depth in linear_ticks(deepest, most).into_iter().filter(|depth| *depth <= deepest) {
            let x = left + (depth as f64 + 0.5) * band;
            chart.line("axis", (x, BOTTOM), (x, BOTTOM + 4.0));
            chart.text("soft", x, BOTTOM + 19.0, Anchor::Middle, &thousands(depth));
        }
    }
}
