//! Sprites: pictures in pixels of what fills a cell, and figures that have the same sprite.

use super::{Cell, Figure, Form, Paint, Picture, movers, path};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The bit of keys that stand for a number only: which of the figures moved is found out by comparing positions.
const FOLLOWED: u64 = 1 << 62;

/// A small picture that fills a cell: a square of coloured pixels, or a path of SVG in one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprite {
    /// The number of rows, and of columns; of a path, the length of the cell's edge in its units.
    side: usize,
    /// The pixels row by row; `None` if transparent. Of a path, none.
    pixels: Vec<Option<[u8; 3]>>,
    path: Option<(String, [u8; 3])>,
}

impl Sprite {
    /// Builds a sprite from the pixels of its rows; pixels that are missing are transparent, further ones are left out.
    #[must_use]
    pub fn new(side: usize, rows: &[Vec<Option<[u8; 3]>>]) -> Sprite {
        let pixel = |at: usize| *rows.get(at / side)?.get(at % side)?;
        Sprite { side, pixels: (0..side * side).map(pixel).collect(), path: None }
    }

    /// Builds a sprite from a path within a square with edges of length `side`.
    ///
    /// # Errors
    /// It is no path: returns the byte at which something is wrong, and what would be right.
    pub fn of_path(side: usize, path: &str, colour: [u8; 3]) -> Result<Sprite, (usize, String)> {
        Ok(Sprite { side, pixels: Vec::new(), path: Some((path::checked(path)?, colour)) })
    }

    /// Returns the path and its colour, if it is one.
    #[must_use]
    pub fn path(&self) -> Option<(&str, [u8; 3])> {
        self.path.as_ref().map(|(path, colour)| (path.as_str(), *colour))
    }

    /// Returns the number of rows, which is that of columns.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the colour of a pixel; `None` if it is transparent.
    #[must_use]
    pub fn pixel(&self, (row, column): Cell) -> Option<[u8; 3]> {
        self.pixels.get(row * self.side + column).copied().flatten()
    }

    /// Returns the colours in the order of their first pixels, each with its pixels row by row.
    #[must_use]
    pub fn colours(&self) -> Vec<([u8; 3], Vec<Cell>)> {
        let mut colours: Vec<([u8; 3], Vec<Cell>)> = Vec::new();
        for (at, colour) in self.pixels.iter().enumerate().filter_map(|(at, pixel)| Some((at, (*pixel)?))) {
            let pixel = (at / self.side, at % self.side);
            match colours.iter_mut().find(|(known, _)| *known == colour) {
                Some((_, pixels)) => pixels.push(pixel),
                None => colours.push((colour, vec![pixel])),
            }
        }
        colours
    }

    /// Returns the colour of the path, or of most pixels, the first of several; `None` if all are transparent.
    #[must_use]
    pub fn paint(&self) -> Option<Paint> {
        if let Some((_, colour)) = self.path {
            return Some(Paint::Rgb(colour));
        }
        let most = self.colours().into_iter().rev().max_by_key(|(_, pixels)| pixels.len());
        most.map(|(colour, _)| Paint::Rgb(colour))
    }

    /// Returns whether no pixel is transparent.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.path.is_none() && self.pixels.iter().all(Option::is_some)
    }
}

impl Picture {
    /// Returns the key of a figure with a sprite: its number among the figures with the same sprite.
    #[must_use]
    pub fn sprite_key(sprite: usize, number: usize) -> u64 {
        FOLLOWED | (sprite as u64) << 32 | number as u64
    }

