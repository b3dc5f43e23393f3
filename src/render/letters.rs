//! Text as paths, for formats in pixels: their renderer draws paths alone, and outlines from one embedded font are the
//! same on every machine.
//!
//! Letters follow one another by their widths and the kerning of their pairs. No text of the program needs more of the
//! font: it has no ligatures, and its letters run from left to right.

use crate::diagnostic::is_hidden;
use crate::plot;
use std::fmt::Write as _;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag};

/// DejaVu Sans: Latin, Greek and Cyrillic letters, digits, arrows and symbols; its licence is in the same folder.
const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");

/// The outlines of letters.
pub(super) struct Letters {
    face: Face<'static>,
    /// The kerning; the first entry that covers a pair decides.
    pairs: Vec<PairAdjustment<'static>>,
}

impl Letters {
    pub fn new() -> Letters {
        let face = Face::parse(FONT, 0).expect("the embedded font is valid");
        let pairs = kerning(&face);
        Letters { face, pairs }
    }

    /// Replaces each text element of a drawing by a path with the same attributes. A text without a size belongs to a
    /// chart, which sets sizes and colour in its style sheet.
    pub fn outlined(&self, svg: &str) -> String {
        let mut out = String::with_capacity(svg.len());
        let default_anchor = attribute(svg.split('>').next().unwrap_or_default(), "text-anchor").unwrap_or("start");
        let mut rest = svg;
        while let Some((before, from)) = rest.split_once("<text") {
            out += before;
            let (tag, from) = from.split_once('>').unwrap_or((from, ""));
            let (content, from) = from.split_once("</text>").unwrap_or((from, ""));
            rest = from;
            let number = |name: &str| attribute(tag, name).and_then(|value| value.parse::<f32>().ok());
            let size = number("font-size");
            let is_title = attribute(tag, "class") == Some("title");
            let anchor = attribute(tag, "text-anchor").unwrap_or(default_anchor);
            out += "<path";
            if size.is_none() {
                let _ = write!(out, " fill=\"{}\"", plot::INK);
            }
            for (name, value) in attributes(tag) {
                if !["x", "y", "font-size", "text-anchor"].contains(&name) {
                    let _ = write!(out, " {name}=\"{value}\"");
                }
            }
            let size = size.unwrap_or(if is_title { plot::TITLE_SIZE } else { plot::TEXT_SIZE });
            let place = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0));
            let _ = write!(out, " d=\"{}\"/>", self.path(&unescaped(content), size, anchor, place));
        }
        out + rest
    }

    /// Returns the path of a text of a size, anchored at a place.
    fn path(&self, text: &str, size: f32, anchor: &str, (x, y): (f32, f32)) -> String {
        let scale = size / f32::from(self.face.units_per_em());
        let glyphs: Vec<GlyphId> = text.chars().filter_map(|letter| self.glyph(letter)).collect();
        let next = glyphs.iter().skip(1).map(Some).chain([None]);
        let advance = |(&glyph, next): (&GlyphId, Option<&GlyphId>)| {
            let width = i32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0));
            (width + next.map_or(0, |&next| self.kern(glyph, next))) as f32 * scale
        };
        let advances: Vec<f32> = glyphs.iter().zip(next).map(advance).collect();
        let share = match anchor {
            "middle" => 0.5,
            "end" => 1.0,
            _ => 0.0,
        };
        let mut left = -share * advances.iter().sum::<f32>();
        let mut pen = Pen { path: String::new(), scale, x, y };
        for (&glyph, advance) in glyphs.iter().zip(&advances) {
            pen.x = x + left;
            self.face.outline_glyph(glyph, &mut pen);
            left += advance;
        }
        pen.path
    }

    /// Returns the glyph of a letter: a box if the font lacks it, and none if it is invisible.
    fn glyph(&self, letter: char) -> Option<GlyphId> {
        (!is_hidden(letter)).then(|| self.face.glyph_index(letter).unwrap_or(GlyphId(0)))
    }

    /// Returns by how much two glyphs in a row stand further apart than their widths.
    fn kern(&self, left: GlyphId, right: GlyphId) -> i32 {
        let of_pair = |pair: &PairAdjustment| match *pair {
            PairAdjustment::Format1 { coverage, sets } => Some(sets.get(coverage.get(left)?)?.get(right)?.0.x_advance),
            PairAdjustment::Format2 { coverage, classes, matrix } => {
                coverage.get(left)?;
                Some(matrix.get((classes.0.get(left), classes.1.get(right)))?.0.x_advance)
            }
        };
        self.pairs.iter().find_map(of_pair).map_or(0, i32::from)
    }
}

