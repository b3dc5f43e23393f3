//! The colours of a game: its palette, and the sprites of its objects in it.

use crate::picture::Sprite;
use engine_puzzlescript::colours::{COLOURS, COLOURS_OF_A_PALETTE, PALETTES};
use engine_puzzlescript::game::{Game, Object};

/// Red, green and blue.
type Rgb = [u8; 3];

/// Rows and columns of a sprite, unless it has more.
const SIDE: usize = 5;

/// The colour of an object without colours.
const MAGENTA: &str = "#ff00ff";

/// The colours of each palette. Source: `src/js/colors.js` of increpare/PuzzleScript.
static VALUES: [[u32; COLOURS_OF_A_PALETTE]; PALETTES.len()] = [
    // mastersystem
    [
        0x000000, 0xffffff, 0x555555, 0x555500, 0xaaaaaa, 0xff0000, 0xaa0000, 0xff5555, 0xaa5500, 0x550000, 0xffaa00,
        0xff5500, 0xffff55, 0x55aa00, 0x005500, 0xaaff00, 0x5555aa, 0xaaffff, 0x000055, 0x550055, 0xffaaff,
    ],
    // gameboycolour
    [
        0x000000, 0xffffff, 0x7f7f7c, 0x3e3e44, 0xbaa7a7, 0xa7120c, 0x880606, 0xba381f, 0x57381f, 0x3e2519, 0x8e634b,
        0xba4b32, 0xc0ba6f, 0x517525, 0x385d12, 0x6f8e44, 0x5d6fa7, 0x8ea7a7, 0x4b575d, 0x3e3e44, 0xba381f,
    ],
    // amiga
    [
        0x000000, 0xffffff, 0xbbbbbb, 0x333333, 0xffeedd, 0xdd1111, 0x990000, 0xff4422, 0x663311, 0x331100, 0xaa6644,
        0xff6644, 0xffdd66, 0x448811, 0x335500, 0x88bb77, 0x8899dd, 0xbbddee, 0x666688, 0x665555, 0x997788,
    ],
    // arnecolors
    [
        0x000000, 0xffffff, 0x9d9d9d, 0x697175, 0xcccccc, 0xbe2633, 0x732930, 0xe06f8b, 0xa46422, 0x493c2b, 0xeeb62f,
        0xeb8931, 0xf7e26b, 0x44891a, 0x2f484e, 0xa3ce27, 0x1d57f7, 0xb2dcef, 0x1b2632, 0x342a97, 0xde65e2,
    ],
    // famicom
    [
        0x000000, 0xffffff, 0x7c7c7c, 0x080808, 0xbcbcbc, 0xf83800, 0x881400, 0xf87858, 0xac7c00, 0x503000, 0xfce0a8,
        0xfca044, 0xf8b800, 0x00b800, 0x005800, 0xb8f8b8, 0x0058f8, 0x3cbcfc, 0x0000bc, 0x6644fc, 0xf878f8,
    ],
    // atari
    [
        0x000000, 0xffffff, 0x909090, 0x404040, 0xb0b0b0, 0xa03c50, 0x700014, 0xdc849c, 0x805020, 0x703400, 0xcb9870,
        0xccac70, 0xecd09c, 0x58b06c, 0x006414, 0x70c484, 0x1c3c88, 0x6888c8, 0x000088, 0x3c0080, 0xb484dc,
    ],
    // pastel
    [
        0x000000, 0xffffff, 0x3e3e3e, 0x313131, 0x9cbcbc, 0xf56ca2, 0xa63577, 0xffa9cf, 0xb58c53, 0x787562, 0xb58c53,
        0xeb792d, 0xffe15f, 0x00ff4f, 0x2b732c, 0x97c04f, 0x0f88d3, 0x00fffe, 0x293a7b, 0xff6554, 0xeb792d,
    ],
    // ega
    [
        0x000000, 0xffffff, 0x555555, 0x555555, 0xaaaaaa, 0xff5555, 0xaa0000, 0xff55ff, 0xaa5500, 0xaa5500, 0xffff55,
        0xff5555, 0xffff55, 0x00aa00, 0x00aaaa, 0x55ff55, 0x5555ff, 0x55ffff, 0x0000aa, 0xaa00aa, 0xff55ff,
    ],
    // amstrad
    [
        0x000000, 0xffffff, 0x7f7f7f, 0x636363, 0xafafaf, 0xff0000, 0x7f0000, 0xff7f7f, 0xff7f00, 0x7f7f00, 0xffff00,
        0xff007f, 0xffff7f, 0x01ff00, 0x007f00, 0x7fff7f, 0x0000ff, 0x7f7fff, 0x00007f, 0x7f007f, 0xff7fff,
    ],
    // proteus_mellow
    [
        0x3d2d2e, 0xddf1fc, 0x9fb2d4, 0x7b8272, 0xa4bfda, 0x9d5443, 0x8c5b4a, 0x94614c, 0x89a78d, 0x829e88, 0xaaae97,
        0xd1ba86, 0xd6cda2, 0x75ac8d, 0x8fa67f, 0x8eb682, 0x88a3ce, 0xa5adb0, 0x5c6b8c, 0xd39fac, 0xc8ac9e,
    ],
    // proteus_rich
    [
        0x6f686f, 0xd1b1e2, 0xb9aac1, 0x8e8b84, 0xc7b5cd, 0xa11f4f, 0x934765, 0xc998ad, 0x89867d, 0x797f75, 0xab9997,
        0xce8c5c, 0xf0d959, 0x75bc54, 0x599d79, 0x90cf5c, 0x8fd0ec, 0xbcdce7, 0x0b2c70, 0x9b377f, 0xcd88e5,
    ],
    // proteus_night
    [
        0x010912, 0xfdeeec, 0x051d40, 0x091842, 0x062151, 0xad4576, 0x934765, 0xab6290, 0x61646b, 0x3d2d2d, 0x8393a0,
        0x0a2227, 0x0a2541, 0x75ac8d, 0x0a2434, 0x061f2e, 0x0b2c79, 0x809ccb, 0x08153b, 0x666a87, 0x754b4d,
    ],
    // c64
    [
        0x000000, 0xffffff, 0x6c6c6c, 0x444444, 0x959595, 0x68372b, 0x3f1e17, 0x9a6759, 0x433900, 0x221c02, 0x6d5c0d,
        0x6f4f25, 0xb8c76f, 0x588d43, 0x345129, 0x9ad284, 0x6c5eb5, 0x70a4b2, 0x352879, 0x6f3d86, 0xb044ac,
    ],
    // whitingjp
    [
        0x202527, 0xeff8fd, 0x7b7680, 0x3c3b44, 0xbed0d7, 0xbd194b, 0x6b1334, 0xef2358, 0xb52e1c, 0x681c12, 0xe87b45,
        0xff8c10, 0xfbd524, 0x36bc3c, 0x317610, 0x8ce062, 0x3f62c6, 0x57bbe0, 0x2c2fa0, 0x7037d9, 0xec2b8f,
    ],
];

