//! The images of a drawing: rotated and reflected like a sheet of paper, cell by cell.

use crate::world::World;

/// An image of a drawing: rotated, then possibly reflected.
#[derive(Debug)]
pub struct Image {
    pub direction: &'static str,
    pub form: Form,
    /// The offset of one step in its direction, down and to the right.
    pub forward: (i64, i64),
    /// The cells, in the order of the file's drawing.
    pub spots: Vec<PatternCell>,
    /// The symbols that each letter matches.
    pub letters: Vec<Vec<u32>>,
}

/// How an image lies: the number of clockwise quarter turns, and whether it is mirrored.
pub type Form = (usize, bool);

/// A cell of an image.
#[derive(Clone, Debug)]
pub struct PatternCell {
    /// Its row and column in the file's drawing.
    pub of: (usize, usize),
    /// Its offset from the anchor, down and to the right.
    pub offset: (i64, i64),
    pub from: From,
    pub to: To,
    pub on: Option<char>,
}

/// What a cell of an image must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum From {
    Anything,
    Symbol(u32),
    /// One of the symbols of the letter with this index.
    Letter(usize),
}

/// What becomes of a cell of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum To {
    Same,
    Symbol(u32),
    /// The symbol that the letter with this index matched.
    Letter(usize),
    /// The image of the old symbol under the map with this index.
    Map(usize),
}

/// Returns the images of a drawing in the order of the moves. The offsets of the pattern's cells are their places in
/// it.
pub fn images(
    pattern: Vec<PatternCell>,
    mut letters: Vec<Vec<u32>>,
    at: (usize, usize),
    [turns, mirror]: [bool; 2],
    world: &World,
) -> Vec<Image> {
    const TURNED: [(&str, (i64, i64)); 4] = [("right", (0, 1)), ("down", (1, 0)), ("left", (0, -1)), ("up", (-1, 0))];
    const MIRRORED: [&str; 4] = ["right mirrored", "down mirrored", "left mirrored", "up mirrored"];
    let mut plain = Vec::new();
    let mut mirrored = Vec::new();
    let mut turned = pattern;
    for (quarters, (direction, forward)) in TURNED.into_iter().enumerate().take(if turns { 4 } else { 1 }) {
        if quarters > 0 {
            // Clockwise: the lowest row becomes the first column.
            let lowest = turned.iter().map(|spot| spot.offset.0).max().unwrap_or(0);
            turned.iter_mut().for_each(|spot| spot.offset = (spot.offset.1, lowest - spot.offset.0));
            change_symbols(&mut turned, &mut letters, |symbol| world.quarter(symbol));
        }
        plain.push(Image {
            direction,
            form: (quarters, false),
            forward,
            spots: turned.clone(),
            letters: letters.clone(),
        });
        let (mut flipped, mut letters) = (turned.clone(), letters.clone());
        change_symbols(&mut flipped, &mut letters, |symbol| world.mirror(symbol));
        let last = flipped.iter().map(|spot| spot.offset.1).max().unwrap_or(0);
        flipped.iter_mut().for_each(|spot| spot.offset.1 = last - spot.offset.1);
        let direction = if turns { MIRRORED[quarters] } else { "left" };
        let (form, forward) = ((quarters, true), (forward.0, -forward.1));
        mirrored.push(Image { direction, form, forward, spots: flipped, letters });
    }
    if mirror {
        plain.append(&mut mirrored);
    }
    for image in &mut plain {
        let named = image.spots.iter().find(|spot| spot.of == at).map_or((0, 0), |spot| spot.offset);
        image.spots.iter_mut().for_each(|spot| spot.offset = (spot.offset.0 - named.0, spot.offset.1 - named.1));
    }
    plain
}

/// Changes the symbols in a drawing, and those of its letters.
fn change_symbols(pattern: &mut [PatternCell], letters: &mut [Vec<u32>], change: impl Fn(u32) -> u32) {
    for spot in pattern {
        if let From::Symbol(symbol) = &mut spot.from {
            *symbol = change(*symbol);
        }
        if let To::Symbol(symbol) = &mut spot.to {
            *symbol = change(*symbol);
        }
    }
    letters.iter_mut().flatten().for_each(|symbol| *symbol = change(*symbol));
}
