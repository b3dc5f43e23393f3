//! The messages of the base protocol: a header with the length, an empty line, JSON. A bad message is reported and
//! skipped, so that one mistake of a client does not end its session; lengths are bounded before anything is allocated.

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// The greatest length of a message in bytes: twice that of the largest puzzle file, as JSON escapes line ends.
const MOST: u64 = 32 << 20;

/// The greatest length of a line of a header.
const MOST_LINE: u64 = 4 << 10;

/// Reads the next message. `Some(Err(…))` is a bad one, behind which the next may be read; `None` is the end.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Value, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MOST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let Some(length) = length else { return Ok(Some(Err("the header has no `Content-Length`".to_owned()))) };
    if length > MOST {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Err(format!("the message is longer than {MOST} bytes"))));
    }
    let mut body = Vec::new();
    if (input.by_ref().take(length).read_to_end(&mut body)? as u64) < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&body).map_err(|error| format!("the message is not JSON: {error}"))))
}

/// Writes a message.
pub(super) fn write(out: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_messages_are_skipped() {
        let mut bytes = Vec::new();
        write(&mut bytes, &serde_json::json!({"a": "ä"})).expect("memory");
        bytes.extend(b"Content-Length: 4\r\n\r\n{,,}");
        bytes.extend(b"Nothing\r\n\r\n");
        bytes.extend(b"content-length: 99999999999999999999\r\n\r\n");
        bytes.extend(b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}");
        bytes.extend(b"Content-Length: 9\r\n\r\n{}");
        let mut input = &bytes[..];
        let mut next = || read(&mut input).expect("memory");
        assert_eq!(next(), Some(Ok(serde_json::json!({"a": "ä"}))));
        assert!(matches!(next(), Some(Err(error)) if error.contains("not JSON")));
        assert!(matches!(next(), Some(Err(_))));
        assert!(matches!(next(), Some(Err(_))));
        assert_eq!(next(), Some(Ok(serde_json::json!({}))));
        assert_eq!(next(), None, "cut off");
        let long = format!("Content-Length: {}\r\n\r\n", MOST + 1);
        let mut input = io::BufReader::new(
            long.as_bytes().chain(io::repeat(b' ').take(MOST + 1)).chain(&b"Content-Length: 2\r\n\r\n{}"[..]),
        );
        assert!(matches!(read(&mut input).expect("memory"), Some(Err(error)) if error.contains("longer")));
        assert_eq!(read(&mut input).expect("memory"), Some(Ok(serde_json::json!({}))));
    }
}
