//! Fields of fewer than 64 bits in the words of a key.

/// Returns the bits of a field that begins at bit `from`.
#[must_use]
pub fn bits(key: &[u64], from: usize, width: usize) -> u64 {
    let (word, shift) = (from / 64, from % 64);
    let low = key[word] >> shift;
    let all = if shift + width > 64 { low | key[word + 1] << (64 - shift) } else { low };
    all & ((1 << width) - 1)
}

/// Replaces the bits of a field that begins at bit `from`.
pub fn set_bits(key: &mut [u64], from: usize, width: usize, value: u64) {
    let (word, shift) = (from / 64, from % 64);
    let mask = (1 << width) - 1;
    key[word] = key[word] & !(mask << shift) | value << shift;
    if shift + width > 64 {
        let shift = 64 - shift;
        key[word + 1] = key[word + 1] & !(mask >> shift) | value >> shift;
    }
}
