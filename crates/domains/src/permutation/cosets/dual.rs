//! The inverse of a position, as arrangements of colours: the colour at a place is that of the place where the label
//! belonging there is. So it is read from where some labels are, and no inverse is computed.

use super::arrangement::Color;
use super::reader::Reader;
use crate::permutation::images::{Place, inverse};
use crate::permutation::model::Model;
use std::sync::Arc;

/// The greatest number of labels that determine an inverse.
pub(super) const MOST_HOMES: usize = 64;

/// Where the labels are that determine the inverse.
pub(super) type Homes = [u8; MOST_HOMES];

/// The tables that read the numbers of inverse positions in each view.
pub(super) struct Dual {
    pub leading: Arc<Reader>,
    rest: Reader,
    /// The homes of the labels in [`Homes`].
    homes: Vec<u8>,
    /// For each view, the number among the homes of each label that the leading reader and the other read.
    views: Vec<(Vec<u8>, Vec<u8>)>,
    /// For each view, each move, and none at last, and each place: the codes of the colour of the image of the place
    /// after the move, for the leading reader in the lower half, and for the other in the upper one. A colour of one
    /// part has no code in the other.
    codes: Vec<u8>,
    /// For each move, the image of each place.
    images: Vec<[u8; 256]>,
    /// For each view, which of the first moves of the position keep the arrangement of its inverse, as a set of bits.
    kept: Vec<u32>,
}

impl Dual {
    /// Returns `None` if too many labels are to be read, or their colours are too many.
    pub fn new(
        model: &Model,
        leading: Arc<Reader>,
        rest: Reader,
        colors: &[Color],
        recolorings: &[Vec<Color>],
        views: &[&[Place]],
    ) -> Option<Dual> {
        let mut homes: Vec<u8> = Vec::new();
        let mut numbers = |places: &[usize], back: &[Place]| -> Vec<u8> {
            let number = |&place: &usize| {
                let home = back[place] as u8;
                homes.iter().position(|&other| other == home).unwrap_or_else(|| {
                    homes.push(home);
                    homes.len() - 1
                }) as u8
            };
            places.iter().map(number).collect()
        };
        let read = |image: &&[Place]| {
            let back = inverse(image);
            (numbers(&leading.places, &back), numbers(&rest.places, &back))
        };
        let numbers: Vec<(Vec<u8>, Vec<u8>)> = views.iter().map(read).collect();
        if homes.len() > MOST_HOMES {
            return None;
        }
        let same: Vec<Place> = (0..model.places as Place).collect();
        let moves: Vec<&[Place]> =
            model.moves.iter().map(|each_move| &each_move.image[..]).chain(std::iter::once(&same[..])).collect();
        let mut codes = vec![0; views.len() * moves.len() * 256];
        for ((view, each_move), row) in views
            .iter()
            .flat_map(|view| moves.iter().map(move |each_move| (view, each_move)))
            .zip(codes.chunks_mut(256))
        {
            for (code, &to) in row.iter_mut().zip(*each_move) {
                let color = colors[usize::from(view[usize::from(to)])];
                *code = leading.code(color) | rest.code(color) << 4;
            }
        }
        let image = |each_move: &&[Place]| {
            let mut image = [0; 256];
            image.iter_mut().zip(*each_move).for_each(|(image, &to)| *image = to as u8);
            image
        };
        let images = moves.iter().map(image).collect();
        // The move is in the subgroup of the view: it exchanges labels of the same colour, or whole colours.
        let keeps = |view: &[Place], each_move: &[Place]| {
            let color = |place: usize| colors[usize::from(view[place])];
            let is_exchanged = |map: &Vec<Color>| {
                (0..model.places).all(|place| color(usize::from(each_move[place])) == map[usize::from(color(place))])
            };
            recolorings.iter().any(is_exchanged)
        };
        let kept = |view: &&[Place]| {
            let first = (0..u32::BITS).zip(&model.moves);
            first.fold(0, |set, (number, each_move)| set | u32::from(keeps(view, &each_move.image)) << number)
        };
        let kept = views.iter().map(kept).collect();
        let most = |reader: &Reader| colors.iter().map(|&color| reader.code(color)).max().unwrap_or(0);
        (most(&leading) < 16 && most(&rest) < 16).then_some(Dual {
            leading,
            rest,
            homes,
            views: numbers,
            codes,
            images,
            kept,
        })
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> u64 {
        self.leading.bytes() + self.rest.bytes() + (self.codes.len() + 256 * self.images.len()) as u64
    }

    /// Returns which of the first moves of a position keep the arrangement of its inverse in a view, as a set of bits.
    #[inline]
    pub fn kept(&self, view: usize) -> u32 {
        self.kept[view]
    }

    /// Returns where the labels are in a position.
    pub fn homes(&self, position: &[Place]) -> Homes {
        let mut homes = [0; MOST_HOMES];
        homes.iter_mut().zip(&self.homes).for_each(|(at, &home)| *at = position[usize::from(home)] as u8);
        homes
    }

    /// Returns where they are after a move.
    #[inline]
    pub fn moved(&self, homes: &Homes, each_move: usize) -> Homes {
        let image = &self.images[each_move];
        let mut moved = *homes;
        moved[..self.homes.len()].iter_mut().for_each(|at| *at = image[usize::from(*at)]);
        moved
    }

    /// Returns the values that the readers have for both parts of the inverse of the position after a move, in a view.
    #[inline]
    pub fn read(&self, homes: &Homes, view: usize, each_move: usize) -> (u32, u32) {
        let (leading, rest) = &self.views[view];
        let from = (view * self.images.len() + each_move) * 256;
        let codes = &self.codes[from..from + 256];
        let code = |number: u8| codes[usize::from(homes[usize::from(number) & (MOST_HOMES - 1)])];
        (self.leading.read(|number| code(leading[number]) & 15), self.rest.read(|number| code(rest[number]) >> 4))
    }
}