    /// Reassigns the keys that [`sprite_key`](Picture::sprite_key) made among figures with the same sprite, to match
    /// the position `before`: a figure in the same place keeps its key, and each other one takes the key of the nearest
    /// figure that left its place.
    pub fn follow(&mut self, before: &Picture) {
        let mut kinds: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, figure) in self.figures.iter().enumerate() {
            if let (Form::Sprite(sprite), true) = (figure.form, figure.key & FOLLOWED > 0) {
                kinds.entry(sprite).or_default().push(index);
            }
        }
        if kinds.is_empty() {
            return;
        }
        let mut known: HashMap<Form, Vec<&Figure>> = HashMap::new();
        before.figures.iter().for_each(|figure| known.entry(figure.form).or_default().push(figure));
        for (sprite, indices) in kinds {
            let old = known.remove(&Form::Sprite(sprite)).unwrap_or_default();
            let new: Vec<Cell> = indices.iter().map(|&index| self.figures[index].at).collect();
            for (index, key) in indices.into_iter().zip(keys(sprite, &old, &new)) {
                self.figures[index].key = key;
            }
        }
        self.figures.sort_by_key(|figure| figure.key);
    }
}

/// Returns the keys of figures at these places, which had the keys of `old` before.
fn keys(sprite: usize, old: &[&Figure], new: &[Cell]) -> Vec<u64> {
    let mut here: HashMap<Cell, u64> = old.iter().map(|figure| (figure.at, figure.key)).collect();
    let mut keys: Vec<Option<u64>> = new.iter().map(|at| here.remove(at)).collect();
    let came: Vec<usize> = (0..new.len()).filter(|&index| keys[index].is_none()).collect();
    let left: Vec<&&Figure> = old.iter().filter(|figure| here.contains_key(&figure.at)).collect();
    let from: Vec<Cell> = left.iter().map(|figure| figure.at).collect();
    let to: Vec<Cell> = came.iter().map(|&index| new[index]).collect();
    for (index, mover) in came.into_iter().zip(movers(&from, &to)) {
        keys[index] = mover.map(|mover| left[mover].key);
    }
    // A key of one that vanishes is not used again at once: it would seem to move.
    let mut used: HashSet<u64> = old.iter().map(|figure| figure.key).collect();
    let mut unused = (0..).map(|number| Picture::sprite_key(sprite, number));
    let mut fresh = || unused.find(|&key| used.insert(key)).unwrap_or_default();
    keys.into_iter().map(|key| key.unwrap_or_else(&mut fresh)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Ground;

    fn row(places: &[usize]) -> Picture {
        let mut picture = Picture::new(1, 9, Ground::Floor);
        let figure = |(number, &column): (usize, &usize)| {
            Figure::single(Picture::sprite_key(0, number), "", Paint::Plain, Form::Sprite(0), (0, column))
        };
        picture.figures = places.iter().enumerate().map(figure).collect();
        picture
    }

    #[test]
    fn figures_that_stay_keep_their_keys_and_the_nearest_moves() {
        let before = row(&[1, 3, 6]);
        let mut after = row(&[3, 5, 6]);
        after.follow(&before);
        let places =
            |picture: &Picture| picture.figures.iter().map(|f| (f.key & !FOLLOWED, f.at.1)).collect::<Vec<_>>();
        assert_eq!(places(&after), [(0, 5), (1, 3), (2, 6)]);
        let mut more = row(&[3, 4, 5, 6]);
        more.follow(&after);
        assert_eq!(places(&more), [(0, 5), (1, 3), (2, 6), (3, 4)], "a new one has a new key");
    }

    #[test]
    fn the_paint_of_a_sprite_is_its_most_frequent_colour() {
        let (a, b) = (Some([1, 2, 3]), Some([4, 5, 6]));
        let sprite = Sprite::new(2, &[vec![a, b, b], vec![b]]);
        assert_eq!(sprite.paint(), Some(Paint::Rgb([4, 5, 6])));
        assert_eq!(sprite.colours(), [([1, 2, 3], vec![(0, 0)]), ([4, 5, 6], vec![(0, 1), (1, 0)])]);
        assert!(sprite.pixel((1, 1)).is_none() && !sprite.is_opaque());
        assert_eq!(Sprite::new(2, &[]).paint(), None);
    }
}
