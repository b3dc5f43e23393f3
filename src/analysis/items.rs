//! The headers, keys and values of a TOML text with their paths, in one pass over its tokens. The text may be invalid, as
//! it is while somebody writes it: whatever its beginning is, the items of the lines behind a mistake are found.

use std::borrow::Cow;
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A key in the header of a table.
    Header,
    /// A key before `=`.
    Key,
    /// A string, a number or another value that is no table or array.
    Value,
}

/// A key or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind.
    pub kind: ItemKind,
    /// The keys from the top of the file, the own one included. Elements of arrays have the path of the array.
    pub path: Vec<String>,
    /// The bytes of the key or the value.
    pub span: Range<usize>,
    /// The number of headers before, so that tables of the same path are distinct.
    pub table: usize,
}

impl Item {
    /// Returns the bytes between the quotes of a string, or of all of another value. A line end right behind three
    /// opening quotes is not part of the string.
    #[must_use]
    pub fn inner(&self, text: &str) -> Range<usize> {
        let raw = &text[self.span.clone()];
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        if !raw.starts_with(['"', '\'']) {
            return self.span.clone();
        }
        let mark = &raw[..quotes];
        let rest = &raw[quotes..];
        let line_end = match quotes {
            3 => ["\r\n", "\n"].iter().find(|end| rest.starts_with(**end)).map_or(0, |end| end.len()),
            _ => 0,
        };
        let end = if raw.len() >= 2 * quotes && raw.ends_with(mark) { quotes } else { 0 };
        let start = self.span.start + quotes + line_end;
        start..(self.span.end - end).max(start)
    }

    /// Returns whether the path begins with these keys.
    #[must_use]
    pub fn is_below(&self, keys: &[&str]) -> bool {
        self.path.len() >= keys.len() && self.path.iter().zip(keys).all(|(own, key)| own == key)
    }
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A key of the table `path`.
    Key,
    /// The value of the key `path`.
    Value,
    /// The header of a table below `path`.
    Header,
    /// A comment.
    Nothing,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// What may stand there.
    pub expected: Expected,
    /// The path of the table or of the value.
    pub path: Vec<String>,
    /// The bytes that are written already, such as the beginning of a key.
    pub written: Range<usize>,
    /// The number of headers before.
    pub table: usize,
    /// True if an inline table or an array is open there.
    pub is_inline: bool,
}

/// The items of a text, in its order.
pub struct Items(Vec<Item>);

/// The state of the pass.
#[derive(Default)]
struct Scan {
    items: Vec<Item>,
    /// The path of the header that the lines are below.
    header: Vec<String>,
    tables: usize,
    /// The open arrays and inline tables, each with the path that it is the value of; true for an inline table.
    open: Vec<(bool, Vec<String>)>,
    /// The dotted key that is being read.
    key: Vec<String>,
    is_header: bool,
    is_value: bool,
}

impl Scan {
    /// Returns the path of the table that a key is in.
    fn base(&self) -> &[String] {
        match self.open.last() {
            Some((_, path)) => path,
            None if self.is_header => &[],
            None => &self.header,
        }
    }

    fn path(&self) -> Vec<String> {
        [self.base(), &self.key].concat()
    }

    fn is_in_array(&self) -> bool {
        self.open.last().is_some_and(|(is_table, _)| !is_table)
    }

    fn take(&mut self, token: Token, source: &Source) {
        let span = token.span().start()..token.span().end();
        let is_key = !self.is_value && !self.is_in_array();
        match token.kind() {
            TokenKind::Newline if self.open.iter().all(|(is_table, _)| *is_table) => {
                // An inline table ends with its line, if it was not closed.
                self.open.clear();
                self.end_header();
                (self.is_value, self.key) = (false, Vec::new());
            }
            TokenKind::LeftSquareBracket if is_key && self.open.is_empty() && self.key.is_empty() => {
                if !self.is_header {
                    self.tables += 1;
                }
                self.is_header = true;
            }
            TokenKind::RightSquareBracket if self.is_header => self.end_header(),
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                let is_table = token.kind() == TokenKind::LeftCurlyBracket;
                let path = self.path();
                self.open.push((is_table, path));
                (self.is_value, self.key) = (false, Vec::new());
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                self.open.pop();
                // What follows belongs to the value that was closed.
                (self.is_value, self.key) = (true, Vec::new());
            }
            TokenKind::Comma => (self.is_value, self.key) = (false, Vec::new()),
            TokenKind::Equals => self.is_value = true,
            TokenKind::Atom
            | TokenKind::BasicString
            | TokenKind::LiteralString
            | TokenKind::MlBasicString
            | TokenKind::MlLiteralString => {
                let kind = match is_key {
                    true if self.is_header => ItemKind::Header,
                    true => ItemKind::Key,
                    false => ItemKind::Value,
                };
                if is_key {
                    let mut decoded = Cow::Borrowed("");
                    if let Some(raw) = source.get(token) {
                        raw.decode_key(&mut decoded, &mut ());
                    }
                    self.key.push(decoded.into_owned());
                }
                let path = self.path();
                self.items.push(Item { kind, path, span, table: self.tables });
            }
            _ => {}
        }
    }

    fn end_header(&mut self) {
        if self.is_header {
            (self.is_header, self.header) = (false, std::mem::take(&mut self.key));
        }
    }
}