/// The place of the palette of games that set none: colours by Arne Niklas Jansson.
const DEFAULT: usize = 3;

/// A palette.
pub(super) struct Palette(&'static [u32; COLOURS_OF_A_PALETTE]);

impl Palette {
    /// Returns the palette of a game; an unknown one counts as none.
    pub fn of(game: &Game) -> Palette {
        let name = game.setting("color_palette").unwrap_or_default();
        let by_name = PALETTES.iter().position(|known| *known == name);
        let by_number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let index = by_name.or(by_number).filter(|&index| index < PALETTES.len());
        Palette(&VALUES[index.unwrap_or(DEFAULT)])
    }

    /// Returns a colour as a game writes it: a name, or `#` and three or six hexadecimal digits; `None` if it is
    /// transparent or not a colour.
    pub fn colour(&self, written: &str) -> Option<Rgb> {
        if let Some(digits) = written.strip_prefix('#') {
            let value = u32::from_str_radix(digits, 16).ok()?;
            let digit = |place: u32| (value >> (4 * place) & 15) as u8 * 17;
            return match digits.len() {
                3 => Some([digit(2), digit(1), digit(0)]),
                6 => Some(rgb(value)),
                _ => None,
            };
        }
        let name = written.replace("gray", "grey");
        COLOURS.iter().position(|known| *known == name).map(|index| rgb(self.0[index]))
    }

    /// Returns the colour of the screen where no object is drawn.
    pub fn background(&self, game: &Game) -> Rgb {
        game.setting("background_color").and_then(|written| self.colour(written)).unwrap_or([0; 3])
    }

    /// Returns the sprite of an object; without rows, a square of its first colour.
    pub fn sprite(&self, object: &Object) -> Sprite {
        let colours: Vec<Option<Rgb>> = match object.colours[..] {
            [] => vec![self.colour(MAGENTA)],
            _ => object.colours.iter().map(|written| self.colour(written)).collect(),
        };
        let pixel = |c: char| *colours.get(c.to_digit(10)? as usize)?;
        let rows: Vec<Vec<Option<Rgb>>> = match object.sprite[..] {
            [] => vec![vec![pixel('0'); SIDE]; SIDE],
            _ => object.sprite.iter().map(|row| row.chars().map(pixel).collect()).collect(),
        };
        let side = rows.iter().map(Vec::len).chain([rows.len(), SIDE]).max().unwrap_or(SIDE);
        Sprite::new(side, &rows)
    }
}

fn rgb(value: u32) -> Rgb {
    let [_, red, green, blue] = value.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Paint;
    use engine_puzzlescript::game::{Place, Setting};

    fn game(palette: &str) -> Game {
        let setting = Setting { key: "color_palette".to_owned(), value: palette.to_owned(), at: Place::default() };
        Game { prelude: vec![setting], ..Game::default() }
    }

    #[test]
    fn colours_are_those_of_the_palette_that_the_game_sets() {
        let red = |palette: &str| Palette::of(&game(palette)).colour("red");
        assert_eq!(red("c64"), Some([0x68, 0x37, 0x2b]));
        assert_eq!(red("13"), red("c64"));
        let default = Palette::of(&Game::default()).colour("red");
        assert_eq!(default, Some([0xbe, 0x26, 0x33]));
        assert!(["0", "15", "unheard"].map(red).iter().all(|&colour| colour == default));
    }

    #[test]
    fn colours_are_read_by_name_in_both_spellings_and_by_digits() {
        let palette = Palette::of(&Game::default());
        assert_eq!(palette.colour("darkgray"), palette.colour("darkgrey"));
        assert_eq!(palette.colour("#1af"), Some([0x11, 0xaa, 0xff]));
        assert_eq!(palette.colour("#12ab9f"), Some([0x12, 0xab, 0x9f]));
        assert_eq!(palette.colour("transparent"), None);
    }

    #[test]
    fn a_sprite_has_the_pixels_of_the_object_and_a_square_without_any() {
        let palette = Palette::of(&Game::default());
        let object = |colours: &[&str], sprite: &[&str]| Object {
            at: Place::default(),
            name: "thing".to_owned(),
            colours: colours.iter().map(|&colour| colour.to_owned()).collect(),
            sprite: sprite.iter().map(|&row| row.to_owned()).collect(),
        };
        let sprite = palette.sprite(&object(&["#010203", "transparent"], &["0.10", "1"]));
        let row: Vec<bool> = (0..5).map(|column| sprite.pixel((0, column)).is_some()).collect();
        assert_eq!(row, [true, false, false, true, false]);
        assert_eq!(sprite.colours().len(), 1);
        let square = palette.sprite(&object(&["#010203"], &[]));
        assert!(square.is_opaque() && square.paint() == Some(Paint::Rgb([1, 2, 3])));
        assert_eq!(palette.sprite(&object(&[], &[])).paint(), Some(Paint::Rgb([255, 0, 255])));
    }
}
