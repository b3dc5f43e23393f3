//! In-memory forms of positions. Puzzles of up to 64 members store places as bytes in an array, packed into a word for
//! tables if they fit. Larger ones store lists of 16-bit numbers.

use super::images::Place;
use super::model::Model;
use crate::search::Stored;

/// An in-memory form of positions.
pub(super) trait Representation: Send + Sync + 'static {
    /// The place of each member.
    type Places: Clone + Send + Sync;
    /// A position in a table: the members of an item are sorted by place.
    type Key: Stored<u32>;
    /// A move: for each place, the place that its label moves to.
    type Image: Send + Sync;
    /// The data that undoes a move, beside its inverse.
    type Undo: Send;

    /// Returns whether the form fits a puzzle.
    fn holds(model: &Model) -> bool;
    fn image(image: &[Place], packing: &Packing) -> Self::Image;
    fn board(places: &[Place]) -> Self::Places;
    fn place(board: &Self::Places, member: usize) -> usize;
    fn apply(board: &mut Self::Places, image: &Self::Image) -> Self::Undo;
    fn undo(board: &mut Self::Places, undo: Self::Undo, inverse: &Self::Image);
    /// Returns the image of a place under a move.
    fn to(image: &Self::Image, place: usize) -> usize;
    fn pack(board: &Self::Places, packing: &Packing) -> Self::Key;
    fn unpack(key: &Self::Key, packing: &Packing) -> Self::Places;

    /// Returns the packed position after a move.
    #[inline]
    fn child(board: &Self::Places, image: &Self::Image, packing: &Packing) -> Self::Key {
        let mut board = board.clone();
        Self::apply(&mut board, image);
        Self::pack(&board, packing)
    }

    fn heap_bytes(_packing: &Packing) -> usize {
        0
    }
}

/// The greatest size of the packed images of all moves, in entries: they are to stay in the caches.
const MOST_ENTRIES: usize = 1 << 14;

/// The parameters of packing for a puzzle.
pub(super) struct Packing {
    /// For each member, the first place of its orbit, and the number of bits of a place in it.
    fields: Vec<(Place, u32)>,
    /// The members of items with several members.
    several: Vec<std::ops::Range<usize>>,
    /// For each member, what its place plus this is: its number in a [packed image](PackedImage). Empty if several
    /// members are alike, since these are sorted, or if all images together are too large.
    rows: Vec<u32>,
}

/// A move on packed positions.
pub(super) struct PackedImage<K> {
    /// For each place, the place that its label moves to.
    to: [u8; 256],
    /// For each member and place, the bits of the place that the member moves to: or-ed, they are the position after
    /// the move. Empty if the packing has no rows.
    bits: Box<[K]>,
}

impl Packing {
    pub fn new(model: &Model) -> Packing {
        let field = |item: &super::model::Item| {
            let orbit = model.orbits[item.orbit];
            let bits = usize::BITS - (orbit.blocks * orbit.size - 1).leading_zeros();
            std::iter::repeat_n((orbit.first as Place, bits), item.count)
        };
        let fields: Vec<(Place, u32)> = model.items.iter().flat_map(field).collect();
        let several = model.items.iter().filter(|item| item.count > 1);
        let several: Vec<_> = several.map(|item| item.first..item.first + item.count).collect();
        let mut entries = 0;
        let row = |&(first, bits): &(Place, u32)| {
            let row = (entries as u32).wrapping_sub(first.into());
            entries += 1_usize << bits;
            row
        };
        let mut rows: Vec<u32> = fields.iter().map(row).collect();
        if !several.is_empty() || entries * model.moves.len() > MOST_ENTRIES {
            rows.clear();
        }
        Packing { fields, several, rows }
    }

    fn bits(&self) -> u32 {
        self.fields.iter().map(|(_, bits)| bits).sum()
    }
}

/// Up to 16 members, packed into 64 bits.
pub(super) struct Small;

/// Up to 32 members, packed into 128 bits.
pub(super) struct Medium;

/// Up to 64 members, stored as bytes in tables as well.
pub(super) struct Wide;

/// Any number of members.
pub(super) struct Large;

/// The place of absent members: no move changes it.
const NOWHERE: usize = 255;

/// Returns for each place, as a byte, the place that its label moves to.
fn bytes(image: &[Place]) -> [u8; 256] {
    let mut to = std::array::from_fn(|place| place as u8);
    to.iter_mut().zip(image).for_each(|(to, &place)| *to = place as u8);
    to
}