impl Items {
    /// Returns the items of a text.
    #[must_use]
    pub fn of(text: &str) -> Items {
        let source = Source::new(text);
        let mut scan = Scan::default();
        source.lex().for_each(|token| scan.take(token, &source));
        Items(scan.items)
    }

    /// Returns all items.
    #[must_use]
    pub fn all(&self) -> &[Item] {
        &self.0
    }

    /// Returns the item at a byte, or right before it.
    #[must_use]
    pub fn at(&self, byte: usize) -> Option<&Item> {
        let is_at = |item: &&Item| item.span.start <= byte && byte <= item.span.end;
        // Of two that touch, the one that begins there.
        self.0.iter().filter(is_at).max_by_key(|item| item.span.start)
    }

    /// Returns the values of exactly this path.
    pub fn values<'i>(&'i self, path: &'i [&str]) -> impl Iterator<Item = &'i Item> {
        self.0.iter().filter(move |item| item.kind == ItemKind::Value && item.path == path)
    }

    /// Returns the keys right below this path, those of headers included.
    pub fn keys_below<'i>(&'i self, path: &'i [String]) -> impl Iterator<Item = &'i Item> {
        let is_below = move |item: &&Item| {
            item.kind != ItemKind::Value && item.path.len() == path.len() + 1 && item.path.starts_with(path)
        };
        self.0.iter().filter(is_below)
    }

    /// Returns the text of the string that is the only value of a path.
    #[must_use]
    pub fn string<'t>(&self, text: &'t str, path: &[&str]) -> Option<&'t str> {
        let item = self.values(path).next()?;
        text.get(item.inner(text))
    }
}

/// Returns what may stand at a byte of a text.
#[must_use]
pub fn spot(text: &str, byte: usize) -> Spot {
    let source = Source::new(text);
    let mut scan = Scan::default();
    let mut written = byte..byte;
    let mut is_comment = false;
    for token in source.lex() {
        let (start, end) = (token.span().start(), token.span().end());
        if start >= byte || token.kind() == TokenKind::Eof {
            break;
        }
        let is_word = matches!(
            token.kind(),
            TokenKind::Atom
                | TokenKind::BasicString
                | TokenKind::LiteralString
                | TokenKind::MlBasicString
                | TokenKind::MlLiteralString
        );
        if is_word && end >= byte {
            written = start..end;
            break;
        }
        is_comment = token.kind() == TokenKind::Comment && end >= byte;
        scan.take(token, &source);
    }
    let is_key = !scan.is_value && !scan.is_in_array();
    let expected = match () {
        () if is_comment => Expected::Nothing,
        () if scan.is_header => Expected::Header,
        () if is_key => Expected::Key,
        () => Expected::Value,
    };
    Spot { expected, path: scan.path(), written, table: scan.tables, is_inline: !scan.open.is_empty() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_their_paths_though_the_text_is_broken() {
        let text = "title = \"T\"\nbroken = [1, 2\n]\noops\ngoal = { count = { o = 6 } }\n[[rules]]\nfrom.a = 'x'\n[search]\nalgo";
        let items = Items::of(text);
        let found: Vec<(String, &str, ItemKind, usize)> =
            items.all().iter().map(|one| (one.path.join("."), &text[one.span.clone()], one.kind, one.table)).collect();
        let expected = [
            ("title", "title", ItemKind::Key, 0),
            ("title", "\"T\"", ItemKind::Value, 0),
            ("broken", "broken", ItemKind::Key, 0),
            ("broken", "1", ItemKind::Value, 0),
            ("broken", "2", ItemKind::Value, 0),
            ("oops", "oops", ItemKind::Key, 0),
            ("goal", "goal", ItemKind::Key, 0),
            ("goal.count", "count", ItemKind::Key, 0),
            ("goal.count.o", "o", ItemKind::Key, 0),
            ("goal.count.o", "6", ItemKind::Value, 0),
            ("rules", "rules", ItemKind::Header, 1),
            ("rules.from", "from", ItemKind::Key, 1),
            ("rules.from.a", "a", ItemKind::Key, 1),
            ("rules.from.a", "'x'", ItemKind::Value, 1),
            ("search", "search", ItemKind::Header, 2),
            ("search.algo", "algo", ItemKind::Key, 2),
        ];
        assert_eq!(found, expected.map(|(path, text, kind, table)| (path.to_owned(), text, kind, table)));
    }

    #[test]
    fn a_spot_expects_a_key_a_value_or_a_header() {
        let text = "domain = \"ma\"\n[se\n[search]\nalg\nheuristic = \ngoal = { ev = 1, x\n# c";
        let at = |part: &str| {
            let spot = spot(text, text.find(part).expect("it is there") + part.len());
            (spot.expected, spot.path.join("."), &text[spot.written])
        };
        assert_eq!(at("\"ma"), (Expected::Value, "domain".to_owned(), "\"ma\""));
        assert_eq!(at("[se"), (Expected::Header, String::new(), "se"));
        assert_eq!(at("alg"), (Expected::Key, "search".to_owned(), "alg"));
        assert_eq!(at("heuristic = "), (Expected::Value, "search.heuristic".to_owned(), ""));
        assert_eq!(at("1, x"), (Expected::Key, "search.goal".to_owned(), "x"));
        assert_eq!(at("# c").0, Expected::Nothing);
    }
}
