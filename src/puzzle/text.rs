//! The text of a puzzle file.

use crate::domain::open_user_file;
use crate::domain::text::{TextReader, unread};
use std::io::Read;
use std::path::Path;

/// The greatest size of a file; larger files are refused.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Returns the text of a file or a named stream, if it is not too large and in UTF-8. `what` describes the expected
/// file.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String, String> {
    utf8(bytes_of(open_user_file(path, what)?)?)
}

/// The first bytes of files that are no text.
const BINARIES: [(&[u8], &str); 10] = [
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"RIFF", "a WebP picture or a sound"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a file that gzip compressed"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
];

/// Returns why bytes are no text, if they look like something else.
fn binary(bytes: &[u8]) -> Option<String> {
    let found = BINARIES.iter().find(|(start, _)| bytes.starts_with(start) && std::str::from_utf8(bytes).is_err());
    let zeros = bytes.iter().filter(|&&byte| byte == 0).count();
    match found {
        Some((_, kind)) => Some(format!("is not text: it looks like {kind}")),
        None if 3 * zeros > bytes.len() => {
            Some("is not UTF-8 text: it looks like UTF-16 without a byte order mark; save it as UTF-8".to_owned())
        }
        None if zeros > 0 && std::str::from_utf8(bytes).is_ok() => Some("is not text: it has zero bytes".to_owned()),
        None => None,
    }
}

/// Returns bytes as text.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    if let Some(why) = binary(&bytes) {
        return Err(why);
    }
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

/// Returns the bytes of a text, decoded, if they are not too many.
pub(crate) fn bytes_of(stream: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let text = TextReader::new(stream);
    text.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unread(&error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB, the limit", MAX_FILE_BYTES >> 20));
    }
    Ok(bytes)
}
