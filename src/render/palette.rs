//! A palette for flat pictures: it keeps the most frequent colours exactly, and of the others those that differ most.

use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// The number of colours: one index of the 256 stands for an unchanged pixel.
const MAX_COLOURS: usize = 255;

/// The colours of a film, by index.
pub(super) struct Palette {
    colours: Vec<Rgb>,
    nearest: FxHashMap<Rgb, u8>,
}

impl Palette {
    /// The index of an unchanged pixel.
    pub const UNCHANGED: u8 = MAX_COLOURS as u8;

    /// Chooses from colours and their pixel counts. Takes the most frequent first and skips each that is too near to
    /// one already taken, with the smallest sufficient threshold of nearness.
    pub fn new(counts: &HashMap<Rgb, u64>) -> Palette {
        let mut found: Vec<(u64, Rgb)> = counts.iter().map(|(&colour, &count)| (count, colour)).collect();
        found.sort_unstable_by_key(|&(count, colour)| (std::cmp::Reverse(count), colour));
        found.truncate(1 << 14);
        let mut colours = Vec::new();
        for least in [1, 30, 80, 150, 250, 400, 700, 1200, 2500, 5000, 10_000, u32::MAX] {
            colours.clear();
            for &(_, colour) in &found {
                if colours.iter().all(|&chosen| distance(chosen, colour) >= least) {
                    colours.push(colour);
                }
                if colours.len() > MAX_COLOURS {
                    break;
                }
            }
            if colours.len() <= MAX_COLOURS {
                break;
            }
        }
        Palette { colours, nearest: FxHashMap::default() }
    }

    /// Returns the index of the nearest colour.
    pub fn number(&mut self, colour: Rgb) -> u8 {
        let colours = &self.colours;
        *self
            .nearest
            .entry(colour)
            .or_insert_with(|| (0..colours.len()).min_by_key(|&at| distance(colours[at], colour)).unwrap_or(0) as u8)
    }

    /// Returns the colour table of a file: all colours in a row, padded to 256.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

/// Returns the squared distance of two colours, weighted because the eye is most sensitive to green.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let part = |at: usize, weight: u32| weight * u32::from(a[at].abs_diff(b[at])).pow(2);
    part(0, 2) + part(1, 4) + part(2, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_colours_stay_exact_and_rare_ones_are_near() {
        let mut counts: HashMap<Rgb, u64> = (0..=255).flat_map(|a| (0..16).map(move |b| ([a, a, b * 16], 1))).collect();
        counts.insert([0xd6, 0x45, 0x3d], 1000);
        let mut palette = Palette::new(&counts);
        let exact = palette.number([0xd6, 0x45, 0x3d]);
        assert_eq!(exact, 0);
        assert!(palette.colours.len() > 60 && palette.colours.len() <= 255, "{}", palette.colours.len());
        for &colour in counts.keys() {
            let number = palette.number(colour);
            let found = palette.colours[usize::from(number)];
            assert!(distance(found, colour) < 5000, "{colour:?} became {found:?}");
        }
        assert_eq!(Palette::new(&HashMap::new()).bytes().len(), 768);
    }
}
