//! Colours of objects in pictures: those of a game's objects, in the palette that PuzzleScript uses by default.

use crate::picture::Paint;
use engine_puzzlescript::game::Object;

/// The default palette of PuzzleScript: colours by Arne Niklas Jansson.
const NAMED: [(&str, [u8; 3]); 24] = [
    ("black", [0x00, 0x00, 0x00]),
    ("white", [0xff, 0xff, 0xff]),
    ("grey", [0x9d, 0x9d, 0x9d]),
    ("gray", [0x9d, 0x9d, 0x9d]),
    ("darkgrey", [0x69, 0x71, 0x75]),
    ("darkgray", [0x69, 0x71, 0x75]),
    ("lightgrey", [0xcc, 0xcc, 0xcc]),
    ("lightgray", [0xcc, 0xcc, 0xcc]),
    ("red", [0xbe, 0x26, 0x33]),
    ("darkred", [0x73, 0x29, 0x30]),
    ("lightred", [0xe0, 0x6f, 0x8b]),
    ("brown", [0xa4, 0x64, 0x22]),
    ("darkbrown", [0x49, 0x3c, 0x2b]),
    ("lightbrown", [0xee, 0xb6, 0x2f]),
    ("orange", [0xeb, 0x89, 0x31]),
    ("yellow", [0xf7, 0xe2, 0x6b]),
    ("green", [0x44, 0x89, 0x1a]),
    ("darkgreen", [0x2f, 0x48, 0x4e]),
    ("lightgreen", [0xa3, 0xce, 0x27]),
    ("blue", [0x1d, 0x57, 0xf7]),
    ("lightblue", [0xb2, 0xdc, 0xef]),
    ("darkblue", [0x1b, 0x26, 0x32]),
    ("purple", [0x34, 0x2a, 0x97]),
    ("pink", [0xde, 0x65, 0xe2]),
];

/// Returns the colour that fills most of an object's sprite; `None` if it is transparent throughout.
pub(super) fn paint(object: &Object) -> Option<Paint> {
    let digits = object.sprite.iter().flat_map(|row| row.chars()).filter_map(|c| c.to_digit(10));
    let mut counts = vec![0; object.colours.len()];
    for digit in digits {
        if let Some(count) = counts.get_mut(digit as usize) {
            *count += 1;
        }
    }
    // The first of the most frequent ones; without a sprite, the first colour fills the cell.
    let most = (0..counts.len()).max_by_key(|&index| (counts[index], std::cmp::Reverse(index)))?;
    colour(object.colours.get(most)?)
}

fn colour(written: &str) -> Option<Paint> {
    if written == "transparent" {
        return None;
    }
    if let Some((_, rgb)) = NAMED.iter().find(|(name, _)| *name == written) {
        return Some(Paint::Rgb(*rgb));
    }
    let digits: Vec<u8> = written.strip_prefix('#')?.chars().map_while(|c| Some(c.to_digit(16)? as u8)).collect();
    match digits[..] {
        [r, g, b, ..] if digits.len() < 6 => Some(Paint::Rgb([r * 17, g * 17, b * 17])),
        [a, b, c, d, e, f, ..] => Some(Paint::Rgb([a * 16 + b, c * 16 + d, e * 16 + f])),
        _ => Some(Paint::Plain),
    }
}
