//! Codes of states as integers, and the encoding of a sorted sequence of them: each as the difference from the one
//! before, in as few bytes as possible (LEB128: seven bits per byte, the lowest first).
//!
//! In a layer of a space with a perfect index, codes are dense: a state takes little more than a byte.

use crate::search::random::mixed;
use std::fmt::Debug;
use std::hash::Hash;

/// An element of a sorted sequence: the code of a state, or a pair of codes.
pub(in crate::search) trait StoredCode: Copy + Ord + Debug + Send + Sync + 'static {
    /// The kind of records, as stored in a file header.
    const KIND: u8;
    /// The least value.
    const LEAST: Self;

    /// Appends the encoding of the difference from the previous record.
    fn write(self, before: Self, bytes: &mut Vec<u8>);

    /// Decodes the next record from the front of some bytes; none if they are invalid.
    fn read(before: Self, bytes: &mut &[u8]) -> Option<Self>;

    /// Returns a hash that determines the share that owns the record. It is equal for records of the same state,
    /// usually equal for nearby codes, and otherwise practically random.
    fn partition_hash(self) -> u64;

    /// Returns which of `shares` shares owns the record.
    #[inline]
    fn share(self, shares: usize) -> usize {
        ((u128::from(self.partition_hash()) * shares as u128) >> 64) as usize
    }
}

/// The code of a state: a number that no other state has.
pub(in crate::search) trait Code: StoredCode + Hash {
    fn to_wide(self) -> u128;

    /// Converts a wide code; none if the number is too large.
    fn from_wide(number: u128) -> Option<Self>;
}

macro_rules! whole_number {
    ($number:ty, $kind:literal) => {
        impl StoredCode for $number {
            const KIND: u8 = $kind;
            const LEAST: $number = 0;

            #[inline]
            fn write(self, before: $number, bytes: &mut Vec<u8>) {
                let mut rest = self.wrapping_sub(before);
                while rest >= 0x80 {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
            }

            #[inline]
            fn read(before: $number, bytes: &mut &[u8]) -> Option<$number> {
                let (mut rest, mut shift) = (0, 0);
                loop {
                    let (&byte, behind) = bytes.split_first()?;
                    *bytes = behind;
                    rest |= <$number>::from(byte & 0x7f).checked_shl(shift)?;
                    shift += 7;
                    if byte < 0x80 {
                        return Some(before.wrapping_add(rest));
                    }
                }
            }

            #[inline]
            fn partition_hash(self) -> u64 {
                let above = self >> RUN_BITS;
                mixed(above as u64 ^ mixed((u128::from(above) >> 64) as u64))
            }
        }

        impl Code for $number {
            fn to_wide(self) -> u128 {
                self.into()
            }

            fn from_wide(number: u128) -> Option<$number> {
                number.try_into().ok()
            }
        }
    };
}

whole_number!(u64, 8);
whole_number!(u128, 16);

/// Pairs are ordered by their first parts.
impl<C: Code> StoredCode for (C, C) {
    const KIND: u8 = 2 * C::KIND;
    const LEAST: (C, C) = (C::LEAST, C::LEAST);

    #[inline]
    fn write(self, before: (C, C), bytes: &mut Vec<u8>) {
        self.0.write(before.0, bytes);
        self.1.write(if self.0 == before.0 { before.1 } else { C::LEAST }, bytes);
    }

    #[inline]
    fn read(before: (C, C), bytes: &mut &[u8]) -> Option<(C, C)> {
        let first = C::read(before.0, bytes)?;
        let second = C::read(if first == before.0 { before.1 } else { C::LEAST }, bytes)?;
        Some((first, second))
    }

    #[inline]
    fn partition_hash(self) -> u64 {
        self.0.partition_hash()
    }
}

/// Codes that differ only in this many lowest bits belong to the same share, which keeps differences small.
const RUN_BITS: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<R: StoredCode>(records: &[R]) {
        let mut bytes = Vec::new();
        let mut before = R::LEAST;
        for &record in records {
            record.write(before, &mut bytes);
            before = record;
        }
        let (mut rest, mut before) = (&bytes[..], R::LEAST);
        for &record in records {
            before = R::read(before, &mut rest).expect("it was written");
            assert_eq!(before, record);
        }
        assert!(rest.is_empty());
        assert_eq!(R::read(before, &mut rest), None, "there is no more");
    }

    #[test]
    fn records_are_read_back_as_written() {
        round_trip(&[0, 1, 127, 128, 300, 1 << 40, u64::MAX - 1, u64::MAX]);
        round_trip(&[0, 5, u128::from(u64::MAX), 1 << 70, u128::MAX]);
        round_trip(&[(0, 7), (0, 9), (1, 0), (1, u64::MAX), (300, 2), (u64::MAX, u64::MAX)]);
        round_trip(&[(3, 1 << 100), (3, u128::MAX), (u128::MAX, 0)]);
    }

    #[test]
    fn partitions_are_even_and_keep_nearby_codes_together() {
        let in_share = |codes: &[u64], share| codes.iter().filter(|code| code.share(3) == share).count();
        let shares = |codes: &[u64]| [0, 1, 2].map(|share| in_share(codes, share));
        let near: Vec<u64> = (0..64_000).collect();
        let far: Vec<u64> = (0..64_000).map(|number| number << 40).collect();
        for share in shares(&near).into_iter().chain(shares(&far)) {
            assert!((19_000..24_000).contains(&share), "{share} of 64,000");
        }
        assert!(
            (640..704_u64).all(|code| code.partition_hash() == 640_u64.partition_hash()),
            "nearby codes share an owner"
        );
        assert_eq!(77_u64.partition_hash(), 77_u128.partition_hash());
        assert_eq!(
            (5_u64, 9).partition_hash(),
            5_u64.partition_hash(),
            "a pair belongs to the owner of its first part"
        );
        assert_ne!(1_u128.partition_hash(), ((1 << 100) + 1_u128).partition_hash(), "all bits count");
    }

    #[test]
    fn unterminated_bytes_are_not_a_record() {
        assert_eq!(u64::read(0, &mut &[0x80; 40][..]), None);
        assert_eq!(u128::read(0, &mut &[0xff; 40][..]), None);
        assert_eq!(u64::read(0, &mut &[][..]), None);
    }
}
