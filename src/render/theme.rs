//! Themes: the colours, on a light and on a dark background, of everything without a colour of its own.

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
}

/// Each class, its coloured property, and its colours in the light and in the dark theme.
const COLOURS: [(&str, &str, &str, &str); 11] = [
    ("page", "fill", "#ffffff", "#14171c"),
    ("floor", "fill", "#e9ecf1", "#272d37"),
    ("edge", "stroke", "#ced4dd", "#3a424f"),
    ("wall", "fill", "#4a5464", "#5f6b7e"),
    ("rough", "fill", "#9a7b4f", "#b3925f"),
    ("gate", "fill", "#d5dae2", "#333b47"),
    ("stripe", "stroke", "#a3adbb", "#566172"),
    ("ink", "fill", "#1d2430", "#e8ebf0"),
    ("faint", "fill", "#667085", "#98a2b3"),
    ("rim", "stroke", "#ffffff", "#14171c"),
    ("plain", "stroke", "#7b8494", "#98a2b3"),
];

impl Theme {
    /// Returns the style sheet: a colour for each class.
    pub(super) fn sheet(self) -> String {
        let rules = |dark: bool| -> String {
            let rule = |(class, what, light_colour, dark_colour): &(&str, &str, &str, &str)| {
                format!(".{class}{{{what}:{}}}", if dark { dark_colour } else { light_colour })
            };
            COLOURS.iter().map(rule).collect()
        };
        match self {
            Theme::Light => rules(false),
            Theme::Dark => rules(true),
            Theme::Auto => format!("{}@media(prefers-color-scheme:dark){{{}}}", rules(false), rules(true)),
        }
    }

    /// Resolves `Auto` to a fixed theme, for formats that cannot query the viewer's preference.
    pub(super) fn resolved(self) -> Theme {
        if self == Theme::Dark { Theme::Dark } else { Theme::Light }
    }
}

/// Formats a colour as style sheets write it.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
