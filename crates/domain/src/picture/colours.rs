//! Colours of figures: the paints that domains choose, and the two sets of colours that renderers choose from.

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// The accent colour, for the most important figure.
    Accent,
    /// One of the hues, taken modulo their number.
    Hue(usize),
    /// The colour of a figure that stands where the goal wants it.
    Done,
    /// Red, green and blue.
    Rgb([u8; 3]),
    /// The neutral colour.
    Plain,
}

/// A set of colours for paints that name none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Twelve hues around the circle.
    #[default]
    Standard,
    /// Hues that people with any kind of colour blindness tell apart (Okabe and Ito, Color Universal Design, 2008), and
    /// two greys.
    Distinct,
}

/// Colours that are distinct on a light and on a dark background, consecutive ones most of all: in turns around the
/// circle of hues, none as red as the accent.
const HUES: [[u8; 3]; 12] = [
    [0x4c, 0x8b, 0xd6],
    [0xe0, 0xa0, 0x30],
    [0x4f, 0xa3, 0x6c],
    [0x9a, 0x6f, 0xc8],
    [0x2f, 0xa8, 0xb0],
    [0xc9, 0x7b, 0x4a],
    [0x8a, 0xa8, 0x3a],
    [0xc7, 0x6f, 0xa8],
    [0x6b, 0x7f, 0xc4],
    [0xb8, 0x9a, 0x5e],
    [0x5f, 0x9e, 0x94],
    [0x8d, 0x86, 0x94],
];
const ACCENT: [u8; 3] = [0xd6, 0x45, 0x3d];
const DONE: [u8; 3] = [0x3d, 0x9b, 0x57];
const PLAIN: [u8; 3] = [0xb0, 0xb4, 0xba];

/// The palette of Okabe and Ito without black, which a dark terminal hides. Vermilion is the accent, and bluish green
/// the colour of what is done.
const DISTINCT_HUES: [[u8; 3]; 7] = [
    [0x00, 0x72, 0xb2],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0xcc, 0x79, 0xa7],
    [0xf0, 0xe4, 0x42],
    [0x59, 0x59, 0x59],
    [0xc4, 0xc4, 0xc4],
];
const DISTINCT_ACCENT: [u8; 3] = [0xd5, 0x5e, 0x00];
const DISTINCT_DONE: [u8; 3] = [0x00, 0x9e, 0x73];

impl Colours {
    /// Returns the red, green and blue parts of a paint.
    #[must_use]
    pub fn rgb(self, paint: Paint) -> [u8; 3] {
        let (hues, accent, done) = match self {
            Colours::Standard => (&HUES[..], ACCENT, DONE),
            Colours::Distinct => (&DISTINCT_HUES[..], DISTINCT_ACCENT, DISTINCT_DONE),
        };
        match paint {
            Paint::Accent => accent,
            Paint::Hue(number) => hues[number % hues.len()],
            Paint::Done => done,
            Paint::Rgb(rgb) => rgb,
            Paint::Plain => PLAIN,
        }
    }
}

impl Paint {
    /// Returns the red, green and blue parts in the standard colours.
    #[must_use]
    pub fn rgb(self) -> [u8; 3] {
        Colours::Standard.rgb(self)
    }

    /// Returns whether black text has more contrast on the standard colour than white text.
    #[must_use]
    pub fn is_light(self) -> bool {
        is_light(self.rgb())
    }
}

/// Returns whether black text has more contrast on a colour than white text.
#[must_use]
pub fn is_light(rgb: [u8; 3]) -> bool {
    luminance(rgb) > 0.25
}

/// Returns the relative luminance of a colour (W3C, Web Content Accessibility Guidelines 2.1, 2018).
fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = rgb.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_colours_get_black_text_and_dark_colours_white_text() {
        assert!(Paint::Rgb([255, 255, 0]).is_light() && !Paint::Rgb([0, 0, 160]).is_light());
        assert!(!Paint::Accent.is_light());
    }

    #[test]
    fn the_colours_of_a_set_differ_and_bear_text() {
        for (colours, hues) in [(Colours::Standard, HUES.len()), (Colours::Distinct, DISTINCT_HUES.len())] {
            let paints = (0..hues).map(Paint::Hue).chain([Paint::Accent, Paint::Done]);
            let all: Vec<[u8; 3]> = paints.map(|paint| colours.rgb(paint)).collect();
            for (number, one) in all.iter().enumerate() {
                let text = if is_light(*one) { 0.0 } else { 1.0 };
                let (darker, lighter) = (luminance(*one).min(text), luminance(*one).max(text));
                assert!((lighter + 0.05) / (darker + 0.05) >= 3.0, "{colours:?} {one:?}: text on it has no contrast");
                for other in &all[..number] {
                    let distance: u32 = one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
                    assert!(distance > 500, "{colours:?}: {one:?} and {other:?} are alike");
                }
            }
            assert_ne!(colours.rgb(Paint::Hue(0)), colours.rgb(Paint::Hue(1)));
            assert_eq!(colours.rgb(Paint::Hue(hues)), colours.rgb(Paint::Hue(0)));
        }
    }
}
