//! Themes: the colours of everything but figures, and which colours figures have.

use crate::picture::{Colours, Paint};

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

/// Each class, its coloured property, and its colours in the themes `Light`, `Dark` and `Contrast`.
const COLOURS: [(&str, &str, [&str; 3]); 15] = [
    ("page", "fill", ["#ffffff", "#14171c", "#ffffff"]),
    ("floor", "fill", ["#e9ecf1", "#272d37", "#ffffff"]),
    ("hole", "fill", ["#c3cad5", "#181c23", "#c4c4c4"]),
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
    pub(crate) fn sheet(self) -> String {
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
        let colours = if self == Theme::Contrast { Colours::Distinct } else { Colours::Standard };
        colours.rgb(paint)
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
