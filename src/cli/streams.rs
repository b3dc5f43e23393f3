//! Standard output and standard error: everything that the program prints passes through this module.
//!
//! Text from files, and names of files, may have characters that control a terminal, change the direction of text or
//! cannot be seen. The writer replaces each by an escape such as `\u009B`. The game on the whole screen places its text
//! itself, so its parts are [`printable`](crate::diagnostic::printable) before; whatever they leave in a cell of the
//! screen, [`guard`] replaces. Only the line of progress (`progress.rs`) writes to a terminal itself.

use crate::diagnostic::{is_hidden, push_escape, steers};
use ratatui::buffer::Buffer;
use std::io::{self, Write};

/// Replaces what the cells of a screen have of hidden characters by `?`: an escape would move the cells behind it.
pub(super) fn guard(screen: &mut Buffer) {
    for cell in screen.content.iter_mut().filter(|cell| cell.symbol().contains(|c| is_hidden(c) || steers(c))) {
        cell.set_symbol("?");
    }
}

/// Standard output.
pub(super) fn stdout() -> Printed<io::Stdout> {
    Printed::new(io::stdout())
}

/// Standard error.
pub(super) fn stderr() -> Printed<io::Stderr> {
    Printed::new(io::stderr())
}

/// The content of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Content {
    #[default]
    Text,
    /// Text that the program colours: escape sequences of styles are printed as they are.
    Styled,
    /// An image.
    Bytes,
}

impl Content {
    /// Returns `Styled` if the program colours its text.
    pub fn styled(has_colours: bool) -> Content {
        if has_colours { Content::Styled } else { Content::Text }
    }
}

/// A writer that escapes hidden characters.
pub(super) struct Printed<W> {
    out: W,
    pub content: Content,
    /// The beginning of a character or of a sequence that is not complete yet.
    rest: Vec<u8>,
}

impl<W> Printed<W> {
    pub fn new(out: W) -> Printed<W> {
        Printed { out, content: Content::default(), rest: Vec::new() }
    }

    /// Sets the content of all that follows.
    pub fn of(self, content: Content) -> Printed<W> {
        Printed { content, ..self }
    }
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if self.content == Content::Bytes || self.rest.is_empty() && bytes.iter().all(is_plain) {
            return self.out.write(bytes);
        }
        self.rest.extend_from_slice(bytes);
        let (text, read) = escaped(&self.rest, self.content == Content::Styled);
        self.rest.drain(..read);
        self.out.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns the text to print for these bytes, and the number of bytes that it stands for: the rest is the beginning of
/// what may follow.
fn escaped(bytes: &[u8], has_styles: bool) -> (String, usize) {
    let mut out = String::with_capacity(bytes.len());
    let mut read = 0;
    for chunk in bytes.utf8_chunks() {
        let mut text = chunk.valid();
        while let Some(first) = text.chars().next() {
            let is_last = read + text.len() == bytes.len();
            let length = match kept(text, has_styles) {
                None if is_last && is_unfinished(text, has_styles) => return (out, read),
                None => {
                    push_escape(&mut out, first);
                    first.len_utf8()
                }
                Some(length) => {
                    out += &text[..length];
                    length
                }
            };
            text = &text[length..];
            read += length;
        }
        let invalid = chunk.invalid();
        let may_continue = std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
        if may_continue && read + invalid.len() == bytes.len() {
            break;
        }
        if !invalid.is_empty() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
        read += invalid.len();
    }
    (out, read)
}

/// Returns the length of the beginning of a text that is printed as it is; `None` if its first character is escaped.
fn kept(text: &str, has_styles: bool) -> Option<usize> {
    match text.chars().next()? {
        '\r' => text.starts_with("\r\n").then_some(2),
        '\x1b' => {
            if has_styles {
                style(text)
            } else {
                None
            }
        }
        first => (!is_hidden(first)).then_some(first.len_utf8()),
    }
}

/// Returns the length of the escape sequence of a style with which a text begins.
fn style(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\x1b[")?;
    let length = codes.find(is_no_code)?;
    codes[length..].starts_with('m').then_some("\x1b[m".len() + length)
}

/// Returns whether a text may be the beginning of a line end or of a style.
fn is_unfinished(text: &str, has_styles: bool) -> bool {
    let is_style = text == "\x1b" || text.strip_prefix("\x1b[").is_some_and(|codes| !codes.contains(is_no_code));
    text == "\r" || has_styles && is_style
}

fn is_no_code(letter: char) -> bool {
    !letter.is_ascii_digit() && letter != ';'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints bytes in pieces of this length.
    fn printed(bytes: &[u8], content: Content, piece: usize) -> String {
        let mut out = Vec::new();
        let mut writer = Printed::new(&mut out).of(content);
        bytes.chunks(piece).for_each(|piece| writer.write_all(piece).expect("memory is writable"));
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn hidden_characters_are_escaped_however_the_text_is_cut() {
        let text = "a\u{9b}31m é\u{202e}\t華\u{200b}\u{200d}\u{feff}\u{e0041}\r\nb\rc \u{1b}[1mbold\u{1b}[0m\u{1b}]0;x\u{7} ❤\u{fe0f}\n";
        let plain = "a\\u009B31m é\\u202E\t華\\u200B\\u200D\\uFEFF\\U000E0041\r\nb\\u000Dc \\u001B[1mbold\\u001B[0m\\u001B]0;x\\u0007 ❤\u{fe0f}\n";
        let styled = plain.replace("\\u001B[", "\u{1b}[");
        for piece in [1, 2, 3, 7, 1000] {
            assert_eq!(printed(text.as_bytes(), Content::Text, piece), plain, "pieces of {piece}");
            assert_eq!(printed(text.as_bytes(), Content::Styled, piece), styled, "pieces of {piece}");
        }
    }

    #[test]
    fn no_cell_of_the_screen_has_a_hidden_character() {
        let mut screen = Buffer::with_lines(["abcdef"]);
        for (at, symbol) in ["\u{9b}", "\n", "e\u{202e}", "\u{1b}[2J", "é"].into_iter().enumerate() {
            screen.content[at].set_symbol(symbol);
        }
        guard(&mut screen);
        let shown: String = screen.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(shown, "????éf");
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_unless_they_are_an_image() {
        for piece in [1, 4] {
            assert_eq!(
                printed(b"a\x9bb\xff\xe2\x82c\xe2\x82\xac", Content::Text, piece),
                "a\u{fffd}b\u{fffd}\u{fffd}c€"
            );
        }
        let mut out = Vec::new();
        Printed::new(&mut out).of(Content::Bytes).write_all(b"\x89PNG\r\x1b\n").expect("memory is writable");
        assert_eq!(out, b"\x89PNG\r\x1b\n");
    }
}
