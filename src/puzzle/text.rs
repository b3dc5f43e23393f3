//! The text of a puzzle file.

use crate::domain::open_user_file;
use std::io::Read;
use std::path::Path;

/// The greatest size of a file; larger files are refused.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Returns the text of a file or a named stream, if it is not too large and in UTF-8. `what` describes the expected
/// file.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String, String> {
    utf8(bytes_of(open_user_file(path, what)?)?)
}

/// Returns bytes as text.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("is not UTF-8 text: line {line} has invalid bytes")
    })
}

/// Returns the text of a file in another format, which may be older than UTF-8.
pub(crate) fn read_decoded(path: &Path, what: &str) -> Result<String, String> {
    Ok(decoded(bytes_of(open_user_file(path, what)?)?))
}

/// Returns bytes as text: as UTF-8 if that is valid, otherwise as Latin-1, in which every byte is a character.
pub(crate) fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

/// Returns the bytes of a stream, if they are not too many.
pub(crate) fn bytes_of(stream: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB, the limit", MAX_FILE_BYTES >> 20));
    }
    Ok(bytes)
}
