//! The part of HTTP/1.1 that the studio's page needs: one request a connection, with deadlines and bounded sizes.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The greatest size of a request line with its headers.
const MOST_HEAD: usize = 16 << 10;
/// The greatest size of a body.
pub(super) const MOST_BODY: usize = 16 << 20;
/// The time in which the head of a request must arrive, and its body.
const HEAD_TIME: Duration = Duration::from_secs(3);
const BODY_TIME: Duration = Duration::from_secs(20);
/// The time for which the client may leave a part of the answer unread.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// How much of a refused body is still read, so that the client reads the refusal instead of a reset.
const DRAINED: u64 = 64 << 20;

/// A request, before its body is read.
pub(super) struct Request {
    pub method: String,
    /// The path without the query.
    pub path: String,
    query: BTreeMap<String, String>,
    headers: Vec<(String, String)>,
    /// The bytes of the body that came with the head.
    begun: Vec<u8>,
}

/// An error of the client: the status and the message.
pub(super) struct Refused(pub u16, pub String);

impl Refused {
    pub fn new(status: u16, message: impl Into<String>) -> Refused {
        Refused(status, message.into())
    }
}

impl Request {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// It is malformed, too large, or does not arrive in time.
    pub fn read(stream: &mut TcpStream) -> Result<Request, Refused> {
        let deadline = Instant::now() + HEAD_TIME;
        let mut bytes = Vec::new();
        loop {
            let mut headers = [httparse::EMPTY_HEADER; 64];
            let mut parsed = httparse::Request::new(&mut headers);
            match parsed.parse(&bytes) {
                Ok(httparse::Status::Complete(length)) => {
                    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
                    let headers =
                        parsed.headers.iter().map(|one| (one.name.to_ascii_lowercase(), text(one.value))).collect();
                    let target = parsed.path.unwrap_or_default();
                    let (path, query) = target.split_once('?').unwrap_or((target, ""));
                    return Ok(Request {
                        method: parsed.method.unwrap_or_default().to_owned(),
                        path: path.to_owned(),
                        query: pairs(query)?,
                        headers,
                        begun: bytes.split_off(length),
                    });
                }
                Ok(httparse::Status::Partial) if bytes.len() < MOST_HEAD => {}
                Ok(httparse::Status::Partial) => return Err(Refused::new(431, "the headers are too large")),
                Err(error) => return Err(Refused::new(400, format!("malformed request: {error}"))),
            }
            if !read_some(stream, &mut bytes, MOST_HEAD, deadline)? {
                return Err(Refused::new(400, "the request ends early"));
            }
        }
    }

    /// Returns a header; `None` if it is missing or not unique.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value)
    }

    /// Returns whether there is a header of this name.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }

    /// Returns a value of the query.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// Reads the body.
    ///
    /// # Errors
    /// Its length is unknown or too large, or it does not arrive in time.
    pub fn body(&mut self, stream: &mut TcpStream) -> Result<Vec<u8>, Refused> {
        if self.has("transfer-encoding") {
            return Err(Refused::new(411, "a body needs the header Content-Length"));
        }
        let mut body = std::mem::take(&mut self.begun);
        let length = match self.header("content-length") {
            Some(text) => text.parse().map_err(|_| Refused::new(400, "invalid Content-Length"))?,
            None if self.has("content-length") => return Err(Refused::new(400, "two lengths of the body")),
            None => 0,
        };
        if length > MOST_BODY {
            // Otherwise the client meets a reset before it reads the refusal.
            let _ = stream.set_read_timeout(Some(HEAD_TIME));
            let _ = io::copy(&mut (&mut *stream).take((length as u64).min(DRAINED)), &mut io::sink());
            return Err(Refused::new(413, format!("a body has at most {} MiB", MOST_BODY >> 20)));
        }
        let deadline = Instant::now() + BODY_TIME;
        while body.len() < length {
            if !read_some(stream, &mut body, length, deadline)? {
                return Err(Refused::new(400, "the body ends early"));
            }
        }
        body.truncate(length);
        Ok(body)
    }
}

/// Reads what is there, up to `most` bytes in all. Returns false at the end of the stream.
fn read_some(stream: &mut TcpStream, bytes: &mut Vec<u8>, most: usize, deadline: Instant) -> Result<bool, Refused> {
    let late = || Refused::new(408, "the request takes too long");
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or_else(late)?;
    let mut part = [0; 16 << 10];
    let room = part.len().min(most.saturating_sub(bytes.len()).max(1));
    let read = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut part[..room]));
    match read {
        Ok(length) => {
            bytes.extend_from_slice(&part[..length]);
            Ok(length > 0)
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
        Err(_) => Err(late()),
    }
}

/// Reads the pairs of a query.
fn pairs(query: &str) -> Result<BTreeMap<String, String>, Refused> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        Some((decoded(name)?, decoded(value)?))
    };
    let pairs: Option<_> = query.split('&').filter(|part| !part.is_empty()).map(pair).collect();
    pairs.ok_or_else(|| Refused::new(400, "malformed query"))
}

/// Decodes percent signs and pluses; `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
                u8::from_str_radix(std::str::from_utf8(&digits).ok().filter(|_| is_hex)?, 16).ok()?
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The headers of every answer: nothing is kept, guessed, framed by others, or named to others.
const HEADERS: &str = "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
                       Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n";

/// Begins an answer, whose body ends with the connection if its length is not known.
pub(super) fn begin(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    length: Option<usize>,
    more: &str,
) -> io::Result<()> {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    let head = format!("HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n{length}{HEADERS}{more}\r\n");
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.write_all(head.as_bytes())
}

/// Sends a whole answer.
pub(super) fn send(stream: &mut TcpStream, status: u16, kind: &str, body: &[u8], more: &str) -> io::Result<()> {
    begin(stream, status, kind, Some(body.len()), more)?;
    stream.write_all(body)?;
    end(stream)
}

/// Ends an answer.
pub(super) fn end(stream: &mut TcpStream) -> io::Result<()> {
    stream.flush()?;
    stream.shutdown(Shutdown::Write)
}

/// Waits for a moment. Returns whether the client is still there.
pub(super) fn is_open(stream: &TcpStream, wait: Duration) -> bool {
    let seen = stream.set_read_timeout(Some(wait)).and_then(|()| stream.peek(&mut [0]));
    match seen {
        Ok(0) => false,
        Ok(_) => {
            std::thread::sleep(wait);
            true
        }
        Err(error) => {
            matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let read = |text| pairs(text).ok().map(|pairs| pairs.into_iter().collect::<Vec<_>>());
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(read("a=b%20c&d=%C3%A4+e"), Some(vec![pair("a", "b c"), pair("d", "ä e")]));
        assert_eq!(read("a"), Some(vec![pair("a", "")]));
        for wrong in ["a=%", "a=%2", "a=%zz", "a=%ff", "a=%+1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
