//! Boards as keys: the bits that may differ from the start, packed.
//!
//! A bit is an object in a cell. It is left out if nothing can put the object into the cell or take it out.

/// Where the bits of one word of a board are in a key.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The index of the word on the board.
    word: usize,
    /// The bits that may change.
    mask: u64,
    /// The first bit in the key. A field lies within one word of it.
    shift: usize,
}

/// The layout of keys.
#[derive(Debug)]
pub(super) struct Packing {
    fields: Vec<Field>,
    /// The field of each word of a board; a number beyond all fields if none of its bits may change.
    field_of: Vec<u32>,
    /// The start, from which bits that cannot change are taken.
    start: Vec<u64>,
    bits: usize,
}

const NONE: u32 = u32::MAX;

impl Packing {
    /// Returns the layout for the boards of a level that begins with `start`, from which only the bits of `changing` may
    /// differ.
    pub fn new(start: &[u64], changing: &[u64]) -> Packing {
        let (mut fields, mut field_of, mut bits) = (Vec::new(), vec![NONE; start.len()], 0);
        for (word, (field, &mask)) in field_of.iter_mut().zip(changing).enumerate() {
            let count = mask.count_ones() as usize;
            if count == 0 {
                continue;
            }
            if bits % 64 + count > 64 {
                bits = bits.next_multiple_of(64);
            }
            *field = fields.len() as u32;
            fields.push(Field { word, mask, shift: bits });
            bits += count;
        }
        Packing { fields, field_of, start: start.to_vec(), bits }
    }

    /// Returns the number of bits of a packed board.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Packs a board. Returns the words of its key, and whether the key is exact: only bits that may change differ from
    /// the start.
    pub fn pack(&self, board: &[u64]) -> (Vec<u64>, bool) {
        let mut key = vec![0; self.words()];
        for &Field { word, mask, shift } in &self.fields {
            key[shift / 64] |= compress(self.start[word], mask) << (shift % 64);
        }
        let is_exact = self.repack(&self.start, board, &mut key);
        (key, is_exact)
    }

    /// Turns the key of the board `from` into that of the board `to`. Returns whether it is exact.
    pub fn repack(&self, from: &[u64], to: &[u64], key: &mut [u64]) -> bool {
        let mut is_exact = true;
        for (word, (&old, &new)) in from.iter().zip(to).enumerate().filter(|(_, (old, new))| old != new) {
            let Some(field) = self.fields.get(self.field_of[word] as usize) else {
                is_exact = false;
                continue;
            };
            is_exact &= (old ^ new) & !field.mask == 0;
            key[field.shift / 64] ^= compress(old ^ new, field.mask) << (field.shift % 64);
        }
        is_exact
    }

    /// Unpacks a key into a board.
    pub fn unpack(&self, key: &[u64], board: &mut Vec<u64>) {
        board.clone_from(&self.start);
        for &Field { word, mask, shift } in &self.fields {
            board[word] = board[word] & !mask | expand(key[shift / 64] >> (shift % 64), mask);
        }
    }

    /// Returns the words that a key of one board takes.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64)
    }
}

/// Moves the bits under a mask to the lowest places.
fn compress(bits: u64, mut mask: u64) -> u64 {
    let (mut packed, mut place) = (0, 0);
    while mask != 0 {
        packed |= (bits >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    packed
}

/// Moves the lowest bits to the places under a mask: the inverse of [`compress`].
fn expand(mut packed: u64, mut mask: u64) -> u64 {
    let mut bits = 0;
    while mask != 0 {
        bits |= (packed & 1) << mask.trailing_zeros();
        packed >>= 1;
        mask &= mask - 1;
    }
    bits
}