/// Returns the kerning of a font.
fn kerning(face: &Face<'static>) -> Vec<PairAdjustment<'static>> {
    let Some(table) = face.tables().gpos else { return Vec::new() };
    let features = table.features.into_iter().filter(|feature| feature.tag == Tag::from_bytes(b"kern"));
    let mut lookups: Vec<u16> = features.flat_map(|feature| feature.lookup_indices).collect();
    lookups.sort_unstable();
    lookups.dedup();
    let lookups = lookups.into_iter().filter_map(|lookup| table.lookups.get(lookup));
    let subtables = lookups.flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable>());
    let of_pairs = |subtable| match subtable {
        PositioningSubtable::Pair(pair) => Some(pair),
        _ => None,
    };
    subtables.filter_map(of_pairs).collect()
}

/// Returns the attributes of a tag with their values.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut parts = tag.split('"');
    std::iter::from_fn(move || {
        let (name, value) = (parts.next()?, parts.next()?);
        Some((name.rsplit(' ').next()?.strip_suffix('=')?, value))
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    attributes(tag).find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// Returns escaped text as it is shown: with single spaces, and none at its ends.
fn unescaped(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or(("", part));
        let number = || name.strip_prefix('#').and_then(|number| char::from_u32(number.parse().ok()?));
        out.extend(match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            _ => number(),
        });
        out += rest;
    }
    out
}

/// Writes outlines as a path, from the origin of a glyph.
struct Pen {
    path: String,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn add(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for (number, &(x, y)) in points.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            let _ = write!(self.path, "{space}{} {}", self.x + x * self.scale, self.y - y * self.scale);
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.add('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.add('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(path: &str) -> (f32, f32) {
        let numbers = |point: &str| point.split(' ').next().and_then(|x| x.parse::<f32>().ok());
        let xs = path.split(['M', 'L', 'Q', 'Z']).filter_map(numbers);
        xs.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    #[test]
    fn a_text_becomes_a_path_at_its_anchor() {
        let letters = Letters::new();
        let drawing = |anchor: &str| {
            let text = format!("<text class=\"ink\" x=\"50\" y=\"20\" font-size=\"10\"{anchor}>H &amp; H</text>");
            letters.outlined(&format!("<svg text-anchor=\"middle\"><g/>{text}<rect/></svg>"))
        };
        let path = |anchor: &str| {
            let drawn = drawing(anchor);
            let path = drawn.strip_prefix("<svg text-anchor=\"middle\"><g/><path class=\"ink\" d=\"").expect("a path");
            path.strip_suffix("\"/><rect/></svg>").expect("the rest as it was").to_owned()
        };
        let (left, right) = extent(&path(""));
        assert!((left + right - 100.0).abs() < 0.1 && left < 45.0, "it is not centred: {left} to {right}");
        assert!(extent(&path(" text-anchor=\"end\"")).1 < 50.0);
        assert!(extent(&path(" text-anchor=\"start\"")).0 > 50.0);
    }

    #[test]
    fn a_pair_stands_closer_and_an_unknown_letter_is_a_box() {
        let letters = Letters::new();
        let width = |text: &str| {
            let (left, right) = extent(&letters.path(text, 100.0, "start", (0.0, 0.0)));
            right - left
        };
        assert!(width("AVA") < width("AAA") - 5.0, "without kerning both have the same width");
        assert!(width("\u{1f600}") > 20.0);
        assert_eq!(letters.path("\u{200b}", 10.0, "start", (0.0, 0.0)), "");
        assert_eq!(unescaped("  a   &lt;b&gt; &#39;&quot; "), "a <b> '\"");
    }

    #[test]
    fn the_text_of_a_chart_has_the_size_and_colour_of_its_style_sheet() {
        let letters = Letters::new();
        let drawn =
            letters.outlined("<svg><text class=\"title\" x=\"0\" y=\"9\">a</text><text x=\"0\" y=\"9\">a</text></svg>");
        let paths: Vec<&str> = drawn.split("<path ").skip(1).collect();
        assert!(paths.iter().all(|path| path.starts_with("fill=\"#1f2328\" ")), "{drawn}");
        assert!(
            extent(paths[0].split("d=\"").nth(1).unwrap()).1 > 1.3 * extent(paths[1].split("d=\"").nth(1).unwrap()).1
        );
    }
}
