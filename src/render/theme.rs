//! Themes: the colours of everything without a colour of its own, on a light and on a dark background.

/// The background of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the viewer prefers; light in formats that cannot ask.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Each class, the property that is coloured, and its colour in the light and in the dark theme.
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
    /// The style sheet: a colour for each class.
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

    /// The theme of a picture that cannot ask who looks at it.
    pub(super) fn settled(self) -> Theme {
        if self == Theme::Dark { Theme::Dark } else { Theme::Light }
    }
}

/// A colour as style sheets write it.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
