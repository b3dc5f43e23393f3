//! Reading of text files: UTF-16 and the line ends of old Macintosh systems become UTF-8 with line feeds.
//!
//! Everything behind the reader knows one encoding and one line end. The number of a line and of a character in it stay
//! the same, so places of errors are those that an editor shows.

use std::io::{self, BufRead, BufReader, Read};

/// A reader of a text: UTF-8 with lines that end in a line feed.
///
/// UTF-16 is recognised by its byte order mark, which is not passed on. A lone carriage return ends a line where the
/// first line ends in one; elsewhere it stays. Everything else is passed on as it is, valid or not.
#[derive(Debug)]
pub struct TextReader<R> {
    input: BufReader<Decoder<R>>,
    /// Whether lone carriage returns end lines; none before the first line end.
    has_lone_returns: Option<bool>,
}

impl<R: Read> TextReader<R> {
    /// Reads a text from a stream of bytes.
    pub fn new(input: R) -> TextReader<R> {
        TextReader { input: BufReader::new(Decoder::new(input)), has_lone_returns: None }
    }
}

impl<R: Read> Read for TextReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let mut from = 0;
        while self.has_lone_returns != Some(false)
            && let Some(at) = buffer[from..count].iter().position(|byte| matches!(byte, b'\r' | b'\n'))
        {
            let at = from + at;
            let is_lone = buffer[at] == b'\r' && {
                let behind =
                    if at + 1 < count { Some(buffer[at + 1]) } else { self.input.fill_buf()?.first().copied() };
                behind != Some(b'\n')
            };
            if *self.has_lone_returns.get_or_insert(is_lone) && is_lone {
                buffer[at] = b'\n';
            }
            from = at + 1;
        }
        Ok(count)
    }
}

/// An encoding, by the byte order mark.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    /// UTF-8, or any other: the bytes are passed on.
    Bytes,
    Utf16Little,
    Utf16Big,
}

/// A reader that passes bytes on, and turns UTF-16 into UTF-8.
#[derive(Debug)]
struct Decoder<R> {
    input: R,
    /// None before the first bytes are read.
    encoding: Option<Encoding>,
    /// The bytes that were read and not decoded yet: less than a character of UTF-16, or the beginning of other texts.
    undecoded: Vec<u8>,
    /// The decoded bytes that the reader has not passed on yet, the next one last.
    decoded: Vec<u8>,
}

impl<R: Read> Decoder<R> {
    fn new(input: R) -> Decoder<R> {
        Decoder { input, encoding: None, undecoded: Vec::new(), decoded: Vec::new() }
    }

    /// Reads the byte order mark.
    fn begin(&mut self) -> io::Result<Encoding> {
        let mut start = Vec::new();
        self.input.by_ref().take(4).read_to_end(&mut start)?;
        let (encoding, mark) = match start[..] {
            [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => return Err(invalid("is UTF-32 text: save it as UTF-8")),
            [0xff, 0xfe, ..] => (Encoding::Utf16Little, 2),
            [0xfe, 0xff, ..] => (Encoding::Utf16Big, 2),
            _ => (Encoding::Bytes, 0),
        };
        let rest = start.split_off(mark);
        if encoding == Encoding::Bytes {
            self.decoded = rest;
            self.decoded.reverse();
        } else {
            self.undecoded = rest;
        }
        Ok(*self.encoding.insert(encoding))
    }

    /// Decodes the next characters of UTF-16, unless the text ends.
    fn decode(&mut self, unit: fn([u8; 2]) -> u16) -> io::Result<()> {
        let before = self.undecoded.len();
        // An even number, so that a character that is cut is cut between its halves.
        let read = self.input.by_ref().take(1 << 13).read_to_end(&mut self.undecoded)?;
        let (pairs, odd) = self.undecoded.as_chunks();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        let ends = read < 1 << 13;
        // The first half of a character waits for the second.
        let cut = units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) && !ends;
        let whole = units.len() - usize::from(cut);
        if before + read > 0 && ends && !odd.is_empty() {
            return Err(invalid("is not UTF-16 text: it ends in half a character"));
        }
        let text: Result<String, _> = char::decode_utf16(units[..whole].iter().copied()).collect();
        let text = text.map_err(|_| invalid("is not UTF-16 text: half a character stands alone"))?;
        self.undecoded.drain(..2 * whole);
        self.decoded = text.into_bytes();
        self.decoded.reverse();
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.begin()?,
        };
        if self.decoded.is_empty() {
            match encoding {
                Encoding::Bytes => return self.input.read(buffer),
                Encoding::Utf16Little => self.decode(u16::from_le_bytes)?,
                Encoding::Utf16Big => self.decode(u16::from_be_bytes)?,
            }
        }
        let count = buffer.len().min(self.decoded.len());
        for (place, byte) in buffer.iter_mut().zip(self.decoded.drain(self.decoded.len() - count..).rev()) {
            *place = byte;
        }
        Ok(count)
    }
}

fn invalid(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Returns text that follows the name of a file whose reading failed.
#[must_use]
pub fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidData => error.to_string(),
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader of one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    fn read(bytes: &[u8]) -> Result<String, String> {
        let (mut at_once, mut slowly) = (Vec::new(), Vec::new());
        let one = TextReader::new(bytes).read_to_end(&mut at_once).map_err(|error| unread(&error));
        let other = TextReader::new(Slow(bytes)).read_to_end(&mut slowly).map_err(|error| unread(&error));
        assert_eq!((&one, &at_once), (&other, &slowly));
        one.map(|_| String::from_utf8(at_once).expect("the text is UTF-8"))
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    #[test]
    fn all_encodings_of_a_text_are_the_same_text() {
        // Longer than what is decoded at once, with characters of two units at every place.
        for text in ["", "a", "é\n😀\n", &"x😀".repeat(9000), &"😀".repeat(9000)] {
            assert_eq!(read(&utf16(text, u16::to_le_bytes)).as_deref(), Ok(text));
            assert_eq!(read(&utf16(text, u16::to_be_bytes)).as_deref(), Ok(text));
            assert_eq!(read(text.as_bytes()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_text_that_is_no_utf_16_is_refused() {
        let mut odd = utf16("ab", u16::to_le_bytes);
        odd.pop();
        assert_eq!(read(&odd), Err("is not UTF-16 text: it ends in half a character".to_owned()));
        let half = [0xff, 0xfe, 0x3d, 0xd8, b'a', 0];
        assert_eq!(read(&half), Err("is not UTF-16 text: half a character stands alone".to_owned()));
        assert_eq!(read(&half[..4]), Err("is not UTF-16 text: half a character stands alone".to_owned()));
        assert_eq!(read(&[0xff, 0xfe, 0, 0, b'a', 0, 0, 0]), Err("is UTF-32 text: save it as UTF-8".to_owned()));
    }

    #[test]
    fn the_first_line_end_decides_whether_a_lone_return_is_one() {
        assert_eq!(read(b"a\rb\r\rc\r").as_deref(), Ok("a\nb\n\nc\n"));
        assert_eq!(read(b"a\rb\r\nc\n\rd").as_deref(), Ok("a\nb\r\nc\n\nd"));
        assert_eq!(read(b"a\r\nb\rc").as_deref(), Ok("a\r\nb\rc"));
        assert_eq!(read(b"a\nb\rc").as_deref(), Ok("a\nb\rc"));
        assert_eq!(read(&utf16("a\rb", u16::to_le_bytes)).as_deref(), Ok("a\nb"));
        let long = "x".repeat(8191) + "\r\ny\r";
        assert_eq!(read(long.as_bytes()).as_ref(), Ok(&long));
    }
}