macro_rules! packed {
    ($name:ident, $key:ty, $members:expr) => {
        impl Representation for $name {
            type Places = [u8; $members];
            type Key = $key;
            type Image = PackedImage<$key>;
            type Undo = [u8; $members];

            fn holds(model: &Model) -> bool {
                model.members() <= $members && model.places <= NOWHERE && Packing::new(model).bits() <= <$key>::BITS
            }

            fn image(image: &[Place], packing: &Packing) -> Self::Image {
                let mut bits = Vec::new();
                if !packing.rows.is_empty() {
                    let mut shift = packing.bits();
                    for &(first, width) in &packing.fields {
                        shift -= width;
                        // No member has the places after those of its orbit.
                        let to = |place: usize| image.get(place).map_or(0, |to| to.wrapping_sub(first));
                        // The first member has no bits if its orbit is one place.
                        let shifted = |to: Place| <$key>::from(to).checked_shl(shift).unwrap_or(0);
                        bits.extend((usize::from(first)..).take(1 << width).map(to).map(shifted));
                    }
                }
                PackedImage { to: bytes(image), bits: bits.into() }
            }

            fn board(places: &[Place]) -> Self::Places {
                let mut board = [NOWHERE as u8; $members];
                board.iter_mut().zip(places).for_each(|(byte, &place)| *byte = place as u8);
                board
            }

            #[inline]
            fn place(board: &Self::Places, member: usize) -> usize {
                usize::from(board[member & ($members - 1)])
            }

            #[inline]
            fn apply(board: &mut Self::Places, image: &Self::Image) -> Self::Undo {
                let before = *board;
                for byte in board {
                    *byte = image.to[usize::from(*byte)];
                }
                before
            }

            #[inline]
            fn undo(board: &mut Self::Places, before: Self::Undo, _inverse: &Self::Image) {
                *board = before;
            }

            #[inline]
            fn to(image: &Self::Image, place: usize) -> usize {
                usize::from(image.to[place & 255])
            }

            #[inline]
            fn child(board: &Self::Places, image: &Self::Image, packing: &Packing) -> $key {
                if packing.rows.is_empty() {
                    let mut board = *board;
                    Self::apply(&mut board, image);
                    return Self::pack(&board, packing);
                }
                let bits = |(&row, &place): (&u32, &u8)| image.bits[row.wrapping_add(place.into()) as usize];
                packing.rows.iter().zip(board).map(bits).fold(0, |key, bits| key | bits)
            }

            #[inline]
            fn pack(board: &Self::Places, packing: &Packing) -> $key {
                let mut board = *board;
                packing.several.iter().for_each(|several| board[several.clone()].sort_unstable());
                let fields = packing.fields.iter().zip(board);
                fields.fold(0, |key: $key, (&(first, bits), place)| key << bits | <$key>::from(place - first as u8))
            }

            #[inline]
            fn unpack(key: &$key, packing: &Packing) -> Self::Places {
                let (mut key, mut board) = (*key, [NOWHERE as u8; $members]);
                for (&(first, bits), byte) in packing.fields.iter().zip(&mut board).rev() {
                    *byte = (key & ((1 << bits) - 1)) as u8 + first as u8;
                    key >>= bits;
                }
                board
            }
        }
    };
}

packed!(Small, u64, 16);
packed!(Medium, u128, 32);

impl Representation for Wide {
    type Places = [u8; 64];
    type Key = [u64; 8];
    type Image = [u8; 256];
    type Undo = [u8; 64];

    fn holds(model: &Model) -> bool {
        model.members() <= 64 && model.places <= NOWHERE
    }

    fn image(image: &[Place], _packing: &Packing) -> [u8; 256] {
        bytes(image)
    }

    fn board(places: &[Place]) -> [u8; 64] {
        let mut board = [NOWHERE as u8; 64];
        board.iter_mut().zip(places).for_each(|(byte, &place)| *byte = place as u8);
        board
    }

    #[inline]
    fn place(board: &[u8; 64], member: usize) -> usize {
        usize::from(board[member & 63])
    }

    #[inline]
    fn apply(board: &mut [u8; 64], image: &[u8; 256]) -> [u8; 64] {
        let before = *board;
        board.iter_mut().for_each(|byte| *byte = image[usize::from(*byte)]);
        before
    }

    #[inline]
    fn undo(board: &mut [u8; 64], before: [u8; 64], _inverse: &[u8; 256]) {
        *board = before;
    }

    #[inline]
    fn to(image: &[u8; 256], place: usize) -> usize {
        usize::from(image[place & 255])
    }

    #[inline]
    fn pack(board: &[u8; 64], packing: &Packing) -> [u64; 8] {
        let mut board = *board;
        packing.several.iter().for_each(|several| board[several.clone()].sort_unstable());
        let (words, _) = board.as_chunks();
        std::array::from_fn(|word| u64::from_le_bytes(words[word]))
    }

    #[inline]
    fn unpack(key: &[u64; 8], _packing: &Packing) -> [u8; 64] {
        std::array::from_fn(|member| (key[member / 8] >> (member % 8 * 8)) as u8)
    }
}

impl Representation for Large {
    type Places = Box<[Place]>;
    /// Four places in a word.
    type Key = Box<[u64]>;
    type Image = Box<[Place]>;
    type Undo = ();

    fn holds(_model: &Model) -> bool {
        true
    }

    fn image(image: &[Place], _packing: &Packing) -> Box<[Place]> {
        image.into()
    }

    fn board(places: &[Place]) -> Box<[Place]> {
        places.into()
    }

    #[inline]
    fn place(board: &Box<[Place]>, member: usize) -> usize {
        usize::from(board[member])
    }

    #[inline]
    fn apply(board: &mut Box<[Place]>, image: &Box<[Place]>) {
        board.iter_mut().for_each(|place| *place = image[usize::from(*place)]);
    }

    #[inline]
    fn undo(board: &mut Box<[Place]>, (): (), inverse: &Box<[Place]>) {
        Large::apply(board, inverse);
    }

    #[inline]
    fn to(image: &Box<[Place]>, place: usize) -> usize {
        usize::from(image[place])
    }

    fn pack(board: &Box<[Place]>, packing: &Packing) -> Box<[u64]> {
        let mut board = board.clone();
        packing.several.iter().for_each(|several| board[several.clone()].sort_unstable());
        let word = |four: &[Place]| four.iter().rev().fold(0, |word, &place| word << Place::BITS | u64::from(place));
        board.chunks(4).map(word).collect()
    }

    fn unpack(key: &Box<[u64]>, packing: &Packing) -> Box<[Place]> {
        let places = key.iter().flat_map(|&word| [0, 1, 2, 3].map(|place| (word >> (place * Place::BITS)) as Place));
        places.take(packing.fields.len()).collect()
    }

    fn heap_bytes(packing: &Packing) -> usize {
        packing.fields.len().div_ceil(4) * size_of::<u64>()
    }
}
