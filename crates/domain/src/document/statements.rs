//! The statements of a TOML text with their places, to edit a text without losing its comments and its layout.

use std::borrow::Cow;
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The header of a table, or a key with its value.
#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// The first key of the path from the top of the file: `a` for `[a.b]`, and for `b = 1` below `[a]`.
    pub key: String,
    /// The header of the table that the statement belongs to is this one or one before it; `false` at the top level.
    pub is_in_table: bool,
    /// From the first character of the statement to the last, without a comment behind it.
    pub span: Range<usize>,
    /// The value; empty for a header.
    pub value: Range<usize>,
    /// The whole lines, with their end and a comment behind the statement.
    pub lines: Range<usize>,
}

/// Returns the statements of a valid TOML text, in its order.
#[must_use]
pub fn statements(text: &str) -> Vec<Statement> {
    let source = Source::new(text);
    let tokens: Vec<_> = source.lex().collect();
    let mut found = Vec::new();
    let mut table: Option<String> = None;
    let mut next = 0;
    while next < tokens.len() {
        let first = next;
        let mut depth = 0_usize;
        let mut equals = None;
        let mut key = None;
        let (mut start, mut end) = (None, 0);
        while next < tokens.len() {
            let token = tokens[next];
            next += 1;
            match token.kind() {
                TokenKind::Newline if depth == 0 => break,
                TokenKind::Eof => continue,
                TokenKind::Newline | TokenKind::Whitespace | TokenKind::Comment => continue,
                TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => depth += 1,
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => depth = depth.saturating_sub(1),
                TokenKind::Equals => _ = equals.get_or_insert(token.span().end()),
                _ if key.is_none() => {
                    let mut decoded = Cow::Borrowed("");
                    if let Some(raw) = source.get(token) {
                        raw.decode_key(&mut decoded, &mut ());
                    }
                    key = Some(decoded.into_owned());
                }
                _ => {}
            }
            start.get_or_insert(token.span().start());
            end = token.span().end();
        }
        let (Some(start), Some(key)) = (start, key) else { continue };
        if equals.is_none() {
            table = Some(key.clone());
        }
        let blank = |text: &str| text.len() - text.trim_start().len();
        let value = equals.map_or(end..end, |equals| equals + blank(&text[equals..end])..end);
        let lines = tokens[first].span().start()..tokens[next - 1].span().end();
        let key = table.clone().unwrap_or(key);
        found.push(Statement { key, is_in_table: table.is_some(), span: start..end, value, lines });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_their_keys_values_and_lines() {
        let text = "# of the file\ntitle = 'T' # short\n\n\"a b\".c = [\n  1, # one\n  { d = 2 },\n]\n[x.y]\nz = \"\"\"\nk = 1\n\"\"\"\n\n  [[w]]\nv=1";
        let found: Vec<_> = statements(text)
            .into_iter()
            .map(|one| (one.key, one.is_in_table, &text[one.span], &text[one.value], &text[one.lines]))
            .collect();
        let array = "\"a b\".c = [\n  1, # one\n  { d = 2 },\n]";
        assert_eq!(
            found,
            [
                ("title".to_owned(), false, "title = 'T'", "'T'", "title = 'T' # short\n"),
                ("a b".to_owned(), false, array, &array["\"a b\".c = ".len()..], &*format!("{array}\n")),
                ("x".to_owned(), true, "[x.y]", "", "[x.y]\n"),
                (
                    "x".to_owned(),
                    true,
                    "z = \"\"\"\nk = 1\n\"\"\"",
                    "\"\"\"\nk = 1\n\"\"\"",
                    "z = \"\"\"\nk = 1\n\"\"\"\n"
                ),
                ("w".to_owned(), true, "[[w]]", "", "  [[w]]\n"),
                ("w".to_owned(), true, "v=1", "1", "v=1"),
            ]
        );
    }
}
