//! The colours that the terminal can show: all, the 256 of a palette, or none; and the hues of the pieces.

use crate::picture::{Colours, Paint, is_light};
use clap::ValueEnum;
use ratatui::style::{Color, Style};
use std::env;

/// The available colours and the chosen hues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Palette {
    depth: Depth,
    hues: Hues,
}

/// The colours that the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// 24 bits.
    True,
    /// The 256 colours of xterm.
    Indexed,
    /// No colours: borders, labels and reverse video must suffice.
    Bare,
}

/// The names of the colours of pieces whose colour the file does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Hues {
    /// Twelve hues around the circle
    #[default]
    Standard,
    /// Seven hues that people with any kind of colour blindness tell apart
    ColourBlind,
}

impl Palette {
    #[cfg(test)]
    pub const TRUE: Palette = Palette { depth: Depth::True, hues: Hues::Standard };
    #[cfg(test)]
    pub const INDEXED: Palette = Palette { depth: Depth::Indexed, hues: Hues::Standard };
    #[cfg(test)]
    pub const BARE: Palette = Palette { depth: Depth::Bare, hues: Hues::Standard };

    /// Returns the palette of the terminal according to its environment, or one without colours unless `coloured`.
    pub fn of_terminal(coloured: bool, hues: Hues) -> Palette {
        let depth = env::var("COLORTERM").unwrap_or_default();
        let depth = match () {
            () if !coloured => Depth::Bare,
            () if depth == "truecolor" || depth == "24bit" => Depth::True,
            () => Depth::Indexed,
        };
        Palette { depth, hues }
    }

    /// Returns the palette with other hues.
    #[cfg(test)]
    pub fn with(self, hues: Hues) -> Palette {
        Palette { hues, ..self }
    }

    /// Returns whether there are no colours.
    pub fn is_bare(self) -> bool {
        self.depth == Depth::Bare
    }

    /// Returns the nearest available colour.
    pub fn color(self, [red, green, blue]: [u8; 3]) -> Color {
        match self.depth {
            Depth::True => Color::Rgb(red, green, blue),
            Depth::Indexed => Color::Indexed(nearest([red, green, blue])),
            Depth::Bare => Color::Reset,
        }
    }

    fn rgb(self, paint: Paint) -> [u8; 3] {
        match self.hues {
            Hues::Standard => Colours::Standard.rgb(paint),
            Hues::ColourBlind => Colours::Distinct.rgb(paint),
        }
    }

    /// Returns the style of letters on a coloured background.
    pub fn on(self, paint: Paint) -> Style {
        if self.is_bare() {
            return Style::new();
        }
        let colour = self.rgb(paint);
        let ink = if is_light(colour) { [0, 0, 0] } else { [255, 255, 255] };
        Style::new().fg(self.color(ink)).bg(self.color(colour))
    }

    /// Returns the style of letters in a colour.
    pub fn ink(self, paint: Paint) -> Style {
        if self.is_bare() { Style::new() } else { Style::new().fg(self.color(self.rgb(paint))) }
    }
}

/// The levels of the colour cube, which has the colours 16 to 231.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the nearest of xterm's 240 fixed colours: of the cube, or of the greys after it.
fn nearest(rgb: [u8; 3]) -> u8 {
    let distance =
        |one: [u8; 3]| one.iter().zip(rgb).map(|(&one, other)| (i32::from(one) - i32::from(other)).pow(2)).sum::<i32>();
    let shown = |index: u8| match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(|level| LEVELS[usize::from(level)]),
    };
    (16..=255).min_by_key(|&index| distance(shown(index))).unwrap_or(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_palette_are_exact_and_others_are_near() {
        assert_eq!([nearest([0, 0, 0]), nearest([255, 255, 255]), nearest([8, 8, 8])], [16, 231, 232]);
        assert_eq!(nearest([250, 10, 5]), 196);
        assert_eq!(Palette::BARE.on(Paint::Accent), Style::new());
    }

    #[test]
    fn hues_for_colour_blind_players_replace_all_but_the_colours_of_the_file() {
        let (usual, safe) = (Palette::TRUE, Palette::TRUE.with(Hues::ColourBlind));
        assert_eq!(safe.ink(Paint::Hue(8)).fg, Some(Color::Rgb(0xe6, 0x9f, 0x00)));
        assert_ne!(safe.on(Paint::Accent), usual.on(Paint::Accent));
        assert_ne!(safe.on(Paint::Done), usual.on(Paint::Done));
        let own = Paint::Rgb([1, 2, 3]);
        assert_eq!(safe.on(own), usual.on(own));
    }
}
