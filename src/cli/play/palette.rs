//! The colours that the terminal can show: all, the 256 of a palette, or none.

use crate::picture::Paint;
use ratatui::style::{Color, Style};
use std::env;

/// The available colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Palette {
    /// 24 bits.
    True,
    /// The 256 colours of xterm.
    Indexed,
    /// No colours: borders, labels and reverse video must suffice.
    Bare,
}

impl Palette {
    /// Returns the palette of the terminal according to its environment, or none unless `coloured`.
    pub fn of_terminal(coloured: bool) -> Palette {
        if !coloured {
            return Palette::Bare;
        }
        let depth = env::var("COLORTERM").unwrap_or_default();
        if depth == "truecolor" || depth == "24bit" { Palette::True } else { Palette::Indexed }
    }

    /// Returns the nearest available colour.
    pub fn color(self, [red, green, blue]: [u8; 3]) -> Color {
        match self {
            Palette::True => Color::Rgb(red, green, blue),
            Palette::Indexed => Color::Indexed(nearest([red, green, blue])),
            Palette::Bare => Color::Reset,
        }
    }

    /// Returns the style of letters on a coloured background.
    pub fn on(self, paint: Paint) -> Style {
        match self {
            Palette::Bare => Style::new(),
            _ => {
                let ink = if paint.is_light() { [0, 0, 0] } else { [255, 255, 255] };
                Style::new().fg(self.color(ink)).bg(self.color(paint.rgb()))
            }
        }
    }

    /// Returns the style of letters in a colour.
    pub fn ink(self, paint: Paint) -> Style {
        match self {
            Palette::Bare => Style::new(),
            _ => Style::new().fg(self.color(paint.rgb())),
        }
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
        assert_eq!(Palette::Bare.on(Paint::Accent), Style::new());
    }
}
