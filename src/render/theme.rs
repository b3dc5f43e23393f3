//! Themes: the colours of everything without a colour of its own, and the hues of figures.

use crate::picture::Paint;

/// The background of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The viewer's preference; light in formats that cannot query it.
    #[default]
    Auto,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
    /// Black on white with strong edges, and hues that colour-blind readers tell apart.
    Contrast,
}

/// The hues of the theme `Contrast`, for figures in the order of their numbers: the palette of Okabe and Ito, Color
/// Universal Design (2008), and two greys.
const SAFE_HUES: [[u8; 3]; 7] = [
    [0x00, 0x72, 0xb2],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0xcc, 0x79, 0xa7],
    [0xf0, 0xe4, 0x42],
    [0x59, 0x59, 0x59],
    [0xc4, 0xc4, 0xc4],
];
const SAFE_ACCENT: [u8; 3] = [0xd5, 0x5e, 0x00];
const SAFE_DONE: [u8; 3] = [0x00, 0x9e, 0x73];

/// Each class, its coloured property, and its colours in the themes `Light`, `Dark` and `Contrast`.
const COLOURS: [(&str, &str, [&str; 3]); 14] = [
    ("page", "fill", ["#ffffff", "#14171c", "#ffffff"]),
    ("floor", "fill", ["#e9ecf1", "#272d37", "#ffffff"]),
    ("edge", "stroke", ["#ced4dd", "#3a424f", "#000000"]),
    ("wall", "fill", ["#4a5464", "#5f6b7e", "#000000"]),
    ("frame", "stroke", ["#4a5464", "#5f6b7e", "#000000"]),
    ("way", "stroke", ["#e9ecf1", "#272d37", "#ffffff"]),
    ("rough", "fill", ["#9a7b4f", "#b3925f", "#7a6a4f"]),
    ("gate", "fill", ["#d5dae2", "#333b47", "#ffffff"]),
    ("stripe", "stroke", ["#a3adbb", "#566172", "#000000"]),
    ("ink", "fill", ["#1d2430", "#e8ebf0", "#000000"]),
    ("faint", "fill", ["#667085", "#98a2b3", "#000000"]),
    ("rim", "stroke", ["#ffffff", "#14171c", "#000000"]),
    ("plain", "stroke", ["#7b8494", "#98a2b3", "#000000"]),
    ("casing", "stroke", ["#ffffff", "#14171c", "#ffffff"]),
];

impl Theme {
    /// Returns the style sheet: a colour for each class.
    pub(super) fn sheet(self) -> String {
        let rules = |theme: usize| -> String {
            let rule =
                |(class, what, colours): &(&str, &str, [&str; 3])| format!(".{class}{{{what}:{}}}", colours[theme]);
            COLOURS.iter().map(rule).collect()
        };
        match self {
            Theme::Light => rules(0),
            Theme::Dark => rules(1),
            Theme::Contrast => rules(2) + ".shape{stroke:#000000;stroke-width:2}",
            Theme::Auto => format!("{}@media(prefers-color-scheme:dark){{{}}}", rules(0), rules(1)),
        }
    }

    /// Returns the red, green and blue parts of a figure's colour.
    pub(super) fn rgb(self, paint: Paint) -> [u8; 3] {
        match (self, paint) {
            (Theme::Contrast, Paint::Accent) => SAFE_ACCENT,
            (Theme::Contrast, Paint::Done) => SAFE_DONE,
            (Theme::Contrast, Paint::Hue(number)) => SAFE_HUES[number % SAFE_HUES.len()],
            _ => paint.rgb(),
        }
    }

    /// Resolves `Auto` to a fixed theme, for formats that cannot query the viewer's preference.
    pub(super) fn resolved(self) -> Theme {
        if self == Theme::Auto { Theme::Light } else { self }
    }
}

/// Formats a colour as style sheets write it.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
