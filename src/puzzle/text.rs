//! The text of a puzzle file.

use crate::domain::open_user_file;
use std::io::Read;
use std::path::Path;

/// Larger files are refused.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The text of a file, if it is one, of a size that is read, in UTF-8; `what` is what it is to be.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String, String> {
    text_of(open_user_file(path, what)?)
}

/// The text of a stream, of a size that is read, in UTF-8.
pub(crate) fn text_of(stream: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB, the limit", MAX_FILE_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("is not UTF-8 text: line {line} has invalid bytes")
    })
}
